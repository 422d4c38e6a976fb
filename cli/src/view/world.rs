//! A scene of bodies and rods, live. What is grabbed hangs on a body without shape that goes where the mouse goes.

use super::subject::{Offers, Pin, Ray, Settings, Subject, approach, pick};
use crate::Result;
use crate::args::Motion;
use crate::render::Scene;
use crate::scenes::live::{Air, Show};
use crate::scenes::stage::FRAME;
use glam::{DQuat, DVec3};
use withy::tasks::Pool;
use withy::world::{BodyDesc, BodyMotion, BodyShape, Id, JointDesc, JointKind, Pose, World};

pub struct Shown {
    make: fn() -> Result<Box<dyn Show>>,
    show: Box<dyn Show>,
    pool: Pool,
    defaults: Settings,
    settings: Settings,
    steps: u64,
    held: Option<Held>,
}

enum Held {
    Vertex { rods: Id, pin: Pin, to: DVec3 },
    Body { anchor: Id, joint: Id, place: DVec3, to: DVec3 },
}

/// The anchor of a body goes so far in a step at most, m: what hangs on it is thrown no faster.
const ANCHOR: f64 = 0.12;

impl Shown {
    pub fn new(make: fn() -> Result<Box<dyn Show>>, threads: usize) -> Result<Shown> {
        let show = make()?;
        let air = show.rods().map_or(Air { damping: 0.0, drag: 0.0, friction: 0.0 }, |r| r.1);
        let defaults = Settings {
            stiffness: 1.0,
            damping: air.damping,
            drag: air.drag,
            gravity: -show.world().gravity()[1],
            wind: 0.0,
            wind_direction: 0.0,
            sag_free: false,
            motion: Motion::Still,
            grip: 0.0,
        };
        let pool = Pool::new(threads)?;
        Ok(Shown { make, show, pool, defaults, settings: defaults, steps: 0, held: None })
    }

    fn points(&self, rods: Id) -> Result<Vec<DVec3>> {
        points(self.show.world(), rods)
    }

    fn grab_body(&mut self, ray: &Ray) -> Result<Option<(Id, f64)>> {
        let world = self.show.world();
        let mut best: Option<(Id, f64)> = None;
        for (id, body) in world.bodies().iter() {
            if body.desc.motion != BodyMotion::Dynamic {
                continue;
            }
            let pose = world.body_pose(id)?;
            for s in &body.desc.shapes {
                let (x, q) = (DVec3::from(pose.position), DQuat::from_array(pose.rotation));
                let at = x + q * DVec3::from(s.pose.position);
                if let Some(depth) = hit(&s.shape, at, q * DQuat::from_array(s.pose.rotation), ray)
                    && depth < best.map_or(ray.limit, |b| b.1)
                {
                    best = Some((id, depth));
                }
            }
        }
        Ok(best)
    }
}

fn points(world: &World, rods: Id) -> Result<Vec<DVec3>> {
    let mut points = Vec::new();
    world.rods(rods)?.read_positions(|_, p| points.push(DVec3::from(p)));
    Ok(points)
}

/// How far along the ray a shape is met: round ones exactly enough for a mouse, others by their boxes.
fn hit(shape: &BodyShape, at: DVec3, turn: DQuat, ray: &Ray) -> Option<f64> {
    let round = |half_height: f64, radius: f64| {
        let up = turn * DVec3::Y * half_height;
        let (_, depth, off) = approach(ray, at - up, at + up);
        (depth > 0.0 && off < radius).then(|| depth - (radius * radius - off * off).sqrt())
    };
    let boxed = |low: DVec3, high: DVec3| {
        let (eye, d) = (turn.inverse() * (ray.eye - at), turn.inverse() * ray.direction);
        let (a, b) = ((low - eye) / d, (high - eye) / d);
        let (near, far) = (a.min(b).max_element(), a.max(b).min_element());
        (near > 0.0 && near <= far).then_some(near)
    };
    match shape {
        BodyShape::Sphere { radius } => round(0.0, *radius),
        BodyShape::Capsule { half_height, radius } => round(*half_height, *radius),
        BodyShape::TaperedCapsule { half_height, bottom, top } => round(*half_height, bottom.max(*top)),
        BodyShape::Box { half_extents } => boxed(-DVec3::from(*half_extents), DVec3::from(*half_extents)),
        BodyShape::Hull { points } | BodyShape::Mesh { positions: points, .. } => {
            let all = || points.iter().map(|p| DVec3::from(*p));
            boxed(all().reduce(DVec3::min)?, all().reduce(DVec3::max)?)
        }
        BodyShape::Plane => None,
    }
}

impl Subject for Shown {
    fn about(&self) -> String {
        let world = self.show.world();
        let bodies = world.bodies().iter().filter(|(_, b)| b.desc.motion == BodyMotion::Dynamic).count();
        let rods = self.show.rods().and_then(|(id, _)| world.rods(id).ok());
        match rods {
            Some(r) if bodies > 0 => format!("{bodies} bodies, {} strands, {} vertices", r.strand_count(), r.vertex_count()),
            Some(r) => format!("{} strands, {} vertices", r.strand_count(), r.vertex_count()),
            None => format!("{bodies} bodies"),
        }
    }

    fn offers(&self) -> Offers {
        let rods = self.show.rods().is_some();
        Offers { stiffness: rods, air: rods, groom: false }
    }

    fn defaults(&self) -> Settings {
        self.defaults
    }

    fn dt(&self) -> f64 {
        FRAME
    }

    fn step(&mut self) -> Result<()> {
        match &mut self.held {
            Some(Held::Vertex { rods, pin, to }) => {
                pin.follow(*to, &points(self.show.world(), *rods)?);
                self.show.world_mut().rods_mut(*rods)?.set_pin(pin.vertex as u32, Some(pin.place.to_array()), false)?;
            }
            Some(Held::Body { anchor, place, to, .. }) => {
                *place += (*to - *place).clamp_length_max(ANCHOR);
                let pose = Pose { position: place.to_array(), ..Pose::IDENTITY };
                self.show.world_mut().set_body_target(*anchor, pose)?;
            }
            None => {}
        }
        self.steps += 1;
        self.show.drive(self.steps as f64 * FRAME)?;
        self.show.world_mut().step(FRAME, &self.pool)?;
        Ok(())
    }

    fn restart(&mut self, settings: &Settings) -> Result<()> {
        self.show = (self.make)()?;
        (self.steps, self.held, self.settings) = (0, None, self.defaults);
        self.apply(settings)
    }

    fn apply(&mut self, settings: &Settings) -> Result<()> {
        let rods = self.show.rods();
        let world = self.show.world_mut();
        world.set_gravity(settings.gravity())?;
        if let Some((id, air)) = rods {
            let rods = world.rods_mut(id)?;
            rods.set_motion(settings.damping, settings.drag, settings.wind(), air.friction)?;
            if settings.stiffness != self.settings.stiffness {
                rods.set_stiffness_factors(|_| [settings.stiffness, 1.0])?;
            }
        }
        self.settings = *settings;
        Ok(())
    }

    fn scene(&self) -> Result<Scene> {
        self.show.draw()
    }

    fn direction(&self) -> [f32; 3] {
        self.show.direction()
    }

    fn grab(&mut self, ray: &Ray) -> Result<Option<(String, DVec3)>> {
        let body = self.grab_body(ray)?;
        let limit = body.map_or(ray.limit, |b| b.1);
        if let Some((rods, _)) = self.show.rods() {
            let (points, counts) = (self.points(rods)?, self.show.world().rods(rods)?.counts().to_vec());
            if let Some((vertex, _)) = pick(&points, &counts, 0, &Ray { limit, ..*ray }) {
                let mut first = 0;
                let strand = counts.iter().map(|&n| {
                    first += n as usize;
                    first - n as usize..first
                });
                let strand = strand.into_iter().find(|s| s.contains(&vertex)).unwrap_or(vertex..vertex + 1);
                let pin = Pin::new(vertex, strand, &points, points[vertex]);
                self.held = Some(Held::Vertex { rods, pin, to: points[vertex] });
                return Ok(Some(("a strand".into(), points[vertex])));
            }
        }
        let Some((id, depth)) = body else { return Ok(None) };
        let at = ray.eye + ray.direction * depth;
        let world = self.show.world_mut();
        let here = Pose { position: at.to_array(), ..Pose::IDENTITY };
        let anchor = world.add_body(&BodyDesc { motion: BodyMotion::Kinematic, pose: here, ..BodyDesc::default() })?;
        let frame_b = world.pose_in_body(id, here)?;
        let joint = world.add_joint(&JointDesc {
            a: Some(anchor),
            b: id,
            frame_a: Pose::IDENTITY,
            frame_b,
            kind: JointKind::Ball { limits: None },
            motor: None,
            collide: false,
        })?;
        world.set_body_sleeping(id, false)?;
        self.held = Some(Held::Body { anchor, joint, place: at, to: at });
        Ok(Some(("a body".into(), at)))
    }

    fn drag(&mut self, target: DVec3) {
        match &mut self.held {
            Some(Held::Vertex { to, .. } | Held::Body { to, .. }) => *to = target,
            None => {}
        }
    }

    fn release(&mut self) -> Result<()> {
        let world = self.show.world_mut();
        match self.held.take() {
            Some(Held::Vertex { rods, pin, .. }) => world.rods_mut(rods)?.set_pin(pin.vertex as u32, None, false)?,
            Some(Held::Body { anchor, joint, .. }) => {
                world.remove_joint(joint)?;
                world.remove_body(anchor)?;
            }
            None => {}
        }
        Ok(())
    }
}
