"""FAISS beside the Hamming index, on the data of `hamming_index_bench --write DIR`: one thread, the same queries.

usage: hamming_faiss.py DIR DISTANCE

Prints one JSON object a line: the index, queries a second, nanoseconds of building and bytes a fingerprint, and a digest of
the hits of the first queries, by which hamming_index_bench's answers are compared with FAISS's.
"""
import json
import resource
import sys
import time
from pathlib import Path

import faiss
import numpy as np

SECONDS = 3.0  # about so long each index is asked
TURNS = 2


def digest(limits, distances, labels):
    """The sum over all hits that hamming_index_bench computes, too."""
    queries = np.repeat(np.arange(len(limits) - 1, dtype=np.uint64), np.diff(limits).astype(np.int64))
    with np.errstate(over="ignore"):
        mixed = (queries + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) ^ labels.astype(np.uint64) * np.uint64(
            0xD6E8FEB86659FD93)
        return int((mixed + distances.astype(np.uint64)).sum())


def bytes_resident():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def ask(index, queries, distance):
    # FAISS's radius of binary indexes is exclusive.
    return index.range_search(queries, distance + 1)


def measure(name, make, fingerprints, queries, distance, checked):
    before = bytes_resident()
    start = time.process_time()
    index = make()
    index.add(fingerprints)
    build = time.process_time() - start
    held = bytes_resident() - before
    answer = ask(index, queries[:checked], distance)
    start = time.process_time()
    ask(index, queries[:8], distance)
    each = max((time.process_time() - start) / 8, 1e-7)
    count = int(min(len(queries), max(8, SECONDS / each)))
    best = min(timed(index, queries[:count], distance) for _ in range(TURNS))
    print(json.dumps({"what": "peer", "name": name, "n": len(fingerprints), "k": distance,
                      "queries_per_second": round(count / best, 1), "queries": count,
                      "build_ns": build / len(fingerprints) * 1e9, "bytes": held / len(fingerprints),
                      "checked": checked, "hits": len(answer[2]), "digest": str(digest(*answer))}), flush=True)


def timed(index, queries, distance):
    start = time.process_time()
    ask(index, queries, distance)
    return time.process_time() - start


def main():
    folder, distance = Path(sys.argv[1]), int(sys.argv[2])
    faiss.omp_set_num_threads(1)
    fingerprints = np.fromfile(folder / "fingerprints.u64", dtype=np.uint8).reshape(-1, 8)
    queries = np.fromfile(folder / "queries.u64", dtype=np.uint8).reshape(-1, 8)
    checked = min(len(queries), 200)
    peers = {"faiss IndexBinaryFlat": lambda: faiss.IndexBinaryFlat(64),
             "faiss IndexBinaryMultiHash 4x16": lambda: faiss.IndexBinaryMultiHash(64, 4, 16)}
    for name, make in peers.items():
        measure(name, make, fingerprints, queries, distance, checked)

    def one_hash():
        index = faiss.IndexBinaryHash(64, 16)
        index.nflip = distance  # all buckets within the distance, or hits would be missed
        return index
    measure("faiss IndexBinaryHash 16", one_hash, fingerprints, queries, distance, checked)


main()
