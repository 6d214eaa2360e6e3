"""What the adapters of the Python peers share: arguments, reading, shingling, output.

An adapter is `NAME.py INPUT.jsonl OUTPUT.tsv [key=value ..]` and writes either pairs (id_a, id_b, estimate) or clusters
(id, cluster). Everything a user of the peer would have to do counts: reading, shingling, sketching, search, output. The
shingling is done in numpy, far faster than the sets of strings that the peers' own examples build, so that the peers
are not slowed by their callers.
"""
import sys

import numpy as np
import orjson


def arguments(**defaults):
    """INPUT, OUTPUT and the settings, typed like their defaults."""
    settings = dict(defaults)
    for argument in sys.argv[3:]:
        key, _, value = argument.partition("=")
        if key not in defaults:
            sys.exit(f"{sys.argv[0]}: no setting {key!r}; there are {', '.join(defaults)}")
        settings[key] = type(defaults[key])(value)
    return sys.argv[1], sys.argv[2], settings


def load(path):
    """Ids and texts of a JSONL file."""
    ids, texts = [], []
    with open(path, "rb") as file:
        for line in file:
            record = orjson.loads(line)
            ids.append(record["id"])
            texts.append(record["text"])
    return ids, texts


def shingle_hashes(texts, size):
    """64-bit hashes of all character shingles, one flat array, and where each text's begin (len(texts) + 1 offsets).

    A text shorter than a shingle counts as one.
    """
    flat, lengths = [], []
    for begin in range(0, len(texts), 512):
        hashes, counts = _hash_block(texts[begin:begin + 512], size)
        flat.append(hashes)
        lengths.append(counts)
    offsets = np.zeros(len(texts) + 1, np.uint64)
    np.cumsum(np.concatenate(lengths), out=offsets[1:])
    return np.concatenate(flat), offsets


def shingle_hash_parts(texts, size, part=50_000):
    """The same for so many texts at a time: those of 5 GB of text have 13 GB."""
    for begin in range(0, len(texts), part):
        yield shingle_hashes(texts[begin:begin + part], size)


def _hash_block(texts, size):
    padded = [text.lower().ljust(size, "\0") for text in texts]
    lengths = np.array([len(text) for text in padded])
    characters = np.frombuffer("".join(padded).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    windows = len(characters) - size + 1
    hashes = np.zeros(windows, np.uint64)
    for place in range(size):
        hashes *= np.uint64(0x9E3779B97F4A7C15)
        hashes += characters[place:place + windows]
    hashes ^= hashes >> np.uint64(29)
    hashes *= np.uint64(0xBF58476D1CE4E5B9)
    hashes ^= hashes >> np.uint64(32)
    inside = np.ones(windows, bool)  # false where a window runs into the next text
    ends = np.cumsum(lengths)[:-1]
    for back in range(1, size):
        inside[ends - back] = False
    return hashes[inside], lengths - size + 1


def estimates(sketches, first, second):
    """Share of equal sketch places of each pair: the MinHash estimate of Jaccard."""
    result = np.empty(len(first), np.float32)
    for begin in range(0, len(first), 1 << 16):
        part = slice(begin, begin + (1 << 16))
        result[part] = (sketches[first[part]] == sketches[second[part]]).mean(axis=1)
    return result


def write_pairs(path, ids, first, second, scores):
    with open(path, "w", encoding="utf-8") as file:
        file.write("id_a\tid_b\testimate\n")
        file.writelines(f"{ids[a]}\t{ids[b]}\t{s:.4f}\n" for a, b, s in
                        zip(first.tolist(), second.tolist(), scores.tolist()))


def write_clusters(path, rows):
    """Rows of (id, cluster)."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("id\tcluster\n")
        file.writelines(f"{identity}\t{cluster}\n" for identity, cluster in rows)
