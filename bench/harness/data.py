"""Inputs: the developers' sets made plain, their mix, and generated corpora."""
import collections
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import archive, measure, paths, score


@dataclass(frozen=True)
class Set:
    """A corpus as one JSONL file (id, text) with, where known, its truth as clusters."""
    name: str
    documents: Path
    gold: Path | None
    count: int
    bytes: int  # of the file

    def ids(self):
        with open(self.documents, "rb") as file:
            return [json.loads(line)["id"] for line in file]

    def clusters(self):
        return score.read_clusters(self.gold) if self.gold else {}


SETS = {"lctt": "lctt-revisions-zh", "poems": "poem-editions-zh", "english": "article-extractions-en",
        "broadcast": "broadcast-items-zh", "paws": "pawsx-scrambled-zh"}


def _made(name, documents, gold):
    with open(documents, "rb") as file:
        count = sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
    return Set(name, documents, gold if gold and gold.exists() else None, count, documents.stat().st_size)


def developers_sets(smoke=False):
    """Name -> Set of the five sets and "mix", all of them in one file; {} where they are not at hand. `smoke` keeps 400
    documents of each."""
    source = paths.developers_sets()
    if not source:
        print("!! the developers' sets are not here (set LEITONG_BENCH_DATA to their folder): their rows are left out")
        return {}
    folder = paths.DATA / ("smoke" if smoke else "sets")
    folder.mkdir(parents=True, exist_ok=True)
    sets = {}
    for name, stem in SETS.items():
        documents, gold = folder / f"{name}.jsonl", folder / f"{name}.gold.tsv"
        if not documents.exists():
            text = subprocess.run(["zstd", "-dcq", "--long=27", source / f"{stem}.docs.jsonl.zst"], check=True,
                                  capture_output=True).stdout
            _write(documents, b"".join(text.splitlines(keepends=True)[:400]) if smoke else text)
            truth = source / f"{stem}.clusters.tsv"
            if truth.exists():
                known = set(_made(name, documents, None).ids())
                _write(gold, "".join(f"{identity}\t{name}-{cluster}\n" for identity, cluster in score.rows(truth)
                                     if identity in known).encode())
        sets[name] = _made(name, documents, gold)
    documents, gold = folder / "mix.jsonl", folder / "mix.gold.tsv"
    if not documents.exists():
        _write(gold, b"".join(one.gold.read_bytes() for one in sets.values() if one.gold))
        _write(documents, b"".join(one.documents.read_bytes() for one in sets.values()))
    sets["mix"] = _made("mix", documents, gold)
    return sets


def _write(path, content):
    temporary = path.with_name(path.name + ".new")
    temporary.write_bytes(content)
    temporary.replace(path)


def _training_text():
    """Real text for the generator to learn from: one article of each cluster, and the news. Absent without the sets."""
    path = paths.DATA / "training.txt"
    if path.exists():
        return path
    sets = developers_sets()
    if not sets:
        return None
    seen, texts = set(), []
    for name in ("lctt", "broadcast"):
        gold = sets[name].clusters()
        for line in open(sets[name].documents, "rb"):
            record = json.loads(line)
            cluster = gold.get(record["id"], record["id"])
            if cluster not in seen:
                seen.add(cluster)
                texts.append(record["text"])
    _write(path, "\n".join(texts).encode())
    return path


READERS = ("planted_recall", "phrase_growth")  # programs beside make_corpus that read corpora


def generated(plan, documents=None, seed=1, giant_bytes=None):
    """The corpus of a plan of make_corpus; .gold.tsv clusters a source with its copies, .truth.tsv has the copies' kinds."""
    name = plan + (f"-{documents}" if documents else "") + (f"-seed{seed}" if seed != 1 else "")
    training = _training_text()
    folder = paths.DATA / "generated"
    folder.mkdir(parents=True, exist_ok=True)
    target, truth, gold = (folder / f"{name}.{kind}" for kind in ("jsonl", "truth.tsv", "gold.tsv"))
    sources = [path for path in sorted((paths.BENCH / "corpora").glob("*.?pp")) if path.stem not in READERS]
    recipe = archive.digest(*sources, plan, documents, seed, giant_bytes, training)
    made = folder / f"{name}.recipe"
    if not made.exists() or made.read_text() != recipe:
        made.unlink(missing_ok=True)
        if not training:
            print("!! no training text: the corpus is made of made-up words, its figures are not those of real text")
        options = ["--train", training] if training else []
        options += ["--documents", documents] if documents else []
        options += ["--giant-bytes", giant_bytes] if giant_bytes else []
        measure.run([paths.RELEASE / "bench" / "make_corpus", plan, "-o", target, "--truth", truth, "--seed", seed,
                     *options])
        copies = collections.defaultdict(list)
        for copy, source, *_ in score.rows(truth):
            if copy != "copy":
                copies[source].append(copy)
        _write(gold, "".join(f"{identity}\t{source}\n" for source, same in copies.items()
                             for identity in (source, *same)).encode())
        made.write_text(recipe)
    return _made(name, target, gold)


def truth_file(corpus):
    return corpus.documents.with_suffix(".truth.tsv")
