"""What hosts save: one file of named chunks."""

from __future__ import annotations

from ctypes import byref, c_char_p, c_uint64, c_void_p, cast, create_string_buffer, string_at
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Union

import numpy as np

from . import _native
from ._errors import check
from ._library import lib
from ._native import AssetFormat

_TYPES = {AssetFormat.F32: np.dtype("<f4"), AssetFormat.F64: np.dtype("<f8"), AssetFormat.U32: np.dtype("<u4")}


@dataclass
class Chunk:
    """A part of an asset.

    `data` is bytes, str, or an array of float32, float64 or uint32 with rows. Count `version` up when what you save
    under a name means something else. `format` is that of a newer library, whose data are bytes.
    """

    data: Union[bytes, str, np.ndarray]
    version: int = 1
    format: int = -1
    columns: int = 0

    def _as_bytes(self) -> bytes:
        if isinstance(self.data, np.ndarray):
            return np.ascontiguousarray(self.data, self.data.dtype.newbyteorder("<")).tobytes()
        return self.data.encode() if isinstance(self.data, str) else bytes(self.data)

    def _kind(self) -> Any:
        if isinstance(self.data, np.ndarray):
            columns = 1 if self.data.ndim < 2 else self.data.shape[-1]
            kinds = [k for k, t in _TYPES.items() if t == self.data.dtype.newbyteorder("<")]
            if not kinds:
                raise TypeError(f"a chunk cannot be an array of {self.data.dtype}: float32, float64 and uint32 can")
            return kinds[0], columns
        if isinstance(self.data, str):
            return AssetFormat.TEXT, 0
        return (AssetFormat.BYTES, 0) if self.format < 0 else (self.format, self.columns)


def read_asset(data: bytes) -> Dict[str, Chunk]:
    """The chunks of an asset by their names, in their order. What is damaged raises an error that says where."""
    if isinstance(data, (str, int)):
        raise TypeError(f"data is {data!r}: must be the bytes of a file")
    data = bytes(data)
    count = c_uint64()
    check(lib.withy_asset_read(data, len(data), None, byref(count)))
    chunks = (_native.AssetChunk * count.value)()
    check(lib.withy_asset_read(data, len(data), chunks, byref(count)))
    out: Dict[str, Chunk] = {}
    for c in chunks:
        raw = string_at(c.data, c.size) if c.size else b""
        value: Any = raw
        form = -1
        if c.format in _TYPES:
            kind: Any = _TYPES[AssetFormat(c.format)]
            value = np.frombuffer(raw, kind)
            value = value.reshape(-1, c.columns) if c.columns > 1 else value
        elif c.format == AssetFormat.TEXT:
            value = raw.decode()
        elif c.format != AssetFormat.BYTES:
            form = c.format
        out[string_at(c.name).decode()] = Chunk(value, c.version, form, c.columns if form >= 0 else 0)
    return out


def write_asset(chunks: Mapping[str, Union[Chunk, bytes, str, np.ndarray]]) -> bytes:
    """An asset with these chunks; those of `read_asset` that you do not know may be among them."""
    keep = []
    array = (_native.AssetChunk * len(chunks))()
    for target, (name, given) in zip(array, chunks.items()):
        chunk = given if isinstance(given, Chunk) else Chunk(given)
        raw, text = chunk._as_bytes(), c_char_p(name.encode())
        room = create_string_buffer(raw, max(len(raw), 1))
        keep += [text, room]
        target.name = cast(text, c_void_p).value
        target.data = cast(room, c_void_p).value
        target.size = len(raw)
        target.version = chunk.version
        target.format, target.columns = chunk._kind()
    size = c_uint64()
    check(lib.withy_asset_write(array, len(array), None, byref(size)))
    out = create_string_buffer(size.value)
    check(lib.withy_asset_write(array, len(array), out, byref(size)))
    return out.raw
