#!/usr/bin/env python3
"""Every script can be read by its interpreter, can be run, and explains itself: also those that no test has the time to run."""
import ast
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = [path for path in sorted((ROOT / "scripts").iterdir()) if path.is_file() and path.read_bytes().startswith(b"#!")]


class Scripts(unittest.TestCase):
    def test_are_there(self):
        self.assertGreater(len(SCRIPTS), 20)

    def test_can_be_read(self):
        for script in SCRIPTS:
            with self.subTest(script.name):
                text = script.read_text(encoding="utf-8")
                self.assertTrue(script.stat().st_mode & 0o100, "it can't be run")
                if "bash" in text.splitlines()[0]:
                    read = subprocess.run(["bash", "-n", script], capture_output=True, text=True)
                    self.assertEqual((read.returncode, read.stderr), (0, ""))
                else:
                    ast.parse(text, script.name)

    def test_what_packages_for_any_linux_need_explains_itself(self):
        for name in ("static-libraries", "link-portable", "link-wheel-command", "build-arm", "package", "python", "try_packages", "try_wheel", "fetch-zig", "check-macos", "release"):
            with self.subTest(name):
                told = subprocess.run([ROOT / "scripts" / name, "--help"], capture_output=True, text=True)
                self.assertEqual(told.returncode, 0, told.stderr)
                self.assertRegex(told.stdout, r"\Ausage: ")

    def test_arrow_is_fetched_for_known_processors_alone(self):
        told = subprocess.run([ROOT / "scripts" / "fetch-arrow", "sparc64"], capture_output=True, text=True)
        self.assertEqual((told.returncode, told.stdout), (2, ""))
        self.assertIn('unknown option sparc64', told.stderr)


if __name__ == "__main__":
    unittest.main()
