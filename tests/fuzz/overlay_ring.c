/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 scribbles over its whole ring while a leaf drains it into a root; ranks 1 and 2 go about
 * their business. Nothing may crash or take long, and no deadlock may be told of ranks 1 and 2.
 * Usage: fuzz_overlay_ring [rounds [first seed]] */
#include "overlay/root/root.h"
#include "overlay/leaf/leaf.h"
#include "tests/fuzz/budget.h"
#include "tests/unit/overlay/stage/peer.h"
#include "tests/unit/overlay/stage/script.h"
#include "tests/unit/record/random.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RANKS = 3, STEPS = 60, LIMIT_SECONDS = 300, RECORDS = (int)ORK_RING_RECORDS };

enum style { ALL, HEADER, SLOTS, PLAUSIBLE, ONES, STYLES };

struct scribbler {
    struct peer *peer;
    uint64_t seed;
    enum style style;
    _Atomic bool stop;
};

static uint64_t reported; /* findings in all */

/* ---- the rank that writes over its ring ---- */

static void write_words(volatile uint64_t *word, size_t n, uint64_t *seed, bool ones)
{
    size_t from = (size_t)random_next(seed) % n;

    for (size_t i = from; i < n && i < from + 512; i++)
        word[i] = ones ? UINT64_MAX : random_value(seed);
}

/* Records as an interceptor could write them, in an order that it would not. */
static void write_plausible(struct peer *peer, uint64_t *seed)
{
    struct ork_record record = {0};

    for (int i = 0; i < 64 && peer->head - atomic_load(&peer->ring->tail) < RECORDS; i++) {
        random_record(seed, &record);
        record.kind = (uint8_t)(random_next(seed) % ORK_KIND_MAX);
        record.thread %= 4;
        record.mode %= ORK_COLL_MAX;
        record.comm %= 4;
        record.request %= 16;
        record.peer = (int32_t)(random_next(seed) % 6) - 3;
        record.site %= 100;
        record.count = record.kind == ORK_KIND_CONT ? record.count : record.count % 4;
        if (random_next(seed) % 16 == 0) {
            record.kind = ORK_RING_REPETITION;
            record.arg = (uint32_t)(random_next(seed) % 64);
            record.extra = random_next(seed) % 300;
        }
        if (record.kind != ORK_KIND_ABORT) /* nobody is searched after that */
            peer_put(peer, &record);
    }
    if (random_next(seed) % 8 == 0)
        atomic_store(&peer->ring->repetition,
                     ork_repetition_pack(peer->head, (uint32_t)(random_next(seed) % 64)));
    peer_state(peer, (uint32_t)(random_next(seed) % 4), (enum ork_state)(random_next(seed) % 4));
    atomic_store(&peer->ring->threads, (uint32_t)(random_next(seed) % 5));
}

static void *scribble(void *argument)
{
    struct scribbler *s = argument;
    struct ork_ring *ring = s->peer->ring;
    volatile uint64_t *word = (volatile uint64_t *)(void *)ring;
    const size_t all = sizeof(*ring) / sizeof(*word);
    const size_t header = offsetof(struct ork_ring, slot) / sizeof(*word);

    while (!atomic_load(&s->stop)) {
        switch ((int)s->style) {
        case ALL:
            write_words(word, all, &s->seed, false);
            break;
        case HEADER:
            write_words(word, header, &s->seed, false);
            break;
        case SLOTS: /* garbage, published as it should be */
            write_words(word + header, all - header, &s->seed, false);
            atomic_store(&ring->head, atomic_load(&ring->tail) + random_next(&s->seed) % 100);
            break;
        case PLAUSIBLE:
            write_plausible(s->peer, &s->seed);
            break;
        default:
            write_words(word, all, &s->seed, true);
        }
        if (random_next(&s->seed) % 8 == 0)
            usleep(100);
    }
    return NULL;
}

/* ---- the tool ---- */

static void on_finding(void *context, const struct ork_finding *finding, bool fatal)
{
    const uint64_t *seed = context;

    (void)fatal;
    reported++;
    if (strcmp(finding->id, "deadlock") != 0)
        return;
    for (uint32_t i = 0; i < finding->ranks.count; i++) {
        if (finding->ranks.item[i] == 0)
            continue;
        fprintf(stderr, "seed %llu: a deadlock of rank %u: %s\n", (unsigned long long)*seed,
                finding->ranks.item[i], finding->message);
        exit(1);
    }
}

static void on_state(void *context, const struct ork_finding *finding)
{
    (void)context;
    (void)finding;
}

static void on_stacks(void *context, const struct ork_finding *finding, bool fatal)
{
    (void)context;
    (void)finding;
    (void)fatal;
}

static void on_stuck(void *context)
{
    (void)context;
}

static void check(enum ork_status status, const char *what, uint64_t seed)
{
    if (status == ORK_OK)
        return;
    fprintf(stderr, "seed %llu: %s: %s\n", (unsigned long long)seed, what, ork_status_text(status));
    exit(1);
}

static size_t step(struct ork_leaf *leaf, struct ork_root *root, uint64_t seed)
{
    size_t moved;

    check(ork_leaf_step(leaf, &moved), "leaf", seed);
    check(ork_root_step(root), "root", seed);
    return moved;
}

/* Rank 1 sends to rank 2, which receives. */
static void work(struct peer *peer, uint32_t rank)
{
    struct script s = {.n = 0};

    for (int i = 0; i < 20; i++) {
        if (rank == 1)
            script_send(&s, 2, 5);
        else
            script_recv(&s, 1, 5);
    }
    for (size_t i = 0; i < s.n; i++)
        peer_put(peer, &s.record[i]);
    peer_state(peer, 0, ORK_STATE_RUNNING);
}

static void begin(struct peer *peer, uint32_t rank)
{
    struct script s = {.n = 0};

    script_init(&s, rank, RANKS);
    peer_put(peer, &s.record[0]);
}

static void end_all(struct peer *peer, struct ork_leaf *leaf, struct ork_root *root, uint64_t seed)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        if (r > 0)
            peer_state(&peer[r], 0, ORK_STATE_DONE);
        close(peer[r].socket);
        peer[r].socket = -1;
    }
    for (int i = 0; i < 100 && ork_leaf_num_attached(leaf) > 0; i++)
        step(leaf, root, seed);
    if (ork_leaf_num_attached(leaf) > 0) {
        fprintf(stderr, "seed %llu: a rank that is gone is still attached\n",
                (unsigned long long)seed);
        exit(1);
    }
}

static void play(struct peer *peer, struct ork_leaf *leaf, struct ork_root *root, uint64_t seed)
{
    struct scribbler s = {
        .peer = &peer[0], .seed = seed * 7919 + 1, .style = (enum style)(seed % STYLES)};
    pthread_t thread;

    for (uint32_t r = 0; r < RANKS; r++)
        begin(&peer[r], r);
    if (pthread_create(&thread, NULL, scribble, &s) != 0)
        check(ORK_NOMEM, "thread", seed);
    for (int i = 0; i < STEPS; i++) {
        for (uint32_t r = 1; r < RANKS; r++)
            work(&peer[r], r);
        step(leaf, root, seed);
        usleep(200);
    }
    atomic_store(&s.stop, true);
    pthread_join(thread, NULL);
}

static void run_round(uint64_t seed)
{
    const struct ork_root_options options = {.deadlocks = true};
    const struct ork_report_sink sink = {.context = &seed,
                                         .finding = on_finding,
                                         .stacks = on_stacks,
                                         .state = on_state,
                                         .stuck = on_stuck};
    const char *session = peer_session();
    struct ork_root *root;
    struct ork_leaf *leaf;
    struct ork_report report;
    struct peer peer[RANKS];

    check(ork_root_create(&options, &sink, &root), "start", seed);
    struct ork_up up = ork_root_up(root);
    check(ork_leaf_create(session, PEER_TOKEN, 0, &up, &leaf), "start", seed);
    struct ork_down down = ork_leaf_down(leaf);
    check(ork_root_set_down(root, &down, 1), "start", seed);
    for (uint32_t r = 0; r < RANKS; r++) {
        struct ork_hello hello = peer_hello(r);
        peer_attach(&peer[r], session, &hello);
        step(leaf, root, seed);
    }
    play(peer, leaf, root, seed);
    end_all(peer, leaf, root, seed);
    check(ork_root_finish(root), "finish", seed);
    ork_report_init(&report);
    check(ork_root_summary(root, &report), "summary", seed);
    ork_report_release(&report);
    ork_leaf_destroy(leaf);
    ork_root_destroy(root);
    for (uint32_t r = 0; r < RANKS; r++)
        peer_detach(&peer[r]);
}

int main(int argc, char **argv)
{
    uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 250;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;

    for (uint64_t i = 0; i < (rounds = within_budget(i, rounds)); i++) {
        alarm(LIMIT_SECONDS); /* ends the test by its signal */
        run_round(seed + i);
    }
    printf("%llu rounds, %llu findings\n", (unsigned long long)rounds,
           (unsigned long long)reported);
    return reported == 0; /* some ring must have been noticed */
}
