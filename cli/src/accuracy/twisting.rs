//! Twist: where a straight rod, a ring and a ribbon turn over, and the wrench of a spring.
//!
//! A critical load is where a small push moves the rod without end. The response to a push is measured at three loads below it,
//! and d = a/(1 − x/x_c) + b in the square x of the load is solved for x_c: one mode that softens, and all others.

use super::reference;
use super::rod::{Fineness, Rod, Setup, V3, turn};
use super::{Law, Slope};
use std::f64::consts::PI;
use withy::math::Vec3;
use withy::world::{EndSupport, Pose};

const CASES: &[usize] = &[24, 48];
/// The stiff axis of the blade and two pushes near the critical load make these slow.
const RIBBONS: &[usize] = &[16, 32];
const RINGS: &[usize] = &[24, 40];
const X: V3 = [1.0, 0.0, 0.0];

pub const LAWS: &[Law] = &[
    Law {
        names: &["twist_buckling_moment", "twist_buckling_rotation"],
        edges: CASES,
        slope: Slope::Each,
        run: |n| twisted(n, 0.0, 1.0),
    },
    Law { names: &["helical_buckling_moment_T40"], edges: CASES, slope: Slope::Each, run: |n| twisted(n, 40.0, 1.0) },
    Law { names: &["michell_ring_twist_c1"], edges: RINGS, slope: Slope::Each, run: |n| ring(n, 1.0) },
    Law { names: &["michell_ring_twist_c0.667"], edges: RINGS, slope: Slope::Each, run: |n| ring(n, 2.0 / 3.0) },
    Law { names: &["helical_spring_force"], edges: CASES, slope: Slope::Each, run: spring },
    Law { names: &["ribbon_tip_load_c0.5"], edges: RIBBONS, slope: Slope::Each, run: |n| ribbon(n, 0.5, false) },
    Law { names: &["ribbon_own_weight_c0.5"], edges: RIBBONS, slope: Slope::Each, run: |n| ribbon(n, 0.5, true) },
];

/// x_c of d = a/(1 − x/x_c) + b through (0, d₀) and two more points.
fn pole(d0: f64, [x1, d1]: [f64; 2], [x2, d2]: [f64; 2]) -> f64 {
    let (a, b) = ((d1 - d0) / x1, (d2 - d0) / x2);
    (b * x2 - a * x1) / (b - a)
}

/// A straight rod between clamps that are turned against each other by `rotation` under the tension T. Returns the mean of the
/// twisting moment and of the tension, and the response to a push in the middle. Half the difference of two opposite pushes: the sweeps' own error is a small push of its
/// own. The rod is thick, so that it is soft along its axis and the push does not stretch it taut.
fn twisted_at(n: usize, tension: f64, c: f64, rotation: f64) -> [f64; 3] {
    let (a, b) = (pushed_twisted(n, tension, c, rotation, 1.0), pushed_twisted(n, tension, c, rotation, -1.0));
    [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])]
}

fn pushed_twisted(n: usize, tension: f64, c: f64, rotation: f64, sign: f64) -> [f64; 3] {
    const PUSH: f64 = 0.03;
    let radius = 0.02;
    let stretch = 1.0 + tension * radius * radius / 4.0;
    let axes = (0..n).map(|i| rotation * (i as f64 + 0.5) / n as f64).map(|a: f64| [0.0, a.cos(), a.sin()]).collect();
    let straight = Setup::straight(n, [stretch, 0.0, 0.0]);
    let setup = Setup { tip: EndSupport::Clamped, twist: c, axes, radius, ..straight };
    let mut rod = Rod::new(&setup, Fineness::for_edges(n).by(0.5));
    // The clamps hold the frames of the end edges: turn them back by the half edge's twist.
    let half = 0.5 * rotation / n as f64;
    rod.hold(
        Pose { position: [0.0; 3], rotation: turn(X, -half) },
        Pose { position: [stretch, 0.0, 0.0], rotation: turn(X, half) },
    );
    rod.load(n / 2, [0.0, sign * PUSH, 0.0]);
    rod.settle(12.0, 1e-8);
    let moments = rod.moments();
    let twist = moments.iter().map(|m| m[2]).sum::<f64>() / moments.len() as f64;
    let tensions = rod.tensions();
    let pull = tensions.iter().sum::<f64>() / n as f64;
    [twist, pull, rod.positions()[n / 2].y / (sign * PUSH)]
}

pub fn twisted(n: usize, tension: f64, c: f64) -> Vec<[f64; 2]> {
    let at = |part: f64| twisted_at(n, tension, c, part * reference::twisted_clamped(tension) / c);
    let [_, pull, d0] = at(0.0);
    // The tension that is there, over a length that it has stretched a little.
    let critical = reference::twisted_clamped(pull * (1.0 + pull * 1e-4));
    let (a, b) = (at(0.75), at(0.92));
    let moment = pole(d0, [a[0] * a[0], a[2]], [b[0] * b[0], b[2]]).sqrt();
    let square = |part: f64| (part * reference::twisted_clamped(tension) / c).powi(2);
    let rotation = pole(d0, [square(0.75), a[2]], [square(0.92), b[2]]).sqrt();
    vec![[critical, moment], [critical / c, rotation]]
}

/// A straight rod bent into a ring, its ends joined after a turn by `rotation`. One point and frame of it is held, which takes
/// away its rigid motions and nothing else. The push is out of the plane, twice around: it has no resultant.
fn ring_at(n: usize, c: f64, rotation: f64) -> f64 {
    0.5 * (pushed_ring(n, c, rotation, 1.0) + pushed_ring(n, c, rotation, -1.0))
}

fn pushed_ring(n: usize, c: f64, rotation: f64, sign: f64) -> f64 {
    const PUSH: f64 = 1.0;
    let l = 1.0 / n as f64;
    let step = 2.0 * PI * l;
    let angles: Vec<f64> = (0..n).map(|i| (i as f64 + 0.5) * step).collect();
    let shape = super::rod::from_angles(&angles, X, [0.0, 1.0, 0.0]);
    let axes = (0..n)
        .map(|i| {
            let twist = rotation * (i as f64 + 0.5) * l;
            let (s, k) = twist.sin_cos();
            // From z towards the inward normal t × … of the edge.
            let (sa, ca) = angles[i].sin_cos();
            [s * sa, -s * ca, k]
        })
        .collect();
    let setup = Setup { tip: EndSupport::Clamped, twist: c, axes, radius: 0.02, ..Setup::new(shape.clone()) };
    let mut rod = Rod::new(&setup, Fineness::for_edges(n).by(0.3));
    // Turns the end edge's frame back by half an edge of bending about z and of twist about the common tangent x.
    let held = |sign: f64| {
        let bend = Vec3::from([0.0, 0.0, sign * 0.5 * step]);
        let twist = Vec3::from([sign * 0.5 * rotation * l, 0.0, 0.0]);
        let r = bend + twist;
        turn((r * (1.0 / r.length())).to_array(), r.length())
    };
    rod.hold(Pose { position: [0.0; 3], rotation: held(-1.0) }, Pose { position: [0.0; 3], rotation: held(1.0) });
    let mode = |i: usize| (4.0 * PI * i as f64 * l).cos();
    // A round ring may swing about the held tangent without a force. A spring on the opposite point's height holds it; the buckling
    // modes (twice around, less a rigid motion) leave that point in its place.
    rod.settle_under(30.0, 1e-7, 0.03, |rod| {
        let back = -100.0 * rod.positions()[n / 2].z;
        rod.loads(|i| {
            let push = if i < n { sign * PUSH * l * mode(i) } else { 0.0 };
            [0.0, 0.0, push + if i == n / 2 { back } else { 0.0 }]
        });
    });
    let p = rod.positions();
    (0..n).map(|i| p[i].z * mode(i)).sum::<f64>() * l / (sign * PUSH)
}

pub fn ring(n: usize, c: f64) -> Vec<[f64; 2]> {
    let critical = 2.0 * PI * 3.0f64.sqrt() / c;
    let square = |part: f64| (part * critical).powi(2);
    let at = |part: f64| [square(part), ring_at(n, c, part * critical)];
    // The twist per edge is large and its bias brings the ring nearer to buckling than these parts say.
    vec![[critical, pole(ring_at(n, c, 0.0), at(0.55), at(0.8)).sqrt()]]
}

/// N = (1/r)[C cos α Δτ − B sin α Δκ]: two turns of a helix of pitch angle α whose rest has another curvature and torsion, held at
/// both ends. Expected and got: the tension along the axis.
pub fn spring(n: usize) -> Vec<[f64; 2]> {
    let (c, pitch, turns) = (0.8f64, 0.4f64, 2.0);
    // Vertices on a helix, a unit of edges: the arc is longer than the chord by O(1/n²).
    let phi = 2.0 * PI * turns / n as f64;
    let rise_over_arc = pitch.sin();
    let r = pitch.cos() / (2.0 * PI * turns);
    let l = 1.0 / n as f64;
    let shape: Vec<V3> = (0..=n)
        .map(|i| {
            let (s, k) = (i as f64 * phi).sin_cos();
            [r * k, r * s, rise_over_arc * i as f64 * l]
        })
        .collect();
    // d¹ of an edge is the normal at its middle, towards the axis; then d² is the binormal.
    let axes: Vec<V3> = (0..n).map(|i| ((i as f64 + 0.5) * phi).sin_cos()).map(|(s, k)| [-k, -s, 0.0]).collect();
    let (kappa, tau) = (pitch.cos().powi(2) / r, pitch.sin() * pitch.cos() / r);
    let (more_kappa, more_tau) = (-0.6, 0.8);
    let rest = [0.0, kappa - more_kappa, tau - more_tau];
    let setup = Setup { tip: EndSupport::Clamped, twist: c, axes, darboux: vec![rest; n - 1], ..Setup::new(shape.clone()) };
    let mut rod = Rod::new(&setup, Fineness::for_edges(n));
    // The half edges at the clamps rest straight: they turn by Δκ l/2 and Δτ l/2.
    let held = |i: usize, sign: f64, position: V3| {
        let (s, k) = ((i as f64 + 0.5) * phi).sin_cos();
        let tangent = Vec3::from([-s * pitch.cos(), k * pitch.cos(), pitch.sin()]);
        let binormal = tangent.cross(Vec3::from([-k, -s, 0.0]));
        let v = (binormal * more_kappa + tangent * more_tau) * (0.5 * sign * l);
        Pose { position, rotation: turn((v * (1.0 / v.length())).to_array(), v.length()) }
    };
    rod.hold(held(0, -1.0, shape[0]), held(n - 1, 1.0, shape[n]));
    rod.settle(15.0, 1e-8);
    vec![[(c * pitch.cos() * more_tau - pitch.sin() * more_kappa) / r, rod.thrust()[2]]]
}

/// B₁/B₂ of the blade. The laws of Prandtl and Michell are those of an infinite one; a reference for this one is at hand, and the
/// stiff axis need not be swept as if it were soft.
const BLADE: f64 = 100.0;

/// A blade on edge, clamped at one end: load it downwards, push it sideways.
fn ribbon_at(n: usize, c: f64, load: f64, own_weight: bool) -> f64 {
    const PUSH: f64 = 1e-4;
    let weight = if own_weight { load } else { 0.0 };
    let mut rod = Rod::new(
        &Setup { axes: vec![[0.0, 0.0, 1.0]], ribbon: BLADE, twist: c, weight, ..Setup::straight(n, X) },
        Fineness::for_edges(n).by(0.6),
    );
    let down = if own_weight { 0.0 } else { -load };
    rod.load(n, [0.0, down, PUSH]);
    rod.settle(1.5, 1e-9);
    rod.tip()[2] / PUSH
}

pub fn ribbon(n: usize, c: f64, own_weight: bool) -> Vec<[f64; 2]> {
    let critical = reference::ribbon(BLADE, c, own_weight);
    let at = |part: f64| [(part * critical).powi(2), ribbon_at(n, c, part * critical, own_weight)];
    vec![[critical, pole(ribbon_at(n, c, 0.0, own_weight), at(0.75), at(0.92)).sqrt()]]
}
