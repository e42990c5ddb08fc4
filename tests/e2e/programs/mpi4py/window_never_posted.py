# SPDX-License-Identifier: BSD-3-Clause
# Rank 0 completes an access epoch that rank 1 has not exposed its window for: rank 1 waits for a message first.
#
# RANKS: 2
# EXPECT: deadlock
# CLASS: manifest
# DEADLOCKED: 0 1
# ROOTS: {0,1}
# CALL: 1 MPI_Recv HERE
# SAYS: rank 0: MPI_Win_(start|complete)
# SAYS_LINE: HERE
from mpi4py import MPI

comm = MPI.COMM_WORLD
memory = bytearray(8)
window = MPI.Win.Create(memory, comm=comm)
group = comm.Get_group()
if comm.rank == 0:
    window.Start(group.Incl([1]))
    window.Put(bytearray(8), 1)
    window.Complete()
    comm.Send(bytearray(1), dest=1)
else:
    comm.Recv(bytearray(1), source=0)  # HERE
    window.Post(group.Incl([0]))
    window.Wait()
window.Free()
