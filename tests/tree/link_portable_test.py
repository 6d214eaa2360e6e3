#!/usr/bin/env python3
"""scripts/link-portable: what it links loads glibc alone and runs, and what would need more than glibc 2.28 is refused. Needs what
scripts/static-libraries makes, which takes minutes: where it is missing, the test says so and ends with 77."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
USES = """
#include <unicode/ucnv.h>
#include <charconv>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>
extern "C" int work() {
  UErrorCode error = U_ZERO_ERROR;
  UConverter* const gb = ucnv_open("gb18030", &error);
  ucnv_close(gb);
  std::mutex mutex;
  std::condition_variable woken;
  bool ready = false;
  std::thread other([&] { std::lock_guard lock(mutex); ready = true; woken.notify_one(); });
  std::unique_lock lock(mutex);
  woken.wait_for(lock, std::chrono::seconds(60), [&] { return ready; });
  lock.unlock();
  other.join();
  char digits[32];
  *std::to_chars(digits, digits + 31, 0.1).ptr = 0;
  try {
    throw std::runtime_error(digits);
  } catch (const std::exception& caught) {
    std::printf("%s %d %d\\n", caught.what(), ready, U_SUCCESS(error));
  }
  return 0;
}
"""


def link(folder, source, *options):
    (folder / "it.cpp").write_text(source)
    subprocess.run(["g++", "-std=c++20", "-fPIC", "-c", folder / "it.cpp", "-o", folder / "it.o"], check=True)
    return subprocess.run([ROOT / "scripts" / "link-portable", *options, folder / "out", folder / "it.o"], capture_output=True, text=True)


class LinkPortable(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_a_program_loads_glibc_alone_and_runs(self):
        linked = link(self.folder, USES + "int main() { return work(); }\n")
        self.assertEqual(linked.returncode, 0, linked.stderr)
        self.assertRegex(linked.stdout, r"^out: GLIBC_2\.\d+, loads ")
        self.assertTrue(set(re.findall(r"lib\w+", linked.stdout)) <= {"libc", "libm", "libpthread", "libdl", "librt"}, linked.stdout)
        ran = subprocess.run([self.folder / "out"], capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stdout), (0, "0.1 1 1\n"), ran.stderr)

    def test_a_shared_object_shows_one_name(self):
        linked = link(self.folder, USES, "--export", "work")
        self.assertEqual(linked.returncode, 0, linked.stderr)
        shown = subprocess.run(["nm", "-D", "--defined-only", self.folder / "out"], capture_output=True, text=True, check=True).stdout
        self.assertRegex(shown, r"\A[0-9a-f]+ T work\n\Z")

    def test_what_glibc_2_28_lacks_is_refused(self):
        linked = link(self.folder, "#include <unistd.h>\nint main() { return close_range(9, 9, 0); }\n")
        self.assertNotEqual(linked.returncode, 0)
        self.assertIn("close_range", linked.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_what_nobody_has_is_refused_in_a_module(self):
        source = 'extern "C" void PyErr_Clear(); extern "C" void nobody(); extern "C" void PyInit_it() { PyErr_Clear(); nobody(); }\n'
        linked = link(self.folder, source, "--python", "--export", "PyInit_it")
        self.assertNotEqual(linked.returncode, 0)
        self.assertIn("asks for nobody", linked.stderr)
        self.assertFalse((self.folder / "out").exists())
        self.assertEqual(link(self.folder, source.replace("nobody();", "PyErr_Clear();"), "--python", "--export", "PyInit_it").returncode, 0)

    def test_a_module_has_the_command_which_a_small_program_calls(self):
        source = ('#include <cstdio>\nextern "C" void PyErr_Clear(); extern "C" char PyExc_ValueError; extern "C" void PyInit_it() { PyErr_Clear(); '
                  'PyExc_ValueError = 1; }\nint main(int argc, char** argv) { std::printf("%d %s\\n", argc, argv[1]); return 3; }\n')
        linked = link(self.folder, source, "--python", "--export", "PyInit_it", "--main", "leitong_command")
        self.assertEqual(linked.returncode, 0, linked.stderr)
        shown = subprocess.run(["nm", "-D", "--defined-only", self.folder / "out"], capture_output=True, text=True, check=True).stdout
        self.assertEqual({line.split()[-1] for line in shown.splitlines()}, {"PyInit_it", "leitong_command"})
        program = self.folder / "bin" / "leitong"
        program.parent.mkdir()
        made = subprocess.run([ROOT / "scripts" / "link-wheel-command", ROOT / "python" / "command.c", self.folder / "out", program],
                              capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertLess(program.stat().st_size, 100_000)
        ran = subprocess.run([program, "a word"], capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stdout), (3, "2 a word\n"), ran.stderr)
        if os.getuid() == 0:  # A root without /proc.
            hidden = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$0" "a word"', program]
            ran = subprocess.run(hidden, capture_output=True, text=True)
            self.assertEqual((ran.returncode, ran.stdout), (3, "2 a word\n"), ran.stderr)
        (self.folder / "out").unlink()
        ran = subprocess.run([program], capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stdout), (5, ""))
        self.assertRegex(ran.stderr, r"leitong: this installation is damaged: .*out: .*No such file.*; install the package again")

    def test_a_program_without_a_module_is_refused(self):
        linked = link(self.folder, USES, "--export", "work")
        self.assertEqual(linked.returncode, 0, linked.stderr)
        made = subprocess.run([ROOT / "scripts" / "link-wheel-command", ROOT / "python" / "command.c", self.folder / "out", self.folder / "it"],
                              capture_output=True, text=True)
        self.assertEqual(made.returncode, 1)
        self.assertIn("is no Python module", made.stderr)


if __name__ == "__main__":
    there = subprocess.run([ROOT / "scripts" / "static-libraries", "--there"], capture_output=True, text=True)
    if there.returncode != 0:
        sys.exit(print(f"NOT TESTED: {there.stderr.strip()}") or 77)
    unittest.main()
