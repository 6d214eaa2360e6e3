"""From texts to candidates, as joins: what leitong.index.RarityJoin does in the memory of one machine."""
from __future__ import annotations

from importlib import import_module
from typing import Any

from .. import _leitong
from ._rows import Settings
from ._store import Store, functions
from ._tasks import CLASSES, WEIGHTS, Group, Judge, Pairs, Weigh

CANDIDATE = "a long, b long, score float, template_only boolean, framed boolean"


def signed(value: int) -> int:
    """A hash as a long of Spark's."""
    return value - (1 << 64) if value >> 63 else value


class Search:
    """The keys of all texts, and the candidates that they lead to. Texts are told by their content `t`; of a pair `a` is
    the greater one."""

    def __init__(self, store: Store, settings: Settings, sketches: Any, texts: Any) -> None:
        self.store, self.settings = store, settings
        self.texts = texts
        f = functions()
        entries = sketches.select("t", (f.col("units") >= _leitong.LONG_TEXT).alias("long"), f.explode("keys").alias("key"))
        self.groups = store.keep(
            "groups",
            lambda: entries.repartition("key").sortWithinPartitions("key", "t").mapInArrow(
                Group(),
                "key long, hot boolean, texts array<long>, long array<boolean>, leaders array<long>, leaders_long array<boolean>",
            ),
        )
        self.weights = store.keep("weights", self._weights)

    def _weights(self) -> Any:
        """Of every text that shares a key."""
        f = functions()
        df = f.size("texts")
        held = self.groups.select(
            f.explode("texts").alias("t"), (f.col("key") % 2 != 0).alias("of_long"), "hot",
            f.when(f.col("hot"), 0).otherwise(df).alias("df"),
        )
        weight = f.element_at(f.array(*map(f.lit, WEIGHTS.tolist())), f.col("df") + 1)
        at = f.element_at(f.array(*map(f.lit, CLASSES.tolist())), f.col("df") + 1)
        held = held.select("t", "of_long", "hot", weight.cast("long").alias("w"), at.alias("c"))
        sums = []
        for tier in (0, 1):
            of_tier = f.col("of_long") == bool(tier)
            sums.append(f.sum(f.when(of_tier, f.when(f.col("hot"), 1 << 32).otherwise(1)).otherwise(0)).alias(f"k{tier}"))
            for lane in range(3):
                low, high = ((f.col("c") == 2 * lane + i) & of_tier & ~f.col("hot") for i in (0, 1))
                value = f.when(low, f.col("w")).when(high, f.shiftleft(f.col("w"), 32)).otherwise(0)
                sums.append(f.sum(value).alias(f"w{tier}{lane}"))
        tallies = held.groupBy("t").agg(*sums)
        return tallies.join(self.texts.select("t", "units", "short", "n"), "t").mapInArrow(
            Weigh(self.settings),
            "t long, units int, r0 long, r1 long, l0 byte, l1 byte, common boolean, framed boolean",
        )

    def first(self) -> Any:
        """Candidates by shared keys, by the leaders of hot ones, and of equal repetitions."""
        f = functions()
        raw = self.groups.mapInArrow(Pairs(), "a long, b long, e0 long, e1 long, e2 long, stars long")
        pairs = raw.repartition("a").groupBy("a", "b").agg(*(f.sum(n).alias(n) for n in ("e0", "e1", "e2", "stars")))
        repetitive = self.texts.where("sets != 0").select("t", "sets")
        first = repetitive.groupBy("sets").agg(f.min("t").alias("b"))
        equal = repetitive.join(first, "sets").where("t != b").select(
            f.col("t").alias("a"), "b", f.lit(1.0).cast("float").alias("score"), f.lit(False).alias("template_only"),
            f.lit(False).alias("framed"),
        )
        return _best(self._judged(pairs).unionByName(equal))

    def _judged(self, pairs: Any) -> Any:
        """`pairs`: a, b, e0, e1, e2, stars; each once in this order of its ends."""
        f = functions()
        for end in ("a", "b"):
            named = self.weights.select(*(f.col(c).alias(end if c == "t" else f"{c}_{end}") for c in self.weights.columns))
            pairs = pairs.join(named, end)
        return pairs.mapInArrow(Judge(self.settings), CANDIDATE)

    def common_texts(self) -> Any:
        return self.weights.where("common").select("t")

    def hot_entries(self) -> Any:
        """(key, t, long) of hot keys, of texts of common keys."""
        f = functions()
        return self.store.keep("hot", lambda: (
            self.groups.where("hot")
            .select("key", f.explode(f.arrays_zip("texts", "long")).alias("e"))
            .select("key", f.col("e.texts").alias("t"), f.col("e.long").alias("long"))
            .join(self.common_texts(), "t", "left_semi")
        ))

    def stars(self, entries: Any, salt: int, order: Any = None, leads: Any = None, follows: Any = None) -> Any:
        """Candidates: each text of a hot key with the first two of those that lead it. `order`: a column that comes before
        the salted content; `leads`: who may; `follows`: of columns t, led by `leader`, is the pair wanted?"""
        f = functions()
        window = import_module("pyspark.sql").Window
        salted = f.col("t").bitwiseXOR(f.lit(signed(salt)))
        before = ([order] if order is not None else []) + [salted]
        leaders = (
            (entries if leads is None else entries.where(leads))
            .withColumn("place", f.row_number().over(window.partitionBy("key").orderBy(*before)))
            .where("place <= 2")
            .select("key", *(f.col(c).alias(f"leader_{c}") for c in entries.columns if c != "key"), "place")
        )
        pairs = entries.join(leaders, "key").where((f.col("key") % 2 == 0) | f.col("long") | f.col("leader_long"))
        if follows is None:  # whoever comes later
            follows = salted > f.col("leader_t").bitwiseXOR(f.lit(signed(salt)))
        pairs = pairs.where(follows).groupBy(f.col("t").alias("a"), f.col("leader_t").alias("b")).agg(
            f.count("*").alias("stars"), *(f.lit(0).cast("long").alias(f"e{i}") for i in range(3))
        )
        return _best(self._judged(pairs))


def _best(candidates: Any) -> Any:
    """Of one pair's candidates the best evidence."""
    f = functions()
    return candidates.groupBy("a", "b").agg(
        f.max("score").alias("score"), f.min("template_only").alias("template_only"), f.max("framed").alias("framed")
    )
