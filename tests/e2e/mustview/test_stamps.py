#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mustrun --must:timestamps, and what mustview --timestamps and --ordered say of the file.

usage: test_stamps.py <mustview> <mustrun> <completed program> <its source>
"""
import os
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import process  # noqa: E402

MUSTVIEW, MUSTRUN, COMPLETED, SOURCE = (os.path.abspath(word) for word in sys.argv[1:5])

with open(SOURCE, encoding="utf-8") as text:
    LINES = {m.group(1): n for n, line in enumerate(text, start=1) if (m := re.search(r"/\* ([a-z-]+) \*/$", line))}


class Stamps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "run.stamps")
        outcome = cls.run_tool("--must:timestamps", cls.path)
        assert outcome.exit_code == 0, outcome.stderr.decode(errors="replace")
        shown = process.run([MUSTVIEW, "--timestamps", cls.path], cls.folder.name, 60)
        assert shown.exit_code == 0, shown.stderr.decode(errors="replace")
        cls.lines = shown.stdout.decode().splitlines()
        cls.event = {}  # by the word at its line
        for line in cls.lines:
            place = re.match(r"rank (\d+), event (\d+): MPI_\w+ at completed\.c:(\d+) ", line)
            for word, number in LINES.items():
                if place and int(place.group(3)) == number:
                    cls.event[word] = f"{place.group(1)}:{place.group(2)}"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_tool(cls, *words):
        words = [MUSTRUN, "--must:output-dir", cls.folder.name, *words, "--oversubscribe", "-np", "3", COMPLETED]
        return process.run(words, cls.folder.name, 60)

    def ordered(self, code, first, second):
        words = [MUSTVIEW, "--ordered", self.event[first], self.event[second], self.path]
        outcome = process.run(words, self.folder.name, 60)
        self.assertEqual((outcome.exit_code, outcome.stderr), (code, b""), words)
        return outcome.stdout.decode().splitlines()

    def refused(self, code, *words):
        outcome = process.run([MUSTVIEW, *words], self.folder.name, 60)
        self.assertEqual((outcome.exit_code, outcome.stdout), (code, b""), words)
        return outcome.stderr.decode()

    def calls(self, path):
        return [re.match(r"  rank (\d+), event \d+: (\w+)", line).groups() for line in path]

    def test_every_event_has_its_place_and_stamp(self):
        self.assertRegex(self.lines[0], r"^timestamps: 3 ranks, \d+ events$")
        for line in self.lines[1:]:
            self.assertRegex(line, r"^rank \d, event \d+: MPI_\w+ at completed\.c:\d+ in \w+.*; stamp( \d:\d+)+$")
        self.assertEqual(set(self.event), set(LINES))

    def test_a_fence_completes_a_put_before_what_others_do_after_it(self):
        answer = self.ordered(0, "by-fence", "after-fence")
        self.assertRegex(answer[0], r"^event \d+ of rank 0 is complete before event \d+ of rank 2 begins$")
        calls = [("0", "MPI_Put"), ("0", "MPI_Win_fence"), ("2", "MPI_Win_fence"), ("2", "MPI_Get")]
        self.assertEqual(self.calls(answer[1:]), calls)
        self.assertRegex(answer[2], ", completes it$")
        self.assertRegex(answer[3], ", learns of it$")
        self.assertEqual(self.ordered(0, "after-fence", "by-fence"), answer)

    def test_the_end_of_an_epoch_of_groups_passes_on_through_a_message(self):
        calls = [("0", "MPI_Put"), ("0", "MPI_Win_complete"), ("1", "MPI_Win_wait"), ("1", "MPI_Send"), ("2", "MPI_Recv"), ("2", "MPI_Get")]
        self.assertEqual(self.calls(self.ordered(0, "by-group", "after-group")[1:]), calls)

    def test_an_access_begins_after_the_post_of_its_target(self):
        calls = [("1", "MPI_Barrier"), ("1", "MPI_Win_post"), ("0", "MPI_Put")]
        self.assertEqual(self.calls(self.ordered(0, "before-post", "by-group")[1:]), calls)
        self.ordered(1, "post", "by-group")  # the put may begin before MPI_Win_post returns

    def test_a_flush_completes_everywhere(self):
        calls = [("0", "MPI_Put"), ("0", "MPI_Win_flush"), ("0", "MPI_Send"), ("2", "MPI_Recv"), ("2", "MPI_Accumulate")]
        self.assertEqual(self.calls(self.ordered(0, "flushed", "after-told")[1:]), calls)

    def test_a_local_flush_and_a_request_complete_only_at_the_origin(self):
        for word, call in (("local", "MPI_Win_flush_local"), ("requested", "MPI_Wait")):
            answer = self.ordered(1, word, "after-told")
            self.assertRegex(answer[0], r"^event \d+ of rank 0 is complete only at its origin before event \d+ of rank 2 begins$")
            self.assertEqual(self.calls(answer[1:])[1], ("0", call))

    def test_accesses_that_no_message_orders_are_unordered(self):
        answer = self.ordered(1, "flushed", "after-group")
        self.assertRegex(answer[0], r"^nothing orders event \d+ of rank 0 and event \d+ of rank 2$")
        self.assertEqual(self.calls(answer[1:]), [("0", "MPI_Put"), ("2", "MPI_Get")])

    def test_a_wrong_event_or_file_is_one_sentence(self):
        self.assertRegex(self.refused(64, "--ordered", "0:1", "3:1", self.path), r"^mustview: there is no event 3:1 in .*ranks 0 to 2\n$")
        error = self.refused(64, "--ordered", "0:999", "0:1", self.path)
        self.assertRegex(error, r"^mustview: there is no event 0:999 in .*rank 0 has \d+\n$")
        self.assertRegex(self.refused(64, "--ordered", "zero", "0:1", self.path), r"^mustview: zero is no event: .*\n$")
        self.assertRegex(self.refused(64, "--ordered", "0:1", self.path), r"^mustview: --ordered needs two events and a file .*\n$")
        with open(self.path, "rb") as whole:
            content = whole.read()
        for damaged, why in (
            (content[:5], "it is not a file of timestamps"),
            (content[:-4], "it was cut off before the end of the run"),
            (content.replace(b" 1\n", b" 7\n", 1), "it has version 7, and this program reads 1"),
            (content.replace(b"\nlearn ", b"\nlearn 9", 1), r"line \d+ is damaged"),
        ):
            path = os.path.join(self.folder.name, "damaged.stamps")
            with open(path, "wb") as out:
                out.write(damaged)
            self.assertRegex(self.refused(64, "--timestamps", path), rf"^mustview: \S+: {why}\n$")

    def test_another_file_is_not_replaced(self):
        path = os.path.join(self.folder.name, "precious.txt")
        with open(path, "w", encoding="utf-8") as out:
            out.write("mine\n")
        outcome = self.run_tool("--must:timestamps", path)
        self.assertEqual(outcome.exit_code, 64)
        self.assertIn(b"it exists and is not a file of timestamps", outcome.stderr)
        with open(path, encoding="utf-8") as kept:
            self.assertEqual(kept.read(), "mine\n")
        outcome = self.run_tool("--must:timestamps", self.path, "--must:rma", "off")
        self.assertEqual(outcome.exit_code, 64)
        self.assertIn(b"exclude each other", outcome.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
