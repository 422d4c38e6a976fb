//! The C ABI in safe clothes: everything that the command steps goes through `withy_*`, as it would from a plugin.
//!
//! Descriptions are the library's own (`withy::world`), translated field by field into the C structs. Handles are checked by
//! the library, so that a stale one is an error here too, and no wrapper needs a lifetime.

use std::ffi::{CStr, c_void};

use withy::ffi::attachment::*;
use withy::ffi::collider::*;
use withy::ffi::context::*;
use withy::ffi::diagnostics::*;
use withy::ffi::isa::*;
use withy::ffi::library::*;
use withy::ffi::mesh::*;
use withy::ffi::render_hair::*;
use withy::ffi::rest_shape::*;
use withy::ffi::rods::*;
use withy::ffi::rods_detail::*;
use withy::ffi::types::*;
use withy::ffi::world::*;
use withy::math::Isa;
use withy::world::{
    BackendChoice, ColliderDesc, EndSupport, MeshDesc, Pose, RestShape, RodsDesc, Shape, Stiffness, SweepOrder, WorldDesc,
};

/// A status of the library and its reason in words.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{name}: {reason}")]
pub struct AbiError {
    pub code: i32,
    name: String,
    reason: String,
}

pub type Result<T> = std::result::Result<T, AbiError>;

fn ok(code: i32) -> Result<()> {
    if code == WITHY_OK {
        return Ok(());
    }
    // SAFETY: both functions return constant or thread-local strings that live until the next failure on this thread.
    let text = |p| unsafe { CStr::from_ptr(p) }.to_string_lossy().into_owned();
    Err(AbiError { code, name: text(withy_result_name(code)), reason: text(withy_last_error()) })
}

/// Scalars that a span can hold.
trait Scalar {
    const FORMAT: u32;
}
impl Scalar for f32 {
    const FORMAT: u32 = WITHY_FORMAT_F32;
}
impl Scalar for f64 {
    const FORMAT: u32 = WITHY_FORMAT_F64;
}
impl Scalar for u32 {
    const FORMAT: u32 = WITHY_FORMAT_U32;
}
impl<S: Scalar, const N: usize> Scalar for [S; N] {
    const FORMAT: u32 = S::FORMAT;
}

/// An input; empty is "none".
fn span<T: Scalar>(values: &[T]) -> WithySpan {
    if values.is_empty() {
        return WithySpan::default();
    }
    let data = values.as_ptr().cast_mut().cast::<c_void>();
    WithySpan { data, count: values.len() as u64, stride: size_of::<T>() as u64, format: T::FORMAT, reserved: 0 }
}

/// Reads a whole array of the library: asks for the count, then for the values.
fn read<T: Scalar + Clone + Default>(f: impl Fn(*mut WithySpan) -> i32) -> Result<Vec<T>> {
    let mut out = WithySpan { format: T::FORMAT, ..WithySpan::default() };
    ok(f(&mut out))?;
    let mut values = vec![T::default(); out.count as usize];
    out.data = values.as_mut_ptr().cast();
    out.stride = size_of::<T>() as u64;
    ok(f(&mut out))?;
    Ok(values)
}

fn vec3([x, y, z]: [f64; 3]) -> WithyVec3 {
    WithyVec3 { x, y, z }
}

fn pose(p: Pose) -> WithyPose {
    let [x, y, z, w] = p.rotation;
    WithyPose { position: vec3(p.position), rotation: WithyQuat { x, y, z, w } }
}

/// A context with one world in it.
#[derive(Debug)]
pub struct World {
    context: u64,
    world: u64,
}

impl World {
    /// `threads` 0: the calling thread alone. `gravity` and the rest are taken from `desc`.
    pub fn new(desc: &WorldDesc, threads: u32) -> Result<World> {
        let mut context_def = std::mem::MaybeUninit::<WithyContextDef>::uninit();
        let mut world_def = std::mem::MaybeUninit::<WithyWorldDef>::uninit();
        let (mut context, mut world) = (WithyContext::default(), WithyWorld::default());
        // SAFETY: every pointer is to a local of the right type, and the init functions fill the structs.
        unsafe {
            ok(withy_context_def_init_sized(context_def.as_mut_ptr(), size_of::<WithyContextDef>() as u32))?;
            let mut context_def = context_def.assume_init();
            context_def.threads = threads;
            ok(withy_context_create(&context_def, &mut context))?;
        }
        let mut created = World { context: context.bits, world: 0 };
        // SAFETY: as above.
        unsafe {
            ok(withy_world_def_init_sized(world_def.as_mut_ptr(), size_of::<WithyWorldDef>() as u32))?;
            let mut def = world_def.assume_init();
            def.backend = match desc.backend {
                BackendChoice::Cpu => WITHY_BACKEND_CPU,
                BackendChoice::Gpu => WITHY_BACKEND_GPU,
                BackendChoice::Auto => WITHY_BACKEND_AUTO,
            };
            def.isa = desc.isa.map_or(WITHY_ISA_AUTO, |isa| isa as u32);
            def.precision = if desc.double_precision { WITHY_PRECISION_F64 } else { WITHY_PRECISION_F32 };
            (def.substeps, def.iterations) = (desc.substeps, desc.iterations);
            ok(withy_world_create(context, &def, &mut world))?;
            created.world = world.bits;
        }
        created.set_gravity(desc.gravity)?;
        Ok(created)
    }

    fn handle(&self) -> WithyWorld {
        WithyWorld { bits: self.world }
    }

    pub fn set_gravity(&self, gravity: [f64; 3]) -> Result<()> {
        // SAFETY: the pointer is to a temporary that outlives the call.
        ok(unsafe { withy_world_set_gravity(self.handle(), &vec3(gravity)) })
    }

    pub fn step(&self, dt: f64) -> Result<()> {
        ok(withy_world_step(self.handle(), dt))
    }

    pub fn stats(&self) -> Result<WithyStepStats> {
        let mut stats = std::mem::MaybeUninit::<WithyStepStats>::zeroed();
        // SAFETY: the struct is plain numbers, all bits zero is a value, and the size is its own.
        unsafe {
            ok(withy_world_read_stats_sized(self.handle(), stats.as_mut_ptr(), size_of::<WithyStepStats>() as u32))?;
            Ok(stats.assume_init())
        }
    }

    pub fn state_hash(&self) -> Result<u64> {
        let mut hash = 0;
        // SAFETY: a pointer to a local.
        ok(unsafe { withy_world_state_hash(self.handle(), &mut hash) })?;
        Ok(hash)
    }

    pub fn memory(&self) -> Result<u64> {
        let mut bytes = 0;
        // SAFETY: a pointer to a local.
        ok(unsafe { withy_world_memory(self.handle(), &mut bytes) })?;
        Ok(bytes)
    }

    pub fn backend(&self) -> Result<String> {
        let mut size = 0;
        // SAFETY: NULL asks for the size.
        ok(unsafe { withy_world_backend(self.handle(), std::ptr::null_mut(), &mut size) })?;
        let mut name = vec![0u8; size as usize];
        // SAFETY: there is room for `size` bytes.
        ok(unsafe { withy_world_backend(self.handle(), name.as_mut_ptr().cast(), &mut size) })?;
        name.truncate(name.iter().position(|&c| c == 0).unwrap_or(name.len()));
        Ok(String::from_utf8_lossy(&name).into_owned())
    }

    pub fn isa(&self) -> Result<Isa> {
        let mut isa = 0;
        // SAFETY: a pointer to a local.
        ok(unsafe { withy_world_isa(self.handle(), &mut isa) })?;
        Ok(Isa::ALL.into_iter().find(|i| *i as u32 == isa).unwrap_or(Isa::Scalar))
    }

    pub fn add_rods(&self, desc: &RodsDesc) -> Result<Rods> {
        let mut def = std::mem::MaybeUninit::<WithyRodsDef>::uninit();
        let mut rods = WithyRods::default();
        // SAFETY: the init function fills the struct; its spans point into `desc`, which outlives the call.
        unsafe {
            ok(withy_rods_def_init_sized(def.as_mut_ptr(), size_of::<WithyRodsDef>() as u32))?;
            let mut def = def.assume_init();
            fill_rods(&mut def, desc)?;
            ok(withy_rods_create(self.handle(), &def, &mut rods))?;
        }
        Ok(Rods { bits: rods.bits })
    }

    /// Strands between those of `rods` as they are now, `per_guide` for each.
    pub fn scatter_hair(&self, rods: &[Rods], per_guide: u32) -> Result<RenderHair> {
        self.add_hair(rods, |def| def.per_guide = per_guide)
    }

    /// Strands that follow those of `rods`, from where both are now.
    pub fn bind_hair(&self, rods: &[Rods], counts: &[u32], positions: &[[f32; 3]]) -> Result<RenderHair> {
        self.add_hair(rods, |def| (def.counts, def.positions) = (span(counts), span(positions)))
    }

    fn add_hair(&self, rods: &[Rods], set: impl FnOnce(&mut WithyRenderHairDef)) -> Result<RenderHair> {
        let mut def = std::mem::MaybeUninit::<WithyRenderHairDef>::uninit();
        let mut hair = WithyRenderHair::default();
        let handles: Vec<WithyRods> = rods.iter().map(|r| r.handle()).collect();
        // SAFETY: the init function fills the struct; what it points to outlives the call.
        unsafe {
            ok(withy_render_hair_def_init_sized(def.as_mut_ptr(), size_of::<WithyRenderHairDef>() as u32))?;
            let mut def = def.assume_init();
            (def.rods, def.rods_count) = (handles.as_ptr(), handles.len() as u32);
            set(&mut def);
            ok(withy_render_hair_create(self.handle(), &def, &mut hair))?;
        }
        Ok(RenderHair { bits: hair.bits })
    }

    pub fn add_collider(&self, desc: &ColliderDesc) -> Result<Collider> {
        let mut def = std::mem::MaybeUninit::<WithyColliderDef>::uninit();
        let mut collider = WithyCollider::default();
        // SAFETY: the init function fills the struct, and it holds no pointers of ours.
        unsafe {
            ok(withy_collider_def_init_sized(def.as_mut_ptr(), size_of::<WithyColliderDef>() as u32))?;
            let mut def = def.assume_init();
            match desc.shape {
                Shape::Plane => def.shape = WITHY_SHAPE_PLANE,
                Shape::Sphere { radius } => (def.shape, def.radius) = (WITHY_SHAPE_SPHERE, radius),
                Shape::Capsule { radius, half_height } => {
                    (def.shape, def.radius, def.half_height) = (WITHY_SHAPE_CAPSULE, radius, half_height);
                }
                Shape::TaperedCapsule { half_height, bottom, top } => {
                    (def.shape, def.half_height) = (WITHY_SHAPE_TAPERED_CAPSULE, half_height);
                    (def.radius, def.radius_top) = (bottom, top);
                }
                Shape::Box { half_extents } => (def.shape, def.half_extents) = (WITHY_SHAPE_BOX, vec3(half_extents)),
            }
            (def.pose, def.friction, def.category, def.mask) = (pose(desc.pose), desc.friction, desc.category, desc.mask);
            ok(withy_collider_create(self.handle(), &def, &mut collider))?;
        }
        Ok(Collider { bits: collider.bits })
    }

    pub fn add_mesh(&self, desc: &MeshDesc) -> Result<Mesh> {
        let mut def = std::mem::MaybeUninit::<WithyMeshDef>::uninit();
        let mut mesh = WithyMesh::default();
        // SAFETY: the init function fills the struct; its spans point into `desc`, which outlives the call.
        unsafe {
            ok(withy_mesh_def_init_sized(def.as_mut_ptr(), size_of::<WithyMeshDef>() as u32))?;
            let mut def = def.assume_init();
            (def.positions, def.triangles) = (span(&desc.positions), span(&desc.triangles));
            (def.inv_masses, def.extra_edges) = (span(&desc.inv_masses), span(&desc.extra_edges));
            if let Some(compliance) = desc.edge_compliance {
                (def.flags, def.edge_compliance, def.drag) = (WITHY_MESH_ELASTIC, compliance, desc.drag);
            }
            ok(withy_mesh_create(self.handle(), &def, &mut mesh))?;
        }
        Ok(Mesh { bits: mesh.bits })
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // Fails only if another thread is inside, and then the process is on its way out.
        withy_context_destroy(WithyContext { bits: self.context });
    }
}

fn support(s: EndSupport) -> u32 {
    match s {
        EndSupport::Free => WITHY_SUPPORT_FREE,
        EndSupport::Pinned => WITHY_SUPPORT_PINNED,
        EndSupport::Clamped => WITHY_SUPPORT_CLAMPED,
    }
}

fn fill_rods(def: &mut WithyRodsDef, desc: &RodsDesc) -> Result<()> {
    (def.positions, def.counts) = (span(&desc.positions), span(&desc.counts));
    (def.rest_positions, def.velocities) = (span(&desc.rest_positions), span(&desc.velocities));
    (def.section_axes, def.stiffness_scale) = (span(&desc.section_axes), span(&desc.stiffness_scale));
    match desc.radii.as_slice() {
        [one] => def.radius = *one,
        radii => def.radii = span(radii),
    }
    def.aspect = desc.aspect;
    match desc.stiffness {
        Stiffness::Physical { young, shear } => {
            def.stiffness = WITHY_STIFFNESS_PHYSICAL;
            (def.young_modulus, def.shear_modulus) = (young, shear);
        }
        Stiffness::Alpha { bend1, bend2, twist, stretch } => {
            def.stiffness = WITHY_STIFFNESS_ALPHA;
            (def.alpha_bend1, def.alpha_bend2, def.alpha_twist, def.alpha_stretch) = (bend1, bend2, twist, stretch);
        }
    }
    (def.density, def.ghost_distance, def.ghost_mass_ratio) = (desc.density, desc.ghost_distance, desc.ghost_mass_ratio);
    match &desc.rest_shape {
        RestShape::FromPose => def.rest_shape = WITHY_REST_FROM_POSE,
        RestShape::Straight => def.rest_shape = WITHY_REST_STRAIGHT,
        RestShape::Explicit { lengths, darboux } => {
            def.rest_shape = WITHY_REST_EXPLICIT;
            (def.rest_lengths, def.rest_darboux) = (span(lengths), span(darboux));
        }
        // Strains are set on the rods, a description has none: the library refuses this.
        RestShape::Strains { .. } => def.rest_shape = u32::MAX,
    }
    def.flags = if desc.sag_free { WITHY_RODS_SAG_FREE } else { 0 };
    def.flags |= if desc.one_way { WITHY_RODS_ONE_WAY } else { 0 };
    def.flags |= if desc.self_contact { WITHY_RODS_SELF_CONTACT } else { 0 };
    def.flags |= if desc.can_sleep { 0 } else { WITHY_RODS_STAY_AWAKE };
    def.model = desc.model as u32;
    (def.stretch_modulus, def.viscosity) = (desc.stretch_modulus, desc.viscosity);
    def.integrator = desc.integrator as u32;
    def.order = match desc.order {
        SweepOrder::Alternating => WITHY_ORDER_ALTERNATING,
        SweepOrder::RootToTip => WITHY_ORDER_ROOT_TO_TIP,
        // The C ABI has no orders that only a paper's figure needs: the library refuses this.
        SweepOrder::Bidirectional | SweepOrder::Sequential => u32::MAX,
        SweepOrder::Direct => WITHY_ORDER_DIRECT,
        SweepOrder::Auto => WITHY_ORDER_AUTO,
    };
    (def.root, def.tip) = (support(desc.root), support(desc.tip));
    (def.damping, def.drag, def.wind, def.friction) = (desc.damping, desc.drag, vec3(desc.wind), desc.friction);
    (def.collision_radius, def.iterations, def.max_speed) = (desc.collision_radius, desc.iterations, desc.max_speed);
    (def.category, def.mask) = (desc.category, desc.mask);
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rods {
    bits: u64,
}

/// Strands that follow rods.
#[derive(Clone, Copy, Debug)]
pub struct RenderHair {
    bits: u64,
}

impl RenderHair {
    fn handle(self) -> WithyRenderHair {
        WithyRenderHair { bits: self.bits }
    }
    /// m, one a vertex.
    pub fn positions(self) -> Result<Vec<[f32; 3]>> {
        // SAFETY: `read` hands over a span with the room that it says.
        read(|out| unsafe { withy_render_hair_read(self.handle(), std::ptr::null(), out, std::ptr::null_mut()) })
    }
    /// Vertices of each strand.
    pub fn counts(self) -> Result<Vec<u32>> {
        let null = std::ptr::null_mut();
        // SAFETY: as above.
        read(|out| unsafe { withy_render_hair_read_layout(self.handle(), std::ptr::null(), null, out, null) })
    }
    /// The guide that each strand follows most.
    pub fn nearest(self) -> Result<Vec<u32>> {
        let null = std::ptr::null_mut();
        // SAFETY: as above; the first has the largest weight.
        let all: Vec<[u32; 3]> = read(|out| unsafe { withy_render_hair_read_weights(self.handle(), out, null) })?;
        Ok(all.into_iter().map(|g| g[0]).collect())
    }
}

impl Rods {
    pub fn handle(self) -> WithyRods {
        WithyRods { bits: self.bits }
    }
    /// m, one a vertex.
    pub fn positions(self) -> Result<Vec<[f64; 3]>> {
        // SAFETY: `read` hands over a span with the room that it says.
        read(|out| unsafe { withy_rods_read_positions(self.handle(), out) })
    }
    /// The same in the precision of a picture or a cache.
    pub fn positions_f32(self) -> Result<Vec<[f32; 3]>> {
        // SAFETY: as above.
        read(|out| unsafe { withy_rods_read_positions(self.handle(), out) })
    }
    /// m/s, one a vertex.
    pub fn velocities(self) -> Result<Vec<[f64; 3]>> {
        // SAFETY: as above.
        read(|out| unsafe { withy_rods_read_velocities(self.handle(), out) })
    }
    /// The same in the precision of a cache.
    pub fn velocities_f32(self) -> Result<Vec<[f32; 3]>> {
        // SAFETY: as above.
        read(|out| unsafe { withy_rods_read_velocities(self.handle(), out) })
    }
    /// xyzw, one an edge.
    pub fn frames(self) -> Result<Vec<[f64; 4]>> {
        // SAFETY: as above.
        read(|out| unsafe { withy_rods_read_frames(self.handle(), out) })
    }
    /// rad, one an element.
    pub fn twist(self) -> Result<Vec<f64>> {
        // SAFETY: as above.
        read(|out| unsafe { withy_rods_read_twist(self.handle(), out) })
    }
    /// 1/m in the material frame, one an element.
    pub fn darboux(self) -> Result<Vec<[f64; 3]>> {
        // SAFETY: as above.
        read(|out| unsafe { withy_rods_read_darboux(self.handle(), out) })
    }
    /// Length / rest length - 1, one an edge.
    pub fn strain(self) -> Result<Vec<f64>> {
        // SAFETY: as above.
        read(|out| unsafe { withy_rods_read_strain(self.handle(), out) })
    }

    /// Where the roots are at the end of the next step, one pose a strand, rotations relative to creation.
    pub fn set_roots(self, positions: &[[f64; 3]], rotations: &[[f64; 4]]) -> Result<()> {
        // SAFETY: the spans are of the slices, which outlive the call.
        ok(unsafe { withy_rods_set_root_poses(self.handle(), &span(positions), &span(rotations), 0) })
    }
    /// The same for the tips.
    pub fn set_tips(self, positions: &[[f64; 3]], rotations: &[[f64; 4]]) -> Result<()> {
        // SAFETY: as above.
        ok(unsafe { withy_rods_set_tip_poses(self.handle(), &span(positions), &span(rotations), 0) })
    }
    /// Holds a vertex at a place, or lets it go.
    pub fn set_pin(self, vertex: u32, target: Option<[f64; 3]>) -> Result<()> {
        let target = target.map(vec3);
        let pointer = target.as_ref().map_or(std::ptr::null(), |t| t as *const WithyVec3);
        // SAFETY: NULL or a pointer to a local.
        ok(unsafe { withy_rods_set_pin(self.handle(), vertex, pointer, 0) })
    }
    pub fn set_motion(self, damping: f64, drag: f64, wind: [f64; 3], friction: f64) -> Result<()> {
        // SAFETY: the pointer is to a temporary that outlives the call.
        ok(unsafe { withy_rods_set_motion(self.handle(), damping, drag, &vec3(wind), friction) })
    }
    /// How much stiffer than it was made: against bending and twisting at a vertex, and against stretching of the edge after it.
    pub fn set_stiffness_factors(self, factors: &[[f64; 2]]) -> Result<()> {
        // SAFETY: the span is of the slice, which outlives the call.
        ok(unsafe { withy_rods_set_stiffness_factors(self.handle(), &span(factors)) })
    }
    /// Rest lengths, m, one an edge; Darboux vectors at rest, 1/m, one an element.
    pub fn set_rest(self, lengths: &[f64], darboux: &[[f64; 3]]) -> Result<()> {
        // SAFETY: the spans are of the slices, which outlive the call.
        ok(unsafe { withy_rods_set_rest_shape(self.handle(), WITHY_REST_EXPLICIT, &span(lengths), &span(darboux)) })
    }
    pub fn write_positions(self, positions: &[[f64; 3]]) -> Result<()> {
        // SAFETY: the span is of the slice, which outlives the call.
        ok(unsafe { withy_rods_write_positions(self.handle(), &span(positions)) })
    }
    pub fn write_velocities(self, velocities: &[[f64; 3]]) -> Result<()> {
        // SAFETY: as above.
        ok(unsafe { withy_rods_write_velocities(self.handle(), &span(velocities)) })
    }
    /// The strands that were degenerate at creation.
    pub fn report(self) -> Result<Vec<WithyStrandIssue>> {
        let mut count = 0;
        // SAFETY: NULL asks for the count.
        ok(unsafe { withy_rods_read_report(self.handle(), std::ptr::null_mut(), &mut count) })?;
        let none = WithyStrandIssue { strand: 0, vertex: 0, kind: 0, reserved: 0, value: 0.0 };
        let mut issues = vec![none; count as usize];
        if count > 0 {
            // SAFETY: there is room for `count` issues.
            ok(unsafe { withy_rods_read_report(self.handle(), issues.as_mut_ptr(), &mut count) })?;
        }
        Ok(issues)
    }
    /// How the last search for a rest shape or for statics left each strand.
    pub fn elastic_report(self) -> Result<Vec<WithyElasticReport>> {
        let mut count = 0;
        // SAFETY: NULL asks for the count.
        ok(unsafe { withy_rods_read_elastic_report(self.handle(), std::ptr::null_mut(), &mut count) })?;
        let mut reports = Vec::with_capacity(count as usize);
        if count > 0 {
            // SAFETY: there is room for `count` reports, and all of them are written.
            ok(unsafe { withy_rods_read_elastic_report(self.handle(), reports.as_mut_ptr(), &mut count) })?;
            // SAFETY: as above.
            unsafe { reports.set_len(count as usize) };
        }
        Ok(reports)
    }
    /// Rest shapes that make the present pose an equilibrium in steps of `step` seconds, if need be with strands up to `stiffen` times as
    /// stiff (0: none); `progress` gets the strands that are done and all.
    pub fn optimize_rest_shape(self, step: f64, stiffen: f64, progress: &dyn Fn(u32, u32)) -> Result<()> {
        unsafe extern "C" fn call(user: *mut core::ffi::c_void, done: u32, all: u32) -> u32 {
            // SAFETY: `user` is the reference below, which outlives the call.
            let progress = unsafe { &*user.cast::<&dyn Fn(u32, u32)>() };
            progress(done, all);
            0
        }
        let mut def = std::mem::MaybeUninit::<WithyRestShapeDef>::uninit();
        // SAFETY: the def is as large as it says, and read after it has been filled in.
        ok(unsafe { withy_rest_shape_def_init_sized(def.as_mut_ptr(), size_of::<WithyRestShapeDef>() as u32) })?;
        // SAFETY: as above.
        let mut def = unsafe { def.assume_init() };
        def.progress = Some(call);
        (def.step, def.stiffen) = (step, stiffen);
        def.user = (&raw const progress).cast_mut().cast();
        // SAFETY: the def and what it points to outlive the call.
        ok(unsafe { withy_rods_optimize_rest_shape(self.handle(), &def) })
    }
    pub fn end(self, strand: u32, tip: bool) -> WithyStrandEnd {
        WithyStrandEnd { rods: self.handle(), strand, end: if tip { WITHY_END_TIP } else { WITHY_END_ROOT } }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collider {
    bits: u64,
}

impl Collider {
    pub fn set_pose(self, to: Pose) -> Result<()> {
        // SAFETY: the pointer is to a temporary that outlives the call.
        ok(unsafe { withy_collider_set_pose(WithyCollider { bits: self.bits }, &pose(to), 0) })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mesh {
    bits: u64,
}

impl Mesh {
    pub fn positions(self) -> Result<Vec<[f64; 3]>> {
        // SAFETY: `read` hands over a span with the room that it says.
        read(|out| unsafe { withy_mesh_read_positions(WithyMesh { bits: self.bits }, out) })
    }

    /// Ties a strand's end to a triangle, frame and all.
    pub fn attach(self, end: WithyStrandEnd, triangle: u32, barycentric: [f64; 3]) -> Result<()> {
        let mut def = std::mem::MaybeUninit::<WithyTriangleAttachmentDef>::uninit();
        let mut attachment = WithyAttachment::default();
        // SAFETY: the init function fills the struct, and it holds no pointers of ours.
        unsafe {
            let size = size_of::<WithyTriangleAttachmentDef>() as u32;
            ok(withy_triangle_attachment_def_init_sized(def.as_mut_ptr(), size))?;
            let mut def = def.assume_init();
            (def.end, def.mesh, def.triangle, def.barycentric) = (end, WithyMesh { bits: self.bits }, triangle, barycentric);
            def.flags = WITHY_ATTACH_CLAMPED;
            ok(withy_attachment_create_triangle(&def, &mut attachment))
        }
    }
}

/// Joins strand ends by a small rigid body: `radius` m, `mass` kg.
pub fn join(ends: &[WithyStrandEnd], radius: f64, mass: f64) -> Result<()> {
    let mut def = std::mem::MaybeUninit::<WithyJunctionDef>::uninit();
    let mut attachment = WithyAttachment::default();
    // SAFETY: the init function fills the struct; `ends` outlives the call.
    unsafe {
        ok(withy_junction_def_init_sized(def.as_mut_ptr(), size_of::<WithyJunctionDef>() as u32))?;
        let mut def = def.assume_init();
        (def.ends, def.end_count, def.radius, def.mass) = (ends.as_ptr(), ends.len() as u32, radius, mass);
        ok(withy_attachment_create_junction(&def, &mut attachment))
    }
}
