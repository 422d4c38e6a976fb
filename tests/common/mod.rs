//! What several tests of `io` share: the real files that nobody here made, and small ones built in memory.
#![allow(dead_code)]

use std::path::PathBuf;

/// A file of the shared data (`WITHY_DATA`, or `../shared/data` beside the checkout). `None`, and a line that says so,
/// where it is absent.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("WITHY_DATA").map(PathBuf::from);
    let root = root.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data"));
    let file = root.join(path);
    if !file.exists() {
        println!("skipped: no shared data ({path})");
        return None;
    }
    Some(file)
}

pub fn put_u32(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

pub fn put_f32(bytes: &mut [u8], at: usize, value: f32) {
    put_u32(bytes, at, value.to_bits());
}

/// `strands` of `vertices` along x, a unit apart; strand s at z = s.
pub fn tfx(version: u32, strands: u32, vertices: u32) -> Vec<u8> {
    let (header, stride) = if version == 3 { (296, 12) } else { (160, 16) };
    let mut bytes = vec![0; header + (strands * vertices) as usize * stride];
    put_f32(&mut bytes, 0, version as f32);
    put_u32(&mut bytes, 4, strands);
    put_u32(&mut bytes, 8, vertices);
    put_u32(&mut bytes, if version == 3 { 144 } else { 12 }, header as u32);
    for index in 0..(strands * vertices) as usize {
        let at = header + index * stride;
        put_f32(&mut bytes, at, (index as u32 % vertices) as f32);
        put_f32(&mut bytes, at + 8, (index as u32 / vertices) as f32);
    }
    bytes
}

/// A `.hair` file with strands of the given segments along z; thickness 0.1 per point if `thickness`.
pub fn hair(segments: &[u16], thickness: bool) -> Vec<u8> {
    let points: u32 = segments.iter().map(|&count| u32::from(count) + 1).sum();
    let mut bytes = vec![0; 128];
    bytes[..4].copy_from_slice(b"HAIR");
    put_u32(&mut bytes, 4, segments.len() as u32);
    put_u32(&mut bytes, 8, points);
    put_u32(&mut bytes, 12, 0b011 | if thickness { 0b100 } else { 0 });
    put_f32(&mut bytes, 20, 0.5);
    for count in segments {
        bytes.extend_from_slice(&count.to_le_bytes());
    }
    for (strand, &count) in segments.iter().enumerate() {
        for vertex in 0..=count {
            for value in [strand as f32, 0.0, f32::from(vertex)] {
                bytes.extend_from_slice(&value.to_le_bytes());
            }
        }
    }
    for _ in 0..if thickness { points } else { 0 } {
        bytes.extend_from_slice(&0.1f32.to_le_bytes());
    }
    bytes
}

/// A `.usda` layer that uses much of the grammar on few bytes.
pub const USDA: &str = r#"#usda 1.0
(
    """A comment; with "quotes"."""
    defaultPrim = "Root"
    metersPerUnit = 0.01
    upAxis = "Z"
    customLayerData = { string note = 'a } brace' }
)
def Xform "Root" (kind = "component"; prepend apiSchemas = ["A", "B"])
{
    double3 xformOp:translate = (1, 2, 3)
    float3 xformOp:rotateXYZ = (0, 0, 90)
    matrix4d xformOp:transform = ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) )
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ", "xformOp:transform"]
    rel material:binding = </Root/Looks> # a comment
    asset texture = @./a.png@
    def BasisCurves "Cubic"
    {
        uniform token basis = "bspline"
        int[] curveVertexCounts = [4, 5]
        point3f[] points.timeSamples = {
            2: [(9, 9, 9)],
            1: [(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 1e0), (3, 1, 0), (4, 1, 0),],
        }
        uniform token type = "cubic"
        float[] widths = [0.1, 0.2] ( interpolation = "uniform" )
        uniform token wrap = "pinned"
    }
    def BasisCurves "Linear"
    {
        uniform token type = "linear"
        int[] curveVertexCounts = [2]
        point3f[] points = [(0, 0, 0), (0, 0, -1)]
        float[] widths = [0.5] (
            interpolation = "constant"
        )
    }
}
"#;

pub const OBJ: &str = "# two triangles\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.5\nvt 0 0\nf 1/1 2/1 3//2 -1\n";
