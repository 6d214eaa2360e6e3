#!/usr/bin/env python3
"""PDF, Word and OpenDocument texts, in the command and in the service; and what is refused where the component is missing.

usage: tests/cli/documents_test.py BUILD-FOLDER
"""
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

BUILD = None
FERRY = "渡船清晨六点开第一班，雾大的日子改到七点，乘客请在北岸的石阶旁排队等候，不要站在跳板上。"
TICKETS = "船票在船上买，孩子和牛羊半价。最后一班在日落之后一刻钟离岸，错过的人可以在茶棚过夜。"
ENGLISH = "The ferry leaves the north bank at six in the morning, and at seven on foggy days."


def docx(*paragraphs, deleted=""):
    body = "".join(f"<w:p><w:r><w:t>{each[:7]}</w:t></w:r><w:r><w:t>{each[7:]}</w:t></w:r></w:p>" for each in paragraphs)
    if deleted:
        body += f"<w:p><w:del><w:r><w:t>{deleted}</w:t></w:r></w:del></w:p>"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", f'<w:document xmlns:w="urn:w"><w:body>{body}</w:body></w:document>')
    return made.getvalue()


def odt(*paragraphs):
    body = "".join(f"<text:p>{each}</text:p>" for each in paragraphs)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("mimetype"), "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", f'<o:d xmlns:o="urn:o" xmlns:text="urn:t"><o:body>{body}<office:annotation xmlns:office="urn:a"><text:p>a comment</text:p></office:annotation></o:body></o:d>')
    return made.getvalue()


def pdf(text):
    stream = f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET".encode()
    parts = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
             b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 800 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
             b"<</Length %d>>\nstream\n%s\nendstream" % (len(stream), stream), b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    out, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"xref\n0 6\n0000000000 65535 f \n" + table + b"trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % len(out)


class Documents(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.docs = self.folder / "docs"
        self.docs.mkdir()

    def run_it(self, *words, program=None, code=0):
        done = subprocess.run([program or BUILD / "leitong", *words], cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def write(self, **files):
        for name, content in files.items():
            name = name.replace("_", ".")
            (self.docs / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    def test_copies_of_one_text_in_three_formats_are_one_cluster(self):
        self.write(a_txt=FERRY + "\n" + TICKETS, b_docx=docx(FERRY, TICKETS, deleted="was deleted"), c_odt=odt(FERRY, TICKETS))
        self.run_it("dedup", "docs", "-o", "kept.txt", "--clusters", "clusters.tsv", "--json")
        clusters = [line.split("\t")[1] for line in (self.folder / "clusters.tsv").read_text().splitlines()]
        self.assertEqual((len(clusters), len(set(clusters))), (3, 1))
        for name in ("b.docx", "c.odt"):
            compared = json.loads(self.run_it("compare", "docs/a.txt", f"docs/{name}", "--json").stdout)
            self.assertEqual(compared["jaccard"], 1, name)

    def test_a_pdf_is_read(self):
        self.write(a_txt=ENGLISH, b_pdf=pdf(ENGLISH))
        self.assertEqual(json.loads(self.run_it("compare", "docs/a.txt", "docs/b.pdf", "--json").stdout)["jaccard"], 1)

    def test_damaged_ones_are_quarantined_with_the_reason(self):
        self.write(a_txt=FERRY, b_docx=docx(FERRY)[:-40], c_pdf=b"%PDF-1.4\nnothing", d_odt=b"PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.text")
        self.run_it("dedup", "docs", "-o", "kept.txt", "--quarantine", "q.jsonl")
        reasons = {json.loads(line)["place"][-6:]: json.loads(line)["reason"] for line in (self.folder / "q.jsonl").read_text().splitlines()}
        self.assertEqual(len(reasons), 3, reasons)
        self.assertTrue(all("damaged" in reason and "convert it first" in reason for reason in reasons.values()), reasons)

    def test_entities_of_an_archive_read_no_file(self):
        made = io.BytesIO()
        secret = self.folder / "secret"
        secret.write_text("the secret")
        with zipfile.ZipFile(made, "w") as archive:
            archive.writestr("word/document.xml", f'<!DOCTYPE d [<!ENTITY x SYSTEM "file://{secret}">]><w:d xmlns:w="urn:w"><w:p><w:t>{ENGLISH}&x;</w:t></w:p></w:d>')
        self.write(a_docx=made.getvalue(), b_txt=ENGLISH)
        self.assertNotIn("secret", self.run_it("compare", "docs/a.docx", "docs/b.txt", code=0).stdout)

    def test_an_archive_that_unpacks_to_very_much_is_refused(self):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("word/document.xml", '<w:d xmlns:w="urn:w"><w:p><w:t>' + "a" * 40_000_000 + "</w:t></w:p></w:d>")
        self.write(a_docx=made.getvalue(), b_txt=ENGLISH)
        self.run_it("dedup", "docs", "-o", "kept.txt", "--max-record", "1M", "--quarantine", "q.jsonl")
        self.assertIn("too large", (self.folder / "q.jsonl").read_text())

    def test_without_the_component_they_are_refused_by_name_with_what_mends_it(self):
        (self.folder / "bin").mkdir()
        shutil.copy2(BUILD / "leitong", self.folder / "bin/leitong")
        self.write(a_txt=FERRY, b_docx=docx(FERRY), c_pdf=pdf(ENGLISH))
        self.run_it("dedup", "docs", "-o", "kept.txt", "--quarantine", "q.jsonl", program=self.folder / "bin/leitong")
        said = (self.folder / "q.jsonl").read_text()
        for part in ("a Word document: PDF, Word and OpenDocument texts need the component leitong-documents, which is missing", "install the package leitong-documents",
                     "pandoc -t plain", "pdftotext FILE.pdf"):
            self.assertIn(part, said)
        self.assertEqual((self.folder / "kept.txt").read_text(), "docs/a.txt\n")

    def test_a_component_of_another_version_is_refused(self):
        (self.folder / "bin").mkdir()
        (self.folder / "lib/leitong-documents").mkdir(parents=True)
        shutil.copy2(BUILD / "leitong", self.folder / "bin/leitong")
        reader = self.folder / "lib/leitong-documents/leitong-read-document"
        reader.write_text("#!/bin/sh\nprintf '?0.0.1'\n")
        os.chmod(reader, 0o755)
        self.write(a_txt=FERRY, b_docx=docx(FERRY))
        self.run_it("dedup", "docs", "-o", "kept.txt", "--quarantine", "q.jsonl", program=self.folder / "bin/leitong")
        self.assertIn("install the package leitong-documents of version", (self.folder / "q.jsonl").read_text())
        reader.write_text("#!/bin/sh\nkill -9 $$\n")
        self.run_it("dedup", "docs", "-o", "kept.txt", "--force", "--quarantine", "q.jsonl", program=self.folder / "bin/leitong")
        self.assertIn("too long or too much memory", (self.folder / "q.jsonl").read_text())


if __name__ == "__main__":
    BUILD = Path(sys.argv.pop(1)).resolve()
    unittest.main()
