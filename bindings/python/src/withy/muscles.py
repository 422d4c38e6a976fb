"""Muscles between bones."""

from __future__ import annotations

from ctypes import byref, c_uint64
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._arrays import Input, View, view_in, view_out
from ._defs import make
from ._errors import check
from ._library import lib
from .rods import Rods
from .world import World

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._native import MuscleDefFields


class Muscle(Rods):
    """Rods that run side by side from one body to another, keep their volume, and pull when they are active.

    :param positions: `(strands, n, 3)`, or `(n, 3)` for one strand, each from the origin to the insertion.
    :param fields: the others of `WithyMuscleDef`: `origin`, `insertion`, `radius`, `mode`, ...
    """

    __slots__ = ()

    def __init__(self, world: World, positions: Input, /, **fields: Unpack[MuscleDefFields]) -> None:
        self.world = world
        strands = fields.pop("strands", None)
        if not isinstance(positions, View):
            positions = np.asarray(positions)
            if strands is None and positions.ndim == 3:
                strands = positions.shape[0]
        points = view_in(positions, 3, "float", "positions")
        keep: list = []
        strands = 1 if strands is None else int(strands)
        definition = make(_native.MuscleDef, {**fields, "positions": points, "strands": strands}, keep)
        bits = c_uint64()
        check(lib.withy_muscle_create(world.handle, byref(definition), byref(bits)))
        self._bits = bits
        self.strand_count = strands
        self.vertex_count = points.count
        self.edge_count = points.count - strands
        self.element_count = points.count - 2 * strands

    def set_activation(self, activation: float) -> None:
        """How active the whole muscle is, 0 to 1."""
        check(lib.withy_muscle_set_activation(self._bits, activation))

    def write_activations(self, activations: Input) -> None:
        """`(edges,)`: how active each edge is, 0 to 1."""
        view = view_in(activations, 1, "float", "activations")
        check(lib.withy_muscle_write_activations(self._bits, view.address))

    def read_activations(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(edges,)`; 0 in tendons."""
        view = view_out(out, 1, self.edge_count, dtype, "out")
        check(lib.withy_muscle_read_activations(self._bits, view.address))
        return view.array

    @property
    def state(self) -> _native.MuscleState:
        """`length`, `velocity`, `force`, `active_force` and `volume` of the whole muscle."""
        state = _native.MuscleState()
        check(lib.withy_muscle_get_state(self._bits, byref(state)))
        return state
