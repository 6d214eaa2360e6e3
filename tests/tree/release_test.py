#!/usr/bin/env python3
"""./dev release refuses a tag that is no release, before anything is built; and what is inside of its files has a licence that is known."""
import ast
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSION = "include/leitong/version.hpp"


class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name)
        for name in ("scripts/release", "scripts/common.sh", VERSION):
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, self.tree / name)
        self.git("init", "-q")
        self.write("CHANGELOG.md", "# Changelog\n\n## 0.1.0 (2026-11-26)\n")

    def git(self, *words):
        subprocess.run(["git", "-C", self.tree, "-c", "user.name=a", "-c", "user.email=a@a.example", *words], check=True, capture_output=True)

    def write(self, name, text):
        (self.tree / name).write_text(text)
        self.git("add", "-A")
        self.git("commit", "-qm", "it", "--allow-empty")

    def release(self, *words):
        return subprocess.run([self.tree / "scripts" / "release", *words], capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})

    def assert_refused(self, words, status, message):
        told = self.release(*words)
        self.assertEqual(told.returncode, status, told.stderr)
        self.assertIn(message, told.stderr)
        self.assertFalse((self.tree / "build").exists())

    def test_a_tag_is_needed(self):
        self.assert_refused([], 2, "a tag is needed")
        self.assert_refused(["v0.1.0"], 2, "there is no tag v0.1.0")
        self.assert_refused(["--fast", "v0.1.0"], 2, "unknown option --fast")

    def test_the_tag_is_the_version(self):
        self.git("tag", "v9.8.7")
        version = ".".join(re.findall(r"^#define LEITONG_VERSION_\w+ (\d+)$", (ROOT / VERSION).read_text(), re.MULTILINE))
        self.assert_refused(["v9.8.7"], 1, f"the version in the sources of the tag v9.8.7 is {version}")

    def test_the_changelog_has_a_date(self):
        text = (ROOT / VERSION).read_text()
        self.write(VERSION, re.sub(r"(LEITONG_VERSION_\w+) \d+", r"\1 3", text))
        self.git("tag", "v3.3.3")
        self.assert_refused(["v3.3.3"], 1, 'CHANGELOG.md of v3.3.3 has no heading "## 3.3.3 (DATE)"')
        self.write("CHANGELOG.md", "# Changelog\n\n## 3.3.3 (soon)\n")
        self.git("tag", "-f", "v3.3.3")
        self.assert_refused(["v3.3.3"], 1, "has no heading")

    def test_help_says_which_machines_the_files_are_for(self):
        self.assertIn("for x86-64 only", self.release("--help").stdout)

    def test_the_changelog_of_this_checkout_has_its_version(self):
        version = r"\.".join(re.findall(r"^#define LEITONG_VERSION_\w+ (\d+)$", (ROOT / VERSION).read_text(), re.MULTILINE))
        self.assertRegex((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), rf"(?m)^## {version} \(\d{{4}}-\d\d-\d\d\)$")


class Inventory(unittest.TestCase):
    def test_the_licence_of_every_library_that_is_built_in_is_known(self):
        tree = ast.parse((ROOT / "scripts" / "write-sbom").read_text(encoding="utf-8"))
        known = next(node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "LICENCES")
        licences = {key.value for key in known.keys}
        script = (ROOT / "scripts" / "static-libraries").read_text(encoding="utf-8")
        built = re.findall(r"^(\S+) +\S+ +\S+-dev$", script, re.MULTILINE)
        self.assertGreater(len(built), 8)
        self.assertEqual(set(built) - licences, set())


if __name__ == "__main__":
    unittest.main()
