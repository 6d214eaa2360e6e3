"""The report in a headless Chromium, for the tests of the report."""

import pathlib
import sys
import unittest

import chromium

FOLDER = pathlib.Path(".")
SOON = "new Promise((done) => setTimeout(done, 300))"  # "toggle" events of <details> come later
BROWSER = None


class ReportPage(unittest.TestCase):
    def open(self, name, **settings):
        self.url = (FOLDER / name).resolve().as_uri()
        page = BROWSER.open(self.url, **settings)
        self.addCleanup(self.check_quiet, page, self.url)
        return page

    def check_quiet(self, page, url=None):
        self.assertEqual(page.problems, [])
        self.assertEqual(page.requests, [url or self.url], "the page asked for something besides itself")


def main():
    """Runs the tests of the script in one browser: `SCRIPT FOLDER`, which holds sample.html and hostile.html and gets the pictures."""
    global FOLDER, BROWSER
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} FOLDER")
    FOLDER = pathlib.Path(sys.argv.pop())
    path = chromium.find()
    if path is None:
        sys.exit("Chromium is missing; scripts/install-packages --browser installs it")
    with chromium.Browser(path) as BROWSER:
        return 0 if unittest.main(exit=False, verbosity=2).result.wasSuccessful() else 1
