# SPDX-License-Identifier: BSD-3-Clause
# Each rank starts a process of its own, exchanges objects and buffers with it and lets it go. Nothing to report.
#
# RANKS: 2
# REPORT_RANKS: 4
# EXPECT: clean
# OUTPUT: [{'square': 9}, {'square': 16}] 7.0
import array
import sys

from mpi4py import MPI


def child(parent):
    number = parent.recv(source=0)
    parent.send({"square": number**2}, dest=0)
    data = array.array("d", [0.0])
    parent.Bcast([data, MPI.DOUBLE], root=0)
    parent.reduce(data[0] / 2, root=0)
    parent.Disconnect()


def main():
    world = MPI.COMM_WORLD
    children = MPI.COMM_SELF.Spawn(sys.executable, [__file__], maxprocs=1)
    children.send(world.rank + 3, dest=0)
    squares = world.gather(children.recv(source=MPI.ANY_SOURCE))
    children.Bcast([array.array("d", [world.rank * 14.0]), MPI.DOUBLE], root=MPI.ROOT)
    half = children.reduce(None, root=MPI.ROOT)
    total = world.reduce(half)
    children.Disconnect()
    if world.rank == 0:
        print(squares, total)


parent = MPI.Comm.Get_parent()
if parent == MPI.COMM_NULL:
    main()
else:
    child(parent)
