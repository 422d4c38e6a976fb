//! Bound hair as bytes.
//!
//! ```text
//! "WITHYHAR"  version u32  guides u32  vertices of guides u32  strands u32  vertices u32  widths u32
//! payload  checksum u64 (FNV-1a of all before it)
//! payload: origin 3 f64 · guides: counts u32, positions 3 f32, frames 4 f32
//!          · strands: counts u32, guides 3 u32, weights 3 f32 · points 3 f32 · widths f32
//! ```
//! Little-endian. The same hair gives the same bytes; offsets and tables are made again from them.

use withy_asset::{Reader, seal, unseal};

use crate::layout::lay_out;
use crate::{Followed, Hair, LARGEST, MOST_OF_A_STRAND, MOST_VERTICES, Rest, Result, fail};

const MAGIC: &[u8; 8] = b"WITHYHAR";
/// Counts up when the layout changes.
pub const VERSION: u32 = 1;
const HEAD: usize = 32;

/// Bytes of a file, checksum and all.
fn size(guides: usize, guide_vertices: usize, strands: usize, vertices: usize, widths: usize) -> usize {
    let edges = guide_vertices - guides;
    HEAD + 24 + 4 * guides + 12 * guide_vertices + 16 * edges + 28 * strands + 12 * vertices + 4 * widths + 8
}

fn counts(r: &mut Reader, n: usize, total: usize, what: &str, most: u32) -> Result<Vec<u32>> {
    let counts: Vec<u32> = (0..n).map(|_| r.u32()).collect();
    let sum: u64 = counts.iter().map(|c| u64::from(*c)).sum();
    match counts.iter().all(|c| (2..=most).contains(c)) && sum == total as u64 {
        true => Ok(counts),
        false => fail(format!("hair: its {what} do not have {total} vertices")),
    }
}

fn floats<const N: usize>(r: &mut Reader, n: usize, what: &str) -> Result<Vec<[f32; N]>> {
    let mut all = Vec::with_capacity(n);
    for i in 0..n {
        let row: [f32; N] = core::array::from_fn(|_| r.f32());
        // Twice the largest: they are relative to the first.
        match row.iter().find(|x| !x.is_finite() || f64::from(x.abs()) > 2.0 * LARGEST) {
            Some(x) => return fail(format!("hair: {what}[{i}] is {x}: must be finite")),
            None => all.push(row),
        }
    }
    Ok(all)
}

impl Hair {
    /// Bytes that [`Hair::save`] gives.
    pub fn saved_size(&self) -> usize {
        let r = &self.rest;
        size(r.counts.len(), r.positions.len(), self.strands(), self.vertices(), self.widths.len())
    }

    /// The bound hair as bytes, the same on all machines.
    pub fn save(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.saved_size());
        let r = &self.rest;
        out.extend(MAGIC);
        let n = [r.counts.len(), r.positions.len(), self.strands(), self.vertices(), self.widths.len()];
        out.extend(VERSION.to_le_bytes());
        n.iter().for_each(|x| out.extend((*x as u32).to_le_bytes()));
        r.origin.iter().for_each(|x| out.extend(x.to_le_bytes()));
        r.counts.iter().for_each(|x| out.extend(x.to_le_bytes()));
        r.positions.as_flattened().iter().for_each(|x| out.extend(x.to_le_bytes()));
        r.frames.as_flattened().iter().for_each(|x| out.extend(x.to_le_bytes()));
        self.strands.iter().for_each(|s| out.extend(s.vertices.to_le_bytes()));
        self.strands.iter().flat_map(|s| s.guides).for_each(|x| out.extend(x.to_le_bytes()));
        self.strands.iter().flat_map(|s| s.weights).for_each(|x| out.extend(x.to_le_bytes()));
        self.points.as_flattened().iter().for_each(|x| out.extend(x.to_le_bytes()));
        self.widths.iter().for_each(|x| out.extend(x.to_le_bytes()));
        seal(&mut out);
        debug_assert_eq!(out.len(), self.saved_size());
        out
    }

    /// The hair of [`Hair::save`]'s bytes.
    ///
    /// Errors: bytes of something else, of another version, cut off or changed.
    pub fn load(bytes: &[u8]) -> Result<Hair> {
        if bytes.len() < HEAD + 8 || &bytes[..8] != MAGIC {
            return fail(format!("hair: {} bytes that do not begin as saved hair does", bytes.len()));
        }
        let mut r = Reader::new(&bytes[8..]);
        let version = r.u32();
        if version != VERSION {
            return fail(format!("hair: version {version}, this library reads {VERSION}"));
        }
        let [guides, guide_vertices, strands, vertices, widths] = core::array::from_fn(|_| r.u32() as usize);
        let fits = |strands: usize, vertices: usize| strands > 0 && vertices >= 2 * strands && vertices <= MOST_VERTICES;
        let has_widths = widths <= 1 || widths == strands || widths == vertices;
        if !fits(guides, guide_vertices) || !fits(strands, vertices) || !has_widths {
            return fail(format!(
                "hair: {guides} guides with {guide_vertices} vertices, {strands} strands with {vertices}, {widths} widths"
            ));
        }
        let needed = size(guides, guide_vertices, strands, vertices, widths);
        if bytes.len() != needed {
            return fail(format!("hair: {} bytes, its head asks for {needed}", bytes.len()));
        }
        if let Err(what) = unseal(bytes) {
            return fail(format!("hair: {what}"));
        }
        let origin: [f64; 3] = core::array::from_fn(|_| r.f64());
        if origin.iter().any(|x| !x.is_finite() || x.abs() > LARGEST) {
            return fail(format!("hair: origin is {origin:?}: must be finite"));
        }
        let rest = Rest {
            origin,
            counts: counts(&mut r, guides, guide_vertices, "guides", MOST_VERTICES as u32)?,
            positions: floats(&mut r, guide_vertices, "positions of the guides")?,
            frames: floats(&mut r, guide_vertices - guides, "frames")?,
        };
        let is_unit = |q: &[f32; 4]| (q.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-4;
        if let Some(i) = rest.frames.iter().position(|q| !is_unit(q)) {
            return fail(format!("hair: frames[{i}] is {:?}: must be a unit quaternion", rest.frames[i]));
        }
        let strand_counts = counts(&mut r, strands, vertices, "strands", MOST_OF_A_STRAND)?;
        let of: Vec<[u32; 3]> = (0..strands).map(|_| core::array::from_fn(|_| r.u32())).collect();
        let weights: Vec<[f32; 3]> = floats(&mut r, strands, "weights")?;
        let mut followed = Vec::with_capacity(strands);
        for (i, (guides_of, w)) in of.into_iter().zip(weights).enumerate() {
            let is_whole = w.iter().all(|x| (0.0..=1.0).contains(x)) && (w.iter().sum::<f32>() - 1.0).abs() < 1e-5;
            if guides_of.iter().any(|g| *g as usize >= guides) || !is_whole {
                return fail(format!("hair: strand {i} has guides {guides_of:?}, weights {w:?}"));
            }
            followed.push(Followed { guides: guides_of, weights: w });
        }
        let points = floats(&mut r, vertices, "points")?;
        let widths: Vec<f32> = floats::<1>(&mut r, widths, "widths")?.into_iter().map(|x| x[0]).collect();
        if let Some(i) = widths.iter().position(|x| *x < 0.0) {
            return fail(format!("hair: widths[{i}] is {}: must be 0 or more", widths[i]));
        }
        Ok(lay_out(rest, &strand_counts, points, widths, &followed))
    }
}
