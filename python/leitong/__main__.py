"""``python -m leitong`` and the script ``leitong``: the command line of the same version."""
from __future__ import annotations

import os
import sys
from importlib.resources import files

from leitong._dictionaries import data_folder


def main() -> None:
    """Becomes the command."""
    if folder := data_folder():
        os.environ["LEITONG_DATA"] = folder
    command = os.fspath(files("leitong") / "bin" / "leitong")  # type: ignore[call-overload]
    os.execv(command, ["leitong", *sys.argv[1:]])


if __name__ == "__main__":
    main()
