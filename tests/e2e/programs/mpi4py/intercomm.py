# SPDX-License-Identifier: BSD-3-Clause
# Two halves of the job talk over an intercommunicator: messages, objects, collectives, and its merger. Nothing to report.
#
# RANKS: 4
# EXPECT: clean
# OUTPUT: 2 word of 3 3 ['from 0', 'from 1'] [0, 10] [0, 1] 6
from mpi4py import MPI

world = MPI.COMM_WORLD
upper = world.rank >= 2
half = world.Split(upper, world.rank)
inter = half.Create_intercomm(0, world, 0 if upper else 2, tag=5)

# The peer's rank counts in the other half.
request = inter.isend(world.rank, dest=inter.rank)
message = inter.recv(source=MPI.ANY_SOURCE)
request.wait()

# A root's own half says who the root is, the other half gives the root's rank.
root_of_upper = 1 if not upper else MPI.ROOT if half.rank == 1 else MPI.PROC_NULL
root_of_lower = 0 if upper else MPI.ROOT if half.rank == 0 else MPI.PROC_NULL
word = inter.bcast(f"word of {world.rank}", root=root_of_upper)
total_of_others = inter.allreduce(half.rank + upper)
everybody = inter.allgather(f"from {half.rank}")
pairs = inter.alltoall([10 * half.rank, 10 * half.rank + 1])
ranks = inter.gather(half.rank, root=root_of_lower)
inter.Barrier()
copy = inter.Dup()
copy.Ibarrier().Wait()
copy.Free()

whole = inter.Merge(high=upper)
total = whole.allreduce(whole.rank)
whole.Free()
inter.Free()
half.Free()
if world.rank == 0:
    print(message, word, total_of_others, everybody, pairs, ranks, total)
