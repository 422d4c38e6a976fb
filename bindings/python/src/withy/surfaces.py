"""Points on a surface that moves and bends."""

from typing import Any, Tuple

import numpy as np

from ._arrays import Input, View, view_in, view_out
from ._errors import check
from ._library import lib

class Surface:
    """Points bound to the nearest triangles of a mesh: roots of hair on a skinned scalp.

    :param positions: `(n, 3)`, the vertices of the mesh
    :param triangles: `(m, 3)`, indices
    :param points: `(k, 3)`, near the mesh

    `positions`, `corners` and `coordinates` are all that binds them: saved, and given to `Surface.of`, they do so again.
    """

    def __init__(self, positions: Input, triangles: Input, points: Input) -> None:
        p, t = view_in(positions, 3, "float", "positions"), view_in(triangles, 3, "u32", "triangles")
        of = view_in(points, 3, "float", "points")
        corners, coordinates = View(np.empty((of.count, 3), np.uint32)), View(np.empty((of.count, 3), np.float64))
        check(lib.withy_surface_bind(p.address, t.address, of.address, corners.address, coordinates.address))
        self._keep(View(np.array(p.array.reshape(-1, 3))), corners, coordinates)

    @classmethod
    def of(cls, positions: Input, corners: Input, coordinates: Input) -> "Surface":
        """From what another one had."""
        made = cls.__new__(cls)
        made._keep(
            view_in(positions, 3, "float", "positions"),
            view_in(corners, 3, "u32", "corners"),
            view_in(coordinates, 3, "float", "coordinates"),
        )
        return made

    def _keep(self, positions: View, corners: View, coordinates: View) -> None:
        self._positions, self._corners, self._coordinates = positions, corners, coordinates

    @property
    def positions(self) -> np.ndarray:
        """The vertices that the points were bound to."""
        return self._positions.array

    @property
    def corners(self) -> np.ndarray:
        """The corners of each point's triangle."""
        return self._corners.array

    @property
    def coordinates(self) -> np.ndarray:
        """What the second and the third corner have of a point, and how far it is before the triangle."""
        return self._coordinates.array

    def follow(
        self, positions: Input, points: Any = None, rotations: Any = None, dtype: Any = np.float64
    ) -> Tuple[np.ndarray, np.ndarray]:
        """Where the points are, and how far they have turned since they were bound, where the vertices are there: for
        `Rods.set_root_poses`.

        :param points: `(k, 3)`, to be written; a new array if None. `rotations`: `(k, 4)`, the same.
        """
        now, count = view_in(positions, 3, "float", "positions"), self._corners.count
        x, q = view_out(points, 3, count, dtype, "points"), view_out(rotations, 4, count, dtype, "rotations")
        check(
            lib.withy_surface_follow(
                self._positions.address, now.address, self._corners.address, self._coordinates.address, x.address, q.address
            )
        )
        return x.array, q.array
