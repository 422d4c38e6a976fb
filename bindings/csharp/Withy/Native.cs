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
    /// Constants WITHY_ASSET_BYTES and so on.
    /// </summary>
    public enum AssetFormat : uint
    {
        /// <summary>
        /// Bytes of any meaning.
        /// </summary>
        Bytes = 0,
        /// <summary>
        /// An array of 32-bit floats.
        /// </summary>
        F32 = 1,
        /// <summary>
        /// An array of 64-bit floats.
        /// </summary>
        F64 = 2,
        /// <summary>
        /// An array of 32-bit unsigned integers.
        /// </summary>
        U32 = 3,
        /// <summary>
        /// Text in UTF-8, JSON for example. It has no zero at its end.
        /// </summary>
        Text = 4,
    }

    /// <summary>
    /// Constants WITHY_ATTACH_CLAMPED and so on.
    /// </summary>
    [Flags]
    public enum AttachFlags : uint
    {
        None = 0,
        /// <summary>
        /// A flag: the end also turns with the triangle or the body. Without it the strand turns
        /// freely.
        /// </summary>
        Clamped = 1,
    }

    /// <summary>
    /// Constants WITHY_BACKEND_CPU and so on.
    /// </summary>
    public enum Backend : uint
    {
        /// <summary>
        /// Simulate on the CPU. The default.
        /// </summary>
        Cpu = 0,
        /// <summary>
        /// Simulate rods on the GPU. Rigid bodies, joints and ragdolls step on the CPU beside them;
        /// rods meet them, and push them unless they have WITHY_RODS_ONE_WAY: steps in which rods
        /// without it are near a dynamic body wait for the GPU. Without a usable GPU
        /// `withy_world_create` fails with WITHY_ERROR_UNSUPPORTED, and `withy_last_error` says
        /// why.
        /// </summary>
        Gpu = 1,
        /// <summary>
        /// The GPU if there is a usable one, else the CPU. (Software such as Mesa's llvmpipe is not
        /// taken.) `withy_world_backend` tells which. On the GPU there is only what
        /// WITHY_BACKEND_GPU has.
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
        /// A flag: `mass`, `center_of_mass` and `inertia` are given, and do not follow from the
        /// shapes. The body may then have no shapes.
        /// </summary>
        Inertia = 1,
    }

    /// <summary>
    /// Constants WITHY_BOUNDS_NONE and so on.
    /// </summary>
    public enum Bounds : uint
    {
        /// <summary>
        /// Rest shapes may change as much as they have to. A pose that is too tight for its strand
        /// can get rest curvatures that steps soften.
        /// </summary>
        None = 0,
        /// <summary>
        /// Rest shapes keep their bounds. The default.
        /// </summary>
        Exact = 1,
    }

    /// <summary>
    /// Constants WITHY_CONVENTION_SI and so on.
    /// </summary>
    public enum Convention : uint
    {
        /// <summary>
        /// Metres, right-handed, Y up. The default.
        /// </summary>
        Si = 0,
        /// <summary>
        /// Centimetres, right-handed, Y up.
        /// </summary>
        Maya = 1,
        /// <summary>
        /// Centimetres, left-handed, Z up. The host's (x, y, z) is the library's (x, z, y).
        /// </summary>
        Unreal = 2,
        /// <summary>
        /// Metres, left-handed, Y up. The host's (x, y, z) is the library's (-x, y, z).
        /// </summary>
        Unity = 3,
        /// <summary>
        /// Metres, right-handed, Z up. The host's (x, y, z) is the library's (x, z, -y).
        /// </summary>
        Blender = 4,
    }

    /// <summary>
    /// Constants WITHY_END_ROOT and so on.
    /// </summary>
    public enum End : uint
    {
        /// <summary>
        /// The first vertex of a strand.
        /// </summary>
        Root = 0,
        /// <summary>
        /// The last vertex of a strand.
        /// </summary>
        Tip = 1,
    }

    /// <summary>
    /// Constants WITHY_FORMAT_F32 and so on.
    /// </summary>
    public enum Format : uint
    {
        /// <summary>
        /// 32-bit floats.
        /// </summary>
        F32 = 1,
        /// <summary>
        /// 64-bit floats.
        /// </summary>
        F64 = 2,
        /// <summary>
        /// 32-bit unsigned integers: for counts and indices only.
        /// </summary>
        U32 = 3,
    }

    /// <summary>
    /// Constants WITHY_INTEGRATOR_AUTO and so on.
    /// </summary>
    public enum Integrator : uint
    {
        /// <summary>
        /// WITHY_INTEGRATOR_SECOND_ORDER for rods that can have it, WITHY_INTEGRATOR_FIRST_ORDER
        /// for others. The default.
        /// </summary>
        Auto = 0,
        /// <summary>
        /// Motion is damped by the steps themselves: what swings once a second keeps 0.6 of its
        /// amplitude after ten swings with 8 substeps in each 60 Hz frame, and 0.03 with one.
        /// </summary>
        FirstOrder = 1,
        /// <summary>
        /// Motion stays: what swings once a second keeps 0.99 of its amplitude after ten swings
        /// with 2 substeps in each 60 Hz frame, for a fifth more time a substep. What is too quick
        /// for the substeps still dies out. Damp what shall come to rest with `damping`, `drag` or
        /// `viscosity`.
        ///
        /// For rods that are solved directly (WITHY_ORDER_DIRECT, WITHY_MODEL_DER), without
        /// `poisson_ratio` and `strands_per_bundle`. Rods that have WITHY_RODS_SELF_CONTACT,
        /// attachments or goals take steps of first order all the same, whether they touch anything
        /// or not. So do rods in steps in which a body is near that they may push, and a strand
        /// while a collider touches it.
        /// </summary>
        SecondOrder = 2,
    }

    /// <summary>
    /// Constants WITHY_ISA_SCALAR and so on.
    /// </summary>
    public enum Isa : uint
    {
        /// <summary>
        /// No vector instructions: one strand at a time.
        /// </summary>
        Scalar = 1,
        Sse2 = 2,
        Avx2 = 3,
        Avx512 = 4,
        Neon = 5,
        /// <summary>
        /// The widest instruction set of the machine. (withy_expert.h has the others.)
        /// </summary>
        Auto = 0,
    }

    /// <summary>
    /// Constants WITHY_ISSUE_SHORT_EDGE and so on.
    /// </summary>
    public enum Issue : uint
    {
        /// <summary>
        /// An edge shorter than 1e-4 of the strand's mean edge. It is simulated at that length.
        /// Value: its length, m.
        /// </summary>
        ShortEdge = 1,
        /// <summary>
        /// A strand of no length. It is simulated as a tiny straight one. Value: its length, m.
        /// </summary>
        NoLength = 2,
        /// <summary>
        /// Two edges that fold back on each other by more than 175 degrees. Value: the angle, rad.
        /// </summary>
        Kink = 3,
        /// <summary>
        /// A strand whose edges are, on average, shorter than a tenth of its radius. It will
        /// stretch to many times its length. Value: the mean edge, m.
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
        /// A flag: `frame_a` and `frame_b` are given in the world, where the bodies are now, and
        /// not in the frames of the bodies.
        /// </summary>
        WorldFrames = 1,
        /// <summary>
        /// A flag: the arc takes `relaxation` in place of `bend` and `twist`.
        /// </summary>
        ArcRelaxation = 2,
    }

    /// <summary>
    /// Constants WITHY_JOINT_BALL and so on.
    /// </summary>
    public enum JointKind : uint
    {
        /// <summary>
        /// The origins of the frames stay together. `swing` and `twist` limit the angles. The
        /// default.
        /// </summary>
        Ball = 0,
        /// <summary>
        /// The origins and d3 stay together. `twist` limits the angle about d3.
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
        /// An elastic rod connects the frames: it bends and twists but does not stretch, and has
        /// the shape of a circular arc that leaves both frames along d3 (Lewin 2013). One arc does
        /// for a whole spine, neck or tail. `arc` is its stiffness; `swing` and `twist` limit its
        /// bend and twist. In both frames d3 points along the arc from a to b; a new arc whose
        /// frames lean by more than 90 degrees from that is refused.
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
        /// A flag: the edges are springs, and steps move the vertices.
        /// </summary>
        Elastic = 1,
        /// <summary>
        /// A flag: strands do not go through the mesh, wherever the host moves and bends it: a head
        /// with its face, a dress. Call `withy_mesh_set_positions` in every frame. Only the front
        /// is felt, where triangles run counterclockwise (clockwise in Unity). What is a few radii
        /// behind it comes out slowly; what is deeper is not felt. Rigid bodies do not meet the
        /// mesh. Not with WITHY_MESH_ELASTIC. A world on the GPU has such meshes, and no others.
        /// </summary>
        Collides = 2,
        /// <summary>
        /// A flag, with WITHY_MESH_COLLIDES: the mesh is felt from both sides, as cloth. A strand
        /// stays on the side on which it is.
        /// </summary>
        BothSides = 4,
    }

    /// <summary>
    /// Constants WITHY_MODEL_GHOST and so on.
    /// </summary>
    public enum Model : uint
    {
        /// <summary>
        /// Ghost-point rods (Umetani 2014): an extra point beside each edge carries its frame. The
        /// default.
        /// </summary>
        Ghost = 0,
        /// <summary>
        /// Discrete elastic rods (Bergou 2010; Takahashi and Batty 2025). For wires and cables that
        /// are twisted by many turns: this model counts full turns, the other flips at half a turn
        /// between two edges. A clamped end holds its whole first edge, and the rod bends from the
        /// middle of that edge on: a cantilever of e edges is e - 1/2 edges long.
        /// (WITHY_MODEL_GHOST bends from its first vertex on: e edges.) Always solved directly, so
        /// `order` has no effect; WITHY_STIFFNESS_PHYSICAL only. Takes as much memory as
        /// WITHY_ORDER_DIRECT.
        /// </summary>
        Der = 1,
    }

    /// <summary>
    /// Constants WITHY_BODY_STATIC and so on.
    /// </summary>
    public enum Motion : uint
    {
        /// <summary>
        /// It stands still. The host may put it somewhere else.
        /// </summary>
        Static = 0,
        /// <summary>
        /// The host moves it, by targets. It pushes others; nothing pushes it.
        /// </summary>
        Kinematic = 1,
        /// <summary>
        /// Forces, joints and contacts move it. The default.
        /// </summary>
        Dynamic = 2,
    }

    /// <summary>
    /// Constants WITHY_MUSCLE_CLAMPED and so on.
    /// </summary>
    [Flags]
    public enum MuscleFlags : uint
    {
        None = 0,
        /// <summary>
        /// A flag: the ends also turn with their bodies. Without it the strands turn freely there.
        /// </summary>
        Clamped = 16,
    }

    /// <summary>
    /// Constants WITHY_MUSCLE_REST_SHAPE and so on.
    /// </summary>
    public enum MuscleMode : uint
    {
        /// <summary>
        /// An active muscle wants to be shorter, and as much thicker: at an activation of 1 and
        /// without load it is `shortest` times as long as at rest. For animation: it does not
        /// depend on how fast the muscle moves. The default.
        /// </summary>
        RestShape = 0,
        /// <summary>
        /// An active muscle pulls with the force that Hill's model has for its length and its
        /// velocity (De Groote et al. 2016). Its elasticity is the passive force. For biomechanics,
        /// and for limbs that muscles move.
        /// </summary>
        Hill = 1,
    }

    /// <summary>
    /// Constants WITHY_REPAIRED_FLAT_TRIANGLES and so on.
    /// </summary>
    [Flags]
    public enum MuscleRepairs : uint
    {
        None = 0,
        /// <summary>
        /// A flag of `WithyMuscleFit.repairs`: triangles had no area. They were not looked at.
        /// </summary>
        FlatTriangles = 1,
        /// <summary>
        /// Shells of the mesh were inside out, or triangles ran the other way round than those
        /// beside them. They were turned, each shell outwards by itself: a muscle has no cavities.
        /// </summary>
        InsideOut = 2,
        /// <summary>
        /// The surface is open, or overlaps itself. Its volume is that of the cells inside.
        /// </summary>
        Open = 4,
        /// <summary>
        /// No strands lead to a head: it has no end of its own, there are fewer strands than heads,
        /// or it is very thin.
        /// </summary>
        Heads = 8,
        /// <summary>
        /// Parts of the mesh hang together with no end. They were left out.
        /// </summary>
        Parts = 16,
    }

    /// <summary>
    /// Constants WITHY_ORDER_ROOT_TO_TIP and so on.
    /// </summary>
    public enum Order : uint
    {
        /// <summary>
        /// Sweeps that go from the root to the tip: each edge is corrected in turn, then its bend
        /// and twist. Cheap. Long or stiff strands stretch, and bend too easily, unless there are
        /// many iterations.
        /// </summary>
        RootToTip = 0,
        /// <summary>
        /// The whole strand is solved at once, by one step of Newton's method in each iteration.
        /// Long and stiff strands are as stiff as they should be, with a single iteration in each
        /// substep. That iteration costs about as much as four sweeps. Takes 300 bytes more a
        /// vertex (600 in double precision) if something couples the rods to others: attachments,
        /// WITHY_RODS_SELF_CONTACT, bodies that they may push, bundles; and if a strand has more
        /// than 128 vertices. WITHY_STIFFNESS_PHYSICAL only. In single precision, strands of
        /// thousands of edges, or with edges far below a millimetre, still stretch a little.
        /// </summary>
        Direct = 1,
        /// <summary>
        /// Sweeps that go in turn from the root and from the tip. As WITHY_ORDER_ROOT_TO_TIP, but
        /// does not start to vibrate by itself. Give it two iterations or more.
        /// </summary>
        Alternating = 2,
        /// <summary>
        /// WITHY_ORDER_DIRECT for WITHY_STIFFNESS_PHYSICAL, WITHY_ORDER_ALTERNATING for
        /// WITHY_STIFFNESS_ALPHA. The default.
        /// </summary>
        Auto = 3,
    }

    /// <summary>
    /// Constants WITHY_PRECISION_F32 and so on.
    /// </summary>
    public enum Precision : uint
    {
        /// <summary>
        /// Single precision. The default.
        /// </summary>
        F32 = 0,
        /// <summary>
        /// Double precision, on the CPU only. Slower by two to five times; for very stiff strands,
        /// and for scenes kilometres wide.
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
        /// A flag of a body: `joint-&gt;frame_a` says where the joint is in the bone of the parent
        /// body. Without it the joint is where it is in the bind pose.
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
        /// A flag of the def: bodies of the same instance do not collide with each other.
        /// </summary>
        NoSelfCollision = 1,
        /// <summary>
        /// A flag of the def: bones without a body, outside of regions, have the local pose of the
        /// animation. Without it they keep the local pose of the transition.
        /// </summary>
        AnimatedBones = 2,
    }

    /// <summary>
    /// Constants WITHY_REGION_ALONG_ARC and so on.
    /// </summary>
    public enum ReadBack : uint
    {
        /// <summary>
        /// The inner bones of a region are read back along the arc. The default.
        /// </summary>
        AlongArc = 0,
        /// <summary>
        /// They share the change of orientation between the ends; lengths of bones stay (Lewin
        /// 2013).
        /// </summary>
        Orientation = 1,
        /// <summary>
        /// They share the change of orientation and of position (Lewin 2013).
        /// </summary>
        OrientationAndPosition = 2,
    }

    /// <summary>
    /// Constants WITHY_REASON_NOT_FINITE and so on.
    /// </summary>
    public enum Reason : uint
    {
        /// <summary>
        /// A NaN or an infinity in the pose, the forces or the rest shape, or a strand that runs
        /// away because nothing holds it.
        /// </summary>
        NotFinite = 1,
        /// <summary>
        /// A vertex or an edge without mass.
        /// </summary>
        NoMass = 2,
        /// <summary>
        /// An edge shorter than a millionth of the strand's longest.
        /// </summary>
        ShortEdge = 3,
        /// <summary>
        /// Two edges fold back on each other by more than 169 degrees.
        /// </summary>
        Fold = 4,
        /// <summary>
        /// `progress` cancelled the search before it was the strand's turn.
        /// </summary>
        Cancelled = 5,
        /// <summary>
        /// In single precision a step may leave this pose: part of the strand is too stiff for its
        /// mass, as in a thin tape or a sharp kink of stiff hair. Use WITHY_PRECISION_F64, or more
        /// substeps.
        /// </summary>
        Precision = 6,
        /// <summary>
        /// A step of this length softens the strand, or would soften what holds the pose. Use more
        /// substeps, or WITHY_PRECISION_F64.
        /// </summary>
        Step = 7,
        /// <summary>
        /// A held vertex is not where it is held, so that the next step moves it. Teleport roots,
        /// tips and pins to the pose first. For WITHY_MODEL_DER the second vertex of a clamped end
        /// counts, too.
        /// </summary>
        Held = 8,
        /// <summary>
        /// Rest shapes that would hold the pose are beyond the bounds.
        /// </summary>
        Bounds = 9,
        /// <summary>
        /// The search used up its iterations.
        /// </summary>
        Iterations = 10,
        /// <summary>
        /// No rest shape makes the pose an equilibrium, as nothing holds the strand, or a force is
        /// too large: what is left in `residual` is the least.
        /// </summary>
        NoEquilibrium = 11,
    }

    /// <summary>
    /// Constants WITHY_REGION_RELAXATION and so on.
    /// </summary>
    [Flags]
    public enum RegionFlags : uint
    {
        None = 0,
        /// <summary>
        /// A flag of a region: the arc takes `relaxation` in place of `bend` and `twist`.
        /// </summary>
        Relaxation = 1,
    }

    /// <summary>
    /// Constants WITHY_REGION_REST_POSE and so on.
    /// </summary>
    public enum RegionRest : uint
    {
        /// <summary>
        /// The region wants to keep the shape that it has at the transition. The default.
        /// </summary>
        Pose = 0,
        /// <summary>
        /// The region is pulled to the shape of the bind pose.
        /// </summary>
        Bind = 1,
    }

    /// <summary>
    /// Constants WITHY_REST_FROM_POSE and so on.
    /// </summary>
    public enum Rest : uint
    {
        /// <summary>
        /// At rest the rods have the shape of the start, or of `rest_positions` if these are given.
        /// The default.
        /// </summary>
        FromPose = 0,
        /// <summary>
        /// At rest they are straight and not twisted, with the lengths of the start.
        /// </summary>
        Straight = 1,
        /// <summary>
        /// At rest they have `rest_lengths` and `rest_darboux`.
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
        /// A pointer, number, count, stride or index that cannot be used.
        /// </summary>
        InvalidArgument = -1,
        /// <summary>
        /// The handle is null, or names a destroyed object, an object of another kind or of another
        /// world.
        /// </summary>
        InvalidHandle = -2,
        /// <summary>
        /// This version, this build or this machine cannot do it.
        /// </summary>
        Unsupported = -3,
        /// <summary>
        /// Another call is using the world. Try again later.
        /// </summary>
        Busy = -4,
        /// <summary>
        /// There is not enough memory.
        /// </summary>
        OutOfMemory = -5,
        /// <summary>
        /// A fault of the library. This world can only be destroyed now; other worlds go on.
        /// </summary>
        Panic = -6,
        /// <summary>
        /// The output array is too small. Its count now says how much room is needed.
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
        /// A flag: the strands keep the shape in which they are created.
        ///
        /// A groom is drawn as gravity has already bent it. Without this flag gravity bends it a
        /// second time: it sags from the first frame on. With it, the library finds rest lengths,
        /// curvatures and twists for which the start pose is an equilibrium under the present
        /// gravity. So set the gravity before you create the rods. It takes about 0.1 ms for a
        /// strand of 100 vertices.
        ///
        /// A strand that is too soft for its pose sags all the same.
        /// `withy_rods_read_elastic_report` (withy_rest_shape.h) names these strands, and
        /// `withy_rods_optimize_rest_shape` can make them stiffer. Call that function also when the
        /// gravity changes, and once attachments hold ends of the strands.
        ///
        /// Needs WITHY_STIFFNESS_PHYSICAL, and WITHY_ORDER_AUTO, WITHY_ORDER_DIRECT or
        /// WITHY_MODEL_DER: sweeps stop before they reach the equilibrium, and are refused.
        /// </summary>
        SagFree = 1,
        /// <summary>
        /// A flag: rigid bodies push these rods, but the rods do not push bodies. For hair and fur,
        /// which are light: it saves time where rods touch dynamic bodies, most of all on the GPU.
        /// Attachments still pull both ways.
        /// </summary>
        OneWay = 2,
        /// <summary>
        /// A flag: the rods touch rods. A strand touches itself and the other strands of the set,
        /// and the strands of other sets that have this flag and whose layers meet. Without it rods
        /// pass through each other. Contact has Coulomb friction, and begins at `collision_radius`.
        /// Strands of one set that overlap when they are created may go on overlapping by as much.
        ///
        /// Knots hold, and ropes do not pass through each other, however fast they are. Make edges
        /// about as long as a strand is thick, or up to three times that. What is drawn tight wants
        /// 2 iterations.
        ///
        /// For strands that are solved directly. It works for swept ones, too, but these stretch
        /// where they are pressed. A heap in which everything touches takes about ten times as long
        /// as the same strands apart. Soft, thick things (`poisson_ratio`) that are all swept are
        /// faster: their contacts are firm springs that take turns with the sweeps.
        ///
        /// On the GPU such strands want 4 substeps or more, and may pass when they come nearer by
        /// more than an edge's length in a substep. A set that is too large for one buffer of the
        /// GPU is WITHY_ERROR_UNSUPPORTED.
        /// </summary>
        SelfContact = 4,
        /// <summary>
        /// A flag: the rods never sleep. Without it, a set that has been at rest for half a second
        /// stands still and costs next to nothing, until something near it moves or you change it.
        /// Sets that are swept without `poisson_ratio`, sets that are tied to other rods, and sets
        /// on a dynamic body that is awake stay awake. A set that hangs on dynamic bodies sleeps
        /// and wakes with them. One that hangs on static or kinematic bodies, or on vertices of a
        /// mesh that you alone move, sleeps as long as these stand.
        /// </summary>
        StayAwake = 8,
    }

    /// <summary>
    /// Constants WITHY_SHAPE_HULL and so on.
    /// </summary>
    public enum Shape : uint
    {
        /// <summary>
        /// The convex hull of `positions`. (These two shapes are for bodies; the others are listed
        /// with the colliders.)
        /// </summary>
        Hull = 5,
        /// <summary>
        /// Triangles: `positions` and `triangles`. For static bodies only, as is WITHY_SHAPE_PLANE.
        /// Only the outer side is solid.
        /// </summary>
        Mesh = 6,
        /// <summary>
        /// Everything below a plane. The plane goes through the pose's origin; its normal is the
        /// pose's local up axis (y, or z where the convention has Z up).
        /// </summary>
        Plane = 0,
        /// <summary>
        /// A sphere of `radius`.
        /// </summary>
        Sphere = 1,
        /// <summary>
        /// A cylinder of `radius` along local up, from -`half_height` to +`half_height`, with round
        /// caps.
        /// </summary>
        Capsule = 2,
        /// <summary>
        /// A box of `half_extents` along the local axes.
        /// </summary>
        Box = 3,
        /// <summary>
        /// The hull of two spheres on local up: `radius` at -`half_height`, `radius_top` at
        /// +`half_height`.
        /// </summary>
        TaperedCapsule = 4,
    }

    /// <summary>
    /// Constants WITHY_STIFFNESS_PHYSICAL and so on.
    /// </summary>
    public enum Stiffness : uint
    {
        /// <summary>
        /// The stiffness follows from `young_modulus`, `shear_modulus` and the section. The shape
        /// at rest depends neither on the time step nor on the number of iterations. The default.
        /// </summary>
        Physical = 0,
        /// <summary>
        /// The stiffness is `alpha_...`: which part of an error an iteration corrects (Umetani
        /// 2014). More iterations or substeps make the rod stiffer.
        /// </summary>
        Alpha = 1,
    }

    /// <summary>
    /// Constants WITHY_STRAND_HOLDS and so on.
    /// </summary>
    public enum StrandAnswer : uint
    {
        /// <summary>
        /// The strand holds its pose: it is a stable equilibrium, in the precision of the rods and
        /// for steps of the expected length.
        /// </summary>
        Holds = 1,
        /// <summary>
        /// The strand leaves its pose: by itself, as a pencil on its tip falls, or because a force
        /// is left.
        /// </summary>
        Unstable = 2,
        /// <summary>
        /// The strand would hold its pose if it were stiffer. See `WithyRestShapeDef.stiffen`.
        /// </summary>
        TooSoft = 3,
        /// <summary>
        /// The strand was left as it is. `reason` says why.
        /// </summary>
        Refused = 4,
    }

    /// <summary>
    /// Constants WITHY_SUPPORT_FREE and so on.
    /// </summary>
    public enum Support : uint
    {
        /// <summary>
        /// Nothing holds this end. The default.
        /// </summary>
        Free = 0,
        /// <summary>
        /// The host moves the end vertex; the strand turns freely about it.
        /// </summary>
        Pinned = 1,
        /// <summary>
        /// The host moves the end vertex and turns the frame there, as a scalp holds hair.
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
        /// A flag of `withy_ragdolls_instantiate`: joints stay where the def has them in the
        /// parents, even if the animation has stretched the bones. Without it they move to where
        /// the bones meet.
        /// </summary>
        KeepAnchors = 1,
        /// <summary>
        /// A flag of `withy_ragdolls_instantiate`: limits of joints stay, even if the pose is
        /// beyond them. Without it they are opened up to the pose.
        /// </summary>
        KeepLimits = 2,
    }

    /// <summary>
    /// A part of an asset.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyAssetChunk
    {
        /// <summary>
        /// UTF-8 with a zero at its end, 1 to 255 bytes without it, no control characters.
        /// </summary>
        public byte* name;
        /// <summary>
        /// `size` bytes, little-endian, rows one behind the other. NULL if there are none.
        /// </summary>
        public void* data;
        public ulong size;
        /// <summary>
        /// Count it up when what you save under this name means something else.
        /// </summary>
        public uint version;
        /// <summary>
        /// A WITHY_ASSET_ value. Others are of a newer library: pass such chunks on.
        /// </summary>
        public AssetFormat format;
        /// <summary>
        /// Numbers in a row of an array. 0 of bytes and text.
        /// </summary>
        public uint columns;
        /// <summary>
        /// Must be 0.
        /// </summary>
        public uint reserved;
    }

    /// <summary>
    /// Handle of an attachment.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyAttachment
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    /// <summary>
    /// How to join ends of strands to each other.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyJunctionDef
    {
        public uint struct_size;
        public uint flags;
        public void* next;
        /// <summary>
        /// `end_count` different ends, all in one world.
        /// </summary>
        public WithyStrandEnd* ends;
        /// <summary>
        /// 2 to 65,536.
        /// </summary>
        public uint end_count;
        /// <summary>
        /// Must be 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Size of the small body that joins the ends, host units, [1e-9, 1e3] m: with the mass it
        /// gives the resistance to turning. 0 (the default): the mean length of the edges that
        /// meet.
        /// </summary>
        public double radius;
        /// <summary>
        /// Mass of that body, kg, [1e-12, 1e9]. 0 (the default): the mass of the vertices that
        /// meet; they keep theirs.
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

    /// <summary>
    /// Handle of a body.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyBody
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    /// <summary>
    /// Handle of a cable.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyCable
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    /// <summary>
    /// How to create a cable.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyCableDef
    {
        public uint struct_size;
        public uint flags;
        public void* next;
        /// <summary>
        /// `point_count` points, from one end to the other. Required.
        /// </summary>
        public WithyCablePoint* points;
        /// <summary>
        /// 2 to 256.
        /// </summary>
        public uint point_count;
        /// <summary>
        /// Must be 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Length, host units, [1e-6, 1e6] m. 0 (the default): that of its way at creation.
        /// </summary>
        public double length;
        /// <summary>
        /// Force that would stretch it to twice its length, EA, N, [1e-3, 1e15]. 0 (the default):
        /// it does not stretch.
        /// </summary>
        public double stiffness;
        /// <summary>
        /// Tension at which it breaks, N, more than 0. Default: infinity, it never does.
        /// </summary>
        public double break_force;

        /// <summary>With the defaults filled in.</summary>
        public static WithyCableDef Default()
        {
            var value = new WithyCableDef();
            Check.Ok(Native.withy_cable_def_init_sized(&value, (uint)sizeof(WithyCableDef)));
            return value;
        }
    }

    /// <summary>
    /// What a cable does.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyCableState
    {
        /// <summary>
        /// How long the cable is, host units: what was set last.
        /// </summary>
        public double length;
        /// <summary>
        /// How long its way is now, host units. Where it is less than `length` the cable hangs
        /// loose.
        /// </summary>
        public double path;
        /// <summary>
        /// On average over the last step, N.
        /// </summary>
        public double tension;
        /// <summary>
        /// 1: it has broken, and pulls no more.
        /// </summary>
        public uint broken;
        /// <summary>
        /// 0
        /// </summary>
        public uint reserved;
    }

    /// <summary>
    /// Handle of a collider.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyCollider
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    /// <summary>
    /// Handle of a context.
    /// </summary>
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
    /// Worker threads of the host, for `WithyContextDef.tasks`.
    ///
    /// The library calls `run` on the thread that steps. `run` must call `task(task_data, i)` once
    /// for each i from 0 to count - 1, on any threads and in any order, and return when all these
    /// calls have returned. One thread may also make them one after the other. `run` must not throw
    /// and must not keep `task_data`.
    ///
    /// Other long calls (rest shapes, settling) call `run`, too. Two threads that step two worlds
    /// may call it at the same time. Within it the world that is working, and its context, answer
    /// WITHY_ERROR_BUSY.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyTaskCallbacks
    {
        /// <summary>
        /// Passed to `run`. Must stay valid as long as the context.
        /// </summary>
        public void* user;
        public IntPtr run;
    }

    /// <summary>
    /// How to create a context.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyContextDef
    {
        public uint struct_size;
        public uint flags;
        public void* next;
        /// <summary>
        /// A WITHY_CONVENTION_ value: units and axes of the host. Default: WITHY_CONVENTION_SI.
        /// </summary>
        public Convention convention;
        /// <summary>
        /// Threads of the library's own pool, which all worlds of the context share, at most 1024.
        /// 0 (the default): none, the thread that calls `withy_world_step` does all the work.
        /// WITHY_THREADS_ALL: as many as the machine has. Results are the same with any number.
        /// </summary>
        public uint threads;
        /// <summary>
        /// Length of the host's unit in metres, [1e-6, 1e6]. 0 (the default): 1, or 0.01 for the
        /// conventions in centimetres.
        /// </summary>
        public double metres_per_unit;
        /// <summary>
        /// The host's worker threads instead of a pool: `threads` must then be 0. NULL (the
        /// default): none. The struct is copied.
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
    /// A line to draw, in host units.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyDebugLine
    {
        /// <summary>
        /// Where it begins.
        /// </summary>
        public fixed float start[3];
        /// <summary>
        /// Where it ends.
        /// </summary>
        public fixed float end[3];
        /// <summary>
        /// 0xRRGGBBAA
        /// </summary>
        public uint rgba;
        /// <summary>
        /// 0
        /// </summary>
        public uint reserved;
    }

    /// <summary>
    /// Handle of a joint.
    /// </summary>
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
        /// Host units, [1e-9, 1e9] m. 0 (the default): the length of the arc through both frames as
        /// they are.
        /// </summary>
        public double length;
        /// <summary>
        /// Bending stiffness EI about d1 and d2, N m^2 with every convention, 0 or more. INFINITY:
        /// it does not bend. Default: 0.
        /// </summary>
        public fixed double bend[2];
        /// <summary>
        /// Twisting stiffness GJ, N m^2 with every convention, 0 or more. INFINITY: it does not
        /// twist. Default: 0.
        /// </summary>
        public double twist;
        /// <summary>
        /// Internal friction, s, [0, 1e6]: the viscosity over the stiffness (Kelvin-Voigt).
        /// Default: 0.
        /// </summary>
        public double viscosity;
        /// <summary>
        /// Bend about d1 and d2, and twist about d3, at rest, rad over the whole length, each
        /// within half a turn. Default: 0, straight.
        /// </summary>
        public fixed double rest[3];
        /// <summary>
        /// With WITHY_JOINT_ARC_RELAXATION: the part of the bend, and of the twist, that an
        /// iteration takes back, [0, 1] (Lewin 2013). The effect depends on the step and the
        /// iterations.
        /// </summary>
        public fixed double relaxation[2];
    }

    /// <summary>
    /// A joint that broke.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyBrokenJoint
    {
        /// <summary>
        /// It is off. Destroy it, or switch it on to mend it.
        /// </summary>
        public WithyJoint joint;
        /// <summary>
        /// What it held in the step, N.
        /// </summary>
        public double force;
        /// <summary>
        /// The same, N m.
        /// </summary>
        public double torque;
    }

    /// <summary>
    /// Handle of a mesh.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyMesh
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    /// <summary>
    /// What a muscle does.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyMuscleState
    {
        /// <summary>
        /// Length along the strands, on average, host units.
        /// </summary>
        public double length;
        /// <summary>
        /// How fast that becomes shorter, host units/s; negative while it lengthens.
        /// </summary>
        public double velocity;
        /// <summary>
        /// What all strands carry together, N, on average along them, in the last substep.
        /// </summary>
        public double force;
        /// <summary>
        /// What activation adds to it, N: the rest is the force without it, where the ends stay.
        /// </summary>
        public double active_force;
        /// <summary>
        /// Volume over that at rest.
        /// </summary>
        public double volume;
    }

    /// <summary>
    /// How well the strands stand for the mesh, and what was repaired. The figures are of what the
    /// strands are of, without parts that were left out and heads without an end.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyMuscleFit
    {
        /// <summary>
        /// What the mesh encloses, without what was left out, host units^3. It is the volume of the
        /// strands, too.
        /// </summary>
        public double volume;
        /// <summary>
        /// Mean length of the strands, host units.
        /// </summary>
        public double length;
        /// <summary>
        /// Part of the inside that lies in a strand, as pills. A bundle of round strands that touch
        /// covers 0.91; here they overlap somewhat.
        /// </summary>
        public double covered;
        /// <summary>
        /// Volume of the strands outside of the mesh, over that of the mesh.
        /// </summary>
        public double outside;
        /// <summary>
        /// From the tip of the origin to the nearest end of a strand, in radii there: at most 1. Of
        /// several heads that strands lead to, the farthest. The tip is the point that was given,
        /// or the end of the head where that lies beyond the point. A painted end has no tip that a
        /// strand has to reach: there it is the way from its middle, which may be more than 1.
        /// </summary>
        public double origin_gap;
        /// <summary>
        /// The same at the insertion.
        /// </summary>
        public double insertion_gap;
        /// <summary>
        /// Mean distance between the surfaces of mesh and strands around the belly, host units.
        /// </summary>
        public double surface_distance;
        /// <summary>
        /// WITHY_REPAIRED_HEADS: the volume of the heads without an end, over that of the mesh.
        /// </summary>
        public double headless;
        /// <summary>
        /// WITHY_REPAIRED_PARTS: the volume of the parts that were left out, over that of all.
        /// </summary>
        public double left_out;
        /// <summary>
        /// To how many heads strands lead at the origin, and at the insertion.
        /// </summary>
        public uint origin_heads;
        public uint insertion_heads;
        /// <summary>
        /// WITHY_REPAIRED_FLAT_TRIANGLES: how many.
        /// </summary>
        public uint flat_triangles;
        /// <summary>
        /// WITHY_REPAIRED_ flags: what was wrong with the mesh. 0: nothing.
        /// </summary>
        public MuscleRepairs repairs;
    }

    /// <summary>
    /// Handle of a set of ragdolls.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRagdolls
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    /// <summary>
    /// A body of a ragdoll. Its frame is that of its bone. All bodies in an array must be filled by
    /// the same version of the init function.
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
        /// Shapes, mass and motion; its pose, velocity and spin are not used. Required. With
        /// WITHY_BODY_KINEMATIC the animation moves the body until it is let go.
        /// </summary>
        public WithyBodyDef* body;
        /// <summary>
        /// What connects it to the body on the nearest bone above: any joint but an arc. `frame_b`
        /// is in this bone; `body_a` and `body_b` are null. NULL: nothing. A region's arc replaces
        /// it.
        /// </summary>
        public WithyJointDef* joint;
        /// <summary>
        /// The number of its bone.
        /// </summary>
        public uint bone;
        /// <summary>
        /// Must be 0.
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
    /// Handle of render hair.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRenderHair
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    /// <summary>
    /// Level of detail of a read. What is left out at some share is left out at all smaller ones,
    /// so that nothing flickers while shares change.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRenderHairLodDef
    {
        public uint struct_size;
        /// <summary>
        /// Must be 0.
        /// </summary>
        public uint flags;
        public void* next;
        /// <summary>
        /// Share of the strands that are read, (0, 1], in a fixed random order: one at least.
        /// Widths grow as strands get fewer, so that they cover as much. Default: 1.
        /// </summary>
        public double strands;
        /// <summary>
        /// Share of the edges of each strand, (0, 1]: one at least. Its ends stay. Default: 1.
        /// </summary>
        public double vertices;
        /// <summary>
        /// Factor of the widths, [0, 1000]. Default: 1.
        /// </summary>
        public double width;

        /// <summary>With the defaults filled in.</summary>
        public static WithyRenderHairLodDef Default()
        {
            var value = new WithyRenderHairLodDef();
            Check.Ok(Native.withy_render_hair_lod_def_init_sized(&value, (uint)sizeof(WithyRenderHairLodDef)));
            return value;
        }
    }

    /// <summary>
    /// What WithyRestShapeDef.progress points to.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate uint WithyRestShapeProgress(void* user, uint done, uint all);

    /// <summary>
    /// How to look for rest shapes. The defaults are good for hair; most hosts change `stiffen`
    /// only.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRestShapeDef
    {
        public uint struct_size;
        public uint flags;
        public void* next;
        /// <summary>
        /// Called several times a second on the calling thread, with the number of strands that are
        /// done, and of all. Return 0 to go on. Anything else cancels: strands that were not done
        /// keep their rest shape. The world is busy meanwhile. NULL (the default): none.
        /// </summary>
        public IntPtr progress;
        /// <summary>
        /// Passed to `progress`.
        /// </summary>
        public void* user;
        /// <summary>
        /// With a `target` of 0: weight of the distance from the first rest shape. Otherwise it
        /// only damps the search. 1e-15 to 1e15. Default: 1e-5.
        /// </summary>
        public double regularizer;
        /// <summary>
        /// With a `target` of 0: the change of the rest shape below which the search ends, 0 to
        /// 1e15. Default: 1e-5.
        /// </summary>
        public double tolerance;
        /// <summary>
        /// The force that may be left, as in `WithyElasticReport.residual`; a thousandth of that of
        /// the loads where that is less. 0: the minimum of the paper, which is not quite an
        /// equilibrium. 0 to 1e15. Default: 1e-6.
        /// </summary>
        public double target;
        /// <summary>
        /// Rest lengths stay above this multiple of the first ones, 0 to 1e6. Default: 0.1.
        /// </summary>
        public double length_min;
        /// <summary>
        /// Rest lengths stay below this multiple of the first ones, up to 1e6. Default: 1.1.
        /// </summary>
        public double length_max;
        /// <summary>
        /// The largest change of a rest curvature, 0 to 1e15. A curvature is twice the tangent of
        /// half the angle between two edges. Default: 1.4142, a change by 70 degrees.
        /// </summary>
        public double curvature;
        /// <summary>
        /// The largest change of a rest twist, rad, 0 to 1e15. Default: pi/8. (WITHY_MODEL_GHOST:
        /// at least `curvature`.)
        /// </summary>
        public double twist;
        /// <summary>
        /// The largest factor by which a strand may be made stiffer if it would not hold its pose
        /// otherwise, 1 to 1e15. Only the vertices that need it become stiffer, and no more than
        /// they need. The stiffness factors of the rods are multiplied, and stay until the host
        /// sets others. It takes longer: a second for a strand of 100 vertices. Not for strands of
        /// more than 1000 vertices. 0 (the default): none.
        /// </summary>
        public double stiffen;
        /// <summary>
        /// Length of the steps to come, s, 1e-6 to 10. The rest shape holds for steps of this
        /// length and shorter ones. 0 (the default): as long as the last step; 1/60 s before the
        /// first.
        /// </summary>
        public double step;
        /// <summary>
        /// Iterations of the search, 1 to 1e6. Only strands that are pinned between their ends, or
        /// that meet their bounds, need any. Default: 500.
        /// </summary>
        public uint iterations;
        /// <summary>
        /// A WITHY_BOUNDS_ value. Default: WITHY_BOUNDS_EXACT.
        /// </summary>
        public Bounds bounds;
        /// <summary>
        /// 1 (the default): rest twists may change. 0: they stay.
        /// </summary>
        public uint change_twist;
        /// <summary>
        /// Must be 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// With `stiffen`: how firmly a strand must hold its pose, as the least
        /// `WithyElasticReport.lowest_mode`, 1/s^2, 0 to 1e15. A limp strand of 25 cm that hangs
        /// down has 57. 0 (the default): just stable.
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
    /// What WithySettleDef.progress points to.
    /// </summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate uint WithySettleProgress(void* user, uint done, uint all);

    /// <summary>
    /// How to settle rods.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithySettleDef
    {
        public uint struct_size;
        public uint flags;
        public void* next;
        /// <summary>
        /// Called several times a second on the calling thread, with the number of strands that are
        /// done, and of all. Return 0 to go on. Anything else cancels: strands that were not done
        /// stay where they are. The world is busy meanwhile. NULL (the default): none.
        /// </summary>
        public IntPtr progress;
        /// <summary>
        /// Passed to `progress`.
        /// </summary>
        public void* user;
        /// <summary>
        /// The force that may be left, as in `WithyElasticReport.residual`, 0 to 1e9. Default:
        /// 1e-6.
        /// </summary>
        public double tolerance;
        /// <summary>
        /// Steps of Newton's method, 1 to 1e6. Default: 100, plenty for most strands.
        /// </summary>
        public uint iterations;
        /// <summary>
        /// Must be 0.
        /// </summary>
        public uint reserved;

        /// <summary>With the defaults filled in.</summary>
        public static WithySettleDef Default()
        {
            var value = new WithySettleDef();
            Check.Ok(Native.withy_settle_def_init_sized(&value, (uint)sizeof(WithySettleDef)));
            return value;
        }
    }

    /// <summary>
    /// Whether a strand holds its pose, and what is known of its equilibrium.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyElasticReport
    {
        /// <summary>
        /// A WITHY_STRAND_ value.
        /// </summary>
        public StrandAnswer answer;
        /// <summary>
        /// A WITHY_REASON_ value: why the strand was refused, or does not hold. 0: there is no
        /// other reason than the answer.
        /// </summary>
        public Reason reason;
        /// <summary>
        /// Iterations of the search. 0: the strand had its rest shape already.
        /// </summary>
        public uint iterations;
        /// <summary>
        /// The number of rest lengths, curvatures and twists at their bounds.
        /// </summary>
        public uint at_bounds;
        /// <summary>
        /// The number of ways in which the strand leaves its pose by itself, as a pencil on its tip
        /// falls. 0: none, if `lowest_mode` is a number. It includes what rounding in single
        /// precision, or steps of the expected length, would make of the pose. It does not include
        /// flutter by `withy_rods_set_moments`.
        /// </summary>
        public uint unstable_modes;
        /// <summary>
        /// The number of stiffness factors above 1, as `withy_rods_read_stiffness_factors` gives
        /// them. Who set them, `stiffen` or the host, makes no difference.
        /// </summary>
        public uint stiffened;
        /// <summary>
        /// The force that is left: the root of the sum of f^2/m over all that can move, m/s^2
        /// kg^0.5.
        /// </summary>
        public double residual;
        /// <summary>
        /// The largest acceleration that is left at a vertex, m/s^2. Divided by `lowest_mode` it is
        /// about how far from its pose the strand rests, m.
        /// </summary>
        public double acceleration;
        /// <summary>
        /// How firmly the strand holds: the square of its lowest angular frequency, 1/s^2.
        /// Negative: unstable. 0: neutral, as a rope that turns about its line. Infinite: nothing
        /// can move. NaN: not known.
        /// </summary>
        public double lowest_mode;
        /// <summary>
        /// The largest stiffness factor of the strand. 1: no factor is above 1.
        /// </summary>
        public double stiffest;
    }

    /// <summary>
    /// Handle of a set of rods.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRods
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    /// <summary>
    /// What was wrong with a strand at creation.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyStrandIssue
    {
        /// <summary>
        /// The number of the strand in the set.
        /// </summary>
        public uint strand;
        /// <summary>
        /// Counted from the root of the strand.
        /// </summary>
        public uint vertex;
        /// <summary>
        /// A WITHY_ISSUE_ value.
        /// </summary>
        public Issue kind;
        /// <summary>
        /// 0
        /// </summary>
        public uint reserved;
        /// <summary>
        /// What it means depends on the kind. SI units.
        /// </summary>
        public double value;
    }

    /// <summary>
    /// Handle of a skin.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithySkin
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    /// <summary>
    /// An array of the host: where it is, how many elements it has, and of which type. The function
    /// or field that takes it says what an element is: a number, a vector of 3 or a quaternion of 4
    /// numbers.
    ///
    /// As an input it is read during the call and not kept. A count of 0 means "none".
    ///
    /// As an output, set `count` to the room that the array has. The call sets it to the number of
    /// elements that the object has, and writes them. If `data` is NULL it only sets `count`. If
    /// there is too little room it writes nothing and fails with WITHY_ERROR_TOO_SMALL.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithySpan
    {
        public void* data;
        /// <summary>
        /// Elements, not numbers: 21 for 21 vectors.
        /// </summary>
        public ulong count;
        /// <summary>
        /// Bytes from one element to the next. 0: densely packed.
        /// </summary>
        public ulong stride;
        /// <summary>
        /// A WITHY_FORMAT_ value.
        /// </summary>
        public Format format;
        /// <summary>
        /// Must be 0.
        /// </summary>
        public uint reserved;
    }

    /// <summary>
    /// A point, direction, velocity or force.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyVec3
    {
        public double x;
        public double y;
        public double z;
    }

    /// <summary>
    /// A rotation. Its length must be 1 within 1 %; the library normalises it.
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
    /// A position and a rotation: takes a local point x to rotation * x + position.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyPose
    {
        public WithyVec3 position;
        public WithyQuat rotation;
    }

    /// <summary>
    /// Handle of a world.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyWorld
    {
        public ulong bits;

        public bool IsNull { get { return bits == 0; } }
    }

    /// <summary>
    /// How to create a world. A step is divided into substeps, and a substep into iterations: more
    /// substeps follow fast motion better and make contacts and joints stiffer, more iterations
    /// bring the constraints closer to being met.
    /// </summary>
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
        /// A WITHY_ISA_ value. Default: WITHY_ISA_AUTO. All give the same results.
        /// </summary>
        public Isa isa;
        /// <summary>
        /// A WITHY_PRECISION_ value. Default: WITHY_PRECISION_F32.
        /// </summary>
        public Precision precision;
        /// <summary>
        /// Substeps of each step, 1 to 65,536. Default: 8, good for 60 steps a second.
        /// </summary>
        public uint substeps;
        /// <summary>
        /// Iterations of each substep, 1 to 10,000. Default: 4. It is for rods that are swept,
        /// bodies and joints. Rods that are solved directly have their own number,
        /// `WithyRodsDef.iterations`.
        /// </summary>
        public uint iterations;
        /// <summary>
        /// The most substeps of a long step, up to 65,536. A step of more than 0.05 s, as after a
        /// frame that took too long, has more substeps, so that none is longer than in a step of
        /// 0.05 s. With `substeps` or less a long step has no more than a usual one. 0 (the
        /// default): 16 times `substeps`.
        /// </summary>
        public uint max_substeps;

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
        /// <summary>
        /// The number of the strand in the set.
        /// </summary>
        public uint strand;
        /// <summary>
        /// A WITHY_END_ value.
        /// </summary>
        public End end;
    }

    /// <summary>
    /// How to tie a strand to a triangle.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyTriangleAttachmentDef
    {
        public uint struct_size;
        /// <summary>
        /// WITHY_ATTACH_CLAMPED, or 0 (the default).
        /// </summary>
        public AttachFlags flags;
        public void* next;
        /// <summary>
        /// The end that is tied. Required.
        /// </summary>
        public WithyStrandEnd end;
        /// <summary>
        /// In the same world. Required.
        /// </summary>
        public WithyMesh mesh;
        /// <summary>
        /// The number of the triangle in the mesh. Default: 0.
        /// </summary>
        public uint triangle;
        /// <summary>
        /// Must be 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Where on the triangle, as weights of its three vertices. They add up to 1 within 1e-3.
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

    /// <summary>
    /// How to tie a strand to a body.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyBodyAttachmentDef
    {
        public uint struct_size;
        /// <summary>
        /// WITHY_ATTACH_CLAMPED, or 0 (the default).
        /// </summary>
        public AttachFlags flags;
        public void* next;
        /// <summary>
        /// The end that is tied. Required.
        /// </summary>
        public WithyStrandEnd end;
        /// <summary>
        /// In the same world. Required.
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
    /// One shape of a body. Lengths are in host units. All shapes in an array must be filled by the
    /// same version of `withy_shape_def_init`.
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
        /// The layers that the shape is in. Default: 1.
        /// </summary>
        public uint category;
        /// <summary>
        /// The layers that it meets, as in WithyRodsDef. Default: all.
        /// </summary>
        public uint mask;
        /// <summary>
        /// Must be 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Where the shape is in the frame of the body. Default: identity.
        /// </summary>
        public WithyPose pose;
        /// <summary>
        /// [1e-9, 1e6] m, for shapes that need it.
        /// </summary>
        public double radius;
        /// <summary>
        /// [1e-9, 1e6] m, for tapered capsules.
        /// </summary>
        public double radius_top;
        /// <summary>
        /// [0, 1e6] m, for capsules; along local up, without the caps.
        /// </summary>
        public double half_height;
        /// <summary>
        /// [1e-9, 1e6] m, for boxes.
        /// </summary>
        public WithyVec3 half_extents;
        /// <summary>
        /// kg/m^3, [1e-3, 1e6]. Default: 1000, water.
        /// </summary>
        public double density;
        /// <summary>
        /// Coulomb's coefficient, [0, 1e3]. A contact has the geometric mean of both sides.
        /// Default: 0.6.
        /// </summary>
        public double friction;
        /// <summary>
        /// How much it bounces: speed after an impact over the speed before, [0, 1]. The larger one
        /// of both sides counts. Default: 0.
        /// </summary>
        public double restitution;
        /// <summary>
        /// Makes the surface soft: each contact point yields like a spring of this stiffness, N/m,
        /// [1e-6, 1e9]. Two soft shapes are two springs, one behind the other. A soft contact
        /// ignores `restitution`. 0 (the default): hard.
        /// </summary>
        public double stiffness;
        /// <summary>
        /// The damper beside that spring, N s/m, [0, 1e9]. Default: 0.
        /// </summary>
        public double damping;
        /// <summary>
        /// Resists rolling: a torque of at most this times pressure and radius, [0, 1e3]. A ball
        /// that rolls slows down by 5/7 of this times gravity. Of both sides the larger counts.
        /// Flat shapes have no radius. Default: 0.
        /// </summary>
        public double rolling_friction;
        /// <summary>
        /// Resists turning in place: the same about the normal. Default: 0.
        /// </summary>
        public double torsional_friction;
        /// <summary>
        /// Vectors: the points of a hull, 4 to 2^20 (it keeps the 255 outermost at most), or the
        /// vertices of a mesh.
        /// </summary>
        public WithySpan positions;
        /// <summary>
        /// Triples of u32, for a mesh. Seen from outside they run counterclockwise; in Unity
        /// clockwise.
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

    /// <summary>
    /// How to create a body.
    /// </summary>
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
        /// `shape_count` shapes. A body without shapes touches nothing.
        /// </summary>
        public WithyShapeDef* shapes;
        /// <summary>
        /// At most 4096.
        /// </summary>
        public uint shape_count;
        /// <summary>
        /// WITHY_BODY_STATIC, WITHY_BODY_KINEMATIC or WITHY_BODY_DYNAMIC (the default).
        /// </summary>
        public Motion motion;
        /// <summary>
        /// Where its frame is. Default: identity.
        /// </summary>
        public WithyPose pose;
        /// <summary>
        /// Velocity of the centre of mass, host units/s. Default: 0. For dynamic bodies, as is
        /// `spin`.
        /// </summary>
        public WithyVec3 velocity;
        /// <summary>
        /// Angular velocity, rad/s, about the axes of the world. Default: 0.
        /// </summary>
        public WithyVec3 spin;
        /// <summary>
        /// kg, [1e-9, 1e12]. 0 (the default): it follows from the densities of the shapes. Else
        /// their mass and inertia are scaled to this mass.
        /// </summary>
        public double mass;
        /// <summary>
        /// With WITHY_BODY_INERTIA: in the frame of the body, host units.
        /// </summary>
        public WithyVec3 center_of_mass;
        /// <summary>
        /// With WITHY_BODY_INERTIA: the inertia tensor about the centre of mass, in the axes of the
        /// frame, kg m^2 with every convention, as xx, yy, zz, xy, xz, yz. The last three are
        /// entries of the tensor: minus the sum of m x y, and so on. Principal moments are within
        /// [1e-15, 1e18], and none is larger than the sum of the other two.
        /// </summary>
        public fixed double inertia[6];
        /// <summary>
        /// Factor of the gravity, [-1e6, 1e6]. Default: 1.
        /// </summary>
        public double gravity_scale;
        /// <summary>
        /// Rate at which the velocity dies, 1/s, [0, 1e9]: a body that falls approaches gravity
        /// over this. Default: 0.
        /// </summary>
        public double linear_damping;
        /// <summary>
        /// Rate at which the spin dies, 1/s, [0, 1e9]. Default: 0.05.
        /// </summary>
        public double angular_damping;
        /// <summary>
        /// Speed limit, [1e-3, 1e9] m/s: a faster body is slowed down to it. 0 (the default): 500
        /// m/s.
        /// </summary>
        public double max_speed;
        /// <summary>
        /// Bodies with the same group do not collide with each other. 0 (the default): no group.
        /// </summary>
        public uint group;
        /// <summary>
        /// 1 (the default): the body falls asleep, and costs next to nothing, once it and all that
        /// it touches have rested for half a second. 0: never.
        /// </summary>
        public uint can_sleep;
        /// <summary>
        /// 1 (the default): it does not pass through static and kinematic bodies, however fast it
        /// flies. 0: it may. Two moving bodies never pass through each other on a straight way.
        /// </summary>
        public uint continuous;
        /// <summary>
        /// Must be 0.
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
    /// A point where two surfaces touch or nearly touch: they are less than 2 cm apart, or could
    /// meet within the step.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyContact
    {
        /// <summary>
        /// The two bodies. One of them is null if `collider` is there instead.
        /// </summary>
        public WithyBody body_a;
        public WithyBody body_b;
        public WithyCollider collider;
        /// <summary>
        /// On the surface, host units.
        /// </summary>
        public WithyVec3 position;
        /// <summary>
        /// From a to b; its length is 1.
        /// </summary>
        public WithyVec3 normal;
        /// <summary>
        /// Distance of the surfaces at the start of the step, host units. Negative where they
        /// overlap.
        /// </summary>
        public double separation;
        /// <summary>
        /// Along the normal, in the last substep, N s. 0: they do not touch.
        /// </summary>
        public double impulse;
        /// <summary>
        /// On body_b in the last substep, friction included, N, in the host's axes. The forces of
        /// all points of two shapes make up what one does to the other.
        /// </summary>
        public WithyVec3 force;
        /// <summary>
        /// The torque about `position` that friction has besides, N m, in the host's axes.
        /// </summary>
        public WithyVec3 torque;
        /// <summary>
        /// How fast the surfaces came together here at the start of the step, host units/s;
        /// negative where they parted. How hard something hit is this, or `impulse`.
        /// </summary>
        public double approach;
    }

    /// <summary>
    /// A point of a cable. It is fixed to its body where it is when the cable is created.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyCablePoint
    {
        /// <summary>
        /// A null handle: the point is fixed to the world.
        /// </summary>
        public WithyBody body;
        /// <summary>
        /// In world space, host units: the point, or the middle of a wheel.
        /// </summary>
        public WithyVec3 position;
        /// <summary>
        /// Of a wheel: its axis, of any length. Around it the cable goes by the right-hand rule
        /// (left-hand in hosts with left-handed axes).
        /// </summary>
        public WithyVec3 axis;
        /// <summary>
        /// Radius of a wheel, host units, [1e-6, 1e3] m. 0: a ring that the cable slides through,
        /// or an end. A wheel turns freely and weighs nothing. The cable may lie on three quarters
        /// of it, and be unwound by a quarter turn past straight: beyond that its length jumps by
        /// the circumference.
        /// </summary>
        public double radius;
    }

    /// <summary>
    /// How to create a collider. Lengths and positions are in host units. Every shape is centred on
    /// the pose.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyColliderDef
    {
        public uint struct_size;
        public uint flags;
        public void* next;
        /// <summary>
        /// A WITHY_SHAPE_ value, up to WITHY_SHAPE_TAPERED_CAPSULE. Default: WITHY_SHAPE_PLANE.
        /// </summary>
        public Shape shape;
        /// <summary>
        /// The layers that the collider is in. Default: 1.
        /// </summary>
        public uint category;
        /// <summary>
        /// The layers that it meets, as in WithyRodsDef. Default: all.
        /// </summary>
        public uint mask;
        /// <summary>
        /// Must be 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Where it is. Default: identity.
        /// </summary>
        public WithyPose pose;
        /// <summary>
        /// [1e-9, 1e6] m, for shapes that need it.
        /// </summary>
        public double radius;
        /// <summary>
        /// [0, 1e6] m, for capsules; without the caps.
        /// </summary>
        public double half_height;
        /// <summary>
        /// [1e-9, 1e6] m, for boxes.
        /// </summary>
        public WithyVec3 half_extents;
        /// <summary>
        /// Coulomb's coefficient, [0, 1e3]. A contact has the geometric mean of both sides.
        /// Default: 0.5.
        /// </summary>
        public double friction;
        /// <summary>
        /// [1e-9, 1e6] m, for tapered capsules.
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
    /// What the last step did. Times are in seconds of wall-clock time.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyStepStats
    {
        /// <summary>
        /// Steps since the world was created.
        /// </summary>
        public ulong steps;
        /// <summary>
        /// The whole step.
        /// </summary>
        public double seconds_total;
        /// <summary>
        /// Of that: moving colliders over the substeps.
        /// </summary>
        public double seconds_prepare;
        /// <summary>
        /// Of that: simulating rods and bodies.
        /// </summary>
        public double seconds_solve;
        /// <summary>
        /// Of that: gathering the numbers below.
        /// </summary>
        public double seconds_report;
        /// <summary>
        /// The largest |length / rest length - 1| of an edge.
        /// </summary>
        public double largest_strain;
        /// <summary>
        /// The rods where it is. Null if there are none, or if they have been destroyed since.
        /// </summary>
        public WithyRods largest_strain_rods;
        /// <summary>
        /// The strand in these rods.
        /// </summary>
        public uint largest_strain_strand;
        /// <summary>
        /// Substeps of the step.
        /// </summary>
        public uint substeps;
        /// <summary>
        /// Iterations of the world.
        /// </summary>
        public uint iterations;
        /// <summary>
        /// Strands with a NaN or an infinity.
        /// </summary>
        public uint non_finite_strands;
        /// <summary>
        /// Strands with two neighbouring frames more than 175 degrees apart: WITHY_MODEL_GHOST may
        /// flip there.
        /// </summary>
        public uint kinked_strands;
        /// <summary>
        /// Strands that ran into their `max_speed`, or whose substep gave no number and was left
        /// out.
        /// </summary>
        public uint limited_strands;
        /// <summary>
        /// Vertices of rods that touched something in the last substep, and contacts between rods.
        /// </summary>
        public uint contacts;
        /// <summary>
        /// 0
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Rigid bodies.
        /// </summary>
        public uint bodies;
        /// <summary>
        /// Those that are awake.
        /// </summary>
        public uint awake_bodies;
        /// <summary>
        /// Groups of bodies that touch or are joined.
        /// </summary>
        public uint islands;
        /// <summary>
        /// Pairs of shapes that touch.
        /// </summary>
        public uint body_contacts;
        /// <summary>
        /// Bodies whose motion became NaN or infinite. They were stopped where they were.
        /// </summary>
        public uint non_finite_bodies;
        /// <summary>
        /// Joints.
        /// </summary>
        public uint joints;
        /// <summary>
        /// Not 0: too many shapes were in one place. Each met only a few of the others, and at
        /// least this number of pairs was left out.
        /// </summary>
        public ulong pairs_left_out;
        /// <summary>
        /// Of `seconds_solve`: rigid bodies.
        /// </summary>
        public double seconds_bodies;
    }

    /// <summary>
    /// A spring and a damper about each axis, between the frames of a joint of any kind but
    /// WITHY_JOINT_FIXED. It can be very stiff without shaking.
    ///
    /// A motor of damping alone, with a limit, is friction: such a hinge stays where it is left. It
    /// holds what needs less than `max_torque`, and slows down the rest by that torque. What it
    /// holds creeps, a limb by some 1e-4 rad/s, until it sleeps.
    ///
    ///     WithyMotor friction;
    ///     withy_motor_init(&amp;friction);
    ///     friction.damping[0] = friction.damping[1] = friction.damping[2] = INFINITY;
    ///     friction.max_torque = 5;
    ///     withy_joint_set_motor(joint, &amp;friction);
    ///
    /// A joint has one motor. One that follows a target has friction only as its damping.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyMotor
    {
        /// <summary>
        /// N m/rad, 0 or more. INFINITY: as stiff as the solver can make it. Default: 0.
        /// </summary>
        public fixed double stiffness[3];
        /// <summary>
        /// N m s/rad, 0 or more. INFINITY: the spin is `speed`. Default: 0.
        /// </summary>
        public fixed double damping[3];
        /// <summary>
        /// Rotation of frame b in frame a that the stiffness pulls to, at the end of the next step.
        /// The target moves there evenly during the step. Default: identity.
        /// </summary>
        public WithyQuat target;
        /// <summary>
        /// Spin of b in a, about d1, d2, d3 of frame a, that the damping pulls to, rad/s, [-1e6,
        /// 1e6]. Default: 0.
        /// </summary>
        public fixed double speed[3];
        /// <summary>
        /// Limit of the torque about all three axes together, N m, 0 or more. INFINITY (the
        /// default): no limit.
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

    /// <summary>
    /// How to create a joint.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyJointDef
    {
        public uint struct_size;
        /// <summary>
        /// WITHY_JOINT_ flags, or 0 (the default).
        /// </summary>
        public JointFlags flags;
        public void* next;
        /// <summary>
        /// The first body. Null (the default): the world.
        /// </summary>
        public WithyBody body_a;
        /// <summary>
        /// The second body, in the same world. Required.
        /// </summary>
        public WithyBody body_b;
        /// <summary>
        /// In the frame of body_a, or in the world if there is none. Default: identity.
        /// </summary>
        public WithyPose frame_a;
        /// <summary>
        /// In the frame of body_b. Default: identity.
        /// </summary>
        public WithyPose frame_b;
        /// <summary>
        /// A WITHY_JOINT_ kind. Default: WITHY_JOINT_BALL.
        /// </summary>
        public JointKind kind;
        /// <summary>
        /// 1: the two bodies may touch. 0 (the default): they do not collide as long as the joint
        /// is enabled.
        /// </summary>
        public uint collide;
        /// <summary>
        /// Of a ball: half angles of the cone in which d3 swings, about d1 and d2, [0, pi] rad. Of
        /// an arc: the same for its bend over the whole length, from straight. pi for both (the
        /// default): no limit.
        /// </summary>
        public fixed double swing[2];
        /// <summary>
        /// Of a ball, a hinge or an arc: least and most angle about d3, [-pi, pi] rad. A hinge
        /// counts its turns: [-20 pi, 20 pi] rad, or infinite. -pi and pi (the default): no limit.
        /// </summary>
        public fixed double twist[2];
        /// <summary>
        /// Of a distance joint: least distance, host units, [0, 1e9] m. Default: 0.
        /// </summary>
        public double least;
        /// <summary>
        /// Of a distance joint: largest distance, host units, [0, 1e9] m. Default: 0.
        /// </summary>
        public double most;
        /// <summary>
        /// Of an arc: the rod.
        /// </summary>
        public WithyArc arc;
        /// <summary>
        /// NULL (the default): none. The struct is copied.
        /// </summary>
        public WithyMotor* motor;
        /// <summary>
        /// The joint breaks where its force, as `withy_joint_get_force` tells it, is larger in a
        /// step, N, above 0. It is then switched off and `withy_world_read_broken_joints` names it.
        /// INFINITY (the default): never.
        /// </summary>
        public double break_force;
        /// <summary>
        /// The same for the torque, N m, above 0. INFINITY (the default): never.
        /// </summary>
        public double break_torque;

        /// <summary>With the defaults filled in.</summary>
        public static WithyJointDef Default()
        {
            var value = new WithyJointDef();
            Check.Ok(Native.withy_joint_def_init_sized(&value, (uint)sizeof(WithyJointDef)));
            return value;
        }
    }

    /// <summary>
    /// How to create a mesh.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyMeshDef
    {
        public uint struct_size;
        /// <summary>
        /// WITHY_MESH_ flags, or 0 (the default).
        /// </summary>
        public MeshFlags flags;
        public void* next;
        /// <summary>
        /// Vectors, host units, 1 to 2^24 vertices. Required.
        /// </summary>
        public WithySpan positions;
        /// <summary>
        /// Triples of u32. Required.
        /// </summary>
        public WithySpan triangles;
        /// <summary>
        /// Numbers, one a vertex: 1/mass, 1/kg, [0, 1e12]. 0: only the host moves this vertex.
        /// Default: none, 0 for all.
        /// </summary>
        public WithySpan inv_masses;
        /// <summary>
        /// Pairs of u32: more springs, such as the diagonals of a box. Default: none.
        /// </summary>
        public WithySpan extra_edges;
        /// <summary>
        /// With WITHY_MESH_ELASTIC: how far an edge gives, m/N, [0, 1e12]. Default: 0, rigid.
        /// </summary>
        public double edge_compliance;
        /// <summary>
        /// With WITHY_MESH_ELASTIC: rate at which the motion of the vertices dies, 1/s, [0, 1e9].
        /// Default: 0.
        /// </summary>
        public double drag;
        /// <summary>
        /// With WITHY_MESH_COLLIDES: Coulomb's coefficient, [0, 1e3]. A contact has the geometric
        /// mean of both sides. Default: 0.5.
        /// </summary>
        public double friction;
        /// <summary>
        /// With WITHY_MESH_COLLIDES: the layers that the mesh is in. Default: 1.
        /// </summary>
        public uint category;
        /// <summary>
        /// With WITHY_MESH_COLLIDES: the layers that it meets, as in WithyRodsDef. Default: all.
        /// </summary>
        public uint mask;

        /// <summary>With the defaults filled in.</summary>
        public static WithyMeshDef Default()
        {
            var value = new WithyMeshDef();
            Check.Ok(Native.withy_mesh_def_init_sized(&value, (uint)sizeof(WithyMeshDef)));
            return value;
        }
    }

    /// <summary>
    /// How to create a muscle.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyMuscleDef
    {
        public uint struct_size;
        /// <summary>
        /// WITHY_MUSCLE_CLAMPED, WITHY_RODS_SAG_FREE, WITHY_RODS_ONE_WAY, WITHY_RODS_SELF_CONTACT
        /// and WITHY_RODS_STAY_AWAKE, or 0 (the default).
        /// </summary>
        public RodsFlags flags;
        public void* next;
        /// <summary>
        /// Vectors: the vertices now, strand after strand, each from the origin to the insertion.
        /// All strands have as many: `positions.count / strands`. Required.
        /// </summary>
        public WithySpan positions;
        /// <summary>
        /// Numbers, one a vertex: radii of the strands, in place of `radius` and in its range.
        /// Default: none.
        /// </summary>
        public WithySpan radii;
        /// <summary>
        /// The body that holds the first vertices of all strands, where they are now. A null handle
        /// (the default): nothing holds them.
        /// </summary>
        public WithyBody origin;
        /// <summary>
        /// The body that holds the last vertices. It is not the origin's. A null handle (the
        /// default): nothing holds them.
        /// </summary>
        public WithyBody insertion;
        /// <summary>
        /// Radius of the strands, [1e-7, 1e3] m. Required, unless `radii` is given.
        /// </summary>
        public double radius;
        /// <summary>
        /// Young's modulus, Pa, [1, 1e12]. Default: 6e4, a muscle at rest. Tendon: 1e9.
        /// </summary>
        public double young_modulus;
        /// <summary>
        /// Poisson's ratio, [0.001, 0.4999]. Default: 0.499, the volume stays within a percent.
        /// </summary>
        public double poisson_ratio;
        /// <summary>
        /// kg/m^3, [1e-3, 1e6]. Default: 1060.
        /// </summary>
        public double density;
        /// <summary>
        /// Rate at which motion within a strand dies, 1/s, [0, 1e9]. Default: 2.
        /// </summary>
        public double damping;
        /// <summary>
        /// Time in which the tissue forgets how fast it is deformed, s, [0, 1e3]. It slows down
        /// changes of shape. Default: 0.01.
        /// </summary>
        public double viscosity;
        /// <summary>
        /// Coulomb's coefficient, [0, 1e3]. Default: 0.5.
        /// </summary>
        public double friction;
        /// <summary>
        /// What holds the strands together, Pa: the force that draws a strand to its place in the
        /// bundle, for each metre of the strand and each metre that it is away. [1, 1e5] Pa. 0: the
        /// strands are not bound to each other, and those of a mesh collapse. Default: 3e4.
        /// </summary>
        public double bundle_stiffness;
        /// <summary>
        /// WITHY_MUSCLE_REST_SHAPE: length at full activation over that at rest, [0.2, 1]. Default:
        /// 0.7.
        /// </summary>
        public double shortest;
        /// <summary>
        /// Tendon at the origin and at the insertion, as part of the length of each strand, [0,
        /// 0.45]. It is never active. Default: 0, none.
        /// </summary>
        public double origin_tendon;
        public double insertion_tendon;
        /// <summary>
        /// Young's modulus of the tendons, Pa, at most 1e6 times that of the muscle. Default: 1e8.
        /// </summary>
        public double tendon_modulus;
        /// <summary>
        /// WITHY_MUSCLE_HILL: force of the whole muscle at full activation and optimal length, N,
        /// [0, 1e9]. 0 (the default): 3e5 Pa times the sections of all strands where they are
        /// thickest.
        /// </summary>
        public double peak_force;
        /// <summary>
        /// WITHY_MUSCLE_HILL: the length at which the fibres pull most, over that at rest, [0.1,
        /// 10]. Default: 1.
        /// </summary>
        public double optimal_ratio;
        /// <summary>
        /// WITHY_MUSCLE_HILL: the velocity at which shortening fibres no longer pull, optimal
        /// lengths a second, [0.1, 1000]. Default: 10.
        /// </summary>
        public double max_velocity;
        /// <summary>
        /// WITHY_MUSCLE_HILL: the angle between fibres and strand, rad, [0, 1.4]. Default: 0.
        /// </summary>
        public double pennation;
        /// <summary>
        /// How many strands there are, at least 1; at most 4096 with a `bundle_stiffness`. Default:
        /// 1.
        /// </summary>
        public uint strands;
        /// <summary>
        /// A WITHY_MUSCLE_ value. Default: WITHY_MUSCLE_REST_SHAPE.
        /// </summary>
        public MuscleMode mode;
        /// <summary>
        /// The layers it is in, as bits. Default: 1.
        /// </summary>
        public uint category;
        /// <summary>
        /// The layers it collides with. Default: all.
        /// </summary>
        public uint mask;

        /// <summary>With the defaults filled in.</summary>
        public static WithyMuscleDef Default()
        {
            var value = new WithyMuscleDef();
            Check.Ok(Native.withy_muscle_def_init_sized(&value, (uint)sizeof(WithyMuscleDef)));
            return value;
        }
    }

    /// <summary>
    /// Where a muscle begins or ends. Give its points, its vertices or a plane. Without any of them
    /// the end is found: it is the tip that is farthest from the other end along the muscle, with
    /// the tips of other heads.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyMuscleEnd
    {
        /// <summary>
        /// Vectors, host units: a point on the mesh or near it for each head, at most 64. What lies
        /// behind it, as seen from the other end, belongs to the end.
        /// </summary>
        public WithySpan points;
        /// <summary>
        /// u32: painted vertices of the mesh. Strands begin at the painted surface. The best choice
        /// for an end that is blunt.
        /// </summary>
        public WithySpan vertices;
        /// <summary>
        /// A point on a plane, host units: what lies behind the plane belongs to the end.
        /// </summary>
        public WithyVec3 plane_point;
        /// <summary>
        /// Points to what lies behind the plane. (0, 0, 0), the default: no plane.
        /// </summary>
        public WithyVec3 plane_normal;
    }

    /// <summary>
    /// How to turn the surface of a muscle into strands.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyMuscleMeshDef
    {
        public uint struct_size;
        public uint flags;
        public void* next;
        /// <summary>
        /// Vectors, host units: the vertices of the mesh, at most 2^22. Required.
        /// </summary>
        public WithySpan positions;
        /// <summary>
        /// Triples of u32, at most 2^22. Required.
        /// </summary>
        public WithySpan triangles;
        /// <summary>
        /// Where the strands begin. Default: found. If both ends are found, the one with more heads
        /// is the origin.
        /// </summary>
        public WithyMuscleEnd origin;
        /// <summary>
        /// Where the strands end. Default: found.
        /// </summary>
        public WithyMuscleEnd insertion;
        /// <summary>
        /// How many strands, 1 to 512. Default: 24.
        /// </summary>
        public uint strands;
        /// <summary>
        /// Vertices of a strand, 2 to 512. Default: 24.
        /// </summary>
        public uint slices;

        /// <summary>With the defaults filled in.</summary>
        public static WithyMuscleMeshDef Default()
        {
            var value = new WithyMuscleMeshDef();
            Check.Ok(Native.withy_muscle_mesh_def_init_sized(&value, (uint)sizeof(WithyMuscleMeshDef)));
            return value;
        }
    }

    /// <summary>
    /// A chain of bones of which only the first and the last have bodies, with one arc between
    /// them. All regions in an array must be filled by the same version of the init function.
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
        /// The number of the first body.
        /// </summary>
        public uint first;
        /// <summary>
        /// The number of the last body. Its bone is below that of the first. Bodies on bones
        /// between them are not made; their shapes and masses go to the nearer end.
        /// </summary>
        public uint last;
        /// <summary>
        /// Where the arc begins, in the first bone, host units. Default: its origin.
        /// </summary>
        public WithyVec3 anchor_a;
        /// <summary>
        /// Where the arc ends, in the last bone, host units. Default: its origin.
        /// </summary>
        public WithyVec3 anchor_b;
        /// <summary>
        /// The direction in the first bone about which `arc.bend[0]` counts. Default: x.
        /// </summary>
        public WithyVec3 axis;
        /// <summary>
        /// Stiffness of the arc. `rest` is not used. `length` 0: the length at the transition.
        /// </summary>
        public WithyArc arc;
        /// <summary>
        /// Limits of the bend about `axis` and across it, from straight, rad, as those of an arc
        /// joint. Default: none.
        /// </summary>
        public fixed double swing[2];
        /// <summary>
        /// Limits of the twist from the bind pose, rad, as those of an arc joint. Default: none.
        /// </summary>
        public fixed double twist[2];
        /// <summary>
        /// A WITHY_REGION_REST_ value. Default: WITHY_REGION_REST_POSE.
        /// </summary>
        public RegionRest rest;
        /// <summary>
        /// WITHY_REGION_ALONG_ARC (the default), WITHY_REGION_ORIENTATION or
        /// WITHY_REGION_ORIENTATION_AND_POSITION.
        /// </summary>
        public ReadBack read_back;
        /// <summary>
        /// 1: the two bodies may touch. 0 (the default): they do not collide.
        /// </summary>
        public uint collide;
        /// <summary>
        /// Must be 0.
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

    /// <summary>
    /// How to create a set of ragdolls.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRagdollDef
    {
        public uint struct_size;
        /// <summary>
        /// WITHY_RAGDOLL_NO_SELF_COLLISION, WITHY_RAGDOLL_ANIMATED_BONES, both, or 0 (the default).
        /// </summary>
        public RagdollFlags flags;
        public void* next;
        /// <summary>
        /// u32, one a bone: the number of its parent, anywhere in the array, or UINT32_MAX for a
        /// root. At most 65,536 bones.
        /// </summary>
        public WithySpan parents;
        /// <summary>
        /// Vectors, one a bone: the bind pose in the frame of the parent; of roots, in the world.
        /// Host units.
        /// </summary>
        public WithySpan positions;
        /// <summary>
        /// Quaternions, one a bone: the same.
        /// </summary>
        public WithySpan rotations;
        /// <summary>
        /// `body_count` bodies.
        /// </summary>
        public WithyRagdollBodyDef* bodies;
        /// <summary>
        /// `region_count` regions.
        /// </summary>
        public WithyRegionDef* regions;
        public uint body_count;
        public uint region_count;
        /// <summary>
        /// Pairs of u32: numbers of bodies that pass through each other. Those that a joint or an
        /// arc connects do so anyway. Default: none.
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
    /// How strongly motors pull the joints towards a target pose. Limits of joints hold all the
    /// same. Fill it with `withy_ragdoll_drive_init`. It has no size field; it never changes.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRagdollDrive
    {
        /// <summary>
        /// N m/rad with every convention, 0 or more. INFINITY: as stiff as the solver can make it.
        /// Default: 0.
        /// </summary>
        public double stiffness;
        /// <summary>
        /// N m s/rad, against spin other than the target's, 0 or more, or INFINITY. Default: 0.
        /// </summary>
        public double damping;
        /// <summary>
        /// Limit of the torque of a joint, N m, 0 or more. INFINITY (the default): no limit.
        /// </summary>
        public double max_torque;
        /// <summary>
        /// Numbers, [0, 1e9], one for each body of the def: factors of these three for the joint
        /// above it. Count 0 (the default): 1.
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
    /// How to create render hair: from the strands of a groom (`positions` and `counts`), or made
    /// between the guides (`per_guide`).
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRenderHairDef
    {
        public uint struct_size;
        /// <summary>
        /// Must be 0.
        /// </summary>
        public uint flags;
        public void* next;
        /// <summary>
        /// `rods_count` sets of rods, of the same world: all their strands are guides. Required.
        /// </summary>
        public WithyRods* rods;
        /// <summary>
        /// 1 to 4096.
        /// </summary>
        public uint rods_count;
        /// <summary>
        /// Strands to make for each guide, with their roots between the guides' roots, or on the
        /// scalp. The first of each guide is the guide itself. 0: none are made, `positions` has
        /// the strands.
        /// </summary>
        public uint per_guide;
        /// <summary>
        /// Vectors, strand after strand, host units: the groom as it goes with the rods where they
        /// are now. Required unless `per_guide` is given.
        /// </summary>
        public WithySpan positions;
        /// <summary>
        /// u32, vertices of each strand, 2 to 65536. Required unless `per_guide` is given.
        /// </summary>
        public WithySpan counts;
        /// <summary>
        /// Widths, host units: one a vertex, or one a strand, or one. Default: `width`.
        /// </summary>
        public WithySpan widths;
        /// <summary>
        /// Three of u32 a strand, for weights that the host made: its guides, counted through all
        /// strands of all rods in their order. Goes with `weights`. Default: none, the guides whose
        /// roots surround the strand's root are taken.
        /// </summary>
        public WithySpan guides;
        /// <summary>
        /// Three numbers a strand, at least 0. They need not add up to 1, but to 1e-12 at least.
        /// </summary>
        public WithySpan weights;
        /// <summary>
        /// Vectors, host units: a mesh on which the roots of made strands lie. Default: none.
        /// </summary>
        public WithySpan scalp_positions;
        /// <summary>
        /// Triples of u32. Default: none, roots lie between the guides' roots.
        /// </summary>
        public WithySpan scalp_triangles;
        /// <summary>
        /// Of made strands: another number makes other ones.
        /// </summary>
        public ulong seed;
        /// <summary>
        /// Vertices of each made strand, 2 to 65536. 0: as many as its guide has.
        /// </summary>
        public uint vertices;
        /// <summary>
        /// Must be 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// How far made strands gather at the tip of their guide, [0, 1]. Default: 0.3.
        /// </summary>
        public double clump;
        /// <summary>
        /// Made strands are shorter than the guides by up to this share, [0, 0.9]. Default: 0.1.
        /// </summary>
        public double shorten;
        /// <summary>
        /// Width of all strands where `widths` has none, host units. 0: 7e-5 m.
        /// </summary>
        public double width;
        /// <summary>
        /// Where hair is parted, rad, (0, pi]: a strand does not follow guides whose first quarter
        /// points elsewhere by more than this angle, or whose tip lies elsewhere, seen from the
        /// root, by more than this angle would take it. Default: pi / 3.
        /// </summary>
        public double parting;

        /// <summary>With the defaults filled in.</summary>
        public static WithyRenderHairDef Default()
        {
            var value = new WithyRenderHairDef();
            Check.Ok(Native.withy_render_hair_def_init_sized(&value, (uint)sizeof(WithyRenderHairDef)));
            return value;
        }
    }

    /// <summary>
    /// How to create a set of rods. Lengths, positions and velocities are in host units; moduli,
    /// density and rates are in SI units with every convention. `positions`, `counts` and a radius
    /// are required.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithyRodsDef
    {
        public uint struct_size;
        /// <summary>
        /// WITHY_RODS_ flags, or 0 (the default).
        /// </summary>
        public RodsFlags flags;
        public void* next;
        /// <summary>
        /// Vectors, one a vertex: the start pose. Required.
        /// </summary>
        public WithySpan positions;
        /// <summary>
        /// u32, one a strand: its vertices, 2 to 2^24. Their sum is `positions.count`, at most
        /// 2^31. Required.
        /// </summary>
        public WithySpan counts;
        /// <summary>
        /// Vectors, one a vertex: the shape at rest, where it differs from the start. Default:
        /// none.
        /// </summary>
        public WithySpan rest_positions;
        /// <summary>
        /// Vectors, one a vertex: the velocities at the start. Default: none, at rest.
        /// </summary>
        public WithySpan velocities;
        /// <summary>
        /// Numbers, one a vertex: section radii, in place of `radius` and in its range. Default:
        /// none.
        /// </summary>
        public WithySpan radii;
        /// <summary>
        /// Vectors: the direction of d1, one for each edge, or one for each strand at its root. For
        /// sections that are not round, and for frames that you want to read. Default: none.
        /// </summary>
        public WithySpan section_axes;
        /// <summary>
        /// Numbers, one a vertex, [1e-6, 1e6]: factors of the stiffness. Default: none, 1.
        /// </summary>
        public WithySpan stiffness_scale;
        /// <summary>
        /// Numbers, one an edge, [1e-9, 1e9] m. Required with WITHY_REST_EXPLICIT, and only allowed
        /// there.
        /// </summary>
        public WithySpan rest_lengths;
        /// <summary>
        /// Vectors, one an element: curvatures and twist at rest, as `withy_rods_read_darboux`
        /// (withy_expert.h) gives them. Required with WITHY_REST_EXPLICIT, and only allowed there.
        /// </summary>
        public WithySpan rest_darboux;
        /// <summary>
        /// Radius of the section, [1e-7, 1e3] m. Of an elliptic section: the semi-axis along d1.
        /// Required, unless `radii` is given.
        /// </summary>
        public double radius;
        /// <summary>
        /// Semi-axis of the section along d2 over that along d1, [1e-3, 1e3]. Default: 1, a round
        /// section.
        /// </summary>
        public double aspect;
        /// <summary>
        /// Young's modulus, Pa, [1e-3, 1e15]: resistance to bending and stretching. Default: 1e7,
        /// rubber. Hair: 4e9. Wood: 1e10. Steel: 2e11.
        /// </summary>
        public double young_modulus;
        /// <summary>
        /// Shear modulus, Pa, [1e-3, 1e15]: resistance to twist; usually 0.4 times Young's modulus.
        /// Default: 4e6.
        /// </summary>
        public double shear_modulus;
        /// <summary>
        /// For WITHY_STIFFNESS_ALPHA, 0 to 1: bending about d1 and about d2, twist about d3, and
        /// stretching. Default: 1.
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
        /// WITHY_MODEL_GHOST: distance of a ghost point from its edge. 0 (the default): the mean
        /// length of the strand's edges.
        /// </summary>
        public double ghost_distance;
        /// <summary>
        /// WITHY_MODEL_GHOST: part of an edge's mass that its ghost point has, [1e-6, 0.9].
        /// Default: 0.2.
        /// </summary>
        public double ghost_mass_ratio;
        /// <summary>
        /// Rate at which motion within a strand dies, 1/s, [0, 1e9]. A strand that flies keeps its
        /// momentum and its spin. Default: 0. Hair: 4.
        /// </summary>
        public double damping;
        /// <summary>
        /// Air drag: the rate at which velocities approach `wind`, 1/s, [0, 1e9]. A rod that falls
        /// approaches gravity / drag. Default: 0. Hair: 3.
        /// </summary>
        public double drag;
        /// <summary>
        /// Velocity of the air, host units/s. Default: 0.
        /// </summary>
        public WithyVec3 wind;
        /// <summary>
        /// Coulomb's coefficient, [0, 1e3]. A contact has the geometric mean of both sides.
        /// Default: 0.5.
        /// </summary>
        public double friction;
        /// <summary>
        /// Distance from the centreline at which contact begins, up to 1e3 m. 0 (the default): the
        /// section radius.
        /// </summary>
        public double collision_radius;
        /// <summary>
        /// Speed limit of a vertex, [1e-3, 1e9] m/s; faster ones are slowed down to it. It stops a
        /// scene from exploding. 0 (the default): 1000 m/s.
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
        /// A WITHY_ORDER_ value: how strands are solved. Default: WITHY_ORDER_AUTO.
        /// </summary>
        public Order order;
        /// <summary>
        /// A WITHY_SUPPORT_ value: what holds the first vertex of each strand. Default:
        /// WITHY_SUPPORT_FREE. If a collider or a mesh covers the start of a strand whose root is
        /// held when the first step begins, the vertices up to the first one outside never meet a
        /// collider. (Rigid bodies do not cover.)
        /// </summary>
        public Support root;
        /// <summary>
        /// The same for the last vertex, which nothing covers.
        /// </summary>
        public Support tip;
        /// <summary>
        /// Iterations in each substep, at most 10,000. 0 (the default): one if the rods are solved
        /// directly (WITHY_ORDER_DIRECT, WITHY_MODEL_DER), which is enough for most scenes; the
        /// number of the world (`WithyWorldDef.iterations`) if they are swept. Swept rods that
        /// stretch, or bend too easily, need more.
        ///
        /// Rods that attachments tie to each other or to bodies are solved together, with the
        /// largest number that any of them asks for; there 0 means the number of the world.
        /// </summary>
        public uint iterations;
        /// <summary>
        /// The layers that these rods are in, as bits. Default: 1.
        /// </summary>
        public uint category;
        /// <summary>
        /// The layers that they collide with. Two objects meet if each has a bit of the other's
        /// category in its mask. Default: all.
        /// </summary>
        public uint mask;
        /// <summary>
        /// A WITHY_MODEL_ value. Default: WITHY_MODEL_GHOST.
        /// </summary>
        public Model model;
        /// <summary>
        /// A WITHY_INTEGRATOR_ value: how much of a motion the steps themselves take away. Default:
        /// WITHY_INTEGRATOR_AUTO.
        /// </summary>
        public Integrator integrator;
        /// <summary>
        /// Young's modulus for stretching alone, Pa, [1e-3, 1e15]: for what bends easily and hardly
        /// stretches, such as rope. 0 (the default): `young_modulus`.
        /// </summary>
        public double stretch_modulus;
        /// <summary>
        /// Internal friction, s, [0, 1e3]: the viscosity over the stiffness (Kelvin-Voigt). Slows
        /// down changes of shape, not the motion of a whole strand, and leaves the shape at rest
        /// alone. For rods that are solved directly. Default: 0.
        /// </summary>
        public double viscosity;
        /// <summary>
        /// Poisson's ratio, [0.001, 0.4999]: the rod keeps its volume as a solid does, thinner
        /// where it is stretched and thicker where it is shortened; 0.45 for flesh and rubber.
        /// Colliders, bodies and other rods meet the radius that it has then. What presses it from
        /// the side, a collider or another swept rod, makes it thinner and longer if it is swept
        /// (WITHY_ORDER_ALTERNATING). A rod that is solved directly is pressed so by colliders, on
        /// the CPU. For round rods. 0 (the default): radii stay.
        /// </summary>
        public double poisson_ratio;

        /// <summary>With the defaults filled in.</summary>
        public static WithyRodsDef Default()
        {
            var value = new WithyRodsDef();
            Check.Ok(Native.withy_rods_def_init_sized(&value, (uint)sizeof(WithyRodsDef)));
            return value;
        }
    }

    /// <summary>
    /// How to create a skin.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe partial struct WithySkinDef
    {
        public uint struct_size;
        /// <summary>
        /// Must be 0.
        /// </summary>
        public uint flags;
        public void* next;
        /// <summary>
        /// Vectors, one a vertex, host units: the mesh around the rods as they are now. Required.
        /// </summary>
        public WithySpan positions;
        /// <summary>
        /// Triples of u32. Vertices at the same place get the same weights, as at the seams of a
        /// texture. Default: none.
        /// </summary>
        public WithySpan triangles;
        /// <summary>
        /// Vectors, one a vertex, of any length. Default: those of the triangles, which run
        /// counterclockwise seen from outside (clockwise in Unity).
        /// </summary>
        public WithySpan normals;
        /// <summary>
        /// Vectors, one a vertex, of any length. Default: none, the skin has no tangents.
        /// </summary>
        public WithySpan tangents;
        /// <summary>
        /// `rods_count` sets of rods, of the same world. Required.
        /// </summary>
        public WithyRods* rods;
        /// <summary>
        /// 1 to 4096. All have 65536 edges at most.
        /// </summary>
        public uint rods_count;
        /// <summary>
        /// Must be 0.
        /// </summary>
        public uint reserved;
        /// <summary>
        /// Four of u32 a vertex, for weights that the host made: the edges it holds on to, counted
        /// through all strands of all rods in their order. Goes with `weights`. Default: none,
        /// weights are made from the distances to the edges and their radii.
        /// </summary>
        public WithySpan edges;
        /// <summary>
        /// Four numbers a vertex, at least 0. They need not add up to 1, but to 1e-12 at least.
        /// </summary>
        public WithySpan weights;
        /// <summary>
        /// How far the weight of an edge is felt outside of its radius, in mean radii of the rods,
        /// (0, 100]. Default: 0.25.
        /// </summary>
        public double softness;
        /// <summary>
        /// How far weights are smoothed over the mesh, in mean radii of the rods, [0, 100].
        /// Default: 0.5.
        /// </summary>
        public double fairing;

        /// <summary>With the defaults filled in.</summary>
        public static WithySkinDef Default()
        {
            var value = new WithySkinDef();
            Check.Ok(Native.withy_skin_def_init_sized(&value, (uint)sizeof(WithySkinDef)));
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
        /// As a count, next to an array that is NULL: all objects. (NULL with a count of 0 is an
        /// empty array.)
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
        /// Tells what is in an asset, and whether it is whole. Enters no world.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_asset_read(void* data, ulong size, WithyAssetChunk* chunks, ulong* count);

        /// <summary>
        /// Writes an asset with these chunks into `data`. The same chunks give the same bytes on
        /// all machines. Enters no world.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_asset_write(WithyAssetChunk* chunks, ulong count, void* data, ulong* size);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro
        /// `withy_triangle_attachment_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_triangle_attachment_def_init_sized(WithyTriangleAttachmentDef* def, uint size);

        /// <summary>
        /// Writes. Ties the end of a strand to a point of a triangle. If the end is elsewhere the
        /// next steps pull it there.
        ///
        /// A mesh vertex of inverse mass 0 does not give. Others need at least a fiftieth of the
        /// strand's mass to carry it. Stiff strands that are clamped to an elastic mesh may gain
        /// energy.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_attachment_create_triangle(WithyTriangleAttachmentDef* def, WithyAttachment* attachment);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_body_attachment_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_attachment_def_init_sized(WithyBodyAttachmentDef* def, uint size);

        /// <summary>
        /// Writes. Ties the end of a strand to a body, at the point where the end is now. Static
        /// and kinematic bodies do not give. The body falls asleep together with all that hangs on
        /// it, and the attachment is destroyed with it.
        ///
        /// Tie it at the surface, or where the layers of rods and body do not meet: a strand that
        /// runs inside a body which it touches is pressed out of it, and pulls many times as hard.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_attachment_create_body(WithyBodyAttachmentDef* def, WithyAttachment* attachment);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_junction_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_junction_def_init_sized(WithyJunctionDef* def, uint size);

        /// <summary>
        /// Writes. Joins ends of strands rigidly to each other, for trees, nets and loops. The ends
        /// are moved to the mean of their positions. The angles between them stay as they are now.
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
        /// Writes. Adds a body to a world. Everything in `def` is copied.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_create(WithyWorld world, WithyBodyDef* def, WithyBody* body);

        /// <summary>
        /// Writes. Removes a body, its joints and the attachments to it. What lay on it wakes.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_destroy(WithyBody body);

        /// <summary>
        /// Writes. Puts a body somewhere else at once. Its velocity stays, and what touched it
        /// wakes.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_set_pose(WithyBody body, WithyPose* pose);

        /// <summary>
        /// Reads. The pose of its frame.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_get_pose(WithyBody body, WithyPose* pose);

        /// <summary>
        /// Writes. Sets the motion of a dynamic body, and wakes it.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_set_velocity(WithyBody body, WithyVec3* velocity, WithyVec3* spin);

        /// <summary>
        /// Reads. The motion of a body. That of a kinematic body is the motion of the last step.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_get_velocity(WithyBody body, WithyVec3* velocity, WithyVec3* spin);

        /// <summary>
        /// Writes. Says where a kinematic body is at the end of the next step. It moves there
        /// during the step, pushes and drags what it touches, and stays there afterwards. It turns
        /// the shortest way: take shorter steps for turns of more than a radian.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_set_target(WithyBody body, WithyPose* pose);

        /// <summary>
        /// Writes. Changes who moves a body that was created as WITHY_BODY_DYNAMIC. So a body can
        /// follow an animation until something hits it. When it becomes dynamic it keeps its
        /// velocity.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_set_motion(WithyBody body, Motion motion);

        /// <summary>
        /// Writes. Applies a force and a torque to a dynamic body during the next step, and wakes
        /// it. Several calls add up.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_push(WithyBody body, WithyVec3* force, WithyVec3* torque, WithyVec3* point);

        /// <summary>
        /// Writes. Wakes a dynamic body, or puts it to sleep until something that it touches moves.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_set_sleeping(WithyBody body, uint sleeping);

        /// <summary>
        /// Reads. Mass and inertia of a body; all 0 if it is not dynamic.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_body_get_mass(WithyBody body, double* mass, WithyVec3* center_of_mass, double* inertia);

        /// <summary>
        /// Reads. All bodies of a world: in the order of their creation, but a new body takes the
        /// place of a destroyed one.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_list_bodies(WithyWorld world, WithyBody* bodies, ulong* count);

        /// <summary>
        /// Reads. Poses and motion of many bodies. A span that is NULL is not wanted; with NULL
        /// data its count is set.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_read_bodies(WithyWorld world, WithyBody* bodies, ulong count, WithySpan* positions, WithySpan* rotations, WithySpan* velocities, WithySpan* spins, WithySpan* sleeping);

        /// <summary>
        /// Writes. Sets poses and motion of many bodies, as `withy_body_set_pose` and
        /// `withy_body_set_velocity`. A span that is NULL changes nothing; the others have one
        /// element for each body.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_write_bodies(WithyWorld world, WithyBody* bodies, ulong count, WithySpan* positions, WithySpan* rotations, WithySpan* velocities, WithySpan* spins);

        /// <summary>
        /// Writes. Sets targets of many kinematic bodies, as `withy_body_set_target`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_set_body_targets(WithyWorld world, WithyBody* bodies, ulong count, WithySpan* positions, WithySpan* rotations);

        /// <summary>
        /// Writes. Applies forces at the centres of mass, and torques, to many dynamic bodies, as
        /// `withy_body_push`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_push_bodies(WithyWorld world, WithyBody* bodies, ulong count, WithySpan* forces, WithySpan* torques);

        /// <summary>
        /// Reads. The contacts of bodies with bodies and colliders in the last step.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_read_contacts(WithyWorld world, WithyContact* contacts, ulong* count);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_cable_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_cable_def_init_sized(WithyCableDef* def, uint size);

        /// <summary>
        /// Writes. Adds a cable to a world. Everything in `def` is copied.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_cable_create(WithyWorld world, WithyCableDef* def, WithyCable* cable);

        /// <summary>
        /// Writes. Removes a cable.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_cable_destroy(WithyCable cable);

        /// <summary>
        /// Writes. Says how long the cable is at the end of the next step. During the step it is
        /// hauled in, or paid out, at an even speed. A winch calls this in every frame.
        ///
        /// It has no stop: a load that is hauled past its wheel whirls round it. Keep `length`
        /// above the way up to that wheel.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_cable_set_length(WithyCable cable, double length);

        /// <summary>
        /// Reads. Length, tension, and whether it has broken.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_cable_get_state(WithyCable cable, WithyCableState* state);

        /// <summary>
        /// Reads. The way of the cable, to draw it: one point for each of its points, and 17 on the
        /// rim of each wheel. Their number does not change.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_cable_read_points(WithyCable cable, WithySpan* @out);

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
        /// Writes. Says where the collider is at the end of the next step. It moves there during
        /// the step, drags along by friction what touches it, and stays there afterwards.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_collider_set_pose(WithyCollider collider, WithyPose* pose, uint teleport);

        /// <summary>
        /// Reads. The pose that was set last.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_collider_get_pose(WithyCollider collider, WithyPose* pose);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_context_def_init(&amp;def)`; it
        /// passes the size of the struct that your program was compiled with. All _init macros
        /// below do the same.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_context_def_init_sized(WithyContextDef* def, uint size);

        /// <summary>
        /// Creates a context and, if `def` asks for them, its threads.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_context_create(WithyContextDef* def, WithyContext* context);

        /// <summary>
        /// Destroys a context, its worlds and everything in them, and ends its threads.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_context_destroy(WithyContext context);

        /// <summary>
        /// Destroys all contexts of the process, as a host does before it unloads the library or
        /// forgets its handles.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_context_destroy_all();

        /// <summary>
        /// Copies the programs that a GPU's driver has compiled for the worlds of a context, for
        /// `withy_context_load_gpu_cache` in a later run: compiling them can take seconds. Call it
        /// after a world with WITHY_BACKEND_GPU has got its rods.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_context_save_gpu_cache(WithyContext context, void* data, ulong* size);

        /// <summary>
        /// Gives a context what `withy_context_save_gpu_cache` returned, for the worlds that are
        /// created afterwards. It is no error if the bytes are damaged, or of another GPU, driver
        /// or version of withy: then everything is compiled as without them. Drivers trust such
        /// bytes as they trust a program: load only files that your own program has saved.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_context_load_gpu_cache(WithyContext context, void* data, ulong size);

        /// <summary>
        /// Writes. Cuts an edge, or makes it whole again, which pulls its ends together.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_cut(WithyRods rods, uint edge, uint cut);

        /// <summary>
        /// Writes. Sets the tensions at which edges break. After a step, of each part of a strand
        /// the edge that was pulled hardest, over what it bears, is cut if that was too much.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_break_force(WithyRods rods, WithySpan* break_force);

        /// <summary>
        /// Reads. The edges that are cut, or have broken, in ascending order.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_cuts(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. What the last step did. Use the macro `withy_world_read_stats(world,
        /// &amp;stats)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_read_stats_sized(WithyWorld world, WithyStepStats* stats, uint size);

        /// <summary>
        /// Reads. The memory that the world takes on CPU and GPU together, in bytes.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_memory(WithyWorld world, ulong* bytes);

        /// <summary>
        /// Reads. A hash of the whole state. After the same calls it is the same on every operating
        /// system, instruction set and number of threads: for lockstep networking and for tests.
        /// (Worlds on the GPU: only on the same GPU.)
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_state_hash(WithyWorld world, ulong* hash);

        /// <summary>
        /// Reads. Lines that show the world: centrelines of rods (orange where strained by more
        /// than 1 %), their axes d1 (red) and d2 (green), sections of bundles (brown, from their
        /// middle to the strands), meshes and colliders; shapes of bodies (green, grey asleep),
        /// frames of joints (d1, d2, d3 in red, green, blue), limits, arcs, and contacts with their
        /// normals.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_debug_lines(WithyWorld world, WithyDebugLine* lines, ulong* count);

        /// <summary>
        /// Tells whether this machine has an instruction set.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern uint withy_isa_available(Isa isa);

        /// <summary>
        /// Reads. The instruction set in use, a WITHY_ISA_ value.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_isa(WithyWorld world, uint* isa);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_joint_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_def_init_sized(WithyJointDef* def, uint size);

        /// <summary>
        /// Fills `motor` with one that drives nothing. The struct has no size field; it never
        /// changes.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_motor_init(WithyMotor* motor);

        /// <summary>
        /// Writes. Adds a joint to the world of its bodies. If the frames do not stand as the joint
        /// holds them, the next steps pull them there. The joint is removed with either body.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_create(WithyJointDef* def, WithyJoint* joint);

        /// <summary>
        /// Writes. Removes a joint.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_destroy(WithyJoint joint);

        /// <summary>
        /// Writes. Makes a joint what `def` says: kind, frames, limits, stiffness, motor and
        /// strength. The bodies must stay the same. Nothing jerks: forces in what the joint held
        /// before and still holds go on.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_change(WithyJoint joint, WithyJointDef* def);

        /// <summary>
        /// Writes. Changes the limits of a ball, an arc or a hinge.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_set_limits(WithyJoint joint, double* swing, double* twist);

        /// <summary>
        /// Writes. Gives a joint a motor, or changes or removes the one that it has.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_set_motor(WithyJoint joint, WithyMotor* motor);

        /// <summary>
        /// Writes. Switches a joint on or off. One that is off holds nothing, and its bodies may
        /// touch.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_set_enabled(WithyJoint joint, uint enabled);

        /// <summary>
        /// Reads. Whether a joint is on: 1 or 0. One that broke is off.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_get_enabled(WithyJoint joint, uint* enabled);

        /// <summary>
        /// Reads. What a joint did to its body b in the last step, its motor and limits included:
        /// the mean over the step. Body a got the opposite. Asleep, a joint tells what it held
        /// last; off, 0.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_get_force(WithyJoint joint, WithyVec3* force, WithyVec3* torque);

        /// <summary>
        /// Reads. How frame b of a joint of any kind is turned against frame a, as limits count it:
        /// how far a door is open is the twist of its hinge.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_get_angles(WithyJoint joint, double* swing, double* twist);

        /// <summary>
        /// Reads. How far the frames are from where the joint holds them.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_get_error(WithyJoint joint, double* distance, double* angle);

        /// <summary>
        /// Reads. The length of an arc, host units, also if the library chose it. 0 for other
        /// kinds.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_joint_get_length(WithyJoint joint, double* length);

        /// <summary>
        /// Writes. Sets motors of many joints, as `withy_joint_set_motor`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_set_motors(WithyWorld world, WithyJoint* joints, ulong count, WithyMotor* motors);

        /// <summary>
        /// Reads. Errors of many joints, as `withy_joint_get_error`. A joint that is far off has to
        /// hold more than it can. For the force itself see `withy_world_read_joint_forces`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_read_joint_errors(WithyWorld world, WithyJoint* joints, ulong count, WithySpan* distances, WithySpan* angles);

        /// <summary>
        /// Reads. Forces of many joints, as `withy_joint_get_force`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_read_joint_forces(WithyWorld world, WithyJoint* joints, ulong count, WithySpan* forces, WithySpan* torques);

        /// <summary>
        /// Reads. The joints that broke in the last step.
        ///
        /// Joints that have been destroyed since are left out.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_read_broken_joints(WithyWorld world, WithyBrokenJoint* broken, ulong* count);

        /// <summary>
        /// The version of the library that is running: major * 2^22 + minor * 2^12 + patch, as
        /// WITHY_VERSION.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern uint withy_version();

        /// <summary>
        /// Tells whether a program compiled with the header of `header_version` can use this
        /// library. Pass WITHY_VERSION. The major versions must be equal; before 1.0 the minor
        /// versions, too.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_check_version(uint header_version);

        /// <summary>
        /// Why the last failed call of this thread failed: the function, the field, the index and
        /// the value. Never NULL. Empty before the first failure. The text is valid until the next
        /// failure on this thread; calls that succeed do not change it.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern byte* withy_last_error();

        /// <summary>
        /// The name of a result as text: "WITHY_ERROR_BUSY" for WITHY_ERROR_BUSY, "unknown" for any
        /// other number. The string is constant.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern byte* withy_result_name(Result result);

        /// <summary>
        /// Fills `def` for hair. Use the macro `withy_hair_def_init(context, &amp;def)`.
        ///
        /// A strand stands for a lock of a few hairs: Young's modulus 4e9 Pa, shear modulus 1.5e9
        /// Pa, density 1300 kg/m^3, radius 0.1 mm. Roots are clamped. Damping is 4/s, drag 3/s.
        /// Flags are WITHY_RODS_SAG_FREE, so set the gravity of the world before you create the
        /// rods, and WITHY_RODS_ONE_WAY.
        ///
        /// For single hairs set the radius to 0.03 to 0.05 mm; for thick, styled locks to 0.2 to 1
        /// mm.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_hair_def_init_sized(WithyContext context, WithyRodsDef* def, uint size);

        /// <summary>
        /// Fills `def` for rope. Use the macro `withy_rope_def_init(context, &amp;def)`.
        ///
        /// The rope is 10 mm thick, weighs 79 g a metre, and has friction 0.6. It bends as a
        /// climbing rope does (Young's modulus 1e7 Pa) and hardly stretches (`stretch_modulus` 1e9
        /// Pa: by 1 % under 80 kg). Damping is 2/s, drag 0.2/s. At rest it is straight, whatever
        /// its start pose. It is solved directly, so that it does not stretch on pins and
        /// attachments. Both ends are free.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rope_def_init_sized(WithyContext context, WithyRodsDef* def, uint size);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_mesh_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_mesh_def_init_sized(WithyMeshDef* def, uint size);

        /// <summary>
        /// Writes. Adds a mesh to a world. Everything in `def` is copied.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_mesh_create(WithyWorld world, WithyMeshDef* def, WithyMesh* mesh);

        /// <summary>
        /// Writes. Removes a mesh, and the attachments to it.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_mesh_destroy(WithyMesh mesh);

        /// <summary>
        /// Writes. Says where the vertices are at the end of the next step. They move there during
        /// the step. Of an elastic mesh only vertices of inverse mass 0 move, unless they are
        /// teleported. The corrections start again from 0.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_mesh_set_positions(WithyMesh mesh, WithySpan* positions, uint teleport);

        /// <summary>
        /// Reads. The positions.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_mesh_read_positions(WithyMesh mesh, WithySpan* @out);

        /// <summary>
        /// Reads. How far the strands have pulled each vertex since `withy_mesh_set_positions`. A
        /// host that simulates the mesh itself adds this to its own positions.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_mesh_read_corrections(WithyMesh mesh, WithySpan* @out);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_muscle_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_muscle_def_init_sized(WithyMuscleDef* def, uint size);

        /// <summary>
        /// Writes. Adds a muscle to a world. Everything in `def` is copied. It has its rest shape
        /// now, so it pulls at nothing when it starts, and gravity bends it between its ends. With
        /// WITHY_RODS_SAG_FREE it holds its pose against gravity, too.
        ///
        /// It collides with the bodies that hold its ends as with all others. Let it begin and end
        /// at their surface, or where the layers of muscle and body do not meet: what runs inside a
        /// body which it touches is pressed out of it, and pulls many times as hard.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_muscle_create(WithyWorld world, WithyMuscleDef* def, WithyRods* rods);

        /// <summary>
        /// Writes. Sets how active the whole muscle is, from the next step on, until it is set
        /// again. It is part of the state that is saved and restored.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_muscle_set_activation(WithyRods rods, double activation);

        /// <summary>
        /// Writes. Sets how active each edge is: a wave can run along a tentacle, or half of a
        /// muscle pull.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_muscle_write_activations(WithyRods rods, WithySpan* activations);

        /// <summary>
        /// Reads. How active each edge is; 0 of rods that are no muscle.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_muscle_read_activations(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Length, velocity, force and volume of the whole muscle.
        /// `withy_rods_read_tension`, `withy_rods_read_radii` and `withy_rods_read_volumes` tell
        /// more.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_muscle_get_state(WithyRods rods, WithyMuscleState* state);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_muscle_mesh_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_muscle_mesh_def_init_sized(WithyMuscleMeshDef* def, uint size);

        /// <summary>
        /// Turns the surface of a muscle into strands. Enters no world; it runs on the threads of
        /// the context and takes about a second for 24 strands of 24 vertices, and more than a
        /// minute for 512. The same mesh gives the same strands with any number of threads. A mesh
        /// that has moved gives the same strands moved, within a tenth of a radius.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_muscle_fit_mesh(WithyContext context, WithyMuscleMeshDef* def, WithySpan* points, WithySpan* radii, WithyMuscleFit* fit);

        /// <summary>
        /// Fills `drive` with one that drives nothing.
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
        /// Writes. Adds a set of ragdolls to a world. Everything in `def` is copied. No instance
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
        /// Writes. The transition from animation to physics: gives instances bodies in the poses of
        /// their bones. Instances that have bodies are put into the new pose. Joints and arcs are
        /// fitted to the pose; they keep their handles.
        ///
        /// The velocities follow from the two poses and the time between them.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_instantiate(WithyRagdolls ragdolls, uint* which, ulong count, WithySpan* positions, WithySpan* rotations, WithySpan* positions_before, WithySpan* rotations_before, double dt, TransitionFlags flags);

        /// <summary>
        /// Writes. The same with given velocities.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_instantiate_moving(WithyRagdolls ragdolls, uint* which, ulong count, WithySpan* positions, WithySpan* rotations, WithySpan* velocities, WithySpan* spins, TransitionFlags flags);

        /// <summary>
        /// Writes. Takes the bodies and joints of instances out of the world. Instances that have
        /// none are left alone.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_remove(WithyRagdolls ragdolls, uint* which, ulong count);

        /// <summary>
        /// Writes. Says where the animation wants the bones at the end of the next step. Motors
        /// drive all joints and arcs there, and kinematic bodies move there. It holds until the
        /// next call.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_set_targets(WithyRagdolls ragdolls, uint* which, ulong count, WithySpan* positions, WithySpan* rotations, WithySpan* positions_before, WithySpan* rotations_before, double dt, WithyRagdollDrive* drive);

        /// <summary>
        /// Writes. Gives joints the motors of the def again, which for most joints is none.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_clear_targets(WithyRagdolls ragdolls, uint* which, ulong count);

        /// <summary>
        /// Writes. Says who moves a body: the animation, by `withy_ragdolls_set_targets`, or the
        /// simulation. A body that becomes kinematic stays where it is until a target comes. One
        /// that is let go keeps the velocity of its last target.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_set_kinematic(WithyRagdolls ragdolls, uint* which, ulong count, uint body, uint kinematic);

        /// <summary>
        /// Writes. Moves all bodies of instances at once, with their velocities, by rigid
        /// transforms: x becomes rotation * x + position.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_teleport(WithyRagdolls ragdolls, uint* which, ulong count, WithySpan* positions, WithySpan* rotations);

        /// <summary>
        /// Writes. Fades instances between simulation and animation. The weight is 1 after the
        /// transition (all simulated) and goes to `weight` at a constant rate.
        /// `withy_ragdolls_advance` moves it.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_fade(WithyRagdolls ragdolls, uint* which, ulong count, double weight, double seconds);

        /// <summary>
        /// Writes. Lets `dt` seconds pass for the fading. Call it after each step.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_advance(WithyRagdolls ragdolls, double dt);

        /// <summary>
        /// Reads. The weight of an instance, 0 to 1.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_get_weight(WithyRagdolls ragdolls, uint instance, double* weight);

        /// <summary>
        /// Writes (it uses memory of the set). Gives the poses of all bones in the world:
        /// simulated, or blended with the animation.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_read(WithyRagdolls ragdolls, uint* which, ulong count, WithySpan* animated_positions, WithySpan* animated_rotations, WithySpan* weights, WithySpan* positions, WithySpan* rotations);

        /// <summary>
        /// Reads. The sizes of a set.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_get_counts(WithyRagdolls ragdolls, uint* instances, uint* bones, uint* bodies, uint* joints);

        /// <summary>
        /// Reads. The numbers of the instances that have bodies, in order. These are the ones that
        /// WITHY_ALL means.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_list(WithyRagdolls ragdolls, uint* which, ulong* count);

        /// <summary>
        /// Reads. The body in the world for a body of the def. The handle is null, without an
        /// error, if the instance has no bodies now, or if the body is inside a region. The set
        /// owns it: `withy_body_destroy` refuses it.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_get_body(WithyRagdolls ragdolls, uint instance, uint body, WithyBody* handle);

        /// <summary>
        /// Reads. The joint or arc above a body of the def. The handle is null, without an error,
        /// if there is none now. You may destroy it, and the limb comes off; it comes back at the
        /// next transition.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_ragdolls_get_joint(WithyRagdolls ragdolls, uint instance, uint body, WithyJoint* handle);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_render_hair_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_render_hair_def_init_sized(WithyRenderHairDef* def, uint size);

        /// <summary>
        /// Fills `def` with the defaults: all of the hair. Use the macro
        /// `withy_render_hair_lod_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_render_hair_lod_def_init_sized(WithyRenderHairLodDef* def, uint size);

        /// <summary>
        /// Writes. Binds render hair to rods as they are now, and adds it to a world. Everything in
        /// `def` is copied.
        ///
        /// A strand follows the three guides whose roots surround its root, with barycentric
        /// weights; where no three do, the up to three nearest, by their distances.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_render_hair_create(WithyWorld world, WithyRenderHairDef* def, WithyRenderHair* hair);

        /// <summary>
        /// Writes. Adds saved render hair to a world. The rods may be anywhere, but must have the
        /// strands that the hair was bound to.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_render_hair_load(WithyWorld world, WithyRods* rods, uint rods_count, void* data, ulong size, WithyRenderHair* hair);

        /// <summary>
        /// Writes. Removes render hair.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_render_hair_destroy(WithyRenderHair hair);

        /// <summary>
        /// Reads. Writes the hair with its weights into `data`, for `withy_render_hair_load`. The
        /// bytes are the same on all machines. Roots that `withy_render_hair_set_roots` gave are
        /// not in them.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_render_hair_save(WithyRenderHair hair, void* data, ulong* size);

        /// <summary>
        /// Writes. Says where the roots are, for a scalp that is not rigid: each strand then begins
        /// exactly there, turned as its root is, and comes to follow its guides towards the tip.
        /// Without it the guides take the roots along. The roots stay until they are given again,
        /// and are not part of a saved state.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_render_hair_set_roots(WithyRenderHair hair, WithySpan* positions, WithySpan* rotations);

        /// <summary>
        /// Reads. Which strands a level of detail reads, how many vertices of each, and their
        /// widths: all that does not change from step to step.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_render_hair_read_layout(WithyRenderHair hair, WithyRenderHairLodDef* lod, WithySpan* strands, WithySpan* counts, WithySpan* widths);

        /// <summary>
        /// Reads. Where the rods take the hair now, strand after strand. The call runs on the
        /// context's threads. It is fastest into f32 without a gap between the vectors. In a world
        /// on the GPU it is made there, and nothing of the rods is read.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_render_hair_read(WithyRenderHair hair, WithyRenderHairLodDef* lod, WithySpan* positions, WithySpan* tangents);

        /// <summary>
        /// Reads. The guides that each strand follows, and its weights, to show or to paint them.
        /// Weights add up to 1; a guide with weight 0 is not used.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_render_hair_read_weights(WithyRenderHair hair, WithySpan* guides, WithySpan* weights);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_rest_shape_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rest_shape_def_init_sized(WithyRestShapeDef* def, uint size);

        /// <summary>
        /// Writes. Finds rest shapes for which the present pose is an equilibrium under the present
        /// gravity, wind, forces and moments. `withy_rods_read_elastic_report` tells how well it
        /// went; strands that cannot be solved keep their rest shape.
        ///
        /// Call it after gravity or forces have changed, after a change to fewer substeps or longer
        /// steps, and when attachments have come. It keeps the pose that the rods have now. To keep
        /// an earlier one, write back its positions and frames and velocities of 0, and teleport
        /// roots and pins there first. Calling it twice changes nothing.
        ///
        /// Ends that the host or an attachment holds count as held; contacts do not count. An end
        /// on a junction, a dynamic body or a movable mesh counts as free if the other end is held
        /// more firmly.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_optimize_rest_shape(WithyRods rods, WithyRestShapeDef* def);

        /// <summary>
        /// Writes. Sets the shape at rest.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_rest_shape(WithyRods rods, Rest rest_shape, WithySpan* rest_lengths, WithySpan* rest_darboux);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_settle_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_settle_def_init_sized(WithySettleDef* def, uint size);

        /// <summary>
        /// Writes. Moves the rods to their equilibrium under the present gravity and forces, and
        /// leaves them at rest there. Held ends stay where they are; contacts do not count.
        /// `withy_rods_read_elastic_report` tells how it went: of strands that were not done it
        /// says WITHY_STRAND_REFUSED and WITHY_REASON_CANCELLED. One iteration takes about as long
        /// as a step.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_settle(WithyRods rods, WithySettleDef* def);

        /// <summary>
        /// Reads. How the last search left each strand. There are no reports before the first
        /// search.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_elastic_report(WithyRods rods, WithyElasticReport* reports, ulong* count);

        /// <summary>
        /// Reads. The lengths at rest.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_rest_lengths(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. How the rods are bent and twisted at rest, in the library's own measure. To be
        /// stored with a groom, and given to rods of the same definition by
        /// `withy_rods_set_rest_strains`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_rest_strains(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. How much stiffer the rods are than they were made: factors for bending and twist
        /// at a vertex, and for stretching of the edge after it. 1 until
        /// `WithyRestShapeDef.stiffen` or `withy_rods_set_stiffness_factors` changes them.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_stiffness_factors(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Writes. Makes the rods stiffer or softer than they were made. The rest shape stays: call
        /// `withy_rods_optimize_rest_shape` to fit it again. Factors of 1 take off what
        /// `WithyRestShapeDef.stiffen` has found. WITHY_STIFFNESS_PHYSICAL only.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_stiffness_factors(WithyRods rods, WithySpan* factors);

        /// <summary>
        /// Writes. Makes the rods thicker or thinner. Masses and stretching stiffness go with the
        /// square of the radius, bending and twisting stiffness with its fourth power. Pose,
        /// velocities and rest shape stay: call `withy_rods_optimize_rest_shape` to fit it again.
        /// Saved states do not hold radii.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_radii(WithyRods rods, WithySpan* radii);

        /// <summary>
        /// Writes. Sets a rest shape that was stored.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_rest_strains(WithyRods rods, WithySpan* rest_lengths, WithySpan* rest_strains);

        /// <summary>
        /// Reads. Writes the rest shape with its stiffness factors into `data`: an asset of its
        /// own, for a chunk of a host's asset, or for a file. It is in SI units, whatever those of
        /// the context.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_save_rest_shape(WithyRods rods, void* data, ulong* size);

        /// <summary>
        /// Writes. Sets a rest shape that was saved. The rods must have the strands and the model
        /// of those that it was found for; that their material and gravity are the same is up to
        /// the host.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_load_rest_shape(WithyRods rods, void* data, ulong size);

        /// <summary>
        /// Fills `def` with the defaults: rubber, free at both ends. Use the macro
        /// `withy_rods_def_init(&amp;def)`. For hair and rope see below.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_def_init_sized(WithyRodsDef* def, uint size);

        /// <summary>
        /// Writes. Adds a set of rods to a world. Everything in `def` is copied.
        ///
        /// Strands with edges of no length, or with sharp kinks, are accepted;
        /// `withy_rods_read_report` (withy_expert.h) names them.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_create(WithyWorld world, WithyRodsDef* def, WithyRods* rods);

        /// <summary>
        /// Writes. Removes a set of rods, and the attachments that hold it.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_destroy(WithyRods rods);

        /// <summary>
        /// Writes. Makes the rods what `def` says, without making them anew: moduli, alphas,
        /// `density`, `radius`, `aspect`, `viscosity`, `damping`, `drag`, `wind`, `friction`,
        /// `collision_radius`, `max_speed`, `iterations`, `category`, `mask`, and the flags
        /// WITHY_RODS_ONE_WAY and WITHY_RODS_STAY_AWAKE. The def may be the one that they were made
        /// with, or come from `withy_rods_get_def`. Pose, velocities and rest shape stay: a groom
        /// that was made with WITHY_RODS_SAG_FREE sags when it becomes softer or heavier, until
        /// `withy_rods_optimize_rest_shape` fits it again.
        ///
        /// Its arrays are not read: of them, `withy_rods_set_radii`,
        /// `withy_rods_set_stiffness_factors` and `withy_rods_set_rest_shape` can change what they
        /// said. Radii stay if `radii` is given, or `radius` is 0. Saved states do not hold what
        /// this changes.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_change(WithyRods rods, WithyRodsDef* def);

        /// <summary>
        /// Reads. The numbers of the def as they are now, for `withy_rods_change`: `order` as it is
        /// solved, `radius` 0 if radii were given as an array. Its arrays are empty, and
        /// WITHY_RODS_SAG_FREE is not set.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_get_def(WithyRods rods, WithyRodsDef* def);

        /// <summary>
        /// Writes. Takes the rods out of the world, or puts them back, as for a character that is
        /// far away. Out of it they take no step, nothing meets them, and attachments do not hold
        /// them. Strands with an end that is held go with it, like something rigid, vertices that
        /// are pinned, too; others stay where they are. Back in the world they go on from there, at
        /// rest. If bodies that they are tied to, or pins, have moved away, bring the rods there
        /// first (`withy_rods_teleport`, `withy_rods_write_positions`). A saved state tells which
        /// rods are enabled.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_enabled(WithyRods rods, uint enabled);

        /// <summary>
        /// Reads. Whether the rods are in the world.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_get_enabled(WithyRods rods, uint* enabled);

        /// <summary>
        /// Writes. Says where the roots are at the end of the next step. They move there during the
        /// step, and stay there afterwards. Roots that are WITHY_SUPPORT_FREE are refused.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_root_poses(WithyRods rods, WithySpan* positions, WithySpan* rotations, uint teleport);

        /// <summary>
        /// Writes. The same for the tips.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_tip_poses(WithyRods rods, WithySpan* positions, WithySpan* rotations, uint teleport);

        /// <summary>
        /// Writes. Moves all roots by one rigid transform, for hair on a rigid head:
        /// `withy_rods_set_root_poses` in one call.
        ///
        /// The transform is relative to the creation of the rods: a root that was created at x will
        /// be at rotation * x + position at the end of the next step, and a clamped root turns by
        /// `rotation`. If the head had the matrix M0 when the rods were created and has M now, pass
        /// M * inverse(M0). The identity brings the roots back to where they were created. Roots
        /// that are WITHY_SUPPORT_FREE are refused.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_root_transform(WithyRods rods, WithyPose* transform, uint teleport);

        /// <summary>
        /// Reads. Where the roots are held: what `withy_rods_set_root_poses` or
        /// `withy_rods_set_root_transform` has said last. Roots that are WITHY_SUPPORT_FREE are
        /// refused.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_root_poses(WithyRods rods, WithySpan* positions, WithySpan* rotations);

        /// <summary>
        /// Reads. Whether a set of rods sleeps; 1 also if it is not enabled.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_get_sleeping(WithyRods rods, uint* sleeping);

        /// <summary>
        /// Writes. Holds one vertex: it moves to `target` during the next step, and stays there. An
        /// attachment of the vertex holds its other end to it: the pin carries what hangs there.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_pin(WithyRods rods, uint vertex, WithyVec3* target, uint teleport);

        /// <summary>
        /// Writes. `withy_rods_set_pin` for many vertices: all of them, or none if one is wrong.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_pins(WithyRods rods, WithySpan* vertices, WithySpan* targets, uint teleport);

        /// <summary>
        /// Writes. Takes the rods as a whole elsewhere, as a character that jumps: vertices,
        /// velocities, frames, and where roots, tips and pins are held. From there they go on as
        /// they would have. Attachments stay where they are tied.
        ///
        /// To feel only a part of a head's motion, teleport the rods by the rest of it in each
        /// frame, and then set the roots.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_teleport(WithyRods rods, WithyPose* transform);

        /// <summary>
        /// Writes. Changes four fields of the def.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_motion(WithyRods rods, double damping, double drag, WithyVec3* wind, double friction);

        /// <summary>
        /// Writes. Puts the vertices somewhere else at once. Velocities stay; frames follow their
        /// edges along the shortest turn, so twist stays, too. (`withy_rods_write_frames` in
        /// withy_expert.h sets the frames; `withy_world_restore_state` goes back to a whole state.)
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_write_positions(WithyRods rods, WithySpan* positions);

        /// <summary>
        /// Writes. Sets the velocities of all vertices.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_write_velocities(WithyRods rods, WithySpan* velocities);

        /// <summary>
        /// Writes. Sets a force on each vertex, which acts in all steps until it is set again.
        /// Vertices that the host holds do not feel it. The first call allocates memory.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_forces(WithyRods rods, WithySpan* forces);

        /// <summary>
        /// Writes. Accelerates each vertex, as a field of forces that is not the same everywhere
        /// does, beside gravity and `withy_rods_set_forces`, in all steps until it is set again.
        /// Rods that are swept take it at their vertices alone, so that they are up to some percent
        /// off. Not in saved states. The first call allocates memory.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_accelerations(WithyRods rods, WithySpan* accelerations);

        /// <summary>
        /// Writes. Says how fast the air is at each vertex, in place of `WithyRodsDef.wind`: for
        /// gusts, and for what is in the lee of something. Without `drag` it does nothing. Rods
        /// that are swept take it at their vertices alone, so that they are up to some percent off.
        /// It stays until it is set again. Not in saved states. The first call allocates memory.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_winds(WithyRods rods, WithySpan* winds);

        /// <summary>
        /// Writes. Draws vertices to goals, in all steps until they are set again: an animation
        /// that hair or a tail follows more or less. Forces that the host sets act beside. Goals
        /// are settings: they are not in saved states. Rods with goals do not sleep. A goal acts
        /// over whole steps: what is to be faster than these is a pin.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_goals(WithyRods rods, WithySpan* targets, WithySpan* rates, double damping);

        /// <summary>
        /// Reads. The number of vertices of each strand.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_counts(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. The positions.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_positions(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Masses: of each vertex what half of the edges beside it weigh, as `density` and
        /// section have it, whether it is held or not. They add up to the mass of the rods.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_masses(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. The velocities.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_velocities(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. The material frames: rotations that turn the local axes x, y, z into d1, d2, d3.
        /// (In Unreal and Blender the direction d3 is another local axis: see the table of
        /// conventions.)
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_frames(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. How the rods are solved: a WITHY_ORDER_ value, in place of WITHY_ORDER_AUTO what
        /// it chose. For WITHY_MODEL_DER it is WITHY_ORDER_DIRECT.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_order(WithyRods rods, uint* order);

        /// <summary>
        /// Writes. Turns the material frames at once about their edges. The direction of an edge
        /// stays; d1 goes as near as it can to that of the frame. To go back to an earlier pose,
        /// write its positions with `withy_rods_write_positions`, then its frames with this. Frames
        /// that the host holds (clamped ends) stay. Full turns of twist are not kept: each element
        /// takes the least twist.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_write_frames(WithyRods rods, WithySpan* frames);

        /// <summary>
        /// Writes. Sets a moment about each edge, as of a motor that twists the rod there. It turns
        /// the edge about its direction from root to tip, in the host's sense of rotation, in all
        /// steps until it is set again. The first edge of a clamped WITHY_MODEL_DER strand does not
        /// feel it. The first call allocates memory.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_set_moments(WithyRods rods, WithySpan* moments);

        /// <summary>
        /// Reads. The ghost points of WITHY_MODEL_GHOST.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_ghosts(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. The angles by which the material turns about the rod from one edge to the next,
        /// in the host's sense of rotation.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_twist(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Strains: length / rest length - 1.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_strain(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Radii of the sections now: those at rest, or, with a `poisson_ratio`, what
        /// stretching and pressing have made of them.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_radii(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Volumes: volume / volume at rest, 1 + strain where radii stay as they are.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_volumes(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Darboux vectors: curvature about d1 and d2, twist about d3, in local axes (see
        /// the table of conventions).
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_darboux(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Tensions in the last substep; positive where an edge pulls its ends together. 0
        /// before the first step.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_tension(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. Moments in the rod in the last substep: bending about d1 and d2, twist about d3,
        /// in local axes (see the table of conventions). At an end it is the moment of the support
        /// or attachment, 0 if there is none; a clamp of WITHY_MODEL_DER shows at the second
        /// vertex. 0 before the first step.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_moments(WithyRods rods, WithySpan* @out);

        /// <summary>
        /// Reads. What was wrong with strands at creation.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_rods_read_report(WithyRods rods, WithyStrandIssue* issues, ulong* count);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_skin_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_skin_def_init_sized(WithySkinDef* def, uint size);

        /// <summary>
        /// Writes. Binds a mesh to rods as they are now, and adds it to a world. Everything in
        /// `def` is copied.
        ///
        /// Vertices that no triangle has, edges that many triangles share and triangles without
        /// area are accepted.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_skin_create(WithyWorld world, WithySkinDef* def, WithySkin* skin);

        /// <summary>
        /// Writes. Adds a saved skin to a world. The rods may be anywhere, but must have the
        /// strands that the skin was bound to.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_skin_load(WithyWorld world, WithyRods* rods, uint rods_count, void* data, ulong size, WithySkin* skin);

        /// <summary>
        /// Writes. Removes a skin.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_skin_destroy(WithySkin skin);

        /// <summary>
        /// Reads. Writes the skin with its weights into `data`, for `withy_skin_load`. The bytes
        /// are the same on all machines.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_skin_save(WithySkin skin, void* data, ulong* size);

        /// <summary>
        /// Reads. Where the rods take the mesh now. The call allocates memory; it runs on the
        /// context's threads. In a world on the GPU the mesh is made there, and nothing of the rods
        /// is read.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_skin_read_positions(WithySkin skin, WithySpan* @out);

        /// <summary>
        /// Reads. Normals of the mesh where the rods take it now.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_skin_read_normals(WithySkin skin, WithySpan* @out);

        /// <summary>
        /// Reads. Tangents of the mesh where the rods take it now. Refused if the skin has none.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_skin_read_tangents(WithySkin skin, WithySpan* @out);

        /// <summary>
        /// Reads. The edges that each vertex holds on to, and its weights, to show or to paint
        /// them. Weights add up to 1, in steps of 1/65535; an edge with weight 0 is not used.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_skin_read_weights(WithySkin skin, WithySpan* edges, WithySpan* weights);

        /// <summary>
        /// Binds points to the nearest triangles of a mesh.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_surface_bind(WithySpan* positions, WithySpan* triangles, WithySpan* points, WithySpan* corners, WithySpan* coordinates);

        /// <summary>
        /// Where bound points are now, and how far they have turned since they were bound. It
        /// allocates as much as the mesh is large.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_surface_follow(WithySpan* bind_positions, WithySpan* positions, WithySpan* corners, WithySpan* coordinates, WithySpan* points, WithySpan* rotations);

        /// <summary>
        /// Fills `def` with the defaults. Use the macro `withy_world_def_init(&amp;def)`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_def_init_sized(WithyWorldDef* def, uint size);

        /// <summary>
        /// Creates an empty world. Its gravity is 9.81 m/s^2 downwards.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_create(WithyContext context, WithyWorldDef* def, WithyWorld* world);

        /// <summary>
        /// Destroys a world and everything in it.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_destroy(WithyWorld world);

        /// <summary>
        /// Writes. Sets the gravity and wakes bodies that sleep. Hair with WITHY_RODS_SAG_FREE was
        /// fitted to the gravity before: call `withy_rods_optimize_rest_shape` to fit it again.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_set_gravity(WithyWorld world, WithyVec3* gravity);

        /// <summary>
        /// Reads. The gravity.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_get_gravity(WithyWorld world, WithyVec3* gravity);

        /// <summary>
        /// Writes. Changes the substeps and the iterations of the world, as in WithyWorldDef. After
        /// a change to fewer substeps, sag-free hair should be fitted again with
        /// `withy_rods_optimize_rest_shape`.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_set_iterations(WithyWorld world, uint substeps, uint iterations);

        /// <summary>
        /// Writes. Advances the world by `dt` seconds. What the host moves (roots, pins, colliders,
        /// kinematic bodies) reaches its target at the end of the step, and moves there evenly over
        /// the substeps.
        ///
        /// Steps allocate no memory, but for the first one after objects were created, and for
        /// steps in which more bodies touch than ever before, or which are longer than any before.
        ///
        /// A step of more than 0.05 s takes more substeps (`WithyWorldDef.max_substeps`): what is
        /// at rest stays at rest, and nothing is thrown. `withy_world_read_stats` tells how many it
        /// took.
        ///
        /// The floating-point mode of the calling thread does not matter, and is left as it is.
        ///
        /// A simulation that goes wrong is not an error here: `withy_world_read_stats`
        /// (withy_expert.h) tells.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_step(WithyWorld world, double dt);

        /// <summary>
        /// Reads. Writes the state of the world into `data`, for `withy_world_restore_state`: for
        /// scrubbing a timeline, or for a rollback.
        ///
        /// In the state is what steps change: positions, velocities, and the poses, targets and
        /// pins that the host has set; whether rods are enabled; of bodies also pushes, who moves
        /// them, contacts and sleep; of ragdolls what their last transition made of them. So its
        /// size changes with the number of contacts. Not in the state are settings: gravity,
        /// iterations, rest shapes, what acts on rods (forces, moments, goals, winds,
        /// accelerations), what `withy_rods_change` and `withy_rods_set_motion` set, and limits and
        /// motors of joints.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_save_state(WithyWorld world, void* data, ulong* size);

        /// <summary>
        /// Writes. Goes back to a saved state. From there the world goes on exactly as it did, bit
        /// for bit. (On the GPU strands that touch strands go on nearly so: the state has no
        /// contact forces.)
        ///
        /// The world must have the same objects and pins as when the state was saved, or be another
        /// one that was built by the same calls, with rods created in the same pose. Of ragdolls,
        /// the same instances must have bodies, and joints must be of the same kinds.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_restore_state(WithyWorld world, void* data, ulong size);

        /// <summary>
        /// Why the last call on this world, or on something in it, failed, on whatever thread: for
        /// hosts that step in a job and tell of it elsewhere. Empty before the first failure.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_last_error(WithyWorld world, byte* text, ulong* size);

        /// <summary>
        /// Reads. The name of the backend in use, such as "cpu", as a C string. If
        /// WITHY_BACKEND_AUTO fell back to the CPU the name also says why.
        /// </summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        public static extern Result withy_world_backend(WithyWorld world, byte* name, ulong* size);
    }
}
