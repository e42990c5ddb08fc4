#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs that end badly keep their order, and the command that the report names repeats them; other runs keep nothing.

usage: test_ends.py <mustrun> <folder of the programs> [test]
"""
import os
import shlex
import sys
import unittest

import at_once
import orders

HERE = os.path.dirname(os.path.abspath(__file__))
MUSTRUN, PROGRAMS = (os.path.abspath(word) for word in sys.argv[1:3])


def lab(name):
    source = os.path.join(HERE, "programs", f"{name}.c")
    return orders.Lab(MUSTRUN, orders.Program(source, os.path.join(PROGRAMS, f"order_{name}")))


class Ends(unittest.TestCase):
    def replayed(self, own, recorded, variables):
        self.assertEqual(list(orders.compare(own.run(orders.noise(7), ("replay", recorded.order), variables=variables), recorded)), [])

    def kept(self, run):
        self.assertIsNotNone(run.order, run.stderr)
        self.assertIn(run.order, run.report["replay"])
        self.assertIn(run.report["replay"], run.stderr)

    def test_an_exit_code(self):
        with lab("exit_code") as own:
            run = own.run(orders.noise(3))
            self.assertIn(run.exit_code, (11, 12, 13), run.stderr)
            self.kept(run)
            self.replayed(own, run, {})

    def test_an_abort(self):
        with lab("exit_code") as own:
            run = own.run(orders.noise(4), variables={"HOW": "abort"})
            self.assertIn(run.exit_code, (21, 22, 23), run.stderr)
            self.kept(run)
            self.replayed(own, run, {"HOW": "abort"})

    def test_a_crash(self):
        with lab("exit_code") as own:
            run = own.run(orders.noise(5), variables={"HOW": "crash"})
            self.assertNotIn(run.exit_code, (None, 0), run.stderr)
            self.kept(run)
            self.replayed(own, run, {"HOW": "crash"})

    def test_a_good_run_keeps_nothing(self):
        with lab("recv_any_source") as own:
            run = own.run(orders.noise(5))
            self.assertEqual((run.exit_code, run.order), (0, None), run.stderr)
            self.assertNotIn("replay", run.report)
            self.assertEqual([name for name in os.listdir(run.folder) if name.startswith("MUST_Order")], [])

    def test_a_good_run_is_recorded_on_request(self):
        with lab("recv_any_source") as own:
            path = own.path("asked for")
            run = own.run(orders.noise(5), ("record", path))
            self.assertEqual(run.exit_code, 0, run.stderr)
            self.assertTrue(os.path.exists(path), run.stderr)
            self.assertEqual(own.run(orders.noise(6), ("replay", path)).hashes, run.hashes)

    def test_a_run_without_choices_says_that_it_has_no_order(self):
        with lab("no_choice") as own:
            path = own.path("asked for")
            run = own.run(("record", path))
            self.assertEqual((run.exit_code, os.path.exists(path)), (0, False), run.stderr)
            self.assertIn("no order was written", run.stderr)
            self.assertNotIn("order_hash", run.report["statistics"])

    def test_the_command_that_is_named_can_be_run(self):
        with lab("exit_code") as own:
            run = own.run(orders.noise(8))
            words = shlex.split(run.report["replay"])
            self.assertEqual(os.path.basename(words[0]), "mustrun", words)
            again = orders.process.run([MUSTRUN, *words[1:]], run.folder)
            self.assertEqual(again.exit_code, run.exit_code, again.stderr)
            self.assertEqual(sorted(again.stdout.decode().splitlines()), run.stdout)


class RareDeadlock(unittest.TestCase):
    """Whatever is likely: a deadlock comes again, and a run without it stays without it."""

    def test_a_deadlock_comes_again(self):
        with lab("rare_deadlock") as own:
            run = own.run(variables={"FIRST": "2"})
            self.assertEqual((run.exit_code, len(run.findings("deadlock"))), (66, 1), run.stderr)
            self.assertIsNotNone(run.order, run.stderr)
            again = own.run(("replay", run.order), variables={"FIRST": "1"})
            self.assertEqual(list(orders.compare(again, run)), [], again.stderr)
            self.assertEqual(len(again.findings("deadlock")), 1, again.stderr)
            self.assertEqual(again.findings("deadlock")[0]["class"], "manifest")

    def test_a_good_order_stays_good(self):
        with lab("rare_deadlock") as own:
            path = own.path("good")
            run = own.run(("record", path), variables={"FIRST": "1"})
            self.assertIn("first 1", run.stdout, run.stderr)
            again = own.run(("replay", path), variables={"FIRST": "2"})
            self.assertEqual(list(orders.compare(again, run)), [], again.stderr)


class OtherOrder(unittest.TestCase):
    """The deadlock is not in the order of the run."""

    def test_the_command_that_is_named_shows_it(self):
        with lab("other_order") as own:
            run = own.run()
            self.assertEqual([finding["class"] for finding in run.findings("deadlock")], ["interleaving"], run.stderr)
            self.assertIn(run.report["explore"], run.stderr)
            command = [MUSTRUN, "--must:output", "json", *shlex.split(run.report["explore"])[1:]]
            again = orders.process.run(command, run.folder, limit=orders.process.FAR)
            self.assertEqual(again.exit_code, 66, again.stderr)
            self.assertIn(b"deadlock (manifest)", again.stderr)

    def test_another_deadlock_needs_no_other_order(self):
        with lab("rare_deadlock") as own:
            run = own.run(variables={"FIRST": "2"})
            self.assertEqual([finding["class"] for finding in run.findings("deadlock")], ["manifest"], run.stderr)
            self.assertNotIn("explore", run.report)


class LockDeadlock(unittest.TestCase):
    """The same with window locks: a lock that had not been granted when the recording ended is not granted earlier now."""

    def test_a_deadlock_comes_again(self):
        with lab("lock_deadlock") as own:
            run = own.run()
            self.assertEqual((run.exit_code, len(run.findings("deadlock"))), (66, 1), run.stderr)
            self.assertIsNotNone(run.order, run.stderr)
            again = own.run(("replay", run.order), variables={"SLOW": "1"})
            self.assertEqual(list(orders.compare(again, run)), [], again.stderr)
            self.assertEqual(again.findings("deadlock")[0]["class"], "manifest")

    def test_a_good_order_stays_good(self):
        with lab("lock_deadlock") as own:
            path = own.path("good")
            run = own.run(("record", path), variables={"SLOW": "1"})
            self.assertEqual(len(run.stdout), 1, run.stderr)
            again = own.run(("replay", path))
            self.assertEqual(list(orders.compare(again, run)), [], again.stderr)


class DeterministicLocks(unittest.TestCase):
    """A deadlock of the program is reported in a deterministic run, too, whatever the timing."""

    def test_a_deadlock_is_reported(self):
        hashes = set()
        for variables in ({}, {"SLOW": "1"}):
            with lab("lock_deadlock") as own:
                run = own.run("deterministic", variables=variables)
            self.assertEqual((run.exit_code, [finding["class"] for finding in run.findings("deadlock")]), (66, ["manifest"]), run.stderr)
            self.assertEqual([wait["call"] for wait in run.findings("deadlock")[0]["waits"]], 2 * ["MPI_Win_lock"])
            hashes.add(tuple(run.hashes.items()))
        self.assertEqual(len(hashes), 1)


class FailedCalls(unittest.TestCase):
    """A call that fails has an outcome, too, and the order decides which, even if it never returns to the program."""

    def comes_again(self, **variables):
        with lab("fatal") as own:
            run = own.run(variables={"FIRST": "2", **variables})
            self.assertIsNotNone(run.order, run.stderr)
            again = own.run(("replay", run.order), variables={"FIRST": "1", **variables})
            self.assertEqual(list(orders.compare(again, run)), [], again.stderr)
            for other in (run, again):
                self.assertEqual(len(other.findings("truncation")), 1, other.stderr)
            return again

    def test_a_receive(self):
        self.assertIn("*** An error occurred in MPI_Recv\n", self.comes_again().stderr)

    def test_a_file_is_written_on_request(self):
        with lab("fatal") as own:
            path = own.path("asked for")
            run = own.run(("record", path), variables={"FIRST": "2"})
            self.assertTrue(os.path.exists(path), run.stderr)
            self.assertNotIn("no order was written", run.stderr)

    def test_sendrecv(self):
        for how in ("sendrecv", "replace"):
            self.comes_again(HOW=how)

    def test_a_wait(self):
        for how in ("wait", "waitall", "waitany", "waitsome"):
            self.comes_again(HOW=how)

    def test_a_test(self):
        for how in ("test", "testall", "testany", "testsome"):
            self.comes_again(HOW=how)

    def test_an_error_handler_that_ends_the_process(self):
        for handler in ("abort", "exit"):
            self.comes_again(HANDLER=handler)
            self.comes_again(HANDLER=handler, HOW="waitany")

    def test_an_error_handler_that_jumps_out_of_the_call(self):
        with lab("fatal") as own:
            path = own.path("asked for")
            run = own.run(("record", path), variables={"FIRST": "2", "HANDLER": "jump"})
            self.assertIn("caught", run.stdout, run.stderr)
            again = own.run(("replay", path), variables={"FIRST": "1", "HANDLER": "jump"})
            self.assertEqual(list(orders.compare(again, run)), [], again.stderr)

    def test_a_replay_that_goes_on_says_where_it_is_free(self):
        """The recording ends with the call that failed. In the replay, the error handler lets the program go on."""
        with lab("fatal") as own:
            run = own.run(variables={"FIRST": "2"})
            again = own.run(("replay", run.order), variables={"FIRST": "1", "HANDLER": "jump"})
            self.assertIn("caught", again.stdout, again.stderr)
            self.assertIn("the replay repeated 1 of 1 choice", again.report["notes"])
            free = [note for note in again.report["notes"] if "freely" in note]
            self.assertEqual(len(free), 1, again.stderr)
            self.assertRegex(free[0], r"rank 0 ran freely after its choice 1, MPI_Recv at fatal\.c:\d+ in receive, where its")

    def test_deterministic_runs_have_it_too(self):
        with lab("fatal") as own:
            runs = [own.run("deterministic", orders.noise(seed), variables={"FIRST": "2"}) for seed in (1, 2)]
        self.assertEqual([len(run.findings("truncation")) for run in runs], [1, 1], runs[0].stderr)
        self.assertTrue(runs[0].hashes, runs[0].stderr)
        self.assertEqual(runs[0].hashes, runs[1].hashes)


class Vain(unittest.TestCase):
    def test_a_rank_that_only_polled_in_vain_does_so_again(self):
        with lab("vain") as own:
            path = own.path("late")
            run = own.run(("record", path), variables={"LATE": "1"})
            self.assertIn("found 0", run.stdout, run.stderr)
            again = own.run(("replay", path))
            self.assertEqual(list(orders.compare(again, run)), [], again.stderr)


if __name__ == "__main__":
    at_once.main([sys.argv[0], *sys.argv[3:]])
