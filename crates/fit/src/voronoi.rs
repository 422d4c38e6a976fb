//! Where the rods pass through the sections: centroidal Voronoi cells (Angles 2019, section 8.1; Botsch et al.,
//! "Polygon Mesh Processing", 2010), each section's started from its neighbour's, combed, and drawn towards straight
//! ways.

use super::V3;
use super::sections::{Body, Section, transport};
use nalgebra::Vector2;
use pathfinding::prelude::{Matrix, kuhn_munkres_min};
use std::f64::consts::TAU;
use withy_math::approx::sin_cos;

/// Rounds of Lloyd's method in the first section, and in those after it.
const FIRST_ROUNDS: usize = 80;
const ROUNDS: usize = 25;
/// Rounds over all sections with the penalty on length.
const SWEEPS: usize = 12;
/// Weight of the neighbours' places against the cell's own centroid.
const STRAIGHT: f64 = 0.5;

/// Where the rods are in one section, and through which part of it each goes.
#[derive(Clone, Default)]
pub(crate) struct Places {
    pub at: Vec<V3>,
    pub part: Vec<usize>,
}

/// All rods in all sections, in the sections' order. Frames of sections are carried along.
pub(crate) fn place_rods(body: &Body, sections: &mut [Section], rods: usize) -> Vec<Places> {
    let last = sections.len() - 1;
    let area = |section: &Section| section.parts.iter().map(|part| part.area).sum::<f64>();
    let widest = (0..=last).max_by(|&a, &b| area(&sections[a]).total_cmp(&area(&sections[b]))).unwrap_or(0);
    let links: Vec<Vec<(usize, usize)>> = sections.windows(2).map(|pair| body.links(&pair[0], &pair[1])).collect();
    // From `from` to its neighbour `to`.
    let linked = |from: usize, to: usize| -> Vec<(usize, usize)> {
        if to > from { links[from].clone() } else { links[to].iter().map(|&(a, b)| (b, a)).collect() }
    };
    let outward: Vec<(usize, usize)> =
        (widest + 1..=last).map(|k| (k - 1, k)).chain((0..widest).rev().map(|k| (k + 1, k))).collect();

    sections[widest].parts.iter_mut().for_each(|part| part.set_frame(V3::y()));
    for &(from, to) in &outward {
        let pairs = linked(from, to);
        for part in 0..sections[to].parts.len() {
            let parent = pairs.iter().find(|(_, b)| *b == part).map_or(0, |(a, _)| *a);
            let across = sections[from].parts[parent].frame[0];
            sections[to].parts[part].set_frame(across);
        }
    }
    // What hangs on each part, away from the widest section: heads share the rods by volume.
    let mut weight: Vec<Vec<f64>> = sections.iter().map(|s| s.parts.iter().map(|part| part.area).collect()).collect();
    for &(from, to) in outward.iter().rev() {
        for (a, b) in linked(from, to) {
            weight[from][a] += weight[to][b];
        }
    }

    let mut places = vec![Places::default(); sections.len()];
    places[widest] = start(&sections[widest], rods, &weight[widest]);
    for (from, to) in outward {
        let pairs = linked(from, to);
        let started = go_over(&sections[from], &sections[to], &pairs, &weight[to], &places[from]);
        let mut found = started.clone();
        (0..ROUNDS).for_each(|_| lloyd(&sections[to], &mut found));
        places[to] = combed(&sections[to], &started, found);
    }
    for sweep in 0..SWEEPS {
        for step in 0..=last {
            straighten(sections, &mut places, if sweep % 2 == 0 { step } else { last - step });
        }
    }
    places
}

/// The first section: its parts share the rods, each part's on a golden-angle spiral over its ellipse of inertia.
fn start(section: &Section, rods: usize, weights: &[f64]) -> Places {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let mut places = Places::default();
    for (index, (part, count)) in section.parts.iter().zip(shares(rods, weights)).enumerate() {
        let eigen = part.covariance.symmetric_eigen();
        for k in 0..count {
            // The variance of a disc's coordinate is a quarter of its radius squared.
            let radius = 2.0 * ((k as f64 + 0.5) / count as f64).sqrt();
            let turn = k as f64 * GOLDEN;
            let (sin, cos) = sin_cos(TAU * (turn - turn.floor()));
            let scale = eigen.eigenvalues.map(|x| x.max(0.0).sqrt() * radius);
            let flat = eigen.eigenvectors.column(0) * (scale.x * cos) + eigen.eigenvectors.column(1) * (scale.y * sin);
            places.at.push(part.raised(flat));
            places.part.push(index);
        }
    }
    (0..FIRST_ROUNDS).for_each(|_| lloyd(section, &mut places));
    places
}

/// `count` things in proportion to the weights, to the nearest whole numbers by largest remainder, one each as far as they go.
fn shares(count: usize, weights: &[f64]) -> Vec<usize> {
    let total: f64 = weights.iter().sum();
    let exact: Vec<f64> = weights.iter().map(|weight| count as f64 * weight / total).collect();
    let mut given: Vec<usize> = exact.iter().map(|x| (x.floor() as usize).max(1)).collect();
    loop {
        let sum: usize = given.iter().sum();
        let short = |k: &usize| exact[*k] - given[*k] as f64;
        if sum < count {
            let Some(most) = (0..given.len()).max_by(|a, b| short(a).total_cmp(&short(b))) else { return given };
            given[most] += 1;
        } else if sum > count {
            let Some(least) = (0..given.len()).filter(|&k| given[k] > 0).min_by(|a, b| short(a).total_cmp(&short(b))) else {
                return given;
            };
            given[least] -= 1;
        } else {
            return given;
        }
    }
}

/// The rods go on into the next section. Those of a part stay together, unless it forks.
fn go_over(from: &Section, to: &Section, links: &[(usize, usize)], weights: &[f64], places: &Places) -> Places {
    let rods = places.at.len();
    let mut next = Places { at: places.at.clone(), part: vec![usize::MAX; rods] };
    for (index, part) in from.parts.iter().enumerate() {
        let own: Vec<usize> = (0..rods).filter(|&rod| places.part[rod] == index).collect();
        let mut children: Vec<usize> = links.iter().filter(|(a, _)| *a == index).map(|(_, b)| *b).collect();
        if children.is_empty() {
            // A part that ends early: its rods go where it is nearest.
            let apart = |k: &usize| (to.parts[*k].mean - part.mean).norm_squared();
            children.extend((0..to.parts.len()).min_by(|a, b| apart(a).total_cmp(&apart(b))));
        }
        if let [child] = children[..] {
            let is_only = places.part.iter().zip(0..).filter(|(p, _)| links.contains(&(**p, child))).all(|(p, _)| *p == index);
            let child_part = &to.parts[child];
            let map = transport(part, child_part);
            for &rod in &own {
                // Where parts join, each keeps its side.
                next.at[rod] = if is_only { child_part.raised(map * part.flat(places.at[rod])) } else { places.at[rod] };
                next.part[rod] = child;
            }
            continue;
        }
        let child_weights: Vec<f64> = children.iter().map(|&child| weights[child]).collect();
        let counts = shares(own.len(), &child_weights);
        fork(to, &own, &children, &counts, &mut next);
    }
    next
}

/// Each rod to a child, with least squared ways to the children's nearest points.
fn fork(to: &Section, own: &[usize], children: &[usize], counts: &[usize], next: &mut Places) {
    let seats: Vec<usize> = children.iter().zip(counts).flat_map(|(&child, &count)| vec![child; count]).collect();
    let size = to.parts.iter().map(|part| part.area).sum::<f64>();
    let way = |rod: usize, child: usize| {
        let apart = to.parts[child].points.iter().map(|p| (p - next.at[rod]).norm_squared()).fold(f64::INFINITY, f64::min);
        (apart / size * 1e9).min(1e15) as i64
    };
    let rows: Vec<Vec<i64>> = own
        .iter()
        .map(|&rod| {
            let ways: Vec<i64> = children.iter().map(|&child| way(rod, child)).collect();
            seats.iter().map(|seat| ways[children.iter().position(|child| child == seat).unwrap_or(0)]).collect()
        })
        .collect();
    let Ok(matrix) = Matrix::from_rows(rows) else { return };
    let (_, seat) = kuhn_munkres_min(&matrix);
    for (&rod, seat) in own.iter().zip(seat) {
        next.part[rod] = seats[seat];
    }
}

/// Every rod's centroid: the mean of the points of its part that are nearest to it. A rod without points gets the point
/// that is farthest from its own rod.
fn centroids(section: &Section, places: &Places) -> Vec<V3> {
    let mut found = places.at.clone();
    for (index, part) in section.parts.iter().enumerate() {
        let own: Vec<usize> = (0..places.at.len()).filter(|&rod| places.part[rod] == index).collect();
        if own.is_empty() {
            continue;
        }
        let mut sums = vec![(V3::zeros(), 0.0); own.len()];
        let mut apart = Vec::with_capacity(part.points.len());
        for (k, point) in part.points.iter().enumerate() {
            let mut best = (f64::INFINITY, 0);
            for (slot, &rod) in own.iter().enumerate() {
                let distance = (places.at[rod] - point).norm_squared();
                if distance < best.0 {
                    best = (distance, slot);
                }
            }
            sums[best.1].0 += point;
            sums[best.1].1 += 1.0;
            apart.push((best.0, k));
        }
        if sums.iter().any(|(_, count)| *count == 0.0) {
            apart.sort_by(|a, b| b.0.total_cmp(&a.0));
        }
        let mut far = apart.iter().map(|(_, k)| part.points[*k]);
        for ((sum, count), &rod) in sums.iter().zip(&own) {
            found[rod] = if *count > 0.0 { sum / *count } else { far.next().unwrap_or(part.mean) };
        }
    }
    found
}

fn lloyd(section: &Section, places: &mut Places) {
    places.at = centroids(section, places);
}

/// The places found in each part, given to its rods so that the squared ways from where they started are least in sum.
fn combed(section: &Section, started: &Places, found: Places) -> Places {
    let mut combed = found.clone();
    for (index, part) in section.parts.iter().enumerate() {
        let own: Vec<usize> = (0..found.at.len()).filter(|&rod| found.part[rod] == index).collect();
        let size = part.covariance.trace().max(f64::MIN_POSITIVE);
        // Whole numbers, so that the assignment does not hang on the last bit.
        let cost = |from: usize, to: usize| ((found.at[to] - started.at[from]).norm_squared() / size * 1e9).min(1e15) as i64;
        let rows: Vec<Vec<i64>> = own.iter().map(|&from| own.iter().map(|&to| cost(from, to)).collect()).collect();
        let Ok(matrix) = Matrix::from_rows(rows) else { continue };
        if own.is_empty() {
            continue;
        }
        for (&rod, place) in own.iter().zip(kuhn_munkres_min(&matrix).1) {
            combed.at[rod] = found.at[own[place]];
        }
    }
    combed
}

/// Draws the rods of a section towards the middle of their neighbours' places. The neighbours' places are carried over
/// with their parts' sizes: rods of a bundle that widens are not drawn inwards, only those that wander among the
/// others. Nothing is carried over a fork.
fn straighten(sections: &[Section], places: &mut [Places], own: usize) {
    let section = &sections[own];
    let of_part = |places: &Places, part: usize| places.part.iter().filter(|&&p| p == part).count();
    let mut goals = vec![(Vector2::zeros(), 0.0); places[own].at.len()];
    for other in [own.checked_sub(1), Some(own + 1).filter(|&k| k < sections.len())].into_iter().flatten() {
        for (index, part) in section.parts.iter().enumerate() {
            let rods: Vec<usize> = (0..goals.len()).filter(|&rod| places[own].part[rod] == index).collect();
            let Some(there) = rods.first().map(|&rod| places[other].part[rod]) else { continue };
            if rods.iter().any(|&rod| places[other].part[rod] != there) || of_part(&places[other], there) != rods.len() {
                continue;
            }
            let from = &sections[other].parts[there];
            let map = transport(from, part);
            for rod in rods {
                goals[rod].0 += map * from.flat(places[other].at[rod]);
                goals[rod].1 += 1.0;
            }
        }
    }
    let mut centered = centroids(section, &places[own]);
    for (rod, place) in centered.iter_mut().enumerate() {
        let (sum, count) = goals[rod];
        if count > 0.0 {
            let part = &section.parts[places[own].part[rod]];
            let weight = 0.5 * STRAIGHT * count;
            let way = (sum / count - part.flat(*place)) * (weight / (1.0 + weight));
            *place += part.frame[0] * way.x + part.frame[1] * way.y;
        }
    }
    places[own].at = centered;
}
