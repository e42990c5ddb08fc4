# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of a library have led to, as docs/reference/libraries.md lists it."""

import xml.etree.ElementTree

COLUMNS = "passed", "habits", "differ without the tool", "failed", "not run"
OTHERWISE = "skipped: with this library the program itself does otherwise"  # e2e/run.py
HABIT = "SKIP_REGULAR_EXPRESSION_MATCHED"  # e2e/libraries/suites.cmake


def column(test):
    """Where a <testcase> of CTest belongs."""
    status = test.get("status")
    if status == "run":
        return "passed"
    if status == "fail":
        return "failed"
    skipped = test.find("skipped")
    if skipped is not None and skipped.get("message") == HABIT:
        return "habits"
    return "differ without the tool" if OTHERWISE in (test.findtext("system-out") or "") else "not run"


def read(path):
    """Column -> the names of its tests, from a file that `ctest --output-junit` has written."""
    row = {name: [] for name in COLUMNS}
    for test in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        row[column(test)].append(test.get("name"))
    return row


def table(rows):
    """Markdown, and what did not pass."""
    lines = [f"| library | programs | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 2) + "|"]
    for label, row in rows.items():
        numbers = [len(row[name]) for name in COLUMNS]
        lines.append(f"| `{label}` | {sum(numbers)} | {' | '.join(map(str, numbers))} |")
    for name in "failed", "differ without the tool":
        lines += ["", f"{name}:", *sorted(test for row in rows.values() for test in row[name])]
    return "\n".join(lines)
