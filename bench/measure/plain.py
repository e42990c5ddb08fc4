# SPDX-License-Identifier: BSD-3-Clause
"""Programs that measure by themselves and print CSV: run some times, all rows kept with the number of the run."""

import csv
import dataclasses
import io
import os
import subprocess
import sys

LONGEST = 900  # seconds of one run
TUNABLES = "glibc.malloc.hugetlb=1"  # as mustrun sets it for the tool


@dataclasses.dataclass(frozen=True)
class Plain:
    name: str
    group: str
    command: list
    keys: tuple  # columns that say what was measured; the others are figures
    runs: int = 1  # 1: the program gives medians of its own


def _rows(command):
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LONGEST, check=False,
                            env={**os.environ, "GLIBC_TUNABLES": TUNABLES})
    if result.returncode != 0:
        raise RuntimeError(f"exit code {result.returncode} of {' '.join(command)}\n{result.stderr[-2000:]}")
    return list(csv.reader(io.StringIO(result.stdout)))


def write(path, header, columns, rows):
    """CSV with the header as comments."""
    with open(path, "w", encoding="utf-8", newline="") as out:
        for key, value in header:
            out.write(f"# {key}: {value}\n")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def measure(benchmark, header, path):
    columns, rows = None, []
    for run in range(benchmark.runs):
        columns, *new = _rows(benchmark.command)
        rows += [[run, *row] for row in new]
        print(f"{benchmark.name}: run {run + 1} of {benchmark.runs}", file=sys.stderr)
    write(path, [*header, ("command", " ".join([benchmark.command[0].rsplit("/", 1)[-1], *benchmark.command[1:]]))],
          ["run", *columns], rows)
