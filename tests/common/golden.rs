//! Small scenes whose state must come out with the same bits on every machine. Shared by `tests/golden.rs` and
//! `examples/golden.rs`; the latter also runs under wine and qemu (`cargo xtask cross`).
//!
//! Nothing here calls libm, whose results differ between systems: sines come from `math::approx`, random numbers from
//! `math::rng`. Between them the scenes reach all block widths (32, 16, 4, 1), both stiffness modes, all sweep orders, every
//! collider shape, supports at both ends, pins, forces, junctions, triangle attachments and f64.

use withy::math::Isa;
use withy::math::approx::sin_cos;
use withy::math::rng::Rng;
use withy::world::*;

pub struct Golden {
    pub name: &'static str,
    pub hash: u64,
    play: fn(Isa, &dyn TaskRunner) -> World,
}

/// What every machine must get. A change here is a change of results: it belongs in CHANGELOG.md.
pub const SCENES: [Golden; 8] = [
    Golden { name: "groom", hash: 0xa513_9e8a_bc46_7851, play: |isa, runner| groom(isa, runner, false, GHOST_SWEPT) },
    Golden { name: "groom_f64", hash: 0x386b_0cf5_63dc_1eef, play: |isa, runner| groom(isa, runner, true, GHOST_SWEPT) },
    Golden { name: "groom_direct", hash: 0xc18a_11eb_7202_2938, play: |isa, runner| groom(isa, runner, false, GHOST_DIRECT) },
    Golden { name: "groom_der_f64", hash: 0xfbe9_07d8_8cce_40cb, play: |isa, runner| groom(isa, runner, true, DER) },
    Golden { name: "rope", hash: 0x9cea_9192_5dfd_2e83, play: rope },
    Golden { name: "alpha", hash: 0x9ebb_6b96_21ea_6838, play: alpha },
    Golden { name: "ties", hash: 0x9a0a_09e8_026d_a035, play: |isa, runner| ties(isa, runner, SweepOrder::Direct) },
    Golden { name: "ties_swept", hash: 0x2cd5_2c10_dfe1_4bdf, play: |isa, runner| ties(isa, runner, SweepOrder::Alternating) },
];

impl Golden {
    /// Plays the scene and returns the hash of its last state.
    pub fn run(&self, isa: Isa, runner: &dyn TaskRunner) -> u64 {
        let world = (self.play)(isa, runner);
        let stats = world.stats();
        assert_eq!(stats.non_finite_strands, 0, "{}: a hash over NaN proves nothing", self.name);
        world.state_hash()
    }
}

/// Who runs the tasks: the name and the runner.
pub fn runners() -> Vec<(&'static str, Box<dyn TaskRunner>)> {
    let pool = |threads| Box::new(Pool::new(threads).expect("threads start"));
    vec![("inline", Box::new(Inline)), ("2", pool(2)), ("8", pool(8))]
}

const GHOST_SWEPT: (RodModel, SweepOrder) = (RodModel::Ghost, SweepOrder::Alternating);
/// With all defaults: of second order in time.
const GHOST_DIRECT: (RodModel, SweepOrder) = (RodModel::Ghost, SweepOrder::Auto);
const DER: (RodModel, SweepOrder) = (RodModel::Der, SweepOrder::Auto);

const FRAME: f64 = 1.0 / 60.0;

fn world(isa: Isa, double_precision: bool, substeps: u32, iterations: u32) -> World {
    World::new(WorldDesc { isa: Some(isa), double_precision, substeps, iterations, ..WorldDesc::default() }).expect("valid")
}

/// A turn by `angle` about the unit vector `axis`.
fn turn(axis: [f64; 3], angle: f64) -> [f64; 4] {
    let (s, c) = sin_cos(angle * 0.5);
    [axis[0] * s, axis[1] * s, axis[2] * s, c]
}

/// 45 strands of 2 to 26 vertices (a block of 32 and one of 16), curled, elliptic, of uneven stiffness, on a scalp that nods
/// and slides; drag, wind, damping; the four collider shapes, moving; a pin and forces for a while.
fn groom(isa: Isa, runner: &dyn TaskRunner, double_precision: bool, (model, order): (RodModel, SweepOrder)) -> World {
    const STRANDS: u32 = 45;
    let mut rng = Rng::new(2014);
    let mut d = RodsDesc {
        radii: Vec::new(),
        aspect: 0.6,
        stiffness: Stiffness::Physical { young: 4e8, shear: 1.5e8 },
        root: EndSupport::Clamped,
        damping: 3.0,
        drag: 1.5,
        wind: [2.0, 0.0, -1.0],
        friction: 0.4,
        collision_radius: 4e-3,
        model,
        order,
        ..RodsDesc::default()
    };
    let root = |s: u32| {
        let (z, x) = sin_cos(s as f64 * 0.7);
        [0.1 * x, 1.5, 0.1 * z]
    };
    for s in 0..STRANDS {
        let n = 2 + (s * 11) % 25;
        let (phase, curl) = (rng.range(0.0, 6.0), rng.range(0.0, 8e-3));
        d.counts.push(n);
        for v in 0..n {
            let (r, t) = (root(s), v as f64 * 0.012);
            let (a, b) = sin_cos(phase + 90.0 * t);
            let (a0, b0) = sin_cos(phase);
            d.positions.push([r[0] * (1.0 + 4.0 * t) + curl * (a - a0), r[1] - t, r[2] * (1.0 + 4.0 * t) + curl * (b - b0)]);
            d.radii.push(5e-4 * (1.0 - 0.5 * v as f64 / n as f64));
            d.stiffness_scale.push(rng.range(0.5, 2.0));
        }
        d.section_axes.push([rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)]);
    }
    let mut w = world(isa, double_precision, 5, 4);
    let id = w.add_rods(d).expect("valid");
    let still = |shape, position| ColliderDesc { shape, pose: Pose { position, ..Pose::IDENTITY }, ..ColliderDesc::default() };
    w.add_collider(still(Shape::Plane, [0.0, 1.28, 0.0])).expect("valid");
    let ball = w.add_collider(still(Shape::Sphere { radius: 0.08 }, [0.0, 1.42, 0.0])).expect("valid");
    let tilted = turn([0.6, 0.0, 0.8], 0.9);
    let capsule = ColliderDesc {
        pose: Pose { position: [0.16, 1.4, 0.05], rotation: tilted },
        ..still(Shape::Capsule { radius: 0.03, half_height: 0.1 }, [0.0; 3])
    };
    w.add_collider(capsule).expect("valid");
    let block = w.add_collider(still(Shape::Box { half_extents: [0.05, 0.04, 0.1] }, [-0.17, 1.38, 0.0])).expect("valid");
    for frame in 0..24 {
        let t = frame as f64 * FRAME;
        let nod = turn([0.0, 0.6, 0.8], 0.8 * sin_cos(9.0 * t).0);
        let slide = 0.05 * sin_cos(7.0 * t).0;
        let pose = |s: usize| {
            let [x, y, z] = root(s as u32);
            Pose { position: [x + slide, y + 0.2 * slide, z], rotation: nod }
        };
        let rods = w.rods_mut(id).expect("live");
        rods.set_root_poses(pose, false).expect("clamped");
        match frame {
            4 => rods.set_pin(20, Some([0.1, 1.45, 0.12]), false).expect("free"),
            10 => rods.set_forces(|i| [0.0, 1e-5 * (i % 3) as f64, 0.0]).expect("finite"),
            14 => rods.set_pin(20, None, false).expect("pinned"),
            16 => rods.clear_forces(),
            _ => {}
        }
        let ball_pose = Pose { position: [slide, 1.42, -slide], rotation: turn([0.0, 1.0, 0.0], t) };
        w.set_collider_pose(ball, ball_pose, false).expect("live");
        let block_pose = Pose { position: [-0.17 + slide, 1.38, 0.0], rotation: turn([0.0, 0.0, 1.0], 2.0 * t) };
        w.set_collider_pose(block, block_pose, false).expect("live");
        w.step(FRAME, runner).expect("steps");
    }
    w
}

/// One strand (block of width 1) held at both ends and wound up until it leaves the line; three more (width 4) pinned.
fn rope(isa: Isa, runner: &dyn TaskRunner) -> World {
    let mut w = world(isa, false, 8, 6);
    let line = |z: f64, n: u32| (0..n).map(move |v| [0.025 * v as f64, 1.0, z]);
    let base = RodsDesc {
        radii: vec![4e-3],
        stiffness: Stiffness::Physical { young: 5e6, shear: 2e6 },
        damping: 2.0,
        order: SweepOrder::Alternating,
        ..RodsDesc::default()
    };
    let wound = RodsDesc {
        positions: line(0.0, 41).collect(),
        counts: vec![41],
        root: EndSupport::Clamped,
        tip: EndSupport::Clamped,
        ..base.clone()
    };
    let wound = w.add_rods(wound).expect("valid");
    let slack = RodsDesc {
        positions: line(0.1, 9).chain(line(0.2, 14)).chain(line(0.3, 14)).collect(),
        counts: vec![9, 14, 14],
        root: EndSupport::Pinned,
        tip: EndSupport::Pinned,
        rest_shape: RestShape::Straight,
        ..base
    };
    w.add_rods(slack).expect("valid");
    for frame in 0..40 {
        let k = frame as f64 / 40.0;
        let rotation = turn([1.0, 0.0, 0.0], 6.0 * k);
        let tip = Pose { position: [1.0 - 0.2 * k, 1.0, 0.0], rotation };
        w.rods_mut(wound).expect("live").set_tip_poses(|_| tip, false).expect("clamped");
        w.step(FRAME, runner).expect("steps");
    }
    w
}

/// The paper's α for stiffness, swept in both orders; free ends fall on a plane.
fn alpha(isa: Isa, runner: &dyn TaskRunner) -> World {
    let mut w = world(isa, false, 3, 10);
    for (k, order) in [SweepOrder::RootToTip, SweepOrder::Alternating, SweepOrder::Alternating].into_iter().enumerate() {
        let mut d = RodsDesc {
            stiffness: Stiffness::Alpha { bend1: 0.3, bend2: 0.6, twist: 0.8, stretch: 1.0 },
            root: if k == 2 { EndSupport::Free } else { EndSupport::Pinned },
            friction: 0.8,
            order,
            ..RodsDesc::default()
        };
        for s in 0..20 {
            let n = 5 + (s * 7) % 13;
            d.counts.push(n);
            d.positions.extend((0..n).map(|v| {
                let (a, b) = sin_cos(0.4 * v as f64 + s as f64);
                [k as f64 + 0.03 * a, 0.3 + 0.02 * s as f64 + 0.02 * b, 0.04 * v as f64]
            }));
        }
        w.add_rods(d).expect("valid");
    }
    w.add_collider(ColliderDesc::default()).expect("valid");
    for _ in 0..30 {
        w.step(FRAME, runner).expect("steps");
    }
    w
}

/// Three rods joined in a star, and a rod that hangs on a triangle of a soft mesh.
fn ties(isa: Isa, runner: &dyn TaskRunner, order: SweepOrder) -> World {
    let mut w = world(isa, false, 8, 8);
    let end = |strand, tip| StrandEnd { strand, tip };
    let mut star = RodsDesc { radii: vec![0.01], order, ..RodsDesc::default() };
    for k in 0..3 {
        let (z, x) = sin_cos(2.1 * k as f64);
        star.counts.push(8);
        star.positions.extend((0..8).map(|v| [0.07 * x * v as f64, 2.0, 0.07 * z * v as f64]));
    }
    star.velocities = star.positions.iter().map(|p| [0.5 + 2.0 * p[2], 0.0, -2.0 * p[0]]).collect();
    let star = w.add_rods(star).expect("valid");
    w.add_junction(&[(star, end(0, false)), (star, end(1, false)), (star, end(2, false))], 0.05, 0.05).expect("free ends");

    let rod = RodsDesc {
        positions: (0..11).map(|v| [0.2 + 0.05 * v as f64, 1.0, 0.2]).collect(),
        counts: vec![11],
        radii: vec![0.01],
        order,
        ..RodsDesc::default()
    };
    let rod = w.add_rods(rod).expect("valid");
    let mesh = MeshDesc {
        positions: vec![[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]],
        triangles: vec![[0, 2, 1], [1, 2, 3]],
        inv_masses: vec![0.0, 0.5, 0.5, 1.0],
        edge_compliance: Some(1e-4),
        ..MeshDesc::default()
    };
    let mesh = w.add_mesh(mesh).expect("valid");
    w.attach_triangle(rod, end(0, false), mesh, 0, [0.6, 0.2, 0.2], true).expect("free end");
    for _ in 0..30 {
        w.step(FRAME, runner).expect("steps");
    }
    w
}
