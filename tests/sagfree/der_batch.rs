//! Many strands at once: what one of them holds or how it ends is no concern of the others; cancelling; going on from before.

#![allow(clippy::needless_range_loop)]

use withy::desc::EndSupport;
use withy::math::Isa;
use withy::math::Vec3;
use withy::math::vec3::vec3;
use withy::rods::der::strand::Strands;
use withy::sagfree::batch::*;
use withy::sagfree::rest_shape::*;
use withy::tasks::Inline;

const DOWN: Vec3<f64> = Vec3 { x: 0.0, y: -9.81, z: 0.0 };

fn desc(points: Vec<Vec3<f64>>) -> StrandDesc {
    StrandDesc {
        points,
        axis: vec3(0.0, 0.0, 0.0),
        material: Material::default(),
        gravity: DOWN,
        root: EndSupport::Clamped,
        tip: EndSupport::Free,
    }
}

fn wave(n: usize, k: usize) -> Vec<Vec3<f64>> {
    let p = 0.37 * k as f64;
    let at = |u: f64| vec3(0.02 * (25.0 * u + p).sin(), -0.3 * u, 0.02 * (17.0 * u + 2.0 * p).cos() + 0.1 * u);
    (0..n).map(|i| at(i as f64 / (n - 1) as f64)).collect()
}

fn groom(count: usize) -> Vec<Strands<f64>> {
    (0..count).map(|k| desc(wave(60, k)).build()).collect()
}

/// Of `n` vertices, some of them too soft for their pose: they need stiffening.
fn uneven_groom(n: usize) -> Vec<Strands<f64>> {
    let soft = |k: usize| desc((0..n).map(|i| vec3(i as f64 / (n - 1) as f64, 0.0, 0.01 * k as f64)).collect());
    (0..7).map(|k| if k % 3 == 1 { soft(k) } else { desc(wave(n, k)) }.build()).collect()
}

/// All of the rest shape's numbers.
fn rest(s: &Strands<f64>) -> Vec<u64> {
    s.rest.iter().flat_map(|r| [r.length, r.kappa[0], r.kappa[1], r.kappa[2], r.kappa[3], r.twist]).map(f64::to_bits).collect()
}

/// A strand of `n` vertices that cannot be solved, or is at the edge of it, by name.
fn odd(what: &str, n: usize) -> Strands<f64> {
    let (third, half) = (n / 3, n / 2);
    let mut d = desc(wave(n, 3));
    match what {
        "two vertices" => d.points.truncate(2),
        "three vertices" => d.points.truncate(3),
        "two free vertices" => {
            d.points.truncate(2);
            d.root = EndSupport::Free;
        }
        "zero-length edge" => d.points[third] = d.points[third - 1],
        "kink" => d.points[third + 1] = d.points[third] - (d.points[third] - d.points[third - 1]) * 0.7,
        "radius 0" => d.material.radius = 0.0,
        "density 0" => d.material.density = 0.0,
        "stiffness 0" => (d.material.stretch, d.material.bend, d.material.twist) = (0.0, 0.0, 0.0),
        "stiffness 1e15" => (d.material.stretch, d.material.bend, d.material.twist) = (1e15, 1e15, 1e15),
        "gravity 0" => d.gravity = DOWN * 0.0,
        "1000 g" => d.gravity = DOWN * 1e3,
        _ => {}
    }
    let mut s = d.build();
    match what {
        "NaN load" => s.section[half].force.y = f64::NAN,
        "infinite moment" => s.section[half].moment = f64::INFINITY,
        "NaN pose" => s.state[half].edge.x = f64::NAN,
        _ => {}
    }
    s
}

/// How bounds are kept.
const MODES: &[BoundMode] = &[
    BoundMode::Exact,
    #[cfg(feature = "paper")]
    BoundMode::Penalty,
    #[cfg(feature = "paper")]
    BoundMode::Clamped,
];

/// The paper's penalty oversteps bounds a little.
fn oversteps(mode: BoundMode) -> bool {
    #[cfg(feature = "paper")]
    return mode == BoundMode::Penalty;
    #[cfg(not(feature = "paper"))]
    return mode != BoundMode::Exact;
}

#[test]
fn a_bad_strand_says_so_and_does_not_touch_the_others() {
    use Status::*;
    let refused = |r| Some(Refused(r));
    let cases = [
        ("NaN load", refused(Refusal::NotFinite)),
        ("infinite moment", refused(Refusal::NotFinite)),
        ("NaN pose", refused(Refusal::NotFinite)),
        ("two vertices", Some(AtTarget)),
        ("two free vertices", Some(Converged)),
        ("three vertices", Some(AtTarget)),
        ("zero-length edge", refused(Refusal::ShortEdge)),
        ("kink", refused(Refusal::Fold)),
        ("radius 0", refused(Refusal::NoMass)),
        ("density 0", refused(Refusal::NoMass)),
        ("stiffness 0", Some(Converged)),
        // f64 does not tell forces of 1e-6 of the weight there.
        ("stiffness 1e15", None),
        ("gravity 0", Some(AtTarget)),
        ("1000 g", Some(AtBounds)),
    ];
    let modes = [BoundMode::None, BoundMode::Exact];
    let all = modes.into_iter().map(|mode| (mode, None)).chain([(BoundMode::Exact, Some(30.0))]);
    for (mode, stiffen) in all {
        let options = Options { mode, stiffen, ..Options::default() };
        // Stiffening takes long.
        let n = if stiffen.is_some() { 16 } else { 60 };
        let good = || if stiffen.is_some() { uneven_groom(n) } else { groom(7) };
        for isa in Isa::ALL.into_iter().filter(|isa| isa.available()) {
            let mut alone = Batch::new(&good(), isa);
            alone.optimize(&Inline, &options);
            alone.certify(&Inline);
            for (what, expected) in cases {
                let mut strands = vec![odd(what, n)];
                strands.extend(good());
                let before = rest(&strands[0]);
                let mut batch = Batch::new(&strands, isa);
                batch.optimize(&Inline, &options);
                batch.certify(&Inline);
                let report = batch.report(0);
                if isa == Isa::Scalar {
                    println!("{mode:?} {stiffen:?} {what}: {report:?}");
                }
                // What only its rest shape keeps from its pose, or from being stable, may be stiffened, or is too soft for that.
                let by_shape = !matches!(expected, Some(AtTarget | Converged | Refused(_)));
                if mode != BoundMode::None && !(stiffen.is_some() && by_shape) {
                    assert!(expected.is_none_or(|e| e == report.status), "{mode:?} {what}: {report:?}");
                }
                match report.status {
                    Refused(_) => {
                        assert_eq!(rest(&batch.strand(0)), before, "{what}");
                        assert!(report.lowest_mode.is_nan() && report.norm.is_nan());
                    }
                    TooSoft => {
                        assert!(batch.multipliers(0).is_none(), "{what}");
                        // Without bounds there is a rest shape: else stiffness is not what it lacks.
                        let mut unbound = Batch::new(&strands[..1], isa);
                        unbound.optimize(&Inline, &Options { mode: BoundMode::None, stiffen: None, ..options });
                        assert_eq!(unbound.report(0).status, AtTarget, "{mode:?} {what}");
                    }
                    _ => assert!(batch.strand(0).rest.iter().all(|r| r.length > 0.0 && r.kappa.iter().all(|k| k.is_finite()))),
                }
                for k in 0..7 {
                    assert_eq!(batch.report(k + 1), alone.report(k), "{what} {k}");
                    assert_eq!(rest(&batch.strand(k + 1)), rest(&alone.strand(k)), "{what} {k}");
                    assert_eq!(batch.multipliers(k + 1), alone.multipliers(k), "{what} {k}");
                    assert_eq!(alone.multipliers(k).is_some(), stiffen.is_some() && k % 3 == 1, "{mode:?} {k}");
                    assert_eq!(batch.report(k + 1).status, AtTarget);
                }
            }
        }
    }
}

#[test]
fn bounds_that_exclude_the_start_or_everything() {
    // Edges must be longer than they are: a strand cannot hold itself by that.
    for &mode in MODES {
        let bounds = Bounds { length: [1.05, 1.1], ..Bounds::default() };
        let mut batch = Batch::new(&groom(3), Isa::best());
        batch.optimize(&Inline, &Options { mode, bounds, ..Options::default() });
        for k in 0..3 {
            let (r, s) = (batch.report(k), batch.strand(k));
            println!("{mode:?} {r:?}");
            assert!(matches!(r.status, Status::AtBounds | Status::IterationLimit) && r.norm.is_finite(), "{r:?}");
            // The penalty counts in metres: stretching is stiffer than it.
            for i in (1..59).filter(|_| !oversteps(mode)) {
                let ratio = s.rest[i].length / s.state[i].edge.length();
                assert!(ratio > 1.05 - 1e-9 && ratio < 1.1 + 1e-9, "{mode:?} {i}: {ratio}");
            }
        }
    }
    // Nothing is allowed.
    let none = Bounds { length: [0.9, 0.8], ..Bounds::default() };
    for options in [
        Options { bounds: none, ..Options::default() },
        Options { regularizer: 0.0, ..Options::default() },
        Options { bounds: Bounds { kappa: -1.0, ..Bounds::default() }, ..Options::default() },
    ] {
        assert!(options.check().is_err());
    }
}

/// A pose whose frames are turned against each other by up to 3 rad, as positions that are written back without them leave it: penalties hold lengths
/// within twice their bound, the other modes within it.
#[test]
fn bounds_hold_lengths_of_turned_frames() {
    for &mode in MODES {
        for turn in [0.5, 2.0, 3.0] {
            let strands: Vec<Strands<f64>> = groom(16)
                .into_iter()
                .enumerate()
                .map(|(k, mut s)| {
                    for i in 2..s.vertices() - 1 {
                        let (f, angle) = (s.state[i].frame(), turn * (1.7 * (i + k) as f64).sin());
                        s.state[i].m1 = f.m1 * angle.cos() + f.m2 * angle.sin();
                    }
                    s.measure_twist();
                    s
                })
                .collect();
            let mut batch = Batch::new(&strands, Isa::Scalar);
            let options = Options { mode, ..Options::default() };
            batch.optimize(&Inline, &options);
            let most = if oversteps(mode) { 2.0 } else { 1.0 } * options.bounds.length[1];
            let mut longest = 0.0f64;
            for (k, strand) in strands.iter().enumerate() {
                for (now, first) in batch.strand(k).rest.iter().zip(&strand.rest) {
                    longest = longest.max(now.length / first.length);
                }
            }
            println!("{mode:?}, {turn} rad: {longest:.2} times, {:?}", batch.report(0).status);
            assert!(longest < most + 1e-6, "{mode:?}, {turn} rad: {longest}");
        }
    }
}
