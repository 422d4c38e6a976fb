//! What the window shows: a groom or a scene, behind one interface that knows neither window nor GPU.

use crate::Result;
use crate::args::Motion;
use crate::render::Scene;
use glam::DVec3;

/// What the sliders say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Times the stiffness that was authored, against bending and twisting.
    pub stiffness: f64,
    /// 1/s
    pub damping: f64,
    /// Rate at which air takes the velocity, 1/s: without it there is no wind.
    pub drag: f64,
    /// Downwards, m/s².
    pub gravity: f64,
    /// m/s
    pub wind: f64,
    /// Where the wind blows to, degrees from +x to +z.
    pub wind_direction: f64,
    /// Rest shapes for which the pose is an equilibrium, found at the start.
    pub sag_free: bool,
    pub motion: Motion,
    /// Hair within so many metres of the grabbed point comes along.
    pub grip: f64,
}

impl Settings {
    pub fn gravity(&self) -> [f64; 3] {
        [0.0, -self.gravity, 0.0]
    }

    pub fn wind(&self) -> [f64; 3] {
        let (sin, cos) = self.wind_direction.to_radians().sin_cos();
        [self.wind * cos, 0.0, self.wind * sin]
    }
}

/// Which of the settings mean something here.
#[derive(Clone, Copy, Debug, Default)]
pub struct Offers {
    pub stiffness: bool,
    /// Damping, drag, wind.
    pub air: bool,
    /// Sag-free rest shapes, the motion of a head and the width of the grip.
    pub groom: bool,
}

/// What the mouse points at.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    pub eye: DVec3,
    /// Of length 1.
    pub direction: DVec3,
    /// What is off the ray by less than this times its distance is hit.
    pub slope: f64,
    /// Something opaque is in the way from here on, m.
    pub limit: f64,
}

pub trait Subject {
    /// What it is and how large, in a few words.
    fn about(&self) -> String;
    /// What the picture leaves out, or nothing.
    fn note(&self) -> &'static str {
        ""
    }
    fn offers(&self) -> Offers;
    /// The settings as they are at the start.
    fn defaults(&self) -> Settings;
    /// A step, s.
    fn dt(&self) -> f64;
    fn step(&mut self) -> Result<()>;
    /// Back to the start, with rest shapes for these settings.
    fn restart(&mut self, settings: &Settings) -> Result<()>;
    /// The settings that can change under way.
    fn apply(&mut self, settings: &Settings) -> Result<()>;
    fn scene(&self) -> Result<Scene>;
    /// Where the camera looks at the start.
    fn direction(&self) -> [f32; 3];
    /// Takes hold of what the ray meets. Returns what it is called, and where it was taken.
    fn grab(&mut self, ray: &Ray) -> Result<Option<(String, DVec3)>>;
    /// What is held follows to here during the next steps.
    fn drag(&mut self, to: DVec3);
    fn release(&mut self) -> Result<()>;
}

/// The vertex of rods that a ray meets first: the nearer end of an edge within the ray's width. The first `skip` vertices of a strand are
/// held by something else.
pub fn pick(points: &[DVec3], counts: &[u32], skip: usize, ray: &Ray) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64)> = None;
    let mut first = 0;
    for &count in counts {
        for v in first..(first + count as usize).saturating_sub(1) {
            let (s, depth, off) = approach(ray, points[v], points[v + 1]);
            let nearest = best.map_or(ray.limit, |b| b.1);
            if depth > 0.0 && depth < nearest && off < ray.slope * depth {
                let vertex = (if s < 0.5 { v } else { v + 1 }).max(first + skip);
                if vertex < first + count as usize {
                    best = Some((vertex, depth));
                }
            }
        }
        first += count as usize;
    }
    best
}

/// Where a segment is nearest to the ray: its parameter from a to b, the distance along the ray, and that from it.
pub fn approach(ray: &Ray, a: DVec3, b: DVec3) -> (f64, f64, f64) {
    let (d, e, w) = (ray.direction, b - a, a - ray.eye);
    let (de, ee) = (d.dot(e), e.length_squared());
    let denominator = ee - de * de;
    let s = if denominator > 1e-12 * ee { ((w.dot(d) * de - w.dot(e)) / denominator).clamp(0.0, 1.0) } else { 0.5 };
    let at = w + e * s;
    let depth = at.dot(d);
    (s, depth, (at - d * depth).length())
}

/// Vertices that the mouse holds: each keeps its place relative to the point that was grabbed.
#[derive(Clone, Debug, Default)]
pub struct Pins(pub Vec<Pin>);

#[derive(Clone, Debug)]
pub struct Pin {
    pub vertex: usize,
    offset: DVec3,
    /// Where it is held.
    pub place: DVec3,
    /// The vertices before and after, and the lengths of the edges to them, m.
    neighbours: Vec<(usize, f64)>,
}

/// Of the way to the mouse, a held vertex goes so much in a step.
const FOLLOWS: f64 = 0.35;
/// Edges next to it are not drawn out further.
const STRETCH: f64 = 1.05;

impl Pin {
    pub fn new(vertex: usize, strand: std::ops::Range<usize>, points: &[DVec3], grabbed: DVec3) -> Pin {
        let place = points[vertex];
        let edge = |other: usize| (other, points[other].distance(place));
        let before = (vertex > strand.start).then(|| edge(vertex - 1));
        let after = (vertex + 1 < strand.end).then(|| edge(vertex + 1));
        Pin { vertex, offset: place - grabbed, place, neighbours: before.into_iter().chain(after).collect() }
    }

    /// Goes towards the mouse as far as the edges next to it let it.
    pub fn follow(&mut self, to: DVec3, points: &[DVec3]) {
        self.place += (to + self.offset - self.place) * FOLLOWS;
        for &(other, length) in &self.neighbours {
            let away = self.place - points[other];
            self.place = points[other] + away.clamp_length_max(STRETCH * length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ray(x: f64) -> Ray {
        Ray { eye: DVec3::new(x, 0.0, 5.0), direction: DVec3::NEG_Z, slope: 0.01, limit: f64::INFINITY }
    }

    #[test]
    fn the_nearest_strand_is_picked_and_roots_are_not() {
        let strand = |z: f64| (0..5).map(move |k| DVec3::new(0.1 * f64::from(k), 0.0, z));
        let points: Vec<DVec3> = strand(0.0).chain(strand(1.0)).collect();
        let (vertex, depth) = pick(&points, &[5, 5], 1, &ray(0.31)).expect("a strand is there");
        assert!(vertex == 8 && (depth - 4.0).abs() < 1e-12, "{vertex} {depth}");
        assert_eq!(pick(&points, &[5, 5], 1, &ray(0.01)).map(|p| p.0), Some(6));
        assert!(pick(&points, &[5, 5], 1, &ray(0.5)).is_none());
        let behind = Ray { limit: 3.0, ..ray(0.3) };
        assert!(pick(&points, &[5, 5], 1, &behind).is_none());
    }

    #[test]
    fn a_pin_follows_but_does_not_stretch() {
        let points: Vec<DVec3> = (0..3).map(|k| DVec3::new(0.1 * f64::from(k), 0.0, 0.0)).collect();
        let mut pin = Pin::new(2, 0..3, &points, points[2]);
        pin.follow(DVec3::new(0.2, 0.01, 0.0), &points);
        assert!((pin.place.y - 0.0035).abs() < 1e-12);
        pin.follow(DVec3::new(9.0, 0.0, 0.0), &points);
        assert!((pin.place.distance(points[1]) - 0.105).abs() < 1e-12, "{}", pin.place);
    }
}
