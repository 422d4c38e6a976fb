//! Rigid bodies, joints and contacts between them.

#[path = "../common/tied.rs"]
mod tied;

mod arc_limits;
mod body_contacts;
mod body_crowd;
mod body_filters;
mod body_graph;
mod body_lanes;
mod body_state;
mod body_threads;
mod body_ties;
mod cables;
mod forces;
mod hitches;
mod joint_extremes;
mod joint_trees;
mod joints;
mod kernels;
mod mass_ratios;
mod motion;
mod rolling;
mod seams;
mod sleep;
mod turn_limits;
mod waking;
