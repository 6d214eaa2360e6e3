"""axe-core, which looks for barriers that users of keyboards and screen readers meet, from its package."""
import json
import shutil
import subprocess
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


def source(build):
    """The script. It is installed once for each content of package-lock.json, in the folder `build`. Skips the test where it
    cannot be had."""
    folder, lock = Path(build) / "axe-environment", (HERE / "package-lock.json").read_text()
    made_of = folder / "made-of"
    if not made_of.exists() or made_of.read_text() != lock:
        if shutil.which("npm") is None:
            raise unittest.SkipTest("npm is missing, so axe-core has NOT been run; scripts/install-packages --npm installs it")
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, folder)
        done = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise unittest.SkipTest(f"axe-core can't be had, so it has NOT been run: {done.stderr[-300:]}")
        made_of.write_text(lock)
    return (folder / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")


def violations(page, build):
    """What axe-core finds on the page: rule, the first elements, what is to be done."""
    if not page.run("typeof axe === 'object'"):
        page.run(source(build))
    found, passed = json.loads(page.run("axe.run(document, {resultTypes: ['violations']}).then((result) => JSON.stringify([result.violations, result.passes.length]))"))
    assert passed > 10, "axe-core found nothing to look at"
    return [(each["id"], [node["html"][:200] for node in each["nodes"][:4]], each["nodes"][0]["failureSummary"]) for each in found]
