#!/usr/bin/env python3
"""usage: demo_story.py LEITONG CORPUS_FOLDER RESULT_FOLDER

Tells what a run of the demo found, in words, from the files that it wrote.
"""
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

COLOUR = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
EXCERPT_LINES = 50


def bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m" if COLOUR else text


def rows(path: Path) -> list[dict]:
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def raw_jaccard(a: str, b: str) -> float:
    """What a comparison without folding sees: Jaccard over the runs of five characters as they stand."""
    grams = [{text[i:i + 5] for i in range(len(text) - 4)} for text in (a, b)]
    return len(grams[0] & grams[1]) / max(1, len(grams[0] | grams[1]))


def share_of_han(text: str) -> float:
    return sum("\u4e00" <= letter <= "\u9fff" for letter in text) / max(1, len(text))


def release_and_language(identity: str) -> list[str]:
    return identity.split("/")[:2]


def most_instructive(removed: list[dict], texts: dict[str, str]) -> dict:
    """The removal that says most on one screen: one page, short and mostly Chinese, of another language variant, then of another
    release, then the one that plain comparison would have missed by most."""
    def worth(row: dict) -> tuple:
        pair = texts[row["id"]], texts[row["kept"]]
        a, b = release_and_language(row["id"]), release_and_language(row["kept"])
        readable = all(len(text) < 900 and share_of_han(text) > .35 for text in pair)
        same_page = row["id"].rsplit("/", 1)[1] == row["kept"].rsplit("/", 1)[1]
        gain = row["score"] - raw_jaccard(*pair) if readable else 0
        return readable and same_page, a[1] != b[1], a[0] != b[0], gain, row["id"]
    return max(removed, key=worth)


def output_of(command: list[str]) -> list[str]:
    """The lines that a command prints; coloured if this script's own are, which takes a terminal to write to."""
    if not COLOUR:
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    reader, terminal = pty.openpty()
    printed = bytearray()
    with subprocess.Popen(command, stdout=terminal) as process:
        os.close(terminal)
        try:
            while part := os.read(reader, 1 << 16):
                printed += part
        except OSError:  # how a terminal says that the other side is gone
            pass
    os.close(reader)
    if process.returncode != 0:
        sys.exit(f"demo: status {process.returncode} of {' '.join(command)}")
    return printed.decode("utf-8").splitlines()


def show_pair(leitong: str, pair: dict, texts: dict[str, str], out: Path) -> None:
    names = []
    for role, identity in (("removed", pair["id"]), ("kept", pair["kept"])):
        path = out / f"{role}.txt"
        path.write_text(texts[identity], encoding="utf-8")
        names.append(str(path))
    raw = raw_jaccard(texts[pair["id"]], texts[pair["kept"]])
    print(f"  removed   {pair['id']}\n  kept      {pair['kept']}")
    print(f"  {pair['measure']} {pair['score']:.2f} after folding; compared as they stand the two share only {raw:.2f}\n")
    print(end="", flush=True)
    lines = output_of([leitong, "compare", *names])
    for line in lines[:EXCERPT_LINES]:
        print("  " + line)
    if len(lines) > EXCERPT_LINES:
        print(f"  .. and {len(lines) - EXCERPT_LINES} lines more: {relative(leitong)} compare {' '.join(names)}")


def relative(path: str) -> str:
    return os.path.relpath(path)


def main() -> None:
    leitong, corpus, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    quality = json.loads((out / "eval.json").read_text(encoding="utf-8"))
    texts = {row["id"]: row["text"] for row in rows(corpus / "docs.jsonl")}
    removed = rows(out / "removed.jsonl")

    print(f"\n{bold('What was found')}")
    releases = len((corpus / "sources").read_text(encoding="utf-8").split())
    print(f"  documents in   {summary['documents']:>7,}   of {'one release' if releases == 1 else 'two releases'}, in simplified "
          "and traditional characters")
    print(f"  kept           {summary['kept']:>7,}   byte for byte as they were, in their order: {out}/kept.jsonl")
    print(f"  removed        {summary['removed']:>7,}   each one directly similar to a kept one: {out}/removed.jsonl")
    print(f"  clusters       {summary['clusters']:>7,}   a kept document with those that left for it: {out}/clusters.tsv")
    print(f"  quarantined    {summary['quarantined']:>7,}   records that couldn't be read")
    if summary["chained_components"]:
        print(f"  Chains were not followed: {summary['largest_component']} documents hang together by similar neighbours, and a")
        print("  document leaves only for one that it resembles itself.")

    print(f"\n{bold('One pair of them')}")
    show_pair(leitong, most_instructive(removed, texts), texts, out)

    print(f"\n{bold('How good, how fast')}")
    print(f"  F1 {quality['pairs_f1']:.3f} over pairs (precision {quality['pairs_precision']:.3f}, recall {quality['pairs_recall']:.3f}), "
          f"{quality['b_cubed_f1']:.3f} B-cubed, taking pages of one path")
    print("  for one work, whatever the translators did to them between the releases")
    recall = summary.get("recall", {})
    if recall.get("pairs"):
        print(f"  recall {recall['direct_recall']:.3f} of all similar pairs, measured by the run itself on {recall['sampled_documents']} "
              "sampled documents")
    megabytes = summary["bytes"] / 1e6
    print(f"  {megabytes / summary['seconds']:.0f} MB/s from the file to all outputs ({megabytes:.1f} MB in {summary['seconds']:.2f} s), "
          f"peak memory {summary['peak_memory'] / 1e6:.0f} MB")
    print(f"\n  The report, with the evidence side by side: {bold('file://' + str((out / 'report.html').resolve()))}")


if __name__ == "__main__":
    main()
