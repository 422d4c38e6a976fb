//! The volume of a bundle of volume rods that pulls between held ends, that is drawn out, and both; and how such a bundle bends.

use withy::tasks::Inline;
use withy::world::*;

const RODS: usize = 24;
const SECTIONS: usize = 24;
const LENGTH: f64 = 0.2;
const RADIUS: f64 = 0.004;

/// `RODS` rods of `SECTIONS` vertices along x, in rings of 1, 7 and 16; `thick` says how thick they are at 0 to 1 of the length.
fn strands(thick: fn(f64) -> f64) -> (Vec<[f64; 3]>, Vec<f64>) {
    let rings = [(1, 0.0), (7, 2.2), (16, 4.6)];
    let places = rings.into_iter().flat_map(|(n, out)| {
        (0..n).map(move |k| {
            let angle = core::f64::consts::TAU * f64::from(k) / f64::from(n);
            [out * RADIUS * angle.cos(), out * RADIUS * angle.sin()]
        })
    });
    let (mut positions, mut radii) = (Vec::new(), Vec::new());
    for [y, z] in places {
        for v in 0..SECTIONS {
            let t = v as f64 / (SECTIONS - 1) as f64;
            positions.push([LENGTH * t, y * thick(t), z * thick(t)]);
            radii.push(RADIUS * thick(t));
        }
    }
    (positions, radii)
}

/// A belly four times as thick as the ends.
fn spindle(t: f64) -> f64 {
    0.25 + 0.75 * (core::f64::consts::PI * t).sin().powi(2)
}

const SHORT: Muscle = Muscle::RestShape { shortest: 0.7 };

fn hill() -> Muscle {
    Muscle::Hill(Hill { peak: Peak::Stress(3e5), ..Hill::default() })
}

struct Held {
    world: World,
    id: Id,
    lower: Id,
}

/// Between two bones, as the muscle of the C interface is by default.
fn held(muscle: Muscle, bundle_stiffness: f64, thick: fn(f64) -> f64) -> Held {
    let mut world = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() }).unwrap();
    let mut bone = |x: f64| {
        world
            .add_body(&BodyDesc {
                motion: BodyMotion::Kinematic,
                pose: Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY },
                shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius: 0.01 }, mask: 0, ..ShapeDesc::default() }],
                mass: 1.0,
                ..BodyDesc::default()
            })
            .unwrap()
    };
    let (upper, lower) = (bone(0.0), bone(LENGTH));
    let (positions, radii) = strands(thick);
    let desc = RodsDesc {
        positions,
        radii,
        counts: vec![SECTIONS as u32; RODS],
        stiffness: Stiffness::Physical { young: 6e4, shear: 6e4 / 2.998 },
        poisson_ratio: 0.499,
        density: 1060.0,
        damping: 2.0,
        viscosity: 0.01,
        muscle: Some(muscle),
        strands_per_bundle: RODS as u32,
        bundle_stiffness,
        ..RodsDesc::default()
    };
    let id = world.add_muscle(desc, Some(upper), Some(lower), false).unwrap();
    Held { world, id, lower }
}

impl Held {
    /// The far bone goes to `stretch` of the length in a quarter of a second, and the activation to `activation`; both stay for another. The most that the
    /// volume is off.
    fn pull(&mut self, stretch: f64, activation: f64) -> f64 {
        let mut most = 0.0f64;
        for frame in 1..=30 {
            let part = (f64::from(frame) / 15.0).min(1.0);
            let x = LENGTH * (1.0 + (stretch - 1.0) * part);
            self.world.set_body_target(self.lower, Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY }).unwrap();
            self.world.rods_mut(self.id).unwrap().set_activation(|_| activation * part).unwrap();
            self.world.step(1.0 / 60.0, &Inline).unwrap();
            most = most.max((self.volume() - 1.0).abs());
        }
        most
    }
    fn volume(&self) -> f64 {
        let mut volume = 0.0;
        self.world.rods(self.id).unwrap().read_bundle_volumes(|_, v| volume = v);
        volume
    }
    /// Of what the strands enclose: the second moments of the sections times their distances, over that at rest.
    fn enclosed(&self, rest: &[[f64; 3]]) -> f64 {
        let mut now = Vec::new();
        self.world.rods(self.id).unwrap().read_positions(|_, p| now.push(p));
        let volume = |x: &[[f64; 3]]| {
            let section = |v: usize| {
                let all = || x[v..].iter().step_by(SECTIONS);
                let mean = |k: usize| all().map(|p| p[k]).sum::<f64>() / RODS as f64;
                let middle = [0, 1, 2].map(mean);
                let wide: f64 = all().map(|p| (1..3).map(|k| (p[k] - middle[k]).powi(2)).sum::<f64>()).sum();
                (middle[0], wide)
            };
            let all: Vec<(f64, f64)> = (0..SECTIONS).map(section).collect();
            all.windows(2).map(|w| (w[1].0 - w[0].0) * 0.5 * (w[0].1 + w[1].1)).sum::<f64>()
        };
        volume(&now) / volume(rest)
    }
}

/// Drawn out to 1.3 of its length and wholly active, or one of both: the rods keep their volume within 0.25 % all the way, where the bar is 1 %. What they
/// enclose keeps it within 3 %: it is held apart and together by the bones, where sections stay as wide as they are. (When scales of sections were
/// held by their own discs alone, it was off by 17 %.)
#[test]
fn a_bundle_keeps_its_volume() {
    let cases = [
        (SHORT, 1.0, 1.0, 1e4),
        (SHORT, 1.3, 1.0, 1e4),
        (hill(), 1.3, 0.0, 1e4),
        // Fibres of a belly press it together, Hill's here with up to 300 kPa.
        (hill(), 1.0, 1.0, 1e4),
        (hill(), 0.8, 1.0, 1e4),
        (hill(), 1.0, 1.0, 1e5),
    ];
    for (muscle, stretch, activation, stiffness) in cases {
        let mut h = held(muscle, stiffness, spindle);
        let most = h.pull(stretch, activation);
        let enclosed = h.enclosed(&strands(spindle).0);
        println!("{muscle:?} at {stretch}, active {activation}: volume within {:.3} %, enclosed {enclosed:.4}", 100.0 * most);
        assert!(most < 2.5e-3, "{muscle:?} {stretch} {activation}: {most}");
        assert!((enclosed - 1.0).abs() < 0.03, "{muscle:?} {stretch} {activation}: {enclosed}");
    }
}

/// Of volume rods in a bent bundle those inside become wider, those outside thinner, and it is as stiff as the beam that it stands for: 13.75 EAr², not
/// 3.6 times that, which strands of one width would have for ν = 0.45. One of soft springs does not slide like cards, either: its shear is 101 of its
/// springs', and the solid's, in series, and strands slip by a little. (With one of its springs' it sagged 1.9 times as far in 2.5 s, and went on; the sections
/// of a biceps that pulled leaned by 50°.)
#[test]
fn a_bundle_that_keeps_its_volume_bends_as_a_beam() {
    bends_as_a_beam(f64::INFINITY, 0.98..1.02);
    bends_as_a_beam(1e4, 1.0..1.2);
}

fn bends_as_a_beam(bundle_stiffness: f64, over: core::ops::Range<f64>) {
    const R: f64 = 0.005;
    const EDGES: usize = 24;
    let (length, young, nu) = (0.4, 1e6, 0.45);
    let mut world = World::new(WorldDesc { gravity: [0.0, -0.1, 0.0], ..WorldDesc::default() }).unwrap();
    let places = (0..7).map(|k| {
        let (sin, cos) = (core::f64::consts::FRAC_PI_3 * f64::from(k)).sin_cos();
        if k == 0 { [0.0; 2] } else { [2.0 * R * cos, 2.0 * R * sin] }
    });
    let strand = |[y, z]: [f64; 2]| (0..=EDGES).map(move |v| [length * v as f64 / EDGES as f64, y, z]);
    let shear = young / (2.0 * (1.0 + nu));
    let desc = RodsDesc {
        positions: places.flat_map(strand).collect(),
        counts: vec![EDGES as u32 + 1; 7],
        radii: vec![R],
        stiffness: Stiffness::Physical { young, shear },
        poisson_ratio: nu,
        strands_per_bundle: 7,
        bundle_stiffness,
        root: EndSupport::Clamped,
        drag: 8.0,
        can_sleep: false,
        ..RodsDesc::default()
    };
    let id = world.add_rods(desc).unwrap();
    for _ in 0..600 {
        world.step(1.0 / 60.0, &Inline).unwrap();
    }
    let mut x = Vec::new();
    world.rods(id).unwrap().read_positions(|_, p| x.push(p));
    let sag = (0..7).map(|k| x[k * (EDGES + 1)][1] - x[k * (EDGES + 1) + EDGES][1]).sum::<f64>() / 7.0;
    let area = core::f64::consts::PI * R * R;
    let weight = 7.0 * area * 1000.0 * 0.1;
    let springs = 101.0 * bundle_stiffness * R * R / 4.0;
    let leans = 1.0 / (1.0 / (shear * area) + 1.0 / springs);
    let expected = weight * length.powi(4) / (8.0 * 13.75 * young * area * R * R) + weight * length * length / (14.0 * leans);
    println!("{bundle_stiffness}: {sag:e} of {expected:e}");
    assert!(over.contains(&(sag / expected)), "{bundle_stiffness}: {sag} for {expected}");
}
