"""The answers of an index."""
from __future__ import annotations

from typing import Literal, NamedTuple

Verdict = Literal["new", "exact", "near", "refused", "parts"]


class Match(NamedTuple):
    """The text of the index that a text is similar to. All figures are computed from both texts; none is estimated."""

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


class CopiedPassage(NamedTuple):
    """A passage that a text shares with one of the index: ``text[begin:end]`` and ``of_source[source_begin:source_end]``."""

    begin: int
    end: int
    source_begin: int
    source_end: int
    #: a Chinese character, or two letters or digits, is a unit
    units: int


class Part(NamedTuple):
    """A text of the index that holds a part of a text, for an index by the scheme "reuse"."""

    id: str
    #: "passage": a run of at least 60 equal units outside of templates; "containment", "own_text"
    measure: str
    #: its value; for a passage its part of the smaller text
    score: float
    containment: float
    #: of all passages
    units: int
    #: the passages, as a share of the text that was asked about
    share: float
    #: the passages, as a share of this text
    share_of_source: float
    #: where it comes from, as it was added
    source: str = ""
    #: its date, in seconds since 1970
    time: int | None = None
    #: in the order of the text that was asked about
    passages: tuple[CopiedPassage, ...] = ()


class Bounds(NamedTuple):
    """Where the search for a text was limited: candidates that were not compared, texts of its keys or keys that were left out."""

    candidates: int = 0
    ids: bool = False
    keys: bool = False


class Answer(NamedTuple):
    """The answer of an index for a text. ``docs/online-index.md`` explains each member."""

    #: "new", "exact", "near" or "refused"; of an index by the scheme "reuse" also "parts"
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
    #: it is new, and only equal texts were looked for: below 6 units (a Chinese character, or two letters or digits) texts are too short to
    #: be compared
    too_short: bool = False
    #: of an index by the scheme "reuse", for texts that are new or near otherwise: the texts that hold a part of this one, the longest part
    #: first
    parts: tuple[Part, ...] = ()

    @property
    def is_new(self) -> bool:
        """No text of the index is similar."""
        return self.verdict == "new"


class Stored(NamedTuple):
    """A text of the index. ``family`` is the id of the text that represents its family; None if it is that text."""

    id: str
    text: str
    verdict: Verdict
    family: str | None
    source: str = ""
    time: int | None = None
    expires: int | None = None


class Change(NamedTuple):
    """A text that was added, in its present state; or one that was removed, of which ``stored`` has only the id."""

    removed: bool
    stored: Stored


class Changes(NamedTuple):
    """Additions and removals, the earliest first. The next ones continue at ``cursor``; ``more``: there are already some."""

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
    """A key that was looked up. ``full``: too many texts have it, so only the earliest are read."""

    tier: int
    level: int
    holders: int
    full: bool


class CandidateText(NamedTuple):
    """A text that shares a key with the queried text, and what happened to it.

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
    """How an index finds its answer: the keys in the order of the search, and the most likely candidates first."""

    answer: Answer
    units: int
    keys: list[Key]
    candidates: list[CandidateText]
