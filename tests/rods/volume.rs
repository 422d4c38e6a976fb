//! Rods that keep their volume, against the laws of an elastic solid.

use crate::scene::*;
use withy::math::vec3::vec3;
use withy::tasks::{Inline, Pool, TaskRunner};
use withy::world::*;

/// Young's modulus, Poisson's ratio, density, radius: a muscle, and rubber.
#[derive(Clone, Copy, Debug)]
pub struct Matter {
    pub young: f64,
    pub nu: f64,
    pub density: f64,
    pub radius: f64,
}

pub const FLESH: Matter = Matter { young: 6e4, nu: 0.45, density: 1060.0, radius: 0.01 };
const RUBBER: Matter = Matter { young: 2e6, nu: 0.3, density: 1200.0, radius: 0.004 };

impl Matter {
    pub fn area(&self) -> f64 {
        core::f64::consts::PI * self.radius * self.radius
    }
    pub fn lame(&self) -> [f64; 2] {
        let mu = self.young / (2.0 * (1.0 + self.nu));
        [mu, 2.0 * mu * self.nu / (1.0 - 2.0 * self.nu)]
    }
    /// Rayleigh's (c/c₂)², from its equation, by bisection.
    fn factors(&self) -> [f64; 2] {
        let k = (1.0 - 2.0 * self.nu) / (2.0 * (1.0 - self.nu));
        let f = |r: f64| r * r * r - 8.0 * r * r + (24.0 - 16.0 * k) * r - 16.0 * (1.0 - k);
        let (mut a, mut b) = (0.1, 1.0);
        for _ in 0..100 {
            let m = 0.5 * (a + b);
            if f(m) < 0.0 { a = m } else { b = m }
        }
        let i = 1.0 / (1.0 - a / (2.0 * (1.0 + self.nu)));
        [i, i * a]
    }
    /// Scale and force, N, of a rod of that stretch whose sides are free.
    pub fn uniaxial(&self, l: f64) -> [f64; 2] {
        let [mu, lambda] = self.lame();
        let slope = |s: f64| 4.0 * mu * (s - 1.0) + 2.0 * lambda * s * l * (s * s * l - 1.0);
        let (mut a, mut b) = (0.1, 10.0);
        for _ in 0..200 {
            let m = 0.5 * (a + b);
            if slope(m) < 0.0 { a = m } else { b = m }
        }
        [a, self.area() * (2.0 * mu * (l - 1.0) + lambda * a * a * (a * a * l - 1.0))]
    }
    pub fn rods(&self, positions: Vec<V3>, model: RodModel) -> RodsDesc {
        let shear = self.young / (2.0 * (1.0 + self.nu));
        RodsDesc {
            counts: vec![positions.len() as u32],
            positions,
            radii: vec![self.radius],
            stiffness: Stiffness::Physical { young: self.young, shear },
            poisson_ratio: self.nu,
            density: self.density,
            order: SweepOrder::Direct,
            model,
            // What sleeps is not at rest to the last digit.
            can_sleep: false,
            ..RodsDesc::default()
        }
    }
}

pub fn still(double: bool) -> WorldDesc {
    WorldDesc { gravity: [0.0; 3], double_precision: double, ..WorldDesc::default() }
}

pub fn scales(w: &World, id: Id) -> Vec<f64> {
    let mut all = Vec::new();
    w.rods(id).unwrap().read_scales(|_, s| all.push(s));
    all
}

fn tensions(w: &World, id: Id) -> Vec<f64> {
    let mut all = Vec::new();
    w.rods(id).unwrap().read_forces(|_, t| all.push(t));
    all
}

pub const MODELS: [RodModel; 2] = [RodModel::Ghost, RodModel::Der];

/// A rod between two ends that go apart, at rest.
fn stretched(m: Matter, l: f64, edges: usize, double: bool, model: RodModel, iterations: u32) -> (World, Id) {
    let length = 0.01 * edges as f64;
    let mut w = World::new(still(double)).unwrap();
    let ends = RodsDesc {
        root: EndSupport::Pinned,
        tip: EndSupport::Pinned,
        drag: 30.0,
        iterations,
        ..m.rods(horizontal(edges, length), model)
    };
    let id = w.add_rods(ends).unwrap();
    for frame in 1..=120 {
        let part = (f64::from(frame) / 30.0).min(1.0);
        let position = [length * (1.0 + (l - 1.0) * part), 0.0, 0.0];
        w.rods_mut(id).unwrap().set_tip_poses(|_| Pose { position, ..Pose::IDENTITY }, false).unwrap();
        w.step(1.0 / 60.0, &Inline).unwrap();
    }
    (w, id)
}

#[test]
fn uniaxial_stretching_has_the_scale_and_the_force_of_a_solid() {
    let table = [
        (FLESH, 0.5, 1.333333, -18.0551),
        (FLESH, 0.75, 1.134270, -5.88969),
        (FLESH, 1.1, 0.957706, 1.77865),
        (FLESH, 1.5, 0.828888, 7.72903),
        (FLESH, 2.0, 0.722069, 14.3041),
        (FLESH, 3.0, 0.591909, 27.0461),
        (Matter { nu: 0.3, ..FLESH }, 2.0, 0.773170, 0.836684 * 18.849556),
        (Matter { nu: 0.49, ..FLESH }, 2.0, 0.710047, 0.740228 * 18.849556),
        (Matter { nu: 0.499, ..FLESH }, 2.0, 0.707400, 0.736153 * 18.849556),
    ];
    let rubber = [0.5, 0.9, 1.1, 1.5, 2.5].map(|l| {
        let [s, force] = RUBBER.uniaxial(l);
        (RUBBER, l, s, force)
    });
    let mut worst = [0.0f64; 2];
    for (m, l, s, force) in table.into_iter().chain(rubber) {
        for model in MODELS {
            // What is pressed would buckle.
            for (double, edges) in [(true, if l < 1.0 { 1 } else { 20 }), (false, if l < 1.0 { 1 } else { 20 })] {
                for iterations in [1, 3] {
                    let (w, id) = stretched(m, l, edges, double, model, iterations);
                    let most = if double { 2e-6 } else { 2e-4 };
                    for got in scales(&w, id) {
                        worst[usize::from(double)] = worst[usize::from(double)].max((got / s - 1.0).abs());
                        assert!((got / s - 1.0).abs() < most, "{m:?} {model:?} {double} {l}: {got} for {s}");
                    }
                    for got in tensions(&w, id) {
                        let most = most * m.young * m.area() / force.abs() + 5e-6;
                        assert!((got / force - 1.0).abs() < most, "{m:?} {model:?} {double} {l}: {got} N for {force}");
                    }
                }
            }
        }
    }
    println!("scales are off by at most {:.1e} in f32, {:.1e} in f64", worst[0], worst[1]);
}

#[test]
fn small_stretching_thins_by_poissons_ratio() {
    for m in [FLESH, RUBBER, Matter { nu: 0.49, ..FLESH }, Matter { nu: 0.05, ..RUBBER }] {
        for model in MODELS {
            let (w, id) = stretched(m, 1.0 + 1e-4, 20, true, model, 1);
            let all = scales(&w, id);
            let thinner = (1.0 - all[10]) / 1e-4;
            let young = tensions(&w, id)[10] / (m.area() * 1e-4);
            println!("{model:?} {m:?}: −ds/dℓ {thinner:.6}, E {young:.1}");
            assert!((thinner / m.nu - 1.0).abs() < 1e-3, "{m:?} {model:?}: {thinner}");
            assert!((young / m.young - 1.0).abs() < 1e-3, "{m:?} {model:?}: {young}");
        }
    }
}

/// All sections swell at once, and the length is held: ω² = 8(λ+μ)/(iρr²).
#[test]
fn sections_breathe_at_their_frequency() {
    for (m, known) in [(FLESH, 3281.16), (RUBBER, 0.0), (Matter { nu: 0.49, young: 1e5, ..RUBBER }, 0.0)] {
        let ([mu, lambda], [i, _]) = (m.lame(), m.factors());
        let omega = (8.0 * (lambda + mu) / (i * m.density)).sqrt() / m.radius;
        assert!(known == 0.0 || (omega / known - 1.0).abs() < 1e-5, "{omega}");
        for model in MODELS {
            let h = 0.05 / omega;
            let mut w = World::new(WorldDesc { substeps: 1, ..still(true) }).unwrap();
            let ends = RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, ..m.rods(horizontal(6, 0.06), model) };
            let id = w.add_rods(ends).unwrap();
            w.rods_mut(id).unwrap().write_scales(|_| [1.0 + 1e-4, 0.0]).unwrap();
            let (mut before, mut crossings) = (1e-4, Vec::new());
            for k in 1..1500 {
                w.step(h, &Inline).unwrap();
                let now = scales(&w, id)[3] - 1.0;
                if before * now < 0.0 {
                    crossings.push(h * (f64::from(k) - now / (now - before)));
                }
                before = now;
            }
            let (first, last) = (crossings[0], crossings[crossings.len() - 1]);
            let got = core::f64::consts::PI * (crossings.len() - 1) as f64 / (last - first);
            // Implicit Euler turns by atan(ωh) in a step.
            let exact = (omega * h).atan() / h;
            println!("{model:?} {m:?}: {got:.2} rad/s for {omega:.2}");
            assert!((got / exact - 1.0).abs() < 5e-4, "{m:?} {model:?}: {got} for {exact}");
        }
    }
}

/// Two forces press on one section of a rod that is free to become longer.
#[test]
fn a_pinch_stays_near() {
    for (length, thinner, ratio) in [(0.01, -0.002612, 0.055271), (0.02, -0.001416, 0.015020)] {
        for model in MODELS {
            let mut w = World::new(still(true)).unwrap();
            let id = w.add_rods(RodsDesc { drag: 30.0, ..FLESH.rods(horizontal(15, 15.0 * length), model) }).unwrap();
            w.rods_mut(id).unwrap().set_radial_forces(|i| if i == 7 { -0.2e-3 } else { 0.0 }).unwrap();
            steps(&mut w, 60, 1.0 / 60.0);
            let all = scales(&w, id);
            let (here, beside) = (1e3 * (all[7] - 1.0), 1e3 * (all[8] - 1.0));
            println!("{model:?} {length}: {here:.6}, {:.6}", beside / here);
            assert!((here / thinner - 1.0).abs() < 1e-3, "{model:?} {length}: {here}");
            assert!((beside / here / ratio - 1.0).abs() < 2e-3, "{model:?} {length}: {}", beside / here);
        }
    }
}

/// A rod that hangs is thinnest at its root, as each of its sections is for itself.
#[test]
fn a_hanging_rod_thins_at_its_root() {
    for m in [FLESH, Matter { young: 1e5, ..RUBBER }] {
        for (model, double) in MODELS.into_iter().flat_map(|m| [(m, false), (m, true)]) {
            let n = 30;
            let down: Vec<V3> = (0..=n).map(|i| [0.0, -0.01 * f64::from(i), 0.0]).collect();
            let mut w = World::new(WorldDesc { double_precision: double, ..WorldDesc::default() }).unwrap();
            let id = w.add_rods(RodsDesc { root: EndSupport::Pinned, drag: 10.0, ..m.rods(down, model) }).unwrap();
            steps(&mut w, 300, 1.0 / 60.0);
            let (all, rods) = (scales(&w, id), w.rods(id).unwrap());
            let mut stretch = Vec::new();
            rods.read_strain(|_, e| stretch.push(1.0 + e));
            let edge = m.density * m.area() * 0.01;
            for i in 0..n as usize {
                let weight = 9.81 * edge * (f64::from(n) - i as f64 - 0.5);
                // The stretch whose force is the weight below.
                let (mut a, mut b) = (1.0, 2.0);
                for _ in 0..60 {
                    let l = 0.5 * (a + b);
                    if m.uniaxial(l)[1] < weight { a = l } else { b = l }
                }
                let [s, _] = m.uniaxial(a);
                // Where a rod ends, its sections are held by those beside them only on one side.
                let most = if (1..n as usize - 1).contains(&i) { 1e-4 } else { 1e-3 };
                assert!((all[i] - s).abs() < most, "{m:?} {model:?} {double}: edge {i}: scale {} for {s}", all[i]);
                assert!((stretch[i] - a).abs() < most, "{m:?} {model:?} {double}: edge {i}: {} for {a}", stretch[i]);
            }
            let mut radii = Vec::new();
            rods.read_radii(|_, r| radii.push(r));
            assert!((radii[0] / m.radius - all[0]).abs() < 1e-9);
            assert!((radii[5] / m.radius - 0.5 * (all[4] + all[5])).abs() < 1e-9);
            assert!(all.windows(2).all(|s| s[0] < s[1] + 1e-6), "{model:?}: {all:?}");
        }
    }
}

/// A standing wave along a rod between two ends, of the lowest branch: its phase speed over √(E/ρ), from Mindlin and Herrmann's two equations.
#[test]
fn waves_along_a_rod_have_their_speed() {
    for (nu, kr, ours) in [(0.3, 0.5, 0.994272), (0.3, 1.0, 0.975938), (0.49, 0.5, 0.985485), (0.49, 1.0, 0.947146)] {
        let m = Matter { nu, ..FLESH };
        let (k, waves) = (kr / m.radius, 4);
        let edges = 200;
        let length = core::f64::consts::PI * f64::from(waves) / k;
        let ([mu, lambda], [i, g], a) = (m.lame(), m.factors(), m.area());
        let ip = 0.5 * a * m.radius * m.radius;
        // Stiffness against u = U sin kx and s − 1 = S cos kx, and their masses.
        let (kuu, kus, kss) =
            (a * (2.0 * mu + lambda) * k * k, 2.0 * lambda * a * k, 4.0 * a * (mu + lambda) + g * mu * ip * k * k);
        let (mu_, ms) = (m.density * a, i * m.density * ip);
        let (p, q) = (kuu / mu_ + kss / ms, (kuu * kss - kus * kus) / (mu_ * ms));
        let omega = (0.5 * (p - (p * p - 4.0 * q).sqrt())).sqrt();
        let speed = omega / k / (m.young / m.density).sqrt();
        assert!((speed - ours).abs() < 1e-6, "{nu} {kr}: {speed}");
        let shape = (mu_ * omega * omega - kuu) / kus;
        for model in MODELS {
            let x = horizontal(edges, length);
            let velocities: Vec<V3> = x.iter().map(|x| [1e-4 * (k * x[0]).sin(), 0.0, 0.0]).collect();
            let mut w = World::new(WorldDesc { substeps: 1, ..still(true) }).unwrap();
            let ends = RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, ..m.rods(x.clone(), model) };
            let id = w.add_rods(RodsDesc { velocities, ..ends }).unwrap();
            let middle = |e: usize| (e as f64 + 0.5) * length / edges as f64;
            w.rods_mut(id).unwrap().write_scales(|e| [1.0, 1e-4 * shape * (k * middle(e)).cos()]).unwrap();
            let h = 0.005 / omega;
            let (mut before, mut crossings) = (0.0, Vec::new());
            for step in 1..2000 {
                w.step(h, &Inline).unwrap();
                let now: f64 = positions(w.rods(id).unwrap()).iter().zip(&x).map(|(p, x)| (p.x - x[0]) * (k * x[0]).sin()).sum();
                if before * now < 0.0 {
                    crossings.push(h * (f64::from(step) - now / (now - before)));
                }
                before = now;
            }
            let got =
                core::f64::consts::PI * (crossings.len() - 1) as f64 / (crossings[crossings.len() - 1] - crossings[0]) / omega;
            println!("{model:?} ν {nu}, kr {kr}: c/c₀ {:.6} for {ours}", got * speed);
            assert!(crossings.len() >= 3 && (got - 1.0).abs() < 1e-3, "{nu} {kr} {model:?}: {got}");
        }
    }
}

#[test]
fn what_falls_or_flies_keeps_its_radius_and_its_momentum() {
    for (model, double) in MODELS.into_iter().flat_map(|m| [(m, false), (m, true)]) {
        for m in [FLESH, RUBBER] {
            let mut w = World::new(WorldDesc { double_precision: double, ..WorldDesc::default() }).unwrap();
            let id = w.add_rods(m.rods(curl(30, 1.0), model)).unwrap();
            steps(&mut w, 60, 1.0 / 60.0);
            let off = scales(&w, id).into_iter().fold(0.0f64, |most, s| most.max((s - 1.0).abs()));
            println!("{model:?} {double} {m:?}: falls, s off by {off:.1e}");
            assert!(off < if double { 1e-9 } else { 2e-5 }, "{model:?} {double}: {off}");

            // A rod that swells and wriggles while it flies.
            let mut w = World::new(still(double)).unwrap();
            let x = curl(30, 1.0);
            let velocities =
                (0..x.len()).map(|i| [1.0 + 0.3 * (0.3 * i as f64).sin(), 0.5, 0.2 * (0.2 * i as f64).cos()]).collect();
            let id = w.add_rods(RodsDesc { velocities, ..m.rods(x, model) }).unwrap();
            w.rods_mut(id).unwrap().write_scales(|i| [1.0 + 0.2 * (0.7 * i as f64).sin(), 0.0]).unwrap();
            let linear = |w: &World| {
                let (points, _) = newton_masses(w.rods(id).unwrap());
                points.iter().fold(vec3(0.0, 0.0, 0.0), |sum, p| sum + p.2 * p.0)
            };
            let before = linear(&w);
            steps(&mut w, 60, 1.0 / 60.0);
            let off = (linear(&w) - before).length() / before.length();
            println!("{model:?} {double} {m:?}: flies, momentum off by {off:.1e}");
            assert!(off < if double { 1e-12 } else { 1e-5 }, "{model:?} {double}: {off}");
            assert_eq!(w.stats().non_finite_strands, 0);
        }
    }
}

/// Bent rods of several lengths that swing over a floor.
fn swinging(double: bool, model: RodModel) -> World {
    let mut w = World::new(WorldDesc { double_precision: double, ..WorldDesc::default() }).unwrap();
    let floor = Pose { position: [0.0, -0.3, 0.0], ..Pose::IDENTITY };
    w.add_collider(ColliderDesc { pose: floor, ..ColliderDesc::default() }).unwrap();
    let strands: Vec<Vec<V3>> = (0..37).map(|s| curl(8 + s % 13, s as f64)).collect();
    let counts = strands.iter().map(|s| s.len() as u32).collect();
    let m = Matter { radius: 2e-3, ..FLESH };
    let desc = m.rods(strands.concat(), model);
    w.add_rods(RodsDesc { counts, root: EndSupport::Clamped, viscosity: 1e-3, ..desc }).unwrap();
    w
}

#[test]
fn the_same_bits_on_threads_and_from_a_saved_state() {
    for (model, double) in MODELS.into_iter().flat_map(|m| [(m, false), (m, true)]) {
        let run = |runner: &dyn TaskRunner| {
            let mut w = swinging(double, model);
            (0..20).for_each(|_| w.step(1.0 / 60.0, runner).unwrap());
            let mut bytes = vec![0; w.save_state(&mut []).unwrap()];
            w.save_state(&mut bytes).unwrap();
            (0..20).for_each(|_| w.step(1.0 / 60.0, runner).unwrap());
            assert_eq!(w.stats().non_finite_strands, 0);
            (w.state_hash(), bytes)
        };
        let alone = run(&Inline);
        assert!(run(&Pool::new(3).unwrap()) == alone, "{model:?} {double}");
        let mut again = swinging(double, model);
        again.restore_state(&alone.1).unwrap();
        (0..20).for_each(|_| again.step(1.0 / 60.0, &Inline).unwrap());
        assert_eq!(again.state_hash(), alone.0, "{model:?} {double}");
    }
}

/// Every width of lanes gives the same bits.
#[test]
fn the_same_bits_in_every_width() {
    for model in MODELS {
        let hash = |isa| {
            let mut w = World::new(WorldDesc { isa: Some(isa), ..WorldDesc::default() }).unwrap();
            let strands: Vec<Vec<V3>> = (0..37).map(|s| curl(8 + s % 13, s as f64)).collect();
            let counts = strands.iter().map(|s| s.len() as u32).collect();
            let desc = Matter { radius: 2e-3, ..FLESH }.rods(strands.concat(), model);
            w.add_rods(RodsDesc { counts, root: EndSupport::Clamped, ..desc }).unwrap();
            steps(&mut w, 20, 1.0 / 60.0);
            w.state_hash()
        };
        let all: Vec<u64> = sets().map(hash).collect();
        assert!(all.windows(2).all(|h| h[0] == h[1]), "{model:?}: {all:x?}");
    }
}

#[test]
fn what_cannot_keep_its_volume_is_refused() {
    let refused = |desc: RodsDesc| World::new(still(false)).unwrap().add_rods(desc).unwrap_err().to_string();
    let plain = || FLESH.rods(horizontal(4, 0.1), RodModel::Ghost);
    for nu in [-0.1, 0.5, 0.7, f64::NAN, f64::INFINITY] {
        let why = refused(RodsDesc { poisson_ratio: nu, ..plain() });
        assert!(why.contains("poisson_ratio is"), "{nu}: {why}");
    }
    let alpha = Stiffness::Alpha { bend1: 0.5, bend2: 0.5, twist: 0.5, stretch: 1.0 };
    let why = refused(RodsDesc { order: SweepOrder::Alternating, stiffness: alpha, ..plain() });
    assert!(why.contains("poisson_ratio") && why.contains("α"), "{why}");
    let muscle = Some(Muscle::RestShape { shortest: 0.5 });
    let why = refused(RodsDesc { order: SweepOrder::Alternating, muscle, ..plain() });
    assert!(why.contains("muscle") && why.contains("order is Alternating"), "{why}");
    let why = refused(RodsDesc { aspect: 0.5, ..plain() });
    assert!(why.contains("poisson_ratio") && why.contains("aspect is 0.5"), "{why}");
    // Those that keep their radius have no scales to write.
    let mut w = World::new(still(false)).unwrap();
    let id = w.add_rods(RodsDesc { poisson_ratio: 0.0, ..plain() }).unwrap();
    assert_eq!(scales(&w, id), [1.0; 4]);
    assert!(w.rods_mut(id).unwrap().write_scales(|_| [1.0; 2]).is_err());
}

/// Colliders meet the radius that a section has: a rod that is stretched lies lower.
#[test]
fn a_thinner_rod_lies_lower() {
    for (model, double) in MODELS.into_iter().flat_map(|m| [(m, false), (m, true)]) {
        for l in [1.0, 1.5] {
            let mut w = World::new(WorldDesc { double_precision: double, ..WorldDesc::default() }).unwrap();
            w.add_collider(ColliderDesc { friction: 0.0, ..ColliderDesc::default() }).unwrap();
            let x: Vec<V3> = (0..=20).map(|i| [0.01 * f64::from(i), FLESH.radius, 0.0]).collect();
            let ends = RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, drag: 10.0, ..FLESH.rods(x, model) };
            let id = w.add_rods(ends).unwrap();
            for frame in 1..=180 {
                let part = (f64::from(frame) / 60.0).min(1.0);
                let position = [0.2 * (1.0 + (l - 1.0) * part), FLESH.radius, 0.0];
                w.rods_mut(id).unwrap().set_tip_poses(|_| Pose { position, ..Pose::IDENTITY }, false).unwrap();
                w.step(1.0 / 60.0, &Inline).unwrap();
            }
            let all = scales(&w, id);
            let height = positions(w.rods(id).unwrap())[10].y / FLESH.radius;
            println!("{model:?} {double} {l}: height {height:.5} for {:.5}", all[10]);
            assert!(l == 1.0 || all[10] < 0.84, "{all:?}");
            // A contact leaves what gap it finds, up to a hundredth of an edge.
            let gap = height - all[10];
            assert!((-2e-4..1e-2).contains(&gap), "{model:?} {double} {l}: {height} for {}", all[10]);
        }
    }
}

/// A rod that rests goes to sleep with its scales, and one whose sections breathe does not.
#[test]
fn breathing_rods_stay_awake() {
    let desc = |drag: f64| RodsDesc {
        drag,
        can_sleep: true,
        root: EndSupport::Pinned,
        ..FLESH.rods(horizontal(5, 0.05), RodModel::Ghost)
    };
    let mut w = World::new(WorldDesc { substeps: 50, ..still(true) }).unwrap();
    let id = w.add_rods(desc(0.0)).unwrap();
    steps(&mut w, 60, 1.0 / 60.0);
    assert!(w.rods_sleep(id).unwrap());
    w.rods_mut(id).unwrap().write_scales(|_| [1.2, 0.0]).unwrap();
    steps(&mut w, 2, 1.0 / 60.0);
    assert!(!w.rods_sleep(id).unwrap());
    steps(&mut w, 240, 1.0 / 60.0);
    assert!(w.rods_sleep(id).unwrap());
    let mut rates = Vec::new();
    w.rods(id).unwrap().read_scale_rates(|_, r| rates.push(r));
    assert_eq!(rates, [0.0; 5]);
    assert!(scales(&w, id).iter().all(|s| (s - 1.0).abs() < 1e-3));
}

/// Roots that jump, and a host that squeezes as hard as it likes.
#[test]
fn what_is_thrown_about_comes_to_rest() {
    for (model, double) in MODELS.into_iter().flat_map(|m| [(m, false), (m, true)]) {
        for (m, iterations) in [(FLESH, 1), (FLESH, 3), (Matter { nu: 0.49, ..FLESH }, 1), (RUBBER, 1), (RUBBER, 3)] {
            let mut w = World::new(WorldDesc { double_precision: double, ..WorldDesc::default() }).unwrap();
            let floor = Pose { position: [0.0, -0.6, 0.0], ..Pose::IDENTITY };
            w.add_collider(ColliderDesc { pose: floor, ..ColliderDesc::default() }).unwrap();
            let strands: Vec<Vec<V3>> = (0..8).map(|s| curl(20, f64::from(s))).collect();
            let counts = strands.iter().map(|s| s.len() as u32).collect();
            let rods = Matter { radius: 4e-3, ..m }.rods(strands.concat(), model);
            let id = w.add_rods(RodsDesc { counts, root: EndSupport::Clamped, iterations, drag: 3.0, ..rods }).unwrap();
            for frame in 0..60 {
                let by = if frame % 20 < 10 { 2.0 } else { 0.0 };
                let root =
                    |s: usize| Pose { position: [strands[s][0][0] + by, strands[s][0][1], strands[s][0][2]], ..Pose::IDENTITY };
                w.rods_mut(id).unwrap().set_root_poses(root, false).unwrap();
                let hard = if frame % 7 == 0 { m.young * 1e-4 } else { 0.0 };
                w.rods_mut(id).unwrap().set_radial_forces(|e| if e % 5 == 0 { -hard } else { hard }).unwrap();
                w.step(1.0 / 60.0, &Inline).unwrap();
                assert_eq!(w.stats().non_finite_strands, 0, "{model:?} {double} {m:?} in frame {frame}");
                assert!(scales(&w, id).iter().all(|s| *s > 0.0499), "{model:?} {double} {m:?} in frame {frame}");
            }
            w.rods_mut(id).unwrap().set_radial_forces(|_| 0.0).unwrap();
            steps(&mut w, 400, 1.0 / 60.0);
            let mut fastest = 0.0f64;
            w.rods(id).unwrap().read_velocities(|_, v| fastest = fastest.max(v.iter().map(|c| c * c).sum::<f64>().sqrt()));
            let mut volumes = Vec::new();
            w.rods(id).unwrap().read_volumes(|_, j| volumes.push(j));
            let (least, most) = volumes.iter().fold((9.0f64, 0.0f64), |(a, b), j| (a.min(*j), b.max(*j)));
            println!("{model:?} {double} {m:?} {iterations}: {fastest:.1e} m/s, volume {least:.4} to {most:.4}");
            assert!(fastest < 0.05, "{model:?} {double} {m:?} {iterations}: {fastest} m/s");
            assert!(least > 0.8 && most < 1.2, "{model:?} {double} {m:?} {iterations}: {least} {most}");
        }
    }
}

/// Bodies hang on such rods: one that is heavy, and light ones, which are solved with the strands that hold them.
#[test]
fn a_weight_thins_the_rope_that_holds_it() {
    for (model, double) in MODELS.into_iter().flat_map(|m| [(m, false), (m, true)]) {
        for (mass, strands, clamp) in [(0.3, 1, false), (0.3, 1, true), (0.05, 2, false), (0.05, 2, true)] {
            let mut w = World::new(WorldDesc { double_precision: double, ..WorldDesc::default() }).unwrap();
            let down = crate::tied::line([0.0; 3], [0.0, -0.2, 0.0], 21);
            let desc = FLESH.rods((0..strands).flat_map(|_| down.clone()).collect(), model);
            let counts = vec![21; strands];
            let id = w.add_rods(RodsDesc { counts, root: EndSupport::Clamped, drag: 10.0, ..desc }).unwrap();
            let ball = BodyDesc { linear_damping: 5.0, angular_damping: 5.0, ..crate::tied::ball([0.0, -0.2, 0.0], 0.002, mass) };
            let ball = w.add_body(&ball).unwrap();
            for strand in 0..strands as u32 {
                w.attach_body(id, StrandEnd { strand, tip: true }, ball, clamp).unwrap();
            }
            steps(&mut w, 360, 1.0 / 60.0);
            let weight = 9.81 * (mass / strands as f64 + 0.5 * FLESH.density * FLESH.area() * 0.01);
            let (mut a, mut b) = (1.0, 2.0);
            for _ in 0..60 {
                let l = 0.5 * (a + b);
                if FLESH.uniaxial(l)[1] < weight { a = l } else { b = l }
            }
            let [s, _] = FLESH.uniaxial(a);
            let all = scales(&w, id);
            println!("{model:?} {double} {mass} {strands} {clamp}: {:.6} {:.6} for {s:.6}", all[18], all[19]);
            assert!((all[19] - s).abs() < 1e-3, "{model:?} {double} {mass} {strands} {clamp}: {} for {s}", all[19]);
            assert_eq!(w.stats().non_finite_strands, 0);
        }
    }
}

/// Where nothing stretches a rod, it bends and twists like one that keeps its radius.
#[test]
fn small_bending_is_that_of_other_rods() {
    for model in MODELS {
        let tip = |nu: f64| {
            let m = Matter { young: 5e6, radius: 2e-3, ..RUBBER };
            let mut w =
                World::new(WorldDesc { gravity: [0.0, -0.3, 0.0], double_precision: true, ..WorldDesc::default() }).unwrap();
            let desc = RodsDesc { root: EndSupport::Clamped, drag: 5.0, ..m.rods(horizontal(20, 0.2), model) };
            let id = w.add_rods(RodsDesc { poisson_ratio: nu, ..desc }).unwrap();
            w.rods_mut(id).unwrap().set_moments(|e| if e == 19 { 1e-5 } else { 0.0 }).unwrap();
            steps(&mut w, 600, 1.0 / 60.0);
            let mut twist = 0.0;
            w.rods(id).unwrap().read_twist(|_, t| twist += t);
            (positions(w.rods(id).unwrap())[20].y, twist)
        };
        let (with, without) = (tip(0.3), tip(0.0));
        println!("{model:?}: {with:?} {without:?}");
        assert!(without.0 < -1e-3 && (with.0 / without.0 - 1.0).abs() < 1e-3, "{model:?}: {} for {}", with.0, without.0);
        assert!(without.1.abs() > 1e-3 && (with.1 / without.1 - 1.0).abs() < 1e-3, "{model:?}: {} for {}", with.1, without.1);
    }
}

/// Ropes that fall on each other. What contact presses is answered with the scales.
#[test]
fn a_heap_of_ropes_keeps_its_volume() {
    for model in MODELS {
        let make = || {
            let mut w = World::new(WorldDesc::default()).unwrap();
            w.add_collider(ColliderDesc::default()).unwrap();
            let strands: Vec<Vec<V3>> = (0..12)
                .map(|s| {
                    let (sin, cos) = (f64::from(s) * 0.9).sin_cos();
                    (0..=12).map(|i| 0.02 * f64::from(i - 6)).map(|t| [t * cos, 0.02 + 0.012 * f64::from(s), t * sin]).collect()
                })
                .collect();
            let counts = vec![13; 12];
            let desc = Matter { radius: 5e-3, ..FLESH }.rods(strands.concat(), model);
            let id = w.add_rods(RodsDesc { counts, self_contact: true, drag: 1.0, ..desc }).unwrap();
            (w, id)
        };
        let ((mut one, id), (mut many, _), pool) = (make(), make(), Pool::new(3).unwrap());
        for frame in 0..240 {
            one.step(1.0 / 60.0, &Inline).unwrap();
            many.step(1.0 / 60.0, &pool).unwrap();
            assert_eq!(one.state_hash(), many.state_hash(), "{model:?} in frame {frame}");
            assert_eq!(one.stats().non_finite_strands, 0, "{model:?} in frame {frame}");
        }
        let (mut fastest, mut off) = (0.0f64, 0.0f64);
        one.rods(id).unwrap().read_velocities(|_, v| fastest = fastest.max(v.iter().map(|c| c * c).sum::<f64>().sqrt()));
        one.rods(id).unwrap().read_volumes(|_, j| off = off.max((j - 1.0).abs()));
        println!("{model:?}: {fastest:.1e} m/s, volume off by {off:.1e}");
        assert!(fastest < 0.1 && off < 0.02, "{model:?}: {fastest} {off}");
    }
}

/// An edge that is cut has nothing that holds its section, and keeps it.
#[test]
fn what_is_cut_keeps_its_scale() {
    for (model, double) in MODELS.into_iter().flat_map(|m| [(m, false), (m, true)]) {
        let mut w = World::new(WorldDesc { double_precision: double, ..WorldDesc::default() }).unwrap();
        let down: Vec<V3> = (0..=20).map(|i| [0.0, -0.01 * f64::from(i), 0.0]).collect();
        let id = w.add_rods(RodsDesc { root: EndSupport::Clamped, drag: 10.0, ..FLESH.rods(down, model) }).unwrap();
        steps(&mut w, 120, 1.0 / 60.0);
        let before = scales(&w, id);
        w.rods_mut(id).unwrap().set_cut(10, true).unwrap();
        steps(&mut w, 120, 1.0 / 60.0);
        let after = scales(&w, id);
        assert!((after[10] - before[10]).abs() < 1e-6, "{model:?} {double}: {} {}", before[10], after[10]);
        // The part above carries less, and the part below nothing.
        assert!(after[2] > before[2] + 1e-3 && (after[15] - 1.0).abs() < 1e-3, "{model:?} {double}: {before:?} {after:?}");
        assert_eq!(w.stats().non_finite_strands, 0);
    }
}

/// Stiff and thin: sections follow at once, and f32 sees next to nothing of their inertia. It swings and comes to rest as other hair does.
#[test]
fn hair_swings_as_without() {
    for (model, double) in MODELS.into_iter().flat_map(|m| [(m, false), (m, true)]) {
        let run = |nu: f64| {
            let hair = Matter { young: 4e9, nu: 0.3, density: 1300.0, radius: 1e-4 };
            let mut w = World::new(WorldDesc { double_precision: double, ..WorldDesc::default() }).unwrap();
            let points: Vec<V3> =
                (0..50).map(|i| 4e-3 * f64::from(i)).map(|t| [0.7 * t, -0.7 * t, 0.01 * (60.0 * t).sin()]).collect();
            let desc = RodsDesc { root: EndSupport::Clamped, drag: 1.0, poisson_ratio: nu, ..hair.rods(points, model) };
            let id = w.add_rods(desc).unwrap();
            let middle = |w: &World| positions(w.rods(id).unwrap()).iter().fold(vec3(0.0, 0.0, 0.0), |sum, p| sum + *p * 0.02);
            let mut way = Vec::new();
            for _ in 0..60 {
                steps(&mut w, 1, 1.0 / 60.0);
                way.push(middle(&w));
            }
            steps(&mut w, 1200, 1.0 / 60.0);
            let mut fastest = 0.0f64;
            w.rods(id).unwrap().read_velocities(|_, v| fastest = fastest.max(v.iter().map(|c| c * c).sum::<f64>().sqrt()));
            (way, middle(&w), fastest, scales(&w, id))
        };
        let (with, without) = (run(0.45), run(0.0));
        let apart = with.0.iter().zip(&without.0).fold(0.0f64, |most, (a, b)| most.max((*a - *b).length()));
        let off = with.3.iter().fold(0.0f64, |most, s| most.max((s - 1.0).abs()));
        println!(
            "{model:?} {double}: apart by {apart:.1e} m on the way, {:.1e} m in the end, {:.1e} m/s for {:.1e}, s off by {off:.1e}",
            (with.1 - without.1).length(),
            with.2,
            without.2
        );
        assert!(apart < 4e-3 && (with.1 - without.1).length() < 1e-3, "{model:?} {double}: {apart}");
        assert!(with.2 < 5e-3 + 2.0 * without.2, "{model:?} {double}: {} m/s for {}", with.2, without.2);
        assert!(off < 1e-3, "{model:?} {double}: {off}");
    }
}

/// One implicit step of a rod that is held at twice its length at once: Newton's method finds its end in six iterations.
#[test]
fn a_step_converges() {
    let step = |iterations: u32| {
        let mut w = World::new(WorldDesc { substeps: 1, ..still(true) }).unwrap();
        let ends = RodsDesc {
            root: EndSupport::Pinned,
            tip: EndSupport::Pinned,
            iterations,
            ..FLESH.rods(horizontal(30, 0.3), RodModel::Der)
        };
        let id = w.add_rods(ends).unwrap();
        let there = Pose { position: [0.6, 0.0, 0.0], ..Pose::IDENTITY };
        w.rods_mut(id).unwrap().set_tip_poses(|_| there, true).unwrap();
        w.step(1.0 / 60.0, &Inline).unwrap();
        let x: Vec<f64> = positions(w.rods(id).unwrap()).iter().map(|p| p.x / 0.01).collect();
        [x, scales(&w, id)].concat()
    };
    let end = step(60);
    let apart = |a: &[f64]| a.iter().zip(&end).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
    let start: Vec<f64> = (0..=30).map(|i| if i == 30 { 60.0 } else { f64::from(i) }).chain([1.0; 30]).collect();
    let left: Vec<f64> = [2, 4, 6, 8, 10].map(|k| apart(&step(k)) / apart(&start)).to_vec();
    println!("{left:?}");
    assert!(left[2] < 1e-2 && left[4] < 1e-6, "{left:?}");
}
