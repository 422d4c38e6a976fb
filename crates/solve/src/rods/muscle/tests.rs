//! Curves against their table, forces against dual numbers.

use super::*;
use crate::math::Dual;
use crate::math::rng::Rng;
use crate::rods::volume::{edge_volume, shares, volume_strain};

type One = Dual<1>;

#[test]
fn the_curves_are_those_of_de_groote() {
    for (x, f) in [(0.7, 0.684233), (1.0, 1.0), (1.2, 0.793690)] {
        assert!((force_length(x)[0] - f).abs() < 2e-6, "f_L({x}) = {}", force_length(x)[0]);
        assert!((f64::from(force_length(x as f32)[0]) - f).abs() < 3e-6, "f_L({x}) in f32");
    }
    for (v, f) in [(-1.0, 0.0), (-0.5, 0.234036), (0.0, 1.0), (0.5, 1.588423)] {
        assert!((force_velocity(v)[0] - f).abs() < 1e-6, "f_V({v}) = {}", force_velocity(v)[0]);
        assert!((f64::from(force_velocity(v as f32)[0]) - f).abs() < 3e-6, "f_V({v}) in f32");
    }
    for k in 0..=400 {
        let x = 0.01 * f64::from(k);
        let [f, df] = force_length(x);
        assert!((0.0..1.002).contains(&f) && df.abs() < 10.0, "f_L({x}) = {f}, {df}");
        let d: One = force_length(Dual::variable(x, 0))[0];
        assert!((d.grad[0] - df).abs() < 1e-8 || (x - 0.2493).abs() < 0.02, "{x}: {} for {df}", d.grad[0]);
        let v = 0.01 * f64::from(k) - 2.0;
        let d: One = force_velocity(Dual::variable(v, 0))[0];
        assert!((d.grad[0] - force_velocity(v)[1]).abs() < 1e-12, "{v}");
    }
}

#[test]
fn pennate_fibres_pull_as_their_thickness_says() {
    for alpha in [0.0f64, 0.1, 0.4, 1.0] {
        for k in 1..40 {
            let lambda = 0.05 * f64::from(k);
            let (cos, sin) = (alpha.cos(), alpha.sin());
            // From the triangle of a fibre: as thick as at the optimal length.
            let x = (lambda * cos).hypot(sin);
            let now = (1.0 - (sin / x).powi(2)).sqrt();
            let got = hill_rates(lambda, cos, 1.0, fall(lambda, cos));
            assert!((got.gain - force_length(x)[0] * now).abs() < 1e-12, "{alpha} {lambda}");
            let held = fall(lambda, cos);
            let moving: HillRates<One> =
                hill_rates(Dual::variable(lambda, 0), Dual::constant(cos), Dual::constant(1.0), Dual::constant(held));
            assert!(
                (moving.gain.grad[0] - got.slope).abs() < 1e-8,
                "{alpha} {lambda}: {} for {}",
                got.slope,
                moving.gain.grad[0]
            );
            let step = 1e-6;
            let speed = ((lambda + step) * cos).hypot(sin) - ((lambda - step) * cos).hypot(sin);
            assert!((got.speed - speed / (2.0 * step)).abs() < 1e-8, "{alpha} {lambda}");
        }
    }
}

#[test]
fn hills_force_has_the_derivatives_of_its_energy() {
    let mut rng = Rng::new(83);
    let mut inside = 0;
    for _ in 0..4000 {
        let (peak, lambda, cos) = (rng.range(0.1, 1000.0), rng.range(0.4, 1.7), rng.range(0.4, 1.0));
        let travel = [1e-3, 0.02, 0.4][rng.range(0.0, 2.999) as usize];
        let at = hill_rates(lambda, cos, 1.0 / travel, fall(lambda, cos));
        let c = One::constant;
        let lifted = HillRates { gain: c(at.gain), slope: c(at.slope), speed: c(at.speed) };
        let z = rng.range(-2.0, 2.0) * travel;
        let (got, moving) = (hill_force(peak, &at, z), hill_force(c(peak), &lifted, Dual::variable(z, 0)));
        let size = peak * 2.0;
        assert!(
            (moving.energy.grad[0] - got.force).abs() < 1e-8 * size,
            "{at:?} {z}: {} for {}",
            got.force,
            moving.energy.grad[0]
        );
        let slope = moving.force.grad[0];
        let steep = peak * (at.slope.abs() + 3.0 * at.speed);
        assert!((slope.max(0.0) - got.stiffness).abs() < 1e-8 * steep, "{at:?} {z}: {} for {slope}", got.stiffness);
        assert!(got.stiffness >= 0.0 && (-0.8 * peak..2.6 * peak).contains(&got.force), "{at:?} {z}: {got:?}");
        inside += usize::from(got.stiffness > 0.0);
        // Nothing has moved: the isometric force.
        let still = hill_force(peak, &at, 0.0);
        assert!((still.force / (peak * at.gain) - 1.0).abs() < 1e-12 && still.energy.abs() < 1e-12 * peak, "{still:?}");
    }
    assert!(inside > 1000, "{inside}");
}

/// A load that lets go, or takes hold: tangents that follow each other come to the point where the curve carries it, from wherever they begin.
#[test]
fn tangents_come_to_the_load() {
    for travel in [1e-3, 0.02, 0.4] {
        let at = hill_rates(1.0, 1.0, 1.0 / travel, 1.0);
        for from in [-0.99, -0.5, 0.0, 0.5, 1.0, 3.0] {
            for to in [-0.9, -0.3, 0.0, 0.3, 1.0, 3.0] {
                // The force at the end, and a spring beside it that is soft or hard.
                for spring in [0.0, 1.0, 1e4] {
                    let end = to * travel;
                    let load = hill_force(1.0, &at, end).force;
                    let mut point = from * travel;
                    let (mut z, mut steps) = (point, 0);
                    while (z - end).abs() > 1e-6 * travel && steps < 60 {
                        let f = hill_force(1.0, &at, point);
                        // load + spring (end − z) = f + k (z − point)
                        z = (load + spring * end - f.force + f.stiffness * point) / (spring + f.stiffness);
                        point = next_point(1.0, &at, z, f.force + f.stiffness * (z - point));
                        steps += 1;
                    }
                    assert!(steps < 60, "{travel} {from} {to} {spring}: {z} for {end}");
                }
            }
        }
    }
}

#[test]
fn an_active_edge_has_the_rows_of_its_rest_shape() {
    let mut rng = Rng::new(89);
    for k in 0..2000 {
        let [shear, bulk] = shares([0.1, 0.3, 0.45, 0.499][k % 4]);
        let section =
            VolumeSection { stiffness: rng.range(0.1, 100.0), length: rng.range(1e-3, 1.0), shear, swell_shear: shear, bulk };
        let (a, l, s) = (rng.range(0.3, 1.0), rng.range(0.3, 1.6), rng.range(0.5, 1.6));
        let active = ActiveRest::new(a);
        let got = edge_volume(&active.section(&section), &volume_strain(l - 1.0, s - 1.0), &active.rest());
        // A l̄ [μ(ℓ/a − 1)² + 2μ(s√a − 1)² + (λ/2)(s²ℓ − 1)²], as it is written.
        let energy = |l: Dual<2>, s: Dual<2>| {
            let c = Dual::<2>::constant;
            let (p, q, r) = (l / c(a) - c(1.0), s * c(a.sqrt()) - c(1.0), s * s * l - c(1.0));
            c(section.stiffness * section.length * section.length)
                * (c(0.5 * shear) * p * p + c(shear) * q * q + c(0.5 * bulk) * r * r)
        };
        let exact = energy(Dual::variable(l, 0), Dual::variable(s, 1));
        let size = section.stiffness * section.length * (1.0 + bulk) * 10.0;
        assert!((got.energy - exact.value).abs() < 1e-12 * size * section.length);
        assert!((got.tension - exact.grad[0] / section.length).abs() < 1e-11 * size, "{} {}", got.tension, exact.grad[0]);
        assert!((got.swelling - exact.grad[1]).abs() < 1e-11 * size * section.length, "{} {}", got.swelling, exact.grad[1]);
        let free = edge_volume(&active.section(&section), &volume_strain(a - 1.0, 1.0 / a.sqrt() - 1.0), &active.rest());
        assert!(free.tension.abs() < 1e-12 * size && free.swelling.abs() < 1e-12 * size);
    }
}
