# SPDX-License-Identifier: BSD-3-Clause
"""Records of loads and stores to the memory of a window: few of them, with exact bytes, between the calls where they were made."""

import os
import tempfile
import unittest

import harness as h

MEMORY = os.environ["ORK_TEST_MEMORY"]
INCLUDE = os.environ["ORK_TEST_MEMORY_INCLUDE"]
LOAD, STORE = 0, 1
ROWS, COLUMNS = 20, 50
DOUBLES = ROWS * COLUMNS


def loops(record):
    """[(stride, count)] of the list."""
    if not record.list:
        return []
    words = [w % (1 << 32) for w in record.list]
    numbers = [words[i] | words[i + 1] << 32 for i in range(0, len(words), 2)]
    numbers = [n - (1 << 64) if n >> 63 else n for n in numbers]
    return list(zip(numbers[1::2], numbers[2::2]))[:numbers[0]]


class Touches(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as directory:
            program = h.compile_program("touches.c", directory, "-fsanitize=thread", f"-I{INCLUDE}", f"-L{MEMORY}")
            cls.run_ = h.run([program], 1, directory)
            cls.places = h.places(cls.run_, 0)
        cls.base = next(r.extra for r in cls.run_.records if r.kind == "WIN_MEMORY")
        # The TOUCH records before each fence, and at the end those after the last one.
        cls.groups = [[]]
        for r in cls.run_.records:
            if r.kind == "TOUCH":
                cls.groups[-1].append(r)
            elif r.kind == "COLL" and r.call == "MPI_Win_fence":
                cls.groups.append([])

    def shapes(self, group):
        return [(r.mode, r.extra - self.base, r.bytes, loops(r)) for r in self.groups[group]]

    def test_the_program_ends(self):
        self.assertEqual((self.run_.code, self.run_.stdout, self.run_.stderr), (0, "", ""))
        self.assertEqual(len(self.groups), 9)

    def test_memory_outside_of_a_window_has_no_records(self):
        self.assertEqual((self.groups[0], self.groups[6], self.groups[8]), ([], [], []))

    def test_a_loop_is_one_record(self):
        self.assertEqual(self.shapes(1), [(STORE, 0, 8 * DOUBLES, [])])
        self.assertEqual(self.shapes(2), [(LOAD, 24, 8, [(8 * COLUMNS, ROWS)])])

    def test_nested_loops_are_one_record(self):
        width = 8 * (COLUMNS - 2)
        self.assertEqual(self.shapes(3), [(STORE, 8 * (COLUMNS + 1), width, [(8 * COLUMNS, ROWS - 2)])])

    def test_threads_are_written_before_the_next_call(self):
        half, whole = 4 * DOUBLES, 8 * DOUBLES
        both = [(STORE, 0, half, []), (STORE, half, half, [])]
        # If one ends before the other begins, the latter goes on with the same loop, forwards or backwards.
        forwards, backwards = [(STORE, 0, whole, [])], [(STORE, half, half, [(-half, 2)])]
        self.assertIn(sorted(self.shapes(4)), (both, forwards, backwards))

    def test_annotations_are_cut_at_the_window(self):
        self.assertEqual(sorted(self.shapes(5)), [(LOAD, 80, 16, []), (STORE, 8 * DOUBLES - 1, 1, [])])

    def test_accesses_without_a_pattern_are_limited(self):
        self.assertGreater(len(self.groups[7]), 1000)
        self.assertLess(len(self.groups[7]), 9000)
        self.assertEqual(sum(r.arg for r in self.groups[7]), 1)
        self.assertTrue(all(0 <= r.extra - self.base < 8 * DOUBLES for r in self.groups[7]))

    def test_sites_are_lines_of_the_program(self):
        line = h.line_of("touches.c", "        seen = memory[i];")
        self.assertEqual([self.places[r.site][1] for r in self.groups[2]], [line])


if __name__ == "__main__":
    unittest.main()
