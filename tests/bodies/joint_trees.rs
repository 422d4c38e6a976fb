//! Random trees of bodies on joints, hung from the world and undamped: none is thrown.

use withy::math::rng::Rng;
use withy::world::*;

const DT: f64 = 1.0 / 60.0;
const PI: f64 = core::f64::consts::PI;

#[derive(Clone, Copy)]
struct Tree {
    bodies: usize,
    /// The largest mass over the smallest.
    spread: f64,
    on: On,
    double: bool,
}

/// The joints of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
enum On {
    Fixed,
    Balls,
    /// About axes in all directions, free, or with limits at half a radian.
    Hinges,
    Stops,
}

fn rotation(r: &mut Rng) -> [f64; 4] {
    loop {
        let q: [f64; 4] = core::array::from_fn(|_| r.range(-1.0, 1.0));
        let l = q.iter().map(|v| v * v).sum::<f64>().sqrt();
        if (0.1..1.0).contains(&l) {
            return q.map(|v| v / l);
        }
    }
}

/// v turned by the unit quaternion q.
fn turned([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let cross = |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let t = cross([x, y, z], v).map(|c| 2.0 * c);
    let u = cross([x, y, z], t);
    core::array::from_fn(|k| v[k] + w * t[k] + u[k])
}

/// The rotation q after p.
fn after([x, y, z, w]: [f64; 4], p: [f64; 4]) -> [f64; 4] {
    let [a, b, c] = turned([x, y, z, w], [p[0], p[1], p[2]]);
    // q p = (q p q⁻¹) q
    [
        a * w + p[3] * x + b * z - c * y,
        b * w + p[3] * y + c * x - a * z,
        c * w + p[3] * z + a * y - b * x,
        p[3] * w - a * x - b * y - c * z,
    ]
}

/// Boxes of 0.1 to 0.6 m, each with a point of its own at one of an earlier box; the first at one of the world.
fn plant(t: Tree, substeps: u32, iterations: u32, seed: u64) -> (World, Vec<Id>, Vec<Id>) {
    let mut w = World::new(WorldDesc { substeps, iterations, double_precision: t.double, ..WorldDesc::default() }).unwrap();
    let mut r = Rng::new(seed);
    let (mut bodies, mut joints, mut places) = (Vec::new(), Vec::new(), Vec::<(Pose, [f64; 3])>::new());
    for k in 0..t.bodies {
        let half: [f64; 3] = core::array::from_fn(|_| r.range(0.05, 0.3));
        let q = rotation(&mut r);
        let inside = |r: &mut Rng, half: [f64; 3]| half.map(|h| r.range(-h, h));
        let here = inside(&mut r, half);
        let parent = if k == 0 { None } else { Some((r.unit() * k as f64) as usize) };
        let (there, frame) = match parent {
            None => ([0.0; 3], Pose::IDENTITY),
            Some(p) => {
                let (pose, half) = places[p];
                let at = inside(&mut r, half);
                let turned = turned(pose.rotation, at);
                (core::array::from_fn(|k| pose.position[k] + turned[k]), Pose { position: at, rotation: pose.rotation })
            }
        };
        let arm = turned(q, here);
        let pose = Pose { position: core::array::from_fn(|k| there[k] - arm[k]), rotation: q };
        let mass = 10.0 * t.spread.powf(r.range(-0.5, 0.5));
        let shape = ShapeDesc { shape: BodyShape::Box { half_extents: half }, ..ShapeDesc::default() };
        let b = w
            .add_body(&BodyDesc {
                pose,
                shapes: vec![shape],
                mass,
                group: 1,
                can_sleep: false,
                angular_damping: 0.0,
                ..BodyDesc::default()
            })
            .unwrap();
        // The frames of both bodies along the world's axes, those of hinges turned about x, y or neither.
        let back = |[x, y, z, w]: [f64; 4]| [-x, -y, -z, w];
        let s = 0.5f64.sqrt();
        let to = match t.on {
            On::Hinges | On::Stops => [[s, 0.0, 0.0, s], [0.0, s, 0.0, s], [0.0, 0.0, 0.0, 1.0]][k % 3],
            _ => [0.0, 0.0, 0.0, 1.0],
        };
        let frame_a = Pose { rotation: after(back(frame.rotation), to), ..frame };
        let frame_b = Pose { position: here, rotation: after(back(q), to) };
        let kind = match t.on {
            On::Fixed => JointKind::Fixed,
            On::Balls => JointKind::Ball { limits: None },
            On::Hinges => JointKind::Hinge { limits: [-PI, PI] },
            On::Stops => JointKind::Hinge { limits: [-0.5, 0.5] },
        };
        let a = parent.map(|p| bodies[p]);
        joints.push(w.add_joint(&JointDesc { a, b, frame_a, frame_b, kind, motor: None, collide: false }).unwrap());
        bodies.push(b);
        places.push((pose, half));
    }
    (w, bodies, joints)
}

/// What became of a tree.
#[derive(Clone, Copy, Debug, Default)]
struct Fate {
    /// Largest error of a joint in the whole time, m; in the last second, m and rad.
    worst: f64,
    last: [f64; 2],
    /// Largest kinetic energy in the last second, and the most that all energy was above that of the start, J.
    kinetic: f64,
    gained: f64,
}

fn grow(t: Tree, substeps: u32, iterations: u32, seed: u64, seconds: usize) -> Fate {
    let (mut w, bodies, joints) = plant(t, substeps, iterations, seed);
    let (mut f, mut start) = (Fate::default(), None);
    let known = |v: f64| if v.is_finite() { v } else { f64::INFINITY };
    for k in 0..60 * seconds {
        w.step(DT, &Inline).unwrap();
        let last = if k >= 60 * (seconds - 1) { 1.0 } else { 0.0 };
        for &j in &joints {
            let [open, off] = w.joint_error(j).unwrap().map(known);
            f.worst = f.worst.max(open);
            f.last = [f.last[0].max(open * last), f.last[1].max(off * last)];
        }
        let sum = |k: usize| known(bodies.iter().map(|&b| w.body_energy(b).unwrap()[k]).sum());
        let (kinetic, all) = (sum(0), known(sum(0) + sum(1)));
        f.gained = f.gained.max(all - *start.get_or_insert(all));
        f.kinetic = f.kinetic.max(kinetic * last);
    }
    f
}

const SETTINGS: [(u32, u32); 5] = [(8, 4), (8, 2), (20, 1), (4, 5), (1, 20)];

/// Trees of ten bodies with masses a hundred times apart. On fixed joints they come to rest; on balls and hinges they swing, and gain no energy.
fn stand(on: On, double: bool, seeds: u64) {
    for (substeps, iterations) in SETTINGS {
        let (mut thrown, mut kinetic, mut open, mut off): (Vec<_>, f64, f64, f64) = (Vec::new(), 0.0, 0.0, 0.0);
        for seed in 1..=seeds {
            let f = grow(Tree { bodies: 10, spread: 100.0, on, double }, substeps, iterations, seed, 20);
            let energy = if on == On::Fixed { f.kinetic } else { f.gained };
            if energy > 10.0 || f.worst > 1.0 {
                thrown.push((seed, f));
            }
            (kinetic, open, off) = (kinetic.max(f.kinetic), open + f.last[0] / seeds as f64, off + f.last[1] / seeds as f64);
        }
        println!(
            "{on:?}, f64 {double}, {substeps} × {iterations}: {} thrown; at most {kinetic:.1e} J in the end, largest errors on average \
             {open:.1e} m, {off:.1e} rad",
            thrown.len()
        );
        assert!(thrown.is_empty(), "{on:?}, {substeps} × {iterations}: {thrown:?}");
    }
}

#[test]
fn no_tree_on_fixed_joints_is_thrown() {
    stand(On::Fixed, false, 60);
}

#[test]
fn no_tree_on_fixed_joints_is_thrown_in_f64() {
    stand(On::Fixed, true, 20);
}

#[test]
fn no_tree_on_balls_gains_energy() {
    stand(On::Balls, false, 30);
}

#[test]
fn no_tree_on_hinges_gains_energy() {
    stand(On::Hinges, false, 30);
    stand(On::Stops, false, 30);
}

/// Of 23 bodies with masses up to a thousand times apart some are too much still: how many.
#[test]
#[ignore = "a survey, of what is not promised"]
fn large_trees() {
    for on in [On::Fixed, On::Balls, On::Hinges, On::Stops] {
        for (substeps, iterations) in SETTINGS {
            let fates: Vec<Fate> = (1..=30)
                .map(|seed| grow(Tree { bodies: 23, spread: 1000.0, on, double: false }, substeps, iterations, seed, 20))
                .collect();
            let thrown =
                fates.iter().filter(|f| f.worst > 1.0 || (if on == On::Fixed { f.kinetic } else { f.gained }) > 10.0).count();
            println!("{on:?}, {substeps} × {iterations}: {thrown} of {}", fates.len());
        }
    }
}
