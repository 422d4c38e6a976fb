//! Cem Yuksel's HAIR files, `.hair`, little endian: the format of most public research grooms.
//!
//! Source: "HAIR File Format Specification", C. Yuksel, on the page of his HAIR model files.
//!
//! ```text
//! byte   0  "HAIR"
//!        4  u32 strands        8  u32 points
//!       12  u32 arrays: bit 0 segments, 1 points, 2 thickness, 3 transparency, 4 colours
//!       16  u32 default segments      20  f32 default thickness
//!       24  f32 default transparency  28  f32 x 3 default colour      40  88 bytes of text
//!      128  the arrays that are there, in that order: u16 segments per strand, f32 x 3 positions, f32 thickness, ...
//! ```
//!
//! A strand of n segments has n + 1 points. The format states neither unit nor axis; programs that show the models published
//! with it turn them as Z up, 0.1 inch a unit. So this reader says Z up; a host that knows better sets [`Groom::up_axis`].

use super::bytes::{Bytes, floats};
use super::error::IoError;
use super::groom::{Groom, UpAxis};
use super::{ReadOptions, refuse_non_finite};

const HEADER: u64 = 128;
const HAS_SEGMENTS: u32 = 1;
const HAS_POINTS: u32 = 2;
const HAS_THICKNESS: u32 = 4;

/// Reads a `.hair` file.
///
/// # Errors
/// The file is cut short, has no points, its counts disagree, or a position is not finite.
pub fn read_hair(data: &[u8], options: &ReadOptions) -> Result<Groom, IoError> {
    let file = Bytes::new("hair", data);
    if !data.starts_with(b"HAIR") {
        return Err(IoError::new("hair", "signature", "is not \"HAIR\""));
    }
    let strands = file.u32(4, "strand count")?;
    let points = file.u32(8, "point count")?;
    let arrays = file.u32(12, "array flags")?;
    let default_segments = file.u32(16, "default segments")?;
    let default_thickness = file.f32(20, "default thickness")?;
    file.array(0, HEADER, 1, "header size", HEADER)?;
    if strands == 0 {
        return Err(IoError::new("hair", "strand count", "leaves nothing to read").value(0));
    }
    if arrays & HAS_POINTS == 0 {
        return Err(IoError::new("hair", "array flags", "lack bit 1, the file has no points").value(arrays));
    }

    let mut offset = HEADER;
    let mut segments = None;
    if arrays & HAS_SEGMENTS != 0 {
        segments = Some(file.array(offset, u64::from(strands), 2, "strand count", u64::from(strands))?);
        offset += u64::from(strands) * 2;
    }
    let positions = file.array(offset, u64::from(points), 12, "point count", u64::from(points))?;
    offset += u64::from(points) * 12;

    // Each strand takes at least one point, so that this bounds the allocations below by the file's size.
    if strands > points {
        return Err(IoError::new("hair", "strand count", format!("is more than the {points} points")).value(strands));
    }
    let counts: Vec<u32> = match segments {
        Some(bytes) => bytes.chunks_exact(2).map(|b| u32::from(u16::from_le_bytes([b[0], b[1]])) + 1).collect(),
        None if u64::from(strands) * (u64::from(default_segments) + 1) != u64::from(points) => {
            let reason = format!("for {strands} strands does not give the {points} points");
            return Err(IoError::new("hair", "default segments", reason).value(default_segments));
        }
        None => vec![default_segments + 1; strands as usize],
    };
    let mut sum = 0u64;
    for (strand, &count) in counts.iter().enumerate() {
        sum += u64::from(count);
        if sum > u64::from(points) {
            let reason = format!("run past the {points} points");
            return Err(IoError::new("hair", "segments", reason).index(strand).value(count - 1));
        }
    }
    if sum != u64::from(points) {
        return Err(IoError::new("hair", "point count", format!("is more than the {sum} of the segments")).value(points));
    }

    let widths = if arrays & HAS_THICKNESS != 0 {
        floats(file.array(offset, u64::from(points), 4, "thickness count", u64::from(points))?).collect()
    } else if default_thickness > 0.0 {
        vec![default_thickness]
    } else {
        Vec::new()
    };
    let mut coordinates = floats(positions);
    let next = |_| [0; 3].map(|_| coordinates.next().unwrap_or(0.0));
    let points = (0..points).map(next).collect();
    let groom = Groom { points, counts, widths, up_axis: UpAxis::Z, ..Groom::default() };
    refuse_non_finite("hair", &groom, options)?;
    Ok(groom)
}
