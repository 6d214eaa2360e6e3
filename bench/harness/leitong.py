"""`leitong dedup` as the parts run it."""
import json
import shutil

from . import archive, measure, paths

OUTPUTS = ("kept.jsonl", "removed.jsonl", "pairs.tsv", "clusters.tsv", "components.tsv")


def stamp(*things):
    """What a row of leitong depends on: the program itself, the settings and the input."""
    return archive.digest(paths.LEITONG, *things)


def dedup(inputs, folder, *flags, threads=1, repeats=1, cores=(0,), env=None, outputs=OUTPUTS, stdin=None):
    """Runs it; what measure.best_of() says, "summary" (its --json) and the command. Outputs lie in `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = [paths.LEITONG, "dedup", *inputs, "-o", folder / "kept.jsonl", "--threads", threads, "--work", folder,
               "--force", "--json"]
    for output in outputs:
        if output != "kept.jsonl":
            command += [f"--{output.partition('.')[0]}", folder / output]
    command += flags
    result = measure.best_of(repeats, command, cores=cores, env=env, stdin=stdin, stdout=folder / "summary.json")
    summary = json.loads((folder / "summary.json").read_text())
    return result | {"summary": summary, "command": " ".join(map(str, command))}


def digests(folder, outputs=OUTPUTS):
    """The content of every output as one hash each, to compare runs."""
    return {output: archive.file_digest(folder / output) for output in outputs}
