#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mustview --ordered of loads and stores, in both memory models.

usage: test_copies.py <mustview> <mustrun> <copies program> <its source>
"""
import os
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import process  # noqa: E402

MUSTVIEW, MUSTRUN, COPIES, SOURCE = (os.path.abspath(word) for word in sys.argv[1:5])

with open(SOURCE, encoding="utf-8") as text:
    LINES = {m.group(1): n for n, line in enumerate(text, start=1) if (m := re.search(r"/\* ([a-z]+) \*/$", line))}


class Run:
    def __init__(self, folder, model):
        self.folder = folder
        self.path = os.path.join(folder, f"{model}.stamps")
        words = [MUSTRUN, "--must:output-dir", folder, "--must:memory-model", model, "--must:timestamps", self.path]
        outcome = process.run([*words, "--oversubscribe", "-np", "2", COPIES], folder, 60)
        assert outcome.exit_code in (0, 66), outcome.stderr.decode(errors="replace")
        shown = process.run([MUSTVIEW, "--timestamps", self.path], folder, 60)
        assert shown.exit_code == 0, shown.stderr.decode(errors="replace")
        self.event, self.line = {}, {}
        for line in shown.stdout.decode().splitlines():
            place = re.match(r"rank (\d+), event (\d+): \w+ at copies\.c:(\d+) ", line)
            for word, number in LINES.items():
                if place and int(place.group(3)) == number:
                    self.event[word] = f"{place.group(1)}:{place.group(2)}"
                    self.line[word] = line

    def ordered(self, first, second):
        """The exit code, the first line, and the calls of the path."""
        outcome = process.run([MUSTVIEW, "--ordered", self.event[first], self.event[second], self.path], self.folder, 60)
        lines = outcome.stdout.decode().splitlines()
        return outcome.exit_code, lines[0], [re.match(r"  rank \d+, event \d+: (\w+)", line).group(1) for line in lines[1:]]


class Copies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.unified, cls.separate = (Run(cls.folder.name, model) for model in ("unified", "separate"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_a_store_is_complete_at_once_or_when_it_is_published(self):
        code, _, path = self.unified.ordered("store", "told")
        self.assertEqual((code, path), (0, ["store", "MPI_Send", "MPI_Recv", "MPI_Get"]))
        code, says, _ = self.separate.ordered("store", "told")
        self.assertEqual(code, 1)
        self.assertIn(" is complete only at its origin before ", says)
        code, _, path = self.separate.ordered("store", "put")
        self.assertEqual((code, path), (0, ["store", "MPI_Win_sync", "MPI_Send", "MPI_Recv", "MPI_Put"]))
        self.assertRegex(self.separate.line["store"], r", private copy of event \d+; published at \d+; stamp")
        self.assertNotRegex(self.unified.line["store"], "private|published")

    def test_a_call_that_makes_the_copies_equal_is_an_event_in_both_models(self):
        for run in (self.unified, self.separate):
            self.assertRegex(run.line.get("sync", ""), r": MPI_Win_sync at copies\.c:\d+ ")
            self.assertEqual([run.ordered(*pair)[0] for pair in (("store", "sync"), ("sync", "put"))], [0, 0])

    def test_a_load_sees_what_was_complete_when_its_copy_was_brought_up_to_date(self):
        code, _, path = self.unified.ordered("put", "early")
        self.assertEqual((code, path), (0, ["MPI_Put", "MPI_Win_flush", "MPI_Send", "MPI_Recv", "load"]))
        self.assertEqual(self.separate.ordered("put", "early")[0], 1)
        code, _, path = self.separate.ordered("put", "late")
        self.assertEqual((code, path), (0, ["MPI_Put", "MPI_Win_flush", "MPI_Send", "MPI_Recv", "load"]))

    def test_loads_and_stores_of_one_rank_are_in_the_order_of_its_program(self):
        for run in (self.unified, self.separate):
            self.assertEqual(run.ordered("store", "early")[0], 0)
            self.assertEqual(run.ordered("late", "store")[0], 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
