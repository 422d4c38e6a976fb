//! A host's frame over the ABI (move the roots and a collider, step, read everything) does not touch the heap after the first.

#[path = "common/counting.rs"]
mod counting;

use counting::ALLOCATIONS;
use std::ffi::c_void;
use std::sync::atomic::Ordering;

use withy::ffi::{collider::*, context::*, diagnostics::*, library::*, rods::*, types::*, world::*};

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

fn frames(threads: u32, tasks: *const WithyTaskCallbacks) -> usize {
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
        let (mut rods, mut collider) = (WithyRods::default(), WithyCollider::default());
        let mut context_def: WithyContextDef = std::mem::zeroed();
        ok(withy_context_def_init_sized(&mut context_def, size_of::<WithyContextDef>() as u32));
        (context_def.threads, context_def.tasks) = (threads, tasks);
        ok(withy_context_create(&context_def, &mut context));
        ok(withy_world_create(context, std::ptr::null(), &mut world));
        let mut def: WithyRodsDef = std::mem::zeroed();
        ok(withy_rods_def_init_sized(&mut def, size_of::<WithyRodsDef>() as u32));
        def.positions = span(&mut points, STRANDS * VERTICES, WITHY_FORMAT_F32);
        def.counts = span(&mut counts, STRANDS, WITHY_FORMAT_U32);
        def.radius = 0.001;
        def.root = WITHY_SUPPORT_CLAMPED;
        ok(withy_rods_create(world, &def, &mut rods));
        let mut sphere: WithyColliderDef = std::mem::zeroed();
        ok(withy_collider_def_init_sized(&mut sphere, size_of::<WithyColliderDef>() as u32));
        (sphere.shape, sphere.radius) = (WITHY_SHAPE_SPHERE, 0.1);
        sphere.pose.position.y = -0.2;
        ok(withy_collider_create(world, &sphere, &mut collider));

        let mut frame = || {
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

// One test, because the counter is the process's.
#[test]
fn a_frame_does_not_allocate() {
    let tasks = WithyTaskCallbacks { user: std::ptr::null_mut(), run: Some(run) };
    assert_eq!(frames(0, std::ptr::null()), 0, "the calling thread alone");
    assert_eq!(frames(2, std::ptr::null()), 0, "a pool");
    assert_eq!(frames(0, &tasks), 0, "the host's workers");
}
