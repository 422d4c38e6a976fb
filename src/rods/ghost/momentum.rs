//! What corrections of positions do to momentum: the angular momentum of free strands, and damping that keeps both momenta.

use super::drive::{Group, Settings, index, mass, not_less};
use crate::layout::{param, state};
use crate::math::Sym3;
use crate::math::vec3::vec3;
use crate::math::{Lane, Vec3};

/// The largest turn that gives back lost angular momentum in a substep, rad; a larger one is left out. Stubs ask for more, whose
/// f32 inertia is noise or which spin by radians a substep, and so do free strands of a thousand edges at too few sweeps: the turn,
/// which is linear, threw them metres far.
const MAX_TURN: f64 = 0.1;

impl<L: Lane, const W: usize> Group<L, W> {
    /// Σ m x×u over vertices and ghost points: h times the angular momentum about where the root was.
    #[inline(always)]
    pub(super) fn spin_now(&self) -> Vec3<L> {
        let origin = self.get3(0, state::X);
        let mut sum = Vec3::zero();
        for i in 0..self.vertices {
            for (x, u, w) in [(state::X, state::U, param::W), (state::GX, state::GU, param::WG)] {
                let u = self.get3(i, u);
                let r = (self.get3(i, x) - origin) + u;
                sum = sum + r.cross(u) * mass(self.p(i, w));
            }
        }
        sum
    }

    #[inline(always)]
    pub(in crate::rods) fn kept_spin(&self) -> Vec3<L> {
        // SAFETY: the caller has seen that it is not null; the type's contract.
        let at = |k: usize| unsafe { L::load(self.spin.add(k * W)) };
        vec3(at(0), at(1), at(2))
    }

    #[inline(always)]
    pub(in crate::rods) fn set_spin(&mut self, v: Vec3<L>) {
        for (k, c) in [v.x, v.y, v.z].into_iter().enumerate() {
            // SAFETY: as in `kept_spin`.
            unsafe { c.store(self.spin.add(k * W)) }
        }
    }

    /// The turn of the whole strand, within a substep, that gives it back the angular momentum of which the sweeps have lost some:
    /// (origin, centre of mass from there, turn); no turn where a vertex is held, or a collider
    /// has its share in Newton's step.
    ///
    /// A correction Δp along gradients at x has no torque about x, but velocities are (x_new − x_old)/h: each correction leaves
    /// Σ m (x_old − x) × Δp / h behind. For a rod that spins at ω this is a loss of h ω² a second: 24 % in ten seconds at ω = 6/s
    /// and h = 1/960 s (seen), where the constraints themselves are exact.
    #[inline(always)]
    pub(super) fn lost_spin(&self) -> (Vec3<L>, Vec3<L>, Vec3<L>) {
        let (zero, one) = (L::zero(), L::one());
        let edges = self.edge_count();
        let origin = self.get3(0, state::X);
        let (mut m, mut mx, mut spin, mut held) = (zero, Vec3::zero(), Vec3::zero(), self.held);
        let mut inertia = Sym3::diagonal(Vec3::zero());
        for i in 0..self.vertices {
            let exists = not_less::<L>(edges, index::<L>(i));
            let free = L::select(zero.lt(self.p(i, param::W)), zero, one);
            held = held + L::select(exists, free, zero);
            for (x, u, w) in [(state::X, state::U, param::W), (state::GX, state::GU, param::WG)] {
                let k = mass(self.p(i, w));
                let u = self.get3(i, u);
                let r = (self.get3(i, x) - origin) + u;
                m = m + k;
                mx = mx + r * k;
                spin = spin + r.cross(u) * k;
                inertia = inertia.add_inertia(r, k);
            }
        }
        let center = mx * (one / m.max(L::constant(1e-30)));
        let inertia = inertia.add_inertia(center, -m);
        let turn = inertia.solve(self.kept_spin() - spin);
        // Also where it is NaN.
        let turn = Vec3::select(turn.length2().lt(L::constant(MAX_TURN * MAX_TURN)), turn, Vec3::zero());
        (origin, center, Vec3::select(zero.lt(held), Vec3::zero(), turn))
    }

    /// Müller et al. 2007, section 3.5, strand by strand: velocities are drawn to those of the rigid motion with the same
    /// linear and angular momentum.
    #[inline(always)]
    pub(super) fn damp(&mut self, s: &Settings<L::Elem>) {
        let zero = L::zero();
        let origin = self.get3(0, state::X);
        let (mut m, mut mx, mut mv) = (zero, Vec3::zero(), Vec3::zero());
        for i in 0..self.vertices {
            for (x, u, w) in [(state::X, state::U, param::W), (state::GX, state::GU, param::WG)] {
                let k = mass(self.p(i, w));
                m = m + k;
                mx = mx + (self.get3(i, x) - origin) * k;
                mv = mv + self.get3(i, u) * k;
            }
        }
        let inv = L::one() / m.max(L::constant(1e-30));
        let (center, drift) = (mx * inv, mv * inv);
        let mut momentum = Vec3::zero();
        let mut inertia = Sym3::diagonal(Vec3::zero());
        for i in 0..self.vertices {
            for (x, u, w) in [(state::X, state::U, param::W), (state::GX, state::GU, param::WG)] {
                let k = mass(self.p(i, w));
                let r = (self.get3(i, x) - origin) - center;
                momentum = momentum + r.cross(self.get3(i, u) - drift) * k;
                inertia = inertia.add_inertia(r, k);
            }
        }
        let spin = inertia.solve(momentum);
        let k = L::splat(s.damping);
        for i in 0..self.vertices {
            for (x, u, w) in [(state::X, state::U, param::W), (state::GX, state::GU, param::WG)] {
                let r = (self.get3(i, x) - origin) - center;
                let v = self.get3(i, u);
                let rigid = drift + spin.cross(r);
                let damped = v + (rigid - v) * k;
                self.set3(i, u, Vec3::select(zero.lt(self.p(i, w)), damped, v));
            }
        }
    }
}
