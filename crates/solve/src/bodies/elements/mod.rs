//! Elements, which joints and contacts are made of. An element is one kind of constraint between
//! two bodies. It is linearised at the start of a substep and solved in every iteration. A joint is
//! one to three elements; a contact is one.

mod angular;
mod arc;
mod ball;
mod contact;
mod distance;
mod fixed;
mod hinge;
mod motor;
mod rolling;

pub use angular::*;
pub use arc::*;
pub use ball::*;
pub use contact::*;
pub use distance::*;
pub use fixed::*;
pub use hinge::*;
pub use motor::*;
pub use rolling::*;

use super::kernels::*;
use crate::math::rows::{InRows, in_rows};
use crate::math::{Gather, Quat, Real, Vec3};

/// Where a body is and how it resists.
#[derive(Clone, Copy, Debug)]
pub struct Place<T> {
    /// Centre of mass, m.
    pub x: Vec3<T>,
    /// Of the principal axes.
    pub q: Quat<T>,
    pub inertia: Inertia<T>,
}

/// What all constraints share in a substep.
#[derive(Clone, Copy, Debug)]
pub struct Substep<T> {
    /// s
    pub h: T,
    pub inv_h: T,
    /// Joints: how errors are taken back, those of limits, and those of fixed joints.
    pub joint: Bias<T>,
    pub stop: Bias<T>,
    pub fixed: Bias<T>,
    /// Contacts: part of a penetration undone in a second, the softness of that, fastest push out, and the speed above which they bounce.
    pub contact_rate: T,
    pub contact_soft: Softness<T>,
    /// The same against what no impulse moves.
    pub ground_rate: T,
    pub ground_soft: Softness<T>,
    pub most_push: T,
    pub bounce: T,
    /// Of the step's substeps, which, and 1 in the first after a search for contacts.
    pub number: u32,
    pub first: T,
    /// Part of the step that is over at the end of the substep, and one over the step, 1/s.
    pub part: T,
    pub inv_dt: T,
    /// Part of the last impulses that the substep starts with.
    pub warm: T,
    /// One over the largest stiffness of a motor, that as h² k over the inertia.
    pub soft_motor: T,
}

impl<T: Real> Substep<T> {
    /// The same in every lane.
    #[inline(always)]
    pub fn splat<L: Gather<Elem = T>>(&self) -> Substep<L>
    where
        T: crate::math::Elem,
    {
        let bias = |b: &Bias<T>| Bias {
            rate: L::splat(b.rate),
            most_turn: L::splat(b.most_turn),
            inv_h: L::splat(b.inv_h),
            soft: Softness { mass: L::splat(b.soft.mass), impulse: L::splat(b.soft.impulse) },
        };
        Substep {
            h: L::splat(self.h),
            inv_h: L::splat(self.inv_h),
            joint: bias(&self.joint),
            stop: bias(&self.stop),
            fixed: bias(&self.fixed),
            contact_rate: L::splat(self.contact_rate),
            contact_soft: Softness { mass: L::splat(self.contact_soft.mass), impulse: L::splat(self.contact_soft.impulse) },
            ground_rate: L::splat(self.ground_rate),
            ground_soft: Softness { mass: L::splat(self.ground_soft.mass), impulse: L::splat(self.ground_soft.impulse) },
            most_push: L::splat(self.most_push),
            bounce: L::splat(self.bounce),
            number: self.number,
            first: L::splat(self.first),
            part: L::splat(self.part),
            inv_dt: L::splat(self.inv_dt),
            warm: L::splat(self.warm),
            soft_motor: L::splat(self.soft_motor),
        }
    }
}

/// One kind of constraint.
pub trait Element: Copy + Send + Sync + 'static {
    /// What the host describes.
    type Params<L: Gather>: InRows<L>;
    /// What goes on from substep to substep: the impulses.
    type State<L: Gather>: InRows<L>;
    /// What an iteration reads.
    type Work<L: Gather>: InRows<L>;
    /// What an iteration does to both bodies.
    type Impulse<L: Gather>: Copy;
    /// Whether [`Element::find`] differs with `RELAX`: a walk that does not is compiled once.
    const RELAXES: bool = true;
    /// So many leading rows of the state are impulses whose sum over a step is told. None of a contact: of it the last ones are.
    const TOLD: usize = 0;

    /// Linearises, and gives the bodies the impulses of before.
    fn set_up<L: Gather>(
        p: &Self::Params<L>,
        state: Self::State<L>,
        a: &Place<L>,
        b: &Place<L>,
        ma: &mut Motion<L>,
        mb: &mut Motion<L>,
        s: &Substep<L>,
    ) -> (Self::Work<L>, Self::State<L>);

    /// The first half of an iteration: what it will do. `RELAX`: only velocities count, errors of position do not.
    fn find<L: Gather, const RELAX: bool>(
        w: &Self::Work<L>,
        state: Self::State<L>,
        a: &Motion<L>,
        b: &Motion<L>,
        s: &Substep<L>,
    ) -> (Self::State<L>, Self::Impulse<L>);

    /// The second half: both bodies get it.
    fn give<L: Gather>(w: &Self::Work<L>, impulse: Self::Impulse<L>, a: &mut Motion<L>, b: &mut Motion<L>);

    /// One iteration.
    #[inline(always)]
    fn solve<L: Gather, const RELAX: bool>(
        w: &Self::Work<L>,
        state: Self::State<L>,
        a: &mut Motion<L>,
        b: &mut Motion<L>,
        s: &Substep<L>,
    ) -> Self::State<L> {
        let (state, impulse) = Self::find::<L, RELAX>(w, state, a, b, s);
        Self::give(w, impulse, a, b);
        state
    }

    /// After the last substep: restitution, which only contacts have.
    #[inline(always)]
    fn bounce<L: Gather>(
        _: &Self::Work<L>,
        state: Self::State<L>,
        _: &mut Motion<L>,
        _: &mut Motion<L>,
        _: &Substep<L>,
    ) -> Self::State<L> {
        state
    }
}

/// Elements of joints: what they do to body b can be told.
pub trait Joined: Element {
    /// What impulses give body b: N s, and N m s about its centre of mass. `told` are those of the state, `now` the state that set-up has made
    /// of them, with the work that belongs to it.
    fn wrench<L: Gather>(w: &Self::Work<L>, told: Self::State<L>, now: Self::State<L>) -> Wrench<L>;
}

/// Anchors from the centres of mass, in principal axes, m.
#[derive(Clone, Copy, Debug)]
pub struct Anchors<T> {
    pub a: Vec3<T>,
    pub b: Vec3<T>,
}

in_rows! {
    Anchors<L> { a: Vec3<L>, b: Vec3<L> }
}
