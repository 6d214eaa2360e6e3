#!/usr/bin/env python3
"""A component that is missing or does not fit the program's version is refused by name, with the fix.

usage: tests/cli/component_test.py BUILD-FOLDER
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = Path(sys.argv[1]).resolve()
sys.argv[1:] = sys.argv[2:]
VERSION = re.search(r"\d+\.\d+\.\d+", subprocess.run([BUILD / "leitong", "--version"], capture_output=True, text=True, check=True).stdout)[0]


class Component(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "bin").mkdir()
        try:
            os.link(BUILD / "leitong", self.folder / "bin/leitong")
        except OSError:  # another file system, or another mount of this one
            shutil.copy2(BUILD / "leitong", self.folder / "bin/leitong")
        (self.folder / "in.parquet").write_bytes(b"PAR1")
        (self.folder / "in.jsonl").write_text('{"id": "a", "text": "one"}\n')

    def refused(self, *words):
        done = subprocess.run([self.folder / "bin/leitong", *words], cwd=self.folder, capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        return done.stderr

    def component(self, name, code):
        place = self.folder / "lib" / name / f"lib{name.replace('-', '_')}.so"
        place.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", place, "-x", "c", "-"], input=code, text=True, check=True)

    def test_of_parquet(self):
        asked = ("dedup", "in.parquet", "-o", "out.parquet")
        self.assertIn("need the component leitong-arrow, which is missing", self.refused(*asked))
        fix = f"libleitong_arrow.so is not of this version; install the package leitong-arrow of version {VERSION}"
        self.component("leitong-arrow", "int another;")
        self.assertIn(fix, self.refused(*asked))
        self.component("leitong-arrow", "void *leitong_table_files(unsigned version) { return version == 1 ? &leitong_table_files : 0; }")
        self.assertIn(fix, self.refused(*asked))
        (self.folder / "lib/leitong-arrow/libleitong_arrow.so").write_bytes(b"of another machine")
        self.assertIn("install the package leitong-arrow of this version again", self.refused(*asked))

    def test_of_hbase(self):
        asked = ("check", "--index", "hbase://127.0.0.1:1/try", "in.jsonl")
        self.assertIn("need the component leitong-hbase, which is missing", self.refused(*asked))
        self.component("leitong-hbase", "void *leitong_hbase_homes(unsigned version) { return version == 1 ? &leitong_hbase_homes : 0; }")
        self.assertIn(f"libleitong_hbase.so is not of this version; install the package leitong-hbase of version {VERSION}", self.refused(*asked))


if __name__ == "__main__":
    unittest.main()
