//! Scenes and measures that the tests of ghost rods share.
#![allow(dead_code)]

use withy::backend::cpu::Isa;
use withy::math::Vec3;
use withy::math::approx::sin_cos;
use withy::rods::ghost::kernels::Sym3;
use withy::world::*;

pub type V3 = [f64; 3];

/// Every instruction set that this processor can run.
pub fn sets() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.available())
}

/// A helix along a parabola: bent and twisted everywhere, in no plane. Our own sine: libm's differs between systems.
pub fn curl(n: usize, seed: f64) -> Vec<V3> {
    (0..=n)
        .map(|i| {
            let s = i as f64 / n as f64;
            let (sin, cos) = sin_cos(7.0 * s + seed);
            [0.05 * cos + 0.1 * s * s, -0.4 * s, 0.05 * sin - 0.07 * s * sin_cos(seed).0]
        })
        .collect()
}

pub struct Momentum {
    pub mass: f64,
    pub center: Vec3<f64>,
    pub linear: Vec3<f64>,
    /// About the centre of mass.
    pub angular: Vec3<f64>,
    pub kinetic: f64,
    /// The part of it that a rigid motion with the same momenta does not have.
    pub inner: f64,
}

/// Of vertices and ghost points together.
pub fn momentum(rods: &Rods) -> Momentum {
    let (mut x, mut v, mut m) = (Vec::<Vec3<f64>>::new(), Vec::<Vec3<f64>>::new(), Vec::new());
    rods.read_positions(|_, p| x.push(p.into()));
    rods.read_ghosts(|_, p| x.push(p.into()));
    rods.read_velocities(|_, p| v.push(p.into()));
    rods.read_ghost_velocities(|_, p| v.push(p.into()));
    let mut ghosts = Vec::new();
    rods.read_masses(|_, k| m.push(k), |_, k| ghosts.push(k));
    m.extend(ghosts);
    let mass: f64 = m.iter().sum();
    let sum = |f: &dyn Fn(usize) -> Vec3<f64>| (0..m.len()).fold(Vec3::zero(), |a, i| a + f(i));
    let center = sum(&|i| x[i] * m[i]) * (1.0 / mass);
    let linear = sum(&|i| v[i] * m[i]);
    let angular = sum(&|i| (x[i] - center).cross(v[i]) * m[i]);
    let inertia = (0..m.len()).fold(Sym3::diagonal(Vec3::zero()), |a, i| {
        let r = x[i] - center;
        a.add_outer(r, -m[i]).add_diagonal(r.length2() * m[i])
    });
    let kinetic = (0..m.len()).map(|i| 0.5 * m[i] * v[i].length2()).sum();
    let rigid = 0.5 * linear.length2() / mass + 0.5 * angular.dot(inertia.solve(angular));
    Momentum { mass, center, linear, angular, kinetic, inner: kinetic - rigid }
}

pub fn positions(rods: &Rods) -> Vec<Vec3<f64>> {
    let mut x = Vec::new();
    rods.read_positions(|_, p| x.push(p.into()));
    x
}

pub fn steps(world: &mut World, count: usize, dt: f64) {
    for _ in 0..count {
        world.step(dt, &Inline).expect("a step");
    }
}
