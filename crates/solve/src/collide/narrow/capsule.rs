//! A capsule around each shape. If two capsules are apart, so are the shapes: a tenth of the work
//! of testing the shapes.

use super::shape::Geometry;
use crate::math::lane::Record;
use crate::math::lane::{Lane, RECORD};
use crate::math::vec3::vec3;
use crate::math::{Elem, Gather, Real, Transform, Vec3};

/// All points within `radius` of the segment from `middle - arm` to `middle + arm`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule<E> {
    pub middle: Vec3<E>,
    pub arm: Vec3<E>,
    pub radius: E,
}

/// Part of the radii and arms by which they grow: what rounding could do, and nearest points of arms that are parallel to it.
const SLACK: f64 = 1e-3;

impl<E: Elem> Capsule<E> {
    /// Around a shape, in its own frame. Around planes and meshes it is endless.
    pub fn around(g: &Geometry<E>) -> Self {
        let upright = |arm: E, radius: E| Capsule { middle: Vec3::zero(), arm: vec3(E::zero(), arm, E::zero()), radius };
        match g {
            Geometry::Sphere { radius } => upright(E::zero(), *radius),
            Geometry::Capsule { half_height, radius } => upright(*half_height, *radius),
            Geometry::TaperedCapsule { half_height, bottom, top } => upright(*half_height, bottom.max(*top)),
            Geometry::Box { half_extents } => Self::around_box(Vec3::zero(), *half_extents),
            Geometry::Hull(_) => {
                let b = g.bounds(&Transform::identity());
                let half = E::constant(0.5);
                Self::around_box((b.min + b.max) * half, (b.max - b.min) * half)
            }
            Geometry::Plane | Geometry::Mesh(_) => upright(E::zero(), E::from_f64(f64::INFINITY)),
        }
    }

    /// Along the longest edges; the corners of the ends are on it.
    fn around_box(middle: Vec3<E>, h: Vec3<E>) -> Self {
        let zero = E::zero();
        let (arm, rest) = if h.x >= h.y && h.x >= h.z {
            (vec3(h.x, zero, zero), [h.y, h.z])
        } else if h.y >= h.z {
            (vec3(zero, h.y, zero), [h.z, h.x])
        } else {
            (vec3(zero, zero, h.z), [h.x, h.y])
        };
        Capsule { middle, arm, radius: (rest[0] * rest[0] + rest[1] * rest[1]).sqrt() }
    }

    /// Around all that is nearer to what is in it than `reach`, m.
    #[inline(always)]
    pub fn grown(&self, reach: E) -> Self {
        Capsule { radius: self.radius + (self.radius + self.arm.length()) * E::constant(SLACK) + reach, ..*self }
    }
    #[inline(always)]
    pub fn moved(&self, by: &Transform<E>) -> Self {
        Capsule { middle: by.point(self.middle), arm: by.rotation.rotate(self.arm), radius: self.radius }
    }
    pub fn record(&self) -> Record<E> {
        let (x, u) = (self.middle, self.arm);
        Record([x.x, x.y, x.z, self.radius, u.x, u.y, u.z, E::zero()])
    }
}

impl<T: Real> Capsule<T> {
    /// Whether two have nothing in common. Nearest points of two segments: Ericson, "Real-Time Collision Detection", 5.1.9, without a branch.
    #[inline(always)]
    pub fn is_far(&self, o: &Self) -> T::Mask {
        let (one, tiny) = (T::one(), T::constant(1e-30));
        let (d, u, v) = (o.middle - self.middle, self.arm, o.arm);
        let (uu, vv, uv) = (u.length2(), v.length2(), u.dot(v));
        let (ud, vd) = (u.dot(d), v.dot(d));
        let within = |x: T| x.min(one).max(-one);
        let s = within((ud * vv - uv * vd) / (uu * vv - uv * uv).max(tiny));
        let t = within((uv * s - vd) / vv.max(tiny));
        let s = within((ud + uv * t) / uu.max(tiny));
        let gap = d + v * t - u * s;
        let radii = self.radius + o.radius;
        (radii * radii).lt(gap.length2())
    }
}

/// Pairs that [`far`] takes at once, at most.
pub const MOST_PAIRS: usize = 32;

/// A bit for each pair of capsules that have nothing in common.
///
/// # Panics
/// There are more than [`MOST_PAIRS`].
pub fn far<E: Elem>(capsules: &[Record<E>], pairs: impl ExactSizeIterator<Item = (u32, u32)>) -> u32 {
    let (mut at, count) = ([[0; MOST_PAIRS]; 2], pairs.len());
    for (k, (i, j)) in pairs.enumerate() {
        assert!((i.max(j) as usize) < capsules.len());
        (at[0][k], at[1][k]) = (i * RECORD as u32, j * RECORD as u32);
    }
    let mut answers = [E::zero(); MOST_PAIRS];
    for first in (0..count).step_by(E::Register::N) {
        // SAFETY: these registers are everywhere; lanes beyond the count read the first record.
        unsafe {
            let [a, b] = [0, 1].map(|side| read::<E::Register>(capsules.as_ptr().cast(), at[side].as_ptr().add(first)));
            let (one, zero) = (E::Register::one(), E::Register::zero());
            E::Register::select(a.is_far(&b), one, zero).store(answers.as_mut_ptr().add(first));
        }
    }
    answers[..count].iter().enumerate().fold(0, |far, (k, a)| far | u32::from(E::zero() < *a) << k)
}

/// # Safety
/// That of [`Gather::gather`], for both halves of the records.
#[inline(always)]
unsafe fn read<L: Gather>(base: *const L::Elem, at: *const u32) -> Capsule<L> {
    // SAFETY: the caller's contract.
    let ([x, y, z, radius], [u, v, w, _]) = unsafe { (L::gather(base, at), L::gather(base.add(RECORD / 2), at)) };
    Capsule { middle: vec3(x, y, z), arm: vec3(u, v, w), radius }
}

#[cfg(test)]
mod tests {
    use super::super::{GeometryDesc, Manifold, manifold};
    use super::*;
    use crate::math::Quat;
    use crate::math::rng::Rng;

    fn some(rng: &mut Rng) -> Geometry<f32> {
        let size = |rng: &mut Rng| 10f64.powf(rng.range(-2.0, 0.0));
        let (radius, half_height, top) = (size(rng), size(rng), size(rng));
        let points: Vec<[f64; 3]> = (0..12).map(|_| [0; 3].map(|_| 0.3 + rng.range(-radius, radius))).collect();
        let desc = match (rng.range(0.0, 5.0) as u32, radius) {
            (0, radius) => GeometryDesc::Sphere { radius },
            (1, radius) => GeometryDesc::Capsule { half_height, radius },
            (2, bottom) => GeometryDesc::TaperedCapsule { half_height, bottom, top },
            (3, _) => GeometryDesc::Box { half_extents: [radius, half_height, top] },
            _ => GeometryDesc::Hull { points: &points },
        };
        Geometry::new(&desc).unwrap()
    }

    /// Shapes between which there is a contact are never told to be far, some of those without are, and all round ones at a distance.
    #[test]
    fn what_touches_is_not_far() {
        let mut rng = Rng::new(11);
        let (mut near, mut told, mut apart) = (0, 0, 0);
        let (mut all, mut answers) = (Vec::new(), Vec::new());
        for k in 0..40_000 {
            let (a, b) = (some(&mut rng), some(&mut rng));
            let mut v = |r: f64| [0; 3].map(|_| rng.range(-r, r) as f32);
            let (x, q) = (v(1.5), v(1.0));
            let x = if k % 5 == 0 { [0.0; 3] } else { x };
            let l = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + 0.09).sqrt();
            let turned = Quat { x: q[0] / l, y: q[1] / l, z: q[2] / l, w: 0.3 / l };
            let rotation = if k % 3 == 0 { Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 } } else { turned };
            let pose = Transform { position: vec3(x[0], x[1], x[2]), rotation };
            let reach = rng.range(0.0, 0.1) as f32;
            let [a_around, b_around] = [Capsule::around(&a).grown(0.0), Capsule::around(&b).moved(&pose).grown(reach)];
            let far = a_around.is_far(&b_around);
            all.extend([a_around.record(), b_around.record()]);
            answers.push(far);
            let mut m = Manifold::default();
            manifold(&a, &b, &pose, reach, &mut 0, &mut m);
            assert!(m.count == 0 || !far, "{a:?} {b:?} {pose:?} {reach}: {m:?}");
            near += u32::from(m.count > 0);
            apart += u32::from(m.count == 0);
            told += u32::from(far);
        }
        assert!(near > 8_000 && told * 10 > apart * 9, "{near} near, {told} of {apart} told");
        // Long thin ones, nearly parallel, that cross or nearly do.
        for _ in 0..20_000 {
            let long = rng.range(1.0, 1000.0);
            let [a, b] =
                [(); 2].map(|()| Geometry::<f32>::new(&GeometryDesc::Capsule { half_height: long, radius: 0.01 }).unwrap());
            let w =
                |rng: &mut Rng| (10f64.powf(rng.range(-7.0, -2.0)) * if rng.range(-1.0, 1.0) < 0.0 { -0.5 } else { 0.5 }) as f32;
            let (x, z) = (w(&mut rng), w(&mut rng));
            let rotation = Quat { x, y: 0.0, z, w: (1.0 - x * x - z * z).sqrt() };
            let mut v = |r: f64| rng.range(-r, r) as f32;
            let pose = Transform { position: vec3(v(0.05), v(2.0 * long), v(0.05)), rotation };
            let mut m = Manifold::default();
            manifold(&a, &b, &pose, 0.02, &mut 0, &mut m);
            let far = Capsule::around(&a).grown(0.0).is_far(&Capsule::around(&b).moved(&pose).grown(0.02));
            assert!(m.count == 0 || !far, "{long} {pose:?}: {m:?}");
        }
        // The same from many at once, in groups of any size.
        let mut first = 0;
        while first < answers.len() {
            let count = (1 + first % MOST_PAIRS).min(answers.len() - first);
            let bits = super::far(&all, (first as u32..(first + count) as u32).map(|k| (2 * k, 2 * k + 1)));
            assert!((0..count).all(|k| (bits >> k & 1 == 1) == answers[first + k]), "{first}");
            first += count;
        }
        let endless = Capsule::around(&Geometry::<f32>::Plane);
        assert!(!endless.is_far(&Capsule::around(&Geometry::Sphere { radius: 1.0 })));
        let bad = Capsule { middle: vec3(f32::NAN, 0.0, 0.0), ..endless };
        assert!(!bad.is_far(&Capsule { middle: vec3(9.0, 0.0, 0.0), arm: Vec3::zero(), radius: 1.0 }));
    }
}
