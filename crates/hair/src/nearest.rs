//! The nearest of many points: a balanced tree of halves.

use withy_math::Vec3;

/// Points in an order in which the middle of each part divides it along its longest side.
pub struct Tree {
    order: Vec<u32>,
    points: Vec<[f64; 3]>,
    axis: Vec<u8>,
}

impl Tree {
    pub fn new(points: Vec<[f64; 3]>) -> Tree {
        let mut t = Tree { order: (0..points.len() as u32).collect(), axis: vec![0; points.len()], points };
        t.divide(0, t.order.len());
        t
    }

    fn divide(&mut self, from: usize, to: usize) {
        if to - from < 2 {
            return;
        }
        let (mut low, mut high) = ([f64::MAX; 3], [f64::MIN; 3]);
        for &i in &self.order[from..to] {
            for k in 0..3 {
                low[k] = low[k].min(self.points[i as usize][k]);
                high[k] = high[k].max(self.points[i as usize][k]);
            }
        }
        let axis = (1..3).fold(0, |best, k| if high[k] - low[k] > high[best] - low[best] { k } else { best });
        let middle = (to - from) / 2;
        let points = &self.points;
        // Equal ones by their number: the same tree everywhere.
        let by = |a: &u32, b: &u32| points[*a as usize][axis].total_cmp(&points[*b as usize][axis]).then(a.cmp(b));
        self.order[from..to].select_nth_unstable_by(middle, by);
        self.axis[from + middle] = axis as u8;
        self.divide(from, from + middle);
        self.divide(from + middle + 1, to);
    }

    /// The `count` nearest to `p`: squares of distances and numbers, the nearest first, of equal ones
    /// the first.
    pub fn nearest(&self, p: Vec3<f64>, count: usize, out: &mut Vec<(f64, u32)>) {
        out.clear();
        self.search(p.to_array(), count, 0, self.order.len(), out);
    }

    fn search(&self, p: [f64; 3], count: usize, from: usize, to: usize, out: &mut Vec<(f64, u32)>) {
        if from >= to {
            return;
        }
        let middle = from + (to - from) / 2;
        let i = self.order[middle];
        let q = self.points[i as usize];
        let d: f64 = (0..3).map(|k| (p[k] - q[k]).powi(2)).sum();
        let at = out.partition_point(|x| (x.0, x.1) < (d, i));
        if at < count {
            out.insert(at, (d, i));
            out.truncate(count);
        }
        let axis = self.axis[middle] as usize;
        let aside = p[axis] - q[axis];
        let parts = [(from, middle), (middle + 1, to)];
        let near = usize::from(aside > 0.0);
        self.search(p, count, parts[near].0, parts[near].1, out);
        if out.len() < count || out.last().is_some_and(|l| aside * aside <= l.0) {
            self.search(p, count, parts[1 - near].0, parts[1 - near].1, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use withy_math::rng::Rng;

    #[test]
    fn as_many_as_by_looking_at_all() {
        let mut rng = Rng::new(5);
        // Coarse coordinates: many equal distances.
        let mut point = || core::array::from_fn::<f64, 3, _>(|_| (8.0 * rng.unit()).floor());
        let points: Vec<[f64; 3]> = (0..300).map(|_| point()).collect();
        let tree = Tree::new(points.clone());
        let mut found = Vec::new();
        for _ in 0..50 {
            let p = point();
            tree.nearest(Vec3::from(p), 9, &mut found);
            let square = |q: &[f64; 3]| (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>();
            let mut all: Vec<(f64, u32)> = points.iter().zip(0..).map(|(q, i)| (square(q), i)).collect();
            all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            assert_eq!(found, all[..9]);
        }
    }
}
