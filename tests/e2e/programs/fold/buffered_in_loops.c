/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives of a loop repeat, while a buffered send is pending that is made in full each time. Late
 * in the loop, the send has another buffer: the one of the receive.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * SAYS: buffer-overlap: MPI_Recv \(buffered_in_loops.c:35\) of rank 0 writes bytes 0 to 511 of a buffer that the pending MPI_Ibsend \(buffered_in_loops.c:34\) reads
 * SAYS: orknot: 1 finding
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>

#include <stdlib.h>

enum { ITERATIONS = 2000, LATE = 1900, DOUBLES = 64, ROOM = 1 << 16 };

static double out[DOUBLES], in[DOUBLES];
static double *const from[2] = {out, in}; /* so that there is one call */

int main(int argc, char **argv)
{
    void *buffer = malloc(ROOM);
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(buffer, ROOM);
    for (int i = 0; i < ITERATIONS; i++) {
        MPI_Request request;
        const int which = rank == 0 && i == LATE;

        MPI_Ibsend(from[which], DOUBLES, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(in, DOUBLES, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Buffer_detach(&buffer, &size);
    free(buffer);
    MPI_Finalize();
    return 0;
}
