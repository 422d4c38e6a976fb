//! Numbers of a description in the form that the substep takes.

use crate::desc::*;
use crate::math::{Elem, Vec3};
use crate::rods::group::Settings;

/// Largest collision radius, and how near a collider Newton's step counts with it, m.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    pub max_radius: f64,
    pub near: f64,
}

/// What couples rods to others in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coupling {
    /// Nothing: all their stages at once.
    None,
    /// Rods that they may touch, and bodies that Newton's method has them push: stages run across all rods.
    Contact,
    /// Bodies that sweeps have them push: the same.
    Bodies,
    /// Attachments hold some of them: the same.
    Attachments,
    /// Light anchors of several strands among them (`coupling/net.rs`).
    Net,
}

impl Coupling {
    /// What is between these rods and others is swept, and may want more than one iteration.
    pub fn is_swept(self) -> bool {
        !matches!(self, Coupling::None | Coupling::Contact)
    }
}

/// [`Reach::near`], as a part of the mean edge.
const NEAR: f64 = 0.01;

impl Reach {
    /// Length of the mean edge, m.
    pub fn edge(&self) -> f64 {
        self.near / NEAR
    }
    /// The largest collision radius, m.
    pub fn thickest(collision_radius: f64, radii: &[f64]) -> f64 {
        if collision_radius > 0.0 { collision_radius } else { radii.iter().copied().fold(0.0, f64::max) }
    }
    pub fn of(d: &RodsDesc) -> Self {
        let mut left = d.positions.as_slice();
        let mut sum = 0.0;
        for &n in &d.counts {
            let (strand, others) = left.split_at(n as usize);
            sum += strand.windows(2).map(|e| (Vec3::from(e[1]) - Vec3::from(e[0])).length()).sum::<f64>();
            left = others;
        }
        let edges = (d.positions.len() - d.counts.len()).max(1);
        Reach { max_radius: Self::thickest(d.collision_radius, &d.radii), near: NEAR * sum / edges as f64 }
    }
}

/// For a step of `dt` seconds; `pressed`: contact forces are solved in it. For worlds, and for tests of what lies below them.
pub fn of<E: Elem>(d: &RodsDesc, world: &WorldDesc, dt: f64, coupling: Coupling, pressed: bool, reach: Reach) -> Settings<E> {
    let together = coupling != Coupling::None;
    let swept = coupling.is_swept();
    let e = E::from_f64;
    let h = dt / f64::from(world.substeps);
    let g = Vec3::from(world.gravity);
    let gg = g.length2();
    Settings {
        h: e(h),
        inv_h2: e(1.0 / (h * h)),
        gravity: g.map(e),
        // Newton's method does not tell the stages what holds a strand.
        keep_spin: !d.is_bundled()
            && match coupling {
                Coupling::None => true,
                Coupling::Bodies => true,
                // Strands that are pressed are left out (`Group::mark_pressed`).
                Coupling::Contact => order(d) == SweepOrder::Direct,
                Coupling::Attachments | Coupling::Net => false,
            },
        together,
        contact: pressed,
        inv_h_gg: e(if gg > 0.0 { 1.0 / (h * gg) } else { 0.0 }),
        alpha: matches!(d.stiffness, Stiffness::Alpha { .. }),
        cuts: 0,
        order: order(d),
        model: d.model,
        second: d.integrator == Integrator::Second && coupling == Coupling::None,
        // A net counts on whole steps: where strands halved theirs, each for itself, what closes the gaps of others was thrown about. So does contact.
        search: d.model.is_exact() && coupling != Coupling::Net && !pressed && iterations(d, world, swept) > 1,
        viscous: d.viscosity > 0.0,
        // Newton's method shares the ghost points' mass itself.
        #[cfg(feature = "paper")]
        ghost_gravity: if order(d) == SweepOrder::Direct { GhostGravity::Shared } else { d.ghost_gravity },
        part: e(1.0 / f64::from(world.substeps)),
        root: d.root,
        tip: d.tip,
        damping: e(h * d.damping / (1.0 + h * d.damping)),
        drag_keep: e(1.0 / (1.0 + h * d.drag)),
        drag_take: e(h * d.drag / (1.0 + h * d.drag)),
        wind: Vec3::from(d.wind).map(e),
        friction: e(d.friction),
        max_move: e(h * d.max_speed),
        max_radius: e(reach.max_radius),
        near: e(reach.near),
        give: e(2.0 * reach.near),
        category: d.category,
        mask: d.mask,
    }
}

/// The order that rods get. `Auto` is Newton's method wherever stiffness is physical: sweeps of few
/// iterations sag, stretch and creep (`docs/internals/direct.md`). α is for sweeps only.
pub fn order(d: &RodsDesc) -> SweepOrder {
    let physical = matches!(d.stiffness, Stiffness::Physical { .. });
    #[cfg(feature = "paper")]
    let physical = physical && d.ghost_gravity == GhostGravity::Shared;
    match d.order {
        _ if !d.model.is_swept() => SweepOrder::Direct,
        SweepOrder::Auto if physical => SweepOrder::Direct,
        SweepOrder::Auto => SweepOrder::Alternating,
        given => given,
    }
}

/// How rods integrate over time.
pub fn integrator(d: &RodsDesc) -> Integrator {
    match d.integrator {
        Integrator::Auto if order(d) == SweepOrder::Direct && !d.keeps_volume() && !d.is_bundled() => Integrator::Second,
        Integrator::Auto => Integrator::First,
        given => given,
    }
}

/// Iterations of a substep: those of the rods, or the world's for sweeps and one for Newton's method, which needs no second. `swept`: what is
/// between them and others is, whatever solves the rods.
pub fn iterations(d: &RodsDesc, world: &WorldDesc, swept: bool) -> u32 {
    match d.iterations {
        0 if order(d) == SweepOrder::Direct && !swept => 1,
        0 => world.iterations,
        given => given,
    }
}
