"""Segmentation and text to SimHash beside cppjieba: segment_bench on the Chinese sets and the English one."""
import json

from . import archive as archives
from . import data, measure, paths

PROGRAM = paths.RELEASE / "bench" / "segment_bench"
LEVELS = ("scalar", "avx2", "avx512")


def run(archive, options):
    sets = data.developers_sets(options.smoke)
    for name in ("poems", "lctt", "broadcast", "english"):
        if name not in sets:
            continue

        def work(corpus=sets[name]):
            report = paths.WORK / "out" / "segment.json"
            report.parent.mkdir(parents=True, exist_ok=True)
            result = measure.run([PROGRAM, corpus.documents, "--repeats", 1 if options.smoke else 3], cores=options.core,
                                 stdout=report)
            return result | json.loads(report.read_text())

        archive.row(name, archives.digest(PROGRAM, sets[name].count, sets[name].bytes), work)
    table(archive)


def table(archive):
    lines, notes = [], set()
    for name, row in archive.rows.items():
        if "failed" in row:
            continue
        notes.add(f"Model: {row['model_bytes'] / 1e6:.1f} MB, opened in {row['model_open_ms']:.2f} ms; cppjieba loads "
                  f"{row['cppjieba_load_ms']:.0f} ms.")
        for job in row["rows"]:
            cells = [f"{job[f'{level}_mb_s']:.0f} (**{job[f'{level}_times']:.1f}**)" if f"{level}_mb_s" in job else ""
                     for level in LEVELS]
            lines.append([name, job["job"], f"{job['bytes'] / 1e6:.1f}", f"{job['cppjieba_mb_s']:.1f}", *cells])
    archive.write_table("Segmentation beside cppjieba, one thread: MB/s of text (times as fast)",
                        [(None, ["texts", "what", "MB", "cppjieba", *LEVELS], lines,
                          "Processor time of the thread; the least of the repeats of each batch of 150 KB, programs by turns. "
                          "Full and search have plain loops only, inside search the cut has kernels. " + " ".join(sorted(notes)))])
