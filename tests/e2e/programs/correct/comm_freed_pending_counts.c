/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank frees a communicator while a collective operation on it is pending, with arrays of
 * counts that differ from rank to rank (MPI-3.1 section 6.4.3). Rank 0 makes the call late.
 * Only operations that Open MPI 4.1 carries out in one step; of others, it uses the
 * communicator after it is freed.
 *
 * RANKS: 3
 * EXPECT: clean
 */
#include <mpi.h>
#include <unistd.h>

enum { SIZE = 3, ROOM = 32 };

static int rank, own[ROOM], all[ROOM];
/* Rank r has r + 1 elements for each other one, and of rank q q + 1 arrive. */
static int sent[SIZE], received[SIZE], sent_at[SIZE], received_at[SIZE];

static void fill_counts(void)
{
    for (int i = 0; i < SIZE; i++) {
        sent[i] = rank + 1;
        received[i] = i + 1;
        sent_at[i] = i * (rank + 1);
        received_at[i] = i * (i + 1) / 2;
    }
}

static void start(int which, MPI_Comm comm, MPI_Request *request)
{
    switch (which) {
    case 0:
        MPI_Igatherv(own, rank + 1, MPI_INT, all, received, received_at, MPI_INT, 1, comm, request);
        break;
    case 1:
        MPI_Iscatterv(own, received, received_at, MPI_INT, all, rank + 1, MPI_INT, 1, comm,
                      request);
        break;
    case 2:
        MPI_Iallgatherv(own, rank + 1, MPI_INT, all, received, received_at, MPI_INT, comm, request);
        break;
    default:
        MPI_Ialltoallv(own, sent, sent_at, MPI_INT, all, received, received_at, MPI_INT, comm,
                       request);
        break;
    }
}

/* A ring: each has the left neighbour as its source, and the right one as its destination. */
static MPI_Comm make_ring(void)
{
    int left = (rank + SIZE - 1) % SIZE, right = (rank + 1) % SIZE, weight = 1;
    MPI_Comm ring;

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, &weight, 1, &right, &weight,
                                   MPI_INFO_NULL, 0, &ring);
    return ring;
}

static void start_among_neighbors(int which, MPI_Comm ring, MPI_Request *request)
{
    int from_left = (rank + SIZE - 1) % SIZE + 1, to_right = rank + 1, at = 0;

    if (which == 0)
        MPI_Ineighbor_allgatherv(own, to_right, MPI_INT, all, &from_left, &at, MPI_INT, ring,
                                 request);
    else
        MPI_Ineighbor_alltoallv(own, &to_right, &at, MPI_INT, all, &from_left, &at, MPI_INT, ring,
                                request);
}

static void run(int which)
{
    MPI_Request request;
    MPI_Comm comm;

    if (which < 4)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    else
        comm = make_ring();
    if (rank == 0)
        usleep(20000);
    if (which < 4)
        start(which, comm, &request);
    else
        start_among_neighbors(which - 4, comm, &request);
    MPI_Comm_free(&comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fill_counts();
    for (int which = 0; which < 6; which++)
        run(which);
    MPI_Finalize();
    return 0;
}
