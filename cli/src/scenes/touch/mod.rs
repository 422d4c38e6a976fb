//! Rods that touch rods: Umetani's figures 1 and 2, a heap, a knot, a lasso.

pub mod heap;
pub mod knot;
pub mod knots;
pub mod lasso;
pub mod mesh_ring;
pub mod plectoneme;
pub mod talking;
pub mod tentacles;
