"""Where things lie."""
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
RELEASE = ROOT / "build" / "release"
LEITONG = RELEASE / "leitong"
WORK = ROOT / "build" / "bench"  # everything that is made: data, environments, outputs
DATA = WORK / "data"


def developers_sets():
    """The folder of the evaluation sets (real texts with truth; not part of the project), or None."""
    folder = Path(os.environ.get("LEITONG_BENCH_DATA", ROOT / ".." / "shared" / "data"))
    return folder.resolve() if folder.is_dir() else None
