//! How well rods stand for a mesh.

use super::cells::Grid;
use super::check;
use super::orient::Outwards;
use super::part::Part;
use super::surface::Surface;
use super::tasks::{Run, map};
use super::{Error, Mesh, Muscle, V3};
use std::f64::consts::PI;

/// Cells that the mesh's inside is measured with, about.
const CELLS: f64 = 250_000.0;
/// The belly is where the muscle's section is at least this part of its largest.
const BELLY: f64 = 0.5;
/// Both sides of a wall are looked at so far from it, as part of the mesh's size.
const WALL: f64 = 1e-5;
/// Triangles that one task takes.
const CHUNK: usize = 64;

/// The rods are pills: hulls of the spheres at neighbouring vertices. The mesh is what the rods are of: parts that hang
/// together with no end, and heads that no end was given to, are not measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Part of the mesh's inside that lies in a pill.
    pub covered: f64,
    /// Volume of the union of the pills outside of the mesh, as part of the mesh's volume.
    pub outside: f64,
    /// From the tip of the origin and of the insertion to the nearest end of a rod, in radii there; the worst head that has
    /// rods. At most 1, but for a painted end: that has no tip where a rod would have to end, and counts from its middle.
    pub tips: [f64; 2],
    /// Mean distance from the mesh's surface to the nearest pill's, around the belly, in the mesh's unit; 0 if nothing is around it.
    pub belly: f64,
    /// The rods' volume, as cones from vertex to vertex, over the mesh's, less 1.
    pub volume_error: f64,
}

/// # Errors
/// The mesh is one that [`super::rods_from_mesh`] refuses.
pub fn fit(mesh: &Mesh, muscle: &Muscle, run: Run) -> Result<Fit, Error> {
    let points = check::mesh(mesh)?;
    let Outwards { triangles, .. } = Outwards::new(mesh, &points);
    let surface = Surface::new(triangles.iter().map(|t| t.map(|index| points[index as usize])).collect());
    let pills = Pills::new(muscle);
    let (covered, outside) = overlap(&surface, &pills, muscle, run);
    let tips = [0, 1].map(|end| {
        let slice = if end == 0 { 0 } else { muscle.slices as usize - 1 };
        let ends = (0..muscle.rods as usize).map(|rod| V3::from(muscle.rod(rod)[slice]));
        let nearest = |tip: &[f64; 3]| ends.clone().map(|p| (p - V3::from(*tip)).norm()).fold(f64::INFINITY, f64::min);
        muscle.tips[end].iter().map(|tip| nearest(tip) / muscle.radii[slice]).fold(0.0, f64::max)
    });
    let cones = pills.all.iter().map(|pill| {
        let [r, s] = pill.radii;
        PI / 3.0 * (r * r + r * s + s * s) * (pill.ends[1] - pill.ends[0]).norm()
    });
    let volume_error = cones.sum::<f64>() / muscle.volume - 1.0;
    Ok(Fit { covered, outside, tips, belly: belly(&surface, &pills, muscle, run), volume_error })
}

/// The hull of two spheres.
struct Pill {
    ends: [V3; 2],
    radii: [f64; 2],
    slice: usize,
}

impl Pill {
    /// From the pill's surface, negative inside.
    fn distance(&self, point: V3) -> f64 {
        let ([a, b], [r, s]) = (self.ends, self.radii);
        let axis = b - a;
        let length = axis.norm();
        if length <= (r - s).abs() {
            return if r > s { (point - a).norm() - r } else { (point - b).norm() - s };
        }
        let along = axis / length;
        let x = (point - a).dot(&along);
        let y = (point - a - along * x).norm();
        // The foot lies where the wall's normal, which leans towards the thinner end, meets the axis.
        let lean = (r - s) / length;
        let foot = (x + y * lean / (1.0 - lean * lean).sqrt()).clamp(0.0, length);
        ((x - foot) * (x - foot) + y * y).sqrt() - (r + (s - r) * foot / length)
    }
}

struct Pills {
    all: Vec<Pill>,
}

impl Pills {
    fn new(muscle: &Muscle) -> Pills {
        let mut all = Vec::new();
        for rod in 0..muscle.rods as usize {
            for (slice, pair) in muscle.rod(rod).windows(2).enumerate() {
                let radii = [muscle.radii[slice], muscle.radii[slice + 1]];
                all.push(Pill { ends: [V3::from(pair[0]), V3::from(pair[1])], radii, slice });
            }
        }
        Pills { all }
    }
}

/// The covered part, and the part outside.
fn overlap(surface: &Surface, pills: &Pills, muscle: &Muscle, run: Run) -> (f64, f64) {
    let [mut low, mut high] = muscle.part.as_ref().map_or_else(|| surface.bounds(), Part::bounds);
    for pill in &pills.all {
        for (end, radius) in pill.ends.iter().zip(pill.radii) {
            low = low.inf(&(end - V3::repeat(radius)));
            high = high.sup(&(end + V3::repeat(radius)));
        }
    }
    let grid = Grid::around([low, high], withy_math::approx::cbrt(muscle.volume / CELLS), 1);
    let mut inside = grid.fill(surface, run);
    if let Some(part) = &muscle.part {
        let enclosed = std::mem::take(&mut inside);
        inside = map(run, enclosed.len(), CHUNK * CHUNK, |k| enclosed[k] && part.holds(grid.center(grid.at(k))));
    }
    let covered: Vec<Vec<usize>> = map(run, pills.all.len(), 1, |k| cells_of(&grid, &pills.all[k]));
    let mut is_covered = vec![false; grid.len()];
    covered.iter().flatten().for_each(|&index| is_covered[index] = true);
    let count = |of: &dyn Fn(usize) -> bool| (0..grid.len()).filter(|&k| of(k)).count() as f64;
    let total = count(&|k| inside[k]).max(1.0);
    (count(&|k| inside[k] && is_covered[k]) / total, count(&|k| !inside[k] && is_covered[k]) / total)
}

fn cells_of(grid: &Grid, pill: &Pill) -> Vec<usize> {
    let ([a, b], [r, s]) = (pill.ends, pill.radii);
    let low = grid.place((a - V3::repeat(r)).inf(&(b - V3::repeat(s))));
    let high = grid.place((a + V3::repeat(r)).sup(&(b + V3::repeat(s))));
    let range = |axis: usize| low[axis]..=high[axis];
    let all = range(2).flat_map(|z| range(1).flat_map(move |y| range(0).map(move |x| [x, y, z])));
    all.filter(|at| pill.distance(grid.center(*at)) <= 0.0).filter_map(|at| grid.index(at)).collect()
}

fn belly(surface: &Surface, pills: &Pills, muscle: &Muscle, run: Run) -> f64 {
    let section = |slice: usize| muscle.radii[slice].powi(2);
    let largest = (0..muscle.radii.len()).map(section).fold(0.0, f64::max);
    let is_belly = |slice: usize| section(slice).min(section(slice + 1)) >= BELLY * largest;
    // A triangle by the middles of its four parts.
    let triangles = surface.triangles();
    let [low, high] = surface.bounds();
    let step = WALL * (high - low).max();
    // Where shells overlap, a wall inside is no surface.
    let is_surface = |point: V3, normal: V3| {
        muscle.part.as_ref().is_none_or(|part| part.holds(point))
            && !(muscle.repaired.open && surface.encloses(point + normal * step) && surface.encloses(point - normal * step))
    };
    // Area and distance of the parts.
    let parts: Vec<[Option<(f64, f64)>; 4]> = map(run, triangles.len(), CHUNK, |k| {
        let [a, b, c] = triangles[k];
        let normal = (b - a).cross(&(c - a));
        let area = 0.125 * normal.norm();
        let normal = normal.try_normalize(0.0).unwrap_or_default();
        let middle = (a + b + c) / 3.0;
        [middle, (middle + a) * 0.5, (middle + b) * 0.5, (middle + c) * 0.5].map(|point| {
            if !is_surface(point, normal) {
                return None;
            }
            let apart = pills.all.iter().map(|pill| (pill.distance(point), pill.slice));
            let nearest = apart.min_by(|a, b| a.0.total_cmp(&b.0))?;
            is_belly(nearest.1).then_some((area, nearest.0.abs()))
        })
    });
    let near = || parts.iter().flatten().flatten();
    let total: f64 = near().map(|(area, _)| area).sum();
    if total > 0.0 { near().map(|(area, distance)| area * distance).sum::<f64>() / total } else { 0.0 }
}
