/* SPDX-License-Identifier: BSD-3-Clause */
/* Two receives from any source; the message of rank 2 is too long for its buffer, and the program
 * asks for error codes. The call that completes the receive fails, but it has taken that message:
 * either receive can be the one, and the calls for any or some of them return either first. Each
 * first test is successful at once or later. That the message is too long is a warning. (What
 * MPI_Waitall has completed when it fails depends on the moment.)
 *
 * RANKS: 3
 * EXPLORE (variable CALL=wait): 2 orders, 1 ended, 1 ended, exit 66
 * NIGHTLY (variable CALL=any): 4 orders, 2 ended, 2 ended, exit 66
 * EXPLORE (variable CALL=some): 6 orders, 3 ended, 3 ended, exit 66
 * NIGHTLY (variable CALL=test): 8 orders, 4+ ended, 4+ ended, 0+ repeated, exit 66
 * NIGHTLY (variable CALL=testany): 8 orders, 4+ ended, 4+ ended, 0+ repeated, exit 66
 * NIGHTLY (variable CALL=testsome): 12 orders, 6+ ended, 6+ ended, 0+ repeated, exit 66
 * NIGHTLY (variable CALL=sendrecv): 2 orders, 1 ended, 1 ended, exit 66
 * NIGHTLY (variable CALL=persistent): 2 orders, 1 ended, 1 ended, exit 66 */
#include "small.h"

#include <stdbool.h>
#include <string.h>

static MPI_Request request[2];
static MPI_Status status[2];
static int got[2];

static void wait_one_by_one(void)
{
    for (int i = 0; i < 2; i++)
        MPI_Wait(&request[i], &status[i]);
}

static void wait_any(void)
{
    MPI_Status one;
    int index;

    for (int i = 0; i < 2; i++) {
        MPI_Waitany(2, request, &index, &one);
        status[index] = one;
    }
}

static void wait_some(void)
{
    MPI_Status some[2];
    int index[2], count;

    for (int done = 0; done < 2; done += count) {
        MPI_Waitsome(2, request, &count, index, some);
        for (int i = 0; i < count; i++)
            status[index[i]] = some[i];
    }
}

static void test_one_by_one(void)
{
    for (int i = 0; i < 2; i++) {
        int flag = 0;
        while (!flag)
            MPI_Test(&request[i], &flag, &status[i]);
    }
}

static void test_any(void)
{
    MPI_Status one;
    int index, flag = 0;

    while (!flag)
        MPI_Testany(2, request, &index, &flag, &one);
    status[index] = one;
    MPI_Wait(&request[1 - index], &status[1 - index]);
}

static void test_some(void)
{
    MPI_Status some[2];
    int index[2], count = 0;

    while (count == 0)
        MPI_Testsome(2, request, &count, index, some);
    for (int i = 0; i < count; i++)
        status[index[i]] = some[i];
    for (int i = 0; i < 2; i++) {
        if (request[i] != MPI_REQUEST_NULL)
            MPI_Wait(&request[i], &status[i]);
    }
}

static void receive_both(const char *call)
{
    bool is_persistent = strcmp(call, "persistent") == 0;

    for (int i = 0; i < 2 && strcmp(call, "sendrecv") != 0; i++) {
        if (is_persistent)
            MPI_Recv_init(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[i]);
        else
            MPI_Irecv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[i]);
    }
    if (is_persistent)
        MPI_Startall(2, request);
    for (int i = 0; i < 2 && strcmp(call, "sendrecv") == 0; i++)
        MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, &got[i], 1, MPI_INT, MPI_ANY_SOURCE, 0,
                     MPI_COMM_WORLD, &status[i]);
    if (strcmp(call, "wait") == 0 || is_persistent)
        wait_one_by_one();
    else if (strcmp(call, "any") == 0)
        wait_any();
    else if (strcmp(call, "some") == 0)
        wait_some();
    else if (strcmp(call, "test") == 0)
        test_one_by_one();
    else if (strcmp(call, "testany") == 0)
        test_any();
    else if (strcmp(call, "testsome") == 0)
        test_some();
    for (int i = 0; i < 2 && is_persistent; i++)
        MPI_Request_free(&request[i]);
}

int main(int argc, char **argv)
{
    static const int two[2];

    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (me != 0)
        MPI_Send(two, me, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else
        receive_both(getenv("CALL"));
    if (me == 0)
        printf("receive 0 took the message of rank %d\n", status[0].MPI_SOURCE);
    return end();
}
