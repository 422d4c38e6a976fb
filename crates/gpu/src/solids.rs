//! What strands meet: the colliders of a step, and before them in the same buffer the trees of the hulls and meshes among them.
//!
//! A tree goes up when it is new or has moved. Of a mesh that bends it has the triangles where the step ends and what their corners do in the step; the boxes
//! about them, likewise, hold them at every moment between.

use super::buffers::Buffer;
use super::device::GpuDevice;
use super::push::Ways;
use super::shaders::records::{self, Collider, Node, Pushed, Triangle};
use std::sync::Arc;
use withy_math::Vec3;
use withy_solve::collide::narrow::{Geometry, Hull, MovingMesh, TriangleMesh};
use withy_solve::collide::{Bounds, ColliderMotion, Form};
use withy_solve::desc::error::{Error, ErrorKind, Result};
use withy_solve::step::RodsStep;

/// Numbers of a row of the buffer, which is an array of `vec4`.
const ROW: usize = 4;
/// Nodes and triangles that a search looks at are counted as so many at most. Of 16,000 searches about the library's head and an egg, as far as strands of 1 mm
/// that move 1 m/s ask, the longest took 231, half of them 58 (`tests/gpu/meshes.rs`).
pub const SEARCH: usize = 256;
/// By so much of its coordinates a box is made larger: for rounding.
const GROWN: f32 = 1e-6;

/// Of which shape a tree is.
enum Source {
    /// With its faces as triangles.
    Hull(Arc<Hull<f32>>, TriangleMesh<f32>),
    Mesh(Arc<TriangleMesh<f32>>),
    /// A mesh that bends, as it was placed with this stamp: its number among those of the step.
    Bent(u64, u32),
}

impl Source {
    fn new(form: Form, step: &RodsStep<'_, f32>) -> Result<Source> {
        let solid = |i: u32| step.solids.get(i as usize);
        Ok(match form {
            Form::Bent(i) if (i as usize) < step.bent.len() => Source::Bent(step.bent[i as usize].stamp, i),
            Form::Solid(i) if let Some(Geometry::Hull(hull)) = solid(i) => Source::Hull(hull.clone(), faces_of(hull)?),
            Form::Solid(i) if let Some(Geometry::Mesh(mesh)) = solid(i) => Source::Mesh(mesh.clone()),
            _ => return Err(Error::new(ErrorKind::Internal, format!("{form:?} is no hull and no mesh of the step"))),
        })
    }

    /// Whether it is that shape where it is now.
    fn is(&self, form: Form, step: &RodsStep<'_, f32>) -> bool {
        let solid = |i: u32| step.solids.get(i as usize);
        match (self, form) {
            (Source::Bent(stamp, k), Form::Bent(i)) => *k == i && step.bent.get(i as usize).is_some_and(|m| m.stamp == *stamp),
            (Source::Hull(hull, _), Form::Solid(i)) => matches!(solid(i), Some(Geometry::Hull(h)) if Arc::ptr_eq(h, hull)),
            (Source::Mesh(mesh), Form::Solid(i)) => matches!(solid(i), Some(Geometry::Mesh(m)) if Arc::ptr_eq(m, mesh)),
            _ => false,
        }
    }

    /// What the shader looks at: the kind, the triangles, and those that move.
    fn tree<'a>(&'a self, step: &RodsStep<'a, f32>) -> (u32, &'a TriangleMesh<f32>, Option<&'a MovingMesh<f32>>) {
        match self {
            Source::Hull(_, mesh) => (records::HULL, mesh, None),
            Source::Mesh(mesh) => (records::MESH, mesh, None),
            Source::Bent(_, i) => {
                let moving = &step.bent[*i as usize];
                (if moving.both_sides { records::SHEET } else { records::MESH }, moving.mesh(), Some(moving))
            }
        }
    }
}

/// A hull as a mesh.
fn faces_of(hull: &Hull<f32>) -> Result<TriangleMesh<f32>> {
    let points: Vec<[f64; 3]> = hull.vertices().iter().map(|p| p.map(f64::from).to_array()).collect();
    let mut triangles = Vec::new();
    for face in 0..hull.faces().len() {
        let corners = hull.face_loop(face);
        triangles.extend(corners.windows(2).skip(1).map(|p| [corners[0], p[0], p[1]].map(u32::from)));
    }
    TriangleMesh::new(&points, &triangles)
}

struct Tree {
    source: Source,
    /// Its first row in the buffer, and the one after its last.
    at: usize,
    end: usize,
    /// What is there is something else.
    stale: bool,
}

/// Where everything is in the buffer, and how much there is to do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Listed {
    /// Of each substep.
    pub colliders: usize,
    /// The row of the first.
    pub colliders_at: usize,
    /// Bodies that the rods push, and the row of the first.
    pub bodies: usize,
    pub pushed_at: usize,
    /// The row of the first collider on the ways that bodies go if nobody pushes them: all of them again.
    pub ways_at: usize,
    /// Nodes and triangles that one search in each of the trees looks at.
    pub searches: usize,
}

pub struct Solids {
    pub buffer: Buffer,
    trees: Vec<Tree>,
    staged: Vec<f32>,
    boxes: Vec<Bounds<f32>>,
}

impl Solids {
    pub fn new(gpu: &GpuDevice) -> Solids {
        Solids { buffer: Buffer::new(gpu, "solids", Collider::LEN), trees: Vec::new(), staged: Vec::new(), boxes: Vec::new() }
    }

    /// Makes the buffer that of the step. True: it is another one than before.
    pub fn upload(&mut self, gpu: &GpuDevice, step: &RodsStep<'_, f32>, pushes: Option<&Ways>) -> Result<(Listed, bool)> {
        let s = step.settings;
        let meets = |c: &&ColliderMotion<f32>| c.mask & s.category != 0 && s.mask & c.category != 0;
        let (mut listed, mut known) = (Listed::default(), 0);
        // The same colliders in every substep.
        let is_tree = |c: &ColliderMotion<f32>| matches!(c.form, Form::Solid(_) | Form::Bent(_));
        for c in step.colliders[..step.colliders_per_substep].iter().filter(meets).filter(|c| is_tree(c)) {
            if self.trees.get(known).is_none_or(|t| !t.source.is(c.form, step)) {
                let new = Tree { source: Source::new(c.form, step)?, at: 0, end: 0, stale: true };
                match self.trees.get_mut(known) {
                    Some(tree) => *tree = new,
                    None => self.trees.push(new),
                }
            }
            let tree = &mut self.trees[known];
            let mesh = tree.source.tree(step).1;
            let (nodes, triangles, at) = (mesh.nodes().len(), mesh.len(), listed.colliders_at);
            tree.stale |= tree.at != at;
            (tree.at, tree.end) = (at, at + (nodes * Node::LEN + triangles * Triangle::LEN) / ROW);
            listed.colliders_at = tree.end;
            listed.searches += (nodes + triangles).min(SEARCH);
            known += 1;
        }
        self.trees.truncate(known);
        if let Some(ways) = pushes {
            (listed.bodies, listed.pushed_at) = (ways.bodies, listed.colliders_at);
            listed.colliders_at += ways.bodies * Pushed::LEN / ROW;
        }
        // Shapes of dynamic bodies are the last of each substep.
        let shapes = pushes.map_or(&[][..], |w| &w.shapes);
        let first_shape = step.colliders_per_substep.saturating_sub(shapes.len());

        self.staged.clear();
        for (k, all) in step.colliders.chunks(step.colliders_per_substep.max(1)).enumerate() {
            let left = 1.0 - (k + 1) as f32 / step.substeps as f32;
            let mut trees = self.trees.iter();
            listed.colliders = 0;
            for (number, c) in all.iter().enumerate().filter(|(_, c)| meets(c)) {
                let mut record = record_of(c);
                let shape = number.checked_sub(first_shape).and_then(|k| shapes.get(k));
                record.body = shape.copied().unwrap_or(records::NONE);
                if let (true, Some(tree)) = (is_tree(c), trees.next()) {
                    let (kind, mesh, moving) = tree.source.tree(step);
                    let farthest = moving.map_or(0.0, |m| m.moves().1);
                    (record.kind, record.tree, record.nodes) = (kind, tree.at as u32, mesh.nodes().len() as u32);
                    (record.farthest, record.left) = (farthest / step.substeps as f32, left);
                    // Of where the step ends.
                    record.bound += farthest;
                }
                // Geometric mean of the two materials.
                record.friction = (s.friction * c.friction).sqrt();
                record.put(&mut self.staged);
                listed.colliders += 1;
            }
        }
        listed.ways_at = listed.colliders_at + self.staged.len() / ROW;
        if pushes.is_some() {
            self.staged.extend_from_within(..);
        }
        let numbers = listed.colliders_at * ROW + self.staged.len();
        let (needed, most) = (numbers as u64 * 4, gpu.largest_buffer());
        if needed > most {
            let name = gpu.name();
            let what = "the colliders and meshes that rods meet need a GPU buffer of";
            return Err(Error::invalid(format!("{what} {needed} bytes, {name} allows {most}")));
        }
        let mut kept = Some(());
        self.buffer.fit(gpu, "solids", numbers, &mut kept);
        self.buffer.upload(gpu, listed.colliders_at * ROW, &self.staged);
        for k in 0..self.trees.len() {
            if self.trees[k].stale || kept.is_none() {
                self.flatten(k, step);
                self.buffer.upload(gpu, self.trees[k].at * ROW, &self.staged);
                self.trees[k].stale = false;
            }
        }
        Ok((listed, kept.is_none()))
    }

    /// The tree as the shader walks it.
    fn flatten(&mut self, k: usize, step: &RodsStep<'_, f32>) {
        let (_, mesh, moving) = self.trees[k].source.tree(step);
        let moves = |slot: usize| moving.map_or([Vec3::zero(); 3], |m| m.moves().0[slot]);
        let nodes = mesh.nodes();
        // The boxes where the step begins. Children come after their node: the first is next to it, the second behind the first.
        let around = |a: Bounds<f32>, p: Vec3<f32>| a.around(&Bounds::at(p));
        self.boxes.clear();
        self.boxes.resize(nodes.len(), Bounds::at(Vec3::zero()));
        for (n, node) in nodes.iter().enumerate().rev() {
            self.boxes[n] = if node.count > 0 {
                let slots = node.first as usize..(node.first + node.count) as usize;
                let began = slots.flat_map(|slot| {
                    let (points, by) = (mesh.triangle(slot).0, moves(slot));
                    [points[0] - by[0], points[1] - by[1], points[2] - by[2]]
                });
                began.fold(None, |all, p| Some(all.map_or(Bounds::at(p), |a| around(a, p)))).unwrap_or(node.bounds)
            } else {
                self.boxes[n + 1].around(&self.boxes[nodes[n + 1].skip as usize])
            };
        }
        let numbers = |v: Vec3<f32>| [v.x, v.y, v.z];
        self.staged.clear();
        for (node, began) in nodes.iter().zip(&self.boxes) {
            let b = node.bounds;
            let all = b.around(began);
            let size = all.max.upper(-all.min);
            let grown = GROWN * size.x.max(size.y).max(size.z);
            let grown = Vec3 { x: grown, y: grown, z: grown };
            Node {
                low: numbers(b.min - grown),
                skip: node.skip,
                high: numbers(b.max + grown),
                first: node.first,
                low_by: numbers(b.min - began.min),
                count: node.count,
                high_by: numbers(b.max - began.max),
            }
            .put(&mut self.staged);
        }
        for slot in 0..mesh.len() {
            let (([a, b, c], normal, free), [a_by, b_by, c_by]) = (mesh.triangle(slot), moves(slot));
            Triangle {
                a: numbers(a),
                free,
                b: numbers(b),
                normal_x: normal.x,
                c: numbers(c),
                normal_y: normal.y,
                a_by: numbers(a_by),
                normal_z: normal.z,
                b_by: numbers(b_by),
                c_by: numbers(c_by),
            }
            .put(&mut self.staged);
        }
    }

    pub fn memory_bytes(&self) -> u64 {
        self.buffer.len() as u64 * 4
    }
}

/// A collider as the shader reads it, but for its friction, and for the tree of a hull or a mesh.
fn record_of(c: &ColliderMotion<f32>) -> Collider {
    let kind = match c.form {
        Form::Plane => records::PLANE,
        Form::Sphere => records::SPHERE,
        Form::Capsule => records::CAPSULE,
        Form::Box => records::CUBOID,
        Form::TaperedCapsule => records::TAPERED,
        Form::Solid(_) => records::HULL,
        Form::Bent(_) => records::MESH,
    };
    let v = |v: Vec3<f32>| [v.x, v.y, v.z];
    Collider {
        center: v(c.center),
        size: v(c.size),
        kind,
        axis0: v(c.axes[0]),
        bound: c.bound,
        axis1: v(c.axes[1]),
        axis2: v(c.axes[2]),
        turn0: v(c.turn[0]),
        turn1: v(c.turn[1]),
        turn2: v(c.turn[2]),
        shift: v(c.shift),
        ..Collider::default()
    }
}
