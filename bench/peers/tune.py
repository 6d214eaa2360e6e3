#!/usr/bin/env python3
"""Finds each peer's best settings on the developers' sets and a generated corpus and writes them to settings.json.

For every shingle size, number of hashes and bands a peer runs once without a threshold; since pairs come with estimates, the
best threshold is then found without running again. "best" is the quickest of those within .0005 of the highest F1, "even" the
quickest with about leitong's F1, "quick" the quickest within .02 of the highest; those that are the same are one. Takes an
hour; run it again when a peer's version changes.

    bench/peers/tune.py [PEER..] [--corpus NAME ..]
"""
import argparse
import itertools
import json
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from harness import data, environment, measure, paths, peers, score  # noqa: E402

@dataclass(frozen=True)
class Grid:
    """What is tried on a corpus. Sketches are (hashes, bands)."""
    shingles: tuple
    sketches: tuple
    few: tuple      # sketches for peers that take long
    ngrams: tuple   # of words or Chinese characters, and ..
    bands: tuple    # .. sketches for peers that print clusters only
    even: float     # about leitong's F1
    lowest: float = .1  # no threshold below is looked for


ARTICLES = Grid((3, 4, 5), ((32, 8), (32, 16), (64, 32), (128, 64)), ((32, 16),), (5,), ((112, 28), (120, 24), (128, 16)), .995)
GRIDS = {
    "lctt": Grid((3, 4, 5, 8), ((32, 16), (64, 32), (128, 32), (128, 64)), ((64, 32),), (5,),
                 ((112, 28), (120, 24), (128, 16)), .995),
    "poems": Grid((2, 3), ((32, 16), (64, 32), (128, 64)), ((64, 32), (128, 64)), (2, 3), ((112, 28), (120, 24)), .996),
    "english": Grid((5, 8, 12), ((64, 64), (128, 128), (256, 256)), ((128, 128),), (3, 5), ((112, 14), (120, 40)), .973, .02),
    "articles-100k": ARTICLES,
    "edits-20k": ARTICLES,
}
CLOSE, CLOSER = .02, .0005


def settings_to_try(peer, grid):
    """Without thresholds."""
    if peer.startswith("simhash"):
        return [{"top": top, "distance": 16} for top in (20, 100, 1000)]
    if peer in ("text-dedup", "datatrove"):  # they print clusters, no estimates: bands and rows decide
        return [{"ngram": ngram, "size": size, "bands": bands}
                for ngram, (size, bands) in itertools.product(grid.ngrams, grid.bands)]
    sketches = grid.few if peer in ("datasketch", "rensa") else grid.sketches
    return [{"shingle": shingle, "size": size, "bands": bands}
            for shingle, (size, bands) in itertools.product(grid.shingles, sketches)]


def best_threshold(output, gold):
    """Threshold and F1 of the best cut of a peer's estimates."""
    possible = score.pair_scores(set(), gold)["possible"]
    scored = sorted(((float(row[2]), row[0] in gold and gold.get(row[0]) == gold.get(row[1]))
                     for row in score.rows(output) if row[0] != "id_a"), reverse=True)
    best, true = (0.0, 1.0), 0
    for found, (estimate, right) in enumerate(scored, 1):
        true += right
        if found < len(scored) and scored[found][0] == estimate:
            continue
        best = max(best, (2 * true / (found + possible), estimate))
    return best[1], best[0]


def try_settings(command, corpus, peer, settings, lowest):
    """Settings with their threshold, F1 and seconds."""
    clusters = peer in ("text-dedup", "datatrove")
    trial = settings if clusters or "distance" in settings else {**settings, "threshold": lowest}
    row = peers.run_peer(command, corpus, trial, timeout=600, cores=(0, 1))
    if clusters:
        return {**settings, "f1": row["pairs"]["f1"], "seconds": row["cpu_seconds"]}
    threshold, f1 = best_threshold(paths.WORK / "out" / f"peer-{corpus.name}.tsv", corpus.clusters())
    if "distance" in settings:
        return {**settings, "distance": round((1 - threshold) * 64), "f1": f1, "seconds": row["cpu_seconds"]}
    return {**settings, "threshold": round(threshold - 5e-4, 3), "f1": f1, "seconds": row["cpu_seconds"]}


def choose(tried, even):
    """The settings to archive by name."""
    top = max(one["f1"] for one in tried)
    chosen = {}
    for name, least in (("best", top - CLOSER), ("even", even), ("quick", top - CLOSE)):
        enough = [one for one in tried if one["f1"] >= least]
        if not enough:
            continue
        one = min(enough, key=lambda one: one["seconds"])
        values = {key: value for key, value in one.items() if key not in ("f1", "seconds")}
        if one["seconds"] > 60:
            values["slow"] = True
        if values not in chosen.values():
            chosen[name] = values
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("peers", nargs="*")
    parser.add_argument("--corpus", action="append", choices=peers.CORPORA)
    parser.add_argument("--settings", type=Path, default=peers.SETTINGS, help="the file to write, kept where not tuned")
    options = parser.parse_args()
    commands, _ = environment.prepare()
    sets = data.developers_sets()
    sets |= {name: data.generated(name, documents=10_000) for name in peers.GENERATED}  # parts of them are enough
    known = json.loads(options.settings.read_text()) if options.settings.exists() else {}
    for corpus, peer in itertools.product(options.corpus or peers.CORPORA, options.peers or commands):
        tried = []
        for settings in settings_to_try(peer, GRIDS[corpus]):
            try:
                tried.append(try_settings(commands[peer], sets[corpus], peer, settings, GRIDS[corpus].lowest))
                print(corpus, peer, tried[-1], flush=True)
            except measure.Failed as failure:
                print(corpus, peer, settings, "failed:", failure, flush=True)
        if tried:
            known.setdefault(peer, {})[corpus] = choose(tried, GRIDS[corpus].even)
            options.settings.write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    main()
