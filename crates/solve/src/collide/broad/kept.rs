//! Pairs of boxes that serve for several steps. A search with a margin around every box is kept; a
//! step takes from it the pairs whose own boxes overlap. That is exactly what a search in this step
//! would find, so saved states need not know when the search was made.

use super::*;

/// How far a box reaches beyond itself in a search that is to serve for several steps, m.
const MARGIN: f32 = 0.02;
/// What goes further in a step would soon be outside, m.
const JUMP: f32 = 0.25 * MARGIN;
/// A search of fewer boxes costs nothing.
const LEAST: usize = 64;
/// Steps until the next try after one that was for nothing: in a crowd, without room, or where few of the pairs are more than of the margin.
const WAIT: u32 = 60;
/// And after one that served for fewer steps than this.
const SHORT: u32 = 4;
const FEW_OF: usize = 4;

/// Boxes that may be outside of theirs: each is held against all others.
fn most_strays(n: usize) -> usize {
    16 + n / 64
}

/// Whether no search of so many boxes can run out of tests.
fn may_serve(n: usize) -> bool {
    n >= LEAST && n * (n + 64) <= 2 * most_tests(n)
}

/// Its kept pairs do not count.
const OUT: u8 = 1;
/// It has gone far since the step before.
const JUMPS: u8 = 2;

#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The step's own boxes.
    pub now: Vec<Small>,
    /// As of the search: boxes with the margin, nowhere for what had none, and whose they are.
    grown: Vec<Small>,
    of: Vec<(Filter, bool)>,
    /// What it found, by ranges as the pairs of [`Broad`].
    pairs: Vec<u64>,
    starts: Vec<u32>,
    holds: bool,
    /// Steps since the search, and until the next try.
    age: u32,
    wait: u32,
    /// Of each box, in this step.
    marks: Vec<u8>,
    strays: Vec<u32>,
    found: Vec<u64>,
    counts: Vec<u32>,
}

impl Small {
    fn grown(&self) -> Small {
        Small { min: self.min.map(|x| x - MARGIN), max: self.max.map(|x| x + MARGIN), place: self.place }
    }
    fn holds(&self, b: &Small) -> bool {
        self.place != Place::Nowhere
            && b.place != Place::Nowhere
            && (0..3).all(|k| self.min[k] <= b.min[k] && b.max[k] <= self.max[k])
    }
    fn jumps(&self, before: &Small) -> bool {
        // An endless one has not moved: ∞ − ∞ is no number.
        (0..3).any(|k| (self.min[k] - before.min[k]).abs() > JUMP || (self.max[k] - before.max[k]).abs() > JUMP)
    }
}

impl Kept {
    /// The boxes of the step, and which of them have left theirs.
    pub fn look<E: Elem>(&mut self, entries: &[Entry<E>], runner: &dyn TaskRunner) {
        let n = entries.len();
        self.holds &= n == self.of.len();
        self.now.resize(n, Small::NOWHERE);
        self.marks.resize(n, 0);
        let (grown, of, holds) = (&self.grown, &self.of, self.holds);
        let (now, marks) = (Each::new(&mut self.now), Each::new(&mut self.marks));
        let alone: &dyn TaskRunner = if n < FEW { &Inline } else { runner };
        alone.run(parts(n), &|k| {
            for i in part(n, k) {
                let (e, b) = (&entries[i], Small::of(&entries[i].bounds));
                // SAFETY: each box is in one part, and each part is one task's.
                let (now, mark) = unsafe { (now.at(i), marks.at(i)) };
                *mark = if b.place != Place::Nowhere && b.jumps(now) { JUMPS } else { 0 };
                // What was no part of the search for being at rest is looked for anew when it moves.
                let same = |(filter, active): (Filter, bool)| filter == e.filter && (active || !e.active);
                *mark |= if holds && !(grown[i].holds(&b) && same(of[i])) { OUT } else { 0 };
                *now = b;
            }
        });
        if self.holds {
            self.list_strays(OUT);
            self.holds = self.strays.len() <= most_strays(n);
            self.age += 1;
            if !self.holds && self.age < SHORT {
                self.wait = 2 * SHORT;
            }
        }
    }

    fn list_strays(&mut self, mark: u8) {
        let all = self.marks.iter().zip(&self.now).enumerate();
        self.strays.clear();
        self.strays.extend(all.filter(|(_, (m, b))| *m & mark != 0 && b.place != Place::Nowhere).map(|(i, _)| i as u32));
    }

    /// Whether a search with the margin is likely to serve for some steps.
    fn promises(&mut self) -> bool {
        let n = self.now.len();
        if !may_serve(n) {
            return false;
        }
        self.wait = self.wait.saturating_sub(1);
        if self.wait > 0 {
            return false;
        }
        self.list_strays(JUMPS);
        self.strays.len() <= most_strays(n) / 2
    }

    /// Pairs of what is outside of its box. False: there is no room for all.
    fn find_strays<E: Elem>(&mut self, entries: &[Entry<E>]) -> bool {
        self.found.clear();
        for &s in &self.strays {
            let (e, b) = (&entries[s as usize], &self.now[s as usize]);
            for (i, (other, mark)) in (0u32..).zip(self.now.iter().zip(&self.marks)) {
                // Two of them have found each other when the first was.
                let new = i != s && (mark & OUT == 0 || i > s) && other.place != Place::Nowhere;
                if new && b.overlaps(other) {
                    let of = &entries[i as usize];
                    if (e.active || of.active) && e.filter.lets(&of.filter) {
                        if self.found.len() == self.found.capacity() {
                            return false;
                        }
                        self.found.push(u64::from(s.min(i)) << 32 | u64::from(s.max(i)));
                    }
                }
            }
        }
        self.found.sort_unstable();
        true
    }

    /// For so many pairs.
    pub fn room(&self) -> usize {
        self.pairs.capacity()
    }

    pub fn memory_bytes(&self) -> usize {
        (self.now.capacity() + self.grown.capacity()) * size_of::<Small>()
            + self.of.capacity() * size_of::<(Filter, bool)>()
            + self.marks.capacity()
            + (self.strays.capacity() + self.starts.capacity() + self.counts.capacity()) * 4
            + (self.pairs.capacity() + self.found.capacity()) * 8
    }
}

impl Broad {
    /// The step's pairs, from kept ones if there are any, or if a search with the margin promises some. False: they are to be searched for.
    pub(super) fn find_kept<E: Elem>(&mut self, entries: &[Entry<E>], runner: &dyn TaskRunner) -> bool {
        if !self.kept.holds && self.kept.promises() {
            let k = &mut self.kept;
            k.grown.clear();
            k.grown.extend(k.now.iter().zip(&k.marks).map(|(b, m)| if m & JUMPS != 0 { Small::NOWHERE } else { b.grown() }));
            k.marks.iter_mut().for_each(|m| *m = if *m & JUMPS != 0 { OUT } else { 0 });
            k.of.clear();
            k.of.extend(entries.iter().map(|e| (e.filter, e.active)));
            self.boxes.clone_from(&self.kept.grown);
            self.kept.holds = self.search(entries, runner, true);
            (self.kept.age, self.kept.wait) = (0, if self.kept.holds { 0 } else { WAIT });
            if self.kept.holds {
                self.kept.pairs.clone_from(&self.pairs);
                self.kept.starts.clone_from(&self.starts);
            }
        }
        if !self.kept.holds {
            return false;
        }
        let found = self.sift(entries, runner) && !self.is_crowded();
        let few = self.kept.pairs.len() > FEW_OF * self.pairs.len() + PAIRS;
        if !found || few {
            (self.kept.holds, self.kept.wait) = (false, WAIT);
        }
        found
    }

    /// Room for a search with the margin, which finds more, and for what is kept of it: a later step is not to allocate.
    pub(super) fn reserve_kept(&mut self) {
        if !may_serve(self.boxes.len()) {
            return;
        }
        fn twice<T>(list: &mut Vec<T>, n: usize) {
            list.reserve((2 * n).saturating_sub(list.len()));
        }
        let (boxes, pairs, order) = (self.boxes.len(), self.pairs.len(), self.order.len());
        let k = &mut self.kept;
        [&mut k.pairs, &mut k.found].into_iter().for_each(|list| twice(list, pairs));
        [&mut self.loose, &mut self.pairs].into_iter().for_each(|list| twice(list, 2 * pairs));
        [&mut k.starts, &mut k.counts].into_iter().for_each(|list| twice(list, RANGES));
        twice(&mut k.grown, boxes);
        twice(&mut k.of, boxes);
        twice(&mut k.strays, boxes);
        twice(&mut self.wide, boxes);
        twice(&mut self.order, order);
        twice(&mut self.tags, order);
        let sides = self.sides.len();
        twice(&mut self.sides, sides);
        // There may be other slabs then, of which one has more than its part.
        self.lists.resize_with(self.lists.len().max(SLABS + parts(boxes)), List::default);
        for l in &mut self.lists {
            let own = l.pairs.len();
            twice(&mut l.pairs, (2 * own).max(pairs / 16 + 64));
            twice(&mut l.counts, RANGES);
        }
    }

    /// The kept pairs that overlap now, with those of strays, range by range. False: there is no room for all.
    fn sift<E: Elem>(&mut self, entries: &[Entry<E>], runner: &dyn TaskRunner) -> bool {
        if !self.kept.find_strays(entries) || self.kept.pairs.len() + self.kept.found.len() > self.loose.capacity() {
            return false;
        }
        let Kept { now, pairs: kept, starts, marks, found, counts, .. } = &mut self.kept;
        let ranges = starts.len().saturating_sub(1);
        self.loose.resize(kept.len() + found.len(), 0);
        counts.clear();
        counts.resize(ranges, 0);
        let shift = self.shift;
        let first_of = |r: usize| found.partition_point(|p| ((p >> 32 >> shift) as usize) < r);
        let runner: &dyn TaskRunner = if kept.len() < FEW { &Inline } else { runner };
        let (loose, to) = (Each::new(&mut self.loose), Each::new(counts));
        runner.run(ranges, &|r| {
            let (span, strays) = (starts[r] as usize..starts[r + 1] as usize, first_of(r)..first_of(r + 1));
            // SAFETY: as many places as a range has pairs, kept and of strays, are one task's.
            let (out, count) = unsafe { (loose.span(span.start + strays.start..span.end + strays.end), to.at(r)) };
            let mut k = 0;
            for &p in &kept[span] {
                let (a, b) = numbers(p);
                let (a, b) = (a as usize, b as usize);
                let here = (marks[a] | marks[b]) & OUT == 0;
                let meets = here && (entries[a].active || entries[b].active) && now[a].overlaps(&now[b]);
                out[k] = p;
                k += usize::from(meets);
            }
            let strays = &found[strays];
            out[k..k + strays.len()].copy_from_slice(strays);
            k += strays.len();
            if !strays.is_empty() {
                out[..k].sort_unstable();
            }
            *count = k as u32;
        });
        self.starts.clear();
        self.starts.push(0);
        self.pairs.clear();
        for r in 0..ranges {
            let at = starts[r] as usize + first_of(r);
            self.pairs.extend_from_slice(&self.loose[at..at + counts[r] as usize]);
            self.starts.push(self.pairs.len() as u32);
        }
        self.dropped = 0;
        true
    }

    /// Whether a search might have left out some of the pairs. In each slab it takes as many as all boxes there have with later ones, if that is no more than
    /// [`PAIRS_EACH`] of each, and [`PAIRS`] beyond; and of what is wide as many as a part of the boxes may have, [`most_pairs`].
    fn is_crowded(&self) -> bool {
        if self.pairs.len() <= PAIRS {
            return false;
        }
        let (mut last, mut count, mut beyond) = (u32::MAX, 0, 0);
        let n = self.kept.now.len();
        let (size, mut of_part) = (part(n, 0).len(), [0usize; PARTS]);
        for (a, b) in self.pairs.iter().copied().map(numbers) {
            count = if a == last { count + 1 } else { 1 };
            last = a;
            beyond += usize::from(count > PAIRS_EACH);
            let (a, b) = (a as usize / size, b as usize / size);
            of_part[a] += 1;
            of_part[b] += usize::from(a != b);
        }
        beyond > PAIRS || (0..parts(n)).any(|k| of_part[k] > most_pairs(part(n, k).len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::math::rng::Rng;

    fn entry(at: [f64; 3], half: f64, body: u32) -> Entry<f64> {
        let (c, h) = (Vec3::from(at), Vec3 { x: half, y: half, z: half });
        let filter = Filter { body, group: 0, category: 1, mask: 1 };
        Entry { bounds: Bounds { min: c - h, max: c + h }, filter, active: true }
    }

    fn shift(e: &mut Entry<f64>, by: Vec3<f64>) {
        (e.bounds.min, e.bounds.max) = (e.bounds.min + by, e.bounds.max + by);
    }

    /// What a world does to its boxes in a step, of the `kind`-th sort.
    fn happens(entries: &mut Vec<Entry<f64>>, kind: u32, rng: &mut Rng) {
        let n = entries.len() as f64;
        let some = |rng: &mut Rng| rng.range(0.0, n) as usize;
        match kind {
            // One flies off, falls asleep, wakes, meets others than before, is no number, has no end, is as it was.
            0 => shift(&mut entries[some(rng)], Vec3 { x: rng.range(-2.0, 2.0), y: 0.3, z: 0.0 }),
            1 => entries[some(rng)].active = false,
            2 => entries.iter_mut().for_each(|e| e.active |= rng.range(0.0, 1.0) < 0.5),
            3 => entries[some(rng)].filter.mask ^= 1,
            // (Two that hold the origin, where nothing is.)
            4 => {
                for i in [some(rng), 1, 2] {
                    entries[i].bounds.max.x = f64::NAN;
                }
            }
            5 => entries[some(rng)].bounds.max.y = f64::INFINITY,
            6 => entries.iter_mut().for_each(|e| {
                let c = e.bounds.min;
                if !(e.bounds.max - c).length2().is_finite() {
                    e.bounds.max = c + Vec3 { x: 0.3, y: 0.3, z: 0.3 };
                }
            }),
            // All move; one comes, one goes, two change places.
            7 => entries.iter_mut().for_each(|e| shift(e, Vec3 { x: 0.1, y: 0.0, z: 0.0 })),
            8 => entries.push(entry([0.0; 3], 0.2, entries.len() as u32)),
            9 => drop(entries.remove(some(rng))),
            10 => {
                let (i, j) = (some(rng), some(rng));
                entries.swap(i, j);
            }
            // Many, some of whom the search must leave out, come to one place, and go.
            11 => entries.iter_mut().step_by(2).for_each(|e| e.bounds = entry([0.0; 3], 0.2, 0).bounds),
            12 => entries.iter_mut().for_each(|e| shift(e, Vec3 { x: rng.range(-3.0, 3.0), y: 0.0, z: rng.range(-3.0, 3.0) })),
            _ => {}
        }
    }

    #[test]
    fn kept_pairs_are_those_of_a_search() {
        let mut rng = Rng::new(7);
        let (mut served, mut dropped) = (0, 0);
        for n in [40, 100, 700, 2000] {
            let spread = 0.25 * f64::from(n).cbrt();
            let mut entries: Vec<_> =
                (0..n).map(|i| entry([0; 3].map(|_| rng.range(-spread, spread)), rng.range(0.05, 0.3), i)).collect();
            entries[0].bounds = entry([0.0; 3], 30.0, 0).bounds;
            entries[1].bounds = entry([0.0; 3], 0.1, 0).bounds;
            entries[2].bounds = entry([0.05; 3], 0.1, 0).bounds;
            let mut broad = Broad::default();
            for step in 0..400 {
                let kind = match step {
                    220 => 11,
                    230 => 12,
                    _ if step % 7 == 3 => rng.range(0.0, 40.0) as u32,
                    _ => 99,
                };
                happens(&mut entries, kind, &mut rng);
                for e in &mut entries {
                    let mut by = || rng.range(-0.002, 0.002);
                    shift(e, Vec3 { x: by(), y: by(), z: by() });
                }
                let mut anew = Broad::default();
                anew.find(&entries, &Inline);
                broad.find(&entries, &Inline);
                assert!(broad.pairs == anew.pairs && broad.dropped == anew.dropped, "{n} boxes, step {step} after {kind}");
                assert!(broad.starts == anew.starts && broad.ranges() == anew.ranges(), "{n} boxes, step {step} after {kind}");
                served += u32::from(broad.kept.holds && broad.kept.grown.len() == entries.len());
                dropped += u32::from(broad.dropped > 0);
            }
        }
        assert!(served > 800 && dropped > 10, "{served} steps with kept pairs, {dropped} in crowds");
    }
    /// Strays that are wide meet more boxes of one part than a search takes.
    #[test]
    fn a_crowd_of_wide_boxes_is_searched_for() {
        let bounds = |min: [f64; 3], max: [f64; 3]| Bounds { min: Vec3::from(min), max: Vec3::from(max) };
        let far = f64::INFINITY;
        let mut entries: Vec<Entry<f64>> = (0..768u32)
            .map(|i| {
                let k = f64::from(i);
                let mut e = entry([10.0 * k, 100.0, 10.0 * k], 0.01, i);
                if i < 480 {
                    e.bounds = bounds([k, 0.0, -far], [k + 0.1, 0.1, far]);
                }
                e
            })
            .collect();
        let calm = entries.clone();
        let wide = |entries: &mut Vec<Entry<f64>>, count: usize| {
            entries[512..512 + count].iter_mut().for_each(|e| e.bounds = bounds([-1.0; 3], [481.0, 1.0, 1.0]));
        };
        // Once with fewer of them, so that there is room for the pairs.
        let mut broad = Broad::default();
        wide(&mut entries, 12);
        broad.find(&entries, &Inline);
        assert!(broad.dropped == 0 && broad.pairs.len() > 5000);
        entries.clone_from(&calm);
        (0..2).for_each(|_| broad.find(&entries, &Inline));
        assert!(broad.kept.holds && broad.pairs.is_empty());
        wide(&mut entries, 20);
        let mut anew = Broad::default();
        anew.find(&entries, &Inline);
        broad.find(&entries, &Inline);
        assert!(anew.dropped > 0 && broad.dropped == anew.dropped && broad.pairs == anew.pairs);
    }
}
