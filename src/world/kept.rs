//! What the last optimization left of strands that hold: an equal call changes nothing, and takes little time. (Solved again, what f32 had rounded of a rest
//! shape was taken for sagging, and stiffening was found anew.)

use super::optimize::{Solver, first_rests};
use crate::math::Vec3;
use crate::rods::der::strand::{Rest, Strands};
use crate::sagfree::batch::StrandReport;
use crate::sagfree::rest_shape::Options;
use crate::strands::rest_shape::Described;
use crate::strands::{Kept, Rods};
use crate::tasks::collect;

/// A hash of numbers, by their bits. Two lists that differ in one number have different ones.
#[derive(Default)]
struct Print(u64);

impl Print {
    fn put(&mut self, numbers: &[f64]) {
        // 2⁶⁴ over the golden ratio.
        numbers.iter().for_each(|x| self.0 = (self.0.rotate_left(23) ^ x.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    }
    fn put3(&mut self, v: Vec3<f64>) {
        self.put(&v.to_array());
    }

    fn put_options(&mut self, o: &Options) {
        let Options { regularizer, tolerance, iterations, twist, bounds, mode, target, stiffen, lowest_mode_min, .. } = *o;
        self.put(&[regularizer, tolerance, target, lowest_mode_min, stiffen.unwrap_or(0.0), bounds.kappa, bounds.twist]);
        self.put(&bounds.length);
        self.put(&[iterations as f64, f64::from(u8::from(twist)), f64::from(mode as u8)]);
    }

    fn put_rest(&mut self, rest: &[Rest<f64>]) {
        for r in rest {
            self.put(&[r.length, r.twist]);
            self.put(&r.kappa);
        }
    }

    fn put_strand(&mut self, s: &Strands<f64>) {
        for (node, c) in s.state.iter().zip(&s.section) {
            self.put3(node.edge);
            self.put3(node.m1);
            self.put3(c.force);
            self.put(&[node.twist, node.turns, c.ea, c.gj, c.mass, c.inertia, c.moment]);
            self.put(&[c.ei[0], c.ei[1], c.free[0], c.free[1]]);
        }
        self.put_rest(&s.rest);
        self.put(&[s.swing, s.steps, s.folded]);
    }
}

/// What a frame at rest may change of a rest shape that is found again: roundings of positions over the lengths of edges, in f64 and in f32.
const ROUNDED: [f64; 2] = [1e-6, 1e-4];

/// Whether a rest shape is the other but for that.
fn is_same(a: &[Rest<f64>], b: &[Rest<f64>], rounded: f64) -> bool {
    a.iter().zip(b).all(|(a, b)| {
        let strains = |r: &Rest<f64>| [r.kappa[0], r.kappa[1], r.kappa[2], r.kappa[3], r.twist];
        let near = |(x, y): (f64, f64)| (x - y).abs() <= rounded * (1.0 + y.abs());
        (a.length - b.length).abs() <= rounded * b.length && strains(a).into_iter().zip(strains(b)).all(near)
    })
}

impl Solver<'_> {
    /// Of what a call looks at for all strands.
    fn common(&self, rods: &Rods, options: &Options) -> u64 {
        let mut print = Print::default();
        print.put_options(options);
        print.put(&self.world.gravity);
        print.put(&[self.hardest, rods.next_h(self.substeps)]);
        print.0
    }

    /// Of what it looks at of each.
    fn prints(&self, rods: &mut Rods, members: &[usize]) -> Vec<u64> {
        members.iter().for_each(|&s| rods.drop_margin(s));
        let rods: &Rods = rods;
        collect(self.runner, members.len(), &|k| {
            let mut print = Print::default();
            print.put_rest(&rods.first_rest(members[k]));
            print.put_strand(&rods.elastic_strand(members[k], self.world, Described::Anew));
            // What steps solve: a step's limit, which is in the above, may hide that a host has changed it.
            let phantoms = rods.phantoms(members[k]);
            (0..rods.counts()[members[k]] as usize).for_each(|v| print.put(&rods.stiffness(members[k], v, phantoms, false)));
            print.put(&[rods.stiffest(members[k])]);
            print.0
        })
    }

    /// The strands to be solved: the others are as an equal call has left them.
    pub(super) fn without_kept(&self, rods: &mut Rods, members: &[usize], options: &Options) -> Vec<usize> {
        let common = self.common(rods, options);
        let had = |s: &usize| rods.kept.get(*s).is_some_and(|k| k.is_some_and(|k| k.common == common));
        let had: Vec<usize> = members.iter().copied().filter(had).collect();
        let prints = self.prints(rods, &had);
        let same = |rods: &Rods, (s, print): (usize, u64)| rods.kept[s].is_some_and(|k| k.print == print);
        let kept: Vec<usize> = had.into_iter().zip(prints).filter(|&k| same(rods, k)).map(|(s, _)| s).collect();
        for &s in &kept {
            if let Some(k) = rods.kept[s] {
                rods.elastic[s] = StrandReport { iterations: 0, ..k.report };
            }
        }
        let mut kept = kept.into_iter().peekable();
        members.iter().copied().filter(|s| kept.next_if_eq(s).is_none()).collect()
    }

    /// Notes which strands their stiffening of before still holds, in a pose that is the same but for the rounding of steps at rest, and returns the others:
    /// it takes seconds to find.
    pub(super) fn without_held(&self, rods: &mut Rods, members: &[usize], options: &Options, largest: f64) -> Vec<usize> {
        let stiffer: Vec<usize> = members.iter().copied().filter(|&s| rods.is_stiffened(s)).collect();
        if stiffer.is_empty() {
            return members.to_vec();
        }
        let had = collect(self.runner, stiffer.len(), &{
            let rods: &Rods = rods;
            |k| rods.elastic_strand(stiffer[k], self.world, Described::Anew).rest
        });
        let found = self.go_on(rods, &stiffer, &first_rests(rods, &stiffer), options);
        let holds = |&k: &usize| {
            let same = is_same(&found.strands[k].rest, &had[k], ROUNDED[usize::from(self.single)])
                && rods.stiffest(stiffer[k]) <= largest;
            same && found.reports[k].holds(options.lowest_mode_min)
        };
        let held: Vec<usize> = (0..stiffer.len()).filter(holds).collect();
        for &k in &held {
            rods.take_solved(stiffer[k], (&found, k), found.reports[k]);
        }
        members.iter().copied().filter(|s| !held.iter().any(|&k| stiffer[k] == *s)).collect()
    }

    /// Notes how strands have been left.
    pub(super) fn keep(&self, rods: &mut Rods, members: &[usize], options: &Options) {
        if rods.kept.is_empty() {
            rods.kept = vec![None; rods.strand_count()];
        }
        members.iter().for_each(|&s| rods.kept[s] = None);
        let common = self.common(rods, options);
        let holding: Vec<usize> = members.iter().copied().filter(|&s| rods.elastic[s].holds(options.lowest_mode_min)).collect();
        // As the next call and the next step will find them.
        holding.iter().for_each(|&s| rods.seat_clamps_of(s));
        for (&s, print) in holding.iter().zip(self.prints(rods, &holding)) {
            rods.kept[s] = Some(Kept { common, print, report: rods.elastic[s] });
        }
    }
}
