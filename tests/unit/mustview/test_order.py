#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mustview --order on its command line.

usage: test_order.py <mustview> <order_sample>
"""
import os
import resource
import subprocess
import sys
import tempfile
import unittest

MUSTVIEW = os.path.abspath(sys.argv[1])
SAMPLE = os.path.abspath(sys.argv[2])
END = " (--help shows all options)"


class Order(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([SAMPLE, cls.folder.name], check=True, timeout=900)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_it(self, *words, **more):
        return subprocess.run([MUSTVIEW, "--order", *words], cwd=self.folder.name, timeout=900, capture_output=True, check=False, **more)

    def shown(self, *words, code=0):
        done = self.run_it(*words)
        self.assertEqual((done.returncode, done.stderr), (code, b""))
        return done.stdout.decode().splitlines()

    def refused(self, code, sentence, *words):
        done = self.run_it(*words)
        self.assertEqual((done.returncode, done.stdout, done.stderr.decode()), (code, b"", f"mustview: {sentence}\n"))

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def save(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)

    def test_every_choice_is_a_line(self):
        self.assertEqual(self.shown("farm"), [
            "order of farm: 3 ranks, 3 choices, complete",
            "rank 0, choice 1: MPI_Recv at farm.c:40 in main(): received from rank 1, tag 7",
            "rank 0, choice 2: MPI_Recv at farm.c:40 in main(): received from rank 2, tag 7",
            "rank 2, choice 1: MPI_Testsome at farm.c:7\\x1B[2J: completed requests 0 and 4 of the array after 12 unsuccessful polls",
            "rank 2: no further choice after 1 unsuccessful poll",
        ])

    def test_each_outcome_has_its_words(self):
        lines = self.shown("kinds")
        self.assertEqual(lines[0], "order of kinds: 1 rank, 17 choices, complete")
        self.assertEqual([line.split(": ", 1)[1] for line in lines[1:]], [
            "MPI_Recv at place 0000001a: was cancelled (receive 4)",
            "MPI_Recv at place 0000001a: received from rank 3, tag -1 (receive 5 of thread 2)",
            "MPI_Recv at place 0000001a: received from MPI_PROC_NULL",
            "MPI_Iprobe at place 0000001a: found a message of rank 2, tag 0 after 1 unsuccessful poll",
            "MPI_Test at place 0000002b: completed its request",
            "MPI_Testall at place 0000002b: completed all requests of the array",
            "MPI_Win_test at place 0000002b: completed the exposure epoch",
            "MPI_Request_get_status at place 0000002b: found its request complete",
            "MPI_Testany at place 0000002b: found no active request",
            "? at place 0000002b: was successful",
            "MPI_Testsome at place 0000002b: completed requests 1-3, 7, 9 and 10 of the array",
            "MPI_Waitany at place 0000002b: completed request 7 of the array",
            "MPI_Wait at place 00000001: the operation was not cancelled (receive 2)",
            "MPI_Wait at place 00000001: the operation was cancelled",
            "MPI_Win_lock at place 00000003: locked rank 3 after 1 conflicting lock (lock 6)",
            "MPI_Win_unlock at place 00000004: the lock had been granted for rank 3 after 2 conflicting locks (lock 6)",
            "MPI_Win_lock at place 00000003: locked all ranks after 0 conflicting locks (lock 7)",
            "no further choice",
        ])

    def test_threads_and_jobs_are_named(self):
        self.assertEqual([line.split(": ")[0] for line in self.shown("swapped")], [
            "order of threads",
            "rank 1 (rank 0 of job 1), thread 1, choice 1",
            "rank 1 (rank 0 of job 1), thread 0, choice 1",
            "rank 1 (rank 0 of job 1), thread 1, choice 2",
        ])
        self.assertEqual(self.shown("threads")[0], "order of threads: 1 rank and 1 spawned, 3 choices, complete")

    def test_an_order_that_was_cut_off_is_shown(self):
        self.assertEqual(self.shown("killed")[0], "order of farm: 3 ranks, 3 choices, cut off before the end of the run")
        whole = self.read("farm")
        self.save("part", whole[: len(whole) - 30])
        self.assertEqual(self.shown("part"), ["order of farm: 3 ranks, 0 choices, cut off before the end of the run"])

    def test_many_equal_choices_are_a_small_file(self):
        self.assertLess(os.path.getsize(self.path("many")), 300)
        lines = self.shown("many")
        self.assertEqual(lines[0], "order of farm: 3 ranks, 300003 choices, complete")
        self.assertEqual(len(lines), 300003 + 2)

    def test_it_can_be_written_to_a_file(self):
        self.shown("farm", "-o", "out.txt")
        self.assertTrue(self.read("out.txt").startswith(b"order of farm: 3 ranks"))
        self.refused(64, "out.txt exists already (--force overwrites it)", "farm", "-o", "out.txt")
        self.assertEqual(self.shown("--diff", "farm", "same", "--force", "-o", "out.txt"), [])
        self.assertEqual(self.read("out.txt"), b"the same order\n")

    def test_a_part_of_an_output_does_not_stay(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))

        done = self.run_it("many", "-o", "huge.txt", preexec_fn=limit)
        self.assertEqual((done.returncode, done.stderr), (69, b"mustview: cannot write huge.txt: File too large\n"))
        self.assertFalse(os.path.exists(self.path("huge.txt")))
        with open("/dev/full", "wb") as full:
            done = subprocess.run([MUSTVIEW, "--order", "many"], cwd=self.folder.name, timeout=900, stdout=full, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (69, b"mustview: cannot write standard output: No space left on device\n"))

    def test_the_same_order_is_0(self):
        self.assertEqual(self.shown("farm", "--diff", "same"), ["the same order"])
        self.assertEqual(self.shown("--diff", "threads", "swapped"), ["the same order"])
        self.assertEqual(self.shown("-d", "farm", "killed"), ["the same order; the second is cut off there"])
        self.assertEqual(self.shown("-d", "killed", "farm"), ["the same order; the first is cut off there"])

    def test_the_first_different_choice_is_shown(self):
        self.assertEqual(self.shown("farm", "--diff", "other", code=1), [
            "rank 0 differs from choice 2 on",
            "    first:  MPI_Recv at farm.c:40 in main(): received from rank 2, tag 7",
            "    second: MPI_Recv at farm.c:40 in main(): received from rank 1, tag 7",
            "1 of 3 ranks differs",
        ])
        self.assertEqual(self.shown("--diff", "swapped", "last", code=1), [
            "rank 1 (rank 0 of job 1), thread 1 differs from choice 2 on",
            "    first:  MPI_Recv at place 0000001a: received from rank 2, tag 0",
            "    second: MPI_Recv at place 0000001a: received from rank 0, tag 0",
            "1 of 2 ranks differs",
        ])

    def test_an_order_can_end_before_the_other(self):
        self.assertEqual(self.shown("--diff", "farm", "longer", code=1), [
            "rank 0 differs from choice 3 on",
            "    first:  no further choice",
            "    second: MPI_Recv at farm.c:40 in main(): received from rank 2, tag 7",
            "1 of 3 ranks differs",
        ])
        self.assertEqual(self.shown("--diff", "longer", "farm", code=1)[2], "    second: no further choice")

    def test_further_different_outcomes_are_shown(self):
        lines = self.shown("--diff", "loop", "loop2", code=1)
        received = "MPI_Recv at place 0000001a: received from rank"
        self.assertEqual(lines[:6], [
            "rank 0 differs from choice 2 on",
            f"    first:  {received} 1, tag 0",
            f"    second: {received} 2, tag 0",
            "  choice 14",
            f"    first:  {received} 1, tag 10",
            f"    second: {received} 2, tag 10",
        ])
        self.assertEqual([line for line in lines if line.startswith("  choice")], [f"  choice {n}" for n in range(14, 23)])
        self.assertEqual(lines[-3:], ["  and 2 further choices", "  unsuccessful polls before 1 further choice", "1 of 1 rank differs"])

    def test_outcomes_are_compared_as_long_as_the_calls_are_the_same(self):
        received = "MPI_Recv at place 0000001a: received from rank"
        self.assertEqual(self.shown("--diff", "pair", "pair2", code=1), [
            "rank 0 differs from choice 1 on",
            "    first:  MPI_Test at place 0000002b: completed its request after 1 unsuccessful poll",
            "    second: MPI_Test at place 0000002b: completed its request",
            "  choice 2",
            f"    first:  {received} 1, tag 0",
            f"    second: {received} 2, tag 0",
            "  choice 3, from which on the calls differ",
            f"    first:  {received} 1, tag 0",
            "    second: MPI_Win_lock at place 00000003: locked rank 0 after 1 conflicting lock (lock 1)",
            "1 of 1 rank differs",
        ])

    def test_other_programs_differ(self):
        self.assertEqual(self.shown("--diff", "built", "rebuilt", code=1), [
            "rank 0 differs from choice 1 on",
            "    first:  MPI_Recv at farm.c:40: received from rank 1, tag 7 [place 00000001]",
            "    second: MPI_Recv at farm.c:40: received from rank 1, tag 7 [place 00000002]",
            "1 of 1 rank differs",
        ])
        self.assertEqual(self.shown("--diff", "built", "lu", code=1), [
            "the first is of farm with 1 rank, the second of lu with 1 rank",
            "otherwise the same order",
        ])
        self.assertEqual(self.shown("--diff", "farm", "kinds", code=1)[-1], "2 of 3 ranks differ")

    def test_a_wrong_command_line_is_64(self):
        self.refused(64, "--order needs one order" + END)
        self.refused(64, "--order needs one order" + END, "farm", "same")
        self.refused(64, "--order --diff needs two orders" + END, "--diff", "farm")
        self.refused(64, "--order writes text, not json" + END, "-f", "json", "farm")
        self.refused(64, "--order cannot be combined with --finding, --show or --suppression" + END, "-n", "1", "farm")
        self.refused(64, "--order cannot be combined with --finding, --show or --suppression" + END, "-s", "knot", "farm")
        self.refused(64, "--order cannot be combined with --finding, --show or --suppression" + END, "--suppression", "1", "farm")
        self.refused(64, "--order cannot read standard input" + END, "-")
        self.refused(64, "--order cannot read standard input" + END, "--diff", "farm", "-")
        self.refused(64, "--live cannot be combined with --diff, --order, --finding, --show or --suppression" + END, "--live", "1")

    def test_a_wrong_file_is_one_sentence_and_64(self):
        whole = self.read("farm")
        self.refused(64, "cannot read none: No such file or directory", "none")
        self.refused(64, "cannot read .: Is a directory", ".")
        self.save("text", b"not an order\n")
        self.refused(64, "text: it is not an order file", "text")
        self.refused(64, "text: it is not an order file", "--diff", "farm", "text")
        version = self.run_it("--version").stdout.decode().split()[1]
        self.save("old", whole[:13] + b"9" + whole[14:])
        self.refused(64, f"old: it is from orknot 9{version[1:]}, and this is {version}", "old")
        self.save("damaged", whole[:-5] + bytes([whole[-5] ^ 1]) + whole[-4:])
        self.refused(64, "damaged: block 2 is damaged", "damaged")
        self.refused(64, "hostile: the choices of rank 1 are damaged", "hostile")
        self.refused(64, "hostile: the choices of rank 1 are damaged", "--diff", "farm", "hostile")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
