//! Ten closed knots whose ropes get shorter until they are tight. None may become another knot. The trefoil without bending stiffness and friction
//! comes to the ideal one, the shortest that a rope of its thickness can make.
//!
//! The start curves: prideout/knotess (MIT), `curves/knotess_centerlines.bin` of the folder that `WITHY_DATA` names. Source of the ideal length, 16.372 diameters:
//! E. Rawdon et al. (ridgerunner), T. Ashton et al., "Knot tightening by constrained gradient descent", Experimental Mathematics 20, 2011.

use crate::Result;
use crate::abi::{Rods, World, join};
use crate::scenes::stage::*;
use glam::DVec3;
use std::f64::consts::TAU;
use withy::collide::narrow::pills;
use withy::math::Vec3;
use withy::world::{RestShape, RodsDesc, Stiffness};

const RADIUS: f64 = 5e-3;
/// Edges are so many radii long at the start.
const EDGE: f64 = 0.8;
pub const IDEAL_TREFOIL: f64 = 16.372;

/// Name, first point and number of points in the file, from `knotess_links.json`.
pub const KNOTS: [(&str, usize, usize); 10] = [
    ("3_1", 3042, 47),
    ("4_1", 1375, 69),
    ("5_1", 7357, 69),
    ("5_2", 1849, 81),
    ("6_1", 1534, 96),
    ("6_2", 0, 82),
    ("6_3", 10652, 85),
    ("7_1", 7845, 94),
    ("7_2", 5595, 86),
    ("7_3", 190, 122),
];

/// How a rope is drawn tight.
#[derive(Clone, Copy, Debug)]
pub struct Pull {
    pub young: f64,
    pub friction: f64,
    /// The rope gets shorter for so long, then waits, s.
    pub seconds: [f64; 2],
    /// What it is shortened to, in its diameters, if it is not tight before: it is where its tension passes this, N.
    pub to: f64,
    pub tight: f64,
}

/// The closed curve of a knot, in units in which its tube has the radius 1.
pub fn curve(first: usize, count: usize) -> Result<Vec<DVec3>> {
    let folder = std::env::var_os("WITHY_DATA").ok_or("set WITHY_DATA to the folder of the knots (docs/scenes.md)")?;
    let path = std::path::PathBuf::from(folder).join("curves/knotess_centerlines.bin");
    let bytes = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let number = |k: usize| -> f64 { f64::from(f32::from_le_bytes([bytes[k], bytes[k + 1], bytes[k + 2], bytes[k + 3]])) };
    if bytes.len() < 12 * (first + count) {
        return Err(format!("{}: {} bytes are too few", path.display(), bytes.len()).into());
    }
    Ok((first..first + count).map(|p| DVec3::new(number(12 * p), number(12 * p + 4), number(12 * p + 8))).collect())
}

/// A closed curve as vertices at even distances; the last is the first.
fn even(points: &[DVec3], edges: usize) -> Vec<DVec3> {
    let n = points.len();
    let mut arc = vec![0.0];
    (0..n).for_each(|i| arc.push(arc[i] + points[i].distance(points[(i + 1) % n])));
    (0..=edges)
        .map(|k| {
            let s = arc[n] * k as f64 / edges as f64;
            let i = arc.partition_point(|&a| a <= s).clamp(1, n);
            points[i - 1].lerp(points[i % n], (s - arc[i - 1]) / (arc[i] - arc[i - 1]))
        })
        .collect()
}

/// |Δ(t)| of Alexander's polynomial at −1 (the determinant of the knot) and at exp(2πi·0.31): what tells these knots from each other. From the crossings that are seen along
/// a direction: one row a crossing, one column an arc from underpass to underpass.
///
/// Source: J. W. Alexander, "Topological invariants of knots and links", Trans. AMS 30, 1928.
pub fn alexander(points: &[DVec3]) -> [f64; 2] {
    let axis = DVec3::new(0.31, 0.67, 0.53).normalize();
    let (u, v) = axis.any_orthonormal_pair();
    let flat: Vec<[f64; 3]> = points.iter().map(|p| [p.dot(u), p.dot(v), p.dot(axis)]).collect();
    let n = flat.len();
    // Where an edge passes under another: place along the curve, the other's place, right-handed or not.
    let mut under: Vec<(f64, f64, bool)> = Vec::new();
    for i in 0..n {
        for j in 0..i {
            let (a, b, c, d) = (flat[i], flat[(i + 1) % n], flat[j], flat[(j + 1) % n]);
            if i - j < 2 || (j == 0 && i == n - 1) {
                continue;
            }
            let (r, s, w) = ([b[0] - a[0], b[1] - a[1]], [d[0] - c[0], d[1] - c[1]], [c[0] - a[0], c[1] - a[1]]);
            let cross = |p: [f64; 2], q: [f64; 2]| p[0] * q[1] - p[1] * q[0];
            let (det, x, y) = (cross(r, s), cross(w, s), cross(w, r));
            if det == 0.0 {
                continue;
            }
            let (x, y) = (x / det, y / det);
            if (0.0..1.0).contains(&x) && (0.0..1.0).contains(&y) {
                let (hi, hj) = (a[2] + x * (b[2] - a[2]), c[2] + y * (d[2] - c[2]));
                let (pi, pj) = (i as f64 + x, j as f64 + y);
                let above = hi > hj;
                under.push(if above { (pj, pi, det > 0.0) } else { (pi, pj, det < 0.0) });
            }
        }
    }
    under.sort_by(|a, b| a.0.total_cmp(&b.0));
    let m = under.len();
    let arc_of = |place: f64| under.partition_point(|c| c.0 <= place) % m.max(1);
    [std::f64::consts::PI, TAU * 0.31].map(|angle| {
        let t = [angle.cos(), angle.sin()];
        let mut a = vec![vec![[0.0f64; 2]; m]; m];
        for (k, &(_, over, right)) in under.iter().enumerate() {
            let (before, after, top) = (k, (k + 1) % m, arc_of(over));
            let one_less = [1.0 - t[0], -t[1]];
            let mut add = |column: usize, c: [f64; 2]| {
                (a[k][column][0], a[k][column][1]) = (a[k][column][0] + c[0], a[k][column][1] + c[1])
            };
            add(top, one_less);
            add(before, if right { t } else { [-1.0, 0.0] });
            add(after, if right { [-1.0, 0.0] } else { t });
        }
        modulus_of_minor(a)
    })
}

/// |det| without the last row and column.
#[allow(clippy::needless_range_loop, reason = "indices name rows and columns")]
fn modulus_of_minor(mut a: Vec<Vec<[f64; 2]>>) -> f64 {
    let n = a.len().saturating_sub(1);
    let abs = |c: [f64; 2]| c[0].hypot(c[1]);
    let mut det = 1.0;
    for k in 0..n {
        let p = (k..n).max_by(|&i, &j| abs(a[i][k]).total_cmp(&abs(a[j][k]))).unwrap_or(k);
        a.swap(k, p);
        let pivot = a[k][k];
        let size = abs(pivot);
        det *= size;
        if size < 1e-12 {
            return 0.0;
        }
        for i in k + 1..n {
            let x = a[i][k];
            // x / pivot
            let f = [(x[0] * pivot[0] + x[1] * pivot[1]) / (size * size), (x[1] * pivot[0] - x[0] * pivot[1]) / (size * size)];
            for j in k..n {
                let q = a[k][j];
                a[i][j][0] -= f[0] * q[0] - f[1] * q[1];
                a[i][j][1] -= f[0] * q[1] + f[1] * q[0];
            }
        }
    }
    det
}

pub struct Tight {
    pub points: Vec<DVec3>,
    /// Its length over its diameter.
    pub length: f64,
    /// Deepest overlap over both radii.
    pub overlap: f64,
    /// N
    pub tension: f64,
    /// [`alexander`] before, and the times at which it had changed.
    pub knot: [f64; 2],
    pub lost: Vec<f64>,
}

/// The least distance of parts of the closed curve that are farther apart along it than half a turn around the rope.
fn least_distance(p: &[DVec3]) -> f64 {
    let n = p.len();
    let length: f64 = (0..n).map(|i| p[i].distance(p[(i + 1) % n])).sum();
    let far = (4.0 * RADIUS / (length / n as f64)).ceil() as usize;
    let mut least = f64::INFINITY;
    for i in 0..n {
        for j in 0..i {
            if i - j > far && n - (i - j) > far {
                let [a, b, c, d] = [p[i], p[(i + 1) % n], p[j], p[(j + 1) % n]].map(|p| Vec3::from(p.to_array()));
                least = least.min(pills([a, b], [0.0; 2], [c, d], [0.0; 2]).separation);
            }
        }
    }
    least
}

fn mean(all: &[f64]) -> f64 {
    all.iter().sum::<f64>() / all.len() as f64
}

/// Draws a knot tight; `see` gets the time and the rope.
pub fn tighten(start: &[DVec3], pull: Pull, mut see: impl FnMut(f64, Rods, usize) -> Result<()>) -> Result<Tight> {
    let length: f64 = (0..start.len()).map(|i| start[i].distance(start[(i + 1) % start.len()])).sum();
    let edges = (length / EDGE).round() as usize;
    let closed = even(start, edges);
    const STRETCH: f64 = 2e6;
    let world: World = world(8, 1)?;
    let middle = closed.iter().sum::<DVec3>() / closed.len() as f64;
    let positions: Vec<[f64; 3]> = closed.iter().map(|p| ((*p - middle) * RADIUS).to_array()).collect();
    let rods = world.add_rods(&RodsDesc {
        positions,
        counts: vec![edges as u32 + 1],
        radii: vec![RADIUS],
        stiffness: Stiffness::Physical { young: pull.young, shear: 0.4 * pull.young },
        stretch_modulus: STRETCH,
        rest_shape: RestShape::Straight,
        damping: 4.0,
        drag: 8.0,
        friction: pull.friction,
        self_contact: true,
        iterations: 2,
        ..RodsDesc::default()
    })?;
    // As heavy as an edge.
    let mass = 1000.0 * std::f64::consts::PI * RADIUS * RADIUS * EDGE * RADIUS;
    join(&[rods.end(0, false), rods.end(0, true)], RADIUS, mass)?;
    let points = || -> Result<Vec<DVec3>> {
        let mut p = vectors(&rods.positions()?);
        p.pop();
        Ok(p)
    };
    let (knot, mut lost) = (alexander(&points()?), Vec::new());
    let frames = ((pull.seconds[0] + pull.seconds[1]) / FRAME) as u32;
    let mut part = 0.0;
    let straight = vec![[0.0; 3]; edges - 1];
    for frame in 0..=frames {
        let t = f64::from(frame) * FRAME;
        let tension = STRETCH * std::f64::consts::PI * RADIUS * RADIUS * mean(&rods.strain()?);
        if tension < pull.tight {
            part = (part + FRAME / pull.seconds[0]).min(1.0);
        }
        let now = RADIUS * (length + (2.0 * pull.to - length) * part);
        rods.set_rest(&vec![now / edges as f64; edges], &straight)?;
        world.step(FRAME)?;
        see(t, rods, edges)?;
        if frame % 30 == 0 || frame == frames {
            let same = alexander(&points()?).iter().zip(&knot).all(|(a, b)| (a - b).abs() < 1e-6 * (1.0 + b));
            if !same {
                lost.push(t);
            }
        }
    }
    let p = points()?;
    let total: f64 = (0..p.len()).map(|i| p[i].distance(p[(i + 1) % p.len()])).sum();
    let least = least_distance(&p);
    Ok(Tight {
        length: total / (2.0 * RADIUS),
        overlap: 1.0 - least / (2.0 * RADIUS),
        tension: STRETCH * std::f64::consts::PI * RADIUS * RADIUS * mean(&rods.strain()?),
        points: p,
        knot,
        lost,
    })
}

/// Without bending stiffness and friction: [`Pull`] to the ideal trefoil.
pub const IDEAL: Pull = Pull { young: 5e3, friction: 0.0, seconds: [16.0, 4.0], to: 15.0, tight: 2.0 };

pub fn figure() -> Result<Figure> {
    let mut figure = Figure {
        title: "Ten knots",
        subtitle: "closed ropes that get shorter until they are tight".into(),
        size: (230, 210),
        columns: 5,
        direction: [0.2, -0.3, -1.0],
        alone: true,
        ..Figure::default()
    };
    let colors = [[0.62, 0.36, 0.20], [0.20, 0.38, 0.62], [0.30, 0.52, 0.34], [0.70, 0.24, 0.22], [0.50, 0.36, 0.58]];
    for (k, (name, first, count)) in KNOTS.into_iter().enumerate() {
        let start = curve(first, count)?;
        let length: f64 = (0..start.len()).map(|i| start[i].distance(start[(i + 1) % start.len()])).sum();
        let pull = Pull { young: 2e5, friction: 0.1, seconds: [16.0, 0.0], to: 0.2 * length, tight: 2.0 };
        let mut last = None;
        let tight = tighten(&start, pull, |_, rods, edges| {
            last = Some((rods, edges));
            Ok(())
        })?;
        let state = if tight.lost.is_empty() { "kept" } else { "LOST" };
        figure.numbers.push(format!(
            "{name}: {state} (determinant {:.0}); {:.2} diameters long, overlap {:.1} %, tension {:.2} N",
            tight.knot[0],
            tight.length,
            100.0 * tight.overlap,
            tight.tension
        ));
        let mut closed: Vec<[f32; 3]> = tight.points.iter().map(|p| p.as_vec3().to_array()).collect();
        closed.push(closed[0]);
        let counts = [closed.len() as u32];
        let scene = crate::render::Scene {
            curves: vec![curve_set(closed, &[], &counts, Look::plain(RADIUS, colors[k % colors.len()]))],
            ..crate::render::Scene::default()
        };
        figure.shot(format!("{name}: {:.1} diameters", tight.length), scene);
    }
    let (_, first, count) = KNOTS[0];
    let ideal = tighten(&curve(first, count)?, IDEAL, |_, _, _| Ok(()))?;
    figure.numbers.push(format!(
        "the trefoil without bending stiffness and friction: {:.2} diameters (ideal: {IDEAL_TREFOIL}), overlap {:.1} %",
        ideal.length,
        100.0 * ideal.overlap
    ));
    Ok(figure)
}
