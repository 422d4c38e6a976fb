//! Contact of rods with rods, and with bodies that they push.
//!
//! ```text
//! strands     the vertices of all rods that touch rods, in f64: where a substep takes them
//! near        which edges may meet: boxes, kept until a vertex leaves its own
//! meet        how two edges meet on their way through a substep
//! relax       the same of rods that are swept: contact by contact, those that share no vertex in lanes (`lanes`, `distances`)
//! press       the forces: λ ≥ 0 with Coulomb's friction, against what each strand answers
//! ```
//!
//! A contact asks that n·(p − q) does not fall below the two radii at the end of the substep. With the motion δ that the strands have found
//! for themselves, the rows J of all contacts, and H⁻¹, what forces do to the strands (for Newton's method the factors of its
//! direction):
//!
//! ```text
//! 0 ≤ λ  ⊥  gap + J (δ + H⁻¹ Jᵀ λ) ≥ 0        |friction| ≤ μ λ, against the slip
//! ```
//! Both strands get the same force, so momentum is kept however far the forces are solved (`docs/internals/contact.md`).

// `!(a > b)` is also where one is not a number; indices name axes.
#![allow(clippy::neg_cmp_op_on_partial_ord, clippy::needless_range_loop)]

mod distances;
mod lanes;
mod meet;
mod near;
mod press;
mod relax;
mod strands;

use meet::meet;
pub use near::{Allowance, Near};
pub use press::{Mass, Press, Pressed, Strength, Touch};
pub use relax::{Point, Relax};
pub use strands::{Holder, RodVertex, Set, Strands};
