//! Scenes and measures that the tests of ghost rods share.
#![allow(dead_code)]

use withy::math::Isa;
use withy::math::Sym3;
use withy::math::Vec3;
use withy::math::approx::sin_cos;
use withy::world::*;

pub type V3 = [f64; 3];

/// Every instruction set that this processor can run.
pub fn sets() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.available())
}

/// A helix along a parabola: bent and twisted everywhere, in no plane. Our own sine: libm's differs between systems.
pub fn curl(n: usize, seed: f64) -> Vec<V3> {
    (0..=n)
        .map(|i| {
            let s = i as f64 / n as f64;
            let (sin, cos) = sin_cos(7.0 * s + seed);
            [0.05 * cos + 0.1 * s * s, -0.4 * s, 0.05 * sin - 0.07 * s * sin_cos(seed).0]
        })
        .collect()
}

pub struct Momentum {
    pub mass: f64,
    pub center: Vec3<f64>,
    pub linear: Vec3<f64>,
    /// About the centre of mass.
    pub angular: Vec3<f64>,
    pub kinetic: f64,
    /// The part of it that a rigid motion with the same momenta does not have.
    pub inner: f64,
}

/// Of vertices and ghost points together.
pub fn momentum(rods: &Rods) -> Momentum {
    let (mut x, mut v, mut m) = (Vec::<Vec3<f64>>::new(), Vec::<Vec3<f64>>::new(), Vec::new());
    rods.read_positions(|_, p| x.push(p.into()));
    rods.read_ghosts(|_, p| x.push(p.into()));
    rods.read_velocities(|_, p| v.push(p.into()));
    rods.read_ghost_velocities(|_, p| v.push(p.into()));
    let mut ghosts = Vec::new();
    rods.read_masses(|_, k| m.push(k), |_, k| ghosts.push(k));
    m.extend(ghosts);
    let mass: f64 = m.iter().sum();
    let sum = |f: &dyn Fn(usize) -> Vec3<f64>| (0..m.len()).fold(Vec3::zero(), |a, i| a + f(i));
    let center = sum(&|i| x[i] * m[i]) * (1.0 / mass);
    let linear = sum(&|i| v[i] * m[i]);
    let angular = sum(&|i| (x[i] - center).cross(v[i]) * m[i]);
    let inertia = (0..m.len()).fold(Sym3::diagonal(Vec3::zero()), |a, i| {
        let r = x[i] - center;
        a.add_outer(r, -m[i]).add_diagonal(r.length2() * m[i])
    });
    let kinetic = (0..m.len()).map(|i| 0.5 * m[i] * v[i].length2()).sum();
    let rigid = 0.5 * linear.length2() / mass + 0.5 * angular.dot(inertia.solve(angular));
    Momentum { mass, center, linear, angular, kinetic, inner: kinetic - rigid }
}

pub fn positions(rods: &Rods) -> Vec<Vec3<f64>> {
    let mut x = Vec::new();
    rods.read_positions(|_, p| x.push(p.into()));
    x
}

pub fn steps(world: &mut World, count: usize, dt: f64) {
    for _ in 0..count {
        world.step(dt, &Inline).expect("a step");
    }
}

pub fn horizontal(n: usize, length: f64) -> Vec<V3> {
    (0..=n).map(|i| [length * i as f64 / n as f64, 0.0, 0.0]).collect()
}

/// The elastica under its own weight, Γ = w L³/EI: reach and drop over L.
pub const HEAVY: [(f64, f64, f64); 2] = [(1.0, 0.9912464, 0.1234714), (10.0, 0.6563538, 0.7001997)];

/// Young's modulus for a Γ of [`cantilever`], 0.3 m long.
pub fn young_for(gamma: f64) -> f64 {
    let (r, length) = (1e-3f64, 0.3f64);
    1000.0 * std::f64::consts::PI * r * r * 9.81 * length.powi(3) / gamma / (std::f64::consts::PI * r.powi(4) / 4.0)
}

/// One clamped rod through `positions`.
pub fn cantilever(positions: Vec<V3>, young: f64) -> RodsDesc {
    RodsDesc {
        counts: vec![positions.len() as u32],
        positions,
        radii: vec![1e-3],
        stiffness: Stiffness::Physical { young, shear: young / 2.6 },
        density: 1000.0,
        root: EndSupport::Clamped,
        order: SweepOrder::Alternating,
        ..RodsDesc::default()
    }
}

/// Tip and largest strain of a rod after `seconds` at 60 Hz.
pub fn settle(world: WorldDesc, rod: RodsDesc, seconds: f64) -> (V3, f64) {
    let mut world = World::new(world).unwrap();
    let id = world.add_rods(rod).unwrap();
    steps(&mut world, (60.0 * seconds) as usize, 1.0 / 60.0);
    let rods = world.rods(id).unwrap();
    let (mut tip, mut strain) = ([0.0; 3], 0.0f64);
    rods.read_positions(|_, p| tip = p);
    rods.read_strain(|_, s| strain = strain.max(s.abs()));
    (tip, strain)
}

/// 37 strands of 13 lengths from `shortest` edges, of what `rods` says, above a floor with friction for a second. Roots that are held move
/// as `pose` says of a root and the frame.
pub fn busy(world: WorldDesc, shortest: usize, rods: RodsDesc, pose: impl Fn(V3, f64) -> Pose) -> (World, Id) {
    let mut world = World::new(world).unwrap();
    let floor = Pose { position: [0.0, -0.15, 0.0], ..Pose::IDENTITY };
    world.add_collider(ColliderDesc { pose: floor, ..ColliderDesc::default() }).unwrap();
    let strands: Vec<Vec<V3>> = (0..37).map(|s| curl(shortest + s % 13, s as f64)).collect();
    let ends = (rods.root, rods.tip);
    let desc = RodsDesc {
        positions: strands.iter().flatten().copied().collect(),
        counts: strands.iter().map(|s| s.len() as u32).collect(),
        radii: vec![5e-4],
        drag: 1.0,
        damping: 2.0,
        ..rods
    };
    let id = world.add_rods(desc).unwrap();
    for frame in 0..60 {
        if ends.0 != EndSupport::Free {
            let pose = |s: usize| pose(strands[s][0], f64::from(frame));
            world.rods_mut(id).unwrap().set_root_poses(pose, false).unwrap();
        }
        world.step(1.0 / 60.0, &Inline).unwrap();
        assert_eq!(world.stats().non_finite_strands, 0, "{ends:?} in frame {frame}");
    }
    (world, id)
}

/// Supports of root and tip that tests go through.
pub const SUPPORTS: [(EndSupport, EndSupport); 4] = [
    (EndSupport::Clamped, EndSupport::Free),
    (EndSupport::Free, EndSupport::Free),
    (EndSupport::Pinned, EndSupport::Clamped),
    (EndSupport::Clamped, EndSupport::Clamped),
];

/// Vertices and counts of strands.
pub fn flat(strands: &[Vec<V3>]) -> (Vec<V3>, Vec<u32>) {
    (strands.concat(), strands.iter().map(|s| s.len() as u32).collect())
}

/// Hair of 1 mm that is solved directly and shall not sag.
pub fn sag_free((positions, counts): (Vec<V3>, Vec<u32>), model: RodModel) -> RodsDesc {
    RodsDesc {
        positions,
        counts,
        radii: vec![1e-3],
        stiffness: Stiffness::Physical { young: 1e9, shear: 4e8 },
        root: EndSupport::Clamped,
        order: SweepOrder::Direct,
        sag_free: true,
        model,
        ..RodsDesc::default()
    }
}

/// The largest distance between vertices and where they were.
pub fn farthest(now: &[Vec3<f64>], before: &[Vec3<f64>]) -> f64 {
    now.iter().zip(before).fold(0.0, |m, (a, b)| (*a - *b).length().max(m))
}

pub fn world_under(double_precision: bool, gravity: f64) -> World {
    World::new(WorldDesc { double_precision, gravity: [0.0, -gravity, 0.0], ..WorldDesc::default() }).unwrap()
}

/// One strand, clamped and solved directly, with its pose for its rest shape.
pub fn one_strand(strand: &[V3], radius: f64, young: f64, shear: f64, model: RodModel) -> RodsDesc {
    RodsDesc {
        radii: vec![radius],
        stiffness: Stiffness::Physical { young, shear },
        sag_free: false,
        ..sag_free((strand.to_vec(), vec![strand.len() as u32]), model)
    }
}

/// How far a strand is from `start` at most in so many seconds at 60 Hz, over its length.
pub fn way_from(start: &[Vec3<f64>], w: &mut World, id: Id, seconds: usize) -> f64 {
    let length: f64 = start.windows(2).map(|p| (p[1] - p[0]).length()).sum();
    let mut worst = 0.0f64;
    for _ in 0..60 * seconds {
        steps(w, 1, 1.0 / 60.0);
        worst = worst.max(farthest(&positions(w.rods(id).unwrap()), start));
    }
    worst / length
}

/// Mass, place and velocity.
pub type MassPoint = (f64, Vec3<f64>, Vec3<f64>);

/// Mass points of rods that Newton's method moves: vertices with half of the ghost points beside them; and the angular momentum of sections that turn
/// about their axes.
pub fn newton_masses(rods: &Rods) -> (Vec<MassPoint>, Vec3<f64>) {
    let (mut m, mut ghosts, mut v, mut at, mut fast) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    rods.read_masses(|_, k| m.push(k), |_, k| ghosts.push(k));
    rods.read_velocities(|_, u| v.push(Vec3::from(u)));
    rods.read_ghosts(|_, g| at.push(Vec3::from(g)));
    rods.read_ghost_velocities(|_, u| fast.push(Vec3::from(u)));
    let (x, mut turning) = (positions(rods), Vec3::zero());
    let (mut edge, mut start) = (0, 0);
    for &n in rods.counts() {
        for i in start..start + n as usize - 1 {
            (m[i], m[i + 1]) = (m[i] + 0.5 * ghosts[edge], m[i + 1] + 0.5 * ghosts[edge]);
            let axis = (x[i + 1] - x[i]) * (1.0 / (x[i + 1] - x[i]).length());
            let (r, u) = (at[edge] - (x[i] + x[i + 1]) * 0.5, fast[edge] - (v[i] + v[i + 1]) * 0.5);
            turning = turning + axis * (axis.dot(r.cross(u)) * ghosts[edge]);
            edge += 1;
        }
        start += n as usize;
    }
    ((0..x.len()).map(|i| (m[i], x[i], v[i])).collect(), turning)
}

/// A ball of about `8 n²` triangles, radius 1.
pub fn ball(n: usize) -> (Vec<V3>, Vec<[u32; 3]>) {
    let (rings, around) = (2 * n, 4 * n);
    let mut points = vec![[0.0, 1.0, 0.0]];
    for i in 1..rings {
        let a = std::f64::consts::PI * i as f64 / rings as f64;
        for k in 0..around {
            let b = std::f64::consts::TAU * k as f64 / around as f64;
            points.push([a.sin() * b.cos(), a.cos(), a.sin() * b.sin()]);
        }
    }
    points.push([0.0, -1.0, 0.0]);
    let at = |i: usize, k: usize| (1 + (i - 1) * around + k % around) as u32;
    let last = points.len() as u32 - 1;
    let mut triangles = Vec::new();
    for k in 0..around {
        triangles.push([0, at(1, k + 1), at(1, k)]);
        triangles.push([last, at(rings - 1, k), at(rings - 1, k + 1)]);
        for i in 1..rings - 1 {
            triangles.push([at(i, k), at(i, k + 1), at(i + 1, k)]);
            triangles.push([at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)]);
        }
    }
    (points, triangles)
}
