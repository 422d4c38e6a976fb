//! Rest shapes of bundles: a bundle holds up as a beam what its strands could not, each for itself.

use withy::math::Vec3;
use withy::sagfree::batch::Status;
use withy::sagfree::rest_shape::Options;
use withy::tasks::Inline;
use withy::world::*;

const FRAME: f64 = 1.0 / 60.0;
const MODELS: [RodModel; 2] = [RodModel::Ghost, RodModel::Der];

/// Seven strands in a hexagon that stand out from a wall and bend, thinner to the tip: 0.24 m of 300 kPa. Each for itself they would hang.
fn tentacle(model: RodModel, nu: f64, stiffness: f64, sag_free: bool) -> RodsDesc {
    let (edges, radius) = (16, 0.008);
    let places = (0..7).map(|k| {
        let angle = core::f64::consts::FRAC_PI_3 * f64::from(k);
        if k == 6 { [0.0; 2] } else { [2.0 * radius * angle.cos(), 2.0 * radius * angle.sin()] }
    });
    let (mut positions, mut radii) = (Vec::new(), Vec::new());
    for [a, b] in places {
        let (mut x, l) = ([0.0, 1.0], 0.24 / f64::from(edges));
        for v in 0..=edges {
            let t = f64::from(v) / f64::from(edges);
            let pitch = 0.5 - 1.2 * t;
            let thick = 1.0 - 0.4 * t;
            radii.push(radius * thick);
            positions.push([x[0] - a * thick * pitch.sin(), x[1] + a * thick * pitch.cos(), b * thick]);
            x = [x[0] + l * pitch.cos(), x[1] + l * pitch.sin()];
        }
    }
    RodsDesc {
        counts: vec![edges as u32 + 1; 7],
        positions,
        radii,
        stiffness: Stiffness::Physical { young: 3e5, shear: 1e5 },
        poisson_ratio: nu,
        density: 1060.0,
        root: EndSupport::Clamped,
        order: SweepOrder::Direct,
        model,
        strands_per_bundle: 7,
        bundle_stiffness: stiffness,
        can_sleep: false,
        drag: 1.0,
        sag_free,
        ..RodsDesc::default()
    }
}

fn points(world: &World, id: Id) -> Vec<Vec3<f64>> {
    let mut all = Vec::new();
    world.rods(id).unwrap().read_positions(|_, p| all.push(Vec3::from(p)));
    all
}

fn farthest(a: &[Vec3<f64>], b: &[Vec3<f64>]) -> f64 {
    // NaN is the farthest.
    a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, |m, d| if d <= m { m } else { d })
}

/// How far a vertex goes in a second, m.
fn goes(mut world: World, id: Id, frame: f64) -> f64 {
    let (x, mut far) = (points(&world, id), 0.0f64);
    for _ in 0..(1.0 / frame) as usize {
        world.step(frame, &Inline).unwrap();
        far = far.max(farthest(&x, &points(&world, id)));
    }
    far
}

fn add(double_precision: bool, desc: RodsDesc) -> (World, Id) {
    let mut world = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
    let id = world.add_rods(desc).unwrap();
    (world, id)
}

#[test]
fn a_bundle_holds_its_pose() {
    for (model, nu) in MODELS.into_iter().flat_map(|m| [(m, 0.0), (m, 0.45)]) {
        for stiffness in [1e5, f64::INFINITY] {
            let (world, id) = add(true, tentacle(model, nu, stiffness, false));
            let sags = goes(world, id, FRAME);
            let mut held = Vec::new();
            for (double, frame) in [(true, FRAME), (true, 0.5 * FRAME), (false, FRAME)] {
                let (world, id) = add(double, tentacle(model, nu, stiffness, true));
                for report in world.rods(id).unwrap().elastic_report() {
                    assert!(report.status == Status::AtTarget && report.holds(0.0), "{model:?} {nu} {stiffness}: {report:?}");
                }
                held.push(goes(world, id, frame));
            }
            println!(
                "{model:?} ν {nu}, {stiffness:e} Pa: sags by {sags:.1e}; f64 {:.1e}, shorter steps {:.1e}, f32 {:.1e}",
                held[0], held[1], held[2]
            );
            assert!(sags > 5e-3, "{model:?} {nu} {stiffness}: sags by {sags} only");
            assert!(held[0] < 1e-6 && held[1] < 1e-5 && held[2] < 2e-4, "{model:?} {nu} {stiffness}: {held:?}");
        }
    }
}

/// What a set rests at.
fn rest(world: &World, id: Id) -> Vec<f64> {
    let mut all = Vec::new();
    let rods = world.rods(id).unwrap();
    rods.read_rest_lengths(|_, l| all.push(l));
    rods.read_rest_strains(|_, s| all.extend(s));
    rods.read_scales(|_, s| all.push(s));
    all
}

fn search(world: &mut World, id: Id) -> core::result::Result<(), String> {
    world.optimize_rest_shape(id, &Options::default(), &Inline, &mut |_, _| true).map_err(|e| e.to_string())
}

/// A second search ends where the first did. A bundle that is elsewhere than it was made is refused, and keeps what it has; with its given rest shape it sags.
#[test]
fn a_rest_shape_of_bundles_is_found_once_and_where_they_were_made() {
    let (mut world, id) = add(true, RodsDesc { drag: 8.0, ..tentacle(RodModel::Ghost, 0.45, 1e5, true) });
    let first = rest(&world, id);
    search(&mut world, id).unwrap();
    let apart = first.iter().zip(&rest(&world, id)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-8, "{apart}");
    let stiffen = Options { stiffen: Some(10.0), ..Options::default() };
    let why = world.optimize_rest_shape(id, &stiffen, &Inline, &mut |_, _| true).unwrap_err().to_string();
    assert!(why.contains("strands_per_bundle is 7") && why.contains("stiffen"), "{why}");
    let why = world.settle(id, 10, 1e-6, &Inline).unwrap_err().to_string();
    assert!(why.contains("strands_per_bundle is 7"), "{why}");
    let many = RodsDesc { strands_per_bundle: 700, root: EndSupport::Pinned, ..tentacle(RodModel::Ghost, 0.0, 1e5, true) };
    let (positions, radii) = (many.positions.repeat(100), many.radii.repeat(100));
    let why = world.add_rods(RodsDesc { positions, radii, counts: vec![17; 700], ..many }).unwrap_err().to_string();
    assert!(why.contains("strands_per_bundle is 700") && why.contains("17 vertices"), "{why}");
    // Pulled aside, and back.
    let x = points(&world, id);
    let pull = |world: &mut World, f: f64| world.rods_mut(id).unwrap().set_forces(|_| [0.0, 0.0, f]).unwrap();
    pull(&mut world, 0.05);
    (0..60).for_each(|_| world.step(FRAME, &Inline).unwrap());
    assert!(farthest(&x, &points(&world, id)) > 0.01);
    let why = search(&mut world, id).unwrap_err();
    assert!(why.contains("strands_per_bundle is 7") && why.contains("where they were made"), "{why}");
    pull(&mut world, 0.0);
    (0..600).for_each(|_| world.step(FRAME, &Inline).unwrap());
    let off = farthest(&x, &points(&world, id));
    assert!(off < 1e-5, "comes back to its pose but for {off} m");
    world.rods_mut(id).unwrap().set_rest_shape(RestShape::FromPose).unwrap();
    (0..60).for_each(|_| world.step(FRAME, &Inline).unwrap());
    assert!(farthest(&x, &points(&world, id)) > 0.01, "nothing holds it up any more");
}

/// Too heavy to stand: the report says so.
#[test]
fn a_bundle_that_cannot_stand_is_told() {
    let soft = |young: f64| {
        let mut desc = tentacle(RodModel::Der, 0.45, 1e5, true);
        // Upright.
        desc.positions.iter_mut().for_each(|p| *p = [p[1], p[0], p[2]]);
        desc.stiffness = Stiffness::Physical { young, shear: young / 2.9 };
        let (world, id) = add(true, desc);
        let reports = world.rods(id).unwrap().elastic_report().to_vec();
        (reports, goes(world, id, FRAME))
    };
    let ((holds, still), (falls, _)) = (soft(6e5), soft(2e3));
    assert!(holds.iter().all(|r| r.holds(0.0)) && still < 1e-6, "{holds:?} {still}");
    assert!(falls.iter().all(|r| !r.holds(0.0)), "{falls:?}");
}

/// A bundle between two bones that the host holds, pinned to them and clamped.
#[test]
fn a_muscle_between_bones_holds_its_pose() {
    let (strands, edges) = (7, 16);
    let at = |k: usize, v: usize| {
        let (t, angle) = (v as f64 / edges as f64, core::f64::consts::FRAC_PI_3 * k as f64);
        let wide = if k == 6 { 0.0 } else { 0.016 * (0.4 + 2.4 * t * (1.0 - t)) };
        [0.3 * t, 1.0 - 0.08 * t * (1.0 - t) + wide * angle.cos(), wide * angle.sin()]
    };
    let desc = |young: f64, sag_free: bool| RodsDesc {
        counts: vec![edges as u32 + 1; strands],
        positions: (0..strands).flat_map(|k| (0..=edges).map(move |v| at(k, v))).collect(),
        radii: vec![0.008],
        muscle: Some(Muscle::Hill(Hill::default())),
        stiffness: Stiffness::Physical { young, shear: young / 2.998 },
        poisson_ratio: 0.499,
        density: 1060.0,
        damping: 2.0,
        strands_per_bundle: strands as u32,
        bundle_stiffness: 1e4,
        can_sleep: false,
        sag_free,
        ..RodsDesc::default()
    };
    let moves = |double_precision: bool, clamped: bool, young: f64, sag_free: bool| {
        let mut world = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
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
        let ends = [bone(&mut world, 0.0), bone(&mut world, 0.3)];
        let id = world.add_muscle(desc(young, sag_free), Some(ends[0]), Some(ends[1]), clamped).unwrap();
        for report in world.rods(id).unwrap().elastic_report() {
            assert_eq!(report.holds(0.0), young > 1e5, "clamped {clamped}, {young}: {report:?}");
        }
        goes(world, id, FRAME)
    };
    for clamped in [false, true] {
        let sags = moves(true, clamped, 4e5, false);
        let held = [true, false].map(|double| moves(double, clamped, 4e5, true));
        println!("clamped {clamped}: sags by {sags:.1e}, holds to {held:?}");
        assert!(sags > 2e-3 && held[0] < 1e-8 && held[1] < 1e-6, "clamped {clamped}: {sags} {held:?}");
        // Too soft: it leaves its pose, and the report has said so.
        assert!(moves(true, clamped, 6e3, true) > 1e-3, "clamped {clamped}");
    }
}
