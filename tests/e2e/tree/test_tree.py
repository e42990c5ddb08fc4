# SPDX-License-Identifier: BSD-3-Clause
"""The tool as a tree of processes, on one node and on several that are none (see agent): what is found across nodes, and what happens when
ranks or tool processes die.

Usage: test_tree.py MUSTRUN STEPS [CLASS]"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import watched  # noqa: E402

MUSTRUN, STEPS = sys.argv[1:3]
AGENT = os.path.join(HERE, "agent")
RANKS = 9
FEW = 5  # three layers; and for ranks that poll, as they do when a ring is full
NODES = ["--mca", "plm", "rsh", "--mca", "plm_rsh_agent", AGENT, "-H", "n1:3,n2:3,n3:3"]
TREE = ["--must:leaf-ranks", "1", "--must:fanin", "2"]


def has_nodes():
    return subprocess.run(["unshare", "--uts", "true"], capture_output=True, check=False).returncode == 0


class Case(unittest.TestCase):
    options = TREE

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="orknot-tree-")
        self.addCleanup(shutil.rmtree, self.folder)

    def run_steps(self, *arguments, ranks=RANKS):
        command = [MUSTRUN, "--must:output-dir", self.folder, *self.options, "--oversubscribe", "-np", str(ranks), STEPS]
        run = watched.Run([*command, *map(str, arguments)], self.folder)
        self.addCleanup(run.clear)
        return run

    def assert_sum(self, run, ranks=RANKS):
        self.assertIn(f"sum {sum(range(ranks))}\n", run.text("out"))

    def assert_clean(self, run, code, report, expected=0):
        self.assertEqual(code, expected, run.text("err"))
        self.assertEqual(report["findings"], [])
        self.assert_sum(run, report["ranks"])

    def check_a_run_without_findings(self, tool_processes):
        run = self.run_steps(20)
        code, report = run.finish()
        self.assert_clean(run, code, report)
        self.assertTrue(report["complete"])
        self.assertEqual(report["ranks"], RANKS)
        self.assertEqual(report["statistics"]["tool_ranks"], tool_processes)
        self.assertEqual(report["statistics"]["collectives"], 21)  # MPI_Finalize is one

    def check_a_deadlock(self):
        run = self.run_steps(10, "deadlock")
        code, report = run.finish()
        self.assertEqual(code, 66, run.text("err"))
        [finding] = report["findings"]
        self.assertEqual((finding["id"], finding["class"]), ("deadlock", "manifest"))
        self.assertEqual(finding["ranks"], list(range(RANKS)))
        self.assertEqual(finding["roots"], [[0, RANKS - 1]])

    def check_killed_ranks(self, ranks, of=RANKS):
        run = self.run_steps(10, "kill", *ranks, ranks=of)
        code, report = run.finish()
        self.assertEqual(code, 128 + signal.SIGKILL, run.text("err"))
        [finding] = report["findings"]
        self.assertEqual((finding["id"], finding["severity"]), ("abnormal-end", "error"), run.text("err"))
        self.assertIn(finding["end"]["rank"], ranks if len(ranks) == 1 else [None, *ranks], run.text("err"))

    def run_until_told(self, ranks=RANKS):
        """Until run.stop(): whatever is done before that is done while the ranks make calls."""
        run = self.run_steps(1, "until", ranks=ranks)
        run.wait_for("out", "begun")
        return run

    def check_a_lost_process(self, who, ranks, of=RANKS):
        run = self.run_until_told(of)
        os.kill(run.tool_process(who), signal.SIGKILL)
        run.stop()
        self.assert_named(run, who, ranks)

    def assert_named(self, run, who, ranks):
        """The calls of these ranks are missing, because that tool process is."""
        code, report = run.finish()
        self.assert_clean(run, code, report, expected=70)
        self.assertFalse(report["complete"])
        [note] = [note for note in report["notes"] if "ended or stopped early" in note]
        self.assertIn(f"tool process {who} on ", note)
        self.assertIn(f"the later calls of {ranks} were not observed", note)
        self.assertRegex(note, r"rank \d+ (after its call \d+|from its first call on)")

    def check_a_stopped_process(self, who, ranks, of=RANKS):
        """It is stopped for good, and then killed, as the test leaves nothing behind."""
        run = self.run_until_told(of)
        process = run.tool_process(who)
        self.addCleanup(self.kill, process)
        os.kill(process, signal.SIGSTOP)
        run.stop()
        self.assert_named(run, who, ranks)

    def stop_in_the_calls(self, who):
        """Stop a tool process, and wait until its ranks have made far more calls than their rings hold."""
        run = self.run_steps(2, "calls", ranks=FEW)
        run.wait_for("out", "round 1\n")
        process = run.tool_process(who)
        self.addCleanup(self.kill, process)
        os.kill(process, signal.SIGSTOP)
        rounds = run.text("out").count("round")
        run.wait_for("out", f"round {rounds + 3}\n")
        return run, process

    def check_calls_beyond_the_ring(self, who, ranks):
        run, _ = self.stop_in_the_calls(who)
        run.stop()
        self.assert_named(run, who, ranks)

    @staticmethod
    def kill(process):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def check_a_lost_root(self, of=RANKS):
        run = self.run_until_told(of)
        os.kill(run.tool_process(0), signal.SIGKILL)
        run.stop()
        code, report = run.finish()
        self.assertEqual(code, 70, run.text("err"))
        self.assert_sum(run, of)
        self.assertFalse(report["complete"])
        self.assertIn("the tool's job ended early", run.text("err"))


class Processes(Case):
    """A tool process for each rank on this node: nine in four layers, or a few."""

    def test_a_run_without_findings(self):
        self.check_a_run_without_findings(RANKS)

    def test_a_deadlock_of_all(self):
        self.check_a_deadlock()

    def test_a_rank_that_is_killed(self):
        self.check_killed_ranks([4], FEW)

    def test_a_leaf_that_is_killed(self):
        self.check_a_lost_process(4, "rank 4", FEW)

    def test_a_process_above_others_that_is_killed(self):
        self.check_a_lost_process(1, "ranks 1-4")

    def test_a_leaf_that_is_stopped(self):
        self.check_a_stopped_process(4, "rank 4", FEW)

    def test_a_process_above_others_that_is_stopped(self):
        self.check_a_stopped_process(1, "ranks 1 and 2", FEW)

    def test_ranks_of_a_stopped_leaf_go_on_unrecorded(self):
        self.check_calls_beyond_the_ring(4, "rank 4")

    def test_ranks_below_a_stopped_process_go_on_unrecorded(self):
        self.check_calls_beyond_the_ring(1, "ranks 1 and 2")

    def test_a_leaf_that_continues_tells_what_it_missed(self):
        run, process = self.stop_in_the_calls(4)
        os.kill(process, signal.SIGCONT)
        run.wait_for("err", "had stopped")
        run.stop()
        code, report = run.finish()
        self.assert_clean(run, code, report, expected=70)
        self.assertFalse(report["complete"])
        [note] = [note for note in report["notes"] if "had stopped" in note]
        self.assertRegex(note, r"later calls were not observed: rank 4 after its call \d+")

    def test_a_root_that_is_killed(self):
        self.check_a_lost_root(FEW)

    def test_the_shape_is_shown(self):
        shown = subprocess.run([MUSTRUN, "--must:info"] + TREE + ["-np", str(RANKS), STEPS], capture_output=True, text=True, check=True)
        self.assertIn("tool processes: 9 (9 on each of 1 node; a tree of 4 layers, fan-in 2)", shown.stdout)


@unittest.skipUnless(has_nodes(), "unshare --uts is not allowed here: no nodes can be played")
class Nodes(Case):
    """Three nodes of three ranks, a tool process on each."""

    options = NODES

    def test_a_run_without_findings(self):
        self.check_a_run_without_findings(3)

    def test_a_deadlock_across_nodes(self):
        self.check_a_deadlock()

    def test_the_ranks_of_a_node_are_killed(self):
        self.check_killed_ranks([3, 4, 5])

    def test_a_leaf_that_is_killed(self):
        self.check_a_lost_process(1, "ranks 3-5")

    def test_a_leaf_that_is_stopped(self):
        self.check_a_stopped_process(1, "ranks 3-5")

    def test_a_root_that_is_killed(self):
        self.check_a_lost_root()


@unittest.skipUnless(has_nodes(), "unshare --uts is not allowed here: no nodes can be played")
class Both(Case):
    """Three nodes, two tool processes on each."""

    options = NODES + ["--must:leaf-ranks", "2", "--must:fanin", "2"]

    def test_a_run_without_findings(self):
        self.check_a_run_without_findings(6)

    def test_a_deadlock_across_nodes(self):
        self.check_a_deadlock()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:])
