//! Where clamped ends of discrete elastic rods are held, in the numbers that positions are.

use super::desc::{EndSupport, RodModel};
use super::rods::{Data, Rods};
use crate::layout::{param, state};
use crate::math::{Elem, Vec3};
use crate::rods::newton::whole_steps;

/// What the direction of a clamped edge may be off by, in roundings: those of a host's quaternion.
const ROTATED: f64 = 8.0;

/// How far, over the length of its edge, the second vertex of a clamped end may be from where the clamp holds it, for the pose to be one that stays.
const UNSEATED: f64 = 1e-5;

impl Rods {
    /// The two vertices of a clamped end's edge: the one that the host holds, and the one that lies along the frame's tangent.
    fn clamped_edge(&self, end: usize, strand: usize) -> [usize; 2] {
        let n = self.layout.counts[strand] as usize;
        if end == 0 { [0, 1] } else { [n - 1, n - 2] }
    }

    /// m₁ of an edge that a clamp holds, where the clamp has it: the ghost point that carries the frame between two steps is rounded, which far from the
    /// origin turns it (by 0.2° at 100 m, 2 mm from its edge).
    pub(super) fn clamped_m1(&self, strand: usize, v: usize, edge: Vec3<f64>) -> Option<Vec3<f64>> {
        let supports = [self.desc.root, self.desc.tip];
        let at = [0, self.layout.counts[strand] as usize - 2];
        let clamps = |end: &usize| self.desc.model == RodModel::Der && supports[*end] == EndSupport::Clamped && at[*end] == v;
        let frame = self.held_frame((0..2).find(clamps)?, strand)?;
        let (l2, along) = (edge.length2(), edge.dot(frame.d3));
        // An edge that is elsewhere has not come there yet.
        if along * along < 0.99 * l2 || along <= 0.0 {
            return None;
        }
        let across = frame.d1 - edge * (edge.dot(frame.d1) / l2);
        Some(across * (1.0 / across.length()))
    }

    /// Clamps hold the second vertices of strands where a frame and a rest length put them, which the rounding of a pose has not. Where no more than
    /// that is between, they go there, before a rest shape is found for a pose that no step would leave as it is.
    pub(super) fn seat_clamps(&mut self) {
        (0..self.strand_count()).for_each(|s| self.seat_clamps_of(s));
    }

    pub(super) fn seat_clamps_of(&mut self, strand: usize) {
        if self.desc.model != RodModel::Der {
            return;
        }
        for (end, support) in [self.desc.root, self.desc.tip].into_iter().enumerate() {
            match self.data {
                _ if support != EndSupport::Clamped => {}
                Data::F32(_) => self.seat::<f32>(end, strand, f32::EPSILON.into()),
                Data::F64(_) => self.seat::<f64>(end, strand, f64::EPSILON),
            }
        }
    }

    /// How far the second vertex of a clamped end's edge, at `y`, is from where the next step would take it while the host holds still, in numbers of `E`.
    fn way_of_clamp<E: Elem>(&self, end: usize, strand: usize, y: Vec3<f64>) -> Vec3<f64> {
        let [at, far] = self.clamped_edge(end, strand);
        let frame = self.held_frame(end, strand).expect("clamped");
        let length = self.param(strand, at.min(far), param::LENGTH);
        let along = frame.d3 * if end == 0 { length } else { -length };
        let [from, to, edge] = [self.state3(strand, at, state::X), y, along].map(|v| v.map(E::from_f64));
        whole_steps(to, (from - to) + edge).map(E::to_f64)
    }

    /// The second vertex goes there, if that is not far. Where roundings take it to and fro between two places, to one of them, the same from both.
    fn seat<E: Elem>(&mut self, end: usize, strand: usize, epsilon: f64) {
        let [at, far] = self.clamped_edge(end, strand);
        let [x, y] = [at, far].map(|v| self.state3(strand, v, state::X));
        let next = |y: Vec3<f64>| y + self.way_of_clamp::<E>(end, strand, y);
        let farthest = [x, y].iter().flat_map(|p| p.to_array()).fold(0.0, |m: f64, c| m.max(c.abs()));
        let off = epsilon * (4.0 * farthest + ROTATED * (x - y).length());
        let there = next(y);
        if (there - y).length() > off {
            return;
        }
        let after = next(there);
        let fro = next(after).to_array() == there.to_array() && after.to_array() < there.to_array();
        self.set_state3(strand, far, state::X, if fro { after } else { there }.to_array());
    }

    /// Whether the clamped ends of a strand are where the next step leaves them: not those of a pose that was written without the frame that holds it,
    /// nor of an edge of another length than its rest length.
    pub(super) fn sits_in_clamps(&self, strand: usize) -> bool {
        let clamped =
            |end: &usize| self.desc.model == RodModel::Der && [self.desc.root, self.desc.tip][*end] == EndSupport::Clamped;
        (0..2).filter(clamped).all(|end| {
            let [x, y] = self.clamped_edge(end, strand).map(|v| self.state3(strand, v, state::X));
            let (way, epsilon) = match self.data {
                Data::F32(_) => (self.way_of_clamp::<f32>(end, strand, y), f64::from(f32::EPSILON)),
                Data::F64(_) => (self.way_of_clamp::<f64>(end, strand, y), f64::EPSILON),
            };
            let farthest = [x, y].iter().flat_map(|p| p.to_array()).fold(0.0, |m: f64, c| m.max(c.abs()));
            way.length() <= UNSEATED * (x - y).length() + 8.0 * epsilon * farthest
        })
    }
}
