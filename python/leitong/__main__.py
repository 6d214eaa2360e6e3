"""``python -m leitong`` and the script ``leitong``: the command line of the same version."""
from __future__ import annotations

import os
import sys
from importlib.resources import files

from leitong._dictionaries import data_folder


def main() -> None:
    """Runs the command. Only word2vec runs here, because the command does not have it."""
    if sys.argv[1:2] == ["train"] and "--vectors" in sys.argv:
        from leitong.gensim import main as train_vectors

        sys.exit(train_vectors([one for one in sys.argv[2:] if one != "--vectors"], "leitong train --vectors"))
    if folder := data_folder():
        os.environ["LEITONG_DATA"] = folder
    command = os.fspath(files("leitong") / "bin" / "leitong")  # type: ignore[call-overload]
    os.execv(command, ["leitong", *sys.argv[1:]])


if __name__ == "__main__":
    main()
