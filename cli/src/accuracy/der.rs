//! Discrete elastic rods. Length, bending stiffness and mass per length are 1. `n` is the number of vertices. A clamped edge bends from its
//! middle on, so a rod of e edges of length l has the length (e − ½) l with one clamped end and (e − 1) l with two.
//!
//! Statics by Newton's method; loads of buckling and frequencies by the inertia of K − ω²M: where the count of modes changes.

use super::{Law, Slope, reference};
use std::f64::consts::PI;
use withy::math::Vec3;
use withy::math::vec3::vec3;
use withy::rods::der::kernels::Frame;
use withy::rods::der::strand::{Inertia, Strands};
use withy::sagfree::batch::{Material, StrandDesc};
use withy::sagfree::rest_shape::{Optimizer, Options};
use withy::world::EndSupport::{self, Clamped, Free, Pinned};
use withy::world::{Inline, RodModel, RodsDesc, Stiffness, SweepOrder, World, WorldDesc};

const FINE: &[usize] = &[25, 50, 100];

macro_rules! law {
    ($run:expr; $($name:literal),+) => {
        Law { names: &[$($name),+], edges: FINE, slope: Slope::Each, run: $run }
    };
    ($run:expr; point $of:literal; $($name:literal),+) => {
        Law { names: &[$($name),+], edges: FINE, slope: Slope::Point($of, &[$($name),+]), run: $run }
    };
}

pub const LAWS: &[Law] = &[
    law!(|n| end_moment(n, 2.0 * PI); "der_end_moment_full_circle"),
    law!(|n| end_moment(n, PI); "der_end_moment_half_circle"),
    law!(|n| tip_load(n, 1.0); point "der_tip_load_alpha1"; "der_tip_load_alpha1_x", "der_tip_load_alpha1_y"),
    law!(|n| tip_load(n, 2.0); point "der_tip_load_alpha2"; "der_tip_load_alpha2_x", "der_tip_load_alpha2_y"),
    law!(|n| tip_load(n, 10.0); point "der_tip_load_alpha10"; "der_tip_load_alpha10_x", "der_tip_load_alpha10_y"),
    law!(|n| own_weight(n, 1.0); point "der_own_weight_gamma1"; "der_own_weight_gamma1_x", "der_own_weight_gamma1_y"),
    law!(|n| own_weight(n, 10.0); point "der_own_weight_gamma10"; "der_own_weight_gamma10_x", "der_own_weight_gamma10_y"),
    law!(|n| own_weight(n, 100.0); point "der_own_weight_gamma100"; "der_own_weight_gamma100_x", "der_own_weight_gamma100_y"),
    law!(|n| vec![[PI * PI, euler(n, Pinned, Pinned)]]; "der_euler_hinged"),
    Law { names: &["der_euler_hinged_discrete_links"], edges: FINE, slope: Slope::None, run: links },
    law!(|n| vec![[4.0 * PI * PI, euler(n, Clamped, Clamped)]]; "der_euler_clamped"),
    law!(|n| vec![[0.25 * PI * PI, euler(n, Clamped, Free)]]; "der_euler_cantilever"),
    law!(|n| vec![[reference::clamped_hinged_load(), euler(n, Clamped, Pinned)]]; "der_euler_clamped_hinged"),
    Law {
        names: &["der_strut_20deg_load", "der_strut_20deg_shortening"],
        edges: FINE,
        slope: Slope::Point("der_strut_20deg_load", &["der_strut_20deg_load"]),
        run: |n| strut(n, 20.0),
    },
    Law {
        names: &["der_strut_60deg_load", "der_strut_60deg_shortening"],
        edges: FINE,
        slope: Slope::Point("der_strut_60deg_load", &["der_strut_60deg_load"]),
        run: |n| strut(n, 60.0),
    },
    Law {
        names: &["der_strut_90deg_load", "der_strut_90deg_shortening"],
        edges: FINE,
        slope: Slope::Point("der_strut_90deg_load", &["der_strut_90deg_load"]),
        run: |n| strut(n, 90.0),
    },
    law!(|n| vec![[reference::greenhill(), greenhill(n)]]; "der_greenhill_height"),
    law!(|n| vec![[reference::twisted_clamped(0.0), twisted(n, 0.0, 1.0)]]; "der_twist_buckling_moment"),
    law!(|n| vec![[reference::twisted_clamped(0.0) / 0.6, twisted(n, 0.0, 0.6) / 0.6]]; "der_twist_buckling_rotation_c0.6"),
    law!(|n| vec![[reference::twisted_clamped(40.0), twisted(n, 40.0, 1.0)]]; "der_helical_buckling_moment_T40"),
    law!(|n| ring(n, 1.0); "der_michell_ring_twist_c1"),
    law!(|n| ring(n, 2.0 / 3.0); "der_michell_ring_twist_c0.667"),
    law!(spring; "der_helical_spring_force"),
    law!(|n| vec![[reference::ribbon(BLADE, 0.5, false), ribbon(n, 0.5, false)]]; "der_ribbon_tip_load_c0.5"),
    law!(|n| vec![[reference::ribbon(BLADE, 0.5, true), ribbon(n, 0.5, true)]]; "der_ribbon_own_weight_c0.5"),
    law!(vibration; "der_vibration_bending_f1", "der_vibration_bending_f2"),
    law!(torsion; "der_vibration_torsion_f1"),
    Law {
        names: &["der_sag_free_vertical_first", "der_sag_free_vertical_total"],
        edges: &[20, 100],
        slope: Slope::None,
        run: vertical,
    },
    Law { names: &["der_sag_free_horizontal_1e8"], edges: &[20, 100], slope: Slope::None, run: |n| horizontal(n, 1e8) },
    Law { names: &["der_sag_free_horizontal_1e9"], edges: &[20, 100], slope: Slope::None, run: |n| horizontal(n, 1e9) },
    Law {
        names: &[
            "der_momentum",
            "der_rotated_sag",
            "der_sag_after_damping",
            "der_sag_of_half_step",
            "der_sag_of_one_iteration",
            "der_sag_of_ten_iterations",
        ],
        edges: &[25, 100],
        slope: Slope::None,
        run: invariants,
    },
    Law { names: &["der_flight_momentum", "der_flight_angular_momentum"], edges: &[25, 100], slope: Slope::None, run: flight },
];

/// EA: strains of 1e-8 of the load.
const STRETCH: f64 = 1e8;
const X: Vec3<f64> = Vec3 { x: 1.0, y: 0.0, z: 0.0 };

/// A rod through `edges`, at rest in its pose; EI towards m₁ and m₂, GJ.
fn rod(edges: &[Vec3<f64>], axes: &[Vec3<f64>], ei: [f64; 2], gj: f64, ends: [EndSupport; 2]) -> Strands<f64> {
    let n = edges.len() + 1;
    let mut s = Strands::<f64>::new(n);
    for i in 0..n {
        let e = i.min(n - 2);
        let t = edges[e] * (1.0 / edges[e].length());
        let m1 = axes[e] - t * t.dot(axes[e]);
        (s.state[i].edge, s.state[i].m1) = (edges[e], m1 * (1.0 / m1.length()));
    }
    s.measure_twist();
    s.rest_from_state();
    for i in 0..n {
        let half = |i: usize| 0.5 * edges[i].length();
        let (edge, inner) = (i + 1 < n, i > 0 && i + 1 < n);
        let held = (i == 0 && ends[0] != Free)
            || (i == 1 && ends[0] == Clamped)
            || (i + 1 == n && ends[1] != Free)
            || (i + 2 == n && ends[1] == Clamped);
        // A hinged rod may not spin about itself.
        let still = (i == 0 && ends[0] != Free) || (i + 2 == n && ends[1] == Clamped) || !edge;
        let c = &mut s.section[i];
        if edge {
            (c.ea, c.inertia) = (STRETCH, 2e-4 * half(i));
        }
        if inner {
            (c.ei, c.gj) = (ei, gj);
        }
        c.mass = if i > 0 { half(i - 1) } else { 0.0 } + if edge { half(i) } else { 0.0 };
        c.free = [!held, !still].map(|f| f64::from(u8::from(f)));
    }
    s.swing = f64::from(u8::from(ends[1] == Free));
    s
}

/// A straight rod of n vertices along x and the length of its edges; its length between the middles of clamped edges is 1.
fn straight(n: usize, ei: [f64; 2], gj: f64, ends: [EndSupport; 2]) -> (Strands<f64>, f64) {
    let clamps = ends.iter().filter(|&&e| e == Clamped).count() as f64;
    let l = 1.0 / ((n - 1) as f64 - 0.5 * clamps);
    (rod(&vec![X * l; n - 1], &vec![vec3(0.0, 1.0, 0.0); n - 1], ei, gj, ends), l)
}

fn settle(s: &mut Strands<f64>) {
    let out = s.settle(300, 1e-6);
    assert!(out.residual < 1e-5, "no equilibrium: {out:?}");
}

/// From the middle of the first edge to the last vertex.
fn tip(s: &Strands<f64>) -> Vec3<f64> {
    let e = s.state.len() - 1;
    s.state[1..e].iter().fold(s.state[0].edge * 0.5, |x, node| x + node.edge)
}

/// Where `modes` becomes true, by bisection.
fn critical(low: f64, high: f64, mut unstable: impl FnMut(f64) -> bool) -> f64 {
    let (mut a, mut b) = (low, high);
    assert!(!unstable(a) && unstable(b), "not between {low} and {high}");
    while b - a > 1e-9 * b.abs() {
        let c = 0.5 * (a + b);
        *(if unstable(c) { &mut b } else { &mut a }) = c;
    }
    0.5 * (a + b)
}

/// M at the last edge as a couple of forces that is turned with it until it does not turn any more.
fn end_moment(n: usize, moment: f64) -> Vec<[f64; 2]> {
    let e = n - 1;
    let l = 1.0 / (e as f64 - 0.5);
    let angle = |i: usize| moment * i as f64 * l;
    // A round rod leaves the plane before it is a circle: this one is stiff across it.
    let (mut s, _) = straight(n, [1.0, 25.0], 25.0, [Clamped, Free]);
    for i in 0..n {
        let (sin, cos) = angle(i.min(e - 1)).sin_cos();
        (s.state[i].edge, s.state[i].m1) = (vec3(cos, sin, 0.0) * l, vec3(-sin, cos, 0.0));
    }
    for _ in 0..12 {
        let t = s.state[e - 1].edge;
        let f = vec3(-t.y, t.x, 0.0) * (moment / t.length2());
        (s.section[e].force, s.section[e - 1].force) = (f, -f);
        settle(&mut s);
    }
    let turned: f64 = (1..e)
        .map(|i| {
            let (a, b) = (s.state[i - 1].edge, s.state[i].edge);
            (a.x * b.y - a.y * b.x).atan2(a.dot(b))
        })
        .sum();
    vec![[angle(e - 1), turned]]
}

fn tip_load(n: usize, alpha: f64) -> Vec<[f64; 2]> {
    let (mut s, _) = straight(n, [1.0; 2], 1.0, [Clamped, Free]);
    s.section[n - 1].force.y = -alpha;
    settle(&mut s);
    let (law, x) = (reference::tip_load(alpha), tip(&s));
    vec![[law[0], x.x], [law[1], -x.y]]
}

fn own_weight(n: usize, gamma: f64) -> Vec<[f64; 2]> {
    let (mut s, _) = straight(n, [1.0; 2], 1.0, [Clamped, Free]);
    s.section.iter_mut().for_each(|c| c.force.y = -gamma * c.mass);
    settle(&mut s);
    let (law, x) = (reference::own_weight(gamma), tip(&s));
    vec![[law[0], x.x], [law[1], -x.y]]
}

/// Under an axial force in every edge, tension positive.
fn stressed(s: &mut Strands<f64>, force: impl Fn(usize) -> f64) {
    for i in 0..s.state.len() - 1 {
        s.state[i].edge = s.state[i].edge * (1.0 + force(i) / s.section[i].ea);
    }
}

fn euler(n: usize, a: EndSupport, b: EndSupport) -> f64 {
    critical(1.0, 60.0, |p| {
        let (mut s, _) = straight(n, [1.0; 2], 1.0, [a, b]);
        stressed(&mut s, |_| -p);
        s.modes_below(0.0) > 0.0
    })
}

/// Between hinges a chain of links with a spring B/l in each joint, and that has a closed form.
fn links(n: usize) -> Vec<[f64; 2]> {
    let links = (n - 1) as f64;
    vec![[4.0 * links * links * (0.5 * PI / links).sin().powi(2), euler(n, Pinned, Pinned)]]
}

/// Half of a hinged strut, clamped in the middle: the load and the shortening that belong to the angle found.
fn strut(n: usize, degrees: f64) -> Vec<[f64; 2]> {
    let target = degrees.to_radians();
    let (mut s, l) = straight(n, [1.0; 2], 1.0, [Clamped, Free]);
    for i in 1..n {
        let (sin, cos) = (target * (0.5 * PI * i.min(n - 2) as f64 * l).sin()).sin_cos();
        (s.state[i].edge, s.state[i].m1) = (vec3(cos, sin, 0.0) * l, vec3(-sin, cos, 0.0));
    }
    let p = reference::hinged_strut(target)[0];
    s.section[n - 1].force.x = -0.25 * PI * PI * p;
    settle(&mut s);
    // At the tip the curvature vanishes: a parabola through the last two edges.
    let angle = |i: usize| s.state[i].edge.y.atan2(s.state[i].edge.x);
    let law = reference::hinged_strut((9.0 * angle(n - 2) - angle(n - 3)) / 8.0);
    vec![[law[0], p], [law[1], 1.0 - tip(&s).x]]
}

fn greenhill(n: usize) -> f64 {
    critical(4.0, 12.0, |w| {
        let (mut s, _) = straight(n, [1.0; 2], 1.0, [Clamped, Free]);
        let above: Vec<f64> = (0..n - 1).map(|i| s.section[i + 1..].iter().map(|c| c.mass).sum::<f64>()).collect();
        stressed(&mut s, |i| -w * above[i]);
        s.modes_below(0.0) > 0.0
    })
}

/// Turned by `rotation` from the first edge to the last.
fn twist(s: &mut Strands<f64>, rotation: f64) {
    let e = s.state.len() - 1;
    for i in 0..=e {
        let node = s.state[i];
        let (sin, cos) = (rotation * i.min(e - 1) as f64 / (e - 1) as f64).sin_cos();
        let t = node.edge * (1.0 / node.edge.length());
        s.state[i].m1 = node.m1 * cos + t.cross(node.m1) * sin;
    }
    s.measure_twist();
}

/// ML/B between clamps under a tension, of a rod of C/B = `c`: `c` times the rotation.
fn twisted(n: usize, tension: f64, c: f64) -> f64 {
    let expected = reference::twisted_clamped(tension);
    critical(0.7 * expected, 1.3 * expected, |m| {
        let (mut s, _) = straight(n, [1.0; 2], c, [Clamped; 2]);
        twist(&mut s, m / c);
        stressed(&mut s, |_| tension);
        s.modes_below(0.0) > 0.0
    })
}

/// A straight rod bent into a ring: the last edge is the first one once more, turned, and both are held. It may still swing about the held
/// tangent without a force: that mode's ω² is zero, and those that count are below −1e-3 of a ring's own.
fn ring(n: usize, c: f64) -> Vec<[f64; 2]> {
    let e = n - 1;
    let l = 1.0 / (e - 1) as f64;
    let edges: Vec<_> = (0..e).map(|i| (2.0 * PI * i as f64 * l).sin_cos()).map(|(s, k)| vec3(k, s, 0.0) * l).collect();
    let expected = 2.0 * PI * 3.0f64.sqrt() / c;
    let found = critical(0.7 * expected, 1.3 * expected, |rotation| {
        let mut s = rod(&edges, &vec![vec3(0.0, 0.0, 1.0); e], [1.0; 2], c, [Clamped; 2]);
        s.rest.iter_mut().for_each(|r| r.kappa = [0.0; 4]);
        twist(&mut s, rotation);
        s.modes_below(-1e-3 * (2.0 * PI).powi(4)) > 0.0
    });
    vec![[expected, found]]
}

/// N = (1/r)[C cos α Δτ − B sin α Δκ] of two turns of a helix of pitch angle α, length 1, whose rest has another curvature and torsion.
fn spring(n: usize) -> Vec<[f64; 2]> {
    let (c, pitch, turns) = (0.8f64, 0.4f64, 2.0);
    let e = n - 1;
    let (l, phi) = (1.0 / (e - 1) as f64, 2.0 * PI * turns / (e - 1) as f64);
    let r = pitch.cos() / (2.0 * PI * turns);
    let at = |i: usize| {
        let (s, k) = (i as f64 * phi).sin_cos();
        vec3(r * k, r * s, pitch.sin() * i as f64 * l)
    };
    let edges: Vec<_> = (0..e).map(|i| at(i + 1) - at(i)).collect();
    // m₁ is the normal at the middle of the edge, towards the axis.
    let axes: Vec<_> = (0..e).map(|i| ((i as f64 + 0.5) * phi).sin_cos()).map(|(s, k)| vec3(-k, -s, 0.0)).collect();
    let mut s = rod(&edges, &axes, [1.0; 2], c, [Clamped; 2]);
    let (more_kappa, more_tau) = (-0.6, 0.8);
    for rest in &mut s.rest[1..e] {
        rest.kappa[0] -= more_kappa * l;
        rest.kappa[2] -= more_kappa * l;
        rest.twist -= more_tau * l;
    }
    settle(&mut s);
    // What pulls on the clamp.
    s.assemble(&Inertia::none(), 1.0);
    vec![[(c * pitch.cos() * more_tau - pitch.sin() * more_kappa) / r, s.rhs[0][2] + s.rhs[1][2]]]
}

/// B₁/B₂, as for ghost rods: `reference::ribbon` knows it.
const BLADE: f64 = 100.0;

/// A blade on edge under a tip load or its own weight, in units of B₂: bent down in its plane, then looked at.
fn ribbon(n: usize, c: f64, own_weight: bool) -> f64 {
    let expected = reference::ribbon(BLADE, c, own_weight);
    critical(0.8 * expected, 1.2 * expected, |load| {
        let (mut s, _) = straight(n, [BLADE, 1.0], c, [Clamped, Free]);
        match own_weight {
            true => s.section.iter_mut().for_each(|k| k.force.y = -load * k.mass),
            false => s.section[n - 1].force.y = -load,
        }
        settle(&mut s);
        s.modes_below(0.0) > 0.0
    })
}

/// ω of the mode that is the `count`-th from below.
fn omega(s: &mut Strands<f64>, count: f64, about: f64) -> f64 {
    critical(0.25 * about * about, 4.0 * about * about, |sigma| s.modes_below(sigma) >= count).sqrt()
}

/// Each bending mode comes twice, across and across.
fn vibration(n: usize) -> Vec<[f64; 2]> {
    [(1, 1.0), (2, 3.0)]
        .map(|(mode, count)| {
            let expected = reference::cantilever_beta(mode).powi(2);
            let (mut s, _) = straight(n, [1.0; 2], 1.0, [Clamped, Free]);
            [expected / (2.0 * PI), omega(&mut s, count, expected) / (2.0 * PI)]
        })
        .to_vec()
}

/// √(C/I)/4L with I = 1 about the axis: slower than bending.
fn torsion(n: usize) -> Vec<[f64; 2]> {
    let (mut s, l) = straight(n, [1.0; 2], 1.0, [Clamped, Free]);
    s.section.iter_mut().for_each(|c| c.inertia = l);
    vec![[0.25, omega(&mut s, 1.0, 0.5 * PI) / (2.0 * PI)]]
}

/// The strand of the paper's fig. 2 and 4, through the same door as any groom.
fn hair(n: usize, along: Vec3<f64>, material: Material) -> Strands<f64> {
    let points = (0..n).map(|i| along * (i as f64 / (n - 1) as f64)).collect();
    let zero = vec3(0.0, 0.0, 0.0);
    let gravity = vec3(0.0, -9.81, 0.0);
    let mut s = StrandDesc { points, axis: zero, material, gravity, root: Clamped, tip: Free }.build();
    let initial = s.rest.clone();
    let mut options = Options::default();
    options.bounds.kappa = 100.0;
    let out = Optimizer::new(n).run(&mut s, &initial, &options);
    assert!(out.norm < 1e-6, "{out:?}");
    s
}

/// l̄₁/l₁ and the sum of all: l̄ᵢ = lᵢ/(1 + Tᵢ/(c A)), c = 5e4.
fn vertical(n: usize) -> Vec<[f64; 2]> {
    let s = hair(n, vec3(0.0, -1.0, 0.0), Material { stretch: 5e4, ..Material::default() });
    let l = 1.0 / (n - 1) as f64;
    let exact = |i: usize| {
        // The vertices below, the last of them half as heavy.
        let below = 1e3 * PI * 1e-6 * l * ((n - 1 - i) as f64 - 0.5) * 9.81;
        if i == 0 { 1.0 } else { 1.0 / (1.0 + below / (5e4 * PI * 1e-6)) }
    };
    let total: f64 = (0..n - 1).map(|i| exact(i) * l).sum();
    vec![[exact(1), s.rest[1].length / l], [total, s.rest[..n - 1].iter().map(|r| r.length).sum()]]
}

/// κ̄₁ = M₁ l/(c π r⁴/4).
fn horizontal(n: usize, bend: f64) -> Vec<[f64; 2]> {
    let s = hair(n, X, Material { bend, ..Material::default() });
    let l = 1.0 / (n - 1) as f64;
    // The moment about vertex 1 of the vertices beyond it, the last of them half as heavy.
    let k = (n - 2) as f64;
    let moment = 1e3 * PI * 1e-6 * l * 9.81 * l * (0.5 * k * k);
    vec![[moment * l / (bend * PI * 1e-12 / 4.0), s.rest[1].kappa[0].hypot(s.rest[1].kappa[1])]]
}

/// The momentum of free flight after a push that also bends and turns; the sag in a turned frame; the sag after time steps with damping and
/// with half the step, against that of statics.
fn invariants(n: usize) -> Vec<[f64; 2]> {
    let (mut s, _) = straight(n, [1.0, 2.0], 0.7, [Free; 2]);
    for i in 0..n {
        s.velocity[i] = [0.3 * (i as f64).sin(), 0.2 + 0.4 * (2.0 * i as f64).cos(), 0.1 * i as f64 / n as f64, 0.0];
    }
    let momentum = |s: &Strands<f64>| s.section.iter().zip(&s.velocity).map(|(c, v)| c.mass * v[1]).sum::<f64>();
    let before = momentum(&s);
    for _ in 0..200 {
        s.step(1e-3, 2, 0.0, 1e-3);
    }
    let flown = [before, momentum(&s)];

    let sagging = |turn: Frame<f64>| {
        let edges = vec![turn.world(X) * (1.0 / (n as f64 - 1.5)); n - 1];
        let mut s = rod(&edges, &vec![turn.world(vec3(0.0, 1.0, 0.0)); n - 1], [1.0, 2.0], 0.7, [Clamped, Free]);
        s.section.iter_mut().for_each(|c| c.force = turn.world(vec3(0.0, -4.0, -3.0)) * c.mass);
        s
    };
    let unit = Frame { m1: X, m2: vec3(0.0, 1.0, 0.0), t: vec3(0.0, 0.0, 1.0) };
    let t = vec3(2.0, -1.0, 2.0) * (1.0 / 3.0);
    let m1 = t.any_perpendicular();
    let mut settled = sagging(unit);
    settle(&mut settled);
    let sag = (tip(&settled) - X).length();
    let turn = Frame { m1, m2: t.cross(m1), t };
    let mut turned = sagging(turn);
    settle(&mut turned);
    let after = |h: f64, iterations: usize, drag: f64, viscosity: f64| {
        let mut s = sagging(unit);
        for _ in 0..(60.0 / h) as usize {
            s.step(h, iterations, drag, viscosity);
        }
        (tip(&s) - X).length()
    };
    let there = (tip(&turned) - turn.world(X)).length();
    vec![
        flown,
        [sag, there],
        [sag, after(0.02, 3, 2.0, 0.01)],
        [sag, after(0.01, 3, 1.0, 0.0)],
        [sag, after(0.01, 1, 1.0, 0.0)],
        [sag, after(0.01, 10, 1.0, 0.0)],
    ]
}

/// Momentum and angular momentum about the centre of mass of a hair that turns, flies and wriggles for a second, as the world steps it: what
/// they were, and that plus what they have changed by.
fn flight(n: usize) -> Vec<[f64; 2]> {
    let mut world = World::new(WorldDesc { gravity: [0.0; 3], double_precision: true, ..WorldDesc::default() }).expect("a world");
    let points: Vec<[f64; 3]> =
        (0..n).map(|i| 0.3 * i as f64 / (n - 1) as f64).map(|t| [t, 0.02 * (30.0 * t).sin(), 0.02 * (20.0 * t).cos()]).collect();
    let velocities = (points.iter().enumerate())
        .map(|(i, p)| (p, 0.3 * i as f64))
        .map(|(p, a)| [0.3 - 5.0 * p[1], 5.0 * (p[0] - 0.15) + 0.2 * a.sin(), 0.1 * a.cos()])
        .collect();
    let desc = RodsDesc {
        positions: points,
        counts: vec![n as u32],
        velocities,
        radii: vec![1e-3],
        stiffness: Stiffness::Physical { young: 1e8, shear: 4e7 },
        model: RodModel::Der,
        order: SweepOrder::Direct,
        root: Free,
        ..RodsDesc::default()
    };
    let id = world.add_rods(desc).expect("a hair");
    let momenta = |world: &World| {
        let rods = world.rods(id).expect("the hair");
        let (mut x, mut v, mut m, mut ghosts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        rods.read_positions(|_, p| x.push(Vec3::from(p)));
        rods.read_velocities(|_, u| v.push(Vec3::from(u)));
        rods.read_masses(|_, k| m.push(k), |_, k| ghosts.push(k));
        // What carries the frame of an edge (its section's inertia) goes with it: half of its mass is at either end.
        (0..n - 1).for_each(|i| (m[i], m[i + 1]) = (m[i] + 0.5 * ghosts[i], m[i + 1] + 0.5 * ghosts[i]));
        let sum = |f: &dyn Fn(usize) -> Vec3<f64>| (0..n).fold(Vec3::zero(), |a, i| a + f(i) * m[i]);
        let centre = sum(&|i| x[i]) * (1.0 / m.iter().sum::<f64>());
        [sum(&|i| v[i]), sum(&|i| (x[i] - centre).cross(v[i]))]
    };
    let before = momenta(&world);
    for _ in 0..60 {
        world.step(1.0 / 60.0, &Inline).expect("a step");
    }
    let after = momenta(&world);
    (0..2).map(|k| [before[k].length(), before[k].length() + (after[k] - before[k]).length()]).collect()
}
