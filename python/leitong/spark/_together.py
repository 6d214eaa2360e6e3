"""The stages after the first comparison, if one task can hold all pairs: far fewer jobs than by joins (_families.py, _templates.py),
which are used otherwise."""
from __future__ import annotations

from typing import Any

from ._marking import COUNTED, HELD, MARKS, Count, Recount, TemplatesOfTexts
from ._rows import SAME_WORK, Settings
from ._search import Search
from ._shingles import Bare
from ._single import COMMON, HOT, KIN, LINKED, PACKED, PAIRS, QUESTION, TEXTS, Kin, Link, Question
from ._store import Store, functions, small
from ._tasks import Complete
from ._templates import asked_shingles, ordered_templates
from ._verify import PAIR, Verifier, no_pair

#: What one task holds: bytes of arrays in its memory (and several times that while they are sorted), and of texts on its disk; and
#: bytes that all tasks get by broadcast, as they get the bitmap of shingles.
MOST_ARRAYS, MOST_TEXTS, MOST_BROADCAST = 128 << 20, 1 << 30, 64 << 20
_OF_PAIR, _OF_ENTRY, _OF_TEXT = 26, 17, 40
_TEMPLATES = 1024  # bytes of the templates of a text, of most


class Together:
    def __init__(self, store: Store, settings: Settings, search: Search, verifier: Verifier, threads: int) -> None:
        self.store, self.settings, self.search, self.verifier, self.threads = store, settings, search, verifier, threads
        self.templates = settings.steps().looks_for_templates

    def link(self, first: Any) -> Any:
        """`first` with the pairs that large families need in addition; None if that is too much for a task."""
        f = functions()
        common = self.search.weights.where("common").agg(f.count("*"), f.sum("units")).first()
        if not common[0]:
            return first
        hot, entries = self.search.hot_rows()
        arrays = _OF_PAIR * first.count() + _OF_ENTRY * entries + _OF_TEXT * common[0]
        if arrays > MOST_ARRAYS or 4 * common[1] > MOST_TEXTS:
            return None
        linked = self.store.keep("linked", lambda: (
            _together(_pair_rows(first), _hot_rows(hot), self._common()).mapInArrow(Link(self.settings, self.threads), LINKED)
        ))
        wanted = linked.where(f.col("kind") == TEXTS).count()
        pairs = linked.where(f.col("kind") == PAIRS)
        found = pairs.select(*first.columns)
        return found.union(self._completed(linked, pairs, wanted)) if wanted else found

    def _common(self) -> Any:
        f = functions()
        common = self.search.weights.where("common").join(self.verifier.bodies.select("t", "body"), "t")
        kind = f.lit(COMMON).cast("byte").alias("kind")
        return common.select(kind, f.col("t").alias("a"), "r0", "r1", "l0", "l1", "frame", "body")

    def _completed(self, linked: Any, pairs: Any, wanted: int) -> Any:
        """The task of each component compares the members of its families with each other, and the common texts of works."""
        f = functions()
        members = linked.where(f.col("kind") == TEXTS)
        members = small(members.select(f.col("a").alias("t"), "block", "family", "has_family", "common"), wanted)
        texts = self.verifier.bodies.select("t", "body").join(members, "t").select(
            "block", f.lit(0).alias("kind"), f.col("t").alias("a"), f.lit(0).cast("long").alias("b"), "body", "common", "has_family",
            "family", *no_pair(),
        )
        known = pairs.where("wanted").select(
            "block", f.lit(1).alias("kind"), "a", "b", f.lit(None).cast("string").alias("body"), "common", "has_family", "family",
            "jaccard", "containment", "score", "measure", "standing",
        )
        return self.store.keep("completed", lambda: (
            texts.unionByName(known).repartition("block").sortWithinPartitions("block", "kind").mapInArrow(Complete(self.settings), PAIR)
        ))

    def question(self, pairs: Any) -> Any:
        """Rows of QUESTION for all pairs; None if these are too many for a task."""
        if _OF_PAIR * pairs.count() > MOST_ARRAYS:
            return None
        return self.store.keep("question", lambda: pairs.coalesce(1).mapInArrow(Question(self.templates), QUESTION))

    def marks(self, question: Any, count: int, texts: Any, rows: Any, corpus: int, bins: int) -> Any:
        """(bin, packed) of the texts in question; None if the families are too many for every task to hold them. `texts`, `rows`: all
        of the corpus; `corpus`: how many these are, copies as well; `count`: texts of the pairs."""
        f = functions()
        if KIN.itemsize * count > MOST_BROADCAST:
            return None
        kin = self._broadcast(question.where(f.col("kind") == PACKED))
        asked = small(question.where("in_question").select(f.col("a").alias("t")), count)
        counted = self.store.keep("shingles", lambda: (
            asked_shingles(self.store, self.settings, asked, texts, rows, self.verifier.bodies)
            .mapInArrow(Count(kin, bins), COUNTED)
        ))
        marks = counted.where(f.col("kind") == MARKS)
        joined = self._join_bare(question, marks, kin, corpus)
        if joined is not None:
            new_kin = self._broadcast(joined)
            marks = self.store.keep("marks", lambda: counted.where(f.col("kind") == HELD).mapInArrow(Recount(new_kin, bins), COUNTED))
        return marks.select("bin", "packed")

    def _broadcast(self, rows: Any) -> Any:
        """At most MOST_BROADCAST bytes."""
        packed = [bytes(row["packed"]) for row in sorted(rows.select("a", "packed").collect(), key=lambda row: row["a"])]
        return self.store.spark.sparkContext.broadcast(b"".join(packed))

    def _join_bare(self, question: Any, marks: Any, kin: Any, corpus: int) -> Any:
        """The families, after similar texts that are little but template are joined; None if there are none."""
        f = functions()
        pairs = question.where(f.col("kind") == PAIRS)
        ends = question.where((f.col("kind") == TEXTS) & f.col("between")).count()
        if not ends:
            return None
        templates = marks.mapInArrow(TemplatesOfTexts(kin), "t long, s int").groupBy("t").agg(f.collect_list("s").alias("templates"))
        bare = self.store.keep("bare", lambda: (
            self.verifier.bodies.select("t", "body").join(small(templates, ends, _TEMPLATES), "t")
            .select("t", ordered_templates("templates").alias("templates"), "body").mapInArrow(Bare(self.settings, corpus), "t long")
        ))
        if bare.isEmpty():
            return None
        same = pairs.where("between").union(pairs.where(f.col("standing") == SAME_WORK))
        texts = bare.select(f.lit(TEXTS).cast("byte").alias("kind"), f.col("t").alias("a"))
        return self.store.keep("kin", lambda: _together(_pair_rows(same), texts).mapInArrow(Kin(kin), "a long, packed binary"))


def _pair_rows(pairs: Any) -> Any:
    f = functions()
    return pairs.select(f.lit(PAIRS).cast("byte").alias("kind"), "a", "b", "jaccard", "containment", "score", "measure", "standing")


def _hot_rows(entries: Any) -> Any:
    f = functions()
    return entries.select(f.lit(HOT).cast("byte").alias("kind"), f.col("key").alias("a"), f.col("t").alias("b"))


def _together(*kinds: Any) -> Any:
    """Rows of several kinds for one task, with zeros in the missing columns of a kind."""
    rows = kinds[0]
    for more in kinds[1:]:
        rows = rows.unionByName(more, allowMissingColumns=True)
    return rows.na.fill(0).na.fill(False).coalesce(1)
