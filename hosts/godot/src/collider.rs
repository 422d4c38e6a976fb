//! What ropes and hair lie on.

use godot::classes::{INode3D, Node, Node3D};
use godot::prelude::*;

use crate::simulation::{Collider, Shape};
use crate::to_v3;

/// The shape of a `WithyCollider`.
#[derive(GodotConvert, Var, Export, Clone, Copy, Default, PartialEq, Eq, Debug)]
#[godot(via = i64)]
pub enum Form {
    #[default]
    Sphere,
    Capsule,
    Box,
}

/// A shape that follows its parent, as every `Node3D` does. All ropes and hair of the scene lie on it. Its scale is not used.
#[derive(GodotClass)]
#[class(init, base = Node3D)]
pub struct WithyCollider {
    base: Base<Node3D>,
    #[export]
    shape: Form,
    /// m, of spheres and capsules.
    #[export(range = (0.001, 10.0, 0.001, or_greater))]
    #[init(val = 0.25)]
    radius: f64,
    /// m, of capsules, along y, with both caps, as in Godot's own.
    #[export(range = (0.001, 10.0, 0.001, or_greater))]
    #[init(val = 1.0)]
    height: f64,
    /// m, of boxes: their sides.
    #[export]
    #[init(val = Vector3::new(0.5, 0.5, 0.5))]
    size: Vector3,
    /// Coulomb's coefficient. A contact has the geometric mean of both sides.
    #[export(range = (0.0, 10.0))]
    #[init(val = 0.5)]
    friction: f64,
}

/// All colliders of a scene are in it.
const GROUP: &str = "withy_colliders";

#[godot_api]
impl INode3D for WithyCollider {
    fn enter_tree(&mut self) {
        self.base_mut().add_to_group(GROUP);
    }

    fn exit_tree(&mut self) {
        self.base_mut().remove_from_group(GROUP);
    }
}

impl WithyCollider {
    fn now(&self) -> Collider {
        let here = self.base().get_global_transform();
        let turn = here.basis.orthonormalized().get_quaternion();
        let shape = match self.shape {
            Form::Sphere => Shape::Sphere { radius: self.radius },
            Form::Capsule => Shape::Capsule { radius: self.radius, height: self.height },
            Form::Box => Shape::Box { size: [self.size.x, self.size.y, self.size.z].map(f64::from) },
        };
        Collider {
            id: self.base().instance_id().to_i64(),
            shape,
            friction: self.friction,
            position: to_v3(here.origin),
            rotation: [turn.x, turn.y, turn.z, turn.w],
        }
    }
}

/// Those of the scene that `node` is in, where they are now.
pub fn of_scene(node: &Node) -> Vec<Collider> {
    let Some(tree) = node.is_inside_tree().then(|| node.get_tree()) else { return Vec::new() };
    let all = tree.get_nodes_in_group(GROUP);
    all.iter_shared().filter_map(|n| n.try_cast::<WithyCollider>().ok()).map(|c| c.bind().now()).collect()
}
