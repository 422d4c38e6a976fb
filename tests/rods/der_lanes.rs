//! Rest shapes and statics of discrete elastic rods: every lane width gives a strand the same bits, whatever its neighbours.

#![allow(clippy::needless_range_loop)]

use withy::desc::EndSupport;
use withy::math::Isa;
use withy::math::vec3::vec3;
use withy::rods::der::strand::Strands;
use withy::sagfree::batch::*;
use withy::sagfree::rest_shape::Options;
use withy::tasks::{Inline, Pool};

/// Helices of unlike length, count and size, so that lanes finish at different times.
fn strand(k: usize) -> Strands<f64> {
    let n = [2, 3, 9, 20, 33][k % 5];
    let (radius, turns) = (0.004 + 0.002 * (k % 3) as f64, 4.0 + k as f64);
    let points = (0..n)
        .map(|i| {
            let u = i as f64 / n as f64;
            vec3(radius * (turns * u).sin() + 0.1 * u, -0.2 * u, radius * (turns * u).cos())
        })
        .collect();
    let material =
        Material { stretch: 1e9, bend: 2e9, twist: 1e9, radius: 4e-4, aspect: 1.0 + 0.3 * (k % 2) as f64, ..Material::default() };
    let tip = if k % 7 == 6 { EndSupport::Pinned } else { EndSupport::Free };
    StrandDesc { points, axis: vec3(0.0, 0.0, 0.0), material, gravity: vec3(0.0, -9.81, 0.0), root: EndSupport::Clamped, tip }
        .build()
}

fn state(batch: &Batch, count: usize) -> Vec<f64> {
    let mut all = Vec::new();
    for k in 0..count {
        let s = batch.strand(k);
        all.extend(s.velocity[s.vertices() - 1]);
        for i in 0..s.vertices() - 1 {
            all.extend(s.state[i].edge.to_array());
            all.extend(s.state[i].m1.to_array());
            all.push(s.rest[i].length);
            all.extend(s.rest[i].kappa);
            all.extend(s.velocity[i]);
        }
    }
    all
}

const COUNT: usize = 21;

fn sets() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.available())
}

/// Optimized, then settled under another weight.
fn run(isa: Isa, tasks: &dyn withy::tasks::TaskRunner) -> Vec<f64> {
    let strands: Vec<_> = (0..COUNT).map(strand).collect();
    let mut batch = Batch::new(&strands, isa);
    batch.optimize(tasks, &Options::default());
    for k in 0..COUNT {
        assert!(batch.report(k).norm < 1e-5, "{k}: {:?}", batch.report(k));
    }
    let mut all = state(&batch, COUNT);
    let lighter: Vec<_> = (0..COUNT)
        .map(|k| {
            let mut s = batch.strand(k);
            s.section.iter_mut().for_each(|c| c.force = c.force * 0.9);
            s
        })
        .collect();
    let mut batch = Batch::new(&lighter, isa);
    batch.settle(tasks, 50, 1e-6);
    all.extend(state(&batch, COUNT));
    all
}

fn assert_same(a: &[f64], b: &[f64], what: &str) {
    let differ = a.iter().zip(b).position(|(a, b)| a.to_bits() != b.to_bits());
    let pair = differ.map(|i| (i, a[i], b[i]));
    assert!(differ.is_none() && a.len() == b.len(), "{what}: {pair:?}");
}

#[test]
fn same_bits_in_every_width_and_on_every_thread() {
    let expected = run(Isa::Scalar, &Inline);
    assert!(expected.iter().all(|v| v.is_finite()));
    for isa in sets() {
        assert_same(&run(isa, &Inline), &expected, isa.name());
    }
    assert_same(&run(Isa::best(), &Pool::new(2).unwrap()), &expected, "two threads");
}

/// What is optimized stays: ten seconds at rest.
#[test]
fn optimized_strands_do_not_drift() {
    let strands: Vec<_> = (0..COUNT).map(strand).collect();
    let mut batch = Batch::new(&strands, Isa::best());
    batch.optimize(&Inline, &Options::default());
    batch.certify(&Inline);
    for k in 0..COUNT {
        let (mut s, start) = (batch.strand(k), &strands[k]);
        for _ in 0..600 {
            s.step(1.0 / 60.0, 1, 0.0, 0.0);
        }
        let (mut x, mut worst, mut length) = (vec3(0.0, 0.0, 0.0), 0.0f64, 0.0);
        for i in 0..s.vertices() - 1 {
            x = x + (s.state[i].edge - start.state[i].edge);
            length += start.rest[i].length;
            worst = worst.max(x.length());
        }
        assert_eq!(batch.report(k).unstable_modes, 0);
        assert!(worst < 1e-4 * length, "{k}: {worst} of {length}");
    }
}

/// Strands that are too long for a cache take another way through memory, and the same through the numbers.
#[test]
fn long_strands_have_the_same_bits() {
    let strands: Vec<_> = (0..9)
        .map(|k| {
            let n = 590 + 37 * k;
            let wave = |u: f64| vec3(0.02 * (9.0 * u + k as f64).sin(), -0.5 * u, 0.02 * (7.0 * u).cos());
            let points = (0..n).map(|i| wave(0.004 * i as f64)).collect();
            let (axis, gravity) = (vec3(0.0, 0.0, 0.0), vec3(0.0, -9.81, 0.0));
            let (root, tip) = (EndSupport::Clamped, EndSupport::Free);
            StrandDesc { points, axis, material: Material::default(), gravity, root, tip }.build()
        })
        .collect();
    let run = |isa: Isa, strands: &[Strands<f64>]| {
        let mut batch = Batch::new(strands, isa);
        batch.optimize(&Inline, &Options::default());
        state(&batch, strands.len())
    };
    let all: Vec<Vec<f64>> = sets().map(|isa| run(isa, &strands)).collect();
    assert!(all[0].iter().all(|x| x.is_finite()));
    for (other, isa) in all.iter().zip(sets()) {
        assert_same(&all[0], other, &format!("{isa:?}"));
    }
    // Alone, without neighbours of other lengths.
    let alone = run(Isa::best(), &strands[..1]);
    assert_same(&all[0][..alone.len()], &alone, "alone");
    for (k, s) in strands.iter().enumerate() {
        let mut batch = Batch::new(&strands[k..k + 1], Isa::best());
        batch.optimize(&Inline, &Options::default());
        let mut now = batch.strand(0);
        (0..60).for_each(|_| {
            now.step(1.0 / 60.0, 1, 0.0, 0.0);
        });
        let worst = now.state.iter().zip(&s.state).fold(0.0f64, |m, (a, b)| m.max((a.edge - b.edge).length() / b.edge.length()));
        assert!(worst < 1e-6, "strand {k}: an edge is off by {worst:e} of its length after a second");
    }
}
