#!/usr/bin/env python3
"""What the documents name exists: links, pictures, anchors, and the files, functions and layers of ARCHITECTURE.md."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
NAMED_FILE = re.compile(r"`((?:[\w.*-]+/)*[\w*-]+\.(?:hpp|cpp|cc|md|json|txt|in|py))`")
FUNCTION = re.compile(r"`(?:[A-Z]\w*::)?(\w+)\(\)`")


def prose(path: Path) -> str:
    return re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def documents() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def anchors(path: Path) -> set[str]:
    """The anchors that sites with Markdown make of headings."""
    headings = re.findall(r"^#+ (.*)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Documents(unittest.TestCase):
    def test_links_lead_somewhere(self):
        broken = []
        for path in documents():
            for target in LINK.findall(prose(path)):
                name, _, anchor = target.partition("#")
                if "://" in name:
                    continue
                file = (path.parent / name).resolve() if name else path
                if not file.exists() or (anchor and anchor not in anchors(file)):
                    broken.append(f"{path.relative_to(ROOT)}: {target}")
        self.assertEqual(broken, [])


    def test_prose_has_lines_that_fit_a_screen(self):
        """But for Chinese, of which a break would be a space. What stands as it is typed, tables and addresses do not count."""
        wide = [f"{path.relative_to(ROOT)}: {line[:60]}" for path in documents() if ".zh." not in path.name and "zh" not in path.parts
                for line in prose(path).splitlines()
                if len(re.sub(r"`[^`]*`|\]\([^)]*\)", "", line)) > 140 and not line.startswith(("|", "    ", "<"))]
        self.assertEqual(wide, [])


class Architecture(unittest.TestCase):
    def setUp(self):
        self.text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")

    def test_files_exist(self):
        """Under their full names, or, as in the sections about one folder, at the end of a name."""
        every = [str(p.relative_to(ROOT)) for folder in ("src", "include", "apps", "tests", "docs", "tools", "cmake", "examples", "bench", "python")
                 for p in (ROOT / folder).rglob("*") if p.is_file()] + [p.name for p in ROOT.iterdir()]
        named = set(NAMED_FILE.findall(self.text))
        self.assertGreater(len(named), 60)
        missing = [name for name in sorted(named)
                   if not any(re.search("(^|/)" + re.escape(name).replace(r"\*", "[^/]*") + "$", file) for file in every)]
        self.assertEqual(missing, [])

    def test_folders_exist(self):
        named = set(re.findall(r"`((?:src|include|apps|tests|docs|tools|bench|examples|scripts)/[\w/-]+)/?`", self.text))
        self.assertEqual([name for name in sorted(named) if not (ROOT / name).exists()], [])

    def test_functions_exist(self):
        code = "\n".join(p.read_text(encoding="utf-8") for folder in ("src", "include", "apps")
                         for p in (ROOT / folder).rglob("*.[ch]pp"))
        named = set(FUNCTION.findall(self.text))
        self.assertGreater(len(named), 10)
        self.assertEqual([name for name in sorted(named) if not re.search(rf"\b{name}\(", code)], [])

    def test_the_table_has_every_layer_in_the_order_of_the_build(self):
        layers = re.findall(r"^leitong_layer\((\w+)\)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.MULTILINE)
        self.assertEqual(re.findall(r"^\| `(\w+)/` \|", self.text, re.MULTILINE), layers)

    def test_the_drawing_has_every_layer(self):
        layers = set(re.findall(r"^leitong_layer\((\w+)\)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.MULTILINE))
        drawing = re.findall(r"^```\n(.*?)^```", self.text, re.MULTILINE | re.DOTALL)[-1]
        self.assertEqual(layers - set(re.findall(r"\w+", drawing)), set())


if __name__ == "__main__":
    unittest.main()
