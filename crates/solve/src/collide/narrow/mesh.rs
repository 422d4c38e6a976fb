//! Triangle meshes that do not move, and what touches them.

use super::frame::{Frame, either, unit};
use super::manifold::{Candidates, Manifold, ManifoldPoint};
use super::point::on_triangle;
use super::poly::{Edge, Face, Poly, PolyBuffer, clip, contact};
use super::poly_round::{face_round, poly_round};
use super::ray::RayHit;
use super::round::Round;
use super::shape::Geometry;
use crate::collide::Bounds;
use crate::collide::kernels::{Distance, corner_shares};
use crate::desc::error::{Error, Result};
use crate::desc::validate;
use crate::math::{Elem, Transform, Vec3};

/// Most triangles of a mesh.
pub const MAX_TRIANGLES: usize = 1 << 28;

/// What is on the other side of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Side<E> {
    /// Nothing, or more than one triangle.
    Free,
    /// Level with this triangle, or above it: nothing can be met there.
    Smooth,
    /// A ridge; the normal beyond.
    Ridge(Vec3<E>),
}

#[derive(Clone, Copy, Debug)]
struct Triangle<E> {
    points: [Vec3<E>; 3],
    normal: Vec3<E>,
    /// Of the edges 01, 12, 20.
    sides: [Side<E>; 3],
    /// Whose fans these corners have.
    corners: [u32; 3],
    /// As the host counts.
    index: u32,
}

/// A node of the tree, in the order of a walk: where a box is missed, go on at `skip`; else at the next node.
#[derive(Clone, Copy, Debug)]
pub struct Node<E> {
    pub bounds: Bounds<E>,
    pub skip: u32,
    /// Triangles of a leaf.
    pub first: u32,
    pub count: u32,
}

/// A triangle mesh with its tree. Its front is where the triangles run counterclockwise; it is felt from there alone.
#[derive(Clone, Debug)]
pub struct TriangleMesh<E> {
    triangles: Vec<Triangle<E>>,
    nodes: Vec<Node<E>>,
    /// Unit vectors along the edges that leave corner i: `fan[fans[i]..fans[i + 1]]`.
    fans: Vec<u32>,
    fan: Vec<Vec3<E>>,
    skipped: usize,
}

/// The triangle of a mesh that is nearest to a point.
#[derive(Clone, Copy, Debug)]
pub struct NearestTriangle<E> {
    /// The nearest point, and the arm from there.
    pub at: Vec3<E>,
    pub arm: Vec3<E>,
    pub normal: Vec3<E>,
    /// Its place in the tree, and what its corners have of the nearest point.
    pub slot: usize,
    pub shares: [E; 3],
    /// On an edge that has no neighbour.
    beside_free: bool,
}

impl<E: Elem> NearestTriangle<E> {
    /// The signed distance, with a normal of its own where the point lies on the surface.
    pub fn distance(&self, behind: bool, normal: Vec3<E>) -> Distance<E> {
        let l = self.arm.length();
        match unit(self.arm, either::<E>(1e-18, 1e-150)) {
            None => Distance { distance: E::zero(), normal },
            Some(along) if behind => Distance { distance: -l, normal: -along },
            Some(along) => Distance { distance: l, normal: along },
        }
    }
    /// From the front alone, up to `reach`; from behind, up to `deep`, but not beside a free edge.
    pub fn felt(&self, reach: E, deep: E) -> Option<Distance<E>> {
        let d = self.distance(self.normal.dot(self.arm) < E::zero(), self.normal);
        (d.distance <= reach && (E::zero() <= d.distance || (-d.distance <= deep && !self.beside_free))).then_some(d)
    }
}

const LEAF: usize = 4;
/// Squared distances that differ by this part are the same: of triangles that share the nearest point.
pub const TIE: f64 = 1e-5;

impl<E: Elem> TriangleMesh<E> {
    /// Points in m. Triangles without area are left out.
    ///
    /// # Errors
    /// A coordinate is not finite, a triangle names no point, no triangle has an area: with field, index and value.
    pub fn new(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self> {
        if triangles.is_empty() || triangles.len() > MAX_TRIANGLES {
            return Err(Error::invalid(format!("triangles has {} entries, must be 1 to {MAX_TRIANGLES}", triangles.len())));
        }
        for (i, p) in points.iter().enumerate() {
            validate::vector("points", Some(i), *p)?;
        }
        for (i, t) in triangles.iter().enumerate() {
            if let Some(k) = t.iter().position(|&v| v as usize >= points.len()) {
                return Err(Error::invalid(format!("triangles[{i}][{k}] is {}, there are {} points", t[k], points.len())));
            }
        }
        let points: Vec<Vec3<f64>> = points.iter().map(|p| Vec3::from(*p).map(|c| E::from_f64(c).to_f64())).collect();
        // Points at the same place are one.
        let mut order: Vec<usize> = (0..points.len()).collect();
        let key = |i: usize| points[i].map(|c| c + 0.0).to_array();
        let before = |a: &usize, b: &usize| {
            let (p, q) = (key(*a), key(*b));
            p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])).then(p[2].total_cmp(&q[2])).then(a.cmp(b))
        };
        order.sort_unstable_by(before);
        let mut same = vec![0usize; points.len()];
        let mut first = 0;
        for (k, &i) in order.iter().enumerate() {
            if k == 0 || key(i) != key(first) {
                first = i;
            }
            same[i] = first;
        }
        let mut normals = Vec::new();
        let mut kept: Vec<(u32, [usize; 3])> = Vec::new();
        for (i, t) in triangles.iter().enumerate() {
            let v = t.map(|k| same[k as usize]);
            let [a, b, c] = v.map(|k| points[k]);
            let n = (b - a).cross(c - a);
            let longest = (b - a).length2().max((c - b).length2()).max((a - c).length2());
            if n.length() > 1e-7 * longest {
                normals.push(n * (1.0 / n.length()));
                kept.push((i as u32, v));
            }
        }
        if kept.is_empty() {
            return Err(Error::invalid(format!("triangles: none of the {} has an area", triangles.len())));
        }
        let mut walked: Vec<(usize, usize, usize, usize)> = Vec::with_capacity(3 * kept.len());
        for (t, (_, v)) in kept.iter().enumerate() {
            for k in 0..3 {
                let (a, b) = (v[k], v[(k + 1) % 3]);
                walked.push((a.min(b), a.max(b), t, k));
            }
        }
        walked.sort_unstable();
        let mut sides = vec![[Side::Free; 3]; kept.len()];
        let mut from = 0;
        while from < walked.len() {
            let to = from + walked[from..].iter().take_while(|w| (w.0, w.1) == (walked[from].0, walked[from].1)).count();
            if let [(_, _, s, i), (_, _, t, j)] = walked[from..to] {
                for (t, k, other, l) in [(s, i, t, j), (t, j, s, i)] {
                    let tip = points[kept[other].1[(l + 2) % 3]] - points[kept[t].1[k]];
                    let m = normals[other];
                    let against = kept[t].1[k] == kept[other].1[l];
                    sides[t][k] = if against {
                        // The neighbour is wound the other way round.
                        Side::Free
                    } else if normals[t].dot(tip) >= -0.5 * LEAN * tip.length() {
                        Side::Smooth
                    } else {
                        Side::Ridge(m.map(E::from_f64))
                    };
                }
            }
            from = to;
        }
        let mut spokes: Vec<(usize, usize)> = walked.iter().flat_map(|w| [(w.0, w.1), (w.1, w.0)]).collect();
        spokes.sort_unstable();
        spokes.dedup();
        let (mut number, mut fans, mut fan) = (vec![0u32; points.len()], Vec::new(), Vec::new());
        for (k, &(from, to)) in spokes.iter().enumerate() {
            if k == 0 || spokes[k - 1].0 != from {
                number[from] = fans.len() as u32;
                fans.push(fan.len() as u32);
            }
            let along = points[to] - points[from];
            fan.push((along * (1.0 / along.length())).map(E::from_f64));
        }
        fans.push(fan.len() as u32);
        let skipped = triangles.len() - kept.len();
        let all: Vec<Triangle<E>> = kept
            .iter()
            .zip(normals)
            .zip(sides)
            .map(|(((index, v), normal), sides)| Triangle {
                points: v.map(|k| points[k].map(E::from_f64)),
                normal: normal.map(E::from_f64),
                sides,
                corners: v.map(|k| number[k]),
                index: *index,
            })
            .collect();
        let (triangles, nodes) = with_tree(all);
        Ok(TriangleMesh { triangles, nodes, fans, fan, skipped })
    }

    /// How many triangles without area were left out.
    pub fn skipped(&self) -> usize {
        self.skipped
    }
    pub fn len(&self) -> usize {
        self.triangles.len()
    }
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }
    pub fn bounds(&self) -> Bounds<E> {
        self.nodes.first().map_or(Bounds { min: Vec3::zero(), max: Vec3::zero() }, |n| n.bounds)
    }

    /// Calls `each` with the triangles whose box may meet what `misses` does not rule out.
    #[inline(always)]
    fn walk(&self, mut misses: impl FnMut(&Bounds<E>) -> bool, mut each: impl FnMut(&Triangle<E>)) {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if misses(&node.bounds) {
                at = node.skip as usize;
                continue;
            }
            let (first, count) = (node.first as usize, node.count as usize);
            for t in self.triangles.get(first..first + count).unwrap_or(&[]) {
                each(t);
            }
            at += 1;
        }
    }

    /// Indices, as the host counts, of the triangles whose leaf's box meets these bounds.
    pub fn overlapping(&self, bounds: &Bounds<E>, mut each: impl FnMut(u32)) {
        self.walk(|b| !b.overlaps(bounds), |t| each(t.index));
    }

    /// Every triangle near `bounds` as a polyhedron that is felt from both sides, with its normal and its number.
    pub(super) fn polys(&self, mut misses: impl FnMut(&Bounds<E>) -> bool, mut each: impl FnMut(&Poly<E>, Vec3<E>, u32)) {
        self.walk(&mut misses, |t| {
            let solid = Solid::new(t);
            each(&solid.poly(5, 6), t.normal, t.index);
        });
    }

    /// See [`super::point()`].
    pub(super) fn point(&self, p: Vec3<E>, reach: E, deep: E) -> Option<Distance<E>> {
        self.nearest(p, reach.max(deep))?.felt(reach, deep)
    }

    /// The triangle that is nearest to `p`, not farther than `most`; of several that share the nearest point, the one that `p` is most straight before or
    /// behind.
    pub fn nearest(&self, p: Vec3<E>, most: E) -> Option<NearestTriangle<E>> {
        let zero = E::zero();
        let (near, far) = (E::constant(1.0 - TIE), E::constant(1.0 + TIE));
        // Square of the distance, how straight, the nearest point, the triangle, whether its back is beside a free edge.
        let best = core::cell::Cell::new((most * most, -E::one(), Vec3::zero(), 0, false));
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            let d = (node.bounds.min - p).upper(p - node.bounds.max);
            let out = Vec3 { x: d.x.max(zero), y: d.y.max(zero), z: d.z.max(zero) };
            if best.get().0 * far < out.length2() {
                at = node.skip as usize;
                continue;
            }
            let (first, count) = (node.first as usize, node.count as usize);
            for (slot, t) in self.triangles.iter().enumerate().skip(first).take(count) {
                let (q, on) = on_triangle(t.points, p);
                let (arm, now) = (p - q, best.get());
                let (l2, straight) = (arm.length2(), t.normal.dot(arm).abs());
                if l2 < now.0 * near || (l2 <= now.0 * far && now.1 < straight) {
                    let free = (0..3).any(|k| on & 1 << k != 0 && t.sides[k] == Side::Free);
                    best.set((l2, straight, q, slot, free));
                }
            }
            at += 1;
        }
        let (_, straight, at, slot, beside_free) = best.get();
        if straight < zero {
            return None;
        }
        let t = self.triangles.get(slot)?;
        Some(NearestTriangle { at, arm: p - at, normal: t.normal, slot, beside_free, shares: corner_shares(t.points, at) })
    }

    /// The same in other numbers.
    pub fn cast<F: Elem>(&self) -> TriangleMesh<F> {
        let f = |v: Vec3<E>| v.map(|c| F::from_f64(c.to_f64()));
        let side = |s: &Side<E>| match *s {
            Side::Free => Side::Free,
            Side::Smooth => Side::Smooth,
            Side::Ridge(n) => Side::Ridge(f(n)),
        };
        let triangle = |t: &Triangle<E>| Triangle {
            points: t.points.map(f),
            normal: f(t.normal),
            sides: [side(&t.sides[0]), side(&t.sides[1]), side(&t.sides[2])],
            corners: t.corners,
            index: t.index,
        };
        let node = |n: &Node<E>| Node {
            bounds: Bounds { min: f(n.bounds.min), max: f(n.bounds.max) },
            skip: n.skip,
            first: n.first,
            count: n.count,
        };
        TriangleMesh {
            triangles: self.triangles.iter().map(triangle).collect(),
            nodes: self.nodes.iter().map(node).collect(),
            fans: self.fans.clone(),
            fan: self.fan.iter().map(|v| f(*v)).collect(),
            skipped: self.skipped,
        }
    }

    /// How many triangles there are before the one in this place of the tree, as the host counts.
    pub fn index(&self, slot: usize) -> u32 {
        self.triangles[slot].index
    }

    /// The tree, for others to walk.
    pub fn nodes(&self) -> &[Node<E>] {
        &self.nodes
    }
    /// The triangle in this place of the tree: its corners, its normal, and a bit for each of the edges 01, 12, 20 that has no neighbour.
    pub fn triangle(&self, slot: usize) -> ([Vec3<E>; 3], Vec3<E>, u32) {
        let t = &self.triangles[slot];
        (t.points, t.normal, (0..3).filter(|&k| t.sides[k] == Side::Free).map(|k| 1 << k).sum())
    }

    /// The same triangles elsewhere: `points(triangle)`, as the host counts. What has no area any more keeps its normal.
    pub fn refit(&mut self, points: impl Fn(u32) -> [Vec3<E>; 3]) {
        for t in &mut self.triangles {
            t.points = points(t.index);
            let [a, b, c] = t.points;
            t.normal = unit((b - a).cross(c - a), either::<E>(1e-30, 1e-200)).unwrap_or(t.normal);
        }
        // Children come after their node: the first is next to it, the second behind the first.
        for k in (0..self.nodes.len()).rev() {
            let node = self.nodes[k];
            self.nodes[k].bounds = if node.count > 0 {
                let first = node.first as usize;
                let mut all = Bounds::at(self.triangles[first].points[0]);
                for t in &self.triangles[first..first + node.count as usize] {
                    all = t.points.iter().fold(all, |b, p| b.around(&Bounds::at(*p)));
                }
                all
            } else {
                let one = &self.nodes[k + 1];
                one.bounds.around(&self.nodes[one.skip as usize].bounds)
            };
        }
    }

    pub fn memory_bytes(&self) -> usize {
        self.triangles.capacity() * size_of::<Triangle<E>>()
            + self.nodes.capacity() * size_of::<Node<E>>()
            + self.fans.capacity() * 4
            + self.fan.capacity() * size_of::<Vec3<E>>()
    }

    pub(super) fn ray(&self, origin: Vec3<E>, direction: Vec3<E>) -> Option<RayHit<E>> {
        let (zero, one) = (E::zero(), E::one());
        let best = core::cell::Cell::new(None::<RayHit<E>>);
        let misses = |b: &Bounds<E>| {
            let most = best.get().map_or(one, |h| h.fraction);
            let slabs = [
                (b.min.x, b.max.x, origin.x, direction.x),
                (b.min.y, b.max.y, origin.y, direction.y),
                (b.min.z, b.max.z, origin.z, direction.z),
            ];
            let (mut enter, mut leave) = (zero, most);
            for (low, high, o, d) in slabs {
                // A little larger: rounding must not lose what lies in a face of the box.
                let grow = (low.abs() + high.abs() + o.abs()) * either::<E>(1e-6, 1e-14);
                let (low, high) = (low - grow, high + grow);
                if d == zero {
                    if o < low || high < o {
                        return true;
                    }
                    continue;
                }
                let (s, t) = ((low - o) / d, (high - o) / d);
                enter = enter.max(s.min(t));
                leave = leave.min(s.max(t));
            }
            leave < enter
        };
        self.walk(misses, |t| {
            let n = t.normal;
            let speed = n.dot(direction);
            if speed == zero {
                return;
            }
            let fraction = n.dot(t.points[0] - origin) / speed;
            if !(fraction >= zero && fraction <= best.get().map_or(one, |h| h.fraction)) {
                return;
            }
            // Edges as the ray sees them: neighbours agree on their common edge.
            let [a, b, c] = t.points.map(|p| p - origin);
            let volume = |p: Vec3<E>, q: Vec3<E>| direction.dot(p.cross(q));
            let (u, v, w) = (volume(a, b), volume(b, c), volume(c, a));
            let within = (u >= zero && v >= zero && w >= zero) || (u <= zero && v <= zero && w <= zero);
            if within {
                let normal = if speed < zero { n } else { -n };
                best.set(Some(RayHit { fraction, normal, part: t.index }));
            }
        });
        best.get()
    }
}

/// Halves along the longest axis of the centres, to leaves of at most [`LEAF`].
fn with_tree<E: Elem>(all: Vec<Triangle<E>>) -> (Vec<Triangle<E>>, Vec<Node<E>>) {
    enum Task {
        Split(usize, usize),
        Close(usize),
    }
    let center = |t: &Triangle<E>| (t.points[0] + t.points[1] + t.points[2]).map(E::to_f64).to_array();
    let centers: Vec<[f64; 3]> = all.iter().map(center).collect();
    let mut order: Vec<usize> = (0..all.len()).collect();
    let mut nodes: Vec<Node<E>> = Vec::new();
    let mut tasks = vec![Task::Split(0, all.len())];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Close(node) => nodes[node].skip = nodes.len() as u32,
            Task::Split(from, to) => {
                let part = &mut order[from..to];
                let corner = all[part[0]].points[0];
                let mut bounds = Bounds::at(corner);
                let (mut low, mut high) = (centers[part[0]], centers[part[0]]);
                for &t in part.iter() {
                    for p in all[t].points {
                        bounds = bounds.around(&Bounds::at(p));
                    }
                    for k in 0..3 {
                        low[k] = low[k].min(centers[t][k]);
                        high[k] = high[k].max(centers[t][k]);
                    }
                }
                let node = nodes.len();
                let leaf = to - from <= LEAF;
                let count = if leaf { to - from } else { 0 };
                nodes.push(Node { bounds, skip: node as u32 + 1, first: from as u32, count: count as u32 });
                if leaf {
                    part.sort_unstable();
                } else {
                    let widths = [0, 1, 2].map(|k| high[k] - low[k]);
                    let axis = if widths[0] >= widths[1] && widths[0] >= widths[2] {
                        0
                    } else if widths[1] >= widths[2] {
                        1
                    } else {
                        2
                    };
                    let half = part.len() / 2;
                    let by = |a: &usize, b: &usize| centers[*a][axis].total_cmp(&centers[*b][axis]).then(a.cmp(b));
                    part.select_nth_unstable_by(half, by);
                    tasks.push(Task::Close(node));
                    tasks.push(Task::Split(from + half, to));
                    tasks.push(Task::Split(from, from + half));
                }
            }
        }
    }
    (order.into_iter().map(|t| all[t]).collect(), nodes)
}

// A triangle as a prism of no height: faces front, three sides, back. The first three edges are those of the front.
const STARTS: [u16; 6] = [0, 3, 5, 7, 9, 12];
const LOOPS: [u8; 12] = [0, 1, 2, 0, 1, 1, 2, 2, 0, 0, 2, 1];
const EDGES: [Edge; 6] = [
    Edge { vertices: [0, 1], faces: [0, 1] },
    Edge { vertices: [1, 2], faces: [0, 2] },
    Edge { vertices: [2, 0], faces: [0, 3] },
    Edge { vertices: [1, 0], faces: [4, 1] },
    Edge { vertices: [2, 1], faces: [4, 2] },
    Edge { vertices: [0, 2], faces: [4, 3] },
];

struct Solid<E> {
    vertices: [Vec3<E>; 3],
    faces: [Face<E>; 5],
    center: Vec3<E>,
}

impl<E: Elem> Solid<E> {
    #[inline(always)]
    fn new(t: &Triangle<E>) -> Self {
        let [a, b, c] = t.points;
        let n = t.normal;
        let face = |normal: Vec3<E>, x: Vec3<E>| Face { normal, offset: normal.dot(x) };
        let side = |p: Vec3<E>, q: Vec3<E>| face(unit((q - p).cross(n), E::zero()).unwrap_or(n), p);
        let faces = [face(n, a), side(a, b), side(b, c), side(c, a), face(-n, a)];
        Solid { vertices: t.points, faces, center: (a + b + c) * E::constant(1.0 / 3.0) }
    }
    #[inline(always)]
    fn poly(&self, faces: usize, edges: usize) -> Poly<'_, E> {
        Poly {
            vertices: &self.vertices,
            faces: &self.faces[..faces],
            starts: &STARTS,
            loops: &LOOPS,
            edges: &EDGES[..edges],
            center: self.center,
            inner: E::zero(),
            half: None,
            triangle: true,
        }
    }
}

/// Most manifolds with one mesh; normals beyond join the nearest.
const MOST: usize = 32;
/// Cosine of the angle up to which two normals are one.
const SAME: f64 = 0.999;
/// Sine of the angle by which a normal may lean over an edge that cannot be felt.
const LEAN: f64 = 1e-3;
/// Part of the lean that a normal may have along an edge and still be the edge's.
const ALONG: f64 = 0.05;

/// The points of a mesh and a convex shape that are nearer than `reach`, a manifold a normal. `out` is cleared; its memory is
/// used again.
///
/// Only the front of a triangle is felt, by shapes whose middle is before it. A normal that leans over an edge which the
/// neighbour goes on from smoothly, or beyond the neighbour's normal, is one that no surface has: there the shape is held
/// against the triangle's face instead, so that nothing catches on edges inside a surface.
pub fn mesh_manifolds<E: Elem>(
    mesh: &TriangleMesh<E>,
    b: &Geometry<E>,
    b_in_mesh: &Transform<E>,
    reach: E,
    out: &mut Vec<Manifold<E>>,
) {
    out.clear();
    if !b.can_move() {
        return;
    }
    let frame = Frame::new(b_in_mesh);
    let mut bounds = b.bounds(b_in_mesh);
    let grow = reach.max(E::zero());
    let grow = Vec3 { x: grow, y: grow, z: grow };
    bounds = Bounds { min: bounds.min - grow, max: bounds.max + grow };
    if !bounds.min.length2().is_finite() || !bounds.max.length2().is_finite() {
        return;
    }
    let middle = frame.point(b.middle());
    let round = Round::new(b, &frame);
    let mut buffer = PolyBuffer::new();
    let poly = Poly::new(b, &mut buffer);
    mesh.walk(
        |node| !node.overlaps(&bounds),
        |t| {
            if t.normal.dot(middle - t.points[0]) < E::zero() {
                return;
            }
            let [p, q, r] = t.points;
            let own = Bounds::at(p).around(&Bounds::at(q)).around(&Bounds::at(r));
            if !own.overlaps(&bounds) {
                return;
            }
            if let Some(round) = &round
                && -round.support(-t.normal) - t.normal.dot(p) > reach
            {
                return;
            }
            let mut found = Manifold::default();
            one(mesh, t, round.as_ref(), &poly, &frame, reach, &mut found);
            if found.count > 0 && found.separation().is_finite() && found.normal.length2().is_finite() {
                let salt = t.index.wrapping_mul(0x9E37_79B1);
                for point in found.points.iter_mut() {
                    point.feature ^= salt;
                }
                join(&found, b.inner_radius(), out);
            }
        },
    );
}

fn one<E: Elem>(
    mesh: &TriangleMesh<E>,
    t: &Triangle<E>,
    round: Option<&Round<E>>,
    b: &Poly<E>,
    frame: &Frame<E>,
    reach: E,
    out: &mut Manifold<E>,
) {
    let solid = Solid::new(t);
    let front = solid.poly(4, 3);
    let lost = match round {
        Some(round) => {
            poly_round(&front, round, reach, out);
            false
        }
        None => contact(&front, b, frame, reach, &mut 0, out).is_some(),
    };
    if !lost && (out.count == 0 || felt(mesh, t, &solid, out.normal)) {
        return;
    }
    match round {
        Some(round) => {
            face_round(&front, 0, round, reach, out);
        }
        None if b.is_small() => {
            clip::<E, 12>(&front, b, frame, 0, reach, 0, out);
        }
        None => {
            clip::<E, 64>(&front, b, frame, 0, reach, 0, out);
        }
    }
}

/// Whether the surface has this normal at the triangle: whether the edge or corner of it that lies farthest along `n` does so
/// among its neighbours too.
fn felt<E: Elem>(mesh: &TriangleMesh<E>, t: &Triangle<E>, solid: &Solid<E>, n: Vec3<E>) -> bool {
    let up = n.dot(t.normal);
    if up < E::zero() {
        return false;
    }
    let zero = E::zero();
    let mut leans = false;
    for (side, face) in t.sides.iter().zip(&solid.faces[1..4]) {
        let out = face.normal;
        let lean = n.dot(out);
        if lean <= E::constant(LEAN) {
            continue;
        }
        leans = true;
        let along = n.dot(out.cross(t.normal));
        if along.abs() > lean * E::constant(ALONG) {
            continue;
        }
        // Across this edge: it lies farthest out.
        return match side {
            Side::Free => true,
            Side::Smooth => false,
            Side::Ridge(beyond) => {
                let (sine, cosine) = (beyond.dot(out), beyond.dot(t.normal));
                lean * cosine - up * sine <= E::constant(LEAN)
            }
        };
    }
    if !leans {
        return true;
    }
    let mut corner = (0, n.dot(t.points[0]));
    for (k, p) in t.points.iter().enumerate().skip(1) {
        if corner.1 < n.dot(*p) {
            corner = (k, n.dot(*p));
        }
    }
    let i = t.corners[corner.0] as usize;
    let (Some(&from), Some(&to)) = (mesh.fans.get(i), mesh.fans.get(i + 1)) else { return false };
    let fan = mesh.fan.get(from as usize..to as usize).unwrap_or(&[]);
    // NaN is not felt.
    fan.iter().all(|spoke| spoke.dot(n) - E::constant(LEAN) <= zero)
}

fn join<E: Elem>(found: &Manifold<E>, size: E, out: &mut Vec<Manifold<E>>) {
    let mut best: Option<(usize, E)> = None;
    for (i, m) in out.iter().enumerate() {
        let c = m.normal.dot(found.normal);
        if best.is_none_or(|b| b.1 < c) {
            best = Some((i, c));
        }
    }
    let slot = match best {
        Some((i, c)) if c > E::constant(SAME) || out.len() >= MOST => out.get_mut(i),
        _ => None,
    };
    let Some(slot) = slot else {
        out.push(*found);
        return;
    };
    let mut candidates = Candidates::<E, 8>::new();
    let near = size * E::constant(1e-2);
    // Of two at the same place the deeper.
    let near = |p: &ManifoldPoint<E>, q: &ManifoldPoint<E>| (q.position - p.position).length2() < near * near;
    for p in slot.points() {
        if !found.points().iter().any(|q| near(p, q) && q.separation < p.separation) {
            candidates.push(p.position, p.separation, p.feature);
        }
    }
    for p in found.points() {
        if !slot.points().iter().any(|q| near(p, q) && q.separation <= p.separation) {
            candidates.push(p.position, p.separation, p.feature);
        }
    }
    if found.separation() < slot.separation() {
        slot.normal = found.normal;
    }
    candidates.choose(slot);
}
