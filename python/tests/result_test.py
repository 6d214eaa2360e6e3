"""What a Result says."""
from __future__ import annotations

import re
from pathlib import Path

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


def test_a_raised_threshold_decides_as_a_run_with_it(texts: list[str]) -> None:
    copies = [*texts, texts[0], texts[1] + " Then it is cooled."]
    low = leitong.dedup(copies, measure="jaccard", threshold=0.4)
    for threshold in (0.4, 0.7, 0.95):
        expected = leitong.dedup(copies, measure="jaccard", threshold=threshold)
        raised = low.rethreshold(threshold)
        assert raised.kept_for.tolist() == expected.kept_for.tolist()
        assert raised.kept == expected.kept
        assert raised.removals == expected.removals
        assert raised.pairs.tolist() == expected.pairs.tolist()
    assert len(low.rethreshold(0.7).kept) > len(low.kept)
    assert low.rethreshold(1, "containment").kept_for.tolist() == [0, 4, 2, 0, 4]  # the first is all in the last
    with pytest.raises(leitong.InvalidArgumentError, match="from 0 to 1"):
        low.rethreshold(70)
    with pytest.raises(leitong.InvalidArgumentError, match='no measure "edit"'):
        low.rethreshold(0.5, "edit")


def test_references_stay_at_any_threshold(texts: list[str]) -> None:
    result = leitong.dedup(texts, references=[texts[2]])
    assert result.rethreshold(0.9).kept_for.tolist() == [0, 1, -1]
    assert [r.kept for r in result.rethreshold(0.9).removals] == [-1]


def test_texts_and_ids_have_the_positions_of_kept_for(texts: list[str]) -> None:
    known = [{"id": "first", "text": texts[0]}, {"id": "second", "text": texts[1]}]
    result = leitong.dedup([{"id": "row", "text": texts[0] + "！"}], references=known)
    assert result.kept_for.tolist() == [-1]
    assert [(result.text_of(at), result.id_of(at)) for at in (-2, -1, 0)] == [
        (texts[1], "second"), (texts[0], "first"), (texts[0] + "！", "row")]
    assert leitong.dedup(texts).id_of(0) is None
    for position in (-3, 1):
        with pytest.raises(leitong.InvalidArgumentError, match=f"no row {position} among 1 and 2 references"):
            result.text_of(position)


def page_data(path: Path) -> str:
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    return page


def test_a_report_is_the_page_of_the_command(texts: list[str], tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    rows = [{"id": f"text {i}", "text": text, "year": i} for i, text in enumerate(texts)]
    result = leitong.dedup(rows, keep="max:year")
    result.report(page)
    shown = page_data(page)
    assert "北岸的石" in shown and re.search(r'"largest_clusters":\[{"id":"text 2"', shown)
    with pytest.raises(leitong.InvalidArgumentError, match="report.html exists; overwrite=True replaces it"):
        result.report(page)
    leitong.dedup(texts[1:], references=texts[:1]).report(page, overwrite=True)
    assert page_data(page) != shown
    with pytest.raises(leitong.UnsupportedError, match="no report"):
        result.rethreshold(0.5).report(tmp_path / "other.html")


def test_a_report_counts_blank_texts_apart_and_says_so(texts: list[str], tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    result = leitong.dedup(["", " ", texts[0], texts[0], texts[1]])
    result.report(tmp_path / "report.html")
    assert '"quarantined":2' in page_data(tmp_path / "report.html")
    assert "2 texts are blank or hold a NUL character: the page counts them as records that could not be read" in caplog.text


def test_a_result_shows_itself_in_notebooks(result: leitong.Result, texts: list[str]) -> None:
    assert "<b>4</b> texts, <b>2</b> kept, <b>2</b> removed" in result._repr_html_()
    assert "row 2" in result._repr_html_() and "0.60" in result._repr_html_()
    rows = [{"id": "<i>", "text": text} for text in texts]
    assert "&lt;i&gt;" in leitong.dedup(rows)._repr_html_()
    assert "<table>" not in leitong.dedup([])._repr_html_()


def test_columns_say_what_was_decided(result: leitong.Result) -> None:
    columns = result.columns()
    assert columns["kept_for"].tolist() == [0, 1, 0, 0]
    assert columns["measure"] == [None, None, "jaccard", "identical"]
    assert columns["score"] == [None, None, pytest.approx(0.6), 1]
    assert columns["cluster_size"].tolist() == [3, 1, 3, 3]
    assert columns["kept_id"] == [None] * 4, "the texts have no ids"


def test_columns_name_what_is_kept_and_count_its_cluster(texts: list[str]) -> None:
    rows = [{"id": f"d{row}", "text": text} for row, text in enumerate(texts)]
    columns = leitong.dedup(rows, references=[{"id": "r", "text": texts[1]}]).columns()
    assert columns["kept_for"].tolist() == [0, -1, 0]
    assert columns["kept_id"] == ["d0", "r", "d0"]
    assert columns["cluster_size"].tolist() == [2, 2, 2], "the reference and the row that left for it are two"


def of_a_template() -> list[str]:
    """Pages of one site: much of each is a notice that all have, and little is its own; the last two are one page, edited."""
    notice = "本站所有文章均由读者投稿，版权归原作者所有，未经许可不得转载，如有疑问请写信给编辑部，我们会在三个工作日内答复。"
    draw = np.random.default_rng(3)
    own = ["".join(map(chr, draw.integers(0x4E00, 0x4E00 + 3000, 30))) for _ in range(24)]
    return [notice + text for text in (*own, own[-1][:24] + "改写了末尾的几个字")]


def test_what_many_texts_hold_does_not_count() -> None:
    pages = of_a_template()
    result = leitong.dedup(pages, remove="similar")
    assert [(r.position, r.kept) for r in result.removals] in ([(23, 24)], [(24, 23)])
    assert len(leitong.dedup(pages, template_text="counted", remove="similar").removals) > 10
    only_own = leitong.dedup(pages, template_text="ignored", remove="similar").removals
    assert {r.measure for r in only_own} <= {"own_text", "rare_text", "jaccard"} and len(only_own) == 1
    with pytest.raises(leitong.InvalidArgumentError, match="is none of automatic, ignored, counted .template_text."):
        leitong.dedup(pages, template_text="off")  # type: ignore[arg-type]


def test_an_estimate_may_be_trusted(texts: list[str]) -> None:
    result = leitong.dedup([*texts, texts[0]], method="minhash", params={"bands": 40, "rows": 2}, verify=False)
    assert {r.position: r.measure for r in result.removals} == {2: "estimate", 3: "identical"}


def test_near_misses_show_what_the_rule_refused(texts: list[str]) -> None:
    misses = leitong.dedup(texts, measure="jaccard", threshold=0.9).near_misses
    assert [(miss.a, miss.b) for miss in misses] == [(0, 2)]
    assert misses[0].closeness < 1


def test_a_near_miss_says_what_templates_had_to_do_with_it() -> None:
    miss = leitong.dedup(of_a_template()).near_misses[0]
    assert miss.jaccard > 0.35 and miss.closeness < 0.25, "the rule accepts it, and its own text is another one"
    assert miss.own_jaccard <= miss.own_containment < 0.05 and miss.template_share > 0.9 and miss.families == 24
    assert miss.reason.startswith("not similar: ")
    assert "is a template that about 22 other families of texts hold; without it Jaccard 0.0" in miss.reason


def test_a_removed_row_has_its_reason_in_a_sentence(texts: list[str]) -> None:
    result = leitong.dedup([*texts, texts[0]])
    lost = "similar: Jaccard 0.60; the kept text holds 98.1 % of it, 6.5 % of it reworded"
    assert {r.position: r.reason for r in result.removals} == {2: lost, 3: "similar: the same text"}
    explained = result.explain(2).removal
    assert explained is not None and explained.reason == lost
    of_template = leitong.dedup(of_a_template(), remove="similar").removals[0].reason
    assert of_template.startswith("similar: ") and "is a template that about 22 other families" in of_template


def test_a_row_leaves_only_for_one_that_holds_nearly_all_of_it(texts: list[str]) -> None:
    longer = texts[0] + "对岸的人要过河，就在石阶上敲三下木板。"
    assert [(r.loss, r.relation) for r in leitong.dedup([texts[0], longer]).removals] == [(0, "version")]
    assert leitong.dedup([texts[0], longer], keep="first").removals == [], "the first lacks a third of the longer one"
    everything = leitong.dedup([texts[0], longer], keep="first", remove="similar").removals
    assert [(r.position, r.loss, r.relation) for r in everything] == [(1, None, None)]
    assert [r.position for r in leitong.dedup([texts[0], longer], keep="first", loss=0.5, loss_run=0.5).removals] == [1]
    with pytest.raises(leitong.InvalidArgumentError, match="\"most\" is none of lossless, careful, wide, similar .remove."):
        leitong.dedup(texts, remove="most")  # type: ignore[arg-type]


def test_texts_without_templates_have_no_own_measure(texts: list[str]) -> None:
    with pytest.raises(leitong.InvalidArgumentError, match="no own_jaccard"):
        leitong.dedup(texts, template_text="counted").rethreshold(0.5, "own_jaccard")


def test_a_run_measures_its_recall(result: leitong.Result) -> None:
    assert result.recall.sampled == 3 and result.recall.all_sampled
    assert result.recall.value == 1 and result.recall.interval == (1, 1) and result.recall.both_stay == 0
    assert result.seconds["match"] >= 0


def test_a_result_outlives_its_data(texts: list[str]) -> None:
    made = leitong.dedup(list(texts))
    kept = made.kept_for
    del made
    assert kept.tolist() == [0, 1, 0]
