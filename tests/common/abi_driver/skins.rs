//! Skins over rods.

use super::*;

impl Driver<'_> {
    pub(super) fn skins(&mut self, world: WithyWorld, before: &[u64]) {
        let skin = Self::pick(&mut self.bytes, &self.skins);
        let count = 1 + self.bytes.below(2);
        let rods: Vec<WithyRods> = (0..count).map(|_| Self::pick(&mut self.bytes, &self.rods)).collect();
        match self.bytes.below(8) {
            0..=2 if self.skins.len() < 16 => {
                let mut def = new(withy_skin_def_init_sized);
                let n = 1 + self.bytes.below(16);
                def.positions = self.span(3, n);
                let triangles: Vec<u32> = (0..12).map(|_| self.bytes.choice(n)).collect();
                if self.bytes.u8() < 200 {
                    let data = triangles.as_ptr().cast_mut().cast();
                    def.triangles = WithySpan { data, count: 4, stride: 0, format: WITHY_FORMAT_U32, reserved: 0 };
                }
                (def.rods, def.rods_count) = (rods.as_ptr(), count as u32);
                let edges: Vec<u32> = (0..4 * n).map(|_| self.bytes.choice(4)).collect();
                match self.bytes.u8() {
                    0..32 => def.softness = self.bytes.positive(),
                    32..64 => def.fairing = self.bytes.positive(),
                    64..96 => def.tangents = self.span(3, n),
                    96..112 => def.normals = self.span(3, n),
                    112..160 => {
                        let data = edges.as_ptr().cast_mut().cast();
                        def.edges = WithySpan { data, count: n as u64, stride: 0, format: WITHY_FORMAT_U32, reserved: 0 };
                        def.weights = self.span(4, n);
                    }
                    160 => def.rods_count = 0,
                    161 => def.rods = std::ptr::null(),
                    162 => def.reserved = 1,
                    163 => def.struct_size = self.bytes.u8() as u32,
                    _ => {}
                }
                let mut out = WithySkin::default();
                // SAFETY: the def and what it points to are locals, or the driver's.
                let result = unsafe { withy_skin_create(world, &def, &mut out) };
                self.check("skin_create", result, before);
                if result == WITHY_OK {
                    self.skins.push(out);
                }
            }
            3 => self.destroyed("skin_destroy", withy_skin_destroy(skin), skin.bits, before),
            4 => {
                let mut size = 0;
                // SAFETY: a local.
                let result = unsafe { withy_skin_save(skin, std::ptr::null_mut(), &mut size) };
                self.check("skin_save", result, before);
                if result != WITHY_OK {
                    return;
                }
                let mut bytes = vec![0u8; size as usize];
                // SAFETY: `bytes` is as long as it says.
                let result = unsafe { withy_skin_save(skin, bytes.as_mut_ptr().cast(), &mut size) };
                self.check("skin_save", result, before);
                if self.bytes.u8() < 128 {
                    let i = self.bytes.u32() as usize % bytes.len();
                    bytes[i] ^= self.bytes.u8();
                    bytes.truncate(bytes.len() - self.bytes.below(4));
                }
                let mut out = WithySkin::default();
                let size = bytes.len() as u64;
                // SAFETY: locals.
                let result =
                    unsafe { withy_skin_load(world, rods.as_ptr(), count as u32, bytes.as_ptr().cast(), size, &mut out) };
                self.check("skin_load", result, before);
                if result == WITHY_OK {
                    self.skins.push(out);
                }
            }
            5 => {
                let mut room = [0u32; 64];
                let count = self.bytes.below(17) as u64;
                let mut edges =
                    WithySpan { data: room.as_mut_ptr().cast(), count, stride: 0, format: WITHY_FORMAT_U32, reserved: 0 };
                let mut weights = self.span(4, 16);
                // SAFETY: a local with that much room, and a span in the driver's memory.
                let result = unsafe { withy_skin_read_weights(skin, &mut edges, &mut weights) };
                self.check("skin_read_weights", result, before);
            }
            _ => {
                let mut out = self.span(3, 24);
                // SAFETY: a span in the driver's memory.
                let results = unsafe {
                    [
                        withy_skin_read_positions(skin, &mut out),
                        withy_skin_read_normals(skin, &mut out),
                        withy_skin_read_tangents(skin, &mut out),
                    ]
                };
                for result in results {
                    self.check("skin_read", result, before);
                }
            }
        }
    }
}
