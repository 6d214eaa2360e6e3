"""leitong as a package: leitong.dedup of the texts, and all its pairs.

It reports a copy with the first of its kind alone; here all copies are written out, since the other peers report them all.
"""
import collections
import itertools

import numpy as np

import leitong

from common import arguments, load, write_pairs

source, target, _ = arguments()
ids, texts = load(source)
result = leitong.dedup(texts, threads=1)
pairs = result.pairs
occurrences = np.bincount(np.concatenate([pairs["a"], pairs["b"]]), minlength=len(texts))
is_copy = (pairs["jaccard"] == 1) & (occurrences[pairs["b"]] == 1)
kind = collections.defaultdict(list)
for first, copy in pairs[is_copy][["a", "b"]].tolist():
    kind[first].append(copy)
written = []
for first, copies in kind.items():
    written += [(a, b, 1.0) for a, b in itertools.combinations([first, *copies], 2)]
for a, b, jaccard in pairs[~is_copy][["a", "b", "jaccard"]].tolist():
    written += [(x, y, jaccard) for x in (a, *kind.get(a, ())) for y in (b, *kind.get(b, ()))]
first, second, scores = map(np.array, zip(*written)) if written else (np.empty(0, int),) * 3
write_pairs(target, ids, first, second, scores)
