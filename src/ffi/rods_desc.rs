//! What a `WithyRodsDef` describes, as a world takes it.

use super::convention::{Convention, finite};
use super::defs::{self, Def};
use super::guard::{Failure, Result};
use super::rods::{
    WITHY_REST_EXPLICIT, WITHY_REST_FROM_POSE, WITHY_REST_STRAIGHT, WITHY_RODS_ONE_WAY, WITHY_RODS_SAG_FREE,
    WITHY_RODS_SELF_CONTACT, WITHY_RODS_STAY_AWAKE, WithyRodsDef,
};
use super::span::{FLOATS, INDICES, View};
use super::types::{WithySpan, WithyVec3};
use crate::desc::validate;
use crate::world::{EndSupport, Integrator, RestShape, RodModel, RodsDesc, Stiffness, SweepOrder};

/// The def's arrays and numbers, checked as far as the boundary knows, in SI.
pub(super) fn read(def: &WithyRodsDef, c: &Convention) -> Result<RodsDesc> {
    // The sizes of all arrays must agree before any but `counts` is read.
    let counts = View::<1>::required(&def.counts, "counts", INDICES)?;
    let positions = View::<3>::required(&def.positions, "positions", FLOATS)?;
    if counts.count() > positions.count() {
        let (strands, vertices) = (counts.count(), positions.count());
        return Err(Failure::argument(format!("counts.count is {strands}: positions.count is {vertices}")));
    }
    let counts: Vec<u32> = counts.indices()?.into_flattened();
    let (v, s) = (validate::counts(&counts)?, counts.len());
    let one_a_vertex = [(v, "one a vertex")];
    let positions = positions.counted(&[(v, "the sum of counts")])?;
    let optional_positions = |span, name| match View::<3>::optional(span, name, FLOATS)? {
        Some(view) => view.counted(&one_a_vertex)?.positions(c),
        None => Ok(Vec::new()),
    };
    let radii = match View::<1>::optional(&def.radii, "radii", FLOATS)? {
        Some(view) => view.counted(&one_a_vertex)?.lengths(c, validate::RADIUS)?,
        None => vec![c.checked_length(def.radius, "radius", validate::RADIUS)?],
    };
    let section_axes = match View::<3>::optional(&def.section_axes, "section_axes", FLOATS)? {
        Some(view) => view.counted(&[(s, "one a strand"), (v - s, "one an edge")])?.vectors(|v| c.direction_in(v))?,
        None => Vec::new(),
    };
    let stiffness_scale = match View::<1>::optional(&def.stiffness_scale, "stiffness_scale", FLOATS)? {
        Some(view) => view.counted(&one_a_vertex)?.scalars()?,
        None => Vec::new(),
    };
    Ok(RodsDesc {
        positions: positions.positions(c)?,
        counts,
        rest_positions: optional_positions(&def.rest_positions, "rest_positions")?,
        velocities: optional_positions(&def.velocities, "velocities")?,
        radii,
        section_axes,
        stiffness_scale,
        rest_shape: rest_shape(def.rest_shape, &def.rest_lengths, &def.rest_darboux, [v - s, v - 2 * s], c)?,
        ..numbers(def, c)?
    })
}

/// The def's numbers, without its arrays.
fn numbers(def: &WithyRodsDef, c: &Convention) -> Result<RodsDesc> {
    let stiffness = match defs::choice(def.stiffness, &[false, true], "stiffness")? {
        false => Stiffness::Physical {
            young: finite(def.young_modulus, "young_modulus")?,
            shear: finite(def.shear_modulus, "shear_modulus")?,
        },
        true => Stiffness::Alpha {
            bend1: finite(def.alpha_bend1, "alpha_bend1")?,
            bend2: finite(def.alpha_bend2, "alpha_bend2")?,
            twist: finite(def.alpha_twist, "alpha_twist")?,
            stretch: finite(def.alpha_stretch, "alpha_stretch")?,
        },
    };
    use SweepOrder::*;
    let orders = [RootToTip, Direct, Alternating, Auto];
    let supports = [EndSupport::Free, EndSupport::Pinned, EndSupport::Clamped];
    Ok(RodsDesc {
        aspect: finite(def.aspect, "aspect")?,
        stiffness,
        poisson_ratio: finite(def.poisson_ratio, "poisson_ratio")?,
        density: finite(def.density, "density")?,
        ghost_distance: c.checked_length(def.ghost_distance, "ghost_distance", validate::GHOST_DISTANCE)?,
        ghost_mass_ratio: finite(def.ghost_mass_ratio, "ghost_mass_ratio")?,
        sag_free: def.flags & WITHY_RODS_SAG_FREE != 0,
        one_way: def.flags & WITHY_RODS_ONE_WAY != 0,
        self_contact: def.flags & WITHY_RODS_SELF_CONTACT != 0,
        can_sleep: def.flags & WITHY_RODS_STAY_AWAKE == 0,
        model: defs::choice(def.model, &[RodModel::Ghost, RodModel::Der], "model")?,
        stretch_modulus: finite(def.stretch_modulus, "stretch_modulus")?,
        viscosity: finite(def.viscosity, "viscosity")?,
        order: defs::choice(def.order, &orders, "order")?,
        integrator: defs::choice(def.integrator, &[Integrator::Auto, Integrator::First, Integrator::Second], "integrator")?,
        #[cfg(feature = "paper")]
        ghost_gravity: crate::world::GhostGravity::Shared,
        root: defs::choice(def.root, &supports, "root")?,
        tip: defs::choice(def.tip, &supports, "tip")?,
        damping: finite(def.damping, "damping")?,
        drag: finite(def.drag, "drag")?,
        wind: c.checked_position(def.wind.array(), "wind", None)?,
        friction: finite(def.friction, "friction")?,
        collision_radius: c.checked_length(def.collision_radius, "collision_radius", validate::COLLISION_RADIUS)?,
        iterations: def.iterations,
        max_speed: match def.max_speed {
            0.0 => RodsDesc::default().max_speed,
            speed => c.checked_speed(speed, "max_speed", validate::SPEED_LIMIT)?,
        },
        category: def.category,
        mask: def.mask,
        ..RodsDesc::default()
    })
}

/// What rods that are there shall be: the def's numbers, and its radius, if it has one and no radii.
pub(super) fn read_change(def: &WithyRodsDef, c: &Convention) -> Result<RodsDesc> {
    let one = def.radius != 0.0 && def.radii.data.is_null();
    let radii = if one { vec![c.checked_length(def.radius, "radius", validate::RADIUS)?] } else { Vec::new() };
    Ok(RodsDesc { radii, ..numbers(def, c)? })
}

/// The other way: the numbers of a description as a def.
pub(super) fn write(d: &RodsDesc, c: &Convention) -> WithyRodsDef {
    let flag = |on: bool, flag: u32| if on { flag } else { 0 };
    let mut def = WithyRodsDef {
        flags: flag(d.one_way, WITHY_RODS_ONE_WAY)
            | flag(d.self_contact, WITHY_RODS_SELF_CONTACT)
            | flag(!d.can_sleep, WITHY_RODS_STAY_AWAKE),
        radius: d.radii.first().map_or(0.0, |r| c.length_out(*r)),
        aspect: d.aspect,
        density: d.density,
        ghost_distance: c.length_out(d.ghost_distance),
        ghost_mass_ratio: d.ghost_mass_ratio,
        damping: d.damping,
        drag: d.drag,
        wind: WithyVec3::new(c.position_out(d.wind)),
        friction: d.friction,
        collision_radius: c.length_out(d.collision_radius),
        max_speed: c.length_out(d.max_speed),
        stiffness: u32::from(matches!(d.stiffness, Stiffness::Alpha { .. })),
        order: d.order.number(),
        root: d.root as u32,
        tip: d.tip as u32,
        iterations: d.iterations,
        category: d.category,
        mask: d.mask,
        model: d.model as u32,
        integrator: d.integrator as u32,
        stretch_modulus: d.stretch_modulus,
        viscosity: d.viscosity,
        poisson_ratio: d.poisson_ratio,
        ..WithyRodsDef::defaults()
    };
    match d.stiffness {
        Stiffness::Physical { young, shear } => (def.young_modulus, def.shear_modulus) = (young, shear),
        Stiffness::Alpha { bend1, bend2, twist, stretch } => {
            (def.alpha_bend1, def.alpha_bend2, def.alpha_twist, def.alpha_stretch) = (bend1, bend2, twist, stretch);
        }
    }
    def
}

/// The rest shape of a kind, WITHY_REST_, and its arrays for so many edges and elements.
pub(super) fn rest_shape(
    kind: u32,
    lengths: &WithySpan,
    darboux: &WithySpan,
    [edges, elements]: [usize; 2],
    c: &Convention,
) -> Result<RestShape> {
    defs::choice(kind, &[0, 1, 2], "rest_shape")?;
    let lengths = View::<1>::optional(lengths, "rest_lengths", FLOATS)?;
    let darboux = View::<3>::optional(darboux, "rest_darboux", FLOATS)?;
    let explicit = kind == WITHY_REST_EXPLICIT;
    if !explicit && (lengths.is_some() || darboux.is_some()) {
        return Err(Failure::argument(format!(
            "rest_shape is {kind}: rest_lengths and rest_darboux go with WITHY_REST_EXPLICIT"
        )));
    }
    Ok(match kind {
        WITHY_REST_FROM_POSE => RestShape::FromPose,
        WITHY_REST_STRAIGHT => RestShape::Straight,
        _ => {
            let lengths = lengths.ok_or_else(|| Failure::argument("rest_lengths.data is NULL"))?;
            let lengths = lengths.counted(&[(edges, "one an edge")])?.lengths(c, validate::REST_LENGTH)?;
            let darboux = match darboux {
                Some(view) => view.counted(&[(elements, "one an element")])?.vectors(|k| c.curvature_in(k))?,
                None if elements > 0 => return Err(Failure::argument("rest_darboux.data is NULL")),
                None => Vec::new(),
            };
            RestShape::Explicit { lengths, darboux }
        }
    })
}
