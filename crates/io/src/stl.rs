//! Triangle meshes in `.stl` files, binary and text, by the crate `stl_io`.

use super::bytes::Bytes;
use super::error::IoError;
use super::mesh::TriMesh;
use std::io::Cursor;

/// A binary file: 80 bytes of anything, the number of triangles, 50 bytes each.
const HEADER: usize = 84;
const FACET: u64 = 50;

/// The number of triangles that a binary file's length and header agree on.
fn binary(data: &[u8]) -> Option<u64> {
    let facets = u64::from(Bytes::new("stl", data).u32(80, "triangles").ok()?);
    (data.len() as u64 == HEADER as u64 + facets * FACET).then_some(facets)
}

pub(crate) fn is_stl(data: &[u8]) -> bool {
    data.starts_with(b"solid") || binary(data).is_some()
}

/// Reads a `.stl` file. Equal corners become one vertex.
///
/// # Errors
/// The file is cut short, a word is no number, a coordinate is not finite.
pub fn read_stl(data: &[u8]) -> Result<TriMesh, IoError> {
    let mut renamed;
    let mut source = data;
    if data.starts_with(b"solid") {
        // Some programs begin binary files with the word that marks text: the length tells.
        if binary(data).is_some() {
            renamed = data.to_vec();
            renamed[..5].fill(b' ');
            source = &renamed;
        }
    } else {
        let bytes = Bytes::new("stl", data);
        let facets = u64::from(bytes.u32(80, "triangles")?);
        bytes.array(HEADER as u64, facets, FACET, "triangles", facets)?;
    }
    let read = stl_io::read_stl(&mut Cursor::new(source)).map_err(|error| IoError::new("stl", "contents", error.to_string()))?;
    let points: Vec<[f32; 3]> = read.vertices.iter().map(|vertex| vertex.0).collect();
    if let Some(index) = points.iter().position(|p| p.iter().any(|x| !x.is_finite())) {
        return Err(IoError::new("stl", "vertex", "is not finite").index(index).value(format!("{:?}", points[index])));
    }
    let triangles = read.faces.iter().map(|face| face.vertices.map(|index| index as u32)).collect();
    Ok(TriMesh { points, triangles })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"solid a name
facet normal 0 0 1
 outer loop
  vertex 0 0 0
  vertex 1 0 0
  vertex 0 1.5e0 0
 endloop
endfacet
endsolid a name
";

    fn binary_file(name: &[u8], facets: &[[f32; 12]]) -> Vec<u8> {
        let mut data = name.to_vec();
        data.resize(80, 0);
        data.extend((facets.len() as u32).to_le_bytes());
        for facet in facets {
            facet.iter().for_each(|x| data.extend(x.to_le_bytes()));
            data.extend([0; 2]);
        }
        data
    }

    const FACETS: [[f32; 12]; 2] = [
        [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.5, 0.0],
        [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.5, 0.0],
    ];

    #[test]
    fn text_and_binary() {
        let text = read_stl(TEXT).unwrap();
        assert_eq!((text.points.len(), text.triangles.len()), (3, 1));
        assert_eq!(text.points[2], [0.0, 1.5, 0.0]);
        for name in [&b"made by hand"[..], b"solid, but not text"] {
            let data = binary_file(name, &FACETS);
            assert!(is_stl(&data));
            let mesh = read_stl(&data).unwrap();
            assert_eq!((mesh.points.len(), mesh.triangles.clone()), (4, vec![[0, 1, 2], [1, 3, 2]]));
        }
        assert!(!is_stl(b"# an obj file\nv 0 0 0\n"));
    }

    #[test]
    fn damaged_files_are_named() {
        let mut data = binary_file(b"", &FACETS);
        data[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(read_stl(&data).unwrap_err().to_string().contains("triangles 4294967295 needs 214.7 GB"));
        for end in 0..data.len() {
            let _ = read_stl(&data[..end]);
        }
        for end in 0..TEXT.len() {
            let _ = read_stl(&TEXT[..end]);
        }
        let mut facets = FACETS;
        facets[1][7] = f32::INFINITY;
        assert!(
            read_stl(&binary_file(b"", &facets)).unwrap_err().to_string().contains("vertex[3] [1.0, inf, 0.0] is not finite")
        );
        assert!(read_stl(&TEXT.iter().map(|b| if *b == b'5' { b'x' } else { *b }).collect::<Vec<u8>>()).is_err());
    }
}
