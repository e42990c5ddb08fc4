# SPDX-License-Identifier: BSD-3-Clause
"""Runs of test programs that are recorded and replayed, and what they leave."""

import dataclasses
import itertools
import json
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "e2e"))
import process  # noqa: E402

DIVERGENCE = "replay-divergence"
MAX_US = 1500  # of --must:noise


@dataclasses.dataclass
class Run:
    exit_code: int  # None: still running at the time limit
    stdout: list  # lines, sorted, because those of several ranks come in any order
    stderr: str
    report: dict  # None: there is none
    folder: str  # with the files of the report
    leftovers: list

    @property
    def hashes(self):
        """The hash of the order of each rank that made choices."""
        hashes = self.report["statistics"].get("order_hash", [])
        return {rank: value for rank, value in enumerate(hashes) if value is not None}

    def findings(self, id_):
        return [finding for finding in (self.report or {}).get("findings", []) if finding["id"] == id_]

    @property
    def order(self):
        """The file of the order that is kept without --must:record; None: there is none."""
        path = os.path.join(self.folder, "MUST_Order")
        return path if os.path.exists(path) else None


class Program:
    """A program, and how many ranks it wants: `RANKS: 4` in its head comment."""

    def __init__(self, source, executable):
        self.name = os.path.basename(source)
        self.words = [executable, os.path.realpath(source)] if source.endswith(".py") else [os.path.realpath(executable)]
        with open(source, encoding="utf-8") as file:
            head = re.search(r"RANKS: (\d+)", file.read())
        if head is None:
            raise ValueError(f"{source} does not say RANKS")
        self.ranks = int(head[1])


class Lab:
    """Runs one program in folders that are removed afterwards, several times at once if need be; a context manager."""

    def __init__(self, mustrun, program):
        self.mustrun = mustrun
        self.program = program
        self.runs = itertools.count(1)

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="orknot-test-")
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def launch(self, ranks=None, words=()):
        return ["--oversubscribe", "-np", str(ranks or self.program.ranks), *self.program.words, *words]

    def plain(self, variables=None):
        done = process.run(["mpirun", *self.launch()], self.folder, limit=process.FAR, variables=variables)
        return Run(done.exit_code, sorted(done.stdout.decode(errors="replace").splitlines()), "", None, self.folder, done.leftovers)

    def command(self, *options, ranks=None, words=()):
        """(words of the command, folder of its report). `options`: without --must:, as (name, value) or a name."""
        report = self.path(f"report{next(self.runs)}")
        os.mkdir(report)
        command = [self.mustrun, "--must:output-dir", report, "--must:output", "json"]
        for option in options:
            name, *value = (option,) if isinstance(option, str) else option
            command += [f"--must:{name}", *(str(word) for word in value)]
        return command + self.launch(ranks, words), report

    def run(self, *options, ranks=None, words=(), variables=None, limit=process.FAR):
        """Under the tool."""
        command, report = self.command(*options, ranks=ranks, words=words)
        done = process.run(command, self.folder, limit=limit, variables=variables)
        lines = sorted(done.stdout.decode(errors="replace").splitlines())
        return Run(done.exit_code, lines, done.stderr.decode(errors="replace"), load(report), report, done.leftovers)


def load(folder):
    try:
        with open(os.path.join(folder, "MUST_Output.json"), encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def noise(seed, max_us=MAX_US):
    return ("noise", f"{seed}:{max_us}")


def compare(replay, recorded):
    """What is different in a replay: sentences."""
    if replay.exit_code is None:
        yield f"the replay did not end within {process.FAR:.0f} s"
        return
    if replay.leftovers:
        yield "left behind: " + "; ".join(replay.leftovers)
    if replay.report is None:
        yield "there is no report"
        return
    for finding in replay.findings(DIVERGENCE):
        yield f"it diverged: {finding['message']}"
    if replay.exit_code != recorded.exit_code:
        yield f"the exit code is {replay.exit_code}, recorded {recorded.exit_code}"
    if replay.stdout != recorded.stdout:
        yield f"it printed {replay.stdout}, recorded {recorded.stdout}"
    if replay.hashes != recorded.hashes:
        ranks = sorted(replay.hashes.keys() | recorded.hashes.keys())
        other = [rank for rank in ranks if replay.hashes.get(rank) != recorded.hashes.get(rank)]
        yield f"the order of ranks {other} is not the recorded one"
