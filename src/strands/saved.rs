//! The rest shape of rods as bytes: an asset, so that other programs can read it, too.
//!
//! ```text
//! rods.model             text      the model whose strains these are
//! rods.counts            u32       vertices of each strand
//! rods.rest_lengths      f64       m, one an edge
//! rods.rest_strains      f64 × 5   one a vertex: as in RestShape::Strains
//! rods.stiffness_factors f64 × 2   one a vertex; not there where all are 1
//! ```

use super::Rods;
use super::stiffness::STIFFNESS_FACTOR;
use crate::desc::error::{Error, Result};
use crate::desc::{RestShape, validate};
use withy_asset::{BYTES, Chunk, F64, TEXT, U32, read, write};

/// Of each chunk.
const VERSION: u32 = 1;

fn bytes<const N: usize>(rows: &[[f64; N]]) -> Vec<u8> {
    rows.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect()
}

impl Rods {
    /// The rest shape and the factors of stiffness, the same bytes on all machines.
    pub fn save_rest_shape(&self) -> Vec<u8> {
        let (mut lengths, mut strains, mut factors) = (Vec::new(), Vec::new(), Vec::new());
        self.read_rest_lengths(|_, l| lengths.push([l]));
        self.read_rest_strains(|_, s| strains.push(s));
        self.read_stiffness_factors(|_, f| factors.push(f));
        let counts: Vec<u8> = self.layout.counts.iter().flat_map(|c| c.to_le_bytes()).collect();
        let [lengths, strains] = [bytes(&lengths), bytes(&strains)];
        let chunk = |name, format, columns, data| Chunk { name, version: VERSION, format, columns, data };
        let mut chunks = vec![
            chunk("rods.model", TEXT, 0, self.desc.model.name().as_bytes()),
            chunk("rods.counts", U32, 1, &counts),
            chunk("rods.rest_lengths", F64, 1, &lengths),
            chunk("rods.rest_strains", F64, 5, &strains),
        ];
        let changed = factors.iter().any(|f| *f != [1.0; 2]);
        let factors = bytes(&factors);
        if changed {
            chunks.push(chunk("rods.stiffness_factors", F64, 2, &factors));
        }
        write(&chunks).expect("rows of that many columns")
    }

    /// Sets what [`Rods::save_rest_shape`] gave. The rods must have its model and its strands.
    ///
    /// Errors: bytes of something else, cut off or changed; of other rods.
    pub fn load_rest_shape(&mut self, file: &[u8]) -> Result<()> {
        let invalid = |e: withy_asset::Error| Error::invalid(format!("rest shape: {e}"));
        let chunks = read(file).map_err(invalid)?;
        let find = |name: &str| match chunks.iter().find(|c| c.name == name) {
            Some(c) if c.version != VERSION => {
                Err(Error::invalid(format!("rest shape: chunk {name:?} has version {}, this library reads {VERSION}", c.version)))
            }
            found => Ok(found),
        };
        let must = |name: &str| find(name)?.ok_or_else(|| Error::invalid(format!("rest shape: it has no chunk {name:?}")));
        let (model, ours) = (must("rods.model")?, self.desc.model.name());
        if !(BYTES..=TEXT).contains(&model.format) || model.data != ours.as_bytes() {
            let theirs = String::from_utf8_lossy(model.data);
            return Err(Error::invalid(format!("rest shape: it is of {theirs}, the rods are {ours}")));
        }
        let counts = must("rods.counts")?.u32s().map_err(invalid)?;
        if counts.len() != self.strand_count() {
            let n = self.strand_count();
            return Err(Error::invalid(format!("rest shape: it has {} strands, the rods have {n}", counts.len())));
        }
        if let Some(s) = (0..counts.len()).find(|s| counts[*s] as usize != self.layout.counts[*s] as usize) {
            let n = self.layout.counts[s];
            return Err(Error::invalid(format!("rest shape: strand {s} has {} vertices, that of the rods {n}", counts[s])));
        }
        let lengths = must("rods.rest_lengths")?.f64s::<1>().map_err(invalid)?.into_flattened();
        let strains = must("rods.rest_strains")?.f64s::<5>().map_err(invalid)?;
        let factors = match find("rods.stiffness_factors")? {
            Some(c) => Some(c.f64s::<2>().map_err(invalid)?),
            None => None,
        };
        if let Some(factors) = &factors {
            if factors.len() != self.vertex_count() {
                let n = self.vertex_count();
                return Err(Error::invalid(format!(
                    "rest shape: {} stiffness factors, the rods have {n} vertices",
                    factors.len()
                )));
            }
            let [low, high] = STIFFNESS_FACTOR;
            factors.as_flattened().iter().try_for_each(|f| validate::between("factors", *f, low, high))?;
        }
        let rest = RestShape::Strains { lengths, strains };
        validate::rest_shape(&rest, self.edge_count(), self.element_count())?;
        // Nothing has changed until here.
        match factors {
            Some(factors) => self.set_stiffness_factors(|i| factors[i])?,
            None if !self.material.factors.is_empty() => self.set_stiffness_factors(|_| [1.0; 2])?,
            None => {}
        }
        self.set_rest_shape(rest)
    }
}
