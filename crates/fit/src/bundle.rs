//! Places become rods: they end at the surface, and one radius a slice gives them the muscle's volume.

use super::V3;
use super::ends::Region;
use super::sections::{Body, Part, Section};
use super::voronoi::Places;
use std::f64::consts::PI;

/// Layers between two slices in which volume is counted.
const LAYERS: usize = 8;
/// Rounds in which radii are adapted to the volumes around their slices.
const ROUNDS: usize = 8;
/// How far beyond the last slice a rod looks for the surface, in the way to the tip.
const FARTHEST: f64 = 1.5;

pub(crate) struct Bundle {
    /// `[slice][rod]`.
    pub places: Vec<Vec<V3>>,
    pub radii: Vec<f64>,
    /// Of the origin and the insertion, one a head that has rods.
    pub tips: [Vec<V3>; 2],
    /// Heads without rods.
    pub bare: usize,
}

impl Bundle {
    pub fn new(body: &Body, sections: &[Section], mut places: Vec<Places>, ends: &[Region; 2], volume: f64) -> Bundle {
        let values: Vec<f64> = sections.iter().map(|section| section.value).collect();
        let last = values.len() - 1;
        // The outer vertices lie on the surface, where the field begins and ends.
        let mut reached = values.clone();
        (reached[0], reached[last]) = (0.0, body.field.length);
        let volumes = slice_volumes(body, &reached);
        let mut tips = [Vec::new(), Vec::new()];
        for (end, region) in ends.iter().enumerate() {
            let (slice, beyond) = if end == 0 { (0, values[0]) } else { (last, body.field.length - values[last]) };
            let parts = &sections[slice].parts;
            let sign = if end == 0 { -1.0 } else { 1.0 };
            let most = FARTHEST * beyond + body.h();
            let out = |place: V3, part: &Part| {
                let direction = part.frame[2] * sign;
                place + direction * body.surface.way_out(place, direction, most, 0.5 * body.h())
            };
            let middle =
                |part: &Part| out(if body.surface.encloses(part.mean) { part.mean } else { part.nearest(part.mean) }, part);
            let Places { at, part } = &mut places[slice];
            at.iter_mut().zip(part.iter()).for_each(|(place, &part)| *place = out(*place, &parts[part]));
            tips[end] = tips_of(region, parts, part, at, &middle);
        }
        let mut bundle = Bundle {
            radii: Vec::new(),
            places: places.iter().map(|places| places.at.clone()).collect(),
            tips: [Vec::new(), Vec::new()],
            bare: 0,
        };
        bundle.thicken(&volumes, volume);
        let mut near = Vec::new();
        for (end, slice) in [(0, 0), (1, last)] {
            let rods = nearest_rods(&tips[end], &bundle.places[slice], &places[slice].part);
            bundle.bare += tips[end].len() - rods.len();
            bundle.tips[end] = rods.iter().map(|(_, tip)| *tip).collect();
            // A painted end is a surface without a tip.
            if ends[end].reach > 0.0 {
                near.extend(rods.into_iter().map(|(rod, tip)| Near { slice, rod, tip }));
            }
        }
        // A rod that is drawn out makes all thinner, which may leave others more than a radius away.
        while near.iter().any(|near| bundle.pull(near)) {
            bundle.thicken(&volumes, volume);
        }
        bundle
    }

    /// If the rod does not end within a radius of the tip, it is made to end there: whether that was done.
    fn pull(&mut self, near: &Near) -> bool {
        let place = &mut self.places[near.slice][near.rod];
        let is_away = (*place - near.tip).norm() > self.radii[near.slice];
        if is_away {
            *place = near.tip;
        }
        is_away
    }

    /// Of all rods between each two slices.
    fn lengths(&self) -> Vec<f64> {
        self.places.windows(2).map(|pair| pair[0].iter().zip(&pair[1]).map(|(a, b)| (b - a).norm()).sum()).collect()
    }

    /// Mean length of the rods.
    pub fn length(&self) -> f64 {
        self.lengths().iter().sum::<f64>() / self.places[0].len() as f64
    }

    /// Radii whose cones have the given volumes around the slices, where each place between two slices counts for both
    /// by its distance; then all by one factor, so that the sum is exact.
    fn thicken(&mut self, volumes: &[f64], volume: f64) {
        let lengths = self.lengths();
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

/// Where a head ends, and which part of the outer section it goes through.
struct Tip {
    at: V3,
    part: usize,
}

/// The rod that has to end near a tip.
struct Near {
    slice: usize,
    rod: usize,
    tip: V3,
}

/// The tips of an end: what the caller told, unless the rods beside it end farther away than the end is thick, as the muscle
/// goes on beyond a point that is told inside of it; else the middle of each head's end.
fn tips_of(region: &Region, parts: &[Part], part_of: &[usize], ends: &[V3], middle: &dyn Fn(&Part) -> V3) -> Vec<Tip> {
    let all = parts.iter().enumerate();
    if region.told.is_empty() {
        return all.map(|(part, own)| Tip { at: middle(own), part }).collect();
    }
    let thick = parts.iter().map(|part| part.area).sum::<f64>() / (parts.len() as f64 * PI);
    let tip = |told: &V3| {
        let apart = |part: &usize| (parts[*part].nearest(*told) - told).norm_squared();
        let part = (0..parts.len()).min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or(0);
        let own = ends.iter().zip(part_of).filter(|(_, own)| **own == part);
        let away = own.map(|(end, _)| (end - told).norm()).fold(f64::INFINITY, f64::min);
        let is_beyond = region.reach > 0.0 && away > 2.0 * thick.sqrt();
        Tip { at: if is_beyond { middle(&parts[part]) } else { *told }, part }
    };
    region.told.iter().map(tip).collect()
}

/// For each tip the nearest rod of its part that is not another one's, as far as there are so many.
fn nearest_rods(tips: &[Tip], ends: &[V3], part_of: &[usize]) -> Vec<(usize, V3)> {
    let mut near: Vec<(usize, V3)> = Vec::new();
    for tip in tips {
        let free = (0..ends.len()).filter(|rod| part_of[*rod] == tip.part && near.iter().all(|(other, _)| other != rod));
        let apart = |rod: &usize| (ends[*rod] - tip.at).norm_squared();
        near.extend(free.min_by(|a, b| apart(a).total_cmp(&apart(b))).map(|rod| (rod, tip.at)));
    }
    near
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
