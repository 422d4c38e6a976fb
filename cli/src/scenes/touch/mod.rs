//! Rods that touch rods: Umetani's figures 1 and 2, a heap, a knot.

pub mod heap;
pub mod knot;
pub mod knots;
pub mod mesh_ring;
pub mod plectoneme;
pub mod talking;
pub mod tentacles;
