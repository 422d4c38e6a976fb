#![cfg(feature = "gpu")]
use withy::world::*;
#[test]
fn dbg() {
    let ev = |k: &str, d: f64| std::env::var(k).ok().and_then(|v| v.parse().ok()).unwrap_or(d);
    let young = ev("YOUNG", 1e9);
    let n = ev("N", 4.0) as usize;
    let desc = RodsDesc {
        positions: (0..ev("S", 1.0) as usize)
            .flat_map(|s| {
                (0..n + s).map(move |v| {
                    let a = 0.6 * v as f64;
                    [0.01 * v as f64 * 0.8, 0.006 * (a.cos() - 1.0) + 0.1 * s as f64, 0.006 * a.sin()]
                })
            })
            .collect(),
        counts: (0..ev("S", 1.0) as usize).map(|s| (n + s) as u32).collect(),
        radii: vec![1e-3],
        stiffness: Stiffness::Physical { young, shear: young / 2.6 },
        root: if ev("FREE", 0.0) > 0.0 {
            EndSupport::Free
        } else if ev("FREE", 0.0) < 0.0 {
            EndSupport::Pinned
        } else {
            EndSupport::Clamped
        },
        order: SweepOrder::Direct,
        model: if ev("DER", 0.0) > 0.0 { RodModel::Der } else { RodModel::Ghost },
        ..RodsDesc::default()
    };
    let mk = |b| {
        let mut w = World::new(WorldDesc {
            backend: b,
            substeps: ev("SUB", 1.0) as u32,
            iterations: ev("IT", 1.0) as u32,
            ..WorldDesc::default()
        })
        .unwrap();
        let id = w.add_rods(desc.clone()).unwrap();
        (w, id)
    };
    let (mut a, ia) = mk(BackendChoice::Cpu);
    let (mut b, ib) = mk(BackendChoice::Gpu);
    for f in 0..ev("F", 3.0) as usize {
        a.step(1.0 / ev("HZ", 480.0), &Inline).unwrap();
        b.step(1.0 / ev("HZ", 480.0), &Inline).unwrap();
        for (name, w, id) in [("cpu", &a, ia), ("gpu", &b, ib)] {
            let mut p = vec![];
            w.rods(id).unwrap().read_positions(|_, x| p.push(x.map(|c| c as f32)));
            let mut k = 0;
            for c in &desc.counts {
                k += *c as usize;
                eprintln!("{f} {name} {:?}", p[k - 1]);
            }
        }
    }
}
