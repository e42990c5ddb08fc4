# SPDX-License-Identifier: BSD-3-Clause
"""What it costs to see the loads and stores of programs that compute: compiled for the tool, without and with it, and with
ThreadSanitizer, in turns with the program compiled as usual. A turn is a row; the ratios are those of the loop."""

import dataclasses
import os
import re
import sys
import tempfile
import time

import plain
import turns

VARIANTS = ("without_tool", "with_tool", "tsan")
_ROW = re.compile(r"^(\w+) ([0-9.e+-]+)$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Sanitizing:
    name: str  # of the CSV file
    group: str
    program: str  # compiled as usual
    instrumented: str
    tsan: str
    ranks: tuple = (2,)

    def columns(self):
        return ["program", "ranks", "repeat", *VARIANTS, "seconds_plain", "others_load"]


def loops(output):
    """{kernel: seconds} of what a program prints."""
    return {name: float(seconds) for name, seconds in _ROW.findall(output)}


def _turn(benchmark, ranks, mustrun):
    """The rows of a turn, without its number."""
    more = ["--oversubscribe"] if ranks > os.cpu_count() else []
    busy, begin, used = turns.busy_seconds(), time.monotonic(), 0
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        tool = [str(mustrun), "--must:output-dir", folder, "--must:quiet"]
        for variant, start, program, variables in (
                ("plain", ["mpirun"], benchmark.program, {}), ("without_tool", ["mpirun"], benchmark.instrumented, {}),
                ("with_tool", tool, benchmark.instrumented, {}),
                # RATIONALE: what it would say of the MPI library, which is not compiled for it, takes time.
                ("tsan", ["mpirun"], benchmark.tsan, {"TSAN_OPTIONS": "report_bugs=0"})):
            output, _, cpu = turns.run([*start, *more, "-np", str(ranks), program], folder, variables)
            found[variant] = loops(output)
            used += cpu
    others = max(0.0, turns.busy_seconds() - busy - used) / (time.monotonic() - begin)
    for kernel, seconds in found["plain"].items():
        yield [kernel, ranks, None, *(f"{found[variant][kernel] / seconds:.3f}" for variant in VARIANTS), f"{seconds:.4g}", f"{others:.2f}"]


def measure(benchmark, repeat, quiet, mustrun, header, path):
    """Write the CSV file. Of up to twice `repeat` turns, those are kept in which others used least of the processors."""
    rows, comments = [], list(header)
    for ranks in benchmark.ranks:
        new, kept, made = turns.quietest(lambda: _turn(benchmark, ranks, mustrun), repeat, quiet)
        rows += new
        comments.append((f"pairs, {ranks} ranks", kept))
        print(f"{benchmark.name}: {ranks} ranks, {made} turns", file=sys.stderr)
    plain.write(path, comments, benchmark.columns(), rows)
