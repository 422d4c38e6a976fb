"""Muscles between bones, and strands for them from a mesh."""

from __future__ import annotations

from ctypes import byref, c_uint64
from typing import TYPE_CHECKING, Any, List, Optional

import numpy as np

from . import _native
from ._arrays import Input, View, view_in, view_out
from ._defs import make
from ._errors import check
from ._library import lib
from .rods import Rods
from .world import Context, World

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._native import MuscleDefFields, MuscleMeshDefFields


class MuscleFit:
    """Strands for a muscle, from its surface.

        fit = withy.MuscleFit(vertices, triangles, strands=24, slices=24)
        muscle = withy.Muscle(world, fit.positions, radii=fit.radii, origin=upper, insertion=lower)

    :param vertices: `(n, 3)`: the vertices of the mesh.
    :param triangles: `(m, 3)`.
    :param context: whose units and threads it uses; none: metres (or any unit: all is in that of the mesh), one thread.
    :param fields: the others of `WithyMuscleMeshDef`: `origin`, `insertion` (`{"points": ...}`, `{"vertices": ...}` or
        `{"plane_point": ..., "plane_normal": ...}`), `strands`, `slices`.
    """

    __slots__ = ("positions", "radii", "report")

    #: `(strands, slices, 3)`: each strand from the origin to the insertion.
    positions: np.ndarray
    #: `(strands, slices)`.
    radii: np.ndarray
    #: How well the strands stand for the mesh, and what was repaired: `covered`, `outside`, `repairs`, ...
    report: _native.MuscleFit

    def __init__(
        self, vertices: Input, triangles: Input, /, *, context: Optional[Context] = None, dtype: Any = np.float32,
        **fields: Unpack[MuscleMeshDefFields],
    ) -> None:
        keep: list = []
        definition = make(_native.MuscleMeshDef, {**fields, "positions": vertices, "triangles": triangles}, keep)
        own = Context() if context is None else context
        try:
            count = _native.Span()
            check(lib.withy_muscle_fit_mesh(own.handle, byref(definition), byref(count), None, None))
            points, radii = (view_out(None, n, count.count, dtype, "dtype") for n in (3, 1))
            self.report = _native.MuscleFit()
            check(lib.withy_muscle_fit_mesh(own.handle, byref(definition), points.address, radii.address, byref(self.report)))
        finally:
            if context is None:
                own.close()
        self.positions = points.array.reshape(definition.strands, definition.slices, 3)
        self.radii = radii.array.reshape(definition.strands, definition.slices)

    @property
    def notes(self) -> List[str]:
        """What was repaired, a sentence each."""
        r, flag = self.report, _native.MuscleRepairs
        told = {
            flag.FLAT_TRIANGLES: f"{r.flat_triangles} triangles without area",
            flag.INSIDE_OUT: "shells or triangles of the mesh are inside out: turned",
            flag.OPEN: "the surface is open or overlaps itself: its volume is that of the cells inside",
            flag.HEADS: f"no end was given to a head of {r.headless:.1%} of the volume: no strands lead there" if r.headless > 0
            else "no strands lead to a head: there are too few, or it is too thin",
            flag.PARTS: f"parts that hang together with no end are left out, {r.left_out:.1%} of the volume",
        }
        return [text for bit, text in told.items() if r.repairs & bit]


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
