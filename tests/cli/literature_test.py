#!/usr/bin/env python3
"""The literature's worked examples (bench/harness/examples.py): the figures that leitong gives, and the table of docs/methods.md.

usage: tests/cli/literature_test.py BUILD-FOLDER
Ends with 77, which CTest shows as skipped, where jieba's dictionary wasn't fetched (./dev setup).
"""
import json
import math
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from harness import examples, paths  # noqa: E402

BUILD = Path(sys.argv.pop(1)).resolve()
paths.LEITONG = BUILD / "leitong"

# Example and published figure -> leitong's figure. Where the two differ the row's own `why` gives the reason, which
# test_a_difference_has_a_reason asks for.
EXPECTED = [
    ("a spun article on an oil field", "0.39", "0.386"),
    ("the same", "a copy", "different"),
    ("the same", "-", "5 bits"),
    ("an article on another subject", "0.00", "0.000"),
    ("the same", "-", "32 bits"),
    ("是 / 不是", "0 bits", "0 bits"),
    ("the same", "told apart", "0 bits"),
    ("the same, no stop words", "told apart", "8 bits"),
    ("exchanged teams", "0 bits", "0 bits"),
    ("the same", "told apart", "5 bits"),
    ("the same", "told apart", "0 bits"),
    ("reordered advertisement", "a copy", "different"),
    ("the same", "-", "0.214"),
    ("the same", "-", "8 bits"),
    ("妈妈喊 / 叫", "3 bits", "0 bits"),
    ("the printed fingerprints of it", "3 bits", "3 bits"),
    ("hash of 星期四", "0010001100100000…", "0010001100100000…"),
    ("hash of 资源", "0100000000111101…", "0100000000111101…"),
    ("kitten / sitting", "0.571", "0.571"),
    ("the same", "0.571", "0.250"),
]


class Literature(unittest.TestCase):
    def test_every_example(self):
        found = [(row.example, row.published, row.value()) for row in examples.rows()]
        self.assertEqual(found, EXPECTED)

    def test_the_spun_article_misses_the_rule_by_little(self):
        """The default rule asks for a Jaccard of 0.35 at 100 shingles, rising with log n to 0.40 at 300."""
        found = json.loads(subprocess.run([paths.LEITONG, *examples.compare(examples.OIL, examples.SPUN)], cwd=ROOT,
                                          check=True, capture_output=True, text=True).stdout)
        shingles = min(found["a"]["shingles"], found["b"]["shingles"])
        asked = 0.35 + 0.05 * math.log(shingles / 100) / math.log(3)
        self.assertAlmostEqual(asked - found["jaccard"], 0.004, places=3)

    def test_a_difference_has_a_reason(self):
        for row in examples.rows():
            if row.published not in ("-", row.value()):
                self.assertTrue(row.why, row.example)

    def test_all_64_bits_of_the_printed_hashes(self):
        """Two tutorials print these values for the words."""
        found = {row.stdin.strip(): examples.hash_of(row.output()) for row in examples.rows() if "hash of" in row.example}
        self.assertEqual(found, {"星期四": "0010001100100000101001101010000000101111011010010001100011011110",
                                 "资源": "0100000000111101100101001111110101101000101000010111010001011110"})

    def test_the_table_of_the_documentation(self):
        """`./dev bench paper --examples` prints it."""
        self.assertIn(examples.markdown(), (ROOT / "docs" / "methods.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    tried = subprocess.run([paths.LEITONG, "segment"], input="雷同", capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        print(f"the examples have NOT been tried, since words can't be cut: {tried.stderr.strip()}")
        sys.exit(77)
    unittest.main()
