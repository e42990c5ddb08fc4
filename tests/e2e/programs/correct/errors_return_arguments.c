/* SPDX-License-Identifier: BSD-3-Clause */
/* With MPI_ERRORS_RETURN calls with wrong arguments fail and the program goes on: a failed call has
 * sent, received and started nothing.
 *
 * RANKS: 2
 * EXPECT: clean
 * MAYBE: request-misuse
 * FINDING: invalid-handle warning
 * FINDING: buffer-overlap warning
 * MAYBE: invalid-argument
 * MAYBE: buffer-overlap
 * OUTPUT: 0 unexpected, got 3
 */
#include <mpi.h>
#include <stdio.h>

static int unexpected;

static void expect(int code, int wanted, const char *call)
{
    int class;

    MPI_Error_class(code, &class);
    if (class != wanted) {
        printf("%s: class %d instead of %d\n", call, class, wanted);
        unexpected++;
    }
}

#define EXPECT(wanted, call) expect((call), (wanted), #call)

static void wrong_messages(int peer)
{
    int word = 1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;

    EXPECT(MPI_ERR_RANK, MPI_Send(&word, 1, MPI_INT, 99, 0, MPI_COMM_WORLD));
    EXPECT(MPI_ERR_RANK, MPI_Send(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD));
    EXPECT(MPI_ERR_RANK, MPI_Recv(&word, 1, MPI_INT, -77, 0, MPI_COMM_WORLD, &status));
    EXPECT(MPI_ERR_RANK, MPI_Probe(2, 0, MPI_COMM_WORLD, &status));
    EXPECT(MPI_ERR_TAG, MPI_Ssend(&word, 1, MPI_INT, peer, -5, MPI_COMM_WORLD));
    EXPECT(MPI_ERR_TAG, MPI_Send(&word, 1, MPI_INT, peer, MPI_ANY_TAG, MPI_COMM_WORLD));
    EXPECT(MPI_ERR_TAG, MPI_Isend(&word, 1, MPI_INT, peer, -5, MPI_COMM_WORLD, &request));
    EXPECT(MPI_ERR_COUNT, MPI_Send(&word, -1, MPI_INT, peer, 9, MPI_COMM_WORLD));
    EXPECT(MPI_ERR_COUNT, MPI_Irecv(&word, -1, MPI_INT, peer, 0, MPI_COMM_WORLD, &request));
    EXPECT(MPI_ERR_TYPE, MPI_Send(&word, 1, MPI_DATATYPE_NULL, peer, 9, MPI_COMM_WORLD));
    EXPECT(MPI_ERR_COMM, MPI_Send(&word, 1, MPI_INT, peer, 0, MPI_COMM_NULL));
    EXPECT(MPI_ERR_COMM, MPI_Recv(&word, 1, MPI_INT, peer, 0, MPI_COMM_NULL, &status));
    EXPECT(MPI_ERR_RANK, MPI_Sendrecv(&word, 1, MPI_INT, 99, 0, &word, 1, MPI_INT, peer, 0,
                                      MPI_COMM_WORLD, &status));
    EXPECT(MPI_ERR_RANK, MPI_Send_init(&word, 1, MPI_INT, 99, 0, MPI_COMM_WORLD, &request));
}

static void wrong_requests(void)
{
    int flag;
    MPI_Request request = MPI_REQUEST_NULL;

    EXPECT(MPI_ERR_REQUEST, MPI_Start(&request));
    EXPECT(MPI_ERR_REQUEST, MPI_Startall(1, &request));
    EXPECT(MPI_ERR_REQUEST, MPI_Request_free(&request));
    EXPECT(MPI_ERR_REQUEST, MPI_Cancel(&request));
    EXPECT(MPI_ERR_ARG, MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE));
    EXPECT(MPI_ERR_ARG, MPI_Test(&request, NULL, MPI_STATUS_IGNORE));
    EXPECT(MPI_SUCCESS, MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
}

static void wrong_collectives(void)
{
    int word = 1;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;

    EXPECT(MPI_ERR_ROOT, MPI_Bcast(&word, 1, MPI_INT, 7, MPI_COMM_WORLD));
    EXPECT(MPI_ERR_ROOT, MPI_Ibcast(&word, 1, MPI_INT, -3, MPI_COMM_WORLD, &request));
    EXPECT(MPI_ERR_COUNT, MPI_Bcast(&word, -1, MPI_INT, 0, MPI_COMM_WORLD));
    EXPECT(MPI_ERR_OP, MPI_Allreduce(MPI_IN_PLACE, &word, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD));
    EXPECT(MPI_ERR_COMM, MPI_Barrier(MPI_COMM_NULL));
    EXPECT(MPI_ERR_COMM, MPI_Comm_dup(MPI_COMM_NULL, &comm));
    EXPECT(MPI_ERR_ARG, MPI_Comm_split(MPI_COMM_WORLD, -7, 0, &comm));
    EXPECT(MPI_ERR_GROUP, MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &comm));
    EXPECT(MPI_ERR_COMM, MPI_Comm_free(&comm));
}

int main(int argc, char **argv)
{
    int rank;
    int word = 3;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    wrong_messages(1 - rank);
    wrong_requests();
    wrong_collectives();
    MPI_Sendrecv_replace(&word, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d unexpected, got %d\n", unexpected, word);
    MPI_Finalize();
    return 0;
}
