#!/usr/bin/env python3
"""A configuration without some of the libraries names all that are missing, by Debian's names, and the fix."""
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Dependencies(unittest.TestCase):
    def test_what_is_missing_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            told = subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, "-D", "CMAKE_DISABLE_FIND_PACKAGE_simdjson=ON",
                                   "-D", "CMAKE_DISABLE_FIND_PACKAGE_Boost=ON"],
                                  capture_output=True, text=True)
        self.assertNotEqual(told.returncode, 0)
        message = " ".join(told.stderr.split())
        self.assertIn("by Debian's names: libsimdjson-dev libboost1.81-dev. On Debian 12 scripts/install-packages installs them", message)


if __name__ == "__main__":
    unittest.main()
