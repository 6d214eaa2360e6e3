"""Real texts: passages of pages, manuals and sources of Debian packages that grow to a million, with planted copies and frames, and
whole files of packages.

Nothing of them enters the repository: packages are fetched into build/bench/growth, and corpora made there.
"""
import hashlib
import html
import io
import json
import lzma
import random
import re
import tarfile

from . import archive, data, paths
from .template_sets import package_files

FOLDER = paths.WORK / "growth"
PACKAGES = ("manpages-zh", "libreoffice-help-zh-cn", "libreoffice-help-zh-tw", "linux-doc-6.1", "libreoffice-help-en-us", "python3.11-doc",
            "manpages-dev", "debian-handbook", "rust-doc", "linux-source-6.1")
# Whole files: pages of one site, which are mostly frame, and sources in two releases, with their licences.
WHOLE = {"API pages": ("rust-doc",),
         "sources": ("libboost1.74-dev", "libboost1.81-dev", "golang-1.19-src", "libpython3.11-stdlib", "libpython3.11-testsuite")}
SMALLEST, LARGEST = 200, 200_000  # characters of a whole file
SMOKE_PACKAGES = ("manpages-zh", "manpages-dev")
SHORTEST, LONGEST, MEDIAN = 120, 4000, 500  # characters of a passage
PLANTED = {"exact": .02, "light": .05, "heavy": .03, "moved": .025, "contained": .025}  # of all documents
RATES = {"light": (.01, .02, .03, .05), "heavy": (.06, .08, .10), "moved": (.1, .2, .4)}
FRAMED, SITE_PAGES, FRAME = .30, 200, (40, 300)  # share of documents on sites, pages of a site, characters of a frame's half
_TEXT = re.compile(r"\.(html?|xhp|rst|txt|md|[1-8]|c|h|S|py|pl|sh|rs|dts|dtsi|yaml)$")
_WHOLE = re.compile(r"\.(html|h|hpp|ipp|go|py|txt|md)$")
_HIDDEN = re.compile(r"(?s)<(script|style|svg|head)\b.*?</\1>|<!--.*?-->")
_BLOCK = re.compile(r"</?(p|div|h\d|li|ul|ol|tr|td|section|nav|pre|br|table|dt|dd)\b[^>]*>")


def _plain(name, content):
    text = content.decode("utf8", "replace")
    if name.endswith((".html", ".htm", ".xhp")):
        text = html.unescape(re.sub(r"<[^>]*>", "", _BLOCK.sub("\n\n", _HIDDEN.sub(" ", text))))
    # As make_corpus writes: no escapes, so that planted_recall reads it.
    return re.sub(r"[\x00-\x09\x0b-\x1f\"\\]", " ", text)


def _files(package, is_text=_TEXT):
    """(name, text) of what holds text in a package, and in the archives within it."""
    for name, content in package_files(package):
        if name.endswith(".tar.xz"):
            with tarfile.open(fileobj=io.BytesIO(lzma.decompress(content))) as inner:
                for member in inner:
                    if member.isfile() and is_text.search(member.name):
                        yield member.name, _plain(member.name, inner.extractfile(member).read())
        elif is_text.search(name.removesuffix(".gz")):
            yield name, _plain(name.removesuffix(".gz"), content)


def _passages(text, rnd):
    """Whole paragraphs together, until they are as long as chance wants."""
    piece, wanted = "", 0
    for paragraph in re.split(r"\n\s*\n", text):
        paragraph = re.sub(r"\s+", " ", paragraph).strip()
        if not piece:
            wanted = min(max(MEDIAN * rnd.lognormvariate(0, 1), SHORTEST), LONGEST)
        piece = f"{piece} {paragraph}" if piece else paragraph
        if len(piece) >= wanted:
            yield piece[:LONGEST]
            piece = ""


def passages(packages):
    """A file of passages, one a line, each once, in an order by chance; of any number of them the first ones have the same mix."""
    target = FOLDER / f"passages-{archive.digest(packages, SHORTEST, LONGEST, MEDIAN)}.txt"
    if not target.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        seen, keyed = set(), []
        for package in packages:
            rnd = random.Random(package)
            for _, text in _files(package):
                for piece in _passages(text, rnd):
                    key = hashlib.blake2b(re.sub(r"\W+", "", piece.lower()).encode(), digest_size=8).digest()
                    if key not in seen:
                        seen.add(key)
                        keyed.append((key, piece))
        keyed.sort()
        new = target.with_suffix(".new")
        new.write_text("".join(piece + "\n" for _, piece in keyed), encoding="utf8")
        new.replace(target)
    return target


def _edited(rnd, text, rate, letters):
    out = []
    for character in text:
        if rnd.random() >= rate:
            out.append(character)
            continue
        kind = rnd.random()  # half are replacements, a quarter insertions, a quarter losses
        if kind < .75:
            out.append(letters[int(rnd.random() * len(letters))])
        if .5 <= kind < .75:
            out.append(character)
    return "".join(out)


def _moved(rnd, text, rate, other):
    """Sentences left out, put in and exchanged."""
    sentences, foreign = (re.findall(r".+?(?:[.。!！?？;；]|$)\s*", one) for one in (text, other))
    for i in range(len(sentences)):
        what = rnd.random()
        if what < .4 * rate:
            sentences[i] = ""
        elif what < .7 * rate:
            sentences[i] += rnd.choice(foreign)
        elif what < rate and i + 1 < len(sentences):
            sentences[i], sentences[i + 1] = sentences[i + 1], sentences[i]
    return "".join(sentences) or text  # a text of which nothing is left is no copy


def _copy(kind, rnd, text, other):
    if kind in ("light", "heavy"):
        return _edited(rnd, text, rnd.choice(RATES[kind]), text + other)
    if kind == "moved":
        return _moved(rnd, text, rnd.choice(RATES["moved"]), other)
    if kind == "contained":
        if rnd.random() < .5:
            size = int(len(text) * rnd.uniform(.4, .8))
            begin = rnd.randrange(len(text) - size + 1)
            return text[begin:begin + size]
        at = rnd.randrange(len(other) + 1)
        return other[:at] + " " + text + " " + other[at:]
    return text


class Frames:
    """Headers and footers of sites, each of passages that stand in no document. Sites differ in size as words do (Zipf)."""

    def __init__(self, pieces, documents):
        self.pieces, self.sites = pieces, max(2, min(documents // SITE_PAGES, len(pieces) // 2))

    def around(self, rnd, text):
        site = int(self.sites ** rnd.random()) - 1
        ends = []
        for half in (0, 1):
            piece = self.pieces[2 * site + half]
            ends.append(piece[:random.Random(2 * site + half).randint(*FRAME)])
        return f"{ends[0]} {text} {ends[1]}"


def corpus(documents, smoke=False):
    """So many documents, with .truth.tsv (copy, source, kind, and whether one of the two is framed), and .core.jsonl: the texts without
    their frames. Fewer if the packages have fewer passages."""
    source = passages(SMOKE_PACKAGES if smoke else PACKAGES)
    target = FOLDER / f"real-{'smoke-' if smoke else ''}{documents}.jsonl"
    recipe = archive.digest(source.name, documents, PLANTED, RATES, FRAMED, SITE_PAGES, FRAME, paths.BENCH / "harness/real_text.py")
    made = target.with_suffix(".recipe")
    if not made.exists() or made.read_text() != recipe:
        made.unlink(missing_ok=True)
        with open(source, encoding="utf8") as file:
            lines = file.read().splitlines()
        reserved = 2 * max(2, documents // SITE_PAGES)
        frames, originals = Frames(lines[-reserved:], documents), iter(lines[:-reserved])
        rnd, cores, framed = random.Random(documents), [], set()
        with open(target, "w", encoding="utf8") as texts, open(target.with_suffix(".truth.tsv"), "w", encoding="utf8") as truth, \
                open(target.with_suffix(".core.jsonl"), "w", encoding="utf8") as core_file:
            truth.write("copy\tsource\tkind\tframed\n")
            for number in range(documents):
                chance, kind = rnd.random(), None
                for name, share in PLANTED.items():
                    if chance < share and cores:
                        kind = name
                        break
                    chance -= share
                if kind is None:
                    core = next(originals, None)
                    if core is None:
                        print(f"!! the packages have passages for {number:,} documents alone")
                        break
                    cores.append((number, core))
                else:
                    of, core = cores[rnd.randrange(len(cores))]
                    core = _copy(kind, rnd, core, cores[rnd.randrange(len(cores))][1])
                text = core
                if rnd.random() < FRAMED:
                    framed.add(number)
                    text = frames.around(rnd, core)
                if kind is not None:
                    truth.write(f"d{number}\td{of}\t{kind}\t{int(number in framed or of in framed)}\n")
                for file, one in ((texts, text), (core_file, core)):
                    file.write(f'{{"id":"d{number}","text":"{one}"}}\n')
        made.write_text(recipe)
    return data._made(f"real-{documents}", target, None)  # pylint: disable=protected-access


def whole_files(name):
    """The files of the packages of WHOLE as one document each, without planted copies. Listings of a page's source are left out."""
    target = FOLDER / f"{name.replace(' ', '-').lower()}.jsonl"
    if not target.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        new = target.with_suffix(".new")
        with open(new, "w", encoding="utf8") as texts:
            for package in WHOLE[name]:
                for path, text in _files(package, _WHOLE):
                    text = re.sub(r"[ \t]*\n\s*", "\n", text).strip()
                    if len(text) >= SMALLEST and not (path.endswith(".html") and "/src/" in path):
                        texts.write(json.dumps({"id": f"{package}/{path}", "text": text[:LARGEST]}, ensure_ascii=False) + "\n")
        new.replace(target)
    return data._made(name, target, None)  # pylint: disable=protected-access
