//! The processor's clock as a process sees it: what compares times of machines, and of one machine at different times.

use std::hint::black_box;
use std::time::Instant;

/// Multiplications of a try, each of which waits for the one before, and tries.
const CHAIN: u64 = 20_000;
const TRIES: usize = 40;
/// Cycles that one takes: Intel's large cores since Nehalem, AMD's since Zen 2. On others it says too little.
const CYCLES: f64 = 3.0;

/// GHz, at the best of some tries; `None` where the chain's length is not known.
pub fn gigahertz() -> Option<f64> {
    let once = || {
        let mut x = black_box(3u64);
        let begin = Instant::now();
        for _ in 0..CHAIN {
            x = x.wrapping_mul(x);
        }
        let seconds = begin.elapsed().as_secs_f64();
        black_box(x);
        1e-9 * CYCLES * CHAIN as f64 / seconds
    };
    cfg!(target_arch = "x86_64").then(|| (0..TRIES).map(|_| once()).fold(0.0, f64::max))
}

/// The higher of now and `before`.
pub fn again(before: Option<f64>) -> Option<f64> {
    gigahertz().map(|now| now.max(before.unwrap_or(0.0)))
}

/// As a value of JSON, and as words after a line.
pub fn json(ghz: Option<f64>) -> String {
    ghz.map_or("null".into(), |g| format!("{g:.2}"))
}
pub fn text(ghz: Option<f64>) -> String {
    ghz.map_or(String::new(), |g| format!("; {g:.2} GHz"))
}
