//! Limits of an arc: its bend stays in an elliptic cone, its twist between two angles, whatever pulls.

use withy::world::*;

const DT: f64 = 1.0 / 60.0;
const LIMITS: BallLimits = BallLimits { swing: [0.5, 0.2], twist: [-0.3, 0.1] };

/// A rod of 0.5 m that stands on the ground, bends about x and z and twists about y, with a body on its top.
struct Rod {
    world: World,
    body: Id,
    arc: Id,
}

fn rod(desc: WorldDesc, mass: f64, limits: Option<BallLimits>) -> Rod {
    let mut world = World::new(desc).unwrap();
    let body = BodyDesc {
        pose: Pose { position: [0.0, 0.5, 0.0], ..Pose::IDENTITY },
        shapes: vec![ShapeDesc { shape: BodyShape::Box { half_extents: [0.15, 0.2, 0.1] }, ..ShapeDesc::default() }],
        mass,
        can_sleep: false,
        ..BodyDesc::default()
    };
    let body = world.add_body(&body).unwrap();
    let s = 0.5f64.sqrt();
    // The third axis up, the first along x, the second along −z.
    let up = Pose { position: [0.0; 3], rotation: [-s, 0.0, 0.0, s] };
    let arc = ArcDesc { bend: [2.0, 2.0], twist: 10.0, viscosity: 0.3, limits, ..ArcDesc::default() };
    let desc = JointDesc { a: None, b: body, frame_a: up, frame_b: up, kind: JointKind::Arc(arc), motor: None, collide: false };
    let arc = world.add_joint(&desc).unwrap();
    Rod { world, body, arc }
}

fn still() -> WorldDesc {
    WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() }
}

impl Rod {
    /// `frames` with a torque on the body.
    fn turn(&mut self, torque: [f64; 3], frames: usize) -> f64 {
        let mut most = 0.0f64;
        for _ in 0..frames {
            self.world.push_body(self.body, [0.0; 3], None, torque).unwrap();
            self.world.step(DT, &Inline).unwrap();
            most = most.max(self.world.joint_error(self.arc).unwrap()[1]);
        }
        most
    }
    /// Bend about the frames' first and second axis, and twist, from the body's rotation, which starts as the identity.
    fn strain(&self) -> [f64; 3] {
        // T(τ/2) S T(τ/2) about y has w = cos ψ/2 cos τ/2, y = cos ψ/2 sin τ/2, and x, z that only the bend has.
        let [x, y, z, w] = self.world.body_pose(self.body).unwrap().rotation;
        let (sine, cosine) = ((x * x + z * z).sqrt(), (w * w + y * y).sqrt());
        let part = if sine > 0.0 { 2.0 * sine.atan2(cosine) / sine } else { 2.0 };
        let sign = w.signum();
        [part * x * sign, -part * z * sign, 2.0 * (y * sign).atan2(w * sign)]
    }
}

#[test]
fn the_bend_stays_in_an_elliptic_cone() {
    for (substeps, iterations) in [(4, 5), (1, 20)] {
        let world = || WorldDesc { substeps, iterations, ..still() };
        let mut worst = 0.0f64;
        for k in 0..12 {
            let angle = std::f64::consts::TAU * f64::from(k) / 12.0;
            let torque = [10.0 * angle.cos(), 0.0, -10.0 * angle.sin()];
            // Without limits it would bend by 2.5 rad.
            let mut free = rod(world(), 5.0, None);
            free.turn(torque, 240);
            let [x, y, _] = free.strain();
            assert!((x * x + y * y).sqrt() > 2.0, "{:?}", free.strain());
            let mut held = rod(world(), 5.0, Some(LIMITS));
            let swung = held.turn(torque, 240);
            let [x, y, twist] = held.strain();
            let f = ((x / LIMITS.swing[0]).powi(2) + (y / LIMITS.swing[1]).powi(2)).sqrt();
            worst = worst.max((f - 1.0).abs());
            println!(
                "{substeps} × {iterations}, {:.0}°: {x:.4} {y:.4} {twist:.1e}, f = {f:.4}, at most {swung:.4} beyond",
                angle.to_degrees()
            );
            assert!((f - 1.0).abs() < 0.02, "{f}");
            // What pulls is not quite across the bent rod.
            assert!(twist.abs() < 0.1, "{twist}");
            assert!(swung < 0.05, "{swung}");
            // Where the cone's normal is along what pulls: the torque in the plane of the bends is the gradient of f.
            let (gx, gy) = (x / LIMITS.swing[0].powi(2), y / LIMITS.swing[1].powi(2));
            let off = (gx * angle.sin() - gy * angle.cos()) / (gx * gx + gy * gy).sqrt();
            assert!(off.abs() < 0.2, "{off}");
        }
        println!("{substeps} × {iterations}: the cone holds to {worst:.4} of its width");
    }
}

#[test]
fn the_twist_stays_between_its_angles() {
    for (torque, limit) in [(10.0, 0.1), (-10.0, -0.3)] {
        let mut free = rod(still(), 5.0, None);
        free.turn([0.0, torque, 0.0], 240);
        assert!(free.strain()[2] * torque.signum() > 0.45, "{:?}", free.strain());
        let mut held = rod(still(), 5.0, Some(LIMITS));
        held.turn([0.0, torque, 0.0], 240);
        let [x, y, twist] = held.strain();
        println!("{torque} N m: {x} {y} {twist}");
        assert!((twist - limit).abs() < 5e-3, "{twist}");
        assert!(x.abs() < 1e-2 && y.abs() < 1e-2, "{x} {y}");
    }
}

/// A chest on its side, at the end of a lying spine.
#[test]
fn a_weight_rests_on_the_limit() {
    for (substeps, iterations, most) in [(4, 5, 0.001), (1, 20, 0.01)] {
        for direction in 0..4 {
            let angle = std::f64::consts::FRAC_PI_2 * f64::from(direction);
            let gravity = [9.81 * angle.sin(), 0.0, 9.81 * angle.cos()];
            let desc = WorldDesc { gravity, substeps, iterations, ..WorldDesc::default() };
            let mut held = rod(desc, 30.0, Some(LIMITS));
            for _ in 0..300 {
                held.world.step(DT, &Inline).unwrap();
            }
            let [x, y, twist] = held.strain();
            let f = ((x / LIMITS.swing[0]).powi(2) + (y / LIMITS.swing[1]).powi(2)).sqrt();
            let beyond = (x * x + y * y).sqrt() * (1.0 - 1.0 / f);
            let e = held.world.joint_error(held.arc).unwrap();
            println!("{substeps} × {iterations}, {direction}: {x:.4} {y:.4} {twist:.4}, {beyond:.5} beyond; errors {e:?}");
            assert!(beyond.abs() < most, "{beyond}");
            assert!(e[0] < 1e-4 && e[1] < most, "{e:?}");
        }
    }
}

#[test]
fn limits_come_and_go_at_run_time_and_errors_tell() {
    let mut r = rod(still(), 5.0, None);
    r.turn([4.0, 0.0, 0.0], 400);
    let bent = r.strain()[0];
    assert!((bent - 1.0).abs() < 1e-2, "{bent}");
    let set = |r: &mut Rod, limits: Option<BallLimits>| {
        let arc = r.arc;
        let change = &mut |d: &mut JointDesc| {
            let JointKind::Arc(arc) = &mut d.kind else { panic!() };
            arc.limits = limits;
        };
        r.world.change_joint(arc, change).unwrap();
    };
    let length = r.world.joint(r.arc).unwrap().length();
    for (swing, twist, error) in
        [([0.7, 2.0], [-0.1, 0.1], bent - 0.7), ([1.5, 0.1], [0.2, 0.3], 0.2), ([1.5, 0.1], [-0.2, 0.3], 0.0)]
    {
        set(&mut r, Some(BallLimits { swing, twist }));
        let e = r.world.joint_error(r.arc).unwrap()[1];
        assert!((e - error).abs() < 2e-3, "{swing:?}: {e}, should be {error}");
        assert_eq!(r.world.joint(r.arc).unwrap().length(), length);
    }
    // What was bent further is brought back, and let go again.
    set(&mut r, Some(LIMITS));
    r.turn([4.0, 0.0, 0.0], 120);
    assert!((r.strain()[0] - 0.5).abs() < 0.01, "{:?}", r.strain());
    set(&mut r, None);
    r.turn([4.0, 0.0, 0.0], 400);
    assert!((r.strain()[0] - bent).abs() < 1e-2, "{:?}", r.strain());
}

#[test]
fn limits_out_of_reach_change_nothing() {
    let swing = |limits: Option<BallLimits>| {
        let mut r = rod(WorldDesc::default(), 5.0, limits);
        let torque = [1.5, 1.0, -0.7];
        r.turn(torque, 200);
        (r.world.body_pose(r.body).unwrap(), r.world.body_motion(r.body).unwrap())
    };
    use std::f64::consts::PI;
    assert_eq!(swing(None), swing(Some(BallLimits { swing: [PI; 2], twist: [-PI, PI] })));
    assert_eq!(swing(None), swing(Some(BallLimits { swing: [PI, 3.1], twist: [-PI, 3.0] })));
}

/// A motor that pulls beyond the limits gets no further, with all three elements in one joint.
#[test]
fn a_motor_is_stopped_by_the_limits() {
    let mut r = rod(still(), 5.0, Some(LIMITS));
    let half = 0.6f64;
    let target = [half.sin(), 0.0, 0.0, half.cos()];
    let motor = MotorDesc { stiffness: [30.0; 3], damping: [3.0; 3], target, ..MotorDesc::default() };
    r.world.change_joint(r.arc, &mut |d| d.motor = Some(motor)).unwrap();
    r.turn([0.0; 3], 240);
    let [x, y, twist] = r.strain();
    println!("{x} {y} {twist}");
    assert!((x - 0.5).abs() < 0.01 && y.abs() < 0.01 && twist.abs() < 0.01, "{x} {y} {twist}");
}

#[test]
fn bad_limits_are_refused_by_name() {
    let mut r = rod(still(), 1.0, None);
    let good = r.world.joint(r.arc).unwrap().desc.clone();
    for (swing, twist, what) in [
        ([-0.1, 1.0], [0.0; 2], "limits.swing[0] is -0.1"),
        ([1.0, f64::NAN], [0.0; 2], "limits.swing[1] is NaN"),
        ([1.0, 4.0], [0.0; 2], "limits.swing[1] is 4"),
        ([1.0; 2], [-4.0, 0.0], "limits.twist[0] is -4"),
        ([1.0; 2], [0.0, f64::NAN], "limits.twist[1] is NaN"),
        ([1.0; 2], [0.5, 0.25], "limits.twist are 0.5 and 0.25"),
    ] {
        let mut bad = good.clone();
        let JointKind::Arc(arc) = &mut bad.kind else { panic!() };
        arc.limits = Some(BallLimits { swing, twist });
        let e = r.world.add_joint(&bad).unwrap_err();
        assert!(e.message.contains(what), "{} should name {what}", e.message);
        let e = r.world.change_joint(r.arc, &mut |d| *d = bad.clone()).unwrap_err();
        assert!(e.message.contains(what), "{} should name {what}", e.message);
        assert_eq!(r.world.joint(r.arc).unwrap().desc, good);
    }
}

/// A cone of sixteen segments and its four ribs, a fan of eight and its two edges, as of a ball.
#[test]
fn limits_are_drawn() {
    let drawn = |limits: Option<BallLimits>| {
        let mut count = 0;
        rod(still(), 1.0, limits).world.debug_lines(|_, _, color| count += usize::from(color == 0xe0_e0_40_ff));
        count
    };
    assert_eq!((drawn(None), drawn(Some(LIMITS))), (0, 30));
}

/// A natural twist near half a turn, and a pose on its other side: the way back is the short one, 0.28 rad, not 6.
#[test]
fn a_natural_twist_near_half_a_turn() {
    for (rest, start) in [(3.0, -3.0), (-3.0, 3.0), (3.1, 2.5), (2.0, -2.0)] {
        let mut r = rod(still(), 1.0, None);
        r.world
            .change_joint(r.arc, &mut |d| {
                if let JointKind::Arc(arc) = &mut d.kind {
                    arc.rest = [0.0, 0.0, rest];
                }
            })
            .unwrap();
        let turned = Pose { position: [0.0, 0.5, 0.0], rotation: [0.0, (start / 2.0f64).sin(), 0.0, (start / 2.0f64).cos()] };
        r.world.set_body_pose(r.body, turned).unwrap();
        r.turn([0.0; 3], 1);
        let spin = r.world.body_motion(r.body).unwrap()[1][1];
        let way = (rest - start + 3.0 * core::f64::consts::PI).rem_euclid(core::f64::consts::TAU) - core::f64::consts::PI;
        assert!(spin * way > 0.0, "{rest} from {start}: {spin} rad/s for {way} rad");
        r.turn([0.0; 3], 600);
        let off = r.strain()[2] - rest;
        let off = off - (off / core::f64::consts::TAU).round() * core::f64::consts::TAU;
        assert!(off.abs() < 1e-3, "{rest} from {start}: {off} rad off");
    }
}
