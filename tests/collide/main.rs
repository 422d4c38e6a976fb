//! Shapes: where they touch, how far they are apart, what a ray hits.

#[path = "../../cli/src/bench/hills.rs"]
mod hills;
#[path = "../common/narrow_oracle.rs"]
mod narrow_oracle;

mod mesh;
mod pairs;
mod queries;
mod shapes;
