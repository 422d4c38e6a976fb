// Written by `cargo xtask bindings`; changes are made in src/ffi.
//
// The C ABI of withy as it is: blittable structs, raw pointers, handles of one field. World, Rods and Ragdolls are on top of it.
// ReSharper disable InconsistentNaming
#pragma warning disable 1591

using System;
using System.Runtime.InteropServices;

namespace Withy
{
    /// <summary>
    /// Constants WITHY_ATTACH_CLAMPED and so on.
    /// </summary>
    [Flags]
    public enum AttachFlags : uint
    {
        None = 0,
        /// <summary>
        /// For `flags`: the frame at the end turns with the triangle or the body too, keeping the
        /// angle that it has to it at this moment. Without it the direction is free.
        /// </summary>
        Clamped = 1,
    }

    /// <summary>
    /// Constants WITHY_BACKEND_CPU and so on.
    /// </summary>
    public enum Backend : uint
    {
        Cpu = 0,
        /// <summary>
        /// Without a usable GPU `withy_world_create` fails with WITHY_ERROR_UNSUPPORTED and says
        /// why.
        /// </summary>
        Gpu = 1,
        /// <summary>
        /// The GPU if there is a usable one, else the CPU; `withy_world_backend` tells which, and
        /// why.
        /// </summary>
        Auto = 2,
    }

    /// <summary>
    /// Constants WITHY_BODY_INERTIA and so on.
    /// </summary>
    [Flags]
    public enum BodyFlags : uint
    {
        None = 0,
        /// <summary>
        /// A flag of the def: `mass`, `center_of_mass` and `inertia` are as given, whatever the
        /// shapes; it may then have none.
        /// </summary>
        Inertia = 1,
    }

    /// <summary>
    /// Constants WITHY_BOUNDS_NONE and so on.
    /// </summary>
    public enum Bounds : uint
    {
        /// <summary>
        /// The bounds are not kept. A pose too tight for its strand can get rest curvatures beyond
        /// 169 degrees then, where steps soften: with unstable modes such a strand may move on and
        /// on.
        /// </summary>
        None = 0,
        /// <summary>
        /// By a penalty, as in the paper: they are overstepped a little, and by much where that is
        /// the smaller evil, as in poses of thousands of g.
        /// </summary>
        Penalty = 1,
        /// <summary>
        /// By a penalty, every iterate clamped.
        /// </summary>
        Clamped = 2,
        /// <summary>
        /// Exactly: what is at a bound and pushes outward is held there. Bounds that leave the
        /// first rest shape out are kept all the same, at any cost to the pose: lengths of 1.05 and
        /// more throw a stiff strand centimetres.
        /// </summary>
        Exact = 3,
    }

    /// <summary>
    /// Constants WITHY_CONVENTION_SI and so on.
    /// </summary>
    public enum Convention : uint
    {
        /// <summary>
        /// Metres, right-handed, Y up. "Local z" is z.
        /// </summary>
        Si = 0,
        /// <summary>
        /// Centimetres, right-handed, Y up. "Local z" is z.
        /// </summary>
        Maya = 1,
        /// <summary>
        /// Centimetres, left-handed, Z up: (x, y, z) is the library's (x, z, y). "Local z" is y.
        /// </summary>
        Unreal = 2,
        /// <summary>
        /// Metres, left-handed, Y up: (x, y, z) is the library's (-x, y, z). "Local z" is z.
        /// </summary>
        Unity = 3,
        /// <summary>
        /// Metres, right-handed, Z up: (x, y, z) is the library's (x, z, -y). "Local z" is -y.
        /// </summary>
        Blender = 4,
    }

    /// <summary>
    /// Constants WITHY_END_ROOT and so on.
    /// </summary>
    public enum End : uint
    {
        Root = 0,
        Tip = 1,
    }

    /// <summary>
    /// Constants WITHY_FORMAT_F32 and so on.
    /// </summary>
    public enum Format : uint
    {
        /// <summary>
        /// The scalars of a span.
        /// </summary>
        F32 = 1,
        F64 = 2,
        /// <summary>
        /// For counts and indices only.
        /// </summary>
        U32 = 3,
    }

    /// <summary>
    /// Constants WITHY_GHOST_GRAVITY_SHARED and so on.
    /// </summary>
    public enum GhostGravity : uint
    {
        /// <summary>
        /// As much as the middle of its edge feels, the rest on the edge's ends (Umetani 2014,
        /// appendix): a hanging rod does not bend, a falling one does not spin.
        /// </summary>
        Shared = 0,
        /// <summary>
        /// All of it: a hanging rod bends towards its ghost points. For comparison, like the next.
        /// </summary>
        Full = 1,
        /// <summary>
        /// None: a falling rod spins about its ghost points.
        /// </summary>
        None = 2,
    }

    /// <summary>
    /// Constants WITHY_ISA_AUTO and so on.
    /// </summary>
    public enum Isa : uint
    {
        /// <summary>
        /// The widest instruction set that the machine has. All of them give the same bits; forcing
        /// one is for tests and measurements.
        /// </summary>
        Auto = 0,
        Scalar = 1,
        Sse2 = 2,
        Avx2 = 3,
        Avx512 = 4,
        Neon = 5,
    }

    /// <summary>
    /// Constants WITHY_ISSUE_SHORT_EDGE and so on.
    /// </summary>
    public enum Issue : uint
    {
        /// <summary>
        /// An edge shorter than 1e-4 of the strand's mean, simulated at that length. Value: its
        /// length, m.
        /// </summary>
        ShortEdge = 1,
        /// <summary>
        /// A strand of no length, simulated as a tiny straight one. Value: its length, m.
        /// </summary>
        NoLength = 2,
        /// <summary>
        /// Neighbouring edges that fold back by more than 175 degrees. Value: the angle, rad.
        /// </summary>
        Kink = 3,
        /// <summary>
        /// A strand whose edges are, on average, shorter than a tenth of its radius: it stretches
        /// to many times its length. Value: the mean edge, m.
        /// </summary>
        Stub = 4,
    }

    /// <summary>
    /// Constants WITHY_JOINT_WORLD_FRAMES and so on.
    /// </summary>
    [Flags]
    public enum JointFlags : uint
    {
        None = 0,
        /// <summary>
        /// A flag of the def: `frame_a` and `frame_b` are in world space, where the bodies are now,
        /// instead of in the bodies' frames.
        /// </summary>
        WorldFrames = 1,
        /// <summary>
        /// A flag of the def: `arc.relaxation` in place of `arc.bend` and `arc.twist`.
        /// </summary>
        ArcRelaxation = 2,
    }

    /// <summary>
    /// Constants WITHY_JOINT_BALL and so on.
    /// </summary>
    public enum JointKind : uint
    {
        /// <summary>
        /// The origins stay together; `swing` and `twist` limit the angles.
        /// </summary>
        Ball = 0,
        /// <summary>
        /// The origins and d3 stay together; `twist` limits the angle about it.
        /// </summary>
        Hinge = 1,
        /// <summary>
        /// The frames stay together.
        /// </summary>
        Fixed = 2,
        /// <summary>
        /// The origins stay between `least` and `most` apart.
        /// </summary>
        Distance = 3,
        /// <summary>
        /// `arc`: an elastic rod that cannot be stretched joins the frames, in the shape of one
        /// circular arc that leaves both along d3 (Lewin 2013). A spine, a neck, a tail, a finger
        /// of few joints instead of many. `swing` and `twist` limit its bend and twist. d3 of both
        /// frames points along it, from a to b: a new one that leans from that by more than 90
        /// degrees is refused.
        /// </summary>
        Arc = 4,
    }

    /// <summary>
    /// Constants WITHY_MESH_ELASTIC and so on.
    /// </summary>
    [Flags]
    public enum MeshFlags : uint
    {
        None = 0,
        /// <summary>
        /// For `flags`: the edges are springs of `edge_compliance`, and steps move the vertices.
        /// </summary>
        Elastic = 1,
    }

    /// <summary>
    /// Constants WITHY_MODEL_GHOST and so on.
    /// </summary>
    public enum Model : uint
    {
        /// <summary>
        /// Position-based rods with ghost points (Umetani 2014): many cheap iterations.
        /// </summary>
        Ghost = 0,
        /// <summary>
        /// Discrete elastic rods (Bergou 2010; Takahashi and Batty 2025): an iteration is a step of
        /// Newton's method over the whole strand; one is enough for most scenes. A clamped end
        /// holds its edge. WITHY_STIFFNESS_PHYSICAL only; `order` and `ghost_...` do not matter.
        /// Costs 308 bytes more a vertex, 616 in f64.
        /// </summary>
        Der = 1,
    }

    /// <summary>
    /// Constants WITHY_BODY_STATIC and so on.
    /// </summary>
    public enum Motion : uint
    {
        /// <summary>
        /// Nothing moves it; the host may put it somewhere else.
        /// </summary>
        Static = 0,
        /// <summary>
        /// The host moves it, by targets. It pushes others, and nothing pushes it.
        /// </summary>
        Kinematic = 1,
        /// <summary>
        /// Forces, joints and contacts move it.
        /// </summary>
        Dynamic = 2,
    }

    /// <summary>
    /// Constants WITHY_ORDER_ROOT_TO_TIP and so on.
    /// </summary>
    public enum Order : uint
    {
        /// <summary>
        /// Edge by edge from the root, each with its bend and twist.
        /// </summary>
        RootToTip = 0,
        /// <summary>
        /// From both ends at once (Umetani 2014, fig. 7); the tip's end is that of the longest of
        /// the up to 32 strands that are solved side by side, so that shorter ones depend on it.
        /// For comparison.
        /// </summary>
        Bidirectional = 1,
        /// <summary>
        /// All edges, then all elements: the naive order, which vibrates by itself; kept for
        /// comparison.
        /// </summary>
        Sequential = 2,
        /// <summary>
        /// None: all constraints of a strand at once, by one Newton step an iteration. Weight and
        /// stiffness travel the whole strand in one step: long or stiff strands neither stretch nor
        /// soften, in f64; in f32 an edge gives by some 1e-5 h^2 g more under the weight of a
        /// vertex, h the substep, which adds up in strands of thousands of edges and in edges far
        /// under a millimetre (docs/direct.md). Costs some four sweeps, and 300 bytes more a
        /// vertex, 600 in f64; physical stiffness only.
        /// </summary>
        Direct = 3,
        /// <summary>
        /// In turn as WITHY_ORDER_ROOT_TO_TIP, and with all bends and twists from the tip before
        /// all edges from the root. Stretches as little as that order, and does not vibrate by
        /// itself if a substep has two iterations or more.
        /// </summary>
        Alternating = 4,
        /// <summary>
        /// WITHY_ORDER_DIRECT for WITHY_MODEL_GHOST, WITHY_STIFFNESS_PHYSICAL and
        /// WITHY_GHOST_GRAVITY_SHARED where the root or the tip is pinned or clamped, or
        /// WITHY_RODS_SAG_FREE is set, and WITHY_RODS_WARM_START is not; else
        /// WITHY_ORDER_ALTERNATING: rods that fly keep their momenta better so. `withy_rods_order`
        /// tells which.
        /// </summary>
        Auto = 5,
    }

    /// <summary>
    /// Constants WITHY_PRECISION_F32 and so on.
    /// </summary>
    public enum Precision : uint
    {
        F32 = 0,
        /// <summary>
        /// Doubles, on the CPU only: what f32 is measured against, and for scenes that are too
        /// stiff or too wide for it.
        /// </summary>
        F64 = 1,
    }

    /// <summary>
    /// Constants WITHY_RAGDOLL_BODY_PARENT_FRAME and so on.
    /// </summary>
    [Flags]
    public enum RagdollBodyFlags : uint
    {
        None = 0,
        /// <summary>
        /// A flag of a body: `joint-&gt;frame_a` is where the joint is in the bone of the parent's
        /// body. Without: where it is in the bind pose.
        /// </summary>
        ParentFrame = 1,
    }

    /// <summary>
    /// Constants WITHY_RAGDOLL_NO_SELF_COLLISION and so on.
    /// </summary>
    [Flags]
    public enum RagdollFlags : uint
    {
        None = 0,
        /// <summary>
        /// A flag of the def: bodies of one instance do not collide with each other.
        /// </summary>
        NoSelfCollision = 1,
        /// <summary>
        /// A flag of the def: bones without a body and outside of regions keep the local pose that
        /// the animation has, instead of that of the transition.
        /// </summary>
        AnimatedBones = 2,
    }

    /// <summary>
    /// Constants WITHY_REGION_ALONG_ARC and so on.
    /// </summary>
    public enum ReadBack : uint
    {
        /// <summary>
        /// How the bones inside of a region come back: along the arc; or, as in the paper, by
        /// sharing out the change of orientation, which keeps the lengths of bones, or that of
        /// orientation and position.
        /// </summary>
        AlongArc = 0,
        Orientation = 1,
        OrientationAndPosition = 2,
    }

    /// <summary>
    /// Constants WITHY_REFUSAL_NOT_FINITE and so on.
    /// </summary>
    public enum Refusal : uint
    {
        /// <summary>
        /// A NaN or an infinity in pose, forces or rest shape, or statics that run farther than 1e9
        /// m or 1e4 lengths of the strand, as of one that nothing holds.
        /// </summary>
        NotFinite = 1,
        /// <summary>
        /// A vertex or an edge without mass.
        /// </summary>
        NoMass = 2,
        /// <summary>
        /// An edge shorter than a millionth of the strand's longest: after a write of positions
        /// only, as the definition's are simulated longer (WITHY_ISSUE_SHORT_EDGE).
        /// </summary>
        ShortEdge = 3,
        /// <summary>
        /// Two edges that fold back on each other: by more than 169 degrees, where a step of
        /// Newton's method takes them for a softer element; of rods that are swept by 180, where
        /// their curvature is infinite.
        /// </summary>
        Fold = 4,
        /// <summary>
        /// The pose is an equilibrium, but a step in f32 may leave it: some element is so stiff,
        /// beside what its vertices weigh, that the step takes it for another (in a thin tape, or a
        /// kink of stiff hair: from some 110 degrees on at one substep a frame, 150 at eight; kinks
        /// mostly stay all the same). Of rest shapes, whatever the iterations. Make the world with
        /// WITHY_PRECISION_F64; for what is no stiffer than steps take it, more substeps do, too.
        /// </summary>
        Precision = 6,
        /// <summary>
        /// What would hold the pose may be stiffer than steps of this length take it, as in f32
        /// beside an edge a thousandth as long as the others: more substeps make more of it
        /// (`step`), and WITHY_PRECISION_F64 takes 1e5 times as much.
        /// </summary>
        Step = 7,
        /// <summary>
        /// A vertex is not where it is held, and the next step takes it there: by more than 1e-5 of
        /// its edge's length a pinned one, or a root or tip, of a pose that was written without
        /// `withy_rods_set_pin` or `withy_rods_set_root_poses` (teleported: a target that is still
        /// ahead holds nothing yet), and of discrete elastic rods the second vertex of a clamped
        /// end, a rest length along the tangent of the frame that holds it; by more than 1e-3 of
        /// its edge an end that is attached to a body or a mesh. Of what else holds: the rest shape
        /// was found for the pose as it is.
        /// </summary>
        Held = 8,
    }

    /// <summary>
    /// Constants WITHY_REGION_RELAXATION and so on.
    /// </summary>
    [Flags]
    public enum RegionFlags : uint
    {
        None = 0,
        /// <summary>
        /// A flag of a region: `arc.relaxation` in place of `arc.bend` and `arc.twist`.
        /// </summary>
        Relaxation = 1,
    }

    /// <summary>
    /// Constants WITHY_REGION_REST_POSE and so on.
    /// </summary>
    public enum RegionRest : uint
    {
        /// <summary>
        /// What a region's natural bend and twist are: those of the pose of the transition, or
        /// those of the bind pose, to which stiffness then pulls.
        /// </summary>
        Pose = 0,
        Bind = 1,
    }

    /// <summary>
    /// Constants WITHY_REST_FROM_POSE and so on.
    /// </summary>
    public enum Rest : uint
    {
        /// <summary>
        /// The shape at the start, or `rest_positions`.
        /// </summary>
        FromPose = 0,
        /// <summary>
        /// The lengths of the start, without curvature and twist.
        /// </summary>
        Straight = 1,
        /// <summary>
        /// `rest_lengths` and `rest_darboux`.
        /// </summary>
        Explicit = 2,
    }

    /// <summary>
    /// Constants WITHY_OK and so on.
    /// </summary>
    public enum Result : int
    {
        Ok = 0,
        /// <summary>
        /// A NULL, number, count, stride or index that cannot be used.
        /// </summary>
        InvalidArgument = -1,
        /// <summary>
        /// A handle that is null, of a destroyed object, of another kind or of another world.
        /// </summary>
        InvalidHandle = -2,
        /// <summary>
        /// This version, this build or this machine does not have it.
        /// </summary>
        Unsupported = -3,
        /// <summary>
        /// Another thread, or a callback's own caller, is inside the world. Try again later.
        /// </summary>
        Busy = -4,
        OutOfMemory = -5,
        /// <summary>
        /// The library failed at something that it should not have. The world can only be
        /// destroyed; others are not concerned.
        /// </summary>
        Panic = -6,
        /// <summary>
        /// An output array is too small; its count has been set to what is needed.
        /// </summary>
        TooSmall = -7,
    }

    /// <summary>
    /// Constants WITHY_RODS_SAG_FREE and so on.
    /// </summary>
    [Flags]
    public enum RodsFlags : uint
    {
        None = 0,
        /// <summary>
        /// A flag of the def: at creation, find the rest shape that makes the start pose an
        /// equilibrium under the gravity that the world has then, as
        /// `withy_rods_optimize_rest_shape` with its defaults does; to be asked on the way, or to
        /// cancel, call that instead. Strands that are too soft for their pose sag all the same:
        /// `withy_rods_read_elastic_report` tells which. WITHY_ORDER_AUTO becomes
        /// WITHY_ORDER_DIRECT; other orders of WITHY_MODEL_GHOST get WITHY_RODS_WARM_START, with
        /// its price, a second or more of creation for some twenty strands, and
        /// WITHY_GHOST_GRAVITY_SHARED only: look at `withy_rods_read_carried`, too. Ends that
        /// attachments will hold: optimize again once they do. Look at `status` and
        /// `unstable_modes`: an equilibrium may be one that the strand leaves.
        /// WITHY_STIFFNESS_PHYSICAL only.
        /// </summary>
        SagFree = 1,
        /// <summary>
        /// A flag of the def: sweeps start each substep from the multipliers of the equilibrium
        /// that `withy_rods_optimize_rest_shape`, `withy_rods_settle` or WITHY_RODS_SAG_FREE found
        /// last, not from zero, so that the pose stays at any iteration count. The price: where the
        /// sweeps are too few to carry a strand in its pose, gravity, wind and forces act on it by
        /// the part that they carry, an eighth, say, and it falls and swings as if it weighed that
        /// much; and where they only just carry it, it may leave its pose slowly, by a hundredth of
        /// a millimetre in the first five seconds and a hundred times as much in the next.
        /// `withy_rods_read_carried` tells that part of each strand; more substeps or iterations
        /// carry more, and WITHY_ORDER_DIRECT carries all and needs no warm start. After a change
        /// of gravity, loads or rest strains optimize again: warm sweeps that start from another
        /// load's multipliers may swing for ever, and where rest strains or stiffness are set,
        /// sweeps start from zero. Before the first equilibrium, and in strands of which there is
        /// none, sweeps start from zero and carry all. WITHY_MODEL_GHOST with any order but
        /// WITHY_ORDER_DIRECT, WITHY_STIFFNESS_PHYSICAL and WITHY_GHOST_GRAVITY_SHARED only; else
        /// WITHY_ERROR_INVALID_ARGUMENT.
        /// </summary>
        WarmStart = 2,
        /// <summary>
        /// A flag of the def: contact with these rods does not push bodies, which are to them what
        /// colliders are then. For hair and fur: rods that push dynamic bodies are stepped together
        /// with them wherever these are near, with the world's iterations whatever solves the rods,
        /// which costs more. Attachments push both ways all the same.
        /// </summary>
        OneWay = 4,
    }

    /// <summary>
    /// Constants WITHY_SHAPE_HULL and so on.
    /// </summary>
    public enum Shape : uint
    {
        /// <summary>
        /// Shapes that only bodies have; the others are those of colliders. The convex hull of
        /// `positions`.
        /// </summary>
        Hull = 5,
        /// <summary>
        /// `positions` and `triangles`. Of static bodies only, as WITHY_SHAPE_PLANE. It is felt
        /// from outside alone.
        /// </summary>
        Mesh = 6,
        /// <summary>
        /// The half space below the pose's local horizontal: up (y, or z where the convention has Z
        /// up) is its normal.
        /// </summary>
        Plane = 0,
        /// <summary>
        /// `radius`.
        /// </summary>
        Sphere = 1,
        /// <summary>
        /// `radius` and `half_height`, the latter without the caps; along local up.
        /// </summary>
        Capsule = 2,
        /// <summary>
        /// `half_extents`, along the local axes.
        /// </summary>
        Box = 3,
        /// <summary>
        /// The hull of two spheres: `radius` at -`half_height` on local up, `radius_top` at
        /// +`half_height`. Not on the GPU.
        /// </summary>
        TaperedCapsule = 4,
    }

    /// <summary>
    /// Constants WITHY_STIFFNESS_PHYSICAL and so on.
    /// </summary>
    public enum Stiffness : uint
    {
        /// <summary>
        /// `young_modulus`, `shear_modulus` and the section give the stiffness. The static shape
        /// depends neither on the time step nor on the iterations.
        /// </summary>
        Physical = 0,
        /// <summary>
        /// `alpha_...` is the share of each constraint that an iteration corrects (Umetani 2014).
        /// Stiffer with more iterations.
        /// </summary>
        Alpha = 1,
    }

    /// <summary>
    /// Constants WITHY_STRAND_IDLE and so on.
    /// </summary>
    public enum StrandStatus : uint
    {
        /// <summary>
        /// Nothing has been asked of the strand.
        /// </summary>
        Idle = 0,
        /// <summary>
        /// The residual is at the target: the pose is an equilibrium, to a thousandth of the
        /// strand's length if it is stable. Whether it stays is for `unstable_modes` to say: 0 if
        /// it does.
        /// </summary>
        AtTarget = 1,
        /// <summary>
        /// The residual is as small as the rest shape can make it; with a target of 0 the paper's
        /// minimum. Or it is at the target, of a strand so light or so hardly stable that it rests
        /// more than a thousandth of its length from the pose.
        /// </summary>
        Converged = 2,
        /// <summary>
        /// The same, with parameters at their bounds: the strand is too soft for its pose.
        /// </summary>
        AtBounds = 3,
        /// <summary>
        /// The iterations were used up.
        /// </summary>
        IterationLimit = 4,
        /// <summary>
        /// `progress` cancelled before it was the strand's turn.
        /// </summary>
        Cancelled = 5,
        /// <summary>
        /// The strand was left as it is: `refusal` says why.
        /// </summary>
        Refused = 6,
        /// <summary>
        /// The pose is not held, or not by `lowest_mode_min`, and what it would take was not found:
        /// the rest shape is the one without stiffening. Because `stiffen` allows too little, or a
        /// step of this length makes too little of it in f32 (WITHY_REFUSAL_STEP; f64 does not
        /// ask), or bounds stay around a first rest shape that is far from the pose
        /// (`withy_rods_set_rest_shape` from the pose, then again), or there are more than 1000
        /// vertices, or no stiffness raises that mode: a pinned root swings however stiff the rod
        /// is.
        /// </summary>
        TooSoft = 7,
        /// <summary>
        /// As WITHY_STRAND_AT_TARGET, but the rods are swept from zero in every substep, which
        /// stops short of the equilibrium and sags: make them with WITHY_RODS_SAG_FREE,
        /// WITHY_RODS_WARM_START or WITHY_ORDER_DIRECT.
        /// </summary>
        Swept = 8,
    }

    /// <summary>
    /// Constants WITHY_SUPPORT_FREE and so on.
    /// </summary>
    public enum Support : uint
    {
        /// <summary>
        /// How an end of each strand is held.
        /// </summary>
        Free = 0,
        /// <summary>
        /// The end vertex follows `withy_rods_set_root_poses` or `_tip_poses`; the direction is
        /// free.
        /// </summary>
        Pinned = 1,
        /// <summary>
        /// The end vertex and the material frame at it follow.
        /// </summary>
        Clamped = 2,
    }

    /// <summary>
    /// Constants WITHY_RAGDOLL_KEEP_ANCHORS and so on.
    /// </summary>
    [Flags]
    public enum TransitionFlags : uint
    {
        None = 0,
        /// <summary>
        /// A flag of instantiating: joint frames in the parents stay where the def, or the bind
        /// pose, has them, even if the pose has stretched.
        /// </summary>
        KeepAnchors = 1,
        /// <summary>
        /// A flag of instantiating: limits stay as they are, even if the pose is beyond.
        /// </summary>
        KeepLimits = 2,
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyAttachment
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyJunctionDef
    {
        public uint struct_size;
        public uint flags;
        public void* next;
        /// <summary>
        /// `end_count` different ends, 2 to 65,536, all in one world.
        /// </summary>
        public WithyStrandEnd* ends;
        public uint end_count;
        /// <summary>
        /// 0
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Distance of its two ghost points from the middle, host units, [1e-9, 1e3] m: with the
        /// mass, its resistance to turning. 0 (the default): the mean length of the edges that
        /// meet.
        /// </summary>
        public double radius;
        /// <summary>
        /// kg, [1e-12, 1e9]. 0 (the default): that of the vertices that meet, which keep their own.
        /// </summary>
        public double mass;

        /// <summary>With the defaults filled in.</summary>
        public static WithyJunctionDef Default()
        {
            var value = new WithyJunctionDef();
            Check.Ok(Native.withy_junction_def_init_sized(&value, (uint)sizeof(WithyJunctionDef)));
            return value;
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyBody
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyCollider
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyContext
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    /// <summary>
    /// What WithyTaskCallbacks.run points to.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void WithyTaskRun(void* user, IntPtr task, void* task_data, uint count);

    /// <summary>
    /// The host's own workers. `run` calls `task(task_data, i)` for each i below `count`, from any
    /// threads and in any order, and returns when all of these calls have; it must not keep
    /// `task_data` and must not throw. It is called within `withy_world_step` and what else takes
    /// long (rest shapes, statics), on the calling thread, so by two threads at once if they step
    /// two worlds. It may call the library, but the world at work and its context answer
    /// WITHY_ERROR_BUSY. `user` must stay valid while the context lives.
    ///
    /// Calls of one `run` may wait for each other, busily, while many bodies touch; none waits for
    /// a call that has not begun, so that one thread may make them one after the other.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyTaskCallbacks
    {
        public void* user;
        public IntPtr run;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyContextDef
    {
        public uint struct_size;
        public uint flags;
        public void* next;
        /// <summary>
        /// A WITHY_CONVENTION_ value. Default: WITHY_CONVENTION_SI.
        /// </summary>
        public Convention convention;
        /// <summary>
        /// 0 (the default): worlds are stepped by the calling thread alone. n: a pool of n threads,
        /// 1024 at most, shared by the worlds of the context. WITHY_THREADS_ALL: as many as the
        /// machine has. Results do not depend on it.
        /// </summary>
        public uint threads;
        /// <summary>
        /// Length of the host's unit, m, [1e-6, 1e6]. 0 (the default): the convention's own.
        /// </summary>
        public double metres_per_unit;
        /// <summary>
        /// The host's workers, or NULL (the default). Copied. `threads` must then be 0.
        /// </summary>
        public WithyTaskCallbacks* tasks;

        /// <summary>With the defaults filled in.</summary>
        public static WithyContextDef Default()
        {
            var value = new WithyContextDef();
            Check.Ok(Native.withy_context_def_init_sized(&value, (uint)sizeof(WithyContextDef)));
            return value;
        }
    }

    /// <summary>
    /// A line of the debug drawing, in host units.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyDebugLine
    {
        public fixed float from[3];
        public fixed float to[3];
        /// <summary>
        /// 0xRRGGBBAA
        /// </summary>
        public uint rgba;
        public uint reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyJoint
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    /// <summary>
    /// The rod of a WITHY_JOINT_ARC.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyArc
    {
        /// <summary>
        /// Host units, [1e-9, 1e9] m. 0 (the default): that of the arc through both frames as they
        /// are.
        /// </summary>
        public double length;
        /// <summary>
        /// Bending stiffness EI about d1 and d2, N m^2 in every convention, 0 or more; INFINITY:
        /// does not bend.
        /// </summary>
        public fixed double bend[2];
        /// <summary>
        /// Twisting stiffness GJ, N m^2 in every convention, 0 or more; INFINITY: does not twist.
        /// </summary>
        public double twist;
        /// <summary>
        /// Time in which a strain forgets how fast it changes (Kelvin-Voigt), s, [0, 1e6]. Default:
        /// 0.
        /// </summary>
        public double viscosity;
        /// <summary>
        /// Natural bend about d1 and d2 and natural twist about d3, rad over the whole length, each
        /// within half a turn. Default: 0, straight.
        /// </summary>
        public fixed double rest[3];
        /// <summary>
        /// With WITHY_JOINT_ARC_RELAXATION: the part of bending and of twist that an iteration
        /// takes back, [0, 1] (Lewin 2013, 5.2); depends on the step.
        /// </summary>
        public fixed double relaxation[2];
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyMesh
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRagdolls
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    /// <summary>
    /// A body, whose frame is that of its bone. All bodies of one array must be of one version.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRagdollBodyDef
    {
        public uint struct_size;
        /// <summary>
        /// WITHY_RAGDOLL_BODY_PARENT_FRAME, or 0 (the default).
        /// </summary>
        public RagdollBodyFlags flags;
        public void* next;
        /// <summary>
        /// Required. Its pose, velocity and spin are not used. WITHY_BODY_KINEMATIC: the animation
        /// moves it until it is let go.
        /// </summary>
        public WithyBodyDef* body;
        /// <summary>
        /// What joins it to the body on the nearest bone above; `frame_b` is in this bone, `body_a`
        /// and `body_b` are null. NULL: nothing. An arc replaces it. Not of kind WITHY_JOINT_ARC.
        /// </summary>
        public WithyJointDef* joint;
        public uint bone;
        /// <summary>
        /// 0
        /// </summary>
        public uint reserved;

        /// <summary>With the defaults filled in.</summary>
        public static WithyRagdollBodyDef Default()
        {
            var value = new WithyRagdollBodyDef();
            Check.Ok(Native.withy_ragdoll_body_def_init_sized(&value, (uint)sizeof(WithyRagdollBodyDef)));
            return value;
        }
    }

    /// <summary>
    /// What WithyRestShapeDef.progress points to.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate uint WithyRestShapeProgress(void* user, uint done, uint all);

    /// <summary>
    /// How to look for rest shapes; `withy_rest_shape_def_init` fills in the paper's values and a
    /// `target`, with which the iterations go on to the equilibrium. For the paper's own algorithm,
    /// which ends before it, set `target` to 0.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRestShapeDef
    {
        public uint struct_size;
        public uint flags;
        public void* next;
        /// <summary>
        /// Called on the calling thread, before the first strand and then several times a second,
        /// with the strands that are done and all of them. Anything but 0 cancels: strands that
        /// have not begun keep their rest shape and are WITHY_STRAND_CANCELLED in the report, and
        /// the call returns WITHY_OK. The world is busy meanwhile. It is not asked within a strand
        /// (which `stiffen` may keep for seconds, one of 1000 vertices for a minute). Rods with
        /// WITHY_RODS_WARM_START ask on, all strands done, while they find what the sweeps carry,
        /// which takes longer than all before: where that is cancelled, strands with a new rest
        /// shape start cold and are WITHY_STRAND_SWEPT. NULL: none.
        /// </summary>
        public IntPtr progress;
        /// <summary>
        /// Handed to `progress`.
        /// </summary>
        public void* user;
        /// <summary>
        /// With `target` 0: weight of the distance from the first rest shape. With another, as by
        /// default, it only damps the iterations. 1e-15 to 1e15. Default: 1e-5.
        /// </summary>
        public double regularizer;
        /// <summary>
        /// Weight of overstepped bounds, 0 to 1e15. Default: 1e6.
        /// </summary>
        public double penalty;
        /// <summary>
        /// With `target` 0: the step in the parameters below which it ends, 0 to 1e15. Default:
        /// 1e-5.
        /// </summary>
        public double tolerance;
        /// <summary>
        /// The residual force to reach, the root of the sum of f^2/m, m/s^2 kg^0.5; a thousandth of
        /// that of the loads where that is less. 0: the paper's minimum, which the regularizer
        /// keeps off the equilibrium. 0 to 1e15. Default: 1e-6.
        /// </summary>
        public double target;
        /// <summary>
        /// Rest lengths stay within these multiples of the first ones, 0 to 1e6, the larger above
        /// 0; those of edges that a clamp holds stay as they are. Default: 0.1 and 1.1.
        /// </summary>
        public double length_min;
        public double length_max;
        /// <summary>
        /// Rest curvatures (twice the tangent of half the angle between two edges) change by this,
        /// at most, 0 to 1e15. Default: 1.4142, 70 degrees.
        /// </summary>
        public double curvature;
        /// <summary>
        /// Rest twists change by this, at most, rad, 0 to 1e15. Default: pi/8. WITHY_MODEL_GHOST:
        /// by `curvature`, if that is more, as what bends a curved rod changes its third strain,
        /// too.
        /// </summary>
        public double twist;
        /// <summary>
        /// Where the bounds keep a strand from its pose, or the pose would not be stable: the
        /// largest factor by which it may be stiffened, vertex by vertex and no more than it takes,
        /// 1 to 1e15, of which 1e9 are used; takes longer. What is least is the sum of lengths
        /// times factors (docs/rest_shape.md): found but for 0.5 % at bounds where only the root is
        /// held, of up to 250 vertices; between two held ends, of up to 128, 2 % more at most in
        /// all cases that were measured; near it elsewhere. Just stable is a `lowest_mode` of a
        /// hundredth of the loads' acceleration over the strand's length, 0.4 1/s^2 of hair of 25
        /// cm, in f32 between two held places a fifth: at 1 g, what a step in f32 rounds moves that
        /// by some 1e-4 of the length in ten seconds near the origin, ghost-point rods ten metres
        /// away by up to 2e-3. For more, and for loads of many g in f32, ask for a
        /// `lowest_mode_min`. Strands of more than 1000 vertices are not stiffened. 0 (the
        /// default): not at all.
        /// </summary>
        public double stiffen;
        /// <summary>
        /// The length of the steps to come, s: the rest shape holds for steps of this length and
        /// shorter ones, in as many substeps as the world makes of them now or more; in wind, whose
        /// push a step of h takes for drag/(1 + drag h), of these only
        /// (`withy_rods_optimize_rest_shape`, WITHY_RODS_WARM_START), 1e-6 to 10. 0 (the default):
        /// as long as the last one, 1/60 s before the first.
        /// </summary>
        public double step;
        /// <summary>
        /// Gauss-Newton iterations, at most, 1 to 1e6, of strands whose rest shape does not follow
        /// from statics: those that their bounds or pins between their ends leave to it. Default:
        /// 500.
        /// </summary>
        public uint iterations;
        /// <summary>
        /// A WITHY_BOUNDS_ value. Default: WITHY_BOUNDS_PENALTY.
        /// </summary>
        public Bounds bounds;
        /// <summary>
        /// 0: the rest twist stays. Default: 1.
        /// </summary>
        public uint change_twist;
        /// <summary>
        /// 0
        /// </summary>
        public uint reserved;
        /// <summary>
        /// With `stiffen`: what `lowest_mode` shall be at least, 1/s^2, 0 to 1e15; strands that
        /// have less are stiffened until they have. A limp strand that hangs straight down has 1.4
        /// times gravity over length, 57 of 25 cm. 0 (the default): just stable.
        /// </summary>
        public double lowest_mode_min;

        /// <summary>With the defaults filled in.</summary>
        public static WithyRestShapeDef Default()
        {
            var value = new WithyRestShapeDef();
            Check.Ok(Native.withy_rest_shape_def_init_sized(&value, (uint)sizeof(WithyRestShapeDef)));
            return value;
        }
    }

    /// <summary>
    /// What is known of a strand's equilibrium. A strand holds its pose if `status` is
    /// WITHY_STRAND_AT_TARGET and `unstable_modes` 0; a strand that nothing holds, which falls, is
    /// WITHY_STRAND_CONVERGED.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyElasticReport
    {
        /// <summary>
        /// A WITHY_STRAND_ value.
        /// </summary>
        public StrandStatus status;
        /// <summary>
        /// A WITHY_REFUSAL_ value (none is 5): why it was refused, or why its pose is not held; or
        /// 0.
        /// </summary>
        public Refusal refusal;
        /// <summary>
        /// 0: the strand had its rest shape; 1: it followed from statics; or what Gauss-Newton
        /// took.
        /// </summary>
        public uint iterations;
        /// <summary>
        /// Rest parameters at or beyond a bound.
        /// </summary>
        public uint at_bounds;
        /// <summary>
        /// Ways in which the strand leaves the pose by itself, or what else keeps it from holding:
        /// 0 for a stable equilibrium, if `lowest_mode` is a number; 0 too where nothing is known.
        /// A neutral mode, as of a rope that turns about its line, is none. In f32, of strands that
        /// more than one end holds, also what the rounding of the rest shape makes of it: 1 or more
        /// where that alone leads away from the pose, by a thousandth of the length or for good;
        /// and 1 where `refusal` names a step or what is held elsewhere as the cause. Moments about
        /// edges turn with them and have no energy: what a pose may flutter by under these is not
        /// in it. Of rods that WITHY_ORDER_DIRECT solves also those in which steps of the length
        /// that is expected swing it up: if `lowest_mode` is positive, `refusal` 0 and no rounding
        /// to blame, it is these alone, and shorter steps hold the pose. Rods that come near
        /// bodies, or get attachments, later: optimize again (docs/direct.md).
        /// </summary>
        public uint unstable_modes;
        /// <summary>
        /// Vertices and edges that are stiffer by it.
        /// </summary>
        public uint stiffened;
        /// <summary>
        /// The root of the sum of f^2/m over what can move, m/s^2 kg^0.5.
        /// </summary>
        public double residual;
        /// <summary>
        /// The largest |f|/m of a vertex, m/s^2.
        /// </summary>
        public double acceleration;
        /// <summary>
        /// Square of the lowest angular frequency, 1/s^2; negative if unstable, 0 if neutral,
        /// infinite if nothing can move, NaN if unknown: refused, cancelled, or settled folded
        /// (WITHY_REFUSAL_FOLD). `acceleration` over this is about how far the strand rests from
        /// the pose, in f64; what a step in f32 rounds comes on top, and moves it most where this
        /// is small.
        /// </summary>
        public double lowest_mode;
        /// <summary>
        /// The largest factor by which `stiffen` has made it stiffer, now or in an earlier call: 1
        /// if it has not.
        /// </summary>
        public double stiffest;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRods
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    /// <summary>
    /// Where and why a strand was degenerate at creation.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyStrandIssue
    {
        public uint strand;
        /// <summary>
        /// Counted from the strand's root.
        /// </summary>
        public uint vertex;
        /// <summary>
        /// A WITHY_ISSUE_ value.
        /// </summary>
        public Issue kind;
        public uint reserved;
        /// <summary>
        /// What the kind says, SI.
        /// </summary>
        public double value;
    }

    /// <summary>
    /// An array of the host's: `count` elements, `stride` bytes from one to the next. How many
    /// scalars an element has (1, 3 for a vector, 4 for a quaternion xyzw) each use says.
    ///
    /// As an input it is read during the call only, and "none" is a count of 0. As an output
    /// `count` is the room, and is set to the number of elements that the object has: with NULL
    /// data nothing else happens, and with too little room nothing is written and the call fails
    /// with WITHY_ERROR_TOO_SMALL. Only the scalars are written, not the bytes between them.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithySpan
    {
        public void* data;
        public ulong count;
        /// <summary>
        /// Bytes; 0: densely packed. Never less than an element.
        /// </summary>
        public ulong stride;
        /// <summary>
        /// A WITHY_FORMAT_ value.
        /// </summary>
        public Format format;
        /// <summary>
        /// 0
        /// </summary>
        public uint reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyVec3
    {
        public double x;
        public double y;
        public double z;
    }

    /// <summary>
    /// A rotation: of unit length within 1 %, and normalised on entry.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyQuat
    {
        public double x;
        public double y;
        public double z;
        public double w;
    }

    /// <summary>
    /// A rigid transform, from local to world.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyPose
    {
        public WithyVec3 position;
        public WithyQuat rotation;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyWorld
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyWorldDef
    {
        public uint struct_size;
        public uint flags;
        public void* next;
        /// <summary>
        /// A WITHY_BACKEND_ value. Default: WITHY_BACKEND_CPU.
        /// </summary>
        public Backend backend;
        /// <summary>
        /// A WITHY_ISA_ value. Default: WITHY_ISA_AUTO.
        /// </summary>
        public Isa isa;
        /// <summary>
        /// A WITHY_PRECISION_ value. Default: WITHY_PRECISION_F32.
        /// </summary>
        public Precision precision;
        /// <summary>
        /// Substeps of a step, 1 to 65,536. Default: 8.
        /// </summary>
        public uint substeps;
        /// <summary>
        /// Sweeps over the constraints in a substep, 1 to 10,000; not of rods that Newton's method
        /// solves, see `WithyRodsDef.iterations`. Default: 4.
        /// </summary>
        public uint iterations;
        /// <summary>
        /// 0
        /// </summary>
        public uint reserved;

        /// <summary>With the defaults filled in.</summary>
        public static WithyWorldDef Default()
        {
            var value = new WithyWorldDef();
            Check.Ok(Native.withy_world_def_init_sized(&value, (uint)sizeof(WithyWorldDef)));
            return value;
        }
    }

    /// <summary>
    /// One end of one strand.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyStrandEnd
    {
        public WithyRods rods;
        public uint strand;
        /// <summary>
        /// A WITHY_END_ value.
        /// </summary>
        public End end;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyTriangleAttachmentDef
    {
        public uint struct_size;
        /// <summary>
        /// WITHY_ATTACH_CLAMPED, or 0 (the default).
        /// </summary>
        public AttachFlags flags;
        public void* next;
        public WithyStrandEnd end;
        /// <summary>
        /// In the same world as the rods.
        /// </summary>
        public WithyMesh mesh;
        public uint triangle;
        /// <summary>
        /// 0
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Where on the triangle, as weights of its vertices, which add up to 1 within 1e-3.
        /// Default: the middle.
        /// </summary>
        public fixed double barycentric[3];

        /// <summary>With the defaults filled in.</summary>
        public static WithyTriangleAttachmentDef Default()
        {
            var value = new WithyTriangleAttachmentDef();
            Check.Ok(Native.withy_triangle_attachment_def_init_sized(&value, (uint)sizeof(WithyTriangleAttachmentDef)));
            return value;
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyBodyAttachmentDef
    {
        public uint struct_size;
        /// <summary>
        /// WITHY_ATTACH_CLAMPED, or 0 (the default).
        /// </summary>
        public AttachFlags flags;
        public void* next;
        public WithyStrandEnd end;
        /// <summary>
        /// In the same world as the rods.
        /// </summary>
        public WithyBody body;

        /// <summary>With the defaults filled in.</summary>
        public static WithyBodyAttachmentDef Default()
        {
            var value = new WithyBodyAttachmentDef();
            Check.Ok(Native.withy_body_attachment_def_init_sized(&value, (uint)sizeof(WithyBodyAttachmentDef)));
            return value;
        }
    }

    /// <summary>
    /// One shape of a body. Filled by its _init macro, as a def; all shapes of one array must be of
    /// one version.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyShapeDef
    {
        public uint struct_size;
        public uint flags;
        public void* next;
        /// <summary>
        /// A WITHY_SHAPE_ value. Default: WITHY_SHAPE_SPHERE.
        /// </summary>
        public Shape shape;
        /// <summary>
        /// As for rods. Default: 1 and all.
        /// </summary>
        public uint category;
        public uint mask;
        /// <summary>
        /// 0
        /// </summary>
        public uint reserved;
        /// <summary>
        /// In the body's frame. Default: identity.
        /// </summary>
        public WithyPose pose;
        /// <summary>
        /// What the shape needs of these, host units: [1e-9, 1e6] m, and `half_height` [0, 1e6] m.
        /// `half_height` is without the caps, along local up; `half_extents` are along the local
        /// axes.
        /// </summary>
        public double radius;
        public double radius_top;
        public double half_height;
        public WithyVec3 half_extents;
        /// <summary>
        /// kg/m^3, [1e-3, 1e6]. Default: 1000.
        /// </summary>
        public double density;
        /// <summary>
        /// Coulomb's coefficient, [0, 1e3]; that of a contact is the geometric mean. Default: 0.6.
        /// </summary>
        public double friction;
        /// <summary>
        /// Speed after an impact over that before, [0, 1]; of two shapes the larger counts.
        /// Default: 0.
        /// </summary>
        public double restitution;
        /// <summary>
        /// How the shape yields to bodies and colliders, each point of a contact by itself: N/m and
        /// N s/m in every convention, 0 (the default: it does not) or [1e-6, 1e9], and [0, 1e9]. Of
        /// two shapes that touch, one is as a spring behind the other. What yields bounces by
        /// these, whatever `restitution` says.
        /// </summary>
        public double stiffness;
        public double damping;
        /// <summary>
        /// Vectors, host units: points of a hull, 4 to 2^20, of which the 255 outermost are kept at
        /// most, or vertices of a mesh.
        /// </summary>
        public WithySpan positions;
        /// <summary>
        /// Triples of u32, of a mesh: counterclockwise seen from outside, as hosts wind them; with
        /// WITHY_CONVENTION_UNITY clockwise, as Unity does.
        /// </summary>
        public WithySpan triangles;

        /// <summary>With the defaults filled in.</summary>
        public static WithyShapeDef Default()
        {
            var value = new WithyShapeDef();
            Check.Ok(Native.withy_shape_def_init_sized(&value, (uint)sizeof(WithyShapeDef)));
            return value;
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyBodyDef
    {
        public uint struct_size;
        /// <summary>
        /// WITHY_BODY_INERTIA, or 0 (the default).
        /// </summary>
        public BodyFlags flags;
        public void* next;
        /// <summary>
        /// `shape_count` shapes, 4096 at most. None: it touches nothing.
        /// </summary>
        public WithyShapeDef* shapes;
        public uint shape_count;
        /// <summary>
        /// WITHY_BODY_STATIC, _KINEMATIC or _DYNAMIC. Default: WITHY_BODY_DYNAMIC.
        /// </summary>
        public Motion motion;
        /// <summary>
        /// Of the frame. Default: identity.
        /// </summary>
        public WithyPose pose;
        /// <summary>
        /// Of the centre of mass, host units/s. Default: 0. What is not dynamic has none, nor a
        /// spin.
        /// </summary>
        public WithyVec3 velocity;
        /// <summary>
        /// rad/s about the world's axes, in the host's sense of rotation. Default: 0.
        /// </summary>
        public WithyVec3 spin;
        /// <summary>
        /// kg, [1e-9, 1e12]. 0 (the default): from the shapes' densities; else their inertia is
        /// scaled to it.
        /// </summary>
        public double mass;
        /// <summary>
        /// With WITHY_BODY_INERTIA: in the frame, host units.
        /// </summary>
        public WithyVec3 center_of_mass;
        /// <summary>
        /// With WITHY_BODY_INERTIA: about the centre of mass, in the frame's axes, kg m^2 in every
        /// convention: xx, yy, zz, xy, xz, yz, the latter three being entries of the tensor, -sum m
        /// x y and so on. Principal moments within [1e-15, 1e18], none larger than the sum of the
        /// others.
        /// </summary>
        public fixed double inertia[6];
        /// <summary>
        /// Its gravity over the world's, [-1e6, 1e6]. Default: 1.
        /// </summary>
        public double gravity_scale;
        /// <summary>
        /// Rates c at which velocity and spin die, 1/s, [0, 1e9]: a substep of h seconds makes (v +
        /// h g)/(1 + h c) of v, so that gravity is damped as air would: what falls for long has
        /// gravity over linear_damping, whatever h. Default: 0 and 0.05.
        /// </summary>
        public double linear_damping;
        public double angular_damping;
        /// <summary>
        /// It is slowed down to this speed, [1e-3, 1e9] m/s, in every substep and once more at the
        /// end of the step. 0 (the default): 500 m/s.
        /// </summary>
        public double max_speed;
        /// <summary>
        /// Bodies of the same group other than 0 (the default) do not collide.
        /// </summary>
        public uint group;
        /// <summary>
        /// 1 (the default): it sleeps when it and all that it touches have been at rest for half a
        /// second: within 15 mm, and, on contacts that yield, below 3 mm/s. Else 0.
        /// </summary>
        public uint can_sleep;
        /// <summary>
        /// 1 (the default): going straight it does not pass through what is static or kinematic,
        /// however fast. Else 0. Whatever this says, bodies that would pass through each other
        /// within a step, going straight or swung by the host, meet where they are about to.
        /// </summary>
        public uint continuous;
        /// <summary>
        /// 0
        /// </summary>
        public uint reserved;

        /// <summary>With the defaults filled in.</summary>
        public static WithyBodyDef Default()
        {
            var value = new WithyBodyDef();
            Check.Ok(Native.withy_body_def_init_sized(&value, (uint)sizeof(WithyBodyDef)));
            return value;
        }
    }

    /// <summary>
    /// A point where two surfaces touch, or nearly do: within 2 cm, or where a fast body may be at
    /// the end of the step.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyContact
    {
        /// <summary>
        /// The bodies; one of them is null where it is `collider` instead.
        /// </summary>
        public WithyBody body_a;
        public WithyBody body_b;
        public WithyCollider collider;
        /// <summary>
        /// On the surface, host units.
        /// </summary>
        public WithyVec3 position;
        /// <summary>
        /// From a to b, of length 1.
        /// </summary>
        public WithyVec3 normal;
        /// <summary>
        /// Distance of the surfaces at the start of the step, host units; negative where they
        /// overlap.
        /// </summary>
        public double separation;
        /// <summary>
        /// Along the normal, in the last substep, N s; divided by the substep, the force. 0: they
        /// do not touch.
        /// </summary>
        public double impulse;
    }

    /// <summary>
    /// Lengths and positions in host units. Shapes are centred on their pose.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyColliderDef
    {
        public uint struct_size;
        public uint flags;
        public void* next;
        /// <summary>
        /// A WITHY_SHAPE_ value. Default: WITHY_SHAPE_PLANE.
        /// </summary>
        public Shape shape;
        /// <summary>
        /// As for rods. Default: 1 and all.
        /// </summary>
        public uint category;
        public uint mask;
        /// <summary>
        /// 0
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Default: identity.
        /// </summary>
        public WithyPose pose;
        /// <summary>
        /// What the shape needs of these three and of `radius_top`: [1e-9, 1e6] m, and
        /// `half_height` [0, 1e6] m.
        /// </summary>
        public double radius;
        public double half_height;
        public WithyVec3 half_extents;
        /// <summary>
        /// Coulomb's coefficient, [0, 1e3]. Default: 0.5.
        /// </summary>
        public double friction;
        /// <summary>
        /// Of WITHY_SHAPE_TAPERED_CAPSULE.
        /// </summary>
        public double radius_top;

        /// <summary>With the defaults filled in.</summary>
        public static WithyColliderDef Default()
        {
            var value = new WithyColliderDef();
            Check.Ok(Native.withy_collider_def_init_sized(&value, (uint)sizeof(WithyColliderDef)));
            return value;
        }
    }

    /// <summary>
    /// What the last step did. Times are wall-clock seconds.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyStepStats
    {
        /// <summary>
        /// Steps since the world was created.
        /// </summary>
        public ulong steps;
        public double seconds_total;
        /// <summary>
        /// Colliders interpolated over the substeps.
        /// </summary>
        public double seconds_prepare;
        /// <summary>
        /// Prediction, constraints and contacts of all strands.
        /// </summary>
        public double seconds_solve;
        /// <summary>
        /// The numbers that follow, gathered.
        /// </summary>
        public double seconds_report;
        /// <summary>
        /// Largest |length / rest length - 1| of an edge.
        /// </summary>
        public double largest_strain;
        /// <summary>
        /// Where it is: the rods, null if there are none or they have been destroyed since, and the
        /// strand in them.
        /// </summary>
        public WithyRods largest_strain_rods;
        public uint largest_strain_strand;
        public uint substeps;
        public uint iterations;
        /// <summary>
        /// Strands with a NaN or an infinity.
        /// </summary>
        public uint non_finite_strands;
        /// <summary>
        /// Strands with two neighbouring frames more than 175 degrees apart, where the model flips.
        /// </summary>
        public uint kinked_strands;
        /// <summary>
        /// Strands that ran into the speed limit, or stood still in a substep that led to no
        /// number.
        /// </summary>
        public uint limited_strands;
        /// <summary>
        /// Vertices that touched a collider in the last substep.
        /// </summary>
        public uint contacts;
        public uint reserved;
        /// <summary>
        /// Rigid bodies: how many there are, how many were awake, islands of them that touch or are
        /// joined, and pairs of shapes that touch.
        /// </summary>
        public uint bodies;
        public uint awake_bodies;
        public uint islands;
        public uint body_contacts;
        /// <summary>
        /// Bodies whose motion became NaN or infinite in the last step, which only loads beyond all
        /// measure do: they were stopped where they were.
        /// </summary>
        public uint non_finite_bodies;
        public uint joints;
        /// <summary>
        /// Not 0: in some place so many shapes were near each other (16 to 4 for each, and 4,096)
        /// that each met a few others only. At least so many pairs were left out.
        /// </summary>
        public ulong pairs_left_out;
        /// <summary>
        /// Of `seconds_solve`, that of rigid bodies.
        /// </summary>
        public double seconds_bodies;
    }

    /// <summary>
    /// A torque between the frames of a joint, of any kind but WITHY_JOINT_FIXED: a spring and a
    /// damper about each axis. It acts on both bodies, in the step without delay, so that stiff
    /// ones do not shake.
    ///
    /// Friction in a joint, as of a hinge that stays where it is left, is a motor without stiffness
    /// whose spin is 0 up to a torque: it holds what weighs less, and slows down what weighs more
    /// by that torque. The torques about the three axes together are at most `max_torque`. What it
    /// holds creeps, a limb by some 1e-4 rad/s, until it sleeps.
    ///
    ///     WithyMotor friction;
    ///     withy_motor_init(&amp;friction);
    ///     friction.damping[0] = friction.damping[1] = friction.damping[2] = INFINITY;
    ///     friction.max_torque = 5;
    ///     withy_joint_set_motor(joint, &amp;friction);
    ///
    /// A joint has one motor: one with a target of its own has friction only as its `damping`.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyMotor
    {
        /// <summary>
        /// N m/rad, 0 or more; INFINITY: as stiff as the solver can.
        /// </summary>
        public fixed double stiffness[3];
        /// <summary>
        /// N m s/rad, 0 or more; INFINITY: the spin is `speed`.
        /// </summary>
        public fixed double damping[3];
        /// <summary>
        /// How frame b should stand in frame a at the end of the next step: what the stiffness
        /// pulls to. It moves there within the step from where it was, and a stiff motor with it.
        /// </summary>
        public WithyQuat target;
        /// <summary>
        /// Spin of b in a about d1, d2, d3 of frame a that the damping acts towards, rad/s, [-1e6,
        /// 1e6].
        /// </summary>
        public fixed double speed[3];
        /// <summary>
        /// N m, 0 or more; INFINITY: no limit.
        /// </summary>
        public double max_torque;

        /// <summary>With the defaults filled in.</summary>
        public static WithyMotor Default()
        {
            var value = new WithyMotor();
            Check.Ok(Native.withy_motor_init(&value));
            return value;
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyJointDef
    {
        public uint struct_size;
        /// <summary>
        /// WITHY_JOINT_WORLD_FRAMES, WITHY_JOINT_ARC_RELAXATION, both, or 0 (the default).
        /// </summary>
        public JointFlags flags;
        public void* next;
        /// <summary>
        /// Null: the world.
        /// </summary>
        public WithyBody body_a;
        /// <summary>
        /// In the same world as body_a. Required.
        /// </summary>
        public WithyBody body_b;
        /// <summary>
        /// In the body's frame; without a body, in world space. Default: identity.
        /// </summary>
        public WithyPose frame_a;
        public WithyPose frame_b;
        /// <summary>
        /// A WITHY_JOINT_ value. Default: WITHY_JOINT_BALL.
        /// </summary>
        public JointKind kind;
        /// <summary>
        /// 1: the two bodies may touch. 0 (the default): they do not collide while the joint is
        /// enabled.
        /// </summary>
        public uint collide;
        /// <summary>
        /// Of a ball: half angles of the cone that d3 swings in, about d1 and d2, [0, pi] rad, 0.01
        /// at least. pi, both (the default): no limit. Of an arc: the same of its bend over the
        /// whole length, from straight.
        /// </summary>
        public fixed double swing[2];
        /// <summary>
        /// Of a ball, a hinge or an arc: least and most angle about d3, [-pi, pi] rad. -pi and pi
        /// (the default): no limit.
        /// </summary>
        public fixed double twist[2];
        /// <summary>
        /// Of a distance: host units, [0, 1e9] m. Default: 0.
        /// </summary>
        public double least;
        public double most;
        public WithyArc arc;
        /// <summary>
        /// NULL (the default): none. Copied.
        /// </summary>
        public WithyMotor* motor;

        /// <summary>With the defaults filled in.</summary>
        public static WithyJointDef Default()
        {
            var value = new WithyJointDef();
            Check.Ok(Native.withy_joint_def_init_sized(&value, (uint)sizeof(WithyJointDef)));
            return value;
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyMeshDef
    {
        public uint struct_size;
        /// <summary>
        /// WITHY_MESH_ELASTIC, or 0 (the default).
        /// </summary>
        public MeshFlags flags;
        public void* next;
        /// <summary>
        /// Vectors, one a vertex, host units, 1 to 2^24. Required.
        /// </summary>
        public WithySpan positions;
        /// <summary>
        /// Triples of u32. Required.
        /// </summary>
        public WithySpan triangles;
        /// <summary>
        /// Numbers, one a vertex, 1/kg, [0, 1e12]; 0 for a vertex that only the host moves. None: 0
        /// for all.
        /// </summary>
        public WithySpan inv_masses;
        /// <summary>
        /// Pairs of u32, or none: more pairs of vertices to hold at their distance, such as the
        /// diagonals of a box.
        /// </summary>
        public WithySpan extra_edges;
        /// <summary>
        /// m/N, [0, 1e12], with WITHY_MESH_ELASTIC. Default: 0, rigid edges.
        /// </summary>
        public double edge_compliance;
        /// <summary>
        /// Rate at which the motion of the vertices dies, 1/s, [0, 1e9], with WITHY_MESH_ELASTIC.
        /// Default: 0.
        /// </summary>
        public double drag;

        /// <summary>With the defaults filled in.</summary>
        public static WithyMeshDef Default()
        {
            var value = new WithyMeshDef();
            Check.Ok(Native.withy_mesh_def_init_sized(&value, (uint)sizeof(WithyMeshDef)));
            return value;
        }
    }

    /// <summary>
    /// A chain of bones of which only the first and the last have a body, with one arc between
    /// them. All regions of one array must be of one version.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRegionDef
    {
        public uint struct_size;
        /// <summary>
        /// WITHY_REGION_RELAXATION, or 0 (the default).
        /// </summary>
        public RegionFlags flags;
        public void* next;
        /// <summary>
        /// Indices of bodies; the last's bone is below the first's. Bodies between are not made:
        /// shapes and mass go to the nearer end.
        /// </summary>
        public uint first;
        public uint last;
        /// <summary>
        /// The ends of the arc, host units, in the first and in the last bone. Default: their
        /// origins.
        /// </summary>
        public WithyVec3 anchor_a;
        public WithyVec3 anchor_b;
        /// <summary>
        /// Direction in the first bone about which `arc.bend[0]` counts. Default: x.
        /// </summary>
        public WithyVec3 axis;
        /// <summary>
        /// `rest` is not used; `length` 0: that of the pose of the transition.
        /// </summary>
        public WithyArc arc;
        /// <summary>
        /// Limits of the bend, from straight, about `axis` and across it, and of the twist, from
        /// the bind pose, as those of an arc joint. Default: none.
        /// </summary>
        public fixed double swing[2];
        public fixed double twist[2];
        /// <summary>
        /// A WITHY_REGION_REST_ value. Default: WITHY_REGION_REST_POSE.
        /// </summary>
        public RegionRest rest;
        /// <summary>
        /// WITHY_REGION_ALONG_ARC (the default), _ORIENTATION or _ORIENTATION_AND_POSITION.
        /// </summary>
        public ReadBack read_back;
        /// <summary>
        /// 1: the two bodies may touch. Default: 0.
        /// </summary>
        public uint collide;
        /// <summary>
        /// 0
        /// </summary>
        public uint reserved;

        /// <summary>With the defaults filled in.</summary>
        public static WithyRegionDef Default()
        {
            var value = new WithyRegionDef();
            Check.Ok(Native.withy_region_def_init_sized(&value, (uint)sizeof(WithyRegionDef)));
            return value;
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRagdollDef
    {
        public uint struct_size;
        /// <summary>
        /// WITHY_RAGDOLL_ flags, or 0 (the default).
        /// </summary>
        public RagdollFlags flags;
        public void* next;
        /// <summary>
        /// u32, one a bone: the parent's index, anywhere in the array, or UINT32_MAX. At most 65536
        /// bones.
        /// </summary>
        public WithySpan parents;
        /// <summary>
        /// Vectors and quaternions, one a bone: the bind pose, in the parent's frame, of a root in
        /// the world's.
        /// </summary>
        public WithySpan positions;
        public WithySpan rotations;
        /// <summary>
        /// `body_count` and `region_count` of them.
        /// </summary>
        public WithyRagdollBodyDef* bodies;
        public WithyRegionDef* regions;
        public uint body_count;
        public uint region_count;
        /// <summary>
        /// Pairs of u32: bodies that pass through each other, besides those that a joint or an arc
        /// joins.
        /// </summary>
        public WithySpan apart;

        /// <summary>With the defaults filled in.</summary>
        public static WithyRagdollDef Default()
        {
            var value = new WithyRagdollDef();
            Check.Ok(Native.withy_ragdoll_def_init_sized(&value, (uint)sizeof(WithyRagdollDef)));
            return value;
        }
    }

    /// <summary>
    /// Motors towards target poses; limits hold all the same, which instantiating opens up to its
    /// pose and no further. Filled by withy_ragdoll_drive_init. It has no size, and never changes.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRagdollDrive
    {
        /// <summary>
        /// N m/rad in every convention, 0 or more; INFINITY: as stiff as the solver can.
        /// </summary>
        public double stiffness;
        /// <summary>
        /// N m s/rad, against spin other than the target's, 0 or more; may be INFINITY.
        /// </summary>
        public double damping;
        /// <summary>
        /// N m, 0 (drives nothing) or more; INFINITY (the default): no limit.
        /// </summary>
        public double max_torque;
        /// <summary>
        /// Numbers, [0, 1e9], one a body of the def: factors of the three for the joint above it.
        /// Count 0: 1.
        /// </summary>
        public WithySpan scale;

        /// <summary>With the defaults filled in.</summary>
        public static WithyRagdollDrive Default()
        {
            var value = new WithyRagdollDrive();
            Check.Ok(Native.withy_ragdoll_drive_init(&value));
            return value;
        }
    }

    /// <summary>
    /// Lengths, positions and velocities in host units; moduli, density and rates in SI whatever
    /// the convention.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRodsDef
    {
        public uint struct_size;
        public RodsFlags flags;
        public void* next;
        /// <summary>
        /// Vectors, one a vertex. Required.
        /// </summary>
        public WithySpan positions;
        /// <summary>
        /// u32, vertices of each strand, 2 to 2^24; they add up to `positions.count`, 2^31 at most.
        /// Required.
        /// </summary>
        public WithySpan counts;
        /// <summary>
        /// Vectors, one a vertex, or none: the shape to have at rest where it differs from the
        /// start.
        /// </summary>
        public WithySpan rest_positions;
        /// <summary>
        /// Vectors, one a vertex, or none: the start velocities.
        /// </summary>
        public WithySpan velocities;
        /// <summary>
        /// Numbers, one a vertex, or none: section radii instead of `radius`, in the same range.
        /// </summary>
        public WithySpan radii;
        /// <summary>
        /// Vectors, the direction of d1, projected off the edge: one an edge; one a strand,
        /// transported from its root; or none, for circular sections.
        /// </summary>
        public WithySpan section_axes;
        /// <summary>
        /// Numbers, one a vertex, [1e-6, 1e6], or none: multiplies the stiffness of bending, twist
        /// and stretch.
        /// </summary>
        public WithySpan stiffness_scale;
        /// <summary>
        /// Numbers, one an edge, [1e-9, 1e9] m. With WITHY_REST_EXPLICIT only, and then required.
        /// </summary>
        public WithySpan rest_lengths;
        /// <summary>
        /// Vectors, one an element: Darboux vectors, as `withy_rods_read_darboux` gives them. With
        /// WITHY_REST_EXPLICIT only, and then required.
        /// </summary>
        public WithySpan rest_darboux;
        /// <summary>
        /// Section radius, or for an ellipse the semi-axis along d1, [1e-7, 1e3] m. Required unless
        /// `radii` is there.
        /// </summary>
        public double radius;
        /// <summary>
        /// Semi-axis along d2 over that along d1, [1e-3, 1e3]. Default: 1.
        /// </summary>
        public double aspect;
        /// <summary>
        /// Young's modulus E and shear modulus G, Pa, [1e-3, 1e15]. Default: 1e7 and 4e6, rubber.
        /// (c_bend and c_twist of Takahashi and Batty 2025, whose c_stretch is `stretch_modulus`;
        /// hair: 4e9 and 1.5e9.)
        /// </summary>
        public double young_modulus;
        public double shear_modulus;
        /// <summary>
        /// 0 to 1, with WITHY_STIFFNESS_ALPHA: bending about d1 and d2, twist about d3, stretch.
        /// Default: 1.
        /// </summary>
        public double alpha_bend1;
        public double alpha_bend2;
        public double alpha_twist;
        public double alpha_stretch;
        /// <summary>
        /// kg/m^3, [1e-3, 1e6]. Default: 1000.
        /// </summary>
        public double density;
        /// <summary>
        /// Distance of the ghost points from their edges. 0 (the default): the mean edge length of
        /// the strand.
        /// </summary>
        public double ghost_distance;
        /// <summary>
        /// Mass of a ghost point over that of its edge, from which it is taken, [1e-6, 0.9].
        /// Default: 0.2.
        /// </summary>
        public double ghost_mass_ratio;
        /// <summary>
        /// Rate at which motion other than a strand's rigid motion dies, 1/s, [0, 1e9]; keeps both
        /// momenta (Mueller 2007). Default: 0.
        /// </summary>
        public double damping;
        /// <summary>
        /// Rate at which the velocity approaches that of the wind, 1/s, [0, 1e9]. Default: 0.
        /// </summary>
        public double drag;
        /// <summary>
        /// Host units/s. Default: 0.
        /// </summary>
        public WithyVec3 wind;
        /// <summary>
        /// Coulomb's coefficient, [0, 1e3]; that of a contact is the geometric mean with the
        /// collider's. Default: 0.5.
        /// </summary>
        public double friction;
        /// <summary>
        /// Distance of contact from the centreline, up to 1e3 m. 0 (the default): the section
        /// radius.
        /// </summary>
        public double collision_radius;
        /// <summary>
        /// Vertices are slowed down to this speed, [1e-3, 1e9] m/s; the step's statistics count the
        /// strands. Loads that would bring a vertex there within one substep are cut by sweeps, and
        /// whole where Newton's method solves rods that something holds. 0 (the default): 1000 m/s.
        /// </summary>
        public double max_speed;
        /// <summary>
        /// A WITHY_STIFFNESS_ value. Default: WITHY_STIFFNESS_PHYSICAL.
        /// </summary>
        public Stiffness stiffness;
        /// <summary>
        /// A WITHY_REST_ value. Default: WITHY_REST_FROM_POSE.
        /// </summary>
        public Rest rest_shape;
        /// <summary>
        /// A WITHY_ORDER_ value. Default: WITHY_ORDER_AUTO.
        /// </summary>
        public Order order;
        /// <summary>
        /// WITHY_SUPPORT_ values, at the first and the last vertex of each strand. Default:
        /// WITHY_SUPPORT_FREE.
        /// </summary>
        public Support root;
        public Support tip;
        /// <summary>
        /// Iterations of a substep, 10,000 at most. 0 (the default): one step of Newton's method
        /// with WITHY_ORDER_DIRECT and WITHY_MODEL_DER, without a line search, which comes with the
        /// second (docs/direct.md); the world's with sweeps. Rods that attachments hold are solved
        /// together, by the most iterations that any of them asks for; there 0 is the world's for
        /// all, three to eight where light bodies or junctions hold direct strands. What one of
        /// them asks for, or hangs on, thus changes how exactly the others are solved, near or far.
        /// </summary>
        public uint iterations;
        /// <summary>
        /// Layers that these rods are in and that they collide with: two objects meet if each has a
        /// bit of the other's category in its mask. Default: 1 and all.
        /// </summary>
        public uint category;
        public uint mask;
        /// <summary>
        /// How gravity pulls on the ghost points, a WITHY_GHOST_GRAVITY_ value. Default:
        /// WITHY_GHOST_GRAVITY_SHARED.
        /// </summary>
        public GhostGravity ghost_gravity;
        /// <summary>
        /// A WITHY_MODEL_ value. Default: WITHY_MODEL_GHOST.
        /// </summary>
        public Model model;
        /// <summary>
        /// Young's modulus against stretching alone, Pa, [1e-3, 1e15]. 0 (the default):
        /// `young_modulus`.
        /// </summary>
        public double stretch_modulus;
        /// <summary>
        /// Time in which a strain forgets how fast it changes (Kelvin-Voigt), s, [0, 1e3]: slows
        /// changes of shape, leaves rigid motion and the static shape alone. WITHY_MODEL_DER or
        /// WITHY_ORDER_DIRECT only. With its stiffness no more than a step can take, which f32
        /// limits. Default: 0.
        /// </summary>
        public double viscosity;

        /// <summary>With the defaults filled in.</summary>
        public static WithyRodsDef Default()
        {
            var value = new WithyRodsDef();
            Check.Ok(Native.withy_rods_def_init_sized(&value, (uint)sizeof(WithyRodsDef)));
            return value;
        }
    }

    public static unsafe class Native
    {
#if WITHY_INTERNAL || ((UNITY_IOS || UNITY_WEBGL || UNITY_SWITCH) && !UNITY_EDITOR)
        public const string Library = "__Internal";
#else
        public const string Library = "withy";
#endif

        /// <summary>
        /// As many threads as the machine has.
        /// </summary>
        public const uint WITHY_THREADS_ALL = 4294967295;

        /// <summary>
        /// A count of everything there is, for calls about some of many; their array is NULL then.
        /// NULL and 0 is an empty array: nothing.
        /// </summary>
        public const ulong WITHY_ALL = 18446744073709551615;

        /// <summary>
        /// Of the header.
        /// </summary>
        public const uint WITHY_VERSION_MAJOR = 0;

        /// <summary>
        /// Of the header.
        /// </summary>
        public const uint WITHY_VERSION_MINOR = 1;

        /// <summary>
        /// Of the header.
        /// </summary>
        public const uint WITHY_VERSION_PATCH = 0;

        /// <summary>
        /// Of the header.
        /// </summary>
        public const uint WITHY_VERSION = 4096;

        /// <summary>
        /// Of the header.
        /// </summary>
        public const string WITHY_VERSION_STRING = "0.1.0";

        /// <summary>
        /// Fills `def` with the defaults. Use the macro
        /// `withy_triangle_attachment_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_triangle_attachment_def_init_sized(WithyTriangleAttachmentDef* def, uint size);

        /// <summary>
        /// Writes. Ties the end of a strand to a point of a triangle; from afar it is pulled there
        /// by the next steps. Both sides pull, by their masses; a vertex of inverse mass 0 does not
        /// give. Vertices that weigh less than a fiftieth of the strand on them cannot carry it:
        /// the mesh is stretched without end. Clamped to an elastic mesh, stiff strands may gain
        /// speed.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_attachment_create_triangle(WithyTriangleAttachmentDef* def, WithyAttachment* attachment);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_body_attachment_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_attachment_def_init_sized(WithyBodyAttachmentDef* def, uint size);

        /// <summary>
        /// Writes. Ties the end of a strand to a rigid body where the end is at this moment. Both
        /// sides pull, by their masses, substep by substep; a static or kinematic body does not
        /// give. The body does not sleep while it is tied. Destroyed with the body.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_attachment_create_body(WithyBodyAttachmentDef* def, WithyAttachment* attachment);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_junction_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_junction_def_init_sized(WithyJunctionDef* def, uint size);

        /// <summary>
        /// Writes. Joins strand ends rigidly by a small body of two ghost points (Umetani 2014, eq.
        /// 26): trees, nets, loops. They meet at the mean of their positions. The angles between
        /// them at this moment are those at rest.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_attachment_create_junction(WithyJunctionDef* def, WithyAttachment* attachment);

        /// <summary>
        /// Writes. Lets the ends go.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_attachment_destroy(WithyAttachment attachment);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_shape_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_shape_def_init_sized(WithyShapeDef* def, uint size);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_body_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_def_init_sized(WithyBodyDef* def, uint size);

        /// <summary>
        /// Writes. Adds a body to a world; everything in `def` is copied.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_create(WithyWorld world, WithyBodyDef* def, WithyBody* body);

        /// <summary>
        /// Writes. Removes a body, and the joints that hang on it. What lay on it wakes.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_destroy(WithyBody body);

        /// <summary>
        /// Writes. Puts a body somewhere at once, whatever moves it; its velocity stays. What
        /// touched it wakes.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_set_pose(WithyBody body, WithyPose* pose);

        /// <summary>
        /// Reads. Where its frame is.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_get_pose(WithyBody body, WithyPose* pose);

        /// <summary>
        /// Writes. Velocity of the centre of mass, host units/s, and spin, rad/s about the world's
        /// axes, of a dynamic body. It wakes.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_set_velocity(WithyBody body, WithyVec3* velocity, WithyVec3* spin);

        /// <summary>
        /// Reads. Velocity of the centre of mass, host units/s, and spin, rad/s about the world's
        /// axes. A kinematic body's are those of the last step.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_get_velocity(WithyBody body, WithyVec3* velocity, WithyVec3* spin);

        /// <summary>
        /// Writes. Where a kinematic body's frame shall be at the end of the next step. It moves
        /// there over the substeps and drags and pushes what it touches; after that it stays. Turns
        /// of more than a radian in a step are better made in shorter steps: within it they go from
        /// pose to pose in the shortest way.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_set_target(WithyBody body, WithyPose* pose);

        /// <summary>
        /// Writes. Who moves a body that was created WITHY_BODY_DYNAMIC: a ragdoll follows its
        /// animation, and falls when it is hit.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_set_motion(WithyBody body, Motion motion);

        /// <summary>
        /// Writes. A force, N, and a torque, N m, in the host's axes, on a dynamic body during the
        /// next step; several add up. It wakes.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_push(WithyBody body, WithyVec3* force, WithyVec3* torque, WithyVec3* point);

        /// <summary>
        /// Writes. Wakes a dynamic body, or lays it to rest: it sleeps until something that it
        /// touches moves.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_set_sleeping(WithyBody body, uint sleeping);

        /// <summary>
        /// Reads. Mass, kg, centre of mass in the frame, host units, and inertia about it in the
        /// frame's axes, kg m^2, as in the def; 0 of what is not dynamic.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_get_mass(WithyBody body, double* mass, WithyVec3* center_of_mass, double* inertia);

        /// <summary>
        /// Reads. The bodies of a world, in the order in which they are read.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_list_bodies(WithyWorld world, WithyBody* bodies, ulong* count);

        /// <summary>
        /// Reads. Poses and motion of many bodies. Every span may be NULL if it is not wanted; with
        /// NULL data its count is set.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_read_bodies(WithyWorld world, WithyBody* bodies, ulong count, WithySpan* positions, WithySpan* rotations, WithySpan* velocities, WithySpan* spins, WithySpan* sleeping);

        /// <summary>
        /// Writes. Puts many bodies somewhere at once, with withy_body_set_pose, and gives dynamic
        /// ones velocities and spins, with withy_body_set_velocity: a ragdoll takes the pose of its
        /// animation. A span that is NULL leaves that as it is; others have an element a body.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_write_bodies(WithyWorld world, WithyBody* bodies, ulong count, WithySpan* positions, WithySpan* rotations, WithySpan* velocities, WithySpan* spins);

        /// <summary>
        /// Writes. Targets of many kinematic bodies, as withy_body_set_target gives them.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_set_body_targets(WithyWorld world, WithyBody* bodies, ulong count, WithySpan* positions, WithySpan* rotations);

        /// <summary>
        /// Writes. Forces at the centres of mass, N, and torques, N m, on many dynamic bodies
        /// during the next step, as withy_body_push.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_push_bodies(WithyWorld world, WithyBody* bodies, ulong count, WithySpan* forces, WithySpan* torques);

        /// <summary>
        /// Reads. Contacts between bodies, and of bodies with colliders, in the last step. (An
        /// array of structs, as handles have no span.)
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_read_contacts(WithyWorld world, WithyContact* contacts, ulong* count);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_collider_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_collider_def_init_sized(WithyColliderDef* def, uint size);

        /// <summary>
        /// Writes. Adds a collider to a world.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_collider_create(WithyWorld world, WithyColliderDef* def, WithyCollider* collider);

        /// <summary>
        /// Writes. Removes a collider.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_collider_destroy(WithyCollider collider);

        /// <summary>
        /// Writes. Where the collider shall be at the end of the next step. It moves there over the
        /// substeps and drags by friction what touches it; after that it stays.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_collider_set_pose(WithyCollider collider, WithyPose* pose, uint teleport);

        /// <summary>
        /// Reads. The pose as last set.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_collider_get_pose(WithyCollider collider, WithyPose* pose);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_context_def_init(&amp;def)`, which
        /// passes the size that the host was compiled with.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_context_def_init_sized(WithyContextDef* def, uint size);

        /// <summary>
        /// Creates a context and, if `def` asks for them, its threads.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_context_create(WithyContextDef* def, WithyContext* context);

        /// <summary>
        /// Destroys a context with its worlds and all that is in them, and joins its threads. Their
        /// handles are stale from then on.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_context_destroy(WithyContext context);

        /// <summary>
        /// Reads. Use the macro `withy_world_read_stats(world, &amp;stats)`, which passes the size
        /// that the host was compiled with.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_read_stats_sized(WithyWorld world, WithyStepStats* stats, uint size);

        /// <summary>
        /// Reads. The name of the backend in use, such as "cpu", with a terminating 0; after a
        /// fall-back of WITHY_BACKEND_AUTO with the reason behind it.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_backend(WithyWorld world, byte* name, ulong* size);

        /// <summary>
        /// Reads. The instruction set in use, a WITHY_ISA_ value.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_isa(WithyWorld world, uint* isa);

        /// <summary>
        /// Reads. The memory that the world holds, on the CPU and the GPU together, in bytes.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_memory(WithyWorld world, ulong* bytes);

        /// <summary>
        /// Reads. A hash of the whole state, equal on every thread count, instruction set and
        /// system for the same calls: what lockstep networking and regression tests compare.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_state_hash(WithyWorld world, ulong* hash);

        /// <summary>
        /// Reads. Lines of the centrelines (orange where strained by more than a percent), the
        /// material axes d1 (red) and d2 (green), the meshes and the colliders; of bodies the
        /// shapes (green; grey asleep), of joints both frames (d1, d2, d3: red, green, blue), the
        /// limits and the curve of an arc with its material axes, and the contacts with their
        /// normals.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_debug_lines(WithyWorld world, WithyDebugLine* lines, ulong* count);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_joint_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_def_init_sized(WithyJointDef* def, uint size);

        /// <summary>
        /// Fills `motor` with what drives nothing: 0, the identity, and no limit of the torque. It
        /// has no size, and never changes.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_motor_init(WithyMotor* motor);

        /// <summary>
        /// Writes. Adds a joint to the world of its bodies. Frames that do not stand as the joint
        /// holds them are pulled there by the next steps. It is removed with either of its bodies.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_create(WithyJointDef* def, WithyJoint* joint);

        /// <summary>
        /// Writes. Removes a joint.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_destroy(WithyJoint joint);

        /// <summary>
        /// Writes. Makes a joint what `def` says: its kind, frames, limits, stiffness, motor. The
        /// bodies must be as before. What the joint holds before and after keeps its impulses, and
        /// nothing jerks: limits and a motor may come and go, and so may all that the kind holds
        /// besides the origins.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_change(WithyJoint joint, WithyJointDef* def);

        /// <summary>
        /// Writes. Changes the limits of a ball, an arc or a hinge. The joint's other impulses
        /// stay.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_set_limits(WithyJoint joint, double* swing, double* twist);

        /// <summary>
        /// Writes. Drives a joint. The joint's other impulses stay, and the motor's own if it has
        /// one before and after, of whatever mode.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_set_motor(WithyJoint joint, WithyMotor* motor);

        /// <summary>
        /// Writes. A joint that is not enabled holds nothing, and its bodies may touch: it is
        /// broken. Joints are created enabled.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_set_enabled(WithyJoint joint, uint enabled);

        /// <summary>
        /// Reads. How far the frames are from what the joint holds.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_get_error(WithyJoint joint, double* distance, double* angle);

        /// <summary>
        /// Reads. The length of an arc, host units, also where the def left it to the library; 0
        /// for other kinds.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_get_length(WithyJoint joint, double* length);

        /// <summary>
        /// Writes. Motors of many joints, as withy_joint_set_motor: a ragdoll follows its animation
        /// in one call a frame.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_set_motors(WithyWorld world, WithyJoint* joints, ulong count, WithyMotor* motors);

        /// <summary>
        /// Reads. Errors of many joints, as withy_joint_get_error: one far off has more to hold
        /// than it can, and a host may destroy it. They are no measure of what a joint carries:
        /// they go with the masses beside it, and with the substep.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_read_joint_errors(WithyWorld world, WithyJoint* joints, ulong count, WithySpan* distances, WithySpan* angles);

        /// <summary>
        /// The version of the library at run time: major &lt;&lt; 22 | minor &lt;&lt; 12 | patch.
        /// Compare with WITHY_VERSION.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern uint withy_version();

        /// <summary>
        /// WITHY_OK if programs compiled with the header of `header_version` (pass WITHY_VERSION)
        /// run with this library: the same major version; before 1.0 also the same minor version.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_check_version(uint header_version);

        /// <summary>
        /// Why the last failed call of this thread failed: the function, the field, the index, the
        /// value. Never NULL; empty before the first failure. Valid until the next failure on this
        /// thread. A successful call leaves it as it is.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern byte* withy_last_error();

        /// <summary>
        /// "WITHY_ERROR_BUSY" for WITHY_ERROR_BUSY; "unknown" for what is no result. A constant
        /// string.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern byte* withy_result_name(Result result);

        /// <summary>
        /// 1 if this machine can run `isa`, a WITHY_ISA_ value; WITHY_ISA_AUTO always.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern uint withy_isa_available(Isa isa);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_mesh_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_mesh_def_init_sized(WithyMeshDef* def, uint size);

        /// <summary>
        /// Writes. Adds a mesh to a world; everything in `def` is copied.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_mesh_create(WithyWorld world, WithyMeshDef* def, WithyMesh* mesh);

        /// <summary>
        /// Writes. Removes a mesh, and the attachments to it.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_mesh_destroy(WithyMesh mesh);

        /// <summary>
        /// Writes. Where the vertices shall be at the end of the next step; they move there over
        /// the substeps. Of an elastic mesh only those of inverse mass 0 go, unless they are
        /// teleported. The corrections start again from 0.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_mesh_set_positions(WithyMesh mesh, WithySpan* positions, uint teleport);

        /// <summary>
        /// Reads. Vectors, one a vertex, host units.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_mesh_read_positions(WithyMesh mesh, WithySpan* @out);

        /// <summary>
        /// Reads. Vectors, one a vertex, host units: how far the rods have pulled the vertex since
        /// `withy_mesh_set_positions`. A host that simulates the mesh itself adds it to its own
        /// positions.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_mesh_read_corrections(WithyMesh mesh, WithySpan* @out);

        /// <summary>
        /// Fills `drive` with what drives nothing: no stiffness and damping, no limit of the
        /// torque.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdoll_drive_init(WithyRagdollDrive* drive);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_ragdoll_body_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdoll_body_def_init_sized(WithyRagdollBodyDef* def, uint size);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_region_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_region_def_init_sized(WithyRegionDef* def, uint size);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_ragdoll_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdoll_def_init_sized(WithyRagdollDef* def, uint size);

        /// <summary>
        /// Writes. Adds a set of ragdolls to a world; everything in `def` is copied. No instance
        /// has bodies yet.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_create(WithyWorld world, WithyRagdollDef* def, uint instances, WithyRagdolls* ragdolls);

        /// <summary>
        /// Writes. Removes a set with all its bodies and joints.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_destroy(WithyRagdolls ragdolls);

        /// <summary>
        /// Writes. The moment of transition from animation: gives instances bodies at the poses of
        /// their bones, or puts those there that have some. Arcs and joints are made to fit the
        /// pose; those that are there keep their handles, not their impulses.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_instantiate(WithyRagdolls ragdolls, uint* which, ulong count, WithySpan* positions, WithySpan* rotations, WithySpan* positions_before, WithySpan* rotations_before, double dt, TransitionFlags flags);

        /// <summary>
        /// Writes. The same with the velocities given.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_instantiate_moving(WithyRagdolls ragdolls, uint* which, ulong count, WithySpan* positions, WithySpan* rotations, WithySpan* velocities, WithySpan* spins, TransitionFlags flags);

        /// <summary>
        /// Writes. Takes the bodies and joints of instances out of the world. Those that have none
        /// are left alone.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_remove(WithyRagdolls ragdolls, uint* which, ulong count);

        /// <summary>
        /// Writes. Where the animation wants the bones: motors of all joints and arcs, and targets
        /// of the kinematic bodies, until the next call. A region is driven by how its ends stand
        /// to each other.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_set_targets(WithyRagdolls ragdolls, uint* which, ulong count, WithySpan* positions, WithySpan* rotations, WithySpan* positions_before, WithySpan* rotations_before, double dt, WithyRagdollDrive* drive);

        /// <summary>
        /// Writes. Motors as the def has them, for most joints none.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_clear_targets(WithyRagdolls ragdolls, uint* which, ulong count);

        /// <summary>
        /// Writes. Who moves a body: the animation, through withy_ragdolls_set_targets, or the
        /// simulation. Made kinematic, it stays where it is until a target comes; let go, it keeps
        /// the velocity that the last step's target gave it.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_set_kinematic(WithyRagdolls ragdolls, uint* which, ulong count, uint body, uint kinematic);

        /// <summary>
        /// Writes. Moves all bodies of instances at once, with their velocities: x becomes rotation
        /// x + position.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_teleport(WithyRagdolls ragdolls, uint* which, ulong count, WithySpan* positions, WithySpan* rotations);

        /// <summary>
        /// Writes. Where the weights of instances go: 1 (after the transition) is all simulated, 0
        /// all animated. withy_ragdolls_advance moves them.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_fade(WithyRagdolls ragdolls, uint* which, ulong count, double weight, double seconds);

        /// <summary>
        /// Writes. Time passes for the weights.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_advance(WithyRagdolls ragdolls, double dt);

        /// <summary>
        /// Reads. The weight of an instance.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_get_weight(WithyRagdolls ragdolls, uint instance, double* weight);

        /// <summary>
        /// Writes: it uses memory of the set. World poses of all bones, simulated, or blended with
        /// the animation in bone space.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_read(WithyRagdolls ragdolls, uint* which, ulong count, WithySpan* animated_positions, WithySpan* animated_rotations, WithySpan* weights, WithySpan* positions, WithySpan* rotations);

        /// <summary>
        /// Reads. Room for instances, bones of each, and bodies and joints that each has in the
        /// world.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_get_counts(WithyRagdolls ragdolls, uint* instances, uint* bones, uint* bodies, uint* joints);

        /// <summary>
        /// Reads. The numbers of the instances that have bodies, in order: those that WITHY_ALL
        /// means.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_list(WithyRagdolls ragdolls, uint* which, ulong* count);

        /// <summary>
        /// Reads. The world's body for a body of the def; null, without an error, where the
        /// instance has none now or the body is inside of a region. The set owns it:
        /// withy_body_destroy refuses it.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_get_body(WithyRagdolls ragdolls, uint instance, uint body, WithyBody* handle);

        /// <summary>
        /// Reads. The joint or arc above a body of the def; null, without an error, where there is
        /// none now. A host may destroy it: a limb that comes off. It comes back when the instance
        /// is instantiated anew.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_get_joint(WithyRagdolls ragdolls, uint instance, uint body, WithyJoint* handle);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_rest_shape_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rest_shape_def_init_sized(WithyRestShapeDef* def, uint size);

        /// <summary>
        /// Writes. Finds the rest shapes that make the present pose an equilibrium under the
        /// present gravity, wind, forces and moments. It is the present pose that is kept, whatever
        /// it is, and velocities stay: after steps in which gravity was another, first write back
        /// the positions and frames to keep and velocities of 0, and teleport the roots and pins
        /// there (WITHY_REFUSAL_HELD otherwise), or restore a state. A second call, after a change
        /// of gravity or forces, goes on from what the first one found, and changes that as little
        /// as it has to, or nothing if nothing has changed; bounds stay around the rest shape that
        /// the rods had before the first. Strands that cannot be solved keep theirs, and
        /// `withy_rods_read_elastic_report` says why. Ends that the host or an attachment holds
        /// count as held; contacts do not count. What is stiffer than a step can take in f32
        /// becomes as stiff as a step of the length `step` takes it, and stays so until the next
        /// call, which begins with the stiffness that the rods were made with: after a change of
        /// the steps' length, or to fewer substeps, find the rest shapes again. A direction that an
        /// attachment clamps counts as held, of swept rods as free.
        ///
        /// An end on a junction, on a dynamic body or on mesh vertices that rods may move counts as
        /// free where the strand's other end has a firmer hold: it carries nothing there, and the
        /// pose stays if what hangs on it has its own. Where both ends hang on such things, or
        /// there is no other hold, it counts as held: the report then tells of the strand between
        /// its ends, and what they hang on may fall.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_optimize_rest_shape(WithyRods rods, WithyRestShapeDef* def);

        /// <summary>
        /// Writes. Moves the rods to their equilibrium under the present gravity and forces, and
        /// leaves them at rest there. Ends that attachments hold stay where they are; contacts do
        /// not count. How it went: `withy_rods_read_elastic_report`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_settle(WithyRods rods, uint iterations, double tolerance);

        /// <summary>
        /// Reads. How the last search for a rest shape or for statics left each strand. None before
        /// the first.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_elastic_report(WithyRods rods, WithyElasticReport* reports, ulong* count);

        /// <summary>
        /// Reads. Numbers, one a strand, 0 to 1: the part of gravity and forces that a strand
        /// feels, because its sweeps carry no more in the pose that was found last, with
        /// WITHY_RODS_WARM_START. A strand with 0.125 falls, sags when it leaves its pose and
        /// swings with an eighth of its weight; its inertia and its stiffness are whole. One with
        /// 0.06 or less may leave its pose after a push of 1e-5 m/s. Look at it before the rods are
        /// used, and where it is too small take more substeps, more iterations or
        /// WITHY_ORDER_DIRECT, which carries all. Found for the substeps and iterations that the
        /// world has, and for steps of the length `WithyRestShapeDef::step`; longer substeps and
        /// fewer iterations carry less, which is in this number after the first such step (the cube
        /// of the ratio of the substeps: twice as long, an eighth). 1 in all other rods.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_carried(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Numbers, one an edge: rest lengths, host units.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_rest_lengths(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Five numbers a vertex, how the rod is bent and twisted there at rest, as the
        /// model measures it and in the library's own axes: to be kept and given back to rods of
        /// the same definition by `withy_rods_set_rest_strains`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_rest_strains(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Two numbers a vertex: the factors by which the rod is stiffer than its definition
        /// made it, against bending and twisting there, and against stretching of the edge after
        /// it. 1 until `WithyRestShapeDef.stiffen` or `withy_rods_set_stiffness_factors` changes
        /// them. What `stiffen` has found, the next call with it keeps where the strand has its
        /// rest shape and holds, and else finds anew; what was set stays, and is multiplied.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_stiffness_factors(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Writes. Makes the rods stiffer, or softer, than their definition did: gives back what
        /// `withy_rods_read_stiffness_factors` told, or tries another stiffness. The rest shape
        /// stays: `withy_rods_optimize_rest_shape` finds that of the new stiffness, from the old
        /// one, and sooner than from none. WITHY_STIFFNESS_PHYSICAL only.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_stiffness_factors(WithyRods rods, WithySpan* factors);

        /// <summary>
        /// Writes. Makes the rods thicker or thinner: masses and stretching stiffness go with the
        /// square of the radius, bending and twisting stiffness with its fourth power, stiffness
        /// factors stay. Pose, velocities and rest shape stay: `withy_rods_optimize_rest_shape`
        /// finds that of the new section, from the old one. Ghost points keep their distance; a
        /// junction keeps the mass that it was made with. No part of `withy_world_save_state`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_radii(WithyRods rods, WithySpan* radii);

        /// <summary>
        /// Writes. Gives back what `withy_rods_read_rest_lengths` and
        /// `withy_rods_read_rest_strains` told.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_rest_strains(WithyRods rods, WithySpan* rest_lengths, WithySpan* rest_strains);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_rods_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_def_init_sized(WithyRodsDef* def, uint size);

        /// <summary>
        /// Writes. Adds rods to a world; everything in `def` is copied.
        ///
        /// Degenerate strands (zero-length edges, kinks) are accepted and named by
        /// `withy_rods_read_report`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_create(WithyWorld world, WithyRodsDef* def, WithyRods* rods);

        /// <summary>
        /// Writes. Removes rods, and the attachments that hold them.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_destroy(WithyRods rods);

        /// <summary>
        /// Writes. Where the roots shall be at the end of the next step. They move there over its
        /// substeps; after that they stay.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_root_poses(WithyRods rods, WithySpan* positions, WithySpan* rotations, uint teleport);

        /// <summary>
        /// Writes. The same for the tips.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_tip_poses(WithyRods rods, WithySpan* positions, WithySpan* rotations, uint teleport);

        /// <summary>
        /// Writes. Holds one vertex at `target`, host units, from the end of the next step on; it
        /// moves there over the substeps and stays. NULL lets it go, and is no error for a vertex
        /// that is not held.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_pin(WithyRods rods, uint vertex, WithyVec3* target, uint teleport);

        /// <summary>
        /// Writes. Changes the rates `damping` and `drag`, 1/s, `wind`, host units/s (NULL: none),
        /// and `friction` of the def.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_motion(WithyRods rods, double damping, double drag, WithyVec3* wind, double friction);

        /// <summary>
        /// Writes. Changes the shape that the rods want to have.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_rest_shape(WithyRods rods, Rest rest_shape, WithySpan* rest_lengths, WithySpan* rest_darboux);

        /// <summary>
        /// Writes. Moves the vertices at once; velocities stay, and the frames turn with their
        /// edges along the shortest way. A strand that is twisted stays so: withy_rods_write_frames
        /// untwists it, and withy_world_restore_state gives a whole state back.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_write_positions(WithyRods rods, WithySpan* positions);

        /// <summary>
        /// Writes. Turns the material frames at once, about their edges, whose directions stay: d1
        /// goes to where the frame has it, across the edge. So withy_rods_write_positions with what
        /// withy_rods_read_positions gave, then this with what withy_rods_read_frames gave, are the
        /// pose of then. Edges do not spin afterwards; full turns of WITHY_MODEL_DER are those that
        /// leave the least twist. Frames that the host holds stay its own.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_write_frames(WithyRods rods, WithySpan* frames);

        /// <summary>
        /// Writes.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_write_velocities(WithyRods rods, WithySpan* velocities);

        /// <summary>
        /// Writes. A force on every vertex, N, in the host's axes, in every step until it is set
        /// again. Vertices that the host drives do not feel it. The first call, of this or
        /// withy_rods_set_moments, allocates: 16 bytes a vertex, 32 in f64.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_forces(WithyRods rods, WithySpan* forces);

        /// <summary>
        /// Writes. A moment about every edge, N m, as of a motor that twists the rod there: it
        /// turns the edge about its direction from root to tip, the way that rotations turn in the
        /// host's axes, in every step until it is set again. It goes along with the edge. What a
        /// clamp of WITHY_MODEL_DER holds does not feel it. Rest shapes are solved with it, but it
        /// has no energy: a strand with a moment at its free end may flutter though its report
        /// calls it stable.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_moments(WithyRods rods, WithySpan* moments);

        /// <summary>
        /// Reads. What solves the rods, a WITHY_ORDER_ value: what became of WITHY_ORDER_AUTO;
        /// WITHY_ORDER_DIRECT for WITHY_MODEL_DER.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_order(WithyRods rods, uint* order);

        /// <summary>
        /// Reads. u32, the vertices of each strand, as created.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_counts(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Vectors, one a vertex, host units.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_positions(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Vectors, one a vertex, host units/s.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_velocities(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Vectors, one an edge: the ghost points, host units.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_ghosts(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Quaternions, one an edge: the material frame, which turns local x, y, z into d1,
        /// d2, d3 (see the conventions).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_frames(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Numbers, one an element: the angle by which the material turns about the rod from
        /// one edge to the next, rad, in the host's sense of rotation.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_twist(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Numbers, one an edge: length / rest length - 1.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_strain(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Vectors, one an element: the Darboux vector, curvature about d1 and d2 and twist
        /// about d3, 1/host unit, in local axes (see the conventions).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_darboux(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Numbers, one an edge: the tension in the last substep, N, positive where the edge
        /// pulls its ends together. 0 before the first step.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_tension(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Vectors, one a vertex: the moment through it in the last substep, N m: bending
        /// about d1 and d2, twist about d3, in local axes (see the conventions). At an end it is
        /// that of the support, 0 where there is none; a clamp of WITHY_MODEL_DER holds an edge,
        /// and shows at that edge's other vertex; an attachment's shows at the end. 0 before the
        /// first step.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_moments(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. What was degenerate at creation, strand by strand.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_report(WithyRods rods, WithyStrandIssue* issues, ulong* count);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_world_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_def_init_sized(WithyWorldDef* def, uint size);

        /// <summary>
        /// Creates an empty world whose gravity is 9.81 m/s^2 downwards.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_create(WithyContext context, WithyWorldDef* def, WithyWorld* world);

        /// <summary>
        /// Destroys a world and all that is in it. Their handles are stale from then on.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_destroy(WithyWorld world);

        /// <summary>
        /// Writes. `gravity`: host units/s^2. Bodies wake if it is another.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_set_gravity(WithyWorld world, WithyVec3* gravity);

        /// <summary>
        /// Reads. `gravity`: host units/s^2.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_get_gravity(WithyWorld world, WithyVec3* gravity);

        /// <summary>
        /// Writes. Substeps of a step, 1 to 65,536, and sweeps over the constraints in a substep, 1
        /// to 10,000, as in the def. After a change to fewer substeps, find rest shapes again
        /// (`withy_rods_optimize_rest_shape`): a longer substep takes less stiffness in f32.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_set_iterations(WithyWorld world, uint substeps, uint iterations);

        /// <summary>
        /// Writes. Advances everything by `dt` seconds, 1e-6 to 10. Poses and targets set since the
        /// last step are reached at its end, interpolated over the substeps. After the first step
        /// nothing is allocated until objects are created again, or more bodies are near each other
        /// than ever before.
        ///
        /// The thread that steps, and those that run tasks, must round to nearest and keep
        /// denormals, as threads do unless told otherwise: results would depend on it.
        ///
        /// A simulation that degenerates is no error: `withy_world_read_stats` tells.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_step(WithyWorld world, double dt);

        /// <summary>
        /// Reads. Writes all that steps change into `data`, for `withy_world_restore_state`: a
        /// timeline's frame, a rollback. Poses, targets and pins belong to it, and so do pushes of
        /// bodies, who moves them (`withy_body_set_motion`), whether joints are enabled, what
        /// sleeps and what touches, so that the size changes with the contacts; gravity,
        /// iterations, rest shapes, what warm starts of sweeps begin with, forces and moments on
        /// rods, the values of `withy_rods_set_motion`, limits, stiffness and motors of joints and
        /// the statistics do not. Of ragdolls what their transitions have made belongs to it: how
        /// their joints and arcs were fitted and are limited and driven, what their bones keep, and
        /// their weights.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_save_state(WithyWorld world, void* data, ulong* size);

        /// <summary>
        /// Writes. Goes back to a saved state, bit for bit, and goes on from there as it went. The
        /// world must have the same objects and pins as when it was saved, or have been made by the
        /// same calls; of ragdolls the same instances must have bodies, made in the same order, in
        /// whatever poses. Joints must be of the same kinds; limits and motors that have come since
        /// then start without impulses.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_restore_state(WithyWorld world, void* data, ulong size);
    }
}
