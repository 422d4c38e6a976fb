//! Swept rods that keep their volume and touch rods: their contacts take turns with the sweeps (`couple::Relax`).
//!
//! ```text
//! first iteration   which edges meet on the ways that they have now
//! each              every contact, forwards and backwards in turn, with what its vertices have done by now
//! last              what comes through another in spite of that goes a part of its way
//! ```

use super::rod_contact::{Cell, RodContacts, SHORT, STOPS, three};
use super::ties::Coupled;
use super::world::World;
use crate::couple::Point;
use crate::desc::SweepOrder;
use crate::desc::error::Result;
use crate::layout::{CUT_FROM, bulk, param, scale, state, swept};
use crate::math::Elem;
use crate::rods::material::COVERED;
use crate::rods::volume::LEAST_SCALE;
use crate::stages::At;
use crate::strands::{Rods, with};

/// How the radius of a vertex hangs on the scales of its edges: the radius at rest, m, and of the edge before it and the one after it the part that each has, and
/// what a moment does to its scale.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Section {
    radius: f64,
    parts: [f64; 2],
    scales: [Yield; 2],
}

/// What an impulse does to the scale of an edge in a substep, 1/(kg m²), against its inertia and what holds the section; and that inertia, kg m². (With the inertia
/// alone it would go 200 times as far: sections of a pile were pressed to half of their volume, which sweeps had to undo.)
#[derive(Clone, Copy, Debug, Default)]
struct Yield {
    by: f64,
    inertia: f64,
}

/// The vertices of a set that are touched, by number among all.
struct Touched<'a> {
    cells: &'a [Cell],
    vertices: &'a [u32],
    sections: &'a mut [Section],
    points: &'a mut [Point],
}

impl World {
    /// Whether all that touches rods, or pushes bodies by what it answers, is swept and keeps its volume: then contacts take turns with the sweeps. (Thin ropes
    /// under tension go through each other in that way, a little in each substep; they have the contacts of all other rods.)
    pub(super) fn relaxes(&self) -> bool {
        let mut pressed = self.rods.iter().filter(|(_, r)| r.can_be_pressed() && r.gpu.is_none()).peekable();
        pressed.peek().is_some() && pressed.all(|(_, r)| r.order() != SweepOrder::Direct && r.keeps_volume())
    }
}

impl Rods {
    fn section(&self, cells: &[Cell], v: usize, h: f64) -> Section {
        let c = cells[v];
        let first = v == 0 || cells[v - 1].last || cells[v - 1].rods != c.rods;
        let parts = match (first, c.last) {
            (true, _) => [0.0, 1.0],
            (_, true) => [1.0, 0.0],
            _ => [0.5, 0.5],
        };
        with!(&self.data, b => {
            let mut radius = b.params[c.index(param::ROWS, param::RADIUS)].to_f64();
            if radius < 0.0 {
                radius *= 1.0 / COVERED;
            }
            let of = |part: f64, back: usize| {
                if part == 0.0 {
                    return Yield::default();
                }
                let c = cells[v - back];
                let p = |row: usize| b.params[c.index(param::ROWS, row)].to_f64();
                let k = |row: usize| b.bulk[c.index(bulk::ROWS, row)].to_f64();
                if p(param::STRETCH) >= CUT_FROM {
                    return Yield::default();
                }
                let s = 1.0 + b.scales[c.index(scale::ROWS, scale::SWELL)].to_f64();
                let whole = h * h * p(param::LENGTH) * p(param::LENGTH) / p(param::STRETCH);
                let (inertia, by_s) = (k(bulk::INERTIA), 2.0 * s);
                Yield { by: 1.0 / (inertia + whole * (2.0 * k(bulk::SHEAR) + k(bulk::BULK) * by_s * by_s)), inertia }
            };
            Section { radius, parts, scales: [of(parts[0], 1), of(parts[1], 0)] }
        })
    }

    /// What vertices and their radii have done in the substep.
    fn read_points(&self, Touched { cells, vertices, sections, points }: Touched) {
        with!(&self.data, b => {
            for ((&v, at), point) in vertices.iter().zip(sections).zip(points) {
                let c = &cells[v as usize];
                point.u = three(&b.state, c.index(state::ROWS, state::U), c.width as usize);
                (point.swell, point.squeeze) = (0.0, 0.0);
                for (k, part) in at.parts.into_iter().enumerate().filter(|(_, part)| *part > 0.0) {
                    let c = &cells[v as usize + k - 1];
                    point.swell += at.radius * part * b.scales[c.index(scale::ROWS, scale::GROWTH)].to_f64();
                }
            }
        });
    }

    /// What does not change in a substep: sections and weights.
    fn weigh_points(&self, Touched { cells, vertices, sections, points }: Touched, h: f64) {
        for ((&v, section), point) in vertices.iter().zip(sections).zip(points) {
            let at = self.section(cells, v as usize, h);
            point.weight = with!(&self.data, b => b.params[cells[v as usize].index(param::ROWS, param::W)].to_f64());
            let of = |k: usize| (at.radius * at.parts[k]) * (at.radius * at.parts[k]) * at.scales[k].by;
            point.swell_weight = of(0) + of(1);
            *section = at;
        }
    }

    /// Gives vertices the ways that contacts have found for them, and their edges' scales what these have done to their radii.
    fn take_points(&mut self, Touched { cells, vertices, sections, points }: Touched) {
        with!(&mut self.data, b => {
            for ((&v, at), point) in vertices.iter().zip(sections).zip(points) {
                let c = &cells[v as usize];
                for (k, u) in point.u.to_array().into_iter().enumerate() {
                    b.state[c.index(state::ROWS, state::U + k)] = Elem::from_f64(u);
                }
                if point.squeeze == 0.0 {
                    continue;
                }
                for (k, part) in at.parts.into_iter().enumerate().filter(|(_, part)| *part > 0.0) {
                    let c = &cells[v as usize + k - 1];
                    let Yield { by, inertia } = at.scales[k];
                    let mut add = |row: usize, x: f64| {
                        let to = &mut b.swept[c.index(swept::ROWS, row)];
                        *to = Elem::from_f64(to.to_f64() + x);
                    };
                    let push = at.radius * part * point.squeeze;
                    let i = c.index(scale::ROWS, scale::GROWTH);
                    let least = LEAST_SCALE - 1.0 - b.scales[c.index(scale::ROWS, scale::SWELL)].to_f64();
                    let before = b.scales[i].to_f64();
                    let now = (before + by * push).max(least);
                    b.scales[i] = Elem::from_f64(now);
                    add(swept::PUSHED, push);
                    add(swept::UNANSWERED, inertia * (now - before) - push);
                }
            }
        });
    }
}

impl Coupled<'_> {
    /// One iteration of the contacts of swept rods.
    pub(super) fn relax_rods(&mut self, h: f64, at: At) -> Result<()> {
        let mut c = core::mem::take(&mut self.world.rod_contacts);
        let done = self.relax(&mut c, h, at);
        self.world.rod_contacts = c;
        done
    }

    fn relax(&mut self, c: &mut RodContacts, h: f64, at: At) -> Result<()> {
        if at.first() {
            self.meet_again(c, h)?;
        }
        let (isa, double) = (self.world.isa, self.world.desc.double_precision);
        if !c.relax.is_empty() {
            if at.first() {
                self.weigh(c, h)?;
            }
            self.each_touched(c, |rods, touched| rods.read_points(touched))?;
            if at.first() {
                c.relax.begin(h, &c.press.before, double);
            }
            c.relax.pass(isa, double);
            self.each_touched(c, |rods, touched| rods.take_points(touched))?;
        }
        if at.iteration + 1 == self.iterations {
            self.stop_swept(c)?;
            c.relax.end(double);
            c.relax.keep(&c.strands, h, &mut c.press.before);
            c.count = c.press.before.len() as u32;
        }
        Ok(())
    }

    /// What is touched of each set that is awake.
    fn each_touched(&mut self, c: &mut RodContacts, mut visit: impl FnMut(&mut Rods, Touched)) -> Result<()> {
        let RodContacts { relax, sections, strands, listed, cells, .. } = c;
        let (touched, mut first) = (&relax.touched, 0);
        while first < touched.len() {
            let set = strands.number_of(touched[first]);
            let end = strands.sets.get(set + 1).map_or(u32::MAX, |s| s.first_vertex);
            let last = first + touched[first..].partition_point(|&v| v < end);
            let rods = self.world.rods.get_mut(listed[set])?;
            if !rods.rest.asleep {
                let of_set = Touched {
                    cells,
                    vertices: &touched[first..last],
                    sections: &mut sections[first..last],
                    points: &mut relax.points[first..last],
                };
                visit(rods, of_set);
            }
            first = last;
        }
        Ok(())
    }

    /// What does not change in the substep. What sleeps has no weight.
    fn weigh(&mut self, c: &mut RodContacts, h: f64) -> Result<()> {
        c.sections.clear();
        c.sections.resize(c.relax.touched.len(), Section::default());
        self.each_touched(c, |rods, touched| rods.weigh_points(touched, h))
    }

    /// The contacts of the substep.
    fn meet_again(&mut self, c: &mut RodContacts, h: f64) -> Result<()> {
        for k in 0..c.listed.len() {
            if c.active[k] {
                c.read(k, self.world.rods.get(c.listed[k])?, h);
            }
        }
        c.when = c.when.wrapping_add(1) % u32::MAX;
        c.near.begin(&c.strands);
        c.near.look(&c.strands, self.runner);
        let how = (self.world.isa, self.world.desc.double_precision);
        c.relax.find(&c.strands, &mut c.near, &c.allowed, c.when, how);
        Ok(())
    }

    /// Strands that come through each other in spite of their contacts go a part of their way only.
    fn stop_swept(&mut self, c: &mut RodContacts) -> Result<()> {
        let how = (self.world.isa, self.world.desc.double_precision);
        for k in 0..STOPS {
            for number in 0..c.listed.len() {
                if c.active[number] {
                    c.read_ways(number, self.world.rods.get(c.listed[number])?);
                }
            }
            if !c.near.find_fast(&c.strands) {
                break;
            }
            c.near.look(&c.strands, self.runner);
            let RodContacts { parts, strands, relax, near, allowed, when, .. } = c;
            parts.clear();
            relax.stop(strands, near, allowed, *when, how, |strand, time| {
                parts.resize(strands.starts.len(), 1.0);
                let part = if k + 1 == STOPS { 0.0 } else { SHORT * time };
                parts[strand as usize] = parts[strand as usize].min(part);
            });
            if parts.is_empty() {
                break;
            }
            for (v, cell) in c.strands.vertices.iter().zip(&c.cells) {
                let part = c.parts[v.strand as usize];
                if part == 1.0 || v.asleep {
                    continue;
                }
                with!(&mut self.world.rods.get_mut(c.listed[cell.rods as usize])?.data, b => cell.go_a_part(&mut b.state, part));
            }
        }
        Ok(())
    }
}

impl RodContacts {
    /// The ways that the vertices of a set have gone in the substep.
    fn read_ways(&mut self, number: usize, rods: &Rods) {
        if rods.rest.asleep {
            return;
        }
        let first = self.strands.sets[number].first_vertex as usize;
        let last = self.strands.sets.get(number + 1).map_or(self.cells.len(), |s| s.first_vertex as usize);
        with!(&rods.data, b => {
            for (v, c) in self.strands.vertices[first..last].iter_mut().zip(&self.cells[first..last]) {
                v.to = three(&b.state, c.index(state::ROWS, state::U), c.width as usize);
            }
        });
    }
}
