//! The vertices of all rods that touch rods, one after the other.

use crate::math::Vec3;

/// A vertex with the edge that starts there.
#[derive(Clone, Copy, Debug)]
pub struct RodVertex {
    /// Where the substep began, or, for Newton's method, its iteration, m.
    pub x: Vec3<f64>,
    /// How far it had come in the substep by then, m.
    pub done: Vec3<f64>,
    /// Where the strand goes by itself, from there, m.
    pub u: Vec3<f64>,
    /// Where contacts take it, from there, as far as they are known, m.
    pub to: Vec3<f64>,
    /// m
    pub radius: f64,
    /// What a force does to it alone, at most, m/N; 0 for what the host holds.
    pub give: f64,
    /// From the root, m.
    pub arc: f64,
    /// Number of its strand among all.
    pub strand: u32,
    /// What its strand does by itself has the contact forces of the last time in it.
    pub loaded: bool,
    /// False for the last vertex of a strand.
    pub edge: bool,
}

/// Rods that share friction and layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Set {
    pub first_vertex: u32,
    pub friction: f64,
    pub category: u32,
    pub mask: u32,
}

/// All of them.
#[derive(Debug, Default)]
pub struct Strands {
    pub vertices: Vec<RodVertex>,
    /// The first vertex of each strand; one more at the end.
    pub starts: Vec<u32>,
    pub sets: Vec<Set>,
}

impl Strands {
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.starts.clear();
        self.sets.clear();
    }

    /// The set of a vertex.
    pub fn set_of(&self, vertex: u32) -> &Set {
        &self.sets[self.number_of(vertex)]
    }
    pub fn number_of(&self, vertex: u32) -> usize {
        self.sets.partition_point(|s| s.first_vertex <= vertex) - 1
    }

    /// Whether edges `a` < `b` are so near along one strand that they cannot but be near each other.
    pub fn neighbours(&self, a: u32, b: u32) -> bool {
        let (v, w) = (&self.vertices[a as usize], &self.vertices[b as usize]);
        if v.strand != w.strand {
            return false;
        }
        if b <= a + 1 {
            return true;
        }
        let end = &self.vertices[a as usize + 1];
        // A strand that turns back on itself has half a circle of the diameter between the two sides.
        w.arc - end.arc < TURN * (end.radius + w.radius)
    }

    pub fn memory_bytes(&self) -> usize {
        self.vertices.capacity() * size_of::<RodVertex>() + self.starts.capacity() * 4 + self.sets.capacity() * size_of::<Set>()
    }
}

/// Half of π/2, and some more: an edge may be longer than the turn.
const TURN: f64 = 1.5;
