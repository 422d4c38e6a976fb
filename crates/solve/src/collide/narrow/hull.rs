//! Convex hulls of points.
//!
//! Quickhull (Barber, Dobkin & Huhdanpaa 1996) in f64: always the point that is farthest out is added next, so that a hull that
//! stops at the largest number of vertices is still a good one. Triangles of one plane then become one polygon.

use super::frame::below;
use super::mass::{MassProperties, solid};
use super::poly::Poly;
pub use super::poly::{Edge, Face};
use crate::desc::error::{Error, Result};
use crate::desc::validate;
use crate::math::{Elem, Vec3};

/// Most vertices of a hull; of more, those that stick out farthest are kept.
pub const MAX_VERTICES: usize = 255;
/// Most points that a hull is made of.
pub const MAX_POINTS: usize = 1 << 20;

/// Parts of the largest extent: a point this little outside adds nothing; what deviates this little from a plane lies in it; a
/// hull thinner than this is flat.
const OUTSIDE: f64 = 1e-6;
const COPLANAR: f64 = 3e-6;
const FLAT: f64 = 1e-5;
/// A face sees a point that is this far above it: rounding of f64.
const SEES: f64 = 1e-12;

/// A convex polyhedron.
#[derive(Clone, Debug)]
pub struct Hull<E> {
    vertices: Vec<Vec3<E>>,
    faces: Vec<Face<E>>,
    starts: Vec<u16>,
    loops: Vec<u8>,
    edges: Vec<Edge>,
    center: Vec3<E>,
    inner: E,
    /// At a density of 1.
    solid: MassProperties,
    excess: f64,
}

struct Triangle {
    v: [usize; 3],
    normal: Vec3<f64>,
    offset: f64,
    /// Points above this triangle, and the farthest.
    outside: Vec<usize>,
    farthest: Option<(usize, f64)>,
}

impl Triangle {
    fn new(points: &[Vec3<f64>], v: [usize; 3], least: f64) -> Option<Triangle> {
        let [a, b, c] = v.map(|i| points[i]);
        let n = (b - a).cross(c - a);
        let l = n.length();
        (l > least).then(|| {
            let normal = n * (1.0 / l);
            let offset = normal.dot((a + b + c) * (1.0 / 3.0));
            Triangle { v, normal, offset, outside: Vec::new(), farthest: None }
        })
    }
    fn height(&self, x: Vec3<f64>) -> f64 {
        self.normal.dot(x) - self.offset
    }
    fn add(&mut self, i: usize, height: f64) {
        if self.farthest.is_none_or(|(_, h)| h < height) {
            self.farthest = Some((i, height));
        }
        self.outside.push(i);
    }
}

/// A polyhedron before it is stored: loops of indices into the points, counterclockwise, and unit normals.
struct Shell {
    triangles: Vec<Triangle>,
    excess: f64,
}

fn flat(what: &str, thickness: f64, extent: f64) -> Error {
    Error::invalid(format!("points: {what}, thickness {thickness:e} of extent {extent:e}, a hull needs at least {FLAT:e} of it"))
}

impl<E: Elem> Hull<E> {
    /// The hull of `points`, m, in their frame. Points that lie within a millionth of its extent of the hull may be outside of it; with
    /// more than [`MAX_VERTICES`] corners, [`Hull::excess`] says by how much.
    ///
    /// # Errors
    /// Too few or too many points, a coordinate that is not finite, all points on a plane: with the index and the value.
    pub fn new(points: &[[f64; 3]]) -> Result<Self> {
        if points.len() < 4 || points.len() > MAX_POINTS {
            return Err(Error::invalid(format!("points has {} entries, a hull needs 4 to {MAX_POINTS}", points.len())));
        }
        for (i, p) in points.iter().enumerate() {
            validate::vector("points", Some(i), *p)?;
        }
        // Rounded as they will be stored: the planes belong to these.
        let points: Vec<Vec3<f64>> = points.iter().map(|p| Vec3::from(*p).map(|c| E::from_f64(c).to_f64())).collect();
        let shell = quickhull(&points)?;
        let polygons = polygons(&points, &shell);
        Self::store(&points, &shell, polygons)
            .or_else(|| {
                // Should merging ever tear the surface: triangles are always closed.
                let triangles = shell.triangles.iter().map(|t| (t.v.to_vec(), t.normal)).collect();
                Self::store(&points, &shell, triangles)
            })
            .ok_or_else(|| Error::invalid("points: the surface of the hull does not close".to_string()))
    }

    fn store(points: &[Vec3<f64>], shell: &Shell, polygons: Vec<(Vec<usize>, Vec3<f64>)>) -> Option<Self> {
        let mut number = vec![usize::MAX; points.len()];
        let mut vertices = Vec::new();
        let (mut faces, mut starts, mut loops) = (Vec::new(), vec![0u16], Vec::new());
        for (corners, _) in &polygons {
            for &i in corners {
                if number[i] == usize::MAX {
                    number[i] = vertices.len();
                    vertices.push(points[i]);
                }
                loops.push(u8::try_from(number[i]).ok()?);
            }
            starts.push(u16::try_from(loops.len()).ok()?);
        }
        for (_, normal) in &polygons {
            // Stored as rounded, still unit to the last digits; everything is below it.
            let n = normal.map(|c| E::from_f64(c).to_f64());
            let offset = vertices.iter().fold(f64::NEG_INFINITY, |m, v| m.max(n.dot(*v)));
            faces.push(Face { normal: n.map(E::from_f64), offset: E::from_f64(offset) });
        }
        // Every edge is walked once in each direction.
        let mut walked = Vec::new();
        for face in 0..faces.len() {
            let corners = &loops[starts[face] as usize..starts[face + 1] as usize];
            for (k, &a) in corners.iter().enumerate() {
                let b = corners[(k + 1) % corners.len()];
                walked.push((a.min(b), a.max(b), a > b, face as u16));
            }
        }
        walked.sort_unstable();
        let mut edges = Vec::with_capacity(walked.len() / 2);
        for pair in walked.chunks(2) {
            match pair {
                [(a, b, false, left), (c, d, true, right)] if (a, b) == (c, d) && a != b => {
                    edges.push(Edge { vertices: [*a, *b], faces: [*left, *right] });
                }
                _ => return None,
            }
        }
        if vertices.len() + faces.len() != edges.len() + 2 || vertices.len() < 4 {
            return None;
        }
        let middle = vertices.iter().fold(Vec3::zero(), |s, v| s + *v * (1.0 / vertices.len() as f64));
        let at = |i: u8| vertices[i as usize];
        let fans = (0..faces.len()).flat_map(|face| {
            let corners = &loops[starts[face] as usize..starts[face + 1] as usize];
            corners.windows(2).skip(1).map(|w| [at(corners[0]), at(w[0]), at(w[1])])
        });
        let solid = solid(1.0, middle, fans);
        if !below(0.0, solid.mass) || !solid.mass.is_finite() {
            return None;
        }
        let inner = faces
            .iter()
            .fold(f64::INFINITY, |m, f: &Face<E>| m.min(f.offset.to_f64() - f.normal.map(E::to_f64).dot(solid.center)));
        Some(Hull {
            vertices: vertices.iter().map(|v| v.map(E::from_f64)).collect(),
            faces,
            starts,
            loops,
            edges,
            center: solid.center.map(E::from_f64),
            inner: E::from_f64(inner.max(0.0)),
            solid,
            excess: shell.excess,
        })
    }

    pub fn vertices(&self) -> &[Vec3<E>] {
        &self.vertices
    }
    /// Planes of the faces; unit normals point out.
    pub fn faces(&self) -> &[Face<E>] {
        &self.faces
    }
    /// The corners of a face, counterclockwise seen from outside.
    pub fn face_loop(&self, face: usize) -> &[u8] {
        match (self.starts.get(face), self.starts.get(face + 1)) {
            (Some(&from), Some(&to)) => &self.loops[from as usize..to as usize],
            _ => &[],
        }
    }
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }
    /// Of mass.
    pub fn center(&self) -> Vec3<E> {
        self.center
    }
    /// Distance from the centre to the nearest face, m.
    pub fn inner_radius(&self) -> E {
        self.inner
    }
    /// How far the farthest of the points is outside, m: more than rounding only where there were too many corners.
    pub fn excess(&self) -> f64 {
        self.excess
    }
    /// `density` in kg/m³.
    pub fn mass(&self, density: f64) -> MassProperties {
        self.solid.with_mass(self.solid.mass * density)
    }

    #[inline(always)]
    pub(super) fn poly(&self) -> Poly<'_, E> {
        Poly {
            vertices: &self.vertices,
            faces: &self.faces,
            starts: &self.starts,
            loops: &self.loops,
            edges: &self.edges,
            center: self.center,
            inner: self.inner,
            half: None,
            triangle: false,
        }
    }
}

/// Indices of four points that span a solid, or why there are none; and the largest extent.
fn first_four(points: &[Vec3<f64>]) -> Result<([usize; 4], f64)> {
    let farthest = |value: &dyn Fn(Vec3<f64>) -> f64| {
        let mut best = (0, f64::NEG_INFINITY);
        for (i, &p) in points.iter().enumerate() {
            let v = value(p);
            if best.1 < v {
                best = (i, v);
            }
        }
        best
    };
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
    let mut longest = (0, 0, 0.0);
    for axis in axes {
        let ((high, top), (low, bottom)) = (farthest(&|p| axis.dot(p)), farthest(&|p| -axis.dot(p)));
        if longest.2 < top + bottom {
            longest = (low, high, top + bottom);
        }
    }
    let (a, b, extent) = longest;
    if !below(1e-12, extent) {
        return Err(flat("all are one point", extent, extent));
    }
    let along = (points[b] - points[a]).normalized_or(axes[0]);
    let across = |p: Vec3<f64>| {
        let w = p - points[a];
        (w - along * along.dot(w)).length()
    };
    let (c, width) = farthest(&across);
    if width < FLAT * extent {
        return Err(flat("all are on a line", width, extent));
    }
    let normal = (points[b] - points[a]).cross(points[c] - points[a]).normalized_or(axes[0]);
    let (d, height) = farthest(&|p| normal.dot(p - points[a]).abs());
    if height < FLAT * extent {
        return Err(flat("all are on a plane", height, extent));
    }
    let above = normal.dot(points[d] - points[a]) > 0.0;
    Ok((if above { [a, c, b, d] } else { [a, b, c, d] }, extent))
}

fn quickhull(points: &[Vec3<f64>]) -> Result<Shell> {
    let ([a, b, c, d], extent) = first_four(points)?;
    let (least, sees) = (1e-18 * extent * extent, SEES * extent);
    let outside = OUTSIDE * extent;
    let thin = || Error::invalid("points: too close to a plane or a line for a hull".to_string());
    // d is below a b c.
    let mut triangles = Vec::new();
    for v in [[a, b, c], [a, d, b], [b, d, c], [c, d, a]] {
        triangles.push(Triangle::new(points, v, least).ok_or_else(thin)?);
    }
    let assign = |triangles: &mut [Triangle], i: usize| {
        let mut best = (0, f64::NEG_INFINITY);
        for (t, triangle) in triangles.iter().enumerate() {
            let height = triangle.height(points[i]);
            if best.1 < height {
                best = (t, height);
            }
        }
        if best.1 > outside {
            triangles[best.0].add(i, best.1);
        }
    };
    for i in 0..points.len() {
        assign(&mut triangles, i);
    }
    let mut count = 4;
    let mut excess = 0.0;
    loop {
        let mut next: Option<(usize, f64)> = None;
        for triangle in &triangles {
            if let Some((i, height)) = triangle.farthest
                && next.is_none_or(|(_, h)| h < height)
            {
                next = Some((i, height));
            }
        }
        let Some((apex, height)) = next else { break };
        if count == MAX_VERTICES {
            excess = height;
            break;
        }
        let x = points[apex];
        let (seen, mut kept): (Vec<Triangle>, Vec<Triangle>) = triangles.into_iter().partition(|t| t.height(x) > sees);
        let directed: Vec<(usize, usize)> =
            seen.iter().flat_map(|t| [(t.v[0], t.v[1]), (t.v[1], t.v[2]), (t.v[2], t.v[0])]).collect();
        let from = kept.len();
        for &(a, b) in &directed {
            if !directed.contains(&(b, a)) {
                kept.push(Triangle::new(points, [a, b, apex], least).ok_or_else(thin)?);
            }
        }
        for i in seen.iter().flat_map(|t| t.outside.iter().copied()) {
            if i != apex {
                // What was above the old surface is above the new triangles, or inside.
                assign(&mut kept[from..], i);
            }
        }
        triangles = kept;
        count += 1;
    }
    Ok(Shell { triangles, excess })
}

/// Triangles of one plane as one polygon, with its normal.
fn polygons(points: &[Vec3<f64>], shell: &Shell) -> Vec<(Vec<usize>, Vec3<f64>)> {
    let triangles = &shell.triangles;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for i in triangles.iter().flat_map(|t| t.v) {
        let p = points[i];
        low = low.min(p.x).min(p.y).min(p.z);
        high = high.max(p.x).max(p.y).max(p.z);
    }
    let coplanar = COPLANAR * (high - low);
    let edge_of = |t: &Triangle| [(t.v[0], t.v[1]), (t.v[1], t.v[2]), (t.v[2], t.v[0])];
    let mut owners: Vec<(usize, usize, usize)> = Vec::new();
    for (i, t) in triangles.iter().enumerate() {
        owners.extend(edge_of(t).map(|(a, b)| (a, b, i)));
    }
    owners.sort_unstable();
    let owner = |a: usize, b: usize| {
        let at = owners.partition_point(|&(x, y, _)| (x, y) < (a, b));
        owners.get(at).filter(|&&(x, y, _)| (x, y) == (a, b)).map(|&(_, _, t)| t)
    };
    let doubled = |t: &Triangle| (points[t.v[1]] - points[t.v[0]]).cross(points[t.v[2]] - points[t.v[0]]);
    let areas: Vec<f64> = triangles.iter().map(|t| doubled(t).length()).collect();
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    order.sort_by(|&a, &b| areas[b].total_cmp(&areas[a]).then(a.cmp(&b)));
    let mut group = vec![usize::MAX; triangles.len()];
    let mut polygons = Vec::new();
    for &seed in &order {
        if group[seed] != usize::MAX {
            continue;
        }
        let plane = &triangles[seed];
        group[seed] = seed;
        let mut members = vec![seed];
        let mut at = 0;
        while at < members.len() {
            for (a, b) in edge_of(&triangles[members[at]]) {
                let Some(other) = owner(b, a) else { continue };
                let t = &triangles[other];
                if group[other] == usize::MAX
                    && t.normal.dot(plane.normal) > 0.9
                    && t.v.iter().all(|&i| plane.height(points[i]).abs() < coplanar)
                {
                    group[other] = seed;
                    members.push(other);
                }
            }
            at += 1;
        }
        match outline(&members, &group, seed, &edge_of, triangles, &owner) {
            Some(corners) => {
                let sum = members.iter().fold(Vec3::zero(), |s, &t| s + doubled(&triangles[t]));
                polygons.push((corners, sum.normalized_or(plane.normal)));
            }
            None => polygons.extend(members.iter().map(|&t| (triangles[t].v.to_vec(), triangles[t].normal))),
        }
    }
    // A corner of only two polygons lies on the edge between them.
    let mut uses = vec![0u32; points.len()];
    for &i in polygons.iter().flat_map(|(corners, _)| corners) {
        uses[i] += 1;
    }
    for (corners, _) in &mut polygons {
        corners.retain(|&i| uses[i] > 2);
    }
    polygons.retain(|(corners, _)| corners.len() > 2);
    polygons
}

/// The one loop around the triangles of a group; `None` where it is not one simple loop.
fn outline(
    members: &[usize],
    group: &[usize],
    seed: usize,
    edge_of: &dyn Fn(&Triangle) -> [(usize, usize); 3],
    triangles: &[Triangle],
    owner: &dyn Fn(usize, usize) -> Option<usize>,
) -> Option<Vec<usize>> {
    let mut rim: Vec<(usize, usize)> = Vec::new();
    for &t in members {
        for (a, b) in edge_of(&triangles[t]) {
            if owner(b, a).is_none_or(|other| group[other] != seed) {
                rim.push((a, b));
            }
        }
    }
    rim.sort_unstable();
    if rim.windows(2).any(|w| w[0].0 == w[1].0) {
        return None;
    }
    let start = rim.first()?.0;
    let mut corners = vec![start];
    let mut at = start;
    loop {
        let found = rim.binary_search_by(|&(a, _)| a.cmp(&at)).ok()?;
        at = rim[found].1;
        if at == start {
            break;
        }
        corners.push(at);
        if corners.len() > rim.len() {
            return None;
        }
    }
    (corners.len() == rim.len()).then_some(corners)
}
