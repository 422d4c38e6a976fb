//! The window without a window: what the mouse and the keys do, and how time goes on. Tests drive it as the window does.

use super::orbit::Orbit;
use super::subject::{Ray, Settings, Subject};
use crate::Result;
use crate::render::{Camera, Mesh, Scene};
use glam::Vec3;
use std::time::Instant;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    Left,
    Middle,
    Right,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Pause and go on.
    Pause,
    /// One step, paused.
    Step,
    Restart,
    /// Naive or sag-free, from the start.
    SagFree,
    /// The camera as at the start.
    Frame,
    /// Shows or hides the panel.
    Panel,
}

/// What a person does. Places are in pixels from the upper left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Input {
    Move {
        x: f32,
        y: f32,
    },
    Press(Button),
    Release(Button),
    /// Notches of the wheel, away from the person positive.
    Wheel(f32),
    Shift(bool),
    Key(Key),
    Resize {
        width: u32,
        height: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Drag {
    Nothing,
    Turn,
    Pan,
    /// What was grabbed, at this depth before the eye.
    Hold {
        depth: f64,
    },
}

/// Steps between two pictures at most: a slow machine shows slow motion instead of falling behind for ever.
const STEPS: u32 = 2;
/// Width of the panel, points.
pub const PANEL: u32 = 250;
/// What a mouse hits, pixels.
const REACH: f64 = 7.0;

pub struct App {
    subject: Box<dyn Subject>,
    pub settings: Settings,
    applied: Settings,
    /// Those of the last start, for which rest shapes were found.
    pub made: Settings,
    orbit: Orbit,
    size: (u32, u32),
    mouse: [f32; 2],
    shift: bool,
    drag: Drag,
    pub paused: bool,
    pub panel: bool,
    /// Simulated since the start, s.
    pub seconds: f64,
    /// Time that has passed and is not yet simulated, s.
    due: f64,
    pub times: Times,
    /// What was grabbed last.
    pub held: Option<String>,
    pub grabs: u32,
}

/// Moving averages, s.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    pub step: f64,
    pub draw: f64,
    pub frame: f64,
    /// Simulated over real time.
    pub speed: f64,
}

pub fn average(old: &mut f64, new: f64) {
    *old += (new - *old) * if *old == 0.0 { 1.0 } else { 0.08 };
}

impl App {
    pub fn new(subject: Box<dyn Subject>, size: (u32, u32)) -> Result<App> {
        let settings = subject.defaults();
        // Some of the window is the panel's: how much, it says when it is drawn.
        let orbit = Orbit::new(&subject.scene()?, subject.direction(), (size.0.saturating_sub(PANEL).max(1), size.1));
        Ok(App {
            subject,
            settings,
            applied: settings,
            made: settings,
            orbit,
            size,
            mouse: [0.0; 2],
            shift: false,
            drag: Drag::Nothing,
            paused: false,
            panel: true,
            seconds: 0.0,
            due: 0.0,
            times: Times::default(),
            held: None,
            grabs: 0,
        })
    }

    pub fn subject(&self) -> &dyn Subject {
        &*self.subject
    }

    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    pub fn camera(&self) -> Camera {
        self.orbit.camera()
    }

    pub fn scene(&self) -> Result<Scene> {
        self.subject.scene()
    }

    pub fn input(&mut self, input: Input) -> Result<()> {
        match input {
            Input::Move { x, y } => {
                let [dx, dy] = [x - self.mouse[0], y - self.mouse[1]];
                self.mouse = [x, y];
                match self.drag {
                    Drag::Nothing => {}
                    Drag::Turn => self.orbit.turn(dx, dy),
                    Drag::Pan => self.orbit.pan(dx, dy, self.size.1 as f32),
                    Drag::Hold { depth } => {
                        let ray = self.ray();
                        let forward = (self.camera().target - self.camera().eye).as_dvec3().normalize_or_zero();
                        self.subject.drag(ray.eye + ray.direction * (depth / ray.direction.dot(forward)));
                    }
                }
            }
            Input::Press(button) => {
                self.let_go()?;
                self.drag = match button {
                    Button::Left if self.shift => Drag::Pan,
                    Button::Left => self.grab()?,
                    Button::Middle => Drag::Pan,
                    Button::Right => Drag::Turn,
                };
            }
            Input::Release(_) => self.let_go()?,
            Input::Wheel(notches) => self.orbit.zoom(notches),
            Input::Shift(down) => self.shift = down,
            Input::Key(key) => self.key(key)?,
            Input::Resize { width, height } => self.size = (width.max(1), height.max(1)),
        }
        Ok(())
    }

    fn let_go(&mut self) -> Result<()> {
        if let Drag::Hold { .. } = self.drag {
            self.subject.release()?;
            self.held = None;
        }
        self.drag = Drag::Nothing;
        Ok(())
    }

    /// Takes what is under the mouse; where there is nothing, the camera turns.
    fn grab(&mut self) -> Result<Drag> {
        let mut ray = self.ray();
        for mesh in &self.subject.scene()?.meshes {
            ray.limit = opaque(mesh, &ray, ray.limit);
        }
        let Some((name, at)) = self.subject.grab(&ray)? else { return Ok(Drag::Turn) };
        self.held = Some(name);
        self.grabs += 1;
        let forward = (self.camera().target - self.camera().eye).as_dvec3().normalize_or_zero();
        Ok(Drag::Hold { depth: (at - ray.eye).dot(forward) })
    }

    /// Through the pixel under the mouse.
    pub fn ray(&self) -> Ray {
        let camera = self.camera();
        let view = camera.view(self.size.0, self.size.1);
        let direction = view.ray(self.mouse[0], self.mouse[1]).as_dvec3().normalize();
        Ray { eye: camera.eye.as_dvec3(), direction, slope: REACH / f64::from(view.focal), limit: f64::INFINITY }
    }

    /// Where a point is in the picture, pixels.
    pub fn pixel(&self, point: [f32; 3]) -> [f32; 2] {
        let view = self.camera().view(self.size.0, self.size.1);
        let at = view.to_screen(view.to_camera(Vec3::from(point)));
        [at.x, at.y]
    }

    fn key(&mut self, key: Key) -> Result<()> {
        match key {
            Key::Pause => self.paused = !self.paused,
            Key::Step => {
                self.paused = true;
                self.step()?;
            }
            Key::Restart => self.restart()?,
            Key::SagFree if self.subject.offers().groom => {
                self.settings.sag_free = !self.settings.sag_free;
                self.apply()?;
            }
            Key::SagFree => {}
            Key::Frame => self.orbit = Orbit::new(&self.subject.scene()?, self.subject.direction(), self.size),
            Key::Panel => self.panel = !self.panel,
        }
        Ok(())
    }

    pub fn restart(&mut self) -> Result<()> {
        self.let_go()?;
        self.subject.restart(&self.settings)?;
        (self.applied, self.made) = (self.settings, self.settings);
        (self.seconds, self.due) = (0.0, 0.0);
        Ok(())
    }

    /// What the panel or a key has changed takes effect.
    pub fn apply(&mut self) -> Result<()> {
        if self.settings.sag_free != self.applied.sag_free {
            return self.restart();
        }
        if self.settings != self.applied {
            self.subject.apply(&self.settings)?;
            self.applied = self.settings;
        }
        Ok(())
    }

    pub fn step(&mut self) -> Result<()> {
        let begin = Instant::now();
        self.subject.step()?;
        self.seconds += self.subject.dt();
        average(&mut self.times.step, begin.elapsed().as_secs_f64());
        Ok(())
    }

    /// So much real time has passed.
    pub fn advance(&mut self, seconds: f64) -> Result<()> {
        self.apply()?;
        if self.paused {
            self.due = 0.0;
            return Ok(());
        }
        let (dt, before) = (self.subject.dt(), self.seconds);
        self.due = (self.due + seconds).min(f64::from(STEPS) * dt);
        while self.due >= dt {
            self.due -= dt;
            self.step()?;
        }
        if seconds > 0.0 {
            average(&mut self.times.speed, (self.seconds - before) / seconds);
        }
        Ok(())
    }

    pub fn status(&self) -> String {
        let t = &self.times;
        let mut text = format!("{:.2} s   {}", self.seconds, self.subject.about());
        for (name, time) in [("step", t.step), ("drawing", t.draw), ("frame", t.frame)] {
            if time > 0.0 {
                text += &format!("   {name} {:.1} ms", 1e3 * time);
            }
        }
        if self.paused {
            text += "   paused";
        } else if t.speed > 0.0 && t.speed < 0.9 {
            text += &format!("   {:.1} of real time", t.speed);
        }
        if let Some(held) = &self.held {
            text += &format!("   holding {held}");
        }
        if !self.subject.note().is_empty() {
            text += &format!("   {}", self.subject.note());
        }
        text
    }
}

/// The distance along the ray at which it meets a mesh, if less than `limit`.
fn opaque(mesh: &Mesh, ray: &Ray, limit: f64) -> f64 {
    let at = |k: u32| Vec3::from(mesh.points[k as usize]).as_dvec3();
    let mut nearest = limit;
    for t in &mesh.triangles {
        let [a, b, c] = t.map(at);
        let (e1, e2) = (b - a, c - a);
        let p = ray.direction.cross(e2);
        let det = e1.dot(p);
        if det.abs() < 1e-300 {
            continue;
        }
        let s = ray.eye - a;
        let u = s.dot(p) / det;
        let q = s.cross(e1);
        let (v, depth) = (ray.direction.dot(q) / det, e2.dot(q) / det);
        if u >= 0.0 && v >= 0.0 && u + v <= 1.0 && depth > 0.0 && depth < nearest {
            nearest = depth;
        }
    }
    nearest
}
