"""For tests that need packages: a Python environment of their own, made once for each content of the requirements."""
import os
import subprocess
import sys
from pathlib import Path


def enter(build, requirements, not_tried):
    """Starts the script again under a Python that has the packages of the file `requirements`, whose environment lies in the
    folder `build`. Ends with 77, saying what was `not_tried`, where they can't be had. Returns in the environment."""
    if sys.argv[-1] == "--inside":
        sys.argv.pop()
        return
    folder = Path(build) / f"{requirements.stem.replace('_requirements', '')}-environment"
    python, made_of = folder / "bin/python", folder / "made-of"
    if not made_of.exists() or made_of.read_text() != requirements.read_text():
        try:
            subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements], check=True)
        except (subprocess.CalledProcessError, OSError) as error:
            print(f"the packages of {requirements} can't be had ({error}); {not_tried}")
            sys.exit(77)
        made_of.write_text(requirements.read_text())
    os.execv(python, [str(python), *sys.argv, "--inside"])


def need_arrow(build):
    """Ends with 77 where the component for tables is not built."""
    if not (Path(build) / "lib/leitong-arrow/libleitong_arrow.so").exists():
        print("the component leitong-arrow is not built (./dev setup fetches Arrow); Parquet and Arrow files were NOT tried")
        sys.exit(77)
