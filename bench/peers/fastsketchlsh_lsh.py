"""FastSketchLSH: fast similarity sketches of hashed shingles, its LSH index, pairs by estimated Jaccard."""
import numpy as np
from FastSketchLSH import LSH, FastSimilaritySketch

from common import arguments, estimates, load, shingle_hash_parts, write_pairs

source, target, settings = arguments(shingle=5, size=128, bands=64, threshold=0.3)
ids, texts = load(source)
sketcher = FastSimilaritySketch(size=settings["size"], seed=42)
sketches = np.concatenate([sketcher.batch_csr(hashes, offsets, prehashed=True, num_threads=1)
                           for hashes, offsets in shingle_hash_parts(texts, settings["shingle"])])
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
