# SPDX-License-Identifier: BSD-3-Clause
"""What it costs to follow one-sided accesses: with the tool that does not compare them, and with the tool that does, in turns with no
tool. A turn is a row; the ratios are those of the loop, and of the processor time of all processes, the comparison at the end
included."""

import dataclasses
import os
import re
import sys
import tempfile
import time

import plain
import recording
import turns

VARIANTS = ("off", "on")  # of --must:rma
_ROW = re.compile(r"^(\w+) ([0-9.]+)$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Onesided:
    name: str  # of the CSV file
    group: str
    program: str
    rounds: int = 0
    # Ranks and rounds. RATIONALE: a short loop shows what the first calls cost, which are not folded yet, a long one all others.
    runs: tuple = ((2, 4_000_000), (2, 400_000), (4, 400_000))

    def columns(self):
        return ["program", "ranks", "rounds", "repeat", *VARIANTS, *(f"{v}_cpu" for v in VARIANTS), "us_none",
                *(f"us_{v}" for v in VARIANTS), "others_load"]

    @property
    def command(self):
        return [self.program, str(self.rounds)]

    @staticmethod
    def loops(output, _wall):
        """{loop: seconds} of what the program prints."""
        return {name: float(seconds) for name, seconds in _ROW.findall(output)}


def _turn(benchmark, ranks, mustrun):
    """The rows of a turn, without its number."""
    more = ["--oversubscribe"] if ranks > os.cpu_count() else []
    busy, begin = turns.busy_seconds(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        output, wall, none_cpu = turns.run(["mpirun", *more, "-np", str(ranks), *benchmark.command], folder)
        none = benchmark.loops(output, wall)
        found = {v: recording.run(mustrun, benchmark, ranks, folder, "--must:rma", v)[:2] for v in VARIANTS}
    used = none_cpu + sum(cpu for _, cpu in found.values())
    others = max(0.0, turns.busy_seconds() - busy - used) / (time.monotonic() - begin)
    for loop, seconds in none.items():
        times = [found[v][0][loop] for v in VARIANTS]
        yield [loop, ranks, benchmark.rounds, None, *(f"{t / seconds:.3f}" for t in times),
               *(f"{found[v][1] / none_cpu:.3f}" for v in VARIANTS),
               *(f"{1e6 * t / benchmark.rounds:.4g}" for t in (seconds, *times)), f"{others:.2f}"]


def measure(benchmark, repeat, quiet, mustrun, header, path):
    """Write the CSV file. Of up to twice `repeat` turns, those are kept in which others used least of the processors."""
    rows, comments = [], list(header)
    for ranks, rounds in benchmark.runs:
        run = dataclasses.replace(benchmark, rounds=rounds)
        new, kept, made = turns.quietest(lambda: _turn(run, ranks, mustrun), repeat, quiet, 3)
        rows += new
        comments.append((f"pairs, {ranks} ranks, {rounds} rounds", kept))
        print(f"{benchmark.name}: {ranks} ranks, {rounds} rounds, {made} turns", file=sys.stderr)
    plain.write(path, comments, benchmark.columns(), rows)
