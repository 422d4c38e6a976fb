//! Grooms out of `.usda` text: every `BasisCurves` of a layer, cubic ones sampled, in stage space.
//!
//! Source: UsdGeomBasisCurves, UsdGeomCurves, UsdGeomXformable and UsdGeomMetrics of OpenUSD; no code of theirs.
//! Read are the layer's own prims at the first time sample that holds something. What composes layers is not resolved (see [`parse`]). A
//! prim that is damaged, a guide, invisible or of another kind is left out and named in [`Groom::dropped`]; where there is nothing else,
//! guides and invisible curves are read.

mod lex;
mod parse;
mod value;
mod xform;

use super::basis::{self, Basis, Wrap};
use super::error::IoError;
use super::groom::{Groom, UpAxis, distance};
use super::notes::Notes;
use super::{ReadOptions, Sampling, refuse_non_finite};
use lex::{Lexer, Span};
use parse::{Layer, Prim};
use std::ops::Range;
use value::{array, first_value, single, token};
use withy_math::approx::cbrt;
use xform::Matrix;

/// Samples per segment before an even resampling to a wanted number of vertices.
const DENSE: u32 = 16;

/// Samples nearer to their neighbour than this fraction of the curve's mean spacing come from repeated CVs, not from the
/// curve's shape, and are dropped.
const REPEATED: f64 = 0.01;

/// USD's own fallback: a stage that states no unit is in centimetres.
const FALLBACK_METERS_PER_UNIT: f64 = 0.01;

/// Reads the curves of a `.usda` file.
///
/// # Errors
/// The text is malformed (with its line), or there are no curves that can be read: then that of the first one, such as an attribute's size
/// that does not fit the curves, a negative count, or a value that is not finite.
pub fn read_usda(data: &[u8], options: &ReadOptions) -> Result<Groom, IoError> {
    let text = std::str::from_utf8(data)
        .map_err(|error| IoError::new("usda", "text", "is where the file stops being UTF-8").index(error.valid_up_to()))?;
    let layer = parse::parse(text)?;
    let lexer = &layer.lexer;
    let meters_per_unit = match layer.meters_per_unit {
        Some(span) => single::<1>(lexer, span, "metersPerUnit")?[0],
        None => FALLBACK_METERS_PER_UNIT,
    };
    if meters_per_unit <= 0.0 {
        return Err(IoError::new("usda", "metersPerUnit", "is not positive").value(meters_per_unit));
    }
    let up_axis = match layer.up_axis.map(|span| token(lexer, span, "upAxis")).transpose()? {
        None | Some("Y") => UpAxis::Y,
        Some("Z") => UpAxis::Z,
        Some(other) => return Err(IoError::new("usda", "upAxis", "is neither Y nor Z").value(other)),
    };

    let mut merged =
        Merged { groom: Groom { up_axis, meters_per_unit: Some(meters_per_unit), ..Groom::default() }, gaps: vec![] };
    let worlds = xform::local_to_world(&layer)?;
    let mut notes = Notes::default();
    let mut damage = None;
    let curves = || layer.prims.iter().zip(&worlds).filter(|(prim, _)| prim.is_curves && is_on_stage(&layer, prim));
    let hidden = curves().map(|(prim, _)| hides(&layer, prim)).collect::<Result<Vec<_>, _>>()?;
    let all_hidden = hidden.iter().all(Option::is_some);
    if all_hidden && !hidden.is_empty() {
        notes.add("visibility and purpose: all curves are hidden, or guides");
    }
    for ((prim, world), hidden) in curves().zip(hidden) {
        let name: String = prim.name.chars().take(40).collect();
        if let (Some(why), false) = (hidden, all_hidden) {
            notes.add(format!("prim \"{name}\", which is {why}"));
            continue;
        }
        match read_curves(lexer, prim, world, options, &mut merged) {
            Ok(true) => {}
            Ok(false) => notes.add(format!("prim \"{name}\", which has no points")),
            Err(error) => {
                let error = prim.blame(error);
                notes.add(error.to_string());
                damage.get_or_insert(error);
            }
        }
    }
    let mut groom = merged.finish();
    if groom.counts.is_empty() {
        if let Some(error) = damage {
            return Err(error);
        }
        return Err(match layer.composes {
            Some(keyword) => IoError::new(
                "usda",
                "BasisCurves",
                format!("are not in this layer, which composes others by \"{keyword}\": flatten the stage (usdcat --flatten)"),
            ),
            None => IoError::new("usda", "BasisCurves", "are not in this file"),
        });
    }
    groom.dropped = layer.notes.finish().into_iter().chain(notes.finish()).collect();
    refuse_non_finite("usda", &groom, options)?;
    if let Sampling::Vertices(vertices) = options.sampling {
        groom = groom.resampled(vertices);
    }
    Ok(groom)
}

fn is_on_stage(layer: &Layer, prim: &Prim) -> bool {
    let mut next = Some(prim);
    while let Some(prim) = next {
        if !prim.is_present {
            return false;
        }
        next = prim.parent.map(|parent| &layer.prims[parent]);
    }
    true
}

/// Why a prim is not to be seen, if it or what it is in says so.
fn hides(layer: &Layer, prim: &Prim) -> Result<Option<&'static str>, IoError> {
    let mut next = Some(prim);
    while let Some(prim) = next {
        for (name, value, why) in [("purpose", "guide", "a guide"), ("visibility", "invisible", "invisible")] {
            if let Some(span) = value_of(&layer.lexer, prim, name)?
                && token(&layer.lexer, span, name).is_ok_and(|found| found == value)
            {
                return Ok(Some(why));
            }
        }
        next = prim.parent.map(|parent| &layer.prims[parent]);
    }
    Ok(None)
}

/// The curves of all prims so far. Prims without widths leave gaps that are filled at the end.
struct Merged {
    groom: Groom,
    gaps: Vec<Range<usize>>,
}

impl Merged {
    /// Points without a width take the mean of those with one; if none has one, the groom has none.
    fn finish(mut self) -> Groom {
        let missing: usize = self.gaps.iter().map(Range::len).sum();
        let known = self.groom.widths.len() - missing;
        if known == 0 {
            self.groom.widths = Vec::new();
        } else if missing > 0 {
            // Gaps hold zeros, so that they add nothing.
            let mean = self.groom.widths.iter().map(|&width| f64::from(width)).sum::<f64>() / known as f64;
            for gap in self.gaps {
                self.groom.widths[gap].fill(mean as f32);
            }
        }
        self.groom
    }
}

#[derive(Clone, Copy)]
enum Shape {
    Linear { is_closed: bool },
    Cubic(Basis, Wrap),
}

impl Shape {
    fn is_closed(self) -> bool {
        matches!(self, Shape::Linear { is_closed: true } | Shape::Cubic(_, Wrap::Periodic))
    }
}

/// False where there are no points.
fn read_curves(lexer: &Lexer, prim: &Prim, world: &Matrix, options: &ReadOptions, out: &mut Merged) -> Result<bool, IoError> {
    let Some(points) = value_of(lexer, prim, "points")? else {
        return Ok(false);
    };
    let points: Vec<[f32; 3]> = array(lexer, points, "points")?;
    let counts = match value_of(lexer, prim, "curveVertexCounts")? {
        Some(span) => array::<i64, 1>(lexer, span, "curveVertexCounts")?,
        None => return Err(IoError::new("usda", "curveVertexCounts", "is missing")),
    };
    let shape = read_shape(lexer, prim)?;
    let segments = check_counts(&counts, points.len(), shape)?;
    let widths = Widths::read(lexer, prim, shape, &counts, points.len(), &segments, options)?;
    if !options.allow_non_finite {
        // Here, since sampling would smear a NaN over its neighbours.
        let bad = points.iter().flatten().position(|x| !x.is_finite());
        if let Some(index) = bad {
            let value = points[index / 3][index % 3];
            return Err(IoError::new("usda", "points", "is not finite").index(index / 3).value(value));
        }
    }
    // A width has no direction: under a scale that is not uniform it grows by the mean one.
    let width_scale = cbrt(xform::determinant(world).abs());

    let per_segment = match options.sampling {
        Sampling::PerSegment(samples) => samples.clamp(1, Sampling::MAX_PER_SEGMENT),
        Sampling::Vertices(_) => DENSE,
    };
    let (mut start, mut varying) = (0, 0..0);
    let mut curve = Curve::default();
    for (index, (&[count], &segment_count)) in counts.iter().zip(&segments).enumerate() {
        let count = count as usize;
        varying = varying.end..varying.end + segment_count + usize::from(!shape.is_closed());
        curve.clear();
        let mut take = |sample: basis::Sample| {
            let mut point = [0.0; 3];
            for (cv, weight) in sample.cvs.into_iter().zip(sample.weights) {
                for (axis, value) in point.iter_mut().enumerate() {
                    *value += weight * f64::from(points[start + cv][axis]);
                }
            }
            curve.points.push(xform::transform(world, point).map(|x| x as f32));
            curve.widths.push((widths.at(index, start, &varying, &sample) * width_scale) as f32);
        };
        match shape {
            Shape::Linear { .. } => {
                for cv in 0..count {
                    take(basis::Sample { cvs: [cv; 4], weights: [1.0, 0.0, 0.0, 0.0], segment: cv, t: 0.0 });
                }
            }
            Shape::Cubic(basis, wrap) => {
                basis::sample(basis, wrap, count, per_segment as usize, take);
                curve.drop_repeated(wrap == Wrap::Periodic);
            }
        }
        start += count;
        if shape.is_closed() {
            out.groom.closed.push(out.groom.counts.len() as u32);
        }
        out.groom.counts.push(curve.points.len() as u32);
        if matches!(widths, Widths::None) {
            out.gaps.push(out.groom.points.len()..out.groom.points.len() + curve.points.len());
        }
        out.groom.points.extend_from_slice(&curve.points);
        out.groom.widths.extend_from_slice(&curve.widths);
    }
    Ok(true)
}

fn value_of(lexer: &Lexer, prim: &Prim, name: &str) -> Result<Option<Span>, IoError> {
    prim.attribute(name).map_or(Ok(None), |attribute| first_value(lexer, attribute))
}

fn read_shape(lexer: &Lexer, prim: &Prim) -> Result<Shape, IoError> {
    let token_of = |name: &str, fallback: &'static str| match value_of(lexer, prim, name)? {
        Some(span) => token(lexer, span, name),
        None => Ok(fallback),
    };
    // The fallbacks are those of the schema.
    let wrap = match token_of("wrap", "nonperiodic")? {
        "nonperiodic" => Wrap::NonPeriodic,
        "periodic" => Wrap::Periodic,
        "pinned" => Wrap::Pinned,
        other => return Err(IoError::new("usda", "wrap", "is not nonperiodic, periodic or pinned").value(other)),
    };
    match token_of("type", "cubic")? {
        "linear" => {
            return Ok(Shape::Linear { is_closed: wrap == Wrap::Periodic });
        }
        "cubic" => {}
        other => return Err(IoError::new("usda", "type", "is neither linear nor cubic").value(other)),
    }
    let basis = match token_of("basis", "bezier")? {
        "bezier" => Basis::Bezier,
        "bspline" => Basis::BSpline,
        "catmullRom" => Basis::CatmullRom,
        other => return Err(IoError::new("usda", "basis", "is not bezier, bspline or catmullRom").value(other)),
    };
    Ok(Shape::Cubic(basis, wrap))
}

/// Checks the counts against the points and the basis; gives the segments of each curve.
fn check_counts(counts: &[[i64; 1]], points: usize, shape: Shape) -> Result<Vec<usize>, IoError> {
    let mut segments = Vec::with_capacity(counts.len());
    let mut used = 0usize;
    for (index, &[count]) in counts.iter().enumerate() {
        let refuse = |reason: String| Err(IoError::new("usda", "curveVertexCounts", reason).index(index).value(count));
        if count < 0 {
            return refuse("is negative".into());
        }
        if count as u64 > (points - used) as u64 {
            return refuse(format!("runs past the {points} points"));
        }
        let count = count as usize;
        used += count;
        segments.push(match shape {
            Shape::Linear { is_closed: true } => count,
            Shape::Linear { is_closed: false } => count.saturating_sub(1),
            Shape::Cubic(basis, wrap) => match basis::segments(basis, wrap, count) {
                Ok(segments) => segments,
                Err(reason) => return refuse(format!("is wrong, {reason}")),
            },
        });
    }
    if used != points {
        return Err(IoError::new("usda", "points", format!("is more than the {used} of curveVertexCounts")).value(points));
    }
    Ok(segments)
}

enum Widths {
    None,
    Constant(f32),
    Uniform(Vec<[f32; 1]>),
    Varying(Vec<[f32; 1]>),
    Vertex(Vec<[f32; 1]>),
}

impl Widths {
    fn read(
        lexer: &Lexer,
        prim: &Prim,
        shape: Shape,
        counts: &[[i64; 1]],
        points: usize,
        segments: &[usize],
        options: &ReadOptions,
    ) -> Result<Widths, IoError> {
        // `primvars:widths` wins over `widths` and is constant unless it says otherwise, `widths` is per vertex.
        let mut chosen = None;
        for (name, fallback) in [("primvars:widths", "constant"), ("widths", "vertex")] {
            if let (Some(span), None) = (value_of(lexer, prim, name)?, chosen) {
                let interpolation = prim.attribute(name).and_then(|attribute| attribute.interpolation);
                chosen = Some((name, interpolation.unwrap_or(fallback), span));
            }
        }
        let Some((name, interpolation, span)) = chosen else {
            return Ok(Widths::None);
        };
        let mut values: Vec<[f32; 1]> = array(lexer, span, name)?;
        if let (Some(index), false) = (values.iter().position(|width| !width[0].is_finite()), options.allow_non_finite) {
            return Err(IoError::new("usda", name, "is not finite").index(index).value(values[index][0]));
        }
        if let ("primvars:widths", Some(span)) = (name, value_of(lexer, prim, "primvars:widths:indices")?) {
            let indices: Vec<[i64; 1]> = array(lexer, span, "primvars:widths:indices")?;
            let look_up = |(position, &[index]): (usize, &[i64; 1])| {
                usize::try_from(index).ok().and_then(|index| values.get(index).copied()).ok_or_else(|| {
                    let reason = format!("is outside of the {} widths", values.len());
                    IoError::new("usda", "primvars:widths:indices", reason).index(position).value(index)
                })
            };
            values = indices.iter().enumerate().map(look_up).collect::<Result<_, _>>()?;
        }
        if let [[one]] = values[..] {
            return Ok(Widths::Constant(one));
        }
        let per_varying: usize = segments.iter().map(|count| count + usize::from(!shape.is_closed())).sum();
        let needed = match interpolation {
            "constant" => 1,
            "uniform" => counts.len(),
            // Linear curves take both per vertex.
            "varying" if matches!(shape, Shape::Cubic(..)) => per_varying,
            "varying" | "vertex" => points,
            other => return Err(IoError::new("usda", name, "has an interpolation that curves do not take").value(other)),
        };
        if values.len() != needed {
            let reason = format!("values do not match the {needed} that \"{interpolation}\" needs");
            return Err(IoError::new("usda", name, reason).value(values.len()));
        }
        Ok(match interpolation {
            "uniform" => Widths::Uniform(values),
            "varying" if matches!(shape, Shape::Cubic(..)) => Widths::Varying(values),
            _ => Widths::Vertex(values),
        })
    }

    /// The width at a sample of curve `curve`, whose points begin at `start` and whose varying values are `varying`.
    fn at(&self, curve: usize, start: usize, varying: &Range<usize>, sample: &basis::Sample) -> f64 {
        match self {
            Widths::None => 0.0,
            Widths::Constant(width) => f64::from(*width),
            Widths::Uniform(widths) => f64::from(widths[curve][0]),
            Widths::Varying(widths) => {
                let first = varying.start + sample.segment;
                // A periodic curve's last segment ends on its first value.
                let next = if first + 1 < varying.end { first + 1 } else { varying.start };
                f64::from(widths[first][0]) * (1.0 - sample.t) + f64::from(widths[next][0]) * sample.t
            }
            Widths::Vertex(widths) => {
                (0..4).map(|k| sample.weights[k] * f64::from(widths[start + sample.cvs[k]][0])).sum::<f64>().max(0.0)
            }
        }
    }
}

/// One curve's samples, reused from curve to curve.
#[derive(Default)]
struct Curve {
    points: Vec<[f32; 3]>,
    widths: Vec<f32>,
}

impl Curve {
    fn clear(&mut self) {
        self.points.clear();
        self.widths.clear();
    }

    /// Drops samples that repeated CVs crowd together (a doubled end CV pulls the first samples to within a thousandth of
    /// a segment). The ends stay. A curve without length keeps its two ends, for the report to name.
    fn drop_repeated(&mut self, is_closed: bool) {
        let count = self.points.len();
        if count < 3 {
            return;
        }
        let length: f64 = self.points.windows(2).map(|pair| distance(pair[0], pair[1])).sum();
        if !length.is_finite() {
            return;
        }
        let least = REPEATED * length / (count - 1) as f64;
        let mut kept = 1;
        for index in 1..count {
            let is_end = !is_closed && index + 1 == count;
            while is_end && kept > 1 && distance(self.points[kept - 1], self.points[index]) <= least {
                kept -= 1;
            }
            if is_end || distance(self.points[kept - 1], self.points[index]) > least {
                self.points[kept] = self.points[index];
                self.widths[kept] = self.widths[index];
                kept += 1;
            }
        }
        while is_closed && kept > 2 && distance(self.points[kept - 1], self.points[0]) <= least {
            kept -= 1;
        }
        self.points.truncate(kept);
        self.widths.truncate(kept);
    }
}
