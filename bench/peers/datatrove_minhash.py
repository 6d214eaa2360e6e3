"""datatrove: its four MinHash stages in one process, clusters from the third.

Its word tokenizers for Chinese are slow downloads; a character of the scripts without spaces is one word here.
"""
import os
import re
import struct
import tempfile

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import (MinhashConfig, MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter,
                                      MinhashDedupSignature)
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter
from datatrove.utils.word_tokenizers import WordTokenizer

from common import arguments, load, write_clusters

source, target, settings = arguments(ngram=5, size=128, bands=64)
WORD = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]|[^\\W\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+")


class Words(WordTokenizer):
    def word_tokenize(self, text):
        return WORD.findall(text)

    def sent_tokenize(self, text):
        return [text]

    def span_tokenize(self, text):
        return [(0, len(text))]


with tempfile.TemporaryDirectory(dir=os.path.dirname(target)) as work:
    config = MinhashConfig(n_grams=settings["ngram"], num_buckets=settings["bands"],
                           hashes_per_bucket=settings["size"] // settings["bands"])
    reader = JsonlReader(os.path.dirname(source), glob_pattern=os.path.basename(source))
    stages = [
        ([reader, MinhashDedupSignature(f"{work}/signatures", config, language=Words())], 1),
        ([MinhashDedupBuckets(f"{work}/signatures", f"{work}/buckets", config=config)], settings["bands"]),
        ([MinhashDedupCluster(f"{work}/buckets", f"{work}/removed", config, save_cluster_id=True)], 1),
        ([reader, MinhashDedupFilter(f"{work}/removed"), JsonlWriter(f"{work}/kept", compression=None)], 1),
    ]
    for number, (pipeline, tasks) in enumerate(stages):
        LocalPipelineExecutor(pipeline, tasks=tasks, workers=1, logging_dir=f"{work}/log{number}").run()
    ids, _ = load(source)
    clusters = f"{work}/removed/000000.clusters"
    data = open(clusters, "rb").read() if os.path.exists(clusters) else b""
write_clusters(target, ((ids[document], cluster) for document, cluster in struct.iter_unpack("<2I", data)))
