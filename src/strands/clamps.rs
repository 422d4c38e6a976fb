//! Where the host holds vertices, and the clamped ends of discrete elastic rods, rounded as
//! positions are.

use super::{Data, Rods, with};
use crate::desc::EndSupport;
use crate::layout::{param, state, support};
use crate::math::vec3::vec3;
use crate::math::{Elem, Vec3};
use crate::rods::ghost::kernels::edge_frame;
use crate::rods::group::Pin;
use crate::rods::newton::whole_steps;

/// What the direction of a clamped edge may be off by, in roundings: those of a host's quaternion.
const ROTATED: f64 = 8.0;

/// How far, over the length of its edge, a vertex may be from where it is held, for the pose to be one that stays.
const UNSEATED: f64 = 1e-5;
/// The same of an attached end: what sweeps, and nets of light anchors, leave of a gap is no pose that was written elsewhere.
const UNTIED: f64 = 1e-3;

/// Turns of a clamp that a host has made; less is what is rounded of a ghost point far from the origin.
const TURNED: f64 = 0.01;

impl Rods {
    /// The two vertices of a clamped end's edge: the one that the host holds, and the one that lies along the frame's tangent.
    fn clamped_edge(&self, end: usize, strand: usize) -> [usize; 2] {
        let n = self.layout.counts[strand] as usize;
        if end == 0 { [0, 1] } else { [n - 1, n - 2] }
    }

    /// m₁ of an edge that a clamp holds, where the clamp has it: the ghost point that carries the frame between two steps is rounded, which far from the
    /// origin turns it (by 0.2° at 100 m, 2 mm from its edge).
    pub(crate) fn clamped_m1(&self, strand: usize, v: usize, edge: Vec3<f64>) -> Option<Vec3<f64>> {
        let supports = [self.desc.root, self.desc.tip];
        let at = [0, self.layout.counts[strand] as usize - 2];
        let clamps = |end: &usize| self.desc.model.clamps_edge() && supports[*end] == EndSupport::Clamped && at[*end] == v;
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
    pub(crate) fn seat_clamps(&mut self) {
        (0..self.strand_count()).for_each(|s| self.seat_clamps_of(s));
    }

    pub(crate) fn seat_clamps_of(&mut self, strand: usize) {
        if !self.desc.model.clamps_edge() {
            return;
        }
        for (end, support) in [self.desc.root, self.desc.tip].into_iter().enumerate() {
            match self.data {
                _ if support != EndSupport::Clamped => {}
                Data::F32(_) => self.seat::<f32>(end, strand),
                Data::F64(_) => self.seat::<f64>(end, strand),
            }
            if support == EndSupport::Clamped {
                self.seat_frame(end, strand);
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
    fn seat<E: Elem>(&mut self, end: usize, strand: usize) {
        let [at, far] = self.clamped_edge(end, strand);
        let [x, y] = [at, far].map(|v| self.state3(strand, v, state::X));
        let next = |y: Vec3<f64>| y + self.way_of_clamp::<E>(end, strand, y);
        let farthest = [x, y].iter().flat_map(|p| p.to_array()).fold(0.0, |m: f64, c| m.max(c.abs()));
        let off = self.epsilon() * (4.0 * farthest + ROTATED * (x - y).length());
        let there = next(y);
        if (there - y).length() > off {
            return;
        }
        let after = next(there);
        let fro = next(after).to_array() == there.to_array() && after.to_array() < there.to_array();
        self.set_state3(strand, far, state::X, if fro { after } else { there }.to_array());
    }

    /// The frame of the clamped edge, which a rest shape is found with ([`Self::clamped_m1`]), where a host has turned the clamp since the last step: a step
    /// would turn it there along a straight line, and an element that bends with it (half a radian took a strand out of its rest by 3e-4 of its length).
    fn seat_frame(&mut self, end: usize, strand: usize) {
        let v = if end == 0 { 0 } else { self.layout.counts[strand] as usize - 2 };
        let [a, b, ghost] = [(v, state::X), (v + 1, state::X), (v, state::GX)].map(|(v, row)| self.state3(strand, v, row));
        let (edge, middle) = (b - a, (a + b) * 0.5);
        let Some(m1) = self.clamped_m1(strand, v, edge) else { return };
        if (edge_frame(edge, ghost - middle).d1 - m1).length() > TURNED {
            let ghost = middle + m1 * self.param(strand, v, param::GHOST);
            self.set_state3(strand, v, state::GX, ghost.to_array());
        }
    }

    /// Whether what is held of a strand is where it is held, and the next step leaves it: not in a pose that was written without the pins, the roots, the frames
    /// or the anchors that hold it. Where the host is about to take it does not matter: it goes there from where it is held.
    pub(crate) fn sits_where_held(&self, strand: usize) -> bool {
        let sits = |p: &Pin| self.sits(strand, p.vertex as usize, Vec3::from(p.from), UNSEATED);
        let tied = |tip: bool| self.anchors.get(&(strand as u32, tip));
        let hangs =
            |end: usize| tied(end == 1).is_none_or(|at| self.sits(strand, self.clamped_edge(end, strand)[0], *at, UNTIED));
        self.pins_of(strand).iter().all(sits) && (0..2).all(|end| self.sits_in_support(end, strand) && hangs(end))
    }

    fn sits_in_support(&self, end: usize, strand: usize) -> bool {
        let support = [self.desc.root, self.desc.tip][end];
        if support == EndSupport::Free {
            return true;
        }
        let [held, far] = self.clamped_edge(end, strand);
        let c = |k: usize| with!(&self.data, b => b.supports[end][self.layout.strand_index(strand, support::ROWS, k)].to_f64());
        let [x, y, z] = [0, 1, 2].map(|k| c(support::FROM + k));
        let here = self.sits(strand, held, vec3(x, y, z), UNSEATED);
        // An edge that both ends hold is where one of them has it.
        let shared = self.layout.counts[strand] < 4 && self.desc.root != EndSupport::Free && self.desc.tip != EndSupport::Free;
        if !here || shared || support != EndSupport::Clamped || !self.desc.model.clamps_edge() {
            return here;
        }
        let y = self.state3(strand, far, state::X);
        let way = match self.data {
            Data::F32(_) => self.way_of_clamp::<f32>(end, strand, y),
            Data::F64(_) => self.way_of_clamp::<f64>(end, strand, y),
        };
        self.sits(strand, far, y + way, UNSEATED)
    }

    /// Of the numbers that positions are.
    fn epsilon(&self) -> f64 {
        match self.data {
            Data::F32(_) => f32::EPSILON.into(),
            Data::F64(_) => f64::EPSILON,
        }
    }

    /// Whether a vertex is at a place, but for roundings and this part of its edge.
    fn sits(&self, strand: usize, v: usize, place: Vec3<f64>, part: f64) -> bool {
        let x = self.state3(strand, v, state::X);
        let edge = self.param(strand, v.min(self.layout.counts[strand] as usize - 2), param::LENGTH);
        let farthest = x.to_array().into_iter().chain(place.to_array()).fold(0.0, |m: f64, c| m.max(c.abs()));
        (place - x).length() <= part * edge + 8.0 * self.epsilon() * farthest
    }
}
