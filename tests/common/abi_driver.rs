//! Turns bytes into a sequence of ABI calls, good and bad. Shared by `tests/abi_random.rs` and `fuzz/fuzz_targets/abi.rs`.
//!
//! Every function of the header is called; `tests/abi_random.rs` compares. What must hold: no call crashes or panics, every failure has a text, a failed call leaves every world's state as it was, and
//! a handle that was destroyed is refused from then on.

use std::ffi::CStr;

use withy::ffi::{
    attachment::*, body::*, collider::*, context::*, diagnostics::*, joint::*, library::*, mesh::*, ragdoll::*, rest_shape::*,
    rods::*, types::*, world::*,
};

/// The bytes that decide; zeros when they are used up.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn u8(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }
    fn below(&mut self, n: usize) -> usize {
        self.u8() as usize % n
    }
    fn u32(&mut self) -> u32 {
        u32::from_le_bytes([self.u8(), self.u8(), self.u8(), self.u8()])
    }
    /// Mostly small numbers, sometimes what breaks things.
    fn number(&mut self) -> f64 {
        match self.u8() {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => -1.0,
            3 => 1e300,
            4 => 1e-300,
            5 => f64::from_bits((self.u32() as u64) << 32 | self.u32() as u64),
            n => (n as f64 - 128.0) / 64.0,
        }
    }
    fn choice(&mut self, n: usize) -> u32 {
        if self.u8() == 0 { self.u32() } else { self.below(n) as u32 }
    }
    fn positive(&mut self) -> f64 {
        match self.u8() {
            0 => self.number(),
            n => n as f64 / 64.0,
        }
    }
}

struct Driver<'a> {
    bytes: Bytes<'a>,
    contexts: Vec<WithyContext>,
    worlds: Vec<WithyWorld>,
    rods: Vec<WithyRods>,
    colliders: Vec<WithyCollider>,
    meshes: Vec<WithyMesh>,
    attachments: Vec<WithyAttachment>,
    bodies: Vec<WithyBody>,
    joints: Vec<WithyJoint>,
    ragdolls: Vec<WithyRagdolls>,
    /// Bits of handles that were destroyed one by one.
    dead: Vec<u64>,
    floats: Vec<f32>,
    indices: Vec<u32>,
    failed: usize,
    done: usize,
}

/// Calls made, and how many were refused.
#[derive(Debug, Default)]
pub struct Tally {
    pub done: usize,
    pub refused: usize,
}

/// Drives the library until the bytes are used up.
pub fn drive(bytes: &[u8]) -> Tally {
    let mut d = Driver {
        bytes: Bytes(bytes),
        contexts: vec![WithyContext { bits: 0 }],
        worlds: vec![WithyWorld { bits: 0 }],
        rods: vec![WithyRods { bits: u64::MAX }],
        colliders: vec![WithyCollider { bits: 0 }],
        meshes: vec![WithyMesh { bits: 0 }],
        attachments: vec![WithyAttachment { bits: 0 }],
        bodies: vec![WithyBody { bits: 0 }],
        joints: vec![WithyJoint { bits: 0 }],
        ragdolls: vec![WithyRagdolls { bits: 0 }],
        dead: Vec::new(),
        floats: vec![0.0; 4096],
        indices: vec![0; 256],
        failed: 0,
        done: 0,
    };
    // Something to work with, whatever the bytes say.
    let mut context = WithyContext::default();
    // SAFETY: valid pointers.
    assert_eq!(unsafe { withy_context_create(std::ptr::null(), &mut context) }, WITHY_OK);
    d.contexts.push(context);
    let mut world = WithyWorld::default();
    // SAFETY: valid pointers.
    assert_eq!(unsafe { withy_world_create(context, std::ptr::null(), &mut world) }, WITHY_OK);
    d.worlds.push(world);
    while !d.bytes.0.is_empty() {
        d.call();
    }
    for context in d.contexts {
        withy_context_destroy(context);
    }
    Tally { done: d.done, refused: d.failed }
}

impl Driver<'_> {
    fn pick<T: Copy>(bytes: &mut Bytes, all: &[T]) -> T {
        all[bytes.below(all.len())]
    }

    fn hashes(&self) -> Vec<u64> {
        let hash = |w: &WithyWorld| {
            let mut hash = 0;
            // SAFETY: a valid pointer.
            unsafe { withy_world_state_hash(*w, &mut hash) };
            hash
        };
        self.worlds.iter().map(hash).collect()
    }

    /// A span over the driver's own memory: never larger than it, unless the library must refuse it.
    fn span(&mut self, words: usize, count: usize) -> WithySpan {
        let b = &mut self.bytes;
        let index = b.u8() < 128;
        let count = if b.u8() < 200 { count } else { b.below(24) };
        let (data, format) = if index && words != 3 && b.u8() < 8 {
            (self.indices.as_mut_ptr().cast(), WITHY_FORMAT_U32)
        } else {
            // A quarter of the numbers is replaced each time; format F64 reads pairs of them as they are.
            for _ in 0..8 {
                let i = b.below(96);
                self.floats[i] = b.number() as f32;
            }
            (self.floats.as_mut_ptr().cast(), if b.u8() < 250 { WITHY_FORMAT_F32 } else { WITHY_FORMAT_F64 })
        };
        let mut span = WithySpan { data, count: count as u64, stride: 0, format, reserved: 0 };
        match b.u8() {
            0 => span.stride = b.u8() as u64 % 32,
            1 => span.stride = u64::MAX - b.u8() as u64,
            2 => span.count = u64::MAX / (1 + b.u8() as u64),
            3 => span.format = b.u32(),
            4 => span.reserved = b.u32(),
            5 => span.data = std::ptr::null_mut(),
            _ => {}
        }
        span
    }

    fn check(&mut self, name: &str, result: i32, before: &[u64]) {
        self.done += 1;
        if result == WITHY_OK {
            return;
        }
        self.failed += 1;
        // SAFETY: the library's string, used before the next call.
        let text = unsafe { CStr::from_ptr(withy_last_error()) }.to_str().expect("UTF-8");
        assert!(text.starts_with("withy_") && text.len() > 8, "{name}: no reason: {text}");
        assert_ne!(result, WITHY_ERROR_PANIC, "{name}: {text}");
        assert_ne!(result, WITHY_ERROR_BUSY, "{name}: one thread only, yet: {text}");
        // SAFETY: a constant string.
        let code = unsafe { CStr::from_ptr(withy_result_name(result)) };
        assert!(code.to_bytes().starts_with(b"WITHY_ERROR_"), "{name}: result {result}");
        assert_eq!(self.hashes(), before, "{name} failed and changed a world: {text}");
    }

    fn call(&mut self) {
        let before = self.hashes();
        let context = Self::pick(&mut self.bytes, &self.contexts);
        let world = Self::pick(&mut self.bytes, &self.worlds);
        let rods = Self::pick(&mut self.bytes, &self.rods);
        let collider = Self::pick(&mut self.bytes, &self.colliders);
        let mesh = Self::pick(&mut self.bytes, &self.meshes);
        let attachment = Self::pick(&mut self.bytes, &self.attachments);
        let mut size = 0u64;
        if self.bytes.u8() < 96 {
            self.rigid(world, &before);
            self.dead_stay_dead();
            return;
        }
        match self.bytes.below(42) {
            0 if self.contexts.len() < 4 => {
                let mut def = new(withy_context_def_init_sized);
                def.convention = self.bytes.choice(5);
                def.threads = self.bytes.choice(2).min(2);
                def.metres_per_unit = if self.bytes.u8() < 200 { 0.0 } else { self.bytes.number() };
                let mut out = WithyContext::default();
                // SAFETY: the def and what takes the handle are locals.
                let result = unsafe { withy_context_create(&def, &mut out) };
                self.check("context_create", result, &before);
                if result == WITHY_OK {
                    self.contexts.push(out);
                }
            }
            1 if self.worlds.len() < 6 => {
                let mut def = new(withy_world_def_init_sized);
                // A GPU world compiles its shaders: a third of a second each with a software driver.
                def.backend = if self.bytes.u8() < 32 { WITHY_BACKEND_AUTO } else { self.bytes.choice(1) };
                def.isa = self.bytes.choice(6);
                def.precision = self.bytes.choice(2);
                def.substeps = self.bytes.choice(4).min(1025);
                def.iterations = self.bytes.choice(4).min(10_001);
                let mut out = WithyWorld::default();
                // SAFETY: the def and what takes the handle are locals.
                let result = unsafe { withy_world_create(context, &def, &mut out) };
                self.check("world_create", result, &before);
                if result == WITHY_OK {
                    self.worlds.push(out);
                }
            }
            2..=6 if self.rods.len() < 24 => self.create_rods(world, &before),
            7 | 8 => {
                let mut def = new(withy_collider_def_init_sized);
                def.shape = self.bytes.choice(5);
                (def.radius, def.radius_top) = (self.bytes.positive(), self.bytes.positive());
                def.half_height = self.bytes.positive();
                def.half_extents = WithyVec3 { x: self.bytes.positive(), y: self.bytes.positive(), z: self.bytes.positive() };
                def.pose.position.y = self.bytes.number();
                def.friction = self.bytes.positive();
                let mut out = WithyCollider::default();
                // SAFETY: the def and what takes the handle are locals.
                let result = unsafe { withy_collider_create(world, &def, &mut out) };
                self.check("collider_create", result, &before);
                if result == WITHY_OK {
                    self.colliders.push(out);
                }
            }
            9 => {
                let mut def = new(withy_mesh_def_init_sized);
                def.positions = self.span(3, 4);
                self.indices[..6].copy_from_slice(&[0, 1, 2, 1, 2, 3]);
                self.indices[5] = self.bytes.choice(4);
                let data = self.indices.as_mut_ptr().cast();
                def.triangles = WithySpan { data, count: 2, stride: 0, format: WITHY_FORMAT_U32, reserved: 0 };
                def.flags = self.bytes.choice(2);
                def.edge_compliance = self.bytes.positive();
                let mut out = WithyMesh::default();
                // SAFETY: the def and what takes the handle are locals.
                let result = unsafe { withy_mesh_create(world, &def, &mut out) };
                self.check("mesh_create", result, &before);
                if result == WITHY_OK {
                    self.meshes.push(out);
                }
            }
            10 => {
                let mut def = new(withy_triangle_attachment_def_init_sized);
                def.end = WithyStrandEnd { rods, strand: self.bytes.choice(2), end: self.bytes.choice(2) };
                def.mesh = mesh;
                def.triangle = self.bytes.choice(2);
                def.flags = self.bytes.choice(2);
                let mut out = WithyAttachment::default();
                // SAFETY: the def and what takes the handle are locals.
                let result = unsafe { withy_attachment_create_triangle(&def, &mut out) };
                self.check("attachment_create_triangle", result, &before);
                if result == WITHY_OK {
                    self.attachments.push(out);
                }
            }
            11 => {
                let mut def = new(withy_junction_def_init_sized);
                let second = Self::pick(&mut self.bytes, &self.rods);
                let ends =
                    [rods, second].map(|rods| WithyStrandEnd { rods, strand: self.bytes.choice(2), end: self.bytes.choice(2) });
                def.ends = ends.as_ptr();
                def.end_count = 2;
                def.radius = self.bytes.positive();
                def.mass = self.bytes.positive();
                let mut out = WithyAttachment::default();
                // SAFETY: the def and what takes the handle are locals.
                let result = unsafe { withy_attachment_create_junction(&def, &mut out) };
                self.check("attachment_create_junction", result, &before);
                if result == WITHY_OK {
                    self.attachments.push(out);
                }
            }
            12 => self.destroyed("rods_destroy", withy_rods_destroy(rods), rods.bits, &before),
            13 => self.destroyed("collider_destroy", withy_collider_destroy(collider), collider.bits, &before),
            14 => self.destroyed("mesh_destroy", withy_mesh_destroy(mesh), mesh.bits, &before),
            15 => self.destroyed("attachment_destroy", withy_attachment_destroy(attachment), attachment.bits, &before),
            16 if self.bytes.u8() < 32 => self.destroyed("world_destroy", withy_world_destroy(world), world.bits, &before),
            17 if self.bytes.u8() < 16 => {
                self.destroyed("context_destroy", withy_context_destroy(context), context.bits, &before)
            }
            18 | 19 => {
                let positions = self.span(3, 1);
                let rotation = [0.0f32, 0.0, 0.0, 1.0];
                let data = rotation.as_ptr().cast_mut().cast();
                let rotations = WithySpan { data, count: 1, stride: 0, format: WITHY_FORMAT_F32, reserved: 0 };
                let teleport = self.bytes.choice(2);
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe { withy_rods_set_root_poses(rods, &positions, &rotations, teleport) };
                self.check("rods_set_root_poses", result, &before);
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe { withy_rods_set_tip_poses(rods, &positions, std::ptr::null(), teleport) };
                let before = if result == WITHY_OK { before } else { self.hashes() };
                self.check("rods_set_tip_poses", result, &before);
            }
            20 => {
                let target = WithyVec3 { x: self.bytes.number(), y: self.bytes.number(), z: 0.0 };
                let target = if self.bytes.u8() < 64 { std::ptr::null() } else { &raw const target };
                let (vertex, teleport) = (self.bytes.choice(8), self.bytes.choice(2));
                // SAFETY: what is pointed to are locals, or NULL.
                let result = unsafe { withy_rods_set_pin(rods, vertex, target, teleport) };
                self.check("rods_set_pin", result, &before);
            }
            21 => {
                let wind = WithyVec3 { x: self.bytes.number(), y: 0.0, z: 0.0 };
                let (a, b, c) = (self.bytes.positive(), self.bytes.positive(), self.bytes.positive());
                // SAFETY: what is pointed to are locals, or NULL.
                let result = unsafe { withy_rods_set_motion(rods, a, b, &wind, c) };
                self.check("rods_set_motion", result, &before);
            }
            22 => {
                let (lengths, darboux) = (self.span(1, 7), self.span(3, 6));
                let kind = self.bytes.choice(3);
                let null = std::ptr::null();
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe {
                    match self.bytes.u8() < 128 {
                        true => withy_rods_set_rest_shape(rods, kind, &lengths, &darboux),
                        false => withy_rods_set_rest_shape(rods, kind, null, null),
                    }
                };
                self.check("rods_set_rest_shape", result, &before);
            }
            23 => {
                let span = self.span(3, 8);
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe { withy_rods_write_positions(rods, &span) };
                self.check("rods_write_positions", result, &before);
            }
            24 => {
                let span = self.span(3, 8);
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe { withy_rods_write_velocities(rods, &span) };
                self.check("rods_write_velocities", result, &before);
            }
            25 => {
                let mut pose = new(withy_collider_def_init_sized).pose;
                pose.position.x = self.bytes.number();
                pose.rotation.w = if self.bytes.u8() < 200 { 1.0 } else { self.bytes.number() };
                let teleport = self.bytes.choice(2);
                // SAFETY: what is pointed to are locals, or NULL.
                let result = unsafe { withy_collider_set_pose(collider, &pose, teleport) };
                self.check("collider_set_pose", result, &before);
                // SAFETY: what is pointed to are locals, or NULL.
                let result = unsafe { withy_collider_get_pose(collider, &mut pose) };
                self.check("collider_get_pose", result, &before);
            }
            26 => {
                let span = self.span(3, 4);
                let teleport = self.bytes.choice(2);
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe { withy_mesh_set_positions(mesh, &span, teleport) };
                self.check("mesh_set_positions", result, &before);
            }
            27 => {
                let gravity = WithyVec3 { x: self.bytes.number(), y: self.bytes.number(), z: self.bytes.number() };
                // SAFETY: what is pointed to are locals, or NULL.
                let result = unsafe { withy_world_set_gravity(world, &gravity) };
                self.check("world_set_gravity", result, &before);
            }
            28 => {
                let (substeps, iterations) = (self.bytes.choice(4).min(1025), self.bytes.choice(4).min(10_001));
                let result = withy_world_set_iterations(world, substeps, iterations);
                self.check("world_set_iterations", result, &before);
            }
            29 => {
                // SAFETY: no buffer: only the size is asked for.
                let result = unsafe { withy_world_save_state(world, std::ptr::null_mut(), &mut size) };
                self.check("world_save_state", result, &before);
                if result == WITHY_OK {
                    let mut state = vec![0u8; size as usize];
                    // SAFETY: `state` is as long as it says.
                    let result = unsafe { withy_world_save_state(world, state.as_mut_ptr().cast(), &mut size) };
                    self.check("world_save_state", result, &before);
                    if self.bytes.u8() < 128 && !state.is_empty() {
                        let i = self.bytes.u32() as usize % state.len();
                        state[i] ^= self.bytes.u8();
                        state.truncate(state.len() - self.bytes.below(4).min(state.len()));
                    }
                    // SAFETY: `state` is as long as it says.
                    let result = unsafe { withy_world_restore_state(world, state.as_ptr().cast(), state.len() as u64) };
                    self.check("world_restore_state", result, &before);
                }
            }
            30 => self.reads(rods, mesh, world, &before),
            31 => {
                let span = self.span(3, 8);
                let forces = if self.bytes.u8() < 64 { std::ptr::null() } else { &raw const span };
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe { withy_rods_set_forces(rods, forces) };
                self.check("rods_set_forces", result, &before);
            }
            32 => {
                let isa = self.bytes.choice(6);
                assert!(withy_isa_available(isa) <= 1);
                let version = if self.bytes.u8() < 128 { withy_version() } else { self.bytes.u32() };
                self.check("check_version", withy_check_version(version), &before);
            }
            33 => {
                let mut def = new(withy_rest_shape_def_init_sized);
                match self.bytes.u8() {
                    0 => def.regularizer = self.bytes.number(),
                    1 => def.penalty = self.bytes.number(),
                    2 => def.target = self.bytes.number(),
                    3 => (def.length_min, def.length_max) = (self.bytes.number(), self.bytes.number()),
                    4 => def.curvature = self.bytes.number(),
                    5 => def.stiffen = self.bytes.number(),
                    6 => def.struct_size = self.bytes.u8() as u32,
                    _ => {}
                }
                (def.bounds, def.change_twist, def.iterations) =
                    (self.bytes.choice(4), self.bytes.choice(2), 1 + self.bytes.choice(40) % 100);
                // SAFETY: the def is a local, and what it points to outlives the call.
                let result = unsafe { withy_rods_optimize_rest_shape(rods, &def) };
                self.check("rods_optimize_rest_shape", result, &before);
            }
            34 => {
                let (iterations, tolerance) = (self.bytes.choice(40) % 100, self.bytes.positive());
                self.check("rods_settle", withy_rods_settle(rods, iterations, tolerance), &before);
            }
            35 => {
                let (lengths, strains) = (self.span(1, 7), self.span(5, 8));
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe { withy_rods_set_rest_strains(rods, &lengths, &strains) };
                self.check("rods_set_rest_strains", result, &before);
            }
            36 => {
                let factors = self.span(2, 8);
                // SAFETY: the span lies in the driver's memory or is to be refused.
                let result = unsafe { withy_rods_set_stiffness_factors(rods, &factors) };
                self.check("rods_set_stiffness_factors", result, &before);
            }
            _ => {
                let dt = if self.bytes.u8() < 240 { 1.0 / 60.0 } else { self.bytes.number().min(0.1) };
                let result = withy_world_step(world, dt);
                self.check("world_step", result, &before);
            }
        }
        self.dead_stay_dead();
    }

    fn dead_stay_dead(&self) {
        for &bits in &self.dead {
            let (mut count, mut pose, mut length) = (WithySpan::default(), new(withy_collider_def_init_sized).pose, 0.0);
            // SAFETY: no data: only the count is asked for; the others are locals.
            let results = unsafe {
                [
                    withy_rods_read_positions(WithyRods { bits }, &mut count),
                    withy_body_get_pose(WithyBody { bits }, &mut pose),
                    withy_joint_get_length(WithyJoint { bits }, &mut length),
                ]
            };
            assert_eq!(results, [WITHY_ERROR_INVALID_HANDLE; 3], "a destroyed handle, 0x{bits:x}, is alive");
        }
    }

    fn pose(&mut self) -> WithyPose {
        let mut pose = new(withy_collider_def_init_sized).pose;
        pose.position = self.vector();
        match self.bytes.u8() {
            0..8 => pose.rotation.x = self.bytes.number(),
            8..64 => (pose.rotation.x, pose.rotation.w) = (0.6, 0.8),
            _ => {}
        }
        pose
    }

    fn vector(&mut self) -> WithyVec3 {
        WithyVec3 { x: self.bytes.number(), y: self.bytes.number(), z: self.bytes.number() }
    }

    fn create_body(&mut self, world: WithyWorld, before: &[u64]) {
        let mut shapes = [new(withy_shape_def_init_sized), new(withy_shape_def_init_sized)];
        let mut def = new(withy_body_def_init_sized);
        def.shape_count = self.bytes.choice(3).min(2);
        def.motion = self.bytes.choice(3);
        for s in &mut shapes[..def.shape_count as usize] {
            // Mostly what can move; hulls and meshes take the driver's numbers.
            s.shape = if self.bytes.u8() < 200 { self.bytes.choice(6) } else { self.bytes.choice(7) };
            (s.radius, s.radius_top, s.half_height) = (self.bytes.positive(), self.bytes.positive(), self.bytes.positive());
            s.half_extents = WithyVec3 { x: self.bytes.positive(), y: self.bytes.positive(), z: self.bytes.positive() };
            if s.shape >= WITHY_SHAPE_HULL {
                s.positions = self.span(3, 8);
            }
            if s.shape == WITHY_SHAPE_MESH {
                self.indices[..6].copy_from_slice(&[0, 1, 2, 1, 2, 3]);
                self.indices[5] = self.bytes.choice(4);
                let data = self.indices.as_mut_ptr().cast();
                s.triangles = WithySpan { data, count: 2, stride: 0, format: WITHY_FORMAT_U32, reserved: 0 };
            }
            match self.bytes.u8() {
                0 => s.density = self.bytes.number(),
                1 => s.friction = self.bytes.number(),
                2 => s.restitution = self.bytes.number(),
                3 => s.struct_size = self.bytes.below(224) as u32,
                4 => s.flags = self.bytes.u32(),
                5 => s.mask = self.bytes.u32(),
                6..64 => s.pose = self.pose(),
                _ => {}
            }
        }
        def.shapes = shapes.as_ptr();
        def.pose = self.pose();
        match self.bytes.u8() {
            0 => def.mass = self.bytes.number(),
            1 => def.gravity_scale = self.bytes.number(),
            2 => (def.linear_damping, def.angular_damping) = (self.bytes.number(), self.bytes.number()),
            3 => def.max_speed = self.bytes.number(),
            4 => def.flags = self.bytes.u32(),
            5 => def.struct_size = self.bytes.u8() as u32,
            6 => def.shapes = std::ptr::null(),
            7..32 => (def.velocity, def.spin) = (self.vector(), self.vector()),
            32..48 => {
                (def.flags, def.mass, def.center_of_mass) = (WITHY_BODY_INERTIA, self.bytes.positive(), self.vector());
                def.inertia = [0; 6].map(|_| self.bytes.positive());
                if self.bytes.u8() < 128 {
                    def.inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
                }
            }
            48..56 => {
                (def.can_sleep, def.continuous, def.group) = (self.bytes.choice(2), self.bytes.choice(2), self.bytes.choice(3))
            }
            _ => {}
        }
        let mut out = WithyBody::default();
        // SAFETY: the def and its shapes are locals, and spans lie in the driver's memory or are to be refused.
        let result = unsafe { withy_body_create(world, &def, &mut out) };
        self.check("body_create", result, before);
        if result == WITHY_OK {
            self.bodies.push(out);
        }
    }

    fn motor(&mut self) -> WithyMotor {
        let mut motor = std::mem::MaybeUninit::<WithyMotor>::uninit();
        // SAFETY: room for the whole struct, which the call fills.
        let mut motor = unsafe {
            assert_eq!(withy_motor_init(motor.as_mut_ptr()), WITHY_OK);
            motor.assume_init()
        };
        let k = self.bytes.below(3);
        motor.stiffness[k] = if self.bytes.u8() < 32 { f64::INFINITY } else { self.bytes.positive() };
        motor.damping[k] = self.bytes.positive();
        motor.speed[k] = self.bytes.number();
        motor.target.w = if self.bytes.u8() < 240 { 1.0 } else { self.bytes.number() };
        motor.max_torque = if self.bytes.u8() < 128 { f64::INFINITY } else { self.bytes.positive() };
        motor
    }

    fn joint_def(&mut self) -> WithyJointDef {
        let mut def = new(withy_joint_def_init_sized);
        def.body_a = Self::pick(&mut self.bytes, &self.bodies);
        def.body_b = Self::pick(&mut self.bytes, &self.bodies);
        def.kind = self.bytes.choice(5);
        (def.frame_a, def.frame_b) = (self.pose(), self.pose());
        def.collide = self.bytes.choice(2);
        def.most = self.bytes.positive();
        match self.bytes.u8() {
            0..16 => def.swing = [self.bytes.positive(), self.bytes.positive()],
            16..32 => def.twist = [self.bytes.number(), self.bytes.number()],
            32..64 => (def.arc.bend, def.arc.twist) = ([self.bytes.positive(), self.bytes.positive()], self.bytes.positive()),
            64..72 => def.arc.rest = [self.bytes.number(), self.bytes.number(), self.bytes.number()],
            72..80 => (def.flags, def.arc.relaxation) = (2, [self.bytes.positive(), self.bytes.positive()]),
            80..88 => (def.arc.length, def.arc.viscosity) = (self.bytes.positive(), self.bytes.positive()),
            88..96 => def.flags = self.bytes.choice(4),
            96 => def.struct_size = self.bytes.u8() as u32,
            97 => def.least = self.bytes.number(),
            _ => {}
        }
        def
    }

    /// Calls about rigid bodies and joints.
    fn rigid(&mut self, world: WithyWorld, before: &[u64]) {
        let body = Self::pick(&mut self.bytes, &self.bodies);
        let joint = Self::pick(&mut self.bytes, &self.joints);
        // Lists with a chance that all of them are of this world.
        let bodies = [body, Self::pick(&mut self.bytes, &self.bodies)];
        let joints = [joint, Self::pick(&mut self.bytes, &self.joints)];
        let count = self.bytes.below(3);
        let list = if self.bytes.u8() < 96 { std::ptr::null() } else { bodies.as_ptr() };
        let many = if list.is_null() && self.bytes.u8() < 240 { 0 } else { count as u64 };
        match self.bytes.below(31) {
            24..30 => self.ragdolls(world, before),
            30 => {
                let mut def = new(withy_body_attachment_def_init_sized);
                let rods = Self::pick(&mut self.bytes, &self.rods);
                def.end = WithyStrandEnd { rods, strand: self.bytes.choice(2), end: self.bytes.choice(2) };
                (def.body, def.flags) = (body, self.bytes.choice(2));
                let mut out = WithyAttachment::default();
                // SAFETY: the def and what takes the handle are locals.
                let result = unsafe { withy_attachment_create_body(&def, &mut out) };
                self.check("attachment_create_body", result, before);
                if result == WITHY_OK {
                    self.attachments.push(out);
                }
            }
            0..=4 if self.bodies.len() < 32 => self.create_body(world, before),
            5..=7 if self.joints.len() < 32 => {
                let mut def = self.joint_def();
                let motor = self.motor();
                if self.bytes.u8() < 64 {
                    def.motor = &motor;
                }
                let mut out = WithyJoint::default();
                // SAFETY: the def and what it points to are locals.
                let result = unsafe { withy_joint_create(&def, &mut out) };
                self.check("joint_create", result, before);
                if result == WITHY_OK {
                    self.joints.push(out);
                }
            }
            8 => self.destroyed("body_destroy", withy_body_destroy(body), body.bits, before),
            9 => self.destroyed("joint_destroy", withy_joint_destroy(joint), joint.bits, before),
            10 => {
                let (pose, target) = (self.pose(), self.bytes.u8() < 128);
                // SAFETY: locals.
                let result =
                    unsafe { if target { withy_body_set_target(body, &pose) } else { withy_body_set_pose(body, &pose) } };
                self.check("body_set_pose", result, before);
            }
            11 => {
                let (v, w) = (self.vector(), self.vector());
                // SAFETY: locals.
                let result = unsafe { withy_body_set_velocity(body, &v, &w) };
                self.check("body_set_velocity", result, before);
            }
            12 => {
                let motion = self.bytes.choice(3);
                self.check("body_set_motion", withy_body_set_motion(body, motion), before);
            }
            13 => {
                let (f, t, p) = (self.vector(), self.vector(), self.vector());
                let point = if self.bytes.u8() < 128 { std::ptr::null() } else { &raw const p };
                // SAFETY: locals, or NULL.
                let result = unsafe { withy_body_push(body, &f, &t, point) };
                self.check("body_push", result, before);
            }
            14 => {
                let sleeping = self.bytes.choice(2);
                self.check("body_set_sleeping", withy_body_set_sleeping(body, sleeping), before);
            }
            15 => {
                let (p, v) = (self.span(3, count), self.span(3, count));
                let null = std::ptr::null();
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe { withy_world_write_bodies(world, list, many, &p, null, &v, null) };
                self.check("world_write_bodies", result, before);
            }
            16 => {
                let p = self.span(3, count);
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe { withy_world_set_body_targets(world, list, many, &p, std::ptr::null()) };
                self.check("world_set_body_targets", result, before);
            }
            17 => {
                let (f, t) = (self.span(3, count), self.span(3, count));
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe { withy_world_push_bodies(world, list, many, &f, &t) };
                self.check("world_push_bodies", result, before);
            }
            18 => {
                let def = self.joint_def();
                // SAFETY: locals.
                let result = unsafe { withy_joint_change(joint, &def) };
                self.check("joint_change", result, before);
            }
            19 => {
                let (swing, twist) = ([self.bytes.positive(); 2], [-self.bytes.positive(), self.bytes.positive()]);
                let swing = if self.bytes.u8() < 128 { std::ptr::null() } else { swing.as_ptr() };
                // SAFETY: locals, or NULL.
                let result = unsafe { withy_joint_set_limits(joint, swing, twist.as_ptr()) };
                self.check("joint_set_limits", result, before);
            }
            20 => {
                let motor = self.motor();
                let motor = if self.bytes.u8() < 64 { std::ptr::null() } else { &raw const motor };
                // SAFETY: locals, or NULL.
                let result = unsafe { withy_joint_set_motor(joint, motor) };
                self.check("joint_set_motor", result, before);
            }
            21 => {
                let enabled = self.bytes.choice(2);
                self.check("joint_set_enabled", withy_joint_set_enabled(joint, enabled), before);
            }
            22 => {
                let motors = [self.motor(), self.motor()];
                // SAFETY: locals, two of each.
                let result = unsafe { withy_world_set_motors(world, joints.as_ptr(), count as u64, motors.as_ptr()) };
                self.check("world_set_motors", result, before);
            }
            _ => self.rigid_reads(world, body, joint, (list, many), before),
        }
    }

    /// A chain of five bones, a body on each, and a region over most of it; then what is called for ragdolls.
    fn ragdolls(&mut self, world: WithyWorld, before: &[u64]) {
        const BONES: usize = 5;
        let set = Self::pick(&mut self.bytes, &self.ragdolls);
        let which = [self.bytes.below(4) as u32, self.bytes.below(3) as u32];
        let list = if self.bytes.u8() < 128 { std::ptr::null() } else { which.as_ptr() };
        let count = if list.is_null() && self.bytes.u8() < 240 { 0 } else { self.bytes.below(3) as u64 };
        let chosen = if list.is_null() { 2 } else { count as usize };
        let mut rotations = [0.0, 0.0, 0.0, 1.0].repeat(2 * BONES);
        rotations[4 * self.bytes.below(2 * BONES)] = if self.bytes.u8() < 16 { self.bytes.number() } else { 0.1 };
        let span = |data: &mut [f64], words: usize, count: usize| WithySpan {
            data: data.as_mut_ptr().cast(),
            count: (count.min(data.len() / words)) as u64,
            stride: 0,
            format: WITHY_FORMAT_F64,
            reserved: 0,
        };
        let mut places: Vec<f64> =
            (0..6 * BONES).map(|i| if i % 3 == 1 { 0.1 * (i / 3 % BONES) as f64 } else { 0.01 * i as f64 }).collect();
        if self.bytes.u8() < 64 {
            places[self.bytes.below(6 * BONES)] = self.bytes.number();
        }
        let n = chosen * BONES;
        let (p, r) = (span(&mut places, 3, n), span(&mut rotations, 4, n));
        let null = std::ptr::null::<WithySpan>();
        match self.bytes.below(12) {
            0..=2 if self.ragdolls.len() < 12 => {
                let mut shape = new(withy_shape_def_init_sized);
                shape.radius = 0.03;
                let mut body = new(withy_body_def_init_sized);
                (body.shapes, body.shape_count) = (&shape, 1);
                let mut joint = new(withy_joint_def_init_sized);
                if self.bytes.u8() < 64 {
                    joint = self.joint_def();
                }
                let mut bodies = [0; BONES].map(|_| new(withy_ragdoll_body_def_init_sized));
                for (i, b) in bodies.iter_mut().enumerate() {
                    (b.bone, b.body) = (i as u32, &body);
                    if i > 0 {
                        b.joint = &joint;
                    }
                }
                let mut region = new(withy_region_def_init_sized);
                (region.first, region.last) = (0, 1 + self.bytes.below(4) as u32);
                let mut parents = [u32::MAX, 0, 1, 2, 3];
                match self.bytes.u8() {
                    0..8 => parents[self.bytes.below(BONES)] = self.bytes.choice(7),
                    8..16 => bodies[self.bytes.below(BONES)].bone = self.bytes.choice(7),
                    16..24 => (region.first, region.last) = (self.bytes.choice(7), self.bytes.choice(7)),
                    24..32 => region.arc.length = self.bytes.number(),
                    32..40 => region.axis = self.vector(),
                    40..48 => (region.rest, region.read_back) = (self.bytes.choice(4), self.bytes.choice(5)),
                    48..56 => bodies[self.bytes.below(BONES)].struct_size = self.bytes.u8() as u32,
                    56..64 => region.anchor_a = self.vector(),
                    64..128 => region.read_back = self.bytes.choice(3),
                    128..136 => region.swing = [self.bytes.positive(), self.bytes.positive()],
                    136..144 => region.twist = [self.bytes.number(), self.bytes.number()],
                    _ => {}
                }
                let mut def = new(withy_ragdoll_def_init_sized);
                let data = parents.as_mut_ptr().cast();
                def.parents = WithySpan { data, count: BONES as u64, stride: 0, format: WITHY_FORMAT_U32, reserved: 0 };
                def.positions = span(&mut places, 3, BONES);
                def.rotations = span(&mut rotations, 4, BONES);
                (def.bodies, def.body_count) = (bodies.as_ptr(), BONES as u32);
                (def.regions, def.region_count) = (&region, 1);
                def.flags = self.bytes.choice(5);
                let mut out = WithyRagdolls::default();
                let room = if self.bytes.u8() < 250 { 2 } else { self.bytes.u32() };
                // SAFETY: the defs and what they point to are locals.
                let result = unsafe { withy_ragdolls_create(world, &def, room, &mut out) };
                self.check("ragdolls_create", result, before);
                if result == WITHY_OK {
                    self.ragdolls.push(out);
                }
            }
            // SAFETY: from here on, spans and lists of locals, or NULL.
            3..=5 => {
                let flags = self.bytes.choice(5);
                let dt = if self.bytes.u8() < 240 { 0.1 } else { self.bytes.number() };
                let moving = self.bytes.u8() < 128;
                let (x, q) = if moving { (&raw const p, &raw const r) } else { (null, null) };
                let result = unsafe { withy_ragdolls_instantiate(set, list, count, &p, &r, x, q, dt, flags) };
                self.check("ragdolls_instantiate", result, before);
            }
            6 => {
                let result = unsafe { withy_ragdolls_instantiate_moving(set, list, count, &p, &r, &p, null, 0) };
                self.check("ragdolls_instantiate_moving", result, before);
            }
            7 => {
                let stiffness = if self.bytes.u8() < 64 { f64::INFINITY } else { self.bytes.positive() };
                let max_torque = if self.bytes.u8() < 64 { f64::INFINITY } else { self.bytes.positive() };
                let drive =
                    WithyRagdollDrive { stiffness, damping: self.bytes.positive(), max_torque, scale: WithySpan::default() };
                let result = unsafe { withy_ragdolls_set_targets(set, list, count, &p, &r, &p, &r, 0.1, &drive) };
                self.check("ragdolls_set_targets", result, before);
            }
            8 => {
                let (a, b) = (span(&mut places, 3, chosen), span(&mut rotations, 4, chosen));
                let result = unsafe { withy_ragdolls_teleport(set, list, count, &a, &b) };
                self.check("ragdolls_teleport", result, before);
            }
            9 => {
                let (weight, seconds, body) = (self.bytes.positive(), self.bytes.positive(), self.bytes.choice(7));
                let kinematic = self.bytes.choice(2);
                let results = unsafe {
                    [
                        withy_ragdolls_fade(set, list, count, weight, seconds),
                        withy_ragdolls_advance(set, seconds),
                        withy_ragdolls_clear_targets(set, list, count),
                        withy_ragdolls_set_kinematic(set, list, count, body, kinematic),
                    ]
                };
                results.into_iter().for_each(|r| self.check("ragdolls_fade", r, before));
            }
            10 => {
                if self.bytes.u8() < 64 {
                    self.destroyed("ragdolls_destroy", withy_ragdolls_destroy(set), set.bits, before);
                } else {
                    let result = unsafe { withy_ragdolls_remove(set, list, count) };
                    self.check("ragdolls_remove", result, before);
                }
            }
            _ => {
                let (mut a, mut b) = (vec![0.0; 64], vec![0.0; 64]);
                let (mut a, mut b) = (span(&mut a, 3, 20), span(&mut b, 4, 16));
                let (mut weight, mut body, mut joint, mut n) = (0.0, WithyBody::default(), WithyJoint::default(), 0);
                let (instance, index) = (which[0], self.bytes.choice(6));
                let animated = if self.bytes.u8() < 128 { &raw const p } else { null };
                let turned = if animated.is_null() { null } else { &raw const r };
                let results = unsafe {
                    [
                        withy_ragdolls_read(set, list, count, animated, turned, null, &mut a, &mut b),
                        withy_ragdolls_get_weight(set, instance, &mut weight),
                        withy_ragdolls_get_body(set, instance, index, &mut body),
                        withy_ragdolls_get_joint(set, instance, index, &mut joint),
                        withy_ragdolls_get_counts(set, &mut n, std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut()),
                    ]
                };
                results.into_iter().for_each(|r| self.check("ragdolls_read", r, before));
                // Those of a ragdoll are bodies like others, which may be pushed or destroyed.
                if body.bits != 0 && self.bodies.len() < 40 {
                    self.bodies.push(body);
                }
            }
        }
    }

    fn rigid_reads(
        &mut self,
        world: WithyWorld,
        body: WithyBody,
        joint: WithyJoint,
        (list, many): (*const WithyBody, u64),
        before: &[u64],
    ) {
        let mut scratch = vec![0f64; 256];
        let (mut room, mut small) = ([32u64, self.bytes.below(16) as u64], 0);
        let out = WithySpan { data: scratch.as_mut_ptr().cast(), count: 64, stride: 0, format: WITHY_FORMAT_F64, reserved: 0 };
        let mut spans = [WithySpan { count: 24, ..out }; 5];
        spans[4].format = self.bytes.choice(4);
        // SAFETY: locals with the room that is said; a wrong format has smaller elements, or is refused.
        unsafe {
            let mut pose = new(withy_collider_def_init_sized).pose;
            let (mut v, mut w, mut n, mut tensor) = (WithyVec3::default(), WithyVec3::default(), 0.0, [0.0; 6]);
            let mut handles = [WithyBody::default(); 32];
            let mut contacts = [WithyContact::default(); 16];
            let null = std::ptr::null_mut::<u8>();
            let [p, r, u, s, z] = &mut spans;
            let results = [
                withy_body_get_pose(body, &mut pose),
                withy_body_get_velocity(body, &mut v, &mut w),
                withy_body_get_mass(body, &mut n, &mut v, tensor.as_mut_ptr()),
                withy_joint_get_error(joint, &mut n, null.cast()),
                withy_joint_get_length(joint, &mut n),
                withy_world_list_bodies(world, handles.as_mut_ptr(), &mut room[0]),
                withy_world_read_contacts(world, contacts.as_mut_ptr(), &mut room[1]),
                withy_world_list_bodies(world, null.cast(), &mut small),
                withy_world_read_bodies(world, list, many, p, r, u, s, z),
                withy_world_read_joint_errors(world, &joint, 1, p, null.cast()),
            ];
            for result in results {
                self.check("rigid_reads", result, before);
            }
        }
    }

    fn destroyed(&mut self, name: &str, result: i32, bits: u64, before: &[u64]) {
        self.check(name, result, before);
        if result == WITHY_OK {
            self.dead.push(bits);
        }
    }

    fn create_rods(&mut self, world: WithyWorld, before: &[u64]) {
        let vertices = 2 + self.bytes.below(7);
        let strands = 1 + self.bytes.below(2);
        let mut def = new(withy_rods_def_init_sized);
        def.positions = self.span(3, vertices * strands);
        // Mostly a usable line, on which the span's numbers have left a few traces.
        if self.bytes.u8() < 200 {
            for (i, x) in self.floats[..3 * vertices * strands].iter_mut().enumerate() {
                *x = if i % 3 == 0 { i as f32 / 30.0 } else { 0.01 * (i % 5) as f32 };
            }
        }
        self.indices[..2].fill(vertices as u32);
        if self.bytes.u8() < 16 {
            self.indices[0] = self.bytes.u32();
        }
        let data = self.indices.as_mut_ptr().cast();
        def.counts = WithySpan { data, count: strands as u64, stride: 0, format: WITHY_FORMAT_U32, reserved: 0 };
        def.radius = if self.bytes.u8() < 200 { 0.01 } else { self.bytes.number() };
        def.root = self.bytes.choice(3);
        def.tip = self.bytes.choice(3);
        (def.order, def.model) = (self.bytes.choice(6), self.bytes.choice(2));
        def.stiffness = self.bytes.choice(2);
        def.rest_shape = self.bytes.choice(2);
        def.ghost_gravity = self.bytes.choice(3);
        match self.bytes.u8() {
            0 => def.velocities = self.span(3, vertices * strands),
            1 => def.rest_positions = self.span(3, vertices * strands),
            2 => def.radii = self.span(1, vertices * strands),
            3 => def.section_axes = self.span(3, strands),
            4 => def.stiffness_scale = self.span(1, vertices * strands),
            5 => def.rest_lengths = self.span(1, (vertices - 1) * strands),
            6 => def.density = self.bytes.number(),
            7 => def.young_modulus = self.bytes.number(),
            8 => def.ghost_distance = self.bytes.number(),
            9 => def.ghost_mass_ratio = self.bytes.number(),
            10 => def.aspect = self.bytes.number(),
            11 => def.max_speed = self.bytes.number(),
            12 => def.struct_size = self.bytes.u8() as u32,
            13 => def.flags = self.bytes.u32(),
            14 => def.iterations = self.bytes.choice(3),
            15 => def.collision_radius = self.bytes.number(),
            16 => (def.viscosity, def.stretch_modulus) = (self.bytes.number(), self.bytes.number()),
            17..64 => def.flags = WITHY_RODS_SAG_FREE,
            _ => {}
        }
        let mut out = WithyRods::default();
        // SAFETY: as in `call`.
        let result = unsafe { withy_rods_create(world, &def, &mut out) };
        self.check("rods_create", result, before);
        if result == WITHY_OK {
            self.rods.push(out);
        }
    }

    fn reads(&mut self, rods: WithyRods, mesh: WithyMesh, world: WithyWorld, before: &[u64]) {
        let mut scratch = vec![0f64; 1024];
        let reads = [
            withy_rods_read_positions,
            withy_rods_read_velocities,
            withy_rods_read_ghosts,
            withy_rods_read_frames,
            withy_rods_read_twist,
            withy_rods_read_strain,
            withy_rods_read_darboux,
            withy_rods_read_tension,
            withy_rods_read_moments,
            withy_rods_read_counts,
            withy_rods_read_rest_lengths,
            withy_rods_read_rest_strains,
            withy_rods_read_stiffness_factors,
            withy_rods_read_carried,
        ];
        for read in reads {
            let mut out = WithySpan {
                data: scratch.as_mut_ptr().cast(),
                count: self.bytes.below(24) as u64,
                stride: 0,
                format: self.bytes.choice(4),
                reserved: 0,
            };
            // SAFETY: as in `call`.
            let result = unsafe { read(rods, &mut out) };
            self.check("rods_read", result, before);
        }
        let mut out = WithySpan::default();
        // SAFETY: as in `call`.
        unsafe {
            let (mut isa, mut gravity, mut name) = (0, WithyVec3::default(), [0 as std::ffi::c_char; 256]);
            let mut issues = [const { std::mem::MaybeUninit::<WithyStrandIssue>::uninit() }; 16];
            let mut lines = [const { std::mem::MaybeUninit::<WithyDebugLine>::uninit() }; 64];
            let mut reports = [const { std::mem::MaybeUninit::<WithyElasticReport>::uninit() }; 8];
            let mut room =
                [name.len() as u64, self.bytes.below(16) as u64, self.bytes.below(64) as u64, self.bytes.below(8) as u64];
            let results = [
                withy_mesh_read_positions(mesh, &mut out),
                withy_mesh_read_corrections(mesh, &mut out),
                withy_world_memory(world, &mut out.count),
                withy_world_isa(world, &mut isa),
                withy_rods_order(rods, &mut isa),
                withy_world_get_gravity(world, &mut gravity),
                withy_world_backend(world, name.as_mut_ptr(), &mut room[0]),
                withy_rods_read_report(rods, issues.as_mut_ptr().cast(), &mut room[1]),
                withy_rods_read_elastic_report(rods, reports.as_mut_ptr().cast(), &mut room[3]),
                withy_world_debug_lines(world, lines.as_mut_ptr().cast(), &mut room[2]),
            ];
            // Each is told alone; the text is that of the last one that failed.
            for result in results {
                self.check("reads", result, before);
            }
            let mut stats = WithyStepStats::default();
            let result = withy_world_read_stats_sized(world, &mut stats, size_of::<WithyStepStats>() as u32);
            self.check("world_read_stats", result, before);
        }
    }
}

/// A def with its defaults.
fn new<T>(init: unsafe extern "C" fn(*mut T, u32) -> i32) -> T {
    let mut def = std::mem::MaybeUninit::<T>::uninit();
    // SAFETY: room for the whole struct, which the call fills.
    unsafe {
        assert_eq!(init(def.as_mut_ptr(), size_of::<T>() as u32), WITHY_OK);
        def.assume_init()
    }
}
