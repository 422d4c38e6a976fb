//! Rods that keep their volume, of both models, solved directly in a double-precision world, against an elastic solid (`solid`).
//!
//! `n` is the number of edges. Shapes at rest are those after long enough with drag. Vibrations are small, and their steps so short that implicit
//! Euler changes a frequency by less than 4e-5.

use super::solid::{FLESH, GEL, RUBBER, Solid};
use super::{Law, Slope};
use std::f64::consts::PI;
use withy::world::{EndSupport, Id, Inline, Pose, RodModel, Rods, RodsDesc, Stiffness, SweepOrder, World, WorldDesc};

const FINE: &[usize] = &[25, 50, 100];

/// A law of these names for ghost-point rods, and the same for discrete elastic rods.
macro_rules! law {
    ($slope:expr, $run:expr; $($name:expr),+) => {
        Law {
            names: &[$(concat!("volume_", $name)),+, $(concat!("der_volume_", $name)),+],
            edges: FINE,
            slope: $slope,
            run: |n| {
                let run: fn(Setup) -> Vec<[f64; 2]> = $run;
                [RodModel::Ghost, RodModel::Der].into_iter().flat_map(|model| run(Setup { n, model })).collect()
            },
        }
    };
}

macro_rules! uniaxial {
    ($name:literal, $solid:expr, $stretch:expr) => {
        law!(Slope::None, |s| s.uniaxial($solid, $stretch);
            concat!($name, "_scale"), concat!($name, "_force"), concat!($name, "_volume"))
    };
}

/// FLESH with another ratio.
const fn of_ratio(nu: f64) -> Solid {
    Solid { nu, ..FLESH }
}

pub const LAWS: &[Law] = &[
    uniaxial!("flesh_l0.5", FLESH, 0.5),
    uniaxial!("flesh_l0.75", FLESH, 0.75),
    uniaxial!("flesh_l1.1", FLESH, 1.1),
    uniaxial!("flesh_l1.5", FLESH, 1.5),
    uniaxial!("flesh_l2", FLESH, 2.0),
    uniaxial!("flesh_l3", FLESH, 3.0),
    uniaxial!("rubber_l0.6", RUBBER, 0.6),
    uniaxial!("rubber_l1.5", RUBBER, 1.5),
    uniaxial!("rubber_l2.5", RUBBER, 2.5),
    uniaxial!("gel_l0.7", GEL, 0.7),
    uniaxial!("gel_l2", GEL, 2.0),
    uniaxial!("nu0.05_l2", of_ratio(0.05), 2.0),
    uniaxial!("nu0.3_l2", of_ratio(0.3), 2.0),
    uniaxial!("nu0.333_l2", of_ratio(1.0 / 3.0), 2.0),
    uniaxial!("nu0.455_l2", of_ratio(5.0 / 11.0), 2.0),
    uniaxial!("nu0.476_l2", of_ratio(10.0 / 21.0), 2.0),
    uniaxial!("nu0.49_l2", of_ratio(0.49), 2.0),
    uniaxial!("nu0.4975_l2", of_ratio(100.0 / 201.0), 2.0),
    uniaxial!("nu0.499_l2", of_ratio(0.499), 2.0),
    law!(Slope::None, |s| s.tangent(FLESH); "flesh_young", "flesh_poisson"),
    law!(Slope::None, |s| s.tangent(RUBBER); "rubber_young", "rubber_poisson"),
    law!(Slope::None, |s| s.tangent(GEL); "gel_young", "gel_poisson"),
    law!(Slope::None, |s| s.breathing(FLESH); "flesh_breathing"),
    law!(Slope::None, |s| s.breathing(RUBBER); "rubber_breathing"),
    law!(Slope::None, |s| s.breathing(GEL); "gel_breathing"),
    law!(Slope::Each, |s| s.pinch(FLESH); "flesh_pinch", "flesh_pinch_beside"),
    law!(Slope::Each, |s| s.pinch(RUBBER); "rubber_pinch", "rubber_pinch_beside"),
    law!(Slope::Each, |s| s.pinch(of_ratio(0.499)); "nu0.499_pinch", "nu0.499_pinch_beside"),
    law!(Slope::None, |s| s.hanging(FLESH, 0.3); "flesh_hanging_length", "flesh_hanging_scale"),
    law!(Slope::None, |s| s.hanging(GEL, 0.5); "gel_hanging_length", "gel_hanging_scale"),
    law!(Slope::Each, |s| s.bending(FLESH); "flesh_bending"),
    law!(Slope::Each, |s| s.bending(RUBBER); "rubber_bending"),
    law!(Slope::Each, |s| s.bending(GEL); "gel_bending"),
    law!(Slope::None, |s| s.twist(FLESH, 1.0); "flesh_twist"),
    law!(Slope::None, |s| s.twist(RUBBER, 1.0); "rubber_twist"),
    law!(Slope::None, |s| s.twist(GEL, 1.0); "gel_twist"),
    law!(Slope::None, |s| s.twist(FLESH, 1.5); "flesh_twist_l1.5"),
    law!(Slope::None, |s| s.wave(of_ratio(0.3), 0.5); "wave_nu0.3_kr0.5", "wave_nu0.3_kr0.5_exact"),
    law!(Slope::None, |s| s.wave(of_ratio(0.3), 1.0); "wave_nu0.3_kr1", "wave_nu0.3_kr1_exact"),
    law!(Slope::None, |s| s.wave(of_ratio(0.3), 2.0)[..1].to_vec(); "wave_nu0.3_kr2"),
    law!(Slope::None, |s| s.wave(RUBBER, 0.8); "wave_rubber_kr0.8", "wave_rubber_kr0.8_exact"),
    law!(Slope::None, |s| s.wave(GEL, 0.5); "wave_nu0.49_kr0.5", "wave_nu0.49_kr0.5_exact"),
    law!(Slope::None, |s| s.wave(GEL, 1.0); "wave_nu0.49_kr1", "wave_nu0.49_kr1_exact"),
    law!(Slope::None, |s| s.wave(GEL, 2.0)[..1].to_vec(); "wave_nu0.49_kr2"),
];

/// Phase speed over √(E/ρ) of waves of kr radians a radius along a rod of `n` edges, two half waves long.
pub fn wave_speed(n: usize, model: RodModel, solid: Solid, kr: f64) -> f64 {
    Setup { n, model }.wave(solid, kr)[0][1]
}

#[derive(Clone, Copy)]
pub(super) struct Setup {
    pub n: usize,
    pub model: RodModel,
}

/// Rods along x.
pub(super) struct Rod {
    world: World,
    id: Id,
}

impl Rod {
    pub fn rods(&self) -> &Rods {
        self.world.rods(self.id).expect("the rod")
    }
    pub fn rods_mut(&mut self) -> &mut Rods {
        self.world.rods_mut(self.id).expect("the rod")
    }
    pub fn step(&mut self, h: f64, times: usize) {
        for _ in 0..times {
            self.world.step(h, &Inline).expect("a step");
        }
    }
    fn hold_tip(&mut self, x: f64, turn: f64) {
        let (sin, cos) = (0.5 * turn).sin_cos();
        let pose = Pose { position: [x, 0.0, 0.0], rotation: [sin, 0.0, 0.0, cos] };
        self.rods_mut().set_tip_poses(|_| pose, false).expect("a held tip");
    }
    pub fn scales(&self) -> Vec<f64> {
        let mut all = Vec::new();
        self.rods().read_scales(|_, s| all.push(s));
        all
    }
    pub fn tensions(&self) -> Vec<f64> {
        let mut all = Vec::new();
        self.rods().read_forces(|_, t| all.push(t));
        all
    }
    pub fn stretches(&self) -> Vec<f64> {
        let mut all = Vec::new();
        self.rods().read_strain(|_, e| all.push(1.0 + e));
        all
    }
    pub fn volumes(&self) -> Vec<f64> {
        let mut all = Vec::new();
        self.rods().read_volumes(|_, j| all.push(j));
        all
    }
    pub fn positions(&self) -> Vec<[f64; 3]> {
        let mut all = Vec::new();
        self.rods().read_positions(|_, p| all.push(p));
        all
    }
    /// Drawn out to `length` and turned by `turn` in a second, and held for another two.
    pub fn draw(&mut self, from: f64, length: f64, turn: f64) {
        for frame in 1..=180 {
            let part = (f64::from(frame) / 60.0).min(1.0);
            self.hold_tip(from + (length - from) * part, turn * part);
            self.step(1.0 / 60.0, 1);
        }
    }
}

/// Of an edge the one that is farthest from what is expected.
pub(super) fn worst(expected: f64, all: &[f64]) -> [f64; 2] {
    let far = |x: &f64| (x - expected).abs();
    [expected, *all.iter().max_by(|a, b| far(a).total_cmp(&far(b))).expect("an edge")]
}

/// Angular frequency of a vibration: `sample` takes a step of h, until there are four zeros.
fn frequency(h: f64, mut sample: impl FnMut() -> f64) -> f64 {
    let (mut zeros, mut before) = (Vec::new(), sample());
    for step in 1..10_000 {
        let now = sample();
        if before * now < 0.0 {
            zeros.push(h * (f64::from(step) - now / (now - before)));
            if zeros.len() == 4 {
                return 3.0 * PI / (zeros[3] - zeros[0]);
            }
        }
        before = now;
    }
    panic!("no vibration in 10,000 steps")
}

impl Setup {
    /// Along x; `edit` changes what it is made of.
    pub fn rod(
        self,
        solid: Solid,
        length: f64,
        gravity: [f64; 3],
        substeps: u32,
        edit: impl FnOnce(RodsDesc) -> RodsDesc,
    ) -> Rod {
        let positions: Vec<[f64; 3]> = (0..=self.n).map(|i| [length * i as f64 / self.n as f64, 0.0, 0.0]).collect();
        let desc = WorldDesc { gravity, double_precision: true, substeps, ..WorldDesc::default() };
        let mut world = World::new(desc).expect("a world");
        let rods = edit(RodsDesc {
            counts: vec![positions.len() as u32],
            positions,
            radii: vec![solid.radius],
            stiffness: Stiffness::Physical { young: solid.young, shear: solid.shear() },
            poisson_ratio: solid.nu,
            density: solid.density,
            order: SweepOrder::Direct,
            model: self.model,
            max_speed: 1e9,
            // What sleeps is not at rest to the last digit.
            can_sleep: false,
            ..RodsDesc::default()
        });
        let id = world.add_rods(rods).expect("a rod");
        Rod { world, id }
    }

    fn held(self, solid: Solid, length: f64, ends: EndSupport) -> Rod {
        self.rod(solid, length, [0.0; 3], 8, |d| RodsDesc { root: ends, tip: ends, drag: 30.0, ..d })
    }

    /// What is pressed is so short that it does not buckle: its section is twice as wide.
    fn uniaxial(self, solid: Solid, stretch: f64) -> Vec<[f64; 2]> {
        let length = if stretch < 1.0 { 1.0 } else { 20.0 } * solid.radius;
        let mut rod = self.held(solid, length, EndSupport::Pinned);
        rod.draw(length, stretch * length, 0.0);
        let [scale, force] = solid.uniaxial(stretch);
        vec![worst(scale, &rod.scales()), worst(force, &rod.tensions()), worst(scale * scale * stretch, &rod.volumes())]
    }

    /// Young's modulus, Pa, and Poisson's ratio, from 1e-5 longer and 1e-5 shorter.
    fn tangent(self, solid: Solid) -> Vec<[f64; 2]> {
        const STRAIN: f64 = 1e-5;
        let length = solid.radius;
        let [short, long] = [1.0 - STRAIN, 1.0 + STRAIN].map(|stretch| {
            let mut rod = self.held(solid, length, EndSupport::Pinned);
            rod.draw(length, stretch * length, 0.0);
            [rod.tensions()[self.n / 2], rod.scales()[self.n / 2]]
        });
        let slope = |k: usize| (long[k] - short[k]) / (2.0 * STRAIN);
        vec![[solid.young, slope(0) / solid.area()], [solid.nu, -slope(1)]]
    }

    fn breathing(self, solid: Solid) -> Vec<[f64; 2]> {
        let expected = solid.breathing();
        let ends = |d| RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, ..d };
        let mut rod = self.rod(solid, 10.0 * solid.radius, [0.0; 3], 4, ends);
        rod.rods_mut().write_scales(|_| [1.0 + 1e-4, 0.0]).expect("scales");
        let h = 0.04 / expected;
        let got = frequency(h, || {
            rod.step(h, 1);
            rod.scales()[self.n / 2] - 1.0
        });
        vec![[expected, got]]
    }

    /// A fifth of a rod of four radii is pressed, and its ends are free. With a = 2EA/(1−ν), b = gμIp and k² = a/b: the mean of s − 1 where it is
    /// pressed, and on one such length beside that, over it.
    fn pinch(self, solid: Solid) -> Vec<[f64; 2]> {
        let [_, gradient] = solid.wave_factors();
        let a = 2.0 * solid.young * solid.area() / (1.0 - solid.nu);
        let b = gradient * solid.shear() * 2.0 * solid.second_moment();
        let length = 4.0 * solid.radius;
        let (width, k) = (0.2 * length, (a / b).sqrt());
        let kw = k * width;
        let here = 1.0 - (1.0 - (-kw).exp()) / kw;
        let beside = (0.5 * kw).sinh() * ((-0.5 * kw).exp() - (-1.5 * kw).exp()) / kw;
        let mut rod = self.rod(solid, length, [0.0; 3], 8, |d| RodsDesc { drag: 30.0, ..d });
        // s − 1 of −1e-4 if it were pressed everywhere.
        let per_edge = -1e-4 * a * length / self.n as f64 / solid.radius;
        let part = self.n / 5;
        let (from, to) = (2 * part, 3 * part);
        rod.rods_mut().set_radial_forces(|e| if (from..to).contains(&e) { per_edge } else { 0.0 }).expect("forces");
        rod.step(1.0 / 60.0, 240);
        let scales = rod.scales();
        let mean = |range: std::ops::Range<usize>| scales[range].iter().map(|s| s - 1.0).sum::<f64>() / part as f64;
        let got = mean(from..to);
        vec![[here, got / -1e-4], [beside / here, mean(to..to + part) / got]]
    }

    /// Length over that at rest, and the scale a quarter below the root, where each section carries what is below it.
    fn hanging(self, solid: Solid, length: f64) -> Vec<[f64; 2]> {
        let mut rod = self.rod(solid, length, [9.81, 0.0, 0.0], 8, |d| RodsDesc { root: EndSupport::Pinned, drag: 10.0, ..d });
        rod.step(1.0 / 60.0, 600);
        let weight = |x: f64| 9.81 * solid.density * solid.area() * length * (1.0 - x);
        let parts = 1000;
        let middle = |i: usize| (i as f64 + 0.5) / parts as f64;
        let expected = (0..parts).map(|i| solid.stretch_under(weight(middle(i)))).sum::<f64>() / parts as f64;
        let edge = self.n / 4;
        let stretch = solid.stretch_under(weight((edge as f64 + 0.5) / self.n as f64));
        vec![[expected, rod.positions()[self.n][0] / length], [solid.uniaxial(stretch)[0], rod.scales()[edge]]]
    }

    /// The tip of a cantilever of twenty radii that sinks by about 1e-3 of its length: 8 EI δ/wL⁴ = 1. A clamped edge of discrete elastic rods
    /// bends from its middle on, and what is held of it is not of the length.
    fn bending(self, solid: Solid) -> Vec<[f64; 2]> {
        let length = 20.0 * solid.radius;
        let held = if self.model == RodModel::Der { 0.5 } else { 0.0 };
        let drawn = length * self.n as f64 / (self.n as f64 - held);
        let per_mass = solid.young * solid.second_moment() / (solid.density * solid.area());
        let gravity = 8e-3 * per_mass / length.powi(3);
        let omega = 3.516 * per_mass.sqrt() / (length * length);
        let clamp = |d| RodsDesc { root: EndSupport::Clamped, drag: 2.0 * omega, ..d };
        let mut rod = self.rod(solid, drawn, [0.0, -gravity, 0.0], 1, clamp);
        rod.step(0.1 / omega, 600);
        vec![[1.0, -rod.positions()[self.n][1] / (1e-3 * length)]]
    }

    /// GJ over that of the solid: moment over twist in the middle of a rod that is drawn out and turned by 0.1. A stretched one is thinner: s² GJ.
    fn twist(self, solid: Solid, stretch: f64) -> Vec<[f64; 2]> {
        let length = 20.0 * solid.radius;
        let mut rod = self.held(solid, length, EndSupport::Clamped);
        rod.draw(length, stretch * length, 0.1);
        let (mut moments, mut twists, mut strains) = (Vec::new(), Vec::new(), Vec::new());
        rod.rods().read_moments(|_, m| moments.push(m[2]));
        rod.rods().read_twist(|_, t| twists.push(t));
        rod.rods().read_strain(|_, e| strains.push(e));
        let [scale, _] = solid.uniaxial(1.0 + strains[self.n / 2]);
        let stiffness = solid.shear() * 2.0 * solid.second_moment() * scale * scale;
        // A moment for every vertex, a twist for every inner one.
        let (moment, twist) = (moments[self.n / 2], twists[self.n / 2 - 1]);
        vec![[1.0, moment / twist * length / self.n as f64 / stiffness]]
    }

    /// Phase speed over √(E/ρ) of a standing wave of the lowest branch, two half waves long: that of the rod's equations, and that of Pochhammer and
    /// Chree.
    fn wave(self, solid: Solid, kr: f64) -> Vec<[f64; 2]> {
        let k = kr / solid.radius;
        let [omega, shape] = solid.rod_wave(k, solid.wave_factors());
        let (length, bar) = (2.0 * PI / k, solid.bar_speed());
        let edge = length / self.n as f64;
        let sine: Vec<f64> = (0..=self.n).map(|i| (k * edge * i as f64).sin()).collect();
        let velocities = sine.iter().map(|s| [1e-4 * omega * length * s, 0.0, 0.0]).collect();
        let ends = |d| RodsDesc { root: EndSupport::Pinned, tip: EndSupport::Pinned, velocities, ..d };
        let mut rod = self.rod(solid, length, [0.0; 3], 1, ends);
        let rate = |e: usize| 1e-4 * omega * length * shape * (k * edge * (e as f64 + 0.5)).cos();
        rod.rods_mut().write_scales(|e| [1.0, rate(e)]).expect("scales");
        let h = 0.01 / omega;
        let got = frequency(h, || {
            rod.step(h, 1);
            // The projection on the wave leaves others out.
            rod.positions().iter().zip(&sine).enumerate().map(|(i, (p, s))| (p[0] - edge * i as f64) * s).sum()
        });
        vec![[omega / k / bar, got / k / bar], [solid.exact_wave(k) / bar, got / k / bar]]
    }
}
