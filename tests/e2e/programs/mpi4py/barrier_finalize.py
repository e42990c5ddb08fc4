# SPDX-License-Identifier: BSD-3-Clause
# Rank 1 ends, and so finalizes, without entering the barrier, with mpi4py.
#
# RANKS: 2
# EXPECT: deadlock
# CLASS: manifest
# DEADLOCKED: 0 1
# ROOTS: {0,1}
# CALL: 0 MPI_Barrier HERE
# CALL: 1 MPI_Finalize
# SAYS_LINE: HERE
from mpi4py import MPI

if MPI.COMM_WORLD.rank == 0:
    MPI.COMM_WORLD.Barrier()  # HERE
