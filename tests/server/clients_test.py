#!/usr/bin/env python3
"""usage: clients_test.py LEITONG

The examples of docs/service.md, run unchanged against a server, each in its own language. One whose language is not on this machine is left
out, and the test then ends with 77 unless CI is set."""
import os
import re
import shutil
import subprocess
import sys
import types
import unittest

import running
from running import Server

ROOT = running.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/service.md").read_text(encoding="utf-8")
MISSING = []


def blocks(language, page=PAGE):
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


class Clients(unittest.TestCase):
    def setUp(self):
        self.place = running.folder(self)
        self.server = Server(self.place / "data")
        self.server.start()
        self.addCleanup(self.server.stop)

    def here(self, text):
        return text.replace("8380", str(self.server.port)).replace("PORT", str(self.server.port))

    def test_curl(self):
        (self.place / "texts.jsonl").write_text('{"id":"x","text":"渡船清晨六点开第一班，雾大的日子改到八点，乘客请在北岸的石阶旁排队等候，不要站在跳板上。"}\n')
        (self.place / "essay.docx").write_text("面团发两次，一次在盆里，一次在模子里，然后烤四十分钟。", encoding="utf-8")
        document, *commands = blocks("sh")
        self.assertEqual(len(commands), 2)
        run = lambda command: subprocess.run(["bash", "-euo", "pipefail", "-c", self.here(command)], cwd=self.place, check=True, capture_output=True, text=True).stdout  # noqa: E731
        answers = [run(command) for command in commands]
        self.assertIn('"verdict":"new"', run(document), "its content tells that it is a plain text")
        self.assertEqual(answers[0], '{"id":"ferry","verdict":"new","version":1}')
        self.assertIn('{"id":"x","verdict":"near","match":{"id":"ferry"', answers[1])
        zh = (ROOT / "docs/zh/service.md").read_text(encoding="utf-8")
        self.assertEqual(blocks("sh", zh), commands[:1], "the Chinese page shows the same command")

    def test_python_and_scrapy(self):
        client, pipeline = blocks("python")
        told = subprocess.run([sys.executable, "-c", self.here(client)], check=True, capture_output=True, text=True).stdout
        self.assertEqual(told, "new\n['near']\n")
        drops = types.ModuleType("scrapy.exceptions")
        drops.DropItem = type("DropItem", (Exception,), {})
        sys.modules.setdefault("scrapy.exceptions", drops)
        names = {}
        exec(self.here(client.split("leitong = ")[0] + pipeline), names)  # noqa: S102: the page's own text
        spider = names["NearDuplicates"]()
        spider.open_spider(None)
        item = {"url": "http://example/1", "text": "面团发两次，一次在盆里，一次在模子里，然后烤四十分钟，晾凉以后再切，切的时候刀要蘸一点水。"}
        self.assertIs(spider.process_item(item, None), item)
        self.assertIs(spider.process_item(item, None), item, "the same page again is no copy of itself")
        with self.assertRaisesRegex(sys.modules["scrapy.exceptions"].DropItem, "like http://example/1"):
            spider.process_item({**item, "url": "http://example/2"}, None)

    def compiled(self, language, tool, name, command):
        found = blocks(language)
        self.assertEqual(len(found), 1)
        if shutil.which(tool) is None:
            MISSING.append(tool)
            self.skipTest(f"{tool} is missing, so the example in {language} has NOT been run")
        (self.place / name).write_text(self.here(found[0]), encoding="utf-8")
        return subprocess.run([part.replace("FILE", str(self.place / name)) for part in command], cwd=self.place, check=True, capture_output=True, text=True,
                              env={**os.environ, "GOFLAGS": "-mod=mod", "GOCACHE": str(self.place / "go")}).stdout

    def test_java(self):
        self.assertEqual(self.compiled("java", "java", "SeenBefore.java", ["java", "FILE"]), "new\nexact\n")

    def test_go(self):
        self.assertEqual(self.compiled("go", "go", "main.go", ["go", "run", "FILE"]), "new\n")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    running.LEITONG = str(running.Path(sys.argv.pop(1)).resolve())
    result = unittest.main(exit=False, verbosity=2, warnings="ignore").result
    sys.exit(1 if not result.wasSuccessful() or (MISSING and os.environ.get("CI")) else 77 if MISSING else 0)
