//! OpenSim's example of an arm: its bones and joints from the file, its six muscles as rods with Hill's force. The flexors lift the forearm.

use super::bodies::{FRAME, draw};
use crate::Result;
use crate::render::{Material, Plot, Primitive, Scene, Series};
use crate::scenes::stage::{Figure, Film};
use glam::{DQuat, DVec3};
use withy::io::opensim::{Freedom, Line, Model, WrapShape, read_osim};
use withy::math::Vec3;
use withy::world::*;

/// Where the edges of rods are this long, m.
const SPACING: f64 = 0.01;
/// Of tendons and bellies, m; a belly is as thick as its force, at this stress, Pa. (The real ones are thicker, and flatter.)
const TENDON: f64 = 0.003;
const STRESS: f64 = 2e6;
/// Young's modulus of a belly that is not active, Pa; EA of a tendon over the peak force, of flexors and extensors: what goes round the elbow would be a spring.
const YOUNG: f64 = 20e3;
const TENDONS: [f64; 2] = [2.0, 0.2];
/// A rod is that many times as long as its fibres, or more: what of a path is on bones that do not move has one length.
const LONGER: f64 = 1.3;
/// The flexors' activation goes up to this in this time, s, and down again.
const ACTIVATION: f64 = 0.15;
const RAMP: f64 = 0.5;
const UP: f64 = 0.5;
const DOWN: f64 = 4.0;
const END: f64 = 6.0;

struct Strand {
    name: String,
    flexor: bool,
    rods: Id,
    /// Edges of the belly.
    belly: core::ops::Range<usize>,
}

struct Arm {
    world: World,
    bones: [Id; 2],
    elbow: Id,
    strands: Vec<Strand>,
}

fn pose(t: withy::math::Transform<f64>) -> Pose {
    Pose { position: t.position.to_array(), rotation: t.rotation.to_array() }
}

/// The rotation that takes z to a unit vector.
fn z_to(axis: Vec3<f64>) -> DQuat {
    DQuat::from_rotation_arc(DVec3::Z, DVec3::from(axis.to_array()).normalize())
}

/// A capsule between two points of a body, which touches nothing.
fn bone(a: DVec3, b: DVec3, radius: f64) -> ShapeDesc {
    let turn = DQuat::from_rotation_arc(DVec3::Y, (b - a).normalize());
    ShapeDesc {
        shape: BodyShape::Capsule { half_height: 0.5 * (b - a).length(), radius },
        pose: Pose { position: (0.5 * (a + b)).to_array(), rotation: turn.to_array() },
        category: 2,
        mask: 0,
        ..ShapeDesc::default()
    }
}

impl Arm {
    fn new(model: &Model) -> Result<Arm> {
        let missing = |what: &str| format!("the file has no {what}");
        let body = |name: &str| model.body(name).ok_or_else(|| missing(name));
        let [upper, lower] = [body("r_humerus")?, body("r_ulna_radius_hand")?];
        let joint = model.joints.iter().find(|j| j.child == lower).ok_or_else(|| missing("elbow"))?;
        let coordinate = joint.coordinates.first().ok_or_else(|| missing("coordinate of the elbow"))?;
        let Freedom::Turns(axis) = coordinate.freedom else { return Err(missing("hinge at the elbow").into()) };

        let mut world = World::new(WorldDesc { substeps: 16, ..WorldDesc::default() })?;
        let elbow = DVec3::from(joint.on_parent.position.to_array());
        let mut shapes = vec![bone(DVec3::ZERO, elbow, 0.011)];
        // The cylinder that the triceps goes around, and the head of the humerus.
        for wrap in &model.bodies[upper as usize].wraps {
            let (shape, along) = match wrap.shape {
                WrapShape::Cylinder { radius, length } => (BodyShape::Capsule { half_height: 0.5 * length, radius }, true),
                WrapShape::Ellipsoid { radii } => (BodyShape::Sphere { radius: radii[1].min(radii[2]) }, false),
                _ => continue,
            };
            // Its axis is z, a capsule's y.
            let turn = DQuat::from_array(wrap.pose.rotation.to_array()) * DQuat::from_rotation_arc(DVec3::Y, DVec3::Z);
            let mask = if along { 1 } else { 0 };
            let pose = Pose { position: wrap.pose.position.to_array(), rotation: turn.to_array() };
            shapes.push(ShapeDesc { shape, pose, friction: 0.0, category: 2, mask, ..ShapeDesc::default() });
        }
        let humerus = world.add_body(&BodyDesc {
            motion: BodyMotion::Kinematic,
            pose: pose(model.bodies[upper as usize].pose),
            shapes,
            ..BodyDesc::default()
        })?;
        let of = &model.bodies[lower as usize];
        let forearm = world.add_body(&BodyDesc {
            pose: pose(of.pose),
            shapes: vec![
                bone(DVec3::ZERO, DVec3::new(0.0, -0.24, 0.02), 0.010),
                bone(DVec3::new(0.0, -0.26, 0.02), DVec3::new(0.0, -0.36, 0.02), 0.018),
            ],
            mass: of.mass,
            inertia: Some((of.mass_center.to_array(), of.inertia)),
            // What joints and skin take.
            angular_damping: 2.0,
            can_sleep: false,
            ..BodyDesc::default()
        })?;
        let turn = z_to(axis);
        let frame = |at: withy::math::Transform<f64>| Pose {
            position: at.position.to_array(),
            rotation: (DQuat::from_array(at.rotation.to_array()) * turn).to_array(),
        };
        let elbow = world.add_joint(&JointDesc {
            a: Some(humerus),
            b: forearm,
            frame_a: frame(joint.on_parent),
            frame_b: frame(joint.on_child),
            kind: JointKind::Hinge { limits: coordinate.range },
            motor: None,
            collide: false,
        })?;
        let mut arm = Arm { world, bones: [humerus, forearm], elbow, strands: Vec::new() };
        for index in 0..model.muscles.len() {
            arm.add(model, index, upper, lower)?;
        }
        Ok(arm)
    }

    fn add(&mut self, model: &Model, index: usize, upper: u32, lower: u32) -> Result<()> {
        let muscle = &model.muscles[index];
        let whole = model.line(index, SPACING)?;
        // Fibres at the default pose, where tendons have their slack length.
        let fibres = (whole.length() - muscle.tendon_slack_length).max(0.5 * muscle.optimal_fiber_length);
        let line = end_of(&whole, LONGER * fibres);
        let line = around(model, upper, line);
        let n = line.points.len();
        let length = line.length();
        let belly = [0.5 * (length - fibres), 0.5 * (length + fibres)];
        let flexor = !muscle.name.starts_with("TRI");
        let thick = (muscle.max_isometric_force / STRESS / core::f64::consts::PI).sqrt();
        let stiff = TENDONS[usize::from(!flexor)] * muscle.max_isometric_force;
        let area = core::f64::consts::PI * TENDON * TENDON;
        let (mut arc, mut radii, mut scales, mut inside) = (0.0, Vec::new(), Vec::new(), Vec::new());
        for (i, &p) in line.points.iter().enumerate() {
            // A spindle.
            let t = ((arc - belly[0]) / (belly[1] - belly[0])).clamp(0.0, 1.0);
            radii.push(TENDON.max(thick * (4.0 * t * (1.0 - t)).powf(0.4)));
            scales.push(if t > 0.0 && t < 1.0 { 1.0 } else { stiff / (YOUNG * area) });
            if let Some(&q) = line.points.get(i + 1) {
                let edge = (DVec3::from(q) - DVec3::from(p)).length();
                let middle = arc + 0.5 * edge;
                if (belly[0]..belly[1]).contains(&middle) {
                    inside.push((i, edge));
                }
                arc += edge;
            }
        }
        let active: f64 = inside.iter().map(|(_, edge)| edge).sum();
        let cos = muscle.pennation.cos();
        let rods = self.world.add_rods(RodsDesc {
            positions: line.points.clone(),
            counts: vec![n as u32],
            radii,
            stiffness_scale: scales,
            stiffness: Stiffness::Physical { young: YOUNG, shear: YOUNG / 2.9 },
            poisson_ratio: 0.45,
            muscle: Some(Muscle::Hill(Hill {
                peak: Peak::Force(muscle.max_isometric_force),
                // At most at their optimal length: with the file's own the same activation flexes the elbow to 107°.
                optimal_ratio: (muscle.optimal_fiber_length * cos / active).max(1.0),
                max_velocity: muscle.max_contraction_velocity,
                pennation: muscle.pennation,
            })),
            density: 1060.0,
            viscosity: 0.02,
            root: EndSupport::Pinned,
            collision_radius: TENDON,
            friction: 0.0,
            can_sleep: false,
            ..RodsDesc::default()
        })?;
        if line.bodies[n - 1] == Some(lower) {
            self.world.attach_body(rods, StrandEnd { strand: 0, tip: true }, self.bones[1], false)?;
        }
        let belly = inside.first().map_or(0, |e| e.0)..inside.last().map_or(0, |e| e.0 + 1);
        self.strands.push(Strand { name: muscle.name.clone(), flexor, rods, belly });
        Ok(())
    }

    fn step(&mut self, activation: f64) -> Result<()> {
        for strand in &self.strands {
            let a = if strand.flexor { activation } else { 0.0 };
            let belly = strand.belly.clone();
            self.world.rods_mut(strand.rods)?.set_activation(|i| if belly.contains(&i) { a } else { 0.0 })?;
        }
        Ok(self.world.step(FRAME, &Inline)?)
    }

    fn draw(&self, activation: f64) -> Result<Scene> {
        let mut scene = Scene::default();
        for bone in self.bones {
            draw(&self.world, bone, Material::matte([0.86, 0.82, 0.72]), &mut scene)?;
        }
        for strand in &self.strands {
            let rods = self.world.rods(strand.rods)?;
            let (mut points, mut radii) = (Vec::new(), Vec::new());
            rods.read_positions(|_, p| points.push(p.map(|c| c as f32)));
            rods.read_radii(|_, r| radii.push(r as f32));
            let part = if strand.flexor { (activation / ACTIVATION) as f32 } else { 0.0 };
            for e in 0..points.len() - 1 {
                let color = if strand.belly.contains(&e) {
                    [0.50 + 0.35 * part, 0.20 - 0.08 * part, 0.18 - 0.08 * part]
                } else {
                    [0.88, 0.86, 0.80]
                };
                let (a, b, radii) = (points[e], points[e + 1], [radii[e], radii[e + 1]]);
                scene.primitives.push(Primitive::Taper { a, b, radii, material: Material::matte(color) });
            }
        }
        Ok(scene)
    }
}

/// The end of a line, from a path point on, that is at least so long.
fn end_of(line: &Line, least: f64) -> Line {
    let mut length = 0.0;
    let mut first = line.points.len() - 1;
    while first > 0 && (length < least || line.bodies[first].is_none()) {
        length += (DVec3::from(line.points[first]) - DVec3::from(line.points[first - 1])).length();
        first -= 1;
    }
    Line { points: line.points[first..].to_vec(), bodies: line.bodies[first..].to_vec() }
}

/// Out of the cylinders that a body has for muscles to go around.
fn around(model: &Model, body: u32, mut line: Line) -> Line {
    let of = &model.bodies[body as usize];
    for wrap in &of.wraps {
        let WrapShape::Cylinder { radius, length } = wrap.shape else { continue };
        let at = of.pose.compose(wrap.pose);
        let clear = radius + 1.2 * TENDON;
        for p in &mut line.points {
            let x = at.point_back(Vec3::from(*p));
            let across = x.x.hypot(x.y);
            if x.z.abs() < 0.5 * length + clear && across < clear && across > 1e-6 {
                let out = Vec3 { x: x.x * clear / across, y: x.y * clear / across, z: x.z };
                *p = at.point(out).to_array();
            }
        }
    }
    line
}

fn activation(t: f64) -> f64 {
    ACTIVATION * (((t - UP) / RAMP).clamp(0.0, 1.0) - ((t - DOWN) / RAMP).clamp(0.0, 1.0))
}

pub fn figure() -> Result<Figure> {
    let folder =
        std::env::var_os("WITHY_DATA").ok_or("arm26 needs OpenSim's arm26.osim: set WITHY_DATA to the folder above muscle/")?;
    let path = std::path::Path::new(&folder).join("muscle/arm26.osim");
    let bytes = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let model = read_osim(&bytes)?;
    let mut arm = Arm::new(&model)?;
    let mut film = Film::default();
    let (mut angles, mut forces) = (Vec::new(), vec![Vec::new(); arm.strands.len()]);
    let mut volume = 0.0f64;
    for frame in 0..=(END / FRAME).round() as u32 {
        let t = f64::from(frame) * FRAME;
        if frame > 0 {
            arm.step(activation(t))?;
        }
        let angle = arm.world.joint_angles(arm.elbow)?.z.to_degrees();
        angles.push([t, angle]);
        for (k, strand) in arm.strands.iter().enumerate() {
            let rods = arm.world.rods(strand.rods)?;
            let mut tensions = vec![0.0; rods.edge_count()];
            rods.read_forces(|i, f| tensions[i] = f);
            forces[k].push([t, tensions[strand.belly.start + strand.belly.len() / 2]]);
            rods.read_volumes(|i, j| {
                if strand.belly.contains(&i) {
                    volume = volume.max((j - 1.0).abs());
                }
            });
        }
        if frame % 6 == 0 {
            film.add(t, format!("{t:.1} s, {angle:.0}°"), arm.draw(activation(t))?);
        }
    }
    let most = angles.iter().fold(0.0f64, |m, a| m.max(a[1]));
    let held = angles[(3.9 / FRAME) as usize][1];
    let mut figure = Figure {
        title: "An arm of OpenSim's",
        subtitle: format!("six muscles of {} with Hill's force; flexors active by {ACTIVATION}", model.name),
        shots: film.pick(&[0.0, 0.9, 1.2, 1.6, 3.9, 6.0]),
        size: (260, 330),
        columns: 3,
        direction: [-0.35, -0.1, -1.0],
        ..Figure::default()
    };
    let series = |name: &str, points| Series { name: name.into(), points, markers: false, dashed: false };
    figure.plots.push(Plot {
        title: "The elbow".into(),
        x_label: "s".into(),
        y_label: "degrees".into(),
        series: vec![series("flexion", angles)],
        ..Plot::default()
    });
    figure.plots.push(Plot {
        title: "Forces in the bellies".into(),
        x_label: "s".into(),
        y_label: "N".into(),
        series: arm.strands.iter().zip(forces).map(|(s, f)| series(&s.name, f)).collect(),
        ..Plot::default()
    });
    figure.numbers = vec![
        format!("the elbow flexes to {held:.1}° and holds it there, {most:.1}° at most on the way"),
        format!("volume of the bellies' edges: within {:.1} % of that at rest", 100.0 * volume),
    ];
    Ok(figure)
}
