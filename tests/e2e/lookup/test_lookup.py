# SPDX-License-Identifier: BSD-3-Clause
"""Programs that look functions of MPI up are observed, each call once; and what they ask about their library has the same answers as
without the tool.

Usage: test_lookup.py MUSTRUN FOLDER-OF-PROGRAMS LIBMPI MPIEXEC-OF-MPICH LIBMPICH"""

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

MUSTRUN, PROGRAMS, LIBMPI, MPIEXEC, LIBMPICH = sys.argv[1:6]
# In Python: a ring of two ranks, as in looks_up.c. {0}: the library; {1}: what its functions are looked up in.
RING = """
import ctypes
library = ctypes.CDLL({0!r}, mode=ctypes.{1})
scope = ctypes.CDLL(None) if {1!r} == "RTLD_GLOBAL" else library
address = lambda name: ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(library, name)))
world, number, rank, got = address("ompi_mpi_comm_world"), address("ompi_mpi_int"), ctypes.c_int(), ctypes.c_int()
scope.MPI_Init(None, None)
scope.MPI_Comm_rank(world, ctypes.byref(rank))
for i in range(3):
    scope.MPI_Sendrecv(ctypes.byref(rank), 1, number, 1 - rank.value, 0, ctypes.byref(got), 1, number, 1 - rank.value, 0, world, None)
print(f"rank {{rank.value}} got {{got.value}}\\n", end="")
scope.MPI_Finalize()
"""


def program(name):
    return os.path.join(PROGRAMS, "lookup_" + name)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="lookup-")
        self.addCleanup(shutil.rmtree, self.folder)

    def run_it(self, *words):
        run = watched.Run([MUSTRUN, *words], self.folder)
        self.code, report = run.finish()
        self.said = run.text("err")
        return sorted(run.text("out").splitlines()), report

    def check_clean(self, report, calls):
        self.assertEqual((self.code, report["verdict"], report["complete"], report["notes"]), (0, "clean", True, []), self.said)
        self.assertEqual((report["ranks"], report["statistics"]["calls"]), (2, calls))


class LookedUp(Case):
    launcher, looks_up, library = ["--oversubscribe", "-np", "2"], program("looks_up_openmpi"), LIBMPI

    def check_ring(self, scope):
        out, report = self.run_it(*self.launcher, self.looks_up, self.library, scope)
        self.assertEqual(out, ["rank 0 of 2: sum 1", "rank 1 of 2: sum 1"], self.said)
        self.check_clean(report, 2 * 6)  # MPI_Init, three times MPI_Sendrecv, MPI_Allreduce, MPI_Finalize

    def test_in_the_library(self):
        self.check_ring("local")

    def test_without_a_handle(self):
        self.check_ring("global")

    def test_a_deadlock(self):
        _, report = self.run_it(*self.launcher, self.looks_up, self.library, "local", "x")
        [finding] = report["findings"]
        self.assertEqual((finding["id"], finding["class"], finding["ranks"]), ("deadlock", "manifest", [0, 1]))
        self.assertIn("looks_up.c:", self.said)


@unittest.skipIf(MPIEXEC == "none", "MPICH is not installed")
class LookedUpInMpich(LookedUp):
    launcher, looks_up, library = ["--must:mpiexec", MPIEXEC, "-n", "2"], program("looks_up_mpich"), LIBMPICH


class Python(Case):
    def check(self, mode):
        path = os.path.join(self.folder, "ring.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(RING.format(LIBMPI, mode))
        out, report = self.run_it("--oversubscribe", "-np", "2", "/usr/bin/python3", path)
        self.assertEqual(out, ["rank 0 got 1", "rank 1 got 0"], self.said)
        self.check_clean(report, 2 * 5)

    def test_ctypes(self):
        self.check("RTLD_LOCAL")

    def test_ctypes_by_the_names_of_the_process(self):
        self.check("RTLD_GLOBAL")


class Asked(Case):
    def check(self, way):
        alone = subprocess.run(["mpirun", "--oversubscribe", "-np", "1", program("asks_" + way)], check=True, capture_output=True,
                               text=True, env=process.environment({}), timeout=process.FAR)
        out, report = self.run_it("--oversubscribe", "-np", "1", program("asks_" + way))
        self.assertEqual(out, sorted(alone.stdout.splitlines()))
        self.assertIn("weak MPI_Send: yes", out)
        self.assertIn("weak MPI_None: no", out)
        self.assertEqual(report["verdict"], "clean", self.said)

    def test_names_that_are_bound_late(self):
        self.check("lazy")

    def test_names_that_are_bound_at_the_start(self):
        self.check("now")

    def test_a_program_at_a_fixed_address(self):
        self.check("no-pie")

    def test_a_function_of_the_program_with_the_name_of_one_that_the_library_lacks(self):
        out, report = self.run_it("--oversubscribe", "-np", "2", program("agrees"))
        self.assertEqual(out, ["agreed on 4"] * 2, self.said)
        self.check_clean(report, 2 * 3)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[6:])
