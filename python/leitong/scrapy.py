"""An item pipeline of Scrapy that drops pages which are the same as an earlier one, or nearly so.

    ITEM_PIPELINES = {"leitong.scrapy.DropNearDuplicates": 300}
    LEITONG_INDEX = "seen"       # the folder of the index
    LEITONG_TEXT = "text"        # the field of the text, and
    LEITONG_ID = "url"           # of what names a page
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem

from ._errors import InvalidArgumentError, NotFoundError
from ._index import Index

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

__all__ = ["DropNearDuplicates"]


class DropNearDuplicates:
    """Drops an item whose text the index has seen under another id. All items are added to the index, which outlives the crawl.

    A page that is crawled again unchanged gets the verdict of its first arrival; a changed page takes the place of its earlier
    version. The stats ``leitong/new``, ``leitong/near`` and ``leitong/exact`` count the verdicts.
    """

    def __init__(self, folder: str, text: str, id: str, durability: Any, stats: Any) -> None:
        self.folder, self.text, self.id, self.durability, self.stats = folder, text, id, durability, stats
        self._index: Index | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> DropNearDuplicates:
        settings = crawler.settings
        folder = settings.get("LEITONG_INDEX")
        if not folder:
            raise InvalidArgumentError("the setting LEITONG_INDEX names no folder for the index")
        return cls(
            folder,
            settings.get("LEITONG_TEXT", "text"),
            settings.get("LEITONG_ID", "url"),
            settings.get("LEITONG_DURABILITY", "everysec"),
            crawler.stats,
        )

    def open_spider(self) -> None:
        self._index = Index(self.folder, durability=self.durability)

    def close_spider(self) -> None:
        if self._index is not None:
            self._index.close()

    def process_item(self, item: Any) -> Any:
        assert self._index is not None, "open_spider() opens the index"
        fields = ItemAdapter(item)
        for name in (self.text, self.id):
            if not isinstance(fields.get(name), str):
                raise NotFoundError(f'the item has no field "{name}" with a str in it')
        page, text = fields[self.id], fields[self.text]
        answer = self._index.check_and_add(text, page)
        if answer.verdict == "refused" and self._index.remove(page):  # it represents another text
            answer = self._index.check_and_add(text, page)
        self.stats.inc_value(f"leitong/{answer.verdict}")
        if answer.is_new:
            return item
        if answer.match is None:
            raise DropItem(f"{page}: {answer.reason}")
        raise DropItem(f"{page}: {answer.verdict}, like {answer.match.id} ({answer.match.measure} {answer.match.score:.2f})")
