//! Goals: where a host would have vertices, and how strongly they are drawn there.

use super::{Rods, with};
use crate::desc::error::{Error, Result};
use crate::desc::validate;
use crate::layout::{param, state};
use crate::math::Vec3;

/// The fastest swing about a goal, rad/s, and the most damping of it.
const FASTEST: f64 = 1e4;
const DAMPED: f64 = 100.0;

#[derive(Debug)]
pub(crate) struct Goals {
    /// m, one a vertex.
    targets: Vec<Vec3<f64>>,
    /// Angular frequency, rad/s, with which a vertex alone would swing about its target; one a vertex.
    rates: Vec<f64>,
    /// Of that swing; 1 is critical.
    damping: f64,
    /// What the host puts on vertices beside, N; one a vertex.
    pub own: Vec<[f64; 3]>,
    /// Both, in the step under way.
    all: Vec<[f64; 3]>,
}

impl Rods {
    /// Vertices are drawn to goals, in all steps until these are set again. `targets` and `rates` are called twice for every vertex: to check, then to
    /// write.
    pub fn set_goals(&mut self, targets: impl Fn(usize) -> [f64; 3], rates: impl Fn(usize) -> f64, damping: f64) -> Result<()> {
        if self.gpu.is_some() {
            return Err(Error::unsupported("the gpu backend has no goals"));
        }
        let vertices = self.vertex_count();
        for i in 0..vertices {
            validate::vector("targets", Some(i), targets(i))?;
            match rates(i) {
                rate if (0.0..=FASTEST).contains(&rate) => {}
                rate => validate::between(&format!("rates[{i}]"), rate, 0.0, FASTEST)?,
            }
        }
        validate::between("damping", damping, 0.0, DAMPED)?;
        validate::memory(vertices * size_of::<[f64; 10]>(), "goals")?;
        let own = self.goals.take().map_or_else(|| self.forces(), |g| g.own);
        let targets = (0..vertices).map(|i| Vec3::from(targets(i))).collect();
        self.goals = Some(Goals { targets, rates: (0..vertices).map(rates).collect(), damping, all: own.clone(), own });
        self.rest.stir();
        Ok(())
    }

    /// Nothing draws them any more.
    pub fn clear_goals(&mut self) -> Result<()> {
        match self.goals.take() {
            Some(Goals { own, .. }) if own.iter().flatten().any(|&f| f != 0.0) => self.set_forces(|i| own[i]),
            Some(_) => {
                self.clear_forces();
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The forces of the goals in a step of `dt`. They are those of implicit Euler for the vertex alone, over the whole step, and so stable for any rate.
    pub(crate) fn draw_to_goals(&mut self, dt: f64) -> Result<()> {
        let Some(mut goals) = self.goals.take() else { return Ok(()) };
        let mut forces = core::mem::take(&mut goals.all);
        forces.copy_from_slice(&goals.own);
        self.visit(0, |s, v, i| {
            let (rate, w) = (goals.rates[i], self.param(s, v, param::W));
            if rate > 0.0 && w > 0.0 {
                let (x, u) = (self.state3(s, v, state::X), self.state3(s, v, state::U));
                let (stiff, damp) = (rate * rate, 2.0 * goals.damping * rate);
                let pull = (goals.targets[i] - x - u * dt) * stiff - u * damp;
                // Half of the mass of each edge beside it, which its ghost point has.
                let ghost = |e: usize| match self.param(s, e, param::WG) {
                    w if w > 0.0 => 0.5 / w,
                    _ => 0.0,
                };
                let last = self.layout.counts[s] as usize - 1;
                let mass = 1.0 / w + if v > 0 { ghost(v - 1) } else { 0.0 } + if v < last { ghost(v) } else { 0.0 };
                let force = pull * (mass / (1.0 + damp * dt + stiff * dt * dt));
                for (to, f) in forces[i].iter_mut().zip(force.to_array()) {
                    *to = (*to + f).clamp(-validate::LARGEST, validate::LARGEST);
                }
            }
        });
        // A pose that has gone wrong is told of elsewhere.
        let result = self.set_forces(|i| forces[i].map(|f| if f.is_finite() { f } else { 0.0 }));
        goals.all = forces;
        self.goals = Some(goals);
        result
    }

    fn forces(&self) -> Vec<[f64; 3]> {
        let mut all = vec![[0.0; 3]; self.vertex_count()];
        let rows = crate::layout::FORCE_ROWS;
        self.visit(0, |s, v, i| {
            with!(&self.data, b => if !b.forces.is_empty() {
                for (k, f) in all[i].iter_mut().enumerate() {
                    *f = crate::math::Elem::to_f64(b.forces[self.layout.index(s, v, rows, k)]);
                }
            });
        });
        all
    }
}

#[cfg(test)]
mod tests {
    use crate::desc::*;
    use crate::tasks::Inline;
    use crate::world::{Id, World};

    fn hair(positions: Vec<[f64; 3]>) -> (World, Id) {
        let mut w = World::new(WorldDesc::default()).unwrap();
        let counts = vec![positions.len() as u32];
        let desc = RodsDesc { positions, counts, radii: vec![2e-4], root: EndSupport::Clamped, ..RodsDesc::default() };
        let id = w.add_rods(desc).unwrap();
        (w, id)
    }

    fn line() -> Vec<[f64; 3]> {
        (0..13).map(|i| [0.02 * f64::from(i), 0.0, 0.0]).collect()
    }

    /// How far the lowest vertex is below its goal after `n` steps.
    fn run(w: &mut World, id: Id, n: usize, dt: f64) -> f64 {
        (0..n).for_each(|_| w.step(dt, &Inline).unwrap());
        let mut off = 0.0f64;
        w.rods(id).unwrap().read_positions(|_, x| off = off.max(-x[1]));
        off
    }

    /// Soft hair that would hang is held where it is drawn, the better the stronger; a vertex alone is off by g (1/ω² + 2 ζ dt/ω + dt²).
    #[test]
    fn hair_is_drawn_to_its_goals() {
        let off = |rate: f64, dt: f64| {
            let (mut w, id) = hair(line());
            let line = line();
            w.rods_mut(id).unwrap().set_goals(|i| line[i], |_| rate, 1.0).unwrap();
            run(&mut w, id, (3.0 / dt) as usize, dt)
        };
        assert!(off(0.0, 1.0 / 60.0) > 0.1);
        for dt in [1.0 / 240.0, 1.0 / 60.0, 1.0 / 24.0] {
            for rate in [20.0, 30.0, 100.0, 1e4] {
                let (free, found) = (9.81 * (1.0 / (rate * rate) + 2.0 * dt / rate + dt * dt), off(rate, dt));
                assert!(found < 1.1 * free, "{rate} rad/s, {dt} s: {found} of {free}");
            }
        }
    }

    #[test]
    fn forces_of_the_host_stay_beside_goals() {
        let (mut w, id) = hair(line());
        let up = |w: &mut World| w.rods_mut(id).unwrap().set_forces(|i| [0.0, if i == 12 { 1e-3 } else { 0.0 }, 0.0]).unwrap();
        let tip = |w: &World| {
            let mut tip = 0.0;
            w.rods(id).unwrap().read_positions(|_, x| tip = x[1]);
            tip
        };
        up(&mut w);
        run(&mut w, id, 120, 1.0 / 60.0);
        let alone = tip(&w);
        let (mut other, _) = hair(line());
        up(&mut other);
        other.rods_mut(id).unwrap().set_goals(|_| [0.0; 3], |_| 0.0, 1.0).unwrap();
        run(&mut other, id, 60, 1.0 / 60.0);
        up(&mut other);
        run(&mut other, id, 59, 1.0 / 60.0);
        other.rods_mut(id).unwrap().clear_goals().unwrap();
        run(&mut other, id, 1, 1.0 / 60.0);
        assert_eq!(tip(&other), alone);
        let mut rods = other;
        let message = |w: &mut World, rate: f64, damping: f64| {
            w.rods_mut(id).unwrap().set_goals(|_| [0.0; 3], |_| rate, damping).unwrap_err().message
        };
        assert!(message(&mut rods, -1.0, 1.0).contains("rates[0]"));
        assert!(message(&mut rods, 1.0, f64::NAN).contains("damping"));
    }
}
