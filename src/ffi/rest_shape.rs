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
use crate::sagfree::batch::StrandReport;
use crate::sagfree::rest_shape::{BoundMode, Bounds, Options};
use crate::strands::answer::answer;
use crate::world::{RestShape, Rods, validate};

/// Rest shapes may change as much as they have to. A pose that is too tight for its strand can get
/// rest curvatures that steps soften.
pub const WITHY_BOUNDS_NONE: u32 = 0;
/// Rest shapes keep their bounds. The default.
pub const WITHY_BOUNDS_EXACT: u32 = 1;

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
    /// With a `target` of 0: weight of the distance from the first rest shape. Otherwise it only
    /// damps the search. 1e-15 to 1e15. Default: 1e-5.
    pub regularizer: f64,
    /// With a `target` of 0: the change of the rest shape below which the search ends, 0 to 1e15.
    /// Default: 1e-5.
    pub tolerance: f64,
    /// The force that may be left, as in `WithyElasticReport.residual`; a thousandth of that of the
    /// loads where that is less. 0: the minimum of the paper, which is not quite an equilibrium. 0
    /// to 1e15. Default: 1e-6.
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
    /// need. The stiffness factors of the rods are multiplied, and stay until the host sets
    /// others. It takes longer: a second for a strand of 100 vertices. Not for strands of more
    /// than 1000 vertices. 0 (the default): none.
    pub stiffen: f64,
    /// Length of the steps to come, s, 1e-6 to 10. The rest shape holds for steps of this length
    /// and shorter ones. 0 (the default): as long as the last step; 1/60 s before the first.
    pub step: f64,
    /// Iterations of the search, 1 to 1e6. Only strands that are pinned between their ends, or that
    /// meet their bounds, need any. Default: 500.
    pub iterations: u32,
    /// A WITHY_BOUNDS_ value. Default: WITHY_BOUNDS_EXACT.
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
    const FIRST_SIZE: usize = 120;
    fn defaults() -> Self {
        let o = Options::default();
        WithyRestShapeDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            progress: None,
            user: std::ptr::null_mut(),
            regularizer: o.regularizer,
            tolerance: o.tolerance,
            target: o.target,
            length_min: o.bounds.length[0],
            length_max: o.bounds.length[1],
            curvature: o.bounds.kappa,
            twist: o.bounds.twist,
            stiffen: 0.0,
            step: 0.0,
            iterations: o.iterations as u32,
            bounds: WITHY_BOUNDS_EXACT,
            change_twist: 1,
            reserved: 0,
            lowest_mode_min: o.lowest_mode_min,
        }
    }
    fn reserved(&self) -> u32 {
        self.reserved
    }
}

/// Asks the host whether to go on.
fn asking(
    progress: Option<unsafe extern "C" fn(user: *mut c_void, done: u32, all: u32) -> u32>,
    user: *mut c_void,
) -> impl FnMut(usize, usize) -> bool {
    move |done, all| match progress {
        // SAFETY: the host's function, with the arguments that the header promises.
        Some(progress) => unsafe { progress(user, done as u32, all as u32) == 0 },
        None => true,
    }
}

fn options(def: &WithyRestShapeDef) -> Result<Options> {
    let modes = [BoundMode::None, BoundMode::Exact];
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
        #[cfg(feature = "paper")]
        penalty: Options::default().penalty,
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
        let mut progress = asking(def.progress, def.user);
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

/// How to settle rods.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithySettleDef {
    pub struct_size: u32,
    pub flags: u32,
    pub next: *const c_void,
    /// Called several times a second on the calling thread, with the number of strands that are
    /// done, and of all. Return 0 to go on. Anything else cancels: strands that were not done stay
    /// where they are. The world is busy meanwhile. NULL (the default): none.
    pub progress: Option<unsafe extern "C" fn(user: *mut c_void, done: u32, all: u32) -> u32>,
    /// Passed to `progress`.
    pub user: *mut c_void,
    /// The force that may be left, as in `WithyElasticReport.residual`, 0 to 1e9. Default: 1e-6.
    pub tolerance: f64,
    /// Steps of Newton's method, 1 to 1e6. Default: 100, plenty for most strands.
    pub iterations: u32,
    /// Must be 0.
    pub reserved: u32,
}

// SAFETY: repr(C), no padding, any bits are a value: the callback is checked for NULL by its type alone, and a host that writes
// garbage there breaks the contract of every function pointer.
unsafe impl Def for WithySettleDef {
    const FIRST_SIZE: usize = 48;
    fn defaults() -> Self {
        WithySettleDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            progress: None,
            user: std::ptr::null_mut(),
            tolerance: 1e-6,
            iterations: 100,
            reserved: 0,
        }
    }
    fn reserved(&self) -> u32 {
        self.reserved
    }
}

/// Fills `def` with the defaults. Use the macro `withy_settle_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_settle_def_init_sized(def: *mut WithySettleDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_settle_def_init", || unsafe { defs::init(def, size) })
}

/// Writes. Moves the rods to their equilibrium under the present gravity and forces, and leaves
/// them at rest there. Held ends stay where they are; contacts do not count.
/// `withy_rods_read_elastic_report` tells how it went: of strands that were not done it says
/// WITHY_STRAND_REFUSED and WITHY_REASON_CANCELLED. One iteration takes about as long as a step.
///
/// @param def NULL: the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_settle(rods: WithyRods, def: *const WithySettleDef) -> i32 {
    guard::write("withy_rods_settle", rods, |cx| {
        let def = match def.is_null() {
            true => WithySettleDef::defaults(),
            // SAFETY: the caller's contract.
            false => unsafe { defs::read(def)? },
        };
        let mut progress = asking(def.progress, def.user);
        let (iterations, tolerance) = (def.iterations as usize, def.tolerance);
        Ok(cx.world.settle_watched(cx.id, iterations, tolerance, cx.runner, &mut progress)?)
    })
}

/// The strand holds its pose: it is a stable equilibrium, in the precision of the rods and for
/// steps of the expected length.
pub const WITHY_STRAND_HOLDS: u32 = 1;
/// The strand leaves its pose: by itself, as a pencil on its tip falls, or because a force is left.
pub const WITHY_STRAND_UNSTABLE: u32 = 2;
/// The strand would hold its pose if it were stiffer. See `WithyRestShapeDef.stiffen`.
pub const WITHY_STRAND_TOO_SOFT: u32 = 3;
/// The strand was left as it is. `reason` says why.
pub const WITHY_STRAND_REFUSED: u32 = 4;

/// A NaN or an infinity in the pose, the forces or the rest shape, or a strand that runs away
/// because nothing holds it.
pub const WITHY_REASON_NOT_FINITE: u32 = 1;
/// A vertex or an edge without mass.
pub const WITHY_REASON_NO_MASS: u32 = 2;
/// An edge shorter than a millionth of the strand's longest.
pub const WITHY_REASON_SHORT_EDGE: u32 = 3;
/// Two edges fold back on each other by more than 169 degrees.
pub const WITHY_REASON_FOLD: u32 = 4;
/// `progress` cancelled the search before it was the strand's turn.
pub const WITHY_REASON_CANCELLED: u32 = 5;
/// In single precision a step may leave this pose: part of the strand is too stiff for its mass, as
/// in a thin tape or a sharp kink of stiff hair. Use WITHY_PRECISION_F64, or more substeps.
pub const WITHY_REASON_PRECISION: u32 = 6;
/// A step of this length softens the strand, or would soften what holds the pose. Use more
/// substeps, or WITHY_PRECISION_F64.
pub const WITHY_REASON_STEP: u32 = 7;
/// A held vertex is not where it is held, so that the next step moves it. Teleport roots, tips and
/// pins to the pose first. For WITHY_MODEL_DER the second vertex of a clamped end counts, too.
pub const WITHY_REASON_HELD: u32 = 8;
/// Rest shapes that would hold the pose are beyond the bounds.
pub const WITHY_REASON_BOUNDS: u32 = 9;
/// The search used up its iterations.
pub const WITHY_REASON_ITERATIONS: u32 = 10;
/// No rest shape makes the pose an equilibrium, as nothing holds the strand, or a force is too
/// large: what is left in `residual` is the least.
pub const WITHY_REASON_NO_EQUILIBRIUM: u32 = 11;

/// Whether a strand holds its pose, and what is known of its equilibrium.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyElasticReport {
    /// A WITHY_STRAND_ value.
    pub answer: u32,
    /// A WITHY_REASON_ value: why the strand was refused, or does not hold. 0: there is no other
    /// reason than the answer.
    pub reason: u32,
    /// Iterations of the search. 0: the strand had its rest shape already.
    pub iterations: u32,
    /// The number of rest lengths, curvatures and twists at their bounds.
    pub at_bounds: u32,
    /// The number of ways in which the strand leaves its pose by itself, as a pencil on its tip
    /// falls. 0: none, if `lowest_mode` is a number. It includes what rounding in single precision,
    /// or steps of the expected length, would make of the pose. It does not include flutter by
    /// `withy_rods_set_moments`.
    pub unstable_modes: u32,
    /// The number of stiffness factors above 1, as `withy_rods_read_stiffness_factors` gives them.
    /// Who set them, `stiffen` or the host, makes no difference.
    pub stiffened: u32,
    /// The force that is left: the root of the sum of f^2/m over all that can move, m/s^2 kg^0.5.
    pub residual: f64,
    /// The largest acceleration that is left at a vertex, m/s^2. Divided by `lowest_mode` it is
    /// about how far from its pose the strand rests, m.
    pub acceleration: f64,
    /// How firmly the strand holds: the square of its lowest angular frequency, 1/s^2. Negative:
    /// unstable. 0: neutral, as a rope that turns about its line. Infinite: nothing can move. NaN:
    /// not known.
    pub lowest_mode: f64,
    /// The largest stiffness factor of the strand. 1: no factor is above 1.
    pub stiffest: f64,
}

fn report(r: &StrandReport) -> WithyElasticReport {
    let (answer, reason) = answer(r);
    WithyElasticReport {
        answer: answer as u32,
        reason: reason.map_or(0, |why| why as u32),
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

/// Reads. How much stiffer the rods are than they were made: factors for bending and twist at a
/// vertex, and for stretching of the edge after it. 1 until `WithyRestShapeDef.stiffen` or
/// `withy_rods_set_stiffness_factors` changes them.
///
/// @param out Two numbers a vertex.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_stiffness_factors(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_stiffness_factors", rods, out, Rods::vertex_count, |rods, _, out| {
        rods.read_stiffness_factors(|i, f| out.put(i, f));
    })
}

/// Writes. Makes the rods stiffer or softer than they were made. The rest shape stays: call
/// `withy_rods_optimize_rest_shape` to fit it again. Factors of 1 take off what
/// `WithyRestShapeDef.stiffen` has found. WITHY_STIFFNESS_PHYSICAL only.
///
/// @param factors Two numbers a vertex, as read by `withy_rods_read_stiffness_factors`, [1e-9,
///     1e9].
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

/// Reads. Writes the rest shape with its stiffness factors into `data`: an asset of its own, for a
/// chunk of a host's asset, or for a file. It is in SI units, whatever those of the context.
///
/// @param data Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the bytes of the rest shape.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_save_rest_shape(rods: WithyRods, data: *mut c_void, size: *mut u64) -> i32 {
    guard::read("withy_rods_save_rest_shape", rods, |cx| {
        let bytes = cx.world.rods(cx.id)?.save_rest_shape();
        // SAFETY: the caller's contract; `buffer` has checked the room.
        unsafe {
            if let Some(data) = span::buffer(data.cast::<u8>(), size, bytes.len(), "size")? {
                data.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            }
        }
        Ok(())
    })
}

/// Writes. Sets a rest shape that was saved. The rods must have the strands and the model of those
/// that it was found for; that their material and gravity are the same is up to the host.
///
/// @param data `size` bytes of `withy_rods_save_rest_shape`.
/// @param size Number of bytes.
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if the bytes are damaged, of another version, or of
///     other rods, which then keep their rest shape.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_load_rest_shape(rods: WithyRods, data: *const c_void, size: u64) -> i32 {
    guard::write("withy_rods_load_rest_shape", rods, |cx| {
        defs::not_null(data, "data")?;
        let rods: &mut Rods = cx.world.rods_mut(cx.id)?;
        // SAFETY: the caller's contract.
        Ok(rods.load_rest_shape(unsafe { span::bytes(data, size, ["data", "size"])? })?)
    })
}
