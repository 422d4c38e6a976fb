//! Angles et al. 2019, figure 7: a hundred octopuses of 37 pills each fall into a tank.
//!
//! An octopus is nine strands of volume rods, eight arms and a head, whose roots a junction holds.

use crate::Result;
use crate::render::{Material, Primitive, Scene};
use crate::scenes::coat::Coat;
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

/// Vertices of its strands: eight arms, then the head.
pub(super) const COUNTS: [u32; STRANDS] = {
    let mut counts = [ARM_EDGES as u32 + 1; STRANDS];
    counts[ARMS] = HEAD_EDGES as u32 + 1;
    counts
};

const YOUNG: f64 = 60e3;
const RATIO: f64 = 0.45;
const AIR: Air = Air { damping: 10.0, drag: 2.0, friction: 0.4 };
/// Sweeps a substep, and substeps a frame.
const ITERATIONS: u32 = 4;
const SUBSTEPS: u32 = 4;

/// Where an octopus has its vertices, from its hub, m, and their radii: eight arms from the root, then the head.
pub(super) fn body() -> (Vec<DVec3>, Vec<f64>) {
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

/// Where so many octopuses begin, above each other in columns, each turned in a way of its own.
fn places(count: usize) -> Vec<(DVec3, DQuat)> {
    let mut rng = Rng::new(7);
    let side = ((count as f64) / 4.0).sqrt().ceil().max(1.0) as usize;
    let middle = 0.5 * (side - 1) as f64;
    let mut place = |k: usize| {
        let (i, j, layer) = (k % side, k / side % side, k / (side * side));
        let at = DVec3::new(0.42 * (i as f64 - middle), 0.25 + 0.32 * layer as f64, 0.42 * (j as f64 - middle));
        let turn = DQuat::from_rotation_y(rng.range(0.0, TAU))
            * DQuat::from_rotation_x(rng.range(-0.6, 0.6))
            * DQuat::from_rotation_z(rng.range(-0.6, 0.6));
        (at, turn)
    };
    (0..count).map(&mut place).collect()
}

/// So many octopuses where they begin, and the ends that a junction holds of each.
pub fn octopuses(count: usize) -> (RodsDesc, Vec<Vec<StrandEnd>>) {
    placed(&places(count))
}

fn placed(places: &[(DVec3, DQuat)]) -> (RodsDesc, Vec<Vec<StrandEnd>>) {
    let (points, radii) = body();
    let (mut positions, mut all, mut counts, mut ends) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (k, (at, turn)) in places.iter().enumerate() {
        positions.extend(points.iter().map(|p| (*at + *turn * *p).to_array()));
        all.extend_from_slice(&radii);
        counts.extend(COUNTS);
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
    let id = add(&mut world, rods, ends)?;
    Ok((world, id))
}

fn add(world: &mut World, rods: RodsDesc, ends: Vec<Vec<StrandEnd>>) -> Result<Id> {
    let id = world.add_rods(rods)?;
    for here in ends {
        let here: Vec<(Id, StrandEnd)> = here.into_iter().map(|e| (id, e)).collect();
        world.add_junction(&here, 0.0, 0.0)?;
    }
    Ok(id)
}

/// Octopuses without weight that do not touch, after the junctions have drawn their strands together.
fn at_rest(places: &[(DVec3, DQuat)]) -> Result<(World, Id)> {
    let mut world = World::new(WorldDesc { gravity: [0.0; 3], ..desc() })?;
    let (rods, ends) = placed(places);
    let id = add(&mut world, RodsDesc { self_contact: false, ..rods }, ends)?;
    for _ in 0..120 {
        world.step(FRAME, &Inline)?;
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
    let mut scene = Scene::default();
    let mut first = 0;
    for (s, &count) in world.rods(rods)?.counts().iter().enumerate() {
        let material = Material::plastic(COLORS[s / STRANDS % COLORS.len()]);
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
/// Frames in which the pile is to come to rest.
const MOST: u32 = 1800;
/// Where an octopus at rest ends, m below its hub.
const LOWEST: f32 = -0.036;
pub(super) const COLORS: [[f32; 3]; 4] = [[0.62, 0.20, 0.24], [0.72, 0.42, 0.22], [0.30, 0.36, 0.52], [0.46, 0.30, 0.46]];
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
    let mut figure = Figure {
        title: "A hundred octopuses",
        subtitle: format!("{PILLS} pills each, that keep their volume and carry a skin"),
        size: (420, 320),
        direction: DIRECTION,
        ..Figure::default()
    };
    let coat = one(&mut figure)?;
    let (mut world, rods) = begin(COUNT, desc())?;
    let (mut at_rest, joined) = at_rest(&places(COUNT))?;
    let bound = coat.put_on(&mut at_rest, joined, &places(COUNT))?;
    let skin = world.load_skin(&[rods], &at_rest.skin(bound)?.save())?;
    let (_, before) = state(&world, rods)?;
    let mut worst = 0.0_f64;
    let mut frame = 0;
    while frame < MOST && !world.rods_sleep(rods)? {
        world.step(FRAME, &Inline)?;
        frame += 1;
        if [24, 60].contains(&frame) {
            figure.shot(format!("{:.1} s", f64::from(frame) * FRAME), coat.draw(&skin_points(&world, skin)?));
        }
        if frame % 6 == 0 {
            worst = worst.max((state(&world, rods)?.1 / before - 1.0).abs());
        }
    }
    let asleep = world.rods_sleep(rods)?;
    let after = format!("{:.1} s{}", f64::from(frame) * FRAME, if asleep { ": all sleep" } else { "" });
    let points = skin_points(&world, skin)?;
    figure.shot(after.clone(), coat.draw(&points));
    figure.shots.push(Shot {
        caption: "the same, nearer".into(),
        scene: coat.draw(&points),
        frame: Some(middle_of_the_pile()),
        ..Shot::default()
    });
    let (least, most) = coat.volumes(&points);
    figure.numbers = vec![
        format!("{after}; {} contacts at the end", world.contact_work().contacts),
        format!("the volume of all pills changes by {:.2} % at most", 100.0 * worst),
        format!(
            "a skin has {} vertices and {} triangles; at the end they hold {least:.3} to {most:.3} of the volume that they began with",
            coat.points.len(),
            coat.parts.iter().map(Vec::len).sum::<usize>()
        ),
    ];
    Ok(figure)
}

/// Pills and skin of one octopus at rest.
fn one(figure: &mut Figure) -> Result<Coat> {
    let home = [(DVec3::ZERO, DQuat::IDENTITY)];
    let (mut world, rods) = at_rest(&home)?;
    let mut points = Vec::new();
    world.rods(rods)?.read_positions(|_, p| points.push(DVec3::from(p)));
    let coat = Coat::new(&points, &body().1)?;
    let skin = coat.put_on(&mut world, rods, &home)?;
    let [mut pills, mut skinned] = [draw(&world, rods)?, coat.draw(&skin_points(&world, skin)?)];
    let frame = Some(Scene { primitives: pills.primitives.clone(), ..Scene::default() });
    for (caption, scene) in [(format!("one of them: its {PILLS} pills"), &mut pills), ("its skin".into(), &mut skinned)] {
        scene.primitives.retain(|p| !matches!(p, Primitive::Plane { .. }));
        scene.primitives.push(floor(LOWEST, 0.2));
        figure.shots.push(Shot { caption, scene: scene.clone(), frame: frame.clone(), ..Shot::default() });
    }
    Ok(coat)
}

/// What a nearer picture of the pile shows.
fn middle_of_the_pile() -> Scene {
    let (center, half_extents) = ([0.0, 0.05, 0.0], [0.35, 0.05, 0.25]);
    let all = Primitive::Cuboid { center, half_extents, rotation: [0.0, 0.0, 0.0, 1.0], material: Material::default() };
    Scene { primitives: vec![all], ..Scene::default() }
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
