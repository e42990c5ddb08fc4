# SPDX-License-Identifier: BSD-3-Clause
# Both ranks receive an object before they send one, with mpi4py: a matched probe waits on either side.
#
# RANKS: 2
# EXPECT: deadlock
# CLASS: manifest
# DEADLOCKED: 0 1
# ROOTS: {0,1}
# CALL: 0 MPI_Mprobe HERE
# CALL: 1 MPI_Mprobe HERE
# SAYS_LINE: HERE
# SAYS: comm\.recv \(MPI_Mprobe
# SAYS: rank 0: comm\.recv: MPI_Mprobe\(peer 1
from mpi4py import MPI

comm = MPI.COMM_WORLD


def exchange(peer):
    got = comm.recv(source=peer)  # HERE
    comm.send({"rank": comm.rank}, dest=peer)
    return got


exchange(1 - comm.rank)
