# SPDX-License-Identifier: BSD-3-Clause
"""A tool or an mpirun that hangs, crashes, or is missing."""
import os
import shutil
import signal
import subprocess

from supervise import HYDRA, LIMIT, Case, alive, wait_until, main


class Unkind(Case):
    def test_a_tool_that_does_not_get_ready_stops_the_start(self):
        run = self.run_it("--must:start-timeout", "1", "-np", "2", "echo", "started", FAKE_TOOL="late")
        self.assertEqual((run.returncode, run.stdout), (69, b""))
        self.assertIn(b"was not ready in time", run.stderr)
        self.assertTrue(wait_until(lambda: not any(map(alive, self.pids()))))

    def test_a_tool_that_ends_before_it_is_ready_shows_why(self):
        run = self.run_it("-np", "2", "echo", "started", FAKE_TOOL="refuse")
        self.assertEqual((run.returncode, run.stdout), (69, b""))
        self.assertIn(b"this tool does not want to", run.stderr)

    def test_the_application_runs_on_when_the_tool_dies(self):
        run = self.run_it("-np", "2", "sh", "-c", "sleep 1; echo done", FAKE_TOOL="die")
        self.assertEqual((run.returncode, run.stdout), (70, b"done\n"))
        self.assertIn(b"the tool's job ended early", run.stderr)
        self.assertIs(self.report()["complete"], False)
        self.assertEqual(self.report()["verdict"], "not-checked")
        run = self.run_it("-np", "2", "sh", "-c", "sleep 1; exit 5", FAKE_TOOL="die")
        self.assertEqual(run.returncode, 5)

    def test_a_deadlocked_job_ends_though_tool_and_mpirun_do_not_help(self):
        run = self.run_it("-np", "2", "true", FAKE_TOOL="deadlock-then-die", FAKE_MPIRUN="deaf")
        self.assertEqual(run.returncode, 66)
        self.assertFalse(any(map(alive, self.pids())))

    def test_a_job_ends_though_the_tool_dies_between_a_deadlock_and_its_stacks(self):
        run = self.run_it("-np", "2", "sleep", "600", FAKE_TOOL="deadlock-then-die-before-its-stacks")
        self.assertEqual(run.returncode, 66)
        self.assertEqual(self.report()["application"]["ended_by"], "tool")

    def test_a_deaf_mpirun_is_killed_after_a_deadlock_and_the_ranks_too(self):
        run = self.run_it("-np", "2", "true", FAKE_TOOL="deadlock", FAKE_MPIRUN="deaf")
        self.assertEqual(run.returncode, 66)
        self.assertIn("told kill", self.log())
        self.assertEqual(self.report()["application"]["ended_by"], "tool")

    def test_an_mpirun_that_crashes_when_the_tool_ends_the_job_is_no_crash_of_the_application(self):
        run = self.run_it("-np", "2", "true", FAKE_TOOL="deadlock", FAKE_MPIRUN="crash-at-end")
        self.assertEqual(run.returncode, 66)
        application = self.report()["application"]
        self.assertEqual((application["signal"], application["ended_by"]), (None, "tool"))

    def test_an_mpirun_that_hangs_without_ranks_is_killed(self):
        run = self.run_it("-np", "2", "true", FAKE_TOOL="gone", FAKE_MPIRUN="hang")
        self.assertEqual(run.returncode, 128 + signal.SIGKILL)
        self.assertTrue([n for n in self.report()["notes"] if "the launcher had not" in n])

    def test_a_hydra_whose_only_child_is_its_own_is_killed(self):
        os.symlink(shutil.which("sleep"), self.path("tree", "hydra_pmi_proxy"))
        run = self.run_it("-n", "2", "true", FAKE_TOOL="gone", FAKE_MPIRUN="proxy", FAKE_VERSION=HYDRA)
        self.assertEqual(run.returncode, 128 + signal.SIGKILL)
        self.assertTrue([n for n in self.report()["notes"] if "the launcher had not" in n])

    def test_an_mpirun_that_is_stopped_or_gets_no_processor_is_not_taken_for_hung(self):
        run = self.run_it("-np", "2", "true", FAKE_TOOL="gone", FAKE_MPIRUN="stopped")
        self.assertEqual(run.returncode, 0)
        self.assertFalse([n for n in self.report()["notes"] if "the launcher had not" in n])

    def test_an_mpirun_with_children_is_not_taken_for_hung(self):
        run = self.run_it("-np", "2", "true", FAKE_TOOL="gone", FAKE_MPIRUN="script")
        self.assertEqual(run.returncode, 0)

    def test_an_mpirun_that_crashes_is_told_by_its_signal(self):
        run = self.run_it("-np", "2", "true", FAKE_MPIRUN="crash")
        self.assertEqual(run.returncode, 128 + signal.SIGSEGV)
        self.assertEqual(self.report()["application"]["signal"], signal.SIGSEGV)
        self.assertIn("told kill", self.log())

    def test_an_mpirun_that_crashes_after_an_abort_leaves_the_exit_code_of_the_rank(self):
        run = self.run_it("-np", "2", "true", FAKE_TOOL="abort", FAKE_MPIRUN="crash")
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertEqual(self.report()["application"]["signal"], signal.SIGSEGV)

    def test_a_tool_that_stays_after_its_last_word_is_killed(self):
        run = self.run_it("-np", "2", "true", FAKE_TOOL="stay")
        self.assertEqual(run.returncode, 0)
        self.assertFalse(any(map(alive, self.pids())))

    def test_a_missing_launcher_is_one_sentence(self):
        run = subprocess.run([self.mustrun, "--must:mpiexec", "/no/such", "-np", "1", "true"], capture_output=True,
                             cwd=self.path("work"), timeout=LIMIT, env=self.environment)
        self.assertEqual(run.returncode, 69)
        self.assertEqual(run.stderr.count(b"\n"), 1)

    def test_a_missing_component_is_one_sentence(self):
        os.remove(self.tool)
        run = self.run_it("-np", "1", "true")
        self.assertEqual(run.returncode, 69)
        self.assertEqual(run.stderr.count(b"\n"), 1)
        self.assertIn(b"must-tool is missing", run.stderr)


if __name__ == "__main__":
    main()
