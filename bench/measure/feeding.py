# SPDX-License-Identifier: BSD-3-Clause
"""A real tree of tool processes, fed as fast as it takes records by processes that play many ranks each."""

import dataclasses
import json
import os
import re
import sys
import tempfile

import plain
import turns

COLUMNS = ["pattern", "ranks", "tool_processes", "repeat", "records", "seconds", "million_records_per_s", "full_waits",
           "other_cpu_seconds"]


@dataclasses.dataclass(frozen=True)
class Feeding:
    name: str
    group: str
    program: str
    patterns: tuple = ("halo", "farm", "collectives", "random")
    shapes: tuple = ((1, 64), (4, 16), (4, 256), (16, 64))  # tool processes, ranks at each
    records: int = 2000000


def _one(benchmark, pattern, processes, ranks, mustrun):
    with tempfile.TemporaryDirectory() as folder:
        command = [str(mustrun), "--must:output-dir", folder, "--must:leaf-ranks", "1", "--oversubscribe", "-np",
                   str(processes), benchmark.program, "--pattern", pattern, "--ranks", str(ranks), "--records",
                   str(benchmark.records)]
        busy = turns.busy_seconds()
        output, _, cpu = turns.run(command, folder)
        other = max(0.0, turns.busy_seconds() - busy - cpu)
        with open(os.path.join(folder, "MUST_Output.json"), encoding="utf-8") as report:
            read = json.load(report)
        if read["findings"] or not read["complete"]:
            raise turns.Failed(f"{benchmark.name}: not a clean report: {json.dumps(read['findings'])[:2000]}")
        seconds = max(float(s) for s in re.findall(r"^seconds ([0-9.]+)$", output, re.MULTILINE))
        records = read["statistics"]["records"]
        return [records, f"{seconds:.4f}", f"{1e-6 * records / seconds:.3f}", read["statistics"]["full_waits"], f"{other:.2f}"]


def measure(benchmark, repeat, mustrun, header, path):
    rows = []
    for pattern in benchmark.patterns:
        for processes, ranks in benchmark.shapes:
            rows += [[pattern, processes * ranks, processes, i, *_one(benchmark, pattern, processes, ranks, mustrun)]
                     for i in range(repeat)]
            print(f"{benchmark.name}: {pattern}, {processes} x {ranks} ranks", file=sys.stderr)
    plain.write(path, header, COLUMNS, rows)
