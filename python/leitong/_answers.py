"""What an index says."""
from __future__ import annotations

from typing import Literal, NamedTuple

Verdict = Literal["new", "exact", "near", "refused"]


class Match(NamedTuple):
    """The text of the index that another one is similar to. All figures come from both texts; none is estimated."""

    id: str
    measure: str
    #: its value; of "hamming": bits that agree, of all bits
    score: float
    #: None where the measure is "hamming": fingerprints were compared, not texts
    jaccard: float | None = None
    containment: float | None = None
    #: where it comes from, as it was added
    source: str = ""
    #: its date, in seconds since 1970
    time: int | None = None
    #: of "hamming": bits that differ; None for other measures
    distance: int | None = None
    #: the part of the text that was asked about which this one lacks, templates left out; None where the texts were not
    #: compared
    loss: float | None = None
    #: may that text leave for this one by the default limits of removal ("careful")?
    covered: bool = False


class Bounds(NamedTuple):
    """Where the search for a text was cut short: likely texts that were not compared, holders of its keys or keys left out."""

    candidates: int = 0
    ids: bool = False
    keys: bool = False


class Answer(NamedTuple):
    """What an index says of a text. ``docs/online-index.md`` explains each member."""

    #: "new", "exact", "near" or "refused"
    verdict: Verdict
    #: of exact and near ones
    match: Match | None = None
    #: other similar texts, the most similar first, where more than one match was asked for
    others: tuple[Match, ...] = ()
    #: what was left out
    bounds: Bounds = Bounds()
    #: texts that are similar to it but for what many texts share
    refused_as_template: int = 0
    #: the index had this text under this id, and nothing changed
    known: bool = False
    #: of a refusal
    reason: str = ""
    #: of the index with this text, where it was added; otherwise of the index that was looked at
    version: int | None = None

    @property
    def is_new(self) -> bool:
        """No text of the index is similar."""
        return self.verdict == "new"


class Stored(NamedTuple):
    """A text of the index. ``family`` is the id of the text that stands for it; None if it stands for itself."""

    id: str
    text: str
    verdict: Verdict
    family: str | None
    source: str = ""
    time: int | None = None
    expires: int | None = None


class Change(NamedTuple):
    """A text that came, as it is now; or one that left, of which ``stored`` has the id alone."""

    removed: bool
    stored: Stored


class Changes(NamedTuple):
    """What came and left, the earliest first. The next ones go on at ``cursor``; ``more``: there are some already."""

    changes: list[Change]
    cursor: str
    more: bool


class Committed(NamedTuple):
    """What became of the texts of a source when it was committed."""

    texts: int
    new: int
    near: int
    exact: int
    known: int
    refused: int


class Key(NamedTuple):
    """A key that was looked up. ``full``: too many texts have it, and only the earliest are read."""

    tier: int
    level: int
    holders: int
    full: bool


class CandidateText(NamedTuple):
    """A text that shares a key with the one that was asked for, and what became of it.

    In an index of fingerprints ``distance`` is known, the bits that differ; in others all the rest is.
    """

    id: str
    units: int | None
    rank: float | None
    sketch: float | None
    fate: str
    jaccard: float | None
    containment: float | None
    distance: int | None = None


class IndexExplanation(NamedTuple):
    """How an index comes to its answer: the keys in the order in which they are looked up, the likeliest candidates first."""

    answer: Answer
    units: int
    keys: list[Key]
    candidates: list[CandidateText]
