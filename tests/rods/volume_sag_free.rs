//! Rest shapes and statics of rods that keep their volume, and of muscles.

use withy::math::Vec3;
use withy::sagfree::batch::Status;
use withy::sagfree::rest_shape::Options;
use withy::tasks::Inline;
use withy::world::*;

const FRAME: f64 = 1.0 / 60.0;
const YOUNG: f64 = 4e5;
const MODELS: [RodModel; 2] = [RodModel::Ghost, RodModel::Der];

/// A tentacle that stands out from a wall, and bends.
fn tentacle(nu: f64, model: RodModel) -> RodsDesc {
    let edges = 24;
    let (mut positions, mut x) = (Vec::new(), [0.0, 1.0, 0.0]);
    let mut radii = Vec::new();
    for v in 0..=edges {
        positions.push(x);
        let t = f64::from(v) / f64::from(edges);
        radii.push(0.03 * (1.0 - 0.6 * t));
        let (pitch, yaw) = (0.9 - 2.2 * t, 0.8 * t);
        x = [x[0] + 0.02 * pitch.cos() * yaw.cos(), x[1] + 0.02 * pitch.sin(), x[2] + 0.02 * pitch.cos() * yaw.sin()];
    }
    RodsDesc {
        counts: vec![edges as u32 + 1],
        positions,
        radii,
        stiffness: Stiffness::Physical { young: YOUNG, shear: YOUNG / (2.0 * (1.0 + nu)) },
        poisson_ratio: nu,
        density: 1060.0,
        root: EndSupport::Clamped,
        order: SweepOrder::Direct,
        model,
        can_sleep: false,
        drag: 1.0,
        ..RodsDesc::default()
    }
}

fn points(world: &World, id: Id) -> Vec<Vec3<f64>> {
    let mut all = Vec::new();
    world.rods(id).unwrap().read_positions(|_, p| all.push(Vec3::from(p)));
    all
}

fn scales(world: &World, id: Id) -> Vec<f64> {
    let mut all = Vec::new();
    world.rods(id).unwrap().read_scales(|_, s| all.push(s));
    all
}

fn farthest(a: &[Vec3<f64>], b: &[Vec3<f64>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max)
}

fn spread(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn seconds(world: &mut World, seconds: f64) {
    for _ in 0..(seconds * 60.0) as usize {
        world.step(FRAME, &Inline).unwrap();
    }
}

/// How far a vertex goes within 2 s, m, and by how much a section changes its scale.
fn goes(double_precision: bool, desc: RodsDesc) -> (f64, f64, Vec<f64>) {
    let mut world = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
    let id = world.add_rods(desc).unwrap();
    let (x, s) = (points(&world, id), scales(&world, id));
    let (mut far, mut swells) = (0.0f64, 0.0f64);
    for _ in 0..12 {
        seconds(&mut world, 1.0 / 6.0);
        far = far.max(farthest(&x, &points(&world, id)));
        swells = swells.max(spread(&s, &scales(&world, id)));
    }
    (far, swells, s)
}

#[test]
fn rods_that_keep_their_volume_hold_their_pose() {
    for (nu, model) in [0.3, 0.45, 0.4999].into_iter().flat_map(|nu| MODELS.map(|m| (nu, m))) {
        let (far, ..) = goes(true, tentacle(nu, model));
        assert!(far > 0.03, "ν {nu} {model:?}: without, it sags by {far}");
        for double in [true, false] {
            let (far, swells, at) = goes(double, RodsDesc { sag_free: true, ..tentacle(nu, model) });
            // What it carries has changed its sections.
            let most = at.iter().map(|s| (s - 1.0).abs()).fold(0.0, f64::max);
            assert!(most > 5e-4, "ν {nu} {model:?}: sections differ by {most} only");
            let bound = if double { [1e-7, 1e-6] } else { [1e-4, 2e-5] };
            assert!(far < bound[0] && swells < bound[1], "ν {nu} {model:?} f64 {double}: moves by {far} m, swells by {swells}");
        }
    }
}

/// A second search ends where the first did, and the report says that it holds.
#[test]
fn a_rest_shape_of_sections_is_found_once() {
    for model in MODELS {
        let mut world = World::new(WorldDesc { double_precision: true, ..WorldDesc::default() }).unwrap();
        let id = world.add_rods(RodsDesc { sag_free: true, ..tentacle(0.45, model) }).unwrap();
        let rest = |world: &World| {
            let mut all = Vec::new();
            world.rods(id).unwrap().read_rest_lengths(|_, l| all.push(l));
            world.rods(id).unwrap().read_rest_strains(|_, s| all.extend(s));
            all
        };
        let report = world.rods(id).unwrap().elastic_report()[0];
        assert!(report.status == Status::AtTarget && report.holds(0.0), "{model:?}: {report:?}");
        let (first, at) = (rest(&world), scales(&world, id));
        world.optimize_rest_shape(id, &Options::default(), &Inline, &mut |_, _| true).unwrap();
        assert!(spread(&first, &rest(&world)) < 1e-8, "{model:?}: {}", spread(&first, &rest(&world)));
        assert!(spread(&at, &scales(&world, id)) < 1e-8, "{model:?}");
    }
}

/// Statics find where a minute of steps ends, and what presses on sections counts.
#[test]
fn statics_of_rods_that_keep_their_volume_are_where_steps_end() {
    for model in MODELS {
        let mut world = World::new(WorldDesc { double_precision: true, ..WorldDesc::default() }).unwrap();
        let [found, stepped] = [0, 1].map(|_| world.add_rods(RodsDesc { drag: 8.0, ..tentacle(0.45, model) }).unwrap());
        for id in [found, stepped] {
            world.rods_mut(id).unwrap().set_radial_forces(|e| if e < 6 { -20.0 } else { 0.0 }).unwrap();
        }
        world.settle(found, 200, 1e-9, &Inline).unwrap();
        let (x, s) = (points(&world, found), scales(&world, found));
        assert!(s.iter().any(|s| (s - 1.0).abs() > 5e-3), "{s:?}");
        seconds(&mut world, 60.0);
        let (left, off) = (farthest(&x, &points(&world, found)), farthest(&x, &points(&world, stepped)));
        assert!(left < 1e-6 && off < 1e-5, "{model:?}: leaves by {left} m, steps end {off} m off");
        assert!(spread(&s, &scales(&world, stepped)) < 1e-6, "{model:?}: {}", spread(&s, &scales(&world, stepped)));
    }
}

/// Three strands, one above the other, that hang from bone to bone.
fn muscle(sag_free: bool) -> RodsDesc {
    let (strands, edges) = (3, 20);
    let at = |k: i32, v: i32| {
        let t = f64::from(v) / f64::from(edges);
        [0.5 * t, 1.0 + 0.025 * f64::from(k) - 0.16 * t * (1.0 - t), 0.0]
    };
    RodsDesc {
        counts: vec![edges as u32 + 1; strands as usize],
        positions: (0..strands).flat_map(|k| (0..=edges).map(move |v| at(k, v))).collect(),
        radii: vec![0.01],
        muscle: Some(Muscle::RestShape { shortest: 0.7 }),
        root: EndSupport::Free,
        stiffness: Stiffness::Physical { young: 4e6, shear: 4e6 / 2.98 },
        sag_free,
        ..tentacle(0.49, RodModel::Ghost)
    }
}

/// Between two bones that the host holds, a muscle that lies across hangs through, or holds its pose; active it has no statics.
#[test]
fn muscles_hold_their_pose() {
    let add = |sag_free: bool| {
        let mut world = World::new(WorldDesc { double_precision: true, ..WorldDesc::default() }).unwrap();
        let bone = |world: &mut World, x: f64| {
            world
                .add_body(&BodyDesc {
                    motion: BodyMotion::Kinematic,
                    pose: Pose { position: [x, 1.0, 0.0], ..Pose::IDENTITY },
                    shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius: 0.03 }, mask: 0, ..ShapeDesc::default() }],
                    mass: 1.0,
                    ..BodyDesc::default()
                })
                .unwrap()
        };
        let ends = [bone(&mut world, 0.0), bone(&mut world, 0.5)];
        let id = world.add_muscle(muscle(sag_free), Some(ends[0]), Some(ends[1]), false).unwrap();
        (world, id)
    };
    let goes = |(mut world, id): (World, Id)| {
        let x = points(&world, id);
        seconds(&mut world, 2.0);
        farthest(&x, &points(&world, id))
    };
    let (sags, holds) = (goes(add(false)), goes(add(true)));
    assert!(sags > 1e-3 && holds < 1e-7, "sags by {sags} m, holds to {holds} m");
    let (mut world, id) = add(true);
    world.rods_mut(id).unwrap().set_activation(|_| 0.5).unwrap();
    let why = world.optimize_rest_shape(id, &Options::default(), &Inline, &mut |_, _| true).unwrap_err().to_string();
    assert!(why.contains("edge 0 of strand 0") && why.contains("0.5"), "{why}");
    let bundle = RodsDesc { strands_per_bundle: 3, ..muscle(false) };
    let id = world.add_muscle(bundle, None, None, false).unwrap();
    let why = world.settle(id, 10, 1e-6, &Inline).unwrap_err().to_string();
    assert!(why.contains("strands_per_bundle is 3"), "{why}");
}
