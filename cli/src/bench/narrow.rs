//! `withy bench narrow`: contact points of one pair of shapes, a call each, without what was kept of the call before. One thread; no instruction
//! set matters.
//!
//! Shapes of 0.1 to 1 m, from 5 cm deep to 3 cm apart, points up to 2 cm apart; on a mesh of 20,000 triangles, 2 m wide, bones of 4 to 12 cm that lie on it.

use super::hills::sheet;
use crate::Result;
use crate::args::Bench;
use std::time::Instant;
use withy::collide::narrow::{Geometry, GeometryDesc, Manifold, TriangleMesh, distance, manifold, mesh_manifolds};
use withy::math::rng::Rng;
use withy::math::vec3::vec3;
use withy::math::{Quat, Transform, Vec3};

pub const NAME: &str = "narrow";

const FIRST: [&str; 4] = ["capsule", "tapered", "box", "hull"];
const SECOND: [&str; 5] = ["sphere", "capsule", "tapered", "box", "hull"];
const ON_MESH: [&str; 4] = ["sphere", "capsule", "tapered", "box"];
/// Pairs of each kind.
const PAIRS: usize = 256;
/// Squares along each side of the mesh.
const SQUARES: usize = 100;

#[derive(Debug)]
struct Row {
    pair: String,
    /// Median and least, s a pair.
    median: f64,
    best: f64,
    /// Of a pair, in the mean.
    manifolds: f64,
    points: f64,
}

impl Row {
    fn json(&self) -> String {
        format!(
            "{{\"bench\":\"{NAME}\",\"pair\":\"{}\",\"pairs\":{PAIRS},\"ns_per_pair\":{:.1},\"ns_best\":{:.1},\"manifolds\":{:.3},\"points\":{:.3}}}",
            self.pair,
            1e9 * self.median,
            1e9 * self.best,
            self.manifolds,
            self.points
        )
    }

    fn text(&self) -> String {
        format!(
            "{:<16} {:>8.1} {:>8.1} {:>10.2} {:>7.2}",
            self.pair,
            1e9 * self.median,
            1e9 * self.best,
            self.manifolds,
            self.points
        )
    }
}

fn direction(rng: &mut Rng) -> Vec3<f64> {
    vec3(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)).normalized_or(vec3(0.0, 1.0, 0.0))
}

fn rotation(rng: &mut Rng) -> Quat<f64> {
    let [x, y, z, w] = [0; 4].map(|_| rng.range(-1.0, 1.0));
    let l = (x * x + y * y + z * z + w * w).sqrt().max(1e-3);
    Quat { x: x / l, y: y / l, z: z / l, w: w / l }
}

fn single(t: &Transform<f64>) -> Transform<f32> {
    let q = t.rotation;
    let e = |v: f64| v as f32;
    Transform { position: t.position.map(e), rotation: Quat { x: e(q.x), y: e(q.y), z: e(q.z), w: e(q.w) } }
}

/// A shape of a kind in both precisions.
fn shape(kind: &str, rng: &mut Rng) -> Result<(Geometry<f64>, Geometry<f32>)> {
    let both = |d: &GeometryDesc| -> Result<_> { Ok((Geometry::new(d)?, Geometry::new(d)?)) };
    let mut size = |low: f64, high: f64| rng.range(low, high);
    match kind {
        "sphere" => both(&GeometryDesc::Sphere { radius: size(0.1, 1.0) }),
        "capsule" => both(&GeometryDesc::Capsule { half_height: size(0.1, 1.0), radius: size(0.1, 0.5) }),
        "tapered" => {
            both(&GeometryDesc::TaperedCapsule { half_height: size(0.1, 1.0), bottom: size(0.05, 0.6), top: size(0.05, 0.6) })
        }
        "box" => both(&GeometryDesc::Box { half_extents: [size(0.1, 1.0), size(0.1, 1.0), size(0.1, 1.0)] }),
        _ => {
            let n = 6 + (rng.next_u64() % 20) as usize;
            let points: Vec<[f64; 3]> = (0..n).map(|_| (direction(rng) * rng.range(0.4, 1.0)).to_array()).collect();
            both(&GeometryDesc::Hull { points: &points })
        }
    }
}

/// Shapes, and a pose in which they are `apart`, or as deep.
fn case(first: &str, second: &str, rng: &mut Rng) -> Result<(Geometry<f32>, Geometry<f32>, Transform<f32>)> {
    let ((a, a32), (b, b32)) = (shape(first, rng)?, shape(second, rng)?);
    let apart = rng.range(-0.05, 0.03);
    let out = direction(rng);
    let mut pose = Transform { position: out * 5.0, rotation: rotation(rng) };
    // Straight towards each other, at last along the normal of the nearest points.
    for k in 0..12 {
        let found = distance(&a, &b, &pose).ok_or_else(|| format!("bench {NAME}: {first} and {second} have no distance"))?;
        let along = if k < 8 { out } else { found.normal };
        pose.position = pose.position + along * (apart - found.distance);
    }
    Ok((a32, b32, single(&pose)))
}

fn hills(rng: &mut Rng) -> Result<TriangleMesh<f32>> {
    let (points, triangles) = sheet(SQUARES, rng, height);
    Ok(TriangleMesh::new(&points, &triangles)?)
}

fn height(x: f64, z: f64) -> f64 {
    0.02 * (9.0 * x).sin() * (7.0 * z).cos()
}

/// A bone on the hills: its axis level, anywhere about the vertical.
fn bone(kind: &str) -> Result<Geometry<f32>> {
    Ok(Geometry::new(&match kind {
        "sphere" => GeometryDesc::Sphere { radius: 0.02 },
        "capsule" => GeometryDesc::Capsule { half_height: 0.04, radius: 0.02 },
        "tapered" => GeometryDesc::TaperedCapsule { half_height: 0.04, bottom: 0.025, top: 0.02 },
        _ => GeometryDesc::Box { half_extents: [0.03, 0.02, 0.03] },
    })?)
}

fn on_hills(rng: &mut Rng) -> Transform<f32> {
    let (x, z) = (rng.range(-0.8, 0.8), rng.range(-0.8, 0.8));
    let (s, c) = (0.5 * rng.range(0.0, 6.0)).sin_cos();
    let h = 0.5f64.sqrt();
    let yaw = Quat { x: 0.0, y: s, z: 0.0, w: c };
    let rotation = yaw.compose(Quat { x: h, y: 0.0, z: 0.0, w: h });
    single(&Transform { position: vec3(x, height(x, z) + 0.019, z), rotation })
}

/// Times rounds over all pairs; `round` returns how many manifolds and points it found.
fn measure(pair: String, seconds: f64, mut round: impl FnMut() -> [usize; 2]) -> Row {
    let mut found = round();
    let begin = Instant::now();
    let mut times = Vec::new();
    while times.len() < 9 || begin.elapsed().as_secs_f64() < seconds {
        let begin = Instant::now();
        found = round();
        times.push(begin.elapsed().as_secs_f64() / PAIRS as f64);
    }
    times.sort_unstable_by(f64::total_cmp);
    let [manifolds, points] = found.map(|n| n as f64 / PAIRS as f64);
    Row { pair, median: times[times.len() / 2], best: times[0], manifolds, points }
}

fn rows(seconds: f64, mut each: impl FnMut(&Row)) -> Result<()> {
    let mut rng = Rng::new(3);
    let seconds = seconds / (FIRST.len() * SECOND.len() + ON_MESH.len()) as f64;
    for first in FIRST {
        for second in SECOND {
            let cases = (0..PAIRS).map(|_| case(first, second, &mut rng)).collect::<Result<Vec<_>>>()?;
            each(&measure(format!("{first} {second}"), seconds, || {
                let mut found = [0; 2];
                for (a, b, pose) in &cases {
                    let mut out = Manifold::default();
                    manifold(a, b, pose, 0.02, &mut 0, &mut out);
                    found = [found[0] + usize::from(out.count > 0), found[1] + out.count as usize];
                }
                found
            }));
        }
    }
    let hills = hills(&mut rng)?;
    let mut out = Vec::with_capacity(32);
    for kind in ON_MESH {
        let bone = bone(kind)?;
        let poses: Vec<Transform<f32>> = (0..PAIRS).map(|_| on_hills(&mut rng)).collect();
        each(&measure(format!("mesh {kind}"), seconds, || {
            let mut found = [0; 2];
            for pose in &poses {
                mesh_manifolds(&hills, &bone, pose, 0.005, &mut out);
                found = [found[0] + out.len(), found[1] + out.iter().map(|m| m.count as usize).sum::<usize>()];
            }
            found
        }));
    }
    Ok(())
}

pub fn run(options: &Bench) -> Result<()> {
    if !options.json {
        println!("contact points of one pair of shapes, f32, one thread; manifolds and points a pair");
        println!("pair                   ns     best  manifolds  points");
    }
    rows(options.seconds, |row| println!("{}", if options.json { row.json() } else { row.text() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_keys_that_tools_parse() -> Result<()> {
        let mut lines = Vec::new();
        rows(0.0, |row| {
            // Pairs that were placed as meant touch, most of them.
            assert!(row.points > 0.5 && row.manifolds > 0.5, "{row:?}");
            lines.push(row.json());
        })?;
        assert_eq!(lines.len(), 24);
        for line in lines {
            let keys: Vec<&str> = line.split(['{', ',']).filter_map(|part| part.strip_prefix('"')?.split('"').next()).collect();
            assert_eq!(keys, ["bench", "pair", "pairs", "ns_per_pair", "ns_best", "manifolds", "points"]);
        }
        Ok(())
    }
}
