# SPDX-License-Identifier: BSD-3-Clause
"""From the moment at which the last rank blocks to the finding on the terminal, to the first report with it, and to the
last one, which is written when the job has ended."""

import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import plain
import turns

COLUMNS = ["variant", "ranks", "repeat", "seconds_to_finding", "seconds_to_first_report", "seconds_to_report", "seconds_own",
           "seconds_wall", "other_cpu_seconds"]
LONGEST = 180


@dataclasses.dataclass(frozen=True)
class Verdict:
    name: str
    group: str
    program: str
    ranks: tuple = (4, 16, 64)
    variants: tuple = ("all", "partial")


def _realtime_minus_monotonic():
    return time.time() - time.monotonic()


def _written(report):
    """CLOCK_MONOTONIC of what is there; none: None."""
    try:
        return report.stat().st_mtime - _realtime_minus_monotonic()
    except FileNotFoundError:
        return None


def _first_finding(child, report):
    """CLOCK_MONOTONIC of the first line that names a deadlock, and of the report that was written then; the rest is read
    too, so that nobody waits for us."""
    found, written = None, None
    for line in child.stderr:
        if found is None and "deadlock (" in line:
            found = time.monotonic()
        while found is not None and written is None and time.monotonic() < found + LONGEST:
            written = _written(report)
            time.sleep(0.001)
    return found, written


def _one(benchmark, variant, ranks, mustrun):
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as out:
        more = ["--oversubscribe"] if ranks > os.cpu_count() else []
        command = [str(mustrun), "--must:output-dir", folder, *more, "-np", str(ranks), benchmark.program, variant]
        report = pathlib.Path(folder) / "MUST_Output.json"
        busy, begin = turns.busy_seconds(), time.monotonic()
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True,
                                 env=turns.environment(), start_new_session=True)
        with turns.time_limit(child, LONGEST):
            finding, first = _first_finding(child, report)
            _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - begin
        other = max(0.0, turns.busy_seconds() - busy - usage.ru_utime - usage.ru_stime)
        out.seek(0)
        blocks = re.search(r"^blocks ([0-9.]+)$", out.read(), re.MULTILINE)
        if blocks is None or finding is None or not report.exists():
            raise turns.Failed(f"{benchmark.name}: no verdict with {ranks} ranks ({variant})")
        read = json.loads(report.read_text(encoding="utf-8"))
        if [f["id"] for f in read["findings"]] != ["deadlock"]:
            raise turns.Failed(f"{benchmark.name}: another report: {json.dumps(read['findings'])[:1000]}")
        moment = float(blocks[1])
        own = read["statistics"]["seconds_to_verdict"]
        return [f"{finding - moment:.4f}", f"{first - moment:.4f}", f"{_written(report) - moment:.4f}",
                own if own is not None else "", f"{wall:.3f}", f"{other:.2f}"]


def measure(benchmark, repeat, mustrun, header, path):
    rows = []
    for variant in benchmark.variants:
        for ranks in benchmark.ranks:
            rows += [[variant, ranks, i, *_one(benchmark, variant, ranks, mustrun)] for i in range(repeat)]
            print(f"{benchmark.name}: {variant}, {ranks} ranks", file=sys.stderr)
    plain.write(path, header, COLUMNS, rows)
