//! Keys that differ from bone to bone, brought to common frames.

/// The frame at or before `t`, and how far `t` is on the way to the next one, 0 to below 1; 0 outside of `times`.
pub(super) fn locate(times: &[f64], t: f64) -> (usize, f64) {
    let after = times.partition_point(|&time| time <= t);
    if after == 0 {
        return (0, 0.0);
    }
    let frame = after - 1;
    match times.get(after) {
        Some(next) => (frame, (t - times[frame]) / (next - times[frame])),
        None => (frame, 0.0),
    }
}

/// All times, once each, in order.
pub(super) fn union(mut times: Vec<f64>) -> Vec<f64> {
    times.sort_unstable_by(f64::total_cmp);
    // -0 comes before 0 and equals it.
    times.dedup_by(|b, a| b == a);
    times
}

/// Poses that a file of so many bytes may come to when keys of different times are brought together.
pub(super) fn most_poses(bytes: usize) -> usize {
    bytes + 65_536
}
