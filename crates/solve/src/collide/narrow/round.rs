//! Spheres, capsules and tapered capsules: the union of spheres whose centre and radius run linearly along a segment.
//!
//! Against anything convex at a distance d(x), such a shape is at the minimum of d(c(y)) − r(y) over its axis, which is
//! convex in y. Between two of them both minima are at hand in closed form.

use super::frame::{Frame, across, below, either, unit};
use super::manifold::Manifold;
use super::shape::Geometry;
use crate::math::{Elem, Vec3};

#[derive(Clone, Copy, Debug)]
pub(super) struct Round<E> {
    pub ends: [Vec3<E>; 2],
    pub radii: [E; 2],
    /// Unit, from end 0 to end 1.
    pub axis: Vec3<E>,
    /// 0: a sphere.
    pub length: E,
    /// How the radius grows along the axis, in −1..1.
    pub slope: E,
}

impl<E: Elem> Round<E> {
    /// `None` for other shapes.
    #[inline(always)]
    pub fn new(g: &Geometry<E>, frame: &Frame<E>) -> Option<Self> {
        let (zero, two) = (E::zero(), E::constant(2.0));
        let axis = frame.axes[1];
        let sphere = |c: Vec3<E>, r: E| Round { ends: [c, c], radii: [r, r], axis, length: zero, slope: zero };
        match *g {
            Geometry::Sphere { radius } => Some(sphere(frame.origin, radius)),
            Geometry::Capsule { half_height, radius } => {
                let arm = axis * half_height;
                let ends = [frame.origin - arm, frame.origin + arm];
                Some(Round { ends, radii: [radius, radius], axis, length: half_height * two, slope: zero })
            }
            Geometry::TaperedCapsule { half_height, bottom, top } => {
                let (arm, length) = (axis * half_height, half_height * two);
                let ends = [frame.origin - arm, frame.origin + arm];
                // Of two spheres the one inside the other has no say.
                let wide = (top - bottom).abs() >= length * either::<E>(1.0 - 1e-6, 1.0 - 1e-12);
                Some(if wide && bottom >= top {
                    sphere(ends[0], bottom)
                } else if wide {
                    sphere(ends[1], top)
                } else {
                    Round { ends, radii: [bottom, top], axis, length, slope: (top - bottom) / length }
                })
            }
            _ => None,
        }
    }

    #[inline(always)]
    pub fn center(&self, y: E) -> Vec3<E> {
        self.ends[0] + self.axis * y
    }
    #[inline(always)]
    pub fn radius(&self, y: E) -> E {
        self.radii[0] + self.slope * y
    }
    #[inline(always)]
    pub fn clamp(&self, y: E) -> E {
        y.min(self.length).max(E::zero())
    }
    /// Where on the infinite axis |x − c(y)| − r(y) is least.
    #[inline(always)]
    pub fn toward(&self, x: Vec3<E>) -> E {
        let w = x - self.ends[0];
        let y = self.axis.dot(w);
        if self.slope == E::zero() {
            return y;
        }
        let rho = (w - self.axis * y).length();
        y + self.slope * rho / (E::one() - self.slope * self.slope).sqrt()
    }
    /// The largest n·x of the shape.
    #[inline(always)]
    pub fn support(&self, n: Vec3<E>) -> E {
        (n.dot(self.ends[0]) + self.radii[0]).max(n.dot(self.ends[1]) + self.radii[1])
    }
}

/// Where two round shapes are nearest: places on the axes, unit normal from a to b, separation.
#[derive(Clone, Copy)]
pub(super) struct Nearest<E> {
    pub y: E,
    pub z: E,
    pub normal: Vec3<E>,
    pub separation: E,
}

/// Where two pills are nearest: the parts of their axes from end 0 to end 1, the unit normal from a to b, and the separation, m.
#[derive(Clone, Copy, Debug)]
pub struct PillPair<E> {
    pub share: [E; 2],
    pub normal: Vec3<E>,
    pub separation: E,
}

/// Two pills, each by the ends of its axis and their radii.
pub fn pills<E: Elem>(a: [Vec3<E>; 2], ra: [E; 2], b: [Vec3<E>; 2], rb: [E; 2]) -> PillPair<E> {
    let (zero, one) = (E::zero(), E::one());
    let pill = |ends: [Vec3<E>; 2], radii: [E; 2]| {
        let along = ends[1] - ends[0];
        let length = along.length();
        let least = (radii[0] + radii[1]) * either::<E>(1e-5, 1e-11);
        let growth = radii[1] - radii[0];
        if length > least && growth.abs() < length * either::<E>(1.0 - 1e-6, 1.0 - 1e-12) {
            Round { ends, radii, axis: along * (one / length), length, slope: growth / length }
        } else {
            // One of its spheres holds the other.
            let k = usize::from(growth > zero);
            Round { ends: [ends[k]; 2], radii: [radii[k]; 2], axis: Vec3 { x: one, y: zero, z: zero }, length: zero, slope: zero }
        }
    };
    let (a, b) = (pill(a, ra), pill(b, rb));
    let found = nearest(&a, &b);
    let part = |r: &Round<E>, y: E, radii: [E; 2]| match r.length > zero {
        true => y / r.length,
        false if radii[1] > radii[0] => one,
        false => zero,
    };
    PillPair { share: [part(&a, found.y, ra), part(&b, found.z, rb)], normal: found.normal, separation: found.separation }
}

/// The stationary point of |q(z) − p(y)| − (kp y) − (kq z) for lines p0 + u y and q0 + v z (u, v unit; kp, kq the slopes):
/// y, z and the unit normal from p to q. None for parallel lines, and where the cones have no common tangent plane.
#[inline(always)]
pub(super) fn stationary<E: Elem>(p0: Vec3<E>, u: Vec3<E>, kp: E, q0: Vec3<E>, v: Vec3<E>, kq: E) -> Option<(E, E, Vec3<E>)> {
    let c = u.dot(v);
    let m = u.cross(v);
    let d = m.length2();
    if d < either::<E>(1e-6, 1e-12) {
        return None;
    }
    let inv = E::one() / d;
    // n·u = −kp, n·v = kq
    let (alpha, beta) = ((-kp - c * kq) * inv, (kq + c * kp) * inv);
    let left = E::one() + alpha * kp - beta * kq;
    if left <= E::zero() {
        return None;
    }
    let w = q0 - p0;
    let wm = w.dot(m);
    let gamma = (left * inv).sqrt();
    let gamma = if wm < E::zero() { -gamma } else { gamma };
    let lambda = if gamma == E::zero() { E::zero() } else { wm * inv / gamma };
    let (wu, wv) = (w.dot(u), w.dot(v));
    let z = (lambda * (kq + c * kp) - wv + c * wu) * inv;
    let y = wu + z * c + lambda * kp;
    Some((y, z, u * alpha + v * beta + m * gamma))
}

#[inline(always)]
fn at<E: Elem>(a: &Round<E>, b: &Round<E>, y: E, z: E) -> Nearest<E> {
    let d = b.center(z) - a.center(y);
    let radii = a.radius(y) + b.radius(z);
    let l = d.length();
    let normal = if l > radii * either::<E>(1e-5, 1e-11) { d * (E::one() / l) } else { Vec3::zero() };
    Nearest { y, z, normal, separation: l - radii }
}

pub(super) fn nearest<E: Elem>(a: &Round<E>, b: &Round<E>) -> Nearest<E> {
    let zero = E::zero();
    let mut found = if a.slope == zero && b.slope == zero {
        let (y, z) = segments(a, b);
        at(a, b, y, z)
    } else {
        cones(a, b)
    };
    if found.normal.length2() == zero || !found.separation.is_finite() {
        deep(a, b, &mut found);
    }
    found
}

/// Nearest points of two segments (Ericson, "Real-Time Collision Detection", 5.1.9).
#[inline(always)]
fn segments<E: Elem>(a: &Round<E>, b: &Round<E>) -> (E, E) {
    let (zero, half) = (E::zero(), E::constant(0.5));
    let w = b.ends[0] - a.ends[0];
    let (c, d) = (a.axis.dot(b.axis), a.axis.cross(b.axis).length2());
    let (wa, wb) = (a.axis.dot(w), b.axis.dot(w));
    let y = if d > either::<E>(1e-7, 1e-14) && a.length > zero && b.length > zero {
        (wa - c * wb) / d
    } else {
        // Parallel: the middle of where they face each other.
        let other = wa + c * b.length;
        let (low, high) = (wa.min(other).max(zero), wa.max(other).min(a.length));
        (low + high) * half
    };
    let y = a.clamp(y);
    let z = c * y - wb;
    let inside = b.clamp(z);
    if inside == z { (y, z) } else { (a.clamp(wa + c * inside), inside) }
}

#[inline(always)]
fn cones<E: Elem>(a: &Round<E>, b: &Round<E>) -> Nearest<E> {
    let zero = E::zero();
    let mut best: Option<Nearest<E>> = None;
    let mut consider = |y: E, z: E| {
        let found = at(a, b, y, z);
        if best.is_none_or(|b| found.separation < b.separation) {
            best = Some(found);
        }
    };
    if a.length > zero && b.length > zero {
        let found = stationary(a.ends[0], a.axis, a.slope, b.ends[0], b.axis, b.slope);
        if let Some((y, z, normal)) = found
            && y >= zero
            && y <= a.length
            && z >= zero
            && z <= b.length
        {
            let slant = a.axis.cross(b.axis).length2();
            let mut found = at(a, b, y, z);
            if slant > either::<E>(1e-3, 1e-6) {
                found.normal = normal;
                return found;
            }
            consider(y, z);
        }
    }
    // Convex on a rectangle: else the minimum is on its rim.
    for z in [zero, b.length] {
        consider(a.clamp(a.toward(b.center(z))), z);
    }
    for y in [zero, a.length] {
        consider(y, b.clamp(b.toward(a.center(y))));
    }
    best.unwrap_or(Nearest { y: zero, z: zero, normal: Vec3::zero(), separation: zero })
}

/// The axes meet: out along whichever of a few directions is shortest.
#[cold]
fn deep<E: Elem>(a: &Round<E>, b: &Round<E>, found: &mut Nearest<E>) {
    let (zero, half) = (E::zero(), E::constant(0.5));
    let middle = |r: &Round<E>| (r.ends[0] + r.ends[1]) * half;
    let tiny = E::constant(1e-30);
    let mut best = None;
    // The normal of a cone leans by its slope: across(u) with n·u = −k.
    let lean = |u: Vec3<E>, n: Vec3<E>, k: E| n * (E::one() - k * k).max(zero).sqrt() - u * k;
    let crossed = unit(a.axis.cross(b.axis), either::<E>(1e-4, 1e-8)).unwrap_or(across(a.axis));
    let found_by_cones = stationary(a.ends[0], a.axis, a.slope, b.ends[0], b.axis, b.slope).map(|s| s.2);
    let candidates = [
        found_by_cones,
        Some(crossed),
        unit(middle(b) - middle(a), tiny),
        unit(b.ends[0] - a.ends[0], tiny),
        Some(lean(a.axis, crossed, a.slope)),
        Some(lean(a.axis, across(a.axis), a.slope)),
        Some(-lean(b.axis, -across(b.axis), b.slope)),
    ];
    for n in candidates.into_iter().flatten() {
        for n in [n, -n] {
            let separation = -b.support(-n) - a.support(n);
            if n.length2().is_finite() && best.is_none_or(|(s, _)| separation > s) {
                best = Some((separation, n));
            }
        }
    }
    if let Some((separation, normal)) = best {
        found.normal = normal;
        found.separation = separation;
    }
}

/// Sine of the angle up to which two generators count as one line of contact.
const PARALLEL: f64 = 0.05;

pub(super) fn round_round<E: Elem>(a: &Round<E>, b: &Round<E>, reach: E, out: &mut Manifold<E>) {
    let (zero, one, half) = (E::zero(), E::one(), E::constant(0.5));
    let near = nearest(a, b);
    if !below(near.separation, reach) {
        return;
    }
    let n = near.normal;
    out.normal = n;
    if a.length > zero && b.length > zero {
        // The lines in which the shapes would touch a common tangent plane.
        let (ga, gb) = (a.axis + n * a.slope, b.axis - n * b.slope);
        let (la, lb) = (ga.length2(), gb.length2());
        let limit = E::constant(PARALLEL * PARALLEL);
        let slant = ga.dot(n);
        if ga.cross(gb).length2() < limit * la * lb && slant * slant < E::constant(4.0) * limit * la {
            let (a0, b0) = (a.ends[0] + n * a.radii[0], b.ends[0] - n * b.radii[0]);
            let inv = one / la;
            let first = (b0 - a0).dot(ga) * inv;
            let last = first + b.length * gb.dot(ga) * inv;
            let (low, high) = (first.min(last).max(zero), first.max(last).min(a.length));
            if high - low > a.length.min(b.length) * E::constant(1e-2) {
                let inv = one / lb;
                let place = |y: E| {
                    let p = a.center(y) + n * a.radius(y);
                    let z = b.clamp((p - b0).dot(gb) * inv);
                    let q = b.center(z) - n * b.radius(z);
                    let straight = (b.center(z) - a.center(y)).length() - a.radius(y) - b.radius(z);
                    ((p + q) * half, straight.max((q - p).dot(n)))
                };
                let (p, q) = (place(low), place(high));
                // Where the axes meet the distance of centres says nothing.
                let slack = (a.radii[0] + b.radii[0]).max(a.radii[1] + b.radii[1]) * E::constant(0.02);
                if p.1.min(q.1) < near.separation + slack {
                    for (feature, (position, separation)) in [(1, p), (2, q)] {
                        if separation < reach {
                            out.push(position, separation, feature);
                        }
                    }
                    if out.count > 0 {
                        return;
                    }
                }
            }
        }
    }
    let p = a.center(near.y) + n * a.radius(near.y);
    let q = b.center(near.z) - n * b.radius(near.z);
    out.push((p + q) * half, near.separation, 0);
}
