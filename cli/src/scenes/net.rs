//! Umetani 2014, figure 6: rods joined by small rigid bodies, here a square net of strings that a ball presses into.
//!
//! Every string between two crossings is a strand; a junction holds the two to four ends of a crossing. The corners are pinned.

use super::stage::*;
use crate::Result;
use crate::abi::{Collider, Rods, join};
use crate::render::{Material, Primitive};
use glam::DVec3;
use withy::ffi::attachment::WithyStrandEnd;
use withy::world::{ColliderDesc, Pose, RodsDesc, Shape, Stiffness, SweepOrder, WorldDesc};

/// Crossings a side, edges of a string, its length and radius.
const SIDE: usize = 7;
const EDGES: usize = 5;
const CELL: f64 = 0.1;
const RADIUS: f64 = 0.004;
const BALL: f64 = 0.12;

fn crossing(i: usize, k: usize) -> DVec3 {
    let middle = 0.5 * (SIDE - 1) as f64;
    DVec3::new((i as f64 - middle) * CELL, 0.0, (k as f64 - middle) * CELL)
}

fn is_corner(i: usize, k: usize) -> bool {
    (i == 0 || i == SIDE - 1) && (k == 0 || k == SIDE - 1)
}

/// How far the ends of a crossing are apart at most, m.
fn gap(rods: Rods, ends: &[Vec<(u32, bool)>]) -> Result<f64> {
    let p = vectors(&rods.positions()?);
    let at = |&(strand, tip): &(u32, bool)| p[strand as usize * (EDGES + 1) + if tip { EDGES } else { 0 }];
    let spread = |all: &Vec<(u32, bool)>| all.iter().map(|e| at(e).distance(at(&all[0]))).fold(0.0, f64::max);
    Ok(ends.iter().map(spread).fold(0.0, f64::max))
}

/// What the net did: largest gap at a crossing, largest strain, depth of the middle.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub gap: f64,
    pub strain: f64,
    pub depth: f64,
}

fn ball_height(seconds: f64) -> f64 {
    let s = ((seconds - 0.5) / 1.5).clamp(0.0, 1.0);
    BALL + 0.06 - 0.28 * s * s * (3.0 - 2.0 * s)
}

pub fn strands() -> usize {
    2 * SIDE * (SIDE - 1)
}

pub fn simulate(seconds: f64, mut see: impl FnMut(f64, Rods, f64) -> Result<()>) -> Result<State> {
    let world = crate::abi::World::new(&WorldDesc { substeps: 40, iterations: 4, ..WorldDesc::default() }, 0)?;
    let mut positions = Vec::new();
    let mut ends: Vec<Vec<(u32, bool)>> = vec![Vec::new(); SIDE * SIDE];
    let mut strand = 0;
    for i in 0..SIDE {
        for k in 0..SIDE {
            for (a, b) in [(i + 1, k), (i, k + 1)] {
                if a < SIDE && b < SIDE {
                    positions.extend(line(crossing(i, k), crossing(a, b), EDGES + 1));
                    ends[i * SIDE + k].push((strand, false));
                    ends[a * SIDE + b].push((strand, true));
                    strand += 1;
                }
            }
        }
    }
    let rods = world.add_rods(&RodsDesc {
        positions: positions.clone(),
        counts: vec![EDGES as u32 + 1; strand as usize],
        radii: vec![RADIUS],
        stiffness: Stiffness::Physical { young: 1e7, shear: 4e6 },
        damping: 2.0,
        drag: 1.5,
        friction: 0.2,
        order: SweepOrder::Alternating,
        ..RodsDesc::default()
    })?;
    for i in 0..SIDE {
        for k in 0..SIDE {
            let here = &ends[i * SIDE + k];
            if is_corner(i, k) {
                for &(strand, tip) in here {
                    let vertex = strand * (EDGES as u32 + 1) + if tip { EDGES as u32 } else { 0 };
                    rods.set_pin(vertex, Some(positions[vertex as usize]))?;
                }
            } else {
                let all: Vec<WithyStrandEnd> = here.iter().map(|&(strand, tip)| rods.end(strand, tip)).collect();
                // As heavy as a string's last edges, as wide as one of them.
                join(&all, CELL / EDGES as f64, 2e-3)?;
            }
        }
    }
    let pose = |t: f64| Pose { position: [0.0, ball_height(t), 0.0], ..Pose::IDENTITY };
    let shape = Shape::Sphere { radius: BALL };
    let ball: Collider =
        world.add_collider(&ColliderDesc { shape, pose: pose(0.0), friction: 0.2, ..ColliderDesc::default() })?;
    see(0.0, rods, ball_height(0.0))?;
    for frame in 1..=(seconds / FRAME).round() as u32 {
        let now = f64::from(frame) * FRAME;
        ball.set_pose(pose(now))?;
        world.step(FRAME)?;
        see(now, rods, ball_height(now))?;
    }
    let strain = rods.strain()?.into_iter().fold(0.0, |m: f64, s| m.max(s.abs()));
    let depth = rods.positions()?.iter().fold(0.0, |m: f64, p| m.min(p[1]));
    let inner: Vec<Vec<(u32, bool)>> =
        (0..SIDE * SIDE).filter(|n| !is_corner(n / SIDE, n % SIDE)).map(|n| ends[n].clone()).collect();
    Ok(State { gap: gap(rods, &inner)?, strain, depth: -depth })
}

pub fn figure() -> Result<Figure> {
    const SHOTS: [f64; 4] = [0.0, 0.5, 1.25, 2.5];
    let mut figure = Figure {
        title: "Net",
        subtitle: format!("{} strings, {} junctions", strands(), SIDE * SIDE - 4),
        size: (320, 220),
        columns: 2,
        direction: [-0.4, -0.45, -1.0],
        ..Figure::default()
    };
    let mut next = 0;
    let end = simulate(2.51, |t, rods, ball| {
        if next < SHOTS.len() && t >= SHOTS[next] - 1e-6 {
            next += 1;
            let counts = vec![EDGES as u32 + 1; strands()];
            let mut scene = picture(rods, &counts, Look::plain(RADIUS, [0.55, 0.57, 0.60]))?;
            let material = Material::plastic([0.75, 0.30, 0.20]);
            scene.primitives.push(Primitive::Sphere { center: [0.0, ball as f32, 0.0], radius: 0.97 * BALL as f32, material });
            figure.shot(format!("{t:.2} s"), scene);
        }
        Ok(())
    })?;
    figure.numbers = vec![format!(
        "depth {:.3} m, largest strain {:.1e}, ends of a crossing at most {:.1e} m apart",
        end.depth, end.strain, end.gap
    )];
    Ok(figure)
}
