//! Which part of a mesh's inside the rods stand for, where that is not all of it.

use super::V3;
use super::axes::Axes;
use super::cells::{Cells, Grid, NONE, neighbours};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    axes: Axes,
    grid: Grid,
    /// Of every place of the grid.
    places: Vec<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Outside,
    Kept,
    LeftOut,
}

impl Part {
    /// `is_occupied` tells of every place of the grid whether the mesh's inside reaches it. None: all of it is kept.
    pub fn new(axes: &Axes, cells: &Cells, is_occupied: &[bool], is_kept: impl Fn(usize) -> bool) -> Option<Part> {
        let place = |index: usize| match cells.number[index] {
            NONE if is_occupied[index] => Place::LeftOut,
            NONE => Place::Outside,
            cell if is_kept(cell as usize) => Place::Kept,
            _ => Place::LeftOut,
        };
        let places: Vec<Place> = (0..cells.grid.len()).map(place).collect();
        places.contains(&Place::LeftOut).then(|| Part { axes: axes.clone(), grid: cells.grid.clone(), places })
    }

    /// Whether what is nearest to a point, inside or at the surface, is a cell that is kept.
    pub fn holds(&self, point: V3) -> bool {
        let local = self.axes.to_local(point);
        let at = self.grid.place(local);
        let place = |at: [i32; 3]| self.grid.index(at).map_or(Place::Outside, |index| self.places[index]);
        if place(at) != Place::Outside {
            return place(at) == Place::Kept;
        }
        let beside = neighbours().map(|d| [0, 1, 2].map(|axis| at[axis].saturating_add(d[axis])));
        let near = beside.into_iter().filter(|at| place(*at) != Place::Outside);
        let apart = |at: &[i32; 3]| (self.grid.center(*at) - local).norm_squared();
        // What is too thin for any cell is nobody's, and counts.
        near.min_by(|a, b| apart(a).total_cmp(&apart(b))).is_none_or(|at| place(at) == Place::Kept)
    }

    /// A box around what is kept.
    pub fn bounds(&self) -> [V3; 2] {
        let kept = (0..self.grid.len()).filter(|&index| self.places[index] == Place::Kept);
        let corners = kept.flat_map(|index| {
            let center = self.grid.center(self.grid.at(index));
            (0..8).map(move |k| center + V3::from_fn(|axis, _| if k >> axis & 1 == 0 { -self.grid.h } else { self.grid.h }))
        });
        corners
            .map(|p| self.axes.to_world(p))
            .fold([V3::repeat(f64::INFINITY), V3::repeat(f64::NEG_INFINITY)], |[low, high], p| [low.inf(&p), high.sup(&p)])
    }
}
