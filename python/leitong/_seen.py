"""Finds the rows of a batch that an index has not seen."""
from __future__ import annotations

from collections.abc import Sequence

from ._answers import Answer
from ._session import log


def are_new(answers: Sequence[Answer]) -> list[bool]:
    """For each row: is it new? A row that the index refused is not new and not in the index; the log reports it."""
    refused = [answer.reason for answer in answers if answer.verdict == "refused"]
    if refused:
        log.warning("%d of %d rows are left out, since the index refused them; the first: %s", len(refused), len(answers), refused[0])
    return [answer.is_new for answer in answers]
