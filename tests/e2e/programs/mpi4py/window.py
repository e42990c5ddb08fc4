# SPDX-License-Identifier: BSD-3-Clause
# Windows from Python: fence, lock and flush, an atomic counter, post-start-complete-wait. Nothing to report.
#
# RANKS: 4
# EXPECT: clean
# OUTPUT: 3 6 40 [0, 1, 2, 3] 1
import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
INT = MPI.INT
memory = array.array("i", [0] * size)
window = MPI.Win.Create(memory, disp_unit=memory.itemsize, comm=comm)


in_use = []  # buffers of calls that are not complete


def buffer(value):
    in_use.append(array.array("i", [value]))
    return [in_use[-1], INT]


def put(value, target, index):
    window.Put(buffer(value), target, (index, 1, INT))


window.Fence()
put(rank, (rank + 1) % size, 0)
window.Fence()
left = comm.bcast(memory[0], root=0)

window.Fence()
memory[0] = 0
window.Fence(MPI.MODE_NOSUCCEED)
window.Lock(0, MPI.LOCK_SHARED)
window.Accumulate(buffer(rank), 0, (0, 1, INT), op=MPI.SUM)
window.Unlock(0)
comm.Barrier()
window.Lock(0, MPI.LOCK_EXCLUSIVE)
seen = array.array("i", [0])
window.Get([seen, INT], 0, (0, 1, INT))
window.Flush(0)
window.Unlock(0)
comm.Barrier()

window.Lock_all()
tickets = []
one = array.array("i", [1])
for _ in range(10):
    ticket = array.array("i", [0])
    window.Fetch_and_op([one, INT], [ticket, INT], 0, 1, op=MPI.SUM)
    window.Flush(0)
    tickets.append(ticket[0])
window.Unlock_all()
drawn = comm.gather(tickets)

group = comm.Get_group()
partners = group.Incl(range(1, size) if rank == 0 else [0])
group.Free()
if rank == 0:
    window.Post(partners)
    window.Wait()
else:
    window.Start(partners)
    put(rank, 0, rank)
    window.Complete()
partners.Free()
window.Fence()
if rank == 0:
    memory[0] = 0
    unique = {ticket for per_rank in drawn for ticket in per_rank}
    print(left, seen[0], len(unique), memory.tolist(), memory[1])
window.Free()
