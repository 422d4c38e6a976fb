//! Rods on rigid bodies: tied to them both ways, lying on them.

use crate::tied::*;
use withy::world::*;

fn rope(from: [f64; 3], to: [f64; 3], n: usize, root: EndSupport) -> RodsDesc {
    RodsDesc {
        positions: line(from, to, n),
        counts: vec![n as u32],
        radii: vec![0.01],
        stiffness: Stiffness::Physical { young: 1e7, shear: 4e6 },
        density: 1000.0,
        root,
        ..RodsDesc::default()
    }
}

fn vertex(w: &World, rods: Id, v: usize) -> [f64; 3] {
    let mut out = [0.0; 3];
    w.rods(rods).unwrap().read_positions(|i, p| {
        if i == v {
            out = p;
        }
    });
    out
}

fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
}

/// A ball of 2 kg on a rope of 0.3 kg: it swings as a pendulum, hangs still in the end, and the rope carries it.
#[test]
fn a_ball_hangs_on_a_rope() {
    for double in [false, true] {
        let mut w = World::new(WorldDesc { double_precision: double, ..WorldDesc::default() }).unwrap();
        let rods = w.add_rods(RodsDesc { mask: 0, ..rope([0.0, 2.0, 0.0], [0.0, 1.0, 0.0], 11, EndSupport::Clamped) }).unwrap();
        let body =
            w.add_body(&BodyDesc { velocity: [0.5, 0.0, 0.0], linear_damping: 1.0, ..ball([0.0, 0.9, 0.0], 0.1, 2.0) }).unwrap();
        w.attach_body(rods, StrandEnd { strand: 0, tip: true }, body, false).unwrap();
        let mut widest: f64 = 0.0;
        for _ in 0..1200 {
            w.step(DT, &Inline).unwrap();
            let p = w.body_pose(body).unwrap();
            widest = widest.max(p.position[0].abs());
            // The tie: 0.1 m above the centre, in the body's frame.
            let [x, y, z, q] = p.rotation;
            let up = [2.0 * (x * y - q * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + q * x)];
            let tie = [0, 1, 2].map(|k| p.position[k] + 0.1 * up[k]);
            let gap = apart(vertex(&w, rods, 10), tie);
            assert!(gap < 2e-3, "gap {gap}");
        }
        let p = w.body_pose(body).unwrap().position;
        println!("double {double}: widest {widest}, ends at {p:?}");
        // √(l/g) v of a pendulum of 1.1 m, less damping.
        assert!((0.1..0.17).contains(&widest), "{widest}");
        assert!(p[0].abs() < 2e-3 && (p[1] - 0.9).abs() < 0.02, "{p:?}");
    }
}

/// Nothing holds them: linear momentum is that of the start.
#[test]
fn momentum_goes_from_rod_to_body_and_back() {
    let mut w = World::new(WorldDesc { gravity: [0.0; 3], double_precision: true, ..WorldDesc::default() }).unwrap();
    let d = RodsDesc { mask: 0, density: 10_000.0, ..rope([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], 11, EndSupport::Free) };
    let rods = w.add_rods(d).unwrap();
    let body = w.add_body(&BodyDesc { velocity: [0.0, 1.0, 0.3], ..ball([1.1, 0.0, 0.0], 0.1, 1.0) }).unwrap();
    w.attach_body(rods, StrandEnd { strand: 0, tip: true }, body, true).unwrap();
    // Where all of it is: the mean goes straight.
    let rope_mass = core::f64::consts::PI * 1e-4 * 10_000.0;
    let center = |w: &World| {
        let mut sum = [0.0; 3];
        w.rods(rods).unwrap().read_positions(|i, p| {
            let part = if i == 0 || i == 10 { 0.05 } else { 0.1 };
            (0..3).for_each(|k| sum[k] += rope_mass * part * p[k]);
        });
        let b = w.body_center(body).unwrap();
        [0, 1, 2].map(|k| (sum[k] + b[k]) / (1.0 + rope_mass))
    };
    let start = center(&w);
    let mut far: f64 = 0.0;
    for _ in 0..1500 {
        w.step(DT, &Inline).unwrap();
        let p = vertex(&w, rods, 10);
        far = far.max(apart(p, w.body_center(body).unwrap()) - 0.1);
    }
    let end = center(&w);
    let t = 1500.0 * DT;
    let expected = [start[0], start[1] + t / (1.0 + rope_mass), start[2] + 0.3 * t / (1.0 + rope_mass)];
    println!("{start:?} → {end:?}, should be {expected:?}; tie opens by {far}");
    // The ghost points, a fifth of the rope, are not on its axis: up to 0.03 m off, however long it takes.
    assert!(apart(end, expected) < 0.03, "{end:?} {expected:?}");
    assert!(far < 5e-3);
}

/// A rope across a capsule that lies still, and one across a capsule that the host moves.
#[test]
fn ropes_lie_on_bodies() {
    for moves in [false, true] {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let s = 0.5f64.sqrt();
        let mut d = ball([0.0, 1.0, 0.0], 1.0, 0.0);
        d.motion = if moves { BodyMotion::Kinematic } else { BodyMotion::Static };
        d.pose.rotation = [s, 0.0, 0.0, s];
        d.shapes[0].shape = BodyShape::TaperedCapsule { half_height: 0.5, bottom: 0.2, top: 0.2 };
        let body = w.add_body(&d).unwrap();
        let d = rope([-0.6, 1.25, 0.0], [0.6, 1.25, 0.0], 31, EndSupport::Free);
        let soft = Stiffness::Physical { young: 1e5, shear: 4e4 };
        let rods = w.add_rods(RodsDesc { stiffness: soft, stretch_modulus: 1e7, friction: 1.0, ..d }).unwrap();
        for k in 0..240 {
            if moves {
                let mut p = w.body_pose(body).unwrap();
                p.position[1] = 1.0 + 0.2 * (k as f64 * DT).min(1.0);
                w.set_body_target(body, p).unwrap();
            }
            w.step(DT, &Inline).unwrap();
        }
        let mut low = f64::MAX;
        let top = w.body_pose(body).unwrap().position[1];
        w.rods(rods).unwrap().read_positions(|_, p| low = low.min((p[0] * p[0] + (p[1] - top) * (p[1] - top)).sqrt()));
        println!("moves {moves}: nearest to the axis {low}, contacts {}", w.stats().contacts);
        assert!(low > 0.2 + 0.01 - 2e-3 && w.stats().contacts > 0, "{low}");
    }
}
