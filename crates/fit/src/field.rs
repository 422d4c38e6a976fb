//! How far along the muscle a cell lies: a harmonic field between the ends, told in arc length.
//!
//! Source: Choi & Blemker, "Skeletal muscle fascicle arrangements can be reconstructed using a Laplacian vector field
//! simulation", 2013, as used in Angles 2019, section 8.1. Cells conduct through their faces; sides have no flux.

use super::V3;
use super::cells::{Cells, NONE, neighbours};
use super::ends::Region;
use super::tasks::{Run, fill, map};
use nalgebra::Matrix3;

/// Residual at which the solve stops, as part of the first one.
const ACCURACY: f64 = 1e-6;
const MAX_ITERATIONS: usize = 5000;
/// Cells that one task takes.
const CHUNK: usize = 4096;
/// Where the arc length of the whole changes faster than a head's own, but no more than that.
const STEEPEST: f64 = 8.0;

pub(crate) struct Field {
    /// Arc length from the origin's tip, a cell.
    pub along: Vec<f64>,
    pub gradient: Vec<V3>,
    /// From tip to tip.
    pub length: f64,
}

impl Field {
    /// `distances` are those from the two ends, for a first guess.
    pub fn new(cells: &Cells, ends: &[Region; 2], distances: [&[f64]; 2], run: Run) -> Field {
        let mut end_of = vec![2u8; cells.len()];
        for (k, end) in ends.iter().enumerate() {
            end.cells.iter().for_each(|&cell| end_of[cell as usize] = k as u8);
        }
        let [from, to] = distances;
        let guess = |cell: usize| match end_of[cell] {
            0 => 0.0,
            1 => 1.0,
            _ => from[cell] / (from[cell] + to[cell]),
        };
        let mut u: Vec<f64> = (0..cells.len()).map(guess).collect();
        solve(cells, |cell| end_of[cell] == 2, &mut u, run);
        let (starts, mut lengths) = arc_length(cells, |cell| end_of[cell] == 2, &u);
        let rough: Vec<f64> = u.iter().map(|u| interpolated(&starts, &lengths, *u)).collect();
        correct(cells, |cell| end_of[cell] == 2, &u, &gradients(cells, &rough, run), &starts, &mut lengths);

        let first = ends[0].reach;
        let middle = lengths.last().copied().unwrap_or(0.0);
        let length = first + middle + ends[1].reach;
        let mut along: Vec<f64> = u.iter().map(|u| first + interpolated(&starts, &lengths, *u)).collect();
        for (&cell, depth) in ends[0].cells.iter().zip(&ends[0].depth) {
            along[cell as usize] = first - depth;
        }
        for (&cell, depth) in ends[1].cells.iter().zip(&ends[1].depth) {
            along[cell as usize] = first + middle + depth;
        }
        let gradient = gradients(cells, &along, run);
        Field { along, gradient, length }
    }
}

/// Conjugate gradients, preconditioned by the diagonal.
fn solve(cells: &Cells, is_free: impl Fn(usize) -> bool + Sync, u: &mut [f64], run: Run) {
    let n = cells.len();
    // What the matrix makes of x, with the values of held cells taken as they are.
    let apply = |x: &[f64], out: &mut [f64]| {
        fill(run, out, CHUNK, |cell| {
            if !is_free(cell) {
                return 0.0;
            }
            let faces = cells.beside[cell][..6].iter().zip(&cells.open[cell]).filter(|(next, _)| **next != NONE);
            faces.map(|(&next, open)| f64::from(*open) * (x[cell] - x[next as usize])).sum()
        });
    };
    let diagonal: Vec<f64> =
        (0..n).map(|cell| cells.open[cell].iter().map(|open| f64::from(*open)).sum::<f64>().max(0.25)).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let preconditioned = |r: &[f64]| r.iter().zip(&diagonal).map(|(r, d)| r / d).collect::<Vec<f64>>();

    let mut residual = vec![0.0; n];
    apply(u, &mut residual);
    residual.iter_mut().for_each(|r| *r = -*r);
    let mut z = preconditioned(&residual);
    let mut direction = z.clone();
    let mut product = vec![0.0; n];
    let mut energy = dot(&residual, &z);
    let stop = ACCURACY * ACCURACY * energy;
    for _ in 0..MAX_ITERATIONS {
        if energy <= stop {
            break;
        }
        apply(&direction, &mut product);
        let step = energy / dot(&direction, &product);
        u.iter_mut().zip(&direction).for_each(|(u, d)| *u += step * d);
        residual.iter_mut().zip(&product).for_each(|(r, p)| *r -= step * p);
        z.iter_mut().zip(&residual).zip(&diagonal).for_each(|((z, r), d)| *z = r / d);
        let next = dot(&residual, &z);
        direction.iter_mut().zip(&z).for_each(|(d, z)| *d = z + next / energy * *d);
        energy = next;
    }
}

/// Arc length as a function of u: values of u, ascending, and the length up to each.
///
/// With the flux Q through every section and the section's area A, the mean gradient is du/ds = Q/A, and the volume
/// between two values is dV = A ds. So ds = √(dV du / Q): no surface has to be extracted. Q is the field's energy.
fn arc_length(cells: &Cells, is_free: impl Fn(usize) -> bool, u: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let h = cells.grid.h;
    let mut flux = 0.0;
    for cell in 0..cells.len() {
        for (&next, open) in cells.beside[cell][..6].iter().zip(&cells.open[cell]) {
            if next != NONE && next as usize > cell {
                flux += f64::from(*open) * (u[cell] - u[next as usize]).powi(2) * h;
            }
        }
    }
    let places = |cell: usize| (u[cell], cells.inside[cell].count_ones());
    let mut sorted: Vec<(f64, u32)> = (0..cells.len()).filter(|&cell| is_free(cell)).map(places).collect();
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let place = h.powi(3) / 8.0;
    let (mut starts, mut lengths) = (vec![0.0], vec![0.0]);
    let (mut from, mut volume, mut length) = (0.0, 0.0, 0.0);
    for &(u, places) in &sorted {
        volume += f64::from(places) * place;
        let step = (volume * (u - from) / flux).sqrt();
        // Layers of cells have nearly the same value: a step spans several.
        if step >= 4.0 * h {
            length += step;
            starts.push(u);
            lengths.push(length);
            (from, volume) = (u, 0.0);
        }
    }
    if starts.len() > 1 && 1.0 - from < 1e-9 {
        starts.pop();
        lengths.pop();
        from = starts[starts.len() - 1];
        length = lengths[lengths.len() - 1];
    }
    starts.push(1.0);
    lengths.push(length + (volume * (1.0 - from) / flux).sqrt());
    (starts, lengths)
}

/// The formula above takes the gradient for even across a section, which it is not in bends, near the ends and in heads
/// of several lengths. The gradient of an arc length is 1 on average: each step is corrected by the mean gradient
/// between its ends.
fn correct(cells: &Cells, is_free: impl Fn(usize) -> bool, u: &[f64], slopes: &[V3], starts: &[f64], lengths: &mut [f64]) {
    let mut sums = vec![(0.0, 0.0); starts.len()];
    for cell in (0..cells.len()).filter(|&cell| is_free(cell)) {
        let step = starts.partition_point(|start| *start < u[cell]).clamp(1, starts.len() - 1);
        let weight = f64::from(cells.inside[cell].count_ones());
        sums[step].0 += weight * slopes[cell].norm();
        sums[step].1 += weight;
    }
    let mut before = 0.0;
    for step in 1..lengths.len() {
        let (slope, weight) = sums[step];
        let own = lengths[step] - before;
        before = lengths[step];
        let mean = if weight > 0.0 { (slope / weight).clamp(0.5, 2.0) } else { 1.0 };
        lengths[step] = lengths[step - 1] + own / mean;
    }
}

fn interpolated(starts: &[f64], lengths: &[f64], u: f64) -> f64 {
    let after = starts.partition_point(|start| *start < u).clamp(1, starts.len() - 1);
    let (a, b) = (starts[after - 1], starts[after]);
    let t = if b > a { ((u - a) / (b - a)).clamp(0.0, 1.0) } else { 0.0 };
    lengths[after - 1] + t * (lengths[after] - lengths[after - 1])
}

/// Least squares over a cell's neighbours. Its length is bounded: on a cell that hangs by an edge it means nothing.
fn gradients(cells: &Cells, values: &[f64], run: Run) -> Vec<V3> {
    let steps = neighbours().map(|d| V3::from(d.map(f64::from)));
    let gradient = |cell: usize| {
        let (mut matrix, mut right) = (Matrix3::identity() * 1e-6, V3::zeros());
        for (&next, step) in cells.beside[cell].iter().zip(&steps) {
            if next != NONE {
                let weight = 1.0 / step.norm_squared();
                matrix += step * step.transpose() * weight;
                right += step * (weight * (values[next as usize] - values[cell]));
            }
        }
        let slope = matrix.try_inverse().map_or(V3::zeros(), |inverse| inverse * right) / cells.grid.h;
        slope * (STEEPEST / slope.norm().max(STEEPEST))
    };
    map(run, cells.len(), CHUNK, gradient)
}
