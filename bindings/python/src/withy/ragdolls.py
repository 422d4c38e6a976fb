"""Characters that fall: bones, bodies on some of them, joints, and regions that one elastic arc stands for."""

from __future__ import annotations

from ctypes import byref, c_double, c_uint32, c_uint64, c_void_p
from typing import TYPE_CHECKING, Any, Optional, Sequence, Tuple

import numpy as np

from . import _native
from ._arrays import Input, View, view_in, view_out
from ._defs import make
from ._errors import check
from ._library import lib
from .bodies import Body, Joint
from .world import Object, World, _listed, _optional

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._native import RagdollDefFields

#: Numbers of instances; None: all.
Which = Optional[Sequence[int]]


def _numbers(which: Which) -> Tuple[Optional[int], int, np.ndarray]:
    if which is None:
        return None, _native.ALL, np.empty(0, np.uint32)
    numbers = np.ascontiguousarray(which, np.uint32)
    return (numbers.ctypes.data, len(numbers), numbers) if len(numbers) else (None, 0, numbers)


def _address(view: Optional[View]) -> Optional[c_void_p]:
    return None if view is None else view.address


class Ragdolls(Object):
    """Instances of one ragdoll. An instance has bodies from `instantiate` to `remove`.

    Poses are one position and one rotation (xyzw) a bone, in world space: `(instances, bones, 3)` and
    `(instances, bones, 4)`.

    :param instances: how many there is room for.
    :param fields: those of `WithyRagdollDef`: `parents`, `positions`, `rotations` of the bind pose; `bodies`, a list of
        `{"bone": 0, "body": {...}, "joint": {...}}`; `regions`, a list of dicts.
    """

    __slots__ = ("world", "instances", "bones")
    _destroy = lib.withy_ragdolls_destroy

    def __init__(self, world: World, instances: int = 1, **fields: Unpack[RagdollDefFields]) -> None:
        self.world = world
        keep: list = []
        definition = make(_native.RagdollDef, fields, keep)
        bits = c_uint64()
        check(lib.withy_ragdolls_create(world.handle, byref(definition), instances, byref(bits)))
        self._bits = bits
        self.instances = instances
        self.bones = int(definition.parents.count)

    def instantiate(
        self,
        positions: Input,
        rotations: Input,
        which: Which = None,
        *,
        before: Optional[Tuple[Input, Input]] = None,
        dt: float = 0.0,
        flags: int = 0,
    ) -> None:
        """The moment of transition from animation: bodies at the poses of their bones.

        :param before: the poses `dt` seconds before, which give the velocities; none: at rest.
        """
        numbers, count, keep = _numbers(which)
        p, r = view_in(positions, 3, "float", "positions"), view_in(rotations, 4, "float", "rotations")
        pb, rb = (None, None) if before is None else (_optional(before[0], 3, "before"), _optional(before[1], 4, "before"))
        check(
            lib.withy_ragdolls_instantiate(
                self._bits, numbers, count, p.address, r.address, _address(pb), _address(rb), dt, flags
            )
        )
        del keep

    def instantiate_moving(
        self,
        positions: Input,
        rotations: Input,
        velocities: Optional[Input] = None,
        spins: Optional[Input] = None,
        which: Which = None,
        flags: int = 0,
    ) -> None:
        """The same with the velocities given, units/s, and spins, rad/s."""
        numbers, count, keep = _numbers(which)
        p, r = view_in(positions, 3, "float", "positions"), view_in(rotations, 4, "float", "rotations")
        v, s = _optional(velocities, 3, "velocities"), _optional(spins, 3, "spins")
        check(
            lib.withy_ragdolls_instantiate_moving(
                self._bits, numbers, count, p.address, r.address, _address(v), _address(s), flags
            )
        )
        del keep

    def remove(self, which: Which = None) -> None:
        """Takes the bodies and joints of instances out of the world."""
        numbers, count, keep = _numbers(which)
        check(lib.withy_ragdolls_remove(self._bits, numbers, count))
        del keep

    def set_targets(
        self,
        positions: Input,
        rotations: Input,
        drive: dict,
        which: Which = None,
        *,
        before: Optional[Tuple[Input, Input]] = None,
        dt: float = 0.0,
    ) -> None:
        """Where the animation wants the bones.

        :param drive: a dict with the fields of `WithyRagdollDrive`: `stiffness`, `damping`, `max_torque`, `scale`.
        """
        numbers, count, keep = _numbers(which)
        kept: list = [keep]
        motor = make(_native.RagdollDrive, drive, kept)
        p, r = view_in(positions, 3, "float", "positions"), view_in(rotations, 4, "float", "rotations")
        pb, rb = (None, None) if before is None else (_optional(before[0], 3, "before"), _optional(before[1], 4, "before"))
        check(
            lib.withy_ragdolls_set_targets(
                self._bits, numbers, count, p.address, r.address, _address(pb), _address(rb), dt, byref(motor)
            )
        )

    def clear_targets(self, which: Which = None) -> None:
        numbers, count, keep = _numbers(which)
        check(lib.withy_ragdolls_clear_targets(self._bits, numbers, count))
        del keep

    def set_kinematic(self, kinematic: bool, body: int = 0xFFFFFFFF, which: Which = None) -> None:
        """Who moves a body: the animation or the simulation; without `body` all."""
        numbers, count, keep = _numbers(which)
        check(lib.withy_ragdolls_set_kinematic(self._bits, numbers, count, body, int(kinematic)))
        del keep

    def teleport(self, positions: Input, rotations: Input, which: Which = None) -> None:
        """Moves instances as a whole: x becomes rotation x + position, one of each an instance."""
        numbers, count, keep = _numbers(which)
        p, r = view_in(positions, 3, "float", "positions"), view_in(rotations, 4, "float", "rotations")
        check(lib.withy_ragdolls_teleport(self._bits, numbers, count, p.address, r.address))
        del keep

    def fade(self, weight: float, seconds: float, which: Which = None) -> None:
        """Where the weights go: 1 is all simulated, 0 all animated."""
        numbers, count, keep = _numbers(which)
        check(lib.withy_ragdolls_fade(self._bits, numbers, count, weight, seconds))
        del keep

    def advance(self, dt: float) -> None:
        """Time passes for the weights."""
        check(lib.withy_ragdolls_advance(self._bits, dt))

    def weight(self, instance: int) -> float:
        value = c_double()
        check(lib.withy_ragdolls_get_weight(self._bits, instance, byref(value)))
        return value.value

    def read(
        self,
        which: Which = None,
        *,
        animated: Optional[Tuple[Input, Input]] = None,
        weights: Optional[Input] = None,
        positions: Any = None,
        rotations: Any = None,
        dtype: Any = np.float32,
    ) -> Tuple[np.ndarray, np.ndarray]:
        """World poses of all bones of instances, simulated, or blended with the animation's.

        :param which: none: those that have bodies.
        :param animated: the animation's positions and rotations.
        :param positions, rotations: arrays to write into; without them new ones, `(instances, bones, 3 or 4)`.
        """
        numbers, count, keep = _numbers(which)
        n = len(self.alive()) if which is None else count
        if positions is None:
            positions = np.empty((n, self.bones, 3), dtype)
        if rotations is None:
            rotations = np.empty((n, self.bones, 4), dtype)
        p, r = view_out(positions, 3, 0, dtype, "positions"), view_out(rotations, 4, 0, dtype, "rotations")
        p.span.count, r.span.count = p.count, r.count
        ap, ar = (None, None) if animated is None else (
            _optional(animated[0], 3, "animated"),
            _optional(animated[1], 4, "animated"),
        )
        w = _optional(weights, 1, "weights")
        check(
            lib.withy_ragdolls_read(
                self._bits, numbers, count, _address(ap), _address(ar), _address(w), p.address, r.address
            )
        )
        del keep
        return p.array, r.array

    def alive(self) -> np.ndarray:
        """uint32, the numbers of the instances that have bodies."""
        return _listed(lib.withy_ragdolls_list, self._bits, np.uint32)

    def counts(self) -> Tuple[int, int, int, int]:
        """Room for instances, bones of each, bodies and joints that each has in the world."""
        values = [c_uint32() for _ in range(4)]
        check(lib.withy_ragdolls_get_counts(self._bits, *(byref(v) for v in values)))
        a, b, c, d = (v.value for v in values)
        return a, b, c, d

    def body(self, instance: int, body: int) -> Optional[Body]:
        """The world's body for a body of the description; None where there is none now."""
        bits = c_uint64()
        check(lib.withy_ragdolls_get_body(self._bits, instance, body, byref(bits)))
        return Body.of(self.world, bits.value) if bits.value else None

    def joint(self, instance: int, body: int) -> Optional[Joint]:
        """The joint or arc above a body of the description; None where there is none now."""
        bits = c_uint64()
        check(lib.withy_ragdolls_get_joint(self._bits, instance, body, byref(bits)))
        return Joint.of(bits.value) if bits.value else None
