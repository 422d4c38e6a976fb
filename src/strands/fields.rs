//! What acts on vertices beside the host's forces: accelerations, air that is not the same everywhere, goals. Together with these forces they are the rows
//! that a step takes.

use super::Rods;
use super::goals::Goals;
use crate::desc::error::Result;
use crate::desc::validate;
use crate::layout::param;
use crate::math::Vec3;

#[derive(Debug)]
pub(crate) struct Fields {
    /// What the host puts on vertices, N; one a vertex.
    own: Vec<[f64; 3]>,
    /// m/s², and of the air, m/s; one a vertex, or none.
    accelerations: Vec<[f64; 3]>,
    winds: Vec<[f64; 3]>,
    pub goals: Option<Goals>,
    /// All of them, in the step under way.
    all: Vec<[f64; 3]>,
    /// The substep that they are of, s. 0: one of them has changed, or a mass or the drag.
    of: f64,
}

/// Of a vertex, in `Fields` and `Goals`.
const BYTES: usize = size_of::<[f64; 16]>();

impl Fields {
    /// All that the host has said, but for goals, beside which nothing sleeps.
    pub fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        [&self.own, &self.accelerations, &self.winds].into_iter().flat_map(|rows| rows.as_flattened()).copied()
    }
    fn is_empty(&self) -> bool {
        self.accelerations.is_empty() && self.winds.is_empty() && self.goals.is_none()
    }
}

impl Rods {
    /// An acceleration of every vertex, m/s², in all steps until it is set again. `get` is called twice for every vertex: to check, then to write.
    pub fn set_accelerations(&mut self, get: impl Fn(usize) -> [f64; 3]) -> Result<()> {
        let new = self.one_a_vertex("accelerations", get)?;
        match &self.fields {
            Some(f) if f.accelerations == new => Ok(()),
            _ => self.change_fields(|f| f.accelerations = new),
        }
    }
    pub fn clear_accelerations(&mut self) -> Result<()> {
        self.drop_field(|f| f.accelerations.clear())
    }

    /// The velocity of the air at every vertex, m/s, in place of the description's, in all steps until it is set again. `get` as in
    /// [`Self::set_accelerations`].
    pub fn set_winds(&mut self, get: impl Fn(usize) -> [f64; 3]) -> Result<()> {
        let new = self.one_a_vertex("winds", get)?;
        match &self.fields {
            Some(f) if f.winds == new => Ok(()),
            _ => self.change_fields(|f| f.winds = new),
        }
    }
    pub fn clear_winds(&mut self) -> Result<()> {
        self.drop_field(|f| f.winds.clear())
    }

    fn one_a_vertex(&self, name: &str, get: impl Fn(usize) -> [f64; 3]) -> Result<Vec<[f64; 3]>> {
        let vertices = self.vertex_count();
        (0..vertices).try_for_each(|i| validate::vector(name, Some(i), get(i)))?;
        validate::memory(vertices * BYTES, name)?;
        Ok((0..vertices).map(get).collect())
    }

    pub(super) fn change_fields(&mut self, change: impl FnOnce(&mut Fields)) -> Result<()> {
        if self.fields.is_none() {
            let own = self.own_forces();
            let all = own.clone();
            // Memory for the rows, before a step takes them.
            self.put_forces(|i| own[i])?;
            let (accelerations, winds) = (Vec::new(), Vec::new());
            self.fields = Some(Box::new(Fields { own, accelerations, winds, goals: None, all, of: 0.0 }));
        }
        if let Some(fields) = &mut self.fields {
            change(fields);
        }
        self.rest.stir();
        self.fields_are_stale();
        Ok(())
    }

    /// Takes a field away; after the last one, forces are the host's alone.
    pub(super) fn drop_field(&mut self, change: impl FnOnce(&mut Fields)) -> Result<()> {
        let Some(mut fields) = self.fields.take() else { return Ok(()) };
        change(&mut fields);
        self.rest.stir();
        if !fields.is_empty() {
            fields.of = 0.0;
            self.fields = Some(fields);
            return Ok(());
        }
        let own = fields.own;
        if own.iter().flatten().any(|&f| f != 0.0) {
            self.set_forces(|i| own[i])
        } else {
            self.clear_forces();
            Ok(())
        }
    }

    pub(super) fn set_own_forces(&mut self, mut get: impl FnMut(usize) -> [f64; 3]) -> Result<()> {
        self.change_fields(|f| f.own.iter_mut().enumerate().for_each(|(i, f)| *f = get(i)))
    }

    pub(super) fn fields_are_stale(&mut self) {
        if let Some(fields) = &mut self.fields {
            fields.of = 0.0;
        }
    }

    /// Before a step of `dt` in so many substeps.
    ///
    /// In a substep of h, drag d takes a velocity v to (v + h d w) / (1 + h d), and a force on a mass m adds h f / m to that. So the force that has the air
    /// move with w' in place of w is m d (w' − w) / (1 + h d).
    pub(crate) fn put_fields(&mut self, dt: f64, substeps: u32) -> Result<()> {
        let h = dt / f64::from(substeps);
        let Some(mut fields) = self.fields.take_if(|f| f.of != h || f.goals.is_some()) else { return Ok(()) };
        let mut all = core::mem::take(&mut fields.all);
        let (drag, wind) = (self.desc.drag / (1.0 + h * self.desc.drag), Vec3::from(self.desc.wind));
        self.visit(0, |s, v, i| {
            all[i] = fields.own[i];
            let w = self.param(s, v, param::W);
            if w <= 0.0 {
                return;
            }
            // Half of the mass of each edge beside it, which its ghost point has.
            let ghost = |edge: usize| match self.param(s, edge, param::WG) {
                w if w > 0.0 => 0.5 / w,
                _ => 0.0,
            };
            let last = self.layout.counts[s] as usize - 1;
            let mass = 1.0 / w + if v > 0 { ghost(v - 1) } else { 0.0 } + if v < last { ghost(v) } else { 0.0 };
            let mut force = Vec3::zero();
            if let Some(&a) = fields.accelerations.get(i) {
                force = force + a.into();
            }
            if let Some(&w) = fields.winds.get(i) {
                force = force + (Vec3::from(w) - wind) * drag;
            }
            if let Some(goals) = &fields.goals {
                force = force + goals.pull(self, (s, v, i), dt);
            }
            for (to, f) in all[i].iter_mut().zip((force * mass).to_array()) {
                // A pose that has gone wrong is told of elsewhere.
                *to = if f.is_finite() { (*to + f).clamp(-validate::LARGEST, validate::LARGEST) } else { *to };
            }
        });
        let result = self.put_forces(|i| all[i]);
        (fields.all, fields.of) = (all, h);
        self.fields = Some(fields);
        result
    }
}

#[cfg(test)]
mod tests {
    use crate::desc::*;
    use crate::tasks::Inline;
    use crate::world::{Id, World};

    const WIND: [f64; 3] = [3.0, 0.5, -1.0];

    /// A strand of 13 vertices that is held at its root, in air.
    fn strand(model: RodModel, order: SweepOrder, wind: [f64; 3], gravity: [f64; 3]) -> (World, Id) {
        let mut w = World::new(WorldDesc { double_precision: true, gravity, ..WorldDesc::default() }).unwrap();
        let positions = (0..13).map(|i| [0.02 * f64::from(i), 0.0, 0.0]).collect();
        let (root, radii) = (EndSupport::Clamped, vec![1e-3]);
        let desc = RodsDesc { positions, counts: vec![13], radii, root, model, order, wind, drag: 4.0, ..RodsDesc::default() };
        let id = w.add_rods(desc).unwrap();
        (w, id)
    }
    fn positions(w: &mut World, id: Id, steps: usize) -> Vec<[f64; 3]> {
        (0..steps).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
        let mut all = Vec::new();
        w.rods(id).unwrap().read_positions(|_, x| all.push(x));
        all
    }
    fn largest_difference(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
        a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    const DOWN: [f64; 3] = [0.0, -9.81, 0.0];
    const MODELS: [(RodModel, SweepOrder); 2] = [(RodModel::Ghost, SweepOrder::Direct), (RodModel::Der, SweepOrder::Direct)];

    /// The same wind at every vertex is the wind of the description, and one that is set meanwhile, and a drag.
    #[test]
    fn a_wind_of_each_vertex_is_a_wind() {
        for (model, order) in MODELS {
            let (mut one, a) = strand(model, order, WIND, DOWN);
            let (mut each, b) = strand(model, order, [0.1, 0.0, 0.0], DOWN);
            each.rods_mut(b).unwrap().set_winds(|_| WIND).unwrap();
            assert!(largest_difference(&positions(&mut one, a, 30), &positions(&mut each, b, 30)) < 1e-9, "{model:?}");
            one.rods_mut(a).unwrap().set_motion(0.0, 7.0, WIND, 0.5).unwrap();
            each.rods_mut(b).unwrap().set_motion(0.0, 7.0, [0.0; 3], 0.5).unwrap();
            assert!(largest_difference(&positions(&mut one, a, 30), &positions(&mut each, b, 30)) < 1e-9, "{model:?}");
            one.rods_mut(a).unwrap().set_motion(0.0, 7.0, [0.0; 3], 0.5).unwrap();
            each.rods_mut(b).unwrap().clear_winds().unwrap();
            assert!(largest_difference(&positions(&mut one, a, 30), &positions(&mut each, b, 30)) < 1e-9, "{model:?}");
        }
    }

    /// The same acceleration of every vertex is gravity, also after the rods have become heavier.
    #[test]
    fn an_acceleration_of_each_vertex_is_gravity() {
        for (model, order) in MODELS {
            let (mut one, a) = strand(model, order, [0.0; 3], DOWN);
            let (mut each, b) = strand(model, order, [0.0; 3], [0.0; 3]);
            each.rods_mut(b).unwrap().set_accelerations(|_| DOWN).unwrap();
            assert!(largest_difference(&positions(&mut one, a, 30), &positions(&mut each, b, 30)) < 1e-9, "{model:?}");
            for (w, id) in [(&mut one, a), (&mut each, b)] {
                w.rods_mut(id).unwrap().set_radii(|_| 2e-3).unwrap();
            }
            assert!(largest_difference(&positions(&mut one, a, 30), &positions(&mut each, b, 30)) < 1e-9, "{model:?}");
        }
    }

    #[test]
    fn fields_that_are_wrong_are_named() {
        let (mut w, id) = strand(RodModel::Ghost, SweepOrder::Direct, WIND, DOWN);
        let rods = w.rods_mut(id).unwrap();
        let bad = |i: usize| if i == 4 { [0.0, f64::NAN, 0.0] } else { [0.0; 3] };
        assert!(rods.set_winds(bad).unwrap_err().message.contains("winds[4]"));
        assert!(rods.set_accelerations(bad).unwrap_err().message.contains("accelerations[4]"));
    }
}
