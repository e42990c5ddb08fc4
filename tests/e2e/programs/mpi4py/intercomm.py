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
bridge = half.Create_intercomm(0, world, 0 if upper else 2, tag=5)

# The peer's rank counts in the other half.
request = bridge.isend(world.rank, dest=bridge.rank)
message = bridge.recv(source=MPI.ANY_SOURCE)
request.wait()

# A root's own half says who the root is, the other half gives the root's rank.
root_of_upper = 1 if not upper else MPI.ROOT if half.rank == 1 else MPI.PROC_NULL
root_of_lower = 0 if upper else MPI.ROOT if half.rank == 0 else MPI.PROC_NULL
word = bridge.bcast(f"word of {world.rank}", root=root_of_upper)
total_of_others = bridge.allreduce(half.rank + upper)
everybody = bridge.allgather(f"from {half.rank}")
pairs = bridge.alltoall([10 * half.rank, 10 * half.rank + 1])
ranks = bridge.gather(half.rank, root=root_of_lower)
bridge.Barrier()
copy = bridge.Dup()
copy.Ibarrier().Wait()
copy.Free()

whole = bridge.Merge(high=upper)
total = whole.allreduce(whole.rank)
whole.Free()
bridge.Free()
half.Free()
if world.rank == 0:
    print(message, word, total_of_others, everybody, pairs, ranks, total)
