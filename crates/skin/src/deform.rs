//! Where the mesh is, from where the rods are.
//!
//! Anchor k of a vertex is a part t of an edge, with the turn Q = R R̄ᵀ since the bind pose, the scale
//! s of its section (radius over radius) and its stretch ℓ. F = R diag(s, s, ℓ) R̄ᵀ = Q s (I + k āāᵀ),
//! with ā the edge's direction at the bind pose and k = ℓ/s − 1. Of four anchors with weights w:
//!
//! ```text
//! c = Σ w x(t)            the blend of the points on the axes
//! Q = Σ ±w q, normalised  quaternions, with the sign that is nearer to the first
//! s = exp Σ w ln s        K = Σ w k āāᵀ
//! x = c + Q s (I + K) d   d = p − c̄, the vertex relative to its axis at the bind pose
//! ```
//!
//! The centre c is the vertex's own centre of rotation (Le and Hodgins 2016), which pills give for
//! nothing: it lies on their axes. So a twist of 180° turns a vertex around the axis and does not take
//! it through (linear blending does), and a bend does not swell (dual quaternions do). One way for all
//! angles, so that nothing pops between two ways. Rotations that differ by 180° have no mean:
//! neighbouring edges must turn by less.
//!
//! Where all anchors have the same F, and axes that F maps, x = F p + const exactly.
//!
//! Normals go with the cofactor of Q (I + K + d ∇(ln s)ᵀ), tangents with F.

use crate::dispatch::run;
use crate::groups::{CHUNK, Vectors, WIDTH, parts};
use crate::kernels::{self, Held, Pull};
use crate::{Result, Skin, Strands, check_strands, fail, unit};
use rayon::prelude::*;
use withy_math::lane::MOST_LANES;
use withy_math::vec3::vec3;
use withy_math::{Gather, Isa, Quat, Vec3};

/// Numbers of a [`Bone`].
const BONE: usize = 24;

/// What an anchor takes from its edge: 96 bytes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub(crate) struct Bone {
    /// Of the first vertex: x, relative to the pose's origin, m; ln s.
    start: [f32; 4],
    /// The same, from the first to the second vertex.
    change: [f32; 4],
    turn: [f32; 4],
    /// k āāᵀ: xx, yy, zz, xy, xz, yz.
    stretch: [f32; 6],
    /// The gradient of ln s at the bind pose, 1/m: along ā.
    swell: [f32; 3],
    pad: [f32; 3],
}
const _: () = assert!(size_of::<Bone>() == BONE * 4);

/// Rods as they are now, ready for [`Skin::deform`]. Kept by the caller, it allocates once.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    pub(crate) bones: Vec<Bone>,
    /// m: what positions in `bones` are relative to.
    pub(crate) origin: [f64; 3],
}

/// Where the mesh goes. Slices of one length, or empty: not wanted.
#[derive(Debug, Default)]
pub struct Out<'a> {
    /// m, less [`Out::origin`].
    pub positions: &'a mut [[f32; 3]],
    /// Of length 1.
    pub normals: &'a mut [[f32; 3]],
    /// Of length 1. Empty if the skin has none.
    pub tangents: &'a mut [[f32; 3]],
    /// m: what is subtracted from positions. For scenes far from the origin, where f32 is too coarse.
    pub origin: [f64; 3],
}

impl Out<'_> {
    pub(crate) fn len(&self) -> usize {
        self.positions.len().max(self.normals.len()).max(self.tangents.len())
    }
    /// The first `n` vertices, and the rest.
    fn split(self, n: usize) -> (Self, Self) {
        let origin = self.origin;
        let at = |s: &[[f32; 3]]| n.min(s.len());
        let (i, j, k) = (at(self.positions), at(self.normals), at(self.tangents));
        let ((p, p2), (n, n2), (t, t2)) =
            (self.positions.split_at_mut(i), self.normals.split_at_mut(j), self.tangents.split_at_mut(k));
        (Out { positions: p, normals: n, tangents: t, origin }, Out { positions: p2, normals: n2, tangents: t2, origin })
    }
}

impl Pose {
    /// A point near the rods, m: a good [`Out::origin`].
    pub fn origin(&self) -> [f64; 3] {
        self.origin
    }
}

impl Skin {
    /// Reads the rods as they are now. `strands` has the strands of the bind pose.
    ///
    /// Errors: other strands, numbers that are not finite, radii of 0. `pose` then stays as it was.
    pub fn pose(&self, strands: &Strands, pose: &mut Pose) -> Result<()> {
        if strands.counts != self.counts {
            return fail(format!(
                "counts: {} strands with {} vertices, the skin was bound to {} with {}",
                strands.counts.len(),
                strands.positions.len(),
                self.counts.len(),
                self.radii.len()
            ));
        }
        check_strands(strands)?;
        let origin = Vec3::from(strands.positions[0]);
        pose.origin = origin.to_array();
        let scale = |v: usize| strands.radii[v] / self.radii[v];
        let bones = self.edges.iter().zip(strands.frames).map(|(e, &frame)| {
            let v = e.first as usize;
            let [a, b] = [v, v + 1].map(|v| Vec3::from(strands.positions[v]) - origin);
            let [now, rest] = [unit(frame), e.frame].map(|[x, y, z, w]| Quat { x, y, z, w });
            packed(kernels::bone(a, b - a, [scale(v), scale(v + 1)], now, rest, rest.frame()[2], e.length))
        });
        pose.bones.clear();
        pose.bones.extend(bones);
        Ok(())
    }

    /// Moves the mesh to a pose, on the threads of the current pool of rayon. The bits do not depend
    /// on their number, nor on the instruction set.
    ///
    /// Errors: slices that are not as long as the mesh, tangents of a skin without, a pose of another
    /// skin.
    pub fn deform(&self, pose: &Pose, isa: Isa, out: Out) -> Result<()> {
        let parts = self.parts(pose, out)?;
        let one = |(k, mut part): (usize, Out)| self.part(pose, isa, k, &mut part);
        parts.into_par_iter().enumerate().for_each(one);
        Ok(())
    }

    /// [`Skin::deform`] for a pool that is not rayon's: `out` in parts for [`Skin::deform_part`].
    pub fn parts<'a>(&self, pose: &Pose, out: Out<'a>) -> Result<Vec<Out<'a>>> {
        let n = self.vertices();
        if pose.bones.len() != self.edges.len() {
            return fail(format!("pose has {} edges, the skin was bound to {}", pose.bones.len(), self.edges.len()));
        }
        for (field, has) in [("positions", out.positions.len()), ("normals", out.normals.len()), ("tangents", out.tangents.len())]
        {
            if has != 0 && has != n {
                return fail(format!("{field} has {has} entries: there are {n} vertices"));
            }
        }
        if !out.tangents.is_empty() && !self.has_tangents() {
            return fail("tangents: the skin was bound without");
        }
        let mut parts = Vec::with_capacity(n.div_ceil(CHUNK));
        let mut rest = out;
        while rest.len() > 0 {
            let (part, after) = rest.split(CHUNK);
            parts.push(part);
            rest = after;
        }
        Ok(parts)
    }

    /// Deforms part `k` of those that [`Skin::parts`] gave for the same pose.
    ///
    /// # Panics
    /// If the part is not one of them.
    pub fn part(&self, pose: &Pose, isa: Isa, k: usize, out: &mut Out) {
        let first = k * CHUNK;
        assert!(pose.bones.len() == self.edges.len() && first < self.vertices());
        let count = CHUNK.min(self.vertices() - first);
        for slice in [&out.positions, &out.normals, &out.tangents] {
            assert!(slice.is_empty() || slice.len() == count);
        }
        assert!(out.tangents.is_empty() || self.has_tangents());
        let isa = if isa.available() { isa } else { Isa::best() };
        // SAFETY: available; lengths were looked at.
        unsafe { run(isa, self, pose, k, out) }
    }
}

fn packed(b: kernels::Bone<f64>) -> Bone {
    let f = |x: f64| x as f32;
    let row = |v: Vec3<f64>, s: f64| [f(v.x), f(v.y), f(v.z), f(s)];
    let (x, y, u) = (b.along, b.across, b.swell);
    Bone {
        start: row(b.start, b.log),
        change: row(b.change, b.log_change),
        turn: b.turn.to_array().map(f),
        stretch: [x.x, x.y, x.z, y.x, y.y, y.z].map(f),
        swell: [u.x, u.y, u.z].map(f),
        pad: [0.0; 3],
    }
}

/// The numbers of one edge for all lanes.
type Row<L> = [L; BONE];

/// Part `chunk` of a skin.
///
/// # Safety
/// The instruction set of `L` is enabled; `out` has the vertices of the chunk; `pose` has the skin's edges; `L::N` divides
/// [`WIDTH`].
#[inline(always)]
// SAFETY: for the caller to see to, as said.
pub(crate) unsafe fn deform<L: Gather<Elem = f32>>(skin: &Skin, pose: &Pose, chunk: usize, out: &mut Out) {
    let shift: [f32; 3] = core::array::from_fn(|k| (pose.origin[k] - out.origin[k]) as f32);
    let g = &skin.groups;
    for i in g.start[chunk] as usize..g.start[chunk + 1] as usize {
        // SAFETY: passed on to the caller; edges are below the number of bones: `bind`, `with_weights` and `load` see to it.
        unsafe {
            match (g.same[i], out.normals.is_empty()) {
                (true, true) => group::<L, true, false>(skin, &pose.bones, i, shift, out),
                (true, false) => group::<L, true, true>(skin, &pose.bones, i, shift, out),
                (false, true) => group::<L, false, false>(skin, &pose.bones, i, shift, out),
                (false, false) => group::<L, false, true>(skin, &pose.bones, i, shift, out),
            }
        }
    }
}

/// # Safety
/// That of [`deform`]; with `SAME` all vertices of the group hold on to the same edges.
#[inline(always)]
unsafe fn group<L: Gather<Elem = f32>, const SAME: bool, const NORMALS: bool>(
    skin: &Skin,
    bones: &[Bone],
    i: usize,
    shift: [f32; 3],
    out: &mut Out,
) {
    let g = &skin.groups;
    let group = &g.groups[i];
    let (mut t, mut weight) = ([[0.0; WIDTH]; 4], [[0.0; WIDTH]; 4]);
    parts(&group.t, &mut t);
    parts(&group.weight, &mut weight);
    let (mut x, mut n, mut u) = ([[0.0; WIDTH]; 3], [[0.0; WIDTH]; 3], [[0.0; WIDTH]; 3]);
    for lane in (0..WIDTH).step_by(L::N) {
        // SAFETY: lanes end within the group.
        unsafe {
            let mut held = Held::zero();
            let mut first = held.turn;
            for k in 0..4 {
                let row = row::<L, SAME>(bones, &group.edge[k], lane);
                let (t, w) = (L::load(t[k].as_ptr().add(lane)), L::load(weight[k].as_ptr().add(lane)));
                let q = Quat { x: row[8], y: row[9], z: row[10], w: row[11] };
                let mut signed = w;
                if k == 0 {
                    first = q;
                } else {
                    signed = kernels::signed(q, first, w);
                }
                let (start, change) = (vec3(row[0], row[1], row[2]), vec3(row[4], row[5], row[6]));
                held = kernels::hold(held, start, row[3], change, row[7], q, t, w, signed);
            }
            // A second time, as all sums at once are more than AVX2 has registers.
            let mut pull = Pull::zero();
            for (edge, weight) in group.edge.iter().zip(&weight) {
                let row = row::<L, SAME>(bones, edge, lane);
                let w = L::load(weight.as_ptr().add(lane));
                let mut of = Pull { along: vec3(row[12], row[13], row[14]), across: vec3(row[15], row[16], row[17]), ..pull };
                if NORMALS {
                    of.swell = vec3(row[18], row[19], row[20]);
                    pull = kernels::pull(pull, of, w);
                } else {
                    // What is not used is not computed: the compiler sees to that.
                    of.swell = Vec3::zero();
                    pull = Pull { swell: Vec3::zero(), ..kernels::pull(pull, of, w) };
                }
            }
            let turn = kernels::rotation(held.turn);
            if !out.positions.is_empty() {
                let d = load::<L>(&g.offsets[i], lane);
                let c = held.center;
                let center = vec3(c.x + L::splat(shift[0]), c.y + L::splat(shift[1]), c.z + L::splat(shift[2]));
                store(center + kernels::offset(turn, held.log, pull, d), &mut x, lane);
            }
            if NORMALS {
                let (d, n0) = (load::<L>(&g.offsets[i], lane), load::<L>(&g.normals[i], lane));
                store(kernels::normal(turn, pull, d, n0), &mut n, lane);
            }
            if !out.tangents.is_empty() {
                store(kernels::tangent(turn, pull, load::<L>(&g.tangents[i], lane)), &mut u, lane);
            }
        }
    }
    for (to, [x, y, z]) in [(&mut *out.positions, &x), (&mut *out.normals, &n), (&mut *out.tangents, &u)] {
        if !to.is_empty() {
            for k in 0..WIDTH {
                to[group.slot[k] as usize] = [x[k], y[k], z[k]];
            }
        }
    }
}

/// The bones of an anchor. What is not used of it is not read: the compiler sees to that.
///
/// # Safety
/// That of [`group`].
#[inline(always)]
unsafe fn row<L: Gather<Elem = f32>, const SAME: bool>(bones: &[Bone], edge: &[u16; WIDTH], lane: usize) -> Row<L> {
    // SAFETY: the caller's contract; a bone is 24 numbers, aligned to 16 bytes.
    unsafe {
        let base = bones.as_ptr().cast::<f32>();
        if SAME {
            let from = base.add(edge[0] as usize * BONE);
            return core::array::from_fn(|j| L::splat(*from.add(j)));
        }
        let mut at = [0u32; MOST_LANES];
        for (at, edge) in at.iter_mut().zip(&edge[lane..lane + L::N]) {
            *at = u32::from(*edge) * BONE as u32;
        }
        let mut row = [L::zero(); BONE];
        for j in (0..BONE).step_by(4) {
            row[j..j + 4].copy_from_slice(&L::gather(base.add(j), at.as_ptr()));
        }
        row
    }
}

/// # Safety
/// That of [`deform`].
#[inline(always)]
unsafe fn load<L: Gather<Elem = f32>>(rows: &Vectors, lane: usize) -> Vec3<L> {
    // SAFETY: lanes end within the group.
    unsafe { vec3(L::load(rows[0].as_ptr().add(lane)), L::load(rows[1].as_ptr().add(lane)), L::load(rows[2].as_ptr().add(lane))) }
}

/// # Safety
/// That of [`deform`].
#[inline(always)]
unsafe fn store<L: Gather<Elem = f32>>(v: Vec3<L>, rows: &mut Vectors, lane: usize) {
    // SAFETY: lanes end within the group.
    unsafe {
        v.x.store(rows[0].as_mut_ptr().add(lane));
        v.y.store(rows[1].as_mut_ptr().add(lane));
        v.z.store(rows[2].as_mut_ptr().add(lane));
    }
}
