//! An 8-bit sRGB picture, and PNG out.

use super::Error;
use std::io::Write;
use std::path::Path;
use std::sync::LazyLock;

/// Rows from the top, RGB.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<[u8; 3]>,
}

impl Image {
    pub fn new(width: u32, height: u32, color: [u8; 3]) -> Self {
        Image { width, height, pixels: vec![color; width as usize * height as usize] }
    }

    /// The pixel at a column and row. Panics outside, as slices do.
    pub fn get(&self, x: u32, y: u32) -> [u8; 3] {
        assert!(x < self.width && y < self.height, "pixel ({x}, {y}) of a {} × {} picture", self.width, self.height);
        self.pixels[(y * self.width + x) as usize]
    }

    /// Copies `other` with its corner at (x, y); what would lie outside is cut off.
    pub fn paste(&mut self, other: &Image, x: u32, y: u32) {
        let w = other.width.min(self.width.saturating_sub(x)) as usize;
        for row in 0..other.height.min(self.height.saturating_sub(y)) {
            let to = ((y + row) * self.width + x) as usize;
            let from = (row * other.width) as usize;
            self.pixels[to..to + w].copy_from_slice(&other.pixels[from..from + w]);
        }
    }

    /// Lays `color` over the pixel with `alpha` in 0..=1; outside the picture nothing happens.
    pub fn blend(&mut self, x: i32, y: i32, color: [u8; 3], alpha: f32) {
        if x < 0 || y < 0 || x >= self.width as i32 || y >= self.height as i32 {
            return;
        }
        let pixel = &mut self.pixels[y as usize * self.width as usize + x as usize];
        for (old, new) in pixel.iter_mut().zip(color) {
            *old = (*old as f32 + (new as f32 - *old as f32) * alpha.clamp(0.0, 1.0)).round() as u8;
        }
    }

    pub fn encode_png(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let encode = |e: png::EncodingError| Error::Encode(e.to_string());
        let mut writer = encoder.write_header().map_err(encode)?;
        writer.write_image_data(self.pixels.as_flattened()).map_err(encode)?;
        writer.finish().map_err(encode)?;
        Ok(bytes)
    }

    pub fn write_png(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        write_file(path.as_ref(), &self.encode_png()?)
    }
}

pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    std::fs::File::create(path)
        .and_then(|mut f| f.write_all(bytes))
        .map_err(|source| Error::Io { path: path.display().to_string(), source })
}

/// sRGB 0..=1 to linear light.
pub(crate) fn linear(c: [f32; 3]) -> glam::Vec3 {
    let channel = |v: f32| {
        let v = if v.is_finite() { v.clamp(0.0, 1.0) } else { 0.0 };
        if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    };
    glam::Vec3::new(channel(c[0]), channel(c[1]), channel(c[2]))
}

/// 8-bit sRGB by the square root of linear light: even steps in the root are nearly even steps on the screen, and a table is ten
/// times faster than three powers a pixel.
static TABLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let entry = |i: u32| {
        let v = (i as f32 / 8191.0).powi(2);
        let s = if v <= 0.0031308 { 12.92 * v } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
        (s * 255.0 + 0.5) as u8
    };
    (0..8192).map(entry).collect()
});

/// Linear light to 8-bit sRGB. Above 0.8 a soft shoulder keeps highlights from burning out; below, colours stay as picked.
pub(crate) fn encode(c: glam::Vec3) -> [u8; 3] {
    let table = &TABLE[..];
    let channel = |v: f32| {
        let v = if v > 0.8 { 0.8 + 0.2 * (1.0 - (-(v - 0.8) / 0.2).exp()) } else { v.max(0.0) };
        table[((v.sqrt() * 8191.0 + 0.5) as usize).min(8191)]
    };
    [channel(c.x), channel(c.y), channel(c.z)]
}
