"""Contexts, worlds, and the colliders that a host moves in them."""

from __future__ import annotations

import ctypes
import weakref
from ctypes import addressof, byref, c_uint32, c_uint64, create_string_buffer, sizeof
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from . import _native
from ._arrays import Input, View, view_in, view_out
from ._defs import handle, make, pose, vec3
from ._errors import check, fail
from ._library import lib
from ._native import Convention, Isa

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._native import ColliderDefFields, WorldDefFields

_step = lib.withy_world_step
_set_iterations = lib.withy_world_set_iterations


class Object:
    """Something in a world, or a world. `handle` is its number for the C ABI, 0 once it has been destroyed."""

    __slots__ = ("_bits", "__weakref__")
    _destroy: Callable[..., int]

    #: The handle as ctypes passes it, which is faster than a number.
    _bits: c_uint64

    @property
    def handle(self) -> int:
        return self._bits.value

    def destroy(self) -> None:
        """Removes it. Done once; what it held is let go."""
        if self._bits:
            check(type(self)._destroy(self._bits))
            self._bits = c_uint64()

    def __bool__(self) -> bool:
        return self._bits.value != 0

    def __repr__(self) -> str:
        return f"<withy.{type(self).__name__} {self.handle:#x}>"


class Context:
    """The host's units, axes and threads. Closing it destroys its worlds.

    :param convention: units and axes: `Convention.SI` (metres, Y up), `MAYA`, `UNREAL`, `UNITY`, `BLENDER`.
    :param threads: 0: worlds are stepped by the thread that calls; n: a pool; `THREADS_ALL`: one a core.
    :param metres_per_unit: length of the host's unit; 0: the convention's own.
    """

    def __init__(
        self, convention: int = Convention.SI, threads: int = 0, metres_per_unit: float = 0.0
    ) -> None:
        fields = {"convention": convention, "threads": threads, "metres_per_unit": metres_per_unit}
        definition = make(_native.ContextDef, fields, [])
        bits = c_uint64()
        check(lib.withy_context_create(byref(definition), byref(bits)))
        self.handle = bits.value
        self._finalizer = weakref.finalize(self, lib.withy_context_destroy, bits.value)

    def close(self) -> None:
        """Destroys the context with its worlds and all that is in them."""
        if self._finalizer.alive:
            check(lib.withy_context_destroy(self.handle))
            self._finalizer.detach()
            self.handle = 0

    def save_gpu_cache(self) -> bytes:
        """What the GPU's driver has compiled, for a file that a later run loads. Empty: nothing."""
        size = c_uint64()
        check(lib.withy_context_save_gpu_cache(self.handle, None, byref(size)))
        cache = np.empty(size.value, np.uint8)
        check(lib.withy_context_save_gpu_cache(self.handle, cache.ctypes.data, byref(size)))
        return cache.tobytes()

    def load_gpu_cache(self, cache: Union[bytes, bytearray, memoryview]) -> None:
        """For worlds that are made afterwards. What is damaged or of another GPU is not used."""
        data = np.frombuffer(cache, np.uint8) if len(cache) else np.empty(0, np.uint8)
        check(lib.withy_context_load_gpu_cache(self.handle, data.ctypes.data, data.size))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _listed(function: Callable[..., int], bits: c_uint64, dtype: Any, *first: Any) -> np.ndarray:
    """An array of structs, whose number the library tells."""
    count = c_uint64()
    check(function(bits, *first, None, byref(count)))
    out = np.empty(count.value, dtype)
    check(function(bits, *first, out.ctypes.data, byref(count)))
    return out[: count.value]


class World(Object):
    """Everything that can touch, stepped as a whole.

    :param context: whose conventions and threads it uses; none: one of its own, SI and without threads.
    :param fields: those of `WithyWorldDef`: `backend`, `isa`, `precision`, `substeps`, `iterations`.
    """

    __slots__ = ("context", "_owned")
    _destroy = lib.withy_world_destroy

    def __init__(self, context: Optional[Context] = None, **fields: Unpack[WorldDefFields]) -> None:
        if context is not None and not isinstance(context, Context):
            raise TypeError(f"context is {context!r}: must be a withy.Context")
        self._owned = context is None
        self.context = Context() if context is None else context
        definition = make(_native.WorldDef, fields, [])
        bits = c_uint64()
        check(lib.withy_world_create(self.context.handle, byref(definition), byref(bits)))
        self._bits = bits

    def close(self) -> None:
        """Destroys the world and all that is in it, and the context if it is its own."""
        self.destroy()
        if self._owned:
            self.context.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def step(self, dt: float) -> None:
        """Advances everything by `dt` seconds, 1e-6 to 10. Other Python threads run meanwhile."""
        code = _step(self._bits, dt)
        if code:
            fail(code)

    @property
    def gravity(self) -> np.ndarray:
        """In the host's units and axes, units/s^2."""
        value = _native.Vec3()
        check(lib.withy_world_get_gravity(self._bits, byref(value)))
        return np.array((value.x, value.y, value.z))

    @gravity.setter
    def gravity(self, value: Sequence[float]) -> None:
        check(lib.withy_world_set_gravity(self._bits, byref(vec3(value))))

    def set_iterations(self, substeps: int, iterations: int) -> None:
        """Substeps of a step, and sweeps over the constraints in each."""
        code = _set_iterations(self._bits, substeps, iterations)
        if code:
            fail(code)

    def save_state(self, into: Optional[bytearray] = None) -> bytearray:
        """All that steps change, for `restore_state`: a timeline's frame, a rollback.

        :param into: an earlier state, whose memory is used again if the size is the same.
        """
        size = c_uint64()
        check(lib.withy_world_save_state(self._bits, None, byref(size)))
        state = into if into is not None and len(into) == size.value else bytearray(size.value)
        buffer = (ctypes.c_char * len(state)).from_buffer(state)
        check(lib.withy_world_save_state(self._bits, addressof(buffer), byref(size)))
        return state

    def restore_state(self, state: Union[bytes, bytearray, memoryview]) -> None:
        """Goes back to a saved state, bit for bit. The world must have the same objects and pins as then."""
        data = np.frombuffer(state, np.uint8)
        check(lib.withy_world_restore_state(self._bits, data.ctypes.data, data.size))

    def stats(self) -> Dict[str, Any]:
        """What the last step did; the fields of `WithyStepStats`."""
        stats = _native.StepStats()
        check(lib.withy_world_read_stats_sized(self._bits, byref(stats), sizeof(stats)))
        return {name: getattr(stats, name) for name, *_ in stats._fields_ if name != "reserved"}

    @property
    def last_error(self) -> str:
        """Why the last call on the world failed, on whatever thread; empty before the first failure."""
        size = c_uint64()
        check(lib.withy_world_last_error(self._bits, None, byref(size)))
        text = create_string_buffer(size.value)
        check(lib.withy_world_last_error(self._bits, text, byref(size)))
        return text.value.decode()

    @property
    def backend(self) -> str:
        """The backend in use, and after a fall-back the reason."""
        size = c_uint64()
        check(lib.withy_world_backend(self._bits, None, byref(size)))
        text = create_string_buffer(size.value)
        check(lib.withy_world_backend(self._bits, text, byref(size)))
        return text.value.decode()

    @property
    def isa(self) -> Isa:
        """The instruction set in use."""
        value = c_uint32()
        check(lib.withy_world_isa(self._bits, byref(value)))
        return Isa(value.value)

    @property
    def memory(self) -> int:
        """Bytes that the world holds."""
        value = c_uint64()
        check(lib.withy_world_memory(self._bits, byref(value)))
        return value.value

    @property
    def state_hash(self) -> int:
        """Equal on every machine for the same calls."""
        value = c_uint64()
        check(lib.withy_world_state_hash(self._bits, byref(value)))
        return value.value

    def debug_lines(self) -> np.ndarray:
        """Lines to draw, host units: a structured array of `start`, `end`, `rgba`."""
        return _listed(lib.withy_world_debug_lines, self._bits, np.dtype(_native.DebugLine))

    def contacts(self) -> np.ndarray:
        """Contacts of bodies in the last step: a structured array with the fields of `WithyContact`."""
        return _listed(lib.withy_world_read_contacts, self._bits, np.dtype(_native.Contact))

    def broken_joints(self) -> np.ndarray:
        """Joints that broke in the last step: a structured array with the fields of `WithyBrokenJoint`."""
        return _listed(lib.withy_world_read_broken_joints, self._bits, np.dtype(_native.BrokenJoint))

    def list_bodies(self) -> np.ndarray:
        """Handles of all bodies, in the order in which they are read."""
        return _listed(lib.withy_world_list_bodies, self._bits, np.uint64)

    def read_bodies(
        self,
        bodies: Optional[Sequence[Any]] = None,
        *,
        positions: Any = None,
        rotations: Any = None,
        velocities: Any = None,
        spins: Any = None,
        sleeping: Any = None,
    ) -> None:
        """Poses and motion of many bodies, into the arrays that are given, one entry a body.

        :param bodies: none: all of them, in the order of `list_bodies`.
        """
        which, count, keep = _handles(bodies)
        n = len(keep) if bodies is not None else -1
        views = [
            None if out is None else view_out(out, scalars, n, np.float64, name)
            for out, scalars, name in (
                (positions, 3, "positions"),
                (rotations, 4, "rotations"),
                (velocities, 3, "velocities"),
                (spins, 3, "spins"),
                (sleeping, 1, "sleeping"),
            )
        ]
        for view in views:
            if view is not None:
                # The last call has set it to the number of bodies then.
                view.span.count = view.count
        addresses = [None if view is None else view.address for view in views]
        check(lib.withy_world_read_bodies(self._bits, which, count, *addresses))

    def write_bodies(
        self,
        bodies: Optional[Sequence[Any]] = None,
        *,
        positions: Optional[Input] = None,
        rotations: Optional[Input] = None,
        velocities: Optional[Input] = None,
        spins: Optional[Input] = None,
    ) -> None:
        """Puts many bodies somewhere at once, and gives dynamic ones velocities and spins."""
        which, count, keep = _handles(bodies)
        views = [
            _optional(positions, 3, "positions"),
            _optional(rotations, 4, "rotations"),
            _optional(velocities, 3, "velocities"),
            _optional(spins, 3, "spins"),
        ]
        addresses = [None if view is None else view.address for view in views]
        check(lib.withy_world_write_bodies(self._bits, which, count, *addresses))
        del keep

    def set_body_targets(
        self, bodies: Optional[Sequence[Any]], positions: Input, rotations: Optional[Input] = None
    ) -> None:
        """Where kinematic bodies shall be at the end of the next step."""
        which, count, keep = _handles(bodies)
        p, r = view_in(positions, 3, "float", "positions"), _optional(rotations, 4, "rotations")
        check(
            lib.withy_world_set_body_targets(self._bits, which, count, p.address, None if r is None else r.address)
        )
        del keep

    def push_bodies(
        self, bodies: Optional[Sequence[Any]], forces: Optional[Input] = None, torques: Optional[Input] = None
    ) -> None:
        """Forces, N, and torques, N m, on dynamic bodies during the next step."""
        which, count, keep = _handles(bodies)
        f, t = _optional(forces, 3, "forces"), _optional(torques, 3, "torques")
        check(
            lib.withy_world_push_bodies(
                self._bits, which, count, None if f is None else f.address, None if t is None else t.address
            )
        )
        del keep


def _optional(value: Optional[Input], scalars: int, name: str) -> Optional[View]:
    return None if value is None else view_in(value, scalars, "float", name)


def _handles(objects: Optional[Sequence[Any]]) -> Tuple[Optional[int], int, np.ndarray]:
    """Address and number of handles; all, if nothing is given."""
    if objects is None:
        return None, _native.ALL, np.empty(0, np.uint64)
    if isinstance(objects, np.ndarray) and objects.dtype == np.uint64:
        bits = np.ascontiguousarray(objects)
    else:
        bits = np.array([handle(o) for o in objects], np.uint64)
    return (bits.ctypes.data, len(bits), bits) if len(bits) else (None, 0, bits)


class Collider(Object):
    """A rigid shape that the host moves and that rods and bodies slide on.

    :param fields: those of `WithyColliderDef`: `shape`, `radius`, `half_height`, `half_extents`, `pose`, ...
    """

    __slots__ = ("world",)
    _destroy = lib.withy_collider_destroy

    def __init__(self, world: World, **fields: Unpack[ColliderDefFields]) -> None:
        self.world = world
        definition = make(_native.ColliderDef, fields, [])
        bits = c_uint64()
        check(lib.withy_collider_create(world.handle, byref(definition), byref(bits)))
        self._bits = bits

    def set_pose(
        self, position: Sequence[float], rotation: Sequence[float] = (0.0, 0.0, 0.0, 1.0), teleport: bool = False
    ) -> None:
        """Where it shall be at the end of the next step; with `teleport` at once, without a velocity."""
        check(lib.withy_collider_set_pose(self._bits, byref(pose(position, rotation)), int(teleport)))

    @property
    def pose(self) -> Tuple[np.ndarray, np.ndarray]:
        """Position and rotation (xyzw) as last set."""
        return _pose(lib.withy_collider_get_pose, self._bits)


def _pose(function: Callable[..., int], bits: c_uint64) -> Tuple[np.ndarray, np.ndarray]:
    value = _native.Pose()
    check(function(bits, byref(value)))
    p, q = value.position, value.rotation
    return np.array((p.x, p.y, p.z)), np.array((q.x, q.y, q.z, q.w))
