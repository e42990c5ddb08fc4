/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 3.6: the attached buffer has room for two messages, and two are pending in it
 * when the third one is sent. The library tells of an invalid buffer. The error is returned, for
 * MPI_Bsend and for a persistent send; and the last time it ends the run.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: attached-buffer warning
 * FINDING: attached-buffer error
 * SAYS: warning: .*: MPI_Bsend \(.*\) of rank 0 sends 32000 bytes, but the buffer of MPI_Buffer_attach \(.*\) has 64356 bytes; at least 2 x 32000 bytes and the overhead are pending
 * SAYS: warning: .*: MPI_Start \(.*\) of rank 0 sends 16000 bytes, .*; earlier messages are pending in it
 * SAYS: error: .*: MPI_Bsend \(.*\) of rank 0 sends 32000 bytes, .*; at least 2 x 32000 bytes and the
 * SAYS: 3 findings
 * SAYS_LINE: RETURNED
 * SAYS_LINE: FATAL
 * EXIT: 66
 */
#include <mpi.h>

enum { SIZE = 64356, BYTES = 32000, TWO = 2 };

static char attached[SIZE], message[BYTES], in[BYTES];

static void fill(void)
{
    for (int i = 0; i < TWO; i++)
        MPI_Bsend(message, BYTES, MPI_BYTE, 0, 0, MPI_COMM_SELF);
}

static void empty(void)
{
    void *old;
    int size;

    for (int i = 0; i < TWO; i++)
        MPI_Recv(in, BYTES, MPI_BYTE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&old, &size);
}

int main(int argc, char **argv)
{
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Buffer_attach(attached, SIZE);
    fill();
    MPI_Bsend(message, BYTES, MPI_BYTE, 0, 0, MPI_COMM_SELF); /* RETURNED */
    MPI_Bsend_init(message, BYTES / 2, MPI_BYTE, 0, 0, MPI_COMM_SELF, &request);
    MPI_Start(&request);
    MPI_Request_free(&request);
    empty();

    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Buffer_attach(attached, SIZE);
    fill();
    MPI_Bsend(message, BYTES, MPI_BYTE, 0, 0, MPI_COMM_SELF); /* FATAL */
    MPI_Finalize();
    return 0;
}
