//! Rods that are changed while they are there, and rods that are taken out of the world for a while.

use withy::math::Vec3;
use withy::math::vec3::vec3;
use withy::world::*;

const DT: f64 = 1.0 / 60.0;

fn line(from: [f64; 3], step: [f64; 3], n: u32) -> Vec<[f64; 3]> {
    (0..n).map(|i| [0, 1, 2].map(|k| from[k] + step[k] * f64::from(i))).collect()
}

/// A cantilever of 0.3 m along x.
fn cantilever() -> RodsDesc {
    RodsDesc {
        positions: line([0.0; 3], [0.02, 0.0, 0.0], 16),
        counts: vec![16],
        radii: vec![4e-3],
        root: EndSupport::Clamped,
        drag: 8.0,
        can_sleep: false,
        ..RodsDesc::default()
    }
}

fn world() -> World {
    World::new(WorldDesc { double_precision: true, ..WorldDesc::default() }).unwrap()
}
fn with(desc: RodsDesc) -> (World, Id) {
    let mut w = world();
    let id = w.add_rods(desc).unwrap();
    (w, id)
}
fn run(w: &mut World, steps: usize) {
    (0..steps).for_each(|_| w.step(DT, &Inline).unwrap());
}
fn positions(w: &World, id: Id) -> Vec<Vec3<f64>> {
    let mut all = Vec::new();
    w.rods(id).unwrap().read_positions(|_, x| all.push(x.into()));
    all
}
fn most_apart(a: &[Vec3<f64>], b: &[Vec3<f64>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max)
}
fn largest_strain(w: &World, id: Id) -> f64 {
    let mut most = 0.0f64;
    w.rods(id).unwrap().read_strain(|_, s| most = most.max(s.abs()));
    most
}
fn mass(w: &World, id: Id) -> f64 {
    let mut sum = 0.0;
    w.rods(id).unwrap().read_vertex_masses(|_, m| sum += m);
    sum
}

/// What is changed bends as what was made so.
#[test]
fn changed_rods_are_those_that_were_made_so() {
    let physical = |young: f64| Stiffness::Physical { young, shear: 0.4 * young };
    let alpha = |a: f64| Stiffness::Alpha { bend1: a, bend2: a, twist: a, stretch: 1.0 };
    let cases = [
        (RodModel::Ghost, SweepOrder::Direct, physical(1e7), physical(3e6)),
        (RodModel::Ghost, SweepOrder::Direct, physical(1e5), physical(3e7)),
        (RodModel::Der, SweepOrder::Direct, physical(1e7), physical(3e6)),
        (RodModel::Ghost, SweepOrder::Alternating, alpha(0.3), alpha(0.6)),
    ];
    for (model, order, before, after) in cases {
        let described = |stiffness: Stiffness, density: f64, aspect: f64, radius: f64| RodsDesc {
            model,
            order,
            stiffness,
            density,
            aspect,
            radii: vec![radius],
            ..cantilever()
        };
        let (mut changed, a) = with(described(before, 1000.0, 1.0, 4e-3));
        let (mut made, b) = with(described(after, 1500.0, 0.8, 5e-3));
        run(&mut changed, 120);
        let start = positions(&changed, a);
        changed.change_rods(a, &described(after, 1500.0, 0.8, 5e-3)).unwrap();
        assert!((mass(&changed, a) - mass(&made, b)).abs() < 1e-12, "{model:?} {order:?}");
        run(&mut changed, 880);
        run(&mut made, 1000);
        let apart = most_apart(&positions(&changed, a), &positions(&made, b));
        assert!(apart < 1e-6, "{model:?} {order:?}: {apart:e}");
        assert!(most_apart(&positions(&changed, a), &start) > 1e-3, "{model:?} {order:?}: nothing has changed");
    }
}

/// The mass of a cylinder.
#[test]
fn masses_add_up_to_the_mass_of_the_rods() {
    for model in [RodModel::Ghost, RodModel::Der] {
        let (mut w, id) = with(RodsDesc { model, ..cantilever() });
        let volume = 0.3 * std::f64::consts::PI * 4e-3 * 4e-3;
        assert!((mass(&w, id) - 1000.0 * volume).abs() < 1e-12, "{}", mass(&w, id));
        let heavy = RodsDesc { model, density: 2000.0, ..cantilever() };
        w.change_rods(id, &heavy).unwrap();
        assert!((mass(&w, id) - 2000.0 * volume).abs() < 1e-12, "{}", mass(&w, id));
    }
}

/// The numbers of now change nothing.
#[test]
fn the_same_numbers_change_nothing() {
    for order in [SweepOrder::Auto, SweepOrder::RootToTip] {
        let desc =
            RodsDesc { can_sleep: true, order, viscosity: if order == SweepOrder::Auto { 0.01 } else { 0.0 }, ..cantilever() };
        let ((mut w, id), (mut other, _)) = (with(desc.clone()), with(desc));
        for _ in 0..8 {
            run(&mut w, 40);
            run(&mut other, 40);
            let now = w.rods(id).unwrap().numbers();
            w.change_rods(id, &now).unwrap();
        }
        assert_eq!(w.state_hash(), other.state_hash(), "{order:?}");
        assert_eq!(w.rods_sleep(id).unwrap(), order == SweepOrder::Auto);
    }
}

/// A state of rods that sleep is one of rest again when they are made what they were then, and only then; gravity as well.
#[test]
fn a_restored_state_sleeps_where_the_numbers_are_those_of_then() {
    let desc = RodsDesc { can_sleep: true, drag: 30.0, ..cantilever() };
    let ((mut w, id), (mut other, _)) = (with(desc.clone()), with(desc));
    let mut saved = Vec::new();
    for world in [&mut w, &mut other] {
        run(world, 400);
        saved = vec![0; world.save_state(&mut []).unwrap()];
        world.save_state(&mut saved).unwrap();
        run(world, 40);
    }
    assert!(w.rods_sleep(id).unwrap());
    let now = w.rods(id).unwrap().numbers();
    let softer = RodsDesc { stiffness: Stiffness::Physical { young: 3e6, shear: 1e6 }, ..now.clone() };
    for other_numbers in [softer, RodsDesc { density: 500.0, ..now.clone() }, RodsDesc { radii: vec![5e-3], ..now.clone() }] {
        w.change_rods(id, &other_numbers).unwrap();
        run(&mut w, 10);
        assert!(!w.rods_sleep(id).unwrap());
        w.change_rods(id, &now).unwrap();
        w.restore_state(&saved).unwrap();
        assert!(w.rods_sleep(id).unwrap());
        run(&mut w, 40);
        assert_eq!(w.state_hash(), other.state_hash());
        w.change_rods(id, &other_numbers).unwrap();
        w.restore_state(&saved).unwrap();
        assert!(!w.rods_sleep(id).unwrap());
        w.change_rods(id, &now).unwrap();
    }
}

#[test]
fn what_cannot_change_is_refused_by_name() {
    let (mut w, id) = with(cantilever());
    run(&mut w, 5);
    let now = w.rods(id).unwrap().numbers();
    let mut refused = |what: &str, change: &dyn Fn(&mut RodsDesc)| {
        let mut new = now.clone();
        change(&mut new);
        let message = w.change_rods(id, &new).unwrap_err().message;
        assert!(message.contains(what), "{what}: {message}");
        assert_eq!(format!("{:?}", w.rods(id).unwrap().numbers()), format!("{now:?}"), "{what}");
    };
    refused("model is 1, and these rods were made with 0", &|d| d.model = RodModel::Der);
    refused("order", &|d| d.order = SweepOrder::RootToTip);
    refused("stiffness", &|d| d.stiffness = Stiffness::Alpha { bend1: 1.0, bend2: 1.0, twist: 1.0, stretch: 1.0 });
    refused("root is 0", &|d| d.root = EndSupport::Free);
    refused("tip is 1", &|d| d.tip = EndSupport::Pinned);
    refused("integrator", &|d| d.integrator = Integrator::First);
    refused("poisson_ratio is 0.4", &|d| d.poisson_ratio = 0.4);
    refused("ghost_mass_ratio", &|d| d.ghost_mass_ratio = 0.3);
    refused("WITHY_RODS_SELF_CONTACT", &|d| d.self_contact = true);
    refused("young_modulus is NaN", &|d| d.stiffness = Stiffness::Physical { young: f64::NAN, shear: 1.0 });
    refused("density is -1", &|d| d.density = -1.0);
    refused("radius", &|d| d.radii = vec![0.0]);
    refused("collision_radius", &|d| d.collision_radius = -1.0);
}

/// A rope that lies across two others that are held, in layers of their own.
fn crossed() -> (World, [Id; 2]) {
    let mut w = world();
    let rope = |positions: Vec<[f64; 3]>| RodsDesc { positions, radii: vec![5e-3], self_contact: true, ..RodsDesc::default() };
    let bars: Vec<_> = [-0.05, 0.05].into_iter().flat_map(|z| line([-0.1, 0.0, z], [0.02, 0.0, 0.0], 11)).collect();
    let held = RodsDesc { counts: vec![11; 2], root: EndSupport::Pinned, tip: EndSupport::Pinned, ..rope(bars) };
    let bars = w.add_rods(held).unwrap();
    let over = RodsDesc { counts: vec![13], ..rope(line([0.0, 0.011, -0.12], [0.0, 0.0, 0.02], 13)) };
    let over = w.add_rods(over).unwrap();
    (w, [bars, over])
}
fn lowest(w: &World, id: Id) -> f64 {
    positions(w, id).iter().map(|x| x.y).fold(f64::INFINITY, f64::min)
}

#[test]
fn layers_that_no_longer_meet_let_go() {
    let (mut w, [bars, over]) = crossed();
    run(&mut w, 90);
    assert!(lowest(&w, over) > -0.06, "{}", lowest(&w, over));
    let apart = RodsDesc { mask: 2, ..w.rods(bars).unwrap().numbers() };
    w.change_rods(bars, &apart).unwrap();
    run(&mut w, 60);
    assert!(lowest(&w, over) < -1.0, "{}", lowest(&w, over));
}

/// What lies on rods that are disabled falls; rods of the same set go on to lie where others come back.
#[test]
fn nothing_meets_disabled_rods() {
    let (mut w, [bars, over]) = crossed();
    run(&mut w, 90);
    let mut saved = vec![0; w.save_state(&mut []).unwrap()];
    w.save_state(&mut saved).unwrap();
    w.set_rods_enabled(bars, false).unwrap();
    assert!(!w.rods_enabled(bars).unwrap() && w.rods_enabled(over).unwrap());
    let still = positions(&w, bars);
    run(&mut w, 60);
    assert_eq!(most_apart(&positions(&w, bars), &still), 0.0);
    assert!(lowest(&w, over) < -1.0, "{}", lowest(&w, over));
    // The state of before had them.
    w.restore_state(&saved).unwrap();
    assert!(w.rods_enabled(bars).unwrap());
    let (mut never, _) = crossed();
    run(&mut never, 90);
    run(&mut never, 60);
    run(&mut w, 60);
    assert_eq!(w.state_hash(), never.state_hash());
    assert!(lowest(&w, over) > -0.06);
}

/// Hair that is disabled goes with the head, and hangs as before when it is enabled again.
#[test]
fn disabled_strands_go_with_their_roots() {
    for (model, double_precision) in [(RodModel::Ghost, true), (RodModel::Ghost, false), (RodModel::Der, false)] {
        let mut w = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
        let positions_of = (0..4).flat_map(|s| line([0.0, 0.0, 0.01 * f64::from(s)], [0.015, 0.004, 0.0], 12)).collect();
        let desc = RodsDesc { positions: positions_of, counts: vec![12; 4], model, ..cantilever() };
        let id = w.add_rods(desc).unwrap();
        run(&mut w, 400);
        let before = positions(&w, id);
        w.set_rods_enabled(id, false).unwrap();
        let half = |angle: f64| [0.0, (0.5 * angle).sin(), 0.0, (0.5 * angle).cos()];
        for k in 1..=20 {
            let rotation = half(0.1 * f64::from(k));
            w.rods_mut(id)
                .unwrap()
                .set_root_transform(Pose { position: [0.1 * f64::from(k), 0.0, 0.0], rotation }, false)
                .unwrap();
            run(&mut w, 1);
        }
        let (sin, cos) = 2.0f64.sin_cos();
        let there: Vec<_> = before.iter().map(|x| vec3(cos * x.x + sin * x.z + 2.0, x.y, cos * x.z - sin * x.x)).collect();
        let error = if double_precision { 1e-12 } else { 2e-5 };
        let apart = most_apart(&positions(&w, id), &there);
        assert!(apart < error, "{model:?} {double_precision}: {apart:e}");
        let mut poses = Vec::new();
        w.rods(id).unwrap().read_root_poses(|_, p| poses.push(p)).unwrap();
        let off = poses
            .iter()
            .map(|p| most_apart(&[vec3(p.rotation[1], p.rotation[3], 0.0)], &[vec3(half(2.0)[1], half(2.0)[3], 0.0)]));
        assert!(off.fold(0.0, f64::max) < 1e-6, "{poses:?}");
        w.set_rods_enabled(id, true).unwrap();
        run(&mut w, 60);
        let apart = most_apart(&positions(&w, id), &there);
        assert!(apart < 2e-3, "{model:?} {double_precision}: {apart:e}");
        assert!(largest_strain(&w, id) < 1e-3);
    }
}

/// A ball on a rope falls when the rope is disabled, and is caught when it is enabled; one that is brought back first hangs as before.
#[test]
fn disabled_rods_hold_no_bodies() {
    for order in [SweepOrder::Direct, SweepOrder::Alternating] {
        let mut w = world();
        let ball = BodyDesc {
            pose: Pose { position: [0.0, -0.55, 0.0], ..Pose::IDENTITY },
            shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius: 0.05 }, density: 1000.0, ..ShapeDesc::default() }],
            ..BodyDesc::default()
        };
        let ball = w.add_body(&ball).unwrap();
        let rope = RodsDesc {
            positions: line([0.0; 3], [0.0, -0.05, 0.0], 11),
            counts: vec![11],
            radii: vec![5e-3],
            root: EndSupport::Pinned,
            order,
            iterations: 20,
            ..RodsDesc::default()
        };
        let rope = w.add_rods(rope).unwrap();
        w.attach_body(rope, StrandEnd { strand: 0, tip: true }, ball, false).unwrap();
        let height = |w: &World| w.body_pose(ball).unwrap().position[1];
        run(&mut w, 120);
        let hangs = height(&w);
        let mut saved = vec![0; w.save_state(&mut []).unwrap()];
        w.save_state(&mut saved).unwrap();
        assert!((hangs + 0.55).abs() < 0.03, "{order:?}: {hangs}");
        w.set_rods_enabled(rope, false).unwrap();
        run(&mut w, 30);
        let fallen = hangs - height(&w);
        assert!((fallen - 0.5 * 9.81 * 0.25).abs() < 0.1, "{order:?}: {fallen}");
        w.restore_state(&saved).unwrap();
        run(&mut w, 30);
        assert!((height(&w) - hangs).abs() < 1e-3, "{order:?}: {}", height(&w));
        // Out and back in while nobody has moved.
        w.set_rods_enabled(rope, false).unwrap();
        w.set_rods_enabled(rope, true).unwrap();
        run(&mut w, 60);
        assert!((height(&w) - hangs).abs() < 5e-3, "{order:?}: {} {hangs}", height(&w));
        assert!(largest_strain(&w, rope) < 0.05);
    }
}

/// A net whose other half is disabled hangs on what is left.
#[test]
fn a_junction_goes_on_without_disabled_ends() {
    for order in [SweepOrder::Direct, SweepOrder::Alternating] {
        let mut w = world();
        let side = |x: f64| RodsDesc {
            positions: line([x, 0.0, 0.0], [-0.1 * x, 0.0, 0.0], 11),
            counts: vec![11],
            radii: vec![5e-3],
            root: EndSupport::Pinned,
            order,
            drag: 3.0,
            ..RodsDesc::default()
        };
        let (a, b) = (w.add_rods(side(-0.5)).unwrap(), w.add_rods(side(0.5)).unwrap());
        let tip = StrandEnd { strand: 0, tip: true };
        w.add_junction(&[(a, tip), (b, tip)], 0.0, 0.0).unwrap();
        run(&mut w, 480);
        let joined = positions(&w, a)[10];
        w.set_rods_enabled(b, false).unwrap();
        run(&mut w, 240);
        // It hangs down from its own root.
        let end = positions(&w, a)[10];
        assert!(end.y < -0.3, "{order:?}: {end:?}");
        assert!(largest_strain(&w, a) < 0.05, "{order:?}: {}", largest_strain(&w, a));
        w.set_rods_enabled(b, true).unwrap();
        run(&mut w, 480);
        assert!((positions(&w, a)[10] - joined).length() < 5e-3, "{order:?}: {:?} {joined:?}", positions(&w, a)[10]);
        assert!(largest_strain(&w, a) < 0.05, "{order:?}: {}", largest_strain(&w, a));
    }
}

/// Rods that were taken elsewhere while they were disabled do not fly when they come back; nor where both ends, or a tip alone, are held.
#[test]
fn ends_that_jump_while_disabled_take_the_strand_along() {
    for (root, tip) in [
        (EndSupport::Clamped, EndSupport::Free),
        (EndSupport::Pinned, EndSupport::Pinned),
        (EndSupport::Free, EndSupport::Pinned),
    ] {
        let (mut w, id) = with(RodsDesc { root, tip, ..cantilever() });
        run(&mut w, 10);
        w.set_rods_enabled(id, false).unwrap();
        run(&mut w, 1);
        let to = |x: f64| Pose { position: [x, 10.0, 0.0], ..Pose::IDENTITY };
        let rods = w.rods_mut(id).unwrap();
        if root != EndSupport::Free {
            rods.set_root_poses(|_| to(0.0), true).unwrap();
        }
        if tip != EndSupport::Free {
            // Both nearer to each other by a fifth.
            rods.set_tip_poses(|_| to(0.24), true).unwrap();
        }
        w.set_rods_enabled(id, true).unwrap();
        run(&mut w, 1);
        let mut fastest = 0.0f64;
        w.rods(id).unwrap().read_velocities(|_, v| fastest = fastest.max(Vec3::from(v).length()));
        let held = if root == EndSupport::Free { 15 } else { 0 };
        assert!((positions(&w, id)[held].y - 10.0).abs() < 1e-9, "{root:?} {tip:?}");
        assert!(fastest < 20.0 && largest_strain(&w, id) < 0.1, "{root:?} {tip:?}: {fastest} {}", largest_strain(&w, id));
    }
}

/// What is disabled before the first step is covered by nothing that passes by.
#[test]
fn disabled_roots_are_not_covered() {
    let (mut w, id) = with(cantilever());
    w.set_rods_enabled(id, false).unwrap();
    let ball = ColliderDesc { shape: Shape::Sphere { radius: 0.1 }, ..ColliderDesc::default() };
    let ball = w.add_collider(ball).unwrap();
    for k in 0..30 {
        let position = [0.02 * f64::from(k) - 0.3, 0.0, 0.0];
        w.set_collider_pose(ball, Pose { position, ..Pose::IDENTITY }, false).unwrap();
        run(&mut w, 1);
    }
    w.set_collider_pose(ball, Pose { position: [0.25, -0.15, 0.0], ..Pose::IDENTITY }, true).unwrap();
    w.set_rods_enabled(id, true).unwrap();
    run(&mut w, 300);
    let nearest = positions(&w, id).iter().map(|x| (*x - vec3(0.25, -0.15, 0.0)).length()).fold(f64::INFINITY, f64::min);
    assert!(nearest > 0.1 + 3.9e-3 && nearest < 0.106, "{nearest}");
}

/// Forces push where they point, whatever the speed limit does.
#[test]
fn forces_at_the_speed_limit_push_on() {
    for model in [RodModel::Ghost, RodModel::Der] {
        let mut w = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() }).unwrap();
        let free = RodsDesc { root: EndSupport::Free, max_speed: 5.0, drag: 0.0, model, ..cantilever() };
        let id = w.add_rods(free).unwrap();
        w.rods_mut(id).unwrap().set_accelerations(|_| [5e4, 0.0, 0.0]).unwrap();
        run(&mut w, 60);
        let mut slowest = f64::INFINITY;
        w.rods(id).unwrap().read_velocities(|_, v| slowest = slowest.min(v[0]));
        assert!((slowest - 5.0).abs() < 0.05, "{model:?}: {slowest}");
    }
}

/// A field reaches a vertex that was pinned when it was set.
#[test]
fn fields_reach_what_is_let_go() {
    let (mut w, id) = with(RodsDesc { root: EndSupport::Free, ..cantilever() });
    let rods = w.rods_mut(id).unwrap();
    (0..16).for_each(|v| rods.set_pin(v, Some([0.02 * f64::from(v), 0.0, 0.0]), false).unwrap());
    rods.set_accelerations(|_| [0.0, 0.0, 20.0]).unwrap();
    run(&mut w, 3);
    let rods = w.rods_mut(id).unwrap();
    (0..16).for_each(|v| rods.set_pin(v, None, false).unwrap());
    run(&mut w, 60);
    assert!(positions(&w, id).iter().all(|x| x.z > 0.5), "{:?}", positions(&w, id)[8]);
}

type Change<'a> = &'a dyn Fn(&mut World);

/// What slept when the state was saved wakes where something else acts on it now, and sleeps on where nothing does.
#[test]
fn restored_sleepers_feel_what_has_been_set() {
    let (mut w, id) = with(RodsDesc { can_sleep: true, ..cantilever() });
    run(&mut w, 600);
    assert!(w.rods_sleep(id).unwrap());
    let mut saved = vec![0; w.save_state(&mut []).unwrap()];
    w.save_state(&mut saved).unwrap();
    let before = positions(&w, id);
    let soft = RodsDesc { stiffness: Stiffness::Physical { young: 1e5, shear: 4e4 }, ..w.rods(id).unwrap().numbers() };
    let now = w.rods(id).unwrap().numbers();
    let changes: [(&str, Change<'_>); 4] = [
        ("winds", &|w| w.rods_mut(id).unwrap().set_winds(|_| [0.0, 0.0, 5.0]).unwrap()),
        ("accelerations", &|w| w.rods_mut(id).unwrap().set_accelerations(|_| [0.0, 0.0, 5.0]).unwrap()),
        ("forces", &|w| w.rods_mut(id).unwrap().set_forces(|_| [0.0, 0.0, 1e-3]).unwrap()),
        ("material", &|w| w.change_rods(id, &soft).map(drop).unwrap()),
    ];
    for (what, change) in changes {
        change(&mut w);
        w.restore_state(&saved).unwrap();
        run(&mut w, 60);
        assert!(most_apart(&positions(&w, id), &before) > 1e-3, "{what}");
        let rods = w.rods_mut(id).unwrap();
        rods.clear_winds().unwrap();
        rods.clear_accelerations().unwrap();
        rods.clear_forces();
        w.change_rods(id, &now).unwrap();
        w.restore_state(&saved).unwrap();
        assert!(w.rods_sleep(id).unwrap(), "{what}: all is as it was");
        run(&mut w, 10);
        assert!(w.rods_sleep(id).unwrap() && most_apart(&positions(&w, id), &before) == 0.0, "{what}: all is as it was");
    }
}

/// The same of moments, where winds make the forces.
#[test]
fn restored_sleepers_feel_moments_beside_winds() {
    let (mut w, id) = with(RodsDesc { can_sleep: true, ..cantilever() });
    w.rods_mut(id).unwrap().set_winds(|_| [0.0; 3]).unwrap();
    run(&mut w, 600);
    assert!(w.rods_sleep(id).unwrap());
    let mut saved = vec![0; w.save_state(&mut []).unwrap()];
    w.save_state(&mut saved).unwrap();
    let before = positions(&w, id);
    w.rods_mut(id).unwrap().set_moments(|_| 0.02).unwrap();
    w.restore_state(&saved).unwrap();
    run(&mut w, 60);
    assert!(most_apart(&positions(&w, id), &before) > 1e-3);
}
