"""Rigid bodies, the joints between them, meshes, and what ties strands to them."""

from __future__ import annotations

from ctypes import byref, c_double, c_uint32, c_uint64
from typing import TYPE_CHECKING, Any, Optional, Sequence, Tuple

import numpy as np

from . import _native
from ._arrays import Input, view_in, view_out
from ._defs import handle, make, pose, vec3
from ._errors import check
from ._library import lib
from ._native import AttachFlags, End, Motion
from .rods import Rods
from .world import Object, World, _pose

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._native import BodyDefFields, JointDefFields, MeshDefFields

_IDENTITY = (0.0, 0.0, 0.0, 1.0)


class Body(Object):
    """A rigid body.

    :param fields: those of `WithyBodyDef`. `shapes` is a list of dicts with the fields of `WithyShapeDef`:
        `Body(world, shapes=[{"shape": Shape.SPHERE, "radius": 0.1}], pose=((0, 1, 0), (0, 0, 0, 1)))`.
    """

    __slots__ = ("world",)
    _destroy = lib.withy_body_destroy

    def __init__(self, world: World, **fields: Unpack[BodyDefFields]) -> None:
        self.world = world
        keep: list = []
        definition = make(_native.BodyDef, fields, keep)
        bits = c_uint64()
        check(lib.withy_body_create(world.handle, byref(definition), byref(bits)))
        self._bits = bits

    @classmethod
    def of(cls, world: World, bits: int) -> "Body":
        """The body of a handle, as a set of ragdolls gives it."""
        body = cls.__new__(cls)
        body._bits, body.world = c_uint64(bits), world
        return body

    @property
    def pose(self) -> Tuple[np.ndarray, np.ndarray]:
        """Position and rotation (xyzw) of the frame."""
        return _pose(lib.withy_body_get_pose, self._bits)

    def set_pose(self, position: Sequence[float], rotation: Sequence[float] = _IDENTITY) -> None:
        """Puts it somewhere at once; its velocity stays."""
        check(lib.withy_body_set_pose(self._bits, byref(pose(position, rotation))))

    def set_target(self, position: Sequence[float], rotation: Sequence[float] = _IDENTITY) -> None:
        """Where a kinematic body shall be at the end of the next step."""
        check(lib.withy_body_set_target(self._bits, byref(pose(position, rotation))))

    @property
    def velocity(self) -> np.ndarray:
        """Of the centre of mass, units/s."""
        value = _native.Vec3()
        check(lib.withy_body_get_velocity(self._bits, byref(value), None))
        return np.array((value.x, value.y, value.z))

    @property
    def spin(self) -> np.ndarray:
        """rad/s about the world's axes."""
        value = _native.Vec3()
        check(lib.withy_body_get_velocity(self._bits, None, byref(value)))
        return np.array((value.x, value.y, value.z))

    def set_velocity(self, velocity: Sequence[float], spin: Optional[Sequence[float]] = None) -> None:
        turning = None if spin is None else byref(vec3(spin))
        check(lib.withy_body_set_velocity(self._bits, byref(vec3(velocity)), turning))

    def set_motion(self, motion: Motion) -> None:
        """Who moves it: `Motion.KINEMATIC` or `Motion.DYNAMIC`."""
        check(lib.withy_body_set_motion(self._bits, motion))

    def push(
        self,
        force: Optional[Sequence[float]] = None,
        torque: Optional[Sequence[float]] = None,
        point: Optional[Sequence[float]] = None,
    ) -> None:
        """A force, N, and a torque, N m, during the next step; at a point in world space, or at the centre of mass."""
        given = (None if v is None else byref(vec3(v)) for v in (force, torque, point))
        check(lib.withy_body_push(self._bits, *given))

    def set_sleeping(self, sleeping: bool) -> None:
        check(lib.withy_body_set_sleeping(self._bits, int(sleeping)))

    @property
    def mass(self) -> float:
        """kg; 0 of what is not dynamic."""
        value = c_double()
        check(lib.withy_body_get_mass(self._bits, byref(value), None, None))
        return value.value


class Joint(Object):
    """What holds two bodies together, or one to the world.

    :param fields: those of `WithyJointDef`. `frame_a` and `frame_b` are pairs of position and rotation, `motor` and
        `arc` dicts with the fields of `WithyMotor` and `WithyArc`.
    """

    __slots__ = ()
    _destroy = lib.withy_joint_destroy

    def __init__(self, **fields: Unpack[JointDefFields]) -> None:
        keep: list = []
        definition = make(_native.JointDef, fields, keep)
        bits = c_uint64()
        check(lib.withy_joint_create(byref(definition), byref(bits)))
        self._bits = bits

    @classmethod
    def of(cls, bits: int) -> "Joint":
        """The joint of a handle, as a set of ragdolls gives it."""
        joint = cls.__new__(cls)
        joint._bits = c_uint64(bits)
        return joint

    def change(self, **fields: Unpack[JointDefFields]) -> None:
        """Makes it another joint of the same bodies."""
        keep: list = []
        check(lib.withy_joint_change(self._bits, byref(make(_native.JointDef, fields, keep))))

    def set_limits(self, swing: Optional[Sequence[float]] = None, twist: Optional[Sequence[float]] = None) -> None:
        """Half angles about d1 and d2; least and most angle about d3, rad."""
        arrays = [None if v is None else (c_double * 2)(*v) for v in (swing, twist)]
        check(lib.withy_joint_set_limits(self._bits, *arrays))

    def set_motor(self, motor: Optional[dict] = None) -> None:
        """A dict with the fields of `WithyMotor`; None: no motor any more."""
        value = None if motor is None else byref(make(_native.Motor, motor, []))
        check(lib.withy_joint_set_motor(self._bits, value))

    def set_enabled(self, enabled: bool) -> None:
        check(lib.withy_joint_set_enabled(self._bits, int(enabled)))

    @property
    def enabled(self) -> bool:
        """False: switched off, or broken."""
        value = c_uint32()
        check(lib.withy_joint_get_enabled(self._bits, byref(value)))
        return bool(value.value)

    @property
    def force(self) -> Tuple[np.ndarray, np.ndarray]:
        """What it did to its body b in the last step: force, N, and torque about the origin of frame b, N m."""
        force, torque = _native.Vec3(), _native.Vec3()
        check(lib.withy_joint_get_force(self._bits, byref(force), byref(torque)))
        return np.array((force.x, force.y, force.z)), np.array((torque.x, torque.y, torque.z))

    @property
    def angles(self) -> Tuple[float, float, float]:
        """How frame b is turned against frame a: about d1, d2 and d3, rad; a hinge counts whole turns about d3."""
        swing, twist = (c_double * 2)(), c_double()
        check(lib.withy_joint_get_angles(self._bits, swing, byref(twist)))
        return swing[0], swing[1], twist.value

    @property
    def error(self) -> Tuple[float, float]:
        """Distance, units, and angle, rad, between the frames and what the joint holds."""
        distance, angle = c_double(), c_double()
        check(lib.withy_joint_get_error(self._bits, byref(distance), byref(angle)))
        return distance.value, angle.value

    @property
    def length(self) -> float:
        """Of an arc, units; 0 for other kinds."""
        value = c_double()
        check(lib.withy_joint_get_length(self._bits, byref(value)))
        return value.value


class Mesh(Object):
    """Triangles that strands hang on and pull.

    :param positions: `(n, 3)`
    :param triangles: `(m, 3)`, indices
    :param fields: the others of `WithyMeshDef`.
    """

    __slots__ = ("world", "vertex_count")
    _destroy = lib.withy_mesh_destroy

    def __init__(self, world: World, positions: Input, triangles: Input, /, **fields: Unpack[MeshDefFields]) -> None:
        self.world = world
        points = view_in(positions, 3, "float", "positions")
        corners = view_in(triangles, 3, "u32", "triangles")
        keep: list = []
        definition = make(_native.MeshDef, {**fields, "positions": points, "triangles": corners}, keep)
        bits = c_uint64()
        check(lib.withy_mesh_create(world.handle, byref(definition), byref(bits)))
        self._bits = bits
        self.vertex_count = points.count

    def set_positions(self, positions: Input, teleport: bool = False) -> None:
        """Where the vertices shall be at the end of the next step."""
        view = view_in(positions, 3, "float", "positions")
        check(lib.withy_mesh_set_positions(self._bits, view.address, int(teleport)))

    def read_positions(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        view = view_out(out, 3, self.vertex_count, dtype, "out")
        check(lib.withy_mesh_read_positions(self._bits, view.address))
        return view.array

    def read_corrections(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """How far the rods have pulled the vertices."""
        view = view_out(out, 3, self.vertex_count, dtype, "out")
        check(lib.withy_mesh_read_corrections(self._bits, view.address))
        return view.array


class Attachment(Object):
    """What holds the end of a strand: a body, a point of a mesh, or other strands."""

    __slots__ = ()
    _destroy = lib.withy_attachment_destroy

    @classmethod
    def _made(cls, function: Any, kind: Any, fields: dict) -> "Attachment":
        keep: list = []
        definition = make(kind, fields, keep)
        bits = c_uint64()
        check(function(byref(definition), byref(bits)))
        attachment = cls.__new__(cls)
        attachment._bits = bits
        return attachment

    @classmethod
    def to_body(cls, rods: Rods, strand: int, end: End, body: Body, clamped: bool = False) -> "Attachment":
        """Ties an end to a body, where it is now."""
        fields = {"end": (handle(rods), strand, end), "body": body, "flags": AttachFlags.CLAMPED if clamped else 0}
        return cls._made(lib.withy_attachment_create_body, _native.BodyAttachmentDef, fields)

    @classmethod
    def to_triangle(
        cls,
        rods: Rods,
        strand: int,
        end: End,
        mesh: Mesh,
        triangle: int,
        barycentric: Sequence[float] = (1 / 3, 1 / 3, 1 / 3),
        clamped: bool = False,
    ) -> "Attachment":
        """Ties an end to a point of a triangle."""
        fields = {
            "end": (handle(rods), strand, end),
            "mesh": mesh,
            "triangle": triangle,
            "barycentric": barycentric,
            "flags": AttachFlags.CLAMPED if clamped else 0,
        }
        return cls._made(lib.withy_attachment_create_triangle, _native.TriangleAttachmentDef, fields)

    @classmethod
    def junction(cls, ends: Sequence[Tuple[Rods, int, End]], radius: float = 0.0, mass: float = 0.0) -> "Attachment":
        """Joins ends rigidly: `[(rods, strand, End.TIP), ...]`."""
        fields = {"ends": [(handle(r), s, e) for r, s, e in ends], "radius": radius, "mass": mass}
        return cls._made(lib.withy_attachment_create_junction, _native.JunctionDef, fields)
