"""From candidates to pairs: texts are moved to the pairs, and each pair is decided exactly."""
from __future__ import annotations

from importlib import import_module
from typing import Any

from ._rows import Settings
from ._store import Store, functions, small
from ._tasks import Compare, Unite

PAIR = "a long, b long, jaccard float, containment float, score float, measure byte, standing byte"
_FEW, _MANY = 500, 20_000  # pairs of a block


def no_pair() -> list[Any]:
    """The columns that only pairs have, for rows of another kind that travel with them."""
    f = functions()
    zero = f.lit(0).cast("float")
    return [zero.alias(n) for n in ("jaccard", "containment", "score")] + [
        f.lit(0).cast("byte").alias(n) for n in ("measure", "standing")
    ]


class Verifier:
    """Compares pairs of texts. `bodies`: (t, best, common, body) of all texts that may be compared."""

    def __init__(self, store: Store, settings: Settings, bodies: Any) -> None:
        self.store, self.settings, self.bodies = store, settings, bodies

    def compare(self, name: str, candidates: Any) -> Any:
        """The pairs that the rule accepts or sets aside, as artifact `name`."""
        f = functions()
        candidates = self.store.keep(f"{name}-candidates", lambda: candidates)

        def compared() -> Any:
            count = candidates.count()
            partitions = int(self.store.spark.conf.get("spark.sql.shuffle.partitions"))
            blocks = max(min(partitions, count // _FEW), count // _MANY, 1)
            pairs = candidates.withColumn("block", f.pmod(f.col("b"), f.lit(blocks)))
            needed = pairs.select("block", f.col("a").alias("t")).union(pairs.select("block", f.col("b").alias("t"))).distinct()
            texts = self.bodies.select("t", "body").join(small(needed, 2 * count, 12), "t").select(
                "block", f.lit(0).alias("kind"), f.col("t").alias("a"), f.lit(0).cast("long").alias("b"), "body",
                f.lit(0).cast("float").alias("score"), f.lit(False).alias("template_only"), f.lit(0).cast("short").alias("frame"),
            )
            rows = pairs.select(
                "block", f.lit(1).alias("kind"), "a", "b", f.lit(None).cast("string").alias("body"), "score", "template_only",
                "frame",
            )
            return texts.unionByName(rows).repartition("block").sortWithinPartitions("block", "kind").mapInArrow(
                Compare(self.settings), PAIR
            )

        return self.store.keep(name, compared)


def best_pairs(pairs: Any) -> Any:
    """Each pair once: with the more ordinary measure, then with the higher score."""
    f = functions()
    order = f.struct("measure", (-f.col("score")).alias("worse"), (-f.col("standing")).alias("by_rule"), "jaccard", "containment")
    return pairs.groupBy("a", "b").agg(f.min(order).alias("p")).select(
        "a", "b", "p.jaccard", "p.containment", (-f.col("p.worse")).alias("score"), "p.measure",
        (-f.col("p.by_rule")).cast("byte").alias("standing"),
    )


def components(store: Store, name: str, pairs: Any) -> Any:
    """(t, component) of the texts in pairs (a, b): the least text that each is connected with. By large and small stars
    (Kiveris et al. 2014), which take a logarithmic number of rounds; what a task can unite by itself it does at once."""
    f = functions()
    window = import_module("pyspark.sql").Window
    edges = store.keep(f"{name}-0", lambda: pairs.select("a", "b").mapInArrow(Unite(), "a long, b long").distinct())
    step = 0
    while not _are_stars(edges):
        step += 1

        def stars(edges: Any = edges) -> Any:
            both = edges.union(edges.select(f.col("b").alias("a"), f.col("a").alias("b")))
            least = f.least("a", f.min("b").over(window.partitionBy("a")))
            large = both.withColumn("least", least).where("b > a").select(f.col("b").alias("a"), f.col("least").alias("b"))
            small = large.withColumn("least", f.min("b").over(window.partitionBy("a")))
            joined = small.select("a", f.col("least").alias("b")).union(
                small.where("b != least").select(f.col("b").alias("a"), f.col("least").alias("b"))
            )
            return joined.distinct().repartition("b").mapInArrow(Unite(), "a long, b long").distinct()

        edges = store.keep(f"{name}-{step}", stars)
    roots = edges.select(f.col("b").alias("t")).distinct().select("t", f.col("t").alias("component"))
    return edges.select(f.col("a").alias("t"), f.col("b").alias("component")).union(roots)


def _are_stars(edges: Any) -> bool:
    """Does every text have one edge to a text that has none?"""
    f = functions()
    ends = edges.select(f.col("a").alias("t"), f.lit(1).alias("leads")).union(
        edges.select(f.col("b").alias("t"), f.lit(0).alias("leads")).distinct()
    )
    sums = ends.groupBy("t").agg(f.sum("leads").alias("out"), f.count("*").alias("all"))
    return bool(sums.where("out > 1 or (out = 1 and all > 1)").isEmpty())
