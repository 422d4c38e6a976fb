//! Parts of a set of swept rods that touch rods, which rest while others of the set still move: a pile in which an arm slips now and then.
//!
//! A part is what junctions and bundles hold together. A set sleeps as a whole (`rod_rest.rs`); before that, a part that has been still for as long as a
//! sleeper must have been is held: it is solved as all are, so that what lies on it and under it meets it, and its state is put back when the step ends.
//! What would have moved it by more than solvers leave over lets it go: what it lay on has gone, something pushes.
//!
//! ```text
//! still for SLEEP_AFTER   →  held: where it is, is noted
//! a step                  →  moved by less than LETS_GO: back to there, at rest.   More: let go, with the motion that it has
//! all parts held          →  the set sleeps
//! ```

use super::coupling::Attachment;
use super::rod_rest::{LOOKED_AT, SLEEP_AFTER};
use super::world::World;
use crate::desc::SweepOrder;
use crate::desc::slots::{Id, Slots};
use crate::layout::{scale, state};
use crate::strands::{Kept, Rods};

/// A part of a pile may go so many times as far as other things that are still: thick arms at 0.03 m/s. What is squeezed between others creeps for as long as sweeps
/// leave something unsolved. (Engines let bodies sleep at 0.03 to 0.05 m/s.)
const IN_PILES: f64 = 6.0;
/// A held part that a step of 1/60 s moves by more than this part of the way that still things may go is let go; in other steps as much by the square of
/// their length, as it has no speed when a step begins. (For a rope of 5 mm that is 0.03 g, for a thick arm 0.3 g.)
const LETS_GO: f64 = 0.2;
const USUAL: f64 = 1.0 / 60.0;

fn root(parts: &mut [u32], mut s: u32) -> u32 {
    while parts[s as usize] != s {
        parts[s as usize] = parts[parts[s as usize] as usize];
        s = parts[s as usize];
    }
    s
}

fn join(parts: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parts, a), root(parts, b));
    // The first strand of a part stands for it.
    parts[a.max(b) as usize] = a.min(b);
}

impl Rods {
    /// Whether it may be of parts: [`World::rest_parts`] counts its rest then. (Heaps that are solved directly come to rest by themselves, and what gives way to
    /// a blow and is put back overlaps more: 2.2 % of the radii in place of 1.9.)
    pub(super) fn has_parts(&self) -> bool {
        let swept = self.order() != SweepOrder::Direct && self.keeps_volume();
        swept && self.desc.self_contact && self.strand_count() > 1
    }

    pub(super) fn holds_parts(&self) -> bool {
        self.rest.stills.iter().any(|still| *still >= SLEEP_AFTER)
    }

    /// Which part each strand is of, by its first strand.
    fn find_parts(&mut self, id: Id, ties: &Slots<Attachment>) {
        let mut parts = core::mem::take(&mut self.rest.parts);
        parts.clear();
        parts.extend(0..self.strand_count() as u32);
        for (_, tie) in ties.iter().filter(|(_, tie)| matches!(tie, Attachment::Junction { .. })) {
            let mut own = tie.ends().iter().filter(|e| e.rods == id).map(|e| e.end.strand);
            if let Some(first) = own.next() {
                own.for_each(|s| join(&mut parts, first, s));
            }
        }
        let per = self.desc.strands_per_bundle.max(1);
        for s in (0..parts.len() as u32).filter(|s| s % per != 0) {
            join(&mut parts, s - s % per, s);
        }
        for s in 0..parts.len() as u32 {
            parts[s as usize] = root(&mut parts, s);
        }
        self.rest.parts = parts;
    }

    /// Where a strand is.
    fn keep(&mut self, strand: usize) {
        let first = self.layout.starts[strand] as usize;
        for v in 0..self.counts()[strand] as usize {
            let swell = self.scale_number(strand, v, scale::SWELL);
            let turns = self.state(strand, v, state::TWIST);
            let [x, ghost] = [state::X, state::GX].map(|row| self.state3(strand, v, row).to_array());
            self.rest.kept[first + v] = Kept { x, ghost, swell, turns };
        }
    }

    /// Back to there, at rest.
    fn put_back(&mut self, strand: usize) {
        let (first, n) = (self.layout.starts[strand] as usize, self.counts()[strand] as usize);
        self.begins_anew(strand);
        for v in 0..n {
            let Kept { x, ghost, swell, turns } = self.rest.kept[first + v];
            self.set_state3(strand, v, state::X, x);
            self.set_state3(strand, v, state::U, [0.0; 3]);
            if v + 1 < n {
                self.set_state3(strand, v, state::GX, ghost);
                self.set_state3(strand, v, state::GU, [0.0; 3]);
                self.set_scale_number(strand, v, scale::SWELL, swell);
                self.set_scale_number(strand, v, scale::GROWTH, 0.0);
            }
            self.set_state(strand, v, state::TWIST, turns);
        }
    }

    /// Whether a step has moved no vertex of a held strand farther than this, m. Also where one is not a number.
    fn stays(&self, strand: usize, way: f64) -> bool {
        let first = self.layout.starts[strand] as usize;
        (0..self.counts()[strand] as usize).all(|v| {
            let from = self.rest.kept[first + v].x;
            (self.state3(strand, v, state::X) - from.into()).length() <= way
        })
    }
}

impl World {
    /// After a step of `dt` seconds: which parts of a set are at rest, and those that were go back to where they were. Its rest is that of the part that has been
    /// still for the shortest time.
    pub(super) fn rest_parts(&mut self, id: Id, dt: f64) {
        let Ok(r) = self.rods.get_mut(id) else { return };
        r.find_parts(id, &self.attachments);
        let count = r.strand_count();
        r.rest.stills.resize(count, 0.0);
        r.rest.places.resize(count * LOOKED_AT, [f32::NAN; 3]);
        r.rest.kept.resize(r.vertex_count(), Kept::default());
        let way = r.still_way();
        let (most, way) = (LETS_GO * way * (dt / USUAL) * (dt / USUAL), IN_PILES * way);
        // One a part, by its first strand: it stays where it is, or near its places.
        let mut stays = core::mem::take(&mut self.rest_lists.stays);
        stays.clear();
        stays.resize(count, true);
        for s in 0..count {
            let part = r.rest.parts[s] as usize;
            if !stays[part] {
                continue;
            }
            let still = r.rest.stills[part];
            stays[part] = if still >= SLEEP_AFTER {
                r.stays(s, most)
            } else {
                r.is_near_places(s, way) && (still + dt < SLEEP_AFTER || r.is_slow(s))
            };
        }
        for s in 0..count {
            let part = r.rest.parts[s] as usize;
            match (stays[part], r.rest.stills[part] >= SLEEP_AFTER) {
                (true, true) => r.put_back(s),
                (true, false) if r.rest.stills[part] + dt >= SLEEP_AFTER => {
                    r.keep(s);
                    r.put_back(s);
                }
                (true, false) => {}
                (false, _) => r.note_places(s),
            }
        }
        let holds = |r: &Rods, part: usize| stays[part] && r.rest.stills[part] + dt >= SLEEP_AFTER;
        for (&(strand, _), &tie) in &r.ties {
            if let Ok(tie) = self.attachments.get_mut(tie) {
                tie.hold_still(holds(r, r.rest.parts[strand as usize] as usize));
            }
        }
        let mut least = f64::INFINITY;
        for (s, stays) in stays.iter().enumerate() {
            if r.rest.parts[s] as usize == s {
                r.rest.stills[s] = if *stays { r.rest.stills[s] + dt } else { 0.0 };
                least = least.min(r.rest.stills[s]);
            }
        }
        for s in 0..count {
            r.rest.stills[s] = r.rest.stills[r.rest.parts[s] as usize];
        }
        r.rest.still = least;
        self.rest_lists.stays = stays;
    }

    /// A state has been restored: where its held parts are.
    pub(super) fn note_held_parts(&mut self) {
        for (_, r) in self.rods.iter_mut().filter(|(_, r)| r.has_parts()) {
            r.rest.kept.resize(r.vertex_count(), Kept::default());
            for s in 0..r.strand_count().min(r.rest.stills.len()) {
                if r.rest.stills[s] >= SLEEP_AFTER {
                    r.keep(s);
                }
                let held = r.rest.stills[s] >= SLEEP_AFTER;
                for tip in [false, true] {
                    let tie = r.ties.get(&(s as u32, tip)).map(|tie| self.attachments.get_mut(*tie));
                    if let Some(Ok(tie)) = tie {
                        tie.note_held(held);
                    }
                }
            }
        }
    }
}
