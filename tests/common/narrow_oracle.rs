//! An independent judge of contacts: support functions written from the definitions of the shapes, searched over directions.
#![allow(dead_code)]

use withy::collide::narrow::{Geometry, GeometryDesc};
use withy::math::rng::Rng;
use withy::math::vec3::vec3;
use withy::math::{Elem, Quat, Transform, Vec3};

pub type V = Vec3<f64>;

/// A convex shape, or the plane, with the description it is made from.
#[derive(Clone, Debug)]
pub enum Solid {
    Sphere(f64),
    Capsule(f64, f64),
    Tapered(f64, f64, f64),
    Box([f64; 3]),
    Hull(Vec<[f64; 3]>),
    Plane,
}

impl Solid {
    pub fn geometry<E: Elem>(&self) -> Geometry<E> {
        let desc = match self {
            Solid::Sphere(radius) => GeometryDesc::Sphere { radius: *radius },
            Solid::Capsule(half_height, radius) => GeometryDesc::Capsule { half_height: *half_height, radius: *radius },
            Solid::Tapered(half_height, bottom, top) => {
                GeometryDesc::TaperedCapsule { half_height: *half_height, bottom: *bottom, top: *top }
            }
            Solid::Box(half_extents) => GeometryDesc::Box { half_extents: *half_extents },
            Solid::Hull(points) => GeometryDesc::Hull { points },
            Solid::Plane => GeometryDesc::Plane,
        };
        Geometry::new(&desc).unwrap()
    }

    /// The largest n·x of the shape.
    pub fn support(&self, n: V) -> f64 {
        match self {
            Solid::Sphere(r) => r * n.length(),
            Solid::Capsule(h, r) => (h * n.y).abs() + r * n.length(),
            Solid::Tapered(h, r0, r1) => (-h * n.y + r0 * n.length()).max(h * n.y + r1 * n.length()),
            Solid::Box(h) => (h[0] * n.x).abs() + (h[1] * n.y).abs() + (h[2] * n.z).abs(),
            Solid::Hull(points) => points.iter().fold(f64::NEG_INFINITY, |m, p| m.max(n.dot(Vec3::from(*p)))),
            Solid::Plane => {
                if n.x == 0.0 && n.z == 0.0 && n.y >= 0.0 {
                    0.0
                } else {
                    f64::INFINITY
                }
            }
        }
    }

    /// Is the point inside, grown by `by`?
    pub fn holds(&self, x: V, by: f64) -> bool {
        match self {
            Solid::Sphere(r) => x.length() <= r + by,
            Solid::Capsule(h, r) => (x - vec3(0.0, x.y.clamp(-h, *h), 0.0)).length() <= r + by,
            Solid::Tapered(h, r0, r1) => {
                let most = r0.max(*r1) + by;
                x.x * x.x + x.z * x.z <= most * most
                    && (0..=400).any(|i| {
                        let t = i as f64 / 400.0;
                        (x - vec3(0.0, -h + 2.0 * h * t, 0.0)).length() <= r0 + (r1 - r0) * t + by
                    })
            }
            Solid::Box(h) => x.x.abs() <= h[0] + by && x.y.abs() <= h[1] + by && x.z.abs() <= h[2] + by,
            Solid::Plane => x.y <= by,
            Solid::Hull(_) => {
                let Geometry::Hull(hull) = self.geometry::<f64>() else { unreachable!() };
                hull.faces().iter().all(|f| f.normal.dot(x) <= f.offset + by)
            }
        }
    }

    pub fn size(&self) -> f64 {
        match self {
            Solid::Sphere(r) => *r,
            Solid::Capsule(h, r) => h + r,
            Solid::Tapered(h, a, b) => h + a.max(*b),
            Solid::Box(h) => Vec3::from(*h).length(),
            Solid::Hull(points) => points.iter().fold(0.0, |m, p| m.max(Vec3::from(*p).length())),
            Solid::Plane => 0.0,
        }
    }
}

pub fn direction(rng: &mut Rng) -> V {
    loop {
        let v = vec3(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
        if v.length2() > 1e-3 && v.length2() < 1.0 {
            return v * (1.0 / v.length());
        }
    }
}

pub fn rotation(rng: &mut Rng) -> Quat<f64> {
    let q: Vec<f64> = (0..4).map(|_| rng.range(-1.0, 1.0)).collect();
    let l = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    if l < 1e-2 {
        return Quat::identity();
    }
    Quat { x: q[0] / l, y: q[1] / l, z: q[2] / l, w: q[3] / l }
}

pub fn cast_pose<E: Elem>(t: &Transform<f64>) -> Transform<E> {
    let e = E::from_f64;
    let r = t.rotation;
    Transform { position: t.position.map(e), rotation: Quat { x: e(r.x), y: e(r.y), z: e(r.z), w: e(r.w) } }
}

/// Gap of the shapes along the unit vector n (frame of a, from a to b): negative where they overlap along it.
pub fn gap(a: &Solid, b: &Solid, pose: &Transform<f64>, n: V) -> f64 {
    let back = pose.rotation.conjugate();
    -(a.support(n) + b.support(back.rotate(-n)) - n.dot(pose.position))
}

/// The largest gap over all directions: the distance, or minus the depth. Directions spread evenly, the best improved by steps
/// that shrink.
pub fn separation(a: &Solid, b: &Solid, pose: &Transform<f64>) -> (f64, V) {
    if matches!(a, Solid::Plane) {
        let n = vec3(0.0, 1.0, 0.0);
        return (gap(a, b, pose, n), n);
    }
    let count = 1500;
    let mut starts: Vec<(f64, V)> = (0..count)
        .map(|i| {
            let y = 1.0 - (2.0 * i as f64 + 1.0) / count as f64;
            let (s, c) = (i as f64 * 2.399_963_229_728_653).sin_cos();
            let r = (1.0 - y * y).sqrt();
            let n = vec3(r * c, y, r * s);
            (gap(a, b, pose, n), n)
        })
        .collect();
    starts.sort_by(|x, y| y.0.total_cmp(&x.0));
    let mut rng = Rng::new(1);
    let mut best = starts[0];
    for start in starts.iter().take(12) {
        let (mut value, mut n) = *start;
        let mut step = 0.08;
        let mut fails = 0;
        while step > 1e-10 {
            let m = n + direction(&mut rng) * step;
            let m = m * (1.0 / m.length());
            let v = gap(a, b, pose, m);
            if v > value {
                (value, n) = (v, m);
                fails = 0;
                step *= 1.3;
            } else {
                fails += 1;
                if fails > 12 {
                    step *= 0.5;
                    fails = 0;
                }
            }
        }
        if value > best.0 {
            best = (value, n);
        }
    }
    best
}

pub fn random_solid(rng: &mut Rng, kind: usize) -> Solid {
    let size = |rng: &mut Rng| rng.range(0.1, 1.0);
    match kind {
        0 => Solid::Sphere(size(rng)),
        1 => Solid::Capsule(size(rng), rng.range(0.1, 0.5)),
        2 => {
            let (h, a) = (size(rng), rng.range(0.05, 0.6));
            // Now and then one sphere holds the other.
            Solid::Tapered(h, a, rng.range(0.05, 0.6))
        }
        3 => Solid::Box([size(rng), size(rng), size(rng)]),
        4 => {
            let n = 6 + (rng.next_u64() % 20) as usize;
            Solid::Hull((0..n).map(|_| (direction(rng) * rng.range(0.4, 1.0)).to_array()).collect())
        }
        _ => Solid::Plane,
    }
}

pub const KINDS: [&str; 6] = ["sphere", "capsule", "tapered", "box", "hull", "plane"];
