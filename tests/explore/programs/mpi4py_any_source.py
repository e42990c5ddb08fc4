# SPDX-License-Identifier: BSD-3-Clause
"""Python objects from any source: an exception if rank 2 is the first.

RANKS: 3
EXPLORE: 2 orders, 1 ended, 1 exit, exit 66"""
from mpi4py import MPI

comm = MPI.COMM_WORLD
if comm.rank == 0:
    results = {}
    for _ in range(2):
        source, value = comm.recv(source=MPI.ANY_SOURCE)
        results[source] = value + results[1] if source == 2 else value
else:
    comm.send((comm.rank, comm.rank * 10), dest=0)
