# SPDX-License-Identifier: BSD-3-Clause
# Rank 1 waits for a message of rank 0 instead of joining it in the collective that closes a file.
#
# RANKS: 2
# EXPECT: deadlock
# CLASS: manifest
# DEADLOCKED: 0 1
# ROOTS: {0,1}
# CALL: 0 MPI_File_close CLOSE
# CALL: 1 MPI_Recv HERE
# SAYS_LINE: HERE
from mpi4py import MPI

comm = MPI.COMM_WORLD
MODE = MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE
file = MPI.File.Open(comm, "file_collective_missing.data", MODE)
file.Write_at_all(comm.rank, bytearray(1))
if comm.rank == 1:
    comm.Recv(bytearray(1), source=0)  # HERE
file.Close()  # CLOSE
if comm.rank == 0:
    comm.Send(bytearray(1), dest=1)
