#!/usr/bin/env python3
"""scripts/check-macos finds what macOS lacks, and accepts what it has. Without zig (scripts/fetch-zig), which is fetched for the check
itself, the test says so and ends with 77."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class CheckMacos(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def check(self, source, options=""):
        (self.folder / "it.cpp").write_text(source)
        command = {"directory": str(self.folder), "file": str(self.folder / "it.cpp"), "command": f"c++ {options} -c it.cpp"}
        (self.folder / "compile_commands.json").write_text(json.dumps([command]))
        return subprocess.run([ROOT / "scripts" / "check-macos", self.folder, os.path.relpath(self.folder, ROOT)], capture_output=True, text=True)

    def test_what_posix_and_libraries_have_passes(self):
        checked = self.check("#include <fmt/core.h>\n#include <openssl/evp.h>\n#include <unistd.h>\n#include <string>\n"
                             'std::string it() { return fmt::format("{}{}", ::getpid(), WORD); }\n', "-DWORD=1")
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))
        self.assertIn("1 sources compile", checked.stdout)

    def test_what_only_linux_has_is_found(self):
        for call in ("::fdatasync(1)", "::open64(\"it\", 0)", "O_TMPFILE"):
            with self.subTest(call):
                checked = self.check(f"#include <fcntl.h>\n#include <unistd.h>\nint it() {{ return {call}; }}\n")
                self.assertEqual(checked.returncode, 1)
                self.assertIn("it.cpp:3:", checked.stderr)
        self.assertEqual(self.check("#include <sys/epoll.h>\n").returncode, 1)

    def test_nothing_to_compile_is_an_error(self):
        (self.folder / "compile_commands.json").write_text("[]")
        checked = subprocess.run([ROOT / "scripts" / "check-macos", self.folder], capture_output=True, text=True)
        self.assertNotEqual(checked.returncode, 0)
        self.assertIn("compiles nothing of src apps", checked.stderr)


if __name__ == "__main__":
    fetched = subprocess.run([ROOT / "scripts" / "fetch-zig"], capture_output=True, text=True)
    if fetched.returncode == 69:
        sys.exit(print(f"NOT TESTED: {fetched.stderr.strip()}") or 77)
    unittest.main()
