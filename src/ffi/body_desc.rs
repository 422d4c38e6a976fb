//! What a `WithyBodyDef` describes, as a world takes it.

use super::body::*;
use super::collider::*;
use super::convention::{Convention, between, finite};
use super::defs;
use super::guard::{Failure, Result};
use super::span::{FLOATS, INDICES, View};
use crate::world::{BodyDesc, BodyMotion, BodyShape, ShapeDesc, validate};

/// Most shapes of a body.
const MOST_SHAPES: u32 = 1 << 12;
/// Most points of a hull.
const MOST_POINTS: usize = 1 << 20;
/// Most triangles of a mesh.
const MOST_TRIANGLES: usize = 1 << 28;
/// kg m², as the world has it.
const INERTIA: (f64, f64) = (-1e18, 1e18);

fn body_shape(def: &WithyShapeDef, c: &Convention) -> Result<BodyShape> {
    let size = |x: f64, name: &str| c.checked_length(x, name, validate::SHAPE_SIZE);
    let half_height = || c.checked_length(def.half_height, "half_height", validate::HALF_HEIGHT);
    let points = |most: usize| {
        let view = View::<3>::required(&def.positions, "positions", FLOATS)?;
        if view.count() > most {
            return Err(Failure::argument(format!("positions.count is {}: must be at most {most}", view.count())));
        }
        validate::memory(view.count().saturating_mul(200), "positions")?;
        view.positions(c)
    };
    if def.shape != WITHY_SHAPE_MESH && def.triangles.count != 0 {
        return Err(Failure::argument(format!("triangles.count is {}: only WITHY_SHAPE_MESH has some", def.triangles.count)));
    }
    if !matches!(def.shape, WITHY_SHAPE_MESH | WITHY_SHAPE_HULL) && def.positions.count != 0 {
        let count = def.positions.count;
        return Err(Failure::argument(format!("positions.count is {count}: only WITHY_SHAPE_HULL and _MESH have some")));
    }
    Ok(match defs::choice(def.shape, &[0, 1, 2, 3, 4, 5, 6], "shape")? {
        WITHY_SHAPE_PLANE => BodyShape::Plane,
        WITHY_SHAPE_SPHERE => BodyShape::Sphere { radius: size(def.radius, "radius")? },
        WITHY_SHAPE_CAPSULE => BodyShape::Capsule { half_height: half_height()?, radius: size(def.radius, "radius")? },
        WITHY_SHAPE_TAPERED_CAPSULE => BodyShape::TaperedCapsule {
            half_height: half_height()?,
            bottom: size(def.radius, "radius")?,
            top: size(def.radius_top, "radius_top")?,
        },
        WITHY_SHAPE_BOX => {
            let e = def.half_extents.array();
            for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
                c.checked_length(e[k], format_args!("half_extents.{axis}"), validate::SHAPE_SIZE)?;
            }
            BodyShape::Box { half_extents: c.extents_in(e) }
        }
        WITHY_SHAPE_HULL => BodyShape::Hull { points: points(MOST_POINTS)? },
        _ => {
            let view = View::<3>::required(&def.triangles, "triangles", INDICES)?;
            if view.count() > MOST_TRIANGLES {
                let count = view.count();
                return Err(Failure::argument(format!("triangles.count is {count}: must be at most {MOST_TRIANGLES}")));
            }
            validate::memory(view.count().saturating_mul(500), "triangles")?;
            let mut triangles = view.indices()?;
            if c.winds_clockwise() {
                triangles.iter_mut().for_each(|t| t.swap(1, 2));
            }
            BodyShape::Mesh { positions: points(usize::MAX)?, triangles }
        }
    })
}

fn shape_desc(def: &WithyShapeDef, c: &Convention) -> Result<ShapeDesc> {
    Ok(ShapeDesc {
        shape: body_shape(def, c)?,
        pose: c.checked_pose(&def.pose, "pose")?,
        density: finite(def.density, "density")?,
        friction: finite(def.friction, "friction")?,
        restitution: finite(def.restitution, "restitution")?,
        stiffness: finite(def.stiffness, "stiffness")?,
        damping: finite(def.damping, "damping")?,
        rolling_friction: finite(def.rolling_friction, "rolling_friction")?,
        torsional_friction: finite(def.torsional_friction, "torsional_friction")?,
        category: def.category,
        mask: def.mask,
    })
}

/// # Safety
/// `def.shapes` is NULL or readable for `shape_count` shapes of the size that the first claims.
unsafe fn shape_descs(def: &WithyBodyDef, c: &Convention) -> Result<Vec<ShapeDesc>> {
    if def.shape_count == 0 {
        return Ok(Vec::new());
    }
    defs::not_null(def.shapes, "shapes")?;
    if def.shape_count > MOST_SHAPES {
        return Err(Failure::argument(format!("shape_count is {}: must be at most {MOST_SHAPES}", def.shape_count)));
    }
    let mut all = Vec::with_capacity(def.shape_count as usize);
    // The size of one is the stride: an older or newer host's shapes are shorter or longer than ours.
    // SAFETY: the caller's contract.
    let stride = unsafe { def.shapes.cast::<u32>().read_unaligned() };
    for i in 0..def.shape_count as usize {
        let named = |e: Failure| Failure { message: format!("shapes[{i}]: {}", e.message), ..e };
        // SAFETY: `defs::read` has found the first one's size to be one that the struct may have, so the array is no longer than it says.
        let (size, shape) = unsafe {
            let at = def.shapes.byte_add(i * stride as usize);
            (at.cast::<u32>().read_unaligned(), defs::read(at).map_err(named)?)
        };
        if size != stride {
            return Err(Failure::argument(format!("shapes[{i}].struct_size is {size}: that of shapes[0] is {stride}")));
        }
        all.push(shape_desc(&shape, c).map_err(named)?);
    }
    Ok(all)
}

pub(super) fn motion(value: u32) -> Result<BodyMotion> {
    defs::choice(value, &[BodyMotion::Static, BodyMotion::Kinematic, BodyMotion::Dynamic], "motion")
}

/// # Safety
/// That of [`shape_descs`].
pub(super) unsafe fn body_desc(def: &WithyBodyDef, c: &Convention) -> Result<BodyDesc> {
    let inertia = if def.flags & WITHY_BODY_INERTIA != 0 {
        let center = c.checked_position(def.center_of_mass.array(), "center_of_mass", None)?;
        for (k, x) in def.inertia.into_iter().enumerate() {
            between(x, format_args!("inertia[{k}]"), INERTIA)?;
        }
        Some((center, c.tensor_in(def.inertia)))
    } else {
        None
    };
    Ok(BodyDesc {
        motion: motion(def.motion)?,
        pose: c.checked_pose(&def.pose, "pose")?,
        velocity: c.checked_position(def.velocity.array(), "velocity", None)?,
        spin: c.checked_moment(def.spin.array(), "spin", None)?,
        // SAFETY: the caller's contract.
        shapes: unsafe { shape_descs(def, c)? },
        mass: finite(def.mass, "mass")?,
        inertia,
        gravity_scale: finite(def.gravity_scale, "gravity_scale")?,
        linear_damping: finite(def.linear_damping, "linear_damping")?,
        angular_damping: finite(def.angular_damping, "angular_damping")?,
        max_speed: match def.max_speed {
            0.0 => BodyDesc::default().max_speed,
            speed => c.checked_speed(speed, "max_speed", validate::SPEED_LIMIT)?,
        },
        group: def.group,
        can_sleep: defs::boolean(def.can_sleep, "can_sleep")?,
        continuous: defs::boolean(def.continuous, "continuous")?,
    })
}
