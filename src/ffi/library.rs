//! Versions and errors
//!
//! Every function that can fail returns one of these codes. `withy_last_error` gives the reason in
//! words.

use std::ffi::c_char;

use super::guard;

pub const WITHY_OK: i32 = 0;
/// A pointer, number, count, stride or index that cannot be used.
pub const WITHY_ERROR_INVALID_ARGUMENT: i32 = -1;
/// The handle is null, or names a destroyed object, an object of another kind or of another world.
pub const WITHY_ERROR_INVALID_HANDLE: i32 = -2;
/// This version, this build or this machine cannot do it.
pub const WITHY_ERROR_UNSUPPORTED: i32 = -3;
/// Another call is using the world. Try again later.
pub const WITHY_ERROR_BUSY: i32 = -4;
/// There is not enough memory.
pub const WITHY_ERROR_OUT_OF_MEMORY: i32 = -5;
/// A fault of the library. This world can only be destroyed now; other worlds go on.
pub const WITHY_ERROR_PANIC: i32 = -6;
/// The output array is too small. Its count now says how much room is needed.
pub const WITHY_ERROR_TOO_SMALL: i32 = -7;

const fn number(digits: &str) -> u32 {
    let mut value = 0;
    let mut i = 0;
    while i < digits.len() {
        value = 10 * value + (digits.as_bytes()[i] - b'0') as u32;
        i += 1;
    }
    value
}

const MAJOR: u32 = number(env!("CARGO_PKG_VERSION_MAJOR"));
const MINOR: u32 = number(env!("CARGO_PKG_VERSION_MINOR"));
const PATCH: u32 = number(env!("CARGO_PKG_VERSION_PATCH"));

/// The version of the library that is running: major * 2^22 + minor * 2^12 + patch, as
/// WITHY_VERSION.
#[unsafe(no_mangle)]
pub extern "C" fn withy_version() -> u32 {
    MAJOR << 22 | MINOR << 12 | PATCH
}

/// Tells whether a program compiled with the header of `header_version` can use this library. Pass
/// WITHY_VERSION. The major versions must be equal; before 1.0 the minor versions, too.
///
/// @return WITHY_OK if it can, WITHY_ERROR_UNSUPPORTED if not.
#[unsafe(no_mangle)]
pub extern "C" fn withy_check_version(header_version: u32) -> i32 {
    guard::call("withy_check_version", || {
        let (major, minor) = (header_version >> 22, header_version >> 12 & 0x3ff);
        // What must agree: (major), or (0, minor).
        let series = |major, minor| (major, if major == 0 { minor } else { 0 });
        if series(major, minor) == series(MAJOR, MINOR) {
            return Ok(());
        }
        let patch = header_version & 0xfff;
        let ours = env!("CARGO_PKG_VERSION");
        Err(guard::Failure::unsupported(format!("the header is of version {major}.{minor}.{patch}, the library of {ours}")))
    })
}

/// Why the last failed call of this thread failed: the function, the field, the index and the
/// value. Never NULL. Empty before the first failure. The text is valid until the next failure on
/// this thread; calls that succeed do not change it.
#[unsafe(no_mangle)]
pub extern "C" fn withy_last_error() -> *const c_char {
    guard::last_error()
}

/// The name of a result as text: "WITHY_ERROR_BUSY" for WITHY_ERROR_BUSY, "unknown" for any other
/// number. The string is constant.
#[unsafe(no_mangle)]
pub extern "C" fn withy_result_name(result: i32) -> *const c_char {
    let name = match result {
        WITHY_OK => c"WITHY_OK",
        WITHY_ERROR_INVALID_ARGUMENT => c"WITHY_ERROR_INVALID_ARGUMENT",
        WITHY_ERROR_INVALID_HANDLE => c"WITHY_ERROR_INVALID_HANDLE",
        WITHY_ERROR_UNSUPPORTED => c"WITHY_ERROR_UNSUPPORTED",
        WITHY_ERROR_BUSY => c"WITHY_ERROR_BUSY",
        WITHY_ERROR_OUT_OF_MEMORY => c"WITHY_ERROR_OUT_OF_MEMORY",
        WITHY_ERROR_PANIC => c"WITHY_ERROR_PANIC",
        WITHY_ERROR_TOO_SMALL => c"WITHY_ERROR_TOO_SMALL",
        _ => c"unknown",
    };
    name.as_ptr()
}
