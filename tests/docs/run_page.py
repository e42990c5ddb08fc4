# SPDX-License-Identifier: BSD-3-Clause
"""Run the commands of a page, in order, in a folder of their own, and compare what they say with the page.

Blocks in ```console are run: a line that begins with "$ " is a command, what follows is its output, standard error included. A line
"..." stands for any lines. A block behind <!-- file: NAME --> must be, or be a part of, that file beside the page; the files that the
page names so are what the folder holds. Every report that a command leaves must keep to the JSON schema.

--write puts what the commands said into the page. Exit code 77: a program that the page needs (--need) is missing."""
import argparse
import json
import os
import re
import shutil
import sys
import tempfile

import page
import schema

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "e2e"))
import process  # noqa: E402

# What differs from run to run, and may: times, and the numbers that name processes.
VARYING = [
    (re.compile(r"\b\d+(\.\d+)? (s|ms)\b"), r"# \2"),
    (re.compile(r"\btime=\"[^\"]*\""), 'time="#"'),
    (re.compile(r"\+0x[0-9a-f]+\b"), "+0x#"),
    (re.compile(r"\[[\w.-]+:\d+\]"), "[#]"),
]
# The same with another library: which of the ranks was ahead.
AHEAD = re.compile(r"of ranks? [\d, -]+( and \d+)? returned anyway"), "of ranks # returned anyway"
LIMIT = 900
READER = "/home/ada/pipes"  # what the pages call the folder in which their commands are run


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--path", action="append", default=[], help="a folder to look for programs in first")
    parser.add_argument("--schema", required=True)
    parser.add_argument("--need", action="append", default=[])
    parser.add_argument("--environment", action="append", default=[], help="NAME=VALUE: what an installed package needs not")
    parser.add_argument("--oversubscribe", metavar="WORDS", help="what another mpirun has for this option of the page")
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


def steady(line):
    for pattern, word in VARYING:
        line = pattern.sub(word, line)
    return line.rstrip()


def agrees(expected, out, err):
    """Whether the page shows this output. The two streams may be mixed in any way; "..." stands for any lines of either."""
    if not expected:
        return not out and not err
    rest = expected[1:]
    if expected[0] == "...":
        return any(
            agrees(rest, out[i:], err[j:]) for i in range(len(out) + 1) for j in range(len(err) + 1)
        )
    line = steady(expected[0])
    return any(
        stream and steady(stream[0]) == line and agrees(rest, *others)
        for stream, others in ((out, (out[1:], err)), (err, (out, err[1:])))
    )


def mixed(out, err):
    """As a terminal mostly shows it: the tool's first line, the program's output, the tool's findings."""
    first = 1 if err and "watching" in err[0] else 0
    return err[:first] + out + err[first:]


def copy_files(lines, source, folder):
    """Put the files that the page names into the folder; says which block is not the file."""
    faults = []
    for block in page.blocks(lines):
        if block.file is None:
            continue
        path = os.path.join(source, block.file)
        with open(path) as file:
            text = file.read()
        if "\n".join(block.lines) + "\n" not in text:
            faults.append(f"line {block.first + 1}: this is no part of {block.file}")
        shutil.copy(path, folder)
    return faults


def check_reports(folder, validator, seen):
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            if name != "MUST_Output.json" or seen.get(path) == os.stat(path).st_mtime_ns:
                continue
            seen[path] = os.stat(path).st_mtime_ns
            with open(path) as file:
                for fault in validator.faults(json.load(file)):
                    yield f"{os.path.relpath(path, folder)}: {fault}"


def run(command, code, folder):
    """Lines of both streams, and the exit code, which the next command may ask for."""
    outcome = process.run(["bash", "-c", f"(exit {code}); {command}"], folder, limit=LIMIT)
    if outcome.exit_code is None:
        return [], ["(it did not end)"], 1
    streams = [data.decode().replace(folder, READER).splitlines() for data in (outcome.stdout, outcome.stderr)]
    return process.without_banner(streams[0]), streams[1], outcome.exit_code


def run_all(lines, folder, validator):
    """What differs, and the lines of the page with the real output in."""
    faults, written = [], list(lines)
    code, shift, count, seen = 0, 0, 0, {}
    for block in page.blocks(lines):
        if block.language != "console":
            continue
        for command in page.commands(block):
            out, err, code = run(command.words, code, folder)
            faults += [f"{command.words}: {fault}" for fault in check_reports(folder, validator, seen)]
            count += 1
            if agrees(command.output, out, err):
                continue
            actual = mixed(out, err)
            faults.append("\n".join([f"line {command.first}: $ {command.words}", "expected:", *command.output, "said:", *actual]))
            at = command.first + shift
            written[at : at + len(command.output)] = actual
            shift += len(actual) - len(command.output)
    if count == 0:
        faults.append("there is no command on this page")
    return faults, written


def main():
    arguments = parse()
    for name in arguments.need:
        if shutil.which(name) is None:
            print(f"{name} is missing")
            return 77
    os.environ["PATH"] = os.pathsep.join([*arguments.path, os.environ["PATH"]])
    os.environ["OMPI_MCA_rmaps_base_oversubscribe"] = "0" if os.cpu_count() > 1 else "1"  # a reader has two cores
    for name in [name for name in os.environ if name.startswith("MUST_")]:
        del os.environ[name]
    os.environ.update(pair.split("=", 1) for pair in arguments.environment)
    with open(arguments.schema) as file:
        validator = schema.Validator(json.load(file), closed=True)
    with open(arguments.page) as file:
        text = file.read()
    if arguments.oversubscribe is not None:
        VARYING.append(AHEAD)
        text = text.replace("--oversubscribe ", f"{arguments.oversubscribe} ".lstrip())
    lines = text.split("\n")
    folder = tempfile.mkdtemp(prefix="orknot-docs-")
    try:
        faults = copy_files(lines, os.path.dirname(os.path.abspath(arguments.page)), folder)
        differences, written = run_all(lines, folder, validator)
    finally:
        shutil.rmtree(folder)
    if arguments.write:
        with open(arguments.page, "w") as file:
            file.write("\n".join(written))
    for fault in faults + differences:
        print(fault, end="\n\n")
    return 1 if faults or differences else 0


if __name__ == "__main__":
    sys.exit(main())
