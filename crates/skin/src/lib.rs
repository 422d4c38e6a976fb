//! A triangle mesh that follows rods: the skin of a muscle, an arm, an octopus.
//!
//! A strand of n vertices is n − 1 pills, one an edge. [`Skin::bind`] finds up to four pills for
//! each vertex of a mesh ([`weights`]); [`Skin::pose`] takes where the rods are now, and
//! [`Skin::deform`] moves the mesh there ([`deform`]). [`Skin::save`] and [`Skin::load`] keep a
//! bound skin as bytes ([`file`]). `docs/internals/skin.md` has the method and its measurements.
//!
//! This work is based on Angles et al. 2019 (VIPER), section 7; Le and Hodgins 2016, Real-time
//! skeletal skinning with optimized centers of rotation; Kavan et al. 2008, dual quaternions.

mod deform;
mod dispatch;
mod file;
mod groups;
pub mod kernels;
mod pills;
mod surface;
mod weights;

pub use deform::{Out, Pose};
pub use weights::BindOptions;

use withy_math::{Elem, Vec3};

use groups::Groups;
use pills::{Pill, project};
use surface::Surface;

/// Why a mesh, a pose or a file was refused: names field, index and value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(pub String);

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

pub type Result<T> = core::result::Result<T, Error>;

pub(crate) fn fail<T>(message: impl Into<String>) -> Result<T> {
    Err(Error(message.into()))
}

/// Most vertices of a skin.
pub const MOST_VERTICES: usize = 1 << 24;
/// Most edges of rods that a skin can be bound to: an anchor has 16 bits for its edge.
pub const MOST_EDGES: usize = 1 << 16;
/// Largest coordinate and radius, m.
pub const LARGEST: f64 = 1e9;

/// The mesh at the bind pose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mesh<'a> {
    /// m
    pub positions: &'a [[f64; 3]],
    /// Each three vertices, in either winding. Those with a vertex twice, or without area, count for
    /// nothing.
    pub triangles: &'a [[u32; 3]],
    /// One a vertex, of any length; empty: those of the triangles, weighted by area, across seams.
    pub normals: &'a [[f64; 3]],
    /// One a vertex, of any length; empty: the skin has none.
    pub tangents: &'a [[f64; 3]],
}

/// Strands, at the bind pose or now.
#[derive(Clone, Copy, Debug, Default)]
pub struct Strands<'a> {
    /// Vertices of each strand, at least 2.
    pub counts: &'a [u32],
    /// m, strand after strand.
    pub positions: &'a [[f64; 3]],
    /// m, one a vertex.
    pub radii: &'a [f64],
    /// Unit quaternions xyzw, one an edge: the third axis along the edge.
    pub frames: &'a [[f64; 4]],
}

/// Where a vertex holds on: a part of one edge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Anchor {
    /// Number of the edge, counted through all strands.
    pub edge: u32,
    /// Part of the edge, 0 to 1.
    pub t: f64,
    /// Those of a vertex add up to 1.
    pub weight: f64,
}

/// Parts of a weight and of an edge: what 16 bits hold.
pub const PARTS: f32 = 65535.0;

/// Four anchors: those in use first, by their edges, so that vertices with the same edges are alike.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Bound {
    pub edge: [u16; 4],
    /// In 1/[`PARTS`] of the edge, and of 1. Weights add up to [`PARTS`].
    pub t: [u16; 4],
    pub weight: [u16; 4],
}

/// An edge at the bind pose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RestEdge {
    /// Its first vertex, among those of all strands.
    pub first: u32,
    /// m
    pub length: f64,
    pub frame: [f64; 4],
}

/// Three rows of numbers, one a vertex.
pub type Rows = [Vec<f32>; 3];

/// A mesh bound to rods. It holds no state: what it gives depends on the rods alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    pub(crate) counts: Vec<u32>,
    pub(crate) edges: Vec<RestEdge>,
    /// m, one a vertex of the strands.
    pub(crate) radii: Vec<f64>,
    pub(crate) bound: Vec<Bound>,
    pub(crate) groups: Groups,
}

pub(crate) fn check_finite(field: &str, values: &[[f64; 3]]) -> Result<()> {
    for (i, v) in values.iter().enumerate() {
        if let Some(k) = v.iter().position(|x| !x.is_finite() || x.abs() > LARGEST) {
            return fail(format!("{field}[{i}].{} is {}: must be finite and at most {LARGEST:e}", ["x", "y", "z"][k], v[k]));
        }
    }
    Ok(())
}

/// Refuses strands whose arrays do not fit each other, or have numbers that nothing can follow.
pub(crate) fn check_strands(s: &Strands) -> Result<usize> {
    let mut vertices = 0usize;
    for (i, &n) in s.counts.iter().enumerate() {
        if n < 2 {
            return fail(format!("counts[{i}] is {n}: a strand has at least 2 vertices"));
        }
        vertices += n as usize;
    }
    let edges = vertices - s.counts.len();
    if edges == 0 {
        return fail("counts is empty: a skin needs rods");
    }
    if edges > MOST_EDGES {
        return fail(format!("counts: the strands have {edges} edges, a skin holds on to {MOST_EDGES} at most"));
    }
    for (field, has, wants, what) in [
        ("positions of the strands", s.positions.len(), vertices, "vertices"),
        ("radii", s.radii.len(), vertices, "vertices"),
        ("frames", s.frames.len(), edges, "edges"),
    ] {
        if has != wants {
            return fail(format!("{field} has {has} entries: there are {wants} {what}"));
        }
    }
    check_finite("positions of the strands", s.positions)?;
    for (i, &r) in s.radii.iter().enumerate() {
        if !(r > 0.0 && r <= LARGEST) {
            return fail(format!("radii[{i}] is {r}: must be more than 0 and at most {LARGEST:e}"));
        }
    }
    for (i, q) in s.frames.iter().enumerate() {
        let n: f64 = q.iter().map(|x| x * x).sum();
        if !(n > 0.25 && n < 4.0) {
            return fail(format!("frames[{i}] is {q:?}: must be a unit quaternion"));
        }
    }
    Ok(edges)
}

fn check_mesh(mesh: &Mesh) -> Result<()> {
    let n = mesh.positions.len();
    if n == 0 || n > MOST_VERTICES {
        return fail(format!("positions has {n} entries: a skin has 1 to {MOST_VERTICES} vertices"));
    }
    check_finite("positions", mesh.positions)?;
    for (i, t) in mesh.triangles.iter().enumerate() {
        if let Some(v) = t.iter().find(|&&v| v as usize >= n) {
            return fail(format!("triangles[{i}] has vertex {v}: there are {n}"));
        }
    }
    for (field, values) in [("normals", mesh.normals), ("tangents", mesh.tangents)] {
        if !values.is_empty() && values.len() != n {
            return fail(format!("{field} has {} entries: there are {n} vertices", values.len()));
        }
        check_finite(field, values)?;
    }
    Ok(())
}

fn edges_of(s: &Strands) -> Vec<RestEdge> {
    let mut edges = Vec::with_capacity(s.frames.len());
    let mut first = 0;
    for &n in s.counts {
        for v in first..first + n - 1 {
            let [a, b] = [v, v + 1].map(|v| Vec3::from(s.positions[v as usize]));
            let frame = unit(s.frames[edges.len()]);
            edges.push(RestEdge { first: v, length: (b - a).length(), frame });
        }
        first += n;
    }
    edges
}

pub(crate) fn unit(q: [f64; 4]) -> [f64; 4] {
    let n = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / n)
}

fn pills_of(s: &Strands, edges: &[RestEdge]) -> Vec<Pill> {
    let pill = |e: &RestEdge| {
        let v = e.first as usize;
        Pill { a: s.positions[v].into(), b: s.positions[v + 1].into(), radii: [s.radii[v], s.radii[v + 1]] }
    };
    edges.iter().map(pill).collect()
}

impl Skin {
    /// Binds a mesh to the pills of strands. Vertices at the same place, as at the seams of a
    /// texture, get the same weights.
    ///
    /// Errors: arrays that do not fit each other, indices out of range, numbers that are not finite,
    /// more than [`MOST_EDGES`] edges.
    pub fn bind(mesh: &Mesh, strands: &Strands, options: &BindOptions) -> Result<Skin> {
        check_mesh(mesh)?;
        check_strands(strands)?;
        options.check()?;
        let edges = edges_of(strands);
        let pills = pills_of(strands, &edges);
        let surface = Surface::new(mesh);
        let strand_of: Vec<u32> =
            (0u32..).zip(strands.counts).flat_map(|(s, n)| core::iter::repeat_n(s, *n as usize - 1)).collect();
        let nodes = weights::weights(&surface, &pills, &strand_of, options);
        let anchors = |v: usize| {
            let p = Vec3::from(mesh.positions[v]);
            let list = &nodes[surface.node[v] as usize];
            let anchor = |&(edge, weight): &(u32, f64)| Anchor { edge, t: project(&pills[edge as usize], p), weight };
            list.iter().map(anchor).collect::<Vec<_>>()
        };
        Ok(Self::assemble(mesh, strands, edges, &surface, anchors))
    }

    /// Takes weights that the host made, painted ones: for each vertex up to four edges and their
    /// weights, which need not add up to 1. Where an edge is held is found as in [`Skin::bind`].
    ///
    /// Errors: as [`Skin::bind`]; an edge that there is not, a weight below 0 or not finite, a vertex
    /// without weight.
    pub fn with_weights(mesh: &Mesh, strands: &Strands, held: &[[u32; 4]], weights: &[[f64; 4]]) -> Result<Skin> {
        check_mesh(mesh)?;
        let count = check_strands(strands)?;
        let n = mesh.positions.len();
        for (field, has) in [("edges", held.len()), ("weights", weights.len())] {
            if has != n {
                return fail(format!("{field} has {has} entries: there are {n} vertices"));
            }
        }
        for (i, (e, w)) in held.iter().zip(weights).enumerate() {
            for k in 0..4 {
                if !(w[k] >= 0.0 && w[k] <= LARGEST) {
                    return fail(format!("weights[{i}] has {}: must be 0 to {LARGEST:e}", w[k]));
                }
                if w[k] > 0.0 && e[k] as usize >= count {
                    return fail(format!("edges[{i}] has {}: there are {count}", e[k]));
                }
            }
            if w.iter().sum::<f64>() < 1e-12 {
                return fail(format!("weights[{i}] is {w:?}: a vertex needs a weight of 1e-12 or more"));
            }
        }
        let edges = edges_of(strands);
        let pills = pills_of(strands, &edges);
        let anchors = |v: usize| {
            let p = Vec3::from(mesh.positions[v]);
            let total: f64 = weights[v].iter().sum();
            let each = held[v].into_iter().zip(weights[v]).filter(|(_, w)| *w > 0.0);
            let mut list: Vec<Anchor> =
                each.map(|(edge, w)| Anchor { edge, t: project(&pills[edge as usize], p), weight: w / total }).collect();
            list.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.edge.cmp(&b.edge)));
            list
        };
        Ok(Self::assemble(mesh, strands, edges, &Surface::new(mesh), anchors))
    }

    /// `anchors` of a vertex: one to four, the largest first.
    fn assemble(
        mesh: &Mesh,
        strands: &Strands,
        edges: Vec<RestEdge>,
        surface: &Surface,
        anchors: impl Fn(usize) -> Vec<Anchor>,
    ) -> Skin {
        let n = mesh.positions.len();
        let bound: Vec<Bound> = (0..n).map(|v| quantised(&anchors(v))).collect();
        let axis = |i: usize| {
            let mut c = Vec3::<f64>::zero();
            for a in anchors_of(&bound[i]) {
                let v = edges[a.edge as usize].first as usize;
                let [x, y] = [v, v + 1].map(|v| Vec3::from(strands.positions[v]));
                c = c + (x + (y - x) * a.t) * a.weight;
            }
            c
        };
        let offsets = rows(n, |i| Vec3::from(mesh.positions[i]) - axis(i));
        let up = Vec3 { x: 0.0, y: 1.0, z: 0.0 };
        let normals = rows(n, |i| match mesh.normals.get(i) {
            Some(&v) => Vec3::from(v).normalized_or(up),
            // A vertex of no triangle: away from what it holds on to.
            None => surface.normals[surface.node[i] as usize]
                .normalized_or((Vec3::from(mesh.positions[i]) - axis(i)).normalized_or(up)),
        });
        let right = Vec3 { x: 1.0, y: 0.0, z: 0.0 };
        let tangents = match mesh.tangents.is_empty() {
            true => Rows::default(),
            false => rows(n, |i| Vec3::from(mesh.tangents[i]).normalized_or(right)),
        };
        let groups = Groups::new(&bound, [&offsets, &normals, &tangents]);
        Skin { counts: strands.counts.to_vec(), edges, radii: strands.radii.to_vec(), bound, groups }
    }

    /// Vertices of the mesh.
    pub fn vertices(&self) -> usize {
        self.bound.len()
    }
    /// Vertices of each strand.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }
    /// Edges of all strands.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }
    pub fn has_tangents(&self) -> bool {
        !self.groups.tangents.is_empty()
    }
    /// The anchors of a vertex. A weight of 0: one that is not used.
    pub fn anchors(&self, vertex: usize) -> [Anchor; 4] {
        anchors_of(&self.bound[vertex])
    }
    /// The edges at the bind pose.
    pub fn rest_edges(&self) -> &[RestEdge] {
        &self.edges
    }
    /// m, one a vertex of the strands: their radii at the bind pose.
    pub fn rest_radii(&self) -> &[f64] {
        &self.radii
    }
    /// What each vertex holds on to.
    pub fn bound(&self) -> &[Bound] {
        &self.bound
    }
    /// x, y and z of all vertices at the bind pose: from the blend of their anchors, m; normals; tangents, empty where it has none.
    pub fn vectors(&self) -> [Rows; 3] {
        [&self.groups.offsets, &self.groups.normals, &self.groups.tangents].map(|of| self.groups.rows(of, self.vertices()))
    }
    /// Bytes in memory.
    pub fn memory_bytes(&self) -> usize {
        self.groups.memory_bytes()
            + self.bound.len() * size_of::<Bound>()
            + self.edges.len() * size_of::<RestEdge>()
            + 8 * self.radii.len()
            + 4 * self.counts.len()
    }
    /// Bytes that [`Skin::deform`] reads and writes for positions, with `normals` for both: that of
    /// the skin and of the vertices, each once.
    pub fn traffic(&self, normals: bool) -> usize {
        let vectors = if normals { 2 } else { 1 };
        let group = size_of::<groups::Group>() + 1 + vectors * size_of::<groups::Vectors>();
        self.groups.groups.len() * group + vectors * self.vertices() * size_of::<[f32; 3]>()
    }
}

fn rows(n: usize, value: impl Fn(usize) -> Vec3<f64>) -> Rows {
    let mut rows: Rows = core::array::from_fn(|_| vec![0.0; n]);
    for i in 0..n {
        let v = value(i).to_array();
        for (row, x) in rows.iter_mut().zip(v) {
            row[i] = f32::from_f64(x);
        }
    }
    rows
}

fn anchors_of(b: &Bound) -> [Anchor; 4] {
    let part = |x: u16| f64::from(x) / f64::from(PARTS);
    core::array::from_fn(|k| Anchor { edge: b.edge[k].into(), t: part(b.t[k]), weight: part(b.weight[k]) })
}

/// Rounds to 16 bits; what rounding leaves goes to the first, the largest. Unused anchors name the
/// first edge.
fn quantised(list: &[Anchor]) -> Bound {
    let part = |x: f64| (x * f64::from(PARTS)).round().clamp(0.0, f64::from(PARTS)) as u16;
    let mut used = Vec::with_capacity(4);
    let mut rest = PARTS as u16;
    for a in list.iter().skip(1) {
        let w = part(a.weight).min(rest);
        if w > 0 {
            used.push((a.edge as u16, part(a.t), w));
        }
        rest -= w;
    }
    used.push((list[0].edge as u16, part(list[0].t), rest));
    used.sort_unstable();
    let mut b = Bound { edge: [used[0].0; 4], ..Bound::default() };
    for (k, a) in used.into_iter().enumerate() {
        (b.edge[k], b.t[k], b.weight[k]) = a;
    }
    b
}
