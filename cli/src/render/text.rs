//! Captions: anti-aliased text in Ubuntu Light, which comes inside a crate, so that pictures look the same on every machine.

use super::Image;
use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};
use std::sync::LazyLock;

static FONT: LazyLock<FontRef<'static>> =
    LazyLock::new(|| FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).expect("the embedded font is valid"));

/// Width in pixels at a text height of `size` pixels.
pub(crate) fn width(text: &str, size: f32) -> f32 {
    let font = FONT.as_scaled(PxScale::from(size));
    let mut last: Option<GlyphId> = None;
    text.chars()
        .map(|c| {
            let id = font.glyph_id(c);
            let kern = last.map_or(0.0, |l| font.kern(l, id));
            last = Some(id);
            kern + font.h_advance(id)
        })
        .sum()
}

/// Writes one line whose left end and baseline are at (x, y); what does not fit is cut off.
pub(crate) fn draw(image: &mut Image, text: &str, x: f32, y: f32, size: f32, color: [u8; 3]) {
    run(text, x, y, size, |px, py, alpha| image.blend(px, py, color, alpha));
}

/// The same, turned to read from bottom to top; (x, y) is the baseline's lower end.
pub(crate) fn draw_up(image: &mut Image, text: &str, x: f32, y: f32, size: f32, color: [u8; 3]) {
    run(text, 0.0, 0.0, size, |px, py, alpha| image.blend(x as i32 + py, y as i32 - px, color, alpha));
}

fn run(text: &str, x: f32, y: f32, size: f32, mut put: impl FnMut(i32, i32, f32)) {
    let font = FONT.as_scaled(PxScale::from(size));
    let mut pen = x;
    let mut last: Option<GlyphId> = None;
    for c in text.chars() {
        let id = font.glyph_id(c);
        pen += last.map_or(0.0, |l| font.kern(l, id));
        last = Some(id);
        if let Some(outline) = font.outline_glyph(id.with_scale_and_position(PxScale::from(size), point(pen, y))) {
            let corner = outline.px_bounds().min;
            // A light face on a light ground looks thinner than it is: a gamma of 0.8 gives it back its weight.
            outline.draw(|gx, gy, a| put(corner.x as i32 + gx as i32, corner.y as i32 + gy as i32, a.clamp(0.0, 1.0).powf(0.8)));
        }
        pen += font.h_advance(id);
    }
}
