"""Ctrl-C during work that cannot be stopped."""
from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

Made = TypeVar("Made")


def answering(work: Callable[[], Made]) -> Made:
    """Calls `work` in another thread and waits for it. Ctrl-C (or another exception of a signal handler) is raised at once; the
    other thread then ends by itself, and its result is lost. The work should end in seconds and release the interpreter's lock."""
    made: list[Made] = []
    raised: list[BaseException] = []
    ended = threading.Event()

    def run() -> None:
        try:
            made.append(work())
        except BaseException as error:  # raised again in the thread that waits
            raised.append(error)
        finally:
            ended.set()

    threading.Thread(target=run, name="leitong", daemon=True).start()
    ended.wait()
    if raised:
        raise raised[0]
    return made[0]
