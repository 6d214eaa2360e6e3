"""A whole run: stages in their order, and what becomes of every row."""
from __future__ import annotations

from typing import Any

from ._families import Families
from ._rows import ASIDE, Settings
from ._search import Search
from ._store import Store, functions
from ._tasks import Settle, Sketch
from ._templates import Marks
from ._verify import Verifier, components, no_pair

SETTLED = "kind byte, a long, b long, jaccard float, containment float, score float, measure byte, round byte"


class Run:
    """`rows`: columns id, body, and rank, of which the least stays. `key_bits`: see Steps.sketch()."""

    def __init__(self, store: Store, settings: Settings, rows: Any, key_bits: int) -> None:
        self.store, self.settings, self.rows = store, settings, rows
        fields = {field.name: field.dataType.simpleString() for field in rows.schema}
        passed = ", ".join(f"`{n}` {fields[n]}" for n in rows.columns if n != "body")
        self.sketches = store.keep(
            "sketches",
            lambda: rows.mapInArrow(
                Sketch(settings, key_bits),
                f"{passed}, t long, check long, units int, short int, n int, sets long, keys array<long>",
            ),
        )
        self.texts = store.keep("texts", self._texts)

    def _texts(self) -> Any:
        """Of each different text its first row, its best row, and how many rows there are."""
        f = functions()
        rank = [f.col("rank")] if "rank" in self.sketches.columns else [-f.col("units")]
        best = f.min(f.struct(*(r.alias(f"r{i}") for i, r in enumerate(rank)), "id"))
        # One hash is no proof: rows of one content that differ in length or in the other hash are no copies.
        same = (
            self.sketches.drop("keys").repartition("t").groupBy("t", "units", "check", "short", "n", "sets")
            .agg(f.min("id").alias("id"), best.alias("best"), f.count("*").alias("copies"))
        )
        first = f.min(f.struct("id", "units", "check", "short", "n", "sets", "best", "copies"))
        return same.groupBy("t").agg(first.alias("first")).select("t", "first.*")

    def run(self) -> tuple[Any, Any]:
        """(id, kept, measure, score) of the rows that leave, and the pairs by content."""
        f = functions()
        search = Search(self.store, self.settings, self.sketches, self.texts)
        shared = search.weights.select("t").union(self.texts.where("sets != 0").select("t")).distinct()
        bodies = self.store.keep("bodies", lambda: (
            self.rows.select("id", "body").join(self.texts.select("t", "id").join(shared, "t", "left_semi"), "id").select("t", "body")
        ))
        verifier = Verifier(self.store, self.settings, bodies)
        templates = self.settings.steps().looks_for_templates
        pairs = Families(self.store, search, verifier, templates).find()
        settled = self._settle(pairs, search, verifier, templates)
        rounds = [row for row in settled.where("kind = 2").groupBy("round").agg(f.max("b").alias("grew")).collect()]
        grew = {row["round"]: row["grew"] for row in rounds}
        last = 0
        while grew.get(last + 1):
            last += 1
        decided = settled.where((f.col("kind") == 0) & f.col("round").isin(-1, last))
        found = settled.where((f.col("kind") == 1) & (f.col("round") <= last))
        return self._removed(decided), found

    def _settle(self, pairs: Any, search: Search, verifier: Verifier, templates: bool) -> Any:
        f = functions()
        of = components(self.store, "components", pairs)
        texts = (
            of.join(self.texts.select("t", "best"), "t")
            .join(search.weights.select("t", "common"), "t", "left")
            .join(verifier.bodies, "t")
        )
        if templates:
            marks = Marks(self.store, self.settings, pairs, of, self.texts, self.rows, verifier.bodies).find()
            texts = texts.join(marks, "t", "left")
        else:
            texts = texts.withColumn("in_question", f.lit(False)).withColumn(
                "marks", f.lit(None).cast("array<struct<s:int,families:int,is_template:boolean>>")
            )
        texts = texts.select(
            f.col("component").alias("block"), f.lit(0).alias("kind"), "best", f.col("t").alias("a"),
            f.lit(0).cast("long").alias("b"), "body", f.coalesce("common", f.lit(False)).alias("common"),
            f.coalesce("in_question", f.lit(False)).alias("in_question"), "marks", *no_pair(),
        )
        known = pairs.join(of.select(f.col("t").alias("a"), f.col("component").alias("block")), "a").select(
            "block", f.lit(1).alias("kind"), f.lit(None).cast(texts.schema["best"].dataType).alias("best"), "a", "b",
            f.lit(None).cast("string").alias("body"), f.lit(False).alias("common"), f.lit(False).alias("in_question"),
            f.lit(None).cast(texts.schema["marks"].dataType).alias("marks"), "jaccard", "containment", "score", "measure",
            "standing",
        )
        rows = self.sketches.count()
        return self.store.keep("settled", lambda: (
            texts.unionByName(known).repartition("block").sortWithinPartitions("block", "kind", "best").drop("best")
            .mapInArrow(Settle(self.settings, rows), SETTLED)
        ))

    def _removed(self, decided: Any) -> Any:
        f = functions()
        best_of = self.texts.select(f.col("t").alias("b"), f.col("best.id").alias("kept"))
        left = decided.select(f.col("a").alias("t"), "b", "measure", "score").join(best_of, "b").drop("b")
        rows = self.sketches.select("id", "t", "units", "check")
        of = self.texts.select(
            "t", f.col("units").alias("first_units"), f.col("check").alias("first_check"), f.col("best.id").alias("best"), "copies"
        )
        rows = rows.join(of, "t").where("units = first_units and check = first_check").join(left, "t", "left")
        rows = rows.where("kept is not null or id != best")
        return rows.select(
            "id", f.coalesce("kept", "best").alias("kept"), f.coalesce("measure", f.lit(-1)).cast("byte").alias("measure"),
            f.coalesce("score", f.lit(1.0).cast("float")).alias("score"),
        )
