"""The page of a real server in a headless Chromium, for the tests of the page."""
import os
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/browser"), str(ROOT / "tests/cli")]
import chromium  # noqa: E402
import running  # noqa: E402
from running import Server  # noqa: E402

FERRY = "渡船清晨六点开第一班，雾大的日子改到七点，乘客请在北岸的石阶旁排队等候，不要站在跳板上。船票在船上买，孩子和牛羊半价。最后一班在日落之后一刻钟离岸，错过的人可以在茶棚过夜。"
FERRY_TW = "渡船清晨六點開第一班，霧大的日子改在七點，乘客請在北岸的石階旁排隊等候，不要站在跳板上。船票在船上買，孩子和牛羊半價。最後一班在日落之後一刻鐘離岸，錯過的人可以睡在茶棚裡。"
BREAD = "面团发两次，一次在盆里，一次在模子里，然后烤四十分钟，晾凉以后再切，切的时候刀要蘸一点水。"
PICTURES = BROWSER = None


class PageTest(unittest.TestCase):
    """A server with two texts. `open()` shows its page."""

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

    def picture(self, name, **how):
        self.page.screenshot(PICTURES / name, **how)


def main():
    """Runs the tests of the script in one browser."""
    global PICTURES, BROWSER
    PICTURES = Path(os.environ.get("LEITONG_PICTURES") or tempfile.mkdtemp(prefix="leitong-page-"))
    path = chromium.find()
    if path is None:
        print("Chromium is missing, so the page has NOT been tested in a browser; scripts/install-packages --browser installs it", file=sys.stderr)
        sys.exit(1 if os.environ.get("CI") else 77)
    PICTURES.mkdir(parents=True, exist_ok=True)
    with chromium.Browser(path, reach="127.0.0.1") as BROWSER:
        running.main()
