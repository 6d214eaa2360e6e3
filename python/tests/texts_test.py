"""compare, normalise, segment, keywords, sign, digest, hamming, evaluate."""
from __future__ import annotations

import hashlib
import html.parser
import pickle
from pathlib import Path

import numpy as np
import pytest

import leitong
from leitong import hamming

A, B = "乘客请在北岸的石阶旁排队等候，不要站在跳板上", "請在北岸的石階旁等候，不要站在跳板上"
jieba = pytest.importorskip("jieba")


def test_passages_are_places_in_characters() -> None:
    found = leitong.compare("😀" + A, B)
    assert [found.first[slice(*p.a)] for p in found.passages] == ["请在北岸的石阶旁", "等候，不要站在跳板上"]
    assert [found.second[slice(*p.b)] for p in found.passages] == ["請在北岸的石階旁", "等候，不要站在跳板上"]


def test_passages_that_changed_places_are_found_in_either_order() -> None:
    one, two = "渡船清晨六点开第一班", "面团要发两次然后烤四十分钟"
    found = leitong.compare(one + "。" + two, two + "。" + one)
    assert [found.second[slice(*p.b)] for p in found.passages] == [found.first[slice(*p.a)] for p in found.passages]


def test_a_comparison_shows_itself_in_notebooks() -> None:
    page = leitong.compare(A + " <b>&", B)._repr_html_()
    assert page.count("<mark") == 4
    assert "&lt;b&gt;&amp;" in page and "<b>&" not in page
    html.parser.HTMLParser().feed(page)


def test_unrelated_texts_are_not_similar() -> None:
    found = leitong.compare("渡船清晨六点开第一班", "The dough rises twice")
    assert found.similar_by is None and found.jaccard == 0 and found.passages == []


def test_texts_get_one_spelling() -> None:
    assert leitong.normalise(["Ｆｅｒｒｙ", "渡船開航"]) == ["ferry", "渡船開航"]
    assert leitong.normalise("渡船開航", simplify="characters") == "渡船开航"
    assert leitong.normalise("A  b", fold_case=False, run_space_together=False) == "A  b"
    with pytest.raises(leitong.InvalidArgumentError, match="choose one of keep, fold, space"):
        leitong.normalise("x", punctuation="drop")  # type: ignore[call-overload]


def test_words_are_those_of_jieba() -> None:
    """jieba's own cutter, by the dictionary alone: its hidden Markov model isn't cppjieba's, nor is its way with letters."""
    sentences = [
        "渡船清晨六点开第一班雾大的日子改到七点",
        "乘客请在北岸的石阶旁排队等候不要站在跳板上",
        "面团要发两次然后在炉子里烤四十分钟",
        "图书馆的旧报纸按年份装订成册",
    ]
    assert leitong.segment(sentences, hmm=False) == [jieba.lcut(sentence, HMM=False) for sentence in sentences]
    assert "".join(leitong.segment(A)) == A
    assert leitong.Segmenter().tag("图书馆") == "n"


def test_phrases_are_one_word(tmp_path: Path) -> None:
    file = tmp_path / "phrases.txt"
    file.write_text("deep water\tterm\n北岸的石阶\n", encoding="utf-8")
    segmenter = leitong.Segmenter(phrases=file)
    assert segmenter.segment("in Deep water, deep water") == ["in", " ", "Deep", " ", "water", ",", " ", "deep water"]
    assert segmenter.segment("在北岸的石阶旁") == ["在", "北岸的石阶", "旁"]
    assert segmenter.tag("deep water") == "term"
    assert "deep water" in [word for word, _ in segmenter.keywords("deep water, deep water")]
    assert pickle.loads(pickle.dumps(segmenter)).segment("deep water") == ["deep water"]
    with pytest.raises(leitong.InvalidArgumentError, match="mix"):
        segmenter.segment("deep water", mode="full")


def test_keywords_are_heaviest_first() -> None:
    words = leitong.keywords(A)
    assert all(len(word) > 1 for word, _ in words)
    assert [weight for _, weight in words] == sorted((weight for _, weight in words), reverse=True)


def test_without_dictionaries_the_fix_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("LEITONG_DATA", str(tmp_path))
    with pytest.raises(leitong.NotFoundError, match=r"pip install 'leitong\[zh\]'"):
        leitong.Segmenter().segment(A)


CHARS = {"features": "chars", "weights": "constant", "top": 0}


def test_signatures_know_who_made_them() -> None:
    made = leitong.sign([A, B, ""], params=CHARS)
    assert made.id.startswith("simhash/") and "bits=64" in made.id
    assert made.fingerprint_bits == 64
    assert [len(made[i]) for i in range(3)] == [1, 1, 0]
    with pytest.raises(leitong.InvalidArgumentError, match="some texts have none"):
        np.asarray(made)
    assert np.asarray(leitong.sign([A, B], params=CHARS)).shape == (2,)
    wide = leitong.sign([A, B], params={**CHARS, "bits": 128})
    assert np.asarray(wide).shape == (2, 2)
    assert "bits" in leitong.explain_difference(made.id, wide.id)
    assert leitong.explain_difference(made.id, made.id) == ""


def test_methods_that_make_no_signatures_say_so() -> None:
    with pytest.raises(leitong.UnsupportedError):
        leitong.sign([A], "edit")


@pytest.mark.parametrize("bits", [64, 128])
def test_near_fingerprints_are_joined_and_found(bits: int) -> None:
    draw = np.random.default_rng(7)
    base = draw.integers(0, 2**63, (1000, bits // 64), dtype=np.uint64)
    near = base[:10] ^ np.uint64(5)
    near[:, 1:] = base[:10, 1:]
    rows = np.concatenate([base, near])
    rows = rows[:, 0] if bits == 64 else rows
    pairs = hamming.join(rows, distance=3)
    assert pairs.tolist() == [(i, 1000 + i, 2) for i in range(10)]
    assert hamming.join(rows[:1000], rows[1000:], distance=3)["a"].tolist() == list(range(10))
    assert hamming.components(rows, distance=3)[1000:].tolist() == list(range(10))
    index = hamming.Index(distance=3, bits=bits)  # type: ignore[arg-type]
    index.insert(np.arange(1000), rows[:1000])
    hits = index.search(rows[1000:], 3)
    assert hits["id"].tolist() == list(range(10)) and hits["query"].tolist() == list(range(10))
    assert np.array_equal(hits["fingerprint"], rows[:10])
    index.remove([0], rows[:1])
    assert index.search(rows[1000:], 3, rule="nearest")["id"].tolist() == list(range(1, 10))


def test_fingerprints_have_one_shape() -> None:
    with pytest.raises(leitong.InvalidArgumentError, match="uint64"):
        hamming.join(np.zeros(3))
    with pytest.raises(leitong.InvalidArgumentError, match="64 bits, and these have 128"):
        hamming.Index().search(np.zeros((1, 2), np.uint64), 1)
    with pytest.raises(leitong.InvalidArgumentError, match="2 ids for 1 fingerprints"):
        hamming.Index().insert([1, 2], np.zeros(1, np.uint64))


def test_numbers_have_bounds() -> None:
    prints = np.zeros(2, np.uint64)
    calls = [
        ("distance is -1", lambda: hamming.join(prints, distance=-1)),
        ("distance is 1.5", lambda: hamming.components(prints, distance=1.5)),  # type: ignore[arg-type]
        ("distance is -1", lambda: hamming.Index(distance=-1)),
        ("most is -1", lambda: hamming.Index().search(prints, -1)),
        ("count is -1", lambda: leitong.keywords(A, -1)),
        ("edit_cells is -1", lambda: leitong.compare(A, B, edit_cells=-1)),
        ("threshold is '0.5'", lambda: leitong.dedup([A, B]).rethreshold("0.5")),  # type: ignore[arg-type]
    ]
    for message, call in calls:
        with pytest.raises(leitong.InvalidArgumentError, match=message):
            call()
    with pytest.raises(leitong.Error, match="17"):
        hamming.join(prints, distance=17)


def test_an_index_is_kept_in_a_folder_with_its_scheme(tmp_path: object) -> None:
    made = leitong.sign([A, B], params=CHARS)
    index = hamming.Index(folder=str(tmp_path), scheme=made.id)
    index.insert([1, 2], np.asarray(made))
    index.flush()
    del index
    again = hamming.Index(folder=str(tmp_path))
    assert again.scheme == made.id
    assert again.search(np.asarray(made), 0)["id"].tolist() == [1, 2]
    del again
    other = leitong.sign([A], params={**CHARS, "top": 5})
    with pytest.raises(leitong.InvalidArgumentError, match="top"):
        hamming.Index(folder=str(tmp_path), scheme=other.id)


def test_digests_are_those_of_the_common_tools() -> None:
    for kind in ("md5", "sha256", "blake2b"):
        assert leitong.digest(b"ferry\0", kind) == hashlib.new(kind, b"ferry\0").hexdigest()
    assert leitong.digest("渡船") == hashlib.sha256("渡船".encode()).hexdigest()
    with pytest.raises(leitong.InvalidArgumentError, match="choose one of md5"):
        leitong.digest(b"", "crc")
    assert leitong.digest(bytearray(b"ferry")) == leitong.digest(memoryview(b"ferry")) == leitong.digest("ferry")
    with pytest.raises(leitong.InvalidArgumentError, match="a int has no digest; give bytes or a str"):
        leitong.digest(5)  # type: ignore[arg-type]
    with pytest.raises(leitong.CorruptError, match="lone surrogate"):
        leitong.digest("\ud800")


def test_a_result_is_measured_against_the_truth(texts: list[str]) -> None:
    found = leitong.evaluate(["ferry", "dough", "ferry"], leitong.dedup(texts))
    assert found.pairs.f1 == found.b_cubed.f1 == found.adjusted_rand == 1
    assert (found.documents, found.clusters, found.gold_clusters) == (3, 2, 2)
    with pytest.raises(leitong.InvalidArgumentError, match="1 labels of the truth for 2"):
        leitong.evaluate([1], [1, 2])
    for labels in (["a", None], [1, float("nan")], np.array(["a", float("nan")], object)):
        with pytest.raises(leitong.InvalidArgumentError, match="row 1 has no label"):
            leitong.evaluate(labels, [1, 2])
        with pytest.raises(leitong.InvalidArgumentError, match="row 1 has no label"):
            leitong.evaluate([1, 2], labels)
    with pytest.raises(leitong.InvalidArgumentError, match=r"can't be compared with each other \(int, str\)"):
        leitong.evaluate(np.array([1, "a"], object), [1, 2])
