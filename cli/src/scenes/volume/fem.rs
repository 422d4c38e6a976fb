//! A small reference: a round solid of linear tetrahedra with the energy that rods of this kind come from, μ|F−R|² + λ/2(J−1)², at rest by Newton's
//! method with conjugate gradients, f64. An eighth of it is computed: x, y and z > 0, and the planes between are those of symmetry.

use crate::Result;
use crate::accuracy::solid::Solid;
use glam::{DMat3, DVec3};

/// How the section at the end is held: free to become wider or thinner, or glued to a plate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    Slides,
    Glued,
}

pub struct Fem {
    solid: Solid,
    /// Cells from the axis to the surface, and along half of the length.
    cells: usize,
    pub layers: usize,
    rest: Vec<DVec3>,
    pub points: Vec<DVec3>,
    tets: Vec<Tet>,
    /// 1 where a coordinate is free.
    free: Vec<DVec3>,
    /// N, outer forces.
    loads: Vec<DVec3>,
}

struct Tet {
    nodes: [usize; 4],
    /// ∇ of the nodes' shape functions, 1/m: F = Σ x gᵀ.
    gradients: [DVec3; 4],
    volume: f64,
}

/// What the second derivative of a tetrahedron's energy is made of: 2μ(dF − Σ Q(Q:dF)) + λ cof(cof:dF). The rest of it, λ(J−1) ∂cof, would make it
/// indefinite and is left out.
struct Tangent {
    turns: [DMat3; 3],
    cofactor: DMat3,
}

fn double_dot(a: &DMat3, b: &DMat3) -> f64 {
    a.x_axis.dot(b.x_axis) + a.y_axis.dot(b.y_axis) + a.z_axis.dot(b.z_axis)
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

fn cofactor(f: &DMat3) -> DMat3 {
    DMat3::from_cols(f.y_axis.cross(f.z_axis), f.z_axis.cross(f.x_axis), f.x_axis.cross(f.y_axis))
}

/// F = U diag(σ) Vᵀ with det U = det V = 1, for det F > 0: Jacobi's rotations on FᵀF.
fn svd(f: &DMat3) -> (DMat3, [f64; 3], DMat3) {
    let c = f.transpose() * *f;
    let mut a = c.to_cols_array_2d();
    let mut v = DMat3::IDENTITY.to_cols_array_2d();
    for _ in 0..8 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q].abs() < 1e-17 * (a[p][p] + a[q][q]) {
                continue;
            }
            let theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let cos = 1.0 / (t * t + 1.0).sqrt();
            let sin = t * cos;
            for row in &mut a {
                (row[p], row[q]) = (cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]);
            }
            for k in 0..3 {
                (a[p][k], a[q][k]) = (cos * a[p][k] - sin * a[q][k], sin * a[p][k] + cos * a[q][k]);
                // Columns of V are the vectors.
                (v[p][k], v[q][k]) = (cos * v[p][k] - sin * v[q][k], sin * v[p][k] + cos * v[q][k]);
            }
        }
    }
    let v = DMat3::from_cols_array_2d(&v);
    let sigma = [0, 1, 2].map(|k| (*f * v.col(k)).length());
    let [x, y, z] = [0, 1, 2].map(|k| *f * v.col(k) / sigma[k]);
    (DMat3::from_cols(x, y, z), sigma, v)
}

impl Fem {
    /// A body of revolution about z, `length` long, with the radius `profile` at a height from −length/2 to length/2, of which `cells` fill a radius
    /// and `layers` half of the length. The polygons that stand for circles have their area.
    pub fn new(solid: Solid, length: f64, profile: impl Fn(f64) -> f64, cells: usize, layers: usize, end: End) -> Fem {
        let index = |i: usize, j: usize, k: usize| (k * (cells + 1) + j) * (cells + 1) + i;
        let angle = 0.5 * std::f64::consts::PI / (2 * cells) as f64;
        let wider = (angle / angle.sin()).sqrt();
        let (mut rest, mut free) = (Vec::new(), Vec::new());
        for k in 0..=layers {
            let z = 0.5 * length * k as f64 / layers as f64;
            for j in 0..=cells {
                for i in 0..=cells {
                    // A square becomes a quarter of a disc (Shirley and Chiu 1997): rings of squares become rings.
                    let ring = i.max(j);
                    let turn = if ring == 0 {
                        0.0
                    } else if i >= j {
                        j as f64 / ring as f64
                    } else {
                        2.0 - i as f64 / ring as f64
                    };
                    let (sin, cos) = (0.25 * std::f64::consts::PI * turn).sin_cos();
                    let r = wider * profile(z) * ring as f64 / cells as f64;
                    rest.push(DVec3::new(if i == 0 { 0.0 } else { r * cos }, r * sin, z));
                    let glued = k == layers && end == End::Glued;
                    let of = |is: bool| if is { 1.0 } else { 0.0 };
                    free.push(DVec3::new(of(i > 0 && !glued), of(j > 0 && !glued), of(k > 0 && k < layers)));
                }
            }
        }
        let mut tets = Vec::new();
        for (k, j, i) in (0..layers).flat_map(|k| (0..cells).flat_map(move |j| (0..cells).map(move |i| (k, j, i)))) {
            // Six tetrahedra along the diagonal (Kuhn): paths from a corner to the opposite one.
            for path in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                let mut at = [i, j, k];
                let mut nodes = [index(i, j, k); 4];
                for (step, axis) in path.into_iter().enumerate() {
                    at[axis] += 1;
                    nodes[step + 1] = index(at[0], at[1], at[2]);
                }
                let side = |n: usize| rest[nodes[n]] - rest[nodes[0]];
                let frame = DMat3::from_cols(side(1), side(2), side(3));
                let volume = frame.determinant().abs() / 6.0;
                let inverse = frame.inverse().transpose();
                let [a, b, c] = [inverse.x_axis, inverse.y_axis, inverse.z_axis];
                tets.push(Tet { nodes, gradients: [-(a + b + c), a, b, c], volume });
            }
        }
        let loads = vec![DVec3::ZERO; rest.len()];
        Fem { solid, cells, layers, points: rest.clone(), rest, tets, free, loads }
    }

    pub fn tets(&self) -> usize {
        self.tets.len()
    }
    fn index(&self, i: usize, j: usize, k: usize) -> usize {
        (k * (self.cells + 1) + j) * (self.cells + 1) + i
    }
    /// Nodes of a layer on the surface, from the x axis to the y axis.
    fn rim(&self, k: usize) -> Vec<usize> {
        let m = self.cells;
        (0..=m).map(|j| self.index(m, j, k)).chain((0..m).rev().map(|i| self.index(i, m, k))).collect()
    }
    /// Height at rest, height, and the mean radius over that at rest of each layer.
    pub fn outline(&self) -> Vec<[f64; 3]> {
        let mean = |points: &[DVec3], rim: &[usize]| {
            // At both ends of the arc is half of what is between.
            let weight = |n: usize| if n == 0 || n + 1 == rim.len() { 0.5 } else { 1.0 };
            let sum = rim.iter().enumerate().map(|(n, &p)| weight(n) * points[p].truncate().length()).sum::<f64>();
            sum / (rim.len() - 1) as f64
        };
        (0..=self.layers)
            .map(|k| {
                let rim = self.rim(k);
                let z = |points: &[DVec3]| rim.iter().map(|&p| points[p].z).sum::<f64>() / rim.len() as f64;
                [z(&self.rest), z(&self.points), mean(&self.points, &rim) / mean(&self.rest, &rim)]
            })
            .collect()
    }
    /// The whole surface: rings of points, from one end to the other.
    pub fn rings(&self) -> Vec<Vec<DVec3>> {
        let ring = |k: usize, up: f64| -> Vec<DVec3> {
            let quarter: Vec<DVec3> = self.rim(k).iter().map(|&p| self.points[p]).collect();
            let mirror = |a: f64, b: f64| move |p: &DVec3| DVec3::new(a * p.x, b * p.y, up * p.z);
            let last = quarter.len() - 1;
            let (there, back) = (&quarter[..last], || quarter[1..].iter().rev());
            (there.iter().map(mirror(1.0, 1.0)))
                .chain(back().map(mirror(-1.0, 1.0)))
                .chain(there.iter().map(mirror(-1.0, -1.0)))
                .chain(back().map(mirror(1.0, -1.0)))
                .collect()
        };
        (1..=self.layers).rev().map(|k| ring(k, -1.0)).chain((0..=self.layers).map(|k| ring(k, 1.0))).collect()
    }

    /// All is stretched so that the end is at `by` times its height at rest, and held there.
    pub fn stretch(&mut self, by: f64) {
        let last = self.points.len() - 1;
        let by = by * self.rest[last].z / self.points[last].z;
        self.points.iter_mut().for_each(|p| p.z *= by);
    }
    /// A pressure, Pa, on the surface at rest up to that height; negative draws outwards.
    pub fn press(&mut self, pressure: f64, height: f64) {
        self.loads.iter_mut().for_each(|f| *f = DVec3::ZERO);
        for k in 0..self.layers {
            let rims = [self.rim(k), self.rim(k + 1)];
            // The whole layer has its part where the height is within it.
            let [low, high] = [&rims[0], &rims[1]].map(|rim| self.rest[rim[0]].z);
            let part = ((height - low) / (high - low)).clamp(0.0, 1.0);
            for n in 0..rims[0].len() - 1 {
                let corners = [rims[0][n], rims[0][n + 1], rims[1][n], rims[1][n + 1]];
                let [a, b, c, d] = corners.map(|p| self.rest[p]);
                let area = 0.5 * (d - a).cross(b - c);
                let outwards = if area.dot(a) > 0.0 { area } else { -area };
                corners.iter().for_each(|&p| self.loads[p] -= 0.25 * pressure * part * outwards);
            }
        }
    }
    /// N, along z: what the end is drawn with.
    pub fn force(&self) -> f64 {
        let inner = self.gradient(&self.points).1;
        let end = self.index(0, 0, self.layers);
        4.0 * inner[end..].iter().map(|g| g.z).sum::<f64>()
    }
    /// Whether the ends are free along the axis.
    pub fn let_go(&mut self) {
        let end = self.index(0, 0, self.layers);
        self.free[end..].iter_mut().for_each(|f| f.z = 1.0);
    }

    fn deformation(&self, t: &Tet, x: &[DVec3]) -> DMat3 {
        (0..4).fold(DMat3::ZERO, |f, a| f + outer(x[t.nodes[a]], t.gradients[a]))
    }

    /// Energy, J; infinite where a tetrahedron is inside out. Its gradient, N.
    fn gradient(&self, x: &[DVec3]) -> (f64, Vec<DVec3>) {
        let [mu, lambda] = self.solid.lame();
        let mut energy: f64 = x.iter().zip(&self.loads).zip(&self.rest).map(|((x, f), r)| -f.dot(*x - *r)).sum();
        let mut gradient: Vec<DVec3> = self.loads.iter().map(|f| -*f).collect();
        for t in &self.tets {
            let f = self.deformation(t, x);
            let j = f.determinant();
            if j <= 0.0 {
                return (f64::INFINITY, gradient);
            }
            let (u, sigma, v) = svd(&f);
            let strain: f64 = sigma.iter().map(|s| (s - 1.0).powi(2)).sum();
            energy += t.volume * (mu * strain + 0.5 * lambda * (j - 1.0).powi(2));
            let stress = (f - u * v.transpose()) * (2.0 * mu) + cofactor(&f) * (lambda * (j - 1.0));
            for a in 0..4 {
                gradient[t.nodes[a]] += stress * t.gradients[a] * t.volume;
            }
        }
        (energy, gradient)
    }

    fn tangents(&self) -> Vec<Tangent> {
        let of = |t: &Tet| {
            let f = self.deformation(t, &self.points);
            let (u, sigma, v) = svd(&f);
            let turn = |i: usize, j: usize| {
                // How R turns with F: 2/(σᵢ + σⱼ), at most 1 where that shall not be indefinite.
                let by = (2.0 / (sigma[i] + sigma[j])).min(1.0);
                (outer(u.col(i), v.col(j)) - outer(u.col(j), v.col(i))) * (0.5 * by).sqrt()
            };
            Tangent { turns: [turn(0, 1), turn(0, 2), turn(1, 2)], cofactor: cofactor(&f) }
        };
        self.tets.iter().map(of).collect()
    }

    /// The second derivative times `d`.
    fn product(&self, tangents: &[Tangent], d: &[DVec3]) -> Vec<DVec3> {
        let [mu, lambda] = self.solid.lame();
        let mut out = vec![DVec3::ZERO; d.len()];
        for (t, tangent) in self.tets.iter().zip(tangents) {
            let df = self.deformation(t, d);
            let turned = tangent.turns.iter().fold(df, |sum, q| sum - *q * double_dot(q, &df));
            let by = tangent.cofactor * (lambda * double_dot(&tangent.cofactor, &df));
            let dp = (turned * (2.0 * mu) + by) * t.volume;
            for a in 0..4 {
                out[t.nodes[a]] += dp * t.gradients[a];
            }
        }
        out.iter_mut().zip(&self.free).for_each(|(o, f)| *o *= *f);
        out
    }

    /// The inverse of its blocks on the diagonal; 1 where a coordinate is held.
    fn diagonal(&self, tangents: &[Tangent]) -> Vec<DMat3> {
        let [mu, lambda] = self.solid.lame();
        let mut all = vec![DMat3::ZERO; self.rest.len()];
        for (t, tangent) in self.tets.iter().zip(tangents) {
            for a in 0..4 {
                let g = t.gradients[a];
                let turned = tangent
                    .turns
                    .iter()
                    .fold(DMat3::from_diagonal(DVec3::splat(g.length_squared())), |sum, q| sum - outer(*q * g, *q * g));
                let c = tangent.cofactor * g;
                all[t.nodes[a]] += (turned * (2.0 * mu) + outer(c, c) * lambda) * t.volume;
            }
        }
        let held = |m: &DMat3, f: &DVec3| {
            let mask = DMat3::from_diagonal(*f);
            (mask * *m * mask + DMat3::from_diagonal((DVec3::ONE - *f) * m.x_axis.x.max(1.0))).inverse()
        };
        all.iter().zip(&self.free).map(|(m, f)| held(m, f)).collect()
    }

    /// Brings it to rest; returns how many of Newton's steps that took.
    ///
    /// # Errors
    /// When 60 steps did not.
    pub fn settle(&mut self) -> Result<usize> {
        let dot = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
        let least = 1e-8 * self.solid.young * self.solid.area();
        for step in 0..60 {
            let (energy, gradient) = self.gradient(&self.points);
            let mut residual: Vec<DVec3> = gradient.iter().zip(&self.free).map(|(g, f)| -*g * *f).collect();
            let size = dot(&residual, &residual).sqrt();
            if size < least {
                return Ok(step);
            }
            let tangents = self.tangents();
            let inverse = self.diagonal(&tangents);
            let by = |r: &[DVec3]| r.iter().zip(&inverse).map(|(r, m)| *m * *r).collect::<Vec<_>>();
            let mut d = vec![DVec3::ZERO; residual.len()];
            let slope = residual.clone();
            let mut z = by(&residual);
            let (mut p, mut rz) = (z.clone(), dot(&residual, &z));
            for _ in 0..2000 {
                let hp = self.product(&tangents, &p);
                let alpha = rz / dot(&p, &hp);
                for i in 0..d.len() {
                    d[i] += alpha * p[i];
                    residual[i] -= alpha * hp[i];
                }
                if dot(&residual, &residual).sqrt() < 1e-3 * size {
                    break;
                }
                z = by(&residual);
                let next = dot(&residual, &z);
                let beta = next / rz;
                rz = next;
                p.iter_mut().zip(&z).for_each(|(p, z)| *p = *z + beta * *p);
            }
            let down = dot(&slope, &d);
            let mut part = 1.0;
            loop {
                let tried: Vec<DVec3> = self.points.iter().zip(&d).map(|(x, d)| *x + part * *d).collect();
                let (got, _) = self.gradient(&tried);
                // Near the end the energy no longer tells.
                if got <= energy - 1e-4 * part * down + 1e-13 * energy.abs() || part < 1e-4 {
                    self.points = tried;
                    break;
                }
                part *= 0.5;
            }
        }
        Err("the tetrahedra did not come to rest in 60 steps".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::solid::{FLESH, RUBBER};

    /// A cylinder whose ends slide deforms evenly, which linear tetrahedra have exactly.
    #[test]
    fn a_cylinder_has_the_scale_and_the_force_of_the_solid() -> Result<()> {
        for (solid, stretch) in [(FLESH, 1.5), (FLESH, 0.8), (RUBBER, 2.0)] {
            let mut fem = Fem::new(solid, 4.0 * solid.radius, |_| solid.radius, 3, 4, End::Slides);
            fem.stretch(stretch);
            fem.settle()?;
            let [scale, force] = solid.uniaxial(stretch);
            for [_, _, s] in fem.outline() {
                assert!((s / scale - 1.0).abs() < 1e-6, "{solid:?} {stretch}: {s} for {scale}");
            }
            assert!((fem.force() / force - 1.0).abs() < 1e-6, "{solid:?} {stretch}: {} for {force}", fem.force());
        }
        Ok(())
    }

    /// A force is the slope of the energy, and the tangent that of the force but for what is left out, which is nothing at rest.
    #[test]
    fn forces_are_slopes_of_the_energy() {
        let mut fem = Fem::new(FLESH, 0.04, |z| 0.01 + 0.1 * z, 2, 2, End::Slides);
        fem.press(1e3, 0.01);
        let wave = |i: usize, by: f64| DVec3::new((1.3 * i as f64).sin(), (0.7 * i as f64).cos(), (2.1 * i as f64).sin()) * by;
        let bent: Vec<DVec3> = fem.rest.iter().enumerate().map(|(i, p)| *p + wave(i, 3e-4)).collect();
        let direction: Vec<DVec3> = (0..bent.len()).map(|i| wave(i + 5, 1.0)).collect();
        let along = |by: f64, from: &[DVec3]| from.iter().zip(&direction).map(|(p, d)| *p + by * *d).collect::<Vec<_>>();
        let dot = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
        let h = 1e-7;
        let slope = (fem.gradient(&along(h, &bent)).0 - fem.gradient(&along(-h, &bent)).0) / (2.0 * h);
        let got = dot(&fem.gradient(&bent).1, &direction);
        assert!((got / slope - 1.0).abs() < 1e-5, "{got} for {slope}");
        let rest = fem.rest.clone();
        let [up, down] = [h, -h].map(|h| fem.gradient(&along(h, &rest)).1);
        let masked: Vec<DVec3> = direction.iter().zip(&fem.free).map(|(d, f)| *d * *f).collect();
        let [up_free, down_free] = [&up, &down].map(|g| dot(g, &masked));
        let free = (up_free - down_free) / (2.0 * h);
        let got = dot(&fem.product(&fem.tangents(), &direction), &direction);
        assert!((got / free - 1.0).abs() < 1e-5, "{got} for {free}");
    }
}
