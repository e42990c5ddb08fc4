# SPDX-License-Identifier: BSD-3-Clause
"""Runs under other launchers than mpirun: srun (a stand-in, see there), orterun, a wrapper around mpirun.

Usage: test_launchers.py MUSTRUN STEPS [CLASS]"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import process  # noqa: E402

MUSTRUN, STEPS = sys.argv[1:3]
SRUN = os.path.join(HERE, "srun")


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="orknot-launchers-")
        self.addCleanup(shutil.rmtree, self.folder)
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "SRUN_"))}
        clean["STAND_IN_FOLDER"] = self.folder
        patch = unittest.mock.patch.dict(os.environ, clean, clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def start(self, launcher, *words, interrupt=None):
        command = [MUSTRUN, "--must:mpiexec", launcher, "--must:output-dir", self.folder, *words]
        return process.run(command, self.folder, interrupt=interrupt)

    def report(self):
        with open(os.path.join(self.folder, "MUST_Output.json"), encoding="utf-8") as file:
            return json.load(file)

    def check_clean(self, outcome, ranks, tool_processes=1):
        self.assertEqual(outcome.exit_code, 0, outcome.stderr.decode())
        self.assertEqual(outcome.leftovers, [])
        self.assertIn(f"sum {sum(range(ranks))}", outcome.stdout.decode())
        report = self.report()
        self.assertEqual((report["findings"], report["ranks"], report["complete"]), ([], ranks, True))
        self.assertEqual(report["statistics"]["tool_ranks"], tool_processes)

    def check_deadlock(self, outcome, ranks):
        self.assertEqual(outcome.exit_code, 66, outcome.stderr.decode())
        self.assertEqual(outcome.leftovers, [])
        [finding] = self.report()["findings"]
        self.assertEqual((finding["id"], finding["class"]), ("deadlock", "manifest"))
        self.assertEqual(finding["ranks"], list(range(ranks)))


class Srun(Case):
    nodes = 1

    def setUp(self):
        super().setUp()
        os.environ.update(SLURM_JOB_ID="7", SLURM_JOB_NUM_NODES=str(self.nodes))

    def steps(self):
        with open(os.path.join(self.folder, "steps"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def test_a_run_without_findings(self):
        self.check_clean(self.start(SRUN, "--mpi=pmix", "-n", "3", STEPS, "5"), 3, self.nodes)
        tool, application = self.steps()
        self.assertIn("--overlap", tool["words"])
        self.assertNotIn("--overlap", application["words"])
        self.assertEqual((tool["preload"], application["preload"]), (None, None))

    def test_a_deadlock(self):
        self.check_deadlock(self.start(SRUN, "--mpi=pmix", "-n3", STEPS, "5", "deadlock"), 3)

    def test_several_leaves_on_a_node(self):
        words = ["--must:leaf-ranks", "1", "--must:fanin", "2", "--mpi=pmix", "-n", "4"]
        self.check_clean(self.start(SRUN, *words, STEPS, "5"), 4, 4)
        self.check_deadlock(self.start(SRUN, *words, STEPS, "5", "deadlock"), 4)

    def test_variables_of_the_batch_script_do_not_disturb_the_tool(self):
        os.environ.update(SLURM_NTASKS="3", SLURM_LABELIO="1")
        outcome = self.start(SRUN, STEPS, "5")
        self.assertIn(b"<stdout>:begun", outcome.stdout)
        self.check_clean(outcome, 3, self.nodes)

    def test_ranks_are_seen_whatever_is_exported(self):
        for choice in ("ALL", "ALL,A=1", "NONE", "A", "A=2,LD_PRELOAD"):
            with self.subTest(choice):
                self.check_clean(self.start(SRUN, "-n", "2", "--export", choice, STEPS, "5"), 2, self.nodes)

    def test_the_users_own_preload_is_kept(self):
        show = ["sh", "-c", "echo $LD_PRELOAD"]
        for words, own in (([], ":libm.so.6"), (["--export=B"], ""), (["--export=LD_PRELOAD=libdl.so.2"], ":libdl.so.2")):
            with unittest.mock.patch.dict(os.environ, LD_PRELOAD="libm.so.6"):
                outcome = self.start(SRUN, "-n1", *words, shutil.which("env"), "PATH=/bin:/usr/bin", *show)
            [line] = outcome.stdout.decode().splitlines()
            self.assertRegex(line, f"^/[^:]*libmust-interceptor.so{own}$")

    def test_an_interrupt_shows_where_the_ranks_are(self):
        outcome = self.start(SRUN, "-n", "2", STEPS, "2000", interrupt=1.0)
        self.assertEqual((outcome.exit_code, outcome.leftovers), (130, []), outcome.stderr.decode())
        [finding] = self.report()["findings"]
        self.assertEqual(finding["id"], "state")

    def test_outside_of_an_allocation_nothing_is_started(self):
        del os.environ["SLURM_JOB_ID"], os.environ["SLURM_JOB_NUM_NODES"]
        outcome = self.start(SRUN, "-n", "2", STEPS, "5")
        self.assertEqual((outcome.exit_code, outcome.stdout), (64, b""))
        self.assertIn(b"no Slurm allocation", outcome.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "steps")))


class SrunNodes(Srun):
    """On two nodes, of which the first one gets more tasks."""

    nodes = 2

    def setUp(self):
        if subprocess.run(["unshare", "--uts", "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("a process may not have a host name of its own here")
        super().setUp()

    def test_leaves_that_are_spread_in_another_way_than_ranks(self):
        words = ["--must:leaf-ranks", "1", "--must:fanin", "2", "-m", "cyclic", "-n", "6"]
        self.check_clean(self.start(SRUN, *words, STEPS, "5"), 6, 6)  # the tool's: 5 and 1, the ranks: 3 and 3


class Mpirun(Case):
    def test_orterun_with_an_option_of_its_own_for_the_ranks(self):
        outcome = self.start("orterun", "--must:np", "--n", "--oversubscribe", "--n", "3", STEPS, "5")
        self.check_clean(outcome, 3)

    def test_a_wrapper_starts_the_application(self):
        outcome = self.start(os.path.join(HERE, "wrapper"), "-np", "3", STEPS, "5", "deadlock")
        self.check_deadlock(outcome, 3)
        with open(os.path.join(self.folder, "wrapped"), encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 1)

    def test_an_mpirun_that_sleeps_before_it_ends_the_ranks_is_woken(self):
        outcome = self.start(os.path.join(HERE, "sleeper"), "-np", "2", STEPS, "5", "deadlock")
        self.check_deadlock(outcome, 2)
        with open(os.path.join(self.folder, "signals"), encoding="utf-8") as file:
            self.assertEqual(file.read().split(), ["SIGTERM", "SIGCHLD"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=2)
