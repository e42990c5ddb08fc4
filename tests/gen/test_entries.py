# SPDX-License-Identifier: BSD-3-Clause
import unittest

import entries
import spec

FUNCTIONS, NAMES = spec.parse("""MPI_Barrier(in COMM comm)
    op: collective Barrier
MPIX_Barrier_init(in COMM comm, in INFO info, out REQUEST request)
    op: collective Barrier persistent
local: MPI_Wtime MPI_T_init_thread MPI_COMM_DUP_FN MPI_WTIME_F90
newer: MPIX_Comm_agree
left: MPIX_Query_cuda_support
""")


class Names(unittest.TestCase):
    def test_functions_of_c_with_their_profiling_names(self):
        made = entries.of_mpi(FUNCTIONS, NAMES)
        self.assertEqual([name for name, owner, _ in made if owner == "MPI"], [
            "MPI_Barrier", "PMPI_Barrier", "MPIX_Barrier_init", "PMPIX_Barrier_init"])
        self.assertEqual([name for name, owner, _ in made if owner == "LOCAL"], [
            "MPI_Wtime", "PMPI_Wtime", "MPI_T_init_thread", "PMPI_T_init_thread"])

    def test_newer_ones_but_those_that_are_left_to_the_library(self):
        made = entries.of_mpi(FUNCTIONS, NAMES)
        self.assertEqual([name for name, owner, _ in made if owner == "NEWER"], ["MPIX_Comm_agree", "PMPIX_Comm_agree"])
        self.assertNotIn("MPIX_Query_cuda_support", [name for name, *_ in made])


class Text(unittest.TestCase):
    def test_definitions(self):
        made = entries.definitions([("PMPI_Send", "MPI", "MPI_Send"), ("free", "SYSTEM", "NONE")])
        self.assertTrue(made.endswith("ORK_ENTRY(PMPI_Send, MPI, MPI_Send)\nORK_ENTRY(free, SYSTEM, NONE)\n"))

    def test_an_entry_jumps_through_its_place_in_the_table(self):
        made = entries.assembly(["MPI_Wtime", "PMPI_Wtime"])
        self.assertIn("PMPI_Wtime:\n    jmp *ork_jump_table+8(%rip)\n", made)
        self.assertIn(".Lork_jump_first_1: movl $1, %r11d; jmp ork_jump_lazy\n", made)
        self.assertIn("ork_jump_table:\n    .quad .Lork_jump_first_0\n    .quad .Lork_jump_first_1\n", made)


if __name__ == "__main__":
    unittest.main()
