# SPDX-License-Identifier: BSD-3-Clause
"""One case: its runs one after the other, and its result."""

import dataclasses
import json
import os
import shlex

from mustbatch import expectation, folders, launcher, process, report, verdict


@dataclasses.dataclass
class Settings:
    mustrun: str
    mpiexec: str
    compare: bool
    repeat: int  # None: as the suite says
    time_limit: float  # None: as the suite says
    extra: list

    def how(self):
        return {"compare": self.compare, "repeat": self.repeat, "time_limit": self.time_limit, "extra": self.extra, "mpiexec": self.mpiexec}


@dataclasses.dataclass
class Run:
    variant: str  # "tool" or "plain"
    number: int
    folder: str
    command: list = dataclasses.field(default_factory=list)
    exit_code: int = None
    seconds: float = None
    end: str = None  # "ended", "timeout", "interrupted", or "failed": not started
    reason: str = ""
    report: object = None
    result: str = None  # path of what `output` is looked for in

    @property
    def name(self):
        return f"{self.variant}-{self.number}"

    def path(self, name):
        return os.path.join(self.folder, name)

    @property
    def stderr(self):
        return self.path("stderr")

    def read_report(self):
        try:
            self.report = report.read(launcher.report_of(self.folder, "json"))
        except report.Unreadable as error:
            self.reason = str(error)

    def save(self):
        fields = {"command": self.command, "exit_code": self.exit_code, "seconds": self.seconds, "end": self.end, "reason": self.reason}
        folders.write(self.path("run.json"), json.dumps(fields, indent=1) + "\n")


class Launch:
    """What a case asks the schedule to run next."""

    def __init__(self, case, command, work, run, limit, log=None):
        self.case, self.command, self.work, self.run, self.limit, self.log = case, command, work, run, limit, log

    def start(self):
        """Raises OSError if it cannot be started."""
        stdin = os.path.join(self.work, self.case.stdin) if self.case.stdin and not self.log else os.devnull
        out = self.run.path(self.log or "stdout")
        err = out if self.log else self.run.stderr
        with open(stdin, "rb") as stdin, open(out, "ab") as stdout, open(err, "ab") as stderr:
            return process.Process(self.command, self.work, os.environ | self.case.environment, stdin, stdout, stderr, self.limit)


class CaseRun:
    def __init__(self, case, settings, output):
        self.case = case
        self.settings = settings
        self.output = output
        self.limit = settings.time_limit or case.time_limit
        self.runs = []

    def steps(self):
        """Yields launches; is sent the process that ended, or the error that kept it from starting."""
        folder = self.output.fresh(self.case.name)
        for number in range(1, (self.settings.repeat or self.case.repeat) + 1):
            for variant in ("plain", "tool") if self.settings.compare else ("tool",):
                run = Run(variant, number, os.path.join(folder, f"{variant}-{number}"))
                self.runs.append(run)
                yield from self.one(run)
                run.save()
                if run.end != "ended" and not (variant == "plain" and run.end == "timeout"):
                    return
            if any(run.end == "timeout" for run in self.runs):
                return

    def one(self, run):
        work = run.path("work")
        os.makedirs(work)
        run.result = run.path("stdout") if self.case.result_file is None else os.path.join(work, self.case.result_file)
        try:
            folders.put(self.case, work)
            for command in self.case.prepare:
                ended = yield Launch(self.case, command, work, run, self.limit, log="prepare.log")
                if self.prepare_failed(run, command, ended):
                    return
            run.command = launcher.command(self.case, run.variant, self.settings, run.folder, work)
        except (folders.Missing, launcher.NotThere, OSError) as error:
            run.end, run.reason = "failed", describe(error)
            return
        ended = yield Launch(self.case, run.command, work, run, self.limit)
        self.note(run, ended)

    def prepare_failed(self, run, command, ended):
        if isinstance(ended, Exception):
            run.end, run.reason = "failed", f"cannot start {command[0]}: {describe(ended)}"
        elif ended.reason == "interrupted":
            run.end = "interrupted"
        elif ended.reason == "timeout":
            run.end, run.reason = "failed", f"'{shlex.join(command)}' did not end within {self.limit:g} s"
        elif ended.exit_code != 0:
            run.end, run.reason = (
                "failed",
                f"'{shlex.join(command)}' ended with {ended.exit_code}: {verdict.last_words(run.path('prepare.log'))}",
            )
        return run.end is not None

    def note(self, run, ended):
        if isinstance(ended, Exception):
            run.end, run.reason = "failed", f"cannot start {run.command[0]}: {describe(ended)}"
            return
        run.end = ended.reason or "ended"
        run.exit_code = ended.exit_code
        run.seconds = round(ended.seconds, 4)
        if run.variant == "tool":
            run.read_report()

    def was_interrupted(self):
        return any(run.end == "interrupted" for run in self.runs)

    def result(self):
        result, reason = verdict.judge(self.case, self.runs, self.limit)
        return blank(self.case) | {
            "result": result,
            "reason": reason,
            "verdict": overall(self.runs),
            "findings": self.findings(),
            "notes": sorted({note for run in self.runs if run.report for note in run.report.notes}),
            "seconds": round(sum(run.seconds or 0.0 for run in self.runs), 4),
            "times": verdict.times(self.runs),
            "slowdown": verdict.slowdown(self.runs) if result in ("pass", "fail") else None,
            "runs": [self.describe_run(run) for run in self.runs],
        }

    def findings(self):
        """Of all runs, equal ones once."""
        found = {}
        for run in self.runs:
            for entry in run.report.findings if run.report else []:
                key = (entry["id"], entry["class"], entry["severity"], entry["message"])
                known = found.setdefault(key, entry | {"runs": []})
                if run.name not in known["runs"]:
                    known["runs"].append(run.name)
        return sum_up(self.case.expect, list(found.values()))

    def describe_run(self, run):
        def relative(path):
            return os.path.relpath(path, self.output.path) if os.path.exists(path) else None

        return {
            "name": run.name,
            "variant": run.variant,
            "command": run.command,
            "end": run.end,
            "exit_code": run.exit_code,
            "seconds": run.seconds,
            "folder": relative(run.folder),
            "stdout": relative(run.path("stdout")),
            "stderr": relative(run.stderr),
            "report": relative(launcher.report_of(run.folder, "html")),
            "report_json": relative(launcher.report_of(run.folder, "json")),
            "report_text": relative(launcher.report_of(run.folder, "txt")),
        }


def describe(error):
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def sum_up(expect, findings):
    """The findings of a case, each with whether it was expected; at most so many that a summary stays readable."""
    wrong = expectation.unexpected(expect, findings)
    return [entry | {"expected": not any(entry is other for other in wrong)} for entry in findings[: report.FINDINGS_MAX]]


def overall(runs):
    reports = [run.report for run in runs if run.report]
    if not reports:
        return None
    if any(expectation.counts(found) for entry in reports for found in entry.findings):
        return "findings"
    return "clean" if all(entry.complete for entry in reports) else "unknown"


def blank(case):
    """The result of a case of which nothing is known yet."""
    return {
        "name": case.name,
        "ranks": case.ranks,
        "command": case.command,
        "package": case.package,
        "expected": case.expect,
        "result": "skipped",
        "reason": "",
        "verdict": None,
        "findings": [],
        "notes": [],
        "seconds": 0.0,
        "times": {"tool": None, "plain": None},
        "slowdown": None,
        "runs": [],
    }


def skipped(case, reason):
    return blank(case) | {"reason": reason}
