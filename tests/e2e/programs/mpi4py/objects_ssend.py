# SPDX-License-Identifier: BSD-3-Clause
# In a ring everybody sends an object synchronously before receiving one: pickling does not change the cycle.
#
# RANKS: 3
# EXPECT: deadlock
# CLASS: manifest
# DEADLOCKED: 0 1 2
# ROOTS: {0,1,2}
# CALL: 0 MPI_Ssend HERE
# CALL: 2 MPI_Ssend HERE
# SAYS_LINE: HERE
from mpi4py import MPI

comm = MPI.COMM_WORLD
comm.ssend(["object"] * 3, dest=(comm.rank + 1) % comm.size)  # HERE
comm.recv(source=(comm.rank - 1) % comm.size)
