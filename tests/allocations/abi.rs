//! A host's frame over the ABI (move the roots and a collider, step, read everything) does not touch the heap after the first.

use crate::counting::ALLOCATIONS;
use std::ffi::c_void;
use std::sync::atomic::Ordering;

use withy::ffi::{
    attachment::*, body::*, cable::*, collider::*, context::*, diagnostics::*, joint::*, library::*, ragdoll::*, render_hair::*,
    rods::*, rods_detail::*, types::*, world::*,
};

const STRANDS: usize = 200;
const VERTICES: usize = 21;

unsafe extern "C" fn run(_: *mut c_void, task: Option<unsafe extern "C" fn(*mut c_void, u32)>, data: *mut c_void, count: u32) {
    // SAFETY: the library's function and data.
    (0..count).for_each(|i| unsafe { task.unwrap()(data, i) });
}

fn span<T>(data: &mut [T], count: usize, format: u32) -> WithySpan {
    WithySpan { data: data.as_mut_ptr().cast(), count: count as u64, stride: 0, format, reserved: 0 }
}

fn ok(result: i32) {
    // SAFETY: the library's string.
    assert_eq!(result, WITHY_OK, "{:?}", unsafe { std::ffi::CStr::from_ptr(withy_last_error()) });
}

fn frames(threads: u32, tasks: *const WithyTaskCallbacks, model: u32, precision: u32) -> usize {
    let mut points: Vec<f32> = Vec::new();
    for i in 0..STRANDS * VERTICES {
        points.extend([0.01 * (i % VERTICES) as f32, 0.0, 0.01 * (i / VERTICES) as f32]);
    }
    let mut roots: Vec<f64> = (0..STRANDS).flat_map(|s| [0.0, 0.0, 0.01 * s as f64]).collect();
    let mut rotations = [0.0f32, 0.0, 0.0, 1.0].repeat(STRANDS);
    let mut counts = vec![VERTICES as u32; STRANDS];
    // SAFETY: pointers to locals that outlive the calls, spans inside them.
    unsafe {
        let (mut context, mut world) = (WithyContext::default(), WithyWorld::default());
        let (mut rods, mut collider, mut weight) = (WithyRods::default(), WithyCollider::default(), WithyBody::default());
        let mut context_def: WithyContextDef = std::mem::zeroed();
        ok(withy_context_def_init_sized(&mut context_def, size_of::<WithyContextDef>() as u32));
        (context_def.threads, context_def.tasks) = (threads, tasks);
        ok(withy_context_create(&context_def, &mut context));
        let mut world_def = new(withy_world_def_init_sized);
        world_def.precision = precision;
        ok(withy_world_create(context, &world_def, &mut world));
        let mut def: WithyRodsDef = std::mem::zeroed();
        ok(withy_rods_def_init_sized(&mut def, size_of::<WithyRodsDef>() as u32));
        def.positions = span(&mut points, STRANDS * VERTICES, WITHY_FORMAT_F32);
        def.counts = span(&mut counts, STRANDS, WITHY_FORMAT_U32);
        (def.radius, def.model, def.viscosity, def.iterations) = (0.001, model, 0.01, precision + 1);
        def.root = WITHY_SUPPORT_CLAMPED;
        ok(withy_rods_create(world, &def, &mut rods));
        let mut sphere: WithyColliderDef = std::mem::zeroed();
        ok(withy_collider_def_init_sized(&mut sphere, size_of::<WithyColliderDef>() as u32));
        (sphere.shape, sphere.radius) = (WITHY_SHAPE_SPHERE, 0.1);
        sphere.pose.position.y = -0.2;
        ok(withy_collider_create(world, &sphere, &mut collider));

        // Two strands hang on one body, a third on another.
        for (strand, heavy) in [(0, 0), (1, 0), (2, 1)] {
            let mut ball = new(withy_shape_def_init_sized);
            // They meet nothing: the first contacts of a scene need memory.
            (ball.shape, ball.radius, ball.mask) = (WITHY_SHAPE_SPHERE, 0.05, 0);
            if strand != 1 {
                let mut def = new(withy_body_def_init_sized);
                (def.shapes, def.shape_count, def.mass, def.can_sleep) = (&ball, 1, 0.01, 0);
                def.pose.position = WithyVec3 { x: 0.25, y: 0.5 * heavy as f64, z: 0.0 };
                ok(withy_body_create(world, &def, &mut weight));
            }
            let (mut hold, mut tie) = (new(withy_body_attachment_def_init_sized), WithyAttachment::default());
            (hold.end.rods, hold.end.strand, hold.end.end, hold.body) = (rods, strand, WITHY_END_TIP, weight);
            hold.flags = if strand == 0 { 0 } else { WITHY_ATTACH_CLAMPED };
            ok(withy_attachment_create_body(&hold, &mut tie));
        }
        // Two more in a junction.
        let ends = [3, 4].map(|strand| WithyStrandEnd { rods, strand, end: WITHY_END_TIP });
        let (mut join, mut tie) = (new(withy_junction_def_init_sized), WithyAttachment::default());
        (join.ends, join.end_count) = (ends.as_ptr(), 2);
        ok(withy_attachment_create_junction(&join, &mut tie));
        // And a cable with a wheel, which is hauled in.
        let mut points = [WithyCablePoint::default(); 3];
        points[1] = WithyCablePoint { position: WithyVec3 { x: 0.0, y: 2.0, z: 0.0 }, radius: 0.1, ..points[1] };
        points[1].axis.z = 1.0;
        points[2] = WithyCablePoint { body: weight, position: WithyVec3 { x: 0.25, y: 0.5, z: 0.0 }, ..points[2] };
        let (mut wind, mut cable, mut length) = (new(withy_cable_def_init_sized), WithyCable::default(), 4.5);
        (wind.points, wind.point_count, wind.length) = (points.as_ptr(), 3, length);
        ok(withy_cable_create(world, &wind, &mut cable));
        // Render hair, read whole and at a distance.
        let (mut follow, mut hair) = (new(withy_render_hair_def_init_sized), WithyRenderHair::default());
        (follow.rods, follow.rods_count, follow.per_guide) = (&rods, 1, 3);
        ok(withy_render_hair_create(world, &follow, &mut hair));
        let mut far = new(withy_render_hair_lod_def_init_sized);
        (far.strands, far.vertices) = (0.3, 0.5);
        let mut hairs = [vec![0f32; 9 * STRANDS * VERTICES], vec![0f32; 9 * STRANDS * VERTICES]];
        let mut frame = || {
            length -= 0.001;
            ok(withy_cable_set_length(cable, length));
            roots[1] += 0.001;
            sphere.pose.position.x += 0.001;
            let rotations = span(&mut rotations, STRANDS, WITHY_FORMAT_F32);
            ok(withy_rods_set_root_poses(rods, &span(&mut roots, STRANDS, WITHY_FORMAT_F64), &rotations, 0));
            ok(withy_collider_set_pose(collider, &sphere.pose, 0));
            ok(withy_world_step(world, 1.0 / 60.0));
            let mut scratch = [0f32; 4 * STRANDS * VERTICES];
            for read in [withy_rods_read_positions, withy_rods_read_velocities, withy_rods_read_frames, withy_rods_read_twist] {
                ok(read(rods, &mut span(&mut scratch, STRANDS * VERTICES, WITHY_FORMAT_F32)));
            }
            let [mut x, mut t] = hairs.each_mut().map(|room| span(room, 3 * STRANDS * VERTICES, WITHY_FORMAT_F32));
            ok(withy_render_hair_read(hair, &far, &mut x, &mut t));
            (x.count, t.count) = ((3 * STRANDS * VERTICES) as u64, (3 * STRANDS * VERTICES) as u64);
            ok(withy_render_hair_read(hair, std::ptr::null(), &mut x, &mut t));
            let (mut stats, mut hash) = (WithyStepStats::default(), 0);
            ok(withy_world_read_stats_sized(world, &mut stats, size_of::<WithyStepStats>() as u32));
            ok(withy_world_state_hash(world, &mut hash));
        };
        (0..20).for_each(|_| frame());
        let before = ALLOCATIONS.load(Ordering::SeqCst);
        (0..50).for_each(|_| frame());
        let count = ALLOCATIONS.load(Ordering::SeqCst) - before;
        ok(withy_context_destroy(context));
        count
    }
}

fn new<T>(init: unsafe extern "C" fn(*mut T, u32) -> i32) -> T {
    let mut def = std::mem::MaybeUninit::<T>::uninit();
    // SAFETY: room for the whole struct, which the call fills.
    unsafe {
        ok(init(def.as_mut_ptr(), size_of::<T>() as u32));
        def.assume_init()
    }
}

/// Balls at rest that are not near each other, but would be with the margin of a search that is to serve for several steps.
fn balls_in_rows() -> usize {
    // SAFETY: pointers to locals that outlive the calls.
    unsafe {
        let (mut context, mut world) = (WithyContext::default(), WithyWorld::default());
        ok(withy_context_create(&new(withy_context_def_init_sized), &mut context));
        ok(withy_world_create(context, &new(withy_world_def_init_sized), &mut world));
        let (mut plane, mut shape) = (WithyCollider::default(), new(withy_shape_def_init_sized));
        ok(withy_collider_create(world, &new(withy_collider_def_init_sized), &mut plane));
        (shape.shape, shape.radius) = (WITHY_SHAPE_SPHERE, 0.05);
        for i in 0..400 {
            let (mut def, mut out) = (new(withy_body_def_init_sized), WithyBody::default());
            (def.shapes, def.shape_count) = (&shape, 1);
            def.pose.position = WithyVec3 { x: 0.14 * f64::from(i % 20), y: 0.05, z: 0.14 * f64::from(i / 20) };
            ok(withy_body_create(world, &def, &mut out));
        }
        ok(withy_world_step(world, 1.0 / 60.0));
        let before = ALLOCATIONS.load(Ordering::SeqCst);
        (0..20).for_each(|_| ok(withy_world_step(world, 1.0 / 60.0)));
        let count = ALLOCATIONS.load(Ordering::SeqCst) - before;
        ok(withy_context_destroy(context));
        count
    }
}

/// Piles of boxes and hulls on a mesh and a plane that stir, chains of balls and arcs with motors, a kinematic paddle.
fn bodies(threads: u32, precision: u32) -> usize {
    const COLUMNS: usize = 40;
    const CHAINS: usize = 8;
    let mut context_def = new(withy_context_def_init_sized);
    context_def.threads = threads;
    let mut world_def = new(withy_world_def_init_sized);
    world_def.precision = precision;
    let mut ground_points = [[-30.0f32, 0.0, -30.0], [-30.0, 0.0, 30.0], [30.0, 0.0, 30.0], [30.0, 0.0, -30.0]];
    let mut ground_triangles = [[0u32, 1, 2], [0, 2, 3]];
    let mut corners = [[0.2f32, -0.2, 0.0], [-0.2, -0.2, 0.2], [-0.2, -0.2, -0.2], [0.0, 0.3, 0.0], [0.1, 0.2, 0.1]];
    // SAFETY: pointers to locals that outlive the calls, spans inside them.
    unsafe {
        let (mut context, mut world) = (WithyContext::default(), WithyWorld::default());
        ok(withy_context_create(&context_def, &mut context));
        ok(withy_world_create(context, &world_def, &mut world));
        let mut plane = WithyCollider::default();
        let mut plane_def = new(withy_collider_def_init_sized);
        plane_def.pose.position.y = -0.5;
        ok(withy_collider_create(world, &plane_def, &mut plane));
        let create = |shape: &WithyShapeDef, motion: u32, position: [f64; 3]| {
            let (mut def, mut out) = (new(withy_body_def_init_sized), WithyBody::default());
            (def.shapes, def.shape_count, def.motion) = (shape, 1, motion);
            def.pose.position = WithyVec3 { x: position[0], y: position[1], z: position[2] };
            ok(withy_body_create(world, &def, &mut out));
            out
        };
        let mut ground = new(withy_shape_def_init_sized);
        ground.shape = WITHY_SHAPE_MESH;
        ground.positions = span(&mut ground_points, 4, WITHY_FORMAT_F32);
        ground.triangles = span(&mut ground_triangles, 2, WITHY_FORMAT_U32);
        create(&ground, WITHY_BODY_STATIC, [0.0; 3]);
        let mut cube = new(withy_shape_def_init_sized);
        (cube.shape, cube.half_extents) = (WITHY_SHAPE_BOX, WithyVec3 { x: 0.2, y: 0.2, z: 0.2 });
        let mut hull = new(withy_shape_def_init_sized);
        hull.shape = WITHY_SHAPE_HULL;
        hull.positions = span(&mut corners, 5, WITHY_FORMAT_F32);
        let mut capsule = new(withy_shape_def_init_sized);
        (capsule.shape, capsule.radius, capsule.half_height) = (WITHY_SHAPE_CAPSULE, 0.1, 0.15);
        for i in 0..COLUMNS {
            for k in 0..4 {
                let shape = if k % 2 == 0 { &cube } else { &hull };
                create(shape, WITHY_BODY_DYNAMIC, [0.5 * i as f64, 0.3 + 0.5 * k as f64, 0.0]);
            }
        }
        let paddle = create(&cube, WITHY_BODY_KINEMATIC, [5.0, 0.2, -0.6]);
        let (mut joints, mut links) = (Vec::new(), Vec::new());
        let mut motor = std::mem::zeroed::<WithyMotor>();
        ok(withy_motor_init(&mut motor));
        (motor.stiffness, motor.damping) = ([5.0; 3], [0.1; 3]);
        for c in 0..CHAINS {
            for k in 0..5 {
                let y = 4.0 - 0.6 * k as f64;
                links.push(create(&capsule, WITHY_BODY_DYNAMIC, [c as f64, y, 2.0]));
                let (mut def, mut joint) = (new(withy_joint_def_init_sized), WithyJoint::default());
                def.body_b = links[links.len() - 1];
                def.flags = WITHY_JOINT_WORLD_FRAMES;
                // d3 down: a quarter turn about x.
                let s = 0.5f64.sqrt();
                def.frame_a.rotation = WithyQuat { x: s, y: 0.0, z: 0.0, w: s };
                def.frame_a.position = WithyVec3 { x: c as f64, y: y + 0.35, z: 2.0 };
                def.frame_b = def.frame_a;
                def.frame_b.position.y = y + 0.25;
                if k > 0 {
                    def.body_a = links[links.len() - 2];
                }
                if c % 2 == 0 {
                    (def.kind, def.arc.bend, def.arc.twist) = (WITHY_JOINT_ARC, [1.0; 2], 1.0);
                } else {
                    (def.swing, def.twist) = ([0.5, 0.7], [-0.3, 0.3]);
                    def.motor = &motor;
                }
                ok(withy_joint_create(&def, &mut joint));
                joints.push(joint);
            }
        }
        let mut motors = vec![motor; joints.len()];
        let (mut targets, mut time) = ([[5.0f64, 0.2, -0.6]], 0.0f64);
        let mut forces = vec![[0.0f64, 0.0, 1.0]; links.len()];
        let mut contacts = vec![WithyContact::default(); 4096];
        let mut touching = 0;
        let mut frame = || {
            time += 1.0 / 60.0;
            targets[0][0] = 5.0 + 2.0 * (2.0 * time).sin();
            motors.iter_mut().for_each(|m| m.speed[0] = (3.0 * time).sin());
            ok(withy_world_set_body_targets(world, &paddle, 1, &span(&mut targets, 1, WITHY_FORMAT_F64), std::ptr::null()));
            ok(withy_world_set_motors(world, joints.as_ptr(), joints.len() as u64, motors.as_ptr()));
            let n = links.len();
            let push = span(&mut forces, n, WITHY_FORMAT_F64);
            ok(withy_world_push_bodies(world, links.as_ptr(), n as u64, &push, std::ptr::null()));
            ok(withy_world_step(world, 1.0 / 60.0));
            let (mut p, mut r) = ([[0f32; 3]; 512], [[0f32; 4]; 512]);
            let (mut v, mut s) = ([[0f32; 3]; 512], [[0u32; 1]; 512]);
            let mut p = span(&mut p, 512, WITHY_FORMAT_F32);
            let (mut r, mut v) = (span(&mut r, 512, WITHY_FORMAT_F32), span(&mut v, 512, WITHY_FORMAT_F32));
            let mut s = span(&mut s, 512, WITHY_FORMAT_U32);
            let null = std::ptr::null_mut();
            ok(withy_world_read_bodies(world, std::ptr::null(), WITHY_ALL, &mut p, &mut r, &mut v, null, &mut s));
            let mut errors = [0f64; 64];
            let mut d = span(&mut errors, 64, WITHY_FORMAT_F64);
            ok(withy_world_read_joint_errors(world, joints.as_ptr(), joints.len() as u64, &mut d, null));
            assert!(errors.iter().all(|e| e.is_finite() && *e < 0.2), "{errors:?}");
            let mut count = contacts.len() as u64;
            ok(withy_world_read_contacts(world, contacts.as_mut_ptr(), &mut count));
            touching = count;
            let mut stats = WithyStepStats::default();
            ok(withy_world_read_stats_sized(world, &mut stats, size_of::<WithyStepStats>() as u32));
        };
        (0..90).for_each(|_| frame());
        let before = ALLOCATIONS.load(Ordering::SeqCst);
        (0..60).for_each(|_| frame());
        let count = ALLOCATIONS.load(Ordering::SeqCst) - before;
        assert!(touching > 3 * COLUMNS as u64, "{touching} contacts: what was to be counted does not happen");
        ok(withy_context_destroy(context));
        count
    }
}

/// A crowd of chains, each with a spine of one arc, that follows targets, in one call each a frame.
fn ragdolls() -> usize {
    const BONES: usize = 6;
    const COUNT: usize = 30;
    let mut context_def = new(withy_context_def_init_sized);
    context_def.threads = 0;
    let mut parents = [u32::MAX, 0, 1, 2, 3, 4];
    let (mut bind, mut straight) = ([[0.0f32, 0.1, 0.0]; BONES], [[0.0f32, 0.0, 0.0, 1.0]; BONES]);
    // SAFETY: pointers to locals that outlive the calls, spans inside them.
    unsafe {
        let (mut context, mut world, mut set) = (WithyContext::default(), WithyWorld::default(), WithyRagdolls::default());
        ok(withy_context_create(&context_def, &mut context));
        ok(withy_world_create(context, std::ptr::null(), &mut world));
        let mut shape = new(withy_shape_def_init_sized);
        shape.radius = 0.03;
        let mut body = new(withy_body_def_init_sized);
        (body.shapes, body.shape_count) = (&shape, 1);
        let mut joint = new(withy_joint_def_init_sized);
        (joint.swing, joint.twist) = ([0.5; 2], [-0.5, 0.5]);
        let mut bodies = [0; BONES].map(|_| new(withy_ragdoll_body_def_init_sized));
        for (i, b) in bodies.iter_mut().enumerate() {
            (b.bone, b.body) = (i as u32, &body);
            b.joint = if i == 0 { std::ptr::null() } else { &joint };
        }
        let mut region = new(withy_region_def_init_sized);
        (region.first, region.last) = (0, 4);
        let mut def = new(withy_ragdoll_def_init_sized);
        def.parents = span(&mut parents, BONES, WITHY_FORMAT_U32);
        def.positions = span(&mut bind, BONES, WITHY_FORMAT_F32);
        def.rotations = span(&mut straight, BONES, WITHY_FORMAT_F32);
        (def.bodies, def.body_count, def.regions, def.region_count) = (bodies.as_ptr(), BONES as u32, &region, 1);
        ok(withy_ragdolls_create(world, &def, COUNT as u32, &mut set));
        let n = COUNT * BONES;
        let mut places: Vec<[f32; 3]> = (0..n).map(|i| [(i / BONES) as f32, 0.1 * (i % BONES) as f32, 0.0]).collect();
        let mut turns = vec![[0.0f32, 0.0, 0.0, 1.0]; n];
        let (p, r) = (span(&mut places, n, WITHY_FORMAT_F32), span(&mut turns, n, WITHY_FORMAT_F32));
        let (all, null) = (std::ptr::null(), std::ptr::null());
        ok(withy_ragdolls_instantiate(set, all, WITHY_ALL, &p, &r, null, null, 0.0, 0));
        ok(withy_ragdolls_fade(set, all, WITHY_ALL, 0.5, 2.0));
        let drive = WithyRagdollDrive { stiffness: 20.0, damping: 1.0, max_torque: 30.0, scale: WithySpan::default() };
        let (mut out, mut rotations) = (vec![[0.0f32; 3]; n], vec![[0.0f32; 4]; n]);
        let mut frame = || {
            // The host takes the hips over anew each frame.
            ok(withy_ragdolls_set_kinematic(set, all, WITHY_ALL, 0, 0));
            ok(withy_ragdolls_set_kinematic(set, all, WITHY_ALL, 0, 1));
            ok(withy_ragdolls_set_targets(set, all, WITHY_ALL, &p, &r, &p, &r, 1.0 / 60.0, &drive));
            ok(withy_ragdolls_advance(set, 1.0 / 60.0));
            let (mut x, mut q) = (span(&mut out, n, WITHY_FORMAT_F32), span(&mut rotations, n, WITHY_FORMAT_F32));
            ok(withy_ragdolls_read(set, all, WITHY_ALL, &p, &r, null, &mut x, &mut q));
            ok(withy_world_step(world, 1.0 / 60.0));
        };
        (0..60).for_each(|_| frame());
        let before = ALLOCATIONS.load(Ordering::SeqCst);
        (0..60).for_each(|_| frame());
        let count = ALLOCATIONS.load(Ordering::SeqCst) - before;
        let mut weight = 0.0;
        ok(withy_ragdolls_get_weight(set, 3, &mut weight));
        assert!((weight - 0.5f64).abs() < 1e-12 && (out[n - 1][1] - 0.5).abs() < 0.1, "{weight} {:?}", out[n - 1]);
        ok(withy_context_destroy(context));
        count
    }
}

pub fn a_frame_does_not_allocate() {
    let tasks = WithyTaskCallbacks { user: std::ptr::null_mut(), run: Some(run) };
    let precisions = [WITHY_PRECISION_F32, WITHY_PRECISION_F64];
    for (model, precision) in [WITHY_MODEL_GHOST, WITHY_MODEL_DER].into_iter().flat_map(|m| precisions.map(|p| (m, p))) {
        assert_eq!(
            frames(0, std::ptr::null(), model, precision),
            0,
            "the calling thread alone, model {model}, precision {precision}"
        );
        assert_eq!(frames(2, std::ptr::null(), model, precision), 0, "a pool, model {model}, precision {precision}");
        assert_eq!(frames(0, &tasks, model, precision), 0, "the host's workers, model {model}, precision {precision}");
    }
    assert_eq!(balls_in_rows(), 0, "balls in rows");
    assert_eq!(bodies(0, WITHY_PRECISION_F32), 0, "bodies");
    assert_eq!(bodies(0, WITHY_PRECISION_F64), 0, "bodies in f64");
    assert_eq!(bodies(2, WITHY_PRECISION_F32), 0, "bodies on a pool");
    assert_eq!(ragdolls(), 0, "ragdolls");
}
