//! The mesh as a graph: vertices at the same place are one node, edges have lengths and cotangents.

use crate::Mesh;
use withy_math::Vec3;

/// Cotangents outside of this count as its ends: below 0 the fairing would make weights below 0, and
/// slivers would hold their vertices together.
const COTANGENT: (f64, f64) = (0.05, 20.0);

pub struct Surface {
    /// Of each vertex.
    pub node: Vec<u32>,
    /// m
    pub points: Vec<Vec3<f64>>,
    /// Sums over the triangles, weighted by area; of any length.
    pub normals: Vec<Vec3<f64>>,
    /// A third of the area around each node, m², at least a millionth of the mean.
    pub mass: Vec<f64>,
    /// Neighbours of node i: `start[i]..start[i + 1]`.
    pub start: Vec<u32>,
    pub neighbours: Vec<Neighbour>,
}

#[derive(Clone, Copy, Debug)]
pub struct Neighbour {
    pub node: u32,
    /// m
    pub length: f64,
    /// Half the sum of the cotangents of the angles that face the edge.
    pub weight: f64,
}

impl Surface {
    pub fn new(mesh: &Mesh) -> Surface {
        let (node, points) = weld(mesh.positions);
        let n = points.len();
        let (mut normals, mut mass) = (vec![Vec3::zero(); n], vec![0.0; n]);
        let mut edges: Vec<(u32, u32, f64)> = Vec::with_capacity(6 * mesh.triangles.len());
        for t in mesh.triangles {
            let t = t.map(|v| node[v as usize]);
            if t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
                continue;
            }
            let p = t.map(|i| points[i as usize]);
            let normal = (p[1] - p[0]).cross(p[2] - p[0]);
            let area2 = normal.length();
            for k in 0..3 {
                let (i, j, o) = (k, (k + 1) % 3, (k + 2) % 3);
                normals[t[i] as usize] = normals[t[i] as usize] + normal;
                mass[t[i] as usize] += area2 / 6.0;
                let cot = (p[i] - p[o]).dot(p[j] - p[o]) / area2.max(1e-300);
                let half = 0.5 * cot.clamp(COTANGENT.0, COTANGENT.1);
                edges.push((t[i], t[j], half));
                edges.push((t[j], t[i], half));
            }
        }
        edges.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        let mut start = vec![0u32; n + 1];
        let mut neighbours: Vec<Neighbour> = Vec::with_capacity(edges.len() / 2);
        let mut last = None;
        for (i, j, weight) in edges {
            if last == Some((i, j)) {
                neighbours.last_mut().unwrap_or_else(|| unreachable!("an edge came before")).weight += weight;
                continue;
            }
            last = Some((i, j));
            let length = (points[i as usize] - points[j as usize]).length();
            neighbours.push(Neighbour { node: j, length, weight });
            start[i as usize + 1] = neighbours.len() as u32;
        }
        for i in 0..n {
            start[i + 1] = start[i + 1].max(start[i]);
        }
        let used = mass.iter().filter(|m| **m > 0.0).count().max(1);
        let mean = mass.iter().sum::<f64>() / used as f64;
        let floor = if mean > 0.0 { 1e-6 * mean } else { 1.0 };
        mass.iter_mut().for_each(|m| *m = m.max(floor));
        Surface { node, points, normals, mass, start, neighbours }
    }

    pub fn around(&self, node: usize) -> &[Neighbour] {
        &self.neighbours[self.start[node] as usize..self.start[node + 1] as usize]
    }
}

/// The node of each vertex, and where the nodes are. Nodes come in the order of their first vertex.
fn weld(positions: &[[f64; 3]]) -> (Vec<u32>, Vec<Vec3<f64>>) {
    // Adding 0 makes one of the two zeros.
    let key = |i: u32| positions[i as usize].map(|x| (x + 0.0).to_bits());
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    order.sort_unstable_by_key(|&i| (key(i), i));
    let mut first: Vec<u32> = (0..positions.len() as u32).collect();
    for pair in 1..order.len() {
        let (a, b) = (order[pair - 1], order[pair]);
        if key(a) == key(b) {
            first[b as usize] = first[a as usize];
        }
    }
    let mut node = vec![0u32; positions.len()];
    let mut points = Vec::new();
    for i in 0..positions.len() {
        let f = first[i] as usize;
        if f == i {
            node[i] = points.len() as u32;
            points.push(Vec3::from(positions[i]));
        } else {
            node[i] = node[f];
        }
    }
    (node, points)
}
