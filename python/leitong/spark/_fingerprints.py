"""Makes fingerprints of texts, and joins them exactly by tables of their bits."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import hamming
from .._dedup import Params, params_list
from .._errors import InvalidArgumentError
from .._sign import Signer
from ._rows import batch_of, column_types, numbers, pyarrow, slices
from ._store import functions


@dataclass(frozen=True)
class _Sign:
    signer: Signer

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        pa = pyarrow()
        for batch in batches:
            made = self.signer.sign(pa.chunked_array([batch.column("body")]))
            sizes = np.diff(made.offsets)
            if made.fingerprint_bits == 64:
                values = np.zeros(len(made), np.uint64)
                values[sizes > 0] = made.words
                column = pa.array(values.view(np.int64), mask=sizes == 0)
            else:
                column = pa.ListArray.from_arrays(pa.array(made.offsets, pa.int32()), pa.array(made.words.view(np.int64)))
            yield batch_of(id=batch.column("id"), fingerprint=column)


def sign(
    df: Any, text: str = "text", id: str = "id", *, method: str = "simhash", params: Params = None, column: str = "fingerprint"
) -> Any:
    """A DataFrame of ids and signatures, with the bits that ``leitong sign`` prints: a long if the signature is a fingerprint of 64
    bits (null for a text without one), else an array of longs."""
    signer = Signer(method, tuple(params_list(params)), threads=1)
    bits = signer._opened.fingerprint_bits
    types = column_types(df, text, id)
    f = functions()
    made = df.select(f.col(id).alias("id"), f.col(text).alias("body")).mapInArrow(
        _Sign(signer), f"id {types[id]}, fingerprint {'long' if bits == 64 else 'array<long>'}"
    )
    return made.select(f.col("id").alias(id), f.col("fingerprint").alias(column))


def plan(distance: int, tables: int) -> list[tuple[int, ...]]:
    """For each table the blocks of bits by which it groups fingerprints. Two fingerprints that differ in `distance` bits differ in
    at most `distance` of `distance` + 1 blocks, so they agree in one block; with one more block they agree in two."""
    if not 0 <= distance <= 16:
        raise InvalidArgumentError(f"the distance is {distance}; it is 0 to 16 bits")
    one, two = distance + 1, (distance + 2) * (distance + 1) // 2
    if tables == one:
        return [(block,) for block in range(distance + 1)]
    if tables == two:
        return list(combinations(range(distance + 2), 2))
    raise InvalidArgumentError(f"{tables} tables; a distance of {distance} has {one} tables of one block or {two} of two")


def _masks(distance: int, tables: int) -> list[int]:
    """The bits of each table as a mask."""
    chosen = plan(distance, tables)
    blocks = distance + (1 if len(chosen[0]) == 1 else 2)
    edges = [64 * i // blocks for i in range(blocks + 1)]
    return [sum((1 << edges[b + 1]) - (1 << edges[b]) for b in of) for of in chosen]


@dataclass(frozen=True)
class _Near:
    """Turns adjacent fingerprints into pairs within the distance. A pair that a task finds beyond its own tables is true as well;
    repeated pairs are dropped at the end."""

    distance: int
    MOST = 1 << 22  # so many fingerprints are compared at once, in whole buckets

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        bucket, value = np.empty(0, np.int64), np.empty(0, np.int64)
        for batch in chain(batches, [None]):
            if batch is not None:
                bucket = np.concatenate([bucket, numbers(batch, "bucket")])
                value = np.concatenate([value, numbers(batch, "value")])
                if len(bucket) < self.MOST:
                    continue
            end = len(bucket) if batch is None else int(np.searchsorted(bucket, bucket[-1]))
            yield from self._pairs(np.unique(value[:end]).view(np.uint64))
            bucket, value = bucket[end:], value[end:]

    def _pairs(self, values: NDArray[np.uint64]) -> Iterator[Any]:
        if len(values) < 2:
            return
        found = hamming.join(values, distance=self.distance, threads=1)
        yield from slices(batch_of(x=values[found["a"]].view(np.int64), y=values[found["b"]].view(np.int64),
                                   distance=found["distance"].astype(np.int32)))


def hamming_join(
    df: Any, fingerprint: str = "fingerprint", id: str = "id", *, distance: int = 3, tables: int | None = None
) -> Any:
    """All pairs of rows whose 64-bit fingerprints (longs) are within the distance, each once: ``a`` < ``b`` and ``distance``. It
    misses none, and rows without a fingerprint have no pairs.

    ``tables`` is distance + 1, if each table groups by one block of bits (4 tables of 16 bits for a distance of 3), or (distance +
    2) (distance + 1) / 2, if each groups by two blocks (10 tables of some 26 bits). The second kind moves more data, and compares
    fewer pairs of large corpora. Equal fingerprints are moved once, but every pair of their rows is in the result.
    """
    f = functions()
    types = column_types(df, fingerprint, id)
    if types[fingerprint] != "bigint":
        raise InvalidArgumentError(f'column "{fingerprint}" is of the type {types[fingerprint]}; fingerprints of 64 bits are longs')
    masks = _masks(distance, tables or distance + 1)
    rows = df.select(f.col(id).alias("id"), f.col(fingerprint).alias("value")).where("value is not null")
    masked = f.array(*(
        f.xxhash64(f.lit(number), f.col("value").bitwiseAND(f.lit(mask - (1 << 64) if mask >> 63 else mask)))
        for number, mask in enumerate(masks)
    ))
    near = (
        rows.select("value").distinct().select(f.explode(masked).alias("bucket"), "value")
        .repartition("bucket").sortWithinPartitions("bucket")
        .mapInArrow(_Near(distance), "x long, y long, distance int").distinct()
    )
    of_x = rows.select(f.col("id").alias("id_x"), f.col("value").alias("x"))
    of_y = rows.select(f.col("id").alias("id_y"), f.col("value").alias("y"))
    pairs = near.join(of_x, "x").join(of_y, "y").select("id_x", "id_y", "distance")
    equal = of_x.join(of_y, f.col("x") == f.col("y")).where("id_x < id_y").select("id_x", "id_y", f.lit(0).alias("distance"))
    return pairs.union(equal).select(
        f.least("id_x", "id_y").alias("a"), f.greatest("id_x", "id_y").alias("b"), "distance"
    )
