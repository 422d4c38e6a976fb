//! Angles et al. 2019, figures 9 and 10: the sections of a bundle grow and shrink with its rods, or keep their size.

use crate::Result;
use crate::render::{Material, Primitive, Scene};
use crate::scenes::stage::*;
use glam::DVec3;
use withy::tasks::Inline;
use withy::world::{EndSupport, Pose, RodsDesc, Stiffness, World, WorldDesc};

const RADIUS: f64 = 0.006;
const LENGTH: f64 = 0.12;
const EDGES: usize = 16;
const YOUNG: f64 = 60e3;
const RATIO: f64 = 0.49;
/// Rings of rods around the one in the middle.
const RINGS: i32 = 2;
const STRETCHES: [f64; 3] = [1.0, 1.7, 0.65];

/// Nineteen places, two radii apart.
fn places() -> Vec<[f64; 2]> {
    let mut all = Vec::new();
    for a in -RINGS..=RINGS {
        for b in (-RINGS).max(-RINGS - a)..=RINGS.min(RINGS - a) {
            let (a, b) = (f64::from(a), f64::from(b));
            all.push([2.0 * RADIUS * (a + 0.5 * b), 2.0 * RADIUS * b * 0.75f64.sqrt()]);
        }
    }
    all
}

/// Vertices and radii of a bundle whose ends went to `stretch` of its length in a second, and were held for another.
fn pulled(scales: bool, stretch: f64) -> Result<(Vec<DVec3>, Vec<f64>, f64)> {
    let mut world = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() })?;
    let places = places();
    let positions: Vec<[f64; 3]> =
        places.iter().flat_map(|&[x, z]| line(DVec3::new(x, 0.0, z), DVec3::new(x, -LENGTH, z), EDGES + 1)).collect();
    let rods = world.add_rods(RodsDesc {
        positions,
        counts: vec![EDGES as u32 + 1; places.len()],
        radii: vec![RADIUS],
        stiffness: Stiffness::Physical { young: YOUNG, shear: YOUNG / (2.0 * (1.0 + RATIO)) },
        poisson_ratio: RATIO,
        density: 1060.0,
        drag: 5.0,
        root: EndSupport::Clamped,
        tip: EndSupport::Clamped,
        strands_per_bundle: places.len() as u32,
        bundle_scales: scales,
        ..RodsDesc::default()
    })?;
    for frame in 1..=120 {
        let part = (f64::from(frame) / 60.0).min(1.0);
        let tip = LENGTH * (1.0 + (stretch - 1.0) * part);
        let at = |k: usize| Pose { position: [places[k][0], -tip, places[k][1]], ..Pose::IDENTITY };
        world.rods_mut(rods)?.set_tip_poses(at, false)?;
        world.step(FRAME, &Inline)?;
    }
    let (mut points, mut radii, mut volume) = (Vec::new(), Vec::new(), 1.0);
    world.rods(rods)?.read_positions(|_, p| points.push(DVec3::from(p)));
    world.rods(rods)?.read_radii(|_, r| radii.push(r));
    world.rods(rods)?.read_bundle_volumes(|_, v| volume = v);
    Ok((points, radii, volume))
}

pub fn figure() -> Result<Figure> {
    let mut figure = Figure {
        title: "Bundles",
        subtitle: "sections that keep their size (left), and that grow and shrink with the rods (right)".into(),
        size: (360, 380),
        columns: 3,
        direction: [0.0, -0.35, -1.0],
        ..Figure::default()
    };
    for stretch in STRETCHES {
        let mut scene = Scene::default();
        for (k, scales) in [false, true].into_iter().enumerate() {
            let (points, radii, volume) = pulled(scales, stretch)?;
            let aside = DVec3::new(22.0 * RADIUS * k as f64, 0.0, 0.0);
            for (s, (points, radii)) in points.chunks(EDGES + 1).zip(radii.chunks(EDGES + 1)).enumerate() {
                let shade = 0.55 + 0.05 * (s % 4) as f32;
                let material = Material::matte([shade, 0.24, 0.20]);
                for e in 0..EDGES {
                    let [a, b] = [e, e + 1].map(|v| (points[v] + aside).as_vec3().to_array());
                    let radii = [radii[e] as f32, radii[e + 1] as f32];
                    scene.primitives.push(Primitive::Taper { a, b, radii, material });
                }
            }
            // Neighbours: the rod in the middle and the next.
            let middle = EDGES / 2;
            let of = |s: usize| points[s * (EDGES + 1) + middle];
            let (own, next) = (9, 10);
            figure.numbers.push(format!(
                "{stretch} of its length, sections {}: radius {:.3} of that at rest, distance of two neighbours {:.3} of their radii, volume {:.3}",
                if scales { "grow" } else { "stay" },
                radii[own * (EDGES + 1) + middle] / RADIUS,
                (of(own) - of(next)).length() / (radii[own * (EDGES + 1) + middle] + radii[next * (EDGES + 1) + middle]),
                volume
            ));
        }
        figure.shot(format!("{stretch} of its length"), scene);
    }
    Ok(figure)
}
