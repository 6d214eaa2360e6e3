"""Compares two texts by every measure, with the passages that they share."""
from __future__ import annotations

import html
from typing import Literal

from . import _leitong
from ._answering import answering
from ._numbers import whole

Passage = _leitong.Passage
ComparedText = _leitong.ComparedText

_SHORT = 20_000  # texts of so many characters are compared in less than 0.1 s


class Comparison:
    """Two texts compared. In a notebook it shows both texts with the shared passages marked.

    Measures run from 0 (nothing in common) to 1 (the same). Passages are places in characters.
    """

    def __init__(self, first: str, second: str, found: _leitong.CompareResult) -> None:
        self.first, self.second = first, second
        self.a: ComparedText = found.a
        self.b: ComparedText = found.b
        #: Shared shingles of 5 units / shingles of either text.
        self.jaccard: float = found.jaccard
        #: Shared shingles of 5 units / shingles of the smaller text.
        self.containment: float = max(found.a.containment, found.b.containment)
        #: 1 - edit distance / units of the longer text; None if it would take too long to compute.
        self.edit: float | None = found.edit
        #: Bits in which the SimHashes of the shingles differ; None if a text is empty.
        self.shingle_simhash_distance: int | None = found.shingle_simhash_distance
        #: Are the texts the same?
        self.identical: bool = found.identical
        #: Are they copies that differ in signs that are text, such as < and >?
        self.other_signs: bool = found.other_signs
        #: The measure by which the two are similar under the default rule: "identical", "copy", "jaccard" or "containment"; None if
        #: they are not.
        self.similar_by: str | None = found.similar_by or None
        #: What two similar texts are to each other: "copy", "revision", "version", "excerpt", "reworded" or "same_form" (``Removal``).
        self.relation: str | None = found.relation or None
        self.passages: list[Passage] = list(found.passages)

    def __repr__(self) -> str:
        verdict = f"similar by {self.similar_by}" if self.similar_by else "not similar"
        return f"<Comparison: {verdict}, jaccard {self.jaccard:.2f}, containment {self.containment:.2f}>"

    def __str__(self) -> str:
        lines = [repr(self)[13:-1]]
        lines += [f"  both say: {self.first[slice(*passage.a)]}" for passage in self.passages]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        edit = "" if self.edit is None else f", edit {self.edit:.2f}"
        verdict = f"similar by {self.similar_by}" if self.similar_by else "not similar"
        sides = "".join(
            f'<div style="flex:1;min-width:16em;white-space:pre-wrap">{_marked(text, places)}</div>'
            for text, places in (
                (self.first, [passage.a for passage in self.passages]),
                (self.second, [passage.b for passage in self.passages]),
            )
        )
        return (
            f"<div><p><b>{html.escape(verdict)}</b>: Jaccard {self.jaccard:.2f}, containment {self.containment:.2f}"
            f'{edit}</p><div style="display:flex;gap:1.5em;flex-wrap:wrap">{sides}</div></div>'
        )


def _marked(text: str, places: list[tuple[int, int]]) -> str:
    """The text as HTML. A passage has the same number on either side."""
    parts, end = [], 0
    for (begin, stop), number in sorted(zip(places, range(1, len(places) + 1), strict=True)):
        parts.append(html.escape(text[end:begin]))
        parts.append(f"<mark title=\"{number}\">{html.escape(text[begin:stop])}</mark>")
        end = stop
    parts.append(html.escape(text[end:]))
    return "".join(parts)


def compare(
    a: str,
    b: str,
    *,
    edit_cells: int = 40_000_000_000,
    marks: Literal["fold", "keep"] = "fold",
    numbers: Literal["same", "masked"] = "same",
) -> Comparison:
    """Compares two texts by every measure.

    ``edit_cells`` limits the work of the edit similarity: it is computed if the product of the two lengths is at most this; by
    default it takes up to about a second. Raises LimitError above 256 MiB of text. ``marks`` and ``numbers`` say what counts in the
    texts, as in ``leitong.dedup``.

    >>> import leitong
    >>> found = leitong.compare("请在北岸的石阶旁排队等候，不要站在跳板上", "請在北岸的石階旁等候，不要站在跳板上")
    >>> found.similar_by
    'jaccard'
    >>> [found.first[begin:end] for begin, end in (passage.a for passage in found.passages)]
    ['请在北岸的石阶旁', '等候，不要站在跳板上']
    """
    edit_cells = whole(edit_cells, "edit_cells", 0, 2**64 - 1, "give the most cells of a table of both lengths")
    pair = _leitong.Texts.from_strings((a, b))
    if len(a) + len(b) <= _SHORT:  # compared before another thread could start
        return Comparison(a, b, _leitong.compare(pair, edit_cells, marks, numbers))
    return Comparison(a, b, answering(lambda: _leitong.compare(pair, edit_cells, marks, numbers)))
