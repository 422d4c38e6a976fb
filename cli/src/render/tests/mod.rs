//! The pictures are measured, not compared with stored ones: areas, darkness, order and counts have closed forms.

mod files;
mod input;
mod pixels;

use super::*;
use glam::Vec3;

const GREY: [f32; 3] = [0.5; 3];
const BLACK: Material = Material { color: [0.0; 3], specular: 0.0, roughness: 1.0, variation: 0.0, pattern: Pattern::Plain };

fn flat(width: u32, height: u32) -> Options {
    Options { width, height, background: Some(GREY), shadows: false }
}

/// At distance 4, looking along −z.
fn camera() -> Camera {
    Camera { eye: Vec3::Z * 4.0, target: Vec3::ZERO, fov_y: 0.5, scale: 1.0 }
}

/// Pixels a metre at the camera's target.
fn pixels_a_metre(options: &Options) -> f32 {
    0.5 * options.height as f32 / 0.25f32.tan() / 4.0
}

/// How much black covers the grey, in pixels.
fn covered(image: &Image) -> f32 {
    let grey = image::linear(GREY).x;
    image.pixels.iter().map(|p| 1.0 - image::linear([p[0] as f32 / 255.0; 3]).x / grey).filter(|c| c.abs() > 0.01).sum()
}

fn strand(points: Vec<[f32; 3]>, radius: f32, style: CurveStyle) -> Scene {
    let set = CurveSet {
        counts: vec![points.len() as u32],
        points,
        radii: Radii::Uniform(radius),
        style,
        material: BLACK,
        ..CurveSet::default()
    };
    Scene { curves: vec![set], ..Scene::default() }
}
