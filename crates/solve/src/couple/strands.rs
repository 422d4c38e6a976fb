//! The vertices of all rods that touch rods or push bodies, one after the other.

use crate::math::Vec3;

/// A vertex with the edge that starts there.
#[derive(Clone, Copy, Debug, Default)]
pub struct RodVertex {
    /// Where the substep began, or, for Newton's method, its iteration, m.
    pub x: Vec3<f64>,
    /// How far it had come in the substep by then, m.
    pub done: Vec3<f64>,
    /// Where the strand goes by itself, from there, m.
    pub u: Vec3<f64>,
    /// Where contacts take it, from there, as far as they are known, m.
    pub to: Vec3<f64>,
    /// Now, and at rest, m.
    pub radius: f64,
    pub rest: f64,
    /// Its radius may change.
    pub swells: bool,
    /// What a force does to it alone, at most, m/N; 0 for what the host holds.
    pub give: f64,
    /// From the root, m.
    pub arc: f64,
    /// Number of its strand among all.
    pub strand: u32,
    /// Number of its bundle among all, from 1 on; 0: none.
    pub bundle: u64,
    /// What its strand does by itself has the contact forces of the last time in it.
    pub loaded: bool,
    /// False for the last vertex of a strand.
    pub edge: bool,
    /// Its set sleeps.
    pub asleep: bool,
}

/// Rods that share friction and layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Set {
    pub first_vertex: u32,
    pub friction: f64,
    pub category: u32,
    pub mask: u32,
}

/// What holds an end of a strand: a junction, a body or a mesh, by a number of its own, and where on it, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Holder {
    pub number: u64,
    pub at: Vec3<f64>,
}

/// All of them.
#[derive(Debug, Default)]
pub struct Strands {
    pub vertices: Vec<RodVertex>,
    /// The first vertex of each strand; one more at the end.
    pub starts: Vec<u32>,
    pub sets: Vec<Set>,
    /// How many of the vertices, the first, are of rods that touch rods.
    pub paired: u32,
    /// What holds the root and the tip of each strand; empty where nothing holds any.
    pub holders: Vec<[Option<Holder>; 2]>,
    /// All pairs are looked at from where the substep began.
    pub whole: bool,
}

impl Strands {
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.starts.clear();
        self.sets.clear();
        self.holders.clear();
        self.paired = 0;
    }
    /// Those that touch rods.
    pub fn paired(&self) -> &[RodVertex] {
        &self.vertices[..self.paired as usize]
    }

    /// The vertices of a strand, by its number.
    pub fn vertices_of(&self, strand: u32) -> core::ops::Range<usize> {
        self.starts[strand as usize] as usize..self.starts[strand as usize + 1] as usize
    }
    /// Its edges, by their first vertices.
    pub fn edges_of(&self, strand: u32) -> core::ops::Range<usize> {
        let all = self.vertices_of(strand);
        all.start..all.end - 1
    }

    /// The set of a vertex.
    pub fn set_of(&self, vertex: u32) -> &Set {
        &self.sets[self.number_of(vertex)]
    }
    pub fn number_of(&self, vertex: u32) -> usize {
        self.sets.partition_point(|s| s.first_vertex <= vertex) - 1
    }

    /// Whether the ways of two edges are looked at from where the substep began, not from where the iteration did: what is swept has its way from there,
    /// and two ways begin at one time.
    pub fn is_whole(&self, [a, b]: [u32; 2]) -> bool {
        self.whole || self.vertices[a as usize].loaded != self.vertices[b as usize].loaded
    }

    /// Whether two sets touch each other. A set meets itself whatever its layers are.
    pub fn may_meet(&self, a: u32, b: u32) -> bool {
        let (one, other) = (&self.sets[a as usize], &self.sets[b as usize]);
        a == b || (one.mask & other.category != 0 && other.mask & one.category != 0)
    }

    /// Whether edges `a` < `b` are so near along one strand, or along two that something holds together, that they cannot but be near
    /// each other.
    pub fn neighbours(&self, a: u32, b: u32) -> bool {
        let (v, w) = (&self.vertices[a as usize], &self.vertices[b as usize]);
        // What is between strands of a bundle is their sections' business.
        if v.bundle > 0 && v.bundle == w.bundle && v.strand != w.strand {
            return true;
        }
        let end = &self.vertices[a as usize + 1];
        // A strand that turns back on itself has half a circle of the diameter between the two sides. At rest: it must not matter when a list is made.
        let near = TURN * (v.rest.max(end.rest) + w.rest.max(self.vertices[b as usize + 1].rest));
        if v.strand == w.strand && (b <= a + 1 || w.arc - end.arc < near) {
            return true;
        }
        !self.holders.is_empty() && self.are_held_together(a, b, near)
    }

    /// Whether the way from one edge to the other, by something that holds an end of both strands, is shorter than `near`.
    fn are_held_together(&self, a: u32, b: u32, near: f64) -> bool {
        let holds = |edge: u32| self.holders[self.vertices[edge as usize].strand as usize].map(|h| h.map(|h| h.number));
        let other = holds(b);
        if !holds(a).iter().flatten().any(|h| other.contains(&Some(*h))) {
            return false;
        }
        let ends = |edge: u32| {
            let v = &self.vertices[edge as usize];
            let last = self.vertices[self.starts[v.strand as usize + 1] as usize - 1].arc;
            let to = [v.arc, last - self.vertices[edge as usize + 1].arc];
            let held = self.holders[v.strand as usize];
            [0, 1].map(|k| held[k].map(|h| (h, to[k])))
        };
        let (one, other) = (ends(a), ends(b));
        one.iter().flatten().any(|(h, to)| {
            let together = |(g, back): &(Holder, f64)| {
                let between = (h.at - g.at).length();
                // Two edges that end there are neighbours however long the joint is; one end with itself is no way.
                h.number == g.number && (to + between + back < near || (*to == 0.0 && *back == 0.0 && between < near))
            };
            other.iter().flatten().any(together)
        })
    }

    pub fn memory_bytes(&self) -> usize {
        self.vertices.capacity() * size_of::<RodVertex>()
            + self.starts.capacity() * 4
            + self.sets.capacity() * size_of::<Set>()
            + self.holders.capacity() * size_of::<[Option<Holder>; 2]>()
    }
}

/// Half of π/2, and some more: an edge may be longer than the turn.
const TURN: f64 = 1.5;
