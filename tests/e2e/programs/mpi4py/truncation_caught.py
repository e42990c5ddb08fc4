# SPDX-License-Identifier: BSD-3-Clause
# A message that is too long for a receive from any source (MPI-3.1 section 3.2.4): mpi4py raises an exception, and the program catches
# it and goes on.
#
# RANKS: 2
# EXPECT: no-deadlock
# FINDING: truncation warning
# SAYS: rank 0 sends 3 x MPI_INT .*, but rank 1 receives at most 2 x MPI_INT
# SAYS: The error was returned to the application
# SAYS: 1 finding
# OUTPUT: caught
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
words = array("i", [0, 0, 0])
if comm.rank == 0:
    comm.Send([words, 3, MPI.INT], 1)
else:
    try:
        comm.Recv([words, 2, MPI.INT], MPI.ANY_SOURCE)
    except MPI.Exception:
        print("caught")
