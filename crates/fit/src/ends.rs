//! Where the muscle begins and ends: told by the caller, or the tips that lie farthest apart along the muscle.

use super::V3;
use super::cells::{Cells, NONE};

/// An end without a shape of its own reaches so deep, as part of its radius and at most of the muscle's length: a flat
/// face seen askew is one end.
const DEEP: f64 = 0.4;
const DEEPEST: f64 = 0.02;
/// A tip is a head of its own if it lies so far beyond the place where it leaves the others, as part of the muscle's length.
const HEAD: f64 = 0.1;

/// The cells of one end.
pub(crate) struct Region {
    pub cells: Vec<u32>,
    /// How far behind the region's inner border a cell lies.
    pub depth: Vec<f64>,
    /// How far behind the border the surface lies at the tip.
    pub reach: f64,
    pub heads: usize,
    /// Where the caller wants rods to end; empty: in the middle of each head's end.
    pub told: Vec<V3>,
}

/// An end in the mesh's own axes, before its cells are known.
pub(crate) enum Place {
    Found,
    Points(Vec<V3>),
    /// Corners of painted triangles and lone vertices, refined to the cells' size.
    Painted(Vec<V3>),
    Plane {
        point: V3,
        normal: V3,
    },
}

/// Cells that surely belong to an end; none where it has to be found.
pub(crate) fn seeds(cells: &Cells, place: &Place) -> Vec<usize> {
    let mut found = match place {
        Place::Found => Vec::new(),
        Place::Points(points) => points.iter().map(|p| cells.nearest(*p)).collect(),
        Place::Painted(points) => points.iter().map(|p| cells.nearest(*p)).collect(),
        Place::Plane { point, normal } => {
            (0..cells.len()).filter(|&cell| (cells.center(cell) - point).dot(normal) >= 0.0).collect()
        }
    };
    found.sort_unstable();
    found.dedup();
    found
}

/// The cell farthest from `seeds`.
pub(crate) fn farthest(cells: &Cells, seeds: &[usize]) -> usize {
    let distance = cells.distances(seeds);
    (0..cells.len()).filter(|&cell| distance[cell].is_finite()).max_by(|&a, &b| distance[a].total_cmp(&distance[b])).unwrap_or(0)
}

/// The tips of all heads, as seen from the other end: what is farther than a level falls into parts, which join as the
/// level sinks. A part that joins a longer one long after its tip appeared was a head.
pub(crate) fn heads(cells: &Cells, distance: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..cells.len()).filter(|&cell| distance[cell].is_finite()).collect();
    order.sort_by(|&a, &b| distance[b].total_cmp(&distance[a]));
    let far = order.first().map_or(0.0, |&cell| distance[cell]);
    // A tree of parts; a part is named by its tip, and a cell's parent leads there.
    let mut parent = vec![NONE; cells.len()];
    let root = |parent: &mut Vec<u32>, mut cell: u32| {
        while parent[cell as usize] != cell {
            parent[cell as usize] = parent[parent[cell as usize] as usize];
            cell = parent[cell as usize];
        }
        cell
    };
    let mut tips: Vec<usize> = order.first().copied().into_iter().collect();
    for &cell in &order {
        let mut own = cell as u32;
        parent[cell] = own;
        for &next in cells.beside[cell].iter().filter(|&&next| next != NONE) {
            if parent[next as usize] == NONE {
                continue;
            }
            let other = root(&mut parent, next);
            if other == own {
                continue;
            }
            let (long, short) = if distance[other as usize] >= distance[own as usize] { (other, own) } else { (own, other) };
            if distance[short as usize] - distance[cell] > HEAD * far {
                tips.push(short as usize);
            }
            parent[short as usize] = long;
            own = long;
        }
    }
    tips
}

/// The region of an end. `distance` is that from the other end.
pub(crate) fn region(cells: &Cells, place: &Place, seeds: &[usize], distance: &[f64]) -> Region {
    let numbers = || seeds.iter().map(|&cell| cell as u32).collect();
    match place {
        Place::Painted(points) => {
            let middle = points.iter().sum::<V3>() / points.len() as f64;
            let apart = |p: &&V3| (**p - middle).norm_squared();
            let told = points.iter().min_by(|a, b| apart(a).total_cmp(&apart(b))).copied();
            Region { cells: numbers(), depth: vec![0.0; seeds.len()], reach: 0.0, heads: 1, told: told.into_iter().collect() }
        }
        Place::Plane { point, normal } => {
            let depth: Vec<f64> = seeds.iter().map(|&cell| (cells.center(cell) - point).dot(normal)).collect();
            let reach = depth.iter().copied().fold(0.0, f64::max) + 0.5 * cells.grid.h;
            Region { cells: numbers(), depth, reach, heads: 1, told: Vec::new() }
        }
        Place::Found => behind(cells, seeds, distance),
        Place::Points(points) => Region { told: points.clone(), ..behind(cells, seeds, distance) },
    }
}

/// Everything that lies behind the seeds as seen from the other end: the muscle goes on to its tip, wherever exactly
/// somebody clicked.
fn behind(cells: &Cells, seeds: &[usize], distance: &[f64]) -> Region {
    let h = cells.grid.h;
    let heads: Vec<(Vec<u32>, f64)> = seeds
        .iter()
        .map(|&seed| {
            let part_behind = |level: f64| {
                let (part, _) = cells.parts(|cell| distance[cell] >= level);
                let own = part[seed];
                (0..cells.len()).filter(|&cell| own != NONE && part[cell] == own).map(|cell| cell as u32).collect::<Vec<u32>>()
            };
            let farthest = |all: &[u32]| all.iter().map(|&cell| distance[cell as usize]).fold(distance[seed], f64::max);
            let far = farthest(&part_behind(distance[seed]));
            // The radius of what the deepest end would be.
            let deepest = (DEEPEST * far).max(1.5 * h);
            let wide = part_behind(far - deepest);
            let volume: u32 = wide.iter().map(|&cell| cells.inside[cell as usize].count_ones()).sum();
            let radius = (f64::from(volume) / 8.0 * h.powi(3) / (deepest * std::f64::consts::PI)).sqrt();
            let level = distance[seed].min(far - (DEEP * radius).clamp(1.5 * h, deepest));
            (part_behind(level), level)
        })
        .collect();
    // Heads of several lengths all begin at 0: the depth of the shorter ones is stretched.
    let deepest = |own: &[u32], level: f64| own.iter().map(|&cell| distance[cell as usize] - level).fold(0.0, f64::max) + 0.5 * h;
    let most = heads.iter().map(|(own, level)| deepest(own, *level)).fold(0.0, f64::max);
    let mut region = Region { cells: Vec::new(), depth: Vec::new(), reach: most, heads: heads.len(), told: Vec::new() };
    for (own, level) in heads {
        let scale = most / deepest(&own, level);
        for cell in own {
            region.cells.push(cell);
            region.depth.push((distance[cell as usize] - level) * scale);
        }
    }
    region
}
