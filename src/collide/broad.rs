//! Which boxes overlap: slabs along one axis, sort and sweep along another. The pairs come in an order that follows from the boxes'
//! numbers alone.

use super::Bounds;
use crate::math::Elem;
use crate::world::tasks::TaskRunner;

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

impl<E> Entry<E> {
    /// Whether the filters let them meet.
    pub fn may_meet(&self, b: &Entry<E>) -> bool {
        self.body != b.body
            && self.category & b.mask != 0
            && b.category & self.mask != 0
            && (self.group == 0 || self.group != b.group)
    }
}

/// A box in f32, not smaller than the entry's.
#[derive(Clone, Copy, Debug)]
struct Small {
    min: [f32; 3],
    max: [f32; 3],
    body: u32,
    group: u32,
    category: u32,
    mask: u32,
    number: u32,
    active: bool,
    /// First slab that it is in.
    slab: u32,
}

impl Small {
    fn of<E: Elem>(e: &Entry<E>, number: u32) -> Small {
        let down = |x: E| {
            let y = x.to_f64() as f32;
            if f64::from(y) > x.to_f64() { y.next_down() } else { y }
        };
        let up = |x: E| {
            let y = x.to_f64() as f32;
            if f64::from(y) < x.to_f64() { y.next_up() } else { y }
        };
        let (a, b) = (e.bounds.min, e.bounds.max);
        Small {
            min: [down(a.x), down(a.y), down(a.z)],
            max: [up(b.x), up(b.y), up(b.z)],
            body: e.body,
            group: e.group,
            category: e.category,
            mask: e.mask,
            number,
            active: e.active,
            slab: 0,
        }
    }

    fn meets(&self, b: &Small) -> bool {
        let apart = self.max[0] < b.min[0]
            || b.max[0] < self.min[0]
            || self.max[1] < b.min[1]
            || b.max[1] < self.min[1]
            || self.max[2] < b.min[2]
            || b.max[2] < self.min[2];
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
/// Most pairs of one slab: what lies all in one place takes no longer than that.
const MOST_IN_SLAB: usize = MOST_PAIRS / 4;
/// Most tests in one slab: what lies all in one place and does not collide takes no longer than these.
const MOST_TESTS: usize = 1 << 29;
/// Most slabs, and how many a box may be in before it counts as endless.
const SLABS: usize = 64;
const WIDE: usize = 8;

/// Boxes that are tested at once.
const LINE: usize = 8;

/// Where boxes begin and end on the axes that are not swept.
#[derive(Clone, Copy, Debug)]
struct Sides {
    u: [[f32; LINE]; 2],
    v: [[f32; LINE]; 2],
}

impl Sides {
    /// A bit for each box that overlaps these two.
    #[inline(always)]
    fn meet(&self, u: [f32; 2], v: [f32; 2]) -> u32 {
        let bits: [u32; LINE] = core::array::from_fn(|k| {
            let apart = (u[1] < self.u[0][k]) | (self.u[1][k] < u[0]) | (v[1] < self.v[0][k]) | (self.v[1][k] < v[0]);
            if apart { 0 } else { 1 << k }
        });
        bits.iter().fold(0, |all, b| all | b)
    }
}

#[derive(Debug, Default)]
struct Slab {
    /// By their beginnings on the axis of the sweep.
    boxes: Vec<Small>,
    low: Vec<f32>,
    sides: Vec<Sides>,
    pairs: Vec<(u32, u32)>,
    dropped: u64,
}

#[derive(Debug, Default)]
pub struct Broad {
    boxes: Vec<Small>,
    /// (order of the least coordinate, index into `boxes`)
    order: Vec<u64>,
    slabs: Vec<Slab>,
    /// Boxes without an end, and those through many slabs.
    endless: Vec<Small>,
    starts: Vec<u32>,
    /// Lesser number first, ascending.
    pub pairs: Vec<(u32, u32)>,
    pub dropped: u64,
}

/// Bits that sort as the numbers do.
fn key(x: f32) -> u32 {
    let b = x.to_bits();
    if b >> 31 == 1 { !b } else { b | 1 << 31 }
}

#[derive(Clone, Copy)]
struct Slabs(*mut Slab);
// SAFETY: each slab is one task's.
unsafe impl Send for Slabs {}
// SAFETY: as above.
unsafe impl Sync for Slabs {}
impl Slabs {
    /// # Safety
    /// `i` is in range and this task's.
    #[allow(clippy::mut_from_ref)]
    unsafe fn at(&self, i: usize) -> &mut Slab {
        // SAFETY: the caller's contract.
        unsafe { &mut *self.0.add(i) }
    }
}

impl Broad {
    pub fn find<E: Elem>(&mut self, entries: &[Entry<E>], runner: &dyn TaskRunner) {
        self.boxes.clear();
        self.endless.clear();
        self.order.clear();
        for (i, e) in entries.iter().enumerate() {
            let ends = e.bounds.min.length2() + e.bounds.max.length2();
            // What is no number meets nothing.
            if ends.to_f64().is_nan() {
                continue;
            }
            let b = Small::of(e, i as u32);
            if ends.is_finite() { self.boxes.push(b) } else { self.endless.push(b) }
        }
        let (sweep, across) = axes(&self.boxes);
        let (low, width, count) = self.divide(across);
        self.order.extend(self.boxes.iter().enumerate().map(|(i, b)| u64::from(key(b.min[sweep])) << 32 | i as u64));
        self.order.sort_unstable();
        if self.slabs.len() < count {
            self.slabs.resize_with(count, Slab::default);
        }
        for slab in &mut self.slabs {
            slab.clear();
        }
        let slab = |x: f32| (((x - low) / width) as usize).min(count - 1);
        for &k in &self.order {
            let mut b = self.boxes[(k & 0xffff_ffff) as usize];
            let (first, last) = (slab(b.min[across]), slab(b.max[across]));
            if last - first >= WIDE {
                self.boxes[(k & 0xffff_ffff) as usize].slab = u32::MAX;
                self.endless.push(b);
                continue;
            }
            b.slab = first as u32;
            for s in &mut self.slabs[first..=last] {
                s.boxes.push(b);
            }
        }
        let slabs = Slabs(self.slabs.as_mut_ptr());
        runner.run(count, &|i| {
            // SAFETY: one task a slab.
            let s = unsafe { slabs.at(i) };
            s.sweep([sweep, across, 3 - sweep - across], i as u32);
        });
        self.sweep_endless();
        self.gather(entries.len());
    }

    /// Where the slabs begin, how wide they are, and how many.
    fn divide(&self, axis: usize) -> (f32, f32, usize) {
        let (mut low, mut high, mut sum) = (f32::MAX, f32::MIN, 0.0f64);
        for b in &self.boxes {
            (low, high) = (low.min(b.min[axis]), high.max(b.max[axis]));
            sum += f64::from(b.max[axis]) - f64::from(b.min[axis]);
        }
        let range = f64::from(high) - f64::from(low);
        let mean = sum / self.boxes.len().max(1) as f64;
        if self.boxes.len() < 64 || range.is_nan() || range <= 0.0 {
            return (0.0, f32::INFINITY, 1);
        }
        let count = ((range / (2.0 * mean).max(1e-30)) as usize).clamp(1, SLABS);
        (low, (range / count as f64) as f32, count)
    }

    fn sweep_endless(&mut self) {
        let (endless, boxes) = (&self.endless, &self.boxes);
        let first = &mut self.slabs[0];
        for (k, e) in endless.iter().enumerate() {
            let others = endless[k + 1..].iter().chain(boxes.iter().filter(|b| b.slab != u32::MAX));
            for b in others {
                if e.meets(b) {
                    first.put(e, b);
                }
            }
        }
    }

    /// All pairs, sorted.
    fn gather(&mut self, entries: usize) {
        self.starts.clear();
        self.starts.resize(entries + 1, 0);
        self.dropped = 0;
        for s in &self.slabs {
            self.dropped += s.dropped;
            s.pairs.iter().for_each(|p| self.starts[p.0 as usize + 1] += 1);
        }
        for i in 0..entries {
            self.starts[i + 1] += self.starts[i];
        }
        self.pairs.clear();
        self.pairs.resize(self.starts[entries] as usize, (0, 0));
        for s in &self.slabs {
            for &p in &s.pairs {
                let to = &mut self.starts[p.0 as usize];
                self.pairs[*to as usize] = p;
                *to += 1;
            }
        }
        let mut from = 0;
        for i in 0..entries {
            let to = self.starts[i] as usize;
            self.pairs[from..to].sort_unstable();
            from = to;
        }
        if self.pairs.len() > MOST_PAIRS {
            self.dropped += (self.pairs.len() - MOST_PAIRS) as u64;
            self.pairs.truncate(MOST_PAIRS);
        }
    }

    pub fn memory_bytes(&self) -> usize {
        let slabs: usize = self
            .slabs
            .iter()
            .map(|s| {
                s.boxes.capacity() * (size_of::<Small>() + 4) + s.sides.capacity() * size_of::<Sides>() + s.pairs.capacity() * 8
            })
            .sum();
        slabs + (self.boxes.capacity() + self.endless.capacity()) * size_of::<Small>() + self.pairs.capacity() * 8
    }
}

impl Slab {
    fn clear(&mut self) {
        self.boxes.clear();
        self.low.clear();
        self.sides.clear();
        self.pairs.clear();
        self.dropped = 0;
    }

    /// Puts in the boxes' ends: `axes` are that of the sweep and the two others.
    fn line_up(&mut self, axes: [usize; 3]) {
        let [sweep, u, v] = axes;
        // As much room as the boxes have, so that these do not grow later than they.
        self.low.reserve(self.boxes.capacity());
        self.sides.reserve(self.boxes.capacity().div_ceil(LINE) + 1);
        self.low.extend(self.boxes.iter().map(|b| b.min[sweep]));
        // What fills up the last line meets nothing.
        let far = [[f32::INFINITY; LINE], [f32::NEG_INFINITY; LINE]];
        self.sides.resize(self.boxes.len().div_ceil(LINE) + 1, Sides { u: far, v: far });
        for (k, b) in self.boxes.iter().enumerate() {
            let s = &mut self.sides[k / LINE];
            for (to, axis) in [(&mut s.u, u), (&mut s.v, v)] {
                (to[0][k % LINE], to[1][k % LINE]) = (b.min[axis], b.max[axis]);
            }
        }
    }

    fn sweep(&mut self, axes: [usize; 3], number: u32) {
        self.line_up(axes);
        let [sweep, u, v] = axes;
        let (mut tests, n) = (0, self.boxes.len());
        for k in 0..n {
            let e = self.boxes[k];
            if tests > MOST_TESTS {
                self.dropped += (n - k) as u64;
                return;
            }
            let mut j = k + 1;
            while j < n && self.low[j] <= e.max[sweep] {
                // Up to the end of a line at once.
                let first = j / LINE * LINE;
                let mut met = self.sides[j / LINE].meet([e.min[u], e.max[u]], [e.min[v], e.max[v]]) & !0 << (j - first);
                tests += LINE;
                j = first + LINE;
                while met != 0 {
                    let i = first + met.trailing_zeros() as usize;
                    met &= met - 1;
                    let b = self.boxes[i];
                    // A pair that is in several slabs belongs to the first that both are in.
                    if self.low[i] <= e.max[sweep] && e.slab.max(b.slab) == number && e.meets(&b) {
                        if self.pairs.len() >= MOST_IN_SLAB {
                            self.dropped += 1;
                            return;
                        }
                        self.put(&e, &b);
                    }
                }
            }
        }
    }
    fn put(&mut self, a: &Small, b: &Small) {
        if self.pairs.len() < MOST_PAIRS {
            self.pairs.push((a.number.min(b.number), a.number.max(b.number)));
        } else {
            self.dropped += 1;
        }
    }
}

/// The axis on which the middles vary most, and the next.
fn axes(boxes: &[Small]) -> (usize, usize) {
    let (mut sum, mut square) = ([0.0f64; 3], [0.0f64; 3]);
    for b in boxes.iter().filter(|b| b.active) {
        for k in 0..3 {
            let m = 0.5 * (f64::from(b.min[k]) + f64::from(b.max[k]));
            sum[k] += m;
            square[k] += m * m;
        }
    }
    let n = boxes.iter().filter(|b| b.active).count().max(1) as f64;
    let variance = [0, 1, 2].map(|k| square[k] - sum[k] * sum[k] / n);
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| variance[b].total_cmp(&variance[a]).then(a.cmp(&b)));
    (order[0], order[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::math::rng::Rng;
    use crate::world::tasks::Inline;

    #[test]
    fn finds_what_a_search_of_all_pairs_finds() {
        let mut rng = Rng::new(3);
        for case in 0..40 {
            let n = 20 + 25 * case;
            let spread = [3.0, 30.0, 0.0][case % 3];
            let mut entries: Vec<Entry<f64>> = Vec::new();
            for i in 0..n {
                let mut at = || rng.range(-spread, spread);
                let c = Vec3 { x: at(), y: at() * 0.2, z: at() };
                let large = if i % 37 == 5 { 40.0 } else { 1.0 };
                let mut half = || rng.range(0.01, 0.5) * large;
                let h = Vec3 { x: half(), y: half(), z: half() };
                let far = if i % 61 == 7 { f64::INFINITY } else { 0.0 };
                let bounds = Bounds { min: c - h - Vec3 { x: far, y: 0.0, z: far }, max: c + h };
                let group = if i % 11 == 0 { 7 } else { 0 };
                let category = 1 << (i % 3);
                entries.push(Entry { bounds, body: (i / 2) as u32, group, category, mask: 0b011, active: i % 5 != 0 });
            }
            let mut expected = Vec::new();
            for i in 0..n {
                for j in i + 1..n {
                    if Small::of(&entries[i], 0).meets(&Small::of(&entries[j], 0)) {
                        expected.push((i as u32, j as u32));
                    }
                }
            }
            let mut broad = Broad::default();
            broad.find(&entries, &Inline);
            if expected.len() > MOST_IN_SLAB {
                // All in one place: some are left out, and it is told.
                assert!(broad.dropped > 0 && broad.pairs.iter().all(|p| expected.binary_search(p).is_ok()), "case {case}");
                continue;
            }
            assert!(broad.pairs == expected, "case {case}: {} pairs, should be {}", broad.pairs.len(), expected.len());
        }
    }
}
