//! rods
