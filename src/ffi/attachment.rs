//! Attachments
//!
//! An attachment ties the end of a strand to a triangle, to a body or to other strands. The end
//! must be WITHY_SUPPORT_FREE, and can have one attachment. Both sides pull on each other, by their
//! masses.

use std::ffi::c_void;

use super::body::WithyBody;
use super::convention::finite;
use super::defs::{self, Def};
use super::guard::{self, Failure};
use super::handles;
use super::mesh::WithyMesh;
use super::rods::WithyRods;
use crate::world::{Id, StrandEnd, validate};

/// Handle of an attachment.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyAttachment {
    pub bits: u64,
}
handles::handle!(WithyAttachment, Attachment, "attachment");

/// The first vertex of a strand.
pub const WITHY_END_ROOT: u32 = 0;
/// The last vertex of a strand.
pub const WITHY_END_TIP: u32 = 1;

/// One end of one strand.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyStrandEnd {
    pub rods: WithyRods,
    /// The number of the strand in the set.
    pub strand: u32,
    /// A WITHY_END_ value.
    pub end: u32,
}

/// A flag: the end also turns with the triangle or the body. Without it the strand turns freely.
pub const WITHY_ATTACH_CLAMPED: u32 = 1;

/// How to tie a strand to a triangle.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyTriangleAttachmentDef {
    pub struct_size: u32,
    /// WITHY_ATTACH_CLAMPED, or 0 (the default).
    pub flags: u32,
    pub next: *const c_void,
    /// The end that is tied. Required.
    pub end: WithyStrandEnd,
    /// In the same world. Required.
    pub mesh: WithyMesh,
    /// The number of the triangle in the mesh. Default: 0.
    pub triangle: u32,
    /// Must be 0.
    pub reserved: u32,
    /// Where on the triangle, as weights of its three vertices. They add up to 1 within 1e-3.
    /// Default: the middle.
    pub barycentric: [f64; 3],
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyTriangleAttachmentDef {
    const FIRST_SIZE: usize = 72;
    const FLAGS: u32 = WITHY_ATTACH_CLAMPED;
    fn defaults() -> Self {
        WithyTriangleAttachmentDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            end: WithyStrandEnd::default(),
            mesh: WithyMesh::default(),
            triangle: 0,
            reserved: 0,
            barycentric: [1.0 / 3.0; 3],
        }
    }
    fn reserved(&self) -> u32 {
        self.reserved
    }
}

/// How to tie a strand to a body.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyBodyAttachmentDef {
    pub struct_size: u32,
    /// WITHY_ATTACH_CLAMPED, or 0 (the default).
    pub flags: u32,
    pub next: *const c_void,
    /// The end that is tied. Required.
    pub end: WithyStrandEnd,
    /// In the same world. Required.
    pub body: WithyBody,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyBodyAttachmentDef {
    const FIRST_SIZE: usize = 40;
    const FLAGS: u32 = WITHY_ATTACH_CLAMPED;
    fn defaults() -> Self {
        WithyBodyAttachmentDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            end: WithyStrandEnd::default(),
            body: WithyBody::default(),
        }
    }
}

/// How to join ends of strands to each other.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyJunctionDef {
    pub struct_size: u32,
    pub flags: u32,
    pub next: *const c_void,
    /// `end_count` different ends, all in one world.
    pub ends: *const WithyStrandEnd,
    /// 2 to 65,536.
    pub end_count: u32,
    /// Must be 0.
    pub reserved: u32,
    /// Size of the small body that joins the ends, host units, [1e-9, 1e3] m: with the mass it
    /// gives the resistance to turning. 0 (the default): the mean length of the edges that meet.
    pub radius: f64,
    /// Mass of that body, kg, [1e-12, 1e9]. 0 (the default): the mass of the vertices that meet;
    /// they keep theirs.
    pub mass: f64,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyJunctionDef {
    const FIRST_SIZE: usize = 48;
    fn defaults() -> Self {
        WithyJunctionDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            ends: std::ptr::null(),
            end_count: 0,
            reserved: 0,
            radius: 0.0,
            mass: 0.0,
        }
    }
    fn reserved(&self) -> u32 {
        self.reserved
    }
}

fn strand_end(end: &WithyStrandEnd, name: &str) -> guard::Result<StrandEnd> {
    Ok(StrandEnd { strand: end.strand, tip: defs::boolean(end.end, &format!("{name}.end"))? })
}

/// Fills `def` with the defaults. Use the macro `withy_triangle_attachment_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_triangle_attachment_def_init_sized(def: *mut WithyTriangleAttachmentDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_triangle_attachment_def_init", || unsafe { defs::init(def, size) })
}

/// Writes. Ties the end of a strand to a point of a triangle. If the end is elsewhere the next
/// steps pull it there.
///
/// A mesh vertex of inverse mass 0 does not give. Others need at least a fiftieth of the strand's
/// mass to carry it. Stiff strands that are clamped to an elastic mesh may gain energy.
///
/// @param attachment Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: the world is on the GPU.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_attachment_create_triangle(
    def: *const WithyTriangleAttachmentDef,
    attachment: *mut WithyAttachment,
) -> i32 {
    const FUNCTION: &str = "withy_attachment_create_triangle";
    let mut copy = WithyTriangleAttachmentDef::defaults();
    // SAFETY: the caller's contract.
    let read = guard::call(FUNCTION, || unsafe {
        copy = defs::read(def)?;
        handles::named(copy.end.rods, "end.rods")?;
        defs::not_null(attachment, "attachment")
    });
    if read != 0 {
        return read;
    }
    guard::write(FUNCTION, copy.end.rods, |cx| {
        let mesh = handles::same_world(copy.end.rods, copy.mesh, "mesh")?;
        for (k, weight) in copy.barycentric.into_iter().enumerate() {
            finite(weight, &format!("barycentric[{k}]"))?;
        }
        let end = strand_end(&copy.end, "end")?;
        let clamped = copy.flags & WITHY_ATTACH_CLAMPED != 0;
        let id = cx.world.attach_triangle(cx.id, end, mesh, copy.triangle, copy.barycentric, clamped)?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(attachment, handles::object(copy.end.rods, id), "attachment") }
    })
}

/// Fills `def` with the defaults. Use the macro `withy_body_attachment_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_body_attachment_def_init_sized(def: *mut WithyBodyAttachmentDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_body_attachment_def_init", || unsafe { defs::init(def, size) })
}

/// Writes. Ties the end of a strand to a body, at the point where the end is now. Static and
/// kinematic bodies do not give. The body falls asleep together with all that hangs on it, and the
/// attachment is destroyed with it.
///
/// Tie it at the surface, or where the layers of rods and body do not meet: a strand that runs
/// inside a body which it touches is pressed out of it, and pulls many times as hard.
///
/// @param attachment Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: the world is on the GPU.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_attachment_create_body(
    def: *const WithyBodyAttachmentDef,
    attachment: *mut WithyAttachment,
) -> i32 {
    const FUNCTION: &str = "withy_attachment_create_body";
    let mut copy = WithyBodyAttachmentDef::defaults();
    // SAFETY: the caller's contract.
    let read = guard::call(FUNCTION, || unsafe {
        copy = defs::read(def)?;
        handles::named(copy.end.rods, "end.rods")?;
        defs::not_null(attachment, "attachment")
    });
    if read != 0 {
        return read;
    }
    guard::write(FUNCTION, copy.end.rods, |cx| {
        let body = handles::same_world(copy.end.rods, copy.body, "body")?;
        let end = strand_end(&copy.end, "end")?;
        let id = cx.world.attach_body(cx.id, end, body, copy.flags & WITHY_ATTACH_CLAMPED != 0)?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(attachment, handles::object(copy.end.rods, id), "attachment") }
    })
}

/// Fills `def` with the defaults. Use the macro `withy_junction_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_junction_def_init_sized(def: *mut WithyJunctionDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_junction_def_init", || unsafe { defs::init(def, size) })
}

/// Writes. Joins ends of strands rigidly to each other, for trees, nets and loops. The ends are
/// moved to the mean of their positions. The angles between them stay as they are now.
///
/// @param attachment Set on success.
/// @return WITHY_ERROR_UNSUPPORTED: the world is on the GPU.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_attachment_create_junction(def: *const WithyJunctionDef, attachment: *mut WithyAttachment) -> i32 {
    const FUNCTION: &str = "withy_attachment_create_junction";
    let (mut copy, mut ends) = (WithyJunctionDef::defaults(), Vec::new());
    let read = guard::call(FUNCTION, || {
        // SAFETY: the caller's contract.
        copy = unsafe { defs::read(def)? };
        defs::not_null(attachment, "attachment")?;
        defs::not_null(copy.ends, "ends")?;
        if !(2..=1 << 16).contains(&copy.end_count) {
            return Err(Failure::argument(format!("end_count is {}: must be 2 to 65536", copy.end_count)));
        }
        // SAFETY: the caller's contract.
        ends = (0..copy.end_count as usize).map(|i| unsafe { copy.ends.add(i).read_unaligned() }).collect();
        handles::named(ends[0].rods, "ends[0].rods")?;
        Ok(())
    });
    if read != 0 {
        return read;
    }
    guard::write(FUNCTION, ends[0].rods, |cx| {
        let mut resolved: Vec<(Id, StrandEnd)> = Vec::with_capacity(ends.len());
        for (i, end) in ends.iter().enumerate() {
            let name = format!("ends[{i}]");
            let rods = handles::same_world(ends[0].rods, end.rods, &format!("{name}.rods"))?;
            resolved.push((rods, strand_end(end, &name)?));
        }
        let radius = match copy.radius {
            0.0 => 0.0,
            radius => cx.convention.checked_length(radius, "radius", validate::JUNCTION_RADIUS)?,
        };
        let id = cx.world.add_junction(&resolved, radius, finite(copy.mass, "mass")?)?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(attachment, handles::object(ends[0].rods, id), "attachment") }
    })
}

/// Writes. Lets the ends go.
#[unsafe(no_mangle)]
pub extern "C" fn withy_attachment_destroy(attachment: WithyAttachment) -> i32 {
    guard::write("withy_attachment_destroy", attachment, |cx| Ok(cx.world.remove_attachment(cx.id)?))
}
