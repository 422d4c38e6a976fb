//! Rod models.
pub mod ghost;
