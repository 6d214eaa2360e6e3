#!/usr/bin/env python3
"""Clusters, panes, titles, the foot, and what axe-core finds.

usage: report_reading_test.py FOLDER   (as report_test.py)
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import axe
import on_report
from on_report import SOON, ReportPage


class ReadingTest(ReportPage):
    def test_every_cluster_opens_and_so_do_its_rows(self):
        page = self.open("sample.html")
        kept = page.run("[...new Set(JSON.parse(document.getElementById('data').textContent).found.rows.filter((row) => row[0] === 0).map((row) => row[10].slice(0, 2).join()))].length")
        self.assertGreater(kept, 1000)
        where = page.run("document.querySelector('#clusters > .pager span').textContent")
        self.assertEqual(where, f"page 1 of {-(-(kept + 5) // 20):,}", "every cluster that has a row in the page, and the largest five")
        page.run("[...document.querySelectorAll('#clusters > .pager button')].pop().click()")
        page.run("document.querySelector('#clusters summary').click()")
        page.run(SOON)
        page.run("document.querySelector('#clusters .toggle').click()")
        self.assertEqual(page.run("document.querySelectorAll('#clusters tr.texts:not([hidden]) .side').length"), 2)

    def test_panes_scroll_together_and_every_passage_is_one_press_away(self):
        page = self.open("sample.html")
        page.run("[...document.querySelectorAll('#borderline .text')].forEach((pane) => { pane.style.maxHeight = '90px'; })")
        passages = page.run("[...document.querySelectorAll('#borderline details[open] .strip button')].map((node) => node.textContent)")
        self.assertGreater(len(passages), 2)
        tops = """[...document.querySelectorAll('#borderline details[open] .text')].map((pane) => {
            const mark = pane.querySelector('mark[data-passage="%s"]'); return Math.round(mark.getBoundingClientRect().top - pane.getBoundingClientRect().top); })"""
        for passage in passages:
            page.run(f"[...document.querySelectorAll('#borderline details[open] .strip button')][{int(passage) - 1}].click()")
            for top in page.run(tops % passage):
                self.assertLess(top, 90, passage)
                self.assertGreaterEqual(top, -1, passage)
        page.run("[...document.querySelectorAll('#borderline details[open] .text')].forEach((pane) => { pane.scrollTop = 0; })")
        page.run(SOON)
        page.run(f"""(() => {{ const pane = document.querySelector('#borderline details[open] .text'), mark = pane.querySelector('mark[data-passage="{passages[-1]}"]');
            pane.dispatchEvent(new WheelEvent('wheel')); pane.scrollTop = mark.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop - 22; }})()""")
        page.run(SOON)
        top, other = page.run(tops % passages[-1])
        self.assertAlmostEqual(top, other, delta=30, msg="the other pane followed, to within a line")

    def test_first_words_stand_beside_ids_and_a_title_in_their_place(self):
        page = self.open("sample.html")
        self.assertIn("第0号渡船的航海日志", page.run("[...document.querySelectorAll('#documents tbody tr:not(.texts)')].find((row) => row.innerText.includes('doc-00000'))?.innerText ?? document.querySelector('#documents').innerText"))
        self.assertIn("The second title", page.run("document.querySelector('#borderline').textContent"))

    def test_the_foot_says_when_and_how(self):
        foot = self.open("sample.html").run("document.getElementById('footer').innerText")
        self.assertRegex(foot, r"Made by leitong \d+\.\d+\.\d+ on 2026-11-27 06:45 UTC\.")
        self.assertIn("leitong dedup harbour/ kitchen/ --report 'my report.html'", foot)
        page = self.open("sample.html", language="zh-CN", media="print")
        self.assertIn("命令行：", page.run("document.getElementById('footer').innerText"))
        self.assertTrue(page.run("document.getElementById('footer').checkVisibility() && document.getElementById('run').checkVisibility()"), "on paper, too")

    def test_whole_texts_come_from_the_file_beside_the_page(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            long = lambda first: "".join(f"{first}第{i}句：渡船清晨{i * 37 % 997}点开，北岸石阶{i * 91 % 983}级。" for i in range(4000))
            with open(folder / "corpus.jsonl", "w") as corpus:
                for name, text in (("a", long("")), ("b", long("") + "又添一段新写的话，讲的是南岸的灯塔。"), ("c", "短文一篇，" * 3)):
                    corpus.write(json.dumps({"id": name, "text": text}) + "\n")
            leitong = on_report.FOLDER.parent / "leitong"
            subprocess.run([leitong, "dedup", "corpus.jsonl", "--report", "r.html", "--report-texts", "r.texts"], cwd=folder, check=True, capture_output=True)
            (folder / "other.texts").write_text("[" * 300000)
            self.url = (folder / "r.html").resolve().as_uri()
            page = on_report.BROWSER.open(self.url)
            page.run("document.querySelector('#borderline summary')?.parentElement.open || document.querySelector('#borderline summary').click()")
            page.run(SOON)
            gaps = "document.querySelectorAll('#borderline .gap').length"
            self.assertGreater(page.run(gaps), 0, "long texts are shown in part")

            def choose(name):
                node = page.call("Runtime.evaluate", expression="document.querySelector('#borderline .whole input')")["result"]["objectId"]
                page.call("DOM.setFileInputFiles", files=[str(folder / name)], objectId=node)
                page.run(SOON)
                page.run("new Promise((done) => setTimeout(done, 300))")
            choose("other.texts")
            self.assertIn("r.texts", page.run("document.querySelector('#borderline .whole [role=status]').textContent"))
            choose("r.texts")
            self.assertEqual(page.run(gaps), 0)
            self.assertEqual(page.run("document.querySelectorAll('#borderline .whole').length"), 0, "nothing is left to show")
            self.assertIn("第3999句", page.run("document.querySelector('#borderline .side .text').textContent"))
            refused = subprocess.run([leitong, "dedup", "corpus.jsonl", "--report", "r2.html", "--report-texts", "r.gz"], cwd=folder, capture_output=True, text=True)
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("name it r", refused.stderr)

    def test_one_source_gives_advice_and_no_table(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            text = "渡船清晨六点开第一班，雾大的日子改到七点，乘客请在北岸的石阶旁排队等候，不要站在跳板上。"
            with open(folder / "corpus.jsonl", "w") as corpus:
                for i in range(4):
                    corpus.write(json.dumps({"id": f"d{i}", "text": text + "好" * (i % 2), "name": f"Notice {i}\n of the ferry"}) + "\n")
            leitong = on_report.FOLDER.parent / "leitong"
            environment = {**os.environ, "SOURCE_DATE_EPOCH": "1795761900"}
            run = lambda report, *more: subprocess.run([leitong, "dedup", "corpus.jsonl", "--title-field", "name", "--report", report, *more], cwd=folder, check=True, capture_output=True, env=environment)
            run("it's.html")
            self.url = (folder / "it's.html").resolve().as_uri()
            page = on_report.BROWSER.open(self.url, language="zh-CN")
            self.assertEqual(page.run("document.querySelectorAll('#sources table').length"), 0)
            self.assertIn("--source-field", page.run("document.getElementById('sources').innerText"))
            page.run("document.getElementById('language').click()")
            self.assertIn("All documents come from one source (corpus.jsonl)", page.run("document.getElementById('sources').innerText"))
            self.assertIn("Notice 1  of the ferry", page.run("document.querySelector('#documents tbody').textContent"))
            self.assertIn("Notice 1  of the ferry", page.run("document.querySelector('#clusters summary').textContent"))
            page.run("document.querySelector('#clusters summary').click()")
            page.run(SOON)
            self.assertIn("Notice 0  of the ferry", page.run("document.querySelector('#clusters .members').textContent"))
            foot = page.run("document.getElementById('footer').innerText")
            self.assertIn("on 2026-11-27 06:45 UTC.", foot)
            self.assertIn("leitong dedup corpus.jsonl --title-field name --report 'it'\\''s.html'", foot)
            self.check_quiet(page)
            page.run("localStorage.clear()")

    def test_axe_finds_no_barrier(self):
        for how in ({}, {"dark": True, "language": "zh-CN"}, {"width": 390, "height": 844}):
            page = self.open("sample.html", **how)
            page.run("document.querySelector('#clusters summary').click()")
            page.run("document.querySelector('#documents .toggle').click()")
            page.run(SOON)
            self.assertEqual(axe.violations(page, on_report.FOLDER.parent), [], how)

    def test_the_bar_takes_one_row_on_a_phone(self):
        for language in ("en", "zh-CN"):
            page = self.open("sample.html", width=390, height=844, language=language)
            self.assertLess(page.run("document.querySelector('header.bar').getBoundingClientRect().height"), 60)


if __name__ == "__main__":
    sys.exit(on_report.main())
