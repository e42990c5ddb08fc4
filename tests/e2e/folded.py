#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run one test program with and without folding, and compare the reports: findings, ranks, places, details, last calls and counts.
One-sided accesses are not followed, because that needs every record.

Each report with folding must also come without. If a program has several reports without folding, it is run until that is so, and then
further runs are made with less compared: not what depends on the moment at which a run is looked at, then not the number of calls of a
program that polls, then only the verdict. A program that says FOLDS must be folded.

Exit code 0: equal; 1: not; 2: the test itself is wrong; 77: skipped, something that the program needs is missing."""

import argparse
import difflib
import json
import os
import sys
import tempfile

import run

RUNS = 2  # with folding
TRIES = 8  # without folding
# What depends on speed and order of the run, and what says how much was folded.
TIMING = ("order_hash", "seconds_to_verdict", "searches", "full_waits", "tool_waits")
FOLDING = ("folded_records", "folded_iterations", "folded_blocks", "folds_given_up")
CALLS = ("calls", "records")
LEVELS = 4
SETTLED = 1  # the first level that does not depend on the moment
VARYING = ("seconds", "command", "replay", "tool")
MOMENT = ("last_calls", "files", "basis", "now")


def read_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", required=True, help="source file with the expectation")
    parser.add_argument("--program", required=True, help="executable, or the interpreter of a script")
    parser.add_argument("--mustrun", required=True, help="the tool's launcher")
    parser.set_defaults(mpiexec=None, launch=[])
    return parser.parse_args(argv)


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
    """The runs with folding, or those without: the reports that were seen, as text, at each level."""

    def __init__(self, folding):
        self.folding, self.seen, self.iterations = folding, None, 0

    def run(self, arguments, e):
        with tempfile.TemporaryDirectory() as folder:
            arguments.option = ["--must:fold", self.folding, "--must:rma", "off"]
            observed = run.run_observed(arguments, e, folder)
            report, error = run.load_report(folder)
        if report is not None:
            self.iterations = max(self.iterations, report["statistics"]["folded_iterations"])
        texts = levels(report) if report is not None else [f"exit code {observed.exit_code}: {error}"] * LEVELS
        self.seen = self.seen or [set() for _ in texts]
        for seen, text in zip(self.seen, texts):
            seen.add(text)


def equal_at(off, on):
    """The level from which all reports with folding are also there without, or None. RATIONALE: what never varies without folding must
    not be different with it; so a level is left for the next one only if it varies."""
    for level, (a, b) in enumerate(zip(off.seen, on.seen)):
        if b <= a:
            return level
        if len(a) == 1:
            return None
    return None


def differences(off, on):
    for a, b in zip(reversed(off.seen), reversed(on.seen)):
        if not b <= a:
            first, second = min(a).splitlines(), min(b - a).splitlines()
            return list(difflib.unified_diff(first, second, "without folding", "with folding", lineterm=""))
    return []


def compare(arguments, e):
    name = os.path.basename(arguments.source)
    off, on = Side("off"), Side("on")
    for _ in range(RUNS):
        on.run(arguments, e)
    level = None
    for _ in range(TRIES):
        off.run(arguments, e)
        level = equal_at(off, on)
        if level is not None and level <= SETTLED:
            break
    if level is None:
        print(f"{name}: {len(off.seen[0])} reports without folding and {len(on.seen[0])} with, of which some are not among the others")
        print("\n".join(differences(off, on)[:40]))
        return 1
    for _ in range(TRIES):
        if on.iterations > 0 or not e.folds:
            break
        on.run(arguments, e)
    print(f"{name}: equal at level {level}, {on.iterations} iterations folded, {len(off.seen[0])} reports without, {len(on.seen[0])} with")
    if e.folds and on.iterations == 0:
        print("nothing was folded")
        return 1
    return 0


def main(argv):
    arguments = read_arguments(argv)
    e, code = run.prepare(arguments)
    return code if e is None else compare(arguments, e)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
