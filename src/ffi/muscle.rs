//! Muscles
//!
//! A muscle is a set of rods that run side by side from one body, its origin, to another, its
//! insertion. It keeps its volume: where it is shorter it is thicker. Its activation makes it pull.
//! `withy_muscle_create` gives a WithyRods: all that reads, draws or destroys rods goes on working.
//! `withy_muscle_fit_mesh`, below, makes the strands from the surface of a muscle; so does the
//! command line tool (`withy muscle`).

use std::ffi::c_void;

use super::body::WithyBody;
use super::convention::finite;
use super::defs::{self, Def};
use super::guard::{self, Failure};
use super::handles;
use super::rods::{
    WITHY_RODS_ONE_WAY, WITHY_RODS_SAG_FREE, WITHY_RODS_SELF_CONTACT, WITHY_RODS_STAY_AWAKE, WithyRods, read_span, write_span,
};
use super::span::{FLOATS, View};
use super::types::WithySpan;
use super::world::WithyWorld;
use crate::muscle::MOST_STIFFNESS;
use crate::world::{Hill, Muscle, Peak, Rods, RodsDesc, Stiffness, validate};

/// An active muscle wants to be shorter, and as much thicker: at an activation of 1 and without
/// load it is `shortest` times as long as at rest. For animation: it does not depend on how fast
/// the muscle moves. The default.
pub const WITHY_MUSCLE_REST_SHAPE: u32 = 0;
/// An active muscle pulls with the force that Hill's model has for its length and its velocity (De
/// Groote et al. 2016). Its elasticity is the passive force. For biomechanics, and for limbs that
/// muscles move.
pub const WITHY_MUSCLE_HILL: u32 = 1;

/// A flag: the ends also turn with their bodies. Without it the strands turn freely there.
pub const WITHY_MUSCLE_CLAMPED: u32 = 16;

/// How to create a muscle.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyMuscleDef {
    pub struct_size: u32,
    /// WITHY_MUSCLE_CLAMPED, WITHY_RODS_SAG_FREE, WITHY_RODS_ONE_WAY, WITHY_RODS_SELF_CONTACT and
    /// WITHY_RODS_STAY_AWAKE, or 0 (the default).
    pub flags: u32,
    pub next: *const c_void,
    /// Vectors: the vertices now, strand after strand, each from the origin to the insertion. All
    /// strands have as many: `positions.count / strands`. Required.
    pub positions: WithySpan,
    /// Numbers, one a vertex: radii of the strands, in place of `radius` and in its range. Default:
    /// none.
    pub radii: WithySpan,
    /// The body that holds the first vertices of all strands, where they are now. A null handle
    /// (the default): nothing holds them.
    pub origin: WithyBody,
    /// The body that holds the last vertices. It is not the origin's. A null handle (the default):
    /// nothing holds them.
    pub insertion: WithyBody,
    /// Radius of the strands, [1e-7, 1e3] m. Required, unless `radii` is given.
    pub radius: f64,
    /// Young's modulus, Pa, [1, 1e12]. Default: 6e4, a muscle at rest. Tendon: 1e9.
    pub young_modulus: f64,
    /// Poisson's ratio, [0.001, 0.4999]. Default: 0.499, the volume stays within a percent.
    pub poisson_ratio: f64,
    /// kg/m^3, [1e-3, 1e6]. Default: 1060.
    pub density: f64,
    /// Rate at which motion within a strand dies, 1/s, [0, 1e9]. Default: 2.
    pub damping: f64,
    /// Time in which the tissue forgets how fast it is deformed, s, [0, 1e3]. It slows down changes
    /// of shape. Default: 0.01.
    pub viscosity: f64,
    /// Coulomb's coefficient, [0, 1e3]. Default: 0.5.
    pub friction: f64,
    /// What holds the strands together, Pa: the force that draws a strand to its place in the
    /// bundle, for each metre of the strand and each metre that it is away. [1, 1e5] Pa. 0: the
    /// strands are not bound to each other, and those of a mesh collapse. Default: 3e4.
    pub bundle_stiffness: f64,
    /// WITHY_MUSCLE_REST_SHAPE: length at full activation over that at rest, [0.2, 1]. Default:
    /// 0.7.
    pub shortest: f64,
    /// Tendon at the origin and at the insertion, as part of the length of each strand, [0, 0.45].
    /// It is never active. Default: 0, none.
    pub origin_tendon: f64,
    pub insertion_tendon: f64,
    /// Young's modulus of the tendons, Pa, at most 1e6 times that of the muscle. Default: 1e8.
    pub tendon_modulus: f64,
    /// WITHY_MUSCLE_HILL: force of the whole muscle at full activation and optimal length, N, [0,
    /// 1e9]. 0 (the default): 3e5 Pa times the sections of all strands where they are thickest.
    pub peak_force: f64,
    /// WITHY_MUSCLE_HILL: the length at which the fibres pull most, over that at rest, [0.1, 10].
    /// Default: 1.
    pub optimal_ratio: f64,
    /// WITHY_MUSCLE_HILL: the velocity at which shortening fibres no longer pull, optimal lengths a
    /// second, [0.1, 1000]. Default: 10.
    pub max_velocity: f64,
    /// WITHY_MUSCLE_HILL: the angle between fibres and strand, rad, [0, 1.4]. Default: 0.
    pub pennation: f64,
    /// How many strands there are, at least 1; at most 4096 with a `bundle_stiffness`. Default: 1.
    pub strands: u32,
    /// A WITHY_MUSCLE_ value. Default: WITHY_MUSCLE_REST_SHAPE.
    pub mode: u32,
    /// The layers it is in, as bits. Default: 1.
    pub category: u32,
    /// The layers it collides with. Default: all.
    pub mask: u32,
}

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyMuscleDef {
    const FIRST_SIZE: usize = size_of::<WithyMuscleDef>();
    const FLAGS: u32 =
        WITHY_MUSCLE_CLAMPED | WITHY_RODS_SAG_FREE | WITHY_RODS_ONE_WAY | WITHY_RODS_SELF_CONTACT | WITHY_RODS_STAY_AWAKE;
    fn defaults() -> Self {
        let (rods, hill) = (RodsDesc::default(), Hill::default());
        WithyMuscleDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            positions: WithySpan::default(),
            radii: WithySpan::default(),
            origin: WithyBody::default(),
            insertion: WithyBody::default(),
            radius: 0.0,
            young_modulus: 6e4,
            poisson_ratio: 0.499,
            density: 1060.0,
            damping: 2.0,
            viscosity: 0.01,
            friction: rods.friction,
            bundle_stiffness: 3e4,
            shortest: 0.7,
            origin_tendon: 0.0,
            insertion_tendon: 0.0,
            tendon_modulus: 1e8,
            peak_force: 0.0,
            optimal_ratio: hill.optimal_ratio,
            max_velocity: hill.max_velocity,
            pennation: hill.pennation,
            strands: 1,
            mode: WITHY_MUSCLE_REST_SHAPE,
            category: rods.category,
            mask: rods.mask,
        }
    }
}

/// What a muscle does.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyMuscleState {
    /// Length along the strands, on average, host units.
    pub length: f64,
    /// How fast that becomes shorter, host units/s; negative while it lengthens.
    pub velocity: f64,
    /// What all strands carry together, N, on average along them, in the last substep.
    pub force: f64,
    /// What activation adds to it, N: the rest is the force without it, where the ends stay.
    pub active_force: f64,
    /// Volume over that at rest.
    pub volume: f64,
}

/// Fills `def` with the defaults. Use the macro `withy_muscle_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_muscle_def_init_sized(def: *mut WithyMuscleDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_muscle_def_init", || unsafe { defs::init(def, size) })
}

/// Of one bundle.
const MOST_STRANDS: u32 = validate::MOST_STRANDS_OF_A_BUNDLE;

/// Pa: what muscle fibres pull with at most.
const STRESS: f64 = 3e5;

/// The sum of all strands' thickest sections, m^2.
fn thickest(radii: &[f64], strands: usize) -> f64 {
    let area = |r: f64| std::f64::consts::PI * r * r;
    match radii {
        [one] => strands as f64 * area(*one),
        all => all.chunks(all.len() / strands).map(|of| area(of.iter().copied().fold(0.0, f64::max))).sum(),
    }
}

/// What of the strands is muscle, and what tendon.
struct Fibres {
    /// One a vertex: it is in a tendon.
    tendon: Vec<bool>,
    /// One an edge; empty without tendons.
    contractile: Vec<f64>,
}

impl Fibres {
    /// Strands of so many vertices each, of which these parts are tendon at either end.
    fn new(positions: &[[f64; 3]], each: usize, [origin, insertion]: [f64; 2]) -> Fibres {
        let (mut tendon, mut contractile) = (Vec::new(), Vec::new());
        if origin > 0.0 || insertion > 0.0 {
            for strand in positions.chunks(each) {
                let length = |w: &[[f64; 3]]| (0..3).map(|k| (w[1][k] - w[0][k]).powi(2)).sum::<f64>().sqrt();
                let mut at = vec![0.0];
                for edge in strand.windows(2) {
                    at.push(at[at.len() - 1] + length(edge));
                }
                let whole = at[each - 1];
                let inside = |x: f64| x < origin * whole || x > (1.0 - insertion) * whole;
                let edges: Vec<bool> = at.windows(2).map(|e| inside(0.5 * (e[0] + e[1]))).collect();
                // The stiffness of an edge is that of both its vertices.
                tendon.extend((0..each).map(|v| edges[v.max(1) - 1] && edges[v.min(each - 2)]));
                contractile.extend(edges.iter().map(|tendon| if *tendon { 0.0 } else { 1.0 }));
            }
        }
        Fibres { tendon, contractile }
    }
    /// Of the stiffness, one a vertex; empty without tendons.
    fn scale(&self, tendon: f64) -> Vec<f64> {
        self.tendon.iter().map(|t| if *t { tendon } else { 1.0 }).collect()
    }
}

fn describe(def: &WithyMuscleDef, c: &super::convention::Convention) -> guard::Result<RodsDesc> {
    let positions = View::<3>::required(&def.positions, "positions", FLOATS)?;
    let (vertices, strands) = (positions.count(), def.strands as usize);
    if strands == 0 || !vertices.is_multiple_of(strands) || vertices / strands < 2 {
        return Err(Failure::argument(format!(
            "positions.count is {vertices}: it must be {strands} (strands) times the vertices of a strand, at least 2"
        )));
    }
    let radii = match View::<1>::optional(&def.radii, "radii", FLOATS)? {
        Some(view) => view.counted(&[(vertices, "one a vertex")])?.lengths(c, validate::RADIUS)?,
        None => vec![c.checked_length(def.radius, "radius", validate::RADIUS)?],
    };
    let young = finite(def.young_modulus, "young_modulus")?;
    let poisson_ratio = finite(def.poisson_ratio, "poisson_ratio")?;
    validate::between("young_modulus", young, 1.0, 1e12)?;
    validate::between("poisson_ratio", poisson_ratio, 1e-3, 0.4999)?;
    validate::between("peak_force", def.peak_force, 0.0, 1e9)?;
    let positions = positions.positions(c)?;
    let tendons = [finite(def.origin_tendon, "origin_tendon")?, finite(def.insertion_tendon, "insertion_tendon")?];
    for (part, name) in tendons.iter().zip(["origin_tendon", "insertion_tendon"]) {
        if !(0.0..=0.45).contains(part) {
            return Err(Failure::argument(format!("{name} is {part}: must be 0 to 0.45")));
        }
    }
    let stiffer = finite(def.tendon_modulus, "tendon_modulus")? / young;
    if tendons != [0.0; 2] && !(1e-6..=1e6).contains(&stiffer) {
        let modulus = def.tendon_modulus;
        return Err(Failure::argument(format!("tendon_modulus is {modulus}: must be 1e-6 to 1e6 times young_modulus, {young}")));
    }
    let fibres = Fibres::new(&positions, vertices / strands, tendons);
    let each = match finite(def.peak_force, "peak_force")? {
        0.0 => STRESS * thickest(&radii, strands) / strands as f64,
        force => force / strands as f64,
    };
    let hill = Hill {
        peak: Peak::Force(each),
        optimal_ratio: finite(def.optimal_ratio, "optimal_ratio")?,
        max_velocity: finite(def.max_velocity, "max_velocity")?,
        pennation: finite(def.pennation, "pennation")?,
    };
    let shortest = finite(def.shortest, "shortest")?;
    let mode = defs::choice(def.mode, &[Muscle::RestShape { shortest }, Muscle::Hill(hill)], "mode")?;
    let bundled = def.bundle_stiffness != 0.0;
    if bundled && def.strands > MOST_STRANDS {
        let strands = def.strands;
        return Err(Failure::argument(format!("strands is {strands}: must be at most {MOST_STRANDS}, or bundle_stiffness 0")));
    }
    if bundled && !(1.0..=MOST_STIFFNESS).contains(&def.bundle_stiffness) {
        return Err(Failure::argument(format!("bundle_stiffness is {}: must be 0, or 1 to 1e5", def.bundle_stiffness)));
    }
    Ok(RodsDesc {
        stiffness_scale: fibres.scale(stiffer),
        contractile: fibres.contractile,
        positions,
        counts: vec![(vertices / strands) as u32; strands],
        radii,
        stiffness: Stiffness::Physical { young, shear: young / (2.0 * (1.0 + poisson_ratio)) },
        poisson_ratio,
        muscle: Some(mode),
        strands_per_bundle: if bundled { def.strands } else { 0 },
        bundle_stiffness: if bundled { def.bundle_stiffness } else { f64::INFINITY },
        density: finite(def.density, "density")?,
        damping: finite(def.damping, "damping")?,
        viscosity: finite(def.viscosity, "viscosity")?,
        friction: finite(def.friction, "friction")?,
        sag_free: def.flags & WITHY_RODS_SAG_FREE != 0,
        one_way: def.flags & WITHY_RODS_ONE_WAY != 0,
        self_contact: def.flags & WITHY_RODS_SELF_CONTACT != 0,
        can_sleep: def.flags & WITHY_RODS_STAY_AWAKE == 0,
        category: def.category,
        mask: def.mask,
        ..RodsDesc::default()
    })
}

/// Writes. Adds a muscle to a world. Everything in `def` is copied. It has its rest shape now, so
/// it pulls at nothing when it starts, and gravity bends it between its ends. With
/// WITHY_RODS_SAG_FREE it holds its pose against gravity, too.
///
/// It collides with the bodies that hold its ends as with all others. Let it begin and end at their
/// surface, or where the layers of muscle and body do not meet: what runs inside a body which it
/// touches is pressed out of it, and pulls many times as hard.
///
/// @param rods Set on success. Destroy it with `withy_rods_destroy`, or with its world. A body that
///     goes lets go of it.
/// @return WITHY_ERROR_UNSUPPORTED: the world is on the GPU.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_muscle_create(world: WithyWorld, def: *const WithyMuscleDef, rods: *mut WithyRods) -> i32 {
    guard::write("withy_muscle_create", world, |cx| {
        defs::not_null(rods, "rods")?;
        // SAFETY: the caller's contract.
        let def = unsafe { defs::read(def)? };
        let body = |body: WithyBody, name: &str| match body.bits {
            0 => Ok(None),
            _ => handles::same_world(world, body, name).map(Some),
        };
        let (origin, insertion) = (body(def.origin, "origin")?, body(def.insertion, "insertion")?);
        let id = cx.world.add_muscle_on(
            describe(&def, cx.convention)?,
            [origin, insertion],
            def.flags & WITHY_MUSCLE_CLAMPED != 0,
            cx.runner,
        )?;
        // SAFETY: the caller's contract.
        unsafe { defs::store(rods, handles::object(world, id), "rods") }
    })
}

/// Writes. Sets how active the whole muscle is, from the next step on, until it is set again. It is
/// part of the state that is saved and restored.
///
/// @param activation 0 to 1.
#[unsafe(no_mangle)]
pub extern "C" fn withy_muscle_set_activation(rods: WithyRods, activation: f64) -> i32 {
    guard::write("withy_muscle_set_activation", rods, |cx| {
        if !(0.0..=1.0).contains(&activation) {
            return Err(Failure::argument(format!("activation is {activation}: must be 0 to 1")));
        }
        Ok(cx.world.rods_mut(cx.id)?.set_activation(|_| activation)?)
    })
}

/// Writes. Sets how active each edge is: a wave can run along a tentacle, or half of a muscle pull.
///
/// @param activations Numbers, one an edge, 0 to 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_muscle_write_activations(rods: WithyRods, activations: *const WithySpan) -> i32 {
    let of = ["activations", "edges"];
    write_span("withy_muscle_write_activations", rods, activations, of, Rods::edge_count, |rods, _, view: &View<'_, 1>| {
        Ok(rods.set_activation(|i| view.get(i)[0])?)
    })
}

/// Reads. How active each edge is; 0 of rods that are no muscle.
///
/// @param out Numbers, one an edge.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_muscle_read_activations(rods: WithyRods, out: *mut WithySpan) -> i32 {
    read_span("withy_muscle_read_activations", rods, out, Rods::edge_count, |rods, _, out| {
        rods.read_activation(|i, activation| out.put(i, [activation]));
    })
}

/// Reads. Length, velocity, force and volume of the whole muscle. `withy_rods_read_tension`,
/// `withy_rods_read_radii` and `withy_rods_read_volumes` tell more.
///
/// @param state Set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_muscle_get_state(rods: WithyRods, state: *mut WithyMuscleState) -> i32 {
    guard::read("withy_muscle_get_state", rods, |cx| {
        let s = cx.world.rods(cx.id)?.muscle_state();
        let c = cx.convention;
        let (length, velocity) = (c.length_out(s.length), c.length_out(s.velocity));
        let out = WithyMuscleState { length, velocity, force: s.force, active_force: s.active_force, volume: s.volume };
        // SAFETY: the caller's contract.
        unsafe { defs::store(state, out, "state") }
    })
}
