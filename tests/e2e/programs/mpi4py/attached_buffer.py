# SPDX-License-Identifier: BSD-3-Clause
# A buffered send is longer than the attached buffer (MPI-3.1 section 3.6). A shorter one is right.
#
# RANKS: 1
# EXPECT: no-deadlock
# FINDING: attached-buffer warning
# SAYS: MPI_Bsend .* of rank 0 sends 4000 bytes, but the buffer of MPI_Buffer_attach \(attached_buffer.py:\d+\) has 2000
# SAYS_LINE: LONG
# SAYS_LINE: ATTACH
# MAYBE: lost-message
import contextlib
from array import array

from mpi4py import MPI

comm = MPI.COMM_SELF
words = array("i", [1] * 1000)
MPI.Attach_buffer(bytearray(2000))  # ATTACH
comm.Bsend([words, 100, MPI.INT], 0, 0)
comm.Recv([words, 100, MPI.INT], 0, 0)
with contextlib.suppress(MPI.Exception):
    comm.Bsend([words, 1000, MPI.INT], 0, 0)  # LONG
MPI.Detach_buffer()
