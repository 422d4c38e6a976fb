//! TressFX guide strands, `.tfx` versions 3 and 4, little endian.
//!
//! Source: `TressFXFileFormat.h` of TressFX 3.1 and 4.1 (AMD, MIT), checked against the files that ship with them.
//!
//! ```text
//! byte   v3                              v4
//!    0   f32 version 3.0                 f32 version 4.0
//!    4   u32 strands                     u32 strands
//!    8   u32 vertices per strand         u32 vertices per strand
//!   12   u32 follow hairs per guide      u32 offset of positions, f32 x 4 (w: inverse mass)
//!   16   u8  both ends immovable         u32 offset of strand UVs
//!   20   reserved                        u32 offset of vertex UVs
//!   24                                   u32 offset of strand thickness, f32, 0 if absent
//!  144   u32 offset of positions,        (reserved to byte 160)
//!        f32 x 3
//! ```
//!
//! Neither states a unit or an axis; all known files are Y up. Version 4's `w` is 0 on the vertices that TressFX itself
//! holds (the first two) and is not read: a rod holds its root by an attachment. With `both ends immovable` TressFX holds the
//! last two vertices as well, which is a clamped tip.

use super::bytes::{Bytes, floats};
use super::error::IoError;
use super::groom::Groom;
use super::{ReadOptions, refuse_non_finite};

/// Reads a `.tfx` file.
///
/// # Errors
/// The file is cut short, a header field does not fit it, or a position is not finite.
pub fn read_tfx(data: &[u8], options: &ReadOptions) -> Result<Groom, IoError> {
    let file = Bytes::new("tfx", data);
    let version = file.f32(0, "version")?;
    if !(3.0..5.0).contains(&version) {
        return Err(IoError::new("tfx", "version", "is neither 3 nor 4").value(version));
    }
    let is_v3 = version < 4.0;
    let strands = file.u32(4, "strand count")?;
    let vertices = file.u32(8, "vertices per strand")?;
    if strands == 0 {
        return Err(IoError::new("tfx", "strand count", "leaves nothing to read").value(0));
    }
    if vertices < 2 {
        return Err(IoError::new("tfx", "vertices per strand", "is too few, a strand needs 2").value(vertices));
    }
    let (header, stride, offset) =
        if is_v3 { (148, 12, file.u32(144, "offset of positions")?) } else { (160, 16, file.u32(12, "offset of positions")?) };
    if offset < header {
        let reason = format!("lies in the header of {header} bytes");
        return Err(IoError::new("tfx", "offset of positions", reason).value(offset));
    }
    // With at least one vertex in the file, blame the factor that is out of proportion: a strand must fit first.
    file.array(u64::from(offset), u64::from(vertices), stride, "vertices per strand", u64::from(vertices))?;
    let count = u64::from(strands) * u64::from(vertices);
    let positions = file.array(u64::from(offset), count, stride, "strand count", u64::from(strands))?;
    let point = |p: &[u8]| [0, 4, 8].map(|at| f32::from_le_bytes([p[at], p[at + 1], p[at + 2], p[at + 3]]));
    let groom = Groom {
        points: positions.chunks_exact(stride as usize).map(point).collect(),
        counts: vec![vertices; strands as usize],
        widths: if is_v3 { Vec::new() } else { strand_widths(&file, strands, vertices)? },
        held_tips: if is_v3 && data[16] != 0 { (0..strands).collect() } else { Vec::new() },
        ..Groom::default()
    };
    refuse_non_finite("tfx", &groom, options)?;
    Ok(groom)
}

fn strand_widths(file: &Bytes, strands: u32, vertices: u32) -> Result<Vec<f32>, IoError> {
    let offset = file.u32(24, "offset of strand thickness")?;
    if offset == 0 {
        return Ok(Vec::new());
    }
    let widths = file.array(u64::from(offset), u64::from(strands), 4, "offset of strand thickness", u64::from(offset))?;
    Ok(floats(widths).flat_map(|width| std::iter::repeat_n(width, vertices as usize)).collect())
}
