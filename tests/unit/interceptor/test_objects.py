# SPDX-License-Identifier: BSD-3-Clause
"""What the records say of windows and files."""

import unittest

import harness as h

EXCLUSIVE, SHARED_LOCK = 1, 0
USER_DEFINED = 15  # record/reductions.h


class Objects(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.run_ = h.run_program("objects.c", 4)

    def made(self, rank, call):
        return [d.comm for d in self.run_.of(rank, "COMM_DEF", call)]

    def on(self, rank, number):
        """Calls on a window or file, without the words MPI_Win, MPI_File."""
        return [(c.kind, c.call.split("_", 2)[2]) for c in self.run_.calls(rank)
                if c.comm == number and c.kind in ("COLL", "COMM_NAME") or c.kind.startswith("WIN_")
                and c.comm == number]

    def test_the_program_ends_well(self):
        self.assertEqual((self.run_.code, self.run_.stdout, self.run_.stderr), (0, "", ""))

    def test_windows_files_and_communicators_are_one_row(self):
        for rank in range(4):
            defined = self.run_.of(rank, "COMM_DEF")
            self.assertEqual([(d.call, d.comm, d.arg) for d in defined],
                             [("MPI_Comm_split", 2, 0), ("MPI_Win_create", 3, 0),
                              ("MPI_Win_create", 4, 2), ("MPI_Comm_dup", 5, 0),
                              ("MPI_File_open", 6, 0), ("MPI_File_open", 7, 1)])
            self.assertEqual([d.flags for d in defined[1:]], [h.SAME_GROUP] * 5)
            self.assertEqual([d.list for d in defined[1:]], [[]] * 5)

    def test_the_constructor_is_a_collective_of_its_communicator(self):
        for call in ("MPI_Win_create", "MPI_File_open"):
            for rank in range(4):
                calls = self.run_.of(rank, "COLL", call)
                defined = self.run_.of(rank, "COMM_DEF", call)
                self.assertEqual([c.comm for c in calls[:2]], [d.arg for d in defined])
                self.assertEqual({c.mode for c in calls}, {d.mode for d in defined})
                self.assertEqual({c.peer for c in calls}, {h.NO_PEER})

    def test_calls_name_their_window(self):
        first, second = self.made(1, "MPI_Win_create")
        epochs = [("WIN_LOCK", "lock"), ("WIN_UNLOCK", "unlock")] * 2 + [
            ("WIN_LOCK", "lock_all"), ("WIN_UNLOCK", "unlock_all"), ("COLL", "free")]
        own = {0: [("WIN_POST", "post"), ("WIN_TESTED", "test")],
               1: [("WIN_START", "start"), ("WIN_COMPLETE", "complete")],
               2: [("WIN_POST", "post"), ("WIN_WAIT", "wait")]}
        for rank in (0, 1, 2):
            self.assertEqual(self.on(rank, first), [("COMM_NAME", "set_name")] + own[rank] + [
                ("WIN_POST", "post"), ("WIN_WAIT", "wait")] + epochs)
            self.assertEqual(self.on(rank, second), [("COLL", "fence"), ("COLL", "free")])

    def test_the_name_of_a_window(self):
        self.assertEqual(self.run_.of(0, "COMM_NAME")[0].text, "first")

    def test_groups_are_runs_of_world_ranks(self):
        self.assertEqual([s.list for s in self.run_.of(3, "WIN_START")], [[2, 1, 1, 0, 1, 1]])
        self.assertEqual([p.list for p in self.run_.of(2, "WIN_POST")], [[1, 2, 2], []])

    def test_locks_say_whom_and_how(self):
        for rank in range(4):
            self.assertEqual([(c.peer, c.mode) for c in self.run_.of(rank, "WIN_LOCK")],
                             [(2, EXCLUSIVE), (1, SHARED_LOCK), (h.NO_PEER, SHARED_LOCK)])
            self.assertEqual([c.peer for c in self.run_.of(rank, "WIN_UNLOCK")], [2, 1, h.NO_PEER])

    def test_polls_of_a_window_are_counted(self):
        self.assertEqual(len(self.run_.of(0, "WIN_TESTED")), 1)
        self.assertEqual(self.run_.of(0, "OPAQUE"), [])

    def test_a_split_collective_has_a_request_of_its_own(self):
        for rank in range(4):
            all_, mine = self.run_.of(rank, "COLL", "MPI_File_write_all_begin")
            ends = self.run_.of(rank, "WAIT", "MPI_File_write_all_end")
            self.assertEqual((all_.flags, mine.flags), (h.NONBLOCKING | h.FALLIBLE,) * 2)
            self.assertNotEqual(all_.request, mine.request)
            self.assertGreaterEqual(min(all_.request, mine.request), 0)
            self.assertEqual([e.list for e in ends], [[all_.request], [mine.request]])
            self.assertEqual([e.mode for e in ends], [0, 0])
            self.assertEqual([all_.comm, mine.comm], self.made(rank, "MPI_File_open"))

    def test_nonblocking_collective_io(self):
        for rank in range(4):
            call = self.run_.of(rank, "COLL", "MPI_File_iwrite_at_all")[0]
            after = self.run_.calls(rank)[self.run_.calls(rank).index(call) + 1]
            self.assertEqual((call.flags, after.kind, after.list),
                             (h.NONBLOCKING, "WAIT", [call.request]))

    def test_errors_end_the_call_and_the_request(self):
        for rank in range(4):
            failed = [e.call for e in self.run_.of(rank, "EXIT") if e.flags & h.ERROR]
            self.assertEqual(failed, ["MPI_File_open", "MPI_File_read_all",
                                      "MPI_File_read_all_begin"])
            begin = self.run_.of(rank, "COLL", "MPI_File_read_all_begin")[0]
            freed = self.run_.of(rank, "REQUEST_FREE", "MPI_File_read_all_begin")[0]
            self.assertEqual(freed.request, begin.request)

    def test_disconnect_is_a_collective_of_its_communicator(self):
        self.assertEqual([c.comm for c in self.run_.of(0, "COLL", "MPI_Comm_disconnect")],
                         self.made(0, "MPI_Comm_dup"))

    def test_operations_of_the_user_have_one_number(self):
        self.assertEqual(self.run_.of(0, "COLL", "MPI_Reduce")[0].arg, USER_DEFINED)

    def test_nothing_is_left_blocked(self):
        for rank in range(4):
            self.assertIn("state=2", self.run_.ends[rank])


if __name__ == "__main__":
    unittest.main()
