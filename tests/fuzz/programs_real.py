#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random programs that are correct (threads_real.c, handles_real.c), executed by the MPI library under the tool: it finds nothing in them.

One MPI job executes many programs, one after the other. The negative control: a job whose last program is wrong has exactly the finding
that this program asks for, so the tool has looked at all the others, too."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

RANKS = (2, 3)
JOB = 200  # programs


def read_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mustrun", required=True, help="the tool's launcher")
    parser.add_argument("--program", required=True, help="the executable")
    parser.add_argument("--first", type=int, default=1, help="seed")
    parser.add_argument("--count", type=int, default=10, help="programs")
    parser.add_argument("--wrong", default="type-mismatch", help="the finding of the wrong program")
    return parser.parse_args(argv)


def findings_of(arguments, first, count, *more):
    """The findings of the report of one job, without notes about the run."""
    ranks = str(RANKS[first // JOB % len(RANKS)])
    with tempfile.TemporaryDirectory() as folder:
        program = [arguments.program, str(first), str(count), *more]
        command = [arguments.mustrun, "--oversubscribe", "-np", ranks, "--must:output-dir", folder, *program]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=1800, cwd=folder, check=False)
        path = os.path.join(folder, "MUST_Output.json")
        if not os.path.exists(path):
            raise RuntimeError(f"programs {first} to {first + count - 1} have no report: {done.stderr.decode()[-2000:]}")
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        if report["ranks"] != int(ranks) or report["statistics"]["records"] == 0 or not report["complete"]:
            raise RuntimeError(f"programs {first} to {first + count - 1} were not observed: {done.stderr.decode()[-2000:]}")
        if report["application"]["exit_code"] != 0:
            raise RuntimeError(f"programs {first} to {first + count - 1} have failed: {done.stderr.decode()[-2000:]}")
        return report["findings"]


def main(argv):
    arguments = read_arguments(argv)
    bad = 0
    for first in range(arguments.first, arguments.first + arguments.count, JOB):
        count = min(JOB, arguments.first + arguments.count - first)
        findings = findings_of(arguments, first, count)
        bad += bool(findings)
        for finding in findings:
            print(f"programs {first} to {first + count - 1}: {finding['id']}: {finding['message']}")
    wrong = [finding["id"] for finding in findings_of(arguments, arguments.first, 1, "wrong")]
    print(f"{arguments.count} programs, {bad} jobs with findings; the wrong one has {wrong}")
    return 1 if bad or wrong != [arguments.wrong] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
