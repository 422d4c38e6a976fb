//! The stress that costs the least stiffening, where held ends leave a choice:
//! `docs/internals/rest_shape.md`, Stiffening.
//!
//! Tensions and moments that carry the loads are T₀ + Σ c T_j, M₀ + Σ c M_j, with at most six
//! self-stresses (T_j, M_j). The factors k permit them where n·M ≤ k (room along n) for each face n
//! of an element's zonotope, and likewise for the tension of an edge: linear in (k, c). So is K = Σ
//! T/l I + geometric(M) + Σ k A. The least Σ w k over both is one convex problem. It is solved with
//! a logarithmic barrier, first without K.

use super::form::Band;
use super::*;
use nalgebra::FullPivLU;

/// Pivots below this part of the largest are those of self-stresses.
const RANK: f64 = 1e-9;
/// Vertices of the longest strand whose stresses are weighed: the work goes with their square, some two hundred times over.
const MOST_VERTICES: usize = 128;
/// A strain at rest that may not change is that of the pose, in f32 as well: rad.
const FIXED: f64 = 1e-5;
/// Two held ends have no more; each pin between them adds three.
const MOST_STRESSES: usize = 6;
/// Without bounds: strains that edges may have.
const STRAINS: [f64; 2] = [-0.5, 1.0];
/// The duality gap, as a part of the cost; and as a part of what all factors being one costs.
const GAP: [f64; 2] = [1e-3, 1e-7];

/// Tensions of edges, N, and moments of elements as derivatives by φ, N m.
#[derive(Clone)]
struct Stress {
    tension: Vec<f64>,
    moment: Vec<Vec3<f64>>,
}

impl Stress {
    fn zero(n: usize) -> Self {
        Stress { tension: vec![0.0; n], moment: vec![Vec3::zero(); n] }
    }
    fn add(&mut self, by: f64, other: &Stress) {
        self.tension.iter_mut().zip(&other.tension).for_each(|(a, b)| *a += by * b);
        self.moment.iter_mut().zip(&other.moment).for_each(|(a, b)| *a = *a + *b * by);
    }
}

/// An element that may carry moments.
#[cfg_attr(test, derive(Clone))]
struct Part {
    element: Element,
    moduli: Strains<f64>,
    /// Orthonormal axes of the moments that rest shapes within the bounds can give.
    axes: Vec<Vec3<f64>>,
    bounds: [Strains<f64>; 2],
}

impl Part {
    fn new(s: &Strands<f64>, i: usize, initial: &[Rest<f64>], options: &Options) -> Part {
        let (element, at) = (element(s, i), &initial[i]);
        let moduli = Element::moduli(s, i, initial[i - 1].length + at.length);
        let boxed = options.mode != BoundMode::None;
        let wide = Bounds { kappa: 1.0, twist: 1.0, ..options.bounds };
        let room = room(s.measure, &if boxed { *options } else { Options { bounds: wide, ..*options } });
        let bounds = element.bounds(at, &room);
        let mut part = Part { element, moduli, axes: Vec::new(), bounds };
        // Gram and Schmidt, the longest first.
        let all = part.moments();
        let (mut v, reach) = (all.generators, all.reach());
        for _ in 0..3 {
            let longest = v.iter().copied().fold(Vec3::zero(), |a, b| if b.length2() > a.length2() { b } else { a });
            if longest.length() <= 1e-8 * reach {
                break;
            }
            let axis = longest * (1.0 / longest.length());
            v.iter_mut().for_each(|v| *v = *v - axis * v.dot(axis));
            part.axes.push(axis);
        }
        part
    }

    fn moments(&self) -> Zonotope {
        self.element.moments(&self.moduli, &self.bounds)
    }

    /// How much of `m` is not along the axes.
    fn outside(&self, m: Vec3<f64>) -> f64 {
        self.axes.iter().fold(m, |m, &a| m - a * m.dot(a)).length()
    }

    /// The strain minus the one at rest that gives the moment `m`, and is the smallest.
    fn smallest(&self, m: Vec3<f64>) -> Strains<f64> {
        let mut g = nalgebra::Matrix3x5::<f64>::zeros();
        for j in (0..5).filter(|&j| self.may_change(j)) {
            g.set_column(j, &nalgebra::Vector3::from((self.element.gradients[j] * self.moduli[j]).to_array()));
        }
        // Of a ribbon, one way is a millionth as stiff as the other.
        let inverse = g.try_svd(true, true, f64::EPSILON, 300).and_then(|svd| svd.pseudo_inverse(1e-9 * g.norm()).ok());
        let d = inverse.unwrap_or_default() * nalgebra::Vector3::from(m.to_array());
        core::array::from_fn(|j| d[j])
    }

    fn may_change(&self, j: usize) -> bool {
        self.bounds[0][j] < self.bounds[1][j]
    }

    /// Directions and how far k = 1 lets the moment go along them.
    fn faces(&self) -> Vec<(Vec3<f64>, f64)> {
        let Some(rank) = self.axes.len().checked_sub(1) else { return Vec::new() };
        let all = self.moments();
        all.normals()[rank].iter().flat_map(|&n| [n, -n]).map(|n| (n, all.room(n))).collect()
    }
}

/// k[of] a − b − Σ c d > 0
#[cfg_attr(test, derive(Clone))]
struct Limit {
    of: usize,
    a: f64,
    b: f64,
    d: Vec<f64>,
}

impl Limit {
    /// In a unit of its own.
    fn new(of: usize, a: f64, b: f64, d: Vec<f64>) -> Limit {
        let inv = 1.0 / a.abs().max(b.abs()).max(1e-300);
        Limit { of, a: a * inv, b: b * inv, d: d.into_iter().map(|d| d * inv).collect() }
    }
}

/// The problem: factors first, of bending at all vertices and then of stretching of all edges; then c.
#[cfg_attr(test, derive(Clone))]
pub(super) struct Joint {
    weight: Vec<f64>,
    limits: Vec<Limit>,
    /// Without factors, of the stress that was found first; `along`: what each self-stress adds.
    forms: Vec<Form>,
    columns: Vec<Column>,
    first: Stress,
    own: Vec<Stress>,
    parts: Vec<Option<Part>>,
    /// Whether the forms count.
    stable: bool,
}

/// What carries a tension, or a moment along an axis.
enum Carrier {
    Edge(usize),
    Vertex(usize, Vec3<f64>),
}

/// (T, M) that nothing outside balances.
fn self_stresses(s: &Strands<f64>, parts: &[Option<Part>]) -> Option<Vec<Stress>> {
    let n = s.vertices();
    let scale = s.state[..n - 1].iter().map(|e| e.edge.length()).sum::<f64>() / (n - 1) as f64;
    let row_of: Vec<Option<usize>> = {
        let mut count = 0;
        let free = |u: usize| s.section[u / 4].free[usize::from(u % 4 == 3)] > 0.0;
        (0..4 * n).map(|u| free(u).then(|| (count, count += 1).0)).collect()
    };
    let rows = row_of.iter().flatten().count();
    let (mut columns, mut forces) = (Vec::new(), Vec::new());
    for e in 0..n - 1 {
        if s.section[e].ea <= 0.0 || s.section[e].free[0] + s.section[e + 1].free[0] == 0.0 {
            continue;
        }
        let mut v = DVector::zeros(rows);
        let t = s.state[e].edge;
        for (k, t) in (t * (1.0 / t.length())).to_array().into_iter().enumerate() {
            row_of[4 * e + k].into_iter().for_each(|r| v[r] = t);
            row_of[4 * e + 4 + k].into_iter().for_each(|r| v[r] = -t);
        }
        columns.push(Carrier::Edge(e));
        forces.push(v);
    }
    for (i, part) in parts.iter().enumerate() {
        let Some(part) = part else { continue };
        for &axis in &part.axes {
            let axis = axis * scale;
            let mut v = DVector::zeros(rows);
            for (k, g) in part.element.spread(axis).into_iter().enumerate() {
                row_of[4 * (i - 1) + k].into_iter().for_each(|r| v[r] -= g);
            }
            columns.push(Carrier::Vertex(i, axis));
            forces.push(v);
        }
    }
    if rows == 0 || forces.is_empty() {
        return None;
    }
    let lu = FullPivLU::new(DMatrix::from_columns(&forces));
    let u = lu.u();
    let most = u[(0, 0)].abs();
    let rank = (0..u.nrows().min(u.ncols())).take_while(|&k| u[(k, k)].abs() > RANK * most).count();
    let mut out = Vec::new();
    for j in rank..columns.len() {
        // U (y, 0 … 1 … 0) = 0
        let mut z = nalgebra::RowDVector::<f64>::zeros(columns.len());
        z[j] = 1.0;
        for r in (0..rank).rev() {
            let sum: f64 = (r + 1..columns.len()).map(|c| u[(r, c)] * z[c]).sum();
            z[r] = -sum / u[(r, r)];
        }
        lu.q().inv_permute_columns(&mut z);
        let size = z.amax();
        let mut own = Stress::zero(n);
        for (c, v) in columns.iter().zip(z.iter()) {
            match *c {
                Carrier::Edge(e) => own.tension[e] = v / size,
                Carrier::Vertex(i, axis) => own.moment[i] = own.moment[i] + axis * (v / size),
            }
        }
        out.push(own);
    }
    Some(out)
}

impl Joint {
    /// For a strand with the rest shape `free`, which carries its loads without bounds. None where there is but one stress.
    pub(super) fn new(
        s: &Strands<f64>,
        free: &[Rest<f64>],
        initial: &[Rest<f64>],
        options: &Options,
        margin: Margin,
    ) -> Option<Joint> {
        let n = s.vertices();
        if n > MOST_VERTICES {
            return None;
        }
        let mut first = Stress::zero(n);
        for e in 0..n - 1 {
            first.tension[e] = s.section[e].ea * (s.state[e].edge.length() / free[e].length - 1.0);
        }
        let mut parts: Vec<Option<Part>> = (0..n).map(|_| None).collect();
        for i in 1..n - 1 {
            let c = &s.section[i];
            if c.ei[0] + c.ei[1] + c.gj > 0.0 {
                let part = Part::new(s, i, initial, options);
                first.moment[i] = part.element.moment(&Element::moduli(s, i, free[i - 1].length + free[i].length), &free[i]);
                // What does not follow from c is given.
                let (all, moment) = (part.moments(), first.moment[i]);
                let fixed = (0..5).all(|j| part.may_change(j) || part.bounds[0][j].abs() < FIXED);
                if !fixed
                    || part.outside(all.middle) > 1e-6 * all.reach()
                    || part.outside(moment) > 1e-6 * all.reach().max(moment.length())
                {
                    return None;
                }
                parts[i] = Some(part);
            }
        }
        let own = self_stresses(s, &parts)?;
        if own.is_empty() || own.len() > MOST_STRESSES {
            return None;
        }
        // In steps the larger of an edge's tension and 0 counts: at least the tension where it pulls, and at least nothing elsewhere.
        let of_edge = |sign: f64, e: usize| if sign > 0.0 || first.tension[e] > 0.0 { 1.0 } else { 0.0 };
        let geometric = |sign: f64, stress: &Stress| geometric(s, &parts, stress, &|e| of_edge(sign, e), sign);
        let with = |(mut form, sign): (Form, f64)| {
            form.fixed.add(1.0, &geometric(sign, &first));
            form.along = own.iter().map(|o| geometric(sign, o)).collect();
            form
        };
        let forms = Form::all(s, margin).into_iter().map(with).collect();
        let mut joint = Joint {
            weight: vec![0.0; 2 * n],
            limits: Vec::new(),
            forms,
            columns: Vec::new(),
            first,
            own,
            parts: Vec::new(),
            stable: false,
        };
        for (i, part) in parts.iter().enumerate() {
            part.iter().for_each(|part| joint.add_vertex(s, i, part, options));
        }
        for e in 0..n - 1 {
            joint.add_edge(s, e, initial, options);
        }
        // Factors of nothing cost what others do, and stay where they are.
        let mean = joint.weight.iter().sum::<f64>() / n as f64;
        joint.weight.iter_mut().filter(|w| **w == 0.0).for_each(|w| *w = mean);
        joint.parts = parts;
        Some(joint)
    }

    /// The factor of bending at vertex `i`.
    fn add_vertex(&mut self, s: &Strands<f64>, i: usize, part: &Part, options: &Options) {
        self.weight[i] = 0.5 * (s.state[i - 1].edge.length() + s.state[i].edge.length());
        let column = |entries| Column { start: 4 * (i - 1), entries, of: i };
        self.columns.extend(part.element.columns(&part.moduli).map(column));
        if options.mode == BoundMode::None {
            return;
        }
        for (n, room) in part.faces() {
            let d = self.own.iter().map(|o| n.dot(o.moment[i])).collect();
            self.limits.push(Limit::new(i, room, n.dot(self.first.moment[i]), d));
        }
    }

    /// The factor of stretching of edge `e`.
    fn add_edge(&mut self, s: &Strands<f64>, e: usize, initial: &[Rest<f64>], options: &Options) {
        let (edge, c, of) = (s.state[e].edge, &s.section[e], s.vertices() + e);
        let (l, free) = (edge.length(), [c.free[0], s.section[e + 1].free[0]]);
        self.weight[of] = l;
        if c.ea <= 0.0 || free[0] + free[1] == 0.0 {
            return;
        }
        let mut entries = [0.0; BAND];
        for (k, t) in (edge * ((c.ea / l).sqrt() / l)).to_array().into_iter().enumerate() {
            (entries[k], entries[4 + k]) = (-t * free[0], t * free[1]);
        }
        self.columns.push(Column { start: 4 * e, entries, of });
        let [high, low] = match options.mode {
            BoundMode::None => [STRAINS[1], STRAINS[0]],
            _ => options.bounds.length.map(|b| l / (b * initial[e].length) - 1.0),
        };
        for (sign, room) in [(1.0, high), (-1.0, -low)].into_iter().filter(|r| r.1.is_finite()) {
            let d = self.own.iter().map(|o| sign * o.tension[e]).collect();
            self.limits.push(Limit::new(of, c.ea * room, sign * self.first.tension[e], d));
        }
    }

    fn factors(&self) -> usize {
        self.weight.len()
    }

    fn room(&self, l: &Limit, x: &[f64]) -> f64 {
        l.a * x[l.of] - l.b - l.d.iter().zip(&x[self.factors()..]).map(|(d, c)| d * c).sum::<f64>()
    }

    fn cost(&self, x: &[f64]) -> f64 {
        x.iter().zip(&self.weight).map(|(k, w)| w * (k - 1.0)).sum()
    }

    /// The barrier's value; infinite outside.
    fn value(&self, x: &[f64], mu: f64, most: f64) -> f64 {
        let k = &x[..self.factors()];
        if !k.iter().all(|&k| k > 1.0 && k < most) {
            return f64::INFINITY;
        }
        let mut logs: f64 = k.iter().map(|k| (k - 1.0).ln() + (most - k).ln()).sum();
        for l in &self.limits {
            let room = self.room(l, x);
            if room.is_nan() || room <= 0.0 {
                return f64::INFINITY;
            }
            logs += room.ln();
        }
        if self.stable {
            let Some(determinants) = form::log_determinants(&self.forms, &self.columns, x) else { return f64::INFINITY };
            logs += determinants;
        }
        self.cost(x) - mu * logs
    }

    /// First and second derivatives of Σ log + log det, the second with the opposite sign.
    fn derivatives(&self, x: &[f64], most: f64) -> (DVector<f64>, DMatrix<f64>) {
        let (factors, all) = (self.factors(), x.len());
        let (mut first, mut second) = (DVector::zeros(all), DMatrix::zeros(all, all));
        for g in 0..factors {
            let (a, b) = (1.0 / (x[g] - 1.0), 1.0 / (most - x[g]));
            first[g] = a - b;
            second[(g, g)] = a * a + b * b;
        }
        for l in &self.limits {
            let inv = 1.0 / self.room(l, x);
            let at = |v: usize| if v == 0 { (l.of, l.a * inv) } else { (factors + v - 1, -l.d[v - 1] * inv) };
            for v in 0..=l.d.len() {
                let (p, a) = at(v);
                first[p] += a;
                for w in 0..=l.d.len() {
                    let (q, b) = at(w);
                    second[(p, q)] += a * b;
                }
            }
        }
        for form in self.forms.iter().filter(|_| self.stable) {
            self.add_stability(form, x, &mut first, &mut second);
        }
        (first, second)
    }

    /// tr H⁻¹ ∂H and tr H⁻¹ ∂H H⁻¹ ∂'H.
    fn add_stability(&self, form: &Form, x: &[f64], first: &mut DVector<f64>, second: &mut DMatrix<f64>) {
        let (factors, n) = (self.factors(), form.fixed.0.len());
        let mut h = form.matrix(&self.columns, x);
        h.cholesky();
        // Symmetric: its columns are its rows.
        let mut inverse = DMatrix::identity(n, n);
        for mut column in inverse.column_iter_mut() {
            h.solve(column.as_mut_slice());
        }
        // B H⁻¹ of each self-stress, and its transpose.
        let products: Vec<[DMatrix<f64>; 2]> = form.along.iter().map(|band| band.times(&inverse)).collect();
        for (i, [a, _]) in products.iter().enumerate() {
            first[factors + i] += a.trace();
            for (j, [_, b]) in products.iter().enumerate() {
                second[(factors + i, factors + j)] += a.dot(b);
            }
        }
        let (mut y, mut z) = (DVector::zeros(n), DVector::zeros(n));
        for c in &self.columns {
            let mix = |m: &DMatrix<f64>, out: &mut DVector<f64>| {
                out.fill(0.0);
                (c.start..n.min(c.start + BAND)).for_each(|k| out.axpy(c.entries[k - c.start], &m.column(k), 1.0));
            };
            mix(&inverse, &mut y);
            let y = y.as_slice();
            first[c.of] += c.dot(y);
            for other in &self.columns {
                let p = other.dot(y);
                second[(c.of, other.of)] += p * p;
            }
            for (j, [product, _]) in products.iter().enumerate() {
                mix(product, &mut z);
                let p = z.iter().zip(y).map(|(a, b)| a * b).sum::<f64>();
                second[(c.of, factors + j)] += p;
                second[(factors + j, c.of)] += p;
            }
        }
    }

    /// Newton's method on the barrier.
    fn centre(&self, x: &mut Vec<f64>, mu: f64, most: f64) -> Option<()> {
        let mut value = self.value(x, mu, most);
        for _ in 0..200 {
            let (first, second) = self.derivatives(x, most);
            let gradient = DVector::from_fn(x.len(), |v, _| self.weight.get(v).unwrap_or(&0.0) - mu * first[v]);
            let step = scaled_solve(second, &gradient)? * (1.0 / mu);
            let slope = -gradient.dot(&step);
            if -slope < 1e-3 * mu {
                break;
            }
            let mut t = 1.0;
            let at = |t: f64| -> (Vec<f64>, f64) {
                let trial: Vec<f64> = (0..x.len()).map(|v| x[v] - t * step[v]).collect();
                let v = self.value(&trial, mu, most);
                (trial, v)
            };
            let mut found = (0..50).find_map(|_| {
                let (trial, v) = at(t);
                let enough = v < value + 0.2 * t * slope;
                t *= 0.5;
                enough.then_some((trial, v))
            });
            // Where a whole step is good, a longer one may be better.
            let mut t = 2.0 * t;
            while let Some((_, best)) = &found {
                t *= 2.0;
                let (trial, v) = at(t);
                if v >= *best {
                    break;
                }
                found = Some((trial, v));
            }
            match found {
                Some((trial, v)) => (*x, value) = (trial, v),
                None => break,
            }
        }
        Some(())
    }

    /// From a point inside, at whatever factors, to the optimum below `most`; its μ.
    fn solve(&self, mut x: Vec<f64>, most: f64) -> Option<(Vec<f64>, f64)> {
        let count = (self.limits.len() + 2 * self.factors() + if self.stable { form::rows(&self.forms) } else { 0 }) as f64;
        let ones: f64 = self.weight.iter().sum();
        let largest = |x: &[f64]| x[..self.factors()].iter().fold(1.0f64, |m, &k| m.max(k));
        let mut mu = self.cost(&x) / count;
        let mut limit = most;
        if largest(&x) >= most {
            limit = 1.5 * largest(&x);
            // The barrier keeps off its limit: the limit follows.
            loop {
                self.centre(&mut x, mu, limit)?;
                let now = largest(&x);
                if now < most {
                    break;
                }
                let next = (1.001 * now).max(0.5 * limit);
                if next > 0.99 * limit {
                    return None;
                }
                (limit, mu) = (next, 0.5 * mu);
            }
            limit = limit.min(most);
        }
        for _ in 0..80 {
            self.centre(&mut x, mu, limit)?;
            if mu * count < (GAP[0] * self.cost(&x)).max(GAP[1] * ones) {
                return Some((x, mu));
            }
            mu *= 0.4;
        }
        None
    }

    /// A point inside with the stress of `c`.
    fn inside(&self, c: &[f64], most: f64) -> Option<Vec<f64>> {
        let mut k = 1.0 + 1e-3;
        while k < 1e6 * most {
            let x: Vec<f64> = core::iter::repeat_n(k, self.factors()).chain(c.iter().copied()).collect();
            if self.holds(&x) {
                return Some(x);
            }
            k *= 1.6;
        }
        None
    }

    fn holds(&self, x: &[f64]) -> bool {
        self.limits.iter().all(|l| self.room(l, x) > 0.0) && (!self.stable || self.is_stable(x))
    }

    fn is_stable(&self, x: &[f64]) -> bool {
        form::definite(&self.forms, &self.columns, x)
    }

    /// The least factors and their c.
    pub(super) fn least(&mut self, most: f64) -> Option<(Vec<f64>, f64)> {
        let (x, mu) = self.solve(self.inside(&vec![0.0; self.own.len()], most)?, most)?;
        if self.is_stable(&x) {
            return Some((x, mu));
        }
        self.stable = true;
        let start = self.inside(&x[self.factors()..], most).or_else(|| self.inside(&vec![0.0; self.own.len()], most))?;
        self.solve(start, most)
    }

    /// The rest shape of a strand without factors that has the stress of `x`.
    pub(super) fn rest(&self, s: &Strands<f64>, initial: &[Rest<f64>], x: &[f64]) -> Vec<Rest<f64>> {
        let mut stress = self.first.clone();
        for (own, c) in self.own.iter().zip(&x[self.factors()..]) {
            stress.add(*c, own);
        }
        let mut out = initial.to_vec();
        let n = s.vertices();
        for e in 0..n - 1 {
            let c = &s.section[e];
            if c.ea > 0.0 && c.free[0] + s.section[e + 1].free[0] > 0.0 {
                out[e].length = rest_length(s.state[e].edge.length(), stress.tension[e] / c.ea);
            }
        }
        for i in 1..n - 1 {
            let Some(part) = &self.parts[i] else { continue };
            // At these lengths the stiffnesses are a little different.
            let ratio = (out[i - 1].length + out[i].length) / (initial[i - 1].length + initial[i].length);
            let d = part.smallest(stress.moment[i] * ratio);
            for j in 0..4 {
                out[i].kappa[j] = part.element.strains[j] - d[j];
            }
            if part.may_change(4) {
                out[i].twist = part.element.strains[4] - d[4];
            }
        }
        out
    }
}

/// A x = b for a positive definite matrix of numbers of very different size.
fn scaled_solve(mut a: DMatrix<f64>, b: &DVector<f64>) -> Option<DVector<f64>> {
    let scale = DVector::from_fn(b.len(), |k, _| 1.0 / a[(k, k)].max(1e-300).sqrt());
    for r in 0..b.len() {
        for c in 0..b.len() {
            a[(r, c)] *= scale[r] * scale[c];
        }
        a[(r, r)] += 1e-14;
    }
    Some(Cholesky::new(a)?.solve(&b.component_mul(&scale)).component_mul(&scale))
}

/// What a stress adds to the Hessian by the second derivatives of lengths and strains, each so many times.
fn geometric(s: &Strands<f64>, parts: &[Option<Part>], stress: &Stress, of_edge: &dyn Fn(usize) -> f64, of_strains: f64) -> Band {
    let n = s.vertices();
    let mut out = Band(vec![[0.0; BAND]; 4 * n]);
    for e in 0..n - 1 {
        let v = of_edge(e) * stress.tension[e] / s.state[e].edge.length();
        out.add_edge(s, e, v, v);
    }
    for (i, part) in parts.iter().enumerate() {
        let Some(part) = part else { continue };
        let e = &part.element;
        let d = part.smallest(stress.moment[i]);
        let rest = Rest { length: 0.0, kappa: core::array::from_fn(|j| e.strains[j] - d[j]), twist: e.strains[4] - d[4] };
        let h = e.stressed(s.measure, &part.moduli, &rest);
        out.add_element(i, of_strains, &h);
    }
    out
}

#[cfg(test)]
#[path = "held_tests.rs"]
mod tests;
