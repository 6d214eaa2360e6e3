"""FastSketchLSH: fast similarity sketches of hashed shingles, its LSH index, pairs by estimated Jaccard."""
import numpy as np
from FastSketchLSH import LSH, FastSimilaritySketch

from common import arguments, estimates, load, shingle_hashes, write_pairs

source, target, settings = arguments(shingle=5, size=128, bands=64, threshold=0.3)
ids, texts = load(source)
hashes, offsets = shingle_hashes(texts, settings["shingle"])
sketches = FastSimilaritySketch(size=settings["size"], seed=42).batch_csr(hashes, offsets, prehashed=True, num_threads=1)
index = LSH(num_perm=settings["size"], num_bands=settings["bands"], num_threads=1)
index.insert(sketches)
found, bounds = index.query(sketches, format="csr")
second = np.asarray(found, np.int64)
first = np.repeat(np.arange(len(ids)), np.diff(np.asarray(bounds, np.int64)))
once = first < second
first, second = first[once], second[once]
scores = estimates(sketches, first, second)
similar = scores >= settings["threshold"]
write_pairs(target, ids, first[similar], second[similar], scores[similar])
