//! Cables, and rods that are cut.

use super::*;

impl Driver<'_> {
    pub(super) fn ropes(&mut self, world: WithyWorld, before: &[u64]) {
        let cable = Self::pick(&mut self.bytes, &self.cables);
        let rods = Self::pick(&mut self.bytes, &self.rods);
        match self.bytes.below(14) {
            8..=10 => self.skins(world, before),
            11 => self.assets(before),
            12.. => self.hairs(world, before),
            0..=1 if self.cables.len() < 16 => {
                let count = 2 + self.bytes.below(3);
                let points: Vec<WithyCablePoint> = (0..count)
                    .map(|k| {
                        let body =
                            if self.bytes.u8() < 160 { Self::pick(&mut self.bytes, &self.bodies) } else { WithyBody::default() };
                        let wheel = k > 0 && k + 1 < count && self.bytes.u8() < 128;
                        let radius = if wheel || self.bytes.u8() < 4 { self.bytes.positive() } else { 0.0 };
                        WithyCablePoint { body, position: self.vector(), axis: self.vector(), radius }
                    })
                    .collect();
                let mut def = new(withy_cable_def_init_sized);
                (def.points, def.point_count) = (points.as_ptr(), count as u32);
                match self.bytes.u8() {
                    0..32 => def.length = self.bytes.positive(),
                    32..64 => def.stiffness = self.bytes.positive(),
                    64..96 => def.break_force = self.bytes.positive(),
                    96 => def.point_count = self.bytes.below(count + 1) as u32,
                    97 => def.struct_size = self.bytes.u8() as u32,
                    98 => def.points = std::ptr::null(),
                    99 => def.break_force = self.bytes.number(),
                    100 => def.reserved = 1,
                    _ => {}
                }
                let mut out = WithyCable::default();
                // SAFETY: the def and what it points to are locals.
                let result = unsafe { withy_cable_create(world, &def, &mut out) };
                self.check("cable_create", result, before);
                if result == WITHY_OK {
                    self.cables.push(out);
                }
            }
            2 => self.destroyed("cable_destroy", withy_cable_destroy(cable), cable.bits, before),
            3 => {
                let length = self.bytes.positive();
                self.check("cable_set_length", withy_cable_set_length(cable, length), before);
            }
            4 => {
                let (mut state, mut out) = (WithyCableState::default(), self.span(3, 24));
                // SAFETY: locals, and a span in the driver's memory.
                let results = unsafe { [withy_cable_get_state(cable, &mut state), withy_cable_read_points(cable, &mut out)] };
                for result in results {
                    self.check("cable_read", result, before);
                }
            }
            5 => {
                let (edge, cut) = (self.bytes.choice(8), self.bytes.choice(2));
                self.check("rods_set_cut", withy_rods_set_cut(rods, edge, cut), before);
            }
            6 => {
                let count = if self.bytes.u8() < 128 { 1 } else { self.bytes.below(16) };
                let span = self.span(1, count);
                let force = if self.bytes.u8() < 32 { std::ptr::null() } else { &raw const span };
                // SAFETY: NULL, or a span in the driver's memory.
                let result = unsafe { withy_rods_set_break_force(rods, force) };
                self.check("rods_set_break_force", result, before);
            }
            _ => {
                let mut room = [0u32; 16];
                let count = self.bytes.below(17) as u64;
                let mut out =
                    WithySpan { data: room.as_mut_ptr().cast(), count, stride: 0, format: WITHY_FORMAT_U32, reserved: 0 };
                // SAFETY: a local with that much room.
                let result = unsafe { withy_rods_read_cuts(rods, &mut out) };
                self.check("rods_read_cuts", result, before);
            }
        }
    }
}
