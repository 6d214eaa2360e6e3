"""Corpora that break similar programs: quadratic groups, templates, one giant text. Each at a quarter of its size too,
so that a time which grows faster than the input shows."""
from . import data, leitong, paths

PLANS = {"identical-1m": 1_000_000, "template-1m": 1_000_000, "edited-10k": 10_000}
GIANT_BYTES = 500_000_000


def run(archive, options):
    outputs = ("kept.jsonl", "pairs.tsv", "clusters.tsv")

    def measure_corpus(corpus, label):
        folder = paths.WORK / "out" / f"stress-{corpus.name}"

        def work():
            result = leitong.dedup([corpus.documents], folder, cores=options.core, outputs=outputs)
            for output in outputs:
                (folder / output).unlink(missing_ok=True)
            return result | {"documents": corpus.count, "bytes": corpus.bytes}

        archive.row(label, leitong.stamp("stress", corpus.count, corpus.bytes), work)

    for plan, documents in PLANS.items():
        for part in (4, 1):
            size = (2_000 if options.smoke else documents) // part
            measure_corpus(data.generated(plan, documents=size), f"{plan} | {'quarter' if part > 1 else 'whole'}")
    for part in (4, 1):
        giant = (4_000_000 if options.smoke else GIANT_BYTES) // part
        corpus = data.generated("giant", documents=1_000 + part, giant_bytes=giant)
        measure_corpus(corpus, f"giant | {'quarter' if part > 1 else 'whole'}")
    table(archive)


def table(archive):
    lines = []
    for plan in (*PLANS, "giant"):
        whole, quarter = (archive.rows.get(f"{plan} | {part}") for part in ("whole", "quarter"))
        if not whole or "failed" in whole:
            continue
        summary = whole["summary"]
        ratio = f"{whole['seconds'] / quarter['seconds']:.1f}" if quarter and "failed" not in quarter else ""
        lines.append([plan, f"{whole['documents']:,}", f"{whole['bytes'] / 1e6:,.0f}", f"{whole['seconds']:.1f}",
                      f"{whole['bytes'] / 1e6 / whole['seconds']:.1f}", ratio, f"{whole['peak_bytes'] / 1e6:,.0f}",
                      f"{summary.get('kept', ''):,}", f"{summary.get('pairs', ''):,}"])
    archive.write_table("Stress", [(None, ["corpus", "documents", "MB (JSONL)", "s", "MB/s", "time / a quarter's", "RSS MB",
                                          "kept", "pairs"], lines,
                                   "One core. A time / a quarter's of 4 is linear growth; the giant's other 1,000 texts stay.")])
