/* SPDX-License-Identifier: BSD-3-Clause */
/* A random program of loops; all ranks draw the same. Each loop repeats a body of a few exchanges
 * with the neighbours in a ring; half of the programs access windows, too. Some iterations do
 * something else: another tag or buffer, one more call, a wrong use. SEED [LOOPS] */
#include "loops_collectives.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODY_MAX = 5, WORDS = 32, BUFFERS = 24, BATCH_MAX = 5 };
enum { OPEN_MAX = BODY_MAX * 2 * BATCH_MAX };

static int rank, size, left, right;
static double memory[BUFFERS][WORDS];
static MPI_Request persistent[2 * BATCH_MAX]; /* receives, and sends of other buffers */
static MPI_Request open_request[OPEN_MAX];    /* completed at the end of an iteration, */
static MPI_Request former[2];                 /* or in the next one */
static int num_open;
static MPI_Request lost;
static MPI_Request never; /* a receive of a message that nobody sends */
static double nothing;
static MPI_Datatype column;
static MPI_Comm own; /* of with_wildcard() */
static MPI_Comm grid;
static unsigned long state;

/* One for each way to synchronise: see window_element(). The first half of the memory is accessed
 * by the left neighbour, the second one has buffers of messages. */
enum { FENCED, LOCKED, ALL_LOCKED, STARTED, WINDOWS };
static bool has_windows;
static MPI_Win win[WINDOWS];
static double *shared[WINDOWS];
static MPI_Group left_group, right_group;

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(state >> 33) % n;
}

/* What an element of the body is, and how it differs in its special iterations. */
struct element {
    unsigned kind, batch, order, how, words, tag, buffer, turns;
    unsigned twist;
    long from, every; /* special iterations; every: 0: only one */
};

static bool is_special(const struct element *e, long i)
{
    if (e->twist == 0 || i < e->from)
        return false;
    return i == e->from || (e->every != 0 && (i - e->from) % e->every == 0);
}

static double *buffer_of(const struct element *e, unsigned which, long i)
{
    unsigned turn = e->turns > 1 ? (unsigned)(i % e->turns) : 0;

    return memory[(e->buffer + 2 * which + turn) % BUFFERS];
}

static void test_all(int n, MPI_Request *request)
{
    int done = 0;

    while (!done)
        MPI_Testall(n, request, &done, MPI_STATUSES_IGNORE);
}

/* Polls between the calls of an exchange, which are never successful. */
static void poll_in_vain(const struct element *e)
{
    int done;

    if (e->batch % 2 == 0)
        MPI_Iprobe(left, 996, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
    if (e->how == 2)
        MPI_Test(&never, &done, MPI_STATUS_IGNORE);
}

/* A call for any or some of them. False: a test was not successful. */
static bool complete_some(unsigned how, int n, MPI_Request *request)
{
    int index[OPEN_MAX], found, done = 1;

    switch (how) {
    case 5:
        MPI_Waitany(n, request, &found, MPI_STATUS_IGNORE);
        break;
    case 6:
        MPI_Waitsome(n, request, &found, index, MPI_STATUSES_IGNORE);
        break;
    case 7:
        MPI_Testany(n, request, &found, &done, MPI_STATUS_IGNORE);
        break;
    default:
        MPI_Testsome(n, request, &done, index, MPI_STATUSES_IGNORE);
    }
    return done != 0;
}

static void complete(const struct element *e, int n, MPI_Request *request)
{
    poll_in_vain(e);
    switch (e->how) {
    case 0:
        MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
        break;
    case 1:
        for (int k = 0; k < n; k++)
            MPI_Wait(&request[k], MPI_STATUS_IGNORE);
        break;
    case 2:
        for (int k = n - 1; k >= 0; k--)
            MPI_Wait(&request[k], MPI_STATUS_IGNORE);
        break;
    case 3:
        MPI_Waitall(n / 2, request, MPI_STATUSES_IGNORE);
        MPI_Waitall(n - n / 2, request + n / 2, MPI_STATUSES_IGNORE);
        break;
    case 4:
        test_all(n, request);
        break;
    case 5:
    case 6:
    case 7:
    case 8:
        /* as many calls as requests, however many each completes */
        for (int k = 0; k < n; k += complete_some(e->how, n, request))
            ;
        break;
    default:
        for (int k = 0; k < n; k++)
            open_request[num_open++] = request[k];
    }
}

static void send_one(const struct element *e, unsigned k, long i, int tag, MPI_Request *request)
{
    const double *out = buffer_of(e, 2 * k + 1, i);

    if (e->how == 3)
        MPI_Issend(out, (int)e->words, MPI_DOUBLE, right, tag, MPI_COMM_WORLD, request);
    else
        MPI_Isend(out, (int)e->words, MPI_DOUBLE, right, tag, MPI_COMM_WORLD, request);
}

static void exchange(const struct element *e, long i, int source, int twist)
{
    MPI_Request request[2 * BATCH_MAX + 1];
    const unsigned n = e->batch;
    int tag = (int)e->tag + (twist == 1 ? 100 : 0);

    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned k = 0; k < n; k++) {
            double *in = buffer_of(e, twist == 2 ? 2 * k + 3 : 2 * k, i);
            if (pass == e->order)
                MPI_Irecv(in, (int)e->words, MPI_DOUBLE, source, tag + (int)k, MPI_COMM_WORLD,
                          &request[k]);
            else
                send_one(e, k, i, tag + (int)k, &request[n + k]);
        }
    }
    complete(e, 2 * (int)n, request);
}

/* ---- persistent requests ---- */

static void make_persistent(void)
{
    for (int k = 0; k < BATCH_MAX; k++) {
        MPI_Recv_init(memory[2 * k], 1 + k, MPI_DOUBLE, left, 700 + k, MPI_COMM_WORLD,
                      &persistent[k]);
        MPI_Send_init(memory[2 * k + 1], 1 + k, MPI_DOUBLE, right, 700 + k, MPI_COMM_WORLD,
                      &persistent[BATCH_MAX + k]);
    }
}

static void free_persistent(void)
{
    for (int k = 0; k < 2 * BATCH_MAX; k++)
        MPI_Request_free(&persistent[k]);
}

/* Some receives and as many sends, beginning with one of them. `order` is not 0: each with a call
 * of its own. */
static void with_persistent(const struct element *e, unsigned first)
{
    MPI_Request request[2 * BATCH_MAX];
    const int n = (int)e->batch;
    struct element how = *e;

    for (int k = 0; k < n; k++) {
        request[k] = persistent[(first + (unsigned)k) % BATCH_MAX];
        request[n + k] = persistent[BATCH_MAX + (first + (unsigned)k) % BATCH_MAX];
    }
    if (e->order == 0)
        MPI_Startall(2 * n, request);
    for (int k = 0; k < 2 * n && e->order != 0; k++)
        MPI_Start(&request[k]);
    how.how %= 9; /* the next element may start them again */
    complete(&how, 2 * n, request);
    for (int k = 0; k < n; k++) { /* MPI_Start may have replaced them */
        persistent[(first + (unsigned)k) % BATCH_MAX] = request[k];
        persistent[BATCH_MAX + (first + (unsigned)k) % BATCH_MAX] = request[n + k];
    }
}

static void ordered(const struct element *e, long i)
{
    if (rank % 2 == 0)
        MPI_Send(buffer_of(e, 1, i), (int)e->words, MPI_DOUBLE, right, (int)e->tag, MPI_COMM_WORLD);
    if (size % 2 == 0 || rank != 0)
        MPI_Recv(buffer_of(e, 0, i), (int)e->words, MPI_DOUBLE, left, (int)e->tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (rank % 2 == 1)
        MPI_Send(buffer_of(e, 1, i), (int)e->words, MPI_DOUBLE, right, (int)e->tag, MPI_COMM_WORLD);
    if (size % 2 == 1 && rank == 0)
        MPI_Recv(buffer_of(e, 0, i), (int)e->words, MPI_DOUBLE, left, (int)e->tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/* The message is matched by a probe, and received as such. */
static void receive_matched(const struct element *e, double *in, int source, MPI_Comm comm)
{
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request request;
    int there = 0;

    if (e->batch % 2 == 0)
        MPI_Mprobe(source, source == left ? (int)e->tag : MPI_ANY_TAG, comm, &message,
                   MPI_STATUS_IGNORE);
    else
        while (!there)
            MPI_Improbe(source, source == left ? (int)e->tag : MPI_ANY_TAG, comm, &there, &message,
                        MPI_STATUS_IGNORE);
    if (e->words % 3 != 0) {
        MPI_Mrecv(in, (int)e->words, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Imrecv(in, (int)e->words, MPI_DOUBLE, &message, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void probed(const struct element *e, long i)
{
    const bool is_any = e->how >= 6;
    MPI_Comm comm = is_any ? own : MPI_COMM_WORLD;
    MPI_Request request;
    int there = 0;

    MPI_Isend(buffer_of(e, 1, i), (int)e->words, MPI_DOUBLE, right, (int)e->tag, comm, &request);
    if (e->how % 2 == 1) {
        receive_matched(e, buffer_of(e, 0, i), is_any ? MPI_ANY_SOURCE : left, comm);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return;
    }
    if (e->order == 0)
        MPI_Probe(left, (int)e->tag, comm, MPI_STATUS_IGNORE);
    while (!there)
        MPI_Iprobe(left, (int)e->tag, comm, &there, MPI_STATUS_IGNORE);
    MPI_Recv(buffer_of(e, 0, i), (int)e->words, MPI_DOUBLE, left, (int)e->tag, comm,
             MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void collective(const struct element *e, long i, bool is_other)
{
    double *in = buffer_of(e, 0, i), *out = buffer_of(e, 1, i);

    if (has_windows && e->order == 1) {
        in = shared[FENCED] + 2 * WORDS;
        out = shared[FENCED] + 3 * WORDS;
    }
    const struct collective c = {(e->tag + e->how + e->words) % COLLECTIVES,
                                 (int)(1 + e->words / 4), is_other, in, out};
    make_collective(&c, grid);
}

/* A collective call, and perhaps a message, before it is complete. */
static void nonblocking_collective(const struct element *e, long i, bool is_other)
{
    const struct collective c = {(e->tag + e->how + e->words) % COLLECTIVES,
                                 (int)(1 + e->words / 4), is_other, memory[e->buffer],
                                 memory[(e->buffer + 7) % BUFFERS]};
    MPI_Request request[3];
    struct element how = *e;
    int n = 1;

    start_collective(&c, grid, &request[0]);
    if (e->batch % 3 == 0) {
        MPI_Irecv(buffer_of(e, 1, i), (int)e->words, MPI_DOUBLE, left, (int)e->tag, MPI_COMM_WORLD,
                  &request[n++]);
        send_one(e, 1, i, (int)e->tag, &request[n++]);
    } else if (e->batch % 3 == 1) {
        MPI_Ibarrier(grid, &request[n++]);
    }
    how.how %= 9;
    complete(&how, n, request);
}

/* A message of any source and tag; there is only one. */
static void with_wildcard(const struct element *e, long i, int tag)
{
    const int words = (int)e->words, source = e->batch % 2 == 0 ? MPI_ANY_SOURCE : left;
    double *in = buffer_of(e, 0, i), *out = buffer_of(e, 1, i);
    MPI_Request request;
    MPI_Status kept, *status = e->order == 0 ? MPI_STATUS_IGNORE : &kept;

    if (e->how % 3 == 1) {
        MPI_Sendrecv(out, words, MPI_DOUBLE, right, tag, in, words, MPI_DOUBLE, source, MPI_ANY_TAG,
                     own, status);
        return;
    }
    if (e->how % 3 == 2) {
        MPI_Sendrecv_replace(in, words, MPI_DOUBLE, right, tag, source, MPI_ANY_TAG, own, status);
        return;
    }
    MPI_Isend(out, words, MPI_DOUBLE, right, tag, own, &request);
    if (e->how == 3) {
        MPI_Request received;
        MPI_Irecv(in, words, MPI_DOUBLE, source, MPI_ANY_TAG, own, &received);
        MPI_Wait(&received, status);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return;
    }
    if (e->words % 2 == 1)
        MPI_Probe(source, e->how >= 6 ? tag : MPI_ANY_TAG, own, status);
    MPI_Recv(in, words, MPI_DOUBLE, source, MPI_ANY_TAG, own, status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void with_type(const struct element *e, bool makes)
{
    MPI_Request request[2];
    MPI_Datatype type = column;

    if (makes) {
        MPI_Type_vector(3, 1, 2 + (int)(e->tag % 3), MPI_DOUBLE, &type);
        MPI_Type_commit(&type);
    }
    MPI_Irecv(memory[e->buffer], 1, type, left, (int)e->tag, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(memory[(e->buffer + 5) % BUFFERS], 1, type, right, (int)e->tag, MPI_COMM_WORLD,
              &request[1]);
    if (makes)
        MPI_Type_free(&type);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void with_comm(const struct element *e)
{
    MPI_Request request[2];
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Irecv(memory[e->buffer], 2, MPI_DOUBLE, left, (int)e->tag, comm, &request[0]);
    MPI_Isend(memory[(e->buffer + 5) % BUFFERS], 2, MPI_DOUBLE, right, (int)e->tag, comm,
              &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&comm);
}

static void with_former(const struct element *e, long i)
{
    if (former[0] != MPI_REQUEST_NULL)
        MPI_Waitall(2, former, MPI_STATUSES_IGNORE);
    MPI_Irecv(buffer_of(e, 0, i), (int)e->words, MPI_DOUBLE, left, (int)e->tag, MPI_COMM_WORLD,
              &former[0]);
    MPI_Isend(buffer_of(e, 1, i), (int)e->words, MPI_DOUBLE, right, (int)e->tag, MPI_COMM_WORLD,
              &former[1]);
}

static void with_nobody(const struct element *e)
{
    MPI_Request request[2];

    MPI_Irecv(memory[e->buffer], 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(memory[e->buffer], 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void with_status(const struct element *e, long i)
{
    MPI_Request request;
    int done = 0;

    MPI_Irecv(buffer_of(e, 0, i), (int)e->words, MPI_DOUBLE, left, (int)e->tag, MPI_COMM_WORLD,
              &request);
    MPI_Send(buffer_of(e, 1, i), 1, MPI_DOUBLE, right, (int)e->tag, MPI_COMM_WORLD);
    while (!done)
        MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* ---- windows ---- */

static void make_windows(void)
{
    MPI_Group all;

    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &left, &left_group);
    MPI_Group_incl(all, 1, &right, &right_group);
    MPI_Group_free(&all);
    for (int k = 0; k < WINDOWS; k++)
        MPI_Win_allocate(4 * WORDS * (MPI_Aint)sizeof(double), sizeof(double), MPI_INFO_NULL,
                         MPI_COMM_WORLD, &shared[k], &win[k]);
    MPI_Win_fence(0, win[FENCED]);
    MPI_Win_lock_all(0, win[ALL_LOCKED]);
}

static void free_windows(void)
{
    MPI_Win_unlock_all(win[ALL_LOCKED]);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win[FENCED]);
    for (int k = 0; k < WINDOWS; k++)
        MPI_Win_free(&win[k]);
    MPI_Group_free(&left_group);
    MPI_Group_free(&right_group);
}

static void access_one(const struct element *e, long i, MPI_Win w, unsigned k)
{
    const int n = (int)(1 + e->words / 2);
    const MPI_Aint place = (MPI_Aint)(k * WORDS / 3);
    double *buffer = buffer_of(e, k % 3, i);

    if (e->how % 5 == 0)
        MPI_Get(buffer, n, MPI_DOUBLE, right, place, n, MPI_DOUBLE, w);
    else if (e->how % 5 == 1)
        MPI_Accumulate(buffer, n, MPI_DOUBLE, right, place, n, MPI_DOUBLE, MPI_SUM, w);
    else if (e->how % 5 == 2)
        MPI_Fetch_and_op(buffer, buffer_of(e, k % 3 + 1, i), MPI_DOUBLE, right, place, MPI_SUM, w);
    else if (e->how % 5 == 3)
        MPI_Put(buffer, 1, column, right, place, 1, column, w);
    else
        MPI_Put(buffer, n, MPI_DOUBLE, right, place, n, MPI_DOUBLE, w);
}

static void access_some(const struct element *e, long i, MPI_Win w)
{
    for (unsigned k = 0; k < e->batch; k++)
        access_one(e, i, w, k);
}

/* Accesses with requests, which are completed in one call or one by one. */
static void request_some(const struct element *e, long i, MPI_Win w)
{
    MPI_Request request[BATCH_MAX];
    const int n = (int)(1 + e->words / 2), batch = (int)e->batch;

    for (int k = 0; k < batch; k++) {
        double *buffer = buffer_of(e, (unsigned)k % 3, i);
        const MPI_Aint place = k * WORDS / 3;
        if (e->how % 4 == 0)
            MPI_Rget(buffer, n, MPI_DOUBLE, right, place, n, MPI_DOUBLE, w, &request[k]);
        else if (e->how % 4 == 1)
            MPI_Raccumulate(buffer, n, MPI_DOUBLE, right, place, n, MPI_DOUBLE, MPI_SUM, w,
                            &request[k]);
        else if (e->how % 4 == 2)
            MPI_Rput(buffer, 1, column, right, place, 1, column, w, &request[k]);
        else
            MPI_Rput(buffer, n, MPI_DOUBLE, right, place, n, MPI_DOUBLE, w, &request[k]);
    }
    if (e->order == 0)
        MPI_Waitall(batch, request, MPI_STATUSES_IGNORE);
    for (int k = 0; k < batch && e->order == 1; k++)
        MPI_Wait(&request[k], MPI_STATUS_IGNORE);
}

static void flush(const struct element *e)
{
    if (e->tag % 3 == 0)
        MPI_Win_flush_all(win[ALL_LOCKED]);
    else if (e->tag % 3 == 1 && e->how % 5 != 0)
        MPI_Win_flush_local(right, win[ALL_LOCKED]);
    else
        MPI_Win_flush(right, win[ALL_LOCKED]);
}

static void end_exposure(const struct element *e)
{
    int done = e->tag % 2;

    if (done)
        MPI_Win_wait(win[STARTED]);
    while (!done)
        MPI_Win_test(win[STARTED], &done);
}

static void window_element(const struct element *e, unsigned kind, long i)
{
    MPI_Request request;

    switch (kind) {
    case 0:
        access_some(e, i, win[FENCED]);
        MPI_Win_fence(0, win[FENCED]);
        break;
    case 1:
    case 2:
        MPI_Win_lock(kind == 1 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, right, 0, win[LOCKED]);
        access_some(e, i, win[LOCKED]);
        MPI_Win_unlock(right, win[LOCKED]);
        break;
    case 3:
        access_some(e, i, win[ALL_LOCKED]);
        flush(e);
        break;
    case 4:
        MPI_Win_post(left_group, 0, win[STARTED]);
        MPI_Win_start(right_group, 0, win[STARTED]);
        access_some(e, i, win[STARTED]);
        MPI_Win_complete(win[STARTED]);
        end_exposure(e);
        break;
    case 5:
        request_some(e, i, win[ALL_LOCKED]);
        MPI_Win_flush(right, win[ALL_LOCKED]);
        break;
    case 6: /* another call comes before the accesses are complete */
        access_some(e, i, win[ALL_LOCKED]);
        exchange(e, i, left, 0);
        flush(e);
        break;
    default: /* the buffers of messages are in the memory of a window */
        MPI_Isend(shared[FENCED] + 2 * WORDS, (int)e->words, MPI_DOUBLE, right, (int)e->tag,
                  MPI_COMM_WORLD, &request);
        MPI_Recv(shared[FENCED] + 3 * WORDS, (int)e->words, MPI_DOUBLE, left, (int)e->tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* An element in a special iteration. */
static void twist(const struct element *e, long i)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    double *place = buffer_of(e, 0, i);

    switch (e->twist) {
    case 1: /* another tag */
        if (e->kind == 18) {
            with_wildcard(e, i, (int)e->tag + 100);
            break;
        }
        exchange(e, i, left, 1);
        break;
    case 2: /* other buffers */
        if (e->kind == 13) {
            with_persistent(e, e->tag + 1);
            break;
        }
        exchange(e, i, left, (int)e->twist);
        break;
    case 3:
        MPI_Barrier(MPI_COMM_WORLD);
        break;
    case 4: /* a receive that is cancelled */
        MPI_Irecv(place, 1, MPI_DOUBLE, left, 999, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        break;
    case 5: /* a send that is never completed */
        MPI_Isend(place, 1, MPI_DOUBLE, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &request);
        break;
    case 6: /* a pending receive of the same bytes, and its handle is lost */
        MPI_Irecv(place, 1, MPI_DOUBLE, left, 998, MPI_COMM_WORLD, &lost);
        break;
    case 7: /* a reduction into a buffer of this loop */
        MPI_Allreduce(memory[(e->buffer + 1) % BUFFERS], memory[e->buffer], 1, MPI_DOUBLE, MPI_SUM,
                      MPI_COMM_WORLD);
        break;
    case 8:
        MPI_Irecv(place, 1, MPI_DOUBLE, left, 997, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Request_free(&request);
        break;
    case 10: /* an access more */
        if (has_windows)
            access_one(e, i, win[ALL_LOCKED], 1);
        break;
    case 11: /* other counts, displacements or root */
        if (e->kind == 27)
            collective(e, i, true);
        if (e->kind == 28)
            nonblocking_collective(e, i, true);
        break;
    case 12: /* other requests */
        free_persistent();
        make_persistent();
        break;
    default: /* a part of the body is left out */
        break;
    }
}

static void run(const struct element *e, long i)
{
    if (is_special(e, i)) {
        twist(e, i);
        if (e->twist <= 2 || e->twist == 9)
            return;
    }
    switch (e->kind) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
        exchange(e, i, left, 0);
        break;
    case 5:
        exchange(e, i, MPI_ANY_SOURCE, 0);
        break;
    case 6:
        MPI_Sendrecv(buffer_of(e, 1, i), (int)e->words, MPI_DOUBLE, right, (int)e->tag,
                     buffer_of(e, 0, i), (int)e->words, MPI_DOUBLE, left, (int)e->tag,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    case 7:
        ordered(e, i);
        break;
    case 8:
        MPI_Allreduce(MPI_IN_PLACE, memory[e->buffer], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        break;
    case 9:
        probed(e, i);
        break;
    case 10:
        with_type(e, false);
        break;
    case 11:
        with_type(e, true);
        break;
    case 12:
        with_comm(e);
        break;
    case 13:
        with_persistent(e, e->tag);
        break;
    case 14:
        with_former(e, i);
        break;
    case 15:
        with_nobody(e);
        break;
    case 16:
        with_status(e, i);
        break;
    case 18:
        with_wildcard(e, i, (int)e->tag);
        break;
    case 17:
        MPI_Sendrecv_replace(buffer_of(e, 0, i), (int)e->words, MPI_DOUBLE, right, (int)e->tag,
                             left, (int)e->tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    case 27:
        collective(e, i, false);
        break;
    case 28:
        nonblocking_collective(e, i, false);
        break;
    default:
        window_element(e, e->kind - 19, i);
    }
}

/* RATIONALE: most loops repeat their records only without pending wildcards and objects that are
 * made. */
static unsigned draw_kind(bool is_plain)
{
    static const unsigned plain[] = {0,  1,  2,  3,  4,  6,  7,  8,  9,  9,  10,
                                     13, 13, 14, 15, 17, 18, 27, 27, 27, 28, 28};

    if (has_windows && draw(3) != 0)
        return 19 + draw(8);
    return is_plain ? plain[draw(sizeof(plain) / sizeof(plain[0]))] : draw(19);
}

static void loop(unsigned number)
{
    const bool is_plain = draw(4) != 0;
    struct element body[BODY_MAX];
    const unsigned elements = 1 + draw(BODY_MAX);
    const long rounds = 200 + (long)draw(3000);

    for (unsigned k = 0; k < elements; k++) {
        unsigned twist = draw(3) == 0 ? 1 + draw(12) : 0;
        body[k] = (struct element){
            .kind = draw_kind(is_plain),
            .batch = 1 + draw(BATCH_MAX),
            .order = draw(2),
            .how = is_plain ? draw(9) : draw(10),
            .words = 1 + draw(WORDS / 2),
            .tag = 20 * (k + 1) + number % 2,
            .buffer = draw(BUFFERS),
            .turns = draw(4) == 0 ? 2 + draw(2) : 1,
            .twist = twist,
            .from = (long)draw((unsigned)rounds),
            .every = draw(2) == 0 ? 0 : 1 + (long)draw(700),
        };
    }
    for (long i = 0; i < rounds; i++) {
        for (unsigned k = 0; k < elements; k++)
            run(&body[k], i);
        if (num_open > 0)
            MPI_Waitall(num_open, open_request, MPI_STATUSES_IGNORE);
        num_open = 0;
    }
    if (former[0] != MPI_REQUEST_NULL)
        MPI_Waitall(2, former, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    long loops = argc > 2 ? atol(argv[2]) : 6;

    state = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    has_windows = draw(2) == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    former[0] = former[1] = MPI_REQUEST_NULL;
    for (int k = 0; k < OPEN_MAX; k++)
        open_request[k] = MPI_REQUEST_NULL;
    MPI_Type_vector(4, 1, 3, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    if (size > RANKS_MAX)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &(int){1}, 0, &grid);
    make_persistent();
    MPI_Irecv(&nothing, 1, MPI_DOUBLE, left, 996, MPI_COMM_WORLD, &never);
    if (has_windows)
        make_windows();
    for (long number = 0; number < loops; number++)
        loop((unsigned)number);
    if (has_windows)
        free_windows();
    MPI_Cancel(&never);
    MPI_Wait(&never, MPI_STATUS_IGNORE);
    free_persistent();
    MPI_Type_free(&column);
    MPI_Comm_free(&own);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
