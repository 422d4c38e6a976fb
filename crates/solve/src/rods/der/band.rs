//! The banded system of a strand: unknowns (x₀, θ₀, x₁, θ₁, …), the upper band row by row, minus
//! the gradient on the right. An element touches eleven unknowns in a row, so the half-bandwidth is
//! 10; the change of a rest length touches fifteen.

use super::kernels::{Element, Frame, LocalHessian, Mat3, Relative, Stretch, element_force, stretch_block, world_hessian_of};
use crate::layout::LONG_STRAND;
use crate::math::cpu::fetch_back;
use crate::math::vec3::vec3;
use crate::math::{Lane, Vec3};
use core::mem::MaybeUninit;

pub use crate::layout::BAND;

/// Entries of a row of a vertex, up to the position two vertices on: the angle there is no neighbour.
#[inline(always)]
pub const fn width(row: usize) -> usize {
    BAND - row % 4
}

/// How many vertices ahead the memory of strands of more than [`crate::layout::LONG_STRAND`] is asked for; and on the way back. (6 to 24 are alike.)
pub const AHEAD: usize = 3;
pub const AHEAD_BACK: usize = 8;

/// An edge as the elements at both of its ends see it; `inv_length` is 0 for a frame that is held.
#[derive(Clone, Copy)]
pub struct EdgeView<L> {
    pub frame: Frame<L>,
    pub inv_length: L,
}

#[inline(always)]
pub fn times<L: Lane>(m: &Mat3<L>, v: Vec3<L>) -> Vec3<L> {
    vec3(m[0].dot(v), m[1].dot(v), m[2].dot(v))
}
#[inline(always)]
fn times_transposed<L: Lane>(m: &Mat3<L>, v: Vec3<L>) -> Vec3<L> {
    m[0] * v.x + m[1] * v.y + m[2] * v.z
}

/// A strand's system in memory, W entries a row. Row r is unknown r mod 4 of vertex r/4.
pub trait Band<L: Lane, const W: usize = BAND> {
    fn entry(&self, row: usize, column: usize) -> L;
    fn set_entry(&mut self, row: usize, column: usize, v: L);
    fn rhs(&self, row: usize) -> L;
    fn set_rhs(&mut self, row: usize, v: L);
    /// What becomes of the pivot `d` of a row.
    fn pivot(&mut self, row: usize, d: L) -> L;

    #[inline(always)]
    fn put(&mut self, i: usize, a: usize, j: usize, b: usize, v: L) {
        let (row, column) = (4 * i + a, 4 * (j - i) + b - a);
        self.set_entry(row, column, self.entry(row, column) + v);
    }
    /// A 3×3 block at vertices `i` ≤ `j`.
    #[inline(always)]
    fn put_block(&mut self, i: usize, j: usize, m: &Mat3<L>) {
        for a in 0..3 {
            let row = [m[a].x, m[a].y, m[a].z];
            for b in 0..3 {
                if j > i || b >= a {
                    self.put(i, a, j, b, row[b]);
                }
            }
        }
    }
    #[inline(always)]
    fn push_rhs(&mut self, i: usize, a: usize, v: L) {
        self.set_rhs(4 * i + a, self.rhs(4 * i + a) + v);
    }
    #[inline(always)]
    fn pull(&mut self, i: usize, f: Vec3<L>) {
        self.push_rhs(i, 0, f.x);
        self.push_rhs(i, 1, f.y);
        self.push_rhs(i, 2, f.z);
    }

    /// Force `pull` and Hessian of an edge's stretching. A `way` by which its vector is expected to change goes to the right-hand side, and the rest alone is
    /// solved for. Its tension counts across the edge only where the Hessian shall be `exact`
    /// (1), or where it pulls.
    #[inline(always)]
    fn put_stretch(&mut self, i: usize, edge: &EdgeView<L>, pull: L, s: &Stretch<L>, exact: L, way: Option<Vec3<L>>) {
        let t = edge.frame.t;
        let m = stretch_block(t, edge.inv_length, s, exact);
        let mut f = t * pull;
        if let Some(way) = way {
            f = f + times(&m, way);
        }
        self.pull(i, f);
        self.pull(i + 1, -f);
        self.put_block(i, i, &m);
        self.put_block(i + 1, i + 1, &m);
        self.put_block(i, i + 1, &[-m[0], -m[1], -m[2]]);
    }

    /// Force and Hessian `h` of the element at vertex `i` between the edges `e` and `f`. Returns how stiff it is at its first and last vertex, in
    /// all directions together. `leaning`: as of [`world_hessian_of`].
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn put_element(
        &mut self,
        i: usize,
        q: &Relative<L>,
        e: &EdgeView<L>,
        f: &EdgeView<L>,
        m: &Element<L>,
        h: &LocalHessian<L>,
        leaning: bool,
        ways: Option<[Vec3<L>; 2]>,
    ) -> [L; 2] {
        let mut d = element_force(q, m.moment, &e.frame, e.inv_length, &f.frame, f.inv_length);
        // e = x_i − x_{i−1}, f = x_{i+1} − x_i.
        let w = world_hessian_of(h, &e.frame, e.inv_length, &f.frame, f.inv_length, leaning);
        let (ee, ef, ff) = (&w.ee, &w.ef, &w.ff);
        if let Some([a, b]) = ways {
            d.e = d.e + times(ee, a) + times(ef, b);
            d.f = d.f + times_transposed(ef, a) + times(ff, b);
            d.turn_e = d.turn_e + w.e_angles[0].dot(a) + w.f_angles[0].dot(b);
            d.turn_f = d.turn_f + w.e_angles[1].dot(a) + w.f_angles[1].dot(b);
        }
        self.pull(i - 1, d.e);
        self.pull(i, d.f - d.e);
        self.pull(i + 1, -d.f);
        self.push_rhs(i - 1, 3, -d.turn_e);
        self.push_rhs(i, 3, -d.turn_f);
        let both = [
            vec3(ef[0].x + ef[0].x, ef[0].y + ef[1].x, ef[0].z + ef[2].x),
            vec3(ef[1].x + ef[0].y, ef[1].y + ef[1].y, ef[1].z + ef[2].y),
            vec3(ef[2].x + ef[0].z, ef[2].y + ef[1].z, ef[2].z + ef[2].z),
        ];
        self.put_block(i - 1, i - 1, ee);
        self.put_block(i - 1, i, &[ef[0] - ee[0], ef[1] - ee[1], ef[2] - ee[2]]);
        self.put_block(i - 1, i + 1, &[-ef[0], -ef[1], -ef[2]]);
        self.put_block(i, i, &[ee[0] + ff[0] - both[0], ee[1] + ff[1] - both[1], ee[2] + ff[2] - both[2]]);
        self.put_block(i, i + 1, &[ef[0] - ff[0], ef[1] - ff[1], ef[2] - ff[2]]);
        self.put_block(i + 1, i + 1, ff);
        let (ae, af) = (w.e_angles, w.f_angles);
        let (e0, e1) = ([ae[0].x, ae[0].y, ae[0].z], [ae[1].x, ae[1].y, ae[1].z]);
        let (f0, f1) = ([af[0].x, af[0].y, af[0].z], [af[1].x, af[1].y, af[1].z]);
        for k in 0..3 {
            // θ_e lies between x_{i−1} and x_i, θ_f between x_i and x_{i+1}.
            self.put(i - 1, k, i - 1, 3, -e0[k]);
            self.put(i - 1, 3, i, k, e0[k] - f0[k]);
            self.put(i - 1, 3, i + 1, k, f0[k]);
            self.put(i - 1, k, i, 3, -e1[k]);
            self.put(i, k, i, 3, e1[k] - f1[k]);
            self.put(i, 3, i + 1, k, f1[k]);
        }
        self.put(i - 1, 3, i - 1, 3, w.angles[0]);
        self.put(i - 1, 3, i, 3, w.angles[1]);
        self.put(i, 3, i, 3, w.angles[2]);
        [ee[0].x + ee[1].y + ee[2].z, ff[0].x + ff[1].y + ff[2].z]
    }
}

/// A system whose factors stay in its rows, for more than one right-hand side.
pub trait Factored<L: Lane, const W: usize = BAND>: Band<L, W> {
    /// How many entries of a row can differ from zero.
    #[inline(always)]
    fn width(&self, _row: usize) -> usize {
        W
    }
    /// A row is soon read, on the way back: where the strand is long, its memory is asked for.
    fn soon(&self, row: usize);

    /// LDLᵀ in place, D inverted, and the right-hand side on its way down: the part of these rows in it, out of `rows` in all. Those before have had theirs.
    #[inline(always)]
    fn factor_rows(&mut self, these: core::ops::Range<usize>, rows: usize) {
        for r in these {
            let width = self.width(r);
            let mut row = [L::zero(); W];
            for c in 0..width {
                row[c] = self.entry(r, c);
            }
            let inv = L::one() / self.pivot(r, row[0]);
            let y = self.rhs(r);
            self.set_entry(r, 0, inv);
            for c in 1..width.min(rows - r) {
                let l = row[c] * inv;
                for k in c..width {
                    self.set_entry(r + c, k - c, self.entry(r + c, k - c) - l * row[k]);
                }
                self.set_entry(r, c, l);
                self.set_rhs(r + c, self.rhs(r + c) - l * y);
            }
        }
    }

    /// The way down of another right-hand side, with the factors.
    #[inline(always)]
    fn descend(&mut self, vertices: usize) {
        let rows = 4 * vertices;
        for r in 0..rows {
            let y = self.rhs(r);
            for c in 1..self.width(r).min(rows - r) {
                self.set_rhs(r + c, self.rhs(r + c) - self.entry(r, c) * y);
            }
        }
    }

    /// The way back: the right-hand side becomes the solution.
    #[inline(always)]
    fn substitute(&mut self, vertices: usize) {
        let rows = 4 * vertices;
        for r in (0..rows).rev() {
            if r >= 4 * AHEAD_BACK {
                self.soon(r - 4 * AHEAD_BACK);
            }
            self.substitute_row(r, rows);
        }
    }

    /// The part of a row in it, out of `rows` in all: those after have had theirs. The nearest, which is known last, comes last. (Not so in the shaders,
    /// which have bounds, not bits.)
    #[inline(always)]
    fn substitute_row(&mut self, r: usize, rows: usize) {
        let mut y = self.rhs(r) * self.entry(r, 0);
        for c in (1..self.width(r).min(rows - r)).rev() {
            y = y - self.entry(r, c) * self.rhs(r + c);
        }
        self.set_rhs(r, y);
    }
}

/// The factors of a system whose vertices have `N` unknowns each, in rows of `W` entries, of which the first is 1/D.
pub trait Factors<L: Lane, const N: usize, const W: usize> {
    fn factor(&self, v: usize, unknown: usize, column: usize) -> L;
}

impl<L: Lane, B: Band<L>> Factors<L, 4, BAND> for B {
    #[inline(always)]
    fn factor(&self, v: usize, unknown: usize, column: usize) -> L {
        self.entry(4 * v + unknown, column)
    }
}

/// Four rows from the diagonal on, each entry put before it is read. An array that begins with zeros took 5 % of a step.
struct Undivided<L>([[MaybeUninit<L>; BAND]; 4]);

impl<L: Lane> Undivided<L> {
    #[inline(always)]
    fn put(&mut self, p: usize, c: usize, v: L) {
        self.0[p][c] = MaybeUninit::new(v);
    }
    #[inline(always)]
    fn at(&self, p: usize, c: usize) -> L {
        debug_assert!(c >= p);
        // SAFETY: `eliminate`, the only user, begins by putting all entries from the diagonal on.
        unsafe { self.0[p][c].assume_init() }
    }
}

/// Takes the four unknowns of vertex `v`, of `vertices`, out of the rows of the two after it: [`Factored::factor_rows`], bit for bit, with each entry below
/// loaded once. The vertex's own rows become Lᵀ, with D⁻¹ on the diagonal, and the right-hand side on its way down.
#[inline(always)]
pub fn eliminate<L: Lane, B: Band<L>>(band: &mut B, v: usize, vertices: usize) {
    let (zero, one, row) = (L::zero(), L::one(), 4 * v);
    let mut a = Undivided([[MaybeUninit::uninit(); BAND]; 4]);
    let mut b = [zero; 4];
    for p in 0..4 {
        b[p] = band.rhs(row + p);
        for c in p..BAND {
            a.put(p, c, band.entry(row + p, c - p));
        }
    }
    for p in 0..4 {
        let inv = one / band.pivot(row + p, a.at(p, p));
        band.set_entry(row + p, 0, inv);
        band.set_rhs(row + p, b[p]);
        for c in p + 1..BAND {
            band.set_entry(row + p, c - p, a.at(p, c) * inv);
        }
        for r in p + 1..4 {
            let l = band.entry(row + p, r - p);
            for c in r..BAND {
                a.put(r, c, a.at(r, c) - l * a.at(p, c));
            }
            b[r] = b[r] - l * b[p];
        }
    }
    for next in 1..3 {
        if v + next >= vertices {
            break;
        }
        for r in 4 * next..(4 * next + 4).min(BAND) {
            let mut l = [zero; 4];
            for p in 0..4 {
                l[p] = band.entry(row + p, r - p);
            }
            for c in r..BAND {
                let mut entry = band.entry(row + r, c - r);
                for p in 0..4 {
                    entry = entry - l[p] * a.at(p, c);
                }
                band.set_entry(row + r, c - r, entry);
            }
            let mut rhs = band.rhs(row + r);
            for p in 0..4 {
                rhs = rhs - l[p] * b[p];
            }
            band.set_rhs(row + r, rhs);
        }
    }
}

/// A positive definite system in rows, of which those of a vertex end at the same unknown.
pub struct Rows<'a, L, const W: usize> {
    pub band: &'a mut [[L; W]],
    pub rhs: &'a mut [L],
}

impl<L: Lane, const W: usize> Band<L, W> for Rows<'_, L, W> {
    #[inline(always)]
    fn entry(&self, row: usize, column: usize) -> L {
        self.band[row][column]
    }
    #[inline(always)]
    fn set_entry(&mut self, row: usize, column: usize, v: L) {
        self.band[row][column] = v;
    }
    #[inline(always)]
    fn rhs(&self, row: usize) -> L {
        self.rhs[row]
    }
    #[inline(always)]
    fn set_rhs(&mut self, row: usize, v: L) {
        self.rhs[row] = v;
    }
    #[inline(always)]
    fn pivot(&mut self, _: usize, d: L) -> L {
        d
    }
}

impl<L: Lane, const W: usize> Factored<L, W> for Rows<'_, L, W> {
    #[inline(always)]
    fn soon(&self, row: usize) {
        if self.band.len() > 4 * LONG_STRAND {
            fetch_back(self.band[row].as_ptr(), self.width(row));
            fetch_back(&self.rhs[row], 1);
        }
    }
}
