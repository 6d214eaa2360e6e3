#!/usr/bin/env python3
"""Messages of src/ name settings in words, not as flags (the table of settings has these, and the command prints them). Figures for readers have a digit before the point. No phrase needs decoding."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
FLAG = re.compile(r"(?<![-\w])--[a-z]")
BARE_POINT = re.compile(r"(?<![\w.)\]/*])[-−]?\.\d")
FOREIGN_COMMANDS = ("soffice ",)  # other programs, in advice on how to convert a file
# Phrases that a reader has to decode. Plain forms are: a second search, units, all or nothing, excluded, depends on.
REFUSED = re.compile(r"by another road|letters of comparison|sees the half of|out of the race|\bOf whoever\b|\b[Tt]o be repaired it gets\b"
                     r"|\bhangs on losses\b|\bcomes to its answer\b"
                     r"|\bas far as they are wanted\b|\bto be believed\b|\bmakes nothing of\b")


def code_lines(*folders: str):
    """Lines of C++ without their comments."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.[ch]pp")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if not line.lstrip().startswith("//"):
                    yield f"{path.relative_to(ROOT)}:{number}", line


def prose_lines(path: Path):
    """Lines of a document outside of blocks of code and of code in the line."""
    in_code = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            in_code = not in_code
        elif not in_code:
            yield f"{path.relative_to(ROOT)}:{number}", re.sub(r"`[^`]*`|\]\([^)]*\)", "", line)


def documents() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "bench" / "README.md"])


class PlainWords(unittest.TestCase):
    def test_the_library_speaks_of_things(self):
        found = [f"{place}: {text}" for place, line in code_lines("src", "include") if ".flag = " not in line for text in STRING.findall(line)
                 if FLAG.search(text) and not any(command in text for command in FOREIGN_COMMANDS)]
        self.assertEqual(found, [])

    def test_errors_name_settings_that_there_are(self):
        table = (ROOT / "src" / "dedup" / "settings_table.cpp").read_text(encoding="utf-8")
        known = set(re.findall(r'\b(?:row|of_\w+)\(\s*"(\w+)"|\.name = "(\w+)"', table))
        names = {name for pair in known for name in pair if name} | {"input"}  # that of the hamming commands
        found = [(path.relative_to(ROOT), name) for path in sorted((ROOT / "src").rglob("*.cpp"))
                 for call in re.findall(r"\bfail\(\s*ErrorCode::.*?\);\n", path.read_text(encoding="utf-8"), re.DOTALL)
                 for name in re.findall(r',\s*"([a-z_]+)"(?=\);|, "[a-z_]+"\);)', call)]
        self.assertGreater(len(found), 25)
        self.assertEqual([(str(path), name) for path, name in found if name not in names], [])

    def test_numbers_in_documents_have_a_digit_before_the_point(self):
        found = [f"{place}: {line}" for path in documents() for place, line in prose_lines(path) if BARE_POINT.search(line)]
        self.assertEqual(found, [])

    def test_numbers_in_help_and_messages_have_a_digit_before_the_point(self):
        found = [f"{place}: {text}" for place, line in code_lines("src", "apps") for text in STRING.findall(line)
                 if re.search(r"[ (=]\.\d", text)]
        self.assertEqual(found, [])

    def test_no_phrase_has_to_be_decoded(self):
        files = [path for folder in ("apps", "bench", "components", "docs", "examples", "fuzz", "include", "packaging", "python", "src", "tests", "tools")
                 for path in (ROOT / folder).rglob("*") if path.suffix in (".hpp", ".cpp", ".h", ".py", ".md", ".js") and path.is_file()]
        found = [f"{path.relative_to(ROOT)}:{number}: {line.strip()}" for path in sorted([*files, *ROOT.glob("*.md")])
                 if path != Path(__file__).resolve() and "runs" not in path.relative_to(ROOT).parts
                 for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1) if REFUSED.search(line)]
        self.assertEqual(found, [])

    def test_the_patterns_find_what_they_are_for(self):
        for text in ("Of whoever reads little of them.", "estimated by another road", "which no reader sees the half of"):
            self.assertTrue(REFUSED.search(text), text)
        for text in ("try --text-field body", "(--max-record)"):
            self.assertTrue(FLAG.search(text), text)
        for text in ("a Jaccard of .35", "(.9)", "| .9942 |", "**.5**"[2:]):
            self.assertTrue(BARE_POINT.search(text), text)
        for text in ("0.35", "file.1", "10.5 bytes", "a .. b", "v1.2.3"):
            self.assertFalse(BARE_POINT.search(text), text)


if __name__ == "__main__":
    unittest.main()
