#!/usr/bin/env python3
"""Clusters, panes, and what axe-core finds.

usage: report_reading_test.py FOLDER   (as report_test.py)
"""

import sys

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
