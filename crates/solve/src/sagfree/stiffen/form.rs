//! The matrix that must be positive definite, as a function of the multipliers:
//! `docs/internals/rest_shape.md`, Stiffening.

use crate::rods::der::strand::Strands;
use nalgebra::DMatrix;

/// Entries of a row of the upper band: x_{i−1} … x_{i+1}.
pub(super) const BAND: usize = 11;

/// A symmetric band matrix: `rows[r][c]` is the entry (r, r + c).
#[derive(Clone)]
pub(super) struct Band(pub(super) Vec<[f64; BAND]>);

impl Band {
    /// −ωM, and 1 where nothing is free.
    pub(super) fn masses(s: &Strands<f64>, omega: f64) -> Band {
        let mut out = Band(vec![[0.0; BAND]; 4 * s.vertices()]);
        for (i, c) in s.section.iter().enumerate() {
            for a in 0..4 {
                let (free, m) = if a < 3 { (c.free[0], c.mass) } else { (c.free[1], c.inertia) };
                out.0[4 * i + a][0] = 1.0 - free - omega * m * free;
            }
        }
        out
    }

    pub(super) fn add(&mut self, by: f64, other: &Band) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| (0..BAND).for_each(|k| a[k] += by * b[k]));
    }

    /// The form of the edge after vertex `i`, stiff by so much along and across it.
    pub(super) fn add_edge(&mut self, s: &Strands<f64>, i: usize, along: f64, across: f64) {
        let free = [s.section[i].free[0], s.section[i + 1].free[0]];
        let t = (s.state[i].edge * (1.0 / s.state[i].edge.length())).to_array();
        for a in 0..3 {
            for b in 0..3 {
                let v = (along - across) * t[a] * t[b] + if a == b { across } else { 0.0 };
                if b >= a {
                    self.0[4 * i + a][b - a] += v * free[0];
                    self.0[4 * i + 4 + a][b - a] += v * free[1];
                }
                self.0[4 * i + a][4 + b - a] -= v * free[0] * free[1];
            }
        }
    }

    /// The form `h` of the element at vertex `i`.
    pub(super) fn add_element(&mut self, i: usize, by: f64, h: &[[f64; BAND]; BAND]) {
        for a in 0..BAND {
            for b in a..BAND {
                self.0[4 * (i - 1) + a][b - a] += by * h[a][b];
            }
        }
    }

    /// L Lᵀ in place: false where it is not positive definite.
    pub(super) fn cholesky(&mut self) -> bool {
        let rows = &mut self.0;
        let n = rows.len();
        for r in 0..n {
            let mut row = rows[r];
            if !(row[0] > 0.0 && row[0].is_finite()) {
                return false;
            }
            let inv = 1.0 / row[0].sqrt();
            row.iter_mut().for_each(|v| *v *= inv);
            for c in 1..BAND.min(n - r) {
                let l = row[c];
                for k in c..BAND {
                    rows[r + c][k - c] -= l * row[k];
                }
            }
            rows[r] = row;
        }
        true
    }

    /// Solves with the factor.
    pub(super) fn solve(&self, x: &mut [f64]) {
        let (rows, n) = (&self.0, x.len());
        for r in 0..n {
            x[r] /= rows[r][0];
            for c in 1..BAND.min(n - r) {
                x[r + c] -= rows[r][c] * x[r];
            }
        }
        for r in (0..n).rev() {
            let mut v = x[r];
            for c in 1..BAND.min(n - r) {
                v -= rows[r][c] * x[r + c];
            }
            x[r] = v / rows[r][0];
        }
    }

    pub(super) fn log_determinant(&self) -> f64 {
        self.0.iter().map(|r| 2.0 * r[0].ln()).sum()
    }

    /// B M for a symmetric M, and its transpose.
    pub(super) fn times(&self, m: &DMatrix<f64>) -> [DMatrix<f64>; 2] {
        let n = self.0.len();
        // Row by row: M's columns are its rows.
        let mut transposed = DMatrix::zeros(n, n);
        for (r, row) in self.0.iter().enumerate() {
            for (c, &v) in row.iter().enumerate().take(BAND.min(n - r)) {
                if v != 0.0 {
                    transposed.column_mut(r).axpy(v, &m.column(r + c), 1.0);
                    if c > 0 {
                        transposed.column_mut(r + c).axpy(v, &m.column(r), 1.0);
                    }
                }
            }
        }
        [transposed.transpose(), transposed]
    }
}

/// Whose square a form has times the multiplier `of`.
#[derive(Clone)]
pub(super) struct Column {
    /// The first unknown.
    pub(super) start: usize,
    pub(super) entries: [f64; BAND],
    pub(super) of: usize,
}

impl Column {
    pub(super) fn dot(&self, x: &[f64]) -> f64 {
        self.entries.iter().zip(&x[self.start..]).map(|(a, b)| a * b).sum()
    }
}

/// By how much what is found shall be stable: no ω² below `omega`, s⁻², and no overshoot of steps with this part of their inertia. What is below `least` in
/// the end is not taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Margin {
    pub(super) omega: f64,
    pub(super) inertia: f64,
    pub(super) least: f64,
}

impl Margin {
    /// Half of `floor` will do, and no less than `asked` will; for that one a tenth more is sought, as the rest shape found next moves it a little.
    pub(super) fn new(floor: f64, asked: f64) -> Margin {
        Margin { omega: floor.max(1.1 * asked), inertia: 0.9, least: (0.5 * floor).max(asked) }
    }

    /// What the next round asks for.
    pub(super) fn more(self) -> Margin {
        Margin { omega: 1.5 * self.omega, inertia: 0.8 * self.inertia, ..self }
    }
}

/// fixed + Σ c along + Σ k A, which shall be positive definite: K − ωM, or what tells whether steps overshoot.
#[derive(Clone)]
pub(super) struct Form {
    pub(super) fixed: Band,
    pub(super) along: Vec<Band>,
}

impl Form {
    /// K − ωM, and the form of `s.steps` if there are such steps, so far of masses alone, and what geometric parts count in each.
    pub(super) fn all(s: &Strands<f64>, margin: Margin) -> Vec<(Form, f64)> {
        let form = |omega: f64| Form { fixed: Band::masses(s, omega), along: Vec::new() };
        let mut out = vec![(form(margin.omega), 1.0)];
        if s.steps > 0.0 {
            out.push((form(-margin.inertia * s.steps), -1.0));
        }
        out
    }

    /// `x`: the multipliers, then c.
    pub(super) fn matrix(&self, columns: &[Column], x: &[f64]) -> Band {
        let mut h = self.fixed.clone();
        for (band, c) in self.along.iter().zip(&x[x.len() - self.along.len()..]) {
            h.add(*c, band);
        }
        for column in columns {
            // An edge's column is shorter.
            let (start, entries, k) = (column.start, &column.entries, x[column.of]);
            for a in 0..BAND.min(h.0.len() - start) {
                let v = k * entries[a];
                for b in a..BAND {
                    h.0[start + a][b - a] += v * entries[b];
                }
            }
        }
        h
    }
}

/// How many logarithms the determinants of all are.
pub(super) fn rows(forms: &[Form]) -> usize {
    forms.iter().map(|f| f.fixed.0.len()).sum()
}

/// Whether all are positive definite.
pub(super) fn definite(forms: &[Form], columns: &[Column], x: &[f64]) -> bool {
    forms.iter().all(|f| f.matrix(columns, x).cholesky())
}

/// Σ log det, if all are positive definite.
pub(super) fn log_determinants(forms: &[Form], columns: &[Column], x: &[f64]) -> Option<f64> {
    forms.iter().try_fold(0.0, |sum, form| {
        let mut h = form.matrix(columns, x);
        h.cholesky().then(|| sum + h.log_determinant())
    })
}
