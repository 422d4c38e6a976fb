//! Cubic curves as `UsdGeomBasisCurves` defines them, sampled to polylines.
//!
//! Source: the class documentation of UsdGeomBasisCurves (OpenUSD): segment counts, vstep, phantom points of pinned curves.
//!
//! ```text
//! segments of n CVs     nonperiodic      periodic    pinned
//! bezier (vstep 3)      (n - 4)/3 + 1    n/3         as nonperiodic
//! bspline, catmullRom   n - 3            n           n - 1
//! ```

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Basis {
    Bezier,
    BSpline,
    CatmullRom,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrap {
    NonPeriodic,
    Periodic,
    Pinned,
}

/// A point of a curve as a weighted sum of its CVs, and where it lies for values that are linear per segment (`varying`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub cvs: [usize; 4],
    pub weights: [f64; 4],
    pub segment: usize,
    pub t: f64,
}

/// The number of segments of a curve of `n` CVs, or what `n` would have to be.
pub(crate) fn segments(basis: Basis, wrap: Wrap, n: usize) -> Result<usize, &'static str> {
    match (basis, wrap) {
        (Basis::Bezier, Wrap::Periodic) if n < 3 || !n.is_multiple_of(3) => Err("a periodic bezier curve needs 3k CVs"),
        (Basis::Bezier, Wrap::Periodic) => Ok(n / 3),
        (Basis::Bezier, _) if n < 4 || n % 3 != 1 => Err("a bezier curve needs 3k + 1 CVs, 4 or more"),
        (Basis::Bezier, _) => Ok((n - 4) / 3 + 1),
        (_, Wrap::NonPeriodic) if n < 4 => Err("a nonperiodic cubic curve needs 4 CVs or more"),
        (_, Wrap::NonPeriodic) => Ok(n - 3),
        (_, Wrap::Periodic) if n < 3 => Err("a periodic cubic curve needs 3 CVs or more"),
        (_, Wrap::Periodic) => Ok(n),
        (_, Wrap::Pinned) if n < 2 => Err("a pinned cubic curve needs 2 CVs or more"),
        (_, Wrap::Pinned) => Ok(n - 1),
    }
}

/// Samples a curve of `n` CVs at `per_segment` even parameter steps in each of its segments, and at its end unless it is
/// periodic, whose end is its start.
pub(crate) fn sample(basis: Basis, wrap: Wrap, n: usize, per_segment: usize, mut take: impl FnMut(Sample)) {
    let Ok(count) = segments(basis, wrap, n) else { return };
    for segment in 0..count {
        for step in 0..per_segment {
            take(at(basis, wrap, n, segment, step as f64 / per_segment as f64));
        }
    }
    if wrap != Wrap::Periodic {
        take(at(basis, wrap, n, count - 1, 1.0));
    }
}

fn at(basis: Basis, wrap: Wrap, n: usize, segment: usize, t: f64) -> Sample {
    let step = if basis == Basis::Bezier { 3 } else { 1 };
    // The first CV of a segment: B-spline and Catmull-Rom segments run between their second and third CV, so that a pinned
    // or periodic curve that starts at CV 0 begins one before it.
    let is_shifted = basis != Basis::Bezier && wrap != Wrap::NonPeriodic;
    let first = (segment * step) as isize - isize::from(is_shifted);
    let mut sample = Sample { cvs: [0; 4], weights: [0.0; 4], segment, t };
    let mut pinned = [0.0; 2];
    for (k, weight) in weights(basis, t).into_iter().enumerate() {
        let cv = first + k as isize;
        if wrap == Wrap::Periodic {
            sample.cvs[k] = cv.rem_euclid(n as isize) as usize;
            sample.weights[k] = weight;
        } else if cv < 0 {
            pinned[0] = weight;
        } else if cv >= n as isize {
            pinned[1] = weight;
            sample.cvs[k] = n - 1;
        } else {
            sample.cvs[k] = cv as usize;
            sample.weights[k] = weight;
        }
    }
    // A pinned curve's phantom CV is the end mirrored, 2 P0 - P1 (2 Pn-1 - Pn-2): its weight goes to those two.
    if pinned[0] != 0.0 {
        sample.weights[1] += 2.0 * pinned[0];
        sample.weights[2] -= pinned[0];
    }
    if pinned[1] != 0.0 {
        sample.weights[2] += 2.0 * pinned[1];
        sample.weights[1] -= pinned[1];
    }
    sample
}

fn weights(basis: Basis, t: f64) -> [f64; 4] {
    let (u, t2, t3) = (1.0 - t, t * t, t * t * t);
    match basis {
        Basis::Bezier => [u * u * u, 3.0 * u * u * t, 3.0 * u * t2, t3],
        Basis::BSpline => {
            [u * u * u, 3.0 * t3 - 6.0 * t2 + 4.0, -3.0 * t3 + 3.0 * t2 + 3.0 * t + 1.0, t3].map(|weight| weight / 6.0)
        }
        Basis::CatmullRom => {
            [-t3 + 2.0 * t2 - t, 3.0 * t3 - 5.0 * t2 + 2.0, -3.0 * t3 + 4.0 * t2 + t, t3 - t2].map(|weight| weight / 2.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Basis; 3] = [Basis::Bezier, Basis::BSpline, Basis::CatmullRom];

    fn curve(basis: Basis, wrap: Wrap, cvs: &[f64]) -> Vec<f64> {
        let mut values = Vec::new();
        sample(basis, wrap, cvs.len(), 4, |s| values.push((0..4).map(|k| s.weights[k] * cvs[s.cvs[k]]).sum()));
        values
    }

    #[test]
    fn weights_sum_to_one() {
        for basis in ALL {
            for step in 0..=10 {
                let sum: f64 = weights(basis, f64::from(step) / 10.0).iter().sum();
                assert!((sum - 1.0).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn evenly_spaced_cvs_give_a_straight_even_curve() {
        let cvs: Vec<f64> = (0..7).map(f64::from).collect();
        for (basis, wrap, first, last) in [
            (Basis::Bezier, Wrap::NonPeriodic, 0.0, 6.0),
            (Basis::Bezier, Wrap::Pinned, 0.0, 6.0),
            (Basis::BSpline, Wrap::NonPeriodic, 1.0, 5.0),
            (Basis::BSpline, Wrap::Pinned, 0.0, 6.0),
            (Basis::CatmullRom, Wrap::NonPeriodic, 1.0, 5.0),
            (Basis::CatmullRom, Wrap::Pinned, 0.0, 6.0),
        ] {
            let values = curve(basis, wrap, &cvs);
            assert_eq!(values.len(), segments(basis, wrap, 7).unwrap() * 4 + 1, "{basis:?} {wrap:?}");
            for (index, value) in values.iter().enumerate() {
                let expected = first + (last - first) * index as f64 / (values.len() - 1) as f64;
                assert!((value - expected).abs() < 1e-12, "{basis:?} {wrap:?} sample {index}: {value} for {expected}");
            }
        }
    }

    #[test]
    fn two_pinned_cvs_are_a_line() {
        for basis in [Basis::BSpline, Basis::CatmullRom] {
            let values = curve(basis, Wrap::Pinned, &[2.0, 4.0]);
            assert_eq!(values.len(), 5);
            for (index, value) in values.iter().enumerate() {
                assert!((value - (2.0 + index as f64 * 0.5)).abs() < 1e-14, "{basis:?}: {values:?}");
            }
        }
    }

    #[test]
    fn a_periodic_curve_comes_back_to_its_start() {
        let cvs = [1.0, -2.0, 4.0, 0.5, 3.0, 2.0];
        for basis in ALL {
            let values = curve(basis, Wrap::Periodic, &cvs);
            let count = segments(basis, Wrap::Periodic, 6).unwrap();
            assert_eq!(values.len(), count * 4);
            let end = at(basis, Wrap::Periodic, 6, count - 1, 1.0);
            let end: f64 = (0..4).map(|k| end.weights[k] * cvs[end.cvs[k]]).sum();
            assert!((end - values[0]).abs() < 1e-14, "{basis:?}");
        }
    }
}
