#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Explore a real application under bounds: its result depends on the order of messages, and the order of each result repeats it.

mplrs finds the vertices of a polytope: whichever worker is ready first gets the next part, and prints first.

Exit code 0: as expected; 1: not; 77: skipped, it is not installed."""

import argparse
import dataclasses
import glob
import os
import re
import shutil
import sys

import exploring

HERE = os.path.dirname(os.path.realpath(__file__))
SKIPPED = 77
REPLAYS = 3


@dataclasses.dataclass
class Application:
    """As orders.Program, but for `words`."""

    name: str
    words: list  # the program is a name in PATH
    package: str
    runs: int
    ignored: str = "$^"  # lines that are no result
    inputs: list = dataclasses.field(default_factory=list)
    ranks: int = 4


APPS = (
    Application("mplrs", ["mplrs", "cube.ine", "-id", "1", "-maxc", "4"], "mplrs", 4, r"^\*", ["cube.ine"]),
)


def results(text, app):
    return [line for line in text.splitlines() if not re.search(app.ignored, line)]


def own_results(folder, app):
    """What the first run of an outcome printed, with the ranks one after the other."""
    lines = []
    for path in sorted(glob.glob(os.path.join(folder, "output", "**", "stdout"), recursive=True)):
        with open(path, encoding="utf-8", errors="replace") as file:
            lines += results(file.read(), app)
    return lines


def check_replays(lab, app, exploration):
    for outcome in exploration.outcomes[:REPLAYS]:
        command, _ = lab.command(("replay", exploration.path(outcome["order"])))
        done = exploring.orders.process.run(command, lab.folder, limit=exploring.orders.process.FAR)
        wanted = own_results(exploration.path(outcome["folder"]), app)
        got = results(done.stdout.decode(errors="replace"), app)
        if got != wanted:
            yield f"the replay of outcome {outcome['number']} printed {got}, the run {wanted}"
            yield done.stderr.decode(errors="replace")


def check(lab, app):
    for name in app.inputs:
        shutil.copy(os.path.join(HERE, name), lab.folder)
    exploration = lab.explore(("explore-bounds", f"runs={app.runs},sample=1"), ("ignore-output", app.ignored), limit=800.0)
    if exploration.exit_code != 66 or exploration.report is None:
        yield f"the exit code is {exploration.exit_code}"
        yield exploration.stderr
        return
    print(exploration.result["summary"])
    kinds = [outcome["kind"] for outcome in exploration.outcomes]
    if set(kinds) != {"ended"} or len(kinds) < 2:
        yield f"outcomes: {kinds}"
    if exploration.result["diverged"] or exploration.result["lost"]:
        yield f"diverged: {exploration.result['diverged']}, lost: {exploration.result['lost']}"
    yield from check_replays(lab, app, exploration)


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mustrun", required=True, help="the tool's launcher")
    parser.add_argument("app", choices=[app.name for app in APPS])
    arguments = parser.parse_args(argv)
    app = next(app for app in APPS if app.name == arguments.app)
    program = shutil.which(app.words[0])
    if program is None:
        print(f"skipped: install the Debian package {app.package}")
        return SKIPPED
    app = dataclasses.replace(app, words=[program, *app.words[1:]])
    with exploring.Lab(arguments.mustrun, app) as lab:
        problems = list(check(lab, app))
    for problem in problems:
        print(f"{app.name}: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
