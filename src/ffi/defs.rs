//! The protocol of the `…Def` structs. A host's struct may be shorter than ours (an older header: what it lacks gets its
//! default) or longer (a newer header: fine as long as it leaves the surplus zero). `docs/c_abi.md` has the rules.

use std::ffi::c_void;
use std::mem::{align_of, size_of};

use super::guard::{Failure, Result};

/// Larger sizes are taken for garbage rather than read.
const LARGEST_SIZE: usize = 1 << 16;

/// # Safety
/// `#[repr(C)]` without padding, starts with [`DefHeader`]'s three fields, and every bit pattern is a value.
pub unsafe trait Def: Copy {
    /// The size in the first release that had it.
    const FIRST_SIZE: usize;
    /// The flag bits that mean something.
    const FLAGS: u32 = 0;
    fn defaults() -> Self;
    /// The fields kept for later, which must be 0.
    fn reserved(&self) -> u32 {
        0
    }
}

/// How every def starts.
#[repr(C)]
#[derive(Clone, Copy)]
struct DefHeader {
    struct_size: u32,
    flags: u32,
    next: *const c_void,
}

/// Compilers give a struct no other size than a multiple of its alignment: one that would cut a field in two is garbage.
fn check_size<D: Def>(size: usize) -> Result<()> {
    let step = align_of::<D>();
    if size < D::FIRST_SIZE || size > LARGEST_SIZE || !size.is_multiple_of(step) {
        let what = if size == 0 { " (use the _init macro)" } else { "" };
        let must = format!("{} to {LARGEST_SIZE}, a multiple of {step}", D::FIRST_SIZE);
        return Err(Failure::argument(format!("struct_size is {size}{what}: must be {must}")));
    }
    Ok(())
}

/// Fills `size` bytes at `def` with the defaults; what this library does not know becomes zero.
///
/// # Safety
/// `def` is NULL or writable for `size` bytes.
pub unsafe fn init<D: Def>(def: *mut D, size: u32) -> Result<()> {
    // SAFETY: by contract.
    unsafe { init_with(def, size, D::defaults()) }
}

/// The same with other defaults than the struct's own.
///
/// # Safety
/// `def` is NULL or writable for `size` bytes.
pub unsafe fn init_with<D: Def>(def: *mut D, size: u32, defaults: D) -> Result<()> {
    let size = size as usize;
    if def.is_null() {
        return Err(Failure::argument("def is NULL"));
    }
    check_size::<D>(size)?;
    let bytes = def.cast::<u8>();
    // SAFETY: `size` bytes are writable; the defaults are plain bytes that begin with a `DefHeader`, of which the size is the host's.
    unsafe {
        bytes.write_bytes(0, size);
        bytes.copy_from_nonoverlapping((&raw const defaults).cast(), size.min(size_of::<D>()));
        bytes.cast::<u32>().write_unaligned(size as u32);
    }
    Ok(())
}

/// Fills a def that the host has prepared with its `_init` macro.
///
/// # Safety
/// `def` is NULL, or is readable and writable for the `struct_size` bytes that it claims.
pub unsafe fn fill<D: Def>(def: *mut D, value: D) -> Result<()> {
    // SAFETY: by contract: every def has at least its size field.
    let size = if def.is_null() { 0 } else { unsafe { def.cast::<u32>().read_unaligned() } };
    // SAFETY: by contract.
    unsafe { init_with(def, size, value) }
}

/// A copy of the host's def with the defaults for what an older host does not have.
///
/// # Safety
/// `def` is NULL or readable for the `struct_size` bytes that it claims.
pub unsafe fn read<D: Def>(def: *const D) -> Result<D> {
    if def.is_null() {
        return Err(Failure::argument("def is NULL"));
    }
    let bytes = def.cast::<u8>();
    // SAFETY: every def has at least its size field.
    let size = unsafe { bytes.cast::<u32>().read_unaligned() } as usize;
    check_size::<D>(size)?;
    // SAFETY: `FIRST_SIZE` covers the header.
    let header = unsafe { bytes.cast::<DefHeader>().read_unaligned() };
    if !header.next.is_null() {
        return Err(Failure::unsupported("next is not NULL: this version has no extensions"));
    }
    if header.flags & !D::FLAGS != 0 {
        return Err(Failure::unsupported(format!("flags is 0x{:x}: this version knows 0x{:x}", header.flags, D::FLAGS)));
    }
    for i in size_of::<D>()..size {
        // SAFETY: below the size that the host claims.
        if unsafe { bytes.add(i).read() } != 0 {
            let known = size_of::<D>();
            return Err(Failure::unsupported(format!("byte {i} is set: this version knows the first {known} (a newer header?)")));
        }
    }
    let mut value = D::defaults();
    // SAFETY: both sides have these bytes, and every bit pattern is a value.
    unsafe { (&raw mut value).cast::<u8>().copy_from_nonoverlapping(bytes, size.min(size_of::<D>())) };
    match value.reserved() {
        0 => Ok(value),
        bits => Err(Failure::unsupported(format!("reserved is {bits}: must be 0"))),
    }
}

/// The value of a field that is one of `0..names`.
pub fn choice<T: Copy>(value: u32, choices: &[T], name: &str) -> Result<T> {
    choices
        .get(value as usize)
        .copied()
        .ok_or_else(|| Failure::argument(format!("{name} is {value}: must be 0 to {}", choices.len() - 1)))
}

pub fn boolean(value: u32, name: &str) -> Result<bool> {
    choice(value, &[false, true], name)
}

/// Fills `size` bytes of a host's struct with ours; what this library does not know becomes zero.
///
/// # Safety
/// `out` is NULL or writable for `size` bytes. `T` is `#[repr(C)]` without padding.
pub unsafe fn write_out<T: Copy>(out: *mut T, size: u32, value: T) -> Result<()> {
    let size = size as usize;
    if out.is_null() {
        return Err(Failure::argument("out is NULL"));
    }
    if size == 0 || size > LARGEST_SIZE || !size.is_multiple_of(align_of::<T>()) {
        return Err(Failure::argument(format!("struct_size is {size}: must be the size of the struct")));
    }
    // SAFETY: `size` bytes are writable by contract.
    unsafe {
        out.cast::<u8>().write_bytes(0, size);
        out.cast::<u8>().copy_from_nonoverlapping((&raw const value).cast(), size.min(size_of::<T>()));
    }
    Ok(())
}

/// Stores a result where the host asked for it.
///
/// # Safety
/// `out` is NULL or writable.
pub unsafe fn store<T>(out: *mut T, value: T, name: &str) -> Result<()> {
    if out.is_null() {
        return Err(Failure::argument(format!("{name} is NULL")));
    }
    // SAFETY: by contract; no alignment is asked.
    unsafe { out.write_unaligned(value) };
    Ok(())
}

pub fn not_null<T>(pointer: *const T, name: &str) -> Result<()> {
    if pointer.is_null() { Err(Failure::argument(format!("{name} is NULL"))) } else { Ok(()) }
}

/// # Safety
/// `pointer` is NULL or readable.
pub unsafe fn load<T: Copy>(pointer: *const T, name: &str) -> Result<T> {
    not_null(pointer, name)?;
    // SAFETY: by contract; no alignment is asked.
    Ok(unsafe { pointer.read_unaligned() })
}
