//! Vectors and arrays
//!
//! Single numbers are doubles. Arrays are spans: f32 or f64, with any stride and alignment.

use std::ffi::c_void;

/// 32-bit floats.
pub const WITHY_FORMAT_F32: u32 = 1;
/// 64-bit floats.
pub const WITHY_FORMAT_F64: u32 = 2;
/// 32-bit unsigned integers: for counts and indices only.
pub const WITHY_FORMAT_U32: u32 = 3;

/// As a count, next to an array that is NULL: all objects. (NULL with a count of 0 is an empty
/// array.)
pub const WITHY_ALL: u64 = 0xffff_ffff_ffff_ffff;

/// An array of the host: where it is, how many elements it has, and of which type. The function or
/// field that takes it says what an element is: a number, a vector of 3 or a quaternion of 4
/// numbers.
///
/// As an input it is read during the call and not kept. A count of 0 means "none".
///
/// As an output, set `count` to the room that the array has. The call sets it to the number of
/// elements that the object has, and writes them. If `data` is NULL it only sets `count`. If there
/// is too little room it writes nothing and fails with WITHY_ERROR_TOO_SMALL.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithySpan {
    pub data: *mut c_void,
    /// Elements, not numbers: 21 for 21 vectors.
    pub count: u64,
    /// Bytes from one element to the next. 0: densely packed.
    pub stride: u64,
    /// A WITHY_FORMAT_ value.
    pub format: u32,
    /// Must be 0.
    pub reserved: u32,
}

impl Default for WithySpan {
    fn default() -> Self {
        WithySpan { data: std::ptr::null_mut(), count: 0, stride: 0, format: 0, reserved: 0 }
    }
}

/// A point, direction, velocity or force.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyVec3 {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

/// A rotation. Its length must be 1 within 1 %; the library normalises it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyQuat {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub w: f64,
}

/// A position and a rotation: takes a local point x to rotation * x + position.
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
