# SPDX-License-Identifier: BSD-3-Clause
"""What came of a case: pass, fail, error or timeout, and why."""

import itertools
import mmap
import os
import re
import signal
import statistics

from mustbatch import expectation, report

TOOL_FAILED = 70
SIGNAL_MAX = 64
CRASHES = (signal.SIGILL, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV)
TAIL_MAX = 1 << 16  # bytes


def quote(text, limit=160):
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 3] + "..."


def tail(path):
    """The end of a file, which may be very long."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL_MAX))
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def contains(path, pattern):
    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return re.search(pattern.encode(), data, re.M) is not None
    except (OSError, ValueError):  # not there, or empty
        return re.search(pattern, "", re.M) is not None


def last_words(path):
    """The last line on standard error that says something."""
    found = [line for line in tail(path).splitlines() if re.search(r"\w", line)]
    return quote(found[-1]) if found else "nothing on standard error"


def signal_name(signo):
    names = {entry.value: f" ({entry.name})" for entry in signal.Signals}
    return f"signal {signo}{names.get(signo, '')}"


def how_it_ended(code):
    return signal_name(code - 128) if 128 < code <= 128 + SIGNAL_MAX else f"exit code {code}"


def why_launch_failed(case, run):
    if "not enough slots available" in tail(run.stderr):
        return f"mpirun does not have enough slots for {case.ranks} ranks: add -- --oversubscribe"
    return f"{'mustrun' if run.variant == 'tool' else 'mpirun'} ended with {run.exit_code}: {last_words(run.stderr)}"


def was_ended_by_tool(findings):
    """The tool ends jobs that hang."""
    return any(found["class"] in ("manifest", "interleaving") or found["id"] == "collective-mismatch" for found in findings)


def crash(found):
    """Further words on a program that crashed: then the others wait for the rank that has gone."""
    signo = found.signal or (found.exit_code or 0) - 128
    return f"; the application was killed by {signal_name(signo)}" if signo in CRASHES else ""


def judge_findings(case, found):
    wrong = expectation.unexpected(case.expect, found.findings)
    if wrong:
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        if all(finding["id"] == "abnormal-end" for finding in wrong):
            ended = f"the application ended with {how_it_ended(found.exit_code)}; " if found.exit_code else ""
            return "error", f"{ended}{report.title(wrong[0])}{more}"
        return "fail", f"{report.title(wrong[0])}{more}{crash(found)}"
    missing = expectation.missing(case.expect, found.findings)
    if missing:
        return "fail", f"expected {', '.join(missing)}, which was not found"
    return None


def judge_application(case, found):
    if found.exit_code == case.exit_code or was_ended_by_tool(found.findings):
        return None
    if found.exit_code is None:
        return (
            "error",
            f"the application was killed by {signal_name(found.signal)}"
            if found.signal
            else "the application had not ended when the report was written",
        )
    return "error", f"the application ended with {how_it_ended(found.exit_code)}"


def judge_report(case, found):
    """(result, reason) of a report, or None: all as expected."""
    judged = judge_findings(case, found) or judge_application(case, found)
    if judged or not expectation.allows_clean(case.expect):
        return judged
    if not found.complete:
        return "error", "the report is not complete: " + (found.notes[0] if found.notes else "not all calls were looked at")
    if found.calls == 0:
        return "error", "no rank called MPI_Init, so nothing was checked"
    return None


def judge_output(case, run):
    for pattern in case.output:
        if not contains(run.result, pattern):
            return "fail", f"nothing in the output matches '{pattern}'"
    return None


def judge_tool(case, run, limit):
    if run.end == "timeout":
        return "timeout", f"did not end within {limit:g} s"
    if run.end == "failed":
        return "error", run.reason
    if run.report is None:
        return "error", run.reason if run.exit_code == case.exit_code else why_launch_failed(case, run)
    judged = judge_report(case, run.report)
    if judged and judged[0] == "error" and run.report.exit_code not in (None, 0) and run.report.calls == 0:
        return "error", why_launch_failed(case, run)
    if judged:
        return judged
    if run.exit_code == TOOL_FAILED and run.report.exit_code != TOOL_FAILED:
        return "error", f"the tool failed: {last_words(run.stderr)}"
    if was_ended_by_tool(run.report.findings):
        return None
    return judge_output(case, run)


def judge_plain(case, run, limit, ended_by_tool):
    """Without the tool a program with a deadlock may hang or fail."""
    if run.end == "failed":
        return "error", f"without the tool: {run.reason}"
    if ended_by_tool:
        return None
    if run.end == "timeout":
        return "timeout", f"without the tool it did not end within {limit:g} s"
    if run.exit_code != case.exit_code:
        return "error", f"without the tool: {why_launch_failed(case, run)}"
    judged = judge_output(case, run)
    return (judged[0], f"without the tool {judged[1]}") if judged else None


def same_lines(case, run):
    try:
        with open(run.result, encoding="utf-8", errors="replace") as file:
            yield from (line.rstrip("\n") for line in file if re.search(case.same, line))
    except OSError:
        return


def judge_same(case, plain, tool):
    """The lines that matter are equal with the tool and without."""
    for x, y in itertools.zip_longest(same_lines(case, plain), same_lines(case, tool)):
        if x != y:
            shown = ["no line" if line is None else f"'{quote(line, 60)}'" for line in (y, x)]
            return "fail", f"the result differs: {shown[0]}, without the tool {shown[1]}"
    return None


def judge(case, runs, limit):
    """(result, reason); the first run that is not as expected decides."""
    tools = [run for run in runs if run.variant == "tool"]
    plains = [run for run in runs if run.variant == "plain"]
    ended_by_tool = any(run.report and was_ended_by_tool(run.report.findings) for run in tools)
    for run in tools:
        judged = judge_tool(case, run, limit)
        if judged:
            return judged
    for run in plains:
        judged = judge_plain(case, run, limit, ended_by_tool)
        if judged:
            return judged
    if case.same and not ended_by_tool:
        for plain, tool in zip(plains, tools):
            judged = judge_same(case, plain, tool)
            if judged:
                return judged
    return "pass", ""


def times(runs):
    """Median seconds with the tool and without."""
    found = {}
    for variant in ("tool", "plain"):
        seconds = [run.seconds for run in runs if run.variant == variant and run.seconds is not None]
        found[variant] = round(statistics.median(seconds), 4) if seconds else None
    return found


def slowdown(runs):
    """Ratio of the medians, and the lowest and highest of the turns; None where a run did not come to its own end."""
    tools = [run for run in runs if run.variant == "tool"]
    plains = [run for run in runs if run.variant == "plain"]
    if not plains or len(plains) != len(tools):
        return None
    if any(run.end != "ended" for run in runs) or any(run.report is None or was_ended_by_tool(run.report.findings) for run in tools):
        return None
    turns = [tool.seconds / plain.seconds for plain, tool in zip(plains, tools) if plain.seconds > 0]
    if len(turns) != len(plains):
        return None
    median = statistics.median(run.seconds for run in tools) / statistics.median(run.seconds for run in plains)
    return {"ratio": round(median, 4), "low": round(min(turns), 4), "high": round(max(turns), 4)}
