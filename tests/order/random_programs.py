#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random programs (random_program.c): each is recorded with noise and replayed with other noise; or, with --deterministic, run twice with
different noise.

The negative control: some of them have another order when they are recorded again; a program whose recordings are all the same shows
nothing, so some of them must not be. With --plain they only run without the tool: all of them end."""

import argparse
import dataclasses
import os
import shutil
import subprocess
import sys

import orders

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "e2e"))
import budget  # noqa: E402 (stands in the folder of the programs)

SKIPPED = 77
FINDINGS_EXIT = 66
CONTROLS = 4  # so often is a program recorded again with other noise, until it has two orders, ..
DIFFERENT = 2  # .. until so many programs have two;
ENOUGH = 10  # of so many programs, so many do


def read_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="the executable of random_program.c")
    parser.add_argument("--mustrun", required=True, help="the tool's launcher")
    parser.add_argument("--first", type=int, default=1, help="seed")
    parser.add_argument("--count", type=int, default=20, help="programs")
    budget.add_argument(parser)
    parser.add_argument("--deterministic", action="store_true")
    parser.add_argument("--plain", action="store_true", help="without the tool")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the first program that fails")
    return parser.parse_args(argv)


class RandomProgram:
    """As orders.Program."""

    def __init__(self, executable, seed, ranks):
        self.name = f"random_program {seed}"
        self.seed = seed
        self.words = [os.path.realpath(executable), str(seed)]
        self.ranks = ranks


def fit_programs(arguments):
    command = [arguments.program, "--list", str(arguments.first), str(arguments.count)]
    lines = subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()
    for line in lines:
        seed, ranks = line.split()
        yield RandomProgram(arguments.program, int(seed), int(ranks))


def check_plain(lab):
    run = lab.plain({"NOISE": "1"})
    if run.exit_code != 0:
        yield f"without the tool the exit code is {run.exit_code}"


def steps_of(arguments, program):
    command = [arguments.program, "--show", str(program.seed)]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def without_potential(run):
    """The run with the exit code that it has without its potential deadlocks. RATIONALE: a message may be matched before its receive is
    cancelled. Then its sender goes on, and a deadlock of that sender is missed; whether it is so depends on which record comes first."""
    errors = [finding for finding in (run.report or {}).get("findings", []) if finding["severity"] == "error"]
    only_potential = all(finding["class"] == "potential" for finding in errors)
    return dataclasses.replace(run, exit_code=0) if run.exit_code == FINDINGS_EXIT and only_potential else run


def compare(again, first, cancels):
    """What is different in another run of one order: sentences. The verdict has to be the same, too, unless receives are cancelled."""
    if cancels:
        again, first = without_potential(again), without_potential(first)
    return list(orders.compare(again, first))


def check_replay(lab, path, recorded, cancels):
    if recorded.exit_code is None or recorded.report is None:
        yield f"the recording failed: exit code {recorded.exit_code}"
        yield recorded.stderr
        return
    replay = lab.run(orders.noise(3), ("replay", path), variables={"NOISE": "1"})
    problems = compare(replay, recorded, cancels)
    yield from problems
    if problems:
        yield replay.stderr


def hangs(run):
    """Such a program never does, but it may be able to with other buffers."""
    return [finding for finding in run.report["findings"] if finding["class"] == "manifest" or finding["id"] == "hang"]


def check_deterministic(lab, cancels):
    first = lab.run(orders.noise(4), "deterministic")
    if first.exit_code is None or first.report is None or hangs(first):
        yield f"the deterministic run failed: exit code {first.exit_code}"
        yield first.stderr
        return
    again = lab.run(orders.noise(5), "deterministic", variables={"NOISE": "1"})
    problems = compare(again, first, cancels)
    yield from problems
    if problems:
        yield again.stderr


class Control:
    def __init__(self):
        self.tried = self.different = 0

    def is_wanted(self):
        return self.different < DIFFERENT

    def add(self, lab, recorded):
        self.tried += 1
        for seed in range(CONTROLS):
            again = lab.run(orders.noise(10 + seed), ("record", lab.path(f"again{seed}")))
            if again.report is not None and again.hashes != recorded.hashes:
                self.different += 1
                return

    def problems(self):
        if self.tried >= ENOUGH and self.is_wanted():
            yield f"only {self.different} of {self.tried} programs had two orders with other noise"


def test(arguments, program, control):
    with orders.Lab(arguments.mustrun, program) as lab:
        if arguments.plain:
            yield from check_plain(lab)
            return
        path = lab.path("order")
        recorded = lab.run(orders.noise(1), ("record", path))
        cancels = "Cancel(" in steps_of(arguments, program)
        problems = list(check_deterministic(lab, cancels) if arguments.deterministic else check_replay(lab, path, recorded, cancels))
        yield from problems
        if not problems and control.is_wanted():
            control.add(lab, recorded)


def show(arguments, program, problems):
    print(f"{program.name}, {program.ranks} ranks:")
    print(steps_of(arguments, program))
    for problem in problems:
        print(f"  {problem}")


def main(argv):
    arguments = read_arguments(argv)
    if shutil.which("mpirun") is None:
        print("skipped: mpirun is not there")
        return SKIPPED
    control = Control()
    tried = failed = 0
    for program in budget.within(arguments.seconds, fit_programs(arguments)):
        tried += 1
        problems = list(test(arguments, program, control))
        if problems:
            show(arguments, program, problems)
            failed += 1
            if not arguments.keep_going:
                return 1
    for problem in control.problems():
        print(problem)
        failed += 1
    print(f"{tried} programs, {failed} failed; {control.different} of {control.tried} had two orders when recorded again")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
