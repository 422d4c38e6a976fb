//! Rest shapes that keep a pose, and what is promised of them.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/scene.rs"]
mod scene;

mod der_batch;
mod der_rest_shape;
mod der_sections;
mod der_statics;
mod der_stiffen;
mod kept_promises;
mod rest_shape_again;
mod rest_shape_stored;
mod sag_free_world;
mod stiffen_world;
