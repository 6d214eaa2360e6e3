"""Vectors for ``vectors=`` that gensim's word2vec learns from the texts themselves, so that no model is needed.

    import leitong, leitong.gensim
    vectors = leitong.gensim.train_vectors(texts)
    result = leitong.dedup(texts, vectors=vectors, cosine=0.98)

    python -m leitong train --vectors corpus.jsonl -o vectors.npy      # for leitong dedup corpus.jsonl --vectors vectors.npy --cosine 0.98

It needs ``pip install "leitong[vectors,zh]"``. By the measurements in docs/methods.md such vectors help
little; vectors of a sentence model are a different case.
"""
from __future__ import annotations

import argparse
import glob
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ._errors import Error, InvalidArgumentError, NotFoundError
from ._packages import package
from ._texts import segment

__all__ = ["train_vectors"]

_KINDS = (".parquet", ".jsonl", ".jsonl.gz", ".jsonl.zst")
_COMMON = 0.001  # a word that makes up this share of all words has half the weight of a rare word


def train_vectors(
    texts: list[str], *, dimensions: int = 100, window: int = 5, min_count: int = 2, epochs: int = 5, seed: int = 1
) -> NDArray[np.float32]:
    """A vector for each text: the mean of its words' vectors, which word2vec learns from these texts.

    Words are those of ``leitong.segment``, in lower case. A word of frequency p weighs 0.001 / (0.001 + p), and the mean of all
    texts is subtracted (Arora, Liang, Ma 2017). Words that occur less often than ``min_count`` times have no vector; a text without
    any has zeros, so that only its text is compared. Training uses one thread, so that equal texts give equal vectors.
    """
    word2vec = package("gensim.models", "vectors of texts", "'leitong[vectors,zh]'").Word2Vec
    cut = [[word for word in words if not word.isspace()] for words in segment([text.lower() for text in texts], all_scripts=True)]
    made = np.zeros((len(texts), dimensions), np.float32)
    count = Counter(word for words in cut for word in words)
    if all(times < min_count for times in count.values()):
        return made
    model: Any = word2vec(cut, vector_size=dimensions, window=window, min_count=min_count, sg=1, epochs=epochs, seed=seed, workers=1)
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


def _texts_of(path: str, field: str) -> Iterator[str]:
    """One text for each record. Records without a text get vectors of zeros, which are similar to nothing."""
    if not os.path.exists(path):
        raise NotFoundError(f"{path} is missing")
    if not path.endswith(_KINDS):
        raise InvalidArgumentError(f"{path}: inputs are files {', '.join(_KINDS)}")
    if path.endswith(".parquet"):
        package("fsspec", "Parquet files", "fsspec")
        file = package("leitong.parquet", "Parquet files", "pyarrow fsspec")._File(path, None)
        file.kind_of(field)
        for (texts,) in file.batches([field]):
            yield from (text if isinstance(text, str) else "" for text in texts.to_pylist())
        return
    for place, line in enumerate(_lines_of(path)):
        if place == 0 and line.lstrip().startswith(b"["):
            raise InvalidArgumentError(f"{path} begins with an array; give one record a line")
        yield _text(line, field)


def _lines_of(path: str) -> Iterator[bytes]:
    """The lines that are not blank, since the command counts only these as records."""
    if path.endswith(".jsonl"):
        with open(path, "rb") as file:
            yield from (line for line in file if not line.isspace())
    else:
        pyarrow = package("pyarrow", "compressed files", "pyarrow")
        with io.BufferedReader(pyarrow.input_stream(path), 1 << 20) as unpacked:
            yield from (line for line in unpacked if not line.isspace())


def _text(line: bytes, field: str) -> str:
    try:
        value = json.loads(line)
        for name in field.split("."):
            value = value[name]
    except (ValueError, KeyError, TypeError):
        return ""
    return value if isinstance(value, str) else ""


def _expanded(inputs: Sequence[str]) -> list[str]:
    """Expands quoted patterns."""
    paths: list[str] = []
    for one in inputs:
        found = [one] if os.path.exists(one) else sorted(glob.glob(one, recursive=True))
        paths += found or [one]
    return paths


@contextmanager
def _appears_whole(path: Path) -> Iterator[IO[bytes]]:
    """Writes a file that gets its name when it is complete and durable."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(unfinished, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def main(arguments: Sequence[str], program: str = "python -m leitong.gensim") -> int:
    """The command line: ``python -m leitong train --vectors``."""
    parser = argparse.ArgumentParser(prog=program, description="Learns vectors of texts from these texts alone.")
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help=f"files ({', '.join(_KINDS)}): a vector for each record")
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="FILE.npy", help="for leitong dedup --vectors")
    parser.add_argument("--text-field", default="text", metavar="FIELD", help="of the texts (text)")
    parser.add_argument("--dimensions", type=int, default=100, metavar="N", help="of a vector (100)")
    parser.add_argument("--epochs", type=int, default=5, metavar="N", help="how often the texts are gone through (5)")
    parser.add_argument("--force", action="store_true", help="replace an output that exists")
    given = parser.parse_args(arguments)
    try:
        if os.path.lexists(given.output) and not given.force:
            raise InvalidArgumentError(f"{given.output} exists; --force replaces it")
        texts = [text for path in _expanded(given.inputs) for text in _texts_of(path, given.text_field)]
        made = train_vectors(texts, dimensions=given.dimensions, epochs=given.epochs)
        with _appears_whole(given.output) as output:
            np.save(output, made)
    except (Error, OSError) as error:
        print(f"leitong: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
