//! An overhand knot, drawn tight by its ends.

use crate::Result;
use crate::scenes::stage::*;
use glam::DVec3;
use withy::world::{EndSupport, RestShape, RodsDesc, Stiffness};

const RADIUS: f64 = 4e-3;
const VERTICES: usize = 301;
/// The ends part by so much a second, m.
const SPEED: f64 = 0.1;
/// Tension at which the ends stop, N.
const TIGHT: f64 = 6.0;

/// Shastri's trefoil, with vertices at equal distances.
pub fn trefoil() -> Vec<DVec3> {
    let fine: Vec<DVec3> = (0..4000)
        .map(|k| {
            let t = (f64::from(k) / 3999.0 - 0.5) * 4.3;
            let (t2, t3) = (t * t, t * t * t);
            DVec3::new(0.05 * (t3 - 3.0 * t), 0.05 * (t2 * t2 - 4.0 * t2), 0.008 * (t2 * t3 - 10.0 * t))
        })
        .collect();
    let mut arc = vec![0.0];
    fine.windows(2).for_each(|e| arc.push(arc[arc.len() - 1] + e[0].distance(e[1])));
    let length = arc[arc.len() - 1];
    (0..VERTICES)
        .map(|k| {
            let s = length * k as f64 / (VERTICES - 1) as f64;
            let i = arc.partition_point(|&a| a < s).clamp(1, fine.len() - 1);
            fine[i - 1].lerp(fine[i], (s - arc[i - 1]) / (arc[i] - arc[i - 1]))
        })
        .collect()
}

pub fn figure() -> Result<Figure> {
    let world = world(8, 1)?;
    let start = trefoil();
    let length: f64 = start.windows(2).map(|e| e[0].distance(e[1])).sum();
    let (a, b) = (start[0], start[VERTICES - 1]);
    let way = (b - a).normalize();
    let rods = world.add_rods(&RodsDesc {
        positions: start.iter().map(|p| p.to_array()).collect(),
        counts: vec![VERTICES as u32],
        radii: vec![RADIUS],
        stiffness: Stiffness::Physical { young: 2e5, shear: 8e4 },
        stretch_modulus: 1e8,
        rest_shape: RestShape::Straight,
        root: EndSupport::Pinned,
        tip: EndSupport::Pinned,
        damping: 4.0,
        friction: 0.1,
        self_contact: true,
        iterations: 2,
        ..RodsDesc::default()
    })?;
    let mut film = Film::default();
    let (mut out, mut tight, turn) = (0.0, None, [glam::DQuat::IDENTITY.to_array()]);
    for frame in 0..=600 {
        let now = f64::from(frame) * FRAME;
        let scene = picture(rods, &[VERTICES as u32], Look::striped(RADIUS, [0.20, 0.38, 0.62]))?;
        film.add(now, format!("{now:.1} s"), scene);
        let strain = rods.strain()?;
        let tension = 1e8 * std::f64::consts::PI * RADIUS * RADIUS * strain[2];
        if tension > TIGHT && tight.is_none() {
            tight = Some(now);
        }
        if tight.is_none() {
            out += SPEED * FRAME;
            rods.set_roots(&[(a - out * way).to_array()], &turn)?;
            rods.set_tips(&[(b + out * way).to_array()], &turn)?;
        }
        world.step(FRAME)?;
    }
    let p = vectors(&rods.positions()?);
    let kept = (length - p[0].distance(p[VERTICES - 1])) / (2.0 * RADIUS);
    let end = tight.unwrap_or(film.end());
    // The knot is where vertices that are far apart along the rope are near each other.
    let far = 12;
    let near = |i: usize| (0..VERTICES).any(|j| i.abs_diff(j) > far && p[i].distance(p[j]) < 3.0 * RADIUS);
    let first = (0..VERTICES).find(|&i| near(i)).unwrap_or(0).saturating_sub(far);
    let last = (0..VERTICES).rev().find(|&i| near(i)).map_or(VERTICES, |i| (i + far).min(VERTICES));
    let (points, frames) = (rods.positions_f32()?, rods.frames()?);
    let look = Look::striped(RADIUS, [0.20, 0.38, 0.62]);
    let close = curve_set(points[first..last].to_vec(), &frames[first..last - 1], &[(last - first) as u32], look);
    let mut figure = Figure {
        title: "An overhand knot",
        subtitle: "drawn tight by its ends".into(),
        shots: film.pick(&[0.0, 0.35 * end, 0.7 * end]),
        size: (330, 220),
        columns: 2,
        direction: [0.0, 0.0, -1.0],
        alone: true,
        ..Figure::default()
    };
    figure.shot("tight", crate::render::Scene { curves: vec![close], ..crate::render::Scene::default() });
    figure.numbers = vec![format!("the tight knot keeps {kept:.1} diameters of rope; tight after {end:.1} s")];
    Ok(figure)
}
