//! The named scenes of the benchmark: hanging hair, clamped at the root, swinging after a push.

use withy::math::rng::Rng;
use withy::world::{EndSupport, RodsDesc, Stiffness, SweepOrder};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    Sweeps,
    /// Newton steps.
    Direct,
}

#[derive(Debug)]
pub struct Scene {
    pub name: &'static str,
    pub strands: u32,
    pub edges: u32,
    pub solver: Solver,
    /// Sweeps or Newton steps of a step; one substep.
    pub iterations: u32,
}

impl Scene {
    pub fn bench(&self) -> &'static str {
        match self.solver {
            Solver::Sweeps => "ghost",
            Solver::Direct => "direct",
        }
    }
}

const fn scene(name: &'static str, strands: u32, edges: u32) -> Scene {
    Scene { name, strands, edges, solver: Solver::Sweeps, iterations: 10 }
}

const fn direct(name: &'static str, strands: u32, edges: u32) -> Scene {
    Scene { name, strands, edges, solver: Solver::Direct, iterations: 1 }
}

/// The first is the default. Those of 5,000 to 400 strands have the same number of edges altogether.
pub const SCENES: [Scene; 13] = [
    scene("hair200x20", 200, 20),
    direct("direct200x20", 200, 20),
    Scene { name: "hair200x20by4", strands: 200, edges: 20, solver: Solver::Sweeps, iterations: 4 },
    direct("direct4000x20", 4000, 20),
    direct("direct800x100", 800, 100),
    direct("direct16x10000", 16, 10_000),
    scene("hair4000x20", 4000, 20),
    scene("hair50000x20", 50_000, 20),
    scene("hair10000x8", 10_000, 8),
    scene("hair5000x16", 5_000, 16),
    scene("hair1600x50", 1_600, 50),
    scene("hair800x100", 800, 100),
    scene("hair400x200", 400, 200),
];

/// Wavy strands of 0.2 m that grow sideways out of a square and bend down.
pub fn groom(scene: &Scene) -> RodsDesc {
    let mut rng = Rng::new(1);
    let vertices = scene.edges + 1;
    let side = f64::from(scene.strands).sqrt().ceil();
    let mut positions = Vec::with_capacity((scene.strands * vertices) as usize);
    for strand in 0..scene.strands {
        let root = [0.2 * (f64::from(strand) % side) / side, 0.0, 0.2 * (f64::from(strand) / side).floor() / side];
        let phase = rng.range(0.0, 6.0);
        let step = 0.2 / f64::from(scene.edges);
        for v in 0..vertices {
            let s = step * f64::from(v);
            let wave = 0.004 * (s / 0.2) * (phase + s * 80.0).sin();
            positions.push([root[0] + 0.3 * s + wave, root[1] - 0.9 * s, root[2] + wave]);
        }
    }
    RodsDesc {
        counts: vec![vertices; scene.strands as usize],
        velocities: positions.iter().map(|p| [0.0, 0.0, -2.0 * p[1]]).collect(),
        positions,
        radii: vec![1e-4],
        stiffness: Stiffness::Physical { young: 4e9, shear: 1.6e9 },
        density: 1300.0,
        root: EndSupport::Clamped,
        damping: 4.0,
        drag: 3.0,
        order: if scene.solver == Solver::Direct { SweepOrder::Direct } else { SweepOrder::Alternating },
        iterations: scene.iterations,
        // They hang still after some seconds, which a fast machine steps within the measurement.
        can_sleep: false,
        ..RodsDesc::default()
    }
}
