//! Muscles from meshes
//!
//! `withy_muscle_fit_mesh` turns the surface of a muscle into strands for `withy_muscle_create`
//! (Angles et al. 2019, section 8.1). It fills the inside with strands that run from the origin to
//! the insertion, as a field between the two does, and are as thick as they have to be for the
//! volume of the mesh. It needs no clean mesh: small holes, shells that overlap, duplicate vertices
//! and triangles without area are repaired, and told.
//!
//! ```text
//!     WithyMuscleMeshDef mesh; WithyMuscleFit fit; WithyMuscleDef def; WithyRods muscle;
//!     static float points[24 * 24][3], radii[24 * 24];
//!     WithySpan to = {points, 24 * 24, 0, WITHY_FORMAT_F32, 0};
//!     WithySpan thick = {radii, 24 * 24, 0, WITHY_FORMAT_F32, 0};
//!     withy_muscle_mesh_def_init(&mesh);
//!     mesh.positions = (WithySpan){vertices, vertex_count, 0, WITHY_FORMAT_F32, 0};
//!     mesh.triangles = (WithySpan){indices, triangle_count, 0, WITHY_FORMAT_U32, 0};
//!     withy_muscle_fit_mesh(context, &mesh, &to, &thick, &fit);
//!     withy_muscle_def_init(&def);
//!     def.positions = to, def.radii = thick, def.strands = mesh.strands;
//!     def.origin_tendon = def.insertion_tendon = 0.15;
//!     def.origin = upper, def.insertion = lower;
//!     withy_muscle_create(world, &def, &muscle);
//! ```

use std::ffi::c_void;

use super::context::WithyContext;
use super::convention::Convention;
use super::defs::{self, Def};
use super::guard::{self, Failure, Result};
use super::handles;
use super::span::{FLOATS, INDICES, Output, View};
use super::tasks::HostTasks;
use super::types::{WithySpan, WithyVec3};
use crate::fit::{self, End, Mesh, Muscle, MuscleDef};
use crate::world::TaskRunner;

/// A flag of `WithyMuscleFit.repairs`: triangles had no area. They were not looked at.
pub const WITHY_REPAIRED_FLAT_TRIANGLES: u32 = 1;
/// Shells of the mesh were inside out, or triangles ran the other way round than those beside them.
/// They were turned, each shell outwards by itself: a muscle has no cavities.
pub const WITHY_REPAIRED_INSIDE_OUT: u32 = 2;
/// The surface is open, or overlaps itself. Its volume is that of the cells inside.
pub const WITHY_REPAIRED_OPEN: u32 = 4;
/// No strands lead to a head: it has no end of its own, there are fewer strands than heads, or it
/// is very thin.
pub const WITHY_REPAIRED_HEADS: u32 = 8;
/// Parts of the mesh hang together with no end. They were left out.
pub const WITHY_REPAIRED_PARTS: u32 = 16;

/// Where a muscle begins or ends. Give its points, its vertices or a plane. Without any of them the
/// end is found: it is the tip that is farthest from the other end along the muscle, with the tips
/// of other heads.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyMuscleEnd {
    /// Vectors, host units: a point on the mesh or near it for each head, at most 64. What lies
    /// behind it, as seen from the other end, belongs to the end.
    pub points: WithySpan,
    /// u32: painted vertices of the mesh. Strands begin at the painted surface. The best choice for
    /// an end that is blunt.
    pub vertices: WithySpan,
    /// A point on a plane, host units: what lies behind the plane belongs to the end.
    pub plane_point: WithyVec3,
    /// Points to what lies behind the plane. (0, 0, 0), the default: no plane.
    pub plane_normal: WithyVec3,
}

/// How to turn the surface of a muscle into strands.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WithyMuscleMeshDef {
    pub struct_size: u32,
    pub flags: u32,
    pub next: *const c_void,
    /// Vectors, host units: the vertices of the mesh, at most 2^22. Required.
    pub positions: WithySpan,
    /// Triples of u32, at most 2^22. Required.
    pub triangles: WithySpan,
    /// Where the strands begin. Default: found. If both ends are found, the one with more heads is
    /// the origin.
    pub origin: WithyMuscleEnd,
    /// Where the strands end. Default: found.
    pub insertion: WithyMuscleEnd,
    /// How many strands, 1 to 512. Default: 24.
    pub strands: u32,
    /// Vertices of a strand, 2 to 512. Default: 24.
    pub slices: u32,
}

const NO_END: WithyMuscleEnd = {
    const NONE: WithySpan = WithySpan { data: std::ptr::null_mut(), count: 0, stride: 0, format: 0, reserved: 0 };
    const ZERO: WithyVec3 = WithyVec3 { x: 0.0, y: 0.0, z: 0.0 };
    WithyMuscleEnd { points: NONE, vertices: NONE, plane_point: ZERO, plane_normal: ZERO }
};

// SAFETY: repr(C), no padding, any bits are a value.
unsafe impl Def for WithyMuscleMeshDef {
    const FIRST_SIZE: usize = size_of::<WithyMuscleMeshDef>();
    fn defaults() -> Self {
        let MuscleDef { rods, slices, .. } = MuscleDef::default();
        WithyMuscleMeshDef {
            struct_size: 0,
            flags: 0,
            next: std::ptr::null(),
            positions: WithySpan::default(),
            triangles: WithySpan::default(),
            origin: NO_END,
            insertion: NO_END,
            strands: rods,
            slices,
        }
    }
}

/// How well the strands stand for the mesh, and what was repaired. The figures are of what the
/// strands are of, without parts that were left out and heads without an end.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct WithyMuscleFit {
    /// What the mesh encloses, without what was left out, host units^3. It is the volume of the
    /// strands, too.
    pub volume: f64,
    /// Mean length of the strands, host units.
    pub length: f64,
    /// Part of the inside that lies in a strand, as pills. A bundle of round strands that touch
    /// covers 0.91; here they overlap somewhat.
    pub covered: f64,
    /// Volume of the strands outside of the mesh, over that of the mesh.
    pub outside: f64,
    /// From the tip of the origin to the nearest end of a strand, in radii there: at most 1. Of
    /// several heads that strands lead to, the farthest. The tip is the point that was given, or
    /// the end of the head where that lies beyond the point. A painted end has no tip that a strand
    /// has to reach: there it is the way from its middle, which may be more than 1.
    pub origin_gap: f64,
    /// The same at the insertion.
    pub insertion_gap: f64,
    /// Mean distance between the surfaces of mesh and strands around the belly, host units.
    pub surface_distance: f64,
    /// WITHY_REPAIRED_HEADS: the volume of the heads without an end, over that of the mesh.
    pub headless: f64,
    /// WITHY_REPAIRED_PARTS: the volume of the parts that were left out, over that of all.
    pub left_out: f64,
    /// To how many heads strands lead at the origin, and at the insertion.
    pub origin_heads: u32,
    pub insertion_heads: u32,
    /// WITHY_REPAIRED_FLAT_TRIANGLES: how many.
    pub flat_triangles: u32,
    /// WITHY_REPAIRED_ flags: what was wrong with the mesh. 0: nothing.
    pub repairs: u32,
}

/// Fills `def` with the defaults. Use the macro `withy_muscle_mesh_def_init(&def)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_muscle_mesh_def_init_sized(def: *mut WithyMuscleMeshDef, size: u32) -> i32 {
    // SAFETY: the caller's contract.
    guard::call("withy_muscle_mesh_def_init", || unsafe { defs::init(def, size) })
}

/// Vertices, and triangles, of the largest mesh.
const MOST: usize = 1 << 22;
/// Heads of an end.
const MOST_HEADS: usize = 64;

fn at_most(count: usize, most: usize, name: &str) -> Result<()> {
    if count <= most { Ok(()) } else { Err(Failure::argument(format!("{name}.count is {count}: must be at most {most}"))) }
}

/// An end, and which of its fields says so.
fn end(of: &WithyMuscleEnd, name: &str, c: &Convention) -> Result<(End, &'static str)> {
    let [points, vertices] = ["points", "vertices"].map(|field| format!("{name}.{field}"));
    let [point, normal] = [of.plane_point, of.plane_normal].map(|v| [v.x, v.y, v.z]);
    let mut given = Vec::new();
    if let Some(view) = View::<3>::optional(&of.points, &points, FLOATS)? {
        at_most(view.count(), MOST_HEADS, &points)?;
        given.push((End::Points(view.positions(c)?), ".points"));
    }
    if let Some(view) = View::<1>::optional(&of.vertices, &vertices, INDICES)? {
        at_most(view.count(), MOST, &vertices)?;
        given.push((End::Vertices(view.indices()?.into_iter().map(|[vertex]| vertex).collect()), ".vertices"));
    }
    if normal != [0.0; 3] {
        let point = c.checked_position(point, format_args!("{name}.plane_point"), None)?;
        let normal = c.checked_direction(normal, format_args!("{name}.plane_normal"), None)?;
        given.push((End::Plane { point, normal }, ".plane_normal"));
    }
    match (given.pop(), given.pop()) {
        (None, _) => Ok((End::Found, "")),
        (Some(one), None) => Ok(one),
        (Some((_, one)), Some((_, other))) => {
            Err(Failure::argument(format!("{name}{one} goes not with {name}{other}: an end is told in one way")))
        }
    }
}

/// What the fit refuses, in the words of the interface.
fn told(error: fit::Error, ends: [&str; 2], c: &Convention) -> Failure {
    let field = match (error.field, error.index) {
        ("rods", _) => "strands".into(),
        ("points", _) => "positions".into(),
        ("origin", Some(_)) => format!("origin{}", ends[0]),
        ("insertion", Some(_)) => format!("insertion{}", ends[1]),
        (field, _) => field.to_owned(),
    };
    let lengths = error.lengths;
    let text = fit::Error { field: "", ..error }.to_string();
    let unit = if lengths && c.length_out(1.0) != 1.0 { " (lengths in m)" } else { "" };
    Failure::argument(format!("{field}{text}{unit}"))
}

/// The flags of what was repaired.
fn repairs(of: &fit::Repaired) -> u32 {
    let all = [
        (of.flat > 0, WITHY_REPAIRED_FLAT_TRIANGLES),
        (of.is_turned(), WITHY_REPAIRED_INSIDE_OUT),
        (of.open, WITHY_REPAIRED_OPEN),
        (of.dead > 0.0 || of.bare > 0, WITHY_REPAIRED_HEADS),
        (of.left_out > 0.0, WITHY_REPAIRED_PARTS),
    ];
    all.into_iter().filter(|(is_so, _)| *is_so).map(|(_, flag)| flag).sum()
}

fn measured(muscle: &Muscle, fit: &fit::measure::Fit, c: &Convention) -> WithyMuscleFit {
    WithyMuscleFit {
        volume: muscle.volume * c.length_out(1.0).powi(3),
        length: c.length_out(muscle.length),
        covered: fit.covered,
        outside: fit.outside,
        origin_gap: fit.tips[0],
        insertion_gap: fit.tips[1],
        surface_distance: c.length_out(fit.belly),
        headless: muscle.repaired.dead,
        left_out: muscle.repaired.left_out,
        origin_heads: muscle.tips[0].len() as u32,
        insertion_heads: muscle.tips[1].len() as u32,
        flat_triangles: muscle.repaired.flat as u32,
        repairs: repairs(&muscle.repaired),
    }
}

/// Turns the surface of a muscle into strands. Enters no world; it runs on the threads of the
/// context and takes about a second for 24 strands of 24 vertices, and more than a minute for 512.
/// The same mesh gives the same strands with any number of threads. A mesh that has moved gives the
/// same strands moved, within a tenth of a radius.
///
/// @param points Set to vectors, one a vertex, host units: strand after strand, each from the
///     origin to the insertion, as in WithyMuscleDef. There are `strands * slices`. If its data is
///     NULL, only the counts are set.
/// @param radii Set to numbers, one a vertex, host units. All strands are as thick as each other
///     in the same slice. NULL: not wanted.
/// @param fit Set. NULL: not wanted, and not measured, which saves a quarter of the time.
/// @return WITHY_ERROR_INVALID_ARGUMENT: also if the mesh encloses nothing, the ends are the same
///     or lie in different parts of the mesh, or the strands would be thinner than a thousandth of
///     their length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_muscle_fit_mesh(
    context: WithyContext,
    def: *const WithyMuscleMeshDef,
    points: *mut WithySpan,
    radii: *mut WithySpan,
    fit: *mut WithyMuscleFit,
) -> i32 {
    guard::call("withy_muscle_fit_mesh", || {
        let entry = handles::context(context)?;
        let c = &entry.convention;
        // SAFETY: the caller's contract.
        let def = unsafe { defs::read(def)? };
        let within = |name: &str, value: u32, low: u32, high: u32| {
            let wrong = || Failure::argument(format!("{name} is {value}: must be {low} to {high}"));
            if (low..=high).contains(&value) { Ok(value as usize) } else { Err(wrong()) }
        };
        let strands = within("strands", def.strands, 1, MuscleDef::MAX_RODS)?;
        let slices = within("slices", def.slices, 2, MuscleDef::MAX_SLICES)?;
        defs::not_null(points, "points")?;
        // SAFETY: the caller's contract.
        let out = unsafe { Output::<3>::wanted(points, strands * slices, FLOATS, "points")? };
        // SAFETY: the caller's contract.
        let thick = unsafe { Output::<1>::wanted(radii, strands * slices, FLOATS, "radii")? };
        let Some(out) = out else { return Ok(()) };

        let vertices = View::<3>::required(&def.positions, "positions", FLOATS)?;
        at_most(vertices.count(), MOST, "positions")?;
        let triangles = View::<3>::required(&def.triangles, "triangles", INDICES)?;
        at_most(triangles.count(), MOST, "triangles")?;
        let (vertices, mut triangles) = (vertices.positions(c)?, triangles.indices()?);
        if c.winds_clockwise() {
            triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let ((origin, one), (insertion, other)) = (end(&def.origin, "origin", c)?, end(&def.insertion, "insertion", c)?);
        let mesh = Mesh { points: &vertices, triangles: &triangles };
        let wanted = MuscleDef { origin, insertion, rods: def.strands, slices: def.slices };
        let host = entry.callbacks().map(HostTasks::new);
        let runner = host.as_ref().map_or(entry.runner(), |host| host as &dyn TaskRunner);
        let run = |count: usize, task: &(dyn Fn(usize) + Sync)| runner.run(count, task);
        let muscle = fit::rods_from_mesh(&mesh, &wanted, &run).map_err(|e| told(e, [one, other], c))?;
        if !fit.is_null() {
            let found = fit::measure::fit(&mesh, &muscle, &run).map_err(|e| told(e, [one, other], c))?;
            // SAFETY: the caller's contract.
            unsafe { defs::store(fit, measured(&muscle, &found, c), "fit")? };
        }
        for (i, point) in muscle.points.iter().enumerate() {
            out.put(i, c.position_out(*point));
        }
        if let Some(thick) = thick {
            (0..strands * slices).for_each(|i| thick.put(i, [c.length_out(muscle.radii[i % slices])]));
        }
        Ok(())
    })
}
