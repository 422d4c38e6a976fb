//! Rods for the GPU without a world around them: shared by `tests/gpu/rods.rs` and `examples/gpu_passes.rs`.

use withy::rods::group::Settings;
use withy::world::settings::{self, Coupling, Reach};
use withy::world::*;

pub const GRAVITY: [f64; 3] = [0.0, -9.81, 0.0];
pub const DT: f64 = 1.0 / 60.0;
pub const SEGMENT: f64 = 0.01;

/// Curls of 2 to 24 vertices that leave a plate sideways.
pub fn groom(strands: usize) -> RodsDesc {
    let mut d = RodsDesc {
        radii: vec![1e-3],
        root: EndSupport::Clamped,
        collision_radius: 2e-3,
        order: SweepOrder::Alternating,
        integrator: Integrator::First,
        ..RodsDesc::default()
    };
    for s in 0..strands {
        let n = 2 + (s * 7) % 23;
        d.counts.push(n as u32);
        let base = [0.02 * (s % 8) as f64, 0.0, 0.02 * (s / 8) as f64];
        for v in 0..n {
            let a = 0.6 * v as f64;
            let x = v as f64 * SEGMENT * 0.8;
            d.positions.push([base[0] + x, base[1] + 0.006 * (a.cos() - 1.0), base[2] + 0.006 * a.sin()]);
        }
    }
    d
}

/// The step settings of a world with these.
pub fn settings(d: &RodsDesc, substeps: usize, iterations: usize) -> Settings<f32> {
    let world = WorldDesc { substeps: substeps as u32, iterations: iterations as u32, gravity: GRAVITY, ..WorldDesc::default() };
    let d = RodsDesc { iterations: world.iterations, ..d.clone() };
    settings::of(&d, &world, DT, Coupling::None, false, Reach::of(&d))
}
