"""Parquet in and out by the package.

leitong_parquet.py make INPUT.jsonl INPUT.parquet     writes the same records, zstd
leitong_parquet.py run INPUT.parquet OUTPUT.parquet   removes their near-duplicates
"""
import sys

import leitong.parquet

if sys.argv[1] == "make":
    import pyarrow.json as pj
    import pyarrow.parquet as pq

    pq.write_table(pj.read_json(sys.argv[2], pj.ReadOptions(block_size=1 << 28)), sys.argv[3], compression="zstd")
else:
    leitong.parquet.dedup_files(sys.argv[2], sys.argv[3], overwrite=True, threads=1)
