#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Explore a program as its head comment says, compare what was found, and replay an order of an outcome, once for each way in which the
program is run; each night one of each outcome.

Exit code 0: as expected; 1: not; 2: the test itself is wrong; 77: skipped, something that the program needs is missing."""

import argparse
import os
import re
import shutil
import subprocess
import sys

import exploring

SKIPPED = 77


def read_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", required=True, help="source file, with what is expected in its head comment")
    parser.add_argument("--program", required=True, help="executable, or the interpreter of a script")
    parser.add_argument("--nightly", action="store_true", help="explore as its lines for the night say, too, and replay more")
    parser.add_argument("--mustrun", required=True, help="the tool's launcher")
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


def check(lab, program, expected, is_replayed, is_nightly):
    exploration = lab.explore(*expected.options, expected=expected)
    problems = list(exploring.check(exploration, expected))
    problems += [f"stderr has no {regex}" for regex in program.says if not re.search(regex, exploration.stderr)]
    if is_replayed and not problems and "diverged" not in expected.counts:  # such a program need not follow its order
        problems = list(exploring.check_replays(lab, exploration, expected, program.varies, is_nightly))
    return problems + ([exploration.stderr] if problems else [])


def main(argv):
    arguments = read_arguments(argv)
    reason = missing(arguments)
    if reason:
        print(f"skipped: {reason}")
        return SKIPPED
    try:
        program = exploring.Program(arguments.source, arguments.program, ("EXPLORE", "NIGHTLY") if arguments.nightly else ("EXPLORE",))
    except ValueError as error:
        print(error)
        return 2
    if not program.expected:
        print(f"{arguments.source} does not say EXPLORE")
        return 2
    failed = 0
    replayed = set()
    for expected in program.expected:
        # RATIONALE: bounds say which orders are run, not how one is repeated.
        is_replayed = arguments.nightly or expected.program() not in replayed
        replayed.add(expected.program())
        with exploring.Lab(arguments.mustrun, program) as lab:
            problems = check(lab, program, expected, is_replayed, arguments.nightly)
        for problem in problems:
            print(f"{program.name} {expected.title}: {problem}")
        failed += bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
