//! Strands between plain numbers and lanes. Each record lists its fields once; every way in and out goes over that list.

use crate::math::vec3::vec3;
use crate::math::{Elem, Lane};
use crate::rods::der::strand::{Node, Rest, Row, Section, Strands};

/// K numbers of one type.
pub(super) trait Record<L, const K: usize> {
    fn fields(&self) -> [&L; K];
    fn of(fields: [L; K]) -> Self;
}

impl<L> Record<L, 8> for Node<L> {
    fn fields(&self) -> [&L; 8] {
        let Node { edge, m1, twist, turns } = self;
        [&edge.x, &edge.y, &edge.z, &m1.x, &m1.y, &m1.z, twist, turns]
    }
    fn of([x, y, z, a, b, c, twist, turns]: [L; 8]) -> Self {
        Node { edge: vec3(x, y, z), m1: vec3(a, b, c), twist, turns }
    }
}

impl<L> Record<L, 6> for Rest<L> {
    fn fields(&self) -> [&L; 6] {
        let [a, b, c, d] = &self.kappa;
        [&self.length, a, b, c, d, &self.twist]
    }
    fn of([length, a, b, c, d, twist]: [L; 6]) -> Self {
        Rest { length, kappa: [a, b, c, d], twist }
    }
}

impl<L> Record<L, 12> for Section<L> {
    fn fields(&self) -> [&L; 12] {
        let Section { ea, ei: [a, b], gj, mass, inertia, free: [x, angle], force, moment } = self;
        [ea, a, b, gj, mass, inertia, x, angle, &force.x, &force.y, &force.z, moment]
    }
    fn of([ea, a, b, gj, mass, inertia, free, angle, x, y, z, moment]: [L; 12]) -> Self {
        Section { ea, ei: [a, b], gj, mass, inertia, free: [free, angle], force: vec3(x, y, z), moment }
    }
}

impl<L> Record<L, 4> for Row<L> {
    fn fields(&self) -> [&L; 4] {
        self.each_ref()
    }
    fn of(fields: [L; 4]) -> Self {
        fields
    }
}

/// The numbers of a lane value where it lies: no instruction set is needed to look at them.
pub fn numbers<L: Lane>(of: &L) -> &[L::Elem] {
    const { assert!(size_of::<L>() == L::N * size_of::<L::Elem>() && align_of::<L>() >= align_of::<L::Elem>()) };
    // SAFETY: a lane type is a register of N numbers, as large as they are, and any bits are a number.
    unsafe { core::slice::from_raw_parts((&raw const *of).cast(), L::N) }
}

fn numbers_mut<L: Lane>(of: &mut L) -> &mut [L::Elem] {
    const { assert!(size_of::<L>() == L::N * size_of::<L::Elem>() && align_of::<L>() >= align_of::<L::Elem>()) };
    // SAFETY: as in `numbers`, and nothing else refers to `of` as long as the slice lives.
    unsafe { core::slice::from_raw_parts_mut((&raw mut *of).cast(), L::N) }
}

/// One record a strand becomes one of all strands; `empty` in lanes without one, and where a strand is shorter.
pub(super) fn pack<L: Lane, R: Record<L, K>, S: Record<f64, K>, const K: usize>(to: &mut [R], strands: &[&[S]], empty: &S) {
    let empty = empty.fields().map(|v| L::constant(*v));
    for (i, to) in to.iter_mut().enumerate() {
        let mut fields = empty;
        for (lane, strand) in strands.iter().enumerate() {
            if let Some(record) = strand.get(i) {
                for (field, v) in fields.iter_mut().zip(record.fields()) {
                    numbers_mut(field)[lane] = L::Elem::from_f64(*v);
                }
            }
        }
        *to = R::of(fields);
    }
}

/// The records of one lane, as many as there is room for.
pub(super) fn unpack<L: Lane, R: Record<L, K>, S: Record<f64, K>, const K: usize>(from: &[R], lane: usize, to: &mut [S]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = S::of(from.fields().map(|field| numbers(field)[lane].to_f64()));
    }
}

/// Writes the records of one lane, as many as there are.
pub(super) fn put<L: Lane, R: Record<L, K>, S: Record<f64, K>, const K: usize>(from: &[S], lane: usize, to: &mut [R]) {
    for (to, from) in to.iter_mut().zip(from) {
        let mut fields = to.fields().map(|field| *field);
        for (field, v) in fields.iter_mut().zip(from.fields()) {
            numbers_mut(field)[lane] = L::Elem::from_f64(*v);
        }
        *to = R::of(fields);
    }
}

/// One number a lane, 0 where there is none.
pub fn across<L: Lane>(values: impl IntoIterator<Item = f64>) -> L {
    let mut out = L::zero();
    for (to, v) in numbers_mut(&mut out).iter_mut().zip(values) {
        *to = L::Elem::from_f64(v);
    }
    out
}

/// Strands of one length, padded, one a lane.
pub(super) fn gather<L: Lane>(members: &[&Strands<f64>]) -> Strands<L> {
    let n = members.iter().map(|s| s.vertices()).max().unwrap_or(2);
    let (mut out, padding) = (Strands::<L>::new(n), Strands::<f64>::new(1));
    let all = || members.iter();
    pack(&mut out.state, &all().map(|s| &s.state[..]).collect::<Vec<_>>(), &padding.state[0]);
    pack(&mut out.rest, &all().map(|s| &s.rest[..]).collect::<Vec<_>>(), &padding.rest[0]);
    pack(&mut out.section, &all().map(|s| &s.section[..]).collect::<Vec<_>>(), &padding.section[0]);
    out.swing = across(all().map(|s| s.swing));
    out.steps = across(all().map(|s| s.steps));
    out.folded = across(all().map(|s| s.folded));
    out.measure = members.first().map_or(out.measure, |s| s.measure);
    out
}

/// The first `vertices` of one lane.
pub(super) fn scatter<L: Lane>(from: &Strands<L>, lane: usize, vertices: usize) -> Strands<f64> {
    let mut out = Strands::<f64>::new(vertices);
    unpack(&from.state, lane, &mut out.state);
    unpack(&from.rest, lane, &mut out.rest);
    unpack(&from.section, lane, &mut out.section);
    if !from.is_fresh() {
        unpack(&from.moved, lane, &mut out.moved);
    }
    unpack(&from.velocity, lane, &mut out.velocity);
    let number = |of: &L| numbers(of)[lane].to_f64();
    (out.swing, out.steps, out.measure) = (number(&from.swing), number(&from.steps), from.measure);
    out.folded = number(&from.folded);
    out
}
