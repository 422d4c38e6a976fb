//! A bent strand: the pose at which derivatives are tested.

use super::batch::Material;
use crate::math::rng::Rng;
use crate::math::vec3::vec3;
use crate::rods::der::kernels::*;
use crate::rods::der::strand::Strands;

/// A bent, twisted and stretched strand of `n` vertices with edges of about `length`, m, far from its rest, under gravity.
pub fn bent(rng: &mut Rng, n: usize, measure: Measure, length: f64, material: &Material) -> Strands<f64> {
    let mut s = Strands::<f64>::new(n);
    s.measure = measure;
    for node in &mut s.state {
        let mut v = |size: f64| vec3(rng.range(-size, size), rng.range(-size, size), rng.range(-size, size));
        node.edge = (vec3(1.0, 0.0, 0.0) + v(0.5)) * length;
        node.m1 = direction(direction(node.edge).1.cross(vec3(0.0, 1.0, 0.5) + v(0.3))).1;
    }
    material.fill(&mut s, vec3(0.0, -9.81, 0.0));
    s.measure_twist();
    s.rest_from_state();
    for r in &mut s.rest {
        r.length *= rng.range(0.8, 1.1);
        r.kappa = r.kappa.map(|k| k + rng.range(-0.5, 0.5));
        r.twist += rng.range(-0.3, 0.3);
    }
    s
}
