//! Pills: edges with a radius at each end.

use withy_math::Vec3;

#[derive(Clone, Copy, Debug)]
pub struct Pill {
    /// m
    pub a: Vec3<f64>,
    pub b: Vec3<f64>,
    pub radii: [f64; 2],
}

impl Pill {
    pub fn length(&self) -> f64 {
        (self.b - self.a).length()
    }
    pub fn thickest(&self) -> f64 {
        self.radii[0].max(self.radii[1])
    }
    pub fn point(&self, t: f64) -> Vec3<f64> {
        self.a + (self.b - self.a) * t
    }
}

/// The part of the edge that is nearest to `p`, 0 to 1.
pub fn project(pill: &Pill, p: Vec3<f64>) -> f64 {
    let e = pill.b - pill.a;
    let l2 = e.length2();
    if l2 > 1e-300 { ((p - pill.a).dot(e) / l2).clamp(0.0, 1.0) } else { 0.5 }
}

/// Signed distance to the surface of a pill, m: exact for a cone with round ends.
pub fn distance(pill: &Pill, p: Vec3<f64>) -> f64 {
    let (e, l) = (pill.b - pill.a, pill.length());
    let [ra, rb] = pill.radii;
    let ends = ((p - pill.a).length() - ra).min((p - pill.b).length() - rb);
    let slope = (ra - rb) / l.max(1e-300);
    // One ball within the other: there is no cone.
    if slope.abs() >= 1.0 {
        return ends;
    }
    let axis = e * (1.0 / l);
    let along = (p - pill.a).dot(axis);
    let across = ((p - pill.a).length2() - along * along).max(0.0).sqrt();
    // The nearest ball lies where the cone's normal through `p` meets the axis.
    let t = (along - across * slope / (1.0 - slope * slope).sqrt()) / l;
    let t = t.clamp(0.0, 1.0);
    (p - pill.point(t)).length() - (ra + (rb - ra) * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use withy_math::vec3::vec3;

    /// The least over many balls along the axis.
    #[test]
    fn distance_is_that_of_the_nearest_ball() {
        for radii in [[0.3, 0.3], [0.5, 0.1], [0.1, 0.4], [2.0, 0.1]] {
            let pill = Pill { a: vec3(0.0, 0.0, 0.0), b: vec3(1.0, 0.2, 0.0), radii };
            for k in 0..200 {
                let x = f64::from(k);
                let p = vec3((1.7 * x).sin() * 2.0, (0.9 * x).cos() * 1.5, (0.3 * x).sin());
                let ball = |t: f64| (p - pill.point(t)).length() - (radii[0] + (radii[1] - radii[0]) * t);
                let least = (0..=4000).map(|i| ball(f64::from(i) / 4000.0)).fold(f64::MAX, f64::min);
                assert!((distance(&pill, p) - least).abs() < 1e-6, "{radii:?} {p:?}");
            }
        }
    }
}
