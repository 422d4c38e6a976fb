//! Both solvers of ghost rods: how far from equilibrium a clamped horizontal strand rests, against the time of a frame.

use super::stage::*;
use crate::Result;
use crate::abi::World;
use crate::render::{Plot, Series};
use glam::DVec3;
use std::time::Instant;
use withy::world::{EndSupport, Integrator, RodsDesc, Stiffness, SweepOrder, WorldDesc};

const LENGTH: f64 = 0.3;
const RADIUS: f64 = 1e-3;
const DENSITY: f64 = 1000.0;
/// Full lanes on every instruction set.
const STRANDS: usize = 16;

/// What is stepped: w L³/EI = `gamma`.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub edges: usize,
    pub gamma: f64,
}

/// Soft: it hangs down. Stiff: its tip sinks by an eighth of its length.
pub const CASES: [Case; 4] = [
    Case { edges: 20, gamma: 10.0 },
    Case { edges: 20, gamma: 1.0 },
    Case { edges: 100, gamma: 10.0 },
    Case { edges: 100, gamma: 1.0 },
];

/// Where a strand rests and the seconds of a frame and strand, the least of a hundred.
pub fn settle(case: Case, order: SweepOrder, substeps: u32, iterations: u32, double: bool) -> Result<(Vec<DVec3>, f64)> {
    let world = World::new(&WorldDesc { substeps, double_precision: double, ..WorldDesc::default() }, 0)?;
    let vertices = case.edges + 1;
    let young = 4.0 * DENSITY * 9.81 * LENGTH.powi(3) / (case.gamma * RADIUS * RADIUS);
    let one = line(DVec3::ZERO, DVec3::X * LENGTH, vertices);
    let rods = world.add_rods(&RodsDesc {
        positions: one.repeat(STRANDS),
        counts: vec![vertices as u32; STRANDS],
        radii: vec![RADIUS],
        stiffness: Stiffness::Physical { young, shear: young / 2.6 },
        density: DENSITY,
        root: EndSupport::Clamped,
        drag: 4.0,
        order,
        // The shape at rest is the same, and it comes to rest sooner.
        integrator: Integrator::First,
        iterations,
        ..RodsDesc::default()
    })?;
    let mut least = f64::MAX;
    for frame in 0..300 {
        let start = Instant::now();
        world.step(FRAME)?;
        if frame >= 200 {
            least = least.min(start.elapsed().as_secs_f64());
        }
    }
    let end = vectors(&rods.positions()?[..vertices]);
    Ok((end, least / STRANDS as f64))
}

/// The largest distance of a vertex from where it belongs, over the length.
pub fn error(points: &[DVec3], exact: &[DVec3]) -> f64 {
    points.iter().zip(exact).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max) / LENGTH
}

/// The statics of the same edges: the direct solver in f64, eight Newton steps a substep.
pub fn statics(case: Case) -> Result<Vec<DVec3>> {
    Ok(settle(case, SweepOrder::Direct, 4, 8, true)?.0)
}

const SWEEPS: [(u32, u32); 7] = [(2, 4), (4, 4), (8, 4), (8, 10), (16, 10), (32, 10), (64, 10)];
const NEWTON: [(u32, u32); 6] = [(1, 1), (2, 1), (4, 1), (8, 1), (16, 1), (32, 1)];

/// The table of `docs/internals/direct.md`: E = 1e8 Pa, and where the tip and the longest edge end.
fn table(figure: &mut Figure) -> Result<()> {
    let gamma = 4.0 * DENSITY * 9.81 * LENGTH.powi(3) / (1e8 * RADIUS * RADIUS);
    for (name, order, substeps, iterations, double) in [
        ("direct", SweepOrder::Direct, 8, 1, false),
        ("direct, f64", SweepOrder::Direct, 1, 1, true),
        ("sweeps", SweepOrder::Alternating, 8, 4, false),
        ("sweeps", SweepOrder::Alternating, 8, 40, false),
        ("sweeps", SweepOrder::Alternating, 400, 4, false),
    ] {
        for edges in [20, 100] {
            let (end, _) = settle(Case { edges, gamma }, order, substeps, iterations, double)?;
            let rest = LENGTH / edges as f64;
            let strain = end.windows(2).map(|p| (p[0].distance(p[1]) / rest - 1.0).abs()).fold(0.0, f64::max);
            let tip = end[edges];
            figure.numbers.push(format!(
                "{edges} edges, Γ {gamma:.2}: {name}, {substeps} × {iterations}: tip ({:.4}, {:.4}) m, strain {strain:.0e}",
                tip.x, tip.y
            ));
        }
    }
    Ok(())
}

pub fn figure() -> Result<Figure> {
    let mut figure = Figure { title: "Solvers", ..Figure::default() };
    for case in CASES {
        let exact = statics(case)?;
        let mut plot = Plot {
            title: format!("{} edges, Γ = {} ({})", case.edges, case.gamma, if case.gamma > 5.0 { "soft" } else { "stiff" }),
            x_label: "µs a strand and 60 Hz frame".into(),
            y_label: "error over length".into(),
            log_x: true,
            log_y: true,
            width: 620,
            height: 440,
            ..Plot::default()
        };
        for (name, order, double, settings) in [
            ("sweeps, f32", SweepOrder::Alternating, false, &SWEEPS[..]),
            ("direct, f32", SweepOrder::Direct, false, &NEWTON[..]),
            ("direct, f64", SweepOrder::Direct, true, &NEWTON[..]),
        ] {
            let mut points = Vec::new();
            for &(substeps, iterations) in settings {
                let (end, seconds) = settle(case, order, substeps, iterations, double)?;
                let error = error(&end, &exact);
                points.push([1e6 * seconds, error]);
                figure.numbers.push(format!(
                    "{} edges, Γ {}: {name}, {substeps} × {iterations}: {:.2} µs, error {error:.1e}",
                    case.edges,
                    case.gamma,
                    1e6 * seconds
                ));
            }
            plot.series.push(Series { name: name.into(), points, markers: true, dashed: false });
        }
        figure.plots.push(plot);
    }
    table(&mut figure)?;
    Ok(figure)
}
