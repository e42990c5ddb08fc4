# SPDX-License-Identifier: BSD-3-Clause
"""mpi4py: pickled objects (matched probes inside) and buffers. See every.c for the arrows."""
import os

from mpi4py import MPI  # => INIT MPI_Init_thread

comm = MPI.COMM_WORLD  # mpi4py makes no call here
peer = 1 - comm.Get_rank()


def exchange(x, y):
    q = comm.Irecv([y, MPI.INT], peer, 1)  # => RECV MPI_Irecv
    comm.Send([x, MPI.INT], peer, 1)  # => SEND MPI_Send
    q.Wait()  # => WAIT MPI_Wait


exchange(bytearray(4), bytearray(4))
comm.Barrier()  # => COLL MPI_Barrier
comm.send({"a": 1}, peer, 2)  # => SEND MPI_Send
comm.recv(None, MPI.ANY_SOURCE, 2)  # => PROBE MPI_Mprobe, EXIT MPI_Mprobe, MRECV MPI_Mrecv
half = comm.Split(0, -peer)  # => COLL MPI_Comm_split, COMM_DEF MPI_Comm_split
half.Free()  # => COLL MPI_Comm_free
os.write(1, b"rank %d\n" % comm.Get_rank())
MPI.Finalize()  # => FINALIZE MPI_Finalize
