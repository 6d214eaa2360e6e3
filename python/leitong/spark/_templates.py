"""Which shingles are template, counted over the whole corpus: the second decision's knowledge, as
src/dedup/template/stage.cpp learns it on one machine."""
from __future__ import annotations

from typing import Any

from .. import _leitong
from ._rows import ASIDE, SAME_WORK, SETTLED, Settings
from ._shingles import Bare, Holders, ShingleFilter, Shingles, Templates
from ._store import Store, functions
from ._verify import components

_LEAST_BITS, _MOST_BITS = 20, 29  # of the filter: 128 KiB to 64 MiB
_PART_BITS = 24  # shingles of a part, which a task has in memory, if all texts' shingles were asked about


class Marks:
    """`pairs`: all that were compared; `of`: their components; `rows`: id, body of all; `bodies`: (t, body); `corpus`: how many
    texts there are, copies as well."""

    def __init__(self, store: Store, settings: Settings, pairs: Any, of: Any, texts: Any, rows: Any, bodies: Any,
                 corpus: int) -> None:
        self.store, self.settings, self.pairs, self.of = store, settings, pairs, of
        self.texts, self.rows, self.bodies, self.corpus = texts, rows, bodies, corpus

    def find(self) -> tuple[Any, Any]:
        """(t) for the texts in question, and (t, s, families, is_template) for their shingles; None if there are none."""
        f = functions()
        family = components(self.store, "template-works", self.pairs.where(f.col("standing") == SAME_WORK))
        asked = self.store.keep("asked", lambda: self._asked(family))
        if asked.isEmpty():
            return asked.select("t"), None
        held = self.store.keep("shingles", lambda: (
            # Shingles in fewer texts than the least number of families are not needed, and these are most.
            asked_shingles(self.store, self.settings, asked, self.texts, self.rows, self.bodies)
            .mapInArrow(Holders(_leitong.COMMON_FAMILIES), "s int, t long")
        ))
        marks = self.store.keep("marks-1", lambda: self._marks(held, asked, family))
        joined = self._join_bare(marks, asked, family)
        if joined is not None:
            marks = self.store.keep("marks-2", lambda: self._marks(held, asked, joined))
        return asked.select("t"), marks

    def _with_families(self, pairs: Any, family: Any) -> Any:
        """Pairs with family_a and family_b: a text without a family is a family of its own."""
        f = functions()
        for end in ("a", "b"):
            named = family.select(f.col("t").alias(end), f.col("component").alias(f"family_{end}"))
            pairs = pairs.join(named, end, "left").withColumn(f"family_{end}", f.coalesce(f"family_{end}", end))
        return pairs

    def _asked(self, family: Any) -> Any:
        """(t, wants_common) of the texts of components in which a pair is in question."""
        f = functions()
        pairs = self._with_families(self.pairs, family)
        aside = f.col("standing") == ASIDE
        open_pairs = pairs.where(aside | ((f.col("family_a") != f.col("family_b")) & (f.col("standing") != SETTLED)))
        # The least Jaccard value is a float; so is what it is compared with.
        rare = aside & (f.col("jaccard") >= f.lit(_leitong.RARE_JACCARD).cast("float"))
        ends = open_pairs.select(f.col("a").alias("t"), rare.alias("rare")).union(open_pairs.select(f.col("b").alias("t"), rare.alias("rare")))
        touched = ends.groupBy("t").agg(f.max("rare").alias("rare"))
        in_question = self.of.join(touched, "t").select("component").distinct()
        return self.of.join(in_question, "component", "left_semi").join(touched, "t", "left").select(
            "t", f.coalesce("rare", f.lit(False)).alias("wants_common")
        )

    def _marks(self, held: Any, asked: Any, family: Any) -> Any:
        """(t, s, families, is_template) of the texts in question."""
        f = functions()
        held = held.join(family.withColumnRenamed("component", "family"), "t", "left").join(asked, "t", "left").select(
            "s", "t", f.coalesce("family", "t").alias("family"), "wants_common"
        )
        by_family = held.groupBy("s", "family").agg(
            f.count("*").alias("texts"), f.max(f.coalesce("wants_common", f.lit(False))).alias("wants_common")
        )
        known = (
            by_family.groupBy("s")
            .agg(f.count("*").alias("families"), f.sum("texts").alias("texts"), f.max("wants_common").alias("wants_common"))
            .where(
                (f.col("families") >= _leitong.COMMON_FAMILIES)
                & (f.col("wants_common") | (f.col("families") >= _leitong.TEMPLATE_FAMILIES))
            )
            .mapInArrow(Templates(), "s int, families long, is_template boolean")
        )
        return held.where("wants_common is not null").join(known, "s").where("is_template or wants_common").select(
            "t", "s", f.col("families").cast("int").alias("families"), "is_template"
        )

    def _join_bare(self, marks: Any, asked: Any, family: Any) -> Any:
        """The families, after similar texts that are little but template are joined; None if there are none."""
        f = functions()
        templates = marks.where("is_template").groupBy("t").agg(f.collect_list("s").alias("templates"))
        has = templates.select("t")
        accepted = self.pairs.where(f.col("standing") != ASIDE)
        pairs = self._with_families(accepted, family).where("family_a != family_b").select("a", "b")
        for end in ("a", "b"):
            pairs = pairs.join(has.withColumnRenamed("t", end), end, "left_semi")
        pairs = self.store.keep("bare-pairs", lambda: pairs)
        if pairs.isEmpty():
            return None
        wanted = pairs.select(f.col("a").alias("t")).union(pairs.select(f.col("b").alias("t"))).distinct()
        bare = self.store.keep("bare", lambda: (
            wanted.join(templates, "t").join(self.bodies.select("t", "body"), "t").select("t", ordered_templates("templates").alias("templates"), "body")
            .mapInArrow(Bare(self.settings, self.corpus), "t long")
        ))
        for end in ("a", "b"):
            pairs = pairs.join(bare.withColumnRenamed("t", end), end, "left_semi")
        if pairs.isEmpty():
            return None
        same = self.pairs.where(f.col("standing") == SAME_WORK).select("a", "b")
        return components(self.store, "template-works-2", same.union(pairs))


def asked_shingles(store: Store, settings: Settings, asked: Any, texts: Any, rows: Any, bodies: Any) -> Any:
    """Rows of Shingles, those of a part side by side: of the shingles of the texts in question, in all texts that hold them. A bitmap
    of at most 64 MiB, the same for any corpus, keeps out most of the others before they travel."""
    f = functions()
    units = texts.select("t", "units").join(asked.select("t"), "t").agg(f.sum("units")).first()[0] or 1
    of_all = texts.agg(f.sum(f.col("units").cast("long") * f.col("copies"))).first()[0] or 0
    bits = min(max(int(16 * units).bit_length(), _LEAST_BITS), _MOST_BITS)
    pieces = bodies.select("t", "body").join(asked.select("t"), "t").mapInArrow(ShingleFilter(settings, bits), "piece int, bitmap binary")
    bitmap = bytearray((1 << bits) // 8)
    for row in pieces.toLocalIterator():
        at = row["piece"] * min(ShingleFilter.PIECE, len(bitmap))
        old = int.from_bytes(bitmap[at : at + len(row["bitmap"])], "little")
        bitmap[at : at + len(row["bitmap"])] = (old | int.from_bytes(row["bitmap"], "little")).to_bytes(len(row["bitmap"]), "little")
    shared = store.spark.sparkContext.broadcast(bytes(bitmap))
    cores = 2 * store.spark.sparkContext.defaultParallelism
    parts = min(-(-(of_all >> _PART_BITS) // cores) * cores or 1, 1 << 16)
    found = rows.select("body").mapInArrow(Shingles(settings, shared, parts), "part int, texts binary, shingles binary")
    return found.repartition("part").sortWithinPartitions("part")


def ordered_templates(name: str) -> Any:
    """A column of lists of shingles, ascending as unsigned numbers."""
    f = functions()
    unsigned = f.transform(name, lambda s: f.pmod(s.cast("long"), f.lit(1 << 32)))
    return f.transform(f.array_sort(unsigned), lambda s: f.shiftright(f.shiftleft(s, 32), 32).cast("int"))
