//! A groom of `withy simulate`, live: the same loading, the same world through the C interface.

use super::subject::{Offers, Pin, Pins, Ray, Settings, Subject, pick};
use crate::Result;
use crate::args::Simulate;
use crate::render::Scene;
use crate::simulate::hairs::Wanted;
use crate::simulate::head::Head;
use crate::simulate::{DIRECTION, Pictures, Run, Shot, prepare};
use glam::DVec3;
use withy::io::Groom as Strands;

/// A head's motion is over after so many seconds, and begins anew.
const PERIOD: f64 = 4.0;
const FRICTION: f64 = 0.3;

pub struct Groom {
    options: Simulate,
    groom: Strands,
    head: Head,
    /// The motion that begins at the next turn of the period: heads do not jump.
    settings: Settings,
    run: Run,
    radius: f32,
    steps: u64,
    /// Stiffness for which the world was made, times that of the options.
    made: f64,
    held: Option<Held>,
}

struct Held {
    /// Of the run.
    part: usize,
    pins: Pins,
    to: DVec3,
}

impl Groom {
    pub fn new(options: &Simulate) -> Result<Groom> {
        let (groom, head) = prepare(options)?;
        let run = Run::new(options, &groom, &head, Wanted::live(&groom))?;
        let drawn = run.hairs.as_ref().map_or(groom.counts.len(), |h| h.counts.len());
        let radius = Pictures::drawn_radius(&groom.points, drawn);
        let settings = Settings {
            stiffness: 1.0,
            damping: options.damping,
            drag: options.drag,
            gravity: options.gravity,
            wind: 0.0,
            wind_direction: 0.0,
            sag_free: options.sag_free,
            motion: options.motion,
            grip: 0.012,
        };
        Ok(Groom { options: options.clone(), groom, head, settings, run, radius, steps: 0, made: 1.0, held: None })
    }

    fn seconds(&self) -> f64 {
        self.steps as f64 * self.dt() % PERIOD
    }

    fn points(&self, part: usize) -> Result<Vec<DVec3>> {
        Ok(self.run.parts[part].rods.positions()?.into_iter().map(DVec3::from).collect())
    }
}

impl Subject for Groom {
    fn about(&self) -> String {
        format!("{} strands simulated, {} vertices", self.groom.counts.len(), self.groom.points.len())
    }

    fn note(&self) -> &'static str {
        if self.run.hairs.is_some() { "and hairs interpolated between them" } else { "" }
    }

    fn offers(&self) -> Offers {
        Offers { stiffness: true, air: true, groom: true }
    }

    fn defaults(&self) -> Settings {
        self.settings
    }

    fn dt(&self) -> f64 {
        1.0 / self.options.fps
    }

    fn step(&mut self) -> Result<()> {
        if let Some(held) = &mut self.held {
            let rods = self.run.parts[held.part].rods;
            let points: Vec<DVec3> = rods.positions()?.into_iter().map(DVec3::from).collect();
            for pin in &mut held.pins.0 {
                pin.follow(held.to, &points);
                rods.set_pin(pin.vertex as u32, Some(pin.place.to_array()))?;
            }
        }
        let before = self.seconds();
        self.steps += 1;
        if self.seconds() < before || self.steps == 1 {
            self.head.set_motion(self.settings.motion);
            self.run.head.set_motion(self.settings.motion);
        }
        self.run.drive(self.head.pose(self.seconds()))?;
        self.run.world.step(self.dt())?;
        self.run.check()
    }

    fn restart(&mut self, settings: &Settings) -> Result<()> {
        self.head.set_motion(settings.motion);
        let options = Simulate {
            young: self.options.young * settings.stiffness,
            gravity: settings.gravity,
            sag_free: settings.sag_free,
            ..self.options.clone()
        };
        self.run = Run::new(&options, &self.groom, &self.head, Wanted::live(&self.groom))?;
        (self.steps, self.made, self.held) = (0, settings.stiffness, None);
        self.apply(settings)
    }

    fn apply(&mut self, settings: &Settings) -> Result<()> {
        self.run.world.set_gravity(settings.gravity())?;
        for part in &self.run.parts {
            part.rods.set_motion(settings.damping, settings.drag, settings.wind(), FRICTION)?;
            // What `stiffen` has found stays, unless it is scaled.
            if settings.stiffness != self.settings.stiffness {
                let factor = settings.stiffness / self.made;
                part.rods.set_stiffness_factors(&vec![[factor, 1.0]; part.groom.points.len()])?;
            }
        }
        self.settings = *settings;
        Ok(())
    }

    fn scene(&self) -> Result<Scene> {
        let hair = self.run.hairs.as_ref().map_or(Ok(Vec::new()), |h| h.hair.positions())?;
        let shot = Shot { frame: 0, points: self.run.positions()?, hair, head: self.head.pose(self.seconds()) };
        let hair_counts = self.run.hairs.as_ref().map_or(&[][..], |h| &h.counts);
        let pictures = Pictures { counts: &self.groom.counts, hair_counts, head: &self.head, size: self.options.size };
        Ok(pictures.scene(&shot, self.radius))
    }

    fn direction(&self) -> [f32; 3] {
        DIRECTION
    }

    fn grab(&mut self, ray: &Ray) -> Result<Option<(String, DVec3)>> {
        let mut best: Option<(usize, usize, f64)> = None;
        for part in 0..self.run.parts.len() {
            let points = self.points(part)?;
            let limit = best.map_or(ray.limit, |b| b.2);
            // The root and the edge after it are clamped.
            if let Some((vertex, depth)) = pick(&points, &self.run.parts[part].groom.counts, 2, &Ray { limit, ..*ray }) {
                best = Some((part, vertex, depth));
            }
        }
        let Some((part, vertex, _)) = best else { return Ok(None) };
        let points = self.points(part)?;
        let grabbed = points[vertex];
        let mut pins = Pins::default();
        for strand in self.run.parts[part].groom.ranges() {
            let free = (strand.start + 2).min(strand.end)..strand.end;
            let distance = |v: &usize| points[*v].distance_squared(grabbed);
            let nearest = free.min_by(|a, b| distance(a).total_cmp(&distance(b)));
            if let Some(v) = nearest.filter(|v| *v == vertex || distance(v) < self.settings.grip.powi(2)) {
                pins.0.push(Pin::new(v, strand, &points, grabbed));
            }
        }
        let name = match pins.0.len() {
            1 => "a strand".into(),
            n => format!("{n} strands"),
        };
        self.held = Some(Held { part, pins, to: grabbed });
        Ok(Some((name, grabbed)))
    }

    fn drag(&mut self, to: DVec3) {
        if let Some(held) = &mut self.held {
            held.to = to;
        }
    }

    fn release(&mut self) -> Result<()> {
        if let Some(held) = self.held.take() {
            let rods = self.run.parts[held.part].rods;
            held.pins.0.iter().try_for_each(|pin| rods.set_pin(pin.vertex as u32, None))?;
        }
        Ok(())
    }
}
