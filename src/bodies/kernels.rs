//! Rigid bodies: joints and contacts as pure functions on velocities.
//!
//! A substep linearises every constraint once (`set_up_…`: rows, effective masses, bias) and iterates over velocities
//! (`solve_…`). The arc is that of Lewin et al., "Rod Constraints for Simplified Ragdolls", SCA 2013, with the corrections
//! of `docs/arc.md`; soft constraints and the order of the substep follow E. Catto, "Soft Constraints" (GDC 2011) and
//! "Solver2D" (2024). Maths and data flow: `docs/bodies.md`.
//!
//! | paper | here |
//! |---|---|
//! | F = q F^bod (2) | axes m₁, m₂, t in [`ArcPose`], from `elements::ArcParams` |
//! | C_curve (6) | rows 1 and 2 of [`ArcHard`], along the normals of body a |
//! | C_len (3, 9) | row 0 of [`ArcHard`] |
//! | ψ, κ (10), τ (12) | [`arc_strain`]: β₁, β₂, τ |
//! | C_bend (4, 11), C_twist (5, 13) | [`set_up_spring`]; with α (§5.2) [`set_up_relaxation`] |
//! | all constraints in one function (§7) | [`solve_arc`] |
//!
//! The curve itself (7, 8) is needed nowhere.
//!
//! Velocities are of the centre of mass, m/s, and in world axes, rad/s; impulses N s and N m s. Body b gets an impulse, body a its opposite.

use crate::math::approx::angle;
use crate::math::vec3::vec3;
use crate::math::{Mat3, Quat, Real, Sym3, Vec3};

/// Guards divisions whose numerator is then 0 as well.
const TINY: f64 = 1e-30;

/// Velocity of a body.
#[derive(Clone, Copy, Debug)]
pub struct Motion<T> {
    /// Of the centre of mass, m/s.
    pub v: Vec3<T>,
    /// rad/s
    pub w: Vec3<T>,
}

/// Inverse mass, kg⁻¹, and inverse inertia about the centre of mass in world axes, (kg m²)⁻¹. All 0: the body does not move.
#[derive(Clone, Copy, Debug)]
pub struct Inertia<T> {
    pub mass: T,
    pub turn: Sym3<T>,
}

impl<T: Real> Inertia<T> {
    /// `principal`: inverse moments about the axes of `rotation`.
    #[inline(always)]
    pub fn new(mass: T, principal: Vec3<T>, rotation: Quat<T>) -> Self {
        Inertia { mass, turn: Sym3::of_axes(rotation.frame(), principal) }
    }
}

/// A constraint as a spring that is as stiff as the substep carries: of a velocity error, the part `mass` is undone, and the part
/// `impulse` of the impulse so far is let go. Rigid: (1, 0).
#[derive(Clone, Copy, Debug)]
pub struct Softness<T> {
    pub mass: T,
    pub impulse: T,
}

impl<T: Real> Softness<T> {
    #[inline(always)]
    pub fn rigid() -> Self {
        Softness { mass: T::one(), impulse: T::zero() }
    }
}

/// [r]ₓ after I⁻¹: what an impulse P at r does to the spin is `turned(I⁻¹, r)` · P.
#[inline(always)]
fn turned<T: Real>(inertia: Sym3<T>, r: Vec3<T>) -> Mat3<T> {
    let (zero, Vec3 { x, y, z }) = (T::zero(), r);
    Mat3([inertia.mul(vec3(zero, z, -y)), inertia.mul(vec3(-z, zero, x)), inertia.mul(vec3(y, -x, zero))])
}

// ---------------------------------------------------------------------------------------------------------------- ball

/// Two points that stay together: three rows.
#[derive(Clone, Copy, Debug)]
pub struct Ball<T> {
    /// From the centres of mass to the point between the anchors, m.
    pub ra: Vec3<T>,
    pub rb: Vec3<T>,
    /// I⁻¹ [r]ₓ
    pub turn_a: Mat3<T>,
    pub turn_b: Mat3<T>,
    /// Inverse masses, kg⁻¹.
    pub ma: T,
    pub mb: T,
    /// (J M⁻¹ Jᵀ)⁻¹ times the softness, kg.
    pub mass: Sym3<T>,
    /// The impulse that closes the gap, N s.
    pub bias: Vec3<T>,
}

/// Both arms to the middle of the gap between their ends: an impulse at one point turns nothing, so that angular momentum is kept while
/// the gap is open, and the velocity there is that of the gap as seen by bodies that turn together.
#[inline(always)]
pub fn meet<T: Real>(ra: Vec3<T>, rb: Vec3<T>, gap: Vec3<T>) -> (Vec3<T>, Vec3<T>) {
    let half = gap * T::constant(0.5);
    (ra + half, rb - half)
}

/// `gap`: point b less point a, m. `rate`: the part of it that is closed in a second, 1/s; `part`: [`Softness::mass`].
#[inline(always)]
pub fn set_up_ball<T: Real>(ra: Vec3<T>, rb: Vec3<T>, gap: Vec3<T>, a: Inertia<T>, b: Inertia<T>, rate: T, part: T) -> Ball<T> {
    let (ra, rb) = meet(ra, rb, gap);
    let (turn_a, turn_b) = (turned(a.turn, ra), turned(b.turn, rb));
    // K = (1/m_a + 1/m_b) 1 + Σ [r]ₓᵀ I⁻¹ [r]ₓ; the products are symmetric.
    let column_a = [turn_a.0[0].cross(ra), turn_a.0[1].cross(ra), turn_a.0[2].cross(ra)];
    let column_b = [turn_b.0[0].cross(rb), turn_b.0[1].cross(rb), turn_b.0[2].cross(rb)];
    let m = a.mass + b.mass;
    let k = Sym3 {
        xx: m + column_a[0].x + column_b[0].x,
        xy: column_a[1].x + column_b[1].x,
        xz: column_a[2].x + column_b[2].x,
        yy: m + column_a[1].y + column_b[1].y,
        yz: column_a[2].y + column_b[2].y,
        zz: m + column_a[2].z + column_b[2].z,
    };
    let mass = k.inverse().scale(part);
    Ball { ra, rb, turn_a, turn_b, ma: a.mass, mb: b.mass, mass, bias: mass.mul(gap * -rate) }
}

/// Gives both bodies the impulse `p`.
#[inline(always)]
pub fn push_ball<T: Real>(c: &Ball<T>, a: &mut Motion<T>, b: &mut Motion<T>, p: Vec3<T>) {
    a.v = a.v - p * c.ma;
    a.w = a.w - c.turn_a.mul(p);
    b.v = b.v + p * c.mb;
    b.w = b.w + c.turn_b.mul(p);
}

/// Velocity of point b against point a. In this order 5 % faster than in others: what of a is needed is done with first.
#[inline(always)]
fn parting<T: Real>(c: &Ball<T>, a: &Motion<T>, b: &Motion<T>) -> Vec3<T> {
    let of_a = a.v + a.w.cross(c.ra);
    b.v - of_a + b.w.cross(c.rb)
}

/// One iteration; returns the impulse so far. `let_go`: [`Softness::impulse`].
#[inline(always)]
pub fn solve_ball<T: Real>(c: &Ball<T>, let_go: T, a: &mut Motion<T>, b: &mut Motion<T>, impulse: Vec3<T>) -> Vec3<T> {
    let p = (c.bias - impulse * let_go) - c.mass.mul(parting(c, a, b));
    push_ball(c, a, b, p);
    impulse + p
}

/// An iteration in which only velocities are to agree. `rigid`: 1/[`Softness::mass`].
#[inline(always)]
pub fn relax_ball<T: Real>(c: &Ball<T>, rigid: T, a: &mut Motion<T>, b: &mut Motion<T>, impulse: Vec3<T>) -> Vec3<T> {
    let p = c.mass.mul(parting(c, a, b)) * -rigid;
    push_ball(c, a, b, p);
    impulse + p
}

// ----------------------------------------------------------------------------------------------------------------- arc

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

/// `r`: F_a⁻¹ F_b, of either sign; t is the third axis. `docs/arc.md`, bend and twist.
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
    ArcHard {
        n: [o, n1, n2],
        s: [turn + pose.rb.cross(o), tb.cross(m1 - o * o1) + pose.rb.cross(n1), tb.cross(m2 - o * o2) + pose.rb.cross(n2)],
        error: vec3(l - long, m1.dot(tb) - along * o.dot(m1), m2.dot(tb) - along * o.dot(m2)),
    }
}

/// What of `v` is not along the unit vector `n`.
#[inline(always)]
fn across<T: Real>(v: Vec3<T>, n: Vec3<T>) -> Vec3<T> {
    v - n * v.dot(n)
}

/// A three-dimensional torque that follows the relative spin: ΔT = −(A (ω_b − ω_a) + B T + c).
#[derive(Clone, Copy, Debug)]
pub struct Spring<T> {
    pub a: Sym3<T>,
    pub b: Mat3<T>,
    pub c: Vec3<T>,
}

/// Stiffness against each strain, in N m/rad, damping in N m s/rad.
#[derive(Clone, Copy, Debug)]
pub struct Stiffness<T> {
    pub spring: Vec3<T>,
    pub damping: Vec3<T>,
}

/// Beyond this many times the inertia a spring is rigid: what f32 can tell.
const RIGID: f64 = 1e5;

/// The spring of strains with `rows` in world axes, off their rest by `error`, rad, solved implicitly over the substep `h`:
/// with H = Σ rows rowsᵀ h (h k + d), W the sum of both inverse inertias, (1 + H W) ΔT = −(H ω + Σ rows h k error + T).
#[inline(always)]
pub fn set_up_spring<T: Real>(rows: [Vec3<T>; 3], error: Vec3<T>, k: Stiffness<T>, w: Sym3<T>, h: T) -> Spring<T> {
    // An upper bound on h (h k + d) at which the spring counts as rigid; the spring force is scaled with it.
    let most = T::constant(RIGID) / (w.xx + w.yy + w.zz).max(T::constant(TINY));
    let full = (k.spring * h + k.damping) * h;
    let kept = vec3(full.x.min(most), full.y.min(most), full.z.min(most));
    let tiny = T::constant(TINY);
    let part = vec3(kept.x / full.x.max(tiny), kept.y / full.y.max(tiny), kept.z / full.z.max(tiny));
    implicit_spring(rows, kept, (k.spring * h).scale_by(part).scale_by(error), w)
}

/// H and g along `rows`.
#[inline(always)]
fn implicit_spring<T: Real>(rows: [Vec3<T>; 3], stiff: Vec3<T>, g: Vec3<T>, w: Sym3<T>) -> Spring<T> {
    let one = T::one();
    let stiff = Sym3::of_axes(rows, stiff);
    let force = rows[0] * g.x + rows[1] * g.y + rows[2] * g.z;
    // Columns of 1 + H W; W is symmetric, so its columns are its rows.
    let hw = Mat3([
        stiff.mul(vec3(w.xx, w.xy, w.xz)) + vec3(one, T::zero(), T::zero()),
        stiff.mul(vec3(w.xy, w.yy, w.yz)) + vec3(T::zero(), one, T::zero()),
        stiff.mul(vec3(w.xz, w.yz, w.zz)) + vec3(T::zero(), T::zero(), one),
    ]);
    let b = hw.inverse();
    let (c0, c1, c2) = (
        b.mul(vec3(stiff.xx, stiff.xy, stiff.xz)),
        b.mul(vec3(stiff.xy, stiff.yy, stiff.yz)),
        b.mul(vec3(stiff.xz, stiff.yz, stiff.zz)),
    );
    // (1 + H W)⁻¹ H is symmetric; its upper triangle.
    let a = Sym3 { xx: c0.x, xy: c1.x, xz: c2.x, yy: c1.y, yz: c2.y, zz: c2.z };
    Spring { a, b, c: b.mul(force) }
}

/// What a motor's torque follows; vectors along its rows.
#[derive(Clone, Copy, Debug)]
pub struct Follow<T> {
    pub stiffness: Stiffness<T>,
    /// How the target turns, ω_b − ω_a, rad/s: what is added to keep a stiff spring quiet acts towards it.
    pub turning: Vec3<T>,
    /// What `stiffness.damping` acts towards, rad/s.
    pub speed: Vec3<T>,
    /// One over the largest h² k times the inverse inertia about a row.
    pub soft: T,
}

/// Of an error, a motor as stiff as it may be takes back one in so many and one in a substep.
const SETTLE: f64 = 9.0;
/// An inverse inertia counts as no less than this part of the sum of the three, where stiffness is limited.
const FLAT: f64 = 1e-3;

/// The spring of a motor: that of [`set_up_spring`], but no stiffer than many of them in a row may be (`docs/bodies.md`, motors): k, and d in
/// proportion, are limited, and the nearer k is to that, the more damping comes to it.
#[inline(always)]
pub fn set_up_motor<T: Real>(rows: [Vec3<T>; 3], error: Vec3<T>, f: &Follow<T>, w: Sym3<T>, h: T) -> Spring<T> {
    let trace = w.xx + w.yy + w.zz;
    let scale = h * h * f.soft;
    let flat = trace * T::constant(FLAT);
    let about = vec3(rows[0].dot(w.mul(rows[0])), rows[1].dot(w.mul(rows[1])), rows[2].dot(w.mul(rows[2])));
    let about = vec3(about.x.max(flat), about.y.max(flat), about.z.max(flat)) * scale;
    let near = f.stiffness.spring.scale_by(about);
    let rigid = T::constant(RIGID) / (trace * h).max(T::constant(TINY));
    let (k, d) = (f.stiffness.spring * h, f.stiffness.damping);
    let x = motor_row(near.x, k.x, d.x, [error.x, f.turning.x, f.speed.x], rigid, h);
    let y = motor_row(near.y, k.y, d.y, [error.y, f.turning.y, f.speed.y], rigid, h);
    let z = motor_row(near.z, k.z, d.z, [error.z, f.turning.z, f.speed.z], rigid, h);
    implicit_spring(rows, vec3(x.0, y.0, z.0), vec3(x.1, y.1, z.1), w)
}

/// H and g of a row. `near`: how many times as stiff as it may be; `k`: that of the substep, N m s/rad; `rigid`: most damping.
#[inline(always)]
fn motor_row<T: Real>(near: T, k: T, d: T, [error, turning, speed]: [T; 3], rigid: T, h: T) -> (T, T) {
    let one = T::one();
    let (part, near) = (one / near.max(one), near.min(one));
    let (k, d) = (k * part, (d * part).min(rigid));
    let quiet = k * (near * near * T::constant(SETTLE));
    (h * (k + quiet + d), k * error - h * (quiet * turning + d * speed))
}

/// The paper's specific relaxation: each iteration takes away the part α of what is wrong (§5.2). Depends on the number of iterations.
/// The rows are first made independent in the order twist follows bending: α of each on its own would overshoot where one axis turns more
/// easily than the others.
#[inline(always)]
pub fn set_up_relaxation<T: Real>(rows: [Vec3<T>; 3], error: Vec3<T>, alpha: Vec3<T>, w: Sym3<T>, inv_h: T) -> Spring<T> {
    let turned = [w.mul(rows[0]), w.mul(rows[1]), w.mul(rows[2])];
    let (white, _) = whiten(Sym3 {
        xx: rows[0].dot(turned[0]),
        xy: rows[0].dot(turned[1]),
        xz: rows[0].dot(turned[2]),
        yy: rows[1].dot(turned[1]),
        yz: rows[1].dot(turned[2]),
        zz: rows[2].dot(turned[2]),
    });
    let rows = white.rows(rows);
    let g = white.forward(error).scale_by(alpha) * inv_h;
    let zero = Vec3::zero();
    Spring { a: Sym3::of_axes(rows, alpha), b: Mat3([zero, zero, zero]), c: rows[0] * g.x + rows[1] * g.y + rows[2] * g.z }
}

/// The torque that one iteration adds.
#[inline(always)]
pub fn solve_spring<T: Real>(s: &Spring<T>, spin: Vec3<T>, torque: Vec3<T>) -> Vec3<T> {
    -(s.a.mul(spin) + s.b.mul(torque) + s.c)
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
    fn rows(&self, r: [Vec3<T>; 3]) -> [Vec3<T>; 3] {
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
fn whiten<T: Real>(g: Sym3<T>) -> (Whitening<T>, Vec3<T>) {
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

/// One iteration of all that an arc does (§7): its spring, then, knowing that, its hard rows. Returns both impulses so far.
#[inline(always)]
pub fn solve_arc<T: Real>(
    c: &Arc<T>,
    soft: Softness<T>,
    a: &mut Motion<T>,
    b: &mut Motion<T>,
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
    let m = -(wrong * soft.mass + impulse * soft.impulse);
    let (p, s) = arc_wrench(c, m);
    push_arc(c, a, b, p, s + t);
    (impulse + m, torque + t)
}

// -------------------------------------------------------------------------------------------------------- angular rows

/// One row on the relative spin: axis · (ω_b − ω_a), with its impulse between `least` and `most`.
#[derive(Clone, Copy, Debug)]
pub struct AngularRow<T> {
    pub axis: Vec3<T>,
    /// (I_a⁻¹ + I_b⁻¹) axis
    pub turn: Vec3<T>,
    /// 1/(axis · turn)
    pub mass: T,
    pub bias: T,
    pub soft: Softness<T>,
    pub least: T,
    pub most: T,
}

/// Three of them, one after the other: limits of a ball joint, or what a hinge holds.
#[inline(always)]
pub fn solve_angular<T: Real>(rows: &[AngularRow<T>; 3], spin: Vec3<T>, impulse: [T; 3]) -> (Vec3<T>, [T; 3]) {
    let (mut spin, mut torque, mut out) = (spin, Vec3::zero(), impulse);
    for k in 0..3 {
        let r = &rows[k];
        let wrong = r.axis.dot(spin) + r.bias;
        let next = impulse[k] - (r.mass * wrong * r.soft.mass + impulse[k] * r.soft.impulse);
        out[k] = next.max(r.least).min(r.most);
        let d = out[k] - impulse[k];
        spin = spin + r.turn * d;
        torque = torque + r.axis * d;
    }
    (torque, out)
}

/// A one-sided row that keeps `c` = 0 or more while it changes by `axis` · (ω_b − ω_a): `rate` of a violation is undone in a second, and
/// what is left of the way may be used up within the substep.
#[inline(always)]
pub fn one_sided<T: Real>(axis: Vec3<T>, c: T, w: Sym3<T>, s: &Bias<T>) -> AngularRow<T> {
    let (zero, one) = (T::zero(), T::one());
    let open = zero.lt(c);
    let turn = w.mul(axis);
    AngularRow {
        axis,
        turn,
        mass: inverse_mass(axis.dot(turn)),
        bias: T::select(open, c * s.inv_h, (c * s.rate).max(-s.most_turn)),
        soft: Softness { mass: T::select(open, one, s.soft.mass), impulse: T::select(open, zero, s.soft.impulse) },
        least: zero,
        most: T::constant(FREE),
    }
}

/// A row that holds `c` at 0.
#[inline(always)]
pub fn two_sided<T: Real>(axis: Vec3<T>, c: T, w: Sym3<T>, s: &Bias<T>) -> AngularRow<T> {
    let turn = w.mul(axis);
    let free = T::constant(FREE);
    let bias = (c * s.rate).max(-s.most_turn).min(s.most_turn);
    AngularRow { axis, turn, mass: inverse_mass(axis.dot(turn)), bias, soft: s.soft, least: -free, most: free }
}

/// No bound on an impulse.
pub const FREE: f64 = 1e30;

#[inline(always)]
fn inverse_mass<T: Real>(k: T) -> T {
    T::select(T::constant(TINY).lt(k), T::one() / k.max(T::constant(TINY)), T::zero())
}

/// How errors of position become velocities.
#[derive(Clone, Copy, Debug)]
pub struct Bias<T> {
    /// Part of an error closed in a second, 1/s.
    pub rate: T,
    /// Largest such velocity, rad/s.
    pub most_turn: T,
    pub inv_h: T,
    pub soft: Softness<T>,
}

/// Limits of a ball joint: the swing in an elliptic cone with the half angles `swing` about m₁ and m₂, the twist between two angles.
#[inline(always)]
pub fn ball_limits<T: Real>(
    e: &ArcStrain<T>,
    frame_b: [Vec3<T>; 3],
    swing: [T; 2],
    twist: [T; 2],
    w: Sym3<T>,
    s: &Bias<T>,
) -> [AngularRow<T>; 3] {
    let (one, tiny) = (T::one(), T::constant(1e-12));
    let [bend1, bend2, turn] = world_rows(e, frame_b);
    let least = T::constant(LEAST_CONE);
    let swing = [swing[0].max(least), swing[1].max(least)];
    // f = |(β₁/L₁, β₂/L₂)| ≤ 1, and how far it is to f = 1 along the gradient.
    let (x, y) = (e.beta.x / swing[0], e.beta.y / swing[1]);
    let f = (x * x + y * y).sqrt();
    let over = one / f.max(tiny);
    let (gx, gy) = (x * over / swing[0], y * over / swing[1]);
    let g = (gx * gx + gy * gy).sqrt().max(tiny);
    let inv = one / g;
    let out = bend1 * (gx * inv) + bend2 * (gy * inv);
    [
        one_sided(-out, (one - f) * inv, w, s),
        one_sided(turn, e.beta.z - twist[0], w, s),
        one_sided(-turn, twist[1] - e.beta.z, w, s),
    ]
}

/// A cone is no narrower than this, rad.
const LEAST_CONE: f64 = 1e-3;

/// Rows of the strains against ω_b − ω_a in world axes.
#[inline(always)]
pub fn world_rows<T: Real>(e: &ArcStrain<T>, frame_b: [Vec3<T>; 3]) -> [Vec3<T>; 3] {
    let m = Mat3(frame_b);
    [m.mul(e.rows[0]), m.mul(e.rows[1]), m.mul(e.rows[2])]
}

/// What holds the frames together beside the points: the turn of b in a, as a vector in the axes of a, stays 0.
#[inline(always)]
pub fn weld_rows<T: Real>(frame_a: [Vec3<T>; 3], turn: Vec3<T>, w: Sym3<T>, s: &Bias<T>) -> [AngularRow<T>; 3] {
    let [x, y, z] = frame_a;
    [two_sided(x, turn.x, w, s), two_sided(y, turn.y, w, s), two_sided(z, turn.z, w, s)]
}

/// What a hinge about t holds: t_b across both normals of a, and the angle between two limits (the nearer counts). The impulse of either
/// limit is along t_a, so that a limit does not start with the impulse of the other.
#[inline(always)]
pub fn hinge_rows<T: Real>(
    frame_a: [Vec3<T>; 3],
    frame_b: [Vec3<T>; 3],
    angle: T,
    limits: [T; 2],
    w: Sym3<T>,
    s: &Bias<T>,
) -> [AngularRow<T>; 3] {
    let [m1, m2, ta] = frame_a;
    let tb = frame_b[2];
    let (low, high) = (angle - limits[0], limits[1] - angle);
    let is_low = low.lt(high);
    let limit = one_sided(ta, T::select(is_low, low, high), w, s);
    // d/dt m·t_b = (ω_b − ω_a) · (t_b × m)
    [
        two_sided(tb.cross(m1), m1.dot(tb), w, s),
        two_sided(tb.cross(m2), m2.dot(tb), w, s),
        AngularRow {
            bias: T::select(is_low, limit.bias, -limit.bias),
            least: T::select(is_low, limit.least, -limit.most),
            most: T::select(is_low, limit.most, -limit.least),
            ..limit
        },
    ]
}

// ------------------------------------------------------------------------------------------------------------- contact

/// The directions of a contact in a substep.
#[derive(Clone, Copy, Debug)]
pub struct Row<T> {
    /// r_a × n, r_b × n
    pub arm_a: Vec3<T>,
    pub arm_b: Vec3<T>,
    /// I⁻¹ of them.
    pub turn_a: Vec3<T>,
    pub turn_b: Vec3<T>,
    /// Effective mass, kg.
    pub mass: T,
}

#[inline(always)]
pub fn set_up_row<T: Real>(n: Vec3<T>, ra: Vec3<T>, rb: Vec3<T>, a: Inertia<T>, b: Inertia<T>) -> Row<T> {
    let (arm_a, arm_b) = (ra.cross(n), rb.cross(n));
    let (turn_a, turn_b) = (a.turn.mul(arm_a), b.turn.mul(arm_b));
    let mass = inverse_mass(a.mass + b.mass + arm_a.dot(turn_a) + arm_b.dot(turn_b));
    Row { arm_a, arm_b, turn_a, turn_b, mass }
}

/// Both bodies of a constraint between two points.
#[derive(Clone, Copy, Debug)]
pub struct Bodies<T> {
    pub a: Motion<T>,
    pub b: Motion<T>,
    pub ma: T,
    pub mb: T,
}

impl<T: Real> Bodies<T> {
    /// Velocity at which the points part along `n`.
    #[inline(always)]
    pub fn along(&self, n: Vec3<T>, r: &Row<T>) -> T {
        n.dot(self.b.v - self.a.v) + r.arm_b.dot(self.b.w) - r.arm_a.dot(self.a.w)
    }
    #[inline(always)]
    pub fn push(&mut self, n: Vec3<T>, r: &Row<T>, p: T) {
        self.a.v = self.a.v - n * (p * self.ma);
        self.b.v = self.b.v + n * (p * self.mb);
        self.a.w = self.a.w - r.turn_a * p;
        self.b.w = self.b.w + r.turn_b * p;
    }
}

/// How a contact point takes its error back: open ones may close within the substep.
#[derive(Clone, Copy, Debug)]
pub struct PointBias<T> {
    pub bias: T,
    pub soft: Softness<T>,
}

/// `gap`: separation, m. `slop`: penetration that is left alone, m. `most`: fastest push out, m/s.
#[inline(always)]
pub fn point_bias<T: Real>(gap: T, slop: T, rate: T, most: T, soft: Softness<T>, inv_h: T) -> PointBias<T> {
    let (zero, one) = (T::zero(), T::one());
    let open = zero.lt(gap);
    let deep = (gap + slop).min(zero);
    PointBias {
        bias: T::select(open, gap * inv_h, (deep * rate).max(-most)),
        soft: Softness { mass: T::select(open, one, soft.mass), impulse: T::select(open, zero, soft.impulse) },
    }
}

/// The next impulse of a contact point; it only pushes.
#[inline(always)]
pub fn solve_point<T: Real>(mass: T, speed: T, p: PointBias<T>, impulse: T) -> T {
    (impulse - (mass * (speed + p.bias) * p.soft.mass + impulse * p.soft.impulse)).max(T::zero())
}

/// The next impulse of friction in the plane, within a disc of radius `most`: `inverse` is the inverse of the 2×2 effective inverse mass,
/// xx, xy, yy.
#[inline(always)]
pub fn solve_friction<T: Real>(inverse: Vec3<T>, slip: [T; 2], most: T, impulse: [T; 2]) -> [T; 2] {
    let x = impulse[0] - (inverse.x * slip[0] + inverse.y * slip[1]);
    let y = impulse[1] - (inverse.y * slip[0] + inverse.z * slip[1]);
    let l = (x * x + y * y).sqrt();
    let part = T::select(most.lt(l), most / l.max(T::constant(TINY)), T::one());
    [x * part, y * part]
}

/// Inverse of [[xx, xy], [xy, yy]]; 0 where nothing moves.
#[inline(always)]
pub fn inverse2<T: Real>(xx: T, xy: T, yy: T) -> Vec3<T> {
    let tiny = T::constant(TINY);
    let i1 = T::one() / xx.max(tiny);
    let l = xy * i1;
    let i2 = T::one() / (yy - l * xy).max(yy * T::constant(1e-6)).max(tiny);
    let inverse = vec3(i1 + l * l * i2, -(l * i2), i2);
    Vec3::select(tiny.lt(xx), inverse, Vec3::zero())
}

/// Two unit vectors across the unit vector `n` and each other, without a branch (Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 2017).
#[inline(always)]
pub fn tangents<T: Real>(n: Vec3<T>) -> [Vec3<T>; 2] {
    let one = T::one();
    let s = T::select(n.z.lt(T::zero()), -one, one);
    let a = -(one / (s + n.z));
    let b = n.x * n.y * a;
    [vec3(one + s * n.x * n.x * a, s * b, -(s * n.x)), vec3(b, s + n.y * n.y * a, -n.y)]
}

// ----------------------------------------------------------------------------------------------------------- body motion

/// Forces on one body in a substep.
#[derive(Clone, Copy, Debug)]
pub struct Drive<T> {
    /// Gravity of the body, m/s², 0 for what does not move.
    pub gravity: Vec3<T>,
    /// 1/(1 + h·rate) of linear and angular damping.
    pub keep: T,
    pub keep_turn: T,
    /// m/s, rad/s
    pub most_speed: T,
    pub most_turn: T,
}

/// Gravity, damping, the gyroscopic torque, and the speed limits. `moments`: principal inverse moments, 0 where it cannot turn.
#[inline(always)]
pub fn move_velocity<T: Real>(m: Motion<T>, rotation: Quat<T>, moments: Vec3<T>, d: &Drive<T>, h: T) -> Motion<T> {
    let v = (m.v + d.gravity * h) * d.keep;
    let axes = rotation.frame();
    let local = vec3(axes[0].dot(m.w), axes[1].dot(m.w), axes[2].dot(m.w));
    let turned = gyroscopic(local, moments, h) * d.keep_turn;
    let w = axes[0] * turned.x + axes[1] * turned.y + axes[2] * turned.z;
    Motion { v: limited(v, d.most_speed), w: limited(w, d.most_turn) }
}

#[inline(always)]
fn limited<T: Real>(v: Vec3<T>, most: T) -> Vec3<T> {
    // In parts, so that the square does not overflow.
    let largest = v.x.abs().max(v.y.abs()).max(v.z.abs()).max(T::constant(TINY));
    let u = v * (T::one() / largest);
    let l = largest * u.length();
    v * T::select(most.lt(l), most / l, T::one())
}

/// I ω̇ = −ω × I ω in principal axes: one Newton step of the implicit midpoint rule, then never more energy than before.
#[inline(always)]
pub fn gyroscopic<T: Real>(w: Vec3<T>, moments: Vec3<T>, h: T) -> Vec3<T> {
    let (zero, one, tiny) = (T::zero(), T::one(), T::constant(TINY));
    // Only ratios of the moments count.
    let least = moments.x.min(moments.y).min(moments.z).max(tiny);
    let i = vec3(least / moments.x.max(tiny), least / moments.y.max(tiny), least / moments.z.max(tiny));
    let half = h * T::constant(0.5);
    let f = w.cross(w.scale_by(i)) * h;
    // d/dω₁ of I (ω₁ − ω) + h ω̄ × I ω̄ at ω₁ = ω: I + h/2 ([ω]ₓ I − [I ω]ₓ).
    let (a, b, c) = ((i.z - i.y) * half, (i.x - i.z) * half, (i.y - i.x) * half);
    let m = Mat3([vec3(i.x, w.z * b, w.y * c), vec3(w.z * a, i.y, w.x * c), vec3(w.y * a, w.x * b, i.z)]);
    let next = w - m.inverse().mul(f);
    let (before, after) = (w.dot(w.scale_by(i)), next.dot(next.scale_by(i)));
    let part = T::select(before.lt(after), (before / after.max(tiny)).sqrt(), one);
    let free = T::both(zero.lt(moments.x), T::both(zero.lt(moments.y), zero.lt(moments.z)));
    // NaN where a spin is beyond all measure: keep it.
    let sane = (after * zero).lt(one);
    Vec3::select(T::both(free, sane), next * part, w)
}

/// Position and rotation after `h` seconds.
#[inline(always)]
pub fn move_pose<T: Real>(x: Vec3<T>, q: Quat<T>, m: Motion<T>, h: T) -> (Vec3<T>, Quat<T>) {
    let half = h * T::constant(0.5);
    let w = m.w * half;
    let d = Quat { x: w.x, y: w.y, z: w.z, w: T::zero() }.compose(q);
    let p = Quat { x: q.x + d.x, y: q.y + d.y, z: q.z + d.z, w: q.w + d.w };
    let inv = T::one() / p.dot(p).sqrt();
    (x + m.v * h, Quat { x: p.x * inv, y: p.y * inv, z: p.z * inv, w: p.w * inv })
}

/// The rotation as axis times angle in its own axes, angle in 0..π.
#[inline(always)]
pub fn rotation_vector<T: Real>(q: Quat<T>) -> Vec3<T> {
    let (zero, one, two) = (T::zero(), T::one(), T::constant(2.0));
    let sign = T::select(q.w.lt(zero), -one, one);
    let v = vec3(q.x, q.y, q.z) * sign;
    let s = v.length();
    let c = q.w * sign;
    // φ/sin φ → 1/cos φ (1 − φ²/3 …): for a short vector, 1/c is as good as f64 tells.
    let short = s.lt(T::constant(1e-6));
    v * (two * T::select(short, one / c.max(T::constant(0.5)), angle(s, c) / s.max(T::constant(1e-7))))
}
