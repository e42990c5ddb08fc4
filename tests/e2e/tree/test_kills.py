# SPDX-License-Identifier: BSD-3-Clause
"""Each process of the tool and of the job is killed, or told to end, in each phase of a run on one node, and of an exploration and a
replay. Whatever ends: the run ends, no process is left, the report can be read, and it says nothing that is not so. Prints a table: what
was ended, when, by what; exit code, seconds until the end, what the report says, what is left.

Usage: test_kills.py MUSTRUN STEPS"""

import json
import os
import shutil
import signal
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import process  # noqa: E402
import watched  # noqa: E402

MUSTRUN, STEPS = sys.argv[1:3]
RANKS = 4
# Process 1 is above process 2, beside process 3.
OPTIONS = ["--must:leaf-ranks", "1", "--must:fanin", "2", "--oversubscribe", "-np", str(RANKS)]
VICTIMS = ("mustrun", "mpirun", "root", "inner", "leaf", "rank")
# deadlock: it was reported, and the job is being ended; report: the ranks have said their last word; exploration: in its second run
PHASES = ("start", "calls", "deadlock", "end", "report", "exploration", "replay")
WORDS = {"start": ["3"], "calls": ["1", "calls"], "deadlock": ["2", "deadlock"], "end": ["1", "calls"], "report": ["3"],
         "exploration": ["20", "choices"], "replay": ["40", "choices"]}


class Table:
    """Of all victims and phases. Who inherits it is a test case with a folder, and starts the runs."""

    victims = VICTIMS
    phases = PHASES
    NUMBERS = {"root": 0, "inner": 1, "leaf": 2}  # of the tool's processes
    # Programs that may be left. RATIONALE: an mpirun that was told to end may hang in PMIx_server_finalize, and nobody is there to kill it
    # if mustrun was killed.
    LEFT = {("mustrun", signal.SIGKILL): {"mpirun"}}

    def start(self, phase):
        raise NotImplementedError

    def programs(self, run):
        """{pid: words of its command} of the run's processes, programs without their folders."""
        found = {}
        for pid, command in process.processes_of(run.name).items():
            program, *words = command.split(" ")
            found[pid] = [os.path.basename(program), *words]
        return found

    def find_process(self, run, victim):
        """The process id; an exception or None: it is not there (yet)."""
        if victim in self.NUMBERS:
            return run.tool_process(self.NUMBERS[victim])
        if victim == "rank":
            return run.rank_process(1, os.path.basename(STEPS))
        return next((pid for pid, words in self.programs(run).items() if words[0] == victim), None)

    def find(self, run, victim):
        try:
            return self.find_process(run, victim)
        except (AssertionError, OSError):
            return None

    def wait_for_end(self, run):
        """The exit code."""
        return run.process.wait(process.FAR)

    def wait_for_victim(self, run, victim):
        end = time.monotonic() + process.FAR
        while run.process.poll() is None and time.monotonic() < end:
            pid = self.find(run, victim)
            if pid is not None:
                return pid
            time.sleep(0.002)
        return None

    def wait_for_second_run(self, run):
        first = self.wait_for_victim(run, "rank")
        while first is not None and run.process.poll() is None:
            now = self.find(run, "rank")
            if now not in (None, first):
                return
            time.sleep(0.01)

    def wait_for_phase(self, run, phase):
        if phase in ("calls", "end"):
            run.wait_for("out", "round 2\n")
        elif phase == "deadlock":  # without the tool, the job would hang
            run.wait_for("err", "deadlock \\(manifest\\)")
        elif phase == "report":
            run.wait_for("out", "sum ")
        elif phase == "exploration":
            self.wait_for_second_run(run)
        elif phase == "replay":
            run.wait_for("out", "begun\n")

    def hit(self, victim, phase, signo):
        """One run: (exit code, report or None, standard error, seconds until it ended, what is left)."""
        run = self.start(phase)
        self.wait_for_phase(run, phase)
        pid = self.find(run, victim) if phase == "report" else self.wait_for_victim(run, victim)
        if phase == "end":
            run.stop()
        begin = time.monotonic()
        try:
            if pid is not None:
                os.kill(pid, signo)
        except ProcessLookupError:
            pass  # it has ended by itself
        if phase == "calls":
            time.sleep(0.3)
            run.stop()
        code = self.wait_for_end(run)
        seconds = time.monotonic() - begin
        left = [os.path.basename(command.split(" ")[0]) for command in process.clear(run.name, 10.0)]
        path = os.path.join(self.folder, "MUST_Output.json")
        if not os.path.exists(path):
            return code, None, run.text("err"), seconds, left
        with open(path, encoding="utf-8") as file:
            return code, json.load(file), run.text("err"), seconds, left

    def check(self, victim, phase, code, report, said):
        if report is None:  # mustrun was killed, or had started nothing
            self.assertTrue(victim == "mustrun" or code != 0, said)
            return
        findings = {(finding["id"], finding["class"]) for finding in report["findings"]}
        allowed = {("abnormal-end", None), ("state", None)}
        if phase == "replay":  # a rank that is ended does not repeat its choices
            allowed.add(("replay-divergence", None))
        if phase == "deadlock":
            allowed.add(("deadlock", "manifest"))
        self.assertLessEqual(findings, allowed, said)
        if code == 0 and phase != "exploration":
            self.assertTrue(report["complete"], said)
        if victim in ("root", "inner", "leaf") and not report["complete"] and phase not in ("deadlock", "exploration"):
            self.assertIn(code, (69, 70), said)

    def table(self, signo):
        for victim in self.victims:
            for phase in self.phases:
                for name in os.listdir(self.folder):
                    shutil.rmtree(os.path.join(self.folder, name), ignore_errors=True)
                    if os.path.exists(os.path.join(self.folder, name)):
                        os.remove(os.path.join(self.folder, name))
                with self.subTest(victim=victim, phase=phase, signo=signo):
                    code, report, said, seconds, left = self.hit(victim, phase, signo)
                    texts = ["no report"] if report is None else (
                        [finding["message"] for finding in report["findings"]] or report["notes"] or [report["verdict"]])
                    what = "; ".join(text[:80] for text in texts)
                    print(f"| {victim} | {phase} | {signo.name} | {code} | {seconds:.1f} | {what} | {' '.join(left)} |", flush=True)
                    self.assertLessEqual(set(left), self.LEFT.get((victim, signo), set()))
                    self.check(victim, phase, code, report, said)

    def test_killed(self):
        self.table(signal.SIGKILL)

    def test_told_to_end(self):
        self.table(signal.SIGTERM)


class Kills(Table, unittest.TestCase):
    """On one node."""

    @classmethod
    def setUpClass(cls):
        cls.order = tempfile.mkdtemp(prefix="orknot-kills-")
        cls.addClassCleanup(shutil.rmtree, cls.order)
        run = watched.Run([MUSTRUN, "--must:record", os.path.join(cls.order, "order"), "--must:output-dir", cls.order, *OPTIONS, STEPS,
                           *WORDS["replay"]], cls.order)
        run.finish()

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="orknot-kills-")
        self.addCleanup(shutil.rmtree, self.folder)

    def find_process(self, run, victim):
        return run.process.pid if victim == "mustrun" else super().find_process(run, victim)

    def start(self, phase):
        options = {"exploration": ["--must:explore"], "replay": ["--must:replay", os.path.join(self.order, "order")]}.get(phase, [])
        return watched.Run([MUSTRUN, *options, "--must:output-dir", self.folder, *OPTIONS, STEPS, *WORDS[phase]], self.folder)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:])
