"""Repeated substrings cut by a suffix array of all bytes, as Lee et al. (2022) do it: every stretch of at least LEAST bytes that an
earlier place of the corpus holds is cut, wherever it begins. libdivsufsort and Kasai's algorithm, both compiled; numpy for the rest.
"""
import json
import sys

import numpy
from pydivsufsort import divsufsort, kasai

source, target, least = sys.argv[1], sys.argv[2], int(sys.argv[3])
records = [json.loads(line) for line in open(source, encoding="utf-8")]
# A byte that stands in no text divides the documents, so that no stretch reaches over two of them.
texts = [record["text"].encode() for record in records]
whole = numpy.frombuffer(bytearray(b"\xff".join(texts)), dtype=numpy.uint8)
order = divsufsort(whole)
common = kasai(whole, order)  # bytes that a suffix has in common with the next one
del texts
size = len(whole)
# The end of the stretch without a divider, since dividers are equal to each other.
ends = numpy.append(numpy.flatnonzero(whole == 255), size)
starts = numpy.concatenate(([0], ends[:-1] + 1))
left = numpy.repeat(ends, numpy.diff(numpy.append(starts, size + 1)))[:size] - numpy.arange(size)
long = numpy.minimum(common, numpy.minimum(left[order], left[numpy.append(order[1:], order[-1:])])) >= least
long[-1] = False
# Neighbours of the array that are equal for LEAST bytes are one group; all but the first in the text are cut.
group = numpy.concatenate(([0], numpy.cumsum(~long[:-1])))
first = numpy.full(group[-1] + 1, size, dtype=order.dtype)
numpy.minimum.at(first, group, order)
cut = order[order != first[group]]
marks = numpy.zeros(size + 1, dtype=numpy.int32)
numpy.add.at(marks, cut, 1)
numpy.add.at(marks, cut + least, -1)
stays = numpy.cumsum(marks[:-1]) == 0
with open(target, "w", encoding="utf-8") as out:
    for record, begin, end in zip(records, starts, ends):
        text = whole[begin:end][stays[begin:end]].tobytes().decode("utf-8", "ignore")  # cuts divide characters
        if text:
            print(json.dumps({"id": record["id"], "text": text}, ensure_ascii=False), file=out)
