//! Triangle meshes in `.stl` files, binary and text, by the crate `stl_io`.

use super::bytes::Bytes;
use super::error::IoError;
use super::mesh::TriMesh;
use std::io::Cursor;

/// A binary file: 80 bytes of anything, the number of triangles, 50 bytes each.
const HEADER: usize = 84;
const FACET: u64 = 50;

/// Reads a `.stl` file. Equal corners become one vertex.
///
/// # Errors
/// The file is cut short, a word is no number, a coordinate is not finite.
pub fn read_stl(data: &[u8]) -> Result<TriMesh, IoError> {
    let mut owned;
    let mut source = data;
    // Some programs begin binary files with the word that marks text: the length tells.
    let facets = Bytes::new("stl", data).u32(80, "triangles").map(u64::from);
    let is_binary = facets.as_ref().is_ok_and(|facets| data.len() as u64 == HEADER as u64 + facets * FACET);
    if is_binary && data.starts_with(b"solid") {
        owned = data.to_vec();
        owned[..5].fill(b' ');
        source = &owned;
    }
    if !source.starts_with(b"solid") {
        let facets = facets?;
        Bytes::new("stl", data).array(HEADER as u64, facets, FACET, "triangles", facets)?;
    }
    let read = stl_io::read_stl(&mut Cursor::new(source)).map_err(|error| IoError::new("stl", "contents", error.to_string()))?;
    let points: Vec<[f32; 3]> = read.vertices.iter().map(|vertex| vertex.0).collect();
    if let Some(index) = points.iter().position(|p| p.iter().any(|x| !x.is_finite())) {
        return Err(IoError::new("stl", "vertex", "is not finite").index(index).value(format!("{:?}", points[index])));
    }
    let triangles = read.faces.iter().map(|face| face.vertices.map(|index| index as u32)).collect();
    Ok(TriMesh { points, triangles })
}
