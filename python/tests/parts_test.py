"""Parts of texts: what repeats is cut, and what leaked is found, as by the command."""
import json
import subprocess
import sys

import pytest

import leitong

MENU = "首页 | 新闻 | 联系我们"
PAGES = [f"{MENU}\n渡船清晨六点开第一班。", f"首頁，新聞，聯繫我們\n面团要发两次。\n面团要发两次。", MENU]


def run(folder, *arguments):
    subprocess.run([sys.executable, "-m", "leitong", *arguments, "--quiet"], cwd=folder, check=True)


def written(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def folder(tmp_path):
    with open(tmp_path / "in.jsonl", "w", encoding="utf-8") as file:
        for number, text in enumerate(PAGES):
            print(json.dumps({"id": str(number), "text": text}, ensure_ascii=False), file=file)
    return tmp_path


def test_what_repeats_is_cut_as_the_command_does(folder):
    run(folder, "trim", "in.jsonl", "-o", "out.jsonl", "--spans", "spans.jsonl", "--with-text")
    trimmed = leitong.trim(PAGES)
    assert [text for text in trimmed.texts if text is not None] == [row["text"] for row in written(folder / "out.jsonl")]
    assert trimmed.removed == [2] and trimmed.texts[2] is None
    assert [(str(cut.position), cut.begin, cut.end, cut.units, cut.documents, cut.text, str(cut.kept)) for cut in trimmed.cuts] == [
        (row["id"], row["begin_character"], row["end_character"], row["units"], row["documents"], row["text"], row["kept_id"])
        for row in written(folder / "spans.jsonl")]
    first = trimmed.cuts[0]
    assert PAGES[first.kept][first.kept_begin:first.kept_end] == MENU + "\n"


def test_passages_and_frames():
    shared = "渡船清晨六点开第一班，雾大的日子改到七点，乘客请在北岸的石阶旁排队等候。"
    assert leitong.trim([shared, "开头。" + shared], part="passage", least_units=20).texts == [shared, "开头。"]
    trimmed = leitong.trim(PAGES[:2], kept_part="none", least_documents=2)
    assert trimmed.texts[0] == "渡船清晨六点开第一班。" and trimmed.cuts[0].kept is None


def test_columns_of_tables():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"body": PAGES})
    frame["body"] = leitong.trim(frame, text="body").texts
    assert frame["body"].isna().tolist() == [False, False, True]


def test_impossible_settings():
    with pytest.raises(leitong.InvalidArgumentError, match="borders"):
        leitong.trim(PAGES, border="word")
    with pytest.raises(leitong.InvalidArgumentError, match="8 to 1000"):
        leitong.trim(PAGES, part="passage", least_units=3)


ITEMS = [{"question": "河南省的省会是哪一座城市?", "answer": "郑州"}, {"question": "为什么?", "answer": None}]
TEXTS = ["题：河南省的省会是哪一座城市？答：鄭州。", "河南省的省会是哪一座城市，他没有说。", "没有题目的一页。"]


def test_leaks_are_those_of_the_command(tmp_path):
    for name, rows in (("train", [{"id": str(i), "text": text} for i, text in enumerate(TEXTS)]), ("test", ITEMS)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run(tmp_path, "decontaminate", "train.jsonl", "--against", "test.jsonl", "--against-fields", "question,answer", "--hits",
        "hits.jsonl")
    leaks = leitong.decontaminate(TEXTS, ITEMS, against_fields=["question", "answer"])
    assert [(str(hit.position), hit.kind, hit.match, hit.begin, hit.end, hit.passage) for hit in leaks.hits] == [
        (row["id"], row["kind"], row["match"], row["begin_character"], row["end_character"], row["passage"])
        for row in written(tmp_path / "hits.jsonl")]
    assert (leaks.leaking, leaks.leaked, leaks.too_short, leaks.kept) == ([0], [0], [1], TEXTS[1:])
    assert leaks.hits[1].why == "no answer stands near"


def test_what_cannot_be_looked_for():
    with pytest.raises(leitong.InvalidArgumentError, match="long enough"):
        leitong.decontaminate(TEXTS, ["为什么?"])
    with pytest.raises(leitong.NotFoundError, match="reply"):
        leitong.decontaminate(TEXTS, ITEMS, against_fields=["question", "reply"])


def test_what_a_base_holds_stays(folder):
    sheet = "首頁，新聞，聯繫我們"
    (folder / "sheet.txt").write_text(sheet, encoding="utf-8")
    run(folder, "trim", "in.jsonl", "-o", "out.jsonl", "--base", "sheet.txt")
    trimmed = leitong.trim(PAGES, base=[sheet])
    assert trimmed.texts == [row["text"] for row in written(folder / "out.jsonl")]
    assert [cut.text for cut in trimmed.cuts] == ["面团要发两次。"]


def test_templates_are_cut():
    frame = " ".join(f"{n:08x}" for n in range(0, 6_000_000, 100_003))
    pages = [frame + " " + " ".join(f"{n * 7919 + k * 104_729:08x}" for n in range(30)) for k in range(12)]
    trimmed = leitong.trim(pages, part="template", border="word")
    assert trimmed.texts[0] == pages[0]
    assert all(len(text) < len(pages[0]) - len(frame) + 20 for text in trimmed.texts[1:])
    assert {cut.kept for cut in trimmed.cuts} == {0}
    assert leitong.trim(pages, part="template", least_documents=13).cuts == []
