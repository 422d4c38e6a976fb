//! A bound skin as bytes.
//!
//! ```text
//! "WITHYSKN"  version u32  flags u32 (1: tangents)  strands u32  vertices of strands u32
//! edges u32  vertices u32  payload  checksum u64 (FNV-1a of all before it)
//! payload: counts u32 · radii f64 · edges (length, frame xyzw) f64 · anchors (edge, t, weight) 4 u16 each
//!          · offsets, normals, tangents: x of all vertices, then y, then z, f32
//! ```
//! Little-endian. The same skin gives the same bytes.

use withy_asset::{Reader, seal, unseal};

use crate::groups::Groups;
use crate::{Bound, Error, MOST_EDGES, MOST_VERTICES, PARTS, RestEdge, Result, Rows, Skin, fail};

const MAGIC: &[u8; 8] = b"WITHYSKN";
/// Counts up when the layout changes.
pub const VERSION: u32 = 1;
const HEAD: usize = 32;
const TANGENTS: u32 = 1;

/// Bytes of a file, checksum and all.
fn size(strands: usize, radii: usize, edges: usize, vertices: usize, tangents: bool) -> usize {
    let rows = if tangents { 9 } else { 6 };
    HEAD + 4 * strands + 8 * radii + 40 * edges + (size_of::<Bound>() + 4 * rows) * vertices + 8
}

fn finite(r: &mut Reader, what: &str, i: usize) -> Result<f64> {
    let x = r.f64();
    if x.is_finite() { Ok(x) } else { fail(format!("skin: {what}[{i}] is {x}: must be finite")) }
}

fn vectors(r: &mut Reader, n: usize, what: &str) -> Result<Rows> {
    let mut rows = Rows::default();
    for row in &mut rows {
        row.reserve_exact(n);
        for i in 0..n {
            let x = r.f32();
            if !x.is_finite() {
                return fail(format!("skin: {what}[{i}] is {x}: must be finite"));
            }
            row.push(x);
        }
    }
    Ok(rows)
}

impl Skin {
    /// Bytes that [`Skin::save`] gives.
    pub fn saved_size(&self) -> usize {
        size(self.counts.len(), self.radii.len(), self.edges.len(), self.vertices(), self.has_tangents())
    }

    /// The bound skin as bytes, the same on all machines.
    pub fn save(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.saved_size());
        out.extend(MAGIC);
        let flags = if self.has_tangents() { TANGENTS } else { 0 };
        let n = self.vertices();
        for x in [VERSION, flags, self.counts.len() as u32, self.radii.len() as u32, self.edges.len() as u32, n as u32] {
            out.extend(x.to_le_bytes());
        }
        self.counts.iter().for_each(|c| out.extend(c.to_le_bytes()));
        self.radii.iter().for_each(|r| out.extend(r.to_le_bytes()));
        for e in &self.edges {
            out.extend(e.length.to_le_bytes());
            e.frame.iter().for_each(|x| out.extend(x.to_le_bytes()));
        }
        for b in &self.bound {
            for part in [b.edge, b.t, b.weight] {
                part.iter().for_each(|x| out.extend(x.to_le_bytes()));
            }
        }
        let g = &self.groups;
        for vectors in [&g.offsets, &g.normals, &g.tangents] {
            for row in g.rows(vectors, n) {
                row.iter().for_each(|x| out.extend(x.to_le_bytes()));
            }
        }
        seal(&mut out);
        debug_assert_eq!(out.len(), self.saved_size());
        out
    }

    /// The skin of [`Skin::save`]'s bytes.
    ///
    /// Errors: bytes of something else, of another version, cut off or changed.
    pub fn load(bytes: &[u8]) -> Result<Skin> {
        if bytes.len() < HEAD + 8 || &bytes[..8] != MAGIC {
            return fail(format!("skin: {} bytes that do not begin as a saved skin does", bytes.len()));
        }
        let mut r = Reader::new(&bytes[8..]);
        let version = r.u32();
        if version != VERSION {
            return fail(format!("skin: version {version}, this library reads {VERSION}"));
        }
        let flags = r.u32();
        if flags & !TANGENTS != 0 {
            return fail(format!("skin: flags are {flags:#x}: this library knows {TANGENTS:#x}"));
        }
        let tangents = flags & TANGENTS != 0;
        let [strands, radii, edges, n] = core::array::from_fn(|_| r.u32() as usize);
        if strands == 0 || edges == 0 || edges > MOST_EDGES || radii != edges + strands || n == 0 || n > MOST_VERTICES {
            return fail(format!("skin: {strands} strands, {radii} vertices, {edges} edges, {n} vertices of the mesh"));
        }
        let needed = size(strands, radii, edges, n, tangents);
        if bytes.len() != needed {
            return fail(format!("skin: {} bytes, its head asks for {needed}", bytes.len()));
        }
        if let Err(what) = unseal(bytes) {
            return fail(format!("skin: {what}"));
        }
        let counts: Vec<u32> = (0..strands).map(|_| r.u32()).collect();
        if counts.iter().any(|c| *c < 2) || counts.iter().map(|c| u64::from(*c)).sum::<u64>() != radii as u64 {
            return fail(format!("skin: its strands do not have {radii} vertices"));
        }
        let radii = (0..radii)
            .map(|i| match finite(&mut r, "radii", i)? {
                x if x > 0.0 => Ok(x),
                x => fail(format!("skin: radii[{i}] is {x}: must be more than 0")),
            })
            .collect::<Result<Vec<f64>>>()?;
        let mut firsts = Vec::with_capacity(edges);
        let mut first = 0;
        for c in &counts {
            firsts.extend(first..first + c - 1);
            first += c;
        }
        let edges = firsts
            .into_iter()
            .enumerate()
            .map(|(i, first)| {
                let length = finite(&mut r, "lengths", i)?;
                let mut frame = [0.0; 4];
                for x in &mut frame {
                    *x = finite(&mut r, "frames", i)?;
                }
                // What is shorter than any edge could not be divided by.
                if (length != 0.0 && length < 1e-30) || (frame.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() > 1e-6 {
                    return fail(format!("skin: edge {i} has length {length}, frame {frame:?}"));
                }
                Ok(RestEdge { first, length, frame })
            })
            .collect::<Result<Vec<RestEdge>>>()?;
        let bound = (0..n)
            .map(|i| {
                let [edge, t, weight] = core::array::from_fn(|_| core::array::from_fn(|_| r.u16()));
                let sum: u32 = weight.iter().map(|w: &u16| u32::from(*w)).sum();
                if edge.iter().any(|e: &u16| usize::from(*e) >= edges.len()) || sum != PARTS as u32 {
                    return Err(Error(format!("skin: anchors[{i}] has edges {edge:?}, weights {weight:?}")));
                }
                Ok(Bound { edge, t, weight })
            })
            .collect::<Result<Vec<Bound>>>()?;
        let offsets = vectors(&mut r, n, "offsets")?;
        let normals = vectors(&mut r, n, "normals")?;
        let tangents = if tangents { vectors(&mut r, n, "tangents")? } else { Rows::default() };
        let groups = Groups::new(&bound, [&offsets, &normals, &tangents]);
        Ok(Skin { counts, edges, radii, bound, groups })
    }
}
