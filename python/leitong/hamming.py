"""Exact Hamming search: which fingerprints are within a distance of each other, or of a query. It misses none.

Fingerprints are numpy arrays of uint64, of the shape (n,) for 64 bits, or (n, 2) for 128 bits with the low word first.
"""
from __future__ import annotations

import os
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _leitong
from ._errors import InvalidArgumentError
from ._given import folder_of
from ._numbers import whole
from ._session import ProgressOption, session
from ._texts import choice

__all__ = ["Index", "components", "join"]

_PAIR = np.dtype({"names": ["a", "b", "distance"], "formats": ["<u8", "<u8", "<u4"], "offsets": [0, 8, 16], "itemsize": 24})
_HIT = {
    64: np.dtype([("fingerprint", "<u8"), ("id", "<u8"), ("query", "<u4"), ("distance", "<u4")]),
    128: np.dtype([("fingerprint", "<u8", (2,)), ("id", "<u8"), ("query", "<u4"), ("distance", "<u4")]),
}


def _words(fingerprints: ArrayLike) -> tuple[NDArray[np.uint64], int]:
    """The words one after the other, and the bits of a fingerprint."""
    array = np.ascontiguousarray(fingerprints)
    if array.size == 0:
        array = array.astype(np.uint64)
    if array.dtype != np.uint64 or not (array.ndim == 1 or (array.ndim == 2 and array.shape[1] == 2)):
        raise InvalidArgumentError(
            f"fingerprints are uint64 of the shape (n,) or (n, 2), not {array.dtype} of {array.shape}"
        )
    return array.reshape(-1), 64 * array.ndim


def _bits(number: int, name: str) -> int:
    return whole(number, name, 0, 128, "give the number of bits that may differ")


def join(
    fingerprints: ArrayLike,
    other: ArrayLike | None = None,
    *,
    distance: int = 3,
    threads: int = 0,
    memory: int = 0,
    work_folder: str | os.PathLike[str] | None = None,
    progress: ProgressOption = None,
) -> NDArray[np.void]:
    """All pairs within the distance (at most 16), as a structured array of a, b and distance.

    Within one set a < b. With ``other`` a is a position in the first set and b a position in the other set.

    >>> import numpy as np
    >>> from leitong import hamming
    >>> hamming.join(np.array([0b1011, 0xFF00, 0b1010], np.uint64), distance=1).tolist()
    [(0, 2, 1)]
    """
    left, bits = _words(fingerprints)
    right = None
    if other is not None:
        right, other_bits = _words(other)
        if other_bits != bits:
            raise InvalidArgumentError(f"fingerprints of {bits} bits have no distance from those of {other_bits}")
    here = session(threads=threads, memory=memory, work_folder=work_folder, progress=progress)
    pairs = (_leitong.join64 if bits == 64 else _leitong.join128)(here, left, right, _bits(distance, "distance"))
    return np.asarray(pairs).view(_PAIR)


def components(
    fingerprints: ArrayLike,
    *,
    distance: int = 3,
    threads: int = 0,
    memory: int = 0,
    work_folder: str | os.PathLike[str] | None = None,
    progress: ProgressOption = None,
) -> NDArray[np.uint32]:
    """For each fingerprint the smallest position that a chain of near fingerprints joins to it.

    >>> import numpy as np
    >>> from leitong import hamming
    >>> hamming.components(np.array([0b1011, 0xFF00, 0b1010], np.uint64), distance=1).tolist()
    [0, 1, 0]
    """
    words, bits = _words(fingerprints)
    here = session(threads=threads, memory=memory, work_folder=work_folder, progress=progress)
    return (_leitong.components64 if bits == 64 else _leitong.components128)(here, words, _bits(distance, "distance"))


class Index:
    """A set of fingerprints with ids that any number of threads can search while it changes.

    ``distance`` is the largest distance of a search. ``folder`` is where the index is kept; with None it is only in memory.
    ``scheme`` is the id of the ``Signatures`` in the index: a folder with another scheme is refused. A stop by Ctrl-C ends the
    object; open the folder again. It cannot be used in a forked child.

    >>> import numpy as np
    >>> from leitong import hamming
    >>> index = hamming.Index(distance=3)
    >>> index.insert([7, 8], np.array([0b1011, 0xFF00], np.uint64))
    >>> index.search(np.array([0b1010], np.uint64), 2)[["id", "query", "distance"]].tolist()
    [(7, 0, 1)]
    """

    def __init__(
        self,
        *,
        distance: int = 3,
        bits: Literal[64, 128] = 64,
        folder: str | os.PathLike[str] | None = None,
        scheme: str | None = None,
        threads: int = 0,
    ) -> None:
        if bits not in (64, 128):
            raise InvalidArgumentError(f"fingerprints have 64 or 128 bits, not {bits}")
        made: Any = _leitong.Index64 if bits == 64 else _leitong.Index128
        self._index = made(session(threads=threads), _bits(distance, "distance"), folder_of(folder) or "", scheme)
        self.bits = bits

    @property
    def scheme(self) -> str | None:
        """The scheme of the fingerprints; None if it is unknown."""
        scheme: str | None = self._index.scheme
        return scheme

    def insert(self, ids: ArrayLike, fingerprints: ArrayLike) -> None:
        """Adds rows. A row that is there changes nothing."""
        self._index.insert(np.ascontiguousarray(ids, np.uint64), self._checked(fingerprints))

    def remove(self, ids: ArrayLike, fingerprints: ArrayLike) -> None:
        """Removes rows. A row that is not there changes nothing."""
        self._index.remove(np.ascontiguousarray(ids, np.uint64), self._checked(fingerprints))

    def flush(self) -> None:
        """Writes all changes so far to the folder."""
        self._index.flush()

    def merge(self) -> None:
        """Merges everything into one sorted level, in which searches are fastest."""
        self._index.merge()

    def search(
        self, queries: ArrayLike, most: int, *, rule: Literal["all", "nearest", "any"] = "all"
    ) -> NDArray[np.void]:
        """The rows within ``most`` bits of each query: fingerprint, id, query and distance."""
        hits = self._index.search(self._checked(queries), _bits(most, "most"), choice(_leitong.HitRule, rule, "rule"))
        return np.asarray(hits).view(_HIT[self.bits])

    def _checked(self, fingerprints: ArrayLike) -> NDArray[np.uint64]:
        words, bits = _words(fingerprints)
        if len(words) and bits != self.bits:
            raise InvalidArgumentError(f"the index holds fingerprints of {self.bits} bits, and these have {bits}")
        return words
