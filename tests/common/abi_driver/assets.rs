//! Assets, and rest shapes as bytes.

use super::*;

impl Driver<'_> {
    pub(super) fn assets(&mut self, before: &[u64]) {
        let rods = Self::pick(&mut self.bytes, &self.rods);
        let mut bytes = self.rest_shape(rods, before);
        if self.bytes.u8() < 128 {
            bytes = self.asset(&bytes, before);
        }
        if !bytes.is_empty() && self.bytes.u8() < 128 {
            let i = self.bytes.u32() as usize % bytes.len();
            bytes[i] ^= self.bytes.u8();
            bytes.truncate(bytes.len() - self.bytes.below(4));
        }
        let size = bytes.len() as u64;
        let other = Self::pick(&mut self.bytes, &self.rods);
        // SAFETY: `bytes` is as long as it says.
        let result = unsafe { withy_rods_load_rest_shape(other, bytes.as_ptr().cast(), size) };
        self.check("rods_load_rest_shape", result, before);
        let mut chunks = vec![CHUNK; 8];
        let mut count = self.bytes.below(9) as u64;
        // SAFETY: as above; room for eight chunks.
        let result = unsafe { withy_asset_read(bytes.as_ptr().cast(), size, chunks.as_mut_ptr(), &mut count) };
        self.check("asset_read", result, before);
        self.surface(before);
    }

    /// Points on a surface, by functions that enter no world.
    fn surface(&mut self, before: &[u64]) {
        let indices = [self.bytes.choice(5), self.bytes.choice(5), self.bytes.choice(5), 2, 1, 0];
        let data = indices.as_ptr().cast_mut().cast();
        let triangles = WithySpan { data, count: 2, stride: 0, format: WITHY_FORMAT_U32, reserved: 0 };
        let (positions, now, points) = (self.span(3, 4), self.span(3, 4), self.span(3, 2));
        let (mut corners, mut coordinates, mut places) = ([0u32; 6], [0f64; 6], [0f32; 6]);
        let mut out = WithySpan { data: corners.as_mut_ptr().cast(), ..triangles };
        let format = WITHY_FORMAT_F64;
        let mut shares = WithySpan { data: coordinates.as_mut_ptr().cast(), count: 2, stride: 0, format, reserved: 0 };
        // SAFETY: the spans are of locals, or in the driver's memory, or are to be refused.
        let result = unsafe { withy_surface_bind(&positions, &triangles, &points, &mut out, &mut shares) };
        self.check("surface_bind", result, before);
        let data = places.as_mut_ptr().cast();
        let mut places = WithySpan { data, count: 2, stride: 0, format: WITHY_FORMAT_F32, reserved: 0 };
        // SAFETY: as above.
        let result = unsafe { withy_surface_follow(&positions, &now, &triangles, &shares, &mut places, std::ptr::null_mut()) };
        self.check("surface_follow", result, before);
    }

    fn rest_shape(&mut self, rods: WithyRods, before: &[u64]) -> Vec<u8> {
        let mut size = 0;
        // SAFETY: a local.
        let result = unsafe { withy_rods_save_rest_shape(rods, std::ptr::null_mut(), &mut size) };
        self.check("rods_save_rest_shape", result, before);
        let mut bytes = vec![0u8; if result == WITHY_OK { size as usize } else { 0 }];
        if !bytes.is_empty() {
            // SAFETY: `bytes` is as long as it says.
            let result = unsafe { withy_rods_save_rest_shape(rods, bytes.as_mut_ptr().cast(), &mut size) };
            self.check("rods_save_rest_shape", result, before);
        }
        bytes
    }

    /// Some chunks of some of these bytes.
    fn asset(&mut self, bytes: &[u8], before: &[u64]) -> Vec<u8> {
        const NAMES: [&std::ffi::CStr; 5] = [c"a", c"rods.counts", c"rods.rest", c"", c"\x01"];
        let chunks: Vec<WithyAssetChunk> = (0..self.bytes.below(5))
            .map(|i| {
                let name = if self.bytes.u8() < 8 { self.bytes.below(NAMES.len()) } else { i % 3 };
                let size = bytes.len().min(8 * self.bytes.below(10)) as u64;
                WithyAssetChunk {
                    name: if self.bytes.u8() == 0 { std::ptr::null() } else { NAMES[name].as_ptr() },
                    data: bytes.as_ptr().cast(),
                    size,
                    version: self.bytes.u8().into(),
                    format: self.bytes.choice(6),
                    columns: self.bytes.choice(3),
                    reserved: u32::from(self.bytes.u8() == 7),
                }
            })
            .collect();
        let (count, mut size) = (chunks.len() as u64, 4096);
        let mut out = vec![0u8; size as usize];
        let data = if self.bytes.u8() < 32 { std::ptr::null_mut() } else { out.as_mut_ptr() };
        // SAFETY: the chunks point to what is there as long as they say, `out` is as long as it says.
        let result = unsafe { withy_asset_write(chunks.as_ptr(), count, data.cast(), &mut size) };
        self.check("asset_write", result, before);
        out.truncate(if result == WITHY_OK { size as usize } else { 0 });
        out
    }
}

const CHUNK: WithyAssetChunk =
    WithyAssetChunk { name: std::ptr::null(), data: std::ptr::null(), size: 0, version: 0, format: 0, columns: 0, reserved: 0 };
