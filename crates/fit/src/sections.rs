//! Sections: where the field has one value, as points of equal weight; and how much volume lies between two values.

use super::V3;
use super::cells::{Cells, NONE};
use super::field::Field;
use super::surface::Surface;
use super::tasks::{Run, map};
use nalgebra::{Matrix2, Vector2};

/// Points of a section, about, for each rod.
const POINTS_PER_ROD: f64 = 40.0;
/// A cell is cut into at most so many pieces along a side: a tendon of a few cells has room for many rods.
const FINEST: f64 = 12.0;
/// Where the field hardly changes (1 elsewhere) a cell is not on the way from end to end.
const DEAD: f64 = 0.2;
/// A part of a section smaller than this part of it is a ragged edge.
const CRUMB: f64 = 0.01;
/// Cells that one task takes.
const CHUNK: usize = 32;

/// What sections are cut from.
pub(crate) struct Body<'a> {
    pub surface: &'a Surface,
    pub cells: &'a Cells,
    pub field: &'a Field,
    pub run: Run<'a>,
}

/// A section, in parts that do not touch: one through the belly, one a head.
pub(crate) struct Section {
    pub value: f64,
    pub parts: Vec<Part>,
}

pub(crate) struct Part {
    pub points: Vec<V3>,
    pub mean: V3,
    /// Two directions across and the one along.
    pub frame: [V3; 3],
    /// Of the points in the two directions across.
    pub covariance: Matrix2<f64>,
    pub area: f64,
    /// A cell in the middle of the layer.
    pub cell: usize,
}

impl Body<'_> {
    fn along(&self, cell: usize, point: V3) -> f64 {
        self.field.along[cell] + self.field.gradient[cell].dot(&(point - self.cells.center(cell)))
    }

    pub fn is_on_way(&self, cell: usize) -> bool {
        self.field.gradient[cell].norm() > DEAD
    }

    /// The part of the volume that leads to no end: a head that was not told of.
    pub fn dead(&self) -> f64 {
        1.0 - self.cells.volume(|cell| self.is_on_way(cell)) / self.cells.volume(|_| true)
    }

    /// The volume on the way up to each of these values of the field, ascending, and all of it.
    pub fn volumes(&self, values: &[f64]) -> Vec<f64> {
        let h = self.cells.grid.h;
        let mut counts = vec![0u64; values.len() + 1];
        for cell in (0..self.cells.len()).filter(|&cell| self.is_on_way(cell)) {
            let center = self.cells.center(cell);
            for k in (0..8).filter(|k| self.cells.inside[cell] >> k & 1 == 1) {
                let place = V3::from_fn(|axis, _| if k >> axis & 1 == 0 { -0.25 } else { 0.25 });
                let along = self.along(cell, center + place * h);
                counts[values.partition_point(|value| *value < along)] += 1;
            }
        }
        let sums = counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum as f64 * h.powi(3) / 8.0)
        });
        sums.collect()
    }

    /// The section at a value of the field; `area` is about its area.
    pub fn section(&self, value: f64, area: f64, rods: usize) -> Section {
        let h = self.cells.grid.h;
        let spacing = (area / (rods as f64 * POINTS_PER_ROD)).sqrt().clamp(h / FINEST, h);
        let cuts = (h / spacing).ceil() as i32;
        // As thick as one layer of points; at a pointed tip thicker.
        let mut thickness = h / f64::from(cuts);
        loop {
            let section = self.sample(value, thickness, cuts);
            if section.parts.iter().map(|part| part.points.len()).sum::<usize>() >= 4 * rods || thickness > 2.0 * h {
                return section;
            }
            thickness *= 1.5;
        }
    }

    fn sample(&self, value: f64, thickness: f64, cuts: i32) -> Section {
        let h = self.cells.grid.h;
        let may_cross = |&cell: &usize| {
            let slope = self.field.gradient[cell].norm();
            self.is_on_way(cell) && (self.field.along[cell] - value).abs() <= (0.87 * h + 0.5 * thickness) * slope
        };
        let near: Vec<usize> = (0..self.cells.len()).filter(may_cross).collect();
        let sampled: Vec<Vec<V3>> = map(self.run, near.len(), CHUNK, |k| {
            let cell = near[k];
            let corner = self.cells.center(cell) - V3::repeat(0.5 * h);
            let fine = (0..cuts.pow(3)).map(|k| {
                let at = [k % cuts, k / cuts % cuts, k / (cuts * cuts)];
                corner + V3::from(at.map(|x| (f64::from(x) + 0.5) / f64::from(cuts))) * h
            });
            // As thick everywhere, however steep the field is: heads of several lengths share one.
            let half = 0.5 * thickness * self.field.gradient[cell].norm();
            let is_in = |p: &V3| {
                (self.along(cell, *p) - value).abs() <= half && (self.cells.inside[cell] == u8::MAX || self.surface.encloses(*p))
            };
            fine.filter(is_in).collect()
        });
        let of_point = (h / f64::from(cuts)).powi(3) / thickness;
        let area_of = |&k: &usize| sampled[k].len() as f64 * of_point;
        let total: f64 = (0..near.len()).map(|k| area_of(&k)).sum();
        let groups = self.touching(&near);
        let parts = groups.iter().filter_map(|group| {
            let area: f64 = group.iter().map(area_of).sum();
            let points: Vec<V3> = group.iter().flat_map(|&k| &sampled[k]).copied().collect();
            if points.is_empty() || area < CRUMB * total {
                return None;
            }
            let mean = points.iter().sum::<V3>() / points.len() as f64;
            let along: V3 = group.iter().map(|&k| self.field.gradient[near[k]] * sampled[k].len() as f64).sum();
            let off = |k: &&usize| (self.field.along[near[**k]] - value).abs();
            let cell = group.iter().min_by(|a, b| off(a).total_cmp(&off(b))).map_or(0, |&k| near[k]);
            let frame = [V3::zeros(), V3::zeros(), along.try_normalize(0.0).unwrap_or(V3::x())];
            Some(Part { area, points, mean, frame, covariance: Matrix2::zeros(), cell })
        });
        Section { value, parts: parts.collect() }
    }

    /// Cells that touch, by their places in `near`.
    fn touching(&self, near: &[usize]) -> Vec<Vec<usize>> {
        let mut is_seen = vec![false; near.len()];
        let mut groups = Vec::new();
        for seed in 0..near.len() {
            if is_seen[seed] {
                continue;
            }
            is_seen[seed] = true;
            let mut group = vec![seed];
            let mut done = 0;
            while done < group.len() {
                for &next in self.cells.beside[near[group[done]]].iter().filter(|&&next| next != NONE) {
                    if let Ok(k) = near.binary_search(&(next as usize))
                        && !is_seen[k]
                    {
                        is_seen[k] = true;
                        group.push(k);
                    }
                }
                done += 1;
            }
            group.sort_unstable();
            groups.push(group);
        }
        groups
    }

    /// Which parts of two neighbouring sections hang together: the pairs, by their places in the sections.
    pub fn links(&self, one: &Section, other: &Section) -> Vec<(usize, usize)> {
        let h = self.cells.grid.h;
        let (low, high) = (one.value.min(other.value) - h, one.value.max(other.value) + h);
        let (part, _) = self.cells.parts(|cell| (low..=high).contains(&self.field.along[cell]) && self.is_on_way(cell));
        let pairs = (0..one.parts.len()).flat_map(|a| (0..other.parts.len()).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| part[one.parts[a].cell] == part[other.parts[b].cell]).collect()
    }

    /// The side of a cell.
    pub fn h(&self) -> f64 {
        self.cells.grid.h
    }
}

impl Part {
    /// Turns the frame of a neighbour into this one's, without twist.
    pub fn set_frame(&mut self, across: V3) {
        let along = self.frame[2];
        let flat = across - along * across.dot(&along);
        let first = flat.try_normalize(1e-9).unwrap_or_else(|| {
            let other = if along.x.abs() < 0.8 { V3::x() } else { V3::y() };
            along.cross(&other).normalize()
        });
        self.frame = [first, along.cross(&first), along];
        let mut sum = Matrix2::zeros();
        for point in &self.points {
            let flat = self.flat(*point);
            sum += flat * flat.transpose();
        }
        // A part of one point still has a size to divide by.
        self.covariance = sum / self.points.len().max(1) as f64 + Matrix2::identity() * (1e-6 * self.area);
    }

    /// In the frame, from the mean.
    pub fn flat(&self, point: V3) -> Vector2<f64> {
        let from = point - self.mean;
        Vector2::new(from.dot(&self.frame[0]), from.dot(&self.frame[1]))
    }

    /// The point of the part that is nearest to a place.
    pub fn nearest(&self, place: V3) -> V3 {
        let apart = |p: &&V3| (**p - place).norm_squared();
        self.points.iter().min_by(|a, b| apart(a).total_cmp(&apart(b))).copied().unwrap_or(self.mean)
    }

    pub fn raised(&self, flat: Vector2<f64>) -> V3 {
        self.mean + self.frame[0] * flat.x + self.frame[1] * flat.y
    }
}

/// How places of one part go over into places of the next: the linear map that turns the one covariance into the other
/// with the least way (the optimal transport of normal distributions).
pub(crate) fn transport(from: &Part, to: &Part) -> Matrix2<f64> {
    let root = power(from.covariance, 0.5);
    let inverse = power(from.covariance, -0.5);
    inverse * power(root * to.covariance * root, 0.5) * inverse
}

fn power(matrix: Matrix2<f64>, exponent: f64) -> Matrix2<f64> {
    let eigen = ((matrix + matrix.transpose()) * 0.5).symmetric_eigen();
    let root = |x: f64| if exponent > 0.0 { x.max(0.0).sqrt() } else { 1.0 / x.max(f64::MIN_POSITIVE).sqrt() };
    let scaled = Matrix2::from_diagonal(&eigen.eigenvalues.map(root));
    eigen.eigenvectors * scaled * eigen.eigenvectors.transpose()
}
