//! Umetani 2014, section 5.3: a tree of rods. A gust bends it, and it comes back to the shape that it grew in.
//!
//! The trunk is clamped in the ground; each branching is one junction of a tip with the roots of three thinner branches.

use super::measure::distance;
use super::stage::*;
use crate::Result;
use crate::abi::{Rods, World, join};
use crate::render::{Radii, Scene};
use glam::{DQuat, DVec3};
use withy::world::{EndSupport, RodsDesc, Stiffness, SweepOrder, WorldDesc};

const EDGES: usize = 8;
const LEVELS: usize = 4;
const CHILDREN: usize = 3;
const TRUNK: f64 = 0.5;
const RADIUS: f64 = 0.016;

#[derive(Clone, Copy)]
struct Branch {
    root: DVec3,
    direction: DVec3,
    /// In the level below.
    parent: usize,
}

/// Branches level by level.
fn grow() -> Vec<Vec<Branch>> {
    let mut levels = vec![vec![Branch { root: DVec3::ZERO, direction: DVec3::Y, parent: 0 }]];
    for level in 1..LEVELS {
        let mut next = Vec::new();
        for (parent, branch) in levels[level - 1].iter().enumerate() {
            let side = branch.direction.any_orthonormal_vector();
            for child in 0..CHILDREN {
                let around =
                    std::f64::consts::TAU * (child as f64 / CHILDREN as f64 + 0.19 * level as f64 + 0.07 * parent as f64);
                let across = DQuat::from_axis_angle(branch.direction, around) * side;
                let direction = (branch.direction + 0.62 * across + 0.1 * DVec3::Y).normalize();
                next.push(Branch { root: branch.root + branch.direction * length(level - 1), direction, parent });
            }
        }
        levels.push(next);
    }
    levels
}

fn length(level: usize) -> f64 {
    TRUNK * 0.72f64.powi(level as i32)
}

fn radius(level: usize) -> f64 {
    RADIUS * 0.66f64.powi(level as i32)
}

pub struct Tree {
    pub world: World,
    /// One set of rods a level.
    pub levels: Vec<(Rods, usize)>,
}

pub fn plant() -> Result<Tree> {
    let world = World::new(&WorldDesc { substeps: 60, iterations: 3, gravity: [0.0; 3], ..WorldDesc::default() }, 0)?;
    let grown = grow();
    let mut levels = Vec::new();
    for (level, branches) in grown.iter().enumerate() {
        let positions = branches.iter().flat_map(|b| line(b.root, b.root + b.direction * length(level), EDGES + 1)).collect();
        let rods = world.add_rods(&RodsDesc {
            positions,
            counts: vec![EDGES as u32 + 1; branches.len()],
            radii: vec![radius(level)],
            stiffness: Stiffness::Physical { young: 3e7, shear: 1.2e7 },
            density: 600.0,
            root: if level == 0 { EndSupport::Clamped } else { EndSupport::Free },
            damping: 3.0,
            drag: 0.3,
            order: SweepOrder::Alternating,
            ..RodsDesc::default()
        })?;
        levels.push((rods, branches.len()));
    }
    for level in 1..grown.len() {
        for parent in 0..grown[level - 1].len() {
            let mut ends = vec![levels[level - 1].0.end(parent as u32, true)];
            let children = grown[level].iter().enumerate().filter(|(_, b)| b.parent == parent);
            ends.extend(children.map(|(k, _)| levels[level].0.end(k as u32, false)));
            let edge = length(level) / EDGES as f64;
            join(&ends, edge, 600.0 * std::f64::consts::PI * radius(level).powi(2) * edge * 2.0)?;
        }
    }
    Ok(Tree { world, levels })
}

impl Tree {
    pub fn points(&self) -> Result<Vec<DVec3>> {
        let mut points = Vec::new();
        for (rods, _) in &self.levels {
            points.extend(vectors(&rods.positions()?));
        }
        Ok(points)
    }

    /// A gust from the left in the first second and a half, which takes hold of thin branches more; then calm air.
    pub fn step(&self, seconds: f64) -> Result<()> {
        let blows = if seconds < 1.5 { (seconds / 0.5).min(1.0) } else { 0.0 };
        for (level, (rods, _)) in self.levels.iter().enumerate() {
            let drag = if blows > 0.0 { 0.6 * (RADIUS / radius(level)) } else { 1.2 };
            rods.set_motion(3.0, drag, [6.0 * blows, 0.0, 1.5 * blows], 0.5)?;
        }
        Ok(self.world.step(FRAME)?)
    }

    fn picture(&self) -> Result<Scene> {
        let mut scene = Scene::default();
        for (level, (rods, branches)) in self.levels.iter().enumerate() {
            let color = [0.36 - 0.03 * level as f32, 0.26 + 0.06 * level as f32, 0.18];
            let mut set = curves(*rods, &vec![EDGES as u32 + 1; *branches], Look::plain(radius(level), color))?;
            set.radii = Radii::Tapered { root: radius(level) as f32, tip: radius(level + 1) as f32 };
            scene.curves.push(set);
        }
        scene.primitives.push(floor(0.0, 0.25));
        Ok(scene)
    }
}

/// The tree's distance from its start over its height-like length, largest on the way and at the end.
pub fn simulate(seconds: f64, mut see: impl FnMut(f64, &Tree) -> Result<()>) -> Result<[f64; 2]> {
    let tree = plant()?;
    let start = tree.points()?;
    let apart = |points: &[DVec3]| distance(points, &start) * start.windows(2).map(|p| p[0].distance(p[1])).sum::<f64>() / TRUNK;
    let (mut largest, mut last) = (0.0f64, 0.0);
    see(0.0, &tree)?;
    for frame in 1..=(seconds / FRAME).round() as u32 {
        let now = f64::from(frame) * FRAME;
        tree.step(now)?;
        last = apart(&tree.points()?);
        largest = largest.max(last);
        see(now, &tree)?;
    }
    Ok([largest, last])
}

pub fn figure() -> Result<Figure> {
    const SHOTS: [f64; 4] = [0.0, 1.0, 1.75, 10.0];
    let total = (0..LEVELS).map(|l| CHILDREN.pow(l as u32)).sum::<usize>();
    let mut figure = Figure {
        title: "Tree",
        subtitle: format!("{total} branches, {} junctions, a gust", total - CHILDREN.pow(LEVELS as u32 - 1)),
        size: (300, 300),
        columns: 4,
        direction: [-0.2, -0.12, -1.0],
        ..Figure::default()
    };
    let mut next = 0;
    let [largest, last] = simulate(10.02, |t, tree| {
        if next < SHOTS.len() && t >= SHOTS[next] - 1e-6 {
            next += 1;
            figure.shot(format!("{t:.2} s"), tree.picture()?);
        }
        Ok(())
    })?;
    figure.numbers = vec![format!("rms way from the start over the trunk: {largest:.3} in the gust, {last:.4} in the end")];
    Ok(figure)
}
