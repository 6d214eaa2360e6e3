"""simhash of a text by the package's own cut: runs of four characters, counted. Counts stop at 255, since the package at its
pinned version fails on greater ones with this NumPy."""
import collections
import re

from simhash import Simhash


def simhash(text, width=4):
    content = "".join(re.findall(r"[\w\u4e00-\u9fcc]+", text.lower()))
    runs = collections.Counter(content[i:i + width] for i in range(max(len(content) - width + 1, 1)))
    return Simhash({run: min(count, 255) for run, count in runs.items()})
