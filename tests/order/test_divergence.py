#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A program that does otherwise in a replay: that is said of the right rank, and the run goes on, or ends on request.

The sends of the program may be blocking if messages are not buffered, which is not what is tested: --must:sends buffered.

usage: test_divergence.py <mustrun> <folder of the programs> [test]
"""
import os
import re
import sys
import unittest

import at_once
import orders

HERE = os.path.dirname(os.path.abspath(__file__))
MUSTRUN, PROGRAMS = (os.path.abspath(word) for word in sys.argv[1:3])
SENDS = ("sends", "buffered")
LIMIT = orders.process.FAR
CHOICES = 72  # 4 ranks, 6 rounds, 3 messages each


class Divergence(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        program = orders.Program(os.path.join(HERE, "programs", "diverge.c"), os.path.join(PROGRAMS, "order_diverge"))
        cls.lab = orders.Lab(MUSTRUN, program).__enter__()
        cls.path = cls.lab.path("order")
        cls.recorded = cls.lab.run(SENDS, orders.noise(1), ("record", cls.path))

    @classmethod
    def tearDownClass(cls):
        cls.lab.__exit__()

    def setUp(self):
        self.assertEqual(self.recorded.exit_code, 0, self.recorded.stderr)
        self.assertIn("through", self.recorded.stdout)

    def replay(self, how, *options):
        return self.lab.run(SENDS, ("replay", self.path), *options, variables={"DIVERGE": how} if how else {}, limit=LIMIT)

    def check(self, how):
        run = self.replay(how)
        self.assertIsNotNone(run.exit_code, f"it does not end\n{run.stderr}")
        found = run.findings(orders.DIVERGENCE)
        self.assertIn([1], [finding["ranks"] for finding in found], run.stderr)
        self.assertEqual(len([finding for finding in found if finding["ranks"] == [1]]), 1, run.stderr)
        self.assertEqual(run.exit_code, 66, run.stderr)
        self.assertIn("through", run.stdout, run.stderr)
        self.assertIn("rank 1", run.stderr)
        self.assertLess(self.repeated(run), CHOICES, run.stderr)
        return found[0]["message"]

    def repeated(self, run):
        """How many choices of the recording the replay says that it has repeated."""
        said = [re.fullmatch(rf"the replay repeated (\d+) of {CHOICES} choices", note) for note in run.report["notes"]]
        self.assertEqual(len([words for words in said if words]), 1, run.stderr)
        return next(int(words[1]) for words in said if words)

    def test_none_without_reason(self):
        run = self.replay(None)
        self.assertEqual(list(orders.compare(run, self.recorded)), [], run.stderr)
        self.assertEqual(self.repeated(run), CHOICES)
        self.assertNotIn("freely", run.stderr)

    def test_another_call(self):
        message = self.check("call")
        self.assertIn("MPI_Recv", message)
        self.assertIn("MPI_Probe", message)

    def test_another_place(self):
        self.assertIn("diverge.c:", self.check("place"))

    def test_fewer_choices(self):
        self.check("fewer")

    def test_an_outcome_that_is_impossible(self):
        """Its message was taken by the call before."""
        self.check("taken")

    def test_a_rank_that_then_polls(self):
        """It polls for a message of a rank that waits for its own one, as recorded."""
        self.check("polls")

    def test_potential_deadlocks_keep_no_rank_waiting(self):
        """With sends that may block, the program has one, so it is reported before the ranks wait in vain."""
        run = self.lab.run(("replay", self.path), variables={"DIVERGE": "taken"}, limit=LIMIT)
        self.assertIsNotNone(run.exit_code, f"it does not end\n{run.stderr}")
        self.assertIn("potential", [finding["class"] for finding in run.findings("deadlock")], run.stderr)
        self.assertIn([1], [finding["ranks"] for finding in run.findings(orders.DIVERGENCE)], run.stderr)
        self.assertIn("through", run.stdout, run.stderr)

    def test_more_choices(self):
        self.check("more")

    def test_the_run_ends_on_request(self):
        run = self.lab.run(SENDS, ("replay", self.path), ("on", "divergence=abort"), variables={"DIVERGE": "call", "SLOW": "1"})
        self.assertEqual(run.exit_code, 66, run.stderr)
        self.assertEqual([finding["ranks"] for finding in run.findings(orders.DIVERGENCE)], [[1]], run.stderr)
        self.assertNotIn("through", run.stdout)


class WithheldCase(unittest.TestCase):
    """The recorded message never comes: the call is released, and takes the one that is there."""

    @classmethod
    def setUpClass(cls):
        program = orders.Program(os.path.join(HERE, "programs", "withheld.c"), os.path.join(PROGRAMS, "order_withheld"))
        cls.lab = orders.Lab(MUSTRUN, program).__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.lab.__exit__()

    def record(self, how):
        path = self.lab.path(how)
        run = self.lab.run(SENDS, ("record", path), words=(how,))
        self.assertIn(run.exit_code, (0, 66), run.stderr)
        return run, path

    def check(self, how, message="2 and 20 from 2, tag 7"):
        recorded, path = self.record(how)
        self.assertIn("rank 0: 1 and 10 from 1, tag 7", recorded.stdout, recorded.stderr)
        run = self.lab.run(SENDS, ("replay", path), words=(how,), variables={"WITHHOLD": "1"}, limit=LIMIT)
        self.assertIsNotNone(run.exit_code, f"it does not end\n{run.stderr}")
        self.assertEqual([finding["ranks"] for finding in run.findings(orders.DIVERGENCE)], [[0]], run.stderr)
        self.assertIn(f"rank 0: {message}", run.stdout, run.stderr)
        return recorded, run

    def check_both_ways(self, how, sent):
        for run in self.check(how):
            self.assertIn(f"rank 2: {sent} from 0, tag 0", run.stdout, run.stderr)


class Withheld(WithheldCase):
    def test_it_comes(self):
        """With other calls, it is what the tests of the programs of their own check."""
        recorded, path = self.record("recv")
        run = self.lab.run(SENDS, ("replay", path), words=("recv",))
        self.assertEqual(list(orders.compare(run, recorded)), [], run.stderr)

    def test_receive(self):
        self.check("recv")

    def test_nonblocking_receive(self):
        self.check("irecv")

    def test_persistent_receive(self):
        self.check("start")

    def test_send_and_receive(self):
        self.check_both_ways("sendrecv", "3 and 4")

    def test_probe(self):
        self.check("probe")

    def test_polling_probe(self):
        self.check("iprobe")

    def test_wait_for_any(self):
        self.check("waitany")

    def test_poll_for_some(self):
        self.check("testsome")

    def test_a_message_that_is_too_long(self):
        """The program gets the error that the library returns without the tool."""
        recorded, path = self.record("truncated")
        self.assertIn("complete", recorded.stdout, recorded.stderr)
        run = self.lab.run(SENDS, ("replay", path), words=("truncated",), variables={"LONG": "1"}, limit=LIMIT)
        self.assertIsNotNone(run.exit_code, f"it does not end\n{run.stderr}")
        self.assertIn("truncated", run.stdout, run.stderr)


class WithheldMore(WithheldCase):
    """Calls that are released as others are (nightly)."""

    def test_nonblocking_receives(self):
        self.check("irecv_all")

    def test_send_and_receive_in_place(self):
        self.check_both_ways("sendrecv_replace", "-1 and -1")

    def test_polling_matched_probe(self):
        self.check("improbe")

    def test_matched_probe(self):
        self.check("mprobe")

    def test_wait_for_some(self):
        self.check("waitsome")

    def test_poll_for_any(self):
        self.check("testany")


class Locks(unittest.TestCase):
    def test_a_lock_whose_predecessor_never_comes(self):
        program = orders.Program(os.path.join(HERE, "programs", "lock.c"), os.path.join(PROGRAMS, "order_lock"))
        with orders.Lab(MUSTRUN, program) as lab:
            path = lab.path("order")
            lab.run(orders.noise(1), ("record", path))
            run = lab.run(("replay", path), variables={"SKIP": "1"}, limit=LIMIT)
            self.assertIsNotNone(run.exit_code, f"it does not end\n{run.stderr}")
            self.assertTrue(run.findings(orders.DIVERGENCE), run.stderr)
            self.assertEqual(len(run.stdout), 1, run.stderr)


if __name__ == "__main__":
    at_once.main([sys.argv[0], *sys.argv[3:]])
