# SPDX-License-Identifier: BSD-3-Clause
"""Every call is seen exactly once, in order, from its own line, whatever the language."""

import os
import tempfile
import unittest

import harness


class Languages(unittest.TestCase):
    maxDiff = None
    plain = {}  # name of a source file: its program's run without the tool, however it is compiled

    def check(self, name, command, ranks=2, unit_line=None):
        """unit_line: where the compiler puts calls whose own line it forgets."""
        with tempfile.TemporaryDirectory() as directory:
            if callable(command):
                command = [command(directory)]
            if name not in self.plain:
                self.plain[name] = harness.run_plain(command, ranks, directory)
            plain = self.plain[name]
            self.assertEqual(plain.code, 0, plain.stderr)
            run = harness.run(command, ranks, directory)
            self.assertEqual(run.code, 0, run.stderr)
            self.assertEqual(sorted(run.stdout.splitlines()), sorted(plain.stdout.splitlines()))
            self.assertEqual(run.stderr, plain.stderr)
            for rank in range(ranks):
                expected = harness.expected(name, rank)
                seen = harness.seen(run, name, rank)
                if unit_line is not None and len(seen) == len(expected):
                    seen = [e if s[0] == unit_line and s[1:] == e[1:] else s
                            for s, e in zip(seen, expected)]
                self.assertEqual(seen, expected)
                self.assertIn("state=2", run.ends[rank])

    def compiled(self, name, *flags):
        return lambda directory: harness.compile_program(name, directory, *flags)

    def test_c(self):
        self.check("every.c", self.compiled("every.c"))

    def test_c_without_pie(self):
        self.check("every.c", self.compiled("every.c", "-no-pie"))

    def test_c_plus_plus(self):
        self.check("every.cpp", self.compiled("every.cpp"))

    def test_mpif_h(self):
        self.check("every.F90", self.compiled("every.F90"))

    # gfortran 12 gives some calls with an optional argument the line of the program statement.
    def test_use_mpi(self):
        line = harness.line_of("every.F90", "program every")
        self.check("every.F90", self.compiled("every.F90", "-DUSE_MPI"), unit_line=line)

    def test_use_mpi_f08(self):
        line = harness.line_of("every.F90", "program every")
        self.check("every.F90", self.compiled("every.F90", "-DUSE_MPI_F08"), unit_line=line)

    def test_mpi4py(self):
        program = os.path.join(harness.PROGRAMS, "every.py")
        python = harness.python_with_mpi4py()
        if python is None:
            self.skipTest("no Python here has mpi4py")
        self.check("every.py", [python, program])


if __name__ == "__main__":
    unittest.main()
