//! Render hair over rods.

use super::*;

impl Driver<'_> {
    pub(super) fn hairs(&mut self, world: WithyWorld, before: &[u64]) {
        let hair = Self::pick(&mut self.bytes, &self.hairs);
        let count = 1 + self.bytes.below(2);
        let rods: Vec<WithyRods> = (0..count).map(|_| Self::pick(&mut self.bytes, &self.rods)).collect();
        let mut lod = new(withy_render_hair_lod_def_init_sized);
        match self.bytes.u8() {
            0..64 => lod.strands = f64::from(self.bytes.u8()) / 200.0,
            64..128 => lod.vertices = f64::from(self.bytes.u8()) / 200.0,
            128 => lod.width = self.bytes.positive(),
            129 => lod.struct_size = self.bytes.u8() as u32,
            _ => {}
        }
        let lod = if self.bytes.u8() < 128 { &raw const lod } else { std::ptr::null() };
        match self.bytes.below(9) {
            0..=3 if self.hairs.len() < 16 => {
                let mut def = new(withy_render_hair_def_init_sized);
                (def.rods, def.rods_count) = (rods.as_ptr(), count as u32);
                let strands = 1 + self.bytes.below(4);
                let counts: Vec<u32> = (0..strands).map(|_| 2 + self.bytes.choice(9)).collect();
                let indices: Vec<u32> = (0..3 * strands.max(4)).map(|_| self.bytes.choice(4)).collect();
                let u32s = |of: &[u32], n: usize| WithySpan {
                    data: of.as_ptr().cast_mut().cast(),
                    count: n as u64,
                    stride: 0,
                    format: WITHY_FORMAT_U32,
                    reserved: 0,
                };
                if self.bytes.u8() < 100 {
                    def.per_guide = self.bytes.choice(6);
                    def.vertices = self.bytes.choice(12);
                    def.seed = u64::from(self.bytes.u32());
                    if self.bytes.u8() < 64 {
                        def.scalp_positions = self.span(3, 4);
                        def.scalp_triangles = u32s(&indices, 4);
                    }
                } else {
                    let all: u32 = counts.iter().sum();
                    def.positions = self.span(3, all as usize);
                    def.counts = u32s(&counts, strands);
                }
                match self.bytes.u8() {
                    0..32 => def.clump = self.bytes.positive(),
                    32..48 => def.shorten = self.bytes.positive(),
                    48..64 => def.width = self.bytes.positive(),
                    64..80 => def.parting = self.bytes.positive(),
                    80..96 => def.widths = self.span(1, strands),
                    96..150 => {
                        def.guides = u32s(&indices, strands);
                        def.weights = self.span(3, strands);
                    }
                    160 => def.rods_count = 0,
                    161 => def.rods = std::ptr::null(),
                    162 => def.reserved = 1,
                    163 => def.struct_size = self.bytes.u8() as u32,
                    _ => {}
                }
                let mut out = WithyRenderHair::default();
                // SAFETY: the def and what it points to are locals, or the driver's.
                let result = unsafe { withy_render_hair_create(world, &def, &mut out) };
                self.check("hair_create", result, before);
                if result == WITHY_OK {
                    self.hairs.push(out);
                }
            }
            4 => self.destroyed("hair_destroy", withy_render_hair_destroy(hair), hair.bits, before),
            5 => {
                let mut size = 0;
                // SAFETY: a local.
                let result = unsafe { withy_render_hair_save(hair, std::ptr::null_mut(), &mut size) };
                self.check("hair_save", result, before);
                if result != WITHY_OK {
                    return;
                }
                let mut bytes = vec![0u8; size as usize];
                // SAFETY: `bytes` is as long as it says.
                let result = unsafe { withy_render_hair_save(hair, bytes.as_mut_ptr().cast(), &mut size) };
                self.check("hair_save", result, before);
                if self.bytes.u8() < 128 {
                    let i = self.bytes.u32() as usize % bytes.len();
                    bytes[i] ^= self.bytes.u8();
                    bytes.truncate(bytes.len() - self.bytes.below(4));
                }
                let mut out = WithyRenderHair::default();
                let size = bytes.len() as u64;
                // SAFETY: locals.
                let result =
                    unsafe { withy_render_hair_load(world, rods.as_ptr(), count as u32, bytes.as_ptr().cast(), size, &mut out) };
                self.check("hair_load", result, before);
                if result == WITHY_OK {
                    self.hairs.push(out);
                }
            }
            6 => {
                let strands = self.bytes.below(16);
                let (positions, rotations) = (self.span(3, strands), self.span(4, strands));
                let null = self.bytes.u8() < 64;
                let of = |s: &WithySpan| if null { std::ptr::null() } else { &raw const *s };
                // SAFETY: NULL, or spans in the driver's memory.
                let result = unsafe { withy_render_hair_set_roots(hair, of(&positions), of(&rotations)) };
                self.check("hair_set_roots", result, before);
            }
            7 => {
                let mut room = [[0u32; 64]; 3];
                let count = self.bytes.below(21) as u64;
                let mut spans = room.each_mut().map(|r| WithySpan {
                    data: r.as_mut_ptr().cast(),
                    count,
                    stride: 0,
                    format: WITHY_FORMAT_U32,
                    reserved: 0,
                });
                let [guides, strands, counts] = &mut spans;
                let (mut weights, mut widths) = (self.span(3, 24), self.span(1, 200));
                // SAFETY: locals with that much room, and spans in the driver's memory.
                let results = unsafe {
                    [
                        withy_render_hair_read_weights(hair, guides, &mut weights),
                        withy_render_hair_read_layout(hair, lod, strands, counts, &mut widths),
                    ]
                };
                for result in results {
                    self.check("hair_read_layout", result, before);
                }
            }
            _ => {
                let (mut positions, mut tangents) = (self.span(3, 100), self.span(3, 100));
                // SAFETY: spans in the driver's memory.
                let result = unsafe { withy_render_hair_read(hair, lod, &mut positions, &mut tangents) };
                self.check("hair_read", result, before);
            }
        }
    }
}
