#!/usr/bin/env python3
"""Parquet and Arrow files of independent writers (pyarrow, polars, DuckDB), deduplicated, and what is written read by
them again.

usage: tests/cli/tables_test.py BUILD-FOLDER
Ends with 77, which CTest shows as skipped, where these packages can't be had or the component is not built.
"""
import decimal
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from datetime import datetime, timezone
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import environment  # noqa: E402

BUILD = Path(sys.argv[1]).resolve()
environment.need_arrow(BUILD)
environment.enter(BUILD, Path(__file__).with_name("tables_requirements.txt"), "tables were NOT tried on other programs'")
sys.argv[1:] = sys.argv[2:]

import duckdb  # noqa: E402
import polars as pl  # noqa: E402
import pyarrow as pa  # noqa: E402
import pyarrow.ipc  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402


def stories(count, seed=7):
    """Texts of which about a third are near-duplicates of an earlier one."""
    rng = random.Random(seed)
    syllables = [a + b for a in "bdfgklmnprstv" for b in ("a", "e", "i", "o", "u", "ai", "an")]
    word = lambda: "".join(rng.choice(syllables) for _ in range(rng.randint(1, 4)))  # noqa: E731
    texts = []
    for _ in range(count):
        if texts and rng.random() < .3:
            words = rng.choice(texts).split()
            for _ in range(rng.randint(0, 3)):
                words[rng.randrange(len(words))] = word()
        else:
            words = [word() for _ in range(rng.randint(40, 120))]
        texts.append(" ".join(words))
    return texts


def rows_of(count):
    """Columns of every kind that a corpus has; `none` and lists are among them."""
    rng = random.Random(count)
    return pa.table({
        "id": pa.array([f"d{n}" for n in range(count)]),
        "text": pa.array(stories(count)),
        "year": pa.array([None if n % 11 == 0 else 1900 + n % 120 for n in range(count)], pa.int32()),
        "score": pa.array([rng.random() for _ in range(count)]),
        "good": pa.array([n % 3 == 0 for n in range(count)]),
        "when": pa.array([datetime(2024, 1, 1 + n % 28, tzinfo=timezone.utc) for n in range(count)],
                         pa.timestamp("us", "UTC")),
        "price": pa.array([decimal.Decimal(n) / 100 for n in range(count)], pa.decimal128(12, 2)),
        "tags": pa.array([None if n % 7 == 0 else [f"t{k}" for k in range(n % 5)] for n in range(count)]),
        "meta": pa.array([None if n % 13 == 0 else {"url": f"https://x.example/{n}", "points": [n, n + 1] * (n % 3)}
                          for n in range(count)], pa.struct([("url", pa.string()), ("points", pa.list_(pa.int64()))])),
        "blob": pa.array([bytes([n % 256]) * (n % 9) for n in range(count)]),
        "kind": pa.array([["news", "blog", "wiki"][n % 3] for n in range(count)]).dictionary_encode(),
        "fixed": pa.array([n.to_bytes(4, "big") for n in range(count)], pa.binary(4)),
    }, metadata={b"made by": b"a test"})


class Tables(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_command(self, *arguments, status=0, stdin=None):
        done = subprocess.run([BUILD / "leitong", *map(str, arguments)], cwd=self.folder, input=stdin, capture_output=True)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stderr.decode())
        return done

    def jsonl(self, table, name="in.jsonl"):
        """The ids and texts as JSONL, which the other runs are compared with."""
        with open(self.folder / name, "w") as file:
            for id, text in zip(table["id"].to_pylist(), table["text"].to_pylist()):
                file.write(json.dumps({"id": id, "text": text}) + "\n")

    def kept_ids(self, table, *options):
        self.jsonl(table)
        self.run_command("dedup", "in.jsonl", "-o", "out.jsonl", "--removed", "removed.jsonl", "--force", *options)
        return [row["id"] for row in self.lines("out.jsonl")]

    def lines(self, name):
        return [json.loads(line) for line in (self.folder / name).read_text().splitlines()]

    def expect_rows(self, kept, table, ids):
        chosen = table.filter(pa.compute.is_in(table["id"], pa.array(ids)))
        self.assertTrue(kept.schema.equals(table.schema, check_metadata=True), f"{kept.schema}\n{table.schema}")
        self.assertEqual(kept.to_pylist(), chosen.to_pylist())

    def test_kept_rows_are_those_of_jsonl_with_all_columns(self):
        table = rows_of(3000)
        ids = self.kept_ids(table)
        self.assertTrue(0 < len(ids) < 2900)
        for name, options in {"zstd": {"compression": "zstd", "row_group_size": 700},
                              "snappy, pages of version 2": {"data_page_version": "2.0", "row_group_size": 1000},
                              "plain": {"compression": "none", "use_dictionary": False, "write_statistics": False},
                              "many": {"compression": {"text": "gzip", "id": "brotli"}, "row_group_size": 5,
                                       "write_page_index": True},
                              "deltas": {"use_dictionary": False, "compression": "lz4",
                                         "column_encoding": {"text": "DELTA_BYTE_ARRAY", "year": "DELTA_BINARY_PACKED",
                                                             "score": "BYTE_STREAM_SPLIT"}},
                              "small pages": {"data_page_size": 900, "row_group_size": 100_000}}.items():
            with self.subTest(name):
                pq.write_table(table, self.folder / "in.parquet", **options)
                self.run_command("dedup", "in.parquet", "-o", "out.parquet", "--force")
                self.expect_rows(*(pq.read_table(self.folder / name) for name in ("out.parquet", "in.parquet")), ids)
                self.expect_form("in.parquet", "out.parquet")

    def expect_form(self, before, after):
        """Row groups as large, and columns as they were written."""
        before, after = (pq.ParquetFile(self.folder / name) for name in (before, after))
        self.assertTrue(before.schema.equals(after.schema), f"{before.schema}{after.schema}")
        # "ARROW:schema" and whatever else the writer put there
        self.assertEqual(before.metadata.metadata, after.metadata.metadata)
        self.assertEqual(before.metadata.format_version, after.metadata.format_version)
        largest = max(before.metadata.row_group(n).num_rows for n in range(before.num_row_groups))
        groups = [after.metadata.row_group(n).num_rows for n in range(after.num_row_groups)]
        self.assertTrue(all(rows == largest for rows in groups[:-1]) and groups[-1] <= largest, groups)
        for column in range(before.metadata.num_columns):
            old, new = (file.metadata.row_group(0).column(column) for file in (before, after))
            for what in ("compression", "is_stats_set", "has_dictionary_page", "has_column_index", "has_offset_index"):
                self.assertEqual(getattr(old, what), getattr(new, what), (old.path_in_schema, what))
            encodings = [set(chunk.encodings) - {"PLAIN", "RLE"} for chunk in (old, new)]
            self.assertEqual(*encodings, old.path_in_schema)

    def test_annotated_rows_have_the_columns_of_jsonl(self):
        table = rows_of(1500).drop_columns(["score"])
        self.jsonl(table)
        self.run_command("dedup", "in.jsonl", "--annotate", "out.jsonl")
        added = ["cluster", "cluster_size", "kept", "kept_id", "measure", "score"]
        expected = [{name: row[name] for name in added} for row in self.lines("out.jsonl")]
        self.assertTrue(any(row["kept_id"] for row in expected))
        pq.write_table(table, self.folder / "in.parquet", row_group_size=300)
        with pa.OSFile(str(self.folder / "in.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=200)
        for name in ("parquet", "arrow"):
            with self.subTest(name):
                self.run_command("dedup", f"in.{name}", "--annotate", f"out.{name}")
                read = pq.read_table if name == "parquet" else (lambda path: pa.ipc.open_file(path).read_all())
                out = read(self.folder / f"out.{name}")
                self.assertEqual(out.column_names, table.column_names + added)
                self.assertEqual(out.select(table.column_names).to_pylist(), table.to_pylist())
                rows = out.select(added).to_pylist()
                for row in rows:  # JSON shows six digits of a score
                    row["score"] = None if row["score"] is None else float(f"{row['score']:.6g}")
                self.assertEqual(rows, expected)
                error = self.run_command("dedup", f"out.{name}", "--annotate", f"again.{name}", status=2).stderr.decode()
                self.assertIn('there is a column "cluster" already', error)

    def test_repeated_rows_follow_the_rows_of_their_file(self):
        table = rows_of(1500)
        self.jsonl(table)
        self.run_command("dedup", "in.jsonl", "-o", "out.jsonl", "--add-fields", "--resample", "2:3,3:2")
        sizes = {row["id"]: row["cluster_size"] for row in self.lines("out.jsonl")}
        times = lambda id: 3 if sizes[id] == 2 else 2 if sizes[id] > 2 else 1  # noqa: E731
        self.assertTrue(any(times(id) == 3 for id in sizes) and any(times(id) == 2 for id in sizes))
        expected = [id for time in range(3) for id in sizes if times(id) > time]
        pq.write_table(table, self.folder / "in.parquet", row_group_size=300)
        with pa.OSFile(str(self.folder / "in.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=200)
        for name in ("parquet", "arrow"):
            with self.subTest(name):
                self.run_command("dedup", f"in.{name}", "-o", f"out.{name}", "--add-fields", "--resample", "2:3,3:2")
                read = pq.read_table if name == "parquet" else (lambda path: pa.ipc.open_file(path).read_all())
                out = read(self.folder / f"out.{name}")
                self.assertEqual(out["id"].to_pylist(), expected)
                self.assertEqual(out["cluster_size"].to_pylist(), [sizes[id] for id in expected])

    def test_the_bytes_are_the_same_for_any_number_of_threads(self):
        pq.write_table(rows_of(4000), self.folder / "in.parquet", row_group_size=300, compression="zstd")
        outputs = []
        for threads in (1, 4):
            self.run_command("dedup", "in.parquet", "-o", "out.parquet", "--removed", "r.parquet", "--pairs", "p.parquet",
                             "--clusters", "c.parquet", "--threads", threads, "--force")
            outputs.append([(self.folder / name).read_bytes() for name in ("out.parquet", "r.parquet", "p.parquet", "c.parquet")])
        self.assertEqual(*outputs)

    def test_vectors_lie_in_columns_of_lists(self):
        vectors = [[1.0, 0.125], [0.0, 1.0], None, [0.5, 0.0625], [1.0, float("nan")]]
        texts = [stories(1, seed)[0] for seed in range(5)]
        for kind in (pa.list_(pa.float32()), pa.list_(pa.float64(), 2), pa.large_list(pa.float32())):
            with self.subTest(kind):
                pq.write_table(pa.table({"id": list("abcde"), "text": texts, "vector": pa.array(vectors, kind)}),
                               self.folder / "in.parquet")
                done = self.run_command("dedup", "in.parquet", "--vectors", "vector", "--cosine", "1", "-o", "out.parquet",
                                        "--removed", "removed.jsonl", "--force", "--json")
                self.assertEqual(json.loads(done.stdout)["vectors"]["unusable"], 2)
                removed = [json.loads(line) for line in (self.folder / "removed.jsonl").read_text().splitlines()]
                self.assertEqual([(r["id"], r["kept"], r["measure"], r["score"]) for r in removed], [("d", "a", "cosine", 1.0)])

    def test_files_of_polars_and_duckdb(self):
        table = rows_of(1200).select(["id", "text", "year", "tags", "when"])
        ids = self.kept_ids(table)
        pl.from_arrow(table).write_parquet(self.folder / "polars.parquet", compression="zstd", row_group_size=250)
        connection = duckdb.connect()
        connection.register("rows", table)
        connection.execute(f"copy (select * from rows order by cast(id[2:] as int)) to '{self.folder}/duckdb.parquet' "
                           "(format parquet, codec 'zstd')")
        for name in ("polars", "duckdb"):
            with self.subTest(name):
                self.run_command("dedup", f"{name}.parquet", "-o", f"{name}-out.parquet")
                before, after = (pl.read_parquet(self.folder / f"{name}{end}.parquet") for end in ("", "-out"))
                self.assertEqual(before.schema, after.schema)
                self.assertTrue(before.filter(pl.col("id").is_in(ids)).equals(after))
                counted = connection.execute(f"select count(*), count(distinct id) from '{self.folder}/{name}-out.parquet'")
                self.assertEqual(counted.fetchone(), (len(ids), len(ids)))

    def test_a_folder_gets_a_file_for_each_file(self):
        table = rows_of(1500)
        ids = self.kept_ids(table)
        (self.folder / "data" / "sub").mkdir(parents=True)
        names = ["data/a.parquet", "data/b.parquet", "data/sub/c.parquet", "data/sub/none.parquet"]
        bounds = [0, 600, 601, 1500]
        for name, begin, end in zip(names, bounds, bounds[1:]):
            pq.write_table(table.slice(begin, end - begin), self.folder / name, row_group_size=250)
        pq.write_table(table.slice(0, 0), self.folder / names[3])
        self.run_command("dedup", "data", "-o", "kept/")
        kept = [pq.read_table(self.folder / "kept" / name) for name in names]
        self.expect_rows(pa.concat_tables(kept), pq.read_table(self.folder / "data"), ids)
        self.assertEqual(kept[3].num_rows, 0)
        for name in names[:3]:
            self.expect_form(name, f"kept/{name}")
        with self.subTest("and one file takes them all"):
            self.run_command("dedup", "data", "-o", "kept.parquet")
            self.expect_rows(pq.read_table(self.folder / "kept.parquet"), pq.read_table(self.folder / "data"), ids)

    def test_a_quoted_pattern_stands_for_its_files(self):
        table = rows_of(600)
        ids = self.kept_ids(table)
        (self.folder / "data").mkdir()
        for number in range(3):
            pq.write_table(table.slice(200 * number, 200), self.folder / f"data/{number}.parquet")
        (self.folder / "data/notes.md").write_text("No table.")
        self.run_command("dedup", "data/*.parquet", "-o", "kept/", "--text-field", "text")
        self.assertEqual(sorted(path.name for path in (self.folder / "kept/data").iterdir()), ["0.parquet", "1.parquet", "2.parquet"])
        kept = [pq.read_table(self.folder / f"kept/data/{number}.parquet") for number in range(3)]
        self.assertEqual(pa.concat_tables(kept)["id"].to_pylist(), ids)

    def test_columns_that_are_not_asked_for_are_not_read(self):
        table = rows_of(600).select(["id", "text", "blob", "score"])
        self.jsonl(table)
        expected = self.run_command("pairs", "in.jsonl").stdout
        pq.write_table(table, self.folder / "in.parquet", row_group_size=200, compression="zstd")
        bytes_of_file = bytearray((self.folder / "in.parquet").read_bytes())
        metadata = pq.ParquetFile(self.folder / "in.parquet").metadata
        for group in range(metadata.num_row_groups):
            for column in (2, 3):
                chunk = metadata.row_group(group).column(column)
                begin = chunk.dictionary_page_offset or chunk.data_page_offset
                bytes_of_file[begin:begin + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
        (self.folder / "damaged.parquet").write_bytes(bytes_of_file)
        with self.assertRaises(OSError):
            pq.read_table(self.folder / "damaged.parquet")
        self.assertEqual(self.run_command("pairs", "damaged.parquet").stdout, expected)
        done = self.run_command("dedup", "damaged.parquet", "-o", "out.parquet", status=None)
        self.assertNotEqual(done.returncode, 0, "who keeps rows reads all columns")

    def test_jsonl_files_have_a_folder_too(self):
        table = rows_of(400)
        ids = self.kept_ids(table)
        lines = (self.folder / "in.jsonl").read_text().splitlines(keepends=True)
        (self.folder / "data").mkdir()
        (self.folder / "data/a.jsonl").write_text("".join(lines[:150]))
        pq.write_table(table.slice(150), self.folder / "data/b.parquet")
        self.run_command("dedup", "data", "-o", "kept/")
        first = [line for line in lines[:150] if json.loads(line)["id"] in ids]
        self.assertEqual((self.folder / "kept/data/a.jsonl").read_text(), "".join(first))
        self.assertEqual(pq.read_table(self.folder / "kept/data/b.parquet")["id"].to_pylist(), ids[len(first):])

    def test_nested_fields_ids_and_dates(self):
        table = rows_of(800)
        nested = pa.table({"page": pa.StructArray.from_arrays([table["text"].combine_chunks(), pa.array(range(800))], ["body", "n"]),
                           "when": table["when"]})
        ids = self.kept_ids(table, "--keep", "first")
        pq.write_table(nested, self.folder / "in.parquet", row_group_size=128)
        self.run_command("dedup", "in.parquet", "--text-field", "page.body", "--id-field", "page.n", "-o", "out.parquet",
                         "--removed", "removed.jsonl", "--keep", "first", "--force")
        kept = pq.read_table(self.folder / "out.parquet")["page"].to_pylist()
        self.assertEqual([f"d{page['n']}" for page in kept], ids)
        removed = self.lines("removed.jsonl")
        self.assertTrue(all(row["place"] == f"in.parquet:{int(row['id']) + 1}" for row in removed))
        self.jsonl_with_dates(table)
        self.run_command("dedup", "dates.jsonl", "--keep", "newest:when", "-o", "out.jsonl", "--force")
        newest = [row["id"] for row in self.lines("out.jsonl")]
        pq.write_table(table, self.folder / "in.parquet")
        self.run_command("dedup", "in.parquet", "--keep", "newest:when", "-o", "out.parquet", "--force")
        self.assertEqual(pq.read_table(self.folder / "out.parquet")["id"].to_pylist(), newest)

    def test_texts_in_lists_are_joined(self):
        table = rows_of(400)
        halves = [text.split(" ", 20) for text in table["text"].to_pylist()]
        messages = pa.array([None if n % 50 == 0 else [{"role": "user", "content": " ".join(words[:20])}, {"role": "x", "content": None},
                                                       {"role": "assistant", "content": words[-1]}] for n, words in enumerate(halves)])
        with open(self.folder / "lists.jsonl", "w") as file:
            for id, row in zip(table["id"].to_pylist(), messages.to_pylist()):
                file.write(json.dumps({"id": id, "messages": row}) + "\n")
        self.run_command("dedup", "lists.jsonl", "--text-field", "messages[].content", "--keep", "first", "-o", "out.jsonl", "--force")
        ids = [row["id"] for row in self.lines("out.jsonl")]
        self.assertGreater(len(ids), 100)
        parts = pa.array([None if row is None else [each["content"] for each in row] for row in messages.to_pylist()])
        lists = table.select(["id", "tags", "year"]).append_column("messages", messages).append_column("parts", parts)
        lists = lists.append_column("nested", pa.array([None if p is None else [p[:1], [], p[1:]] for p in parts.to_pylist()]))
        lists = lists.append_column("large", parts.cast(pa.large_list(pa.large_string())))
        for ending in ("parquet", "arrow", "arrows"):
            for field in ("messages[].content", "parts[]", "nested[][]", "large[]"):
                with self.subTest(f"{ending} {field}"):
                    self.write(lists, f"in.{ending}")
                    self.run_command("dedup", f"in.{ending}", "--text-field", field, "--keep", "first", "-o", f"out.{ending}",
                                            "--quarantine", "bad.jsonl", "--force")
                    self.expect_rows(self.read(f"out.{ending}"), self.read(f"in.{ending}"), ids)
                    self.assertEqual(len(self.lines("bad.jsonl")), 8)
                    self.assertIn("holds no text", self.lines("bad.jsonl")[0]["reason"])
        error = self.run_command("dedup", "in.parquet", "--text-field", "parts", "-o", "out.parquet", "--force", status=2)
        self.assertIn("for a list of texts name the column parts[]", error.stderr.decode())

    def jsonl_with_dates(self, table):
        with open(self.folder / "dates.jsonl", "w") as file:
            for id, text, when in zip(*(table[name].to_pylist() for name in ("id", "text", "when"))):
                file.write(json.dumps({"id": id, "text": text, "when": when.isoformat()}) + "\n")

    def test_every_type_of_text_reads_alike(self):
        table = rows_of(600).select(["id", "text"])
        ids = self.kept_ids(table)
        for kind in (pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(),
                     pa.dictionary(pa.int32(), pa.string()), pa.dictionary(pa.int64(), pa.large_string())):
            typed = table.set_column(1, "text", table["text"].combine_chunks().dictionary_encode().cast(kind)
                                     if pa.types.is_dictionary(kind) else table["text"].cast(kind))
            for ending in ("parquet", "arrow", "arrows"):
                with self.subTest(f"{kind} {ending}"):
                    self.write(typed, f"in.{ending}")
                    self.run_command("dedup", f"in.{ending}", "-o", f"out.{ending}", "--force")
                    kept = self.read(f"out.{ending}")
                    self.assertEqual(kept["id"].to_pylist(), ids)
                    self.assertEqual(kept.schema, self.read(f"in.{ending}").schema)

    def write(self, table, name, **options):
        if name.endswith("parquet"):
            pq.write_table(table, self.folder / name, row_group_size=200)
            return
        new = pa.ipc.new_file if name.endswith("arrow") else pa.ipc.new_stream
        with new(self.folder / name, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
            writer.write_table(table, max_chunksize=200)

    def read(self, name):
        if name.endswith("parquet"):
            return pq.read_table(self.folder / name)
        with open(self.folder / name, "rb") as file:
            return (pa.ipc.open_file if name.endswith("arrow") else pa.ipc.open_stream)(file).read_all()

    def test_arrow_files_and_streams(self):
        table = rows_of(2000)
        ids = self.kept_ids(table)
        sizes = {}
        for ending in ("arrow", "arrows"):
            for compression in (None, "lz4", "zstd"):
                with self.subTest(f"{ending} {compression}"):
                    self.write(table, f"in.{ending}", compression=compression)
                    self.run_command("dedup", f"in.{ending}", "-o", f"out.{ending}", "--force")
                    self.expect_rows(self.read(f"out.{ending}"), table, ids)
                    sizes[ending, compression] = (self.folder / f"out.{ending}").stat().st_size
            self.assertLess(sizes[ending, "zstd"], sizes[ending, None])
            self.assertLess(sizes[ending, "lz4"], sizes[ending, None])
        polars = pl.from_arrow(table.select(["id", "text", "tags"]))
        polars.write_ipc(self.folder / "polars.arrow", compression="zstd")
        self.run_command("dedup", "polars.arrow", "-o", "polars-out.arrow")
        self.assertTrue(polars.filter(pl.col("id").is_in(ids)).equals(pl.read_ipc(self.folder / "polars-out.arrow")))

    def test_pipes_and_compressed_files(self):
        table = rows_of(900)
        ids = self.kept_ids(table)
        for ending in ("parquet", "arrows"):
            with self.subTest(ending):
                self.write(table, f"in.{ending}")
                out = self.run_command("dedup", "-o", "-", stdin=(self.folder / f"in.{ending}").read_bytes()).stdout
                (self.folder / f"out.{ending}").write_bytes(out)
                self.assertEqual(self.read(f"out.{ending}")["id"].to_pylist(), ids)
        subprocess.run(["gzip", "-k", self.folder / "in.parquet"], check=True)
        self.run_command("dedup", "in.parquet.gz", "-o", "gz.parquet")
        self.assertEqual(self.read("gz.parquet")["id"].to_pylist(), ids)

    def restore(self, kept, output, *options):
        return self.run_command("restore", kept, "removed.restorable", "-o", output, "--force", *options)

    def with_gaps(self, table):
        """Some texts are missing: rows that are quarantined."""
        texts = [None if n % 17 == 3 else text for n, text in enumerate(table["text"].to_pylist())]
        return table.set_column(1, "text", pa.array(texts))

    def test_rows_that_left_come_back_in_their_places(self):
        table = self.with_gaps(rows_of(2000))
        for ending in ("parquet", "arrow", "arrows"):
            with self.subTest(ending):
                self.write(table, f"in.{ending}")
                self.run_command("dedup", f"in.{ending}", "-o", f"kept.{ending}", "--restorable", "removed.restorable",
                                 "--force", "--removed", "removed.jsonl")
                kept, removed = self.read(f"kept.{ending}"), self.lines("removed.jsonl")
                self.assertTrue(100 < len(removed) and kept.num_rows + len(removed) < table.num_rows)
                self.restore(f"kept.{ending}", f"again.{ending}")
                again, before = self.read(f"again.{ending}"), self.read(f"in.{ending}")
                self.assertTrue(again.schema.equals(before.schema, check_metadata=True))
                self.assertEqual(again.to_pylist(), before.to_pylist())
                self.restore(f"kept.{ending}", f"one.{ending}", "--id", removed[7]["id"])
                self.assertEqual(self.read(f"one.{ending}")["id"].to_pylist(), [removed[7]["id"]])
                with self.subTest("a changed byte of the kept rows"):
                    bytes_of_file = bytearray((self.folder / f"kept.{ending}").read_bytes())
                    bytes_of_file[len(bytes_of_file) // 2] ^= 1
                    (self.folder / f"kept.{ending}").write_bytes(bytes_of_file)
                    done = self.run_command("restore", f"kept.{ending}", "removed.restorable", "-o", f"none.{ending}", status=1)
                    self.assertIn("its bytes have changed", done.stderr.decode())
                    self.assertFalse((self.folder / f"none.{ending}").exists())

    def test_many_tables_come_back_in_a_folder(self):
        table = self.with_gaps(rows_of(1500))
        (self.folder / "data").mkdir()
        names = ["data/a.parquet", "data/b.parquet", "data/c.parquet"]
        for name, begin, end in zip(names, (0, 700, 701), (700, 701, 1500)):
            pq.write_table(table.slice(begin, end - begin), self.folder / name, row_group_size=150, compression="zstd")
        pq.write_table(table.slice(0, 0), self.folder / "data/none.parquet")
        (self.folder / "data/picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
        for kept in ("kept.parquet", "kept/"):
            with self.subTest(kept):
                shutil.rmtree(self.folder / "again", ignore_errors=True)
                self.run_command("dedup", "data", "-o", kept, "--restorable", "removed.restorable", "--force")
                self.restore(kept, "again/")
                for name in (*names, "data/none.parquet"):
                    before, after = (pq.read_table(path) for path in (self.folder / name, self.folder / "again" / name))
                    self.assertTrue(after.schema.equals(before.schema, check_metadata=True), name)
                    self.assertEqual(after.to_pylist(), before.to_pylist(), name)
                self.assertEqual((self.folder / "again/data/picture.png").read_bytes(),
                                 (self.folder / "data/picture.png").read_bytes())

    def test_texts_of_every_type_come_back(self):
        table = rows_of(600).select(["id", "text"])
        for kind in (pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())):
            typed = table.set_column(1, "text", table["text"].combine_chunks().dictionary_encode().cast(kind)
                                     if pa.types.is_dictionary(kind) else table["text"].cast(kind))
            for ending in ("parquet", "arrow", "arrows"):
                with self.subTest(f"{kind} {ending}"):
                    self.write(typed, f"in.{ending}")
                    self.run_command("dedup", f"in.{ending}", "-o", f"kept.{ending}", "--restorable", "removed.restorable", "--force")
                    self.restore(f"kept.{ending}", f"again.{ending}")
                    self.assertEqual(self.read(f"again.{ending}").to_pylist(), table.to_pylist())

    def test_other_commands_read_them(self):
        table = rows_of(300)
        self.jsonl(table)
        for ending in ("parquet", "arrow"):
            self.write(table, f"in.{ending}")
            for command in (["pairs"], ["sign", "--method", "simhash"], ["sign", "--method", "minhash"]):
                with self.subTest(f"{command} {ending}"):
                    outputs = [self.run_command(*command, f"in.{each}").stdout for each in ("jsonl", ending)]
                    self.assertTrue(outputs[0])
                    self.assertEqual(*outputs)
            compared = [self.run_command("compare", "d1", "d2", "--in", f"in.{each}", "--json").stdout for each in ("jsonl", ending)]
            self.assertEqual(*compared)
            self.run_command("index", "build", "--index", f"index-{ending}", f"in.{ending}")

    def test_a_run_that_was_stopped_goes_on(self):
        table = rows_of(500)
        self.write(table, "in.parquet")
        self.run_command("dedup", "in.parquet", "-o", "out.parquet")
        self.run_command("dedup", "in.parquet", "-o", "again.parquet", "--resume", "stages")
        self.assertEqual((self.folder / "out.parquet").read_bytes(), (self.folder / "again.parquet").read_bytes())

    def test_bad_rows_are_quarantined_and_the_others_stay(self):
        texts = ["a first text that is long enough", None, "  ", b"\xff\xfe broken".decode("latin-1"), "another, quite different text"]
        table = pa.table({"id": list("abcde"), "text": pa.array([t.encode("latin-1") if t else t for t in texts], pa.binary())})
        self.write(table, "in.parquet")
        self.run_command("dedup", "in.parquet", "-o", "out.parquet", "--quarantine", "bad.jsonl")
        bad = self.lines("bad.jsonl")
        self.assertEqual([(row["id"], row["place"], row["reason"]) for row in bad],
                         [("b", "in.parquet:2", 'column "text" is null'), ("c", "in.parquet:3", "the text is blank (white space only)"),
                          ("d", "in.parquet:4", "invalid UTF-8 at byte 1 of the text")])
        self.assertEqual(self.read("out.parquet")["id"].to_pylist(), ["a", "e"])

    def test_a_file_that_is_cut_off_leaves_no_empty_output(self):
        self.write(rows_of(50), "in.parquet")
        whole = (self.folder / "in.parquet").read_bytes()
        (self.folder / "cut.parquet").write_bytes(whole[:len(whole) // 2])
        done = self.run_command("dedup", "cut.parquet", "-o", "out.parquet", "--quarantine", "bad.jsonl", status=1)
        self.assertIn(b"every record was quarantined, the first: cut.parquet: ", done.stderr)
        self.assertNotIn(b"wrote out.parquet", done.stderr)
        self.assertFalse((self.folder / "out.parquet").exists())
        self.assertEqual(len(self.lines("bad.jsonl")), 1)

    def test_what_cannot_be_meant_names_file_and_column(self):
        table = rows_of(50)
        self.write(table, "in.parquet")
        for options, message in {("--text-field", "body"): 'in.parquet: column "body" is missing (found: id, text, year',
                                 ("--text-field", "year"): 'in.parquet: column "year" is int32, not a string',
                                 ("--text-field", "tags"): 'in.parquet: column "tags" is list<',
                                 ("--id-field", "tags"): 'in.parquet: column "tags" is list<'}.items():
            error = self.run_command("dedup", "in.parquet", "-o", "out.parquet", *options, status=2 if "body" not in options else 1)
            self.assertIn(message, error.stderr.decode())
            self.assertFalse((self.folder / "out.parquet").exists())
        self.write(table.select(["id", "text"]), "other.parquet")
        error = self.run_command("dedup", "in.parquet", "other.parquet", "-o", "out.parquet", status=None)
        self.assertIn("their schemas differ", error.stderr.decode())

    def test_damaged_files_cost_themselves_alone(self):
        table = rows_of(2000).select(["id", "text"])
        pq.write_table(table, self.folder / "whole.parquet", row_group_size=500, use_dictionary=False, write_page_checksum=True)
        bytes_ = bytearray((self.folder / "whole.parquet").read_bytes())
        (self.folder / "cut.parquet").write_bytes(bytes_[:len(bytes_) // 2])
        (self.folder / "empty.parquet").write_bytes(b"")
        (self.folder / "no.parquet").write_text("not a table at all\n" * 20)
        text_of_third = pq.ParquetFile(self.folder / "whole.parquet").metadata.row_group(2).column(1)
        at = text_of_third.data_page_offset + text_of_third.total_compressed_size // 2
        bytes_[at:at + 50] = bytes(50)
        (self.folder / "page.parquet").write_bytes(bytes_)
        good = pa.table({"id": ["z"], "text": ["a text of a file that is whole, and of a length that is usual"]})
        self.write(good, "good.parquet")
        for name, rows in {"cut": 0, "empty": 0, "no": 0, "page": 1000}.items():
            with self.subTest(name):
                self.run_command("dedup", f"{name}.parquet", "good.parquet", "-o", "kept/", "--quarantine", "bad.jsonl", "--force",
                                 status=None)
                bad = self.lines("bad.jsonl")
                self.assertEqual([row["place"] for row in bad], [f"{name}.parquet"])
                self.assertEqual(pq.read_table(self.folder / "kept/good.parquet").num_rows, 1)
                subprocess.run(["rm", "-r", self.folder / "kept"], check=True)

    def test_hostile_files_end_no_process(self):
        table = rows_of(120)
        rng = random.Random(3)
        for ending in ("parquet", "arrow", "arrows"):
            self.write(table, f"in.{ending}")
            whole = (self.folder / f"in.{ending}").read_bytes()
            for attempt in range(60):
                broken = bytearray(whole)
                for _ in range(rng.randint(1, 6)):
                    broken[rng.randrange(len(broken))] = rng.randrange(256)
                (self.folder / f"hostile.{ending}").write_bytes(broken)
                done = subprocess.run([BUILD / "leitong", "dedup", f"hostile.{ending}", "-o", f"out.{ending}", "--force"],
                                      cwd=self.folder, capture_output=True, timeout=120)
                self.assertIn(done.returncode, range(0, 7), (ending, attempt, done.stderr))

    def test_side_files_have_the_columns_of_the_others_typed(self):
        table = rows_of(700)
        self.write(table, "in.parquet")
        self.run_command("dedup", "in.parquet", "-o", "out.jsonl.parquet", "--removed", "removed.jsonl", "--pairs", "pairs.tsv",
                         "--clusters", "clusters.tsv", "--components", "components.tsv")
        removed = self.lines("removed.jsonl")
        tsv = lambda name: [line.split("\t") for line in (self.folder / name).read_text().splitlines()]  # noqa: E731
        pairs, clusters, components = tsv("pairs.tsv"), tsv("clusters.tsv"), tsv("components.tsv")
        for ending in ("parquet", "arrow", "arrows"):
            with self.subTest(ending):
                self.run_command("dedup", "in.parquet", *(part for name in ("removed", "pairs", "clusters", "components")
                                                          for part in (f"--{name}", f"{name}.{ending}")))
                rows = self.read(f"removed.{ending}")
                self.assertEqual(rows.column_names, list(removed[0]))
                self.assertEqual([str(rows.schema.field(name).type) for name in ("id", "cluster", "score", "reason")],
                                 ["string", "int64", "double", "string"])
                self.assertEqual([{**row, "score": float(f"{row['score']:.6g}"), "loss": float(f"{row['loss']:.4g}")} for row in rows.to_pylist()], removed)
                rows = self.read(f"pairs.{ending}")
                self.assertEqual(rows.column_names, pairs[0])
                self.assertEqual([[row["id_a"], row["measure"], str(row["doc_b"]), str(row["units_a"]), row["reason"]] for row in rows.to_pylist()],
                                 [[row[0], row[2], row[7], row[8], row[13]] for row in pairs[1:]])
                self.assertTrue(all(abs(row["jaccard"] - float(line[4])) < 1e-6 for row, line in zip(rows.to_pylist(), pairs[1:])))
                for name, lines in (("clusters", clusters), ("components", components)):
                    rows = [list(map(str, row.values())) for row in self.read(f"{name}.{ending}").to_pylist()]
                    self.assertEqual(rows, lines)

    def test_a_decision_is_made_again_from_pairs_in_a_table(self):
        self.write(rows_of(500), "in.parquet")
        self.run_command("pairs", "in.parquet", "-o", "pairs.tsv")
        self.run_command("pairs", "in.parquet", "-o", "pairs.parquet")
        for ending in ("tsv", "parquet"):
            self.run_command("cluster", f"pairs.{ending}", "--threshold", ".8", "--removed", f"{ending}.jsonl")
            self.run_command("cluster", f"pairs.{ending}", "--threshold", ".8", "--clusters", f"{ending}.arrow")
        self.assertTrue(self.lines("tsv.jsonl"))
        self.assertEqual(self.lines("tsv.jsonl"), self.lines("parquet.jsonl"))
        self.assertTrue(self.read("tsv.arrow").equals(self.read("parquet.arrow")))

    def test_names_that_promise_another_format_are_refused(self):
        table = rows_of(30)
        self.write(table, "in.parquet")
        self.jsonl(table)
        for input, output in (("in.parquet", "out.jsonl"), ("in.jsonl", "out.parquet"), ("in.parquet", "out.arrow")):
            error = self.run_command("dedup", input, "-o", output, status=2)
            self.assertIn(f"{output}: the kept records are written as they were read, as {input[3:]}", error.stderr.decode())
            self.assertFalse((self.folder / output).exists())

    def test_a_memory_budget_is_kept_or_refused(self):
        table = rows_of(30_000)
        pq.write_table(table, self.folder / "in.parquet", row_group_size=30_000, compression="zstd")
        with open(self.folder / "one.arrow", "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)  # one batch of some 20 MB
        budget = 100 << 20
        program = ("import resource, subprocess, sys; status = subprocess.run(sys.argv[1:]).returncode; "
                   "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(status)")
        done = subprocess.run([sys.executable, "-c", program, BUILD / "leitong", "dedup", "in.parquet", "-o", "out.parquet",
                               "--memory", "100M", "--quiet"], cwd=self.folder, capture_output=True, check=True)
        # the two libraries alone take some 25 MB
        self.assertLess(int(done.stdout.split()[-1]) << 10, budget + (25 << 20))
        error = self.run_command("dedup", "one.arrow", "-o", "out.arrow", "--memory", "70M", status=None)
        self.assertNotEqual(error.returncode, 0)
        self.assertIn("one.arrow: record batch 1:", error.stderr.decode())
        self.assertIn("smaller row groups or batches", error.stderr.decode())

    def test_a_value_that_many_rows_repeat_is_not_there_for_each(self):
        """One of 20 MB, which the file has once, compressed to some KB."""
        large = pa.DictionaryArray.from_arrays(pa.array([0] * 300, pa.int32()), pa.array(["x" * (20 << 20)]))
        pq.write_table(pa.table({"text": large}), self.folder / "in.parquet", compression="zstd",
                       dictionary_pagesize_limit=64 << 20, store_schema=False)
        self.assertLess((self.folder / "in.parquet").stat().st_size, 100_000)
        program = ("import resource, subprocess, sys; status = subprocess.run(sys.argv[1:]).returncode; "
                   "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(status)")
        done = subprocess.run([sys.executable, "-c", program, BUILD / "leitong", "dedup", "in.parquet", "-o", "out.parquet", "--max-record", "1M",
                               "--quiet"], cwd=self.folder, capture_output=True)
        self.assertLess(int(done.stdout.split()[-1]) << 10, 500 << 20, done.stderr.decode())

    def test_a_column_that_is_read_occurs_once(self):
        for ending in ("parquet", "arrow"):
            table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["one"]), pa.array(["two"]), pa.array([1]), pa.array([2])],
                                         names=["id", "text", "text", "n", "n"])
            self.write(table, f"in.{ending}")
            error = self.run_command("dedup", f"in.{ending}", "-o", f"out.{ending}", status=2)
            self.assertIn('the column "text" occurs twice', error.stderr.decode())
            self.write(table.select([0, 1, 3, 4]), f"in.{ending}")
            self.run_command("dedup", f"in.{ending}", "-o", f"out.{ending}")

    def test_without_the_component_the_fix_is_named(self):
        self.write(rows_of(10), "in.parquet")
        (self.folder / "bin").mkdir()
        try:
            os.link(BUILD / "leitong", self.folder / "bin/leitong")
        except OSError:  # another file system, or another mount of this one
            shutil.copy2(BUILD / "leitong", self.folder / "bin/leitong")
        done = subprocess.run([self.folder / "bin/leitong", "dedup", "in.parquet", "-o", "out.parquet"], cwd=self.folder,
                              capture_output=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("need the component leitong-arrow", done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
