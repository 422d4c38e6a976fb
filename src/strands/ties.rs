//! What strands know of the anchors that attachments tie their ends to: the rows of [`crate::layout::tie`].

use super::{Rods, with};
use crate::desc::SweepOrder;
use crate::layout::{Aligned, state, tie};
use crate::math::{Elem, Quat, Sym3, Vec3};
use crate::rods::ghost::kernels::EdgeFrame;

/// What strands know of their anchors (`layout::tie`).
impl Rods {
    /// Memory for what attachments hold roots or tips by, where Newton's method solves them.
    pub(crate) fn own_ties(&mut self, tip: bool) {
        if self.desc.order == SweepOrder::Direct {
            self.own_scratch();
            let (len, spare) = (self.layout.lanes * tie::ROWS, self.layout.cells * 4);
            with!(&mut self.data, b => {
                if b.spare.is_empty() {
                    b.spare = Aligned::zeroed(spare);
                }
                let rows = &mut b.ties[usize::from(tip)];
                if rows.is_empty() {
                    *rows = Aligned::zeroed(len);
                }
            });
        }
    }
    fn set_tie(&mut self, strand: usize, tip: bool, field: usize, values: &[f64]) {
        let (i, w) = (self.layout.strand_index(strand, tie::ROWS, field), self.row(strand));
        with!(&mut self.data, b => {
            for (k, &v) in values.iter().enumerate() {
                b.ties[usize::from(tip)][i + k * w] = Elem::from_f64(v);
            }
        });
    }
    /// Ψ̄ of the half element between an anchor and the end edge of a strand.
    pub(crate) fn half_rest(&self, strand: usize, tip: bool) -> Vec3<f64> {
        let end = if tip { self.layout.counts[strand] as usize - 1 } else { 0 };
        self.desc.model.darboux_of(self.rest_row(strand, end).1)
    }
    /// The force that an anchor which is solved apart gives an end.
    pub(crate) fn set_tie_load(&mut self, strand: usize, tip: bool, f: Vec3<f64>) {
        self.set_tie(strand, tip, tie::LOOSE, &[1.0, f.x, f.y, f.z]);
    }
    /// [`tie::RESPONSE`] of a strand's root, 0, or tip, 1, or [`tie::ACROSS`], 2.
    pub(crate) fn tie_response(&self, strand: usize, part: usize) -> [f64; 36] {
        let field = if part < 2 { tie::RESPONSE } else { tie::ACROSS };
        let (i, w) = (self.layout.strand_index(strand, tie::ROWS, field), self.row(strand));
        with!(&self.data, b => {
            let rows = &b.ties[part.min(1)];
            core::array::from_fn(|k| rows.get(i + k * w).map_or(0.0, |v| v.to_f64()))
        })
    }
    /// Nothing holds that end any more, and the next clamp begins without turns.
    pub(crate) fn clear_tie(&mut self, strand: usize, tip: bool) {
        if self.desc.model.counts_turns() {
            let end = if tip { self.layout.counts[strand] as usize - 1 } else { 0 };
            self.set_state(strand, end, state::TWIST, 0.0);
        }
        if with!(&self.data, b => !b.ties[usize::from(tip)].is_empty()) {
            self.set_tie(strand, tip, 0, &[0.0; tie::ROWS]);
        }
    }
    /// Where an end is drawn to, m from where it is when the substep begins, by what mass; `still`: it goes there.
    pub(crate) fn set_tie_place(&mut self, strand: usize, tip: bool, at: Vec3<f64>, m: Sym3<f64>, still: bool) {
        let still = f64::from(u8::from(still));
        self.set_tie(strand, tip, tie::AT, &[at.x, at.y, at.z, m.xx, m.xy, m.xz, m.yy, m.yz, m.zz, still]);
    }
    /// The frame that an end edge is held to, the inverse inertia of what holds it, and Ψ̄.
    pub(crate) fn set_tie_frame(&mut self, strand: usize, tip: bool, q: Quat<f64>, turn: Vec3<f64>, psi: Vec3<f64>) {
        self.set_tie(strand, tip, tie::CLAMPED, &[1.0, q.x, q.y, q.z, q.w, turn.x, turn.y, turn.z, psi.x, psi.y, psi.z]);
    }
    /// That alone, of an end that one is told for.
    pub(crate) fn aim_tie(&mut self, strand: usize, tip: bool, q: Quat<f64>) {
        if self.tied_frame(usize::from(tip), strand).is_some() {
            self.set_tie(strand, tip, tie::ROTATION, &[q.x, q.y, q.z, q.w]);
        }
    }
    /// That of a clamped attachment of Newton's method, where it was in the last step, or at [`World::aim_ties`].
    pub(crate) fn tied_frame(&self, end: usize, strand: usize) -> Option<EdgeFrame<f64>> {
        let i = |k: usize| self.layout.strand_index(strand, tie::ROWS, k);
        let c = |k: usize| with!(&self.data, b => b.ties[end].get(i(k)).map_or(0.0, |c| c.to_f64()));
        let q = |k: usize| c(tie::ROTATION + k);
        (c(tie::CLAMPED) > 0.0).then(|| EdgeFrame::fixed(Quat { x: q(0), y: q(1), z: q(2), w: q(3) }.frame()))
    }
}
