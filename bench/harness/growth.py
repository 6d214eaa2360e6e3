"""How time and memory grow with documents, with and without a memory limit, and recall of planted copies."""
import json

from . import data, leitong, measure, paths

PLANS = ("growth-20k", "growth-100k", "growth-400k", "growth-1m", "growth-2m", "short-10m")
PART_OF = {"growth-1m": ("growth-2m", 1_000_000)}  # plan and documents
SMOKE_DOCUMENTS = 1_000
MIB = 1 << 20


def low_memory(documents):
    """The limit that the project promises: 100 bytes a document and 64 MB."""
    return 100 * documents + 64 * MIB


def recall(corpus, folder, found="pairs.tsv"):
    """Recall of the planted copies that satisfy the rule, by kind, from the slow exact check; `found` may be components."""
    target = folder / "recall.json"
    measure.run([paths.RELEASE / "bench" / "planted_recall", corpus.documents, data.truth_file(corpus),
                 folder / found], stdout=target, cores=range(2))
    return json.loads(target.read_text())


def direct_and_linked(count):
    within = max(count["within"], 1)
    return f"{count['direct'] / within:.4f} / {count['linked'] / within:.4f}"


def own_sample(measured):
    missed = measured["pairs"] - measured["direct"]
    stay = f", both stay in {measured['both_stay']} of {missed}" if missed and "both_stay" in measured else ""
    return f"{measured['direct']} of {measured['pairs']}{stay}"


def run(archive, options):
    for plan in options.plans:
        generator, documents = PART_OF.get(plan, (plan, None))
        corpus = data.generated(generator, SMOKE_DOCUMENTS if options.smoke else documents)
        folder = paths.WORK / "out" / f"growth-{plan}"
        size = (corpus.count, corpus.bytes)
        outputs = ("kept.jsonl", "pairs.tsv", "clusters.tsv")

        def with_default(corpus=corpus, folder=folder):
            result = leitong.dedup([corpus.documents], folder, cores=options.core, outputs=outputs)
            return result | {"documents": corpus.count, "bytes": corpus.bytes, "recall": recall(corpus, folder),
                             "digests": leitong.digests(folder, outputs)}

        def with_limit(corpus=corpus, folder=folder):
            limit = low_memory(corpus.count)
            result = leitong.dedup([corpus.documents], folder, "--memory", limit, cores=options.core, outputs=outputs)
            return result | {"documents": corpus.count, "bytes": corpus.bytes, "limit": limit,
                             "digests": leitong.digests(folder, outputs)}

        archive.row(f"{plan} | default", leitong.stamp("growth", size), with_default)
        archive.row(f"{plan} | low memory", leitong.stamp("growth low", size), with_limit)
        for output in outputs:
            (folder / output).unlink(missing_ok=True)  # gigabytes
    table(archive)


def table(archive):
    rows = {key: row for key, row in archive.rows.items() if "failed" not in row}
    lines, kinds, low = [], [], []
    for plan in PLANS:
        row = rows.get(f"{plan} | default")
        if not row:
            continue
        n, mb, planted = row["documents"], row["bytes"] / 1e6, row["recall"]["total"]
        beyond = row["peak_bytes"] - 128e6
        lines.append([f"{n:,}", f"{mb:,.0f}", f"{row['seconds']:.1f}", f"{mb / row['seconds']:.1f}",
                      f"{row['seconds'] / n * 1e6:.1f}", f"{row['peak_bytes'] / 1e6:,.0f}", f"{row['peak_bytes'] / n:,.0f}",
                      f"{max(beyond, 0) / n:,.0f}", f"{planted['direct'] / max(planted['within'], 1):.4f}",
                      f"{planted['linked'] / max(planted['within'], 1):.4f}", f"{row['recall']['pairs']:,}",
                      f"{row['recall']['largest_component']:,}", f"{row['recall']['between_sources']:,}",
                      own_sample(row["summary"]["recall"])])
        kinds.append([f"{n:,}", *map(direct_and_linked, row["recall"]["kinds"].values())])
        limited = rows.get(f"{plan} | low memory")
        if limited:
            low.append([f"{n:,}", f"{limited['limit'] / 1e6:,.0f}", f"{limited['peak_bytes'] / 1e6:,.0f}",
                        f"{max(limited['peak_bytes'] - 64e6, 0) / n:,.0f}", f"{limited['seconds']:.1f}",
                        f"{limited['seconds'] / row['seconds']:.2f}",
                        "same" if limited["digests"] == row["digests"] else "**DIFFERENT**"])
    first = next((row for row in rows.values() if "recall" in row), None)
    sections = [("Growth", ["documents", "MB (JSONL)", "s", "MB/s", "us a document", "RSS MB", "RSS bytes a document",
                            "beyond 128 MB", "recall direct", "linked", "pairs", "largest component",
                            "pairs between sources", "own sample"], lines,
                 "One core, JSONL to kept, pairs and clusters, one run each. Recall: planted copies that satisfy the rule by "
                 "an exact check; linked: in one component with the source. Own sample: what the run measured itself, pairs of "
                 "all kinds; of the missed ones those of which both texts stay are what is left to remove."),
                ("Low memory (100 bytes a document + 64 MB)", ["documents", "limit MB", "RSS MB",
                 "bytes a document beyond 64 MB", "s", "time / default", "outputs"], low, None)]
    if first:
        sections.insert(1, ("Recall by kind of copy, direct / linked", ["documents", *first["recall"]["kinds"]], kinds, None))
    archive.write_table("Growth", sections)
