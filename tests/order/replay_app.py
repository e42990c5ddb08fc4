#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Record one run of a real application of tests/e2e/apps with noise, and replay it with other noise: the same outcomes and results.

First the negative control, as in run.py: noise with other seeds gives another order. Then deterministic runs, as there. Exit code 0: as
expected; 1: not; 77: skipped, the application is not installed, or decided by the time what it did."""

import argparse
import dataclasses
import os
import re
import shutil
import sys

import run  # isort: skip (before orders, which adds a folder that has another one)
import orders

HERE = os.path.dirname(os.path.realpath(__file__))
APPS = os.path.join(HERE, os.pardir, "e2e", "apps")
sys.path.insert(0, APPS)
import run_app as apps  # noqa: E402

# What makes the results of a run tell more of its order.
WORDS = {"mumps": ["bits"]}
# Lines of the results that say how much work the time allowed: HPCC makes fewer updates of its table if the first percent of them takes
# 0.6 s, as it may on a busy machine. An order does not repeat that.
AMOUNT = {"hpcc": r"_ExeUpdates="}


class Application:
    """As orders.Program."""

    def __init__(self, name, app, words):
        self.name = name
        self.app = app
        self.words = words
        self.ranks = app.ranks


class Lab(orders.Lab):
    """The lines of a run are those of the application's results."""

    def __enter__(self):
        super().__enter__()
        for name in self.program.app.inputs:
            shutil.copy(os.path.join(APPS, name), self.folder)
        return self

    def __init__(self, mustrun, program):
        super().__init__(mustrun, program)
        self.amounts = set()  # different ones: the time decided what a run did

    def results(self, done):
        app = self.program.app
        text = "\n".join(done.stdout).encode()
        if app.result is not None:
            with open(self.path(app.result), "rb") as file:
                text = file.read()
            os.remove(self.path(app.result))
        amount = AMOUNT.get(self.program.name)
        if amount is not None:
            self.amounts.add(tuple(line for line in text.decode(errors="replace").splitlines() if re.search(amount, line)))
        return sorted(apps.results(app, text))  # without times, so that these do not decide the order

    def run(self, *options, **more):
        done = super().run(*options, **more)
        return dataclasses.replace(done, stdout=self.results(done))


def read_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mustrun", required=True, help="the tool's launcher")
    parser.add_argument("--drivers", default=".", help="folder of the programs that are built from those of tests/e2e/apps")
    parser.add_argument("--seeds", type=int, default=40, help="runs of the negative control, at most")
    parser.add_argument("--replays", type=int, default=5)
    parser.add_argument("--deterministic", type=int, default=0, help="so many deterministic runs")
    parser.add_argument("app", choices=sorted(apps.APPS))
    return parser.parse_args(argv)


def test(arguments, lab):
    recorded, path, problems = run.record(lab, [], arguments.seeds, control=True)
    yield from problems
    if recorded is not None:
        yield from run.check_replays(lab, [], recorded, path, arguments.replays)
        yield from run.check_deterministic(lab, [], arguments.deterministic, bool(recorded.findings("deadlock")))


def main(argv):
    arguments = read_arguments(argv)
    app = apps.APPS[arguments.app]
    words = apps.find_command(app, arguments.drivers)
    if words is None:
        print(f"skipped: install the Debian package {app.package}")
        return run.SKIPPED
    with Lab(arguments.mustrun, Application(arguments.app, app, words + WORDS.get(arguments.app, []))) as lab:
        problems = list(test(arguments, lab))
    if problems and len(lab.amounts) > 1:
        print(f"skipped: the time decided how much {arguments.app} did: {lab.amounts}")
        return run.SKIPPED
    for problem in problems:
        print(f"{arguments.app}: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
