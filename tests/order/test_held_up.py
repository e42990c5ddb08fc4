#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A deterministic run in which a rank reads the memory of a window until another one has got a lock: it ends, and says why it was not
decided any more. Nightly: the tool waits for half a minute.

usage: test_held_up.py <mustrun> <folder of the programs> [test]
"""
import os
import re
import sys
import unittest

import orders

HERE = os.path.dirname(os.path.abspath(__file__))
MUSTRUN, PROGRAMS = (os.path.abspath(word) for word in sys.argv[1:3])
SAID = re.compile(r"rank 1 waited \d+ s for a window lock or an atomic, because rank 0 could still ask for an earlier one .*not decided")


def lab():
    source = os.path.join(HERE, "programs", "spin_on_window.c")
    return orders.Lab(MUSTRUN, orders.Program(source, os.path.join(PROGRAMS, "order_spin_on_window")))


class HeldUp(unittest.TestCase):
    def test_a_rank_that_reads_memory_does_not_hold_up_a_lock_for_ever(self):
        with lab() as own:
            free = own.run()
            run = own.run("deterministic")
        self.assertEqual((free.exit_code, free.leftovers), (0, []), free.stderr)
        self.assertEqual((run.exit_code, run.leftovers), (0, []), run.stderr)
        self.assertEqual(run.stdout, free.stdout)
        self.assertEqual(run.report["findings"], [], run.stderr)
        self.assertEqual(free.report["notes"], [], free.stderr)
        self.assertEqual([bool(SAID.match(note)) for note in run.report["notes"]], [True], run.report["notes"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
