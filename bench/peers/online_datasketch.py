"""datasketch's MinHashLSH with its buckets on a Redis server: each text is asked about, then added if it is new.

usage: online_datasketch.py INPUT.jsonl OUTPUT.tsv port=PORT [shingle=5] [size=128] [threshold=0.5]

The signatures, by which candidates are compared, stay in memory, since datasketch stores none. Prints a JSON object; writes
the family of each text (id, cluster).
"""
import json
import time

import numpy as np
from datasketch import MinHash, MinHashLSH

from common import arguments, load, shingle_hashes, write_clusters

source, target, settings = arguments(port=6379, shingle=5, size=128, threshold=0.5)
ids, texts = load(source)
index = MinHashLSH(threshold=settings["threshold"], num_perm=settings["size"],
                   storage_config={"type": "redis", "basename": b"bench",
                                   "redis": {"host": "127.0.0.1", "port": settings["port"]}})
template = MinHash(num_perm=settings["size"], hashfunc=int)
begun, used = time.perf_counter(), time.process_time()
hashes, offsets = shingle_hashes(texts, settings["shingle"])
hashes = (hashes >> np.uint64(32)).astype(np.uint32)
family, sketches = [], {}
for number in range(len(ids)):
    sketch = template.copy()
    sketch.update_batch(hashes[int(offsets[number]):int(offsets[number + 1])].tolist())
    likely = [(float((sketch.hashvalues == sketches[other]).mean()), -other) for other in index.query(sketch)]
    score, first = max(likely, default=(0.0, 0))
    if score >= settings["threshold"]:
        family.append(family[-first])
        continue
    family.append(number)
    index.insert(number, sketch, check_duplication=False)
    sketches[number] = sketch.hashvalues
seconds = time.perf_counter() - begun
print(json.dumps({"texts": len(ids), "seconds": seconds, "cpu_seconds": time.process_time() - used,
                  "texts_a_second": len(ids) / seconds}))
write_clusters(target, zip(ids, family))
