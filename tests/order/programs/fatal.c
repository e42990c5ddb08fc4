/* SPDX-License-Identifier: BSD-3-Clause */
/* The message of rank 2 is too long for the first receive from any source: the run only ends well
 * if that of rank 1 is the first. FIRST: the rank whose message is first; HOW: the call that gets
 * it; HANDLER: what the error handler does, if it is not MPI_ERRORS_ARE_FATAL.
 *
 * RANKS: 3 */
#include "digest.h"

#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

static jmp_buf caught;

static bool is(const char *name, const char *value)
{
    const char *has = getenv(name);

    return has != NULL && strcmp(has, value) == 0;
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)code;
    if (is("HANDLER", "abort"))
        MPI_Abort(*comm, 9);
    if (is("HANDLER", "exit"))
        exit(8);
    longjmp(caught, 1);
}

static void set_handler(void)
{
    MPI_Errhandler own;

    if (getenv("HANDLER") == NULL)
        return;
    MPI_Comm_create_errhandler(handle, &own);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, own);
    MPI_Errhandler_free(&own);
}

static void test(MPI_Request *request)
{
    int done = 0, index;

    while (!done) {
        if (is("HOW", "testany"))
            MPI_Testany(1, request, &index, &done, MPI_STATUS_IGNORE);
        else if (is("HOW", "testall"))
            MPI_Testall(1, request, &done, MPI_STATUSES_IGNORE);
        else if (is("HOW", "testsome"))
            MPI_Testsome(1, request, &done, &index, MPI_STATUSES_IGNORE);
        else
            MPI_Test(request, &done, MPI_STATUS_IGNORE);
    }
}

static void complete(MPI_Request *request)
{
    int index, count;

    if (is("HOW", "wait"))
        MPI_Wait(request, MPI_STATUS_IGNORE);
    else if (is("HOW", "waitall"))
        MPI_Waitall(1, request, MPI_STATUSES_IGNORE);
    else if (is("HOW", "waitany"))
        MPI_Waitany(1, request, &index, MPI_STATUS_IGNORE);
    else if (is("HOW", "waitsome"))
        MPI_Waitsome(1, request, &count, &index, MPI_STATUSES_IGNORE);
    else
        test(request);
}

static void receive(int *in, int count)
{
    MPI_Request request;

    if (is("HOW", "sendrecv")) {
        MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, in, count, MPI_INT, MPI_ANY_SOURCE, 7,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (is("HOW", "replace")) {
        MPI_Sendrecv_replace(in, count, MPI_INT, MPI_PROC_NULL, 0, MPI_ANY_SOURCE, 7,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (getenv("HOW") == NULL) {
        MPI_Recv(in, count, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Irecv(in, count, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
        complete(&request);
    }
}

/* The second message is late, on a loaded machine, too. */
static int send_in_turn(void)
{
    int out[2] = {0}, first = is("FIRST", "2") ? 2 : 1;
    MPI_Request request;

    if (me != first) {
        MPI_Recv(NULL, 0, MPI_INT, first, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        usleep(100000);
    }
    MPI_Isend(out, me, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
    if (me == first)
        MPI_Send(NULL, 0, MPI_INT, 3 - first, 8, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return end();
}

int main(int argc, char **argv)
{
    int in[2] = {0};

    begin(&argc, &argv);
    if (me != 0)
        return send_in_turn();
    set_handler();
    if (setjmp(caught) == 0)
        receive(in, 1);
    else
        printf("caught\n");
    receive(in, 2);
    return end();
}
