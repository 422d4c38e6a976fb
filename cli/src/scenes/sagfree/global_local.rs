//! Figure 7c: two-stage initialization (Hsu et al. 2022) as §5.6 fits it to discrete elastic rods. First tensions, and from them rest
//! lengths, that carry the loads as well as edges alone can; then one linear system for the forces of the elements of bending and twisting,
//! the smallest that come nearest to balancing what is left; then each element's own κ̄ and m̄, by least squares.
//!
//! What an element's forces may be decides. The paper leaves it at "linear and angular momentum preserving" and finds that its elements
//! are not: so they are without the torques on θ. With them they are; the space has five dimensions, two of which pull along the edges,
//! which no κ̄ and m̄ does. The strains depend on one rotation, and the forces on the three numbers of its moment: these three and
//! the tensions are as many as there are equations.

// Indices name rows and columns of small matrices here.
#![allow(clippy::needless_range_loop)]

use super::problem::{BAND, Problem, Six, solve};
use super::*;

/// Unknowns of an element: x_{i−1}, θ_{i−1}, x_i, θ_i, x_{i+1}.
const OWN: usize = 11;
type Own = [f64; OWN];

/// Which forces the linear system gives to an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Forces {
    /// The paper's, as we read it: on the vertices without linear and angular momentum, and a pair of opposite torques.
    Vertices,
    /// All without momentum when torques count: five numbers.
    Balanced,
    /// Those of a moment: three; with the tensions in the same system.
    Moments,
}

fn dot(a: &Own, b: &Own) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// An orthonormal basis of what the vectors span.
fn orthonormal(vectors: &[Own]) -> Vec<Own> {
    let mut basis: Vec<Own> = Vec::new();
    for v in vectors {
        let (mut rest, size) = (*v, dot(v, v).sqrt());
        // Twice is enough (Kahan).
        for _ in 0..2 {
            for b in &basis {
                let along = dot(&rest, b);
                (0..OWN).for_each(|k| rest[k] -= along * b[k]);
            }
        }
        let length = dot(&rest, &rest).sqrt();
        if length > 1e-6 * size {
            basis.push(rest.map(|x| x / length));
        }
    }
    basis
}

/// Linear and angular momentum about x_i; torques count over `unit`.
fn momentum(before: [f64; 3], after: [f64; 3], t: [[f64; 3]; 2], unit: f64) -> [Own; 6] {
    let mut rows = [[0.0; OWN]; 6];
    for k in 0..3 {
        (rows[k][k], rows[k][4 + k], rows[k][8 + k]) = (1.0, 1.0, 1.0);
        let (a, b) = ((k + 1) % 3, (k + 2) % 3);
        // (arm × force)_k
        (rows[3 + k][b], rows[3 + k][a]) = (before[a], -before[b]);
        (rows[3 + k][8 + b], rows[3 + k][8 + a]) = (after[a], -after[b]);
        (rows[3 + k][3], rows[3 + k][7]) = (unit * t[0][k], unit * t[1][k]);
    }
    rows
}

/// The rest shape that both stages give.
pub fn initialize(s: &Strands<f64>, forces: Forces) -> Vec<Six> {
    let problem = Problem::new(s, paper(), super::problem::Norm::Kinetic);
    let n = s.vertices();
    let mut rest = problem.initial.clone();
    let free = |i: usize, k: usize| s.section[i].free[usize::from(k == 3)];

    // Tensions alone: min ‖Σ T t + loads‖² over the free vertices, tridiagonal.
    let mut band = vec![[0.0; BAND]; n - 1];
    let mut tension = vec![0.0; n - 1];
    for i in 0..n - 1 {
        let (t, here, next) = (problem.tangent[i], free(i, 0), free(i + 1, 0));
        let load = |v: usize| (0..3).map(|k| s.section[v].force.to_array()[k] * t[k]).sum::<f64>();
        band[i][0] = if here + next > 0.0 { here + next } else { 1.0 };
        tension[i] = next * load(i + 1) - here * load(i);
        if i + 2 < n {
            band[i][1] = -next * (0..3).map(|k| t[k] * problem.tangent[i + 1][k]).sum::<f64>();
        }
    }
    solve(&mut band, &mut tension);
    if forces == Forces::Moments {
        tension.fill(0.0);
    }
    for i in 1..n - 1 {
        rest[i][0] = problem.length[i] / (1.0 + tension[i] / s.section[i].ea);
    }

    // What the elements have to balance, torques over a length.
    let unit = problem.length.iter().sum::<f64>() / (n - 1) as f64;
    let scale = |k: usize| if k == 3 { 1.0 / unit } else { 1.0 };
    let mut wanted = vec![0.0; 4 * n];
    for i in 0..n {
        let force = s.section[i].force.to_array();
        for k in 0..4 {
            let load = if k < 3 { force[k] } else { s.section[i].moment };
            let pull = |e: usize| if k < 3 { tension[e] * problem.tangent[e][k] } else { 0.0 };
            let stretching = if i + 1 < n { pull(i) } else { 0.0 } - if i > 0 { pull(i - 1) } else { 0.0 };
            wanted[4 * i + k] = -free(i, k) * scale(k) * (load + stretching);
        }
    }

    // The least forces: F = P y with (Σ P) y = wanted, P onto what an element may do.
    let rows: Vec<[Own; 5]> = problem.rows.iter().map(|r| r.map(|row| std::array::from_fn(|k| row[k] * scale(k % 4)))).collect();
    let mut projections = vec![[[0.0; OWN]; OWN]; n];
    let mut system = vec![[0.0; BAND]; 4 * n];
    for i in 1..n - 1 {
        let arm = |e: usize, sign: f64| std::array::from_fn(|k| sign * problem.length[e] * problem.tangent[e][k]);
        let (basis, sign) = match forces {
            Forces::Vertices => {
                let mut rows = momentum(arm(i - 1, -1.0), arm(i, 1.0), [[0.0; 3]; 2], unit).to_vec();
                rows.push(std::array::from_fn(|k| if k % 4 == 3 { 1.0 } else { 0.0 }));
                (orthonormal(&rows), -1.0)
            }
            Forces::Balanced => {
                let rows = momentum(arm(i - 1, -1.0), arm(i, 1.0), [problem.tangent[i - 1], problem.tangent[i]], unit);
                (orthonormal(&rows), -1.0)
            }
            Forces::Moments => (orthonormal(&rows[i]), 1.0),
        };
        for a in 0..OWN {
            for b in 0..OWN {
                let identity = if a == b && sign < 0.0 { 1.0 } else { 0.0 };
                projections[i][a][b] = identity + sign * basis.iter().map(|v| v[a] * v[b]).sum::<f64>();
                let (u, v) = ((i - 1 + a / 4, a % 4), (i - 1 + b / 4, b % 4));
                if b >= a {
                    system[4 * u.0 + u.1][b - a] += projections[i][a][b] * free(u.0, u.1) * free(v.0, v.1);
                }
            }
        }
    }
    // The two ends that an edge pulls at.
    let along = |i: usize, k: usize| if k % 4 == 3 { 0.0 } else { [1.0, -1.0][k / 4] * problem.tangent[i][k % 4] };
    let both = if forces == Forces::Moments { n - 1 } else { 0 };
    for i in 0..both {
        for (a, b) in (0..7).flat_map(|a| (a..7).map(move |b| (a, b))) {
            let (u, v) = ((i + a / 4, a % 4), (i + b / 4, b % 4));
            system[4 * u.0 + u.1][b - a] += along(i, a) * along(i, b) * free(u.0, u.1) * free(v.0, v.1);
        }
    }
    for i in 0..n {
        for k in 0..4 {
            // What cannot be balanced has no part in the forces.
            system[4 * i + k][0] += if free(i, k) == 0.0 { 1.0 } else { 1e-13 };
        }
    }
    let at = |i: usize, y: &[f64]| -> Own { std::array::from_fn(|k| y[4 * (i - 1) + k] * free(i - 1 + k / 4, k % 4)) };
    let of = |i: usize, y: &[f64]| -> Own { projections[i].map(|row| dot(&row, &at(i, y))) };
    let pull = |i: usize, y: &[f64]| (0..7).map(|k| along(i, k) * y[4 * i + k] * free(i + k / 4, k % 4)).sum::<f64>();
    let mut y = vec![0.0; 4 * n];
    // Refined: the square of a chain of moments is ill-conditioned.
    for _ in 0..4 {
        let mut left = wanted.clone();
        for i in 1..n - 1 {
            let f = of(i, &y);
            (0..OWN).for_each(|k| left[4 * (i - 1) + k] -= f[k] * free(i - 1 + k / 4, k % 4));
        }
        for i in 0..both {
            let t = pull(i, &y);
            (0..7).for_each(|k| left[4 * i + k] -= along(i, k) * t * free(i + k / 4, k % 4));
        }
        solve(&mut system.clone(), &mut left);
        (0..4 * n).for_each(|k| y[k] += left[k]);
    }

    for i in 1..both {
        rest[i][0] = problem.length[i] / (1.0 + pull(i, &y) / s.section[i].ea);
    }

    // Each element's own strains: the least moments whose forces are nearest.
    for i in 1..n - 1 {
        let f: Own = of(i, &y);
        let basis = orthonormal(&rows[i]);
        let gram: Vec<[f64; 5]> = basis.iter().map(|b| rows[i].map(|row| dot(&row, b))).collect();
        let want: Vec<f64> = basis.iter().map(|b| -dot(&f, b)).collect();
        let moments = least_norm(&gram, &want);
        let (moduli, _) = problem.moduli(&rest, i);
        for j in 0..5 {
            rest[i][j + 1] = problem.strains[i][j] - if moduli[j] > 0.0 { moments[j] / moduli[j] } else { 0.0 };
        }
    }
    rest
}

/// The smallest x with A x = b, the rows of A independent.
fn least_norm(a: &[[f64; 5]], b: &[f64]) -> [f64; 5] {
    let m = a.len();
    let mut square = vec![vec![0.0; m + 1]; m];
    for r in 0..m {
        (0..m).for_each(|c| square[r][c] = (0..5).map(|k| a[r][k] * a[c][k]).sum());
        square[r][m] = b[r];
    }
    // Gauss–Jordan: symmetric and positive definite.
    for r in 0..m {
        let pivot = square[r].clone();
        for q in (0..m).filter(|q| *q != r) {
            let l = square[q][r] / pivot[r];
            (r..=m).for_each(|c| square[q][c] -= l * pivot[c]);
        }
    }
    std::array::from_fn(|k| (0..m).map(|r| a[r][k] * square[r][m] / square[r][r]).sum())
}
