//! What an isotropic elastic solid says about a round rod whose sections may change their size: uniaxial stretching, waves along
//! it, and the two rod theories beside them. The laws of `volume` and the scenes compare with this.
//!
//! Sources: L. Pochhammer, J. reine angew. Math. 81, 1876, and C. Chree, 1889, for the exact waves; R. D. Mindlin and G. Herrmann,
//! "A one-dimensional theory of compressional waves in an elastic rod", 1951, for the theory with two factors.

use std::f64::consts::PI;

/// E, Pa; Poisson's ratio; density, kg/m³; radius, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    pub young: f64,
    pub nu: f64,
    pub density: f64,
    pub radius: f64,
}

/// The muscle of the tables in docs/internals/volume.md.
pub const FLESH: Solid = Solid { young: 6e4, nu: 0.45, density: 1060.0, radius: 0.01 };
pub const RUBBER: Solid = Solid { young: 2e6, nu: 0.3, density: 1200.0, radius: 0.004 };
/// Nearly incompressible.
pub const GEL: Solid = Solid { young: 1.5e4, nu: 0.49, density: 1000.0, radius: 0.02 };

impl Solid {
    pub fn area(&self) -> f64 {
        PI * self.radius * self.radius
    }
    pub fn shear(&self) -> f64 {
        self.young / (2.0 * (1.0 + self.nu))
    }
    /// μ and λ, Pa.
    pub fn lame(&self) -> [f64; 2] {
        let mu = self.shear();
        [mu, 2.0 * mu * self.nu / (1.0 - 2.0 * self.nu)]
    }
    /// Second moment of area about a diameter, m⁴; about the axis it is twice that.
    pub fn second_moment(&self) -> f64 {
        0.25 * self.area() * self.radius * self.radius
    }
    /// √(E/ρ), m/s: long waves along a thin rod.
    pub fn bar_speed(&self) -> f64 {
        (self.young / self.density).sqrt()
    }

    /// Scale of the section and force, N, of a rod that is drawn out to `stretch` times its length, its sides free: the scale is the minimum of
    /// μ|F−R|² + λ/2(J−1)², F = diag(s, s, ℓ).
    pub fn uniaxial(&self, stretch: f64) -> [f64; 2] {
        let [mu, lambda] = self.lame();
        let slope = |s: f64| 4.0 * mu * (s - 1.0) + 2.0 * lambda * s * stretch * (s * s * stretch - 1.0);
        let s = bisect(0.0, 10.0, slope);
        [s, self.area() * (2.0 * mu * (stretch - 1.0) + lambda * s * s * (s * s * stretch - 1.0))]
    }

    /// The stretch at which a rod with free sides pulls with `force`, N; at least half of its length.
    pub fn stretch_under(&self, force: f64) -> f64 {
        bisect(0.5, 10.0, |l| self.uniaxial(l)[1] - force)
    }

    /// The factors of Mindlin and Herrmann, for the inertia of ṡ and the stiffness of s': long waves and short ones then have the speed of the
    /// solid's.
    pub fn wave_factors(&self) -> [f64; 2] {
        let rayleigh = self.rayleigh();
        let inertia = 1.0 / (1.0 - rayleigh / (2.0 * (1.0 + self.nu)));
        [inertia, inertia * rayleigh]
    }

    /// (Rayleigh's speed / that of shear waves)².
    fn rayleigh(&self) -> f64 {
        let k = (1.0 - 2.0 * self.nu) / (2.0 * (1.0 - self.nu));
        bisect(0.1, 1.0, |r| r * r * r - 8.0 * r * r + (24.0 - 16.0 * k) * r - 16.0 * (1.0 - k))
    }

    /// Frequency, rad/s, at which all sections breathe together while the length is held.
    pub fn breathing(&self) -> f64 {
        let ([mu, lambda], [inertia, _]) = (self.lame(), self.wave_factors());
        (8.0 * (lambda + mu) / (inertia * self.density)).sqrt() / self.radius
    }

    /// Waves u = U sin(kx − ωt), s − 1 = S cos(kx − ωt) of the lowest branch, by the rod's two equations with these factors: ω, rad/s, and S/U, 1/m.
    pub fn rod_wave(&self, k: f64, [inertia, gradient]: [f64; 2]) -> [f64; 2] {
        let ([mu, lambda], a) = (self.lame(), self.area());
        let polar = 2.0 * self.second_moment();
        let uu = a * (2.0 * mu + lambda) * k * k;
        let (us, ss) = (2.0 * lambda * a * k, 4.0 * a * (mu + lambda) + gradient * mu * polar * k * k);
        let (mass, scale_mass) = (self.density * a, inertia * self.density * polar);
        let (sum, product) = (uu / mass + ss / scale_mass, (uu * ss - us * us) / (mass * scale_mass));
        // The smaller root, without the difference of nearly equal numbers.
        let omega = (2.0 * product / (sum + (sum * sum - 4.0 * product).sqrt())).sqrt();
        [omega, (mass * omega * omega - uu) / us]
    }

    /// Phase speed, m/s, of the lowest branch of waves of wave number k along a rod: the least root of the equation of Pochhammer and Chree.
    pub fn exact_wave(&self, k: f64) -> f64 {
        let ([mu, lambda], r) = (self.lame(), self.radius);
        let (c1, c2) = (((lambda + 2.0 * mu) / self.density).sqrt(), (mu / self.density).sqrt());
        let k2 = (k * r).powi(2);
        // α² r² and β² r², negative below the speeds of the solid: J₀(√z) and J₁(√z)/√z are series in z, whatever its sign.
        let law = |c: f64| {
            let (a, b) = (k2 * (c * c / (c1 * c1) - 1.0), k2 * (c * c / (c2 * c2) - 1.0));
            let ([a0, a1], [b0, b1]) = (bessel(a), bessel(b));
            2.0 * a * (b + k2) * a1 * b1 - (b - k2).powi(2) * a0 * b1 - 4.0 * k2 * a * a1 * b0
        };
        // c = 0 is a root of no wave; Rayleigh's speed is the least that there is.
        let (from, steps) = (0.8 * c2 * self.rayleigh().sqrt(), 2000);
        let at = |i: usize| from + (1.1 * self.bar_speed() - from) * i as f64 / steps as f64;
        let found = (0..steps).find(|&i| law(at(i)) * law(at(i + 1)) <= 0.0).expect("a wave");
        let sign = law(at(found + 1)).signum();
        bisect(at(found), at(found + 1), |c| sign * law(c))
    }
}

/// J₀(√z) and J₁(√z)/√z.
fn bessel(z: f64) -> [f64; 2] {
    let (mut j0, mut j1) = (0.0, 0.0);
    let mut term = 1.0;
    for m in 0..60 {
        let n = f64::from(m + 1);
        j0 += term;
        j1 += 0.5 * term / n;
        term *= -0.25 * z / (n * n);
    }
    [j0, j1]
}

/// Where a function that rises from below zero to above is zero.
pub fn bisect(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bessel_functions_are_those_of_the_tables() {
        let [j0, j1] = bessel(4.0);
        assert!((j0 - 0.223_890_779_1).abs() < 1e-9 && (2.0 * j1 - 0.576_724_807_8).abs() < 1e-9);
        // I₀ and I₁ of 2.
        let [i0, i1] = bessel(-4.0);
        assert!((i0 - 2.279_585_302_3).abs() < 1e-9 && (2.0 * i1 - 1.590_636_854_6).abs() < 1e-9);
    }

    /// Phase speeds over √(E/ρ): exact, of the rod with both factors, and with i = 1, g = 2.
    #[test]
    fn waves_have_the_speeds_of_the_table() {
        for (nu, kr, exact, ours, plain) in [
            (0.3, 0.5, 0.994145, 0.994272, 0.998706),
            (0.3, 1.0, 0.973526, 0.975938, 0.994878),
            (0.3, 2.0, 0.849626, 0.894891, 0.980581),
            (0.49, 0.5, 0.985046, 0.985485, 0.995195),
            (0.49, 1.0, 0.941011, 0.947146, 0.982183),
        ] {
            // No matter which solid of this ratio it is.
            for solid in [FLESH, RUBBER, GEL] {
                let s = Solid { nu, ..solid };
                let (k, c) = (kr / s.radius, s.bar_speed());
                let of = |factors| s.rod_wave(k, factors)[0] / k / c;
                let got = [s.exact_wave(k) / c, of(s.wave_factors()), of([1.0, 2.0])];
                for (got, known) in got.into_iter().zip([exact, ours, plain]) {
                    assert!((got - known).abs() < 2e-6, "ν {nu}, kr {kr}: {got} for {known}");
                }
            }
        }
        for (nu, i, g) in [(0.3, 1.494334, 1.285268), (0.45, 1.450380, 1.306103), (0.49, 1.439793, 1.310583)] {
            let [got_i, got_g] = Solid { nu, ..FLESH }.wave_factors();
            assert!((got_i - i).abs() < 2e-6 && (got_g - g).abs() < 2e-6, "{nu}: {got_i} {got_g}");
        }
        assert!((FLESH.breathing() - 3281.16).abs() < 0.01);
    }

    #[test]
    fn stretching_has_the_scales_and_forces_of_the_table() {
        for (l, s, force) in [
            (0.5, 1.333333, -18.0551),
            (0.75, 1.134270, -5.88969),
            (1.1, 0.957706, 1.77865),
            (1.5, 0.828888, 7.72903),
            (2.0, 0.722069, 14.3041),
            (3.0, 0.591909, 27.0461),
        ] {
            let [got_s, got_force] = FLESH.uniaxial(l);
            assert!((got_s - s).abs() < 1e-6 && (got_force / force - 1.0).abs() < 5e-6, "{l}: {got_s} {got_force}");
            if l > 0.5 {
                assert!((FLESH.stretch_under(got_force) - l).abs() < 1e-9);
            }
        }
        // Stiffness against volume over that against strain, 1 to 100.
        for (ratio, s) in [(1.0, 0.760690), (5.0, 0.720680), (10.0, 0.714148), (100.0, 0.707836)] {
            let [got, _] = Solid { nu: ratio / (1.0 + 2.0 * ratio), ..FLESH }.uniaxial(2.0);
            assert!((got - s).abs() < 1e-6, "{ratio}: {got}");
        }
    }
}
