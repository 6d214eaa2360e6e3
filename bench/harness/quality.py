"""F1 on the developers' sets, alone and in one corpus, and recall against the exact join."""
import json

from . import data, leitong, measure, paths, score

GOLD_SETS = ("lctt", "poems", "english")


def measure_set(corpus, *flags, repeats):
    folder = paths.WORK / "out" / f"quality-{corpus.name}"
    run = leitong.dedup([corpus.documents], folder, *flags, repeats=repeats)
    identities, gold = corpus.ids(), corpus.clusters()
    pairs = score.read_leitong_pairs(folder / "pairs.tsv")
    clusters = score.read_clusters(folder / "clusters.tsv")
    components = score.read_clusters(folder / "components.tsv")
    return run, identities, gold, pairs, clusters, components


def scores(identities, gold, pairs, clusters, components):
    if not gold:
        return {"pairs": {"found": len(pairs)}}
    return {"pairs": score.pair_scores(pairs, gold),
            "clusters": score.cluster_scores(clusters, gold),
            "clusters_b3": score.b_cubed(clusters, gold, identities),
            "components": score.cluster_scores(components, gold),
            "components_b3": score.b_cubed(components, gold, identities)}


def compare_with_eval(corpus, folder, row):
    """`leitong eval` must say of the clusters what this bench's own scorer says."""
    measure.run([paths.LEITONG, "eval", "--gold", corpus.gold, "--clusters", folder / "clusters.tsv", "--documents",
                 corpus.count, "--json"], stdout=folder / "eval.json")
    said = json.loads((folder / "eval.json").read_text())
    for name, own in (("pairs_f1", row["clusters"]["f1"]), ("b_cubed_f1", row["clusters_b3"]["f1"])):
        if abs(said[name] - own) > 1e-9:
            raise measure.Failed(f"leitong eval says {name} {said[name]} of {corpus.name}, this bench {own}")


def _of(name, identities):
    """Which set each id of the mix is from; ids of the sets don't meet."""
    return {identity: name for identity in identities}


def run(archive, options):
    sets = data.developers_sets(options.smoke)
    exact = {}
    for name, corpus in sets.items():
        folder = paths.WORK / "out" / f"quality-{name}"

        def default_run(corpus=corpus, name=name, folder=folder):
            run_, identities, gold, pairs, clusters, components = measure_set(corpus, repeats=options.repeats)
            leitong.dedup([corpus.documents], folder.with_name(folder.name + "-exact"), "--all-pairs")
            exact[name] = score.read_leitong_pairs(folder.with_name(folder.name + "-exact") / "pairs.tsv")
            row = {**run_, "documents": corpus.count, "bytes": corpus.bytes,
                   **scores(identities, gold, pairs, clusters, components),
                   "exact_pairs": len(exact[name]), "exact_found": len(exact[name] & pairs),
                   "beyond_exact": len(pairs - exact[name])}
            if gold:
                row["exact_scores"] = score.pair_scores(exact[name], gold)
                compare_with_eval(corpus, folder, row)
            if name == "mix":
                row["by_set"] = by_set(sets, pairs, clusters, components)
            return row

        archive.row(name, leitong.stamp("quality", corpus.count, corpus.bytes, options.repeats), default_run)
    table(archive)


def by_set(sets, pairs, clusters, components):
    """The mix's scores for each set, and the pairs that join two sets (all of them false)."""
    origin = {}
    for name in data.SETS:
        origin |= _of(name, sets[name].ids())
    result = {"cross_set_pairs": sum(1 for a, b in pairs if origin[a] != origin[b])}
    for name in data.SETS:
        def inside(mapping, name=name):
            return {identity: cluster for identity, cluster in mapping.items() if origin[identity] == name}
        result[name] = scores(sets[name].ids(), sets[name].clusters(),
                              {pair for pair in pairs if origin[pair[0]] == origin[pair[1]] == name},
                              inside(clusters), inside(components))
    return result


def _line(label, part):
    pairs = part["pairs"]
    if "f1" not in pairs:
        return [label, "", "", "", "", "", pairs["found"]]
    return [label, f"{pairs['precision']:.4f}", f"{pairs['recall']:.4f}", f"**{pairs['f1']:.4f}**",
            f"{part['clusters']['f1']:.4f}, {part['clusters_b3']['f1']:.4f}",
            f"{part['components']['f1']:.4f}, {part['components_b3']['f1']:.4f}", pairs["found"]]


def table(archive):
    rows = {name: row for name, row in archive.rows.items() if "failed" not in row}
    columns = ["set", "pairs P", "R", "F1", "clusters F1, B3", "components F1, B3", "pairs found"]
    alone = [_line(name, row) for name, row in rows.items() if name != "mix"]
    sections = [("Each set by itself", columns, alone, "Direct pairs, exact copies written out. One default setting.")]
    if "mix" in rows:
        inside = rows["mix"]["by_set"]
        sections.append(("All sets in one corpus", columns, [_line(name, inside[name]) for name in data.SETS],
                         f"Pairs across sets: **{inside['cross_set_pairs']}**. Broadcast pairs: "
                         f"**{inside['broadcast']['pairs']['found']}**."))
    cost = [[name, row["documents"], f"{row['bytes'] / 1e6:.1f}", f"{row['seconds']:.3f}",
             f"{row['bytes'] / 1e6 / row['seconds']:.0f}", f"{row['peak_bytes'] / 1e6:.0f}",
             f"{row['exact_found']} / {row['exact_pairs']} = "
             f"{row['exact_found'] / row['exact_pairs'] if row['exact_pairs'] else 1:.5f}",
             row["beyond_exact"] and f"**{row['beyond_exact']}**",
             f"{row['exact_scores']['f1']:.4f}" if "exact_scores" in row else ""] for name, row in rows.items()]
    sections.append(("Cost, and recall against the exact join", ["set", "documents", "MB (JSONL)", "s", "MB/s", "RSS MB",
                     "recall of --all-pairs pairs", "pairs that --all-pairs lacks", "F1 of --all-pairs"], cost,
                     "One core, JSONL to all outputs, the quickest of the repeats. The exact join finds every pair that the "
                     "rule accepts: it must lack none."))
    archive.write_table("Quality", sections)
