//! Rods that touch rods: Umetani's figures 1 and 2, a heap, a knot.

pub mod heap;
pub mod knot;
pub mod plectoneme;
pub mod tentacles;
