#!/usr/bin/env python3
"""./dev release refuses a tag that is no release, before anything is built; from one it collects all files, and compares two builds
(the scripts that it calls are replaced here); and the content of its files has known licences."""
import ast
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSION = "include/leitong/version.hpp"


class Tree(unittest.TestCase):
    """A small repository with the script, its commits and tags."""

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


class Release(Tree):
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

    def test_the_changelog_of_this_checkout_has_its_version(self):
        version = r"\.".join(re.findall(r"^#define LEITONG_VERSION_\w+ (\d+)$", (ROOT / VERSION).read_text(), re.MULTILINE))
        self.assertRegex((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), rf"(?m)^## {version} \(\d{{4}}-\d\d-\d\d\)$")


# What the scripts of the tag leave behind. SEED is of the sources; with "now" as SEED two builds differ.
PLAYED = {
    "setup": "", "install-packages": "", "build-arm": "", "static-libraries": "mkdir -p .deps/static; echo 'zlib 1' >.deps/static/sources",
    "package": "mkdir -p $2/packages; cd $2/packages; debian=arm64 machine=aarch64\n"
               "if [ $2 = build/release ]; then debian=amd64 machine=x86_64; for name in leitong-dict-jieba leitong-server; do echo $name >${name}_0.1.0-1_all.deb; done; fi\n"
               "for name in leitong leitong-arrow leitong-hbase; do echo $name >${name}_0.1.0-1_$debian.deb; cat ../../../SEED >$name-0.1.0-linux-$machine.tar.xz; done\n"
               "echo documents >leitong-documents_0.1.0-1_$debian.deb; echo $SOURCE_DATE_EPOCH >glibc-linux-$machine.tar.xz\n"
               "! grep -q now ../../../SEED || date +%N >leitong_0.1.0-1_$debian.deb",
    "python": "mkdir -p build/wheels; machine=aarch64; [ $3 = build/aarch64 ] || machine=x86_64\n"
              "for tag in cp311-cp311 cp312-abi3; do [ -e ../../lacking ] || echo $tag >build/wheels/leitong-0.1.0-$tag-manylinux_2_28_$machine.whl; done",
    "try_packages": "ls $1 >tried", "try_container": "echo container >>tried", "try_wheel": "echo $1 >>tried; [ ! -e skips ] || exit 77",
}
TOOLS = {
    "cmake": "#!/bin/sh\n",
    "python3": '#!/bin/sh\nmkdir -p "$4/bin"; for tool in pip python; do printf "#!/bin/sh\\n[ $tool = pip ] || echo inside >\\$4\\n" >"$4/bin/$tool"; chmod +x "$4/bin/$tool"; done\n',
}


class Collecting(Tree):
    def setUp(self):
        super().setUp()
        for name, text in PLAYED.items():
            (self.tree / "scripts" / name).write_text(f"#!/usr/bin/env bash\nset -eu\n{text}\n")
            (self.tree / "scripts" / name).chmod(0o755)
        for name, text in TOOLS.items():
            (self.tree / "tools").mkdir(exist_ok=True)
            (self.tree / "tools" / name).write_text(text)
            (self.tree / "tools" / name).chmod(0o755)
        (self.tree / ".gitignore").write_text("/.deps\n/build\n/tools\n")
        for part in ("jieba", "usearch", "arrow"):
            (self.tree / ".deps" / part).mkdir(parents=True)
            (self.tree / ".deps" / part / "digest").write_text("")
        self.write("SEED", "always\n")
        self.git("tag", "v0.1.0")
        self.write("SEED", "what is after the tag\n")

    def release(self, *words):
        return subprocess.run([self.tree / "scripts" / "release", *words], capture_output=True, text=True,
                              env={"PATH": f"{self.tree}/tools:/usr/bin:/bin", "HOME": str(self.tree)})

    def test_all_files_of_the_tag_come_with_digests(self):
        told = self.release("v0.1.0", "--twice")
        self.assertEqual(told.returncode, 0, told.stderr + told.stdout)
        self.assertIn("two builds have the same bytes", told.stdout)
        files = {path.name for path in (self.tree / "build/dist").iterdir()}
        self.assertEqual(len(files), 24)
        self.assertEqual((self.tree / "build/dist/leitong-0.1.0-linux-x86_64.tar.xz").read_text(), "always\n")
        summed = subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=self.tree / "build/dist", capture_output=True, text=True)
        self.assertEqual((summed.returncode, len(summed.stdout.splitlines())), (0, 23), summed.stderr)
        tried = (self.tree / "tried").read_text()
        for name in ("leitong-0.1.0.spdx.json", "SHA256SUMS", "container", "cp311-cp311-manylinux_2_28_x86_64", "cp311-cp311-manylinux_2_28_aarch64", "cp312-abi3"):
            self.assertIn(name, tried)
        self.assertFalse((self.tree / "build/dist-again").exists())

    def test_builds_that_differ_are_found(self):
        self.write("SEED", "now\n")
        self.git("tag", "-f", "v0.1.0")
        told = self.release("--no-try", "--twice", "v0.1.0")
        self.assertEqual(told.returncode, 1)
        self.assertIn("two builds of v0.1.0 differ", told.stderr)
        self.assertIn("leitong_0.1.0-1_amd64.deb: FAILED", told.stdout)

    def test_a_file_that_is_missing_is_named(self):
        (self.tree / "lacking").write_text("")
        told = self.release("--no-try", "v0.1.0")
        self.assertEqual(told.returncode, 1)
        self.assertIn("leitong-0.1.0-cp311-cp311-manylinux_2_28_x86_64.whl has not been made", told.stderr)
        self.assertFalse((self.tree / "build/dist/SHA256SUMS").exists())
        (self.tree / ".deps/arrow/digest").unlink()
        told = self.release("--no-try", "v0.1.0")
        self.assertEqual(told.returncode, 69, told.stderr)
        self.assertIn(".deps/arrow is missing", told.stderr)

    def test_what_cannot_be_tried_is_told_by_the_status(self):
        (self.tree / "skips").write_text("")
        self.assertEqual(self.release("v0.1.0").returncode, 77)


class Inventory(unittest.TestCase):
    def test_what_it_is_written_with_is_pinned(self):
        for line in (ROOT / "python" / "requirements" / "release.txt").read_text(encoding="utf-8").splitlines():
            self.assertRegex(line, r"\A(#.*|[A-Za-z0-9._-]+==[0-9.]+)\Z")

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
