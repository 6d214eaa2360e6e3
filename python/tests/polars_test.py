"""leitong.polars and leitong.sklearn."""
from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone

import leitong
import leitong.polars
from conftest import DOUGH, FERRY, FERRY_TRADITIONAL
from leitong.sklearn import NearDuplicates

TEXTS = [DOUGH, FERRY, FERRY_TRADITIONAL]


def test_expressions_say_who_stays() -> None:
    frame = pl.DataFrame({"text": TEXTS})
    assert frame.select(pl.col("text").leitong.stays())["text"].to_list() == [True, True, False]
    assert frame.select(pl.col("text").leitong.kept_for(keep="first"))["text"].to_list() == [0, 1, 1]
    assert frame.lazy().filter(pl.col("text").leitong.stays()).collect()["text"].to_list() == TEXTS[:2]


def test_expressions_sign_and_normalise() -> None:
    params = {"features": "chars", "weights": "constant", "top": 0}
    frame = pl.DataFrame({"text": [*TEXTS, ""]})
    signed = frame.select(pl.col("text").leitong.fingerprint(params=params))["text"]
    assert signed.dtype == pl.UInt64
    assert signed.to_list() == [*np.asarray(leitong.sign(TEXTS, params=params)).tolist(), None]
    same = frame.select(pl.col("text").leitong.normalise(simplify="characters"))["text"]
    assert same.to_list() == leitong.normalise([*TEXTS, ""], simplify="characters")


def test_a_frame_is_marked() -> None:
    marked = pl.DataFrame({"body": TEXTS}).leitong.mark("body")
    assert marked["kept_for"].to_list() == [0, 1, 1]
    assert marked["measure"].to_list() == [None, None, "jaccard"]
    assert marked["score"].to_list()[:2] == [None, None]
    assert marked["score"][2] == pytest.approx(leitong.compare(FERRY, FERRY_TRADITIONAL).jaccard)


def test_an_estimator_gives_labels() -> None:
    made = NearDuplicates(keep="first", n_jobs=1)
    assert made.fit_predict([*TEXTS, DOUGH]).tolist() == [0, 1, 1, 0]
    assert made.kept_.tolist() == [0, 1]
    again = clone(made).set_params(measure="jaccard", threshold=0.95)
    assert again.get_params()["keep"] == "first"
    assert again.fit_predict([*TEXTS, DOUGH]).tolist() == [0, 1, 2, 0]


def test_only_fingerprints_of_64_bits_are_a_column() -> None:
    for method, params in (("minhash", None), ("simhash", {"features": "chars", "weights": "constant", "top": 0, "bits": 128})):
        with pytest.raises(leitong.InvalidArgumentError, match=f"{method} with these parameters makes no fingerprints of 64 bits"):
            pl.col("text").leitong.fingerprint(method, params)
