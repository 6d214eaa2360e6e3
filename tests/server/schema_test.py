#!/usr/bin/env python3
"""usage: schema_test.py LEITONG

Schemathesis against a live server: requests that follow /openapi.json and requests that don't, with all checks. scripts/test-schema runs it.
LEITONG_SCHEMA_EXAMPLES sets another number of requests for each operation."""
import os
import subprocess
import sys
import unittest

import running
from running import Server

EXAMPLES = os.environ.get("LEITONG_SCHEMA_EXAMPLES", "25")


class Schema(unittest.TestCase):
    def run_on(self, *arguments):
        place = running.folder(self)
        (place / "small.idf").write_text("渡船 9.5\n清晨 7\n", encoding="utf-8")
        with Server(place / "data", config=f'[idf]\nsmall = "{place / "small.idf"}"\n') as server:
            done = subprocess.run([running.Path(sys.executable).with_name("schemathesis"), "run", f"http://127.0.0.1:{server.port}/openapi.json", "--seed", "1", "--checks", "all",
                                   "--max-examples", EXAMPLES, "--no-color", *arguments], cwd=place, capture_output=True, text=True)
            self.assertEqual(server.get("/healthz").status, 200)
        self.assertEqual(done.returncode, 0, done.stdout[-6000:] + done.stderr[-2000:])
        print(done.stdout.strip().splitlines()[-1], file=sys.stderr)

    # Which parameters a method or a scheme has is no part of the schema, nor which cursors an index gave: random ones are refused although the
    # schema allows them.
    PARTICULAR = ("sign", "make_index", "changes")

    def test_all_operations(self):
        self.run_on(*(word for operation in self.PARTICULAR for word in ("--exclude-operation-id", operation)))

    def test_particular_operations(self):
        self.run_on(*(word for operation in self.PARTICULAR for word in ("--include-operation-id", operation)), "--exclude-checks", "positive_data_acceptance")


if __name__ == "__main__":
    running.main()
