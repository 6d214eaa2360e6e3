"""Runs one command and reports what it took. A program of its own, and a small one: the peak memory that the system
reports of a child starts with that of the process it was forked from.

    launch.py REPORT.json CORES COMMAND ARGUMENT..
"""
import json
import os
import sys
import time

report, cores, command = sys.argv[1], sys.argv[2], sys.argv[3:]
os.sched_setaffinity(0, {int(core) for core in cores.split(",")})
begin = time.perf_counter()
child = os.posix_spawnp(command[0], command, os.environ)
_, status, usage = os.wait4(child, 0)
seconds = time.perf_counter() - begin
with open(report, "w", encoding="utf-8") as file:
    json.dump({"exit": os.waitstatus_to_exitcode(status), "seconds": seconds,
               "cpu_seconds": usage.ru_utime + usage.ru_stime, "peak_bytes": usage.ru_maxrss * 1024}, file)
