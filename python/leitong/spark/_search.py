"""From texts to candidates by joins, as RarityJoin (src/index/rarity_join.hpp) does in the memory of one machine."""
from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from ._keys import (
    EVIDENCE, HOT, JOINED, TALLIES, Join, PackWorth, Split, SumPairs, UnpackHot, WeighRange, parts_for,
)
from ._rows import KEY, WORTH, Settings
from ._store import Store, functions
from ._tasks import Judge

#: Bytes of WORTH that all tasks may know by broadcast; where there is more it is joined to the pairs.
MOST_WORTH = 64 << 20

CANDIDATE = "a long, b long, score float, template_only boolean, frame short"


def signed(value: int) -> int:
    """A hash as a long of Spark's."""
    return value - (1 << 64) if value >> 63 else value


class Search:
    """The keys of all texts, and the candidates that they lead to. Texts are identified by their content `t`; of a pair `a` is
    the greater one."""

    def __init__(self, store: Store, settings: Settings, sketches: Any, texts: Any, key_bits: int) -> None:
        self.store, self.settings = store, settings
        self.texts = texts
        f = functions()
        self.parts = parts_for(texts.agg(f.sum("n")).first()[0] or 0)
        self.groups = store.keep("groups", lambda: self._groups(sketches, (key_bits + 7) // 8))
        self.weights = store.keep("weights", self._weights)

    def _groups(self, sketches: Any, width: int) -> Any:
        """Rows of Join, for all keys that texts share."""
        f = functions()
        entries = sketches.select("t", "units", "n", "keys").mapInArrow(Split(self.parts, width), "part int, texts binary, keys binary")
        entries = entries.withColumn("range", f.shiftright("part", 1))
        return entries.repartition("range").sortWithinPartitions("range").mapInArrow(Join(self.parts, width), JOINED)

    def _of_kind(self, kind: int) -> Any:
        return self.groups.where(functions().col("kind") == kind)

    def _weights(self) -> Any:
        """The weights of every text that shares a key."""
        f = functions()
        none = f.lit(None)
        tallies = self._of_kind(TALLIES).select(
            "part", "packed", none.cast("long").alias("t"), *(none.cast("int").alias(name) for name in ("units", "short", "n"))
        )
        # As in range_of_text().
        part = f.shiftright((f.shiftright("t", 32) + f.lit(1 << 31)) * f.lit(self.parts).cast("long"), 32).cast("int")
        texts = self.texts.where("n > 0").select(part.alias("part"), none.cast("binary").alias("packed"), "t", "units", "short", "n")
        return tallies.union(texts).repartition("part").sortWithinPartitions("part").mapInArrow(
            WeighRange(self.settings), "t long, units int, common boolean, r0 long, r1 long, l0 byte, l1 byte, frame short"
        )

    def first(self) -> Any:
        """Candidates by shared keys, by the leaders of hot keys, and by equal repetitions."""
        f = functions()
        evidence = self._of_kind(EVIDENCE).select("part", "packed").repartition("part").sortWithinPartitions("part")
        repetitive = self.texts.where("sets != 0").select("t", "sets")
        first = repetitive.groupBy("sets").agg(f.min("t").alias("b"))
        equal = repetitive.join(first, "sets").where("t != b").select(
            f.col("t").alias("a"), "b", f.lit(1.0).cast("float").alias("score"), f.lit(False).alias("template_only"),
            f.lit(0).cast("short").alias("frame"),
        )
        if WORTH.itemsize * self.weights.count() <= MOST_WORTH:
            packed = [bytes(row["packed"]) for row in self.weights.mapInArrow(PackWorth(), "packed binary").collect()]
            worth = np.sort(np.frombuffer(b"".join(packed), WORTH), order="t")
            shared = self.store.spark.sparkContext.broadcast(worth.tobytes())
            judged = evidence.mapInArrow(SumPairs(self.settings, shared), CANDIDATE)
        else:
            sums = "a long, b long, e0 long, e1 long, e2 long, stars long"
            judged = self._judged(evidence.mapInArrow(SumPairs(self.settings), sums))
        return _best(judged.unionByName(equal))

    def _judged(self, pairs: Any) -> Any:
        """`pairs`: a, b, e0, e1, e2, stars; each once in this order of its ends."""
        f = functions()
        for end in ("a", "b"):
            named = self.weights.select(*(f.col(c).alias(end if c == "t" else f"{c}_{end}") for c in self.weights.columns))
            pairs = pairs.join(named, end)
        return pairs.mapInArrow(Judge(self.settings), CANDIDATE)

    def common_texts(self) -> Any:
        return self.weights.where("common").select("t")

    def hot_rows(self) -> tuple[Any, Any]:
        """(key, t, long) of hot keys, and their number."""
        f = functions()
        hot = self._of_kind(HOT)
        count = (hot.agg(f.sum(f.length("packed"))).first()[0] or 0) // KEY.itemsize
        return hot.select("packed").mapInArrow(UnpackHot(), "key long, t long, long boolean"), count

    def hot_entries(self) -> Any:
        """The hot entries of texts with common keys."""
        return self.store.keep("hot", lambda: self.hot_rows()[0].join(self.common_texts(), "t", "left_semi"))

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
        if follows is None:  # all later ones
            follows = salted > f.col("leader_t").bitwiseXOR(f.lit(signed(salt)))
        pairs = pairs.where(follows).groupBy(f.col("t").alias("a"), f.col("leader_t").alias("b")).agg(
            f.count("*").alias("stars"), *(f.lit(0).cast("long").alias(f"e{i}") for i in range(3))
        )
        return _best(self._judged(pairs))


def _best(candidates: Any) -> Any:
    """The best evidence among the candidates of one pair."""
    f = functions()
    return candidates.groupBy("a", "b").agg(
        f.max("score").alias("score"), f.min("template_only").alias("template_only"), f.max("frame").alias("frame")
    )
