"""leitong.gensim: vectors that texts teach."""
from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

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


def learn(folder: Path, *arguments: str, module: str = "leitong") -> subprocess.CompletedProcess[str]:
    start = ["train", "--vectors"] if module == "leitong" else []
    return subprocess.run([sys.executable, "-m", module, *start, *arguments], cwd=folder, capture_output=True, text=True)


FEW = ("--dimensions", "8", "--epochs", "1")


def test_a_file_has_a_row_for_each_record(tmp_path: Path) -> None:
    texts = some_texts()
    lines = [json.dumps({"text": text}) for text in texts]
    lines[1:1] = ["", "{broken", json.dumps({"other": 1}), json.dumps([1]), json.dumps({"text": 7})]
    (tmp_path / "in.jsonl").write_text("\n".join(lines) + "\n")
    assert learn(tmp_path, "in.jsonl", "-o", "out.npy", *FEW).stderr == ""
    made = np.load(tmp_path / "out.npy")
    assert made.shape == (44, 8)
    assert not made[1:5].any() and made[0].any() and made[5].any()
    command = [sys.executable, "-m", "leitong", "dedup", "in.jsonl", "--vectors", "out.npy", "--cosine", "0.999", "-o", "kept.jsonl", "-q"]
    assert subprocess.run(command, cwd=tmp_path).returncode == 0


def test_every_form_of_the_same_records_gives_the_same_vectors(tmp_path: Path) -> None:
    rows = [{"page": {"body": text}} for text in [*some_texts(), None]]
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    (tmp_path / "a.jsonl").write_bytes(lines)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(lines))
    with pa.output_stream(tmp_path / "c.jsonl.zst", compression="zstd") as file:
        file.write(lines)
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "d.parquet", row_group_size=7)
    made = []
    for name in ("a.jsonl", "b.jsonl.gz", "c.jsonl.zst", "d.parquet", "[a].jsonl"):
        done = learn(tmp_path, name, "-o", "out.npy", "--force", "--text-field", "page.body", *FEW)
        assert done.returncode == 0, done.stderr
        made.append(np.load(tmp_path / "out.npy"))
        assert made[-1].shape == (41, 8) and (made[-1] == made[0]).all(), name
    assert learn(tmp_path, "a.jsonl", "-o", "b.npy", "--text-field", "page.body", *FEW, module="leitong.gensim").returncode == 0
    assert (np.load(tmp_path / "b.npy") == made[0]).all()


def test_what_is_no_input_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text\none\n")
    (tmp_path / "array.jsonl").write_text('[{"text": "one"},\n{"text": "two"}]\n')
    (tmp_path / "there.npy").write_bytes(b"")
    pq.write_table(pa.table({"body": ["one"]}), tmp_path / "a.parquet")
    for arguments, words in (
        (["a.csv", "-o", "o.npy"], "a.csv: inputs are files .parquet, .jsonl, .jsonl.gz, .jsonl.zst"),
        (["array.jsonl", "-o", "o.npy"], "array.jsonl begins with an array; give one record a line"),
        (["none.jsonl", "-o", "o.npy"], "none.jsonl is missing"),
        (["*.txt", "-o", "o.npy"], "*.txt is missing"),
        (["a.parquet", "-o", "o.npy"], 'column "text" is missing (found: body)'),
        (["array.jsonl", "-o", "there.npy"], "there.npy exists; --force replaces it"),
    ):
        done = learn(tmp_path, *arguments)
        assert (done.returncode, words in done.stderr) == (1, True), done.stderr
        assert done.stderr.startswith("leitong: ") and not (tmp_path / "o.npy").exists()


def test_a_package_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "one"}\n')
    hidden = "import sys; sys.modules['gensim'] = None; sys.argv[1:] = ['train', '--vectors', 'a.jsonl', '-o', 'o.npy']; import leitong.__main__ as it; it.main()"
    done = subprocess.run([sys.executable, "-c", hidden], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "leitong: vectors of texts need the package gensim: pip install 'leitong[vectors,zh]'\n")
