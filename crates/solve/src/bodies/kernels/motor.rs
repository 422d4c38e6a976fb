//! Motors: springs no stiffer than the iterations carry.

use super::spring::{RIGID, implicit_spring, inverse_about};
use super::{Spring, Stiffness, TINY};
use crate::math::vec3::vec3;
use crate::math::{Real, Sym3, Vec3};

/// What a motor's torque follows; vectors along its rows.
#[derive(Clone, Copy, Debug)]
pub struct Follow<T> {
    pub stiffness: Stiffness<T>,
    /// How the target turns, ω_b − ω_a, rad/s: what is added to keep a stiff spring quiet acts towards it.
    pub turning: Vec3<T>,
    /// What `stiffness.damping` acts towards, rad/s.
    pub speed: Vec3<T>,
    /// One over the largest h² k times the inverse inertia about a row.
    pub soft: T,
}

/// Of an error, a motor as stiff as it may be takes back one in so many and one in a substep.
const SETTLE: f64 = 9.0;
/// An inverse inertia counts as no less than this part of the sum of the three, where stiffness is limited.
const FLAT: f64 = 1e-3;

/// The spring of a motor: that of [`set_up_spring`], but no stiffer than many of them in a row may be (`docs/internals/bodies.md`, motors): k, and d in
/// proportion, are limited, and the nearer k is to that, the more damping comes to it.
#[inline(always)]
pub fn set_up_motor<T: Real>(rows: [Vec3<T>; 3], error: Vec3<T>, f: &Follow<T>, w: Sym3<T>, h: T) -> Spring<T> {
    let trace = w.xx + w.yy + w.zz;
    let scale = h * h * f.soft;
    let flat = trace * T::constant(FLAT);
    let about = inverse_about(rows, w);
    let about = vec3(about.x.max(flat), about.y.max(flat), about.z.max(flat)) * scale;
    let near = f.stiffness.spring.scale_by(about);
    let rigid = T::constant(RIGID) / (trace * h).max(T::constant(TINY));
    let (k, d) = (f.stiffness.spring * h, f.stiffness.damping);
    let x = motor_row(near.x, k.x, d.x, [error.x, f.turning.x, f.speed.x], rigid, h);
    let y = motor_row(near.y, k.y, d.y, [error.y, f.turning.y, f.speed.y], rigid, h);
    let z = motor_row(near.z, k.z, d.z, [error.z, f.turning.z, f.speed.z], rigid, h);
    implicit_spring(rows, vec3(x.0, y.0, z.0), vec3(x.1, y.1, z.1), w)
}

/// H and g of a row. `near`: how many times as stiff as it may be; `k`: that of the substep, N m s/rad; `rigid`: most damping.
#[inline(always)]
fn motor_row<T: Real>(near: T, k: T, d: T, [error, turning, speed]: [T; 3], rigid: T, h: T) -> (T, T) {
    let one = T::one();
    let (part, near) = (one / near.max(one), near.min(one));
    let (k, d) = (k * part, (d * part).min(rigid));
    let quiet = k * (near * near * T::constant(SETTLE));
    (h * (k + quiet + d), k * error - h * (quiet * turning + d * speed))
}
