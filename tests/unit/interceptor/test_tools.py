# SPDX-License-Identifier: BSD-3-Clause
"""Other tools beside this one: each sees the calls that it sees without, and each call of the program is seen once, from its place in the
program. What a tool calls for itself is seen, too."""

import collections
import os
import subprocess
import tempfile
import unittest

import harness as h

TOOL = os.path.join(h.PROGRAMS, "tool.c")
LIBRARY = os.environ["ORK_TEST_MPI_LIBRARY"]
PRELOADED = "LD_PRELOAD="


def compile_tool(folder, name, *flags):
    path = os.path.join(folder, f"lib{name}.so")
    subprocess.run([h.COMPILERS[".c"], "-g", "-O0", "-w", "-shared", "-fPIC", *flags, "-o", path, TOOL, "-ldl"], check=True)
    return path


class Tools(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_both(self, command, name="tooled.c", before=(), behind=()):
        """The run, whose program and tools print what they do without this one. `before`, `behind`: preloaded tools."""
        words = ["env", PRELOADED + ":".join([*before, *behind]), *command]
        plain = h.run_plain(words, 2, self.folder)
        self.assertEqual(plain.code, 0, plain.stderr)
        words[1] = PRELOADED + ":".join([*before, h.INTERCEPTOR, *behind])
        run = h.run(words, 2, self.folder)
        self.assertEqual((run.code, run.stderr), (0, plain.stderr))
        self.assertEqual(sorted(run.stdout.splitlines()), sorted(plain.stdout.splitlines()))
        self.name = name
        return run

    def seen(self, run, rank):
        """(of the program, of the tool for itself)"""
        begin = next(line for line, kind, _ in h.seen(run, self.name, rank) if kind == "INIT")
        own = {"MPI_Comm_dup": begin, "MPI_Reduce": None}
        seen = h.seen(run, self.name, rank)
        of_tool = [call for call in seen if call[2] in own and own[call[2]] in (None, call[0])]
        return [call for call in seen if call not in of_tool], of_tool

    def check(self, command, times=1, **keys):
        """The program's calls are those of the program without a tool. `times`: tools that communicate."""
        run = self.run_both(command, **keys)
        self.assertIn("tool", run.stdout)
        for rank in range(2):
            seen, own = self.seen(run, rank)
            self.assertEqual(seen, [call for call in self.expected[rank] if call[2] != "MPI_Pcontrol"])  # the tool keeps it for itself
            self.assertEqual(collections.Counter(call for _, _, call in own), {"MPI_Comm_dup": 2 * times, "MPI_Reduce": times}, own)
            places = {line for line, _, _ in own}
            self.assertTrue(all(isinstance(line, int) for line in places), places)

    def program(self, *flags):
        return h.compile_program("tooled.c", self.folder, *flags)

    def without(self):
        program = self.program()
        run = self.run_both([program])
        self.expected = [h.seen(run, "tooled.c", rank) for rank in range(2)]
        self.assertEqual(sum(call == "MPI_Barrier" for _, _, call in self.expected[0]), 3, self.expected[0])
        self.assertEqual([call for _, _, call in self.expected[0]].count("MPI_Send"), 1)
        return program

    def test_a_tool_that_is_linked_into_the_program(self):
        self.without()
        self.check([self.program(TOOL)])

    def test_a_tool_that_is_linked_as_a_library(self):
        self.without()
        compile_tool(self.folder, "tool")
        self.check([self.program(f"-L{self.folder}", f"-Wl,-rpath,{self.folder},--no-as-needed", "-ltool")])

    def test_a_tool_that_is_preloaded_before_this_one(self):
        self.check([self.without()], before=[compile_tool(self.folder, "tool")])

    def test_a_tool_that_is_preloaded_behind_this_one(self):
        self.check([self.without()], behind=[compile_tool(self.folder, "tool")])

    def test_two_tools_of_which_the_first_goes_on_to_the_second(self):
        program = self.without()
        first, second = compile_tool(self.folder, "next", "-DNEXT"), compile_tool(self.folder, "tool")
        self.check([program], times=2, before=[first, second])
        self.check([program], times=2, before=[first], behind=[second])

    def test_no_call_is_lost_to_a_tool_behind_that_finds_the_library_by_itself(self):
        program = self.without()
        tool = compile_tool(self.folder, "next", "-DNEXT")
        run = h.run(["env", PRELOADED + h.INTERCEPTOR + ":" + tool, program], 2, self.folder)
        self.assertEqual((run.code, "next" in run.stdout), (0, False), run.stderr)
        for rank in range(2):
            self.assertEqual(h.seen(run, "tooled.c", rank), self.expected[rank])

    def test_files_for_which_the_library_calls_itself(self):
        self.without()
        with_romio = ["env", "OMPI_MCA_io=romio321", self.program(TOOL)]
        self.check(with_romio)

    def test_a_fortran_program_with_wrappers_in_c(self):
        self.name = "every.F90"
        program = h.compile_program("every.F90", self.folder)
        plain = h.run([program], 2, self.folder)
        self.expected = [h.seen(plain, "every.F90", rank) for rank in range(2)]
        for flag in "-DFORTRAN", "-DC_ONLY":
            wrapped = os.path.join(self.folder, "wrapped" + flag)
            subprocess.run([h.COMPILERS[".c"], "-g", "-O0", "-w", flag, "-c", "-o", wrapped + ".o", TOOL], check=True)
            subprocess.run([h.COMPILERS[".F90"], "-g", "-O0", "-w", "-o", wrapped, os.path.join(h.PROGRAMS, "every.F90"), wrapped + ".o"],
                           check=True)
            run = self.run_both([wrapped], "every.F90")
            for rank in range(2):
                seen, own = self.seen(run, rank)
                self.assertEqual(seen, self.expected[rank])
                self.assertEqual(len(own), 3 if flag == "-DFORTRAN" else 0, own)


if __name__ == "__main__":
    unittest.main()
