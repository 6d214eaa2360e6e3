"""The worked examples of the articles that the field teaches with: what was published, and what leitong says.

A row is an example, a command that anybody can repeat in the project's folder, the published figure, leitong's, and the
reason where they differ. tests/cli/literature_test.py holds the expected values; docs/methods.md has the table.
Whole articles are ours, in the shape of the published ones.
"""
import functools
import json
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from . import paths

TEXTS = Path("tests/literature")  # from the project's folder
OIL, SPUN, BANK, NO_WORDS = (str(TEXTS / name) for name in ("oil-field.txt", "oil-field-spun.txt", "bank.txt", "no-words.txt"))
POSITIVE, NEGATIVE = "他是这家公司的法定代表人", "他不是这家公司的法定代表人"
WINNER, LOSER = "广州队在决赛中战胜了上海队", "上海队在决赛中战胜了广州队"
SPAM, REORDERED = "100元=38万星币,加微信", "38万星币100元,加VX"
CALLS, SHOUTS = "你妈妈喊你回家吃饭", "你妈妈叫你回家吃饭"
# What the article prints for 喊 and 叫.
PRINTED = ("1000010010101101111111100000101011010001001111100001001011001011",
           "1000010010101101011111100000101011010001001111100001101010001011")

@functools.lru_cache(maxsize=None)
def _run(arguments, stdin):
    done = subprocess.run([paths.LEITONG, *arguments], cwd=paths.ROOT, input=stdin, capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise RuntimeError(f"leitong {shlex.join(arguments)}: {done.stderr}")
    return done.stdout


@dataclass
class Row:
    example: str
    arguments: list
    published: str
    read: Callable[[str], str]  # the figure from what the command prints
    why: str = ""
    stdin: str = ""

    @property
    def command(self):
        line = "leitong " + " ".join(shlex.quote(argument) for argument in self.arguments)
        return f"printf '{self.stdin}' | {line}".replace("\n", "\\n") if self.stdin else line

    def output(self):
        return _run(tuple(self.arguments), self.stdin)

    def value(self):
        return self.read(self.output())


def resemblance(output):
    return f"{json.loads(output)['jaccard']:.3f}"


def verdict(output):
    return "a copy" if json.loads(output)["similar"] else "different"


def distance(output):
    return f"{json.loads(output)['methods'][0]['distance']} bits"


def similarity(output):
    return f"{json.loads(output)['methods'][0]['similarity']:.3f}"


def compare(a, b, method=None, *more):
    chosen = ["--method", method] if method else []
    texts = [a, b] if a.startswith(str(TEXTS)) else ["--text", a, b]
    return ["compare", *texts, *chosen, *more, "--json"]


def params(*named):
    return [part for param in named for part in ("--param", param)]


def hash_of(output):
    feature = json.loads(output)["features"][0]
    return f"{int(feature['hash'], 16):064b}"


def rows():
    """In the order of the table."""
    hashing = ["segment", "--features", "--json", *params("hash=codepoint")]
    return [
        Row("a spun article on an oil field", compare(OIL, SPUN), "0.39", resemblance,
            "5-character shingles, as published; the text is ours, in the shape of the published one"),
        Row("the same", compare(OIL, SPUN), "a copy", verdict,
            "a person calls it a copy; the default rule asks for 0.390 at this length, 0.004 more than it has"),
        Row("the same", compare(OIL, SPUN, "simhash"), "-", distance, "similar at distance 10, not at 3"),
        Row("an article on another subject", compare(OIL, BANK), "0.00", resemblance, "the text is ours"),
        Row("the same", compare(OIL, BANK, "simhash"), "-", distance, "unrelated texts differ in about 32 bits"),
        Row("是 / 不是", compare(POSITIVE, NEGATIVE, "simhash"), "0 bits", distance,
            "the sentences are ours; SimHash is expected not to tell them apart"),
        Row("the same", compare(POSITIVE, NEGATIVE, "p-simhash"), "told apart", distance,
            "不是 is on jieba's list of stop words and 是 has one character, so both sentences have the same words"),
        Row("the same, no stop words", compare(POSITIVE, NEGATIVE, "p-simhash", "--stop-words", NO_WORDS), "told apart",
            distance, "不是 counts now; still similar at the distance of 10"),
        Row("exchanged teams", compare(WINNER, LOSER, "simhash"), "0 bits", distance,
            "the sentences are ours; word order is invisible to SimHash"),
        Row("the same", compare(WINNER, LOSER, "p-simhash"), "told apart", distance,
            "places weigh little (mu = 1.5), so few bits differ: still similar at the distance of 10"),
        Row("the same", compare(WINNER, LOSER, "p-simhash-literal"), "told apart", distance,
            "the published sum is the same for two words of nearly equal weight that change places"),
        Row("reordered advertisement", compare(SPAM, REORDERED), "a copy", verdict,
            "no shingle of 5 characters survives; the rule is made for longer texts"),
        Row("the same", compare(SPAM, REORDERED, "edit", *params("symbols=characters")), "-", similarity,
            "edit distance is for texts that keep their order"),
        Row("the same", compare(SPAM, REORDERED, "simhash", *params("features=chars", "n=1", "top=0")), "-", distance,
            "single characters are what the two share"),
        Row("妈妈喊 / 叫", compare(CALLS, SHOUTS, "simhash"), "3 bits", distance,
            "published for a longer pair of sentences; 喊 and 叫 have one character and don't count here"),
        Row("the printed fingerprints of it", ["hamming", "join", "-", "-k", "3", "--format", "tsv"], "3 bits",
            lambda output: output.split("\t")[2].strip() + " bits", stdin="\n".join(PRINTED) + "\n"),
        Row("hash of 星期四", hashing, "0010001100100000…", lambda output: hash_of(output)[:16] + "…",
            "all 64 bits are as printed", stdin="星期四\n"),
        Row("hash of 资源", hashing, "0100000000111101…", lambda output: hash_of(output)[:16] + "…",
            "all 64 bits are as printed", stdin="资源\n"),
        Row("kitten / sitting", compare("kitten", "sitting", "edit", *params("symbols=characters")), "0.571", similarity),
        Row("the same", compare("kitten", "sitting", "edit"), "0.571", similarity,
            "leitong's own symbols are pairs of letters: ki, tt, en against si, tt, in, g"),
    ]


COLUMNS = ["example", "published", "leitong", "why", "command"]


def table():
    """Rows of text."""
    return [[row.example, row.published, row.value(), row.why, f"`{row.command}`"] for row in rows()]


def markdown():
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in table()]) + "\n"
