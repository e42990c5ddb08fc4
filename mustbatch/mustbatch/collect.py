# SPDX-License-Identifier: BSD-3-Clause
"""Sums up reports that are there already: those of other launchers, of SPEC's tools, of scripts."""

import dataclasses
import os
import re

from mustbatch import cases, errors, expectation, report, suite, verdict

FILE = f"{report.NAME}.json"


@dataclasses.dataclass
class Entry:
    name: str
    path: str
    expect: object


def find(folder):
    """Every report below a folder, in order. Links to folders are not followed."""
    found = []
    for where, folders, files in os.walk(folder):
        folders.sort()
        if FILE in files:
            found.append(os.path.join(where, FILE))
    return found


def name_of(path, folder, pattern):
    where = os.path.relpath(os.path.dirname(path), folder)
    if pattern is None:
        return os.path.basename(os.path.abspath(folder)) if where == "." else where
    match = pattern.search(path)
    if match is None:
        return where
    return ".".join(group for group in match.groups() if group) or match[0]


def distinct(entries):
    """Equal names get numbers."""
    seen = {}
    for entry in entries:
        seen[entry.name] = seen.get(entry.name, 0) + 1
        if seen[entry.name] > 1:
            entry.name = f"{entry.name} ({seen[entry.name]})"
    return entries


def expected(text, where):
    value = expectation.from_words(text)
    problem = expectation.problem(value)
    if problem:
        raise errors.Refused(f"{where}: {problem}")
    return value


def read_list(path, fallback):
    """Lines of a name, a tab, a path, and perhaps a tab and an expectation; paths are relative to the list."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            rows = file.read().splitlines()
    except OSError as error:
        raise errors.Refused(f"{path}: cannot be read: {error.strerror}") from None
    entries = []
    for number, row in enumerate(rows, 1):
        if not row.strip() or row.startswith("#"):
            continue
        fields = row.split("\t")
        if len(fields) not in (2, 3) or not fields[0].strip() or not fields[1]:
            raise errors.Refused(f"{path}:{number}: a line is a name, a tab, and the path of a {FILE}")
        where = os.path.join(os.path.dirname(os.path.abspath(path)), fields[1])
        expect = expected(fields[2].strip(), f"{path}:{number}") if len(fields) == 3 else fallback
        entries.append(Entry(fields[0].strip(), os.path.join(where, FILE) if os.path.isdir(where) else where, expect))
    return entries


def entries_of(arguments):
    fallback = expected(arguments.expect, "--expect")
    if (arguments.operand is None) == (arguments.list is None):
        raise errors.Refused("mustbatch collect needs a folder or --list FILE")
    if arguments.list is not None:
        return distinct(read_list(arguments.list, fallback))
    if not os.path.isdir(arguments.operand):
        raise errors.Refused(f"{arguments.operand} is not a folder")
    try:
        pattern = re.compile(arguments.name_from) if arguments.name_from is not None else None
    except re.error as error:
        raise errors.Refused(f"--name-from: '{arguments.name_from}' is not a regular expression: {error}") from None
    found = find(arguments.operand)
    return distinct([Entry(name_of(path, arguments.operand, pattern), path, fallback) for path in found])


def result_of(entry, output):
    """As cases.CaseRun.result() gives it."""
    case = suite.Case(name=entry.name, ranks=0, command=[], expect=entry.expect)
    try:
        found = report.read(entry.path)
    except report.Unreadable as error:
        return cases.blank(case) | {"result": "error", "reason": f"{error}: {entry.path}"}
    case = dataclasses.replace(case, ranks=found.ranks, command=found.command)
    judged = verdict.judge_report(case, found)
    run = cases.Run("tool", 1, os.path.dirname(entry.path), report=found)
    return cases.blank(case) | {
        "result": judged[0] if judged else "pass",
        "reason": judged[1] if judged else "",
        "verdict": cases.overall([run]),
        "findings": cases.sum_up(entry.expect, [finding | {"runs": [run.name]} for finding in found.findings]),
        "notes": found.notes,
        "seconds": round(found.seconds, 4),
        "times": {"tool": round(found.seconds, 4), "plain": None},
        "runs": [describe(run, found, output)],
    }


def describe(run, found, output):
    def relative(name):
        return os.path.relpath(run.path(name), output) if os.path.exists(run.path(name)) else None

    return {
        "name": run.name,
        "variant": "tool",
        "command": found.command,
        "end": "ended",
        "exit_code": found.exit_code,
        "seconds": found.seconds,
        "folder": os.path.relpath(run.folder, output),
        "stdout": None,
        "stderr": None,
        "report": relative(f"{report.NAME}.html"),
        "report_json": relative(FILE),
        "report_text": relative(f"{report.NAME}.txt"),
    }


def results(entries, output):
    return [result_of(entry, output) for entry in entries]
