#!/usr/bin/env python3
"""Parquet and Arrow files of which leitong trim cuts texts: only these change, as the same run changes JSONL, and everything comes back.

usage: tests/cli/trim_tables_test.py BUILD-FOLDER
Ends with 77, which CTest shows as skipped, where pyarrow can't be had or the component is not built.
"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import environment  # noqa: E402

BUILD = Path(sys.argv[1]).resolve()
environment.need_arrow(BUILD)
environment.enter(BUILD, Path(__file__).with_name("tables_requirements.txt"), "trimmed tables were NOT read by other programs")
sys.argv[1:] = sys.argv[2:]

import pyarrow as pa  # noqa: E402
import pyarrow.ipc  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

ENDINGS = ("parquet", "arrow", "arrows")


def pages(count):
    """Texts with menus, of which some have nothing else, some are missing and some are long."""
    def text(n):
        if n % 23 == 5:
            return None
        if n % 19 == 4:
            return "Home | 新闻\n"
        own = f"第 {n} 页：渡船清晨六点开。Own text of page {n} 😀." * (40 if n % 50 == 7 else 1)
        return ("Home | 新闻\n" if n % 3 else "") + own + ("\nAll rights reserved ©" if n % 2 else "")

    return [text(n) for n in range(count)]


def rows_of(texts):
    count = len(texts)
    return pa.table({
        "id": pa.array([f"d{n}" for n in range(count)]),
        "text": pa.array(texts),
        "year": pa.array([None if n % 11 == 0 else 1900 + n % 120 for n in range(count)], pa.int32()),
        "tags": pa.array([None if n % 7 == 0 else [f"t{k}" for k in range(n % 5)] for n in range(count)]),
        "kind": pa.array([["news", "blog", "wiki"][n % 3] for n in range(count)]).dictionary_encode(),
    }, metadata={b"made by": b"a test"})


class TrimmedTables(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_command(self, *arguments, status=0):
        done = subprocess.run([BUILD / "leitong", *map(str, arguments)], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return done

    def write(self, table, name, group=200, **options):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("parquet"):
            pq.write_table(table, self.folder / name, row_group_size=group, **options)
            return
        new = pa.ipc.new_file if name.endswith("arrow") else pa.ipc.new_stream
        with new(self.folder / name, table.schema) as writer:
            writer.write_table(table, max_chunksize=group)

    def read(self, name):
        if name.endswith("parquet"):
            return pq.read_table(self.folder / name)
        with open(self.folder / name, "rb") as file:
            return (pa.ipc.open_file if name.endswith("arrow") else pa.ipc.open_stream)(file).read_all()

    def lines(self, name):
        return [json.loads(line) for line in (self.folder / name).read_text().splitlines()]

    def trimmed_as_jsonl(self, rows, *options):
        """What the same run makes of JSONL, by id."""
        with open(self.folder / "in.jsonl", "w") as file:
            for row in rows:
                file.write(json.dumps(row) + "\n")
        self.run_command("trim", "in.jsonl", "-o", "out.jsonl", "--spans", "spans.jsonl", "--with-text", "--force", *options)
        return {row["id"]: row for row in self.lines("out.jsonl")}

    def expect_restored(self, kept, before, output):
        self.run_command("restore", kept, "trimmed.restorable", "-o", output, "--force")
        again = self.read(output)
        self.assertTrue(again.schema.equals(before.schema, check_metadata=True))
        self.assertEqual(again.to_pylist(), before.to_pylist())

    def test_only_the_text_changes_and_the_rows_come_back(self):
        table = rows_of(pages(1000))
        wanted = self.trimmed_as_jsonl([{"id": row["id"], "text": row["text"]} for row in table.to_pylist()])
        spans = self.lines("spans.jsonl")
        self.assertGreater(len(wanted), 700)
        for ending in ENDINGS:
            with self.subTest(ending):
                self.write(table, f"in.{ending}")
                before = self.read(f"in.{ending}")
                self.run_command("trim", f"in.{ending}", "-o", f"out.{ending}", "--spans", f"spans.{ending}", "--with-text",
                                 "--restorable", "trimmed.restorable", "--removed", "removed.jsonl", "--force")
                out = self.read(f"out.{ending}")
                self.assertTrue(out.schema.equals(before.schema, check_metadata=True), out.schema)
                rows = {row["id"]: row for row in before.to_pylist()}
                expected = [{**rows[id], "text": row["text"]} for id, row in wanted.items()]
                self.assertEqual(out.to_pylist(), expected)
                self.assertEqual(len(self.lines("removed.jsonl")) + out.num_rows + sum(text is None for text in pages(1000)), 1000)
                places = ("place", "kept_place")
                table_of_spans = [{key: value for key, value in row.items() if key not in places} for row in self.read(f"spans.{ending}").to_pylist()]
                self.assertEqual(table_of_spans, [{key: value for key, value in row.items() if key not in places} for row in spans])
                self.expect_restored(f"out.{ending}", before, f"again.{ending}")
                gone = self.lines("removed.jsonl")[1]["id"]
                self.run_command("restore", f"out.{ending}", "trimmed.restorable", "-o", f"one.{ending}", "--id", gone, "--force")
                self.assertEqual(self.read(f"one.{ending}")["id"].to_pylist(), [gone])

    def test_every_type_of_text_can_be_cut(self):
        table = rows_of(pages(300)).select(["id", "text"])
        wanted = self.trimmed_as_jsonl(table.to_pylist())
        for kind in (pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary()):
            typed = table.set_column(1, "text", table["text"].cast(kind))
            for ending in ENDINGS:
                with self.subTest(f"{kind} {ending}"):
                    self.write(typed, f"in.{ending}", group=70)
                    before = self.read(f"in.{ending}")
                    self.run_command("trim", f"in.{ending}", "-o", f"out.{ending}", "--restorable", "trimmed.restorable", "--force")
                    out = self.read(f"out.{ending}")
                    self.assertEqual(out.schema, before.schema)
                    texts = [text.decode() if isinstance(text, bytes) else text for text in out["text"].to_pylist()]
                    self.assertEqual(texts, [row["text"] for row in wanted.values()])
                    self.expect_restored(f"out.{ending}", before, f"again.{ending}")

    def test_a_dictionary_of_texts_is_refused_where_its_rows_share_them(self):
        table = rows_of(pages(100))
        table = table.set_column(1, "text", table["text"].combine_chunks().dictionary_encode())
        self.write(table, "in.arrow")
        error = self.run_command("trim", "in.arrow", "-o", "out.arrow", status=2).stderr.decode()
        self.assertIn('in.arrow: column "text" is dictionary', error)
        self.assertIn("can't be changed", error)
        self.assertFalse((self.folder / "out.arrow").exists())
        # Parquet stores a dictionary as an encoding alone.
        self.write(table, "in.parquet")
        self.run_command("trim", "in.parquet", "-o", "out.parquet")
        wanted = self.trimmed_as_jsonl([{"id": row["id"], "text": row["text"]} for row in table.to_pylist()])
        self.assertEqual(self.read("out.parquet")["text"].to_pylist(), [row["text"] for row in wanted.values()])

    def test_texts_of_lists_and_several_fields_are_cut_each_in_its_place(self):
        texts = [text or "" for text in pages(400)]
        halves = [text.split("\n", 1) for text in texts]
        parts = [None if n % 50 == 0 else [*half, None, "Bye!"] for n, half in enumerate(halves)]
        table = pa.table({
            "id": pa.array([f"d{n}" for n in range(400)]),
            "title": pa.array([None if n % 9 == 0 else f"Home | 新闻\nTitle {n}" for n in range(400)]),
            "text": pa.array(texts),
            "parts": pa.array(parts),
            "large": pa.array(parts, pa.large_list(pa.large_string())),
            "nested": pa.array([None if p is None else [p[:1], [], None, p[1:]] for p in parts]),
            "fixed": pa.array([None if n % 50 == 0 else [half[0], half[-1]] for n, half in enumerate(halves)], pa.list_(pa.string(), 2)),
            "messages": pa.array([None if p is None else [{"role": "user", "content": text} for text in p] + [None] for p in parts]),
        })
        fields = (["parts[]"], ["messages[].content"], ["title", "text"], ["title", "parts[]"], ["large[]"], ["nested[][]"], ["fixed[]"])
        for names in fields:
            options = [option for name in names for option in ("--text-field", name)]
            wanted = self.trimmed_as_jsonl(table.to_pylist(), "--part", "line", *options)
            self.assertGreater(len(self.lines("spans.jsonl")), 300)
            for ending in ENDINGS:
                with self.subTest(f"{names} {ending}"):
                    self.write(table, f"in.{ending}", group=90)
                    before = self.read(f"in.{ending}")
                    self.run_command("trim", f"in.{ending}", "-o", f"out.{ending}", *options, "--restorable", "trimmed.restorable",
                                     "--force")
                    self.assertEqual(self.read(f"out.{ending}").to_pylist(), list(wanted.values()))
                    self.expect_restored(f"out.{ending}", before, f"again.{ending}")

    def test_many_files_go_into_one_or_into_a_folder(self):
        table = rows_of(pages(900))
        wanted = self.trimmed_as_jsonl([{"id": row["id"], "text": row["text"]} for row in table.to_pylist()])
        bounds, names = [0, 300, 301, 900], ["data/a.parquet", "data/b.parquet", "data/sub/c.parquet"]
        for name, begin, end in zip(names, bounds, bounds[1:]):
            self.write(table.slice(begin, end - begin), name, group=130)
        self.run_command("trim", "data", "-o", "out.parquet", "--restorable", "trimmed.restorable")
        self.assertEqual(self.read("out.parquet")["text"].to_pylist(), [row["text"] for row in wanted.values()])
        self.run_command("restore", "out.parquet", "trimmed.restorable", "-o", "again/")
        self.run_command("trim", "data", "-o", "out/", "--restorable", "trimmed.restorable", "--force")
        texts = [text for name in names for text in self.read(f"out/{name}")["text"].to_pylist()]
        self.assertEqual(texts, [row["text"] for row in wanted.values()])
        self.run_command("restore", "out", "trimmed.restorable", "-o", "once-more/")
        for name in names:
            for folder in ("again", "once-more"):
                self.assertEqual(self.read(f"{folder}/{name}").to_pylist(), self.read(name).to_pylist())

    def test_the_bytes_are_the_same_for_any_number_of_threads_and_little_memory(self):
        table = rows_of(pages(2000))
        for ending in ENDINGS:
            self.write(table, f"in.{ending}")
            made = []
            for options in (("--threads", 1), ("--threads", 4), ("--threads", 4, "--memory", "64M")):
                self.run_command("trim", f"in.{ending}", "-o", f"out.{ending}", "--spans", "spans.parquet", *options, "--force")
                made.append([(self.folder / name).read_bytes() for name in (f"out.{ending}", "spans.parquet")])
            self.assertEqual(made[0], made[1])
            self.assertEqual(made[0], made[2])

    def test_leaks_are_cut_out_of_tables(self):
        question = "河南省的省会是哪一座城市？"
        table = rows_of([f"Page {n} has its own words. " + (question + "郑州。" if n == 7 else "And more of them.") for n in range(50)])
        self.write(table, "in.parquet")
        (self.folder / "test.jsonl").write_text(json.dumps({"text": question}) + "\n")
        self.run_command("decontaminate", "in.parquet", "--against", "test.jsonl", "--action", "cut", "-o", "out.parquet")
        out = self.read("out.parquet").to_pylist()
        self.assertEqual(out[7]["text"], "Page 7 has its own words. 郑州。")
        self.assertEqual([row for row in out if row["id"] != "d7"], [row for row in table.to_pylist() if row["id"] != "d7"])


if __name__ == "__main__":
    unittest.main()
