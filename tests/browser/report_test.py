#!/usr/bin/env python3
"""Opens the report in a headless Chromium, uses it as a reader would, and takes pictures.

usage: report_test.py FOLDER   (FOLDER holds sample.html and hostile.html; pictures are left there)
"""

import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import on_report
from on_report import SOON, ReportPage


def contrast(one, other):
    """Contrast ratio of two "rgb(r, g, b)" colours after WCAG 2, section 1.4.3."""
    def luminance(colour):
        channels = [int(value) / 255 for value in re.findall(r"\d+", colour)[:3]]
        linear = [value / 12.92 if value <= .03928 else ((value + .055) / 1.055) ** 2.4 for value in channels]
        return .2126 * linear[0] + .7152 * linear[1] + .0722 * linear[2]
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + .05) / (dark + .05)


class ReportTest(ReportPage):
    def test_light_and_dark_follow_the_system_and_the_button(self):
        papers = []
        for dark in (False, True):
            page = self.open("sample.html", dark=dark)
            paper = "getComputedStyle(document.body).backgroundColor"
            papers.append(page.run(paper))
            page.screenshot(on_report.FOLDER / ("dark.png" if dark else "light.png"), whole=True)
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

    def test_a_run_with_vectors_says_what_its_figures_are_about(self):
        main = self.open("hostile.html").run("document.querySelector('main').textContent")
        self.assertIn("; or a cosine of the vectors from 0.900", main)
        self.assertIn("; pairs by the cosine of the vectors are not in it", main)

    def test_a_run_without_vectors_says_nothing_of_them(self):
        self.assertNotIn("cosine of the vectors", self.open("sample.html").run("document.querySelector('main').textContent"))

    def test_says_what_was_done(self):
        page = self.open("sample.html")
        self.assertEqual(page.run("document.querySelector('h1').textContent"),
                         "Of 48,173 documents, 11,302 were near-duplicates of others.")
        main = page.run("document.querySelector('main').innerText")
        for words in ("48,210 records were read: 37 are quarantined and are not documents.", "1,030 of 1,031 pairs", "21 × broken JSON", "18 components are chained", "148 MB", "113 MB/s",
                      "10,003 of 11,302 rows are in this page", "The full list is in removed.jsonl", "99.90 %",
                      "Jaccard 0.361, 0.003 above the rule", "Jaccard from 0.350 in short texts to 0.400"):
            self.assertIn(words, main)
        self.assertEqual(page.run("document.title"), "harbour, kitchen, poems and teahouse – leitong report")

    def test_speaks_the_language_of_the_browser_and_of_the_button(self):
        page = self.open("sample.html", language="zh-CN")
        self.assertEqual(page.run("document.documentElement.lang"), "zh-CN")
        self.assertEqual(page.run("document.querySelector('h1').textContent"), "48,173 篇文档中，有 11,302 篇与其他文档雷同。")
        self.assertIn("读入 48,210 条记录，其中 37 条读不了，已隔离，不算文档。", page.run("document.querySelector('main').innerText"))
        self.assertIn("Jaccard 相似度 0.361，比规则高 0.003", page.run("document.querySelector('#borderline').innerText"))
        page.screenshot(on_report.FOLDER / "chinese.png")
        page.run("document.getElementById('language').click()")
        self.assertEqual(page.run("document.documentElement.lang"), "en")
        self.assertIn("Who copies whom", page.run("document.querySelector('main').innerText"))
        page.run("localStorage.clear()")

    def test_every_word_has_both_languages_and_the_same_values(self):
        source = (pathlib.Path(__file__).parents[2] / "src/report/assets/words.js").read_text()
        entries = re.findall(r'("[^"]+"|[a-z0-9_]+): \["((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\]', source)
        self.assertGreater(len(entries), 180)
        for key, english, chinese in entries:
            values = [set(re.findall(r"\{(\w+)\}", text)) for text in (english.split("|")[-1], chinese)]
            self.assertEqual(values[0], values[1], key)
            self.assertTrue(english and chinese, key)

    def test_the_table_of_sources_leads_to_its_rows(self):
        page = self.open("sample.html")
        sections = page.run("[...document.querySelectorAll('main section')].map((node) => node.id)")
        self.assertEqual(sections[0], "sources", "teachers and editors ask for it first")
        first = page.run("document.querySelector('#sources tbody tr').innerText")
        for words in ("mixed", "6,120", "30 %"):
            self.assertIn(words, first)
        self.assertEqual(page.run("document.querySelectorAll('#sources tbody tr').length"), 8)
        page.run("document.querySelector('#sources > button').click()")
        self.assertEqual(page.run("document.querySelectorAll('#sources tbody tr').length"), 9)
        page.run("document.querySelectorAll('#sources .quiet')[1].click()")
        self.assertEqual(page.run("document.querySelector('#removed [role=status].soft:not(#marks *)').textContent"), "3,334 rows found.")
        self.assertIn("from mixed to harbour", page.run("document.querySelector('#removed .chip').textContent"))

    def test_clusters_unfold_and_say_what_is_left_out(self):
        page = self.open("sample.html")
        page.run("document.querySelector('#clusters summary').click()")
        page.run(SOON)
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

    def test_a_template_of_one_text_is_grey_without_a_number(self):
        page = self.open("sample.html")
        found = page.run("""(() => {
            document.querySelectorAll('#borderline details').forEach((row) => { row.open = true; });
            return """ + SOON + """.then(() => [...document.querySelectorAll('#borderline .template')].map((part) =>
                [part.tagName, part.title, part.querySelectorAll('button').length, getComputedStyle(part).backgroundColor]));
          })()""")
        self.assertGreaterEqual(len(found), 1)
        for tag, title, buttons, background in found:
            self.assertEqual((tag, title, buttons), ("SPAN", "a template of 12 families of texts", 0))
            self.assertNotEqual(background, "rgba(0, 0, 0, 0)")

    def test_differing_characters_are_marked_between_shared_passages(self):
        page = self.open("sample.html")
        page.run("document.querySelector('#documents .toggle').click()")
        differs = page.run("[...document.querySelectorAll('#documents tr.texts:not([hidden]) .side')].map((side) => [...side.querySelectorAll('.differs')].map((node) => node.textContent))")
        self.assertEqual(len(differs), 2)
        self.assertIn("四", differs[1])
        self.assertNotIn("清晨", "".join(differs[0] + differs[1]), "what both have isn't marked")

    def test_what_is_left_without_the_marked_characters_is_equal(self):
        """The property of a common subsequence, for random texts and against the plain definition of its length."""
        source = (pathlib.Path(__file__).parents[2] / "src/report/assets/diff.js").read_text()
        page = self.open("sample.html")
        wrong = page.run("(() => {" + source + """
          let seed = 7;
          const random = (n) => { seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff; return (seed >> 8) % n; };
          const length = (x, y) => { const t = Array.from({length: x.length + 1}, () => new Array(y.length + 1).fill(0));
            for (let i = 1; i <= x.length; ++i) for (let j = 1; j <= y.length; ++j)
              t[i][j] = x[i - 1] === y[j - 1] ? t[i - 1][j - 1] + 1 : Math.max(t[i - 1][j], t[i][j - 1]);
            return t[x.length][y.length]; };
          const wrong = [];
          for (let round = 0; round < 300; ++round) {
            const make = () => Array.from({length: random(12)}, () => "茶山雾ab"[random(5)]);
            const x = make(), y = make(), found = differing(x, y), common = length(x, y);
            if (found === null) { if (3 * common >= Math.max(x.length, y.length)) wrong.push([x, y]); continue; }
            const rest = (text, differs) => text.filter((_, i) => !differs[i]).join("");
            if (rest(x, found[0]) !== rest(y, found[1]) || rest(x, found[0]).length !== common) wrong.push([x, y]);
          }
          return wrong;
        })()""")
        self.assertEqual(wrong, [])

    def test_a_passage_button_leads_to_the_other_text_by_keyboard(self):
        page = self.open("sample.html")
        page.run("document.querySelectorAll('#borderline .side')[0].querySelectorAll('mark button')[1].focus()")
        page.press("Enter", text="\r")
        self.assertTrue(page.run("document.querySelectorAll('#borderline .side')[1].contains(document.activeElement)"))
        self.assertEqual(page.run("document.activeElement.textContent"), "2")

    def test_every_row_opens_its_texts(self):
        page = self.open("sample.html")
        for turn in range(3):
            page.run("document.querySelectorAll('#documents .toggle').forEach((node) => node.click())")
            panels = page.run("[...document.querySelectorAll('#documents tr.texts:not([hidden])')].map((row) => [...row.querySelectorAll('.text')].every((text) => text.textContent.length > 20))")
            self.assertEqual(panels, [True] * 25)
            page.run("document.querySelectorAll('#removed .pager button')[1].click()")

    def rows(self, page):
        return page.run("[...document.querySelectorAll('#documents tbody tr:not(.texts)')].map((row) => row.innerText)")

    def found(self, page):
        return page.run("[...document.querySelectorAll('#removed [role=status]')].pop().textContent")

    def test_search_finds_by_id_place_and_text_and_says_when_it_cannot(self):
        page = self.open("sample.html")
        self.assertEqual(len(self.rows(page)), 25)
        page.run("document.getElementById('search').focus()")
        page.type("TEA-0417")
        self.assertEqual(self.found(page), "1 row found.")
        self.assertIn("left for tea-0032", self.rows(page)[0])
        for query, row in (("kitchen/recipes.csv:88", "recipe-88-reprint"), ("推迟开园，分批采摘", "tea-0417"), ("Her LEDGERS fill", "lighthouse-b")):
            page.run("document.getElementById('search').select()")
            page.type(query)
            self.assertIn(row, self.rows(page)[0])
        page.run("document.getElementById('search').select()")
        page.type("<b>nowhere")
        self.assertIn("all are in removed.jsonl", self.found(page))
        self.assertEqual(self.rows(page), [])

    def set(self, page, name, value):
        page.run(f"""(() => {{ const node = document.getElementById('filter-{name}'); node.value = {value!r};
            node.dispatchEvent(new Event(node.matches('select') ? 'change' : 'input')); }})()""")

    def test_filters_by_measure_score_source_decision_and_marks(self):
        page = self.open("sample.html")
        self.set(page, "measure", "1")
        self.assertTrue(all("containment" in row for row in self.rows(page)))
        self.set(page, "measure", "")
        self.set(page, "low", "0.5")
        self.set(page, "high", "0.51")
        scores = [float(score) for score in page.run("[...document.querySelectorAll('#documents td.number')].map((cell) => cell.textContent.slice(0, 5))")]
        self.assertTrue(scores and all(0.5 <= score <= 0.51 for score in scores))
        self.set(page, "low", "")
        self.set(page, "high", "")
        self.set(page, "source", "teahouse")
        self.assertEqual(self.found(page), "1 row found.")
        self.set(page, "source", "")
        self.set(page, "outcome", "1")
        self.assertEqual(len(self.rows(page)), 2)
        page.run("[...document.querySelectorAll('#removed button')].find((node) => node.textContent === 'Clear filters').click()")
        self.assertEqual(self.found(page), "")
        page.run("document.querySelector('#documents .marks button').click()")
        self.set(page, "marked", "right")
        self.assertEqual(self.found(page), "1 row found.")
        page.run("localStorage.clear()")

    def test_the_table_sorts_by_margin_first_and_turns_pages(self):
        page = self.open("sample.html")
        margins = lambda: [float(re.search(r", ([0-9.]+) above", text)[1]) for text in page.run("[...document.querySelectorAll('#documents tbody tr:not(.texts) td:nth-child(4)')].map((cell) => cell.innerText)")]
        rising = margins()
        self.assertEqual(rising, sorted(rising), "the least sure come first")
        self.assertEqual(page.run("document.querySelector('#documents th:nth-child(4)').getAttribute('aria-sort')"), "ascending")
        press = "[...document.querySelectorAll('#removed button')].find((button) => button.textContent === '%s').click()"
        page.run(press % "Next")
        self.assertGreaterEqual(min(margins()), max(rising))
        page.run(press % "Score")
        page.run(press % "Score")
        falling = page.run("[...document.querySelectorAll('#documents td.number')].map((cell) => Number(cell.textContent.slice(0, 5)))")
        self.assertEqual(falling, sorted(falling, reverse=True))

    def test_keys_move_open_mark_and_search(self):
        page = self.open("sample.html")
        focused = "document.activeElement.dataset.row"
        order = page.run("[...document.querySelectorAll('#documents .toggle')].map((node) => node.dataset.row)")
        page.press("j")
        self.assertEqual(page.run(focused), order[0])
        page.press("j")
        page.press("j")
        page.press("k")
        self.assertEqual(page.run(focused), order[1])
        page.press("o")
        page.press("r")
        page.press("j")
        self.assertEqual(page.run("[...document.querySelectorAll('#documents .toggle[aria-expanded=true]')].map((node) => node.dataset.row)"), [order[2]],
                         "the texts go along")
        page.press("w")
        self.assertIn("2 pairs marked: 1 the same, 1 different.", page.run("document.querySelector('#marks').innerText"))
        page.press("u")
        self.assertIn("1 pair marked", page.run("document.querySelector('#marks').innerText"))
        page.press("G")
        page.press("j")
        self.assertIn("page 2", page.run("document.querySelector('#removed .pager').innerText"))
        page.press("?")
        self.assertTrue(page.run("document.getElementById('help').open"))
        self.assertEqual(page.run("document.querySelectorAll('#help tr').length"), 12)
        page.screenshot(on_report.FOLDER / "help.png")
        page.run("document.getElementById('keys-on').click()")
        page.run("document.getElementById('help').close()")
        before = page.run(focused)
        page.press("k")
        self.assertEqual(page.run(focused), before, "keys that are off do nothing")
        page.run("document.getElementById('keys').click(); document.getElementById('keys-on').click(); document.getElementById('help').close()")
        page.press("/")
        page.type("jkrw")
        self.assertEqual(page.run("document.getElementById('search').value"), "jkrw", "letters in a field are letters")
        page.run("localStorage.clear()")

    def test_marks_are_exported_once_a_pair_and_outlive_the_page(self):
        page = self.open("sample.html")
        page.run("document.querySelectorAll('#documents .marks').forEach((group, i) => { if (i < 3) group.querySelectorAll('button')[i % 2].click(); })")
        page.run("document.querySelectorAll('#borderline details').forEach((node) => { node.open = true; })")
        page.run(SOON)
        page.run("[...document.querySelectorAll('#borderline .marks')].pop().querySelector('button').click()")
        self.assertIn("4 pairs marked: 2 the same, 2 different.", page.run("document.querySelector('#marks').innerText"))
        lines = page.download(on_report.FOLDER / "labels.tsv", "[...document.querySelectorAll('#marks button')][0].click()").splitlines()
        self.assertEqual(len(lines), 4)
        self.assertEqual([line.split("\t")[2] for line in lines].count("1"), 2)
        self.assertIn("poem-moon-2\tpoem-moon-1\t0", lines, "right that both stay: they are different")
        again = self.open("sample.html")
        self.assertIn("4 pairs marked", again.run("document.querySelector('#marks').innerText"))
        again.run("document.querySelectorAll('#marks button')[1].click(); document.querySelectorAll('#marks button')[1].click()")
        self.assertNotIn("marked:", again.run("document.querySelector('#marks').innerText"))

    def test_exported_labels_are_read_by_eval_and_tune(self):
        """Ids that a TSV file must escape pass all steps: texts, run, page, labels, command."""
        leitong = on_report.FOLDER.parent / "leitong"
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            noise = random.Random(3)
            text = lambda: "".join(chr(noise.randrange(0x4E00, 0x9F00)) for _ in range(200))
            with open(folder / "corpus.jsonl", "w", encoding="utf-8") as corpus:
                for i in range(12):
                    shared = text()
                    for id_, body in ((f"甲\t{i}\\n", shared + text()[:40]), (f"\"乙\"\n<b>{i}", shared)):
                        corpus.write(json.dumps({"id": id_, "text": body}) + "\n")
            run = lambda *arguments: subprocess.run([leitong, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout
            run("dedup", "corpus.jsonl", "--pairs", "pairs.tsv", "--report", "report.html")
            self.url = (folder / "report.html").resolve().as_uri()
            page = on_report.BROWSER.open(self.url)
            page.run("document.querySelectorAll('#documents .marks').forEach((group, i) => { if (i < 12) group.querySelectorAll('button')[i < 9 ? 0 : 1].click(); })")
            page.download(folder / "labels.tsv", "document.querySelector('#marks button').click()")
            page.run("localStorage.clear()")
            self.check_quiet(page)
            figures = json.loads(run("eval", "--gold", "labels.tsv", "--pairs", "pairs.tsv", "--json"))
            self.assertEqual((figures["judged_same"], figures["judged_different"]), (9, 3))
            self.assertEqual((figures["claimed_same"], figures["claimed_different"]), (9, 3), "all ids were found again")
            self.assertIn("threshold=", run("tune", "corpus.jsonl", "--gold", "labels.tsv"))

    def test_texts_of_right_to_left_scripts_begin_at_the_right(self):
        """Also if a direction mark comes first: it is shown by number, and the Latin "U+200F" must not decide the direction."""
        hebrew = "האוניה הפליגה מן הנמל בשעת בוקר מוקדמת, והרוח נשבה מן הים אל ההרים. הדייגים חזרו עם רשתות מלאות, וילדים רצו לקראתם על החוף. "
        arabic = "غادرت السفينة الميناء في ساعة مبكرة من الصباح، وهبت الرياح من البحر نحو الجبال. عاد الصيادون بشباك مليئة، وركض الأطفال نحوهم على الشاطئ. "
        latin = "The ship left the harbour early in the morning, and the wind blew from the sea. The fishermen came back with full nets, and children ran. "
        leitong = on_report.FOLDER.parent / "leitong"
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            with open(folder / "corpus.jsonl", "w", encoding="utf-8") as corpus:
                for id_, text in (("hebrew", hebrew), ("arabic", arabic), ("latin", latin)):
                    corpus.write(json.dumps({"id": id_ + "-1", "text": text + text[:40][::-1]}) + "\n")
                    corpus.write(json.dumps({"id": id_ + "-2", "text": ("" if id_ == "latin" else "\u200f") + text}) + "\n")
            subprocess.run([leitong, "dedup", "corpus.jsonl", "--report", "report.html"], cwd=folder, check=True, capture_output=True)
            self.url = (folder / "report.html").resolve().as_uri()
            page = on_report.BROWSER.open(self.url)
            page.run("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
            page.run(SOON)
            sides = page.run("""[...document.querySelectorAll('#borderline .side')].map((side) => {
              const text = side.querySelector('.text'), box = text.getBoundingClientRect(), first = text.querySelector('mark button').getBoundingClientRect();
              return [side.querySelector('.id').textContent, getComputedStyle(text).direction, first.left - box.left < box.right - first.right];
            })""")
            self.check_quiet(page)
        self.assertEqual({id_ for id_, _, _ in sides}, {f"{script}-{n}" for script in ("hebrew", "arabic", "latin") for n in (1, 2)})
        for id_, direction, begins_at_the_left in sides:
            self.assertEqual((direction, begins_at_the_left), ("ltr", True) if id_.startswith("latin") else ("rtl", False), id_)

    def test_pairs_cluster_and_eval_say_what_they_know(self):
        leitong = on_report.FOLDER.parent / "leitong"
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            noise = random.Random(4)
            text = lambda length=200: "".join(chr(noise.randrange(0x4E00, 0x9F00)) for _ in range(length))
            with open(folder / "corpus.jsonl", "w") as corpus, open(folder / "gold.tsv", "w") as gold:
                for i in range(10):
                    shared = text()
                    for j in range(2):
                        corpus.write(json.dumps({"id": f"d{i}-{j}", "text": shared + text(50 if i < 8 else 900)}) + "\n")
                        # The truth separates the first two works and joins the last two, which differ in their ends.
                        gold.write(f"d{i}-{j}\tw{i}{j if i < 2 else ''}\n")
            run = lambda *arguments: subprocess.run([leitong, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout

            def page(name):
                self.url = (folder / name).resolve().as_uri()
                opened = on_report.BROWSER.open(self.url)
                self.check_quiet(opened)
                return opened, opened.run("document.querySelector('main').innerText")

            run("pairs", "corpus.jsonl", "-o", "pairs.tsv", "--report", "pairs.html")
            opened, words = page("pairs.html")
            self.assertIn("Among 20 documents, ", words)
            self.assertIn("similar to d", words)
            for forbidden in ("removed", "left for", "clusters"):
                self.assertNotIn(forbidden, words.lower().replace("removes nothing", ""))

            run("cluster", "pairs.tsv", "--threshold", "0.5", "--remove", "similar", "--report", "cluster.html")
            opened, words = page("cluster.html")
            self.assertIn("in the pairs, 8 leave.", words)
            self.assertIn("This page holds no texts", words)
            self.assertRegex(words, r"0\.\d+, 0\.\d+ above the rule")
            opened.run("document.querySelector('#documents .toggle').click()")
            self.assertIn("The texts are not in this page", opened.run("document.querySelector('#documents tr.texts').innerText"))

            plain = run("eval", "corpus.jsonl", "--gold", "gold.tsv", "--methods", "default,minhash", "--json")
            figures = json.loads(run("eval", "corpus.jsonl", "--gold", "gold.tsv", "--methods", "default,minhash", "--json", "--report", "eval.html"))
            self.assertEqual(figures.keys(), json.loads(plain).keys())
            self.assertEqual(figures["default"].keys(), json.loads(plain)["default"].keys(), "the report changes no other output")
            opened, words = page("eval.html")
            self.assertIn("2 results held against the truth.", words)
            self.set(opened, "outcome", "3")
            self.assertEqual({row.split("\n")[0] for row in self.rows(opened)}, {"d0-0", "d1-0"})
            self.set(opened, "outcome", "4")
            self.set(opened, "trial", "0")
            missed = self.rows(opened)
            self.assertEqual({row.split("\n")[0] for row in missed}, {"d8-0", "d9-0"})
            self.assertTrue(all("below the rule" in row for row in missed), "measures of what was missed are computed")
            opened.run("document.querySelector('#documents .toggle').click()")
            self.assertEqual(opened.run("document.querySelectorAll('#documents tr.texts:not([hidden]) mark').length > 1"), True)
            self.assertEqual(opened.run("document.querySelector('#documents .marks').innerText.replace(/\\s+/g, ' ').trim()"), "The same Different")

            run("eval", "--gold", "gold.tsv", "--pairs", "pairs.tsv", "--report", "files.html")
            opened, words = page("files.html")
            for expected in ("1 result held against the truth.", "This page holds no texts", "claimed the same as d0-1; the truth says different",
                             "the same as d8-1 by the truth; not claimed"):
                self.assertIn(expected, words)

    def test_what_is_lost_is_marked_and_said_in_words(self):
        page = self.open("sample.html")
        panel = "[...document.querySelectorAll('#borderline .panel')].find((node) => node.textContent.includes('lighthouse-b'))"
        page.run("document.querySelectorAll('#borderline details').forEach((node) => { node.open = true; })")
        page.run(SOON)
        self.assertEqual(page.run(f"[...({panel}).querySelectorAll('.side:first-child del.lost')].map((node) => node.textContent)"),
                         ["a woman named", "Visitors may climb"])
        self.assertEqual(page.run(f"({panel}).querySelectorAll('.side:last-child del').length"), 0, "only the text that left loses anything")
        self.assertEqual(page.run(f"({panel}).querySelector('.loss').textContent"), "the kept text holds 95.3 % of it, 1.7 % of it reworded; longest stretch lost: 5 units")
        tea = "[...document.querySelectorAll('#borderline .panel')].find((node) => node.textContent.includes('tea-0417'))"
        self.assertEqual(page.run(f"[...({tea}).querySelectorAll('.side del.reworded')].map((node) => node.textContent).join('')"), "头一批茶比往年迟了九天")
        self.assertGreater(page.run(f"({panel}).querySelectorAll('.side:first-child .text .differs').length"), 0, "the difference is still there")
        page.screenshot(on_report.FOLDER / "lost.png")
        figures = page.run("document.querySelector('.figures').innerText")
        self.assertIn("0.5 %", figures)
        self.assertIn("1,204", figures)

    def test_marks_of_what_is_lost_take_no_character_from_the_text(self):
        page = self.open("sample.html")
        page.run("document.querySelectorAll('#borderline details, #relatives details').forEach((node) => { node.open = true; })")
        page.run(SOON)
        texts = page.run("""[...document.querySelectorAll('#borderline .side:first-child, #relatives .side:first-child')].map((side) => {
          const text = side.querySelector('.text').cloneNode(true);
          text.querySelectorAll('button').forEach((node) => node.remove());
          return [side.querySelector('.id').textContent, text.textContent];
        })""")
        rows = json.loads(re.search(r'type="application/json">(.*?)</script>', (on_report.FOLDER / "sample.html").read_text(), re.S)[1])["found"]["rows"]
        whole = {row[9][0]: "".join(part[1] for part in row[9][4]) for row in rows if all(isinstance(part[1], str) for part in row[9][4])}
        self.assertEqual(len(texts), 7)
        for id_, text in texts:
            self.assertEqual(text, whole[id_])

    def test_the_table_sorts_by_loss_the_greatest_first(self):
        page = self.open("sample.html")
        losses = lambda: [float(text.split(" %")[0]) for text in page.run("[...document.querySelectorAll('#documents tbody tr:not(.texts) td:nth-child(5)')].map((cell) => cell.textContent)")]
        press = "[...document.querySelectorAll('#removed th button')].find((button) => button.textContent === 'Loss').click()"
        page.run(press)
        self.assertEqual(page.run("document.querySelector('#documents th:nth-child(5)').getAttribute('aria-sort')"), "descending")
        falling = losses()
        self.assertEqual(falling, sorted(falling, reverse=True))
        self.assertGreater(falling[0], 0)
        page.run(press)
        self.assertEqual(losses(), [0.0] * 25)
        self.assertIn("the kept text holds all of it", self.rows(page)[0])

    def test_similar_documents_that_stay_have_a_section(self):
        page = self.open("sample.html")
        section = "document.querySelector('#relatives')"
        words = page.run(f"{section}.innerText")
        self.assertIn("2 of 1,204 documents are in this page", words)
        self.assertIn("25.5 %", words)
        page.run(f"{section}.querySelectorAll('details').forEach((node) => {{ node.open = true; }})")
        page.run(SOON)
        self.assertIn("stays: 25.5 % of it stands nowhere else", page.run(f"{section}.innerText"))
        self.assertEqual(page.run(f"[...{section}.querySelectorAll('.side del.lost')].map((node) => node.textContent)"),
                         ["The east shore has a bakery", "我把桶放下去"])
        self.assertEqual(page.run(f"{section}.querySelector('.marks').innerText.replace(/\\s+/g, ' ').trim()"), "The same Different")
        self.assertFalse(any("ferry-west" in row for row in self.rows(page)), "the list is about what left")
        page.run("[...document.querySelectorAll('#relatives > button')].pop().click()")
        rows = self.rows(page)
        self.assertEqual(len(rows), 2)
        self.assertIn("similar to ferry-west; both stay", rows[0])
        page.run("document.getElementById('language').click()")
        self.assertIn("保留：其中 25.5 % 别处没有", page.run("document.querySelector('#documents').innerText"))
        page.run("localStorage.clear()")

    def test_a_run_says_of_losses_what_its_tables_say(self):
        """A real run: the page has the sentences of --removed and of --kept-similar, and those of cluster without the texts."""
        leitong = on_report.FOLDER.parent / "leitong"
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            noise = random.Random(5)
            text = lambda length: "".join(chr(noise.randrange(0x4E00, 0x9F00)) for _ in range(length))
            with open(folder / "corpus.jsonl", "w", encoding="utf-8") as corpus:
                for i in range(20):
                    shared = text(400)
                    for j, body in enumerate((shared + text(60), shared[:200] + text(i % 15) + shared[201:], shared + text(100), shared)):
                        corpus.write(json.dumps({"id": f"d{i}-{j}", "text": body}) + "\n")
            run = lambda *arguments: subprocess.run([leitong, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout
            run("dedup", "corpus.jsonl", "--removed", "removed.jsonl", "--kept-similar", "similar.jsonl", "--pairs", "pairs.tsv", "--report", "report.html")
            run("cluster", "pairs.tsv", "--threshold", "0", "--report", "cluster.html")
            reasons = {}
            for table in ("removed.jsonl", "similar.jsonl"):
                for row in map(json.loads, (folder / table).read_text().splitlines()):
                    reasons[row["id"]] = row["reason"]
            self.assertGreater(len(reasons), 50)
            for name in ("report.html", "cluster.html"):
                self.url = (folder / name).resolve().as_uri()
                page = on_report.BROWSER.open(self.url)
                said = {}
                for outcome in ("", "5"):
                    self.set(page, "outcome", outcome)
                    for _ in range(5):
                        said.update(page.run("""Object.fromEntries([...document.querySelectorAll('#documents tbody tr:not(.texts)')].map((row) =>
                            [row.querySelector('.id').textContent, row.querySelector('td:nth-child(5) .under').textContent]))"""))
                        page.run("[...document.querySelectorAll('#removed .pager button')].pop().click()")
                self.check_quiet(page)
                self.assertEqual(said.keys(), reasons.keys(), name)
                for id_, reason in reasons.items():
                    self.assertTrue(reason.endswith(said[id_]) or (reason == "similar: the same text" and said[id_].endswith("holds all of it")), (name, reason, said[id_]))

    def test_fits_a_narrow_screen(self):
        for dark in (False, True):
            page = self.open("sample.html", width=390, height=844, dark=dark)
            page.run("document.querySelector('#clusters summary').click()")
            page.run("document.querySelector('#documents .toggle').click()")
            page.run(SOON)
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 390)
            page.screenshot(on_report.FOLDER / ("narrow-dark.png" if dark else "narrow.png"), whole=True)

    def test_prints_a_few_pages_and_says_what_is_on_them(self):
        page = self.open("sample.html")
        page.pdf(on_report.FOLDER / "report.pdf")
        pages = len(re.findall(rb"/Type\s*/Page\b", (on_report.FOLDER / "report.pdf").read_bytes()))
        self.assertLessEqual(pages, 12)
        self.assertGreaterEqual(pages, 3)
        self.assertEqual(page.run("document.querySelectorAll('#borderline details:not([open])').length"), 0)
        self.assertIn("On paper:", page.run("document.querySelector('.paper-note').textContent"))

    def test_hostile_texts_are_shown_and_do_nothing(self):
        page = self.open("hostile.html")
        page.run("document.querySelectorAll('main details').forEach((node) => { node.open = true; })")
        page.run(SOON)
        page.run("document.querySelectorAll('mark button').forEach((button) => button.click())")
        page.run("document.querySelectorAll('#documents th button').forEach((button) => button.click())")
        page.run("document.querySelectorAll('#sources button').forEach((button) => button.click())")
        page.run("document.querySelectorAll('#documents .marks button').forEach((button) => button.click())")
        page.run("document.getElementById('language').click(); document.getElementById('language').click()")
        page.run("document.querySelectorAll('main details').forEach((node) => { node.open = true; })")
        page.run("document.getElementById('search').focus()")
        page.type("attack-")
        page.run(SOON)
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
        page.screenshot(on_report.FOLDER / "hostile.png", whole=True)
        page.run("localStorage.clear()")

    def test_the_policy_itself_stops_markup_from_text(self):
        """The second protection: even a faulty script could not make markup, run code or load anything."""
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


if __name__ == "__main__":
    sys.exit(on_report.main())
