//! Edges that are cut: by the host, or because they bore more than they can. A cut edge holds nothing together and collides with nothing; its vertices
//! stay what they were. The strand keeps its number and its vertices, so that whatever was bound to them goes on.

use super::Rods;
use crate::desc::SweepOrder;
use crate::desc::error::{Error, Result};
use crate::desc::validate;
use crate::layout::state;

/// Tensions at which edges break, N.
const BREAK_FORCE: [f64; 2] = [1e-12, f64::INFINITY];

/// What a set of rods knows about its cuts beside the material.
#[derive(Debug, Default)]
pub struct Cuts {
    /// Of the strand that has most of them.
    pub most: u32,
    /// Counted up with every change: who lists the parts of strands looks at it.
    pub changes: u32,
    /// The tension that an edge bears, N: of none, one for all, or one an edge.
    bears: Vec<f64>,
}

impl Rods {
    fn can_be_cut(&self) -> Result<()> {
        if self.gpu.is_some() {
            return Err(Error::unsupported("edges of rods on the gpu backend cannot be cut"));
        }
        if self.order() != SweepOrder::Direct {
            return Err(Error::unsupported("the rods are solved by sweeps: only edges of rods with order direct can be cut"));
        }
        Ok(())
    }

    /// The strand of an edge, and its number there.
    fn edge_at(&self, edge: usize) -> Option<(usize, usize)> {
        let first = |s: usize| self.layout.starts[s] as usize - s;
        let (mut low, mut high) = (0, self.strand_count());
        if edge >= self.edge_count() {
            return None;
        }
        // The last strand that begins at or before it.
        while high - low > 1 {
            let middle = (low + high) / 2;
            if first(middle) <= edge { low = middle } else { high = middle }
        }
        Some((low, edge - first(low)))
    }

    /// Cuts an edge, or makes it whole again, which pulls its ends together.
    pub fn set_cut(&mut self, edge: usize, cut: bool) -> Result<()> {
        self.can_be_cut()?;
        let Some((strand, v)) = self.edge_at(edge) else {
            return Err(Error::invalid(format!("edge is {edge}, the rods have {}", self.edge_count())));
        };
        let of = self.material_of(strand);
        if of.is_held(v) && of.is_held(v + 1) {
            return Err(Error::invalid(format!("edge is {edge}: a clamp holds both of its ends")));
        }
        self.put_cut(strand, v, cut);
        Ok(())
    }

    fn put_cut(&mut self, strand: usize, v: usize, cut: bool) {
        let name = self.layout.starts[strand] + v as u32;
        let cuts = &mut self.material.cuts;
        match (cuts.binary_search(&name), cut) {
            (Err(at), true) => cuts.insert(at, name),
            (Ok(at), false) => drop(cuts.remove(at)),
            _ => return,
        }
        // What a Newton step remembers of it.
        self.set_state(strand, v, state::LAMBDA_LENGTH, 0.0);
        self.set_state3(strand, v, state::LAMBDA_BEND, [0.0; 3]);
        self.set_state3(strand, v + 1, state::LAMBDA_BEND, [0.0; 3]);
        // The accelerations that its ends carry have in them what it pulled with.
        self.begins_anew(strand);
        self.cuts_changed();
        self.compile_strand(strand);
        // Its parts are not at rest.
        self.rest.stir();
    }

    fn cuts_changed(&mut self) {
        let of = |s: usize| self.cuts_of(s).len() as u32;
        self.cuts.most = (0..self.strand_count()).map(of).max().unwrap_or(0);
        self.cuts.changes = self.cuts.changes.wrapping_add(1);
    }

    /// The cut edges of a strand, by their first vertices, counted through the set.
    pub(crate) fn cuts_of(&self, strand: usize) -> &[u32] {
        let at = |s: usize| self.material.cuts.partition_point(|&v| v < self.layout.starts[s]);
        &self.material.cuts[at(strand)..at(strand + 1)]
    }

    /// Edges that are cut, counted through the set, in order.
    pub fn cuts(&self) -> impl ExactSizeIterator<Item = u32> {
        let edge = |&v: &u32| v - (self.layout.starts.partition_point(|&s| s <= v) as u32 - 1);
        self.material.cuts.iter().map(edge)
    }

    /// Edges by their first vertices, as a state has them; what is none is left out.
    pub(crate) fn restore_cuts(&mut self, mut names: Vec<u32>) {
        names.retain(|&v| self.layout.locate(v as usize).is_some_and(|(s, local)| local as u32 + 1 < self.layout.counts[s]));
        names.sort_unstable();
        names.dedup();
        if names == self.material.cuts {
            return;
        }
        let before = self.material.cuts.clone();
        // In the same memory, which has room for what breaks in a step.
        self.material.cuts.clear();
        self.material.cuts.extend(names);
        for s in 0..self.strand_count() {
            let span = self.layout.starts[s]..self.layout.starts[s + 1];
            let had = before.iter().filter(|&v| span.contains(v));
            if !had.eq(self.cuts_of(s)) {
                self.compile_strand(s);
            }
        }
        self.cuts_changed();
    }

    /// The tension, N, at which edges break: of all, or of each; none: never. `get` is called twice for every edge.
    pub fn set_break_force(&mut self, count: usize, get: impl Fn(usize) -> f64) -> Result<()> {
        self.can_be_cut()?;
        if ![0, 1, self.edge_count()].contains(&count) {
            return Err(Error::invalid(format!("break_force has {count} numbers, must have 1 or {}", self.edge_count())));
        }
        for k in 0..count {
            let [low, high] = BREAK_FORCE;
            if !(low..=high).contains(&get(k)) {
                validate::between(&format!("break_force[{k}]"), get(k), low, high)?;
            }
        }
        self.cuts.bears = (0..count).map(get).collect();
        // Room for all, so that a step does not allocate.
        let room = if count == 0 { 0 } else { self.edge_count() };
        self.material.cuts.reserve(room.saturating_sub(self.material.cuts.len()));
        Ok(())
    }

    /// After a step: of each part of a strand, the edge that bore most of what it can, and more, is cut. The others are relieved by that.
    pub(crate) fn break_edges(&mut self) {
        if self.cuts.bears.is_empty() || self.last_h == 0.0 {
            return;
        }
        let per_h2 = 1.0 / (self.last_h * self.last_h);
        let mut edge = 0;
        for strand in 0..self.strand_count() {
            let mut worst = (1.0, None);
            for v in 0..self.layout.counts[strand] as usize {
                let ends = v + 1 == self.layout.counts[strand] as usize;
                if ends || self.material_of(strand).is_cut(v) {
                    if let (_, Some(at)) = core::mem::replace(&mut worst, (1.0, None)) {
                        self.put_cut(strand, at, true);
                    }
                } else {
                    let bears = *self.cuts.bears.get(edge).unwrap_or(&self.cuts.bears[0]);
                    let part = -self.state(strand, v, state::LAMBDA_LENGTH) * per_h2 / bears;
                    let of = self.material_of(strand);
                    if part > worst.0 && !(of.is_held(v) && of.is_held(v + 1)) {
                        worst = (part, Some(v));
                    }
                }
                edge += usize::from(!ends);
            }
        }
    }
}
