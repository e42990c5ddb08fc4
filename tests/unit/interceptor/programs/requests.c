/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks: rank 0 sends, rank 1 receives in every way of completing requests. test_records.py
 * says what must be seen. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int x[100];
static MPI_Request q[100];
static MPI_Status st[100];

static void check(int condition, const char *what)
{
    if (!condition) {
        printf("wrong: %s\n", what);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
}

/* A library's shared handle: three operations that are complete at once. */
static void shared(void)
{
    for (int i = 0; i < 3; i++)
        MPI_Isend(x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, q + i);
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; i++)
        check(q[i] == MPI_REQUEST_NULL, "the handle is null after Waitall");
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
}

static void sender(void)
{
    int none;
    for (int tag = 10; tag < 15; tag++)
        MPI_Send(x, tag, MPI_INT, 1, tag, MPI_COMM_WORLD);
    for (int i = 0; i < 100; i++)
        MPI_Send(x, 1, MPI_INT, 1, 100 + i, MPI_COMM_WORLD);
    MPI_Recv(&none, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A wildcard receive, a plain one; the application's own statuses must be its own. */
static void receiver(void)
{
    int n, done[3], flag = 0, count = 0;
    MPI_Irecv(x, 100, MPI_INT, MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, q);
    MPI_Irecv(x, 100, MPI_INT, 0, 11, MPI_COMM_WORLD, q + 1);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Irecv(x, 100, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, q);
    q[1] = MPI_REQUEST_NULL;
    MPI_Waitany(2, q, &n, st);
    MPI_Get_count(st, MPI_INT, &count);
    check(n == 0 && st[0].MPI_TAG == 12 && count == 12, "the status of Waitany");
    MPI_Irecv(x, 100, MPI_INT, MPI_ANY_SOURCE, 13, MPI_COMM_WORLD, q + 1);
    MPI_Waitsome(2, q, &n, done, MPI_STATUSES_IGNORE);
    check(n == 1 && done[0] == 1, "the outcome of Waitsome");
    MPI_Irecv(x, 100, MPI_INT, MPI_ANY_SOURCE, 14, MPI_COMM_WORLD, q);
    while (!flag)
        MPI_Test(q, &flag, MPI_STATUS_IGNORE);
    for (int i = 0; i < 100; i++)
        MPI_Irecv(x + i, 1, MPI_INT, i % 2 ? 0 : MPI_ANY_SOURCE, 100 + i, MPI_COMM_WORLD, q + i);
    MPI_Waitall(100, q, st);
    for (int i = 0; i < 100; i++)
        check(st[i].MPI_TAG == 100 + i && st[i].MPI_SOURCE == 0, "the statuses of Waitall");
    MPI_Irecv(x, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, q);
    MPI_Cancel(q);
    MPI_Wait(q, st);
    MPI_Test_cancelled(st, &flag);
    check(flag, "cancelled");
    MPI_Send(x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

/* Errors come back, and as the application sees them. */
static void errors(int r)
{
    int buffer[1];
    int result;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    result = MPI_Send(x, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    check(result != MPI_SUCCESS, "a send to nowhere fails");
    result = MPI_Isend(x, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, q);
    check(result != MPI_SUCCESS, "a negative count fails");
    if (r == 0)
        MPI_Send(x, 50, MPI_INT, 1, 2, MPI_COMM_WORLD);
    else {
        result = MPI_Recv(buffer, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check(result == MPI_ERR_TRUNCATE, "truncation");
    }
}

int main(int argc, char **argv)
{
    int r;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    shared();
    if (r == 0)
        sender();
    else
        receiver();
    errors(r);
    MPI_Finalize();
    return 0;
}
