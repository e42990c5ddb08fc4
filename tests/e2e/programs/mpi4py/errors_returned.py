# SPDX-License-Identifier: BSD-3-Clause
# mpi4py sets MPI_ERRORS_RETURN and raises exceptions. A program that handles them gets the same error classes as without the tool, and
# the findings are warnings (MPI-3.1 section 8.3).
#
# RANKS: 2
# EXPECT: no-deadlock
# FINDING: invalid-argument warning
# FINDING: invalid-handle warning
# SAYS: [Rr]eturned to the application
# SAYS: 3 findings: 2 ranks
# OUTPUT: True True True
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD


def error_class(call, *arguments):
    try:
        call(*arguments)
    except MPI.Exception as error:
        return error.Get_error_class()
    return MPI.SUCCESS


freed = comm.Dup()
freed.Free()
classes = [
    error_class(comm.Send, [array("i", [1]), 1, MPI.INT], 2) == MPI.ERR_RANK,
    error_class(comm.Bcast, [array("i", [1]), 1, MPI.INT], -7) == MPI.ERR_ROOT,
    error_class(freed.Barrier) == MPI.ERR_COMM,
]
if comm.rank == 0:
    print(*classes)
