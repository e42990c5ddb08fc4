# SPDX-License-Identifier: BSD-3-Clause
"""JUnit XML as Jenkins and GitLab read it: a test case for each case."""

import os
import re
import shlex
import xml.etree.ElementTree as ET

from mustbatch import expectation, report

OUTPUT_MAX = 65536  # characters of a text in the XML
# What XML 1.0 does not allow, not even escaped.
ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text):
    return ILLEGAL.sub("\ufffd", text)


def shorten(text):
    return text if len(text) <= OUTPUT_MAX else text[:OUTPUT_MAX] + "\n... (cut)\n"


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read(4 * OUTPUT_MAX).decode(errors="replace")
    except OSError:
        return ""


def add_properties(element, pairs):
    properties = ET.SubElement(element, "properties")
    for name, value in pairs:
        if value is not None and value != "":
            ET.SubElement(properties, "property", name=name, value=clean(str(value)))


def properties(result):
    slowdown = result["slowdown"] or {}
    last = next((run for run in reversed(result["runs"]) if run["report"]), {})
    return [
        ("ranks", result["ranks"]),
        ("command", shlex.join(result["command"])),
        ("package", result["package"]),
        ("expected", expectation.show(result["expected"])),
        ("verdict", result["verdict"]),
        ("slowdown", slowdown.get("ratio")),
        ("report", last.get("report")),
    ]


def text_of(result, folder):
    """The tool's own text of the last run, or what the summary knows."""
    for run in reversed(result["runs"]):
        text = read(os.path.join(folder, run["report_text"])) if run["report_text"] else ""
        if text:
            return text
    return report.text(result["findings"])


def errors_of(result, folder):
    for run in reversed(result["runs"]):
        if run["stderr"]:
            return read(os.path.join(folder, run["stderr"]))
    return ""


def add_outcome(element, result, folder):
    word, reason = result["result"], clean(result["reason"])
    if word == "skipped":
        ET.SubElement(element, "skipped", message=reason)
    elif word != "pass":
        unexpected = [found for found in result["findings"] if not found["expected"]]
        kind = unexpected[0]["id"] if word == "fail" and unexpected else word
        outcome = ET.SubElement(element, "failure" if word == "fail" else "error", message=reason, type=clean(kind))
        outcome.text = clean(shorten(report.text(unexpected) or reason))
    text = text_of(result, folder)
    if text:
        ET.SubElement(element, "system-out").text = clean(shorten(text))
    errors = errors_of(result, folder) if word in ("error", "timeout") else ""
    if errors:
        ET.SubElement(element, "system-err").text = clean(shorten(errors))


def make(summary, folder):
    totals = summary["totals"]
    counts = {
        "tests": str(sum(totals.values())),
        "failures": str(totals["fail"]),
        "errors": str(totals["error"] + totals["timeout"]),
        "skipped": str(totals["skipped"]),
        "time": str(summary["seconds"]),
    }
    root = ET.Element("testsuites", name="mustbatch", **counts)
    suite = ET.SubElement(root, "testsuite", name=summary["suite"], hostname=clean(summary["host"]), timestamp=summary["started"], **counts)
    add_properties(suite, [("mustbatch", summary["tool"]["version"])])
    for result in summary["cases"]:
        case = ET.SubElement(suite, "testcase", classname=summary["suite"], name=clean(result["name"]), time=str(result["seconds"]))
        add_properties(case, properties(result))
        add_outcome(case, result, folder)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"
