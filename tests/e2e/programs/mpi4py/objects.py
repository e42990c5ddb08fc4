# SPDX-License-Identifier: BSD-3-Clause
# Objects are sent, broadcast, gathered and reduced, with mpi4py: nothing to report.
#
# RANKS: 3
# EXPECT: clean
# OUTPUT: [0, 1, 2] 15 two
from mpi4py import MPI

comm = MPI.COMM_WORLD
right = (comm.rank + 1) % comm.size
left = (comm.rank - 1) % comm.size

word = comm.sendrecv(["zero", "one", "two"][comm.rank], dest=right, source=left)
total = comm.allreduce(5)
ranks = comm.bcast(comm.gather(comm.rank, root=1), root=1)
requests = [comm.isend(comm.rank, dest=right, tag=3), comm.irecv(source=left, tag=3)]
MPI.Request.waitall(requests)
if comm.rank == 0:
    print(ranks, total, word)
