"""How good a result is against the truth."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _leitong
from ._answering import answering
from ._errors import InvalidArgumentError
from ._result import Result

Metrics = _leitong.ClusterMetrics
Score = _leitong.Score
_FEW = 100_000  # so many labels are evaluated in less than 0.1 s


def evaluate(gold: Sequence[Any] | ArrayLike, result: Result | Sequence[Any] | ArrayLike) -> Metrics:
    """Compares a result (or a label of each row) with the truth: one label for each row, equal for rows that belong together.

    >>> import leitong
    >>> found = leitong.evaluate(gold=["a", "a", "b", "b"], result=[0, 0, 1, 2])
    >>> found.pairs.precision, found.pairs.recall, round(found.b_cubed.f1, 3)
    (1.0, 0.5, 0.857)
    >>> found
    <Metrics of 4 texts: pairs precision 1, recall 0.5, f1 0.666667; b_cubed precision 1, recall 0.75, f1 0.857143; adjusted_rand 0.571429>

    InvalidArgumentError if a row has no label (None, NaN), or if labels cannot be compared with each other.
    """
    truth = _column(gold)
    found = _column(result.kept_for if isinstance(result, Result) else result)
    if len(truth) <= _FEW:
        return _leitong.evaluate(_labels(truth), _labels(found))
    return answering(lambda: _leitong.evaluate(_labels(truth), _labels(found)))


def _column(labels: Any) -> NDArray[Any]:
    array: NDArray[Any] = np.asarray(labels)
    if array.ndim != 1:
        raise InvalidArgumentError("labels are one for each row")
    for row, label in enumerate(array.tolist() if array.dtype.kind in "fO" else ()):
        if label is None or (isinstance(label, float) and math.isnan(label)):
            raise InvalidArgumentError(f"row {row} has no label; give it one, or leave it out of both")
    return array


def _labels(array: NDArray[Any]) -> NDArray[np.uint32]:
    try:
        return np.unique(array, return_inverse=True)[1].astype(np.uint32)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in array.tolist()})
        raise InvalidArgumentError(f"labels can't be compared with each other ({', '.join(kinds)}); give them as str or int") from None
