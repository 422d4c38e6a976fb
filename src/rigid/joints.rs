//! From the description of a joint to the elements that are solved.

use core::fmt::Display;

use super::desc::*;
use crate::bodies::drive::Kind;
use crate::bodies::elements::*;
use crate::bodies::kernels::{ArcPose, Whitening, arc_rows, arc_strain};
use crate::bodies::solver::Rows;
use crate::desc::error::{Error, Result};
use crate::desc::validate;
use crate::math::cpu::fetch;
use crate::math::rows::{Cursor, InRows, WIDTH};
use crate::math::{Elem, Gather, Quat, Transform, Vec3};

/// Elements of a joint, at most.
pub(crate) const PIECES: usize = 3;
/// Numbers of an element's force, at most.
pub(crate) const FORCES: usize = 6;
/// Numbers of a joint: parameters and states of its elements, and from [`TOLD`] on their forces in the last step, as impulses a second, in the
/// rows of the state.
pub(crate) const TOLD: usize = 88;
pub(crate) const NUMBERS: usize = TOLD + PIECES * FORCES;

/// What a joint that is changed goes on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    Nothing,
    Impulses,
    /// And its motor's target is on its way from where it was to where it is now.
    Way,
}

/// Of an element's parameters, so many at the end are not the host's but of the step before: a motor's target.
pub(crate) fn lasting(kind: Kind) -> usize {
    if kind == Kind::Motor { 4 } else { 0 }
}

/// Of a motor's numbers: its target, and its target before the step.
pub(crate) const MOTOR_TARGET: usize = 14;
pub(crate) const MOTOR_FROM: usize = 22;

/// That there is room for the most that a joint has, an arc with limits and a motor, and that the numbers above are of those places.
const _: () = {
    const fn rows<P: InRows<f32>, S: InRows<f32>>() -> usize {
        P::ROWS + S::ROWS
    }
    type Vec3 = crate::math::Vec3<f32>;
    let arc = rows::<ArcParams<f32>, ArcState<f32>>();
    let motor = <MotorParams<f32> as InRows<f32>>::ROWS;
    assert!(arc + rows::<LimitParams<f32>, AngularState<f32>>() + motor + <Vec3 as InRows<f32>>::ROWS <= TOLD);
    assert!(MOTOR_FROM + 4 == motor && MOTOR_TARGET + 4 <= MOTOR_FROM);
};

/// The strength of a joint that nothing breaks.
pub(crate) const UNBREAKABLE: [f64; 2] = [f64::INFINITY; 2];

/// Force, N, and torque, N m: infinite is allowed, NaN and 0 are not.
pub fn check_strength(strength: [f64; 2]) -> Result<()> {
    for (name, s) in ["break_force", "break_torque"].into_iter().zip(strength) {
        if s.is_nan() || s <= 0.0 {
            return Err(Error::invalid(format!("{name} is {s}, must be more than 0")));
        }
    }
    Ok(())
}

/// A joint of the world.
#[derive(Clone, Debug)]
pub struct Joint {
    pub desc: JointDesc,
    pub(crate) kinds: [Option<Kind>; PIECES],
    /// l₀ of an arc, m, resolved.
    pub(crate) length: f64,
    pub(crate) enabled: bool,
    /// The force, N, and the torque, N m, beyond which it breaks.
    pub(crate) strength: [f64; 2],
}

pub(crate) fn transform(p: crate::desc::Pose) -> Transform<f64> {
    let [x, y, z, w] = p.rotation;
    Transform { position: p.position.into(), rotation: Quat { x, y, z, w } }
}

/// Motors change every frame: the names are put together only for a refusal.
fn not_negative(field: impl Display, v: f64) -> Result<()> {
    // Infinite is allowed, NaN is not.
    if v >= 0.0 { Ok(()) } else { Err(Error::invalid(format!("{field} is {v}, must be 0 or more"))) }
}

fn between(field: impl Display, v: f64, low: f64, high: f64) -> Result<()> {
    if (low..=high).contains(&v) { Ok(()) } else { validate::between(&field.to_string(), v, low, high) }
}

fn ordered(field: &str, [low, high]: [f64; 2]) -> Result<()> {
    if low <= high {
        Ok(())
    } else {
        Err(Error::invalid(format!("{field} are {low} and {high}, the first must not be the larger")))
    }
}

const TURN: f64 = core::f64::consts::PI;
/// Limits of hinges: ten turns either way, rad.
pub(crate) const MOST_TURNS: f64 = 20.0 * TURN;

/// Least and most angle as they are held: -π and π together are no limit.
#[inline(never)]
fn held([low, high]: [f64; 2]) -> [f64; 2] {
    if low <= -TURN && TURN <= high && high - low <= 2.0 * TURN + 1e-5 {
        return [-FREE_ANGLE, FREE_ANGLE];
    }
    [low.max(-FREE_ANGLE), high.min(FREE_ANGLE)]
}

/// The same of a cone: it needs some width to have a direction; beyond a half turn nothing is limited.
fn half_angle(swing: f64) -> f64 {
    if swing < TURN { swing.max(LEAST_SWING) } else { FREE_ANGLE }
}

// Not inlined: for a joint without an arc or limits the compiler asks beforehand about numbers that are not there, which valgrind reports.

#[inline(never)]
fn limit_params<E: Elem>(l: &BallLimits, [frame_a, frame_b]: [Quat<E>; 2]) -> LimitParams<E> {
    let swing = l.swing.map(|s| E::from_f64(half_angle(s)));
    LimitParams { frame_a, frame_b, swing, twist: held(l.twist).map(E::from_f64) }
}

#[inline(never)]
fn arc_params<E: Elem>(arc: &ArcDesc, length: f64, anchors: Anchors<E>, [frame_a, frame_b]: [Quat<E>; 2]) -> ArcParams<E> {
    let numbers = |v: [f64; 3]| Vec3::from(v).map(finite::<E>);
    let (stiffness, relaxed) = match arc.relaxation {
        Some([bend, twist]) => ([bend, bend, twist], E::one()),
        None => ([arc.bend[0] / length, arc.bend[1] / length, arc.twist / length], E::zero()),
    };
    let damping = if arc.relaxation.is_none() { arc.viscosity } else { 0.0 };
    ArcParams {
        anchors,
        frame_a,
        frame_b,
        length: E::from_f64(length),
        stiffness: numbers(stiffness),
        // Infinite times none is none.
        damping: numbers(stiffness.map(|k| if damping > 0.0 { k * damping } else { 0.0 })),
        rest: numbers(arc.rest),
        relaxed,
    }
}

/// The angle that is `angle` but for whole turns and nearest to the limits; within them, nearest to 0.
pub(crate) fn turned_to(angle: f64, limits: [f64; 2]) -> f64 {
    let [low, high] = held(limits);
    if low <= angle && angle <= high {
        return angle;
    }
    let turns = |to: f64| ((to - angle) / (2.0 * TURN)).round() * 2.0 * TURN;
    let off = |a: f64| over(a, [low, high]);
    let near = |to: f64| [0.0, 2.0 * TURN, -2.0 * TURN].map(|t| angle + turns(to) + t);
    near(low).into_iter().chain(near(high)).fold(angle, |best, a| {
        let (x, y) = (off(a), off(best));
        if x < y || (x == y && a.abs() < best.abs()) { a } else { best }
    })
}

/// `of`: what the fields' names start with.
fn swing_twist(of: &str, l: &BallLimits) -> Result<()> {
    for (k, s) in l.swing.into_iter().enumerate() {
        between(format_args!("{of}swing[{k}]"), s, 0.0, TURN)?;
    }
    for (k, t) in l.twist.into_iter().enumerate() {
        between(format_args!("{of}twist[{k}]"), t, -TURN, TURN)?;
    }
    if l.twist[0] <= l.twist[1] { Ok(()) } else { ordered(&format!("{of}twist"), l.twist) }
}

impl BallLimits {
    /// How far strains (β₁, β₂, τ) are beyond, rad: the larger of swing and twist.
    pub(crate) fn beyond(&self, strain: Vec3<f64>) -> f64 {
        let swing = self.swing.map(|s| s.max(1e-9));
        let f = ((strain.x / swing[0]).powi(2) + (strain.y / swing[1]).powi(2)).sqrt();
        let bend = (strain.x * strain.x + strain.y * strain.y).sqrt();
        (bend * (1.0 - 1.0 / f.max(1.0))).max(over(strain.z, self.twist))
    }
}

/// How far `v` is beyond two bounds.
pub(crate) fn over(v: f64, [low, high]: [f64; 2]) -> f64 {
    (low - v).max(v - high).max(0.0)
}

pub(crate) fn check(d: &JointDesc) -> Result<JointDesc> {
    let mut d = d.clone();
    d.frame_a = validate::pose("frame_a", None, d.frame_a)?;
    d.frame_b = validate::pose("frame_b", None, d.frame_b)?;
    if d.a == Some(d.b) {
        return Err(Error::invalid("body_a and body_b are the same body"));
    }
    match &d.kind {
        JointKind::Ball { limits: None } | JointKind::Fixed => {}
        JointKind::Ball { limits: Some(l) } => swing_twist("", l)?,
        JointKind::Hinge { limits } => {
            for (k, t) in limits.iter().enumerate().filter(|(_, t)| !t.is_infinite()) {
                between(format_args!("limits[{k}]"), *t, -MOST_TURNS, MOST_TURNS)?;
            }
            ordered("limits", *limits)?;
        }
        JointKind::Distance { least, most } => {
            validate::between("least", *least, 0.0, validate::LARGEST)?;
            validate::between("most", *most, 0.0, validate::LARGEST)?;
            ordered("least and most", [*least, *most])?;
        }
        JointKind::Arc(a) => {
            if a.length != 0.0 {
                validate::within("length", a.length, validate::REST_LENGTH)?;
            }
            not_negative("bend[0]", a.bend[0])?;
            not_negative("bend[1]", a.bend[1])?;
            not_negative("twist", a.twist)?;
            validate::between("viscosity", a.viscosity, 0.0, 1e6)?;
            for (k, r) in a.rest.into_iter().enumerate() {
                between(format_args!("rest[{k}]"), r, -TURN, TURN)?;
            }
            for (k, r) in a.relaxation.into_iter().flatten().enumerate() {
                between(format_args!("relaxation[{k}]"), r, 0.0, 1.0)?;
            }
            if let Some(l) = &a.limits {
                swing_twist("limits.", l)?;
            }
        }
    }
    if let Some(m) = &mut d.motor {
        for k in 0..3 {
            not_negative(format_args!("motor.stiffness[{k}]"), m.stiffness[k])?;
            not_negative(format_args!("motor.damping[{k}]"), m.damping[k])?;
            between(format_args!("motor.speed[{k}]"), m.speed[k], -1e6, 1e6)?;
        }
        m.target = validate::rotation("motor.target", None, m.target)?;
        not_negative("motor.max_torque", m.max_torque)?;
    }
    Ok(d)
}

/// How far an arc between two frames is off: in its length, m, and its ends from one curve, rad, 0 to π.
pub(crate) fn arc_error(fa: &Transform<f64>, fb: &Transform<f64>, length: f64) -> [f64; 2] {
    let chord = fb.position - fa.position;
    let (frame_a, frame_b) = (fa.rotation.frame(), fb.rotation.frame());
    let pose = ArcPose { chord, between: chord, rb: Vec3::zero(), frame_a, frame_b };
    let hard = arc_rows(&pose, &arc_strain(fa.rotation.conjugate().compose(fb.rotation)), length);
    let sine = (hard.error.y * hard.error.y + hard.error.z * hard.error.z).sqrt();
    [hard.error.x.abs(), crate::math::approx::atan2(sine, hard.cosine)]
}

/// Refuses a joint that could not hold bodies at these poses.
pub(crate) fn check_between(desc: &JointDesc, [a, b]: [Transform<f64>; 2]) -> Result<()> {
    Joint::new(desc, a, b)?.points_along(a, b)
}

impl Joint {
    /// l₀ of an arc, m; 0 for other kinds.
    pub fn length(&self) -> f64 {
        self.length
    }
    pub fn enabled(&self) -> bool {
        self.enabled
    }

    /// `a`, `b`: where the bodies are.
    pub(crate) fn new(desc: &JointDesc, a: Transform<f64>, b: Transform<f64>) -> Result<Joint> {
        let desc = check(desc)?;
        let mut length = 0.0;
        if let JointKind::Arc(arc) = &desc.kind {
            length = arc.length;
            if length == 0.0 {
                // The arc through both frames: the chord over sinc(ψ/2), so that the constraint holds at once (§6).
                let (fa, fb) = (a.compose(transform(desc.frame_a)), b.compose(transform(desc.frame_b)));
                let strain = arc_strain(fa.rotation.conjugate().compose(fb.rotation));
                length = (fb.position - fa.position).length() * strain.stretch;
                if length < validate::REST_LENGTH.0 {
                    return Err(Error::invalid(format!("length is 0 and the frames are {length} m apart: no arc fits them")));
                }
            }
        }
        Ok(Joint::of(desc, length))
    }

    /// Whether the ends of an arc point from one to the other, between bodies at `a` and `b`: turned away by more than a right angle, no arc that they
    /// come to is the one that was meant.
    pub(crate) fn points_along(&self, a: Transform<f64>, b: Transform<f64>) -> Result<()> {
        if let JointKind::Arc(_) = &self.desc.kind {
            let (fa, fb) = (a.compose(transform(self.desc.frame_a)), b.compose(transform(self.desc.frame_b)));
            let lean = arc_error(&fa, &fb, self.length)[1].to_degrees();
            if lean > 90.0 {
                return Err(Error::invalid(format!(
                    "frame_a and frame_b lean by {lean:.0} degrees from an arc between them: their third axes must point along it, from a to b"
                )));
            }
        }
        Ok(())
    }

    /// A description that has been checked. `length`: l₀ of an arc, m.
    pub(crate) fn of(desc: JointDesc, length: f64) -> Joint {
        let kinds = match &desc.kind {
            JointKind::Ball { limits: None } => [Some(Kind::Ball), None],
            JointKind::Ball { limits: Some(_) } => [Some(Kind::Ball), Some(Kind::Limit)],
            JointKind::Hinge { .. } => [Some(Kind::Hinge), None],
            JointKind::Fixed => [Some(Kind::Fixed), None],
            JointKind::Distance { .. } => [Some(Kind::Distance), None],
            JointKind::Arc(a) => [Some(Kind::Arc), a.limits.map(|_| Kind::Limit)],
        };
        let motor = desc.motor.is_some().then_some(Kind::Motor);
        Joint { kinds: [kinds[0], kinds[1], motor], desc, length, enabled: true, strength: UNBREAKABLE }
    }

    /// The element of a kind.
    pub(crate) fn piece(&self, kind: Kind) -> Option<usize> {
        self.kinds.iter().position(|k| *k == Some(kind))
    }
    /// Whether it is of a kind that may have limits besides.
    pub(crate) fn may_have_limits(&self) -> bool {
        matches!(self.desc.kind, JointKind::Ball { .. } | JointKind::Arc(_))
    }

    /// Numbers of the step before that stay where a joint becomes another: those of the elements that both have, and what holds the anchors
    /// together, whichever element does. `way`: a motor's last target as well; `arm`: from the centre of mass of b to its anchor, m.
    pub(crate) fn take_over<E: Elem>(&self, old: &Joint, from: &[E], to: &mut [E], way: bool, arm: Vec3<E>) {
        for (k, kind) in self.kinds.into_iter().enumerate() {
            let Some(kind) = kind else { continue };
            let [params, state, _] = kind.rows();
            let at = self.offset(k) + params;
            if let Some(was) = old.piece(kind) {
                let lasting = if way { lasting(kind) } else { 0 };
                let (at, before) = (at - lasting, old.offset(was) + params - lasting);
                to[at..at + lasting + state].copy_from_slice(&from[before..before + lasting + state]);
                continue;
            }
            let held = old.kinds.into_iter().flatten().find_map(|was| {
                let numbers = &from[old.offset(old.piece(was)?) + was.rows()[0]..];
                let three = |r: usize| Vec3 { x: numbers[r], y: numbers[r + 1], z: numbers[r + 2] };
                match was {
                    Kind::Ball => Some((three(0), arm.cross(three(0)))),
                    Kind::Hinge | Kind::Fixed => Some((three(0), three(3))),
                    _ => None,
                }
            });
            if let Some((push, turn)) = held {
                match kind {
                    Kind::Ball => to[at..at + 3].copy_from_slice(&[push.x, push.y, push.z]),
                    Kind::Hinge | Kind::Fixed => {
                        to[at..at + 6].copy_from_slice(&[push.x, push.y, push.z, turn.x, turn.y, turn.z]);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Writes the parameters. `local`: from each body's frame to its principal axes.
    pub(crate) fn write<E: Elem + Gather<Elem = E>>(&self, local: [Transform<f64>; 2], to: &mut [E], keep: Keep) {
        let d = &self.desc;
        let frames = [local[0].seen(transform(d.frame_a)), local[1].seen(transform(d.frame_b))];
        let [(a, frame_a), (b, frame_b)] = frames.map(|f| f.map(E::from_f64)).map(|f| (f.position, f.rotation));
        let anchors = Anchors { a, b };
        let numbers = |v: [f64; 3]| Vec3::from(v).map(finite::<E>);
        let limits = match &d.kind {
            JointKind::Ball { limits } => *limits,
            JointKind::Arc(arc) => arc.limits,
            _ => None,
        };
        let mut at = 0;
        for kind in self.kinds.into_iter().flatten() {
            let [params, state, _] = kind.rows();
            // The rows' code writes a row a lane block: here, with one lane, into a small block.
            let mut block = [E::zero(); NUMBERS * WIDTH];
            let mut cursor = Cursor::<E>(block.as_mut_ptr());
            // SAFETY: `block` has room for every kind's rows; one lane needs no instruction set.
            unsafe {
                match (kind, &d.kind) {
                    (Kind::Ball, _) => cursor.write(anchors),
                    (Kind::Limit, _) => {
                        let l = limits.as_ref().unwrap_or(&BallLimits { swing: [TURN; 2], twist: [-TURN, TURN] });
                        cursor.write(limit_params(l, [frame_a, frame_b]));
                    }
                    (Kind::Fixed, _) => cursor.write(FixedParams { anchors, frame_a, frame_b }),
                    (Kind::Hinge, JointKind::Hinge { limits: [low, high] }) => {
                        cursor.write(HingeParams { anchors, frame_a, frame_b, limits: held([*low, *high]).map(E::from_f64) });
                    }
                    (Kind::Distance, JointKind::Distance { least, most }) => {
                        cursor.write(DistanceParams { anchors, limits: [E::from_f64(*least), E::from_f64(*most)] });
                    }
                    (Kind::Arc, JointKind::Arc(arc)) => {
                        cursor.write(arc_params(arc, self.length, anchors, [frame_a, frame_b]));
                    }
                    (Kind::Motor, _) => {
                        let m = d.motor.unwrap_or_default();
                        let [x, y, z, w] = m.target.map(E::from_f64);
                        cursor.write(MotorParams {
                            frame_a,
                            frame_b,
                            stiffness: numbers(m.stiffness),
                            damping: numbers(m.damping),
                            target: Quat { x, y, z, w },
                            speed: numbers(m.speed),
                            most: finite(m.max_torque),
                            from: Quat { x, y, z, w },
                        });
                    }
                    _ => {}
                }
                if keep == Keep::Nothing && kind == Kind::Arc {
                    let one = E::one();
                    cursor.write(ArcState {
                        impulse: Vec3::zero(),
                        torque: Vec3::zero(),
                        white: Whitening { inv: Vec3 { x: one, y: one, z: one }, below: Vec3::zero() },
                    });
                }
            }
            let written = match keep {
                Keep::Nothing => params + state,
                Keep::Impulses => params,
                Keep::Way => params - lasting(kind),
            };
            for r in 0..written {
                to[at + r] = block[r * WIDTH];
            }
            at += params + state;
        }
        if keep == Keep::Nothing {
            to[TOLD..].fill(E::zero());
        }
    }

    /// Where the angle and the whole turns of a hinge, or of limits, are kept, and the limits.
    pub(crate) fn turns(&self) -> Option<(usize, [f64; 2])> {
        let (kind, limits) = match &self.desc.kind {
            JointKind::Hinge { limits } => (Kind::Hinge, *limits),
            JointKind::Ball { limits: Some(l) } | JointKind::Arc(ArcDesc { limits: Some(l), .. }) => (Kind::Limit, l.twist),
            _ => return None,
        };
        let [params, _, _] = kind.rows();
        // After the impulses.
        self.piece(kind).map(|k| (self.offset(k) + params + kind.told(), limits))
    }
    /// The angle about the third axis between bodies at these poses, rad, in (-π, π].
    pub(crate) fn angle(&self, a: Transform<f64>, b: Transform<f64>) -> f64 {
        let d = &self.desc;
        let (qa, qb) = (a.rotation.compose(transform(d.frame_a).rotation), b.rotation.compose(transform(d.frame_b).rotation));
        arc_strain(qa.conjugate().compose(qb)).beta.z
    }

    /// Where the motor's numbers begin.
    pub(crate) fn motor(&self) -> Option<usize> {
        self.kinds[PIECES - 1].map(|_| self.offset(PIECES - 1))
    }

    /// Where an element's numbers begin.
    pub(crate) fn offset(&self, piece: usize) -> usize {
        let rows = |k: &Option<Kind>| k.map_or(0, |k| k.rows()[0] + k.rows()[1]);
        self.kinds[..piece].iter().map(rows).sum()
    }
}

/// A limited cone is at least this wide, rad.
const LEAST_SWING: f64 = 0.01;
/// No limit, rad: what spins for a year comes no further.
const FREE_ANGLE: f64 = 1e10;

/// Infinities as the largest number that f32 still multiplies.
fn finite<E: Elem>(v: f64) -> E {
    E::from_f64(v.clamp(-1e15, 1e15))
}

/// Joints as the solver's blocks take them: element `piece` of the joint in slot s is source s·PIECES + piece.
pub(crate) struct JointRows<'a, E> {
    pub numbers: *mut E,
    /// Of each source: where its numbers begin.
    pub offsets: &'a [u32],
    /// One over the step, or the piece of it, 1/s.
    pub inv_dt: E,
}
// SAFETY: every element is in one block, and a block is one task's.
unsafe impl<E> Sync for JointRows<'_, E> {}

impl<E: Elem> Rows<E> for JointRows<'_, E> {
    // SAFETY: the trait's contract.
    unsafe fn put(&self, kind: Kind, source: u32, to: *mut E) {
        let [params, state, _] = kind.rows();
        // SAFETY: the caller's contract; every joint has `NUMBERS` numbers.
        unsafe {
            let from = self.numbers.add(self.offsets[source as usize] as usize);
            for r in 0..params + state {
                *to.add(r * WIDTH) = *from.add(r);
            }
        }
    }
    fn fetch(&self, kind: Kind, source: u32) {
        let [params, state, _] = kind.rows();
        let from = self.numbers.wrapping_add(self.offsets[source as usize] as usize);
        // A line holds so many.
        (0..params + state).step_by(64 / size_of::<E>()).for_each(|r| fetch(from.wrapping_add(r)));
    }
    // SAFETY: the trait's contract.
    unsafe fn take(&self, kind: Kind, source: u32, from: *const E, told: *const E) {
        let [params, state, _] = kind.rows();
        let (slot, piece) = (source as usize / PIECES, source as usize % PIECES);
        // SAFETY: as above.
        unsafe {
            let forces = self.numbers.add(slot * NUMBERS + TOLD + piece * FORCES);
            for r in 0..kind.told() {
                *forces.add(r) = (*told.add(r * WIDTH) + *from.add(r * WIDTH)) * self.inv_dt;
            }
            let to = self.numbers.add(self.offsets[source as usize] as usize + params);
            for r in 0..state {
                *to.add(r) = *from.add(r * WIDTH);
            }
        }
    }
}
