//! Render hair
//!
//! Any number of strands that follow a few simulated ones: the strands of rods are guides, and each
//! render strand is a blend of up to three of them. It keeps its own shape, its curls and its place
//! in a lock, and turns with the guides' material frames. At the pose in which it was bound, what is
//! read is what was given. Render hair has no state: read it whenever the rods have moved, after a
//! step or after `withy_world_restore_state`.

use std::ffi::c_void;

use super::convention::finite;
use super::defs::{self, Def};
use super::guard::{self, Failure, Result};
use super::handles::{self, List};
use super::rods::WithyRods;
use super::span::{self, FLOATS, INDICES, Output, View};
use super::types::WithySpan;
use super::world::WithyWorld;
use crate::hair::{BindOptions, Lod, Out, Scalp, Scatter, Strands, Target};
use crate::world::{HAIR_RODS, HairSource, Id};

/// Handle of render hair.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyRenderHair {
    pub bits: u64,
}
handles::handle!(WithyRenderHair, RenderHair, "render hair");

/// How to create render hair: from the strands of a groom (`positions` and `counts`), or made
/// between the guides (`per_guide`).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyRenderHairDef {
    pub struct_size: u32,
    /// Must be 0.
    pub flags: u32,
    pub next: *const c_void,
    /// `rods_count` sets of rods, of the same world: all their strands are guides. Required.
    pub rods: *const WithyRods,
    /// 1 to 4096.
    pub rods_count: u32,
    /// Strands to make for each guide, with their roots between the guides' roots, or on the
    /// scalp. The first of each guide is the guide itself. 0: none are made, `positions` has
    /// the strands.
    pub per_guide: u32,
    /// Vectors, strand after strand, host units: the groom as it goes with the rods where they
    /// are now. Required unless `per_guide` is given.
    pub positions: WithySpan,
    /// u32, vertices of each strand, 2 to 65536. Required unless `per_guide` is given.
    pub counts: WithySpan,
    /// Widths, host units: one a vertex, or one a strand, or one. Default: `width`.
    pub widths: WithySpan,
    /// Three of u32 a strand, for weights that the host made: its guides, counted through all
    /// strands of all rods in their order. Goes with `weights`. Default: none, the guides
    /// whose roots surround the strand's root are taken.
    pub guides: WithySpan,
    /// Three numbers a strand, at least 0. They need not add up to 1, but to 1e-12 at least.
    pub weights: WithySpan,
    /// Vectors, host units: a mesh on which the roots of made strands lie. Default: none.
    pub scalp_positions: WithySpan,
    /// Triples of u32. Default: none, roots lie between the guides' roots.
    pub scalp_triangles: WithySpan,
    /// Of made strands: another number makes other ones.
    pub seed: u64,
    /// Vertices of each made strand, 2 to 65536. 0: as many as its guide has.
    pub vertices: u32,
    /// Must be 0.
    pub reserved: u32,
    /// How far made strands gather at the tip of their guide, [0, 1]. Default: 0.3.
    pub clump: f64,
    /// Made strands are shorter than the guides by up to this share, [0, 0.9]. Default: 0.1.
    pub shorten: f64,
    /// Width of all strands where `widths` has none, host units. 0: 7e-5 m.
    pub width: f64,
    /// Where hair is parted, rad, (0, pi]: a strand does not follow guides whose first quarter
    /// points elsewhere by more than this angle, or whose tip lies elsewhere, seen from the
    /// root, by more than this angle would take it. Default: pi / 3.
    pub parting: f64,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyRenderHairDef {
    const FIRST_SIZE: usize = 304;
    fn defaults() -> Self {
        let none = WithySpan::default();
        let Scatter { clump, shorten, .. } = Scatter::default();
        WithyRenderHairDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            rods: std::ptr::null(),
            rods_count: 0,
            per_guide: 0,
            positions: none,
            counts: none,
            widths: none,
            guides: none,
            weights: none,
            scalp_positions: none,
            scalp_triangles: none,
            seed: 0,
            vertices: 0,
            reserved: 0,
            clump,
            shorten,
            width: 0.0,
            parting: BindOptions::default().parting,
        }
    }
    fn reserved(&self) -> u32 {
        self.reserved
    }
}

/// Fills `def` with the defaults. Use the macro `withy_render_hair_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_render_hair_def_init_sized(def: *mut WithyRenderHairDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_render_hair_def_init", || unsafe { defs::init(def, size) })
}

/// Level of detail of a read. What is left out at some share is left out at all smaller ones,
/// so that nothing flickers while shares change.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyRenderHairLodDef {
    pub struct_size: u32,
    /// Must be 0.
    pub flags: u32,
    pub next: *const c_void,
    /// Share of the strands that are read, (0, 1], in a fixed random order: one at least.
    /// Widths grow as strands get fewer, so that they cover as much. Default: 1.
    pub strands: f64,
    /// Share of the edges of each strand, (0, 1]: one at least. Its ends stay. Default: 1.
    pub vertices: f64,
    /// Factor of the widths, [0, 1000]. Default: 1.
    pub width: f64,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyRenderHairLodDef {
    const FIRST_SIZE: usize = 40;
    fn defaults() -> Self {
        let Lod { strands, vertices, width } = Lod::default();
        WithyRenderHairLodDef { struct_size: 0, flags: 0, next: std::ptr::null(), strands, vertices, width }
    }
}

/// Fills `def` with the defaults: all of the hair. Use the macro
/// `withy_render_hair_lod_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_render_hair_lod_def_init_sized(def: *mut WithyRenderHairLodDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_render_hair_lod_def_init", || unsafe { defs::init(def, size) })
}

/// # Safety `rods` is NULL or has `count` handles.
unsafe fn list(world: WithyWorld, rods: *const WithyRods, count: u32) -> Result<Vec<Id>> {
    defs::not_null(rods, "rods")?;
    if !(1..=HAIR_RODS as u32).contains(&count) {
        return Err(Failure::argument(format!("rods_count is {count}: must be 1 to {HAIR_RODS}")));
    }
    // SAFETY: the caller's contract.
    let list = unsafe { List::new(rods, count.into(), "rods")? };
    (0..list.count()).map(|i| list.id(world, i)).collect()
}

/// # Safety `lod` is NULL or a def.
unsafe fn detail(lod: *const WithyRenderHairLodDef) -> Result<Lod> {
    if lod.is_null() {
        return Ok(Lod::default());
    }
    // SAFETY: the caller's contract.
    let WithyRenderHairLodDef { strands, vertices, width, .. } = unsafe { defs::read(lod)? };
    let lod = Lod { strands, vertices, width };
    lod.check().map_err(|e| Failure::argument(e.0))?;
    Ok(lod)
}

/// m: of a hair of a head.
const WIDTH: f64 = 7e-5;
/// m: what widths may be.
const WIDTHS: (f64, f64) = (0.0, 1e3);

/// Writes. Binds render hair to rods as they are now, and adds it to a world. Everything in
/// `def` is copied.
///
/// A strand follows the three guides whose roots surround its root, with barycentric weights;
/// where no three do, the up to three nearest, by their distances.
///
/// @param hair Set on success. Destroy it with `withy_render_hair_destroy`, or with its world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_render_hair_create(
    world: WithyWorld,
    def: *const WithyRenderHairDef,
    hair: *mut WithyRenderHair,
) -> i32 {
    guard::write("withy_render_hair_create", world, |cx| {
        defs::not_null(hair, "hair")?;
        // SAFETY: the caller's contract.
        let def = unsafe { defs::read(def)? };
        let c = cx.convention;
        // SAFETY: the caller's contract.
        let rods = unsafe { list(world, def.rods, def.rods_count)? };
        let options = BindOptions { parting: finite(def.parting, "parting")? };
        let width = if def.width == 0.0 { WIDTH } else { c.checked_length(def.width, "width", WIDTHS)? };
        let mut widths: Vec<f32> = match View::<1>::optional(&def.widths, "widths", FLOATS)? {
            Some(view) => view.lengths(c, WIDTHS)?.into_iter().map(|w| w as f32).collect(),
            None => vec![width as f32],
        };
        let positions = View::<3>::optional(&def.positions, "positions", FLOATS)?;
        let counts = View::<1>::optional(&def.counts, "counts", INDICES)?;
        let held = View::<3>::optional(&def.guides, "guides", INDICES)?;
        let weights = View::<3>::optional(&def.weights, "weights", FLOATS)?;
        let Some(positions) = positions else {
            if def.per_guide == 0 {
                return Err(Failure::argument("positions.count is 0 and per_guide is 0: give strands, or how many to make"));
            }
            for (name, is_given) in [("counts", counts.is_some()), ("guides", held.is_some()), ("weights", weights.is_some())] {
                if is_given {
                    return Err(Failure::argument(format!("{name}: goes with positions, not with per_guide")));
                }
            }
            if widths.len() > 1 {
                return Err(Failure::argument(format!("widths.count is {}: made strands have 1 for all", widths.len())));
            }
            let points = match View::<3>::optional(&def.scalp_positions, "scalp_positions", FLOATS)? {
                Some(view) => view.positions(c)?,
                None => Vec::new(),
            };
            let triangles = match View::<3>::optional(&def.scalp_triangles, "scalp_triangles", INDICES)? {
                Some(view) => view.indices()?,
                None => Vec::new(),
            };
            let scatter = Scatter {
                per_guide: def.per_guide,
                vertices: def.vertices,
                seed: def.seed,
                clump: finite(def.clump, "clump")?,
                shorten: finite(def.shorten, "shorten")?,
                scalp: Scalp { positions: &points, triangles: &triangles },
                widths: &widths,
            };
            let id = cx.world.add_hair(&rods, HairSource::Scatter(scatter), &options)?;
            // SAFETY: the caller's contract.
            return unsafe { defs::store(hair, handles::object(world, id), "hair") };
        };
        if def.per_guide != 0 {
            return Err(Failure::argument(format!("per_guide is {}: with positions it must be 0", def.per_guide)));
        }
        let positions = positions.positions(c)?;
        let Some(counts) = counts else { return Err(Failure::argument("counts.count is 0: positions go with counts")) };
        let counts: Vec<u32> = counts.indices()?.into_iter().map(|[n]| n).collect();
        if widths.is_empty() {
            widths.push(width as f32);
        }
        let strands = Strands { counts: &counts, positions: &positions, widths: &widths };
        let n = counts.len();
        let id = match (held, weights) {
            (None, None) => cx.world.add_hair(&rods, HairSource::Groom(strands), &options)?,
            (Some(held), Some(weights)) => {
                let guides = held.counted(&[(n, "one a strand")])?.indices()?;
                let weights = weights.counted(&[(n, "one a strand")])?.vectors(|v| v)?;
                cx.world.add_hair(&rods, HairSource::Weighted { strands, guides: &guides, weights: &weights }, &options)?
            }
            (Some(_), None) => return Err(Failure::argument("weights.count is 0: guides go with weights")),
            (None, Some(_)) => return Err(Failure::argument("guides.count is 0: weights go with guides")),
        };
        // SAFETY: the caller's contract.
        unsafe { defs::store(hair, handles::object(world, id), "hair") }
    })
}

/// Writes. Adds saved render hair to a world. The rods may be anywhere, but must have the
/// strands that the hair was bound to.
///
/// @param rods `rods_count` sets of rods, in the order of the hair that was saved.
/// @param rods_count 1 to 4096.
/// @param data `size` bytes of `withy_render_hair_save`.
/// @param size Number of bytes.
/// @param hair Set on success.
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if the bytes are damaged, of another version, or
///     of other rods.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_render_hair_load(
    world: WithyWorld,
    rods: *const WithyRods,
    rods_count: u32,
    data: *const c_void,
    size: u64,
    hair: *mut WithyRenderHair,
) -> i32 {
    guard::write("withy_render_hair_load", world, |cx| {
        defs::not_null(hair, "hair")?;
        defs::not_null(data, "data")?;
        // SAFETY: the caller's contract.
        let rods = unsafe { list(world, rods, rods_count)? };
        // SAFETY: the caller's contract.
        let id = cx.world.load_hair(&rods, unsafe { span::bytes(data, size, ["data", "size"])? })?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(hair, handles::object(world, id), "hair") }
    })
}

/// Writes. Removes render hair.
#[unsafe(no_mangle)]
pub extern "C" fn withy_render_hair_destroy(hair: WithyRenderHair) -> i32 {
    guard::write("withy_render_hair_destroy", hair, |cx| Ok(cx.world.remove_hair(cx.id)?))
}

/// Reads. Writes the hair with its weights into `data`, for `withy_render_hair_load`. The bytes are
/// the same on all machines. Roots that `withy_render_hair_set_roots` gave are not in them.
///
/// @param data Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the bytes of the hair.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_render_hair_save(hair: WithyRenderHair, data: *mut c_void, size: *mut u64) -> i32 {
    guard::read("withy_render_hair_save", hair, |cx| {
        let hair = cx.world.hair(cx.id)?;
        // SAFETY: the caller's contract; `buffer` has checked the room.
        unsafe {
            if let Some(data) = span::buffer(data.cast::<u8>(), size, hair.saved_size(), "size")? {
                let bytes = hair.save();
                data.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            }
        }
        Ok(())
    })
}

/// Writes. Says where the roots are, for a scalp that is not rigid: each strand then begins
/// exactly there, turned as its root is, and comes to follow its guides towards the tip.
/// Without it the guides take the roots along. The roots stay until they are given again, and
/// are not part of a saved state.
///
/// @param positions Vectors, one a strand, host units. NULL, as the other: the guides again.
/// @param rotations Quaternions xyzw, one a strand: how roots have turned since the hair was
///     created.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_render_hair_set_roots(
    hair: WithyRenderHair,
    positions: *const WithySpan,
    rotations: *const WithySpan,
) -> i32 {
    guard::write("withy_render_hair_set_roots", hair, |cx| {
        let n = cx.world.hair(cx.id)?.strands();
        let (mut points, mut turns) = (Vec::new(), Vec::new());
        if !(positions.is_null() && rotations.is_null()) {
            // SAFETY: the caller's contract.
            points = unsafe { View::<3>::argument(positions, "positions", n, "strands")? }.positions(cx.convention)?;
            // SAFETY: the caller's contract.
            turns = unsafe { View::<4>::argument(rotations, "rotations", n, "strands")? }.rotations(cx.convention)?;
        }
        Ok(cx.world.set_hair_roots(cx.id, points, turns)?)
    })
}

/// Reads. Which strands a level of detail reads, how many vertices of each, and their widths:
/// all that does not change from step to step.
///
/// @param lod NULL: all of the hair.
/// @param strands u32, one a strand that is read: its number, ascending. NULL: not wanted.
/// @param counts u32, one a strand that is read: its vertices. NULL: not wanted.
/// @param widths Numbers, one a vertex that is read, host units. NULL: not wanted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_render_hair_read_layout(
    hair: WithyRenderHair,
    lod: *const WithyRenderHairLodDef,
    strands: *mut WithySpan,
    counts: *mut WithySpan,
    widths: *mut WithySpan,
) -> i32 {
    guard::read("withy_render_hair_read_layout", hair, |cx| {
        // SAFETY: the caller's contract.
        let lod = unsafe { detail(lod)? };
        let c = cx.convention;
        cx.world.plan_hair(cx.id, lod, |hair, plan| {
            // SAFETY: the caller's contract.
            let strands = unsafe { Output::<1>::wanted(strands, plan.strands(), INDICES, "strands")? };
            // SAFETY: the caller's contract.
            let counts = unsafe { Output::<1>::wanted(counts, plan.strands(), INDICES, "counts")? };
            // SAFETY: the caller's contract.
            let widths = unsafe { Output::<1>::wanted(widths, plan.vertices(), FLOATS, "widths")? };
            for (i, kept) in plan.kept().iter().enumerate() {
                if let Some(out) = &strands {
                    out.put_u32(i, kept.strand);
                }
                if let Some(out) = &counts {
                    out.put_u32(i, kept.vertices);
                }
            }
            if let Some(out) = widths {
                plan.widths(hair, |i, w| out.put(i, [c.length_out(w)]));
            }
            Ok(())
        })?
    })
}

/// Reads. Where the rods take the hair now, strand after strand. The call runs on the
/// context's threads. It is fastest into f32 without a gap between the vectors. In a world on
/// the GPU it is made there, and nothing of the rods is read.
///
/// @param lod NULL: all of the hair.
/// @param positions Vectors, one a vertex that is read, host units. NULL: not wanted.
/// @param tangents Vectors of length 1, one a vertex that is read, towards the tip; 0 where
///     two neighbours of a vertex are in one place. NULL: not wanted.
/// @return WITHY_ERROR_INVALID_HANDLE: also if one of the rods has been destroyed.
///     WITHY_ERROR_INVALID_ARGUMENT: also if the rods have flown farther than 1e9 m.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_render_hair_read(
    hair: WithyRenderHair,
    lod: *const WithyRenderHairLodDef,
    positions: *mut WithySpan,
    tangents: *mut WithySpan,
) -> i32 {
    guard::read("withy_render_hair_read", hair, |cx| {
        // SAFETY: the caller's contract.
        let lod = unsafe { detail(lod)? };
        let n = cx.world.plan_hair(cx.id, lod, |_, plan| plan.vertices())?;
        // SAFETY: the caller's contract.
        let positions = unsafe { Output::<3>::wanted(positions, n, FLOATS, "positions")? };
        // SAFETY: the caller's contract.
        let tangents = unsafe { Output::<3>::wanted(tangents, n, FLOATS, "tangents")? };
        if positions.is_none() && tangents.is_none() {
            return Ok(());
        }
        let target = |o: Option<Output<3>>| o.map_or(Target::NONE, |o| o.target());
        let (axis, sign, scale) = cx.convention.place();
        let out = Out { positions: target(positions), tangents: target(tangents), axis, sign, scale };
        // SAFETY: `wanted` has checked the room, which is the host's alone by contract.
        unsafe { cx.world.read_hair(cx.id, lod, cx.runner, out)? };
        Ok(())
    })
}

/// Reads. The guides that each strand follows, and its weights, to show or to paint them.
/// Weights add up to 1; a guide with weight 0 is not used.
///
/// @param guides Three of u32 a strand, as in WithyRenderHairDef, or NULL.
/// @param weights Three numbers a strand, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_render_hair_read_weights(
    hair: WithyRenderHair,
    guides: *mut WithySpan,
    weights: *mut WithySpan,
) -> i32 {
    guard::read("withy_render_hair_read_weights", hair, |cx| {
        let hair = cx.world.hair(cx.id)?;
        let n = hair.strands();
        // SAFETY: the caller's contract.
        let guides = unsafe { Output::<3>::wanted(guides, n, INDICES, "guides")? };
        // SAFETY: the caller's contract.
        let weights = unsafe { Output::<3>::wanted(weights, n, FLOATS, "weights")? };
        for i in 0..n {
            let followed = hair.followed(i);
            if let Some(out) = &guides {
                out.put_u32s(i, followed.guides);
            }
            if let Some(out) = &weights {
                out.put(i, followed.weights.map(f64::from));
            }
        }
        Ok(())
    })
}
