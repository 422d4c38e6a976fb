//! Bodies without number in one place: a step stays bounded, nothing becomes NaN, and they come apart.

use std::time::Instant;
use withy::math::rng::Rng;
use withy::world::*;

const CENTER: [f64; 3] = [0.0, 1.0, 0.0];
const RADIUS: f64 = 0.1;

/// `n` balls at one point above a floor, each with a velocity of up to `speed` along every axis, m/s.
fn crowd(n: usize, speed: f64) -> (World, Vec<Id>) {
    let mut w = World::new(WorldDesc::default()).unwrap();
    w.add_collider(ColliderDesc::default()).unwrap();
    let mut rng = Rng::new(1);
    let mut ball = || {
        w.add_body(&BodyDesc {
            pose: Pose { position: CENTER, ..Pose::IDENTITY },
            velocity: [rng.range(-speed, speed), rng.range(-speed, speed), rng.range(-speed, speed)],
            shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius: RADIUS }, ..ShapeDesc::default() }],
            ..BodyDesc::default()
        })
        .unwrap()
    };
    let ids = (0..n).map(|_| ball()).collect();
    (w, ids)
}

/// How many are still within a ball's radius of where all were, and how far the farthest is, m.
fn left(w: &World, ids: &[Id]) -> (usize, f64) {
    let off = |&id: &Id| {
        let c = w.body_center(id).unwrap();
        (0..3).map(|k| (c[k] - CENTER[k]).powi(2)).sum::<f64>().sqrt()
    };
    (ids.iter().filter(|id| off(id) < RADIUS).count(), ids.iter().map(off).fold(0.0, f64::max))
}

fn check(w: &World, ids: &[Id]) {
    assert_eq!(w.non_finite_bodies(), 0);
    // Nobody is faster than may be, 500 m/s, but by what the step's last contacts give.
    for &id in ids {
        let v = w.body_motion(id).unwrap()[0];
        assert!(v.iter().map(|x| x * x).sum::<f64>().sqrt() < 505.0, "{v:?}");
    }
}

#[test]
fn twenty_thousand_at_one_point_come_apart() {
    let (mut w, ids) = crowd(20_000, 0.0);
    for _ in 0..10 {
        w.step(1.0 / 60.0, &Inline).unwrap();
        // A few contacts each, however many there are.
        assert!(w.pair_count() <= 17 * ids.len() + 4096, "{} pairs", w.pair_count());
    }
    check(&w, &ids);
    assert!(w.body_counts()[3] > 0, "it is told that pairs are left out");
    let (inside, far) = left(&w, &ids);
    assert!(inside < ids.len() / 2 && far > 1.0, "{inside} are still there, the farthest is {far} m away");
}

#[test]
fn a_crowd_is_the_same_on_two_threads() {
    let run = |runner: &dyn TaskRunner| {
        let (mut w, _) = crowd(3_000, 1.0);
        (0..20).for_each(|_| w.step(1.0 / 60.0, runner).unwrap());
        assert!(w.body_counts()[3] > 0);
        w.state_hash()
    };
    assert_eq!(run(&Inline), run(&Pool::new(2).unwrap()));
}

#[test]
fn a_million_metres_a_second_are_too_fast_for_nobody() {
    let (mut w, ids) = crowd(10_000, 1e6);
    (0..10).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
    check(&w, &ids);
}

/// 4 GB, and some seconds a step.
#[test]
fn a_million_at_one_point() {
    for (count, speed) in [(1_000_000, 0.0), (100_000, 1e6)] {
        let (mut w, ids) = crowd(count, speed);
        for k in 0..2 {
            let begin = Instant::now();
            w.step(1.0 / 60.0, &Inline).unwrap();
            let (inside, far) = left(&w, &ids);
            println!(
                "{speed:e} m/s, step {k}: {:.2} s, {:.1} GB, {} pairs, {inside} within a radius, {far:.1} m at most; {:.2?}",
                begin.elapsed().as_secs_f64(),
                1e-9 * w.memory_bytes() as f64,
                w.pair_count(),
                w.body_times()
            );
        }
        check(&w, &ids);
    }
}
