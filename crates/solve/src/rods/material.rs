//! What a host has described of a set of rods, and what a step makes of it.
//!
//! ```text
//! RodsDesc  →  Material  →  Buffers::params, extra
//!              authored      compiled for substeps of one length, by StrandMaterial::write
//! ```
//! A material is in f64 and in host order. Who changes it is a host, or a search that a host asked for: nothing that is compiled finds its way back.

use super::compile::element_stiffness;
use super::der::kernels::ElementRest;
use super::models::{ElementStiffness, Model, by_model};
use super::newton::RIGID;
use super::volume::{self, shares};
use crate::desc::{EndSupport, Hill, Muscle, Peak, RodsDesc, Stiffness, SweepOrder};
use crate::layout::{Buffers, CUT, Layout, bulk, hill, param};
use crate::math::approx::sin_cos;
use crate::math::{Elem, Vec3};

/// Rest length of the edge after a vertex, m, and the strains of the element around it as in `RestShape::Strains`.
pub type RestRow = (f64, [f64; 5]);

/// Rest lengths down to this part of those that the rods were made with do not change what a step takes: searches for rest shapes change them by less, and
/// what they find holds for the stiffness that they were given.
const SHORTER: f64 = 0.5;

/// The authored numbers of a set of rods, beside the scalars of their description. Rows of vertices are in host order.
#[derive(Clone, Debug)]
pub struct Material {
    /// Section radius, m: one, or one a vertex.
    pub radii: Vec<f64>,
    /// `RodsDesc::stiffness_scale`: none, one, or one a vertex.
    pub scale: Vec<f64>,
    /// Length of the edge after a vertex when the rods were made, m, which its mass is of.
    pub lengths: Vec<f64>,
    /// Ghost distance of each strand, m.
    pub ghosts: Vec<f64>,
    pub rest: Vec<RestRow>,
    /// The rest shape that was given, if another has been found for a load; else empty. Bounds are around it.
    pub given: Vec<RestRow>,
    /// Stiffness over that of the description: against bending and twisting at a vertex, and against stretching after it. Empty: 1.
    pub factors: Vec<[f64; 2]>,
    /// Of each strand, the substep that its rest shape was found for, s: shorter ones do not make it stiffer. 0: it was given.
    pub found_for: Vec<f64>,
    /// Of each strand, the vertices from a held root on that a collider covers where they are made: no collider touches them. Empty: none.
    pub covered: Vec<u32>,
    /// Edges that are cut, by their first vertices, in order: nothing holds their ends together, nor turns one end against the other.
    pub cuts: Vec<u32>,
}

/// What the contact distance of a covered vertex is multiplied by: so far inside nothing is found.
pub const COVERED: f64 = -1e6;

fn at<T: Copy>(values: &[T], i: usize, default: T) -> T {
    match values {
        [] => default,
        [one] => *one,
        all => all[i],
    }
}

impl Material {
    pub fn strand<'a>(&'a self, desc: &'a RodsDesc, layout: &Layout, strand: usize) -> StrandMaterial<'a> {
        let (start, vertices) = (layout.starts[strand] as usize, layout.counts[strand] as usize);
        let (ghost, found_for, rest) = (self.ghosts[strand], self.found_for[strand], &self.rest[start..start + vertices]);
        StrandMaterial { material: self, desc, rest, ghost, found_for, start, vertices }
    }

    pub fn bytes(&self) -> usize {
        (self.radii.len() + self.scale.len() + self.lengths.len() + self.ghosts.len() + self.found_for.len()) * size_of::<f64>()
            + (self.rest.len() + self.given.len()) * size_of::<RestRow>()
            + self.factors.len() * size_of::<[f64; 2]>()
            + (self.covered.len() + self.cuts.len()) * 4
    }
}

/// The material of one strand; vertices are counted in it.
#[derive(Clone, Copy)]
pub struct StrandMaterial<'a> {
    material: &'a Material,
    desc: &'a RodsDesc,
    rest: &'a [RestRow],
    ghost: f64,
    pub found_for: f64,
    start: usize,
    vertices: usize,
}

impl<'a> StrandMaterial<'a> {
    /// The same with another rest shape.
    pub fn with_rest(self, rest: &'a [RestRow]) -> Self {
        StrandMaterial { rest, ..self }
    }
    /// The same with the rest shape that was given.
    pub fn as_given(self) -> Self {
        self.with_rest(&self.material.given[self.start..self.start + self.vertices])
    }

    /// Of the section at a vertex at rest, m.
    pub fn radius(&self, v: usize) -> f64 {
        at(&self.material.radii, self.start + v, 0.0)
    }
    fn scale(&self, v: usize) -> f64 {
        at(&self.material.scale, self.start + v, 1.0)
    }
    pub fn factors(&self, v: usize) -> [f64; 2] {
        at(&self.material.factors, self.start + v, [1.0; 2])
    }
    pub fn rest(&self, v: usize) -> RestRow {
        self.rest[v]
    }
    /// Whether the edge after a vertex is cut.
    pub fn is_cut(&self, v: usize) -> bool {
        !self.material.cuts.is_empty() && self.material.cuts.binary_search(&((self.start + v) as u32)).is_ok()
    }

    /// Of an edge without its ghost point, and of that, kg.
    pub fn edge_masses(&self, v: usize) -> [f64; 2] {
        let a = 0.5 * (self.radius(v) + self.radius(v + 1));
        let mass = self.desc.density * core::f64::consts::PI * a * a * self.desc.aspect * self.material.lengths[self.start + v];
        let ghost = by_model!(self.desc.model, M => M::ghost_mass(self.desc, mass, a, self.ghost));
        [mass - ghost, ghost]
    }
    /// Of a vertex, kg.
    pub fn mass(&self, v: usize) -> f64 {
        let before = if v > 0 { 0.5 * self.edge_masses(v - 1)[0] } else { 0.0 };
        let after = if v + 1 < self.vertices { 0.5 * self.edge_masses(v)[0] } else { 0.0 };
        before + after
    }
    /// Whether the description's supports hold a vertex. A clamp holds an edge, or a vertex and a frame.
    pub fn is_held(&self, v: usize) -> bool {
        let held = |end: EndSupport, from: usize| match end {
            EndSupport::Free => false,
            EndSupport::Clamped if self.desc.model.clamps_edge() => from <= 1,
            _ => from == 0,
        };
        held(self.desc.root, v) || held(self.desc.tip, self.vertices - 1 - v)
    }
    fn weight(&self, v: usize) -> f64 {
        if self.is_held(v) { 0.0 } else { 1.0 / self.mass(v) }
    }

    /// EA of the edge after a vertex, N, and EI about both axes and GJ of the element around it, N m², as described, and as often as its factors say.
    pub fn described(&self, v: usize) -> [f64; 4] {
        let Stiffness::Physical { young, shear } = self.desc.stiffness else { return [0.0; 4] };
        let pull = if self.desc.stretch_modulus > 0.0 { self.desc.stretch_modulus } else { young };
        let ([a, b, twist], _) = element_stiffness(young, shear, self.radius(v), self.desc.aspect);
        let by = self.factors(v);
        let bend = self.scale(v) * by[0];
        let ea = if v + 1 < self.vertices {
            let (_, axial) = element_stiffness(pull, shear, 0.5 * (self.radius(v) + self.radius(v + 1)), self.desc.aspect);
            axial * (0.5 * (self.scale(v) + self.scale(v + 1)) * by[1])
        } else {
            0.0
        };
        [ea, a * bend, b * bend, twist * bend]
    }

    /// The length that limits are of, m.
    fn length(&self, v: usize) -> f64 {
        self.material.lengths[self.start + v].min(self.rest(v).0 / SHORTER)
    }
    /// Half of the edges at a vertex, of that `length` each, m.
    fn half(&self, v: usize, length: impl Fn(usize) -> f64) -> f64 {
        0.5 * (if v > 0 { length(v - 1) } else { 0.0 } + if v + 1 < self.vertices { length(v) } else { 0.0 })
    }

    /// The compliance of the element at a vertex that is as much as `part` of what moves its lighter neighbour, about its axes, 1/(N m) for `part` in s².
    pub fn least_element(&self, v: usize, part: f64) -> [f64; 3] {
        let (e, f) = (v.max(1) - 1, v.min(self.vertices - 2));
        let shorter = self.length(e).min(self.length(f));
        let bend = part * self.weight(f).max(self.weight(f + 1)) / (shorter * shorter).max(f64::MIN_POSITIVE);
        let turn = part / (self.edge_masses(f)[1] * self.ghost * self.ghost).max(f64::MIN_POSITIVE);
        [bend, bend, by_model!(self.desc.model, M => M::least_twist(bend, turn))]
    }

    /// The largest of [`Self::described`] that a substep of `h` seconds takes for what they are (`RIGID`); f64 where `double`. Sweeps take any.
    pub fn limit(&self, v: usize, h: f64, double: bool) -> [f64; 4] {
        if self.desc.order != SweepOrder::Direct {
            return [f64::INFINITY; 4];
        }
        let least = RIGID[usize::from(double)] * h * h;
        let ea =
            if v + 1 < self.vertices { self.length(v) / (least * self.weight(v).max(self.weight(v + 1))) } else { f64::INFINITY };
        let half = self.half(v, |v| self.length(v));
        let [a, b, twist] = self.least_element(v, least).map(|least| half / least);
        [ea, a, b, twist]
    }

    /// As much of [`Self::described`] as a substep of `h` seconds takes.
    pub fn taken(&self, v: usize, h: f64, double: bool) -> [f64; 4] {
        let (described, limit) = (self.described(v), self.limit(v, h, double));
        core::array::from_fn(|k| described[k].min(limit[k]))
    }

    /// Rest and stiffness of the element at a vertex as a substep of `h` seconds takes it, and how many of its strains are curvatures.
    pub fn element(&self, v: usize, h: f64, double: bool) -> (ElementRest<f64>, usize) {
        let (taken, half) = (self.taken(v, h, double), self.half(v, |v| self.rest(v).0));
        let loose = self.is_cut(v) || (v > 0 && self.is_cut(v - 1));
        let [a, b, turn] = [1, 2, 3].map(|k| if loose { 0.0 } else { taken[k] / half });
        let [first, second, third, fourth, twist] = self.rest(v).1;
        let (psi, extra) = (Vec3::from([first, second, twist]), [third, fourth]);
        let k = ElementStiffness { bend: [a, b], turn };
        by_model!(self.desc.model, M => (M::rest(psi, extra, k), M::CURVATURES))
    }

    pub fn poisson_ratio(&self) -> f64 {
        self.desc.poisson_ratio
    }
    /// 2μ and λ of the edge after a vertex, over E, as a substep of `h` seconds takes them. λA has the limit that EA has: where a step takes less, volume gives more, and E stays what it is.
    pub fn volume_shares(&self, v: usize, h: f64, double: bool) -> [f64; 2] {
        let [shear, bulk] = shares(self.desc.poisson_ratio);
        [shear, bulk.min(self.limit(v, h, double)[0] / self.taken(v, h, double)[0])]
    }

    /// g μ Ip over the length between the middles of the edges at a vertex, N m, of which μ Ip = EA r²/4(1+ν) is the mean of both edges'; 0 where it has one.
    /// `waves`: i and g ([`volume::wave_factors`]).
    pub fn spread(&self, v: usize, h: f64, double: bool, waves: (f64, f64)) -> f64 {
        let loose = self.is_cut(v) || (v > 0 && self.is_cut(v - 1));
        if v == 0 || v + 1 >= self.vertices || loose {
            return 0.0;
        }
        let stiffness = |v: usize| self.taken(v, h, double)[0] * self.edge_radius(v) * self.edge_radius(v);
        let stiffness = 0.125 * (stiffness(v - 1) + stiffness(v)) * shares(self.desc.poisson_ratio)[0];
        waves.1 * stiffness / self.half(v, |v| self.rest(v).0)
    }

    /// Of the section of the edge after a vertex at rest, m.
    fn edge_radius(&self, v: usize) -> f64 {
        0.5 * (self.radius(v) + self.radius(v + 1))
    }

    /// What a section of vertex `v` and the edge after it need to keep their volume. Returns whether a step takes it all.
    fn write_volume<E: Elem>(
        &self,
        (layout, strand, v): (&Layout, usize, usize),
        h: f64,
        waves: (f64, f64),
        b: &mut Buffers<E>,
    ) -> bool {
        let mut put = |field: usize, value: f64| b.bulk[layout.index(strand, v, bulk::ROWS, field)] = E::from_f64(value);
        put(bulk::SPREAD, self.spread(v, h, E::IS_F64, waves));
        if v + 1 == self.vertices {
            return true;
        }
        let [shear, bulk] = self.volume_shares(v, h, E::IS_F64);
        let [vertices, ghost] = self.edge_masses(v);
        put(bulk::SHEAR, shear);
        put(bulk::BULK, bulk);
        put(bulk::INERTIA, 0.5 * waves.0 * (vertices + ghost) * self.edge_radius(v) * self.edge_radius(v));
        bulk == shares(self.desc.poisson_ratio)[1]
    }

    /// What Hill's force of the edge after vertex `v` needs. What is cut pulls no more.
    fn write_hill<E: Elem>(&self, layout: &Layout, strand: usize, v: usize, muscle: &Hill, b: &mut Buffers<E>) {
        let radius = 0.5 * (self.radius(v) + self.radius(v + 1));
        let peak = match muscle.peak {
            _ if self.is_cut(v) => 0.0,
            Peak::Stress(stress) => stress * core::f64::consts::PI * radius * radius,
            Peak::Force(force) => force,
        };
        let cos = sin_cos(muscle.pennation).1;
        let rows = [
            (hill::PEAK, peak),
            (hill::OPTIMAL, muscle.optimal_ratio * self.rest(v).0),
            (hill::SPEED, muscle.max_velocity),
            (hill::COS, cos),
        ];
        for (row, value) in rows {
            b.hill[layout.index(strand, v, hill::ROWS, row)] = E::from_f64(value);
        }
    }

    /// Compiles the constants of the strand, all but the weights of vertices, for substeps of `h` seconds. Returns whether such a step takes all for what it is.
    pub fn write<E: Elem>(&self, layout: &Layout, strand: usize, h: f64, b: &mut Buffers<E>) -> bool {
        let mut whole = true;
        let h_taken = h.max(self.found_for);
        let waves = self.desc.keeps_volume().then(|| volume::wave_factors(self.desc.poisson_ratio));
        for v in 0..self.vertices {
            let first = layout.index(strand, v, param::ROWS, 0);
            let width = layout.blocks[layout.places[strand].block as usize].width;
            let mut put = |field: usize, value: f64| b.params[first + field * width] = E::from_f64(value);
            let (length, strains) = self.rest(v);
            let contact = self.desc.collision_radius;
            let contact = if contact > 0.0 { contact } else { self.radius(v) };
            let covered = at(&self.material.covered, strand, 0) as usize;
            put(param::RADIUS, if v < covered { COVERED * contact } else { contact });
            (0..3).for_each(|k| put(param::PSI + k, strains[[0, 1, 4][k]]));
            let edge = v + 1 < self.vertices;
            let (cut, loose) = (self.is_cut(v), self.is_cut(v) || (v > 0 && self.is_cut(v - 1)));
            if edge {
                put(param::WG, 1.0 / self.edge_masses(v)[1]);
                put(param::LENGTH, length);
                put(param::GHOST, self.ghost);
            }
            match self.desc.stiffness {
                Stiffness::Physical { .. } => {
                    let (described, taken) = (self.described(v), self.taken(v, h_taken, E::IS_F64));
                    whole &= described == taken;
                    // The element around a vertex joins the edges before and after it; at an end it is half an edge long.
                    let half = self.half(v, |v| self.rest(v).0);
                    (0..3).for_each(|k| put(param::BEND + k, if loose { CUT } else { half / taken[1 + k] }));
                    if edge {
                        put(param::STRETCH, if cut { CUT } else { length / taken[0] });
                    }
                    if self.desc.viscosity > 0.0 {
                        // Viscosity and stiffness together are not stiffer than a step takes.
                        let limit = self.limit(v, h, E::IS_F64);
                        let room = |k: usize| (self.desc.viscosity / h).min((limit[k] / taken[k] - 1.0).max(0.0));
                        put(param::VISCOUS, if edge { room(0) } else { 0.0 });
                        put(param::VISCOUS + 1, room(1).min(room(2)));
                        put(param::VISCOUS + 2, room(3));
                    }
                }
                Stiffness::Alpha { bend1, bend2, twist, stretch } => {
                    for (k, alpha) in [bend1, bend2, twist].into_iter().enumerate() {
                        put(param::BEND + k, (alpha * self.scale(v)).min(1.0));
                    }
                    put(param::STRETCH, (stretch * self.scale(v)).min(1.0));
                }
            }
            if let Some(waves) = waves {
                whole &= self.write_volume((layout, strand, v), h_taken, waves, b);
            }
            if let (Some(Muscle::Hill(muscle)), true) = (&self.desc.muscle, edge) {
                self.write_hill(layout, strand, v, muscle, b);
            }
            let extra = self.desc.model.extra_rows();
            for k in 0..extra {
                b.extra[layout.index(strand, v, extra, k)] = E::from_f64(strains[2 + k]);
            }
        }
        whole
    }
}
