//! Rest shapes that do not sag
//!
//! A groom is drawn as gravity has already bent it. If the simulation takes that shape for the
//! shape at rest, gravity bends it a second time, and it sags. `withy_rods_optimize_rest_shape`
//! finds the rest lengths, curvatures and twists for which the present pose is an equilibrium under
//! the present gravity and forces (Takahashi and Batty 2025). A report tells for each strand
//! whether it will hold.
//!
//! It needs WITHY_STIFFNESS_PHYSICAL, and rods that are solved directly (WITHY_ORDER_DIRECT or
//! WITHY_MODEL_DER): sweeps stop before they reach an equilibrium, and sag.

use std::ffi::c_void;

use super::defs::{self, Def};
use super::guard::{self, Failure, Result};
use super::rods::{WithyRods, read_span};
use super::rods_desc;
use super::span::{self, View};
use super::types::WithySpan;
use crate::sagfree::batch::{Status, StrandReport};
use crate::sagfree::rest_shape::Refusal;
use crate::sagfree::rest_shape::{BoundMode, Bounds, Options};
use crate::world::{RestShape, Rods, validate};

/// The bounds are not kept. A pose too tight for its strand can get rest curvatures beyond 169 degrees then, where steps soften: with unstable modes such
/// a strand may move on and on.
pub const WITHY_BOUNDS_NONE: u32 = 0;
/// By a penalty, as in the paper: they are overstepped a little, and by much where that is the smaller evil, as in poses of thousands of g.
pub const WITHY_BOUNDS_PENALTY: u32 = 1;
/// By a penalty, every iterate clamped.
pub const WITHY_BOUNDS_CLAMPED: u32 = 2;
/// Exactly: what is at a bound and pushes outward is held there. Bounds that leave the first rest shape out are kept all the same, at any cost to the pose: lengths of 1.05 and
/// more throw a stiff strand centimetres.
pub const WITHY_BOUNDS_EXACT: u32 = 3;

/// How to look for rest shapes. The defaults are good for hair; most hosts change `stiffen` only.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyRestShapeDef {
    pub struct_size: u32,
    pub flags: u32,
    pub next: *const c_void,
    /// Called several times a second on the calling thread, with the number of strands that are
    /// done, and of all. Return 0 to go on. Anything else cancels: strands that were not done keep
    /// their rest shape. The world is busy meanwhile. NULL (the default): none.
    pub progress: Option<unsafe extern "C" fn(user: *mut c_void, done: u32, all: u32) -> u32>,
    /// Passed to `progress`.
    pub user: *mut c_void,
    /// With `target` 0: weight of the distance from the first rest shape. With another, as by default, it only damps the iterations. 1e-15 to
    /// 1e15. Default: 1e-5.
    pub regularizer: f64,
    /// Weight of overstepped bounds, 0 to 1e15. Default: 1e6.
    pub penalty: f64,
    /// With `target` 0: the step in the parameters below which it ends, 0 to 1e15. Default: 1e-5.
    pub tolerance: f64,
    /// The residual force to reach, the root of the sum of f^2/m, m/s^2 kg^0.5; a thousandth of that of the loads where that is less. 0: the
    /// paper's minimum, which the regularizer keeps off the equilibrium. 0 to 1e15. Default: 1e-6.
    pub target: f64,
    /// Rest lengths stay above this multiple of the first ones, 0 to 1e6. Default: 0.1.
    pub length_min: f64,
    /// Rest lengths stay below this multiple of the first ones, up to 1e6. Default: 1.1.
    pub length_max: f64,
    /// The largest change of a rest curvature, 0 to 1e15. A curvature is twice the tangent of half
    /// the angle between two edges. Default: 1.4142, a change by 70 degrees.
    pub curvature: f64,
    /// The largest change of a rest twist, rad, 0 to 1e15. Default: pi/8. (WITHY_MODEL_GHOST: at
    /// least `curvature`.)
    pub twist: f64,
    /// The largest factor by which a strand may be made stiffer if it would not hold its pose
    /// otherwise, 1 to 1e15. Only the vertices that need it become stiffer, and no more than they
    /// need. It takes longer: a second for a strand of 100 vertices. Not for strands of more than
    /// 1000 vertices. 0 (the default): none.
    pub stiffen: f64,
    /// Length of the steps to come, s, 1e-6 to 10. The rest shape holds for steps of this length
    /// and shorter ones. 0 (the default): as long as the last step; 1/60 s before the first.
    pub step: f64,
    /// Iterations of the search, 1 to 1e6. Only strands that are pinned between their ends, or that
    /// meet their bounds, need any. Default: 500.
    pub iterations: u32,
    /// A WITHY_BOUNDS_ value. Default: WITHY_BOUNDS_PENALTY.
    pub bounds: u32,
    /// 1 (the default): rest twists may change. 0: they stay.
    pub change_twist: u32,
    /// Must be 0.
    pub reserved: u32,
    /// With `stiffen`: how firmly a strand must hold its pose, as the least
    /// `WithyElasticReport.lowest_mode`, 1/s^2, 0 to 1e15. A limp strand of 25 cm that hangs down
    /// has 57. 0 (the default): just stable.
    pub lowest_mode_min: f64,
}

// SAFETY: repr(C), no padding, any bits are a value: the callback is checked for NULL by its type alone, and a host that writes
// garbage there breaks the contract of every function pointer.
unsafe impl Def for WithyRestShapeDef {
    // Up to `reserved`.
    const FIRST_SIZE: usize = 128;
    fn defaults() -> Self {
        let o = Options::default();
        WithyRestShapeDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            progress: None,
            user: std::ptr::null_mut(),
            regularizer: o.regularizer,
            penalty: o.penalty,
            tolerance: o.tolerance,
            target: o.target,
            length_min: o.bounds.length[0],
            length_max: o.bounds.length[1],
            curvature: o.bounds.kappa,
            twist: o.bounds.twist,
            stiffen: 0.0,
            step: 0.0,
            iterations: o.iterations as u32,
            bounds: WITHY_BOUNDS_PENALTY,
            change_twist: 1,
            reserved: 0,
            lowest_mode_min: o.lowest_mode_min,
        }
    }
    fn reserved(&self) -> u32 {
        self.reserved
    }
}

fn options(def: &WithyRestShapeDef) -> Result<Options> {
    let modes = [BoundMode::None, BoundMode::Penalty, BoundMode::Clamped, BoundMode::Exact];
    let between = |name, v, low, high| validate::between(name, v, low, high).map(|()| v);
    let [low, high] = [between("length_min", def.length_min, 0.0, 1e6)?, between("length_max", def.length_max, 0.0, 1e6)?];
    if high == 0.0 {
        return Err(Failure::argument("length_max is 0: must be above 0".to_string()));
    }
    if low > high {
        return Err(Failure::argument(format!("length_min is {low}: must not be above length_max, which is {high}")));
    }
    Ok(Options {
        regularizer: between("regularizer", def.regularizer, 1e-15, 1e15)?,
        penalty: between("penalty", def.penalty, 0.0, 1e15)?,
        tolerance: between("tolerance", def.tolerance, 0.0, 1e15)?,
        target: between("target", def.target, 0.0, 1e15)?,
        bounds: Bounds {
            length: [low, high],
            kappa: between("curvature", def.curvature, 0.0, 1e15)?,
            twist: between("twist", def.twist, 0.0, 1e15)?,
        },
        iterations: between("iterations", f64::from(def.iterations), 1.0, 1e6)? as usize,
        stiffen: match def.stiffen {
            0.0 => None,
            factor => Some(between("stiffen (0: not at all)", factor, 1.0, 1e15)?),
        },
        lowest_mode_min: between("lowest_mode_min", def.lowest_mode_min, 0.0, 1e15)?,
        mode: defs::choice(def.bounds, &modes, "bounds")?,
        twist: defs::boolean(def.change_twist, "change_twist")?,
    })
}

/// Fills `def` with the defaults. Use the macro `withy_rest_shape_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rest_shape_def_init_sized(def: *mut WithyRestShapeDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_rest_shape_def_init", || unsafe { defs::init(def, size) })
}

/// Writes. Finds rest shapes for which the present pose is an equilibrium under the present
/// gravity, wind, forces and moments. `withy_rods_read_elastic_report` tells how well it went;
/// strands that cannot be solved keep their rest shape.
///
/// Call it after gravity or forces have changed, after a change to fewer substeps or longer steps,
/// and when attachments have come. It keeps the pose that the rods have now. To keep an earlier
/// one, write back its positions and frames and velocities of 0, and teleport roots and pins there
/// first. Calling it twice changes nothing.
///
/// Ends that the host or an attachment holds count as held; contacts do not count. An end on a
/// junction, a dynamic body or a movable mesh counts as free if the other end is held more firmly.
///
/// @param def NULL: the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_optimize_rest_shape(rods: WithyRods, def: *const WithyRestShapeDef) -> i32 {
    guard::write("withy_rods_optimize_rest_shape", rods, |cx| {
        let def = match def.is_null() {
            true => WithyRestShapeDef::defaults(),
            // SAFETY: the caller's contract.
            false => unsafe { defs::read(def)? },
        };
        let mut progress = |done: usize, all: usize| match def.progress {
            // SAFETY: the host's function, with the arguments that the header promises.
            Some(progress) => unsafe { progress(def.user, done as u32, all as u32) == 0 },
            None => true,
        };
        let options = options(&def)?;
        cx.world.rods_mut(cx.id)?.expect_steps(if def.step == 0.0 { None } else { Some(def.step) })?;
        Ok(cx.world.optimize_rest_shape(cx.id, &options, cx.runner, &mut progress)?)
    })
}

/// Writes. Sets the shape at rest.
///
/// @param rest_shape A WITHY_REST_ value. WITHY_REST_FROM_POSE takes the present pose.
/// @param rest_lengths Numbers, one an edge, host units. NULL unless WITHY_REST_EXPLICIT.
/// @param rest_darboux Vectors, one an element, 1/host unit. NULL unless WITHY_REST_EXPLICIT, or if
///     there are no elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_set_rest_shape(
    rods: WithyRods,
    rest_shape: u32,
    rest_lengths: *const WithySpan,
    rest_darboux: *const WithySpan,
) -> i32 {
    guard::write("withy_rods_set_rest_shape", rods, |cx| {
        // SAFETY: the caller's contract.
        let load = |span: *const WithySpan, name| match span.is_null() {
            true => Ok(WithySpan::default()),
            // SAFETY: the caller's contract.
            false => unsafe { defs::load(span, name) },
        };
        let lengths = load(rest_lengths, "rest_lengths")?;
        let darboux = load(rest_darboux, "rest_darboux")?;
        let rods = cx.world.rods_mut(cx.id)?;
        let sizes = [rods.edge_count(), rods.element_count()];
        Ok(rods.set_rest_shape(rods_desc::rest_shape(rest_shape, &lengths, &darboux, sizes, cx.convention)?)?)
    })
}

/// Writes. Moves the rods to their equilibrium under the present gravity and forces, and leaves
/// them at rest there. Held ends stay where they are; contacts do not count.
/// `withy_rods_read_elastic_report` tells how it went.
///
/// @param iterations Steps of Newton's method, 1 to 1e6. 100 is plenty for most strands.
/// @param tolerance The force that may be left, as in `WithyElasticReport.residual`, 0 to 1e9. 1e-6
///     is a good value.
#[unsafe(no_mangle)]
pub extern "C" fn withy_rods_settle(rods: WithyRods, iterations: u32, tolerance: f64) -> i32 {
    guard::write("withy_rods_settle", rods, |cx| Ok(cx.world.settle(cx.id, iterations as usize, tolerance, cx.runner)?))
}

/// Nothing has been asked of the strand.
pub const WITHY_STRAND_IDLE: u32 = 0;
/// The residual is at the target: the pose is an equilibrium, to a thousandth of the strand's length if it is stable. Whether it stays is for `unstable_modes`
/// to say: 0 if it does.
pub const WITHY_STRAND_AT_TARGET: u32 = 1;
/// The residual is as small as the rest shape can make it; with a target of 0 the paper's minimum. Or it is at the target, of a strand so light or so hardly stable
/// that it rests more than a thousandth of its length from the pose.
pub const WITHY_STRAND_CONVERGED: u32 = 2;
/// The same, with parameters at their bounds: the strand is too soft for its pose.
pub const WITHY_STRAND_AT_BOUNDS: u32 = 3;
/// The iterations were used up.
pub const WITHY_STRAND_ITERATION_LIMIT: u32 = 4;
/// `progress` cancelled before it was the strand's turn.
pub const WITHY_STRAND_CANCELLED: u32 = 5;
/// The strand was left as it is: `refusal` says why.
pub const WITHY_STRAND_REFUSED: u32 = 6;

/// The pose is not held, or not by `lowest_mode_min`, and what it would take was not found: the rest shape is the one without stiffening.
/// Because `stiffen` allows too little, or a step of this length makes too little of it in f32 (WITHY_REFUSAL_STEP; f64 does not
/// ask), or bounds stay around a first rest shape that is far from the pose (`withy_rods_set_rest_shape` from the pose, then again), or there are more than 1000 vertices, or no stiffness raises that mode: a pinned root swings however stiff the rod is.
pub const WITHY_STRAND_TOO_SOFT: u32 = 7;
/// As WITHY_STRAND_AT_TARGET, but the rods are swept from zero in every substep, which stops short of the equilibrium and sags: make them with
/// WITHY_RODS_SAG_FREE, WITHY_RODS_WARM_START or WITHY_ORDER_DIRECT.
pub const WITHY_STRAND_SWEPT: u32 = 8;

/// A NaN or an infinity in pose, forces or rest shape, or statics that run farther than 1e9 m or 1e4 lengths of the strand, as of one that
/// nothing holds.
pub const WITHY_REFUSAL_NOT_FINITE: u32 = 1;
/// A vertex or an edge without mass.
pub const WITHY_REFUSAL_NO_MASS: u32 = 2;
/// An edge shorter than a millionth of the strand's longest: after a write of positions only, as the definition's are simulated longer
/// (WITHY_ISSUE_SHORT_EDGE).
pub const WITHY_REFUSAL_SHORT_EDGE: u32 = 3;
/// Two edges that fold back on each other: by more than 169 degrees, where a step of Newton's method takes them for a softer element; of rods
/// that are swept by 180, where their curvature is infinite.
pub const WITHY_REFUSAL_FOLD: u32 = 4;
/// The pose is an equilibrium, but a step in f32 may leave it: some element is so stiff, beside what its vertices weigh, that the step takes it for another
/// (in a thin tape, or a kink of stiff hair: from some 110 degrees on at one substep a frame, 150 at eight; kinks mostly stay all the same). Of rest shapes, whatever the iterations. Make the world with WITHY_PRECISION_F64; for what is no stiffer than
/// steps take it, more substeps do, too.
pub const WITHY_REFUSAL_PRECISION: u32 = 6;
/// What would hold the pose may be stiffer than steps of this length take it, as in f32 beside an edge a thousandth as long as the others: more substeps make more of
/// it (`step`), and WITHY_PRECISION_F64 takes 1e5 times as much.
pub const WITHY_REFUSAL_STEP: u32 = 7;
/// A vertex is not where it is held, and the next step takes it there: by more than 1e-5 of its edge's length a pinned one, or a root or tip, of a pose that was written without
/// `withy_rods_set_pin` or `withy_rods_set_root_poses` (teleported: a target that is still ahead holds nothing yet), and of discrete elastic rods the second vertex of a clamped
/// end, a rest length along the tangent of the frame that holds it; by more than 1e-3 of its edge an end that is attached to a body or a mesh. Of what else holds: the rest
/// shape was found for the pose as it is.
pub const WITHY_REFUSAL_HELD: u32 = 8;

/// What is known of a strand's equilibrium. A strand holds its pose if `status` is WITHY_STRAND_AT_TARGET and `unstable_modes` 0; a strand that nothing holds, which
/// falls, is WITHY_STRAND_CONVERGED.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyElasticReport {
    /// A WITHY_STRAND_ value.
    pub status: u32,
    /// A WITHY_REFUSAL_ value (none is 5): why it was refused, or why its pose is not held; or 0.
    pub refusal: u32,
    /// 0: the strand had its rest shape; 1: it followed from statics; or what Gauss-Newton took.
    pub iterations: u32,
    /// Rest parameters at or beyond a bound.
    pub at_bounds: u32,
    /// Ways in which the strand leaves the pose by itself, or what else keeps it from holding: 0 for a stable equilibrium, if `lowest_mode` is a number; 0 too where nothing is
    /// known. A neutral mode, as of a rope that turns about its line, is none. In f32, of strands that more than one end holds, also what the
    /// rounding of the rest shape makes of it: 1 or more where that alone leads away from the pose, by a thousandth of the length or for good; and
    /// 1 where `refusal` names a step or what is held elsewhere as the cause. Moments about edges turn with them and have no energy: what a pose
    /// may flutter by under these is not in it. Of rods that WITHY_ORDER_DIRECT solves also those in which steps of the length that is expected
    /// swing it up: if `lowest_mode` is positive, `refusal` 0 and no rounding to blame, it is these alone, and shorter steps hold the pose. Rods that come near bodies, or get
    /// attachments, later: optimize again (docs/internals/direct.md).
    pub unstable_modes: u32,
    /// Vertices and edges that are stiffer by it.
    pub stiffened: u32,
    /// The root of the sum of f^2/m over what can move, m/s^2 kg^0.5.
    pub residual: f64,
    /// The largest |f|/m of a vertex, m/s^2.
    pub acceleration: f64,
    /// Square of the lowest angular frequency, 1/s^2; negative if unstable, 0 if neutral, infinite if nothing can move, NaN if unknown: refused,
    /// cancelled, or settled folded (WITHY_REFUSAL_FOLD).
    /// `acceleration` over this is about how far the strand rests from the pose, in f64; what a step in f32 rounds comes on top, and moves
    /// it most where this is small.
    pub lowest_mode: f64,
    /// The largest factor by which `stiffen` has made it stiffer, now or in an earlier call: 1 if it has not.
    pub stiffest: f64,
}

fn report(r: &StrandReport) -> WithyElasticReport {
    let why = |r: Refusal| r as u32 + 1;
    let refusal = r.cause.map_or(0, why);
    let (status, refusal) = match r.status {
        Status::Idle => (WITHY_STRAND_IDLE, refusal),
        Status::AtTarget => (WITHY_STRAND_AT_TARGET, refusal),
        Status::Converged => (WITHY_STRAND_CONVERGED, refusal),
        Status::AtBounds => (WITHY_STRAND_AT_BOUNDS, refusal),
        Status::TooSoft => (WITHY_STRAND_TOO_SOFT, refusal),
        Status::Swept => (WITHY_STRAND_SWEPT, refusal),
        Status::IterationLimit => (WITHY_STRAND_ITERATION_LIMIT, refusal),
        Status::Cancelled => (WITHY_STRAND_CANCELLED, 0),
        Status::Refused(reason) => (WITHY_STRAND_REFUSED, why(reason)),
    };
    WithyElasticReport {
        status,
        refusal,
        iterations: r.iterations,
        at_bounds: r.at_bounds,
        unstable_modes: r.unstable_modes,
        stiffened: r.stiffened,
        residual: r.norm,
        acceleration: r.acceleration,
        lowest_mode: r.lowest_mode,
        stiffest: r.stiffest,
    }
}

/// Reads. How the last search left each strand. There are no reports before the first search.
///
/// @param reports Room for `*count` reports, one a strand, or NULL to learn the count.
/// @param count Set to the number of reports.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_elastic_report(
    rods: WithyRods,
    reports: *mut WithyElasticReport,
    count: *mut u64,
) -> i32 {
    guard::read("withy_rods_read_elastic_report", rods, |cx| {
        let all = cx.world.rods(cx.id)?.elastic_report();
        // SAFETY: the caller's contract.
        if let Some(reports) = unsafe { span::buffer(reports, count, all.len(), "count")? } {
            for (i, r) in all.iter().enumerate() {
                // SAFETY: `buffer` has checked the room.
                unsafe { reports.add(i).write_unaligned(report(r)) };
            }
        }
        Ok(())
    })
}

/// Reads. Numbers, one a strand, 0 to 1: the part of gravity and forces that a strand feels, because its sweeps carry no more in the pose
/// that was found last, with WITHY_RODS_WARM_START. A strand with 0.125 falls, sags when it leaves its pose and swings with an eighth of its
/// weight; its inertia and its stiffness are whole. One with 0.06 or less may leave its pose after a push of 1e-5 m/s. Look at it before the rods are used, and where it is too small take more substeps, more
/// iterations or WITHY_ORDER_DIRECT, which carries all. Found for the substeps and iterations that the world has, and for steps of the length
/// `WithyRestShapeDef::step`; longer substeps and fewer iterations carry less, which is in this number after the first such step (the cube of
/// the ratio of the substeps: twice as long, an eighth). 1 in all other rods.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_carried(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_carried", rods, out, Rods::strand_count, |rods, _, out| {
        rods.read_carried(|i, share| out.put(i, [share]));
    })
}

/// Reads. The lengths at rest.
///
/// @param out Numbers, one an edge, host units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_rest_lengths(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_rest_lengths", rods, out, Rods::edge_count, |rods, c, out| {
        rods.read_rest_lengths(|i, l| out.put(i, [c.length_out(l)]));
    })
}

/// Reads. How the rods are bent and twisted at rest, in the library's own measure. To be stored
/// with a groom, and given to rods of the same definition by `withy_rods_set_rest_strains`.
///
/// @param out Five numbers a vertex.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_rest_strains(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_rest_strains", rods, out, Rods::vertex_count, |rods, _, out| {
        rods.read_rest_strains(|i, s| out.put(i, s));
    })
}

/// Reads. Two numbers a vertex: the factors by which the rod is stiffer than its definition made it, against bending and twisting there, and
/// against stretching of the edge after it. 1 until `WithyRestShapeDef.stiffen` or `withy_rods_set_stiffness_factors` changes them. What `stiffen` has
/// found, the next call with it keeps where the strand has its rest shape and holds, and else finds anew; what was set stays, and is multiplied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_stiffness_factors(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_stiffness_factors", rods, out, Rods::vertex_count, |rods, _, out| {
        rods.read_stiffness_factors(|i, f| out.put(i, f));
    })
}

/// Writes. Makes the rods stiffer, or softer, than their definition did: gives back what `withy_rods_read_stiffness_factors` told, or
/// tries another stiffness. The rest shape stays: `withy_rods_optimize_rest_shape` finds that of the new stiffness, from the old one, and sooner
/// than from none. WITHY_STIFFNESS_PHYSICAL only.
///
/// @param factors Two numbers a vertex, [1e-9, 1e9].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_set_stiffness_factors(rods: WithyRods, factors: *const WithySpan) -> i32 {
    guard::write("withy_rods_set_stiffness_factors", rods, |cx| {
        let rods: &mut Rods = cx.world.rods_mut(cx.id)?;
        // SAFETY: the caller's contract.
        let factors = unsafe { View::<2>::argument(factors, "factors", rods.vertex_count(), "vertices")? };
        Ok(rods.set_stiffness_factors(|i| factors.get(i))?)
    })
}

/// Writes. Makes the rods thicker or thinner. Masses and stretching stiffness go with the square of
/// the radius, bending and twisting stiffness with its fourth power. Pose, velocities and rest
/// shape stay: call `withy_rods_optimize_rest_shape` to fit it again. Saved states do not hold
/// radii.
///
/// @param radii Numbers, one a vertex, host units, 1e-7 m to 1e3 m; of an elliptic section along
///     d1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_set_radii(rods: WithyRods, radii: *const WithySpan) -> i32 {
    guard::write("withy_rods_set_radii", rods, |cx| {
        let c = cx.convention;
        let rods: &mut Rods = cx.world.rods_mut(cx.id)?;
        // SAFETY: the caller's contract.
        let radii = unsafe { View::<1>::argument(radii, "radii", rods.vertex_count(), "vertices")? };
        let radii = radii.lengths(c, validate::RADIUS)?;
        Ok(rods.set_radii(|i| radii[i])?)
    })
}

/// Writes. Sets a rest shape that was stored.
///
/// @param rest_lengths Numbers, one an edge, as read by `withy_rods_read_rest_lengths`, 1e-9 m to
///     1e9 m.
/// @param rest_strains Five numbers a vertex, as read by `withy_rods_read_rest_strains`, [-1e9,
///     1e9].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_set_rest_strains(
    rods: WithyRods,
    rest_lengths: *const WithySpan,
    rest_strains: *const WithySpan,
) -> i32 {
    guard::write("withy_rods_set_rest_strains", rods, |cx| {
        let c = cx.convention;
        let rods: &mut Rods = cx.world.rods_mut(cx.id)?;
        // SAFETY: the caller's contract.
        let lengths = unsafe { View::<1>::argument(rest_lengths, "rest_lengths", rods.edge_count(), "edges")? };
        let lengths = lengths.lengths(c, validate::REST_LENGTH)?;
        // SAFETY: the caller's contract.
        let strains = unsafe { View::<5>::argument(rest_strains, "rest_strains", rods.vertex_count(), "vertices")? };
        let strains = (0..rods.vertex_count()).map(|i| strains.get(i)).collect();
        Ok(rods.set_rest_shape(RestShape::Strains { lengths, strains })?)
    })
}
