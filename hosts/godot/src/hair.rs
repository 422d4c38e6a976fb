//! Hair on a node.

use godot::classes::mesh::PrimitiveType;
use godot::classes::{IMeshInstance3D, MeshInstance3D};
use godot::prelude::*;

use crate::collider::of_scene;
use crate::simulation::{Material, Simulation, V3};
use crate::{draw, to_v3};

/// Strands whose roots follow this node, drawn as lines. They come from `set_strands`.
#[derive(GodotClass)]
#[class(init, base = MeshInstance3D)]
pub struct WithyHair {
    base: Base<MeshInstance3D>,
    /// m: of a lock of a few hairs, which a strand stands for.
    #[export(range = (0.00001, 0.01, 0.00001, or_greater))]
    #[init(val = 1e-4)]
    radius: f64,
    /// Young's modulus, Pa. Hair has 4e9.
    #[export]
    #[init(val = 4e9)]
    young_modulus: f64,
    /// kg/m^3
    #[export]
    #[init(val = 1300.0)]
    density: f64,
    /// 1/s, the rate at which motion dies.
    #[export]
    #[init(val = 4.0)]
    damping: f64,
    /// 1/s, the rate at which air slows it down.
    #[export]
    #[init(val = 3.0)]
    drag: f64,
    /// m/s^2
    #[export]
    #[init(val = Vector3::new(0.0, -9.81, 0.0))]
    gravity: Vector3,
    /// Substeps of a physics frame.
    #[export(range = (1.0, 64.0))]
    #[init(val = 8)]
    substeps: i32,
    /// In the space of the node, root first.
    strands: Vec<Vector3>,
    counts: Vec<u32>,
    simulation: Option<Simulation>,
    first: Quaternion,
    last: Vector3,
    indices: Vec<i32>,
}

/// A move of the node by more than this in one frame, m, is a jump: the hair starts anew.
const JUMP: f32 = 1.0;

#[godot_api]
impl IMeshInstance3D for WithyHair {
    fn physics_process(&mut self, dt: f64) {
        if self.simulation.is_none() || dt <= 0.0 {
            return;
        }
        let here = self.base().get_global_transform();
        if here.origin.distance_to(self.last) > JUMP {
            self.rebuild();
            return;
        }
        self.last = here.origin;
        let turn = here.basis.orthonormalized().get_quaternion() * self.first.inverse();
        let turns = vec![[turn.x, turn.y, turn.z, turn.w]; self.counts.len()];
        let mut start = 0;
        let roots: Vec<V3> = self
            .counts
            .iter()
            .map(|n| {
                let root = to_v3(here * self.strands[start]);
                start += *n as usize;
                root
            })
            .collect();
        let colliders = of_scene(&self.base());
        let Some(simulation) = &mut self.simulation else { return };
        if let Err(what) = simulation.set_colliders(&colliders) {
            godot_error!("a WithyCollider: {what}");
        }
        if let Err(what) = simulation.step(dt.min(1.0), &roots, Some(&turns), None) {
            self.failed(&what);
            return;
        }
        self.show();
    }

    fn exit_tree(&mut self) {
        self.simulation = None;
    }

    fn enter_tree(&mut self) {
        self.rebuild();
    }
}

#[godot_api]
impl WithyHair {
    /// The strands in the space of this node, root first, and how many vertices each has.
    #[func]
    pub fn set_strands(&mut self, positions: PackedVector3Array, counts: PackedInt32Array) {
        let all: i64 = counts.as_slice().iter().map(|n| i64::from(*n)).sum();
        if counts.as_slice().iter().any(|n| *n < 2) || all != positions.len() as i64 {
            godot_error!(
                "{}: counts do not add up to {} vertices, of 2 at least a strand",
                self.base().get_name(),
                positions.len()
            );
            return;
        }
        self.strands = positions.as_slice().to_vec();
        self.counts = counts.as_slice().iter().map(|n| *n as u32).collect();
        self.indices.clear();
        let mut start = 0;
        for n in counts.as_slice() {
            self.indices.extend((start..start + n - 1).flat_map(|i| [i, i + 1]));
            start += n;
        }
        self.rebuild();
    }

    /// Makes it anew with the properties of now, where the node is.
    #[func]
    pub fn rebuild(&mut self) {
        self.simulation = None;
        if self.counts.is_empty() || !self.base().is_inside_tree() {
            return;
        }
        let here = self.base().get_global_transform();
        self.first = here.basis.orthonormalized().get_quaternion();
        self.last = here.origin;
        let points = self.strands.iter().map(|p| to_v3(here * *p)).collect();
        let material = Material {
            radius: self.radius,
            density: self.density,
            young_modulus: self.young_modulus,
            stretch_modulus: 0.0,
            damping: self.damping,
            drag: self.drag,
            friction: 0.5,
            gravity: [self.gravity.x, self.gravity.y, self.gravity.z].map(f64::from),
            substeps: self.substeps.clamp(1, 64) as u32,
            hair: true,
            tip_held: false,
        };
        match Simulation::new(points, None, &self.counts, &material) {
            Ok(made) => {
                self.simulation = Some(made);
                self.show();
            }
            Err(what) => self.failed(&what),
        }
    }

    /// Places of all vertices, in the world, as of the last step. Empty while it is not simulated.
    #[func]
    pub fn points(&self) -> PackedVector3Array {
        self.simulation.iter().flat_map(|s| s.points()).map(crate::of_v3).collect()
    }

    fn show(&mut self) {
        let Some(simulation) = self.simulation.take() else { return };
        let indices = std::mem::take(&mut self.indices);
        draw(&mut self.base_mut(), PrimitiveType::LINES, simulation.points(), &[], &indices);
        (self.simulation, self.indices) = (Some(simulation), indices);
    }

    fn failed(&mut self, what: &str) {
        self.simulation = None;
        godot_error!("{}: {what}", self.base().get_name());
    }
}
