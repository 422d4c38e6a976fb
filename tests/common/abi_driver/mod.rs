//! Turns bytes into a sequence of ABI calls, good and bad. Shared by `tests/abi/random.rs` and `fuzz/fuzz_targets/abi.rs`.
//!
//! Every function of the header is called; `tests/abi/random.rs` compares. What must hold: no call crashes or panics, every failure has a text, a failed call leaves every world's state as it was, and
//! a handle that was destroyed is refused from then on.

mod assets;
mod bodies;
mod hairs;
mod muscles;
mod ragdolls;
mod rods;
mod ropes;
mod skins;

use std::ffi::CStr;

use withy::ffi::{
    asset::*, attachment::*, body::*, cable::*, collider::*, context::*, cut::*, diagnostics::*, isa::*, joint::*, library::*,
    materials::*, mesh::*, muscle::*, muscle_mesh::*, ragdoll::*, render_hair::*, rest_shape::*, rods::*, rods_detail::*,
    skin::*, surface::*, types::*, world::*,
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

const BASELINE: u32 = if cfg!(target_arch = "x86_64") { WITHY_ISA_SSE2 } else { WITHY_ISA_AUTO };

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
    cables: Vec<WithyCable>,
    skins: Vec<WithySkin>,
    hairs: Vec<WithyRenderHair>,
    /// Bits of handles that were destroyed one by one.
    dead: Vec<u64>,
    floats: Vec<f32>,
    indices: Vec<u32>,
    failed: usize,
    done: usize,
    /// Worlds on the CPU with what every processor of its kind has, as valgrind 3.19 does not know all of AVX2.
    baseline: bool,
}

/// Calls made, and how many were refused.
#[derive(Debug, Default)]
pub struct Tally {
    pub done: usize,
    pub refused: usize,
}

/// Drives the library until the bytes are used up.
pub fn drive(bytes: &[u8]) -> Tally {
    drive_on(bytes, false)
}

/// `baseline`: on what every processor of its kind has.
pub fn drive_on(bytes: &[u8], baseline: bool) -> Tally {
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
        cables: vec![WithyCable { bits: 0 }],
        skins: vec![WithySkin { bits: 0 }],
        hairs: vec![WithyRenderHair { bits: 0 }],
        dead: Vec::new(),
        floats: vec![0.0; 4096],
        indices: vec![0; 256],
        failed: 0,
        done: 0,
        baseline,
    };
    // Something to work with, whatever the bytes say.
    let mut context = WithyContext::default();
    // SAFETY: valid pointers.
    assert_eq!(unsafe { withy_context_create(std::ptr::null(), &mut context) }, WITHY_OK);
    d.contexts.push(context);
    let mut world = WithyWorld::default();
    let mut def = new(withy_world_def_init_sized);
    if baseline {
        def.isa = BASELINE;
    }
    // SAFETY: valid pointers.
    assert_eq!(unsafe { withy_world_create(context, if baseline { &def } else { std::ptr::null() }, &mut world) }, WITHY_OK);
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
        match self.bytes.below(43) {
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
                // Long steps stay short.
                def.max_substeps = if def.substeps > 16 { 1 } else { self.bytes.choice(3) };
                def.iterations = self.bytes.choice(4).min(10_001);
                if self.baseline {
                    (def.backend, def.isa) = (WITHY_BACKEND_CPU, BASELINE);
                }
                let mut out = WithyWorld::default();
                // SAFETY: the def and what takes the handle are locals.
                let result = unsafe { withy_world_create(context, &def, &mut out) };
                self.check("world_create", result, &before);
                if result == WITHY_OK {
                    self.worlds.push(out);
                }
            }
            2..=6 if self.rods.len() < 24 => self.create_rods(context, world, &before),
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
                def.flags = self.bytes.choice(8);
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
                // Not called, as it would destroy the contexts of tests on other threads: ctest/misuse.c does.
                let _: extern "C" fn() -> i32 = withy_context_destroy_all;
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
                let mut transform = new(withy_collider_def_init_sized).pose;
                transform.position.x = self.bytes.number();
                transform.rotation.y = self.bytes.number();
                let before = self.hashes();
                // SAFETY: what is pointed to is a local.
                let result = unsafe { withy_rods_set_root_transform(rods, &transform, teleport) };
                self.check("rods_set_root_transform", result, &before);
            }
            20 => {
                let target = WithyVec3 { x: self.bytes.number(), y: self.bytes.number(), z: 0.0 };
                let target = if self.bytes.u8() < 64 { std::ptr::null() } else { &raw const target };
                let (vertex, teleport) = (self.bytes.choice(8), self.bytes.choice(2));
                // SAFETY: what is pointed to are locals, or NULL.
                let result = unsafe { withy_rods_set_pin(rods, vertex, target, teleport) };
                self.check("rods_set_pin", result, &before);
                let vertices = [self.bytes.choice(8), self.bytes.choice(4)];
                let data = vertices.as_ptr().cast_mut().cast();
                let count = 1 + u64::from(self.bytes.choice(2) == 1);
                let vertices = WithySpan { data, count, stride: 0, format: WITHY_FORMAT_U32, reserved: 0 };
                let targets = self.span(3, count as usize);
                let targets = if self.bytes.u8() < 64 { std::ptr::null() } else { &raw const targets };
                let before = self.hashes();
                // SAFETY: the spans are of a local and in the driver's memory, or are to be refused.
                let result = unsafe { withy_rods_set_pins(rods, &vertices, targets, teleport) };
                self.check("rods_set_pins", result, &before);
                let goals = self.span(3, 4);
                let targets = if self.bytes.u8() < 64 { std::ptr::null() } else { &raw const goals };
                let (rates, damping) = (self.span(1, 1), self.bytes.positive());
                let before = self.hashes();
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe { withy_rods_set_goals(rods, targets, &rates, damping) };
                self.check("rods_set_goals", result, &before);
                let mut transform = new(withy_collider_def_init_sized).pose;
                transform.position.x = self.bytes.number();
                transform.rotation.y = self.bytes.number();
                let before = self.hashes();
                // SAFETY: what is pointed to is a local.
                let result = unsafe { withy_rods_teleport(rods, &transform) };
                self.check("rods_teleport", result, &before);
                let (masses, winds, other) = (self.span(1, 4), self.span(3, 8), self.span(3, 4));
                let null = self.bytes.u8() < 64;
                let of = |span: &WithySpan| if null { std::ptr::null() } else { std::ptr::from_ref(span) };
                let enabled = self.bytes.choice(2);
                let mut def = new(withy_rods_def_init_sized);
                let (mut on, mut places, mut turns) = (0, winds, self.span(4, 2));
                // SAFETY: the spans lie in the driver's memory or are to be refused; the others are locals.
                unsafe {
                    let before = self.hashes();
                    let results = [
                        withy_rods_read_masses(rods, &mut { masses }),
                        withy_rods_get_enabled(rods, &mut on),
                        withy_rods_read_root_poses(rods, &mut places, &mut turns),
                        withy_rods_get_def(rods, &mut def),
                    ];
                    results.into_iter().for_each(|r| self.check("reads of rods", r, &before));
                    let result = withy_rods_set_winds(rods, of(&winds));
                    self.check("rods_set_winds", result, &before);
                    let before = self.hashes();
                    let result = withy_rods_set_accelerations(rods, of(&other));
                    self.check("rods_set_accelerations", result, &before);
                    match self.bytes.choice(8) {
                        0 => def.young_modulus = self.bytes.number(),
                        1 => def.density = self.bytes.number(),
                        2 => def.mask = self.bytes.choice(3),
                        3 => def.collision_radius = self.bytes.number(),
                        4 => def.model = self.bytes.choice(3),
                        5 => def.flags ^= WITHY_RODS_ONE_WAY,
                        6 => def.radius = self.bytes.number(),
                        _ => def.viscosity = self.bytes.number(),
                    }
                    let before = self.hashes();
                    let result = withy_rods_change(rods, &def);
                    self.check("rods_change", result, &before);
                    let before = self.hashes();
                    let result = withy_rods_set_enabled(rods, enabled);
                    self.check("rods_set_enabled", result, &before);
                }
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
            24 if self.bytes.u8() < 100 => {
                let span = self.span(4, 8);
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe { withy_rods_write_frames(rods, &span) };
                self.check("rods_write_frames", result, &before);
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
                let each = self.span(1, 8);
                let moments = if self.bytes.u8() < 64 { std::ptr::null() } else { &raw const each };
                // SAFETY: the spans lie in the driver's memory or are to be refused.
                let result = unsafe { withy_rods_set_moments(rods, moments) };
                self.check("rods_set_moments", result, &before);
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
            38 => {
                // SAFETY: no buffer: only the size is asked for.
                let result = unsafe { withy_context_save_gpu_cache(context, std::ptr::null_mut(), &mut size) };
                self.check("context_save_gpu_cache", result, &before);
                let mut cache = vec![0u8; if result == WITHY_OK { size as usize } else { 0 }];
                size = cache.len() as u64;
                // SAFETY: `cache` is as long as it says.
                let result = unsafe { withy_context_save_gpu_cache(context, cache.as_mut_ptr().cast(), &mut size) };
                self.check("context_save_gpu_cache", result, &before);
                cache.resize(cache.len() + self.bytes.below(40), self.bytes.u8());
                let data = if self.bytes.u8() < 16 { std::ptr::null() } else { cache.as_ptr() };
                // SAFETY: `cache` is as long as it says.
                let result = unsafe { withy_context_load_gpu_cache(context, data.cast(), cache.len() as u64) };
                self.check("context_load_gpu_cache", result, &before);
            }
            33 => {
                let mut def = new(withy_rest_shape_def_init_sized);
                match self.bytes.u8() {
                    0 => def.regularizer = self.bytes.number(),
                    1 => def.tolerance = self.bytes.number(),
                    2 => def.target = self.bytes.number(),
                    3 => (def.length_min, def.length_max) = (self.bytes.number(), self.bytes.number()),
                    4 => def.curvature = self.bytes.number(),
                    5 => def.stiffen = self.bytes.number(),
                    6 => def.struct_size = self.size_of::<WithyRestShapeDef>(),
                    7 => (def.stiffen, def.lowest_mode_min) = (1e3, self.bytes.number()),
                    _ => {}
                }
                (def.bounds, def.change_twist, def.iterations) =
                    (self.bytes.choice(2), self.bytes.choice(2), 1 + self.bytes.choice(40) % 100);
                // SAFETY: the def is a local, and what it points to outlives the call.
                let result = unsafe { withy_rods_optimize_rest_shape(rods, &def) };
                self.check("rods_optimize_rest_shape", result, &before);
            }
            34 => {
                let mut def = new(withy_settle_def_init_sized);
                (def.iterations, def.tolerance) = (self.bytes.choice(40) % 100, self.bytes.positive());
                // SAFETY: the def is a local.
                let result = unsafe { withy_rods_settle(rods, &def) };
                self.check("rods_settle", result, &before);
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
            37 => {
                let radii = self.span(1, 8);
                // SAFETY: the span lies in the driver's memory or is to be refused.
                let result = unsafe { withy_rods_set_radii(rods, &radii) };
                self.check("rods_set_radii", result, &before);
            }
            _ => {
                let dt = if self.bytes.u8() < 240 { 1.0 / 60.0 } else { self.bytes.number().min(0.1) };
                let result = withy_world_step(world, dt);
                self.check("world_step", result, &before);
            }
        }
        self.dead_stay_dead();
    }

    /// A size that a def may claim: no more memory than it has.
    fn size_of<T>(&mut self) -> u32 {
        u32::from(self.bytes.u8()).min(std::mem::size_of::<T>() as u32)
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

    fn destroyed(&mut self, name: &str, result: i32, bits: u64, before: &[u64]) {
        self.check(name, result, before);
        if result == WITHY_OK {
            self.dead.push(bits);
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
