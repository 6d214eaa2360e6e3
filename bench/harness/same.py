"""Same bytes out: for one and two threads, on lesser processors, from a pipe, under a memory limit; the same records and
pairs for any order of files."""
from . import data, growth, leitong, paths, score


def run(archive, options):
    sets = data.developers_sets(options.smoke)
    corpora = {"mix": sets["mix"]} if sets else {}
    corpora["growth-20k"] = data.generated("growth-20k", documents=growth.SMOKE_DOCUMENTS if options.smoke else None)
    for name, corpus in corpora.items():
        def work(corpus=corpus):
            folder = paths.WORK / "out" / f"same-{corpus.name}"
            base = leitong.dedup([corpus.documents], folder)
            expected = leitong.digests(folder)
            answers = {}

            def compare(label, run, outputs=leitong.OUTPUTS):
                run()
                found = leitong.digests(folder, outputs)
                answers[label] = [output for output in outputs if found[output] != expected[output]]

            compare("two threads", lambda: leitong.dedup([corpus.documents], folder, threads=2, cores=(0, 1)))
            for level in ("scalar", "avx2"):
                compare(level, lambda level=level: leitong.dedup([corpus.documents], folder, env={"LEITONG_SIMD": level}))
            compare("low memory", lambda: leitong.dedup([corpus.documents], folder, "--memory",
                                                        growth.low_memory(corpus.count)))

            def piped():
                with open(corpus.documents, "rb") as file:
                    leitong.dedup(["-"], folder, stdin=file)
            # A place in the outputs names its source, so only what holds no place is compared.
            compare("from a pipe", piped, ("kept.jsonl", "pairs.tsv", "clusters.tsv", "components.tsv"))
            answers["order of files"] = order_of_files(corpus, folder)
            return base | {"documents": corpus.count, "bytes": corpus.bytes, "different": answers}

        archive.row(name, leitong.stamp("same", corpus.count, corpus.bytes), work)
    labels = ["two threads", "scalar", "avx2", "low memory", "from a pipe", "order of files"]
    lines = [[name, row["documents"], *("same" if not row["different"].get(label) else
                                        "**DIFFERENT**: " + ", ".join(row["different"][label]) for label in labels)]
             for name, row in archive.rows.items() if "failed" not in row]
    archive.write_table("Same bytes out", [(None, ["corpus", "documents", *labels], lines, None)])


def order_of_files(corpus, folder):
    """Halves of the corpus in both orders: which of the outputs differ as sets."""
    lines = corpus.documents.read_bytes().splitlines(keepends=True)
    halves = [paths.WORK / "out" / f"same-{corpus.name}-{half}.jsonl" for half in "ab"]
    halves[0].write_bytes(b"".join(lines[:len(lines) // 2]))
    halves[1].write_bytes(b"".join(lines[len(lines) // 2:]))
    seen = []
    for order in (halves, halves[::-1]):
        leitong.dedup(order, folder)
        seen.append({"pairs.tsv": score.read_leitong_pairs(folder / "pairs.tsv"),
                     "components.tsv": score.cluster_pairs(score.read_clusters(folder / "components.tsv"))})
    return [output for output in seen[0] if seen[0][output] != seen[1][output]]
