#!/usr/bin/env python3
"""The removals that were read: the file is whole, and the table in docs/methods.md says what it says."""
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from harness import judgements  # noqa: E402

# The beginning of a set's line in the table -> the set.
NAMES = {"laws": "laws", "manual": "manual", "web": "web", "newspapers": "ocr", "licences": "licences", "lctt": "lctt", "poems": "poems",
         "English": "english", "help": "help", "broadcast": "broadcast"}
LONGEST_NOTE = 160  # characters: a reason, and no text of a corpus


def rows():
    """Set -> removed, judged, right, version, wrong."""
    section = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8").partition("### Removals that were read\n")[2].partition("\n## ")[0]
    return {NAMES[re.match(r"\w+", name)[0]]: [int(cell.replace(",", "")) for cell in cells.split("|")]
            for name, cells in re.findall(r"^\| (\w[^|]*) \|((?: [\d,]+ \|){4} [\d,]+) \|$", section, re.MULTILINE)}


class Judgements(unittest.TestCase):
    def setUp(self):
        self.judged = judgements.read()

    def test_each_has_a_reason_and_nothing_else(self):
        for one in self.judged:
            with self.subTest(one["removed"]):
                self.assertEqual(list(one), ["set", "removed", "kept", "loss", "judgement", "note"])
                self.assertIn(one["set"], judgements.SETS)
                self.assertIn(one["judgement"], judgements.JUDGEMENTS)
                self.assertNotEqual(one["removed"], one["kept"])
                self.assertTrue(0 <= one["loss"] <= .05, one["loss"])
                self.assertTrue(4 < len(one["note"]) <= LONGEST_NOTE, one["note"])

    def test_each_removal_is_judged_once(self):
        removed = [(one["set"], one["removed"]) for one in self.judged]
        self.assertEqual(len(removed), len(set(removed)))

    def test_they_stand_in_the_order_in_which_they_were_drawn(self):
        for name in judgements.SETS:
            drawn = [{"id": one["removed"]} for one in self.judged if one["set"] == name]
            self.assertEqual(drawn, judgements.draw(name, drawn), name)

    def test_the_table_says_what_the_file_says(self):
        counts, table = judgements.counts(self.judged), rows()
        self.assertEqual(sorted(table), sorted(judgements.SETS))
        for name, (removed, judged, *told) in table.items():
            with self.subTest(name):
                self.assertEqual(told, [counts[name][judgement] for judgement in judgements.JUDGEMENTS])
                self.assertEqual(judged, sum(told))
                self.assertEqual(judged, min(removed, judgements.DRAWN))


if __name__ == "__main__":
    unittest.main()
