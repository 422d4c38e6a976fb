//! Where boxes are, and the slabs that they are sorted into.

use super::Small;

/// Most slabs.
pub(super) const SLABS: usize = 64;

/// Where boxes are, all in all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub low: [f32; 3],
    pub high: [f32; 3],
    /// Sums of their sizes.
    pub size: [f64; 3],
    pub count: u32,
    /// Sums of the middles of those that are active, and of their squares.
    pub sum: [f64; 3],
    pub square: [f64; 3],
    pub active: u32,
}

impl Extent {
    pub const NONE: Extent =
        Extent { low: [f32::MAX; 3], high: [f32::MIN; 3], size: [0.0; 3], count: 0, sum: [0.0; 3], square: [0.0; 3], active: 0 };

    pub fn add(&mut self, b: &Small, active: bool) {
        for k in 0..3 {
            let (low, high) = (b.min[k], b.max[k]);
            (self.low[k], self.high[k]) = (self.low[k].min(low), self.high[k].max(high));
            self.size[k] += f64::from(high) - f64::from(low);
            if active {
                let m = 0.5 * (f64::from(low) + f64::from(high));
                self.sum[k] += m;
                self.square[k] += m * m;
            }
        }
        self.count += 1;
        self.active += u32::from(active);
    }

    pub fn join(mut self, o: &Extent) -> Extent {
        for k in 0..3 {
            (self.low[k], self.high[k]) = (self.low[k].min(o.low[k]), self.high[k].max(o.high[k]));
            self.size[k] += o.size[k];
            self.sum[k] += o.sum[k];
            self.square[k] += o.square[k];
        }
        self.count += o.count;
        self.active += o.active;
        self
    }

    /// The axes, from that on which the middles vary most.
    pub fn axes(&self) -> [usize; 3] {
        let n = f64::from(self.active.max(1));
        let variance = [0, 1, 2].map(|k| self.square[k] - self.sum[k] * self.sum[k] / n);
        let mut order = [0, 1, 2];
        order.sort_by(|&a, &b| variance[b].total_cmp(&variance[a]).then(a.cmp(&b)));
        order
    }

    pub fn divide(&self, axis: usize) -> Division {
        let range = f64::from(self.high[axis]) - f64::from(self.low[axis]);
        let mean = self.size[axis] / f64::from(self.count.max(1));
        if self.count < 64 || range.is_nan() || range <= 0.0 {
            return Division { low: 0.0, width: f32::INFINITY, count: 1 };
        }
        let count = ((range / (2.0 * mean).max(1e-30)) as usize).clamp(1, SLABS);
        Division { low: self.low[axis], width: (range / count as f64) as f32, count }
    }
}

/// Where the slabs begin, how wide they are, and how many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Division {
    pub low: f32,
    pub width: f32,
    pub count: usize,
}

impl Division {
    pub fn slab(&self, x: f32) -> u8 {
        (((x - self.low) / self.width) as usize).min(self.count - 1) as u8
    }
}
