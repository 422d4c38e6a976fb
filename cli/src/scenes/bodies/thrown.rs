//! A net of ropes, with weights around its rim, is thrown over somebody who stands there, and goes down with him.

use super::*;
use crate::people::{Build, add};
use crate::scenes::live::{Air, Show};
use crate::scenes::stage::{Figure, floor, line};
use withy::world::{ColliderDesc, RodsDesc, Stiffness, StrandEnd};

/// Crossings a side, edges of a string between two, m.
pub const SIDE: usize = 17;
const EDGES: usize = 4;
const CELL: f64 = 0.11;
const RADIUS: f64 = 4e-3;
/// Of a crossing, and of one on the rim, kg.
const KNOT: f64 = 2e-3;
const WEIGHT: f64 = 0.04;
const AIR: Air = Air { damping: 3.0, drag: 0.2, friction: 0.5 };

/// Strings of a net in the plane y = 0, and which ends meet at which crossing.
pub fn strings(side: usize, cell: f64, edges: usize) -> (Vec<[f64; 3]>, Vec<Vec<StrandEnd>>) {
    let middle = 0.5 * (side - 1) as f64;
    let crossing = |i: usize, k: usize| DVec3::new((i as f64 - middle) * cell, 0.0, (k as f64 - middle) * cell);
    let (mut positions, mut ends) = (Vec::new(), vec![Vec::new(); side * side]);
    let mut strand = 0;
    for i in 0..side {
        for k in 0..side {
            for (a, b) in [(i + 1, k), (i, k + 1)] {
                if a < side && b < side {
                    positions.extend(line(crossing(i, k), crossing(a, b), edges + 1));
                    ends[i * side + k].push(StrandEnd { strand, tip: false });
                    ends[a * side + b].push(StrandEnd { strand, tip: true });
                    strand += 1;
                }
            }
        }
    }
    (positions, ends)
}

pub struct Thrown {
    pub world: World,
    pub person: Person,
    pub rods: Id,
}

impl Thrown {
    pub fn new(side: usize) -> Result<Thrown> {
        let mut world = world(8, 8)?;
        world.add_collider(ColliderDesc { friction: 0.6, ..ColliderDesc::default() })?;
        let build = Build { motors: Some([40.0, 4.0]), can_sleep: false, group: 1, ..Build::default() };
        let person = add(&mut world, &build)?;
        let (flat, ends) = strings(side, CELL, EDGES);
        // It comes from behind and above, tilted, and turns a little.
        let (turn, place) = (DQuat::from_rotation_x(0.5), DVec3::new(0.05, 2.35, -0.9));
        let positions: Vec<[f64; 3]> = flat.iter().map(|p| (place + turn * DVec3::from(*p)).to_array()).collect();
        let speed = DVec3::new(0.0, 0.6, 3.0);
        let count = positions.len();
        let rods = world.add_rods(RodsDesc {
            positions,
            counts: vec![EDGES as u32 + 1; count / (EDGES + 1)],
            velocities: vec![speed.to_array(); count],
            radii: vec![RADIUS],
            stiffness: Stiffness::Physical { young: 2e6, shear: 8e5 },
            stretch_modulus: 5e7,
            density: 900.0,
            damping: AIR.damping,
            drag: AIR.drag,
            friction: AIR.friction,
            self_contact: true,
            ..RodsDesc::default()
        })?;
        for (n, here) in ends.iter().enumerate() {
            let rim = [0, side - 1].contains(&(n / side)) || [0, side - 1].contains(&(n % side));
            let all: Vec<(Id, StrandEnd)> = here.iter().map(|e| (rods, *e)).collect();
            world.add_junction(&all, 6e-3, if rim { WEIGHT } else { KNOT })?;
        }
        Ok(Thrown { world, person, rods })
    }

    /// Deepest vertex inside a part of the person, m; how far ends at a crossing are apart is in the stats.
    pub fn strain(&self) -> Result<f64> {
        let mut most = 0.0_f64;
        self.world.rods(self.rods)?.read_strain(|_, s| most = most.max(s));
        Ok(most)
    }
}

impl Show for Thrown {
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
        let mut scene = Scene { primitives: vec![floor(0.0, 0.5)], ..Scene::default() };
        draw_person(&self.world, &self.person, Clothes::number(0), &mut scene)?;
        draw_rods(&self.world, self.rods, RADIUS, Material::matte([0.66, 0.52, 0.33]), &mut scene)?;
        Ok(scene)
    }
}

const DIRECTION: [f32; 3] = [-0.7, -0.35, -1.0];

pub fn figure() -> Result<Figure> {
    let mut net = Thrown::new(SIDE)?;
    let mut figure = Figure {
        title: "A net is thrown",
        subtitle: format!(
            "{} strings, {} knots; ropes touch each other, the person and the floor",
            2 * SIDE * (SIDE - 1),
            SIDE * SIDE
        ),
        size: (320, 300),
        columns: 3,
        direction: DIRECTION,
        ..Figure::default()
    };
    let shots = [0.0, 0.25, 0.5, 0.8, 1.5, 5.0];
    let (mut shot, mut strain, mut met) = (0, 0.0_f64, 0);
    for frame in 0..=300 {
        let t = f64::from(frame) * FRAME;
        if shot < shots.len() && t >= shots[shot] - 1e-6 {
            shot += 1;
            figure.shot(format!("{t:.1} s"), net.draw()?);
        }
        step(&mut net.world)?;
        strain = strain.max(net.strain()?);
        met = met.max(net.world.contact_work().contacts);
    }
    let mut fastest = 0.0_f64;
    net.world.rods(net.rods)?.read_velocities(|_, v| fastest = fastest.max(DVec3::from(v).length()));
    let mut lowest = f64::INFINITY;
    net.world.rods(net.rods)?.read_positions(|_, p| lowest = lowest.min(p[1]));
    figure.numbers = vec![format!(
        "up to {met} contacts between ropes; no edge longer by more than {:.1} %; after 5 s the fastest vertex moves at {:.3} m/s, the lowest is at {:.1} mm",
        100.0 * strain,
        fastest,
        1e3 * lowest
    )];
    Ok(figure)
}
