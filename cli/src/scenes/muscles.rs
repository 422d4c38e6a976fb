//! Angles et al. 2019, figures 11 and 12: surfaces of muscles become rods, and the rods become muscles that carry their surface as a skin.
//!
//! The biceps is a mesh of a dissected one (`WITHY_DATA`). The others are made here: a muscle with two heads, of two shells that overlap, and a
//! fan that begins along a line and ends at a point.

use crate::Result;
use crate::render::{Material, Mesh, Primitive, Scene};
use crate::scenes::stage::*;
use glam::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use withy::io::muscle::measure::fit;
use withy::io::muscle::{End, Muscle as Bundle, MuscleDef, rods_from_mesh};
use withy::io::{TriMesh, read_mesh};
use withy::skin::BindOptions;
use withy::tasks::Inline;
use withy::world::{
    BodyDesc, BodyMotion, BodyShape, Id, Muscle, Pose, RodsDesc, ShapeDesc, SkinRead, SkinWeights, Stiffness, World, WorldDesc,
};

const RODS: u32 = 24;
const SLICES: u32 = 24;
const YOUNG: f64 = 60e3;
const RATIO: f64 = 0.499;
/// Length at full activation over that at rest.
const SHORTEST: f64 = 0.7;
/// Tendon is where the section is less than this part of the thickest; so many times as stiff as muscle, and never active.
const TENDON: f64 = 0.16;
const TENDON_STIFFER: f64 = 50.0;
/// How far the insertion goes, in lengths of the muscle.
const STRETCH: f64 = 1.3;
/// How far it is turned about a point beside the muscle, rad.
const BEND: f64 = 1.0;

const FLESH: [f32; 3] = [0.66, 0.22, 0.19];
const SKIN: [f32; 3] = [0.80, 0.66, 0.60];
/// What the surface is when one sees the rods through it.
const VEIL: [f32; 3] = [0.55, 0.78, 0.92];

/// A closed tube around a line, from t = 0 to 1: where it is, its axis across, and the half axes of its section.
fn tube(at: impl Fn(f64) -> DVec3, across: DVec3, half: impl Fn(f64) -> [f64; 2]) -> TriMesh {
    const ALONG: usize = 60;
    const AROUND: usize = 32;
    let mut mesh = TriMesh::default();
    let mut push = |p: DVec3| mesh.points.push(p.as_vec3().to_array());
    for k in 0..=ALONG {
        let t = k as f64 / ALONG as f64;
        let way = (at((t + 1e-3).min(1.0)) - at((t - 1e-3).max(0.0))).normalize();
        let side = (across - way * across.dot(way)).normalize();
        let [a, b] = half(t);
        for step in 0..AROUND {
            let (sin, cos) = (TAU * step as f64 / AROUND as f64).sin_cos();
            push(at(t) + side * (a * cos) + way.cross(side) * (b * sin));
        }
    }
    push(at(0.0));
    push(at(1.0));
    let (first, last) = (((ALONG + 1) * AROUND) as u32, ((ALONG + 1) * AROUND + 1) as u32);
    let v = |k: usize, step: usize| (k * AROUND + step % AROUND) as u32;
    for step in 0..AROUND {
        for k in 0..ALONG {
            let [a, b, c, d] = [v(k, step), v(k, step + 1), v(k + 1, step), v(k + 1, step + 1)];
            mesh.triangles.extend([[a, b, c], [b, d, c]]);
        }
        mesh.triangles.push([first, v(0, step + 1), v(0, step)]);
        mesh.triangles.push([last, v(ALONG, step), v(ALONG, step + 1)]);
    }
    mesh
}

fn joined(a: TriMesh, b: TriMesh) -> TriMesh {
    let shift = a.points.len() as u32;
    let mut all = a;
    all.points.extend(b.points);
    all.triangles.extend(b.triangles.iter().map(|t| t.map(|i| i + shift)));
    all
}

/// Two heads that become one belly: two shells, which overlap from the middle on.
pub fn two_heads() -> (TriMesh, MuscleDef) {
    let smooth = |t: f64| t.clamp(0.0, 1.0).powi(2) * (3.0 - 2.0 * t.clamp(0.0, 1.0));
    let head = |side: f64| {
        let at = move |t: f64| {
            DVec3::new(side * (0.012 - 0.010 * smooth((t - 0.6) / 0.35) + 0.034 * (1.0 - smooth(t / 0.55))), -0.3 * t, 0.0)
        };
        let half = |t: f64| {
            let r = 0.005 + 0.017 * (PI * t.powf(1.1)).sin().max(0.0).powf(1.6);
            [r, 0.9 * r]
        };
        tube(at, DVec3::X, half)
    };
    let def = MuscleDef {
        origin: End::Points(vec![[-0.046, 0.0, 0.0], [0.046, 0.0, 0.0]]),
        insertion: End::Plane { point: [0.0, -0.29, 0.0], normal: [0.0, -1.0, 0.0] },
        rods: RODS,
        slices: SLICES,
    };
    (joined(head(-1.0), head(1.0)), def)
}

/// A fan over a round chest: wide and thin at its origin, round at its insertion. Both ends are painted.
pub fn fan() -> (TriMesh, MuscleDef) {
    // What is wide bends around the chest, about a vertical axis.
    const CHEST: f64 = 0.16;
    let at = |t: f64| {
        let angle = 1.1 * (1.0 - t);
        DVec3::new(-CHEST * angle.sin(), 0.05 * t * t, CHEST * (1.0 - angle.cos()) - 0.02 * t)
    };
    let half = |t: f64| {
        let wide = 0.016 + 0.074 * (1.0 - t).powf(1.4);
        let area = 6.0e-4 * (0.55 + 0.45 * (PI * (0.15 + 0.8 * t)).sin());
        [wide, (area / wide).max(0.005)]
    };
    let mesh = tube(at, DVec3::Y, half);
    let rings = mesh.points.len() as u32 - 2;
    let around = 32;
    let origin = (0..2 * around).chain([rings]).collect();
    let insertion = (rings - 2 * around..rings).chain([rings + 1]).collect();
    (mesh, MuscleDef { origin: End::Vertices(origin), insertion: End::Vertices(insertion), rods: RODS, slices: SLICES })
}

/// A muscle between two bones that a host moves, and its surface, m.
pub struct Model {
    pub world: World,
    pub rods: Id,
    lower: Id,
    skin: Id,
    triangles: Vec<[u32; 3]>,
    /// Middles of the ends.
    ends: [DVec3; 2],
}

impl Model {
    pub fn new(mesh: &TriMesh, bundle: &Bundle, unit: f64) -> Result<Model> {
        let mut world = World::new(WorldDesc { gravity: [0.0; 3], ..WorldDesc::default() })?;
        let scaled = |p: &[f64; 3]| p.map(|x| x * unit);
        let positions: Vec<[f64; 3]> = bundle.points.iter().map(scaled).collect();
        let n = bundle.slices as usize;
        let middle = |v: usize| positions[v..].iter().step_by(n).map(|p| DVec3::from(*p)).sum::<DVec3>() / f64::from(bundle.rods);
        let ends = [middle(0), middle(n - 1)];
        let [upper, lower] = ends.map(|at| {
            world.add_body(&BodyDesc {
                motion: BodyMotion::Kinematic,
                pose: Pose { position: at.to_array(), ..Pose::IDENTITY },
                shapes: vec![ShapeDesc { shape: BodyShape::Sphere { radius: 0.01 }, mask: 0, ..ShapeDesc::default() }],
                ..BodyDesc::default()
            })
        });
        let (upper, lower) = (upper?, lower?);
        let thickest = bundle.radii.iter().copied().fold(0.0, f64::max);
        let tendon: Vec<bool> = bundle.radii.iter().map(|r| r * r < TENDON * thickest * thickest).collect();
        let per_rod = |of: Vec<f64>| of.repeat(bundle.rods as usize);
        let desc = RodsDesc {
            stiffness_scale: per_rod(tendon.iter().map(|t| if *t { TENDON_STIFFER } else { 1.0 }).collect()),
            contractile: per_rod(tendon.windows(2).map(|e| if e[0] || e[1] { 0.0 } else { 1.0 }).collect()),
            positions,
            counts: vec![n as u32; bundle.rods as usize],
            radii: (0..bundle.rods).flat_map(|_| bundle.radii.iter().map(|r| r * unit)).collect(),
            stiffness: Stiffness::Physical { young: YOUNG, shear: YOUNG / (2.0 * (1.0 + RATIO)) },
            poisson_ratio: RATIO,
            density: 1060.0,
            damping: 4.0,
            viscosity: 0.01,
            muscle: Some(Muscle::RestShape { shortest: SHORTEST }),
            strands_per_bundle: bundle.rods,
            bundle_stiffness: 3e4,
            ..RodsDesc::default()
        };
        let rods = world.add_muscle(desc, Some(upper), Some(lower), false)?;
        let points: Vec<[f64; 3]> = mesh.points.iter().map(|p| p.map(|x| f64::from(x) * unit)).collect();
        let surface = withy::skin::Mesh { positions: &points, triangles: &mesh.triangles, ..withy::skin::Mesh::default() };
        let skin = world.add_skin(&surface, &[rods], SkinWeights::Pills(BindOptions::default()))?;
        Ok(Model { world, rods, lower, skin, triangles: mesh.triangles.clone(), ends })
    }

    /// The insertion goes to a pose, and the muscle becomes so active, in 0.7 s; then it rests for as long.
    pub fn pull(&mut self, insertion: DVec3, turn: DQuat, activation: f64) -> Result<()> {
        for frame in 1..=84 {
            let part = (f64::from(frame) / 42.0).min(1.0);
            let position = self.ends[1].lerp(insertion, part).to_array();
            let rotation = DQuat::IDENTITY.slerp(turn, part).to_array();
            self.world.set_body_target(self.lower, Pose { position, rotation })?;
            self.world.rods_mut(self.rods)?.set_activation(|_| activation * part)?;
            self.world.step(FRAME, &Inline)?;
        }
        Ok(())
    }

    /// Drawn out, or bent about a point beside the origin.
    pub fn stretched(&mut self, times: f64, activation: f64) -> Result<()> {
        let [a, b] = self.ends;
        self.pull(a + (b - a) * times, DQuat::IDENTITY, activation)
    }
    pub fn bent(&mut self, angle: f64, activation: f64) -> Result<()> {
        let [a, b] = self.ends;
        let turn = DQuat::from_rotation_z(angle);
        let pivot = a.lerp(b, 0.55);
        self.pull(pivot + turn * (b - pivot), turn, activation)
    }

    pub fn volume(&self) -> Result<f64> {
        Ok(self.world.rods(self.rods)?.volume_ratio())
    }

    fn pills(&self, turn: DQuat, activation: f64) -> Result<Scene> {
        let (mut points, mut radii) = (Vec::new(), Vec::new());
        self.world.rods(self.rods)?.read_positions(|_, p| points.push((turn * DVec3::from(p)).as_vec3().to_array()));
        self.world.rods(self.rods)?.read_radii(|_, r| radii.push(r as f32));
        let mut scene = Scene::default();
        let n = SLICES as usize;
        for (rod, first) in (0..points.len()).step_by(n).enumerate() {
            let shade = 0.65 + 0.7 * ((rod * 7) % 12) as f32 / 12.0;
            let red = 0.14 * activation as f32;
            let color = [FLESH[0] * shade + red, FLESH[1] * shade, FLESH[2] * shade].map(|c| c.min(1.0));
            let material = Material { specular: 0.3, ..Material::plastic(color) };
            for v in first..first + n - 1 {
                let (a, b, radii) = (points[v], points[v + 1], [radii[v], radii[v + 1]]);
                scene.primitives.push(Primitive::Taper { a, b, radii, material });
            }
        }
        Ok(scene)
    }

    fn surface(&self, turn: DQuat, color: [f32; 3]) -> Result<Scene> {
        let mut points = Vec::new();
        self.world.read_skin(self.skin, SkinRead::Positions, &Inline, |_, p| {
            points.push((turn * DVec3::from(p)).as_vec3().to_array());
        })?;
        let mesh = Mesh { points, triangles: self.triangles.clone(), material: Material::matte(color), flat: false };
        Ok(Scene { meshes: vec![mesh], ..Scene::default() })
    }
}

/// The muscle's surface, its rods, and both drawn out, drawn out and active, and bent.
fn figure(title: &'static str, mesh: &TriMesh, def: &MuscleDef, unit: f64, turn: DQuat, size: (u32, u32)) -> Result<Figure> {
    let begun = std::time::Instant::now();
    let bundle = rods_from_mesh(mesh, def)?;
    let seconds = begun.elapsed().as_secs_f64();
    let fit = fit(mesh, &bundle)?;
    let mut figure = Figure {
        title,
        subtitle: format!("{} rods of {} sections, and the surface that they carry", bundle.rods, bundle.slices),
        size,
        columns: 5,
        direction: [0.0, 0.0, -1.0],
        ..Figure::default()
    };
    figure.numbers.push(format!(
        "{} heads, {:.1} cm³, {:.0} mm: covered {:.3}, outside {:.3}, tips {:.2} and {:.2} radii; made in {seconds:.1} s",
        bundle.tips[0].len(),
        bundle.volume * (unit * 100.0).powi(3),
        1e3 * unit * bundle.length,
        fit.covered,
        fit.outside,
        fit.tips[0],
        fit.tips[1]
    ));
    let rest = Model::new(mesh, &bundle, unit)?;
    figure.shot("its surface", rest.surface(turn, SKIN)?);
    type Pull = fn(&mut Model) -> Result<()>;
    let cases: [(&str, f64, Pull); 4] = [
        ("24 rods", 0.0, |_| Ok(())),
        ("1.3 of its length", 0.0, |m| m.stretched(STRETCH, 0.0)),
        ("the same, active", 1.0, |m| m.stretched(STRETCH, 1.0)),
        ("bent and active", 1.0, |m| m.bent(BEND, 1.0)),
    ];
    for (caption, activation, pull) in cases {
        let mut model = Model::new(mesh, &bundle, unit)?;
        pull(&mut model)?;
        let state = model.world.rods(model.rods)?.muscle_state();
        figure.numbers.push(format!(
            "{caption}: {:.0} mm, {:.1} N, volume {:+.3} %",
            1e3 * state.length,
            state.force,
            100.0 * (model.volume()? - 1.0)
        ));
        let (scene, veil) = (model.pills(turn, activation)?, Some(model.surface(turn, VEIL)?));
        figure.shots.push(Shot { caption: caption.into(), scene, veil, ..Shot::default() });
    }
    Ok(figure)
}

/// Turns the line between the ends so that the muscle hangs from its origin.
pub fn biceps() -> Result<Figure> {
    let folder = std::env::var_os("WITHY_DATA").ok_or("set WITHY_DATA to the folder of the muscles (docs/scenes.md)")?;
    let mesh = read_mesh(std::path::Path::new(&folder).join("muscle/biceps_full.stl"))?;
    let def = MuscleDef { rods: RODS, slices: SLICES, ..MuscleDef::default() };
    // The file has its origin at the top of z.
    let turn = DQuat::from_rotation_x(-FRAC_PI_2);
    figure("A biceps", &mesh, &def, 1e-3, turn, (240, 520))
}

pub fn heads() -> Result<Figure> {
    let (mesh, def) = two_heads();
    figure("A muscle with two heads", &mesh, &def, 1.0, DQuat::IDENTITY, (240, 480))
}

pub fn pectoral() -> Result<Figure> {
    let (mesh, def) = fan();
    figure("A muscle like a fan", &mesh, &def, 1.0, DQuat::from_rotation_y(0.35), (300, 300))
}
