//! The arc: its strains, the rows that hold its ends, and both solved as one.

use super::{Inertia, Motion, Softness, Spring, TINY, solve_spring};
use crate::math::approx::angle;
use crate::math::vec3::vec3;
use crate::math::{Mat3, Quat, Real, Sym3, Vec3};

/// How the frame of b stands in that of a: F_a⁻¹ F_b as twist, swing, twist, T(τ/2) S(ψ) T(τ/2).
#[derive(Clone, Copy, Debug)]
pub struct ArcStrain<T> {
    /// Angles of bending about m₁ and m₂, |(β₁, β₂)| = ψ in 0..π, and of twist, τ in (−π, π]; rad.
    pub beta: Vec3<T>,
    /// Their gradients: rates are `rows[k] · F_bᵀ(ω_b − ω_a)`.
    pub rows: [Vec3<T>; 3],
    /// 1/sinc(ψ/2), the rest length over the chord, and its gradient.
    pub stretch: T,
    pub stretch_row: Vec3<T>,
}

/// Terms of the series of (1 − φ cot φ)/sin²φ in sin²φ, for sin²φ < [`SERIES`].
const TERMS: usize = 10;
const SERIES: f64 = 0.04;
/// The twist of a folded arc has no gradient; that of cos(ψ/2) = this (ψ = 174°) stands in for it beyond.
const FOLD: f64 = 0.05;

/// `r`: F_a⁻¹ F_b, of either sign; t is the third axis. `docs/internals/arc.md`, bend and twist.
#[inline(always)]
pub fn arc_strain<T: Real>(r: Quat<T>) -> ArcStrain<T> {
    let (zero, one, two, half) = (T::zero(), T::one(), T::constant(2.0), T::constant(0.5));
    let tiny = T::constant(TINY);
    let sign = T::select(r.w.lt(zero), -one, one);
    let (x, y, t, w) = (r.x * sign, r.y * sign, r.z * sign, r.w * sign);
    let z = x * x + y * y;
    let s = z.sqrt();
    let c = (w * w + t * t).sqrt();
    // Where the arc is folded it has no twist.
    let folded = c.lt(T::constant(1e-9));
    let (cw, ct) = (T::select(folded, one, w / c.max(tiny)), T::select(folded, zero, t / c.max(tiny)));
    // q = φ/sin φ and k = (1 − φ cot φ)/sin² φ, φ = ψ/2.
    let near = z.lt(T::constant(SERIES));
    let phi = angle(s, c);
    let (mut series, mut k_series) = (zero, zero);
    let mut term = [0.0; TERMS];
    term[0] = 1.0 / 3.0;
    for n in 1..TERMS {
        term[n] = term[n - 1] * (2 * n) as f64 / (2 * n + 3) as f64;
    }
    for n in (0..TERMS).rev() {
        k_series = k_series * z + T::constant(term[n]);
    }
    series = series + (one - z * k_series);
    let safe = s.max(T::constant(1e-3));
    let q = T::select(near, series / c.max(T::constant(0.1)), phi / safe);
    let k = T::select(near, k_series, (one - q * c) / (safe * safe));
    let q_row = vec3(cw * x + ct * y, cw * y - ct * x, zero) * (half * k);
    let d_x = vec3(w, -t, y) * half;
    let d_y = vec3(t, w, -x) * half;
    // The gradient of τ grows as 1/cos(ψ/2).
    let over = one / c.max(T::constant(FOLD));
    ArcStrain {
        beta: vec3(two * q * x, two * q * y, two * angle(t, w)),
        rows: [
            (d_x * q + q_row * x) * two,
            (d_y * q + q_row * y) * two,
            vec3((ct * x - cw * y) * over, (cw * x + ct * y) * over, one),
        ],
        stretch: q,
        stretch_row: q_row,
    }
}

/// Where an arc is: from anchor to anchor, and the frames there.
#[derive(Clone, Copy, Debug)]
pub struct ArcPose<T> {
    /// Anchor b less anchor a, m.
    pub chord: Vec3<T>,
    /// Centre of mass b less that of a, m.
    pub between: Vec3<T>,
    /// From the centre of mass of b to its anchor, m.
    pub rb: Vec3<T>,
    /// m₁, m₂, t in world axes.
    pub frame_a: [Vec3<T>; 3],
    pub frame_b: [Vec3<T>; 3],
}

/// The three rows that keep the length and let one circular arc fit both ends (eqs. 9 and 6).
#[derive(Clone, Copy, Debug)]
pub struct ArcHard<T> {
    /// Rows are n · (v_b − v_a − ω_a × between) + s · (ω_b − ω_a).
    pub n: [Vec3<T>; 3],
    pub s: [Vec3<T>; 3],
    /// m; the second and third as sines.
    pub error: Vec3<T>,
    /// Of the angle whose sine the second and third are: how far the ends lean from one arc. Less than 0: their rows, whose gradients have
    /// turned, lead back all the same, as the errors have turned with them.
    pub cosine: T,
}

#[inline(always)]
pub fn arc_rows<T: Real>(pose: &ArcPose<T>, strain: &ArcStrain<T>, length: T) -> ArcHard<T> {
    let (one, two) = (T::one(), T::constant(2.0));
    let [m1, m2, ta] = pose.frame_a;
    let [b1, b2, tb] = pose.frame_b;
    let l = pose.chord.length();
    // Ends that coincide have no direction: along the tangent of a.
    let least = length * T::constant(1e-4);
    let inv = one / l.max(least);
    let o = Vec3::select(l.lt(least), ta, pose.chord * inv);
    let q = strain.stretch;
    let long = length / q;
    let row = strain.stretch_row * (long / q);
    let turn = b1 * row.x + b2 * row.y;
    let along = two * tb.dot(o);
    let (o1, o2) = (two * o.dot(m1), two * o.dot(m2));
    let n1 = across(tb * o1 + m1 * along, o) * -inv;
    let n2 = across(tb * o2 + m2 * along, o) * -inv;
    // t_b, seen in a mirror across the chord, is −t_a on an arc; t_a, where the ends point away from each other, would make the rows 0 too.
    let cosine = along * o.dot(ta) - ta.dot(tb);
    let lean = vec3(T::zero(), m1.dot(tb) - along * o.dot(m1), m2.dot(tb) - along * o.dot(m2));
    let lean = Vec3::select(cosine.lt(T::zero()), -lean, lean);
    ArcHard {
        n: [o, n1, n2],
        s: [turn + pose.rb.cross(o), tb.cross(m1 - o * o1) + pose.rb.cross(n1), tb.cross(m2 - o * o2) + pose.rb.cross(n2)],
        error: vec3(l - long, lean.y, lean.z),
        cosine,
    }
}

/// What of `v` is not along the unit vector `n`.
#[inline(always)]
fn across<T: Real>(v: Vec3<T>, n: Vec3<T>) -> Vec3<T> {
    v - n * v.dot(n)
}

/// Rows of the strains against ω_b − ω_a in world axes.
#[inline(always)]
pub fn world_rows<T: Real>(e: &ArcStrain<T>, frame_b: [Vec3<T>; 3]) -> [Vec3<T>; 3] {
    let m = Mat3(frame_b);
    [m.mul(e.rows[0]), m.mul(e.rows[1]), m.mul(e.rows[2])]
}

/// An arc in a substep: its hard rows, scaled so that their effective mass is 1, and its spring.
#[derive(Clone, Copy, Debug)]
pub struct Arc<T> {
    pub n: [Vec3<T>; 3],
    pub s: [Vec3<T>; 3],
    /// What the spring's torque does to each row.
    pub cross: [Vec3<T>; 3],
    pub between: Vec3<T>,
    pub bias: Vec3<T>,
    pub spring: Spring<T>,
    pub a: Inertia<T>,
    pub b: Inertia<T>,
}

/// The lower triangle of the scaling; impulses along the rows of [`ArcHard`] are its transpose times those along the rows of [`Arc`].
#[derive(Clone, Copy, Debug)]
pub struct Whitening<T> {
    /// 1/L₁₁, 1/L₂₂, 1/L₃₃
    pub inv: Vec3<T>,
    /// L₂₁, L₃₁, L₃₂
    pub below: Vec3<T>,
}

impl<T: Real> Whitening<T> {
    /// L⁻¹ x, by substitution, of numbers or of rows.
    #[inline(always)]
    pub fn forward(&self, x: Vec3<T>) -> Vec3<T> {
        let x0 = x.x * self.inv.x;
        let x1 = (x.y - self.below.x * x0) * self.inv.y;
        vec3(x0, x1, (x.z - self.below.y * x0 - self.below.z * x1) * self.inv.z)
    }
    #[inline(always)]
    pub(super) fn rows(&self, r: [Vec3<T>; 3]) -> [Vec3<T>; 3] {
        let r0 = r[0] * self.inv.x;
        let r1 = (r[1] - r0 * self.below.x) * self.inv.y;
        [r0, r1, (r[2] - r0 * self.below.y - r1 * self.below.z) * self.inv.z]
    }
    /// λ = L⁻ᵀ μ
    #[inline(always)]
    pub fn backward(&self, m: Vec3<T>) -> Vec3<T> {
        let l2 = m.z * self.inv.z;
        let l1 = (m.y - self.below.z * l2) * self.inv.y;
        vec3((m.x - self.below.x * l1 - self.below.y * l2) * self.inv.x, l1, l2)
    }
    /// μ = Lᵀ λ
    #[inline(always)]
    pub fn upward(&self, l: Vec3<T>, diagonal: Vec3<T>) -> Vec3<T> {
        vec3(diagonal.x * l.x + self.below.x * l.y + self.below.y * l.z, diagonal.y * l.y + self.below.z * l.z, diagonal.z * l.z)
    }
}

/// A pivot's root and the inverse of that. `left` of the diagonal entry `full`.
#[inline(always)]
fn pivot<T: Real>(left: T, full: T) -> (T, T) {
    let tiny = T::constant(TINY);
    let d = left.max(full * T::constant(1e-6)).max(tiny).sqrt();
    (d, T::select(tiny.lt(full), T::one() / d, T::zero()))
}

/// Cholesky of J M⁻¹ Jᵀ; also L's diagonal. Rows that move nothing become 0.
#[inline(always)]
pub(super) fn whiten<T: Real>(g: Sym3<T>) -> (Whitening<T>, Vec3<T>) {
    let (d0, i0) = pivot(g.xx, g.xx);
    let (l1, l2) = (g.xy * i0, g.xz * i0);
    let (d1, i1) = pivot(g.yy - l1 * l1, g.yy);
    let l3 = (g.yz - l1 * l2) * i1;
    let (d2, i2) = pivot(g.zz - l2 * l2 - l3 * l3, g.zz);
    (Whitening { inv: vec3(i0, i1, i2), below: vec3(l1, l2, l3) }, vec3(d0, d1, d2))
}

/// `rate`: the part of an error that is closed in a second, 1/s. Returns also what turns impulses into those of the scaled rows.
#[inline(always)]
pub fn set_up_arc<T: Real>(
    pose: &ArcPose<T>,
    hard: &ArcHard<T>,
    spring: Spring<T>,
    a: Inertia<T>,
    b: Inertia<T>,
    rate: T,
) -> (Arc<T>, Whitening<T>, Vec3<T>) {
    let d = pose.between;
    let (n, s) = (hard.n, hard.s);
    let m = a.mass + b.mass;
    let side = [s[0] + d.cross(n[0]), s[1] + d.cross(n[1]), s[2] + d.cross(n[2])];
    let ga = [a.turn.mul(side[0]), a.turn.mul(side[1]), a.turn.mul(side[2])];
    let gb = [b.turn.mul(s[0]), b.turn.mul(s[1]), b.turn.mul(s[2])];
    let g = Sym3 {
        xx: m * n[0].dot(n[0]) + side[0].dot(ga[0]) + s[0].dot(gb[0]),
        xy: m * n[0].dot(n[1]) + side[0].dot(ga[1]) + s[0].dot(gb[1]),
        xz: m * n[0].dot(n[2]) + side[0].dot(ga[2]) + s[0].dot(gb[2]),
        yy: m * n[1].dot(n[1]) + side[1].dot(ga[1]) + s[1].dot(gb[1]),
        yz: m * n[1].dot(n[2]) + side[1].dot(ga[2]) + s[1].dot(gb[2]),
        zz: m * n[2].dot(n[2]) + side[2].dot(ga[2]) + s[2].dot(gb[2]),
    };
    let (white, diagonal) = whiten(g);
    let cross = [ga[0] + gb[0], ga[1] + gb[1], ga[2] + gb[2]];
    let arc = Arc {
        n: white.rows(n),
        s: white.rows(s),
        cross: white.rows(cross),
        between: d,
        bias: white.forward(hard.error * rate),
        spring,
        a,
        b,
    };
    (arc, white, diagonal)
}

/// Gives both bodies the impulse `p` at the centre of b, and the torque impulse `t`.
#[inline(always)]
pub fn push_arc<T: Real>(c: &Arc<T>, a: &mut Motion<T>, b: &mut Motion<T>, p: Vec3<T>, t: Vec3<T>) {
    a.v = a.v - p * c.a.mass;
    a.w = a.w - c.a.turn.mul(t + c.between.cross(p));
    b.v = b.v + p * c.b.mass;
    b.w = b.w + c.b.turn.mul(t);
}

/// Impulse and torque impulse of the hard rows.
#[inline(always)]
pub fn arc_wrench<T: Real>(c: &Arc<T>, m: Vec3<T>) -> (Vec3<T>, Vec3<T>) {
    (c.n[0] * m.x + c.n[1] * m.y + c.n[2] * m.z, c.s[0] * m.x + c.s[1] * m.y + c.s[2] * m.z)
}

/// One iteration of all that an arc does (§7): its spring, then, knowing that, its hard rows. Returns the impulses of the rows and the torque impulse
/// of the spring.
#[inline(always)]
pub fn solve_arc<T: Real>(
    c: &Arc<T>,
    soft: Softness<T>,
    a: &Motion<T>,
    b: &Motion<T>,
    impulse: Vec3<T>,
    torque: Vec3<T>,
    bias: Vec3<T>,
) -> (Vec3<T>, Vec3<T>) {
    let spin = b.w - a.w;
    let u = b.v - a.v - a.w.cross(c.between);
    let t = solve_spring(&c.spring, spin, torque);
    let wrong = vec3(
        c.n[0].dot(u) + c.s[0].dot(spin) + c.cross[0].dot(t) + bias.x,
        c.n[1].dot(u) + c.s[1].dot(spin) + c.cross[1].dot(t) + bias.y,
        c.n[2].dot(u) + c.s[2].dot(spin) + c.cross[2].dot(t) + bias.z,
    );
    (-(wrong * soft.mass + impulse * soft.impulse), t)
}
