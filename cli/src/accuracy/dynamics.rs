//! Small undamped vibrations.

use super::reference;
use super::rod::{Fineness, Rod, Setup, V3, turn};
use super::{Law, Slope};
use std::f64::consts::PI;
use withy::math::Vec3;
use withy::world::Pose;

const CASES: &[usize] = &[25, 50];

pub const LAWS: &[Law] = &[
    Law {
        names: &["vibration_bending_f1", "cantilever_omega1_E1e5", "cantilever_omega1_E1e7"],
        edges: CASES,
        slope: Slope::Each,
        run: first_bending,
    },
    Law { names: &["vibration_bending_f2"], edges: CASES, slope: Slope::Each, run: |n| bending(n, 2) },
    Law { names: &["vibration_torsion_f1"], edges: CASES, slope: Slope::Each, run: torsion },
];

/// The time between the first and the third zero of a sampled motion, by linear interpolation.
fn period(step: f64, limit: usize, mut sample: impl FnMut() -> f64) -> f64 {
    let mut zeros = Vec::with_capacity(3);
    let mut before = sample();
    for i in 1..limit {
        let now = sample();
        if before * now < 0.0 {
            zeros.push((i as f64 - now / (now - before)) * step);
        }
        if zeros.len() == 3 {
            return zeros[2] - zeros[0];
        }
        before = now;
    }
    panic!("no full period in {limit} samples");
}

/// The clamped–free mode of the beam.
fn mode_shape(beta: f64, s: f64) -> f64 {
    let q = (beta.cosh() + beta.cos()) / (beta.sinh() + beta.sin());
    let x = beta * s;
    0.5 * (x.cosh() - x.cos() - q * (x.sinh() - x.sin()))
}

pub fn bending(n: usize, mode: usize) -> Vec<[f64; 2]> {
    let beta = reference::cantilever_beta(mode);
    let expected = beta * beta / (2.0 * PI);
    let shape: Vec<f64> = (0..=n).map(|i| mode_shape(beta, i as f64 / n as f64)).collect();
    let setup = Setup { ghost_mass_ratio: 0.01, ..Setup::straight(n, [1.0, 0.0, 0.0]) };
    let mut rod = Rod::new(&setup, Fineness::for_edges(n));
    // So slow that it stays small: an amplitude of 1e-3.
    let speed = 1e-3 * beta * beta;
    rod.rods_mut().write_velocities(|i| [0.0, speed * shape[i], 0.0]).expect("finite velocities");
    let step = 1.0 / (200.0 * expected);
    let got = period(step, 500, || {
        rod.advance(step);
        // The projection on the mode leaves the others out.
        rod.positions().iter().zip(&shape).map(|(p, s)| p.y * s).sum()
    });
    vec![[expected, 1.0 / got]]
}

/// ω₁ of the published cantilever cases: L = 1, r = 0.02, ρ = 500, E = 1e5 and 1e7; the same rod in other units.
fn first_bending(n: usize) -> Vec<[f64; 2]> {
    let [expected, got] = bending(n, 1)[0];
    let unit = |young: f64| (young * 0.02f64.powi(2) / (4.0 * 500.0)).sqrt() * 2.0 * PI;
    vec![[expected, got], [0.49723964850550295, got * unit(1e5)], [4.97239648505503, got * unit(1e7)]]
}

/// √(G/ρ)/4L. The ghost points are the polar inertia of the section, ρJ = r²/2 a unit of mass: with their share of the mass x
/// and the recoil of the axis, x(1 − x) L̄^g² = r²/2.
pub fn torsion(n: usize) -> Vec<[f64; 2]> {
    let (radius, ratio, c) = (0.01f64, 0.01f64, 1.0f64);
    let inertia = 0.5 * radius * radius;
    let angle = |s: f64| 0.02 * (0.5 * PI * s).sin();
    let axes = (0..n).map(|i| angle((i as f64 + 0.5) / n as f64)).map(|a| [0.0, a.cos(), a.sin()]).collect::<Vec<V3>>();
    let setup = Setup {
        radius,
        ghost_mass_ratio: ratio,
        ghost_distance: (inertia / (ratio * (1.0 - ratio))).sqrt(),
        twist: c,
        axes,
        ..Setup::straight(n, [1.0, 0.0, 0.0])
    };
    let mut rod = Rod::new(&setup, Fineness::for_edges(n));
    let back = Pose { position: [0.0; 3], rotation: turn([1.0, 0.0, 0.0], -angle(0.5 / n as f64)) };
    rod.rods_mut().set_root_poses(|_| back, true).expect("a driven root");
    let expected = (c / inertia).sqrt() / 4.0;
    let step = 1.0 / (200.0 * expected);
    let got = period(step, 500, || {
        rod.advance(step);
        let p = rod.positions();
        let mut ghost = Vec3::zero();
        rod.rods().read_ghosts(|i, g| {
            if i + 1 == n {
                ghost = Vec3::from(g) - (p[n - 1] + p[n]) * 0.5;
            }
        });
        ghost.z.atan2(ghost.y)
    });
    vec![[expected, 1.0 / got]]
}
