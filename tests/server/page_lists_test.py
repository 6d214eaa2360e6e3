#!/usr/bin/env python3
"""usage: page_lists_test.py LEITONG

The lists of the page, its addresses, and many files at once."""
import time
from pathlib import Path

import on_page
import axe  # of tests/browser
import running
from on_page import BREAD, FERRY_TW, PageTest


class Lists(PageTest):
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
        self.picture("families.png", whole=True)
        self.press("#browsed tbody a", "document.querySelectorAll('#browsed tbody tr').length === 4")
        self.assertEqual([row[:4] for row in self.lines()][1:3], [[f"work-3-{k}", "near to an earlier one on arrival", "second.example", f"2026-11-{22 + k}"] for k in range(2)])
        self.wait("[...document.querySelectorAll('#browsed [data-pair]')].every((cell) => /^0\\.[0-9]{3}$/.test(cell.innerText))")
        self.picture("family.png", whole=True)
        self.press("#browsed tbody tr:nth-child(2) td:last-child a", "document.querySelectorAll('#browsed .side').length === 2")
        self.assertIn("work-3-0 and work-3", page.run("document.getElementById('browsed').innerText"))
        self.assertGreater(page.run("document.querySelectorAll('#browsed .differs').length"), 0)
        self.assertEqual(page.run("location.hash"), "#/default/pair/work-3-0/work-3")
        self.picture("family-pair.png", whole=True)
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
        self.picture("pair-zh.png", whole=True)

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

    def test_words_are_searched_for_in_texts_and_ids(self):
        texts = running.Texts(7)
        self.server.post("/v1/indexes/default/add", [{"id": f"n{i:02}", "text": texts.text(80) + ("北岸的灯塔" if i % 2 else "") + " Lighthouse keepers", "source": "s.example"} for i in range(60)])
        page = self.open()
        page.run("document.getElementById('search-words').value = ' 燈塔  LIGHT '")
        self.press("#search", "document.querySelectorAll('#browsed tbody tr').length === 20")
        self.assertEqual(page.run("decodeURIComponent(location.hash)"), "#/default/search/燈塔 LIGHT")
        self.assertEqual([row[0] for row in self.lines()][:3], ["n01", "n03", "n05"], "in the order of arrival")
        self.assertIn("Light", page.run("document.querySelector('#browsed .hit').textContent"))
        self.picture("search.png", whole=True)
        self.press("#browsed .pager a", "document.querySelectorAll('#browsed tbody tr').length === 10")
        self.assertEqual(page.run("document.querySelector('#browsed .pager span:not(.soft)').innerText"), "page 2 of 2")
        self.assertIn("all 62 texts", page.run("document.getElementById('browsed').innerText"))
        self.go("default", "search", "n07")
        self.assertEqual([row[0] for row in self.lines()], ["n07"], "an id")
        self.press("#browsed tbody a", "document.querySelector('#looked .id')?.textContent === 'n07'")
        page.run("location.hash = '#/default/search/nobodyhasit'")
        self.wait("document.getElementById('browsed').innerText.includes('No text holds all of these words')")
        answer = self.server.post("/v1/indexes/default/search", {"words": "灯塔", "limit": 7}).json
        self.assertEqual([len(answer["texts"]), answer["more"]], [7, True])
        seen = [each["id"] for each in answer["texts"]]
        while answer["more"]:
            answer = self.server.post("/v1/indexes/default/search", {"words": "灯塔", "limit": 7, "since": answer["cursor"]}).json
            seen += [each["id"] for each in answer["texts"]]
        self.assertEqual(seen, [f"n{i:02}" for i in range(1, 60, 2)], "each once, whatever the pages")
        for asked, status in (({"words": " "}, 422), ({"words": " ".join("abcdefghijk")}, 422), ({"limit": 2}, 422), ({"words": "x", "since": "x"}, 400), ({"words": "x", "limit": 101}, 422)):
            self.assertEqual(self.server.post("/v1/indexes/default/search", asked).status, status, asked)

    def test_the_interface_has_a_page_that_sends(self):
        for language, send in (("en", "Send"), ("zh-CN", "发送")):
            self.page = page = on_page.BROWSER.open(f"http://127.0.0.1:{self.server.port}/api#check", language=language)
            self.wait("document.querySelector('#check textarea') !== null")
            operations = sum(len(methods) for methods in self.server.get("/openapi.json").json["paths"].values())
            self.assertEqual(page.run("document.querySelectorAll('.operation').length"), operations)
            self.assertEqual(page.run("document.querySelector('#check button.main').innerText"), send)
            page.run("document.querySelector('#check button.main').click()")
            self.wait("document.querySelector('#check pre') !== null")
            self.assertIn('"verdict": "near"', page.run("document.querySelector('#check pre').innerText"))
            self.assertIn("200 OK", page.run("document.querySelector('#check .form').innerText"))
            self.picture(f"api-{language}.png", whole=True)
            self.assertEqual(axe.violations(page, Path(running.LEITONG).parent), [])
            self.check_quiet()
        page.run("document.getElementById('search').open = true")
        self.wait("document.querySelector('#search textarea') !== null")
        page.run("document.querySelector('#search textarea').value = '{\"words\": '")
        page.run("document.querySelector('#search button.main').click()")
        self.wait("document.querySelector('#search pre') !== null")
        self.assertIn("line 1, column 1: this is not JSON", page.run("document.querySelector('#search pre').innerText"))

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
        self.page = page = on_page.BROWSER.open(first, language="zh-CN")
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
        self.picture("files.png", whole=True)
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
        self.picture("files-zh.png", whole=True)
        self.assertEqual([row[5] for row in self.filed(1)], ["已收入", "已收入", ""])
        self.assertEqual(self.server.post("/v1/indexes/default/get", {"id": "王小明/乙.txt"}).json["source"], "三班")
        self.press("#files-add", "document.getElementById('filed').innerText.includes('早已收入')")

    def test_axe_finds_no_barrier(self):
        """In every view, in both languages, themes and widths."""
        self.fill()
        for how in ({}, {"language": "zh-CN", "dark": True}, {"width": 390, "height": 844}):
            page = self.open(**how)
            for what, show in {"start": lambda: None, "answer": lambda: self.ask(FERRY_TW), "families": lambda: self.go("default", "families"), "family": lambda: self.go("default", "family", "work-3"),
                               "pair": lambda: self.go("default", "pair", "work-3-0", "work-3", ready="#browsed .side"), "text": lambda: self.text("work-3"),
                               "files": lambda: self.drop_many(dict(list(self.essays().items())[:5] + [("a.txt", FERRY_TW)])),
                               "keys": lambda: page.run("document.getElementById('keys').click()")}.items():
                show()
                self.assertEqual(axe.violations(page, Path(running.LEITONG).parent), [], f"{what}, {how}")
            self.check_quiet()

    def text(self, id_):
        self.page.run(f"location.hash = '#/default/text/{id_}'")
        self.wait(f"document.querySelector('#looked .id')?.textContent === '{id_}'")

    def test_a_phone(self):
        self.fill()
        page = self.open(width=390, height=844, dark=True, language="zh-CN")
        for _ in range(2):
            self.assertLess(page.run("document.querySelector('header.bar').getBoundingClientRect().height"), 60, "one row in either language")
            page.run("document.getElementById('language').click()")
        self.go("default", "family", "work-3")
        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 390)
        self.picture("family-phone.png", whole=True)
        self.drop_many(dict(list(self.essays().items())[:9]))
        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 390)
        self.picture("files-phone.png", whole=True)



if __name__ == "__main__":
    on_page.main()
