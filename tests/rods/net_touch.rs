//! Nets whose strings touch each other.

use withy::tasks::Inline;
use withy::world::*;

const EDGES: usize = 4;
const CELL: f64 = 0.11;
const RADIUS: f64 = 4e-3;

fn net(w: &mut World, side: usize, touch: bool) -> Id {
    let at = |i: usize, k: usize, e: usize, along: usize| -> [f64; 3] {
        let part = e as f64 / EDGES as f64;
        let (a, b) = if along == 0 { (i as f64 + part, k as f64) } else { (i as f64, k as f64 + part) };
        [a * CELL, 0.5, b * CELL]
    };
    let (mut positions, mut ends) = (Vec::new(), vec![Vec::new(); side * side]);
    let mut strand = 0;
    for i in 0..side {
        for k in 0..side {
            for (along, (a, b)) in [(i + 1, k), (i, k + 1)].into_iter().enumerate() {
                if a < side && b < side {
                    positions.extend((0..=EDGES).map(|e| at(i, k, e, along)));
                    ends[i * side + k].push(StrandEnd { strand, tip: false });
                    ends[a * side + b].push(StrandEnd { strand, tip: true });
                    strand += 1;
                }
            }
        }
    }
    let count = positions.len();
    let rods = w
        .add_rods(RodsDesc {
            positions,
            counts: vec![EDGES as u32 + 1; count / (EDGES + 1)],
            radii: vec![RADIUS],
            stiffness: Stiffness::Physical { young: 2e6, shear: 8e5 },
            stretch_modulus: 5e7,
            density: 900.0,
            damping: 3.0,
            drag: 0.2,
            friction: 0.5,
            self_contact: touch,
            ..RodsDesc::default()
        })
        .unwrap();
    for here in &ends {
        let all: Vec<(Id, StrandEnd)> = here.iter().map(|e| (rods, *e)).collect();
        w.add_junction(&all, 6e-3, 2e-3).unwrap();
    }
    rods
}

/// The largest strain, and the fastest vertex, m/s.
fn look(w: &World, rods: Id) -> (f64, f64) {
    let (mut strain, mut fast) = (0.0f64, 0.0f64);
    w.rods(rods).unwrap().read_strain(|_, s| strain = strain.max(s.abs()));
    w.rods(rods).unwrap().read_velocities(|_, v| fast = fast.max(v.iter().map(|c| c * c).sum::<f64>().sqrt()));
    (strain, fast)
}

/// A net that is solved directly falls on a ball and comes to rest: colliders meet the junctions. (With a contact of each end on its own it flew at 1,000 m/s.)
#[test]
fn a_net_falls_on_a_ball() {
    for (touch, double_precision) in [(true, false), (false, true)] {
        const SIDE: usize = 7;
        let mut w = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
        w.add_collider(ColliderDesc::default()).unwrap();
        let middle = 0.5 * CELL * (SIDE - 1) as f64;
        let center = [middle + 0.01, 0.2, middle + 0.02];
        let pose = Pose { position: center, ..Pose::IDENTITY };
        w.add_collider(ColliderDesc { shape: Shape::Sphere { radius: 0.12 }, pose, ..ColliderDesc::default() }).unwrap();
        let rods = net(&mut w, SIDE, touch);
        let (mut worst, mut fastest) = (0.0f64, 0.0f64);
        for _ in 0..300 {
            w.step(1.0 / 60.0, &Inline).unwrap();
            let (strain, fast) = look(&w, rods);
            (worst, fastest) = (worst.max(strain), fastest.max(fast));
        }
        let what = format!("touching {touch}, f64 {double_precision}");
        // It falls 0.2 m, and its rim swings down.
        assert!(worst < 0.01 && fastest < 7.0, "{what}: strain {worst}, {fastest} m/s");
        assert!(look(&w, rods).1 < 0.3, "{what}: still {} m/s", look(&w, rods).1);
        let (mut deepest, mut lowest) = (0.0f64, f64::MAX);
        w.rods(rods).unwrap().read_positions(|_, p| {
            let d: f64 = (0..3).map(|k| (p[k] - center[k]).powi(2)).sum();
            deepest = deepest.max(0.12 + RADIUS - d.sqrt());
            lowest = lowest.min(p[1]);
        });
        assert!(deepest < 1e-3 && lowest > RADIUS - 1e-3, "{what}: {deepest} m in the ball, lowest at {lowest} m");
        assert!(w.stats().contacts > 0, "{what}");
    }
}

/// A net hangs over a bar that is a rod.
#[test]
fn a_net_hangs_over_a_rod() {
    const SIDE: usize = 7;
    let mut w = World::new(WorldDesc::default()).unwrap();
    let rods = net(&mut w, SIDE, true);
    let middle = 0.5 * CELL * (SIDE - 1) as f64;
    let bar: Vec<[f64; 3]> = (0..=40).map(|k| [-0.3 + 0.04 * f64::from(k), 0.45, middle + 0.02]).collect();
    let desc = RodsDesc {
        positions: bar.clone(),
        counts: vec![41],
        radii: vec![0.012],
        stiffness: Stiffness::Physical { young: 1e9, shear: 4e8 },
        self_contact: true,
        ..RodsDesc::default()
    };
    let held = w.add_rods(desc).unwrap();
    for (v, p) in bar.iter().enumerate() {
        w.rods_mut(held).unwrap().set_pin(v as u32, Some(*p), false).unwrap();
    }
    let mut worst = 0.0f64;
    for _ in 0..150 {
        w.step(1.0 / 60.0, &Inline).unwrap();
        worst = worst.max(look(&w, rods).0);
    }
    let mut highest = f64::MIN;
    w.rods(rods).unwrap().read_positions(|_, p| highest = highest.max(p[1]));
    assert!(worst < 0.01 && look(&w, rods).1 < 1.0, "strain {worst}, {} m/s", look(&w, rods).1);
    assert!(highest > 0.45, "it lies on the bar: {highest}");
}

/// A strand whose two ends one junction holds together falls like anything else.
#[test]
fn a_closed_loop_falls() {
    for (touch, radius) in [(false, 1e-3), (true, 1e-3), (true, 7e-3)] {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let positions = (0..=16).map(|k| {
            let (y, z) = (std::f64::consts::TAU * f64::from(k) / 16.0).sin_cos();
            [0.0, 0.0275 * (1.0 - z), 0.0275 * y]
        });
        let rods = w
            .add_rods(RodsDesc {
                positions: positions.collect(),
                counts: vec![17],
                radii: vec![radius],
                stiffness: Stiffness::Physical { young: 1e7, shear: 4e6 },
                self_contact: touch,
                ..RodsDesc::default()
            })
            .unwrap();
        let end = |tip| (rods, StrandEnd { strand: 0, tip });
        w.add_junction(&[end(false), end(true)], 7e-3, 5e-3).unwrap();
        for _ in 0..30 {
            w.step(1.0 / 60.0, &Inline).unwrap();
        }
        let (mut low, mut high) = (f64::MAX, f64::MIN);
        w.rods(rods).unwrap().read_positions(|_, p| (low, high) = (low.min(p[1]), high.max(p[1])));
        println!("touch {touch} radius {radius}: {low:.3} to {high:.3}");
        assert!(low < -1.1 && high < -1.1 && high - low < 0.065, "touch {touch}, radius {radius}: {low} to {high}");
    }
}

/// A net falls on a ball that it pushes, which lies on the ground; then a box falls on the net: the strings keep their lengths, what is between the box and
/// the ground too, and all come to rest.
#[test]
fn a_net_falls_on_a_body() {
    for (touch, mass) in [(false, 5.0), (true, 0.3)] {
        const SIDE: usize = 7;
        let mut w = World::new(WorldDesc::default()).unwrap();
        w.add_collider(ColliderDesc::default()).unwrap();
        let middle = 0.5 * CELL * (SIDE - 1) as f64;
        let body = |shape, position, mass| BodyDesc {
            pose: Pose { position, ..Pose::IDENTITY },
            mass,
            shapes: vec![ShapeDesc { shape, ..ShapeDesc::default() }],
            ..BodyDesc::default()
        };
        let ball = body(BodyShape::Sphere { radius: 0.12 }, [middle + 0.01, 0.12, middle + 0.02], mass);
        let ball = w.add_body(&ball).unwrap();
        let rods = net(&mut w, SIDE, touch);
        let (mut worst, mut fastest, mut block) = (0.0f64, 0.0f64, None);
        for k in 0..480 {
            w.step(1.0 / 60.0, &Inline).unwrap();
            let (strain, fast) = look(&w, rods);
            (worst, fastest) = (worst.max(strain), fastest.max(fast));
            if k == 240 {
                assert!(fast < 0.1, "{touch}, {mass} kg: still {fast} m/s");
                let shape = BodyShape::Box { half_extents: [0.1, 0.05, 0.2] };
                block = Some(w.add_body(&body(shape, [0.0, 0.3, middle], 4.0)).unwrap());
            }
        }
        let what = format!("touching {touch}, {mass} kg");
        let (at, on) = (w.body_center(ball).unwrap(), w.body_center(block.unwrap()).unwrap());
        println!("{what}: strain {worst:.4}, fastest {fastest:.2} m/s, at last {:.4}, ball {at:?}, box {on:?}", look(&w, rods).1);
        assert!(worst < 0.01 && fastest < 7.0, "{what}: strain {worst}, {fastest} m/s");
        assert!(look(&w, rods).1 < 0.05, "{what}: still {} m/s", look(&w, rods).1);
        assert!((0.116..0.121).contains(&at[1]), "{what}: the ball lies on the ground: {at:?}");
        assert!(on[1] > 0.052, "{what}: the box lies on strings: {on:?}");
    }
}

/// A long rope with an eye at its end, a closed loop, is flung from a hand until it is taut.
#[test]
fn an_eye_at_a_rope_is_flung() {
    for (touch, edges) in [(false, 60), (true, 150)] {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let edge = 0.02;
        // It hangs in a bow, and all of it goes at 6 m/s.
        let way = |k: usize| {
            let s = edge * k as f64;
            [0.5 * s, 1.0, 0.2 * (20.0 * s).sin().abs()]
        };
        let positions: Vec<[f64; 3]> = (0..=edges).map(way).collect();
        let base = RodsDesc {
            radii: vec![7e-3],
            stiffness: Stiffness::Physical { young: 2e6, shear: 8e5 },
            stretch_modulus: 3e7,
            rest_shape: RestShape::Straight,
            damping: 2.0,
            self_contact: touch,
            ..RodsDesc::default()
        };
        let end = positions[edges];
        let n = positions.len();
        let rope = RodsDesc {
            positions,
            counts: vec![n as u32],
            velocities: vec![[6.0, 0.0, 0.0]; n],
            root: EndSupport::Pinned,
            ..base.clone()
        };
        let rods = w.add_rods(rope).unwrap();
        let ring = (0..=16).map(|k| {
            let (y, z) = (std::f64::consts::TAU * f64::from(k) / 16.0).sin_cos();
            [end[0] + 0.045 * (1.0 - z), end[1] + 0.045 * y, end[2]]
        });
        let eye = RodsDesc {
            positions: ring.collect(),
            counts: vec![17],
            velocities: vec![[6.0, 0.0, 0.0]; 17],
            rest_shape: RestShape::default(),
            stiffness: Stiffness::Physical { young: 1e7, shear: 4e6 },
            ..base
        };
        let eye = w.add_rods(eye).unwrap();
        let at = |tip| StrandEnd { strand: 0, tip };
        w.add_junction(&[(rods, at(true)), (eye, at(false)), (eye, at(true))], 7e-3, 5e-3).unwrap();
        let (mut worst, mut fastest) = (0.0f64, 0.0f64);
        for _ in 0..150 {
            w.step(1.0 / 60.0, &Inline).unwrap();
            let (a, b) = (look(&w, rods), look(&w, eye));
            (worst, fastest) = (worst.max(a.0).max(b.0), fastest.max(a.1).max(b.1));
        }
        // It falls 3 m at most, and its end cracks.
        assert!(worst < 0.05 && fastest < 25.0, "touch {touch}, {edges} edges: strain {worst}, {fastest} m/s");
    }
}

/// A body under a net goes away: the net falls, and nothing else is moved by what was there. A sleeping box wakes under a heavy net.
#[test]
fn bodies_under_nets_go_and_wake() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let middle = 0.5 * CELL * 4.0;
    let of = |position, mass| BodyDesc {
        pose: Pose { position, ..Pose::IDENTITY },
        mass,
        gravity_scale: 0.0,
        shapes: vec![ShapeDesc { shape: BodyShape::Box { half_extents: [0.2, 0.05, 0.2] }, ..ShapeDesc::default() }],
        ..BodyDesc::default()
    };
    let far = w.add_body(&of([9.0, 0.0, 0.0], 5.0)).unwrap();
    let under = w.add_body(&of([middle, 0.4, middle], 5.0)).unwrap();
    w.set_body_sleeping(under, true).unwrap();
    let rods = net(&mut w, 5, true);
    let height = |w: &World| {
        let mut low = f64::MAX;
        w.rods(rods).unwrap().read_positions(|_, p| low = low.min(p[1]));
        low
    };
    (0..30).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
    assert!(!w.body_sleeps(under).unwrap() && w.body_motion(under).unwrap()[0][1] < -0.01, "the net pushes the box");
    w.remove_body(under).unwrap();
    let before = height(&w);
    (0..30).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
    assert!(height(&w) < before - 1.0, "the net falls: {}", height(&w));
    assert_eq!(w.body_pose(far).unwrap().position, [9.0, 0.0, 0.0]);
}
