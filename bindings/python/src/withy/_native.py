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


class AttachFlags(IntFlag):
    """Constants WITHY_ATTACH_CLAMPED and so on."""

    #: For `flags`: the frame at the end turns with the triangle or the body too, keeping the angle
    #: that it has to it at this moment. Without it the direction is free.
    CLAMPED = 1


class Backend(IntEnum):
    """Constants WITHY_BACKEND_CPU and so on."""

    CPU = 0

    #: Without a usable GPU `withy_world_create` fails with WITHY_ERROR_UNSUPPORTED and says why.
    GPU = 1

    #: The GPU if there is a usable one, else the CPU; `withy_world_backend` tells which, and why.
    AUTO = 2


class BodyFlags(IntFlag):
    """Constants WITHY_BODY_INERTIA and so on."""

    #: A flag of the def: `mass`, `center_of_mass` and `inertia` are as given, whatever the shapes;
    #: it may then have none.
    INERTIA = 1


class Bounds(IntEnum):
    """Constants WITHY_BOUNDS_NONE and so on."""

    #: The bounds are not kept. A pose too tight for its strand can get rest curvatures beyond 169
    #: degrees then, where steps soften: with unstable modes such a strand may move on and on.
    NONE = 0

    #: By a penalty, as in the paper: they are overstepped a little, and by much where that is the
    #: smaller evil, as in poses of thousands of g.
    PENALTY = 1

    #: By a penalty, every iterate clamped.
    CLAMPED = 2

    #: Exactly: what is at a bound and pushes outward is held there. Bounds that leave the first
    #: rest shape out are kept all the same, at any cost to the pose: lengths of 1.05 and more throw
    #: a stiff strand centimetres.
    EXACT = 3


class Convention(IntEnum):
    """Constants WITHY_CONVENTION_SI and so on."""

    #: Metres, right-handed, Y up. "Local z" is z.
    SI = 0

    #: Centimetres, right-handed, Y up. "Local z" is z.
    MAYA = 1

    #: Centimetres, left-handed, Z up: (x, y, z) is the library's (x, z, y). "Local z" is y.
    UNREAL = 2

    #: Metres, left-handed, Y up: (x, y, z) is the library's (-x, y, z). "Local z" is z.
    UNITY = 3

    #: Metres, right-handed, Z up: (x, y, z) is the library's (x, z, -y). "Local z" is -y.
    BLENDER = 4


class End(IntEnum):
    """Constants WITHY_END_ROOT and so on."""

    ROOT = 0

    TIP = 1


class Format(IntEnum):
    """Constants WITHY_FORMAT_F32 and so on."""

    #: The scalars of a span.
    F32 = 1

    F64 = 2

    #: For counts and indices only.
    U32 = 3


class GhostGravity(IntEnum):
    """Constants WITHY_GHOST_GRAVITY_SHARED and so on."""

    #: As much as the middle of its edge feels, the rest on the edge's ends (Umetani 2014,
    #: appendix): a hanging rod does not bend, a falling one does not spin.
    SHARED = 0

    #: All of it: a hanging rod bends towards its ghost points. For comparison, like the next.
    FULL = 1

    #: None: a falling rod spins about its ghost points.
    NONE = 2


class Isa(IntEnum):
    """Constants WITHY_ISA_AUTO and so on."""

    #: The widest instruction set that the machine has. All of them give the same bits; forcing one
    #: is for tests and measurements.
    AUTO = 0

    SCALAR = 1

    SSE2 = 2

    AVX2 = 3

    AVX512 = 4

    NEON = 5


class Issue(IntEnum):
    """Constants WITHY_ISSUE_SHORT_EDGE and so on."""

    #: An edge shorter than 1e-4 of the strand's mean, simulated at that length. Value: its length,
    #: m.
    SHORT_EDGE = 1

    #: A strand of no length, simulated as a tiny straight one. Value: its length, m.
    NO_LENGTH = 2

    #: Neighbouring edges that fold back by more than 175 degrees. Value: the angle, rad.
    KINK = 3

    #: A strand whose edges are, on average, shorter than a tenth of its radius: it stretches to
    #: many times its length. Value: the mean edge, m.
    STUB = 4


class JointFlags(IntFlag):
    """Constants WITHY_JOINT_WORLD_FRAMES and so on."""

    #: A flag of the def: `frame_a` and `frame_b` are in world space, where the bodies are now,
    #: instead of in the bodies' frames.
    WORLD_FRAMES = 1

    #: A flag of the def: `arc.relaxation` in place of `arc.bend` and `arc.twist`.
    ARC_RELAXATION = 2


class JointKind(IntEnum):
    """Constants WITHY_JOINT_BALL and so on."""

    #: The origins stay together; `swing` and `twist` limit the angles.
    BALL = 0

    #: The origins and d3 stay together; `twist` limits the angle about it.
    HINGE = 1

    #: The frames stay together.
    FIXED = 2

    #: The origins stay between `least` and `most` apart.
    DISTANCE = 3

    #: `arc`: an elastic rod that cannot be stretched joins the frames, in the shape of one circular
    #: arc that leaves both along d3 (Lewin 2013). A spine, a neck, a tail, a finger of few joints
    #: instead of many. `swing` and `twist` limit its bend and twist. d3 of both frames points along
    #: it, from a to b: a new one that leans from that by more than 90 degrees is refused.
    ARC = 4


class MeshFlags(IntFlag):
    """Constants WITHY_MESH_ELASTIC and so on."""

    #: For `flags`: the edges are springs of `edge_compliance`, and steps move the vertices.
    ELASTIC = 1


class Model(IntEnum):
    """Constants WITHY_MODEL_GHOST and so on."""

    #: Position-based rods with ghost points (Umetani 2014): many cheap iterations.
    GHOST = 0

    #: Discrete elastic rods (Bergou 2010; Takahashi and Batty 2025): an iteration is a step of
    #: Newton's method over the whole strand; one is enough for most scenes. A clamped end holds its
    #: edge. WITHY_STIFFNESS_PHYSICAL only; `order` and `ghost_...` do not matter. Costs 308 bytes
    #: more a vertex, 616 in f64.
    DER = 1


class Motion(IntEnum):
    """Constants WITHY_BODY_STATIC and so on."""

    #: Nothing moves it; the host may put it somewhere else.
    STATIC = 0

    #: The host moves it, by targets. It pushes others, and nothing pushes it.
    KINEMATIC = 1

    #: Forces, joints and contacts move it.
    DYNAMIC = 2


class Order(IntEnum):
    """Constants WITHY_ORDER_ROOT_TO_TIP and so on."""

    #: Edge by edge from the root, each with its bend and twist.
    ROOT_TO_TIP = 0

    #: From both ends at once (Umetani 2014, fig. 7); the tip's end is that of the longest of the up
    #: to 32 strands that are solved side by side, so that shorter ones depend on it. For
    #: comparison.
    BIDIRECTIONAL = 1

    #: All edges, then all elements: the naive order, which vibrates by itself; kept for comparison.
    SEQUENTIAL = 2

    #: None: all constraints of a strand at once, by one Newton step an iteration. Weight and
    #: stiffness travel the whole strand in one step: long or stiff strands neither stretch nor
    #: soften, in f64; in f32 an edge gives by some 1e-5 h^2 g more under the weight of a vertex, h
    #: the substep, which adds up in strands of thousands of edges and in edges far under a
    #: millimetre (docs/direct.md). Costs some four sweeps, and 300 bytes more a vertex, 600 in f64;
    #: physical stiffness only.
    DIRECT = 3

    #: In turn as WITHY_ORDER_ROOT_TO_TIP, and with all bends and twists from the tip before all
    #: edges from the root. Stretches as little as that order, and does not vibrate by itself if a
    #: substep has two iterations or more.
    ALTERNATING = 4

    #: WITHY_ORDER_DIRECT for WITHY_MODEL_GHOST, WITHY_STIFFNESS_PHYSICAL and
    #: WITHY_GHOST_GRAVITY_SHARED where the root or the tip is pinned or clamped, or
    #: WITHY_RODS_SAG_FREE is set, and WITHY_RODS_WARM_START is not; else WITHY_ORDER_ALTERNATING:
    #: rods that fly keep their momenta better so. `withy_rods_order` tells which.
    AUTO = 5


class Precision(IntEnum):
    """Constants WITHY_PRECISION_F32 and so on."""

    F32 = 0

    #: Doubles, on the CPU only: what f32 is measured against, and for scenes that are too stiff or
    #: too wide for it.
    F64 = 1


class RagdollBodyFlags(IntFlag):
    """Constants WITHY_RAGDOLL_BODY_PARENT_FRAME and so on."""

    #: A flag of a body: `joint->frame_a` is where the joint is in the bone of the parent's body.
    #: Without: where it is in the bind pose.
    PARENT_FRAME = 1


class RagdollFlags(IntFlag):
    """Constants WITHY_RAGDOLL_NO_SELF_COLLISION and so on."""

    #: A flag of the def: bodies of one instance do not collide with each other.
    NO_SELF_COLLISION = 1

    #: A flag of the def: bones without a body and outside of regions keep the local pose that the
    #: animation has, instead of that of the transition.
    ANIMATED_BONES = 2


class ReadBack(IntEnum):
    """Constants WITHY_REGION_ALONG_ARC and so on."""

    #: How the bones inside of a region come back: along the arc; or, as in the paper, by sharing
    #: out the change of orientation, which keeps the lengths of bones, or that of orientation and
    #: position.
    ALONG_ARC = 0

    ORIENTATION = 1

    ORIENTATION_AND_POSITION = 2


class Refusal(IntEnum):
    """Constants WITHY_REFUSAL_NOT_FINITE and so on."""

    #: A NaN or an infinity in pose, forces or rest shape, or statics that run farther than 1e9 m or
    #: 1e4 lengths of the strand, as of one that nothing holds.
    NOT_FINITE = 1

    #: A vertex or an edge without mass.
    NO_MASS = 2

    #: An edge shorter than a millionth of the strand's longest: after a write of positions only, as
    #: the definition's are simulated longer (WITHY_ISSUE_SHORT_EDGE).
    SHORT_EDGE = 3

    #: Two edges that fold back on each other: by more than 169 degrees, where a step of Newton's
    #: method takes them for a softer element; of rods that are swept by 180, where their curvature
    #: is infinite.
    FOLD = 4

    #: The pose is an equilibrium, but a step in f32 may leave it: some element is so stiff, beside
    #: what its vertices weigh, that the step takes it for another (in a thin tape, or a kink of
    #: stiff hair: from some 110 degrees on at one substep a frame, 150 at eight; kinks mostly stay
    #: all the same). Of rest shapes, whatever the iterations. Make the world with
    #: WITHY_PRECISION_F64; for what is no stiffer than steps take it, more substeps do, too.
    PRECISION = 6

    #: What would hold the pose may be stiffer than steps of this length take it, as in f32 beside
    #: an edge a thousandth as long as the others: more substeps make more of it (`step`), and
    #: WITHY_PRECISION_F64 takes 1e5 times as much.
    STEP = 7

    #: A vertex is not where it is held, and the next step takes it there: by more than 1e-5 of its
    #: edge's length a pinned one, or a root or tip, of a pose that was written without
    #: `withy_rods_set_pin` or `withy_rods_set_root_poses` (teleported: a target that is still ahead
    #: holds nothing yet), and of discrete elastic rods the second vertex of a clamped end, a rest
    #: length along the tangent of the frame that holds it; by more than 1e-3 of its edge an end
    #: that is attached to a body or a mesh. Of what else holds: the rest shape was found for the
    #: pose as it is.
    HELD = 8


class RegionFlags(IntFlag):
    """Constants WITHY_REGION_RELAXATION and so on."""

    #: A flag of a region: `arc.relaxation` in place of `arc.bend` and `arc.twist`.
    RELAXATION = 1


class RegionRest(IntEnum):
    """Constants WITHY_REGION_REST_POSE and so on."""

    #: What a region's natural bend and twist are: those of the pose of the transition, or those of
    #: the bind pose, to which stiffness then pulls.
    POSE = 0

    BIND = 1


class Rest(IntEnum):
    """Constants WITHY_REST_FROM_POSE and so on."""

    #: The shape at the start, or `rest_positions`.
    FROM_POSE = 0

    #: The lengths of the start, without curvature and twist.
    STRAIGHT = 1

    #: `rest_lengths` and `rest_darboux`.
    EXPLICIT = 2


class Result(IntEnum):
    """Constants WITHY_OK and so on."""

    OK = 0

    #: A NULL, number, count, stride or index that cannot be used.
    INVALID_ARGUMENT = -1

    #: A handle that is null, of a destroyed object, of another kind or of another world.
    INVALID_HANDLE = -2

    #: This version, this build or this machine does not have it.
    UNSUPPORTED = -3

    #: Another thread, or a callback's own caller, is inside the world. Try again later.
    BUSY = -4

    OUT_OF_MEMORY = -5

    #: The library failed at something that it should not have. The world can only be destroyed;
    #: others are not concerned.
    PANIC = -6

    #: An output array is too small; its count has been set to what is needed.
    TOO_SMALL = -7


class RodsFlags(IntFlag):
    """Constants WITHY_RODS_SAG_FREE and so on."""

    #: A flag of the def: at creation, find the rest shape that makes the start pose an equilibrium
    #: under the gravity that the world has then, as `withy_rods_optimize_rest_shape` with its
    #: defaults does; to be asked on the way, or to cancel, call that instead. Strands that are too
    #: soft for their pose sag all the same: `withy_rods_read_elastic_report` tells which.
    #: WITHY_ORDER_AUTO becomes WITHY_ORDER_DIRECT; other orders of WITHY_MODEL_GHOST get
    #: WITHY_RODS_WARM_START, with its price, a second or more of creation for some twenty strands,
    #: and WITHY_GHOST_GRAVITY_SHARED only: look at `withy_rods_read_carried`, too. Ends that
    #: attachments will hold: optimize again once they do. Look at `status` and `unstable_modes`: an
    #: equilibrium may be one that the strand leaves. WITHY_STIFFNESS_PHYSICAL only.
    SAG_FREE = 1

    #: A flag of the def: sweeps start each substep from the multipliers of the equilibrium that
    #: `withy_rods_optimize_rest_shape`, `withy_rods_settle` or WITHY_RODS_SAG_FREE found last, not
    #: from zero, so that the pose stays at any iteration count. The price: where the sweeps are too
    #: few to carry a strand in its pose, gravity, wind and forces act on it by the part that they
    #: carry, an eighth, say, and it falls and swings as if it weighed that much; and where they
    #: only just carry it, it may leave its pose slowly, by a hundredth of a millimetre in the first
    #: five seconds and a hundred times as much in the next. `withy_rods_read_carried` tells that
    #: part of each strand; more substeps or iterations carry more, and WITHY_ORDER_DIRECT carries
    #: all and needs no warm start. After a change of gravity, loads or rest strains optimize again:
    #: warm sweeps that start from another load's multipliers may swing for ever, and where rest
    #: strains or stiffness are set, sweeps start from zero. Before the first equilibrium, and in
    #: strands of which there is none, sweeps start from zero and carry all. WITHY_MODEL_GHOST with
    #: any order but WITHY_ORDER_DIRECT, WITHY_STIFFNESS_PHYSICAL and WITHY_GHOST_GRAVITY_SHARED
    #: only; else WITHY_ERROR_INVALID_ARGUMENT.
    WARM_START = 2

    #: A flag of the def: contact with these rods does not push bodies, which are to them what
    #: colliders are then. For hair and fur: rods that push dynamic bodies are stepped together with
    #: them wherever these are near, with the world's iterations whatever solves the rods, which
    #: costs more. Attachments push both ways all the same.
    ONE_WAY = 4


class Shape(IntEnum):
    """Constants WITHY_SHAPE_HULL and so on."""

    #: Shapes that only bodies have; the others are those of colliders. The convex hull of
    #: `positions`.
    HULL = 5

    #: `positions` and `triangles`. Of static bodies only, as WITHY_SHAPE_PLANE. It is felt from
    #: outside alone.
    MESH = 6

    #: The half space below the pose's local horizontal: up (y, or z where the convention has Z up)
    #: is its normal.
    PLANE = 0

    #: `radius`.
    SPHERE = 1

    #: `radius` and `half_height`, the latter without the caps; along local up.
    CAPSULE = 2

    #: `half_extents`, along the local axes.
    BOX = 3

    #: The hull of two spheres: `radius` at -`half_height` on local up, `radius_top` at
    #: +`half_height`. Not on the GPU.
    TAPERED_CAPSULE = 4


class Stiffness(IntEnum):
    """Constants WITHY_STIFFNESS_PHYSICAL and so on."""

    #: `young_modulus`, `shear_modulus` and the section give the stiffness. The static shape depends
    #: neither on the time step nor on the iterations.
    PHYSICAL = 0

    #: `alpha_...` is the share of each constraint that an iteration corrects (Umetani 2014).
    #: Stiffer with more iterations.
    ALPHA = 1


class StrandStatus(IntEnum):
    """Constants WITHY_STRAND_IDLE and so on."""

    #: Nothing has been asked of the strand.
    IDLE = 0

    #: The residual is at the target: the pose is an equilibrium, to a thousandth of the strand's
    #: length if it is stable. Whether it stays is for `unstable_modes` to say: 0 if it does.
    AT_TARGET = 1

    #: The residual is as small as the rest shape can make it; with a target of 0 the paper's
    #: minimum. Or it is at the target, of a strand so light or so hardly stable that it rests more
    #: than a thousandth of its length from the pose.
    CONVERGED = 2

    #: The same, with parameters at their bounds: the strand is too soft for its pose.
    AT_BOUNDS = 3

    #: The iterations were used up.
    ITERATION_LIMIT = 4

    #: `progress` cancelled before it was the strand's turn.
    CANCELLED = 5

    #: The strand was left as it is: `refusal` says why.
    REFUSED = 6

    #: The pose is not held, or not by `lowest_mode_min`, and what it would take was not found: the
    #: rest shape is the one without stiffening. Because `stiffen` allows too little, or a step of
    #: this length makes too little of it in f32 (WITHY_REFUSAL_STEP; f64 does not ask), or bounds
    #: stay around a first rest shape that is far from the pose (`withy_rods_set_rest_shape` from
    #: the pose, then again), or there are more than 1000 vertices, or no stiffness raises that
    #: mode: a pinned root swings however stiff the rod is.
    TOO_SOFT = 7

    #: As WITHY_STRAND_AT_TARGET, but the rods are swept from zero in every substep, which stops
    #: short of the equilibrium and sags: make them with WITHY_RODS_SAG_FREE, WITHY_RODS_WARM_START
    #: or WITHY_ORDER_DIRECT.
    SWEPT = 8


class Support(IntEnum):
    """Constants WITHY_SUPPORT_FREE and so on."""

    #: How an end of each strand is held.
    FREE = 0

    #: The end vertex follows `withy_rods_set_root_poses` or `_tip_poses`; the direction is free.
    PINNED = 1

    #: The end vertex and the material frame at it follow.
    CLAMPED = 2


class TransitionFlags(IntFlag):
    """Constants WITHY_RAGDOLL_KEEP_ANCHORS and so on."""

    #: A flag of instantiating: joint frames in the parents stay where the def, or the bind pose,
    #: has them, even if the pose has stretched.
    KEEP_ANCHORS = 1

    #: A flag of instantiating: limits stay as they are, even if the pose is beyond.
    KEEP_LIMITS = 2


class JunctionDef(Structure):
    """WithyJunctionDef"""

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

runCallback = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_uint32)


class TaskCallbacks(Structure):
    """The host's own workers. `run` calls `task(task_data, i)` for each i below `count`, from any
    threads and in any order, and returns when all of these calls have; it must not keep `task_data`
    and must not throw. It is called within `withy_world_step` and what else takes long (rest
    shapes, statics), on the calling thread, so by two threads at once if they step two worlds. It
    may call the library, but the world at work and its context answer WITHY_ERROR_BUSY. `user` must
    stay valid while the context lives.

    Calls of one `run` may wait for each other, busily, while many bodies touch; none waits for a
    call that has not begun, so that one thread may make them one after the other.
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
    """WithyContextDef"""

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
    """A line of the debug drawing, in host units."""

    from_: Any
    to: Any
    rgba: int
    reserved: int
    _fields_ = [
        ("from_", c_float * 3),
        ("to", c_float * 3),
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


class RagdollBodyDef(Structure):
    """A body, whose frame is that of its bone. All bodies of one array must be of one version."""

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

progressCallback = CFUNCTYPE(c_uint32, c_void_p, c_uint32, c_uint32)


class RestShapeDef(Structure):
    """How to look for rest shapes; `withy_rest_shape_def_init` fills in the paper's values and a
    `target`, with which the iterations go on to the equilibrium. For the paper's own algorithm,
    which ends before it, set `target` to 0.
    """

    struct_size: int
    flags: int
    next: Any
    progress: Any
    user: Any
    regularizer: float
    penalty: float
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
        ("penalty", c_double),
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


class ElasticReport(Structure):
    """What is known of a strand's equilibrium. A strand holds its pose if `status` is
    WITHY_STRAND_AT_TARGET and `unstable_modes` 0; a strand that nothing holds, which falls, is
    WITHY_STRAND_CONVERGED.
    """

    status: int
    refusal: int
    iterations: int
    at_bounds: int
    unstable_modes: int
    stiffened: int
    residual: float
    acceleration: float
    lowest_mode: float
    stiffest: float
    _fields_ = [
        ("status", c_uint32),
        ("refusal", c_uint32),
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
    """Where and why a strand was degenerate at creation."""

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
    """An array of the host's: `count` elements, `stride` bytes from one to the next. How many scalars
    an element has (1, 3 for a vector, 4 for a quaternion xyzw) each use says.

    As an input it is read during the call only, and "none" is a count of 0. As an output `count` is
    the room, and is set to the number of elements that the object has: with NULL data nothing else
    happens, and with too little room nothing is written and the call fails with
    WITHY_ERROR_TOO_SMALL. Only the scalars are written, not the bytes between them.
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
    """WithyVec3"""

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
    """A rotation: of unit length within 1 %, and normalised on entry."""

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
    """A rigid transform, from local to world."""

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
    """WithyWorldDef"""

    struct_size: int
    flags: int
    next: Any
    backend: int
    isa: int
    precision: int
    substeps: int
    iterations: int
    reserved: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("next", c_void_p),
        ("backend", c_uint32),
        ("isa", c_uint32),
        ("precision", c_uint32),
        ("substeps", c_uint32),
        ("iterations", c_uint32),
        ("reserved", c_uint32),
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
    """WithyTriangleAttachmentDef"""

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
    """WithyBodyAttachmentDef"""

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
    """One shape of a body. Filled by its _init macro, as a def; all shapes of one array must be of one
    version.
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
    """WithyBodyDef"""

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
    """A point where two surfaces touch, or nearly do: within 2 cm, or where a fast body may be at the
    end of the step.
    """

    body_a: int
    body_b: int
    collider: int
    position: Vec3
    normal: Vec3
    separation: float
    impulse: float
    _fields_ = [
        ("body_a", c_uint64),
        ("body_b", c_uint64),
        ("collider", c_uint64),
        ("position", Vec3),
        ("normal", Vec3),
        ("separation", c_double),
        ("impulse", c_double),
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = None


class ColliderDef(Structure):
    """Lengths and positions in host units. Shapes are centred on their pose."""

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
    """What the last step did. Times are wall-clock seconds."""

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
    """A torque between the frames of a joint, of any kind but WITHY_JOINT_FIXED: a spring and a damper
    about each axis. It acts on both bodies, in the step without delay, so that stiff ones do not
    shake.

    Friction in a joint, as of a hinge that stays where it is left, is a motor without stiffness
    whose spin is 0 up to a torque: it holds what weighs less, and slows down what weighs more by
    that torque. The torques about the three axes together are at most `max_torque`. What it holds
    creeps, a limb by some 1e-4 rad/s, until it sleeps.

        WithyMotor friction;
        withy_motor_init(&friction);
        friction.damping[0] = friction.damping[1] = friction.damping[2] = INFINITY;
        friction.max_torque = 5;
        withy_joint_set_motor(joint, &friction);

    A joint has one motor: one with a target of its own has friction only as its `damping`.
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
    """WithyJointDef"""

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
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {}
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {"motor": ("Motor", None)}
    init: ClassVar[Optional[str]] = "withy_joint_def_init_sized"


class MeshDef(Structure):
    """WithyMeshDef"""

    struct_size: int
    flags: int
    next: Any
    positions: Span
    triangles: Span
    inv_masses: Span
    extra_edges: Span
    edge_compliance: float
    drag: float
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
    ]
    spans: ClassVar[Dict[str, Tuple[int, str]]] = {
        "positions": (3, "float"),
        "triangles": (3, "u32"),
        "inv_masses": (1, "float"),
        "extra_edges": (2, "u32"),
    }
    pointers: ClassVar[Dict[str, Tuple[str, Optional[str]]]] = {}
    init: ClassVar[Optional[str]] = "withy_mesh_def_init_sized"


class RegionDef(Structure):
    """A chain of bones of which only the first and the last have a body, with one arc between them.
    All regions of one array must be of one version.
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
    """WithyRagdollDef"""

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
    """Motors towards target poses; limits hold all the same, which instantiating opens up to its pose
    and no further. Filled by withy_ragdoll_drive_init. It has no size, and never changes.
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


class RodsDef(Structure):
    """Lengths, positions and velocities in host units; moduli, density and rates in SI whatever the
    convention.
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
    ghost_gravity: int
    model: int
    stretch_modulus: float
    viscosity: float
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
        ("ghost_gravity", c_uint32),
        ("model", c_uint32),
        ("stretch_modulus", c_double),
        ("viscosity", c_double),
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


class JunctionDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyJunctionDef. L is the host's unit of length."""

    #: default 0
    flags: int

    #: `end_count` different ends, 2 to 65,536, all in one world.
    ends: Any

    #: [2, 65536]; default 0
    end_count: int

    #: Distance of its two ghost points from the middle, host units, [1e-9, 1e3] m: with the mass,
    #: its resistance to turning. 0 (the default): the mean length of the edges that meet.
    #: L; [1e-9, 1000]; 0: the mean length of the edges that meet; default 0
    radius: float

    #: kg, [1e-12, 1e9]. 0 (the default): that of the vertices that meet, which keep their own.
    #: kg; [1e-12, 1e9]; 0: that of the vertices that meet; default 0
    mass: float


class ContextDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyContextDef. L is the host's unit of length."""

    #: default 0
    flags: int

    #: A WITHY_CONVENTION_ value. Default: WITHY_CONVENTION_SI.
    #: default 0
    convention: Union[Convention, int]

    #: 0 (the default): worlds are stepped by the calling thread alone. n: a pool of n threads, 1024
    #: at most, shared by the worlds of the context. WITHY_THREADS_ALL: as many as the machine has.
    #: Results do not depend on it.
    #: [1, 1024]; 0: the calling thread alone; default 0
    threads: int

    #: Length of the host's unit, m, [1e-6, 1e6]. 0 (the default): the convention's own.
    #: m; [1e-6, 1e6]; 0: the convention's own; default 0
    metres_per_unit: float

    #: The host's workers, or NULL (the default). Copied. `threads` must then be 0.
    tasks: Any


class ArcFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyArc. L is the host's unit of length."""

    #: Host units, [1e-9, 1e9] m. 0 (the default): that of the arc through both frames as they are.
    #: L; [1e-9, 1e9]; 0: that of the arc through both frames; default 0
    length: float

    #: Bending stiffness EI about d1 and d2, N m^2 in every convention, 0 or more; INFINITY: does
    #: not bend.
    #: N m^2; [0, inf]; default 0
    bend: Union[float, Sequence[float]]

    #: Twisting stiffness GJ, N m^2 in every convention, 0 or more; INFINITY: does not twist.
    #: N m^2; [0, inf]; default 0
    twist: float

    #: Time in which a strain forgets how fast it changes (Kelvin-Voigt), s, [0, 1e6]. Default: 0.
    #: s; [0, 1e6]; default 0
    viscosity: float

    #: Natural bend about d1 and d2 and natural twist about d3, rad over the whole length, each
    #: within half a turn. Default: 0, straight.
    #: rad; [-3.141592653589793, 3.141592653589793]; default 0
    rest: Union[float, Sequence[float]]

    #: With WITHY_JOINT_ARC_RELAXATION: the part of bending and of twist that an iteration takes
    #: back, [0, 1] (Lewin 2013, 5.2); depends on the step.
    #: [0, 1]; default 0
    relaxation: Union[float, Sequence[float]]


class RagdollBodyDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyRagdollBodyDef. L is the host's unit of length."""

    #: WITHY_RAGDOLL_BODY_PARENT_FRAME, or 0 (the default).
    #: default 0
    flags: Union[RagdollBodyFlags, int]

    #: Required. Its pose, velocity and spin are not used. WITHY_BODY_KINEMATIC: the animation moves
    #: it until it is let go.
    body: Any

    #: What joins it to the body on the nearest bone above; `frame_b` is in this bone, `body_a` and
    #: `body_b` are null. NULL: nothing. An arc replaces it. Not of kind WITHY_JOINT_ARC.
    joint: Any

    #: default 0
    bone: int


class RestShapeDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyRestShapeDef. L is the host's unit of length."""

    #: default 0
    flags: int

    #: Called on the calling thread, before the first strand and then several times a second, with
    #: the strands that are done and all of them. Anything but 0 cancels: strands that have not
    #: begun keep their rest shape and are WITHY_STRAND_CANCELLED in the report, and the call
    #: returns WITHY_OK. The world is busy meanwhile. It is not asked within a strand (which
    #: `stiffen` may keep for seconds, one of 1000 vertices for a minute). Rods with
    #: WITHY_RODS_WARM_START ask on, all strands done, while they find what the sweeps carry, which
    #: takes longer than all before: where that is cancelled, strands with a new rest shape start
    #: cold and are WITHY_STRAND_SWEPT. NULL: none.
    progress: Any

    #: Handed to `progress`.
    user: Any

    #: With `target` 0: weight of the distance from the first rest shape. With another, as by
    #: default, it only damps the iterations. 1e-15 to 1e15. Default: 1e-5.
    #: [1e-15, 1e15]; default 0.00001
    regularizer: float

    #: Weight of overstepped bounds, 0 to 1e15. Default: 1e6.
    #: [0, 1e15]; default 1e6
    penalty: float

    #: With `target` 0: the step in the parameters below which it ends, 0 to 1e15. Default: 1e-5.
    #: [0, 1e15]; default 0.00001
    tolerance: float

    #: The residual force to reach, the root of the sum of f^2/m, m/s^2 kg^0.5; a thousandth of that
    #: of the loads where that is less. 0: the paper's minimum, which the regularizer keeps off the
    #: equilibrium. 0 to 1e15. Default: 1e-6.
    #: m/s^2 kg^0.5; [0, 1e15]; 0: the paper's minimum; default 1e-6
    target: float

    #: Rest lengths stay within these multiples of the first ones, 0 to 1e6, the larger above 0;
    #: those of edges that a clamp holds stay as they are. Default: 0.1 and 1.1.
    #: [0, 1e6]; default 0.1
    length_min: float

    #: [0, 1e6]; default 1.1
    length_max: float

    #: Rest curvatures (twice the tangent of half the angle between two edges) change by this, at
    #: most, 0 to 1e15. Default: 1.4142, 70 degrees.
    #: [0, 1e15]; default 1.4142135623730951
    curvature: float

    #: Rest twists change by this, at most, rad, 0 to 1e15. Default: pi/8. WITHY_MODEL_GHOST: by
    #: `curvature`, if that is more, as what bends a curved rod changes its third strain, too.
    #: rad; [0, 1e15]; default 0.39269908169872414
    twist: float

    #: Where the bounds keep a strand from its pose, or the pose would not be stable: the largest
    #: factor by which it may be stiffened, vertex by vertex and no more than it takes, 1 to 1e15,
    #: of which 1e9 are used; takes longer. What is least is the sum of lengths times factors
    #: (docs/rest_shape.md): found but for 0.5 % at bounds where only the root is held, of up to 250
    #: vertices; between two held ends, of up to 128, 2 % more at most in all cases that were
    #: measured; near it elsewhere. Just stable is a `lowest_mode` of a hundredth of the loads'
    #: acceleration over the strand's length, 0.4 1/s^2 of hair of 25 cm, in f32 between two held
    #: places a fifth: at 1 g, what a step in f32 rounds moves that by some 1e-4 of the length in
    #: ten seconds near the origin, ghost-point rods ten metres away by up to 2e-3. For more, and
    #: for loads of many g in f32, ask for a `lowest_mode_min`. Strands of more than 1000 vertices
    #: are not stiffened. 0 (the default): not at all.
    #: [1, 1e15]; 0: not at all; default 0
    stiffen: float

    #: The length of the steps to come, s: the rest shape holds for steps of this length and shorter
    #: ones, in as many substeps as the world makes of them now or more; in wind, whose push a step
    #: of h takes for drag/(1 + drag h), of these only (`withy_rods_optimize_rest_shape`,
    #: WITHY_RODS_WARM_START), 1e-6 to 10. 0 (the default): as long as the last one, 1/60 s before
    #: the first.
    #: s; [1e-6, 10]; 0: as long as the last step; default 0
    step: float

    #: Gauss-Newton iterations, at most, 1 to 1e6, of strands whose rest shape does not follow from
    #: statics: those that their bounds or pins between their ends leave to it. Default: 500.
    #: [1, 1e6]; default 500
    iterations: int

    #: A WITHY_BOUNDS_ value. Default: WITHY_BOUNDS_PENALTY.
    #: default 1
    bounds: Union[Bounds, int]

    #: 0: the rest twist stays. Default: 1.
    #: default 1
    change_twist: bool

    #: With `stiffen`: what `lowest_mode` shall be at least, 1/s^2, 0 to 1e15; strands that have
    #: less are stiffened until they have. A limp strand that hangs straight down has 1.4 times
    #: gravity over length, 57 of 25 cm. 0 (the default): just stable.
    #: 1/s^2; [0, 1e15]; 0: just stable; default 0; with stiffen 1
    lowest_mode_min: float


class WorldDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyWorldDef. L is the host's unit of length."""

    #: default 0
    flags: int

    #: A WITHY_BACKEND_ value. Default: WITHY_BACKEND_CPU.
    #: default 0
    backend: Union[Backend, int]

    #: A WITHY_ISA_ value. Default: WITHY_ISA_AUTO.
    #: default 0
    isa: Union[Isa, int]

    #: A WITHY_PRECISION_ value. Default: WITHY_PRECISION_F32.
    #: default 0
    precision: Union[Precision, int]

    #: Substeps of a step, 1 to 65,536. Default: 8.
    #: [1, 65536]; default 8
    substeps: int

    #: Sweeps over the constraints in a substep, 1 to 10,000; not of rods that Newton's method
    #: solves, see `WithyRodsDef.iterations`. Default: 4.
    #: [1, 10000]; default 4
    iterations: int


class TriangleAttachmentDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyTriangleAttachmentDef. L is the host's unit of length."""

    #: WITHY_ATTACH_CLAMPED, or 0 (the default).
    #: default 0
    flags: Union[AttachFlags, int]

    end: Any

    #: In the same world as the rods.
    mesh: Any

    #: default 0
    triangle: int

    #: Where on the triangle, as weights of its vertices, which add up to 1 within 1e-3. Default:
    #: the middle.
    #: default 0.3333333333333333
    barycentric: Union[float, Sequence[float]]


class BodyAttachmentDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyBodyAttachmentDef. L is the host's unit of length."""

    #: WITHY_ATTACH_CLAMPED, or 0 (the default).
    #: default 0
    flags: Union[AttachFlags, int]

    end: Any

    #: In the same world as the rods.
    body: Any


class ShapeDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyShapeDef. L is the host's unit of length."""

    #: default 0
    flags: int

    #: A WITHY_SHAPE_ value. Default: WITHY_SHAPE_SPHERE.
    #: default 1
    shape: Union[Shape, int]

    #: As for rods. Default: 1 and all.
    #: bits; default 1
    category: int

    #: bits; default 4.294967295e9
    mask: int

    #: In the body's frame. Default: identity.
    #: L; default identity
    pose: Tuple[Sequence[float], Sequence[float]]

    #: What the shape needs of these, host units: [1e-9, 1e6] m, and `half_height` [0, 1e6] m.
    #: `half_height` is without the caps, along local up; `half_extents` are along the local axes.
    #: L; [1e-9, 1e6]; default 0; with shape WITHY_SHAPE_SPHERE
    radius: float

    #: L; [1e-9, 1e6]; default 0; with shape WITHY_SHAPE_TAPERED_CAPSULE
    radius_top: float

    #: L; [0, 1e6]; default 0; with shape WITHY_SHAPE_CAPSULE
    half_height: float

    #: L; [1e-9, 1e6]; with shape WITHY_SHAPE_BOX
    half_extents: Sequence[float]

    #: kg/m^3, [1e-3, 1e6]. Default: 1000.
    #: kg/m^3; [0.001, 1e6]; default 1000
    density: float

    #: Coulomb's coefficient, [0, 1e3]; that of a contact is the geometric mean. Default: 0.6.
    #: [0, 1000]; default 0.6
    friction: float

    #: Speed after an impact over that before, [0, 1]; of two shapes the larger counts. Default: 0.
    #: [0, 1]; default 0
    restitution: float

    #: How the shape yields to bodies and colliders, each point of a contact by itself: N/m and N
    #: s/m in every convention, 0 (the default: it does not) or [1e-6, 1e9], and [0, 1e9]. Of two
    #: shapes that touch, one is as a spring behind the other. What yields bounces by these,
    #: whatever `restitution` says.
    #: N/m; [1e-6, 1e9]; 0: does not yield; default 0
    stiffness: float

    #: N s/m; [0, 1e9]; default 0; with stiffness 1
    damping: float

    #: Vectors, host units: points of a hull, 4 to 2^20, of which the 255 outermost are kept at
    #: most, or vertices of a mesh.
    #: 3 numbers per point; L; with shape WITHY_SHAPE_HULL
    positions: ArrayLike

    #: Triples of u32, of a mesh: counterclockwise seen from outside, as hosts wind them; with
    #: WITHY_CONVENTION_UNITY clockwise, as Unity does.
    #: 3 u32 per triangle; with shape WITHY_SHAPE_MESH
    triangles: ArrayLike


class BodyDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyBodyDef. L is the host's unit of length."""

    #: WITHY_BODY_INERTIA, or 0 (the default).
    #: default 0
    flags: Union[BodyFlags, int]

    #: `shape_count` shapes, 4096 at most. None: it touches nothing.
    shapes: Any

    #: [0, 4096]; default 0
    shape_count: int

    #: WITHY_BODY_STATIC, _KINEMATIC or _DYNAMIC. Default: WITHY_BODY_DYNAMIC.
    #: default 2
    motion: Union[Motion, int]

    #: Of the frame. Default: identity.
    #: L; default identity
    pose: Tuple[Sequence[float], Sequence[float]]

    #: Of the centre of mass, host units/s. Default: 0. What is not dynamic has none, nor a spin.
    #: L/s; [-1e9, 1e9]; default 0
    velocity: Sequence[float]

    #: rad/s about the world's axes, in the host's sense of rotation. Default: 0.
    #: rad/s; [-1e9, 1e9]; default 0
    spin: Sequence[float]

    #: kg, [1e-9, 1e12]. 0 (the default): from the shapes' densities; else their inertia is scaled
    #: to it.
    #: kg; [1e-9, 1e12]; 0: from the shapes' densities; default 0
    mass: float

    #: With WITHY_BODY_INERTIA: in the frame, host units.
    #: L; [-1e9, 1e9]; with flags WITHY_BODY_INERTIA
    center_of_mass: Sequence[float]

    #: With WITHY_BODY_INERTIA: about the centre of mass, in the frame's axes, kg m^2 in every
    #: convention: xx, yy, zz, xy, xz, yz, the latter three being entries of the tensor, -sum m x y
    #: and so on. Principal moments within [1e-15, 1e18], none larger than the sum of the others.
    #: kg m^2; default 0; with flags WITHY_BODY_INERTIA
    inertia: Union[float, Sequence[float]]

    #: Its gravity over the world's, [-1e6, 1e6]. Default: 1.
    #: [-1e6, 1e6]; default 1
    gravity_scale: float

    #: Rates c at which velocity and spin die, 1/s, [0, 1e9]: a substep of h seconds makes (v + h
    #: g)/(1 + h c) of v, so that gravity is damped as air would: what falls for long has gravity
    #: over linear_damping, whatever h. Default: 0 and 0.05.
    #: 1/s; [0, 1e9]; default 0
    linear_damping: float

    #: 1/s; [0, 1e9]; default 0.05
    angular_damping: float

    #: It is slowed down to this speed, [1e-3, 1e9] m/s, in every substep and once more at the end
    #: of the step. 0 (the default): 500 m/s.
    #: L/s; [0.001, 1e9]; 0: 500 m/s; default 0
    max_speed: float

    #: Bodies of the same group other than 0 (the default) do not collide.
    #: 0: none; default 0
    group: int

    #: 1 (the default): it sleeps when it and all that it touches have been at rest for half a
    #: second: within 15 mm, and, on contacts that yield, below 3 mm/s. Else 0.
    #: default 1
    can_sleep: bool

    #: 1 (the default): going straight it does not pass through what is static or kinematic, however
    #: fast. Else 0. Whatever this says, bodies that would pass through each other within a step,
    #: going straight or swung by the host, meet where they are about to.
    #: default 1
    continuous: bool


class ColliderDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyColliderDef. L is the host's unit of length."""

    #: default 0
    flags: int

    #: A WITHY_SHAPE_ value. Default: WITHY_SHAPE_PLANE.
    #: default 0
    shape: Union[Shape, int]

    #: As for rods. Default: 1 and all.
    #: bits; default 1
    category: int

    #: bits; default 4.294967295e9
    mask: int

    #: Default: identity.
    #: L; default identity
    pose: Tuple[Sequence[float], Sequence[float]]

    #: What the shape needs of these three and of `radius_top`: [1e-9, 1e6] m, and `half_height` [0,
    #: 1e6] m.
    #: L; [1e-9, 1e6]; default 0; with shape WITHY_SHAPE_SPHERE
    radius: float

    #: L; [0, 1e6]; default 0; with shape WITHY_SHAPE_CAPSULE
    half_height: float

    #: L; [1e-9, 1e6]; with shape WITHY_SHAPE_BOX
    half_extents: Sequence[float]

    #: Coulomb's coefficient, [0, 1e3]. Default: 0.5.
    #: [0, 1000]; default 0.5
    friction: float

    #: Of WITHY_SHAPE_TAPERED_CAPSULE.
    #: L; [1e-9, 1e6]; default 0; with shape WITHY_SHAPE_TAPERED_CAPSULE
    radius_top: float


class MotorFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyMotor. L is the host's unit of length."""

    #: N m/rad, 0 or more; INFINITY: as stiff as the solver can.
    #: N m/rad; [0, inf]; default 0
    stiffness: Union[float, Sequence[float]]

    #: N m s/rad, 0 or more; INFINITY: the spin is `speed`.
    #: N m s/rad; [0, inf]; default 0
    damping: Union[float, Sequence[float]]

    #: How frame b should stand in frame a at the end of the next step: what the stiffness pulls to.
    #: It moves there within the step from where it was, and a stiff motor with it.
    #: default identity
    target: Sequence[float]

    #: Spin of b in a about d1, d2, d3 of frame a that the damping acts towards, rad/s, [-1e6, 1e6].
    #: rad/s; [-1e6, 1e6]; default 0
    speed: Union[float, Sequence[float]]

    #: N m, 0 or more; INFINITY: no limit.
    #: N m; [0, inf]; default inf
    max_torque: float


class JointDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyJointDef. L is the host's unit of length."""

    #: WITHY_JOINT_WORLD_FRAMES, WITHY_JOINT_ARC_RELAXATION, both, or 0 (the default).
    #: default 0
    flags: Union[JointFlags, int]

    #: Null: the world.
    #: 0: the world
    body_a: Any

    #: In the same world as body_a. Required.
    body_b: Any

    #: In the body's frame; without a body, in world space. Default: identity.
    #: L; default identity
    frame_a: Tuple[Sequence[float], Sequence[float]]

    #: L; default identity
    frame_b: Tuple[Sequence[float], Sequence[float]]

    #: A WITHY_JOINT_ value. Default: WITHY_JOINT_BALL.
    #: default 0
    kind: Union[JointKind, int]

    #: 1: the two bodies may touch. 0 (the default): they do not collide while the joint is enabled.
    #: default 0
    collide: bool

    #: Of a ball: half angles of the cone that d3 swings in, about d1 and d2, [0, pi] rad, 0.01 at
    #: least. pi, both (the default): no limit. Of an arc: the same of its bend over the whole
    #: length, from straight.
    #: rad; [0, 3.141592653589793]; default 3.141592653589793
    swing: Union[float, Sequence[float]]

    #: Of a ball, a hinge or an arc: least and most angle about d3, [-pi, pi] rad. -pi and pi (the
    #: default): no limit.
    #: rad; [-3.141592653589793, 3.141592653589793]; default [-3.141592653589793,3.141592653589793]
    twist: Union[float, Sequence[float]]

    #: Of a distance: host units, [0, 1e9] m. Default: 0.
    #: L; [0, 1e9]; default 0; with kind WITHY_JOINT_DISTANCE
    least: float

    #: L; [0, 1e9]; default 0; with kind WITHY_JOINT_DISTANCE
    most: float

    #: with kind WITHY_JOINT_ARC
    arc: Any

    #: NULL (the default): none. Copied.
    motor: Any


class MeshDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyMeshDef. L is the host's unit of length."""

    #: WITHY_MESH_ELASTIC, or 0 (the default).
    #: default 0
    flags: Union[MeshFlags, int]

    #: Vectors, one a vertex, host units, 1 to 2^24. Required.
    #: 3 numbers per mesh vertex; L
    positions: ArrayLike

    #: Triples of u32. Required.
    #: 3 u32 per triangle
    triangles: ArrayLike

    #: Numbers, one a vertex, 1/kg, [0, 1e12]; 0 for a vertex that only the host moves. None: 0 for
    #: all.
    #: 1 number per mesh vertex; 1/kg; [0, 1e12]
    inv_masses: ArrayLike

    #: Pairs of u32, or none: more pairs of vertices to hold at their distance, such as the
    #: diagonals of a box.
    #: 2 u32 per pair
    extra_edges: ArrayLike

    #: m/N, [0, 1e12], with WITHY_MESH_ELASTIC. Default: 0, rigid edges.
    #: m/N; [0, 1e12]; default 0; with flags WITHY_MESH_ELASTIC
    edge_compliance: float

    #: Rate at which the motion of the vertices dies, 1/s, [0, 1e9], with WITHY_MESH_ELASTIC.
    #: Default: 0.
    #: 1/s; [0, 1e9]; default 0; with flags WITHY_MESH_ELASTIC
    drag: float


class RegionDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyRegionDef. L is the host's unit of length."""

    #: WITHY_REGION_RELAXATION, or 0 (the default).
    #: default 0
    flags: Union[RegionFlags, int]

    #: Indices of bodies; the last's bone is below the first's. Bodies between are not made: shapes
    #: and mass go to the nearer end.
    #: default 0
    first: int

    #: default 0
    last: int

    #: The ends of the arc, host units, in the first and in the last bone. Default: their origins.
    #: L; default 0
    anchor_a: Sequence[float]

    #: L; default 0
    anchor_b: Sequence[float]

    #: Direction in the first bone about which `arc.bend[0]` counts. Default: x.
    #: default [1,0,0]
    axis: Sequence[float]

    #: `rest` is not used; `length` 0: that of the pose of the transition.
    arc: Any

    #: Limits of the bend, from straight, about `axis` and across it, and of the twist, from the
    #: bind pose, as those of an arc joint. Default: none.
    #: rad; [0, 3.141592653589793]; default 3.141592653589793
    swing: Union[float, Sequence[float]]

    #: rad; [-3.141592653589793, 3.141592653589793]; default [-3.141592653589793,3.141592653589793]
    twist: Union[float, Sequence[float]]

    #: A WITHY_REGION_REST_ value. Default: WITHY_REGION_REST_POSE.
    #: default 0
    rest: Union[RegionRest, int]

    #: WITHY_REGION_ALONG_ARC (the default), _ORIENTATION or _ORIENTATION_AND_POSITION.
    #: default 0
    read_back: Union[ReadBack, int]

    #: 1: the two bodies may touch. Default: 0.
    #: default 0
    collide: bool


class RagdollDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyRagdollDef. L is the host's unit of length."""

    #: WITHY_RAGDOLL_ flags, or 0 (the default).
    #: default 0
    flags: Union[RagdollFlags, int]

    #: u32, one a bone: the parent's index, anywhere in the array, or UINT32_MAX. At most 65536
    #: bones.
    #: 1 u32 per bone
    parents: ArrayLike

    #: Vectors and quaternions, one a bone: the bind pose, in the parent's frame, of a root in the
    #: world's.
    #: 3 numbers per bone; L
    positions: ArrayLike

    #: 4 numbers per bone
    rotations: ArrayLike

    #: `body_count` and `region_count` of them.
    bodies: Any

    regions: Any

    #: default 0
    body_count: int

    #: default 0
    region_count: int

    #: Pairs of u32: bodies that pass through each other, besides those that a joint or an arc
    #: joins.
    #: 2 u32 per pair
    apart: ArrayLike


class RagdollDriveFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyRagdollDrive. L is the host's unit of length."""

    #: N m/rad in every convention, 0 or more; INFINITY: as stiff as the solver can.
    #: N m/rad; [0, inf]; default 0
    stiffness: float

    #: N m s/rad, against spin other than the target's, 0 or more; may be INFINITY.
    #: N m s/rad; [0, inf]; default 0
    damping: float

    #: N m, 0 (drives nothing) or more; INFINITY (the default): no limit.
    #: N m; [0, inf]; default inf
    max_torque: float

    #: Numbers, [0, 1e9], one a body of the def: factors of the three for the joint above it. Count
    #: 0: 1.
    #: 1 number per body; [0, 1e9]
    scale: ArrayLike


class RodsDefFields(TypedDict, total=False):
    """Keyword arguments that fill a WithyRodsDef. L is the host's unit of length."""

    #: default 0
    flags: Union[RodsFlags, int]

    #: Vectors, one a vertex. Required.
    #: 3 numbers per vertex; L
    positions: ArrayLike

    #: u32, vertices of each strand, 2 to 2^24; they add up to `positions.count`, 2^31 at most.
    #: Required.
    #: 1 u32 per strand; [2, 1.6777216e7]
    counts: ArrayLike

    #: Vectors, one a vertex, or none: the shape to have at rest where it differs from the start.
    #: 3 numbers per vertex; L
    rest_positions: ArrayLike

    #: Vectors, one a vertex, or none: the start velocities.
    #: 3 numbers per vertex; L/s
    velocities: ArrayLike

    #: Numbers, one a vertex, or none: section radii instead of `radius`, in the same range.
    #: 1 number per vertex; L; [1e-7, 1000]
    radii: ArrayLike

    #: Vectors, the direction of d1, projected off the edge: one an edge; one a strand, transported
    #: from its root; or none, for circular sections.
    #: 3 numbers per edge or strand
    section_axes: ArrayLike

    #: Numbers, one a vertex, [1e-6, 1e6], or none: multiplies the stiffness of bending, twist and
    #: stretch.
    #: 1 number per vertex; [1e-6, 1e6]
    stiffness_scale: ArrayLike

    #: Numbers, one an edge, [1e-9, 1e9] m. With WITHY_REST_EXPLICIT only, and then required.
    #: 1 number per edge; L; [1e-9, 1e9]; with rest_shape WITHY_REST_EXPLICIT
    rest_lengths: ArrayLike

    #: Vectors, one an element: Darboux vectors, as `withy_rods_read_darboux` gives them. With
    #: WITHY_REST_EXPLICIT only, and then required.
    #: 3 numbers per element; 1/L; with rest_shape WITHY_REST_EXPLICIT
    rest_darboux: ArrayLike

    #: Section radius, or for an ellipse the semi-axis along d1, [1e-7, 1e3] m. Required unless
    #: `radii` is there.
    #: L; [1e-7, 1000]; 0: radii; default 0
    radius: float

    #: Semi-axis along d2 over that along d1, [1e-3, 1e3]. Default: 1.
    #: [0.001, 1000]; default 1
    aspect: float

    #: Young's modulus E and shear modulus G, Pa, [1e-3, 1e15]. Default: 1e7 and 4e6, rubber.
    #: (c_bend and c_twist of Takahashi and Batty 2025, whose c_stretch is `stretch_modulus`; hair:
    #: 4e9 and 1.5e9.)
    #: Pa; [0.001, 1e15]; default 1e7; with stiffness WITHY_STIFFNESS_PHYSICAL
    young_modulus: float

    #: Pa; [0.001, 1e15]; default 4e6; with stiffness WITHY_STIFFNESS_PHYSICAL
    shear_modulus: float

    #: 0 to 1, with WITHY_STIFFNESS_ALPHA: bending about d1 and d2, twist about d3, stretch.
    #: Default: 1.
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

    #: Distance of the ghost points from their edges. 0 (the default): the mean edge length of the
    #: strand.
    #: L; [0, 1e9]; 0: the strand's mean edge length; default 0
    ghost_distance: float

    #: Mass of a ghost point over that of its edge, from which it is taken, [1e-6, 0.9]. Default:
    #: 0.2.
    #: [1e-6, 0.9]; default 0.2
    ghost_mass_ratio: float

    #: Rate at which motion other than a strand's rigid motion dies, 1/s, [0, 1e9]; keeps both
    #: momenta (Mueller 2007). Default: 0.
    #: 1/s; [0, 1e9]; default 0
    damping: float

    #: Rate at which the velocity approaches that of the wind, 1/s, [0, 1e9]. Default: 0.
    #: 1/s; [0, 1e9]; default 0
    drag: float

    #: Host units/s. Default: 0.
    #: L/s; [-1e9, 1e9]; default 0
    wind: Sequence[float]

    #: Coulomb's coefficient, [0, 1e3]; that of a contact is the geometric mean with the collider's.
    #: Default: 0.5.
    #: [0, 1000]; default 0.5
    friction: float

    #: Distance of contact from the centreline, up to 1e3 m. 0 (the default): the section radius.
    #: L; [0, 1000]; 0: the section radius; default 0
    collision_radius: float

    #: Vertices are slowed down to this speed, [1e-3, 1e9] m/s; the step's statistics count the
    #: strands. Loads that would bring a vertex there within one substep are cut by sweeps, and
    #: whole where Newton's method solves rods that something holds. 0 (the default): 1000 m/s.
    #: L/s; [0.001, 1e9]; 0: 1000 m/s; default 0
    max_speed: float

    #: A WITHY_STIFFNESS_ value. Default: WITHY_STIFFNESS_PHYSICAL.
    #: default 0
    stiffness: Union[Stiffness, int]

    #: A WITHY_REST_ value. Default: WITHY_REST_FROM_POSE.
    #: default 0
    rest_shape: Union[Rest, int]

    #: A WITHY_ORDER_ value. Default: WITHY_ORDER_AUTO.
    #: default 5
    order: Union[Order, int]

    #: WITHY_SUPPORT_ values, at the first and the last vertex of each strand. Default:
    #: WITHY_SUPPORT_FREE.
    #: default 0
    root: Union[Support, int]

    #: default 0
    tip: Union[Support, int]

    #: Iterations of a substep, 10,000 at most. 0 (the default): one step of Newton's method with
    #: WITHY_ORDER_DIRECT and WITHY_MODEL_DER, without a line search, which comes with the second
    #: (docs/direct.md); the world's with sweeps. Rods that attachments hold are solved together, by
    #: the most iterations that any of them asks for; there 0 is the world's for all, three to eight
    #: where light bodies or junctions hold direct strands. What one of them asks for, or hangs on,
    #: thus changes how exactly the others are solved, near or far.
    #: [0, 10000]; 0: 1 where Newton's method solves, else the world's; default 0
    iterations: int

    #: Layers that these rods are in and that they collide with: two objects meet if each has a bit
    #: of the other's category in its mask. Default: 1 and all.
    #: bits; default 1
    category: int

    #: bits; default 4.294967295e9
    mask: int

    #: How gravity pulls on the ghost points, a WITHY_GHOST_GRAVITY_ value. Default:
    #: WITHY_GHOST_GRAVITY_SHARED.
    #: default 0
    ghost_gravity: Union[GhostGravity, int]

    #: A WITHY_MODEL_ value. Default: WITHY_MODEL_GHOST.
    #: default 0
    model: Union[Model, int]

    #: Young's modulus against stretching alone, Pa, [1e-3, 1e15]. 0 (the default): `young_modulus`.
    #: Pa; [0.001, 1e15]; 0: young_modulus; default 0
    stretch_modulus: float

    #: Time in which a strain forgets how fast it changes (Kelvin-Voigt), s, [0, 1e3]: slows changes
    #: of shape, leaves rigid motion and the static shape alone. WITHY_MODEL_DER or
    #: WITHY_ORDER_DIRECT only. With its stiffness no more than a step can take, which f32 limits.
    #: Default: 0.
    #: s; [0, 1000]; default 0; with order WITHY_ORDER_DIRECT
    viscosity: float


#: Name, result and parameters of every function. A handle is its number.
SIGNATURES: List[Tuple[str, Any, List[Any]]] = [
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
    ("withy_collider_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_collider_create", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_collider_destroy", c_int32, [c_uint64]),
    ("withy_collider_set_pose", c_int32, [c_uint64, c_void_p, c_uint32]),
    ("withy_collider_get_pose", c_int32, [c_uint64, c_void_p]),
    ("withy_context_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_context_create", c_int32, [c_void_p, c_void_p]),
    ("withy_context_destroy", c_int32, [c_uint64]),
    ("withy_world_read_stats_sized", c_int32, [c_uint64, c_void_p, c_uint32]),
    ("withy_world_backend", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_world_isa", c_int32, [c_uint64, c_void_p]),
    ("withy_world_memory", c_int32, [c_uint64, c_void_p]),
    ("withy_world_state_hash", c_int32, [c_uint64, c_void_p]),
    ("withy_world_debug_lines", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_joint_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_motor_init", c_int32, [c_void_p]),
    ("withy_joint_create", c_int32, [c_void_p, c_void_p]),
    ("withy_joint_destroy", c_int32, [c_uint64]),
    ("withy_joint_change", c_int32, [c_uint64, c_void_p]),
    ("withy_joint_set_limits", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_joint_set_motor", c_int32, [c_uint64, c_void_p]),
    ("withy_joint_set_enabled", c_int32, [c_uint64, c_uint32]),
    ("withy_joint_get_error", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_joint_get_length", c_int32, [c_uint64, c_void_p]),
    ("withy_world_set_motors", c_int32, [c_uint64, c_void_p, c_uint64, c_void_p]),
    ("withy_world_read_joint_errors", c_int32, [c_uint64, c_void_p, c_uint64, c_void_p, c_void_p]),
    ("withy_version", c_uint32, []),
    ("withy_check_version", c_int32, [c_uint32]),
    ("withy_last_error", c_char_p, []),
    ("withy_result_name", c_char_p, [c_int32]),
    ("withy_isa_available", c_uint32, [c_uint32]),
    ("withy_mesh_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_mesh_create", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_mesh_destroy", c_int32, [c_uint64]),
    ("withy_mesh_set_positions", c_int32, [c_uint64, c_void_p, c_uint32]),
    ("withy_mesh_read_positions", c_int32, [c_uint64, c_void_p]),
    ("withy_mesh_read_corrections", c_int32, [c_uint64, c_void_p]),
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
    ("withy_rest_shape_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_rods_optimize_rest_shape", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_settle", c_int32, [c_uint64, c_uint32, c_double]),
    ("withy_rods_read_elastic_report", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_rods_read_carried", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_rest_lengths", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_rest_strains", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_stiffness_factors", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_stiffness_factors", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_radii", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_rest_strains", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_rods_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_rods_create", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_rods_destroy", c_int32, [c_uint64]),
    ("withy_rods_set_root_poses", c_int32, [c_uint64, c_void_p, c_void_p, c_uint32]),
    ("withy_rods_set_tip_poses", c_int32, [c_uint64, c_void_p, c_void_p, c_uint32]),
    ("withy_rods_set_pin", c_int32, [c_uint64, c_uint32, c_void_p, c_uint32]),
    ("withy_rods_set_motion", c_int32, [c_uint64, c_double, c_double, c_void_p, c_double]),
    ("withy_rods_set_rest_shape", c_int32, [c_uint64, c_uint32, c_void_p, c_void_p]),
    ("withy_rods_write_positions", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_write_frames", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_write_velocities", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_forces", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_set_moments", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_order", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_counts", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_positions", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_velocities", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_ghosts", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_frames", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_twist", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_strain", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_darboux", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_tension", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_moments", c_int32, [c_uint64, c_void_p]),
    ("withy_rods_read_report", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_world_def_init_sized", c_int32, [c_void_p, c_uint32]),
    ("withy_world_create", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_world_destroy", c_int32, [c_uint64]),
    ("withy_world_set_gravity", c_int32, [c_uint64, c_void_p]),
    ("withy_world_get_gravity", c_int32, [c_uint64, c_void_p]),
    ("withy_world_set_iterations", c_int32, [c_uint64, c_uint32, c_uint32]),
    ("withy_world_step", c_int32, [c_uint64, c_double]),
    ("withy_world_save_state", c_int32, [c_uint64, c_void_p, c_void_p]),
    ("withy_world_restore_state", c_int32, [c_uint64, c_void_p, c_uint64]),
]


class Functions:
    """The functions of a loaded library, under their names in C."""

    __slots__ = tuple(name for name, _, _ in SIGNATURES)

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
    withy_collider_def_init_sized: Callable[..., int]
    withy_collider_create: Callable[..., int]
    withy_collider_destroy: Callable[..., int]
    withy_collider_set_pose: Callable[..., int]
    withy_collider_get_pose: Callable[..., int]
    withy_context_def_init_sized: Callable[..., int]
    withy_context_create: Callable[..., int]
    withy_context_destroy: Callable[..., int]
    withy_world_read_stats_sized: Callable[..., int]
    withy_world_backend: Callable[..., int]
    withy_world_isa: Callable[..., int]
    withy_world_memory: Callable[..., int]
    withy_world_state_hash: Callable[..., int]
    withy_world_debug_lines: Callable[..., int]
    withy_joint_def_init_sized: Callable[..., int]
    withy_motor_init: Callable[..., int]
    withy_joint_create: Callable[..., int]
    withy_joint_destroy: Callable[..., int]
    withy_joint_change: Callable[..., int]
    withy_joint_set_limits: Callable[..., int]
    withy_joint_set_motor: Callable[..., int]
    withy_joint_set_enabled: Callable[..., int]
    withy_joint_get_error: Callable[..., int]
    withy_joint_get_length: Callable[..., int]
    withy_world_set_motors: Callable[..., int]
    withy_world_read_joint_errors: Callable[..., int]
    withy_version: Callable[..., int]
    withy_check_version: Callable[..., int]
    withy_last_error: Callable[..., bytes]
    withy_result_name: Callable[..., bytes]
    withy_isa_available: Callable[..., int]
    withy_mesh_def_init_sized: Callable[..., int]
    withy_mesh_create: Callable[..., int]
    withy_mesh_destroy: Callable[..., int]
    withy_mesh_set_positions: Callable[..., int]
    withy_mesh_read_positions: Callable[..., int]
    withy_mesh_read_corrections: Callable[..., int]
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
    withy_rest_shape_def_init_sized: Callable[..., int]
    withy_rods_optimize_rest_shape: Callable[..., int]
    withy_rods_settle: Callable[..., int]
    withy_rods_read_elastic_report: Callable[..., int]
    withy_rods_read_carried: Callable[..., int]
    withy_rods_read_rest_lengths: Callable[..., int]
    withy_rods_read_rest_strains: Callable[..., int]
    withy_rods_read_stiffness_factors: Callable[..., int]
    withy_rods_set_stiffness_factors: Callable[..., int]
    withy_rods_set_radii: Callable[..., int]
    withy_rods_set_rest_strains: Callable[..., int]
    withy_rods_def_init_sized: Callable[..., int]
    withy_rods_create: Callable[..., int]
    withy_rods_destroy: Callable[..., int]
    withy_rods_set_root_poses: Callable[..., int]
    withy_rods_set_tip_poses: Callable[..., int]
    withy_rods_set_pin: Callable[..., int]
    withy_rods_set_motion: Callable[..., int]
    withy_rods_set_rest_shape: Callable[..., int]
    withy_rods_write_positions: Callable[..., int]
    withy_rods_write_frames: Callable[..., int]
    withy_rods_write_velocities: Callable[..., int]
    withy_rods_set_forces: Callable[..., int]
    withy_rods_set_moments: Callable[..., int]
    withy_rods_order: Callable[..., int]
    withy_rods_read_counts: Callable[..., int]
    withy_rods_read_positions: Callable[..., int]
    withy_rods_read_velocities: Callable[..., int]
    withy_rods_read_ghosts: Callable[..., int]
    withy_rods_read_frames: Callable[..., int]
    withy_rods_read_twist: Callable[..., int]
    withy_rods_read_strain: Callable[..., int]
    withy_rods_read_darboux: Callable[..., int]
    withy_rods_read_tension: Callable[..., int]
    withy_rods_read_moments: Callable[..., int]
    withy_rods_read_report: Callable[..., int]
    withy_world_def_init_sized: Callable[..., int]
    withy_world_create: Callable[..., int]
    withy_world_destroy: Callable[..., int]
    withy_world_set_gravity: Callable[..., int]
    withy_world_get_gravity: Callable[..., int]
    withy_world_set_iterations: Callable[..., int]
    withy_world_step: Callable[..., int]
    withy_world_save_state: Callable[..., int]
    withy_world_restore_state: Callable[..., int]

    def __init__(self, library: Any) -> None:
        for name, result, parameters in SIGNATURES:
            function = getattr(library, name)
            function.restype = result
            function.argtypes = parameters
            setattr(self, name, function)
