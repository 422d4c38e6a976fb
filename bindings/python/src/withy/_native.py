"""The C ABI of withy for ctypes. Written by `cargo xtask bindings`; changes are made in src/ffi."""
# ruff: noqa

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    Structure,
    c_char_p,
    c_double,
    c_float,
    c_int32,
    c_uint32,
    c_uint64,
    c_void_p,
)
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Dict, List, Optional, Sequence, Tuple, TypedDict, Union

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

THREADS_ALL = 4294967295
ALL = 18446744073709551615
VERSION_MAJOR = 0
VERSION_MINOR = 1
VERSION_PATCH = 0
VERSION = 4096
VERSION_STRING = "0.1.0"


class AssetFormat(IntEnum):
    """Constants WITHY_ASSET_BYTES and so on."""

    #: Bytes of any meaning.
    BYTES = 0

    #: An array of 32-bit floats.
    F32 = 1

    #: An array of 64-bit floats.
    F64 = 2

    #: An array of 32-bit unsigned integers.
    U32 = 3

    #: Text in UTF-8, JSON for example. It has no zero at its end.
    TEXT = 4


class AttachFlags(IntFlag):
    """Constants WITHY_ATTACH_CLAMPED and so on."""

    #: A flag: the end also turns with the triangle or the body. Without it the strand turns freely.
    CLAMPED = 1


class Backend(IntEnum):
    """Constants WITHY_BACKEND_CPU and so on."""

    #: Simulate on the CPU. The default.
    CPU = 0

    #: Simulate rods on the GPU. Rigid bodies, joints and ragdolls step on the CPU beside them; rods
    #: meet them, and push them unless they have WITHY_RODS_ONE_WAY: steps in which rods without it
    #: are near a dynamic body wait for the GPU. Without a usable GPU `withy_world_create` fails
    #: with WITHY_ERROR_UNSUPPORTED, and `withy_last_error` says why.
    GPU = 1

    #: The GPU if there is a usable one, else the CPU. (Software such as Mesa's llvmpipe is not
    #: taken.) `withy_world_backend` tells which. On the GPU there is only what WITHY_BACKEND_GPU
    #: has.
    AUTO = 2


class BodyFlags(IntFlag):
    """Constants WITHY_BODY_INERTIA and so on."""

    #: A flag: `mass`, `center_of_mass` and `inertia` are given, and do not follow from the shapes.
    #: The body may then have no shapes.
    INERTIA = 1


class Bounds(IntEnum):
    """Constants WITHY_BOUNDS_NONE and so on."""

    #: Rest shapes may change as much as they have to. A pose that is too tight for its strand can
    #: get rest curvatures that steps soften.
    NONE = 0

    #: Rest shapes keep their bounds. The default.
    EXACT = 1


class Convention(IntEnum):
    """Constants WITHY_CONVENTION_SI and so on."""

    #: Metres, right-handed, Y up. The default.
    SI = 0

    #: Centimetres, right-handed, Y up.
    MAYA = 1

    #: Centimetres, left-handed, Z up. The host's (x, y, z) is the library's (x, z, y).
    UNREAL = 2

    #: Metres, left-handed, Y up. The host's (x, y, z) is the library's (-x, y, z).
    UNITY = 3

    #: Metres, right-handed, Z up. The host's (x, y, z) is the library's (x, z, -y).
    BLENDER = 4


class End(IntEnum):
    """Constants WITHY_END_ROOT and so on."""

    #: The first vertex of a strand.
    ROOT = 0

    #: The last vertex of a strand.
    TIP = 1


class Format(IntEnum):
    """Constants WITHY_FORMAT_F32 and so on."""

    #: 32-bit floats.
    F32 = 1

    #: 64-bit floats.
    F64 = 2

    #: 32-bit unsigned integers: for counts and indices only.
    U32 = 3


class Integrator(IntEnum):
    """Constants WITHY_INTEGRATOR_AUTO and so on."""

    #: WITHY_INTEGRATOR_SECOND_ORDER for rods that can have it, WITHY_INTEGRATOR_FIRST_ORDER for
    #: others. The default.
    AUTO = 0

    #: Motion is damped by the steps themselves: what swings once a second keeps 0.6 of its
    #: amplitude after ten swings with 8 substeps in each 60 Hz frame, and 0.03 with one.
    FIRST_ORDER = 1

    #: Motion stays: what swings once a second keeps 0.99 of its amplitude after ten swings with 2
    #: substeps in each 60 Hz frame, for a fifth more time a substep. What is too quick for the
    #: substeps still dies out. Damp what shall come to rest with `damping`, `drag` or `viscosity`.
    #:
    #: For rods that are solved directly (WITHY_ORDER_DIRECT, WITHY_MODEL_DER), without
    #: `poisson_ratio` and `strands_per_bundle`. Rods that have WITHY_RODS_SELF_CONTACT, attachments
    #: or goals take steps of first order all the same, whether they touch anything or not. So do
    #: rods in steps in which a body is near that they may push, and a strand while a collider
    #: touches it.
    SECOND_ORDER = 2


class Isa(IntEnum):
    """Constants WITHY_ISA_SCALAR and so on."""

    #: No vector instructions: one strand at a time.
    SCALAR = 1

    SSE2 = 2

    AVX2 = 3

    AVX512 = 4

    NEON = 5

    #: The widest instruction set of the machine. (withy_expert.h has the others.)
    AUTO = 0


class Issue(IntEnum):
    """Constants WITHY_ISSUE_SHORT_EDGE and so on."""

    #: An edge shorter than 1e-4 of the strand's mean edge. It is simulated at that length. Value:
    #: its length, m.
    SHORT_EDGE = 1

    #: A strand of no length. It is simulated as a tiny straight one. Value: its length, m.
    NO_LENGTH = 2

    #: Two edges that fold back on each other by more than 175 degrees. Value: the angle, rad.
    KINK = 3

    #: A strand whose edges are, on average, shorter than a tenth of its radius. It will stretch to
    #: many times its length. Value: the mean edge, m.
    STUB = 4


class JointFlags(IntFlag):
    """Constants WITHY_JOINT_WORLD_FRAMES and so on."""

    #: A flag: `frame_a` and `frame_b` are given in the world, where the bodies are now, and not in
    #: the frames of the bodies.
    WORLD_FRAMES = 1

    #: A flag: the arc takes `relaxation` in place of `bend` and `twist`.
    ARC_RELAXATION = 2


class JointKind(IntEnum):
    """Constants WITHY_JOINT_BALL and so on."""

    #: The origins of the frames stay together. `swing` and `twist` limit the angles. The default.
    BALL = 0

    #: The origins and d3 stay together. `twist` limits the angle about d3.
    HINGE = 1

    #: The frames stay together.
    FIXED = 2

    #: The origins stay between `least` and `most` apart.
    DISTANCE = 3

    #: An elastic rod connects the frames: it bends and twists but does not stretch, and has the
    #: shape of a circular arc that leaves both frames along d3 (Lewin 2013). One arc does for a
    #: whole spine, neck or tail. `arc` is its stiffness; `swing` and `twist` limit its bend and
    #: twist. In both frames d3 points along the arc from a to b; a new arc whose frames lean by
    #: more than 90 degrees from that is refused.
    ARC = 4


class MeshFlags(IntFlag):
    """Constants WITHY_MESH_ELASTIC and so on."""

    #: A flag: the edges are springs, and steps move the vertices.
    ELASTIC = 1

    #: A flag: strands do not go through the mesh, wherever the host moves and bends it: a head with
    #: its face, a dress. Call `withy_mesh_set_positions` in every frame. Only the front is felt,
    #: where triangles run counterclockwise (clockwise in Unity). What is a few radii behind it
    #: comes out slowly; what is deeper is not felt. Rigid bodies do not meet the mesh. Not with
    #: WITHY_MESH_ELASTIC. A world on the GPU has such meshes, and no others.
    COLLIDES = 2

    #: A flag, with WITHY_MESH_COLLIDES: the mesh is felt from both sides, as cloth. A strand stays
    #: on the side on which it is.
    BOTH_SIDES = 4


class Model(IntEnum):
    """Constants WITHY_MODEL_GHOST and so on."""

    #: Ghost-point rods (Umetani 2014): an extra point beside each edge carries its frame. The
    #: default.
    GHOST = 0

    #: Discrete elastic rods (Bergou 2010; Takahashi and Batty 2025). For wires and cables that are
    #: twisted by many turns: this model counts full turns, the other flips at half a turn between
    #: two edges. A clamped end holds its whole first edge, and the rod bends from the middle of
    #: that edge on: a cantilever of e edges is e - 1/2 edges long. (WITHY_MODEL_GHOST bends from
    #: its first vertex on: e edges.) Always solved directly, so `order` has no effect;
    #: WITHY_STIFFNESS_PHYSICAL only. Takes as much memory as WITHY_ORDER_DIRECT.
    DER = 1


class Motion(IntEnum):
    """Constants WITHY_BODY_STATIC and so on."""

    #: It stands still. The host may put it somewhere else.
    STATIC = 0

    #: The host moves it, by targets. It pushes others; nothing pushes it.
    KINEMATIC = 1

    #: Forces, joints and contacts move it. The default.
    DYNAMIC = 2


class MuscleFlags(IntFlag):
    """Constants WITHY_MUSCLE_CLAMPED and so on."""

    #: A flag: the ends also turn with their bodies. Without it the strands turn freely there.
    CLAMPED = 16


class MuscleMode(IntEnum):
    """Constants WITHY_MUSCLE_REST_SHAPE and so on."""

    #: An active muscle wants to be shorter, and as much thicker: at an activation of 1 and without
    #: load it is `shortest` times as long as at rest. For animation: it does not depend on how fast
    #: the muscle moves. The default.
    REST_SHAPE = 0

    #: An active muscle pulls with the force that Hill's model has for its length and its velocity
    #: (De Groote et al. 2016). Its elasticity is the passive force. For biomechanics, and for limbs
    #: that muscles move.
    HILL = 1


class MuscleRepairs(IntFlag):
    """Constants WITHY_REPAIRED_FLAT_TRIANGLES and so on."""

    #: A flag of `WithyMuscleFit.repairs`: triangles had no area. They were not looked at.
    FLAT_TRIANGLES = 1

    #: Shells of the mesh were inside out, or triangles ran the other way round than those beside
    #: them. They were turned, each shell outwards by itself: a muscle has no cavities.
    INSIDE_OUT = 2

    #: The surface is open, or overlaps itself. Its volume is that of the cells inside.
    OPEN = 4

    #: No strands lead to a head: it has no end of its own, there are fewer strands than heads, or
    #: it is very thin.
    HEADS = 8

    #: Parts of the mesh hang together with no end. They were left out.
    PARTS = 16


class Order(IntEnum):
    """Constants WITHY_ORDER_ROOT_TO_TIP and so on."""

    #: Sweeps that go from the root to the tip: each edge is corrected in turn, then its bend and
    #: twist. Cheap. Long or stiff strands stretch, and bend too easily, unless there are many
    #: iterations.
    ROOT_TO_TIP = 0

    #: The whole strand is solved at once, by one step of Newton's method in each iteration. Long
    #: and stiff strands are as stiff as they should be, with a single iteration in each substep.
    #: That iteration costs about as much as four sweeps. Takes 300 bytes more a vertex (600 in
    #: double precision) if something couples the rods to others: attachments,
    #: WITHY_RODS_SELF_CONTACT, bodies that they may push, bundles; and if a strand has more than
    #: 128 vertices. WITHY_STIFFNESS_PHYSICAL only. In single precision, strands of thousands of
    #: edges, or with edges far below a millimetre, still stretch a little.
    DIRECT = 1

    #: Sweeps that go in turn from the root and from the tip. As WITHY_ORDER_ROOT_TO_TIP, but does
    #: not start to vibrate by itself. Give it two iterations or more.
    ALTERNATING = 2

    #: WITHY_ORDER_DIRECT for WITHY_STIFFNESS_PHYSICAL, WITHY_ORDER_ALTERNATING for
    #: WITHY_STIFFNESS_ALPHA. The default.
    AUTO = 3


class Precision(IntEnum):
    """Constants WITHY_PRECISION_F32 and so on."""

    #: Single precision. The default.
    F32 = 0

    #: Double precision, on the CPU only. Slower by two to five times; for very stiff strands, and
    #: for scenes kilometres wide.
    F64 = 1


class RagdollBodyFlags(IntFlag):
    """Constants WITHY_RAGDOLL_BODY_PARENT_FRAME and so on."""

    #: A flag of a body: `joint->frame_a` says where the joint is in the bone of the parent body.
    #: Without it the joint is where it is in the bind pose.
    PARENT_FRAME = 1


class RagdollFlags(IntFlag):
    """Constants WITHY_RAGDOLL_NO_SELF_COLLISION and so on."""

    #: A flag of the def: bodies of the same instance do not collide with each other.
    NO_SELF_COLLISION = 1

    #: A flag of the def: bones without a body, outside of regions, have the local pose of the
    #: animation. Without it they keep the local pose of the transition.
    ANIMATED_BONES = 2


class ReadBack(IntEnum):
    """Constants WITHY_REGION_ALONG_ARC and so on."""

    #: The inner bones of a region are read back along the arc. The default.
    ALONG_ARC = 0

    #: They share the change of orientation between the ends; lengths of bones stay (Lewin 2013).
    ORIENTATION = 1

    #: They share the change of orientation and of position (Lewin 2013).
    ORIENTATION_AND_POSITION = 2


class Reason(IntEnum):
    """Constants WITHY_REASON_NOT_FINITE and so on."""

    #: A NaN or an infinity in the pose, the forces or the rest shape, or a strand that runs away
    #: because nothing holds it.
    NOT_FINITE = 1

    #: A vertex or an edge without mass.
    NO_MASS = 2

    #: An edge shorter than a millionth of the strand's longest.
    SHORT_EDGE = 3

    #: Two edges fold back on each other by more than 169 degrees.
    FOLD = 4

    #: `progress` cancelled the search before it was the strand's turn.
    CANCELLED = 5

    #: In single precision a step may leave this pose: part of the strand is too stiff for its mass,
    #: as in a thin tape or a sharp kink of stiff hair. Use WITHY_PRECISION_F64, or more substeps.
    PRECISION = 6

    #: A step of this length softens the strand, or would soften what holds the pose. Use more
    #: substeps, or WITHY_PRECISION_F64.
    STEP = 7

    #: A held vertex is not where it is held, so that the next step moves it. Teleport roots, tips
    #: and pins to the pose first. For WITHY_MODEL_DER the second vertex of a clamped end counts,
    #: too.
    HELD = 8

    #: Rest shapes that would hold the pose are beyond the bounds.
    BOUNDS = 9

    #: The search used up its iterations.
    ITERATIONS = 10

    #: No rest shape makes the pose an equilibrium, as nothing holds the strand, or a force is too
    #: large: what is left in `residual` is the least.
    NO_EQUILIBRIUM = 11


class RegionFlags(IntFlag):
    """Constants WITHY_REGION_RELAXATION and so on."""

    #: A flag of a region: the arc takes `relaxation` in place of `bend` and `twist`.
    RELAXATION = 1


class RegionRest(IntEnum):
    """Constants WITHY_REGION_REST_POSE and so on."""

    #: The region wants to keep the shape that it has at the transition. The default.
    POSE = 0

    #: The region is pulled to the shape of the bind pose.
    BIND = 1


class Rest(IntEnum):
    """Constants WITHY_REST_FROM_POSE and so on."""

    #: At rest the rods have the shape of the start, or of `rest_positions` if these are given. The
    #: default.
    FROM_POSE = 0

    #: At rest they are straight and not twisted, with the lengths of the start.
    STRAIGHT = 1

    #: At rest they have `rest_lengths` and `rest_darboux`.
    EXPLICIT = 2


class Result(IntEnum):
    """Constants WITHY_OK and so on."""

    OK = 0

    #: A pointer, number, count, stride or index that cannot be used.
    INVALID_ARGUMENT = -1

    #: The handle is null, or names a destroyed object, an object of another kind or of another
    #: world.
    INVALID_HANDLE = -2

    #: This version, this build or this machine cannot do it.
    UNSUPPORTED = -3

    #: Another call is using the world. Try again later.
    BUSY = -4

    #: There is not enough memory.
    OUT_OF_MEMORY = -5

    #: A fault of the library. This world can only be destroyed now; other worlds go on.
    PANIC = -6

    #: The output array is too small. Its count now says how much room is needed.
    TOO_SMALL = -7


class RodsFlags(IntFlag):
    """Constants WITHY_RODS_SAG_FREE and so on."""

    #: A flag: the strands keep the shape in which they are created.
    #:
    #: A groom is drawn as gravity has already bent it. Without this flag gravity bends it a second
    #: time: it sags from the first frame on. With it, the library finds rest lengths, curvatures
    #: and twists for which the start pose is an equilibrium under the present gravity. So set the
    #: gravity before you create the rods. It takes about 0.1 ms for a strand of 100 vertices.
    #:
    #: A strand that is too soft for its pose sags all the same. `withy_rods_read_elastic_report`
    #: (withy_rest_shape.h) names these strands, and `withy_rods_optimize_rest_shape` can make them
    #: stiffer. Call that function also when the gravity changes, and once attachments hold ends of
    #: the strands.
    #:
    #: Needs WITHY_STIFFNESS_PHYSICAL, and WITHY_ORDER_AUTO, WITHY_ORDER_DIRECT or WITHY_MODEL_DER:
    #: sweeps stop before they reach the equilibrium, and are refused.
    SAG_FREE = 1

    #: A flag: rigid bodies push these rods, but the rods do not push bodies. For hair and fur,
    #: which are light: it saves time where rods touch dynamic bodies, most of all on the GPU.
    #: Attachments still pull both ways.
    ONE_WAY = 2

    #: A flag: the rods touch rods. A strand touches itself and the other strands of the set, and
    #: the strands of other sets that have this flag and whose layers meet. Without it rods pass
    #: through each other. Contact has Coulomb friction, and begins at `collision_radius`. Strands
    #: of one set that overlap when they are created may go on overlapping by as much.
    #:
    #: Knots hold, and ropes do not pass through each other, however fast they are. Make edges about
    #: as long as a strand is thick, or up to three times that. What is drawn tight wants 2
    #: iterations.
    #:
    #: For strands that are solved directly. It works for swept ones, too, but these stretch where
    #: they are pressed. A heap in which everything touches takes about ten times as long as the
    #: same strands apart. Soft, thick things (`poisson_ratio`) that are all swept are faster: their
    #: contacts are firm springs that take turns with the sweeps.
    #:
    #: On the GPU such strands want 4 substeps or more, and may pass when they come nearer by more
    #: than an edge's length in a substep. A set that is too large for one buffer of the GPU is
    #: WITHY_ERROR_UNSUPPORTED.
    SELF_CONTACT = 4

    #: A flag: the rods never sleep. Without it, a set that has been at rest for half a second
    #: stands still and costs next to nothing, until something near it moves or you change it. Sets
    #: that are swept without `poisson_ratio`, sets that are tied to other rods, and sets on a
    #: dynamic body that is awake stay awake. A set that hangs on dynamic bodies sleeps and wakes
    #: with them. One that hangs on static or kinematic bodies, or on vertices of a mesh that you
    #: alone move, sleeps as long as these stand.
    STAY_AWAKE = 8


class Shape(IntEnum):
    """Constants WITHY_SHAPE_HULL and so on."""

    #: The convex hull of `positions`. (These two shapes are for bodies; the others are listed with
    #: the colliders.)
    HULL = 5

    #: Triangles: `positions` and `triangles`. For static bodies only, as is WITHY_SHAPE_PLANE. Only
    #: the outer side is solid.
    MESH = 6

    #: Everything below a plane. The plane goes through the pose's origin; its normal is the pose's
    #: local up axis (y, or z where the convention has Z up).
    PLANE = 0

    #: A sphere of `radius`.
    SPHERE = 1

    #: A cylinder of `radius` along local up, from -`half_height` to +`half_height`, with round
    #: caps.
    CAPSULE = 2

    #: A box of `half_extents` along the local axes.
    BOX = 3

    #: The hull of two spheres on local up: `radius` at -`half_height`, `radius_top` at
    #: +`half_height`.
    TAPERED_CAPSULE = 4


class Stiffness(IntEnum):
    """Constants WITHY_STIFFNESS_PHYSICAL and so on."""

    #: The stiffness follows from `young_modulus`, `shear_modulus` and the section. The shape at
    #: rest depends neither on the time step nor on the number of iterations. The default.
    PHYSICAL = 0

    #: The stiffness is `alpha_...`: which part of an error an iteration corrects (Umetani 2014).
    #: More iterations or substeps make the rod stiffer.
    ALPHA = 1


class StrandAnswer(IntEnum):
    """Constants WITHY_STRAND_HOLDS and so on."""

    #: The strand holds its pose: it is a stable equilibrium, in the precision of the rods and for
    #: steps of the expected length.
    HOLDS = 1

    #: The strand leaves its pose: by itself, as a pencil on its tip falls, or because a force is
    #: left.
    UNSTABLE = 2

    #: The strand would hold its pose if it were stiffer. See `WithyRestShapeDef.stiffen`.
    TOO_SOFT = 3

    #: The strand was left as it is. `reason` says why.
    REFUSED = 4


class Support(IntEnum):
    """Constants WITHY_SUPPORT_FREE and so on."""

    #: Nothing holds this end. The default.
    FREE = 0

    #: The host moves the end vertex; the strand turns freely about it.
    PINNED = 1

    #: The host moves the end vertex and turns the frame there, as a scalp holds hair.
    CLAMPED = 2


class TransitionFlags(IntFlag):
    """Constants WITHY_RAGDOLL_KEEP_ANCHORS and so on."""

    #: A flag of `withy_ragdolls_instantiate`: joints stay where the def has them in the parents,
    #: even if the animation has stretched the bones. Without it they move to where the bones meet.
    KEEP_ANCHORS = 1

    #: A flag of `withy_ragdolls_instantiate`: limits of joints stay, even if the pose is beyond
    #: them. Without it they are opened up to the pose.
    KEEP_LIMITS = 2


class AssetChunk(Structure):
    """A part of an asset."""

    name: Any
    data: Any
    size: int
    version: int
    format: int
    columns: int
    reserved: int
    _fields_ = [
        ("name", c_void_p),
        ("data", c_void_p),
        ("size", c_uint64),
        ("version", c_uint32),
        ("format", c_uint32),
        ("columns", c_uint32),
        ("reserved", c_uint32),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class JunctionDef(Structure):
    """How to join ends of strands to each other."""

    struct_size: int
    flags: int
    next: Any
    ends: Any
    end_count: int
    reserved: int
    radius: float
    mass: float
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("ends", c_void_p),
        ("end_count", c_uint32),
        ("reserved", c_uint32),
        ("radius", c_double),
        ("mass", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {"ends": ("StrandEnd", "end_count")}
    init: ClassVar[Optional[str]] = "withy_junction_def_init_sized"


class CableDef(Structure):
    """How to create a cable."""

    struct_size: int
    flags: int
    next: Any
    points: Any
    point_count: int
    reserved: int
    length: float
    stiffness: float
    break_force: float
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("points", c_void_p),
        ("point_count", c_uint32),
        ("reserved", c_uint32),
        ("length", c_double),
        ("stiffness", c_double),
        ("break_force", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {"points": ("CablePoint", "point_count")}
    init: ClassVar[Optional[str]] = "withy_cable_def_init_sized"


class CableState(Structure):
    """What a cable does."""

    length: float
    path: float
    tension: float
    broken: int
    reserved: int
    _fields_ = [
        ("length", c_double),
        ("path", c_double),
        ("tension", c_double),
        ("broken", c_uint32),
        ("reserved", c_uint32),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None

runCallback = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_uint32)


class TaskCallbacks(Structure):
    """Worker threads of the host, for `WithyContextDef.tasks`.

    The library calls `run` on the thread that steps. `run` must call `task(task_data, i)` once for
    each i from 0 to count - 1, on any threads and in any order, and return when all these calls
    have returned. One thread may also make them one after the other. `run` must not throw and must
    not keep `task_data`.

    Other long calls (rest shapes, settling) call `run`, too. Two threads that step two worlds may
    call it at the same time. Within it the world that is working, and its context, answer
    WITHY_ERROR_BUSY.
    """

    user: Any
    run: Any
    _fields_ = [
        ("user", c_void_p),
        ("run", runCallback),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class ContextDef(Structure):
    """How to create a context."""

    struct_size: int
    flags: int
    next: Any
    convention: int
    threads: int
    metres_per_unit: float
    tasks: Any
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("convention", c_uint32),
        ("threads", c_uint32),
        ("metres_per_unit", c_double),
        ("tasks", c_void_p),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {"tasks": ("TaskCallbacks", None)}
    init: ClassVar[Optional[str]] = "withy_context_def_init_sized"


class DebugLine(Structure):
    """A line to draw, in host units."""

    start: Any
    end: Any
    rgba: int
    reserved: int
    _fields_ = [
        ("start", c_float * 3),
        ("end", c_float * 3),
        ("rgba", c_uint32),
        ("reserved", c_uint32),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class Arc(Structure):
    """The rod of a WITHY_JOINT_ARC."""

    length: float
    bend: Any
    twist: float
    viscosity: float
    rest: Any
    relaxation: Any
    _fields_ = [
        ("length", c_double),
        ("bend", c_double * 2),
        ("twist", c_double),
        ("viscosity", c_double),
        ("rest", c_double * 3),
        ("relaxation", c_double * 2),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class BrokenJoint(Structure):
    """A joint that broke."""

    joint: int
    force: float
    torque: float
    _fields_ = [
        ("joint", c_uint64),
        ("force", c_double),
        ("torque", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class MuscleState(Structure):
    """What a muscle does."""

    length: float
    velocity: float
    force: float
    active_force: float
    volume: float
    _fields_ = [
        ("length", c_double),
        ("velocity", c_double),
        ("force", c_double),
        ("active_force", c_double),
        ("volume", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class MuscleFit(Structure):
    """How well the strands stand for the mesh, and what was repaired. The figures are of what the
    strands are of, without parts that were left out and heads without an end.
    """

    volume: float
    length: float
    covered: float
    outside: float
    origin_gap: float
    insertion_gap: float
    surface_distance: float
    headless: float
    left_out: float
    origin_heads: int
    insertion_heads: int
    flat_triangles: int
    repairs: int
    _fields_ = [
        ("volume", c_double),
        ("length", c_double),
        ("covered", c_double),
        ("outside", c_double),
        ("origin_gap", c_double),
        ("insertion_gap", c_double),
        ("surface_distance", c_double),
        ("headless", c_double),
        ("left_out", c_double),
        ("origin_heads", c_uint32),
        ("insertion_heads", c_uint32),
        ("flat_triangles", c_uint32),
        ("repairs", c_uint32),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class RagdollBodyDef(Structure):
    """A body of a ragdoll. Its frame is that of its bone. All bodies in an array must be filled by the
    same version of the init function.
    """

    struct_size: int
    flags: int
    next: Any
    body: Any
    joint: Any
    bone: int
    reserved: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("body", c_void_p),
        ("joint", c_void_p),
        ("bone", c_uint32),
        ("reserved", c_uint32),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {"body": ("BodyDef", None), "joint": ("JointDef", None)}
    init: ClassVar[Optional[str]] = "withy_ragdoll_body_def_init_sized"


class RenderHairLodDef(Structure):
    """Level of detail of a read. What is left out at some share is left out at all smaller ones, so
    that nothing flickers while shares change.
    """

    struct_size: int
    flags: int
    next: Any
    strands: float
    vertices: float
    width: float
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("strands", c_double),
        ("vertices", c_double),
        ("width", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = "withy_render_hair_lod_def_init_sized"

progressCallback = CFUNCTYPE(c_uint32, c_void_p, c_uint32, c_uint32)


class RestShapeDef(Structure):
    """How to look for rest shapes. The defaults are good for hair; most hosts change `stiffen` only."""

    struct_size: int
    flags: int
    next: Any
    progress: Any
    user: Any
    regularizer: float
    tolerance: float
    target: float
    length_min: float
    length_max: float
    curvature: float
    twist: float
    stiffen: float
    step: float
    iterations: int
    bounds: int
    change_twist: int
    reserved: int
    lowest_mode_min: float
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("progress", progressCallback),
        ("user", c_void_p),
        ("regularizer", c_double),
        ("tolerance", c_double),
        ("target", c_double),
        ("length_min", c_double),
        ("length_max", c_double),
        ("curvature", c_double),
        ("twist", c_double),
        ("stiffen", c_double),
        ("step", c_double),
        ("iterations", c_uint32),
        ("bounds", c_uint32),
        ("change_twist", c_uint32),
        ("reserved", c_uint32),
        ("lowest_mode_min", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = "withy_rest_shape_def_init_sized"

progressCallback = CFUNCTYPE(c_uint32, c_void_p, c_uint32, c_uint32)


class SettleDef(Structure):
    """How to settle rods."""

    struct_size: int
    flags: int
    next: Any
    progress: Any
    user: Any
    tolerance: float
    iterations: int
    reserved: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("progress", progressCallback),
        ("user", c_void_p),
        ("tolerance", c_double),
        ("iterations", c_uint32),
        ("reserved", c_uint32),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = "withy_settle_def_init_sized"


class ElasticReport(Structure):
    """Whether a strand holds its pose, and what is known of its equilibrium."""

    answer: int
    reason: int
    iterations: int
    at_bounds: int
    unstable_modes: int
    stiffened: int
    residual: float
    acceleration: float
    lowest_mode: float
    stiffest: float
    _fields_ = [
        ("answer", c_uint32),
        ("reason", c_uint32),
        ("iterations", c_uint32),
        ("at_bounds", c_uint32),
        ("unstable_modes", c_uint32),
        ("stiffened", c_uint32),
        ("residual", c_double),
        ("acceleration", c_double),
        ("lowest_mode", c_double),
        ("stiffest", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class StrandIssue(Structure):
    """What was wrong with a strand at creation."""

    strand: int
    vertex: int
    kind: int
    reserved: int
    value: float
    _fields_ = [
        ("strand", c_uint32),
        ("vertex", c_uint32),
        ("kind", c_uint32),
        ("reserved", c_uint32),
        ("value", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class Span(Structure):
    """An array of the host: where it is, how many elements it has, and of which type. The function or
    field that takes it says what an element is: a number, a vector of 3 or a quaternion of 4
    numbers.

    As an input it is read during the call and not kept. A count of 0 means "none".

    As an output, set `count` to the room that the array has. The call sets it to the number of
    elements that the object has, and writes them. If `data` is NULL it only sets `count`. If there
    is too little room it writes nothing and fails with WITHY_ERROR_TOO_SMALL.
    """

    data: Any
    count: int
    stride: int
    format: int
    reserved: int
    _fields_ = [
        ("data", c_void_p),
        ("count", c_uint64),
        ("stride", c_uint64),
        ("format", c_uint32),
        ("reserved", c_uint32),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class Vec3(Structure):
    """A point, direction, velocity or force."""

    x: float
    y: float
    z: float
    _fields_ = [
        ("x", c_double),
        ("y", c_double),
        ("z", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class Quat(Structure):
    """A rotation. Its length must be 1 within 1 %; the library normalises it."""

    x: float
    y: float
    z: float
    w: float
    _fields_ = [
        ("x", c_double),
        ("y", c_double),
        ("z", c_double),
        ("w", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class Pose(Structure):
    """A position and a rotation: takes a local point x to rotation * x + position."""

    position: Vec3
    rotation: Quat
    _fields_ = [
        ("position", Vec3),
        ("rotation", Quat),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class WorldDef(Structure):
    """How to create a world. A step is divided into substeps, and a substep into iterations: more
    substeps follow fast motion better and make contacts and joints stiffer, more iterations bring
    the constraints closer to being met.
    """

    struct_size: int
    flags: int
    next: Any
    backend: int
    isa: int
    precision: int
    substeps: int
    iterations: int
    max_substeps: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("backend", c_uint32),
        ("isa", c_uint32),
        ("precision", c_uint32),
        ("substeps", c_uint32),
        ("iterations", c_uint32),
        ("max_substeps", c_uint32),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = "withy_world_def_init_sized"


class StrandEnd(Structure):
    """One end of one strand."""

    rods: int
    strand: int
    end: int
    _fields_ = [
        ("rods", c_uint64),
        ("strand", c_uint32),
        ("end", c_uint32),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class TriangleAttachmentDef(Structure):
    """How to tie a strand to a triangle."""

    struct_size: int
    flags: int
    next: Any
    end: StrandEnd
    mesh: int
    triangle: int
    reserved: int
    barycentric: Any
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("end", StrandEnd),
        ("mesh", c_uint64),
        ("triangle", c_uint32),
        ("reserved", c_uint32),
        ("barycentric", c_double * 3),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = "withy_triangle_attachment_def_init_sized"


class BodyAttachmentDef(Structure):
    """How to tie a strand to a body."""

    struct_size: int
    flags: int
    next: Any
    end: StrandEnd
    body: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("end", StrandEnd),
        ("body", c_uint64),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = "withy_body_attachment_def_init_sized"


class ShapeDef(Structure):
    """One shape of a body. Lengths are in host units. All shapes in an array must be filled by the
    same version of `withy_shape_def_init`.
    """

    struct_size: int
    flags: int
    next: Any
    shape: int
    category: int
    mask: int
    reserved: int
    pose: Pose
    radius: float
    radius_top: float
    half_height: float
    half_extents: Vec3
    density: float
    friction: float
    restitution: float
    stiffness: float
    damping: float
    rolling_friction: float
    torsional_friction: float
    positions: Span
    triangles: Span
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("shape", c_uint32),
        ("category", c_uint32),
        ("mask", c_uint32),
        ("reserved", c_uint32),
        ("pose", Pose),
        ("radius", c_double),
        ("radius_top", c_double),
        ("half_height", c_double),
        ("half_extents", Vec3),
        ("density", c_double),
        ("friction", c_double),
        ("restitution", c_double),
        ("stiffness", c_double),
        ("damping", c_double),
        ("rolling_friction", c_double),
        ("torsional_friction", c_double),
        ("positions", Span),
        ("triangles", Span),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {
        "positions": (3, "float"),
        "triangles": (3, "u32"),
    }
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = "withy_shape_def_init_sized"


class BodyDef(Structure):
    """How to create a body."""

    struct_size: int
    flags: int
    next: Any
    shapes: Any
    shape_count: int
    motion: int
    pose: Pose
    velocity: Vec3
    spin: Vec3
    mass: float
    center_of_mass: Vec3
    inertia: Any
    gravity_scale: float
    linear_damping: float
    angular_damping: float
    max_speed: float
    group: int
    can_sleep: int
    continuous: int
    reserved: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("shapes", c_void_p),
        ("shape_count", c_uint32),
        ("motion", c_uint32),
        ("pose", Pose),
        ("velocity", Vec3),
        ("spin", Vec3),
        ("mass", c_double),
        ("center_of_mass", Vec3),
        ("inertia", c_double * 6),
        ("gravity_scale", c_double),
        ("linear_damping", c_double),
        ("angular_damping", c_double),
        ("max_speed", c_double),
        ("group", c_uint32),
        ("can_sleep", c_uint32),
        ("continuous", c_uint32),
        ("reserved", c_uint32),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {"shapes": ("ShapeDef", "shape_count")}
    init: ClassVar[Optional[str]] = "withy_body_def_init_sized"


class Contact(Structure):
    """A point where two surfaces touch or nearly touch: they are less than 2 cm apart, or could meet
    within the step.
    """

    body_a: int
    body_b: int
    collider: int
    position: Vec3
    normal: Vec3
    separation: float
    impulse: float
    force: Vec3
    torque: Vec3
    approach: float
    _fields_ = [
        ("body_a", c_uint64),
        ("body_b", c_uint64),
        ("collider", c_uint64),
        ("position", Vec3),
        ("normal", Vec3),
        ("separation", c_double),
        ("impulse", c_double),
        ("force", Vec3),
        ("torque", Vec3),
        ("approach", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class CablePoint(Structure):
    """A point of a cable. It is fixed to its body where it is when the cable is created."""

    body: int
    position: Vec3
    axis: Vec3
    radius: float
    _fields_ = [
        ("body", c_uint64),
        ("position", Vec3),
        ("axis", Vec3),
        ("radius", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class ColliderDef(Structure):
    """How to create a collider. Lengths and positions are in host units. Every shape is centred on the
    pose.
    """

    struct_size: int
    flags: int
    next: Any
    shape: int
    category: int
    mask: int
    reserved: int
    pose: Pose
    radius: float
    half_height: float
    half_extents: Vec3
    friction: float
    radius_top: float
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("shape", c_uint32),
        ("category", c_uint32),
        ("mask", c_uint32),
        ("reserved", c_uint32),
        ("pose", Pose),
        ("radius", c_double),
        ("half_height", c_double),
        ("half_extents", Vec3),
        ("friction", c_double),
        ("radius_top", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = "withy_collider_def_init_sized"


class StepStats(Structure):
    """What the last step did. Times are in seconds of wall-clock time."""

    steps: int
    seconds_total: float
    seconds_prepare: float
    seconds_solve: float
    seconds_report: float
    largest_strain: float
    largest_strain_rods: int
    largest_strain_strand: int
    substeps: int
    iterations: int
    non_finite_strands: int
    kinked_strands: int
    limited_strands: int
    contacts: int
    reserved: int
    bodies: int
    awake_bodies: int
    islands: int
    body_contacts: int
    non_finite_bodies: int
    joints: int
    pairs_left_out: int
    seconds_bodies: float
    _fields_ = [
        ("steps", c_uint64),
        ("seconds_total", c_double),
        ("seconds_prepare", c_double),
        ("seconds_solve", c_double),
        ("seconds_report", c_double),
        ("largest_strain", c_double),
        ("largest_strain_rods", c_uint64),
        ("largest_strain_strand", c_uint32),
        ("substeps", c_uint32),
        ("iterations", c_uint32),
        ("non_finite_strands", c_uint32),
        ("kinked_strands", c_uint32),
        ("limited_strands", c_uint32),
        ("contacts", c_uint32),
        ("reserved", c_uint32),
        ("bodies", c_uint32),
        ("awake_bodies", c_uint32),
        ("islands", c_uint32),
        ("body_contacts", c_uint32),
        ("non_finite_bodies", c_uint32),
        ("joints", c_uint32),
        ("pairs_left_out", c_uint64),
        ("seconds_bodies", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class Motor(Structure):
    """A spring and a damper about each axis, between the frames of a joint of any kind but
    WITHY_JOINT_FIXED. It can be very stiff without shaking.

    A motor of damping alone, with a limit, is friction: such a hinge stays where it is left. It
    holds what needs less than `max_torque`, and slows down the rest by that torque. What it holds
    creeps, a limb by some 1e-4 rad/s, until it sleeps.

        WithyMotor friction;
        withy_motor_init(&friction);
        friction.damping[0] = friction.damping[1] = friction.damping[2] = INFINITY;
        friction.max_torque = 5;
        withy_joint_set_motor(joint, &friction);

    A joint has one motor. One that follows a target has friction only as its damping.
    """

    stiffness: Any
    damping: Any
    target: Quat
    speed: Any
    max_torque: float
    _fields_ = [
        ("stiffness", c_double * 3),
        ("damping", c_double * 3),
        ("target", Quat),
        ("speed", c_double * 3),
        ("max_torque", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = "withy_motor_init"


class JointDef(Structure):
    """How to create a joint."""

    struct_size: int
    flags: int
    next: Any
    body_a: int
    body_b: int
    frame_a: Pose
    frame_b: Pose
    kind: int
    collide: int
    swing: Any
    twist: Any
    least: float
    most: float
    arc: Arc
    motor: Any
    break_force: float
    break_torque: float
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("body_a", c_uint64),
        ("body_b", c_uint64),
        ("frame_a", Pose),
        ("frame_b", Pose),
        ("kind", c_uint32),
        ("collide", c_uint32),
        ("swing", c_double * 2),
        ("twist", c_double * 2),
        ("least", c_double),
        ("most", c_double),
        ("arc", Arc),
        ("motor", c_void_p),
        ("break_force", c_double),
        ("break_torque", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {"motor": ("Motor", None)}
    init: ClassVar[Optional[str]] = "withy_joint_def_init_sized"


class MeshDef(Structure):
    """How to create a mesh."""

    struct_size: int
    flags: int
    next: Any
    positions: Span
    triangles: Span
    inv_masses: Span
    extra_edges: Span
    edge_compliance: float
    drag: float
    friction: float
    category: int
    mask: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("positions", Span),
        ("triangles", Span),
        ("inv_masses", Span),
        ("extra_edges", Span),
        ("edge_compliance", c_double),
        ("drag", c_double),
        ("friction", c_double),
        ("category", c_uint32),
        ("mask", c_uint32),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {
        "positions": (3, "float"),
        "triangles": (3, "u32"),
        "inv_masses": (1, "float"),
        "extra_edges": (2, "u32"),
    }
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = "withy_mesh_def_init_sized"


class MuscleDef(Structure):
    """How to create a muscle."""

    struct_size: int
    flags: int
    next: Any
    positions: Span
    radii: Span
    origin: int
    insertion: int
    radius: float
    young_modulus: float
    poisson_ratio: float
    density: float
    damping: float
    viscosity: float
    friction: float
    bundle_stiffness: float
    shortest: float
    origin_tendon: float
    insertion_tendon: float
    tendon_modulus: float
    peak_force: float
    optimal_ratio: float
    max_velocity: float
    pennation: float
    strands: int
    mode: int
    category: int
    mask: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("positions", Span),
        ("radii", Span),
        ("origin", c_uint64),
        ("insertion", c_uint64),
        ("radius", c_double),
        ("young_modulus", c_double),
        ("poisson_ratio", c_double),
        ("density", c_double),
        ("damping", c_double),
        ("viscosity", c_double),
        ("friction", c_double),
        ("bundle_stiffness", c_double),
        ("shortest", c_double),
        ("origin_tendon", c_double),
        ("insertion_tendon", c_double),
        ("tendon_modulus", c_double),
        ("peak_force", c_double),
        ("optimal_ratio", c_double),
        ("max_velocity", c_double),
        ("pennation", c_double),
        ("strands", c_uint32),
        ("mode", c_uint32),
        ("category", c_uint32),
        ("mask", c_uint32),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {
        "positions": (3, "float"),
        "radii": (1, "float"),
    }
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = "withy_muscle_def_init_sized"


class MuscleEnd(Structure):
    """Where a muscle begins or ends. Give its points, its vertices or a plane. Without any of them the
    end is found: it is the tip that is farthest from the other end along the muscle, with the tips
    of other heads.
    """

    points: Span
    vertices: Span
    plane_point: Vec3
    plane_normal: Vec3
    _fields_ = [
        ("points", Span),
        ("vertices", Span),
        ("plane_point", Vec3),
        ("plane_normal", Vec3),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {
        "points": (3, "float"),
        "vertices": (1, "u32"),
    }
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class MuscleMeshDef(Structure):
    """How to turn the surface of a muscle into strands."""

    struct_size: int
    flags: int
    next: Any
    positions: Span
    triangles: Span
    origin: MuscleEnd
    insertion: MuscleEnd
    strands: int
    slices: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("positions", Span),
        ("triangles", Span),
        ("origin", MuscleEnd),
        ("insertion", MuscleEnd),
        ("strands", c_uint32),
        ("slices", c_uint32),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {
        "positions": (3, "float"),
        "triangles": (3, "u32"),
    }
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = "withy_muscle_mesh_def_init_sized"


class RegionDef(Structure):
    """A chain of bones of which only the first and the last have bodies, with one arc between them.
    All regions in an array must be filled by the same version of the init function.
    """

    struct_size: int
    flags: int
    next: Any
    first: int
    last: int
    anchor_a: Vec3
    anchor_b: Vec3
    axis: Vec3
    arc: Arc
    swing: Any
    twist: Any
    rest: int
    read_back: int
    collide: int
    reserved: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("first", c_uint32),
        ("last", c_uint32),
        ("anchor_a", Vec3),
        ("anchor_b", Vec3),
        ("axis", Vec3),
        ("arc", Arc),
        ("swing", c_double * 2),
        ("twist", c_double * 2),
        ("rest", c_uint32),
        ("read_back", c_uint32),
        ("collide", c_uint32),
        ("reserved", c_uint32),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = "withy_region_def_init_sized"


class RagdollDef(Structure):
    """How to create a set of ragdolls."""

    struct_size: int
    flags: int
    next: Any
    parents: Span
    positions: Span
    rotations: Span
    bodies: Any
    regions: Any
    body_count: int
    region_count: int
    apart: Span
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("parents", Span),
        ("positions", Span),
        ("rotations", Span),
        ("bodies", c_void_p),
        ("regions", c_void_p),
        ("body_count", c_uint32),
        ("region_count", c_uint32),
        ("apart", Span),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {
        "parents": (1, "u32"),
        "positions": (3, "float"),
        "rotations": (4, "float"),
        "apart": (2, "u32"),
    }
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {"bodies": ("RagdollBodyDef", "body_count"), "regions": ("RegionDef", "region_count")}
    init: ClassVar[Optional[str]] = "withy_ragdoll_def_init_sized"


class RagdollDrive(Structure):
    """How strongly motors pull the joints towards a target pose. Limits of joints hold all the same.
    Fill it with `withy_ragdoll_drive_init`. It has no size field; it never changes.
    """

    stiffness: float
    damping: float
    max_torque: float
    scale: Span
    _fields_ = [
        ("stiffness", c_double),
        ("damping", c_double),
        ("max_torque", c_double),
        ("scale", Span),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {
        "scale": (1, "float"),
    }
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = "withy_ragdoll_drive_init"


class RenderHairDef(Structure):
    """How to create render hair: from the strands of a groom (`positions` and `counts`), or made
    between the guides (`per_guide`).
    """

    struct_size: int
    flags: int
    next: Any
    rods: Any
    rods_count: int
    per_guide: int
    positions: Span
    counts: Span
    widths: Span
    guides: Span
    weights: Span
    scalp_positions: Span
    scalp_triangles: Span
    seed: int
    vertices: int
    reserved: int
    clump: float
    shorten: float
    width: float
    parting: float
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("rods", c_void_p),
        ("rods_count", c_uint32),
        ("per_guide", c_uint32),
        ("positions", Span),
        ("counts", Span),
        ("widths", Span),
        ("guides", Span),
        ("weights", Span),
        ("scalp_positions", Span),
        ("scalp_triangles", Span),
        ("seed", c_uint64),
        ("vertices", c_uint32),
        ("reserved", c_uint32),
        ("clump", c_double),
        ("shorten", c_double),
        ("width", c_double),
        ("parting", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {
        "positions": (3, "float"),
        "counts": (1, "u32"),
        "widths": (1, "float"),
        "guides": (3, "u32"),
        "weights": (3, "float"),
        "scalp_positions": (3, "float"),
        "scalp_triangles": (3, "u32"),
    }
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {"rods": ("Rods", "rods_count")}
    init: ClassVar[Optional[str]] = "withy_render_hair_def_init_sized"


class RodsDef(Structure):
    """How to create a set of rods. Lengths, positions and velocities are in host units; moduli,
    density and rates are in SI units with every convention. `positions`, `counts` and a radius are
    required.
    """

    struct_size: int
    flags: int
    next: Any
    positions: Span
    counts: Span
    rest_positions: Span
    velocities: Span
    radii: Span
    section_axes: Span
    stiffness_scale: Span
    rest_lengths: Span
    rest_darboux: Span
    radius: float
    aspect: float
    young_modulus: float
    shear_modulus: float
    alpha_bend1: float
    alpha_bend2: float
    alpha_twist: float
    alpha_stretch: float
    density: float
    ghost_distance: float
    ghost_mass_ratio: float
    damping: float
    drag: float
    wind: Vec3
    friction: float
    collision_radius: float
    max_speed: float
    stiffness: int
    rest_shape: int
    order: int
    root: int
    tip: int
    iterations: int
    category: int
    mask: int
    model: int
    integrator: int
    stretch_modulus: float
    viscosity: float
    poisson_ratio: float
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("positions", Span),
        ("counts", Span),
        ("rest_positions", Span),
        ("velocities", Span),
        ("radii", Span),
        ("section_axes", Span),
        ("stiffness_scale", Span),
        ("rest_lengths", Span),
        ("rest_darboux", Span),
        ("radius", c_double),
        ("aspect", c_double),
        ("young_modulus", c_double),
        ("shear_modulus", c_double),
        ("alpha_bend1", c_double),
        ("alpha_bend2", c_double),
        ("alpha_twist", c_double),
        ("alpha_stretch", c_double),
        ("density", c_double),
        ("ghost_distance", c_double),
        ("ghost_mass_ratio", c_double),
        ("damping", c_double),
        ("drag", c_double),
        ("wind", Vec3),
        ("friction", c_double),
        ("collision_radius", c_double),
        ("max_speed", c_double),
        ("stiffness", c_uint32),
        ("rest_shape", c_uint32),
        ("order", c_uint32),
        ("root", c_uint32),
        ("tip", c_uint32),
        ("iterations", c_uint32),
        ("category", c_uint32),
        ("mask", c_uint32),
        ("model", c_uint32),
        ("integrator", c_uint32),
        ("stretch_modulus", c_double),
        ("viscosity", c_double),
        ("poisson_ratio", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {
        "positions": (3, "float"),
        "counts": (1, "u32"),
        "rest_positions": (3, "float"),
        "velocities": (3, "float"),
        "radii": (1, "float"),
        "section_axes": (3, "float"),
        "stiffness_scale": (1, "float"),
        "rest_lengths": (1, "float"),
        "rest_darboux": (3, "float"),
    }
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = "withy_rods_def_init_sized"


class SkinDef(Structure):
    """How to create a skin."""

    struct_size: int
    flags: int
    next: Any
    positions: Span
    triangles: Span
    normals: Span
    tangents: Span
    rods: Any
    rods_count: int
    reserved: int
    edges: Span
    weights: Span
    softness: float
    fairing: float
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("positions", Span),
        ("triangles", Span),
        ("normals", Span),
        ("tangents", Span),
        ("rods", c_void_p),
        ("rods_count", c_uint32),
        ("reserved", c_uint32),
        ("edges", Span),
        ("weights", Span),
        ("softness", c_double),
        ("fairing", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {
        "positions": (3, "float"),
        "triangles": (3, "u32"),
        "normals": (3, "float"),
        "tangents": (3, "float"),
        "edges": (4, "u32"),
        "weights": (4, "float"),
    }
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {"rods": ("Rods", "rods_count")}
    init: ClassVar[Optional[str]] = "withy_skin_def_init_sized"


class JunctionDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyJunctionDef. L is the host's unit of length."""

    #: default 0
    flags: int

    #: `end_count` different ends, all in one world.
    ends: Any

    #: 2 to 65,536.
    #: [2, 65536]; default 0
    end_count: int

    #: Size of the small body that joins the ends, host units, [1e-9, 1e3] m: with the mass it gives
    #: the resistance to turning. 0 (the default): the mean length of the edges that meet.
    #: L; [1e-9, 1000]; 0: the mean length of the edges that meet; default 0
    radius: float

    #: Mass of that body, kg, [1e-12, 1e9]. 0 (the default): the mass of the vertices that meet;
    #: they keep theirs.
    #: kg; [1e-12, 1e9]; 0: that of the vertices that meet; default 0
    mass: float


class CableDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyCableDef. L is the host's unit of length."""

    #: default 0
    flags: int

    #: `point_count` points, from one end to the other. Required.
    points: Any

    #: 2 to 256.
    #: [2, 256]
    point_count: int

    #: Length, host units, [1e-6, 1e6] m. 0 (the default): that of its way at creation.
    #: L; [1e-6, 1e6]; 0: that of its way; default 0
    length: float

    #: Force that would stretch it to twice its length, EA, N, [1e-3, 1e15]. 0 (the default): it
    #: does not stretch.
    #: N; [0.001, 1e15]; 0: does not stretch; default 0
    stiffness: float

    #: Tension at which it breaks, N, more than 0. Default: infinity, it never does.
    #: N; [0, inf]; default inf
    break_force: float


class ContextDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyContextDef. L is the host's unit of length."""

    #: default 0
    flags: int

    #: A WITHY_CONVENTION_ value: units and axes of the host. Default: WITHY_CONVENTION_SI.
    #: default 0
    convention: Union[Convention, int]

    #: Threads of the library's own pool, which all worlds of the context share, at most 1024. 0
    #: (the default): none, the thread that calls `withy_world_step` does all the work.
    #: WITHY_THREADS_ALL: as many as the machine has. Results are the same with any number.
    #: [1, 1024]; 0: the calling thread alone; default 0
    threads: int

    #: Length of the host's unit in metres, [1e-6, 1e6]. 0 (the default): 1, or 0.01 for the
    #: conventions in centimetres.
    #: m; [1e-6, 1e6]; 0: the convention's own; default 0
    metres_per_unit: float

    #: The host's worker threads instead of a pool: `threads` must then be 0. NULL (the default):
    #: none. The struct is copied.
    tasks: Any


class ArcFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyArc. L is the host's unit of length."""

    #: Host units, [1e-9, 1e9] m. 0 (the default): the length of the arc through both frames as they
    #: are.
    #: L; [1e-9, 1e9]; 0: that of the arc through both frames; default 0
    length: float

    #: Bending stiffness EI about d1 and d2, N m^2 with every convention, 0 or more. INFINITY: it
    #: does not bend. Default: 0.
    #: N m^2; [0, inf]; default 0
    bend: Union[float, Sequence[float]]

    #: Twisting stiffness GJ, N m^2 with every convention, 0 or more. INFINITY: it does not twist.
    #: Default: 0.
    #: N m^2; [0, inf]; default 0
    twist: float

    #: Internal friction, s, [0, 1e6]: the viscosity over the stiffness (Kelvin-Voigt). Default: 0.
    #: s; [0, 1e6]; default 0
    viscosity: float

    #: Bend about d1 and d2, and twist about d3, at rest, rad over the whole length, each within
    #: half a turn. Default: 0, straight.
    #: rad; [-3.141592653589793, 3.141592653589793]; default 0
    rest: Union[float, Sequence[float]]

    #: With WITHY_JOINT_ARC_RELAXATION: the part of the bend, and of the twist, that an iteration
    #: takes back, [0, 1] (Lewin 2013). The effect depends on the step and the iterations.
    #: [0, 1]; default 0
    relaxation: Union[float, Sequence[float]]


class RagdollBodyDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyRagdollBodyDef. L is the host's unit of length."""

    #: WITHY_RAGDOLL_BODY_PARENT_FRAME, or 0 (the default).
    #: default 0
    flags: Union[RagdollBodyFlags, int]

    #: Shapes, mass and motion; its pose, velocity and spin are not used. Required. With
    #: WITHY_BODY_KINEMATIC the animation moves the body until it is let go.
    body: Any

    #: What connects it to the body on the nearest bone above: any joint but an arc. `frame_b` is in
    #: this bone; `body_a` and `body_b` are null. NULL: nothing. A region's arc replaces it.
    joint: Any

    #: The number of its bone.
    #: default 0
    bone: int


class RenderHairLodDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyRenderHairLodDef. L is the host's unit of length."""

    #: Must be 0.
    #: default 0
    flags: int

    #: Share of the strands that are read, (0, 1], in a fixed random order: one at least. Widths
    #: grow as strands get fewer, so that they cover as much. Default: 1.
    #: [0, 1]; default 1
    strands: float

    #: Share of the edges of each strand, (0, 1]: one at least. Its ends stay. Default: 1.
    #: [0, 1]; default 1
    vertices: float

    #: Factor of the widths, [0, 1000]. Default: 1.
    #: [0, 1000]; default 1
    width: float


class RestShapeDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyRestShapeDef. L is the host's unit of length."""

    #: default 0
    flags: int

    #: Called several times a second on the calling thread, with the number of strands that are
    #: done, and of all. Return 0 to go on. Anything else cancels: strands that were not done keep
    #: their rest shape. The world is busy meanwhile. NULL (the default): none.
    progress: Any

    #: Passed to `progress`.
    user: Any

    #: With a `target` of 0: weight of the distance from the first rest shape. Otherwise it only
    #: damps the search. 1e-15 to 1e15. Default: 1e-5.
    #: [1e-15, 1e15]; default 0.00001
    regularizer: float

    #: With a `target` of 0: the change of the rest shape below which the search ends, 0 to 1e15.
    #: Default: 1e-5.
    #: [0, 1e15]; default 0.00001
    tolerance: float

    #: The force that may be left, as in `WithyElasticReport.residual`; a thousandth of that of the
    #: loads where that is less. 0: the minimum of the paper, which is not quite an equilibrium. 0
    #: to 1e15. Default: 1e-6.
    #: m/s^2 kg^0.5; [0, 1e15]; 0: the paper's minimum; default 1e-6
    target: float

    #: Rest lengths stay above this multiple of the first ones, 0 to 1e6. Default: 0.1.
    #: [0, 1e6]; default 0.1
    length_min: float

    #: Rest lengths stay below this multiple of the first ones, up to 1e6. Default: 1.1.
    #: [0, 1e6]; default 1.1
    length_max: float

    #: The largest change of a rest curvature, 0 to 1e15. A curvature is twice the tangent of half
    #: the angle between two edges. Default: 1.4142, a change by 70 degrees.
    #: [0, 1e15]; default 1.4142135623730951
    curvature: float

    #: The largest change of a rest twist, rad, 0 to 1e15. Default: pi/8. (WITHY_MODEL_GHOST: at
    #: least `curvature`.)
    #: rad; [0, 1e15]; default 0.39269908169872414
    twist: float

    #: The largest factor by which a strand may be made stiffer if it would not hold its pose
    #: otherwise, 1 to 1e15. Only the vertices that need it become stiffer, and no more than they
    #: need. The stiffness factors of the rods are multiplied, and stay until the host sets others.
    #: It takes longer: a second for a strand of 100 vertices. Not for strands of more than 1000
    #: vertices. 0 (the default): none.
    #: [1, 1e15]; 0: not at all; default 0
    stiffen: float

    #: Length of the steps to come, s, 1e-6 to 10. The rest shape holds for steps of this length and
    #: shorter ones. 0 (the default): as long as the last step; 1/60 s before the first.
    #: s; [1e-6, 10]; 0: as long as the last step; default 0
    step: float

    #: Iterations of the search, 1 to 1e6. Only strands that are pinned between their ends, or that
    #: meet their bounds, need any. Default: 500.
    #: [1, 1e6]; default 500
    iterations: int

    #: A WITHY_BOUNDS_ value. Default: WITHY_BOUNDS_EXACT.
    #: default 1
    bounds: Union[Bounds, int]

    #: 1 (the default): rest twists may change. 0: they stay.
    #: default 1
    change_twist: bool

    #: With `stiffen`: how firmly a strand must hold its pose, as the least
    #: `WithyElasticReport.lowest_mode`, 1/s^2, 0 to 1e15. A limp strand of 25 cm that hangs down
    #: has 57. 0 (the default): just stable.
    #: 1/s^2; [0, 1e15]; 0: just stable; default 0; with stiffen 1
    lowest_mode_min: float


class SettleDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithySettleDef. L is the host's unit of length."""

    #: default 0
    flags: int

    #: Called several times a second on the calling thread, with the number of strands that are
    #: done, and of all. Return 0 to go on. Anything else cancels: strands that were not done stay
    #: where they are. The world is busy meanwhile. NULL (the default): none.
    progress: Any

    #: Passed to `progress`.
    user: Any

    #: The force that may be left, as in `WithyElasticReport.residual`, 0 to 1e9. Default: 1e-6.
    #: m/s^2 kg^0.5; [0, 1e9]; default 1e-6
    tolerance: float

    #: Steps of Newton's method, 1 to 1e6. Default: 100, plenty for most strands.
    #: [1, 1e6]; default 100
    iterations: int


class WorldDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyWorldDef. L is the host's unit of length."""

    #: default 0
    flags: int

    #: A WITHY_BACKEND_ value. Default: WITHY_BACKEND_CPU.
    #: default 0
    backend: Union[Backend, int]

    #: A WITHY_ISA_ value. Default: WITHY_ISA_AUTO. All give the same results.
    #: default 0
    isa: Union[Isa, int]

    #: A WITHY_PRECISION_ value. Default: WITHY_PRECISION_F32.
    #: default 0
    precision: Union[Precision, int]

    #: Substeps of each step, 1 to 65,536. Default: 8, good for 60 steps a second.
    #: [1, 65536]; default 8
    substeps: int

    #: Iterations of each substep, 1 to 10,000. Default: 4. It is for rods that are swept, bodies
    #: and joints. Rods that are solved directly have their own number, `WithyRodsDef.iterations`.
    #: [1, 10000]; default 4
    iterations: int

    #: The most substeps of a long step, up to 65,536. A step of more than 0.05 s, as after a frame
    #: that took too long, has more substeps, so that none is longer than in a step of 0.05 s. With
    #: `substeps` or less a long step has no more than a usual one. 0 (the default): 16 times
    #: `substeps`.
    #: [0, 65536]; 0: 16 times `substeps`; default 0
    max_substeps: int


class TriangleAttachmentDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyTriangleAttachmentDef. L is the host's unit of length."""

    #: WITHY_ATTACH_CLAMPED, or 0 (the default).
    #: default 0
    flags: Union[AttachFlags, int]

    #: The end that is tied. Required.
    end: Any

    #: In the same world. Required.
    mesh: Any

    #: The number of the triangle in the mesh. Default: 0.
    #: default 0
    triangle: int

    #: Where on the triangle, as weights of its three vertices. They add up to 1 within 1e-3.
    #: Default: the middle.
    #: default 0.3333333333333333
    barycentric: Union[float, Sequence[float]]


class BodyAttachmentDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyBodyAttachmentDef. L is the host's unit of length."""

    #: WITHY_ATTACH_CLAMPED, or 0 (the default).
    #: default 0
    flags: Union[AttachFlags, int]

    #: The end that is tied. Required.
    end: Any

    #: In the same world. Required.
    body: Any


class ShapeDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyShapeDef. L is the host's unit of length."""

    #: default 0
    flags: int

    #: A WITHY_SHAPE_ value. Default: WITHY_SHAPE_SPHERE.
    #: default 1
    shape: Union[Shape, int]

    #: The layers that the shape is in. Default: 1.
    #: bits; default 1
    category: int

    #: The layers that it meets, as in WithyRodsDef. Default: all.
    #: bits; default 4.294967295e9
    mask: int

    #: Where the shape is in the frame of the body. Default: identity.
    #: L; default identity
    pose: Tuple[Sequence[float], Sequence[float]]

    #: [1e-9, 1e6] m, for shapes that need it.
    #: L; [1e-9, 1e6]; default 0; with shape WITHY_SHAPE_SPHERE
    radius: float

    #: [1e-9, 1e6] m, for tapered capsules.
    #: L; [1e-9, 1e6]; default 0; with shape WITHY_SHAPE_TAPERED_CAPSULE
    radius_top: float

    #: [0, 1e6] m, for capsules; along local up, without the caps.
    #: L; [0, 1e6]; default 0; with shape WITHY_SHAPE_CAPSULE
    half_height: float

    #: [1e-9, 1e6] m, for boxes.
    #: L; [1e-9, 1e6]; with shape WITHY_SHAPE_BOX
    half_extents: Sequence[float]

    #: kg/m^3, [1e-3, 1e6]. Default: 1000, water.
    #: kg/m^3; [0.001, 1e6]; default 1000
    density: float

    #: Coulomb's coefficient, [0, 1e3]. A contact has the geometric mean of both sides. Default:
    #: 0.6.
    #: [0, 1000]; default 0.6
    friction: float

    #: How much it bounces: speed after an impact over the speed before, [0, 1]. The larger one of
    #: both sides counts. Default: 0.
    #: [0, 1]; default 0
    restitution: float

    #: Makes the surface soft: each contact point yields like a spring of this stiffness, N/m,
    #: [1e-6, 1e9]. Two soft shapes are two springs, one behind the other. A soft contact ignores
    #: `restitution`. 0 (the default): hard.
    #: N/m; [1e-6, 1e9]; 0: does not yield; default 0
    stiffness: float

    #: The damper beside that spring, N s/m, [0, 1e9]. Default: 0.
    #: N s/m; [0, 1e9]; default 0; with stiffness 1
    damping: float

    #: Resists rolling: a torque of at most this times pressure and radius, [0, 1e3]. A ball that
    #: rolls slows down by 5/7 of this times gravity. Of both sides the larger counts. Flat shapes
    #: have no radius. Default: 0.
    #: [0, 1000]; default 0
    rolling_friction: float

    #: Resists turning in place: the same about the normal. Default: 0.
    #: [0, 1000]; default 0
    torsional_friction: float

    #: Vectors: the points of a hull, 4 to 2^20 (it keeps the 255 outermost at most), or the
    #: vertices of a mesh.
    #: 3 numbers per point; L; with shape WITHY_SHAPE_HULL
    positions: ArrayLike

    #: Triples of u32, for a mesh. Seen from outside they run counterclockwise; in Unity clockwise.
    #: 3 u32 per triangle; with shape WITHY_SHAPE_MESH
    triangles: ArrayLike


class BodyDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyBodyDef. L is the host's unit of length."""

    #: WITHY_BODY_INERTIA, or 0 (the default).
    #: default 0
    flags: Union[BodyFlags, int]

    #: `shape_count` shapes. A body without shapes touches nothing.
    shapes: Any

    #: At most 4096.
    #: [0, 4096]; default 0
    shape_count: int

    #: WITHY_BODY_STATIC, WITHY_BODY_KINEMATIC or WITHY_BODY_DYNAMIC (the default).
    #: default 2
    motion: Union[Motion, int]

    #: Where its frame is. Default: identity.
    #: L; default identity
    pose: Tuple[Sequence[float], Sequence[float]]

    #: Velocity of the centre of mass, host units/s. Default: 0. For dynamic bodies, as is `spin`.
    #: L/s; [-1e9, 1e9]; default 0
    velocity: Sequence[float]

    #: Angular velocity, rad/s, about the axes of the world. Default: 0.
    #: rad/s; [-1e9, 1e9]; default 0
    spin: Sequence[float]

    #: kg, [1e-9, 1e12]. 0 (the default): it follows from the densities of the shapes. Else their
    #: mass and inertia are scaled to this mass.
    #: kg; [1e-9, 1e12]; 0: from the shapes' densities; default 0
    mass: float

    #: With WITHY_BODY_INERTIA: in the frame of the body, host units.
    #: L; [-1e9, 1e9]; with flags WITHY_BODY_INERTIA
    center_of_mass: Sequence[float]

    #: With WITHY_BODY_INERTIA: the inertia tensor about the centre of mass, in the axes of the
    #: frame, kg m^2 with every convention, as xx, yy, zz, xy, xz, yz. The last three are entries of
    #: the tensor: minus the sum of m x y, and so on. Principal moments are within [1e-15, 1e18],
    #: and none is larger than the sum of the other two.
    #: kg m^2; default 0; with flags WITHY_BODY_INERTIA
    inertia: Union[float, Sequence[float]]

    #: Factor of the gravity, [-1e6, 1e6]. Default: 1.
    #: [-1e6, 1e6]; default 1
    gravity_scale: float

    #: Rate at which the velocity dies, 1/s, [0, 1e9]: a body that falls approaches gravity over
    #: this. Default: 0.
    #: 1/s; [0, 1e9]; default 0
    linear_damping: float

    #: Rate at which the spin dies, 1/s, [0, 1e9]. Default: 0.05.
    #: 1/s; [0, 1e9]; default 0.05
    angular_damping: float

    #: Speed limit, [1e-3, 1e9] m/s: a faster body is slowed down to it. 0 (the default): 500 m/s.
    #: L/s; [0.001, 1e9]; 0: 500 m/s; default 0
    max_speed: float

    #: Bodies with the same group do not collide with each other. 0 (the default): no group.
    #: 0: none; default 0
    group: int

    #: 1 (the default): the body falls asleep, and costs next to nothing, once it and all that it
    #: touches have rested for half a second. 0: never.
    #: default 1
    can_sleep: bool

    #: 1 (the default): it does not pass through static and kinematic bodies, however fast it flies.
    #: 0: it may. Two moving bodies never pass through each other on a straight way.
    #: default 1
    continuous: bool


class CablePointFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyCablePoint. L is the host's unit of length."""

    #: A null handle: the point is fixed to the world.
    #: 0: the world
    body: Any

    #: In world space, host units: the point, or the middle of a wheel.
    #: L
    position: Sequence[float]

    #: Of a wheel: its axis, of any length. Around it the cable goes by the right-hand rule
    #: (left-hand in hosts with left-handed axes).
    #: with radius 1
    axis: Sequence[float]

    #: Radius of a wheel, host units, [1e-6, 1e3] m. 0: a ring that the cable slides through, or an
    #: end. A wheel turns freely and weighs nothing. The cable may lie on three quarters of it, and
    #: be unwound by a quarter turn past straight: beyond that its length jumps by the
    #: circumference.
    #: L; [1e-6, 1000]; 0: a ring or an end; default 0
    radius: float


class ColliderDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyColliderDef. L is the host's unit of length."""

    #: default 0
    flags: int

    #: A WITHY_SHAPE_ value, up to WITHY_SHAPE_TAPERED_CAPSULE. Default: WITHY_SHAPE_PLANE.
    #: default 0
    shape: Union[Shape, int]

    #: The layers that the collider is in. Default: 1.
    #: bits; default 1
    category: int

    #: The layers that it meets, as in WithyRodsDef. Default: all.
    #: bits; default 4.294967295e9
    mask: int

    #: Where it is. Default: identity.
    #: L; default identity
    pose: Tuple[Sequence[float], Sequence[float]]

    #: [1e-9, 1e6] m, for shapes that need it.
    #: L; [1e-9, 1e6]; default 0; with shape WITHY_SHAPE_SPHERE
    radius: float

    #: [0, 1e6] m, for capsules; without the caps.
    #: L; [0, 1e6]; default 0; with shape WITHY_SHAPE_CAPSULE
    half_height: float

    #: [1e-9, 1e6] m, for boxes.
    #: L; [1e-9, 1e6]; with shape WITHY_SHAPE_BOX
    half_extents: Sequence[float]

    #: Coulomb's coefficient, [0, 1e3]. A contact has the geometric mean of both sides. Default:
    #: 0.5.
    #: [0, 1000]; default 0.5
    friction: float

    #: [1e-9, 1e6] m, for tapered capsules.
    #: L; [1e-9, 1e6]; default 0; with shape WITHY_SHAPE_TAPERED_CAPSULE
    radius_top: float


class MotorFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyMotor. L is the host's unit of length."""

    #: N m/rad, 0 or more. INFINITY: as stiff as the solver can make it. Default: 0.
    #: N m/rad; [0, inf]; default 0
    stiffness: Union[float, Sequence[float]]

    #: N m s/rad, 0 or more. INFINITY: the spin is `speed`. Default: 0.
    #: N m s/rad; [0, inf]; default 0
    damping: Union[float, Sequence[float]]

    #: Rotation of frame b in frame a that the stiffness pulls to, at the end of the next step. The
    #: target moves there evenly during the step. Default: identity.
    #: default identity
    target: Sequence[float]

    #: Spin of b in a, about d1, d2, d3 of frame a, that the damping pulls to, rad/s, [-1e6, 1e6].
    #: Default: 0.
    #: rad/s; [-1e6, 1e6]; default 0
    speed: Union[float, Sequence[float]]

    #: Limit of the torque about all three axes together, N m, 0 or more. INFINITY (the default): no
    #: limit.
    #: N m; [0, inf]; default inf
    max_torque: float


class JointDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyJointDef. L is the host's unit of length."""

    #: WITHY_JOINT_ flags, or 0 (the default).
    #: default 0
    flags: Union[JointFlags, int]

    #: The first body. Null (the default): the world.
    #: 0: the world
    body_a: Any

    #: The second body, in the same world. Required.
    body_b: Any

    #: In the frame of body_a, or in the world if there is none. Default: identity.
    #: L; default identity
    frame_a: Tuple[Sequence[float], Sequence[float]]

    #: In the frame of body_b. Default: identity.
    #: L; default identity
    frame_b: Tuple[Sequence[float], Sequence[float]]

    #: A WITHY_JOINT_ kind. Default: WITHY_JOINT_BALL.
    #: default 0
    kind: Union[JointKind, int]

    #: 1: the two bodies may touch. 0 (the default): they do not collide as long as the joint is
    #: enabled.
    #: default 0
    collide: bool

    #: Of a ball: half angles of the cone in which d3 swings, about d1 and d2, [0, pi] rad. Of an
    #: arc: the same for its bend over the whole length, from straight. pi for both (the default):
    #: no limit.
    #: rad; [0, 3.141592653589793]; default 3.141592653589793
    swing: Union[float, Sequence[float]]

    #: Of a ball, a hinge or an arc: least and most angle about d3, [-pi, pi] rad. A hinge counts
    #: its turns: [-20 pi, 20 pi] rad, or infinite. -pi and pi (the default): no limit.
    #: rad; [-62.83185307179586, 62.83185307179586]; default [-3.141592653589793,3.141592653589793]
    twist: Union[float, Sequence[float]]

    #: Of a distance joint: least distance, host units, [0, 1e9] m. Default: 0.
    #: L; [0, 1e9]; default 0; with kind WITHY_JOINT_DISTANCE
    least: float

    #: Of a distance joint: largest distance, host units, [0, 1e9] m. Default: 0.
    #: L; [0, 1e9]; default 0; with kind WITHY_JOINT_DISTANCE
    most: float

    #: Of an arc: the rod.
    #: with kind WITHY_JOINT_ARC
    arc: Any

    #: NULL (the default): none. The struct is copied.
    motor: Any

    #: The joint breaks where its force, as `withy_joint_get_force` tells it, is larger in a step,
    #: N, above 0. It is then switched off and `withy_world_read_broken_joints` names it. INFINITY
    #: (the default): never.
    #: N; [0, inf]; default inf
    break_force: float

    #: The same for the torque, N m, above 0. INFINITY (the default): never.
    #: N m; [0, inf]; default inf
    break_torque: float


class MeshDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyMeshDef. L is the host's unit of length."""

    #: WITHY_MESH_ flags, or 0 (the default).
    #: default 0
    flags: Union[MeshFlags, int]

    #: Vectors, host units, 1 to 2^24 vertices. Required.
    #: 3 numbers per mesh vertex; L
    positions: ArrayLike

    #: Triples of u32. Required.
    #: 3 u32 per triangle
    triangles: ArrayLike

    #: Numbers, one a vertex: 1/mass, 1/kg, [0, 1e12]. 0: only the host moves this vertex. Default:
    #: none, 0 for all.
    #: 1 number per mesh vertex; 1/kg; [0, 1e12]
    inv_masses: ArrayLike

    #: Pairs of u32: more springs, such as the diagonals of a box. Default: none.
    #: 2 u32 per pair
    extra_edges: ArrayLike

    #: With WITHY_MESH_ELASTIC: how far an edge gives, m/N, [0, 1e12]. Default: 0, rigid.
    #: m/N; [0, 1e12]; default 0; with flags WITHY_MESH_ELASTIC
    edge_compliance: float

    #: With WITHY_MESH_ELASTIC: rate at which the motion of the vertices dies, 1/s, [0, 1e9].
    #: Default: 0.
    #: 1/s; [0, 1e9]; default 0; with flags WITHY_MESH_ELASTIC
    drag: float

    #: With WITHY_MESH_COLLIDES: Coulomb's coefficient, [0, 1e3]. A contact has the geometric mean
    #: of both sides. Default: 0.5.
    #: [0, 1000]; default 0.5; with flags WITHY_MESH_COLLIDES
    friction: float

    #: With WITHY_MESH_COLLIDES: the layers that the mesh is in. Default: 1.
    #: bits; default 1; with flags WITHY_MESH_COLLIDES
    category: int

    #: With WITHY_MESH_COLLIDES: the layers that it meets, as in WithyRodsDef. Default: all.
    #: bits; default 4.294967295e9; with flags WITHY_MESH_COLLIDES
    mask: int


class MuscleDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyMuscleDef. L is the host's unit of length."""

    #: WITHY_MUSCLE_CLAMPED, WITHY_RODS_SAG_FREE, WITHY_RODS_ONE_WAY, WITHY_RODS_SELF_CONTACT and
    #: WITHY_RODS_STAY_AWAKE, or 0 (the default).
    #: default 0
    flags: Union[RodsFlags, int]

    #: Vectors: the vertices now, strand after strand, each from the origin to the insertion. All
    #: strands have as many: `positions.count / strands`. Required.
    #: 3 numbers per vertex; L
    positions: ArrayLike

    #: Numbers, one a vertex: radii of the strands, in place of `radius` and in its range. Default:
    #: none.
    #: 1 number per vertex; L; [1e-7, 1000]
    radii: ArrayLike

    #: The body that holds the first vertices of all strands, where they are now. A null handle (the
    #: default): nothing holds them.
    origin: Any

    #: The body that holds the last vertices. It is not the origin's. A null handle (the default):
    #: nothing holds them.
    insertion: Any

    #: Radius of the strands, [1e-7, 1e3] m. Required, unless `radii` is given.
    #: L; [1e-7, 1000]; 0: radii; default 0
    radius: float

    #: Young's modulus, Pa, [1, 1e12]. Default: 6e4, a muscle at rest. Tendon: 1e9.
    #: Pa; [1, 1e12]; default 60000
    young_modulus: float

    #: Poisson's ratio, [0.001, 0.4999]. Default: 0.499, the volume stays within a percent.
    #: [0.001, 0.4999]; default 0.499
    poisson_ratio: float

    #: kg/m^3, [1e-3, 1e6]. Default: 1060.
    #: kg/m^3; [0.001, 1e6]; default 1060
    density: float

    #: Rate at which motion within a strand dies, 1/s, [0, 1e9]. Default: 2.
    #: 1/s; [0, 1e9]; default 2
    damping: float

    #: Time in which the tissue forgets how fast it is deformed, s, [0, 1e3]. It slows down changes
    #: of shape. Default: 0.01.
    #: s; [0, 1000]; default 0.01
    viscosity: float

    #: Coulomb's coefficient, [0, 1e3]. Default: 0.5.
    #: [0, 1000]; default 0.5
    friction: float

    #: What holds the strands together, Pa: the force that draws a strand to its place in the
    #: bundle, for each metre of the strand and each metre that it is away. [1, 1e5] Pa. 0: the
    #: strands are not bound to each other, and those of a mesh collapse. Default: 3e4.
    #: Pa; [1, 100000]; 0: strands are not bound; default 30000
    bundle_stiffness: float

    #: WITHY_MUSCLE_REST_SHAPE: length at full activation over that at rest, [0.2, 1]. Default: 0.7.
    #: [0.2, 1]; default 0.7; with mode WITHY_MUSCLE_REST_SHAPE
    shortest: float

    #: Tendon at the origin and at the insertion, as part of the length of each strand, [0, 0.45].
    #: It is never active. Default: 0, none.
    #: [0, 0.45]; default 0
    origin_tendon: float

    #: [0, 0.45]; default 0
    insertion_tendon: float

    #: Young's modulus of the tendons, Pa, at most 1e6 times that of the muscle. Default: 1e8.
    #: Pa; default 1e8
    tendon_modulus: float

    #: WITHY_MUSCLE_HILL: force of the whole muscle at full activation and optimal length, N, [0,
    #: 1e9]. 0 (the default): 3e5 Pa times the sections of all strands where they are thickest.
    #: N; [0, 1e9]; 0: 3e5 Pa times the thickest sections; default 0; with mode WITHY_MUSCLE_HILL
    peak_force: float

    #: WITHY_MUSCLE_HILL: the length at which the fibres pull most, over that at rest, [0.1, 10].
    #: Default: 1.
    #: [0.1, 10]; default 1; with mode WITHY_MUSCLE_HILL
    optimal_ratio: float

    #: WITHY_MUSCLE_HILL: the velocity at which shortening fibres no longer pull, optimal lengths a
    #: second, [0.1, 1000]. Default: 10.
    #: 1/s; [0.1, 1000]; default 10; with mode WITHY_MUSCLE_HILL
    max_velocity: float

    #: WITHY_MUSCLE_HILL: the angle between fibres and strand, rad, [0, 1.4]. Default: 0.
    #: rad; [0, 1.4]; default 0; with mode WITHY_MUSCLE_HILL
    pennation: float

    #: How many strands there are, at least 1; at most 4096 with a `bundle_stiffness`. Default: 1.
    #: [1, 4.294967295e9]; default 1
    strands: int

    #: A WITHY_MUSCLE_ value. Default: WITHY_MUSCLE_REST_SHAPE.
    #: default 0
    mode: Union[MuscleMode, int]

    #: The layers it is in, as bits. Default: 1.
    #: bits; default 1
    category: int

    #: The layers it collides with. Default: all.
    #: bits; default 4.294967295e9
    mask: int


class MuscleMeshDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyMuscleMeshDef. L is the host's unit of length."""

    #: default 0
    flags: int

    #: Vectors, host units: the vertices of the mesh, at most 2^22. Required.
    #: 3 numbers per mesh vertex; L
    positions: ArrayLike

    #: Triples of u32, at most 2^22. Required.
    #: 3 u32 per triangle
    triangles: ArrayLike

    #: Where the strands begin. Default: found. If both ends are found, the one with more heads is
    #: the origin.
    origin: Any

    #: Where the strands end. Default: found.
    insertion: Any

    #: How many strands, 1 to 512. Default: 24.
    #: [1, 512]; default 24
    strands: int

    #: Vertices of a strand, 2 to 512. Default: 24.
    #: [2, 512]; default 24
    slices: int


class RegionDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyRegionDef. L is the host's unit of length."""

    #: WITHY_REGION_RELAXATION, or 0 (the default).
    #: default 0
    flags: Union[RegionFlags, int]

    #: The number of the first body.
    #: default 0
    first: int

    #: The number of the last body. Its bone is below that of the first. Bodies on bones between
    #: them are not made; their shapes and masses go to the nearer end.
    #: default 0
    last: int

    #: Where the arc begins, in the first bone, host units. Default: its origin.
    #: L; default 0
    anchor_a: Sequence[float]

    #: Where the arc ends, in the last bone, host units. Default: its origin.
    #: L; default 0
    anchor_b: Sequence[float]

    #: The direction in the first bone about which `arc.bend[0]` counts. Default: x.
    #: default [1,0,0]
    axis: Sequence[float]

    #: Stiffness of the arc. `rest` is not used. `length` 0: the length at the transition.
    arc: Any

    #: Limits of the bend about `axis` and across it, from straight, rad, as those of an arc joint.
    #: Default: none.
    #: rad; [0, 3.141592653589793]; default 3.141592653589793
    swing: Union[float, Sequence[float]]

    #: Limits of the twist from the bind pose, rad, as those of an arc joint. Default: none.
    #: rad; [-3.141592653589793, 3.141592653589793]; default [-3.141592653589793,3.141592653589793]
    twist: Union[float, Sequence[float]]

    #: A WITHY_REGION_REST_ value. Default: WITHY_REGION_REST_POSE.
    #: default 0
    rest: Union[RegionRest, int]

    #: WITHY_REGION_ALONG_ARC (the default), WITHY_REGION_ORIENTATION or
    #: WITHY_REGION_ORIENTATION_AND_POSITION.
    #: default 0
    read_back: Union[ReadBack, int]

    #: 1: the two bodies may touch. 0 (the default): they do not collide.
    #: default 0
    collide: bool


class RagdollDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyRagdollDef. L is the host's unit of length."""

    #: WITHY_RAGDOLL_NO_SELF_COLLISION, WITHY_RAGDOLL_ANIMATED_BONES, both, or 0 (the default).
    #: default 0
    flags: Union[RagdollFlags, int]

    #: u32, one a bone: the number of its parent, anywhere in the array, or UINT32_MAX for a root.
    #: At most 65,536 bones.
    #: 1 u32 per bone
    parents: ArrayLike

    #: Vectors, one a bone: the bind pose in the frame of the parent; of roots, in the world. Host
    #: units.
    #: 3 numbers per bone; L
    positions: ArrayLike

    #: Quaternions, one a bone: the same.
    #: 4 numbers per bone
    rotations: ArrayLike

    #: `body_count` bodies.
    bodies: Any

    #: `region_count` regions.
    regions: Any

    #: default 0
    body_count: int

    #: default 0
    region_count: int

    #: Pairs of u32: numbers of bodies that pass through each other. Those that a joint or an arc
    #: connects do so anyway. Default: none.
    #: 2 u32 per pair
    apart: ArrayLike


class RagdollDriveFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyRagdollDrive. L is the host's unit of length."""

    #: N m/rad with every convention, 0 or more. INFINITY: as stiff as the solver can make it.
    #: Default: 0.
    #: N m/rad; [0, inf]; default 0
    stiffness: float

    #: N m s/rad, against spin other than the target's, 0 or more, or INFINITY. Default: 0.
    #: N m s/rad; [0, inf]; default 0
    damping: float

    #: Limit of the torque of a joint, N m, 0 or more. INFINITY (the default): no limit.
    #: N m; [0, inf]; default inf
    max_torque: float

    #: Numbers, [0, 1e9], one for each body of the def: factors of these three for the joint above
    #: it. Count 0 (the default): 1.
    #: 1 number per body; [0, 1e9]
    scale: ArrayLike


class RenderHairDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyRenderHairDef. L is the host's unit of length."""

    #: Must be 0.
    #: default 0
    flags: int

    #: `rods_count` sets of rods, of the same world: all their strands are guides. Required.
    rods: Any

    #: 1 to 4096.
    #: [1, 4096]
    rods_count: int

    #: Strands to make for each guide, with their roots between the guides' roots, or on the scalp.
    #: The first of each guide is the guide itself. 0: none are made, `positions` has the strands.
    #: [1, 100000]; 0: none are made; default 0
    per_guide: int

    #: Vectors, strand after strand, host units: the groom as it goes with the rods where they are
    #: now. Required unless `per_guide` is given.
    #: 3 numbers per vertex; L
    positions: ArrayLike

    #: u32, vertices of each strand, 2 to 65536. Required unless `per_guide` is given.
    #: 1 u32 per strand
    counts: ArrayLike

    #: Widths, host units: one a vertex, or one a strand, or one. Default: `width`.
    #: 1 number per vertex or strand; L
    widths: ArrayLike

    #: Three of u32 a strand, for weights that the host made: its guides, counted through all
    #: strands of all rods in their order. Goes with `weights`. Default: none, the guides whose
    #: roots surround the strand's root are taken.
    #: 3 u32 per strand
    guides: ArrayLike

    #: Three numbers a strand, at least 0. They need not add up to 1, but to 1e-12 at least.
    #: 3 numbers per strand
    weights: ArrayLike

    #: Vectors, host units: a mesh on which the roots of made strands lie. Default: none.
    #: 3 numbers per mesh vertex; L
    scalp_positions: ArrayLike

    #: Triples of u32. Default: none, roots lie between the guides' roots.
    #: 3 u32 per triangle
    scalp_triangles: ArrayLike

    #: Of made strands: another number makes other ones.
    #: default 0
    seed: int

    #: Vertices of each made strand, 2 to 65536. 0: as many as its guide has.
    #: [2, 65536]; 0: as many as the guide has; default 0
    vertices: int

    #: How far made strands gather at the tip of their guide, [0, 1]. Default: 0.3.
    #: [0, 1]; default 0.3
    clump: float

    #: Made strands are shorter than the guides by up to this share, [0, 0.9]. Default: 0.1.
    #: [0, 0.9]; default 0.1
    shorten: float

    #: Width of all strands where `widths` has none, host units. 0: 7e-5 m.
    #: L; [0, 1000]; 0: 7e-5 m; default 0
    width: float

    #: Where hair is parted, rad, (0, pi]: a strand does not follow guides whose first quarter
    #: points elsewhere by more than this angle, or whose tip lies elsewhere, seen from the root, by
    #: more than this angle would take it. Default: pi / 3.
    #: rad; [0, 3.141592653589793]; default 1.0471975511965976
    parting: float


class RodsDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyRodsDef. L is the host's unit of length."""

    #: WITHY_RODS_ flags, or 0 (the default).
    #: default 0
    flags: Union[RodsFlags, int]

    #: Vectors, one a vertex: the start pose. Required.
    #: 3 numbers per vertex; L
    positions: ArrayLike

    #: u32, one a strand: its vertices, 2 to 2^24. Their sum is `positions.count`, at most 2^31.
    #: Required.
    #: 1 u32 per strand; [2, 1.6777216e7]
    counts: ArrayLike

    #: Vectors, one a vertex: the shape at rest, where it differs from the start. Default: none.
    #: 3 numbers per vertex; L
    rest_positions: ArrayLike

    #: Vectors, one a vertex: the velocities at the start. Default: none, at rest.
    #: 3 numbers per vertex; L/s
    velocities: ArrayLike

    #: Numbers, one a vertex: section radii, in place of `radius` and in its range. Default: none.
    #: 1 number per vertex; L; [1e-7, 1000]
    radii: ArrayLike

    #: Vectors: the direction of d1, one for each edge, or one for each strand at its root. For
    #: sections that are not round, and for frames that you want to read. Default: none.
    #: 3 numbers per edge or strand
    section_axes: ArrayLike

    #: Numbers, one a vertex, [1e-6, 1e6]: factors of the stiffness. Default: none, 1.
    #: 1 number per vertex; [1e-6, 1e6]
    stiffness_scale: ArrayLike

    #: Numbers, one an edge, [1e-9, 1e9] m. Required with WITHY_REST_EXPLICIT, and only allowed
    #: there.
    #: 1 number per edge; L; [1e-9, 1e9]; with rest_shape WITHY_REST_EXPLICIT
    rest_lengths: ArrayLike

    #: Vectors, one an element: curvatures and twist at rest, as `withy_rods_read_darboux`
    #: (withy_expert.h) gives them. Required with WITHY_REST_EXPLICIT, and only allowed there.
    #: 3 numbers per element; 1/L; with rest_shape WITHY_REST_EXPLICIT
    rest_darboux: ArrayLike

    #: Radius of the section, [1e-7, 1e3] m. Of an elliptic section: the semi-axis along d1.
    #: Required, unless `radii` is given.
    #: L; [1e-7, 1000]; 0: radii; default 0
    radius: float

    #: Semi-axis of the section along d2 over that along d1, [1e-3, 1e3]. Default: 1, a round
    #: section.
    #: [0.001, 1000]; default 1
    aspect: float

    #: Young's modulus, Pa, [1e-3, 1e15]: resistance to bending and stretching. Default: 1e7,
    #: rubber. Hair: 4e9. Wood: 1e10. Steel: 2e11.
    #: Pa; [0.001, 1e15]; default 1e7; with stiffness WITHY_STIFFNESS_PHYSICAL
    young_modulus: float

    #: Shear modulus, Pa, [1e-3, 1e15]: resistance to twist; usually 0.4 times Young's modulus.
    #: Default: 4e6.
    #: Pa; [0.001, 1e15]; default 4e6; with stiffness WITHY_STIFFNESS_PHYSICAL
    shear_modulus: float

    #: For WITHY_STIFFNESS_ALPHA, 0 to 1: bending about d1 and about d2, twist about d3, and
    #: stretching. Default: 1.
    #: [0, 1]; default 1; with stiffness WITHY_STIFFNESS_ALPHA
    alpha_bend1: float

    #: [0, 1]; default 1; with stiffness WITHY_STIFFNESS_ALPHA
    alpha_bend2: float

    #: [0, 1]; default 1; with stiffness WITHY_STIFFNESS_ALPHA
    alpha_twist: float

    #: [0, 1]; default 1; with stiffness WITHY_STIFFNESS_ALPHA
    alpha_stretch: float

    #: kg/m^3, [1e-3, 1e6]. Default: 1000.
    #: kg/m^3; [0.001, 1e6]; default 1000
    density: float

    #: WITHY_MODEL_GHOST: distance of a ghost point from its edge. 0 (the default): the mean length
    #: of the strand's edges.
    #: L; [0, 1e9]; 0: the strand's mean edge length; default 0
    ghost_distance: float

    #: WITHY_MODEL_GHOST: part of an edge's mass that its ghost point has, [1e-6, 0.9]. Default:
    #: 0.2.
    #: [1e-6, 0.9]; default 0.2
    ghost_mass_ratio: float

    #: Rate at which motion within a strand dies, 1/s, [0, 1e9]. A strand that flies keeps its
    #: momentum and its spin. Default: 0. Hair: 4.
    #: 1/s; [0, 1e9]; default 0
    damping: float

    #: Air drag: the rate at which velocities approach `wind`, 1/s, [0, 1e9]. A rod that falls
    #: approaches gravity / drag. Default: 0. Hair: 3.
    #: 1/s; [0, 1e9]; default 0
    drag: float

    #: Velocity of the air, host units/s. Default: 0.
    #: L/s; [-1e9, 1e9]; default 0
    wind: Sequence[float]

    #: Coulomb's coefficient, [0, 1e3]. A contact has the geometric mean of both sides. Default:
    #: 0.5.
    #: [0, 1000]; default 0.5
    friction: float

    #: Distance from the centreline at which contact begins, up to 1e3 m. 0 (the default): the
    #: section radius.
    #: L; [0, 1000]; 0: the section radius; default 0
    collision_radius: float

    #: Speed limit of a vertex, [1e-3, 1e9] m/s; faster ones are slowed down to it. It stops a scene
    #: from exploding. 0 (the default): 1000 m/s.
    #: L/s; [0.001, 1e9]; 0: 1000 m/s; default 0
    max_speed: float

    #: A WITHY_STIFFNESS_ value. Default: WITHY_STIFFNESS_PHYSICAL.
    #: default 0
    stiffness: Union[Stiffness, int]

    #: A WITHY_REST_ value. Default: WITHY_REST_FROM_POSE.
    #: default 0
    rest_shape: Union[Rest, int]

    #: A WITHY_ORDER_ value: how strands are solved. Default: WITHY_ORDER_AUTO.
    #: default 3
    order: Union[Order, int]

    #: A WITHY_SUPPORT_ value: what holds the first vertex of each strand. Default:
    #: WITHY_SUPPORT_FREE. If a collider or a mesh covers the start of a strand whose root is held
    #: when the first step begins, the vertices up to the first one outside never meet a collider.
    #: (Rigid bodies do not cover.)
    #: default 0
    root: Union[Support, int]

    #: The same for the last vertex, which nothing covers.
    #: default 0
    tip: Union[Support, int]

    #: Iterations in each substep, at most 10,000. 0 (the default): one if the rods are solved
    #: directly (WITHY_ORDER_DIRECT, WITHY_MODEL_DER), which is enough for most scenes; the number
    #: of the world (`WithyWorldDef.iterations`) if they are swept. Swept rods that stretch, or bend
    #: too easily, need more.
    #:
    #: Rods that attachments tie to each other or to bodies are solved together, with the largest
    #: number that any of them asks for; there 0 means the number of the world.
    #: [0, 10000]; 0: 1 where Newton's method solves, else the world's; default 0
    iterations: int

    #: The layers that these rods are in, as bits. Default: 1.
    #: bits; default 1
    category: int

    #: The layers that they collide with. Two objects meet if each has a bit of the other's category
    #: in its mask. Default: all.
    #: bits; default 4.294967295e9
    mask: int

    #: A WITHY_MODEL_ value. Default: WITHY_MODEL_GHOST.
    #: default 0
    model: Union[Model, int]

    #: A WITHY_INTEGRATOR_ value: how much of a motion the steps themselves take away. Default:
    #: WITHY_INTEGRATOR_AUTO.
    #: default 0
    integrator: Union[Integrator, int]

    #: Young's modulus for stretching alone, Pa, [1e-3, 1e15]: for what bends easily and hardly
    #: stretches, such as rope. 0 (the default): `young_modulus`.
    #: Pa; [0.001, 1e15]; 0: young_modulus; default 0
    stretch_modulus: float

    #: Internal friction, s, [0, 1e3]: the viscosity over the stiffness (Kelvin-Voigt). Slows down
    #: changes of shape, not the motion of a whole strand, and leaves the shape at rest alone. For
    #: rods that are solved directly. Default: 0.
    #: s; [0, 1000]; default 0; with order WITHY_ORDER_DIRECT
    viscosity: float

    #: Poisson's ratio, [0.001, 0.4999]: the rod keeps its volume as a solid does, thinner where it
    #: is stretched and thicker where it is shortened; 0.45 for flesh and rubber. Colliders, bodies
    #: and other rods meet the radius that it has then. What presses it from the side, a collider or
    #: another swept rod, makes it thinner and longer if it is swept (WITHY_ORDER_ALTERNATING). A
    #: rod that is solved directly is pressed so by colliders, on the CPU. For round rods. 0 (the
    #: default): radii stay.
    #: [0.001, 0.4999]; 0: radii stay; default 0; with order WITHY_ORDER_DIRECT
    poisson_ratio: float


class SkinDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithySkinDef. L is the host's unit of length."""

    #: Must be 0.
    #: default 0
    flags: int

    #: Vectors, one a vertex, host units: the mesh around the rods as they are now. Required.
    #: 3 numbers per mesh vertex; L
    positions: ArrayLike

    #: Triples of u32. Vertices at the same place get the same weights, as at the seams of a
    #: texture. Default: none.
    #: 3 u32 per triangle
    triangles: ArrayLike

    #: Vectors, one a vertex, of any length. Default: those of the triangles, which run
    #: counterclockwise seen from outside (clockwise in Unity).
    #: 3 numbers per mesh vertex
    normals: ArrayLike

    #: Vectors, one a vertex, of any length. Default: none, the skin has no tangents.
    #: 3 numbers per mesh vertex
    tangents: ArrayLike

    #: `rods_count` sets of rods, of the same world. Required.
    rods: Any

    #: 1 to 4096. All have 65536 edges at most.
    #: [1, 4096]
    rods_count: int

    #: Four of u32 a vertex, for weights that the host made: the edges it holds on to, counted
    #: through all strands of all rods in their order. Goes with `weights`. Default: none, weights
    #: are made from the distances to the edges and their radii.
    #: 4 u32 per mesh vertex
    edges: ArrayLike

    #: Four numbers a vertex, at least 0. They need not add up to 1, but to 1e-12 at least.
    #: 4 numbers per mesh vertex
    weights: ArrayLike

    #: How far the weight of an edge is felt outside of its radius, in mean radii of the rods, (0,
    #: 100]. Default: 0.25.
    #: [0, 100]; default 0.25
    softness: float

    #: How far weights are smoothed over the mesh, in mean radii of the rods, [0, 100]. Default:
    #: 0.5.
    #: [0, 100]; default 0.5
    fairing: float


#: Name, result and parameters of every function. A handle is its number.
SIGNATURES: List[Tuple[str, Any, List[Any]]] = [
    ("withy_asset_read", c_int32, [c_void_p, c_uint64, c_void_p, c_void_p]),
    ("withy_asset_write", c_int32, [c_void_p, c_uint64, c_void_p, c_void_p]),
    ("withy_triangle_attachment_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_attachment_create_triangle", c_int32, [c_void_p, c_void_p]),
    ("withy_body_attachment_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_attachment_create_body", c_int32, [c_void_p, c_void_p]),
    ("withy_junction_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_attachment_create_junction", c_int32, [c_void_p, c_void_p]),
    ("withy_attachment_destroy", c_int32, [c_uint64]),
    ("withy_shape_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_body_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_body_create", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_body_destroy", c_int32, [c_uint64]),
    ("withy_body_set_pose", c_int32, [c_uint64, c_void_p]),
    ("withy_body_get_pose", c_int32, [c_uint64, c_void_p]),
    ("withy_body_set_velocity", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_body_get_velocity", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_body_set_target", c_int32, [c_uint64, c_void_p]),
    ("withy_body_set_motion", c_int32, [c_uint64, c_uint32]),
    ("withy_body_push", c_int32, [c_uint64, c_void_p, c_void_p, c_void_p]),
    ("withy_body_set_sleeping", c_int32, [c_uint64, c_uint32]),
    ("withy_body_get_mass", c_int32, [c_uint64, c_void_p, c_void_p, c_void_p]),
    ("withy_world_list_bodies", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_world_read_bodies", c_int32, [c_uint64, c_void_p, c_uint64, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    ("withy_world_write_bodies", c_int32, [c_uint64, c_void_p, c_uint64, c_void_p, c_void_p, c_void_p, c_void_p]),
    ("withy_world_set_body_targets", c_int32, [c_uint64, c_void_p, c_uint64, c_void_p, c_void_p]),
    ("withy_world_push_bodies", c_int32, [c_uint64, c_void_p, c_uint64, c_void_p, c_void_p]),
    ("withy_world_read_contacts", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_cable_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_cable_create", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_cable_destroy", c_int32, [c_uint64]),
    ("withy_cable_set_length", c_int32, [c_uint64, c_double]),
    ("withy_cable_get_state", c_int32, [c_uint64, c_void_p]),
    ("withy_cable_read_points", c_int32, [c_uint64, c_void_p]),
    ("withy_collider_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_collider_create", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_collider_destroy", c_int32, [c_uint64]),
    ("withy_collider_set_pose", c_int32, [c_uint64, c_void_p, c_uint32]),
    ("withy_collider_get_pose", c_int32, [c_uint64, c_void_p]),
    ("withy_context_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_context_create", c_int32, [c_void_p, c_void_p]),
    ("withy_context_destroy", c_int32, [c_uint64]),
    ("withy_context_destroy_all", c_int32, []),
    ("withy_context_save_gpu_cache", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_context_load_gpu_cache", c_int32, [c_uint64, c_void_p, c_uint64]),
    ("withy_rods_set_cut", c_int32, [c_uint64, c_uint32, c_uint32]),
    ("withy_rods_set_break_force", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_cuts", c_int32, [c_uint64, c_void_p]),
    ("withy_world_read_stats_sized", c_int32, [c_uint64, c_void_p, c_uint32]),
    ("withy_world_memory", c_int32, [c_uint64, c_void_p]),
    ("withy_world_state_hash", c_int32, [c_uint64, c_void_p]),
    ("withy_world_debug_lines", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_isa_available", c_uint32, [c_uint32]),
    ("withy_world_isa", c_int32, [c_uint64, c_void_p]),
    ("withy_joint_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_motor_init", c_int32, [c_void_p]),
    ("withy_joint_create", c_int32, [c_void_p, c_void_p]),
    ("withy_joint_destroy", c_int32, [c_uint64]),
    ("withy_joint_change", c_int32, [c_uint64, c_void_p]),
    ("withy_joint_set_limits", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_joint_set_motor", c_int32, [c_uint64, c_void_p]),
    ("withy_joint_set_enabled", c_int32, [c_uint64, c_uint32]),
    ("withy_joint_get_enabled", c_int32, [c_uint64, c_void_p]),
    ("withy_joint_get_force", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_joint_get_angles", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_joint_get_error", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_joint_get_length", c_int32, [c_uint64, c_void_p]),
    ("withy_world_set_motors", c_int32, [c_uint64, c_void_p, c_uint64, c_void_p]),
    ("withy_world_read_joint_errors", c_int32, [c_uint64, c_void_p, c_uint64, c_void_p, c_void_p]),
    ("withy_world_read_joint_forces", c_int32, [c_uint64, c_void_p, c_uint64, c_void_p, c_void_p]),
    ("withy_world_read_broken_joints", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_version", c_uint32, []),
    ("withy_check_version", c_int32, [c_uint32]),
    ("withy_last_error", c_char_p, []),
    ("withy_result_name", c_char_p, [c_int32]),
    ("withy_hair_def_init_sized", c_int32, [c_uint64, c_void_p, c_uint32]),
    ("withy_rope_def_init_sized", c_int32, [c_uint64, c_void_p, c_uint32]),
    ("withy_mesh_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_mesh_create", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_mesh_destroy", c_int32, [c_uint64]),
    ("withy_mesh_set_positions", c_int32, [c_uint64, c_void_p, c_uint32]),
    ("withy_mesh_read_positions", c_int32, [c_uint64, c_void_p]),
    ("withy_mesh_read_corrections", c_int32, [c_uint64, c_void_p]),
    ("withy_muscle_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_muscle_create", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_muscle_set_activation", c_int32, [c_uint64, c_double]),
    ("withy_muscle_write_activations", c_int32, [c_uint64, c_void_p]),
    ("withy_muscle_read_activations", c_int32, [c_uint64, c_void_p]),
    ("withy_muscle_get_state", c_int32, [c_uint64, c_void_p]),
    ("withy_muscle_mesh_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_muscle_fit_mesh", c_int32, [c_uint64, c_void_p, c_void_p, c_void_p, c_void_p]),
    ("withy_ragdoll_drive_init", c_int32, [c_void_p]),
    ("withy_ragdoll_body_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_region_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_ragdoll_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_ragdolls_create", c_int32, [c_uint64, c_void_p, c_uint32, c_void_p]),
    ("withy_ragdolls_destroy", c_int32, [c_uint64]),
    ("withy_ragdolls_instantiate", c_int32, [c_uint64, c_void_p, c_uint64, c_void_p, c_void_p, c_void_p, c_void_p, c_double, c_uint32]),
    ("withy_ragdolls_instantiate_moving", c_int32, [c_uint64, c_void_p, c_uint64, c_void_p, c_void_p, c_void_p, c_void_p, c_uint32]),
    ("withy_ragdolls_remove", c_int32, [c_uint64, c_void_p, c_uint64]),
    ("withy_ragdolls_set_targets", c_int32, [c_uint64, c_void_p, c_uint64, c_void_p, c_void_p, c_void_p, c_void_p, c_double, c_void_p]),
    ("withy_ragdolls_clear_targets", c_int32, [c_uint64, c_void_p, c_uint64]),
    ("withy_ragdolls_set_kinematic", c_int32, [c_uint64, c_void_p, c_uint64, c_uint32, c_uint32]),
    ("withy_ragdolls_teleport", c_int32, [c_uint64, c_void_p, c_uint64, c_void_p, c_void_p]),
    ("withy_ragdolls_fade", c_int32, [c_uint64, c_void_p, c_uint64, c_double, c_double]),
    ("withy_ragdolls_advance", c_int32, [c_uint64, c_double]),
    ("withy_ragdolls_get_weight", c_int32, [c_uint64, c_uint32, c_void_p]),
    ("withy_ragdolls_read", c_int32, [c_uint64, c_void_p, c_uint64, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    ("withy_ragdolls_get_counts", c_int32, [c_uint64, c_void_p, c_void_p, c_void_p, c_void_p]),
    ("withy_ragdolls_list", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_ragdolls_get_body", c_int32, [c_uint64, c_uint32, c_uint32, c_void_p]),
    ("withy_ragdolls_get_joint", c_int32, [c_uint64, c_uint32, c_uint32, c_void_p]),
    ("withy_render_hair_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_render_hair_lod_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_render_hair_create", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_render_hair_load", c_int32, [c_uint64, c_void_p, c_uint32, c_void_p, c_uint64, c_void_p]),
    ("withy_render_hair_destroy", c_int32, [c_uint64]),
    ("withy_render_hair_save", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_render_hair_set_roots", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_render_hair_read_layout", c_int32, [c_uint64, c_void_p, c_void_p, c_void_p, c_void_p]),
    ("withy_render_hair_read", c_int32, [c_uint64, c_void_p, c_void_p, c_void_p]),
    ("withy_render_hair_read_weights", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_rest_shape_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_rods_optimize_rest_shape", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_rest_shape", c_int32, [c_uint64, c_uint32, c_void_p, c_void_p]),
    ("withy_settle_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_rods_settle", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_elastic_report", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_rods_read_rest_lengths", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_rest_strains", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_stiffness_factors", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_stiffness_factors", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_radii", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_rest_strains", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_rods_save_rest_shape", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_rods_load_rest_shape", c_int32, [c_uint64, c_void_p, c_uint64]),
    ("withy_rods_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_rods_create", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_rods_destroy", c_int32, [c_uint64]),
    ("withy_rods_change", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_get_def", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_enabled", c_int32, [c_uint64, c_uint32]),
    ("withy_rods_get_enabled", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_root_poses", c_int32, [c_uint64, c_void_p, c_void_p, c_uint32]),
    ("withy_rods_set_tip_poses", c_int32, [c_uint64, c_void_p, c_void_p, c_uint32]),
    ("withy_rods_set_root_transform", c_int32, [c_uint64, c_void_p, c_uint32]),
    ("withy_rods_read_root_poses", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_rods_get_sleeping", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_pin", c_int32, [c_uint64, c_uint32, c_void_p, c_uint32]),
    ("withy_rods_set_pins", c_int32, [c_uint64, c_void_p, c_void_p, c_uint32]),
    ("withy_rods_teleport", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_motion", c_int32, [c_uint64, c_double, c_double, c_void_p, c_double]),
    ("withy_rods_write_positions", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_write_velocities", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_forces", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_accelerations", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_winds", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_goals", c_int32, [c_uint64, c_void_p, c_void_p, c_double]),
    ("withy_rods_read_counts", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_positions", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_masses", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_velocities", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_frames", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_order", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_write_frames", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_moments", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_ghosts", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_twist", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_strain", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_radii", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_volumes", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_darboux", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_tension", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_moments", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_report", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_skin_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_skin_create", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_skin_load", c_int32, [c_uint64, c_void_p, c_uint32, c_void_p, c_uint64, c_void_p]),
    ("withy_skin_destroy", c_int32, [c_uint64]),
    ("withy_skin_save", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_skin_read_positions", c_int32, [c_uint64, c_void_p]),
    ("withy_skin_read_normals", c_int32, [c_uint64, c_void_p]),
    ("withy_skin_read_tangents", c_int32, [c_uint64, c_void_p]),
    ("withy_skin_read_weights", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_surface_bind", c_int32, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    ("withy_surface_follow", c_int32, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    ("withy_world_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_world_create", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_world_destroy", c_int32, [c_uint64]),
    ("withy_world_set_gravity", c_int32, [c_uint64, c_void_p]),
    ("withy_world_get_gravity", c_int32, [c_uint64, c_void_p]),
    ("withy_world_set_iterations", c_int32, [c_uint64, c_uint32, c_uint32]),
    ("withy_world_step", c_int32, [c_uint64, c_double]),
    ("withy_world_save_state", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_world_restore_state", c_int32, [c_uint64, c_void_p, c_uint64]),
    ("withy_world_last_error", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_world_backend", c_int32, [c_uint64, c_void_p, c_void_p]),
]


class Functions:
    """The functions of a loaded library, under their names in C."""

    __slots__ = tuple(name for name, _, _ in SIGNATURES)

    withy_asset_read: Callable[..., int]
    withy_asset_write: Callable[..., int]
    withy_triangle_attachment_def_init_sized: Callable[..., int]
    withy_attachment_create_triangle: Callable[..., int]
    withy_body_attachment_def_init_sized: Callable[..., int]
    withy_attachment_create_body: Callable[..., int]
    withy_junction_def_init_sized: Callable[..., int]
    withy_attachment_create_junction: Callable[..., int]
    withy_attachment_destroy: Callable[..., int]
    withy_shape_def_init_sized: Callable[..., int]
    withy_body_def_init_sized: Callable[..., int]
    withy_body_create: Callable[..., int]
    withy_body_destroy: Callable[..., int]
    withy_body_set_pose: Callable[..., int]
    withy_body_get_pose: Callable[..., int]
    withy_body_set_velocity: Callable[..., int]
    withy_body_get_velocity: Callable[..., int]
    withy_body_set_target: Callable[..., int]
    withy_body_set_motion: Callable[..., int]
    withy_body_push: Callable[..., int]
    withy_body_set_sleeping: Callable[..., int]
    withy_body_get_mass: Callable[..., int]
    withy_world_list_bodies: Callable[..., int]
    withy_world_read_bodies: Callable[..., int]
    withy_world_write_bodies: Callable[..., int]
    withy_world_set_body_targets: Callable[..., int]
    withy_world_push_bodies: Callable[..., int]
    withy_world_read_contacts: Callable[..., int]
    withy_cable_def_init_sized: Callable[..., int]
    withy_cable_create: Callable[..., int]
    withy_cable_destroy: Callable[..., int]
    withy_cable_set_length: Callable[..., int]
    withy_cable_get_state: Callable[..., int]
    withy_cable_read_points: Callable[..., int]
    withy_collider_def_init_sized: Callable[..., int]
    withy_collider_create: Callable[..., int]
    withy_collider_destroy: Callable[..., int]
    withy_collider_set_pose: Callable[..., int]
    withy_collider_get_pose: Callable[..., int]
    withy_context_def_init_sized: Callable[..., int]
    withy_context_create: Callable[..., int]
    withy_context_destroy: Callable[..., int]
    withy_context_destroy_all: Callable[..., int]
    withy_context_save_gpu_cache: Callable[..., int]
    withy_context_load_gpu_cache: Callable[..., int]
    withy_rods_set_cut: Callable[..., int]
    withy_rods_set_break_force: Callable[..., int]
    withy_rods_read_cuts: Callable[..., int]
    withy_world_read_stats_sized: Callable[..., int]
    withy_world_memory: Callable[..., int]
    withy_world_state_hash: Callable[..., int]
    withy_world_debug_lines: Callable[..., int]
    withy_isa_available: Callable[..., int]
    withy_world_isa: Callable[..., int]
    withy_joint_def_init_sized: Callable[..., int]
    withy_motor_init: Callable[..., int]
    withy_joint_create: Callable[..., int]
    withy_joint_destroy: Callable[..., int]
    withy_joint_change: Callable[..., int]
    withy_joint_set_limits: Callable[..., int]
    withy_joint_set_motor: Callable[..., int]
    withy_joint_set_enabled: Callable[..., int]
    withy_joint_get_enabled: Callable[..., int]
    withy_joint_get_force: Callable[..., int]
    withy_joint_get_angles: Callable[..., int]
    withy_joint_get_error: Callable[..., int]
    withy_joint_get_length: Callable[..., int]
    withy_world_set_motors: Callable[..., int]
    withy_world_read_joint_errors: Callable[..., int]
    withy_world_read_joint_forces: Callable[..., int]
    withy_world_read_broken_joints: Callable[..., int]
    withy_version: Callable[..., int]
    withy_check_version: Callable[..., int]
    withy_last_error: Callable[..., bytes]
    withy_result_name: Callable[..., bytes]
    withy_hair_def_init_sized: Callable[..., int]
    withy_rope_def_init_sized: Callable[..., int]
    withy_mesh_def_init_sized: Callable[..., int]
    withy_mesh_create: Callable[..., int]
    withy_mesh_destroy: Callable[..., int]
    withy_mesh_set_positions: Callable[..., int]
    withy_mesh_read_positions: Callable[..., int]
    withy_mesh_read_corrections: Callable[..., int]
    withy_muscle_def_init_sized: Callable[..., int]
    withy_muscle_create: Callable[..., int]
    withy_muscle_set_activation: Callable[..., int]
    withy_muscle_write_activations: Callable[..., int]
    withy_muscle_read_activations: Callable[..., int]
    withy_muscle_get_state: Callable[..., int]
    withy_muscle_mesh_def_init_sized: Callable[..., int]
    withy_muscle_fit_mesh: Callable[..., int]
    withy_ragdoll_drive_init: Callable[..., int]
    withy_ragdoll_body_def_init_sized: Callable[..., int]
    withy_region_def_init_sized: Callable[..., int]
    withy_ragdoll_def_init_sized: Callable[..., int]
    withy_ragdolls_create: Callable[..., int]
    withy_ragdolls_destroy: Callable[..., int]
    withy_ragdolls_instantiate: Callable[..., int]
    withy_ragdolls_instantiate_moving: Callable[..., int]
    withy_ragdolls_remove: Callable[..., int]
    withy_ragdolls_set_targets: Callable[..., int]
    withy_ragdolls_clear_targets: Callable[..., int]
    withy_ragdolls_set_kinematic: Callable[..., int]
    withy_ragdolls_teleport: Callable[..., int]
    withy_ragdolls_fade: Callable[..., int]
    withy_ragdolls_advance: Callable[..., int]
    withy_ragdolls_get_weight: Callable[..., int]
    withy_ragdolls_read: Callable[..., int]
    withy_ragdolls_get_counts: Callable[..., int]
    withy_ragdolls_list: Callable[..., int]
    withy_ragdolls_get_body: Callable[..., int]
    withy_ragdolls_get_joint: Callable[..., int]
    withy_render_hair_def_init_sized: Callable[..., int]
    withy_render_hair_lod_def_init_sized: Callable[..., int]
    withy_render_hair_create: Callable[..., int]
    withy_render_hair_load: Callable[..., int]
    withy_render_hair_destroy: Callable[..., int]
    withy_render_hair_save: Callable[..., int]
    withy_render_hair_set_roots: Callable[..., int]
    withy_render_hair_read_layout: Callable[..., int]
    withy_render_hair_read: Callable[..., int]
    withy_render_hair_read_weights: Callable[..., int]
    withy_rest_shape_def_init_sized: Callable[..., int]
    withy_rods_optimize_rest_shape: Callable[..., int]
    withy_rods_set_rest_shape: Callable[..., int]
    withy_settle_def_init_sized: Callable[..., int]
    withy_rods_settle: Callable[..., int]
    withy_rods_read_elastic_report: Callable[..., int]
    withy_rods_read_rest_lengths: Callable[..., int]
    withy_rods_read_rest_strains: Callable[..., int]
    withy_rods_read_stiffness_factors: Callable[..., int]
    withy_rods_set_stiffness_factors: Callable[..., int]
    withy_rods_set_radii: Callable[..., int]
    withy_rods_set_rest_strains: Callable[..., int]
    withy_rods_save_rest_shape: Callable[..., int]
    withy_rods_load_rest_shape: Callable[..., int]
    withy_rods_def_init_sized: Callable[..., int]
    withy_rods_create: Callable[..., int]
    withy_rods_destroy: Callable[..., int]
    withy_rods_change: Callable[..., int]
    withy_rods_get_def: Callable[..., int]
    withy_rods_set_enabled: Callable[..., int]
    withy_rods_get_enabled: Callable[..., int]
    withy_rods_set_root_poses: Callable[..., int]
    withy_rods_set_tip_poses: Callable[..., int]
    withy_rods_set_root_transform: Callable[..., int]
    withy_rods_read_root_poses: Callable[..., int]
    withy_rods_get_sleeping: Callable[..., int]
    withy_rods_set_pin: Callable[..., int]
    withy_rods_set_pins: Callable[..., int]
    withy_rods_teleport: Callable[..., int]
    withy_rods_set_motion: Callable[..., int]
    withy_rods_write_positions: Callable[..., int]
    withy_rods_write_velocities: Callable[..., int]
    withy_rods_set_forces: Callable[..., int]
    withy_rods_set_accelerations: Callable[..., int]
    withy_rods_set_winds: Callable[..., int]
    withy_rods_set_goals: Callable[..., int]
    withy_rods_read_counts: Callable[..., int]
    withy_rods_read_positions: Callable[..., int]
    withy_rods_read_masses: Callable[..., int]
    withy_rods_read_velocities: Callable[..., int]
    withy_rods_read_frames: Callable[..., int]
    withy_rods_order: Callable[..., int]
    withy_rods_write_frames: Callable[..., int]
    withy_rods_set_moments: Callable[..., int]
    withy_rods_read_ghosts: Callable[..., int]
    withy_rods_read_twist: Callable[..., int]
    withy_rods_read_strain: Callable[..., int]
    withy_rods_read_radii: Callable[..., int]
    withy_rods_read_volumes: Callable[..., int]
    withy_rods_read_darboux: Callable[..., int]
    withy_rods_read_tension: Callable[..., int]
    withy_rods_read_moments: Callable[..., int]
    withy_rods_read_report: Callable[..., int]
    withy_skin_def_init_sized: Callable[..., int]
    withy_skin_create: Callable[..., int]
    withy_skin_load: Callable[..., int]
    withy_skin_destroy: Callable[..., int]
    withy_skin_save: Callable[..., int]
    withy_skin_read_positions: Callable[..., int]
    withy_skin_read_normals: Callable[..., int]
    withy_skin_read_tangents: Callable[..., int]
    withy_skin_read_weights: Callable[..., int]
    withy_surface_bind: Callable[..., int]
    withy_surface_follow: Callable[..., int]
    withy_world_def_init_sized: Callable[..., int]
    withy_world_create: Callable[..., int]
    withy_world_destroy: Callable[..., int]
    withy_world_set_gravity: Callable[..., int]
    withy_world_get_gravity: Callable[..., int]
    withy_world_set_iterations: Callable[..., int]
    withy_world_step: Callable[..., int]
    withy_world_save_state: Callable[..., int]
    withy_world_restore_state: Callable[..., int]
    withy_world_last_error: Callable[..., int]
    withy_world_backend: Callable[..., int]

    def __init__(self, library: Any) -> None:
        for name, result, parameters in SIGNATURES:
            function = getattr(library, name)
            function.restype = result
            function.argtypes = parameters
            setattr(self, name, function)
