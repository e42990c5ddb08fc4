#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run one test program with and without folding, and compare the reports: findings, ranks, places, details, and counts. One-sided
accesses are not followed, because that needs every record. Some programs have several reports, folded or not: then each side is run a few
times, and they must have one in common. What is different in the runs without folding, too, is not compared: the number of calls of a
program that polls, or texts that name messages and processes. Verdicts always are.

Exit code 0: equal; 1: not; 2: the test itself is wrong; 77: skipped, something that the program needs is missing."""

import argparse
import json
import os
import sys
import tempfile

import expectation
import run

TRIES = 5  # runs of each side
# What depends on speed and order of the run, and what says how much was folded.
TIMING = ("order_hash", "seconds_to_verdict", "searches", "full_waits", "tool_waits")
FOLDING = ("folded_records", "folded_iterations", "folded_blocks", "folds_given_up")
CALLS = ("calls", "records")
VARYING = ("seconds", "command", "replay", "tool", "last_calls", "files", "basis", "now")


def read_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", required=True, help="source file with the expectation")
    parser.add_argument("--program", required=True, help="executable, or the interpreter of a script")
    parser.add_argument("--mustrun", required=True, help="the tool's launcher")
    parser.set_defaults(mpiexec=None, launch=[])
    return parser.parse_args(argv)


def stable(value):
    """The part of a report that does not depend on time."""
    if isinstance(value, dict):
        return {k: stable(v) for k, v in value.items() if k not in VARYING}
    if isinstance(value, list):
        return [stable(v) for v in value]
    return value


def verdict(report):
    findings = [[f[key] for key in ("id", "class", "severity", "ranks", "roots")] for f in report["findings"]]
    return {"verdict": report["verdict"], "complete": report["complete"], "findings": sorted(findings, key=str)}


def levels(report):
    """What is compared, as text: all, all without the number of calls, the verdict."""
    kept = stable(report)
    kept["findings"] = sorted(kept["findings"], key=lambda f: json.dumps(f, sort_keys=True))
    counts = {k: v for k, v in report["statistics"].items() if k not in TIMING + FOLDING}
    few = {k: v for k, v in counts.items() if k not in CALLS}
    contents = ({**kept, "statistics": counts}, {**kept, "statistics": few}, verdict(report))
    return [json.dumps(content, sort_keys=True, indent=1) for content in contents]


class Side:
    """The runs with folding, or those without."""

    def __init__(self, folding):
        self.folding, self.seen, self.iterations = folding, [set(), set(), set()], 0

    def run(self, arguments, e):
        with tempfile.TemporaryDirectory() as folder:
            arguments.option = ["--must:fold", self.folding, "--must:rma", "off"]
            observed = run.run_observed(arguments, e, folder)
            report, error = run.load_report(folder)
        if report is not None:
            self.iterations = max(self.iterations, report["statistics"]["folded_iterations"])
        for i, seen in enumerate(self.seen):
            seen.add(levels(report)[i] if report is not None else f"exit code {observed.exit_code}: {error}")


def are_equal(off, on):
    for a, b in zip(off.seen, on.seen):
        if a & b:
            return True
        if len(a) == 1:
            return False
    return False


def differences(off, on):
    for a, b in zip(reversed(off.seen), reversed(on.seen)):
        if not a & b:
            first, second = min(a).splitlines(), min(b).splitlines()
            return [f"off: {x.strip()}" for x in first if x not in second] + [f"on:  {x.strip()}" for x in second if x not in first]
    return []


def compare(arguments, e):
    name = os.path.basename(arguments.source)
    off, on = Side("off"), Side("on")
    for _ in range(TRIES):
        off.run(arguments, e)
        on.run(arguments, e)
        if are_equal(off, on):
            print(f"{name}: equal, {on.iterations} iterations folded, {len(off.seen[0])} reports without folding, {len(on.seen[0])} with")
            return 0
    print(f"{name}: {len(off.seen[0])} reports without folding and {len(on.seen[0])} with, and none is in both")
    print("\n".join(differences(off, on)[:40]))
    return 1


def main(argv):
    arguments = read_arguments(argv)
    if why := run.missing(arguments):
        print(f"skipped: {why}")
        return run.SKIPPED
    with open(arguments.source, encoding="utf-8") as file:
        try:
            e = expectation.parse(file.read(), os.path.basename(arguments.source))
        except expectation.BadExpectation as error:
            print(f"{arguments.source}: {error}")
            return 2
    return compare(arguments, e)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
