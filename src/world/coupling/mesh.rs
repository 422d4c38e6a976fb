//! A triangle mesh that rods hang on. The host moves it, or the world does: as points with distance constraints.

use super::{Substep, collide_point};
use crate::collide::narrow::{Geometry, TriangleMesh};
use crate::collide::{Bounds, ColliderMotion};
use crate::desc::error::{Error, Result};
use crate::desc::validate;
use crate::desc::{MeshCollider, MeshDesc};
use crate::math::{Elem, Vec3};
use crate::rods::ghost::anchor::distance;

#[derive(Debug)]
struct Edge {
    a: u32,
    b: u32,
    length: f64,
    lambda: f64,
}

#[derive(Debug)]
pub struct Mesh {
    pub triangles: Vec<[u32; 3]>,
    pub x: Vec<Vec3<f64>>,
    /// Displacement within a substep, velocity between substeps.
    pub u: Vec<Vec3<f64>>,
    pub w: Vec<f64>,
    /// What rods have moved each vertex by since the host last gave positions, m.
    pub correction: Vec<Vec3<f64>>,
    /// In the substep, ends on each vertex that Newton's method solves with it.
    pub ends: Vec<u32>,
    from: Vec<Vec3<f64>>,
    to: Vec<Vec3<f64>>,
    edges: Vec<Edge>,
    compliance: Option<f64>,
    drag: f64,
    pub collides: Option<MeshCollider>,
    /// Of a mesh that collides: its triangles, counterclockwise.
    pub faces: Vec<[u32; 3]>,
    /// Of these, made once: whatever becomes of them, it is the same tree.
    tree: Option<TriangleMesh<f64>>,
    /// Steps until it is known to be still.
    pub stirred: u32,
}

/// One step on the way, and one where it has come to.
const STIRRED: u32 = 2;

impl Mesh {
    /// Whether nothing but the host moves these vertices, and that lets them stand in the coming step.
    pub fn stands(&self, corners: &[u32; 3]) -> bool {
        corners.iter().map(|&c| c as usize).all(|c| self.w[c] == 0.0 && self.at(c, 0.0) == self.at(c, 1.0))
    }

    pub fn new(d: MeshDesc) -> Result<Mesh> {
        let n = d.positions.len();
        if n == 0 || n > 1 << 24 {
            return Err(Error::invalid(format!("positions has {n} entries, a mesh has 1 to {}", 1 << 24)));
        }
        d.positions.iter().enumerate().try_for_each(|(i, &p)| validate::vector("positions", Some(i), p))?;
        for (i, t) in d.triangles.iter().enumerate() {
            for (k, &v) in t.iter().enumerate() {
                if v as usize >= n {
                    return Err(Error::invalid(format!("triangles[{i}][{k}] is {v}, the mesh has {n} vertices")));
                }
            }
        }
        for (i, e) in d.extra_edges.iter().enumerate() {
            if e[0] == e[1] || e.iter().any(|&v| v as usize >= n) {
                return Err(Error::invalid(format!("extra_edges[{i}] is {e:?}, needs two different vertices below {n}")));
            }
        }
        if d.inv_masses.len() != n {
            return Err(Error::invalid(format!("inv_masses has {} entries, must have {n} (one a vertex)", d.inv_masses.len())));
        }
        d.inv_masses.iter().enumerate().try_for_each(|(i, &w)| validate::between(&format!("inv_masses[{i}]"), w, 0.0, 1e12))?;
        if let Some(c) = d.edge_compliance {
            validate::between("edge_compliance", c, 0.0, validate::COMPLIANCE)?;
        }
        validate::between("drag", d.drag, 0.0, 1e9)?;
        if let Some(c) = d.collides {
            if d.edge_compliance.is_some() {
                return Err(Error::invalid("flags: a mesh is WITHY_MESH_ELASTIC or WITHY_MESH_COLLIDES, not both"));
            }
            validate::between("friction", c.friction, 0.0, 1e3)?;
        }

        let (triangles, edges) = (d.triangles.len(), 3 * d.triangles.len() + d.extra_edges.len());
        let bytes = n * 5 * size_of::<Vec3<f64>>() + edges * (size_of::<Edge>() + 3 * size_of::<[u32; 2]>());
        validate::memory(bytes, format_args!("positions has {n} entries, triangles {triangles}"))?;
        let x: Vec<Vec3<f64>> = d.positions.iter().map(|&p| p.into()).collect();
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        if d.edge_compliance.is_some() {
            for t in &d.triangles {
                pairs.extend([[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]].map(|[a, b]| [a.min(b), a.max(b)]));
            }
            pairs.extend(d.extra_edges.iter().map(|&[a, b]| [a.min(b), a.max(b)]));
            pairs.sort_unstable();
            pairs.dedup();
            pairs.retain(|[a, b]| a != b);
        }
        let edges = pairs
            .into_iter()
            .map(|[a, b]| Edge { a, b, length: (x[b as usize] - x[a as usize]).length(), lambda: 0.0 })
            .collect();
        let zero = vec![Vec3::zero(); n];
        let faces = match d.collides {
            None => Vec::new(),
            Some(c) => d.triangles.iter().map(|&[i, j, k]| if c.clockwise { [i, k, j] } else { [i, j, k] }).collect(),
        };
        let mut tree = None;
        if d.collides.is_some() {
            let middle = x.iter().fold(Vec3::zero(), |sum, p| sum + *p * (1.0 / n as f64));
            let about: Vec<[f64; 3]> = x.iter().map(|p| (*p - middle).to_array()).collect();
            // Says what is wrong with the triangles.
            tree = Some(TriangleMesh::new(&about, &faces)?);
        }
        Ok(Mesh {
            faces,
            tree,
            stirred: STIRRED,
            triangles: d.triangles,
            u: zero.clone(),
            correction: zero,
            ends: vec![0; n],
            from: x.clone(),
            to: x.clone(),
            x,
            w: d.inv_masses,
            edges,
            compliance: d.edge_compliance,
            drag: d.drag,
            collides: d.collides,
        })
    }

    pub fn memory_bytes(&self) -> u64 {
        (self.x.len() * (5 * 24 + 8 + 4)
            + self.edges.len() * size_of::<Edge>()
            + (self.triangles.len() + self.faces.len()) * 12
            + self.tree.as_ref().map_or(0, TriangleMesh::memory_bytes)) as u64
    }

    /// Where the host wants the vertices at the end of the next step. Vertices that the world moves take it only on a teleport.
    pub fn set_positions(&mut self, mut get: impl FnMut(usize) -> [f64; 3], teleport: bool) -> Result<()> {
        (0..self.x.len()).try_for_each(|i| validate::vector("positions", Some(i), get(i)))?;
        self.stirred = STIRRED;
        for i in 0..self.x.len() {
            self.to[i] = get(i).into();
            self.from[i] = self.x[i];
            self.correction[i] = Vec3::zero();
            if teleport {
                (self.x[i], self.from[i]) = (self.to[i], self.to[i]);
                self.u[i] = Vec3::zero();
            }
        }
        Ok(())
    }

    /// Where a vertex is at a time of the step, 0 to 1.
    pub fn at(&self, i: usize, t: f64) -> Vec3<f64> {
        self.from[i] + (self.to[i] - self.from[i]) * t + self.correction[i]
    }
    /// The box around its way in the coming step; `None`: it stands still.
    pub fn way_box(&self) -> Option<Bounds<f64>> {
        let at = |i: usize| [self.at(i, 0.0), self.at(i, 1.0)];
        (0..self.x.len()).map(at).any(|[a, b]| a != b).then(|| {
            let first = self.at(0, 0.0);
            (0..self.x.len())
                .flat_map(at)
                .fold(Bounds { min: first, max: first }, |all, x| all.around(&Bounds { min: x, max: x }))
        })
    }
    /// The triangles as strands meet them; [`TriangleMesh::refit`] puts them where they are.
    pub fn surface<E: Elem>(&self) -> Option<TriangleMesh<E>> {
        self.tree.as_ref().map(|t| t.cast())
    }

    /// Ends that share the mass of each of three vertices.
    pub fn parts(&self, corners: &[u32; 3]) -> Vec3<f64> {
        corners.map(|c| f64::from(self.ends[c as usize].max(1))).into()
    }

    /// What an attachment moves three vertices by.
    pub fn shift(&mut self, corners: &[u32; 3], moves: [Vec3<f64>; 3]) {
        // What the host alone moves is held, and stands.
        if moves == [Vec3::zero(); 3] {
            return;
        }
        self.stirred = STIRRED;
        for (c, d) in corners.map(|c| c as usize).into_iter().zip(moves) {
            self.u[c] = self.u[c] + d;
            self.correction[c] = self.correction[c] + d;
        }
    }

    /// True where the world integrates the vertex.
    fn dynamic(&self, i: usize) -> bool {
        self.compliance.is_some() && self.w[i] > 0.0
    }

    pub fn predict(&mut self, s: &Substep) {
        let keep = 1.0 / (1.0 + s.h * self.drag);
        for i in 0..self.x.len() {
            self.u[i] = if self.dynamic(i) {
                (self.u[i] + s.gravity * s.h) * (keep * s.h)
            } else {
                self.from[i] + (self.to[i] - self.from[i]) * s.t + self.correction[i] - self.x[i]
            };
        }
        self.edges.iter_mut().for_each(|e| e.lambda = 0.0);
        self.ends.fill(0);
    }

    pub fn solve(&mut self, s: &Substep) {
        let Some(c) = self.compliance else { return };
        let compliance = c / (s.h * s.h);
        for e in &mut self.edges {
            let (a, b) = (e.a as usize, e.b as usize);
            let d = (self.x[b] - self.x[a]) + (self.u[b] - self.u[a]);
            let (ua, ub, lambda) = distance(d, e.length, self.w[a], self.w[b], compliance, e.lambda);
            e.lambda = lambda;
            self.u[a] = self.u[a] + ua;
            self.u[b] = self.u[b] + ub;
        }
    }

    pub fn contacts(&mut self, colliders: &[ColliderMotion<f64>], solids: &[Geometry<f64>]) {
        if self.compliance.is_none() {
            return;
        }
        for i in 0..self.x.len() {
            for c in colliders {
                self.u[i] = collide_point(self.x[i], self.u[i], self.w[i], c, solids);
            }
        }
    }

    pub fn finalize(&mut self, s: &Substep) {
        for (x, u) in self.x.iter_mut().zip(&mut self.u) {
            *x = *x + *u;
            *u = *u * (1.0 / s.h);
        }
    }

    /// All that a saved state holds.
    pub fn moving(&self) -> [&[Vec3<f64>]; 5] {
        [&self.x, &self.u, &self.correction, &self.from, &self.to]
    }
    pub fn moving_mut(&mut self) -> [&mut [Vec3<f64>]; 5] {
        self.stirred = STIRRED;
        [&mut self.x, &mut self.u, &mut self.correction, &mut self.from, &mut self.to]
    }

    pub fn end_step(&mut self) {
        self.stirred = self.stirred.saturating_sub(1);
        for (from, to) in self.from.iter_mut().zip(&self.to) {
            *from = *to;
        }
    }
}
