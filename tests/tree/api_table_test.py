#!/usr/bin/env python3
"""docs/api.md is complete: every public header has its place in the first table, and the second table names for everything
that a server or a package of another language needs a header, and a program of examples or a test that uses it. What
is named exists, every program is built by examples/CMakeLists.txt and run by scripts/test-install, and every test that is
named includes the header."""
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])
PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
PUBLIC = ROOT / "include" / "leitong"
# Headers of types that others include, without functions of their own.
PARTS = {"byte_range.hpp", "byte_sink.hpp", "feature.hpp", "folding.hpp", "passage.hpp"}


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading, without its head."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def named(cell: str) -> list[str]:
    return re.findall(r"`([\w./]+\.(?:hpp|h|cpp|c))`", cell)


class ApiTable(unittest.TestCase):
    def setUp(self):
        self.headers = rows("Which header is for what?")
        self.needs = rows("What do a server and a package of another language need?")

    def test_every_public_header_is_named_once_and_no_other(self):
        listed = [header for row in self.headers for header in named(row[0])]
        self.assertEqual(sorted(listed), sorted({path.name for path in PUBLIC.iterdir()} - PARTS))

    def test_everything_that_is_needed_has_a_header_and_a_use(self):
        self.assertGreater(len(self.needs), 15)
        for need, header_cell, use_cell in self.needs:
            headers, uses = named(header_cell), named(use_cell)
            self.assertTrue(headers and uses, need)
            for header in headers:
                self.assertTrue((PUBLIC / header).is_file(), f"{need}: {header}")
            for use in uses:
                path = ROOT / (use if "/" in use else f"examples/{use}")
                self.assertTrue(path.is_file(), f"{need}: {use}")
                includes = set(re.findall(r'#include ["<]leitong/([\w.]+)[">]', path.read_text(encoding="utf-8")))
                self.assertTrue(includes & set(headers), f"{need}: {use} includes none of {headers}")

    def test_every_header_of_the_needs_stands_in_the_first_table(self):
        listed = {header for row in self.headers for header in named(row[0])} | PARTS
        self.assertLessEqual({header for row in self.needs for header in named(row[1])}, listed)

    def test_every_example_is_built_and_run(self):
        built = re.search(r"foreach\(example ([\w ]+)\)", (ROOT / "examples" / "CMakeLists.txt").read_text())[1].split()
        run = (ROOT / "scripts" / "test-install").read_text()
        programs = sorted(path for path in (ROOT / "examples").iterdir() if path.suffix in (".c", ".cpp"))
        self.assertEqual(sorted(built), [path.stem for path in programs])
        for path in programs:
            self.assertRegex(run, rf'"\$folder/build/{path.stem}"|for example in [^;]*\b{path.stem}\b')
            self.assertIn(path.name, {name for row in self.headers for name in named(row[2])}, "in the first table")


if __name__ == "__main__":
    unittest.main()
