"""Vectors of texts that are learnt from these texts alone, for `leitong pairs --vectors`. It needs gensim (4.4) and jieba.

text_vectors.py INPUT.jsonl OUTPUT.npy

word2vec, and of each text the mean of its words, weighted by a / (a + frequency) with a = 0.001; the mean of all texts is taken
off (Arora, Liang, Ma 2017).
"""
import collections
import json
import sys

import jieba
import numpy as np
from gensim.models import Word2Vec

DIMENSIONS = 100


def vectors(texts):
    cut = [[word for word in jieba.cut(text.lower()) if word.strip()] for text in texts]
    words = Word2Vec(cut, vector_size=DIMENSIONS, window=5, min_count=2, sg=1, epochs=5, seed=1, workers=1).wv
    count = collections.Counter(word for text in cut for word in text)
    total = sum(count.values())
    made = np.zeros((len(texts), DIMENSIONS), np.float32)
    for row, text in zip(made, cut):
        for word in text:
            if word in words:
                row += words[word] * (0.001 / (0.001 + count[word] / total))
        row /= max(1, len(text))
    return made - made.mean(axis=0)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as records:
        np.save(sys.argv[2], vectors([json.loads(line)["text"] for line in records]))
