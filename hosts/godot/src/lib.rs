//! withy for Godot 4: `WithyRope` and `WithyHair`, nodes that simulate in `_physics_process` and draw themselves, and
//! `WithyCollider`, what they lie on.

pub mod shape;
pub mod simulation;

mod collider;
mod hair;
mod rope;

use godot::classes::mesh::{ArrayType, PrimitiveType};
use godot::classes::{ArrayMesh, MeshInstance3D};
use godot::prelude::*;
use simulation::V3;

struct Withy;

// SAFETY: asked for by the engine's interface; nothing is done at load.
#[gdextension]
unsafe impl ExtensionLibrary for Withy {}

fn to_v3(v: Vector3) -> V3 {
    [v.x, v.y, v.z]
}

fn of_v3(v: &V3) -> Vector3 {
    Vector3::new(v[0], v[1], v[2])
}

/// A mesh of one surface for a node that draws itself, in the node's own space.
fn draw(node: &mut MeshInstance3D, kind: PrimitiveType, places: &[V3], normals: &[V3], indices: &[i32]) {
    let turned = node.get_global_transform().affine_inverse();
    let place: PackedVector3Array = places.iter().map(|p| turned * of_v3(p)).collect();
    let mut arrays = VarArray::new();
    arrays.resize(ArrayType::MAX.ord() as usize, &Variant::nil());
    arrays.set(ArrayType::VERTEX.ord() as usize, &place.to_variant());
    if !normals.is_empty() {
        let normal: PackedVector3Array = normals.iter().map(|n| (turned.basis * of_v3(n)).normalized_or_zero()).collect();
        arrays.set(ArrayType::NORMAL.ord() as usize, &normal.to_variant());
    }
    arrays.set(ArrayType::INDEX.ord() as usize, &PackedInt32Array::from(indices).to_variant());
    let mesh = node.get_mesh().and_then(|m| m.try_cast::<ArrayMesh>().ok());
    let mut mesh = mesh.unwrap_or_else(|| {
        let made = ArrayMesh::new_gd();
        node.set_mesh(&made);
        made
    });
    mesh.clear_surfaces();
    mesh.add_surface_from_arrays(kind, &arrays);
}
