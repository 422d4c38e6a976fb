"""Results of the library as exceptions."""

from __future__ import annotations

from typing import Dict, NoReturn, Type

from ._library import lib
from ._native import Result


class WithyError(Exception):
    """A call that failed. Its text is the library's: the function, the field, the index, the value."""

    code: Result

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = Result(code)


class InvalidArgumentError(WithyError, ValueError):
    """WITHY_ERROR_INVALID_ARGUMENT"""


class InvalidHandleError(WithyError, ReferenceError):
    """WITHY_ERROR_INVALID_HANDLE: the object has been destroyed."""


class UnsupportedError(WithyError, NotImplementedError):
    """WITHY_ERROR_UNSUPPORTED"""


class BusyError(WithyError):
    """WITHY_ERROR_BUSY: another thread is inside the world."""


class OutOfMemoryError(WithyError, MemoryError):
    """WITHY_ERROR_OUT_OF_MEMORY"""


class PanicError(WithyError):
    """WITHY_ERROR_PANIC: the library failed; the world can only be closed."""


class TooSmallError(WithyError, ValueError):
    """WITHY_ERROR_TOO_SMALL: an output array has too few entries."""


_CLASSES: Dict[int, Type[WithyError]] = {
    Result.INVALID_ARGUMENT: InvalidArgumentError,
    Result.INVALID_HANDLE: InvalidHandleError,
    Result.UNSUPPORTED: UnsupportedError,
    Result.BUSY: BusyError,
    Result.OUT_OF_MEMORY: OutOfMemoryError,
    Result.PANIC: PanicError,
    Result.TOO_SMALL: TooSmallError,
}


def fail(code: int) -> NoReturn:
    """Raises what a result other than WITHY_OK means."""
    raise _CLASSES.get(code, WithyError)(lib.withy_last_error().decode("utf-8", "replace"), code)


def check(code: int) -> None:
    if code:
        fail(code)
