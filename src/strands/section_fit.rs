//! Where the sections of bundles are: the similarities that are nearest to their vertices and to the frames of their edges.
//!
//! This work is based on: Baptiste Angles, Daniel Rebain, Miles Macklin et al., "VIPER: Volume Invariant Position-based Elastic
//! Rods", 2019, equations 32 to 36, with the moments of a disc in place of eq. 34's frames.

use super::bundle_rest::Load;
use super::section_solver::{Lane, Rows, Spot, V3};
use crate::layout::{scale, state};
use crate::math::{Elem, Quat, Sym3};
use crate::rods::ghost::kernels::edge_frame;

/// Steps towards a section's rotation, and the turn, rad, that ends them.
const FITS: usize = 12;
const FITTED: f64 = 1e-10;

/// Scales of sections.
const SCALES: (f64, f64) = (0.05, 100.0);

/// A vertex of a strand, and the axes of the edge after it, at rest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rest {
    pub place: V3,
    pub axis: V3,
    pub tangent: V3,
    /// Of the edge; 0 after the last vertex.
    pub length: f64,
    /// Of the edge's section, and what springs give the strand: not 1 and nothing where a rest shape has been found for a load.
    pub scale: f64,
    pub load: Load,
}

/// The same as they are, and one over the length and the scale of the edge.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Now {
    pub place: V3,
    pub axis: V3,
    pub tangent: V3,
    pub inv_length: f64,
    pub scale: f64,
}

/// What the frames of an edge of all strands add to the fit of either section: Σ w d d̄ᵀ by columns, and Σ w and Σ w s of their scales.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frames {
    pub turned: [V3; 3],
    pub wide: f64,
    pub grown: f64,
}

/// Where a section is.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// The mean of its vertices, and where what was at the origin at rest would be.
    pub center: V3,
    pub origin: V3,
    pub rotation: Quat<f64>,
    pub scale: f64,
    /// That of its vertices alone, and that of the edges after it.
    pub spread: f64,
    pub grown: f64,
}

/// Where the strands are; `moved`: within a substep, when displacements are in the rows of velocities.
pub(super) fn look<E: Elem>(lanes: &[Lane], count: usize, rows: &Rows<E>, moved: bool, now: &mut [Now]) {
    for (lane, now) in lanes.iter().zip(now.chunks_mut(count)) {
        // SAFETY: the rows are those of the lanes.
        let get = |v: usize, x: usize, u: usize| unsafe {
            let at = lane.three(rows.state, state::ROWS, v, x);
            let by = if moved { lane.three(rows.state, state::ROWS, v, u) } else { V3::zero() };
            (at, by)
        };
        let mut next = get(0, state::X, state::U);
        for (v, spot) in now.iter_mut().enumerate().take(count) {
            let (x0, u0) = next;
            spot.place = x0 + u0;
            if v + 1 == count {
                break;
            }
            next = get(v + 1, state::X, state::U);
            let ((x1, u1), (g, gu)) = (next, get(v, state::GX, state::GU));
            let (dx, du) = (x1 - x0, u1 - u0);
            let f = edge_frame(dx + du, (g - x0 - dx * 0.5) + (gu - u0 - du * 0.5));
            (spot.axis, spot.tangent, spot.inv_length) = (f.d1, f.d3, f.inv_len);
            spot.scale = 1.0;
            if !rows.scales.is_null() {
                // SAFETY: as above.
                let row = |k: usize| unsafe { lane.get(rows.scales, scale::ROWS, v, k) };
                spot.scale += row(scale::SWELL) + if moved { row(scale::GROWTH) } else { 0.0 };
            }
        }
    }
}

/// How much an edge may be longer or shorter than its neighbours for what its section has of that.
const LONGER: (f64, f64) = (0.25, 4.0);

/// The scales that sections of edges would have at the mean stretch of all strands: an edge that is x times as stretched is x^−ν times as wide. So strands of
/// a section do not have to be equally wide where it is bent. (Where they had to, strands that keep their volume had to be equally long: a hard
/// bundle of ν 0.499 did not bend.)
pub(super) fn at_mean_stretch(rest: &[Rest], count: usize, ratio: f64, now: &mut [Now]) {
    let strands = rest.len() / count;
    let stretch = |n: &Now, r: &Rest| 1.0 / (n.inv_length * r.length).max(f64::MIN_POSITIVE);
    for e in 0..count - 1 {
        let mut mean = 0.0;
        for at in (e..rest.len()).step_by(count) {
            mean += stretch(&now[at], &rest[at]) / strands as f64;
        }
        for at in (e..rest.len()).step_by(count) {
            let x = (stretch(&now[at], &rest[at]) / mean).clamp(LONGER.0, LONGER.1) - 1.0;
            // x^ν, by Padé: within 1 % from 0.5 to 2.
            now[at].scale *= (1.0 + 0.5 * (1.0 + ratio) * x) / (1.0 + 0.5 * (1.0 - ratio) * x);
        }
    }
}

/// The similarities that are nearest to the sections. `firm`: where these grow, how many times more firmly than places their areas are held, beyond once.
#[allow(clippy::needless_range_loop, reason = "v counts sections, vertices and edges")]
pub(super) fn fit(
    rest: &[Rest],
    spots: &[Spot],
    now: &[Now],
    firm: Option<&[f64]>,
    frames: &mut [Frames],
    sections: &mut [Section],
) {
    let (count, strands) = (sections.len(), rest.len() / sections.len());
    frames.fill(Frames::default());
    for i in 0..strands {
        for (e, frames) in frames[..count - 1].iter_mut().enumerate() {
            let (r, s, n) = (&rest[i * count + e], &spots[i * count + e], &now[i * count + e]);
            let disc = 0.5 * s.turn;
            let more = (s.tilt - disc).max(0.0);
            let (d2, r2) = (n.tangent.cross(n.axis), r.tangent.cross(r.axis));
            for (d, r, w) in [(n.axis, r.axis, disc), (d2, r2, disc), (n.tangent, r.tangent, more)] {
                let wd = d * w;
                for (a, y) in frames.turned.iter_mut().zip(r.to_array()) {
                    *a = *a + wd * y;
                }
            }
            frames.wide += s.grow * (r.scale * r.scale);
            frames.grown += s.grow * (n.scale * r.scale);
        }
    }
    for v in 0..count {
        let (mut weight, mut center, mut mean) = (0.0, V3::zero(), V3::zero());
        for at in (v..rest.len()).step_by(count) {
            let w = spots[at].pull;
            weight += w;
            center = center + now[at].place * w;
            mean = mean + rest[at].place * w;
        }
        let inv = 1.0 / weight.max(f64::MIN_POSITIVE);
        (center, mean) = (center * inv, mean * inv);
        // Σ m Δ Δ̄ᵀ by columns, with what frames add; the sums of the scale.
        let mut a = [V3::zero(); 3];
        let mut out = 0.0;
        for at in (v..rest.len()).step_by(count) {
            let (x, y) = (now[at].place - center, rest[at].place - mean);
            let wx = x * spots[at].pull;
            for (a, y) in a.iter_mut().zip(y.to_array()) {
                *a = *a + wx * y;
            }
            out += spots[at].pull * y.length2();
        }
        let sum = a;
        let (mut wide, mut grown) = (0.0, 0.0);
        for e in [v.wrapping_sub(1), v] {
            if e < count - 1 {
                for (a, f) in a.iter_mut().zip(frames[e].turned) {
                    *a = *a + f * 0.5;
                }
                wide += 0.5 * frames[e].wide;
                grown += 0.5 * frames[e].grown;
            }
        }
        let e = v.min(count - 2);
        let rotation = rotation(&a, &rest[e], &now[e]);
        let r = rotation.frame();
        let (mut size, mut spread) = (1.0, 1.0);
        if let Some(firm) = firm {
            // Σ m Δ·RΔ̄
            let along: f64 = sum.iter().zip(&r).map(|(a, r)| a.dot(*r)).sum();
            let firm = 1.0 + firm[v];
            (wide, grown) = (wide + firm * out, grown + firm * along);
            size = (grown / wide.max(f64::MIN_POSITIVE)).clamp(SCALES.0, SCALES.1);
            spread = if out > 0.0 { along / out } else { size };
        }
        let edges = &frames[v];
        let grown = if edges.wide > 0.0 { edges.grown / edges.wide } else { 1.0 };
        let origin = center - (r[0] * mean.x + r[1] * mean.y + r[2] * mean.z) * size;
        sections[v] = Section { center, origin, rotation, scale: size, spread, grown };
    }
}

/// The rotation R with the largest tr(RᵀA), of A by columns, from the one that an edge has made.
pub(super) fn rotation(a: &[V3; 3], rest: &Rest, now: &Now) -> Quat<f64> {
    let (d2, r2) = (now.tangent.cross(now.axis), rest.tangent.cross(rest.axis));
    let column = |x: f64, y: f64, z: f64| now.axis * x + d2 * y + now.tangent * z;
    let mut rotation = Quat::from_frame([
        column(rest.axis.x, r2.x, rest.tangent.x),
        column(rest.axis.y, r2.y, rest.tangent.y),
        column(rest.axis.z, r2.z, rest.tangent.z),
    ]);
    for _ in 0..FITS {
        let r = rotation.frame();
        let turn = r[0].cross(a[0]) + r[1].cross(a[1]) + r[2].cross(a[2]);
        // tr B − B of B = Σ a_k r_kᵀ, made symmetric.
        let mut b = Sym3::diagonal(V3::zero());
        for k in 0..3 {
            b = b.add_cross(a[k] * 0.5, r[k]);
        }
        let trace = b.xx + b.yy + b.zz;
        let left = b.scale(-1.0).add_diagonal(trace).solve(turn);
        let size = left.length();
        let left = left * (0.25 / size.max(0.5));
        let q = Quat { x: left.x, y: left.y, z: left.z, w: (1.0 - left.length2()).max(0.0).sqrt() };
        let next = q.compose(rotation);
        let n = 1.0 / next.dot(next).sqrt();
        rotation = next.map(|c| c * n);
        if size < FITTED {
            break;
        }
    }
    rotation
}
