"""The namespace ``leitong`` of polars: ``import leitong.polars`` adds it to frames and expressions.

>>> import polars as pl
>>> import leitong.polars
>>> ferry = "渡船清晨六点开第一班，雾大的日子停航。乘客请在北岸的石阶旁排队等候。"
>>> frame = pl.DataFrame({"text": [ferry, "面团要发两次", ferry + "！"], "year": [2020, 2021, 2024]})
>>> frame.filter(pl.col("text").leitong.stays())["year"].to_list()
[2020, 2021]
>>> frame.leitong.dedup(keep="max:year")["year"].to_list()
[2021, 2024]
>>> frame.leitong.mark()["measure"].to_list()
[None, None, 'copy']
"""
from __future__ import annotations

from typing import Any, Literal

import numpy as np
import polars as pl

from ._dedup import Params, dedup, params_list
from ._errors import InvalidArgumentError
from ._sign import Signer
from ._texts import normalise

__all__ = ["Expression", "Frame"]


@pl.api.register_dataframe_namespace("leitong")
class Frame:
    """``frame.leitong``. Options are those of ``leitong.dedup``."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame

    def dedup(self, text: str = "text", **options: Any) -> pl.DataFrame:
        """The rows that stay."""
        kept: pl.DataFrame = dedup(self._frame, text, **options).kept
        return kept

    def mark(self, text: str = "text", **options: Any) -> pl.DataFrame:
        """The frame with the columns ``kept_for`` (the row that stays in its place), ``measure`` and ``score``."""
        columns = dedup(self._frame, text, **options).columns()
        kinds = {"kept_for": pl.Int64, "measure": pl.String, "score": pl.Float64}
        return self._frame.with_columns([pl.Series(name, columns[name], kind) for name, kind in kinds.items()])


@pl.api.register_expr_namespace("leitong")
class Expression:
    """``pl.col("text").leitong``. Each function takes the whole column at once, in memory."""

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def stays(self, **options: Any) -> pl.Expr:
        """Does the row stay?"""

        def of(texts: pl.Series) -> pl.Series:
            kept_for = dedup(texts, **options).kept_for
            return pl.Series(kept_for == np.arange(len(kept_for)))

        return self._expression.map_batches(of, return_dtype=pl.Boolean)

    def kept_for(self, **options: Any) -> pl.Expr:
        """For every row the row that stays in its place: a number for each group."""
        return self._expression.map_batches(
            lambda texts: pl.Series(dedup(texts, **options).kept_for), return_dtype=pl.Int64
        )

    def fingerprint(self, method: str = "simhash", params: Params = None) -> pl.Expr:
        """64-bit fingerprints; null for texts without one. Raises InvalidArgumentError for a method with other signatures."""
        signer = Signer(method, tuple(params_list(params)))
        if signer.fingerprint_bits != 64:
            raise InvalidArgumentError(
                f"{method} with these parameters makes no fingerprints of 64 bits; leitong.sign(texts) has its signatures"
            )

        def of(texts: pl.Series) -> pl.Series:
            made = signer.sign(texts)
            has_one = np.diff(made.offsets) > 0
            values = np.zeros(len(made), np.uint64)
            values[has_one] = made.words
            return pl.select(pl.when(pl.Series(has_one)).then(pl.Series(values)).alias(texts.name)).to_series()

        return self._expression.map_batches(of, return_dtype=pl.UInt64)

    def normalise(self, *, simplify: Literal["no", "characters", "phrases"] = "no") -> pl.Expr:
        """Texts in one canonical spelling."""
        return self._expression.map_batches(
            lambda texts: pl.Series(normalise(texts, simplify=simplify), dtype=pl.String), return_dtype=pl.String
        )
