"""leitong finds texts that are nearly the same, verifies it, and says which ones to keep.

>>> import leitong
>>> result = leitong.dedup(["渡船清晨六点开第一班", "渡船清晨六點開第一班", "面团要发两次，然后烤四十分钟"])
>>> result.kept
['渡船清晨六点开第一班', '面团要发两次，然后烤四十分钟']
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

try:
    from . import _leitong
except ImportError as error:
    from ._platform import explain_import

    raise ImportError(explain_import(error)) from error

from . import hamming
from ._answers import (
    Answer,
    Bounds,
    CandidateText,
    Change,
    Changes,
    Committed,
    CopiedPassage,
    IndexExplanation,
    Key,
    Match,
    Part,
    Stored,
)
from ._compare import ComparedText, Comparison, Passage, compare
from ._decontaminate import Leak, Leaks, decontaminate
from ._dedup import dedup
from ._errors import (
    CancelledError,
    ConflictError,
    CorruptError,
    Error,
    InputOutputError,
    InvalidArgumentError,
    LimitError,
    NotFoundError,
    UnsupportedError,
)
from ._evaluate import Metrics, Score, evaluate
from ._index import Index
from ._leitong import kernels, version
from ._result import Explanation, NearMiss, Recall, Removal, Result, VectorCounts, VectorRecall
from ._restore import Restored, restore
from ._session import Progress
from ._sign import Method, MethodParam, Signatures, Signer, explain_difference, methods, sign
from ._texts import Dictionaries, Segmenter, digest, keywords, normalise, segment
from ._trim import Cut, Trimmed, trim

if TYPE_CHECKING:
    from ._client import AsyncClient, Client

__version__ = version()

__all__ = [
    "Answer",
    "AsyncClient",
    "Bounds",
    "CancelledError",
    "CandidateText",
    "Change",
    "Changes",
    "Client",
    "Committed",
    "CopiedPassage",
    "ComparedText",
    "Comparison",
    "ConflictError",
    "CorruptError",
    "Cut",
    "Dictionaries",
    "Error",
    "Explanation",
    "Index",
    "IndexExplanation",
    "InputOutputError",
    "InvalidArgumentError",
    "Key",
    "Leak",
    "Leaks",
    "LimitError",
    "Match",
    "Method",
    "MethodParam",
    "Metrics",
    "NearMiss",
    "NotFoundError",
    "Part",
    "Passage",
    "Progress",
    "Recall",
    "Removal",
    "Restored",
    "Result",
    "Score",
    "Segmenter",
    "Signatures",
    "Signer",
    "Stored",
    "Trimmed",
    "UnsupportedError",
    "VectorCounts",
    "VectorRecall",
    "compare",
    "decontaminate",
    "dedup",
    "digest",
    "evaluate",
    "explain_difference",
    "hamming",
    "kernels",
    "keywords",
    "methods",
    "normalise",
    "restore",
    "segment",
    "sign",
    "trim",
]


def __getattr__(name: str) -> Any:
    """Imports the clients of a server at their first use, because HTTP, TLS and asyncio take a third of the time of an import."""
    if name in ("AsyncClient", "Client"):
        from . import _client

        return getattr(_client, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
