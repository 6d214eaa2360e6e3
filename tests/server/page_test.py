#!/usr/bin/env python3
"""usage: page_test.py LEITONG

The page of the server in a headless Chromium, used as a reader would. Pictures of it are left in the folder LEITONG_PICTURES."""
import base64
import os
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/browser"), str(ROOT / "tests/cli")]
import chromium  # noqa: E402
import documents_test  # noqa: E402
import running  # noqa: E402
from running import Server  # noqa: E402

FERRY = "渡船清晨六点开第一班，雾大的日子改到七点，乘客请在北岸的石阶旁排队等候，不要站在跳板上。船票在船上买，孩子和牛羊半价。最后一班在日落之后一刻钟离岸，错过的人可以在茶棚过夜。"
FERRY_TW = "渡船清晨六點開第一班，霧大的日子改在七點，乘客請在北岸的石階旁排隊等候，不要站在跳板上。船票在船上買，孩子和牛羊半價。最後一班在日落之後一刻鐘離岸，錯過的人可以睡在茶棚裡。"
BREAD = "面团发两次，一次在盆里，一次在模子里，然后烤四十分钟，晾凉以后再切，切的时候刀要蘸一点水。"
HOSTILE = "<script>window.attacked = 1</script><img src=x onerror=\"window.attacked = 2\"> \u202egnp.exe {text} &lt;b&gt; " + FERRY
PICTURES = BROWSER = None


class ThePage(unittest.TestCase):
    def setUp(self):
        self.server = Server(running.folder(self) / "data")
        self.server.start()
        self.addCleanup(self.server.stop)
        for id_, text in (("ferry/notice-1998", FERRY), ("bread", BREAD)):
            self.server.post("/v1/indexes/default/add", {"id": id_, "text": text})

    def open(self, **how):
        self.page = BROWSER.open(f"http://127.0.0.1:{self.server.port}/", **how)
        self.wait("document.querySelector('#index option') !== null")
        self.addCleanup(self.check_quiet)
        return self.page

    def check_quiet(self):
        self.assertEqual(self.page.problems, [])
        strangers = [url for url in self.page.requests if not url.startswith((f"http://127.0.0.1:{self.server.port}/", "about:"))]
        self.assertEqual(strangers, [], "nothing is fetched from elsewhere")

    def wait(self, condition, seconds=10):
        deadline = time.monotonic() + seconds
        while not self.page.run(condition):
            self.assertLess(time.monotonic(), deadline, f"{condition}; problems: {self.page.problems}; it says: {self.page.run('document.body.innerText')}")
            time.sleep(0.05)

    def paste(self, text, field=0):
        self.page.run(f"(() => {{ const area = document.getElementById('text-{field}'); area.value = ''; area.focus(); }})()")
        self.page.type(text)

    def said(self):
        return self.page.run("document.getElementById('said').innerText")

    def ask(self, text):
        self.paste(text)
        self.page.run("document.getElementById('send').click()")
        self.wait("document.querySelector('#said h2') !== null")

    def test_a_text_that_was_seen_is_shown_beside_its_match(self):
        page = self.open()
        self.ask(FERRY_TW)
        self.assertIn("Seen, nearly: ferry/notice-1998 is similar.", self.said())
        marks = page.run("[...document.querySelectorAll('#said .side')].map((side) => [...side.querySelectorAll('mark')].map((mark) => [mark.dataset.passage, mark.querySelector('button').textContent, mark.className]))")
        self.assertEqual(marks[0], marks[1], "the same passages with the same numbers and colours")
        self.assertGreater(len(marks[0]), 1)
        sides = page.run("[...document.querySelectorAll('#said .side .text')].map((text) => { const copy = text.cloneNode(true); copy.querySelectorAll('mark button').forEach((button) => button.remove()); return copy.textContent; })")
        self.assertEqual(sides, [FERRY_TW, FERRY], "nothing of either text is lost")
        self.assertEqual(page.run("document.querySelectorAll('#said .differs').length > 0"), True)
        self.assertRegex(self.said(), r"Jaccard 0\.\d{3}")
        page.run("document.querySelector('#said details summary').click()")
        self.wait("document.querySelector('#said details table') !== null")
        self.assertIn("similar", self.said())
        page.screenshot(PICTURES / "near.png")

    def test_new_exact_and_empty(self):
        self.open()
        self.ask("完全不同的一篇文章，讲的是山里的桥和河边的树，没有人写过它。")
        self.assertIn("New: no text of the index is similar.", self.said())
        self.ask(BREAD)
        self.assertIn("Seen: bread is the same after folding.", self.said())
        self.paste(" ")
        self.page.run("document.getElementById('send').click()")
        self.assertIn("Paste a text first.", self.said())

    def drop(self, name, content):
        """Drops a file on the text, as a hand would."""
        code = base64.b64encode(content).decode()
        self.page.run(f"""(() => {{
          document.getElementById('said').replaceChildren();
          const bytes = Uint8Array.from(atob('{code}'), (each) => each.charCodeAt(0)), dropped = new DataTransfer();
          dropped.items.add(new File([bytes], '{name}'));
          document.getElementById('text-0').parentNode.dispatchEvent(new DragEvent('drop', {{dataTransfer: dropped, bubbles: true, cancelable: true}}));
        }})()""")
        self.wait("document.querySelector('#said h2') !== null")

    def pdf_of(self, text):
        """Printed by the browser."""
        maker = BROWSER.open("data:text/html;charset=utf-8;base64," + base64.b64encode(f"<p>{text}</p>".encode()).decode())
        path = running.folder(self) / "made.pdf"
        maker.pdf(path)
        return path.read_bytes()

    def copies(self):
        return {"gb18030.txt": (FERRY.encode("gb18030"), "read as a plain text, GB18030"), "big5.txt": (FERRY_TW.encode("big5"), "read as a plain text, BIG5"),
                "utf16.txt": (FERRY.encode("utf-16"), "read as a plain text, UTF-16LE"), "page.html": (f"<!DOCTYPE html><style>p {{}}</style><p>{FERRY}</p>".encode(), "read as an HTML page, UTF-8"),
                "gbk.html": (f"<meta charset=gbk><p>{FERRY}</p>".encode("gbk"), "read as an HTML page"), "word.docx": (documents_test.docx(FERRY), "read as a Word document"),
                "open.odt": (documents_test.odt(FERRY), "read as an OpenDocument text"), "printed.pdf": (self.pdf_of(FERRY), "read as a PDF document")}

    def test_copies_of_a_text_in_other_encodings_and_formats_are_seen(self):
        copies = self.copies()  # printed first: a page behind another one makes no picture
        page = self.open()
        for name, (content, note) in copies.items():
            self.drop(name, content)
            self.assertIn("Seen", self.said(), name)
            self.assertIn(f"{name}: {note}", self.said())
        page.screenshot(PICTURES / "dropped-pdf.png")

    def test_in_chinese_they_are_seen_too(self):
        copies = self.copies()
        page = self.open(language="zh-CN")
        for name, (content, _) in copies.items():
            self.drop(name, content)
            self.assertRegex(self.said(), "见过：|近似：", name)
            self.assertIn(f"{name}：按", self.said())
        page.screenshot(PICTURES / "dropped-zh.png")

    def test_what_holds_no_text_is_refused_by_name_and_never_new(self):
        self.open()
        lost = FERRY.encode("gb18030").decode("utf-8", "replace").encode()
        for name, content, why in (("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(100), "a picture"), ("pack.zip", b"PK\x03\x04" + bytes(40), "ZIP archive"),
                                   ("noise.bin", bytes(range(256)) * 4, "NUL"), ("lost.txt", lost, "U+FFFD"), ("old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Office document")):
            self.drop(name, content)
            self.assertIn(f"{name} holds no text that can be read.", self.said())
            self.assertIn(why, self.said())
            self.assertNotIn("New", self.said())
        self.page.problems[:] = [problem for problem in self.page.problems if "422" not in problem]
        self.ask(lost.decode())
        self.assertIn("Refused: not a text:", self.said())

    def test_a_short_text_and_what_a_verdict_did_not_look_for(self):
        page = self.open()
        self.ask("雷同")
        self.assertIn("No equal text is in the index.", self.said())
        self.assertIn("Too short to compare: equal texts alone are found below 6", self.said())
        self.assertNotIn("New:", self.said())
        self.ask("完全不同的一篇文章，讲的是山里的桥和河边的树，没有人写过它。")
        self.assertIn("A passage that was copied into a longer text is not found here", self.said())
        page.run("document.getElementById('language').click()")
        self.assertIn("查找的是整篇相似的文章", self.said())
        self.ask("雷同")
        self.assertIn("太短，无法比较", self.said())
        page.screenshot(PICTURES / "too-short-zh.png")

    def test_a_text_is_added_looked_at_and_removed(self):
        page = self.open()
        self.paste(FERRY_TW)
        self.assertTrue(page.run("[...document.querySelectorAll('.actions button')][1].disabled"), "without an id nothing is added")
        page.run("document.getElementById('new-id').focus()")
        page.type("ferry-tw")
        page.run("[...document.querySelectorAll('.actions button')][1].click()")
        self.wait("document.querySelector('#said h2') !== null")
        self.assertIn("It is in the index now, as ferry-tw.", self.said())
        page.run("document.getElementById('look-id').focus()")
        page.type("ferry-tw")
        page.press("Enter")
        self.wait("document.querySelector('#looked .text') !== null")
        self.assertIn("near to an earlier one on arrival", page.run("document.getElementById('looked').innerText"))
        page.run("document.querySelector('#looked header a').click()")
        self.wait("document.querySelector('#looked .id').textContent === 'ferry/notice-1998'")
        self.assertIn("stands for its family", page.run("document.getElementById('looked').innerText"))
        page.run("document.getElementById('remove').click()")
        self.assertEqual(page.run("document.getElementById('remove').textContent"), "Remove it for good?")
        page.run("document.getElementById('remove').click()")
        self.wait("document.getElementById('looked').innerText.includes('no longer in the index')")
        self.assertFalse(self.server.post("/v1/indexes/default/get", {"id": "ferry/notice-1998"}).json["found"])

    def fill(self, works=4):
        """Families of 1, 2, .. texts: work-I of first.example, and its copies of second.example, on days of their own."""
        texts = running.Texts(5)
        for i in range(works):
            original = texts.text(300)
            self.server.post("/v1/indexes/default/check-and-add", [{"id": f"work-{i}", "text": original, "source": "first.example", "time": 1795305600}] +
                             [{"id": f"work-{i}-{k}", "text": texts.edited(original, 4), "source": "second.example", "time": 1795305600 + 86400 * k} for k in range(i)])

    def lines(self):
        return self.page.run("[...document.querySelectorAll('#browsed tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText.trim()))")

    def go(self, *parts, ready="#browsed table"):
        """Opens the address of a view, as from a letter."""
        self.page.run(f"location.hash = '#/' + {list(parts)!r}.join('/')")
        self.wait(f"document.querySelector({ready!r}) !== null && document.querySelector('#browsed [role=status]') === null")

    def press(self, selector, ready):
        self.page.run(f"document.querySelector({selector!r}).click()")
        self.wait(ready)

    def test_families_list_their_members_with_evidence(self):
        self.fill()
        page = self.open()
        self.press("#lists a", "document.querySelectorAll('#browsed tbody tr').length === 3")
        self.assertEqual([row[:2] for row in self.lines()], [["4", "work-3"], ["3", "work-2"], ["2", "work-1"]])
        self.wait("[...document.querySelectorAll('#browsed .opening')].every((cell) => cell.innerText.length > 50)")
        page.screenshot(PICTURES / "families.png", whole=True)
        self.press("#browsed tbody a", "document.querySelectorAll('#browsed tbody tr').length === 4")
        self.assertEqual([row[:4] for row in self.lines()][1:3], [[f"work-3-{k}", "near to an earlier one on arrival", "second.example", f"2026-11-{22 + k}"] for k in range(2)])
        self.wait("[...document.querySelectorAll('#browsed [data-pair]')].every((cell) => /^0\\.[0-9]{3}$/.test(cell.innerText))")
        page.screenshot(PICTURES / "family.png", whole=True)
        self.press("#browsed tbody tr:nth-child(2) td:last-child a", "document.querySelectorAll('#browsed .side').length === 2")
        self.assertIn("work-3-0 and work-3", page.run("document.getElementById('browsed').innerText"))
        self.assertGreater(page.run("document.querySelectorAll('#browsed .differs').length"), 0)
        self.assertEqual(page.run("location.hash"), "#/default/pair/work-3-0/work-3")
        page.screenshot(PICTURES / "family-pair.png", whole=True)
        page.run("history.back()")
        self.wait("document.querySelectorAll('#browsed tbody tr').length === 4")
        page.run("history.back()")
        self.wait("document.querySelectorAll('#browsed tbody tr').length === 3")
        page.run("history.forward()")
        self.wait("document.querySelectorAll('#browsed tbody tr').length === 4")

    def test_who_copies_whom_leads_to_the_pairs(self):
        self.fill()
        page = self.open(language="zh-CN")
        self.go("default", "copies")
        self.assertEqual(self.lines(), [["second.example", "first.example", "6", "查看这 6 对"]])
        self.press("#browsed td:last-child a", "document.querySelectorAll('#browsed tbody tr').length === 6")
        self.assertEqual(self.lines()[0][:2], ["work-1-0", "work-1"])
        self.press("#browsed td:last-child a", "document.querySelectorAll('#browsed .side').length === 2")
        page.screenshot(PICTURES / "pair-zh.png", whole=True)

    def test_sources_dates_and_the_newest_are_lists(self):
        self.fill()
        page = self.open()
        self.go("default", "sources")
        self.assertEqual(self.lines(), [["second.example", "6", "0", "6", "0"], ["first.example", "4", "4", "0", "0"], ["(no source)", "2", "2", "0", "0"]])
        self.go("default", "days")
        self.assertEqual(self.lines()[0], ["2026-11-24", "1", "0", "1", "0"])
        self.press("#browsed tbody a", "document.querySelector('#browsed h3')?.innerText === 'Texts of 2026-11-24'")
        self.assertEqual([row[0] for row in self.lines()], ["work-3-2"])
        self.go("default", "newest")
        self.assertEqual([row[0] for row in self.lines()][:2], ["work-3-2", "work-3-1"])
        self.press("#browsed tbody a", "document.querySelector('#looked .id')?.textContent === 'work-3-2'")
        self.assertEqual(page.run("location.hash"), "#/default/text/work-3-2")
        self.server.post("/v1/indexes/default/remove", {"id": "work-3-2"})
        self.go("default", "newest")
        self.assertEqual(self.lines()[0][0], "work-3-1", "what left since is gone")

    def test_long_lists_have_pages(self):
        self.server.post("/v1/indexes/default/add", [{"id": f"t{i:02}", "text": running.Texts(i).text(40)} for i in range(45)])
        page = self.open()
        self.go("default", "newest")
        self.assertEqual([len(self.lines()), self.lines()[0][0]], [20, "t44"])
        self.press("#browsed .pager a", "document.querySelector('#browsed .pager')?.innerText.includes('page 2 of 3')")
        self.assertEqual(self.lines()[0][0], "t24")
        self.assertEqual(page.run("location.hash"), "#/default/newest?page=2")
        page.run("history.back()")
        self.wait("document.querySelector('#browsed .pager')?.innerText.includes('page 1 of 3')")

    def test_every_result_has_an_address(self):
        page = self.open()
        self.ask(FERRY_TW)
        self.wait("location.hash.startsWith('#/default/check/')")
        first = page.run("location.href")
        self.ask(BREAD)
        self.wait(f"location.href !== {first!r}")
        page.run("history.back()")
        self.wait("document.querySelector('#said h2')?.innerText.includes('Seen, nearly')")
        self.assertEqual(page.run("document.getElementById('text-0').value"), FERRY_TW)
        page.run("history.forward()")
        self.wait("document.querySelector('#said h2')?.innerText.includes('the same after folding')")
        self.page = page = BROWSER.open(first, language="zh-CN")
        self.wait("document.querySelector('#said h2')?.innerText.includes('近似：与 ferry/notice-1998 相似')")
        for broken in ("default/check/%%%", "default/check/AAAA", "~compare/x", "default/nothing"):
            page.run(f"document.getElementById('said').replaceChildren(); location.hash = '#/{broken}'")
            time.sleep(.2)
            self.assertEqual(page.problems, [], broken)
        self.wait("document.getElementById('browsed').innerText.includes('这个网址不完整')")

    def drop_many(self, texts):
        """Drops the texts as files on the page; ends when the table is there."""
        self.page.run(f"""(() => {{
          const dropped = new DataTransfer();
          for (const [name, text] of Object.entries({texts!r})) dropped.items.add(new File([text], name));
          document.getElementById('text-0').parentNode.dispatchEvent(new DragEvent('drop', {{dataTransfer: dropped, bubbles: true, cancelable: true}}));
        }})()""")
        self.wait("document.querySelectorAll('#filed table').length > 0 && document.querySelector('#filed [role=status]') === null", 60)

    def essays(self):
        """Thirty: 03 and 17 have a passage in common, 08 is the ferry's notice in other characters, 21 is a copy of 20."""
        texts = {f"essay-{i:02}.txt": running.Texts(100 + i).text(400) for i in range(30)}
        passage = running.Texts(9).text(120)
        for i in (3, 17):
            texts[f"essay-{i:02}.txt"] = texts[f"essay-{i:02}.txt"][:200] + passage + texts[f"essay-{i:02}.txt"][200:]
        texts["essay-08.txt"] = FERRY_TW
        texts["essay-21.txt"] = running.Texts(1).edited(texts["essay-20.txt"], 6)
        return texts

    def filed(self, table):
        return self.page.run(f"[...document.querySelectorAll('#filed table')][{table}].tBodies[0].rows.length === 0 ? [] : [...[...document.querySelectorAll('#filed table')][{table}].tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.innerText.trim()))")

    def test_many_files_are_compared_with_each_other_and_the_index(self):
        page = self.open()
        self.drop_many(self.essays())
        pairs, files = self.filed(0), self.filed(1)
        self.assertEqual(sorted((row[0], row[1]) for row in pairs), [("essay-03.txt", "essay-17.txt"), ("essay-08.txt", "ferry/notice-1998 of the index"), ("essay-20.txt", "essay-21.txt")])
        self.assertEqual({row[0]: row[5] for row in pairs}, {"essay-03.txt": "not similar", "essay-08.txt": "similar", "essay-20.txt": "similar"})
        self.assertEqual([len(files), files[8][3], files[3][3:5]], [30, "similar to a text", ["nothing similar", "1"]])
        page.screenshot(PICTURES / "files.png", whole=True)
        number = 1 + [row[0] for row in pairs].index("essay-03.txt")
        self.press(f"#filed tbody tr:nth-child({number}) a", "document.querySelectorAll('#filed .side').length === 2")
        self.assertEqual(page.run("[...document.querySelectorAll('#filed .side mark')].length"), 2, "the one passage, on both sides")
        page.run("history.back()")
        self.wait("document.querySelectorAll('#filed table').length === 2")

    def test_they_are_added_with_a_source_and_an_author(self):
        page = self.open(language="zh-CN")
        self.drop_many({"甲.txt": FERRY_TW, "乙.txt": running.Texts(2).text(200), "pack.zip": "PK\x03\x04" + "\0" * 40})
        self.assertIn("ZIP archive", self.filed(1)[2][3])
        page.problems[:] = [problem for problem in page.problems if "422" not in problem]
        for name, value in (("source", "三班"), ("author", "王小明")):
            page.run(f"(() => {{ const field = document.getElementById('files-{name}'); field.value = '{value}'; field.dispatchEvent(new Event('change')); }})()")
        self.press("#files-add", "document.querySelector('#filed [role=status]') === null && document.getElementById('filed').innerText.includes('已收入')")
        page.screenshot(PICTURES / "files-zh.png", whole=True)
        self.assertEqual([row[5] for row in self.filed(1)], ["已收入", "已收入", ""])
        self.assertEqual(self.server.post("/v1/indexes/default/get", {"id": "王小明/乙.txt"}).json["source"], "三班")
        self.press("#files-add", "document.getElementById('filed').innerText.includes('早已收入')")

    def test_two_texts_are_compared_without_an_index(self):
        page = self.open()
        page.run("document.activeElement.blur()")
        page.press("2", text="2")
        self.wait("document.getElementById('text-1') !== null")
        self.paste(FERRY, 0)
        self.paste(FERRY_TW, 1)
        page.run("document.getElementById('send').click()")
        self.wait("document.querySelector('#said h2') !== null")
        self.assertIn("The two are similar.", self.said())
        self.assertIn("edit similarity", self.said())
        page.screenshot(PICTURES / "two.png")
        self.paste(BREAD, 1)
        page.run("document.getElementById('send').click()")
        self.wait("document.querySelector('#said h2')?.innerText.includes('not similar')")

    def test_keys(self):
        page = self.open()
        page.run("document.activeElement.blur()")
        page.press("/", text="/")
        self.assertEqual(page.run("document.activeElement.id"), "text-0")
        page.type(FERRY_TW)
        page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13, modifiers=2)
        self.wait("document.querySelector('#said .side') !== null")
        page.press("j", text="j")
        self.assertEqual(page.run("document.activeElement.textContent"), "1")
        page.press("j", text="j")
        self.assertEqual(page.run("document.activeElement.textContent"), "2")
        page.press("?", text="?")
        self.assertTrue(page.run("document.getElementById('help').open"))

    def test_chinese_dark_and_a_phone(self):
        page = self.open(language="zh-CN", dark=True, width=390, height=844)
        self.ask(FERRY_TW)
        self.assertIn("近似：与 ferry/notice-1998 相似。", self.said())
        self.assertEqual(page.run("document.documentElement.lang"), "zh-CN")
        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 390)
        page.screenshot(PICTURES / "phone-dark.png", whole=True)
        page.run("document.getElementById('language').click()")
        self.assertIn("Seen, nearly", self.said(), "what was answered stays")
        self.assertEqual(page.run("document.getElementById('text-0').value"), FERRY_TW)

    def test_every_word_is_in_both_languages(self):
        words = (ROOT / "apps/server/assets/words.js").read_text(encoding="utf-8")
        used = "".join((ROOT / f"{name}.js").read_text(encoding="utf-8") for name in (
            "apps/server/assets/address", "apps/server/assets/ask", "apps/server/assets/ledger", "apps/server/assets/browse", "apps/server/assets/files", "apps/server/assets/plots", "apps/server/assets/page", "src/report/assets/frame"))
        import re
        ours = re.findall(r'^  "?([\w ]+)"?: \[', words, re.MULTILINE)
        self.assertGreater(len(ours), 60)
        self.assertEqual(len(ours), len(set(ours)))
        for key in ours:
            prefix = re.match(r"(help|fate|plot|said|arrived|kind|list|verdict)_", key)
            self.assertTrue(f'"{key}"' in used or prefix, f"{key} is not used")
        for line in re.findall(r'^  "?[\w ]+"?: \[(.*)$', words, re.MULTILINE):
            self.assertTrue(line.endswith(",") or line.count('", "') == 1, line)

    def test_figures_move(self):
        page = self.open()
        for i in range(30):
            self.server.post("/v1/indexes/default/check", {"text": FERRY})
        self.wait("document.querySelectorAll('#plots path').length >= 6")
        self.assertEqual(page.run("document.querySelectorAll('#plots figure').length"), 4)
        self.assertEqual(page.run("document.querySelectorAll('#plots figure')[2].querySelector('b').textContent"), "2")
        for _ in range(3):
            for _ in range(25):
                self.server.post("/v1/indexes/default/check", {"text": FERRY})
            time.sleep(1.1)
        page.run("document.getElementById('now').scrollIntoView()")
        page.screenshot(PICTURES / "now.png")

    def test_hostile_texts_are_shown_and_do_nothing(self):
        self.server.post("/v1/indexes/default/add", {"id": "<img src=x onerror=alert(1)>", "text": HOSTILE})
        page = self.open()
        self.ask(HOSTILE)
        self.assertIn("script>window.attacked = 1</script><img src=x onerror=", self.said())
        self.assertIn("<img src=x onerror=alert(1)>", self.said())
        self.assertIn("U+202E", self.said())
        self.assertIsNone(page.run("window.attacked"))
        self.assertEqual(page.run("document.querySelectorAll('main img, main script').length"), 0)

    def test_the_policy_stops_markup_and_strangers(self):
        page = self.open()
        stopped = page.run("""(async () => {
          const stops = (attempt) => { try { attempt(); return false; } catch { return true; } };
          const here = [stops(() => { document.body.innerHTML = '<b>x</b>'; }), stops(() => { const node = document.createElement('script'); node.textContent = 'window.attacked = 1'; document.body.append(node); }) || window.attacked === undefined];
          return [...here, await fetch('http://127.0.0.1:1/').then(() => false, () => true)];
        })()""")
        self.assertEqual(stopped, [True, True, True])
        self.assertTrue(any("policy" in problem or "Content Security Policy" in problem for problem in page.problems))
        page.problems.clear()
        page.requests.clear()

    def test_a_server_with_tokens_asks_for_one(self):
        self.server.stop()
        tokens = self.server.data.parent / "tokens"
        tokens.write_text(f"read {'r' * 20} reader\n")
        tokens.chmod(0o600)
        self.server = Server(self.server.data, config=f'[server]\ntokens = "{tokens}"\n')
        self.server.start()
        self.addCleanup(self.server.stop)
        self.page = page = BROWSER.open(f"http://127.0.0.1:{self.server.port}/")
        self.wait("document.getElementById('token-dialog').open")
        page.screenshot(PICTURES / "token.png")
        page.run("document.getElementById('token-value').focus()")
        page.type("r" * 20)
        page.run("document.getElementById('token-save').click()")
        self.wait("document.querySelector('#index option') !== null")
        self.ask(FERRY_TW)
        self.assertIn("Seen, nearly", self.said())
        page.run("document.getElementById('new-id').value = 'x'; document.getElementById('new-id').dispatchEvent(new Event('input')); [...document.querySelectorAll('.actions button')][1].click()")
        self.wait("document.querySelector('#said .failed') !== null")
        self.assertIn("role write", self.said())
        # The browser reports every answer that is a refusal.
        self.assertEqual([problem for problem in page.problems if "401" not in problem and "403" not in problem], [])


def main():
    global PICTURES, BROWSER
    PICTURES = Path(os.environ.get("LEITONG_PICTURES") or tempfile.mkdtemp(prefix="leitong-page-"))
    path = chromium.find()
    if path is None:
        print("Chromium is missing, so the page has NOT been tested in a browser; scripts/install-packages --browser installs it", file=sys.stderr)
        sys.exit(1 if os.environ.get("CI") else 77)
    PICTURES.mkdir(parents=True, exist_ok=True)
    with chromium.Browser(path, reach="127.0.0.1") as BROWSER:
        running.main()


if __name__ == "__main__":
    main()
