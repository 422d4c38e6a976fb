//! Ropes that fall on each other and come to rest.

use crate::Result;
use crate::abi::{Rods, World};
use crate::scenes::stage::*;
use glam::DVec3;
use withy::math::rng::Rng;
use withy::world::{ColliderDesc, RodsDesc, Stiffness, WorldDesc};

pub const EDGES: usize = 60;
pub const RADIUS: f64 = 5e-3;
const LENGTH: f64 = 0.9;

/// `ropes` of 60 edges and 0.9 m, one above the other, each in a direction of its own.
pub fn ropes(ropes: usize) -> RodsDesc {
    let mut rng = Rng::new(3);
    let mut positions = Vec::new();
    for k in 0..ropes {
        let (angle, x, z) = (rng.range(0.0, std::f64::consts::TAU), rng.range(-0.1, 0.1), rng.range(-0.1, 0.1));
        let (middle, way) = (DVec3::new(x, 0.02 + 0.012 * k as f64, z), 0.5 * LENGTH * DVec3::new(angle.cos(), 0.0, angle.sin()));
        positions.extend(line(middle - way, middle + way, EDGES + 1));
    }
    RodsDesc {
        positions,
        counts: vec![EDGES as u32 + 1; ropes],
        radii: vec![RADIUS],
        stiffness: Stiffness::Physical { young: 1e6, shear: 4e5 },
        stretch_modulus: 1e8,
        damping: 1.0,
        self_contact: true,
        ..RodsDesc::default()
    }
}

/// The ropes over a floor.
pub fn begin(count: usize, desc: &WorldDesc, threads: u32) -> Result<(World, Rods)> {
    let world = World::new(desc, threads)?;
    world.add_collider(&ColliderDesc::default())?;
    let rods = world.add_rods(&ropes(count))?;
    Ok((world, rods))
}

/// Mean speed of all vertices, and that of the fastest, m/s.
pub fn speeds(rods: Rods) -> Result<[f64; 2]> {
    let v: Vec<f64> = vectors(&rods.velocities()?).iter().map(|v| v.length()).collect();
    Ok([v.iter().sum::<f64>() / v.len() as f64, v.iter().copied().fold(0.0, f64::max)])
}

/// The deepest overlap of two ropes over both radii.
pub fn deepest(rods: Rods) -> Result<f64> {
    use withy::collide::narrow::pills;
    use withy::math::Vec3;
    let all = rods.positions()?;
    let strands: Vec<&[[f64; 3]]> = all.chunks(EDGES + 1).collect();
    let (two, long) = (2.0 * RADIUS, LENGTH / EDGES as f64);
    let mut worst = 0.0_f64;
    for (k, a) in strands.iter().enumerate() {
        for b in &strands[k + 1..] {
            for e in a.windows(2) {
                for f in b.windows(2) {
                    if DVec3::from(e[0]).distance_squared(DVec3::from(f[0])) < (2.0 * long + two).powi(2) {
                        let [p, q, r, s] = [e[0], e[1], f[0], f[1]].map(Vec3::from);
                        worst = worst.max(-pills([p, q], [RADIUS; 2], [r, s], [RADIUS; 2]).separation / two);
                    }
                }
            }
        }
    }
    Ok(worst)
}

pub fn figure() -> Result<Figure> {
    const ROPES: usize = 100;
    let (world, rods) = begin(ROPES, &WorldDesc::default(), 0)?;
    let mut figure = Figure {
        title: "A heap of 100 ropes",
        subtitle: "60 edges each; they touch each other, themselves and the floor".into(),
        size: (330, 260),
        columns: 2,
        direction: [-0.35, -0.55, -1.0],
        ..Figure::default()
    };
    let colors = [[0.62, 0.36, 0.20], [0.75, 0.60, 0.36], [0.30, 0.42, 0.55], [0.45, 0.50, 0.32]];
    let mut look = |at: f64| -> Result<()> {
        let points = rods.positions_f32()?;
        let mut scene = crate::render::Scene::default();
        // Each colour takes every fourth rope.
        for (k, color) in colors.into_iter().enumerate() {
            let some: Vec<[f32; 3]> =
                points.chunks(EDGES + 1).skip(k).step_by(colors.len()).flat_map(|c| c.iter().copied()).collect();
            let counts = vec![EDGES as u32 + 1; some.len() / (EDGES + 1)];
            scene.curves.push(crate::render::CurveSet {
                frames: Vec::new(),
                ..curve_set(some, &[], &counts, Look::plain(RADIUS, color))
            });
        }
        scene.primitives.push(floor(0.0, 0.1));
        figure.shot(format!("{at:.1} s"), scene);
        Ok(())
    };
    look(0.0)?;
    let mut deep = 0.0_f64;
    for frame in 1..=480 {
        world.step(FRAME)?;
        if frame % 40 == 0 {
            deep = deep.max(deepest(rods)?);
        }
        if [30, 60, 480].contains(&frame) {
            look(f64::from(frame) * FRAME)?;
        }
    }
    let [mean, fastest] = speeds(rods)?;
    figure.numbers = vec![format!(
        "after 8 s: mean speed {:.2} mm/s, fastest {:.1} mm/s, {} contacts; deepest overlap on the way {:.2} % of both radii",
        1e3 * mean,
        1e3 * fastest,
        world.stats()?.contacts,
        100.0 * deep
    )];
    Ok(figure)
}
