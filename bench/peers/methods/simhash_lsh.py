"""simhash: its own features, its index, pairs by distance: simhash_lsh.py INPUT.jsonl OUTPUT.tsv distance=K"""
import logging
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import arguments, load  # noqa: E402
from simhash import SimhashIndex  # noqa: E402
from simhash_text import simhash  # noqa: E402

logging.disable()
source, target, settings = arguments(distance=3)
ids, texts = load(source)
index = SimhashIndex([], k=settings["distance"])
with open(target, "w", encoding="utf-8") as file:
    file.write("id_a\tid_b\testimate\n")
    for identity, text in zip(ids, texts):
        signature = simhash(text)
        file.writelines(f"{other}\t{identity}\t1\n" for other in index.get_near_dups(signature))
        index.add(identity, signature)
