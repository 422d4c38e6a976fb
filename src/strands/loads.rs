//! Forces that the host puts on vertices, and what the rods carry: tension, bending and twisting moments.

use super::{Data, Rods, with};
use crate::desc::error::Result;
use crate::desc::validate;
use crate::layout::{Aligned, Buffers, FORCE_ROWS, Layout, param, state};
use crate::math::{Elem, Vec3};
use crate::rods::ghost::kernels::{EdgeFrame, rodrigues};

/// Rows of [`Buffers::forces`]: the force on a vertex, and the moment about the edge after it.
const FORCE: usize = 0;
const MOMENT: usize = 3;

/// Writes `N` rows, from `row` on, of every vertex but the last `after` of each strand. Returns whether one is another now.
fn fill<E: Elem, const N: usize>(
    b: &mut Buffers<E>,
    layout: &Layout,
    row: usize,
    after: usize,
    get: &mut impl FnMut(usize) -> [f64; N],
) -> bool {
    let mut changes = false;
    if b.forces.is_empty() {
        b.forces = Aligned::zeroed(layout.cells * FORCE_ROWS);
    }
    let mut running = 0;
    for (strand, &n) in layout.counts.iter().enumerate() {
        for vertex in 0..n as usize - after {
            for (k, c) in get(running).into_iter().enumerate() {
                let at = &mut b.forces[layout.index(strand, vertex, FORCE_ROWS, row + k)];
                let is = E::from_f64(c);
                changes |= at.bits() != is.bits();
                *at = is;
            }
            running += 1;
        }
    }
    changes
}

impl Rods {
    /// A force on every vertex, N, in world axes. It acts in every step until it is set again or cleared; vertices that the host
    /// drives do not feel it. The first call, of this and [`Self::set_moments`], allocates 16 bytes a vertex. `get` is called twice for
    /// every vertex: to check, then to write.
    pub fn set_forces(&mut self, mut get: impl FnMut(usize) -> [f64; 3]) -> Result<()> {
        (0..self.vertex_count()).try_for_each(|i| validate::vector("forces", Some(i), get(i)))?;
        if self.fields.is_some() {
            return self.set_own_forces(get);
        }
        self.put_loads(FORCE, 0, "forces", get)
    }

    /// A moment about every edge, N m, that turns it about its direction from root to tip by the right-hand rule. It turns with the edge, and
    /// acts in every step until it is set again or cleared; an edge that a clamp of discrete elastic rods holds does not feel it. `get` as in
    /// [`Self::set_forces`].
    pub fn set_moments(&mut self, mut get: impl FnMut(usize) -> f64) -> Result<()> {
        (0..self.edge_count()).try_for_each(|i| match get(i) {
            moment if moment.abs() <= validate::LARGEST => Ok(()),
            moment => validate::between(&format!("moments[{i}]"), moment, -validate::LARGEST, validate::LARGEST),
        })?;
        self.put_loads(MOMENT, 1, "moments", |i| [get(i)])
    }

    fn put_loads<const N: usize>(
        &mut self,
        row: usize,
        after: usize,
        name: &str,
        mut get: impl FnMut(usize) -> [f64; N],
    ) -> Result<()> {
        let new = match &self.data {
            Data::F32(b) if b.forces.is_empty() => 4 * FORCE_ROWS * self.layout.cells,
            Data::F64(b) if b.forces.is_empty() => 8 * FORCE_ROWS * self.layout.cells,
            _ => 0,
        };
        validate::memory(new, name)?;
        let changes = match &mut self.data {
            Data::F32(b) => fill(b, &self.layout, row, after, &mut get),
            Data::F64(b) => fill(b, &self.layout, row, after, &mut get),
        };
        if changes || new > 0 {
            self.rest.stir();
            self.changed(|c| c.forces = true);
        }
        Ok(())
    }

    /// No forces; where there are no moments either, no memory for them.
    pub fn clear_forces(&mut self) {
        if self.fields.is_some() {
            // Nothing in it can be wrong.
            let _ = self.set_own_forces(|_| [0.0; 3]);
            return;
        }
        self.clear_loads::<3>(FORCE, 0);
    }
    /// What fields have come to, N.
    pub(super) fn put_forces(&mut self, get: impl FnMut(usize) -> [f64; 3]) -> Result<()> {
        self.put_loads(FORCE, 0, "forces", get)
    }
    pub(super) fn own_forces(&self) -> Vec<[f64; 3]> {
        let mut all = vec![[0.0; 3]; self.vertex_count()];
        self.visit(0, |s, v, i| {
            with!(&self.data, b => if !b.forces.is_empty() {
                for (k, f) in all[i].iter_mut().enumerate() {
                    *f = b.forces[self.layout.index(s, v, FORCE_ROWS, FORCE + k)].to_f64();
                }
            });
        });
        all
    }

    /// No moments, likewise.
    pub fn clear_moments(&mut self) {
        self.clear_loads::<1>(MOMENT, 1);
    }

    fn clear_loads<const N: usize>(&mut self, row: usize, after: usize) {
        fn clear<E: Elem, const N: usize>(b: &mut Buffers<E>, layout: &Layout, row: usize, after: usize) {
            fill(b, layout, row, after, &mut |_| [0.0; N]);
            if b.forces.iter().all(|f| f.to_f64() == 0.0) {
                b.forces = Aligned::zeroed(0);
            }
        }
        if with!(&self.data, b => b.forces.is_empty()) {
            return;
        }
        self.rest.stir();
        self.changed(|c| c.forces = true);
        match &mut self.data {
            Data::F32(b) => clear::<_, N>(b, &self.layout, row, after),
            Data::F64(b) => clear::<_, N>(b, &self.layout, row, after),
        }
    }

    /// One an edge: its tension in the last substep, N, positive where the edge pulls its ends together. 0 before the first step.
    pub fn read_forces(&self, mut put: impl FnMut(usize, f64)) {
        let s = self.per_h2();
        self.visit(1, |strand, v, i| put(i, -self.state(strand, v, state::LAMBDA_LENGTH) * s));
    }

    /// One a vertex: the moment that one edge exerts on the other through this vertex in the last substep, N·m, in the axes
    /// d¹, d², d³ of the frame halfway between the two: bending, bending, twist. At an end it is the moment of the support, 0
    /// where there is none. 0 before the first step.
    ///
    /// A clamp of discrete elastic rods holds an edge; its moment is at the inner vertex of that edge, and 0 is at the end.
    pub fn read_moments(&self, mut put: impl FnMut(usize, [f64; 3])) {
        let s = self.per_h2();
        self.visit(0, |strand, v, i| {
            let lambda = self.state3(strand, v, state::LAMBDA_BEND) * -s;
            let g = self.half_rotation(strand, v);
            put(i, self.desc.model.moment_halfway(lambda, g).to_array());
        });
    }

    /// What the host has set about an edge, N m.
    pub(super) fn moment_about(&self, strand: usize, v: usize) -> f64 {
        let i = self.layout.index(strand, v, FORCE_ROWS, MOMENT);
        with!(&self.data, b => b.forces.get(i).map_or(0.0, |m| m.to_f64()))
    }
    /// Of a vertex with half of the ghost points beside it, kg: all together they weigh what the rods do. Held or not.
    pub(crate) fn mass_at(&self, strand: usize, v: usize) -> f64 {
        let of = self.material_of(strand);
        let before = if v > 0 { 0.5 * of.edge_masses(v - 1)[1] } else { 0.0 };
        let after = if v + 1 < self.layout.counts[strand] as usize { 0.5 * of.edge_masses(v)[1] } else { 0.0 };
        of.mass(v) + before + after
    }
    /// [`Self::mass_at`], one a vertex.
    pub fn read_vertex_masses(&self, mut put: impl FnMut(usize, f64)) {
        self.visit(0, |s, v, i| put(i, self.mass_at(s, v)));
    }

    /// One a vertex and one an edge: kg. A vertex that the host drives has no mass of its own: 0.
    pub fn read_masses(&self, mut vertex: impl FnMut(usize, f64), mut ghost: impl FnMut(usize, f64)) {
        let mass = |w: f64| if w > 0.0 { 1.0 / w } else { 0.0 };
        self.visit(0, |s, v, i| vertex(i, mass(self.param(s, v, param::W))));
        self.visit(1, |s, v, i| ghost(i, mass(self.param(s, v, param::WG))));
    }

    /// m/s, one an edge.
    pub fn read_ghost_velocities(&self, mut put: impl FnMut(usize, [f64; 3])) {
        self.visit(1, |s, v, i| put(i, self.state3(s, v, state::GU).to_array()));
    }

    fn per_h2(&self) -> f64 {
        if self.last_h > 0.0 { 1.0 / (self.last_h * self.last_h) } else { 0.0 }
    }

    /// Ψ/2 of the element around a vertex.
    fn half_rotation(&self, strand: usize, vertex: usize) -> Vec3<f64> {
        let last = self.layout.counts[strand] as usize - 1;
        let held = |end: usize| self.held_frame(end, strand);
        let between = |a: &EdgeFrame<f64>, b: &EdgeFrame<f64>| rodrigues(a, b).half;
        match vertex {
            0 => held(0).map_or(Vec3::zero(), |h| between(&h, &self.frame(strand, 0))),
            v if v == last => held(1).map_or(Vec3::zero(), |h| between(&self.frame(strand, v - 1), &h)),
            v => between(&self.frame(strand, v - 1), &self.frame(strand, v)),
        }
    }
}
