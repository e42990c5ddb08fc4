# SPDX-License-Identifier: BSD-3-Clause
"""What the tool's processes cost while the application makes no MPI call."""

import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import uuid

import plain
import tool
import turns

COLUMNS = ["ranks", "tool_processes", "repeat", "percent_of_a_core", "wake_ups_per_s"]
BEGIN, WATCHED = 3, 10  # seconds


@dataclasses.dataclass(frozen=True)
class Idle:
    name: str
    group: str
    program: str
    shapes: tuple = ((4, 4), (4, 1), (16, 2))  # ranks, and those that one tool process watches


def _used(pids):
    """Processor time in ns, and how often they were put on a processor."""
    nanoseconds, times = 0, 0
    for pid in pids:
        for task in os.listdir(f"/proc/{pid}/task"):
            used, _, slices = pathlib.Path(f"/proc/{pid}/task/{task}/schedstat").read_text(encoding="utf-8").split()
            nanoseconds += int(used)
            times += int(slices)
    return nanoseconds, times


def _one(benchmark, ranks, leaf_ranks, mustrun):
    run = uuid.uuid4().hex
    with tempfile.TemporaryDirectory() as folder:
        more = ["--oversubscribe"] if ranks > os.cpu_count() else []
        command = [str(mustrun), "--must:output-dir", folder, "--must:leaf-ranks", str(leaf_ranks), *more, "-np", str(ranks),
                   benchmark.program, str(BEGIN + WATCHED + 3)]
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 env=turns.environment() | {tool.RUN_VARIABLE: run}, start_new_session=True)
        with turns.time_limit(child, 120):
            time.sleep(BEGIN)
            pids = tool.processes(run)
            before, begin = _used(pids), time.monotonic()
            time.sleep(WATCHED)
            after, seconds = _used(pids), time.monotonic() - begin
            child.wait()
    if child.returncode != 0 or not pids:
        raise turns.Failed(f"{benchmark.name}: exit code {child.returncode}")
    return [len(pids)], [f"{(after[0] - before[0]) / 1e7 / seconds:.3f}", f"{(after[1] - before[1]) / seconds:.0f}"]


def measure(benchmark, repeat, mustrun, header, path):
    rows = []
    for ranks, leaf_ranks in benchmark.shapes:
        for i in range(repeat):
            processes, figures = _one(benchmark, ranks, leaf_ranks, mustrun)
            rows.append([ranks, *processes, i, *figures])
        print(f"{benchmark.name}: {ranks} ranks, {leaf_ranks} at each process", file=sys.stderr)
    plain.write(path, header, COLUMNS, rows)
