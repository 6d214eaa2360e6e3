"""Words, keywords, normal forms and digests of texts."""
from __future__ import annotations

import enum
import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeVar, overload

from . import _leitong
from ._answering import answering
from ._data import texts_of
from ._dictionaries import data_folder
from ._errors import CorruptError, InvalidArgumentError
from ._numbers import whole
from ._session import session

Kind = TypeVar("Kind", bound=enum.Enum)
_SHORT = 16 << 20  # the digest of so many bytes takes less than 0.1 s


def choice(kinds: type[Kind], name: str, what: str) -> Kind:
    """A member of an enumeration by its name."""
    members = {member.name: member for member in kinds}
    if name not in members:
        raise InvalidArgumentError(f"{what} is {name!r}; choose one of {', '.join(members)}")
    return members[name]


@dataclass(frozen=True)
class Dictionaries:
    """The files by which texts are cut. An empty name stands for jieba's own file; user dictionaries are used in addition."""

    model: str | os.PathLike[str] = ""
    user: tuple[str | os.PathLike[str], ...] = ()
    idf: str | os.PathLike[str] = ""
    stop_words: str | os.PathLike[str] = ""

    def open(self) -> _leitong.Dictionaries:
        """The dictionaries in the form of the library."""
        return _leitong.Dictionaries(
            os.fspath(self.model), [os.fspath(path) for path in self.user], os.fspath(self.idf), os.fspath(self.stop_words)
        )


@dataclass(frozen=True)
class Segmenter:
    """Cuts Chinese texts into words, exactly as cppjieba does with the same dictionaries.

    The dictionaries are opened by the first call. A Segmenter consists only of its settings, so it can be pickled, and any number
    of threads can use it.

    ``phrases`` is a file with a word that holds spaces ("machine learning") on each line, and if wanted a tab and its part of
    speech. A phrase in a text becomes one word if it begins where a word begins and ends where a word ends. Phrases need the mode
    mix.

    >>> import leitong
    >>> leitong.Segmenter().segment("乘客请在北岸的石阶旁排队等候")
    ['乘客', '请', '在', '北岸', '的', '石阶', '旁', '排队', '等候']
    """

    dictionaries: Dictionaries = Dictionaries()
    threads: int = 0
    phrases: str | os.PathLike[str] = ""

    @cached_property
    def _opened(self) -> _leitong.Segmenter:
        folder = "" if self.dictionaries.model else data_folder()
        return _leitong.Segmenter.open(session(data_folder=folder), self.dictionaries.open(), os.fspath(self.phrases))

    def __getstate__(self) -> dict[str, Any]:
        return {"dictionaries": self.dictionaries, "threads": self.threads, "phrases": self.phrases}

    @overload
    def segment(self, texts: str, *, mode: str = ..., hmm: bool = ..., all_scripts: bool = ...) -> list[str]: ...  # pyright: ignore[reportOverlappingOverload]
    @overload
    def segment(self, texts: Any, *, mode: str = ..., hmm: bool = ..., all_scripts: bool = ...) -> list[list[str]]: ...
    def segment(
        self, texts: Any, *, mode: str = "mix", hmm: bool = True, all_scripts: bool = False
    ) -> list[str] | list[list[str]]:
        """The words of a text, or of each of many texts (of any kind that ``leitong.dedup`` takes in memory).

        ``mode`` is mix (the most likely words), full (all words of the dictionary) or search (the most likely, each after
        the shorter words in it). ``hmm`` joins characters that no word covers; ``all_scripts`` cuts other scripts by
        their own rules.
        """
        settings = _leitong.SegmentSettings(choice(_leitong.SegmentMode, mode, "mode"), hmm, all_scripts)
        if isinstance(texts, str):
            return self._opened.segment(session(threads=1), _one(texts), settings)[0]
        return self._opened.segment(session(threads=self.threads), texts_of(texts), settings)

    @overload
    def keywords(self, texts: str, count: int = ..., *, all_scripts: bool = ...) -> list[tuple[str, float]]: ...  # pyright: ignore[reportOverlappingOverload]
    @overload
    def keywords(self, texts: Any, count: int = ..., *, all_scripts: bool = ...) -> list[list[tuple[str, float]]]: ...
    def keywords(
        self, texts: Any, count: int = 20, *, all_scripts: bool = False
    ) -> list[tuple[str, float]] | list[list[tuple[str, float]]]:
        """The heaviest words of a text, or of each of many, by TF-IDF: words of two characters and more."""
        count = whole(count, "count", 0, 2**32 - 1, "give the number of words that are wanted")
        if isinstance(texts, str):
            return self._opened.keywords(session(threads=1), _one(texts), count, all_scripts)[0]
        return self._opened.keywords(session(threads=self.threads), texts_of(texts), count, all_scripts)

    def tag(self, word: str) -> str:
        """The part of speech of a word in jieba's dictionary."""
        return self._opened.tag(word)


def _one(text: str) -> _leitong.Texts:
    return _leitong.Texts.from_strings((text,))


_jieba: Segmenter = Segmenter()


@overload
def segment(texts: str, *, mode: str = ..., hmm: bool = ..., all_scripts: bool = ...) -> list[str]: ...  # pyright: ignore[reportOverlappingOverload]
@overload
def segment(texts: Any, *, mode: str = ..., hmm: bool = ..., all_scripts: bool = ...) -> list[list[str]]: ...
def segment(
    texts: Any, *, mode: str = "mix", hmm: bool = True, all_scripts: bool = False
) -> list[str] | list[list[str]]:
    """The words of a text, or of each of many, by jieba's dictionaries; ``Segmenter.segment`` says more.

    >>> import leitong
    >>> leitong.segment(["雾大的日子", "渡船清晨六点开第一班"])
    [['雾', '大', '的', '日子'], ['渡船', '清晨', '六点', '开', '第一班']]
    """
    return _jieba.segment(texts, mode=mode, hmm=hmm, all_scripts=all_scripts)


@overload
def keywords(texts: str, count: int = ..., *, all_scripts: bool = ...) -> list[tuple[str, float]]: ...  # pyright: ignore[reportOverlappingOverload]
@overload
def keywords(texts: Any, count: int = ..., *, all_scripts: bool = ...) -> list[list[tuple[str, float]]]: ...
def keywords(
    texts: Any, count: int = 20, *, all_scripts: bool = False
) -> list[tuple[str, float]] | list[list[tuple[str, float]]]:
    """The heaviest words of a text, or of each of many, with their weights.

    >>> import leitong
    >>> [word for word, weight in leitong.keywords("渡船清晨开第一班，雾大的日子渡船停航", 2)]
    ['渡船', '第一班']
    """
    return _jieba.keywords(texts, count, all_scripts=all_scripts)


Choice = Literal["keep", "fold", "space"]


@overload
def normalise(  # pyright: ignore[reportOverlappingOverload]
    texts: str, *, fold_case: bool = ..., drop_invisible: bool = ..., run_space_together: bool = ...,
    punctuation: Choice = ..., simplify: Literal["no", "characters", "phrases"] = ..., threads: int = ...
) -> str: ...
@overload
def normalise(
    texts: Any, *, fold_case: bool = ..., drop_invisible: bool = ..., run_space_together: bool = ...,
    punctuation: Choice = ..., simplify: Literal["no", "characters", "phrases"] = ..., threads: int = ...
) -> list[str]: ...
def normalise(
    texts: Any,
    *,
    fold_case: bool = True,
    drop_invisible: bool = True,
    run_space_together: bool = True,
    punctuation: Choice = "keep",
    simplify: Literal["no", "characters", "phrases"] = "no",
    threads: int = 0,
) -> str | list[str]:
    """A text, or each of many, in one canonical spelling: NFKC and the other settings.

    ``simplify="phrases"`` needs OpenCC's files on the machine.

    >>> import leitong
    >>> leitong.normalise("　Ｆｅｒｒｙ　ｂｏａｔ　渡船開航", simplify="characters")
    'ferry boat 渡船开航'
    """
    settings = _leitong.NormaliseSettings(
        fold_case,
        drop_invisible,
        run_space_together,
        choice(_leitong.Punctuation, punctuation, "punctuation"),
        choice(_leitong.Simplify, simplify, "simplify"),
    )
    if isinstance(texts, str):
        return _leitong.normalise(session(threads=1), _one(texts), settings)[0]
    return _leitong.normalise(session(threads=threads), texts_of(texts), settings)


def digest(data: bytes | str, kind: str = "sha256") -> str:
    """The digest of bytes (a str is its UTF-8) in hexadecimal digits: md5, sha256, xxh3, blake2b or blake3.

    >>> import leitong
    >>> leitong.digest("渡船", "md5")
    '55aac8944b0a24d523c4509bcfe5a261'
    """
    try:
        # Not bytes(data), which turns a number into so many zeros.
        given = data.encode() if isinstance(data, str) else bytes(memoryview(data))
    except UnicodeEncodeError:
        raise CorruptError('the text holds a lone surrogate, which has no UTF-8; read it with errors="replace"') from None
    except TypeError:
        raise InvalidArgumentError(f"a {type(data).__name__} has no digest; give bytes or a str") from None
    if len(given) <= _SHORT:
        return _leitong.digest(given, kind)
    return answering(lambda: _leitong.digest(given, kind))
