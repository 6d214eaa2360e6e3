"""A corpus that is difficult to distribute: hot keys, large families, empty texts, copies."""
from __future__ import annotations

import random
from typing import Any

LETTERS = [chr(0x4E00 + i) for i in range(3000)]


def skewed_texts(rows: int, family: int) -> list[dict[str, Any]]:
    """One family of `family` edited copies and one of a quarter of them; a third of the other texts in the frame of one site; 1 % that
    hold nearly nothing; a few copies that differ in signs; 5 % exact copies."""
    r = random.Random(7)

    def text(length: int) -> str:
        return "".join(r.choices(LETTERS, k=length))

    def edited(original: str, rate: float) -> str:
        return "".join(r.choice(LETTERS) if r.random() < rate else letter for letter in original)

    head, foot, short, long = text(60), text(80), text(400), text(900)
    texts = [edited(short, r.uniform(0.005, 0.06)) for _ in range(family)]
    texts += [edited(long, r.uniform(0.01, 0.1)) for _ in range(family // 4)]
    texts += [head + text(r.randint(60, 500)) + foot for _ in range((rows - len(texts)) // 3)]
    while len(texts) < rows * 94 // 100:
        texts.append(text(r.randint(20, 700)))
        if r.random() < 0.2:
            texts.append(edited(texts[-1], r.uniform(0.01, 0.08)))
    texts += ["", "。", "", "..", "a"] * (rows // 500)
    signed = text(120)
    texts += [f"{signed}，1 < 2。", f"{signed}：1 > 2", f"“{signed}”，1 > 2", "C", "C++", "c"] * (rows // 500)
    texts += r.choices(texts, k=rows - len(texts))
    r.shuffle(texts)
    return [{"id": number, "text": each} for number, each in enumerate(texts)]
