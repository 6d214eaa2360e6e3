#!/usr/bin/env python3
"""usage: demo_next.py LEITONG DOCS.jsonl RESULT_FOLDER

Prints how to put leitong on the PATH and three commands to try on the corpus of the demo. They can be pasted into a
shell in any folder, and again.
"""
import os
import shlex
import sys
from pathlib import Path


def next_steps(leitong: Path, docs: Path, out: Path) -> tuple[str, list[tuple[str, str]]]:
    """The line for the PATH, and (what it does, the command) three times."""
    corpus, folder = shlex.quote(str(docs)), shlex.quote(str(out))
    return f'export PATH={shlex.quote(str(leitong.parent))}:"$PATH"', [
        ("every similar pair with its scores, the corpus untouched",
         f"leitong pairs {corpus} -o {folder}/again.tsv --force"),
        ("a stricter decision from these scores, without another run",
         f"leitong cluster {folder}/again.tsv --threshold 0.95 --clusters {folder}/strict.tsv --force"),
        ("the same corpus by another method: SimHash over jieba's words",
         f"leitong dedup {corpus} --method simhash -o {folder}/simhash.jsonl --force"),
    ]


def main() -> None:
    leitong, docs, out = (Path(name).resolve() for name in sys.argv[1:4])
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    bold, plain = ("\x1b[1m", "\x1b[0m") if colour else ("", "")
    path, commands = next_steps(leitong, docs, out)
    print(f"\n{bold}To try next{plain}")
    for what, command in commands:
        print(f"  # {what}\n  {command}")
    print(f"\nThis puts leitong on the PATH of your shell:\n  {bold}{path}{plain}")


if __name__ == "__main__":
    main()
