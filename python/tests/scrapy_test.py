"""leitong.scrapy, in a crawl of pages that a server of this process hands out."""
from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from conftest import DOUGH, FERRY, FERRY_TRADITIONAL

CRAWL = """
import json, sys
import scrapy
from scrapy.crawler import CrawlerProcess

class Pages(scrapy.Spider):
    name = "pages"
    start_urls = sys.argv[2:]
    custom_settings = {"CONCURRENT_REQUESTS": 1}
    async def start(self):
        for number, url in enumerate(self.start_urls):
            yield scrapy.Request(url, priority=-number)
    def parse(self, response):
        yield {"url": response.url, "text": response.text}

process = CrawlerProcess({
    "ITEM_PIPELINES": {"leitong.scrapy.DropNearDuplicates": 300}, "LEITONG_INDEX": sys.argv[1],
    "FEEDS": {"stdout:": {"format": "jsonlines"}}, "LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False,
    "ROBOTSTXT_OBEY": False, "DOWNLOAD_DELAY": 0})
crawler = process.create_crawler(Pages)
process.crawl(crawler)
process.start()
print(json.dumps({name: value for name, value in crawler.stats.get_stats().items() if name.startswith("leitong/")}))
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    pages = tmp_path / "pages"
    pages.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(pages)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield pages, f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def crawl(index: Path, urls: list[str]) -> tuple[list[str], dict[str, int]]:
    run = subprocess.run([sys.executable, "-c", CRAWL, index, *urls], capture_output=True, text=True)
    assert run.returncode == 0 and "Traceback" not in run.stderr, run.stderr
    *items, stats = map(json.loads, run.stdout.splitlines())
    return [item["url"] for item in items], stats


def test_pages_like_earlier_ones_are_dropped(site: tuple[Path, str], tmp_path: Path) -> None:
    pages, root = site
    for name, text in (("a", FERRY), ("b", DOUGH), ("c", FERRY_TRADITIONAL), ("d", DOUGH)):
        (pages / f"{name}.txt").write_text(text)
    urls = [f"{root}{name}.txt" for name in "abcd"]
    assert crawl(tmp_path / "seen", urls) == (urls[:2], {"leitong/new": 2, "leitong/near": 1, "leitong/exact": 1})
    # The next crawl: one page has changed, and is like none of those before.
    (pages / "d.txt").write_text("图书馆的旧报纸按年份装订成册，读者可以在二楼的阅览室里翻看，但不能带走。")
    assert crawl(tmp_path / "seen", urls)[0] == [urls[0], urls[1], urls[3]]
