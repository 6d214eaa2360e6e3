"""A limit of memory that counts the pages of files, too, as the kernel's control groups have it (versions 1 and 2)."""
import contextlib
import os
from pathlib import Path

from . import measure

GROUPS = Path("/sys/fs/cgroup")


@contextlib.contextmanager
def of(limit):
    """What to put before a command so that it has `limit` bytes. Raises measure.Failed where no group can be made."""
    second = (GROUPS / "cgroup.controllers").exists()
    group = (GROUPS if second else GROUPS / "memory") / f"leitong-bench-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        raise measure.Failed(f"no control group for a limit of memory: {error}; run it as root") from None
    try:
        (group / ("memory.max" if second else "memory.limit_in_bytes")).write_text(str(limit))
        yield ["sh", "-c", 'echo $$ > "$0" && exec "$@"', group / "cgroup.procs"]
    finally:
        group.rmdir()


def forget_pages():
    """Writes all pages of files and lets the kernel forget them, so that the next reader pays for its own. Needs root."""
    os.sync()
    try:
        Path("/proc/sys/vm/drop_caches").write_text("1")
    except OSError as error:
        raise measure.Failed(f"the pages of files cannot be dropped: {error}; run it as root") from None
