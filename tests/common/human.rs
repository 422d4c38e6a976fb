//! A body of sixteen parts, for tests: pelvis, chest and head on arcs, limbs on ball joints and hinges.
#![allow(dead_code)]

use withy::world::*;

pub struct Human {
    pub bodies: Vec<Id>,
    pub joints: Vec<Id>,
    pub spine: Id,
}

/// EI and GJ of the spine, N m².
pub const SPINE_BEND: f64 = 20.0;
pub const SPINE_TWIST: f64 = 15.0;

/// A rotation about an axis by an angle.
pub fn turn(axis: [f64; 3], angle: f64) -> [f64; 4] {
    let (s, c) = (angle / 2.0).sin_cos();
    [axis[0] * s, axis[1] * s, axis[2] * s, c]
}

pub fn times(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

pub fn rotate(q: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let p = times(times(q, [v[0], v[1], v[2], 0.0]), [-q[0], -q[1], -q[2], q[3]]);
    [p[0], p[1], p[2]]
}

/// (name, parent, centre, half length, radius, axis along x?, mass)
type Part = (&'static str, usize, [f64; 3], f64, f64, bool, f64);
const PARTS: [Part; 16] = [
    ("pelvis", 0, [0.0, 1.0, 0.0], 0.08, 0.11, true, 11.0),
    ("chest", 0, [0.0, 1.35, 0.0], 0.09, 0.13, true, 20.0),
    ("head", 15, [0.0, 1.68, 0.0], 0.05, 0.1, false, 5.0),
    ("upper arm", 1, [0.33, 1.45, 0.0], 0.1, 0.05, true, 2.0),
    ("lower arm", 3, [0.6, 1.45, 0.0], 0.09, 0.04, true, 1.2),
    ("hand", 4, [0.8, 1.45, 0.0], 0.04, 0.04, true, 0.5),
    ("upper arm", 1, [-0.33, 1.45, 0.0], 0.1, 0.05, true, 2.0),
    ("lower arm", 6, [-0.6, 1.45, 0.0], 0.09, 0.04, true, 1.2),
    ("hand", 7, [-0.8, 1.45, 0.0], 0.04, 0.04, true, 0.5),
    ("upper leg", 0, [0.1, 0.72, 0.0], 0.13, 0.07, false, 8.0),
    ("lower leg", 9, [0.1, 0.31, 0.0], 0.14, 0.05, false, 3.5),
    ("foot", 10, [0.1, 0.06, 0.06], 0.07, 0.04, false, 1.0),
    ("upper leg", 0, [-0.1, 0.72, 0.0], 0.13, 0.07, false, 8.0),
    ("lower leg", 12, [-0.1, 0.31, 0.0], 0.14, 0.05, false, 3.5),
    ("foot", 13, [-0.1, 0.06, 0.06], 0.07, 0.04, false, 1.0),
    ("neck", 1, [0.0, 1.55, 0.0], 0.01, 0.05, false, 1.0),
];

/// Where each part hangs on its parent.
const ANCHORS: [[f64; 3]; 16] = [
    [0.0, 1.0, 0.0],
    [0.0, 1.18, 0.0],
    [0.0, 1.58, 0.0],
    [0.2, 1.45, 0.0],
    [0.47, 1.45, 0.0],
    [0.72, 1.45, 0.0],
    [-0.2, 1.45, 0.0],
    [-0.47, 1.45, 0.0],
    [-0.72, 1.45, 0.0],
    [0.1, 0.93, 0.0],
    [0.1, 0.52, 0.0],
    [0.1, 0.1, 0.02],
    [-0.1, 0.93, 0.0],
    [-0.1, 0.52, 0.0],
    [-0.1, 0.1, 0.02],
    [0.0, 1.5, 0.0],
];

/// Stands at `at`, turned by `q` about its pelvis.
pub fn human(w: &mut World, at: [f64; 3], q: [f64; 4], group: u32) -> Human {
    made(w, at, q, group, 1.0)
}

/// The same without anything that damps: nothing in air or flesh, only what collides.
pub fn undamped_human(w: &mut World, at: [f64; 3], q: [f64; 4], group: u32) -> Human {
    made(w, at, q, group, 0.0)
}

/// `damped`: a factor of all damping.
fn made(w: &mut World, at: [f64; 3], q: [f64; 4], group: u32, damped: f64) -> Human {
    let place = |p: [f64; 3]| {
        let r = rotate(q, [p[0], p[1] - 1.0, p[2]]);
        [at[0] + r[0], at[1] + r[1], at[2] + r[2]]
    };
    let mut bodies = Vec::new();
    for (name, _, center, half, radius, sideways, mass) in PARTS {
        let along = if sideways { turn([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_2) } else { [0.0, 0.0, 0.0, 1.0] };
        let along = if name == "foot" { turn([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2) } else { along };
        let shape = BodyShape::Capsule { half_height: half, radius };
        let d = BodyDesc {
            pose: Pose { position: place(center), rotation: q },
            shapes: vec![ShapeDesc { shape, pose: Pose { position: [0.0; 3], rotation: along }, ..ShapeDesc::default() }],
            mass,
            group,
            linear_damping: damped * BodyDesc::default().linear_damping,
            angular_damping: damped * BodyDesc::default().angular_damping,
            can_sleep: damped > 0.0,
            ..BodyDesc::default()
        };
        bodies.push(w.add_body(&d).unwrap());
    }
    let mut joints = Vec::new();
    let mut spine = Id::default();
    for (k, &(name, parent, center, ..)) in PARTS.iter().enumerate().skip(1) {
        let parent_center = PARTS[parent].2;
        // The third axis: up the spine, along the limb.
        let axis = match name {
            "chest" | "head" | "neck" => turn([1.0, 0.0, 0.0], -std::f64::consts::FRAC_PI_2),
            "upper arm" | "lower arm" | "hand" => {
                turn([0.0, 1.0, 0.0], std::f64::consts::FRAC_PI_2 * if center[0] > 0.0 { 1.0 } else { -1.0 })
            }
            _ => turn([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2),
        };
        let frame = |c: [f64; 3], a: [f64; 3]| Pose { position: [a[0] - c[0], a[1] - c[1], a[2] - c[2]], rotation: axis };
        let (kind, a, b) = match name {
            "chest" => {
                let arc = ArcDesc { bend: [SPINE_BEND; 2], twist: SPINE_TWIST, viscosity: 0.05 * damped, ..ArcDesc::default() };
                (JointKind::Arc(arc), frame(parent_center, [0.0, 1.05, 0.0]), frame(center, [0.0, 1.3, 0.0]))
            }
            "lower arm" | "lower leg" => {
                // About x for knees, about y for elbows.
                let side = if name == "lower leg" {
                    turn([0.0, 1.0, 0.0], std::f64::consts::FRAC_PI_2)
                } else {
                    turn([1.0, 0.0, 0.0], -std::f64::consts::FRAC_PI_2)
                };
                let f = |c: [f64; 3]| Pose { rotation: side, ..frame(c, ANCHORS[k]) };
                let limits = if name == "lower leg" {
                    [0.0, 2.4]
                } else if center[0] > 0.0 {
                    [-2.4, 0.0]
                } else {
                    [0.0, 2.4]
                };
                (JointKind::Hinge { limits }, f(parent_center), f(center))
            }
            _ => {
                let wide = match name {
                    "upper arm" => 1.4,
                    "upper leg" => 1.0,
                    _ => 0.5,
                };
                let limits = BallLimits { swing: [wide, wide * 0.8], twist: [-0.4, 0.4] };
                (JointKind::Ball { limits: Some(limits) }, frame(parent_center, ANCHORS[k]), frame(center, ANCHORS[k]))
            }
        };
        // What flesh and sinews take.
        let damping = match name {
            "hand" | "foot" | "neck" | "head" => 0.1,
            _ => 0.5,
        };
        let motor = (name != "chest" && damped > 0.0).then(|| MotorDesc { damping: [damping; 3], ..MotorDesc::default() });
        let j = JointDesc { a: Some(bodies[parent]), b: bodies[k], frame_a: a, frame_b: b, kind, motor, collide: false };
        let j = w.add_joint(&j).unwrap();
        if name == "chest" {
            spine = j;
        }
        joints.push(j);
    }
    Human { bodies, joints, spine }
}
