#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Calls whose order decides outcomes, but is in no order of a run: recorded, deterministic and explored runs name them, and nothing says
that the order of messages decided nothing, or that every order was run.

usage: test_unordered.py <mustrun> <folder of the programs> [test]
"""
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "explore"))
import exploring  # noqa: E402
import orders  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
MUSTRUN, PROGRAMS = (os.path.abspath(word) for word in sys.argv[1:3])
SOURCE = os.path.join(HERE, "programs", "unordered.c")
NOTE = "which of these calls comes first"
NOTHING = "no call whose outcome the order of messages decides"
# part of the program -> its calls, by their comments
PARTS = {part: [part] for part in ("get_accumulate", "fence", "start")}
PARTS["file"] = ["write_shared", "iwrite_shared"]
# the same for those that a recording, a deterministic run and an exploration order
ORDERED = ("fetch", "swap", "replace", "rounded")


def notes_of(run):
    """Without the one that every run with windows has whose program is not compiled for loads and stores."""
    return [note for note in run.report["notes"] if not note.startswith("the tool did not see loads and stores")]


def named(comments):
    """The call before each comment: "MPI_Fetch_and_op at unordered.c:31"."""
    with open(SOURCE, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for comment in comments:
        place = next(number for number, line in enumerate(lines, 1) if line.endswith(f"// {comment}"))
        while "MPI_" not in lines[place - 1]:
            place -= 1
        call = re.search(r"MPI_[A-Z]\w+", lines[place - 1])[0]
        yield f"{call} at unordered.c:{place}"


def lab(name="unordered", explores=False):
    program = orders.Program(os.path.join(HERE, "programs", f"{name}.c"), os.path.join(PROGRAMS, f"order_{name}"))
    return (exploring.Lab if explores else orders.Lab)(MUSTRUN, program)


class Unordered(unittest.TestCase):
    def check_named(self, notes, comments):
        note = [note for note in notes if NOTE in note]
        self.assertEqual(len(note), 1, notes)
        calls = set(re.findall(r"MPI_\w+ at \w+\.c:\d+", note[0]))
        self.assertEqual(calls, set(named(comments)), note)

    def words(self, own, *parts):
        """Of a run that has these parts, one after the other."""
        return [own.path("file"), *parts]

    def test_a_recorded_run_names_them(self):
        with lab() as own:
            run = own.run(("record", own.path("order")), words=self.words(own, *PARTS))
            self.assertEqual(run.exit_code, 0, run.stderr)
            comments = sum(PARTS.values(), [])
            self.check_named(notes_of(run), comments)
            self.assertNotIn(NOTHING, run.stderr)
            self.assertEqual(run.report["statistics"]["unordered_calls"], len(comments))

    def check_ordered(self, run):
        """Each atomic is a choice of its rank, and so is its lock."""
        self.assertEqual(run.exit_code, 0, run.stderr)
        self.assertEqual(notes_of(run), [])
        self.assertEqual(run.report["statistics"]["choices"], [2 * len(ORDERED)] * 3, run.report["statistics"])

    def test_a_recording_orders_atomics_of_passive_epochs(self):
        with lab() as own:
            run = own.run(("record", own.path("order")), words=self.words(own, *ORDERED))
            self.check_ordered(run)
            self.assertEqual(run.report["statistics"]["unordered_calls"], 0)

    def test_a_deterministic_run_names_them(self):
        with lab() as own:
            run = own.run("deterministic", words=self.words(own, "fence", "file"))
            self.assertEqual(run.exit_code, 0, run.stderr)
            self.check_named(notes_of(run), PARTS["fence"] + PARTS["file"])

    def test_a_deterministic_run_decides_atomics_of_passive_epochs(self):
        with lab() as own:
            runs = [own.run("deterministic", *more, words=self.words(own, *ORDERED)) for more in ((), (orders.noise(1),))]
            for run in runs:
                self.check_ordered(run)
            self.assertEqual(runs[0].stdout, runs[1].stdout)
            self.assertEqual(runs[0].hashes, runs[1].hashes)

    def test_a_deterministic_run_names_atomics_of_a_library_that_grants_locks_late(self):
        with lab() as own:
            run = own.run("deterministic", words=self.words(own, "fetch"), variables={**os.environ, "OMPI_MCA_osc": "pt2pt"})
        self.assertEqual(run.exit_code, 0, run.stderr)
        self.check_named(notes_of(run), ["fetch"])

    def test_a_replay_of_an_order_without_atomics_names_them(self):
        with lab() as own:
            own.run(("record", own.path("order")), ("rma", "off"), words=self.words(own, "fetch"))
            run = own.run(("replay", own.path("order")), words=self.words(own, "fetch"))
            self.assertEqual(run.exit_code, 0, run.stderr)
            self.check_named(notes_of(run), ["fetch"])

    def test_an_exploration_names_them(self):
        parts = ("get_accumulate", "fence", "file")
        with lab(explores=True) as own:
            done = own.explore(words=self.words(own, *parts))
            self.assertEqual(done.exit_code, 0, done.stderr)
            self.assertFalse(done.result["complete"], done.stderr)
            self.assertNotIn("very order was run", done.stderr)
            self.check_named(notes_of(done), [comment for part in parts for comment in PARTS[part]])

    def test_what_is_ordered_is_not_named(self):
        with lab() as own:
            run = own.run(("record", own.path("order")), words=self.words(own, "right"))
        self.assertEqual(run.exit_code, 0, run.stderr)
        self.assertEqual([note for note in notes_of(run) if NOTE in note], [])
        with lab() as own:
            run = own.run("deterministic", words=self.words(own, "right"))
        self.assertEqual([note for note in notes_of(run) if NOTE in note], [])

    def test_nothing_is_said_if_nobody_asks_for_an_order(self):
        with lab() as own:
            run = own.run(words=self.words(own, "fetch"))
        self.assertEqual(notes_of(run), [])

    def test_accesses_that_are_not_compared_count(self):
        for part, option in (("fetch", ("rma", "off")), ("late", ("fold", "off"))):
            with self.subTest(part), lab() as own:
                run = own.run(("record", own.path("order")), option, words=self.words(own, part))
                self.assertEqual(len([note for note in notes_of(run) if NOTE in note]), 1, notes_of(run))
                self.assertNotIn(NOTHING, run.stderr)

    def test_locks_that_are_not_counted_are_named(self):
        with lab("lock_all", explores=True) as own:
            done = own.explore(("explore-bounds", "runs=1"))
        self.assertFalse(done.result["complete"], done.stderr)
        note = [note for note in notes_of(done) if NOTE in note]
        self.assertEqual(len(note), 1, notes_of(done))
        self.assertRegex(note[0], r"MPI_Win_lock at lock_all\.c:\d+")
        self.assertRegex(note[0], r"MPI_Win_lock_all at lock_all\.c:\d+")

    def test_locks_of_several_tool_processes_of_a_node_are_counted(self):
        with lab("lock") as own:
            run = own.run(("record", own.path("order")), ("leaf-ranks", 1))
        self.assertEqual(run.exit_code, 0, run.stderr)
        self.assertEqual([note for note in notes_of(run) if NOTE in note], [])
        self.assertEqual(len(run.hashes), 3, run.report["statistics"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
