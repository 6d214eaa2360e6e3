#!/usr/bin/env python3
"""Files of a layer are compiled several at a time. If two of them name a function alike whose parameters convert to each other, a call
may take the other file's function, and the compiler does not say so. If the parameters are the same, it is an error, but only where
both files are in one batch, which another file may change. So it is if two of them name a constant alike."""
import re
import sys
import tempfile
import unittest
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ANONYMOUS = re.compile(r"namespace \{\n(.*?)\n\}  // namespace\n", re.DOTALL)
FUNCTION = re.compile(r"^(?!return|using|struct|class|enum|template|#|//|\}| )[A-Za-z\[][^\n=;(]*?[ &*](\w+)\(([^)]*)\)", re.MULTILINE)
CONSTANT = re.compile(r"^(?:constexpr|const)\s[^;(=]*?[ &*](k[A-Z]\w+)(?:\[\w*\])?\s*[={](.*?;)", re.MULTILINE | re.DOTALL)
FURTHER = re.compile(r",\s*(k[A-Z]\w+)\s*[={]")
ALONE = re.compile(r"_(avx2|avx512|scalar)$")  # kernels are compiled one at a time
FAMILIES = {"text": r"(std::)?(string|string_view|filesystem::path)|fs::path|char\*",
            "number": r"(std::)?u?int\d+_t|(std::)?size_t|u(8|16|32|64)|int|unsigned|char|unsigned char|char32_t|double|float|Unit|DocId"}


def family(parameter):
    """What the type of a parameter converts to and from, or the type."""
    kind = re.sub(r"\[\[\w+\]\]|\bconst\b", "", parameter).strip()
    kind = re.sub(r"\s+", " ", re.sub(r"[&\s]*\b\w+$", "", kind).replace("&", "").replace(" *", "*")).strip()
    return next((name for name, types in FAMILIES.items() if re.fullmatch(types, kind)), kind)


def confusions(root):
    """(name, file, file) of functions and constants without a linkage that one use may mean in either way."""
    functions: defaultdict[tuple[object, ...], list[str]] = defaultdict(list)
    for file in sorted([*root.glob("src/**/*.cpp"), *root.glob("apps/*/*.cpp")]):
        if ALONE.search(file.stem):
            continue
        layer = file.relative_to(root).parts[:2]
        for body in ANONYMOUS.findall(file.read_text(encoding="utf-8")):
            for name, parameters in FUNCTION.findall(body):
                types = tuple(" ".join(one.split()) for one in parameters.split(",")) if parameters.strip() else ()
                functions[layer, name, tuple(map(family, types))].append(str(file.relative_to(root)))
            for name, value in CONSTANT.findall(body):
                for one in (name, *FURTHER.findall(value)):
                    functions[layer, one, ()].append(str(file.relative_to(root)))
    found = set()
    for (_, name, _), places in functions.items():
        for i, file in enumerate(places):
            found.update((name, file, other) for other in places[i + 1:] if other != file)
    return sorted(found)


class Overloads(unittest.TestCase):
    def test_no_call_can_mean_the_function_of_another_file(self):
        self.assertEqual(confusions(ROOT), [])

    def test_planted_ones_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "src/io").mkdir(parents=True)

            def write(name, function):
                (root / "src/io" / name).write_text(f"namespace {{\n\n{function} {{ return 1; }}\n\n}}  // namespace\n", encoding="utf-8")

            write("a.cpp", "int refused(const std::string& path, std::string_view what, int error)")
            write("b.cpp", "int refused(const std::string& name, const char* what, int error)")
            write("c.cpp", "int refused(const Table& table, std::string_view what, int error)")
            write("d_avx2.cpp", "int refused(const std::string& name, const char* what, int error)")
            self.assertEqual(confusions(root), [("refused", "src/io/a.cpp", "src/io/b.cpp")])
            write("e.cpp", "int refused(const Table& rows, std::string_view what, int code)")
            self.assertIn(("refused", "src/io/c.cpp", "src/io/e.cpp"), confusions(root))
            for name, constants in (("f", "constexpr int kFirst = 1, kPage = 2;"), ("g", "const std::array<int, 2> kPage = {1, 2};")):
                (root / f"src/io/{name}.cpp").write_text(f"namespace {{\n\n{constants}\n\n}}  // namespace\n", encoding="utf-8")
            self.assertIn(("kPage", "src/io/f.cpp", "src/io/g.cpp"), confusions(root))


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
