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

import orders

HERE = os.path.dirname(os.path.abspath(__file__))
MUSTRUN, MUSTVIEW, PROGRAMS = (os.path.abspath(word) for word in sys.argv[1:4])
SOME = 50  # choices that the file has at least when something is killed
LIMIT = orders.process.FAR


def choices_of(path):
    """The lines of `mustview --order` that are choices; none while the file cannot be read yet."""
    done = subprocess.run([MUSTVIEW, "--order", path], capture_output=True, timeout=LIMIT, check=False, text=True)
    return [line for line in done.stdout.splitlines() if "MPI_Recv" in line] if done.returncode == 0 else []


class Killed(unittest.TestCase):
    def setUp(self):
        source = os.path.join(HERE, "programs", "endless.c")
        self.lab = orders.Lab(MUSTRUN, orders.Program(source, os.path.join(PROGRAMS, "order_endless"))).__enter__()
        self.addCleanup(self.lab.__exit__)
        self.job, self.name, _ = self.start(orders.noise(1), ("record", self.lab.path("order")))
        self.wait_for_choices()

    def start(self, *options):
        """A job that has said its first word: it, its name, and the file of its standard error."""
        name = orders.process.new_name()
        command, _ = self.lab.command(*options)
        paths = [self.lab.path(f"{name}.{stream}") for stream in ("out", "err")]
        with open(paths[0], "wb") as out, open(paths[1], "wb") as err:
            job = subprocess.Popen(
                command,
                cwd=self.lab.folder,
                env=orders.process.environment({orders.process.RUN_VARIABLE: name}),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
            )
        self.addCleanup(self.end, job, name)
        orders.process.wait_for_output(job, paths[0], LIMIT)
        return job, name, paths[1]

    def end(self, job, name):
        orders.process.clear(name, 0.0)
        job.wait()

    def files(self):
        return [os.path.join(self.lab.folder, name) for name in os.listdir(self.lab.folder) if re.fullmatch(r"order(\..*part)?", name)]

    def wait_for_choices(self):
        """RATIONALE: the tool writes once a second, or later if it does not get a processor; what it has not written is lost with it."""
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline and not any(len(choices_of(path)) > SOME for path in self.files()):
            time.sleep(0.2)

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
        found = self.files()
        self.assertEqual(len(found), 1, os.listdir(self.lab.folder))
        self.assertGreater(len(choices_of(found[0])), SOME)
        return found[0]

    def check_replay(self, path):
        """It is followed as far as it goes: no divergence. The run is ended before it ends itself."""
        job, name, error = self.start(orders.noise(2), ("replay", path))
        self.end(job, name)
        with open(error, encoding="utf-8", errors="replace") as file:
            text = file.read()
        self.assertIn("watching", text)
        self.assertNotIn("does not follow", text)

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
