/* SPDX-License-Identifier: BSD-3-Clause */
/* Plays many ranks under mustrun: each process of the "application" is `ranks` ranks of a made-up
 * program, with a ring each, at the leaf of its own. No MPI, no computation: the tool is what
 * limits it. Start as many processes as there are to be leaves:
 *
 *   mustrun --must:leaf-ranks 1 -np 4 feeder --pattern halo --ranks 64 --records 1e7
 *
 * Prints "seconds" and "records", of this process's ranks. */
#include "bench/ring_peer.h"
#include "bench/streams.h"

#include "common/session.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* How many steps (of any rank) the processes may be apart. */
enum { APART_PER_RANK = 64, PROCESSES_MAX = 4096, TRIES = 5000 };

/* In a file that all processes of the node map: steps made, by process. */
struct progress {
    _Atomic uint64_t steps[PROCESSES_MAX];
};

struct feeder {
    struct program program;
    uint64_t records;
    uint32_t process, processes, own; /* ranks process * own .. + own - 1 are here */
    struct ring_peer *peer;
    struct progress *progress;
    uint64_t put;
};

static void die(const char *what)
{
    fprintf(stderr, "feeder: %s\n", what);
    exit(EXIT_FAILURE);
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

static const char *need(const char *name)
{
    const char *value = getenv(name);

    if (value == NULL)
        die("this program is started by mustrun, under mpirun of Open MPI");
    return value;
}

static void name_progress(char *path, size_t size, const char *session)
{
    snprintf(path, size, "/dev/shm/orknot-feeder-%s", session);
}

static void share_progress(struct feeder *f, const char *session)
{
    char path[128];

    name_progress(path, sizeof(path), session);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, sizeof(*f->progress)) != 0)
        die("cannot share memory");
    f->progress = mmap(NULL, sizeof(*f->progress), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (f->progress == MAP_FAILED)
        die("cannot share memory");
    close(fd);
}

static void attach(struct feeder *f, const char *session)
{
    const char *token = need(ORK_ENV_TOKEN);

    f->peer = calloc(f->own, sizeof(*f->peer));
    for (uint32_t i = 0; f->peer != NULL && i < f->own; i++) {
        if (!ring_peer_attach(&f->peer[i], session, token, f->process, f->process * f->own + i,
                              f->program.ranks))
            die("cannot attach to the leaf: is --must:leaf-ranks 1 set?");
    }
}

static uint64_t slowest(const struct feeder *f)
{
    uint64_t least = UINT64_MAX;

    for (uint32_t i = 0; i < f->processes; i++) {
        uint64_t steps = atomic_load(&f->progress->steps[i]);
        least = steps < least ? steps : least;
    }
    return least;
}

static bool is_own(const struct feeder *f, uint32_t rank)
{
    return rank / f->own == f->process;
}

/* Every process goes through the whole program, and publishes what its own ranks write. */
static void feed(struct feeder *f)
{
    struct streams *streams = streams_create(&f->program, f->records);
    const struct step *step;
    uint64_t apart = (uint64_t)APART_PER_RANK * f->program.ranks;
    uint64_t steps = 0;
    uint32_t rank;

    if (streams == NULL)
        die("out of memory");
    while (streams_next(streams, &rank, &step)) {
        steps++;
        if (is_own(f, rank)) {
            struct ring_peer *peer = &f->peer[rank % f->own];
            while (!ring_peer_put(peer, step->record, step->count))
                nap();
            f->put += step->count;
        }
        if (steps % f->own != 0)
            continue;
        atomic_store(&f->progress->steps[f->process], steps);
        while (steps > slowest(f) + apart)
            nap();
    }
    atomic_store(&f->progress->steps[f->process], UINT64_MAX);
    streams_destroy(streams);
}

/* Whoever has mapped the file keeps it; nobody else is to come when all have published everything.
 */
static void unshare_progress(const struct feeder *f, const char *session)
{
    char path[128];

    if (f->process != 0)
        return;
    while (slowest(f) < UINT64_MAX)
        nap();
    name_progress(path, sizeof(path), session);
    unlink(path);
}

static void leave(struct feeder *f)
{
    for (uint32_t i = 0; i < f->own; i++) {
        while (ring_peer_backlog(&f->peer[i]) > 0)
            nap();
        ring_peer_leave(&f->peer[i]);
    }
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct feeder read_options(int argc, char **argv)
{
    struct feeder f = {
        .program = {.pattern = PATTERN_HALO, .seed = 1}, .records = 1000000, .own = 64};

    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--pattern") == 0)
            f.program.pattern = pattern_of_name(argv[i + 1]);
        else if (strcmp(argv[i], "--ranks") == 0)
            f.own = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--records") == 0)
            f.records = (uint64_t)strtod(argv[i + 1], NULL);
        else if (strcmp(argv[i], "--seed") == 0)
            f.program.seed = strtoull(argv[i + 1], NULL, 10);
        else
            die("unknown option");
    }
    f.process = (uint32_t)strtoul(need("OMPI_COMM_WORLD_RANK"), NULL, 10);
    f.processes = (uint32_t)strtoul(need("OMPI_COMM_WORLD_SIZE"), NULL, 10);
    if (argc % 2 == 0 || f.program.pattern == NUM_PATTERNS || f.own == 0 ||
        f.processes > PROCESSES_MAX || (uint64_t)f.own * f.processes > 1 << 20)
        die("usage: feeder [--pattern NAME] [--ranks N] [--records N] [--seed N]");
    f.program.ranks = f.own * f.processes;
    return f;
}

int main(int argc, char **argv)
{
    struct feeder f = read_options(argc, argv);
    const char *session = need(ORK_ENV_SESSION);

    share_progress(&f, session);
    attach(&f, session);
    double begin = now();
    feed(&f);
    leave(&f);
    printf("seconds %.6f\nrecords %" PRIu64 "\n", now() - begin, f.put);
    unshare_progress(&f, session);
    return EXIT_SUCCESS;
}
