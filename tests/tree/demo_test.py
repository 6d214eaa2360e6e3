#!/usr/bin/env python3
"""usage: demo_test.py BUILD_FOLDER

The demo without its network: the run, the story and the commands that it ends with, on a corpus of a few made-up pages.
The commands are pasted as they were printed, into a shell that has only the printed PATH.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SKIPPED = 77
PAGES = {
    "6.1/zh_CN/ferry": "渡船清晨六点开第一班，雾大的日子改到七点，乘客请在北岸的石阶旁排队等候，不要站在跳板上。",
    "6.12/zh_TW/ferry": "渡船清晨六點開第一班，霧大的日子改在七點，乘客請在北岸的石階旁排隊等候，不要站在跳板上。",
    "6.1/zh_CN/bread": "面团发两次，一次在盆里，一次在模子里，然后烤四十分钟，晾凉以后再切，切的时候刀要蘸一点水。",
}


def main() -> None:
    build = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="the demo's ") as name:  # a folder whose name a shell would split
        corpus, out = Path(name) / "corpus", Path(name) / "out"
        corpus.mkdir()
        out.mkdir()
        with open(corpus / "docs.jsonl", "w", encoding="utf-8") as docs, open(corpus / "truth.tsv", "w") as truth:
            for page, text in PAGES.items():
                docs.write(json.dumps({"id": page, "text": text}, ensure_ascii=False) + "\n")
                truth.write(f"{page}\t{page.rsplit('/', 1)[1]}\n")
        (corpus / "sources").write_text("linux-doc-6.1_1_all.deb\nlinux-doc-6.12_1_all.deb\n")

        def printed(*command: str) -> str:
            return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, cwd=ROOT,
                                  env=dict(os.environ, NO_COLOR="1")).stdout
        story = printed("scripts/demo_run", str(build / "leitong"), str(corpus), str(out))
        assert re.search(r"documents in +3 ", story) and re.search(r"removed +1 ", story), story

        closing = printed("scripts/demo_next.py", str(build / "leitong"), str(corpus / "docs.jsonl"), str(out))
        lines = [line[2:] for line in closing.splitlines() if line.startswith("  ") and not line.startswith("  #")]
        *commands, path = lines
        assert len(commands) == 3 and path == closing.splitlines()[-1].strip() and path.startswith("export PATH="), closing
        words = build / "share/leitong/dict/jieba.dict.utf8"
        for attempt in range(2):  # again, too
            for command in commands:
                if "simhash" in command and not words.is_file():
                    print("SKIPPED: jieba's dictionaries are missing, so SimHash has NOT been tried (./dev setup)")
                    sys.exit(SKIPPED)
                result = subprocess.run(["bash", "-euo", "pipefail", "-c", f"{path}\n{command}"], cwd=name, text=True,
                                        env={"PATH": "/usr/bin:/bin", "HOME": name}, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT)
                assert result.returncode == 0, f"status {result.returncode} of: {command}\n{result.stdout}"
                print(command)
        assert (out / "simhash.jsonl").read_text(encoding="utf-8").startswith('{"id": "6.1/zh_CN/ferry"')


if __name__ == "__main__":
    main()
