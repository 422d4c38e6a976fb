//! Elementary functions whose bits are the same on every machine: only + - * / and the square root, which IEEE 754 rounds
//! exactly, where std calls the system's libm, whose last bits differ.
//!
//! Source: the argument reductions and minimax coefficients of fdlibm (Sun Microsystems, 1993: "freely granted" use).
//! Errors against std stay under 1e-15 relative to the result's range for |x| < 1e6 (`sin_cos`) and everywhere else.

use super::Real;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI};

/// pi/2 in three parts of 33 bits, so that k times a part is exact for |k| < 2^20.
const PI_2: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];

/// Sine and cosine of `x` in radians. Made for |x| < 1e6; beyond that the digits lost are those of `x` itself. NaN for infinities.
pub fn sin_cos(x: f64) -> (f64, f64) {
    let k = (x * FRAC_2_PI + 0.5).floor();
    let r = ((x - k * PI_2[0]) - k * PI_2[1]) - k * PI_2[2];
    let (sin, cos) = sin_cos_reduced(r);
    match (k - 4.0 * (k * 0.25).floor()) as u32 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// For |x| <= pi/4.
fn sin_cos_reduced(x: f64) -> (f64, f64) {
    let z = x * x;
    let sin = 8.333_333_333_322_49e-3
        + z * (-1.984_126_982_985_795e-4
            + z * (2.755_731_370_707_006_8e-6 + z * (-2.505_076_025_340_686_3e-8 + z * 1.589_690_995_211_55e-10)));
    let sin = x + z * x * (-1.666_666_666_666_663_2e-1 + z * sin);
    let cos = 4.166_666_666_666_66e-2
        + z * (-1.388_888_888_887_411e-3
            + z * (2.480_158_728_947_673e-5
                + z * (-2.755_731_435_139_066_3e-7 + z * (2.087_572_321_298_175e-9 - z * 1.135_964_755_778_819_5e-11))));
    (sin, 1.0 - (0.5 * z - z * z * cos))
}

/// Arc tangent in (-pi/2, pi/2).
pub fn atan(x: f64) -> f64 {
    let a = x.abs();
    // atan(a) = base + atan(t) with |t| < 7/16.
    let (base, t) = if a < 0.4375 {
        (0.0, a)
    } else if a < 0.6875 {
        (0.463_647_609_000_806_1, (2.0 * a - 1.0) / (2.0 + a))
    } else if a < 1.1875 {
        (FRAC_PI_4, (a - 1.0) / (a + 1.0))
    } else if a < 2.4375 {
        (0.982_793_723_247_329, (a - 1.5) / (1.0 + 1.5 * a))
    } else {
        (FRAC_PI_2, -1.0 / a)
    };
    let z = t * t;
    let w = z * z;
    let odd = 0.333_333_333_333_329_3
        + w * (0.142_857_142_725_034_66
            + w * (9.090_887_133_436_507e-2
                + w * (6.661_073_137_387_531e-2 + w * (4.976_877_994_615_932e-2 + w * 1.628_582_011_536_578_2e-2))));
    let even = -0.199_999_999_998_764_83
        + w * (-0.111_111_104_054_623_56
            + w * (-7.691_876_205_044_83e-2 + w * (-5.833_570_133_790_573_5e-2 - w * 3.653_157_274_421_691_6e-2)));
    let result = base + (t - t * (z * odd + w * even));
    if x < 0.0 { -result } else { result }
}

/// The angle of (x, y) in [-pi, pi]; 0 for the origin. NaN if both are infinite.
pub fn atan2(y: f64, x: f64) -> f64 {
    if x == 0.0 && y == 0.0 {
        return 0.0;
    }
    // The smaller over the larger, so that no quotient overflows.
    if x.abs() >= y.abs() {
        let angle = atan(y / x);
        if x > 0.0 {
            angle
        } else if y < 0.0 {
            angle - PI
        } else {
            angle + PI
        }
    } else {
        let angle = atan(x / y);
        if y > 0.0 { FRAC_PI_2 - angle } else { -FRAC_PI_2 - angle }
    }
}

/// The angle of (x, y) in (-pi, pi] for every lane type: two halvings by the tangent's half-angle formula, then the series of
/// the arc tangent on |t| < 0.2. Errors stay under 1e-15. 0 for the origin.
#[inline(always)]
pub fn angle<T: Real>(y: T, x: T) -> T {
    let (zero, one) = (T::zero(), T::one());
    let r = (x * x + y * y).sqrt();
    // tan(a/2) = y/(r + |x|) for the angle a that (|x|, y) makes.
    let t = y / (r + x.abs()).max(T::constant(1e-37));
    let t = t / (one + (one + t * t).sqrt());
    let t = t / (one + (one + t * t).sqrt());
    let z = -(t * t);
    let mut sum = T::constant(1.0 / 25.0);
    for k in (0..12).rev() {
        sum = sum * z + T::constant(1.0 / (2 * k + 1) as f64);
    }
    let a = t * sum * T::constant(8.0);
    let pi = T::constant(PI);
    let back = T::select(y.lt(zero), -pi, pi) - a;
    T::select(x.lt(zero), back, a)
}

/// Arc cosine in [0, pi]. Values outside of [-1, 1], which rounding makes, count as the nearer end.
pub fn acos(x: f64) -> f64 {
    let x = x.clamp(-1.0, 1.0);
    // Not atan(sqrt(1 - x²)/x): (1 - x)(1 + x) keeps its digits near ±1.
    atan2(((1.0 - x) * (1.0 + x)).sqrt(), x)
}

/// Cube root.
pub fn cbrt(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let a = x.abs();
    // A third of the exponent (Kahan): 5 % off; each Newton step squares that.
    let mut root = f64::from_bits(a.to_bits() / 3 + 0x2A9F_7893_0000_0000);
    for _ in 0..5 {
        root -= (root - a / (root * root)) / 3.0;
    }
    if x < 0.0 { -root } else { root }
}

/// ln 2 in two parts; whole multiples of the first, up to 2^15, are exact in f32, too.
const LN_2: [f64; 2] = [0.693_359_375, -2.121_944_400_546_905_8e-4];
/// The bits of an exponent, from the largest on.
const EXPONENT_BITS: [i32; 10] = [512, 256, 128, 64, 32, 16, 8, 4, 2, 1];

/// The exponential for every lane type. Errors stay under 1e-15, relative, in f64 for |x| < 700, and under 6e-7 in f32 for |x| < 87;
/// what is beyond becomes 0 or infinite. NaN is not handed on: no kernel has one here.
#[inline(always)]
pub fn exp<T: Real>(x: T) -> T {
    let (one, zero) = (T::one(), T::zero());
    // exp |x| = 2^k exp(r), k bit by bit, 0 <= r < ln 2.
    let (mut r, mut low, mut scale) = (x.abs(), zero, one);
    for bit in EXPONENT_BITS {
        let part = T::constant(f64::from(bit) * LN_2[0]);
        let less = r.lt(part);
        r = T::select(less, r, r - part);
        low = T::select(less, low, low + T::constant(f64::from(bit) * LN_2[1]));
        scale = T::select(less, scale, scale * T::constant(power_of_two(bit)));
    }
    let r = r - low;
    let mut sum = one;
    for k in (1..20).rev() {
        sum = one + sum * r * T::constant(1.0 / k as f64);
    }
    let large = sum * scale;
    T::select(x.lt(zero), one / large, large)
}

/// The natural logarithm for every lane type, of positive numbers. Errors stay under 3e-16 of max(1, |ln x|) in f64 and under 3e-7 of it in f32.
#[inline(always)]
pub fn ln<T: Real>(x: T) -> T {
    let one = T::one();
    let small = x.lt(one);
    // x, or its inverse, is 2^k m with √½ <= m < √2.
    let (mut m, mut k) = (T::select(small, one / x, x), T::zero());
    for bit in EXPONENT_BITS {
        let least = T::constant(power_of_two(bit) * core::f64::consts::FRAC_1_SQRT_2);
        let less = m.lt(least);
        m = T::select(less, m, m * T::constant(power_of_two(-bit)));
        k = T::select(less, k, k + T::constant(f64::from(bit)));
    }
    // ln m = 2 artanh t, |t| < 0.172.
    let t = (m - one) / (m + one);
    let z = t * t;
    let mut sum = T::constant(1.0 / 23.0);
    for n in (0..11).rev() {
        sum = sum * z + T::constant(1.0 / (2 * n + 1) as f64);
    }
    let all = k * T::constant(LN_2[0]) + (k * T::constant(LN_2[1]) + t * sum * T::constant(2.0));
    T::select(small, -all, all)
}

/// The inverse of the hyperbolic sine for every lane type, |x| < 1e15. Errors stay under 1e-15 of max(1, |asinh x|) in f64 and under 4e-7 of it in f32: near 0
/// that is not relative.
#[inline(always)]
pub fn asinh<T: Real>(x: T) -> T {
    let a = x.abs();
    let all = ln(a + (a * a + T::one()).sqrt());
    T::select(x.lt(T::zero()), -all, all)
}

/// 2^k.
const fn power_of_two(k: i32) -> f64 {
    f64::from_bits(((1023 + k) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few thousand values from -range to range, denser near 0.
    fn values(range: f64) -> impl Iterator<Item = f64> {
        (-4000..=4000).map(move |k| {
            let t = f64::from(k) / 4000.0;
            range * t * t * t
        })
    }

    #[test]
    fn sine_and_cosine_match_std() {
        for x in values(1e6).chain(values(7.0)).chain([0.0, PI, FRAC_PI_2, -FRAC_PI_4, 1e-300]) {
            let (sin, cos) = sin_cos(x);
            assert!((sin - x.sin()).abs() < 4e-16, "sin {x}: {sin} for {}", x.sin());
            assert!((cos - x.cos()).abs() < 4e-16, "cos {x}: {cos} for {}", x.cos());
        }
        assert!(sin_cos(f64::INFINITY).0.is_nan());
    }

    #[test]
    fn arc_functions_match_std() {
        for x in values(30.0) {
            assert!((atan(x) - x.atan()).abs() < 5e-16, "atan {x}");
            for y in [0.0, 1e-300, 1e300, -3.0, 0.4] {
                assert!((atan2(x, y) - x.atan2(y)).abs() < 1e-15, "atan2({x}, {y})");
                assert!((atan2(y, x) - y.atan2(x)).abs() < 1e-15, "atan2({y}, {x})");
            }
        }
        for x in values(1.0) {
            assert!((acos(x) - x.acos()).abs() < 1e-15, "acos {x}");
        }
        assert_eq!(acos(1.0 + 1e-9), 0.0);
    }

    #[test]
    fn angle_of_lanes_matches_std() {
        for a in values(3.0) {
            for r in [1e-3, 1.0, 1e4] {
                let (y, x) = (r * a.sin(), r * a.cos());
                assert!((angle(y, x) - y.atan2(x)).abs() < 1.5e-15, "{a}");
                assert!((angle(y as f32, x as f32) - (y as f32).atan2(x as f32)).abs() < 6e-7, "{a}");
            }
        }
        assert_eq!(angle(0.0, 0.0), 0.0);
        assert_eq!(angle(0.0, -1.0), PI);
    }

    #[test]
    fn cube_root_matches_std() {
        for x in values(1e9).chain([1e-300, 1e300, -8.0, f64::MIN_POSITIVE]) {
            assert!((cbrt(x) - x.cbrt()).abs() <= 1e-15 * x.cbrt().abs(), "cbrt {x}: {} for {}", cbrt(x), x.cbrt());
        }
    }

    #[test]
    fn exponentials_and_logarithms_match_std() {
        use crate::Dual;
        for x in values(700.0).chain(values(3.0)) {
            let (got, exact) = (exp(x), x.exp());
            assert!((got - exact).abs() <= 1e-15 * exact, "exp {x}: {got} for {exact}");
            if x.abs() < 300.0 {
                let d: Dual<1> = exp(Dual::variable(x, 0));
                assert!((d.grad[0] - exact).abs() <= 2e-14 * exact, "its derivative at {x}");
            }
            let small = (0.12 * x) as f32;
            let (got, exact) = (exp(small), f64::from(small).exp());
            assert!((f64::from(got) - exact).abs() <= 6e-7 * exact, "exp {small}: {got} for {exact}");
            let (got, exact) = (asinh(x), x.asinh());
            assert!((got - exact).abs() <= 1e-15 * exact.abs().max(1.0), "asinh {x}: {got} for {exact}");
            let got = f64::from(asinh(x as f32));
            assert!((got - f64::from(x as f32).asinh()).abs() <= 4e-7 * exact.abs().max(1.0), "asinh {x}: {got} for {exact}");
            let d: Dual<1> = asinh(Dual::variable(x, 0));
            assert!((d.grad[0] * (x * x + 1.0).sqrt() - 1.0).abs() <= 1e-14, "its derivative at {x}");
            // From 1e-304 to 1e304, and near 1.
            for y in [x.exp(), 1.0 + 1e-3 * x] {
                if y > 0.0 {
                    let (got, exact) = (ln(y), y.ln());
                    assert!((got - exact).abs() <= 3e-16 * exact.abs().max(1.0), "ln {y}: {got} for {exact}");
                }
                let z = y as f32;
                if z.is_normal() && z > 0.0 {
                    let (got, exact) = (ln(z), f64::from(z).ln());
                    assert!((f64::from(got) - exact).abs() <= 3e-7 * exact.abs().max(1.0), "ln {z}: {got} for {exact}");
                }
            }
        }
        assert_eq!([exp(0.0), ln(1.0), asinh(0.0), exp(-1000.0), exp(-200.0f32) as f64], [1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!([exp(1.0f32), ln(1.0f32)], [core::f32::consts::E, 0.0]);
    }
}
