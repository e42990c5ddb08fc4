/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/onesided/write.h"

#include <string.h>

/* The lines of the program are counted, so that the places in a report mean accesses. */
struct source {
    FILE *out;
    int lines;
};

/* Windows, types and buffers. `memory` is that of a rank in all windows; buffers elsewhere are in
 * `other`, two for each event. */
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

static const char *operation(const struct event *e)
{
    return e->op == 14 ? "MPI_NO_OP" : e->op == 2 ? "MPI_MAX" : "MPI_SUM";
}

/* What follows the name: of put and get; of an accumulate; of one that returns the old value. */
static void put_arguments(FILE *out, const struct event *e, int index, const char *what,
                          const char *end)
{
    char own[32], read[32];

    write_place(own, e->origin, index, false);
    write_place(read, -1, index, true);
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
static bool put_single(FILE *out, const struct event *e, int index, const char *end)
{
    char own[32], read[32];

    write_place(own, e->origin, index, false);
    write_place(read, -1, index, true);
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

static void put_access(FILE *out, const struct event *e, int index)
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
    if (put_single(out, e, index, end))
        return;
    fputs(name[e->kind][e->request >= 0], out);
    put_arguments(out, e, index, what, end);
}

/* Loads or stores, as loops over blocks. */
static void put_touch(FILE *out, const struct event *e)
{
    fprintf(out, "for (int i = %d; i <= %d; i += %d) for (int k = 0; k < %d; k++) ", e->offset,
            e->offset + (e->copies - 1) * e->stride, e->stride, e->length);
    fputs(e->is_store ? "memory[i + k] = 1;" : "seen ^= memory[i + k];", out);
}

/* ---- other events ---- */

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

static void put_event(FILE *out, const struct event *e, int index)
{
    if (e->type < EVENT_FENCE) {
        write_call(out, e, index);
        return;
    }
    switch ((int)e->type) {
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
        put_access(out, e, index);
        return;
    case EVENT_TOUCH:
        put_touch(out, e);
        return;
    case EVENT_SYNC:
        fprintf(out, "MPI_Win_sync(win[%d]);", e->window);
        return;
    }
}

static void put_line(struct source *s, const struct event *e, int index, int *line)
{
    bool has_type = e->type == EVENT_ACCESS && e->copies > 1;

    s->lines++;
    fputs("        ", s->out);
    if (has_type)
        fprintf(s->out, "{ MPI_Datatype type = vector(%d, %d, %d); ", e->copies, e->length,
                e->stride);
    if (e->type == EVENT_ACCESS || e->type == EVENT_TOUCH || event_has_buffer(e))
        line[e->site] = s->lines;
    put_event(s->out, e, index);
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
            put_line(&s, &p->event[r][i], i, line);
        fprintf(out, "    }\n");
        s.lines++;
    }
    put_lines(&s, tail, sizeof(tail) / sizeof(tail[0]));
}
