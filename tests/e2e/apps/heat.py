# SPDX-License-Identifier: BSD-3-Clause
"""Heat on a ring, a task farm and collectives of objects, with mpi4py: buffers, pickled objects and wildcards."""

import array

from mpi4py import MPI

CELLS = 100
STEPS = 200
comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
left, right = (rank - 1) % size, (rank + 1) % size


def heat():
    cells = array.array("d", (float((rank * CELLS + i) % 37) for i in range(CELLS)))
    halo = array.array("d", [0.0, 0.0])
    edges = array.array("d", [0.0, 0.0])
    double = MPI.DOUBLE
    for _ in range(STEPS):
        edges[0], edges[1] = cells[0], cells[-1]
        requests = [
            comm.Irecv([memoryview(halo)[0:1], double], source=left, tag=0),
            comm.Irecv([memoryview(halo)[1:2], double], source=right, tag=1),
            comm.Isend([memoryview(edges)[1:2], double], dest=right, tag=0),
            comm.Isend([memoryview(edges)[0:1], double], dest=left, tag=1),
        ]
        MPI.Request.Waitall(requests)
        wide = [halo[0], *cells, halo[1]]
        for i in range(CELLS):
            cells[i] = (wide[i] + 2 * wide[i + 1] + wide[i + 2]) / 4
    return comm.reduce(sum(cells), op=MPI.SUM, root=0), comm.reduce(max(cells), op=MPI.MAX, root=0)


def master(tasks):
    """Hand out tasks to whoever answers; None is the end."""
    status = MPI.Status()
    waiting = list(tasks)
    total = 0
    busy = size - 1
    while busy:
        total += comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
        task = waiting.pop() if waiting else None
        comm.send(task, dest=status.Get_source())
        busy -= task is None
    return total


def worker():
    answer = 0
    while True:
        comm.send(answer, dest=0, tag=rank)
        task = comm.recv(source=0)
        if task is None:
            return
        answer = task**3


def main():
    total, highest = heat()
    farmed = master(range(200)) if rank == 0 else worker()
    words = comm.allgather({"rank": rank, "word": "x" * rank})
    part = comm.Split(rank % 2, rank)
    members = part.allreduce(rank)
    part.Free()
    if rank == 0:
        print(f"heat {total:.6f} {highest:.6f}")
        print(f"farm {farmed}")
        print(f"words {sum(len(entry['word']) for entry in words)} members {members}")


main()
