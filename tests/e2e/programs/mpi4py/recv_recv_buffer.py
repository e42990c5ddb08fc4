# SPDX-License-Identifier: BSD-3-Clause
# Both ranks receive into a buffer before they send, with mpi4py.
#
# RANKS: 2
# EXPECT: deadlock
# CLASS: manifest
# DEADLOCKED: 0 1
# ROOTS: {0,1}
# CALL: 0 MPI_Recv HERE
# CALL: 1 MPI_Recv HERE
# SAYS_LINE: HERE
from mpi4py import MPI

comm = MPI.COMM_WORLD
peer = 1 - comm.rank
data = bytearray(8)
comm.Recv(data, source=peer)  # HERE
comm.Send(data, dest=peer)
