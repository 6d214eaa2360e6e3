"""The online index beside what else one would take: datasketch's LSH on Redis, PostgreSQL with pg_trgm, keys as rows of RocksDB,
FAISS for fingerprints. All see the same texts in the same order, and keep what is new."""
import json
import shutil
import tempfile
from pathlib import Path

from . import data, environment, measure, paths, score, servers

SETS = ("lctt", "poems", "english")
THRESHOLDS = (.3, .5, .7)
# So many documents of a set are taken, the first ones: these peers are slow.
TEXTS = {"online_datasketch": 2_000, "online_trgm": 300}


def printed(command, options):
    with tempfile.NamedTemporaryFile(dir=paths.WORK) as out:
        measure.run(command, cores=options.cores, stdout=out.name)
        return [json.loads(line) for line in Path(out.name).read_text().splitlines()]


def begin_of(corpus, count):
    """The first documents of a set, and the truth about them."""
    documents, gold = (paths.DATA / f"online-peers-{corpus.name}.{kind}" for kind in ("jsonl", "gold.tsv"))
    documents.parent.mkdir(parents=True, exist_ok=True)
    with open(corpus.documents, encoding="utf-8") as lines, open(documents, "w", encoding="utf-8") as out:
        ids = set()
        for _, line in zip(range(count), lines):
            out.write(line)
            ids.add(json.loads(line)["id"])
    clusters = {identity: cluster for identity, cluster in corpus.clusters().items() if identity in ids}
    gold.write_text("".join(f"{identity}\t{cluster}\n" for identity, cluster in clusters.items()), encoding="utf-8")
    return documents, gold, clusters


def best_of_thresholds(adapter, server, documents, clusters, options):
    """The peer with the threshold that serves it best on this very set, each time on a server of its own."""
    best = None
    for threshold in THRESHOLDS:
        with server() as port, tempfile.NamedTemporaryFile(dir=paths.WORK) as out:
            row = printed([environment.ONLINE_VENV / "bin" / "python", environment.PEERS / f"{adapter}.py", documents, out.name,
                           f"port={port}", f"threshold={threshold}"], options)[0]
            row |= {"f1": score.cluster_scores(score.read_clusters(out.name), clusters)["f1"], "threshold": threshold}
        if best is None or row["f1"] > best["f1"]:
            best = row
    return best


def ours(run, options, documents, gold, batch, place):
    return run(options, documents, "--place", place, "--batch", batch, "--threads", 1, "--durability", "none", "--verdicts", "--truth", gold)


def texts(row, options, sets, run):
    """Rows of the peers that take texts; ours is asked one by one as they are, and in batches."""
    peers = {"datasketch, MinHashLSH on Redis": ("online_datasketch", servers.redis, shutil.which("redis-server")),
             "PostgreSQL, pg_trgm (GIN)": ("online_trgm", servers.postgres, servers.postgres_programs())}
    table = []
    for peer, (adapter, server, there) in peers.items():
        if not there:
            print(f"!! {peer} CANNOT BE HAD: its server is not installed", flush=True)
            continue
        for name in SETS:
            def measured(adapter=adapter, server=server, name=name):
                documents, gold, clusters = begin_of(sets[name], 200 if options.smoke else TEXTS[adapter])
                result = {"peer": best_of_thresholds(adapter, server, documents, clusters, options)}
                for batch in (1, 1000):
                    with tempfile.TemporaryDirectory(dir=paths.WORK) as folder, servers.redis() as port:
                        place = f"redis://127.0.0.1:{port}/bench" if server is servers.redis else Path(folder) / "index"
                        result[f"ours {batch}"] = ours(run, options, documents, gold, batch, place)
                return result
            found = row(f"peers | {peer} | {name}", measured)
            if "failed" not in found:
                peer_row, one, many = found["peer"], found["ours 1"], found["ours 1000"]
                table.append([f"{peer}, {peer_row['threshold']}", name, f"{peer_row['texts']:,}", f"{peer_row['f1']:.4f}", f"{one['f1']:.4f}",
                              f"{peer_row['texts_a_second']:,.0f}", f"{one['texts_a_second']:,.0f}", f"{many['texts_a_second']:,.0f}",
                              f"{one['texts_a_second'] / peer_row['texts_a_second']:.0f}, {many['texts_a_second'] / peer_row['texts_a_second']:.0f}"])
    return ("Beside others that take texts: asked about, then added if new", ["peer, threshold", "set", "texts", "F1", "our F1",
            "texts a second", "ours, one by one", "ours, in batches", "times"], table,
            "Each peer has the threshold that serves it best on this very set. Ours in the same home: a Redis server, or a folder.")


def rocksdb(row, options, run):
    """Keys as rows of RocksDB, without texts and comparisons, beside all that the index does."""
    count, table = options.texts // 5, []
    for size, plan, documents in ((340, "short-10m", options.texts), (5000, "long-100k", options.texts // 10)):
        def measured(plan=plan, documents=documents):
            file, limit, result = data.generated(plan, documents=documents).documents, min(count, documents), {}
            for layout in ("merge", "prefix"):
                with tempfile.TemporaryDirectory(dir=paths.WORK) as folder:
                    result[layout] = printed([paths.RELEASE / "bench" / "posting_rows", file, Path(folder) / "rows", layout, "--limit",
                                              limit], options)[0]
            with tempfile.TemporaryDirectory(dir=paths.WORK) as folder:
                result["ours"] = run(options, file, "--place", Path(folder) / "index", "--limit", limit, "--threads", 1)
            return result
        found = row(f"peers | RocksDB rows | {size}", measured)
        if "failed" not in found:
            own = found["ours"]
            for layout in ("merge", "prefix"):
                peer = found[layout]
                table.append([layout, size, f"{peer['texts']:,}", f"{peer['texts_a_second']:,.0f}", f"{peer['bytes_a_text']:.0f}",
                              f"{own['texts_a_second']:,.0f}", f"{own['segment_bytes'] / own['texts']:.0f}",
                              f"{own['texts_a_second'] / peer['texts_a_second']:.2f}"])
    return ("Beside keys as rows of RocksDB, which keep no text and compare nothing", ["rows", "bytes", "texts", "texts a second",
            "bytes a text", "all of ours, texts a second", "its segments, bytes a text", "times"], table,
            "merge: a row a key, to which an operator appends. prefix: a row for each key and text.")


def faiss(row, options):
    """Binary indexes of FAISS on as many fingerprints as ours has in memory."""
    table = []
    for distance in (3, 10):
        def measured(distance=distance):
            own = printed([paths.RELEASE / "bench" / "fingerprint_index_bench", "--rows", options.texts, "--distance", distance], options)[0]
            return {"ours": own, "peers": printed([environment.ONLINE_VENV / "bin" / "python", environment.PEERS / "online_faiss.py",
                                                   options.texts, distance], options)}
        found = row(f"peers | FAISS | distance {distance}", measured)
        if "failed" not in found:
            own = found["ours"]
            for peer in found["peers"]:
                table.append([peer["name"], distance, f"{peer['rows']:,}", f"{peer['found']:.4f}", f"{peer['checks_a_second']:,.0f}",
                              f"{own['checks_a_second']:,.0f}", f"{own['checks_a_second'] / peer['checks_a_second']:.1f}"])
    return ("Beside FAISS, fingerprints of 64 bits, one thread, in memory", ["its index", "distance", "fingerprints", "it finds",
            "its checks a second", "ours", "times"], table, None)


def tables(row, options, sets, run):
    environment.prepare_online()
    return [texts(row, options, sets, run), rocksdb(row, options, run), faiss(row, options)]
