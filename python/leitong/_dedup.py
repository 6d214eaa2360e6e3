"""Which of these texts are the same, and which one stays?"""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _leitong
from ._data import Source, Stream, is_in_memory, source_of
from ._dictionaries import data_folder
from ._errors import InvalidArgumentError, NotFoundError
from ._given import name_of
from ._groups import groups_of
from ._keep import keep_of, ranks_of
from ._result import Result, read_back
from ._report import Page
from ._session import ProgressOption, log, session
from ._settings import given
from ._texts import Dictionaries
from ._vectors import vectors_of

Places = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None
_INDEXED_AT_ONCE = 512
Params = Mapping[str, object] | Sequence[str] | None


def dedup(
    data: Any,
    text: str = "text",
    id: str | None = None,
    *,
    keep: str | ArrayLike = "longest",
    remove: Literal["lossless", "careful", "wide", "similar"] = "careful",
    loss: float | None = None,
    loss_run: float | None = None,
    numbers: Literal["same", "text", "masked"] = "same",
    marks: Literal["fold", "keep"] = "fold",
    within: str | Sequence[Any] | ArrayLike | None = None,
    across: str | Sequence[Any] | ArrayLike | None = None,
    keep_each: str | Sequence[Any] | ArrayLike | None = None,
    references: Any = None,
    reference_index: Places = None,
    write_index: str | os.PathLike[str] | None = None,
    method: str = "default",
    params: Params = None,
    preset: Literal["strict", "default", "reuse"] = "default",
    measure: str | None = None,
    threshold: float | None = None,
    strict_match: bool = False,
    template_text: Literal["automatic", "ignored", "counted"] = "automatic",
    verify: bool = True,
    dictionaries: Dictionaries | None = None,
    synonyms: str | os.PathLike[str] | None = None,
    vectors: Any = None,
    cosine: float | None = None,
    vector_search: Literal["exact", "approximate"] = "exact",
    measure_recall: bool = True,
    recall_sample: int = 0,
    threads: int = 0,
    memory: int = 0,
    work_folder: str | os.PathLike[str] | None = None,
    progress: ProgressOption = None,
) -> Result:
    """Finds the near-duplicates among texts and decides which ones stay.

    ``data`` is a list of str or of dict, a dict of columns, a table or a column of pandas, polars, pyarrow or datasets, or anything
    else with ``__arrow_c_stream__``; also an iterator of str or dict. Arrow strings of a table in memory are read without a copy.
    Data that can be read only once (a ``RecordBatchReader``, a relation of duckdb, an iterator) are taken batch by batch, and may
    be larger than memory: texts that exceed ``memory`` are compressed and written to ``work_folder``.

    ``text`` and ``id`` name columns or fields. Without ``id`` the column "id" is used if there is one (in an Arrow stream only if
    it has strings or integers). Rows have positions and need no ids, but ids make the answers easier to read.

    ``keep`` says which text of a cluster stays: "longest", "shortest", "first", "covering" (the one for which most text may leave;
    it needs a ``remove`` other than "similar"), "min:COLUMN" or "max:COLUMN", or an array with a number for each row, of which the
    least stays. Strings that are numbers count as numbers. Rows without a number (None, NaN, "n/a") rank last, and the log says how
    many rows these are.

    ``remove`` says what may be lost when a text leaves: it leaves only for a similar text that holds nearly all of it. With
    "careful" the kept text may lack 5 % of the leaving text's own units, but only 1 % in runs of 24 units and more, and no run of
    more than 32 units; with "lossless" 0.5 %, and no run of 24 units and more; with "wide" 10 %, but only 3 % in runs of 24 units
    and more. With "similar" every similar text leaves. ``loss`` and ``loss_run`` (shares of the text's own units) are your own
    limits instead of a name. Reworded units count 0.3. A number that differs counts as 8 lost units, or with ``numbers="text"``
    like any reworded text. With ``numbers="masked"`` all numbers count as equal, which suits logs: texts that differ only in
    numbers are copies of each other. With ``marks="keep"`` accents, Arabic and Hebrew points and other marks that writers may leave
    out count; otherwise they do not. With ``verify=False`` the texts are not compared, and every similar text leaves.

    ``within``, ``across`` and ``keep_each`` are the name of a column, or a value for each text (those of ``references`` first):
    only texts with the same value of ``within`` are compared (a snapshot, a language), those with the same value of ``across``
    never are (versions by one author), and of each cluster one text stays for every value of ``keep_each``. Rows without a value
    (None, NaN, a blank string) share one value for ``within`` and ``keep_each``, and have different values for ``across``; the log
    says how many rows these are.

    Texts of ``references`` (data of any kind) are compared with the others and never leave. The same is true for the texts of
    ``reference_index``, the folder of an ``Index`` or a list of folders, which are only read. ``write_index`` is a new folder in
    which an index of the kept texts appears, each under its id (or its position); ``result.indexed`` counts them, and the log says
    how many were left out because an earlier text has their id. ``method`` and ``params`` are those of ``leitong.methods()``.
    ``preset`` names the rule by its purpose: "strict" finds fewer pairs of different works on one subject. "reuse" finds texts of
    which a part was copied; it is meant for ``pairs`` and reports, since most of these texts should stay. Without a preset
    ``measure`` ("jaccard", "containment" or "edit") with ``threshold`` replaces the default rule, or ``strict_match`` asks for a
    higher similarity of short texts. ``template_text`` says what happens to text that many unrelated texts hold: it is "ignored",
    or "counted" like any other; "automatic" ignores it if the default rule decides. With ``verify=False`` the method's estimate
    decides, and no pair is verified. ``measure_recall=False`` leaves out the estimate of recall, and ``recall_sample`` says on how
    many texts it is made (by default on as many as make it known within 0.05, in about a tenth of the time). ``dictionaries`` are
    for methods that use words. ``synonyms``, for methods of the SimHash family, is a file of lines "word TAB canonical word".

    ``vectors`` (with ``cosine``) are embeddings that you bring: an array with a row for each text, those of ``references`` first,
    or the name of a column of lists. Two texts whose vectors have a cosine of at least ``cosine`` are also similar; the measure of
    such a removal is "cosine". An array of float16, float32 or float64 is read without a copy, also one of ``numpy.load(..,
    mmap_mode="r")``. If a vector has no direction (NaN, infinite, zero), only its text is compared; ``result.vectors`` counts such
    vectors. ``vector_search`` is "exact", which compares every pair in a time that grows with the square of the number of texts, or
    "approximate", for many texts: only vectors that are near the same vectors of a sample are compared, and
    ``result.vectors.recall`` says which share of the pairs was found.

    ``threads`` is 0 for all cores; ``memory`` is a budget in bytes, 0 for one that grows with the input. ``progress`` is True for a
    bar (if tqdm is installed) or a function that takes a Progress. The result depends on none of these.

    >>> import leitong
    >>> texts = [
    ...     "渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候。",
    ...     "The dough rises twice, once in the bowl and once in the tin, and is baked for forty minutes.",
    ...     "渡船清晨六點開第一班，霧大的日子停航。乘客請在北岸的石階旁排隊等候。",
    ... ]
    >>> result = leitong.dedup(texts)
    >>> result
    <Result: 3 texts, 2 kept, 1 removed>
    >>> [(r.position, r.kept, r.measure, round(r.score, 2)) for r in result.removals]
    [(2, 0, 'jaccard', 0.6)]
    >>> result.kept == texts[:2]
    True
    """
    indexes = _folders(reference_index)
    if indexes and vectors is not None:
        raise InvalidArgumentError("the texts of an index have no vectors; give them as references, with their vectors")
    chosen = {"within": within, "across": across, "keep_each": keep_each}
    if indexes and any(values is not None for values in chosen.values()):
        raise InvalidArgumentError("the texts of an index have no values; leave within, across and keep_each out, or the index")
    source = source_of(data, text, id)
    groups = groups_of(chosen, source, None if references is None else source_of(references, text, id)) if any(
        values is not None for values in chosen.values()) else {}
    ranks = ranks_of(keep, source)
    settings = _leitong.DedupSettings(
        given(
            method=method,
            params=params_list(params),
            synonyms=synonyms,
            preset=preset,
            threshold=threshold,
            measure=measure,
            strict_match=strict_match,
            template_text=template_text,
            cosine=cosine,
            vector_search=vector_search,
            verify=verify,
            measure_recall=measure_recall,
            recall_sample=recall_sample or None,
            keep=keep_of(keep) if ranks is None else None,
            remove=remove,
            numbers=numbers,
            marks=marks,
            loss=loss,
            loss_run=loss_run,
        ),
        (dictionaries or Dictionaries()).open(),
        ranks is not None,
    )
    rows_of_vectors = None
    if vectors is not None:
        known = None if references is None else source_of(references, text, id)
        rows_of_vectors = vectors_of(vectors, source, known)
        settings.set_vectors(rows_of_vectors)
    if groups:
        settings.set_groups(groups.get("within"), groups.get("across"), groups.get("keep_each"))
    words = "" if method == "default" else data_folder()
    here = session(threads=threads, memory=memory, work_folder=work_folder, data_folder=words, progress=progress)
    index = None if write_index is None else _leitong.IndexOfKept(here, os.fspath(write_index), settings)
    page = Page(settings, ranks, rows_of_vectors, groups, threads, memory, work_folder, words)
    if is_in_memory(source) and ranks is None and references is None and not indexes:
        texts = source.texts()
        decisions = _leitong.deduplicate(here, texts, settings)
        result = Result(decisions, source.take, texts.__getitem__, _ids(source, id), 0, None, page)
    else:
        result = _by_batches(here, settings, source, id, ranks, references, indexes, text, page)
    if index is not None:
        result.indexed = _index_kept(result, index)
    return result


def _folders(places: Places) -> list[str]:
    if places is None:
        return []
    return [os.fspath(places)] if isinstance(places, (str, os.PathLike)) else [os.fspath(place) for place in places]


def _index_kept(result: Result, index: _leitong.IndexOfKept) -> int:
    """Adds the kept texts in their order; returns how many have an id that no earlier text has."""
    added = 0
    positions = result.kept_positions.tolist()
    for first in range(0, len(positions), _INDEXED_AT_ONCE):
        part = positions[first : first + _INDEXED_AT_ONCE]
        names = [name_of(position if result.ids is None else result.ids[position]) for position in part]
        texts = _leitong.Texts.from_strings(map(result.text_of, part))
        added += index.add(_leitong.Texts.from_strings(names), texts)
    index.finish()
    if added < len(positions):
        log.warning(
            "%d of %d kept texts are not in the index: an earlier one has their id, or it is empty or longer than 1024 bytes",
            len(positions) - added, len(positions))
    return added


def _by_batches(
    here: _leitong.Session,
    settings: _leitong.DedupSettings,
    source: Source | Stream,
    id: str | None,
    ranks: NDArray[np.uint64] | None,
    references: Any,
    indexes: Sequence[str],
    text: str,
    page: Page,
) -> Result:
    """Passes on data that are read once in batches, of which the library keeps a copy."""
    deduplicator = _leitong.Deduplicator(here, settings)
    reference_ids: Sequence[Any] | None = None
    if references is not None:
        _, reference_ids = _add_all(source_of(references, text, id), id, deduplicator.add_references)
    if indexes:
        known = list(reference_ids) if reference_ids is not None else [None] * len(deduplicator)
        for place in indexes:
            known += deduplicator.add_reference_index(place)
        reference_ids = known
    first = len(deduplicator)  # references come first

    def add(texts: _leitong.Texts) -> None:
        begin = len(deduplicator) - first
        deduplicator.add(texts, None if ranks is None else ranks[begin : begin + len(texts)])

    if ranks is not None and is_in_memory(source):
        texts = source.texts()
        if len(texts) != len(ranks):
            raise InvalidArgumentError(f"{len(ranks)} ranks for {len(texts)} texts; give one for each")
        add(texts)
        ids = _ids(source, id)
    else:
        _, ids = _add_all(source, id, add)
    decisions = deduplicator.finish()
    if is_in_memory(source):
        return Result(decisions, source.take, deduplicator.text, ids, first, reference_ids, page)
    stream: Any = source

    def back(positions: NDArray[np.uint32]) -> Any:
        chosen = None if ids is None else [ids[i] for i in positions]
        return stream.back(read_back(deduplicator, (positions + first).tolist()), chosen)

    return Result(decisions, back, deduplicator.text, ids, first, reference_ids, page)


def _add_all(source: Source | Stream, id: str | None, add: Any) -> tuple[int, Sequence[Any] | None]:
    """Passes on all texts of a source; returns their number and their ids."""
    if is_in_memory(source):
        texts = source.texts()
        add(texts)
        return len(texts), _ids(source, id)
    ids: list[Any] = []
    count, complete = 0, True
    stream: Any = source
    for texts, some in stream.batches():
        add(texts)
        count += len(texts)
        complete = complete and some is not None
        ids += some or []
    if not complete and id is not None:
        raise NotFoundError(f'column "{id}" is missing')
    return count, ids if complete and ids else None


def _ids(source: Source, id: str | None) -> Sequence[Any] | None:
    ids = source.column(id or "id")
    if ids is None and id is not None:
        raise NotFoundError(source.lacks(id))
    return ids


def params_list(params: Params, synonyms: str | os.PathLike[str] | None = None) -> list[str]:
    more = [] if synonyms is None else [f"synonyms={os.fspath(synonyms)}"]
    if params is None:
        return more
    if isinstance(params, Mapping):
        return [f"{name}={value}" for name, value in params.items()] + more
    return list(params) + more
