//! A key of colours in a picture's corner: a row of boxes, from none to the most.

use super::{Image, text};

const INK: [u8; 3] = [52, 56, 64];
const PAPER: [u8; 3] = [250, 250, 251];

/// What colours stand for: equal shares of 0 to `most`; what is beyond has the last one.
#[derive(Clone, Debug)]
pub struct Key {
    pub colors: Vec<[f32; 3]>,
    pub most: f64,
    /// After the number: " %".
    pub unit: &'static str,
}

impl Key {
    /// The colour's number.
    pub fn share(&self, value: f64) -> usize {
        let last = self.colors.len().saturating_sub(1);
        ((value / self.most * self.colors.len() as f64) as usize).min(last)
    }

    /// Along the lower edge.
    pub fn draw(&self, image: &mut Image) {
        let size = (image.height as f32 / 22.0).clamp(12.0, 20.0);
        // What is behind must not hide it.
        for y in image.height as i32 - (3.0 * size) as i32..image.height as i32 - (0.3 * size) as i32 {
            for x in (0.3 * size) as i32..(0.9 * size + 0.55 * image.width as f32) as i32 {
                image.blend(x, y, PAPER, 0.75);
            }
        }
        let (left, bottom) = ((0.6 * size) as u32, image.height - (0.7 * size) as u32);
        let wide = (0.55 * f64::from(image.width)) as u32 / self.colors.len() as u32;
        let high = (0.75 * size) as u32;
        for (k, color) in self.colors.iter().enumerate() {
            let rgb = color.map(|c| (255.0 * c).round() as u8);
            image.paste(&Image::new(wide, high, rgb), left + k as u32 * wide, bottom - high);
        }
        let end = left + wide * self.colors.len() as u32;
        let baseline = (bottom - high) as f32 - 0.35 * size;
        text::draw(image, "0", left as f32, baseline, size, INK);
        let most = format!("≥ {}{}", self.most, self.unit);
        text::draw(image, &most, end as f32 - text::width(&most, size), baseline, size, INK);
    }
}
