"""Finds and loads the shared library, once."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import sys
from pathlib import Path
from typing import Iterator

from . import _native


def _candidates() -> Iterator[str]:
    """WITHY_LIBRARY in the environment, the file in the wheel, what the system finds."""
    named = os.environ.get("WITHY_LIBRARY")
    if named:
        yield named
        return
    file = {"win32": "withy.dll", "darwin": "libwithy.dylib"}.get(sys.platform, "libwithy.so")
    beside = Path(__file__).parent / file
    if beside.is_file():
        yield str(beside)
    found = ctypes.util.find_library("withy")
    if found:
        yield found


def _load() -> _native.Functions:
    for path in _candidates():
        # CDLL gives the GIL back during every call.
        functions = _native.Functions(ctypes.CDLL(path))
        if functions.withy_check_version(_native.VERSION) != 0:
            raise ImportError(f"{path}: {functions.withy_last_error().decode()}")
        return functions
    raise ImportError("the shared library of withy was not found: set WITHY_LIBRARY to its path")


lib = _load()
