//! Muscles.

use super::*;

impl Driver<'_> {
    pub(super) fn muscles(&mut self, world: WithyWorld, before: &[u64]) {
        let rods = Self::pick(&mut self.bytes, &self.rods);
        match self.bytes.below(7) {
            0..=1 if self.rods.len() < 24 => {
                let (strands, each) = (1 + self.bytes.below(4), 2 + self.bytes.below(5));
                let mut def = new(withy_muscle_def_init_sized);
                def.positions = self.span(3, strands * each);
                def.radius = self.bytes.positive();
                (def.strands, def.mode) = (strands as u32, self.bytes.choice(2));
                let body = |d: &mut Self| {
                    if d.bytes.u8() < 128 { Self::pick(&mut d.bytes, &d.bodies) } else { WithyBody::default() }
                };
                (def.origin, def.insertion) = (body(self), body(self));
                match self.bytes.u8() {
                    0..24 => def.bundle_stiffness = 0.0,
                    24..48 => def.bundle_stiffness = self.bytes.positive(),
                    48..64 => (def.origin_tendon, def.insertion_tendon) = (0.2, 0.3),
                    64..72 => def.radii = self.span(1, strands * each),
                    72..80 => def.young_modulus = self.bytes.positive(),
                    80..88 => def.flags = WITHY_MUSCLE_CLAMPED | WITHY_RODS_SELF_CONTACT,
                    88..92 => def.peak_force = self.bytes.number(),
                    92..96 => def.poisson_ratio = self.bytes.number(),
                    96..100 => def.shortest = self.bytes.number(),
                    100..104 => def.strands = self.bytes.u8() as u32,
                    104 => def.struct_size = self.bytes.u8() as u32,
                    105 => def.positions.data = std::ptr::null_mut(),
                    106 => def.flags = u32::MAX,
                    107 => def.tendon_modulus = self.bytes.number(),
                    _ => {}
                }
                let mut out = WithyRods::default();
                // SAFETY: the def is a local, its arrays are in the driver's memory.
                let result = unsafe { withy_muscle_create(world, &def, &mut out) };
                self.check("muscle_create", result, before);
                if result == WITHY_OK {
                    self.rods.push(out);
                }
            }
            6 => self.muscle_mesh(before),
            2 => {
                let activation = if self.bytes.u8() < 200 { f64::from(self.bytes.u8()) / 255.0 } else { self.bytes.number() };
                self.check("muscle_set_activation", withy_muscle_set_activation(rods, activation), before);
            }
            3 => {
                let count = self.bytes.below(24);
                let span = self.span(1, count);
                // SAFETY: a span in the driver's memory.
                let result = unsafe { withy_muscle_write_activations(rods, &span) };
                self.check("muscle_write_activations", result, before);
            }
            _ => {
                let (mut state, mut out) = (WithyMuscleState::default(), self.span(1, 24));
                // SAFETY: locals, and a span in the driver's memory.
                let results =
                    unsafe { [withy_muscle_get_state(rods, &mut state), withy_muscle_read_activations(rods, &mut out)] };
                for result in results {
                    self.check("muscle_read", result, before);
                }
            }
        }
    }

    /// A tube of five rings, a cloud of triangles, or what is no mesh at all. A mesh takes a tenth of a second: mostly only the counts are asked.
    fn muscle_mesh(&mut self, before: &[u64]) {
        let context = Self::pick(&mut self.bytes, &self.contexts);
        let (mut points, mut triangles) = (Vec::new(), Vec::<[u32; 3]>::new());
        for ring in 0..5 {
            for corner in [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]] {
                let size = if self.bytes.u8() < 64 { self.bytes.positive() } else { 1.0 };
                points.push([size * corner[0], 3.0 * f64::from(ring), size * corner[1]]);
            }
        }
        for ring in 0..4 {
            for k in 0..4 {
                let [a, b] = [4 * ring + k, 4 * ring + (k + 1) % 4];
                triangles.extend([[a, b, a + 4], [b, b + 4, a + 4]]);
            }
        }
        triangles.extend([[0, 2, 1], [0, 3, 2], [16, 17, 18], [16, 18, 19]]);
        for _ in 0..self.bytes.below(3) {
            let (i, k) = (self.bytes.below(triangles.len()), self.bytes.below(3));
            triangles[i][k] = self.bytes.choice(20);
        }
        triangles.truncate(triangles.len() - self.bytes.below(8));
        let span = |data: *mut std::ffi::c_void, count: usize, format| WithySpan {
            data,
            count: count as u64,
            stride: 0,
            format,
            reserved: 0,
        };
        let mut def = new(withy_muscle_mesh_def_init_sized);
        def.positions = span(points.as_mut_ptr().cast(), points.len(), WITHY_FORMAT_F64);
        def.triangles = span(triangles.as_mut_ptr().cast(), triangles.len(), WITHY_FORMAT_U32);
        (def.strands, def.slices) = (1 + self.bytes.choice(4), 2 + self.bytes.choice(5));
        let mut painted = [0, 1, self.bytes.choice(20)];
        match self.bytes.u8() {
            0..32 => def.origin.vertices = span(painted.as_mut_ptr().cast(), 3, WITHY_FORMAT_U32),
            32..64 => def.insertion.points = self.span(3, 2),
            64..96 => (def.origin.plane_point, def.origin.plane_normal) = (self.vector(), self.vector()),
            96..104 => def.positions = self.span(3, 20),
            104..108 => def.triangles = self.span(3, 8),
            108 => def.struct_size = self.size_of::<WithyMuscleMeshDef>(),
            109 => def.insertion = def.origin,
            _ => {}
        }
        let mut out = vec![0.0f64; 4 * 40];
        let room = if self.bytes.u8() < 8 { 3 } else { 40 };
        let (first, second) = out.split_at_mut(3 * 40);
        let (mut points, mut radii) =
            (span(first.as_mut_ptr().cast(), room, WITHY_FORMAT_F64), span(second.as_mut_ptr().cast(), room, WITHY_FORMAT_F64));
        if self.bytes.below(24) != 0 {
            points.data = std::ptr::null_mut();
        }
        let mut fit = WithyMuscleFit::default();
        let fit_to = if self.bytes.u8() < 128 { std::ptr::null_mut() } else { &raw mut fit };
        // SAFETY: the def is a local, its arrays are there as long as they say, or to be refused.
        let result = unsafe { withy_muscle_fit_mesh(context, &def, &mut points, &mut radii, fit_to) };
        self.check("muscle_fit_mesh", result, before);
        assert!(result != WITHY_OK || out.iter().all(|x| x.is_finite()), "muscle_fit_mesh gives {out:?}");
    }
}
