"""Corpora of near-copies, versions and other works, with truth, and a count of lost text that shares no code with leitong.

The sets lie in the folder `truth` of the developers' sets; nothing of them enters the repository.
"""
import json
import subprocess
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from . import data, paths, score

SETS = ("laws", "manual", "web", "ocr", "licences", "lctt", "poems", "english", "broadcast")
_FILES = {"laws": "laws", "manual": "tidb", "web": "webis", "ocr": "ocr", "licences": "licences"}


@dataclass
class Truth:
    """A corpus, the work of each text, and pairs that are not scored or were judged by people (0 to 3)."""
    name: str
    documents: Path
    works: dict
    ignored: set = field(default_factory=set)
    labels: dict = field(default_factory=dict)

    def verdict(self, a, b):
        """True: another work. False: the same. None: not scored."""
        pair = frozenset((a, b))
        if pair in self.ignored:
            return None
        if self.labels:
            return self.labels[pair] < 1 if pair in self.labels else None
        return self.works.get(a) is None or self.works.get(a) != self.works.get(b)


def sets():
    """Name -> Truth; {} and a loud word where they are not at hand."""
    source = paths.developers_sets()
    if not source or not (source / "truth").is_dir():
        print("!! the sets with truth are not here (set LEITONG_BENCH_DATA to their folder)")
        return {}
    folder = paths.DATA / "truth"
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for name, stem in _FILES.items():
        documents = folder / f"{stem}.jsonl"
        if not documents.exists():
            text = subprocess.run(["zstd", "-dcq", "--long=27", source / "truth" / f"{stem}.jsonl.zst"], check=True,
                                  capture_output=True).stdout
            documents.write_bytes(text)
        truth = Truth(name, documents, dict(score.rows(source / "truth" / f"{stem}.truth.tsv")))
        ignored, labels = (source / "truth" / f"{stem}.{kind}.tsv" for kind in ("ignore", "labels"))
        if ignored.exists():
            truth.ignored = {frozenset(row[:2]) for row in score.rows(ignored)}
        if labels.exists():
            truth.labels = {frozenset(row[:2]): int(row[2]) for row in score.rows(labels)}
        found[name] = truth
    for name, corpus in data.developers_sets().items():
        if name in SETS:
            found[name] = Truth(name, corpus.documents, corpus.clusters())
    return found


def texts(documents):
    with open(documents, "rb") as file:
        return {record["id"]: record["text"] for record in map(json.loads, file)}


# ---- what is lost, by plain search

RUNS = (8, 24)  # letters that a Chinese text loses in a row, from which they are counted


def letters(text):
    """Letters and digits after compatibility normalisation and folding of case; all else is left out."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def lost(text, kept):
    """Letters of a text, and how many of them stand in runs of RUNS and more that the kept text holds nowhere.

    A letter is there if a stretch of five letters around it stands somewhere in the kept text. Latin letters count half, as
    two of them are one unit; scripts are not folded, so that a traditional text beside a simplified one seems lost.
    """
    of, where = letters(text), letters(kept)
    there = bytearray(len(of))
    if len(of) < 5:
        there = bytearray([of in where] * len(of))
    known = {}
    for i in range(len(of) - 4):
        part = of[i:i + 5]
        if part not in known:
            known[part] = part in where
        if known[part]:
            there[i:i + 5] = b"\1\1\1\1\1"
    weight = [1 if ord(c) >= 0x2e80 else .5 for c in of]
    runs = [0.0] * len(RUNS)
    begin = 0
    while begin < len(of):
        if there[begin]:
            begin += 1
            continue
        end = begin
        while end < len(of) and not there[end]:
            end += 1
        length = sum(weight[begin:end])
        for i, least in enumerate(RUNS):
            if length >= least:
                runs[i] += length
        begin = end
    return sum(weight), *runs
