# SPDX-License-Identifier: BSD-3-Clause
"""Processes that are stopped for ever, or hang when nobody is left who knows of the ranks: mustrun ends all the same, after a minute or
more."""
import os
import shutil
import signal

from supervise import HYDRA, Case, alive, main


class Stopped(Case):
    def test_an_mpirun_that_is_stopped_for_ever_is_killed_in_the_end(self):
        run = self.run_it("-np", "2", "true", FAKE_TOOL="gone", FAKE_MPIRUN="stopped-for-ever")
        self.assertEqual(run.returncode, 128 + signal.SIGKILL)
        self.assertTrue([n for n in self.report()["notes"] if "the launcher had not" in n])

    def test_an_mpirun_that_hangs_after_the_tool_has_died_is_killed(self):
        run = self.run_it("-np", "2", "sleep", "8", FAKE_TOOL="die", FAKE_MPIRUN="hang")
        self.assertEqual(run.returncode, 128 + signal.SIGKILL)
        self.assertTrue([n for n in self.report()["notes"] if "no process of the launcher was left" in n])
        self.assertFalse(any(map(alive, self.pids())))

    def test_a_hydra_that_has_lost_its_ranks_is_killed_though_the_tool_knows_none(self):
        os.symlink(shutil.which("sleep"), self.path("tree", "hydra_pmi_proxy"))
        run = self.run_it("-n", "2", "true", FAKE_MPIRUN="proxy", FAKE_VERSION=HYDRA)
        self.assertEqual(run.returncode, 128 + signal.SIGKILL)
        self.assertTrue([n for n in self.report()["notes"] if "no process of the launcher was left" in n])

    def test_a_tool_that_is_stopped_while_mpirun_hangs_goes_on(self):
        run = self.run_it("-np", "2", "true", FAKE_TOOL="stopped-before-gone", FAKE_MPIRUN="hang")
        self.assertEqual(run.returncode, 128 + signal.SIGKILL)
        self.assertTrue([n for n in self.report()["notes"] if "the launcher had not" in n])
        self.assertIn(b"was stopped from outside", run.stderr)

    def test_a_tool_that_is_stopped_at_the_end_goes_on_and_reports(self):
        run = self.run_it("-np", "2", "true", FAKE_TOOL="stopped-in-the-end")
        self.assertEqual(run.returncode, 0)
        self.assertIs(self.report()["complete"], True)


if __name__ == "__main__":
    main()
