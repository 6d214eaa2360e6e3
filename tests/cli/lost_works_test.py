#!/usr/bin/env python3
"""Works that a removal of all that is similar loses, and the default keeps: named examples of the sets with truth.

usage: tests/cli/lost_works_test.py BUILD-FOLDER
Ends with 77, which CTest shows as skipped, where the sets aren't at hand.
"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from harness import loss_sets, paths  # noqa: E402

BUILD = Path(sys.argv.pop(1)).resolve()

# Parts of the ids of texts that must stay. Each leaves if everything similar leaves.
LAWS = [
    # the rules of one city, for those of another one
    "德州市制定地方性法规条例", "嘉兴市制定地方性法规条例", "潍坊市制定地方性法规条例",
    # the rules of procedure of 2012, for those of 2019
    "人民检察院刑事诉讼规则（试行）(2012-11-22)",
    # an interpretation, of which only a part is in the decision that changes eighteen of them
    "关于审理商标民事纠纷案件适用法律若干问题的解释(2020-12-29)",
    # an amendment, for the law that it amends
    "刑法修正案（八）", "宪法修正案（2018年）",
]
NOTES = {
    "below": "if the level x < y holds, the pump of the harbour stays off until the morning",
    "above": "if the level x > y holds, the pump of the harbour stays off until the morning",
    "quoted": "“If the level x < y holds, the pump of the harbour stays off until the morning.”",
    "road 12": "第12期公告：环城路因路面施工，自8时起封闭，过往车辆请从滨河路绕行，预计12日恢复通行，请提前安排好出行路线。",
    "road 13": "第13期公告：环城路因路面施工，自6时起封闭，过往车辆请从滨河路绕行，预计17日恢复通行，请提前安排好出行路线。",
}


def removed(documents, *flags):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "removed.jsonl"
        subprocess.run([BUILD / "leitong", "dedup", documents, "--removed", file, "--no-audit", "--quiet", *flags], check=True,
                       stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return {row["id"]: row["kept"] for row in map(json.loads, file.read_text(encoding="utf-8").splitlines())}


class LostWorks(unittest.TestCase):
    def test_other_works_stay_among_laws(self):
        laws = loss_sets.sets()["laws"].documents
        by_default, all_similar = removed(laws), removed(laws, "--remove", "similar")
        for part in LAWS:
            with self.subTest(part):
                self.assertTrue(any(part in id for id in all_similar), "it would leave if all that is similar did")
                self.assertFalse([id for id in by_default if part in id])

    def test_signs_and_numbers_that_are_text_keep_texts(self):
        with tempfile.TemporaryDirectory() as folder:
            notes = Path(folder) / "notes.jsonl"
            notes.write_text("".join(json.dumps({"id": id, "text": text}) + "\n" for id, text in NOTES.items()), encoding="utf-8")
            self.assertEqual(removed(notes), {"quoted": "below"})
            self.assertEqual(removed(notes, "--numbers", "text"), {"quoted": "below", "road 13": "road 12"})
            self.assertEqual(len(removed(notes, "--remove", "similar")), 3)


if __name__ == "__main__":
    if not loss_sets.sets():
        print(f"NOT TESTED: the sets with truth are missing ({paths.developers_sets()})", file=sys.stderr)
        sys.exit(77)
    unittest.main(verbosity=1)
