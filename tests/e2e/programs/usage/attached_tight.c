/* SPDX-License-Identifier: BSD-3-Clause */
/* The attached buffer has room for the data of a message, but not for what the MPI library needs
 * beside it (MPI-3.1 section 3.6: MPI_BSEND_OVERHEAD). The library returns the error.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: attached-buffer warning
 * MAYBE: lost-message
 * SAYS: MPI_Bsend \(attached_tight.c:\d+\) of rank 0 sends 1000000 bytes, but the buffer of MPI_Buffer_attach \(attached_tight.c:\d+\) has 1000000
 * SAYS: up to MPI_BSEND_OVERHEAD more bytes
 */
#include <mpi.h>

enum { BYTES = 1000000 };
static char space[BYTES], message[BYTES];

int main(int argc, char **argv)
{
    void *buffer;
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Buffer_attach(space, BYTES);
    MPI_Bsend(message, BYTES, MPI_BYTE, 0, 0, MPI_COMM_SELF);
    MPI_Buffer_detach(&buffer, &size);
    MPI_Finalize();
    return 0;
}
