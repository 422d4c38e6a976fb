//! Rods
//!
//! A set of rods is a number of strands of one material: a groom, a rope, the strings of a net. All
//! arrays go through the whole set, strand after strand, each from its root to its tip.
//!
//! A strand of n vertices has n - 1 edges between them, and n - 2 elements: its inner vertices,
//! where it bends and twists. Each edge has a material frame of three axes: d3 along the edge, d1
//! and d2 across it. The frame shows how the section is turned.

use std::ffi::c_void;

use super::convention::{Convention, finite};
use super::defs::{self, Def};
use super::guard;
use super::handles;
use super::rods_desc;
use super::span::{FLOATS, INDICES, Output, View};
use super::types::{WITHY_FORMAT_U32, WithyPose, WithySpan, WithyVec3};
use super::world::WithyWorld;
use crate::world::{Pose, Rods, RodsDesc, Stiffness};

/// Handle of a set of rods.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyRods {
    pub bits: u64,
}
handles::handle!(WithyRods, Rods, "rods");

/// Ghost-point rods (Umetani 2014): an extra point beside each edge carries its frame. The default.
pub const WITHY_MODEL_GHOST: u32 = 0;
/// Discrete elastic rods (Bergou 2010; Takahashi and Batty 2025). For wires and cables that are
/// twisted by many turns: this model counts full turns, the other flips at half a turn between two
/// edges. A clamped end holds its whole first edge, and the rod bends from the middle of that edge
/// on: a cantilever of e edges is e - 1/2 edges long. (WITHY_MODEL_GHOST bends from its first
/// vertex on: e edges.) Always solved directly, so `order` has no effect; WITHY_STIFFNESS_PHYSICAL
/// only. Takes as much memory as WITHY_ORDER_DIRECT.
pub const WITHY_MODEL_DER: u32 = 1;

/// The stiffness follows from `young_modulus`, `shear_modulus` and the section. The shape at rest
/// depends neither on the time step nor on the number of iterations. The default.
pub const WITHY_STIFFNESS_PHYSICAL: u32 = 0;
/// The stiffness is `alpha_...`: which part of an error an iteration corrects (Umetani 2014). More
/// iterations or substeps make the rod stiffer.
pub const WITHY_STIFFNESS_ALPHA: u32 = 1;

/// At rest the rods have the shape of the start, or of `rest_positions` if these are given. The
/// default.
pub const WITHY_REST_FROM_POSE: u32 = 0;
/// At rest they are straight and not twisted, with the lengths of the start.
pub const WITHY_REST_STRAIGHT: u32 = 1;
/// At rest they have `rest_lengths` and `rest_darboux`.
pub const WITHY_REST_EXPLICIT: u32 = 2;

/// Sweeps that go from the root to the tip: each edge is corrected in turn, then its bend and
/// twist. Cheap. Long or stiff strands stretch, and bend too easily, unless there are many
/// iterations.
pub const WITHY_ORDER_ROOT_TO_TIP: u32 = 0;
/// The whole strand is solved at once, by one step of Newton's method in each iteration. Long and
/// stiff strands are as stiff as they should be, with a single iteration in each substep. That
/// iteration costs about as much as four sweeps. Takes 300 bytes more a vertex (600 in double
/// precision) if something couples the rods to others: attachments, WITHY_RODS_SELF_CONTACT, bodies
/// that they may push, bundles; and if a strand has more than 128 vertices.
/// WITHY_STIFFNESS_PHYSICAL only. In single precision, strands of thousands of edges, or with edges
/// far below a millimetre, still stretch a little.
pub const WITHY_ORDER_DIRECT: u32 = 1;
/// Sweeps that go in turn from the root and from the tip. As WITHY_ORDER_ROOT_TO_TIP, but does not
/// start to vibrate by itself. Give it two iterations or more.
pub const WITHY_ORDER_ALTERNATING: u32 = 2;
/// WITHY_ORDER_DIRECT for WITHY_STIFFNESS_PHYSICAL, WITHY_ORDER_ALTERNATING for
/// WITHY_STIFFNESS_ALPHA. The default.
pub const WITHY_ORDER_AUTO: u32 = 3;

/// WITHY_INTEGRATOR_SECOND_ORDER for rods that can have it, WITHY_INTEGRATOR_FIRST_ORDER for
/// others. The default.
pub const WITHY_INTEGRATOR_AUTO: u32 = 0;
/// Motion is damped by the steps themselves: what swings once a second keeps 0.6 of its amplitude
/// after ten swings with 8 substeps in each 60 Hz frame, and 0.03 with one.
pub const WITHY_INTEGRATOR_FIRST_ORDER: u32 = 1;
/// Motion stays: what swings once a second keeps 0.99 of its amplitude after ten swings with 2
/// substeps in each 60 Hz frame, for a fifth more time a substep. What is too quick for the
/// substeps still dies out. Damp what shall come to rest with `damping`, `drag` or `viscosity`.
///
/// For rods that are solved directly (WITHY_ORDER_DIRECT, WITHY_MODEL_DER), without
/// `poisson_ratio` and `strands_per_bundle`. Rods that have WITHY_RODS_SELF_CONTACT, attachments or
/// goals take steps of first order all the same, whether they touch anything or not. So do rods in
/// steps in which a body is near that they may push, and a strand while a collider touches it.
pub const WITHY_INTEGRATOR_SECOND_ORDER: u32 = 2;

/// Nothing holds this end. The default.
pub const WITHY_SUPPORT_FREE: u32 = 0;
/// The host moves the end vertex; the strand turns freely about it.
pub const WITHY_SUPPORT_PINNED: u32 = 1;
/// The host moves the end vertex and turns the frame there, as a scalp holds hair.
pub const WITHY_SUPPORT_CLAMPED: u32 = 2;

/// A flag: the strands keep the shape in which they are created.
///
/// A groom is drawn as gravity has already bent it. Without this flag gravity bends it a second
/// time: it sags from the first frame on. With it, the library finds rest lengths, curvatures and
/// twists for which the start pose is an equilibrium under the present gravity. So set the gravity
/// before you create the rods. It takes about 0.1 ms for a strand of 100 vertices.
///
/// A strand that is too soft for its pose sags all the same. `withy_rods_read_elastic_report`
/// (withy_rest_shape.h) names these strands, and `withy_rods_optimize_rest_shape` can make them
/// stiffer. Call that function also when the gravity changes, and once attachments hold ends of the
/// strands.
///
/// Needs WITHY_STIFFNESS_PHYSICAL, and WITHY_ORDER_AUTO, WITHY_ORDER_DIRECT or WITHY_MODEL_DER:
/// sweeps stop before they reach the equilibrium, and are refused.
pub const WITHY_RODS_SAG_FREE: u32 = 1;
/// A flag: rigid bodies push these rods, but the rods do not push bodies. For hair and fur, which
/// are light: it saves time where rods touch dynamic bodies, most of all on the GPU. Attachments
/// still pull both ways.
pub const WITHY_RODS_ONE_WAY: u32 = 2;
/// A flag: the rods touch rods. A strand touches itself and the other strands of the set, and the
/// strands of other sets that have this flag and whose layers meet. Without it rods pass through
/// each other. Contact has Coulomb friction, and begins at `collision_radius`. Strands of one set
/// that overlap when they are created may go on overlapping by as much.
///
/// Knots hold, and ropes do not pass through each other, however fast they are. Make edges about as
/// long as a strand is thick, or up to three times that. What is drawn tight wants 2 iterations.
///
/// For strands that are solved directly. It works for swept ones, too, but these stretch where they
/// are pressed. A heap in which everything touches takes about ten times as long as the same
/// strands apart. Soft, thick things (`poisson_ratio`) that are all swept are faster: their
/// contacts are firm springs that take turns with the sweeps.
///
/// On the GPU such strands want 4 substeps or more, and may pass when they come nearer by more than
/// an edge's length in a substep. A set that is too large for one buffer of the GPU is
/// WITHY_ERROR_UNSUPPORTED.
pub const WITHY_RODS_SELF_CONTACT: u32 = 4;

/// A flag: the rods never sleep. Without it, a set that has been at rest for half a second stands
/// still and costs next to nothing, until something near it moves or you change it. Sets that
/// are swept without `poisson_ratio`, sets that are tied to other rods, and sets on a dynamic body
/// that is awake stay awake. A set that hangs on dynamic bodies sleeps and wakes with them. One
/// that hangs on static or kinematic bodies, or on vertices of a mesh that you alone move, sleeps
/// as long as these stand.
pub const WITHY_RODS_STAY_AWAKE: u32 = 8;

/// How to create a set of rods. Lengths, positions and velocities are in host units; moduli,
/// density and rates are in SI units with every convention. `positions`, `counts` and a radius are
/// required.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyRodsDef {
    pub struct_size: u32,
    /// WITHY_RODS_ flags, or 0 (the default).
    pub flags: u32,
    pub next: *const c_void,
    /// Vectors, one a vertex: the start pose. Required.
    pub positions: WithySpan,
    /// u32, one a strand: its vertices, 2 to 2^24. Their sum is `positions.count`, at most 2^31.
    /// Required.
    pub counts: WithySpan,
    /// Vectors, one a vertex: the shape at rest, where it differs from the start. Default: none.
    pub rest_positions: WithySpan,
    /// Vectors, one a vertex: the velocities at the start. Default: none, at rest.
    pub velocities: WithySpan,
    /// Numbers, one a vertex: section radii, in place of `radius` and in its range. Default: none.
    pub radii: WithySpan,
    /// Vectors: the direction of d1, one for each edge, or one for each strand at its root. For
    /// sections that are not round, and for frames that you want to read. Default: none.
    pub section_axes: WithySpan,
    /// Numbers, one a vertex, [1e-6, 1e6]: factors of the stiffness. Default: none, 1.
    pub stiffness_scale: WithySpan,
    /// Numbers, one an edge, [1e-9, 1e9] m. Required with WITHY_REST_EXPLICIT, and only allowed
    /// there.
    pub rest_lengths: WithySpan,
    /// Vectors, one an element: curvatures and twist at rest, as `withy_rods_read_darboux`
    /// (withy_expert.h) gives them. Required with WITHY_REST_EXPLICIT, and only allowed there.
    pub rest_darboux: WithySpan,
    /// Radius of the section, [1e-7, 1e3] m. Of an elliptic section: the semi-axis along d1.
    /// Required, unless `radii` is given.
    pub radius: f64,
    /// Semi-axis of the section along d2 over that along d1, [1e-3, 1e3]. Default: 1, a round
    /// section.
    pub aspect: f64,
    /// Young's modulus, Pa, [1e-3, 1e15]: resistance to bending and stretching. Default: 1e7,
    /// rubber. Hair: 4e9. Wood: 1e10. Steel: 2e11.
    pub young_modulus: f64,
    /// Shear modulus, Pa, [1e-3, 1e15]: resistance to twist; usually 0.4 times Young's modulus.
    /// Default: 4e6.
    pub shear_modulus: f64,
    /// For WITHY_STIFFNESS_ALPHA, 0 to 1: bending about d1 and about d2, twist about d3, and
    /// stretching. Default: 1.
    pub alpha_bend1: f64,
    pub alpha_bend2: f64,
    pub alpha_twist: f64,
    pub alpha_stretch: f64,
    /// kg/m^3, [1e-3, 1e6]. Default: 1000.
    pub density: f64,
    /// WITHY_MODEL_GHOST: distance of a ghost point from its edge. 0 (the default): the mean length
    /// of the strand's edges.
    pub ghost_distance: f64,
    /// WITHY_MODEL_GHOST: part of an edge's mass that its ghost point has, [1e-6, 0.9]. Default:
    /// 0.2.
    pub ghost_mass_ratio: f64,
    /// Rate at which motion within a strand dies, 1/s, [0, 1e9]. A strand that flies keeps its
    /// momentum and its spin. Default: 0. Hair: 4.
    pub damping: f64,
    /// Air drag: the rate at which velocities approach `wind`, 1/s, [0, 1e9]. A rod that
    /// falls approaches gravity / drag. Default: 0. Hair: 3.
    pub drag: f64,
    /// Velocity of the air, host units/s. Default: 0.
    pub wind: WithyVec3,
    /// Coulomb's coefficient, [0, 1e3]. A contact has the geometric mean of both sides. Default:
    /// 0.5.
    pub friction: f64,
    /// Distance from the centreline at which contact begins, up to 1e3 m. 0 (the default): the
    /// section radius.
    pub collision_radius: f64,
    /// Speed limit of a vertex, [1e-3, 1e9] m/s; faster ones are slowed down to it. It stops a
    /// scene from exploding. 0 (the default): 1000 m/s.
    pub max_speed: f64,
    /// A WITHY_STIFFNESS_ value. Default: WITHY_STIFFNESS_PHYSICAL.
    pub stiffness: u32,
    /// A WITHY_REST_ value. Default: WITHY_REST_FROM_POSE.
    pub rest_shape: u32,
    /// A WITHY_ORDER_ value: how strands are solved. Default: WITHY_ORDER_AUTO.
    pub order: u32,
    /// A WITHY_SUPPORT_ value: what holds the first vertex of each strand. Default:
    /// WITHY_SUPPORT_FREE. If a collider or a mesh covers the start of a strand whose root is held
    /// when the first step begins, the vertices up to the first one outside never meet a collider.
    /// (Rigid bodies do not cover.)
    pub root: u32,
    /// The same for the last vertex, which nothing covers.
    pub tip: u32,
    /// Iterations in each substep, at most 10,000. 0 (the default): one if the rods are solved
    /// directly (WITHY_ORDER_DIRECT, WITHY_MODEL_DER), which is enough for most scenes; the number
    /// of the world (`WithyWorldDef.iterations`) if they are swept. Swept rods that stretch, or
    /// bend too easily, need more.
    ///
    /// Rods that attachments tie to each other or to bodies are solved together, with the largest
    /// number that any of them asks for; there 0 means the number of the world.
    pub iterations: u32,
    /// The layers that these rods are in, as bits. Default: 1.
    pub category: u32,
    /// The layers that they collide with. Two objects meet if each has a bit of the other's
    /// category in its mask. Default: all.
    pub mask: u32,
    /// A WITHY_MODEL_ value. Default: WITHY_MODEL_GHOST.
    pub model: u32,
    /// A WITHY_INTEGRATOR_ value: how much of a motion the steps themselves take away. Default:
    /// WITHY_INTEGRATOR_AUTO.
    pub integrator: u32,
    /// Young's modulus for stretching alone, Pa, [1e-3, 1e15]: for what bends easily and hardly
    /// stretches, such as rope. 0 (the default): `young_modulus`.
    pub stretch_modulus: f64,
    /// Internal friction, s, [0, 1e3]: the viscosity over the stiffness (Kelvin-Voigt). Slows down
    /// changes of shape, not the motion of a whole strand, and leaves the shape at rest alone. For
    /// rods that are solved directly. Default: 0.
    pub viscosity: f64,
    /// Poisson's ratio, [0.001, 0.4999]: the rod keeps its volume as a solid does, thinner where it
    /// is stretched and thicker where it is shortened; 0.45 for flesh and rubber. Colliders, bodies
    /// and other rods meet the radius that it has then. What presses it from the side, a collider
    /// or another swept rod, makes it thinner and longer if it is swept
    /// (WITHY_ORDER_ALTERNATING). A rod that is solved directly is pressed so by colliders, on the
    /// CPU. For round rods. 0 (the default): radii stay.
    pub poisson_ratio: f64,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyRodsDef {
    // Up to `mask`.
    const FIRST_SIZE: usize = 488;
    const FLAGS: u32 = WITHY_RODS_SAG_FREE | WITHY_RODS_ONE_WAY | WITHY_RODS_SELF_CONTACT | WITHY_RODS_STAY_AWAKE;
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
            model: WITHY_MODEL_GHOST,
            integrator: WITHY_INTEGRATOR_AUTO,
            stretch_modulus: desc.stretch_modulus,
            viscosity: desc.viscosity,
            poisson_ratio: desc.poisson_ratio,
        }
    }
}

/// Fills `def` with the defaults: rubber, free at both ends. Use the macro
/// `withy_rods_def_init(&def)`. For hair and rope see below.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_def_init_sized(def: *mut WithyRodsDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_rods_def_init", || unsafe { defs::init(def, size) })
}

/// Writes. Adds a set of rods to a world. Everything in `def` is copied.
///
/// Strands with edges of no length, or with sharp kinks, are accepted; `withy_rods_read_report`
/// (withy_expert.h) names them.
///
/// @param rods Set on success. Destroy it with `withy_rods_destroy`, or with its world.
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

/// Writes. Removes a set of rods, and the attachments that hold it.
#[unsafe(no_mangle)]
pub extern "C" fn withy_rods_destroy(rods: WithyRods) -> i32 {
    guard::write("withy_rods_destroy", rods, |cx| Ok(cx.world.remove_rods(cx.id)?))
}

/// Writes. Makes the rods what `def` says, without making them anew: moduli, alphas, `density`,
/// `radius`, `aspect`, `viscosity`, `damping`, `drag`, `wind`, `friction`, `collision_radius`,
/// `max_speed`, `iterations`, `category`, `mask`, and the flags WITHY_RODS_ONE_WAY and
/// WITHY_RODS_STAY_AWAKE. The def may be the one that they were made with, or come from
/// `withy_rods_get_def`. Pose, velocities and rest shape stay: a groom that was made with
/// WITHY_RODS_SAG_FREE sags when it becomes softer or heavier, until
/// `withy_rods_optimize_rest_shape` fits it again.
///
/// Its arrays are not read: of them, `withy_rods_set_radii`, `withy_rods_set_stiffness_factors` and
/// `withy_rods_set_rest_shape` can change what they said. Radii stay if `radii` is given, or
/// `radius` is 0. Saved states do not hold what this changes.
///
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if `model`, `stiffness`, `order`, `integrator`,
///     `root`, `tip`, `ghost_distance`, `ghost_mass_ratio`, `poisson_ratio` or
///     WITHY_RODS_SELF_CONTACT is not what the rods were made with. Nothing has changed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_change(rods: WithyRods, def: *const WithyRodsDef) -> i32 {
    guard::write("withy_rods_change", rods, |cx| {
        cx.world.rods(cx.id)?;
        // SAFETY: the caller's contract.
        let def = unsafe { defs::read(def)? };
        Ok(cx.world.change_rods(cx.id, &rods_desc::read_change(&def, cx.convention)?)?)
    })
}

/// Reads. The numbers of the def as they are now, for `withy_rods_change`: `order` as it is solved,
/// `radius` 0 if radii were given as an array. Its arrays are empty, and WITHY_RODS_SAG_FREE is
/// not set.
///
/// @param def Prepare it with `withy_rods_def_init`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_get_def(rods: WithyRods, def: *mut WithyRodsDef) -> i32 {
    guard::read("withy_rods_get_def", rods, |cx| {
        let now = rods_desc::write(&cx.world.rods(cx.id)?.numbers(), cx.convention);
        // SAFETY: the caller's contract.
        unsafe { defs::fill(def, now) }
    })
}

/// Writes. Takes the rods out of the world, or puts them back, as for a character that is far away.
/// Out of it they take no step, nothing meets them, and attachments do not hold them. Strands with
/// an end that is held go with it, like something rigid, vertices that are pinned, too; others stay
/// where they are. Back in the world they go on from there, at rest. If bodies that they are tied
/// to, or pins, have moved away, bring the rods there first (`withy_rods_teleport`,
/// `withy_rods_write_positions`). A saved state tells which rods are enabled.
///
/// @param enabled 1 or 0. Rods are made enabled.
#[unsafe(no_mangle)]
pub extern "C" fn withy_rods_set_enabled(rods: WithyRods, enabled: u32) -> i32 {
    guard::write("withy_rods_set_enabled", rods, |cx| {
        cx.world.rods(cx.id)?;
        Ok(cx.world.set_rods_enabled(cx.id, defs::boolean(enabled, "enabled")?)?)
    })
}

/// Reads. Whether the rods are in the world.
///
/// @param enabled Set: 1 or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_get_enabled(rods: WithyRods, enabled: *mut u32) -> i32 {
    guard::read("withy_rods_get_enabled", rods, |cx| {
        let value = u32::from(cx.world.rods_enabled(cx.id)?);
        // SAFETY: the caller's contract.
        unsafe { defs::store(enabled, value, "enabled") }
    })
}

/// Writes. Says where the roots are at the end of the next step. They move there during the step,
/// and stay there afterwards. Roots that are WITHY_SUPPORT_FREE are refused.
///
/// @param positions Vectors, one a strand.
/// @param rotations Quaternions, one a strand: how far the ground of the root (a bone, a scalp) has
///     turned since the rods were created. The frames of clamped roots turn with it. NULL: not at
///     all.
/// @param teleport 1: the roots jump there without gaining a velocity. 0: they move there.
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

/// Writes. Moves all roots by one rigid transform, for hair on a rigid head:
/// `withy_rods_set_root_poses` in one call.
///
/// The transform is relative to the creation of the rods: a root that was created at x will be at
/// rotation * x + position at the end of the next step, and a clamped root turns by `rotation`. If
/// the head had the matrix M0 when the rods were created and has M now, pass M * inverse(M0). The
/// identity brings the roots back to where they were created. Roots that are WITHY_SUPPORT_FREE are
/// refused.
///
/// @param transform The position is in host units.
/// @param teleport 1: the roots jump there without gaining a velocity. 0: they move there.
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

/// Reads. Where the roots are held: what `withy_rods_set_root_poses` or
/// `withy_rods_set_root_transform` has said last. Roots that are WITHY_SUPPORT_FREE are refused.
///
/// @param positions Vectors, one a strand, host units. NULL: not wanted.
/// @param rotations Quaternions, one a strand: how far the ground of the root has turned since the
///     rods were created. NULL: not wanted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_root_poses(
    rods: WithyRods,
    positions: *mut WithySpan,
    rotations: *mut WithySpan,
) -> i32 {
    guard::read("withy_rods_read_root_poses", rods, |cx| {
        let c = cx.convention;
        let rods = cx.world.rods(cx.id)?;
        let strands = rods.strand_count();
        let read = |put: &mut dyn FnMut(usize, Pose)| rods.read_root_poses(put);
        read(&mut |_, _| {})?;
        // SAFETY: the caller's contract.
        let places = unsafe { Output::<3>::wanted(positions, strands, FLOATS, "positions")? };
        // SAFETY: the caller's contract.
        let turns = unsafe { Output::<4>::wanted(rotations, strands, FLOATS, "rotations")? };
        Ok(read(&mut |s, pose| {
            if let Some(out) = &places {
                out.put(s, c.position_out(pose.position));
            }
            if let Some(out) = &turns {
                out.put(s, c.rotation_out(pose.rotation));
            }
        })?)
    })
}

/// Reads. Whether a set of rods sleeps; 1 also if it is not enabled.
///
/// @param sleeping Set: 1 or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_get_sleeping(rods: WithyRods, sleeping: *mut u32) -> i32 {
    guard::read("withy_rods_get_sleeping", rods, |cx| {
        let value = u32::from(cx.world.rods_sleep(cx.id)?);
        // SAFETY: the caller's contract.
        unsafe { defs::store(sleeping, value, "sleeping") }
    })
}

fn normalised(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / length)
}

/// Writes. Holds one vertex: it moves to `target` during the next step, and stays there. An
/// attachment of the vertex holds its other end to it: the pin carries what hangs there.
///
/// @param vertex Counted through the whole set.
/// @param target Host units. NULL: lets the vertex go; no error if nothing holds it.
/// @param teleport 1: it jumps there. 0: it moves there.
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

/// Writes. `withy_rods_set_pin` for many vertices: all of them, or none if one is wrong.
///
/// @param vertices u32, counted through the whole set.
/// @param targets Vectors, one for each of `vertices`, host units. NULL: lets the vertices go.
/// @param teleport 1: they jump there. 0: they move there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_set_pins(
    rods: WithyRods,
    vertices: *const WithySpan,
    targets: *const WithySpan,
    teleport: u32,
) -> i32 {
    guard::write("withy_rods_set_pins", rods, |cx| {
        let teleport = defs::boolean(teleport, "teleport")?;
        let c = cx.convention;
        // SAFETY: the caller's contract.
        let list = unsafe { defs::load(vertices, "vertices")? };
        let rods = cx.world.rods_mut(cx.id)?;
        let Some(vertices) = View::<1>::optional(&list, "vertices", INDICES)? else { return Ok(()) };
        let vertices = vertices.indices()?;
        let targets = match targets.is_null() {
            true => None,
            // SAFETY: the caller's contract.
            false => Some(unsafe { View::<3>::argument(targets, "targets", vertices.len(), "vertices")? }),
        };
        targets.as_ref().map_or(Ok(()), |t| t.check_positions(c))?;
        let pin = |i: usize| (vertices[i][0], targets.as_ref().map(|t| c.position_in(t.get(i))));
        Ok(rods.set_pins(vertices.len(), pin, teleport)?)
    })
}

/// Writes. Takes the rods as a whole elsewhere, as a character that jumps: vertices, velocities,
/// frames, and where roots, tips and pins are held. From there they go on as they would have.
/// Attachments stay where they are tied.
///
/// To feel only a part of a head's motion, teleport the rods by the rest of it in each frame, and
/// then set the roots.
///
/// @param transform Takes a point x to rotation * x + position, from where it is now. The position
///     is in host units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_teleport(rods: WithyRods, transform: *const WithyPose) -> i32 {
    guard::write("withy_rods_teleport", rods, |cx| {
        let rods = cx.world.rods_mut(cx.id)?;
        // SAFETY: the caller's contract.
        let transform = cx.convention.checked_pose(&unsafe { defs::load(transform, "transform")? }, "transform")?;
        Ok(rods.carry(transform)?)
    })
}

/// Writes. Changes four fields of the def.
///
/// @param damping As WithyRodsDef.damping, 1/s.
/// @param drag As WithyRodsDef.drag, 1/s.
/// @param wind As WithyRodsDef.wind, host units/s. NULL: none.
/// @param friction As WithyRodsDef.friction.
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

/// Writes. Puts the vertices somewhere else at once. Velocities stay; frames follow their edges
/// along the shortest turn, so twist stays, too. (`withy_rods_write_frames` in withy_expert.h sets
/// the frames; `withy_world_restore_state` goes back to a whole state.)
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

/// Writes. Sets the velocities of all vertices.
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

/// Writes. Sets a force on each vertex, which acts in all steps until it is set again. Vertices
/// that the host holds do not feel it. The first call allocates memory.
///
/// @param forces Vectors, one a vertex, N, in the host's axes, each component at most 1e9. NULL: no
///     forces.
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

/// Writes. Accelerates each vertex, as a field of forces that is not the same everywhere does,
/// beside gravity and `withy_rods_set_forces`, in all steps until it is set again. Rods that are
/// swept take it at their vertices alone, so that they are up to some percent off. Not in saved
/// states. The first call allocates memory.
///
/// @param accelerations Vectors, one a vertex, host units/s^2. NULL: none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_set_accelerations(rods: WithyRods, accelerations: *const WithySpan) -> i32 {
    let field = Field { set: |rods, get| rods.set_accelerations(get), clear: Rods::clear_accelerations };
    set_field("withy_rods_set_accelerations", rods, accelerations, "accelerations", &field)
}

/// Writes. Says how fast the air is at each vertex, in place of `WithyRodsDef.wind`: for gusts, and
/// for what is in the lee of something. Without `drag` it does nothing. Rods that are swept take it
/// at their vertices alone, so that they are up to some percent off. It stays until it is set
/// again. Not in saved states. The first call allocates memory.
///
/// @param winds Vectors, one a vertex, host units/s. NULL: the wind is that of the def.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_set_winds(rods: WithyRods, winds: *const WithySpan) -> i32 {
    let field = Field { set: |rods, get| rods.set_winds(get), clear: Rods::clear_winds };
    set_field("withy_rods_set_winds", rods, winds, "winds", &field)
}

/// A vector of each vertex.
type Vectors<'a> = &'a dyn Fn(usize) -> [f64; 3];

/// How they are set, and how they are taken away.
struct Field {
    set: fn(&mut Rods, Vectors<'_>) -> crate::desc::error::Result<()>,
    clear: fn(&mut Rods) -> crate::desc::error::Result<()>,
}

fn set_field(function: &'static str, rods: WithyRods, span: *const WithySpan, name: &'static str, field: &Field) -> i32 {
    guard::write(function, rods, |cx| {
        let c = cx.convention;
        let rods = cx.world.rods_mut(cx.id)?;
        if span.is_null() {
            return Ok((field.clear)(rods)?);
        }
        // SAFETY: the caller's contract.
        let view = unsafe { View::<3>::argument(span, name, rods.vertex_count(), "vertices")? };
        view.check_positions(c)?;
        Ok((field.set)(rods, &|i| c.position_in(view.get(i)))?)
    })
}

/// Writes. Draws vertices to goals, in all steps until they are set again: an animation that hair
/// or a tail follows more or less. Forces that the host sets act beside. Goals are settings: they
/// are not in saved states. Rods with goals do not sleep. A goal acts over whole steps: what is to
/// be faster than these is a pin.
///
/// @param targets Vectors, one a vertex, host units. NULL: no goals; then `rates` may be NULL, too.
/// @param rates Numbers, one a vertex, or one for all, rad/s, [0, 1e4]: a vertex alone would swing
///     about its target so fast. At rest its weight moves it aside by gravity times
///     1 / rate^2 + 2 damping dt / rate + dt^2. 0: it is not drawn.
/// @param damping Of that swing, [0, 100]; 1 is critical.
/// @return WITHY_ERROR_UNSUPPORTED: the world is on the GPU.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_set_goals(
    rods: WithyRods,
    targets: *const WithySpan,
    rates: *const WithySpan,
    damping: f64,
) -> i32 {
    guard::write("withy_rods_set_goals", rods, |cx| {
        let c = cx.convention;
        let rods = cx.world.rods_mut(cx.id)?;
        if targets.is_null() {
            return Ok(rods.clear_goals()?);
        }
        let vertices = rods.vertex_count();
        // SAFETY: the caller's contract.
        let targets = unsafe { View::<3>::argument(targets, "targets", vertices, "vertices")? };
        targets.check_positions(c)?;
        // SAFETY: the caller's contract.
        let rates = View::<1>::required(&unsafe { defs::load(rates, "rates")? }, "rates", FLOATS)?;
        let rates = rates.counted(&[(1, "one for all"), (vertices, "one a vertex")])?;
        let rate = |i: usize| rates.get(if rates.count() == 1 { 0 } else { i })[0];
        Ok(rods.set_goals(|i| c.position_in(targets.get(i)), rate, finite(damping, "damping")?)?)
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

/// Reads. The number of vertices of each strand.
///
/// @param out u32, one a strand.
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

/// Reads. The positions.
///
/// @param out Vectors, one a vertex, host units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_positions(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_positions", rods, out, Rods::vertex_count, |rods, c, out| {
        rods.read_positions(|i, x| out.put(i, c.position_out(x)));
    })
}

/// Reads. Masses: of each vertex what half of the edges beside it weigh, as `density` and section
/// have it, whether it is held or not. They add up to the mass of the rods.
///
/// @param out Numbers, one a vertex, kg.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_masses(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_masses", rods, out, Rods::vertex_count, |rods, _, out| {
        rods.read_vertex_masses(|i, mass| out.put(i, [mass]));
    })
}

/// Reads. The velocities.
///
/// @param out Vectors, one a vertex, host units/s.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_velocities(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_velocities", rods, out, Rods::vertex_count, |rods, c, out| {
        rods.read_velocities(|i, v| out.put(i, c.position_out(v)));
    })
}

/// Reads. The material frames: rotations that turn the local axes x, y, z into d1, d2, d3. (In
/// Unreal and Blender the direction d3 is another local axis: see the table of conventions.)
///
/// @param out Quaternions, one an edge.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rods_read_frames(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_rods_read_frames", rods, out, Rods::edge_count, |rods, c, out| {
        rods.read_frames(|i, q| out.put(i, c.rotation_out(q)));
    })
}
