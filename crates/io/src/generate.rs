//! The project's own groom: straight, wavy and curly locks on the head of [`super::head`], the same bits on every machine.
//!
//! A strand leaves its root along the scalp's normal, is combed away from the parting, falls, and lies on the head and on
//! the hair below it. Its style is an offset from that path: none, a wave in a plane, or a helix. Neighbours form locks,
//! which share the style and its phase and draw together towards the tips: without locks curls average to fog.
//! Source of the even roots: the golden-angle lattice, e.g. A. González, "Measurement of areas on a sphere using Fibonacci
//! and latitude-longitude lattices", 2010.

use super::groom::{Groom, UpAxis};
use super::head::{along, cross, distance, dot, is_scalp, normal, normalized, sub, surface};
use std::f64::consts::PI;
use withy_math::approx::sin_cos;
use withy_math::rng::Rng;

/// How many of the locks have each style, as weights of any sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StyleMix {
    pub straight: f64,
    pub wavy: f64,
    pub curly: f64,
}

impl StyleMix {
    pub const STRAIGHT: StyleMix = StyleMix { straight: 1.0, wavy: 0.0, curly: 0.0 };
    pub const WAVY: StyleMix = StyleMix { straight: 0.0, wavy: 1.0, curly: 0.0 };
    pub const CURLY: StyleMix = StyleMix { straight: 0.0, wavy: 0.0, curly: 1.0 };
    pub const EVEN: StyleMix = StyleMix { straight: 1.0, wavy: 1.0, curly: 1.0 };
}

/// Mean length of a strand, in metres.
const LENGTH: f64 = 0.25;
/// Diameter of a human hair, in metres.
const DIAMETER: f32 = 7e-5;
/// Path points per strand; the vertices are spaced along these.
const FINE: usize = 160;
/// Strands that share a lock, about.
const LOCK: usize = 14;
/// Finding a strand's lock is linear in their number.
const MAX_LOCKS: usize = 1024;
/// The parting runs front to back here.
const PARTING: f64 = 0.022;

/// `strands` strands of `vertices` vertices each (at least 2), in metres, Y up, about 0.25 m long. The same arguments give
/// the same bits everywhere.
pub fn head_groom(strands: u32, vertices: u32, mix: StyleMix, seed: u64) -> Groom {
    let mut rng = Rng::new(seed);
    let roots = roots(strands as usize, &mut rng);
    let vertices = vertices.max(2) as usize;
    let locks = locks(&roots, vertices, mix, &mut rng);
    let mut groom = Groom {
        points: Vec::with_capacity(roots.len() * vertices),
        counts: vec![vertices as u32; roots.len()],
        widths: vec![DIAMETER],
        meters_per_unit: Some(1.0),
        up_axis: UpAxis::Y,
        ..Groom::default()
    };
    for &root in &roots {
        let apart2 = |lock: &Lock| {
            let to = sub(lock.path[0], root);
            // A lock does not cross the parting while its own side has one.
            let differ = side(root) - side(lock.path[0]);
            dot(to, to) + 0.01 * differ * differ
        };
        if let Some(lock) = locks.iter().min_by(|a, b| apart2(a).total_cmp(&apart2(b))) {
            let strand = strand(root, lock, &mut rng);
            space_evenly(&strand, vertices, &mut groom.points);
        }
    }
    groom
}

/// The hair design scene of Umetani 2014, figure 13: 200 strands of 20 edges.
pub fn hair_design_groom() -> Groom {
    head_groom(200, 21, StyleMix::EVEN, 13)
}

/// Points on the scalp, evenly spread: a lattice over the whole sphere whose points off the scalp are left out.
fn roots(count: usize, rng: &mut Rng) -> Vec<[f64; 3]> {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let turn = rng.unit();
    let direction = |index: usize, of: usize| {
        let y = 1.0 - (2 * index + 1) as f64 / of as f64;
        let around = index as f64 * GOLDEN + turn;
        let (x, z) = sin_cos(2.0 * PI * (around - around.floor()));
        let level = (1.0 - y * y).sqrt();
        [level * x, y, level * z]
    };
    let on_scalp = |of: usize| (0..of).map(move |index| direction(index, of)).filter(|&at| is_scalp(at));
    // Grow the lattice until it has enough; a percent at a time, so that few are left over.
    let mut of = 2 * count + 8;
    while on_scalp(of).count() < count {
        of += of / 100 + 1;
    }
    let found: Vec<[f64; 3]> = on_scalp(of).collect();
    // Those left over are missed evenly, not at the nape alone.
    (0..count).map(|index| surface(found[index * found.len() / count])).collect()
}

#[derive(Clone, Copy)]
enum Style {
    Straight,
    Wavy,
    Curly,
}

struct Lock {
    style: Style,
    /// Metres of path per wave or turn, its amplitude or radius, and where it begins.
    pitch: f64,
    radius: f64,
    phase: f64,
    length: f64,
    lift: f64,
    path: Vec<[f64; 3]>,
}

fn locks(roots: &[[f64; 3]], vertices: usize, mix: StyleMix, rng: &mut Rng) -> Vec<Lock> {
    let count = (roots.len() / LOCK).clamp(1, MAX_LOCKS).min(roots.len());
    let total = mix.straight + mix.wavy + mix.curly;
    let lock = |index: usize| {
        let choice = rng.unit() * total;
        let style = if choice < mix.straight {
            Style::Straight
        } else if choice < mix.straight + mix.wavy {
            Style::Wavy
        } else {
            Style::Curly
        };
        let length = LENGTH * rng.range(0.88, 1.12);
        // A turn needs seven edges to look round, whatever the hair would like.
        let finest = 7.0 * length / (vertices - 1) as f64;
        let (pitch, radius) = match style {
            Style::Straight => (1.0, 0.0),
            Style::Wavy => (rng.range(0.055, 0.075), rng.range(0.005, 0.008)),
            Style::Curly => (rng.range(0.028, 0.040), rng.range(0.006, 0.009)),
        };
        let stretch = (finest / pitch).max(1.0);
        let (pitch, radius) = (pitch * stretch, radius * stretch.min(1.6));
        let lift = rng.range(0.003, 0.014);
        let phase = rng.range(0.0, 2.0 * PI);
        let path = path(roots[index * roots.len() / count], length, lift + radius);
        Lock { style, pitch, radius, phase, length, lift, path }
    };
    (0..count).map(lock).collect()
}

/// Which way a hair is combed, from -1 to 1.
fn side(root: [f64; 3]) -> f64 {
    let side = if root[0] > PARTING { 1.0 } else { -1.0 };
    // Behind the crown the parting ends: the hair falls the way its root faces.
    let behind = ((-0.02 - root[2]) / 0.05).clamp(0.0, 1.0);
    side * (1.0 - behind) + (root[0] / 0.08).clamp(-1.0, 1.0) * behind
}

/// A hair's middle line, `FINE` points: out of the skin, combed from the parting, down, and never deeper than `lift`.
fn path(root: [f64; 3], length: f64, lift: f64) -> Vec<[f64; 3]> {
    let out = normal(root);
    // Combed to its side and back, the harder the more the scalp faces forward: not into the face.
    let comb = normalized([side(root), -0.2, -0.9]);
    let weight = 0.7 + 2.0 * out[2].max(0.0);
    let mut heading = normalized(along(out, sub(comb, out.map(|x| x * dot(comb, out))), weight));
    let step = length / (FINE - 1) as f64;
    // The weight bends a hair down within about this length.
    const BENDING: f64 = 0.030;
    let mut points = vec![root];
    let mut at = root;
    for index in 1..FINE {
        let s = index as f64 * step;
        heading = normalized(along(heading, [0.0, -1.0, 0.0], step / BENDING));
        let next = along(at, heading, step);
        // Room to the skin grows from nothing at the root.
        let room = lift * (s / 0.03).min(1.0);
        let depth = room - distance(next);
        if depth > 0.0 {
            let out = normal(next);
            // Slide: what pointed into the head goes, and the point comes out, at most at the pace of the hair itself.
            heading = normalized(along(heading, out, -dot(heading, out).min(0.0)));
            heading = normalized(along(heading, out, (depth / step).min(0.5)));
        }
        at = along(at, heading, step);
        points.push(at);
    }
    points
}

/// A strand of a lock: its own path, drawn to the lock's, offset by the lock's style.
fn strand(root: [f64; 3], lock: &Lock, rng: &mut Rng) -> Vec<[f64; 3]> {
    let length = lock.length * rng.range(0.95, 1.05);
    let own = path(root, length, lock.lift + lock.radius + rng.range(0.0, 0.004));
    let phase = lock.phase + rng.range(-0.35, 0.35);
    let radius = lock.radius * rng.range(0.85, 1.15);
    // The offset lengthens the strand: walk the path slower, so that the strand keeps its length and the lock its curl.
    let slope = 2.0 * PI * radius / lock.pitch;
    let shortening = match lock.style {
        Style::Straight => 1.0,
        Style::Wavy => 1.0 / (1.0 + 0.25 * slope * slope),
        Style::Curly => 1.0 / (1.0 + slope * slope).sqrt(),
    };
    let mut frame = first_frame(sub(own[1], own[0]));
    let mut points = Vec::with_capacity(FINE);
    for index in 0..FINE {
        let u = index as f64 / (FINE - 1) as f64;
        let place = u * shortening * (FINE - 1) as f64;
        let (before, t) = (place as usize, place - place.floor());
        let after = (before + 1).min(FINE - 1);
        let drawn = 0.75 * u * u.sqrt();
        let point_of = |path: &[[f64; 3]]| along(path[before], sub(path[after], path[before]), t);
        let (mine, middle) = (point_of(&own), point_of(&lock.path));
        frame = transported(frame, sub(own[after], own[after - 1]));
        let [_, across, over] = frame;
        let (sin, cos) = sin_cos(phase + 2.0 * PI * u * length * shortening / lock.pitch);
        let grown = radius * (u / 0.2).min(1.0);
        let mut point = along(mine, sub(middle, mine), drawn);
        match lock.style {
            Style::Straight => {}
            // About its first value, so that the root stays on the scalp.
            Style::Wavy => point = along(point, across, grown * sin),
            Style::Curly => point = along(along(point, across, grown * sin), over, grown * cos),
        }
        // Drawing together cuts corners of the head: come out again.
        let depth = 0.003 * (u / 0.05).min(1.0) - distance(point);
        points.push(if depth > 0.0 { along(point, normal(point), depth) } else { point });
    }
    points
}

/// Tangent and two normals.
fn first_frame(tangent: [f64; 3]) -> [[f64; 3]; 3] {
    let tangent = normalized(tangent);
    let other = if tangent[2].abs() < 0.8 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
    let across = normalized(cross(tangent, other));
    [tangent, across, cross(tangent, across)]
}

/// The frame carried to a new tangent without twist, by projection: the turns here are small.
fn transported([_, across, _]: [[f64; 3]; 3], tangent: [f64; 3]) -> [[f64; 3]; 3] {
    let tangent = normalized(tangent);
    let across = normalized(along(across, tangent, -dot(across, tangent)));
    [tangent, across, cross(tangent, across)]
}

/// `count` points at even steps of arc length.
fn space_evenly(path: &[[f64; 3]], count: usize, out: &mut Vec<[f32; 3]>) {
    let gap = |index: usize| {
        let d = sub(path[index + 1], path[index]);
        dot(d, d).sqrt()
    };
    let total: f64 = (0..path.len() - 1).map(gap).sum();
    let (mut segment, mut walked) = (0, 0.0);
    for index in 0..count {
        let target = total * index as f64 / (count - 1) as f64;
        while segment + 2 < path.len() && walked + gap(segment) < target {
            walked += gap(segment);
            segment += 1;
        }
        let t = ((target - walked) / gap(segment)).clamp(0.0, 1.0);
        out.push(along(path[segment], sub(path[segment + 1], path[segment]), t).map(|x| x as f32));
    }
}
