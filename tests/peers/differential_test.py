#!/usr/bin/env python3
"""leitong against independent implementations: RapidFuzz, simhash, datasketch and scikit-learn.

usage: scripts/test-peers [BUILD-FOLDER] runs this in an environment of its own.
"""
import itertools
import json
import math
import random
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import jieba
import jieba.analyse
import numpy
import xxhash
from datasketch import MinHash
from rapidfuzz.distance import Levenshtein
from simhash import Simhash
from sklearn.metrics import adjusted_rand_score

LEITONG = Path(sys.argv.pop(1)) / "leitong"
LITERATURE = Path(__file__).resolve().parents[1] / "literature"


def leitong(*arguments):
    return subprocess.run([LEITONG, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def texts(count, seed=1):
    """Chinese characters that folding leaves as they are, half of the texts edited copies: a unit is a character."""
    source = random.Random(seed)
    alphabet = [chr(0x4e00 + i) for i in (0, 1, 3, 8, 9, 10, 13, 22, 45, 61, 86, 89, 92, 99, 101, 134, 170, 186, 195, 202)]
    made = []
    for i in range(count):
        if i % 2 == 0:
            made.append([source.choice(alphabet) for _ in range(source.randrange(8, 90))])
            continue
        copy = made[-1][:]
        for _ in range(source.randrange(1, 1 + len(copy) // 4)):
            at = source.randrange(len(copy))
            copy[at:at + source.randrange(2)] = source.choice(alphabet)
        made.append(copy)
    return ["".join(text) for text in made]


def ngrams(text, n):
    """The bytes of each run of n units, as leitong hashes them."""
    units = [ord(character) for character in text]
    return [struct.pack(f"<{n}I", *units[i:i + n]) for i in range(len(units) - n + 1)]


class Differential(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.corpus = Path(self.folder.name) / "corpus.jsonl"
        self.texts = list(dict.fromkeys(texts(160)))
        self.corpus.write_text("".join(json.dumps({"id": str(i), "text": text}) + "\n"
                                       for i, text in enumerate(self.texts)))

    def signatures(self, *arguments):
        return [line.split("\t")[1] for line in leitong("sign", self.corpus, *arguments).splitlines()]

    def test_edit_similarity_is_rapidfuzz(self):
        rows = [line.split("\t") for line in
                leitong("pairs", self.corpus, "--method", "edit", "--param", "threshold=0.7", "--no-verify").splitlines()]
        column = {name: i for i, name in enumerate(rows[0])}
        found = {(int(row[column["id_a"]]), int(row[column["id_b"]])): float(row[column["score"]]) for row in rows[1:]}
        expected = {}
        for a, b in itertools.combinations(range(len(self.texts)), 2):
            value = Levenshtein.normalized_similarity(self.texts[a], self.texts[b])
            if value >= .7 - 1e-9:
                expected[a, b] = value
        self.assertGreater(len(expected), 20)
        self.assertEqual({tuple(sorted(pair)) for pair in found}, set(expected))
        for pair, value in found.items():
            self.assertAlmostEqual(value, expected[tuple(sorted(pair))], places=3)

    def test_simhash_is_simhash(self):
        """Counted runs of three characters, XXH3 of their bytes: the same bits wherever no sum is zero."""
        ours = self.signatures("--method", "simhash", "--param", "features=chars", "--param", "n=3", "--param", "top=0")
        compared = 0
        for text, digits in zip(self.texts, ours):
            counts = {}
            for run in ngrams(text, 3):
                counts[run] = counts.get(run, 0) + 1
            hashes = {run: xxhash.xxh3_64_intdigest(run) for run in counts}
            sums = [sum(w if hashes[run] >> bit & 1 else -w for run, w in counts.items()) for bit in range(64)]
            ties = sum(1 << bit for bit in range(64) if sums[bit] == 0)
            names = {run.hex(): run for run in counts}
            theirs = Simhash([(name, counts[run]) for name, run in names.items()], f=64,
                             hashfunc=lambda name: hashes.get(names.get(name.decode()), 0)).value
            self.assertEqual(int(digits, 16) & ~ties, theirs & ~ties)
            compared += 64 - bin(ties).count("1")
        self.assertGreater(compared, 60 * len(self.texts) // 2)

    def test_simhash_of_tutorials(self):
        """Keywords of jieba (Python) with their weights rounded up, the multiplicative hash over code points, 0 where a sum
        is 0: what most tutorials on SimHash do. leitong takes jieba's IDF and stop words. Its dictionary is cppjieba's, so only
        texts that both cut into the same words are compared."""
        keywords = jieba.analyse.TFIDF()
        folder = Path(self.folder.name)
        stop, corpus = folder / "stop", folder / "tutorial.txt"
        stop.write_text("".join(word + "\n" for word in sorted(keywords.stop_words)))
        lines = [line for name in ("oil-field", "oil-field-spun", "bank")
                 for line in (LITERATURE / f"{name}.txt").read_text(encoding="utf-8").splitlines()]
        lines += [sentence + "。" for line in lines for sentence in line.split("。") if len(sentence) > 10]
        corpus.write_text("\n".join(lines) + "\n", encoding="utf-8")
        params = ("hash=codepoint", "weights=tf-idf-up", "ties=zero", "top=0")
        ours = leitong("sign", corpus, "--kind", "lines", "--idf", keywords.idf_loader.path, "--stop-words", stop,
                       *(part for param in params for part in ("--param", param))).splitlines()
        cut = leitong("segment", corpus).splitlines()
        same = [(line, row) for line, row, words in zip(lines, ours, cut, strict=True)
                if words.split() == [word for word in jieba.cut(line) if word.strip()]]
        self.assertGreater(len(same), 15)
        for line, row in same:
            sums = [0] * 64
            for word, weight in keywords.extract_tags(line, topK=None, withWeight=True):
                value = ord(word[0]) << 7
                for character in word:
                    value = value * 1000003 ^ ord(character)
                value ^= len(word)
                for bit in range(64):
                    sums[bit] += math.ceil(weight) if value >> bit & 1 else -math.ceil(weight)
            expected = sum(1 << bit for bit in range(64) if sums[bit] > 0)
            self.assertEqual(row.split("\t")[1], f"{expected:016x}", line)

    def test_minhash_estimates_what_datasketch_estimates(self):
        ours = self.signatures("--method", "minhash")
        errors = []
        for a, b in zip(range(0, len(self.texts) - 1, 2), range(1, len(self.texts), 2)):
            sets = [set(ngrams(self.texts[i], 5)) for i in (a, b)]
            if min(map(len, sets)) == 0:
                continue
            true = len(sets[0] & sets[1]) / len(sets[0] | sets[1])
            values = [[ours[i][j:j + 4] for j in range(0, len(ours[i]), 4)] for i in (a, b)]
            estimate = sum(x == y for x, y in zip(*values)) / len(values[0])
            peers = [MinHash(num_perm=128) for _ in sets]
            for peer, elements in zip(peers, sets):
                for element in elements:
                    peer.update(element)
            errors.append((estimate - true, peers[0].jaccard(peers[1]) - true))
        ours_rmse, peer_rmse = (float(numpy.sqrt(numpy.mean(numpy.square(side)))) for side in zip(*errors))
        self.assertLess(ours_rmse, 1.3 * peer_rmse + .01)

    def test_adjusted_rand_is_scikit_learns(self):
        source = random.Random(3)
        for trial in range(5):
            gold = [source.randrange(30) for _ in range(200)]
            result = [label if source.random() < .7 else source.randrange(40) for label in gold]
            paths = []
            for name, labels in (("gold", gold), ("result", result)):
                paths.append(Path(self.folder.name) / name)
                paths[-1].write_text("".join(f"{i}\t{label}\n" for i, label in enumerate(labels)))
            said = json.loads(leitong("eval", "--gold", paths[0], "--clusters", paths[1], "--json"))
            self.assertAlmostEqual(said["adjusted_rand"], adjusted_rand_score(gold, result), places=9)


if __name__ == "__main__":
    unittest.main()
