"""datasketch: MinHash of hashed shingles, MinHashLSH, pairs by estimated Jaccard."""
import numpy as np
from datasketch import MinHash, MinHashLSH

from common import arguments, estimates, load, shingle_hashes, write_pairs

source, target, settings = arguments(shingle=5, size=128, bands=64, threshold=0.3)
ids, texts = load(source)
hashes, offsets = shingle_hashes(texts, settings["shingle"])
hashes = (hashes >> np.uint64(32)).astype(np.uint32)
index = MinHashLSH(num_perm=settings["size"], params=(settings["bands"], settings["size"] // settings["bands"]))
template = MinHash(num_perm=settings["size"], hashfunc=int)
first, second, sketches = [], [], []
for number in range(len(ids)):
    sketch = template.copy()
    sketch.update_batch(hashes[int(offsets[number]):int(offsets[number + 1])].tolist())
    for other in index.query(sketch):
        first.append(other)
        second.append(number)
    index.insert(number, sketch, check_duplication=False)
    sketches.append(sketch.hashvalues)
first, second = np.array(first, np.int64), np.array(second, np.int64)
scores = estimates(np.array(sketches), first, second)
similar = scores >= settings["threshold"]
write_pairs(target, ids, first[similar], second[similar], scores[similar])
