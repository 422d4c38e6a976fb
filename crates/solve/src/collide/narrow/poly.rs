//! Convex polyhedra against each other: separating axes, then the incident face clipped to the reference face.
//!
//! Source: Gregorius, "The Separating Axis Test between Convex Polyhedra" (GDC 2013); Ericson, "Real-Time Collision Detection"
//! (2005), 4.4 and 5.2.

use super::frame::{Frame, below, either, unit};
use super::gjk;
use super::manifold::{Candidates, Manifold};
use super::shape::Geometry;
use crate::math::vec3::vec3;
use crate::math::{Elem, Vec3};

/// n·x = offset, n out of the shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face<E> {
    pub normal: Vec3<E>,
    pub offset: E,
}

/// An edge: from `vertices[0]` to `vertices[1]`, with `faces[0]` on its left seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub vertices: [u8; 2],
    pub faces: [u16; 2],
}

/// What a box, a hull and a triangle have in common.
pub(super) struct Poly<'a, E> {
    pub vertices: &'a [Vec3<E>],
    pub faces: &'a [Face<E>],
    /// The loop of face i is `loops[starts[i]..starts[i + 1]]`, counterclockwise seen from outside.
    pub starts: &'a [u16],
    pub loops: &'a [u8],
    pub edges: &'a [Edge],
    pub center: Vec3<E>,
    /// About the radius of the largest sphere inside: a size to measure tolerances by.
    pub inner: E,
    /// Half extents of a box.
    pub half: Option<Vec3<E>>,
    /// A triangle of a mesh: the first face is its front.
    pub triangle: bool,
}

/// Where the corners of a box lie while it is looked at.
pub(super) struct PolyBuffer<E> {
    vertices: [Vec3<E>; 8],
    faces: [Face<E>; 6],
}

impl<E: Elem> PolyBuffer<E> {
    #[inline(always)]
    pub fn new() -> Self {
        let face = Face { normal: Vec3::zero(), offset: E::zero() };
        PolyBuffer { vertices: [Vec3::zero(); 8], faces: [face; 6] }
    }
}

// Corner i of a box is at +x where bit 0 is set, +y bit 1, +z bit 2. Faces: +x −x +y −y +z −z.
const BOX_LOOPS: [u8; 24] = [1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3, 0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1];
const BOX_STARTS: [u16; 7] = [0, 4, 8, 12, 16, 20, 24];
const BOX_EDGES: [Edge; 12] = box_edges();

const fn box_edges() -> [Edge; 12] {
    let mut edges = [Edge { vertices: [0; 2], faces: [0; 2] }; 12];
    let (mut axis, mut n) = (0, 0);
    // Edge 4·axis + k runs along that axis, k counts its corners in rising order.
    while axis < 3 {
        let mut corner = 0;
        while corner < 8 {
            if corner & (1 << axis) == 0 {
                let ends = [corner as u8, (corner | (1 << axis)) as u8];
                let mut face = 0;
                while face < 6 {
                    let mut k = 0;
                    while k < 4 {
                        let (a, b) = (BOX_LOOPS[face * 4 + k], BOX_LOOPS[face * 4 + (k + 1) % 4]);
                        if a == ends[0] && b == ends[1] {
                            edges[n].faces[0] = face as u16;
                        } else if a == ends[1] && b == ends[0] {
                            edges[n].faces[1] = face as u16;
                        }
                        k += 1;
                    }
                    face += 1;
                }
                edges[n].vertices = ends;
                n += 1;
            }
            corner += 1;
        }
        axis += 1;
    }
    edges
}

impl<'a, E: Elem> Poly<'a, E> {
    /// A box or a hull; of anything else a point.
    #[inline(always)]
    pub fn new(g: &'a Geometry<E>, buffer: &'a mut PolyBuffer<E>) -> Poly<'a, E> {
        match g {
            Geometry::Hull(hull) => hull.poly(),
            Geometry::Box { half_extents } => Poly::cuboid(*half_extents, buffer),
            _ => Poly {
                vertices: &buffer.vertices[..1],
                faces: &[],
                starts: &BOX_STARTS[..1],
                loops: &[],
                edges: &[],
                center: Vec3::zero(),
                inner: E::zero(),
                half: None,
                triangle: false,
            },
        }
    }

    #[inline(always)]
    pub fn cuboid(h: Vec3<E>, buffer: &'a mut PolyBuffer<E>) -> Poly<'a, E> {
        let (zero, one) = (E::zero(), E::one());
        for (i, v) in buffer.vertices.iter_mut().enumerate() {
            let sign = |bit: usize, x: E| if i & bit == 0 { -x } else { x };
            *v = vec3(sign(1, h.x), sign(2, h.y), sign(4, h.z));
        }
        let normals = [vec3(one, zero, zero), vec3(zero, one, zero), vec3(zero, zero, one)];
        for (i, (n, h)) in normals.into_iter().zip([h.x, h.y, h.z]).enumerate() {
            buffer.faces[2 * i] = Face { normal: n, offset: h };
            buffer.faces[2 * i + 1] = Face { normal: -n, offset: h };
        }
        Poly {
            vertices: &buffer.vertices,
            faces: &buffer.faces,
            starts: &BOX_STARTS,
            loops: &BOX_LOOPS,
            edges: &BOX_EDGES,
            center: Vec3::zero(),
            inner: h.x.min(h.y).min(h.z),
            half: Some(h),
            triangle: false,
        }
    }

    /// Whether no face has more than four corners.
    #[inline(always)]
    pub fn is_small(&self) -> bool {
        self.half.is_some() || self.triangle
    }

    #[inline(always)]
    pub fn vertex(&self, i: u8) -> Vec3<E> {
        self.vertices.get(i as usize).copied().unwrap_or(Vec3::zero())
    }

    #[inline(always)]
    pub fn face_loop(&self, face: usize) -> &'a [u8] {
        match (self.starts.get(face), self.starts.get(face + 1)) {
            (Some(&from), Some(&to)) => self.loops.get(from as usize..to as usize).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// The vertex farthest along n.
    #[inline(always)]
    pub fn support(&self, n: Vec3<E>) -> (usize, E) {
        if let Some(h) = self.half {
            let (zero, n_) = (E::zero(), n.map(E::abs));
            let i = (zero < n.x) as usize | ((zero < n.y) as usize) << 1 | ((zero < n.z) as usize) << 2;
            return (i, n_.dot(h));
        }
        let mut best = (0, E::from_f64(f64::NEG_INFINITY));
        for (i, v) in self.vertices.iter().enumerate() {
            let s = n.dot(*v);
            if best.1 < s {
                best = (i, s);
            }
        }
        best
    }

    /// The face whose normal is nearest to n.
    #[inline(always)]
    pub fn facing(&self, n: Vec3<E>) -> usize {
        if self.half.is_some() {
            let (x, y, z) = (n.x.abs(), n.y.abs(), n.z.abs());
            let zero = E::zero();
            return if x >= y && x >= z {
                (n.x < zero) as usize
            } else if y >= z {
                2 + (n.y < zero) as usize
            } else {
                4 + (n.z < zero) as usize
            };
        }
        let mut best = (0, E::from_f64(f64::NEG_INFINITY));
        for (i, face) in self.faces.iter().enumerate() {
            let s = n.dot(face.normal);
            if best.1 < s {
                best = (i, s);
            }
        }
        best.0
    }
}

/// What holds two polyhedra apart, or keeps the overlap least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Axis {
    FaceA(usize),
    FaceB(usize),
    /// An edge of a, an edge of b.
    Edges(usize, usize),
}

impl Axis {
    fn pack(self) -> u64 {
        match self {
            Axis::FaceA(i) => 1 | (i as u64) << 2,
            Axis::FaceB(i) => 2 | (i as u64) << 2,
            Axis::Edges(i, j) => 3 | (i as u64) << 2 | (j as u64) << 32,
        }
    }
    fn unpack(bits: u64) -> Option<Axis> {
        let i = ((bits & 0xFFFF_FFFF) >> 2) as usize;
        match bits & 3 {
            1 => Some(Axis::FaceA(i)),
            2 => Some(Axis::FaceB(i)),
            3 => Some(Axis::Edges(i, (bits >> 32) as usize)),
            _ => None,
        }
    }
}

/// An axis that was measured. `normal` from a to b, in the frame of a.
#[derive(Clone, Copy)]
pub(super) struct Measured<E> {
    pub axis: Axis,
    pub normal: Vec3<E>,
    pub separation: E,
}

struct Pair<'a, 'b, E> {
    a: &'b Poly<'a, E>,
    b: &'b Poly<'a, E>,
    frame: &'b Frame<E>,
}

impl<E: Elem> Pair<'_, '_, E> {
    #[inline(always)]
    fn face_a(&self, i: usize) -> Option<Measured<E>> {
        let face = self.a.faces.get(i)?;
        let (_, s) = self.b.support(-self.frame.turn_back(face.normal));
        let separation = face.normal.dot(self.frame.origin) - face.offset - s;
        Some(Measured { axis: Axis::FaceA(i), normal: face.normal, separation })
    }
    #[inline(always)]
    fn face_b(&self, i: usize) -> Option<Measured<E>> {
        let face = self.b.faces.get(i)?;
        let normal = self.frame.turn(face.normal);
        let (_, s) = self.a.support(-normal);
        let separation = -normal.dot(self.frame.origin) - face.offset - s;
        Some(Measured { axis: Axis::FaceB(i), normal: -normal, separation })
    }
    /// The axis across two edges, whatever it is worth.
    fn edges(&self, i: usize, j: usize) -> Option<Measured<E>> {
        let (ea, eb) = (self.a.edges.get(i)?, self.b.edges.get(j)?);
        let [a0, a1] = ea.vertices.map(|v| self.a.vertex(v));
        let [b0, b1] = eb.vertices.map(|v| self.frame.point(self.b.vertex(v)));
        let (u, v) = (a1 - a0, b1 - b0);
        let m = u.cross(v);
        let n = unit(m, (u.length2() * v.length2()).sqrt() * either::<E>(1e-3, 1e-6))?;
        let out = self.a.faces.get(ea.faces[0] as usize)?.normal + self.a.faces.get(ea.faces[1] as usize)?.normal;
        let n = if n.dot(out) < E::zero() { -n } else { n };
        Some(Measured { axis: Axis::Edges(i, j), normal: n, separation: n.dot(b0 - a0) })
    }
    /// Separation of the whole shapes along n.
    fn along(&self, n: Vec3<E>) -> E {
        let (_, far) = self.a.support(n);
        let (_, near) = self.b.support(-self.frame.turn_back(n));
        n.dot(self.frame.origin) - near - far
    }
}

/// The axis of the largest separation, or the first one beyond `reach`. b's faces must be better than a's, and edges than faces, by
/// `slack`.
fn separate<E: Elem>(pair: &Pair<E>, reach: E, slack: E) -> Option<Measured<E>> {
    if let (Some(a), Some(b)) = (pair.a.half, pair.b.half) {
        return Some(separate_boxes(a, b, pair, reach, slack));
    }
    let mut best: Option<Measured<E>> = None;
    for i in 0..pair.a.faces.len() {
        let found = pair.face_a(i)?;
        if best.is_none_or(|b| b.separation < found.separation) {
            if found.separation > reach {
                return Some(found);
            }
            best = Some(found);
        }
    }
    let mut faces = best?;
    for i in 0..pair.b.faces.len() {
        let found = pair.face_b(i)?;
        if faces.separation + slack < found.separation || faces.axis_is_b() && faces.separation < found.separation {
            if found.separation > reach {
                return Some(found);
            }
            faces = found;
        }
    }
    let least = faces.separation + slack;
    Some(if pair.a.is_small() {
        separate_edges::<E, 6, 12>(pair, faces, least, reach)
    } else {
        separate_edges::<E, MOST_FACES, MOST_EDGES>(pair, faces, least, reach)
    })
}

/// Most faces and edges of a polyhedron with 255 corners.
const MOST_FACES: usize = 506;
const MOST_EDGES: usize = 759;

/// The best pair of edges, if it is better than `least`, else `faces`.
fn separate_edges<E: Elem, const FACES: usize, const EDGES: usize>(
    pair: &Pair<E>,
    faces: Measured<E>,
    least: E,
    reach: E,
) -> Measured<E> {
    let zero = E::zero();
    let (a, b, frame) = (pair.a, pair.b, pair.frame);
    let mut best = faces;
    let limit = either::<E>(1e-6, 1e-12);
    // Both shapes hold a sphere about their centres. Seen from the other's centre an edge between faces that both look away, by
    // more than the best, cannot be the one.
    let (center_a, center_b) = (a.center, frame.point(b.center));
    let mut turned_away = [false; EDGES];
    for (edge, away) in a.edges.iter().zip(&mut turned_away) {
        let [f, g] = edge.faces.map(|f| a.faces.get(f as usize).map_or(Vec3::zero(), |f| f.normal));
        let w = center_b - a.vertex(edge.vertices[0]);
        let most = f.dot(w).max(g.dot(w));
        *away = most < zero && most - b.inner <= least;
    }
    let mut slopes = [zero; FACES];
    for (j, eb) in b.edges.iter().enumerate() {
        let [b0, b1] = eb.vertices.map(|v| frame.point(b.vertex(v)));
        let v = b1 - b0;
        let [m0, m1] = eb.faces.map(|f| frame.turn(b.faces.get(f as usize).map_or(Vec3::zero(), |f| f.normal)));
        let w = b0 - center_a;
        let most = (-m0.dot(w)).max(-m1.dot(w));
        if most < zero && most - a.inner <= least {
            continue;
        }
        for (slope, face) in slopes.iter_mut().zip(a.faces) {
            *slope = face.normal.dot(v);
        }
        for ((i, ea), away) in a.edges.iter().enumerate().zip(&turned_away) {
            // Do the arcs of normals cross on the sphere (b's negated)? Only then do the edges meet first.
            let [Some(&c), Some(&d)] = ea.faces.map(|f| slopes.get(f as usize)) else { continue };
            if c * d >= zero || *away {
                continue;
            }
            let a0 = a.vertex(ea.vertices[0]);
            let u = a.vertex(ea.vertices[1]) - a0;
            let (e, f) = (m0.dot(u), m1.dot(u));
            if e * f >= zero || e * d >= zero {
                continue;
            }
            let m = u.cross(v);
            let l2 = m.length2();
            if l2 < limit * u.length2() * v.length2() {
                continue;
            }
            let [f0, f1] = ea.faces.map(|f| a.faces.get(f as usize).map_or(Vec3::zero(), |f| f.normal));
            let n = m * (E::one() / l2.sqrt());
            let n = if n.dot(f0 + f1) < zero { -n } else { n };
            let separation = n.dot(b0 - a0);
            if least < separation && best.separation < separation {
                best = Measured { axis: Axis::Edges(i, j), normal: n, separation };
                if separation > reach {
                    return best;
                }
            }
        }
    }
    best
}

impl<E> Measured<E> {
    #[inline(always)]
    fn axis_is_b(&self) -> bool {
        matches!(self.axis, Axis::FaceB(_))
    }
}

/// Part of the size for `slack`.
const SLACK: f64 = 1e-3;

/// The fifteen axes of two boxes (Gottschalk et al., "OBBTree", 1996).
fn separate_boxes<E: Elem>(a: Vec3<E>, b: Vec3<E>, pair: &Pair<E>, reach: E, slack: E) -> Measured<E> {
    let zero = E::zero();
    let (r, t) = (&pair.frame.axes, pair.frame.origin);
    let q = r.map(|c| c.map(E::abs));
    let basis = [vec3(E::one(), zero, zero), vec3(zero, E::one(), zero), vec3(zero, zero, E::one())];
    let (ha, hb) = ([a.x, a.y, a.z], [b.x, b.y, b.z]);
    let spread = q[0] * b.x + q[1] * b.y + q[2] * b.z;
    let gaps = [t.x.abs() - a.x - spread.x, t.y.abs() - a.y - spread.y, t.z.abs() - a.z - spread.z];
    let (ts, mut best) = ([t.x, t.y, t.z], (0, gaps[0]));
    for (i, gap) in gaps.into_iter().enumerate().skip(1) {
        if best.1 < gap {
            best = (i, gap);
        }
    }
    let toward = |i: usize| if ts[i] < zero { (2 * i + 1, -basis[i]) } else { (2 * i, basis[i]) };
    let (face, normal) = toward(best.0);
    let mut found = Measured { axis: Axis::FaceA(face), normal, separation: best.1 };
    if best.1 > reach {
        return found;
    }
    let tb = r.map(|c| t.dot(c));
    let mut best = (0, E::from_f64(f64::NEG_INFINITY));
    for j in 0..3 {
        let gap = tb[j].abs() - hb[j] - q[j].dot(a);
        if best.1 < gap {
            best = (j, gap);
        }
    }
    if found.separation + slack < best.1 {
        let j = best.0;
        let (face, normal) = if tb[j] < zero { (2 * j, -r[j]) } else { (2 * j + 1, r[j]) };
        found = Measured { axis: Axis::FaceB(face), normal, separation: best.1 };
        if best.1 > reach {
            return found;
        }
    }
    let (least, limit) = (found.separation + slack, either::<E>(1e-6, 1e-12));
    let mut edge: Option<(usize, usize, E, Vec3<E>)> = None;
    for (i, &x) in basis.iter().enumerate() {
        for j in 0..3 {
            let n = x.cross(r[j]);
            let l2 = n.length2();
            if l2 < limit {
                continue;
            }
            let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
            let at = |v: &Vec3<E>, k: usize| [v.x, v.y, v.z][k];
            let far = ha[i1] * at(&q[j], i2) + ha[i2] * at(&q[j], i1) + hb[j1] * at(&q[j2], i) + hb[j2] * at(&q[j1], i);
            let d = n.dot(t);
            let gap = d.abs() - far;
            let best = edge.map_or(least, |e| e.2);
            // Compared before the root: most axes end here.
            let below = if best < zero {
                gap < zero && gap * gap >= best * best * l2
            } else {
                gap <= zero || gap * gap <= best * best * l2
            };
            if below {
                continue;
            }
            let l = l2.sqrt();
            edge = Some((i, j, gap / l, n * ((if d < zero { -E::one() } else { E::one() }) / l)));
        }
    }
    if let Some((i, j, separation, n)) = edge {
        // The edges of these directions that lie farthest along n, and against it.
        let corner = |v: Vec3<E>, axis: usize| {
            let bits = (zero < v.x) as usize | ((zero < v.y) as usize) << 1 | ((zero < v.z) as usize) << 2;
            let (low, high) = (bits & ((1 << axis) - 1), bits >> (axis + 1));
            4 * axis + (low | high << axis)
        };
        let axis = Axis::Edges(corner(n, i), corner(-pair.frame.turn_back(n), j));
        found = Measured { axis, normal: n, separation };
    }
    found
}

pub(super) fn poly_poly<E: Elem>(a: &Poly<E>, b: &Poly<E>, frame: &Frame<E>, reach: E, cache: &mut u64, out: &mut Manifold<E>) {
    let Some(found) = contact(a, b, frame, reach, cache, out) else { return };
    // Only rounding leaves an overlap without a point.
    let (i, _) = b.support(-frame.turn_back(found.normal));
    let p = frame.point(b.vertices.get(i).copied().unwrap_or(b.center));
    out.count = 0;
    out.normal = found.normal;
    out.push(p - found.normal * (found.separation * E::constant(0.5)), found.separation, 0x2000_0000 | i as u32);
}

/// Answers the axis of an overlap of which no point was found.
pub(super) fn contact<E: Elem>(
    a: &Poly<E>,
    b: &Poly<E>,
    frame: &Frame<E>,
    reach: E,
    cache: &mut u64,
    out: &mut Manifold<E>,
) -> Option<Measured<E>> {
    let pair = Pair { a, b, frame };
    // What held them apart before most likely does so still.
    let before = match Axis::unpack(*cache) {
        Some(Axis::FaceA(i)) => pair.face_a(i).map(|m| m.separation),
        Some(Axis::FaceB(i)) => pair.face_b(i).map(|m| m.separation),
        Some(Axis::Edges(i, j)) => pair.edges(i, j).map(|m| pair.along(m.normal)),
        None => None,
    };
    if before.is_some_and(|s| s > reach) {
        return None;
    }
    let slack = (a.inner + b.inner) * E::constant(SLACK);
    let found = separate(&pair, reach, slack)?;
    *cache = found.axis.pack();
    if !below(found.separation, reach) {
        return None;
    }
    if points(&pair, &found, reach, slack, out) {
        return None;
    }
    if found.separation > E::zero() {
        // Faces or edges that do not face each other: corners are nearest, at more than the axis tells.
        out.count = 0;
        if let Some(near) = gjk::polys(a, b, frame)
            && near.distance < reach
        {
            out.normal = near.normal;
            out.push((near.on_a + near.on_b) * E::constant(0.5), near.distance, near.feature());
        }
        return None;
    }
    // The preference was for what does not touch: the very best axis does.
    let found = separate(&pair, reach, E::zero())?;
    if points(&pair, &found, reach, slack, out) {
        return None;
    }
    out.count = 0;
    Some(found)
}

/// Fills `out` for this axis; true if it has a point as deep as the axis says.
fn points<E: Elem>(pair: &Pair<E>, found: &Measured<E>, reach: E, slack: E, out: &mut Manifold<E>) -> bool {
    let (a, b, frame) = (pair.a, pair.b, pair.frame);
    let small = a.is_small() && b.is_small();
    let least = match found.axis {
        Axis::FaceA(i) if small => clip::<E, 12>(a, b, frame, i, reach, 0, out),
        Axis::FaceA(i) => clip::<E, 64>(a, b, frame, i, reach, 0, out),
        Axis::FaceB(i) => {
            let back = frame.inverse();
            let least = if small {
                clip::<E, 12>(b, a, &back, i, reach, 1 << 31, out)
            } else {
                clip::<E, 64>(b, a, &back, i, reach, 1 << 31, out)
            };
            out.normal = -out.normal;
            out.moved(frame);
            least
        }
        Axis::Edges(i, j) => cross_edges(pair, i, j, found, out),
    };
    out.count > 0 && least.is_some_and(|s| s < found.separation + slack + slack)
}

/// One point between two edges; its separation where both edges have it.
fn cross_edges<E: Elem>(pair: &Pair<E>, i: usize, j: usize, found: &Measured<E>, out: &mut Manifold<E>) -> Option<E> {
    let (ea, eb) = (pair.a.edges.get(i)?, pair.b.edges.get(j)?);
    let [a0, a1] = ea.vertices.map(|v| pair.a.vertex(v));
    let [b0, b1] = eb.vertices.map(|v| pair.frame.point(pair.b.vertex(v)));
    let (u, v, w) = (a1 - a0, b1 - b0, b0 - a0);
    let m = u.cross(v);
    let d = m.length2();
    if d <= E::zero() {
        return None;
    }
    let (s, t) = (w.cross(v).dot(m) / d, w.cross(u).dot(m) / d);
    let (low, high) = (E::constant(-1e-3), E::constant(1.0 + 1e-3));
    let within = s > low && s < high && t > low && t < high;
    if !within {
        return None;
    }
    out.normal = found.normal;
    let p = (a0 + u * s + b0 + v * t) * E::constant(0.5);
    out.push(p, found.separation, 0x4000_0000 | (i as u32 & 0xFFF) << 12 | (j as u32 & 0xFFF));
    Some(found.separation)
}

/// A corner of the polygon that is clipped.
#[derive(Clone, Copy)]
struct Corner<E> {
    p: Vec3<E>,
    id: u32,
}

/// Faces with more corners are thinned out to this many for clipping.
const MOST_CORNERS: usize = 32;

/// Clips the face of `other` that faces `face` of `poly`, `other` at `frame`. Fills `out` in the frame of `poly` and gives the
/// least separation, if there is any point below `reach`.
pub(super) fn clip<E: Elem, const N: usize>(
    poly: &Poly<E>,
    other: &Poly<E>,
    frame: &Frame<E>,
    face: usize,
    reach: E,
    tag: u32,
    out: &mut Manifold<E>,
) -> Option<E> {
    let (zero, half) = (E::zero(), E::constant(0.5));
    let &Face { normal: n, offset } = poly.faces.get(face)?;
    out.normal = n;
    out.count = 0;
    let none = Corner { p: Vec3::zero(), id: 0 };
    let (mut from, mut to) = ([none; N], [none; N]);
    let incident = other.face_loop(other.facing(-frame.turn_back(n)));
    let step = incident.len().div_ceil(MOST_CORNERS).max(1);
    // Thinned out from the deepest corner on, which must not be lost.
    let mut start = (0, E::zero());
    if step > 1 {
        let inward = frame.turn_back(n);
        for (k, &v) in incident.iter().enumerate() {
            let height = inward.dot(other.vertex(v));
            if k == 0 || height < start.1 {
                start = (k, height);
            }
        }
    }
    let mut count = 0;
    let around = incident[start.0..].iter().chain(&incident[..start.0]);
    for (corner, &v) in from.iter_mut().zip(around.step_by(step)) {
        *corner = Corner { p: frame.point(other.vertex(v)), id: v as u32 };
        count += 1;
    }
    let reference = poly.face_loop(face);
    let step = reference.len().div_ceil(MOST_CORNERS).max(1);
    let sides = reference.len().div_ceil(step);
    for side in 0..sides {
        // The plane of every so manieth edge: a little more than the face, nothing of it is lost.
        let next = (side * step + 1) % reference.len();
        let v = poly.vertex(reference[side * step]);
        let outward = (poly.vertex(reference[next]) - v).cross(n);
        let height = |p: Vec3<E>| outward.dot(p - v);
        let mut kept = 0;
        let mut keep = |corner: Corner<E>| {
            if let Some(slot) = to.get_mut(kept) {
                *slot = corner;
                kept += 1;
            }
        };
        let Some(&last) = from[..count].last() else { break };
        let (mut a, mut ha) = (last, height(last.p));
        for &b in &from[..count] {
            let hb = height(b.p);
            if (ha <= zero) != (hb <= zero) {
                let p = a.p + (b.p - a.p) * (ha / (ha - hb));
                // Named by the side that cuts and the corner that is cut off.
                let (id, entering) = if ha <= zero { (b.id, 0) } else { (a.id, 1) };
                keep(Corner { p, id: (id & 0xFF) | (side as u32 + 1) << 9 | entering << 8 });
            }
            if hb <= zero {
                keep(b);
            }
            (a, ha) = (b, hb);
        }
        count = kept;
        core::mem::swap(&mut from, &mut to);
    }
    let mut candidates = Candidates::<E, N>::new();
    let mut least: Option<E> = None;
    for corner in &from[..count] {
        let separation = n.dot(corner.p) - offset;
        if separation < reach {
            let id = tag | (face as u32 & 0x3FF) << 17 | corner.id;
            candidates.push(corner.p - n * (separation * half), separation, id);
            least = Some(least.map_or(separation, |l| l.min(separation)));
        }
    }
    candidates.reduce(out);
    least
}
