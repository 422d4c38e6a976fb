//! The inside of a surface as cubic cells, and walks from cell to cell.

use super::V3;
use super::surface::Surface;
use super::tasks::{Run, map};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(crate) const NONE: u32 = u32::MAX;
/// A grid has at most so many places, a byte each.
pub(crate) const MAX_GRID: f64 = 32e6;
/// Cells of a block that is looked at first.
const BLOCK: usize = 16;
/// Cells that one task takes.
const CHUNK: usize = 1024;

/// Where cells are, occupied or not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grid {
    pub low: V3,
    pub h: f64,
    pub dims: [usize; 3],
}

impl Grid {
    /// Covers a box and `margin` cells around it.
    pub fn around([low, high]: [V3; 2], h: f64, margin: usize) -> Grid {
        // Rounded, not up: sides of whole cells would else take one more or less with the last bit.
        let dims = [0, 1, 2].map(|axis| ((high[axis] - low[axis]) / h).round() as usize + 1 + 2 * margin);
        // A little off the middle: symmetric shapes would have places on their planes of symmetry, where rounding decides.
        const OFF: [f64; 3] = [0.137, 0.229, 0.311];
        let low = V3::from_fn(|axis, _| 0.5 * (low[axis] + high[axis]) - h * (0.5 * dims[axis] as f64 - OFF[axis]));
        Grid { low, h, dims }
    }

    pub fn len(&self) -> usize {
        self.dims.iter().product()
    }

    pub fn center(&self, at: [i32; 3]) -> V3 {
        V3::from_fn(|axis, _| self.low[axis] + (f64::from(at[axis]) + 0.5) * self.h)
    }

    /// The place with this index.
    pub fn at(&self, index: usize) -> [i32; 3] {
        let [nx, ny, _] = self.dims;
        [index % nx, index / nx % ny, index / (nx * ny)].map(|x| x as i32)
    }

    pub fn place(&self, point: V3) -> [i32; 3] {
        [0, 1, 2].map(|axis| ((point[axis] - self.low[axis]) / self.h).floor() as i32)
    }

    pub fn index(&self, at: [i32; 3]) -> Option<usize> {
        let is_in = (0..3).all(|axis| at[axis] >= 0 && (at[axis] as usize) < self.dims[axis]);
        is_in.then(|| (at[2] as usize * self.dims[1] + at[1] as usize) * self.dims[0] + at[0] as usize)
    }

    /// Which cells have their centre inside. A block whose surroundings hold no surface is all in or all out.
    pub fn fill(&self, surface: &Surface, run: Run) -> Vec<bool> {
        let blocks = self.dims.map(|n| n.div_ceil(BLOCK));
        let found: Vec<Vec<u32>> = map(run, blocks.iter().product(), 1, |block| {
            let at = [block % blocks[0], block / blocks[0] % blocks[1], block / (blocks[0] * blocks[1])];
            let mut inside = Vec::new();
            self.fill_block(surface, at.map(|x| (x * BLOCK) as i32), BLOCK as i32, &mut inside);
            inside
        });
        let mut filled = vec![false; self.len()];
        found.iter().flatten().for_each(|&index| filled[index as usize] = true);
        filled
    }

    fn fill_block(&self, surface: &Surface, at: [i32; 3], size: i32, inside: &mut Vec<u32>) {
        let Some(_) = self.index(at) else { return };
        let half = 0.5 * self.h * f64::from(size);
        let center = self.center(at) + V3::repeat(half - 0.5 * self.h);
        // Large blocks keep away: through a hole the winding number changes without a surface.
        let margin = if size > 4 { 2.0 } else { 1.001 };
        if size > 1 && surface.is_near(center, margin * half * 3f64.sqrt()) {
            let next = size / 2;
            for k in 0..8 {
                self.fill_block(surface, [0, 1, 2].map(|axis| at[axis] + (k >> axis & 1) * next), next, inside);
            }
        } else if surface.encloses(center) {
            let all = (0..size).flat_map(|z| (0..size).flat_map(move |y| (0..size).map(move |x| [x, y, z])));
            let cells = all.filter_map(|d| self.index([at[0] + d[0], at[1] + d[1], at[2] + d[2]]));
            inside.extend(cells.map(|index| index as u32));
        }
    }
}

/// The 26 neighbours, nearest first: 6 by faces, 12 by edges, 8 by corners.
pub(crate) fn neighbours() -> [[i32; 3]; 26] {
    let mut all: Vec<[i32; 3]> = (0..27).map(|k| [k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1]).filter(|d| *d != [0; 3]).collect();
    all.sort_by_key(|d| d.iter().map(|x| x * x).sum::<i32>());
    std::array::from_fn(|k| all[k])
}

/// The occupied cells, numbered, and who is beside whom. A cell is a block of 2 × 2 × 2 places of a finer grid, some of
/// them inside.
pub(crate) struct Cells {
    pub grid: Grid,
    pub at: Vec<[i32; 3]>,
    /// Which of its eight places are inside.
    pub inside: Vec<u8>,
    /// Of every place of the grid: the cell's number or [`NONE`].
    pub number: Vec<u32>,
    /// In the order of [`neighbours`]; the first six share a face. A neighbour that is only reached through what is
    /// outside is none.
    pub beside: Vec<[u32; 26]>,
    /// Which part of each face is inside.
    pub open: Vec<[f32; 6]>,
}

/// Whether the k-th of a cell's places lies on its high side of an axis.
fn is_high(place: usize, axis: usize) -> bool {
    place >> axis & 1 == 1
}

impl Cells {
    pub fn new(fine: &Grid, filled: &[bool], run: Run) -> Cells {
        let dims = fine.dims.map(|n| n.div_ceil(2));
        let grid = Grid { low: fine.low, h: 2.0 * fine.h, dims };
        let mut masks = vec![0u8; grid.len()];
        for index in (0..filled.len()).filter(|&index| filled[index]) {
            let at = fine.at(index);
            let place = (0..3).fold(0, |place, axis| place | (at[axis] & 1) << axis);
            if let Some(cell) = grid.index(at.map(|x| x / 2)) {
                masks[cell] |= 1 << place;
            }
        }
        Cells::of_masks(grid, &masks, run)
    }

    fn of_masks(grid: Grid, masks: &[u8], run: Run) -> Cells {
        let mut number = vec![NONE; grid.len()];
        let (mut at, mut inside): (Vec<[i32; 3]>, Vec<u8>) = (Vec::new(), Vec::new());
        for index in (0..grid.len()).filter(|&index| masks[index] != 0) {
            number[index] = at.len() as u32;
            at.push(grid.at(index));
            inside.push(masks[index]);
        }
        let steps = neighbours();
        let beside: Vec<[u32; 26]> = map(run, at.len(), CHUNK, |cell| {
            let [x, y, z] = at[cell];
            steps.map(|d| grid.index([x + d[0], y + d[1], z + d[2]]).map_or(NONE, |index| number[index]))
        });
        let face_open = |cell: usize, k: usize| {
            let next = beside[cell][k];
            if next == NONE {
                return 0.0;
            }
            let axis = steps[k].iter().position(|&x| x != 0).unwrap_or(0);
            let ours = (0..8).filter(|&place| is_high(place, axis) == (steps[k][axis] > 0));
            let both = |place: &usize| inside[cell] >> place & 1 == 1 && inside[next as usize] >> (place ^ 1 << axis) & 1 == 1;
            ours.filter(both).count() as f32 / 4.0
        };
        let open: Vec<[f32; 6]> = map(run, at.len(), CHUNK, |cell| std::array::from_fn(|k| face_open(cell, k)));
        let mut cells = Cells { grid, at, inside, number, beside, open };
        cells.close_gaps(&steps, run);
        cells
    }

    /// Leaves only those neighbours that can be reached through faces of the cells between.
    fn close_gaps(&mut self, steps: &[[i32; 3]; 26], run: Run) {
        let find = |d: [i32; 3]| steps.iter().position(|step| *step == d);
        // Ways to a neighbour: first through a face, then on as from there.
        let ways: Vec<Vec<(usize, usize)>> = steps
            .iter()
            .map(|d| {
                let axes = (0..3).filter(|&axis| d[axis] != 0);
                let way = |axis: usize| {
                    let first = std::array::from_fn(|k| if k == axis { d[k] } else { 0 });
                    let rest = std::array::from_fn(|k| if k == axis { 0 } else { d[k] });
                    Some((find(first)?, find(rest)?))
                };
                axes.filter_map(way).collect()
            })
            .collect();
        let full = &self.beside;
        let open = &self.open;
        let reaches = |cell: usize, k: usize| -> bool {
            fn walk(cell: usize, k: usize, ways: &[Vec<(usize, usize)>], full: &[[u32; 26]], open: &[[f32; 6]]) -> bool {
                if k < 6 {
                    return open[cell][k] > 0.0;
                }
                ways[k]
                    .iter()
                    .any(|&(first, rest)| open[cell][first] > 0.0 && walk(full[cell][first] as usize, rest, ways, full, open))
            }
            walk(cell, k, &ways, full, open)
        };
        let closed = map(run, self.at.len(), CHUNK, |cell| {
            std::array::from_fn(|k| if full[cell][k] != NONE && reaches(cell, k) { full[cell][k] } else { NONE })
        });
        self.beside = closed;
    }

    pub fn len(&self) -> usize {
        self.at.len()
    }

    pub fn center(&self, cell: usize) -> V3 {
        self.grid.center(self.at[cell])
    }

    /// The cell with the nearest centre.
    pub fn nearest(&self, point: V3) -> usize {
        let distance = |cell: &usize| (self.center(*cell) - point).norm_squared();
        let [x, y, z] = self.grid.place(point);
        let around = (-1..=1).flat_map(|k| (-1..=1).flat_map(move |j| (-1..=1).map(move |i| [i, j, k])));
        let near = around
            .filter_map(|[i, j, k]| self.grid.index([x.saturating_add(i), y.saturating_add(j), z.saturating_add(k)]))
            .map(|index| self.number[index])
            .filter(|&number| number != NONE)
            .map(|number| number as usize)
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        near.or_else(|| (0..self.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))).unwrap_or(0)
    }

    /// Parts that hang together by faces: the part of every cell, and the size of every part, numbered in the cells' order.
    pub fn parts(&self, is_in: impl Fn(usize) -> bool) -> (Vec<u32>, Vec<usize>) {
        let mut part = vec![NONE; self.len()];
        let mut sizes = Vec::new();
        let mut open = Vec::new();
        for seed in 0..self.len() {
            if part[seed] != NONE || !is_in(seed) {
                continue;
            }
            let own = sizes.len() as u32;
            sizes.push(0);
            part[seed] = own;
            open.push(seed);
            while let Some(cell) = open.pop() {
                sizes[own as usize] += 1;
                for &next in &self.beside[cell][..6] {
                    if next != NONE && part[next as usize] == NONE && is_in(next as usize) {
                        part[next as usize] = own;
                        open.push(next as usize);
                    }
                }
            }
        }
        (part, sizes)
    }

    /// The cells for which `is_in`, renumbered.
    pub fn only(&self, is_in: impl Fn(usize) -> bool, run: Run) -> Cells {
        let mut masks = vec![0u8; self.grid.len()];
        for cell in (0..self.len()).filter(|&cell| is_in(cell)) {
            if let Some(index) = self.grid.index(self.at[cell]) {
                masks[index] = self.inside[cell];
            }
        }
        Cells::of_masks(self.grid.clone(), &masks, run)
    }

    /// The volume of the cells for which `is_in`.
    pub fn volume(&self, is_in: impl Fn(usize) -> bool) -> f64 {
        let places: u64 = (0..self.len()).filter(|&cell| is_in(cell)).map(|cell| u64::from(self.inside[cell].count_ones())).sum();
        places as f64 * self.grid.h.powi(3) / 8.0
    }

    /// Shortest way through the cells from the nearest of `seeds`; infinite where none leads.
    pub fn distances(&self, seeds: &[usize]) -> Vec<f64> {
        let mut distance = vec![f64::INFINITY; self.len()];
        // Non-negative floats are ordered as their bits are.
        let mut open = BinaryHeap::new();
        for &seed in seeds {
            distance[seed] = 0.0;
            open.push(Reverse((0u64, seed as u32)));
        }
        let steps = neighbours().map(|d| self.grid.h * f64::from(d.iter().map(|x| x * x).sum::<i32>()).sqrt());
        while let Some(Reverse((bits, cell))) = open.pop() {
            let so_far = f64::from_bits(bits);
            if so_far > distance[cell as usize] {
                continue;
            }
            for (&next, step) in self.beside[cell as usize].iter().zip(steps) {
                if next != NONE && so_far + step < distance[next as usize] {
                    distance[next as usize] = so_far + step;
                    open.push(Reverse(((so_far + step).to_bits(), next)));
                }
            }
        }
        distance
    }
}
