//! `max_speed` holds for every vertex that the host does not hold, after every step, whatever solves the strands.

use crate::tied::{DT, line};
use withy::tasks::Inline;
use withy::world::*;

const MOST: f64 = 3.0;

/// The third axis along x.
const ALONG_X: [f64; 4] = [0.0, core::f64::consts::FRAC_1_SQRT_2, 0.0, core::f64::consts::FRAC_1_SQRT_2];

struct Case {
    name: &'static str,
    root: EndSupport,
    wind: f64,
    gravity: f64,
    damping: f64,
    /// m/s, of the root that the host moves, up.
    pull: f64,
    /// m/s, of a ball that the host drives into it.
    ball: f64,
}

const QUIET: Case = Case { name: "", root: EndSupport::Free, wind: 0.0, gravity: 9.81, damping: 0.0, pull: 0.0, ball: 0.0 };

fn worst(model: RodModel, order: SweepOrder, double_precision: bool, case: &Case) -> [f64; 2] {
    let gravity = [0.0, -case.gravity, 0.0];
    let mut w = World::new(WorldDesc { double_precision, gravity, ..WorldDesc::default() }).unwrap();
    let desc = RodsDesc {
        positions: line([0.0; 3], [0.4, 0.0, 0.0], 21),
        counts: vec![21],
        radii: vec![2e-3],
        model,
        order,
        root: case.root,
        wind: [0.0, 0.0, case.wind],
        drag: if case.wind > 0.0 { 30.0 } else { 0.0 },
        damping: case.damping,
        max_speed: MOST,
        ..RodsDesc::default()
    };
    let id = w.add_rods(desc).unwrap();
    let at = |z: f64| Pose { position: [0.3, 0.0, z], ..Pose::IDENTITY };
    let collider = (case.ball > 0.0).then(|| {
        w.add_collider(ColliderDesc { shape: Shape::Sphere { radius: 0.1 }, pose: at(-0.3), ..ColliderDesc::default() }).unwrap()
    });
    let first = usize::from(case.root != EndSupport::Free);
    let read = |w: &World| {
        let (mut x, mut v) = (Vec::new(), Vec::new());
        w.rods(id).unwrap().read_positions(|_, p| x.push(p));
        w.rods(id).unwrap().read_velocities(|_, p| v.push(p));
        (x, v)
    };
    let length = |v: [f64; 3]| v.iter().map(|c| c * c).sum::<f64>().sqrt();
    let (mut before, _) = read(&w);
    let mut worst = [0.0f64; 2];
    for k in 1..=60 {
        let t = k as f64 * DT;
        if case.pull > 0.0 {
            w.rods_mut(id)
                .unwrap()
                .set_root_poses(|_| Pose { position: [0.0, case.pull * t, 0.0], rotation: ALONG_X }, false)
                .unwrap();
        }
        if let Some(c) = collider {
            w.set_collider_pose(c, at(-0.3 + case.ball * t), false).unwrap();
        }
        w.step(DT, &Inline).unwrap();
        let (x, v) = read(&w);
        for i in first..x.len() {
            let way = [0, 1, 2].map(|k| x[i][k] - before[i][k]);
            worst[0] = worst[0].max(length(v[i]));
            worst[1] = worst[1].max(length(way) / DT);
            assert!(length(v[i]).is_finite() && length(way).is_finite());
        }
        before = x;
    }
    worst
}

#[test]
fn no_vertex_is_faster() {
    let mut wrong = Vec::new();
    let cases = [
        Case { name: "falls", ..QUIET },
        Case { name: "falls, damped", damping: 10.0, ..QUIET },
        Case { name: "blown away", wind: 40.0, ..QUIET },
        Case { name: "pulled by its root", root: EndSupport::Pinned, pull: 20.0, ..QUIET },
        Case { name: "pulled by its root, damped", root: EndSupport::Clamped, pull: 20.0, damping: 10.0, ..QUIET },
        Case { name: "hit", ball: 20.0, gravity: 0.0, ..QUIET },
        Case { name: "hit, held", ball: 20.0, root: EndSupport::Clamped, ..QUIET },
    ];
    let kinds =
        [(RodModel::Ghost, SweepOrder::Direct), (RodModel::Ghost, SweepOrder::Alternating), (RodModel::Der, SweepOrder::Direct)];
    for (model, order) in kinds {
        for double in [false, true] {
            for case in &cases {
                let [speed, way] = worst(model, order, double, case);
                println!("{model:?} {order:?} f64 {double} {}: {speed:.3} m/s, {way:.3} m/s on its way", case.name);
                if speed > MOST * 1.0001 || way > MOST * 1.0001 {
                    wrong.push(format!("{model:?} {order:?} f64 {double} {}: {speed} {way}", case.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "faster than {MOST} m/s:\n{}", wrong.join("\n"));
}
