//! A rope from a node to another.

use godot::classes::mesh::PrimitiveType;
use godot::classes::{IMeshInstance3D, MeshInstance3D};
use godot::prelude::*;

use crate::collider::of_scene;
use crate::shape::{hang, straight, tube};
use crate::simulation::{Material, Simulation, V3};
use crate::{draw, to_v3};

/// A rope that begins at this node. It is drawn as a tube.
#[derive(GodotClass)]
#[class(init, base = MeshInstance3D)]
pub struct WithyRope {
    base: Base<MeshInstance3D>,
    /// What holds the other end. None: it hangs free.
    #[export]
    end: Option<Gd<Node3D>>,
    /// m, at least the distance of the ends.
    #[export(range = (0.01, 100.0, 0.01, or_greater))]
    #[init(val = 2.0)]
    length: f64,
    /// Straight pieces that it is made of.
    #[export(range = (2.0, 500.0))]
    #[init(val = 30)]
    segments: i32,
    /// m
    #[export(range = (0.001, 1.0, 0.001, or_greater))]
    #[init(val = 0.01)]
    radius: f64,
    /// kg/m^3
    #[export]
    #[init(val = 1000.0)]
    density: f64,
    /// Young's modulus of its bending, Pa: 1e7 is a climbing rope, 1e9 stiff wire.
    #[export]
    #[init(val = 1e7)]
    bend_modulus: f64,
    /// Young's modulus of its stretching, Pa.
    #[export]
    #[init(val = 1e9)]
    stretch_modulus: f64,
    /// 1/s, the rate at which its motion dies.
    #[export]
    #[init(val = 0.5)]
    damping: f64,
    /// m/s^2
    #[export]
    #[init(val = Vector3::new(0.0, -9.81, 0.0))]
    gravity: Vector3,
    /// Substeps of a physics frame. More are stiffer and more exact.
    #[export(range = (1.0, 64.0))]
    #[init(val = 8)]
    substeps: i32,
    simulation: Option<Simulation>,
    tied: bool,
    last: [V3; 2],
}

/// A move of an end by more than this in one frame, m, lays the rope anew.
const JUMP: f32 = 2.0;

#[godot_api]
impl IMeshInstance3D for WithyRope {
    fn ready(&mut self) {
        self.rebuild();
    }

    fn physics_process(&mut self, dt: f64) {
        let (ends, tied) = self.ends();
        let far = |a: V3, b: V3| crate::shape::length(&[a, b]) > JUMP;
        let jumps = far(ends[0], self.last[0]) || tied && far(ends[1], self.last[1]);
        if tied != self.tied || jumps {
            self.rebuild();
            return;
        }
        self.last = ends;
        if dt <= 0.0 || self.simulation.is_none() {
            return;
        }
        let colliders = of_scene(&self.base());
        let Some(simulation) = &mut self.simulation else { return };
        if let Err(what) = simulation.set_colliders(&colliders) {
            godot_error!("a WithyCollider: {what}");
        }
        let tips = if tied { Some(&ends[1..]) } else { None };
        if let Err(what) = simulation.step(dt.min(1.0), &ends[..1], None, tips) {
            self.failed(&what);
            return;
        }
        self.show();
    }

    fn exit_tree(&mut self) {
        self.simulation = None;
    }
}

#[godot_api]
impl WithyRope {
    /// Makes it anew with the properties of now.
    #[func]
    pub fn rebuild(&mut self) {
        let (ends, tied) = self.ends();
        (self.last, self.tied) = (ends, tied);
        let pieces = self.segments.clamp(2, 500) as usize;
        let points = hang(ends[0], ends[1], self.length as f32, pieces);
        let material = Material {
            radius: self.radius,
            density: self.density,
            young_modulus: self.bend_modulus,
            stretch_modulus: self.stretch_modulus,
            damping: self.damping,
            drag: 0.0,
            friction: 0.5,
            gravity: [self.gravity.x, self.gravity.y, self.gravity.z].map(f64::from),
            substeps: self.substeps.clamp(1, 64) as u32,
            hair: false,
            tip_held: tied,
        };
        match Simulation::new(points, Some(&straight(self.length as f32, pieces)), &[pieces as u32 + 1], &material) {
            Ok(made) => {
                self.simulation = Some(made);
                self.show();
            }
            Err(what) => self.failed(&what),
        }
    }

    /// Places of the rope, in the world, as of the last step. Empty while it is not simulated.
    #[func]
    pub fn points(&self) -> PackedVector3Array {
        self.simulation.iter().flat_map(|s| s.points()).map(crate::of_v3).collect()
    }

    fn ends(&self) -> ([V3; 2], bool) {
        let start = to_v3(self.base().get_global_position());
        match &self.end {
            Some(end) if end.is_instance_valid() && end.is_inside_tree() => ([start, to_v3(end.get_global_position())], true),
            _ => ([start, [start[0], start[1] - self.length as f32, start[2]]], false),
        }
    }

    fn show(&mut self) {
        let Some(simulation) = &self.simulation else { return };
        let t = tube(simulation.points(), self.radius as f32, 8);
        draw(&mut self.base_mut(), PrimitiveType::TRIANGLES, &t.places, &t.normals, &t.triangles);
    }

    /// Said once: without a simulation nothing is tried again until `rebuild`.
    fn failed(&mut self, what: &str) {
        self.simulation = None;
        godot_error!("{}: {what}", self.base().get_name());
    }
}
