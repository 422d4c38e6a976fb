//! Goals: where a host would have vertices, and how strongly they are drawn there.

use super::Rods;
use crate::desc::error::{Error, Result};
use crate::desc::validate;
use crate::layout::state;
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
    /// A rate is not 0.
    draw: bool,
}

impl Goals {
    /// What draws vertex `v` of strand `s`, `i` in the set, in a step of `dt`, N/kg: that of implicit Euler for the vertex alone, over the whole step, and so
    /// stable for any rate.
    pub fn pull(&self, rods: &Rods, (s, v, i): (usize, usize, usize), dt: f64) -> Vec3<f64> {
        let rate = self.rates[i];
        let (x, u) = (rods.state3(s, v, state::X), rods.state3(s, v, state::U));
        let (stiff, damp) = (rate * rate, 2.0 * self.damping * rate);
        ((self.targets[i] - x - u * dt) * stiff - u * damp) * (1.0 / (1.0 + damp * dt + stiff * dt * dt))
    }
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
        let targets = (0..vertices).map(|i| Vec3::from(targets(i))).collect();
        let rates: Vec<f64> = (0..vertices).map(rates).collect();
        let goals = Goals { targets, draw: rates.iter().any(|&rate| rate > 0.0), rates, damping };
        self.change_fields(|f| f.goals = Some(goals))
    }

    /// Whether goals draw any of them.
    pub(crate) fn are_drawn(&self) -> bool {
        self.fields.as_ref().and_then(|f| f.goals.as_ref()).is_some_and(|goals| goals.draw)
    }

    /// Nothing draws them any more.
    pub fn clear_goals(&mut self) -> Result<()> {
        self.drop_field(|f| f.goals = None)
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
