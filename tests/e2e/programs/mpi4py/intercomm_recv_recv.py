# SPDX-License-Identifier: BSD-3-Clause
# Two halves of the job each wait for the other's message on an intercommunicator; ranks count in the other half there.
#
# RANKS: 4
# EXPECT: deadlock
# CLASS: manifest
# DEADLOCKED: 0 1 2 3
# ROOTS: {0,3} {1,2}
# CALL: 0 MPI_Recv HERE
# CALL: 3 MPI_Recv HERE
# SAYS_LINE: HERE
from mpi4py import MPI

world = MPI.COMM_WORLD
upper = world.rank >= 2
half = world.Split(upper, world.rank)
inter = half.Create_intercomm(0, world, 0 if upper else 2)
data = bytearray(1)
across = 1 - inter.rank
inter.Recv(data, source=across)  # HERE
inter.Send(data, dest=across)
