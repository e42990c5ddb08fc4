#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run one test program, or an application of apps/, with and without folding, and compare the reports: findings, ranks, places, details,
last calls and counts.

Each report with folding must also come without. If a program has several reports without folding, it is run until that is so, and then
further runs are made with less compared: not what depends on the moment at which a run is looked at, then not the number of calls of a
program that polls, then only the verdict. What differs once in many runs is no difference, unless it is the verdict. A program that says
FOLDS must be folded.

Exit code 0: equal; 1: not; 2: the test itself is wrong; 77: skipped, something that the program needs is missing."""

import argparse
import collections
import difflib
import json
import os
import sys
import tempfile

import run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "apps"))
import run_app  # noqa: E402 (stands in the folder of the applications)

RUNS = 2  # with folding
TRIES = 8  # without folding
# What depends on speed and order of the run, and what says how much was folded.
TIMING = ("order_hash", "seconds_to_verdict", "searches", "full_waits", "tool_waits")
FOLDING = ("folded_records", "folded_iterations", "folded_blocks", "folds_given_up")
CALLS = ("calls", "records")
LEVELS = 4
SETTLED = 1  # the first level that does not depend on the moment
VARYING = ("seconds", "started", "folder", "command", "replay", "tool")
MOMENT = ("last_calls", "messages", "calls_by_second", "files", "basis", "now")


def read_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", help="source file with the expectation")
    parser.add_argument("--program", help="executable, or the interpreter of a script")
    parser.add_argument("--app", choices=sorted(run_app.APPS), help="an application instead")
    parser.add_argument("--drivers", default=".", help="folder of the programs that are built from apps/")
    parser.add_argument("--mustrun", required=True, help="the tool's launcher")
    parser.set_defaults(mpiexec=None, launch=[])
    arguments = parser.parse_args(argv)
    if arguments.app is None and None in (arguments.source, arguments.program):
        parser.error("--source and --program are missing, or --app")
    return arguments


def without(value, keys):
    """A report without the values of these keys."""
    if isinstance(value, dict):
        return {k: without(v, keys) for k, v in value.items() if k not in keys}
    if isinstance(value, list):
        return [without(v, keys) for v in value]
    return value


def verdict(report):
    findings = [[f[key] for key in ("id", "class", "severity", "ranks", "roots")] for f in report["findings"]]
    return {"verdict": report["verdict"], "complete": report["complete"], "findings": sorted(findings, key=str)}


def ordered(value):
    """The value with all lists in an order that does not depend on which rank came first."""
    if isinstance(value, dict):
        return {k: ordered(v) for k, v in value.items()}
    if isinstance(value, list):
        return sorted((ordered(v) for v in value), key=lambda v: json.dumps(v, sort_keys=True))
    return value


def levels(report):
    """What is compared, as text: the more the earlier."""
    full = without({**report, "statistics": without(report["statistics"], TIMING + FOLDING)}, VARYING)
    settled = without(full, MOMENT)
    few = {**settled, "statistics": without(settled["statistics"], CALLS)}
    contents = (ordered(full), ordered(settled), ordered(few), verdict(report))
    return [json.dumps(content, sort_keys=True, indent=1) for content in contents]


class Side:
    """The runs with folding, or those without: at each level, the reports that were seen, as text, and how often."""

    def __init__(self, folding):
        self.folding, self.seen, self.iterations = folding, None, 0

    def run(self, observe):
        with tempfile.TemporaryDirectory() as folder:
            observed = observe(["--must:fold", self.folding], folder)
            report, error = run.load_report(folder)
        if report is not None:
            self.iterations = max(self.iterations, report["statistics"]["folded_iterations"])
        texts = levels(report) if report is not None else [f"exit code {observed.exit_code}: {error}"] * LEVELS
        self.seen = self.seen or [collections.Counter() for _ in texts]
        for seen, text in zip(self.seen, texts):
            seen[text] += 1


def foreign(off, on, level, often):
    """The reports with folding that came so often, and never without."""
    return [text for text, times in on.seen[level].items() if times >= often and text not in off.seen[level]]


def equal_at(off, on, often):
    """The level from which all reports with folding are also there without, or None. RATIONALE: what never varies without folding must
    not be different with it; so a level is left for the next one only if it varies."""
    for level in range(LEVELS):
        if not foreign(off, on, level, often if level < LEVELS - 1 else 1):
            return level
        if len(off.seen[level]) == 1:
            return None
    return None


def differences(off, on):
    for level in reversed(range(LEVELS)):
        if texts := foreign(off, on, level, 1):
            first, second = min(off.seen[level]).splitlines(), min(texts).splitlines()
            return list(difflib.unified_diff(first, second, "without folding", "with folding", lineterm=""))
    return []


def find_level(off, on, observe):
    """Run until the reports are equal at a level, or are not."""
    level = None
    for _ in range(RUNS):
        on.run(observe)
    for _ in range(TRIES):
        off.run(observe)
        level = equal_at(off, on, 1)
        if level is not None and level <= SETTLED:
            return level
    for _ in range(TRIES if level is None else 0):  # is the difference rare?
        on.run(observe)
        off.run(observe)
    return level if level is not None else equal_at(off, on, 2)


def compare(name, observe, must_fold):
    """observe(options, folder) runs the tool, which leaves its report in the folder."""
    off, on = Side("off"), Side("on")
    level = find_level(off, on, observe)
    if level is None:
        print(f"{name}: {len(off.seen[0])} reports without folding and {len(on.seen[0])} with, of which some are not among the others")
        print("\n".join(differences(off, on)[:40]))
        return 1
    for _ in range(TRIES):
        if on.iterations > 0 or not must_fold:
            break
        on.run(observe)
    print(f"{name}: equal at level {level}, {on.iterations} iterations folded, {len(off.seen[0])} reports without, {len(on.seen[0])} with")
    if must_fold and on.iterations == 0:
        print("nothing was folded")
        return 1
    return 0


def compare_program(arguments):
    e, code = run.prepare(arguments)
    if e is None:
        return code

    def observe(options, folder):
        arguments.option = options
        return run.run_observed(arguments, e, folder)

    return compare(os.path.basename(arguments.source), observe, e.folds)


def compare_app(arguments):
    app = run_app.APPS[arguments.app]
    command = run_app.find_command(app, arguments.drivers)
    if command is None:
        print(f"skipped: install the Debian package {app.package}")
        return run.SKIPPED

    def observe(options, folder):
        report = os.path.join(folder, "report")
        os.mkdir(report)
        launcher = [arguments.mustrun, "--must:output-dir", report, *options, "--oversubscribe"]
        return run_app.run(app, command, launcher, os.path.join(folder, "run"))[0]

    return compare(arguments.app, observe, False)


def main(argv):
    arguments = read_arguments(argv)
    return compare_program(arguments) if arguments.app is None else compare_app(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
