/* SPDX-License-Identifier: BSD-3-Clause */
/* How probing grows with the number of receives that are to be decided, with and without each of
 * its short cuts; CSV on stdout. probe_scale [repetitions]; times are medians. A search is given up
 * after two seconds. */
#include "detector/interleave/interleave.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_REPETITIONS = 101, DEFAULT_REPETITIONS = 5 };
#define LIMIT 2.0

static void die(const char *what)
{
    fprintf(stderr, "probe_scale: %s failed\n", what);
    exit(EXIT_FAILURE);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_expired(void *context)
{
    return now() > *(const double *)context;
}

/* ---- programs; group 0 are all ranks ---- */

static uint32_t post(struct ork_interleave *p, bool is_send, uint32_t rank, uint32_t peer,
                     int32_t tag)
{
    return ork_interleave_post(p, &(struct ork_interleave_op){.rank = rank,
                                                              .is_send = is_send,
                                                              .peer = peer,
                                                              .tag = tag,
                                                              .took = ORK_INTERLEAVE_ANY,
                                                              .took_tag = -1});
}

static void await(struct ork_interleave *p, uint32_t rank, bool is_wave, uint32_t number)
{
    const struct ork_interleave_part part = {
        .is_whole = true, .is_wave = is_wave, .number = number};

    ork_interleave_await(p, rank, ORK_INTERLEAVE_ALL, &part, 1, 0, ORK_INTERLEAVE_NONE);
}

static void send(struct ork_interleave *p, uint32_t rank, uint32_t peer, int32_t tag)
{
    await(p, rank, false, post(p, true, rank, peer, tag));
}

static void recv(struct ork_interleave *p, uint32_t rank, uint32_t peer, int32_t tag)
{
    await(p, rank, false, post(p, false, rank, peer, tag));
}

static struct ork_interleave *create(uint32_t ranks)
{
    struct ork_interleave *p;
    uint32_t *all = malloc(ranks * sizeof(*all));

    if (all == NULL || ork_interleave_create(ranks, &p) != ORK_OK)
        die("memory");
    for (uint32_t r = 0; r < ranks; r++) {
        all[r] = r;
        ork_interleave_set_end(p, r, ORK_INTERLEAVE_ENDED);
    }
    ork_interleave_group(p, all, ranks);
    free(all);
    return p;
}

static struct ork_interleave *farm(uint32_t workers)
{
    struct ork_interleave *p = create(workers + 1);

    for (uint32_t r = 1; r <= workers; r++) {
        for (unsigned i = 0; i < 4; i++) {
            recv(p, 0, ORK_INTERLEAVE_ANY, 0);
            send(p, r, 0, 0);
        }
    }
    return p;
}

/* At last the master answers all, in the order of their numbers: they are not alike. */
static void answer_all(struct ork_interleave *p, uint32_t workers)
{
    for (uint32_t r = 1; r <= workers; r++) {
        recv(p, 0, ORK_INTERLEAVE_ANY, 0);
        send(p, r, 0, 0);
    }
    for (uint32_t r = 1; r <= workers; r++) {
        send(p, 0, r, 1);
        recv(p, r, 0, 1);
    }
}

static struct ork_interleave *farm_with_answers(uint32_t workers)
{
    struct ork_interleave *p = create(workers + 1);

    answer_all(p, workers);
    return p;
}

/* Rank `to` takes two messages of each of two others, one of each by its tag. */
static void take_four(struct ork_interleave *p, uint32_t to, uint32_t a, uint32_t b, int32_t tag)
{
    for (int32_t i = 0; i < 2; i++) {
        recv(p, to, ORK_INTERLEAVE_ANY, tag + i);
        recv(p, to, ORK_INTERLEAVE_ANY, tag + i);
        send(p, a, to, tag + i);
        send(p, b, to, tag + i);
    }
}

static struct ork_interleave *independent(uint32_t triples)
{
    struct ork_interleave *p = create(3 * triples);

    for (uint32_t r = 0; r < 3 * triples; r += 3)
        take_four(p, r, r + 1, r + 2, 0);
    return p;
}

/* One after the other at the same ranks. The first one may go wrong, and is the last one to be
 * decided otherwise. */
static struct ork_interleave *chain(uint32_t links)
{
    struct ork_interleave *p = create(3);

    for (uint32_t i = 0; i < links; i++) {
        uint32_t wave = ork_interleave_wave(p, 0, false, ORK_INTERLEAVE_NONE);
        uint32_t any = post(p, false, 1, ORK_INTERLEAVE_ANY, 0);
        uint32_t other = post(p, false, 1, i == 0 ? 2 : ORK_INTERLEAVE_ANY, 0);
        await(p, 1, false, any);
        await(p, 1, false, other);
        send(p, 0, 1, 0);
        send(p, 2, 1, 0);
        for (uint32_t r = 0; r < 3; r++) {
            ork_interleave_arrive(p, r, wave);
            await(p, r, true, wave);
        }
    }
    return p;
}

/* The deadlock needs a message that is sent only when another receive was decided. The first of
 * many such places has one; at the others both messages are taken. */
static struct ork_interleave *deferral(uint32_t links)
{
    struct ork_interleave *p = create(4 * links);

    for (uint32_t r = 0; r < 4 * links; r += 4) {
        recv(p, r, ORK_INTERLEAVE_ANY, 0);
        recv(p, r, r == 0 ? r + 1 : ORK_INTERLEAVE_ANY, 0);
        recv(p, r + 1, ORK_INTERLEAVE_ANY, 0);
        send(p, r + 1, r, 0);
        send(p, r + 2, r, 0);
        send(p, r + 3, r + 1, 0);
        if (r > 0) /* all are one component */
            recv(p, r, r - 1, 1);
        if (r + 4 < 4 * links)
            send(p, r + 3, r + 4, 1);
    }
    return p;
}

/* The first receive may go wrong, and is the last one to be decided otherwise: before that come all
 * orders of the others. */
static struct ork_interleave *one_of_many(uint32_t workers)
{
    struct ork_interleave *p = create(workers + 1);

    recv(p, 0, ORK_INTERLEAVE_ANY, 2);
    recv(p, 0, 2, 2);
    send(p, 1, 0, 2);
    send(p, 2, 0, 2);
    answer_all(p, workers);
    return p;
}

struct family {
    const char *name;
    struct ork_interleave *(*build)(uint32_t size);
    uint32_t size[5];
};

static const struct family families[] = {
    {"farm", farm, {4, 16, 64, 256, 1024}},
    {"farm-with-answers", farm_with_answers, {4, 6, 8, 12, 16}},
    {"independent", independent, {2, 4, 8, 64, 512}},
    {"chain", chain, {2, 4, 8, 16, 256}},
    {"deferral", deferral, {1, 2, 4, 8, 16}},
    {"one-of-many", one_of_many, {4, 5, 6, 8, 12}},
};

struct variant {
    const char *name;
    struct ork_interleave_options options;
};

static const struct variant variants[] = {
    {"all-short-cuts", {0}},
    {"no-filter", {.no_filter = true}},
    {"no-components", {.no_components = true}},
    {"no-persistent-sets", {.no_persistent = true}},
    {"no-memo", {.no_memo = true}},
    {"no-symmetry", {.no_symmetry = true}},
    {"none",
     {.no_filter = true,
      .no_components = true,
      .no_persistent = true,
      .no_memo = true,
      .no_symmetry = true}},
};

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static void measure(const struct family *family, uint32_t size, const struct variant *variant,
                    int repetitions)
{
    static const char *const word[] = {"safe", "deadlock", "given-up"};
    struct ork_interleave_statistics statistics = {0};
    enum ork_interleave_result result = ORK_INTERLEAVE_STOPPED;
    double sample[MAX_REPETITIONS];
    int done = 0;

    do {
        struct ork_interleave *p = family->build(size);
        struct ork_interleave_options options = variant->options;
        double begin = now();
        double limit = begin + LIMIT;
        options.expired = is_expired;
        options.context = &limit;
        if (ork_interleave_search(p, &options, &result) != ORK_OK)
            die("search");
        sample[done++] = now() - begin;
        statistics = ork_interleave_statistics(p);
        ork_interleave_destroy(p);
    } while (done < repetitions && result != ORK_INTERLEAVE_STOPPED);
    qsort(sample, (size_t)done, sizeof(double), compare_doubles);
    printf("%s,%" PRIu32 ",%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%.3f\n", family->name, size,
           variant->name, word[result], statistics.states, statistics.leaves,
           statistics.open_components, 1e3 * sample[done / 2]);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    long repetitions = argc > 1 ? strtol(argv[1], NULL, 10) : DEFAULT_REPETITIONS;

    if (repetitions < 1 || repetitions > MAX_REPETITIONS) {
        fprintf(stderr, "usage: probe_scale [repetitions 1..%d]\n", MAX_REPETITIONS);
        return EXIT_FAILURE;
    }
    printf("program,size,variant,result,states,leaves,open_components,search_ms\n");
    for (size_t f = 0; f < sizeof(families) / sizeof(*families); f++) {
        for (size_t i = 0; i < sizeof(families[f].size) / sizeof(*families[f].size); i++) {
            for (size_t v = 0; v < sizeof(variants) / sizeof(*variants); v++)
                measure(&families[f], families[f].size[i], &variants[v], (int)repetitions);
        }
    }
    return EXIT_SUCCESS;
}
