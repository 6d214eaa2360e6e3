#!/usr/bin/env python3
"""Changes the core's sources one line at a time and checks whether the tests detect it.

Works in a checkout of its own (build/mutate/tree, at HEAD), so that the sources are never touched. A mutant whose
machine code is that of the original is no mutant; one that doesn't compile isn't either. What is left is caught if the
tests fail or take too long. Survivors must be explained in tests/mutation/survivors.tsv.
"""

import argparse
import hashlib
import pathlib
import random
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TREE = ROOT / "build" / "mutate" / "tree"
BUILD = TREE / "build" / "release"
LEAST_CAUGHT = 0.95

# Source, test program, its tests (GoogleTest's filter).
CORE = [
    ("src/similarity/rule.cpp", "test_similarity", "*Rule*"),
    ("src/cluster/settle.cpp", "test_cluster", "*"),
    ("src/cluster/star.cpp", "test_cluster", "*"),
    ("src/cluster/expand.cpp", "test_cluster", "*"),
    ("src/dedup/verify.cpp", "test_dedup", "*"),
    ("src/dedup/families.cpp", "test_dedup", "*"),
    ("src/index/rarity_join.cpp", "test_index", "RarityJoin*"),
    ("src/io/staged.cpp", "test_io", "Commit*:OutputFile*:Folder*:TemporaryName*:SyncFolder*"),
    ("src/io/output_file.cpp", "test_io", "OutputFile*:Folder*"),
]


def run(command, seconds=None, **options):
    """The exit status, and None if it took too long; output is kept for messages."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds, **options)
    except subprocess.TimeoutExpired:
        return None, b""
    return done.returncode, done.stdout


def must(command, **options):
    status, output = run(command, **options)
    if status != 0:
        sys.exit(f"mutate: {' '.join(map(str, command))} failed:\n{output.decode(errors='replace')[-3000:]}")
    return output.decode(errors="replace")


def make_tree():
    head = must(["git", "-C", ROOT, "rev-parse", "HEAD"]).strip()
    if TREE.exists():
        must(["git", "-C", TREE, "checkout", "--quiet", "--force", "--detach", head])
    else:
        TREE.parent.mkdir(parents=True, exist_ok=True)
        must(["git", "-C", ROOT, "worktree", "prune"])
        must(["git", "-C", ROOT, "worktree", "add", "--quiet", "--detach", TREE, head])
    if (ROOT / ".deps").exists() and not (TREE / ".deps").exists():
        (TREE / ".deps").symlink_to(ROOT / ".deps")
    must(["cmake", "--preset", "release"], cwd=TREE)


def build(target, seconds=None):
    return run(["ninja", "-C", BUILD, target], seconds)


def test(program, tests, seconds=None):
    command = [BUILD / "tests" / program, f"--gtest_filter={tests}", "--gtest_brief=1", "--gtest_fail_fast"]
    return run(command, seconds, cwd=BUILD / "tests")


def machine_code(source):
    """A digest of the object file without what only debuggers read."""
    layer = pathlib.Path(source).parts[1]
    stripped = BUILD / "mutant.o"
    must(["objcopy", "--strip-debug", BUILD / f"CMakeFiles/leitong_{layer}.dir" / f"{source}.o", stripped])
    return hashlib.sha256(stripped.read_bytes()).hexdigest()


def mutants_of(source, mutate):
    """(number of the line, the line, the mutated line, the whole mutated text) of each."""
    folder = BUILD / "mutants"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    must([mutate, TREE / source, "cpp", "--noCheck", "--mutantDir", folder], cwd=folder)
    original = (TREE / source).read_text()
    lines = original.splitlines()
    found = []
    for path in sorted(folder.glob("*.mutant.*"), key=lambda p: int(p.name.split(".")[-2])):
        text = path.read_text()
        changed = [(n, a, b) for n, (a, b) in enumerate(zip(lines, text.splitlines()), 1) if a != b]
        if len(changed) == 1 and not changed[0][1].lstrip().startswith(("//", "#include", "namespace")):
            found.append((*changed[0], text))
    return found


def explanations():
    known = {}
    for line in (ROOT / "tests/mutation/survivors.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            source, original, mutant, reason = line.split("\t")
            if original not in map(str.strip, (ROOT / source).read_text().splitlines()):
                sys.exit(f"mutate: {source} no longer has the line \"{original}\"; take its survivors off the list")
            known[(source, original, mutant)] = reason
    return known


def try_mutants(source, program, tests, chosen, most, known, counts, left):
    """Adds to the counts, and to the survivors that are `left`, until `most` mutants are judged."""
    path = TREE / source
    original = path.read_text()
    must(["ninja", "-C", BUILD, program])
    code = machine_code(source)
    begin = time.monotonic()
    status, output = test(program, tests)
    if status != 0:
        sys.exit(f"mutate: {program} fails without a mutant:\n{output.decode(errors='replace')[-2000:]}")
    bound = 10 * (time.monotonic() - begin) + 30
    try:
        for number, line, mutant, text in chosen:
            if counts["caught"] + counts["survived"] + counts["explained"] == most:
                break
            path.write_text(text)
            status, _ = build(program, 1200)
            if status != 0:
                counts["not compiled"] += 1
            elif machine_code(source) == code:
                counts["same machine code"] += 1
            elif test(program, tests, bound)[0] != 0:
                counts["caught"] += 1
            elif (source, line.strip(), mutant.strip()) in known:
                counts["explained"] += 1
            else:
                counts["survived"] += 1
                left.append((source, number, line.strip(), mutant.strip()))
                print(f"  survived {source}:{number}\n    {line.strip()}\n    {mutant.strip()}", flush=True)
    finally:
        path.write_text(original)


def main():
    parser = argparse.ArgumentParser(prog="./dev mutate")
    parser.add_argument("files", nargs="*", help="sources of the core whose path holds one of these words; all if none")
    parser.add_argument("--sample", type=int, default=12, help="mutants a file that compile and differ from it (12)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--all", action="store_true", help="every mutant; takes hours")
    parser.add_argument("--mutate", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    core = [row for row in CORE if not options.files or any(word in row[0] for word in options.files)]
    if not core:
        parser.error("no source of the core has such a name: " + ", ".join(row[0] for row in CORE))

    make_tree()
    known, left = explanations(), []
    total = dict.fromkeys(["caught", "survived", "explained", "same machine code", "not compiled"], 0)
    for source, program, tests in core:
        mutants = mutants_of(source, options.mutate)
        random.Random(f"{options.seed} {source}").shuffle(mutants)
        counts = dict.fromkeys(total, 0)
        try_mutants(source, program, tests, mutants, None if options.all else options.sample, known, counts, left)
        for key, count in counts.items():
            total[key] += count
        print(f"{source}: {sum(counts.values())} of {len(mutants)} mutants: "
              + ", ".join(f"{count} {key}" for key, count in counts.items() if count), flush=True)
    judged = total["caught"] + total["survived"]
    share = total["caught"] / judged if judged else 1
    print(f"caught {total['caught']} of {judged} ({100 * share:.1f} %); at least {100 * LEAST_CAUGHT:.0f} % are asked for; "
          f"{total['explained']} more are explained in tests/mutation/survivors.tsv")
    return 0 if share >= LEAST_CAUGHT else 1


if __name__ == "__main__":
    sys.exit(main())
