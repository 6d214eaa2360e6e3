"""text-dedup: its MinHash program as its users run it, clusters from its union-find.

It splits at everything that is no letter, which makes a Chinese sentence one token: it is given the text with a space
after each character of the scripts without spaces.
"""
import os
import pickle
import re
import subprocess
import sys
import tempfile

import orjson

from common import arguments, load, write_clusters

source, target, settings = arguments(ngram=5, size=128, bands=64)
ids, texts = load(source)
spaceless = re.compile("([\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff])")
with tempfile.TemporaryDirectory(dir=os.path.dirname(target)) as work:
    with open(f"{work}/spaced.jsonl", "wb") as file:
        for text in texts:
            file.write(orjson.dumps({"text": spaceless.sub(r"\1 ", text)}) + b"\n")
    subprocess.run(
        [sys.executable, "-m", "text_dedup.minhash", "--path", "json", "--data_files", f"{work}/spaced.jsonl",
         "--split", "train", "--cache_dir", f"{work}/cache", "--output", f"{work}/out", "--column", "text",
         "--ngram", str(settings["ngram"]), "--min_length", "1", "--num_perm", str(settings["size"]),
         "--b", str(settings["bands"]), "--r", str(settings["size"] // settings["bands"]),
         "--hash_func", "xxh3", "--hash_bits", "32", "--num_proc", "1", "--batch_size", "10000", "--debug"],
        check=True, stdout=sys.stderr, env={**os.environ, "HF_HOME": f"{work}/hf", "HF_HUB_OFFLINE": "1"})
    with open(f"{work}/out/uf.pkl", "rb") as file:
        union = pickle.load(file)
write_clusters(target, ((ids[number], union.find(number)) for number in list(union.parent)))
