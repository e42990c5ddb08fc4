# SPDX-License-Identifier: BSD-3-Clause
"""What an option of the tool costs: in turns without it and with it.

A turn is a row. The ratios are those of the loop, or of the processor time of all processes."""

import dataclasses
import sys
import tempfile
import time

import plain
import recording
import turns

@dataclasses.dataclass(frozen=True)
class Option:
    name: str  # of the CSV file, and of columns
    group: str
    programs: dict  # {name: benchmark}
    words: tuple  # on the command line
    without: tuple = ()  # the same without the option, if it is the default

    def columns(self):
        return ["program", "ranks", "repeat", "choices", self.name, f"{self.name}_cpu", "us_a_choice", "seconds_tool",
                f"seconds_{self.name}", "others_load"]


def _turn(option, name, benchmark, ranks, mustrun):
    """The rows of a turn, without its number."""
    busy, begin = turns.busy_seconds(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        base, base_cpu, _ = recording.run(mustrun, benchmark, ranks, folder, *option.without)
        loop, cpu, statistics = recording.run(mustrun, benchmark, ranks, folder, *option.words)
    choices = sum(n or 0 for n in statistics.get("choices", []))
    others = max(0.0, turns.busy_seconds() - busy - base_cpu - cpu) / (time.monotonic() - begin)
    for row in base:
        each = f"{1e6 * (loop[row] - base[row]) / choices:.2f}" if choices > 0 else ""
        yield [f"{name} {row}" if row else name, ranks, None, choices, f"{loop[row] / base[row]:.4f}", f"{cpu / base_cpu:.4f}", each,
               f"{base[row]:.4g}", f"{loop[row]:.4g}", f"{others:.2f}"]


def measure(benchmark, repeat, quiet, mustrun, header, path):
    """Write the CSV file. Of up to twice `repeat` turns, those are kept in which others used least of the processors."""
    rows, comments = [], list(header)
    for name, program in benchmark.programs.items():
        for ranks in program.ranks:
            new, kept, made = turns.quietest(lambda: _turn(benchmark, name, program, ranks, mustrun), repeat, quiet)
            rows += new
            comments.append((f"pairs, {name}, {ranks} ranks", kept))
            print(f"{benchmark.name}: {name}, {ranks} ranks, {made} turns", file=sys.stderr)
    plain.write(path, comments, benchmark.columns(), rows)
