//! The figures of Takahashi & Batty 2025, "Rest Shape Optimization for Sag-Free Discrete Elastic Rods", on the library's layer of elastic
//! rods (`withy::rods::der`). `docs/internals/sagfree.md` has the paper's numbers beside ours.
//!
//! The paper's hair-like and coiled strands are not published: [`wavy`] and [`coil`] stand for them.

pub mod global_local;
pub mod hair;
pub mod norms;
pub mod problem;
pub mod straight;
pub mod thin;

use super::stage::{FRAME, clamp_block};
use crate::render::{CurveSet, CurveStyle, Material as Paint, Plot, Primitive, Radii, Scene, Series};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use std::time::Instant;
use withy::math::vec3::vec3;
pub use withy::rods::der::strand::Strands;
pub use withy::sagfree::batch::{Material, StrandDesc};
pub use withy::sagfree::rest_shape::{BoundMode, Optimizer, Options, Solved};
use withy::world::EndSupport;

pub const G: f64 = 9.81;

/// From the origin to `to`, as in §5.1 to 5.5.
pub fn line(vertices: usize, to: DVec3) -> Vec<DVec3> {
    (0..vertices).map(|i| to * (i as f64 / (vertices - 1) as f64)).collect()
}

/// The hair-like strand: 30 cm down, 10 cm aside, with waves of 2 cm out of plane (unlike wavelengths, so that bending twists).
pub fn wavy(vertices: usize) -> Vec<DVec3> {
    let at = |u: f64| DVec3::new(0.02 * (25.0 * u).sin(), -0.3 * u, 0.02 * (17.0 * u).cos() - 0.02 + 0.1 * u);
    (0..vertices).map(|i| at(i as f64 / (vertices - 1) as f64)).collect()
}

/// The coiled strand: a helix of 7 turns, 3 cm in radius and 35 cm high.
pub fn coil(vertices: usize) -> Vec<DVec3> {
    let at = |u: f64| DVec3::new(0.03 * (7.0 * TAU * u).cos() - 0.03, -0.35 * u, 0.03 * (7.0 * TAU * u).sin());
    (0..vertices).map(|i| at(i as f64 / (vertices - 1) as f64)).collect()
}

/// A strand at rest in its pose, its first edge held.
pub fn strand(points: &[DVec3], material: Material) -> Strands<f64> {
    let points = points.iter().map(|p| vec3(p.x, p.y, p.z)).collect();
    let gravity = vec3(0.0, -G, 0.0);
    let axis = vec3(0.0, 0.0, 1.0);
    StrandDesc { points, axis, material, gravity, root: EndSupport::Clamped, tip: EndSupport::Free }.build()
}

/// The paper's minimum, without what the library does beyond it.
pub fn paper() -> Options {
    Options { target: 0.0, mode: BoundMode::Penalty, ..Options::default() }
}

/// The rest shape becomes the optimizer's; also the seconds that it took.
pub fn optimize(s: &mut Strands<f64>, options: &Options) -> (Solved<f64>, f64) {
    let initial = s.rest.clone();
    let mut optimizer = Optimizer::new(s.vertices());
    let start = Instant::now();
    let solved = optimizer.run(s, &initial, options);
    (solved, start.elapsed().as_secs_f64())
}

/// The least of `runs` times of the same optimization.
pub fn timed(points: &[DVec3], material: Material, options: &Options, runs: usize) -> (Solved<f64>, f64) {
    let run = |_| optimize(&mut strand(points, material), options);
    (0..runs.max(1)).map(run).min_by(|a, b| a.1.total_cmp(&b.1)).expect("at least one run")
}

/// Vertices, the first at the origin.
pub fn points(s: &Strands<f64>) -> Vec<DVec3> {
    let mut at = DVec3::ZERO;
    let step = |e: &withy::rods::der::strand::Node<f64>| {
        at += DVec3::from(e.edge.to_array());
        at
    };
    let edges = &s.state[..s.vertices() - 1];
    std::iter::once(DVec3::ZERO).chain(edges.iter().map(step)).collect()
}

/// 60 frames a second of one step with one Newton iteration, as the paper; drag takes the motion out, not the sag.
pub fn simulate(s: &mut Strands<f64>, seconds: f64, drag: f64, mut see: impl FnMut(f64, &Strands<f64>)) {
    for frame in 1..=(seconds / FRAME).round() as u32 {
        s.step(FRAME, 1, drag, 0.0);
        see(f64::from(frame) * FRAME, s);
    }
}

/// Where the strand is after ten seconds.
pub fn at_rest(s: &mut Strands<f64>) -> Vec<DVec3> {
    simulate(s, 10.0, 2.0, |_, _| {});
    points(s)
}

/// The largest distance of a vertex from where it was, m.
pub fn away(points: &[DVec3], from: &[DVec3]) -> f64 {
    points.iter().zip(from).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

pub fn without_gravity(s: &mut Strands<f64>) {
    s.section.iter_mut().for_each(|c| c.force = vec3(0.0, 0.0, 0.0));
}

/// κ̄ of the first vertex that bends, both components.
pub fn first_kappa(s: &Strands<f64>) -> f64 {
    s.rest[1].kappa[0].hypot(s.rest[1].kappa[1])
}

pub const NAIVE: [f32; 3] = [0.72, 0.26, 0.18];
pub const OURS: [f32; 3] = [0.16, 0.40, 0.62];
pub const WEIGHTLESS: [f32; 3] = [0.45, 0.62, 0.28];
pub const POSE: [f32; 3] = [0.78, 0.79, 0.81];

/// A strand in a picture, thicker than it is; its vertices too where there are few.
pub fn draw(scene: &mut Scene, points: &[DVec3], at: DVec3, radius: f64, color: [f32; 3]) {
    let place = |p: &DVec3| (*p + at).as_vec3().to_array();
    scene.curves.push(CurveSet {
        points: points.iter().map(place).collect(),
        counts: vec![points.len() as u32],
        radii: Radii::Uniform(radius as f32),
        style: CurveStyle::Tube,
        material: Paint::plastic(color),
        ..CurveSet::default()
    });
    scene.primitives.push(clamp_block(at, DQuat::IDENTITY, 2.6 * radius));
    if points.len() <= 30 {
        let material = Paint::plastic(color.map(|c| 0.6 * c));
        let ball = |p: &DVec3| Primitive::Sphere { center: place(p), radius: 1.9 * radius as f32, material };
        scene.primitives.extend(points.iter().map(ball));
    }
}

pub fn plot(title: &str, x: &str, y: &str, series: Vec<Series>) -> Plot {
    Plot { title: title.into(), x_label: x.into(), y_label: y.into(), log_y: true, series, ..Plot::default() }
}
