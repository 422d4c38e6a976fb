//! Optimiser and certificate, and both of one strand. Those of one strand are out of line: whoever needs them shares one copy.

use super::{Optimizer, Options, Solved};
use crate::math::Lane;
use crate::rods::der::strand::{Rest, Strands};

/// [`Optimizer::run`], inlined into who calls it.
#[inline(always)]
pub fn optimize<L: Lane>(
    strands: &mut Strands<L>,
    initial: &[Rest<L>],
    optimizer: &mut Optimizer<L>,
    options: &Options,
) -> Solved<L> {
    optimizer.run(strands, initial, options)
}

/// [`Strands::stability`], what [`Optimizer::refusal`] says, and the stiffest element, inlined into who calls it.
#[inline(always)]
pub fn certify<L: Lane>(strands: &mut Strands<L>) -> [L; 4] {
    let refused = Optimizer::refusal(strands);
    let [unstable, lowest] = strands.stability();
    [unstable, lowest, refused, strands.hardest]
}

/// [`optimize`] of one strand.
#[inline(never)]
pub fn optimize_one(
    strand: &mut Strands<f64>,
    initial: &[Rest<f64>],
    optimizer: &mut Optimizer<f64>,
    options: &Options,
) -> Solved<f64> {
    optimize(strand, initial, optimizer, options)
}

/// [`certify`] of one strand.
#[inline(never)]
pub fn certify_one(strand: &mut Strands<f64>) -> [f64; 4] {
    certify(strand)
}
