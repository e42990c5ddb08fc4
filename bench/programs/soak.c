/* SPDX-License-Identifier: BSD-3-Clause */
/* Random correct traffic for a given time: each round is drawn from (seed, round), the same on all
 * ranks. Messages say from whom they are and of which round, and are checked. soak [seconds [seed]]
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    GROUP = 8,
    SHIFTS_MAX = 3,
    ROUNDS_BETWEEN = 64,
    WORDS = 4,
    TAG_FIRST = SHIFTS_MAX,
    TAGS = 30000
};

struct world {
    int rank, size;
    MPI_Comm half;
    uint64_t seed;
};

struct letter {
    int64_t from, round, words[WORDS];
};

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t draw(uint64_t seed, uint64_t number)
{
    uint64_t z = seed + (number + 1) * UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void fail(const struct world *w, const char *what, long round)
{
    fprintf(stderr, "rank %d: %s in round %ld\n", w->rank, what, round);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Of messages that are received from anybody: no others that may be under way have it. */
static int tag_of(long round)
{
    return TAG_FIRST + (int)(round % TAGS);
}

static struct letter written(const struct world *w, long round)
{
    struct letter l = {.from = w->rank, .round = round};

    for (int i = 0; i < WORDS; i++)
        l.words[i] = (int64_t)draw((uint64_t)l.from, (uint64_t)(round + i));
    return l;
}

static void check(const struct world *w, const struct letter *l, int from, long round)
{
    const struct world other = {.rank = from};
    struct letter expected = written(&other, round);

    if (l->from != from || l->round != round || l->words[WORDS - 1] != expected.words[WORDS - 1])
        fail(w, "a message is not what was sent", round);
}

static int right_of(const struct world *w, int distance)
{
    return (w->rank + distance) % w->size;
}

static int left_of(const struct world *w, int distance)
{
    return (w->rank + w->size - distance) % w->size;
}

/* Irecv and Isend of some distances; then one of the completion calls. */
static void halo(const struct world *w, uint64_t d, long round)
{
    MPI_Request request[2 * SHIFTS_MAX];
    struct letter in[SHIFTS_MAX], out = written(w, round);
    int from[SHIFTS_MAX];
    int shifts = 1 + (int)(d % SHIFTS_MAX);
    int left = 2 * shifts;
    int index;

    for (int i = 0; i < shifts; i++) {
        int distance = 1 + (int)(draw(d, (uint64_t)i) % (uint64_t)(w->size - 1));
        from[i] = left_of(w, distance);
        MPI_Irecv(&in[i], sizeof(in[i]), MPI_BYTE, from[i], i, MPI_COMM_WORLD, &request[i]);
        MPI_Isend(&out, sizeof(out), MPI_BYTE, right_of(w, distance), i, MPI_COMM_WORLD,
                  &request[shifts + i]);
    }
    while (d % 2 == 0 && left-- > 0)
        MPI_Waitany(2 * shifts, request, &index, MPI_STATUS_IGNORE);
    MPI_Waitall(2 * shifts, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < shifts; i++)
        check(w, &in[i], from[i], round);
}

/* The first of each group takes one message of each other one, whoever comes first. */
static void gather_any(const struct world *w, long round)
{
    int first = w->rank / GROUP * GROUP;
    int members = w->size - first < GROUP ? w->size - first : GROUP;
    int tag = tag_of(round);
    struct letter l = written(w, round);
    MPI_Status status;

    if (w->rank != first) {
        MPI_Send(&l, sizeof(l), MPI_BYTE, first, tag, MPI_COMM_WORLD);
        return;
    }
    for (int i = 1; i < members; i++) {
        MPI_Recv(&l, sizeof(l), MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
        check(w, &l, status.MPI_SOURCE, round);
    }
}

/* A message to the right; the receiver polls for one of anybody. */
static void poll_any(const struct world *w, uint64_t d, long round)
{
    int distance = 1 + (int)(d % (uint64_t)(w->size - 1));
    int tag = tag_of(round);
    struct letter in, out = written(w, round);
    MPI_Request request;
    MPI_Status status;
    int there = 0;

    MPI_Isend(&out, sizeof(out), MPI_BYTE, right_of(w, distance), tag, MPI_COMM_WORLD, &request);
    while (!there)
        MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
    MPI_Recv(&in, sizeof(in), MPI_BYTE, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(w, &in, left_of(w, distance), round);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void wait_any_source(const struct world *w, uint64_t d, long round)
{
    int distance = 1 + (int)(d % (uint64_t)(w->size - 1));
    int tag = tag_of(round);
    struct letter in, out = written(w, round);
    MPI_Request request;
    MPI_Status status;

    MPI_Irecv(&in, sizeof(in), MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &request);
    MPI_Send(&out, sizeof(out), MPI_BYTE, right_of(w, distance), tag, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    check(w, &in, left_of(w, distance), round);
    if (status.MPI_SOURCE != in.from)
        fail(w, "the status names another source", round);
}

static void collective(const struct world *w, uint64_t d, long round)
{
    MPI_Comm comm = d % 2 == 0 ? MPI_COMM_WORLD : w->half;
    int64_t mine = 1, sum = 0;
    int size, root;

    MPI_Comm_size(comm, &size);
    root = (int)(d / 8 % (uint64_t)size);
    switch (d / 2 % 4) {
    case 0:
        MPI_Barrier(comm);
        return;
    case 1:
        MPI_Bcast(&mine, 1, MPI_INT64_T, root, comm);
        return;
    case 2:
        MPI_Allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, comm);
        break;
    default:
        MPI_Reduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, root, comm);
        MPI_Bcast(&sum, 1, MPI_INT64_T, root, comm);
        break;
    }
    if (sum != size)
        fail(w, "a sum is wrong", round);
}

static void play(const struct world *w, long round)
{
    uint64_t d = draw(w->seed, (uint64_t)round);

    switch (d % 6) {
    case 0:
    case 1:
        halo(w, d / 6, round);
        break;
    case 2:
        gather_any(w, round);
        break;
    case 3:
        poll_any(w, d / 6, round);
        break;
    case 4:
        wait_any_source(w, d / 6, round);
        break;
    default:
        collective(w, d / 6, round);
        break;
    }
}

/* Rank 0 has the clock. */
static int is_over(double end)
{
    int over = MPI_Wtime() >= end;

    MPI_Bcast(&over, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return over;
}

int main(int argc, char **argv)
{
    struct world w = {.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    double seconds = argc > 1 ? strtod(argv[1], NULL) : 60;
    long round = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.size);
    MPI_Comm_split(MPI_COMM_WORLD, w.rank % 2, w.rank, &w.half);
    double end = MPI_Wtime() + seconds;
    while (w.size > 1 && (round % ROUNDS_BETWEEN != 0 || !is_over(end)))
        play(&w, round++);
    MPI_Comm_free(&w.half);
    if (w.rank == 0)
        printf("rounds %ld\n", round);
    MPI_Finalize();
    return 0;
}
