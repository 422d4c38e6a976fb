"""Keyword arguments into the structs of the ABI, by what `_native` knows of their fields."""

from __future__ import annotations

import ctypes
from ctypes import addressof, byref, sizeof
from operator import index
from typing import Any, Iterable, List, Mapping, Type, TypeVar

from . import _native
from ._arrays import view_in
from ._errors import check
from ._library import lib

S = TypeVar("S", bound=ctypes.Structure)
#: What all types of CFUNCTYPE are made from.
_FUNCTION = ctypes.CFUNCTYPE(None).__mro__[1]


def handle(value: Any) -> int:
    """The number of a handle: of an object, of nothing, or itself."""
    if value is None:
        return 0
    return int(getattr(value, "handle", value))


def vec3(value: Any) -> _native.Vec3:
    x, y, z = value
    return _native.Vec3(x, y, z)


def quat(value: Any) -> _native.Quat:
    x, y, z, w = value
    return _native.Quat(x, y, z, w)


def pose(position: Any, rotation: Any = (0.0, 0.0, 0.0, 1.0)) -> _native.Pose:
    return _native.Pose(vec3(position), quat(rotation))


def initial(kind: Type[S]) -> S:
    """A struct as its init function fills it."""
    value = kind()
    init = getattr(kind, "init")
    if init is not None:
        size = (sizeof(value),) if init.endswith("_sized") else ()
        check(getattr(lib, init)(byref(value), *size))
    return value


def make(kind: Type[S], fields: Any, keep: List[Any]) -> S:
    """A struct filled with `fields`; what its pointers point to goes to `keep`."""
    value = initial(kind)
    fill(value, fields, keep)
    return value


def _many(kind: Type[S], items: Iterable[Any], keep: List[Any]) -> Any:
    made = [make(kind, item, keep) for item in items]
    return (kind * len(made))(*made)


def _number(name: str, kind: Any, given: Any) -> Any:
    """A field of one number, or a handle."""
    try:
        if kind is ctypes.c_uint64:
            return handle(given)
        return float(given) if kind is ctypes.c_double else index(given)
    except (TypeError, ValueError):
        of = "a number" if kind is ctypes.c_double else "a whole number, or a constant as in withy.Support.CLAMPED"
        raise TypeError(f"{name} is {given!r}: must be {of}") from None


def fill(target: Any, fields: Any, keep: List[Any]) -> None:
    if not isinstance(fields, Mapping):
        # A struct by its fields in order, such as (position, rotation) or (rods, strand, end).
        names = [name for name, *_ in target._fields_]
        values = tuple(fields)
        if len(values) > len(names):
            raise TypeError(f"{type(target).__name__} has {len(names)} fields, {len(values)} were given")
        fields = dict(zip(names, values))
    types = {name: kind for name, kind, *_ in target._fields_}
    for name, given in fields.items():
        kind = types.get(name)
        if kind is None or name in ("struct_size", "next", "reserved"):
            known = ", ".join(n for n in types if n not in ("struct_size", "next", "reserved"))
            raise TypeError(f"{type(target).__name__} has no field {name!r}: it has {known}")
        if name in target.spans:
            if given is None:
                continue
            scalars, form = target.spans[name]
            view = view_in(given, scalars, form, name)
            keep.append(view)
            setattr(target, name, view.span)
        elif name in target.pointers:
            if given is None:
                continue
            pointee, count = target.pointers[name]
            cls = getattr(_native, pointee, None)
            if cls is None:
                # Handles have no struct of their own.
                made = (ctypes.c_uint64 * len(given))(*(handle(each) for each in given))
            else:
                made = make(cls, given, keep) if count is None else _many(cls, given, keep)
            keep.append(made)
            setattr(target, name, addressof(made))
            if count is not None:
                setattr(target, count, len(made))
        elif issubclass(kind, _FUNCTION):
            function = given if isinstance(given, kind) else kind(given)
            keep.append(function)
            setattr(target, name, function)
        elif issubclass(kind, ctypes.Structure):
            if isinstance(given, kind):
                setattr(target, name, given)
            else:
                fill(getattr(target, name), given, keep)
        elif issubclass(kind, ctypes.Array):
            one = not hasattr(given, "__len__")
            setattr(target, name, kind(*([given] * kind._length_ if one else given)))
        else:
            setattr(target, name, _number(name, kind, given))
