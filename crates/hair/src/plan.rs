//! Level of detail: which strands are read, and how many of their vertices.

use crate::{Hair, Mark, Result, fail};

/// Vertices that one task reads, about.
pub(crate) const PART: usize = 8192;
/// Largest factor of widths.
const WIDEST: f64 = 1e3;

/// How much of the hair is read. What is left out at a share is left out at all smaller ones, so that
/// nothing flickers as the shares change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lod {
    /// Share of the strands, (0, 1]: one at least.
    pub strands: f64,
    /// Share of the edges of each strand, (0, 1]: its ends stay.
    pub vertices: f64,
    /// Factor of widths, [0, 1000], beside that which makes up for strands that are left out.
    pub width: f64,
}

impl Default for Lod {
    fn default() -> Self {
        Lod { strands: 1.0, vertices: 1.0, width: 1.0 }
    }
}

impl Lod {
    pub fn check(&self) -> Result<()> {
        for (field, x) in [("strands", self.strands), ("vertices", self.vertices)] {
            if !(x > 0.0 && x <= 1.0) {
                return fail(format!("{field} is {x}: must be more than 0 and at most 1"));
            }
        }
        match self.width >= 0.0 && self.width <= WIDEST {
            true => Ok(()),
            false => fail(format!("width is {}: must be 0 to {WIDEST}", self.width)),
        }
    }
}

/// A strand that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    pub strand: u32,
    pub vertices: u32,
    /// Its first vertex in what is read.
    pub first: u32,
}

/// What a [`Lod`] reads. Kept by the caller, it allocates once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    pub(crate) lod: Lod,
    pub(crate) kept: Vec<Kept>,
    pub(crate) vertices: usize,
    /// Strands of part k: `parts[k]..parts[k + 1]`.
    pub(crate) parts: Vec<u32>,
    /// All strands over those that are read.
    pub(crate) widen: f64,
    pub(crate) of: Mark,
}

/// Vertices of a strand of `n` that are read: at least 2.
fn fewer(n: u32, share: f64) -> u32 {
    1 + ((f64::from(n - 1) * share).round() as u32).clamp(1, n - 1)
}

/// The vertex of a strand of `n` that is read as the `j`th of `kept`: the first and the last stay.
pub(crate) fn vertex(j: usize, kept: usize, n: usize) -> usize {
    (j * (n - 1) * 2 + (kept - 1)) / (2 * (kept - 1))
}

impl Plan {
    pub(crate) fn full(hair: &Hair) -> Plan {
        let mut plan = Plan::default();
        plan.fill(hair, Lod::default());
        plan
    }

    fn fill(&mut self, hair: &Hair, lod: Lod) {
        let n = hair.strands.len();
        let most = ((n as f64 * lod.strands).ceil() as usize).clamp(1, n);
        (self.lod, self.of) = (lod, hair.mark);
        self.widen = n as f64 / most as f64;
        self.kept.clear();
        self.parts.clear();
        self.parts.push(0);
        let (mut first, mut begun) = (0usize, 0usize);
        for (i, s) in hair.strands.iter().enumerate().filter(|x| (x.1.rank as usize) < most) {
            let vertices = fewer(s.vertices, lod.vertices);
            self.kept.push(Kept { strand: i as u32, vertices, first: first as u32 });
            first += vertices as usize;
            if first - begun >= PART {
                self.parts.push(self.kept.len() as u32);
                begun = first;
            }
        }
        if first > begun {
            self.parts.push(self.kept.len() as u32);
        }
        self.vertices = first;
    }

    /// What is read at `lod`. Kept from an earlier call with the same `lod`, it costs nothing.
    ///
    /// Errors: shares that are not within 0 and 1, a factor of widths out of range.
    pub fn update(&mut self, hair: &Hair, lod: Lod) -> Result<()> {
        lod.check()?;
        if !self.of.is(hair.mark) || self.lod != lod {
            self.fill(hair, lod);
        }
        Ok(())
    }

    /// What it was made for.
    pub fn lod(&self) -> Lod {
        self.lod
    }
    /// Strands that are read.
    pub fn strands(&self) -> usize {
        self.kept.len()
    }
    /// Vertices of all strands that are read.
    pub fn vertices(&self) -> usize {
        self.vertices
    }
    /// Tasks of a read.
    pub fn parts(&self) -> usize {
        self.parts.len() - 1
    }
    /// The strands that are read, in their order.
    pub fn kept(&self) -> &[Kept] {
        &self.kept
    }
    pub fn memory_bytes(&self) -> usize {
        self.kept.len() * size_of::<Kept>() + 4 * self.parts.len()
    }

    /// m: widths of all vertices that are read, 0 where the hair has none. Those of fewer strands are
    /// wider, so that they cover as much.
    pub fn widths(&self, hair: &Hair, mut put: impl FnMut(usize, f64)) {
        let factor = self.widen * self.lod.width;
        for k in &self.kept {
            let s = &hair.strands[k.strand as usize];
            for j in 0..k.vertices as usize {
                let v = vertex(j, k.vertices as usize, s.vertices as usize);
                let width = match hair.widths.len() {
                    0 => 0.0,
                    1 => f64::from(hair.widths[0]),
                    n if n == hair.vertices() => f64::from(hair.widths[s.first as usize + v]),
                    _ => f64::from(hair.widths[k.strand as usize]),
                };
                put(k.first as usize + j, factor * width);
            }
        }
    }
}
