"""PostgreSQL with pg_trgm and a GIN index: each text is asked about, then added if it is new, one transaction a text.

usage: online_trgm.py INPUT.jsonl OUTPUT.tsv port=PORT [threshold=0.5]

Prints a JSON object; writes the family of each text (id, cluster).
"""
import json
import time

import psycopg

from common import arguments, load, write_clusters

source, target, settings = arguments(port=5432, threshold=0.5)
ids, texts = load(source)
family = []
with psycopg.connect(host="127.0.0.1", port=settings["port"], user="postgres", dbname="postgres", autocommit=True) as server:
    server.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    server.execute("DROP TABLE IF EXISTS texts")
    server.execute("CREATE TABLE texts (number int PRIMARY KEY, text text NOT NULL)")
    server.execute("CREATE INDEX ON texts USING gin (text gin_trgm_ops)")
    server.execute(f"SET pg_trgm.similarity_threshold = {settings['threshold']}")
    server.execute("SET synchronous_commit = off")
    begun = time.perf_counter()
    for number, text in enumerate(texts):
        text = text.replace("\0", " ")
        found = server.execute("SELECT number FROM texts WHERE text %% %s ORDER BY similarity(text, %s) DESC, number LIMIT 1",
                               (text, text)).fetchone()
        if found:
            family.append(family[found[0]])
            continue
        family.append(number)
        server.execute("INSERT INTO texts VALUES (%s, %s)", (number, text))
    seconds = time.perf_counter() - begun
print(json.dumps({"texts": len(ids), "seconds": seconds, "texts_a_second": len(ids) / seconds}))
write_clusters(target, zip(ids, family))
