/* SPDX-License-Identifier: BSD-3-Clause */
#include "loops_collectives.h"

/* RATIONALE: all blocks have the same count, so that any rank may send any of them; the
 * displacements and the arrays' own addresses may be others each time. */
struct blocks {
    int root, rank, size, n;
    int count[RANKS_MAX], place[RANKS_MAX];
};

static struct blocks blocks_of(const struct collective *c, MPI_Comm comm)
{
    struct blocks b = {.n = c->n + c->is_other};

    MPI_Comm_rank(comm, &b.rank);
    MPI_Comm_size(comm, &b.size);
    b.root = (c->n + c->is_other) % b.size;
    for (int i = 0; i < b.size; i++) {
        b.count[i] = b.n;
        b.place[i] = b.n * (c->is_other ? b.size - 1 - i : i);
    }
    return b;
}

static void make_rooted(const struct collective *c, MPI_Comm comm, struct blocks b)
{
    const int *count = b.rank == b.root ? b.count : NULL;
    const int *place = b.rank == b.root ? b.place : NULL;

    switch (c->which) {
    case 0:
        MPI_Bcast(c->in, b.n, MPI_DOUBLE, b.root, comm);
        break;
    case 1:
        MPI_Reduce(c->in, c->out, b.n, MPI_DOUBLE, MPI_MAX, b.root, comm);
        break;
    case 2:
        MPI_Gather(c->in, b.n, MPI_DOUBLE, c->out, b.n, MPI_DOUBLE, b.root, comm);
        break;
    case 3:
        MPI_Gatherv(c->in, b.n, MPI_DOUBLE, c->out, count, place, MPI_DOUBLE, b.root, comm);
        break;
    case 4:
        MPI_Scatter(c->in, b.n, MPI_DOUBLE, c->out, b.n, MPI_DOUBLE, b.root, comm);
        break;
    default:
        MPI_Scatterv(c->in, count, place, MPI_DOUBLE, c->out, b.n, MPI_DOUBLE, b.root, comm);
    }
}

static void make_reduction(const struct collective *c, MPI_Comm comm, struct blocks b)
{
    switch (c->which) {
    case 6:
        MPI_Allreduce(c->in, c->out, b.n, MPI_DOUBLE, c->is_other ? MPI_MAX : MPI_MIN, comm);
        break;
    case 7:
        MPI_Scan(c->in, c->out, b.n, MPI_DOUBLE, MPI_MAX, comm);
        break;
    case 8:
        MPI_Exscan(c->in, c->out, b.n, MPI_DOUBLE, MPI_MAX, comm);
        break;
    case 9:
        MPI_Reduce_scatter(c->in, c->out, b.count, MPI_DOUBLE, MPI_MAX, comm);
        break;
    default:
        MPI_Reduce_scatter_block(c->in, c->out, b.n, MPI_DOUBLE, MPI_MAX, comm);
    }
}

static void make_exchange(const struct collective *c, MPI_Comm comm, struct blocks b)
{
    switch (c->which) {
    case 11:
        MPI_Allgather(c->in, b.n, MPI_DOUBLE, c->out, b.n, MPI_DOUBLE, comm);
        break;
    case 12:
        MPI_Allgatherv(c->in, b.n, MPI_DOUBLE, c->out, b.count, b.place, MPI_DOUBLE, comm);
        break;
    case 13:
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_DOUBLE, c->out, b.n, MPI_DOUBLE, comm);
        break;
    case 14:
        MPI_Alltoall(c->in, b.n, MPI_DOUBLE, c->out, b.n, MPI_DOUBLE, comm);
        break;
    case 15:
        MPI_Alltoallv(c->in, b.count, b.place, MPI_DOUBLE, c->out, b.count, b.place, MPI_DOUBLE,
                      comm);
        break;
    case 16:
        MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, c->out, b.count, b.place,
                      MPI_DOUBLE, comm);
        break;
    case 17:
        MPI_Neighbor_allgatherv(c->in, b.n, MPI_DOUBLE, c->out, b.count, b.place, MPI_DOUBLE, comm);
        break;
    default:
        MPI_Barrier(comm);
    }
}

static void start_rooted(const struct collective *c, MPI_Comm comm, const struct blocks *b,
                         MPI_Request *request)
{
    switch (c->which) {
    case 0:
        MPI_Ibcast(c->in, b->n, MPI_DOUBLE, b->root, comm, request);
        break;
    case 1:
    case 2:
        MPI_Ireduce(c->in, c->out, b->n, MPI_DOUBLE, MPI_MAX, b->root, comm, request);
        break;
    case 3:
        MPI_Igatherv(c->in, b->n, MPI_DOUBLE, c->out, b->count, b->place, MPI_DOUBLE, b->root, comm,
                     request);
        break;
    default:
        MPI_Iscatterv(c->in, b->count, b->place, MPI_DOUBLE, c->out, b->n, MPI_DOUBLE, b->root,
                      comm, request);
    }
}

static void start_other(const struct collective *c, MPI_Comm comm, const struct blocks *b,
                        MPI_Request *request)
{
    switch (c->which) {
    case 6:
        MPI_Iallreduce(c->in, c->out, b->n, MPI_DOUBLE, MPI_MAX, comm, request);
        break;
    case 7:
    case 8:
        MPI_Iscan(c->in, c->out, b->n, MPI_DOUBLE, MPI_MAX, comm, request);
        break;
    case 9:
    case 10:
        MPI_Ireduce_scatter(c->in, c->out, b->count, MPI_DOUBLE, MPI_MAX, comm, request);
        break;
    case 11:
        MPI_Iallgather(c->in, b->n, MPI_DOUBLE, c->out, b->n, MPI_DOUBLE, comm, request);
        break;
    case 12:
        MPI_Iallgatherv(c->in, b->n, MPI_DOUBLE, c->out, b->count, b->place, MPI_DOUBLE, comm,
                        request);
        break;
    case 13:
        MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DOUBLE, c->out, b->n, MPI_DOUBLE, comm, request);
        break;
    case 14:
    case 15:
        MPI_Ialltoallv(c->in, b->count, b->place, MPI_DOUBLE, c->out, b->count, b->place,
                       MPI_DOUBLE, comm, request);
        break;
    case 16:
    case 17:
        MPI_Ineighbor_allgatherv(c->in, b->n, MPI_DOUBLE, c->out, b->count, b->place, MPI_DOUBLE,
                                 comm, request);
        break;
    default:
        MPI_Ibarrier(comm, request);
    }
}

void start_collective(const struct collective *c, MPI_Comm comm, MPI_Request *request)
{
    static struct blocks b[2];
    static unsigned next;
    struct blocks *now = &b[next++ % 2];

    *now = blocks_of(c, comm);
    if (c->which < 6)
        start_rooted(c, comm, now, request);
    else
        start_other(c, comm, now, request);
}

void make_collective(const struct collective *c, MPI_Comm comm)
{
    const struct blocks b = blocks_of(c, comm);

    if (c->which < 6)
        make_rooted(c, comm, b);
    else if (c->which < 11)
        make_reduction(c, comm, b);
    else
        make_exchange(c, comm, b);
}
