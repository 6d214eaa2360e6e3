"""What a Result says."""
from __future__ import annotations

import numpy as np
import pytest

import leitong


@pytest.fixture
def result(texts: list[str]) -> leitong.Result:
    return leitong.dedup([*texts, texts[0]])


def test_positions_are_arrays(result: leitong.Result) -> None:
    assert result.kept_positions.tolist() == [0, 1]
    assert result.removed_positions.tolist() == [2, 3]
    assert result.kept_for.tolist() == [0, 1, 0, 0]
    assert result.kept_positions.dtype == np.uint32


def test_every_removal_has_a_reason(result: leitong.Result) -> None:
    assert [(r.position, r.kept, r.measure) for r in result.removals] == [(2, 0, "jaccard"), (3, 0, "identical")]
    assert result.removals[1].score == 1


def test_the_least_similar_removals_come_first(result: leitong.Result) -> None:
    assert [r.position for r in result.least_similar()] == [2, 3]
    assert [r.position for r in result.least_similar(1)] == [2]


def test_clusters_begin_with_who_stays(result: leitong.Result) -> None:
    assert [cluster.tolist() for cluster in result.clusters] == [[0, 2, 3]]


def test_pairs_are_a_structured_array(result: leitong.Result) -> None:
    assert result.pairs[["a", "b"]].tolist() == [(0, 2), (0, 3)]
    assert result.pairs["jaccard"].tolist() == pytest.approx([0.6, 1])


def test_a_removal_is_explained_by_both_texts(result: leitong.Result, texts: list[str]) -> None:
    why = result.explain(2)
    assert why.removal == result.removals[0]
    assert why.comparison is not None and why.comparison.second == texts[0]
    assert why.comparison.jaccard == pytest.approx(why.removal.score)
    assert result.explain(0) == (0, None, None, [2, 3])
    with pytest.raises(leitong.InvalidArgumentError, match="no row 4 among 4"):
        result.explain(4)


def test_near_misses_show_what_the_rule_refused(texts: list[str]) -> None:
    misses = leitong.dedup(texts, measure="jaccard", threshold=0.9).near_misses
    assert [(miss.a, miss.b) for miss in misses] == [(0, 2)]
    assert misses[0].closeness < 1


def test_a_run_measures_its_recall(result: leitong.Result) -> None:
    assert result.recall.sampled > 0
    assert result.recall.value in (None, 1)
    assert result.seconds["match"] >= 0


def test_a_result_outlives_its_data(texts: list[str]) -> None:
    made = leitong.dedup(list(texts))
    kept = made.kept_for
    del made
    assert kept.tolist() == [0, 1, 0]
