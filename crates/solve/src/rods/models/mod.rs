//! The seam between the models of rods and all else: what a model says of itself, once.
//!
//! ```text
//! Material  ─ compile.rs, material.rs ─→  constants of a step     masses, ghost points, rest strains
//! frames    ─ newton/                 ─→  forces and Hessians     strains → element → system
//! state     ─ withy's strands/        ─→  what a host reads       strains, moments
//! ```
//! All models have one state and one solver in common: vertices, the ghost point that carries an
//! edge's frame, the unknowns (x₀, θ₀, x₁, …). A model says what measures the strains of the
//! element at a vertex and what the element answers. Stretching of edges is the same for all.
//!
//! To add one: a file here with an `impl Model`, its name in the list of `desc/models.rs`.
//! [`by_model`] is the only place that knows which models there are.

mod der;
mod ghost;
#[cfg(feature = "springs")]
mod springs;

pub use der::{Der, FOLDED};
pub use ghost::Ghost;
#[cfg(feature = "springs")]
pub use springs::Springs;

use super::der::kernels::{Element, ElementRest, LocalHessian, Measure, Relative, Strains, Stretch};
use super::ghost::kernels::EdgeFrame;
use crate::desc::{RodModel, RodsDesc};
use crate::math::{Lane, Vec3};

/// An edge as a Hessian sees it: its length, m, and its stretching.
pub type Stretched<'a, L> = (L, &'a Stretch<L>);

/// Bending stiffness about m₁ and m₂ and twisting stiffness of an element, N m.
#[derive(Clone, Copy, Debug)]
pub struct ElementStiffness<L> {
    pub bend: [L; 2],
    pub turn: L,
}

/// Which second derivatives of an element a step takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The true ones, in all lanes.
    True,
    /// Those where `exact` is 1 or they are positive definite, else the Gauss–Newton form; where it is −1,
    /// what [`Self::Own`] is.
    Positive,
    /// [`Self::Positive`] where `exact` is 1 or −1 in all lanes.
    Touched,
    /// What the model takes for positive definite ones: [`Self::Positive`], or where it is not [`Model::EXACT`] the
    /// Gauss–Newton form.
    Own,
}

/// What makes a model. The functions over lanes are inlined into each driver; constants cost nothing.
pub trait Model {
    /// Sweeps can solve it too, one constraint after the other. Otherwise only Newton's method does.
    const SWEPT: bool;
    /// Newton's method tries the true Hessian, and searches along its step where it takes several.
    /// Otherwise elements give the Gauss–Newton form.
    const EXACT: bool;
    /// A clamp holds x₀, θ₀ and x₁. Otherwise it holds x₀, and half an element its first frame.
    const CLAMPS_EDGE: bool;
    /// Twist goes on counting over full turns. It is kept in the state.
    const COUNTS_TURNS: bool;
    /// Edges get so much inertia against turns that rounding of a stiff twist does not hide it.
    const FLOORS_TURNS: bool;
    /// The first strains of five that are curvatures.
    const CURVATURES: usize;
    /// Rest strains 2, 3 … that need rows of their own, beside [`PSI`](crate::layout::param::PSI).
    const EXTRA_ROWS: usize;
    /// What measures strains in statics and rest shapes (`rods/der/strand.rs`). `None`: it has none.
    const STATICS: Option<Measure>;
    /// Its number in the shaders. `None`: there it cannot be stepped.
    const SHADERS: Option<u32>;

    /// Mass of the ghost point of an edge of `mass` and section radius `a`, at distance `ghost`, kg.
    fn ghost_mass(desc: &RodsDesc, mass: f64, a: f64, ghost: f64) -> f64;
    /// Distance of the ghost points of a strand with that mean edge and radius from their edges, m.
    fn ghost_distance(desc: &RodsDesc, mean_edge: f64, radius: f64) -> f64;
    /// The smallest compliance against twisting that a step takes, from those of a vertex beside the
    /// element (`bend`) and of its ghost point (`turn`), 1/(N m).
    fn least_twist(bend: f64, turn: f64) -> f64;
    /// Strains of the rotation Ψ = 2 n tan(θ/2).
    fn strains_of(psi: Vec3<f64>) -> [f64; 5];
    /// Strains between two frames, without full turns.
    fn strains_between(e: &EdgeFrame<f64>, f: &EdgeFrame<f64>) -> [f64; 5];
    /// Ψ of small strains.
    fn darboux_of(strains: [f64; 5]) -> Vec3<f64>;
    /// The moment between two edges in the axes halfway between their frames, N m, from the one in
    /// the state. `g` is Ψ/2.
    fn moment_halfway(moment: Vec3<f64>, g: Vec3<f64>) -> Vec3<f64>;

    /// Rest and stiffness of an element. `psi`: the rows of that name; `extra`: [`Self::EXTRA_ROWS`].
    fn rest<L: Lane>(psi: Vec3<L>, extra: [L; 2], k: ElementStiffness<L>) -> ElementRest<L>;
    /// Strains, without full turns.
    fn strains<L: Lane>(q: &Relative<L>) -> Strains<L>;
    fn element<L: Lane>(q: &Relative<L>, now: &Strains<L>, rest: &ElementRest<L>) -> Element<L>;
    /// Derivatives of the strains along φ.
    fn gradients<L: Lane>(q: &Relative<L>, now: &Strains<L>) -> [Vec3<L>; 5];
    /// What [`Self::element`] takes of an element's stiffness.
    fn softened<L: Lane>(q: &Relative<L>, rest: &ElementRest<L>) -> ElementRest<L>;
    /// Second derivatives: the true ones where `exact` is 1, elsewhere some that are positive
    /// definite.
    fn hessian<L: Lane>(
        q: &Relative<L>,
        element: &Element<L>,
        edges: [Stretched<'_, L>; 2],
        exact: L,
        form: Form,
    ) -> LocalHessian<L>;
    /// Elastic energy, J. Of models that are [`Self::EXACT`].
    fn energy<L: Lane>(q: &Relative<L>, now: &Strains<L>, rest: &ElementRest<L>) -> L;
    /// The moment that the state keeps for [`Self::moment_halfway`].
    fn moment<L: Lane>(q: &Relative<L>, now: &Strains<L>, rest: &ElementRest<L>) -> Vec3<L>;
    /// Bending of the half element of a clamp to an anchor that gives by `give` about the axes of its
    /// frame, rad/(N m), and has turned by `psi` already.
    fn hung<L: Lane>(rest: ElementRest<L>, give: Vec3<L>, psi: Vec3<L>) -> ElementRest<L>;
}

macro_rules! choose {
    ($($(#[$doc:meta])* $name:ident = $number:literal $text:literal $(if $feature:literal)?;)*) => {
        /// `by_model!(model, M => value)`: the value with the type `M` of that model.
        macro_rules! by_model {
            ($model:expr, $M:ident => $value:expr) => {
                match $model {
                    $($(#[cfg(feature = $feature)])? $crate::desc::RodModel::$name => {
                        type $M = $crate::rods::models::$name;
                        $value
                    })*
                }
            };
        }
    };
}
crate::desc::models!(choose);
pub(crate) use by_model;

/// What those who hold strands may ask of their model.
impl RodModel {
    pub fn is_swept(self) -> bool {
        by_model!(self, M => M::SWEPT)
    }
    pub fn is_exact(self) -> bool {
        by_model!(self, M => M::EXACT)
    }
    pub fn clamps_edge(self) -> bool {
        by_model!(self, M => M::CLAMPS_EDGE)
    }
    pub fn counts_turns(self) -> bool {
        by_model!(self, M => M::COUNTS_TURNS)
    }
    pub fn extra_rows(self) -> usize {
        by_model!(self, M => M::EXTRA_ROWS)
    }
    pub fn statics(self) -> Option<Measure> {
        by_model!(self, M => M::STATICS)
    }
    pub fn shaders(self) -> Option<u32> {
        by_model!(self, M => M::SHADERS)
    }
    pub fn strains_of(self, psi: Vec3<f64>) -> [f64; 5] {
        by_model!(self, M => M::strains_of(psi))
    }
    pub fn strains_between(self, e: &EdgeFrame<f64>, f: &EdgeFrame<f64>) -> [f64; 5] {
        by_model!(self, M => M::strains_between(e, f))
    }
    /// Strains of a relative rotation, without full turns.
    pub fn strains(self, q: &Relative<f64>) -> [f64; 5] {
        by_model!(self, M => M::strains(q))
    }
    pub fn darboux_of(self, strains: [f64; 5]) -> Vec3<f64> {
        by_model!(self, M => M::darboux_of(strains))
    }
    pub fn moment_halfway(self, moment: Vec3<f64>, g: Vec3<f64>) -> Vec3<f64> {
        by_model!(self, M => M::moment_halfway(moment, g))
    }
}

/// What is left of a stiffness with a compliance in series.
#[inline(always)]
pub fn in_series<L: Lane>(k: L, give: L) -> L {
    L::one() / (L::one() + k * give)
}
