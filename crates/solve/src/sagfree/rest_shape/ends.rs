//! Forces at the tip of a strand that is held at its root and at its tip.
//!
//! The force R in a pinned tip, or force and moment (R, M) in a clamped one, do not follow from the
//! loads. Whatever they are, there is a rest shape for them: each of these three or six numbers is
//! a self-stress. Taken are those of the least change, Σ r (G K² Gᵀ)⁻¹ r over the elements with r =
//! G K (κ − κ̄) − m, plus the cost of lengths ([`Optimizer::length_cost`]) over the edges: one walk
//! to the root with six columns beside the moment, and a system of six.

use super::sections::{Bend, View, solved, tension};
use super::{Optimizer, Rules, positive, six};
use crate::math::vec3::vec3;
use crate::math::{Lane, Vec3};
use crate::rods::der::strand::Strands;

const COLUMNS: usize = 6;

/// What the tip exerts: a force on its outermost edge that can move, and a moment in the axes of the frame that is held.
pub(super) struct Reaction<L> {
    force: Vec3<L>,
    moment: Vec3<L>,
}

/// How a vertex may end a strand.
pub(super) struct End<L> {
    /// 1 where it is held and nothing moves beyond it, so that the strand ends here: pinned, or clamped if the edge beyond is held.
    tip: L,
    clamp: L,
    /// 0 where it is held in another way: then neither loads nor a tip tell what is in a cut.
    determined: L,
}

impl<L: Lane> End<L> {
    /// Of vertex `j` > 0.
    #[inline(always)]
    pub fn new(strands: &Strands<L>, j: usize) -> Self {
        let (c, n, zero, one) = (&strands.section, strands.vertices(), L::zero(), L::one());
        if j == 1 {
            // The root's, if it is held; its edge turns.
            let angle = (one - c[1].free[1]) * positive(stiffness(strands, 1));
            return End { tip: zero, clamp: zero, determined: one - angle };
        }
        let held = (one - c[j].free[0]) * positive(c[j - 1].ea);
        let beyond = if j + 1 < n { positive(c[j].ea) } else { zero };
        let clamp = if j + 1 < n { held * beyond * (one - c[j + 1].free[0]) } else { zero };
        let tip = held * (one - beyond) + clamp;
        let angle = if j + 1 < n { (one - c[j].free[1]) * positive(stiffness(strands, j)) } else { zero };
        // A held position that is no tip; an angle that is held without its edge, or free with it.
        let wrong = held * (one - tip) + angle * (one - clamp) + clamp * (one - angle);
        End { tip, clamp, determined: one - wrong.min(one) }
    }

    /// Force and moment in the cut before the vertex, at a tip its own; 0 where that is not known, else 1.
    #[inline(always)]
    pub fn cut(&self, beyond: Vec3<L>, needed: Vec3<L>, reaction: &Option<Reaction<L>>) -> (Vec3<L>, Vec3<L>, L) {
        let Some(reaction) = reaction else {
            return (beyond, needed, self.determined * (L::one() - self.tip));
        };
        (
            Vec3::select(L::zero().lt(self.tip), reaction.force, beyond),
            Vec3::select(L::zero().lt(self.clamp), reaction.moment, needed),
            self.determined,
        )
    }
}

/// Of the elements that an edge's angle takes part in.
#[inline(always)]
fn stiffness<L: Lane>(strands: &Strands<L>, i: usize) -> L {
    let c = &strands.section;
    let mut sum = c[i].ei[0] + c[i].ei[1] + c[i].gj;
    if i + 2 < strands.vertices() {
        sum = sum + (c[i + 1].ei[0] + c[i + 1].ei[1] + c[i + 1].gj);
    }
    sum
}

/// The normal equations of the least change.
struct Normal<L> {
    matrix: [[L; COLUMNS]; COLUMNS],
    right: [L; COLUMNS],
}

impl<L: Lane> Normal<L> {
    #[inline(always)]
    fn add(&mut self, columns: &[Vec3<L>; COLUMNS], weighted: &[Vec3<L>; COLUMNS], r: Vec3<L>) {
        for a in 0..COLUMNS {
            self.right[a] = self.right[a] + weighted[a].dot(r);
            for b in a..COLUMNS {
                self.matrix[a][b] = self.matrix[a][b] + weighted[a].dot(columns[b]);
            }
        }
    }

    /// By LDLᵀ; 0 for a column that is nothing.
    #[inline(always)]
    fn solve(mut self) -> [L; COLUMNS] {
        let (m, x) = (&mut self.matrix, &mut self.right);
        let mut inv = [L::zero(); COLUMNS];
        for a in 0..COLUMNS {
            let some = L::zero().lt(m[a][a]);
            inv[a] = L::select(some, L::one() / L::select(some, m[a][a], L::one()), L::zero());
            for b in a + 1..COLUMNS {
                let l = m[a][b] * inv[a];
                for k in b..COLUMNS {
                    m[b][k] = m[b][k] - l * m[a][k];
                }
                x[b] = x[b] - l * x[a];
            }
        }
        for a in (0..COLUMNS).rev() {
            let mut sum = x[a];
            for b in a + 1..COLUMNS {
                sum = sum - m[a][b] * x[b];
            }
            x[a] = sum * inv[a];
        }
        self.right
    }
}

/// What the tips exert for the least change of the rest shape; None where nothing but roots is held.
#[inline(always)]
pub(super) fn reaction<L: Lane>(strands: &Strands<L>, rules: &Rules<L>) -> Option<Reaction<L>> {
    let (n, zero, one, none) = (strands.vertices(), L::zero(), L::one(), Vec3::zero());
    let c = &strands.section;
    if n < 3 || !L::any(strands.swing.lt(one)) {
        return None;
    }
    let mut normal = Normal { matrix: [[zero; COLUMNS]; COLUMNS], right: [zero; COLUMNS] };
    // What the loads beyond leave in the cut, and what each of the six numbers does: 1 beyond a tip, and moments in the axes of the frame after it.
    let (mut beyond, mut needed, mut held, mut columns) = (none, none, zero, [none; COLUMNS]);
    let mut next = View::new(strands, n - 2);
    for i in (1..n - 1).rev() {
        let j = i + 1;
        let end = End::new(strands, j);
        let (is_tip, is_clamp) = (zero.lt(end.tip), zero.lt(end.clamp));
        beyond = Vec3::select(is_tip, none, beyond + c[j].force);
        needed = Vec3::select(is_clamp, none, needed);
        held = held.max(end.tip);
        let axes = [vec3(one, zero, zero), vec3(zero, one, zero), vec3(zero, zero, one)];
        for a in 0..3 {
            columns[a] = Vec3::select(is_tip, none, columns[a]);
            columns[3 + a] = Vec3::select(is_tip, axes[a] * end.clamp, columns[3 + a]);
        }
        let view = View::new(strands, i);
        let (s, now) = (six(&strands.rest[i]), six(&strands.rest[j]));
        if j + 1 < n {
            let bend = Bend::new(strands, rules, j, &view, &next);
            let k = Strands::moduli(strands.measure, &c[j], one / (s[0] + now[0]));
            let form = bend.form(&k);
            let mut weighted = [none; COLUMNS];
            for a in 0..COLUMNS {
                weighted[a] = solved(&form, columns[a]);
            }
            normal.add(&columns, &weighted, bend.moment(&k, &now) - needed);
            for column in &mut columns {
                *column = bend.q.turned(*column);
            }
            needed = bend.q.turned(needed);
        }
        // δT changes l̄ by −l̄²/(EA l) of it.
        let on = rules.on(strands, i)[0];
        let by = s[0] * s[0] / (L::select(zero.lt(on), c[i].ea, one) * view.length);
        let weight = on * held * Optimizer::length_cost(strands, i) * by * by;
        let t = view.frame.t;
        let missing = tension(c[i].ea, view.length, s[0]) - beyond.dot(t);
        let t = [t.x, t.y, t.z];
        for a in 0..3 {
            normal.right[a] = normal.right[a] + weight * t[a] * missing;
            for b in a..3 {
                normal.matrix[a][b] = normal.matrix[a][b] + weight * t[a] * t[b];
            }
            columns[a] = columns[a] + view.moment_of(axes[a], zero) * held;
        }
        needed = needed + view.moment_of(beyond, c[i].moment);
        next = view;
    }
    // The element at the first vertex.
    let root = View::new(strands, 0);
    let bend = Bend::new(strands, rules, 1, &root, &next);
    let k = Strands::moduli(strands.measure, &c[1], one / (strands.rest[0].length + strands.rest[1].length));
    let form = bend.form(&k);
    let mut weighted = [none; COLUMNS];
    for a in 0..COLUMNS {
        weighted[a] = solved(&form, columns[a]);
    }
    normal.add(&columns, &weighted, bend.moment(&k, &six(&strands.rest[1])) - needed);
    let [x, y, z, a, b, c] = normal.solve();
    Some(Reaction { force: vec3(x, y, z), moment: vec3(a, b, c) })
}
