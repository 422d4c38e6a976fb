//! The laws.
pub mod reference;
pub mod rod;
