//! Line plots for the docs: axes with round ticks, several series, a legend, linear or logarithmic scales.

use super::{Error, Image, text};
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, Rect, Stroke, Transform};

/// Points in the order in which they are joined; a point that is not finite breaks the line.
#[derive(Clone, Debug, Default)]
pub struct Series {
    pub name: String,
    pub points: Vec<[f64; 2]>,
    /// Dots at the points.
    pub markers: bool,
    pub dashed: bool,
}

/// A figure. Values that a logarithmic axis cannot show (≤ 0) are left out.
#[derive(Clone, Debug)]
pub struct Plot {
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    pub log_x: bool,
    pub log_y: bool,
    pub width: u32,
    pub height: u32,
    /// The legend above the frame, in two columns, instead of where it hides the fewest points.
    pub legend_above: bool,
    /// A unit as long on both axes: the shorter range is widened. Not for logarithmic axes.
    pub equal: bool,
    pub series: Vec<Series>,
}

impl Default for Plot {
    fn default() -> Self {
        let none = String::new;
        Plot {
            title: none(),
            x_label: none(),
            y_label: none(),
            log_x: false,
            log_y: false,
            width: 800,
            height: 500,
            legend_above: false,
            equal: false,
            series: vec![],
        }
    }
}

/// Told apart by colour-blind readers too (Okabe & Ito 2008, without yellow).
const COLORS: [[u8; 3]; 7] =
    [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [230, 159, 0], [90, 90, 90]];
const INK: [u8; 3] = [52, 56, 64];
const SOFT: [u8; 3] = [96, 102, 112];

/// One direction: the range in axis units (decades when logarithmic) and the marks.
struct Axis {
    log: bool,
    low: f64,
    high: f64,
    ticks: Vec<(f64, String)>,
}

impl Axis {
    fn unit(log: bool, v: f64) -> Option<f64> {
        let u = if log { (v > 0.0).then(|| v.log10())? } else { v };
        (u.is_finite() && u.abs() < 1e300).then_some(u)
    }

    fn new(log: bool, values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for u in values.filter_map(|v| Axis::unit(log, v)) {
            (low, high) = (low.min(u), high.max(u));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low < 1e-9 * high.abs().max(1e-9) {
            let pad = if log { 0.5 } else { 0.5 * high.abs().max(1.0) };
            (low, high) = (low - pad, high + pad);
        }
        let pad = 0.04 * (high - low);
        Axis::between(log, low - pad, high + pad)
    }

    fn between(log: bool, low: f64, high: f64) -> Self {
        let mut ticks = Vec::new();
        // Less than about one decade on a logarithmic axis would have one mark: use the linear rule in decades' values there.
        let step = if log { ((high - low) / 7.0).ceil() } else { nice((high - low) / 6.0) };
        let first = (low / step).ceil() as i64;
        for k in first..first + 40 {
            let u = k as f64 * step;
            if u > high {
                break;
            }
            ticks.push((u, if log { label(10f64.powf(u), 10f64.powf(u)) } else { label(u, step) }));
        }
        if log && ticks.len() < 2 {
            ticks.clear();
            for decade in low.floor() as i64..=high.ceil() as i64 {
                for m in [1.0, 2.0, 5.0] {
                    let v = m * 10f64.powi(decade as i32);
                    if v.log10() >= low && v.log10() <= high {
                        ticks.push((v.log10(), label(v, v)));
                    }
                }
            }
        }
        Axis { log, low, high, ticks }
    }

    /// 0..=1 along the axis.
    fn place(&self, v: f64) -> Option<f64> {
        Some((Axis::unit(self.log, v)? - self.low) / (self.high - self.low))
    }
}

/// The next of 1, 2, 5 × 10ⁿ.
fn nice(step: f64) -> f64 {
    let base = 10f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * base).find(|&s| s >= step * 0.999).unwrap_or(base)
}

/// As many digits as the step needs.
fn label(v: f64, step: f64) -> String {
    if v == 0.0 || v.abs() < 1e-9 * step.abs() {
        return "0".into();
    }
    if !(1e-3..1e5).contains(&v.abs()) {
        let s = format!("{v:.1e}");
        return s.replace(".0e", "e").replace("e-", "e−");
    }
    let digits = (-step.abs().log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{v:.digits$}").replace('-', "−")
}

impl Plot {
    /// # Errors
    /// [`Error::Invalid`] when the picture is smaller than 160 × 120 or larger than 16,384 on a side.
    pub fn draw(&self) -> Result<Image, Error> {
        let (w, h) = (self.width, self.height);
        if w < 160 || h < 120 || w > 16384 || h > 16384 {
            return Err(Error::Invalid(format!("a plot of {w} × {h} pixels")));
        }
        let all = |k: usize| self.series.iter().flat_map(move |s| s.points.iter().map(move |p| p[k]));
        let (mut ax, mut ay) = (Axis::new(self.log_x, all(0)), Axis::new(self.log_y, all(1)));
        let size = 15.0;
        let widest = ay.ticks.iter().map(|t| text::width(&t.1, size)).fold(0.0, f32::max);
        let left = (16.0 + if self.y_label.is_empty() { 0.0 } else { 24.0 } + widest + 8.0).min(0.5 * w as f32);
        let named: Vec<(usize, &Series)> = self.series.iter().enumerate().filter(|(_, s)| !s.name.is_empty()).collect();
        let columns = if self.legend_above { 2 } else { 1 };
        let column_width = named.iter().map(|(_, s)| text::width(&s.name, size)).fold(0.0, f32::max) + 52.0;
        let legend = [columns as f32 * column_width, named.len().div_ceil(columns) as f32 * 21.0 + 10.0];
        let above = if self.title.is_empty() { 18.0 } else { 46.0 };
        let top = if self.legend_above { above + legend[1] } else { above };
        let (right, bottom) = (w as f32 - 22.0, h as f32 - if self.x_label.is_empty() { 32.0 } else { 54.0 });
        if self.equal {
            let lengths = [right - left, bottom - top].map(f64::from);
            let unit = ((ax.high - ax.low) / lengths[0]).max((ay.high - ay.low) / lengths[1]);
            for (axis, length) in [&mut ax, &mut ay].into_iter().zip(lengths) {
                let (middle, half) = (0.5 * (axis.low + axis.high), 0.5 * unit * length);
                *axis = Axis::between(axis.log, middle - half, middle + half);
            }
        }
        let px = |u: f64| left + (right - left) * u as f32;
        let py = |u: f64| bottom + (top - bottom) * u as f32;
        let x_of = |u: f64| px((u - ax.low) / (ax.high - ax.low));
        let y_of = |u: f64| py((u - ay.low) / (ay.high - ay.low));

        let fail = || Error::Encode("the plot's canvas".into());
        let mut canvas = Pixmap::new(w, h).ok_or_else(fail)?;
        canvas.fill(Color::WHITE);
        let rule = |canvas: &mut Pixmap, a: [f32; 2], b: [f32; 2], color: [u8; 3]| {
            let mut path = PathBuilder::new();
            // Between pixels, so that a rule is one sharp line.
            path.move_to(a[0].floor() + 0.5, a[1].floor() + 0.5);
            path.line_to(b[0].floor() + 0.5, b[1].floor() + 0.5);
            stroke(canvas, path, color, 1.0, false);
        };
        for (u, _) in &ax.ticks {
            rule(&mut canvas, [x_of(*u), top], [x_of(*u), bottom], [232, 234, 238]);
        }
        for (u, _) in &ay.ticks {
            rule(&mut canvas, [left, y_of(*u)], [right, y_of(*u)], [232, 234, 238]);
        }
        rule(&mut canvas, [left, bottom], [right, bottom], SOFT);
        rule(&mut canvas, [left, top], [left, bottom], SOFT);
        for (i, series) in self.series.iter().enumerate() {
            let color = COLORS[i % COLORS.len()];
            let mut path = PathBuilder::new();
            let mut pen_down = false;
            for p in &series.points {
                let (Some(x), Some(y)) = (ax.place(p[0]), ay.place(p[1])) else {
                    pen_down = false;
                    continue;
                };
                if pen_down {
                    path.line_to(px(x), py(y))
                } else {
                    path.move_to(px(x), py(y))
                }
                pen_down = true;
                if series.markers {
                    dot(&mut canvas, px(x), py(y), color);
                }
            }
            stroke(&mut canvas, path, color, 2.0, series.dashed);
        }
        let corner = if self.legend_above {
            [0.5 * (left + right - legend[0]), above - 6.0]
        } else {
            self.emptiest([left, top, right, bottom], legend, |p| Some([px(ax.place(p[0])?), py(ay.place(p[1])?)]))
        };
        let entry = |k: usize| [corner[0] + (k % columns) as f32 * column_width, corner[1] + (k / columns) as f32 * 21.0];
        if !named.is_empty()
            && let Some(rect) = Rect::from_xywh(corner[0], corner[1], legend[0], legend[1])
        {
            let mut paint = Paint::default();
            paint.set_color_rgba8(255, 255, 255, 225);
            canvas.fill_rect(rect, &paint, Transform::identity(), None);
        }
        for (k, (i, s)) in named.iter().enumerate() {
            let [x, y] = entry(k);
            let y = y + 16.0;
            let mut path = PathBuilder::new();
            path.move_to(x + 10.0, y);
            path.line_to(x + 36.0, y);
            stroke(&mut canvas, path, COLORS[i % COLORS.len()], 2.0, s.dashed);
            if s.markers {
                dot(&mut canvas, x + 23.0, y, COLORS[i % COLORS.len()]);
            }
        }

        let pixels = canvas.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]).collect();
        let mut image = Image { width: w, height: h, pixels };
        for (k, (_, s)) in named.iter().enumerate() {
            let [x, y] = entry(k);
            text::draw(&mut image, &s.name, x + 44.0, y + 21.0, size, INK);
        }
        for (u, words) in &ax.ticks {
            text::draw(&mut image, words, x_of(*u) - 0.5 * text::width(words, size), bottom + 18.0, size, SOFT);
        }
        for (u, words) in &ay.ticks {
            text::draw(&mut image, words, left - 7.0 - text::width(words, size), y_of(*u) + 5.0, size, SOFT);
        }
        let middle = 0.5 * (left + right);
        text::draw(&mut image, &self.title, middle - 0.5 * text::width(&self.title, 20.0), 30.0, 20.0, INK);
        text::draw(&mut image, &self.x_label, middle - 0.5 * text::width(&self.x_label, 16.0), h as f32 - 14.0, 16.0, INK);
        let y = 0.5 * (top + bottom) + 0.5 * text::width(&self.y_label, 16.0);
        text::draw_up(&mut image, &self.y_label, 22.0, y, 16.0, INK);
        Ok(image)
    }

    /// Where in the frame the legend hides the fewest points: a corner if one is free, else anywhere.
    fn emptiest(&self, frame: [f32; 4], size: [f32; 2], place: impl Fn(&[f64; 2]) -> Option<[f32; 2]>) -> [f32; 2] {
        let [left, top, right, bottom] = frame;
        let (x0, x1, y0, y1) = (left + 10.0, right - size[0] - 6.0, top + 6.0, bottom - size[1] - 8.0);
        let spots: Vec<[f32; 2]> = self
            .series
            .iter()
            .flat_map(|s| s.points.windows(2))
            .filter_map(|w| Some((place(&w[0])?, place(&w[1])?)))
            // Long lines hide as well as points: sample them.
            .flat_map(|(a, b)| (0..=32).map(move |k| [0, 1].map(|c| a[c] + (b[c] - a[c]) * k as f32 / 32.0)))
            .collect();
        let hidden = |c: [f32; 2]| {
            let inside = |p: &&[f32; 2]| {
                p[0] >= c[0] - 6.0 && p[0] <= c[0] + size[0] + 6.0 && p[1] >= c[1] - 6.0 && p[1] <= c[1] + size[1] + 6.0
            };
            spots.iter().filter(inside).count()
        };
        let corners = [[x1, y0], [x0, y0], [x1, y1], [x0, y1]];
        let inner = (0..=400).map(|k| [x1 + (x0 - x1) * (k % 20) as f32 / 20.0, y0 + (y1 - y0) * (k / 20) as f32 / 20.0]);
        corners.into_iter().chain(inner).min_by_key(|c| hidden(*c)).unwrap_or([x1, y0])
    }
}

fn paint(color: [u8; 3]) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(color[0], color[1], color[2], 255);
    paint
}

fn stroke(canvas: &mut Pixmap, path: PathBuilder, color: [u8; 3], width: f32, dashed: bool) {
    if let Some(path) = path.finish() {
        let dash = if dashed { tiny_skia::StrokeDash::new(vec![7.0, 5.0], 0.0) } else { None };
        let stroke = Stroke { width, dash, line_cap: LineCap::Butt, line_join: LineJoin::Round, ..Stroke::default() };
        canvas.stroke_path(&path, &paint(color), &stroke, Transform::identity(), None);
    }
}

fn dot(canvas: &mut Pixmap, x: f32, y: f32, color: [u8; 3]) {
    if let Some(circle) = PathBuilder::from_circle(x, y, 3.6) {
        canvas.fill_path(&circle, &paint(color), FillRule::Winding, Transform::identity(), None);
    }
}
