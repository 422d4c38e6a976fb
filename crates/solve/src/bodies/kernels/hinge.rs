//! Two bodies that turn about one axis: the block of a fixed joint with one freedom let go, and its limit in the same block.

use super::{Bias, FREE, Fixed, FixedPose, Inertia, Motion, Softness, Wrench, joining, meet, set_up_fixed, stop};
use crate::math::{Real, Vec3};

/// The freedom is ξ, a spin of one about the axis and the velocity of the centre of mass of b that goes with it. A wrench y σ with
/// y = K⁻¹ ξ changes the spin about the hinge by σ and nothing else of what the bodies do against each other; every other wrench w has
/// the moment ξ·w = 0 about the hinge. So both parts are solved at once.
#[derive(Clone, Copy, Debug)]
pub struct Hinge<T> {
    /// What holds all six; its bias has no moment about the hinge.
    pub fixed: Fixed<T>,
    /// ξ, as a wrench is read against it: the velocity, m, and the axis.
    pub free: Wrench<T>,
    /// y/k, k = ξ·y: a wrench with the moment 1 about the hinge.
    pub turn: Wrench<T>,
    /// The speed that the limit asks for times k, N m s.
    pub stop: T,
    pub soft: Softness<T>,
    /// The moment about the hinge is between them.
    pub least: T,
    pub most: T,
}

/// ξ·w, the moment of a wrench about the hinge, N m s.
#[inline(always)]
pub fn moment<T: Real>(free: &Wrench<T>, w: &Wrench<T>) -> T {
    free.push.dot(w.push) + free.turn.dot(w.turn)
}

/// w + s d
#[inline(always)]
fn along<T: Real>(w: Wrench<T>, s: T, d: &Wrench<T>) -> Wrench<T> {
    Wrench { push: w.push + d.push * s, turn: w.turn + d.turn * s }
}

/// `pose.turn` is replaced by what turns the axis of b, `tb`, into that of a, `ta`. `angle`: of the hinge, with its limits, rad.
#[inline(always)]
pub fn set_up_hinge<T: Real>(
    pose: FixedPose<T>,
    [ta, tb]: [Vec3<T>; 2],
    (angle, limits): (T, [T; 2]),
    a: Inertia<T>,
    b: Inertia<T>,
    [s, limit]: [&Bias<T>; 2],
) -> Hinge<T> {
    // 2 tan θ/2 about the axis: θ for small ones, and large where they are opposite.
    let behind = (T::one() + ta.dot(tb)).max(T::constant(1e-6));
    let lean = ta.cross(tb) * (T::constant(2.0) / behind);
    let mut fixed = set_up_fixed(&FixedPose { turn: lean, ..pose }, a, b, s);
    let (_, rb) = meet(pose.between, pose.rb, pose.gap);
    let free = Wrench { push: rb.cross(ta), turn: ta };
    // K⁻¹ ξ, without the softness: `joining` is K⁻¹ times what b does less what a does, its sign turned.
    let still = Motion { v: Vec3::zero(), w: Vec3::zero() };
    let y = joining(&fixed, &still, &Motion { v: -free.push, w: -free.turn });
    let rigid = T::one() / s.soft.mass;
    let k = moment(&free, &y);
    let turn = along(Wrench { push: Vec3::zero(), turn: Vec3::zero() }, T::one() / k.max(T::constant(1e-30)), &y);
    let bias = along(
        Wrench { push: fixed.bias, turn: fixed.bias_turn },
        -moment(&free, &Wrench { push: fixed.bias, turn: fixed.bias_turn }),
        &turn,
    );
    (fixed.bias, fixed.bias_turn) = (bias.push, bias.turn);
    let (low, high) = (angle - limits[0], limits[1] - angle);
    let is_low = low.lt(high);
    let (speed, soft) = stop(T::select(is_low, low, high), limit);
    let (zero, most) = (T::zero(), T::constant(FREE));
    Hinge {
        fixed,
        free,
        turn,
        stop: T::select(is_low, speed, -speed) * (k * rigid),
        soft,
        least: T::select(is_low, zero, -most),
        most: T::select(is_low, most, zero),
    }
}

/// The wrench of before, with a moment that the limit can have.
#[inline(always)]
pub fn warm_hinge<T: Real>(c: &Hinge<T>, w: Wrench<T>) -> Wrench<T> {
    let m = moment(&c.free, &w);
    along(w, m.max(c.least).min(c.most) - m, &c.turn)
}

/// The wrench of one iteration, `so_far` that of those before. `soft`: of what is held.
#[inline(always)]
pub fn solve_hinge<T: Real>(c: &Hinge<T>, soft: &Softness<T>, a: &Motion<T>, b: &Motion<T>, so_far: Wrench<T>) -> Wrench<T> {
    let held = joining(&c.fixed, a, b);
    let (m, before) = (moment(&c.free, &held), moment(&c.free, &so_far));
    let wanted = (m * (T::one() / soft.mass) - c.stop) * c.soft.mass - before * c.soft.impulse;
    let given = (before + wanted).max(c.least).min(c.most) - before;
    let all = Wrench {
        push: held.push + (c.fixed.bias - so_far.push * soft.impulse),
        turn: held.turn + (c.fixed.bias_turn - so_far.turn * soft.impulse),
    };
    along(all, given - (m - before * soft.impulse), &c.turn)
}

/// The wrench of an iteration in which only velocities are to agree. `rigid`: 1/[`Softness::mass`]. A limit that is open may still close.
#[inline(always)]
pub fn relax_hinge<T: Real>(c: &Hinge<T>, rigid: T, a: &Motion<T>, b: &Motion<T>, so_far: Wrench<T>) -> Wrench<T> {
    let zero = T::zero();
    let held = joining(&c.fixed, a, b);
    let all = Wrench { push: held.push * rigid, turn: held.turn * rigid };
    let (m, before) = (moment(&c.free, &all), moment(&c.free, &so_far));
    let stop = T::select(c.least.lt(zero), c.stop.min(zero), c.stop.max(zero));
    let given = (before + (m - stop)).max(c.least).min(c.most) - before;
    along(all, given - m, &c.turn)
}
