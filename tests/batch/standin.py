#!/usr/bin/python3 -IS
# SPDX-License-Identifier: BSD-3-Clause
"""Stands for mustrun and for mpirun: starts the program once, and as mustrun writes a report.

The program tells what the report is to say: it leaves report.json in its folder, whose keys replace those of a clean report."""

import json
import os
import signal
import sys

CLEAN = {
    "schema": 1,
    "command": ["program"],
    "ranks": 2,
    "seconds": 0.1,
    "complete": True,
    "notes": [],
    "findings": [],
    "statistics": {"calls": 7},
}
STATE = {"id": "state", "class": None, "severity": "note", "message": "where the ranks were when the run was stopped"}


def split(words):
    """(folder of the report or None, the program's words)"""
    folder = next((word.partition("=")[2] for word in words if word.startswith("--must:output-dir=")), None)
    at = words.index("-np")
    return folder, words[at + 2 :]


def write_report(folder, code, findings):
    report = CLEAN | {"findings": findings, "application": {"exit_code": code, "signal": None, "ended": True}}
    if os.path.exists("report.json"):
        with open("report.json", encoding="utf-8") as file:
            report |= json.load(file)
    with open(os.path.join(folder, "MUST_Output.json"), "w", encoding="utf-8") as file:
        json.dump(report, file)
    with open(os.path.join(folder, "MUST_Output.html"), "w", encoding="utf-8") as file:
        file.write("<!DOCTYPE html><title>report</title>\n")
    with open(os.path.join(folder, "MUST_Output.txt"), "w", encoding="utf-8") as file:
        file.write("the report as text\n")
    return 66 if any(found["severity"] == "error" for found in report["findings"]) else code


def main(words):
    folder, program = split(words)
    started = []
    stopped = []

    def stop(signo, _frame):
        stopped.append(signo)
        for child in started:
            os.kill(child, signal.SIGTERM)

    signal.signal(signal.SIGTERM, stop)
    ignored_by_python = (signal.SIGPIPE, signal.SIGXFSZ)
    child = os.posix_spawnp(program[0], program, os.environ, setsigdef=ignored_by_python)
    started.append(child)
    if stopped:
        os.kill(child, signal.SIGTERM)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    started.clear()
    code = code if code >= 0 else 128 - code
    if folder is not None:
        code = write_report(folder, code, [STATE] if stopped else [])
    return 128 + stopped[0] if stopped else code


sys.exit(main(sys.argv[1:]))
