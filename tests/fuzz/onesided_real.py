#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random one-sided programs, executed by the MPI library under the tool: the conflicts in the report are those of the graph of their
events, except those that data may order; no other one is reported, and the tool says nothing else of the accesses. Half of the programs
load from and store to their own memory, and are compiled for it. In half of them, messages and collective calls have their buffers in
the memory of windows, and in some they are pending. Some are judged by the separate memory model. Buffers of one rank that are in use at
the same time are reported, if one of them is written."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "e2e"))
import budget  # noqa: E402 (stands in the folder of the programs)

SKIPPED = 77
FINDINGS_MOST = 20  # the report names no more pairs; programs with more are left out


def read_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", required=True, help="the executable of onesided_source.c")
    parser.add_argument("--mustrun", required=True, help="the tool's launcher")
    parser.add_argument("--mpicc", required=True, help="the compiler of MPI programs")
    parser.add_argument("--memory", required=True, help="the library that programs link whose loads and stores are seen")
    parser.add_argument("--first", type=int, default=1, help="seed")
    parser.add_argument("--count", type=int, default=10, help="programs")
    budget.add_argument(parser)
    parser.add_argument("--keep", metavar="FOLDER", help="keep the programs that fail here")
    return parser.parse_args(argv)


class Program:
    def __init__(self, arguments, seed, folder):
        self.path = os.path.join(folder, "program.c")
        self.executable = os.path.join(folder, "program")
        with open(self.path, "wb") as out:
            done = subprocess.run([arguments.source, str(seed)], stdout=out, stderr=subprocess.PIPE, timeout=900, check=True)
        lines = [line.split() for line in done.stderr.decode().splitlines()]
        self.ranks = int(lines[0][1])
        self.has_touches = ["touches"] in lines
        self.has_buffers = ["buffers"] in lines
        self.is_separate = ["separate"] in lines
        self.conflicts = {frozenset(map(int, line[1:])) for line in lines if line[0] == "conflict"}
        self.perhaps = {frozenset(map(int, line[1:])) for line in lines if line[0] == "perhaps"}
        self.excused = {frozenset(map(int, line[1:])) for line in lines if line[0] == "excused"}
        self.overlaps = {tuple(map(int, line[1:])) for line in lines if line[0] == "overlap"}

    def compile(self, mpicc, memory):
        made = self.executable + ".o"
        see = ["-fsanitize=thread"] if self.has_touches else []
        use = [memory, "-ldl"] if self.has_touches else []
        subprocess.run([mpicc, "-g", "-O0", "-w", *see, "-c", "-o", made, self.path], timeout=900, check=True)
        subprocess.run([mpicc, "-o", self.executable, made, *use], timeout=900, check=True)


def run(arguments, program, folder):
    """The report, or None and what went wrong."""
    words = [arguments.mustrun, "--must:output", "json", "--must:output-dir", folder, "--must:rma", "on", "--must:sends", "buffered"]
    words += ["--must:memory-model", "separate"] if program.is_separate else []
    words += ["--oversubscribe", "-np", str(program.ranks), program.executable]
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=900, check=False, cwd=folder)
    except subprocess.TimeoutExpired:
        return None, "it does not end"
    if done.returncode not in (0, 66):
        return None, f"exit code {done.returncode}: {done.stderr.decode(errors='replace')}"
    with open(os.path.join(folder, "MUST_Output.json"), encoding="utf-8") as file:
        return json.load(file), None


OVERLAPS = ("buffer-overlap", "buffer-access")


def lines_of(finding):
    return [int(n) for n in re.findall(r"\bprogram\.c:(\d+)", finding["message"])]


def reported(report):
    """The pairs of lines of the conflicts."""
    return {frozenset(lines_of(f)) for f in report["findings"] if f["id"] in ("rma-conflict", "window-sync")}


def problems_of_overlaps(program, report):
    """A call is reported with one of the pending ones."""
    found = {tuple(reversed(lines_of(f))) for f in report["findings"] if f["id"] in OVERLAPS}
    for pair in found - program.overlaps:
        yield f"a false overlap at lines {pair}"
    for line in {second for _, second in program.overlaps} - {second for _, second in found}:
        yield f"no overlap at line {line}"


def problems(program, report):
    found = reported(report)
    for pair in found - program.conflicts - program.perhaps:
        yield f"a false conflict at lines {sorted(pair)}" + (" (data may order it)" if pair in program.excused else "")
    for pair in program.conflicts - found:
        yield f"no conflict at lines {sorted(pair)}"
    yield from problems_of_overlaps(program, report)
    for finding in report["findings"]:
        if finding["id"] not in ("rma-conflict", "window-sync", *OVERLAPS):
            yield f"{finding['id']}: {finding['message']}"
    for note in report.get("notes", []):
        if "accesses were not compared" in note:
            yield note


def keep(arguments, program, seed):
    if arguments.keep is not None:
        shutil.copy(program.path, os.path.join(arguments.keep, f"program_{seed}.c"))


def test(arguments, program, seed, folder):
    program.compile(arguments.mpicc, arguments.memory)
    report, why = run(arguments, program, folder)
    wrong = [why] if report is None else list(problems(program, report))
    if wrong:
        print(f"seed {seed}, {program.ranks} ranks:")
        keep(arguments, program, seed)
    for line in wrong:
        print(f"  {line}")
    return not wrong


def main(argv):
    arguments = read_arguments(argv)
    if shutil.which("mpirun") is None:
        print("skipped: mpirun is not there")
        return SKIPPED
    tried = failed = conflicts = excused = overlaps = touching = buffers = separate = 0
    seed = arguments.first
    while tried < arguments.count and (tried == 0 or budget.spent() < arguments.seconds):
        with tempfile.TemporaryDirectory() as folder:
            program = Program(arguments, seed, folder)
            if len(program.conflicts) <= FINDINGS_MOST // 2 and len(program.overlaps) <= FINDINGS_MOST:  # a pair can conflict in two ways
                tried += 1
                touching += program.has_touches
                buffers += program.has_buffers
                separate += program.is_separate
                conflicts += len(program.conflicts)
                overlaps += len(program.overlaps)
                excused += len(program.excused)
                failed += not test(arguments, program, seed, folder)
        seed += 1
    kinds = f"{touching} with loads and stores, {buffers} with messages in windows, {separate} with the separate memory model"
    print(f"{tried} programs, {kinds}, {conflicts} conflicts, {excused} that data may order, {overlaps} overlaps, {failed} failed")
    return 1 if failed or conflicts == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
