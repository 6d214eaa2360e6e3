#!/usr/bin/env python3
"""leitong decontaminate as a program: outputs, messages, exit codes. usage: decontaminate_test.py BUILD_FOLDER"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LEITONG = Path(sys.argv.pop(1)).resolve() / "leitong"

LEAK = "第三题：下列城市中，哪一座是河南省的省會？ A. 洛阳 B. 郑州。答案是郑州。"
CLEAN = "这一页说的是别的事情，没有题目。"
ITEMS = [{"id": "q1", "question": "下列城市中哪一座是河南省的省会?\nA. 郑州\nB. 洛阳", "answer": "郑州"},
         {"id": "q2", "question": "What is the largest planet of the solar system?", "answer": "Jupiter"}]


class Decontaminate(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)
        self.records = [json.dumps({"id": name, "text": text}, ensure_ascii=False) for name, text in (("a", LEAK), ("b", CLEAN))]
        self.write("train.jsonl", self.records)
        self.write("test.jsonl", [json.dumps(item, ensure_ascii=False) for item in ITEMS])

    def write(self, name, lines):
        (self.path / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")

    def run_it(self, *flags, code=0, against="test.jsonl", fields="question,answer", stdin=None):
        done = subprocess.run([LEITONG, "decontaminate", *flags, "--against", against, "--against-fields", fields], cwd=self.path,
                              capture_output=True, text=True, encoding="utf-8", input=stdin)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_the_table_and_the_figures(self):
        done = self.run_it("train.jsonl", "--json")
        figures = json.loads(done.stdout)
        self.assertEqual((figures["documents"], figures["leaking"], figures["hits"]), (2, 1, 1))
        self.assertEqual(figures["benchmarks"], [{"file": "test.jsonl", "items": 2, "too_short": 0, "leaked": 1, "doubtful": 0,
                                                  "documents": 1}])
        self.assertIn("1 of 2 documents holds a leaked item", done.stderr)
        self.assertRegex(done.stderr, r"test\.jsonl +2 +1 +50\.0 % +0 +1\n")

    def test_rows_name_the_passage(self):
        row = json.loads(self.run_it("train.jsonl", "--hits", "-").stdout)
        self.assertEqual((row["id"], row["item"], row["kind"], row["match"], row["share"]), ("a", "q1", "leak", "edited", 1))
        self.assertEqual(LEAK.encode()[row["begin"]:row["end"]].decode(), row["passage"])
        self.assertEqual(LEAK[row["begin_character"]:row["end_character"]], row["passage"])

    def test_what_leaks_is_removed_byte_for_byte(self):
        self.run_it("train.jsonl", "--action", "remove", "-o", "clean.jsonl")
        self.assertEqual((self.path / "clean.jsonl").read_text(encoding="utf-8"), self.records[1] + "\n")
        refused = self.run_it("train.jsonl", "--action", "remove", "-o", "clean.jsonl", code=2)
        self.assertIn("--force", refused.stderr)
        piped = self.run_it("-", "--action", "remove", "-o", "-", stdin=(self.path / "train.jsonl").read_text(encoding="utf-8"))
        self.assertEqual(piped.stdout, self.records[1] + "\n")

    def test_exit_codes_are_those_of_check(self):
        self.run_it("train.jsonl", "--exit-code", code=1)
        self.write("train.jsonl", self.records[1:])
        self.run_it("train.jsonl", "--exit-code")
        self.run_it("missing.jsonl", "--exit-code", code=2)
        self.run_it("missing.jsonl", code=1)

    def test_a_question_without_its_answer_is_a_doubt(self):
        self.write("train.jsonl", [json.dumps({"text": "He asked: what is the largest planet of the solar system? Nobody knew."})])
        done = self.run_it("train.jsonl", "--hits", "-", "--exit-code")
        self.assertEqual(json.loads(done.stdout)["kind"], "doubt")
        self.assertEqual(json.loads(done.stdout)["id"], "train.jsonl:1")
        self.run_it("train.jsonl", "--exit-code", fields="question", code=1)

    def test_what_cannot_be_meant_is_refused_with_its_flag(self):
        for flags, words in ((("--share", "0.5", "--ngram", "13"), "--ngram"), (("-o", "kept.jsonl"), "the action has to be remove"),
                             (("--action", "remove"), "-o"), (("--share", "2"), "between 0 and 1")):
            self.assertIn(words, self.run_it("train.jsonl", *flags, code=2).stderr)

    def test_words_in_a_row(self):
        self.write("train.jsonl", [json.dumps({"id": "c", "text": "Tell me what is the largest planet of our system."})])
        self.assertEqual(json.loads(self.run_it("train.jsonl", "--hits", "-", "--ngram", "6", fields="question").stdout)["passage"],
                         "what is the largest planet of")
        self.assertEqual(self.run_it("train.jsonl", "--hits", "-", "--ngram", "8", fields="question").stdout, "")


if __name__ == "__main__":
    unittest.main()
