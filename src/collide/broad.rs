//! Which boxes overlap: sort and sweep along the axis on which they lie furthest apart. The pairs come in an order that follows from the
//! boxes' numbers alone.

use super::Bounds;
use crate::math::{Elem, Vec3};

/// Boxes and what may collide with what.
#[derive(Clone, Debug)]
pub struct Entry<E> {
    pub bounds: Bounds<E>,
    /// The body; boxes of one body do not pair.
    pub body: u32,
    /// 0, or a group whose members do not pair.
    pub group: u32,
    pub category: u32,
    pub mask: u32,
    /// False: pairs only with those for which it is true.
    pub active: bool,
}

impl<E: Elem> Entry<E> {
    fn meets(&self, b: &Self) -> bool {
        let (p, q) = (&self.bounds, &b.bounds);
        let apart = p.max.x < q.min.x
            || q.max.x < p.min.x
            || p.max.y < q.min.y
            || q.max.y < p.min.y
            || p.max.z < q.min.z
            || q.max.z < p.min.z;
        !apart
            && (self.active || b.active)
            && self.body != b.body
            && self.category & b.mask != 0
            && b.category & self.mask != 0
            && (self.group == 0 || self.group != b.group)
    }
}

/// Most pairs of one step; further ones are left out and counted.
pub const MOST_PAIRS: usize = 1 << 19;

#[derive(Debug, Default)]
pub struct Broad<E> {
    /// (least coordinate, number)
    order: Vec<(E, u32)>,
    /// Sorted copies of the boxes along the sweep.
    sorted: Vec<Entry<E>>,
    /// Numbers of boxes without an end.
    endless: Vec<u32>,
    /// Lesser number first, ascending.
    pub pairs: Vec<(u32, u32)>,
    pub dropped: u64,
}

fn on<E: Elem>(v: Vec3<E>, axis: usize) -> E {
    [v.x, v.y, v.z][axis]
}

impl<E: Elem> Broad<E> {
    pub fn find(&mut self, entries: &[Entry<E>]) {
        self.pairs.clear();
        self.dropped = 0;
        self.order.clear();
        self.endless.clear();
        let axis = widest(entries);
        for (i, e) in entries.iter().enumerate() {
            let ends = e.bounds.min.length2() + e.bounds.max.length2();
            if ends.is_finite() {
                self.order.push((on(e.bounds.min, axis), i as u32));
            } else {
                self.endless.push(i as u32);
            }
        }
        // Equal coordinates in the order of their numbers: the result is the same for every sort.
        self.order.sort_unstable_by(|a, b| a.0.to_f64().total_cmp(&b.0.to_f64()).then(a.1.cmp(&b.1)));
        self.sorted.clear();
        self.sorted.extend(self.order.iter().map(|&(_, i)| entries[i as usize].clone()));
        for k in 0..self.sorted.len() {
            let e = &self.sorted[k];
            let end = on(e.bounds.max, axis);
            for j in k + 1..self.sorted.len() {
                if end < self.order[j].0 {
                    break;
                }
                if e.meets(&self.sorted[j]) {
                    let (a, b) = (self.order[k].1, self.order[j].1);
                    if self.pairs.len() >= MOST_PAIRS {
                        self.dropped += 1;
                        break;
                    }
                    self.pairs.push((a.min(b), a.max(b)));
                }
            }
        }
        for (k, &i) in self.endless.iter().enumerate() {
            let e = &entries[i as usize];
            let others = self.order.iter().map(|&(_, j)| j).chain(self.endless[k + 1..].iter().copied());
            for j in others {
                if e.meets(&entries[j as usize]) {
                    if self.pairs.len() >= MOST_PAIRS {
                        self.dropped += 1;
                        break;
                    }
                    self.pairs.push((i.min(j), i.max(j)));
                }
            }
        }
        self.pairs.sort_unstable();
    }
}

/// The axis on which the middles vary most.
fn widest<E: Elem>(entries: &[Entry<E>]) -> usize {
    let (mut sum, mut square, mut n) = ([0.0; 3], [0.0; 3], 0.0);
    for e in entries.iter().filter(|e| e.active) {
        let m = (e.bounds.min + e.bounds.max).map(|c| c.to_f64() * 0.5).to_array();
        if m.iter().all(|c| c.is_finite()) {
            n += 1.0;
            for k in 0..3 {
                sum[k] += m[k];
                square[k] += m[k] * m[k];
            }
        }
    }
    let variance = |k: usize| if n > 0.0 { square[k] - sum[k] * sum[k] / n } else { 0.0 };
    let (x, y, z) = (variance(0), variance(1), variance(2));
    if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    }
}
