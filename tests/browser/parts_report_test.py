#!/usr/bin/env python3
"""The pages of leitong trim and leitong decontaminate, made by these commands, in a browser.

usage: parts_report_test.py FOLDER   (as report_test.py)
"""

import json
import subprocess
import sys

import axe
import on_report
from on_report import SOON, ReportPage

HOSTILE = "<img src=x onerror=document.title='owned'></script><b>bold</b> \u202edesrever"


def lines(name, rows):
    with open(on_report.FOLDER / name, "w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def leitong(*arguments):
    subprocess.run([on_report.FOLDER.resolve().parent / "leitong", *arguments, "--force", "-q"], cwd=on_report.FOLDER, check=True)


def make_pages():
    """trimmed.html and leaks.html, each of which has more entries than one screen, and hostile texts."""
    pages = [{"id": f"page {n}", "text": ("首页 | 新闻 | 联系我们\n" if n % 3 else "") + f"第 {n} 页：渡船清晨开。Page {n} says something of its own.\n"
              + ("All rights reserved. " * 30 + "\n" if n % 2 else "") + (HOSTILE + "\n" if n % 5 == 0 else "")} for n in range(160)]
    pages.append({"id": HOSTILE, "text": "首页 | 新闻 | 联系我们\n"})
    lines("pages.jsonl", pages)
    with open(on_report.FOLDER / "pages.jsonl", "a") as file:
        file.write("no record\n")
    leitong("trim", "pages.jsonl", "--report", "trimmed.html")
    # Characters that no two of them have in common.
    own = lambda n: "".join(chr(0x4E00 + 200 * n + k * 7) for k in range(16))  # noqa: E731
    questions = [{"id": f"q{n}", "question": f"{own(n)}是哪一座？{HOSTILE if n == 7 else ''}", "answer": f"城市 {n} 号"} for n in range(90)]
    lines("exam.jsonl", questions)
    lines("quiz.jsonl", [{"id": "short", "question": "为什么?", "answer": ""}])
    lines("train.jsonl", [{"id": f"t{n}", "text": f"{'前文。' * 800}{item['question']}{'答案：' + item['answer'] if n % 2 else ''}{'后文。' * 800}"} for n, item in enumerate(questions[:70])])
    leitong("decontaminate", "train.jsonl", "--against", "exam.jsonl", "--against", "quiz.jsonl", "--against-fields", "question,answer", "--report", "leaks.html", "--hits", "hits.jsonl")


class PartsReportTest(ReportPage):
    @classmethod
    def setUpClass(cls):
        make_pages()

    def text(self, page, selector="main"):
        return page.run(f"document.querySelector({json.dumps(selector)}).innerText")

    def test_trim_says_what_was_cut_most_often(self):
        page = self.open("trimmed.html")
        self.assertEqual(page.run("[...document.querySelectorAll('main section')].map((node) => node.id).join()"), "repeated,documents-cut,attention,run")
        self.assertIn("lost repeated parts", self.text(page, "h1"))
        rows = page.run("[...document.querySelectorAll('#repeated tbody tr')].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText))")
        self.assertEqual(rows[0][:2], ["106", "107"])
        self.assertIn("首页 | 新闻 | 联系我们", rows[0][2])
        self.assertIn("stays in pages.jsonl:2", rows[0][2])
        self.assertIn("cut out of page 2, page 4, page 5", rows[0][2])
        self.assertEqual(len(rows), 3)
        self.assertIn("leitong trim pages.jsonl", self.text(page, "footer"))
        self.assertIn("1 record could not be read", self.text(page, "#attention"))
        page.screenshot(on_report.FOLDER / "trimmed.png")

    def test_documents_open_with_their_cuts_struck_through(self):
        page = self.open("trimmed.html")
        page.run("document.querySelector('#documents-cut summary').click()")
        page.run(SOON)
        struck = page.run("[...document.querySelectorAll('#documents-cut details[open] del')].map((node) => [node.textContent, getComputedStyle(node).textDecorationLine, node.title])")
        self.assertEqual(struck[0], ["首页 | 新闻 | 联系我们\n", "line-through", "stays in pages.jsonl:2"])
        page.screenshot(on_report.FOLDER / "trimmed-open.png")
        page.run("document.getElementById('search').value = 'page 77 says'; document.getElementById('search').dispatchEvent(new Event('input'))")
        self.assertIn("1 row found", self.text(page, "#documents-cut"))
        page.run("document.getElementById('search').value = 'nowhere at all'; document.getElementById('search').dispatchEvent(new Event('input'))")
        self.assertIn("Nothing in this page matches", self.text(page, "#documents-cut"))

    def test_lists_turn_pages_and_move_by_keys(self):
        for name, section in (("trimmed.html", "documents-cut"), ("leaks.html", "leaks")):
            page = self.open(name)
            self.assertIn("page 1 of", self.text(page, f"#{section} .pager"))
            page.run(f"[...document.querySelectorAll('#{section} .pager button')].pop().click()")
            self.assertIn("page 2 of", self.text(page, f"#{section} .pager"))
            page.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'p', bubbles: true}))")
            self.assertIn("page 1 of", self.text(page, f"#{section} .pager"))
            for key in ("j", "o"):
                page.run(f"(document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))")
            page.run(SOON)
            self.assertEqual(page.run(f"document.querySelectorAll('#{section} details[open]').length"), 1)

    def test_leaks_stand_beside_their_items(self):
        page = self.open("leaks.html")
        rows = page.run("[...document.querySelectorAll('#benchmarks tbody tr')].map((row) => [...row.children].map((cell) => cell.innerText))")
        self.assertEqual(rows, [["exam.jsonl", "90", "35", "39 %", "35", "35", "0"], ["quiz.jsonl", "1", "0", "0 %", "0", "0", "1"]])
        self.assertIn("Of 91 items of the benchmarks, 35 leaked", self.text(page, "h1"))
        page.run("document.querySelector('#leaks summary').click()")
        page.run(SOON)
        panel = self.text(page, "#leaks details[open]")
        for words in ("leak", "stands there as it is", "城市 1 号", "left out", "Item", "Document"):
            self.assertIn(words, panel)
        marked = page.run("[...document.querySelectorAll('#leaks details[open] .side')].map((side) => [...side.querySelectorAll('mark')].map((mark) => mark.innerText).join(''))")
        for side in marked:
            self.assertIn("是哪一座", side)
        page.screenshot(on_report.FOLDER / "leaks.png")
        page.run("document.getElementById('filter-kind').value = '0'; document.getElementById('filter-kind').dispatchEvent(new Event('change'))")
        self.assertIn("35 rows found", self.text(page, "#leaks"))
        page.run("document.querySelector('#leaks summary').click()")
        page.run(SOON)
        self.assertIn("no answer stands near", self.text(page, "#leaks details[open]"))

    def test_both_languages_have_all_words(self):
        for name in ("trimmed.html", "leaks.html"):
            page = self.open(name, language="zh-CN")
            self.assertEqual(page.run("document.documentElement.lang"), "zh-CN")
            shown = self.text(page)
            self.assertNotIn("undefined", shown)
            self.assertNotIn("setting_", shown)
            self.assertIn({"trimmed.html": "删去最多的部分", "leaks.html": "各评测集的泄漏"}[name], shown)

    def test_texts_are_no_markup_and_stay_visible(self):
        for name in ("trimmed.html", "leaks.html"):
            page = self.open(name)
            page.run("document.querySelectorAll('details').forEach((node) => node.open = true)")
            page.run(SOON)
            self.assertIn("leitong report", page.run("document.title"))
            self.assertEqual(page.run("document.querySelectorAll('main img').length"), 0)
            self.assertTrue(page.run("document.querySelector('main').innerText.includes('<img src=x')"), name)
            self.assertTrue(page.run("document.querySelector('main').innerText.includes('U+202E')"), name)

    def test_a_phone_needs_no_scrolling_to_the_side(self):
        for name in ("trimmed.html", "leaks.html"):
            page = self.open(name, width=390, height=844)
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 390)
            page.screenshot(on_report.FOLDER / name.replace(".html", "-phone.png"))

    def test_axe_finds_nothing(self):
        for name in ("trimmed.html", "leaks.html"):
            page = self.open(name)
            page.run("document.querySelectorAll('details').forEach((node, i) => { if (i < 3) node.open = true; })")
            page.run(SOON)
            self.assertEqual(axe.violations(page, on_report.FOLDER.parent), [], name)


if __name__ == "__main__":
    sys.exit(on_report.main())
