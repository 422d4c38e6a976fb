"""NumPy arrays as spans, without a copy where NumPy's memory serves as it is."""

from __future__ import annotations

from ctypes import addressof, c_void_p
from typing import TYPE_CHECKING, Any, Optional, Tuple, Union

import numpy as np

from ._native import Format, Span

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_FORMATS = {
    np.dtype(np.float32): int(Format.F32),
    np.dtype(np.float64): int(Format.F64),
    np.dtype(np.uint32): int(Format.U32),
}


def _layout(array: np.ndarray, scalars: int) -> Optional[Tuple[int, int]]:
    """Count and stride of the entries of an array, if one stride tells where they are."""
    shape, strides = array.shape, array.strides
    if scalars > 1:
        if array.ndim < 2 or shape[-1] != scalars or strides[-1] != array.itemsize:
            return None
        shape, strides = shape[:-1], strides[:-1]
    count = 1
    for n in shape:
        count *= n
    if count < 2:
        return count, 0
    # Axes of one entry say nothing; of the others each must be as long as the next one's whole.
    axes = [(n, s) for n, s in zip(shape, strides) if n > 1]
    stride = axes[-1][1]
    if stride < scalars * array.itemsize:
        return None
    for (_, outer), (n, inner) in zip(axes, axes[1:]):
        if outer != n * inner:
            return None
    return count, stride


class View:
    """An array made known to the library once, for calls in every frame: `rods.read_positions(view)` then costs
    the call alone. The numbers go to and from `array` itself, whatever its strides.

    :param array: float32, float64 or uint32; the numbers of one entry beside each other, the entries at one stride:
        `(n, 3)`, `(strands, n, 3)`, a field of a structured array, every other row.
    :param scalars: numbers of an entry; without it, the length of the last axis, or 1 for one axis.
    """

    __slots__ = ("array", "count", "scalars", "span", "address")

    def __init__(self, array: np.ndarray, scalars: Optional[int] = None) -> None:
        if scalars is None:
            scalars = 1 if array.ndim < 2 else array.shape[-1]
        found = _FORMATS.get(array.dtype)
        if found is None:
            raise TypeError(f"array of {array.dtype}: must be float32, float64 or uint32")
        layout = _layout(array, scalars)
        if layout is None:
            raise ValueError(
                f"array of shape {array.shape} and strides {array.strides}: entries of {scalars} adjacent numbers "
                "at one positive stride are needed"
            )
        #: The array; the view keeps it.
        self.array = array
        self.count = layout[0]
        self.scalars = scalars
        self.span = Span(array.ctypes.data if layout[0] else None, layout[0], layout[1], found, 0)
        #: Of the span, for the library. As ctypes' own number: a Python number would be turned into one in every call.
        self.address = c_void_p(addressof(self.span))


#: What may be given where an array is read.
Input = Union["ArrayLike", View]


def view_in(value: Any, scalars: int, kind: str, name: str) -> View:
    """An array to be read: itself if it can be, else a copy in the right form."""
    if isinstance(value, View):
        if value.scalars != scalars:
            raise ValueError(f"{name} has entries of {value.scalars} numbers: must have {scalars}")
        return value
    array = np.asarray(value)
    if kind == "u32":
        if array.dtype != np.uint32:
            if array.size and (array.dtype.kind not in "iu" or array.min() < 0 or array.max() > 0xFFFFFFFF):
                raise ValueError(f"{name} must be whole numbers, 0 to 2^32 - 1")
            array = array.astype(np.uint32)
    elif array.dtype not in (np.float32, np.float64):
        array = array.astype(np.float64)
    if scalars > 1 and array.ndim == 1:
        array = array.reshape(-1, scalars) if array.size % scalars == 0 else array
    if scalars > 1 and (array.ndim < 2 or array.shape[-1] != scalars):
        raise ValueError(f"{name} has the shape {array.shape}: must be (n, {scalars})")
    if _layout(array, scalars) is None:
        array = np.ascontiguousarray(array)
    return View(array, scalars)


def view_out(out: Any, scalars: int, count: int, dtype: Any, name: str) -> View:
    """An array to be written: the caller's own, or a new one."""
    if out is None:
        return View(np.empty((count, scalars) if scalars > 1 else count, dtype), scalars)
    if isinstance(out, View):
        if out.scalars != scalars:
            raise ValueError(f"{name} has entries of {out.scalars} numbers: must have {scalars}")
        return out
    if not isinstance(out, np.ndarray):
        raise TypeError(f"{name} is {type(out).__name__}: must be a NumPy array, which is written in place")
    if not out.flags.writeable:
        raise ValueError(f"{name} is read-only")
    return View(out, scalars)
