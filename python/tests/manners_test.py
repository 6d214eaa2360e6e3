"""How a call behaves in its host: threads, signals, forks, progress, log, errors, pickles."""
from __future__ import annotations

import inspect
import logging
import os
import pickle
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import leitong


def many_texts(count: int, length: int = 600) -> list[str]:
    letters = np.random.default_rng(7).integers(0x4E00, 0x4E00 + 3000, (count, length), dtype=np.uint32)
    return [row.tobytes().decode("utf-32-le") for row in letters]


def test_other_python_threads_run_meanwhile() -> None:
    texts = many_texts(20_000)
    ended = threading.Event()
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        while not ended.is_set():
            ticks += 1
            time.sleep(0.001)

    other = threading.Thread(target=tick)
    other.start()
    leitong.dedup(texts[:10])
    ticks = 0
    leitong.dedup(texts, threads=1)
    ended.set()
    other.join()
    assert ticks > 5


def test_runs_in_many_threads_do_not_disturb_each_other(texts: list[str]) -> None:
    answers: list[list[int]] = []
    threads = [threading.Thread(target=lambda: answers.append(leitong.dedup(texts, threads=2).kept_for.tolist()))
               for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [[0, 1, 0]] * 8


def test_ctrl_c_stops_a_run() -> None:
    code = """
import os, signal, sys, threading, time
sys.path.insert(0, sys.argv[1])
from manners_test import many_texts
import leitong
texts = many_texts(60_000)
for after in (1, 3, 5, 7, 9):  # looks, of which there are 50 a second
    sent, looks = 0.0, 0
    begun = threading.Event()
    def interrupt():
        global sent
        begun.wait()
        sent = time.process_time()
        os.kill(os.getpid(), signal.SIGINT)
    def look(step):
        global looks
        looks += 1
        if looks == after:
            begun.set()
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        leitong.dedup(texts, threads=1, progress=look)
        sys.exit(f"the run ended after {looks} looks, before it was interrupted")
    except KeyboardInterrupt:
        print(time.process_time() - sent)
"""
    run = subprocess.run([sys.executable, "-c", code, os.path.dirname(__file__)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    waits = sorted(map(float, run.stdout.split()))
    assert len(waits) == 5
    # The promise, in time of the processor, since other work on the machine lengthens the time by the clock.
    assert waits[0] < 0.1
    assert waits[-1] < 1


def test_an_exception_of_the_progress_function_stops_the_run() -> None:
    def refuse(progress: leitong.Progress) -> None:
        raise ZeroDivisionError(progress.stage)

    with pytest.raises(ZeroDivisionError):
        leitong.dedup(many_texts(4000), progress=refuse)


def test_progress_is_reported_by_stage() -> None:
    seen: list[leitong.Progress] = []
    leitong.dedup(many_texts(4000), progress=seen.append)
    assert seen
    assert all(step.done <= step.total for step in seen if step.total)
    assert {step.unit for step in seen} <= {"bytes", "pairs", "documents", "words", "parts of the keys", "parts of the documents", "parts of the shingles"}


def test_tqdm_shows_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    leitong.dedup(many_texts(4000), progress=True)
    assert "/s" in capsys.readouterr().err


def test_without_progress_nothing_is_printed(texts: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    leitong.dedup(texts)
    assert capfd.readouterr() == ("", "")


def test_an_import_brings_no_network_with_it() -> None:
    code = "import sys, leitong; print('asyncio' in sys.modules, 'ssl' in sys.modules, leitong.Client.__name__, 'Client' in dir(leitong))"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split() == [
        "False", "False", "Client", "True"
    ]


def test_messages_go_to_logging(texts: list[str], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "leitong"):
        leitong.dedup(texts, threads=64, memory=100 << 20)
    assert "the memory budget has room for" in caplog.text
    assert caplog.records[0].levelno == logging.WARNING


def test_a_budget_that_is_too_small_names_the_least(texts: list[str]) -> None:
    with pytest.raises(leitong.LimitError) as caught:
        leitong.dedup(texts, memory=1)
    assert caught.value.code == "limit"
    assert "memory" in caught.value.message


@pytest.mark.parametrize("error", [leitong.LimitError, leitong.NotFoundError, leitong.CorruptError])
def test_errors_can_be_pickled(error: type[leitong.Error]) -> None:
    again = pickle.loads(pickle.dumps(error("what and where")))
    assert (type(again), again.code, again.message) == (error, error.code, "what and where")


def test_settings_can_be_pickled(texts: list[str]) -> None:
    signer = leitong.Signer("simhash", ("features=chars", "weights=constant", "top=0"))
    again = pickle.loads(pickle.dumps(signer))
    assert np.array_equal(signer.sign(texts).words, pickle.loads(pickle.dumps(signer)).sign(texts).words)
    assert again == signer
    assert pickle.loads(pickle.dumps(leitong.Segmenter(threads=2))).threads == 2


def in_a_process(code: str) -> str:
    """What the code prints. It has two minutes: a forked child that waits for ever ends the test."""
    code = "import os, sys, threading\nsys.path.insert(0, sys.argv[1])\nfrom manners_test import *\n" + code
    run = subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", "-c", code, os.path.dirname(__file__)],
                         capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_a_process_may_fork_after_a_run_beside_other_packages() -> None:
    """They have threads of their own. Each fork is made while the run's workers are about to go to sleep."""
    in_a_process("""
import multiprocessing
import datasets, duckdb, polars as pl, pyarrow as pa
texts = many_texts(200)
table = pa.table({"text": texts})
def run(texts):
    return leitong.dedup(texts, threads=2).kept_for.tolist()
expected = run(texts)
for data in (pl.DataFrame(table), duckdb.from_arrow(table), datasets.Dataset.from_dict({"text": texts})):
    assert leitong.dedup(data).kept_for.tolist() == expected
for _ in range(20):
    run(texts)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(run, [texts] * 4).get(timeout=60) == [expected] * 4
""")


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one core: no run has a second thread, so forks were NOT tried")
def test_a_forked_child_has_threads_of_its_own() -> None:
    """oneTBB's workers end before a fork. Else the child would have none, and a copy of their locks."""
    most = in_a_process("""
texts = many_texts(20_000)
def threads():
    most = 0
    def look(step):
        nonlocal most
        most = max(most, len(os.listdir("/proc/self/task")))
    leitong.dedup(texts, threads=2, progress=look)
    return most
before = threads()
child = os.fork()
most = threads()
if child:
    assert os.waitpid(child, 0)[1] == 0
print(most, flush=True)
""")
    # The main one, the one that the call waits for, and a worker.
    assert all(int(count) >= 3 for count in most.split()) and len(most.split()) == 2


def test_a_child_that_was_forked_during_a_call_is_refused() -> None:
    in_a_process("""
begun, ended = threading.Event(), threading.Event()
def report(step):
    begun.set()
    ended.wait()
other = threading.Thread(target=leitong.dedup, args=(many_texts(4000),), kwargs={"progress": report})
other.start()
begun.wait()
child = os.fork()
if child == 0:
    try:
        leitong.dedup(["a text"])
    except leitong.UnsupportedError as error:
        os._exit(0 if "spawn" in error.message else 1)
    os._exit(2)
assert os.waitpid(child, 0)[1] == 0
ended.set()
other.join()
child = os.fork()
if child == 0:
    os._exit(len(leitong.dedup(["a text"]).removed))
assert os.waitpid(child, 0)[1] == 0
""")


def test_an_index_does_not_follow_a_fork() -> None:
    index = leitong.hamming.Index()
    child = os.fork()
    if child == 0:
        try:
            index.search(np.array([1], np.uint64), 1)
        except leitong.UnsupportedError:
            os._exit(0)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("threads", [-1, 4097, 10**9, "2", 1.5])
def test_threads_have_a_bound(texts: list[str], threads: object) -> None:
    """Beyond the command's own bound the system would end the process."""
    for call in (leitong.dedup, leitong.normalise):
        with pytest.raises(leitong.InvalidArgumentError, match="threads is .*; give a number up to 4096, or 0 for all cores"):
            call(texts, threads=threads)  # type: ignore[operator]
    with pytest.raises(leitong.InvalidArgumentError, match="threads is"):
        leitong.Index(threads=threads)  # type: ignore[arg-type]


def test_memory_is_bytes(texts: list[str]) -> None:
    for memory in ("200M", -1, 2**64, 1e9):
        with pytest.raises(leitong.InvalidArgumentError, match="memory is .*; give bytes as an int"):
            leitong.dedup(texts, memory=memory)  # type: ignore[arg-type]


def test_what_answers_are_made_of_can_be_pickled(texts: list[str]) -> None:
    comparison = leitong.compare(texts[0], texts[2])
    again = pickle.loads(pickle.dumps(comparison))
    assert str(again) == str(comparison) and again._repr_html_() == comparison._repr_html_()
    assert [getattr(again.a, name) for name in ("bytes", "units", "shingles", "containment", "coverage")] == [
        getattr(comparison.a, name) for name in ("bytes", "units", "shingles", "containment", "coverage")]
    assert [(p.a, p.b, p.units) for p in again.passages] == [(p.a, p.b, p.units) for p in comparison.passages]
    result = leitong.dedup(texts)
    why = pickle.loads(pickle.dumps(result.explain(2)))
    assert why.removal == result.removals[0] and str(why.comparison) == str(result.explain(2).comparison)
    measured = leitong.evaluate(["a", "a", "b", "b"], [0, 0, 1, 2])
    found = pickle.loads(pickle.dumps(measured))
    assert (found.pairs.precision, found.pairs.recall, found.adjusted_rand) == (1, 0.5, measured.adjusted_rand)
    assert (found.b_cubed.f1, found.documents, found.clusters, found.gold_clusters) == (measured.b_cubed.f1, 4, 3, 2)


def test_dedup_has_the_defaults_and_the_words_of_the_table_of_settings() -> None:
    arguments = inspect.signature(leitong.dedup).parameters
    compared = set()
    for name, words, default, _ in leitong._leitong.settings():
        if name not in arguments or name in ("keep", "vectors"):
            continue
        compared.add(name)
        given = arguments[name].default
        assert str(given if given is not None else "").lower() in (default, default or "0"), name
        if words and isinstance(arguments[name].annotation, str) and "Literal" in arguments[name].annotation:
            assert set(re.findall(r"['\"](\w+)['\"]", arguments[name].annotation)) == set(words.split("|")), name
    assert {"method", "preset", "threshold", "measure", "template_text", "verify", "measure_recall", "cosine"} <= compared
    for name in compared:
        assert f"``{name}" in (leitong.dedup.__doc__ or ""), f"{name} is not explained"


def test_a_system_that_the_module_does_not_fit_is_told_what_is_needed(tmp_path: Path) -> None:
    package = Path(leitong.__file__).parent
    shutil.copytree(package, tmp_path / "leitong", ignore=shutil.ignore_patterns("*.so", "bin"))
    (tmp_path / "leitong" / "_leitong.abi3.so").write_bytes(b"of another machine")
    code = f"import sys; sys.path.insert(0, {os.fspath(tmp_path)!r}); import leitong"
    imported = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert imported.returncode != 0
    assert "ImportError: leitong's module can't be loaded" in imported.stderr
    assert "glibc 2.28 or later" in imported.stderr
