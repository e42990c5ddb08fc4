#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A rank, mustrun, or all processes of the tool are killed during a recording: what was recorded until then can be read.

usage: test_killed.py <mustrun> <mustview> <folder of the programs> [test]
"""
import os
import re
import signal
import subprocess
import sys
import time
import unittest
import uuid

import orders

HERE = os.path.dirname(os.path.abspath(__file__))
MUSTRUN, MUSTVIEW, PROGRAMS = (os.path.abspath(word) for word in sys.argv[1:4])
SOME = 50  # choices that are there at least: the program says "going" after 300, and a second passes
LIMIT = 60.0


class Killed(unittest.TestCase):
    def setUp(self):
        source = os.path.join(HERE, "programs", "endless.c")
        self.lab = orders.Lab(MUSTRUN, orders.Program(source, os.path.join(PROGRAMS, "order_endless"))).__enter__()
        self.addCleanup(self.lab.__exit__)
        self.path = self.lab.path("order")
        self.name = uuid.uuid4().hex
        command, _ = self.lab.command(orders.noise(1), ("record", self.path))
        self.out, self.err = self.lab.path("out"), self.lab.path("err")
        with open(self.out, "wb") as out, open(self.err, "wb") as err:
            self.job = subprocess.Popen(
                command,
                cwd=self.lab.folder,
                env=orders.process.environment({orders.process.RUN_VARIABLE: self.name}),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
            )
        self.addCleanup(self.end)
        orders.process.wait_for_output(self.job, self.out, LIMIT)
        time.sleep(1.5)  # the tool writes once a second at least

    def end(self):
        orders.process.clear(self.name, 0.0)
        self.job.wait()

    def processes(self, program):
        found = orders.process.processes_of(self.name).items()
        return sorted(pid for pid, command in found if os.path.basename(command.split(" ")[0]) == program)

    def kill(self, pids):
        self.assertTrue(pids)
        for pid in pids:
            os.kill(pid, signal.SIGKILL)

    def all_gone(self):
        deadline = time.monotonic() + LIMIT
        while orders.process.processes_of(self.name) and time.monotonic() < deadline:
            time.sleep(0.1)
            self.job.poll()  # no zombie
        self.assertEqual(orders.process.processes_of(self.name), {}, "left behind")

    def check_file(self):
        found = [os.path.join(self.lab.folder, name) for name in os.listdir(self.lab.folder) if re.fullmatch(r"order(\..*part)?", name)]
        self.assertEqual(len(found), 1, os.listdir(self.lab.folder))
        done = subprocess.run([MUSTVIEW, "--order", found[0]], capture_output=True, timeout=60, check=False, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        choices = [line for line in done.stdout.splitlines() if "MPI_Recv" in line]
        self.assertGreater(len(choices), SOME, done.stdout[:2000])
        return found[0]

    def check_replay(self, path):
        """It is followed as far as it goes: no divergence. The run is ended before it ends itself."""
        run = self.lab.run(orders.noise(2), ("replay", path), limit=4.0)
        self.assertIn("going", run.stdout, run.stderr)
        self.assertNotIn("does not follow", run.stderr)

    def test_a_rank(self):
        self.kill(self.processes("order_endless")[-1:])
        self.job.wait(LIMIT)
        self.check_replay(self.check_file())

    def test_mustrun(self):
        self.kill([self.job.pid])
        self.all_gone()
        self.check_replay(self.check_file())

    def test_all_processes_of_the_tool(self):
        self.kill(self.processes("must-tool"))
        orders.process.clear(self.name, 5.0)
        self.job.wait(LIMIT)
        self.check_replay(self.check_file())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=1)
