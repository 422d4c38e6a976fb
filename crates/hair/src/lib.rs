//! Render hair: any number of strands that follow a few simulated guides.
//!
//! [`Hair::bind`] gives each strand of a groom up to three guides with weights ([`bind`]);
//! [`Hair::scatter`] makes strands between the guides ([`scatter`]). [`Hair::pose`] takes where the
//! guides are now ([`pose`]), and [`Hair::read`] writes positions and tangents of all strands
//! ([`read`]), or of fewer with fewer vertices ([`Lod`]). [`Hair::save`] and [`Hair::load`] keep bound
//! hair as bytes ([`file`]). `docs/internals/render_hair.md` has the method and its measurements.
//!
//! This work is based on: Delaunay interpolation on scattered data; blending of quaternions as in
//! Kavan and Žára 2005, Spherical blend skinning; Lee and Seidel's and Catmull and Rom's cubics.

mod bind;
mod curve;
mod dispatch;
mod file;
pub mod kernels;
pub mod layout;
mod nearest;
mod plan;
mod pose;
mod read;
mod scatter;

pub use bind::BindOptions;
pub use plan::{Kept, Lod, Plan};
pub use pose::{Pose, Roots};
pub use read::{Job, Made, Out, Target};
pub use scatter::{Scalp, Scatter};

use layout::{Offsets, Strand, Table};

/// Why guides, strands, a pose or a file were refused: names field, index and value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(pub String);

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

pub type Result<T> = core::result::Result<T, Error>;

pub(crate) fn fail<T>(message: impl Into<String>) -> Result<T> {
    Err(Error(message.into()))
}

/// Most vertices of all render strands, and of all guides.
pub const MOST_VERTICES: usize = 1 << 26;
/// Largest coordinate, m.
pub const LARGEST: f64 = 1e9;
/// Vertices of one render strand.
pub const MOST_OF_A_STRAND: u32 = 1 << 16;

/// Simulated strands, at the bind pose or now.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guides<'a> {
    /// Vertices of each guide, at least 2.
    pub counts: &'a [u32],
    /// m, guide after guide.
    pub positions: &'a [[f64; 3]],
    /// Unit quaternions xyzw, one an edge: its material frame.
    pub frames: &'a [[f64; 4]],
}

/// Render strands at the bind pose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Strands<'a> {
    /// Vertices of each strand, at least 2.
    pub counts: &'a [u32],
    /// m, strand after strand.
    pub positions: &'a [[f64; 3]],
    /// m: one a vertex, or one a strand, or one for all.
    pub widths: &'a [f32],
}

/// The guides at the bind pose, relative to `origin`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rest {
    pub counts: Vec<u32>,
    /// m
    pub origin: [f64; 3],
    /// m, less the origin.
    pub positions: Vec<[f32; 3]>,
    /// One an edge.
    pub frames: Vec<[f32; 4]>,
}

/// Tells hair apart: a pose or a plan is of one. Copies share it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark(u64);

impl Mark {
    pub(crate) fn new() -> Mark {
        use core::sync::atomic::{AtomicU64, Ordering};
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Mark(NEXT.fetch_add(1, Ordering::Relaxed))
    }
    pub(crate) fn is(self, other: Mark) -> bool {
        self.0 == other.0
    }
}

impl PartialEq for Mark {
    /// Hair is equal if all else is.
    fn eq(&self, _: &Mark) -> bool {
        true
    }
}

/// Render strands bound to guides. It holds no state: what it gives depends on the guides alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Hair {
    pub(crate) rest: Rest,
    pub(crate) strands: Vec<Strand>,
    /// m, less the origin: all strands at the bind pose.
    pub(crate) points: Vec<[f32; 3]>,
    /// m, as it was given.
    pub(crate) widths: Vec<f32>,
    pub(crate) tables: Vec<Table>,
    pub(crate) offsets: Offsets,
    pub(crate) full: Plan,
    pub(crate) mark: Mark,
}

pub(crate) fn check_finite(field: &str, values: &[[f64; 3]]) -> Result<()> {
    for (i, v) in values.iter().enumerate() {
        if let Some(k) = v.iter().position(|x| !x.is_finite() || x.abs() > LARGEST) {
            return fail(format!("{field}[{i}].{} is {}: must be finite and at most {LARGEST:e}", ["x", "y", "z"][k], v[k]));
        }
    }
    Ok(())
}

pub(crate) fn check_frames(field: &str, frames: &[[f64; 4]]) -> Result<()> {
    for (i, q) in frames.iter().enumerate() {
        let n: f64 = q.iter().map(|x| x * x).sum();
        if !(n > 0.25 && n < 4.0) {
            return fail(format!("{field}[{i}] is {q:?}: must be a unit quaternion"));
        }
    }
    Ok(())
}

/// The sum, if every strand has enough vertices.
fn check_counts(field: &str, counts: &[u32], most: u32) -> Result<usize> {
    let mut vertices = 0usize;
    for (i, &n) in counts.iter().enumerate() {
        if !(2..=most).contains(&n) {
            return fail(format!("{field}[{i}] is {n}: a strand has 2 to {most} vertices"));
        }
        vertices += n as usize;
    }
    if vertices > MOST_VERTICES {
        return fail(format!("{field}: {vertices} vertices, {MOST_VERTICES} at most"));
    }
    Ok(vertices)
}

/// Refuses guides whose arrays do not fit each other, or have numbers that nothing can follow.
pub(crate) fn check_guides(g: &Guides) -> Result<()> {
    if g.counts.is_empty() {
        return fail("counts of the guides is empty: render hair needs guides");
    }
    let vertices = check_counts("counts of the guides", g.counts, MOST_VERTICES as u32)?;
    let edges = vertices - g.counts.len();
    for (field, has, wants, what) in [
        ("positions of the guides", g.positions.len(), vertices, "vertices"),
        ("frames of the guides", g.frames.len(), edges, "edges"),
    ] {
        if has != wants {
            return fail(format!("{field} has {has} entries: there are {wants} {what}"));
        }
    }
    check_finite("positions of the guides", g.positions)?;
    check_frames("frames of the guides", g.frames)
}

fn check_strands(s: &Strands) -> Result<()> {
    if s.counts.is_empty() {
        return fail("counts is empty: there is no strand");
    }
    let vertices = check_counts("counts", s.counts, MOST_OF_A_STRAND)?;
    if s.positions.len() != vertices {
        return fail(format!("positions has {} entries: counts add up to {vertices}", s.positions.len()));
    }
    check_finite("positions", s.positions)?;
    let n = s.widths.len();
    if !(n <= 1 || n == s.counts.len() || n == vertices) {
        return fail(format!("widths has {n} entries: must be 1, {} a strand, or {vertices} a vertex", s.counts.len()));
    }
    match s.widths.iter().position(|w| !(*w >= 0.0 && f64::from(*w) <= LARGEST)) {
        Some(i) => fail(format!("widths[{i}] is {}: must be 0 to {LARGEST:e}", s.widths[i])),
        None => Ok(()),
    }
}

fn rest_of(g: &Guides) -> Rest {
    let origin = g.positions[0];
    Rest {
        counts: g.counts.to_vec(),
        origin,
        positions: g.positions.iter().map(|p| relative(*p, origin)).collect(),
        frames: g.frames.iter().map(|q| unit(*q).map(|x| x as f32)).collect(),
    }
}

pub(crate) fn relative(p: [f64; 3], origin: [f64; 3]) -> [f32; 3] {
    [p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]].map(|x| x as f32)
}

pub(crate) fn unit(q: [f64; 4]) -> [f64; 4] {
    let n = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / n)
}

/// Guides and weights of a strand. Weights add up to 1; guides that are not used have weight 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Followed {
    pub guides: [u32; 3],
    pub weights: [f32; 3],
}

impl Hair {
    /// Binds the strands of a groom to guides.
    ///
    /// Errors: no guides, arrays that do not fit each other, numbers that are not finite.
    pub fn bind(guides: &Guides, strands: &Strands, options: &BindOptions) -> Result<Hair> {
        check_guides(guides)?;
        check_strands(strands)?;
        options.check()?;
        let followed = bind::followed(guides, strands, options);
        Ok(Self::assemble(rest_of(guides), strands, &followed))
    }

    /// Takes guides and weights that the host made: three a strand, which need not add up to 1.
    ///
    /// Errors: as [`Hair::bind`]; a guide that there is not, a weight below 0 or not finite, a strand
    /// without weight.
    pub fn with_weights(guides: &Guides, strands: &Strands, held: &[[u32; 3]], weights: &[[f64; 3]]) -> Result<Hair> {
        check_guides(guides)?;
        check_strands(strands)?;
        let n = strands.counts.len();
        for (field, has) in [("guides", held.len()), ("weights", weights.len())] {
            if has != n {
                return fail(format!("{field} has {has} entries: there are {n} strands"));
            }
        }
        let mut followed = Vec::with_capacity(n);
        for (i, (g, w)) in held.iter().zip(weights).enumerate() {
            for k in 0..3 {
                if !(w[k] >= 0.0 && w[k] <= LARGEST) {
                    return fail(format!("weights[{i}] has {}: must be 0 to {LARGEST:e}", w[k]));
                }
                if w[k] > 0.0 && g[k] as usize >= guides.counts.len() {
                    return fail(format!("guides[{i}] has {}: there are {}", g[k], guides.counts.len()));
                }
            }
            if w.iter().sum::<f64>() < 1e-12 {
                return fail(format!("weights[{i}] is {w:?}: a strand needs a weight of 1e-12 or more"));
            }
            followed.push(bind::shares((0..3).map(|k| (g[k], w[k]))));
        }
        Ok(Self::assemble(rest_of(guides), strands, &followed))
    }

    /// Makes strands between the guides.
    ///
    /// Errors: as [`Hair::bind`]; settings out of range; a scalp without a triangle near the guides.
    pub fn scatter(guides: &Guides, scatter: &Scatter, options: &BindOptions) -> Result<Hair> {
        check_guides(guides)?;
        options.check()?;
        scatter.check(guides)?;
        let made = scatter::strands(guides, scatter, options)?;
        let strands = Strands { counts: &made.counts, positions: &made.positions, widths: scatter.widths };
        check_strands(&strands)?;
        Ok(Self::assemble(rest_of(guides), &strands, &made.followed))
    }

    fn assemble(rest: Rest, s: &Strands, followed: &[Followed]) -> Hair {
        let points = s.positions.iter().map(|p| relative(*p, rest.origin)).collect();
        layout::lay_out(rest, s.counts, points, s.widths.to_vec(), followed)
    }

    /// Render strands.
    pub fn strands(&self) -> usize {
        self.strands.len()
    }
    /// Vertices of all render strands.
    pub fn vertices(&self) -> usize {
        self.points.len()
    }
    /// Vertices of each guide.
    pub fn counts(&self) -> &[u32] {
        &self.rest.counts
    }
    pub fn followed(&self, strand: usize) -> Followed {
        let s = &self.strands[strand];
        Followed { guides: s.guides, weights: s.weights }
    }
    /// Of each strand, in order: what it follows, and where its numbers are.
    pub fn laid_out(&self) -> &[Strand] {
        &self.strands
    }
    /// What is added to the blend of the guides, and which samples uneven strands take.
    pub fn offsets(&self) -> &Offsets {
        &self.offsets
    }
    /// All guides at the same shares of their lengths.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }
    /// Unit quaternions xyzw, one an edge of the guides: their frames at the bind pose.
    pub fn rest_frames(&self) -> &[[f32; 4]] {
        &self.rest.frames
    }
    /// The strands of full detail.
    pub fn full(&self) -> &Plan {
        &self.full
    }
    /// Bytes in memory.
    pub fn memory_bytes(&self) -> usize {
        self.tables.iter().map(Table::memory_bytes).sum::<usize>()
            + self.strands.len() * size_of::<Strand>()
            + 12 * self.points.len()
            + 4 * self.widths.len()
            + 12 * self.rest.positions.len()
            + 16 * self.rest.frames.len()
            + self.offsets.memory_bytes()
            + self.full.memory_bytes()
    }
    /// Bytes that a read of positions takes and writes, each once, without those of the guides.
    pub fn traffic(&self, tangents: bool) -> usize {
        let written = if tangents { 24 } else { 12 };
        self.strands.len() * size_of::<Strand>()
            + size_of::<layout::Vectors>() * self.offsets.groups.len()
            + written * self.vertices()
    }
}
