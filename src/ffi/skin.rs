//! Skins
//!
//! A mesh that follows rods: the surface of a muscle, an arm, an octopus. Each vertex holds on to up
//! to four edges of the rods. It moves, turns, stretches and swells as they do. A skin holds no
//! state: read it whenever the rods have moved, after a step or after
//! `withy_world_restore_state`.

use std::ffi::c_void;

use super::convention::finite;
use super::defs::{self, Def};
use super::guard::{self, Failure, Result};
use super::handles::{self, List};
use super::rods::WithyRods;
use super::span::{self, FLOATS, INDICES, Output, View};
use super::types::WithySpan;
use super::world::WithyWorld;
use crate::skin::{BindOptions, Mesh};
use crate::world::{Id, SKIN_RODS, SkinRead, SkinWeights};

/// Handle of a skin.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithySkin {
    pub bits: u64,
}
handles::handle!(WithySkin, Skin, "skin");

/// How to create a skin.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithySkinDef {
    pub struct_size: u32,
    /// Must be 0.
    pub flags: u32,
    pub next: *const c_void,
    /// Vectors, one a vertex, host units: the mesh around the rods as they are now. Required.
    pub positions: WithySpan,
    /// Triples of u32. Vertices at the same place get the same weights, as at the seams of a
    /// texture. Default: none.
    pub triangles: WithySpan,
    /// Vectors, one a vertex, of any length. Default: those of the triangles, which run
    /// counterclockwise seen from outside (clockwise in Unity).
    pub normals: WithySpan,
    /// Vectors, one a vertex, of any length. Default: none, the skin has no tangents.
    pub tangents: WithySpan,
    /// `rods_count` sets of rods, of the same world. Required.
    pub rods: *const WithyRods,
    /// 1 to 4096. All have 65536 edges at most.
    pub rods_count: u32,
    /// Must be 0.
    pub reserved: u32,
    /// Four of u32 a vertex, for weights that the host made: the edges it holds on to, counted
    /// through all strands of all rods in their order. Goes with `weights`. Default: none, weights
    /// are made from the distances to the edges and their radii.
    pub edges: WithySpan,
    /// Four numbers a vertex, at least 0. They need not add up to 1, but to 1e-12 at least.
    pub weights: WithySpan,
    /// How far the weight of an edge is felt outside of its radius, in mean radii of the rods,
    /// (0, 100]. Default: 0.25.
    pub softness: f64,
    /// How far weights are smoothed over the mesh, in mean radii of the rods, [0, 100]. Default:
    /// 0.5.
    pub fairing: f64,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithySkinDef {
    const FIRST_SIZE: usize = 240;
    fn defaults() -> Self {
        let none = WithySpan::default();
        let BindOptions { softness, fairing } = BindOptions::default();
        WithySkinDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            positions: none,
            triangles: none,
            normals: none,
            tangents: none,
            rods: std::ptr::null(),
            rods_count: 0,
            reserved: 0,
            edges: none,
            weights: none,
            softness,
            fairing,
        }
    }
    fn reserved(&self) -> u32 {
        self.reserved
    }
}

/// Fills `def` with the defaults. Use the macro `withy_skin_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_skin_def_init_sized(def: *mut WithySkinDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_skin_def_init", || unsafe { defs::init(def, size) })
}

/// # Safety
/// `rods` is NULL or has `count` handles.
unsafe fn list(world: WithyWorld, rods: *const WithyRods, count: u32) -> Result<Vec<Id>> {
    defs::not_null(rods, "rods")?;
    if !(1..=SKIN_RODS as u32).contains(&count) {
        return Err(Failure::argument(format!("rods_count is {count}: must be 1 to {SKIN_RODS}")));
    }
    // SAFETY: the caller's contract.
    let list = unsafe { List::new(rods, count.into(), "rods")? };
    (0..list.count()).map(|i| list.id(world, i)).collect()
}

/// Writes. Binds a mesh to rods as they are now, and adds it to a world. Everything in `def` is
/// copied.
///
/// Vertices that no triangle has, edges that many triangles share and triangles without area are
/// accepted.
///
/// @param skin Set on success. Destroy it with `withy_skin_destroy`, or with its world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_skin_create(world: WithyWorld, def: *const WithySkinDef, skin: *mut WithySkin) -> i32 {
    guard::write("withy_skin_create", world, |cx| {
        defs::not_null(skin, "skin")?;
        // SAFETY: the caller's contract.
        let def = unsafe { defs::read(def)? };
        let c = cx.convention;
        let positions = View::<3>::required(&def.positions, "positions", FLOATS)?.positions(c)?;
        let n = positions.len();
        let mut triangles = match View::<3>::optional(&def.triangles, "triangles", INDICES)? {
            Some(view) => view.indices()?,
            None => Vec::new(),
        };
        if c.winds_clockwise() {
            triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let vectors = |span: &WithySpan, name: &'static str| match View::<3>::optional(span, name, FLOATS)? {
            Some(view) => view.counted(&[(n, "one a vertex")])?.vectors(|v| c.direction_in(v)),
            None => Ok(Vec::new()),
        };
        let (normals, tangents) = (vectors(&def.normals, "normals")?, vectors(&def.tangents, "tangents")?);
        // SAFETY: the caller's contract.
        let rods = unsafe { list(world, def.rods, def.rods_count)? };
        let edges = View::<4>::optional(&def.edges, "edges", INDICES)?;
        let weights = View::<4>::optional(&def.weights, "weights", FLOATS)?;
        let options = BindOptions { softness: finite(def.softness, "softness")?, fairing: finite(def.fairing, "fairing")? };
        let mesh = Mesh { positions: &positions, triangles: &triangles, normals: &normals, tangents: &tangents };
        let id = match (edges, weights) {
            (None, None) => cx.world.add_skin(&mesh, &rods, SkinWeights::Pills(options))?,
            (Some(edges), Some(weights)) => {
                let edges = edges.counted(&[(n, "one a vertex")])?.indices()?;
                let weights = weights.counted(&[(n, "one a vertex")])?.fours()?;
                cx.world.add_skin(&mesh, &rods, SkinWeights::Given { edges: &edges, weights: &weights })?
            }
            (Some(_), None) => return Err(Failure::argument("weights.count is 0: edges go with weights")),
            (None, Some(_)) => return Err(Failure::argument("edges.count is 0: weights go with edges")),
        };
        // SAFETY: the caller's contract.
        unsafe { defs::store(skin, handles::object(world, id), "skin") }
    })
}

/// Writes. Adds a saved skin to a world. The rods may be anywhere, but must have the strands that
/// the skin was bound to.
///
/// @param rods `rods_count` sets of rods, in the order of the skin that was saved.
/// @param rods_count 1 to 4096.
/// @param data `size` bytes of `withy_skin_save`.
/// @param size Number of bytes.
/// @param skin Set on success.
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if the bytes are damaged, of another version, or of
///     other rods.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_skin_load(
    world: WithyWorld,
    rods: *const WithyRods,
    rods_count: u32,
    data: *const c_void,
    size: u64,
    skin: *mut WithySkin,
) -> i32 {
    guard::write("withy_skin_load", world, |cx| {
        defs::not_null(skin, "skin")?;
        defs::not_null(data, "data")?;
        // SAFETY: the caller's contract.
        let rods = unsafe { list(world, rods, rods_count)? };
        // SAFETY: the caller's contract.
        let id = cx.world.load_skin(&rods, unsafe { span::bytes(data, size, ["data", "size"])? })?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(skin, handles::object(world, id), "skin") }
    })
}

/// Writes. Removes a skin.
#[unsafe(no_mangle)]
pub extern "C" fn withy_skin_destroy(skin: WithySkin) -> i32 {
    guard::write("withy_skin_destroy", skin, |cx| Ok(cx.world.remove_skin(cx.id)?))
}

/// Reads. Writes the skin with its weights into `data`, for `withy_skin_load`. The bytes are the
/// same on all machines.
///
/// @param data Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the bytes of the skin.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_skin_save(skin: WithySkin, data: *mut c_void, size: *mut u64) -> i32 {
    guard::read("withy_skin_save", skin, |cx| {
        let skin = cx.world.skin(cx.id)?;
        // SAFETY: the caller's contract; `buffer` has checked the room.
        unsafe {
            if let Some(data) = span::buffer(data.cast::<u8>(), size, skin.saved_size(), "size")? {
                let bytes = skin.save();
                data.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            }
        }
        Ok(())
    })
}

fn read(function: &'static str, skin: WithySkin, out: *mut WithySpan, wants: SkinRead) -> i32 {
    guard::read(function, skin, |cx| {
        let c = cx.convention;
        let n = cx.world.skin(cx.id)?.vertices();
        // SAFETY: the caller's contract.
        let Some(out) = (unsafe { Output::<3>::new(out, n, FLOATS)? }) else { return Ok(()) };
        cx.world.read_skin(cx.id, wants, cx.runner, |i, v| {
            out.put(i, if wants == SkinRead::Positions { c.position_out(v) } else { c.direction_out(v) });
        })?;
        Ok(())
    })
}

/// Reads. Where the rods take the mesh now. The call allocates memory; it runs on the context's
/// threads. In a world on the GPU the mesh is made there, and nothing of the rods is read.
///
/// @param out Vectors, one a vertex, host units.
/// @return WITHY_ERROR_INVALID_HANDLE: also if one of the rods has been destroyed.
///     WITHY_ERROR_INVALID_ARGUMENT: also if the rods have flown farther than 1e9 m.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_skin_read_positions(skin: WithySkin, out: *mut WithySpan) -> i32 {
    read("withy_skin_read_positions", skin, out, SkinRead::Positions)
}

/// Reads. Normals of the mesh where the rods take it now.
///
/// @param out Vectors of length 1, one a vertex.
/// @return As `withy_skin_read_positions`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_skin_read_normals(skin: WithySkin, out: *mut WithySpan) -> i32 {
    read("withy_skin_read_normals", skin, out, SkinRead::Normals)
}

/// Reads. Tangents of the mesh where the rods take it now. Refused if the skin has none.
///
/// @param out Vectors of length 1, one a vertex.
/// @return As `withy_skin_read_positions`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_skin_read_tangents(skin: WithySkin, out: *mut WithySpan) -> i32 {
    read("withy_skin_read_tangents", skin, out, SkinRead::Tangents)
}

/// Reads. The edges that each vertex holds on to, and its weights, to show or to paint them.
/// Weights add up to 1, in steps of 1/65535; an edge with weight 0 is not used.
///
/// @param edges Four of u32 a vertex, as in WithySkinDef, or NULL.
/// @param weights Four numbers a vertex, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_skin_read_weights(skin: WithySkin, edges: *mut WithySpan, weights: *mut WithySpan) -> i32 {
    guard::read("withy_skin_read_weights", skin, |cx| {
        let skin = cx.world.skin(cx.id)?;
        let n = skin.vertices();
        // SAFETY: the caller's contract.
        let edges = unsafe { Output::<4>::wanted(edges, n, INDICES, "edges")? };
        // SAFETY: the caller's contract.
        let weights = unsafe { Output::<4>::wanted(weights, n, FLOATS, "weights")? };
        for i in 0..n {
            let anchors = skin.anchors(i);
            if let Some(out) = &edges {
                out.put_u32s(i, anchors.map(|a| a.edge));
            }
            if let Some(out) = &weights {
                out.put(i, anchors.map(|a| a.weight));
            }
        }
        Ok(())
    })
}
