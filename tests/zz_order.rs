#[path = "common/scene.rs"]
mod scene;
use scene::*;
use withy::math::Vec3;
use withy::world::*;
const ORDERS: [SweepOrder; 3] = [SweepOrder::RootToTip, SweepOrder::Bidirectional, SweepOrder::Sequential];
#[test]
fn residual() {
    for n in [20usize, 100] {
        for order in ORDERS {
            for iterations in [1, 2, 5, 10, 20, 50] {
                let run = |order, iterations| {
                    let mut w = World::new(WorldDesc { substeps: 1, iterations, double_precision: true, ..WorldDesc::default() })
                        .unwrap();
                    let id = w
                        .add_rods(RodsDesc {
                            positions: (0..=n).map(|i| [0.4 * i as f64 / n as f64, 0.0, 0.0]).collect(),
                            counts: vec![n as u32 + 1],
                            radii: vec![2e-3],
                            stiffness: Stiffness::Physical { young: 1e8, shear: 4e7 },
                            root: EndSupport::Clamped,
                            order,
                            drag: 1.0,
                            ..RodsDesc::default()
                        })
                        .unwrap();
                    let mut worst = 0.0f64;
                    let mut mean = 0.0;
                    for _ in 0..120 {
                        steps(&mut w, 1, 1.0 / 60.0);
                        worst = worst.max(w.stats().largest_strain);
                        mean += w.stats().largest_strain / 120.0;
                    }
                    (worst, mean, positions(w.rods(id).unwrap())[n])
                };
                let (worst, mean, tip) = run(order, iterations);
                let exact = run(SweepOrder::RootToTip, 2000).2;
                println!(
                    "n {n} {order:?} it {iterations} worst strain {worst:.2e} mean {mean:.2e} tip error {:.2e}",
                    (tip - exact).length() / 0.4
                );
            }
        }
    }
}
#[test]
fn vibration() {
    for (name, alpha, twist, curved, n, its, sub) in [
        ("straight twisted a1", 1.0, 6.0, false, 30usize, 10u32, 1u32),
        ("straight twisted a.5", 0.5, 6.0, false, 30, 10, 1),
        ("curved a1", 1.0, 0.0, true, 30, 10, 1),
        ("curved a.5", 0.5, 0.0, true, 30, 10, 1),
        ("curved a.1", 0.1, 0.0, true, 30, 10, 1),
        ("curved twisted a.5", 0.5, 3.0, true, 30, 10, 1),
        ("spring a1 it2", 1.0, 0.0, true, 30, 2, 1),
        ("spring a1 it 1", 1.0, 0.0, true, 30, 1, 1),
        ("straight tw a1 it 2", 1.0, 3.0, false, 30, 2, 1),
        ("straight tw a1 it1", 1.0, 3.0, false, 30, 1, 1),
    ] {
        for order in ORDERS {
            let mut w = World::new(WorldDesc {
                gravity: [0.0; 3],
                substeps: sub,
                iterations: its,
                double_precision: true,
                ..WorldDesc::default()
            })
            .unwrap();
            let shape: Vec<V3> = (0..=n)
                .map(|i| {
                    let s = i as f64 / n as f64;
                    if curved {
                        let a = 12.0 * s;
                        [0.05 * a.cos(), 0.5 * s, 0.05 * a.sin()]
                    } else {
                        [s, 0.0, 0.0]
                    }
                })
                .collect();
            let last = shape[n];
            let e = (Vec3::from(shape[n]) - Vec3::from(shape[n - 1])).normalized_or(Vec3::zero()).to_array();
            let id = w
                .add_rods(RodsDesc {
                    positions: shape,
                    counts: vec![n as u32 + 1],
                    order,
                    root: EndSupport::Clamped,
                    tip: EndSupport::Clamped,
                    stiffness: Stiffness::Alpha { bend1: alpha, bend2: alpha, twist: alpha, stretch: 1.0 },
                    ..RodsDesc::default()
                })
                .unwrap();
            let mut k = vec![];
            for f in 0..900 {
                let a: f64 = twist * (f as f64 / 60.0).min(1.0);
                let (s, c) = (0.5 * a).sin_cos();
                w.rods_mut(id)
                    .unwrap()
                    .set_tip_poses(|_| Pose { position: last, rotation: [e[0] * s, e[1] * s, e[2] * s, c] }, false)
                    .unwrap();
                steps(&mut w, 1, 1.0 / 60.0);
                if f % 150 == 149 {
                    k.push(momentum(w.rods(id).unwrap()).kinetic);
                }
            }
            println!("{name:22} {order:?} kinetic J: {}", k.iter().map(|k| format!("{k:.1e} ")).collect::<String>());
        }
    }
}
