//! A net of ropes, hung up by its corners, catches what falls: contact alone holds the bodies, and they pull the net down.

use super::*;
use crate::scenes::live::{Air, Show};
use crate::scenes::stage::{Figure, floor};
use withy::world::{BodyDesc, EndSupport, RodsDesc, ShapeDesc, Stiffness, StrandEnd, SweepOrder};

/// Crossings a side, edges of a string between two, its length and radius, m.
const SIDE: usize = 10;
const EDGES: usize = 4;
const CELL: f64 = 0.1;
const RADIUS: f64 = 0.006;
const HEIGHT: f64 = 1.2;
const AIR: Air = Air { damping: 3.0, drag: 0.3, friction: 0.5 };

pub struct Catch {
    pub world: World,
    pub rods: Id,
    pub bodies: Vec<Id>,
}

/// What is left at the end: kg in the net, N that its corners carry beyond its own weight, over that of the bodies, the lowest body's
/// place, m, the fastest body, m/s, and the deepest vertex in a body, m.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub caught: f64,
    pub carried: f64,
    pub lowest: f64,
    pub speed: f64,
    pub contacts: u32,
}

fn crossing(i: usize, k: usize) -> DVec3 {
    let middle = 0.5 * (SIDE - 1) as f64;
    DVec3::new((i as f64 - middle) * CELL, HEIGHT, (k as f64 - middle) * CELL)
}

fn is_corner(n: usize) -> bool {
    [0, SIDE - 1].contains(&(n / SIDE)) && [0, SIDE - 1].contains(&(n % SIDE))
}

/// A stone: the hull of points on an ellipsoid.
fn stone(size: f64) -> BodyShape {
    let point = |k: i32| {
        let y = 1.0 - 2.0 * (f64::from(k) + 0.5) / 24.0;
        let (angle, r) = (2.4 * f64::from(k), (1.0 - y * y).sqrt());
        let rough = 1.0 + 0.12 * (7.0 * f64::from(k)).sin();
        [1.2 * size * r * angle.cos() * rough, 0.8 * size * y * rough, size * r * angle.sin() * rough]
    };
    BodyShape::Hull { points: (0..24).map(point).collect() }
}

impl Catch {
    pub fn new() -> Result<Catch> {
        let mut world = world(16, 4)?;
        let (flat, ends) = super::thrown::strings(SIDE, CELL, EDGES);
        let positions: Vec<[f64; 3]> = flat.iter().map(|p| [p[0], HEIGHT, p[2]]).collect();
        let rods = world.add_rods(RodsDesc {
            positions: positions.clone(),
            counts: vec![EDGES as u32 + 1; positions.len() / (EDGES + 1)],
            radii: vec![RADIUS],
            stiffness: Stiffness::Physical { young: 3e6, shear: 1e6 },
            stretch_modulus: 3e7,
            density: 1100.0,
            damping: AIR.damping,
            drag: AIR.drag,
            friction: AIR.friction,
            root: EndSupport::Free,
            order: SweepOrder::Alternating,
            ..RodsDesc::default()
        })?;
        for (n, here) in ends.iter().enumerate() {
            if is_corner(n) {
                for e in here {
                    let vertex = e.strand as usize * (EDGES + 1) + if e.tip { EDGES } else { 0 };
                    world.rods_mut(rods)?.set_pin(vertex as u32, Some(positions[vertex]), true)?;
                }
            } else {
                let all: Vec<(Id, StrandEnd)> = here.iter().map(|e| (rods, *e)).collect();
                world.add_junction(&all, CELL / EDGES as f64, 5e-3)?;
            }
        }
        let cube = |h: f64| BodyShape::Box { half_extents: [h, 0.8 * h, 1.2 * h] };
        let ball = |radius: f64| BodyShape::Sphere { radius };
        let falling = [
            (ball(0.1), [0.05, 0.35, 0.08], 1.5),
            (cube(0.09), [-0.12, 0.7, -0.02], 2.0),
            (stone(0.11), [0.12, 1.1, -0.12], 3.0),
            (BodyShape::Capsule { half_height: 0.12, radius: 0.06 }, [-0.05, 1.5, 0.15], 1.5),
            (ball(0.08), [-0.1, 1.9, -0.15], 1.0),
            (cube(0.08), [0.1, 2.3, 0.1], 1.5),
        ];
        let mut bodies = Vec::new();
        for (k, (shape, at, mass)) in falling.into_iter().enumerate() {
            let turn = DQuat::from_rotation_z(0.5 * k as f64) * DQuat::from_rotation_x(0.3 * k as f64);
            let pose = Pose { position: [at[0], HEIGHT + at[1], at[2]], rotation: turn.to_array() };
            let shapes = vec![ShapeDesc { shape, friction: 0.5, ..ShapeDesc::default() }];
            bodies.push(world.add_body(&BodyDesc { pose, shapes, mass, ..BodyDesc::default() })?);
        }
        Ok(Catch { world, rods, bodies })
    }

    pub fn step(&mut self) -> Result<()> {
        step(&mut self.world)
    }

    /// The upward pull of the end edges of the four corners, N, at this moment.
    fn pull(&self) -> Result<f64> {
        let rods = self.world.rods(self.rods)?;
        let (mut x, mut forces) = (Vec::new(), Vec::new());
        rods.read_positions(|_, p| x.push(DVec3::from(p)));
        rods.read_forces(|_, f| forces.push(f));
        let mut sum = 0.0;
        for strand in 0..x.len() / (EDGES + 1) {
            let first = strand * (EDGES + 1);
            for (end, other, edge) in [(first, first + 1, 0), (first + EDGES, first + EDGES - 1, EDGES - 1)] {
                let corner =
                    (0..SIDE * SIDE).filter(|n| is_corner(*n)).any(|n| crossing(n / SIDE, n % SIDE).distance(x[end]) < 1e-6);
                if corner {
                    let d = x[end] - x[other];
                    sum += forces[strand * EDGES + edge] * d.y / d.length();
                }
            }
        }
        Ok(sum)
    }

    /// The mean of so many frames, stepped.
    pub fn state(&mut self, frames: u32) -> Result<State> {
        let mut pull = 0.0;
        for _ in 0..frames {
            self.step()?;
            pull += self.pull()? / f64::from(frames);
        }
        let (mut caught, mut lowest, mut speed) = (0.0, f64::MAX, 0.0f64);
        for &id in &self.bodies {
            let at = DVec3::from(self.world.body_pose(id)?.position);
            if at.y > 0.3 {
                caught += self.world.body(id)?.mass;
            }
            lowest = lowest.min(at.y);
            speed = speed.max(DVec3::from(self.world.body_motion(id)?[0]).length());
        }
        // The strings; corners take no weight of their end vertices; junctions are bodies of their own.
        let strings = 2.0 * (SIDE * (SIDE - 1)) as f64 * CELL;
        let per_metre = std::f64::consts::PI * RADIUS * RADIUS * 1100.0;
        let own = per_metre * (strings - 8.0 * 0.5 * CELL / EDGES as f64) + 5e-3 * (SIDE * SIDE - 4) as f64;
        let carried = pull / 9.81 - own;
        Ok(State { caught, carried, lowest, speed, contacts: self.world.stats().contacts })
    }
}

impl Show for Catch {
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
        for (k, &id) in self.bodies.iter().enumerate() {
            draw(&self.world, id, Material::plastic(Clothes::number(k).shirt), &mut scene)?;
        }
        draw_rods(&self.world, self.rods, RADIUS, Material::matte([0.62, 0.50, 0.34]), &mut scene)?;
        Ok(scene)
    }
}

const DIRECTION: [f32; 3] = [-0.5, -0.22, -1.0];

pub fn figure() -> Result<Figure> {
    let mut catch = Catch::new()?;
    let mut figure = Figure {
        title: "Catch",
        subtitle: "A net of ropes, held at its corners, and six bodies: contact goes both ways".into(),
        size: (320, 320),
        columns: 3,
        direction: DIRECTION,
        ..Figure::default()
    };
    let mut seconds = 0.0;
    for at in [0.0, 0.45, 0.7, 1.0, 2.0, 8.0] {
        while seconds < at - 1e-6 {
            catch.step()?;
            seconds += FRAME;
        }
        figure.shot(format!("{at:.2} s"), catch.draw()?);
    }
    let s = catch.state(60)?;
    figure.numbers = vec![format!(
        "in the net {:.1} kg, its corners carry {:.2} kg beyond its own weight; lowest body at {:.2} m, fastest {:.3} m/s, {} contacts",
        s.caught, s.carried, s.lowest, s.speed, s.contacts
    )];
    Ok(figure)
}
