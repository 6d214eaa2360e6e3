"""A reproducible spinner: what article mills do to a text, at stated rates."""
import random
import re


def words_of(dictionary):
    """Words of two to four characters of a jieba dictionary, by length."""
    by_length = {}
    with open(dictionary, encoding="utf-8") as file:
        for line in file:
            word = line.split(" ", 1)[0]
            if 2 <= len(word) <= 4:
                by_length.setdefault(len(word), []).append(word)
    return by_length


class Spinner:
    """Every word has one fixed other word of its length: for methods that see letters any synonym is just another
    word. Words are found by the longest match."""

    def __init__(self, dictionary, seed=1):
        self.other = {}
        for words in words_of(dictionary).values():
            shuffled = words[:]
            random.Random(seed).shuffle(shuffled)
            self.other |= dict(zip(words, shuffled))

    def substitute(self, text, rate, source):
        out, at = [], 0
        while at < len(text):
            word = next((text[at:at + n] for n in (4, 3, 2) if text[at:at + n] in self.other), None)
            if word is None:
                out.append(text[at])
                at += 1
                continue
            out.append(self.other[word] if source.random() < rate else word)
            at += len(word)
        return "".join(out)

    @staticmethod
    def move(parts, rate, source):
        """Exchanges that share of the parts with others."""
        parts = parts[:]
        for i in range(len(parts)):
            if source.random() < rate:
                j = source.randrange(len(parts))
                parts[i], parts[j] = parts[j], parts[i]
        return parts

    def spin(self, text, kind, rate, seed):
        source = random.Random(f"{seed} {kind}")
        if kind == "synonyms":
            return self.substitute(text, rate, source)
        separator = r"(?<=[。！？\n])" if kind == "sentences" else r"(?<=\n)"
        parts = [part for part in re.split(separator, text) if part]
        if kind == "paragraphs" and len(parts) < 8:
            size = max(1, len(text) // 12)
            parts = [text[i:i + size] for i in range(0, len(text), size)]
        return "".join(self.move(parts, rate, source))
