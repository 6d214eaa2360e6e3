"""Removals that were read, and how each was judged: bench/judgements/removals.jsonl.

A line has the set, the ids of the removed and the kept text, the loss, the judgement, and a note of the reader's own words;
nothing of the texts.
"""
import collections
import hashlib
import json

from . import paths

FILE = paths.BENCH / "judgements" / "removals.jsonl"
SETS = ("laws", "manual", "web", "ocr", "licences", "lctt", "poems", "english", "help", "broadcast")
# right: the kept text holds all that matters of the removed one. version: an older, newer or otherwise other state of the same work,
# with text that is lost. wrong: another work, or content that matters is lost.
JUDGEMENTS = ("right", "version", "wrong")
DRAWN = 200  # of each set, or all that are removed


def order(name, identity):
    """Removals are drawn by this hash of the set and of the id of the removed text, the least first."""
    return hashlib.sha256(f"removals/{name}/{identity}".encode()).hexdigest()


def draw(name, removed):
    """Of records of --removed those that are to be read."""
    return sorted(removed, key=lambda record: order(name, record["id"]))[:DRAWN]


def read():
    with open(FILE, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def counts(judged):
    """Set -> judgement -> how many."""
    found = collections.defaultdict(collections.Counter)
    for one in judged:
        found[one["set"]][one["judgement"]] += 1
    return found
