# SPDX-License-Identifier: BSD-3-Clause
"""Each call of a program is seen once, whichever binding it is made by, and whichever MPI library has the binding.

Usage: test_once.py MUSTRUN FOLDER-OF-PROGRAMS MPIEXEC-OF-MPICH"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import process  # noqa: E402
import watched  # noqa: E402

MUSTRUN, PROGRAMS, MPIEXEC = sys.argv[1:4]
# Of each rank: Init, Sendrecv, Irecv, Isend, Waitall, Comm_dup, Allreduce, Comm_free, Barrier, Finalize. Comm_rank is not recorded.
CALLS = 10


def has_mpi4py(python, library):
    """Is there an mpi4py for it, and is it made for a library with this version?"""
    ask = "from mpi4py import MPI; print(MPI.Get_library_version())"
    told = subprocess.run([python, "-c", ask], capture_output=True, text=True, env=process.environment({}), timeout=process.FAR)
    return told.returncode == 0 and told.stdout.startswith(library)


class Matrix:
    """A row of it: the bindings of one library."""

    def check(self, *program):
        folder = tempfile.mkdtemp(prefix="once-")
        self.addCleanup(shutil.rmtree, folder)
        run = watched.Run([MUSTRUN, *self.launcher, *program], folder)
        code, report = run.finish()
        said = run.text("err")
        self.assertEqual(sorted(run.text("out").splitlines()), ["got 0, sum 1", "got 1, sum 1"], said)
        self.assertEqual((code, report["findings"], report["complete"]), (0, [], True), said)
        counted = report["statistics"]
        self.assertEqual((counted["calls"], counted["messages"], counted["collectives"]), (2 * CALLS, 4, 5), said)

    def check_binding(self, binding):
        program = os.path.join(PROGRAMS, f"ring-{self.library}-{binding}")
        if not os.access(program, os.X_OK):
            self.skipTest("there is no compiler for it")
        self.check(program)

    def test_c(self):
        self.check_binding("c")

    def test_mpif_h(self):
        self.check_binding("mpifh")

    def test_use_mpi(self):
        self.check_binding("mpi")

    def test_use_mpi_f08(self):
        self.check_binding("f08")


class OfOpenMpi(Matrix, unittest.TestCase):
    launcher, library = ["--oversubscribe", "-np", "2"], "openmpi"

    @unittest.skipUnless(has_mpi4py("/usr/bin/python3", "Open MPI"), "there is no mpi4py for Open MPI")
    def test_mpi4py(self):
        self.check("/usr/bin/python3", os.path.join(HERE, "ring.py"))


@unittest.skipIf(MPIEXEC == "none", "MPICH is not installed")
class OfMpich(Matrix, unittest.TestCase):
    launcher, library = ["--must:mpiexec", MPIEXEC, "-n", "2"], "mpich"


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[4:])
