//! Places become rods: they end at the surface, and one radius a slice gives them the muscle's volume.

use super::V3;
use super::sections::{Body, Section};
use super::voronoi::Places;
use std::f64::consts::PI;

pub(crate) struct Bundle {
    /// `[slice][rod]`.
    pub places: Vec<Vec<V3>>,
    pub radii: Vec<f64>,
}

impl Bundle {
    pub fn new(body: &Body, sections: &[Section], mut places: Vec<Places>, volume: f64) -> Bundle {
        let values: Vec<f64> = sections.iter().map(|section| section.value).collect();
        let between: Vec<f64> = values.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
        let up_to = body.volumes(&between);
        let slabs: Vec<f64> = (0..up_to.len()).map(|k| up_to[k] - if k > 0 { up_to[k - 1] } else { 0.0 }).collect();
        let most = (values[1] - values[0]).min(6.0 * body.h());
        for (slice, sign) in [(0, -1.0), (values.len() - 1, 1.0)] {
            let Places { at, part } = &mut places[slice];
            for (place, &part) in at.iter_mut().zip(part.iter()) {
                let out = sections[slice].parts[part].frame[2] * sign;
                *place += out * body.surface.way_out(*place, out, most, 0.5 * body.h());
            }
        }
        let mut bundle = Bundle { radii: vec![0.0; places.len()], places: places.into_iter().map(|places| places.at).collect() };
        bundle.thicken(&slabs, volume);
        bundle
    }

    /// Each slice's radius by its slab's volume; then all by one factor, so that the cones between vertices have all of it.
    fn thicken(&mut self, slabs: &[f64], volume: f64) {
        let lengths: Vec<f64> = self
            .places
            .windows(2)
            .map(|pair| pair[0].iter().zip(&pair[1]).map(|(a, b)| (b - a).norm()).sum())
            .collect();
        for (slice, radius) in self.radii.iter_mut().enumerate() {
            let before = if slice > 0 { lengths[slice - 1] } else { 0.0 };
            let after = lengths.get(slice).copied().unwrap_or(0.0);
            *radius = (slabs[slice] / (PI * 0.5 * (before + after))).sqrt();
        }
        let cones: f64 = self
            .radii
            .windows(2)
            .zip(&lengths)
            .map(|(r, length)| PI / 3.0 * (r[0] * r[0] + r[0] * r[1] + r[1] * r[1]) * length)
            .sum();
        let factor = (volume / cones).sqrt();
        self.radii.iter_mut().for_each(|radius| *radius *= factor);
    }
}
