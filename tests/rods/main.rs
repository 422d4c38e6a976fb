//! Rods: both models, swept and solved directly, held, loaded and in contact.

#[path = "../../cli/src/accuracy/mod.rs"]
#[allow(dead_code)]
mod accuracy;
#[path = "../common/scene.rs"]
mod scene;
#[path = "../common/tied.rs"]
mod tied;

mod bundle;
mod bundle_sag_free;
mod bundle_volume;
mod change;
mod cuts;
mod defaults;
mod der_kernels;
mod der_lanes;
mod der_laws;
mod der_world;
mod edge_moments;
mod far_poses;
mod ghost_degenerate;
mod ghost_direct;
mod ghost_gradients;
mod ghost_invariants;
mod ghost_lanes;
mod ghost_statics;
mod ghost_step;
#[cfg(feature = "paper")]
mod ghost_sweep_order;
mod hitches;
mod mesh_contacts;
mod muscle_bones;
mod muscles;
mod net_touch;
mod newton_contacts;
mod newton_motion;
mod noose;
mod order;
mod pressed_volume;
mod quiet_steps;
mod rod_contacts;
mod rod_sleep;
mod rods_touch;
mod second_order;
mod singular_bend_twist_block;
mod speed_limit;
#[cfg(feature = "springs")]
mod springs;
mod swept_volume;
mod ties;
mod ties_newton;
mod volume;
mod volume_sag_free;
mod volume_ties;
