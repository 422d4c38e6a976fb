//! From a caller's points to clean runs: broken at bad points, without repeats, optionally smooth, with a frame at every point.

use super::camera::View;
use super::scene::{CurveSet, finite};
use glam::Vec3;

/// A run of at least two distinct points.
pub(crate) struct Path {
    /// Index of the curve in its set, for per-curve colour.
    pub curve: usize,
    pub points: Vec<Vec3>,
    pub radii: Vec<f32>,
    pub tangents: Vec<Vec3>,
    /// d1 at every point, orthogonal to the tangent; empty when `with_frames` was false.
    pub d1: Vec<Vec3>,
    /// Arc length from the start in metres.
    pub length: Vec<f32>,
    /// Position between root (0) and tip (1) of the whole run.
    pub closed: bool,
}

#[derive(Clone, Copy)]
struct Node {
    p: Vec3,
    radius: f32,
    d1: Vec3,
}

/// All runs of a set. `step` is the wanted length of a piece in pixels when the set is smooth.
pub(crate) fn paths(set: &CurveSet, view: &View, step: f32, with_frames: bool) -> Vec<Path> {
    let mut out = Vec::with_capacity(set.counts.len());
    let mut first_edge = 0;
    for (curve, (first, count)) in set.ranges().enumerate() {
        let edge_frame = |e: usize| set.frames.get(first_edge + e).and_then(|&d| finite(d)).unwrap_or(Vec3::ZERO);
        let mut run: Vec<Node> = Vec::with_capacity(count);
        for i in 0..count {
            let Some(p) = finite(set.points[first + i]) else {
                finish(&mut run, curve, set, view, step, with_frames, &mut out);
                continue;
            };
            if run.last().is_some_and(|last| last.p == p) {
                continue;
            }
            let before = if i > 0 { edge_frame(i - 1) } else { Vec3::ZERO };
            let after = if i + 1 < count { edge_frame(i) } else { Vec3::ZERO };
            let sum = before + after;
            // Opposite axes on the two sides of a point have no mean: keep one.
            let d1 = if sum.length_squared() > 1e-6 { sum } else { after };
            run.push(Node { p, radius: set.radius(first, count, i), d1 });
        }
        finish(&mut run, curve, set, view, step, with_frames, &mut out);
        first_edge += count.saturating_sub(1);
    }
    out
}

fn finish(run: &mut Vec<Node>, curve: usize, set: &CurveSet, view: &View, step: f32, frames: bool, out: &mut Vec<Path>) {
    if run.len() >= 2 {
        let closed =
            run.len() > 3 && run[0].p.distance_squared(run[run.len() - 1].p) < 1e-12 * run[0].p.distance_squared(run[1].p);
        if closed && set.frames.is_empty() {
            let last = run.len() - 1;
            run[last].p = run[0].p;
        }
        let nodes = if set.smooth && run.len() > 2 { subdivide(run, closed, view, step) } else { run.clone() };
        out.push(build(&nodes, curve, closed, frames));
    }
    run.clear();
}

/// Catmull-Rom through the points (uniform; strands are sampled nearly evenly).
fn subdivide(run: &[Node], closed: bool, view: &View, step: f32) -> Vec<Node> {
    let n = run.len();
    let at = |i: isize| -> Vec3 {
        let last = n as isize - 1;
        match i {
            i if i < 0 && closed => run[(last - 1) as usize].p,
            i if i > last && closed => run[1].p,
            i if i < 0 => 2.0 * run[0].p - run[1].p,
            i if i > last => 2.0 * run[n - 1].p - run[n - 2].p,
            i => run[i as usize].p,
        }
    };
    let mut out = Vec::with_capacity(2 * n);
    for i in 0..n - 1 {
        let (a, b) = (run[i], run[i + 1]);
        let (before, after) = (at(i as isize - 1), at(i as isize + 2));
        let depth = view.to_camera(a.p).z.max(view.near);
        let pixels = a.p.distance(b.p) * view.focal / depth;
        // The deviation of the chord decides more than its length: straight pieces stay whole.
        let bend = ((b.p - before) - (after - a.p)).length() * 0.125 * view.focal / depth;
        let pieces = (pixels / step).min(1.0 + 3.0 * bend.sqrt()).clamp(1.0, 12.0).ceil() as usize;
        for k in 0..pieces {
            let t = k as f32 / pieces as f32;
            let (m0, m1) = (0.5 * (b.p - before), 0.5 * (after - a.p));
            let (t2, t3) = (t * t, t * t * t);
            let p = a.p * (2.0 * t3 - 3.0 * t2 + 1.0) + m0 * (t3 - 2.0 * t2 + t) + b.p * (3.0 * t2 - 2.0 * t3) + m1 * (t3 - t2);
            out.push(Node { p, radius: a.radius + (b.radius - a.radius) * t, d1: a.d1.lerp(b.d1, t) });
        }
    }
    out.push(run[n - 1]);
    out
}

fn build(nodes: &[Node], curve: usize, closed: bool, with_frames: bool) -> Path {
    let n = nodes.len();
    let points: Vec<Vec3> = nodes.iter().map(|v| v.p).collect();
    let edge = |i: usize| (points[i + 1] - points[i]).normalize_or_zero();
    let tangents: Vec<Vec3> = (0..n)
        .map(|i| {
            let before = if i > 0 { edge(i - 1) } else { Vec3::ZERO } + if closed && i == 0 { edge(n - 2) } else { Vec3::ZERO };
            let after = if i + 1 < n { edge(i) } else { Vec3::ZERO } + if closed && i + 1 == n { edge(0) } else { Vec3::ZERO };
            (before + after).try_normalize().or(after.try_normalize()).or(before.try_normalize()).unwrap_or(Vec3::X)
        })
        .collect();
    let mut length = vec![0.0; n];
    for i in 1..n {
        length[i] = length[i - 1] + points[i].distance(points[i - 1]);
    }
    let d1 = if with_frames { frames(nodes, &tangents) } else { Vec::new() };
    Path { curve, radii: nodes.iter().map(|v| v.radius).collect(), points, tangents, d1, length, closed }
}

/// The caller's axes made orthogonal to the tangents; where there is none, the last one is carried on without twist.
fn frames(nodes: &[Node], tangents: &[Vec3]) -> Vec<Vec3> {
    let mut last: Option<Vec3> = None;
    nodes
        .iter()
        .zip(tangents)
        .map(|(node, &t)| {
            let across = |d: Vec3| (d - t * t.dot(d)).try_normalize();
            let d = across(node.d1).or(last.and_then(across)).unwrap_or_else(|| t.any_orthonormal_vector());
            last = Some(d);
            d
        })
        .collect()
}
