//! Rods that are bundled, as their lanes see it: springs that draw a strand to its sections, and what it has of the
//! hard bundle's system (`docs/internals/bundles.md`). The sections are solved in `couple::bundle`.

use super::*;
use crate::layout::{SECTION, WIDE, bundle, wide};
use crate::rods::group::ANY_WIDTH;

/// Columns of a strand's rows of the hard bundle: a section and the two after it.
const ACROSS: usize = 3 * SECTION;

/// Of all that acts on it, what stands for the stiffness of what the host holds: the section need not know it better.
const AS_HELD: f64 = 1e3;

/// What a strand has of the hard bundle's system.
struct Gather<L: Lane> {
    group: Group<L, ANY_WIDTH>,
}

impl<L: Lane> Apart for Gather<L> {
    type Out = ();
    #[inline(always)]
    fn run(mut self) {
        self.group.gather();
    }
}

/// Position, turn and growth of a section, as the position of a strand with the arm `a` sees them: adds what the
/// row `h` has to do with that position to what it has to do with the section.
#[inline(always)]
fn add_position<L: Lane>(to: &mut [L; ACROSS], section: usize, a: Vec3<L>, h: Vec3<L>) {
    let (at, turn) = (section * SECTION, a.cross(h));
    for (k, v) in [h.x, h.y, h.z, turn.x, turn.y, turn.z, a.dot(h)].into_iter().enumerate() {
        to[at + k] = to[at + k] + v;
    }
}

/// The same of the turn of an edge with the tangent `t`, which takes half of each section's.
#[inline(always)]
fn add_turn<L: Lane>(to: &mut [L; ACROSS], section: usize, t: Vec3<L>, h: L) {
    let h = t * (h * L::constant(0.5));
    for (k, v) in [h.x, h.y, h.z].into_iter().enumerate() {
        for at in [section * SECTION + 3 + k, (section + 1) * SECTION + 3 + k] {
            to[at] = to[at] + v;
        }
    }
}

impl<L: Lane, const W: usize> Group<L, W> {
    /// Whether strands are bundled.
    #[inline(always)]
    pub(crate) fn is_bundled(&self) -> bool {
        !self.at.bundle.is_null()
    }
    #[inline(always)]
    pub(crate) fn bundle_row(&self, i: usize, row: usize) -> L {
        debug_assert!(i < self.vertices && row < bundle::ROWS && self.is_bundled());
        // SAFETY: the type's contract; the caller asks whether these are bundled.
        unsafe { L::load(self.at.bundle.add((i * bundle::ROWS + row) * self.stride())) }
    }
    #[inline(always)]
    pub(crate) fn set_bundle_row(&mut self, i: usize, row: usize, v: L) {
        debug_assert!(i < self.vertices && row < bundle::ROWS && self.is_bundled());
        // SAFETY: as in `bundle_row`.
        unsafe { v.store(self.at.bundle.add((i * bundle::ROWS + row) * self.stride())) }
    }
    #[inline(always)]
    fn bundle3(&self, i: usize, row: usize) -> Vec3<L> {
        vec3(self.bundle_row(i, row), self.bundle_row(i, row + 1), self.bundle_row(i, row + 2))
    }

    /// The forces of the springs of vertex `i` and its edge, beyond the `predicted` displacement, but for the edge's direction.
    #[inline(always)]
    pub(super) fn pull_to_section(&mut self, i: usize, predicted: Vec3<L>) {
        if self.newton.renews {
            self.keep_coast(i);
        }
        let (d, firm) = (self.bundle3(i, bundle::TO) - predicted, self.bundle3(i, bundle::FIRM));
        self.pull(i, d * self.bundle_row(i, bundle::PULL) + firm * firm.dot(d));
        self.push_rhs(i, 3, self.bundle_row(i, bundle::TURN) * self.bundle_row(i, bundle::TWIST));
        if self.keeps_volume() {
            let mut rows = self.wide();
            let force = self.bundle_row(i, bundle::GROW) * self.bundle_row(i, bundle::SWELL);
            rows.set(i, wide::RHS, rows.at(i, wide::RHS) + force);
        }
    }

    /// What the momentum of the bundle is of.
    #[inline(always)]
    fn keep_coast(&mut self, i: usize) {
        let coast = self.scratch3(i, COAST);
        for (k, c) in [coast.x, coast.y, coast.z].into_iter().enumerate() {
            self.set_bundle_row(i, bundle::COAST + k, c);
        }
        let turns = self.scratch_at(i, INERTIA + 1);
        self.set_bundle_row(i, bundle::COAST_TURN, self.scratch_at(i, COAST + 3) + self.moment(i) / turns);
        self.set_bundle_row(i, bundle::INERTIA, self.scratch_at(i, INERTIA));
        self.set_bundle_row(i, bundle::INERTIA + 1, turns);
        if i == 0 {
            self.set_bundle_row(0, bundle::PRESSED, L::zero());
        }
    }

    /// After a step: whether a collider holds the strand.
    #[inline(always)]
    pub(super) fn note_pressed(&mut self) {
        if self.is_bundled() {
            let pressed = self.bundle_row(0, bundle::PRESSED).max(self.newton.held);
            self.set_bundle_row(0, bundle::PRESSED, pressed);
        }
    }

    /// The force that draws the direction of edge `i` to that of its sections; its vector is `predicted` to change.
    #[inline(always)]
    pub(super) fn lean_to_section(&mut self, i: usize, edge: &Edge<L>) {
        let mut lean = self.bundle3(i, bundle::LEAN);
        if let Some(way) = edge.predicted {
            let t = edge.frame.t;
            lean = lean - (way - t * t.dot(way)) * edge.inv_length;
        }
        let force = lean * (self.bundle_row(i, bundle::TILT) * edge.inv_length);
        self.pull(i, -force);
        self.pull(i + 1, force);
    }

    /// All else has been assembled: keeps what the hard bundle has of it, and adds the springs.
    #[inline(always)]
    pub(super) fn tie_to_sections(&mut self) {
        let group = Group {
            at: self.at,
            newton: self.newton,
            width: self.width,
            vertices: self.vertices,
            min_edges: self.min_edges,
            first_lane: self.first_lane,
        };
        if L::any(L::zero().lt(self.bundle_row(0, bundle::WANTS))) {
            // SAFETY: the type's contract: the instruction set is enabled, and so available; the rows are the group's.
            unsafe { L::apart(Gather { group }) }
        }
        for v in 0..self.vertices {
            self.add_springs(v);
        }
    }

    /// Entry of unknown `b` of vertex `i` + `j` in the row of unknown `a` of vertex `i`: position, turn, scale.
    #[inline(always)]
    fn coupling_of(&self, i: usize, a: usize, j: usize, b: usize) -> L {
        match (a, b) {
            (4, 4) if j == 0 => self.wide().at(i, wide::FROM_SCALE),
            (4, 4) => self.wide().at(i, wide::FROM_SCALE + 5 * j),
            (4, _) => self.wide().at(i, wide::FROM_SCALE + 5 * j - 4 + b),
            (_, 4) => self.wide().at(i, wide::TO_SCALES + 2 * a + j),
            _ => self.scratch_at(i, a * BAND + 4 * j + b - a),
        }
    }

    /// What the edges at vertex `v` may give an entry of the diagonal, about: N/m, and N m of turns.
    #[inline(always)]
    fn stiffness_at(&self, v: usize) -> [L; 2] {
        let (mut sum, edges, nothing) = ([L::zero(); 2], self.edge_count(), L::constant(NOTHING));
        for e in [v.max(1) - 1, v] {
            let on = self.on(e, edges);
            let length = self.p(e, param::LENGTH).max(nothing);
            let bend = on / self.p(v, param::BEND).max(L::constant(1e-20));
            sum[0] = sum[0] + on / self.p(e, param::STRETCH).max(L::constant(1e-20)) + bend / (length * length).max(nothing);
            sum[1] = sum[1] + on / self.p(v, param::BEND + 2).max(L::constant(1e-20));
        }
        sum
    }

    /// The frame of an edge, or of the last one, and one over its length.
    #[inline(always)]
    fn edge_before_end(&self, i: usize) -> (Frame<L>, L) {
        let f = self.frame_now(i.min(self.vertices - 2));
        (as_frame(&f), f.inv_len)
    }

    #[inline(always)]
    fn gather(&mut self) {
        let (zero, half, n) = (L::zero(), L::constant(0.5), self.vertices);
        let volume = self.keeps_volume();
        let unknowns = if volume { 5 } else { 4 };
        const { assert!(WIDE == 13) }
        // What the edges before have added to the rows of the section, against itself and the next.
        let mut carried = [[zero; 2 * SECTION]; SECTION];
        let (mut edge, mut after) = (self.edge_before_end(0), self.edge_before_end(1));
        for v in 0..n {
            let mut arms = [Vec3::zero(); 3];
            for (j, arm) in arms.iter_mut().enumerate() {
                *arm = self.bundle3((v + j).min(n - 1), bundle::ARM);
            }
            let tangents = [edge.0.t, after.0.t];
            let mut rows = [[zero; ACROSS]; 5];
            let stiff = self.stiffness_at(v);
            for a in 0..unknowns {
                let spring = [bundle::PULL, bundle::PULL, bundle::PULL, bundle::TURN, bundle::GROW][a];
                let most = (self.bundle_row(v, spring) + stiff[usize::from(a > 2)]) * L::constant(AS_HELD);
                for j in 0..3.min(n - v) {
                    let mut h = [zero; 5];
                    for b in 0..if j < 2 { unknowns } else { 3 } {
                        if j == 0 && b < a {
                            continue;
                        }
                        h[b] = self.coupling_of(v, a, j, b);
                        if j == 0 && b == a {
                            let held = L::constant(1e-2 * HELD).lt(h[b]);
                            h[b] = L::select(held, most, h[b]) * half;
                        }
                    }
                    add_position(&mut rows[a], j, arms[j], vec3(h[0], h[1], h[2]));
                    if j < 2 && v + j + 1 < n {
                        add_turn(&mut rows[a], j, tangents[j], h[3]);
                        if volume {
                            let part = h[4] * half * self.bundle_row(v + j, bundle::SIZE);
                            for at in [j * SECTION + 6, (j + 1) * SECTION + 6] {
                                rows[a][at] = rows[a][at] + part;
                            }
                        }
                    }
                }
            }
            let mut out = [[zero; ACROSS]; SECTION];
            for (out, carried) in out.iter_mut().zip(&carried) {
                out[..2 * SECTION].copy_from_slice(carried);
            }
            carried = [[zero; 2 * SECTION]; SECTION];
            let a = arms[0];
            for c in 0..ACROSS {
                let w = vec3(rows[0][c], rows[1][c], rows[2][c]);
                let turn = a.cross(w);
                for (k, add) in [w.x, w.y, w.z, turn.x, turn.y, turn.z, a.dot(w)].into_iter().enumerate() {
                    out[k][c] = out[k][c] + add;
                }
            }
            if v + 1 < n {
                let (t, size) = (tangents[0], self.bundle_row(v, bundle::SIZE));
                for (unknown, k, part) in [(3, 3, t.x), (3, 4, t.y), (3, 5, t.z), (4, 6, size)] {
                    let part = part * half;
                    for c in 0..ACROSS {
                        let add = rows[unknown][c] * part;
                        out[k][c] = out[k][c] + add;
                        if c < SECTION {
                            // The row of the next section against this one is that of this one against the next.
                            out[c][SECTION + k] = out[c][SECTION + k] + add;
                        } else {
                            carried[k][c - SECTION] = carried[k][c - SECTION] + add;
                        }
                    }
                }
                // How the edge leans out of its sections: along both axes of its section.
                let tilt = self.bundle_row(v, bundle::TILT);
                for d in [edge.0.m1, edge.0.m2] {
                    let mut g = [zero; ACROSS];
                    add_position(&mut g, 0, arms[0], -(d * edge.1));
                    add_position(&mut g, 1, arms[1], d * edge.1);
                    let turn = t.cross(d) * half;
                    for (k, c) in [turn.x, turn.y, turn.z].into_iter().enumerate() {
                        g[3 + k] = g[3 + k] - c;
                        g[SECTION + 3 + k] = g[SECTION + 3 + k] - c;
                    }
                    for r in 0..SECTION {
                        let (own, next) = (tilt * g[r], tilt * half * g[SECTION + r]);
                        for c in 0..SECTION {
                            out[r][c] = out[r][c] + own * half * g[c];
                            out[r][SECTION + c] = out[r][SECTION + c] + own * g[SECTION + c];
                            carried[r][c] = carried[r][c] + next * g[SECTION + c];
                        }
                    }
                }
            }
            for (r, out) in out.iter().enumerate() {
                for (c, v_) in out.iter().enumerate() {
                    self.set_bundle_row(v, bundle::COARSE + r * ACROSS + c, *v_);
                }
            }
            edge = after;
            after = self.edge_before_end(v + 2);
        }
    }

    /// The springs' stiffness. Where the host holds something it drowns them.
    #[inline(always)]
    fn add_springs(&mut self, v: usize) {
        let pull = self.bundle_row(v, bundle::PULL);
        for k in 0..4 {
            let add = if k < 3 { pull } else { self.bundle_row(v, bundle::TURN) };
            self.set_scratch(v, k * BAND, self.scratch_at(v, k * BAND) + add);
        }
        if self.keeps_volume() {
            let mut rows = self.wide();
            rows.set(v, wide::FROM_SCALE, rows.at(v, wide::FROM_SCALE) + self.bundle_row(v, bundle::GROW));
            let firm = self.bundle3(v, bundle::FIRM);
            self.put_block(v, v, &[firm * firm.x, firm * firm.y, firm * firm.z]);
        }
        if v + 1 < self.vertices {
            let f = self.frame_now(v);
            let (t, k) = (straight(f.d3), self.bundle_row(v, bundle::TILT) * f.inv_len * f.inv_len);
            let o = L::zero();
            let m = [vec3(k, o, o) - t * (t.x * k), vec3(o, k, o) - t * (t.y * k), vec3(o, o, k) - t * (t.z * k)];
            self.put_block(v, v, &m);
            self.put_block(v + 1, v + 1, &m);
            self.put_block(v, v + 1, &[-m[0], -m[1], -m[2]]);
        }
    }
}
