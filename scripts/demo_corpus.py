#!/usr/bin/env python3
"""usage: demo_corpus.py OUT_FOLDER PACKAGE.deb..

The Chinese translations in packages of the kernel's documentation, as OUT_FOLDER/docs.jsonl with the fields `id`
(RELEASE/LANGUAGE/PATH), `source` (RELEASE/LANGUAGE) and `text`, and who belongs together as OUT_FOLDER/truth.tsv (id TAB work). One path is one
work: its zh_CN and zh_TW text in every release, also where the folder moved below arch/ between releases.
"""
import gzip
import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

PAGE = re.compile(r"\./usr/share/doc/linux-doc-([\d.]+)/Documentation/translations/(zh_CN|zh_TW)/(.+)\.rst(\.gz)?")

# Of the pages of one architecture; arch/index is a page of its own.
MOVED = re.compile(r"^arch/(?=.+/)")


def pages(package: str):
    """(release, language, path, text) of every translated page, in the package's order."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as tar:
        with tarfile.open(fileobj=tar.stdout, mode="r|") as archive:
            for member in archive:
                match = PAGE.fullmatch(member.name)
                if not match or not member.isfile():
                    continue
                data = archive.extractfile(member).read()
                if match[4]:
                    data = gzip.decompress(data)
                yield match[1], match[2], match[3], data.decode("utf-8")
    if tar.returncode != 0:
        sys.exit(f"demo: dpkg-deb can't read {package} (status {tar.returncode}); remove it and try again")


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    out = Path(sys.argv[1])
    found = sorted(page for package in sys.argv[2:] for page in pages(package))
    if not found:
        sys.exit("demo: the packages hold no Chinese pages; their layout may have changed")
    with open(out / "docs.jsonl", "w", encoding="utf-8") as docs, open(out / "truth.tsv", "w", encoding="utf-8") as truth:
        for release, language, path, text in found:
            identity = f"{release}/{language}/{path}"
            docs.write(json.dumps({"id": identity, "source": f"{release}/{language}", "text": text}, ensure_ascii=False) + "\n")
            truth.write(f"{identity}\t{MOVED.sub('', path)}\n")


if __name__ == "__main__":
    main()
