"""Where things lie."""
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
RELEASE = ROOT / "build" / "release"
LEITONG = RELEASE / "leitong"
WORK = ROOT / "build" / "bench"  # everything that is made: data, environments, outputs
DATA = WORK / "data"


def design_prototype():
    """The program that the design's MinHash figures come from (not part of the project either), or None."""
    source = ROOT / ".." / "shared" / "prototypes" / "sketch" / "mh2.cpp"
    return source.resolve() if source.is_file() else None


def developers_sets():
    """The folder of the evaluation sets (real texts with truth; not part of the project), or None."""
    folder = Path(os.environ.get("LEITONG_BENCH_DATA", ROOT / ".." / "shared" / "data"))
    return folder.resolve() if folder.is_dir() else None
