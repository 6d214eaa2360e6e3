"""A whole run: the stages in their order, and the decision about every row."""
from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Any

from ._families import Families
from ._marking import COUNTED, PackMarks
from ._rows import MEASURES, Settings
from ._search import Search
from ._single import PAIRS, TEXTS
from ._store import Store, functions, small
from ._tasks import Settle, Sketch
from ._templates import Marks
from ._together import Together
from ._verify import Verifier, components, no_pair
from ._whole import threads_of

SETTLED = "kind byte, a long, b long, jaccard float, containment float, score float, measure byte, round byte"
_FEW, _MANY, _BINS = 2_000, 20_000, 64  # texts and pairs that are settled at once; bins of few


def of_copies(form: str, other: str) -> Any:
    """The number of the measure of two copies, by columns of their forms."""
    f = functions()
    identical, copy = (f.lit(MEASURES.index(name)) for name in ("identical", "copy"))
    return f.when(f.col(form) == f.col(other), identical).otherwise(copy)


class Run:
    """`rows`: columns id, body, and rank, of which the least stays. `key_bits`: see Steps.sketch()."""

    def __init__(self, store: Store, settings: Settings, rows: Any, key_bits: int) -> None:
        self.store, self.settings, self.rows, self.key_bits = store, settings, rows, key_bits
        fields = {field.name: field.dataType.simpleString() for field in rows.schema}
        passed = ", ".join(f"`{n}` {fields[n]}" for n in rows.columns if n != "body")
        self.sketches = store.keep(
            "sketches",
            lambda: rows.mapInArrow(
                Sketch(settings, key_bits),
                f"{passed}, t long, check long, form long, signs long, units int, short int, n int, sets long, keys binary",
            ),
        )
        self.texts = store.keep("texts", self._texts)

    def _by_rank(self, *names: str) -> Any:
        """Columns of the sketches as a struct, of which the least is that of the best row."""
        f = functions()
        rank = f.col("rank") if "rank" in self.sketches.columns else -f.col("units")
        return f.struct(rank.alias("rank"), *names)

    def _texts(self) -> Any:
        """For each different text its first row, its best row, and the number of its rows."""
        f = functions()
        best = f.min(self._by_rank("id"))
        # One hash is no proof: rows of one content that differ in length or in the other hash are no copies.
        same = (
            self.sketches.drop("keys").repartition("t").groupBy("t", "units", "check", "short", "n", "sets")
            .agg(f.min(f.struct("id", "form")).alias("row"), best.alias("best"), f.count("*").alias("copies"))
        )
        first = f.min(f.struct("row.id", "row.form", "units", "check", "short", "n", "sets", "best", "copies"))
        return same.groupBy("t").agg(first.alias("first")).select("t", "first.*")

    def run(self) -> tuple[Any, Any]:
        """(id, kept, measure, score) of the rows that leave, and the pairs by content."""
        f = functions()
        search = Search(self.store, self.settings, self.sketches, self.texts, self.key_bits)
        verifier = Verifier(self.store, self.settings, self.store.keep("bodies", lambda: self._bodies(search)))
        settled = self._settle(search, verifier)
        rounds = [row for row in settled.where("kind = 2").groupBy("round").agg(f.max("b").alias("grew")).collect()]
        grew = {row["round"]: row["grew"] for row in rounds}
        last = 0
        while grew.get(last + 1):
            last += 1
        decided = settled.where((f.col("kind") == 0) & f.col("round").isin(-1, last))
        found = settled.where((f.col("kind") == 1) & (f.col("round") <= last))
        return self.store.keep("removed", lambda: self._removed(decided)), found

    @cached_property
    def records(self) -> int:
        """The number of records of the corpus, copies included."""
        return int(self.sketches.count())

    def _bodies(self, search: Search) -> Any:
        """(t, best, common, body) of the texts that share a key or are repetitive."""
        f = functions()
        shared = self.texts.select("t", "id", "best", "sets").join(search.weights.select("t", "common"), "t", "left")
        common = f.coalesce("common", f.lit(False)).alias("common")
        shared = shared.where("common is not null or sets != 0").select("t", "id", "best", common)
        width = 64 if self.rows.schema["id"].dataType.simpleString() != "string" else 160
        shared = small(shared, self.texts.count(), width)
        return self.rows.select("id", "body").join(shared, "id").select("t", "best", "common", "body")

    def _settle(self, search: Search, verifier: Verifier) -> Any:
        f = functions()
        templates = self.settings.steps().looks_for_templates
        together = Together(self.store, self.settings, search, verifier, threads_of(self.store.spark))
        first = verifier.compare("first", search.first())
        pairs = together.link(first)
        if pairs is None:
            pairs = Families(self.store, search, verifier, templates).find(first)
        question = together.question(pairs)
        if question is not None:
            pairs = question.where(f.col("kind") == PAIRS)
            of = question.where(f.col("kind") == TEXTS).select(f.col("a").alias("t"), "block", "in_question")
        else:
            no = f.lit(False).alias("in_question")
            of = components(self.store, "components", pairs).select("t", f.col("component").alias("block"), no)
            pairs = pairs.join(of.select(f.col("t").alias("a"), "block"), "a")
        texts = of.count()
        total = texts + pairs.count()
        bins = max(min(_BINS, total // _FEW), total // _MANY, 1)
        marks = None
        if templates and (question is None or not question.where("in_question").isEmpty()):
            marks = together.marks(question, texts, self.texts, self.rows, self.records, bins) if question is not None else None
            if marks is None:
                by_component = of.select("t", f.col("block").alias("component"))
                asked, found = Marks(self.store, self.settings, pairs, by_component, self.texts, self.rows, verifier.bodies, self.records).find()
                of = of.drop("in_question").join(asked.withColumn("in_question", f.lit(True)), "t", "left").select(
                    "t", "block", f.coalesce("in_question", f.lit(False)).alias("in_question")
                )
                if found is not None:
                    marks = found.join(of.select("t", f.pmod("block", f.lit(bins)).cast("int").alias("bin")), "t").mapInArrow(
                        PackMarks(), COUNTED
                    ).select("bin", "packed")
        return self.store.keep("settled", lambda: self._settled(small(of, texts), pairs, marks, bins, verifier))

    def _settled(self, of: Any, pairs: Any, marks: Any, bins: int, verifier: Verifier) -> Any:
        f = functions()
        in_bin = f.pmod("block", f.lit(bins)).cast("int").alias("bin")
        packed = f.lit(None).cast("binary").alias("packed")
        texts = verifier.bodies.join(of, "t").select(
            in_bin, f.lit(0).alias("kind"), "best", "block", f.col("t").alias("a"), f.lit(0).cast("long").alias("b"), "body", "common",
            "in_question", packed, *no_pair(),
        )
        of_best = texts.schema["best"].dataType
        no = f.lit(False)
        nothing = (f.lit(None).cast("string").alias("body"), no.alias("common"), no.alias("in_question"))
        rows = texts.unionByName(pairs.select(
            in_bin, f.lit(1).alias("kind"), f.lit(None).cast(of_best).alias("best"), "block", "a", "b", *nothing, packed, "jaccard",
            "containment", "score", "measure", "standing",
        ))
        if marks is not None:
            zero = f.lit(0).cast("long")
            rows = rows.unionByName(marks.select(
                "bin", f.lit(2).alias("kind"), f.lit(None).cast(of_best).alias("best"), zero.alias("block"), zero.alias("a"),
                zero.alias("b"), *nothing, "packed", *no_pair(),
            ))
        return rows.repartition("bin").sortWithinPartitions("bin", "kind", "best").drop("best").mapInArrow(
            Settle(self.settings, self.records, "bin"), SETTLED
        )

    def _removed(self, decided: Any) -> Any:
        """Most rows are the only ones of their texts; for the others the sketches tell which text they have."""
        f = functions()
        best_of = self.texts.select(f.col("t").alias("b"), f.col("best.id").alias("kept"))
        left = decided.select(f.col("a").alias("t"), "b", "measure", "score").join(best_of, "b").drop("b")
        of = self.texts.select("t", "id", "units", "check", "copies").join(left, "t", "left")
        single = of.where("copies = 1 and kept is not null").select("id", "kept", "measure", "score")
        several = of.where("copies > 1").select(
            "t", f.col("units").alias("first_units"), f.col("check").alias("first_check"), "kept", "measure", "score"
        )
        window = import_module("pyspark.sql").Window
        # If copies of a text stay, one of each variant of its signs stays.
        best = f.min(self._by_rank("id", "form")).over(window.partitionBy("t", "signs")).alias("best")
        copies = self.sketches.drop("keys").join(several, "t").where("units = first_units and check = first_check").select(
            "id", "form", best, "kept", "measure", "score"
        ).where("kept is not null or id != best.id")
        return single.unionByName(copies.select(
            "id", f.coalesce("kept", "best.id").alias("kept"),
            f.coalesce("measure", of_copies("form", "best.form")).cast("byte").alias("measure"),
            f.coalesce("score", f.lit(1.0).cast("float")).alias("score"),
        ))
