"""Pairs and clusters against the truth: precision, recall and F1 of pairs, and B-cubed (Bagga and Baldwin 1998).

Written again here, apart from `leitong eval`, so that the product does not mark its own work; the quality part compares the
two.
"""
import collections
import itertools


def rows(path):
    """The rows of a TSV file as lists."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n").split("\t")


def read_clusters(path):
    """id -> cluster of a TSV file of two columns; a header line `id cluster` is skipped."""
    return {row[0]: row[1] for row in rows(path) if row[:2] != ["id", "cluster"]}


def read_pairs(path):
    """The pairs of a peer: id_a, id_b, estimate."""
    return {tuple(sorted(row[:2])) for row in rows(path) if row[0] != "id_a"}


def read_leitong_pairs(path):
    """The pairs of `--pairs`, those of exact copies written out: a copy is similar to all that its twin is similar to."""
    parent = {}

    def find(x):
        root = x
        while parent.get(root, root) != root:
            root = parent[root]
        while parent.get(x, x) != root:
            parent[x], x = root, parent[x]
        return root

    table = rows(path)
    column = {name: place for place, name in enumerate(next(table))}
    found = []
    for row in table:
        a, b = row[column["id_a"]], row[column["id_b"]]
        if row[column["measure"]] in ("identical", "copy"):
            parent[find(a)] = find(b)
        else:
            found.append((a, b))
    twins = collections.defaultdict(list)
    for identity in list(parent):
        twins[find(identity)].append(identity)
    for root in list(twins):
        if root not in twins[root]:
            twins[root].append(root)
    pairs = set()
    for same in twins.values():
        pairs.update(tuple(sorted(pair)) for pair in itertools.combinations(same, 2))
    for a, b in found:
        for x, y in itertools.product(twins.get(find(a), [a]), twins.get(find(b), [b])):
            pairs.add((x, y) if x < y else (y, x))
    return pairs


def cluster_pairs(clusters):
    """All pairs inside clusters."""
    members = collections.defaultdict(list)
    for identity, cluster in clusters.items():
        members[cluster].append(identity)
    return {pair for same in members.values() for pair in itertools.combinations(sorted(same), 2)}


def f1(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def pair_scores(pairs, gold):
    """precision, recall, f1 of found pairs; `gold` maps ids to clusters, an id that it lacks is alone."""
    return _scores(len(pairs), sum(1 for a, b in pairs if a in gold and gold.get(a) == gold.get(b)), gold)


def cluster_scores(clusters, gold):
    """The same of all pairs inside clusters, by counting: chained clusters may hold more pairs than fit in memory."""
    both = collections.Counter((cluster, gold[identity]) for identity, cluster in clusters.items() if identity in gold)
    return _scores(_pairs_in(collections.Counter(clusters.values())), _pairs_in(both), gold)


def _pairs_in(sizes):
    return sum(n * (n - 1) // 2 for n in sizes.values())


def _scores(found, true, gold):
    possible = _pairs_in(collections.Counter(gold.values()))
    precision = true / found if found else 1.0
    recall = true / possible if possible else 1.0
    return {"precision": precision, "recall": recall, "f1": f1(precision, recall), "found": found, "true": true,
            "possible": possible}


def b_cubed(clusters, gold, identities):
    """B-cubed precision, recall and f1 over all documents; one that is in no cluster is alone."""
    found = {identity: clusters.get(identity, ("alone", identity)) for identity in identities}
    truth = {identity: gold.get(identity, ("alone", identity)) for identity in identities}
    found_size, true_size = collections.Counter(found.values()), collections.Counter(truth.values())
    both = collections.Counter((found[identity], truth[identity]) for identity in identities)
    precision = sum(n * n / found_size[f] for (f, _), n in both.items()) / len(identities)
    recall = sum(n * n / true_size[t] for (_, t), n in both.items()) / len(identities)
    return {"precision": precision, "recall": recall, "f1": f1(precision, recall)}
