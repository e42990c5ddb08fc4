# SPDX-License-Identifier: BSD-3-Clause
"""What it costs to record the order of a run and to replay it.

In turns: with the tool while it records no order (ORKNOT_ORDER=off), while it does, and a replay of that recording. A turn
is a row. The ratios are those of the loop, or of the processor time of all processes."""

import dataclasses
import json
import os
import sys
import tempfile
import time

import plain
import turns

COLUMNS = ["program", "ranks", "repeat", "choices", "bytes_a_choice", "recorded", "recorded_cpu", "replayed", "replayed_cpu",
           "seconds_unrecorded", "seconds_recorded", "seconds_replayed", "others_load"]


@dataclasses.dataclass(frozen=True)
class Recording:
    name: str
    group: str
    programs: dict  # {name: benchmark}


def run(mustrun, benchmark, ranks, folder, *options, variables=None):
    """({row: seconds of the loop}, seconds of processor time, statistics)"""
    more = ["--oversubscribe"] if ranks > os.cpu_count() else []
    start = [str(mustrun), "--must:output-dir", folder, "--must:output", "json", *options, *more, "-np", str(ranks)]
    output, wall, cpu = turns.run([*start, *benchmark.command], folder, variables)
    with open(os.path.join(folder, "MUST_Output.json"), encoding="utf-8") as file:
        report = json.load(file)
    findings = turns.unexpected_findings(report)
    if not report["complete"] or findings:
        raise turns.Failed(f"{benchmark.name}: not a clean report: {json.dumps(findings)[:2000]}")
    return benchmark.loops(output, wall), cpu, report["statistics"]


def _turn(name, benchmark, ranks, mustrun):
    """The rows of a turn, without its number."""
    busy, begin = turns.busy_seconds(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        order = os.path.join(folder, "order")
        base, base_cpu, without = run(mustrun, benchmark, ranks, folder, variables={"ORKNOT_ORDER": "off"})
        loop, cpu, recorded = run(mustrun, benchmark, ranks, folder, "--must:record", order)
        again, again_cpu, replayed = run(mustrun, benchmark, ranks, folder, "--must:replay", order)
        size = os.path.getsize(order)
    if without.get("order_hash") is not None:
        raise turns.Failed(f"{name}: an order was recorded without being wanted")
    if replayed["order_hash"] != recorded["order_hash"]:
        raise turns.Failed(f"{name}: the replay had another order")
    choices = sum(n or 0 for n in recorded["choices"])
    others = max(0.0, turns.busy_seconds() - busy - base_cpu - cpu - again_cpu) / (time.monotonic() - begin)
    for row in base:
        ratios = [loop[row] / base[row], cpu / base_cpu, again[row] / loop[row], again_cpu / cpu]
        yield [row or name, ranks, None, choices, f"{size / choices:.4f}", *(f"{ratio:.4f}" for ratio in ratios),
               *(f"{seconds[row]:.4g}" for seconds in (base, loop, again)), f"{others:.2f}"]


def measure(benchmark, repeat, quiet, mustrun, header, path):
    """Write the CSV file. Of up to twice `repeat` turns, those are kept in which others used least of the processors."""
    rows, comments = [], list(header)
    for name, program in benchmark.programs.items():
        for ranks in program.ranks:
            new, kept, made = turns.quietest(lambda: _turn(name, program, ranks, mustrun), repeat, quiet)
            rows += new
            comments.append((f"pairs, {name}, {ranks} ranks", kept))
            print(f"{benchmark.name}: {name}, {ranks} ranks, {made} turns", file=sys.stderr)
    plain.write(path, comments, COLUMNS, rows)
