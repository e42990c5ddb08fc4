/* SPDX-License-Identifier: BSD-3-Clause */
/* Some messages are too long for the receive that takes them: the call fails, and has an outcome
 * all the same. Other calls fail because of their arguments, and get no message. One message of a
 * round is too long, because Open MPI frees all requests that failed when MPI_Waitany returns one
 * of them.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 4, FORMS = 8, MOST = 8 };

static void saw_result(int result)
{
    int class;

    MPI_Error_class(result, &class);
    saw(class == MPI_ERR_TRUNCATE ? 1 : class == MPI_ERR_IN_STATUS ? 2 : class != MPI_SUCCESS);
}

static void saw_one(int result, const MPI_Status *status)
{
    saw_result(result);
    saw(status->MPI_SOURCE);
    saw(status->MPI_TAG);
}

static void saw_some(int result, int n, const int *index, const MPI_Status *status)
{
    saw_result(result);
    saw(n);
    for (int i = 0; i < n; i++) {
        saw(index != NULL ? index[i] : i);
        saw_one(result == MPI_SUCCESS ? MPI_SUCCESS : status[i].MPI_ERROR, &status[i]);
    }
}

static void wait_one(int *in, MPI_Status *status)
{
    MPI_Request request;

    MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    pause_perhaps();
    saw_one(MPI_Wait(&request, status), status);
}

static void test_one(int *in, MPI_Status *status)
{
    MPI_Request request;
    int flag = 0, result;

    MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    do
        result = MPI_Test(&request, &flag, status);
    while (result == MPI_SUCCESS && !flag);
    saw_one(result, status);
}

static void receive_alone(int form)
{
    MPI_Status status;
    int in, out = 0, nowhere = MPI_PROC_NULL;

    switch (form) {
    case 0:
        saw_one(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status),
                &status);
        break;
    case 1:
        saw_one(MPI_Sendrecv(&out, 1, MPI_INT, nowhere, 0, &in, 1, MPI_INT, MPI_ANY_SOURCE,
                             MPI_ANY_TAG, MPI_COMM_WORLD, &status),
                &status);
        break;
    case 2:
        wait_one(&in, &status);
        break;
    default:
        test_one(&in, &status);
        break;
    }
}

static int complete(int form, int left, MPI_Request *request)
{
    MPI_Status status[MOST];
    int index[MOST], n = 0, flag = 0, result;

    switch (form) {
    case 4:
        result = MPI_Waitany(left, request, index, status);
        saw(index[0]);
        saw_one(result, status);
        return 1;
    case 5:
        result = MPI_Waitsome(left, request, &n, index, status);
        saw_some(result, n, index, status);
        return n;
    case 6:
        do
            result = MPI_Testsome(left, request, &n, index, status);
        while (result == MPI_SUCCESS && n == 0);
        saw_some(result, n, index, status);
        return n;
    default:
        do
            result = MPI_Testany(left, request, index, &flag, status);
        while (result == MPI_SUCCESS && !flag);
        saw(index[0]);
        saw_one(result, status);
        return 1;
    }
}

static void receive_all(int form)
{
    MPI_Request request[MOST];
    int in[MOST];

    for (int i = 0; i < ranks - 1; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[i]);
    for (int left = ranks - 1; left > 0;)
        left -= complete(form, ranks - 1, request);
}

int main(int argc, char **argv)
{
    int out[2] = {0}, in;
    MPI_Status status;

    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < ROUNDS * FORMS; i++) {
        int form = i % FORMS;
        MPI_Barrier(MPI_COMM_WORLD);
        pause_perhaps();
        if (me > 0)
            MPI_Send(out, 1 + (me == 1 + i % 3), MPI_INT, 0, i, MPI_COMM_WORLD);
        else if (form >= 4)
            receive_all(form);
        else
            for (int k = 1; k < ranks; k++)
                receive_alone(form);
        if (me == 0)
            saw_result(MPI_Recv(&in, -1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status));
    }
    return end();
}
