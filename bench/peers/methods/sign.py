"""Signatures alone, by datasketch, rensa or simhash: sign.py PEER INPUT.jsonl SHINGLE SIZE. Shingles are hashed in numpy
for those that take hashes; simhash cuts and counts by its own rule (simhash_text.py)."""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import load, shingle_hashes  # noqa: E402

peer, source, shingle, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
_, texts = load(source)
if peer == "simhash":
    from simhash_text import simhash
    signatures = [simhash(text) for text in texts]
else:
    hashes, offsets = shingle_hashes(texts, shingle)
    if peer == "rensa":
        from rensa import RMinHash
        signatures = RMinHash.digest_matrix_from_flat_token_hashes(hashes, offsets, size, 42)
    else:
        from datasketch import MinHash
        hashes = (hashes >> np.uint64(32)).astype(np.uint32)
        template, signatures = MinHash(num_perm=size, hashfunc=int), []
        for i in range(len(texts)):
            signatures.append(template.copy())
            signatures[-1].update_batch(hashes[int(offsets[i]):int(offsets[i + 1])].tolist())
