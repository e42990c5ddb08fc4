/* SPDX-License-Identifier: BSD-3-Clause */
/* Correct requests that look like ones that no call has made (MPI-3.1 sections 3.7 to 3.9, 12.2):
 * generalized requests, persistent ones that were never started, copies in other variables, those
 * of operations that are complete at once, MPI_REQUEST_NULL, and those of calls that are made by
 * the name PMPI_. An array of them is tested again and again.
 *
 * RANKS: 2
 * EXPECT: clean
 * EXIT: 0
 */
#include <mpi.h>
#include <stddef.h>

enum { ALL = 6 };

static int word[ALL], done;

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int forget(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

static void test_all(MPI_Request *all)
{
    int flag = 0;

    while (!flag)
        MPI_Testall(ALL, all, &flag, MPI_STATUSES_IGNORE);
}

static void round_of(int other, MPI_Request persistent)
{
    MPI_Request r[ALL], all[ALL];

    MPI_Grequest_start(query, forget, cancel, NULL, &r[0]);
    MPI_Irecv(&word[1], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(&word[2], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &r[2]);
    MPI_Irecv(&word[3], 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &r[3]);
    r[4] = persistent;
    r[5] = MPI_REQUEST_NULL;
    for (int i = 0; i < ALL; i++)
        all[i] = r[ALL - 1 - i];
    MPI_Request_get_status(r[0], &done, MPI_STATUS_IGNORE);
    MPI_Grequest_complete(r[0]);
    test_all(all);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Request persistent, hidden;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Recv_init(&word[4], 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, &persistent);
    for (int i = 0; i < 3; i++)
        round_of(1 - rank, persistent);
    MPI_Start(&persistent);
    MPI_Send(&word[5], 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD);
    MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    MPI_Request_free(&persistent);

    PMPI_Irecv(&word[0], 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &hidden);
    MPI_Wait(&hidden, MPI_STATUS_IGNORE);
    PMPI_Irecv(&word[0], 1, MPI_INT, 0, 3, MPI_COMM_SELF, &hidden);
    PMPI_Cancel(&hidden);
    MPI_Wait(&hidden, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
