"""Near-duplicates as an estimator of scikit-learn.

>>> from leitong.sklearn import NearDuplicates
>>> ferry = "渡船清晨六点开第一班，雾大的日子停航。乘客请在北岸的石阶旁排队等候。"
>>> NearDuplicates().fit_predict([ferry, "面团要发两次", ferry + "！"]).tolist()
[0, 1, 0]
"""
from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClusterMixin  # type: ignore[import-untyped]

from ._dedup import dedup
from ._result import Result

__all__ = ["NearDuplicates"]


class NearDuplicates(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Texts in clusters: two texts have one label if one leaves for the other, or both for a third.

    ``labels_`` are numbers from 0 in the order of the texts, ``kept_`` are the positions of the texts that stay, and ``result_`` is
    the ``leitong.Result``. Parameters are those of ``leitong.dedup``.
    """

    def __init__(
        self,
        *,
        keep: str = "longest",
        method: str = "default",
        params: Any = None,
        preset: Literal["strict", "default", "reuse"] = "default",
        measure: str | None = None,
        threshold: float | None = None,
        strict_match: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.keep, self.method, self.params = keep, method, params
        self.preset: Literal["strict", "default", "reuse"] = preset
        self.measure, self.threshold, self.strict_match, self.n_jobs = measure, threshold, strict_match, n_jobs

    def fit(self, X: Any, y: Any = None) -> NearDuplicates:
        """Decides on the texts ``X``: data of any kind that ``leitong.dedup`` takes."""
        self.result_: Result = dedup(
            X,
            keep=self.keep,
            method=self.method,
            params=self.params,
            preset=self.preset,
            measure=self.measure,
            threshold=self.threshold,
            strict_match=self.strict_match,
            threads=max(self.n_jobs or 0, 0),
        )
        self.kept_: NDArray[np.uint32] = self.result_.kept_positions
        _, first, labels = np.unique(self.result_.kept_for, return_index=True, return_inverse=True)
        self.labels_: NDArray[np.intp] = np.argsort(np.argsort(first))[labels]
        return self
