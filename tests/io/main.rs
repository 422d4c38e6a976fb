//! Files in and out.

#[path = "../common/mod.rs"]
mod common;

mod damaged;
mod generate;
mod hostile;
mod shared_data;
mod skeletons;
mod usd_out;
mod usda;
