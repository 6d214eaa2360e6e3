#!/usr/bin/env python3
"""usage: page_test.py LEITONG

The page of the server in a headless Chromium, used as a reader would. Pictures of it are left in the folder LEITONG_PICTURES."""
import base64
import time

import on_page
import running
from on_page import BREAD, FERRY, FERRY_TW, ROOT, PageTest
from running import Server
import documents_test  # of tests/cli

HOSTILE = "<script>window.attacked = 1</script><img src=x onerror=\"window.attacked = 2\"> \u202egnp.exe {text} &lt;b&gt; " + FERRY


class ThePage(PageTest):
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
        self.picture("near.png")

    def test_new_exact_and_empty(self):
        self.open()
        self.ask("完全不同的一篇文章，讲的是山里的桥和河边的树，没有人写过它。")
        self.assertIn("New: no text of the index is similar.", self.said())
        self.ask(BREAD)
        self.assertIn("Seen: bread is the same after folding.", self.said())
        self.paste(" ")
        self.page.run("document.getElementById('send').click()")
        self.assertIn("Paste a text first.", self.said())

    def test_an_index_by_the_scheme_reuse_shows_where_parts_come_from(self):
        self.server.ask("PUT", "/v1/indexes/essays", {"scheme": "reuse"})
        article = "".join(chr(0x3400 + 7 * i % 6007) for i in range(400))
        essay = "".join(chr(0x3400 + 11 * i % 6101) for i in range(200)) + article[100:250]
        self.server.post("/v1/indexes/essays/add", {"id": "article", "text": article})
        for language, heading, shares, looked in (
                ("en", "No text is similar as a whole, but parts of this one stand elsewhere.", "1 passage: 43 % of your text, 38 % of this one", "passages of 60 Chinese characters"),
                ("zh-CN", "没有整篇相似的文章，但这篇的部分内容见于别处。", "1 处，占您的文章 43 %，占这篇 38 %", "60 个汉字")):
            page = self.open(language=language)
            page.run("(() => { const choice = document.getElementById('index'); choice.value = 'essays'; choice.dispatchEvent(new Event('change')); })()")
            self.ask(essay)
            self.assertIn(heading, self.said())
            self.assertIn(shares, self.said())
            self.wait("document.querySelector('#said .part .side mark') !== null")  # the longest part is open
            sides = page.run("[...document.querySelectorAll('#said .side mark')].map((mark) => { const copy = mark.cloneNode(true); copy.querySelector('button').remove(); return copy.textContent; })")
            self.assertEqual(sides, [article[100:250]] * 2)
            self.picture(f"parts-{language}.png")
            self.ask("完全不同的一篇文章，讲的是山里的桥和河边的树，没有人写过它。")
            self.assertIn(looked, self.said())

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
        maker = on_page.BROWSER.open("data:text/html;charset=utf-8;base64," + base64.b64encode(f"<p>{text}</p>".encode()).decode())
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
        self.picture("dropped-pdf.png")

    def test_in_chinese_they_are_seen_too(self):
        copies = self.copies()
        page = self.open(language="zh-CN")
        for name, (content, _) in copies.items():
            self.drop(name, content)
            self.assertRegex(self.said(), "见过：|近似：", name)
            self.assertIn(f"{name}：按", self.said())
        self.picture("dropped-zh.png")

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
        self.picture("too-short-zh.png")

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
        self.picture("two.png")
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
        self.picture("phone-dark.png", whole=True)
        page.run("document.getElementById('language').click()")
        self.assertIn("Seen, nearly", self.said(), "what was answered stays")
        self.assertEqual(page.run("document.getElementById('text-0').value"), FERRY_TW)

    def test_every_word_is_in_both_languages(self):
        words = (ROOT / "apps/server/assets/words.js").read_text(encoding="utf-8")
        scripts = {*(ROOT / "apps/server/assets").glob("*.js"), ROOT / "src/report/assets/frame.js"} - {ROOT / "apps/server/assets/words.js"}
        used = "".join(script.read_text(encoding="utf-8") for script in sorted(scripts))
        import re
        ours = re.findall(r'^  "?([\w ]+)"?: \[', words, re.MULTILINE)
        self.assertGreater(len(ours), 60)
        self.assertEqual(len(ours), len(set(ours)))
        for key in ours:
            prefix = re.match(r"(help|leave|fate|plot|said|arrived|kind|list|verdict|span)_", key)
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
        self.picture("now.png")

    def test_figures_over_hours_and_days(self):
        page = self.open()
        self.wait("localStorage.getItem('leitong-history-days') !== null")
        page.run("""(() => { const minute = Math.floor(Date.now() / 60000), quarter = Math.floor(Date.now() / 900000);
            const rows = (last, slots, gap) => JSON.stringify(Array.from({length: slots}, (_, i) => [last - slots + i, 60 + 30 * Math.sin(i / 9), 60, 0.4 + (i % 7) / 10, 1000 + i, 3e7]).filter((row, i) => i < gap[0] || i > gap[1]));
            localStorage.setItem('leitong-history-hours', rows(minute, 170, [40, 90]));
            localStorage.setItem('leitong-history-days', rows(quarter, 600, [100, 300])); })()""")
        for span, about in (("hours", "By the minute"), ("days", "By the quarter")):
            page.run(f"document.getElementById('span-{span}').click()")
            self.assertIn(about, page.run("document.getElementById('span-about').innerText"))
            lines = page.run("[...document.querySelectorAll('#plots path:not(.area)')].map((path) => path.getAttribute('d').split('M').length - 1)")
            self.assertEqual(len(lines), 4)
            self.assertTrue(all(runs in (2, 3) for runs in lines), f"the gap is a gap: {lines}")
        page.run("document.getElementById('now').scrollIntoView()")
        self.picture("days.png")
        self.wait("JSON.parse(localStorage.getItem('leitong-history-hours')).at(-1)[0] === Math.floor(Date.now() / 60000)")
        page.run("document.getElementById('language').click()")
        self.assertIn("按刻钟", page.run("document.getElementById('span-about').innerText"))
        page.run("localStorage.clear(); localStorage.setItem('leitong-history-days', '{broken'); document.getElementById('span-days').click()")

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
        self.page = page = on_page.BROWSER.open(f"http://127.0.0.1:{self.server.port}/")
        self.wait("document.getElementById('token-dialog').open")
        self.picture("token.png")
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


if __name__ == "__main__":
    on_page.main()
