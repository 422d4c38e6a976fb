"""Skins: meshes that follow rods."""

from __future__ import annotations

from ctypes import byref, c_uint64, create_string_buffer
from typing import TYPE_CHECKING, Any, Callable, Sequence, Tuple

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

    from ._native import SkinDefFields


class Skin(Object):
    """A mesh around rods, bound to them as they are now.

    :param rods: the sets of rods that it follows.
    :param positions: `(n, 3)`.
    :param fields: the others of `WithySkinDef`: `triangles`, `normals`, `edges`, `weights`, ...
    """

    __slots__ = ("_count",)
    _destroy = lib.withy_skin_destroy

    def __init__(
        self, world: World, rods: Sequence[Rods], positions: Input, /, **fields: Unpack[SkinDefFields]
    ) -> None:
        points = view_in(positions, 3, "float", "positions")
        keep: list = []
        definition = make(_native.SkinDef, {**fields, "positions": points, "rods": list(rods)}, keep)
        self._take(points.count, lambda bits: lib.withy_skin_create(world.handle, byref(definition), bits))

    @classmethod
    def load(cls, world: World, rods: Sequence[Rods], data: bytes) -> Skin:
        """One that `save` gave, on rods with the strands that it was bound to."""
        skin = cls.__new__(cls)
        handles = (c_uint64 * len(rods))(*(r.handle for r in rods))
        skin._take(0, lambda bits: lib.withy_skin_load(world.handle, handles, len(rods), data, len(data), bits))
        ask = _native.Span()
        check(lib.withy_skin_read_positions(skin._bits, byref(ask)))
        skin._count = ask.count
        return skin

    def _take(self, count: int, make_it: Callable[[Any], int]) -> None:
        bits = c_uint64()
        check(make_it(byref(bits)))
        self._bits = bits
        self._count = count

    def save(self) -> bytes:
        """The skin with its weights."""
        size = c_uint64()
        check(lib.withy_skin_save(self._bits, None, byref(size)))
        room = create_string_buffer(size.value)
        check(lib.withy_skin_save(self._bits, room, byref(size)))
        return room.raw[: size.value]

    def _read(self, function: Callable[..., int], out: Any, dtype: Any) -> np.ndarray:
        view = view_out(out, 3, self._count, dtype, "out")
        check(function(self._bits, view.address))
        return view.array

    def read_positions(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(n, 3)`: where the rods take the mesh now."""
        return self._read(lib.withy_skin_read_positions, out, dtype)

    def read_normals(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(n, 3)`."""
        return self._read(lib.withy_skin_read_normals, out, dtype)

    def read_tangents(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(n, 3)`."""
        return self._read(lib.withy_skin_read_tangents, out, dtype)

    def read_weights(self) -> Tuple[np.ndarray, np.ndarray]:
        """`(n, 4)` edges, and `(n, 4)` weights."""
        edges, weights = np.zeros((self._count, 4), np.uint32), np.zeros((self._count, 4))
        e, w = view_in(edges, 4, "u32", "edges"), view_in(weights, 4, "float", "weights")
        check(lib.withy_skin_read_weights(self._bits, e.address, w.address))
        return edges, weights
