//! Angles et al. 2019, figure 7: a hundred octopuses of 37 pills each fall into a tank.
//!
//! An octopus is nine strands of volume rods, eight arms and a head, whose roots a junction holds.

use crate::Result;
use crate::render::{Material, Primitive, Scene};
use crate::scenes::live::{Air, Show};
use crate::scenes::stage::*;
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use withy::math::rng::Rng;
use withy::tasks::Inline;
use withy::world::{ColliderDesc, Id, Pose, RodsDesc, Stiffness, StrandEnd, SweepOrder, World, WorldDesc};

const ARMS: usize = 8;
const ARM_EDGES: usize = 4;
const HEAD_EDGES: usize = 5;
/// Pills of an octopus.
pub const PILLS: usize = ARMS * ARM_EDGES + HEAD_EDGES;
/// Strands and vertices of an octopus.
pub const STRANDS: usize = ARMS + 1;
pub const VERTICES: usize = ARMS * (ARM_EDGES + 1) + HEAD_EDGES + 1;

const YOUNG: f64 = 60e3;
const RATIO: f64 = 0.45;
const AIR: Air = Air { damping: 10.0, drag: 2.0, friction: 0.4 };
/// Sweeps a substep, and substeps a frame.
const ITERATIONS: u32 = 4;
const SUBSTEPS: u32 = 4;

/// Where an octopus has its vertices, from its hub, m, and their radii: eight arms from the root, then the head.
fn body() -> (Vec<DVec3>, Vec<f64>) {
    let (mut points, mut radii) = (Vec::new(), Vec::new());
    for k in 0..ARMS {
        let (sin, cos) = (TAU * k as f64 / ARMS as f64).sin_cos();
        for (r, y, radius) in
            [(0.03, -0.01, 0.017), (0.085, -0.02, 0.015), (0.14, -0.02, 0.012), (0.19, -0.005, 0.009), (0.23, 0.02, 0.006)]
        {
            points.push(DVec3::new(r * cos, y, r * sin));
            radii.push(radius);
        }
    }
    for (y, radius) in [(0.01, 0.03), (0.04, 0.034), (0.07, 0.042), (0.10, 0.047), (0.125, 0.042), (0.145, 0.03)] {
        points.push(DVec3::new(0.0, y, 0.0));
        radii.push(radius);
    }
    (points, radii)
}

/// So many octopuses above each other in columns, each turned in a way of its own, and the ends that a junction holds of each.
pub fn octopuses(count: usize) -> (RodsDesc, Vec<Vec<StrandEnd>>) {
    let mut rng = Rng::new(7);
    let (points, radii) = body();
    let side = ((count as f64) / 4.0).sqrt().ceil().max(1.0) as usize;
    let (mut positions, mut all, mut counts, mut ends) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for k in 0..count {
        let (i, j, layer) = (k % side, k / side % side, k / (side * side));
        let middle = 0.5 * (side - 1) as f64;
        let at = DVec3::new(0.42 * (i as f64 - middle), 0.25 + 0.32 * layer as f64, 0.42 * (j as f64 - middle));
        let turn = DQuat::from_rotation_y(rng.range(0.0, TAU))
            * DQuat::from_rotation_x(rng.range(-0.6, 0.6))
            * DQuat::from_rotation_z(rng.range(-0.6, 0.6));
        positions.extend(points.iter().map(|p| (at + turn * *p).to_array()));
        all.extend_from_slice(&radii);
        counts.extend([ARM_EDGES as u32 + 1; ARMS]);
        counts.push(HEAD_EDGES as u32 + 1);
        ends.push((0..STRANDS).map(|s| StrandEnd { strand: (k * STRANDS + s) as u32, tip: false }).collect());
    }
    let desc = RodsDesc {
        positions,
        counts,
        radii: all,
        stiffness: Stiffness::Physical { young: YOUNG, shear: YOUNG / (2.0 * (1.0 + RATIO)) },
        poisson_ratio: RATIO,
        density: 1060.0,
        damping: AIR.damping,
        drag: AIR.drag,
        friction: AIR.friction,
        self_contact: true,
        order: SweepOrder::Alternating,
        iterations: ITERATIONS,
        ..RodsDesc::default()
    };
    (desc, ends)
}

/// Half the width of the tank, m.
fn wall(count: usize) -> f64 {
    0.5 * 0.42 * ((count as f64) / 4.0).sqrt().ceil().max(1.0) + 0.05
}

/// A tank with octopuses above its floor.
pub fn begin(count: usize, desc: WorldDesc) -> Result<(World, Id)> {
    let mut world = World::new(desc)?;
    world.add_collider(ColliderDesc::default())?;
    for k in 0..4 {
        // The half space below local y = 0, turned so that its face looks inwards.
        let turn = DQuat::from_rotation_y(0.25 * TAU * f64::from(k)) * DQuat::from_rotation_z(0.25 * TAU);
        let position = (turn * DVec3::new(0.0, -wall(count), 0.0)).to_array();
        world.add_collider(ColliderDesc { pose: Pose { position, rotation: turn.to_array() }, ..ColliderDesc::default() })?;
    }
    let (rods, ends) = octopuses(count);
    let id = world.add_rods(rods)?;
    for here in ends {
        let here: Vec<(Id, StrandEnd)> = here.into_iter().map(|e| (id, e)).collect();
        world.add_junction(&here, 0.0, 0.0)?;
    }
    Ok((world, id))
}

/// Speed of the fastest vertex, m/s, and the volume of the rods, m³.
pub fn state(world: &World, rods: Id) -> Result<(f64, f64)> {
    let (mut fastest, mut volume) = (0.0_f64, 0.0);
    world.rods(rods)?.read_velocities(|_, v| fastest = fastest.max(DVec3::from(v).length()));
    world.rods(rods)?.read_volumes(|_, v| volume += v);
    Ok((fastest, volume))
}

fn draw(world: &World, rods: Id) -> Result<Scene> {
    let (mut points, mut radii) = (Vec::new(), Vec::new());
    world.rods(rods)?.read_positions(|_, p| points.push(p.map(|c| c as f32)));
    world.rods(rods)?.read_radii(|_, r| radii.push(r as f32));
    let colors = [[0.62, 0.20, 0.24], [0.72, 0.42, 0.22], [0.30, 0.36, 0.52], [0.46, 0.30, 0.46]];
    let mut scene = Scene::default();
    let mut first = 0;
    for (s, &count) in world.rods(rods)?.counts().iter().enumerate() {
        let material = Material::plastic(colors[s / STRANDS % colors.len()]);
        for v in first..first + count as usize - 1 {
            scene.primitives.push(Primitive::Taper { a: points[v], b: points[v + 1], radii: [radii[v], radii[v + 1]], material });
        }
        first += count as usize;
    }
    scene.primitives.push(floor(0.0, 0.2));
    Ok(scene)
}

fn desc() -> WorldDesc {
    WorldDesc { substeps: SUBSTEPS, ..WorldDesc::default() }
}

const COUNT: usize = 100;
const DIRECTION: [f32; 3] = [-0.35, -0.75, -1.0];

pub struct Octopuses {
    world: World,
    rods: Id,
}

impl Octopuses {
    pub fn new() -> Result<Octopuses> {
        let (world, rods) = begin(COUNT, desc())?;
        Ok(Octopuses { world, rods })
    }
}

impl Show for Octopuses {
    fn world(&self) -> &World {
        &self.world
    }
    fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }
    fn rods(&self) -> Option<(Id, Air)> {
        Some((self.rods, AIR))
    }
    fn direction(&self) -> [f32; 3] {
        DIRECTION
    }
    fn draw(&self) -> Result<Scene> {
        draw(&self.world, self.rods)
    }
}

pub fn figure() -> Result<Figure> {
    let (mut world, rods) = begin(COUNT, desc())?;
    let mut figure = Figure {
        title: "A hundred octopuses",
        subtitle: format!("{PILLS} pills each, that keep their volume"),
        size: (420, 320),
        columns: 2,
        direction: DIRECTION,
        ..Figure::default()
    };
    let (_, before) = state(&world, rods)?;
    figure.shot("0 s", draw(&world, rods)?);
    let mut worst = 0.0_f64;
    for frame in 1..=360 {
        world.step(FRAME, &Inline)?;
        if [24, 60, 360].contains(&frame) {
            figure.shot(format!("{:.1} s", f64::from(frame) * FRAME), draw(&world, rods)?);
        }
        if frame % 6 == 0 {
            worst = worst.max((state(&world, rods)?.1 / before - 1.0).abs());
        }
    }
    let (fastest, _) = state(&world, rods)?;
    figure.numbers = vec![format!(
        "after 6 s: fastest vertex {:.0} mm/s, {} contacts; the volume of all changes by {:.2} % at most",
        1e3 * fastest,
        world.contact_work().contacts,
        100.0 * worst
    )];
    Ok(figure)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which edges may meet is looked for anew in a world that takes over a saved state: nothing comes of when that was.
    #[test]
    fn a_list_that_is_made_anew_changes_nothing() {
        let pile = || begin(6, WorldDesc { substeps: 2, ..WorldDesc::default() }).unwrap().0;
        let walk = |world: &mut World, frames: usize| (0..frames).for_each(|_| world.step(FRAME, &Inline).unwrap());
        let mut one = pile();
        walk(&mut one, 25);
        for _ in 0..6 {
            let mut saved = vec![0; one.save_state(&mut []).unwrap()];
            one.save_state(&mut saved).unwrap();
            let mut other = pile();
            other.restore_state(&saved).unwrap();
            walk(&mut one, 7);
            walk(&mut other, 7);
            assert_eq!(one.state_hash(), other.state_hash());
        }
    }
}
