"""leitong and other programs side by side: the same JSONL, one core, each peer with its best setting."""
import json

from . import archive as archives
from . import data, environment, leitong, measure, paths, score

SETTINGS = environment.PEERS / "settings.json"
GENERATED = ("articles-100k", "edits-20k")
# 5 GB: only by request, with one setting of each peer, and without those that would take hours.
LARGE = {"articles-1m": ("articles-100k", 1_000_000)}
CORPORA = ("lctt", "poems", "english", *GENERATED)
EQUAL = .0005  # F1 that differ by less count as equal


def corpora(options):
    sets = data.developers_sets(options.smoke)
    chosen = {name: sets[name] for name in options.sets if name in sets}
    chosen |= {name: data.generated(name, documents=500 if options.smoke else None)
               for name in GENERATED if name in options.sets}
    chosen |= {name: data.generated(plan, documents=500 if options.smoke else documents)
               for name, (plan, documents) in LARGE.items() if name in options.sets}
    return chosen


def settings_of(peer, name):
    """The settings that the search found for a peer, by variant."""
    if name not in LARGE:
        return peer.get(name, {})
    found = peer.get(LARGE[name][0], {})
    variant = "even" if "even" in found else "best"
    return {variant: found[variant]} if variant in found and not found[variant].get("slow") else {}


def run_peer(command, corpus, settings, repeats=1, cores=(0,), timeout=7200):
    """Measures and scores one peer; its output is left beside."""
    output = paths.WORK / "out" / f"peer-{corpus.name}.tsv"
    output.parent.mkdir(parents=True, exist_ok=True)
    output.unlink(missing_ok=True)
    whole = [*command, corpus.documents, output, *(f"{key}={value}" for key, value in settings.items())]
    result = measure.best_of(repeats, whole, env=measure.ONE_THREAD, cores=cores, timeout=timeout)
    with open(output, encoding="utf-8") as file:
        as_clusters = file.readline().startswith("id\tcluster")
    gold = corpus.clusters()
    scores = (score.cluster_scores(score.read_clusters(output), gold) if as_clusters
              else score.pair_scores(score.read_pairs(output), gold))
    return result | {"settings": settings, "output": "clusters" if as_clusters else "pairs", "bytes": corpus.bytes,
                     "documents": corpus.count, "pairs": scores}


def run(archive, options):
    commands, missing = environment.prepare()
    settings = json.loads(SETTINGS.read_text())
    pinned = archives.digest(environment.PEERS / "requirements.txt", environment.PEERS / "gaoya" / "Cargo.lock",
                             *sorted(environment.PEERS.glob("*.py")), environment.PEERS / "simhash_jieba.cpp")
    for name, corpus in corpora(options).items():
        size = (corpus.count, corpus.bytes, options.repeats)

        def own(*flags, corpus=corpus, name=name):
            folder = paths.WORK / "out" / f"peers-{name}"
            result = leitong.dedup([corpus.documents], folder, *flags, repeats=options.repeats, cores=options.core)
            pairs = score.read_leitong_pairs(folder / "pairs.tsv")
            return result | {"output": "pairs", "bytes": corpus.bytes, "documents": corpus.count, "settings": {},
                             "pairs": score.pair_scores(pairs, corpus.clusters())}

        archive.row(f"{name} | leitong", leitong.stamp("peers", size), own)
        if name in LARGE:  # where memory is free, a run takes up to half of it
            archive.row(f"{name} | leitong, --memory 1G", leitong.stamp("peers 1G", size), lambda own=own: own("--memory", "1G"))
        for peer, command in commands.items():
            chosen_settings = settings_of(settings.get(peer, {}), name)
            if not chosen_settings:
                why = "takes hours" if name in LARGE else "no settings: run bench/peers/tune.py"
                missing[f"{peer} on {name}"] = why
                print(f"!! {peer} on {name}: {why}", flush=True)
                continue
            for variant, chosen in chosen_settings.items():
                # A peer that takes minutes is not made to take them again and again.
                repeats = 1 if chosen.get("slow") else options.repeats
                values = {key: value for key, value in chosen.items() if key != "slow"}
                archive.row(f"{name} | {peer}{'' if variant == 'best' else f', {variant}'}",
                            archives.digest(pinned, values, size),
                            lambda command=command, corpus=corpus, values=values, repeats=repeats:
                            run_peer(command, corpus, values, repeats, options.core))
    archive.content["missing"] = missing
    archive.save()
    table(archive)


def table(archive):
    sections = []
    for name in (*CORPORA, *LARGE):
        rows = {key.partition(" | ")[2]: row for key, row in archive.rows.items()
                if key.startswith(f"{name} | ") and "failed" not in row}
        if "leitong" not in rows:
            continue
        own = rows["leitong"]
        lines = []
        for label, row in sorted(rows.items(), key=lambda item: item[1]["cpu_seconds"]):
            settings = ", ".join(f"{key} {value}" for key, value in row["settings"].items()) or "default"
            lines.append([f"**{label}**" if label.startswith("leitong") else label, f"{row['pairs']['precision']:.4f}",
                          f"{row['pairs']['recall']:.4f}", f"{row['pairs']['f1']:.4f}", f"{row['seconds']:.2f}",
                          f"{row['cpu_seconds']:.2f}", f"{row['bytes'] / 1e6 / row['cpu_seconds']:.1f}",
                          f"{row['peak_bytes'] / 1e6:.0f}",
                          f"{row['cpu_seconds'] / own['cpu_seconds']:.1f}", settings])
        rivals = {label: row for label, row in rows.items()
                  if not label.startswith("leitong") and row["pairs"]["f1"] >= own["pairs"]["f1"] - EQUAL}
        if rivals:
            label, best = min(rivals.items(), key=lambda item: item[1]["cpu_seconds"])
            note = (f"Fastest peer of equal or better F1: {label}, with "
                    f"{best['cpu_seconds'] / own['cpu_seconds']:.1f} times leitong's time.")
        else:
            note = "No peer reaches leitong's F1."
        sections.append((f"{name}: {own['documents']:,} documents, {own['bytes'] / 1e6:.0f} MB of JSONL",
                         ["program", "P", "R", "F1 (pairs)", "s", "CPU s", "MB/s", "RSS MB", "CPU / leitong", "setting"],
                         lines, note))
    absent = archive.content.get("missing")
    if absent:
        sections.append(("Could not be had", ["peer", "why"], sorted(absent.items()), None))
    archive.write_table("leitong and its peers, one core, JSONL to pairs or clusters", sections)
