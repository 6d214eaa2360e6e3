"""Questions planted in pages, and what `leitong decontaminate` finds of them; its speed with many items. bench/leaks describes them."""
import json
import random
import re
import subprocess
import sys

from . import archive, measure, paths

PAGES, PLANTED, OTHERS = 20_000, 200, 2_000
SOURCE_CHARACTERS = 320
PAGE_BYTES = 1_200  # of 40,000 pages out of 55 MB
DOCUMENT_BYTES, ITEMS, SPEED_BYTES = 5_000, 100_000, 100_000_000
LEAST_RECALL, LEAST_EDITED, LEAST_PRECISION, LEAST_SPEED = .99, .95, .98, 100
FRAMES_ZH = ("下列关于{}的说法,正确的是", "根据上文,{}指的是什么?", "以下哪一项最能说明{}", "{}的主要原因是什么?")
FRAMES_EN = ("Which of the following is true of {}?", "What does the author mean by {}?", "Which statement best describes {}?")
FOLDER = paths.WORK / "out" / "leaks"


def texts_of(corpus):
    with open(corpus.documents, encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            yield record["id"], record["text"]


def pieces(text, least):
    """Parts of so many bytes, cut behind line ends and full stops."""
    part, size = [], 0
    for line in re.split(r"(?<=[\n。])", text):
        part.append(line)
        size += len(line.encode())
        if size >= least:
            yield "".join(part)
            part, size = [], 0
    if size >= least // 10:
        yield "".join(part)


def prose(text):
    """The sentences of a text, without headings, links and notes of the site."""
    return " ".join(line for line in text.split("\n") if len(line) >= 40 and not re.search(r"[]=|{}<>_$#`\\\\]|https?:|译者|校对|[a-z]/[a-z]|----", line))


def span(words, chinese, low, high, rng):
    """A run of a text of about so many characters."""
    length = rng.randint(low, high)
    if chinese:
        begin = rng.randrange(max(1, len(words) - length))
        return words[begin:begin + length].replace("\n", " ").strip()
    begin = rng.randrange(max(1, len(words) - length))
    begin = words.find(" ", begin) + 1
    end = words.rfind(" ", begin, begin + length + 1)
    return " ".join(words[begin:end if end > begin else begin + length].split())


def question(text, rng):
    """(stem, choices): of 12 to 300 characters together."""
    chinese = len(re.findall(r"[\u4e00-\u9fff]", text)) > len(text) / 4
    if rng.random() < .5:
        return span(text, chinese, 12 if chinese else 20, 280, rng), []
    subject = span(text, chinese, 4, 40, rng) if chinese else span(text, chinese, 10, 60, rng)
    low, high = (2, 14) if chinese else (6, 40)
    choices = list(dict.fromkeys(span(text, chinese, low, high, rng) for _ in range(4)))
    return rng.choice(FRAMES_ZH if chinese else FRAMES_EN).format(subject), choices


def written(stem, choices):
    return "\n".join([stem, *(f"{label}. {choice}" for label, choice in zip("ABCD", choices))])


def traditional(texts):
    out = subprocess.run(["uconv", "-f", "utf-8", "-t", "utf-8", "-x", "Simplified-Traditional"], check=True, capture_output=True,
                         input="\0".join(texts).encode()).stdout
    return out.decode().split("\0")


def edited(stem, choices, rng):
    """The text with some of the edits, at least one that changes it, and whether it is to be traditional."""
    for _ in range(20):
        new_choices, kinds = list(choices), rng.sample(("space", "digits", "traditional", "order"), rng.randint(1, 4))
        if "order" in kinds:
            rng.shuffle(new_choices)
        text = written(stem, new_choices)
        if "digits" in kinds:
            text = re.sub(r"\d", lambda _: rng.choice("0123456789"), text)
        if "space" in kinds:
            text = re.sub(r"(?<=[\u4e00-\u9fff])(?=[\u4e00-\u9fff])", lambda _: rng.choice(("", "", "", " ", "\u3000", "\n")), text)
            text = re.sub(r" ", lambda _: rng.choice((" ", "  ", "\n")), text)
        is_traditional = "traditional" in kinds and re.search(r"[\u4e00-\u9fff]", text) is not None
        if text != written(stem, choices) or is_traditional:
            return text, is_traditional
    return text.replace(" ", "  ") + " ", False


def make_quality(sets, rng):
    """Writes pages and items; (item, page, is edited) of what was planted."""
    pages, sources = [], []
    for name in ("lctt", "broadcast", "english"):
        gold, seen = sets[name].clusters(), set()
        for identity, text in texts_of(sets[name]):
            cluster = gold.get(identity, identity)
            if name == "broadcast" or hash_of(cluster) % 4 != 0:
                pages.extend(pieces(text, PAGE_BYTES))
            elif cluster not in seen:
                seen.add(cluster)
                text = prose(text)
                sources.extend(text[i:i + SOURCE_CHARACTERS] for i in range(0, len(text) - SOURCE_CHARACTERS, SOURCE_CHARACTERS))
    paws = [text for identity, text in texts_of(sets["paws"]) if identity.endswith("-a")]
    sources.extend("。".join(paws[i:i + 8]) for i in range(0, len(paws) - 7, 8))
    rng.shuffle(sources)
    rng.shuffle(pages)
    if len(pages) < 2 * PAGES:
        sys.exit(f"{len(pages)} pages are too few")
    questions, known = [], set()
    while len(questions) < PLANTED + OTHERS:
        stem, choices = question(sources.pop(), rng)  # each of a text of its own
        text = written(stem, choices)
        if 12 <= len(text) <= 300 and stem not in known:
            known.add(stem)
            questions.append((stem, choices))
    planted, truth = [], []
    for number in range(PLANTED):
        is_edited = number % 2 == 1
        text, is_traditional = edited(*questions[number], rng) if is_edited else (written(*questions[number]), False)
        planted.append([text, is_traditional])
        truth.append((number, is_edited))
    turned = iter(traditional([text for text, is_traditional in planted if is_traditional]))
    with open(FOLDER / "items.jsonl", "w", encoding="utf-8") as file:
        for number, (stem, choices) in enumerate(questions):
            print(json.dumps({"id": f"q{number}", "text": written(stem, choices)}, ensure_ascii=False), file=file)
    places = sorted(rng.sample(range(PAGES), PLANTED))
    for place, (text, is_traditional) in zip(places, planted):
        lines = pages[place].split("\n")
        lines.insert(rng.randrange(len(lines) + 1), next(turned) if is_traditional else text)
        pages[place] = "\n".join(lines)
    with open(FOLDER / "pages.jsonl", "w", encoding="utf-8") as file:
        for number, text in enumerate(pages[:2 * PAGES]):
            print(json.dumps({"id": f"p{number}", "text": text}, ensure_ascii=False), file=file)
    return {f"q{number}": (f"p{place}", is_edited) for place, (number, is_edited) in zip(places, truth)}


def hash_of(text):
    return int(archive.digest(text)[:8], 16)


def quality(sets, flags):
    truth = make_quality(sets, random.Random(20_261_126))
    hits = FOLDER / "hits.jsonl"
    row = measure.run([paths.LEITONG, "decontaminate", FOLDER / "pages.jsonl", "--against", FOLDER / "items.jsonl", "--hits", hits,
                       "--force", "--threads", 1, "--quiet", *flags])
    found, false, equal = set(), [], 0
    words = lambda text: "".join(re.findall(r"\w", text)).casefold()  # noqa: E731
    with open(FOLDER / "items.jsonl", encoding="utf-8") as file:
        items = {record["id"]: words(record["text"]) for record in map(json.loads, file)}
    with open(hits, encoding="utf-8") as file:
        for line in file:
            hit = json.loads(line)
            if hit["kind"] != "leak":
                continue
            if hit["item"] in truth and truth[hit["item"]][0] == hit["id"]:
                found.add(hit["item"])
            elif items[hit["item"]] in words(hit["passage"]):
                equal += 1
            else:
                false.append(hit)
    kinds = {"plain": [q for q in truth if not truth[q][1]], "edited": [q for q in truth if truth[q][1]]}
    clean = sum(int(hit["id"][1:]) >= PAGES for hit in false)
    return row | {"found": {kind: sum(q in found for q in of) for kind, of in kinds.items()},
                  "planted": {kind: len(of) for kind, of in kinds.items()}, "missed": sorted(set(truth) - found),
                  "equal": equal, "false": len(false), "false_clean": clean, "precision": len(found) / (len(found) + len(false)),
                  "false_examples": [hit["item"] + " " + hit["id"] for hit in false[:20]]}


def make_speed(sets, rng):
    pages = []
    sources = []
    for name in ("lctt", "broadcast", "english"):
        gold = sets[name].clusters()
        for identity, text in texts_of(sets[name]):
            if hash_of(gold.get(identity, identity)) % 3 != 0:
                pages.extend(pieces(text, DOCUMENT_BYTES))
            elif len(prose(text)) > SOURCE_CHARACTERS:
                sources.append(prose(text))
    rng.shuffle(pages)
    items, size = 0, 0
    with open(FOLDER / "many.jsonl", "w", encoding="utf-8") as file:
        while items < ITEMS:
            source = rng.choice(sources)
            begin = rng.randrange(len(source) - SOURCE_CHARACTERS)
            stem, choices = question(source[begin:begin + SOURCE_CHARACTERS], rng)
            text = written(stem, choices)
            if 12 <= len(text) <= 300:
                print(json.dumps({"id": items, "text": text}, ensure_ascii=False), file=file)
                items += 1
    with open(FOLDER / "documents.jsonl", "w", encoding="utf-8") as file:
        while size < SPEED_BYTES:
            for text in pages:
                line = json.dumps({"id": size, "text": text}, ensure_ascii=False)
                print(line, file=file)
                size += len(line.encode()) + 1
                if size >= SPEED_BYTES:
                    break
    (FOLDER / "one.jsonl").write_text(json.dumps({"text": "no item at all"}) + "\n")
    return size


def speed(sets, repeats):
    size = make_speed(sets, random.Random(7))
    command = [paths.LEITONG, "decontaminate", "--against", FOLDER / "many.jsonl", "--json", "--threads", 1, "--quiet"]
    one = measure.best_of(repeats, [*command, FOLDER / "one.jsonl"])
    all_documents = measure.best_of(repeats, [*command, FOLDER / "documents.jsonl"], stdout=FOLDER / "summary.json")
    summary = json.loads((FOLDER / "summary.json").read_text())
    return {"bytes": size, "index_seconds": one["cpu_seconds"], "seconds": all_documents["cpu_seconds"] - one["cpu_seconds"],
            "peak_bytes": all_documents["peak_bytes"], "hits": summary["hits"], "documents": summary["documents"]}
