"""leitong.gensim: vectors that texts teach."""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

import leitong
from leitong.gensim import train_vectors

WORDS = "渡船 清晨 北岸 石阶 排队 乘客 跳板 雾 大 日子 dough bowl tin rises forty minutes".split()


def some_texts() -> list[str]:
    random = np.random.default_rng(3)
    return [" ".join(random.choice(WORDS, 30)) for _ in range(40)]


def test_vectors_are_rows_for_the_texts_and_equal_for_equal_ones() -> None:
    texts = [*some_texts(), "", "zzz"]
    texts.append(texts[0].upper())
    made = train_vectors(texts, dimensions=16, epochs=2)
    assert made.shape == (43, 16) and made.dtype == np.float32
    assert not made[40].any() and not made[41].any()  # no word, and a word that occurs once
    assert made[:40].any(axis=1).all()
    assert np.allclose(made[42], made[0])
    assert (train_vectors(texts, dimensions=16, epochs=2) == made).all()
    result = leitong.dedup(texts, vectors=made, cosine=0.999)
    assert result.vectors.unusable == 2


def test_texts_without_common_words_have_no_vectors() -> None:
    assert not train_vectors(["清晨", "dough"], dimensions=4).any()
    assert train_vectors([], dimensions=4).shape == (0, 4)


def test_a_file_has_a_row_for_each_record(tmp_path: Path) -> None:
    texts = some_texts()
    lines = [json.dumps({"text": text}) for text in texts]
    lines[1:1] = ["", "{broken", json.dumps({"other": 1}), json.dumps([1]), json.dumps({"text": 7})]
    (tmp_path / "in.jsonl").write_text("\n".join(lines) + "\n")
    command = [sys.executable, "-m", "leitong.gensim", "in.jsonl", "out.npy", "--dimensions", "8", "--epochs", "1"]
    subprocess.run(command, check=True, cwd=tmp_path)
    made = np.load(tmp_path / "out.npy")
    assert made.shape == (44, 8)
    assert not made[1:5].any() and made[0].any() and made[5].any()
    command = [sys.executable, "-m", "leitong", "dedup", "in.jsonl", "--vectors", "out.npy", "--cosine", "0.999", "-o", "kept.jsonl", "-q"]
    assert subprocess.run(command, cwd=tmp_path).returncode == 0
