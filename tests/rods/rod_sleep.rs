//! Rods at rest sleep, and wake as they were.

use crate::tied::{DT, line};
use withy::tasks::Inline;
use withy::world::*;

/// Twelve strands of 11 vertices that hang from a scalp.
fn groom() -> RodsDesc {
    let positions =
        (0..12).flat_map(|s| line([0.01 * f64::from(s), 0.0, 0.0], [0.01 * f64::from(s) + 0.03, -0.1, 0.0], 11)).collect();
    RodsDesc {
        positions,
        counts: vec![11; 12],
        radii: vec![1e-4],
        stiffness: Stiffness::Physical { young: 4e9, shear: 1.5e9 },
        root: EndSupport::Clamped,
        damping: 4.0,
        drag: 3.0,
        ..RodsDesc::default()
    }
}
fn steps(w: &mut World, count: usize) {
    (0..count).for_each(|_| w.step(DT, &Inline).unwrap());
}
fn positions(w: &World, rods: Id) -> Vec<[f64; 3]> {
    let mut all = Vec::new();
    w.rods(rods).unwrap().read_positions(|_, p| all.push(p));
    all
}
fn saved(w: &World) -> Vec<u8> {
    let mut bytes = vec![0; w.save_state(&mut []).unwrap()];
    w.save_state(&mut bytes).unwrap();
    bytes
}
/// Steps until they sleep.
fn settle(w: &mut World, rods: Id, most: usize) -> usize {
    (0..most)
        .find(|_| {
            steps(w, 1);
            w.rods_sleep(rods).unwrap()
        })
        .unwrap_or(most)
}

#[test]
fn hair_at_rest_sleeps_and_wakes() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    let ball = ColliderDesc { shape: Shape::Sphere { radius: 0.02 }, ..ColliderDesc::default() };
    let at = |x: f64| Pose { position: [x, -0.1, 0.0], ..Pose::IDENTITY };
    let ball = w.add_collider(ColliderDesc { pose: at(1.0), ..ball }).unwrap();
    let rods = w.add_rods(groom()).unwrap();
    let identity = Pose::IDENTITY;
    let frame = |w: &mut World, pose: Pose| {
        w.rods_mut(rods).unwrap().set_root_transform(pose, false).unwrap();
        steps(w, 1);
    };
    let n = settle(&mut w, rods, 600);
    assert!(n < 600, "it does not come to rest");
    // A head that stands still, set in every frame, and what moves far away, let it sleep.
    let there = positions(&w, rods);
    for k in 0..30 {
        w.set_collider_pose(ball, at(1.0 - 0.01 * f64::from(k)), false).unwrap();
        frame(&mut w, identity);
        assert!(w.rods_sleep(rods).unwrap(), "frame {k}");
    }
    assert_eq!(positions(&w, rods), there);
    // It is where it would be if it had never slept.
    let mut other = World::new(WorldDesc::default()).unwrap();
    let awake = other.add_rods(RodsDesc { can_sleep: false, ..groom() }).unwrap();
    steps(&mut other, 900);
    assert!(!other.rods_sleep(awake).unwrap());
    for (a, b) in positions(&other, awake).iter().zip(&there) {
        assert!((0..3).all(|k| (a[k] - b[k]).abs() < 2e-5), "{a:?} {b:?}");
    }
    let wakes = |w: &mut World, what: &str, act: &mut dyn FnMut(&mut World)| {
        settle(w, rods, 900);
        assert!(w.rods_sleep(rods).unwrap(), "{what}: does not sleep again");
        act(w);
        steps(w, 1);
        assert!(!w.rods_sleep(rods).unwrap(), "{what}");
    };
    wakes(&mut w, "head", &mut |w| {
        w.rods_mut(rods).unwrap().set_root_transform(Pose { position: [0.0, 0.001, 0.0], ..identity }, false).unwrap()
    });
    wakes(&mut w, "collider", &mut |w| {
        w.set_collider_pose(ball, at(0.15), true).unwrap();
        steps(w, 2);
        settle(w, rods, 900);
        w.set_collider_pose(ball, at(0.12), false).unwrap()
    });
    w.set_collider_pose(ball, at(1.0), true).unwrap();
    wakes(&mut w, "gravity", &mut |w| w.set_gravity([0.0, -9.0, 0.0]).unwrap());
    wakes(&mut w, "wind", &mut |w| w.rods_mut(rods).unwrap().set_motion(4.0, 3.0, [1.0, 0.0, 0.0], 0.5).unwrap());
    wakes(&mut w, "forces", &mut |w| w.rods_mut(rods).unwrap().set_forces(|_| [0.0, 0.0, 1e-6]).unwrap());
    wakes(&mut w, "pin", &mut |w| w.rods_mut(rods).unwrap().set_pin(10, Some([0.0, -0.1, 0.0]), false).unwrap());
    wakes(&mut w, "new collider", &mut |w| drop(w.add_collider(ColliderDesc { pose: at(9.0), ..ColliderDesc::default() })));
    wakes(&mut w, "removed collider", &mut |w| w.remove_collider(ball).unwrap());
    // The same wind again changes nothing.
    settle(&mut w, rods, 900);
    w.rods_mut(rods).unwrap().set_motion(4.0, 3.0, [1.0, 0.0, 0.0], 0.5).unwrap();
    steps(&mut w, 1);
    assert!(w.rods_sleep(rods).unwrap());
}

/// Of a timeline: from any state on it sleeps and wakes in the same frames, with the same bits, also in a world that was made anew.
#[test]
fn sleep_is_part_of_a_state() {
    let make = || {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let rods = w.add_rods(groom()).unwrap();
        (w, rods)
    };
    let (mut w, rods) = make();
    let n = settle(&mut w, rods, 600) + 1;
    assert!(n < 600);
    let (mut w, rods) = make();
    steps(&mut w, n - 5);
    let before = saved(&w);
    steps(&mut w, 5);
    assert!(w.rods_sleep(rods).unwrap());
    let asleep = saved(&w);
    let once = w.state_hash();
    steps(&mut w, 5);
    assert_eq!(w.state_hash(), once);
    let (mut other, id) = make();
    for (state, more) in [(before, 5), (asleep, 0)] {
        other.restore_state(&state).unwrap();
        steps(&mut other, more);
        assert!(other.rods_sleep(id).unwrap());
        assert_eq!(other.state_hash(), once);
        steps(&mut other, 3);
        assert!(other.rods_sleep(id).unwrap() && other.state_hash() == once);
        other.rods_mut(id).unwrap().set_root_transform(Pose { position: [0.01, 0.0, 0.0], ..Pose::IDENTITY }, false).unwrap();
        steps(&mut other, 5);
        assert!(!other.rods_sleep(id).unwrap());
    }
}

/// Ropes in sets of their own that lie on each other sleep together; what falls on them wakes them all.
#[test]
fn a_pile_of_ropes_sleeps_together() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    w.add_collider(ColliderDesc::default()).unwrap();
    let rope = |y: f64, z: bool| {
        let (a, b) = if z { ([0.01, y, -0.2], [0.01, y, 0.2]) } else { ([-0.2, y, 0.01], [0.2, y, 0.01]) };
        RodsDesc {
            positions: line(a, b, 21),
            counts: vec![21],
            radii: vec![5e-3],
            stiffness: Stiffness::Physical { young: 1e6, shear: 4e5 },
            stretch_modulus: 1e8,
            self_contact: true,
            damping: 2.0,
            friction: 0.6,
            ..RodsDesc::default()
        }
    };
    let all: Vec<Id> = (0..4).map(|k| w.add_rods(rope(0.02 + 0.02 * f64::from(k), k % 2 == 1)).unwrap()).collect();
    let asleep = |w: &World| all.iter().filter(|&&id| w.rods_sleep(id).unwrap()).count();
    let n = (0..900).find(|_| {
        steps(&mut w, 1);
        let count = asleep(&w);
        assert!(count == 0 || count == 4, "{count} of them");
        count == 4
    });
    assert!(n.is_some(), "they do not sleep");
    let there = positions(&w, all[3]);
    steps(&mut w, 30);
    assert_eq!((positions(&w, all[3]), asleep(&w)), (there, 4));
    let more = w.add_rods(rope(0.3, false)).unwrap();
    // A new set wakes nothing that it cannot meet yet.
    let woke = (0..60).find(|_| {
        steps(&mut w, 1);
        asleep(&w) == 0
    });
    assert!(woke.is_some_and(|k| k > 5), "{woke:?}");
    steps(&mut w, 300);
    let (top, under) = (positions(&w, more), positions(&w, all[3]));
    assert!(top[10][1] > under[10][1] - 1e-3, "{:?} {:?}", top[10], under[10]);
}

/// On a body, or tied to one, they are as awake as it is.
#[test]
fn on_bodies() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    w.add_collider(ColliderDesc::default()).unwrap();
    let crate_ = |x: f64| BodyDesc {
        shapes: vec![ShapeDesc { shape: BodyShape::Box { half_extents: [0.2, 0.1, 0.2] }, ..ShapeDesc::default() }],
        pose: Pose { position: [x, 0.1, 0.0], ..Pose::IDENTITY },
        ..BodyDesc::default()
    };
    let body = w.add_body(&crate_(0.0)).unwrap();
    let far = w.add_body(&crate_(5.0)).unwrap();
    let over = |x: f64| RodsDesc {
        positions: line([x, 0.22, -0.1], [x, 0.22, 0.1], 11),
        counts: vec![11],
        radii: vec![5e-3],
        stiffness: Stiffness::Physical { young: 1e6, shear: 4e5 },
        damping: 2.0,
        ..RodsDesc::default()
    };
    let on = w.add_rods(over(0.0)).unwrap();
    let ground = w.add_rods(RodsDesc { positions: line([2.0, 0.02, -0.1], [2.0, 0.02, 0.1], 11), ..over(0.0) }).unwrap();
    let tied = w.add_rods(over(5.0)).unwrap();
    w.attach_body(tied, StrandEnd { strand: 0, tip: false }, far, false).unwrap();
    assert!(settle(&mut w, ground, 600) < 600);
    steps(&mut w, 300);
    assert!(w.rods_sleep(ground).unwrap());
    assert!(w.rods_sleep(tied).unwrap() && w.body_sleeps(far).unwrap());
    // Whether it sleeps or not, it lies where it lay, and goes with what carries it.
    let y = positions(&w, on)[5][1];
    assert!((y - 0.205).abs() < 2e-3, "{y}");
    w.set_body_motion(body, [0.0, 3.0, 0.0], [0.0; 3]).unwrap();
    steps(&mut w, 10);
    assert!(positions(&w, on)[5][1] > 0.3, "{:?}", positions(&w, on)[5]);
}

fn rope(y: f64) -> RodsDesc {
    RodsDesc {
        positions: line([-0.1, y, 0.0], [0.1, y, 0.0], 11),
        counts: vec![11],
        radii: vec![5e-3],
        stiffness: Stiffness::Physical { young: 1e7, shear: 4e6 },
        damping: 2.0,
        friction: 0.6,
        self_contact: true,
        ..RodsDesc::default()
    }
}

/// Whatever takes away what they lie on, they fall.
#[test]
fn what_loses_its_support_falls() {
    let falls = |w: &mut World, id: Id, what: &str, act: &mut dyn FnMut(&mut World)| {
        assert!(settle(w, id, 900) < 900, "{what}: does not sleep");
        let y = positions(w, id)[5][1];
        act(w);
        steps(w, 20);
        assert!(positions(w, id)[5][1] < y - 0.1, "{what}: {y} to {}", positions(w, id)[5][1]);
    };
    // A box that is teleported away, or flies away.
    for teleport in [true, false] {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let shape = Shape::Box { half_extents: [0.3, 0.1, 0.3] };
        let table = w.add_collider(ColliderDesc { shape, ..ColliderDesc::default() }).unwrap();
        let id = w.add_rods(rope(0.11)).unwrap();
        falls(&mut w, id, "collider", &mut |w| {
            w.set_collider_pose(table, Pose { position: [50.0, 0.0, 0.0], ..Pose::IDENTITY }, teleport).unwrap()
        });
    }
    // A mesh.
    for teleport in [true, false] {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let corners = [[-0.5, 0.0, -0.5], [0.5, 0.0, -0.5], [0.5, 0.0, 0.5], [-0.5, 0.0, 0.5]];
        let collides = Some(MeshCollider { both_sides: true, clockwise: false, friction: 0.5, category: 1, mask: u32::MAX });
        let mesh = MeshDesc {
            positions: corners.to_vec(),
            triangles: vec![[0, 2, 1], [0, 3, 2]],
            inv_masses: vec![0.0; 4],
            extra_edges: Vec::new(),
            edge_compliance: None,
            drag: 0.0,
            collides,
        };
        let mesh = w.add_mesh(mesh).unwrap();
        let id = w.add_rods(rope(0.01)).unwrap();
        falls(&mut w, id, "mesh", &mut |w| {
            w.set_mesh_positions(mesh, |k| [corners[k][0] + 9.0, corners[k][1], corners[k][2]], teleport).unwrap()
        });
    }
    // Ropes under it that are removed, or put elsewhere.
    for remove in [true, false] {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let under = [-0.05, 0.05].map(|x| {
            let positions = line([x, 0.0, -0.1], [x, 0.0, 0.1], 11);
            w.add_rods(RodsDesc { positions, root: EndSupport::Pinned, tip: EndSupport::Pinned, ..rope(0.0) }).unwrap()
        });
        let id = w.add_rods(rope(0.0105)).unwrap();
        falls(&mut w, id, "ropes", &mut |w| {
            for r in under {
                if remove {
                    w.remove_rods(r).unwrap();
                } else {
                    let ends = |x: f64| move |_| Pose { position: [x, 5.0, 0.0], ..Pose::IDENTITY };
                    w.rods_mut(r).unwrap().write_positions(|v| [3.0 + 0.02 * v as f64, 5.0, 0.0]).unwrap();
                    w.rods_mut(r).unwrap().set_root_poses(ends(3.0), true).unwrap();
                    w.rods_mut(r).unwrap().set_tip_poses(ends(3.2), true).unwrap();
                }
            }
        });
    }
}

/// What was about to wake when a state was saved wakes when it is restored, and so does what was at rest under another gravity.
#[test]
fn states_know_who_is_about_to_wake() {
    let make = || {
        let mut w = World::new(WorldDesc::default()).unwrap();
        w.add_collider(ColliderDesc::default()).unwrap();
        let id = w.add_rods(rope(0.006)).unwrap();
        (w, id)
    };
    let (mut w, id) = make();
    assert!(settle(&mut w, id, 900) < 900);
    let asleep = saved(&w);
    w.rods_mut(id).unwrap().write_positions(|v| [0.02 * v as f64, 1.0, 0.0]).unwrap();
    let lifted = saved(&w);
    steps(&mut w, 10);
    let fallen = w.state_hash();
    for world in [&mut w, &mut make().0] {
        world.restore_state(&lifted).unwrap();
        steps(world, 10);
        assert_eq!(world.state_hash(), fallen);
    }
    w.restore_state(&asleep).unwrap();
    steps(&mut w, 1);
    assert!(w.rods_sleep(id).unwrap());
    w.set_gravity([0.0, 5.0, 0.0]).unwrap();
    steps(&mut w, 1);
    w.restore_state(&asleep).unwrap();
    steps(&mut w, 20);
    assert!(!w.rods_sleep(id).unwrap() && positions(&w, id)[5][1] > 0.1, "{:?}", positions(&w, id)[5]);
}

/// Of one set of swept rods, what lies still is held while another rope slides along; it is pushed away when that arrives, and all sleep when nothing moves any more.
#[test]
fn parts_of_a_set_rest_by_themselves() {
    let make = || {
        let mut w = World::new(WorldDesc::default()).unwrap();
        w.add_collider(ColliderDesc { friction: 0.0, ..ColliderDesc::default() }).unwrap();
        let rope = |x: f64, y: f64| line([x, y, -0.2], [x, y, 0.2], 11);
        let positions = [rope(0.0, 0.01), rope(0.3, 0.01), rope(-4.013, 0.01)].concat();
        let slides = |v: usize| [if v < 22 { 0.0 } else { 4.0 }, 0.0, 0.0];
        let rods = w
            .add_rods(RodsDesc {
                velocities: (0..positions.len()).map(slides).collect(),
                positions,
                counts: vec![11; 3],
                radii: vec![0.01],
                stiffness: Stiffness::Physical { young: 1e6, shear: 4e5 },
                poisson_ratio: 0.45,
                friction: 0.0,
                self_contact: true,
                order: SweepOrder::Alternating,
                ..RodsDesc::default()
            })
            .unwrap();
        (w, rods)
    };
    let (mut w, rods) = make();
    let speeds = |w: &World| {
        let mut all = Vec::new();
        w.rods(rods).unwrap().read_velocities(|_, u| all.push(u.iter().map(|c| c * c).sum::<f64>().sqrt()));
        all
    };
    steps(&mut w, 48);
    let (there, state) = (positions(&w, rods), saved(&w));
    let now = speeds(&w);
    assert!(now[..22].iter().all(|u| *u == 0.0) && now[22..].iter().all(|u| *u > 3.0), "{now:?}");
    steps(&mut w, 6);
    assert_eq!(positions(&w, rods)[..22], there[..22]);
    assert!(!w.rods_sleep(rods).unwrap());
    // From a saved state they go on as they did, also in another world.
    let once = w.state_hash();
    for mut other in [make().0, w] {
        other.restore_state(&state).unwrap();
        steps(&mut other, 6);
        assert_eq!(other.state_hash(), once);
        steps(&mut other, 20);
        let pushed = positions(&other, rods)[5][0];
        assert!(pushed > 0.05, "what is hit stays, {pushed} m");
        // Nothing has slowed them down; in thick air they come to rest and sleep.
        other.rods_mut(rods).unwrap().set_motion(0.0, 8.0, [0.0; 3], 0.0).unwrap();
        assert!(settle(&mut other, rods, 240) < 240);
    }
}

/// A rope of 15 vertices between two bodies, and a tassel on a corner of a triangle that the host moves; what moves them: nothing, a target, a pose.
#[test]
fn what_hangs_on_what_stands_sleeps() {
    for (motion, order) in [
        (BodyMotion::Static, SweepOrder::Direct),
        (BodyMotion::Kinematic, SweepOrder::Direct),
        (BodyMotion::Kinematic, SweepOrder::Auto),
    ] {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let at = |x: f64| Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY };
        let shapes = vec![ShapeDesc { shape: BodyShape::Sphere { radius: 0.01 }, ..ShapeDesc::default() }];
        let post = |x: f64| BodyDesc { motion, pose: at(x), shapes: shapes.clone(), ..BodyDesc::default() };
        let posts = [-0.1, 0.1].map(|x| w.add_body(&post(x)).unwrap());
        let mesh = w
            .add_mesh(MeshDesc {
                positions: vec![[-1.0, 0.0, -0.1], [1.0, 0.0, -0.1], [0.0, 0.0, 2.0]],
                triangles: vec![[0, 1, 2]],
                inv_masses: vec![0.0; 3],
                ..MeshDesc::default()
            })
            .unwrap();
        let free = RodsDesc { root: EndSupport::Free, order, damping: 5.0, drag: 5.0, ..groom() };
        let rope = w
            .add_rods(RodsDesc { positions: line([-0.1, 0.0, 0.0], [0.1, 0.0, 0.0], 15), counts: vec![15], ..free.clone() })
            .unwrap();
        let tassel = w.add_rods(RodsDesc { positions: line([0.0; 3], [0.02, -0.1, 0.0], 9), counts: vec![9], ..free }).unwrap();
        let root = StrandEnd { strand: 0, tip: false };
        w.attach_body(rope, root, posts[0], true).unwrap();
        let tie = w.attach_body(rope, StrandEnd { strand: 0, tip: true }, posts[1], false).unwrap();
        w.attach_triangle(tassel, root, mesh, 0, [0.4, 0.55, 0.05], true).unwrap();
        let both = |w: &World| [rope, tassel].map(|id| w.rods_sleep(id).unwrap());
        let all_settle = |w: &mut World| {
            let n = (0..1500).find(|_| {
                steps(w, 1);
                both(w) == [true; 2]
            });
            assert!(n.is_some(), "{motion:?} {order:?}: {:?}", both(w));
        };
        all_settle(&mut w);
        // They stand still, to the bit, and in a state that is restored.
        let (there, state) = ((positions(&w, rope), positions(&w, tassel)), saved(&w));
        steps(&mut w, 30);
        assert_eq!(there, (positions(&w, rope), positions(&w, tassel)));
        w.restore_state(&state).unwrap();
        assert_eq!(both(&w), [true; 2]);
        // A post that moves wakes what hangs on it alone, in the step in which it moves.
        let first = positions(&w, rope)[0];
        match motion {
            BodyMotion::Kinematic => w.set_body_target(posts[0], at(-0.11)).unwrap(),
            _ => w.set_body_pose(posts[0], at(-0.11)).unwrap(),
        }
        steps(&mut w, 1);
        // (One that is put elsewhere wakes all.)
        assert_eq!(both(&w), [false, motion == BodyMotion::Kinematic], "{motion:?}");
        let way = positions(&w, rope)[0][0] - first[0];
        assert!((way + 0.01).abs() < 2e-4, "{motion:?} {order:?}: the root went {way}");
        all_settle(&mut w);
        // The mesh, too.
        w.set_mesh_positions(mesh, |i| [[-1.0, 0.01, -0.1], [1.0, 0.01, -0.1], [0.0, 0.01, 2.0]][i], false).unwrap();
        steps(&mut w, 1);
        assert_eq!(both(&w), [true, false]);
        all_settle(&mut w);
        // What is let go falls; what becomes dynamic is pulled.
        w.remove_attachment(tie).unwrap();
        steps(&mut w, 20);
        assert!(!both(&w)[0] && positions(&w, rope)[14][1] < -0.05, "{motion:?}: {:?}", positions(&w, rope)[14]);
    }
}

/// A rope that the host holds at its root, of 10 g, with a ball of `mass` at its tip; another of its kind beside it, on the same ball.
fn hung(double_precision: bool, mass: f64, ropes: usize) -> (World, Vec<Id>, Id) {
    let mut w = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
    let ball = w
        .add_body(&BodyDesc {
            motion: BodyMotion::Dynamic,
            mass,
            pose: Pose { position: [0.0, -0.22, 0.0], ..Pose::IDENTITY },
            linear_damping: 1.0,
            angular_damping: 3.0,
            shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius: 0.02 }, ..ShapeDesc::default() }],
            ..BodyDesc::default()
        })
        .unwrap();
    let hang = |k: usize| {
        let desc = RodsDesc {
            positions: line([0.05 * k as f64, 0.0, 0.0], [0.0, -0.2, 0.0], 11),
            counts: vec![11],
            radii: vec![2e-3],
            density: 4000.0,
            stiffness: Stiffness::Physical { young: 1e6, shear: 4e5 },
            stretch_modulus: 1e8,
            root: EndSupport::Pinned,
            damping: 5.0,
            drag: 2.0,
            ..RodsDesc::default()
        };
        let id = w.add_rods(desc).unwrap();
        w.attach_body(id, StrandEnd { strand: 0, tip: true }, ball, false).unwrap();
        id
    };
    let ropes = (0..ropes).map(hang).collect();
    (w, ropes, ball)
}

/// What hangs on a body that may move sleeps together with it, whether the body is heavy or so light that it is solved with the strands: each wakes with the other
/// and is where it was, to the bit, and goes on from a saved state as it did.
#[test]
fn what_hangs_on_a_dynamic_body_sleeps_with_it() {
    for (double, mass, count) in [(false, 0.5, 1), (true, 0.02, 1), (false, 0.2, 2)] {
        let (mut w, ropes, ball) = hung(double, mass, count);
        let asleep = |w: &World| (ropes.iter().all(|r| w.rods_sleep(*r).unwrap()), w.body_sleeps(ball).unwrap());
        let settles = |w: &mut World, what: &str| {
            let n = (0..1800).find(|_| {
                steps(w, 1);
                asleep(w) == (true, true)
            });
            assert!(n.is_some(), "{what}, {mass} kg on {count}: {:?} at {:?}", asleep(w), w.body_motion(ball).unwrap());
        };
        settles(&mut w, "hung up");
        let there = |w: &World| (positions(w, ropes[0]), w.body_pose(ball).unwrap().position);
        let (before, state) = (there(&w), saved(&w));
        assert!((before.1[1] + 0.22).abs() < 2e-3, "{:?}", before.1);
        steps(&mut w, 60);
        assert!(asleep(&w) == (true, true) && there(&w) == before);
        // The body is pushed: all wake in that step, and the ball swings.
        let swing = |w: &mut World| {
            w.set_body_motion(ball, [0.0, 0.0, 0.3], [0.0; 3]).unwrap();
            steps(w, 1);
            assert_eq!(asleep(w), (false, false));
            steps(w, 5);
            assert!(there(w).1[2] > 0.01 && positions(w, ropes[0])[9][2] > 0.005, "{:?}", there(w));
            w.state_hash()
        };
        let once = swing(&mut w);
        let mut again = Vec::new();
        for mut other in [hung(double, mass, count).0, w] {
            other.restore_state(&state).unwrap();
            assert_eq!(asleep(&other), (true, true));
            assert_eq!(swing(&mut other), once);
            again.push(other);
        }
        let mut w = again.remove(0);
        settles(&mut w, "pushed");
        // The rope is blown at: its body is awake in the same step, and what holds that is still there.
        for k in 0..2 {
            match k {
                0 => w.rods_mut(ropes[0]).unwrap().set_motion(5.0, 2.0, [0.0, 0.0, 0.5], 1.2).unwrap(),
                _ => w.wake_rods(ropes[0]).unwrap(),
            }
            steps(&mut w, 1);
            assert_eq!(asleep(&w), (false, false), "{k}");
            let v = w.body_motion(ball).unwrap()[0];
            assert!(v.iter().all(|v| v.abs() < 0.02), "{k}: the ball got {v:?}");
            settles(&mut w, "woken at the rope");
        }
        // So is a ball that comes by: neither throws the other's weight.
        let flies = BodyDesc {
            motion: BodyMotion::Dynamic,
            mass: 0.1,
            pose: Pose { position: [0.0, -0.1, -0.4], ..Pose::IDENTITY },
            velocity: [0.0, 0.5, 1.0],
            shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius: 0.02 }, ..ShapeDesc::default() }],
            ..BodyDesc::default()
        };
        w.add_body(&flies).unwrap();
        let (mut rope, mut fastest) = (false, 0.0_f64);
        for _ in 0..22 {
            steps(&mut w, 1);
            rope |= !w.rods_sleep(ropes[0]).unwrap();
            fastest = fastest.max(w.body_motion(ball).unwrap()[0][1].abs());
        }
        assert!(rope && fastest < 0.1, "{fastest} m/s");
        // What is let go falls.
        settles(&mut w, "hit");
        match mass > 0.1 {
            true => w.remove_rods(ropes[0]).unwrap(),
            false => w.set_rods_enabled(ropes[0], false).unwrap(),
        }
        steps(&mut w, 6);
        assert!(!w.body_sleeps(ball).unwrap() && w.body_motion(ball).unwrap()[0][1] < -0.02);
    }
}

/// Two bodies in a joint that lie on a floor, with hair on one of them that has settled: all sleep together. Hair in a wind that turns keeps them awake.
#[test]
fn hair_on_a_figure_that_lies_still_sleeps_with_it() {
    let mut w = World::new(WorldDesc::default()).unwrap();
    w.add_collider(ColliderDesc { shape: Shape::Plane, friction: 1.0, ..ColliderDesc::default() }).unwrap();
    let limb = |x: f64| BodyDesc {
        motion: BodyMotion::Dynamic,
        mass: 3.0,
        pose: Pose { position: [x, 0.05, 0.0], rotation: [0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt()] },
        shapes: vec![ShapeDesc {
            shape: BodyShape::Capsule { half_height: 0.05, radius: 0.05 },
            friction: 0.8,
            ..ShapeDesc::default()
        }],
        ..BodyDesc::default()
    };
    let limbs = [-0.11, 0.11].map(|x| w.add_body(&limb(x)).unwrap());
    let at = |y: f64| Pose { position: [0.0, y, 0.0], ..Pose::IDENTITY };
    let joint = JointDesc {
        a: Some(limbs[0]),
        b: limbs[1],
        frame_a: at(-0.11),
        frame_b: at(0.11),
        kind: JointKind::Ball { limits: None },
        motor: None,
        collide: false,
    };
    w.add_joint(&joint).unwrap();
    let positions: Vec<_> =
        (0..4).flat_map(|s| line([0.1 + 0.01 * f64::from(s), 0.1, 0.0], [0.1 + 0.01 * f64::from(s), 0.2, 0.0], 9)).collect();
    let hair = RodsDesc {
        positions,
        counts: vec![9; 4],
        root: EndSupport::Free,
        stiffness: Stiffness::Physical { young: 4e9, shear: 1.5e9 },
        ..groom()
    };
    let hair = w.add_rods(hair).unwrap();
    for strand in 0..4 {
        w.attach_body(hair, StrandEnd { strand, tip: false }, limbs[1], true).unwrap();
    }
    let all = |w: &World| limbs.iter().all(|b| w.body_sleeps(*b).unwrap()) && w.rods_sleep(hair).unwrap();
    let rests = |w: &mut World| {
        (0..900).any(|_| {
            steps(w, 1);
            all(w)
        })
    };
    assert!(rests(&mut w), "{:?} {}", limbs.map(|b| w.body_sleeps(b).unwrap()), w.rods_sleep(hair).unwrap());
    for k in 0..120 {
        let wind = [2.0 * (0.2 * f64::from(k)).sin(), 0.0, 0.0];
        w.rods_mut(hair).unwrap().set_motion(4.0, 3.0, wind, 1.2).unwrap();
        steps(&mut w, 1);
        assert!(!w.body_sleeps(limbs[1]).unwrap() && !w.rods_sleep(hair).unwrap(), "{k}");
    }
    assert!(rests(&mut w));
    // A kick at the other end wakes all.
    w.set_body_motion(limbs[0], [0.0, 1.0, 0.0], [0.0; 3]).unwrap();
    steps(&mut w, 1);
    assert!(limbs.iter().all(|b| !w.body_sleeps(*b).unwrap()) && !w.rods_sleep(hair).unwrap());
}
