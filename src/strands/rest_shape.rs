//! Strands of a world as `rods::der` takes them for rest shapes, statics and stability, in f64. What is found goes back in
//! `solved.rs`. Who asks: `world/optimize.rs`.

use super::settings::{Coupling, iterations};
use super::{Data, Rods};
use crate::desc::error::{Error, Result};
use crate::desc::*;
use crate::layout::{FORCE_ROWS, param, state};
use crate::math::{Elem, Vec3};
use crate::rods::der::kernels::Measure;
use crate::rods::der::strand::{Rest, Strands};
use crate::rods::group::Pin;
use crate::rods::material::{RestRow, StrandMaterial};
use crate::rods::models::FOLDED;

/// The length of the edge that stands for a clamped frame of ghost-point rods, over that of the edge beside it. Half an element
/// has the stiffness of an element between an edge and nothing.
pub(super) const PHANTOM: f64 = 1e-3;

impl Rods {
    /// Edges before the first and behind the last vertex that stand for clamped frames: those of ghost-point rods, and of attachments.
    pub(crate) fn phantoms(&self, strand: usize) -> [usize; 2] {
        let supports = [self.desc.root, self.desc.tip];
        [0, 1].map(|end| {
            let by_edge = self.desc.model.clamps_edge() && supports[end] == EndSupport::Clamped;
            usize::from(!by_edge && !self.gives.contains(&(strand as u32, end == 1)) && self.held_frame(end, strand).is_some())
        })
    }

    /// The host's force on a vertex, and its moment about the edge after it.
    fn load(&self, strand: usize, vertex: usize) -> (Vec3<f64>, f64) {
        let at = |k: usize| self.layout.index(strand, vertex, FORCE_ROWS, k);
        let get = |k: usize| match &self.data {
            Data::F32(b) if !b.forces.is_empty() => b.forces[at(k)].to_f64(),
            Data::F64(b) if !b.forces.is_empty() => b.forces[at(k)],
            _ => 0.0,
        };
        (Vec3::from([get(0), get(1), get(2)]), get(3))
    }

    pub(crate) fn rest_row(&self, strand: usize, v: usize) -> RestRow {
        self.material_of(strand).rest(v)
    }

    pub(crate) fn material_of(&self, strand: usize) -> StrandMaterial<'_> {
        self.material.strand(&self.desc, &self.layout, strand)
    }

    pub(super) fn is_double(&self) -> bool {
        matches!(self.data, Data::F64(_))
    }

    /// A strand in its present pose under gravity and the host's forces, with the rest shape of `of` and that stiffness. Ends that attachments hold count
    /// as held.
    pub(crate) fn elastic_strand(
        &self,
        strand: usize,
        world: &WorldDesc,
        of: &StrandMaterial<'_>,
        taken: &[[f64; 4]],
    ) -> Strands<f64> {
        let (gravity, substeps) = (Vec3::from(world.gravity), world.substeps);
        let n = self.layout.counts[strand] as usize;
        let [lead, trail] = self.phantoms(strand);
        let mut s = Strands::<f64>::new(n + lead + trail);
        s.measure = self.desc.model.statics().unwrap_or(Measure::Darboux);
        s.steps = self.holds_overshoot(world);
        if self.desc.order == SweepOrder::Direct {
            s.folded = FOLDED;
        }
        let clamped = |end: EndSupport| self.desc.model.clamps_edge() && end == EndSupport::Clamped;
        let tied =
            [false, true].map(|tip| (strand as u32, tip)).map(|end| self.ties.contains_key(&end) && !self.gives.contains(&end));
        for (v, &[ea, a, b, twist]) in taken.iter().enumerate() {
            let i = v + lead;
            let edge = v + 1 < n;
            if edge {
                s.state[i].edge = self.state3(strand, v + 1, state::X) - self.state3(strand, v, state::X);
                s.state[i].m1 = self.clamped_m1(strand, v, s.state[i].edge).unwrap_or(self.frame(strand, v).d1);
            }
            s.rest[i] = rest_of(of.rest(v), edge);
            let element = (v > 0 || lead > 0) && (v + 1 < n || trail > 0);
            let [half, whole] = halves(of, v, n, [lead, trail]);
            // An element has its compliance, whatever length a phantom adds.
            let [a, b, twist] = [a, b, twist].map(|k| if element { k * (whole / half) } else { 0.0 });
            let w = self.param(strand, v, param::W);
            let ghost = |v: usize| of.edge_masses(v)[1];
            let c = &mut s.section[i];
            c.ea = ea;
            // Curvatures bend towards an axis, Ψ about it.
            c.ei = if s.measure == Measure::Curvature { [b, a] } else { [a, b] };
            c.gj = twist;
            let shared = if v > 0 { ghost(v - 1) } else { 0.0 } + if edge { ghost(v) } else { 0.0 };
            c.mass = if w > 0.0 { of.mass(v) } else { 0.0 } + 0.5 * shared;
            let distance = self.param(strand, v, param::GHOST);
            c.inertia = if edge { ghost(v) * distance * distance } else { 1.0 };
            let held = w <= 0.0 || (v == 0 && tied[0]) || (v + 1 == n && tied[1]);
            let still = !edge || (v == 0 && clamped(self.desc.root)) || (v + 2 == n && clamped(self.desc.tip));
            c.free = [!held, !still].map(|free| f64::from(u8::from(free)));
            // What a step makes of it.
            let wind = Vec3::from(self.desc.wind) * (self.desc.drag / (1.0 + self.desc.drag * self.next_h(substeps)) * c.mass);
            let (force, moment) = self.load(strand, v);
            let (spring, turn) = self.spring_load(strand, v);
            (c.force, c.moment) = (gravity * c.mass + force + wind + spring, if edge { moment + turn } else { 0.0 });
        }
        for (end, i, beside) in [(0, 0, lead), (1, n + lead - 1, n + lead - 2)] {
            if [lead, trail][end] == 0 {
                continue;
            }
            let frame = self.held_frame(end, strand).expect("clamped");
            let short = PHANTOM * s.rest[beside].length;
            s.state[i].edge = frame.d3 * short;
            s.state[i].m1 = frame.d1;
            s.rest[i].length = short;
            s.section[i].free[1] = 0.0;
            if end == 0 {
                (s.section[0].mass, s.section[0].inertia) = (s.section[1].mass, s.section[1].inertia);
            } else {
                // The vertex beyond: held, of any mass.
                s.section[i].inertia = s.section[beside].inertia;
                s.section[i + 1].mass = s.section[i].mass;
            }
        }
        s.measure_twist();
        if self.desc.model.counts_turns() {
            for v in 1..n - 1 {
                let node = &mut s.state[v + lead];
                node.turns = ((self.state(strand, v, state::TWIST) - node.twist) / core::f64::consts::TAU).round();
            }
        }
        let held = |end: EndSupport, tip: usize| end != EndSupport::Free || tied[tip];
        let swings = held(self.desc.root, 0) && !held(self.desc.tip, 1) && !self.is_pinned(strand);
        s.swing = f64::from(u8::from(swings));
        s
    }

    /// Whether anything holds a strand.
    pub(super) fn is_held(&self, strand: usize) -> bool {
        let end = |(support, tip)| support != EndSupport::Free || self.ties.contains_key(&(strand as u32, tip));
        [(self.desc.root, false), (self.desc.tip, true)].into_iter().any(end) || self.is_pinned(strand)
    }

    /// Whether the host holds a vertex of it.
    fn is_pinned(&self, strand: usize) -> bool {
        !self.pins_of(strand).is_empty()
    }

    pub(crate) fn pins_of(&self, strand: usize) -> &[Pin] {
        let place = self.layout.places[strand];
        let below = |key: (u32, u32)| self.pins.partition_point(|p| (p.block, p.lane) < key);
        &self.pins[below((place.block, place.lane))..below((place.block, place.lane + 1))]
    }

    /// What holds the overshoot of substeps that leave out second derivatives of strains, over mass, s⁻²: those of ghost-point rods that Newton's
    /// method solves (`docs/internals/direct.md`, "Which poses a step holds"). 0: none.
    fn holds_overshoot(&self, world: &WorldDesc) -> f64 {
        if self.desc.model.is_exact() || self.desc.order != SweepOrder::Direct {
            return 0.0;
        }
        let h = self.next_h(world.substeps);
        // Beside bodies and anchors others' iterations count, too.
        let once = self.coupling() == Coupling::None && [false, true].iter().all(|&t| iterations(&self.desc, world, t) == 1);
        let kept = 1.0 / ((1.0 + h * self.desc.drag) * (1.0 + h * self.desc.damping));
        if once { 2.0 * (1.0 + kept) / (h * h) } else { 1.0 / (h * h) }
    }

    /// The rest shape that was given, with phantoms.
    pub(crate) fn given_rest(&self, strand: usize) -> Vec<Rest<f64>> {
        let (start, n) = (self.layout.starts[strand] as usize, self.layout.counts[strand] as usize);
        let [lead, trail] = self.phantoms(strand);
        let mut rest = vec![Rest { length: 1.0, kappa: [0.0; 4], twist: 0.0 }; n + lead + trail];
        for v in 0..n {
            rest[v + lead] = rest_of(self.material.given[start + v], v + 1 < n);
        }
        if lead > 0 {
            rest[0].length = PHANTOM * rest[1].length;
        }
        if trail > 0 {
            rest[n + lead - 1].length = PHANTOM * rest[n + lead - 2].length;
        }
        rest
    }

    pub(crate) fn needs_stiffness(&self) -> Result<()> {
        if self.desc.model.statics().is_none() {
            let (number, name) = (self.desc.model as u32, self.desc.model.name());
            return Err(Error::unsupported(format!("model is {number}: {name} have no statics and no rest shapes to find")));
        }
        match self.desc.stiffness {
            Stiffness::Physical { .. } => Ok(()),
            Stiffness::Alpha { .. } => Err(Error::invalid("stiffness is 1: alpha has no statics, only physical stiffness has")),
        }
    }
}

pub(super) fn rest_of((length, [a, b, c, d, twist]): RestRow, edge: bool) -> Rest<f64> {
    Rest { length: if edge { length } else { 1.0 }, kappa: [a, b, c, d], twist }
}

/// Half of the edges at vertex `v` of `n`, without phantoms and with them.
fn halves(of: &StrandMaterial<'_>, v: usize, n: usize, [lead, trail]: [usize; 2]) -> [f64; 2] {
    let length = |v: usize| of.rest(v).0;
    let (before, after) = (if v > 0 { length(v - 1) } else { 0.0 }, if v + 1 < n { length(v) } else { 0.0 });
    let phantom = match v {
        0 if lead > 0 => PHANTOM * length(0),
        _ if v + 1 == n && trail > 0 => PHANTOM * length(n - 2),
        _ => 0.0,
    };
    [0.5 * (before + after), 0.5 * (before + after + phantom)]
}
