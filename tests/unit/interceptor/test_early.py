# SPDX-License-Identifier: BSD-3-Clause
"""Sources of wildcard receives that nobody has waited for, and calls that poll instead of waiting."""

import tempfile
import unittest

import harness as h

POLL = ("-x", "ORKNOT_POLL=1")


class EarlySources(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.run_ = h.run_program("early.c", 2)

    def behind(self, tag):
        """The records from the receive on, up to the next one."""
        calls = self.run_.calls(1)
        first = [i for i, r in enumerate(calls) if r.kind == "RECV" and r.tag == tag][0]
        rest = calls[first + 1:]
        return rest[:[r.kind for r in rest + calls[first:first + 1]].index("RECV")]

    def check_told(self, records, tag):
        """One EARLY record, after the first barrier and before the third; the barriers are the first calls."""
        kinds = [r.kind for r in records]
        place = kinds.index("EARLY")
        self.assertEqual(kinds.count("EARLY"), 1)
        self.assertIn(place, (1, 2))
        self.assertEqual((records[place].peer, records[place].tag), (0, tag))
        self.assertEqual((kinds[:place] + kinds[place + 1:])[:3], ["COLL"] * 3)

    def test_the_program_ends_well(self):
        self.assertEqual((self.run_.code, self.run_.stdout, self.run_.stderr), (0, "", ""))

    def test_a_blocking_call_tells_first_what_is_complete(self):
        self.check_told(self.behind(1), 1)

    def test_the_request_is_named_and_the_call_is_over(self):
        early = self.run_.of(1, "EARLY")[0]
        receive = [r for r in self.run_.of(1, "RECV") if r.tag == 1][0]
        self.assertEqual((early.request, early.flags), (receive.request, h.NONBLOCKING))

    def test_a_wait_does_not_ask_for_its_own_request(self):
        self.assertEqual([r.kind for r in self.behind(h.ANY_TAG)], ["COLL", "WAIT", "EXIT"])

    def test_a_message_that_is_too_long_has_a_source(self):
        self.check_told(self.behind(3), 3)

    def test_cancelled_and_freed_receives_are_not_asked_for(self):
        self.assertEqual([r.kind for r in self.behind(4)], ["CANCEL", "COLL", "WAIT", "EXIT"])
        self.assertEqual([r.kind for r in self.behind(5)], ["REQUEST_FREE"] + ["COLL"] * 3)

    def test_a_persistent_receive_is_asked_for_while_it_is_active(self):
        calls = self.run_.calls(1)
        starts = [i for i, r in enumerate(calls) if r.kind == "START"]
        self.check_told(calls[starts[0] + 1:starts[1]], 6)
        self.check_told(calls[starts[1] + 1:starts[1] + 8], 7)

    def test_many_are_asked_for_in_turn(self):
        calls = self.run_.calls(1)
        receives = [r for r in calls if r.kind == "RECV" and r.tag >= 100]
        told = [r for r in self.run_.of(1, "EARLY") if r.tag >= 100]
        self.assertEqual(sorted((r.request, r.tag) for r in told),
                         sorted((r.request, r.tag) for r in receives))
        gaps = [0]
        for r in self.behind(119):
            if r.kind == "EARLY":
                gaps[-1] += 1
            else:
                gaps.append(0)
        self.assertEqual((gaps[0], gaps[2]), (0, 8))
        self.assertLessEqual(max(gaps), 8)

    def test_a_rank_that_is_asked_tells_at_its_next_call(self):
        records = [r for r in self.behind(9) if r.kind != "CONTROL"]
        self.assertEqual([r.kind for r in records[:3]], ["COLL", "EARLY", "SEND"])
        self.assertEqual((records[1].peer, records[1].tag), (0, 8))


class Polling(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as directory:
            program = h.compile_program("blocking.c", directory)
            cls.plain = h.run_plain([program], 2, directory)
            cls.waits = h.run([program], 2, directory)
            cls.polls = h.run([program], 2, directory, mpirun_flags=POLL)

    @staticmethod
    def lines(run, rank):
        return [line for line in run.stdout.splitlines() if line.startswith(str(rank))]

    def test_the_calls_return_what_they_return_without_it(self):
        self.assertEqual((self.plain.code, self.polls.code, self.polls.stderr), (0, 0, ""))
        for rank in (0, 1):
            self.assertGreater(len(self.lines(self.plain, rank)), 10)
            self.assertEqual(self.lines(self.waits, rank), self.lines(self.plain, rank))
            self.assertEqual(self.lines(self.polls, rank), self.lines(self.plain, rank))

    def test_the_records_are_the_same(self):
        def told(run, rank):
            return [(r.kind, r.call, r.flags, r.peer, r.tag, r.list) for r in run.calls(rank)
                    if r.kind != "EARLY"]
        for rank in (0, 1):
            self.assertEqual(told(self.polls, rank), told(self.waits, rank))

    def test_no_poll_is_the_programs(self):
        for rank in (0, 1):
            self.assertIn("polls=0", self.polls.ends[rank])

    def test_a_waitall_tells_of_its_members_one_by_one(self):
        told = [(r.peer, r.tag) for r in self.polls.of(1, "EARLY") if not r.flags & h.NONBLOCKING]
        self.assertIn((0, 36), told)


if __name__ == "__main__":
    unittest.main()
