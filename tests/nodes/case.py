# SPDX-License-Identifier: BSD-3-Clause
"""Tests on hosts: a bed for each class of tests, and what holds after each of them.

Usage of the test files: test_*.py MUSTRUN STEPS RANKS [CLASS...]"""

import os
import shutil
import sys
import tempfile
import unittest
import unittest.mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "e2e")]
import bed  # noqa: E402
import watched  # noqa: E402

MUSTRUN, STEPS, RANKS = map(os.path.abspath, sys.argv[1:4])


def mounts():
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        return {line.split(" ")[4] for line in file}


class Case(unittest.TestCase):
    count = 3
    names = None
    clocks = None
    slots = 1

    @classmethod
    def setUpClass(cls):
        machine = (mounts(), sorted(os.listdir("/sys/class/net")))
        cls.hosts = bed.Bed(cls.count, cls.names, cls.clocks, cls.slots, [os.path.dirname(path) for path in (MUSTRUN, STEPS, RANKS)])
        cls.addClassCleanup(cls.check_nothing_is_left, machine)
        cls.hosts.__enter__()
        cls.addClassCleanup(cls.hosts.close)

    @classmethod
    def check_nothing_is_left(cls, machine):
        left = bed.processes_of(cls.hosts.folder)
        if left or os.path.exists(cls.hosts.folder) or machine != (mounts(), sorted(os.listdir("/sys/class/net"))):
            raise AssertionError(f"the bed left something behind: {left}, {cls.hosts.folder}, {mounts() ^ machine[0]}")

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=self.hosts.folder)
        self.addCleanup(shutil.rmtree, self.folder)
        patch = unittest.mock.patch.dict(os.environ, self.environment(), clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def environment(self):
        return self.hosts.environment()

    def start(self, *words, host="n1"):
        """mustrun, on a host."""
        return watched.Run(self.hosts.on(host, MUSTRUN, "--must:output-dir", self.folder, *words), self.folder)

    def check_hosts_are_clean(self):
        """Of files of the tool. Open MPI leaves some of its own when it is killed."""
        for host in self.hosts.hosts:
            names = ["-iname", "*orknot*", "-o", "-iname", "must*"]
            left = self.hosts.text(host, "find", "/tmp", "/dev/shm", "-mindepth", "1", "-maxdepth", "1", *names)
            shared = {path for path in left.split() if not path.startswith(self.hosts.folder)}
            self.assertEqual(shared, set(), host)

    def check_deadlock(self, report, calls, roots):
        """`calls`: of each rank, in order."""
        [finding] = [one for one in report["findings"] if one["severity"] == "error"]
        self.assertEqual((finding["id"], finding["class"]), ("deadlock", "manifest"), report["findings"])
        self.assertEqual(finding["ranks"], list(range(len(calls))))
        self.assertEqual(finding["roots"], roots)
        self.assertEqual([wait["call"] for wait in finding["waits"]], calls)

    def check_deadlock_of_steps(self, run, ranks=3, tool_processes=3):
        code, report = run.finish()
        self.assertEqual(code, 66, run.text("err"))
        self.check_deadlock(report, ["MPI_Allreduce"] * (ranks - 1) + ["MPI_Recv"], [[0, ranks - 1]])
        self.assertEqual(report["ranks"], ranks)
        self.assertEqual(report["statistics"]["tool_ranks"], tool_processes)

    def check_clean_steps(self, run, ranks=3, tool_processes=3, allowed=()):
        """A clean report, but for notes of the ids that are allowed."""
        code, report = run.finish()
        self.assertEqual(code, 0, run.text("err"))
        self.assertIn(f"sum {sum(range(ranks))}", run.text("out"))
        found = [one for one in report["findings"] if one["severity"] != "note" or one["id"] not in allowed]
        self.assertEqual((found, report["complete"], report["ranks"]), ([], True, ranks), run.text("err"))
        self.assertEqual(report["statistics"]["tool_ranks"], tool_processes)


def main(require=bed.require):
    try:
        require()
    except bed.Unavailable as reason:
        print(f"skipped: {reason}")
        sys.exit(bed.SKIPPED)
    result = unittest.main(argv=[sys.argv[0]] + sys.argv[4:], verbosity=2, exit=False).result
    if result.skipped and result.testsRun == 0:
        sys.exit(bed.SKIPPED)
    sys.exit(not result.wasSuccessful())
