/* SPDX-License-Identifier: BSD-3-Clause */
/* What the detector costs a record, and what it keeps, for kinds of program and growing
 * numbers of ranks; CSV on stdout. detector_scale [millions of records [repetitions [program
 * [ranks]]]]; times are medians of processor time. `kept` is memory in use after as many records
 * again, less what it was before: 0 where it does not grow. Compiled with BENCH_FOLD: in turns
 * without and behind a fold (docs/explanation/folding.md). */
#include "detector/detector.h"
#include "detector/fold/fold.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_REPETITIONS = 21, DEFAULT_REPETITIONS = 5, BATCH = 16 };

static void die(const char *what)
{
    fprintf(stderr, "detector_scale: %s failed\n", what);
    exit(EXIT_FAILURE);
}

/* ---- records of one rank in one step of a program ---- */

struct batch {
    struct ork_record record[BATCH];
    size_t count;
};

static void put(struct batch *b, struct ork_record record)
{
    b->record[b->count++] = record;
}

static void put_wait(struct batch *b, uint32_t count)
{
    struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = (uint8_t)count};

    put(b, (struct ork_record){.kind = ORK_KIND_WAIT, .mode = ORK_WAIT_ALL, .count = count});
    for (uint32_t i = 0; i < count; i++)
        cont.word[i] = i;
    memcpy(&b->record[b->count++], &cont, sizeof(cont));
}

static struct ork_record message(enum ork_kind kind, uint32_t peer, uint32_t request)
{
    return (struct ork_record){.kind = (uint8_t)kind,
                               .flags = ORK_F_NONBLOCKING,
                               .peer = (int32_t)peer,
                               .request = request,
                               .site = 1,
                               .bytes = 1024};
}

/* Four neighbours on a ring: Irecv and Isend each, MPI_Waitall. */
static void halo(struct batch *b, uint32_t rank, uint32_t n)
{
    const uint32_t peer[4] = {(rank + 1) % n, (rank + n - 1) % n, (rank + 2) % n,
                              (rank + n - 2) % n};

    for (uint32_t i = 0; i < 4; i++)
        put(b, message(ORK_KIND_RECV, peer[i], i));
    for (uint32_t i = 0; i < 4; i++)
        put(b, message(ORK_KIND_SEND, peer[i], 4 + i));
    put_wait(b, 8);
}

static void ring(struct batch *b, uint32_t rank, uint32_t n)
{
    put(b, (struct ork_record){.kind = ORK_KIND_SENDRECV,
                               .peer = (int32_t)((rank + 1) % n),
                               .peer2 = (int32_t)((rank + n - 1) % n),
                               .site = 1,
                               .bytes = 1024});
}

static void allreduce(struct batch *b, uint32_t rank, uint32_t n)
{
    (void)rank;
    (void)n;
    put(b, (struct ork_record){.kind = ORK_KIND_COLL,
                               .mode = ORK_COLL_ALLREDUCE,
                               .peer = ORK_NO_PEER,
                               .site = 1,
                               .bytes = 8});
}

static struct ork_record blocking(enum ork_kind kind, int32_t peer, int32_t tag)
{
    return (struct ork_record){.kind = (uint8_t)kind, .peer = peer, .tag = tag, .site = 1};
}

/* Rank 0 takes a result of any source and sends new work; the others in turn. */
static void farm_worker(struct batch *b)
{
    put(b, blocking(ORK_KIND_SEND, 0, 1));
    put(b, blocking(ORK_KIND_RECV, 0, 2));
}

static void farm_master(struct batch *b, uint32_t worker)
{
    put(b, blocking(ORK_KIND_RECV, ORK_ANY_SOURCE, 1));
    put(b, blocking(ORK_KIND_EXIT, (int32_t)worker, 1));
    put(b, blocking(ORK_KIND_SEND, (int32_t)worker, 2));
}

/* ---- feeding ---- */

/* Pairs of ranks send each other a message in turn; each pair's records come in large batches, as
 * from rings that filled meanwhile. */
enum { BOUNCES = 512 };

/* NULL: records go to the detector at once. */
static struct ork_fold *fold;

static enum ork_status feed_folded(void *context, uint32_t rank, const struct ork_record *record,
                                   size_t n)
{
    return ork_detector_feed(context, rank, record, n);
}

static void feed_records(struct ork_detector *d, uint32_t rank, const struct ork_record *record,
                         size_t n)
{
    enum ork_status status =
        fold != NULL ? ork_fold_take(fold, rank, record, n) : ork_detector_feed(d, rank, record, n);

    if (status != ORK_OK)
        die("feeding");
}

static uint64_t feed_ping_pong(struct ork_detector *d, uint32_t n, uint64_t records)
{
    static struct ork_record record[2][BOUNCES];
    uint64_t fed = 0;

    for (uint32_t pair = 0; fed < records; pair = (pair + 2) % n, fed += 2 * BOUNCES) {
        for (uint32_t side = 0; side < 2; side++) {
            for (uint32_t i = 0; i < BOUNCES; i++) {
                enum ork_kind kind = i % 2 == side ? ORK_KIND_SEND : ORK_KIND_RECV;
                record[side][i] = blocking(kind, (int32_t)(pair + 1 - side), 0);
            }
        }
        for (uint32_t side = 0; side < 2; side++)
            feed_records(d, pair + side, record[side], BOUNCES);
    }
    return fed;
}

static size_t feed(struct ork_detector *d, uint32_t rank, const struct batch *b)
{
    feed_records(d, rank, b->record, b->count);
    return b->count;
}

/* RATIONALE: until then, each rank may have several threads. */
static void feed_inits(struct ork_detector *d, uint32_t n)
{
    for (uint32_t r = 0; r < n; r++)
        feed_records(d, r,
                     &(struct ork_record){.kind = ORK_KIND_INIT,
                                          .arg = ORK_THREAD_SINGLE,
                                          .request = ORK_REQUEST_NULL,
                                          .site = 1,
                                          .peer = (int32_t)r,
                                          .arg2 = n,
                                          .bytes = r + 1},
                     1);
}

typedef void step_of(struct batch *b, uint32_t rank, uint32_t n);
typedef uint64_t feed_of(struct ork_detector *d, uint32_t n, uint64_t records);

static uint64_t feed_steps(struct ork_detector *d, step_of *step, uint32_t n, uint64_t records)
{
    uint64_t fed = 0;

    while (fed < records) {
        for (uint32_t r = 0; r < n; r++) {
            struct batch b = {.count = 0};
            step(&b, r, n);
            fed += feed(d, r, &b);
        }
    }
    return fed;
}

static void feed_each(struct ork_detector *d, const struct ork_group_record *group_record,
                      uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < group_record[i].num_spans; k++) {
            const struct ork_span *span = &group_record[i].span[k];
            for (uint32_t r = 0; r < span->count; r++)
                feed_records(d, span->first + r, &group_record[i].call, 1);
        }
    }
}

static void feed_wave(struct ork_detector *d, const struct ork_group_record *group_record,
                      uint32_t n)
{
    if (fold != NULL && ork_fold_is_on(fold)) {
        feed_each(d, group_record, n);
        return;
    }
    if (ork_detector_feed_bulk(d, group_record, n) != ORK_OK)
        die("feeding a wave");
    if (fold != NULL)
        ork_fold_note_wave(fold, group_record, n);
}

/* The same call of all ranks, as one record. */
static uint64_t feed_waves(struct ork_detector *d, uint32_t n, uint64_t records)
{
    const struct ork_span all = {0, n};
    struct batch b = {.count = 0};
    uint64_t fed = 0;

    allreduce(&b, 0, n);
    for (; fed < records; fed += n)
        feed_wave(d, &(struct ork_group_record){.call = b.record[0], .span = &all, .num_spans = 1},
                  1);
    return fed;
}

/* The root of a broadcast is at another call site than the others. */
static uint64_t feed_rooted_waves(struct ork_detector *d, uint32_t n, uint64_t records)
{
    struct ork_record call = blocking(ORK_KIND_COLL, 0, 0);
    uint64_t fed = 0;

    call.mode = ORK_COLL_BCAST;
    for (uint32_t root = 0; fed < records; root = (root + 1) % n, fed += n) {
        const struct ork_span before = {root, 1};
        const struct ork_span rest[2] = {{0, root}, {root + 1, n - root - 1}};
        struct ork_group_record group_record[2] = {{.call = call, .span = &before, .num_spans = 1},
                                                   {.call = call, .span = rest, .num_spans = 2}};
        if (root == 0 || root == n - 1) {
            group_record[1].span = root == 0 ? &rest[1] : rest;
            group_record[1].num_spans = 1;
        }
        group_record[0].call.peer = group_record[1].call.peer = (int32_t)root;
        group_record[1].call.site = 2;
        feed_wave(d, group_record, 2);
    }
    return fed;
}

/* Ranks in rows; a call of all rows is one record, for each knows its row by the same number. */
static uint64_t feed_rows(struct ork_detector *d, uint32_t n, uint64_t records)
{
    const struct ork_span all = {0, n};
    struct ork_group_record group_record = {
        .call = blocking(ORK_KIND_COLL, ORK_NO_PEER, 0), .span = &all, .num_spans = 1};
    uint64_t fed = 0;
    uint32_t width = 1;

    while (width * width < n)
        width *= 2;
    group_record.call.mode = ORK_COLL_COMM_SPLIT;
    if (ork_detector_counts(d).records == n) { /* the first time */
        feed_wave(d, &group_record, 1);
        for (uint32_t r = 0; r < n; r++) {
            struct ork_cont cont = {
                .kind = ORK_KIND_CONT, .words = 3, .word = {r / width * width, 1, width}};
            struct batch b = {.count = 0};
            put(&b, (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                        .mode = ORK_COLL_COMM_SPLIT,
                                        .comm = 2,
                                        .arg2 = 1,
                                        .count = 3});
            memcpy(&b.record[b.count++], &cont, sizeof(cont));
            fed += feed(d, r, &b);
        }
    }
    group_record.call.mode = ORK_COLL_ALLREDUCE;
    group_record.call.comm = 2;
    for (; fed < records; fed += n)
        feed_wave(d, &group_record, 1);
    return fed;
}

/* A call of all ranks as one record, then messages. */
static uint64_t feed_mixed(struct ork_detector *d, uint32_t n, uint64_t records)
{
    uint64_t fed = 0;

    while (fed < records)
        fed += feed_steps(d, halo, n, 1) + feed_waves(d, n, 1);
    return fed;
}

static uint64_t feed_farm(struct ork_detector *d, uint32_t n, uint64_t records)
{
    uint64_t fed = 0;

    for (uint32_t worker = 1; fed < records; worker = worker % (n - 1) + 1) {
        struct batch b = {.count = 0};
        farm_worker(&b);
        fed += feed(d, worker, &b);
        b.count = 0;
        farm_master(&b, worker);
        fed += feed(d, 0, &b);
    }
    return fed;
}

static const struct shape {
    const char *name;
    step_of *step; /* of each rank in turn, or (NULL) */
    feed_of *feed;
} shapes[] = {{"halo", halo, NULL},
              {"ring-sendrecv", ring, NULL},
              {"allreduce", allreduce, NULL},
              {"ping-pong", NULL, feed_ping_pong},
              {"farm", NULL, feed_farm},
              {"allreduce-waves", NULL, feed_waves},
              {"bcast-waves", NULL, feed_rooted_waves},
              {"row-waves", NULL, feed_rows},
              {"halo-and-waves", NULL, feed_mixed}};

static uint64_t feed_shape(const struct shape *shape, struct ork_detector *d, uint32_t n,
                           uint64_t records)
{
    return shape->step != NULL ? feed_steps(d, shape->step, n, records)
                               : shape->feed(d, n, records);
}

/* ---- measuring ---- */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static size_t memory_in_use(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

/* Nothing is left behind: the strict state is that of a run that goes well. */
static void check(const struct ork_detector *d, uint32_t n)
{
    for (uint32_t r = 0; r < n; r++) {
        if (ork_detector_fault(d, r) != NULL || ork_detector_rank(d, r).status != ORK_RANK_RUNNING)
            die("the program");
    }
}

struct sample {
    double ns;
    double bytes_per_rank;
    double kept;
};

static struct sample run(const struct shape *shape, uint32_t n, uint64_t records, bool folds)
{
    struct ork_detector *d = NULL;
    size_t empty = memory_in_use();

    if (ork_detector_create(n, &d) != ORK_OK)
        die("memory");
    const struct ork_fold_sink sink = {.context = d, .feed = feed_folded};
    if (folds && ork_fold_create(d, n, &sink, &fold) != ORK_OK)
        die("memory");
    feed_inits(d, n);
    feed_shape(shape, d, n, records);
    size_t before = memory_in_use();
    double begin = now();
    uint64_t fed = feed_shape(shape, d, n, records);
    double end = now();
    size_t after = memory_in_use();
    if (folds && ork_fold_stop(fold) != ORK_OK)
        die("unfolding");
    ork_fold_destroy(fold);
    fold = NULL;
    check(d, n);
    ork_detector_destroy(d);
    return (struct sample){.ns = 1e9 * (end - begin) / (double)fed,
                           .bytes_per_rank = ((double)after - (double)empty) / n,
                           .kept = (double)after - (double)before};
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *of, int count)
{
    qsort(of, (size_t)count, sizeof(*of), compare_doubles);
    return of[count / 2];
}

#ifdef BENCH_FOLD

static const char *const columns =
    "program,ranks,ns_per_record,ns_per_record_folded,bytes_per_rank,bytes_per_rank_folded";

/* In turns without a fold and with one. */
static void measure(const struct shape *shape, uint32_t n, uint64_t records, int repetitions)
{
    double ns[2][MAX_REPETITIONS];
    struct sample s[2] = {{.ns = 0}, {.ns = 0}};

    for (int i = 0; i < repetitions; i++) {
        for (unsigned folds = 0; folds < 2; folds++) {
            s[folds] = run(shape, n, records, folds != 0);
            ns[folds][i] = s[folds].ns;
        }
    }
    printf("%s,%" PRIu32 ",%.3f,%.3f,%.0f,%.0f\n", shape->name, n, median(ns[0], repetitions),
           median(ns[1], repetitions), s[0].bytes_per_rank, s[1].bytes_per_rank);
    fflush(stdout);
}

#else

static const char *const columns =
    "program,ranks,ns_per_record,million_records_per_s,bytes_per_rank,kept_bytes";

static void measure(const struct shape *shape, uint32_t n, uint64_t records, int repetitions)
{
    double ns[MAX_REPETITIONS];
    struct sample s = {0};

    for (int i = 0; i < repetitions; i++) {
        s = run(shape, n, records, false);
        ns[i] = s.ns;
    }
    double middle = median(ns, repetitions);
    printf("%s,%" PRIu32 ",%.3f,%.2f,%.0f,%.0f\n", shape->name, n, middle, 1e3 / middle,
           s.bytes_per_rank, s.kept);
    fflush(stdout);
}

#endif

int main(int argc, char **argv)
{
    double millions = argc > 1 ? strtod(argv[1], NULL) : 2;
    long repetitions = argc > 2 ? strtol(argv[2], NULL, 10) : DEFAULT_REPETITIONS;
    const uint32_t ranks[] = {16, 256, 4096, 16384};

    if (millions <= 0 || millions > 1e6 || repetitions < 1 || repetitions > MAX_REPETITIONS) {
        fprintf(
            stderr,
            "usage: detector_scale [millions of records [repetitions 1..%d [program [ranks]]]]\n",
            MAX_REPETITIONS);
        return EXIT_FAILURE;
    }
    puts(columns);
    for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
        if (argc > 3 && strcmp(argv[3], shapes[i].name) != 0)
            continue;
        for (size_t k = 0; k < sizeof(ranks) / sizeof(*ranks); k++)
            if (argc <= 4 || strtoul(argv[4], NULL, 10) == ranks[k])
                measure(&shapes[i], ranks[k], (uint64_t)(millions * 1e6), (int)repetitions);
    }
    return EXIT_SUCCESS;
}
