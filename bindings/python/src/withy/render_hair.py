"""Render hair: strands that follow simulated ones."""

from __future__ import annotations

from ctypes import byref, c_uint64, create_string_buffer
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, Tuple

import numpy as np

from . import _native
from ._arrays import Input, view_in, view_out
from ._defs import make
from ._errors import check
from ._library import lib
from .rods import Rods
from .world import Object, World

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._native import RenderHairDefFields


class RenderHair(Object):
    """Strands that follow rods, bound to them as they are now.

    :param rods: the sets of rods whose strands are the guides.
    :param fields: those of `WithyRenderHairDef`: `positions` and `counts` of a groom, or `per_guide`, ...

    Reads take a level of detail: `strands` and `vertices` are shares, `width` a factor.
    """

    __slots__ = ("_counts",)
    _destroy = lib.withy_render_hair_destroy

    def __init__(self, world: World, rods: Sequence[Rods], /, **fields: Unpack[RenderHairDefFields]) -> None:
        keep: list = []
        definition = make(_native.RenderHairDef, {**fields, "rods": list(rods)}, keep)
        self._take(lambda bits: lib.withy_render_hair_create(world.handle, byref(definition), bits))

    @classmethod
    def load(cls, world: World, rods: Sequence[Rods], data: bytes) -> RenderHair:
        """One that `save` gave, on rods with the strands that it was bound to."""
        hair = cls.__new__(cls)
        handles = (c_uint64 * len(rods))(*(r.handle for r in rods))
        hair._take(lambda bits: lib.withy_render_hair_load(world.handle, handles, len(rods), data, len(data), bits))
        return hair

    def _take(self, make_it: Callable[[Any], int]) -> None:
        bits = c_uint64()
        check(make_it(byref(bits)))
        self._bits = bits
        #: Vertices and strands at the last level of detail.
        self._counts: Tuple[Any, Tuple[int, int]] = (None, self._ask(None))

    def save(self) -> bytes:
        """The hair with its weights."""
        size = c_uint64()
        check(lib.withy_render_hair_save(self._bits, None, byref(size)))
        room = create_string_buffer(size.value)
        check(lib.withy_render_hair_save(self._bits, room, byref(size)))
        return room.raw[: size.value]

    def _ask(self, lod: Any) -> Tuple[int, int]:
        vertices, strands = _native.Span(), _native.Span()
        check(lib.withy_render_hair_read(self._bits, lod, byref(vertices), None))
        check(lib.withy_render_hair_read_layout(self._bits, lod, byref(strands), None, None))
        return vertices.count, strands.count

    def _lod(self, fields: dict) -> Tuple[Any, Tuple[int, int]]:
        """The def, or None for all of the hair; vertices and strands that are read."""
        if not fields:
            return None, self._counts[1] if self._counts[0] is None else self._ask(None)
        definition = make(_native.RenderHairLodDef, fields, [])
        key = tuple(sorted(fields.items()))
        if self._counts[0] != key:
            self._counts = (key, self._ask(byref(definition)))
        return definition, self._counts[1]

    def read_positions(self, out: Any = None, dtype: Any = np.float32, **lod: float) -> np.ndarray:
        """`(n, 3)`: where the rods take the hair now, strand after strand."""
        definition, (n, _) = self._lod(lod)
        view = view_out(out, 3, n, dtype, "out")
        check(lib.withy_render_hair_read(self._bits, definition and byref(definition), view.address, None))
        return view.array

    def read(self, positions: Any = None, tangents: Any = None, dtype: Any = np.float32, **lod: float) -> Any:
        """Positions and tangents, `(n, 3)` each, of one pass over the hair."""
        definition, (n, _) = self._lod(lod)
        x, t = view_out(positions, 3, n, dtype, "positions"), view_out(tangents, 3, n, dtype, "tangents")
        check(lib.withy_render_hair_read(self._bits, definition and byref(definition), x.address, t.address))
        return x.array, t.array

    def read_layout(self, **lod: float) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Numbers of the strands that are read, vertices of each, and widths of all vertices."""
        definition, (n, strands) = self._lod(lod)
        which, counts, widths = np.zeros(strands, np.uint32), np.zeros(strands, np.uint32), np.zeros(n)
        s, c = view_in(which, 1, "u32", "strands"), view_in(counts, 1, "u32", "counts")
        w = view_in(widths, 1, "float", "widths")
        check(lib.withy_render_hair_read_layout(
            self._bits, definition and byref(definition), s.address, c.address, w.address))
        return which, counts, widths

    def read_weights(self) -> Tuple[np.ndarray, np.ndarray]:
        """`(n, 3)` guides, and `(n, 3)` weights, one row a strand."""
        _, (_, n) = self._lod({})
        guides, weights = np.zeros((n, 3), np.uint32), np.zeros((n, 3))
        g, w = view_in(guides, 3, "u32", "guides"), view_in(weights, 3, "float", "weights")
        check(lib.withy_render_hair_read_weights(self._bits, g.address, w.address))
        return guides, weights

    def set_roots(self, positions: Optional[Input], rotations: Optional[Input]) -> None:
        """Where the scalp has the roots, and how they have turned; None: the guides take them along."""
        if positions is None and rotations is None:
            check(lib.withy_render_hair_set_roots(self._bits, None, None))
            return
        p, r = view_in(positions, 3, "float", "positions"), view_in(rotations, 4, "float", "rotations")
        check(lib.withy_render_hair_set_roots(self._bits, p.address, r.address))
