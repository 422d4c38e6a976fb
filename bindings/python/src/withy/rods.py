"""Rods: a groom, a rope, the strings of a net."""

from __future__ import annotations

from ctypes import byref, c_double, c_uint32, c_uint64, c_void_p, create_string_buffer
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, Tuple, Union

import numpy as np

from . import _native
from ._arrays import Input, View, view_in, view_out
from ._defs import fill, make, pose, vec3
from ._errors import check, fail
from ._library import lib
from ._native import Order
from .world import Object, World, _listed

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._native import RestShapeDefFields, RodsDefFields, SettleDefFields

_read_positions = lib.withy_rods_read_positions
_set_root_poses = lib.withy_rods_set_root_poses
#: Made once, not in every call.
_NULL, _FALSE = c_void_p(), c_uint32(0)


class Rods(Object):
    """A set of strands of one material. Vertices are counted strand after strand, root first.

    :param positions: `(n, 3)`, or `(strands, n, 3)` for strands of one length, which then needs no `counts`.
    :param counts: vertices of each strand; without it `(n, 3)` is one strand.
    :param fields: the others of `WithyRodsDef`: `radius`, `young_modulus`, `root`, `model`, `flags`, ...

    `read_...` takes an array to write into, of float32 or float64 and any strides, or a :class:`View` of one, and
    returns the array; without one a new array. Nothing is copied on the way.
    """

    __slots__ = ("world", "strand_count", "vertex_count", "edge_count", "element_count")
    _destroy = lib.withy_rods_destroy

    def __init__(
        self, world: World, positions: Input, counts: Optional[Input] = None, /, **fields: Unpack[RodsDefFields]
    ) -> None:
        if not isinstance(world, World):
            raise TypeError(f"world is {world!r}: must be a withy.World")
        self.world = world
        if not isinstance(positions, View):
            positions = np.asarray(positions)
            if counts is None and positions.ndim == 3:
                counts = np.full(positions.shape[0], positions.shape[1], np.uint32)
        points = view_in(positions, 3, "float", "positions")
        each = view_in([points.count] if counts is None else counts, 1, "u32", "counts")
        keep: list = []
        definition = make(_native.RodsDef, {**fields, "positions": points, "counts": each}, keep)
        bits = c_uint64()
        check(lib.withy_rods_create(world.handle, byref(definition), byref(bits)))
        self._bits = bits
        self.strand_count = each.count
        self.vertex_count = points.count
        self.edge_count = points.count - each.count
        self.element_count = points.count - 2 * each.count

    # --- what the host drives ---

    def set_root_poses(self, positions: Input, rotations: Optional[Input] = None, teleport: bool = False) -> None:
        """Where the roots shall be at the end of the next step.

        :param positions: `(strands, 3)`.
        :param rotations: `(strands, 4)`, xyzw: how far what the root sits on has turned since the rods were made.
        :param teleport: they jump there, without a velocity.
        """
        if type(positions) is not View or positions.scalars != 3:
            positions = view_in(positions, 3, "float", "positions")
        if rotations is None:
            turned = _NULL
        else:
            # The view stays until the call is over.
            rotations = view_in(rotations, 4, "float", "rotations")
            turned = rotations.address
        code = _set_root_poses(self._bits, positions.address, turned, teleport or _FALSE)
        if code:
            fail(code)

    def set_root_transform(
        self, position: Sequence[float], rotation: Sequence[float] = (0.0, 0.0, 0.0, 1.0), teleport: bool = False
    ) -> None:
        """Moves all roots by one rigid transform, relative to where they were created: x goes to rotation x + position."""
        check(lib.withy_rods_set_root_transform(self._bits, byref(pose(position, rotation)), int(teleport)))

    def set_tip_poses(self, positions: Input, rotations: Optional[Input] = None, teleport: bool = False) -> None:
        """The same for the tips."""
        p = view_in(positions, 3, "float", "positions")
        r = None if rotations is None else view_in(rotations, 4, "float", "rotations")
        check(lib.withy_rods_set_tip_poses(self._bits, p.address, None if r is None else r.address, int(teleport)))

    def set_pin(self, vertex: int, target: Optional[Sequence[float]], teleport: bool = False) -> None:
        """Holds one vertex, counted through the set, at a place; None lets it go."""
        place = None if target is None else byref(vec3(target))
        check(lib.withy_rods_set_pin(self._bits, vertex, place, int(teleport)))

    def set_pins(self, vertices: Input, targets: Optional[Input], teleport: bool = False) -> None:
        """Holds many vertices, each at its place; all of them, or none if one is wrong. None lets them go."""
        v = view_in(vertices, 1, "u32", "vertices")
        t = None if targets is None else view_in(targets, 3, "float", "targets")
        check(lib.withy_rods_set_pins(self._bits, v.address, None if t is None else t.address, int(teleport)))

    def set_goals(self, targets: Optional[Input], rates: Input = 10.0, damping: float = 1.0) -> None:
        """Draws vertices to goals, in all steps until they are set again; None ends it.

        :param targets: one a vertex.
        :param rates: how fast a vertex alone would swing about its target, rad/s: one number, or one a vertex.
        :param damping: of that swing; 1 is critical.
        """
        t = None if targets is None else view_in(targets, 3, "float", "targets")
        r = view_in(np.atleast_1d(rates) if not isinstance(rates, View) else rates, 1, "float", "rates")
        check(lib.withy_rods_set_goals(self._bits, None if t is None else t.address, r.address, damping))

    def teleport(self, position: Sequence[float], rotation: Sequence[float] = (0.0, 0.0, 0.0, 1.0)) -> None:
        """Takes the rods as a whole elsewhere, with their motion and what holds them: x goes to rotation x + position."""
        check(lib.withy_rods_teleport(self._bits, byref(pose(position, rotation))))

    def set_motion(
        self, damping: float, drag: float, wind: Optional[Sequence[float]] = None, friction: float = 0.5
    ) -> None:
        """Rates, 1/s, at which motion dies and follows the wind, units/s; Coulomb's coefficient."""
        check(
            lib.withy_rods_set_motion(self._bits, damping, drag, None if wind is None else byref(vec3(wind)), friction)
        )

    def get_def(self) -> dict:
        """The numbers of `WithyRodsDef` as they are now."""
        now = make(_native.RodsDef, {}, [])
        check(lib.withy_rods_get_def(self._bits, byref(now)))
        fields = [name for name, kind, *_ in now._fields_ if kind in (c_double, c_uint32) and name != "struct_size"]
        return {**{name: getattr(now, name) for name in fields}, "wind": (now.wind.x, now.wind.y, now.wind.z)}

    def change(self, **fields: Unpack[RodsDefFields]) -> None:
        """Changes numbers of living rods: moduli, `density`, `radius`, `friction`, `mask`, ...; the others stay.

        >>> hair.change(young_modulus=2e9, drag=5)  # doctest: +SKIP
        """
        now = make(_native.RodsDef, {}, [])
        check(lib.withy_rods_get_def(self._bits, byref(now)))
        fill(now, fields, [])
        check(lib.withy_rods_change(self._bits, byref(now)))

    @property
    def enabled(self) -> bool:
        """Whether the rods are in the world. Out of it they take no step, meet nothing, and go rigidly with their roots."""
        value = c_uint32()
        check(lib.withy_rods_get_enabled(self._bits, byref(value)))
        return bool(value.value)

    @enabled.setter
    def enabled(self, enabled: bool) -> None:
        check(lib.withy_rods_set_enabled(self._bits, int(enabled)))

    def set_rest_shape(
        self, rest_shape: int, rest_lengths: Optional[Input] = None, rest_darboux: Optional[Input] = None
    ) -> None:
        """The shape that the rods want to have, a `Rest` value; the arrays with `Rest.EXPLICIT`."""
        lengths = None if rest_lengths is None else view_in(rest_lengths, 1, "float", "rest_lengths")
        darboux = None if rest_darboux is None else view_in(rest_darboux, 3, "float", "rest_darboux")
        check(
            lib.withy_rods_set_rest_shape(
                self._bits,
                rest_shape,
                None if lengths is None else lengths.address,
                None if darboux is None else darboux.address,
            )
        )

    def _write(self, function: Callable[..., int], value: Optional[Input], scalars: int, name: str) -> None:
        view = None if value is None else view_in(value, scalars, "float", name)
        check(function(self._bits, None if view is None else view.address))

    def write_positions(self, positions: Input) -> None:
        """Moves the vertices at once; velocities stay."""
        self._write(lib.withy_rods_write_positions, positions, 3, "positions")

    def write_velocities(self, velocities: Input) -> None:
        """Of the vertices, units/s."""
        self._write(lib.withy_rods_write_velocities, velocities, 3, "velocities")

    def write_frames(self, frames: Input) -> None:
        """Turns the material frames about their edges; as of `read_frames`."""
        self._write(lib.withy_rods_write_frames, frames, 4, "frames")

    def set_forces(self, forces: Optional[Input]) -> None:
        """A force on every vertex, N, until it is set again; None: none."""
        self._write(lib.withy_rods_set_forces, forces, 3, "forces")

    def set_accelerations(self, accelerations: Optional[Input]) -> None:
        """An acceleration of every vertex beside gravity, units/s^2, until it is set again; None: none."""
        self._write(lib.withy_rods_set_accelerations, accelerations, 3, "accelerations")

    def set_winds(self, winds: Optional[Input]) -> None:
        """The velocity of the air at every vertex, units/s, until it is set again; None: the `wind` of all."""
        self._write(lib.withy_rods_set_winds, winds, 3, "winds")

    def set_cut(self, edge: int, cut: bool = True) -> None:
        """Cuts an edge, counted through the set, or makes it whole again."""
        check(lib.withy_rods_set_cut(self._bits, edge, int(cut)))

    def set_break_force(self, break_force: Union[None, float, Input]) -> None:
        """Tensions at which edges break, N: one, or one an edge; None: never."""
        given: Any = [break_force] if isinstance(break_force, (int, float)) else break_force
        values = None if given is None else view_in(given, 1, "float", "break_force")
        check(lib.withy_rods_set_break_force(self._bits, None if values is None else values.address))

    def read_cuts(self) -> np.ndarray:
        """uint32, the edges that are cut or have broken."""
        ask = _native.Span()
        check(lib.withy_rods_read_cuts(self._bits, byref(ask)))
        view = view_out(None, 1, ask.count, np.uint32, "out")
        check(lib.withy_rods_read_cuts(self._bits, view.address))
        return view.array

    def set_moments(self, moments: Optional[Input]) -> None:
        """A moment about every edge, N m, until it is set again; None: none."""
        self._write(lib.withy_rods_set_moments, moments, 1, "moments")

    def set_radii(self, radii: Input) -> None:
        """Section radii, one a vertex."""
        self._write(lib.withy_rods_set_radii, radii, 1, "radii")

    def set_stiffness_factors(self, factors: Input) -> None:
        """`(vertices, 2)`, as of `read_stiffness_factors`."""
        self._write(lib.withy_rods_set_stiffness_factors, factors, 2, "factors")

    def set_rest_strains(self, rest_lengths: Input, rest_strains: Input) -> None:
        """What `read_rest_lengths` and `read_rest_strains` told."""
        lengths = view_in(rest_lengths, 1, "float", "rest_lengths")
        strains = view_in(rest_strains, 5, "float", "rest_strains")
        check(lib.withy_rods_set_rest_strains(self._bits, lengths.address, strains.address))

    # --- rest shapes ---

    def save_rest_shape(self) -> bytes:
        """The rest shape with its stiffness factors, an asset, for `load_rest_shape` of the same rods in another program."""
        size = c_uint64()
        check(lib.withy_rods_save_rest_shape(self._bits, None, byref(size)))
        room = create_string_buffer(size.value)
        check(lib.withy_rods_save_rest_shape(self._bits, room, byref(size)))
        return room.raw[: size.value]

    def load_rest_shape(self, data: bytes) -> None:
        """What `save_rest_shape` gave, of rods with the same strands and model."""
        check(lib.withy_rods_load_rest_shape(self._bits, data, len(data)))

    def optimize_rest_shape(
        self, progress: Optional[Callable[[int, int], bool]] = None, /, **fields: Unpack[RestShapeDefFields]
    ) -> np.ndarray:
        """Finds the rest shape that makes the present pose an equilibrium, and returns `elastic_report`.

        :param progress: called with the strands that are done and all of them; True, or an exception, cancels.
        :param fields: those of `WithyRestShapeDef`.
        """
        return self._watched(lib.withy_rods_optimize_rest_shape, _native.RestShapeDef, progress, fields)

    def settle(
        self, progress: Optional[Callable[[int, int], bool]] = None, /, **fields: Unpack[SettleDefFields]
    ) -> np.ndarray:
        """Moves the rods to their equilibrium, at rest, and returns `elastic_report`.

        :param progress: called with the strands that are done and all of them; True, or an exception, cancels.
        :param fields: those of `WithySettleDef`.
        """
        return self._watched(lib.withy_rods_settle, _native.SettleDef, progress, fields)

    def _watched(self, call: Any, kind: Any, progress: Optional[Callable[[int, int], bool]], fields: Any) -> np.ndarray:
        keep: list = []
        definition = make(kind, fields, keep)
        raised: list = []
        if progress is not None:
            asked = progress

            def ask(_user: Any, done: int, strands: int) -> int:
                # An exception cannot pass through the library.
                try:
                    return int(bool(asked(done, strands)))
                except BaseException as error:
                    raised.append(error)
                    return 1

            definition.progress = _native.progressCallback(ask)
        check(call(self._bits, byref(definition)))
        if raised:
            raise raised[0]
        return self.elastic_report()

    def elastic_report(self) -> np.ndarray:
        """How the last search left each strand: a structured array with the fields of `WithyElasticReport`."""
        return _listed(lib.withy_rods_read_elastic_report, self._bits, np.dtype(_native.ElasticReport))

    def report(self) -> np.ndarray:
        """What was degenerate at creation: a structured array with the fields of `WithyStrandIssue`."""
        return _listed(lib.withy_rods_read_report, self._bits, np.dtype(_native.StrandIssue))

    @property
    def order(self) -> Order:
        """What solves the rods."""
        value = c_uint32()
        check(lib.withy_rods_order(self._bits, byref(value)))
        return Order(value.value)

    # --- reads ---

    def _read(self, function: Callable[..., int], scalars: int, count: int, out: Any, dtype: Any) -> np.ndarray:
        view = view_out(out, scalars, count, dtype, "out")
        code = function(self._bits, view.address)
        if code:
            view.span.count = view.count
            fail(code)
        return view.array

    def read_counts(self, out: Any = None) -> np.ndarray:
        """uint32, the vertices of each strand."""
        return self._read(lib.withy_rods_read_counts, 1, self.strand_count, out, np.uint32)

    def read_masses(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(vertices,)`, kg; they add up to the mass of the rods."""
        return self._read(lib.withy_rods_read_masses, 1, self.vertex_count, out, dtype)

    def read_root_poses(self, dtype: Any = np.float64) -> Tuple[np.ndarray, np.ndarray]:
        """Where the roots are held, `(strands, 3)`, and how far their ground has turned, `(strands, 4)`."""
        positions = view_out(None, 3, self.strand_count, dtype, "positions")
        rotations = view_out(None, 4, self.strand_count, dtype, "rotations")
        check(lib.withy_rods_read_root_poses(self._bits, positions.address, rotations.address))
        return positions.array, rotations.array

    def read_positions(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(vertices, 3)`"""
        if type(out) is View and out.scalars == 3:
            code = _read_positions(self._bits, out.address)
            if code:
                out.span.count = out.count
                fail(code)
            return out.array
        return self._read(_read_positions, 3, self.vertex_count, out, dtype)

    def read_velocities(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(vertices, 3)`, units/s"""
        return self._read(lib.withy_rods_read_velocities, 3, self.vertex_count, out, dtype)

    def read_ghosts(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(edges, 3)`: the ghost points."""
        return self._read(lib.withy_rods_read_ghosts, 3, self.edge_count, out, dtype)

    def read_frames(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(edges, 4)`, xyzw: the material frames."""
        return self._read(lib.withy_rods_read_frames, 4, self.edge_count, out, dtype)

    def read_twist(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(elements,)`, rad"""
        return self._read(lib.withy_rods_read_twist, 1, self.element_count, out, dtype)

    def read_strain(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(edges,)`: length / rest length - 1"""
        return self._read(lib.withy_rods_read_strain, 1, self.edge_count, out, dtype)

    def read_radii(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(vertices,)`, units: the radii of the sections now"""
        return self._read(lib.withy_rods_read_radii, 1, self.vertex_count, out, dtype)

    def read_volumes(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(edges,)`: volume / volume at rest"""
        return self._read(lib.withy_rods_read_volumes, 1, self.edge_count, out, dtype)

    def read_darboux(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(elements, 3)`, 1/unit: curvature about d1 and d2, twist about d3."""
        return self._read(lib.withy_rods_read_darboux, 3, self.element_count, out, dtype)

    def read_tension(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(edges,)`, N"""
        return self._read(lib.withy_rods_read_tension, 1, self.edge_count, out, dtype)

    def read_moments(self, out: Any = None, dtype: Any = np.float32) -> np.ndarray:
        """`(vertices, 3)`, N m"""
        return self._read(lib.withy_rods_read_moments, 3, self.vertex_count, out, dtype)

    def read_rest_lengths(self, out: Any = None, dtype: Any = np.float64) -> np.ndarray:
        """`(edges,)`"""
        return self._read(lib.withy_rods_read_rest_lengths, 1, self.edge_count, out, dtype)

    def read_rest_strains(self, out: Any = None, dtype: Any = np.float64) -> np.ndarray:
        """`(vertices, 5)`, for `set_rest_strains`."""
        return self._read(lib.withy_rods_read_rest_strains, 5, self.vertex_count, out, dtype)

    def read_stiffness_factors(self, out: Any = None, dtype: Any = np.float64) -> np.ndarray:
        """`(vertices, 2)`: used over authored stiffness, of bending and twist, and of stretch."""
        return self._read(lib.withy_rods_read_stiffness_factors, 2, self.vertex_count, out, dtype)
