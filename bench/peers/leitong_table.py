"""leitong.dedup of texts that lie in memory as an Arrow table.

leitong_table.py make INPUT.jsonl TABLE.arrow     writes the table
leitong_table.py time TABLE.arrow REPEATS         JSON on stdout: the least seconds and processor seconds
"""
import json
import sys
import time

import pyarrow as pa

import leitong

if sys.argv[1] == "make":
    import orjson

    with open(sys.argv[2], "rb") as lines:
        records = [orjson.loads(line) for line in lines]
    table = pa.table({name: pa.array([record[name] for record in records], pa.large_string()) for name in ("id", "text")})
    with pa.ipc.new_file(sys.argv[3], table.schema) as file:
        file.write_table(table)
else:
    with pa.ipc.open_file(sys.argv[2]) as file:
        table = file.read_all()
    seconds, cpu_seconds = [], []
    for _ in range(int(sys.argv[3])):
        begin, cpu_begin = time.perf_counter(), time.process_time()
        result = leitong.dedup(table, threads=1, measure_recall=False)
        kept = len(result.kept_positions)
        seconds.append(time.perf_counter() - begin)
        cpu_seconds.append(time.process_time() - cpu_begin)
        pairs = len(result.pairs)
        del result  # as the engine's: the next run finds its memory
    print(json.dumps({"seconds": min(seconds), "cpu_seconds": min(cpu_seconds), "kept": kept, "pairs": pairs}))
