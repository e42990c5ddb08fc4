#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Explorations that are interrupted, whose processes are killed, and that go on afterwards.

usage: test_resume.py <mustrun> <folder of the programs> <slow_child> [test]
"""
import os
import signal
import subprocess
import sys
import time
import unittest

import exploring

HERE = os.path.dirname(os.path.abspath(__file__))
MUSTRUN, PROGRAMS = (os.path.abspath(word) for word in sys.argv[1:3])
SLOW = os.path.abspath(sys.argv[3])
process = exploring.orders.process
ORDERS = 6  # of workers.c
FEW_RANKS, FEW_ORDERS = 3, 2
SOME = 3  # runs until something happens


class Resume(unittest.TestCase):
    def setUp(self):
        program = exploring.Program(os.path.join(HERE, "programs", "workers.c"), os.path.join(PROGRAMS, "explore_workers"))
        self.lab = exploring.Lab(MUSTRUN, program).__enter__()
        self.addCleanup(self.lab.__exit__)
        self.run_name = process.new_name()
        self.orders = ORDERS

    def take_few(self):
        """Where one order besides that of the first run is enough."""
        self.lab.program.ranks, self.orders = FEW_RANKS, FEW_ORDERS

    def start(self, *options, folder=None, variables=None):
        command, self.folder = self.lab.command("explore", *options)
        if folder is not None:
            command[command.index(self.folder)] = self.folder = folder
        self.err = self.lab.path("err")
        with open(self.err, "wb") as err:
            self.job = subprocess.Popen(
                command,
                cwd=self.lab.folder,
                env=process.environment({process.RUN_VARIABLE: self.run_name, **(variables or {})}),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=err,
            )
        self.addCleanup(self.end)

    def end(self):
        process.clear(self.run_name, 0.0)
        self.job.wait()

    def has_started(self, number):
        """This run, or a later one: their folders are work-1, work-2, .. while they last."""
        folder = os.path.join(self.folder, "MUST_Exploration")
        names = os.listdir(folder) if os.path.isdir(folder) else []
        runs = [int(name[5:]) for name in names if name.startswith("work-")]
        return max(runs, default=0) >= number

    def wait_until_started(self, number):
        deadline = time.monotonic() + process.FAR
        while not self.has_started(number):
            self.assertLess(time.monotonic(), deadline, "it makes no runs")
            self.assertIsNone(self.job.poll(), "it has ended")
            time.sleep(0.02)

    def all_gone(self):
        """The runs end when mustrun does."""
        deadline = time.monotonic() + process.FAR
        while process.processes_of(self.run_name) and time.monotonic() < deadline:
            time.sleep(0.1)
            self.job.poll()
        self.assertEqual(process.processes_of(self.run_name), {}, "left behind")

    def stderr(self):
        with open(self.err, encoding="utf-8", errors="replace") as file:
            return file.read()

    def check_all(self, exploration):
        expected = exploring.parse_expected(None, f"{self.orders} orders, {self.orders} ended, exit 0")
        self.assertEqual(list(exploring.check(exploration, expected)), [], exploration.stderr)

    def check_goes_on(self, *options):
        self.check_all(self.lab.explore("explore-resume", *options, folder=self.folder))

    def test_it_is_killed_again_and_again(self):
        self.start()
        for _ in range(2):
            self.wait_until_started(2)
            self.job.send_signal(signal.SIGKILL)
            self.all_gone()
            self.start("explore-resume", ("explore-jobs", 2), folder=self.folder)
        self.job.wait(process.FAR)
        self.check_goes_on()

    def test_ctrl_c_leaves_a_report(self):
        self.start()
        self.wait_until_started(SOME)
        self.job.send_signal(signal.SIGINT)
        self.job.wait(process.FAR)
        self.all_gone()
        report = exploring.orders.load(self.folder)
        self.assertIsNotNone(report, self.stderr())
        result = report["exploration"]
        self.assertTrue(result["interrupted"])
        self.assertFalse(result["complete"])
        self.assertGreaterEqual(result["orders"], SOME - 1)
        self.assertGreater(result["left"], 0)
        self.assertIn("--must:explore-resume", result["resume"])
        self.assertIn(result["resume"], self.stderr())
        self.check_goes_on()

    def test_ctrl_c_in_the_first_run(self):
        self.take_few()
        self.start()
        self.wait_until_started(1)
        self.job.send_signal(signal.SIGINT)
        self.assertEqual(self.job.wait(process.FAR), 128 + signal.SIGINT, self.stderr())
        self.all_gone()
        report = exploring.orders.load(self.folder)
        self.assertIsNotNone(report, self.stderr())
        self.assertEqual((report["verdict"], report["exploration"]["summary"]), ("not-checked", "No order was run to its end."))
        self.assertTrue(report["exploration"]["interrupted"])
        self.assertIn("The exploration was interrupted", self.stderr())
        again = self.lab.explore(folder=self.folder)  # nothing was lost, so nothing has to be replaced
        self.check_all(again)

    def test_a_run_does_not_begin_when_mustrun_is_gone(self):
        """Its process waits between fork() and prctl(), until mustrun was killed."""
        waits, go = self.lab.path("waits"), self.lab.path("go")
        self.start(variables={"LD_PRELOAD": SLOW, "ORKNOT_WAITS": waits, "ORKNOT_GO": go})
        self.wait_until_started(1)
        while not os.path.exists(waits):
            self.assertIsNone(self.job.poll(), "it has ended")
            time.sleep(0.02)
        self.job.send_signal(signal.SIGKILL)
        self.job.wait()
        with open(go, "wb"):
            pass
        self.all_gone()
        work = os.path.join(self.folder, "MUST_Exploration", "work-1")
        self.assertEqual(os.listdir(work), [])

    def test_orders_of_lost_runs_are_left(self):
        """As when an allocation ends: no further run has a result."""
        self.take_few()
        self.lab.program.words = ["sh", os.path.join(HERE, "lost_later.sh"), self.lab.path("ran"), *self.lab.program.words]
        exploration = self.lab.explore()
        result = exploration.result
        self.assertEqual((result["orders"], result["complete"]), (1, False), exploration.stderr)
        self.assertGreater(result["lost"], 0)
        self.assertEqual(result["left"], result["lost"])
        self.assertNotIn("Every known order was run", exploration.stderr)
        self.assertIn("The exploration ended early", exploration.stderr)
        self.assertIsNotNone(result["resume"])

    def test_a_run_that_is_lost_is_repeated(self):
        self.start(("explore-jobs", 2))
        self.wait_until_started(SOME)
        found = process.processes_of(self.run_name).items()
        tools = [pid for pid, command in found if os.path.basename(command.split(" ")[0]) == "must-tool"]
        for pid in tools:
            os.kill(pid, signal.SIGKILL)
        self.job.wait(process.FAR)
        exploration = exploring.Exploration(self.job.returncode, self.stderr(), exploring.orders.load(self.folder), self.folder, [])
        self.check_all(exploration)

    def test_more_runs_are_allowed_later(self):
        self.take_few()
        first = self.lab.explore(("explore-bounds", "runs=1"))
        self.assertEqual(first.result["orders"], 1)
        self.assertGreater(first.result["left"], 0)
        self.assertIsNotNone(first.result["resume"])
        again = self.lab.explore("explore-resume", ("explore-bounds", "runs=1000"), folder=first.folder)
        self.check_all(again)
        self.assertEqual(again.result["runs"], FEW_ORDERS)

    def test_there_is_nothing_left_to_do(self):
        self.take_few()
        first = self.lab.explore()
        self.check_all(first)
        self.assertIsNone(first.result["resume"])
        (site,) = first.result["sites"]
        self.assertEqual((site["call"], site["ranks"], site["tried"] - site["known"]), ("MPI_Recv", "0", 0))
        again = self.lab.explore("explore-resume", folder=first.folder)
        self.check_all(again)
        self.assertEqual(again.result["tree"], first.result["tree"])

    def test_the_time_is_limited(self):
        self.take_few()
        exploration = self.lab.explore(("explore-bounds", "time=0.0002"))
        self.assertEqual(exploration.exit_code, 0, exploration.stderr)
        self.assertGreaterEqual(exploration.result["orders"], 1)
        self.assertLess(exploration.result["orders"], FEW_ORDERS)
        self.assertFalse(exploration.result["complete"])
        self.check_all(self.lab.explore("explore-resume", folder=exploration.folder))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=1)
