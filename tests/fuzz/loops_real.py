#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random programs of loops (loops_real.c), executed by the MPI library under the tool, with folding and without: the reports are equal.

A rank that repeats its records skips most of the work of its calls, so this compares the tables of requests and buffers that it makes up
for with those of a rank that never skips anything. With --replay, a run without folding is recorded, and replayed with folding: it must not
diverge, and each rank has the recorded order. The negative control: some of the programs have another order when they run so without the
recording."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "e2e"))
import budget  # noqa: E402 (stands there, too)
import folded  # noqa: E402 (stands in the folder of the programs)

RANKS = (2, 3)
TRIES = 4
CONTROLS = 2  # so many programs have another order without the recording
MORE = 10  # times as many programs, if the first ones have not shown all


def read_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mustrun", required=True, help="the tool's launcher")
    parser.add_argument("--program", required=True, help="the executable of loops_real.c")
    parser.add_argument("--first", type=int, default=1, help="seed")
    parser.add_argument("--count", type=int, default=10, help="programs")
    parser.add_argument("--loops", type=int, default=6, help="of a program")
    budget.add_argument(parser)
    parser.add_argument("--replay", action="store_true")
    return parser.parse_args(argv)


def report_of(arguments, seed, *options):
    with tempfile.TemporaryDirectory() as folder:
        ranks = str(RANKS[seed % len(RANKS)])
        program = [arguments.program, str(seed), str(arguments.loops)]
        command = [arguments.mustrun, "--oversubscribe", "-np", ranks, *options, "--must:output-dir", folder, *program]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=900, check=False)
        path = os.path.join(folder, "MUST_Output.json")
        if not os.path.exists(path):
            raise RuntimeError(f"program {seed} has no report, exit code {done.returncode}: {done.stderr.decode()[-2000:]}")
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        if report["ranks"] != int(ranks) or report["statistics"]["records"] == 0:
            raise RuntimeError(f"program {seed} was not run: {done.stderr.decode()[-2000:]}")
        del report["notes"]  # how far the search for alternative matches came depends on the machine
        return report


def run(arguments, seed, folding):
    """What is compared of the report, and the number of records that were folded."""
    report = report_of(arguments, seed, "--must:fold", folding)
    return folded.levels(report), report["statistics"]["folded_records"]


def is_equal(arguments, seed, totals):
    """RATIONALE: a report that depends on the moment or on how often the program polls is compared without that (folded.levels)."""
    off, on = [run(arguments, seed, "off")[0]], []
    for _ in range(TRIES):
        texts, records = run(arguments, seed, "on")
        totals["folded"] += records > 0
        totals["runs"] += 1
        on.append(texts)
        for level in range(folded.LEVELS - 1):
            if {texts[level] for texts in on} & {texts[level] for texts in off}:
                totals[level] = totals.get(level, 0) + 1
                return True
        off.append(run(arguments, seed, "off")[0])
    print(f"program {seed}: the reports with and without folding are never equal")
    level = 1
    for line in folded.difflib.unified_diff(off[0][level].splitlines(), on[0][level].splitlines(), "without", "with", lineterm=""):
        print(line)
    return False


def hash_of(report):
    return report["statistics"].get("order_hash")


def is_replayed(arguments, seed, totals):
    """RATIONALE: the verdict (the last level) of another run of one order may be another only if that order does not decide it; the other
    levels have what depends on the moment, or on the number of records."""
    with tempfile.TemporaryDirectory() as folder:
        order = os.path.join(folder, "order")
        off = report_of(arguments, seed, "--must:fold", "off", "--must:record", order)
        if not os.path.exists(order):
            return True  # it makes no choices
        on = report_of(arguments, seed, "--must:fold", "on", "--must:replay", order)
    totals["folded"] += on["statistics"]["folded_records"] > 0
    totals["runs"] += 1
    hashes = [hash_of(report) for report in (off, on)]
    if totals["others"] < CONTROLS:
        totals["others"] += hash_of(report_of(arguments, seed, "--must:fold", "on")) != hashes[0]
    verdicts = [folded.levels(report)[-1] for report in (off, on)]
    if hashes[0] == hashes[1] and verdicts[0] == verdicts[1]:
        return True
    print(f"program {seed}: recorded {hashes[0]}, replayed {hashes[1]}")
    for line in folded.difflib.unified_diff(*(verdict.splitlines() for verdict in verdicts), "recorded", "replayed", lineterm=""):
        print(line)
    return False


def complaints(arguments, totals):
    """What the programs have not shown."""
    if totals["folded"] == 0:
        yield "nothing was folded"
    if arguments.replay and totals["others"] < CONTROLS:
        yield f"only {totals['others']} programs had another order without the recording"


def seeds_of(arguments, totals):
    """RATIONALE: whether an iteration is folded, and whether two orders differ, is a matter of chance."""
    for number in range(MORE * arguments.count):
        if number >= arguments.count and not list(complaints(arguments, totals)):
            return
        yield arguments.first + number


def main(argv):
    arguments = read_arguments(argv)
    totals = {"folded": 0, "runs": 0, "others": 0}
    is_good = is_replayed if arguments.replay else is_equal
    tried, bad = 0, []
    for seed in budget.within(arguments.seconds, seeds_of(arguments, totals)):
        tried += 1
        bad += [] if is_good(arguments, seed, totals) else [seed]
    print(f"{tried} programs, {len(bad)} different: {bad}; {totals}")
    vain = list(complaints(arguments, totals)) if tried == MORE * arguments.count else []
    for problem in vain:
        print(problem)
    return 1 if bad or vain else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
