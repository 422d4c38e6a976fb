//! Rods
//!
//! A set of strands of one material: a groom, a rope, the strings of a net. Vertices are counted strand after strand, root first,
//! through the whole set. A strand of n vertices has n - 1 edges, each with a material frame (d1, d2, d3), d3 along the edge, and
//! n - 2 elements: its interior vertices, where it bends and twists. Edges and elements are counted through the set likewise.

use std::ffi::c_void;

use super::convention::{Convention, finite};
use super::defs::{self, Def};
use super::guard;
use super::handles;
use super::rods_desc;
use super::span::{FLOATS, Output, View};
use super::types::{WITHY_FORMAT_U32, WithyPose, WithySpan, WithyVec3};
use super::world::WithyWorld;
use crate::world::{Pose, Rods, RodsDesc, Stiffness};

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyRods {
    pub bits: u64,
}
handles::handle!(WithyRods, Rods, "rods");

/// Position-based rods with ghost points (Umetani 2014): many cheap iterations.
pub const WITHY_MODEL_GHOST: u32 = 0;
/// Discrete elastic rods (Bergou 2010; Takahashi and Batty 2025): an iteration is a step of Newton's method over the whole strand;
/// one is enough for most scenes. A clamped end holds its edge. WITHY_STIFFNESS_PHYSICAL only; `order` and `ghost_...` do not
/// matter. Costs 308 bytes more a vertex, 616 in f64.
pub const WITHY_MODEL_DER: u32 = 1;

/// `young_modulus`, `shear_modulus` and the section give the stiffness. The static shape depends neither on the time step nor
/// on the iterations.
pub const WITHY_STIFFNESS_PHYSICAL: u32 = 0;
/// `alpha_...` is the share of each constraint that an iteration corrects (Umetani 2014). Stiffer with more iterations.
pub const WITHY_STIFFNESS_ALPHA: u32 = 1;

/// The shape at the start, or `rest_positions`.
pub const WITHY_REST_FROM_POSE: u32 = 0;
/// The lengths of the start, without curvature and twist.
pub const WITHY_REST_STRAIGHT: u32 = 1;
/// `rest_lengths` and `rest_darboux`.
pub const WITHY_REST_EXPLICIT: u32 = 2;

/// Edge by edge from the root, each with its bend and twist.
pub const WITHY_ORDER_ROOT_TO_TIP: u32 = 0;
/// From both ends at once (Umetani 2014, fig. 7); the tip's end is that of the longest of the up to 32 strands that are solved side by side, so that
/// shorter ones depend on it. For comparison.
pub const WITHY_ORDER_BIDIRECTIONAL: u32 = 1;
/// All edges, then all elements: the naive order, which vibrates by itself; kept for comparison.
pub const WITHY_ORDER_SEQUENTIAL: u32 = 2;
/// None: all constraints of a strand at once, by one Newton step an iteration. Weight and stiffness travel the whole strand in one
/// step: long or stiff strands neither stretch nor soften, in f64; in f32 an edge gives by some 1e-5 h^2 g more under the weight of a vertex, h the substep,
/// which adds up in strands of thousands of edges and in edges far under a millimetre (docs/direct.md). Costs some four sweeps, and 300 bytes more a
/// vertex, 600 in f64; physical stiffness only.
pub const WITHY_ORDER_DIRECT: u32 = 3;
/// In turn as WITHY_ORDER_ROOT_TO_TIP, and with all bends and twists from the tip before all edges from the root. Stretches as little
/// as that order, and does not vibrate by itself if a substep has two iterations or more.
pub const WITHY_ORDER_ALTERNATING: u32 = 4;
/// WITHY_ORDER_DIRECT for WITHY_MODEL_GHOST, WITHY_STIFFNESS_PHYSICAL and WITHY_GHOST_GRAVITY_SHARED where the root or the tip is pinned or
/// clamped, or WITHY_RODS_SAG_FREE is set, and WITHY_RODS_WARM_START is not; else WITHY_ORDER_ALTERNATING: rods that fly keep their momenta
/// better so. `withy_rods_order` tells which.
pub const WITHY_ORDER_AUTO: u32 = 5;

/// As much as the middle of its edge feels, the rest on the edge's ends (Umetani 2014, appendix): a hanging rod does not bend, a
/// falling one does not spin.
pub const WITHY_GHOST_GRAVITY_SHARED: u32 = 0;
/// All of it: a hanging rod bends towards its ghost points. For comparison, like the next.
pub const WITHY_GHOST_GRAVITY_FULL: u32 = 1;
/// None: a falling rod spins about its ghost points.
pub const WITHY_GHOST_GRAVITY_NONE: u32 = 2;

/// How an end of each strand is held.
pub const WITHY_SUPPORT_FREE: u32 = 0;
/// The end vertex follows `withy_rods_set_root_poses` or `_tip_poses`; the direction is free.
pub const WITHY_SUPPORT_PINNED: u32 = 1;
/// The end vertex and the material frame at it follow.
pub const WITHY_SUPPORT_CLAMPED: u32 = 2;

/// A flag of the def: at creation, find the rest shape that makes the start pose an equilibrium under the gravity that the world has then, as
/// `withy_rods_optimize_rest_shape` with its defaults does; to be asked on the way, or to cancel, call that instead. Strands that are too soft for their
/// pose sag all the same:
/// `withy_rods_read_elastic_report` tells which. WITHY_ORDER_AUTO becomes WITHY_ORDER_DIRECT; other orders of WITHY_MODEL_GHOST get
/// WITHY_RODS_WARM_START, with its price, a second or more of creation for some twenty strands, and WITHY_GHOST_GRAVITY_SHARED only: look at
/// `withy_rods_read_carried`, too. Ends that attachments will hold: optimize again once they do. Look
/// at `status` and `unstable_modes`: an equilibrium may be one that the strand leaves. WITHY_STIFFNESS_PHYSICAL only.
pub const WITHY_RODS_SAG_FREE: u32 = 1;
/// A flag of the def: sweeps start each substep from the multipliers of the equilibrium that `withy_rods_optimize_rest_shape`,
/// `withy_rods_settle` or WITHY_RODS_SAG_FREE found last, not from zero, so that the pose stays at any iteration count.
/// The price: where the sweeps are too few to carry a strand in its pose, gravity, wind and forces act on it by the part that they carry, an
/// eighth, say, and it falls and swings as if it weighed that much; and where they only just carry it, it may leave its pose slowly, by a
/// hundredth of a millimetre in the first five seconds and a hundred times as much in the next. `withy_rods_read_carried` tells that part
/// of each strand; more substeps or iterations carry more, and WITHY_ORDER_DIRECT carries all and needs no warm start. After a change of
/// gravity, loads or rest strains optimize again: warm sweeps that start from another load's multipliers may swing for ever, and where rest strains or
/// stiffness are set, sweeps start from zero. Before the first
/// equilibrium, and in strands of which there is none, sweeps start from zero and carry all. WITHY_MODEL_GHOST with any order but
/// WITHY_ORDER_DIRECT, WITHY_STIFFNESS_PHYSICAL and
/// WITHY_GHOST_GRAVITY_SHARED only; else WITHY_ERROR_INVALID_ARGUMENT.
pub const WITHY_RODS_WARM_START: u32 = 2;
/// A flag of the def: contact with these rods does not push bodies, which are to them what colliders are then. For hair and fur: rods that push
/// dynamic bodies are stepped together with them wherever these are near, with the world's iterations whatever solves the rods, which costs more.
/// Attachments push both ways all the same.
pub const WITHY_RODS_ONE_WAY: u32 = 4;

/// Lengths, positions and velocities in host units; moduli, density and rates in SI whatever the convention.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyRodsDef {
    pub struct_size: u32,
    pub flags: u32,
    pub next: *const c_void,
    /// Vectors, one a vertex. Required.
    pub positions: WithySpan,
    /// u32, vertices of each strand, 2 to 2^24; they add up to `positions.count`, 2^31 at most. Required.
    pub counts: WithySpan,
    /// Vectors, one a vertex, or none: the shape to have at rest where it differs from the start.
    pub rest_positions: WithySpan,
    /// Vectors, one a vertex, or none: the start velocities.
    pub velocities: WithySpan,
    /// Numbers, one a vertex, or none: section radii instead of `radius`, in the same range.
    pub radii: WithySpan,
    /// Vectors, the direction of d1, projected off the edge: one an edge; one a strand, transported from its root; or none,
    /// for circular sections.
    pub section_axes: WithySpan,
    /// Numbers, one a vertex, [1e-6, 1e6], or none: multiplies the stiffness of bending, twist and stretch.
    pub stiffness_scale: WithySpan,
    /// Numbers, one an edge, [1e-9, 1e9] m. With WITHY_REST_EXPLICIT only, and then required.
    pub rest_lengths: WithySpan,
    /// Vectors, one an element: Darboux vectors, as `withy_rods_read_darboux` gives them. With WITHY_REST_EXPLICIT only, and
    /// then required.
    pub rest_darboux: WithySpan,
    /// Section radius, or for an ellipse the semi-axis along d1, [1e-7, 1e3] m. Required unless `radii` is there.
    pub radius: f64,
    /// Semi-axis along d2 over that along d1, [1e-3, 1e3]. Default: 1.
    pub aspect: f64,
    /// Young's modulus E and shear modulus G, Pa, [1e-3, 1e15]. Default: 1e7 and 4e6, rubber. (c_bend and c_twist of Takahashi and Batty 2025, whose
    /// c_stretch is `stretch_modulus`; hair: 4e9 and 1.5e9.)
    pub young_modulus: f64,
    pub shear_modulus: f64,
    /// 0 to 1, with WITHY_STIFFNESS_ALPHA: bending about d1 and d2, twist about d3, stretch. Default: 1.
    pub alpha_bend1: f64,
    pub alpha_bend2: f64,
    pub alpha_twist: f64,
    pub alpha_stretch: f64,
    /// kg/m^3, [1e-3, 1e6]. Default: 1000.
    pub density: f64,
    /// Distance of the ghost points from their edges. 0 (the default): the mean edge length of the strand.
    pub ghost_distance: f64,
    /// Mass of a ghost point over that of its edge, from which it is taken, [1e-6, 0.9]. Default: 0.2.
    pub ghost_mass_ratio: f64,
    /// Rate at which motion other than a strand's rigid motion dies, 1/s, [0, 1e9]; keeps both momenta (Mueller 2007).
    /// Default: 0.
    pub damping: f64,
    /// Rate at which the velocity approaches that of the wind, 1/s, [0, 1e9]. Default: 0.
    pub drag: f64,
    /// Host units/s. Default: 0.
    pub wind: WithyVec3,
    /// Coulomb's coefficient, [0, 1e3]; that of a contact is the geometric mean with the collider's. Default: 0.5.
    pub friction: f64,
    /// Distance of contact from the centreline, up to 1e3 m. 0 (the default): the section radius.
    pub collision_radius: f64,
    /// Vertices are slowed down to this speed, [1e-3, 1e9] m/s; the step's statistics count the strands. Loads that would bring a vertex there
    /// within one substep are cut by sweeps, and whole where Newton's method solves rods that something holds. 0 (the default): 1000 m/s.
    pub max_speed: f64,
    /// A WITHY_STIFFNESS_ value. Default: WITHY_STIFFNESS_PHYSICAL.
    pub stiffness: u32,
    /// A WITHY_REST_ value. Default: WITHY_REST_FROM_POSE.
    pub rest_shape: u32,
    /// A WITHY_ORDER_ value. Default: WITHY_ORDER_AUTO.
    pub order: u32,
    /// WITHY_SUPPORT_ values, at the first and the last vertex of each strand. Default: WITHY_SUPPORT_FREE.
    pub root: u32,
    pub tip: u32,
    /// Iterations of a substep, 10,000 at most. 0 (the default): one step of Newton's method with WITHY_ORDER_DIRECT and WITHY_MODEL_DER,
    /// without a line search, which comes with the second (docs/direct.md); the world's with sweeps. Rods that attachments hold are
    /// solved together, by the most iterations that any of them asks for; there 0 is the world's for all, three to eight where light bodies or
    /// junctions hold direct strands. What one of them asks for, or hangs on, thus changes how exactly the others are solved, near or far.
    pub iterations: u32,
    /// Layers that these rods are in and that they collide with: two objects meet if each has a bit of the other's category in
    /// its mask. Default: 1 and all.
    pub category: u32,
    pub mask: u32,
    /// How gravity pulls on the ghost points, a WITHY_GHOST_GRAVITY_ value. Default: WITHY_GHOST_GRAVITY_SHARED.
    pub ghost_gravity: u32,
    /// A WITHY_MODEL_ value. Default: WITHY_MODEL_GHOST.
    pub model: u32,
    /// Young's modulus against stretching alone, Pa, [1e-3, 1e15]. 0 (the default): `young_modulus`.
    pub stretch_modulus: f64,
    /// Time in which a strain forgets how fast it changes (Kelvin-Voigt), s, [0, 1e3]: slows changes of shape, leaves rigid motion
    /// and the static shape alone. WITHY_MODEL_DER or WITHY_ORDER_DIRECT only. With its stiffness no more than a step can take,
    /// which f32 limits. Default: 0.
    pub viscosity: f64,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyRodsDef {
    // Up to `mask`.
    const FIRST_SIZE: usize = 488;
    const FLAGS: u32 = WITHY_RODS_SAG_FREE | WITHY_RODS_WARM_START | WITHY_RODS_ONE_WAY;
    fn defaults() -> Self {
        let desc = RodsDesc::default();
        let (young_modulus, shear_modulus) = match desc.stiffness {
            Stiffness::Physical { young, shear } => (young, shear),
            Stiffness::Alpha { .. } => (1e7, 4e6),
        };
        let none = WithySpan::default();
        WithyRodsDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            positions: none,
            counts: none,
            rest_positions: none,
            velocities: none,
            radii: none,
            section_axes: none,
            stiffness_scale: none,
            rest_lengths: none,
            rest_darboux: none,
            radius: 0.0,
            aspect: desc.aspect,
            young_modulus,
            shear_modulus,
            alpha_bend1: 1.0,
            alpha_bend2: 1.0,
            alpha_twist: 1.0,
            alpha_stretch: 1.0,
            density: desc.density,
            ghost_distance: desc.ghost_distance,
            ghost_mass_ratio: desc.ghost_mass_ratio,
            damping: desc.damping,
            drag: desc.drag,
            wind: WithyVec3::new(desc.wind),
            friction: desc.friction,
            collision_radius: desc.collision_radius,
            max_speed: 0.0,
            stiffness: WITHY_STIFFNESS_PHYSICAL,
            rest_shape: WITHY_REST_FROM_POSE,
            order: WITHY_ORDER_AUTO,
            root: WITHY_SUPPORT_FREE,
            tip: WITHY_SUPPORT_FREE,
            iterations: desc.iterations,
            category: desc.category,
            mask: desc.mask,
            ghost_gravity: WITHY_GHOST_GRAVITY_SHARED,
            model: WITHY_MODEL_GHOST,
            stretch_modulus: desc.stretch_modulus,
            viscosity: desc.viscosity,
        }
    }
}

/// Fills `def` with the defaults. Use the macro `withy_rods_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_def_init_sized(def: *mut WithyRodsDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_rods_def_init", || unsafe { defs::init(def, size) })
}

/// Writes. Adds rods to a world; everything in `def` is copied.
///
/// Degenerate strands (zero-length edges, kinks) are accepted and named by `withy_rods_read_report`.
///
/// @param rods Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: on the GPU also the orders WITHY_ORDER_BIDIRECTIONAL and WITHY_ORDER_SEQUENTIAL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_create(world: WithyWorld, def: *const WithyRodsDef, rods: *mut WithyRods) -> i32 {
    guard::write("withy_rods_create", world, |cx| {
        defs::not_null(rods, "rods")?;
        // SAFETY: the caller's contract.
        let def = unsafe { defs::read(def)? };
        let id = cx.world.add_rods_on(rods_desc::read(&def, cx.convention)?, cx.runner)?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(rods, handles::object(world, id), "rods") }
    })
}

/// Writes. Removes rods, and the attachments that hold them.
#[unsafe(no_mangle)]
pub extern "C" fn withy_rods_destroy(rods: WithyRods) -> i32 {
    guard::write("withy_rods_destroy", rods, |cx| Ok(cx.world.remove_rods(cx.id)?))
}

/// Writes. Where the roots shall be at the end of the next step. They move there over its substeps; after that they stay.
///
/// @param positions Vectors, one a strand.
/// @param rotations Quaternions, one a strand: how far what the root sits on (a bone, a scalp) has turned since the rods were
///        created; a clamped frame turns with it. NULL: not at all, which is enough for WITHY_SUPPORT_PINNED.
/// @param teleport 1: they jump there, without getting a velocity. Else 0.
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if the roots are WITHY_SUPPORT_FREE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_set_root_poses(
    rods: WithyRods,
    positions: *const WithySpan,
    rotations: *const WithySpan,
    teleport: u32,
) -> i32 {
    set_poses("withy_rods_set_root_poses", rods, positions, rotations, teleport, false)
}

/// Writes. The same for the tips.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_set_tip_poses(
    rods: WithyRods,
    positions: *const WithySpan,
    rotations: *const WithySpan,
    teleport: u32,
) -> i32 {
    set_poses("withy_rods_set_tip_poses", rods, positions, rotations, teleport, true)
}

/// Writes. Moves all roots by one rigid transform: `withy_rods_set_root_poses` for hair on a rigid head, in one call.
///
/// The transform is relative to the pose at creation: a root that was created at x will be at rotation * x + position at
/// the end of the next step, and a clamped root turns by `rotation`. For a head whose matrix was M0 when the rods were
/// created and is M now, pass M * inverse(M0). The identity brings the roots back to where they were created.
///
/// @param transform Position in host units.
/// @param teleport 1: the roots jump there without gaining a velocity. 0: they move there during the next step.
/// @return WITHY_ERROR_INVALID_ARGUMENT also if the roots are WITHY_SUPPORT_FREE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_set_root_transform(rods: WithyRods, transform: *const WithyPose, teleport: u32) -> i32 {
    guard::write("withy_rods_set_root_transform", rods, |cx| {
        let rods = cx.world.rods_mut(cx.id)?;
        let teleport = defs::boolean(teleport, "teleport")?;
        // SAFETY: the caller's contract.
        let transform = cx.convention.checked_pose(&unsafe { defs::load(transform, "transform")? }, "transform")?;
        Ok(rods.set_root_transform(transform, teleport)?)
    })
}

fn set_poses(
    function: &'static str,
    rods: WithyRods,
    positions: *const WithySpan,
    rotations: *const WithySpan,
    teleport: u32,
    tip: bool,
) -> i32 {
    guard::write(function, rods, |cx| {
        let c = cx.convention;
        let rods = cx.world.rods_mut(cx.id)?;
        let strands = rods.strand_count();
        let teleport = defs::boolean(teleport, "teleport")?;
        // SAFETY: the caller's contract.
        let positions = unsafe { View::<3>::argument(positions, "positions", strands, "strands")? };
        positions.check_positions(c)?;
        let rotations = match rotations.is_null() {
            true => None,
            // SAFETY: the caller's contract.
            false => Some(unsafe { View::<4>::argument(rotations, "rotations", strands, "strands")? }),
        };
        rotations.as_ref().map_or(Ok(()), |r| r.check_rotations(c))?;
        let pose = |i: usize| Pose {
            position: c.position_in(positions.get(i)),
            rotation: rotations.as_ref().map_or(Pose::IDENTITY.rotation, |r| normalised(c.rotation_in(r.get(i)))),
        };
        if tip {
            rods.set_tip_poses(pose, teleport)?
        } else {
            rods.set_root_poses(pose, teleport)?
        }
        Ok(())
    })
}

fn normalised(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / length)
}

/// Writes. Holds one vertex at `target`, host units, from the end of the next step on; it moves there over the substeps and
/// stays. NULL lets it go, and is no error for a vertex that is not held.
///
/// @param vertex Counted through the set.
/// @param teleport 1: it jumps there. Else 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_set_pin(rods: WithyRods, vertex: u32, target: *const WithyVec3, teleport: u32) -> i32 {
    guard::write("withy_rods_set_pin", rods, |cx| {
        let teleport = defs::boolean(teleport, "teleport")?;
        let target = match target.is_null() {
            true => None,
            // SAFETY: the caller's contract.
            false => Some(cx.convention.checked_position(unsafe { defs::load(target, "target")? }.array(), "target", None)?),
        };
        Ok(cx.world.rods_mut(cx.id)?.set_pin(vertex, target, teleport)?)
    })
}

/// Writes. Changes the rates `damping` and `drag`, 1/s, `wind`, host units/s (NULL: none), and `friction` of the def.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_set_motion(
    rods: WithyRods,
    damping: f64,
    drag: f64,
    wind: *const WithyVec3,
    friction: f64,
) -> i32 {
    guard::write("withy_rods_set_motion", rods, |cx| {
        let (damping, drag) = (finite(damping, "damping")?, finite(drag, "drag")?);
        let friction = finite(friction, "friction")?;
        let wind = match wind.is_null() {
            true => [0.0; 3],
            // SAFETY: the caller's contract.
            false => cx.convention.checked_position(unsafe { defs::load(wind, "wind")? }.array(), "wind", None)?,
        };
        Ok(cx.world.rods_mut(cx.id)?.set_motion(damping, drag, wind, friction)?)
    })
}

/// Writes. Moves the vertices at once; velocities stay, and the frames turn with their edges along the shortest way. A strand that is twisted stays
/// so: withy_rods_write_frames untwists it, and withy_world_restore_state gives a whole state back.
///
/// @param positions Vectors, one a vertex.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_write_positions(rods: WithyRods, positions: *const WithySpan) -> i32 {
    let of = ["positions", "vertices"];
    write_span("withy_rods_write_positions", rods, positions, of, Rods::vertex_count, |rods, c, view: &View<'_, 3>| {
        view.check_positions(c)?;
        Ok(rods.write_positions(|i| c.position_in(view.get(i)))?)
    })
}

/// Writes.
///
/// @param velocities Vectors, one a vertex, host units/s.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_write_velocities(rods: WithyRods, velocities: *const WithySpan) -> i32 {
    let of = ["velocities", "vertices"];
    write_span("withy_rods_write_velocities", rods, velocities, of, Rods::vertex_count, |rods, c, view: &View<'_, 3>| {
        view.check_positions(c)?;
        Ok(rods.write_velocities(|i| c.position_in(view.get(i)))?)
    })
}

/// Writes. A force on every vertex, N, in the host's axes, in every step until it is set again. Vertices that the host drives do
/// not feel it. The first call, of this or withy_rods_set_moments, allocates: 16 bytes a vertex, 32 in f64.
///
/// @param forces Vectors, one a vertex, each component at most 1e9; NULL: no forces any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_set_forces(rods: WithyRods, forces: *const WithySpan) -> i32 {
    guard::write("withy_rods_set_forces", rods, |cx| {
        let c = cx.convention;
        let rods = cx.world.rods_mut(cx.id)?;
        if forces.is_null() {
            rods.clear_forces();
            return Ok(());
        }
        // SAFETY: the caller's contract.
        let view = unsafe { View::<3>::argument(forces, "forces", rods.vertex_count(), "vertices")? };
        view.check_vectors(|v| c.direction_in(v))?;
        Ok(rods.set_forces(|i| c.direction_in(view.get(i)))?)
    })
}

/// The common part of the whole-object writes: `take` checks and takes as many as `count` says, of an argument and a unit as `of` says.
pub(super) fn write_span<const N: usize>(
    function: &'static str,
    rods: WithyRods,
    span: *const WithySpan,
    of: [&'static str; 2],
    count: impl FnOnce(&Rods) -> usize,
    take: impl FnOnce(&mut Rods, &Convention, &View<'_, N>) -> guard::Result<()>,
) -> i32 {
    guard::write(function, rods, |cx| {
        let rods = cx.world.rods_mut(cx.id)?;
        // SAFETY: the caller's contract.
        let view = unsafe { View::argument(span, of[0], count(rods), of[1])? };
        take(rods, cx.convention, &view)
    })
}

/// The common part of the whole-object reads: `fill` writes what `count` says.
pub(super) fn read_span<const N: usize>(
    function: &'static str,
    rods: WithyRods,
    out: *mut WithySpan,
    count: impl FnOnce(&Rods) -> usize,
    fill: impl FnOnce(&Rods, &Convention, &Output<N>),
) -> i32 {
    guard::read(function, rods, |cx| {
        let rods = cx.world.rods(cx.id)?;
        // SAFETY: the caller's contract.
        if let Some(out) = unsafe { Output::<N>::new(out, count(rods), FLOATS)? } {
            fill(rods, cx.convention, &out);
        }
        Ok(())
    })
}

/// Reads. u32, the vertices of each strand, as created.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_counts(rods: WithyRods, out: *mut WithySpan) -> i32 {
    guard::read("withy_rods_read_counts", rods, |cx| {
        let rods = cx.world.rods(cx.id)?;
        // SAFETY: the caller's contract.
        if let Some(out) = unsafe { Output::<1>::new(out, rods.strand_count(), &[WITHY_FORMAT_U32])? } {
            rods.counts().iter().enumerate().for_each(|(i, n)| out.put_u32(i, *n));
        }
        Ok(())
    })
}

/// Reads. Vectors, one a vertex, host units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_positions(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_positions", rods, out, Rods::vertex_count, |rods, c, out| {
        rods.read_positions(|i, x| out.put(i, c.position_out(x)));
    })
}

/// Reads. Vectors, one a vertex, host units/s.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_velocities(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_velocities", rods, out, Rods::vertex_count, |rods, c, out| {
        rods.read_velocities(|i, v| out.put(i, c.position_out(v)));
    })
}

/// Reads. Quaternions, one an edge: the material frame, which turns local x, y, z into d1, d2, d3 (see the conventions).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_frames(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_frames", rods, out, Rods::edge_count, |rods, c, out| {
        rods.read_frames(|i, q| out.put(i, c.rotation_out(q)));
    })
}
