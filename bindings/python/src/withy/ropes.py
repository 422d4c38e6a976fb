"""Cables over pulleys and winches. (Rods that are cut or break: `Rods.set_cut`, `Rods.set_break_force`.)"""

from __future__ import annotations

from ctypes import byref, c_uint64
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np

from . import _native
from ._arrays import view_out
from ._defs import make
from ._errors import check
from ._library import lib
from .world import Object, World

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._native import CableDefFields


class Cable(Object):
    """A cable without mass over points and wheels of bodies and of the world.

    :param points: dicts with the fields of `WithyCablePoint`, from one end to the other:
        `[{"position": (0, 3, 0)}, {"body": load, "position": (0, 1, 0)}]`
    :param fields: the others of `WithyCableDef`.
    """

    __slots__ = ("_count",)
    _destroy = lib.withy_cable_destroy

    def __init__(self, world: World, points: Sequence[Mapping[str, Any]], /, **fields: Unpack[CableDefFields]) -> None:
        keep: list = []
        definition = make(_native.CableDef, {**fields, "points": points}, keep)
        bits = c_uint64()
        check(lib.withy_cable_create(world.handle, byref(definition), byref(bits)))
        self._bits = bits
        ask = _native.Span()
        check(lib.withy_cable_read_points(self._bits, byref(ask)))
        self._count = ask.count

    @property
    def state(self) -> _native.CableState:
        """`length`, `path`, `tension` and `broken`."""
        state = _native.CableState()
        check(lib.withy_cable_get_state(self._bits, byref(state)))
        return state

    def set_length(self, length: float) -> None:
        """How long it is at the end of the next step: hauls it in, or pays it out."""
        check(lib.withy_cable_set_length(self._bits, length))

    def read_points(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(n, 3)`: its way, to draw it."""
        view = view_out(out, 3, self._count, dtype, "out")
        check(lib.withy_cable_read_points(self._bits, view.address))
        return view.array
