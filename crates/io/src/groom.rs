//! A groom: polylines with widths, as every reader returns them and every solver takes them, and the report that names
//! the strands that a solver cannot use.

use super::error::IoError;

/// Which axis of the file points up. All files read here are right-handed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    #[default]
    Y,
    Z,
}

/// Strands as polylines, root first, one after the other.
///
/// ```text
/// counts   3           2        4
/// points   p0 p1 p2 |  p3 p4 |  p5 p6 p7 p8
/// widths   empty, or one value for all, or one value per point
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Groom {
    /// Positions, in the file's unit and axes; see [`Groom::to_metres_y_up`].
    pub points: Vec<[f32; 3]>,
    /// Vertices per strand; their sum is `points.len()`.
    pub counts: Vec<u32>,
    /// Diameters, in the unit of `points`: empty (the file has none), one, or one per point.
    pub widths: Vec<f32>,
    /// Strands, ascending, whose last vertex joins the first (which is not repeated): periodic curves.
    pub closed: Vec<u32>,
    /// `None` where the format does not say (`.hair`, `.tfx`).
    pub meters_per_unit: Option<f64>,
    pub up_axis: UpAxis,
    /// Strands, ascending, whose tip is held where it is on the head, like the root (TressFX 3, `bothEndsImmovable`).
    pub held_tips: Vec<u32>,
    /// What the file holds and is not among the strands: prims that are hidden, damaged or of other kinds.
    pub dropped: Vec<String>,
}

/// What is wrong with one strand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IssueKind {
    /// Fewer than two vertices. The value is their number. [`Groom::cleaned`] drops the strand.
    TooFewVertices,
    /// A coordinate or width is NaN or infinite. The value is that coordinate. [`Groom::cleaned`] drops the strand.
    NonFinite,
    /// The segment from this vertex to the next has length zero. The value is 0.
    ZeroLengthSegment,
    /// The segment from this vertex is so short that its direction is rounding noise: under [`NOISE_ULPS`] units in the
    /// last place of its coordinates. The value is its length.
    NoisySegment,
    /// The strand's whole length is under a thousandth of the groom's median. The value is the length.
    ShortStrand,
}

/// One finding of [`Groom::validate`]: strand, vertex within the strand, what, how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrandIssue {
    pub strand: u32,
    pub vertex: u32,
    pub kind: IssueKind,
    pub value: f32,
}

impl std::fmt::Display for StrandIssue {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let StrandIssue { strand, vertex, value, .. } = self;
        match self.kind {
            IssueKind::TooFewVertices => write!(out, "strand {strand} has {value} vertices, a strand needs 2"),
            IssueKind::NonFinite => write!(out, "strand {strand} vertex {vertex} holds {value}"),
            IssueKind::ZeroLengthSegment => write!(out, "strand {strand} segment {vertex} has length 0"),
            IssueKind::NoisySegment => write!(out, "strand {strand} segment {vertex} has length {value:e}, rounding noise"),
            IssueKind::ShortStrand => write!(out, "strand {strand} has length {value:e}, under 1/1000 of the median"),
        }
    }
}

/// Sanity numbers of a groom, in its own unit, and every strand that is not fit to simulate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroomReport {
    pub strands: usize,
    pub vertices: usize,
    /// Smallest and largest coordinates over the finite points; zeros without any.
    pub bounds: [[f32; 3]; 2],
    pub shortest_strand: f32,
    pub median_strand: f32,
    pub longest_strand: f32,
    pub shortest_segment: f32,
    /// By strand, then vertex. A strand may appear several times.
    pub issues: Vec<StrandIssue>,
}

impl GroomReport {
    /// The strands with at least one issue, ascending, each once.
    pub fn degenerate_strands(&self) -> Vec<u32> {
        let mut strands: Vec<u32> = self.issues.iter().map(|issue| issue.strand).collect();
        strands.dedup();
        strands
    }
}

/// Below this many units in the last place of its end points' coordinates a segment's direction is not trusted: six bits
/// of it, about one degree, are left.
pub const NOISE_ULPS: f32 = 64.0;

const SHORT_STRAND: f32 = 1e-3;

impl Groom {
    /// The strands as ranges of `points`, in order. Ranges that `points` does not hold are cut short.
    pub fn ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let mut start = 0usize;
        self.counts.iter().map(move |&count| {
            let end = start.saturating_add(count as usize);
            let range = start.min(self.points.len())..end.min(self.points.len());
            start = end;
            range
        })
    }

    /// The diameter at point `index` of `points`, if the groom has diameters.
    pub fn width(&self, index: usize) -> Option<f32> {
        match self.widths.as_slice() {
            [] => None,
            [one] => Some(*one),
            widths => widths.get(index).copied(),
        }
    }

    /// Checks that the arrays fit together; a groom from a reader always does.
    ///
    /// # Errors
    /// The counts do not add up to the points, there is not one width per point, or a closed strand does not exist.
    pub fn check(&self) -> Result<(), IoError> {
        let sum: u64 = self.counts.iter().map(|&count| u64::from(count)).sum();
        let points = self.points.len();
        if sum != points as u64 {
            return Err(IoError::new("groom", "sum of counts", format!("does not match the {points} points")).value(sum));
        }
        if self.widths.len() > 1 && self.widths.len() != points {
            let reason = format!("does not match the {points} points (0, 1 or one each)");
            return Err(IoError::new("groom", "number of widths", reason).value(self.widths.len()));
        }
        let strands = self.counts.len();
        for (index, &strand) in self.closed.iter().enumerate() {
            if strand as usize >= strands {
                let reason = format!("is no strand, the groom has {strands}");
                return Err(IoError::new("groom", "closed", reason).index(index).value(strand));
            }
        }
        Ok(())
    }

    /// Measures the groom and names each strand that is degenerate. Never fails: points that `counts` promises and
    /// `points` lacks make their strand one with too few vertices.
    pub fn validate(&self) -> GroomReport {
        let lengths = self.strand_lengths();
        let mut sorted: Vec<f32> = lengths.iter().copied().filter(|length| length.is_finite()).collect();
        sorted.sort_unstable_by(f32::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
        let mut report = GroomReport {
            strands: self.counts.len(),
            vertices: self.points.len(),
            bounds: self.bounds().unwrap_or_default(),
            shortest_strand: sorted.first().copied().unwrap_or(0.0),
            median_strand: median,
            longest_strand: sorted.last().copied().unwrap_or(0.0),
            shortest_segment: f32::INFINITY,
            issues: Vec::new(),
        };
        for (strand, range) in self.ranges().enumerate() {
            let is_closed = self.closed.binary_search(&(strand as u32)).is_ok();
            self.find_issues(strand as u32, range, is_closed, lengths[strand], median, &mut report);
        }
        if report.shortest_segment == f32::INFINITY {
            report.shortest_segment = 0.0;
        }
        report
    }

    fn find_issues(
        &self,
        strand: u32,
        range: std::ops::Range<usize>,
        is_closed: bool,
        length: f32,
        median: f32,
        report: &mut GroomReport,
    ) {
        let mut push = |vertex: usize, kind, value| {
            report.issues.push(StrandIssue { strand, vertex: vertex as u32, kind, value });
        };
        if let Some((vertex, value)) = self.first_non_finite(range.clone()) {
            return push(vertex, IssueKind::NonFinite, value);
        }
        let points = &self.points[range];
        if points.len() < 2 {
            return push(0, IssueKind::TooFewVertices, points.len() as f32);
        }
        let segments = if is_closed { points.len() } else { points.len() - 1 };
        for vertex in 0..segments {
            let (a, b) = (points[vertex], points[(vertex + 1) % points.len()]);
            let segment = distance(a, b) as f32;
            report.shortest_segment = report.shortest_segment.min(segment);
            let largest = a.iter().chain(&b).fold(0.0f32, |max, x| max.max(x.abs()));
            if segment == 0.0 {
                push(vertex, IssueKind::ZeroLengthSegment, 0.0);
            } else if segment < NOISE_ULPS * f32::EPSILON * largest {
                push(vertex, IssueKind::NoisySegment, segment);
            }
        }
        if length < SHORT_STRAND * median {
            push(0, IssueKind::ShortStrand, length);
        }
    }

    /// The first NaN or infinity of a strand as vertex and value.
    fn first_non_finite(&self, range: std::ops::Range<usize>) -> Option<(usize, f32)> {
        range.clone().find_map(|index| {
            let bad = self.points[index].into_iter().chain(self.width(index)).find(|value| !value.is_finite());
            bad.map(|value| (index - range.start, value))
        })
    }

    /// Length of each strand, the closing segment of a closed one included. Summed in f64, NaN where a point is.
    pub fn strand_lengths(&self) -> Vec<f32> {
        let mut lengths: Vec<f32> = Vec::with_capacity(self.counts.len());
        for (strand, range) in self.ranges().enumerate() {
            let points = &self.points[range];
            let mut length: f64 = points.windows(2).map(|pair| distance(pair[0], pair[1])).sum();
            if points.len() > 1 && self.closed.binary_search(&(strand as u32)).is_ok() {
                length += distance(points[points.len() - 1], points[0]);
            }
            lengths.push(length as f32);
        }
        lengths
    }

    /// Smallest and largest coordinates over the finite points.
    pub fn bounds(&self) -> Option<[[f32; 3]; 2]> {
        let mut bounds: Option<[[f32; 3]; 2]> = None;
        for point in self.points.iter().filter(|point| point.iter().all(|x| x.is_finite())) {
            let [low, high] = bounds.get_or_insert([*point; 2]);
            for axis in 0..3 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        bounds
    }
}

pub(crate) fn distance(a: [f32; 3], b: [f32; 3]) -> f64 {
    let d = [0, 1, 2].map(|axis| f64::from(b[axis]) - f64::from(a[axis]));
    (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
}
