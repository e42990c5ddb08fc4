/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that are too long for their receives from any source, completed by every kind of call:
 * each receive is named.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: truncation warning
 * OUTPUT: 11 truncated
 * SAYS_LINE: RECV
 * SAYS_LINE: SENDRECV
 * SAYS_LINE: REPLACE
 * SAYS_LINE: WAIT
 * SAYS_LINE: TEST
 * SAYS_LINE: WAITALL
 * SAYS_LINE: WAITSOME
 * SAYS_LINE: WAITANY
 * SAYS_LINE: TESTANY
 * SAYS_LINE: MRECV
 * SAYS_LINE: START
 */
#include <mpi.h>
#include <stdio.h>

static int truncated;
static const MPI_Comm world = MPI_COMM_WORLD;

static void count(int code)
{
    int class;

    MPI_Error_class(code, &class);
    truncated += class == MPI_ERR_TRUNCATE;
}

static void receive_blocking(void)
{
    int in;
    MPI_Message message;

    count(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, world, MPI_STATUS_IGNORE)); /* RECV */
    count(MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, &in, 1, MPI_INT, /* SENDRECV */
                       MPI_ANY_SOURCE, 1, world, MPI_STATUS_IGNORE));
    count(MPI_Sendrecv_replace(&in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_ANY_SOURCE, 2, /* REPLACE */
                               world, MPI_STATUS_IGNORE));
    MPI_Mprobe(MPI_ANY_SOURCE, 3, world, &message, MPI_STATUS_IGNORE);
    count(MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE)); /* MRECV */
}

static void wait_for(void)
{
    int in, index, done;
    MPI_Request request;
    MPI_Status status;

    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 4, world, &request); /* WAIT */
    count(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 5, world, &request); /* WAITALL */
    MPI_Waitall(1, &request, &status);
    count(status.MPI_ERROR);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 6, world, &request); /* WAITSOME */
    MPI_Waitsome(1, &request, &done, &index, &status);
    count(status.MPI_ERROR);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 7, world, &request); /* WAITANY */
    count(MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE));
    MPI_Recv_init(&in, 1, MPI_INT, MPI_ANY_SOURCE, 8, world, &request); /* START */
    MPI_Start(&request);
    count(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void test_for(void)
{
    int in, index;
    int code = MPI_SUCCESS;
    int flag = 0;
    MPI_Request request;

    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 9, world, &request); /* TEST */
    while (!flag)
        code = MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    count(code);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 10, world, &request); /* TESTANY */
    flag = 0;
    while (!flag)
        code = MPI_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE);
    count(code);
}

int main(int argc, char **argv)
{
    int rank;
    int pair[2] = {9, 10};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    if (rank == 0) {
        receive_blocking();
        wait_for();
        test_for();
        printf("%d truncated\n", truncated);
    } else {
        for (int i = 0; i < 11; i++)
            MPI_Send(pair, 2, MPI_INT, 0, i, world);
    }
    MPI_Finalize();
    return 0;
}
