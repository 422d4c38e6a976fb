//! Places become rods: they end at the surface, and one radius a slice gives them the muscle's volume.

use super::V3;
use super::ends::Region;
use super::sections::{Body, Section};
use super::voronoi::Places;
use std::f64::consts::PI;

/// Layers between two slices in which volume is counted.
const LAYERS: usize = 8;
/// Rounds in which radii are adapted to the volumes around their slices.
const ROUNDS: usize = 8;
/// The rod that ends nearest to a tip ends at it, if that is at most so many radii of the whole end away.
const PULL: f64 = 2.0;

pub(crate) struct Bundle {
    /// `[slice][rod]`.
    pub places: Vec<Vec<V3>>,
    pub radii: Vec<f64>,
}

impl Bundle {
    pub fn new(body: &Body, sections: &[Section], mut places: Vec<Places>, ends: &[Region; 2], volume: f64) -> Bundle {
        let values: Vec<f64> = sections.iter().map(|section| section.value).collect();
        let most = (values[1] - values[0]).min(6.0 * body.h());
        let last = values.len() - 1;
        for (slice, sign) in [(0, -1.0), (last, 1.0)] {
            let Places { at, part } = &mut places[slice];
            for (place, &part) in at.iter_mut().zip(part.iter()) {
                let out = sections[slice].parts[part].frame[2] * sign;
                *place += out * body.surface.way_out(*place, out, most, 0.5 * body.h());
            }
        }
        let mut bundle = Bundle { radii: Vec::new(), places: places.into_iter().map(|places| places.at).collect() };
        bundle.thicken(&slice_volumes(body, &values), volume);
        for (slice, end) in [(0, &ends[0]), (last, &ends[1])] {
            bundle.pull(slice, &end.tips);
        }
        bundle.thicken(&slice_volumes(body, &values), volume);
        bundle
    }

    fn pull(&mut self, slice: usize, tips: &[V3]) {
        // At a pointed end the next slice tells better how thick the end is.
        let next = if slice == 0 { 1 } else { slice - 1 };
        let whole = self.radii[slice].max(self.radii[next]) * (self.places[slice].len() as f64 / tips.len() as f64).sqrt();
        for tip in tips {
            let apart = |p: &V3| (p - tip).norm();
            let nearest = self.places[slice].iter_mut().min_by(|a, b| apart(a).total_cmp(&apart(b)));
            if let Some(place) = nearest.filter(|place| apart(place) <= PULL * whole) {
                *place = *tip;
            }
        }
    }

    /// Radii whose cones have the given volumes around the slices, where each place between two slices counts for both by its distance; then
    /// all by one factor, so that the sum is exact.
    fn thicken(&mut self, volumes: &[f64], volume: f64) {
        let lengths: Vec<f64> =
            self.places.windows(2).map(|pair| pair[0].iter().zip(&pair[1]).map(|(a, b)| (b - a).norm()).sum()).collect();
        let around = |slice: usize| 0.5 * (lengths[slice.max(1) - 1] + lengths[slice.min(lengths.len() - 1)]);
        self.radii = (0..volumes.len()).map(|slice| (volumes[slice] / (PI * around(slice))).sqrt()).collect();
        for _ in 0..ROUNDS {
            let mut cones = vec![0.0; volumes.len()];
            for (k, length) in lengths.iter().enumerate() {
                // ∫ (1 − t) r(t)² dt, and with t for 1 − t.
                let (r, s) = (self.radii[k], self.radii[k + 1]);
                cones[k] += PI * length * (r * r / 4.0 + r * s / 6.0 + s * s / 12.0);
                cones[k + 1] += PI * length * (s * s / 4.0 + r * s / 6.0 + r * r / 12.0);
            }
            for (slice, radius) in self.radii.iter_mut().enumerate() {
                *radius *= (volumes[slice] / cones[slice]).sqrt();
            }
        }
        let cone = |(r, length): (&[f64], &f64)| PI / 3.0 * (r[0] * r[0] + r[0] * r[1] + r[1] * r[1]) * length;
        let cones: f64 = self.radii.windows(2).zip(&lengths).map(cone).sum();
        let factor = (volume / cones).sqrt();
        self.radii.iter_mut().for_each(|radius| *radius *= factor);
    }
}

/// The volume around each slice: what lies between two slices counts for both by its distance.
fn slice_volumes(body: &Body, values: &[f64]) -> Vec<f64> {
    let layers =
        values.windows(2).flat_map(|pair| (0..LAYERS).map(move |k| pair[0] + (pair[1] - pair[0]) * k as f64 / LAYERS as f64));
    let borders: Vec<f64> = layers.chain(values.last().copied()).collect();
    let up_to = body.volumes(&borders);
    let mut volumes = vec![0.0; values.len()];
    for k in 0..up_to.len() {
        let own = up_to[k] - if k > 0 { up_to[k - 1] } else { 0.0 };
        // The first one is all before the first slice, the last one all behind the last.
        let place = ((k as f64 - 0.5) / LAYERS as f64).clamp(0.0, (values.len() - 1) as f64);
        let before = (place as usize).min(values.len() - 2);
        volumes[before] += own * (1.0 - (place - before as f64));
        volumes[before + 1] += own * (place - before as f64);
    }
    volumes
}
