# SPDX-License-Identifier: BSD-3-Clause
# MPI-IO from Python: views, collective and independent access, a shared pointer, nonblocking writes. Nothing to report.
#
# RANKS: 4
# EXPECT: clean
# OUTPUT: 64 0 1 2 3 0 1 2 3 0 1 2 3 0 1 2 3 12 True
import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
INT = MPI.INT
MODE = MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE
ROWS = 4

file = MPI.File.Open(comm, "file_io.data", MODE)
vector = INT.Create_vector(ROWS, 1, size)
column = vector.Create_resized(0, INT.size)
vector.Free()
column.Commit()
file.Set_view(rank * INT.size, INT, column)
file.Write_all([array.array("i", [rank] * ROWS), INT])
file.Sync()
comm.Barrier()
file.Set_view(0, INT, INT)
column.Free()
table = array.array("i", [-1] * (ROWS * size))
file.Read_at_all(0, [table, INT])
length = file.Get_size()
comm.Barrier()

end = ROWS * size
file.Write_at(end + rank, [array.array("i", [2 * rank]), INT])
request = file.Iwrite_at(end + size + rank, [array.array("i", [0]), INT])
request.Wait()
file.Sync()
comm.Barrier()
file.Sync()
numbers = array.array("i", [-1] * (2 * size))
file.Read_at(end, [numbers, INT])
file.Close()

shared = MPI.File.Open(comm, "file_io.shared", MODE)
shared.Write_shared([array.array("i", [rank]), INT])
comm.Barrier()
shared.Seek_shared(0)
shared.Read_ordered([one := array.array("i", [-1]), INT])
shared.Close()
drawn = comm.gather(one[0])
if rank == 0:
    print(length, *table, sum(numbers), sorted(drawn) == list(range(size)))
