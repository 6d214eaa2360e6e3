"""Corpora with much template text and known truth, made of Debian packages, source releases and the developers' sets.

Nothing of them enters the repository. Each set is NAME.jsonl (id, text, site) with NAME.gold.tsv and NAME.core.jsonl: the
text without what the builder knows to be a template. Pairs of different works whose cores are alike are not scored.
"""
import gzip
import io
import json
import random
import re
import subprocess
import sys
import tarfile

from . import data, paths, score

FOLDER = paths.WORK / "templates"
PACKAGES = ("linux-doc-6.1", "linux-doc-6.12", "manpages-zh", "libreoffice-help-zh-cn")
RELEASES = ("keystone==24.0.0", "keystone==25.0.0", "oslo.messaging==14.5.0", "oslo.messaging==14.7.0",
            "python-openstackclient==6.5.0", "python-openstackclient==6.6.0")
LENGTHS = (200, 600, 1200, 3000)
SHARES = (.10, .15, .20, .30, .50, 1.0)


# ---- sources

def package_files(package):
    """(path, bytes) of each file of a Debian package, gzip undone."""
    folder = FOLDER / "packages"
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob(f"{package}_*.deb")):
        subprocess.run(["apt-get", "download", package], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    deb = next(folder.glob(f"{package}_*.deb"))
    tar = subprocess.run(["dpkg-deb", "--fsys-tarfile", deb], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(tar)) as files:
        for member in files:
            if member.isfile():
                content = files.extractfile(member).read()
                yield member.name, gzip.decompress(content) if member.name.endswith(".gz") else content


def source_releases():
    """(release, path, text) of the Python files of each source release."""
    folder = FOLDER / "releases"
    folder.mkdir(parents=True, exist_ok=True)
    for release in RELEASES:
        name, version = release.split("==")
        pattern = f"{name.replace('-', '?').replace('.', '?')}-{version}.tar.gz"
        if not list(folder.glob(pattern)):
            subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", folder,
                            release], check=True)
        with tarfile.open(next(folder.glob(pattern))) as files:
            for member in sorted(files.getmembers(), key=lambda one: one.name):
                if member.isfile() and member.name.endswith(".py"):
                    yield (f"{name}-{version}", member.name.split("/", 1)[1],
                           files.extractfile(member).read().decode("utf8", "replace"))


class Sets:
    """The developers' sets by name, read once."""

    def __init__(self):
        self.sets = data.developers_sets()
        self.read = {}

    def records(self, name):
        if name not in self.read:
            with open(self.sets[name].documents, encoding="utf8") as file:
                self.read[name] = [json.loads(line) for line in file]
        return self.read[name]

    def gold(self, name):
        return self.sets[name].clusters()

    def chinese_prose(self):
        """One article of each work, in one string."""
        gold, seen, texts = self.gold("lctt"), set(), []
        for record in self.records("lctt"):
            work = gold.get(record["id"], record["id"])
            if work not in seen:
                seen.add(work)
                texts.append(re.sub(r"https?://\S+|\s+", " ", record["text"]))
        random.Random(1).shuffle(texts)
        return "".join(texts)


def english_prose():
    seen, texts = set(), []
    for name, content in package_files("linux-doc-6.12"):
        if re.search(r"\.rst(\.gz)?$", name) and "/translations/" not in name:
            for paragraph in re.split(r"\n\s*\n", content.decode("utf8", "replace")):
                paragraph = re.sub(r"\s+", " ", paragraph)
                words = re.findall(r"[a-z]{2,} [a-z]{2,}", paragraph)
                if len(paragraph) > 150 and len(words) > 12 and paragraph[:60] not in seen:
                    seen.add(paragraph[:60])
                    texts.append(paragraph + " ")
    random.Random(1).shuffle(texts)
    return "".join(texts)


class Pieces:
    """Prose in pieces, none of them used twice."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def __call__(self, length):
        if self.at + length > len(self.text):
            raise RuntimeError("the prose is used up")
        self.at += length
        return self.text[self.at - length:self.at]


def edited(rnd, text, share, alphabet):
    """Single characters inserted, replaced and left out, independently."""
    out = []
    for character in text:
        if rnd.random() >= share:
            out.append(character)
            continue
        kind = rnd.random()
        if kind < .34:
            out += [character, rnd.choice(alphabet)]
        elif kind < .67:
            out.append(rnd.choice(alphabet))
    return "".join(out)


# ---- sets: each gives rows (id, work, text, core, site)

def kernel(_):
    """The demo's pages: Chinese documentation of two kernel releases; core: without the header fields."""
    header = re.compile(r"(?m)^(\.\. (SPDX|include|_).*|:\w+:.*|\s+\S.*<\S+@\S+>.*|\S.*<\S+@\S+>.*)$")
    rows = []
    for release in ("6.1", "6.12"):
        for name, content in package_files(f"linux-doc-{release}"):
            found = re.fullmatch(r"\./usr/share/doc/linux-doc-[\d.]+/Documentation/translations/(zh_CN|zh_TW)/(.+)\.rst"
                                 r"(\.gz)?", name)
            if found:
                text = content.decode()
                rows.append((f"{release}/{found[1]}/{found[2]}", re.sub(r"^arch/(?=.+/)", "", found[2]), text,
                             header.sub("", text), ""))
    return sorted(rows)


def manual(_):
    """Manual pages zh_CN and zh_TW, made from each other by conversion and revision; core: without the footer."""
    footer = re.compile(r"\n\s*\"?(作者|報告錯誤|报告错误|報告漏洞|报告漏洞|AUTHOR|REPORTING BUGS|\[中文版|版权|版權|跋)")
    rows = []
    for name, content in package_files("manpages-zh"):
        found = re.fullmatch(r"\./usr/share/man/(zh_CN|zh_TW)/man\d/(.+?)\.gz", name)
        if not found:
            continue
        text = re.sub(r'(?m)^\.\\".*$|^\.(TH|so) .*$', "", content.decode("utf8", "replace"))
        if len(text) < 60:
            continue
        text = re.sub(r"(?m)^\.[A-Za-z]{1,2}\b|\\f[BIRP]|\\", " ", text)
        end = footer.search(text)
        rows.append((f"{found[1]}/{found[2]}", found[2], text, text[:end.start()] if end else text, ""))
    return sorted(rows)


def sources(_):
    """Source files with a licence comment, two releases of each project; core: without the comment."""
    rows = []
    for release, path, text in source_releases():
        core = re.sub(r"(?m)\A(\s*#.*\n|\s*\n)+", "", text)
        if len(core) >= 40 and "Licen" in text[:1500]:
            rows.append((f"{release}/{path}", f"{release.rsplit('-', 1)[0]}/{path}", text, core, ""))
    return rows


def office_help(_):
    """Help pages with all their navigation; 300 of them once more with 1-8 % edits: the true pairs."""
    def plain(page):
        page = re.sub(r"(?is)<(script|style)\b.*?</\1>|<!--.*?-->", " ", page)
        import html
        return re.sub(r"\s*\n\s*", "\n", html.unescape(re.sub(r"<[^>]+>", "\n", page))).strip()

    rnd, rows = random.Random(1), []
    for name, content in package_files("libreoffice-help-zh-cn"):
        if "/text/" in name and name.endswith(".html"):
            page = content.decode("utf8", "replace")
            main = (re.search(r'(?is)<div id="DisplayArea".*?>(.*)<div id="DonationFrame"', page)
                    or re.search(r"(?is)<main.*?>(.*)</main>", page) or re.search(r"(?is)<body.*?>(.*)</body>", page))
            path = name.split("/text/")[1]
            rows.append((path, path, plain(page), plain(main[1] if main else page), ""))
    rows.sort()
    alphabet = "".join(row[3] for row in rows[:50])
    for row in rnd.sample(rows, 300):
        rows.append((row[0] + "#copy", row[1], edited(rnd, row[2], rnd.uniform(.01, .08), alphabet), row[3], ""))
    return rows


def site_frames(sets, name, rnd, long_share, sizes, items):
    """Short texts in the frames of sites of `sizes` pages: a header of menu words, a footer of prose of the site's own,
    parts of which several sites have in common. Poem editions and edited copies are put on two sites: the true pairs."""
    prose = [text for record in sets.records("lctt")[3000:4200] for text in re.split(r"\n+", record["text"])
             if 15 < len(text) < 120 and not re.search(r"[#=/_-]{3}|http", text)]
    rnd.shuffle(prose)
    menu = sorted({word for text in prose for word in re.findall(r"[一-鿿]{2,4}", text)})
    rnd.shuffle(menu)
    shared = [prose.pop() for _ in range(40)]
    frames = []
    for site, size in enumerate(sizes):
        head = " ".join(rnd.sample(menu, rnd.randint(6, 40)))
        foot = (prose.pop() + prose.pop() * (rnd.random() < .5) + (rnd.choice(shared) if rnd.random() < .4 else ""))
        frames += [(head, foot, f"site{site}")] * size
    rnd.shuffle(items)
    # The smallest sites are left out for which there are no texts, so that the others have all their pages.
    frames = frames[:max((end for end in range(1, len(frames) + 1) if end <= len(items) and
                          (end == len(frames) or frames[end][2] != frames[end - 1][2])), default=0)]
    rnd.shuffle(frames)
    long_texts = [record["text"][:rnd.randint(800, 4000)] for record in rnd.sample(sets.records("lctt")[:3000:4], 700)]
    rows = []
    for number, (head, foot, site) in enumerate(frames):
        if rnd.random() < long_share and long_texts:
            work, text = f"long{number}", long_texts.pop()
        elif items:
            work, text = items.pop()
        else:
            break
        rows.append((f"{name}-{number}", work, f"{head}\n{text}\n{foot}", text, site))
    return rows


def short_items(sets, rnd):
    gold, items = sets.gold("poems"), []
    poems = [(gold.get(record["id"], record["id"]), record["text"]) for record in sets.records("poems")]
    chosen = set(rnd.sample(sorted({work for work, _ in poems}), 2500))
    items += [(work, text) for work, text in poems if work in chosen and len(text) >= 40]
    alphabet = "".join(text for _, text in poems[:200])
    for record in sets.records("broadcast")[:2500]:
        begin = rnd.randint(0, 60)
        text = record["text"][begin:begin + rnd.randint(40, 220)]
        items.append((record["id"], text))
        if rnd.random() < .15:
            items.append((record["id"], edited(rnd, text, rnd.uniform(.01, .06), alphabet)))
    return items


def many_items(sets, _):
    gold = sets.gold("poems")
    items = [(gold.get(record["id"], record["id"]), record["text"]) for record in sets.records("poems")
             if len(record["text"]) >= 30]
    rnd = random.Random(14)
    for record in sets.records("broadcast"):
        for begin in range(0, min(len(record["text"]) - 100, 900), 220):
            items.append((f"{record['id']}:{begin}", record["text"][begin:begin + rnd.randint(40, 220)]))
    return items


def zipf(count, most):
    return [max(3, int(most / (i + 1) ** .8)) for i in range(count)]


def sites_short(sets):
    rnd = random.Random(3)
    return site_frames(sets, "sites-short", rnd, 0, zipf(150, 900), short_items(sets, rnd))


def sites_mixed(sets):
    rnd = random.Random(2)
    return site_frames(sets, "sites-mixed", rnd, .10, zipf(150, 900), short_items(sets, rnd))


def sites_small(sets):
    """3,000 sites, most of them of 3 to 8 pages."""
    rnd = random.Random(4)
    return site_frames(sets, "sites-small", rnd, 0, zipf(3000, 700), many_items(sets, rnd))


def spun(sets):
    """News items with 400 spun copies: a sentence moved, 8-16 % of the characters replaced in bursts of one to three."""
    rnd, records = random.Random(9), sets.records("broadcast")
    alphabet = "".join(record["text"] for record in records[:100])
    rows = [(record["id"], record["id"], record["text"], record["text"], "") for record in records]
    for record in rnd.sample([one for one in records if 300 <= len(one["text"]) <= 2500], 400):
        sentences = re.findall(r"[^。！？]*[。！？]?", record["text"])
        at = rnd.randrange(max(1, len(sentences) // 2))
        text = "".join(sentences[:at] + sentences[at + 1:at + 2] + sentences[at:at + 1] + sentences[at + 2:])
        share, out, i = rnd.uniform(.08, .16), [], 0
        while i < len(text):
            if rnd.random() < share / 2:
                out += rnd.choices(alphabet, k=rnd.randint(1, 3))
                i += rnd.randint(1, 3)
            else:
                out.append(text[i])
                i += 1
        rows.append((record["id"] + "#spun", record["id"], "".join(out), record["text"], ""))
    return rows


def families(sets):
    """10, 100 and 1,000 copies of texts of 250 to 700 characters. char: 1-10 % edits; burst: one to three passages
    rewritten; mixed: both, lightly; frame: 3 % edits in frames of sites that have other pages, too."""
    rnd, rows = random.Random(5), []
    texts = [record["text"] for record in sets.records("broadcast")]
    alphabet, prose = "".join(texts[:50]), "".join(texts[3000:4500])

    def piece(length):
        begin = rnd.randrange(len(prose) - length)
        return prose[begin:begin + length]

    def rewritten(text):
        for _ in range(rnd.randint(1, 3)):
            length = rnd.randint(4, max(5, len(text) * 12 // 100))
            at = rnd.randrange(len(text) - length)
            text = text[:at] + piece(rnd.randint(0, length)) + text[at + length:]
        return text

    frames = [(piece(rnd.randint(20, 80)), piece(rnd.randint(20, 120))) for _ in range(60)]
    number = 0
    for kind in ("char", "burst", "mixed", "frame"):
        for size in (10, 100, 1000):
            base = texts[number][:rnd.randint(250, 700)]
            number += 1
            for copy in range(size):
                text = base
                if kind == "char":
                    text = edited(rnd, text, rnd.uniform(.01, .10), alphabet)
                elif kind == "burst":
                    text = rewritten(text)
                elif kind == "mixed":
                    text = edited(rnd, rewritten(text), rnd.uniform(0, .04), alphabet)
                else:
                    head, foot = rnd.choice(frames)
                    text = head + edited(rnd, text, .03, alphabet) + foot
                rows.append((f"{kind}-{size}-{copy}", f"{kind}-{size}", text, text, ""))
    for i, text in enumerate(texts[2000:2600]):
        rows.append((f"other{i}", f"other{i}", text, text, ""))
    for i, (head, foot) in enumerate(frames * 12):
        text = texts[2600 + i]
        rows.append((f"page{i}", f"page{i}", head + text[:rnd.randint(60, 900)] + foot, text, ""))
    return rows


def reprints(name, prose, pages, copies):
    """Copies of articles (1 % edits) in surroundings of their own, each on a site with `pages` other pages."""
    rnd, piece, rows, site = random.Random(name), Pieces(prose), [], 0
    alphabet = prose[:3000]
    for length in LENGTHS:
        for share in SHARES:
            for size in copies:
                base, family = piece(length), f"{length}-{share}-{size}"
                for copy in range(size):
                    site += 1
                    around = int(length * share)
                    before = int(around * rnd.uniform(.25, .75))
                    head, foot = piece(before), piece(around - before)
                    text = edited(rnd, base, .01, alphabet)
                    rows.append((f"{family}:{copy}", family, f"{head}\n{text}\n{foot}", text, f"site{site}"))
                    for page in range(pages):
                        other = piece(rnd.randint(80, 500))
                        rows.append((f"{family}:{copy}:page{page}", f"{family}:{copy}:page{page}",
                                     f"{head}\n{other}\n{foot}", other, f"site{site}"))
    return rows


SETS = {
    "kernel": kernel, "manual": manual, "sources": sources, "help": office_help,
    "sites-short": sites_short, "sites-mixed": sites_mixed, "sites-small": sites_small,
    "spun": spun, "families": families,
    "reprints": lambda sets: reprints("reprints", sets.chinese_prose(), 0, (8, 20, 200)),
    "reprints-site3": lambda sets: reprints("reprints-site3", sets.chinese_prose(), 3, (8, 20)),
    "reprints-en": lambda sets: reprints("reprints-en", english_prose(), 0, (8, 20, 200)),
}


def made(name, sets):
    """The set `name` as data.Set, and the files of its cores; made where it isn't there yet."""
    documents, gold, cores = (FOLDER / f"{name}.{kind}" for kind in ("jsonl", "gold.tsv", "core.txt"))
    if not documents.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        rows = SETS[name](sets)
        temporary = documents.with_suffix(".new")
        with open(temporary, "w", encoding="utf8") as out, open(gold, "w", encoding="utf8") as truth:
            for identity, work, text, _, site in rows:
                record = {"id": identity, "text": text} | ({"site": site} if site else {})
                out.write(json.dumps(record, ensure_ascii=False) + "\n")
                truth.write(f"{identity}\t{work}\n")
        # One line a core, folded as leitong folds, so that traditional and simplified texts are alike.
        plain = "".join(re.sub(r"\s+", " ", core) + "\n" for *_, core, _ in rows)
        folded = subprocess.run([paths.LEITONG, "normalise", "-q", "--simplify", "characters", "--punctuation", "space"],
                                input=plain.encode(), capture_output=True, check=True).stdout.decode()
        cores.write_text("".join(f"{row[0]}\t{line}\n" for row, line in zip(rows, folded.splitlines())), encoding="utf8")
        temporary.replace(documents)
    return data._made(name, documents, gold), cores  # pylint: disable=protected-access


def units_of(text):
    """Han characters, and pairs of letters of a word."""
    units = []
    for run in re.finditer(r"[一-鿿㐀-䶿]|[^\W_一-鿿㐀-䶿]+", text):
        word = run.group()
        units += [word] if len(word) == 1 else [word[i:i + 2] for i in range(0, len(word), 2)]
    return units


class Cores:
    """Which pairs of different works are alike without their templates: these are not scored."""

    def __init__(self, path):
        self.text = {row[0]: row[1] if len(row) > 1 else "" for row in score.rows(path)}
        self.known = {}

    def shingles(self, identity):
        if identity not in self.known:
            units = units_of(self.text.get(identity, ""))
            self.known[identity] = frozenset(tuple(units[i:i + 5]) for i in range(max(1, len(units) - 4))) if units else frozenset()
        return self.known[identity]

    def alike(self, a, b):
        a, b = self.shingles(a), self.shingles(b)
        if not a or not b:
            return False
        if max(len(a), len(b)) < 32:
            return True  # two pages of hardly more than template
        shared = len(a & b)
        return shared >= .3 * (len(a) + len(b) - shared) or shared >= .6 * min(len(a), len(b))
