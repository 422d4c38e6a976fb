//! Bodies and joints over the ABI: the same scene in every host's units and axes moves alike. What a host would pass is worked out here
//! with matrices, not with the library's formulas.

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use withy::ffi::{body::*, collider::*, context::*, diagnostics::*, joint::*, library::*, types::*, world::*};

type Mat = [[f64; 3]; 3];

/// A host: `m` turns its axes into those of the library.
#[derive(Clone, Copy)]
struct Host {
    convention: u32,
    unit: f64,
    m: Mat,
    clockwise: bool,
    /// A host that gives angles about axes the wrong sign.
    careless: bool,
}

const HOSTS: [Host; 5] = [
    Host {
        convention: WITHY_CONVENTION_SI,
        unit: 1.0,
        m: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        clockwise: false,
        careless: false,
    },
    Host {
        convention: WITHY_CONVENTION_MAYA,
        unit: 0.01,
        m: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        clockwise: false,
        careless: false,
    },
    Host {
        convention: WITHY_CONVENTION_UNREAL,
        unit: 0.01,
        m: [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
        clockwise: false,
        careless: false,
    },
    Host {
        convention: WITHY_CONVENTION_UNITY,
        unit: 1.0,
        m: [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        clockwise: true,
        careless: false,
    },
    Host {
        convention: WITHY_CONVENTION_BLENDER,
        unit: 1.0,
        m: [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]],
        clockwise: false,
        careless: false,
    },
];

fn times(a: Mat, b: Mat) -> Mat {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}
fn transposed(a: Mat) -> Mat {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
}
fn matrix([x, y, z, w]: [f64; 4]) -> Mat {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}
/// Of a rotation by less than half a turn.
fn quaternion(r: Mat) -> [f64; 4] {
    let w = 0.5 * (1.0 + r[0][0] + r[1][1] + r[2][2]).sqrt();
    [(r[2][1] - r[1][2]) / (4.0 * w), (r[0][2] - r[2][0]) / (4.0 * w), (r[1][0] - r[0][1]) / (4.0 * w), w]
}
fn unit(q: [f64; 4]) -> [f64; 4] {
    let n = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / n)
}

impl Host {
    fn det(&self) -> f64 {
        let [a, b, c] = self.m;
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    }
    fn direction(&self, v: [f64; 3]) -> [f64; 3] {
        let m = transposed(self.m);
        m.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
    }
    fn vec(&self, v: [f64; 3], unit: f64) -> WithyVec3 {
        let [x, y, z] = self.direction(v).map(|x| x / unit);
        WithyVec3 { x, y, z }
    }
    fn point(&self, v: [f64; 3]) -> WithyVec3 {
        self.vec(v, self.unit)
    }
    /// A spin: the matrix of ω × in the host's axes.
    fn spin(&self, [x, y, z]: [f64; 3]) -> WithyVec3 {
        let cross = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
        let c = times(times(transposed(self.m), cross), self.m);
        WithyVec3 { x: c[2][1], y: c[0][2], z: c[1][0] }
    }
    fn rotation(&self, q: [f64; 4]) -> WithyQuat {
        let [x, y, z, w] = quaternion(times(times(transposed(self.m), matrix(unit(q))), self.m));
        WithyQuat { x, y, z, w }
    }
    fn pose(&self, p: [f64; 3], q: [f64; 4]) -> WithyPose {
        WithyPose { position: self.point(p), rotation: self.rotation(q) }
    }
    fn inertia(&self, t: Mat) -> [f64; 6] {
        let t = times(times(transposed(self.m), t), self.m);
        [t[0][0], t[1][1], t[2][2], t[0][1], t[0][2], t[1][2]]
    }
    /// The host's number back in the library's axes.
    fn back(&self, v: [f64; 3]) -> [f64; 3] {
        self.m.map(|row| (row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) * self.unit)
    }
    /// Of angles about axes.
    fn sign(&self) -> f64 {
        if self.careless { -self.det() } else { self.det() }
    }
    fn angles(&self, [low, high]: [f64; 2]) -> [f64; 2] {
        if self.sign() < 0.0 { [-high, -low] } else { [low, high] }
    }
}

fn ok(result: i32) {
    // SAFETY: the library's string.
    assert_eq!(result, WITHY_OK, "{:?}", unsafe { CStr::from_ptr(withy_last_error()) });
}

fn new<T>(init: unsafe extern "C" fn(*mut T, u32) -> i32) -> T {
    let mut def = std::mem::MaybeUninit::<T>::uninit();
    // SAFETY: room for the whole struct, which the call fills.
    unsafe {
        ok(init(def.as_mut_ptr(), size_of::<T>() as u32));
        def.assume_init()
    }
}

fn span<T>(data: &mut [T], format: u32) -> WithySpan {
    WithySpan { data: data.as_mut_ptr().cast(), count: data.len() as u64, stride: 0, format, reserved: 0 }
}

/// Positions, spins (as the three entries of ω ×, turned back), errors and lengths after a second, in the library's axes.
fn run(host: Host) -> Vec<f64> {
    // SAFETY: pointers to locals that outlive the calls, spans inside them.
    unsafe {
        let (mut context, mut world) = (WithyContext::default(), WithyWorld::default());
        let mut context_def = new(withy_context_def_init_sized);
        context_def.convention = host.convention;
        ok(withy_context_create(&context_def, &mut context));
        let mut world_def = new(withy_world_def_init_sized);
        world_def.precision = WITHY_PRECISION_F64;
        ok(withy_world_create(context, &world_def, &mut world));
        let create = |def: &WithyBodyDef| {
            let mut out = WithyBody::default();
            ok(withy_body_create(world, def, &mut out));
            out
        };
        let length = |l: f64| l / host.unit;
        let mut all = Vec::new();

        // What moves the spine: kinematic, tilted.
        let mut capsule = new(withy_shape_def_init_sized);
        (capsule.shape, capsule.radius, capsule.half_height) = (WITHY_SHAPE_TAPERED_CAPSULE, length(0.1), length(0.2));
        (capsule.radius_top, capsule.pose) = (length(0.05), host.pose([0.0, 0.0, 0.02], [0.1, 0.0, 0.2, 1.0]));
        let mut def = new(withy_body_def_init_sized);
        (def.shapes, def.shape_count) = (&capsule, 1);
        def.motion = WITHY_BODY_KINEMATIC;
        def.pose = host.pose([0.0, 2.0, 0.0], [0.2, 0.1, -0.3, 1.0]);
        let a = create(&def);
        // One with a given inertia that has products, spinning.
        let mut heavy = new(withy_body_def_init_sized);
        heavy.flags = WITHY_BODY_INERTIA;
        heavy.mass = 2.0;
        heavy.center_of_mass = host.point([0.02, -0.01, 0.03]);
        heavy.inertia = host.inertia([[0.05, 0.01, -0.005], [0.01, 0.04, 0.008], [-0.005, 0.008, 0.03]]);
        heavy.pose = host.pose([0.1, 2.1, 0.6], [0.1, 0.3, 0.1, 1.0]);
        heavy.velocity = host.point([0.3, 0.0, -0.2]);
        heavy.spin = host.spin([1.0, -2.0, 0.5]);
        let b = create(&heavy);
        heavy.pose = host.pose([0.3, 2.0, 1.1], [0.0, 0.2, 0.1, 1.0]);
        let c = create(&heavy);
        heavy.pose = host.pose([-2.0, 1.5, 0.0], [0.0, 0.0, 0.1, 1.0]);
        let d = create(&heavy);
        all.extend([a, b, c, d]);

        let joint = |def: &WithyJointDef| {
            let mut out = WithyJoint::default();
            ok(withy_joint_create(def, &mut out));
            out
        };
        let sign = host.sign();
        let mut arc = new(withy_joint_def_init_sized);
        (arc.body_a, arc.body_b, arc.kind) = (a, b, WITHY_JOINT_ARC);
        arc.frame_a = host.pose([0.0, 0.1, 0.1], [0.1, -0.1, 0.0, 1.0]);
        arc.frame_b = host.pose([0.0, 0.0, -0.2], [-0.1, 0.2, 0.1, 1.0]);
        (arc.arc.bend, arc.arc.twist, arc.arc.viscosity) = ([6.0, 3.0], 2.0, 0.02);
        (arc.arc.length, arc.arc.rest) = (length(0.4), [0.3, -0.2, 0.4].map(|x| sign * x));
        (arc.swing, arc.twist) = ([0.4, 0.15], host.angles([-0.2, 0.25]));
        let mut ball = new(withy_joint_def_init_sized);
        (ball.body_a, ball.body_b, ball.kind) = (b, c, WITHY_JOINT_BALL);
        ball.frame_a = host.pose([0.0, 0.0, 0.25], [0.0, 0.0, 0.2, 1.0]);
        ball.frame_b = host.pose([0.0, 0.05, -0.25], [0.1, 0.0, 0.0, 1.0]);
        (ball.swing, ball.twist) = ([0.3, 0.8], host.angles([-0.1, 0.6]));
        let mut motor = std::mem::zeroed();
        ok(withy_motor_init(&mut motor));
        (motor.stiffness, motor.damping) = ([3.0, 1.0, 2.0], [0.1, 0.2, 0.3]);
        (motor.target, motor.speed) = (host.rotation([0.1, 0.3, 0.2, 1.0]), [0.5, -1.0, 2.0].map(|x| sign * x));
        ball.motor = &motor;
        let mut hinge = new(withy_joint_def_init_sized);
        (hinge.body_b, hinge.kind, hinge.flags) = (d, WITHY_JOINT_HINGE, WITHY_JOINT_WORLD_FRAMES);
        hinge.frame_a = host.pose([-2.2, 1.6, 0.1], [0.3, 0.1, 0.0, 1.0]);
        (hinge.frame_b, hinge.twist) = (hinge.frame_a, host.angles([-0.2, 0.35]));
        let joints = [joint(&arc), joint(&ball), joint(&hinge)];
        let mut drive = motor;
        (drive.stiffness, drive.damping, drive.speed) = ([0.0; 3], [0.0, 0.0, 50.0], [0.0, 0.0, sign * 1.5]);
        ok(withy_world_set_motors(world, &joints[2], 1, &drive));

        // A floor that is felt from above alone, and a hull that lands on it.
        let corners = [[-5.0, 0.0, -5.0], [-5.0, 0.0, 5.0], [5.0, 0.0, 5.0], [5.0, 0.0, -5.0]];
        let mut corners = corners.map(|p| host.direction(p).map(|x| x / host.unit));
        let mut triangles = if host.clockwise { [[0u32, 2, 1], [0, 3, 2]] } else { [[0, 1, 2], [0, 2, 3]] };
        let mut floor = new(withy_shape_def_init_sized);
        floor.shape = WITHY_SHAPE_MESH;
        floor.positions = span(&mut corners, WITHY_FORMAT_F64);
        floor.triangles = span(&mut triangles, WITHY_FORMAT_U32);
        let mut ground = new(withy_body_def_init_sized);
        (ground.shapes, ground.shape_count, ground.motion) = (&floor, 1, WITHY_BODY_STATIC);
        all.push(create(&ground));
        let points = [[0.3, 0.0, 0.0], [-0.2, 0.0, 0.2], [-0.2, 0.0, -0.2], [0.0, 0.5, 0.1]];
        let mut points = points.map(|p| host.direction(p).map(|x| x / host.unit));
        let mut hull = new(withy_shape_def_init_sized);
        (hull.shape, hull.positions, hull.density) = (WITHY_SHAPE_HULL, span(&mut points, WITHY_FORMAT_F64), 300.0);
        let mut stone = new(withy_body_def_init_sized);
        (stone.shapes, stone.shape_count, stone.pose) = (&hull, 1, host.pose([2.0, 0.6, 1.0], [0.2, 0.1, 0.1, 1.0]));
        let e = create(&stone);
        all.push(e);

        for k in 0..60 {
            let t = k as f64 / 60.0;
            let target = host.pose([0.2 * t, 2.0, 0.0], [0.2, 0.1 + 0.2 * t, -0.3, 1.0]);
            ok(withy_body_set_target(a, &target));
            let (force, point) = (host.vec([0.5, 0.2, -1.0], 1.0), host.point([0.1, 2.1, 0.6]));
            ok(withy_body_push(b, &force, &host.spin([0.1, 0.2, -0.1]), &point));
            ok(withy_world_step(world, 1.0 / 60.0));
        }
        let n = all.len();
        let (mut p, mut q) = (vec![[0.0f64; 3]; n], vec![[0.0f64; 4]; n]);
        let (mut v, mut w) = (p.clone(), p.clone());
        let [mut sp, mut sv, mut sw] = [&mut p, &mut v, &mut w].map(|x| span(x, WITHY_FORMAT_F64));
        let mut sq = span(&mut q, WITHY_FORMAT_F64);
        ok(withy_world_read_bodies(world, null(), WITHY_ALL, &mut sp, &mut sq, &mut sv, &mut sw, null_mut()));
        let mut out = Vec::new();
        for i in 0..n {
            out.extend(host.back(p[i]));
            out.extend(host.back(v[i]));
            // The axes of the body, as the host's formula turns them, seen by the library.
            let r = times(times(host.m, matrix(unit(q[i]))), transposed(host.m));
            out.extend(r.into_iter().flatten());
            let [x, y, z] = w[i];
            let cross = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
            out.extend(times(times(host.m, cross), transposed(host.m)).into_iter().flatten());
        }
        for j in joints {
            let (mut distance, mut angle, mut l) = (0.0, 0.0, 0.0);
            ok(withy_joint_get_error(j, &mut distance, &mut angle));
            ok(withy_joint_get_length(j, &mut l));
            out.extend([distance * host.unit, angle, l * host.unit]);
        }
        let mut contacts = [WithyContact::default(); 32];
        let mut count = 32;
        ok(withy_world_read_contacts(world, contacts.as_mut_ptr(), &mut count));
        assert!(count > 0);
        for c in &contacts[..count as usize] {
            let p = [c.position.x, c.position.y, c.position.z];
            let normal = host.m.map(|row| row[0] * c.normal.x + row[1] * c.normal.y + row[2] * c.normal.z);
            out.extend(host.back(p).into_iter().chain(normal).chain([c.separation * host.unit, c.impulse]));
            assert_eq!((c.body_a.bits, c.body_b.bits), (all[4].bits, e.bits));
        }
        let (mut mass, mut center, mut inertia) = (0.0, WithyVec3::default(), [0.0; 6]);
        ok(withy_body_get_mass(e, &mut mass, &mut center, inertia.as_mut_ptr()));
        out.push(mass);
        out.extend(host.back([center.x, center.y, center.z]));
        let [xx, yy, zz, xy, xz, yz] = inertia;
        out.extend(times(times(host.m, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), transposed(host.m)).into_iter().flatten());
        let mut lines = 0;
        ok(withy_world_debug_lines(world, null_mut(), &mut lines));
        out.push(lines as f64);
        ok(withy_context_destroy(context));
        out
    }
}

#[test]
fn every_convention_sees_the_same_motion() {
    let reference = run(HOSTS[0]);
    assert!(reference.iter().all(|x| x.is_finite()));
    for host in &HOSTS[1..] {
        let other = run(*host);
        assert_eq!(other.len(), reference.len());
        for (i, (a, b)) in reference.iter().zip(&other).enumerate() {
            assert!((a - b).abs() < 1e-6 * (1.0 + a.abs()), "convention {}: number {i} is {b}, should be {a}", host.convention);
        }
    }
}

/// The scene is one in which signs matter.
#[test]
fn a_wrong_sign_would_be_seen() {
    let (reference, other) = (run(HOSTS[0]), run(Host { careless: true, ..HOSTS[0] }));
    let far = |range: std::ops::Range<usize>| range.map(|i| (reference[i] - other[i]).abs()).fold(0.0, f64::max);
    // 24 numbers a body: the spine's, the ball's, the door's.
    for body in 1..4 {
        assert!(far(24 * body..24 * (body + 1)) > 0.05, "body {body}");
    }
}

/// The arc of a spine, drawn: it goes from one frame to the other.
#[test]
fn the_drawn_arc_ends_where_the_other_frame_is() {
    // SAFETY: pointers to locals.
    unsafe {
        let (mut context, mut world) = (WithyContext::default(), WithyWorld::default());
        ok(withy_context_create(null(), &mut context));
        ok(withy_world_create(context, null(), &mut world));
        let mut def = new(withy_body_def_init_sized);
        (def.flags, def.mass, def.inertia) = (WITHY_BODY_INERTIA, 1.0, [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
        let (mut a, mut b, mut j) = (WithyBody::default(), WithyBody::default(), WithyJoint::default());
        ok(withy_body_create(world, &def, &mut a));
        // A quarter turn about x on an arc of radius 1 from the origin along z, then twisted by 0.4.
        let (s, c) = ((0.25 * std::f64::consts::PI).sin(), (0.25 * std::f64::consts::PI).cos());
        def.pose.position = WithyVec3 { x: 0.0, y: -1.0, z: 1.0 };
        // T(0.2) S T(0.2): the bend's axis turned by 0.2 about z, and so is the end.
        let (ts, tc) = ((0.1f64).sin(), (0.1f64).cos());
        let mul = |[ax, ay, az, aw]: [f64; 4], [bx, by, bz, bw]: [f64; 4]| {
            [
                aw * bx + ax * bw + ay * bz - az * by,
                aw * by - ax * bz + ay * bw + az * bx,
                aw * bz + ax * by - ay * bx + az * bw,
                aw * bw - ax * bx - ay * by - az * bz,
            ]
        };
        let q = mul(mul([0.0, 0.0, ts, tc], [s, 0.0, 0.0, c]), [0.0, 0.0, ts, tc]);
        let at = matrix([0.0, 0.0, ts, tc]).map(|row| -row[1] + row[2]);
        def.pose.position = WithyVec3 { x: at[0], y: at[1], z: at[2] };
        def.pose.rotation = WithyQuat { x: q[0], y: q[1], z: q[2], w: q[3] };
        ok(withy_body_create(world, &def, &mut b));
        let mut arc = new(withy_joint_def_init_sized);
        (arc.body_a, arc.body_b, arc.kind) = (a, b, WITHY_JOINT_ARC);
        ok(withy_joint_create(&arc, &mut j));
        let (mut length, mut distance, mut angle) = (0.0, 1.0, 1.0);
        ok(withy_joint_get_length(j, &mut length));
        ok(withy_joint_get_error(j, &mut distance, &mut angle));
        assert!((length - 0.5 * std::f64::consts::PI).abs() < 1e-6, "{length}");
        assert!(distance < 1e-6 && angle < 1e-5, "{distance} {angle}");
        let mut lines = vec![WithyDebugLine { start: [0.0; 3], end: [0.0; 3], rgba: 0, reserved: 0 }; 256];
        let mut count = 256;
        ok(withy_world_debug_lines(world, lines.as_mut_ptr(), &mut count));
        let curve: Vec<&WithyDebugLine> = lines[..count as usize].iter().filter(|l| l.rgba == 0xf0c0_40ff).collect();
        assert_eq!(curve.len(), 16);
        assert_eq!(curve[0].start, [0.0; 3]);
        for k in 0..3 {
            assert!((f64::from(curve[15].end[k]) - at[k]).abs() < 1e-5, "{:?} {at:?}", curve[15].end);
        }
        assert!(curve.windows(2).all(|w| (0..3).all(|k| (w[0].end[k] - w[1].start[k]).abs() < 1e-6)));
        ok(withy_context_destroy(context));
    }
}
