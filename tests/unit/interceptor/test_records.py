# SPDX-License-Identifier: BSD-3-Clause
"""What the records say: requests, statuses, errors, communicators, amounts, polls."""

import re
import tempfile
import unittest

import harness as h


class Requests(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.run_ = h.run_program("requests.c", 2)

    def test_the_program_sees_its_own_results(self):
        self.assertEqual((self.run_.code, self.run_.stdout, self.run_.stderr), (0, "", ""))

    def test_a_shared_handle_is_named_so(self):
        for rank in (0, 1):
            calls = self.run_.calls(rank)[1:6]
            self.assertEqual([c.kind for c in calls], ["SEND"] * 3 + ["WAIT"] * 2)
            self.assertEqual([c.request for c in calls[:3]], [h.SHARED] * 3)
            self.assertEqual(calls[3].list, [h.SHARED] * 3)
            self.assertEqual(calls[4].list, [h.NULL] * 3)

    def test_sends_say_what_they_send(self):
        sends = self.run_.of(0, "SEND", "MPI_Send")[:5]
        self.assertEqual([(s.peer, s.tag, s.bytes, s.mode, s.flags, s.comm) for s in sends],
                         [(1, tag, 4 * tag, 0, 0, 0) for tag in range(10, 15)])

    def test_waitall_tells_of_wildcards_only(self):
        receives = self.run_.of(1, "RECV", "MPI_Irecv")
        wait, end = self.run_.of(1, "WAIT", "MPI_Waitall")[2], self.run_.of(1, "EXIT")[0]
        self.assertEqual(wait.list, [receives[0].request, receives[1].request])
        self.assertNotEqual(*wait.list)
        self.assertEqual((end.call, end.triples()), ("MPI_Waitall", [(0, 0, 10)]))

    def test_waitany_and_waitsome_tell_their_indices(self):
        any_, some = self.run_.of(1, "EXIT", "MPI_Waitany")[0], self.run_.of(1, "EXIT", "MPI_Waitsome")[0]
        self.assertEqual(self.run_.of(1, "WAIT", "MPI_Waitany")[0].list[1], h.NULL)
        self.assertEqual(any_.triples(), [(0, 0, 12)])
        self.assertEqual(some.triples(), [(1, 0, 13)])

    def test_test_tells_of_success_only(self):
        tested = self.run_.of(1, "TESTED")
        receive = [r for r in self.run_.of(1, "RECV", "MPI_Irecv") if r.tag == 14][0]
        self.assertEqual([t.triples() for t in tested], [[(receive.request, 0, 14)]])

    def test_numbers_are_dense_and_used_again(self):
        receives = self.run_.of(1, "RECV", "MPI_Irecv")
        self.assertEqual({r.request for r in receives}, set(range(100)))
        self.assertEqual({r.request for r in receives[:5]}, {0, 1})

    def test_long_lists_come_whole(self):
        wait = self.run_.of(1, "WAIT", "MPI_Waitall")[3]
        numbers = [r.request for r in self.run_.of(1, "RECV", "MPI_Irecv") if r.tag >= 100]
        end = [e for e in self.run_.of(1, "EXIT", "MPI_Waitall") if len(e.list) > 3]
        self.assertEqual(wait.list, numbers)
        self.assertEqual(len(end), 1)
        self.assertEqual(end[0].triples(), [(i, 0, 100 + i) for i in range(0, 100, 2)])

    def test_a_cancelled_receive(self):
        cancel = self.run_.of(1, "CANCEL")[0]
        receive = [r for r in self.run_.of(1, "RECV") if r.tag == 99][0]
        end = self.run_.of(1, "EXIT", "MPI_Wait")[0]
        self.assertEqual(cancel.request, receive.request)
        self.assertEqual(end.triples(), [(0, h.CANCELLED, 0)])

    def test_errors_are_told_with_their_class(self):
        mpi_err_count, mpi_err_rank, mpi_err_truncate = 2, 6, 15
        failed = [(e.call, e.arg) for e in self.run_.of(1, "EXIT") if e.flags & h.ERROR]
        self.assertEqual(failed, [("MPI_Send", mpi_err_rank), ("MPI_Isend", mpi_err_count),
                                  ("MPI_Recv", mpi_err_truncate)])
        self.assertEqual([c.call for c in self.run_.of(1, "OPAQUE")], ["MPI_Isend"])
        self.assertEqual(self.run_.of(1, "EXIT", "MPI_Recv")[0].flags, h.ERROR | h.MATCHED)

    def test_nothing_is_left_blocked(self):
        for rank in (0, 1):
            self.assertIn("state=2", self.run_.ends[rank])


class Communicators(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.run_ = h.run_program("comms.c", 4)

    def definitions(self, rank):
        return self.run_.of(rank, "COMM_DEF")

    def test_the_program_ends_well(self):
        self.assertEqual((self.run_.code, self.run_.stdout, self.run_.stderr), (0, "", ""))

    def test_groups_are_runs_of_world_ranks(self):
        for rank in range(4):
            reversed_, half, inter, merged = self.definitions(rank)[:4]
            low = rank % 2
            self.assertEqual(reversed_.list, [3, 1, 1, 2, 1, 1, 1, 1, 1, 0, 1, 1])
            self.assertEqual(half.list, [low, 2, 2])
            self.assertEqual((inter.flags, inter.arg2, inter.list),
                             (h.INTER, 1, [low, 2, 2, 1 - low, 2, 2]))
            self.assertEqual((merged.arg, merged.list), (inter.comm, [0, 2, 2, 1, 2, 2]))

    def test_numbers_are_dense_and_never_used_again(self):
        for rank in range(4):
            numbers = [d.comm for d in self.definitions(rank)]
            self.assertEqual(numbers, list(range(2, 2 + len(numbers))))

    def test_the_parent_and_the_arguments(self):
        split = self.definitions(1)[0]
        inter = self.run_.of(1, "COLL", "MPI_Intercomm_create")[0]
        self.assertEqual((split.arg, split.tag2), (0, 7))
        self.assertEqual((inter.comm, inter.arg, inter.peer, inter.arg2, inter.tag), (3, 0, 0, 0, 3))

    def test_create_group_names_its_participants(self):
        for rank in (0, 2):
            call = self.run_.of(rank, "COLL", "MPI_Comm_create_group")[0]
            made = [d for d in self.definitions(rank) if d.call == "MPI_Comm_create_group"][0]
            self.assertEqual((call.comm, call.tag, call.list), (0, 5, [0, 2, 2]))
            self.assertEqual((made.tag, made.list), (5, [0, 2, 2]))

    def test_a_copy_has_the_parents_group(self):
        of_inter, of_half = [d for d in self.definitions(3) if d.call == "MPI_Comm_dup"][:2]
        self.assertEqual((of_inter.flags, of_inter.list), (h.SAME_GROUP | h.INTER, []))
        self.assertEqual((of_half.flags, of_half.arg), (h.SAME_GROUP, 3))

    def test_roots_on_an_intercommunicator(self):
        roots = [self.run_.of(rank, "COLL", "MPI_Bcast")[0].peer for rank in range(4)]
        self.assertEqual(roots, [h.ROOT, 0, h.PROC_NULL, 0])

    def test_the_predefined_and_what_accept_and_connect_return(self):
        for rank, call in ((0, "MPI_Comm_accept"), (1, "MPI_Comm_connect")):
            made = [d for d in self.definitions(rank) if d.call == call][0]
            copy = self.definitions(rank)[-1]
            self.assertEqual((made.flags, made.arg, made.arg2), (h.INTER, 1, 1))
            self.assertEqual(made.list, [rank, 1, 1, 1 - rank, 1, 1])
            self.assertEqual((copy.call, copy.arg), ("MPI_Comm_dup", made.comm))
            barriers = [c.comm for c in self.run_.of(rank, "COLL", "MPI_Barrier")]
            self.assertEqual(barriers[-3:], [1, made.comm, copy.comm])
            self.assertEqual(self.run_.calls(rank)[-1].kind, "FINALIZE")

    def test_amounts_where_the_arguments_count(self):
        def bytes_of(call):
            return [self.run_.of(rank, "COLL", call)[0].bytes for rank in range(4)]
        pair = [s for s in self.run_.of(0, "SEND") if s.peer == h.PROC_NULL][0]
        self.assertEqual(pair.bytes, 16)
        self.assertEqual(bytes_of("MPI_Scatter"), [0, 12, 0, 0])
        self.assertEqual(bytes_of("MPI_Gather"), [0, 4, 4, 4])
        self.assertEqual(bytes_of("MPI_Alltoallv"), [40] * 4)
        gather = self.run_.of(0, "COLL", "MPI_Gather")
        self.assertEqual(gather[0].flags, h.IN_PLACE | h.RECEIVES)
        self.assertEqual(self.run_.of(1, "COLL", "MPI_Gather")[0].flags, h.SENDS)

    def test_reduction_operations_have_equal_numbers_everywhere(self):
        numbers = {self.run_.of(rank, "COLL", "MPI_Reduce")[0].arg for rank in range(4)}
        self.assertEqual(len(numbers), 1)
        self.assertNotIn(0, numbers)
        self.assertEqual(self.run_.of(0, "COLL", "MPI_Barrier")[0].arg, 0)


class Jobs(unittest.TestCase):
    def test_a_rank_first_says_of_which_job_it_is(self):
        run = h.run_program("finalize.c", 2)
        names = set()
        for rank in (0, 1):
            first = [r for r in run.records if r.rank == rank][0]
            self.assertEqual((first.kind, first.peer, first.arg2), ("JOB", rank, 2))
            names.add(first.extra)
        self.assertEqual(len(names), 1)
        self.assertNotIn(0, names)


class Polls(unittest.TestCase):
    def share_of_work(self, how):
        """Of the gaps between polls that were measured."""
        run = h.run_program("cold.c", 1, how)
        self.assertEqual(run.code, 0, run.stderr)
        looks, busy = (int(re.search(rf"{key}=(\d+)", run.ends[0])[1]) for key in ("looks", "busy"))
        self.assertGreater(looks, 20)
        return busy / looks

    def test_cold_caches_after_others_ran_are_no_work(self):
        self.assertLess(self.share_of_work("yield"), 0.4)
        self.assertGreater(self.share_of_work("sleep"), 0.6)

    def test_polls_are_counted_and_errno_stays(self):
        run = h.run_program("poll.c", 1)
        self.assertEqual((run.code, run.stdout), (0, "errno 77 flag 0\n"))
        self.assertEqual([c.kind for c in run.calls(0)],
                         ["INIT", "RECV", "CANCEL", "REQUEST_FREE", "FINALIZE"])
        self.assertIn("polls=3000", run.ends[0])
        self.assertIn(f"polled=MPI_Request_get_status,{h.NO_PEER},", run.ends[0])

    def test_the_latest_says_what_it_looked_for(self):
        with tempfile.TemporaryDirectory() as directory:
            program = h.compile_program("probe.c", directory)
            runs = [h.run([program, str(times)], 1, directory) for times in (1, 2, 3, 4)]
        said = [re.search(r"polled=(\S+)", run.ends[0])[1] for run in runs]
        self.assertEqual(said[0], "MPI_Iprobe,-1,6,0")
        for times, run in enumerate(runs[1:], 1):
            comm = run.of(0, "COMM_DEF")[-1].comm
            self.assertEqual(said[times], f"MPI_Iprobe,0,{(1, 2, -1)[times - 1]},{comm}")


class Threads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = h.run_program("threads.c", 2)

    def test_two_threads_make_two_orderly_streams(self):
        run = self.run_
        self.assertEqual(run.code, 0, run.stderr)
        self.assertEqual(sorted(run.stdout.splitlines()), ["rank 0 is through", "rank 1 is through"])
        for rank in (0, 1):
            self.assertIn("threads=2", run.ends[rank])
            for thread in (0, 1):
                calls = [c for c in run.calls(rank) if c.thread == thread and c.kind in (
                    "RECV", "SEND", "WAIT", "EXIT")]
                self.assertEqual(len(calls), 4 * 1500)
                for i in range(0, len(calls), 4):
                    receive, send, wait, end = calls[i:i + 4]
                    self.assertEqual([c.kind for c in calls[i:i + 4]],
                                     ["RECV", "SEND", "WAIT", "EXIT"])
                    self.assertEqual(wait.list, [receive.request, send.request])
                    self.assertEqual(end.triples(), [(0, 1 - rank, receive.tag)])

    def test_a_number_names_one_live_request(self):
        run = self.run_
        for rank in (0, 1):
            live = {}
            for c in run.calls(rank):
                if c.kind in ("RECV", "SEND") and c.request >= 0:
                    self.assertNotIn(c.request, live)
                    live[c.request] = c.thread
                elif c.kind == "EXIT":
                    for number in [n for n, thread in live.items() if thread == c.thread]:
                        del live[number]


class Finalize(unittest.TestCase):
    def test_calls_of_attribute_callbacks_are_seen_inside(self):
        run = h.run_program("finalize.c", 2)
        self.assertEqual(run.code, 0, run.stderr)
        self.assertEqual(sorted(run.stdout.splitlines()),
                         ["rank 0 says goodbye", "rank 1 says goodbye"])
        for rank in (0, 1):
            self.assertEqual([c.kind for c in run.calls(rank)], ["INIT", "FINALIZE", "SENDRECV"])
            self.assertIn("state=2", run.ends[rank])


if __name__ == "__main__":
    unittest.main()
