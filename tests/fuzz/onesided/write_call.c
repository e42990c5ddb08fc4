/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages and collective calls. */
#include "tests/fuzz/onesided/write.h"

void write_place(char text[PLACE_TEXT], int place, int index, bool is_second)
{
    if (place >= 0)
        snprintf(text, PLACE_TEXT, "memory + %d", place);
    else
        snprintf(text, PLACE_TEXT, "other + %d", 32 * index + (is_second ? 16 : 0));
}

static void put_message(FILE *out, const struct event *e, int index)
{
    static const char *const name[][2] = {[EVENT_SEND] = {"Send", "Isend"},
                                          [EVENT_SSEND] = {"Ssend", "Issend"},
                                          [EVENT_RECV] = {"Recv", "Irecv"},
                                          [EVENT_RECV_ANY] = {"Recv", "Irecv"}};
    bool is_send = e->type == EVENT_SEND || e->type == EVENT_SSEND;
    char place[PLACE_TEXT];

    write_place(place, e->origin, index, false);
    fprintf(out, "MPI_%s(%s, %d, TYPE, ", name[e->type][event_is_pending(e)], place, e->length);
    if (e->type == EVENT_RECV_ANY)
        fputs("MPI_ANY_SOURCE", out);
    else
        fprintf(out, "%d", e->peer);
    fprintf(out, ", %d, MPI_COMM_WORLD", e->tag);
    if (!is_send && !event_is_pending(e))
        fputs(", MPI_STATUS_IGNORE", out);
}

static void put_sides(FILE *out, const struct event *e, const char *sent, const char *received)
{
    if (e->type == EVENT_BCAST)
        fprintf(out, "(%s, %d, TYPE", received, e->length);
    else if (e->type <= EVENT_ALLREDUCE)
        fprintf(out, "(%s, %s, %d, TYPE, MPI_SUM", sent, received, e->length);
    else
        fprintf(out, "(%s, %d, TYPE, %s, %d, TYPE", sent, e->length, received, e->length);
}

static void put_collective(FILE *out, const struct event *e, int index)
{
    static const char *const name[][2] = {[EVENT_BCAST] = {"Bcast", "Ibcast"},
                                          [EVENT_REDUCE] = {"Reduce", "Ireduce"},
                                          [EVENT_ALLREDUCE] = {"Allreduce", "Iallreduce"},
                                          [EVENT_GATHER] = {"Gather", "Igather"},
                                          [EVENT_SCATTER] = {"Scatter", "Iscatter"},
                                          [EVENT_ALLGATHER] = {"Allgather", "Iallgather"},
                                          [EVENT_ALLTOALL] = {"Alltoall", "Ialltoall"}};
    char sent[PLACE_TEXT], received[PLACE_TEXT];

    write_place(sent, e->sent, index, true);
    write_place(received, e->origin, index, false);
    if (e->is_in_place)
        snprintf(e->type == EVENT_SCATTER ? received : sent, PLACE_TEXT, "MPI_IN_PLACE");
    fprintf(out, "MPI_%s", name[e->type][event_is_pending(e)]);
    put_sides(out, e, sent, received);
    if (e->peer >= 0)
        fprintf(out, ", %d", e->peer);
    fputs(", MPI_COMM_WORLD", out);
}

void write_call(FILE *out, const struct event *e, int index)
{
    if (e->type <= EVENT_RECV_ANY)
        put_message(out, e, index);
    else if (e->type == EVENT_BARRIER)
        fputs("MPI_Barrier(MPI_COMM_WORLD", out);
    else
        put_collective(out, e, index);
    if (event_is_pending(e))
        fprintf(out, ", &request[%d]", e->request);
    fputs(");", out);
}
