# SPDX-License-Identifier: BSD-3-Clause
"""Reads MUST_Output.json, schema 1. Unknown keys are skipped, missing ones have their default; anything else is refused."""

import dataclasses
import json

NAME = "MUST_Output"
FINDINGS_MAX = 100  # of one case in a summary
WAITS_MAX = 16  # rows of one finding in a text
SEVERITIES = ("error", "warning", "note")


class Unreadable(Exception):
    pass


@dataclasses.dataclass
class Report:
    findings: list
    notes: list
    complete: bool
    ranks: int
    command: list
    seconds: float
    exit_code: int  # None: ended by a signal, or had not ended
    signal: int
    calls: int


def value(found, key, kind, default):
    got = found.get(key)
    if got is None:
        return default
    if not isinstance(got, kind) or isinstance(got, bool) and kind is not bool:
        raise Unreadable(f"'{key}' has a value of the wrong type")
    return got


def strings(found, key):
    got = value(found, key, list, [])
    if not all(isinstance(entry, str) for entry in got):
        raise Unreadable(f"'{key}' has a value of the wrong type")
    return got


def place(found):
    """ "a.c:12 in main", or ""."""
    where = value(found, "where", dict, {})
    file = value(where, "file", str, "")
    if file:
        text = f"{file}:{value(where, 'line', int, 0)}"
        function = value(where, "function", str, "")
        return f"{text} in {function}" if function else text
    return value(where, "module", str, "")


def wait(found):
    if not isinstance(found, dict):
        raise Unreadable("a wait is not an object")
    return {"rank": value(found, "rank", int, 0), "call": value(found, "call", str, ""), "place": place(found)}


def finding(found):
    if not isinstance(found, dict):
        raise Unreadable("a finding is not an object")
    severity = value(found, "severity", str, "error")
    if severity not in SEVERITIES:
        raise Unreadable(f"'{severity}' is not a severity")
    return {
        "id": value(found, "id", str, "finding"),
        "class": value(found, "class", str, None),
        "severity": severity,
        "message": value(found, "message", str, ""),
        "details": strings(found, "details"),
        "ranks": value(found, "ranks", list, []),
        "waits": [wait(entry) for entry in value(found, "waits", list, [])[:WAITS_MAX]],
        "more_waits": max(0, len(value(found, "waits", list, [])) - WAITS_MAX),
    }


def parse(found):
    if not isinstance(found, dict):
        raise Unreadable("it is not a JSON object")
    if value(found, "schema", int, 1) != 1:
        raise Unreadable("it does not have schema 1")
    application = value(found, "application", dict, {})
    return Report(
        findings=[finding(entry) for entry in value(found, "findings", list, [])],
        notes=strings(found, "notes"),
        complete=value(found, "complete", bool, True),
        ranks=value(found, "ranks", int, 0),
        command=strings(found, "command"),
        seconds=float(value(found, "seconds", (int, float), 0.0)),
        exit_code=value(application, "exit_code", int, None) if "exit_code" in application else 0,
        signal=value(application, "signal", int, None),
        calls=value(value(found, "statistics", dict, {}), "calls", int, 0),
    )


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return parse(json.load(file))
    except FileNotFoundError:
        raise Unreadable("there is no report") from None
    except OSError as error:
        raise Unreadable(f"the report cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the report is not JSON: {error}") from None
    except Unreadable as error:
        raise Unreadable(f"the report does not follow its schema: {error}") from None


def title(found):
    """ "error: deadlock (manifest): ranks 0 and 1 wait for each other"."""
    class_ = f" ({found['class']})" if found["class"] else ""
    return f"{found['severity']}: {found['id']}{class_}: {found['message']}"


def text(findings):
    """What JUnit shows where the tool's own text is not at hand."""
    rows = []
    for found in findings:
        rows.append(title(found))
        rows += [f"    {detail}" for detail in found["details"]]
        rows += [
            f"    rank {entry['rank']}: {entry['call'] or 'running'}" + (f" at {entry['place']}" if entry["place"] else "")
            for entry in found["waits"]
        ]
        if found["more_waits"]:
            rows.append(f"    ... and {found['more_waits']} more ranks: see the report")
    return "\n".join(rows)
