//! A guide at any part of its length: cubics through its vertices, turns blended from edge to edge.

use withy_math::Vec3;

/// Four vertices and their weights, which add up to 1; two edges and the share of the second. Both
/// are counted from the first vertex and the first edge of the guide.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct At {
    pub first: u32,
    pub weights: [f64; 4],
    pub edge: u32,
    pub share: f64,
}

/// A guide's length up to each vertex, as shares of the whole. Without length: its vertices evenly.
pub fn shares_of(points: impl ExactSizeIterator<Item = Vec3<f64>>) -> Vec<f64> {
    let n = points.len();
    let mut sum = 0.0;
    let mut last = None;
    let mut shares = Vec::with_capacity(n);
    for p in points {
        sum += last.map_or(0.0, |l| (p - l).length());
        last = Some(p);
        shares.push(sum);
    }
    if sum > 0.0 {
        shares.iter_mut().for_each(|s| *s /= sum);
    } else {
        shares.iter_mut().enumerate().for_each(|(i, s)| *s = i as f64 / (n - 1) as f64);
    }
    shares[n - 1] = 1.0;
    shares
}

/// Where a guide is at `s`, 0 to 1, of its length: Hermite's cubic with the slopes of parabolas
/// through three vertices (Catmull and Rom's, for uneven edges), and straight lines at both ends.
pub fn at(shares: &[f64], s: f64) -> At {
    let n = shares.len();
    let e = shares.partition_point(|x| *x <= s).clamp(1, n - 1) - 1;
    let h = shares[e + 1] - shares[e];
    let t = if h > 0.0 { ((s - shares[e]) / h).clamp(0.0, 1.0) } else { 0.0 };
    // Weights of the vertices e − 1 to e + 2.
    let mut w = [0.0, 1.0 - t, t, 0.0];
    if h > 0.0 && t > 0.0 && t < 1.0 {
        let (t2, t3) = (t * t, t * t * t);
        w[1] = 2.0 * t3 - 3.0 * t2 + 1.0;
        w[2] = 3.0 * t2 - 2.0 * t3;
        let mut slope = |by: f64, vertex: usize| {
            // Of the edge itself, and of the one on the vertex's other side.
            let own = |w: &mut [f64; 4], k: f64| {
                w[1] -= k;
                w[2] += k;
            };
            let other = match vertex {
                1 if e > 0 => shares[e] - shares[e - 1],
                2 if e + 2 < n => shares[e + 2] - shares[e + 1],
                _ => 0.0,
            };
            if other <= 1e-9 * h {
                return own(&mut w, by);
            }
            // (own/h · other + that/other · h)/(h + other), times h.
            own(&mut w, by * other / (h + other));
            let k = by * h * h / (other * (h + other));
            w[if vertex == 1 { 0 } else { 2 }] -= k;
            w[if vertex == 1 { 1 } else { 3 }] += k;
        };
        slope(t3 - 2.0 * t2 + t, 1);
        slope(t3 - t2, 2);
    }
    // Where the four would begin before the guide or end after it, they are moved.
    let wanted = e as i64 - 1;
    let first = wanted.clamp(0, (n as i64 - 4).max(0));
    let mut weights = [0.0; 4];
    for (k, w) in w.into_iter().enumerate() {
        let at = wanted + k as i64 - first;
        if (0..4).contains(&at) {
            weights[at as usize] += w;
        }
    }
    let middle = |e: usize| 0.5 * (shares[e] + shares[e + 1]);
    let before = if s < middle(e) { e.saturating_sub(1) } else { e };
    let (edge, share) = match before + 1 < n - 1 {
        true => {
            let (a, b) = (middle(before), middle(before + 1));
            (before, if b > a { ((s - a) / (b - a)).clamp(0.0, 1.0) } else { 0.0 })
        }
        false => (before, 0.0),
    };
    At { first: first as u32, weights, edge: edge as u32, share }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_inside_and_every_vertex_are_met() {
        let x = [0.0, 0.11, 0.25, 0.31, 0.52, 0.8, 1.0f64];
        let y = |t: f64| 1.0 - 3.0 * t + 2.0 * t * t;
        for k in 0..=200 {
            let s = f64::from(k) / 200.0;
            let a = at(&x, s);
            let value: f64 = (0..4).map(|k| a.weights[k] * y(x[a.first as usize + k])).sum();
            assert!((a.weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            if (0.11..=0.8).contains(&s) {
                assert!((value - y(s)).abs() < 1e-12, "{s}: {value}");
            }
        }
        for (v, s) in x.iter().enumerate() {
            let a = at(&x, *s);
            assert!((a.weights[v - a.first as usize] - 1.0).abs() < 1e-14, "{v}");
        }
    }

    #[test]
    fn two_and_three_vertices() {
        assert_eq!(at(&[0.0, 1.0], 0.25), At { first: 0, weights: [0.75, 0.25, 0.0, 0.0], edge: 0, share: 0.0 });
        let a = at(&[0.0, 0.5, 1.0], 0.5);
        assert_eq!((a.weights, a.edge, a.share), ([0.0, 1.0, 0.0, 0.0], 0, 0.5));
        assert_eq!(at(&[0.0, 0.5, 1.0], 1.0).weights, [0.0, 0.0, 1.0, 0.0]);
    }
}
