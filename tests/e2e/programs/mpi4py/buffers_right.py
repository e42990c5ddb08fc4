# SPDX-License-Identifier: BSD-3-Clause
# Buffers that look as if they overlap: several sends read the same words (MPI-3.1 section 3.7.2), pending receives fill the columns of one
# matrix, a reduction in place (5.2.1), and a buffer that is used again after its operation is complete.
#
# RANKS: 2
# OPTIONS: --must:check-buffers
# EXPECT: clean
# OUTPUT: [1, 2, 1, 2, 1, 2] [2, 4, 2, 4, 2, 4]
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
other = 1 - comm.rank
matrix, column = array("i", [0] * 6), array("i", [1, 1, 1, 2, 2, 2])
kind = MPI.INT.Create_vector(3, 1, 2).Commit()

receives = [comm.Irecv([memoryview(matrix)[i:], 1, kind], other, i) for i in range(2)]
sends = [comm.Isend([memoryview(column)[3 * i :], 3, MPI.INT], other, i) for i in range(2)]
again = comm.Isend([column, 6, MPI.INT], other, 2)
MPI.Request.Waitall([*receives, *sends])
before = matrix.tolist()
comm.Recv([array("i", [0] * 6), 6, MPI.INT], other, 2)
again.Wait()
column[0] = 5
comm.Allreduce(MPI.IN_PLACE, [matrix, 6, MPI.INT])
kind.Free()
if comm.rank == 0:
    print(before, matrix.tolist())
