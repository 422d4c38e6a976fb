//! Rigid bodies in one large island: the same bits from every number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use withy::math::Isa;
use withy::tasks::{Inline, Pool, TaskRunner};
use withy::world::*;

/// A heap of 4,320 in one island, which is cut into four parts, with joints of several kinds.
fn heap(substeps: u32, iterations: u32) -> World {
    let mut w = World::new(WorldDesc { substeps, iterations, isa: Some(Isa::Scalar), ..WorldDesc::default() }).unwrap();
    let floor = BodyDesc {
        motion: BodyMotion::Static,
        shapes: vec![ShapeDesc { shape: BodyShape::Plane, ..ShapeDesc::default() }],
        ..BodyDesc::default()
    };
    w.add_body(&floor).unwrap();
    let mut before = None;
    for k in 0..4320usize {
        let [x, y, z] = [k % 24, k / 576, k / 24 % 24].map(|i| i as f64);
        let shape = match k % 3 {
            0 => BodyShape::Sphere { radius: 0.1 },
            1 => BodyShape::Box { half_extents: [0.1; 3] },
            _ => BodyShape::Capsule { half_height: 0.05, radius: 0.08 },
        };
        let position = [0.19 * x, 0.09 + 0.18 * y, 0.19 * z];
        let b = w.add_body(&BodyDesc {
            pose: Pose { position, ..Pose::IDENTITY },
            shapes: vec![ShapeDesc { shape, ..ShapeDesc::default() }],
            mass: 1.0 + (k % 5) as f64,
            ..BodyDesc::default()
        });
        let b = b.unwrap();
        if let Some(a) = before.filter(|_| k % 24 != 0 && k % 2 == 1) {
            let kind = if k % 4 == 1 { JointKind::Ball { limits: None } } else { JointKind::Fixed };
            let place = |x: f64| Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY };
            let (frame_a, frame_b) = (place(0.095), place(-0.095));
            w.add_joint(&JointDesc { a: Some(a), b, frame_a, frame_b, kind, motor: None, collide: false }).unwrap();
        }
        before = Some(b);
    }
    w
}

/// Threads of its own for every call, as many as it says, whatever the machine has.
struct Fresh(usize);
impl TaskRunner for Fresh {
    fn threads(&self) -> usize {
        self.0
    }
    fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        std::thread::scope(|s| {
            for _ in 0..self.0.min(count) {
                s.spawn(|| {
                    loop {
                        match next.fetch_add(1, Ordering::Relaxed) {
                            i if i < count => task(i),
                            _ => return,
                        }
                    }
                });
            }
        });
    }
}

fn after(mut w: World, runner: &dyn TaskRunner) -> u64 {
    for _ in 0..6 {
        w.step(1.0 / 60.0, runner).unwrap();
    }
    w.state_hash()
}

#[test]
fn a_large_island_is_the_same_on_any_number_of_threads() {
    for (substeps, iterations) in [(4, 5), (1, 3)] {
        let alone = after(heap(substeps, iterations), &Inline);
        let pool = Pool::new(2).unwrap();
        assert_eq!(after(heap(substeps, iterations), &pool), alone, "a pool of two");
        assert_eq!(after(heap(substeps, iterations), &Fresh(2)), alone, "two threads");
        assert_eq!(after(heap(substeps, iterations), &Fresh(5)), alone, "five threads");
    }
}

#[test]
fn the_island_is_one() {
    let mut w = heap(4, 5);
    w.step(1.0 / 60.0, &Inline).unwrap();
    assert_eq!(w.body_counts()[0], 1);
}
