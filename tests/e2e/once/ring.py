# SPDX-License-Identifier: BSD-3-Clause
"""The calls of ring.c by mpi4py."""

from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank = array("i", [world.Get_rank()])
got, total = array("i", [-1]), array("i", [0])
other = 1 - rank[0]
world.Sendrecv([rank, MPI.INT], other, 0, [got, MPI.INT], other, 0)
requests = [world.Irecv([got, MPI.INT], MPI.ANY_SOURCE, 1), world.Isend([rank, MPI.INT], other, 1)]
MPI.Request.Waitall(requests)
copy = world.Dup()
copy.Allreduce([got, MPI.INT], [total, MPI.INT], MPI.SUM)
copy.Free()
world.Barrier()
print(f"got {got[0]}, sum {total[0]}\n", end="")
