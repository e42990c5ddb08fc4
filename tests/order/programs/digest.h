/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs of this folder have in common: a digest of every outcome that a rank saw, which
 * rank 0 prints, and pauses that make a run without the tool another one each time (NOISE=1). */
#ifndef ORK_TESTS_ORDER_DIGEST_H
#define ORK_TESTS_ORDER_DIGEST_H

#include <mpi.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct digest {
    uint64_t value;
};

/* The digest of a rank; a second thread has its own one. */
static struct digest digest;
static int me, ranks;

static inline void digest_add(struct digest *d, int64_t outcome)
{
    d->value = (d->value ^ (uint64_t)outcome) * UINT64_C(0x9e3779b97f4a7c15);
    d->value ^= d->value >> 29;
}

static inline void saw(int64_t outcome)
{
    digest_add(&digest, outcome);
}

static inline void saw_message(const MPI_Status *status, int64_t content)
{
    saw(status->MPI_SOURCE);
    saw(status->MPI_TAG);
    saw(content);
}

/* With NOISE=1: sometimes a pause, longer ones less often. No MPI call, so it changes no calls. */
static inline void pause_perhaps(void)
{
    static _Thread_local unsigned seed;

    if (getenv("NOISE") == NULL)
        return;
    if (seed == 0) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        seed = (unsigned)getpid() * 2654435761u ^ (unsigned)now.tv_nsec ^ (unsigned)(size_t)&seed;
    }
    if (rand_r(&seed) % 3 == 0)
        usleep((useconds_t)(rand_r(&seed) % 100 * (rand_r(&seed) % 20)));
}

static inline void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

/* Rank 0 prints a line with the digests of all ranks; the end of the program. */
static inline int end(void)
{
    uint64_t all[64] = {0};

    MPI_Gather(&digest.value, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (me == 0) {
        printf("digest");
        for (int i = 0; i < ranks; i++)
            printf(" %016" PRIx64, all[i]);
        printf("\n");
    }
    MPI_Finalize();
    return 0;
}

#endif
