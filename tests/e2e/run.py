#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run one test program under the tool, and compare with the expectation in its head comment; with --plain-only, run it without the tool.

Exit code 0: as expected; 1: not; 2: the test itself is wrong; 77: skipped, something that the program needs is missing."""

import json
import os
import re
import shlex
import sys

import comparison
import expectation
import process

USAGE = """usage: run.py --source FILE --program FILE --mustrun FILE [further options]
  --source FILE      source file with the expectation
  --program FILE     executable, or the interpreter of a script
  --mustrun FILE     the tool's launcher
  --mpiexec FILE     launcher of MPI programs (default: mpirun)
  --option WORD      an option for mustrun
  --launch WORD      an option for the launcher of MPI programs, without the tool, too
  --plain-only       check without the tool that the program ends or hangs as it says
  --other-library    the program is of another MPI library than the one for which its head comment was written: skipped if it does
                     otherwise without the tool, too
  --keep             keep the folder of the report"""

SKIPPED = 77
HANG = 3.0  # seconds after which --plain-only believes that a program hangs


class Arguments:
    """The command line: see USAGE."""

    def __init__(self):
        self.source = self.program = self.mustrun = self.mpiexec = None
        self.option, self.launch = [], []
        self.plain_only = self.other_library = self.keep = False


def read_arguments(argv):
    arguments = Arguments()
    words = iter(argv)
    for word in words:
        option, is_joined, value = word.partition("=")
        name = option[2:].replace("-", "_")
        known = getattr(arguments, name, None) if option.startswith("--") else None
        if isinstance(known, bool):
            setattr(arguments, name, True)
            continue
        value = value if is_joined else next(words, None)
        if not hasattr(arguments, name) or value is None:
            sys.exit(f"{word}: is no option, or lacks its value\n{USAGE}")
        if isinstance(known, list):
            known.append(value)
        else:
            setattr(arguments, name, value)
    if not arguments.source or not arguments.program or not (arguments.plain_only or arguments.mustrun):
        sys.exit(USAGE)
    return arguments


def missing(arguments):
    """What this machine lacks for the program, or None."""
    if not os.access(arguments.program, os.X_OK):
        return f"{arguments.program} is not there"
    if arguments.source.endswith(".py"):
        if os.spawnl(os.P_WAIT, arguments.program, arguments.program, "-c", "import mpi4py") != 0:
            return f"{arguments.program} has no mpi4py"
    if process.find(arguments.mpiexec or "mpirun") is None:
        return f"{arguments.mpiexec or 'mpirun'} is not there"
    return None


def program_command(arguments):
    program = os.path.realpath(arguments.program)
    if arguments.source.endswith(".py"):
        return [arguments.program, os.path.realpath(arguments.source)]
    return [program]


def is_hydra(arguments):
    return os.path.basename(os.path.realpath(process.find(arguments.mpiexec or "mpirun"))) == "mpiexec.hydra"


def oversubscribe(arguments):
    """Hydra has no such option, and needs none."""
    return [] if is_hydra(arguments) else ["--oversubscribe"]


def run_plain(arguments, e, folder, limit=process.FAR, launch=None):
    launch = arguments.launch if launch is None else launch
    command = [arguments.mpiexec or "mpirun", *launch, *oversubscribe(arguments), "-np", str(e.ranks)]
    return process.run(command + program_command(arguments), folder, limit=limit, stops=e.stop is not None, is_to_hang=limit == HANG)


def run_observed(arguments, e, folder, **how):
    """`how`: further arguments of process.run()."""
    report = os.path.join(folder, "report")
    os.mkdir(report)
    command = [arguments.mustrun, "--must:output-dir", report] + arguments.option
    if arguments.mpiexec:
        command += ["--must:mpiexec", arguments.mpiexec]
    command += [*e.options, *arguments.launch, *oversubscribe(arguments), "-np", str(e.ranks), *program_command(arguments)]
    return process.run(command, folder, interrupt=e.interrupt, stops=e.stop is not None, pattern=e.stop, **how)


def check_plain(e, plain):
    """The program does without the tool what it says."""
    if e.plain == "hangs" and plain.exit_code is not None:
        yield f"the plain program ended with {plain.exit_code}, but should hang"
    if e.plain == "ends" and plain.exit_code is None:
        yield "the plain program hangs"
    if e.plain == "ends":
        yield from check_output(e, plain)
        if plain.exit_code and not e.is_compared and not e.exits:
            yield f"the plain program ended with {plain.exit_code}: it should say EXIT, or PLAIN: compared"


def lines_of(outcome):
    """The lines of the standard output: in any order, for mpirun mixes those of the ranks as they come."""
    return sorted(process.without_banner(outcome.stdout.decode(errors="replace").splitlines()))


def characters(lines):
    """Of all lines, in order."""
    return sorted("".join(lines))


def check_output(e, outcome):
    """The program printed the lines of its head comment, and no others unless its output is compared with that of a plain run. Hydra may
    put a line of one rank between the characters of another one's and the end of that line."""
    lines = sorted(line.strip() for line in lines_of(outcome))
    if e.is_mixed and characters(lines) == characters(e.output):
        return
    if e.is_compared:
        yield from (f"the program did not print: {line}" for line in e.output if line not in lines)
    elif lines != sorted(e.output):
        yield f"the standard output is {lines}, expected {sorted(e.output)}"


def load_report(folder):
    """(report, None) or (None, what is wrong)."""
    path = os.path.join(folder, "report", "MUST_Output.json")
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file), None
    except FileNotFoundError:
        return None, "MUST_Output.json is missing"
    except ValueError as error:
        return None, f"MUST_Output.json cannot be read: {error}"


def check_observed(e, observed, plain, folder):
    """(problems, report or None)"""
    problems = []
    if observed.exit_code is None:
        problems.append(f"mustrun did not end within {process.FAR:.0f} s")
    if observed.leftovers:
        problems.append("left behind: " + "; ".join(observed.leftovers))
    if plain is not None and lines_of(observed) != lines_of(plain) and not (
            e.is_mixed and characters(lines_of(observed)) == characters(lines_of(plain))):
        problems.append(f"standard output differs: {observed.stdout!r}, without the tool {plain.stdout!r}")
    if is_to_end(e):
        problems += check_output(e, observed)
    report, error = load_report(folder)
    if report is None:
        return problems + [error], None
    text = observed.stderr.decode(errors="replace")
    try:
        problems += comparison.compare(e, report, text, observed.exit_code, plain and plain.exit_code)
        problems += comparison.compare_files(report, os.path.join(folder, "report"))
        comparison.describe(e, report)
    except (KeyError, TypeError, AttributeError) as error:
        return problems + [f"the report does not follow its schema: {error!r}"], None
    return problems, report


def complain(source, problems, e=None, report=None):
    """What was run, and what it printed, stands above (process.py)."""
    print(f"{source}:")
    for problem in problems:
        print(f"  {problem}")
    if report is not None:
        print(comparison.describe(e, report))
    print("once more:", shlex.join([sys.executable, *sys.argv]))
    return 1


def run_plain_only(arguments, e, folder):
    return run_plain(arguments, e, folder, HANG if e.plain != "ends" else process.FAR)


def check_launch(arguments, e, folder):
    """What the program does otherwise, without the tool, because of the options for the launcher."""
    there = run_plain_only(arguments, e, folder)
    yield from check_plain(e, there)
    if there.exit_code not in (None, 0):
        here = run_plain(arguments, e, folder, launch=[])
        if here.exit_code != there.exit_code:
            yield f"the exit code is {there.exit_code}, not {here.exit_code}"


def is_to_end(e):
    """The program ends without the tool, and the tool does not end it."""
    return e.plain == "ends" and not any(d.class_ == "manifest" for d in e.required)


def test(arguments, e, folder):
    source = os.path.basename(arguments.source)
    plain = None
    e.is_mixed = is_hydra(arguments)
    if e.is_mixed:
        # Its exit code for a signal; and that of the other ranks, if it ends them first (SIGTERM, SIGKILL), or the bits of both.
        e.exits += [code - 128 for code in e.exits if code > 128]
        e.exits += [joined for code in e.exits for other in (9, 15) for joined in (other, code | other)]
    if arguments.plain_only:
        problems = list(check_plain(e, run_plain_only(arguments, e, folder)))
        return complain(source, problems) if problems else 0
    if arguments.launch and (problems := list(check_launch(arguments, e, folder))):
        print(f"skipped: with {' '.join(arguments.launch)} the program itself does otherwise: {'; '.join(problems)}")
        return SKIPPED
    if is_to_end(e) and e.is_compared:
        plain = run_plain(arguments, e, folder)
        problems = list(check_plain(e, plain))
        if problems:
            return complain(source, problems)
    observed = run_observed(arguments, e, folder)
    problems, report = check_observed(e, observed, plain, folder)
    if problems and arguments.other_library and (own := list(check_plain(e, run_plain_only(arguments, e, folder)))):
        print(f"skipped: with this library the program itself does otherwise: {'; '.join(own)}")
        return SKIPPED
    return complain(source, problems, e, report) if problems else 0


def prepare(arguments):
    """(expectation, None), or (None, exit code) if the test cannot be run."""
    if why := missing(arguments):
        print(f"skipped: {why}")
        return None, SKIPPED
    with open(arguments.source, encoding="utf-8") as file:
        try:
            return expectation.parse(file.read(), os.path.basename(arguments.source)), None
        except expectation.BadExpectation as error:
            print(f"{arguments.source}: {error}")
            return None, 2


def main(argv):
    arguments = read_arguments(argv)
    e, code = prepare(arguments)
    if e is None:
        return code
    folder = process.new_folder()
    try:
        return test(arguments, e, folder)
    finally:
        if arguments.keep:
            print(f"kept: {folder}")
        else:
            process.remove_folder(folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
