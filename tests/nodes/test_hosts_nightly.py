# SPDX-License-Identifier: BSD-3-Clause
"""Hosts with equal names, with clocks that differ, that are slow to reach, unreachable for a while, or lost. See case.py."""

import json
import os
import shutil
import signal
import sys
import time
import unittest

import case
from case import HERE, MUSTRUN, RANKS, STEPS

import bed
import process
import watched

E2E = os.path.join(os.path.dirname(HERE), "e2e")
sys.path[:0] = [os.path.join(E2E, "tree"), os.path.join(E2E, "layouts")]
import mpich  # noqa: E402
import test_tree  # noqa: E402


class Same(case.Case):
    """What differs between the hosts does not matter."""

    def tearDown(self):
        self.check_hosts_are_clean()

    def test_a_run_without_findings(self):
        self.check_clean_steps(self.start("-np", "3", STEPS, "20"))

    def test_a_deadlock(self):
        self.check_deadlock_of_steps(self.start("-np", "3", STEPS, "5", "deadlock"))

    def test_a_rank_that_crashes(self):
        run = self.start("-np", "3", RANKS, "crash", "1")
        code, report = run.finish()
        self.assertEqual(code, 128 + signal.SIGSEGV, run.text("err"))
        [finding] = report["findings"]
        self.assertEqual(finding["id"], "abnormal-end")
        self.assertEqual(finding["end"], {"rank": 1, "kind": "signal", "value": signal.SIGSEGV})

    def test_two_runs_at_once(self):
        """From two hosts, in one folder tree and with the same processes' numbers."""
        folders = [os.path.join(self.folder, name) for name in ("a", "b")]
        runs = []
        for folder, host in zip(folders, ("n1", "n2")):
            os.mkdir(folder)
            command = [MUSTRUN, "--must:output-dir", folder, "-np", "3", STEPS, "20"]
            runs.append(watched.Run(self.hosts.on(host, *command), folder))
        for run in runs:
            self.check_clean_steps(run)


class AllNames(Same):
    names = ["node", "node", "node"]

    def test_hosts_are_told_apart(self):
        run = self.start("--must:verbose", "-np", "3", STEPS, "5")
        self.check_clean_steps(run)
        self.assertIn("3 processes in 2 layers on node (1), node (1), node (1)", run.text("err"))


class Twice(case.Case):
    """One host by two names is one host: its ranks and tool processes find each other."""

    count = 2

    def setUp(self):
        super().setUp()
        self.alias = self.hosts.path("alias")
        os.symlink("n2", self.alias)
        self.addCleanup(os.unlink, self.alias)

    def environment(self):
        """Open MPI 4.1's segments of shared memory have the same names for both names of the host, and its ranks crash without any tool."""
        return {**super().environment(), "OMPI_MCA_btl": "self,tcp"}

    def test_a_deadlock(self):
        run = self.start("--must:verbose", "-H", "n1,n2,alias", "-np", "3", STEPS, "5", "deadlock")
        self.check_deadlock_of_steps(run)
        self.assertIn("3 processes in 2 layers on n1 (1), n2 (2)", run.text("err"))

    def test_several_tool_processes_for_each_name(self):
        run = self.start("-H", "n1:2,n2:2,alias:2", "--must:leaf-ranks", "1", "-np", "6", STEPS, "20")
        self.check_clean_steps(run, 6, 6)


class SomeNames(Same):
    names = ["head", "node", "node"]


class Clocks(Same):
    """CLOCK_MONOTONIC and CLOCK_BOOTTIME only: Linux has no namespace of CLOCK_REALTIME."""

    clocks = [0, 100000, 9000000]


class Slow(Same):
    """Everything to and from the hosts passes a narrow link."""

    discipline = ["tbf", "rate", "4mbit", "burst", "16kb", "latency", "400ms"]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        try:
            for host in cls.hosts.hosts:
                cls.hosts.slow(host, *cls.discipline)
        except bed.Unavailable as reason:
            raise unittest.SkipTest(str(reason)) from reason


class Late(Slow):
    discipline = ["netem", "delay", "20ms", "5ms", "loss", "0.5%"]


class Down(case.Case):
    """A link that is down for longer than any pause of the tool's, and comes back: TCP repeats what was lost."""

    PAUSE = 15.0

    def tearDown(self):
        self.check_hosts_are_clean()

    def interrupt_link(self, run, host="n3"):
        run.wait_for("out", "begun")
        self.addCleanup(self.hosts.link, host, True)
        self.hosts.link(host, False)
        time.sleep(self.PAUSE)
        self.assertIsNone(run.process.poll(), run.text("err"))
        self.assertNotIn("error: deadlock", run.text("err"))
        self.hosts.link(host, True)
        run.stop()

    def test_a_run_goes_on(self):
        run = self.start("-np", "3", RANKS, "sum")
        self.interrupt_link(run)
        self.check_clean_steps(run, allowed=("hang",))

    def test_a_deadlock_behind_it(self):
        run = self.start("-np", "3", RANKS, "sum", "deadlock")
        self.interrupt_link(run)
        code, report = run.finish()
        self.assertEqual(code, 66, run.text("err"))
        self.check_deadlock(report, ["MPI_Barrier", "MPI_Barrier", "MPI_Recv"], [[0, 2]])


class Lost(case.Case):
    """A host that dies during the run. The tool says nothing of a deadlock. It names the host, unless the launcher, which names it, kills
    the tool's root before the root has noticed."""

    count = 4  # the bed of each test loses another one

    def start_on(self, host):
        run = self.start("-H", f"n1,{host}", "-np", "2", STEPS, "100000")
        run.wait_for("out", "begun")
        return run

    def check_report(self, code, report, host, run):
        self.assertNotIn(code, (0, 66, 70), run.text("err"))
        self.assertNotIn("deadlock", [finding["id"] for finding in report["findings"]], run.text("err"))
        said = [*report["notes"], *(finding["message"] for finding in report["findings"])]
        ended = "the tool's job ended early"
        self.assertTrue(any(host in sentence or sentence.startswith(ended) for sentence in said), said)
        self.assertFalse(report["complete"])

    def test_its_processes_are_killed(self):
        run = self.start_on("n2")
        self.hosts.lose("n2")
        self.check_report(*run.finish(), "n2", run)

    def test_it_loses_power(self):
        """Its peers get no sign of its end: the user has to end the run."""
        run = self.start_on("n3")
        self.hosts.cut_power("n3")
        self.check_interrupt(run, "n3")

    def test_its_link_is_down_for_good(self):
        run = self.start_on("n4")
        self.hosts.link("n4", False)
        self.check_interrupt(run, "n4")

    def check_interrupt(self, run, host):
        """What Open MPI started on that host and for it stays behind, as without the tool, but nothing of the tool does."""
        run.wait_for("err", f"tool process 1 on {host}", 300)
        self.assertIsNone(run.process.poll(), run.text("err"))
        run.process.send_signal(signal.SIGINT)
        code = run.process.wait(process.FAR)
        end = time.monotonic() + process.FAR
        while self.tool_processes(run) and time.monotonic() < end:
            time.sleep(0.5)
        self.assertEqual(self.tool_processes(run), [])
        process.clear(run.name, 0.0)
        with open(os.path.join(self.folder, "MUST_Output.json"), encoding="utf-8") as file:
            self.check_report(code, json.load(file), host, run)

    def tool_processes(self, run):
        programs = (os.path.basename(command.split(" ")[0]) for command in process.processes_of(run.name).values())
        return [program for program in programs if program in ("must-tool", "mustrun")]


class Tree(test_tree.Nodes, case.Case):
    """The tests of the tree's nodes, on hosts."""

    slots = 3
    options = []

    def setUp(self):
        case.Case.setUp(self)

    def run_steps(self, *arguments):
        return self.start(*self.options, "-np", str(test_tree.RANKS), STEPS, *map(str, arguments))


class Leaves(test_tree.Both, case.Case):
    slots = 3
    options = ["--must:leaf-ranks", "2", "--must:fanin", "2"]
    setUp = Tree.setUp
    run_steps = Tree.run_steps


@unittest.skipUnless(shutil.which("mpicc.mpich") and shutil.which("mpiexec.mpich"), "there is no MPICH")
class Layouts(case.Case):
    """A library that only the program knows connects the processes of the tool, too."""

    def hide_others(self):
        """Whoever looks for the library by its name finds a file that is none."""
        folder = os.path.join(self.folder, "lib")
        os.mkdir(folder)
        for name in mpich.CONDAS, mpich.NAME, "libmpi.so.0":
            with open(os.path.join(folder, name), "wb"):
                pass
        os.environ["LD_LIBRARY_PATH"] = folder

    def test_mpich_in_a_folder_of_its_own(self):
        mpi = mpich.Prefix(os.path.join(self.folder, "opt", "mpich"), shutil.which("mpiexec.mpich"), "lib64/mpich")
        program = mpi.build(os.path.join(self.folder, "round"), mpich.by_rpath(mpi.library))
        self.hide_others()
        run = self.start("--must:mpiexec", os.path.join(mpi.bin, "mpiexec"), "-launcher", "ssh", "-launcher-exec", bed.AGENT,
                         "-hosts", "n1,n2,n3", "-n", "3", program, "x")
        code, report = run.finish()
        self.assertEqual(code, 66, run.text("err"))
        self.check_deadlock(report, ["MPI_Recv"] * 3, [[0, 1, 2]])
        self.assertEqual((report["ranks"], report["statistics"]["tool_ranks"], report["complete"]), (3, 3, True))


if __name__ == "__main__":
    case.main()
