"""Large families: texts that hot keys led only to leaders are linked and completed, as in src/dedup/families.cpp."""
from __future__ import annotations

from typing import Any

from .. import _leitong
from ._rows import ASIDE, SAME_WORK
from ._search import Search
from ._store import Store, functions
from ._tasks import Complete
from ._verify import PAIR, Verifier, best_pairs, components, no_pair

_ROUNDS, _FRAME_ROUNDS, _WORTHWHILE = _leitong.ROUNDS, _leitong.FRAME_ROUNDS, _leitong.WORTHWHILE
_STRAY_ROUNDS, _PART_ROUNDS = _leitong.STRAY_ROUNDS, _leitong.PART_ROUNDS
_ALL = (1 << 64) - 1


class Families:
    """Adds the pairs that families need, by joins. `pairs` are all compared ones, those set aside included."""

    def __init__(self, store: Store, search: Search, verifier: Verifier, templates: bool) -> None:
        self.store, self.search, self.verifier, self.templates = store, search, verifier, templates

    def find(self, pairs: Any) -> Any:
        if self.search.common_texts().isEmpty():
            return self.store.keep("pairs", lambda: best_pairs(pairs))
        pairs = self._lead_the_unmatched(pairs)
        if self.templates:
            pairs = self._join_parts(pairs)
        family = self._families(pairs)
        if not family.isEmpty():
            pairs = self._link_strays(pairs, family)
        elif not self.templates:
            return self.store.keep("pairs", lambda: best_pairs(pairs))
        pairs = self._complete(pairs, family)
        return self.store.keep("pairs", lambda: best_pairs(pairs))

    def _same(self, pairs: Any) -> Any:
        """The pairs that count as a match: if templates are looked for, pairs that may share only a template do not."""
        f = functions()
        return pairs.where(f.col("standing") == SAME_WORK) if self.templates else pairs

    def _lead_the_unmatched(self, pairs: Any) -> Any:
        f = functions()

        def unmatched() -> Any:
            same = self._same(pairs)
            matched = same.select(f.col("a").alias("t")).union(same.select(f.col("b").alias("t")))
            return self.search.common_texts().join(matched, "t", "left_anti")

        left = unmatched().count()
        for number in range(1, _FRAME_ROUNDS if self.templates else _ROUNDS):
            if left <= 1:
                break
            salt = _leitong.leader_salt(number ^ _ALL) if self.templates else 0
            entries = self.search.hot_entries().join(unmatched(), "t", "left_semi")
            pairs = pairs.union(self.verifier.compare(f"round-{number}", self.search.stars(entries, salt)))
            before, left = left, unmatched().count()
            if left == before or (number >= _ROUNDS and _WORTHWHILE * (before - left) < before):
                break
        return pairs

    def _of_works(self, name: str, pairs: Any) -> Any:
        return components(self.store, name, self._same(pairs))

    def _join_parts(self, pairs: Any) -> Any:
        """The copies of each work that are most similar to the others represent it and are compared with each other."""
        f = functions()
        common = self.search.common_texts()
        of_work = self._of_works("works-0", pairs)
        for number in range(1, _PART_ROUNDS + 1):
            accepted = best_pairs(pairs.where(f.col("standing") != ASIDE))
            of_a = of_work.select(f.col("t").alias("a"), f.col("component").alias("work"))
            of_b = of_work.select(f.col("t").alias("b"), f.col("component").alias("work"))
            within = accepted.join(of_a, "a").join(of_b, ["b", "work"])
            # Half away from zero, of a product of floats.
            likeness = f.floor((f.col("jaccard") * f.lit(65535.0).cast("float")).cast("double") + 0.5)
            ends = within.select(f.col("a").alias("t"), "work", likeness.alias("l")).union(
                within.select(f.col("b").alias("t"), "work", likeness.alias("l"))
            )
            mean = ends.groupBy("t", "work").agg(f.greatest(f.floor(f.sum("l") / f.count("*")), f.lit(1)).alias("likeness"))
            best = mean.join(common, "t", "left_semi").groupBy("work").agg(
                f.min(f.struct((-f.col("likeness")).alias("unlike"), "t")).alias("best")
            )
            parts = self.store.keep(f"parts-{number}", lambda: best.select("work", "best.t", "best.unlike"))
            before = parts.count()
            if before < 2:
                break
            entries = self.search.hot_entries().join(parts.select("t", "unlike"), "t")
            follows = (f.col("unlike") > f.col("leader_unlike")) | (
                (f.col("unlike") == f.col("leader_unlike")) & (f.col("t") > f.col("leader_t"))
            )
            found = self.verifier.compare(f"parts-{number}-pairs", self.search.stars(entries, 0, f.col("unlike"), None, follows))
            pairs = pairs.union(found)
            of_work = self._of_works(f"works-{number}", pairs)
            after = parts.join(of_work, "t").select("component").distinct().count()
            if _WORTHWHILE * (before - after) < before:
                break
        return pairs

    def _families(self, pairs: Any) -> Any:
        """(t, family) of the texts in families of many texts."""
        f = functions()
        of = self._of_works("families", pairs.where(f.col("standing") != ASIDE))
        large = of.groupBy("component").agg(f.count("*").alias("size")).where(f.col("size") > _leitong.HOT_KEY)
        return self.store.keep("family", lambda: of.join(large, "component").select("t", f.col("component").alias("family")))

    def _link_strays(self, pairs: Any, family: Any) -> Any:
        """If most texts of a hot key belong to one family, the key leads the others to members of it."""
        f = functions()
        entries = self.search.hot_entries().join(family, "t", "left")
        of_family = entries.groupBy("key", "family").agg(f.count("*").alias("members"))
        all_of = entries.groupBy("key").agg(f.count("*").alias("holders"))
        most = of_family.join(all_of, "key").where("2 * members > holders and family is not null").select(
            "key", f.col("family").alias("most")
        )
        entries = self.store.keep("stray-entries", lambda: entries.join(most, "key"))
        follows = f.col("family").isNull() | (f.col("family") != f.col("leader_family"))
        accepted = functions().col("standing") != ASIDE
        size = best_pairs(pairs.where(accepted)).count()
        for number in range(1, _STRAY_ROUNDS + 1):
            candidates = self.search.stars(
                entries, _leitong.leader_salt(number), leads=f.col("family") == f.col("most"), follows=follows
            )
            pairs = pairs.union(self.verifier.compare(f"strays-{number}", candidates))
            before, size = size, best_pairs(pairs.where(accepted)).count()
            if size == before:
                break
        return pairs

    def _complete(self, pairs: Any, family: Any) -> Any:
        """The task of each component compares the members of its families with each other, and the common texts of works."""
        f = functions()
        pairs = self.store.keep("linked", lambda: best_pairs(pairs))
        of = components(self.store, "linked-components", pairs)
        wanted = of.join(family, "t").select("component")
        if self.templates:
            common = self._of_works("linked-works", pairs).join(self.search.common_texts(), "t", "left_semi")
            many = common.groupBy("component").agg(f.count("*").alias("texts"), f.min("t").alias("t")).where("texts > 1")
            wanted = wanted.union(of.join(many.select("t"), "t").select("component"))
        wanted = wanted.distinct()
        members = of.join(wanted, "component", "left_semi")
        texts = (
            members.join(family, "t", "left")
            .join(self.verifier.bodies, "t")
            .select(
                f.col("component").alias("block"), f.lit(0).alias("kind"), f.col("t").alias("a"), f.lit(0).cast("long").alias("b"),
                "body", "common", f.col("family").isNotNull().alias("has_family"),
                f.coalesce("family", f.lit(0)).alias("family"), *no_pair(),
            )
        )
        known = pairs.join(members.select(f.col("t").alias("a"), f.col("component").alias("block")), "a").select(
            "block", f.lit(1).alias("kind"), "a", "b", f.lit(None).cast("string").alias("body"), f.lit(False).alias("common"),
            f.lit(False).alias("has_family"), f.lit(0).cast("long").alias("family"), "jaccard", "containment", "score",
            "measure", "standing",
        )
        completed = self.store.keep("completed", lambda: (
            texts.unionByName(known).repartition("block").sortWithinPartitions("block", "kind")
            .mapInArrow(Complete(self.verifier.settings), PAIR)
        ))
        return pairs.union(completed)
