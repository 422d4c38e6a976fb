//! The volume of a bundle that pulls between held ends, that is drawn out, and both: within 1 %.

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

fn straight(_: f64) -> f64 {
    1.0
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
fn held(muscle: Muscle, thick: fn(f64) -> f64, double_precision: bool) -> Held {
    let mut world = World::new(WorldDesc { gravity: [0.0; 3], double_precision, ..WorldDesc::default() }).unwrap();
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
        bundle_stiffness: 1e4,
        ..RodsDesc::default()
    };
    let id = world.add_muscle(desc, Some(upper), Some(lower), false).unwrap();
    Held { world, id, lower }
}

impl Held {
    /// The far bone goes to `stretch` of the length in half a second, and the activation to `activation`; both stay for another.
    fn pull(&mut self, stretch: f64, activation: f64) -> f64 {
        let mut most = 0.0f64;
        for frame in 1..=60 {
            let part = (f64::from(frame) / 30.0).min(1.0);
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
    fn say(&self, what: &str, most: f64, rest: &[[f64; 3]]) {
        let rods = self.world.rods(self.id).unwrap();
        let (mut volumes, mut lengths, mut sections) = (Vec::new(), Vec::new(), Vec::new());
        rods.read_volumes(|_, j| volumes.push(j));
        rods.read_strain(|_, e| lengths.push(1.0 + e));
        rods.read_sections(|_, _, s| sections.push(s));
        let range = |all: &[f64]| {
            let least = all.iter().copied().fold(f64::INFINITY, f64::min);
            let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            format!("{least:.3} to {most:.3}")
        };
        let state = rods.muscle_state();
        println!(
            "{what}: volume {:.5}, enclosed {:.4}, most {:.4} %, edges {}, stretches {}, sections {}, force {:.2} N, of it active {:.2}",
            self.volume(),
            self.enclosed(rest),
            100.0 * most,
            range(&volumes),
            range(&lengths),
            range(&sections),
            state.force,
            state.active_force
        );
    }
}

#[test]
fn measure_volume_of_bundles() {
    let clock = std::time::Instant::now();
    for (muscle, mode) in [(SHORT, "rest shape"), (hill(), "Hill")] {
        for (thick, shape) in [(straight as fn(f64) -> f64, "straight"), (spindle, "spindle")] {
            for double in [false] {
                for (stretch, activation) in [(1.0, 1.0), (1.3, 0.0), (1.3, 1.0), (0.8, 1.0)] {
                    let mut h = held(muscle, thick, double);
                    let most = h.pull(stretch, activation);
                    h.say(&format!("{mode} {shape} f64 {double} at {stretch}, activation {activation}"), most, &strands(thick).0);
                }
            }
        }
    }
    println!("{:?}", clock.elapsed());
}
