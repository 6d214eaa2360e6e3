#!/usr/bin/env python3
"""Opens the report in a headless Chromium, uses it as a reader would, and takes pictures.

usage: report_test.py FOLDER   (FOLDER holds sample.html and hostile.html; pictures are left there)
"""

import pathlib
import re
import sys
import unittest

import chromium

FOLDER = pathlib.Path(".")
BROWSER = None


def contrast(one, other):
    """Contrast ratio of two "rgb(r, g, b)" colours after WCAG 2, section 1.4.3."""
    def luminance(colour):
        channels = [int(value) / 255 for value in re.findall(r"\d+", colour)[:3]]
        linear = [value / 12.92 if value <= .03928 else ((value + .055) / 1.055) ** 2.4 for value in channels]
        return .2126 * linear[0] + .7152 * linear[1] + .0722 * linear[2]
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + .05) / (dark + .05)


class ReportTest(unittest.TestCase):
    def open(self, name, **settings):
        self.url = (FOLDER / name).resolve().as_uri()
        page = BROWSER.open(self.url, **settings)
        self.addCleanup(self.check_quiet, page)
        return page

    def check_quiet(self, page):
        self.assertEqual(page.problems, [])
        self.assertEqual(page.requests, [self.url], "the page asked for something besides itself")

    def test_light_and_dark_follow_the_system_and_the_button(self):
        papers = []
        for dark in (False, True):
            page = self.open("sample.html", dark=dark)
            paper = "getComputedStyle(document.body).backgroundColor"
            papers.append(page.run(paper))
            page.screenshot(FOLDER / ("dark.png" if dark else "light.png"), whole=True)
            page.run("document.getElementById('theme').click()")
            self.assertNotEqual(page.run(paper), papers[-1])
            page.run("localStorage.clear()")
        self.assertNotEqual(papers[0], papers[1])

    def test_text_has_contrast_in_both_themes(self):
        for dark in (False, True):
            page = self.open("sample.html", dark=dark)
            pairs = page.run("""[...document.querySelectorAll('main *, header *, footer *')].filter((node) =>
                [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim() !== '') && node.namespaceURI.endsWith('xhtml')
                && !node.disabled && node.checkVisibility()).map((node) => {
              let behind = node;
              while (behind && getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
              return [getComputedStyle(node).color, behind ? getComputedStyle(behind).backgroundColor : 'rgb(255, 255, 255)', node.textContent.slice(0, 40)];
            })""")
            self.assertGreater(len(pairs), 100)
            for text, paper, words in pairs:
                self.assertGreaterEqual(contrast(text, paper), 4.5, f"{words!r}: {text} on {paper}, dark: {dark}")

    def test_says_what_was_done(self):
        page = self.open("sample.html")
        self.assertEqual(page.run("document.querySelector('h1').textContent"),
                         "Of 48,210 documents, 11,302 were near-duplicates of others.")
        main = page.run("document.querySelector('main').innerText")
        for words in ("1,030 of 1,031 pairs", "21 × broken JSON", "18 groups are chained", "148 MB", "113 MB/s",
                      "5,000 of 11,302 removed documents are in this file", "the full list is in removed.jsonl", "99.90 %"):
            self.assertIn(words, main)
        self.assertEqual(page.run("document.title"), "harbour, kitchen, poems and teahouse – leitong report")

    def test_clusters_unfold_and_say_what_is_left_out(self):
        page = self.open("sample.html")
        page.run("document.querySelector('#clusters summary').click()")
        page.run("new Promise((done) => setTimeout(done, 100))")
        self.assertIn("100 of the 213 that left for it are shown, the least similar ones.", page.run("document.querySelector('#clusters .panel').innerText"))
        self.assertEqual(page.run("document.querySelectorAll('#clusters details:first-of-type tbody tr').length"), 100)

    def test_shared_passages_have_one_number_and_colour_on_both_sides(self):
        page = self.open("sample.html")
        sides = page.run("""[...document.querySelectorAll('#borderline details[open] .side')].map((side) =>
            [...side.querySelectorAll('mark')].map((mark) => [mark.querySelector('button').textContent, mark.className,
             mark.textContent.slice(mark.querySelector('button').textContent.length)]).sort())""")
        self.assertEqual(len(sides), 2)
        self.assertGreaterEqual(len(sides[0]), 3)
        self.assertEqual(sides[0], sides[1])

    def test_a_passage_button_leads_to_the_other_text_by_keyboard(self):
        page = self.open("sample.html")
        page.run("document.querySelectorAll('#borderline .side')[0].querySelectorAll('mark button')[1].focus()")
        page.press("Enter", text="\r")
        self.assertTrue(page.run("document.querySelectorAll('#borderline .side')[1].contains(document.activeElement)"))
        self.assertEqual(page.run("document.activeElement.textContent"), "2")

    def test_search_finds_by_id_and_place_and_says_when_it_cannot(self):
        page = self.open("sample.html")
        rows = "[...document.querySelectorAll('#documents tbody tr')].map((row) => row.innerText)"
        status = "document.querySelector('#removed [role=status]').textContent"
        self.assertEqual(page.run(rows + ".length"), 25)
        page.run("document.getElementById('search').focus()")
        page.type("TEA-0417")
        self.assertEqual(page.run(status), "1 document found.")
        self.assertIn("left for tea-0032", page.run(rows)[0])
        page.run("document.getElementById('search').select()")
        page.type("harbour/notes.jsonl:77")
        self.assertIn("kept", page.run(rows)[0])
        page.run("document.getElementById('search').select()")
        page.type("<b>nowhere")
        self.assertIn("Nothing here has “<b>nowhere”", page.run(status))
        self.assertIn("every removed one is in removed.jsonl", page.run(status))
        self.assertEqual(page.run(rows + ".length"), 0)

    def test_the_table_sorts_and_turns_pages(self):
        page = self.open("sample.html")
        last = "[...document.querySelectorAll('#documents tbody tr td:last-child')].map((cell) => Number(cell.textContent))"
        press = "[...document.querySelectorAll('#removed button')].find((button) => button.textContent === '%s').click()"
        rising = page.run(last)
        self.assertEqual(rising, sorted(rising), "the least similar come first")
        self.assertEqual(page.run("document.querySelector('#documents th:last-child').getAttribute('aria-sort')"), "ascending")
        page.run(press % "Next")
        self.assertGreaterEqual(min(page.run(last)), max(rising))
        page.run(press % "Score")
        falling = page.run(last)
        self.assertEqual(falling, sorted(falling, reverse=True))

    def test_fits_a_narrow_screen(self):
        for dark in (False, True):
            page = self.open("sample.html", width=390, height=844, dark=dark)
            page.run("document.querySelector('#clusters summary').click()")
            page.run("new Promise((done) => setTimeout(done, 100))")
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 390)
            page.screenshot(FOLDER / ("narrow-dark.png" if dark else "narrow.png"), whole=True)

    def test_prints(self):
        page = self.open("sample.html")
        page.pdf(FOLDER / "report.pdf")
        self.assertEqual(page.run("document.querySelectorAll('#borderline details:not([open])').length"), 0)

    def test_hostile_texts_are_shown_and_do_nothing(self):
        page = self.open("hostile.html")
        page.run("document.querySelectorAll('main details').forEach((node) => { node.open = true; })")
        page.run("new Promise((done) => setTimeout(done, 300))")
        page.run("document.querySelectorAll('mark button').forEach((button) => button.click())")
        page.run("document.querySelectorAll('#documents th button').forEach((button) => button.click())")
        page.run("document.getElementById('search').focus()")
        page.type("attack-")
        page.run("new Promise((done) => setTimeout(done, 300))")
        self.assertIsNone(page.run("window.attacked"))
        text = page.run("document.querySelector('main').innerText")
        for shown in ("<script>window.attacked = 1</script>", "<img src=x onerror", "<!--<script>", "javascript:window.attacked = 9",
                      "&lt;b&gt;", "${window.attacked = 10} {{data}}", "attack-15:__proto__", "attack-13:broken \ufffd"):
            self.assertIn(shown, text)
        for forbidden in ("\u202e", "\x1b", "\0"):
            self.assertNotIn(forbidden, text + page.run("document.title"))
        self.assertIn("U+202E", text)
        self.assertEqual(page.run("document.querySelectorAll('script').length"), 2)
        self.assertEqual(page.run("document.querySelectorAll('main img, main iframe, main base, main style, main form, main a').length"), 0)
        page.screenshot(FOLDER / "hostile.png", whole=True)

    def test_the_policy_itself_stops_markup_from_text(self):
        """The second fence: even a script that went astray couldn't make markup, run code or load anything."""
        page = self.open("sample.html")
        stopped = page.run("""(async () => {
          const stops = (attempt) => { try { attempt(); return false; } catch { return true; } };
          const loads = await new Promise((done) => {
            const image = new Image();
            image.onload = () => done(true);
            image.onerror = () => done(false);
            image.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
          });
          const script = stops(() => { const node = document.createElement('script'); node.textContent = 'window.attacked = 1'; document.body.append(node); });
          return [stops(() => { document.body.innerHTML = '<b>x</b>'; }), stops(() => eval('1')), !loads, script || window.attacked === undefined];
        })()""")
        self.assertEqual(stopped, [True, True, True, True])
        self.assertNotEqual(page.problems, [], "the browser reports what it stopped")
        page.problems.clear()
        page.requests[1:] = []


def main():
    global FOLDER, BROWSER
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    FOLDER = pathlib.Path(sys.argv.pop())
    path = chromium.find()
    if path is None:
        sys.exit("Chromium is missing; scripts/install-packages --browser installs it")
    with chromium.Browser(path) as BROWSER:
        return 0 if unittest.main(exit=False, verbosity=2).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
