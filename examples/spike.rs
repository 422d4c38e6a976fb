use withy::backend::cpu::Isa;
use withy::world::*;
fn main() {
    let its: u32 = std::env::args().nth(1).map_or(10, |a| a.parse().unwrap());
    for isa in [Isa::Scalar, Isa::Sse2, Isa::Avx2, Isa::Avx512] {
        for strands in [200u32, 4000] {
            let mut w = World::new(WorldDesc { substeps: 1, iterations: its, isa: Some(isa), ..Default::default() }).unwrap();
            let n = 21;
            let mut d = RodsDesc {
                root: EndSupport::Clamped,
                radii: vec![5e-4],
                stiffness: Stiffness::Physical { young: 1e8, shear: 4e7 },
                ..Default::default()
            };
            for s in 0..strands {
                d.counts.push(n);
                for v in 0..n {
                    d.positions.push([v as f64 * 0.01, s as f64 * 0.003, 0.0]);
                }
            }
            let id = w.add_rods(d).unwrap();
            for _ in 0..10 {
                w.step(1.0 / 60.0 / 8.0, &Inline).unwrap();
            }
            let steps = 400000 / strands;
            let t = std::time::Instant::now();
            for _ in 0..steps {
                w.step(1.0 / 60.0 / 8.0, &Inline).unwrap();
            }
            let s = t.elapsed().as_secs_f64();
            let mut tip = [0.0; 3];
            w.rods(id).unwrap().read_positions(|i, p| {
                if i == 20 {
                    tip = p
                }
            });
            println!(
                "{:8} {strands} {:.2} ns/edge/it  tip {tip:?} strain {:.2e} hash {:016x} mem/vertex {}",
                isa.name(),
                s * 1e9 / (steps as f64 * strands as f64 * 20.0 * 10.0),
                w.stats().largest_strain,
                w.state_hash(),
                w.memory_bytes() / (strands as u64 * 21)
            );
        }
    }
}
