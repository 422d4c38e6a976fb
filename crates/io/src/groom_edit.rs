//! Grooms made from grooms: strands that cannot be simulated dropped, vertices spread evenly, units and axes made ours.

use super::groom::{Groom, IssueKind, StrandIssue, UpAxis, distance};

/// The result of [`Groom::cleaned`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cleaned {
    pub groom: Groom,
    /// Why each dropped strand went, by its index in the old groom.
    pub dropped: Vec<StrandIssue>,
    /// The old index of each strand of `groom`.
    pub source: Vec<u32>,
}

impl Groom {
    /// Drops the strands that no solver can use (fewer than two vertices, NaN or infinite values) and names them. Strands
    /// that are only short or have zero-length segments stay: [`Groom::validate`] names those.
    pub fn cleaned(&self) -> Cleaned {
        let unusable = |issue: &&StrandIssue| matches!(issue.kind, IssueKind::TooFewVertices | IssueKind::NonFinite);
        let dropped: Vec<StrandIssue> = self.validate().issues.iter().filter(unusable).copied().collect();
        let is_dropped = |strand: u32| dropped.binary_search_by_key(&strand, |issue| issue.strand).is_ok();
        let source: Vec<u32> = (0..self.counts.len() as u32).filter(|&strand| !is_dropped(strand)).collect();
        Cleaned { groom: self.only(&source), dropped, source }
    }

    /// The groom of these strands, ascending; those that are not there are left out.
    pub fn only(&self, strands: &[u32]) -> Groom {
        let mut groom = Groom {
            points: Vec::new(),
            counts: Vec::new(),
            closed: Vec::new(),
            held_tips: Vec::new(),
            widths: if self.widths.len() > 1 { Vec::new() } else { self.widths.clone() },
            dropped: self.dropped.clone(),
            ..*self
        };
        for (strand, range) in self.ranges().enumerate().filter(|(strand, _)| strands.binary_search(&(*strand as u32)).is_ok()) {
            let (old, new) = (strand as u32, groom.counts.len() as u32);
            if self.closed.binary_search(&old).is_ok() {
                groom.closed.push(new);
            }
            if self.held_tips.binary_search(&old).is_ok() {
                groom.held_tips.push(new);
            }
            groom.counts.push(range.len() as u32);
            groom.points.extend_from_slice(&self.points[range.clone()]);
            if self.widths.len() > 1 {
                groom.widths.extend_from_slice(self.widths.get(range).unwrap_or(&[]));
            }
        }
        groom
    }

    /// The same strands with `vertices` vertices each (at least 2), evenly spaced in arc length; the ends stay where they
    /// are. A strand without length gives `vertices` equal points, which [`Groom::validate`] names. Strands without points
    /// stay empty.
    pub fn resampled(&self, vertices: u32) -> Groom {
        let vertices = vertices.max(2) as usize;
        let total = self.counts.len().saturating_mul(vertices);
        let mut groom = Groom { points: Vec::with_capacity(total), counts: Vec::new(), ..self.clone() };
        let per_point = self.widths.len() > 1;
        if per_point {
            groom.widths = Vec::with_capacity(total);
        }
        let mut samples = Vec::new();
        for (strand, range) in self.ranges().enumerate() {
            let is_closed = self.closed.binary_search(&(strand as u32)).is_ok();
            even_samples(&self.points[range.clone()], vertices, is_closed, &mut samples);
            groom.counts.push(samples.len() as u32);
            for &(vertex, next, t) in &samples {
                let (a, b) = (range.start + vertex, range.start + next);
                groom.points.push([0, 1, 2].map(|axis| mix(self.points[a][axis], self.points[b][axis], t)));
                if per_point {
                    groom.widths.push(mix(self.widths[a], self.widths[b], t));
                }
            }
        }
        groom
    }

    /// Metres in a unit, by the largest side of the bounds, where the file does not say: heads with hair measure 0.1 to 1 m.
    ///
    /// | side, units | unit | seen in |
    /// |---|---|---|
    /// | to 4 | 1 m | TressFX 4's Ratboy |
    /// | to 40 | 1 cm | Sintel |
    /// | to 400 | 0.1 inch | C. Yuksel's models, TressFX 3's ponytail |
    /// | above | 1 mm | |
    pub fn guessed_unit(&self) -> f64 {
        let [low, high] = self.bounds().unwrap_or_default();
        let side = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f32::max);
        match side {
            _ if side <= 4.0 => 1.0,
            _ if side <= 40.0 => 0.01,
            _ if side <= 400.0 => 0.00254,
            _ => 0.001,
        }
    }

    /// The groom in metres with Y up. `fallback` is the size of the unit where the file does not say.
    pub fn to_metres_y_up(&self, fallback: f64) -> Groom {
        let scale = self.meters_per_unit.unwrap_or(fallback);
        let scaled = |value: f32| (f64::from(value) * scale) as f32;
        let turned = |p: [f32; 3]| match self.up_axis {
            UpAxis::Y => p,
            // A quarter turn about X, not a swap: handedness stays.
            UpAxis::Z => [p[0], p[2], -p[1]],
        };
        Groom {
            points: self.points.iter().map(|&p| turned(p.map(scaled))).collect(),
            widths: self.widths.iter().map(|&width| scaled(width)).collect(),
            meters_per_unit: Some(1.0),
            up_axis: UpAxis::Y,
            ..self.clone()
        }
    }
}

/// Places `count` samples at equal steps of arc length; each is (vertex, next vertex, fraction between them). Nothing for no points.
fn even_samples(points: &[[f32; 3]], count: usize, is_closed: bool, samples: &mut Vec<(usize, usize, f64)>) {
    samples.clear();
    if points.is_empty() {
        return;
    }
    let segments = if is_closed { points.len() } else { points.len() - 1 };
    let next = |vertex: usize| (vertex + 1) % points.len();
    let segment_length = |vertex: usize| distance(points[vertex], points[next(vertex)]);
    let total: f64 = (0..segments).map(segment_length).sum();
    // An open strand has a sample on its last vertex, a closed one leaves that place to its first.
    let steps = if is_closed { count } else { count - 1 };
    let (mut vertex, mut walked) = (0, 0.0);
    for sample in 0..count {
        let target = total * sample as f64 / steps as f64;
        while vertex + 1 < segments && walked + segment_length(vertex) < target {
            walked += segment_length(vertex);
            vertex += 1;
        }
        let length = if segments == 0 { 0.0 } else { segment_length(vertex) };
        let t = if length > 0.0 { ((target - walked) / length).clamp(0.0, 1.0) } else { 0.0 };
        let is_tip = !is_closed && sample + 1 == count;
        samples.push(if is_tip { (points.len() - 1, points.len() - 1, 0.0) } else { (vertex, next(vertex), t) });
    }
}

fn mix(a: f32, b: f32, t: f64) -> f32 {
    (f64::from(a) + (f64::from(b) - f64::from(a)) * t) as f32
}
