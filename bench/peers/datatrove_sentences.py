"""datatrove: its three stages of sentence deduplication in one process, one sentence at a time, no document dropped for its length.

Its tokenizers for Chinese are slow downloads; sentences are divided by one regular expression here: behind a full stop, question or
exclamation mark, and at line ends.
"""
import os
import re
import sys
import tempfile

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import sentence_dedup
from datatrove.pipeline.dedup.sentence_dedup import SentDedupConfig, SentenceDedupFilter, SentenceDedupSignature, SentenceFindDedups
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

source, target = sys.argv[1:3]
SENTENCE = re.compile(r"[^\n]*?(?:[。！？]+[”’」』）)\"']*|[.!?]+[\"')]*(?=\s|$)|\n|$)")


class Sentences:
    def span_tokenize(self, text):
        return [found.span() for found in SENTENCE.finditer(text) if found.end() > found.start()]

    def sent_tokenize(self, text):
        return [text[begin:end] for begin, end in self.span_tokenize(text)]

    def word_tokenize(self, text):
        return text.split()


sentence_dedup.load_word_tokenizer = lambda language: Sentences()
with tempfile.TemporaryDirectory(dir=os.path.dirname(target)) as work:
    config = SentDedupConfig(n_sentences=1, min_doc_words=0, min_num_sentences=0)
    reader = JsonlReader(os.path.dirname(source), glob_pattern=os.path.basename(source))
    signature, keep = SentenceDedupSignature(f"{work}/signatures", config=config), SentenceDedupFilter(f"{work}/found", config=config)
    writer = JsonlWriter(os.path.dirname(target), output_filename=os.path.basename(target), compression=None,
                         adapter=lambda self, document: {"id": document.id, "text": document.text})
    stages = [[reader, signature], [SentenceFindDedups(f"{work}/signatures", f"{work}/found", config=config)], [reader, keep, writer]]
    for number, pipeline in enumerate(stages):
        LocalPipelineExecutor(pipeline, tasks=1, workers=1, logging_dir=f"{work}/log{number}").run()
