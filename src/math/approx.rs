//! placeholder until io lands
pub fn atan2(y: f64, x: f64) -> f64 {
    y.atan2(x)
}
