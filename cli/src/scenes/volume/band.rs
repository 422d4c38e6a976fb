//! Angles et al. 2019, figure 8: an elastic band of rods side by side, drawn out and twisted, and the skin that goes with them.
//!
//! Springs keep each section of the band in a line, its axes as far apart as their radii are long together: shape matching that knows scales (the
//! paper's section 7.3). A band that is drawn out becomes thinner and, away from its clamps, narrower. The springs are the scene's own, forces that a
//! host sets, so steps are short.

use super::tapers;
use crate::Result;
use crate::accuracy::solid::Solid;
use crate::render::{Material, Mesh, Primitive, Scene};
use crate::scenes::stage::*;
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};
use withy::tasks::Inline;
use withy::world::{EndSupport, Id, Pose, RodsDesc, Stiffness, SweepOrder, World, WorldDesc};

/// The paper's rubber.
const SOLID: Solid = Solid { young: 1e6, nu: 0.49, density: 1000.0, radius: 0.004 };
const RODS: usize = 7;
const EDGES: usize = 40;
const LENGTH: f64 = 0.2;
/// s, a step; N/m, the spring of a vertex: a third of its mass over the square of that.
const STEP: f64 = 1.0 / 4800.0;
const SPRING: f64 = 2000.0;
/// Length over that at rest, and turns of the right clamp.
pub const STATES: [(f64, f64); 4] = [(1.0, 0.0), (1.7, 0.0), (1.3, 0.5), (1.7, 0.5)];

fn aside(rod: usize) -> DVec3 {
    DVec3::new(0.0, 0.0, 2.0 * SOLID.radius * (rod as f64 - 0.5 * (RODS - 1) as f64))
}

/// The band as it is: of each rod and vertex the axis, the frame and the scale.
#[derive(Clone, Debug)]
pub struct Band {
    pub axes: Vec<Vec<DVec3>>,
    frames: Vec<Vec<DQuat>>,
    pub scales: Vec<Vec<f64>>,
    /// Volume of all rods over that at rest.
    pub volume: f64,
}

struct Rods {
    world: World,
    id: Id,
}

impl Rods {
    fn new() -> Result<Rods> {
        let mut world = World::new(WorldDesc { gravity: [0.0; 3], substeps: 1, ..WorldDesc::default() })?;
        let id = world.add_rods(RodsDesc {
            positions: (0..RODS).flat_map(|r| line(aside(r), aside(r) + DVec3::X * LENGTH, EDGES + 1)).collect(),
            counts: vec![EDGES as u32 + 1; RODS],
            radii: vec![SOLID.radius],
            stiffness: Stiffness::Physical { young: SOLID.young, shear: SOLID.shear() },
            poisson_ratio: SOLID.nu,
            density: SOLID.density,
            order: SweepOrder::Direct,
            root: EndSupport::Clamped,
            tip: EndSupport::Clamped,
            drag: 20.0,
            ..RodsDesc::default()
        })?;
        Ok(Rods { world, id })
    }

    fn hold(&mut self, stretch: f64, turns: f64) -> Result<()> {
        let turn = DQuat::from_rotation_x(TAU * turns);
        let pose = |r: usize| {
            let position = turn * aside(r) + DVec3::X * stretch * LENGTH;
            Pose { position: position.to_array(), rotation: turn.to_array() }
        };
        Ok(self.world.rods_mut(self.id)?.set_tip_poses(pose, false)?)
    }

    /// A step with the springs as they are before it.
    fn step(&mut self) -> Result<()> {
        let (mut points, mut radii) = (Vec::new(), Vec::new());
        let rods = self.world.rods(self.id)?;
        rods.read_positions(|_, p| points.push(DVec3::from(p)));
        rods.read_radii(|_, r| radii.push(r));
        let mut forces = vec![DVec3::ZERO; points.len()];
        for v in 0..=EDGES {
            let at = |rod: usize| rod * (EDGES + 1) + v;
            let centre = (0..RODS).map(|r| points[at(r)]).sum::<DVec3>() / RODS as f64;
            // The line through the section, by least squares.
            let along = (0..RODS).map(|r| points[at(r)] * aside(r).z).sum::<DVec3>().normalize_or_zero();
            let mut places = [0.0; RODS];
            for r in 1..RODS {
                places[r] = places[r - 1] + radii[at(r - 1)] + radii[at(r)];
            }
            let middle = places.iter().sum::<f64>() / RODS as f64;
            for (r, place) in places.into_iter().enumerate() {
                forces[at(r)] = (centre + along * (place - middle) - points[at(r)]) * SPRING;
            }
        }
        self.world.rods_mut(self.id)?.set_forces(|i| forces[i].to_array())?;
        Ok(self.world.step(STEP, &Inline)?)
    }

    fn band(&self) -> Result<Band> {
        let (mut points, mut frames, mut radii, mut volumes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let rods = self.world.rods(self.id)?;
        rods.read_positions(|_, p| points.push(DVec3::from(p)));
        rods.read_frames(|_, q| frames.push(DQuat::from_array(q)));
        rods.read_radii(|_, r| radii.push(r / SOLID.radius));
        rods.read_volumes(|_, j| volumes.push(j));
        let at_vertex = |rod: usize, v: usize| {
            let [a, b] = [v.max(1) - 1, v.min(EDGES - 1)].map(|e| frames[rod * EDGES + e]);
            a.lerp(if a.dot(b) < 0.0 { -b } else { b }, 0.5).normalize()
        };
        Ok(Band {
            axes: points.chunks(EDGES + 1).map(<[_]>::to_vec).collect(),
            frames: (0..RODS).map(|r| (0..=EDGES).map(|v| at_vertex(r, v)).collect()).collect(),
            scales: radii.chunks(EDGES + 1).map(<[_]>::to_vec).collect(),
            volume: volumes.iter().sum::<f64>() / volumes.len() as f64,
        })
    }
}

/// The band in each of the states, one after the other: half a second to get there, a quarter held.
pub fn simulate(states: &[(f64, f64)]) -> Result<Vec<Band>> {
    let mut rods = Rods::new()?;
    let (mut all, mut last) = (Vec::new(), (1.0, 0.0));
    for &(stretch, turns) in states {
        for step in 1..=3600 {
            let part = (f64::from(step) / 2400.0).min(1.0);
            rods.hold(last.0 + (stretch - last.0) * part, last.1 + (turns - last.1) * part)?;
            rods.step()?;
        }
        last = (stretch, turns);
        all.push(rods.band()?);
    }
    Ok(all)
}

impl Band {
    /// Distance of the outer axes in the middle of the length, m.
    pub fn width(&self) -> f64 {
        self.axes[0][EDGES / 2].distance(self.axes[RODS - 1][EDGES / 2])
    }
}

/// Points around the band at rest, at a vertex.
fn section() -> Vec<DVec3> {
    let half = RODS as f64 * SOLID.radius;
    let (round, flat) = (8, 28);
    let side = |up: f64| {
        (0..flat)
            .map(move |i| DVec3::new(0.0, up * SOLID.radius, up * (half - SOLID.radius) * (1.0 - 2.0 * i as f64 / flat as f64)))
    };
    let bow = |up: f64| {
        (0..round).map(move |i| {
            let (sin, cos) = (PI * i as f64 / round as f64).sin_cos();
            DVec3::new(0.0, up * SOLID.radius * cos, -up * (half - SOLID.radius + SOLID.radius * sin))
        })
    };
    side(1.0).chain(bow(1.0)).chain(side(-1.0)).chain(bow(-1.0)).collect()
}

/// The skin: each of its points goes with the rods' vertices of its section, by the inverse square of its distance from their surfaces at rest (the
/// paper's section 7.4).
pub fn skin(rest: &Band, now: &Band) -> Mesh {
    let around = section();
    let mut mesh = Mesh { material: Material::plastic([0.80, 0.52, 0.16]), ..Mesh::default() };
    for v in 0..=EDGES {
        for offset in &around {
            let point = DVec3::X * rest.axes[0][v].x + *offset;
            let (mut sum, mut weights) = (DVec3::ZERO, 0.0);
            for rod in 0..RODS {
                let away = point - rest.axes[rod][v];
                let gap = (away.length() - SOLID.radius).max(0.0);
                let weight = 1.0 / (gap * gap + (0.2 * SOLID.radius).powi(2));
                let turned = now.frames[rod][v] * (rest.frames[rod][v].inverse() * away);
                sum += weight * (now.axes[rod][v] + now.scales[rod][v] * turned);
                weights += weight;
            }
            mesh.points.push((sum / weights).as_vec3().to_array());
        }
    }
    let m = around.len();
    for v in 0..EDGES {
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
            half_extents: [0.004, 0.008, (RODS as f64 * SOLID.radius + 0.004) as f32],
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
        for rod in 0..RODS {
            let radii: Vec<f64> = band.scales[rod].iter().map(|s| s * SOLID.radius).collect();
            tapers(&mut scene, &band.axes[rod], &radii, [0.70, 0.24, 0.20]);
        }
        clamps(&mut scene, state.0, state.1);
        figure.shot(caption(state), scene);
        let [middle, outer] = [RODS / 2, 0].map(|r| band.scales[r][EDGES / 2]);
        figure.numbers.push(format!(
            "{}: scale {middle:.4} in the middle, {outer:.4} of the outer rods there, width {:.4} of that at rest, volume {:.4}",
            caption(state),
            band.width() / bands[0].width(),
            band.volume
        ));
    }
    for (state, band) in STATES.into_iter().zip(&bands) {
        let mut scene = Scene { meshes: vec![skin(&bands[0], band)], ..Scene::default() };
        clamps(&mut scene, state.0, state.1);
        figure.shot("", scene);
    }
    Ok(figure)
}
