//! Cuts a large cluster by place into parts that touch each other little: halves of equal work,
//! across the longest extent, and so on (recursive coordinate bisection; M. Berger, S. Bokhari
//! 1987). Small groups of joined bodies stay together.

use super::drive::Record;
use super::graph::{Edge, Role};
use crate::math::Elem;
use core::ops::Range;

/// Cells along the axis of a cut, from so many standard deviations below the mean to as many above.
const CELLS: usize = 256;
const SPREAD: f64 = 2.5;
/// Most joined bodies that are not parted.
const WHOLE: u32 = 128;

#[derive(Debug, Default)]
pub struct Knife {
    /// Of each body: one that it is joined to, towards the first of all; itself for that.
    parent: Vec<u32>,
    /// Of the first of what is joined: how many.
    size: Vec<u32>,
    items: Vec<u32>,
    right: Vec<u32>,
}

impl Knife {
    /// Finds what is joined.
    pub fn join(&mut self, roles: &[Role], edges: &[Edge]) {
        let n = roles.len();
        self.parent.clear();
        self.parent.extend(0..n as u32);
        self.size.clear();
        self.size.resize(n, 1);
        let moves = |i: u32| roles[i as usize] == Role::Dynamic;
        for e in edges.iter().filter(|e| !e.contact && moves(e.a) && moves(e.b)) {
            let (a, b) = (self.first(e.a), self.first(e.b));
            if a != b {
                let (low, high) = (a.min(b), a.max(b));
                self.parent[high as usize] = low;
                self.size[low as usize] += self.size[high as usize];
            }
        }
    }

    fn first(&mut self, mut i: u32) -> u32 {
        while self.parent[i as usize] != i {
            let up = self.parent[self.parent[i as usize] as usize];
            self.parent[i as usize] = up;
            i = up;
        }
        i
    }
    /// What is cut off or not as one: a body, or the first of what is joined.
    fn item(&mut self, i: u32) -> u32 {
        let first = self.first(i);
        if self.size[first as usize] <= WHOLE { first } else { i }
    }

    /// Writes for each of a cluster's `bodies` its part to `part_of`, one of `parts`: a power of two of them.
    pub fn cut<E: Elem>(&mut self, bodies: &[u32], parts: Range<usize>, poses: &[Record<E>], part_of: &mut [u32]) {
        let mut items = core::mem::take(&mut self.items);
        items.clear();
        items.extend(bodies.iter().filter(|&&i| self.item(i) == i));
        // Room for as many as there are bodies: what comes loose later does not allocate.
        items.reserve(bodies.len() - items.len());
        self.right.clear();
        self.right.reserve(bodies.len());
        self.halve(&mut items, parts, poses, part_of);
        self.items = items;
        for &i in bodies {
            part_of[i as usize] = part_of[self.item(i) as usize];
        }
    }

    fn halve<E: Elem>(&mut self, items: &mut [u32], parts: Range<usize>, poses: &[Record<E>], part_of: &mut [u32]) {
        if parts.len() == 1 {
            items.iter().for_each(|&i| part_of[i as usize] = parts.start as u32);
            return;
        }
        let left = self.part(items, poses);
        let (low, high) = items.split_at_mut(left);
        let middle = parts.start + parts.len() / 2;
        self.halve(low, parts.start..middle, poses, part_of);
        self.halve(high, middle..parts.end, poses, part_of);
    }

    /// Half of the bodies first, from the lower end of the longest axis; returns how many items those are. Places are told by cells of a grid that
    /// stands, so that a heap at rest is cut as in the step before: an order that changes is a tremble.
    fn part<E: Elem>(&mut self, items: &mut [u32], poses: &[Record<E>]) -> usize {
        if items.len() < 2 {
            return items.len();
        }
        let at = |i: u32, axis: usize| poses[i as usize].0[axis].to_f64();
        let (mut axis, mut middle, mut spread) = (0, 0.0, -1.0);
        for k in 0..3 {
            let (mut sum, mut square) = (0.0, 0.0);
            // From one of them, so that squares tell far from the origin too.
            let base = at(items[0], k);
            for &i in items.iter() {
                let x = at(i, k) - base;
                sum += x;
                square += x * x;
            }
            let n = items.len() as f64;
            let variance = (square - sum * sum / n) / n;
            if variance > spread {
                (axis, middle, spread) = (k, base + sum / n, variance);
            }
        }
        let reach = SPREAD * spread.max(0.0).sqrt();
        let cell = power_above(4.0 * reach / CELLS as f64);
        let low = ((middle - reach) / cell).floor();
        // What is no number, and what is all in one place, is in the first.
        let cell_of = |i: u32| (((at(i, axis) / cell).floor() - low) as usize).min(CELLS - 1);
        // Of what is cut itself each body counts.
        let whole = |i: usize| self.parent[i] as usize == i && self.size[i] <= WHOLE;
        let bodies = |i: u32| if whole(i as usize) { self.size[i as usize] } else { 1 };
        let mut counts = [0u32; CELLS];
        for &i in items.iter() {
            counts[cell_of(i)] += bodies(i);
        }
        let half = counts.iter().sum::<u32>() / 2;
        let (mut cut, mut below) = (0, 0);
        while cut + 1 < CELLS && below + counts[cut] <= half {
            below += counts[cut];
            cut += 1;
        }
        // Of the cell of the cut, in order, what the first half still lacks.
        self.right.clear();
        let mut left = 0;
        for k in 0..items.len() {
            let i = items[k];
            let cell = cell_of(i);
            let goes = cell < cut || (cell == cut && below < half);
            if cell == cut {
                below += bodies(i);
            }
            if goes {
                items[left] = i;
                left += 1;
            } else {
                self.right.push(i);
            }
        }
        items[left..].copy_from_slice(&self.right);
        left
    }
}

/// A power of two that is greater, up to twice as great; of what is no number, or endless, that.
fn power_above(x: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    2.0 * f64::from_bits(x.to_bits() & EXPONENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;

    /// Pairs of joined bodies in a long box: parts are slices of the same weight, pairs stay together, and whatever the poses are, every body is
    /// in a part.
    #[test]
    fn parts_are_even_and_leave_whole_what_is_joined() {
        let n = 4001;
        let mut rng = Rng::new(5);
        let mut roles = vec![Role::Dynamic; n];
        roles[0] = Role::Static;
        let joint = |a: u32| Edge { a, b: a + 1, first: 0, count: 1, contact: false };
        let edges: Vec<Edge> = (1..n as u32 - 1).step_by(2).map(joint).collect();
        let bodies: Vec<u32> = (1..n as u32).collect();
        for case in 0..4 {
            let poses: Vec<Record<f32>> = (0..n)
                .map(|_| {
                    let x = [rng.range(-10.0, 10.0), rng.range(-1.0, 1.0), rng.range(-2.0, 2.0)];
                    let bad = [0.0, f64::NAN, f64::INFINITY, 0.0][case];
                    let x = x.map(|x| if case == 3 { 1.0 } else { (x + bad) as f32 });
                    Record([x[0], x[1], x[2], 0.0, 0.0, 0.0, 0.0, 1.0])
                })
                .collect();
            let mut knife = Knife::default();
            knife.join(&roles, &edges);
            let mut part_of = vec![u32::MAX; n];
            knife.cut(&bodies, 3..11, &poses, &mut part_of);
            let mut counts = [0; 8];
            for pair in bodies.chunks(2) {
                assert!(part_of[pair[0] as usize] == part_of[pair[1] as usize]);
                counts[part_of[pair[0] as usize] as usize - 3] += 2;
            }
            assert!(counts.iter().all(|c| (498..=502).contains(c)), "case {case}: {counts:?}");
            if case == 0 {
                // Along x.
                let mean = |p: u32| {
                    let of: Vec<f32> =
                        bodies.iter().filter(|&&i| part_of[i as usize] == p).map(|&i| poses[i as usize].0[0]).collect();
                    of.iter().sum::<f32>() / of.len() as f32
                };
                assert!((3..10).all(|p| mean(p) < mean(p + 1)));
            }
        }
    }
}
