//! A sheet of triangles: what the bench lays bones on, and what the tests of meshes are about.

use withy::math::rng::Rng;

/// (n + 1)² points over −1..1 at `height`, moved within the plane at random, facing up; the diagonals at random.
pub fn sheet(n: usize, rng: &mut Rng, height: impl Fn(f64, f64) -> f64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let side = n + 1;
    let mut points = Vec::with_capacity(side * side);
    for k in 0..side * side {
        let (i, j) = (k % side, k / side);
        let inner = i > 0 && j > 0 && i < n && j < n;
        let mut at = |k: usize| {
            let shift = if inner { rng.range(-0.3, 0.3) } else { 0.0 };
            2.0 * (k as f64 + shift) / n as f64 - 1.0
        };
        let (x, z) = (at(i), at(j));
        points.push([x, height(x, z), z]);
    }
    let mut triangles = Vec::with_capacity(2 * n * n);
    for k in 0..n * n {
        let a = (k / n * side + k % n) as u32;
        let (b, c, d) = (a + 1, a + side as u32, a + side as u32 + 1);
        triangles.extend(if rng.unit() < 0.5 { [[a, c, b], [b, c, d]] } else { [[a, c, d], [a, d, b]] });
    }
    (points, triangles)
}
