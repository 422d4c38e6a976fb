#[path = "common/human.rs"]
mod human;
use human::*;
use withy::world::*;
fn cpu() -> f64 {
    std::fs::read_to_string("/proc/thread-self/schedstat").unwrap().split(' ').next().unwrap().parse::<f64>().unwrap() * 1e-6
}
const DT: f64 = 1.0 / 60.0;
fn noise(k: u64) -> f64 {
    let x = (k.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((x >> 33) as f64 / (1u64 << 31) as f64) * 2.0 - 1.0
}
#[test]
fn perf() {
    for (count, threads) in [(30u64, 1), (300, 1), (300, 2)] {
        let mut w = World::new(WorldDesc { substeps: 4, iterations: 5, ..WorldDesc::default() }).unwrap();
        w.add_collider(ColliderDesc { friction: 0.8, ..ColliderDesc::default() }).unwrap();
        let side = ((count as f64 / 6.0).sqrt().ceil()) as u64;
        for k in 0..count {
            let (cell, layer) = (k % (side * side), k / (side * side));
            let q = turn([1.0, 0.0, 0.0], 1.57 + noise(k) * 0.1);
            let q = times(turn([0.0, 1.0, 0.0], noise(k + 50) * 3.0), q);
            let at = [
                (cell % side) as f64 * 1.2 + noise(k + 100) * 0.3,
                1.0 + 0.6 * layer as f64,
                (cell / side) as f64 * 1.2 + noise(k + 200) * 0.3,
            ];
            human(&mut w, at, q, 0);
        }
        let pool = Pool::new(2).unwrap();
        let runner: &dyn TaskRunner = if threads == 1 { &Inline } else { &pool };
        for _ in 0..90 {
            w.step(DT, runner).unwrap();
        }
        let mut best = f64::MAX;
        let mut cbest = f64::MAX;
        let mut parts = [f64::MAX; 6];
        let mut sum = 0.0;
        for _ in 0..60 {
            let t = std::time::Instant::now();
            let c0 = cpu();
            w.step(DT, runner).unwrap();
            let s = t.elapsed().as_secs_f64() * 1e3;
            let c = cpu() - c0;
            cbest = cbest.min(c);
            for k in 0..6 {
                parts[k] = parts[k].min(w.body_times()[k] * 1e3);
            }
            best = best.min(s);
            sum += s;
        }
        println!(
            "{count} ragdolls, {threads} threads: best {best:.3} ms, cpu {cbest:.3} mean {:.3} ms, counts {:?} hash {:x} {:?}",
            sum / 60.0,
            w.body_counts(),
            w.state_hash(),
            parts
        );
    }
}
