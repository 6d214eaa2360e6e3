"""FAISS's binary indexes on random fingerprints of 64 bits: additions and questions a second of one core.

usage: online_faiss.py ROWS DISTANCE

Half of those that are asked about are neighbours of what is held, within the distance; `found` of these are found. The hash
tables get as many bits as there are rows. Prints one JSON object a line.
"""
import json
import sys
import time

import faiss
import numpy as np

BATCH, ASKED, SECONDS = 1000, 200_000, 20.0
rows, distance = int(sys.argv[1]), int(sys.argv[2])
faiss.omp_set_num_threads(1)
random = np.random.default_rng(1)
held = random.integers(0, 256, (rows, 8), np.uint8)
asked = random.integers(0, 256, (ASKED, 8), np.uint8)
near = random.integers(0, rows, ASKED // 2)
bits = np.unpackbits(held[near], axis=1)
for _ in range(distance):
    bits[np.arange(len(bits)), random.integers(0, 64, len(bits))] ^= 1
asked[::2] = np.packbits(bits, axis=1)


def measure(name, index):
    begun = time.process_time()
    for first in range(0, rows, BATCH * 100):
        index.add(held[first:first + BATCH * 100])
    added = time.process_time() - begun
    begun, count, found = time.process_time(), 0, 0
    while count < ASKED and time.process_time() - begun < SECONDS:
        batch = asked[count:count + BATCH // 10]
        limits, _, _ = index.range_search(batch, distance + 1)  # the radius is exclusive
        found += int((np.diff(limits.astype(np.int64))[::2] > 0).sum())
        count += len(batch)
    seconds = time.process_time() - begun
    print(json.dumps({"name": name, "rows": rows, "adds_a_second": rows / added, "checks_a_second": count / seconds,
                      "found": found / (count / 2)}), flush=True)


# Four tables of 16 bits: of three bits that differ one table has none (5-10 tables of fewer bits find the same, slower).
if distance < 4:
    multi = faiss.IndexBinaryMultiHash(64, 4, 16)
    multi.nflip = 0
    measure("IndexBinaryMultiHash, 4 tables of 16 bits", multi)
table = faiss.IndexBinaryHash(64, max(8, rows.bit_length() - 2))
table.nflip = distance
measure("IndexBinaryHash", table)
measure("IndexBinaryFlat", faiss.IndexBinaryFlat(64))
