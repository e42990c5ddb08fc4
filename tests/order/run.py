#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Record one run of a racy program with noise, and replay it with other noise: the same outcomes each time.

With --choices PROGRAM, what order/causality/ finds in the records of the recorded run are the choices of its order: number, kind, place,
posted receive, source and tag.

With --control first the negative control: noise with other seeds gives another order, or the test would show nothing. Then deterministic
runs with different noise: they have the same outcomes, too. With --plain the program runs without the tool only, until it has printed two
different digests. Exit code 0: as expected; 1: not; 2: the test itself is wrong; 77: skipped, something that the program needs is
missing."""

import argparse
import os
import shutil
import subprocess
import sys

import orders

SKIPPED = 77
FIRST_SEED = 1000  # of the replays: not those of the recordings


def read_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", required=True, help="source file, with the number of ranks in its head comment")
    parser.add_argument("--program", required=True, help="executable, or the interpreter of a script")
    parser.add_argument("--mustrun", required=True, help="the tool's launcher")
    parser.add_argument("--choices", help="the executable of choices.c")
    parser.add_argument("--control", action="store_true", help="show that noise leads to more than one order")
    parser.add_argument("--seeds", type=int, default=40, help="runs of the negative control, at most")
    parser.add_argument("--replays", type=int, default=5)
    parser.add_argument("--deterministic", type=int, default=0, help="so many deterministic runs")
    parser.add_argument("--option", action="append", default=[], help="an option for mustrun, without --must:")
    parser.add_argument("--plain", action="store_true", help="only show that the program is racy without the tool")
    return parser.parse_args(argv)


def missing(arguments):
    """What this machine lacks for the program, or None."""
    if not os.access(arguments.program, os.X_OK):
        return f"{arguments.program} is not there"
    if arguments.source.endswith(".py"):
        probe = [arguments.program, "-c", "import mpi4py"]
        if subprocess.run(probe, capture_output=True, check=False).returncode != 0:
            return f"{arguments.program} has no mpi4py"
    if shutil.which("mpirun") is None:
        return "mpirun is not there"
    return None


def check_plain(lab, runs):
    """Without the tool, the program's own pauses lead to different outcomes."""
    digests = set()
    for _ in range(runs):
        run = lab.plain({"NOISE": "1"})
        if run.exit_code is None:
            yield "it did not end"
            return
        digests.add(tuple(run.stdout))
        if len(digests) > 1:
            return
    yield f"{runs} runs without the tool had the same outcomes: {digests}"


def record(lab, options, seeds, control, trace=None):
    """(recorded run, file, problems); the other runs of the negative control are recorded, too. `trace`: of the recorded run."""
    recorded = None
    for seed in range(1, seeds + 1):
        path = lab.path(f"order{seed}")
        traced = [("trace", trace)] if trace and recorded is None else []
        run = lab.run(orders.noise(seed), ("record", path), *traced, *options)
        if run.exit_code is None or run.report is None:
            return None, None, [f"the recording with seed {seed} failed: exit code {run.exit_code}", run.stderr]
        if not os.path.exists(path):
            return None, None, [f"the recording with seed {seed} left no file", run.stderr]
        if not run.hashes:
            return None, None, ["no rank has an order"]
        if not control:
            return run, path, []
        if recorded is None:
            recorded = run
        elif run.hashes != recorded.hashes:
            return recorded, lab.path("order1"), []
    return None, None, [f"noise with {seeds} seeds led to one order only"]


def check_choices(choices, trace):
    done = subprocess.run([choices, trace], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        yield f"the records of the recorded run have other choices than its order: {done.stdout}{done.stderr}"


def check_replays(lab, options, recorded, path, replays):
    for number in range(replays):
        run = lab.run(orders.noise(FIRST_SEED + number), ("replay", path), *options, variables={"NOISE": "1"})
        problems = list(orders.compare(run, recorded))
        if problems:
            yield f"replay {number + 1}:"
            yield from problems
            yield run.stderr
            return


def check_deterministic(lab, options, count, deadlocked):
    """The first run counts as the recorded one. `deadlocked`: so is a run that is not deterministic."""
    first = None
    for number in range(count):
        run = lab.run(orders.noise(FIRST_SEED + number), "deterministic", *options, variables={"NOISE": "1"})
        problems = list(orders.compare(run, first if first is not None else run))
        if run.report is not None and not run.hashes:
            problems.append("no rank has an order")
        problems += [finding["message"] for finding in run.findings("deadlock") if not deadlocked]
        if problems:
            yield f"deterministic run {number + 1}:"
            yield from problems
            yield run.stderr
            return
        first = first or run


def test(arguments, lab):
    if arguments.plain:
        yield from check_plain(lab, arguments.seeds)
        return
    options = [tuple(option.split("=", 1)) for option in arguments.option]
    trace = lab.path("trace") if arguments.choices else None
    recorded, path, problems = record(lab, options, arguments.seeds, arguments.control, trace)
    yield from problems
    if trace and recorded is not None:
        yield from check_choices(arguments.choices, trace)
    if recorded is not None:
        yield from check_replays(lab, options, recorded, path, arguments.replays)
        yield from check_deterministic(lab, options, arguments.deterministic, bool(recorded.findings("deadlock")))


def main(argv):
    arguments = read_arguments(argv)
    reason = missing(arguments)
    if reason:
        print(f"skipped: {reason}")
        return SKIPPED
    try:
        program = orders.Program(arguments.source, arguments.program)
    except ValueError as error:
        print(error)
        return 2
    with orders.Lab(arguments.mustrun, program) as lab:
        problems = list(test(arguments, lab))
    for problem in problems:
        print(f"{program.name}: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
