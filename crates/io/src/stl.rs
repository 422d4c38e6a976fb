//! Triangle meshes in `.stl` files, binary and text, by the crate `stl_io`.

use super::bytes::Bytes;
use super::error::{IoError, byte_size};
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

/// Whether a file is text: binary ones may begin with the word that marks text, but have a zero in their head.
fn is_text(data: &[u8]) -> bool {
    data.starts_with(b"solid") && binary(data).is_none() && !data[..data.len().min(HEADER)].contains(&0)
}

/// A binary file has as many bytes as its number of triangles needs.
fn check_length(data: &[u8]) -> Result<(), IoError> {
    let length = data.len() as u64;
    if length < HEADER as u64 {
        let reason =
            format!("neither begin with \"solid\", as text does, nor have the {HEADER} bytes that a binary file begins with");
        return Err(IoError::new("stl", "contents", reason).value(format!("of {}", byte_size(length.into()))));
    }
    let facets = u64::from(Bytes::new("stl", data).u32(80, "triangles")?);
    let (needed, room) = (HEADER as u64 + facets * FACET, (length - HEADER as u64) / FACET);
    if needed > length {
        let sizes = format!("needs {}, file has {}", byte_size(needed.into()), byte_size(length.into()));
        let reason = format!("{sizes}, enough for {room} triangles: it was cut short, or is no .stl file");
        return Err(IoError::new("stl", "triangles", reason).value(facets));
    }
    Ok(())
}

/// A text ends with the word `endsolid`, and perhaps a name.
fn check_end(data: &[u8]) -> Result<(), IoError> {
    let last = data.trim_ascii_end().rsplit(|&byte| byte == b'\n').next().unwrap_or(data).trim_ascii_start();
    if !last.to_ascii_lowercase().starts_with(b"endsolid") {
        let reason = format!(
            "end without \"endsolid\" (line {}): the file was cut short",
            data.trim_ascii_end().split(|b| *b == b'\n').count()
        );
        return Err(IoError::new("stl", "contents", reason));
    }
    Ok(())
}

/// Reads a `.stl` file. Equal corners become one vertex, numbered in the order in which they come first.
///
/// # Errors
/// The file is cut short, a word is no number, a coordinate is not finite.
pub fn read_stl(data: &[u8]) -> Result<TriMesh, IoError> {
    let mut renamed;
    let mut source = data;
    if is_text(data) {
        check_end(data)?;
    } else {
        check_length(data)?;
        if data.starts_with(b"solid") {
            renamed = data.to_vec();
            renamed[..5].fill(b' ');
            source = &renamed;
        }
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

    /// What is cut short says how much is there, also under a name that begins as text does.
    #[test]
    fn cut_files_are_named() {
        let refused = |data: &[u8], words: &str| {
            let told = read_stl(data).unwrap_err().to_string();
            assert!(told.contains(words), "\"{told}\" does not say \"{words}\"");
        };
        for name in [&b"made by hand"[..], b"solid, but not text"] {
            let data = binary_file(name, &FACETS);
            refused(&data[..170], "triangles 2 needs 184 bytes, file has 170 bytes, enough for 1 triangles: it was cut short");
            // What comes after the triangles is nobody's.
            assert_eq!(read_stl(&[&data[..], b"more"].concat()).unwrap().triangles.len(), 2);
        }
        refused(b"hello world\n", "contents of 12 bytes neither begin with \"solid\"");
        refused(b"", "contents of 0 bytes neither begin");
        refused(&TEXT[..TEXT.len() - 18], "contents end without \"endsolid\" (line 8)");
        assert_eq!(read_stl(&TEXT[..TEXT.len() - 8]).unwrap().triangles.len(), 1);
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
