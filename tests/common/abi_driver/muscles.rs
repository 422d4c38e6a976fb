//! Muscles.

use super::*;

impl Driver<'_> {
    pub(super) fn muscles(&mut self, world: WithyWorld, before: &[u64]) {
        let rods = Self::pick(&mut self.bytes, &self.rods);
        match self.bytes.below(6) {
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
}
