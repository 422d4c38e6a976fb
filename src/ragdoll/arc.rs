//! Circular arcs through two points: the one that fits bones best, and the frames along it. Maths: `docs/internals/ragdoll.md`.

use crate::bodies::kernels::arc_strain;
use crate::math::approx::{angle, sin_cos};
use crate::math::vec3::vec3;
use crate::math::{Quat, Transform, Vec3};

/// Half the largest bending angle that is fitted: 80°.
const MOST: f64 = 80.0 / 180.0 * core::f64::consts::PI;
/// Gauss–Newton steps.
const STEPS: usize = 20;
/// Below this an angle is 0, rad.
const STRAIGHT: f64 = 1e-9;

/// An arc by its chord and the vector f: half the bending angle, towards where the arc stands off the chord.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    /// From a to b, unit, and its length, m.
    pub along: Vec3<f64>,
    pub chord: f64,
    pub off: Vec3<f64>,
}

/// sin x / x
fn sinc(x: f64) -> f64 {
    if x < 1e-4 { 1.0 - x * x / 6.0 } else { sin_cos(x).0 / x }
}

impl Arc {
    /// The unit vectors along the arc at its ends.
    pub fn tangents(&self) -> [Vec3<f64>; 2] {
        let half = self.off.length();
        let (sin, cos) = sin_cos(half);
        let n = if half > STRAIGHT { self.off * (1.0 / half) } else { Vec3::zero() };
        [self.along * cos + n * sin, self.along * cos - n * sin].map(|t| t.normalized_or(self.along))
    }
    /// l₀, m.
    pub fn length(&self) -> f64 {
        self.chord / sinc(self.off.length())
    }
}

/// How far a point is from the circle of f, in the plane across the chord: along n the distance within the circle's plane.
fn residual(f: [f64; 2], chord: f64, p: Point) -> [f64; 2] {
    let half = (f[0] * f[0] + f[1] * f[1]).sqrt();
    if half <= STRAIGHT {
        return p.w;
    }
    let (sin, cos) = sin_cos(half);
    let (k, n) = (sin / (cos * chord), [f[0] / half, f[1] / half]);
    let y = p.w[0] * n[0] + p.w[1] * n[1];
    let big = y - k * (0.25 * chord * chord - p.x * p.x - y * y);
    let reach = (k * k * p.x * p.x + (k * y + 0.5) * (k * y + 0.5)).sqrt() + 0.5 / cos;
    let d = big / reach - y;
    [p.w[0] + n[0] * d, p.w[1] + n[1] * d]
}

#[derive(Clone, Copy)]
struct Point {
    x: f64,
    w: [f64; 2],
}

/// The arc from `a` to `b` that passes `points` best; `None` where the ends are closer than 1 µm. `length`: l₀ that it must have, m.
/// `axis`: the straight stand off across it.
pub(super) fn fit(
    a: Vec3<f64>,
    b: Vec3<f64>,
    points: impl Iterator<Item = Vec3<f64>> + Clone,
    length: Option<f64>,
    axis: Vec3<f64>,
) -> Option<Arc> {
    let d = b - a;
    let chord = d.length();
    if !(1e-6..1e9).contains(&chord) {
        return None;
    }
    let along = d * (1.0 / chord);
    let e1 = along.any_perpendicular();
    let e2 = along.cross(e1);
    let middle = a + d * 0.5;
    let local = move |p: Vec3<f64>| {
        let r = p - middle;
        Point { x: r.dot(along), w: [r.dot(e1), r.dot(e2)] }
    };
    let mut f = least_squares(chord, points.map(local));
    if let Some(length) = length {
        let half = half_angle(chord / length);
        let now = (f[0] * f[0] + f[1] * f[1]).sqrt();
        f = if now > STRAIGHT {
            [f[0] * (half / now), f[1] * (half / now)]
        } else {
            let n = axis.cross(along).normalized_or(e1);
            [n.dot(e1) * half, n.dot(e2) * half]
        };
    }
    Some(Arc { along, chord, off: e1 * f[0] + e2 * f[1] })
}

fn least_squares(chord: f64, points: impl Iterator<Item = Point> + Clone) -> [f64; 2] {
    let (mut sum, mut weight, mut count) = ([0.0; 2], 0.0, 0);
    for p in points.clone() {
        let q = (0.25 * chord * chord - p.x * p.x - p.w[0] * p.w[0] - p.w[1] * p.w[1]).max(0.0025 * chord * chord);
        sum = [sum[0] + q * p.w[0], sum[1] + q * p.w[1]];
        weight += q * q;
        count += 1;
    }
    if count == 0 {
        return [0.0; 2];
    }
    let v = [sum[0] / weight, sum[1] / weight];
    let slope = (v[0] * v[0] + v[1] * v[1]).sqrt() * chord;
    let half = angle(slope, 1.0).min(MOST);
    let part = if slope > STRAIGHT { half * chord / slope } else { 0.0 };
    let mut f = [v[0] * part, v[1] * part];
    let cost = |f: [f64; 2]| {
        points.clone().fold(0.0, |sum, p| {
            let r = residual(f, chord, p);
            sum + r[0] * r[0] + r[1] * r[1]
        })
    };
    let mut best = cost(f);
    for _ in 0..STEPS {
        const H: f64 = 1e-6;
        let (mut jj, mut jr) = ([0.0; 3], [0.0; 2]);
        for p in points.clone() {
            let r = residual(f, chord, p);
            let slope = |k: usize| {
                let (mut up, mut down) = (f, f);
                up[k] += H;
                down[k] -= H;
                let (u, d) = (residual(up, chord, p), residual(down, chord, p));
                [0, 1].map(|i| (u[i] - d[i]) / (2.0 * H))
            };
            let (s0, s1) = (slope(0), slope(1));
            for i in 0..2 {
                jj = [jj[0] + s0[i] * s0[i], jj[1] + s0[i] * s1[i], jj[2] + s1[i] * s1[i]];
                jr = [jr[0] + s0[i] * r[i], jr[1] + s1[i] * r[i]];
            }
        }
        let ridge = 1e-9 * (jj[0] + jj[2]);
        let (xx, xy, yy) = (jj[0] + ridge, jj[1], jj[2] + ridge);
        let det = xx * yy - xy * xy;
        if det.is_nan() || det <= 0.0 {
            break;
        }
        let mut next = [f[0] - (yy * jr[0] - xy * jr[1]) / det, f[1] - (xx * jr[1] - xy * jr[0]) / det];
        let half = (next[0] * next[0] + next[1] * next[1]).sqrt();
        if half > MOST {
            next = [next[0] * (MOST / half), next[1] * (MOST / half)];
        }
        let new = cost(next);
        // NaN does not fall.
        if new.is_nan() || new >= best {
            break;
        }
        (f, best) = (next, new);
    }
    f
}

/// φ with sinc φ = `part`, 0..80°.
fn half_angle(part: f64) -> f64 {
    let (mut low, mut high) = (0.0, MOST);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if sinc(middle) > part {
            low = middle;
        } else {
            high = middle;
        }
    }
    if part < 1.0 { 0.5 * (low + high) } else { 0.0 }
}

/// The rotation from unit vector `a` to unit vector `b` with the least angle, below a half turn.
pub(super) fn shortest(a: Vec3<f64>, b: Vec3<f64>) -> Quat<f64> {
    let (n, w) = (a.cross(b), 1.0 + a.dot(b));
    if w < 1e-12 {
        let n = a.any_perpendicular();
        return Quat { x: n.x, y: n.y, z: n.z, w: 0.0 };
    }
    normalized(Quat { x: n.x, y: n.y, z: n.z, w })
}

pub(super) fn normalized(q: Quat<f64>) -> Quat<f64> {
    let l = q.dot(q).sqrt();
    let inv = 1.0 / l;
    if l > 1e-150 && inv.is_finite() { Quat { x: q.x * inv, y: q.y * inv, z: q.z * inv, w: q.w * inv } } else { Quat::identity() }
}

/// The rotation with this axis times angle, rad.
pub(super) fn turn(v: Vec3<f64>) -> Quat<f64> {
    let a = v.length();
    let (sin, cos) = sin_cos(0.5 * a);
    let s = if a > 1e-9 { sin / a } else { 0.5 };
    normalized(Quat { x: v.x * s, y: v.y * s, z: v.z * s, w: cos })
}

/// Frames and points along the arc joint between two ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    start: Transform<f64>,
    /// n′ in the frame of a, and the direction in which the arc bends, n′ × e₃.
    axis: Vec3<f64>,
    aside: Vec3<f64>,
    bend: f64,
    twist: f64,
    length: f64,
    /// What the arc misses the end by, m.
    rest: Vec3<f64>,
}

impl Curve {
    /// `a`, `b`: the material frames at the anchors; `length`: l₀, m.
    pub fn new(a: Transform<f64>, b: Transform<f64>, length: f64) -> Curve {
        let strain = arc_strain(a.rotation.conjugate().compose(b.rotation));
        let bend = (strain.beta.x * strain.beta.x + strain.beta.y * strain.beta.y).sqrt();
        let n = if bend > STRAIGHT { vec3(strain.beta.x / bend, strain.beta.y / bend, 0.0) } else { vec3(1.0, 0.0, 0.0) };
        let (sin, cos) = sin_cos(0.5 * strain.beta.z);
        let axis = vec3(n.x * cos - n.y * sin, n.x * sin + n.y * cos, 0.0);
        let aside = vec3(axis.y, -axis.x, 0.0);
        let mut curve = Curve { start: a, axis, aside, bend, twist: strain.beta.z, length, rest: Vec3::zero() };
        curve.rest = b.position - curve.point(1.0);
        curve
    }

    pub fn point(&self, part: f64) -> Vec3<f64> {
        let x = part * self.bend;
        // (1 − cos x)/ψ = σ sin(x/2) sinc(x/2)
        let (half, _) = sin_cos(0.5 * x);
        let along = part * sinc(x);
        let off = part * half * sinc(0.5 * x);
        let local = vec3(0.0, 0.0, 1.0) * (self.length * along) + self.aside * (self.length * off);
        self.start.point(local) + self.rest * part
    }

    pub fn frame(&self, part: f64) -> Quat<f64> {
        let bend = turn(self.axis * (part * self.bend));
        let twist = turn(vec3(0.0, 0.0, part * self.twist));
        normalized(self.start.rotation.compose(bend).compose(twist))
    }
}
