"""The answers of an index."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ._session import log

Verdict = Literal["new", "exact", "near", "refused", "parts"]


class Match(NamedTuple):
    """The text of the index that a text is similar to. All figures are computed from both texts; none is estimated."""

    id: str
    measure: str
    #: its value; for "hamming" the share of bits that agree
    score: float
    #: None if the measure is "hamming", because then fingerprints were compared and not texts
    jaccard: float | None = None
    containment: float | None = None
    #: where it comes from, as it was added
    source: str = ""
    #: its date, in seconds since 1970
    time: int | None = None
    #: for "hamming" the number of bits that differ; None for other measures
    distance: int | None = None
    #: the share of the queried text that this text lacks, without templates; None if the texts were not compared
    loss: float | None = None
    #: may the queried text leave for this one by the default limits of removal ("careful")?
    covered: bool = False


class CopiedPassage(NamedTuple):
    """A passage that a text shares with a text of the index: ``text[begin:end]`` and ``of_source[source_begin:source_end]``."""

    begin: int
    end: int
    source_begin: int
    source_end: int
    #: a Chinese character, or two letters or digits, is a unit
    units: int


class Part(NamedTuple):
    """A text of the index that holds a part of the queried text, for an index with the scheme "reuse"."""

    id: str
    #: "passage": a run of at least 60 equal units outside of templates; "containment", "own_text"
    measure: str
    #: its value; for "passage" the share of the smaller text that lies in the passage
    score: float
    containment: float
    #: the units of all passages
    units: int
    #: the passages, as a share of the queried text
    share: float
    #: the passages, as a share of this text
    share_of_source: float
    #: where it comes from, as it was added
    source: str = ""
    #: its date, in seconds since 1970
    time: int | None = None
    #: the passages in the order of the queried text
    passages: tuple[CopiedPassage, ...] = ()


class Bounds(NamedTuple):
    """Where the search for a text was limited: candidates were not compared, or texts of its keys or whole keys were left out."""

    candidates: int = 0
    ids: bool = False
    keys: bool = False


class Answer(NamedTuple):
    """The answer of an index for a text. ``docs/online-index.md`` explains each member."""

    #: "new", "exact", "near" or "refused"; with the scheme "reuse" also "parts"
    verdict: Verdict
    #: the similar text, if the verdict is "exact" or "near"
    match: Match | None = None
    #: other similar texts, the most similar first, if more than one match was asked for
    others: tuple[Match, ...] = ()
    #: what the search left out
    bounds: Bounds = Bounds()
    #: number of texts that would be similar, but share too little outside of templates
    refused_as_template: int = 0
    #: the index had this text under this id, and nothing changed
    known: bool = False
    #: why the text was refused
    reason: str = ""
    #: the version of the index with this text, if it was added; otherwise the version that was queried
    version: int | None = None
    #: the text is new, and only equal texts were looked for, because texts of less than 6 units (a Chinese character, or two
    #: letters or digits) are too short to be compared
    too_short: bool = False
    #: with the scheme "reuse", for texts that are new or near: the texts that hold a part of this text, the longest part first
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
    """Additions and removals, the earliest first. The next call continues at ``cursor``. ``more`` says that there are already more
    of them."""

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

    An index of fingerprints fills in ``distance``, the number of bits that differ; other indexes fill in all other members.
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


def are_new(answers: Sequence[Answer]) -> list[bool]:
    """For each row: is it new? A row that the index refused is not new and not in the index; the log reports it."""
    refused = [answer.reason for answer in answers if answer.verdict == "refused"]
    if refused:
        log.warning("%d of %d rows are left out, since the index refused them; the first: %s", len(refused), len(answers), refused[0])
    return [answer.is_new for answer in answers]
