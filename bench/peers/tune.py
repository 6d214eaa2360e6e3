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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from harness import data, environment, measure, paths, peers, score  # noqa: E402

SHINGLES = {"lctt": (3, 4, 5, 8), "poems": (2, 3), "english": (5, 8, 12), "articles-100k": (3, 4, 5)}
NGRAMS = {"lctt": (5,), "poems": (2, 3), "english": (3, 5), "articles-100k": (5,)}
SKETCHES = {"lctt": ((32, 16), (64, 32), (128, 32), (128, 64)), "poems": ((32, 16), (64, 32), (128, 64)),
            "english": ((64, 64), (128, 128), (256, 256)), "articles-100k": ((32, 8), (32, 16), (64, 32), (128, 64))}
FEW = {"lctt": ((64, 32),), "poems": ((64, 32), (128, 64)), "english": ((128, 128),), "articles-100k": ((32, 16),)}
BANDS = {"lctt": ((120, 40), (128, 32)), "poems": ((112, 14), (120, 40), (128, 64)),
         "english": ((112, 14), (120, 40), (128, 64)), "articles-100k": ((120, 40), (128, 32))}
LOWEST = {"lctt": .1, "poems": .1, "english": .02, "articles-100k": .1}  # no threshold below is looked for
EVEN = {"lctt": .995, "poems": .996, "english": .973, "articles-100k": .995}  # about what leitong reaches
CLOSE, CLOSER = .02, .0005


def grid(peer, corpus):
    """The settings to try, without thresholds."""
    if peer.startswith("simhash"):
        return [{"top": top, "distance": 16} for top in (20, 100, 1000)]
    if peer in ("text-dedup", "datatrove"):  # they print clusters, no estimates: bands and rows decide
        return [{"ngram": ngram, "size": size, "bands": bands}
                for ngram, (size, bands) in itertools.product(NGRAMS[corpus], BANDS[corpus])]
    sketches = FEW if peer in ("datasketch", "rensa") else SKETCHES
    found = [{"shingle": shingle, "size": size, "bands": bands}
             for shingle, (size, bands) in itertools.product(SHINGLES[corpus], sketches[corpus])]
    return found


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


def try_settings(command, corpus, peer, settings):
    """Settings with their threshold, F1 and seconds."""
    clusters = peer in ("text-dedup", "datatrove")
    trial = settings if clusters or "distance" in settings else {**settings, "threshold": LOWEST[corpus.name.removesuffix("-10000")]}
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
    # Settings for large articles are found on a tenth of them.
    sets["articles-100k"] = data.generated("articles-100k", documents=10_000)
    known = json.loads(options.settings.read_text()) if options.settings.exists() else {}
    for corpus, peer in itertools.product(options.corpus or peers.CORPORA, options.peers or commands):
        tried = []
        for settings in grid(peer, corpus):
            try:
                tried.append(try_settings(commands[peer], sets[corpus], peer, settings))
                print(corpus, peer, tried[-1], flush=True)
            except measure.Failed as failure:
                print(corpus, peer, settings, "failed:", failure, flush=True)
        if tried:
            known.setdefault(peer, {})[corpus] = choose(tried, EVEN[corpus])
            options.settings.write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    main()
