//! Muscles and bundles, of both models, in a double-precision world: the active rest shape and Hill's isometric force against an elastic solid, and a
//! bundle of seven strands against the beam and the bar that it stands for.

use super::solid::{FLESH, GEL, RUBBER, Solid, bisect};
use super::volume::{Setup, worst};
use super::{Law, Slope};
use std::f64::consts::PI;
use withy::world::{EndSupport, Hill, Muscle, Peak, RodModel, RodsDesc};

/// A law of these names for ghost-point rods, and the same for discrete elastic rods.
macro_rules! law {
    ($edges:expr, $run:expr; $($name:expr),+) => {
        Law {
            names: &[$($name),+, $(concat!("der_", $name)),+],
            edges: $edges,
            slope: Slope::None,
            run: |n| {
                let run: fn(Setup) -> Vec<[f64; 2]> = $run;
                [RodModel::Ghost, RodModel::Der].into_iter().flat_map(|model| run(Setup { n, model })).collect()
            },
        }
    };
}

const FINE: &[usize] = &[26, 50, 100];
/// Seven strands are as much work as seven rods.
const BUNDLES: &[usize] = &[25, 50, 100];

pub const LAWS: &[Law] = &[
    law!(FINE, |s| isometric(s, FLESH, 0.8); "muscle_flesh_a0.8_isometric_force", "muscle_flesh_a0.8_isometric_scale"),
    law!(FINE, |s| isometric(s, RUBBER, 0.9); "muscle_rubber_a0.9_isometric_force", "muscle_rubber_a0.9_isometric_scale"),
    law!(FINE, |s| isometric(s, GEL, 0.6); "muscle_gel_a0.6_isometric_force", "muscle_gel_a0.6_isometric_scale"),
    law!(FINE, |s| free(s, FLESH, 0.8); "muscle_flesh_a0.8_free_length", "muscle_flesh_a0.8_free_scale", "muscle_flesh_a0.8_free_volume"),
    law!(FINE, |s| free(s, RUBBER, 0.7); "muscle_rubber_a0.7_free_length", "muscle_rubber_a0.7_free_scale", "muscle_rubber_a0.7_free_volume"),
    law!(FINE, |s| half(s, FLESH, 0.8); "muscle_flesh_half_length", "muscle_flesh_half_scale", "muscle_flesh_half_passive_scale", "muscle_flesh_half_force"),
    law!(FINE, |s| half(s, GEL, 0.8); "muscle_gel_half_length", "muscle_gel_half_scale", "muscle_gel_half_passive_scale", "muscle_gel_half_force"),
    law!(FINE, |s| hill(s, FLESH, 0.75); "muscle_hill_l0.75_force"),
    law!(FINE, |s| hill(s, FLESH, 1.0); "muscle_hill_l1_force"),
    law!(BUNDLES, |s| bundle_bending(s, FLESH); "bundle_flesh_bending"),
    law!(BUNDLES, |s| bundle_bending(s, RUBBER); "bundle_rubber_bending"),
    law!(BUNDLES, |s| bundle_stretched(s, FLESH, 1.5); "bundle_flesh_l1.5_scale", "bundle_flesh_l1.5_force", "bundle_flesh_l1.5_volume"),
    law!(BUNDLES, |s| bundle_stretched(s, GEL, 1.3); "bundle_gel_l1.3_scale", "bundle_gel_l1.3_force", "bundle_gel_l1.3_volume"),
];

/// Scale and force, N, of an edge of the active length a that is `stretch` times as long as at rest, its sides free: the least of
/// μ(ℓ/a − 1)² + 2μ(s√a − 1)² + λ/2 (s²ℓ − 1)².
fn active(solid: Solid, a: f64, stretch: f64) -> [f64; 2] {
    let [mu, lambda] = solid.lame();
    let root = a.sqrt();
    let s = bisect(0.05, 10.0, |s| 4.0 * mu * root * (s * root - 1.0) + 2.0 * lambda * s * stretch * (s * s * stretch - 1.0));
    [s, solid.area() * (2.0 * mu / a * (stretch / a - 1.0) + lambda * s * s * (s * s * stretch - 1.0))]
}

fn muscle(a: f64) -> Muscle {
    Muscle::RestShape { shortest: a }
}

fn isometric(s: Setup, solid: Solid, a: f64) -> Vec<[f64; 2]> {
    let ends = |d| RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, drag: 30.0, muscle: Some(muscle(a)), ..d };
    let mut rod = s.rod(solid, 20.0 * solid.radius, [0.0; 3], 8, ends);
    rod.rods_mut().set_activation(|_| 1.0).expect("a muscle");
    rod.step(1.0 / 60.0, 120);
    let [scale, force] = active(solid, a, 1.0);
    vec![worst(force, &rod.tensions()), worst(scale, &rod.scales())]
}

fn free(s: Setup, solid: Solid, a: f64) -> Vec<[f64; 2]> {
    let mut rod = s.rod(solid, 20.0 * solid.radius, [0.0; 3], 8, |d| RodsDesc { drag: 20.0, muscle: Some(muscle(a)), ..d });
    rod.rods_mut().set_activation(|_| 1.0).expect("a muscle");
    rod.step(1.0 / 60.0, 300);
    vec![worst(a, &rod.stretches()), worst(a.powf(-0.5), &rod.scales()), worst(1.0, &rod.volumes())]
}

/// The first half is active, between held ends: an edge in the middle of either half.
fn half(s: Setup, solid: Solid, a: f64) -> Vec<[f64; 2]> {
    let ends = |d| RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, drag: 30.0, muscle: Some(muscle(a)), ..d };
    let mut rod = s.rod(solid, 40.0 * solid.radius, [0.0; 3], 8, ends);
    let n = s.n;
    rod.rods_mut().set_activation(|e| if e < n / 2 { 1.0 } else { 0.0 }).expect("a muscle");
    rod.step(1.0 / 60.0, 300);
    let length = bisect(a, 1.0, |l| active(solid, a, l)[1] - solid.uniaxial(2.0 - l)[1]);
    let [scale, force] = active(solid, a, length);
    let [passive, _] = solid.uniaxial(2.0 - length);
    let (l, scales) = (rod.stretches(), rod.scales());
    vec![[length, l[n / 4]], [scale, scales[n / 4]], [passive, scales[3 * n / 4]], worst(force, &rod.tensions())]
}

/// De Groote et al. 2016.
fn force_length(x: f64) -> f64 {
    let rows = [
        (0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465),
        (0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188),
        (0.1, 1.0, 0.353553390593274, 0.0),
    ];
    rows.into_iter().map(|(a, b, c, d): (f64, f64, f64, f64)| a * (-0.5 * ((x - b) / (c + d * x)).powi(2)).exp()).sum()
}

fn hill(s: Setup, solid: Solid, stretch: f64) -> Vec<[f64; 2]> {
    const PEAK: f64 = 20.0;
    let length = 10.0 * solid.radius;
    let law = Muscle::Hill(Hill { peak: Peak::Force(PEAK), ..Hill::default() });
    let ends = |d| RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, drag: 30.0, muscle: Some(law), ..d };
    let mut rod = s.rod(solid, length, [0.0; 3], 8, ends);
    rod.rods_mut().set_activation(|_| 1.0).expect("a muscle");
    rod.draw(length, stretch * length, 0.0);
    let expected = PEAK * force_length(stretch) + solid.uniaxial(stretch)[1];
    vec![worst(expected, &rod.tensions())]
}

/// One strand, and six around it, two radii away.
fn hexagon(radius: f64) -> [[f64; 2]; 7] {
    let mut all = [[0.0; 2]; 7];
    for (k, place) in all.iter_mut().enumerate().skip(1) {
        let (sin, cos) = (PI / 3.0 * k as f64).sin_cos();
        *place = [2.0 * radius * cos, 2.0 * radius * sin];
    }
    all
}

/// Of seven strands.
fn bundled(desc: RodsDesc) -> RodsDesc {
    let places = hexagon(desc.radii[0]);
    let strand = |[y, z]: [f64; 2]| desc.positions.iter().map(move |p| [p[0], p[1] + y, p[2] + z]).collect::<Vec<_>>();
    RodsDesc {
        positions: places.into_iter().flat_map(strand).collect(),
        counts: vec![desc.counts[0]; 7],
        strands_per_bundle: 7,
        ..desc
    }
}

/// The tip of a cantilever of a hundred radii that sinks by 1e-3 of its length. EI is 13.75 EAr², and sections shear.
fn bundle_bending(s: Setup, solid: Solid) -> Vec<[f64; 2]> {
    let length = 100.0 * solid.radius;
    let edge = length / s.n as f64;
    // Discrete elastic rods' clamps hold the first edge, and with it two sections.
    let held = if s.model == RodModel::Der { edge } else { 0.0 };
    let reach = length - held;
    let stiffness = 13.75 * solid.young * solid.area() * solid.radius.powi(2);
    let per_mass = stiffness / (7.0 * solid.density * solid.area());
    let omega = 3.516 * per_mass.sqrt() / (length * length);
    let gravity = 8e-3 * per_mass / length.powi(3);
    let clamp = |d| RodsDesc { root: EndSupport::Clamped, drag: 2.0 * omega, ..bundled(d) };
    let mut rod = s.rod(solid, length, [0.0, -gravity, 0.0], 2, clamp);
    rod.step(0.1 / omega, 150);
    let weight = 7.0 * solid.density * solid.area() * gravity;
    let shear = 7.0 * solid.shear() * solid.area();
    let expected = weight * reach.powi(4) / (8.0 * stiffness) + weight * reach * reach / (2.0 * shear);
    let x = rod.positions();
    let sag = (0..7).map(|k| x[k * (s.n + 1)][1] - x[k * (s.n + 1) + s.n][1]).sum::<f64>() / 7.0;
    vec![[1.0, sag / expected]]
}

/// Drawn out between free sections: of each strand what a rod of the solid has.
fn bundle_stretched(s: Setup, solid: Solid, stretch: f64) -> Vec<[f64; 2]> {
    let length = 20.0 * solid.radius;
    let ends = |d| RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, drag: 30.0, ..bundled(d) };
    let mut rod = s.rod(solid, length, [0.0; 3], 8, ends);
    let places = hexagon(solid.radius);
    let [scale, force] = solid.uniaxial(stretch);
    for frame in 1..=120 {
        let part = (f64::from(frame) / 60.0).min(1.0);
        let size = 1.0 + (scale - 1.0) * part;
        let at = |k: usize, x: f64| withy::world::Pose {
            position: [x, size * places[k][0], size * places[k][1]],
            ..withy::world::Pose::IDENTITY
        };
        rod.rods_mut().set_root_poses(|k| at(k, 0.0), false).expect("held roots");
        rod.rods_mut().set_tip_poses(|k| at(k, length * (1.0 + (stretch - 1.0) * part)), false).expect("held tips");
        rod.step(1.0 / 60.0, 1);
    }
    let mut volume = 0.0;
    rod.rods().read_bundle_volumes(|_, v| volume = v);
    vec![worst(scale, &rod.scales()), worst(force, &rod.tensions()), [scale * scale * stretch, volume]]
}
