"""What ``leitong dedup --restorable`` removes comes back."""
import json
import subprocess
import sys

import pytest

import leitong

FERRY = "渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候，不要拥挤，也不要站在跳板上。"


@pytest.fixture
def run(tmp_path):
    """A file, what is kept of it, and what is not."""
    records = [{"id": "a", "text": FERRY}, {"id": "b", "text": "面团要发两次，然后烤四十分钟，出炉后放凉再切。"}, {"id": "c", "text": FERRY + "明天也是一样。"}]
    whole = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records) + "no record"
    (tmp_path / "in.jsonl").write_text(whole, encoding="utf-8")
    arguments = ["dedup", "in.jsonl", "-o", "kept.jsonl", "--restorable", "removed.restorable", "--quiet"]
    subprocess.run([sys.executable, "-m", "leitong", *arguments], cwd=tmp_path, check=True)
    return tmp_path


def test_the_whole_input_comes_back(run):
    restored = leitong.restore(run / "kept.jsonl", run / "removed.restorable", run / "again.jsonl")
    assert (run / "again.jsonl").read_bytes() == (run / "in.jsonl").read_bytes()
    assert restored == (1, (run / "in.jsonl").stat().st_size, 1, {})
    with pytest.raises(leitong.InvalidArgumentError):
        leitong.restore(run / "kept.jsonl", run / "removed.restorable", run / "again.jsonl")


def test_one_record_comes_back(run):
    leitong.restore(run / "kept.jsonl", run / "removed.restorable", run / "one.jsonl", id="a")
    assert json.loads((run / "one.jsonl").read_text(encoding="utf-8"))["text"] == FERRY
    with pytest.raises(leitong.NotFoundError):
        leitong.restore(run / "kept.jsonl", run / "removed.restorable", run / "none.jsonl", id="c")


def test_a_changed_byte_is_told(run):
    kept = (run / "kept.jsonl").read_bytes()
    (run / "kept.jsonl").write_bytes(kept.replace(b"b", b"d", 1))
    with pytest.raises(leitong.CorruptError):
        leitong.restore(run / "kept.jsonl", run / "removed.restorable", run / "again.jsonl")
    assert not (run / "again.jsonl").exists()
