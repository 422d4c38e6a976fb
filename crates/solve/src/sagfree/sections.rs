//! Rest shapes of rods that keep their volume, from those of rods whose sections stay.
//!
//! Statics know rods whose sections stay. In a pose, their edges carry tensions N and their elements moments M, and this is all that vertices
//! and frames feel. A rod that keeps its volume is in equilibrium in the same pose, under the same loads, if it carries the same N and M and
//! each of its sections rests:
//!
//! ```text
//! N = EA (2μ ε + λ s² δ)/E                   rest lengths, from N and s
//! M = K s (s y − ȳ)                          rest strains, from M and s
//! 0 = ∂E/∂s                                  the scales s, a tridiagonal system with N and M held
//! ```
//! [`carried`] is the way back: what a rod that keeps its volume carries, from which [`without_sections`] makes the rest shape of one
//! whose sections stay. (`docs/internals/volume.md`, "Rest shapes".)

use crate::rods::der::kernels::{ElementRest, Strains};
use crate::rods::material::{RestRow, StrandMaterial};
use crate::rods::volume::{LEAST_SCALE, wave_factors};

/// Newton steps at most, and when they end. Three to six are the rule.
const STEPS: usize = 60;
const THERE: f64 = 1e-13;

/// How far an edge may be stretched or pressed by what it carries, and the largest scale: beyond, there is no rest shape.
const STRETCHED: [f64; 2] = [0.05, 20.0];
const LARGEST_SCALE: f64 = 20.0;

/// A strand's pose as its strains see it: the length of the edge after each vertex, m, and the strains of the element around it, if there is one.
#[derive(Clone, Debug, Default)]
pub struct Strained {
    pub lengths: Vec<f64>,
    /// Edges of which both ends are held: they keep their rest length, as clamps put the second end there.
    pub kept: Vec<bool>,
    pub strains: Vec<Option<Strains<f64>>>,
}

/// What edges carry, N, and elements, N m by each of their strains.
#[derive(Clone, Debug, Default)]
pub struct Carried {
    pub tensions: Vec<f64>,
    pub moments: Vec<Strains<f64>>,
}

/// What a step makes of the material: the substep's length, s, and whether it is in f64.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub h: f64,
    pub double: bool,
}

/// Stiffness of an element against each of its strains, N m; 0 where the model has no such strain.
fn stiffness_of(element: &ElementRest<f64>, curvatures: usize) -> Strains<f64> {
    core::array::from_fn(|j| match j {
        4 => element.turn,
        j if j < curvatures => element.bend[j],
        _ => 0.0,
    })
}

fn stiffness(of: &StrandMaterial<'_>, v: usize, step: Step) -> Strains<f64> {
    let (element, curvatures) = of.element(v, step.h, step.double);
    stiffness_of(&element, curvatures)
}

/// What rods carry whose sections stay.
pub fn carried_plainly(of: &StrandMaterial<'_>, pose: &Strained, step: Step) -> Carried {
    let tension = |(v, length): (usize, &f64)| of.taken(v, step.h, step.double)[0] * (length / of.rest(v).0 - 1.0);
    let moments = pose.strains.iter().enumerate().map(|(v, y)| {
        let Some(y) = y else { return [0.0; 5] };
        let (k, rest) = (stiffness(of, v, step), of.rest(v).1);
        core::array::from_fn(|j| k[j] * (y[j] - rest[j]))
    });
    Carried { tensions: pose.lengths.iter().enumerate().map(tension).collect(), moments: moments.collect() }
}

/// What rods carry that keep their volume, with those `scales` of their sections.
pub fn carried(of: &StrandMaterial<'_>, pose: &Strained, scales: &[f64], step: Step) -> Carried {
    let tension = |(v, length): (usize, &f64)| {
        let ([shear, bulk], ea) = (of.volume_shares(v, step.h, step.double), of.taken(v, step.h, step.double)[0]);
        let (l, s) = (length / of.rest(v).0, scales[v]);
        ea * (shear * (l - 1.0) + bulk * s * s * (s * s * l - 1.0))
    };
    let moments = pose.strains.iter().enumerate().map(|(v, y)| {
        let Some(y) = y else { return [0.0; 5] };
        let (k, rest, s) = (stiffness(of, v, step), of.rest(v).1, at(scales, v));
        core::array::from_fn(|j| k[j] * s * (s * y[j] - rest[j]))
    });
    Carried { tensions: pose.lengths.iter().enumerate().map(tension).collect(), moments: moments.collect() }
}

/// The rest shape of a rod whose sections stay and that carries the same.
pub fn without_sections(of: &StrandMaterial<'_>, pose: &Strained, carried: &Carried, step: Step) -> Vec<RestRow> {
    let mut rest: Vec<RestRow> = (0..pose.strains.len()).map(|v| of.rest(v)).collect();
    for (v, length) in pose.lengths.iter().enumerate().filter(|(v, _)| !pose.kept[*v]) {
        // (The stiffness that a step takes may hang on the rest length, but only where that is less than half of what it was.)
        rest[v].0 = length / (1.0 + carried.tensions[v] / of.taken(v, step.h, step.double)[0]);
    }
    let strains: Vec<Option<[f64; 5]>> = {
        let of = of.with_rest(&rest);
        let strain = |(v, y): (usize, &Option<Strains<f64>>)| {
            let (y, k) = ((*y)?, stiffness(&of, v, step));
            Some(core::array::from_fn(|j| if k[j] > 0.0 { y[j] - carried.moments[v][j] / k[j] } else { of.rest(v).1[j] }))
        };
        pose.strains.iter().enumerate().map(strain).collect()
    };
    for (row, strains) in rest.iter_mut().zip(strains) {
        row.1 = strains.unwrap_or(row.1);
    }
    rest
}

/// The scale of the section at a vertex: the mean of its edges'.
fn at(scales: &[f64], v: usize) -> f64 {
    0.5 * (scales[v.max(1) - 1] + scales[v.min(scales.len() - 1)])
}

/// What the rows of sections are put together from.
struct Sections<'a> {
    of: StrandMaterial<'a>,
    pose: &'a Strained,
    /// What the host presses with, one an edge, N m.
    push: &'a [f64],
    step: Step,
    waves: (f64, f64),
}

/// Of an edge: ∂E/∂s, N m, and its derivative.
type Row = [f64; 2];

impl<'a> Sections<'a> {
    fn new(of: StrandMaterial<'a>, pose: &'a Strained, push: &'a [f64], step: Step) -> Self {
        Sections { of, pose, push, step, waves: wave_factors(of.poisson_ratio()) }
    }

    /// Of an edge with its rest length.
    fn unloaded(&self, e: usize, s: f64) -> Row {
        let Sections { of, pose, step, .. } = self;
        let ([shear, bulk], ea) = (of.volume_shares(e, step.h, step.double), of.taken(e, step.h, step.double)[0]);
        let (rest, l) = (of.rest(e).0, pose.lengths[e] / of.rest(e).0);
        let (j, whole) = (s * s * l, 2.0 * ea * rest);
        let slope = shear + bulk * l * (3.0 * j - 1.0).max(2.0 * j);
        [whole * (shear * (s - 1.0) + bulk * s * l * (j - 1.0)), whole * slope]
    }

    /// A Newton step for all scales; returns the largest change, or nothing where that is not a number. `edge` and `element` give ∂E/∂s of either for a scale, and its
    /// derivative.
    fn newton(&self, scales: &mut [f64], edge: impl Fn(usize, f64) -> Row, element: impl Fn(usize, f64) -> Row) -> Option<f64> {
        let n = scales.len();
        let (mut side, mut diagonal, mut beside) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        for e in 0..n {
            let [g, d] = edge(e, scales[e]);
            (side[e], diagonal[e]) = (g - self.push[e], d);
        }
        for (v, y) in self.pose.strains.iter().enumerate() {
            let (a, b) = (v.max(1) - 1, v.min(n - 1));
            if y.is_some() {
                let [g, d] = element(v, at(scales, v));
                for e in [a, b] {
                    side[e] += 0.5 * g;
                    diagonal[e] += 0.25 * d;
                }
                if a == b {
                    diagonal[a] += 0.5 * d;
                } else {
                    beside[a] += 0.25 * d;
                }
            }
            if a != b {
                let spread = self.of.spread(v, self.step.h, self.step.double, self.waves);
                let d = spread * (scales[b] - scales[a]);
                (side[a], side[b]) = (side[a] - d, side[b] + d);
                (diagonal[a], diagonal[b], beside[a]) = (diagonal[a] + spread, diagonal[b] + spread, beside[a] - spread);
            }
        }
        // From the first edge to the last, and back.
        for e in 1..n {
            let by = beside[e - 1] / diagonal[e - 1];
            diagonal[e] -= by * beside[e - 1];
            side[e] -= by * side[e - 1];
        }
        let mut most = 0.0f64;
        let mut next = 0.0;
        for e in (0..n).rev() {
            let step = (-side[e] - if e + 1 < n { beside[e] * next } else { 0.0 }) / diagonal[e];
            if !step.is_finite() {
                return None;
            }
            next = step;
            let was = scales[e];
            scales[e] = (was + step).clamp(0.5 * was, 2.0 * was).clamp(LEAST_SCALE, LARGEST_SCALE);
            most = most.max((scales[e] - was).abs());
        }
        Some(most)
    }

    fn solve(
        &self,
        mut scales: Vec<f64>,
        edge: impl Fn(usize, f64) -> Row,
        element: impl Fn(usize, f64) -> Row,
    ) -> Option<Vec<f64>> {
        for _ in 0..STEPS {
            if self.newton(&mut scales, &edge, &element)? < THERE {
                let inside = |s: &f64| LEAST_SCALE < *s && *s < LARGEST_SCALE;
                return scales.iter().all(inside).then_some(scales);
            }
        }
        None
    }
}

/// Scales at which the sections of a strand rest in a pose, with the rest shape that it has; `first`: where the search begins. Nothing where there are
/// none within bounds.
pub fn settled(of: &StrandMaterial<'_>, pose: &Strained, first: Vec<f64>, push: &[f64], step: Step) -> Option<Vec<f64>> {
    let sections = Sections::new(*of, pose, push, step);
    let edge = |e: usize, s: f64| sections.unloaded(e, s);
    let element = |v: usize, s: f64| {
        let (y, k, rest) = (pose.strains[v].unwrap_or([0.0; 5]), stiffness(of, v, step), of.rest(v).1);
        let sum = |f: &dyn Fn(usize) -> f64| (0..5).map(f).sum::<f64>();
        [sum(&|j| k[j] * y[j] * (s * y[j] - rest[j])), sum(&|j| k[j] * y[j] * y[j])]
    };
    sections.solve(first, edge, element)
}

/// The rest shape with which a rod that keeps its volume carries in a pose what one with the rest shape of `of` carries whose sections stay, and the scales
/// of its sections there. Nothing where loads are beyond any.
pub fn with_sections(of: &StrandMaterial<'_>, pose: &Strained, push: &[f64], step: Step) -> Option<(Vec<RestRow>, Vec<f64>)> {
    let plain = carried_plainly(of, pose, step);
    // ε and dε/ds of an edge that carries N.
    let stretch = |e: usize, s: f64| {
        let [shear, bulk] = of.volume_shares(e, step.h, step.double);
        let n = plain.tensions[e] / of.taken(e, step.h, step.double)[0];
        let (s2, below) = (s * s, shear + bulk * s.powi(4));
        let stretch = (n - bulk * s2 * (s2 - 1.0)) / below;
        let slope = -(bulk * (4.0 * s2 * s - 2.0 * s) + stretch * 4.0 * bulk * s2 * s) / below;
        (n, shear, stretch, slope)
    };
    let bounded = |stretch: f64| (1.0 + stretch).clamp(STRETCHED[0], STRETCHED[1]);
    let sections = Sections::new(*of, pose, push, step);
    let edge = |e: usize, s: f64| {
        if pose.kept[e] {
            return sections.unloaded(e, s);
        }
        let (n, shear, stretch, slope) = stretch(e, s);
        let (l, rest) = (1.0 + stretch, n - shear * stretch);
        let whole = 2.0 * of.taken(e, step.h, step.double)[0] * pose.lengths[e] / bounded(stretch);
        let first = shear * (s - 1.0) + l * rest / s;
        let second = shear + slope * (rest - shear * l) / s - l * rest / (s * s);
        [whole * first, whole * second]
    };
    let element = |v: usize, s: f64| {
        let (y, m) = (pose.strains[v].unwrap_or([0.0; 5]), plain.moments[v]);
        let work: f64 = (0..5).map(|j| y[j] * m[j]).sum();
        [work / s, -work / (s * s)]
    };
    let scales = sections.solve(vec![1.0; pose.lengths.len()], edge, element)?;
    let mut rest: Vec<RestRow> = (0..pose.strains.len()).map(|v| of.rest(v)).collect();
    for (e, s) in scales.iter().enumerate().filter(|(e, _)| !pose.kept[*e]) {
        let l = 1.0 + stretch(e, *s).2;
        if !(STRETCHED[0]..=STRETCHED[1]).contains(&l) {
            return None;
        }
        rest[e].0 = pose.lengths[e] / l;
    }
    let rows: Vec<[f64; 5]> = {
        let of = of.with_rest(&rest);
        let row = |(v, y): (usize, &Option<Strains<f64>>)| {
            let Some(y) = y else { return of.rest(v).1 };
            let (k, s) = (stiffness(&of, v, step), at(&scales, v));
            core::array::from_fn(|j| if k[j] > 0.0 { s * y[j] - plain.moments[v][j] / (k[j] * s) } else { of.rest(v).1[j] })
        };
        pose.strains.iter().enumerate().map(row).collect()
    };
    rest.iter_mut().zip(rows).for_each(|(row, strains)| row.1 = strains);
    Some((rest, scales))
}
