# SPDX-License-Identifier: BSD-3-Clause
# Arguments that look wrong and are right: MPI_PROC_NULL with any tag (MPI-3.1 section 3.11), nothing sent from a null buffer (3.2.2),
# MPI_UNDEFINED as a colour (6.4.2), a datatype that is freed while it is in use (4.1.9), and requests that are freed on purpose (3.7.3).
#
# RANKS: 2
# EXPECT: clean
# OUTPUT: True 7
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
other = 1 - comm.rank
word, into = array("i", [7]), array("i", [0, 0, 0])

comm.Send([word, 1, MPI.INT], MPI.PROC_NULL, 5)
comm.Recv([word, 1, MPI.INT], MPI.PROC_NULL, MPI.ANY_TAG)
comm.Sendrecv([None, 0, MPI.INT], other, 1, [None, 0, MPI.INT], other, 1)
part = comm.Split(3 if comm.rank == 0 else MPI.UNDEFINED)
alone = part != MPI.COMM_NULL
if alone:
    part.Free()

kind = MPI.INT.Create_vector(2, 1, 2).Commit()
receive = comm.Irecv([into, 1, kind], other, 2)
kind.Free()
comm.Send([array("i", [7, 8]), 2, MPI.INT], other, 2)
receive.Wait()

receive = comm.Irecv([word, 1, MPI.INT], other, 3)
comm.Isend([array("i", [7]), 1, MPI.INT], other, 3).Free()
receive.Wait()
comm.Barrier()
if comm.rank == 0:
    print(alone, into[0])
