# SPDX-License-Identifier: BSD-3-Clause
"""What a run of an exploration costs: in turns as many runs of the program by mpirun alone, and an exploration of that many runs,
one after the other and two at a time. A turn is a row; `ratio` is the wall time of a run against that of mpirun alone."""

import dataclasses
import os
import sys
import tempfile
import time

import plain
import turns

COLUMNS = ["program", "ranks", "jobs", "repeat", "runs", "ratio", "seconds_plain", "seconds_run", "others_load"]
RUNS = 12


@dataclasses.dataclass(frozen=True)
class Exploring:
    name: str
    group: str
    programs: dict  # {name: benchmark}


def _start(command, ranks):
    more = ["--oversubscribe"] if ranks > os.cpu_count() else []
    return [*command, *more, "-np", str(ranks)]


def _plain(benchmark, ranks):
    """(seconds of wall time, of processor time) of RUNS runs"""
    wall = cpu = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(RUNS):
            _, seconds, used = turns.run([*_start(["mpirun"], ranks), *benchmark.command], folder)
            wall += seconds
            cpu += used
    return wall, cpu


def _explored(benchmark, ranks, jobs, mustrun):
    with tempfile.TemporaryDirectory() as folder:
        options = ["--must:explore", f"--must:explore-bounds=runs={RUNS}", f"--must:explore-jobs={jobs}", "--must:quiet",
                   "--must:ignore-output", "^seconds", "--must:output", "json"]
        _, wall, cpu = turns.run([*_start([str(mustrun), *options], ranks), *benchmark.command], folder)
    return wall, cpu


def _turn(name, benchmark, ranks, mustrun):
    """The rows of a turn, without its number."""
    busy, begin = turns.busy_seconds(), time.monotonic()
    base, used = _plain(benchmark, ranks)
    walls = {}
    for jobs in (1, 2):
        walls[jobs], cpu = _explored(benchmark, ranks, jobs, mustrun)
        used += cpu
    others = max(0.0, turns.busy_seconds() - busy - used) / (time.monotonic() - begin)
    for jobs, wall in walls.items():
        yield [name, ranks, jobs, None, RUNS, f"{wall / base:.4f}", f"{base / RUNS:.4g}", f"{wall / RUNS:.4g}", f"{others:.2f}"]


def measure(benchmark, repeat, quiet, mustrun, header, path):
    """Write the CSV file. Of up to twice `repeat` turns, those are kept in which others used least of the processors."""
    rows, comments = [], list(header)
    for name, program in benchmark.programs.items():
        for ranks in program.ranks:
            new, kept, made = turns.quietest(lambda: _turn(name, program, ranks, mustrun), repeat, quiet, repeat_column=3)
            rows += new
            comments.append((f"pairs, {name}, {ranks} ranks", kept))
            print(f"{benchmark.name}: {name}, {ranks} ranks, {made} turns", file=sys.stderr)
    plain.write(path, comments, COLUMNS, rows)
