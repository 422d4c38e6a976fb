//! Gradients and Hessians against dual numbers.

use super::*;
use crate::math::rng::Rng;
use crate::math::vec3::vec3;
use crate::math::{Dual, Vec3};
use crate::rods::der::kernels::{Frame, Relative, direction};

#[test]
fn wave_factors_are_those_of_mindlin_and_herrmann() {
    for (nu, i, g) in [(0.3, 1.494334, 1.285268), (0.45, 1.450380, 1.306103), (0.49, 1.439793, 1.310583)] {
        let (a, b) = wave_factors(nu);
        assert!((a - i).abs() < 1e-6 && (b - g).abs() < 1e-6, "{nu}: {a} {b}");
    }
}

#[test]
fn shares_are_those_of_an_isotropic_solid() {
    for nu in [1e-9, 0.1, 0.3, 0.45, 0.4999] {
        let [two_mu, lambda] = shares(nu);
        let mu = 0.5 * two_mu;
        assert!((mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu) - 1.0).abs() < 1e-10, "E at {nu}");
        assert!((lambda / (2.0 * (lambda + mu)) - nu).abs() < 1e-12, "{nu}");
    }
}

type Two = Dual<2>;

fn lift(section: &VolumeSection<f64>) -> VolumeSection<Two> {
    let c = Two::constant;
    VolumeSection {
        stiffness: c(section.stiffness),
        length: c(section.length),
        shear: c(section.shear),
        swell_shear: c(section.swell_shear),
        bulk: c(section.bulk),
    }
}

#[test]
fn an_edge_has_the_derivatives_of_its_energy() {
    let mut rng = Rng::new(71);
    for k in 0..2000 {
        let nu = [0.05, 0.3, 0.45, 0.49, 0.4999][k % 5];
        let [shear, bulk] = shares(nu);
        let section =
            VolumeSection { stiffness: rng.range(0.1, 100.0), length: rng.range(1e-3, 1.0), shear, swell_shear: shear, bulk };
        let (stretch, swell) = (rng.range(-0.8, 2.0), rng.range(-0.8, 1.0));
        let size = if k % 2 == 0 { 0.0 } else { 0.2 };
        let rest =
            VolumeStrain { stretch: rng.range(-size, size), swell: rng.range(-size, size), volume: rng.range(-size, size) };
        let to = VolumeStrain { stretch: rest.stretch, swell: rest.swell, volume: rest.volume };
        let got = edge_volume(&section, &volume_strain(stretch, swell), &to);
        let c = Two::constant;
        let rest = VolumeStrain { stretch: c(rest.stretch), swell: c(rest.swell), volume: c(rest.volume) };
        // By the length, not by ℓ.
        let (l, s) = (Two::variable(section.length * (1.0 + stretch), 0), Two::variable(swell, 1));
        let now = volume_strain(l / c(section.length) - c(1.0), s);
        let all = edge_volume(&lift(&section), &now, &rest);
        let close = |what: &str, got: f64, exact: f64, size: f64| {
            assert!((got - exact).abs() <= 1e-10 * size, "{what}: {got} for {exact} of {size}, {section:?} {stretch} {swell}");
        };
        let scale = section.stiffness * section.length * (1.0 + bulk);
        close("energy", got.energy, all.energy.value, scale * section.length);
        close("tension", got.tension, all.energy.grad[0], scale);
        close("swelling", got.swelling, all.energy.grad[1], scale * section.length);
        close("stretch2", got.stretch2, all.tension.grad[0], scale / section.length);
        close("mixed", got.mixed, all.tension.grad[1], scale);
        close("mixed", got.mixed, all.swelling.grad[0], scale);
        close("swell2", got.swell2, all.swelling.grad[1], scale * section.length);

        let determinant = |[m, s]: [f64; 2]| got.stretch2 * s - m * m;
        let safe = determinant([got.safe_mixed, got.safe_swell2]);
        assert!(safe > 0.0 && got.safe_swell2 > 0.0, "{section:?} {stretch} {swell}");
        let taken = got.hessian(0.0);
        assert!(determinant(taken) > 0.2 * safe, "{section:?} {stretch} {swell}");
        assert_eq!(got.hessian(1.0), [got.mixed, got.swell2]);
        let at_rest = edge_volume(&section, &volume_strain(0.0, 0.0), &volume_strain(0.0, 0.0));
        assert_eq!(at_rest.hessian(0.0), [at_rest.mixed, at_rest.swell2]);
    }
}

fn volume(l: f64, s: f64, section: &VolumeSection<f64>) -> EdgeVolume<f64> {
    edge_volume(section, &volume_strain(l - 1.0, s - 1.0), &volume_strain(0.0, 0.0))
}

/// The scale that an edge has when nothing but its length is held, by Newton's method.
fn free_scale(l: f64, section: &VolumeSection<f64>) -> f64 {
    let mut s = 1.0;
    for _ in 0..50 {
        let v = volume(l, s, section);
        s -= v.swelling / v.hessian(0.0)[1];
    }
    s
}

#[test]
fn an_edge_has_the_law_of_uniaxial_stretching() {
    // E = 60 kPa, ν = 0.45, r = 1 cm: EA = 18.8496 N.
    let section = |nu: f64| {
        let [shear, bulk] = shares(nu);
        VolumeSection { stiffness: 18.849556 / 0.01, length: 0.01, shear, swell_shear: shear, bulk }
    };
    let table = [
        (0.5, 1.333333, -0.111111, -18.0551),
        (0.75, 1.134270, -0.035074, -5.88969),
        (1.1, 0.957706, 0.008922, 1.77865),
        (1.5, 0.828888, 0.030583, 7.72903),
        (2.0, 0.722069, 0.042768, 14.3041),
        (3.0, 0.591909, 0.051070, 27.0461),
    ];
    for (l, s, j, force) in table {
        let got = free_scale(l, &section(0.45));
        assert!((got - s).abs() < 1e-6, "{l}: {got} for {s}");
        assert!((got * got * l - 1.0 - j).abs() < 1e-6, "{l}: J");
        let pull = volume(l, got, &section(0.45)).tension;
        assert!((pull - force).abs() < 1e-5 * force.abs(), "{l}: {pull} for {force}");
    }
    for (nu, s, p) in [(0.3, 0.773170, 0.836684), (0.49, 0.710047, 0.740228), (0.499, 0.707400, 0.736153)] {
        let got = free_scale(2.0, &section(nu));
        let pull = volume(2.0, got, &section(nu)).tension / 18.849556;
        assert!((got - s).abs() < 1e-6 && (pull - p).abs() < 1e-6, "{nu}: {got} {pull}");
    }
}

/// The frame of an edge, about its axis by some angle.
fn frame(rng: &mut Rng) -> Frame<f64> {
    let v = |rng: &mut Rng| vec3(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
    let t = direction(v(rng)).1;
    let a = v(rng);
    let m1 = direction(a - t * t.dot(a)).1;
    Frame { m1, m2: t.cross(m1), t }
}

/// Q exp φ̂ to the second order, which is what second derivatives see.
fn turned(q: &Relative<f64>, z: [Dual<4>; 3]) -> Relative<Dual<4>> {
    let c = Dual::<4>::constant;
    let z = vec3(z[0], z[1], z[2]);
    let row = |r: Vec3<f64>| {
        let r = r.map(c);
        // r exp φ̂ = r + r×φ + ½ (r×φ)×φ.
        let once = r.cross(z);
        r + once + once.cross(z) * c(0.5)
    };
    Relative { rows: q.rows.map(row) }
}

/// ½ Σ K (s (y − shift) + s shift' − ȳ)²: what an element at the scale s is to be, from its strains.
fn plain<T: Real>(now: &Strains<T>, rest: &ElementRest<T>, shift: &Strains<T>, s: T) -> T {
    let stiffness = [rest.bend[0], rest.bend[1], rest.bend[2], rest.bend[3], rest.turn];
    let rests = [rest.kappa[0], rest.kappa[1], rest.kappa[2], rest.kappa[3], rest.twist];
    (0..5).fold(T::zero(), |sum, j| {
        let d = s * (now[j] - shift[j]) - rests[j];
        sum + T::constant(0.5) * stiffness[j] * d * d
    })
}

#[test]
fn an_element_has_the_derivatives_of_its_energy_by_scale() {
    let mut rng = Rng::new(73);
    let mut checked = 0;
    for _ in 0..500 {
        let q = Relative::new(&frame(&mut rng), &frame(&mut rng));
        let trace = q.rows[0].x + q.rows[1].y + q.rows[2].z;
        if trace < 0.0 || q.rows[2].z < -0.5 {
            continue;
        }
        checked += 1;
        let mut five = |size: f64| core::array::from_fn::<f64, 5, _>(|_| rng.range(-size, size));
        let (stiff, rests, shift) = (five(1.0).map(|x| x + 1.5), five(0.5), five(0.3));
        let s = 0.2 + 2.0 * five(1.0)[0].abs();
        let rest = ElementRest {
            bend: [stiff[0], stiff[1], stiff[2], stiff[3]],
            turn: stiff[4],
            kappa: [rests[0], rests[1], rests[2], rests[3]],
            twist: rests[4],
        };
        let strains_of = |z: [Dual<4>; 3]| {
            let q = turned(&q, z);
            let [a, b, c, d] = q.curvature();
            let (sin, cos) = q.twist();
            [a, b, c, d, crate::math::approx::angle(sin, cos)]
        };
        let zero = Dual::<4>::constant(0.0);
        let values = strains_of([zero; 3]).map(|y| y.value);
        let g = q.gradients([values[0], values[1], values[2], values[3]]);
        let gradients = [g.kappa[0], g.kappa[1], g.kappa[2], g.kappa[3], g.twist];
        // What hangs on something that has turned is at rest farther away.
        let mut scaled = rescaled(&rest, s);
        (0..4).for_each(|j| scaled.kappa[j] += shift[j]);
        scaled.twist += shift[4];
        let got = scaling(&gradients, &values, &scaled, &shift, s, 4);

        let z = core::array::from_fn::<Dual<4>, 4, _>(|k| Dual::variable(if k == 3 { s } else { 0.0 }, k));
        let c = Dual::<4>::constant;
        let lifted = ElementRest { bend: rest.bend.map(c), turn: c(rest.turn), kappa: rest.kappa.map(c), twist: c(rest.twist) };
        let energy = plain(&strains_of([z[0], z[1], z[2]]), &lifted, &shift.map(c), z[3]);
        let size = 1.0 + energy.value;
        assert!((got.force - energy.grad[3]).abs() < 1e-10 * size, "{} for {}", got.force, energy.grad[3]);
        // ∂E/∂s as a function of φ and s, differentiated.
        let moved = strains_of([z[0], z[1], z[2]]);
        let along: Dual<4> = (0..5).fold(c(0.0), |sum, j| {
            let y = moved[j] - c(shift[j]);
            sum + c(stiff[j]) * (z[3] * y - c(rests[j])) * y
        });
        assert!((got.second - along.grad[3]).abs() < 1e-10 * size);
        for (a, k) in [(got.cross.x, 0), (got.cross.y, 1), (got.cross.z, 2)] {
            assert!((a - along.grad[k]).abs() < 1e-9 * size, "{k}: {a} for {}", along.grad[k]);
        }
        // The rescaled element has the same energy, and the same moment.
        let again = plain(&values, &scaled, &[0.0; 5], 1.0);
        assert!((again - energy.value).abs() < 1e-11 * size);
        // Gauss and Newton's part is Σ K s y ∇y.
        let safe = (0..5).fold(Vec3::zero(), |sum: Vec3<f64>, j| sum + gradients[j] * (stiff[j] * s * (values[j] - shift[j])));
        assert!((safe - got.safe_cross).length() < 1e-10 * size);
    }
    assert!(checked > 100);
}
