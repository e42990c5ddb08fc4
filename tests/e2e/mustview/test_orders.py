#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mustview --order on orders of real runs.

usage: test_orders.py <mustview> <mustrun> <choices program>
"""
import os
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import process  # noqa: E402

MUSTVIEW, MUSTRUN, CHOICES = (os.path.abspath(word) for word in sys.argv[1:4])


class Orders(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.first, cls.second = (cls.record(tag) for tag in ("1", "9"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def record(cls, tag):
        path = os.path.join(cls.folder.name, tag + ".order")
        words = [MUSTRUN, "--must:output-dir", cls.folder.name, "--must:record", path, "--oversubscribe", "-np", "2", CHOICES, tag]
        outcome = process.run(words, cls.folder.name, 60)
        assert outcome.exit_code == 0, outcome.stderr.decode(errors="replace")
        return path

    def shown(self, code, *words):
        """Lines without polls, of which there can be any number."""
        outcome = process.run([MUSTVIEW, "--order", *words], self.folder.name, 60)
        self.assertEqual((outcome.exit_code, outcome.stderr), (code, b""))
        return re.sub(r" after \d+ unsuccessful polls?$", "", outcome.stdout.decode(), flags=re.MULTILINE).splitlines()

    def test_every_choice_of_a_run_has_its_place_and_outcome(self):
        lines = self.shown(0, self.first)
        self.assertRegex(lines[0], r"^order of \S+: 2 ranks, 7 choices, complete$")
        expected = [
            ("MPI_Recv", "received from rank 1, tag 1"),
            ("MPI_Wait", "received from rank 1, tag 2 (receive 1)"),
            ("MPI_Probe", "found a message of rank 1, tag 3"),
            ("MPI_Waitany", "completed request 1 of the array"),
            ("MPI_Test", "completed its request"),
            ("MPI_Testsome", "completed request 2 of the array"),
            ("MPI_Wait", "the operation was cancelled (receive 5)"),
        ]
        for number, (call, outcome) in enumerate(expected, start=1):
            place = rf"rank 0, choice {number}: {call} at choices\.c:\d+ in choose: "
            self.assertRegex(lines[number], "^" + place + re.escape(outcome) + "$")
        self.assertEqual(set(lines[8:]) - {"rank 0: no further choice", "rank 1: no further choice"}, set())

    def test_the_choice_in_which_two_runs_differ_is_found(self):
        lines = self.shown(1, self.first, "--diff", self.second)
        lines = [line for line in lines if not line.startswith("  unsuccessful polls before")]
        self.assertEqual((len(lines), lines[0], lines[-1]), (4, "rank 0 differs from choice 1 on", "1 of 2 ranks differs"))
        self.assertRegex(lines[1], r"^    first:  MPI_Recv at choices\.c:\d+ in choose: received from rank 1, tag 1$")
        self.assertRegex(lines[2], r"^    second: MPI_Recv at choices\.c:\d+ in choose: received from rank 1, tag 9$")
        self.assertEqual(self.shown(0, "--diff", self.first, self.first), ["the same order"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
