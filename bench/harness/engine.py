"""Text in memory to clusters, one core, for each family of kernels: engine_bench on the mix."""
import json

from . import archive as archives
from . import data, measure, paths

PROGRAM = paths.RELEASE / "bench" / "engine_bench"


def run(archive, options):
    sets = data.developers_sets(options.smoke)
    corpora = {name: sets[name] for name in ("mix", "lctt", "poems", "english") if name in sets}
    corpora["growth-20k"] = data.generated("growth-20k", documents=1_000 if options.smoke else None)
    for name, corpus in corpora.items():
        for level in ("avx512", "avx2", "scalar"):
            def work(corpus=corpus, level=level):
                report = paths.WORK / "out" / "engine.json"
                report.parent.mkdir(parents=True, exist_ok=True)
                result = measure.run([PROGRAM, corpus.documents, "--repeats", 2 if options.smoke else 7], cores=options.core,
                                     env={"LEITONG_SIMD": level}, stdout=report)
                return result | json.loads(report.read_text())

            archive.row(f"{name} | {level}", archives.digest(PROGRAM, corpus.count, corpus.bytes), work)
    table(archive)


def table(archive):
    lines = []
    for key, row in archive.rows.items():
        if "failed" in row:
            continue
        name, _, level = key.partition(" | ")
        stages = ", ".join(f"{stage} {seconds:.3f}" for stage, seconds in row["stage_seconds"])
        kernels = level if row["simd"] == level else f"{level} (not here: {row['simd']})"
        lines.append([name, kernels, f"{row['text_bytes'] / 1e6:.1f}",
                      f"{row['seconds']:.3f}", f"{row['cpu_seconds']:.3f}",
                      f"**{row['mb_per_second']:.0f}**", row["pairs"], stages])
    archive.write_table("Text in memory to clusters, one core",
                        [(None, ["corpus", "kernels", "MB of text", "s (least)", "CPU s", "MB/s", "pairs", "stages, s"],
                          lines, None)])
