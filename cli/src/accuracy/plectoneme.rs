//! One strand of a plectoneme, lying on a cylinder that stands for the other.
//!
//! Far from its ends a plectoneme is a pair of helices that a half turn about their axis takes into each other. So a strand touches the other one through the axis: it is held
//! off it by the contact radius R and nothing else, as by a cylinder without friction. A cut across both strands bears no force along the axis and no moment about it, as
//! the loop beyond hangs on nothing, and by the same half turn neither does that of one strand. Here the strand is clamped at both ends on its helix; twist and stretch are
//! found with which neither is there (two numbers, by secants). The twisting moment is then the M of the rod's tails, and its T is what is the same all along a rod that
//! slides without friction: force along the tangent + ½ B κ².

use super::{Law, Slope};
use std::f64::consts::PI;
use withy::math::Vec3;
use withy::math::vec3::vec3;
use withy::rods::der::kernels::Frame;
use withy::world::RodModel::{Der, Ghost};
use withy::world::*;

macro_rules! law {
    ($run:expr; $($name:literal),+) => {
        Law { names: &[$($name),+], edges: &[25, 50, 100], slope: Slope::Each, run: $run }
    };
}

pub const LAWS: &[Law] = &[
    law!(|n| plectoneme(n + 1, 20.0, Ghost); "plectoneme_a20_tension", "plectoneme_a20_moment"),
    law!(|n| plectoneme(n, 20.0, Der); "der_plectoneme_a20_tension", "der_plectoneme_a20_moment"),
    law!(|n| plectoneme(n, 30.0, Der); "der_plectoneme_a30_tension", "der_plectoneme_a30_moment"),
];

/// Contact radius, section, material; turns of the helix.
const RADIUS: f64 = 0.02;
const ROD: f64 = 1e-3;
const YOUNG: f64 = 1e8;
const SHEAR: f64 = 4e7;
const TURNS: f64 = 2.0;
/// EI, GJ
const B: f64 = YOUNG * PI * ROD * ROD * ROD * ROD / 4.0;
const C: f64 = SHEAR * PI * ROD * ROD * ROD * ROD / 2.0;

/// What a cut in the middle of the strand bears: the force along the axis, the moment about it, the invariant force, the twisting moment.
#[derive(Clone, Copy, Debug)]
struct Cut {
    along: f64,
    about: f64,
    tension: f64,
    twisting: f64,
}

/// At rest with so much twist a length, rad/m, and rest lengths shorter by the part `strain`.
fn cut(vertices: usize, angle: f64, twist: f64, strain: f64, model: RodModel) -> Cut {
    let edges = vertices - 1;
    let helix = |i: usize| {
        let phi = 2.0 * PI * TURNS * i as f64 / edges as f64;
        vec3(RADIUS * phi.cos(), RADIUS * phi / angle.tan(), -RADIUS * phi.sin())
    };
    let edge = |i: usize| helix(i + 1) - helix(i);
    let length = edge(0).length();
    let mut axes = Vec::new();
    let mut frame: Option<Frame<f64>> = None;
    for i in 0..edges {
        let t = edge(i) * (1.0 / length);
        let by = twist * length;
        let now = match &frame {
            None => {
                let m1 = t.any_perpendicular();
                Frame { m1, m2: t.cross(m1), t }
            }
            Some(f) => f.transported(t, (by.sin(), by.cos())),
        };
        axes.push(now.m1.to_array());
        frame = Some(now);
    }
    let desc = WorldDesc { gravity: [0.0; 3], substeps: 4, iterations: 1, double_precision: true, ..WorldDesc::default() };
    let mut world = World::new(desc).expect("a world");
    let other = ColliderDesc {
        shape: Shape::Capsule { radius: RADIUS - ROD, half_height: 1.0 },
        friction: 0.0,
        ..ColliderDesc::default()
    };
    world.add_collider(other).expect("a cylinder");
    let rods = RodsDesc {
        positions: (0..vertices).map(|i| helix(i).to_array()).collect(),
        counts: vec![vertices as u32],
        radii: vec![ROD],
        section_axes: axes,
        rest_shape: RestShape::Strains { lengths: vec![length * (1.0 - strain); edges], strains: vec![[0.0; 5]; vertices] },
        stiffness: Stiffness::Physical { young: YOUNG, shear: SHEAR },
        friction: 0.0,
        root: EndSupport::Clamped,
        tip: EndSupport::Clamped,
        drag: 8.0,
        model,
        order: SweepOrder::Direct,
        ..RodsDesc::default()
    };
    let id = world.add_rods(rods).expect("a strand");
    for _ in 0..600 {
        world.step(1.0 / 60.0, &Inline).expect("a step");
    }
    let rods = world.rods(id).expect("the strand");
    let mut points: Vec<Vec3<f64>> = Vec::new();
    let (mut tensions, mut moments, mut frames) = (Vec::new(), Vec::new(), Vec::new());
    rods.read_positions(|_, p| points.push(p.into()));
    rods.read_forces(|_, t| tensions.push(t));
    rods.read_moments(|_, m| moments.push(m));
    rods.read_frames(|_, q| frames.push(q));
    let mut velocity = 0.0f64;
    rods.read_velocities(|_, v| velocity = velocity.max(Vec3::from(v).length()));
    assert!(velocity < 1e-7, "not at rest: {velocity} m/s");
    // In world axes: the frame halfway is that of the mean of both quaternions.
    let moment = |i: usize| -> Vec3<f64> {
        let (a, b): (V4, V4) = (frames[i - 1], frames[i]);
        let same = if a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
        let mean: V4 = core::array::from_fn(|k| a[k] + same * b[k]);
        rotated(mean, moments[i].into())
    };
    let (first, last) = (edges / 3, edges - edges / 3);
    let mut sum = Cut { along: 0.0, about: 0.0, tension: 0.0, twisting: 0.0 };
    for i in first..last {
        let (e, m) = (points[i + 1] - points[i], [moment(i), moment(i + 1)]);
        let (l, t) = (e.length(), e * (1.0 / e.length()));
        // The edge turns by nothing: ΔM + l t×F = 0.
        let force = t * tensions[i] + t.cross(m[1] - m[0]) * (1.0 / l);
        let (mean, at) = ((m[0] + m[1]) * 0.5, (points[i] + points[i + 1]) * 0.5);
        let twisting = mean.dot(t);
        let bending = mean - t * twisting;
        let part = 1.0 / (last - first) as f64;
        sum.along += part * force.y;
        sum.about += part * (mean.y + at.cross(force).y);
        sum.tension += part * (force.dot(t) + 0.5 * bending.length2() / B);
        sum.twisting += part * twisting;
    }
    sum
}

type V4 = [f64; 4];

/// `v` by the rotation that the quaternion is a multiple of.
fn rotated(q: V4, v: Vec3<f64>) -> Vec3<f64> {
    let inv = 1.0 / q.iter().map(|c| c * c).sum::<f64>();
    let u = vec3(q[0], q[1], q[2]);
    let w = u.cross(v);
    v + (w * q[3] + u.cross(w)) * (2.0 * inv)
}

/// T and M for the angle between strand and axis, degrees; expected and got, in B/R² and B/R.
fn plectoneme(vertices: usize, degrees: f64, model: RodModel) -> Vec<[f64; 2]> {
    let a = degrees.to_radians();
    let (sin, cos) = a.sin_cos();
    let double = (2.0 * a).cos();
    let tension = sin.powi(4) * (0.5 + 1.0 / double);
    let moment = 2.0 * sin.powi(3) * cos / double;
    // A right-handed pair is held by left-handed twist. Forces are linear in both numbers but for the turns of percents.
    let (mut twist, mut strain) = (-0.5 * moment * B / (RADIUS * C), 0.0);
    let steps = [0.05 * twist, 1e-5];
    for _ in 0..4 {
        let at = cut(vertices, a, twist, strain, model);
        let by_twist = cut(vertices, a, twist + steps[0], strain, model);
        let by_strain = cut(vertices, a, twist, strain + steps[1], model);
        let column = |c: Cut, h: f64| [(c.along - at.along) / h, (c.about - at.about) / h];
        let ([p, q], [r, s]) = (column(by_twist, steps[0]), column(by_strain, steps[1]));
        let inv = 1.0 / (p * s - r * q);
        twist -= inv * (s * at.along - r * at.about);
        strain -= inv * (p * at.about - q * at.along);
    }
    let end = cut(vertices, a, twist, strain, model);
    let (force_unit, moment_unit) = (B / (RADIUS * RADIUS), B / RADIUS);
    assert!(end.along.abs() < 1e-4 * tension * force_unit && end.about.abs() < 1e-4 * moment * moment_unit, "{end:?}");
    vec![[tension, end.tension / force_unit], [moment, -end.twisting / moment_unit]]
}
