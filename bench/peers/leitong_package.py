"""leitong as a package: leitong.dedup of the texts, and all its pairs."""
import leitong

from common import arguments, load, write_pairs

source, target, _ = arguments()
ids, texts = load(source)
result = leitong.dedup(texts, threads=1)
pairs = result.pairs
write_pairs(target, ids, pairs["a"], pairs["b"], pairs["jaccard"])
