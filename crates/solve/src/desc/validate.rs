//! What a description must satisfy. Every refusal names the field, the index and the value.

use core::fmt::Display;

use super::error::{Error, ErrorKind, Result};
use super::*;

pub fn finite(field: &str, value: f64) -> Result<()> {
    if value.is_finite() { Ok(()) } else { Err(Error::invalid(format!("{field} is {value}, must be finite"))) }
}

pub fn between(field: &str, value: f64, low: f64, high: f64) -> Result<()> {
    finite(field, value)?;
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(Error::invalid(format!("{field} is {}, must be {} to {}", given(value), number(low), number(high))))
    }
}

/// What a host gave, digit by digit; with an exponent where that were more than two dozen of them.
pub fn given(v: f64) -> String {
    if v.is_finite() && v != 0.0 && !(1e-9..1e21).contains(&v.abs()) { format!("{v:e}") } else { v.to_string() }
}

/// Large and small limits as one writes them by hand: 1e15, not fifteen zeros.
pub fn number(v: f64) -> String {
    if v != 0.0 && !(1e-4..1e6).contains(&v.abs()) { format!("{v:e}") } else { v.to_string() }
}

pub fn within(field: &str, value: f64, (low, high): (f64, f64)) -> Result<()> {
    between(field, value, low, high)
}

/// Limits of lengths, m; the C ABI refuses in the host's units by the same ones.
pub const RADIUS: (f64, f64) = (1e-7, 1e3);
pub const GHOST_DISTANCE: (f64, f64) = (0.0, LARGEST);
pub const REST_LENGTH: (f64, f64) = (1e-9, LARGEST);
pub const COLLISION_RADIUS: (f64, f64) = (0.0, 1e3);
/// Of rods whose sections change; 0: they do not.
pub const POISSON_RATIO: (f64, f64) = (1e-3, 0.4999);
/// Where it is not infinite.
pub const BUNDLE_STIFFNESS: (f64, f64) = (1e-6, 1e15);
pub const MOST_STRANDS_OF_A_BUNDLE: u32 = 4096;
pub const SPEED_LIMIT: (f64, f64) = (1e-3, LARGEST);
pub const SHAPE_SIZE: (f64, f64) = (1e-9, 1e6);
pub const HALF_HEIGHT: (f64, f64) = (0.0, 1e6);
pub const JUNCTION_RADIUS: (f64, f64) = (1e-9, 1e3);

/// Largest compliance of a mesh edge, m/N.
pub const COMPLIANCE: f64 = 1e12;

/// Positions and velocities beyond this, m or m/s, overflow f32 when squared and divided by masses.
pub const LARGEST: f64 = 1e9;

pub fn vector(field: impl Display, index: Option<usize>, v: [f64; 3]) -> Result<()> {
    for (k, c) in v.into_iter().enumerate() {
        // NaN is in no range.
        if !(-LARGEST..=LARGEST).contains(&c) {
            let at = index.map_or(String::new(), |i| format!("[{i}]"));
            return Err(Error::invalid(format!(
                "{field}{at}.{} is {}, must be finite and at most {LARGEST:e}",
                ["x", "y", "z"][k],
                given(c)
            )));
        }
    }
    Ok(())
}

/// A rotation within 1e-3 of a unit quaternion, normalised.
pub fn rotation(field: impl Display, index: Option<usize>, q: [f64; 4]) -> Result<[f64; 4]> {
    let n = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    if (n - 1.0).abs() <= 1e-3 {
        Ok(q.map(|c| c / n))
    } else {
        let at = index.map_or(String::new(), |i| format!("[{i}]"));
        Err(Error::invalid(format!("{field}{at} is {q:?} with length {n}, must be a unit quaternion (xyzw)")))
    }
}

/// Poses are checked every frame: the names are put together only for a refusal.
pub fn pose(field: impl Display, index: Option<usize>, p: Pose) -> Result<Pose> {
    vector(format_args!("{field}.position"), index, p.position)?;
    Ok(Pose { position: p.position, rotation: rotation(format_args!("{field}.rotation"), index, p.rotation)? })
}

/// Asks for memory and gives it back: an allocation that fails later would end the host's process. Where the system promises
/// more than it has this cannot tell.
pub fn memory(bytes: usize, what: impl Display) -> Result<()> {
    let asked = Vec::<u8>::new().try_reserve_exact(bytes);
    asked.map_err(|_| Error::new(ErrorKind::OutOfMemory, format!("{what}: no memory for {bytes} bytes")))
}

fn length_is(field: &str, got: usize, allowed: &[(usize, &str)]) -> Result<()> {
    if allowed.iter().any(|&(n, _)| n == got) {
        return Ok(());
    }
    let list: Vec<String> = allowed.iter().map(|(n, what)| format!("{n} ({what})")).collect();
    Err(Error::invalid(format!("{field} has {got} entries, must have {}", list.join(" or "))))
}

fn each(field: &str, values: &[f64], check: impl Fn(&str, f64) -> Result<()>) -> Result<()> {
    values.iter().enumerate().try_for_each(|(i, &v)| check(&format!("{field}[{i}]"), v))
}

fn vectors(field: &str, values: &[[f64; 3]]) -> Result<()> {
    values.iter().enumerate().try_for_each(|(i, &v)| vector(field, Some(i), v))
}

/// Largest number of vertices of a strand: vertex numbers are kept in f32.
pub const MAX_STRAND: u32 = 1 << 24;

/// The number of vertices.
pub fn counts(counts: &[u32]) -> Result<usize> {
    if counts.is_empty() {
        return Err(Error::invalid("counts is empty, needs at least one strand"));
    }
    let mut vertices = 0u64;
    for (i, &n) in counts.iter().enumerate() {
        if !(2..=MAX_STRAND).contains(&n) {
            return Err(Error::invalid(format!("counts[{i}] is {n}, a strand has 2 to {MAX_STRAND} vertices")));
        }
        vertices += n as u64;
    }
    if vertices > (1 << 31) {
        return Err(Error::invalid(format!("counts add up to {vertices} vertices, at most 2^31 in one object")));
    }
    Ok(vertices as usize)
}

pub fn rods(d: &RodsDesc) -> Result<()> {
    let (v, s) = (counts(&d.counts)?, d.counts.len());
    length_is("positions", d.positions.len(), &[(v, "the sum of counts")])?;
    length_is("rest_positions", d.rest_positions.len(), &[(0, "none"), (v, "one a vertex")])?;
    length_is("velocities", d.velocities.len(), &[(0, "none"), (v, "one a vertex")])?;
    length_is("radii", d.radii.len(), &[(1, "one for all"), (v, "one a vertex")])?;
    length_is("stiffness_scale", d.stiffness_scale.len(), &[(0, "none"), (1, "one for all"), (v, "one a vertex")])?;
    length_is("section_axes", d.section_axes.len(), &[(0, "none"), (s, "one a strand"), (v - s, "one an edge")])?;
    vectors("positions", &d.positions)?;
    vectors("rest_positions", &d.rest_positions)?;
    vectors("velocities", &d.velocities)?;
    vectors("section_axes", &d.section_axes)?;
    each("radii", &d.radii, |f, x| within(f, x, RADIUS))?;
    each("stiffness_scale", &d.stiffness_scale, |f, x| between(f, x, 1e-6, 1e6))?;
    rods_numbers(d)?;
    muscle(d)?;
    bundles(d)?;
    second_order(d)?;
    if d.sag_free {
        solved_directly("sag_free (WITHY_RODS_SAG_FREE) is set", d)?;
    }
    rest_shape(&d.rest_shape, v - s, v - 2 * s)
}

/// The numbers of a description, without its arrays.
pub fn rods_numbers(d: &RodsDesc) -> Result<()> {
    between("aspect", d.aspect, 1e-3, 1e3)?;
    between("density", d.density, 1e-3, 1e6)?;
    within("ghost_distance", d.ghost_distance, GHOST_DISTANCE)?;
    between("ghost_mass_ratio", d.ghost_mass_ratio, 1e-6, 0.9)?;
    match d.stiffness {
        Stiffness::Physical { young, shear } => {
            between("young_modulus", young, 1e-3, 1e15)?;
            between("shear_modulus", shear, 1e-3, 1e15)?;
        }
        Stiffness::Alpha { .. } if d.order == SweepOrder::Direct => {
            return Err(Error::invalid(
                "order is Direct (WITHY_ORDER_DIRECT): the direct solver needs physical stiffness, not alpha",
            ));
        }
        Stiffness::Alpha { bend1, bend2, twist, stretch } => {
            between("alpha_bend1", bend1, 0.0, 1.0)?;
            between("alpha_bend2", bend2, 0.0, 1.0)?;
            between("alpha_twist", twist, 0.0, 1.0)?;
            between("alpha_stretch", stretch, 0.0, 1.0)?;
        }
    }
    if d.stretch_modulus != 0.0 {
        between("stretch_modulus", d.stretch_modulus, 1e-3, 1e15)?;
    }
    between("viscosity", d.viscosity, 0.0, 1e3)?;
    if d.viscosity > 0.0 && d.order != SweepOrder::Direct {
        return Err(Error::invalid(format!("viscosity is {}: sweeps have none, only rods solved directly do", d.viscosity)));
    }
    poisson_ratio(d)?;
    between("iterations", d.iterations as f64, 0.0, 10_000.0)?;
    within("collision_radius", d.collision_radius, COLLISION_RADIUS)?;
    motion(d.damping, d.drag, d.wind, d.friction)?;
    within("max_speed", d.max_speed, SPEED_LIMIT)
}

fn poisson_ratio(d: &RodsDesc) -> Result<()> {
    let nu = d.poisson_ratio;
    if nu == 0.0 {
        return Ok(());
    }
    within("poisson_ratio", nu, POISSON_RATIO)?;
    let given = |what: &str| Err(Error::unsupported(format!("poisson_ratio is {nu}: {what}")));
    if matches!(d.stiffness, Stiffness::Alpha { .. }) {
        return given("stiffness is given by α, and only rods of a Young's modulus keep their volume");
    }
    if d.aspect != 1.0 {
        return given(&format!("aspect is {}, and only round sections keep their volume", d.aspect));
    }
    Ok(())
}

fn second_order(d: &RodsDesc) -> Result<()> {
    if d.integrator != Integrator::Second {
        return Ok(());
    }
    let given = |what: String| Err(Error::unsupported(format!("integrator is 2 (WITHY_INTEGRATOR_SECOND_ORDER): {what}")));
    if d.order != SweepOrder::Direct {
        return given(format!("order is {}, and only rods solved directly (WITHY_ORDER_DIRECT) are of second order", d.order));
    }
    if d.keeps_volume() {
        return given(format!("poisson_ratio is {}, and rods that keep their volume are of first order", d.poisson_ratio));
    }
    if d.is_bundled() {
        return given(format!("strands_per_bundle is {}, and bundles are of first order", d.strands_per_bundle));
    }
    Ok(())
}

fn muscle(d: &RodsDesc) -> Result<()> {
    let edges = d.positions.len() - d.counts.len();
    length_is("contractile", d.contractile.len(), &[(0, "none"), (edges, "one an edge")])?;
    each("contractile", &d.contractile, |f, x| between(f, x, 0.0, 1.0))?;
    let Some(muscle) = &d.muscle else { return Ok(()) };
    if !d.keeps_volume() {
        return Err(Error::invalid("muscle is given and poisson_ratio is 0: only rods that keep their volume are muscles"));
    }
    if d.order != SweepOrder::Direct {
        let order = d.order;
        return Err(Error::unsupported(format!(
            "muscle is given and order is {order}: only rods solved directly (WITHY_ORDER_DIRECT) are muscles"
        )));
    }
    match muscle {
        Muscle::RestShape { shortest } => between("muscle.shortest", *shortest, 0.2, 1.0),
        Muscle::Hill(hill) => {
            match hill.peak {
                Peak::Stress(stress) => between("muscle.peak_stress", stress, 0.0, 1e9)?,
                Peak::Force(force) => between("muscle.peak_force", force, 0.0, 1e9)?,
            }
            between("muscle.optimal_ratio", hill.optimal_ratio, 0.1, 10.0)?;
            between("muscle.max_velocity", hill.max_velocity, 0.1, 1e3)?;
            between("muscle.pennation", hill.pennation, 0.0, 1.4)
        }
    }
}

fn bundles(d: &RodsDesc) -> Result<()> {
    let (k, stiffness) = (d.strands_per_bundle, d.bundle_stiffness);
    if k == 0 {
        return Ok(());
    }
    if k > MOST_STRANDS_OF_A_BUNDLE {
        return Err(Error::invalid(format!("strands_per_bundle is {k}, must be 0 to {MOST_STRANDS_OF_A_BUNDLE}")));
    }
    // NaN is neither.
    if stiffness != f64::INFINITY {
        within("bundle_stiffness", stiffness, BUNDLE_STIFFNESS)?;
    }
    let given = |what: &str| Err(Error::unsupported(format!("strands_per_bundle is {k}: {what}")));
    if d.order != SweepOrder::Direct {
        return given(&format!("order is {}, and only rods solved directly (WITHY_ORDER_DIRECT) are bundled", d.order));
    }
    if d.aspect != 1.0 {
        return given(&format!("aspect is {}, and only round sections are bundled", d.aspect));
    }
    let strands = d.counts.len();
    if !strands.is_multiple_of(k as usize) {
        return Err(Error::invalid(format!("strands_per_bundle is {k}, which does not divide the {strands} strands of counts")));
    }
    for (b, counts) in d.counts.chunks(k as usize).enumerate() {
        if let Some(i) = counts.iter().position(|n| *n != counts[0]) {
            let at = b * k as usize;
            return Err(Error::invalid(format!(
                "counts[{}] is {}, and counts[{at}] of the same bundle is {}: its strands must have as many vertices each",
                at + i,
                counts[i],
                counts[0]
            )));
        }
    }
    Ok(())
}

/// Sweeps stop short of the statics, so a rest shape that is found for a pose does not keep it.
pub fn solved_directly(what: &str, d: &RodsDesc) -> Result<()> {
    if d.order == SweepOrder::Direct {
        return Ok(());
    }
    if let Stiffness::Alpha { .. } = d.stiffness {
        return Err(Error::invalid(format!(
            "{what}: stiffness is alpha (WITHY_STIFFNESS_ALPHA), which only sweeps have, and sweeps do not keep the pose"
        )));
    }
    let order = d.order;
    Err(Error::invalid(format!(
        "{what}: order is {order}, and sweeps do not keep the pose; create the rods with Direct (WITHY_ORDER_DIRECT), or with Auto \
         (WITHY_ORDER_AUTO) and an end that is held or the flag WITHY_RODS_SAG_FREE"
    )))
}

pub fn rest_shape(r: &RestShape, edges: usize, elements: usize) -> Result<()> {
    let vertices = 2 * edges - elements;
    if let RestShape::Explicit { lengths, darboux } = r {
        length_is("rest_lengths", lengths.len(), &[(edges, "one an edge")])?;
        length_is("rest_darboux", darboux.len(), &[(elements, "one an interior vertex")])?;
        each("rest_lengths", lengths, |f, x| within(f, x, REST_LENGTH))?;
        vectors("rest_darboux", darboux)?;
    }
    if let RestShape::Strains { lengths, strains } = r {
        length_is("rest_lengths", lengths.len(), &[(edges, "one an edge")])?;
        length_is("rest_strains", strains.len(), &[(vertices, "one a vertex")])?;
        each("rest_lengths", lengths, |f, x| within(f, x, REST_LENGTH))?;
        for (i, s) in strains.iter().enumerate() {
            // A NaN is not either.
            if let Some(k) = s.iter().position(|x| !(-1e9..=1e9).contains(x)) {
                between(&format!("rest_strains[{i}][{k}]"), s[k], -1e9, 1e9)?;
            }
        }
    }
    Ok(())
}

pub fn motion(damping: f64, drag: f64, wind: [f64; 3], friction: f64) -> Result<()> {
    between("damping", damping, 0.0, 1e9)?;
    between("drag", drag, 0.0, 1e9)?;
    vector("wind", None, wind)?;
    between("friction", friction, 0.0, 1e3)
}

pub fn collider(d: &ColliderDesc) -> Result<ColliderDesc> {
    match d.shape {
        Shape::Plane => {}
        Shape::Sphere { radius } => within("radius", radius, SHAPE_SIZE)?,
        Shape::Capsule { radius, half_height } => {
            within("radius", radius, SHAPE_SIZE)?;
            within("half_height", half_height, HALF_HEIGHT)?;
        }
        Shape::TaperedCapsule { half_height, bottom, top } => {
            within("bottom", bottom, SHAPE_SIZE)?;
            within("top", top, SHAPE_SIZE)?;
            within("half_height", half_height, HALF_HEIGHT)?;
        }
        Shape::Box { half_extents } => {
            for (k, e) in half_extents.into_iter().enumerate() {
                within(&format!("half_extents[{k}]"), e, SHAPE_SIZE)?;
            }
        }
    }
    between("friction", d.friction, 0.0, 1e3)?;
    Ok(ColliderDesc { pose: pose("pose", None, d.pose)?, ..*d })
}

pub fn world(d: &WorldDesc) -> Result<()> {
    vector("gravity", None, d.gravity)?;
    between("substeps", d.substeps as f64, 1.0, MAX_SUBSTEPS as f64)?;
    between("max_substeps", d.max_substeps as f64, 0.0, MAX_SUBSTEPS as f64)?;
    between("iterations", d.iterations as f64, 1.0, 10_000.0)
}
