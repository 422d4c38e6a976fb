//! Rods for the GPU without a world around them: shared by `tests/gpu_rods.rs` and `examples/gpu_passes.rs`.

use withy::math::Vec3;
use withy::rods::ghost::drive::Settings;
use withy::world::*;

pub const GRAVITY: [f64; 3] = [0.0, -9.81, 0.0];
pub const DT: f64 = 1.0 / 60.0;
pub const SEGMENT: f64 = 0.01;

/// Curls of 2 to 24 vertices that leave a plate sideways.
pub fn groom(strands: usize) -> RodsDesc {
    let mut d = RodsDesc { radii: vec![1e-3], root: EndSupport::Clamped, collision_radius: 2e-3, ..RodsDesc::default() };
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

/// The step settings of a world with these, as `World` makes them.
pub fn settings(d: &RodsDesc, substeps: usize, iterations: usize, pins: usize) -> Settings<f32> {
    let h = DT / substeps as f64;
    let g = Vec3::from(GRAVITY);
    let e = |x: f64| x as f32;
    Settings {
        h: e(h),
        keep_spin: true,
        inv_h2: e(1.0 / (h * h)),
        gravity: g.map(e),
        inv_h_gg: e(1.0 / (h * g.length2())),
        ghost_gravity: d.ghost_gravity,
        alpha: matches!(d.stiffness, Stiffness::Alpha { .. }),
        order: d.order,
        model: d.model,
        search: d.model == RodModel::Der && iterations > 1,
        swing: d.model == RodModel::Der && d.root != EndSupport::Free && d.tip == EndSupport::Free && pins == 0,
        viscosity: e(d.viscosity / h),
        viscous: d.viscosity > 0.0,
        carry: 1.0,
        part: e(1.0 / substeps as f64),
        root: d.root,
        tip: d.tip,
        damping: e(h * d.damping / (1.0 + h * d.damping)),
        drag_keep: e(1.0 / (1.0 + h * d.drag)),
        drag_take: e(h * d.drag / (1.0 + h * d.drag)),
        wind: Vec3::from(d.wind).map(e),
        friction: e(d.friction),
        max_move: e(h * d.max_speed),
        max_radius: e(d.collision_radius),
        category: d.category,
        mask: d.mask,
    }
}
