//! Meshes
//!
//! Triangle meshes that strands can be tied to: a scalp, a piece of cloth, a soft box. The host
//! moves the vertices, and may read how far the strands pull them. A WITHY_MESH_ELASTIC mesh is
//! simulated here. A WITHY_MESH_COLLIDES mesh stops strands: a skinned head.

use std::ffi::c_void;

use super::convention::{Convention, finite};
use super::defs::{self, Def};
use super::guard::{self, Failure, Result};
use super::handles;
use super::span::{FLOATS, INDICES, Output, View};
use super::types::WithySpan;
use super::world::WithyWorld;
use crate::world::{MeshCollider, MeshDesc, validate};

/// Handle of a mesh.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyMesh {
    pub bits: u64,
}
handles::handle!(WithyMesh, Mesh, "mesh");

/// A flag: the edges are springs, and steps move the vertices.
pub const WITHY_MESH_ELASTIC: u32 = 1;

/// A flag: strands do not go through the mesh, wherever the host moves and bends it: a head with
/// its face, a dress. Call `withy_mesh_set_positions` in every frame. Only the front is felt, where
/// triangles run counterclockwise (clockwise in Unity). What is a few radii behind it comes out
/// slowly; what is deeper is not felt.
/// Rigid bodies do not meet the mesh. Not with WITHY_MESH_ELASTIC. A world on the GPU has such
/// meshes, and no others.
pub const WITHY_MESH_COLLIDES: u32 = 2;
/// A flag, with WITHY_MESH_COLLIDES: the mesh is felt from both sides, as cloth. A strand stays on
/// the side on which it is.
pub const WITHY_MESH_BOTH_SIDES: u32 = 4;

/// How to create a mesh.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyMeshDef {
    pub struct_size: u32,
    /// WITHY_MESH_ flags, or 0 (the default).
    pub flags: u32,
    pub next: *const c_void,
    /// Vectors, host units, 1 to 2^24 vertices. Required.
    pub positions: WithySpan,
    /// Triples of u32. Required.
    pub triangles: WithySpan,
    /// Numbers, one a vertex: 1/mass, 1/kg, [0, 1e12]. 0: only the host moves this vertex. Default:
    /// none, 0 for all.
    pub inv_masses: WithySpan,
    /// Pairs of u32: more springs, such as the diagonals of a box. Default: none.
    pub extra_edges: WithySpan,
    /// With WITHY_MESH_ELASTIC: how far an edge gives, m/N, [0, 1e12]. Default: 0, rigid.
    pub edge_compliance: f64,
    /// With WITHY_MESH_ELASTIC: rate at which the motion of the vertices dies, 1/s, [0, 1e9].
    /// Default: 0.
    pub drag: f64,
    /// With WITHY_MESH_COLLIDES: Coulomb's coefficient, [0, 1e3]. A contact has the geometric mean
    /// of both sides. Default: 0.5.
    pub friction: f64,
    /// With WITHY_MESH_COLLIDES: the layers that the mesh is in. Default: 1.
    pub category: u32,
    /// With WITHY_MESH_COLLIDES: the layers that it meets, as in WithyRodsDef. Default: all.
    pub mask: u32,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyMeshDef {
    const FIRST_SIZE: usize = 160;
    const FLAGS: u32 = WITHY_MESH_ELASTIC | WITHY_MESH_COLLIDES | WITHY_MESH_BOTH_SIDES;
    fn defaults() -> Self {
        let none = WithySpan::default();
        WithyMeshDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            positions: none,
            triangles: none,
            inv_masses: none,
            extra_edges: none,
            edge_compliance: 0.0,
            drag: 0.0,
            friction: 0.5,
            category: 1,
            mask: u32::MAX,
        }
    }
}

fn mesh_desc(def: &WithyMeshDef, c: &Convention) -> Result<MeshDesc> {
    let positions = View::<3>::required(&def.positions, "positions", FLOATS)?.positions(c)?;
    let triangles = View::<3>::required(&def.triangles, "triangles", INDICES)?.indices()?;
    let inv_masses = match View::<1>::optional(&def.inv_masses, "inv_masses", FLOATS)? {
        Some(view) => view.counted(&[(positions.len(), "one a vertex")])?.scalars()?,
        None => vec![0.0; positions.len()],
    };
    let extra_edges = match View::<2>::optional(&def.extra_edges, "extra_edges", INDICES)? {
        Some(view) => view.indices()?,
        None => Vec::new(),
    };
    let compliance = def.edge_compliance;
    validate::between("edge_compliance", compliance, 0.0, validate::COMPLIANCE)?;
    let edge_compliance = (def.flags & WITHY_MESH_ELASTIC != 0).then_some(compliance);
    let flag = |flag| def.flags & flag != 0;
    if flag(WITHY_MESH_BOTH_SIDES) && !flag(WITHY_MESH_COLLIDES) {
        return Err(Failure::argument("flags: WITHY_MESH_BOTH_SIDES goes with WITHY_MESH_COLLIDES"));
    }
    let collides = if flag(WITHY_MESH_COLLIDES) {
        let (friction, category, mask) = (finite(def.friction, "friction")?, def.category, def.mask);
        Some(MeshCollider { both_sides: flag(WITHY_MESH_BOTH_SIDES), clockwise: c.winds_clockwise(), friction, category, mask })
    } else {
        None
    };
    Ok(MeshDesc { positions, triangles, inv_masses, edge_compliance, extra_edges, drag: finite(def.drag, "drag")?, collides })
}

/// Fills `def` with the defaults. Use the macro `withy_mesh_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_mesh_def_init_sized(def: *mut WithyMeshDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_mesh_def_init", || unsafe { defs::init(def, size) })
}

/// Writes. Adds a mesh to a world. Everything in `def` is copied.
///
/// @param mesh Set on success. Destroy it with `withy_mesh_destroy`, or with its world.
/// @return WITHY_ERROR_UNSUPPORTED: the world is on the GPU, and the mesh has no
///     WITHY_MESH_COLLIDES.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_mesh_create(world: WithyWorld, def: *const WithyMeshDef, mesh: *mut WithyMesh) -> i32 {
    guard::write("withy_mesh_create", world, |cx| {
        defs::not_null(mesh, "mesh")?;
        // SAFETY: the caller's contract.
        let def = unsafe { defs::read(def)? };
        let id = cx.world.add_mesh(mesh_desc(&def, cx.convention)?)?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(mesh, handles::object(world, id), "mesh") }
    })
}

/// Writes. Removes a mesh, and the attachments to it.
#[unsafe(no_mangle)]
pub extern "C" fn withy_mesh_destroy(mesh: WithyMesh) -> i32 {
    guard::write("withy_mesh_destroy", mesh, |cx| Ok(cx.world.remove_mesh(cx.id)?))
}

/// Writes. Says where the vertices are at the end of the next step. They move there during the
/// step. Of an elastic mesh only vertices of inverse mass 0 move, unless they are teleported. The
/// corrections start again from 0.
///
/// @param positions Vectors, one a vertex, host units.
/// @param teleport 1: all vertices jump there, and rest. 0: they move there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_mesh_set_positions(mesh: WithyMesh, positions: *const WithySpan, teleport: u32) -> i32 {
    guard::write("withy_mesh_set_positions", mesh, |cx| {
        let c = cx.convention;
        let vertices = cx.world.read_mesh_positions(cx.id, |_, _| {})?;
        let teleport = defs::boolean(teleport, "teleport")?;
        // SAFETY: the caller's contract.
        let view = unsafe { View::<3>::argument(positions, "positions", vertices, "vertices")? };
        view.check_positions(c)?;
        Ok(cx.world.set_mesh_positions(cx.id, |i| c.position_in(view.get(i)), teleport)?)
    })
}

/// Reads. The positions.
///
/// @param out Vectors, one a vertex, host units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_mesh_read_positions(mesh: WithyMesh, out: *mut WithySpan) -> i32 {
    guard::read("withy_mesh_read_positions", mesh, |cx| {
        let vertices = cx.world.read_mesh_positions(cx.id, |_, _| {})?;
        // SAFETY: the caller's contract.
        if let Some(out) = unsafe { Output::<3>::new(out, vertices, FLOATS)? } {
            cx.world.read_mesh_positions(cx.id, |i, x| out.put(i, cx.convention.position_out(x)))?;
        }
        Ok(())
    })
}

/// Reads. How far the strands have pulled each vertex since `withy_mesh_set_positions`. A host that
/// simulates the mesh itself adds this to its own positions.
///
/// @param out Vectors, one a vertex, host units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_mesh_read_corrections(mesh: WithyMesh, out: *mut WithySpan) -> i32 {
    guard::read("withy_mesh_read_corrections", mesh, |cx| {
        let vertices = cx.world.read_mesh_positions(cx.id, |_, _| {})?;
        // SAFETY: the caller's contract.
        if let Some(out) = unsafe { Output::<3>::new(out, vertices, FLOATS)? } {
            cx.world.read_mesh_corrections(cx.id, |i, x| out.put(i, cx.convention.position_out(x)))?;
        }
        Ok(())
    })
}
