# SPDX-License-Identifier: BSD-3-Clause
# Rank 1 ends by an exception that nobody catches, and at once: mpi4py does not come to MPI_Finalize.
#
# RANKS: 2
# EXPECT: no-deadlock
# FINDING: abnormal-end error
# SAYS: rank 1 exited with code 1 .*without MPI_Finalize, after MPI_Barrier at exception.py:
# SAYS_LINE: HERE
# EXIT: 1
import os
import traceback

from mpi4py import MPI

world = MPI.COMM_WORLD
world.Barrier()
try:
    if world.rank == 1:
        raise RuntimeError("nobody catches this")
except RuntimeError:
    traceback.print_exc()
    os._exit(1)
world.recv(source=1)  # HERE
