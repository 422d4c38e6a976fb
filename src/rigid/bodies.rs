//! Bodies as objects: their description, mass and frames.

use super::desc::*;
use super::joints::transform;
use crate::collide::narrow::{Geometry, MassProperties};
use crate::desc::error::{Error, ErrorKind, Result};
use crate::desc::validate;
use crate::desc::{ColliderDesc, Pose, Shape};
use crate::math::{Transform, Vec3};

/// Shapes in the precision of the world.
#[derive(Clone, Debug)]
pub(crate) enum Shapes {
    F32(Vec<Geometry<f32>>),
    F64(Vec<Geometry<f64>>),
}

/// A body of the world. Where it is and how it moves: `World::body_pose` and the like.
#[derive(Clone, Debug)]
pub struct Body {
    pub desc: BodyDesc,
    /// kg and kg m² about the principal axes; 0 for what is not dynamic.
    pub mass: f64,
    pub moments: [f64; 3],
    /// From the body's frame to its centre of mass and principal axes.
    pub(crate) local: Transform<f64>,
    pub(crate) shapes: Shapes,
    /// Where the host wants a kinematic body at the end of the next step.
    pub(crate) target: Option<Pose>,
    /// N and N m about the centre of mass, for the next step.
    pub(crate) force: [f64; 3],
    pub(crate) torque: [f64; 3],
    /// Unique in the world.
    pub(crate) name: u64,
    /// Of the ragdolls that it is of, which alone take it out.
    pub(crate) instance: Option<u32>,
}

pub(crate) const MASS: (f64, f64) = (1e-9, 1e12);
pub(crate) const MOMENT: (f64, f64) = (1e-15, 1e18);
/// Most shapes of one body.
pub(crate) const MOST_SHAPES: usize = 1 << 12;

pub(crate) fn pose_of(t: Transform<f64>) -> Pose {
    Pose { position: t.position.to_array(), rotation: t.rotation.to_array() }
}

fn shape(i: usize, s: &ShapeDesc, moves: bool) -> Result<ShapeDesc> {
    let named = |e: Error| Error::new(e.kind, format!("shapes[{i}]: {}", e.message));
    let mut s = s.clone();
    s.pose = validate::pose("pose", None, s.pose).map_err(named)?;
    validate::between("density", s.density, 1e-3, 1e6).map_err(named)?;
    validate::between("friction", s.friction, 0.0, 1e3).map_err(named)?;
    validate::between("restitution", s.restitution, 0.0, 1.0).map_err(named)?;
    validate::between("rolling_friction", s.rolling_friction, 0.0, 1e3).map_err(named)?;
    validate::between("torsional_friction", s.torsional_friction, 0.0, 1e3).map_err(named)?;
    if s.stiffness != 0.0 {
        validate::between("stiffness", s.stiffness, 1e-6, 1e9).map_err(named)?;
    }
    validate::between("damping", s.damping, 0.0, 1e9).map_err(named)?;
    if s.damping != 0.0 && s.stiffness == 0.0 {
        return Err(Error::invalid(format!("shapes[{i}]: damping is {}, which needs a stiffness", s.damping)));
    }
    if moves && matches!(s.shape, BodyShape::Plane | BodyShape::Mesh { .. }) {
        return Err(Error::invalid(format!("shapes[{i}] is a plane or a mesh: only static bodies may have one")));
    }
    Ok(s)
}

impl Body {
    pub(crate) fn new(desc: &BodyDesc, name: u64, double: bool) -> Result<Body> {
        let mut d = desc.clone();
        d.pose = validate::pose("pose", None, d.pose)?;
        validate::vector("velocity", None, d.velocity)?;
        validate::vector("spin", None, d.spin)?;
        if d.mass != 0.0 && !(MASS.0..=MASS.1).contains(&d.mass) {
            return Err(Error::invalid(format!(
                "mass is {}, must be 0 or {:e} to {:e}",
                validate::number(d.mass),
                MASS.0,
                MASS.1
            )));
        }
        validate::between("gravity_scale", d.gravity_scale, -1e6, 1e6)?;
        validate::between("linear_damping", d.linear_damping, 0.0, 1e9)?;
        validate::between("angular_damping", d.angular_damping, 0.0, 1e9)?;
        validate::within("max_speed", d.max_speed, validate::SPEED_LIMIT)?;
        if d.shapes.len() > MOST_SHAPES {
            return Err(Error::invalid(format!("shapes has {} entries, at most {MOST_SHAPES}", d.shapes.len())));
        }
        let moves = d.motion != BodyMotion::Static;
        for (i, s) in d.shapes.iter_mut().enumerate() {
            *s = shape(i, s, moves)?;
        }
        let named = |i: usize| move |e: Error| Error::new(e.kind, format!("shapes[{i}]: {}", e.message));
        let exact: Vec<Geometry<f64>> = d
            .shapes
            .iter()
            .enumerate()
            .map(|(i, s)| Geometry::new(&s.shape.geometry()).map_err(named(i)))
            .collect::<Result<_>>()?;
        let (mass, moments, local) = if d.motion == BodyMotion::Dynamic {
            let m = mass(&d, &exact)?;
            let (moments, axes) = m.principal();
            for (k, v) in moments.to_array().into_iter().enumerate() {
                if !(MOMENT.0..=MOMENT.1).contains(&v) {
                    return Err(Error::invalid(format!(
                        "inertia has the principal moment {v:e} kg m² [{k}], must be {:e} to {:e}",
                        MOMENT.0, MOMENT.1
                    )));
                }
            }
            (m.mass, moments.to_array(), Transform { position: m.center, rotation: axes })
        } else {
            (0.0, [0.0; 3], Transform::identity())
        };
        let shapes = if double {
            Shapes::F64(exact)
        } else {
            Shapes::F32(d.shapes.iter().map(|s| Geometry::new(&s.shape.geometry())).collect::<Result<_>>()?)
        };
        Ok(Body { mass, moments, local, shapes, target: None, force: [0.0; 3], torque: [0.0; 3], name, instance: None, desc: d })
    }

    /// A collider, as the bodies meet it.
    pub(crate) fn of_collider(c: &ColliderDesc, name: u64, double: bool) -> Result<Body> {
        let shape = match c.shape {
            Shape::Plane => BodyShape::Plane,
            Shape::Sphere { radius } => BodyShape::Sphere { radius },
            Shape::Capsule { radius, half_height } => BodyShape::Capsule { half_height, radius },
            Shape::Box { half_extents } => BodyShape::Box { half_extents },
            Shape::TaperedCapsule { half_height, bottom, top } => BodyShape::TaperedCapsule { half_height, bottom, top },
        };
        let shape = ShapeDesc { shape, friction: c.friction, category: c.category, mask: c.mask, ..ShapeDesc::default() };
        Body::new(
            &BodyDesc { motion: BodyMotion::Static, pose: c.pose, shapes: vec![shape], ..BodyDesc::default() },
            name,
            double,
        )
    }

    pub fn memory_bytes(&self) -> u64 {
        let hull = |b: &ShapeDesc| match &b.shape {
            BodyShape::Hull { points } => points.len() * 100,
            BodyShape::Mesh { positions, triangles } => positions.len() * 48 + triangles.len() * 150,
            _ => 0,
        };
        (size_of::<Body>() + self.desc.shapes.iter().map(|s| size_of::<ShapeDesc>() + hull(s)).sum::<usize>()) as u64
    }

    /// Centre of mass, m, and inertia about it, kg m² (xx, yy, zz, xy, xz, yz), in the body's frame.
    pub fn center_and_inertia(&self) -> ([f64; 3], [f64; 6]) {
        let axes = self.local.rotation.frame().map(Vec3::to_array);
        let at = |i: usize, j: usize| (0..3).map(|k| self.moments[k] * axes[k][i] * axes[k][j]).sum();
        (self.local.position.to_array(), [at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)])
    }

    /// Where the centre of mass and the principal axes are when the body's frame is at `pose`.
    pub(crate) fn principal(&self, pose: Pose) -> Transform<f64> {
        transform(pose).compose(self.local)
    }
    pub(crate) fn frame(&self, principal: Transform<f64>) -> Pose {
        pose_of(principal.compose(self.local.inverse()))
    }
}

/// A dynamic body's description, checked, and what it weighs.
pub(crate) fn weigh_body(desc: &BodyDesc) -> Result<(BodyDesc, MassProperties)> {
    let body = Body::new(desc, 0, true)?;
    let exact = match &body.shapes {
        Shapes::F64(s) => s,
        Shapes::F32(_) => return Err(Error::new(ErrorKind::Internal, "shapes are in f32")),
    };
    let m = mass(&body.desc, exact)?;
    Ok((body.desc, m))
}

/// What a dynamic body weighs.
fn mass(d: &BodyDesc, shapes: &[Geometry<f64>]) -> Result<MassProperties> {
    if let Some((center, i)) = d.inertia {
        validate::within("mass", d.mass, MASS)?;
        validate::vector("center_of_mass", None, center)?;
        for (k, v) in i.into_iter().enumerate() {
            validate::between(&format!("inertia[{k}]"), v, -MOMENT.1, MOMENT.1)?;
        }
        let [xx, yy, zz, xy, xz, yz] = i;
        let m = MassProperties { mass: d.mass, center: center.into(), inertia: [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]] };
        let (p, _) = m.principal();
        let p = p.to_array();
        for k in 0..3 {
            // No solid turns more easily about two axes than about the third.
            if p[k] > (p[(k + 1) % 3] + p[(k + 2) % 3]) * 1.001 || p[k] <= 0.0 {
                return Err(Error::invalid(format!(
                    "inertia has the principal moments {:e}, {:e}, {:e} kg m²: each must be above 0 and at most the sum of the others",
                    p[0], p[1], p[2]
                )));
            }
        }
        return Ok(m);
    }
    let parts: Vec<MassProperties> =
        shapes.iter().zip(&d.shapes).filter_map(|(g, s)| g.mass(s.density).map(|m| m.moved(&transform(s.pose)))).collect();
    let m = MassProperties::combined(&parts).ok_or_else(|| {
        Error::invalid("shapes is empty: a dynamic body needs a shape that weighs, or mass, center_of_mass and inertia")
    })?;
    let m = if d.mass > 0.0 { m.with_mass(d.mass) } else { m };
    if !(MASS.0..=MASS.1).contains(&m.mass) {
        return Err(Error::invalid(format!("the shapes weigh {:e} kg, must be {:e} to {:e}", m.mass, MASS.0, MASS.1)));
    }
    Ok(m)
}

/// The rotation from `a` to `b` as axis times angle, rad.
pub(crate) fn turn_between(a: Transform<f64>, b: Transform<f64>) -> Vec3<f64> {
    let d = b.rotation.compose(a.rotation.conjugate());
    crate::bodies::kernels::rotation_vector(d)
}
