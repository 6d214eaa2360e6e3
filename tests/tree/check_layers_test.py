#!/usr/bin/env python3
"""scripts/check-layers accepts a clean tree and names every fault planted in one."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).resolve().parents[2] / "scripts" / "check-layers"


class CheckLayers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("CMakeLists.txt", "leitong_layer(low)\nleitong_layer(high)\n")
        self.write("include/leitong/api.hpp", "#include <vector>\n")
        self.write("src/low/thing.hpp", '#include "leitong/api.hpp"\n')
        self.write("src/high/user.cpp", '#include "low/thing.hpp"\n')
        self.write("src/high/user.hpp", "")
        self.write("apps/cli/main.cpp", '#include "leitong/api.hpp"\n#include "high/user.hpp"\n')
        self.write("scripts/cli-internal-headers", "# why\nmain.cpp high/user.hpp\n")

    def write(self, name: str, text: str):
        path = Path(self.folder.name) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_checker(self):
        return subprocess.run([sys.executable, CHECKER, self.folder.name], capture_output=True, text=True)

    def assert_refused(self, *fragments: str):
        result = self.run_checker()
        self.assertEqual(result.returncode, 1, result.stdout)
        for fragment in fragments:
            self.assertIn(fragment, result.stderr)

    def test_a_clean_tree_passes(self):
        result = self.run_checker()
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_what_stands_outside_includes_public_headers_alone(self):
        for place in ("apps/server/main.cpp", "python/module.cpp", "examples/program.cpp"):
            self.write(place, '#include "leitong/api.hpp"\n#include "low/thing.hpp"\n')
            self.assert_refused(f"{place}:2", "public headers alone")
            self.write(place, '#include "leitong/api.hpp"\n')

    def test_calls_that_only_linux_has_stand_in_one_file(self):
        self.write("src/base/system.hpp", "")
        self.write("src/base/system.cpp", "int main() { return open(f, O_TMPFILE); }\n")
        self.write("CMakeLists.txt", "leitong_layer(base)\nleitong_layer(low)\nleitong_layer(high)\n")
        self.write("apps/server/main.cpp", '#include "base/system.hpp"\n// as mallopt() did\n')
        self.assertEqual(self.run_checker().stderr, "")
        for place in ("src/low/file.cpp", "apps/cli/other.cpp", "apps/server/other.cpp"):
            self.write(place, 'int main() { return read("/proc/self/exe"); }\n')
            self.assert_refused(f"{place}:1", "base/system.hpp")
            self.write(place, "")

    def test_a_component_includes_what_it_offers_besides(self):
        self.write("src/io/table_files.hpp", "")
        self.write("CMakeLists.txt", "leitong_layer(io)\nleitong_layer(low)\nleitong_layer(high)\n")
        self.write("components/one/part.cpp", '#include "io/table_files.hpp"\n#include "leitong/api.hpp"\n')
        self.assertEqual(self.run_checker().returncode, 0)
        self.write("components/one/part.cpp", '#include "io/table_files.hpp"\n#include "low/thing.hpp"\n')
        self.assert_refused("components/one/part.cpp:2", "public headers alone")

    def test_the_command_includes_internal_headers_only_where_they_are_listed(self):
        self.write("apps/cli/other.cpp", '#include "high/user.hpp"\n')
        self.assert_refused("apps/cli/other.cpp:1: the command stands on the public headers, and high/user.hpp is none")

    def test_the_list_of_the_commands_internal_headers_gets_shorter(self):
        self.write("apps/cli/main.cpp", '#include "leitong/api.hpp"\n')
        self.assert_refused("apps/cli/main.cpp no longer includes high/user.hpp; take it off the list")

    def test_a_lower_layer_must_not_include_a_higher_one(self):
        self.write("src/low/thing.cpp", '#include "low/thing.hpp"\n#include "high/user.hpp"\n')
        self.assert_refused("src/low/thing.cpp:2: low includes high/user.hpp")

    def test_public_headers_include_only_public_headers(self):
        self.write("include/leitong/api.hpp", '#include "low/thing.hpp"\n')
        self.assert_refused("include/leitong/api.hpp:1: a public header includes low/thing.hpp")

    def test_circles_are_found(self):
        self.write("src/low/a.hpp", '#include "low/b.hpp"\n')
        self.write("src/low/b.hpp", '#include "low/a.hpp"\n')
        self.assert_refused("circle of includes: src/low/a.hpp -> src/low/b.hpp -> src/low/a.hpp")

    def test_insides_of_the_standard_library_and_climbing_paths_are_refused(self):
        self.write("src/low/thing.cpp", '#include <bits/stdc++.h>\n#include "../low/thing.hpp"\n')
        self.assert_refused("thing.cpp:1: <bits/stdc++.h>", 'thing.cpp:2: "../low/thing.hpp" climbs out')

    def test_who_hands_failures_on_includes_the_macros_itself(self):
        self.write("src/low/thing.cpp", '#include "low/thing.hpp"\nvoid f() { LEITONG_TRY(g()); }\n')
        self.assert_refused('src/low/thing.cpp: uses LEITONG_TRY or LEITONG_ASSIGN; include "base/try.hpp"')

    def test_a_folder_that_is_no_layer_is_named(self):
        self.write("src/stray/x.cpp", "")
        self.assert_refused("src/stray: not a layer")


if __name__ == "__main__":
    unittest.main()
