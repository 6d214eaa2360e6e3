"""rensa: RMinHash sketches of hashed shingles, pairs by estimated Jaccard. (Its Rho sketches lose a point of F1 on poems
and nearly everything on long texts.)

RMinHashLSH answers for a matrix of sketches only *whether* a row has a duplicate, not which, and takes one Python
object a document for the rest; rows that have none are dropped by it, the bands of the others are joined in numpy.
"""
import numpy as np
from rensa import RMinHash, RMinHashLSH

from common import arguments, estimates, load, shingle_hashes, write_pairs

source, target, settings = arguments(shingle=5, size=128, bands=64, threshold=0.3)
ids, texts = load(source)
hashes, offsets = shingle_hashes(texts, settings["shingle"])
matrix = RMinHash.digest_matrix_from_flat_token_hashes(hashes, offsets, settings["size"], 42)
index = RMinHashLSH(threshold=settings["threshold"], num_perm=settings["size"], num_bands=settings["bands"])
flags = np.array(index.query_duplicate_flags_matrix_one_shot(matrix), bool)
rows = np.flatnonzero(flags)
sketches = np.array(matrix.to_rows(), np.uint32)[rows]

pairs = [np.empty(0, np.int64)]
width = settings["size"] // settings["bands"]
for band in range(settings["bands"]):
    part = np.ascontiguousarray(sketches[:, band * width:(band + 1) * width])
    keys = part.view(np.dtype((np.void, part.itemsize * width))).ravel()
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.r_[True, keys[order][1:] != keys[order][:-1]])
    sizes = np.diff(np.r_[starts, len(order)])
    for size in np.unique(sizes[sizes > 1]):
        groups = np.sort(order[starts[sizes == size][:, None] + np.arange(size)], axis=1)
        a, b = np.triu_indices(size, 1)
        pairs.append((groups[:, a] * len(rows) + groups[:, b]).ravel())
pairs = np.unique(np.concatenate(pairs))
first, second = pairs // max(len(rows), 1), pairs % max(len(rows), 1)
scores = estimates(sketches, first, second)
similar = scores >= settings["threshold"]
write_pairs(target, ids, rows[first[similar]], rows[second[similar]], scores[similar])
