//! What the laws say, computed without a rod solver: closed forms, elliptic integrals by the arithmetic–geometric mean, and
//! boundary-value problems by shooting with Runge–Kutta.

use std::f64::consts::PI;

/// Complete elliptic integrals K(m) and E(m) of the parameter m = k².
pub fn elliptic(m: f64) -> (f64, f64) {
    let (mut a, mut b, mut c, mut power, mut sum) = (1.0f64, (1.0 - m).sqrt(), m.sqrt(), 0.5, 0.0);
    // Quadratic convergence: the digits double in every round.
    for _ in 0..10 {
        sum += power * c * c;
        (a, b, c) = (0.5 * (a + b), (a * b).sqrt(), 0.5 * (a - b));
        power *= 2.0;
    }
    let k = PI / (2.0 * a);
    (k, k * (1.0 - sum))
}

/// The zero of `f` between `low` and `high`, by bisection and secants (Illinois).
pub fn root(mut f: impl FnMut(f64) -> f64, low: f64, high: f64) -> f64 {
    let (mut a, mut b) = (low, high);
    let (mut fa, mut fb) = (f(a), f(b));
    assert!(fa * fb <= 0.0, "no change of sign between {low} ({fa}) and {high} ({fb})");
    for _ in 0..200 {
        let c = b - fb * (b - a) / (fb - fa);
        let fc = f(c);
        if fc * fb <= 0.0 {
            (a, fa) = (b, fb);
        } else {
            fa *= 0.5;
        }
        (b, fb) = (c, fc);
        if fb == 0.0 || (b - a).abs() < 1e-14 * (1.0 + b.abs()) {
            break;
        }
    }
    b
}

/// y(1) of y' = f(s, y) by the classical Runge–Kutta method in `steps` steps.
pub fn runge_kutta<const N: usize>(start: [f64; N], steps: usize, f: impl Fn(f64, &[f64; N]) -> [f64; N]) -> [f64; N] {
    let h = 1.0 / steps as f64;
    let mut y = start;
    let add = |y: &[f64; N], k: &[f64; N], c: f64| -> [f64; N] { std::array::from_fn(|i| y[i] + c * k[i]) };
    for i in 0..steps {
        let s = i as f64 * h;
        let k1 = f(s, &y);
        let k2 = f(s + 0.5 * h, &add(&y, &k1, 0.5 * h));
        let k3 = f(s + 0.5 * h, &add(&y, &k2, 0.5 * h));
        let k4 = f(s + h, &add(&y, &k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    y
}

/// A planar cantilever of unit length and stiffness along x whose bending moment changes with −m(t) cos θ at the distance t from
/// the free end: θ_tt = −m(t) cos θ, shot from the tip, where θ_t = 0, to the root, where θ = 0. Returns the tip's x and y.
fn cantilever(m: impl Fn(f64) -> f64) -> [f64; 2] {
    let end = |angle: f64| runge_kutta([angle, 0.0, 0.0, 0.0], 2000, |t, y| [y[1], -m(t) * y[0].cos(), y[0].cos(), y[0].sin()]);
    // From straight down: the first root is the shape without inflection.
    let mut high = 0.5 * PI;
    while end(high - 1e-3)[0] > 0.0 {
        high -= 1e-3;
    }
    let tip = end(root(|angle| end(angle)[0], high - 1e-3, high));
    [tip[2], tip[3]]
}

/// A cantilever along x with a dead tip load α = PL²/B across it: (x/L, deflection/L) of the tip.
pub fn tip_load(alpha: f64) -> [f64; 2] {
    cantilever(|_| alpha)
}

/// A horizontal cantilever under its own weight, Γ = wL³/B: (x/L, drop/L) of the tip.
pub fn own_weight(gamma: f64) -> [f64; 2] {
    cantilever(|t| gamma * t)
}

/// The tip angle of an upright cantilever under its own weight, Γ = wL³/B above the critical 7.83735.
pub fn upright_angle(gamma: f64) -> f64 {
    // Shoot from the free end: θ(1) = angle, θ′(1) = 0, down to θ(0) = 0. θ is measured from the vertical.
    let base = |angle: f64| runge_kutta([angle, 0.0], 2000, |s, y| [y[1], -gamma * s * y[0].sin()])[0];
    // Scanning from above takes the first mode, the largest angle.
    let mut high = PI - 1e-6;
    while base(high) < 0.0 && high > 1e-3 {
        high -= 0.01;
    }
    let mut low = high;
    while base(low) > 0.0 && low > 1e-6 {
        low *= 0.98;
    }
    if base(low) > 0.0 { 0.0 } else { root(base, low, (low / 0.98).min(PI - 1e-6)) }
}

/// The Γ at which an upright cantilever has this tip angle.
pub fn upright_load(angle: f64) -> f64 {
    let base = |gamma: f64| runge_kutta([angle, 0.0], 2000, |s, y| [y[1], -gamma * s * y[0].sin()])[0];
    root(base, 1.0, 30.0)
}

/// A strut with hinged ends whose ends have turned by `angle`: (P/P_c, shortening/L).
pub fn hinged_strut(angle: f64) -> [f64; 2] {
    let (k, e) = elliptic((0.5 * angle).sin().powi(2));
    [(2.0 * k / PI).powi(2), 2.0 - 2.0 * e / k]
}

/// The end angle at which a hinged strut is shortened by this part of its length.
pub fn hinged_strut_angle(shortening: f64) -> f64 {
    root(|a| hinged_strut(a)[1] - shortening, 0.0, 3.0)
}

/// kL² of the buckling load P = k B of a strut clamped at one end and hinged at the other: tan x = x.
pub fn clamped_hinged_load() -> f64 {
    root(|x| x.sin() - x * x.cos(), 4.0, 4.7).powi(2)
}

/// Γ of Greenhill's column, from the same shooting at a vanishing angle.
pub fn greenhill() -> f64 {
    upright_load(1e-6)
}

/// ML/B at which a straight rod, clamped at both ends under the tension t = TL²/B, buckles into a helix.
///
/// ζ = y + iz obeys ζ⁗ − i m ζ‴ − t ζ″ = 0, so that ζ = a + b s + c e^{ips} + d e^{iqs} with p, q = (m ± √(m²−4t))/2. The
/// determinant of the four clamping conditions is, up to the factor −2i e^{i(p+q)/2}, the real function below. Without tension
/// q = 0 makes it vanish identically; a tension of 1e-6 stands in for none.
pub fn twisted_clamped(t: f64) -> f64 {
    let t = t.max(1e-6);
    let determinant = |m: f64| {
        let r = (m * m - 4.0 * t).sqrt();
        let (p, q) = (0.5 * (m + r), 0.5 * (m - r));
        let (sp, cp, sq, cq) = ((0.5 * p).sin(), (0.5 * p).cos(), (0.5 * q).sin(), (0.5 * q).cos());
        (q - p) * 2.0 * sp * sq - p * q * (sq * cp - cq * sp)
    };
    // The first sign change above 2√t; at p = q the determinant vanishes without buckling.
    let mut low = 2.0 * t.sqrt() + 1e-3;
    while determinant(low) * determinant(low + 1e-3) > 0.0 {
        low += 1e-3;
    }
    root(determinant, low, low + 1e-3)
}

/// Tip load PL²/√(B₂C) at which a ribbon cantilever of infinite B₁ turns over sideways (Prandtl): J₋₁/₄(p/2) = 0.
/// From φ″ + p²(1−s)² φ = 0, φ(0) = 0, φ′(1) = 0, shot from the free end.
pub fn ribbon_tip_load() -> f64 {
    root(|p| runge_kutta([1.0, 0.0], 4000, |s, y| [y[1], -p * p * s * s * y[0]])[0], 3.0, 5.0)
}

/// wL³/√(B₂C) of the same ribbon under its own weight: φ″ + (p²/4)(1−s)⁴ φ = 0.
pub fn ribbon_own_weight() -> f64 {
    root(|p| runge_kutta([1.0, 0.0], 4000, |s, y| [y[1], -0.25 * p * p * s.powi(4) * y[0]])[0], 11.0, 15.0)
}

/// The load PL²/B₂ (or wL³/B₂) at which a blade on edge, B₁ and C in units of B₂, turns over sideways: the two laws above where
/// B₁ is not infinite and the blade has bent down before it turns.
///
/// The planar shape: B₁ θ′ = M, M′ = N cos θ, N = P or w(1−s), from the free end. Out of the plane, with a small rotation ψ and
/// the change m of the moment, both in x and y: m′ = N ψ·n x̂, and m − M ψ×ẑ is C times the part of ψ′ along the tangent t and
/// once (B₂) that along the normal n. Two solutions with m = 0 at the free end; critical is where some mix of them has ψ = 0 at
/// the clamp.
pub fn ribbon(b1: f64, c: f64, own_weight: bool) -> f64 {
    let clamp = |load: f64, tip: f64| {
        // t is the distance from the free end: derivatives change their sign.
        runge_kutta([tip, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0], 1000, |t, y| {
            let force = if own_weight { load * t } else { load };
            let (k, h) = y[0].sin_cos();
            let mut d = [0.0; 10];
            d[0] = -y[1] / b1;
            d[1] = -force * h;
            for i in [2, 6] {
                let (px, py) = (y[i], y[i + 1]);
                let (ax, ay) = (y[i + 2] - y[1] * py, y[i + 3] + y[1] * px);
                let (along, across) = ((ax * h + ay * k) / c, -ax * k + ay * h);
                d[i] = -(along * h - across * k);
                d[i + 1] = -(along * k + across * h);
                d[i + 2] = -force * (-px * k + py * h);
            }
            d
        })
    };
    let determinant = |load: f64| {
        let sag = root(|tip| clamp(load, tip)[0], -1.5, 0.0);
        let y = clamp(load, sag);
        y[2] * y[7] - y[3] * y[6]
    };
    let law = c.sqrt() * if own_weight { ribbon_own_weight() } else { ribbon_tip_load() };
    root(determinant, 0.9 * law, 1.2 * law)
}

/// β of the clamped–free beam's mode 1 or 2: cos β cosh β = −1.
pub fn cantilever_beta(mode: usize) -> f64 {
    let at = (mode as f64 - 0.5) * PI;
    root(|b| b.cos() + 1.0 / b.cosh(), at - 0.4, at + 0.4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, relative: f64) {
        assert!((a - b).abs() <= relative * b.abs(), "{a} is not {b}");
    }

    /// The printed values of the literature, to their last digit.
    #[test]
    fn the_references_give_the_published_numbers() {
        for (alpha, x, y) in [(1.0, 0.943567, 0.301721), (2.0, 0.839358, 0.493457), (10.0, 0.445004, 0.810609)] {
            near(tip_load(alpha)[0], x, 2e-6);
            near(tip_load(alpha)[1], y, 2e-6);
        }
        for (gamma, ratio) in [(1.0, 0.124562), (10.0, 1.066802), (100.0, 5.888105)] {
            let [x, y] = own_weight(gamma);
            near(y / x, ratio, 2e-6);
        }
        for (degrees, load, short) in [(20.0f64, 1.01540, 0.03027), (60.0, 1.15172, 0.25898), (90.0, 1.39320, 0.54305)] {
            let [p, d] = hinged_strut(degrees.to_radians());
            near(p, load, 1e-5);
            near(d, short, 2e-4);
            near(hinged_strut_angle(d), degrees.to_radians(), 1e-9);
        }
        near(clamped_hinged_load(), 20.1907, 1e-5);
        near(greenhill(), 7.83735, 1e-6);
        near(upright_load(upright_angle(9.0)), 9.0, 1e-8);
        near(twisted_clamped(0.0), 8.98682, 1e-6);
        near(twisted_clamped(1e4) / 200.0, 1.0, 2e-3);
        near(ribbon_tip_load(), 4.0126, 1e-5);
        near(ribbon_own_weight(), 12.85, 1e-3);
        // Tends to the law of a blade that does not bend.
        near(ribbon(1e6, 0.5, false), ribbon_tip_load() * 0.5f64.sqrt(), 1e-5);
        near(ribbon(1e6, 0.5, true), ribbon_own_weight() * 0.5f64.sqrt(), 1e-5);
        near(cantilever_beta(1), 1.875104, 1e-6);
        near(cantilever_beta(2), 4.694091, 1e-6);
    }
}
