//! Cables of a world: made, hauled in and paid out, read. What they do is in `bodies/cables.rs`.

use super::World;
use super::dynamics::rigid;
use crate::bodies::cables::{Cable, CableSpot, wrap};
use crate::desc::error::{Error, Result};
use crate::desc::slots::Id;
use crate::desc::validate;
use crate::math::{Transform, Vec3, approx};
use crate::rigid::{from, number};

/// Where a cable goes: fixed to a body, or to the world, where it is when the cable is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct CablePoint {
    pub body: Option<Id>,
    /// World space, m: the point, or the middle of the wheel.
    pub position: [f64; 3],
    /// Of a wheel: the cable goes around it by the right-hand rule.
    pub axis: [f64; 3],
    /// m; 0: a point, or an eye that the cable slides through.
    pub radius: f64,
}

#[derive(Clone, Debug)]
pub struct CableDesc {
    pub points: Vec<CablePoint>,
    /// m; 0: as long as its way is when it is made.
    pub length: f64,
    /// EA, N; 0: it does not stretch.
    pub stiffness: f64,
    /// The tension at which it breaks, N; infinite: never.
    pub break_force: f64,
}

impl Default for CableDesc {
    fn default() -> Self {
        CableDesc { points: Vec::new(), length: 0.0, stiffness: 0.0, break_force: f64::INFINITY }
    }
}

/// What a cable does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CableState {
    /// What is paid out: as long as it is when nothing pulls, m.
    pub length: f64,
    /// Its way, m: shorter than that where it hangs loose.
    pub path: f64,
    /// N, on average over the last step.
    pub tension: f64,
    pub broken: bool,
}

/// Points of a cable, and limits of its numbers, in SI.
pub const CABLE_POINTS: (usize, usize) = (2, 256);
pub const CABLE_RADIUS: (f64, f64) = (1e-6, 1e3);
pub const CABLE_LENGTH: (f64, f64) = (1e-6, 1e6);
const STIFFNESS: (f64, f64) = (1e-3, 1e15);
/// Points of a wheel in a drawing.
pub const WHEEL_POINTS: usize = 17;
/// Numbers of a cable in a saved state.
pub(super) const CABLE_STATE: usize = 5;

pub(super) fn state_of(c: &Cable) -> [f64; CABLE_STATE] {
    [c.from, c.to, c.impulse, c.tension, f64::from(u8::from(c.broken))]
}
pub(super) fn set_state(c: &mut Cable, [from, to, impulse, tension, broken]: [f64; CABLE_STATE]) {
    // A restored state may be anything.
    let length = |x: f64| if x.is_finite() { x.clamp(CABLE_LENGTH.0, CABLE_LENGTH.1) } else { CABLE_LENGTH.1 };
    let pull = |x: f64| if x.is_finite() { x.max(0.0) } else { 0.0 };
    (c.from, c.to, c.impulse, c.tension) = (length(from), length(to), pull(impulse), pull(tension));
    c.broken = broken != 0.0;
}

impl World {
    pub fn add_cable(&mut self, desc: &CableDesc) -> Result<Id> {
        let (least, most) = CABLE_POINTS;
        let n = desc.points.len();
        if !(least..=most).contains(&n) {
            return Err(Error::invalid(format!("points has {n} entries, a cable has {least} to {most}")));
        }
        let mut spots = Vec::with_capacity(n);
        for (k, p) in desc.points.iter().enumerate() {
            let named = |e: Error| Error::new(e.kind, format!("points[{k}].{}", e.message));
            validate::vector("position", None, p.position).map_err(named)?;
            if let Some(body) = p.body {
                self.dynamics.bodies.get(body).map_err(|e| named(Error::new(e.kind, format!("body: {}", e.message))))?;
            }
            let body = p.body.map_or(0, number);
            let place = self.place_of(body as u32);
            let mut axis = Vec3::zero();
            if p.radius != 0.0 {
                validate::within("radius", p.radius, CABLE_RADIUS).map_err(named)?;
                if k == 0 || k + 1 == n {
                    let radius = p.radius;
                    return Err(Error::invalid(format!(
                        "points[{k}].radius is {radius}: an end of a cable is a point, radius 0"
                    )));
                }
                validate::vector("axis", None, p.axis).map_err(named)?;
                axis = Vec3::from(p.axis);
                if axis.length() == 0.0 {
                    return Err(Error::invalid(format!("points[{k}].axis is 0: a wheel needs one")));
                }
                axis = place.rotation.conjugate().rotate(axis * (1.0 / axis.length()));
            }
            spots.push(CableSpot { body: body as u32, at: place.point_back(p.position.into()), axis, radius: p.radius });
        }
        if desc.stiffness != 0.0 {
            validate::within("stiffness", desc.stiffness, STIFFNESS)?;
        }
        if desc.break_force.is_nan() || desc.break_force <= 0.0 {
            return Err(Error::invalid(format!("break_force is {}, must be more than 0", desc.break_force)));
        }
        let mut cable = Cable::new(spots, desc.stiffness, desc.break_force);
        let length = if desc.length == 0.0 { self.trace_cable(&mut cable) } else { desc.length };
        if desc.length == 0.0 && length < CABLE_LENGTH.0 {
            return Err(Error::invalid(format!(
                "points lie in one place: the way of a cable without a length must be at least {} m",
                CABLE_LENGTH.0
            )));
        }
        validate::within("length", length, CABLE_LENGTH)?;
        (cable.from, cable.to) = (length, length);
        let id = self.cables.insert(cable)?;
        self.wake_cable(id)?;
        Ok(id)
    }
    pub fn remove_cable(&mut self, id: Id) -> Result<()> {
        self.wake_cable(id)?;
        self.cables.remove(id).map(drop)
    }
    /// How long the cable is at the end of the next step, m: during the step it is hauled in, or paid out.
    pub fn set_cable_length(&mut self, id: Id, length: f64) -> Result<()> {
        validate::within("length", length, CABLE_LENGTH)?;
        let cable = self.cables.get_mut(id)?;
        if cable.to != length {
            cable.to = length;
            self.wake_cable(id)?;
        }
        Ok(())
    }
    pub fn cable_state(&self, id: Id) -> Result<CableState> {
        let mut cable = self.cables.get(id)?.clone();
        let path = self.trace_cable(&mut cable);
        Ok(CableState { length: cable.to, path, tension: cable.tension, broken: cable.broken })
    }
    /// How many points a drawing of it has: always as many.
    pub fn cable_points(&self, id: Id) -> Result<usize> {
        let cable = self.cables.get(id)?;
        Ok(cable.spots.iter().map(|p| if p.radius > 0.0 { WHEEL_POINTS } else { 1 }).sum())
    }
    /// Its way, m.
    pub fn read_cable(&self, id: Id, mut put: impl FnMut(usize, [f64; 3])) -> Result<()> {
        let mut cable = self.cables.get(id)?.clone();
        self.trace_cable(&mut cable);
        let mut i = 0;
        let mut next = |x: Vec3<f64>| {
            put(i, x.to_array());
            i += 1;
        };
        for (p, [a, b]) in cable.spots.iter().zip(&cable.ends) {
            if p.radius == 0.0 {
                next(*a);
                continue;
            }
            let place = self.place_of(p.body);
            let (c, axis) = (place.point(p.at), place.rotation.rotate(p.axis));
            let (u, turn) = (*a - c, wrap(axis, *a - c, *b - c));
            let v = axis.cross(u);
            for k in 0..WHEEL_POINTS {
                let (sin, cos) = approx::sin_cos(turn * k as f64 / (WHEEL_POINTS - 1) as f64);
                next(c + u * cos + v * sin);
            }
        }
        Ok(())
    }

    fn place_of(&self, body: u32) -> Transform<f64> {
        if body == 0 { Transform::identity() } else { rigid!(ref self, r => from(r.place(body as usize))) }
    }
    fn trace_cable(&self, cable: &mut Cable) -> f64 {
        cable.trace(|body| self.place_of(body))
    }
    fn wake_cable(&mut self, id: Id) -> Result<()> {
        let spots = &self.cables.get(id)?.spots;
        rigid!(self, r => spots.iter().filter(|s| s.body > 0).for_each(|s| r.wake(s.body as usize)));
        Ok(())
    }
    /// Those that a body carries go with it.
    pub(super) fn drop_cables(&mut self, body: Id) -> Result<()> {
        let gone = number(body) as u32;
        let of: Vec<Id> = self.cables.iter().filter(|(_, c)| c.spots.iter().any(|s| s.body == gone)).map(|(id, _)| id).collect();
        of.into_iter().try_for_each(|cable| self.remove_cable(cable))
    }

    /// To the bodies' solver, for a step.
    pub(super) fn lend_cables(&mut self) {
        let cables = &mut self.cables;
        rigid!(self, r => {
            r.solver.cables.clear();
            r.solver.cables.extend(cables.iter_mut().map(|(_, c)| core::mem::take(c)));
        });
    }
    /// And back. `dt`: the step that is over; `None`: it was not done.
    pub(super) fn take_cables(&mut self, dt: Option<f64>) {
        let cables = &mut self.cables;
        rigid!(self, r => for ((_, to), mut cable) in cables.iter_mut().zip(r.solver.cables.drain(..)) {
            match dt {
                Some(dt) => cable.end_step(dt),
                None => cable.leave_step(),
            }
            *to = cable;
        });
    }
}
