"""The decisions, and their reasons."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _leitong
from ._compare import Comparison, compare
from ._errors import InvalidArgumentError, UnsupportedError
from ._numbers import real
from ._report import Page, overview

PAIR = np.dtype([("a", "<u4"), ("b", "<u4"), ("jaccard", "<f8"), ("containment", "<f8")])


class Removal(NamedTuple):
    """Why a text left: it is similar to the kept text, by ``measure`` with this ``score``.

    ``measure`` is "identical" (the same text), "copy" (it differs in signs, marks or masked numbers only), "jaccard",
    "containment", "edit", "own_text" (the rule, on the texts without templates), "rare_text" (the share of all shingles that the
    two share and no third text holds), "passage" (a passage that both hold, with the preset "reuse"), "cosine" (of the vectors that
    you gave) or "estimate" (``verify=False``). ``kept`` is -1 - its position if a reference is kept. ``reason`` says this in a
    sentence, as ``--removed`` does, and how templates contributed.
    """

    position: int
    kept: int
    measure: str
    score: float
    id: Any = None
    kept_id: Any = None
    reason: str = ""
    #: what the kept text lacks of this text, as a share of the units of this text; None if every similar text leaves
    loss: float | None = None
    #: what the two are to each other: "copy", "revision" (edits here and there), "version" (one of them has additional text),
    #: "excerpt" (one of them has additional text, which is more than half of it), "reworded", or "same_form" (they differ only in
    #: names or numbers); None if no loss was computed
    relation: str | None = None


class VectorRecall(NamedTuple):
    """What an approximate search of vectors missed: a sample of the vectors was compared with all others.

    All members are 0 after an exact search, and with fewer than 9,216 vectors, which are all compared with each other.
    """

    #: vectors of the sample, and pairs with such a vector and a cosine that is large enough
    sampled: int = 0
    pairs: int = 0
    #: of these pairs, those that the search had found
    found: int = 0
    #: the recall of the search lies between these two with a confidence of 0.95
    low: float = 0.0
    high: float = 1.0

    @property
    def value(self) -> float | None:
        """The share of the sample's pairs that were found; None if there were none."""
        return self.found / self.pairs if self.pairs else None


class VectorCounts(NamedTuple):
    """The counts of the comparison of vectors; all 0 if there were none."""

    #: texts whose vectors were compared; copies of other texts are not
    compared: int
    #: texts whose vector has no direction, so that only their text was compared
    unusable: int
    #: position of the first of them among all texts, references first, and what is wrong with it
    first_unusable: int
    why: str
    #: pairs that are similar by the cosine and not by the rule
    pairs: int
    #: texts that an approximate search compared with only some of their neighbours, because these are too many
    limited: int = 0
    #: the recall of an approximate search
    recall: VectorRecall = VectorRecall()


class NearMiss(NamedTuple):
    """Two texts that were refused, and why."""

    a: int
    b: int
    jaccard: float
    containment: float
    #: the value of the pair as a share of the value that was required, below 1. The rule requires shared shingles. If the pair was
    #: refused because templates do not count, it is the value of the texts without templates
    closeness: float
    #: of the two texts without their templates; of the whole texts if the run did not look for templates
    own_jaccard: float
    own_containment: float
    #: the share of template among the shared shingles, and the number of families of texts that usually hold it, those of the two
    #: included
    template_share: float
    families: int
    #: one sentence: "not similar: .."
    reason: str


class Recall(NamedTuple):
    """The recall of the run, measured on a sample by a second, independent search."""

    #: texts of the sample, and similar pairs with such a text
    sampled: int
    pairs: int
    #: of these pairs, those that the run had verified
    found: int
    #: those that the run had verified, or that a chain of similar pairs joins
    linked: int
    #: of the pairs that the run missed, those whose two texts both stay
    both_stay: int
    #: the sample is all texts, so that nothing is estimated
    all_sampled: bool
    #: the recall of all pairs lies between these two with a confidence of 0.95
    low: float
    high: float

    @property
    def value(self) -> float | None:
        """The share of the sample's similar pairs that were found; None if there were none."""
        return self.found / self.pairs if self.pairs else None

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the recall of all pairs, with a confidence of 0.95."""
        return self.low, self.high


class Explanation(NamedTuple):
    """What became of one text."""

    position: int
    removal: Removal | None
    comparison: Comparison | None
    represents: list[int]


class Result:
    """What ``leitong.dedup`` decided. Positions count the data's rows from 0; references have none.

    ``kept`` and ``removed`` are rows of the data, of the same kind as the data.
    """

    def __init__(
        self,
        decisions: _leitong.Decisions,
        take: Callable[[NDArray[np.uint32]], Any],
        text: Callable[[int], str],
        ids: Sequence[Any] | None,
        references: int,
        reference_ids: Sequence[Any] | None,
        page: Page | None,
    ) -> None:
        self._decisions, self._take, self._text, self._page = decisions, take, text, page
        #: The ids of the rows, or None.
        self.ids = ids
        self._references, self._reference_ids = references, reference_ids
        #: The number of texts in the index that ``write_index`` asked for, or None.
        self.indexed: int | None = None

    def __repr__(self) -> str:
        rows = len(self.kept_for)
        return f"<Result: {rows} texts, {rows - len(self.removed_positions)} kept, {len(self.removed_positions)} removed>"

    def _repr_html_(self) -> str:
        return overview(self)

    @cached_property
    def kept_for(self) -> NDArray[np.int64]:
        """For every row the row that is kept in its place: itself if it stays. A reference is -1 - its position."""
        all_kept = np.asarray(self._decisions.kept)[self._references :].astype(np.int64)
        return np.where(all_kept >= self._references, all_kept - self._references, -1 - all_kept)

    @cached_property
    def kept_positions(self) -> NDArray[np.uint32]:
        """The rows that stay."""
        return np.flatnonzero(self.kept_for == np.arange(len(self.kept_for))).astype(np.uint32)

    @cached_property
    def removed_positions(self) -> NDArray[np.uint32]:
        """The rows that leave."""
        return np.flatnonzero(self.kept_for != np.arange(len(self.kept_for))).astype(np.uint32)

    def text_of(self, position: int) -> str:
        """The text of a row, or of the reference -1 - position, as ``kept_for`` has it."""
        rows = len(self.kept_for)
        if not -self._references <= position < rows:
            raise InvalidArgumentError(f"there is no row {position} among {rows} and {self._references} references")
        return self._text(position + self._references if position >= 0 else -1 - position)

    @property
    def kept(self) -> Any:
        """The rows that stay, of the same kind as the data. If the data could be read only once, their texts and ids, read
        again."""
        return self._take(self.kept_positions)

    @property
    def removed(self) -> Any:
        """The rows that leave, of the same kind as the data; ``removals`` says why."""
        return self._take(self.removed_positions)

    @cached_property
    def removals(self) -> list[Removal]:
        """Why each removed row left, by position."""
        positions, measures, scores, reasons, names, losses, relations = self._decisions.removals()
        rows = positions.astype(np.int64) - self._references
        return [
            Removal(row, kept, names[measure], score, self.id_of(row), self.id_of(kept), reason, None if loss != loss else loss, relation or None)
            for row, kept, measure, score, reason, loss, relation in zip(
                rows.tolist(), self.kept_for[rows].tolist(), measures.tolist(), scores.tolist(), reasons, losses.tolist(), relations, strict=True
            )
        ]

    @property
    def clusters(self) -> list[NDArray[np.int64]]:
        """The clusters: each kept row for which others left, then these other rows. ``kept_for`` has the same in one array.

        A cluster of a reference begins with -1 - the position of the reference.
        """
        order = np.argsort(self.kept_for, kind="stable")
        labels = self.kept_for[order]
        clusters = []
        for rows in np.split(order, np.flatnonzero(np.diff(labels)) + 1) if len(order) else []:
            head = self.kept_for[rows[0]]
            others = rows[rows != head]
            if len(others):
                clusters.append(np.concatenate([[head], others]))
        return clusters

    @cached_property
    def pairs(self) -> NDArray[np.void]:
        """All verified pairs as a structured array: a < b, jaccard, containment. References have positions below 0."""
        pairs = np.asarray(self._decisions.pairs()[0]).view(PAIR)
        if not self._references:
            return pairs
        moved = np.empty(len(pairs), [("a", "<i8"), ("b", "<i8"), ("jaccard", "<f8"), ("containment", "<f8")])
        for name in PAIR.names or ():
            moved[name] = pairs[name]
        for name in ("a", "b"):
            row = pairs[name].astype(np.int64)
            moved[name] = np.where(row >= self._references, row - self._references, -1 - row)
        return moved

    def columns(self) -> dict[str, Any]:
        """The decision about each row, as columns of a table.

        ``kept_for`` and ``kept_id`` (None without ids) name the row that is kept in its place, ``cluster_size`` is the number of
        rows for which this row is kept, itself and a reference included. Rows that leave have a ``measure`` and a ``score``.

        >>> import leitong
        >>> columns = leitong.dedup(["渡船", "另一篇文章", "渡船"]).columns()
        >>> columns["kept_for"].tolist(), columns["cluster_size"].tolist(), columns["score"]
        ([0, 1, 0], [2, 1, 2], [None, None, 1.0])
        """
        measures: list[str | None] = [None] * len(self.kept_for)
        scores: list[float | None] = [None] * len(self.kept_for)
        for removal in self.removals:
            measures[removal.position], scores[removal.position] = removal.measure, removal.score
        kept, inverse, counts = np.unique(self.kept_for, return_inverse=True, return_counts=True)
        sizes = (counts + (kept < 0))[inverse]  # a reference is no row
        ids = [self.id_of(row) for row in self.kept_for.tolist()]
        return {"kept_for": self.kept_for, "kept_id": ids, "cluster_size": sizes, "measure": measures, "score": scores}

    @property
    def near_misses(self) -> list[NearMiss]:
        """The refused pairs that came nearest to the rule, nearest first: at most 500."""
        return [
            NearMiss(self._row(miss[0]), self._row(miss[1]), *miss[2:]) for miss in self._decisions.near_misses()
        ]

    @property
    def recall(self) -> Recall:
        """The recall that the run measured."""
        return Recall(*self._decisions.recall())

    @property
    def vectors(self) -> VectorCounts:
        """The counts of the comparison of vectors."""
        return VectorCounts(*self._decisions.vectors(), VectorRecall(*self._decisions.vector_recall()))

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds by stage."""
        return dict(self._decisions.stage_seconds())

    def rethreshold(self, threshold: float, measure: str | None = None) -> Result:
        """Decides again with only those pairs that reach the threshold. Nothing is compared again.

        The threshold applies to the score of each pair (the value of the measure that decided it), or to ``measure``: "jaccard",
        "containment", or "own_jaccard" and "own_containment" of the texts without templates (if templates did not count in the
        run). Identical texts always belong together. The threshold can only rise, since a lower threshold than that of the run
        finds no more pairs. The recall of the new result is not measured.

        >>> import leitong
        >>> ferry = "渡船清晨六点开第一班，雾大的日子停航。乘客请在北岸的石阶旁排队等候。"
        >>> result = leitong.dedup([ferry, ferry + "不要站在跳板上。"])
        >>> result, result.rethreshold(0.9)
        (<Result: 2 texts, 1 kept, 1 removed>, <Result: 2 texts, 2 kept, 0 removed>)
        """
        decisions = self._decisions.rethreshold(measure or "", real(threshold, "threshold", "give a number from 0 to 1"))
        return Result(decisions, self._take, self._text, self.ids, self._references, self._reference_ids, None)

    def report(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes the report of ``leitong dedup --report``: one HTML page with figures, and texts side by side.

        The run is repeated, from a temporary file of the texts. The page counts texts that are blank or hold a NUL character as
        records that could not be read, as the command does; a warning in the log says how many these are. Raises UnsupportedError
        after ``rethreshold``; call ``dedup`` with that measure and threshold instead.
        """
        if self._page is None:
            raise UnsupportedError(
                "a result at another threshold has no report; let dedup run with this measure and threshold"
            )
        count = len(self._decisions)
        ids = [self.id_of(self._row(position)) for position in range(count)]
        names = [str(position if id is None else id) for position, id in enumerate(ids)]
        self._page.write(path, overwrite, map(self._text, range(count)), names, self._references)

    def least_similar(self, count: int = 10) -> list[Removal]:
        """The removals with the lowest scores. They show best whether the rule suits the data."""
        return sorted(self.removals, key=lambda removal: (removal.score, removal.position))[:count]

    def explain(self, position: int) -> Explanation:
        """What became of a row: why it left, and the text that stays in its place; or which rows it represents."""
        if not 0 <= position < len(self.kept_for):
            raise InvalidArgumentError(f"there is no row {position} among {len(self.kept_for)}")
        kept = int(self.kept_for[position])
        represents = [int(row) for row in np.flatnonzero(self.kept_for == position) if row != position]
        if kept == position:
            return Explanation(position, None, None, represents)
        removal = self.removals[int(np.searchsorted(self.removed_positions, position))]
        comparison = compare(self.text_of(position), self.text_of(kept))
        return Explanation(position, removal, comparison, represents)

    def id_of(self, row: int) -> Any:
        """The id of a row, or of the reference -1 - row; None if it has none.

        >>> import leitong
        >>> result = leitong.dedup([{"id": "b", "text": "渡船"}], references=[{"id": "a", "text": "渡船"}])
        >>> result.id_of(0), result.id_of(-1)
        ('b', 'a')
        """
        if row >= 0:
            return None if self.ids is None else self.ids[row]
        return None if self._reference_ids is None else self._reference_ids[-1 - row]

    def _row(self, position: int) -> int:
        return position - self._references if position >= self._references else -1 - position


def read_back(deduplicator: _leitong.Deduplicator, positions: Sequence[int]) -> Iterator[str]:
    """Reads the texts that the library took, one after the other."""
    return (deduplicator.text(position) for position in positions)
