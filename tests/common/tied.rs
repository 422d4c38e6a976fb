//! What tests of rods on bodies share.
#![allow(dead_code)]

use withy::world::*;

pub const DT: f64 = 1.0 / 60.0;

pub fn line(from: [f64; 3], to: [f64; 3], n: usize) -> Vec<[f64; 3]> {
    (0..n).map(|k| [0, 1, 2].map(|c| from[c] + (to[c] - from[c]) * (k as f64 / (n - 1) as f64))).collect()
}

/// `mass` 0: of a body that does not move.
pub fn ball(position: [f64; 3], radius: f64, mass: f64) -> BodyDesc {
    BodyDesc {
        pose: Pose { position, ..Pose::IDENTITY },
        shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius }, ..ShapeDesc::default() }],
        mass,
        angular_damping: 0.0,
        ..BodyDesc::default()
    }
}
