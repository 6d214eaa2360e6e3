"""Edit distance of pairs by RapidFuzz's C++ core, as one call: edit.py PAIRS.tsv CUTOFF REPEATS prints nanoseconds a pair
(least of the repeats) and the sum of the distances; cutoff 0 is none."""
import json
import sys
import time

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

source, cutoff, repeats = sys.argv[1], int(sys.argv[2]) or None, int(sys.argv[3])
pairs = [line.rstrip("\n").split("\t") for line in open(source, encoding="utf-8")]
first, second = zip(*pairs)
best = float("inf")
for _ in range(repeats):
    begin = time.perf_counter()
    found = cpdist(first, second, scorer=Levenshtein.distance, score_cutoff=cutoff, dtype=np.int32, workers=1)
    best = min(best, time.perf_counter() - begin)
print(json.dumps({"nanoseconds": best / len(pairs) * 1e9, "sum": int(found.sum())}))
