"""Signatures of texts by the methods of the literature."""
from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _leitong
from ._data import texts_of
from ._dedup import Params, params_list
from ._dictionaries import data_folder
from ._errors import InvalidArgumentError
from ._session import session
from ._texts import Dictionaries


class MethodParam(NamedTuple):
    """A parameter of a method; ``choices`` is empty for a number or a file."""

    name: str
    default: str
    meaning: str
    choices: tuple[str, ...]


class Method(NamedTuple):
    """A method of finding near-duplicates. ``signature`` is empty if the method makes no signatures."""

    name: str
    summary: str
    source: str
    signature: str
    needs: str
    params: tuple[MethodParam, ...]


def methods() -> dict[str, Method]:
    """The methods of this library by their names.

    >>> import leitong
    >>> leitong.methods()["simhash"].signature
    'fingerprint'
    """
    return {
        name: Method(
            name,
            summary,
            source,
            signature,
            needs,
            tuple(
                MethodParam(param, default, meaning, tuple(words.split("|")) if words else ())
                for param, default, meaning, words in params
            ),
        )
        for name, summary, source, signature, needs, params in _leitong.methods()
    }


class Signatures:
    """A signature of each text in 64-bit words. ``id`` is their scheme: keep it with stored signatures."""

    def __init__(self, words: NDArray[np.uint64], offsets: NDArray[np.int64], id: str, label: str, bits: int) -> None:
        #: The words of all signatures, one signature after the other.
        self.words = words
        #: Where each signature begins in ``words``, and where the last one ends.
        self.offsets = offsets
        #: The scheme id. Signatures can be compared only if their ids are equal.
        self.id = id
        self.label = label
        #: 64 or 128 if a signature is one fingerprint of so many bits, else 0.
        self.fingerprint_bits = bits

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, position: int) -> NDArray[np.uint64]:
        """The words of one signature. A text without a signature, such as an empty text, has no words."""
        if not 0 <= position < len(self):
            raise IndexError(position)
        return self.words[self.offsets[position] : self.offsets[position + 1]]

    def __repr__(self) -> str:
        return f"<Signatures: {len(self)} by {self.label}>"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Shape (n,) if a signature is one word, else (n, words). InvalidArgumentError if they have different lengths."""
        sizes = np.diff(self.offsets)
        if len(sizes) == 0:
            return np.empty(0, dtype or np.uint64)
        if (sizes != sizes[0]).any():
            raise InvalidArgumentError(
                "the signatures have different lengths, since some texts have none; use words and offsets, or leave "
                f"out the texts {np.flatnonzero(sizes == 0)[:5].tolist()}"
            )
        array = self.words if sizes[0] == 1 else self.words.reshape(len(self), int(sizes[0]))
        return np.array(array, dtype=dtype, copy=copy)


@dataclass(frozen=True)
class Signer:
    """A method with its parameters, ready to sign. It consists only of its settings, so it can be pickled. It is thread-safe.

    ``marks`` and ``numbers`` are those of ``leitong.dedup``, for methods that use folded letters and digits; ``numbers`` is "same"
    or "masked".
    """

    method: str = "simhash"
    params: tuple[str, ...] = ()
    dictionaries: Dictionaries = Dictionaries()
    threads: int = 0
    marks: Literal["fold", "keep"] = "fold"
    numbers: Literal["same", "masked"] = "same"

    @cached_property
    def _opened(self) -> _leitong.Signer:
        return _leitong.Signer.open(
            session(data_folder=data_folder()), self.method, list(self.params), self.dictionaries.open(), self.marks, self.numbers
        )

    def __getstate__(self) -> dict[str, Any]:
        return {
            name: getattr(self, name) for name in ("method", "params", "dictionaries", "threads", "marks", "numbers")
        }

    @property
    def id(self) -> str:
        """The scheme of the signatures."""
        return self._opened.id

    @property
    def fingerprint_bits(self) -> int:
        """64 or 128 if a signature is one fingerprint of so many bits, else 0."""
        return self._opened.fingerprint_bits

    def sign(self, texts: Any, text: str = "text") -> Signatures:
        """Signs texts of any kind of data in memory that ``leitong.dedup`` takes."""
        made = self._opened
        words, offsets = made.sign(session(threads=self.threads), texts_of(texts, text))
        return Signatures(words, offsets, made.id, made.label, made.fingerprint_bits)


def sign(
    texts: Any, method: str = "simhash", params: Params = None, *, text: str = "text",
    dictionaries: Dictionaries | None = None, synonyms: str | os.PathLike[str] | None = None, threads: int = 0
) -> Signatures:
    """Signs texts by a method of the literature, with the bits that ``leitong sign`` prints.

    ``synonyms`` is a file of lines "word TAB canonical word", for methods of the SimHash family.

    >>> import leitong
    >>> import numpy as np
    >>> signatures = leitong.sign(["渡船清晨六点开第一班", "渡船清晨六點開第一班"], params={"features": "chars",
    ...                           "weights": "constant", "top": 0})
    >>> fingerprints = np.asarray(signatures)
    >>> fingerprints.dtype, bool(fingerprints[0] == fingerprints[1])
    (dtype('uint64'), True)
    """
    return Signer(method, tuple(params_list(params, synonyms)), dictionaries or Dictionaries(), threads).sign(texts, text)


def explain_difference(a: str, b: str) -> str:
    """The differences of two scheme ids, as part of a sentence; empty if their signatures can be compared."""
    return _leitong.explain_difference(a, b)
