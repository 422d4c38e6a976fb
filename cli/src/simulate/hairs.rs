//! Strands that are drawn and cached, but follow those that are simulated.

use super::Part;
use crate::Result;
use crate::abi::{RenderHair, Rods, World};
use crate::args::Simulate;
use withy::io::Groom;

/// Strands of a picture, if nobody says how many.
const DRAWN: u32 = 20_000;
#[cfg(feature = "view")]
const LIVE: u32 = 6_000;

/// With `--guides N` the strands that are simulated, and all of the file.
pub fn guides(options: &Simulate, groom: Groom) -> (Groom, Option<Groom>) {
    match options.guides.map(|n| n as usize) {
        Some(n) if n < groom.counts.len() => (groom.only(&spread(&groom, n)), Some(groom)),
        _ => (groom, None),
    }
}

/// `n` strands whose roots and ways lie far from each other: each is the farthest from all before it.
fn spread(groom: &Groom, n: usize) -> Vec<u32> {
    let sites: Vec<[f32; 6]> = groom
        .ranges()
        .map(|r| {
            let (a, b) = (groom.points[r.start], groom.points[r.end - 1]);
            // What a way counts beside a root.
            let way = |k: usize| 0.1 * (b[k] - a[k]);
            [a[0], a[1], a[2], way(0), way(1), way(2)]
        })
        .collect();
    let mut far = vec![f32::MAX; sites.len()];
    let mut chosen = vec![0u32];
    while chosen.len() < n {
        let last = sites[chosen[chosen.len() - 1] as usize];
        let mut next = 0;
        for (i, site) in sites.iter().enumerate() {
            let d: f32 = site.iter().zip(last).map(|(a, b)| (a - b).powi(2)).sum();
            far[i] = far[i].min(d);
            if far[i] > far[next] {
                next = i;
            }
        }
        chosen.push(next as u32);
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// Which strands follow the guides.
pub enum Wanted<'a> {
    None,
    /// So many for each guide; cached too if that was asked.
    Scatter {
        per_guide: u32,
        is_cached: bool,
    },
    /// Those of the file.
    Groom(&'a Groom),
}

impl<'a> Wanted<'a> {
    /// As many as a window draws in each frame.
    #[cfg(feature = "view")]
    pub fn live(guides: &Groom) -> Wanted<'a> {
        match LIVE.div_ceil(guides.counts.len() as u32) {
            0 | 1 => Wanted::None,
            per_guide => Wanted::Scatter { per_guide, is_cached: false },
        }
    }
    pub fn new(options: &Simulate, guides: &Groom, all: Option<&'a Groom>, is_drawn: bool) -> Wanted<'a> {
        if let Some(all) = all {
            return Wanted::Groom(all);
        }
        let asked = options.render_hairs;
        let usual = if is_drawn { DRAWN.div_ceil(guides.counts.len() as u32) } else { 1 };
        match asked.unwrap_or(usual) {
            1 => Wanted::None,
            per_guide => Wanted::Scatter { per_guide, is_cached: asked.is_some() },
        }
    }
}

/// Render hair of a run.
pub struct Hairs {
    pub hair: RenderHair,
    pub counts: Vec<u32>,
    /// The strand of the groom that each follows most.
    pub guides: Vec<u32>,
    pub is_cached: bool,
    /// The file's, if it has one a strand or a vertex of its own.
    pub widths: Vec<f32>,
    are_files_own: bool,
}

impl Hairs {
    pub fn new(world: &World, parts: &[Part], wanted: Wanted) -> Result<Option<Hairs>> {
        let rods: Vec<Rods> = parts.iter().map(|p| p.rods).collect();
        let (hair, is_cached, widths, are_files_own) = match wanted {
            Wanted::None => return Ok(None),
            Wanted::Scatter { per_guide, is_cached } => (world.scatter_hair(&rods, per_guide)?, is_cached, Vec::new(), false),
            Wanted::Groom(all) => (world.bind_hair(&rods, &all.counts, &all.points)?, true, all.widths.clone(), true),
        };
        let strands: Vec<u32> = parts.iter().flat_map(|p| p.strands.iter().copied()).collect();
        let guides = hair.nearest()?.into_iter().map(|g| strands[g as usize]).collect();
        Ok(Some(Hairs { hair, counts: hair.counts()?, guides, is_cached, widths, are_files_own }))
    }

    /// What is simulated and what is not, for whoever looks at a picture.
    pub fn says(&self, groom: &Groom) -> String {
        let (guides, all) = (groom.counts.len(), self.counts.len());
        match self.are_files_own {
            true => format!("{guides} of {all} strands simulated, the others interpolated between them"),
            false => format!("{guides} guides simulated, {} hairs interpolated between them", all - guides),
        }
    }
}
