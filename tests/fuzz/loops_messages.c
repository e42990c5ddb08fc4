/* SPDX-License-Identifier: BSD-3-Clause */
#include "loops_collectives.h"
#include "loops_real.h"

int rank, size, left, right;
double memory[BUFFERS][WORDS];
static MPI_Request persistent[2 * BATCH_MAX]; /* receives, and sends of other buffers */
MPI_Request open_request[OPEN_MAX];
MPI_Request former[2];
int num_open;
MPI_Request never;
MPI_Datatype column;
MPI_Comm own;
MPI_Comm grid;

double *buffer_of(const struct element *e, unsigned which, long i)
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

void exchange(const struct element *e, long i, int source, int twist)
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

void make_persistent(void)
{
    for (int k = 0; k < BATCH_MAX; k++) {
        MPI_Recv_init(memory[2 * k], 1 + k, MPI_DOUBLE, left, 700 + k, MPI_COMM_WORLD,
                      &persistent[k]);
        MPI_Send_init(memory[2 * k + 1], 1 + k, MPI_DOUBLE, right, 700 + k, MPI_COMM_WORLD,
                      &persistent[BATCH_MAX + k]);
    }
}

void free_persistent(void)
{
    for (int k = 0; k < 2 * BATCH_MAX; k++)
        MPI_Request_free(&persistent[k]);
}

void with_persistent(const struct element *e, unsigned first)
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

void ordered(const struct element *e, long i)
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

void probed(const struct element *e, long i)
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

void collective(const struct element *e, long i, bool is_other)
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

void nonblocking_collective(const struct element *e, long i, bool is_other)
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

void with_wildcard(const struct element *e, long i, int tag)
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

void with_type(const struct element *e, bool makes)
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

void with_comm(const struct element *e)
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

void with_former(const struct element *e, long i)
{
    if (former[0] != MPI_REQUEST_NULL)
        MPI_Waitall(2, former, MPI_STATUSES_IGNORE);
    MPI_Irecv(buffer_of(e, 0, i), (int)e->words, MPI_DOUBLE, left, (int)e->tag, MPI_COMM_WORLD,
              &former[0]);
    MPI_Isend(buffer_of(e, 1, i), (int)e->words, MPI_DOUBLE, right, (int)e->tag, MPI_COMM_WORLD,
              &former[1]);
}

void with_nobody(const struct element *e)
{
    MPI_Request request[2];

    MPI_Irecv(memory[e->buffer], 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(memory[e->buffer], 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

void with_status(const struct element *e, long i)
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
