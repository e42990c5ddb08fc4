# SPDX-License-Identifier: BSD-3-Clause
"""Jobs under Slurm on three hosts, with mustrun in their batch scripts: a deadlock, scancel, a time limit. See case.py and slurm.py."""

import json
import os
import re
import time
import uuid

import case
from case import MUSTRUN, RANKS, STEPS

import bed
import process
import slurm

IS_OVER = r"JobState=(?!RUNNING|PENDING|CONFIGURING|COMPLETING)"

class Case(case.Case):
    """`sbatch --wrap mustrun ...`: its output and report are in the test's folder."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cluster = slurm.Slurm(cls.hosts)
        cls.cluster.__enter__()

    def environment(self):
        return self.cluster.environment({process.RUN_VARIABLE: uuid.uuid4().hex})

    def submit(self, command, *options):
        """The job's number. All hosts, unless the options say something else."""
        words = ["--parsable", "--nodes", str(self.count), "--output", self.path("out"), "--error", self.path("err")]
        words += ["--chdir", self.folder]
        return self.cluster.ask("sbatch", *words, *options, f"--wrap={command}", env=os.environ).strip()

    def path(self, name):
        return os.path.join(self.folder, name)

    def text(self, name):
        try:
            with open(self.path(name), encoding="utf-8", errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def mustrun(self, *words, folder=None):
        return " ".join([MUSTRUN, "--must:output-dir", folder or self.folder, *words])

    def wait_until(self, is_so):
        """Without asking Slurm, which costs processor time."""
        end = time.monotonic() + bed.LIMIT
        while not is_so():
            if time.monotonic() > end:
                raise AssertionError(f"{self.text('out')}{self.text('err')}{bed.processes_of(self.hosts.folder)}{self.cluster.log()}")
            time.sleep(0.1)

    def wait_for_begin(self):
        """Until rank 0 is where it says so."""
        self.wait_until(lambda: "begun" in self.text("out"))

    def wait_for_polls(self):
        """Until rank 0 of `ranks wait` sleeps for longer than the second after which its stack is of interest."""
        self.wait_for_begin()
        time.sleep(1.5)

    def finish(self, job):
        """(state, exit code) of the job when its processes are gone."""
        self.wait_until(lambda: ": watching" in self.text("err") and not process.processes_of(os.environ[process.RUN_VARIABLE]))
        text = self.cluster.wait_for("scontrol", lambda text: re.search(IS_OVER, text), "show", "job", job)
        return re.search(r"JobState=(\w+)", text)[1], re.search(r" ExitCode=([\d:]+)", text)[1]

    def report(self, folder=None):
        with open(os.path.join(folder or self.folder, "MUST_Output.json"), encoding="utf-8") as file:
            return json.load(file)

    def check_stopped(self, report):
        """From outside: nobody's error."""
        self.assertEqual([finding["severity"] for finding in report["findings"] if finding["severity"] != "note"], [], self.text("err"))
        self.assertEqual(report["application"]["ended_by"], "user", self.text("err"))
        said = self.text("err")
        self.assertEqual(len(report["findings"]), 1, f"{report['notes']} {said}")
        [finding] = report["findings"]
        self.assertIn(finding["id"], ("state", "abnormal-end"), said)
        self.assertEqual([row["rank"] for row in finding["waits"]], list(range(self.count)), said)
        self.assertRegex(said, r"Longest first: rank \d for ", said)

    def check_shows_all(self, report, has_stacks=True):
        """What the ranks of `ranks wait` did, as kill -USR1 shows it: stacks, since when, for whom, unsuccessful polls. There are no
        stacks of ranks that were killed before mustrun knew of the end."""
        self.check_stopped(report)
        rows = report["findings"][0]["waits"]
        said = self.text("err")
        self.assertEqual([row.get("for", []) for row in rows[2:]], [[0]] * (self.count - 2), said)
        if has_stacks:
            self.assertIn("nap", [frame["function"] for frame in rows[0].get("stack", [])], said)
        self.assertEqual(rows[1]["call"], "MPI_Test", said)
        self.assertRegex(said, r"Longest first: .*rank 1 for [^)]*, \d+ unsuccessful polls? so far\)")

    def tearDown(self):
        self.check_hosts_are_clean()


class Slurm(Case):
    """With mpirun. RATIONALE: under srun, Open MPI 4.1.4 without any tool crashed in MPI_Init in some runs: see README.md."""

    def test_a_deadlock(self):
        job = self.submit(self.mustrun("-np", "3", STEPS, "5", "deadlock"), "--ntasks-per-node=1")
        self.assertEqual(self.finish(job), ("FAILED", "66:0"), self.text("err"))
        report = self.report()
        self.check_deadlock(report, ["MPI_Allreduce", "MPI_Allreduce", "MPI_Recv"], [[0, 2]])
        self.assertEqual(report["statistics"]["tool_ranks"], 3)

    def test_a_job_that_is_cancelled(self):
        job = self.submit(self.mustrun("-np", "3", RANKS, "wait"), "--ntasks-per-node=1")
        self.wait_for_polls()
        self.cluster.ask("scancel", job)
        self.assertEqual(self.finish(job)[0], "CANCELLED", self.text("err"))
        self.check_shows_all(self.report())

    def test_a_job_at_its_time_limit(self):
        job = self.submit(self.mustrun("-np", "3", RANKS, "sleep", "1000"), "--ntasks-per-node=1")
        self.wait_for_begin()
        self.cluster.ask("scontrol", "update", f"JobId={job}", "EndTime=now+1")
        self.assertEqual(self.finish(job)[0], "TIMEOUT", self.text("err"))
        report = self.report()
        # Slurm ends Open MPI's daemons, too, and the launcher may end the tool's root because of that, before it has said where they are.
        if report["findings"] or report["notes"] != ["the tool's job ended early: later calls were not observed"]:
            self.check_stopped(report)


if __name__ == "__main__":
    case.main(slurm.require)
