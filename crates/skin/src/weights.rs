//! Weights from pills.
//!
//! 1. Each node of the mesh belongs to one pill: the nearest that lies behind the surface.
//! 2. A pill has the weight 1/(max(d, 0)² + ε²) around the nodes that belong to it. d is the signed
//!    distance to the pill, and never less than it would be on a straight tube as far along the
//!    surface: a finger feels its neighbour over the palm, not over the gap.
//! 3. All weights of a node add up to 1. They are faired: (M + τL) w = M p, with M the areas, L the
//!    Laplacian of cotangents and √τ a length, so that finer meshes get the same weights. This is
//!    (λI + L) w = λp with λ = 1/τ, written for a surface. L has no entry of the wrong sign (see
//!    `surface.rs`), so that weights stay between 0 and 1.
//! 4. Of each strand two neighbouring edges stay, and of the strands the largest two, less the third:
//!    where two change places both have weight 0.

use crate::pills::{Pill, distance, project};
use crate::surface::Surface;
use crate::{Result, fail};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How weights are made. Lengths are in mean radii of the pills.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BindOptions {
    /// ε: how far a pill's weight is felt outside of it. (0, 100]; default 0.25.
    pub softness: f64,
    /// √τ: how far weights are faired over the mesh. [0, 100]; default 0.5.
    pub fairing: f64,
}

impl Default for BindOptions {
    fn default() -> Self {
        BindOptions { softness: 0.25, fairing: 0.5 }
    }
}

impl BindOptions {
    pub(crate) fn check(&self) -> Result<()> {
        let BindOptions { softness, fairing } = *self;
        if !(softness > 0.0 && softness <= 100.0) {
            return fail(format!("softness is {softness}: must be more than 0 and at most 100"));
        }
        if !(0.0..=100.0).contains(&fairing) {
            return fail(format!("fairing is {fairing}: must be 0 to 100"));
        }
        Ok(())
    }
}

/// Weight of a node that sees a pill in front of the surface: the cosine below which it does.
const IN_FRONT: f64 = -0.2;
/// Where the fairing of a pill ends, beyond its own weights: in units of √τ. e^-5 is 0.7 %.
const TAIL: f64 = 5.0;
/// Of the third weight, what is taken from the others. Not all: three equal weights must leave some.
const CUT: f64 = 0.999;
/// Of the largest weight, what is taken at least: strands that are farther than that are not felt.
const FAINT: f64 = 0.02;

const NONE: u32 = u32::MAX;

/// Pills and weights of each node, one to four, the largest first; they add up to 1.
pub fn weights(surface: &Surface, pills: &[Pill], strand_of: &[u32], options: &BindOptions) -> Vec<Vec<(u32, f64)>> {
    let n = surface.points.len();
    let length: f64 = pills.iter().map(|p| p.length().max(1e-12)).sum();
    let radius = pills.iter().map(|p| p.length().max(1e-12) * 0.5 * (p.radii[0] + p.radii[1])).sum::<f64>() / length;
    let soft2 = (options.softness * radius).powi(2);
    let fair = options.fairing * radius;
    let owners = owners(surface, pills);
    let mut owned: Vec<Vec<u32>> = vec![Vec::new(); pills.len()];
    for (i, &o) in owners.iter().enumerate() {
        if !surface.around(i).is_empty() {
            owned[o as usize].push(i as u32);
        }
    }
    let regions: Vec<Region> = (0..pills.len())
        .into_par_iter()
        .map_init(|| Search::new(n), |s, j| region(surface, &pills[j], &owned[j], soft2, fair, s))
        .collect();
    let mut sums = vec![0.0; n];
    for r in &regions {
        r.nodes.iter().zip(&r.raw).for_each(|(&i, w)| sums[i as usize] += w);
    }
    let faired: Vec<Vec<f64>> =
        regions.par_iter().map_init(|| vec![NONE; n], |local, r| fairing(surface, r, &sums, fair * fair, local)).collect();
    let mut lists: Vec<Vec<(u32, f64)>> = vec![Vec::new(); n];
    for (j, (r, w)) in regions.iter().zip(&faired).enumerate() {
        for (&i, &w) in r.nodes.iter().zip(w) {
            if w > 1e-9 {
                lists[i as usize].push((j as u32, w));
            }
        }
    }
    lists.par_iter_mut().enumerate().for_each(|(i, list)| {
        if surface.around(i).is_empty() {
            // A vertex of no triangle has nothing to be faired over.
            let weight = |p: &Pill| 1.0 / (distance(p, surface.points[i]).max(0.0).powi(2) + soft2);
            // Of each strand its nearest edge, and those beside it.
            let strands: Vec<u32> = (0..pills.len() as u32).collect();
            for edges in strands.chunk_by(|a, b| strand_of[*a as usize] == strand_of[*b as usize]) {
                let far = |j: &&u32| distance(&pills[**j as usize], surface.points[i]);
                let Some(&nearest) = edges.iter().min_by(|a, b| far(a).total_cmp(&far(b))) else { continue };
                list.extend(edges.iter().filter(|j| j.abs_diff(nearest) < 2).map(|&j| (j, weight(&pills[j as usize]))));
            }
        } else if list.is_empty() {
            list.push((owners[i], 1.0));
        }
        cut(list, strand_of);
    });
    lists
}

/// Keeps two edges of two strands, without a jump where they change. Of a strand, its whole weight and the mean of its edges' numbers
/// stay, as two neighbouring edges. Of the strands, the largest two, less the third.
///
/// Cutting to the largest four edges instead let the shares of two strands go up and down with each edge between them: ridges.
fn cut(list: &mut Vec<(u32, f64)>, strand_of: &[u32]) {
    list.sort_unstable_by_key(|x| x.0);
    // Weight, and the mean number of the edges.
    let mut strands: Vec<(f64, f64)> = Vec::new();
    for run in list.chunk_by(|a, b| strand_of[a.0 as usize] == strand_of[b.0 as usize]) {
        let weight: f64 = run.iter().map(|x| x.1).sum();
        let mean = run.iter().map(|x| x.1 * f64::from(x.0)).sum::<f64>() / weight;
        // Rounded, it may lie beyond the last edge.
        let ends = [run[0].0, run[run.len() - 1].0].map(f64::from);
        strands.push((weight, mean.clamp(ends[0], ends[1])));
    }
    strands.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.total_cmp(&b.1)));
    let third = (CUT * strands.get(2).map_or(0.0, |x| x.0)).max(FAINT * strands[0].0);
    strands.truncate(2);
    strands.retain(|x| x.0 > third);
    let sum: f64 = strands.iter().map(|x| x.0 - third).sum();
    list.clear();
    for (weight, mean) in strands {
        let weight = (weight - third) / sum;
        let part = mean - mean.floor();
        let first = mean.floor() as u32;
        list.push((first, weight * (1.0 - part)));
        if part > 0.0 {
            list.push((first + 1, weight * part));
        }
    }
    list.retain(|x| x.1 > 0.0);
    list.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
}

/// The pill of each node: the nearest, where those in front of the surface count as much farther.
fn owners(surface: &Surface, pills: &[Pill]) -> Vec<u32> {
    let nearest = |i: usize, outward: f64| {
        let p = surface.points[i];
        let normal = surface.normals[i];
        let normal = normal * (outward / normal.length().max(1e-300));
        let mut best = (f64::MAX, 0u32, 0.0);
        for (j, pill) in pills.iter().enumerate() {
            let from = p - pill.point(project(pill, p));
            let away = from.length();
            let facing = normal.dot(from);
            let d = distance(pill, p);
            let cost = if facing < IN_FRONT * away { d + 2.0 * away } else { d };
            if cost < best.0 {
                best = (cost, j as u32, facing);
            }
        }
        best
    };
    let n = surface.points.len();
    // Which way the normals go is the host's convention, so most of them decide.
    let facing: Vec<f64> = (0..n)
        .into_par_iter()
        .map(|i| nearest(i, 0.0).1)
        .zip(0..n)
        .map(|(j, i)| {
            let (p, pill) = (surface.points[i], &pills[j as usize]);
            surface.normals[i].dot((p - pill.point(project(pill, p))).normalized_or(withy_math::Vec3::zero()))
        })
        .collect();
    let outward = if facing.iter().sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
    (0..n).into_par_iter().map(|i| nearest(i, outward).1).collect()
}

/// Nodes near a pill along the surface.
struct Region {
    nodes: Vec<u32>,
    /// Weights before they are made to add up to 1; 0 at the rim.
    raw: Vec<f64>,
}

/// Dijkstra's, from many nodes at once.
struct Search {
    far: Vec<f64>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Search {
    fn new(n: usize) -> Search {
        Search { far: vec![f64::INFINITY; n], heap: BinaryHeap::new() }
    }
}

fn region(surface: &Surface, pill: &Pill, owned: &[u32], soft2: f64, fair: f64, search: &mut Search) -> Region {
    let mut nodes = Vec::new();
    let gap = owned.iter().map(|&i| distance(pill, surface.points[i as usize])).fold(0.0, f64::max);
    let reach = 4.0 * (pill.length() + pill.thickest()) + 2.0 * gap + 4.0 * soft2.sqrt();
    let end = reach + TAIL * fair;
    for &i in owned {
        search.far[i as usize] = 0.0;
        // Numbers of one sign are ordered as their bits are.
        search.heap.push(Reverse((0, i)));
    }
    while let Some(Reverse((bits, i))) = search.heap.pop() {
        let at = f64::from_bits(bits);
        if at > search.far[i as usize] {
            continue;
        }
        nodes.push(i);
        for k in surface.around(i as usize) {
            let next = at + k.length;
            if next <= end && next < search.far[k.node as usize] {
                search.far[k.node as usize] = next;
                search.heap.push(Reverse((next.to_bits(), k.node)));
            }
        }
    }
    nodes.sort_unstable();
    let raw = |&i: &u32| {
        let (p, along) = (surface.points[i as usize], search.far[i as usize]);
        if along >= reach {
            return 0.0;
        }
        let d = distance(pill, p).max(0.0);
        let round = pill.thickest() + d;
        let d = d.max((round * round + along * along).sqrt() - round);
        let part = along / reach;
        let taper = 1.0 - part * part;
        taper * taper / (d * d + soft2)
    };
    let raw = nodes.iter().map(raw).collect();
    nodes.iter().for_each(|&i| search.far[i as usize] = f64::INFINITY);
    Region { nodes, raw }
}

/// Solves (M + τL) w = M p over a region, with w = 0 around it, by conjugate gradients.
fn fairing(surface: &Surface, r: &Region, sums: &[f64], tau: f64, local: &mut [u32]) -> Vec<f64> {
    let p: Vec<f64> = r.nodes.iter().zip(&r.raw).map(|(&i, w)| if *w > 0.0 { w / sums[i as usize] } else { 0.0 }).collect();
    if tau == 0.0 || p.is_empty() {
        return p;
    }
    r.nodes.iter().enumerate().for_each(|(k, &i)| local[i as usize] = k as u32);
    // Rows of the matrix: the diagonal, and entries off it.
    let mut diagonal = Vec::with_capacity(p.len());
    let mut start = vec![0usize];
    let mut off: Vec<(u32, f64)> = Vec::new();
    for &i in &r.nodes {
        let mut sum = 0.0;
        for k in surface.around(i as usize) {
            sum += k.weight;
            if local[k.node as usize] != NONE {
                off.push((local[k.node as usize], -tau * k.weight));
            }
        }
        diagonal.push(surface.mass[i as usize] + tau * sum);
        start.push(off.len());
    }
    r.nodes.iter().for_each(|&i| local[i as usize] = NONE);
    let product = |x: &[f64], out: &mut [f64]| {
        for (k, o) in out.iter_mut().enumerate() {
            let mut sum = diagonal[k] * x[k];
            for &(j, a) in &off[start[k]..start[k + 1]] {
                sum += a * x[j as usize];
            }
            *o = sum;
        }
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let b: Vec<f64> = r.nodes.iter().zip(&p).map(|(&i, p)| surface.mass[i as usize] * p).collect();
    let mut x = p;
    let mut work = vec![0.0; x.len()];
    product(&x, &mut work);
    let mut rest: Vec<f64> = b.iter().zip(&work).map(|(b, a)| b - a).collect();
    let mut z: Vec<f64> = rest.iter().zip(&diagonal).map(|(r, d)| r / d).collect();
    let mut way = z.clone();
    let mut rz = dot(&rest, &z);
    let enough = 1e-18 * b.iter().zip(&diagonal).map(|(b, d)| b * b / d).sum::<f64>();
    for _ in 0..500 {
        if rz <= enough || rz.is_nan() {
            break;
        }
        product(&way, &mut work);
        let alpha = rz / dot(&way, &work);
        for k in 0..x.len() {
            x[k] += alpha * way[k];
            rest[k] -= alpha * work[k];
            z[k] = rest[k] / diagonal[k];
        }
        let next = dot(&rest, &z);
        let beta = next / rz;
        rz = next;
        way.iter_mut().zip(&z).for_each(|(w, z)| *w = z + beta * *w);
    }
    x
}
