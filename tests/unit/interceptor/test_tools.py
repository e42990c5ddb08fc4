# SPDX-License-Identifier: BSD-3-Clause
"""Other tools beside this one: each sees the calls that it sees without, and each call of the program is seen once, from its place in the
program. What a tool calls for itself is seen, too."""

import collections
import functools
import os
import subprocess
import tempfile
import unittest

import harness as h

TOOL = os.path.join(h.PROGRAMS, "tool.c")
LIBRARY = os.environ["ORK_TEST_MPI_LIBRARY"]
PRELOADED = "LD_PRELOAD="


@functools.cache
def compile_program(folder, *flags):
    return h.compile_program("tooled.c", folder, *flags)


@functools.cache
def compile_tool(folder, name, *flags):
    path = os.path.join(folder, f"lib{name}.so")
    subprocess.run([h.COMPILERS[".c"], "-g", "-O0", "-w", "-shared", "-fPIC", *flags, "-o", path, TOOL, "-ldl"], check=True)
    return path


class Case(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())

    def run_both(self, command, before=(), behind=()):
        """The run, whose program and tools print what they do without this one. `before`, `behind`: preloaded tools."""
        words = ["env", PRELOADED + ":".join([*before, *behind]), *command]
        plain = h.run_plain(words, 2, self.folder)
        self.assertEqual(plain.code, 0, plain.stderr)
        words[1] = PRELOADED + ":".join([*before, h.INTERCEPTOR, *behind])
        run = h.run(words, 2, self.folder)
        self.assertEqual((run.code, run.stderr), (0, plain.stderr))
        self.assertEqual(sorted(run.stdout.splitlines()), sorted(plain.stdout.splitlines()))
        return run

    def seen(self, run, name, rank):
        """(of the program, of the tool for itself)"""
        seen = h.seen(run, name, rank)
        begin = next(line for line, kind, _ in seen if kind == "INIT")
        own = {"MPI_Comm_dup": begin, "MPI_Reduce": None}
        of_tool = [call for call in seen if call[2] in own and own[call[2]] in (None, call[0])]
        return [call for call in seen if call not in of_tool], of_tool


class Tools(Case):
    """Beside a program in C, whose calls without a tool are looked at first."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = compile_program(cls.folder)
        cls.run_ = h.run([cls.program], 2, cls.folder)
        cls.expected = [h.seen(cls.run_, "tooled.c", rank) for rank in range(2)]

    def check(self, command, times=1, **keys):
        """The program's calls are those of the program without a tool. `times`: tools that communicate."""
        run = self.run_both(command, **keys)
        self.assertIn("tool", run.stdout)
        for rank in range(2):
            seen, own = self.seen(run, "tooled.c", rank)
            self.assertEqual(seen, [call for call in self.expected[rank] if call[2] != "MPI_Pcontrol"])  # the tool keeps it for itself
            self.assertEqual(collections.Counter(call for _, _, call in own), {"MPI_Comm_dup": 2 * times, "MPI_Reduce": times}, own)
            places = {line for line, _, _ in own}
            self.assertTrue(all(isinstance(line, int) for line in places), places)

    def test_the_program_without_a_tool(self):
        plain = h.run_plain([self.program], 2, self.folder)
        for run in plain, self.run_:
            self.assertEqual((run.code, run.stderr), (0, ""))
        self.assertEqual(sorted(self.run_.stdout.splitlines()), sorted(plain.stdout.splitlines()))
        self.assertEqual(sum(call == "MPI_Barrier" for _, _, call in self.expected[0]), 3, self.expected[0])
        self.assertEqual([call for _, _, call in self.expected[0]].count("MPI_Send"), 1)

    def test_a_tool_that_is_linked_into_the_program(self):
        self.check([compile_program(self.folder, TOOL)])

    def test_a_tool_that_is_linked_as_a_library(self):
        compile_tool(self.folder, "tool")
        self.check([compile_program(self.folder, f"-L{self.folder}", f"-Wl,-rpath,{self.folder},--no-as-needed", "-ltool")])

    def test_a_tool_that_is_preloaded_before_this_one(self):
        self.check([self.program], before=[compile_tool(self.folder, "tool")])

    def test_a_tool_that_is_preloaded_behind_this_one(self):
        self.check([self.program], behind=[compile_tool(self.folder, "tool")])

    def test_two_tools_of_which_the_first_goes_on_to_the_second(self):
        first, second = compile_tool(self.folder, "next", "-DNEXT"), compile_tool(self.folder, "tool")
        self.check([self.program], times=2, before=[first, second])
        self.check([self.program], times=2, before=[first], behind=[second])

    def test_no_call_is_lost_to_a_tool_behind_that_finds_the_library_by_itself(self):
        tool = compile_tool(self.folder, "next", "-DNEXT")
        run = h.run(["env", PRELOADED + h.INTERCEPTOR + ":" + tool, self.program], 2, self.folder)
        self.assertEqual((run.code, "next" in run.stdout), (0, False), run.stderr)
        for rank in range(2):
            self.assertEqual(h.seen(run, "tooled.c", rank), self.expected[rank])

    def test_files_for_which_the_library_calls_itself(self):
        self.check(["env", "OMPI_MCA_io=romio321", compile_program(self.folder, TOOL)])


class Fortran(Case):
    def test_a_fortran_program_with_wrappers_in_c(self):
        plain = h.run([h.compile_program("every.F90", self.folder)], 2, self.folder)
        expected = [h.seen(plain, "every.F90", rank) for rank in range(2)]
        for flag in "-DFORTRAN", "-DC_ONLY":
            wrapped = os.path.join(self.folder, "wrapped" + flag)
            subprocess.run([h.COMPILERS[".c"], "-g", "-O0", "-w", flag, "-c", "-o", wrapped + ".o", TOOL], check=True)
            subprocess.run([h.COMPILERS[".F90"], "-g", "-O0", "-w", "-o", wrapped, os.path.join(h.PROGRAMS, "every.F90"), wrapped + ".o"],
                           check=True)
            run = self.run_both([wrapped])
            for rank in range(2):
                seen, own = self.seen(run, "every.F90", rank)
                self.assertEqual(seen, expected[rank])
                self.assertEqual(len(own), 3 if flag == "-DFORTRAN" else 0, own)


if __name__ == "__main__":
    unittest.main()
