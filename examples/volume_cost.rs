//! What a Newton step costs where rods keep their volume and where they do not: ns an edge, median and best of some steps. The strands are those
//! of `withy bench direct`.
//!
//! `cargo run --release --no-default-features --example volume_cost [isa]`

use std::time::Instant;

use withy::math::Isa;
use withy::math::rng::Rng;
use withy::tasks::Inline;
use withy::world::{EndSupport, RodModel, RodsDesc, Stiffness, SweepOrder, World, WorldDesc};

fn groom(strands: u32, edges: u32, model: RodModel, poisson_ratio: f64) -> RodsDesc {
    let mut rng = Rng::new(1);
    let side = f64::from(strands).sqrt().ceil();
    let mut positions = Vec::new();
    for strand in 0..strands {
        let root = [0.2 * (f64::from(strand) % side) / side, 0.0, 0.2 * (f64::from(strand) / side).floor() / side];
        let (phase, step) = (rng.range(0.0, 6.0), 0.2 / f64::from(edges));
        for v in 0..=edges {
            let s = step * f64::from(v);
            let wave = 0.004 * (s / 0.2) * (phase + s * 80.0).sin();
            positions.push([root[0] + 0.3 * s + wave, root[1] - 0.9 * s, root[2] + wave]);
        }
    }
    RodsDesc {
        counts: vec![edges + 1; strands as usize],
        velocities: positions.iter().map(|p| [0.0, 0.0, -2.0 * p[1]]).collect(),
        positions,
        radii: vec![1e-4],
        stiffness: Stiffness::Physical { young: 4e9, shear: 1.6e9 },
        poisson_ratio,
        density: 1300.0,
        root: EndSupport::Clamped,
        damping: 4.0,
        drag: 3.0,
        order: SweepOrder::Direct,
        iterations: 1,
        model,
        ..RodsDesc::default()
    }
}

fn main() {
    let wanted = std::env::args().nth(1);
    for isa in Isa::ALL.into_iter().filter(|isa| isa.available() && wanted.as_deref().is_none_or(|w| w == isa.name())) {
        for (strands, edges) in [(200, 20), (4000, 20), (800, 100)] {
            for model in [RodModel::Ghost, RodModel::Der] {
                let mut worlds = [0.0, 0.45].map(|nu| {
                    let mut w = World::new(WorldDesc { substeps: 1, isa: Some(isa), ..WorldDesc::default() }).expect("a world");
                    w.add_rods(groom(strands, edges, model, nu)).expect("rods");
                    (w, Vec::new())
                });
                // In turn, so that both see what else the machine does.
                for k in 0..40 {
                    for (w, times) in &mut worlds {
                        let begin = Instant::now();
                        w.step(1.0 / 480.0, &Inline).expect("a step");
                        if k >= 10 {
                            times.push(1e9 * begin.elapsed().as_secs_f64() / f64::from(strands * edges));
                        }
                    }
                }
                let [(off, best_off), (on, best_on)] = worlds.map(|(_, mut times)| {
                    times.sort_unstable_by(f64::total_cmp);
                    (times[times.len() / 2], times[0])
                });
                println!(
                    "{:7} {strands:5}×{edges:<4} {model:?}: off {off:6.1} (best {best_off:6.1}), on {on:6.1} (best {best_on:6.1}), × {:.2}",
                    isa.name(),
                    best_on / best_off
                );
            }
        }
    }
}
