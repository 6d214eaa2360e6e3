"""Vectors of texts that the texts teach by themselves, with gensim's word2vec: something for ``vectors=`` where no model is at hand.

    import leitong, leitong.gensim
    vectors = leitong.gensim.train_vectors(texts)
    result = leitong.dedup(texts, vectors=vectors, cosine=0.98)

    python -m leitong.gensim corpus.jsonl vectors.npy      # for leitong dedup corpus.jsonl --vectors vectors.npy --cosine 0.98

It needs ``pip install "leitong[vectors,zh]"``. docs/methods.md says what such vectors were worth when they were measured, which is
little: vectors of a model of sentences are another matter.
"""
from __future__ import annotations

import argparse
import json
from collections import Counter
from typing import Any

import numpy as np
from gensim.models import Word2Vec  # type: ignore[import-untyped]
from numpy.typing import NDArray

from ._texts import segment

__all__ = ["train_vectors"]

_COMMON = 0.001  # words of this part of all words have half the weight of rare ones


def train_vectors(
    texts: list[str], *, dimensions: int = 100, window: int = 5, min_count: int = 2, epochs: int = 5, seed: int = 1
) -> NDArray[np.float32]:
    """A vector for each text: the mean of its words' vectors, which word2vec learns from these texts.

    Words are those of ``leitong.segment``, in lower case. A word of frequency p weighs 0.001 / (0.001 + p), and the mean of all texts
    is taken off (Arora, Liang, Ma 2017). Words that occur less often than ``min_count`` times have no vector; a text without any
    has zeros, so that it is compared by its letters alone. One thread, so that equal texts give equal vectors.
    """
    cut = [[word for word in words if not word.isspace()] for words in segment([text.lower() for text in texts], all_scripts=True)]
    made = np.zeros((len(texts), dimensions), np.float32)
    count = Counter(word for words in cut for word in words)
    if all(times < min_count for times in count.values()):
        return made
    model: Any = Word2Vec(cut, vector_size=dimensions, window=window, min_count=min_count, sg=1, epochs=epochs, seed=seed, workers=1)
    weight = np.array([_COMMON / (_COMMON + count[word] / count.total()) for word in model.wv.index_to_key], np.float32)
    known: dict[str, int] = model.wv.key_to_index
    has_words = np.zeros(len(texts), bool)
    for row, words in enumerate(cut):
        places = [known[word] for word in words if word in known]
        if places:
            made[row] = weight[places] @ model.wv.vectors[places] / len(places)
            has_words[row] = True
    made[has_words] -= made[has_words].mean(axis=0)
    return made


def _text(line: str, field: str) -> str:
    """Nothing where the record has none: it gets zeros, which compare with nothing."""
    try:
        value = json.loads(line)[field]
    except (ValueError, KeyError, TypeError):
        return ""
    return value if isinstance(value, str) else ""


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m leitong.gensim", description="Learns vectors of texts from these texts alone.")
    parser.add_argument("input", help="JSONL: a vector for each line that isn't blank")
    parser.add_argument("output", help="a file .npy for leitong dedup --vectors")
    parser.add_argument("--text", default="text", help="the field of the texts")
    parser.add_argument("--dimensions", type=int, default=100)
    parser.add_argument("--epochs", type=int, default=5)
    given = parser.parse_args()
    with open(given.input, encoding="utf-8", errors="replace") as lines:
        texts = [_text(line, given.text) for line in lines if line.strip()]
    made = train_vectors(texts, dimensions=given.dimensions, epochs=given.epochs)
    with open(given.output, "wb") as output:  # by this very name: np.save() would add an ending
        np.save(output, made)


if __name__ == "__main__":
    _main()
