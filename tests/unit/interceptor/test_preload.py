# SPDX-License-Identifier: BSD-3-Clause
"""The preload file and the backends: what they need, export and choose."""

import glob
import os
import re
import subprocess
import tempfile
import unittest

import harness

BACKENDS = sorted(glob.glob(os.path.join(os.path.dirname(harness.INTERCEPTOR), "libmust-interceptor-*.so*")))
LIBRARY = os.environ["ORK_TEST_MPI_LIBRARY"]
C_NAME = re.compile(r"P?MPI_(T_[a-z]|[A-Z][a-z])\w*$")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-dW", path))


def exported(path):
    """{name: letter of nm}"""
    lines = (line.split() for line in output("nm", "-D", "--defined-only", path).splitlines())
    return {words[-1].partition("@")[0]: words[-2] for words in lines}


class Files(unittest.TestCase):
    def test_the_preload_file_needs_the_system_only(self):
        self.assertEqual([name for name in needed(harness.INTERCEPTOR) if not re.match(r"lib(c|dl|pthread)\.|ld-linux", name)], [])

    def test_it_has_an_entry_for_each_function_of_the_library(self):
        functions = {name for name, letter in exported(LIBRARY).items() if letter in "TW" and C_NAME.match(name)}
        entries = {name for name, letter in exported(harness.INTERCEPTOR).items() if letter == "T"}
        self.assertGreater(len(functions), 700)
        self.assertEqual(functions - entries, set())

    def test_it_has_no_entries_for_callbacks_and_functions_of_fortran(self):
        self.assertEqual([name for name in exported(harness.INTERCEPTOR) if re.match(r"P?MPI_[A-Z_]+$", name)], [])

    def test_backends_have_no_thread_local_storage(self):
        self.assertNotEqual(BACKENDS, [])
        for path in BACKENDS:
            self.assertNotIn(" TLS ", output("readelf", "-lW", path), path)


class Choice(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_threads_that_make_the_first_call_at_the_same_time(self):
        program = harness.compile_program("first_calls.c", self.folder)
        run = harness.run([program], 1, self.folder)
        self.assertEqual((run.code, run.stdout), (0, "0 of 16 saw MPI before\n"), run.stderr)
        self.assertEqual([r.call for r in run.of(0, "COLL")], ["MPI_Barrier"])

    def test_a_name_that_the_library_lacks(self):
        program = harness.compile_program("lacks.c", self.folder, "-Wl,--as-needed")
        run = harness.run_plain(["env", "LD_PRELOAD=" + harness.INTERCEPTOR, program], 1, self.folder)
        self.assertEqual(run.code, 127, run.stderr)
        self.assertIn("orknot: this process has no MPI_Comm_rank", run.stderr)

    def test_a_library_that_comes_after_the_question_whether_there_is_one(self):
        program = harness.compile_program("asks.c", self.folder, "-Wl,--as-needed")
        run = harness.run_plain(["env", "LD_PRELOAD=" + harness.INTERCEPTOR, program, LIBRARY], 1, self.folder)
        self.assertEqual((run.code, run.stdout), (0, "0 0, not found\n1 0, found\n"), run.stderr)


if __name__ == "__main__":
    unittest.main()
