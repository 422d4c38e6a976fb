//! Rod models.
pub mod der;
pub mod ghost;
