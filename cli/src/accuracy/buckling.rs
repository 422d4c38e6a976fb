//! Struts and columns past their buckling load: what force does the bent shape carry, or what shape does the load make?

use super::reference;
use super::rod::{Fineness, Rod, Setup, V3, from_angles};
use super::{Law, Slope};
use std::f64::consts::PI;
use withy::world::{EndSupport, Pose};

const FINE: &[usize] = &[25, 50, 100];
const CASES: &[usize] = &[25, 50];
const X: V3 = [1.0, 0.0, 0.0];
const Y: V3 = [0.0, 1.0, 0.0];

pub const LAWS: &[Law] = &[
    Law {
        names: &["euler_hinged", "euler_hinged_discrete_links"],
        edges: FINE,
        slope: Slope::Point("euler_hinged", &["euler_hinged"]),
        run: hinged,
    },
    Law { names: &["euler_clamped"], edges: FINE, slope: Slope::Each, run: clamped },
    Law { names: &["euler_clamped_hinged"], edges: CASES, slope: Slope::Each, run: clamped_hinged },
    Law {
        names: &["euler_cantilever", "cantilever_strut_angle_60deg"],
        edges: CASES,
        slope: Slope::Each,
        run: |n| cantilever(n, 60.0),
    },
    Law { names: &["strut_20deg_load"], edges: CASES, slope: Slope::Each, run: |n| strut(n, 20.0) },
    Law { names: &["strut_60deg_load"], edges: CASES, slope: Slope::Each, run: |n| strut(n, 60.0) },
    Law { names: &["strut_90deg_load"], edges: CASES, slope: Slope::Each, run: |n| strut(n, 90.0) },
    Law { names: &["greenhill_height", "upright_gamma10_angle"], edges: CASES, slope: Slope::Each, run: greenhill },
];

/// Edges at angles `a·mode(s)`, with `a` such that the ends are 1 − shortening apart.
fn bump(n: usize, shortening: f64, mode: impl Fn(f64) -> f64) -> Vec<V3> {
    let angles = |a: f64| -> Vec<f64> { (0..n).map(|i| a * mode((i as f64 + 0.5) / n as f64)).collect() };
    let reach = |a: f64| angles(a).iter().map(|t| t.cos()).sum::<f64>() / n as f64;
    from_angles(&angles(reference::root(|a| reach(a) - (1.0 - shortening), 0.0, 2.2)), X, Y)
}

/// Between ends that are held 1 − shortening apart: the compression PL²/B, and the shortening. Both are those of the length
/// that the rod has: its axial stiffness is finite in the substeps, 3·l m/h² for three sweeps, and the strain of 1e-4 is O(1/n²).
fn squeezed(n: usize, shortening: f64, ends: [EndSupport; 2], mode: impl Fn(f64) -> f64) -> [f64; 2] {
    let setup = Setup { root: ends[0], tip: ends[1], ..Setup::bent(bump(n, shortening, mode), X) };
    // Under thrust the substep's error would be that of phase² alone.
    let mut rod = Rod::new(&setup, Fineness::for_edges(n).by(0.3 * (25.0 / n as f64).sqrt()));
    let tip = [1.0 - shortening, 0.0, 0.0];
    rod.hold(Pose::IDENTITY, Pose { position: tip, ..Pose::IDENTITY });
    rod.settle(20.0, 1e-9);
    let length: f64 = rod.positions().windows(2).map(|p| (p[1] - p[0]).length()).sum();
    [-rod.thrust()[0] * length * length, 1.0 - (1.0 - shortening) / length]
}

const SMALL: f64 = 0.02;

/// How much more than the critical load a strut carries at this shortening.
fn rise(shortening: f64) -> f64 {
    reference::hinged_strut(reference::hinged_strut_angle(shortening))[0]
}

pub fn hinged(n: usize) -> Vec<[f64; 2]> {
    let [load, short] = squeezed(n, SMALL, [EndSupport::Pinned; 2], |s| (PI * s).cos());
    let links = 4.0 * (n * n) as f64 * (0.5 * PI / n as f64).sin().powi(2);
    vec![[PI * PI, load / rise(short)], [links, load / rise(short)]]
}

/// A clamped strut is two hinged ones of half the length, end to end.
pub fn clamped(n: usize) -> Vec<[f64; 2]> {
    let [load, short] = squeezed(n, SMALL, [EndSupport::Clamped; 2], |s| (2.0 * PI * s).sin());
    vec![[4.0 * PI * PI, load / rise(short)]]
}

/// The load at no shortening, from that at two small ones.
pub fn clamped_hinged(n: usize) -> Vec<[f64; 2]> {
    let kk = reference::clamped_hinged_load();
    let k = kk.sqrt();
    let mode = |s: f64| ((k * s).cos() - 1.0 + k * (k * s).sin()) / k;
    let ends = [EndSupport::Clamped, EndSupport::Pinned];
    let ([p, s], [q, t]) = (squeezed(n, 0.01, ends, mode), squeezed(n, 0.02, ends, mode));
    vec![[kk, p - s * (q - p) / (t - s)]]
}

/// Ends held at the shortening of the elastica with this end angle. Expected: P/P_c by elliptic integrals.
pub fn strut(n: usize, degrees: f64) -> Vec<[f64; 2]> {
    let shortening = reference::hinged_strut(degrees.to_radians())[1];
    let [load, short] = squeezed(n, shortening, [EndSupport::Pinned; 2], |s| (PI * s).cos());
    vec![[rise(short), load / (PI * PI)]]
}

/// The angle at the tip, where the curvature vanishes: a parabola through the last two edges.
fn tip_angle(rod: &Rod, along: V3, across: V3) -> f64 {
    let p = rod.positions();
    let n = rod.edges();
    let angle = |i: usize| (p[i + 1] - p[i]).dot(across.into()).atan2((p[i + 1] - p[i]).dot(along.into()));
    (9.0 * angle(n - 1) - angle(n - 2)) / 8.0
}

/// A dead load at the tip that should turn it by `degrees`. The critical load is that load over the rise at the angle found.
pub fn cantilever(n: usize, degrees: f64) -> Vec<[f64; 2]> {
    let target = degrees.to_radians();
    let angles: Vec<f64> = (0..n).map(|i| target * (0.5 * PI * (i as f64 + 0.5) / n as f64).sin()).collect();
    let load = 0.25 * PI * PI * reference::hinged_strut(target)[0];
    let mut rod =
        Rod::new(&Setup::bent(from_angles(&angles, X, Y), X), Fineness::for_edges(n).by(0.5 * (25.0 / n as f64).sqrt()));
    rod.load(n, [-load, 0.0, 0.0]);
    rod.settle(2.0, 1e-6);
    let angle = tip_angle(&rod, X, Y);
    vec![[0.25 * PI * PI, load / reference::hinged_strut(angle)[0]], [target, angle]]
}

/// Γ = 10 on an upright rod. The critical Γ is 10 scaled by the law's critical Γ over the law's Γ at the angle found.
pub fn greenhill(n: usize) -> Vec<[f64; 2]> {
    const GAMMA: f64 = 10.0;
    let critical = reference::greenhill();
    let angles: Vec<f64> = (0..n).map(|i| 1.5 * (0.5 * PI * (i as f64 + 0.5) / n as f64).sin()).collect();
    let setup = Setup { weight: GAMMA, ..Setup::bent(from_angles(&angles, Y, X), Y) };
    let mut rod = Rod::new(&setup, Fineness::for_edges(n).by(0.6));
    rod.settle(2.0, 1e-6);
    let angle = tip_angle(&rod, Y, X);
    vec![[critical, GAMMA * critical / reference::upright_load(angle)], [reference::upright_angle(GAMMA), angle]]
}
