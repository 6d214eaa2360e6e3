"""Corpora of planted reuse: runs of one article, edited, in other articles. Made of the developers' sets; nothing of them
enters the repository."""
import json
import random

from . import data, paths

FOLDER = paths.WORK / "reuse"
LENGTHS = ((60, 100), (100, 200), (200, 400))  # characters of a run
EDITS = (0, .05, .1, .2)


def _articles(sets):
    """One text of each work, and the news: articles that have little in common."""
    clusters, seen, articles = sets["lctt"].clusters(), set(), []
    for name in ("lctt", "broadcast"):
        with open(sets[name].documents, encoding="utf8") as file:
            for line in file:
                record = json.loads(line)
                work = clusters.get(record["id"], record["id"])
                if work not in seen:
                    seen.add(work)
                    articles.append((record["id"], record["text"]))
    return articles


def edited(rnd, text, share, alphabet):
    """Characters inserted, replaced and left out, independently."""
    out = []
    for character in text:
        if rnd.random() < share:
            out.append(rnd.choice(("", rnd.choice(alphabet), character + rnd.choice(alphabet))))
        else:
            out.append(character)
    return "".join(out)


def planted(sets, count=2400):
    """A corpus in which `count` articles hold a run of another one, and the plantings: (donor, host, least length, share of
    edits). No article is donor or host twice."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    articles, rnd = _articles(sets), random.Random(18)
    alphabet = "".join(text for _, text in articles[:200])
    order = list(range(len(articles)))
    rnd.shuffle(order)
    texts, plantings = [text for _, text in articles], []
    while len(plantings) < min(count, len(articles) // 3):
        donor, host = order.pop(), order.pop()
        (least, most), share = LENGTHS[len(plantings) % len(LENGTHS)], EDITS[len(plantings) // len(LENGTHS) % len(EDITS)]
        length = rnd.randint(least, most)
        if len(texts[donor]) < length:
            continue
        begin, at = rnd.randrange(len(texts[donor]) - length + 1), rnd.randrange(len(texts[host]) + 1)
        run = edited(rnd, texts[donor][begin:begin + length], share, alphabet)
        texts[host] = texts[host][:at] + run + texts[host][at:]
        plantings.append((*sorted((articles[donor][0], articles[host][0])), least, share))
    documents = FOLDER / "planted.jsonl"
    with open(documents, "w", encoding="utf8") as out:
        for (identity, _), text in zip(articles, texts):
            out.write(json.dumps({"id": identity, "text": text}, ensure_ascii=False) + "\n")
    return data.Set("planted", documents, None, len(articles), documents.stat().st_size), plantings


def essays(sets, count=600):
    """A corpus of articles, and behind them essays with a run of one of them, of which no two have the same donor; the number of
    articles."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    articles, rnd = _articles(sets), random.Random(18)
    alphabet = "".join(text for _, text in articles[:200])
    order = list(range(len(articles)))
    rnd.shuffle(order)
    count = min(count, len(articles) // 3)
    hosts, donors = order[:count], iter(order[count:])
    held_out, records = set(hosts), []
    for number, (identity, text) in enumerate(articles):
        if number not in held_out:
            records.append({"id": identity, "text": text})
    for number, host in enumerate(hosts):
        length = rnd.randint(LENGTHS[0][0], LENGTHS[-1][1])
        donor = next(text for _, text in (articles[place] for place in donors) if len(text) >= length)
        begin, at = rnd.randrange(len(donor) - length + 1), rnd.randrange(len(articles[host][1]) + 1)
        run = edited(rnd, donor[begin:begin + length], EDITS[number % 3], alphabet)
        records.append({"id": articles[host][0], "text": articles[host][1][:at] + run + articles[host][1][at:]})
    documents = FOLDER / "essays.jsonl"
    with open(documents, "w", encoding="utf8") as out:
        for record in records:
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
    return data.Set("essays", documents, None, len(records), documents.stat().st_size), len(records) - count
