//! Assets
//!
//! One file for what a host saves: settings, rest shapes, bound skins and render hair. It is made of
//! named chunks. Each has the type of its data, a version of its own and a checksum, so that a file
//! tells what is in it, and a newer program reads what an older one wrote.
//!
//! Take the chunks that you know by their names, and pass the others on when you write the file
//! again. Names are yours. What the library saves (`withy_rods_save_rest_shape`, `withy_skin_save`,
//! `withy_render_hair_save`) is the data of a chunk of WITHY_ASSET_BYTES.

use std::ffi::{c_char, c_void};

use super::defs;
use super::guard::{self, Failure, Result};
use super::span;
use crate::asset::{self, Chunk};

/// Bytes of any meaning.
pub const WITHY_ASSET_BYTES: u32 = 0;
/// An array of 32-bit floats.
pub const WITHY_ASSET_F32: u32 = 1;
/// An array of 64-bit floats.
pub const WITHY_ASSET_F64: u32 = 2;
/// An array of 32-bit unsigned integers.
pub const WITHY_ASSET_U32: u32 = 3;
/// Text in UTF-8, JSON for example. It has no zero at its end.
pub const WITHY_ASSET_TEXT: u32 = 4;

const _: () = {
    let ours = [WITHY_ASSET_BYTES, WITHY_ASSET_F32, WITHY_ASSET_F64, WITHY_ASSET_U32, WITHY_ASSET_TEXT];
    let of_the_file = [asset::BYTES, asset::F32, asset::F64, asset::U32, asset::TEXT];
    let mut i = 0;
    while i < ours.len() {
        assert!(ours[i] == of_the_file[i]);
        i += 1;
    }
};

/// A part of an asset.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyAssetChunk {
    /// UTF-8 with a zero at its end, 1 to 255 bytes without it, no control characters.
    pub name: *const c_char,
    /// `size` bytes, little-endian, rows one behind the other. NULL if there are none.
    pub data: *const c_void,
    pub size: u64,
    /// Count it up when what you save under this name means something else.
    pub version: u32,
    /// A WITHY_ASSET_ value. Others are of a newer library: pass such chunks on.
    pub format: u32,
    /// Numbers in a row of an array. 0 of bytes and text.
    pub columns: u32,
    /// Must be 0.
    pub reserved: u32,
}

/// # Safety `name` is NULL or a string that ends with a zero and stays.
unsafe fn name<'a>(name: *const c_char, i: usize) -> Result<&'a str> {
    defs::not_null(name, &format!("chunks[{i}].name"))?;
    // No further than a name may reach, in case that the zero is missing.
    let bytes = (0..=asset::LONGEST_NAME).map(|k| name.wrapping_add(k));
    // SAFETY: no byte behind the first zero is read.
    let length = bytes.into_iter().position(|at| unsafe { at.read() } == 0);
    let Some(length) = length else {
        return Err(Failure::argument(format!("chunks[{i}].name has more than {} bytes", asset::LONGEST_NAME)));
    };
    // SAFETY: that many bytes were read.
    let bytes = unsafe { std::slice::from_raw_parts(name.cast::<u8>(), length) };
    std::str::from_utf8(bytes).map_err(|_| Failure::argument(format!("chunks[{i}].name is no UTF-8")))
}

/// Tells what is in an asset, and whether it is whole. Enters no world.
///
/// @param data `size` bytes of `withy_asset_write`.
/// @param size Number of bytes.
/// @param chunks Room for `*count` chunks, or NULL to learn the count. Names and data that they
///     point to lie in `data`, arrays at multiples of 8 bytes from its begin.
/// @param count Set to the number of chunks.
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if the bytes are damaged, or of a newer library. The
///     error then names the chunk and the byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_asset_read(data: *const c_void, size: u64, chunks: *mut WithyAssetChunk, count: *mut u64) -> i32 {
    guard::call("withy_asset_read", || {
        defs::not_null(data, "data")?;
        // SAFETY: the caller's contract.
        let found = asset::read(unsafe { span::bytes(data, size, ["data", "size"])? }).map_err(|e| Failure::argument(e.0))?;
        // SAFETY: the caller's contract.
        if let Some(out) = unsafe { span::buffer(chunks, count, found.len(), "count")? } {
            for (i, c) in found.iter().enumerate() {
                let chunk = WithyAssetChunk {
                    name: c.name.as_ptr().cast(),
                    data: if c.data.is_empty() { std::ptr::null() } else { c.data.as_ptr().cast() },
                    size: c.data.len() as u64,
                    version: c.version,
                    format: c.format,
                    columns: c.columns,
                    reserved: 0,
                };
                // SAFETY: `buffer` has checked the room.
                unsafe { out.add(i).write_unaligned(chunk) };
            }
        }
        Ok(())
    })
}

/// Writes an asset with these chunks into `data`. The same chunks give the same bytes on all
/// machines. Enters no world.
///
/// @param chunks `count` of them, no name twice. They may be those of `withy_asset_read`.
/// @param count Number of chunks, up to 65536.
/// @param data Room for `*size` bytes, or NULL to learn the size.
/// @param size Set to the bytes of the asset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_asset_write(chunks: *const WithyAssetChunk, count: u64, data: *mut c_void, size: *mut u64) -> i32 {
    guard::call("withy_asset_write", || {
        if count > MOST {
            return Err(Failure::argument(format!("count is {count}: must be up to {MOST}")));
        }
        if count > 0 {
            defs::not_null(chunks, "chunks")?;
        }
        let mut all = Vec::with_capacity(count as usize);
        for i in 0..count as usize {
            // SAFETY: the caller's contract.
            let c = unsafe { chunks.add(i).read_unaligned() };
            if c.reserved != 0 {
                return Err(Failure::argument(format!("chunks[{i}].reserved is {}: must be 0", c.reserved)));
            }
            let [at, of] = ["data", "size"].map(|field| format!("chunks[{i}].{field}"));
            // SAFETY: the caller's contract.
            let (name, data) = unsafe { (name(c.name, i)?, span::bytes(c.data, c.size, [&at, &of])?) };
            all.push(Chunk { name, version: c.version, format: c.format, columns: c.columns, data });
        }
        let wrong = |e: asset::Error| Failure::argument(e.0);
        if data.is_null() {
            asset::check(&all).map_err(wrong)?;
        }
        // SAFETY: the caller's contract; `buffer` has checked the room.
        unsafe {
            if let Some(data) = span::buffer(data.cast::<u8>(), size, asset::size(&all), "size")? {
                let bytes = asset::write(&all).map_err(wrong)?;
                data.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            }
        }
        Ok(())
    })
}

/// Chunks of an asset that is written: more is a mistake.
const MOST: u64 = 65536;
