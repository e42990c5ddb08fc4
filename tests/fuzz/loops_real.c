/* SPDX-License-Identifier: BSD-3-Clause */
/* A random program of loops; all ranks draw the same. Each loop repeats a body of a few exchanges
 * with the neighbours in a ring; half of the programs access windows, too. Some iterations do
 * something else: another tag or buffer, one more call, a wrong use. SEED [LOOPS] */
#include "loops_real.h"
#include "loops_collectives.h"

#include <stdlib.h>

static MPI_Request lost;
static double nothing;
static unsigned long state;

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(state >> 33) % n;
}

static bool is_special(const struct element *e, long i)
{
    if (e->twist == 0 || i < e->from)
        return false;
    return i == e->from || (e->every != 0 && (i - e->from) % e->every == 0);
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
