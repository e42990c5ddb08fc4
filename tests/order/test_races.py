#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""--must:races: receives that could have taken another message are notes, with place, count and sources; others are not.

usage: test_races.py <mustrun> <folder of the programs> [test]
"""
import os
import re
import sys
import unittest

import orders

HERE = os.path.dirname(os.path.abspath(__file__))
MUSTRUN, PROGRAMS = (os.path.abspath(word) for word in sys.argv[1:3])
RACES = ("races", "on")
EXPLORE = "With --must:explore, mustrun runs the program in its other orders, too, and shows whether one of them ends in another way."


def source(name):
    return os.path.join(HERE, "programs", f"{name}.c")


def lab(name):
    return orders.Lab(MUSTRUN, orders.Program(source(name), os.path.join(PROGRAMS, f"order_{name}")))


def line(name, call):
    """The number of the only line with this text."""
    with open(source(name), encoding="utf-8") as file:
        (number,) = (number for number, text in enumerate(file, 1) if call in text)
    return number


class Races(unittest.TestCase):
    def races(self, run):
        self.assertEqual(run.exit_code, 0, run.stderr)
        self.assertEqual(run.leftovers, [])
        found = run.findings("message-race")
        self.assertEqual(run.report["findings"], found, run.stderr)
        self.assertEqual(run.report["verdict"], "findings" if found else "clean")
        for finding in found:
            self.assertEqual((finding["severity"], finding["class"]), ("note", None))
            self.assertIn(f"note: message-race: {finding['message']}", run.stderr)
        return found

    def check_farm(self, *options):
        """24 results come from 4 workers: only the last one could not have been another one. If the machine is busy, the result of a
        worker may always be the one that is taken."""
        with lab("master_worker") as own:
            run = own.run(RACES, *options)
        (finding,) = self.races(run)
        place = f"master_worker.c:{line('master_worker', 'MPI_ANY_SOURCE')}"
        self.assertRegex(
            finding["message"],
            rf"^the MPI_Recv at {re.escape(place)} of rank 0 could have taken another message (1\d|2[0-3]) of 24 times, from ranks [1-4]",
        )
        self.assertEqual(finding["ranks"], [0])
        (wait,) = finding["waits"]
        self.assertEqual((wait["rank"], wait["call"]), (0, "MPI_Recv"))
        self.assertEqual(wait["where"]["line"], line("master_worker", "MPI_ANY_SOURCE"))
        example, reason, advice = finding["details"]
        send = rf"MPI_Send at master_worker\.c:{line('master_worker', 'MPI_Send(&result')}"
        message = rf"the message of rank ([1-4]) with tag \d+ \({send}\)"
        match = re.fullmatch(rf"For example, rank 0 took {message}, and could have taken {message}\.", example)
        self.assertIsNotNone(match, example)
        self.assertNotEqual(match[1], match[2])
        self.assertIn(f"Before rank {match[2]} sent that other message", reason)
        self.assertEqual(advice, EXPLORE)
        return run

    def test_a_master_takes_results_in_any_order(self):
        run = self.check_farm()
        self.assertIsNone(run.order, "the run did not end badly")
        self.assertIn("orknot: 1 finding (a note):", run.stderr)

    def test_with_a_tree_of_tool_processes(self):
        self.check_farm(("leaf-ranks", 1), ("fanin", 2))

    def test_in_a_deterministic_run(self):
        self.check_farm("deterministic")

    def test_probes(self):
        with lab("probe") as own:
            run = own.run(RACES)
        (finding,) = self.races(run)
        place = f"probe.c:{line('probe', 'MPI_Probe(MPI_ANY_SOURCE')}"
        self.assertIn(f"the MPI_Probe at {place} of rank 0 could have found another message ", finding["message"])
        self.assertRegex(finding["message"], r" \d+ of 18 times, from ranks? [1-3]")

    def test_persistent_receives(self):
        with lab("persistent") as own:
            run = own.run(RACES)
        all_at_once, one_by_one = self.races(run)
        self.assertIn(f"the MPI_Startall at persistent.c:{line('persistent', 'MPI_Startall(')} of rank 0 ", all_at_once["message"])
        self.assertIn(f"the MPI_Start at persistent.c:{line('persistent', 'MPI_Start(')} of rank 0 ", one_by_one["message"])

    def test_none_if_only_one_message_can_be_there(self):
        with lab("in_turn") as own:
            self.assertEqual(self.races(own.run(RACES)), [])

    def test_none_if_windows_or_groups_synchronise(self):
        with lab("synchronised") as own:
            self.assertEqual(self.races(own.run(RACES)), [])

    def test_none_if_collective_calls_need_the_receiver(self):
        with lab("ordered_by_data") as own:
            self.assertEqual(self.races(own.run(RACES)), [])

    def test_collective_calls_that_do_not_need_the_receiver(self):
        with lab("ordered_by_nothing") as own:
            (finding,) = self.races(own.run(RACES))
        self.assertRegex(finding["message"], "could have taken another message 5 of 10 times")

    def test_none_without_the_option(self):
        with lab("master_worker") as own:
            self.assertEqual(self.races(own.run()), [])

    def test_several_threads(self):
        with lab("threads") as own:
            run = own.run(RACES)
        self.assertTrue(any("several of its threads call MPI" in note for note in run.report["notes"]), run.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
