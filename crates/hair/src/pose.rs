//! Where the guides are: positions and turns since the bind pose, at the shares of each table.

use crate::kernels::{Sample, sample, turn};
use crate::layout::{EVEN, NUMBERS, Samples, Strand, Tap, WIDTH};
use crate::{Guides, Hair, Mark, Result, check_finite, check_frames, check_guides, fail, relative};
use withy_math::Quat;
use withy_math::vec3::vec3;

/// Guides as they are now, ready for [`Hair::read`]. Kept by the caller, it allocates once.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    /// One list a table.
    pub(crate) samples: Vec<Vec<Samples>>,
    /// Where the host has put each root: less the origin, m, and its turn. Empty: nowhere.
    pub(crate) roots: Vec<[f32; NUMBERS]>,
    /// m
    pub(crate) origin: [f64; 3],
    pub(crate) of: Mark,
    /// Of each vertex: where it is, less the origin.
    positions: Vec<[f32; 4]>,
    /// Of each edge, at its first vertex: its turn since the bind pose.
    turns: Vec<[f32; 4]>,
}

/// Roots of the render strands as the host's scalp has them. Slices of one length.
#[derive(Clone, Copy, Debug, Default)]
pub struct Roots<'a> {
    /// m, one a strand.
    pub positions: &'a [[f64; 3]],
    /// Unit quaternions xyzw, one a strand: turns since the bind pose.
    pub rotations: &'a [[f64; 4]],
}

impl Roots<'_> {
    /// Errors: arrays of another length, numbers that are not finite, quaternions without length.
    pub fn check(&self, strands: usize) -> Result<()> {
        for (field, has) in [("positions of the roots", self.positions.len()), ("rotations of the roots", self.rotations.len())] {
            if has != strands {
                return fail(format!("{field} has {has} entries: there are {strands} strands"));
            }
        }
        check_finite("positions of the roots", self.positions)?;
        check_frames("rotations of the roots", self.rotations)
    }
}

impl Pose {
    /// A point near the guides, m.
    pub fn origin(&self) -> [f64; 3] {
        self.origin
    }
}

impl Hair {
    /// Reads the guides as they are now. `guides` has the strands of the bind pose.
    ///
    /// Errors: other strands, numbers that are not finite. `pose` then stays as it was.
    pub fn pose(&self, guides: &Guides, roots: Option<&Roots>, pose: &mut Pose) -> Result<()> {
        if guides.counts != self.rest.counts {
            return fail(format!(
                "counts: {} guides with {} vertices, the hair was bound to {} with {}",
                guides.counts.len(),
                guides.positions.len(),
                self.rest.counts.len(),
                self.rest.positions.len()
            ));
        }
        check_guides(guides)?;
        if let Some(roots) = roots {
            roots.check(self.strands())?;
        }
        pose.origin = guides.positions[0];
        pose.positions.clear();
        let origin = pose.origin;
        pose.positions.extend(guides.positions.iter().map(|p| {
            let [x, y, z] = relative(*p, origin);
            [x, y, z, 0.0]
        }));
        pose.turns.clear();
        let (mut now, mut rest) = (guides.frames, self.rest.frames.as_slice());
        for &n in guides.counts {
            let edges = n as usize - 1;
            pose.turns.extend(now[..edges].iter().zip(rest).map(|(a, b)| numbers(turn(quat(a.map(|x| x as f32)), quat(*b)))));
            // A guide's last vertex has the turn of its last edge, so that edges count as vertices do.
            pose.turns.extend(pose.turns.last().copied());
            (now, rest) = (&now[edges..], &rest[edges..]);
        }
        pose.roots.clear();
        if let Some(r) = roots {
            pose.roots.extend(r.positions.iter().zip(r.rotations).map(|(p, q)| {
                let ([x, y, z], [a, b, c, d]) = (relative(*p, origin), crate::unit(*q).map(|x| x as f32));
                [x, y, z, a, b, c, d]
            }));
        }
        self.sample(pose);
        Ok(())
    }

    pub(crate) fn pose_at_rest(&self, pose: &mut Pose) {
        pose.origin = self.rest.origin;
        pose.positions.extend(self.rest.positions.iter().map(|[x, y, z]| [*x, *y, *z, 0.0]));
        pose.turns.resize(pose.positions.len(), [0.0, 0.0, 0.0, 1.0]);
        self.sample(pose);
    }

    fn sample(&self, pose: &mut Pose) {
        pose.of = self.mark;
        // Guides of two and three vertices have weights of 0 for those that follow.
        let end = [pose.positions.last().copied().unwrap_or_default(); 4];
        pose.positions.extend(end);
        pose.turns.extend([[0.0, 0.0, 0.0, 1.0]]);
        pose.samples.resize_with(self.tables.len(), Vec::new);
        for (table, samples) in self.tables.iter().zip(&mut pose.samples) {
            samples.clear();
            samples.extend(table.taps.chunks_exact(WIDTH).map(|taps| group(taps, &pose.positions, &pose.turns)));
        }
    }

    /// The blend of the guides' positions at a vertex, as a read computes it.
    pub(crate) fn blend(&self, pose: &Pose, s: &Strand, vertex: usize) -> [f32; 3] {
        let table = &self.tables[s.table as usize];
        let i = if s.samples == EVEN { vertex } else { self.offsets.samples[s.samples as usize + vertex] as usize };
        let at = |k: usize| &pose.samples[s.table as usize][s.guides[k] as usize * table.groups() + i / WIDTH];
        let mut sum = [0.0; 3];
        for k in 0..3 {
            for (sum, row) in sum.iter_mut().zip(at(k)) {
                *sum += s.weights[k] * row[i % WIDTH];
            }
        }
        sum
    }
}

fn quat([x, y, z, w]: [f32; 4]) -> Quat<f32> {
    Quat { x, y, z, w }
}

fn numbers(q: Quat<f32>) -> [f32; 4] {
    [q.x, q.y, q.z, q.w]
}

#[inline(always)]
fn group(taps: &[Tap], positions: &[[f32; 4]], turns: &[[f32; 4]]) -> Samples {
    let mut out = Samples::default();
    for (k, tap) in taps.iter().enumerate().take(WIDTH) {
        let p = &positions[tap.first as usize..tap.first as usize + 4];
        let q = &turns[tap.edge as usize..tap.edge as usize + 2];
        let p = [
            vec3(p[0][0], p[0][1], p[0][2]),
            vec3(p[1][0], p[1][1], p[1][2]),
            vec3(p[2][0], p[2][1], p[2][2]),
            vec3(p[3][0], p[3][1], p[3][2]),
        ];
        let Sample { at, turn } = sample(p, tap.weights, quat(q[0]), quat(q[1]), tap.share);
        for (row, number) in out.iter_mut().zip([at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w]) {
            row[k] = number;
        }
    }
    out
}
