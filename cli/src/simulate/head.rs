//! What the hair grows on: its colliders, the mesh to draw, and how it moves.

use super::groom::Source;
use crate::abi::{Collider, World};
use crate::args::Motion;
use crate::{Result, abi};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use withy::io::head::{HEAD_SHAPES, head_mesh};
use withy::io::{Groom, TriMesh, UpAxis};
use withy::world::{ColliderDesc, Pose, Shape};

/// A capsule that moves with the head; a sphere when its ends meet.
#[derive(Clone, Copy, Debug)]
pub struct Capsule {
    pub a: DVec3,
    pub b: DVec3,
    pub radius: f64,
}

#[derive(Clone, Debug)]
pub struct Head {
    pub mesh: Option<TriMesh>,
    pub capsules: Vec<Capsule>,
    /// What it turns about, m.
    pivot: DVec3,
    motion: Motion,
}

/// The base of the skull of `withy::io::head`.
const OWN_PIVOT: DVec3 = DVec3::new(0.0, -0.08, -0.02);

/// Of a source's hair, so much may start inside of a collider; the rest makes the collider smaller.
const MAY_START_INSIDE: f64 = 0.01;

impl Head {
    /// `groom` is the source's in metres, Y up; `mesh` too.
    pub fn new(source: &Source, groom: &Groom, mesh: Option<TriMesh>, unit: f64, motion: Motion) -> Head {
        if source.on_own_head {
            let capsule = |s: &withy::io::head::HeadShape| Capsule {
                a: DVec3::from(s.a.map(f64::from)),
                b: DVec3::from(s.b.map(f64::from)),
                radius: f64::from(s.radius),
            };
            let capsules = HEAD_SHAPES.iter().map(capsule).collect();
            return Head { mesh: Some(mesh.unwrap_or_else(head_mesh)), capsules, pivot: OWN_PIVOT, motion };
        }
        let scale = source.groom.meters_per_unit.unwrap_or(unit);
        let sphere = |&(centre, radius): &([f32; 3], f32)| {
            let [x, y, z] = centre.map(|c| f64::from(c) * scale);
            let centre = if source.groom.up_axis == UpAxis::Z { DVec3::new(x, z, -y) } else { DVec3::new(x, y, z) };
            let radius = fitted(groom, centre, f64::from(radius) * scale);
            Capsule { a: centre, b: centre, radius }
        };
        Head { mesh, capsules: source.spheres.iter().map(sphere).collect(), pivot: pivot(groom), motion }
    }

    /// Another motion from now on.
    pub fn set_motion(&mut self, motion: Motion) {
        self.motion = motion;
    }

    pub fn motion(&self) -> Motion {
        self.motion
    }

    pub fn pose(&self, seconds: f64) -> Pose {
        let rotation = rotation(self.motion, seconds);
        Pose { position: (self.pivot - rotation * self.pivot).into(), rotation: rotation.to_array() }
    }

    pub fn add_colliders(&self, world: &World) -> abi::Result<Vec<Collider>> {
        let shape = |c: &Capsule| match (c.b - c.a).length() {
            0.0 => Shape::Sphere { radius: c.radius },
            length => Shape::Capsule { radius: c.radius, half_height: 0.5 * length },
        };
        let desc = |c| ColliderDesc { shape: shape(c), pose: local(c), friction: 0.3, ..ColliderDesc::default() };
        self.capsules.iter().map(|c| world.add_collider(&desc(c))).collect()
    }

    pub fn move_colliders(&self, colliders: &[Collider], head: Pose) -> Result<()> {
        for (c, collider) in self.capsules.iter().zip(colliders) {
            let own = local(c);
            let rotation = DQuat::from_array(head.rotation) * DQuat::from_array(own.rotation);
            collider.set_pose(Pose { position: apply(head, own.position), rotation: rotation.to_array() })?;
        }
        Ok(())
    }
}

pub fn apply(pose: Pose, p: [f64; 3]) -> [f64; 3] {
    (DVec3::from(pose.position) + DQuat::from_array(pose.rotation) * DVec3::from(p)).into()
}

pub fn apply_f32(pose: Pose, p: [f32; 3]) -> [f32; 3] {
    apply(pose, p.map(f64::from)).map(|c| c as f32)
}

/// The pose of a capsule whose axis is local y.
fn local(c: &Capsule) -> Pose {
    let axis = (c.b - c.a).try_normalize().unwrap_or(DVec3::Y);
    Pose { position: (0.5 * (c.a + c.b)).into(), rotation: DQuat::from_rotation_arc(DVec3::Y, axis).to_array() }
}

/// Colliders of games are drawn generously. Hair that starts inside would be thrown out in one step: all but the innermost
/// percent of the vertices starts outside.
fn fitted(groom: &Groom, centre: DVec3, radius: f64) -> f64 {
    let mut inside: Vec<f64> = groom
        .points
        .iter()
        .map(|p| (DVec3::from(p.map(f64::from)) - centre).length())
        .filter(|distance| *distance < radius)
        .collect();
    inside.sort_unstable_by(f64::total_cmp);
    let allowed = (groom.points.len() as f64 * MAY_START_INSIDE) as usize;
    inside.get(allowed).map_or(radius, |distance| distance.min(radius))
}

/// Below the middle of the roots, where a neck would be.
fn pivot(groom: &Groom) -> DVec3 {
    let roots: Vec<DVec3> =
        groom.ranges().filter_map(|r| groom.points.get(r.start)).map(|p| DVec3::from(p.map(f64::from))).collect();
    if roots.is_empty() {
        return DVec3::ZERO;
    }
    let middle = roots.iter().sum::<DVec3>() / roots.len() as f64;
    let lowest = roots.iter().fold(f64::MAX, |low, p| low.min(p.y));
    DVec3::new(middle.x, lowest, middle.z)
}

fn smooth(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Starts from rest after a quarter of a second and ends at rest after three and a quarter.
fn rotation(motion: Motion, seconds: f64) -> DQuat {
    let t = seconds - 0.25;
    let envelope = smooth(t / 0.5) * (1.0 - smooth((t - 2.5) / 0.5));
    let wave = |period: f64, degrees: f64| envelope * (TAU * t / period).sin() * degrees.to_radians();
    match motion {
        Motion::Still => DQuat::IDENTITY,
        Motion::Nod => DQuat::from_rotation_x(wave(1.5, 22.0)),
        Motion::Turn => DQuat::from_rotation_y(wave(2.0, 50.0)) * DQuat::from_rotation_z(wave(2.0, -8.0)),
        Motion::Shake => DQuat::from_rotation_y(wave(0.75, 30.0)),
    }
}
