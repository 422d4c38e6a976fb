//! Triangle meshes, and Wavefront `.obj` as far as a collider or a head needs it: `v` and `f`.
//!
//! Source: "Object Files (.obj)", Wavefront Advanced Visualizer manual, appendix B1. Polygons become fans; texture and
//! normal indices, groups, materials and the rest are stepped over. Own code and not `tobj`, which answers a bad number
//! with neither line nor value.

use super::error::IoError;

/// Points and triangles, counterclockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriMesh {
    pub points: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
}

/// Reads a `.obj` file.
///
/// # Errors
/// A number is malformed or not finite, an index names no vertex, a face has fewer than three corners: all with the line.
/// There are neither vertices nor faces.
pub fn read_obj(data: &[u8]) -> Result<TriMesh, IoError> {
    if let Some(at) = data.iter().position(|&byte| byte == 0) {
        return Err(IoError::new("obj", "contents", format!("are no text: byte {at} is 0")));
    }
    let mut mesh = TriMesh::default();
    let mut lines = Vec::new();
    for (index, line) in data.split(|&byte| byte == b'\n').enumerate() {
        let line_number = index + 1;
        let mut words = line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
        match words.next() {
            Some(b"v") => mesh.points.push(point(words, mesh.points.len(), line_number)?),
            Some(b"f") => face(words, &mut mesh, &mut lines, line_number)?,
            _ => {}
        }
    }
    if mesh.points.is_empty() && mesh.triangles.is_empty() {
        return Err(IoError::new("obj", "contents", "have no vertices: no line begins with \"v\""));
    }
    // Only now: a face may name a vertex that comes after it.
    for (index, (triangle, line_number)) in mesh.triangles.iter().zip(lines).enumerate() {
        if let Some(vertex) = triangle.iter().find(|&&vertex| vertex as usize >= mesh.points.len()) {
            let reason = format!("is outside of the {} vertices (line {line_number})", mesh.points.len());
            return Err(IoError::new("obj", "triangle", reason).index(index).value(u64::from(*vertex) + 1));
        }
    }
    Ok(mesh)
}

/// Whether a text has the vertices that make it a `.obj` file.
#[cfg(feature = "stl")]
pub(crate) fn is_obj(data: &[u8]) -> bool {
    let has_vertex = |line: &[u8]| line.trim_ascii_start().split(u8::is_ascii_whitespace).next() == Some(b"v");
    !data.contains(&0) && data.split(|&byte| byte == b'\n').any(has_vertex)
}

fn point<'a>(mut words: impl Iterator<Item = &'a [u8]>, index: usize, line: usize) -> Result<[f32; 3], IoError> {
    let mut point = [0.0; 3];
    for coordinate in &mut point {
        let word = words.next().unwrap_or(b"nothing");
        let value = std::str::from_utf8(word).ok().and_then(|word| word.parse::<f32>().ok());
        *coordinate = value.filter(|value| value.is_finite()).ok_or_else(|| {
            IoError::new("obj", "v", format!("is not a finite number (line {line})")).index(index).value(shown(word))
        })?;
    }
    Ok(point)
}

fn face<'a>(words: impl Iterator<Item = &'a [u8]>, mesh: &mut TriMesh, lines: &mut Vec<u32>, line: usize) -> Result<(), IoError> {
    let (mut first, mut last, mut corners) = (0, 0, 0);
    for word in words {
        let corner = corner(word, mesh.points.len()).ok_or_else(|| {
            IoError::new("obj", "f", format!("is no vertex index (line {line})")).index(corners).value(shown(word))
        })?;
        match corners {
            0 => first = corner,
            1 => {}
            _ => {
                mesh.triangles.push([first, last, corner]);
                lines.push(line as u32);
            }
        }
        last = corner;
        corners += 1;
    }
    if corners < 3 {
        return Err(IoError::new("obj", "f", format!("corners, a face needs 3 (line {line})")).value(corners));
    }
    Ok(())
}

/// `7`, `7/1`, `7//3`, `7/1/3` or a negative index, which counts back from the last vertex so far.
fn corner(word: &[u8], points: usize) -> Option<u32> {
    let index = word.split(|&byte| byte == b'/').next()?;
    let index: i64 = std::str::from_utf8(index).ok()?.parse().ok()?;
    let vertex = if index < 0 { points as i64 + index } else { index - 1 };
    u32::try_from(vertex).ok()
}

fn shown(word: &[u8]) -> String {
    format!("\"{}\"", String::from_utf8_lossy(&word[..word.len().min(40)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_obj_is_named() {
        for (data, words) in [
            (&b"hello world\n"[..], "obj: contents have no vertices: no line begins with \"v\""),
            (b"", "obj: contents have no vertices"),
            (b"v 0 0 0\nv 1 \0 0\n", "obj: contents are no text: byte 12 is 0"),
        ] {
            assert!(read_obj(data).unwrap_err().to_string().contains(words), "{words}");
        }
        assert_eq!(read_obj(b"v 0 0 0\n").unwrap().points.len(), 1);
    }
}
