//! Umetani 2014, figure 12: a wire mesh is pulled through a ring. The ring is a rod whose vertices are held; wires touch it, each other and themselves.

use crate::Result;
use crate::abi::join;
use crate::scenes::bodies::thrown::strings;
use crate::scenes::stage::*;
use glam::DVec3;
use std::f64::consts::TAU;
use withy::world::{RodsDesc, Stiffness};

const SIDE: usize = 15;
const CELL: f64 = 0.05;
const EDGES: usize = 3;
const WIRE: f64 = 2.5e-3;
/// The ring: its radius and that of its rod, m.
const RING: f64 = 0.13;
const ROD: f64 = 0.012;
/// The middle of the mesh is pulled down so fast, m/s, so far, m.
const SPEED: f64 = 0.15;
const WAY: f64 = 0.75;

pub fn figure() -> Result<Figure> {
    let world = crate::scenes::stage::world(8, 1)?;
    world.set_gravity([0.0, -9.81, 0.0])?;
    let (flat, ends) = strings(SIDE, CELL, EDGES);
    let height = WIRE + ROD + 1e-3;
    let positions: Vec<[f64; 3]> = flat.iter().map(|p| [p[0], p[1] + height, p[2]]).collect();
    let counts = vec![EDGES as u32 + 1; positions.len() / (EDGES + 1)];
    let mesh = world.add_rods(&RodsDesc {
        positions: positions.clone(),
        counts: counts.clone(),
        radii: vec![WIRE],
        stiffness: Stiffness::Physical { young: 2e7, shear: 8e6 },
        stretch_modulus: 2e8,
        density: 1000.0,
        damping: 6.0,
        drag: 0.5,
        friction: 0.1,
        self_contact: true,
        ..RodsDesc::default()
    })?;
    for here in &ends {
        let all: Vec<_> = here.iter().map(|e| mesh.end(e.strand, e.tip)).collect();
        join(&all, 4e-3, 2e-3)?;
    }
    const AROUND: usize = 64;
    let around: Vec<[f64; 3]> = (0..=AROUND)
        .map(|k| {
            let (z, x) = (TAU * k as f64 / AROUND as f64).sin_cos();
            [RING * x, 0.0, RING * z]
        })
        .collect();
    let ring = world.add_rods(&RodsDesc {
        positions: around.clone(),
        counts: vec![AROUND as u32 + 1],
        radii: vec![ROD],
        stiffness: Stiffness::Physical { young: 1e9, shear: 4e8 },
        friction: 0.1,
        self_contact: true,
        ..RodsDesc::default()
    })?;
    for (v, p) in around.iter().enumerate() {
        ring.set_pin(v as u32, Some(*p))?;
    }
    // The crossing in the middle: an end of one of its strings.
    let middle = &ends[SIDE * SIDE / 2][0];
    let vertex = middle.strand as usize * (EDGES + 1) + if middle.tip { EDGES } else { 0 };
    let mut film = Film::default();
    let (mut strain, mut met, mut through) = (0.0_f64, 0, None);
    for frame in 0..=210 {
        let t = f64::from(frame) * FRAME;
        if frame % 15 == 0 {
            let mut scene = picture(mesh, &counts, Look::plain(WIRE, [0.55, 0.57, 0.60]))?;
            scene.curves.push(curves(ring, &[AROUND as u32 + 1], Look::plain(ROD, [0.72, 0.52, 0.16]))?);
            film.add(t, format!("{t:.1} s"), scene);
        }
        let down = (SPEED * t).min(WAY);
        mesh.set_pin(vertex as u32, Some([0.0, height - down, 0.0]))?;
        world.step(FRAME)?;
        strain = mesh.strain()?.into_iter().fold(strain, f64::max);
        met = met.max(world.stats()?.contacts);
        let top = vectors(&mesh.positions()?).iter().map(|p| p.y).fold(f64::MIN, f64::max);
        if top < -ROD && through.is_none() {
            through = Some(t);
        }
    }
    let p = vectors(&mesh.positions()?);
    // A wire that has passed through the ring's rod is outside and below.
    let outside = p.iter().filter(|p| p.y < 0.0 && p.x.hypot(p.z) > RING && p.y > -2.0 * ROD).count();
    let lowest: DVec3 = p.iter().copied().min_by(|a, b| a.y.total_cmp(&b.y)).unwrap_or(DVec3::ZERO);
    let end = film.end();
    let mut figure = Figure {
        title: "Wire mesh through a ring",
        subtitle: format!("{} wires, {} crossings; the middle is pulled down", counts.len(), SIDE * SIDE),
        shots: film.pick(&[0.0, 0.75, 1.25, 1.75, 2.25, end]),
        size: (320, 300),
        columns: 3,
        direction: [-0.5, -0.4, -1.0],
        ..Figure::default()
    };
    let when = through.map_or("not".to_string(), |t| format!("after {t:.1} s"));
    figure.numbers = vec![format!(
        "wholly through {when}; up to {met} contacts; no edge longer by more than {:.1} %; {outside} vertices through the ring's rod; lowest at {:.2} m",
        100.0 * strain,
        lowest.y
    )];
    Ok(figure)
}
