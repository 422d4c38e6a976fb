//! Umetani 2014, appendix figure 3: three ways to pull on ghost points, on a rod that hangs and on one that falls.
//!
//! Full gravity on the ghost points bends a hanging rod to their side, none spins a falling one, the paper's share does neither.

use super::paper::Stage;
use super::stage::*;
use crate::Result;
use crate::render::{CurveSet, CurveStyle, Radii, Scene};
use glam::DVec3;
use withy::world::{EndSupport, GhostGravity, Id, RodsDesc, Stiffness, SweepOrder, WorldDesc};

const LENGTH: f64 = 0.5;
const RADIUS: f64 = 0.004;
const VERTICES: usize = 26;
const APART: f64 = 0.25;

pub const METHODS: [(GhostGravity, &str); 3] =
    [(GhostGravity::Full, "full"), (GhostGravity::None, "none"), (GhostGravity::Shared, "shared")];

/// Sideways way of the hanging rod's tip over its length; turning of the falling rod's middle line, rad.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub hanging: f64,
    pub falling: f64,
}

struct Pair {
    hanging: Id,
    falling: Id,
}

/// Hangs for `seconds`; falls for its last half second.
pub fn simulate(seconds: f64, mut see: impl FnMut(f64, &[[Vec<[f64; 3]>; 2]]) -> Result<()>) -> Result<[State; 3]> {
    let mut stage = Stage::new(WorldDesc { substeps: 100, iterations: 1, ..WorldDesc::default() })?;
    let mut pairs = Vec::new();
    for (k, (method, _)) in METHODS.into_iter().enumerate() {
        let desc = |x: f64, root| RodsDesc {
            positions: line(DVec3::new(x, 0.0, 0.0), DVec3::new(x, -LENGTH, 0.0), VERTICES),
            counts: vec![VERTICES as u32],
            radii: vec![RADIUS],
            section_axes: vec![[1.0, 0.0, 0.0]],
            stiffness: Stiffness::Physical { young: 4e5, shear: 1.6e5 },
            ghost_gravity: method,
            order: SweepOrder::Alternating,
            damping: if root == EndSupport::Free { 0.0 } else { 4.0 },
            root,
            ..RodsDesc::default()
        };
        let x = APART * k as f64;
        let hanging = stage.add_rods(desc(x, EndSupport::Clamped))?;
        pairs.push(Pair { hanging, falling: stage.add_rods(desc(x + 3.5 * APART, EndSupport::Free))? });
    }
    let both = |stage: &Stage| -> Result<Vec<[Vec<[f64; 3]>; 2]>> {
        pairs.iter().map(|p| Ok([stage.positions(p.hanging)?, stage.positions(p.falling)?])).collect()
    };
    see(0.0, &both(&stage)?)?;
    for frame in 1..=(seconds / FRAME).round() as u32 {
        stage.frame()?;
        see(f64::from(frame) * FRAME, &both(&stage)?)?;
    }
    let last = both(&stage)?;
    let state = |[hanging, falling]: &[Vec<[f64; 3]>; 2]| {
        let down = DVec3::from(falling[VERTICES - 1]) - DVec3::from(falling[0]);
        State { hanging: (hanging[VERTICES - 1][0] - hanging[0][0]).abs() / LENGTH, falling: down.x.hypot(down.z).atan2(-down.y) }
    };
    Ok([state(&last[0]), state(&last[1]), state(&last[2])])
}

pub fn figure() -> Result<Figure> {
    const SHOTS: [f64; 3] = [0.0, 0.25, 0.5];
    let mut figure = Figure {
        title: "Gravity on ghost points",
        subtitle: "each time, hanging left and falling right: full, none, shared".into(),
        size: (300, 360),
        direction: [0.0, 0.0, -1.0],
        ..Figure::default()
    };
    let colors = [[0.75, 0.30, 0.18], [0.80, 0.60, 0.20], [0.16, 0.40, 0.62]];
    let mut next = 0;
    let states = simulate(0.51, |t, rods| {
        if next < SHOTS.len() && t >= SHOTS[next] - 1e-6 {
            next += 1;
            let curves = rods.iter().zip(colors).map(|(pair, color)| CurveSet {
                points: pair.iter().flatten().map(|p| p.map(|c| c as f32)).collect(),
                counts: vec![VERTICES as u32; 2],
                radii: Radii::Uniform(2.0 * RADIUS as f32),
                style: CurveStyle::Tube,
                material: crate::render::Material::plastic(color),
                smooth: true,
                ..CurveSet::default()
            });
            figure.shot(format!("{t:.2} s"), Scene { curves: curves.collect(), ..Scene::default() });
        }
        Ok(())
    })?;
    for ((_, name), s) in METHODS.iter().zip(states) {
        let State { hanging, falling } = s;
        figure
            .numbers
            .push(format!("{name}: hanging tip {hanging:.2e} of the length aside, falling rod tilted by {falling:.2e} rad"));
    }
    Ok(figure)
}
