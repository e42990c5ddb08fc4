# SPDX-License-Identifier: BSD-3-Clause
# Results come from any source with any tag, with mpi4py: nothing to report.
#
# RANKS: 3
# EXPECT: clean
# OUTPUT: 285
from mpi4py import MPI

comm = MPI.COMM_WORLD
if comm.rank == 0:
    status = MPI.Status()
    total = 0
    for _ in range(10):
        total += comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status) * status.Get_tag()
    print(total)
else:
    for number in range(comm.rank - 1, 10, 2):
        comm.send(number, dest=0, tag=number)
