#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Explore a straight-line program of scenarios.txt, compare what was found, and replay an order of an outcome, each night of each outcome.

Exit code 0: as expected; 1: not; 2: there is no such scenario; 77: skipped."""

import argparse
import os
import re
import shlex
import shutil
import sys

import exploring

SKIPPED = 77


class Scenario:
    """As orders.Program."""

    def __init__(self, name, words, executable):
        self.name = name
        self.ranks = len(words)
        self.words = [os.path.realpath(executable), *words]


def find(path, wanted):
    """(words of each rank, what is expected); None."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = re.fullmatch(r"(?:nightly )?(\w+): (.*) -> (.*)\n", line)
            if match and match[1] == wanted:
                return shlex.split(match[2]), exploring.parse_expected(None, match[3])
    return None


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="the executable of straight_line.c")
    parser.add_argument("--mustrun", required=True, help="the tool's launcher")
    parser.add_argument("--scenarios", required=True, help="scenarios.txt")
    parser.add_argument("--nightly", action="store_true", help="replay more")
    parser.add_argument("name")
    arguments = parser.parse_args(argv)
    if shutil.which("mpirun") is None:
        print("skipped: mpirun is not there")
        return SKIPPED
    found = find(arguments.scenarios, arguments.name)
    if found is None:
        print(f"{arguments.scenarios} has no {arguments.name}")
        return 2
    words, expected = found
    with exploring.Lab(arguments.mustrun, Scenario(arguments.name, words, arguments.program)) as lab:
        exploration = lab.explore()
        problems = list(exploring.check(exploration, expected))
        problems = problems or list(exploring.check_replays(lab, exploration, expected, is_nightly=arguments.nightly))
    for problem in problems:
        print(f"{arguments.name}: {problem}")
    if problems:
        print(exploration.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
