//! A head that nobody has to license: a smooth union of seven capsules, used three ways, so that they agree: as colliders, as a
//! mesh to draw, and as the scalp that hair grows on.
//!
//! Metres, Y up, the face along +Z, the origin between the ears. 0.16 m wide, 0.21 m from chin to crown, as an adult's.
//! Source of the smooth minimum: I. Quilez, "Smooth minimum" (the quadratic polynomial one).

use super::mesh::TriMesh;
use withy_math::approx::sin_cos;

/// A capsule; a sphere when its ends meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadShape {
    pub a: [f32; 3],
    pub b: [f32; 3],
    pub radius: f32,
}

const fn capsule(a: [f32; 3], b: [f32; 3], radius: f32) -> HeadShape {
    HeadShape { a, b, radius }
}

/// The head's colliders. The mesh covers them: smoothing only adds.
pub const HEAD_SHAPES: [HeadShape; 7] = [
    // Skull, front to back, and the lower back of it.
    capsule([0.0, 0.014, -0.024], [0.0, 0.012, 0.020], 0.076),
    capsule([0.0, -0.014, -0.032], [0.0, -0.014, -0.032], 0.068),
    // Face and chin.
    capsule([0.0, -0.020, 0.038], [0.0, -0.070, 0.044], 0.050),
    capsule([0.0, -0.096, 0.062], [0.0, -0.096, 0.062], 0.024),
    // Nose.
    capsule([0.0, -0.016, 0.090], [0.0, -0.046, 0.102], 0.010),
    // Neck.
    capsule([0.0, -0.060, -0.018], [0.0, -0.190, -0.040], 0.052),
    // Both ears, as a bar through the head.
    capsule([-0.080, -0.022, -0.008], [0.080, -0.022, -0.008], 0.013),
];

/// Radius of the fillet where two capsules meet.
const BLEND: f64 = 0.022;
/// The neck is cut off level here.
const NECK_CUT: f64 = -0.190;

/// The signed distance to the head, about: negative inside. Its gradient at the surface is the normal.
pub(crate) fn distance(p: [f64; 3]) -> f64 {
    let mut union = f64::INFINITY;
    for shape in &HEAD_SHAPES {
        let (a, b) = (shape.a.map(f64::from), shape.b.map(f64::from));
        let (ab, ap) = (sub(b, a), sub(p, a));
        let length2 = dot(ab, ab);
        let t = if length2 > 0.0 { (dot(ap, ab) / length2).clamp(0.0, 1.0) } else { 0.0 };
        let to = sub(ap, ab.map(|x| x * t));
        let distance = dot(to, to).sqrt() - f64::from(shape.radius);
        // Small parts get small fillets, else the nose drowns.
        let blend = BLEND.min(1.2 * f64::from(shape.radius));
        let h = (blend - (union - distance).abs()).max(0.0);
        union = union.min(distance) - if h > 0.0 { h * h / (4.0 * blend) } else { 0.0 };
    }
    union.max(NECK_CUT - p[1])
}

pub(crate) fn normal(p: [f64; 3]) -> [f64; 3] {
    const STEP: f64 = 1e-4;
    let gradient = [0, 1, 2].map(|axis| {
        let (mut ahead, mut behind) = (p, p);
        ahead[axis] += STEP;
        behind[axis] -= STEP;
        distance(ahead) - distance(behind)
    });
    normalized(gradient)
}

/// Where the ray from the head's middle along the unit vector `direction` leaves the head.
pub(crate) fn surface(direction: [f64; 3]) -> [f64; 3] {
    let at = |t: f64| direction.map(|x| x * t);
    let mut outside = 0.30;
    while outside > 0.0 && distance(at(outside - 0.005)) > 0.0 {
        outside -= 0.005;
    }
    let mut inside = outside - 0.005;
    for _ in 0..40 {
        let middle = 0.5 * (inside + outside);
        if distance(at(middle)) > 0.0 {
            outside = middle;
        } else {
            inside = middle;
        }
    }
    at(outside)
}

/// Whether hair grows where `direction` leaves the head: above a line from the forehead over the ears to the nape.
pub(crate) fn is_scalp(direction: [f64; 3]) -> bool {
    let [x, y, z] = direction;
    let level = (x * x + z * z).sqrt();
    let forward = if level > 0.0 { z / level } else { 0.0 };
    y > 0.10 + 0.44 * forward
}

/// The head as a closed mesh of 6,144 triangles.
pub fn head_mesh() -> TriMesh {
    const AROUND: u32 = 64;
    const RINGS: u32 = 49;
    let mut mesh = TriMesh::default();
    let mut push = |direction: [f64; 3]| mesh.points.push(surface(direction).map(|x| x as f32));
    push([0.0, 1.0, 0.0]);
    for ring in 1..RINGS {
        let (sin, cos) = sin_cos(std::f64::consts::PI * f64::from(ring) / f64::from(RINGS));
        for step in 0..AROUND {
            let (x, z) = sin_cos(2.0 * std::f64::consts::PI * f64::from(step) / f64::from(AROUND));
            push([sin * x, cos, sin * z]);
        }
    }
    push([0.0, -1.0, 0.0]);
    let last = mesh.points.len() as u32 - 1;
    let vertex = |ring: u32, step: u32| 1 + (ring - 1) * AROUND + step % AROUND;
    for step in 0..AROUND {
        mesh.triangles.push([0, vertex(1, step), vertex(1, step + 1)]);
        for ring in 1..RINGS - 1 {
            let (a, b) = (vertex(ring, step), vertex(ring, step + 1));
            let (c, d) = (vertex(ring + 1, step), vertex(ring + 1, step + 1));
            mesh.triangles.extend([[a, c, d], [a, d, b]]);
        }
        mesh.triangles.push([last, vertex(RINGS - 1, step + 1), vertex(RINGS - 1, step)]);
    }
    mesh
}

pub(crate) fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `a + b s`.
pub(crate) fn along(a: [f64; 3], b: [f64; 3], s: f64) -> [f64; 3] {
    [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s]
}

/// Unit vector, or +Y for no vector at all.
pub(crate) fn normalized(a: [f64; 3]) -> [f64; 3] {
    let length = dot(a, a).sqrt();
    if length > 0.0 { a.map(|x| x / length) } else { [0.0, 1.0, 0.0] }
}
