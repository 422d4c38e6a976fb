//! What a host describes, in host order and SI units. The C ABI's `…Def` structs decode into these.

pub mod error;
mod models;
pub mod slots;
pub mod validate;

use parking_lot::Mutex;
use std::sync::Arc;

pub use models::RodModel;
pub(crate) use models::models;

/// Which processor steps the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BackendChoice {
    #[default]
    Cpu,
    Gpu,
    Auto,
}

/// Compiled programs for a GPU, which worlds share, and which may be kept in a file for the next process. Clones share one.
#[derive(Clone, Default)]
pub struct GpuCache(Arc<Mutex<Arc<[u8]>>>);

impl core::fmt::Debug for GpuCache {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("GpuCache").field(&self.0.lock().len()).finish()
    }
}

impl GpuCache {
    /// What [`GpuCache::bytes`] gave.
    pub fn put(&self, bytes: &[u8]) {
        *self.0.lock() = bytes.into();
    }
    /// Empty until something was compiled, or where the driver gives nothing out.
    pub fn bytes(&self) -> Arc<[u8]> {
        self.0.lock().clone()
    }
}

/// Most substeps of one `step`.
pub const MAX_SUBSTEPS: u32 = 1 << 16;

/// Settings of a world.
#[derive(Clone, Debug)]
pub struct WorldDesc {
    /// m/s²
    pub gravity: [f64; 3],
    /// Substeps of one `step`, 1..=MAX_SUBSTEPS.
    pub substeps: u32,
    /// Substeps of a long step, at most: one of more than [`LONG_STEP`] takes more, in proportion. 0: [`LONG_STEPS`] times `substeps`.
    pub max_substeps: u32,
    /// Sweeps over the constraints in one substep, 1..=10_000. Rods solved by Newton's method take one step: [`RodsDesc::iterations`].
    pub iterations: u32,
    /// `None`: the widest that the processor has.
    pub isa: Option<crate::math::Isa>,
    pub backend: BackendChoice,
    /// State and arithmetic in f64, in half the lanes of f32: the reference, slower.
    pub double_precision: bool,
    /// Where programs for a GPU are kept.
    pub gpu_cache: GpuCache,
}

/// Steps that are longer, s, take more substeps: none of these is longer than in a step of this length.
pub const LONG_STEP: f64 = 0.05;
/// So many times as many, unless the host says how many.
pub const LONG_STEPS: u32 = 16;

impl WorldDesc {
    /// Substeps of a step of `dt` seconds.
    pub fn substeps_of(&self, dt: f64) -> u32 {
        // A frame of LONG_STEP that was added up is no longer one.
        let pieces = (dt / LONG_STEP - 1e-6).ceil().max(1.0);
        let most = if self.max_substeps > 0 { self.max_substeps } else { self.substeps.saturating_mul(LONG_STEPS) };
        let most = most.clamp(self.substeps, MAX_SUBSTEPS.max(self.substeps));
        (f64::from(self.substeps) * pieces).min(f64::from(most)) as u32
    }
}

impl Default for WorldDesc {
    fn default() -> Self {
        WorldDesc {
            gravity: [0.0, -9.81, 0.0],
            substeps: 8,
            max_substeps: 0,
            iterations: 4,
            isa: None,
            backend: BackendChoice::Cpu,
            double_precision: false,
            gpu_cache: GpuCache::default(),
        }
    }
}

/// The order of the constraints within one iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SweepOrder {
    /// Edge by edge from the root, each followed by its bend-twist block.
    RootToTip,
    /// From both ends at once (the paper's fig. 7).
    #[cfg(feature = "paper")]
    Bidirectional,
    /// All edges, then all bend-twist blocks, from one end: the paper's naive order, kept to show its vibration.
    #[cfg(feature = "paper")]
    Sequential,
    /// No order: all constraints of a strand at once, by one Newton step an iteration (`docs/internals/direct.md`). Weight and stiffness
    /// travel the whole strand in one step. Physical stiffness only; 300 bytes more a vertex in f32.
    Direct,
    /// In turn as `RootToTip`, and all bend-twist blocks from the tip, then all edges from the root; a substep ends with the former.
    /// Stretches as little as `RootToTip`, and with two iterations or more does not excite itself.
    Alternating,
    /// `Direct` for ghost-point rods of physical stiffness with a held end, else `Alternating`: `settings::order`. Resolved at creation.
    #[default]
    Auto,
}

/// With the name that the C interface has for it.
impl core::fmt::Display for SweepOrder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let name = match self {
            SweepOrder::RootToTip => "ROOT_TO_TIP",
            SweepOrder::Direct => "DIRECT",
            SweepOrder::Alternating => "ALTERNATING",
            SweepOrder::Auto => "AUTO",
            #[cfg(feature = "paper")]
            SweepOrder::Bidirectional | SweepOrder::Sequential => return write!(f, "{self:?}"),
        };
        write!(f, "{self:?} (WITHY_ORDER_{name})")
    }
}

impl SweepOrder {
    /// What the C interface calls it; those that it has not come after its own.
    pub fn number(self) -> u32 {
        match self {
            SweepOrder::RootToTip => 0,
            SweepOrder::Direct => 1,
            SweepOrder::Alternating => 2,
            SweepOrder::Auto => 3,
            #[cfg(feature = "paper")]
            SweepOrder::Bidirectional => 4,
            #[cfg(feature = "paper")]
            SweepOrder::Sequential => 5,
        }
    }
}

/// How a substep of rods solved by Newton's method integrates over time (`docs/internals/time.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Integrator {
    /// What is best for the rods: `settings::integrator`. Resolved at creation.
    #[default]
    Auto,
    /// Implicit Euler: motion dies by ½ h ω² a second.
    First,
    /// Generalised α: motion that a few substeps resolve stays, what is stiffer dies.
    Second,
}

/// What gravity does to the ghost points of swept rods. They hang beside the axis: the two simple answers are wrong, and are kept to show it.
#[cfg(feature = "paper")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum GhostGravity {
    /// As much as the edge's midpoint feels; the rest goes to the edge's ends (appendix, algorithm 1). A hanging rod does not
    /// bend and a falling one does not spin.
    #[default]
    Shared,
    /// All of it: a hanging rod bends to the side of its ghost points.
    Full,
    /// None of it: a falling rod spins about its ghost points.
    None,
}

/// How the stiffness fields are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stiffness {
    /// Young's modulus E and shear modulus G, Pa: EA, EI₁, EI₂, GJ follow from the section. Compliance, independent of
    /// time step and iterations once converged.
    Physical { young: f64, shear: f64 },
    /// The paper's α per axis (d¹, d², d³) and for stretch, 0..=1 per iteration.
    Alpha { bend1: f64, bend2: f64, twist: f64, stretch: f64 },
}

/// How one end of every strand starts out held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum EndSupport {
    #[default]
    Free,
    /// The end vertex follows the host's position; the direction is free.
    Pinned,
    /// The end vertex and the material frame follow the host's pose (eqs. 22–24).
    Clamped,
}

/// The shape a rod wants to have.
#[derive(Clone, Debug, Default)]
pub enum RestShape {
    /// The start pose (or `rest_positions` where given).
    #[default]
    FromPose,
    /// The lengths of the start pose, no curvature, no twist.
    Straight,
    /// Per edge: rest length, m. Per orientation element (interior vertex), flat over the strands: Darboux vector Ω̄, 1/m.
    Explicit { lengths: Vec<f64>, darboux: Vec<[f64; 3]> },
    /// The model's own strains. Per edge: rest length, m. Per vertex, of discrete elastic rods: κ̄ on the first and the second
    /// axis of the edge before (twice the tangent of half the angle), the same on the edge after, and the twist in rad; of
    /// ghost-point rods Ψ̄₁, Ψ̄₂, 0, 0, Ψ̄₃. At an end they are those between a clamp's frame and the end edge.
    Strains { lengths: Vec<f64>, strains: Vec<[f64; 5]> },
}

/// What activation does to an edge of a muscle (`docs/internals/muscles.md`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Muscle {
    /// Its rest shape becomes shorter and thicker, at the same volume: a free fibre of activation 1 is `shortest` times as long as at rest, without any stress.
    /// 0.2 to 1.
    RestShape { shortest: f64 },
    /// Hill's force pulls its ends together; the rest shape stays, and what is elastic of the rod is the passive force.
    Hill(Hill),
}

/// The force of fibres, σ₀ A a f_L(x) f_V(ẋ/v_max) cos α, with the curves of De Groote et al. 2016. The fibres of an edge keep their distance across: the more
/// they shorten, the more steeply they pull (pennation of constant thickness).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hill {
    pub peak: Peak,
    /// The length of an edge at which its fibres have their optimal length, over that at rest. 0.1 to 10.
    pub optimal_ratio: f64,
    /// The largest velocity of fibres that shorten, optimal lengths a second; muscles have about 10. 0.1 to 1000.
    pub max_velocity: f64,
    /// Angle between fibres and edge at the optimal length, rad, 0 to 1.4.
    pub pennation: f64,
}

impl Default for Hill {
    fn default() -> Self {
        Hill { peak: Peak::Stress(3e5), optimal_ratio: 1.0, max_velocity: 10.0, pennation: 0.0 }
    }
}

/// What fibres of the optimal length pull with when they are wholly active and do not move, along themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Peak {
    /// Pa, times the section at rest.
    Stress(f64),
    /// N, of every strand.
    Force(f64),
}

/// A set of rods that share material and supports: a groom, a rope, a net's strings.
#[derive(Clone, Debug)]
pub struct RodsDesc {
    /// Vertices, strand after strand, root first, m.
    pub positions: Vec<[f64; 3]>,
    /// Vertices of each strand, at least 2.
    pub counts: Vec<u32>,
    /// Where the rest shape differs from the start: same shape as `positions`, or empty.
    pub rest_positions: Vec<[f64; 3]>,
    /// Start velocities, m/s: empty, or one a vertex.
    pub velocities: Vec<[f64; 3]>,
    /// Section radius, m: one value, or one a vertex. For an elliptic section the semi-axis along d¹.
    pub radii: Vec<f64>,
    /// Semi-axis along d² over that along d¹; 1 is circular.
    pub aspect: f64,
    /// Direction of d¹ (projected off the edge): empty (parallel transport), one a strand (at its root, transported), or one
    /// an edge.
    pub section_axes: Vec<[f64; 3]>,
    /// Multiplies bending, twist and stretch stiffness: empty, or one a vertex.
    pub stiffness_scale: Vec<f64>,
    pub stiffness: Stiffness,
    /// Young's modulus against stretching, Pa; 0: `young`.
    pub stretch_modulus: f64,
    /// Poisson's ratio ν, 0.001 to 0.4999: sections change their radius so that the rod keeps its
    /// volume as an elastic solid of E and ν does (`docs/internals/volume.md`). 0: radii stay. Round sections, on the CPU, of
    /// ghost-point rods or discrete elastic rods. Twist takes `shear` as it is: that of the solid is E/2(1+ν).
    pub poisson_ratio: f64,
    /// Rods of a `poisson_ratio` can be muscles: what their activation does (`Rods::set_activation`).
    pub muscle: Option<Muscle>,
    /// Factor of the activation, 0 to 1: 0 for the edges of tendons. Empty: 1, or one an edge.
    pub contractile: Vec<f64>,
    /// So many strands, one after the other and of as many vertices each, are a bundle: their vertices number v are a
    /// section, which moves as one (`docs/internals/bundles.md`). 0: none. Strands that are solved directly, on the
    /// CPU, with round sections. What a section is at rest is its start pose.
    pub strands_per_bundle: u32,
    /// The force that draws a strand to where its section has it, N for each metre of the strand and each metre
    /// of the distance (so Pa); infinite: they do not leave it. A thin strand is drawn as a thick one.
    pub bundle_stiffness: f64,
    /// Sections of bundles grow and shrink with the strands' radii, in rods that have a `poisson_ratio`. Else the distances between
    /// strands stay.
    pub bundle_scales: bool,
    /// kg/m³
    pub density: f64,
    /// Ghost distance L̄^g, m; 0: the strand's mean edge length.
    pub ghost_distance: f64,
    /// Mass of a ghost point over the mass of its edge, 0 < ratio < 1; taken out of the edge's ends.
    pub ghost_mass_ratio: f64,
    pub rest_shape: RestShape,
    /// At creation, find the rest shape that makes the start pose an equilibrium (`World::optimize_rest_shape`). What is `SweepOrder::Auto`
    /// is solved directly then; sweeps do not keep such a pose, and are refused.
    pub sag_free: bool,
    /// Contact with bodies does not push these: rods that weigh next to nothing, and cost less so (`docs/internals/bodies.md`, Rods on bodies).
    pub one_way: bool,
    /// They touch themselves, each other, and other rods of which this is true and whose layers meet theirs.
    pub self_contact: bool,
    /// Once they are at rest they sleep, until something near them moves or the host changes them.
    pub can_sleep: bool,
    pub model: RodModel,
    /// Of ghost-point rods; discrete elastic rods are solved directly. What became of `Auto`: `Rods::order`.
    pub order: SweepOrder,
    /// Of rods solved by Newton's method. What became of `Auto`: `Rods::integrator`.
    pub integrator: Integrator,
    /// Other than shared: for the appendix's fig. 3.
    #[cfg(feature = "paper")]
    pub ghost_gravity: GhostGravity,
    pub root: EndSupport,
    pub tip: EndSupport,
    /// Rate at which motion relative to the strand's own rigid motion dies, 1/s (Müller 2007): keeps both momenta.
    pub damping: f64,
    /// Time in which a strain forgets how fast it changes (Kelvin–Voigt), s: slows changes of shape, leaves rigid motions and
    /// statics alone. Rods solved by Newton's method only.
    pub viscosity: f64,
    /// Rate at which the velocity approaches the wind's, 1/s.
    pub drag: f64,
    /// m/s
    pub wind: [f64; 3],
    /// Coulomb friction against colliders; combined as the geometric mean with the collider's.
    pub friction: f64,
    /// Contact distance from the centreline, m; 0: the section radius.
    pub collision_radius: f64,
    /// Of one substep. 0: the world's for sweeps and for rods that attachments hold, one for Newton's method.
    pub iterations: u32,
    /// Vertices are slowed down to this speed, m/s; the strand is then counted in `limited_strands`.
    pub max_speed: f64,
    /// Layer bits, and the layers it collides with.
    pub category: u32,
    pub mask: u32,
}

impl Default for RodsDesc {
    fn default() -> Self {
        RodsDesc {
            positions: Vec::new(),
            counts: Vec::new(),
            rest_positions: Vec::new(),
            velocities: Vec::new(),
            radii: vec![5e-3],
            aspect: 1.0,
            section_axes: Vec::new(),
            stiffness_scale: Vec::new(),
            stiffness: Stiffness::Physical { young: 1e7, shear: 4e6 },
            stretch_modulus: 0.0,
            poisson_ratio: 0.0,
            muscle: None,
            contractile: Vec::new(),
            strands_per_bundle: 0,
            bundle_stiffness: f64::INFINITY,
            bundle_scales: true,
            density: 1000.0,
            ghost_distance: 0.0,
            ghost_mass_ratio: 0.2,
            rest_shape: RestShape::FromPose,
            sag_free: false,
            one_way: false,
            self_contact: false,
            can_sleep: true,
            model: RodModel::Ghost,
            order: SweepOrder::Auto,
            integrator: Integrator::Auto,
            #[cfg(feature = "paper")]
            ghost_gravity: GhostGravity::Shared,
            root: EndSupport::Free,
            tip: EndSupport::Free,
            damping: 0.0,
            viscosity: 0.0,
            drag: 0.0,
            wind: [0.0; 3],
            friction: 0.5,
            collision_radius: 0.0,
            iterations: 0,
            max_speed: 1000.0,
            category: 1,
            mask: u32::MAX,
        }
    }
}

impl RodsDesc {
    /// Whether the sections' scales are unknowns.
    pub fn keeps_volume(&self) -> bool {
        self.poisson_ratio != 0.0
    }
    /// Whether strands are bundled.
    pub fn is_bundled(&self) -> bool {
        self.strands_per_bundle > 0
    }
}

/// A rigid transform: position m, unit quaternion xyzw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    pub position: [f64; 3],
    pub rotation: [f64; 4],
}

impl Pose {
    pub const IDENTITY: Pose = Pose { position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] };
}

/// Shapes are centred on their pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// The half space below local y = 0.
    Plane,
    Sphere {
        radius: f64,
    },
    /// Along local y.
    Capsule {
        radius: f64,
        half_height: f64,
    },
    Box {
        half_extents: [f64; 3],
    },
    /// The hull of two spheres, at −half_height and at +half_height on local y. Not on the GPU.
    TaperedCapsule {
        half_height: f64,
        bottom: f64,
        top: f64,
    },
}

/// A rigid shape that the host moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColliderDesc {
    pub shape: Shape,
    pub pose: Pose,
    pub friction: f64,
    pub category: u32,
    pub mask: u32,
}

impl Default for ColliderDesc {
    fn default() -> Self {
        ColliderDesc { shape: Shape::Plane, pose: Pose::IDENTITY, friction: 0.5, category: 1, mask: u32::MAX }
    }
}

/// A triangle mesh whose vertices rods can hang on and pull (eq. 25).
#[derive(Clone, Debug, Default)]
pub struct MeshDesc {
    pub positions: Vec<[f64; 3]>,
    pub triangles: Vec<[u32; 3]>,
    /// kg⁻¹, one a vertex; 0 for vertices that the host drives.
    pub inv_masses: Vec<f64>,
    /// Compliance of the edges, m/N; `None`: the host integrates the mesh and reads back the corrections.
    pub edge_compliance: Option<f64>,
    /// Further vertex pairs to hold at their start distance (diagonals of a box).
    pub extra_edges: Vec<[u32; 2]>,
    /// 1/s, towards rest.
    pub drag: f64,
    /// What strands it stops; `None`: it is no collider.
    pub collides: Option<MeshCollider>,
}

/// A mesh that the host moves, as strands meet it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshCollider {
    /// Felt from both sides; else from the front, where triangles run counterclockwise.
    pub both_sides: bool,
    /// The front is where triangles run clockwise.
    pub clockwise: bool,
    pub friction: f64,
    pub category: u32,
    pub mask: u32,
}

/// One end of one strand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrandEnd {
    pub strand: u32,
    /// False: the root, true: the last vertex.
    pub tip: bool,
}
