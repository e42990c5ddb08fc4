# SPDX-License-Identifier: BSD-3-Clause
"""Larger jobs under Slurm: more tasks than hosts, mpirun in an allocation, two runs at once, an array, a host that fails. See
test_slurm.py."""

import os

import case
from case import RANKS, STEPS

import slurm
import test_slurm

SRUN = ["--must:mpiexec", "srun", "--mpi=pmix"]


class Jobs(test_slurm.Case):
    count = 4

    def check_job(self, job, state, exit_code):
        self.assertEqual(self.finish(job), (state, exit_code), self.text("err"))

    def check_found(self, report, ranks, tool_processes):
        self.check_deadlock(report, ["MPI_Allreduce"] * (ranks - 1) + ["MPI_Recv"], [[0, ranks - 1]])
        self.assertEqual(report["statistics"]["tool_ranks"], tool_processes)

    def test_several_tasks_on_each_host(self):
        for name, words in {"clean": (STEPS, "10"), "deadlock": (STEPS, "10", "deadlock")}.items():
            with self.subTest(name):
                job = self.submit(self.mustrun(*SRUN, "-n", "8", *words), "--ntasks-per-node=2")
                self.check_job(job, *(("COMPLETED", "0:0") if name == "clean" else ("FAILED", "66:0")))
                report = self.report()
                if name == "clean":
                    self.assertEqual((report["findings"], report["complete"], report["ranks"]), ([], True, 8))
                else:
                    self.check_found(report, 8, 4)

    def stop(self, job, how):
        """The state in which the job is expected to end."""
        if how == "cancelled":
            self.cluster.ask("scancel", job)
            return "CANCELLED"
        if how == "at its time limit":
            self.cluster.ask("scontrol", "update", f"JobId={job}", "EndTime=now+1")
            return "TIMEOUT"
        # to all processes of the job, of the steps and of the batch script
        self.cluster.ask("scancel", "--full", f"--signal={how}", job)
        return "FAILED"

    def check_stop(self, how):
        job = self.submit("exec " + self.mustrun(*SRUN, "-n", "4", RANKS, "wait"), "--ntasks-per-node=2")
        self.wait_for_polls()
        state = self.stop(job, how)
        self.assertEqual(self.finish(job)[0], state, self.text("err"))
        self.check_shows_all(self.report(), has_stacks=how != "TERM")  # which srun answers with SIGKILL to its tasks

    def test_a_job_that_is_cancelled(self):
        self.check_stop("cancelled")

    def test_a_job_at_its_time_limit(self):
        self.check_stop("at its time limit")

    def test_a_job_that_gets_sigterm(self):
        self.check_stop("TERM")

    def test_a_job_that_gets_sigint(self):
        self.check_stop("INT")

    def test_a_tree_in_a_job(self):
        command = self.mustrun("--must:leaf-ranks", "1", "--must:fanin", "2", *SRUN, "-n", "8", STEPS, "10", "deadlock")
        job = self.submit(command, "--ntasks-per-node=2")
        self.check_job(job, "FAILED", "66:0")
        self.check_found(self.report(), 8, 8)

    def test_mpirun_in_a_job(self):
        job = self.submit(self.mustrun(STEPS, "10", "deadlock"), "--ntasks-per-node=1")
        self.check_job(job, "FAILED", "66:0")
        self.check_found(self.report(), 4, 4)

    def test_a_rank_that_crashes(self):
        job = self.submit(self.mustrun(*SRUN, "-n", "4", RANKS, "crash", "3"), "--ntasks-per-node=1")
        self.check_job(job, "FAILED", "139:0")
        [finding] = self.report()["findings"]
        self.assertEqual((finding["id"], finding["end"]["rank"]), ("abnormal-end", 3))

    def test_two_runs_at_once_in_an_allocation(self):
        folders = [self.path(name) for name in ("a", "b")]
        for folder in folders:
            os.mkdir(folder)
        first, second = (self.mustrun(*SRUN, "--overlap", "-n", "4", STEPS, "10", "deadlock", folder=folder) for folder in folders)
        job = self.submit(f"{first} & {second}; code=$?; wait $!; exit $((code + $?))", "--ntasks-per-node=2")
        self.check_job(job, "FAILED", "132:0")
        for folder in folders:
            self.check_found(self.report(folder), 4, 4)

    def test_an_array(self):
        folders = [self.path(str(number)) for number in range(3)]
        for folder in folders:
            os.mkdir(folder)
        command = self.mustrun(*SRUN, "-n", "2", STEPS, "10", "deadlock", folder=self.path("$SLURM_ARRAY_TASK_ID"))
        job = self.submit(command, "--array=0-2", "--ntasks=2", "--nodes=2")
        for number in range(3):
            self.check_job(f"{job}_{number}", "FAILED", "66:0")
        for folder in folders:
            self.check_found(self.report(folder), 2, 2)

    def test_a_host_that_fails(self):
        """As its slurmd does not answer, Slurm ends the job: the report says nothing of a deadlock."""
        job = self.submit(self.mustrun(*SRUN, "-n", "4", RANKS, "sleep", "1000"), "--ntasks-per-node=2", "--no-requeue")
        self.wait_for_begin()
        self.cluster.ask("scontrol", "update", "NodeName=n4", "State=DOWN", "Reason=test")
        state, _ = self.finish(job)
        self.assertIn(state, ("NODE_FAIL", "FAILED"), self.text("err"))
        self.assertNotIn("deadlock", [finding["id"] for finding in self.report()["findings"]])
        self.cluster.ask("scontrol", "update", "NodeName=n4", "State=RESUME")


if __name__ == "__main__":
    case.main(slurm.require)
