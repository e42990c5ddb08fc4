/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 takes one message, with the call that its argument names: that of rank 1, or with the
 * environment variable WITHHOLD that of rank 2. The message has two numbers: "truncated" has room
 * for one, and the library returns an error.
 *
 * RANKS: 3 */
#include "digest.h"

#include <string.h>

static const char *how;
static int got[2] = {-1, -1};
static MPI_Status status;

static int is(const char *name)
{
    return strcmp(how, name) == 0;
}

static void take_probed(int found)
{
    if (found)
        MPI_Recv(got, 2, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
}

static int take_polling(void)
{
    int found = 0;

    while (!found)
        MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &found, &status);
    return found;
}

static void take_matched(void)
{
    MPI_Message message;
    int found = 0;

    if (is("mprobe"))
        MPI_Mprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &message, &status);
    while (is("improbe") && !found)
        MPI_Improbe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &found, &message, &status);
    MPI_Mrecv(got, 2, MPI_INT, &message, &status);
}

/* Two requests: the other message is only sent when the first one is there. */
static void take_one_of_two(void)
{
    int index = 0, count = 0, flag = 0, other[2], go = 0;
    MPI_Request request[2];

    MPI_Irecv(got, 2, MPI_INT, 1, 7, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(other, 2, MPI_INT, 2, 7, MPI_COMM_WORLD, &request[1]);
    if (is("waitany"))
        MPI_Waitany(2, request, &index, &status);
    else if (is("waitsome"))
        MPI_Waitsome(2, request, &count, &index, &status);
    while (is("testany") && !flag)
        MPI_Testany(2, request, &index, &flag, &status);
    while (is("testsome") && count == 0)
        MPI_Testsome(2, request, &count, &index, &status);
    MPI_Send(&go, 1, MPI_INT, 2 - index, 9, MPI_COMM_WORLD);
    MPI_Wait(&request[1 - index], MPI_STATUS_IGNORE);
    if (index == 1)
        memcpy(got, other, sizeof(got));
}

/* A second receive is posted behind it, for a message that comes in any case. */
static void take_posted(void)
{
    MPI_Request request[2];
    MPI_Status both[2];
    int again[2];

    if (is("start")) {
        MPI_Recv_init(got, 2, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request[0]);
        MPI_Start(&request[0]);
    } else {
        MPI_Irecv(got, 2, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request[0]);
    }
    MPI_Irecv(again, 2, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &request[1]);
    if (is("irecv_all")) {
        MPI_Waitall(2, request, both);
        status = both[0];
        return;
    }
    MPI_Wait(&request[0], &status);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    if (is("start"))
        MPI_Request_free(&request[0]);
}

static void take(void)
{
    int out[2] = {3, 4};

    if (is("recv"))
        MPI_Recv(got, 2, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
    else if (is("sendrecv"))
        MPI_Sendrecv(out, 2, MPI_INT, 2, 8, got, 2, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD,
                     &status);
    else if (is("sendrecv_replace"))
        MPI_Sendrecv_replace(got, 2, MPI_INT, 2, 8, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
    else if (is("probe") && MPI_Probe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status) == MPI_SUCCESS)
        take_probed(1);
    else if (is("iprobe"))
        take_probed(take_polling());
    else if (is("mprobe") || is("improbe"))
        take_matched();
    else if (is("irecv") || is("irecv_all") || is("start"))
        take_posted();
    else
        take_one_of_two();
}

static void take_a_part(void)
{
    int class = MPI_SUCCESS;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Recv(got, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status), &class);
    printf("%s\n", class == MPI_ERR_TRUNCATE ? "truncated"
                   : class == MPI_SUCCESS    ? "complete"
                                             : "another error");
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int message[2] = {me, 10 * me}, sender = getenv("WITHHOLD") != NULL ? 2 : 1;

    how = argc > 1 ? argv[1] : "recv";
    if (me == 0 && is("truncated"))
        take_a_part();
    else if (me == 0)
        take();
    if (me == sender)
        MPI_Send(message, is("truncated") && getenv("LONG") == NULL ? 1 : 2, MPI_INT, 0, 7,
                 MPI_COMM_WORLD);
    if (me == 3 - sender && (is("irecv") || is("irecv_all") || is("start")))
        MPI_Send(message, 2, MPI_INT, 0, 6, MPI_COMM_WORLD);
    if (me == 3 - sender && (strncmp(how, "wait", 4) == 0 || strncmp(how, "test", 4) == 0)) {
        MPI_Recv(got, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &status);
        MPI_Send(message, 2, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    if (me == 2 && (is("sendrecv") || is("sendrecv_replace")))
        MPI_Recv(got, 2, MPI_INT, 0, 8, MPI_COMM_WORLD, &status);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me != 1)
        printf("rank %d: %d and %d from %d, tag %d\n", me, got[0], got[1],
               me == 0 ? status.MPI_SOURCE : 0, me == 0 ? status.MPI_TAG : 0);
    MPI_Finalize();
    return 0;
}
