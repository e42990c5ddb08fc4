# SPDX-License-Identifier: BSD-3-Clause
# A write to a file that is open for reading, and a read of a file that is open for writing (MPI-3.1 section 13.2.1).
#
# RANKS: 2
# EXPECT: no-deadlock
# FINDING: file-misuse warning
# SAYS: MPI_File_write \(file_wrong.py:\d+\) of ranks 0 and 1 writes a file that MPI_File_open .* opened with MPI_MODE_RDONLY
# SAYS: MPI_File_read \(file_wrong.py:\d+\) of ranks 0 and 1 reads a file that MPI_File_open .* opened with MPI_MODE_WRONLY
# SAYS: 2 findings
# SAYS_LINE: WRITE
# SAYS_LINE: READ
import contextlib
import os
import tempfile
from array import array

from mpi4py import MPI

words = array("i", [1])
handle, path = tempfile.mkstemp()
os.close(handle)
file = MPI.File.Open(MPI.COMM_SELF, path, MPI.MODE_RDONLY)
with contextlib.suppress(MPI.Exception):
    file.Write([words, 1, MPI.INT])  # WRITE
file.Close()
file = MPI.File.Open(MPI.COMM_SELF, path, MPI.MODE_WRONLY | MPI.MODE_DELETE_ON_CLOSE)
with contextlib.suppress(MPI.Exception):
    file.Read([words, 1, MPI.INT])  # READ
file.Close()
