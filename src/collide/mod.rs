//! collide
