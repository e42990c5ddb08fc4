#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run a test program with one of its functions left without a hook: the calls are counted, and no finding is false. What the program is
found to do wrong otherwise need not be found.

usage: unhooked.py [--function NAME] OPTIONS-OF-RUN.PY

Without --function, it is any one that the program calls; the output says which. Exit codes as those of run.py."""

import glob
import os
import random
import re
import subprocess
import sys

import process
import run

SPEC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "interceptor", "spec", "*.mpi")
# A program that hangs without the tool may hang with it, too, and is ended then. What was found so far must be true.
HANG = 10.0


def hooked():
    """The functions that have a hook."""
    names = set()
    for path in glob.glob(SPEC):
        with open(path, encoding="utf-8") as file:
            names |= set(re.findall(r"^(MPI_\w+)\(", file.read(), re.MULTILINE))
    return names


def called(program):
    """Those that the program calls by itself, sorted."""
    symbols = subprocess.run(["nm", "-D", "--undefined-only", program], check=True, capture_output=True, text=True).stdout.split()
    return sorted(hooked() & set(symbols))


def is_expected(e, finding):
    """May this finding be true, by what the program's comment says? A deadlock may lack the rank that would make it manifest."""
    if finding["id"] == "deadlock":
        classes = {finding["class"], "manifest" if finding["class"] == "potential" else ""}
        ranks = [d.ranks for d in e.required + e.allowed if d.class_ in classes]
        return any(one is None or set(finding["ranks"]) <= one for one in ranks) or "deadlock" in e.allowed_ids
    if finding["id"] == "hang":
        return not run.is_to_end(e) or "hang" in e.allowed_ids
    known = [id_ for id_, _ in e.findings] + e.allowed_ids
    return finding["id"] in known or e.expect == "no-deadlock"


def check(e, observed, folder, function, is_sure):
    is_to_end = run.is_to_end(e)
    if is_to_end and observed.exit_code is None:
        yield f"mustrun did not end within {process.FAR:.0f} s"
    if is_to_end and observed.leftovers:
        yield "left behind: " + "; ".join(observed.leftovers)
    if is_to_end and not e.is_compared:
        yield from run.check_output(e, observed)
    report, error = run.load_report(folder)
    if report is None and observed.exit_code is None:  # nothing was found
        return
    if report is None:
        yield error
        return
    for finding in report["findings"]:
        if not is_expected(e, finding):
            yield f"reported and not expected: {finding['id']}: {finding['message']}"
    if is_sure and not any(re.search(rf"\d calls? of {function} ", note) for note in report["notes"]):
        yield f"no note counts the calls of {function}: {report['notes']}"


def choose(program, wanted):
    if wanted is not None:
        return wanted
    names = called(program)
    return random.choice(names) if names else None


def main(argv):
    function = argv[argv.index("--function") + 1] if "--function" in argv else None
    rest = [word for word in argv if word not in ("--function", function)]
    arguments = run.read_arguments(rest)
    e, code = run.prepare(arguments)
    if e is None:
        return code
    chosen = choose(os.path.realpath(arguments.program), function)
    if chosen is None or e.stop or e.interrupt:
        print("skipped: it calls no function with a hook, or goes on until it is told to stop")
        return run.SKIPPED
    print(f"without the hook of {chosen}")
    os.environ["ORKNOT_UNHOOKED"] = chosen
    if run.oversubscribe(arguments):
        arguments.launch += ["-x", "ORKNOT_UNHOOKED"]
    folder = process.new_folder()
    try:
        how = {} if run.is_to_end(e) else {"limit": HANG, "is_to_hang": True}
        observed = run.run_observed(arguments, e, folder, **how)
        problems = list(check(e, observed, folder, chosen, function is not None))
    finally:
        process.remove_folder(folder)
    return run.complain(os.path.basename(arguments.source), problems) if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
