/* SPDX-License-Identifier: BSD-3-Clause */
/* The interceptor writes records of random programs with loops into a ring, and a reader takes
 * them: in the same thread at random moments, then in another one. What it gets has to be what was
 * written; so has what a reader gets that goes back from the latest record.
 * Usage: fuzz_ring_repetitions [programs [first seed]] */
#include "common/session.h"
#include "interceptor/ring/clock.h"
#include "interceptor/ring/recorder.h"
#include "record/ring_reader.h"
#include "tests/fuzz/budget.h"
#include "tests/unit/record/random.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { BODY_MAX = 60, DEPTH_MAX = 3, RECORDS_MAX = 60000, LIST_MAX = 40 };

/* What was written, as if nothing was repeated. */
static struct {
    struct ork_record record[RECORDS_MAX + LIST_MAX];
    uint64_t count;
} all;
static uint64_t repeated, total, backwards;
static uint64_t program;

static void fail(const char *what, uint64_t number)
{
    fprintf(stderr, "program %llu: %s at record %llu\n", (unsigned long long)program, what,
            (unsigned long long)number);
    exit(1);
}

/* Needed by recorder.c: it measures polls, which this test does not make. */
uint64_t ork_clock_ns(void)
{
    return 0;
}

int ork_real_clock(clockid_t clock, struct timespec *time)
{
    return clock_gettime(clock, time);
}

/* ---- reading ---- */

static struct ork_ring_reader reader;

static void take(const struct ork_ring_view *view, uint64_t most)
{
    struct ork_ring *ring = ork_recorder.ring;
    const struct ork_record *next;

    for (; most > 0 && (next = ork_ring_front(ring, &reader, view)) != NULL; most--) {
        if (!ork_record_is_same(next, &all.record[reader.number]))
            fail("another one", reader.number);
        ork_ring_take(&reader);
    }
    if (reader.is_broken)
        fail("broken", reader.number);
    atomic_store_explicit(&ring->tail_slot, reader.slot, memory_order_release);
    atomic_store_explicit(&ring->tail, reader.number, memory_order_release);
}

static void take_all(void)
{
    struct ork_ring_view view = ork_ring_look(ork_recorder.ring);

    take(&view, UINT64_MAX);
    if (reader.number != view.head)
        fail("the rest is missing", reader.number);
}

static void go_back(void)
{
    struct ork_ring_back back = ork_ring_back(ork_recorder.ring);
    const struct ork_record *record;
    uint64_t number = back.number;

    if (number != ork_recorder.head)
        fail("not at the end", number);
    while ((record = ork_ring_previous(&back)) != NULL && number + 3000 > ork_recorder.head) {
        if (back.number != --number || !ork_record_is_same(record, &all.record[number]))
            fail("another one before", number);
        backwards++;
    }
    if (record == NULL && number > 0 && number + ORK_RING_RECORDS / 2 > ork_recorder.head)
        fail("none before", number);
}

/* ---- writing ---- */

static void write_record(const struct ork_record *record, const uint32_t *word)
{
    all.record[all.count++] = *record;
    for (uint32_t i = 0; i < record->count; i++) {
        if (i % ORK_CONT_WORDS == 0)
            all.record[all.count++] = (struct ork_record){.kind = ORK_KIND_CONT};
        struct ork_cont *cont = (void *)&all.record[all.count - 1];
        cont->word[cont->words++] = word[i];
    }
    if (record->count == 0) {
        ork_put(record);
        return;
    }
    struct ork_list list;
    ork_list_begin(&list, record);
    for (uint32_t i = 0; i < record->count; i++)
        ork_list_add(&list, word[i]);
    ork_list_end(&list);
}

struct step {
    struct ork_record record;
    uint32_t word[LIST_MAX];
    uint32_t loops;  /* iterations of the loop that ends here; 0: none does */
    uint32_t body;   /* steps in it */
    uint32_t varies; /* in one of so many times, it is otherwise; 0: never */
};

static struct step step[BODY_MAX];
static uint64_t seed;

static void make_program(void)
{
    uint32_t kinds = 1 + (uint32_t)(random_next(&seed) % 5);

    for (uint32_t i = 0; i < BODY_MAX; i++) {
        struct step *s = &step[i];
        *s = (struct step){
            .record = {.kind = ORK_KIND_SEND, .site = (uint32_t)(random_next(&seed) % kinds)}};
        s->record.count =
            random_next(&seed) % 4 == 0 ? (uint32_t)(random_next(&seed) % LIST_MAX) : 0;
        for (uint32_t w = 0; w < s->record.count; w++)
            s->word[w] = (uint32_t)(random_next(&seed) % 3);
        if (random_next(&seed) % 6 == 0) {
            s->body = 1 + (uint32_t)(random_next(&seed) % (i + 1));
            s->loops =
                1 + (uint32_t)(random_next(&seed) % (random_next(&seed) % 8 == 0 ? 5000 : 20));
        }
        if (random_next(&seed) % 20 == 0)
            s->varies = 1 + (uint32_t)(random_next(&seed) % 200);
    }
}

static void write_step(const struct step *s)
{
    struct step now = *s;

    if (s->varies > 0 && random_next(&seed) % s->varies == 0) {
        if (s->record.count > 0 && random_next(&seed) % 2 == 0)
            now.word[random_next(&seed) % s->record.count]++;
        else
            now.record.extra = random_next(&seed);
    }
    write_record(&now.record, now.word);
}

static uint32_t narrow; /* a block that was to become wider; 0: none */
static uint64_t wide;   /* blocks that have become so */

static void widen_sometimes(bool now)
{
    const uint32_t block = ork_recorder.block;

    if (narrow != 0 && block != 0) {
        wide += block > narrow && block % narrow == 0;
        narrow = 0;
    }
    if (!now || block == 0)
        return;
    ork_repeat_widen();
    narrow = ork_recorder.block == 0 ? block : 0;
}

/* RATIONALE: a full ring would wait for the reader, which is this thread. */
static void read_sometimes(void)
{
    uint64_t what = random_next(&seed) % 64;

    if (what % 4 != 0)
        ork_publish();
    if (ork_recorder.head + ORK_RING_RECORDS / 2 >= ork_recorder.limit) {
        ork_publish();
        take_all();
        ork_ring_set_limit();
    }
    if (what == 1) {
        struct ork_ring_view view = ork_ring_look(ork_recorder.ring);
        take(&view, random_next(&seed) % 5000);
    }
    widen_sometimes(what == 3 && random_next(&seed) % 16 == 0);
    if (what == 2 && random_next(&seed) % 32 == 0) {
        ork_publish();
        go_back();
    }
}

/* The steps before `end`, with their loops; the innermost first. */
static void run(uint32_t begin, uint32_t end, int depth, void (*after)(void))
{
    for (uint32_t i = begin; i < end && all.count < RECORDS_MAX; i++) {
        write_step(&step[i]);
        after();
        uint32_t from = step[i].body < i - begin ? i - step[i].body : begin;
        for (uint32_t n = 0; depth < DEPTH_MAX && n < step[i].loops && all.count < RECORDS_MAX; n++)
            run(from, i, depth + 1, after);
    }
}

static void new_ring(struct ork_ring *ring)
{
    memset(ring, 0, offsetof(struct ork_ring, slot));
    ork_recorder.block = 0;
    ork_recorder_adopt(ring, ork_recorder.socket);
    ork_repeat_init();
    reader = (struct ork_ring_reader){0};
    all.count = 0;
}

/* ---- an inner loop ---- */

enum { OUTER = 200, INNER = 31, OFFSETS = 150 };

static void write_many(uint32_t site, uint32_t times)
{
    const struct ork_record record = {.kind = ORK_KIND_SEND, .site = site};

    for (uint32_t i = 0; i < times; i++) {
        write_record(&record, NULL);
        ork_publish();
        take_all();
        ork_ring_set_limit();
    }
}

/* The block of the outer loop is found, wherever the first look is. */
static void run_inner_loops(struct ork_ring *ring, uint32_t offset)
{
    new_ring(ring);
    write_many(5, offset);
    write_many(6, 1);
    for (uint32_t i = 0; i < OUTER; i++) {
        write_many(1, INNER);
        write_many(2, INNER);
        write_many(3, 1);
        write_many(4, 1);
    }
    if (ork_recorder.slot > offset + all.count / 3)
        fail("the outer loop is not repeated", offset);
    if (ork_recorder.block != 2 * INNER + 2)
        fail("another block", ork_recorder.block);
}

/* ---- two threads ---- */

static _Atomic bool is_over;

static void *read_on(void *unused)
{
    struct ork_ring *ring = ork_recorder.ring;

    (void)unused;
    for (;;) {
        bool last = atomic_load(&is_over);
        struct ork_ring_view view = ork_ring_look(ring);
        take(&view, 3000);
        if (last && reader.number == view.head)
            return NULL;
    }
}

static void publish(void)
{
    ork_publish();
}

static void run_beside_reader(void)
{
    pthread_t thread;

    atomic_store(&is_over, false);
    if (pthread_create(&thread, NULL, read_on, NULL) != 0)
        exit(2);
    run(0, BODY_MAX, 0, publish);
    ork_publish();
    atomic_store(&is_over, true);
    pthread_join(thread, NULL);
    if (reader.number != all.count)
        fail("records are missing", reader.number);
}

int main(int argc, char **argv)
{
    uint64_t programs = argc > 1 ? strtoull(argv[1], NULL, 10) : 300;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct ork_ring *ring = aligned_alloc(4096, sizeof(*ring));
    int end[2];

    if (ring == NULL || socketpair(AF_UNIX, SOCK_STREAM, 0, end) != 0)
        return 2;
    ork_recorder.socket = end[0];
    atomic_store(&ork_recording, true);
    for (program = first; program - first < (programs = within_budget(program - first, programs));
         program++) {
        seed = program;
        make_program();
        new_ring(ring);
        run(0, BODY_MAX, 0, read_sometimes);
        ork_publish();
        go_back();
        take_all();
        if (reader.number != all.count)
            fail("records are missing", reader.number);
        total += all.count;
        repeated += all.count - ork_recorder.slot;
        new_ring(ring);
        run_beside_reader();
    }
    for (uint32_t offset = 0; offset < OFFSETS; offset++)
        run_inner_loops(ring, offset);
    setenv(ORK_ENV_FOLD, "off", 1);
    new_ring(ring);
    run_beside_reader();
    if (ork_recorder.slot != all.count)
        fail("with --must:fold off there was a repetition before", all.count);
    printf("%llu programs, %llu records, %llu in no slot, %llu read backwards, %llu wider blocks\n",
           (unsigned long long)programs, (unsigned long long)total, (unsigned long long)repeated,
           (unsigned long long)backwards, (unsigned long long)wide);
    free(ring);
    return (repeated > total / 4 && wide > 0) || programs < 100 ? 0 : 1;
}
