#!/usr/bin/env python3
"""What newcomers type: each typical mistake ends with an error that names the fix, words of other tools lead to the right flag, and -h fits on a screen.

usage: tests/cli/newcomers_test.py LEITONG
"""
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LEITONG = None
# What users of other tools type, and a part of the advice.
OF_OTHER_TOOLS = {
    "--text-column": "--text-field FIELD", "--text_column=body": "--text-field FIELD", "--ngram": "--param k=5", "--ngram-size": "--param k=5", "--num-perm": "--param bands=64",
    "--num_perm": "--param bands=64", "--jobs": "--threads N", "-j": "--threads N", "--workers": "--threads N", "--num-workers": "--threads N", "--seed": "nothing to seed",
    "--format": "--kind KIND", "--overwrite": "--force replaces", "--output-dir": "-o FILE", "--input": "without a flag", "--similarity": "--threshold T", "--n_jobs": "--threads N", "-v": "--verbose prints"}
COMMANDS = {"lsh": "--method NAME", "MinHash": "--method NAME", "minhash": "--method NAME", "deduplicate": "leitong dedup FILE", "dedupe": "leitong dedup FILE", "version": "leitong --version",
            "-v": "leitong --version", "search": "leitong check", "similarity": "leitong compare"}


class Newcomers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        rows = [{"id": str(i), "body": f"The ferry number {i} leaves the north bank at six in the morning"} for i in range(3)]
        (self.folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def ask(self, *words):
        return subprocess.run([LEITONG, *words], cwd=self.folder, capture_output=True, text=True, timeout=60)

    def refused(self, *words):
        done = self.ask(*words)
        self.assertNotEqual(done.returncode, 0, words)
        self.assertEqual(done.stdout, "", words)
        return done.stderr

    def test_1_a_file_without_a_command(self):
        self.assertIn("leitong dedup corpus.jsonl -o KEPT", self.refused("corpus.jsonl"))

    def test_2_nothing_says_what_is_wanted(self):
        self.assertIn("-o FILE for the kept records", self.refused("dedup", "corpus.jsonl", "--text-field", "body"))

    def test_3_the_text_is_in_another_field(self):
        said = self.refused("dedup", "corpus.jsonl", "-o", "kept.jsonl")
        self.assertIn("found: id, body", said)
        self.assertIn("--text-field", said)

    def test_4_the_input_is_not_there(self):
        self.assertIn("No such file or directory; did you mean corpus.jsonl?", self.refused("dedup", "corpus.json", "-o", "kept.jsonl"))

    def test_5_the_output_is_there(self):
        (self.folder / "kept.jsonl").write_text("mine")
        self.assertIn("--force", self.refused("dedup", "corpus.jsonl", "--text-field", "body", "-o", "kept.jsonl"))
        self.assertEqual((self.folder / "kept.jsonl").read_text(), "mine")

    def test_6_the_output_is_the_input(self):
        self.assertIn("corpus.jsonl", self.refused("dedup", "corpus.jsonl", "--text-field", "body", "-o", "corpus.jsonl", "--force"))
        self.assertIn("ferry", (self.folder / "corpus.jsonl").read_text())

    def test_7_a_threshold_in_per_cent(self):
        self.assertIn("80 is not between 0", self.refused("dedup", "corpus.jsonl", "--threshold", "80", "-o", "kept.jsonl"))

    def test_8_another_format_by_the_name_of_the_output(self):
        self.assertIn("kept.jsonl", self.refused("dedup", "corpus.jsonl", "--text-field", "body", "-o", "kept.csv"))

    def test_9_an_index_is_not_named_or_not_there(self):
        self.assertIn("--index", self.refused("check", "corpus.jsonl"))
        self.assertIn("seen", self.refused("check", "corpus.jsonl", "--index", "seen"))

    def test_10_words_of_other_tools(self):
        for word, advice in OF_OTHER_TOOLS.items():
            self.assertIn(advice, self.refused("dedup", "corpus.jsonl", word, "5", "-o", "kept.jsonl"), word)
        for word, advice in COMMANDS.items():
            self.assertIn(advice, self.refused(word), word)

    def test_the_summary_is_six_lines_and_the_rest_comes_when_it_is_asked_for(self):
        asked = ("dedup", "corpus.jsonl", "--text-field", "body", "-o", "kept.jsonl", "--force", "--remove", "similar")
        (self.folder / "corpus.jsonl").write_text((self.folder / "corpus.jsonl").read_text() * 2 + "no json\n")
        lines = [line for line in self.ask(*asked).stderr.splitlines() if "warning" not in line and not line.startswith("  \"")]
        self.assertEqual([line.split()[0] for line in lines if line[0] != " "], ["records", "kept", "removed", "quarantined", "pairs", "recall"])
        self.assertRegex(self.ask(*asked, "--verbose").stderr, r"(?s)records.*candidates.*speed.*wrote kept.jsonl")

    def test_a_suggestion_is_near_or_there_is_none(self):
        self.assertIn("did you mean --threads?", self.refused("dedup", "--thread", "5"))
        self.assertIn("did you mean dedup?", self.refused("dedub"))
        for word in ("--jbs", "--verbatim", "--lang", "--tokenizer"):
            self.assertNotIn("did you mean", self.refused("dedup", word), word)

    def test_the_short_help_fits_on_a_screen_and_the_long_one_says_everything(self):
        names = [""] + [name for name in re.findall(r"^  ([a-z-]+) ", self.ask("--help").stdout, re.MULTILINE) if self.ask(name, "--help").stdout.startswith(f"leitong {name}: ")]
        self.assertGreater(len(names), 20)
        for name in names:
            words = [name] if name else []
            short, long = self.ask(*words, "-h"), self.ask(*words, "--help")
            self.assertEqual((short.returncode, short.stderr), (0, ""), name)
            lines = short.stdout.splitlines()
            self.assertLessEqual(len(lines), 25, name)
            self.assertLessEqual(max(map(len, lines)), 110 if name else 80, name)
            self.assertEqual(lines[-1], f"Everything: leitong {name} --help" if name else "Everything: leitong --help")
            self.assertGreaterEqual(len(long.stdout), len(short.stdout), name)
            if "\nExamples" in long.stdout:
                self.assertIn("\nExamples:\n  ", short.stdout, name)
        flags = re.findall(r"^  (?:-\w, )?(--[a-z-]+)", self.ask("dedup", "-h").stdout, re.MULTILINE)
        self.assertEqual(flags[:3], ["--output", "--report", "--keep"])


if __name__ == "__main__":
    LEITONG = Path(sys.argv.pop(1)).resolve()
    unittest.main()
