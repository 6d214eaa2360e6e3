"""How near a result is to the truth."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _leitong
from ._errors import InvalidArgumentError
from ._result import Result

Metrics = _leitong.ClusterMetrics
Score = _leitong.Score


def evaluate(gold: Sequence[Any] | ArrayLike, result: Result | Sequence[Any] | ArrayLike) -> Metrics:
    """A result (or a label of each row) against the truth: one label for each row, equal for what belongs together.

    >>> import leitong
    >>> found = leitong.evaluate(gold=["a", "a", "b", "b"], result=[0, 0, 1, 2])
    >>> found.pairs.precision, found.pairs.recall, round(found.b_cubed.f1, 3)
    (1.0, 0.5, 0.857)
    """
    return _leitong.evaluate(_labels(gold), _labels(result.kept_for if isinstance(result, Result) else result))


def _labels(labels: Any) -> NDArray[np.uint32]:
    array = np.asarray(labels)
    if array.ndim != 1:
        raise InvalidArgumentError("labels are one for each row")
    return np.unique(array, return_inverse=True)[1].astype(np.uint32)
