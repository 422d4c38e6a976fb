//! Discrete elastic rods: energies, forces and Hessians as pure functions.
//!
//! This work is based on: Tetsuya Takahashi, Christopher Batty, "Rest Shape Optimization for Sag-Free Discrete Elastic Rods",
//! CGF 44(2), 2025, §3, and on the rod of Bergou et al. 2008 and 2010 that it states. Derivations: `docs/internals/der.md`.
//!
//! | paper | here |
//! |---|---|
//! | l, t, stretch energy (8) and its gradient (10) | [`stretch`] |
//! | κ, the curvature binormal on both material frames | [`Relative::curvature`] |
//! | m, twist with its reference twist | [`Relative::twist`], and the turns that [`unwound`] counts |
//! | bending (12), twisting (16), gradients (13), (17), Hessian | [`bend_twist`] |
//! | ∂f/∂κ̄, ∂f/∂m̄ (26), (28): rows of J_curv and ∇m | [`Relative::gradients`] |
//!
//! All of κ and m depend on the two edges only through the rotation Q = D_eᵀ D_f from one material frame to the next, so an
//! element is a function of three numbers φ (Q exp φ̂), and its 11×11 Hessian is a 3×3 matrix between two thin ones, plus a
//! handful of geometric terms. No angle, no reference frame, no libm but one arc tangent.

use crate::math::Sym3;
use crate::math::vec3::vec3;
use crate::math::{Real, Vec3};

/// The smallest 1 + t_e·t_f: edges within 0.08° of folding back are treated as if they were there.
const MIN_FOLD: f64 = 1e-6;
/// The square of the shortest length that is divided by, m².
const MIN_LENGTH2: f64 = 1e-24;

/// The material frame of an edge: m₁, m₂ across, t along.
#[derive(Clone, Copy, Debug)]
pub struct Frame<T> {
    pub m1: Vec3<T>,
    pub m2: Vec3<T>,
    pub t: Vec3<T>,
}

impl<T: Real> Frame<T> {
    /// In this frame's axes.
    #[inline(always)]
    pub fn local(&self, v: Vec3<T>) -> Vec3<T> {
        vec3(self.m1.dot(v), self.m2.dot(v), self.t.dot(v))
    }
    #[inline(always)]
    pub fn world(&self, v: Vec3<T>) -> Vec3<T> {
        self.m1 * v.x + self.m2 * v.y + self.t * v.z
    }
    /// Time-parallel transport: the smallest rotation that takes this frame's tangent to the unit vector `to`, then a turn
    /// about it, given by its sine and cosine.
    #[inline(always)]
    pub fn transported(&self, to: Vec3<T>, (sin, cos): (T, T)) -> Self {
        // v + k×v + k×(k×v)/(1+c) with k = t×to, applied to m₁ and made orthonormal again.
        let k = self.t.cross(to);
        let inv = T::one() / (T::one() + self.t.dot(to)).max(T::constant(MIN_FOLD));
        let kv = k.cross(self.m1);
        let m = self.m1 + kv + k.cross(kv) * inv;
        let m = m - to * to.dot(m);
        let m1 = m * (T::one() / m.length2().max(T::constant(MIN_LENGTH2)).sqrt());
        let m2 = to.cross(m1);
        Frame { m1: m1 * cos + m2 * sin, m2: m2 * cos - m1 * sin, t: to }
    }
}

impl<T: Real> Frame<T> {
    /// Transported to the unit vector `to` and turned there by the angle whose half has the tangent `turn`/2.
    #[inline(always)]
    pub fn moved(&self, to: Vec3<T>, turn: T) -> Self {
        let th = T::constant(0.5) * turn;
        let inv = T::one() / (T::one() + th * th);
        self.transported(to, ((th + th) * inv, (T::one() - th * th) * inv))
    }
    /// The `turn` of [`Frame::moved`] that leads to a frame.
    #[inline(always)]
    pub fn turn_to(&self, to: &Frame<T>) -> T {
        let carried = self.transported(to.t, (T::zero(), T::one()));
        let (sin, cos) = (carried.m1.cross(to.m1).dot(to.t), carried.m1.dot(to.m1));
        T::constant(2.0) * sin / (T::one() + cos).max(T::constant(1e-3))
    }
}

/// Length and direction of an edge.
#[inline(always)]
pub fn direction<T: Real>(e: Vec3<T>) -> (T, Vec3<T>) {
    let length = e.length2().max(T::constant(MIN_LENGTH2)).sqrt();
    (length, e * (T::one() / length))
}

/// Stretching of one edge, ½ EA/l̄ (l − l̄)² (8).
#[derive(Clone, Copy, Debug)]
pub struct Stretch<T> {
    pub energy: T,
    /// EA (l/l̄ − 1), N: the force along t on the edge's start (10).
    pub tension: T,
    /// EA/l̄, N/m.
    pub stiffness: T,
}

/// ∂²/∂x₀² of an edge's stretching; its tension counts across the edge only where the Hessian shall be `exact` (1), or where it
/// pulls.
#[inline(always)]
pub fn stretch_block<T: Real>(t: Vec3<T>, inv_length: T, s: &Stretch<T>, exact: T) -> Mat3<T> {
    let across = s.tension * inv_length;
    let across = T::select(T::zero().lt(exact), across, across.max(T::zero()));
    let (a, o) = (t * (s.stiffness - across), T::zero());
    [t * a.x + vec3(across, o, o), t * a.y + vec3(o, across, o), t * a.z + vec3(o, o, across)]
}

/// How much farther than `e + d` the end of an edge `e` goes if the part of the displacement `d` across it is taken as a turn.
#[inline(always)]
pub fn swung<T: Real>(e: Vec3<T>, d: Vec3<T>) -> Vec3<T> {
    let (one, half) = (T::one(), T::constant(0.5));
    let (length, t) = direction(e);
    let stretched = (length + d.dot(t)).max(length * T::constant(0.1));
    // t turned by the angle 2 atan(|across|/2l).
    let across = (d - t * d.dot(t)) * (half / length);
    let h2 = across.length2();
    let turned = (t * (one - h2) + (across + across)) * (stretched / (one + h2));
    turned - (e + d)
}

/// `stiffness` is EA/l̄.
#[inline(always)]
pub fn stretch<T: Real>(length: T, rest: T, stiffness: T) -> Stretch<T> {
    let tension = stiffness * (length - rest);
    Stretch { energy: T::constant(0.5) * tension * (length - rest), tension, stiffness }
}

/// Q = D_eᵀ D_f by rows, for the frames of edge e before a vertex and edge f after it.
#[derive(Clone, Copy, Debug)]
pub struct Relative<T> {
    pub rows: [Vec3<T>; 3],
}

/// First derivatives along φ of the four curvatures and the twist.
#[derive(Clone, Copy, Debug)]
pub struct Gradients<T> {
    pub kappa: [Vec3<T>; 4],
    pub twist: Vec3<T>,
}

impl<T: Real> Relative<T> {
    #[inline(always)]
    pub fn new(e: &Frame<T>, f: &Frame<T>) -> Self {
        Relative { rows: [f.local(e.m1), f.local(e.m2), f.local(e.t)] }
    }
    /// 1 + t_e·t_f
    #[inline(always)]
    fn fold(&self) -> T {
        (T::one() + self.rows[2].z).max(T::constant(MIN_FOLD))
    }
    /// (κb·m₂, −κb·m₁) on edge e, then on edge f; κb = 2 t_e×t_f / (1 + t_e·t_f). 2 tan(φ/2) for a turn of φ.
    #[inline(always)]
    pub fn curvature(&self) -> [T; 4] {
        let [a, b, c] = self.rows;
        let s = T::constant(2.0) / self.fold();
        [a.z * s, b.z * s, -(c.x * s), -(c.y * s)]
    }
    /// sin m and cos m, scaled alike: m is the angle about t_f from the transported m₁ of e to the m₁ of f.
    #[inline(always)]
    pub fn twist(&self) -> (T, T) {
        let [a, b, _] = self.rows;
        (b.x - a.y, a.x + b.y)
    }
    #[inline(always)]
    pub fn gradients(&self, kappa: [T; 4]) -> Gradients<T> {
        let [a, b, c] = self.rows;
        let zero = T::zero();
        let half = T::constant(0.5);
        let inv = T::one() / self.fold();
        let (two, dc) = (T::constant(2.0) * inv, vec3(-c.y, c.x, zero) * inv);
        Gradients {
            kappa: [
                vec3(-a.y, a.x, zero) * two - dc * kappa[0],
                vec3(-b.y, b.x, zero) * two - dc * kappa[1],
                vec3(zero, c.z, -c.y) * two - dc * kappa[2],
                vec3(-c.z, zero, c.x) * two - dc * kappa[3],
            ],
            twist: vec3(-half * kappa[2], -half * kappa[3], T::one()),
        }
    }
}

impl<T: Real> Relative<T> {
    /// Q v: what is in f's axes, in e's.
    #[inline(always)]
    pub fn turned(&self, v: Vec3<T>) -> Vec3<T> {
        apply(&self.rows, v)
    }
    /// Derivatives along φ of the five strains, whatever measures them.
    #[inline(always)]
    pub fn all_gradients(&self, measure: Measure, strains: &Strains<T>) -> [Vec3<T>; 5] {
        let [a, b, c, d, _] = *strains;
        let g = match measure {
            Measure::Curvature => self.gradients([a, b, c, d]),
            Measure::Darboux => self.darboux_gradients(self.half_darboux()),
        };
        [g.kappa[0], g.kappa[1], g.kappa[2], g.kappa[3], g.twist]
    }
}

/// u vᵀ + v uᵀ, halved.
#[inline(always)]
fn symmetric<T: Real>(u: Vec3<T>, v: Vec3<T>) -> Sym3<T> {
    let half = T::constant(0.5);
    Sym3::diagonal(Vec3::zero()).add_cross(u * half, v)
}

/// a + s b
#[inline(always)]
pub fn add<T: Real>(a: Sym3<T>, b: Sym3<T>, s: T) -> Sym3<T> {
    Sym3 {
        xx: a.xx + s * b.xx,
        xy: a.xy + s * b.xy,
        xz: a.xz + s * b.xz,
        yy: a.yy + s * b.yy,
        yz: a.yz + s * b.yz,
        zz: a.zz + s * b.zz,
    }
}

/// What measures how an element is bent and twisted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Discrete elastic rods: four curvatures (12) and the twist (16).
    Curvature,
    /// Ghost-point rods: Ψ = 2 n tan(θ/2) of the whole rotation, two about the section's axes and one about the tangent
    /// (Umetani 2014, eqs. 9, 10). The same statics as the constraints of `rods::ghost` once they have converged.
    Darboux,
}

/// The strains of an element: κ₀ … κ₃ and the twist, or Ψ₁, Ψ₂, 0, 0 and Ψ₃.
pub type Strains<T> = [T; 5];

impl<T: Real> Relative<T> {
    /// Ψ/2 = vect Q / (1 + tr Q).
    #[inline(always)]
    pub fn half_darboux(&self) -> Vec3<T> {
        let [a, b, c] = self.rows;
        let inv = T::one() / (T::one() + (a.x + b.y + c.z)).max(T::constant(MIN_FOLD));
        vec3(c.y - b.z, a.z - c.x, b.x - a.y) * inv
    }
    /// Rows of ∂Ψ/∂φ = 1 + ĝ + g gᵀ in the places of the strains.
    #[inline(always)]
    pub fn darboux_gradients(&self, g: Vec3<T>) -> Gradients<T> {
        let (o, one) = (T::zero(), T::one());
        let row = [vec3(one, -g.z, g.y) + g * g.x, vec3(g.z, one, -g.x) + g * g.y, vec3(-g.y, g.x, one) + g * g.z];
        let none = vec3(o, o, o);
        Gradients { kappa: [row[0], row[1], none, none], twist: row[2] }
    }
}

/// ½ Σ K (Ψ − Ψ̄)² with its derivatives along φ: along Q exp(tφ) Ψ'' = (g·φ) Ψ', so ∇² of the sum is that of Gauss–Newton and
/// sym(g ⊗ moment).
#[inline(always)]
pub fn bend_twist_darboux<T: Real>(q: &Relative<T>, strains: &Strains<T>, rest: &ElementRest<T>) -> Element<T> {
    let half = T::constant(0.5);
    let g = vec3(strains[0], strains[1], strains[4]) * half;
    let rows = q.darboux_gradients(g);
    let d = [strains[0] - rest.kappa[0], strains[1] - rest.kappa[1], strains[4] - rest.twist];
    let t = [rest.bend[0] * d[0], rest.bend[1] * d[1], rest.turn * d[2]];
    let moment = rows.kappa[0] * t[0] + rows.kappa[1] * t[1] + rows.twist * t[2];
    Element {
        energy: half * (t[0] * d[0] + t[1] * d[1] + t[2] * d[2]),
        moment,
        gauss_newton: Sym3::diagonal(Vec3::zero())
            .add_outer(rows.kappa[0], rest.bend[0])
            .add_outer(rows.kappa[1], rest.bend[1])
            .add_outer(rows.twist, rest.turn),
        second: symmetric(g, moment),
    }
}

/// The smallest 1 + tr Q, 169°, that an element of Newton's step has its whole stiffness at. Ψ grows without bound towards a half turn, and
/// its Jacobian with its square: beyond this an element loses stiffness as fast as the square of the Jacobian grows. (Tried: Ψ that
/// stays what it is at 169°. What is folded farther at rest then never finds its rest, turns over and over, and flew at 300 m/s.)
const LEAST_TRACE: f64 = 0.0368;

/// [`bend_twist_darboux`] in Newton's step.
#[inline(always)]
pub fn bend_twist_folded<T: Real>(q: &Relative<T>, strains: &Strains<T>, rest: &ElementRest<T>) -> Element<T> {
    bend_twist_darboux(q, strains, &folded_rest(q, rest))
}

/// What Newton's step takes of an element's stiffness.
#[inline(always)]
pub fn folded_rest<T: Real>(q: &Relative<T>, rest: &ElementRest<T>) -> ElementRest<T> {
    let [a, b, c] = q.rows;
    let open = ((T::one() + (a.x + b.y + c.z)) * T::constant(1.0 / LEAST_TRACE)).max(T::zero()).min(T::one());
    let keep = open * open;
    let [b1, b2, ..] = rest.bend;
    let bend = [b1 * keep, b2 * keep, T::zero(), T::zero()];
    ElementRest { bend, turn: rest.turn * keep, ..*rest }
}

/// Rest values and stiffness of the element at a vertex.
#[derive(Clone, Copy, Debug)]
pub struct ElementRest<T> {
    pub kappa: [T; 4],
    pub twist: T,
    /// N·m against strains 0 to 3. Curvature: E I/(l̄_e + l̄_f), 0 and 2 bend towards m₁, 1 and 3 towards m₂. Ψ: twice that about
    /// m₁ and m₂, then zeros.
    pub bend: [T; 4],
    /// 2 G J/(l̄_e + l̄_f), N·m.
    pub turn: T,
}

/// Bending and twisting at a vertex.
#[derive(Clone, Copy, Debug)]
pub struct Element<T> {
    pub energy: T,
    /// The moment that f's frame exerts, in its axes, N·m: dE = moment·φ.
    pub moment: Vec3<T>,
    /// Σ K ∇κ ∇κᵀ: never indefinite.
    pub gauss_newton: Sym3<T>,
    /// Σ K (κ − κ̄) ∇²κ.
    pub second: Sym3<T>,
}

/// Eqs. 12 and 16 with their derivatives along φ. `twist` is m with its turns, `kappa` and `g` are of the same `q`.
#[inline(always)]
pub fn bend_twist<T: Real>(q: &Relative<T>, kappa: [T; 4], twist: T, g: &Gradients<T>, rest: &ElementRest<T>) -> Element<T> {
    let (zero, one, half) = (T::zero(), T::one(), T::constant(0.5));
    let [a, b, c] = q.rows;
    let stiffness = rest.bend;
    let (e1, e2, e3) = (vec3(one, zero, zero), vec3(zero, one, zero), vec3(zero, zero, one));
    let inv = one / q.fold();
    let (two, dc) = (T::constant(2.0) * inv, vec3(-c.y, c.x, zero) * inv);

    let dm = twist - rest.twist;
    let tm = rest.turn * dm;
    let mut energy = tm * dm;
    let mut moment = g.twist * tm;
    let mut gauss_newton = Sym3::diagonal(Vec3::zero()).add_outer(g.twist, rest.turn);
    // ∇²m has −½∇κ₂, −½∇κ₃ and 0 for columns, made symmetric.
    let mut second = add(symmetric(g.kappa[2], e1), symmetric(g.kappa[3], e2), one);
    second = add(Sym3::diagonal(Vec3::zero()), second, -(half * tm));

    // κ_j = ±2 y_j/c: ∇²y is sym(row ⊗ axis) − y·1, that of c is sym(row₃ ⊗ e₃) − (c−1)·1.
    let ys = [(a, e3, a.z, one), (b, e3, b.z, one), (c, e1, c.x, -one), (c, e2, c.y, -one)];
    let mut fold = zero;
    let mut gradient = Vec3::zero();
    for j in 0..4 {
        let d = kappa[j] - rest.kappa[j];
        let t = stiffness[j] * d;
        energy = energy + t * d;
        moment = moment + g.kappa[j] * t;
        gauss_newton = gauss_newton.add_outer(g.kappa[j], stiffness[j]);
        let (row, axis, y, sign) = ys[j];
        let s = t * two * sign;
        second = add(second, symmetric(row, axis), s).add_diagonal(-(s * y));
        fold = fold + t * kappa[j];
        gradient = gradient + g.kappa[j] * t;
    }
    second = add(second, symmetric(c, e3), -(fold * inv)).add_diagonal(fold * inv * c.z).add_cross(gradient, -dc);
    Element { energy: half * energy, moment, gauss_newton, second }
}

/// The turns of a twist whose principal value went from `before` to `now`: −1, 0 or 1 more.
#[inline(always)]
pub fn unwound<T: Real>(turns: T, before: T, now: T) -> T {
    let pi = T::constant(core::f64::consts::PI);
    let d = now - before;
    let turns = T::select(pi.lt(d), turns - T::one(), turns);
    T::select(d.lt(-pi), turns + T::one(), turns)
}

/// A 3×3 matrix by rows.
pub type Mat3<T> = [Vec3<T>; 3];

#[inline(always)]
fn apply<T: Real>(m: &Mat3<T>, v: Vec3<T>) -> Vec3<T> {
    vec3(m[0].dot(v), m[1].dot(v), m[2].dot(v))
}
#[inline(always)]
fn transposed<T: Real>(m: &Mat3<T>) -> Mat3<T> {
    [vec3(m[0].x, m[1].x, m[2].x), vec3(m[0].y, m[1].y, m[2].y), vec3(m[0].z, m[1].z, m[2].z)]
}
#[inline(always)]
fn rows<T: Real>(s: &Sym3<T>) -> Mat3<T> {
    [vec3(s.xx, s.xy, s.xz), vec3(s.xy, s.yy, s.yz), vec3(s.xz, s.yz, s.zz)]
}
/// a bᵀ, both given by rows.
#[inline(always)]
fn times_transposed<T: Real>(a: &Mat3<T>, b: &Mat3<T>) -> Mat3<T> {
    [apply(b, a[0]), apply(b, a[1]), apply(b, a[2])]
}

/// The second derivatives of an element in the local coordinates of its two edges: a = D_eᵀ δe/|e| and δθ_e, likewise b and
/// δθ_f. Rows and columns 0–2 are a, 3 is θ.
#[derive(Clone, Copy, Debug)]
pub struct LocalHessian<T> {
    pub ee: [[T; 4]; 4],
    pub ef: [[T; 4]; 4],
    pub ff: [[T; 4]; 4],
}

/// The first derivatives along a, θ_e and b, θ_f.
#[inline(always)]
pub fn local_gradient<T: Real>(q: &Relative<T>, moment: Vec3<T>) -> ([T; 4], [T; 4]) {
    let (m, f) = (apply(&q.rows, moment), moment);
    ([-m.y, m.x, T::zero(), -m.z], [f.y, -f.x, T::zero(), f.z])
}

/// First derivatives of an element along the edges e and f and their turns.
#[derive(Clone, Copy, Debug)]
pub struct ElementForce<T> {
    pub e: Vec3<T>,
    pub f: Vec3<T>,
    pub turn_e: T,
    pub turn_f: T,
}

#[inline(always)]
pub fn element_force<T: Real>(
    q: &Relative<T>,
    moment: Vec3<T>,
    e: &Frame<T>,
    inv_e: T,
    f: &Frame<T>,
    inv_f: T,
) -> ElementForce<T> {
    let (ge, gf) = local_gradient(q, moment);
    ElementForce { e: across(e, ge[0], ge[1]) * inv_e, f: across(f, gf[0], gf[1]) * inv_f, turn_e: ge[3], turn_f: gf[3] }
}

/// A displacement (a, θ) turns a frame, in its own axes, by w = (−a₂, a₁, θ): rows and columns of a 3×3 form in w moved to
/// where a and θ are.
#[inline(always)]
fn spread<T: Real>(m: &Mat3<T>) -> [[T; 4]; 4] {
    let o = T::zero();
    [[m[1].y, -m[1].x, o, m[1].z], [-m[0].y, m[0].x, o, -m[0].z], [o, o, o, o], [m[2].y, -m[2].x, o, m[2].z]]
}

#[inline(always)]
fn put_geometric<T: Real>(b: &mut [[T; 4]; 4], m: Vec3<T>) {
    let half = T::constant(0.5);
    put_pair(b, 1, 2, m.x);
    put_pair(b, 0, 2, -m.y);
    put_pair(b, 0, 3, half * m.x);
    put_pair(b, 1, 3, half * m.y);
}
#[inline(always)]
fn put_pair<T: Real>(b: &mut [[T; 4]; 4], i: usize, j: usize, v: T) {
    b[i][j] = b[i][j] + v;
    b[j][i] = b[j][i] + v;
}

/// The Hessian of an element whose form along φ is `h`. `geometric`: with the terms that come from the moment and from how a
/// displacement turns a frame to second order (`docs/internals/der.md`, 3); without them, and with the Gauss–Newton form, it is never
/// indefinite.
#[inline(always)]
pub fn local_hessian<T: Real>(q: &Relative<T>, h: &Sym3<T>, moment: Vec3<T>, geometric: bool) -> LocalHessian<T> {
    let half = T::constant(0.5);
    let h = rows(h);
    // φ = w_f − Qᵀ w_e + ½ w_f × Qᵀ w_e.
    let hq = times_transposed(&h, &q.rows);
    let qhq = times_transposed(&q.rows, &transposed(&hq));
    let mut cross = [-h[0], -h[1], -h[2]];
    let m = moment;
    if geometric {
        let (o, m) = (T::zero(), m * half);
        cross = [cross[0] + vec3(o, -m.z, m.y), cross[1] + vec3(m.z, o, -m.x), cross[2] + vec3(-m.y, m.x, o)];
    }
    // Q · cross: rows of Q against columns of cross.
    let cross = times_transposed(&q.rows, &transposed(&cross));
    let mut out = LocalHessian { ee: spread(&qhq), ef: spread(&cross), ff: spread(&h) };
    if geometric {
        put_geometric(&mut out.ff, m);
        put_geometric(&mut out.ee, -apply(&q.rows, m));
    }
    out
}

/// Adds ½ of an edge's stretching to its block: T l across, k l² along (`k` = EA/l̄). Over both elements it adds up to one.
#[inline(always)]
pub fn add_half_stretch<T: Real>(block: &mut [[T; 4]; 4], length: T, s: &Stretch<T>) {
    let half = T::constant(0.5);
    let across = half * s.tension * length;
    block[0][0] = block[0][0] + across;
    block[1][1] = block[1][1] + across;
    block[2][2] = block[2][2] + half * s.stiffness * length * length;
}

/// Whether all pivots of the 8×8 form are positive: the smallest of them, each relative to its diagonal entry.
#[inline(always)]
pub fn smallest_pivot<T: Real>(h: &LocalHessian<T>) -> T {
    let mut a = [[T::zero(); 8]; 8];
    for i in 0..4 {
        for j in 0..4 {
            a[i][j] = h.ee[i][j];
            a[i][j + 4] = h.ef[i][j];
            a[i + 4][j + 4] = h.ff[i][j];
        }
    }
    let diagonal = [a[0][0], a[1][1], a[2][2], a[3][3], a[4][4], a[5][5], a[6][6], a[7][7]];
    let mut smallest = T::one();
    for k in 0..8 {
        let scale = T::constant(1e-30).max(diagonal[k].abs());
        smallest = smallest.min(a[k][k] / scale);
        let inv = T::one() / a[k][k].max(T::constant(1e-6) * scale);
        for i in k + 1..8 {
            let l = a[k][i] * inv;
            for j in i..8 {
                a[i][j] = a[i][j] - l * a[k][j];
            }
        }
    }
    smallest
}

/// The same with half of the stretching of both edges (length and [`Stretch`]).
#[inline(always)]
pub fn leaning_pivot<T: Real>(mut h: LocalHessian<T>, e: (T, &Stretch<T>), f: (T, &Stretch<T>)) -> T {
    add_half_stretch(&mut h.ee, e.0, e.1);
    add_half_stretch(&mut h.ff, f.0, f.1);
    smallest_pivot(&h)
}

/// The true Hessian of an element.
#[inline(always)]
pub fn true_hessian<T: Real>(q: &Relative<T>, element: &Element<T>) -> LocalHessian<T> {
    local_hessian(q, &add(element.gauss_newton, element.second, T::one()), element.moment, true)
}

/// The true Hessian where `exact` is not 0 or it is positive definite together with half of the stretching of its two edges
/// (length and [`Stretch`]), else the Gauss–Newton form.
#[inline(always)]
pub fn positive_hessian<T: Real>(
    q: &Relative<T>,
    element: &Element<T>,
    e: (T, &Stretch<T>),
    f: (T, &Stretch<T>),
    exact: T,
) -> LocalHessian<T> {
    let mut h = true_hessian(q, element);
    let safe = local_hessian(q, &element.gauss_newton, element.moment, false);
    let keep = T::zero().lt(T::select(T::zero().lt(exact), T::one(), leaning_pivot(h, e, f)));
    for a in 0..4 {
        for b in 0..4 {
            h.ee[a][b] = T::select(keep, h.ee[a][b], safe.ee[a][b]);
            h.ef[a][b] = T::select(keep, h.ef[a][b], safe.ef[a][b]);
            h.ff[a][b] = T::select(keep, h.ff[a][b], safe.ff[a][b]);
        }
    }
    h
}

/// What an element adds to the matrix that tells whether steps with the Gauss–Newton form overshoot: that form, minus what second
/// derivatives add to it (`docs/internals/direct.md`, "Which poses a step holds").
#[inline(always)]
pub fn overshoot<T: Real>(q: &Relative<T>, element: &Element<T>) -> LocalHessian<T> {
    local_hessian(q, &add(element.gauss_newton, element.second, -T::one()), -element.moment, true)
}

/// The same second derivatives along e, f and the angles.
#[derive(Clone, Copy, Debug)]
pub struct WorldHessian<T> {
    pub ee: Mat3<T>,
    pub ef: Mat3<T>,
    pub ff: Mat3<T>,
    /// ∂²/∂e∂θ_e, ∂²/∂e∂θ_f, ∂²/∂f∂θ_e, ∂²/∂f∂θ_f
    pub e_angles: [Vec3<T>; 2],
    pub f_angles: [Vec3<T>; 2],
    /// θ_eθ_e, θ_eθ_f, θ_fθ_f
    pub angles: [T; 3],
}

/// The 3×3 part of `m` between axes `a` and `b`, given by rows: s · a m bᵀ.
#[inline(always)]
fn turned<T: Real>(a: &Mat3<T>, m: &[[T; 4]; 4], b: &Mat3<T>, s: T) -> Mat3<T> {
    let mt = [vec3(m[0][0], m[1][0], m[2][0]), vec3(m[0][1], m[1][1], m[2][1]), vec3(m[0][2], m[1][2], m[2][2])];
    let r = times_transposed(&times_transposed(a, &mt), b);
    [r[0] * s, r[1] * s, r[2] * s]
}
#[inline(always)]
fn column<T: Real>(m: &[[T; 4]; 4], j: usize) -> Vec3<T> {
    vec3(m[0][j], m[1][j], m[2][j])
}

/// What [`world_hessian`] has of one of both edges alone, from its block, its frame and one over its length: along it, along it and its angle, and the
/// angle twice.
#[inline(always)]
pub fn world_half<T: Real>(block: &[[T; 4]; 4], e: &Frame<T>, inv: T) -> (Mat3<T>, Vec3<T>, T) {
    let axes = transposed(&[e.m1, e.m2, e.t]);
    (turned(&axes, block, &axes, inv * inv), e.world(column(block, 3)) * inv, block[3][3])
}

/// a = D_eᵀ δe/|e|: turns the blocks into world axes.
#[inline(always)]
pub fn world_hessian<T: Real>(h: &LocalHessian<T>, e: &Frame<T>, inv_e: T, f: &Frame<T>, inv_f: T) -> WorldHessian<T> {
    let (de, df) = (transposed(&[e.m1, e.m2, e.t]), transposed(&[f.m1, f.m2, f.t]));
    WorldHessian {
        ee: turned(&de, &h.ee, &de, inv_e * inv_e),
        ef: turned(&de, &h.ef, &df, inv_e * inv_f),
        ff: turned(&df, &h.ff, &df, inv_f * inv_f),
        e_angles: [e.world(column(&h.ee, 3)) * inv_e, e.world(column(&h.ef, 3)) * inv_e],
        f_angles: [f.world(vec3(h.ef[3][0], h.ef[3][1], h.ef[3][2])) * inv_f, f.world(column(&h.ff, 3)) * inv_f],
        angles: [h.ee[3][3], h.ef[3][3], h.ff[3][3]],
    }
}

/// a m₁ + b m₂, of the frame `d`.
#[inline(always)]
fn across<T: Real>(d: &Frame<T>, a: T, b: T) -> Vec3<T> {
    d.m1 * a + d.m2 * b
}

/// [`turned`] of a part whose third row and column are nothing.
#[inline(always)]
fn turned_across<T: Real>(e: &Frame<T>, m: &[[T; 4]; 4], f: &Frame<T>, s: T) -> Mat3<T> {
    let (a, b) = (across(e, m[0][0], m[1][0]), across(e, m[0][1], m[1][1]));
    [across(f, a.x, b.x) * s, across(f, a.y, b.y) * s, across(f, a.z, b.z) * s]
}

/// [`turned`] of a part that has nothing in its third row and column but what crosses with the first two.
#[inline(always)]
fn turned_leaning<T: Real>(e: &Frame<T>, m: &[[T; 4]; 4], s: T) -> Mat3<T> {
    let a = across(e, m[0][0], m[1][0]) + e.t * m[2][0];
    let b = across(e, m[0][1], m[1][1]) + e.t * m[2][1];
    let c = across(e, m[0][2], m[1][2]);
    let x = across(e, a.x, b.x) + e.t * c.x;
    let y = across(e, a.y, b.y) + e.t * c.y;
    let z = across(e, a.z, b.z) + e.t * c.z;
    [x * s, y * s, z * s]
}

/// [`world_hessian`] of what [`local_hessian`] gives, without the products with what is nothing there; `leaning` is its `geometric`.
#[inline(always)]
pub fn world_hessian_of<T: Real>(
    h: &LocalHessian<T>,
    e: &Frame<T>,
    inv_e: T,
    f: &Frame<T>,
    inv_f: T,
    leaning: bool,
) -> WorldHessian<T> {
    let (s_e, s_f) = (inv_e * inv_e, inv_f * inv_f);
    WorldHessian {
        ee: if leaning { turned_leaning(e, &h.ee, s_e) } else { turned_across(e, &h.ee, e, s_e) },
        ef: turned_across(e, &h.ef, f, inv_e * inv_f),
        ff: if leaning { turned_leaning(f, &h.ff, s_f) } else { turned_across(f, &h.ff, f, s_f) },
        e_angles: [across(e, h.ee[0][3], h.ee[1][3]) * inv_e, across(e, h.ef[0][3], h.ef[1][3]) * inv_e],
        f_angles: [across(f, h.ef[3][0], h.ef[3][1]) * inv_f, across(f, h.ff[0][3], h.ff[1][3]) * inv_f],
        angles: [h.ee[3][3], h.ef[3][3], h.ff[3][3]],
    }
}
