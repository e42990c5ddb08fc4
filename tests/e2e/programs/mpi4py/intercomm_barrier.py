# SPDX-License-Identifier: BSD-3-Clause
# A rank of one half does not enter the barrier of an intercommunicator: it waits for a message of the other half.
#
# RANKS: 4
# EXPECT: deadlock
# CLASS: manifest
# DEADLOCKED: 0 1 2 3
# ROOTS: {2,3}
# CALL: 0 MPI_Barrier BARRIER
# CALL: 2 MPI_Barrier BARRIER
# CALL: 3 MPI_Recv RECEIVE
# SAYS: MPI_Barrier\(MPI_Intercomm_create at intercomm_barrier.py:\d+\)
# SAYS_LINE: RECEIVE
from mpi4py import MPI

world = MPI.COMM_WORLD
lower = world.rank < 2
half = world.Split(lower, world.rank)
inter = half.Create_intercomm(0, world, 2 if lower else 0)
if world.rank == 3:
    half.Recv(bytearray(1), source=0)  # RECEIVE
inter.Barrier()  # BARRIER
if world.rank == 2:
    half.Send(bytearray(1), dest=1)
