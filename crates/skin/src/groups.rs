//! How a skin lies in memory: eight vertices a group, one a lane.
//!
//! The vertices of a [`CHUNK`] are sorted by the four edges that they hold on to. Eight with the same
//! edges read each edge once for all eight; that takes a third of the time of eight with edges of
//! their own. Where four to seven are left of a set of edges, the group is filled with copies of the
//! last, which write the same to the same place. What is left then shares groups of mixed edges.

use crate::{Bound, PARTS, Rows};

/// Vertices of a group.
pub const WIDTH: usize = 8;
/// Vertices of the mesh, in the host's order, that are deformed by one task.
pub const CHUNK: usize = 4096;
/// Left-overs of one set of edges that are worth a group of their own.
const ALONE: usize = 4;

/// Eight vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Group {
    /// Vertices, counted from the first of the chunk.
    pub slot: [u16; WIDTH],
    /// Edges of each anchor. Where `same`, all vertices of the group have those of the first.
    pub edge: [[u16; WIDTH]; 4],
    /// In 1/[`PARTS`].
    pub t: [[u16; WIDTH]; 4],
    pub weight: [[u16; WIDTH]; 4],
}

/// Three numbers of each vertex of a group.
pub type Vectors = [[f32; WIDTH]; 3];

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Groups {
    pub groups: Vec<Group>,
    /// Whether all vertices of the group hold on to the same edges.
    pub same: Vec<bool>,
    /// From the blend of the anchors to the vertex, m.
    pub offsets: Vec<Vectors>,
    pub normals: Vec<Vectors>,
    /// Empty: there are none.
    pub tangents: Vec<Vectors>,
    /// Groups of chunk k: `start[k]..start[k + 1]`.
    pub start: Vec<u32>,
}

impl Groups {
    /// `rows`: offsets, normals, tangents in the host's order; tangents may be empty.
    pub fn new(bound: &[Bound], rows: [&Rows; 3]) -> Groups {
        let mut g = Groups { start: vec![0], ..Groups::default() };
        for first in (0..bound.len()).step_by(CHUNK) {
            let chunk = &bound[first..bound.len().min(first + CHUNK)];
            let mut order: Vec<u16> = (0..chunk.len() as u16).collect();
            order.sort_unstable_by_key(|&i| (chunk[i as usize].edge, i));
            let mut left = Vec::new();
            for run in order.chunk_by(|a, b| chunk[*a as usize].edge == chunk[*b as usize].edge) {
                for part in run.chunks(WIDTH) {
                    if part.len() < ALONE {
                        left.extend(part);
                    } else {
                        g.push(chunk, first, part, true, rows);
                    }
                }
            }
            left.sort_unstable();
            for part in left.chunks(WIDTH) {
                g.push(chunk, first, part, false, rows);
            }
            g.start.push(g.groups.len() as u32);
        }
        g
    }

    fn push(&mut self, chunk: &[Bound], first: usize, part: &[u16], same: bool, rows: [&Rows; 3]) {
        let at = |k: usize| part[k.min(part.len() - 1)];
        let mut group = Group { slot: core::array::from_fn(at), ..Group::default() };
        for k in 0..WIDTH {
            let b = &chunk[at(k) as usize];
            for a in 0..4 {
                (group.edge[a][k], group.t[a][k], group.weight[a][k]) = (b.edge[a], b.t[a], b.weight[a]);
            }
        }
        self.groups.push(group);
        self.same.push(same);
        let vectors =
            |rows: &Rows| -> Vectors { core::array::from_fn(|r| core::array::from_fn(|k| rows[r][first + at(k) as usize])) };
        self.offsets.push(vectors(rows[0]));
        self.normals.push(vectors(rows[1]));
        if !rows[2][0].is_empty() {
            self.tangents.push(vectors(rows[2]));
        }
    }

    /// Vectors of the groups in the host's order, for `vertices` vertices.
    pub fn rows(&self, vectors: &[Vectors], vertices: usize) -> Rows {
        let mut rows: Rows = core::array::from_fn(|_| vec![0.0; if vectors.is_empty() { 0 } else { vertices }]);
        if vectors.is_empty() {
            return rows;
        }
        for (chunk, bounds) in self.start.windows(2).enumerate() {
            let of = bounds[0] as usize..bounds[1] as usize;
            for (group, vectors) in self.groups[of.clone()].iter().zip(&vectors[of]) {
                for k in 0..WIDTH {
                    let v = chunk * CHUNK + group.slot[k] as usize;
                    for (row, values) in rows.iter_mut().zip(vectors) {
                        row[v] = values[k];
                    }
                }
            }
        }
        rows
    }

    pub fn memory_bytes(&self) -> usize {
        self.groups.len() * size_of::<Group>()
            + self.same.len()
            + (self.offsets.len() + self.normals.len() + self.tangents.len()) * size_of::<Vectors>()
            + 4 * self.start.len()
    }
}

/// Parts as numbers from 0 to 1, for all vertices of a group.
#[inline(always)]
pub fn parts(of: &[[u16; WIDTH]; 4], to: &mut [[f32; WIDTH]; 4]) {
    for (to, of) in to.iter_mut().zip(of) {
        for (to, x) in to.iter_mut().zip(of) {
            *to = f32::from(*x) * (1.0 / PARTS);
        }
    }
}
