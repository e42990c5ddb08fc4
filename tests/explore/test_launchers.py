#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Explorations whose runs are steps of one Slurm allocation, or use several hosts: several at a time, and some that are lost.

usage: test_launchers.py <mustrun> <folder of the programs> [test]
The allocation and the hosts are stand-ins (tests/e2e/launchers/srun, tests/e2e/tree/agent). If this machine runs Slurm, so does one test.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest
import unittest.mock

import exploring

HERE = os.path.dirname(os.path.abspath(__file__))
MUSTRUN, PROGRAMS = (os.path.abspath(word) for word in sys.argv[1:3])
E2E = os.path.join(os.path.dirname(HERE), "e2e")
SRUN = os.path.join(E2E, "launchers", "srun")
AGENT = os.path.join(E2E, "tree", "agent")
JOBS = ("explore-jobs", 2)
process = exploring.orders.process


class Case(unittest.TestCase):
    """The sum of the numbers of three ranks: two of six orders have another result than the first run."""

    def setUp(self):
        program = exploring.Program(os.path.join(HERE, "programs", "floating_sum.c"), os.path.join(PROGRAMS, "explore_floating_sum"))
        self.expected = program.expected[0]
        self.lab = exploring.Lab(MUSTRUN, program).__enter__()
        self.addCleanup(self.lab.__exit__)
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "SRUN_")) or name == "SLURM_CONF"}
        patch = unittest.mock.patch.dict(os.environ, clean, clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def launch(self, *words):
        """The launcher and its options, instead of the usual ones."""
        self.lab.launch = lambda ranks, more: [*words, *self.lab.program.words, *more]

    def check(self, exploration):
        self.assertEqual(list(exploring.check(exploration, self.expected)), [], exploration.stderr)

    def check_some(self, *options):
        """Three of the orders are enough to show where their runs are."""
        exploration = self.lab.explore(("explore-bounds", "runs=3"), *options)
        self.assertEqual(exploration.exit_code, 66 if len(exploration.outcomes) > 1 else 0, exploration.stderr)
        self.assertEqual(exploration.leftovers, [])
        found = {name: exploration.result[name] for name in ("orders", "diverged", "lost", "complete")}
        self.assertEqual(found, {"orders": 3, "diverged": 0, "lost": 0, "complete": False}, exploration.stderr)
        self.assertEqual({outcome["kind"] for outcome in exploration.outcomes}, {"ended"}, exploration.stderr)


class InAllocation(Case):
    nodes = 1

    def setUp(self):
        super().setUp()
        self.folder = self.lab.path("slurm")
        os.mkdir(self.folder)
        os.environ.update(SLURM_JOB_ID="7", SLURM_JOB_NUM_NODES=str(self.nodes), STAND_IN_FOLDER=self.folder)
        self.launch("--must:mpiexec", SRUN, "--mpi=pmix", "-n", str(self.lab.program.ranks))

    def applications(self):
        with open(os.path.join(self.folder, "steps"), encoding="utf-8") as file:
            steps = [json.loads(line)["words"] for line in file]
        return [words for words in steps if self.lab.program.words[0] in words]


class Allocation(InAllocation):
    def test_one_after_the_other(self):
        self.check_some()
        self.assertFalse(any("--exact" in words for words in self.applications()))

    def test_two_at_a_time(self):
        self.check_some(JOBS)
        self.assertTrue(all("--exact" in words for words in self.applications()))


class SeveralNodes(InAllocation):
    nodes = 2

    def test_two_at_a_time(self):
        require_host_names(self)
        self.check_some(JOBS)


class Lost(InAllocation):
    """A step that ends without a result, as when its node fails."""

    def kill_a_step(self, name):
        """One of the application, once there are several."""
        deadline = time.monotonic() + process.FAR
        while time.monotonic() < deadline and not self.killed:
            steps = [pid for pid, command in process.processes_of(name).items() if self.is_step(command)]
            if self.has_started(3) and steps:
                os.kill(steps[0], signal.SIGKILL)
                self.killed = True
            time.sleep(0.02)

    def has_started(self, number):
        path = os.path.join(self.folder, "steps")
        return os.path.exists(path) and len(self.applications()) >= number

    def is_step(self, command):
        words = command.split(" ")
        return SRUN in words[:3] and self.lab.program.words[0] in words

    def test_it_is_repeated(self):
        self.killed = False
        name = process.new_name()
        killer = threading.Thread(target=self.kill_a_step, args=(name,))
        with unittest.mock.patch.dict(os.environ, {process.RUN_VARIABLE: name}):
            killer.start()
            command, folder = self.lab.command("explore", JOBS)
            limits = {"timeout": process.FAR, "check": False}
            done = subprocess.run(command, cwd=self.lab.folder, stdin=subprocess.DEVNULL, capture_output=True, **limits)
        killer.join()
        process.clear(name, 5.0)
        self.assertTrue(self.killed)
        self.check(exploring.Exploration(done.returncode, done.stderr.decode(), exploring.orders.load(folder), folder, []))
        self.assertGreater(len(self.applications()), exploring.orders.load(folder)["exploration"]["runs"])


class Hosts(Case):
    def test_each_run_uses_all_of_them(self):
        require_host_names(self)
        remote = ["--mca", "plm", "rsh", "--mca", "plm_rsh_agent", AGENT]
        self.launch(*remote, "-H", "n1:4,n2:4", "--map-by", "node", "-np", str(self.lab.program.ranks))
        self.check_some(JOBS)


class Slurm(Case):
    """With the Slurm of this machine."""

    def test_two_at_a_time(self):
        launcher = ["--must:mpiexec", "srun", "--mpi=pmix", "-n", str(self.lab.program.ranks)]
        allocate = ["salloc", "--quiet", "--immediate=10", "-N1", "-n", str(2 * self.lab.program.ranks)]
        # Without a configuration salloc asks the network for one.
        is_there = shutil.which("salloc") and ("SLURM_CONF" in os.environ or os.path.exists("/etc/slurm/slurm.conf"))
        if not is_there or subprocess.run([*allocate, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("there is no Slurm with free processors")
        self.launch(*launcher)
        command, folder = self.lab.command("explore", JOBS)
        done = process.run([*allocate, *command], self.lab.folder, limit=process.FAR)
        report = exploring.orders.load(folder)
        self.check(exploring.Exploration(done.exit_code, done.stderr.decode(), report, folder, done.leftovers))


def require_host_names(test):
    if subprocess.run(["unshare", "--uts", "true"], capture_output=True, check=False).returncode != 0:
        test.skipTest("a process may not have a host name of its own here")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
