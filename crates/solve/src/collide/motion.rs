//! Where a collider is in each substep: the host gives the pose at the end of a step, the substeps interpolate.

use super::kernels::{self, Distance};
use crate::desc::{ColliderDesc, Pose, Shape};
use crate::math::{Elem, Quat, Real, Vec3};

/// A collider of the world.
#[derive(Clone, Copy, Debug)]
pub struct Collider {
    pub desc: ColliderDesc,
    pub from: Pose,
    pub to: Pose,
    /// Put somewhere else at once since the last step.
    pub placed: bool,
}

impl Collider {
    pub fn new(desc: ColliderDesc) -> Self {
        Collider { desc, from: desc.pose, to: desc.pose, placed: false }
    }

    /// The motion between the fractions `t0` and `t1` of the step.
    pub fn motion<E: Elem>(&self, t0: f64, t1: f64) -> ColliderMotion<E> {
        let at = |t: f64| between(self.from, self.to, t);
        let d = &self.desc;
        ColliderMotion::new(d.shape, [at(t0), at(t1)], d.friction, [d.category, d.mask])
    }
}

/// A pose on the way from one to another, `t` in 0..1.
pub fn between(from: Pose, to: Pose, t: f64) -> (Vec3<f64>, Quat<f64>) {
    let (a, b): (Vec3<f64>, Vec3<f64>) = (from.position.into(), to.position.into());
    let q = |r: [f64; 4]| Quat { x: r[0], y: r[1], z: r[2], w: r[3] };
    (a + (b - a) * t, q(from.rotation).nlerp(q(to.rotation), t))
}

/// What kind of shape a [`ColliderMotion`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Plane,
    Sphere,
    Capsule,
    Box,
    TaperedCapsule,
    /// A hull or a mesh: its number among the solids of the step.
    Solid(u32),
    /// A mesh that bends: its number among those of the substep.
    Bent(u32),
}

impl Form {
    /// Distance and normal at `p`, both in the collider's axes. `size`: [`ColliderMotion::size`].
    /// `solid` answers for hulls and meshes.
    #[inline(always)]
    pub fn distance<T: Real>(self, size: Vec3<T>, p: Vec3<T>, solid: impl FnOnce(u32) -> Distance<T>) -> Distance<T> {
        match self {
            Form::Plane => kernels::plane(p),
            Form::Sphere => kernels::capsule(p, size.x, T::zero()),
            Form::Capsule => kernels::capsule(p, size.x, size.y),
            Form::Box => kernels::cuboid(p, size),
            Form::TaperedCapsule => kernels::tapered_capsule(p, size.x, size.y, size.z),
            Form::Solid(index) | Form::Bent(index) => solid(index),
        }
    }
}

impl<E: Elem> ColliderMotion<E> {
    /// A shape that goes from one pose to another in a substep. `layers`: category and mask.
    pub fn new(shape: Shape, poses: [(Vec3<f64>, Quat<f64>); 2], friction: f64, layers: [u32; 2]) -> Self {
        let (form, size, bound) = match shape {
            Shape::Plane => (Form::Plane, Vec3::zero(), f64::INFINITY),
            Shape::Sphere { radius } => (Form::Sphere, Vec3::from([radius, 0.0, 0.0]), radius),
            Shape::Capsule { radius, half_height } => {
                (Form::Capsule, Vec3::from([radius, half_height, 0.0]), radius + half_height)
            }
            Shape::Box { half_extents } => (Form::Box, half_extents.into(), Vec3::from(half_extents).length()),
            Shape::TaperedCapsule { half_height, bottom, top } => {
                (Form::TaperedCapsule, Vec3::from([half_height, bottom, top]), half_height + bottom.max(top))
            }
        };
        Self::moving(form, size, bound, poses, friction, layers)
    }

    /// A hull or a mesh, number `index` among the solids of the step, that lies within `bound`, m, of its frame's origin.
    pub fn solid(index: u32, bound: f64, poses: [(Vec3<f64>, Quat<f64>); 2], friction: f64, layers: [u32; 2]) -> Self {
        Self::moving(Form::Solid(index), Vec3::zero(), bound, poses, friction, layers)
    }

    /// A mesh that bends, number `index` among those of the substep, within `bound` of `center`, m.
    pub fn bent(index: u32, center: Vec3<f64>, bound: f64, friction: f64, layers: [u32; 2]) -> Self {
        let here = between(Pose { position: center.to_array(), ..Pose::IDENTITY }, Pose::IDENTITY, 0.0);
        Self::moving(Form::Bent(index), Vec3::zero(), bound, [here; 2], friction, layers)
    }

    fn moving(
        form: Form,
        size: Vec3<f64>,
        bound: f64,
        [(c0, q0), (c1, q1)]: [(Vec3<f64>, Quat<f64>); 2],
        friction: f64,
        layers: [u32; 2],
    ) -> Self {
        let (r0, r1) = (q0.frame(), q1.frame());
        // A surface point x came from R0 R1ᵀ (x − c1) + c0, so it moved by (1 − R0 R1ᵀ)(x − c1) + (c1 − c0).
        let mut turn = [Vec3::zero(); 3];
        for (j, column) in turn.iter_mut().enumerate() {
            let mut unit = [0.0; 3];
            unit[j] = 1.0;
            let unit: Vec3<f64> = unit.into();
            let local = [r1[0].dot(unit), r1[1].dot(unit), r1[2].dot(unit)];
            *column = unit - (r0[0] * local[0] + r0[1] * local[1] + r0[2] * local[2]);
        }
        let e = |v: Vec3<f64>| v.map(E::from_f64);
        ColliderMotion {
            form,
            size: e(size),
            center: e(c1),
            axes: r1.map(e),
            turn: turn.map(e),
            shift: e(c1 - c0),
            friction: E::from_f64(friction),
            // The bound only decides whether work is skipped, never what it gives; a millionth more covers the rounding.
            bound: E::from_f64(bound * 1.000_01),
            category: layers[0],
            mask: layers[1],
        }
    }
}

/// A collider during one substep.
#[derive(Clone, Copy, Debug)]
pub struct ColliderMotion<E> {
    pub form: Form,
    /// Sphere: radius. Capsule: radius, half height. Box: half extents. Tapered capsule: half height, radii at −y and +y.
    pub size: Vec3<E>,
    pub center: Vec3<E>,
    /// Columns of the rotation at the end of the substep.
    pub axes: [Vec3<E>; 3],
    /// Columns of 1 − R0 R1ᵀ.
    pub turn: [Vec3<E>; 3],
    pub shift: Vec3<E>,
    pub friction: E,
    /// Radius of a sphere about `center` that holds the shape.
    pub bound: E,
    pub category: u32,
    pub mask: u32,
}

/// An axis-aligned box around a group of strands.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<E> {
    pub min: Vec3<E>,
    pub max: Vec3<E>,
}

impl<E: Elem> Bounds<E> {
    /// The box around one point.
    pub fn at(p: Vec3<E>) -> Self {
        Bounds { min: p, max: p }
    }
    /// The box around both.
    pub fn around(&self, o: &Self) -> Self {
        Bounds { min: self.min.lower(o.min), max: self.max.upper(o.max) }
    }
    pub fn overlaps(&self, o: &Self) -> bool {
        let apart = |a: E, b: E, c: E, d: E| b < c || d < a;
        !(apart(self.min.x, self.max.x, o.min.x, o.max.x)
            || apart(self.min.y, self.max.y, o.min.y, o.max.y)
            || apart(self.min.z, self.max.z, o.min.z, o.max.z))
    }
    /// False only if nothing in the box, grown by `margin`, can touch the collider.
    pub fn may_touch(&self, c: &ColliderMotion<E>, margin: E) -> bool {
        let r = c.bound + margin;
        let apart = |lo: E, hi: E, x: E| hi + r < x || x + r < lo;
        !(apart(self.min.x, self.max.x, c.center.x)
            || apart(self.min.y, self.max.y, c.center.y)
            || apart(self.min.z, self.max.z, c.center.z))
    }
}
