//! plot
pub struct Plot;pub struct Series;
