//! Files in and out: grooms, meshes and skeletons to simulate, caches of the result. `docs/files.md` is the manual.
//!
//! A reader takes bytes and gives a structure that satisfies its `check` ([`Groom::check`]), or an [`IoError`] that names field, index and
//! value. It never panics and never allocates more than a small multiple of its input, whatever the header claims.

mod basis;
mod bytes;
pub mod error;
pub mod generate;
pub mod groom;
mod groom_edit;
mod hair;
pub mod head;
mod mesh;
#[cfg(feature = "muscle")]
pub mod muscle;
mod notes;
#[cfg(feature = "opensim")]
pub mod opensim;
pub mod skeleton;
#[cfg(feature = "stl")]
mod stl;
mod tfx;
pub mod usd_out;
mod usda;

pub use error::IoError;
pub use groom::{Groom, GroomReport, IssueKind, StrandIssue, UpAxis};
pub use groom_edit::Cleaned;
pub use hair::read_hair;
pub use mesh::{TriMesh, read_obj};
#[cfg(feature = "stl")]
pub use stl::read_stl;
pub use tfx::read_tfx;
pub use usda::read_usda;

use std::path::Path;

/// How cubic curves become polylines. Files of polylines (`.hair`, `.tfx`) are taken as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// So many even parameter steps per cubic segment, 1 to [`Sampling::MAX_PER_SEGMENT`]; linear curves keep their points.
    PerSegment(u32),
    /// So many vertices per curve, at least 2, evenly spaced in arc length; linear curves too.
    Vertices(u32),
}

impl Sampling {
    pub const MAX_PER_SEGMENT: u32 = 64;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Default: 4 steps per segment.
    pub sampling: Sampling,
    /// Let NaN and infinite coordinates through, for [`Groom::cleaned`] to drop their strands. Default: they are an error.
    pub allow_non_finite: bool,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions { sampling: Sampling::PerSegment(4), allow_non_finite: false }
    }
}

/// Reads a groom of any format, told by its content and, for `.tfx`, which has no signature, by its version number.
///
/// # Errors
/// The file cannot be opened, is of no known format, or its reader refuses it.
pub fn read_groom(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Groom, IoError> {
    let path = path.as_ref();
    read_groom_bytes(&read_file(path)?, options).map_err(|error| error.file(path))
}

/// [`read_groom`] for a file in memory.
///
/// # Errors
/// As [`read_groom`].
pub fn read_groom_bytes(data: &[u8], options: &ReadOptions) -> Result<Groom, IoError> {
    /// How other formats of curves start, what they are called, and what makes a `.usda` of them.
    const FOREIGN: [(&[u8], &str, &str); 5] = [
        (b"PXR-USDC", "binary USD", "usdcat -o groom.usda FILE"),
        (b"PK\x03\x04", "a zip archive (.usdz?)", "usdcat --flatten -o groom.usda FILE"),
        (b"Ogawa", "Alembic", "export .usda, or usdcat with the Alembic plugin"),
        (b"\x89HDF", "HDF5 (old Alembic?)", "export .usda, or usdcat with the Alembic plugin"),
        (b"TressFX", "a TressFX text file", "the .tfx next to it"),
    ];
    if let Some((_, name, remedy)) = FOREIGN.iter().find(|(magic, ..)| data.starts_with(magic)) {
        return Err(IoError::new("groom", "format", format!("is not read; convert it to .usda: {remedy}")).value(name));
    }
    if data.starts_with(b"HAIR") {
        return read_hair(data, options);
    }
    if data.starts_with(b"#usda") {
        return read_usda(data, options);
    }
    let version = data.first_chunk().map(|&bytes| f32::from_le_bytes(bytes));
    if version.is_some_and(|version| (3.0..5.0).contains(&version)) {
        return read_tfx(data, options);
    }
    let start = String::from_utf8_lossy(&data[..data.len().min(12)]).escape_debug().to_string();
    let reason = "is how the file starts: neither .hair, .tfx 3 or 4, nor .usda";
    Err(IoError::new("groom", "format", reason).value(format!("\"{start}\"")))
}

/// Reads a musculoskeletal model of OpenSim.
///
/// # Errors
/// The file cannot be opened, or [`opensim::read_osim`] refuses it.
#[cfg(feature = "opensim")]
pub fn read_opensim(path: impl AsRef<Path>) -> Result<opensim::Model, IoError> {
    let path = path.as_ref();
    opensim::read_osim(&read_file(path)?).map_err(|error| error.file(path))
}

/// Reads a triangle mesh from a `.obj` file or, with the feature `stl`, a `.stl` file, told by its content, and by its name
/// where the content is neither's.
///
/// # Errors
/// The file cannot be opened or is malformed.
pub fn read_mesh(path: impl AsRef<Path>) -> Result<TriMesh, IoError> {
    let path = path.as_ref();
    let data = read_file(path)?;
    #[cfg(feature = "stl")]
    if stl::is_stl(&data) || path.extension().is_some_and(|name| name.eq_ignore_ascii_case("stl")) && !mesh::is_obj(&data) {
        return read_stl(&data).map_err(|error| error.file(path));
    }
    read_obj(&data).map_err(|error| error.file(path))
}

fn read_file(path: &Path) -> Result<Vec<u8>, IoError> {
    std::fs::read(path).map_err(|error| IoError::new("file", "contents", format!("cannot be read: {error}")).file(path))
}

/// The readers' last look: names the first coordinate or width that is NaN or infinite.
fn refuse_non_finite(format: &'static str, groom: &Groom, options: &ReadOptions) -> Result<(), IoError> {
    if options.allow_non_finite {
        return Ok(());
    }
    if let Some(index) = groom.points.iter().flatten().position(|value| !value.is_finite()) {
        let value = groom.points[index / 3][index % 3];
        return Err(IoError::new(format, "points", "is not finite").index(index / 3).value(value));
    }
    if let Some(index) = groom.widths.iter().position(|width| !width.is_finite()) {
        return Err(IoError::new(format, "widths", "is not finite").index(index).value(groom.widths[index]));
    }
    Ok(())
}
