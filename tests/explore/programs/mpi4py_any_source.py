# SPDX-License-Identifier: BSD-3-Clause
"""Python objects from any source: an exception if rank 2 is the first.

RANKS: 3
EXPLORE: 2 orders, 1 ended, 1 exit, exit 66"""
from mpi4py import MPI

comm = MPI.COMM_WORLD
if comm.rank == 0:
    first, second = (comm.recv(source=MPI.ANY_SOURCE) for _ in range(2))
    print({1: "in order"}[first])
else:
    comm.send(comm.rank, dest=0)
