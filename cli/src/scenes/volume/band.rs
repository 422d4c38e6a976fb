//! Angles et al. 2019, figure 8: an elastic band, drawn out and twisted, and the skin that goes with it.
//!
//! The band is a lattice: rods along it, and rods across that keep those apart. Small rigid bodies join their ends. What is drawn out becomes thinner
//! but not narrower: nothing tells the rods across of it.

use super::tapers;
use crate::Result;
use crate::accuracy::solid::Solid;
use crate::render::{Material, Mesh, Primitive, Scene};
use crate::scenes::stage::*;
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};
use withy::tasks::Inline;
use withy::world::{EndSupport, Id, Pose, RodsDesc, Stiffness, StrandEnd, World, WorldDesc};

/// The paper's rubber.
const SOLID: Solid = Solid { young: 1e6, nu: 0.49, density: 1000.0, radius: 0.004 };
/// Rods along the band, and cells along each; edges of a cell's side.
const ROWS: usize = 6;
const CELLS: usize = 20;
const EDGES: usize = 2;
const CELL: f64 = 0.01;
const LENGTH: f64 = CELL * CELLS as f64;
/// Length over that at rest, and turns of the right clamp.
pub const STATES: [(f64, f64); 4] = [(1.0, 0.0), (1.7, 0.0), (1.2, 0.5), (1.5, 1.0)];

fn crossing(row: usize, column: usize) -> DVec3 {
    DVec3::new(CELL * column as f64, 0.0, CELL * (row as f64 - 0.5 * (ROWS - 1) as f64))
}

/// A vertex of the band: where it is, how its section is turned, its radius over that at rest.
#[derive(Clone, Copy, Debug)]
struct Section {
    at: DVec3,
    turn: DQuat,
    scale: f64,
}

/// The band as it is. Strands of EDGES + 1 sections.
#[derive(Clone, Debug)]
pub struct Band {
    strands: Vec<Vec<Section>>,
    /// Whether a strand runs along the band.
    along: Vec<bool>,
    /// Volume of all that runs along over that at rest.
    pub volume: f64,
    /// The largest gap at a crossing, m.
    pub gap: f64,
}

impl Band {
    fn of_those_along(&self) -> impl Iterator<Item = &Section> {
        self.strands.iter().zip(&self.along).filter(|s| *s.1).flat_map(|s| s.0)
    }
    /// The least and the largest scale of what runs along.
    pub fn scales(&self) -> [f64; 2] {
        self.of_those_along().fold([f64::MAX, 0.0], |[least, most], s| [least.min(s.scale), most.max(s.scale)])
    }
    /// Distance of both edges in the middle of the length, m.
    pub fn width(&self) -> f64 {
        let edge = |row: usize| self.strands[row * CELLS + CELLS / 2][0].at;
        edge(0).distance(edge(ROWS - 1))
    }
}

struct Lattice {
    world: World,
    /// Strands whose roots are clamped, whose tips are, and all others.
    sets: [Id; 3],
    /// Set and index in it of each strand: those along, row by row, then those across.
    places: Vec<(usize, usize)>,
    /// Strands and ends that meet at a crossing.
    crossings: Vec<Vec<(usize, bool)>>,
}

impl Lattice {
    fn new() -> Result<Lattice> {
        let mut world = World::new(WorldDesc { gravity: [0.0; 3], substeps: 8, iterations: 2, ..WorldDesc::default() })?;
        let along = (0..ROWS).flat_map(|r| (0..CELLS).map(move |c| [(r, c), (r, c + 1)]));
        let across = (0..ROWS - 1).flat_map(|r| (1..CELLS).map(move |c| [(r, c), (r + 1, c)]));
        let mut positions = [Vec::new(), Vec::new(), Vec::new()];
        let mut places = Vec::new();
        let mut crossings = vec![Vec::new(); ROWS * (CELLS + 1)];
        for (strand, [a, b]) in along.chain(across).enumerate() {
            let set = if a.1 == 0 {
                0
            } else if b.1 == CELLS {
                1
            } else {
                2
            };
            places.push((set, positions[set].len() / (EDGES + 1)));
            positions[set].extend(line(crossing(a.0, a.1), crossing(b.0, b.1), EDGES + 1));
            for (end, tip) in [(a, false), (b, true)] {
                if (1..CELLS).contains(&end.1) {
                    crossings[end.0 * (CELLS + 1) + end.1].push((strand, tip));
                }
            }
        }
        crossings.retain(|c| !c.is_empty());
        let mut sets = Vec::new();
        for (set, positions) in positions.into_iter().enumerate() {
            let held = |this: usize| if set == this { EndSupport::Clamped } else { EndSupport::Free };
            sets.push(world.add_rods(RodsDesc {
                counts: vec![EDGES as u32 + 1; positions.len() / (EDGES + 1)],
                positions,
                radii: vec![SOLID.radius],
                stiffness: Stiffness::Physical { young: SOLID.young, shear: SOLID.shear() },
                poisson_ratio: SOLID.nu,
                density: SOLID.density,
                root: held(0),
                tip: held(1),
                drag: 4.0,
                damping: 2.0,
                ..RodsDesc::default()
            })?);
        }
        let sets = [sets[0], sets[1], sets[2]];
        for here in &crossings {
            let end = |&(strand, tip): &(usize, bool)| {
                let (set, index) = places[strand];
                (sets[set], StrandEnd { strand: index as u32, tip })
            };
            world.add_junction(&here.iter().map(end).collect::<Vec<_>>(), 0.0, 0.0)?;
        }
        Ok(Lattice { world, sets, places, crossings })
    }

    fn hold(&mut self, stretch: f64, turns: f64) -> Result<()> {
        let turn = DQuat::from_rotation_x(TAU * turns);
        let pose = |row: usize| {
            let aside = crossing(row, 0);
            let position = turn * aside + DVec3::X * stretch * LENGTH;
            Pose { position: position.to_array(), rotation: turn.to_array() }
        };
        Ok(self.world.rods_mut(self.sets[1])?.set_tip_poses(pose, false)?)
    }

    fn band(&self) -> Result<Band> {
        let mut sets = Vec::new();
        for id in self.sets {
            let (mut points, mut frames, mut radii, mut volumes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            let rods = self.world.rods(id)?;
            rods.read_positions(|_, p| points.push(DVec3::from(p)));
            rods.read_frames(|_, q| frames.push(DQuat::from_array(q)));
            rods.read_radii(|_, r| radii.push(r / SOLID.radius));
            rods.read_volumes(|_, j| volumes.push(j));
            sets.push((points, frames, radii, volumes));
        }
        let (mut strands, mut volume) = (Vec::new(), 0.0);
        let count = ROWS * CELLS;
        for (k, &(set, index)) in self.places.iter().enumerate() {
            let (points, frames, radii, volumes) = &sets[set];
            let section = |v: usize| {
                let [a, b] = [v.max(1) - 1, v.min(EDGES - 1)].map(|e| frames[index * EDGES + e]);
                let turn = a.lerp(if a.dot(b) < 0.0 { -b } else { b }, 0.5).normalize();
                let at = index * (EDGES + 1) + v;
                Section { at: points[at], turn, scale: radii[at] }
            };
            strands.push((0..=EDGES).map(section).collect::<Vec<_>>());
            if k < count {
                volume += volumes[index * EDGES..][..EDGES].iter().sum::<f64>() / (count * EDGES) as f64;
            }
        }
        let at = |&(strand, tip): &(usize, bool)| strands[strand][if tip { EDGES } else { 0 }].at;
        let spread = |all: &Vec<(usize, bool)>| all.iter().map(|e| at(e).distance(at(&all[0]))).fold(0.0, f64::max);
        let gap = self.crossings.iter().map(spread).fold(0.0, f64::max);
        let along = (0..strands.len()).map(|k| k < count).collect();
        Ok(Band { strands, along, volume, gap })
    }
}

/// The band in each of the states, one after the other: a second to get there, one held.
pub fn simulate(states: &[(f64, f64)]) -> Result<Vec<Band>> {
    let mut lattice = Lattice::new()?;
    let (mut all, mut last) = (Vec::new(), (1.0, 0.0));
    for &(stretch, turns) in states {
        for frame in 1..=120 {
            let part = (f64::from(frame) / 60.0).min(1.0);
            lattice.hold(last.0 + (stretch - last.0) * part, last.1 + (turns - last.1) * part)?;
            lattice.world.step(FRAME, &Inline)?;
        }
        last = (stretch, turns);
        all.push(lattice.band()?);
    }
    Ok(all)
}

/// Points around the band at rest.
fn around() -> Vec<DVec3> {
    let half = 0.5 * CELL * (ROWS - 1) as f64;
    let (round, flat) = (8, 5 * (ROWS - 1));
    let side = |up: f64| {
        (0..flat).map(move |i| DVec3::new(0.0, up * SOLID.radius, up * half * (1.0 - 2.0 * i as f64 / flat as f64)))
    };
    let bow = |up: f64| {
        (0..round).map(move |i| {
            let (sin, cos) = (PI * i as f64 / round as f64).sin_cos();
            DVec3::new(0.0, up * SOLID.radius * cos, -up * (half + SOLID.radius * sin))
        })
    };
    side(1.0).chain(bow(1.0)).chain(side(-1.0)).chain(bow(-1.0)).collect()
}

/// Anchors of a point of the skin.
const ANCHORS: usize = 4;

/// The skin: each of its points goes with the nearest sections, by the inverse square of its distance from their surfaces at rest (the paper's
/// section 7.4).
pub fn skin(rest: &Band, now: &Band) -> Mesh {
    let around = around();
    let mut mesh = Mesh { material: Material::plastic([0.80, 0.52, 0.16]), ..Mesh::default() };
    let sections = |band: &Band| band.strands.iter().flatten().copied().collect::<Vec<_>>();
    let (before, after) = (sections(rest), sections(now));
    for v in 0..=CELLS * EDGES {
        for offset in &around {
            let point = DVec3::X * (LENGTH * v as f64 / (CELLS * EDGES) as f64) + *offset;
            let gap = |s: &Section| (point.distance(s.at) - SOLID.radius).max(0.0);
            let mut nearest: Vec<(f64, usize)> = before.iter().map(gap).enumerate().map(|(i, g)| (g, i)).collect();
            nearest.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            let (mut sum, mut weights) = (DVec3::ZERO, 0.0);
            for &(gap, i) in &nearest[..ANCHORS] {
                let weight = 1.0 / (gap * gap + (0.3 * SOLID.radius).powi(2));
                let turned = after[i].turn * (before[i].turn.inverse() * (point - before[i].at));
                sum += weight * (after[i].at + after[i].scale * turned);
                weights += weight;
            }
            mesh.points.push((sum / weights).as_vec3().to_array());
        }
    }
    let m = around.len();
    for v in 0..CELLS * EDGES {
        for n in 0..m {
            let next = (n + 1) % m;
            let [a, b, c, d] = [v * m + n, v * m + next, (v + 1) * m + n, (v + 1) * m + next].map(|i| i as u32);
            mesh.triangles.extend([[a, d, b], [a, c, d]]);
        }
    }
    mesh
}

fn clamps(scene: &mut Scene, stretch: f64, turns: f64) {
    for (x, turn) in [(-0.004, 0.0), (stretch * LENGTH + 0.004, turns)] {
        scene.primitives.push(Primitive::Cuboid {
            center: [x as f32, 0.0, 0.0],
            half_extents: [0.004, 0.008, (0.5 * CELL * ROWS as f64 + 0.004) as f32],
            rotation: DQuat::from_rotation_x(TAU * turn).as_quat().to_array(),
            material: Material::matte([0.42, 0.45, 0.50]),
        });
    }
}

pub fn figure() -> Result<Figure> {
    let mut figure = Figure {
        title: "An elastic band",
        subtitle: "E 1 MPa, ν 0.49: above the rods, below their skin".into(),
        size: (330, 230),
        columns: STATES.len() as u32,
        direction: [-0.25, -0.9, -0.35],
        ..Figure::default()
    };
    let bands = simulate(&STATES)?;
    let caption = |(stretch, turns): (f64, f64)| format!("{stretch} of its length, {}°", 360.0 * turns);
    for (state, band) in STATES.into_iter().zip(&bands) {
        let mut scene = Scene::default();
        for (strand, along) in band.strands.iter().zip(&band.along) {
            let points: Vec<DVec3> = strand.iter().map(|s| s.at).collect();
            let radii: Vec<f64> = strand.iter().map(|s| s.scale * SOLID.radius).collect();
            tapers(&mut scene, &points, &radii, if *along { [0.70, 0.24, 0.20] } else { [0.30, 0.42, 0.60] });
        }
        clamps(&mut scene, state.0, state.1);
        figure.shot(caption(state), scene);
        let [least, most] = band.scales();
        figure.numbers.push(format!(
            "{}: scales along it {least:.4} to {most:.4}, volume {:.4}, width {:.2} of that at rest, crossings open by {:.1e} m",
            caption(state),
            band.volume,
            band.width() / bands[0].width(),
            band.gap
        ));
    }
    for (state, band) in STATES.into_iter().zip(&bands) {
        let mut scene = Scene { meshes: vec![skin(&bands[0], band)], ..Scene::default() };
        clamps(&mut scene, state.0, state.1);
        figure.shot("", scene);
    }
    Ok(figure)
}
