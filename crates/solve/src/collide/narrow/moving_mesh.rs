//! A triangle mesh that the host moves and bends, as strands meet it in a substep.

use super::TriangleMesh;
use crate::collide::kernels::Distance;
use crate::math::{Elem, Vec3};

/// The mesh at the end of a substep, about a centre of its own: far from the origin its numbers keep their digits.
#[derive(Clone, Debug)]
pub struct MovingMesh<E> {
    mesh: TriangleMesh<E>,
    /// What each triangle's corners do in the substep, m, in the order of the tree.
    moves: Vec<[Vec3<E>; 3]>,
    /// The farthest of them.
    farthest: E,
    pub center: Vec3<f64>,
    /// Of a sphere about the centre that holds it where the substep ends, and all of which a vertex that it takes along may begin, m.
    pub bound: f64,
    /// Felt from both sides: a point is held on the side that it comes from.
    pub both_sides: bool,
    /// Another number whenever it has been placed: who keeps a copy sees whether that is stale.
    pub stamp: u64,
}

impl<E: Elem> MovingMesh<E> {
    /// `mesh` was made of the same triangles.
    pub fn new(mesh: TriangleMesh<E>, both_sides: bool) -> Self {
        let still = [Vec3::zero(); 3];
        let moves = vec![still; mesh.len()];
        MovingMesh { mesh, moves, farthest: E::zero(), center: Vec3::zero(), bound: 0.0, both_sides, stamp: 0 }
    }

    /// Where `vertices` vertices are when a substep ends, and where they come from, both m.
    pub fn place(
        &mut self,
        triangles: &[[u32; 3]],
        vertices: usize,
        to: impl Fn(usize) -> Vec3<f64>,
        from: impl Fn(usize) -> Vec3<f64>,
    ) {
        let (mut low, mut high) = (to(0), to(0));
        for v in 0..vertices {
            let p = to(v);
            (low, high) = (low.lower(p), high.upper(p));
        }
        // As strands know it.
        let center = ((low + high) * 0.5).map(|c| E::from_f64(c).to_f64());
        let e = |v: Vec3<f64>| v.map(E::from_f64);
        self.mesh.refit(|triangle| triangles[triangle as usize].map(|v| e(to(v as usize) - center)));
        let mut farthest = 0.0_f64;
        for (k, moves) in self.moves.iter_mut().enumerate() {
            *moves = triangles[self.mesh.index(k) as usize].map(|v| {
                let by = to(v as usize) - from(v as usize);
                farthest = farthest.max(by.length2());
                e(by)
            });
        }
        self.farthest = E::from_f64(farthest.sqrt());
        (self.center, self.bound) = (center, (high - low).length() * 0.500_001 + farthest.sqrt());
    }

    /// Signed distance and normal at `p`, from the centre, of a point that has `moved` so far against the surface. `None`: farther than `reach` outside, or
    /// so deep inside that it cannot have come from outside in the substep and has not been near.
    pub fn point(&self, p: Vec3<E>, moved: Vec3<E>, reach: E, deep: E) -> Option<Distance<E>> {
        let found = self.mesh.nearest(p, reach.max(deep))?;
        if !self.both_sides {
            return found.felt(reach, deep);
        }
        // The side that it was on.
        let before = found.normal.dot((p - moved) - found.at);
        let side = if before < E::zero() { -E::one() } else { E::one() };
        let behind = found.normal.dot(found.arm) * side < E::zero();
        let d = found.distance(behind, found.normal * side);
        (d.distance <= reach).then_some(d)
    }

    /// What the surface nearest to `p` does in the substep, m; nothing where it is farther than it moves and `reach`.
    pub fn motion(&self, p: Vec3<E>, reach: E) -> Vec3<E> {
        if self.farthest == E::zero() {
            return Vec3::zero();
        }
        let Some(found) = self.mesh.nearest(p, reach + self.farthest) else { return Vec3::zero() };
        let [a, b, c] = self.moves[found.slot];
        let [u, v, w] = found.shares;
        a * u + b * v + c * w
    }

    /// The triangles where they are when the substep ends, about the centre.
    pub fn mesh(&self) -> &TriangleMesh<E> {
        &self.mesh
    }
    /// What the corners of each triangle do in the substep, m, in the order of the tree; and the farthest of all.
    pub fn moves(&self) -> (&[[Vec3<E>; 3]], E) {
        (&self.moves, self.farthest)
    }

    pub fn memory_bytes(&self) -> usize {
        self.mesh.memory_bytes() + self.moves.capacity() * size_of::<[Vec3<E>; 3]>()
    }
}
