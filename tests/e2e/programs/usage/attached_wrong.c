/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffered sends without a buffer, and with one that has no room for the message (MPI-3.1 section
 * 3.6); a second buffer is attached, and one is detached twice.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: attached-buffer warning
 * SAYS: MPI_Bsend \(attached_wrong.c:\d+\) of rank 0 sends 400000 bytes, but no buffer is attached
 * SAYS: MPI_Ibsend \(.*\) of rank 0 sends 400000 bytes, but the buffer of MPI_Buffer_attach \(.*\) has 2000
 * SAYS: MPI_Buffer_attach \(.*\) of rank 0 attaches a buffer, but that of MPI_Buffer_attach \(.*\) is attached
 * SAYS: MPI_Buffer_detach \(.*\) of rank 0 is called while no buffer is attached
 * SAYS: MPI_Start \(.*\) of rank 0 sends 4000 bytes, but no buffer is attached
 * SAYS: 5 findings
 * SAYS_LINE: NONE
 * SAYS_LINE: SMALL
 * SAYS_LINE: TWICE
 * SAYS_LINE: START
 * OUTPUT: 5 errors
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Comm world = MPI_COMM_WORLD;

int main(int argc, char **argv)
{
    static int words[100000];
    int size, errors = 0;
    void *space = malloc(2000), *more = malloc(2000), *out;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    errors += MPI_Bsend(words, 100000, MPI_INT, 0, 0, world) != MPI_SUCCESS; /* NONE */
    MPI_Buffer_attach(space, 2000);
    errors += MPI_Ibsend(words, 100000, MPI_INT, 0, 0, world, &request) != MPI_SUCCESS; /* SMALL */
    errors += MPI_Buffer_attach(more, 2000) != MPI_SUCCESS;                             /* TWICE */
    MPI_Buffer_detach(&out, &size);
    errors += MPI_Buffer_detach(&out, &size) != MPI_SUCCESS;
    MPI_Bsend_init(words, 1000, MPI_INT, 0, 0, world, &request);
    errors += MPI_Start(&request) != MPI_SUCCESS; /* START */
    MPI_Request_free(&request);
    printf("%d errors\n", errors);
    MPI_Finalize();
    free(space);
    free(more);
    return 0;
}
