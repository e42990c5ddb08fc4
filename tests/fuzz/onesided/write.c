/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/onesided/program.h"

#include <string.h>

/* The lines of the program are counted, so that the places in a report mean accesses. */
struct source {
    FILE *out;
    int lines;
};

/* Windows, types and buffers. `memory` is that of a rank in all windows; buffers elsewhere are in
 * `other`, a new one for each access. A buffer without a use is `none`. */
static const char *const head[] = {
    "#include <mpi.h>",
    "",
    "#define TYPE MPI_SIGNED_CHAR",
    "enum { SIZE = 10 };",
    "static signed char memory[SIZE], other[4096], seen;",
    "static MPI_Win win[3];",
    "static MPI_Request request[1024];",
    "",
    "static MPI_Datatype vector(int copies, int length, int stride)",
    "{",
    "    MPI_Datatype t;",
    "    MPI_Type_vector(copies, length, stride, TYPE, &t);",
    "    MPI_Type_commit(&t);",
    "    return t;",
    "}",
    "",
    "static MPI_Group only(int rank)",
    "{",
    "    MPI_Group all, one;",
    "    MPI_Comm_group(MPI_COMM_WORLD, &all);",
    "    MPI_Group_incl(all, 1, &rank, &one);",
    "    MPI_Group_free(&all);",
    "    return one;",
    "}",
    "",
    "int main(int argc, char **argv)",
    "{",
    "    int rank, word = 0;",
    "    MPI_Group group;",
    "    MPI_Init(&argc, &argv);",
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);",
    "    for (int i = 0; i < 3; i++)",
    "        MPI_Win_create(memory, SIZE, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win[i]);",
};

static const char *const tail[] = {
    "    for (int i = 0; i < 3; i++)",
    "        MPI_Win_free(&win[i]);",
    "    MPI_Finalize();",
    "    return word;",
    "}",
};

static void put_lines(struct source *s, const char *const *line, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(s->out, "%s\n", line[i]);
    s->lines += (int)count;
}

/* ---- accesses ---- */

static void buffer(const struct event *e, char text[32])
{
    if (e->origin >= 0)
        snprintf(text, 32, "memory + %d", e->origin);
    else
        snprintf(text, 32, "other + %d", 16 * (e->site % 128));
}

/* Also one that the access only reads, which no other access uses. */
static void second_buffer(const struct event *e, char text[32])
{
    snprintf(text, 32, "other + %d", 2048 + 16 * (e->site % 128));
}

static const char *operation(const struct event *e)
{
    return e->op == 14 ? "MPI_NO_OP" : e->op == 2 ? "MPI_MAX" : "MPI_SUM";
}

/* What follows the name: of put and get; of an accumulate; of one that returns the old value. */
static void put_arguments(FILE *out, const struct event *e, const char *what, const char *end)
{
    char own[32], read[32];

    buffer(e, own);
    second_buffer(e, read);
    if (e->kind == ORK_ACCESS_PUT || e->kind == ORK_ACCESS_GET)
        fprintf(out, "(%s, %s, %d, %d, %s, %s", own, what, e->peer, e->offset, what, end);
    else if (e->kind == ORK_ACCESS_ACCUMULATE)
        fprintf(out, "(%s, %s, %d, %d, %s, %s, %s", own, what, e->peer, e->offset, what,
                operation(e), end);
    else
        fprintf(out, "(%s, %s, %s, %s, %d, %d, %s, %s, %s", read, what, own, what, e->peer,
                e->offset, what, operation(e), end);
}

/* A call of one element. */
static bool put_single(FILE *out, const struct event *e, const char *end)
{
    char own[32], read[32];

    buffer(e, own);
    second_buffer(e, read);
    if (e->kind == ORK_ACCESS_SWAP)
        fprintf(out, "MPI_Compare_and_swap(%s, %s + 8, %s, TYPE, %d, %d, %s", read, read, own,
                e->peer, e->offset, end);
    else if (e->kind == ORK_ACCESS_FETCH && e->length == 1 && e->copies == 1 && e->request < 0)
        fprintf(out, "MPI_Fetch_and_op(%s, %s, TYPE, %d, %d, %s, %s", read, own, e->peer, e->offset,
                operation(e), end);
    else
        return false;
    return true;
}

static void put_access(FILE *out, const struct event *e)
{
    static const char *const name[][2] = {
        [ORK_ACCESS_PUT] = {"MPI_Put", "MPI_Rput"},
        [ORK_ACCESS_GET] = {"MPI_Get", "MPI_Rget"},
        [ORK_ACCESS_ACCUMULATE] = {"MPI_Accumulate", "MPI_Raccumulate"},
        [ORK_ACCESS_FETCH] = {"MPI_Get_accumulate", "MPI_Rget_accumulate"},
    };
    char what[64], end[64];

    if (e->copies > 1)
        snprintf(what, sizeof(what), "1, type");
    else
        snprintf(what, sizeof(what), "%d, TYPE", e->length);
    if (e->request >= 0)
        snprintf(end, sizeof(end), "win[%d], &request[%d]);", e->window, e->request);
    else
        snprintf(end, sizeof(end), "win[%d]);", e->window);
    if (put_single(out, e, end))
        return;
    fputs(name[e->kind][e->request >= 0], out);
    put_arguments(out, e, what, end);
}

/* Loads or stores, as loops over blocks. */
static void put_touch(FILE *out, const struct event *e)
{
    fprintf(out, "for (int i = %d; i <= %d; i += %d) for (int k = 0; k < %d; k++) ", e->offset,
            e->offset + (e->copies - 1) * e->stride, e->stride, e->length);
    fputs(e->is_store ? "memory[i + k] = 1;" : "seen ^= memory[i + k];", out);
}

/* ---- other events ---- */

/* All bytes of a message: in the memory of windows, or not. */
static void put_bytes(FILE *out, const char *call, const struct event *e)
{
    if (e->origin >= 0)
        fprintf(out, "MPI_%s(memory + %d, %d, TYPE, ", call, e->origin, e->length);
    else
        fprintf(out, "MPI_%s(&word, %d, TYPE, ", call, e->length);
}

static void put_message(FILE *out, const struct event *e)
{
    put_bytes(out, e->type == EVENT_SEND ? "Send" : e->type == EVENT_SSEND ? "Ssend" : "Recv", e);
    if (e->type == EVENT_SEND || e->type == EVENT_SSEND)
        fprintf(out, "%d, %d, MPI_COMM_WORLD);", e->peer, e->with);
    else if (e->type == EVENT_RECV)
        fprintf(out, "%d, %d, MPI_COMM_WORLD, MPI_STATUS_IGNORE);", e->peer, e->with);
    else
        fprintf(out, "MPI_ANY_SOURCE, %d, MPI_COMM_WORLD, MPI_STATUS_IGNORE);", e->with);
}

static void put_group(FILE *out, const char *call, const struct event *e)
{
    fprintf(out, "group = only(%d); MPI_Win_%s(group, 0, win[%d]); MPI_Group_free(&group);",
            e->peer, call, e->window);
}

/* A call that has a form for one target, and one for all. */
static void put_to(FILE *out, const char *call, const struct event *e)
{
    if (e->peer < 0)
        fprintf(out, "MPI_Win_%s_all(win[%d]);", call, e->window);
    else
        fprintf(out, "MPI_Win_%s(%d, win[%d]);", call, e->peer, e->window);
}

static void put_event(FILE *out, const struct event *e)
{
    switch (e->type) {
    case EVENT_SEND:
    case EVENT_SSEND:
    case EVENT_RECV:
    case EVENT_RECV_ANY:
        put_message(out, e);
        return;
    case EVENT_BARRIER:
        fputs("MPI_Barrier(MPI_COMM_WORLD);", out);
        return;
    case EVENT_BCAST:
        put_bytes(out, "Bcast", e);
        fprintf(out, "%d, MPI_COMM_WORLD);", e->peer);
        return;
    case EVENT_FENCE:
        fprintf(out, "MPI_Win_fence(0, win[%d]);", e->window);
        return;
    case EVENT_POST:
        put_group(out, "post", e);
        return;
    case EVENT_START:
        put_group(out, "start", e);
        return;
    case EVENT_COMPLETE:
        fprintf(out, "MPI_Win_complete(win[%d]);", e->window);
        return;
    case EVENT_WAIT_WINDOW:
        fprintf(out, "MPI_Win_wait(win[%d]);", e->window);
        return;
    case EVENT_LOCK:
        fprintf(out, "MPI_Win_lock(MPI_LOCK_%s, %d, 0, win[%d]);",
                e->is_exclusive ? "EXCLUSIVE" : "SHARED", e->peer, e->window);
        return;
    case EVENT_LOCK_ALL:
        fprintf(out, "MPI_Win_lock_all(0, win[%d]);", e->window);
        return;
    case EVENT_UNLOCK:
        put_to(out, "unlock", e);
        return;
    case EVENT_FLUSH:
        put_to(out, "flush", e);
        return;
    case EVENT_FLUSH_LOCAL:
        if (e->peer < 0)
            fprintf(out, "MPI_Win_flush_local_all(win[%d]);", e->window);
        else
            fprintf(out, "MPI_Win_flush_local(%d, win[%d]);", e->peer, e->window);
        return;
    case EVENT_WAIT_REQUEST:
        fprintf(out, "MPI_Wait(&request[%d], MPI_STATUS_IGNORE);", e->request);
        return;
    case EVENT_ACCESS:
        put_access(out, e);
        return;
    case EVENT_TOUCH:
        put_touch(out, e);
        return;
    case EVENT_SYNC:
        fprintf(out, "MPI_Win_sync(win[%d]);", e->window);
        return;
    }
}

static void put_line(struct source *s, const struct event *e, int *line)
{
    bool has_type = e->type == EVENT_ACCESS && e->copies > 1;

    s->lines++;
    fputs("        ", s->out);
    if (has_type)
        fprintf(s->out, "{ MPI_Datatype type = vector(%d, %d, %d); ", e->copies, e->length,
                e->stride);
    if (e->type == EVENT_ACCESS || e->type == EVENT_TOUCH || event_has_buffer(e))
        line[e->site] = s->lines;
    put_event(s->out, e);
    fputs(has_type ? " MPI_Type_free(&type); }\n" : "\n", s->out);
}

void program_write(const struct program *p, FILE *out, int *line)
{
    struct source s = {.out = out};

    put_lines(&s, head, sizeof(head) / sizeof(head[0]));
    for (int r = 0; r < p->ranks; r++) {
        fprintf(out, "    if (rank == %d) {\n", r);
        s.lines++;
        for (int i = 0; i < p->events[r]; i++)
            put_line(&s, &p->event[r][i], line);
        fprintf(out, "    }\n");
        s.lines++;
    }
    put_lines(&s, tail, sizeof(tail) / sizeof(tail[0]));
}
