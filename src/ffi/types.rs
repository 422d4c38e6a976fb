//! Vectors and arrays
//!
//! Numbers that travel alone are doubles. Arrays travel as spans: f32 or f64, any stride, no alignment needed.

use std::ffi::c_void;

/// The scalars of a span.
pub const WITHY_FORMAT_F32: u32 = 1;
pub const WITHY_FORMAT_F64: u32 = 2;
/// For counts and indices only.
pub const WITHY_FORMAT_U32: u32 = 3;

/// A count of everything there is, for calls about some of many; their array is NULL then. NULL and 0 is an empty array: nothing.
pub const WITHY_ALL: u64 = u64::MAX;

/// An array of the host's: `count` elements, `stride` bytes from one to the next. How many scalars an element has (1, 3 for a
/// vector, 4 for a quaternion xyzw) each use says.
///
/// As an input it is read during the call only, and "none" is a count of 0. As an output `count` is the room, and is set to the
/// number of elements that the object has: with NULL data nothing else happens, and with too little room nothing is written and
/// the call fails with WITHY_ERROR_TOO_SMALL. Only the scalars are written, not the bytes between them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithySpan {
    pub data: *mut c_void,
    pub count: u64,
    /// Bytes; 0: densely packed. Never less than an element.
    pub stride: u64,
    /// A WITHY_FORMAT_ value.
    pub format: u32,
    /// 0
    pub reserved: u32,
}

impl Default for WithySpan {
    fn default() -> Self {
        WithySpan { data: std::ptr::null_mut(), count: 0, stride: 0, format: 0, reserved: 0 }
    }
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyVec3 {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

/// A rotation: of unit length within 1 %, and normalised on entry.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyQuat {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub w: f64,
}

/// A rigid transform, from local to world.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyPose {
    pub position: WithyVec3,
    pub rotation: WithyQuat,
}

impl WithyVec3 {
    pub(super) fn array(self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }
    pub(super) fn new([x, y, z]: [f64; 3]) -> WithyVec3 {
        WithyVec3 { x, y, z }
    }
}

impl WithyPose {
    pub(super) const IDENTITY: WithyPose =
        WithyPose { position: WithyVec3 { x: 0.0, y: 0.0, z: 0.0 }, rotation: WithyQuat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 } };
}
