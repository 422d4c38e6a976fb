//! One rod in a double-precision world, brought to rest.
//!
//! Everything is in units of the rod: length 1, bending stiffness B = 1, mass 1. Statics do not depend on the masses, so those
//! are free numerical parameters. Rest is reached by time stepping with drag (dynamic relaxation). In a substep h the sweeps
//! solve (S + l/(K h²)) Δλ = −C, where S couples neighbouring elements; the smaller h²S is against the compliance l/K, the
//! faster they converge, which is when multipliers are forces. `h` is therefore a fixed part of 1/ω of the fastest element.

use withy::math::Vec3;
use withy::world::{EndSupport, Id, Inline, Pose, RestShape, Rods, RodsDesc, Stiffness, World, WorldDesc};

pub type V3 = [f64; 3];

/// What a rod starts from.
#[derive(Clone)]
pub struct Setup {
    /// n + 1 vertices.
    pub shape: Vec<V3>,
    pub root: EndSupport,
    pub tip: EndSupport,
    /// C/B, or C/B₂ for a ribbon.
    pub twist: f64,
    /// B₁/B₂, where B₂ = 1 bends about d².
    pub ribbon: f64,
    /// Weight per length, along −y.
    pub weight: f64,
    /// Directions of d¹ at the root; empty: any.
    pub axis: Vec<V3>,
    /// Ω̄ of each interior vertex; empty: straight.
    pub darboux: Vec<V3>,
    /// Section radius. EA = 4B/r² for a circle.
    pub radius: f64,
    pub ghost_distance: f64,
    pub ghost_mass_ratio: f64,
}

impl Setup {
    pub fn new(shape: Vec<V3>) -> Setup {
        Setup {
            shape,
            root: EndSupport::Clamped,
            tip: EndSupport::Free,
            twist: 1.0,
            ribbon: 1.0,
            weight: 0.0,
            axis: Vec::new(),
            darboux: Vec::new(),
            radius: 1e-3,
            ghost_distance: 0.0,
            ghost_mass_ratio: 0.2,
        }
    }
    /// A straight rod of n edges from the origin along `direction`.
    pub fn straight(n: usize, direction: V3) -> Setup {
        Self::new((0..=n).map(|i| direction.map(|c| c * i as f64 / n as f64)).collect())
    }
    pub fn edges(&self) -> usize {
        self.shape.len() - 1
    }
}

/// How finely the substeps resolve the fastest element, and how often its constraints are swept.
#[derive(Clone, Copy)]
pub struct Fineness {
    /// h ω of the fastest bending element.
    pub phase: f64,
    pub iterations: u32,
}

impl Default for Fineness {
    fn default() -> Self {
        Fineness { phase: 0.5, iterations: 3 }
    }
}

pub struct Rod {
    pub world: World,
    pub id: Id,
    pub h: f64,
    n: usize,
    iterations: u32,
}

impl Rod {
    pub fn new(s: &Setup, fine: Fineness) -> Rod {
        let n = s.edges();
        // Semi-axes a along d¹, b along d²: I₁/I₂ = (b/a)², and B₂ = E I₂ = 1.
        let (a, aspect) = (s.radius, s.ribbon.sqrt());
        let b = a * aspect;
        let pi = std::f64::consts::PI;
        let young = 1.0 / (pi * a * a * a * b / 4.0);
        let shear = s.twist / (pi * a * a * a * b * b * b / (a * a + b * b));
        let edge = 1.0 / n as f64;
        let desc = RodsDesc {
            positions: s.shape.clone(),
            counts: vec![n as u32 + 1],
            radii: vec![a],
            aspect,
            section_axes: s.axis.clone(),
            stiffness: Stiffness::Physical { young, shear },
            density: 1.0 / (pi * a * b),
            ghost_distance: s.ghost_distance,
            ghost_mass_ratio: s.ghost_mass_ratio,
            rest_shape: RestShape::Explicit {
                lengths: vec![edge; n],
                darboux: if s.darboux.is_empty() { vec![[0.0; 3]; n - 1] } else { s.darboux.clone() },
            },
            root: s.root,
            tip: s.tip,
            max_speed: 1e9,
            ..RodsDesc::default()
        };
        let mut world = World::new(WorldDesc {
            gravity: [0.0, -s.weight, 0.0],
            substeps: 1,
            iterations: fine.iterations,
            double_precision: true,
            ..WorldDesc::default()
        })
        .expect("a world");
        let id = world.add_rods(desc).expect("a rod");
        // ω² = (B/l) Σ w |∇Ψ|² with |∇Ψ|² = (1 + 4 + 1)/l², w = n/(1 − ratio).
        let bend = (6.0 / (1.0 - s.ghost_mass_ratio)).sqrt() * (n * n) as f64;
        let ghost = if s.ghost_distance > 0.0 { s.ghost_distance } else { edge };
        let twist = (2.0 * s.twist / s.ghost_mass_ratio).sqrt() * n as f64 / ghost;
        Rod { world, id, h: fine.phase / bend.max(0.5 * twist), n, iterations: fine.iterations }
    }

    pub fn edges(&self) -> usize {
        self.n
    }
    pub fn rods(&self) -> &Rods {
        self.world.rods(self.id).expect("the rod")
    }
    pub fn rods_mut(&mut self) -> &mut Rods {
        self.world.rods_mut(self.id).expect("the rod")
    }
    pub fn positions(&self) -> Vec<Vec3<f64>> {
        let mut out = Vec::with_capacity(self.n + 1);
        self.rods().read_positions(|_, p| out.push(p.into()));
        out
    }
    pub fn tip(&self) -> V3 {
        self.positions()[self.n].to_array()
    }
    /// Tension of every edge.
    pub fn tensions(&self) -> Vec<f64> {
        let mut out = Vec::with_capacity(self.n);
        self.rods().read_forces(|_, f| out.push(f));
        out
    }
    /// Moment around every vertex.
    pub fn moments(&self) -> Vec<V3> {
        let mut out = Vec::with_capacity(self.n + 1);
        self.rods().read_moments(|_, m| out.push(m));
        out
    }
    pub fn load(&mut self, vertex: usize, force: V3) {
        self.loads(|i| if i == vertex { force } else { [0.0; 3] });
    }
    pub fn loads(&mut self, force: impl FnMut(usize) -> V3) {
        self.rods_mut().set_forces(force).expect("finite forces");
    }
    pub fn move_tip(&mut self, pose: Pose) {
        self.rods_mut().set_tip_poses(|_| pose, false).expect("a driven tip");
    }
    pub fn drag(&mut self, rate: f64) {
        self.rods_mut().set_motion(0.0, rate, [0.0; 3], 0.0).expect("a rate");
    }

    /// Steps of `h` for `time`.
    pub fn advance(&mut self, time: f64) {
        let substeps = (time / self.h).ceil().max(1.0) as usize;
        let steps = substeps.div_ceil(withy::world::MAX_SUBSTEPS as usize);
        let each = substeps.div_ceil(steps);
        self.world.set_iterations(each as u32, self.iterations).expect("counts within bounds");
        for _ in 0..steps {
            self.world.step(time / steps as f64, &Inline).expect("a step");
        }
    }
    pub fn fastest(&self) -> f64 {
        let mut most = 0.0f64;
        self.rods().read_velocities(|_, v| most = most.max(v.iter().map(|c| c * c).sum::<f64>().sqrt()));
        most
    }

    /// Lets drag stop the rod; `rate` is about the frequency of its slowest motion. False: it still moves by more than
    /// `tolerance` lengths in 1/rate after 80/rate.
    pub fn relax(&mut self, rate: f64, tolerance: f64) -> bool {
        self.relax_under(rate, tolerance, 0.5, |_| {})
    }

    /// The same; `update` gives the loads again, every `part` of 1/rate.
    pub fn relax_under(&mut self, rate: f64, tolerance: f64, part: f64, mut update: impl FnMut(&mut Rod)) -> bool {
        self.drag(2.0 * rate);
        let mut time = 0.0;
        while time < 80.0 {
            update(self);
            self.advance(part / rate);
            time += part;
            if time > 2.0 && self.fastest() < tolerance * rate {
                return true;
            }
        }
        false
    }
}
