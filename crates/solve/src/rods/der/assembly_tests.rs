//! Discrete elastic rods: the gradient and the band of a whole strand against differences of its energy and its gradient.

use super::*;
use crate::math::Vec3;
use crate::math::rng::Rng;
use crate::math::vec3::vec3;
use crate::rods::der::band::{BAND, Factored, Rows, eliminate, width};
use crate::rods::der::strand::{Inertia, Node, Row, Strands};
use crate::sagfree::batch::Material;
use crate::sagfree::bent::bent;

const N: usize = 8;

/// A strand with loads; `slender`: length of its edges over radius.
fn strand(rng: &mut Rng, measure: Measure, length: f64, slender: f64) -> Strands<f64> {
    // Elliptic: bending is stiffer one way.
    let material = Material { radius: length / slender, aspect: 0.6, ..Material::default() };
    let mut s = bent(rng, N, measure, length, &material);
    for c in &mut s.section {
        c.moment = rng.range(-1.0, 1.0) * c.ei[0].max(1e-12) / length;
    }
    // No steps: room to work in.
    s.settle(0, 0.0);
    s
}

/// `from` displaced by `z`: frames are transported from there, as a Newton step does.
fn displace(s: &mut Strands<f64>, from: &[Node<f64>], z: &[Row<f64>]) {
    for i in 0..N {
        s.moved[i] = z[i];
        if i + 1 == N {
            break;
        }
        let d = |k: usize| z[i + 1][k] - z[i][k];
        let node = from[i];
        let edge = node.edge + vec3(d(0), d(1), d(2));
        let frame = node.frame().transported(direction(edge).1, z[i][3].sin_cos());
        (s.state[i].edge, s.state[i].m1) = (edge, frame.m1);
    }
    s.measure_twist();
}

fn check(measure: Measure, length: f64, slender: f64, inertia: &Inertia<f64>) {
    let mut rng = Rng::new(31);
    let mut s = strand(&mut rng, measure, length, slender);
    let from = s.state.clone();
    let base: Vec<Row<f64>> = vec![[0.0; 4]; N];
    let mut at = |place: usize, by: f64| -> (f64, Vec<Row<f64>>) {
        let mut z = base.clone();
        z[place / 4][place % 4] = by;
        displace(&mut s, &from, &z);
        let energy = s.assemble(inertia, 1.0);
        (energy, s.rhs.clone())
    };
    // Displacements and turns have gradients and blocks of their own size. The last vertex begins no edge.
    let unknowns: Vec<usize> = (0..4 * N - 1).collect();
    let step = |place: usize| if place % 4 == 3 { 2e-3 } else { 2e-3 * length };
    let (energy, rhs) = at(0, 0.0);
    let differences: Vec<(f64, Vec<f64>)> = (unknowns.iter())
        .map(|&u| {
            let p = [1.0, 2.0, 3.0].map(|k| (at(u, k * step(u)), at(u, -k * step(u))));
            let central = |d: &dyn Fn(usize) -> f64| (45.0 * d(0) - 9.0 * d(1) + d(2)) / (60.0 * step(u));
            let slope = central(&|k| p[k].0.0 - p[k].1.0);
            let row = unknowns.iter().map(|&v| central(&|k| p[k].1.1[v / 4][v % 4] - p[k].0.1[v / 4][v % 4])).collect();
            (slope, row)
        })
        .collect();
    let kind = |u: usize| u % 4 == 3;
    let most = |of: bool, f: &dyn Fn(usize) -> f64| {
        unknowns.iter().filter(|&&u| kind(u) == of).fold(0.0, |m: f64, &u| m.max(f(u).abs()))
    };
    for &u in &unknowns {
        let (got, exact) = (differences[u].0, -rhs[u / 4][u % 4]);
        let size = most(kind(u), &|u| rhs[u / 4][u % 4]);
        // Of the energy as a whole a difference cannot tell more.
        let noise = 4e-16 * energy.abs() / step(u);
        assert!(
            (got - exact).abs() < 1e-8 * size + noise,
            "{measure:?} {length} {slender}: gradient {u}: {exact} against {got} of {size}"
        );
        assert!(noise < 1e-7 * size, "{measure:?} {length} {slender}: gradient {u}: cannot tell, {noise} of {size}");
    }
    displace(&mut s, &from, &base);
    s.assemble(inertia, 1.0);
    let diagonal = |of: bool| most(of, &|u| s.band[u / 4][u % 4][0]);
    for &u in &unknowns {
        for &v in &unknowns[u..] {
            // The gradient at another place is that of frames that come from there: by the holonomy of the way the derivative is not
            // symmetric, and the Hessian is its symmetric part.
            let got = 0.5 * (differences[u].1[v] + differences[v].1[u]);
            let exact = s.band[u / 4][u % 4].get(v - u).copied().unwrap_or(0.0);
            let size = (diagonal(kind(u)) * diagonal(kind(v))).sqrt();
            assert!(
                (got - exact).abs() < 1e-8 * size,
                "{measure:?} {length} {slender}: Hessian {u},{v}: {exact} against {got} of {size}"
            );
        }
    }
}

#[test]
fn a_strand_is_the_sum_of_its_parts() {
    let statics = Inertia::none();
    for measure in [Measure::Curvature, Measure::Darboux] {
        for (length, slender) in [(0.01, 10.0), (1e-4, 10.0), (10.0, 10.0), (0.01, 100.0), (0.01, 1.0)] {
            check(measure, length, slender, &statics);
        }
        check(measure, 0.01, 10.0, &Inertia { h: 1e-3, inv_h2: 1e6, drag: 3e3 });
    }
}

/// A rod that is moved or turned as a whole has the same energy: the forces of the whole strand have no sum and no moment.
#[test]
fn inner_forces_have_no_sum_and_no_moment() {
    let mut rng = Rng::new(37);
    for measure in [Measure::Curvature, Measure::Darboux] {
        let mut s = strand(&mut rng, measure, 0.01, 10.0);
        for c in &mut s.section {
            (c.force, c.moment) = (vec3(0.0, 0.0, 0.0), 0.0);
        }
        s.assemble(&Inertia::none(), 1.0);
        let (mut x, mut sum, mut torque, mut size) = (vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 0.0);
        for i in 0..N {
            let f: Vec3<f64> = vec3(s.rhs[i][0], s.rhs[i][1], s.rhs[i][2]);
            (sum, torque, size) = (sum + f, torque + x.cross(f), size + f.length());
            if i + 1 < N {
                torque = torque + direction(s.state[i].edge).1 * s.rhs[i][3];
                x = x + s.state[i].edge;
            }
        }
        assert!(sum.length() < 1e-13 * size, "{measure:?}: {sum:?} of {size}");
        assert!(torque.length() < 1e-13 * size * x.length(), "{measure:?}: {torque:?} of {size}");
    }
}

/// A step's system, of which the band is a window, has the solution of the whole band, row by row; where a root is driven, too.
#[test]
fn a_strand_is_solved_a_vertex_at_a_time() {
    const LONG: usize = 80;
    let mut rng = Rng::new(57);
    let inertia = Inertia { h: 1e-3, inv_h2: 1e6, drag: 3e3 };
    for (n, driven) in [(2, false), (3, false), (LONG, false), (3, true), (LONG, true)] {
        let mut s = bent(&mut rng, n, Measure::Curvature, 0.01, &Material { radius: 1e-3, ..Material::default() });
        s.settle(0, 0.0);
        for (i, c) in s.section.iter_mut().enumerate() {
            let held = f64::from(u8::from(i < 2 && n > 2));
            c.free = [1.0 - held, if i + 1 == n { 0.0 } else { 1.0 - held }];
        }
        if driven {
            (0..2).for_each(|i| s.drive(i, vec3(1e-4, -2e-4, 3e-4)));
        }
        s.assemble(&inertia, 0.0);
        s.constrain();
        let (mut band, mut rhs) = (s.band[..n].as_flattened().to_vec(), s.rhs[..n].as_flattened().to_vec());
        let (mut other_band, mut other_rhs) = (band.clone(), rhs.clone());
        let mut rows = Rows::<f64, BAND> { band: &mut band, rhs: &mut rhs };
        rows.factor_rows(0..4 * n, 4 * n);
        // The factors are the same, bit for bit.
        let mut others = Rows::<f64, BAND> { band: &mut other_band, rhs: &mut other_rhs };
        for v in 0..n {
            eliminate(&mut others, v, n);
            for p in 0..4 {
                let (row, got) = (rows.band[4 * v + p], others.band[4 * v + p]);
                let same = (0..width(p).min(4 * (n - v) - p)).all(|c| row[c].to_bits() == got[c].to_bits());
                assert!(same, "{n} {driven}: {v}, {p}: {row:?} {got:?}");
                assert_eq!(rows.rhs[4 * v + p].to_bits(), others.rhs[4 * v + p].to_bits(), "{n} {driven}: {v}, {p}");
            }
        }
        rows.substitute(n);
        s.assemble_and_factor(&inertia, 0.0, false);
        s.solve_back();
        let got = s.rhs[..n].as_flattened();
        let size = |k: usize| (k..4 * n).step_by(4).fold(0.0f64, |m, u| m.max(rhs[u].abs()));
        for u in 0..4 * n {
            let size = if u % 4 == 3 { size(3) } else { size(0).max(size(1)).max(size(2)) };
            assert!((got[u] - rhs[u]).abs() <= 1e-9 * size, "{n} {driven}: unknown {u}: {} for {}, of {size}", got[u], rhs[u]);
        }
        assert!(size(0) > 0.0 && (!driven || got[0] == 1e-4));
    }
}
