//! One rod in a double-precision world, brought to rest.
//!
//! Everything is in units of the rod: length 1, bending stiffness B = 1, mass 1. Statics do not depend on the masses, so those
//! are free numerical parameters. Rest is reached by time stepping with drag (dynamic relaxation). In a substep h the sweeps
//! solve (S + l/(K h²)) Δλ = −C, where S couples neighbouring elements; the smaller h²S is against the compliance l/K, the
//! faster they converge, which is when multipliers are forces. `h` is therefore a fixed part of 1/ω of the fastest element.

use withy::math::Vec3;
use withy::world::{EndSupport, Id, Inline, Pose, RestShape, Rods, RodsDesc, Stiffness, SweepOrder, World, WorldDesc};

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
    /// d¹ of every edge, or one that is carried along from the root.
    pub axes: Vec<V3>,
    /// The pose that the clamps hold the ends of; empty: the start.
    pub held: Vec<V3>,
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
            // Ghost points in the x, y plane: a planar rod is then its own mirror image and stays planar.
            axes: vec![[1.0, 1.0, 0.0]],
            held: Vec::new(),
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
    /// A bent start whose clamps hold the direction of a straight rod.
    pub fn bent(shape: Vec<V3>, direction: V3) -> Setup {
        let n = shape.len() - 1;
        Setup { held: Self::straight(n, direction).shape, ..Self::new(shape) }
    }
    pub fn edges(&self) -> usize {
        self.shape.len() - 1
    }
}

/// Vertices of a planar rod of unit length from the angles of its edges, in the plane of `along` and `across`.
pub fn from_angles(angles: &[f64], along: V3, across: V3) -> Vec<V3> {
    let l = 1.0 / angles.len() as f64;
    let mut p = [0.0; 3];
    let mut shape = vec![p];
    for a in angles {
        p = std::array::from_fn(|k| p[k] + l * (a.cos() * along[k] + a.sin() * across[k]));
        shape.push(p);
    }
    shape
}

/// The rotation by `angle` about the unit vector `axis`, xyzw.
pub fn turn(axis: V3, angle: f64) -> [f64; 4] {
    let (s, c) = (0.5 * angle).sin_cos();
    [axis[0] * s, axis[1] * s, axis[2] * s, c]
}

/// How finely the substeps resolve the fastest element, and how often its constraints are swept.
#[derive(Clone, Copy)]
pub struct Fineness {
    /// h ω of the fastest bending element.
    pub phase: f64,
    pub iterations: u32,
}

impl Fineness {
    /// At rest the linearised corrections of a substep have lost angular momentum: after three sweeps the tip of a cantilever under
    /// α = 2 is off by 0.005 phase² of its length, whatever n is; 0.01 phase² after two.
    pub fn for_edges(n: usize) -> Fineness {
        Fineness { phase: 0.35 * (25.0 / n as f64).sqrt(), iterations: 3 }
    }
    /// For shapes that are read as they are: a thousandth of the length at most is left of the substep, whatever n is.
    pub fn for_shapes() -> Fineness {
        Fineness { phase: 0.3, iterations: 3 }
    }
    pub fn by(self, factor: f64) -> Fineness {
        Fineness { phase: self.phase * factor, ..self }
    }
}

pub struct Rod {
    pub world: World,
    pub id: Id,
    pub h: f64,
    n: usize,
    fine: Fineness,
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
            section_axes: s.axes.clone(),
            rest_positions: s.held.clone(),
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
            order: SweepOrder::Alternating,
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
        Rod { world, id, h: fine.phase / bend.max(0.5 * twist), n, fine }
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
    /// The force F that the rod transmits everywhere, from the tensions t = F·e of its edges by least squares; for a rod that is
    /// loaded at its ends only. A planar rod in x, y gives no z.
    pub fn thrust(&self) -> V3 {
        let p = self.positions();
        let mut m = [[0.0; 4]; 3];
        for (i, t) in self.tensions().into_iter().enumerate() {
            let e = (p[i + 1] - p[i]).normalized_or(Vec3::from([1.0, 0.0, 0.0])).to_array();
            for r in 0..3 {
                (0..3).for_each(|c| m[r][c] += e[r] * e[c]);
                m[r][3] += e[r] * t;
            }
        }
        for i in 0..3 {
            if m[i][i] < 1e-12 * self.n as f64 {
                m[i] = [0.0; 4];
                (0..3).for_each(|r| m[r][i] = 0.0);
                m[i][i] = 1.0;
            }
            for r in 0..3 {
                if r != i {
                    let f = m[r][i] / m[i][i];
                    (0..4).for_each(|c| m[r][c] -= f * m[i][c]);
                }
            }
        }
        [m[0][3] / m[0][0], m[1][3] / m[1][1], m[2][3] / m[2][2]]
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
    /// Both clamps at once.
    pub fn hold(&mut self, root: Pose, tip: Pose) {
        self.rods_mut().set_root_poses(|_| root, true).expect("a driven root");
        self.rods_mut().set_tip_poses(|_| tip, true).expect("a driven tip");
    }
    pub fn drag(&mut self, rate: f64) {
        self.rods_mut().set_motion(0.0, rate, [0.0; 3], 0.0).expect("a rate");
    }

    /// Steps of `h` for `time`.
    pub fn advance(&mut self, time: f64) {
        let substeps = (time / self.h).ceil().max(1.0) as usize;
        let steps = substeps.div_ceil(withy::world::MAX_SUBSTEPS as usize);
        let each = substeps.div_ceil(steps);
        self.world.set_iterations(each as u32, self.fine.iterations).expect("counts within bounds");
        for _ in 0..steps {
            self.world.step(time / steps as f64, &Inline).expect("a step");
        }
    }

    /// Lets drag stop the rod; `rate` is about the frequency of its slowest motion: at rest nothing moves by more than
    /// `tolerance` lengths in 1/rate. Panics if it is not at rest after 100/rate: a number read then would mean nothing.
    pub fn settle(&mut self, rate: f64, tolerance: f64) {
        self.settle_under(rate, tolerance, 0.5, |_| ());
    }

    /// The same under loads that `update` gives again, every `part` of 1/rate. Longer substeps bring the rod near to its rest, its
    /// own the last way.
    pub fn settle_under(&mut self, rate: f64, tolerance: f64, part: f64, mut update: impl FnMut(&mut Rod)) {
        let h = self.h;
        self.h = h * (0.35 / self.fine.phase).clamp(1.0, 4.0);
        if self.h > h {
            self.relax(rate, 30.0 * tolerance, part, &mut update);
        }
        self.h = h;
        self.relax(rate, tolerance, part, &mut update);
    }

    fn relax(&mut self, rate: f64, tolerance: f64, part: f64, update: &mut impl FnMut(&mut Rod)) {
        self.drag(2.0 * rate);
        let mut before = self.positions();
        let (mut time, mut still, mut most) = (0.0, 0.0, 0.0f64);
        while time < 100.0 {
            update(self);
            self.advance(part / rate);
            time += part;
            let now = self.positions();
            most = now.iter().zip(&before).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max) / part;
            before = now;
            // An oscillation may be caught at the same place twice, not for so long.
            still = if most < tolerance { still + part } else { 0.0 };
            if still > 0.9 {
                return;
            }
        }
        panic!("not at rest after {time}/rate: {most:e} lengths in 1/rate instead of {tolerance:e}");
    }
}

/// Solves for n edges, starting straight for the first few and from the halved grid's answer after that: a fine rod then has only
/// its last digits left to find.
pub fn refined(n: usize, direction: V3, law: impl Fn(Vec<V3>) -> Rod) -> Vec<Vec3<f64>> {
    refined_from(n, &|n| Setup::straight(n, direction).shape, &law)
}

pub fn refined_from(n: usize, start: &dyn Fn(usize) -> Vec<V3>, law: &dyn Fn(Vec<V3>) -> Rod) -> Vec<Vec3<f64>> {
    if n % 2 == 1 || n <= 16 {
        return law(start(n)).positions();
    }
    let coarse = refined_from(n / 2, start, law);
    let mut shape = Vec::with_capacity(n + 1);
    for i in 0..n / 2 {
        shape.push(coarse[i].to_array());
        // The cubic through four neighbours, or the middle at the ends.
        let middle = (coarse[i] + coarse[i + 1]) * 0.5;
        let bent = if i > 0 && i + 2 < coarse.len() {
            middle + (coarse[i] + coarse[i + 1] - coarse[i - 1] - coarse[i + 2]) * (1.0 / 16.0)
        } else {
            middle
        };
        shape.push(bent.to_array());
    }
    shape.push(coarse[n / 2].to_array());
    law(shape).positions()
}
