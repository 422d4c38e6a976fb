//! Rods that go elsewhere as a whole.

use super::{Rods, with};
use crate::desc::error::Result;
use crate::desc::{Pose, validate};
use crate::layout::{second, state, support};
use crate::math::{Elem, Quat, Vec3};
use crate::rods::group::BlockReport;

impl Rods {
    /// Takes the rods as a whole elsewhere: vertices, velocities, frames, and where roots, tips and pins are held. Multipliers, twists and
    /// scales are those of the rods themselves, and stay.
    pub fn carry(&mut self, transform: Pose) -> Result<()> {
        let Pose { position, rotation: [x, y, z, w] } = validate::pose("transform", None, transform)?;
        let turn = Quat { x, y, z, w };
        let place = |x: Vec3<f64>| (turn.rotate(x) + position.into()).to_array();
        let direction = |u: Vec3<f64>| turn.rotate(u).to_array();
        let far = |x: [f64; 3], name: &str, i: usize| validate::vector(name, Some(i), x);
        let mut all = Ok(());
        self.visit(0, |s, v, i| {
            if all.is_ok() {
                all = far(place(self.state3(s, v, state::X)), "transform: position", i);
            }
        });
        all?;
        self.rest.stir();
        for s in 0..self.strand_count() {
            for v in 0..self.layout.counts[s] as usize {
                for row in [state::X, state::GX] {
                    self.set_state3(s, v, row, place(self.state3(s, v, row)));
                }
                for row in [state::U, state::GU] {
                    self.set_state3(s, v, row, direction(self.state3(s, v, row)));
                }
                if self.second_rows() > 0 {
                    let rows = [0, 1, 2].map(|k| second::ACCEL + k);
                    let turned = direction(Vec3::from(rows.map(|row| self.second_number(s, v, row))));
                    rows.into_iter().zip(turned).for_each(|(row, c)| self.set_second(s, v, row, c));
                }
                // What colliders held it with is of the place that it leaves.
                self.forget_multipliers(s, v);
            }
            for end in 0..2 {
                if with!(&self.data, b => b.supports[end].is_empty()) {
                    continue;
                }
                for (of, rotation) in [(support::FROM, support::FROM_ROTATION), (support::TO, support::TO_ROTATION)] {
                    let i = |k: usize| self.layout.strand_index(s, support::ROWS, k);
                    let get = |k: usize| with!(&self.data, b => b.supports[end][i(k)].to_f64());
                    let at = place(Vec3::from([0, 1, 2].map(|k| get(of + k))));
                    let [x, y, z, w] = [0, 1, 2, 3].map(|k| get(rotation + k));
                    let turned = turn.compose(Quat { x, y, z, w }).to_array();
                    let numbers = at.into_iter().enumerate().map(|(k, c)| (of + k, c));
                    let numbers: Vec<(usize, f64)> = numbers
                        .chain(turned.into_iter().enumerate().map(|(k, c)| (rotation + k, c)))
                        .map(|(k, c)| (i(k), c))
                        .collect();
                    with!(&mut self.data, b => numbers.into_iter().for_each(|(i, c)| b.supports[end][i] = Elem::from_f64(c)));
                }
            }
        }
        self.changed(|c| (c.supports, c.pins) = (true, true));
        for pin in &mut self.pins {
            (pin.from, pin.to) = (place(pin.from.into()), place(pin.to.into()));
        }
        Ok(())
    }

    /// Disabled rods in a step: each strand goes with its root, or with its tip if that alone is held, as a rigid thing; where both are held and move apart, its
    /// other end comes to where it is held.
    pub(crate) fn follow_ends(&mut self) {
        if !self.is_driven() {
            return;
        }
        let held = [0, 1].map(|end| with!(&self.data, b => !b.supports[end].is_empty()));
        for s in 0..if held == [false; 2] { 0 } else { self.strand_count() } {
            let get = |end: usize, k: usize| {
                let i = self.layout.strand_index(s, support::ROWS, k);
                with!(&self.data, b => b.supports[end][i].to_f64())
            };
            let place = |end: usize, k: usize| Vec3::from([get(end, k), get(end, k + 1), get(end, k + 2)]);
            let turned =
                |end: usize, k: usize| Quat { x: get(end, k), y: get(end, k + 1), z: get(end, k + 2), w: get(end, k + 3) };
            let first = usize::from(!held[0]);
            let (from, to) = (place(first, support::FROM), place(first, support::TO));
            let turn = turned(first, support::TO_ROTATION).compose(turned(first, support::FROM_ROTATION).conjugate());
            let carried = |x: Vec3<f64>| turn.rotate(x - from) + to;
            let last = self.layout.counts[s] as usize - 1;
            let left = match held {
                [true, true] => place(1, support::TO) - carried(self.state3(s, last, state::X)),
                _ => Vec3::zero(),
            };
            for v in 0..=last {
                for (row, half) in [(state::X, 0.0), (state::GX, 0.5)] {
                    let along = ((v as f64 + half) / last as f64).min(1.0);
                    let x = carried(self.state3(s, v, row)) + left * along;
                    self.set_state3(s, v, row, x.to_array());
                }
            }
        }
        self.advance_supports();
    }

    /// The box that strands are in which are held at an end, and no more than twice as long as at rest: nobody has to look where they are. `None`: nothing holds them.
    #[cfg(feature = "gpu")]
    pub(crate) fn box_of_ends(&self) -> Option<crate::collide::Bounds<f64>> {
        let held = with!(&self.data, b => b.supports.each_ref().map(|s| !s.is_empty()));
        let end = held.into_iter().position(|h| h)?;
        let mut all: Option<crate::collide::Bounds<f64>> = None;
        for s in 0..self.strand_count() {
            let edges = self.layout.counts[s] as usize - 1;
            let reach = 2.0 * (0..edges).map(|v| self.param(s, v, crate::layout::param::LENGTH)).sum::<f64>();
            let reach = Vec3 { x: reach, y: reach, z: reach };
            for row in [support::FROM, support::TO] {
                let get = |k: usize| with!(&self.data, b => b.supports[end][self.layout.strand_index(s, support::ROWS, row + k)].to_f64());
                let x = Vec3::from([get(0), get(1), get(2)]);
                let around = crate::collide::Bounds { min: x - reach, max: x + reach };
                all = Some(all.map_or(around, |b| b.around(&around)));
            }
        }
        all
    }

    /// What is disabled pulls nothing, meets nothing, and begins anew.
    pub(crate) fn carry_nothing(&mut self) {
        self.reports.fill(BlockReport::default());
        for s in 0..self.strand_count() {
            for v in 0..self.layout.counts[s] as usize {
                self.set_state(s, v, state::LAMBDA_LENGTH, 0.0);
                self.set_state3(s, v, state::LAMBDA_BEND, [0.0; 3]);
            }
        }
    }

    /// [`Rods::set_pin`] for many, or none of them if one is wrong: `get` is called twice for each.
    pub fn set_pins(&mut self, count: usize, get: impl Fn(usize) -> (u32, Option<[f64; 3]>), teleport: bool) -> Result<()> {
        for i in 0..count {
            let (vertex, target) = get(i);
            if vertex as usize >= self.vertex_count() {
                let vertices = self.vertex_count();
                return Err(crate::desc::error::Error::invalid(format!("vertices[{i}] is {vertex}, the rods have {vertices}")));
            }
            target.map_or(Ok(()), |to| validate::vector("targets", Some(i), to))?;
        }
        (0..count).try_for_each(|i| {
            let (vertex, target) = get(i);
            self.set_pin(vertex, target, teleport)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::desc::*;
    use crate::math::{Quat, Vec3};
    use crate::tasks::Inline;
    use crate::world::{Id, World};

    /// A metre of hanging rope whose root the host moves, a vertex pinned aside where `pinned`; in f64 or f32.
    fn swing(model: RodModel, order: SweepOrder, integrator: Integrator, double_precision: bool) -> (World, Id) {
        let mut w = World::new(WorldDesc { double_precision, ..WorldDesc::default() }).unwrap();
        let positions = (0..21).map(|i| [0.05 * f64::from(i), 0.0, 0.01 * f64::from(i % 2)]).collect();
        let desc = RodsDesc {
            positions,
            counts: vec![21],
            radii: vec![5e-3],
            root: EndSupport::Clamped,
            model,
            order,
            integrator,
            ..RodsDesc::default()
        };
        let id = w.add_rods(desc).unwrap();
        w.rods_mut(id).unwrap().set_pin(15, Some([0.6, -0.1, 0.1]), false).unwrap();
        (w, id)
    }

    fn run(w: &mut World, n: usize) {
        (0..n).for_each(|_| w.step(1.0 / 60.0, &Inline).unwrap());
    }

    fn positions(w: &World, id: Id) -> Vec<[f64; 3]> {
        let mut all = Vec::new();
        w.rods(id).unwrap().read_positions(|_, x| all.push(x));
        all
    }

    /// About the direction of gravity nothing but the place is another: what was carried goes on as what was not.
    #[test]
    fn a_jump_changes_the_place_alone() {
        let turn = Quat { x: 0.0, y: 0.5f64.sin(), z: 0.0, w: 0.5f64.cos() };
        let transform = Pose { position: [10.0, 2.0, -3.0], rotation: turn.to_array() };
        let cases = [
            (RodModel::Ghost, SweepOrder::Direct, Integrator::First),
            (RodModel::Ghost, SweepOrder::Direct, Integrator::Second),
            (RodModel::Ghost, SweepOrder::RootToTip, Integrator::First),
            (RodModel::Der, SweepOrder::Direct, Integrator::Auto),
        ];
        for (model, order, integrator) in cases {
            for double in [true, false] {
                let (mut stays, id) = swing(model, order, integrator, double);
                run(&mut stays, 20);
                let mut state = vec![0; stays.save_state(&mut []).unwrap()];
                stays.save_state(&mut state).unwrap();
                let (mut jumps, other) = swing(model, order, integrator, double);
                jumps.restore_state(&state).unwrap();
                jumps.rods_mut(other).unwrap().carry(transform).unwrap();
                for _ in 0..3 {
                    let moved =
                        positions(&stays, id).into_iter().map(|x| turn.rotate(Vec3::from(x)) + Vec3::from(transform.position));
                    let off = moved.zip(positions(&jumps, other)).map(|(a, b)| (a - Vec3::from(b)).length()).fold(0.0, f64::max);
                    assert!(off < if double { 1e-7 } else { 3e-4 }, "{model:?} {order:?} {integrator:?} {double}: {off:e}");
                    run(&mut stays, 10);
                    run(&mut jumps, 10);
                }
                let (mut strain, mut speed) = (0.0f64, 0.0f64);
                let rods = jumps.rods(other).unwrap();
                rods.read_strain(|_, s| strain = strain.max(s.abs()));
                rods.read_velocities(|_, u| speed = speed.max(Vec3::from(u).length()));
                assert!(strain < 0.01 && speed < 5.0, "{strain} {speed}");
            }
        }
    }

    #[test]
    fn a_jump_out_of_the_range_changes_nothing() {
        let (mut w, id) = swing(RodModel::Ghost, SweepOrder::Direct, Integrator::Auto, false);
        let before = w.state_hash();
        let far = Pose { position: [999_999_999.9, 0.0, 0.0], ..Pose::IDENTITY };
        let message = w.rods_mut(id).unwrap().carry(far).unwrap_err().message;
        assert!(message.contains("transform"), "{message}");
        assert_eq!(w.state_hash(), before);
    }
}
