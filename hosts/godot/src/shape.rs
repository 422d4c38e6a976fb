//! Where a rope lies at first, and the tube that is drawn along it.

use crate::simulation::V3;

fn sub(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn add(a: V3, b: V3, s: f32) -> V3 {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

fn dot(a: V3, b: V3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: V3) -> Option<V3> {
    let length = dot(a, a).sqrt();
    (length > 1e-12).then(|| a.map(|x| x / length))
}

pub fn length(line: &[V3]) -> f32 {
    line.windows(2).map(|p| dot(sub(p[1], p[0]), sub(p[1], p[0])).sqrt()).sum()
}

/// `pieces` + 1 points along the parabola between two ends that is as long as asked for, evenly spaced; straight where the ends are
/// farther apart.
pub fn hang(start: V3, end: V3, long: f32, pieces: usize) -> Vec<V3> {
    const FINE: usize = 1000;
    let curve = |sag: f32| -> Vec<V3> {
        (0..=FINE)
            .map(|i| {
                let t = i as f32 / FINE as f32;
                let mut p = add(start, sub(end, start), t);
                p[1] -= 4.0 * sag * t * (1.0 - t);
                p
            })
            .collect()
    };
    let (mut least, mut most) = (0.0, long);
    for _ in 0..40 {
        let middle = 0.5 * (least + most);
        if length(&curve(middle)) < long { least = middle } else { most = middle }
    }
    let fine = curve(least);
    let step = length(&fine) / pieces as f32;
    let (mut points, mut gone) = (vec![start], 0.0);
    for p in fine.windows(2) {
        let way = length(p);
        while points.len() < pieces && gone + way >= points.len() as f32 * step {
            let t = (points.len() as f32 * step - gone) / way;
            points.push(add(p[0], sub(p[1], p[0]), t));
        }
        gone += way;
    }
    points.resize(pieces, end);
    points.push(end);
    points
}

/// As long as asked for, in even pieces: how a rope rests, wherever it lies.
pub fn straight(long: f32, pieces: usize) -> Vec<V3> {
    (0..=pieces).map(|i| [0.0, -long * i as f32 / pieces as f32, 0.0]).collect()
}

/// A tube without caps around a line: places and normals of `sides` points a vertex, and triangles.
pub struct Tube {
    pub places: Vec<V3>,
    pub normals: Vec<V3>,
    pub triangles: Vec<i32>,
}

pub fn tube(line: &[V3], radius: f32, sides: usize) -> Tube {
    let mut t = Tube { places: Vec::new(), normals: Vec::new(), triangles: Vec::new() };
    let last = line.len() - 1;
    let along = |i: usize| unit(sub(line[(i + 1).min(last)], line[i.saturating_sub(1)])).unwrap_or([0.0, 1.0, 0.0]);
    let mut side = if along(0)[1].abs() < 0.9 { [0.0, 1.0, 0.0] } else { [1.0, 0.0, 0.0] };
    for (i, at) in line.iter().enumerate() {
        let d = along(i);
        // Carried from ring to ring without twist.
        side = unit(add(side, d, -dot(side, d))).unwrap_or(side);
        let other = cross(d, side);
        for k in 0..sides {
            let (sin, cos) = (k as f32 / sides as f32 * std::f32::consts::TAU).sin_cos();
            let normal = add(side.map(|x| x * cos), other, sin);
            t.places.push(add(*at, normal, radius));
            t.normals.push(normal);
            if i < last {
                let [a, b] = [k, (k + 1) % sides].map(|k| (i * sides + k) as i32);
                let n = sides as i32;
                // Godot's front faces are clockwise.
                t.triangles.extend([a, a + n, b, b, a + n, b + n]);
            }
        }
    }
    t
}
