//! Lewin 2013, figure 1: ragdolls fall together into a heap.

use super::*;
use crate::people::{Build, add, sprawled};
use crate::scenes::live::Show;
use crate::scenes::stage::{Figure, floor};
use std::time::Instant;
use withy::math::rng::Rng;
use withy::world::{BodyDesc, BodyMotion, ColliderDesc, ShapeDesc, TaskRunner};

pub struct Heap {
    pub world: World,
    pub people: Vec<Person>,
    pub things: Vec<Id>,
}

/// `columns`² people a layer over the floor, one layer above the other. Between them some boxes that stand.
pub fn heap(count: usize, columns: usize, desc: WorldDesc, can_sleep: bool) -> Result<Heap> {
    let mut world = World::new(desc)?;
    world.add_collider(ColliderDesc::default())?;
    let mut rng = Rng::new(3);
    let middle = 0.5 * (columns - 1) as f64;
    let mut people = Vec::with_capacity(count);
    for k in 0..count {
        let (layer, cell) = (k / (columns * columns), k % (columns * columns));
        let at = |i: usize| (i as f64 - middle) * 1.3;
        let (x, z) = (at(cell % columns), at(cell / columns));
        let mut some = |a: f64| rng.range(-a, a);
        let rotation =
            DQuat::from_axis_angle(DVec3::new(some(1.0), some(1.0), some(1.0)).try_normalize().unwrap_or(DVec3::X), some(3.0));
        // The middle of the body, a metre above its feet.
        let place = DVec3::new(x + some(0.1), 1.5 + 1.3 * layer as f64 + some(0.1), z + some(0.1));
        let velocity = DVec3::new(some(0.4) - 0.8 * x, 0.0, some(0.4) - 0.8 * z);
        let spin = DVec3::new(some(2.0), some(2.0), some(2.0));
        let turns = sprawled(&mut rng);
        let position = place - rotation * DVec3::Y;
        people.push(add(&mut world, &Build { position, rotation, velocity, spin, turns, can_sleep, ..Build::default() })?);
    }
    let mut things = Vec::new();
    let r = 0.3 * columns as f64;
    for (k, [x, z]) in [[-0.7, -0.5], [0.8, -0.2], [0.1, 0.9], [-0.2, -1.1]].into_iter().enumerate() {
        let size = [0.28, 0.2 + 0.08 * k as f64, 0.35];
        let rotation = DQuat::from_rotation_y(0.5 * k as f64);
        things.push(world.add_body(&BodyDesc {
            motion: BodyMotion::Static,
            pose: Pose { position: [x * r, size[1], z * r], rotation: rotation.to_array() },
            shapes: vec![ShapeDesc { shape: BodyShape::Box { half_extents: size }, ..ShapeDesc::default() }],
            ..BodyDesc::default()
        })?);
    }
    Ok(Heap { world, people, things })
}

/// A heap as it is now.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    pub contacts: u64,
    pub awake: u64,
    /// Deepest contact, m; positive inside.
    pub depth: f64,
    /// Largest dislocation, m, and angular violation, rad, of a joint.
    pub error: [f64; 2],
    /// Fastest body, m/s.
    pub speed: f64,
    /// Kinetic energy, J.
    pub energy: f64,
    /// Height of the lowest point of a body, m.
    pub lowest: f64,
}

impl Heap {
    pub fn step(&mut self, runner: &dyn TaskRunner) -> Result<()> {
        Ok(self.world.step(FRAME, runner)?)
    }

    pub fn joints(&self) -> impl Iterator<Item = Id> + '_ {
        self.people.iter().flat_map(|p| p.joints.iter().chain(&p.spine).copied())
    }

    pub fn state(&self) -> Result<State> {
        let [_, awake, contacts, _] = self.world.body_counts();
        let mut s = State { awake, contacts, lowest: f64::INFINITY, ..State::default() };
        self.world.read_contacts(|c| s.depth = s.depth.max(-c.separation));
        for j in self.joints() {
            let e = self.world.joint_error(j)?;
            s.error = [s.error[0].max(e[0]), s.error[1].max(e[1])];
        }
        for id in self.people.iter().flat_map(|p| p.bodies.iter().copied()) {
            s.speed = s.speed.max(DVec3::from(self.world.body_motion(id)?[0]).length());
            s.energy += self.world.body_energy(id)?[0];
            s.lowest = s.lowest.min(lowest(&self.world, id)?);
        }
        Ok(s)
    }

    /// When it sleeps, s, up to `most`.
    pub fn settle(&mut self, from: f64, most: f64) -> Result<Option<f64>> {
        let mut t = from;
        while t < most {
            self.step(&Inline)?;
            t += FRAME;
            if self.world.body_counts()[1] == 0 {
                return Ok(Some(t));
            }
        }
        Ok(None)
    }
}

impl Show for Heap {
    fn world(&self) -> &World {
        &self.world
    }
    fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }
    fn direction(&self) -> [f32; 3] {
        DIRECTION
    }

    fn draw(&self) -> Result<Scene> {
        let mut scene = Scene { primitives: vec![floor(0.0, 0.0)], ..Scene::default() };
        for (k, p) in self.people.iter().enumerate() {
            // Light ones, for there is little light inside.
            draw_person(&self.world, p, Clothes { strength: 0.8, ..Clothes::number(k) }, &mut scene)?;
        }
        for &t in &self.things {
            draw(&self.world, t, Material::matte([0.52, 0.53, 0.55]), &mut scene)?;
        }
        Ok(scene)
    }
}

const DIRECTION: [f32; 3] = [-0.35, -0.6, -1.0];

/// The heap of the pictures: as many a side of a layer as make a heap of it.
pub fn begin(count: usize) -> Result<Heap> {
    let columns = if count <= 30 { 3 } else { 7 };
    heap(count, columns, WorldDesc { substeps: 4, iterations: 5, ..WorldDesc::default() }, true)
}

/// How long a heap may take to sleep, s.
const REST: f64 = 60.0;

/// Pictures at these times, and of the heap at rest.
fn run(count: usize, shots: &[f64], size: (u32, u32)) -> Result<Figure> {
    let mut figure = Figure {
        title: "Heap",
        subtitle: format!("{count} people of 16 bodies, 4 substeps of 5 iterations; each as near as it fits"),
        size,
        columns: 2,
        direction: DIRECTION,
        alone: true,
        ..Figure::default()
    };
    let mut heap = begin(count)?;
    let mut next = 0;
    let mut worst = State::default();
    let mut slowest: f64 = 0.0;
    for frame in 0.. {
        let t = f64::from(frame) * FRAME;
        let s = heap.state()?;
        worst.error = [worst.error[0].max(s.error[0]), worst.error[1].max(s.error[1])];
        worst.depth = worst.depth.max(s.depth);
        // Nothing is counted before the first step.
        let asleep = frame > 0 && s.awake == 0;
        let end = asleep || t >= REST;
        let due = next < shots.len() && t >= shots[next] - 1e-6;
        if due || end {
            next += 1;
            let awake = if asleep { "all asleep".into() } else { format!("{} of {} bodies awake", s.awake, count * 16) };
            figure.shot(format!("{t:.1} s, {} contacts{}", s.contacts, if asleep { ", asleep" } else { "" }), heap.draw()?);
            figure.numbers.push(format!(
                "{t:.1} s: {} contacts, deepest {:.1} mm, joints off by {:.1} mm and {:.3} rad at most, fastest {:.2} m/s, {:.1} J, lowest point {:.1} mm, {awake}",
                s.contacts,
                1e3 * s.depth,
                1e3 * s.error[0],
                s.error[1],
                s.speed,
                s.energy,
                1e3 * s.lowest
            ));
        }
        if end {
            break;
        }
        let begin = Instant::now();
        step(&mut heap.world)?;
        slowest = slowest.max(begin.elapsed().as_secs_f64());
    }
    figure.numbers.push(format!(
        "on the way: joints off by {:.1} mm and {:.3} rad at most, contacts {:.1} mm deep, slowest step {:.1} ms",
        1e3 * worst.error[0],
        worst.error[1],
        1e3 * worst.depth,
        1e3 * slowest
    ));
    Ok(figure)
}

pub fn thirty() -> Result<Figure> {
    run(30, &[0.3, 0.7, 1.1], (370, 340))
}

pub fn three_hundred() -> Result<Figure> {
    run(300, &[0.6, 1.2, 2.0], (390, 290))
}
