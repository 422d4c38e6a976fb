//! The host's units and axes, turned into SI, right-handed, Y up, at the boundary and nowhere else.
//!
//! The axes of host and library differ by a signed permutation M (library = M · host) whose determinant is −1 where the host is
//! left-handed. Positions are M x times the unit, directions M v, and whatever turns (quaternions' vector parts, Darboux
//! vectors, twist) is a pseudovector: det M · M ω.

use std::fmt::Display;

use super::context::*;
use super::guard::{Failure, Result};
use super::types::{WithyPose, WithyQuat, WithyVec3};
use crate::world::Pose;

/// Coordinates and speeds beyond this, m and m/s, are refused.
pub use crate::desc::validate::LARGEST;
use crate::desc::validate::{given, number};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Convention {
    /// Library axis i is host axis `axis[i]`, times `sign[i]`.
    axis: [usize; 3],
    sign: [f64; 3],
    det: f64,
    /// How the host winds triangles, seen from outside.
    clockwise: bool,
    /// Metres in a host unit, and host units in a metre.
    metres: f64,
    per_metre: f64,
}

impl Convention {
    pub fn new(convention: u32, metres_per_unit: f64) -> Result<Convention> {
        let (axis, sign, det, per_metre) = match convention {
            WITHY_CONVENTION_SI => ([0, 1, 2], [1.0, 1.0, 1.0], 1.0, 1.0),
            WITHY_CONVENTION_MAYA => ([0, 1, 2], [1.0, 1.0, 1.0], 1.0, 100.0),
            WITHY_CONVENTION_UNREAL => ([0, 2, 1], [1.0, 1.0, 1.0], -1.0, 100.0),
            WITHY_CONVENTION_UNITY => ([0, 1, 2], [-1.0, 1.0, 1.0], -1.0, 1.0),
            WITHY_CONVENTION_BLENDER => ([0, 2, 1], [1.0, 1.0, -1.0], 1.0, 1.0),
            other => return Err(Failure::argument(format!("convention is {other}: not a WITHY_CONVENTION_ value"))),
        };
        let clockwise = convention == WITHY_CONVENTION_UNITY;
        if metres_per_unit == 0.0 {
            return Ok(Convention { axis, sign, det, clockwise, metres: 1.0 / per_metre, per_metre });
        }
        if !(1e-6..=1e6).contains(&metres_per_unit) {
            return Err(Failure::argument(format!("metres_per_unit is {metres_per_unit}: must be 0 or within 1e-6 and 1e6")));
        }
        Ok(Convention { axis, sign, det, clockwise, metres: metres_per_unit, per_metre: 1.0 / metres_per_unit })
    }

    /// How [`Convention::position_out`] places a vector: axis i goes to `axis[i]`, times `sign[i]`, times the units in a metre.
    pub fn place(&self) -> ([usize; 3], [f64; 3], f64) {
        (self.axis, self.sign, self.per_metre)
    }
    pub fn winds_clockwise(&self) -> bool {
        self.clockwise
    }
    pub fn direction_in(&self, v: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|i| self.sign[i] * v[self.axis[i]])
    }
    pub fn direction_out(&self, v: [f64; 3]) -> [f64; 3] {
        let mut out = [0.0; 3];
        for i in 0..3 {
            out[self.axis[i]] = self.sign[i] * v[i];
        }
        out
    }
    pub fn length_out(&self, l: f64) -> f64 {
        l * self.per_metre
    }
    pub fn length_in(&self, l: f64) -> f64 {
        l * self.metres
    }
    pub fn position_in(&self, p: [f64; 3]) -> [f64; 3] {
        self.direction_in(p).map(|x| x * self.metres)
    }
    /// Also velocities and accelerations.
    pub fn position_out(&self, p: [f64; 3]) -> [f64; 3] {
        self.direction_out(p).map(|x| x * self.per_metre)
    }
    /// The size along each axis: no sign.
    pub fn extents_in(&self, e: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|i| e[self.axis[i]] * self.metres)
    }
    /// An angle about a given axis: a left-handed host turns the other way.
    pub fn angle_out(&self, a: f64) -> f64 {
        self.det * a
    }
    /// Turns per length.
    pub fn curvature_in(&self, k: [f64; 3]) -> [f64; 3] {
        self.direction_in(k).map(|x| x * self.det * self.per_metre)
    }
    pub fn curvature_out(&self, k: [f64; 3]) -> [f64; 3] {
        self.direction_out(k).map(|x| x * self.det * self.metres)
    }
    pub fn angle_in(&self, a: f64) -> f64 {
        self.det * a
    }
    /// A range of angles about a given axis: a left-handed host's runs the other way.
    pub fn angles_in(&self, [low, high]: [f64; 2]) -> [f64; 2] {
        if self.det < 0.0 { [-high, -low] } else { [low, high] }
    }
    /// A spin, rad/s, or a moment, N m: what turns, without a length.
    pub fn moment_in(&self, m: [f64; 3]) -> [f64; 3] {
        self.direction_in(m).map(|x| x * self.det)
    }
    pub fn moment_out(&self, m: [f64; 3]) -> [f64; 3] {
        self.direction_out(m).map(|x| x * self.det)
    }
    /// A symmetric tensor (xx, yy, zz, xy, xz, yz) of SI units: M I Mᵀ.
    pub fn tensor_in(&self, t: [f64; 6]) -> [f64; 6] {
        self.tensor(t, |i| (self.axis[i], self.sign[i]))
    }
    pub fn tensor_out(&self, t: [f64; 6]) -> [f64; 6] {
        // Host axis k is library axis i, times its sign.
        self.tensor(t, |k| {
            let i = (0..3).find(|&i| self.axis[i] == k).unwrap_or(k);
            (i, self.sign[i])
        })
    }
    fn tensor(&self, [xx, yy, zz, xy, xz, yz]: [f64; 6], of: impl Fn(usize) -> (usize, f64)) -> [f64; 6] {
        let all = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
        [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|(i, j)| {
            let ((a, s), (b, t)) = (of(i), of(j));
            s * t * all[a][b]
        })
    }
    pub fn rotation_in(&self, [x, y, z, w]: [f64; 4]) -> [f64; 4] {
        let [x, y, z] = self.direction_in([x, y, z]).map(|x| x * self.det);
        [x, y, z, w]
    }
    pub fn rotation_out(&self, [x, y, z, w]: [f64; 4]) -> [f64; 4] {
        let [x, y, z] = self.direction_out([x, y, z]).map(|x| x * self.det);
        [x, y, z, w]
    }
    pub fn pose_out(&self, p: Pose) -> WithyPose {
        let [x, y, z] = self.position_out(p.position);
        let [qx, qy, qz, qw] = self.rotation_out(p.rotation);
        WithyPose { position: WithyVec3 { x, y, z }, rotation: WithyQuat { x: qx, y: qy, z: qz, w: qw } }
    }

    /// A position, velocity or acceleration, checked. `name` says which; `index` where in an array.
    pub fn checked_position(&self, p: [f64; 3], name: impl Display, index: Option<usize>) -> Result<[f64; 3]> {
        let q = self.position_in(p);
        // The comparison is false for a NaN too.
        if q.iter().all(|x| x.abs() <= LARGEST) {
            return Ok(q);
        }
        Err(bad_component(&p, name, index, |x| self.length_in(x).abs() <= LARGEST))
    }

    /// A length within limits that are in metres.
    pub fn checked_length(&self, l: f64, name: impl Display, limits: (f64, f64)) -> Result<f64> {
        self.checked_metres(l, name, limits, "m")
    }

    /// A speed within limits that are in metres a second.
    pub fn checked_speed(&self, v: f64, name: impl Display, limits: (f64, f64)) -> Result<f64> {
        self.checked_metres(v, name, limits, "m/s")
    }

    fn checked_metres(&self, l: f64, name: impl Display, (low, high): (f64, f64), unit: &str) -> Result<f64> {
        let metres = self.length_in(l);
        if (low..=high).contains(&metres) {
            return Ok(metres);
        }
        let hosts = if self.metres == 1.0 { String::new() } else { format!("; the host's unit is {} m", self.metres) };
        Err(Failure::argument(format!("{name} is {}: must be {} to {} {unit}{hosts}", given(l), number(low), number(high))))
    }

    /// A spin or a moment, checked.
    pub fn checked_moment(&self, m: [f64; 3], name: impl Display, index: Option<usize>) -> Result<[f64; 3]> {
        self.checked_direction(m, name, index).map(|v| v.map(|x| x * self.det))
    }

    /// A force or a direction, checked.
    pub fn checked_direction(&self, v: [f64; 3], name: impl Display, index: Option<usize>) -> Result<[f64; 3]> {
        if v.iter().all(|x| x.abs() <= LARGEST) {
            return Ok(self.direction_in(v));
        }
        Err(bad_component(&v, name, index, |x| x.abs() <= LARGEST))
    }

    /// A quaternion within 1 % of unit length, normalised.
    pub fn checked_rotation(&self, q: [f64; 4], name: impl Display, index: Option<usize>) -> Result<[f64; 4]> {
        if q.iter().any(|x| !x.is_finite()) {
            return Err(bad_component(&q, name, index, f64::is_finite));
        }
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (length - 1.0).abs() > 0.01 {
            return Err(Failure::argument(format!("{}: a quaternion of length {length}", indexed(name, index))));
        }
        Ok(self.rotation_in(q).map(|x| x / length))
    }

    pub fn checked_pose(&self, p: &WithyPose, name: impl Display) -> Result<Pose> {
        let (x, q) = (p.position, p.rotation);
        Ok(Pose {
            position: self.checked_position([x.x, x.y, x.z], format_args!("{name}.position"), None)?,
            rotation: self.checked_rotation([q.x, q.y, q.z, q.w], format_args!("{name}.rotation"), None)?,
        })
    }
}

fn indexed(name: impl Display, index: Option<usize>) -> String {
    index.map_or_else(|| name.to_string(), |i| format!("{name}[{i}]"))
}

pub fn bad_component(values: &[f64], name: impl Display, index: Option<usize>, good: impl Fn(f64) -> bool) -> Failure {
    let k = values.iter().position(|x| !good(*x)).unwrap_or(0);
    // What is finite and not good is beyond the one limit that all of them have.
    let why = if values[k].is_finite() { "must be -1e9 to 1e9, in SI units" } else { "must be finite" };
    Failure::argument(format!("{}.{} is {}: {why}", indexed(name, index), ["x", "y", "z", "w"][k], given(values[k])))
}

/// A number within limits that need no conversion.
pub fn between(x: f64, name: impl Display, (low, high): (f64, f64)) -> Result<f64> {
    if (low..=high).contains(&x) {
        return Ok(x);
    }
    Err(Failure::argument(format!("{name} is {}: must be {} to {}", given(x), number(low), number(high))))
}

/// A number that is one.
pub fn finite(x: f64, name: &str) -> Result<f64> {
    if x.is_finite() { Ok(x) } else { Err(Failure::argument(format!("{name} is {x}: must be finite"))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::quaternion::Quat;
    use crate::math::vec3::vec3;

    const ALL: [u32; 5] =
        [WITHY_CONVENTION_SI, WITHY_CONVENTION_MAYA, WITHY_CONVENTION_UNREAL, WITHY_CONVENTION_UNITY, WITHY_CONVENTION_BLENDER];

    fn of(convention: u32) -> Convention {
        Convention::new(convention, 0.0).unwrap()
    }

    #[test]
    fn round_trips() {
        for convention in ALL {
            for metres in [0.0, 0.25] {
                let c = Convention::new(convention, metres).unwrap();
                let (v, q) = ([1.0, -2.0, 4.0], [0.5, -0.1, 0.7, 0.5]);
                assert_eq!(c.direction_out(c.direction_in(v)), v);
                assert_eq!(c.position_out(c.position_in(v)).map(|x| (x * 1e12).round() * 1e-12), v);
                assert_eq!(c.curvature_out(c.curvature_in(v)).map(|x| (x * 1e12).round() * 1e-12), v);
                assert_eq!(c.rotation_out(c.rotation_in(q)), q);
                assert_eq!(c.extents_in(v.map(f64::abs)), c.position_in(v).map(f64::abs));
                assert_eq!(c.moment_out(c.moment_in(v)), v);
                let t = [1.0, 2.0, 3.0, 0.1, -0.2, 0.3];
                assert_eq!(c.tensor_out(c.tensor_in(t)), t);
            }
        }
    }

    /// Turning a vector and converting it must commute, whatever the handedness. The formula of a rotation by a quaternion is
    /// the same in every host; only the coordinates differ.
    #[test]
    fn rotations_commute_with_conversion() {
        for convention in ALL {
            let c = of(convention);
            let [x, y, z, w] = [0.1f64, -0.5, 0.7, 0.5];
            let q = Quat { x, y, z, w };
            let v = vec3(0.3, -1.0, 2.0);
            let host = q.rotate(v);
            let [x, y, z, w] = c.rotation_in([x, y, z, w]);
            let [a, b, d] = c.direction_in([v.x, v.y, v.z]);
            let inside = Quat { x, y, z, w }.rotate(vec3(a, b, d));
            let expected = c.direction_in([host.x, host.y, host.z]);
            for (got, want) in [inside.x, inside.y, inside.z].into_iter().zip(expected) {
                assert!((got - want).abs() < 1e-12, "convention {convention}: {got} {want}");
            }
        }
    }

    /// The angular momentum I ω of a host's own formula is that of the library, whatever the handedness; and so is the velocity ω × r of
    /// a point.
    #[test]
    fn inertia_and_spin_commute_with_conversion() {
        let times = |[xx, yy, zz, xy, xz, yz]: [f64; 6], [x, y, z]: [f64; 3]| {
            [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z]
        };
        let cross = |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
        for convention in ALL {
            let c = of(convention);
            let (t, w, r) = ([2.0, 3.0, 4.0, 0.5, -0.25, 0.125], [1.0, -2.0, 0.5], [0.5, 4.0, -1.0]);
            assert_eq!(times(c.tensor_in(t), c.moment_in(w)), c.moment_in(times(t, w)), "convention {convention}");
            assert_eq!(cross(c.moment_in(w), c.direction_in(r)), c.direction_in(cross(w, r)), "convention {convention}");
        }
        let unreal = of(WITHY_CONVENTION_UNREAL);
        assert_eq!(unreal.tensor_in([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), [1.0, 3.0, 2.0, 5.0, 4.0, 6.0]);
        assert_eq!(of(WITHY_CONVENTION_UNITY).tensor_in([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), [1.0, 2.0, 3.0, -4.0, -5.0, 6.0]);
        assert_eq!(unreal.angles_in([-0.5, 2.0]), [-2.0, 0.5]);
    }

    /// One absolute example each: one metre up, one metre along the rods' d³ axis, a quarter turn about "up".
    #[test]
    fn absolute_examples() {
        let s = std::f64::consts::FRAC_1_SQRT_2;
        let expected = [
            (WITHY_CONVENTION_SI, [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, s, 0.0, s]),
            (WITHY_CONVENTION_MAYA, [0.0, 100.0, 0.0], [0.0, 0.0, 100.0], [0.0, s, 0.0, s]),
            (WITHY_CONVENTION_UNREAL, [0.0, 0.0, 100.0], [0.0, 100.0, 0.0], [0.0, 0.0, -s, s]),
            (WITHY_CONVENTION_UNITY, [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, -s, 0.0, s]),
            (WITHY_CONVENTION_BLENDER, [0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [0.0, 0.0, s, s]),
        ];
        for (convention, up, forward, turn) in expected {
            let c = of(convention);
            assert_eq!(c.position_out([0.0, 1.0, 0.0]).map(|x| x + 0.0), up, "up of {convention}");
            assert_eq!(c.position_out([0.0, 0.0, 1.0]).map(|x| x + 0.0), forward, "forward of {convention}");
            assert_eq!(c.rotation_out([0.0, s, 0.0, s]).map(|x| x + 0.0), turn, "turn of {convention}");
        }
        assert_eq!(of(WITHY_CONVENTION_UNREAL).curvature_out([0.0, 0.0, 2.0]).map(|x| x + 0.0), [0.0, -0.02, 0.0]);
        assert_eq!(of(WITHY_CONVENTION_UNITY).angle_out(0.5), -0.5);
    }

    #[test]
    fn bad_numbers_are_named() {
        let c = of(WITHY_CONVENTION_UNREAL);
        let e = c.checked_position([0.0, f64::NAN, 0.0], "positions", Some(3)).unwrap_err();
        assert_eq!(e.message, "positions[3].y is NaN: must be finite");
        let e = c.checked_position([0.0, 0.0, 1e12], "gravity", None).unwrap_err();
        assert_eq!(e.message, "gravity.z is 1000000000000: must be -1e9 to 1e9, in SI units");
        assert!(c.checked_rotation([0.0; 4], "rotation", None).unwrap_err().message.contains("length 0"));
        assert!(Convention::new(77, 0.0).unwrap_err().message.contains("77"));
        assert!(Convention::new(0, f64::NAN).is_err() && Convention::new(0, -1.0).is_err());
    }
}
