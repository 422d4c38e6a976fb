//! Rod models.
pub mod der;
pub mod ghost;
pub mod newton;
