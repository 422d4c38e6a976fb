//! Making and reading rods.

use super::*;

impl Driver<'_> {
    pub(super) fn create_rods(&mut self, context: WithyContext, world: WithyWorld, before: &[u64]) {
        let vertices = 2 + self.bytes.below(7);
        let strands = 1 + self.bytes.below(2);
        let mut def = new(withy_rods_def_init_sized);
        let size = if self.bytes.u8() < 240 { size_of::<WithyRodsDef>() as u32 } else { self.bytes.u8() as u32 };
        // SAFETY: room for the whole struct, and a size that is at most that.
        match self.bytes.u8() {
            0..16 => self.check("hair_def_init", unsafe { withy_hair_def_init_sized(context, &mut def, size) }, before),
            16..32 => self.check("rope_def_init", unsafe { withy_rope_def_init_sized(context, &mut def, size) }, before),
            _ => {}
        }
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
        (def.order, def.model) = (self.bytes.choice(4), self.bytes.choice(2));
        def.integrator = self.bytes.choice(3);
        def.stiffness = self.bytes.choice(2);
        def.rest_shape = self.bytes.choice(2);
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
            64 => def.poisson_ratio = self.bytes.number(),
            65..100 => def.poisson_ratio = 0.45,
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

    pub(super) fn reads(&mut self, rods: WithyRods, mesh: WithyMesh, world: WithyWorld, before: &[u64]) {
        let mut scratch = vec![0f64; 1024];
        let reads = [
            withy_rods_read_positions,
            withy_rods_read_velocities,
            withy_rods_read_ghosts,
            withy_rods_read_frames,
            withy_rods_read_twist,
            withy_rods_read_strain,
            withy_rods_read_radii,
            withy_rods_read_volumes,
            withy_rods_read_darboux,
            withy_rods_read_tension,
            withy_rods_read_moments,
            withy_rods_read_counts,
            withy_rods_read_rest_lengths,
            withy_rods_read_rest_strains,
            withy_rods_read_stiffness_factors,
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
                withy_rods_get_sleeping(rods, &mut isa),
                withy_world_get_gravity(world, &mut gravity),
                withy_world_backend(world, name.as_mut_ptr(), &mut room[0]),
                withy_world_last_error(world, name.as_mut_ptr(), &mut room[0]),
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
