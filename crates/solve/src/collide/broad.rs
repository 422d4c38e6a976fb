//! Broad phase: which boxes overlap. Slabs along one axis, sort and sweep along another. The order
//! of the pairs follows from the numbers of the boxes alone.

mod extent;
mod kept;
mod sides;

use super::Bounds;
use crate::math::Elem;
use crate::tasks::{Each, Inline, TaskRunner};
use core::ops::Range;
use extent::{Division, Extent, SLABS};
use kept::Kept;
use sides::{LINE, Sides, Span};

/// What may collide with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The body; boxes of one body do not pair.
    pub body: u32,
    /// 0, or a group whose members do not pair.
    pub group: u32,
    pub category: u32,
    pub mask: u32,
}

impl Filter {
    /// Whether two may meet.
    pub fn lets(&self, b: &Filter) -> bool {
        self.body != b.body
            && self.category & b.mask != 0
            && b.category & self.mask != 0
            && (self.group == 0 || self.group != b.group)
    }
}

/// A box.
#[derive(Clone, Debug)]
pub struct Entry<E> {
    pub bounds: Bounds<E>,
    pub filter: Filter,
    /// False: pairs only with those for which it is true.
    pub active: bool,
}

/// Where a box is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// What is no number meets nothing.
    Nowhere,
    /// First and last slab.
    Slabs(u8, u8),
    /// Everywhere: without an end, or through many slabs.
    Wide,
}

/// A box in f32, not smaller than the entry's.
#[derive(Clone, Copy, Debug)]
struct Small {
    min: [f32; 3],
    max: [f32; 3],
    place: Place,
}

impl Small {
    const NOWHERE: Small = Small { min: [0.0; 3], max: [0.0; 3], place: Place::Nowhere };

    fn of<E: Elem>(b: &Bounds<E>) -> Small {
        let ends = b.min.length2() + b.max.length2();
        if ends.to_f64().is_nan() {
            return Small::NOWHERE;
        }
        let down = |x: E| {
            let y = x.to_f64() as f32;
            if f64::from(y) > x.to_f64() { y.next_down() } else { y }
        };
        let up = |x: E| {
            let y = x.to_f64() as f32;
            if f64::from(y) < x.to_f64() { y.next_up() } else { y }
        };
        let (min, max) = ([b.min.x, b.min.y, b.min.z].map(down), [b.max.x, b.max.y, b.max.z].map(up));
        let ends = min.iter().chain(&max).all(|x| x.is_finite());
        Small { min, max, place: if ends { Place::Slabs(0, 0) } else { Place::Wide } }
    }

    #[inline(always)]
    fn overlaps(&self, b: &Small) -> bool {
        (0..3).fold(true, |all, k| all & (self.min[k] <= b.max[k]) & (b.min[k] <= self.max[k]))
    }
}

/// Most pairs of `n` boxes: what a step may cost. Where there are more in one slab, each box meets only some of the next there.
fn most_pairs(n: usize) -> usize {
    PAIRS + (PAIRS_EACH - 4) * n.min(1 << 16) + 4 * n
}
const PAIRS: usize = 4096;
/// Of each box, as long as they are not too many.
const PAIRS_EACH: usize = 20;
/// Later boxes that each of `n` meets in a crowd: so many that what lies all in one place still comes apart, and so few that the solver
/// finds colours for all.
fn crowd(n: usize) -> usize {
    ((1 << 20) / n.max(1)).clamp(1, 4)
}
/// Most tests among `n` boxes: what lies all in one place and does not collide takes no longer than these.
fn most_tests(n: usize) -> usize {
    (1 << 24) + n * (1 << 10)
}
/// How many slabs a box may be in before it counts as endless.
const WIDE: u8 = 8;
/// Boxes of one task, and most tasks of boxes.
const PART: usize = 256;
const PARTS: usize = 64;
/// Boxes whose pairs are sorted by one task, at least, and most such tasks.
const RANGE: usize = 64;
const RANGES: usize = 128;
/// With fewer boxes, or pairs, what takes a few ns for each is not handed to other threads.
const FEW: usize = 1024;

/// What else a sweep asks of a box.
#[derive(Clone, Copy, Debug)]
struct Tag {
    filter: Filter,
    number: u32,
    /// Where it ends on the axis of the sweep.
    high: f32,
    active: bool,
}

impl Tag {
    const NONE: Tag = Tag { filter: Filter { body: 0, group: 0, category: 0, mask: 0 }, number: 0, high: 0.0, active: false };
}

/// Pairs that one task has found, lesser number first: `a << 32 | b`.
#[derive(Debug, Default)]
struct List {
    pairs: Vec<u64>,
    /// How many begin in each range; then where the next of these goes.
    counts: Vec<u32>,
    dropped: u64,
    /// No more than there is room for.
    bounded: bool,
}

#[derive(Debug, Default)]
pub struct Broad {
    kept: Kept,
    /// Of every entry, as the search has them.
    boxes: Vec<Small>,
    wide: Vec<u32>,
    /// Of each slab the boxes that begin in it, then those that begin in another: (order of the least coordinate, number); then what the
    /// sweep reads.
    order: Vec<u64>,
    tags: Vec<Tag>,
    sides: Vec<Sides>,
    lists: Vec<List>,
    /// Where the pairs of each range of boxes begin; one more for the end.
    starts: Vec<u32>,
    /// Boxes of a range: 2 to the power of this.
    shift: u32,
    /// The pairs by range, not yet in order.
    loose: Vec<u64>,
    /// `a << 32 | b`, a < b, ascending.
    pub pairs: Vec<u64>,
    /// How many were left out in crowds, at least.
    pub dropped: u64,
}

/// Both numbers of a pair.
pub fn numbers(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

/// The lists of a box: that of its first slab, and those of what comes into the others.
fn lists(first: u8, last: u8) -> impl Iterator<Item = usize> {
    (first..=last).map(move |s| 2 * s as usize + usize::from(s > first))
}

/// Bits that sort as the numbers do.
fn key(x: f32) -> u32 {
    let b = x.to_bits();
    if b >> 31 == 1 { !b } else { b | 1 << 31 }
}

/// Sorts pairs whose first numbers differ in the lowest `shift` bits: by the upper of these, then each part on its own.
fn sort_range(from: &[u64], to: &mut [u64], shift: u32) {
    let bucket = |p: u64| (p >> 32 >> (shift - RANGE.trailing_zeros())) as usize % RANGE;
    let mut starts = [0u32; RANGE + 1];
    from.iter().for_each(|&p| starts[bucket(p) + 1] += 1);
    for k in 0..RANGE {
        starts[k + 1] += starts[k];
    }
    let mut ends = starts;
    for &p in from {
        let at = &mut ends[bucket(p)];
        to[*at as usize] = p;
        *at += 1;
    }
    for k in 0..RANGE {
        to[starts[k] as usize..ends[k] as usize].sort_unstable();
    }
}

/// The `k`-th of the parts of `n` boxes.
fn part(n: usize, k: usize) -> Range<usize> {
    let size = n.div_ceil(PARTS).max(PART);
    k * size..((k + 1) * size).min(n)
}
fn parts(n: usize) -> usize {
    n.div_ceil(n.div_ceil(PARTS).max(PART))
}

impl Broad {
    pub fn find<E: Elem>(&mut self, entries: &[Entry<E>], runner: &dyn TaskRunner) {
        self.kept.look(entries, runner);
        if !self.find_kept(entries, runner) {
            self.boxes.clone_from(&self.kept.now);
            self.search(entries, runner, false);
            self.reserve_kept();
        }
    }

    /// The pairs of [`Broad::boxes`]. `bounded`: only if there is room for all, nothing is allocated; else false.
    fn search<E: Elem>(&mut self, entries: &[Entry<E>], runner: &dyn TaskRunner, bounded: bool) -> bool {
        let extent = self.measure(entries, runner);
        let axes = extent.axes();
        let division = extent.divide(axes[1]);
        let starts = self.count(axes, &division);
        let (slabs, all) = (division.count, starts[2 * SLABS] as usize);
        let tasks = slabs + if self.wide.is_empty() { 0 } else { parts(entries.len()) };
        let room = self.order.capacity().min(self.tags.capacity()).min(LINE * self.sides.capacity().saturating_sub(2 * slabs));
        if bounded && (all > room || tasks > self.lists.len()) {
            return false;
        }
        self.fill(axes, &starts);
        self.sweep(entries, axes, &starts[..=2 * slabs], runner, bounded);
        let pairs: usize = self.lists.iter().map(|l| l.pairs.len()).sum();
        let room = self.pairs.capacity().min(self.loose.capacity()).min(self.kept.room());
        if bounded && (pairs > room || self.lists.iter().any(|l| l.dropped > 0)) {
            return false;
        }
        self.gather(entries.len(), runner);
        true
    }

    /// Where the boxes are.
    fn measure<E: Elem>(&self, entries: &[Entry<E>], runner: &dyn TaskRunner) -> Extent {
        let n = entries.len();
        let mut extents = [Extent::NONE; PARTS];
        let to = Each::new(&mut extents);
        let alone: &dyn TaskRunner = if n < FEW { &Inline } else { runner };
        alone.run(parts(n), &|k| {
            let mut all = Extent::NONE;
            for i in part(n, k) {
                let b = &self.boxes[i];
                if b.place != Place::Nowhere && b.place != Place::Wide {
                    all.add(b, entries[i].active);
                }
            }
            // SAFETY: each part is one task's.
            unsafe { *to.at(k) = all };
        });
        extents[..parts(n)].iter().fold(Extent::NONE, Extent::join)
    }

    /// Where each slab's two lists begin in the order, and what is wide.
    fn count(&mut self, [_, across, _]: [usize; 3], division: &Division) -> [u32; 2 * SLABS + 1] {
        let mut starts = [0; 2 * SLABS + 1];
        self.wide.clear();
        for (i, b) in self.boxes.iter_mut().enumerate() {
            if let Place::Slabs(..) = b.place {
                let (first, last) = (division.slab(b.min[across]), division.slab(b.max[across]));
                b.place = if last - first >= WIDE { Place::Wide } else { Place::Slabs(first, last) };
            }
            match b.place {
                Place::Nowhere => {}
                Place::Wide => self.wide.push(i as u32),
                Place::Slabs(first, last) => lists(first, last).for_each(|l| starts[l + 1] += 1),
            }
        }
        for l in 0..2 * SLABS {
            starts[l + 1] += starts[l];
        }
        starts
    }

    /// Which boxes are in which slab: `order`.
    fn fill(&mut self, [sweep, ..]: [usize; 3], starts: &[u32; 2 * SLABS + 1]) {
        self.order.resize(starts[2 * SLABS] as usize, 0);
        let mut next = *starts;
        for (i, b) in self.boxes.iter().enumerate() {
            if let Place::Slabs(first, last) = b.place {
                let key = u64::from(key(b.min[sweep])) << 32 | i as u64;
                for l in lists(first, last) {
                    self.order[next[l] as usize] = key;
                    next[l] += 1;
                }
            }
        }
    }

    /// Pairs of each slab, and of what is wide with each part of the boxes. `starts`: of the slabs' lists in `order`.
    fn sweep<E: Elem>(&mut self, entries: &[Entry<E>], axes: [usize; 3], starts: &[u32], runner: &dyn TaskRunner, bounded: bool) {
        let (n, slabs) = (entries.len(), starts.len() / 2);
        let tasks = slabs + if self.wide.is_empty() { 0 } else { parts(n) };
        self.shift = n.div_ceil(RANGES).max(RANGE).next_power_of_two().trailing_zeros();
        let (shift, ranges) = (self.shift, n.div_ceil(1 << self.shift));
        self.lists.resize_with(tasks.max(self.lists.len()), List::default);
        // Those that are not used are empty.
        for list in &mut self.lists {
            list.clear();
            list.bounded = bounded;
        }
        let total = self.order.len();
        self.tags.resize(total, Tag::NONE);
        self.sides.resize(total / LINE + 2 * slabs, Sides::FAR);
        let (boxes, wide) = (&self.boxes, &self.wide);
        let lists = Each::new(&mut self.lists);
        let (order, tags, sides) = (Each::new(&mut self.order), Each::new(&mut self.tags), Each::new(&mut self.sides));
        runner.run(tasks, &|k| {
            // SAFETY: one list a task.
            let list = unsafe { lists.at(k) };
            if k < slabs {
                let mut slab = [2 * k, 2 * k + 1].map(|l| {
                    let (from, to) = (starts[l] as usize, starts[l + 1] as usize);
                    let line = from / LINE + l;
                    // SAFETY: each of the slabs' lists is one task's. One of c boxes from the a-th on has ⌊(a + c)/8⌋ − ⌊a/8⌋ + 1 ≥ ⌈c/8⌉ lines.
                    unsafe {
                        let sides = sides.span(line..line + (to - from).div_ceil(LINE));
                        Row { order: order.span(from..to), tags: tags.span(from..to), sides }
                    }
                });
                slab.iter_mut().for_each(|row| row.line_up(entries, boxes, axes));
                list.find_in(&slab, crowd(n));
            } else {
                list.find_wide(entries, boxes, wide, part(n, k - slabs), crowd(n));
            }
            list.count(shift, ranges);
        });
        // Boxes that are in several slabs may have as many pairs in each.
        let (all, most) = (self.lists.iter().map(|l| l.pairs.len()).sum::<usize>(), most_pairs(n));
        if all > most {
            for list in &mut self.lists[..tasks] {
                list.thin(most as u64, all as u64);
                list.count(shift, ranges);
            }
        }
    }

    /// All pairs, sorted: by the range of the lesser number, then each range on its own.
    fn gather(&mut self, entries: usize, runner: &dyn TaskRunner) {
        let ranges = entries.div_ceil(1 << self.shift);
        self.dropped = self.lists.iter().map(|l| l.dropped).sum();
        self.starts.clear();
        self.starts.resize(ranges + 1, 0);
        let mut at = 0;
        for r in 0..ranges {
            self.starts[r] = at;
            for c in self.lists.iter_mut().filter_map(|l| l.counts.get_mut(r)) {
                (*c, at) = (at, at + *c);
            }
        }
        self.starts[ranges] = at;
        self.pairs.resize(at as usize, 0);
        self.loose.resize(at as usize, 0);
        let runner: &dyn TaskRunner = if self.pairs.len() < FEW { &Inline } else { runner };
        let (shift, starts, tasks) = (self.shift, &self.starts, self.lists.len());
        let (lists, loose) = (Each::new(&mut self.lists), Each::new(&mut self.loose));
        runner.run(tasks, &|k| {
            // SAFETY: one list a task, and each pair of it has a place of its own.
            unsafe {
                let list = lists.at(k);
                for &p in &list.pairs {
                    let to = &mut list.counts[(p >> 32 >> shift) as usize];
                    *loose.at(*to as usize) = p;
                    *to += 1;
                }
            }
        });
        let (loose, pairs) = (&self.loose, Each::new(&mut self.pairs));
        runner.run(ranges, &|r| {
            let span = starts[r] as usize..starts[r + 1] as usize;
            // SAFETY: one range a task.
            sort_range(&loose[span.clone()], unsafe { pairs.span(span) }, shift);
        });
    }

    /// Parts of the pairs, for tasks.
    pub fn ranges(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
    /// The least first number that is in a part or a later one, and where the part's pairs are.
    pub fn range(&self, r: usize) -> (u32, Range<usize>) {
        ((r as u32) << self.shift, self.starts[r] as usize..self.starts[r + 1] as usize)
    }

    pub fn memory_bytes(&self) -> usize {
        let lists: usize = self.lists.iter().map(|l| l.pairs.capacity() * 8 + l.counts.capacity() * 4).sum();
        lists
            + self.kept.memory_bytes()
            + self.boxes.capacity() * size_of::<Small>()
            + self.tags.capacity() * size_of::<Tag>()
            + self.sides.capacity() * size_of::<Sides>()
            + (self.order.capacity() + self.loose.capacity() + self.pairs.capacity()) * 8
    }
}

/// Boxes by their beginnings on the axis of the sweep.
struct Row<'a> {
    order: &'a mut [u64],
    tags: &'a mut [Tag],
    sides: &'a mut [Sides],
}

impl Row<'_> {
    /// Sorts the boxes by their beginnings on the first of the axes.
    fn line_up<E: Elem>(&mut self, entries: &[Entry<E>], boxes: &[Small], [sweep, u, v]: [usize; 3]) {
        self.order.sort_unstable();
        if let Some(last) = self.sides.last_mut() {
            *last = Sides::FAR;
        }
        for (k, &key) in self.order.iter().enumerate() {
            let number = key as u32;
            let (b, e) = (&boxes[number as usize], &entries[number as usize]);
            self.tags[k] = Tag { filter: e.filter, number, high: b.max[sweep], active: e.active };
            let s = &mut self.sides[k / LINE];
            s.low[k % LINE] = b.min[sweep];
            for (to, axis) in [(&mut s.u, u), (&mut s.v, v)] {
                (to[0][k % LINE], to[1][k % LINE]) = (b.min[axis], b.max[axis]);
            }
        }
    }

    fn low(&self, k: usize) -> f32 {
        self.sides[k / LINE].low[k % LINE]
    }
    fn span(&self, k: usize) -> Span {
        let (own, lane) = (&self.sides[k / LINE], k % LINE);
        Span { high: self.tags[k].high, u: [own.u[0][lane], own.u[1][lane]], v: [own.v[0][lane], own.v[1][lane]] }
    }
}

impl List {
    fn clear(&mut self) {
        self.pairs.clear();
        self.counts.clear();
        self.dropped = 0;
    }

    /// All pairs of a slab, or, in a crowd, some of each box.
    fn find_in(&mut self, slab: &[Row<'_>; 2], crowd: usize) {
        if !self.sweep(slab, usize::MAX) {
            self.clear();
            self.sweep(slab, crowd);
        }
    }

    /// Pairs of the boxes that begin in the slab, with each other and with those that come into it: the first slab that both are in. `each`:
    /// most of one box with later ones. False as soon as there are too many, if that is without bound.
    fn sweep(&mut self, [own, other]: &[Row<'_>; 2], each: usize) -> bool {
        let n = own.tags.len() + other.tags.len();
        let most = if each == usize::MAX { most_pairs(n) } else { usize::MAX };
        let (mut i, mut j, mut tests) = (0, 0, most_tests(n));
        // Both rows side by side; of equal ones the own first.
        while i < own.tags.len() {
            let full = self.pairs.len().saturating_add(each);
            if j == other.tags.len() || own.low(i) <= other.low(j) {
                let (e, span) = (&own.tags[i], own.span(i));
                i += 1;
                if self.meet(e, &span, own, i, full, &mut tests) {
                    self.meet(e, &span, other, j, full, &mut tests);
                }
            } else {
                self.meet(&other.tags[j], &other.span(j), own, i, full, &mut tests);
                j += 1;
            }
            if self.pairs.len() > most {
                return false;
            }
        }
        true
    }

    /// Pairs of a box with those of a row from the `from`-th on. False where it has some left out, as the list is `full` or there were too many
    /// tests.
    fn meet(&mut self, e: &Tag, span: &Span, row: &Row<'_>, from: usize, full: usize, tests: &mut usize) -> bool {
        // Up to the end of a line at once, its first boxes once more.
        let mut first = from / LINE * LINE;
        let mut among = !0u32 << (from - first);
        for line in row.sides.get(first / LINE..).unwrap_or_default() {
            // The first of them that is left begins after the end.
            if line.low[among.trailing_zeros() as usize] > span.high {
                break;
            }
            if *tests < LINE {
                self.dropped += 1;
                return false;
            }
            *tests -= LINE;
            let mut met = line.meet(span) & among;
            while met != 0 {
                let b = &row.tags[first + met.trailing_zeros() as usize];
                met &= met - 1;
                let meets = (e.active || b.active) && e.filter.lets(&b.filter);
                if meets && (self.pairs.len() >= full || !self.put(e.number, b.number)) {
                    self.dropped += 1;
                    return false;
                }
            }
            (first, among) = (first + LINE, !0);
        }
        true
    }

    /// False if it has to have room for it, and has none.
    fn put(&mut self, a: u32, b: u32) -> bool {
        let has_room = !self.bounded || self.pairs.len() < self.pairs.capacity();
        if has_room {
            self.pairs.push(u64::from(a.min(b)) << 32 | u64::from(a.max(b)));
        }
        has_room
    }

    /// Pairs of a part of the boxes with those that are wide: all, or, where there are too many, some of each box.
    fn find_wide<E: Elem>(&mut self, entries: &[Entry<E>], boxes: &[Small], wide: &[u32], part: Range<usize>, crowd: usize) {
        if !self.meet_wide(entries, boxes, wide, part.clone(), usize::MAX) {
            self.clear();
            self.meet_wide(entries, boxes, wide, part, crowd);
        }
    }

    /// `each`: most of one box. False as soon as there are more than a part may have, if that is without bound.
    fn meet_wide<E: Elem>(
        &mut self,
        entries: &[Entry<E>],
        boxes: &[Small],
        wide: &[u32],
        part: Range<usize>,
        each: usize,
    ) -> bool {
        let most = if each == usize::MAX { most_pairs(part.len()) } else { usize::MAX };
        for i in part {
            let (b, e) = (&boxes[i], &entries[i]);
            let full = self.pairs.len().saturating_add(each);
            for &w in wide {
                let (other, of) = (&boxes[w as usize], &entries[w as usize]);
                let first = b.place != Place::Wide || w < i as u32;
                let meets = b.place != Place::Nowhere
                    && first
                    && b.overlaps(other)
                    && (e.active || of.active)
                    && e.filter.lets(&of.filter);
                if meets && (self.pairs.len() >= full || !self.put(w, i as u32)) {
                    self.dropped += 1;
                    break;
                }
            }
            if self.pairs.len() > most {
                return false;
            }
        }
        true
    }

    /// Keeps `part` of `all` of the pairs, evenly.
    fn thin(&mut self, part: u64, all: u64) {
        let n = self.pairs.len() as u64;
        let keep = n * part / all;
        for k in 0..keep {
            self.pairs[k as usize] = self.pairs[(k * n / keep) as usize];
        }
        self.pairs.truncate(keep as usize);
        self.dropped += n - keep;
    }

    fn count(&mut self, shift: u32, ranges: usize) {
        self.counts.clear();
        self.counts.resize(ranges, 0);
        for p in &self.pairs {
            self.counts[(p >> 32 >> shift) as usize] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::math::rng::Rng;
    use crate::tasks::Inline;

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
                let filter = Filter { body: (i / 2) as u32, group, category, mask: 0b011 };
                entries.push(Entry { bounds, filter, active: i % 5 != 0 });
            }
            let mut expected = Vec::new();
            for i in 0..n {
                for j in i + 1..n {
                    let (a, b): (&Entry<f64>, &Entry<f64>) = (&entries[i], &entries[j]);
                    let overlap = Small::of(&a.bounds).overlaps(&Small::of(&b.bounds));
                    if overlap && (a.active || b.active) && a.filter.lets(&b.filter) {
                        expected.push((i as u64) << 32 | j as u64);
                    }
                }
            }
            let mut broad = Broad::default();
            broad.find(&entries, &Inline);
            if broad.dropped > 0 {
                // All in one place: some are left out, and it is told.
                assert!(expected.len() > most_pairs(n), "case {case}: {} pairs are not too many", expected.len());
                assert!(broad.pairs.iter().all(|p| expected.binary_search(p).is_ok()), "case {case}");
                continue;
            }
            assert!(broad.pairs == expected, "case {case}: {} pairs, should be {}", broad.pairs.len(), expected.len());
        }
    }

    /// `n` boxes in one place, and a row of `row` beside them.
    fn crowd(n: u32, row: u32) -> Vec<Entry<f32>> {
        let at = |i: u32, x: f32| {
            let (c, h) = (Vec3 { x, y: 0.0, z: 0.0 }, Vec3 { x: 0.6, y: 0.6, z: 0.6 });
            let filter = Filter { body: i, group: 0, category: 1, mask: 1 };
            Entry { bounds: Bounds { min: c - h, max: c + h }, filter, active: true }
        };
        (0..n).map(|i| at(i, 0.0)).chain((0..row).map(|i| at(n + i, 2.0 + i as f32))).collect()
    }

    #[test]
    fn in_a_crowd_each_box_meets_some_and_others_meet_all() {
        let (n, row) = (100_000, 50);
        let mut broad = Broad::default();
        broad.find(&crowd(n, row), &Inline);
        let mut met = vec![0; (n + row) as usize];
        for (a, b) in broad.pairs.iter().copied().map(numbers) {
            met[a as usize] += 1;
            met[b as usize] += 1;
        }
        assert!(met[..n as usize].iter().all(|&m| (1..=2 * super::crowd(n as usize)).contains(&m)));
        // In the row each meets its neighbours.
        assert!((1..row - 1).all(|i| met[(n + i) as usize] == 2), "{:?}", &met[n as usize..]);
        assert!(broad.dropped > 0 && broad.pairs.is_sorted());
        // Those that may not meet are not paired, and do not take long.
        let mut group = crowd(n, 0);
        group.iter_mut().for_each(|e| e.filter.group = 3);
        broad.find(&group, &Inline);
        assert!(broad.pairs.is_empty());
        // Where there are not many, all meet.
        broad.find(&crowd(100, 0), &Inline);
        assert!(broad.pairs.len() == 100 * 99 / 2 && broad.dropped == 0);
    }
}
