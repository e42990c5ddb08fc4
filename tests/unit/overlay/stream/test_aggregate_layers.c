/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of calls through joins, in one layer or in several: what comes out is, rank by rank, what
 * went in. */
#include "overlay/stream/wire.h"
#include "tests/unit/overlay/stage/unit.h"
#include "tests/unit/overlay/stage/wave.h"
#include "tests/unit/record/random.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 12, LENGTH = 40, COMMS = 4, MS = 1000000 };

/* What a rank does: records in its order. */
struct program {
    struct ork_record record[LENGTH];
    unsigned n;
};

/* What came out, and how. */
struct out {
    const struct program *program; /* of each rank, to compare with */
    unsigned came[RANKS];
    unsigned waves, most_ranks, parts;
};

static void take(struct out *o, uint32_t rank, const struct ork_record *record)
{
    assert_in_range(rank, 0, RANKS - 1);
    assert_true(o->came[rank] < o->program[rank].n);
    assert_memory_equal(record, &o->program[rank].record[o->came[rank]], sizeof(*record));
    o->came[rank]++;
}

static enum ork_status on_wave(void *context, const struct ork_event *event)
{
    const struct ork_wave *wave = event->wave;
    struct out *o = context;
    unsigned ranks = wave_ranks(wave);

    wave_assert_tidy(wave);
    o->waves++;
    o->most_ranks = ranks > o->most_ranks ? ranks : o->most_ranks;
    o->parts += wave->num_group_records;
    for (uint32_t i = 0; i < wave->num_group_records; i++) {
        const struct ork_group_record *a = &wave->group_record[i];
        for (uint32_t k = 0; k < a->num_spans; k++) {
            for (uint32_t r = 0; r < a->span[k].count; r++)
                take(o, a->span[k].first + r, &a->call);
        }
    }
    return ORK_OK;
}

/* ---- a row of joins below one: the streams of a node ---- */

/* What a leaf sent up: a record of one rank, or a wave. */
struct event {
    struct event *next;
    bool is_wave;
    uint32_t rank;
    struct ork_record record;
    struct ork_wave wave;
    struct ork_group_record group_record[RANKS];
    struct ork_span span[RANKS];
};

struct queue {
    struct event *first, **end;
};

static struct event *push(struct queue *q)
{
    struct event *e = calloc(1, sizeof(*e));

    assert_non_null(e);
    *q->end = e;
    q->end = &e->next;
    return e;
}

static void pop(struct queue *q)
{
    struct event *e = q->first;

    q->first = e->next;
    if (q->first == NULL)
        q->end = &q->first;
    free(e);
}

static enum ork_status keep_wave(void *context, const struct ork_event *event)
{
    const struct ork_wave *wave = event->wave;
    struct event *e = push(context);
    struct ork_span *span = e->span;

    wave_assert_tidy(wave);
    assert_in_range(wave->num_group_records, 1, RANKS);
    e->is_wave = true;
    for (uint32_t i = 0; i < wave->num_group_records; i++) {
        const struct ork_group_record *a = &wave->group_record[i];
        e->group_record[i] = (struct ork_group_record){a->call, span, a->num_spans};
        memcpy(span, a->span, a->num_spans * sizeof(*span));
        span += a->num_spans;
    }
    e->wave = (struct ork_wave){wave->index, wave->group, e->group_record, wave->num_group_records};
    return ORK_OK;
}

enum { LEAVES_MAX = 4 };

struct tree {
    unsigned leaves;
    struct ork_aggregate *leaf[LEAVES_MAX], *top;
    struct queue queue[LEAVES_MAX];
    const struct program *program;
    struct out out;
    unsigned at[RANKS];
    uint32_t index[RANKS][COMMS];
    uint64_t now, seed;
    bool patient; /* let go what is held only when nothing else moves */
};

static void tree_init(struct tree *t, const struct program *program, unsigned leaves, uint64_t seed)
{
    struct ork_up sink = {.context = &t->out, .deliver = on_wave};

    memset(t, 0, sizeof(*t));
    t->program = t->out.program = program;
    t->leaves = leaves;
    t->seed = seed;
    assert_int_equal(ork_aggregate_create(&sink, &t->top), ORK_OK);
    for (unsigned i = 0; i < leaves; i++) {
        t->queue[i].end = &t->queue[i].first;
        sink = (struct ork_up){.context = &t->queue[i], .deliver = keep_wave};
        assert_int_equal(ork_aggregate_create(&sink, &t->leaf[i]), ORK_OK);
    }
}

static void tree_release(struct tree *t)
{
    for (unsigned i = 0; i < t->leaves; i++) {
        assert_null(t->queue[i].first);
        ork_aggregate_destroy(t->leaf[i]);
    }
    ork_aggregate_destroy(t->top);
}

/* The next record of a rank goes to its leaf, if it is not held there. */
static bool move_rank(struct tree *t, uint32_t rank)
{
    const struct program *p = &t->program[rank];
    unsigned leaf = rank % t->leaves; /* neighbours are at different ones: many spans */

    if (t->at[rank] == p->n || ork_aggregate_buffers(t->leaf[leaf], rank))
        return false;
    const struct ork_record *record = &p->record[t->at[rank]++];
    if (!ork_aggregate_takes(record)) {
        struct event *e = push(&t->queue[leaf]);
        e->rank = rank;
        e->record = *record;
        return true;
    }
    struct ork_span span = {rank, 1};
    struct ork_group_record group_record = {*record, &span, 1};
    struct ork_wave wave = {t->index[rank][record->comm]++, 0, &group_record, 1};
    assert_int_equal(ork_aggregate_arrive(t->leaf[leaf], rank, &wave, t->now), ORK_OK);
    return true;
}

static bool move_leaf(struct tree *t, unsigned leaf)
{
    struct event *e = t->queue[leaf].first;

    if (e == NULL || ork_aggregate_buffers(t->top, leaf))
        return false;
    if (e->is_wave)
        assert_int_equal(ork_aggregate_arrive(t->top, leaf, &e->wave, t->now), ORK_OK);
    else
        take(&t->out, e->rank, &e->record);
    pop(&t->queue[leaf]);
    return true;
}

/* Some random thing that can be done; false: there is none. */
static bool move_any(struct tree *t)
{
    unsigned from = (unsigned)(random_next(&t->seed) % (RANKS + t->leaves));

    for (unsigned i = 0; i < RANKS + t->leaves; i++) {
        unsigned which = (from + i) % (RANKS + t->leaves);
        if (which < RANKS ? move_rank(t, which) : move_leaf(t, which - RANKS))
            return true;
    }
    return false;
}

static void flush(struct tree *t, uint64_t before)
{
    for (unsigned i = 0; i < t->leaves; i++)
        assert_int_equal(ork_aggregate_flush(t->leaf[i], before), ORK_OK);
    assert_int_equal(ork_aggregate_flush(t->top, before), ORK_OK);
}

static void tree_run(struct tree *t)
{
    uint64_t moved;

    do {
        moved = t->now;
        while (move_any(t)) {
            t->now++;
            if (!t->patient && random_next(&t->seed) % 64 == 0)
                flush(t, t->now - random_next(&t->seed) % 20);
        }
        flush(t, UINT64_MAX);
        t->now++;
    } while (t->now > moved + 1 || t->queue[0].first != NULL);
    for (unsigned r = 0; r < RANKS; r++)
        assert_int_equal(t->out.came[r], t->program[r].n);
    assert_int_equal(ork_aggregate_num_buffered(t->top), 0);
}

/* ---- what is the same however it is joined ---- */

/* Records of any kind, on few communicators; where two are equal it is by chance. */
static void write_randomly(struct program *p, uint64_t *seed)
{
    p->n = (unsigned)(random_next(seed) % (LENGTH + 1));
    for (unsigned i = 0; i < p->n; i++) {
        struct ork_record *record = &p->record[i];
        *record = (struct ork_record){.kind = ORK_KIND_OPAQUE, .extra = random_next(seed) % 3};
        if (random_next(seed) % 3 == 0)
            continue;
        *record = (struct ork_record){
            .kind = ORK_KIND_COLL,
            .mode = random_next(seed) % 8 == 0 ? ORK_COLL_BCAST : ORK_COLL_BARRIER,
            .comm = (uint32_t)(random_next(seed) % COMMS),
            .bytes = random_next(seed) % 8 == 0 ? 8 * (random_next(seed) % 4) : 8};
        if (random_next(seed) % 16 == 0)
            record->flags = ORK_F_NONBLOCKING;
    }
}

static void the_order_of_each_rank_is_kept(void **state)
{
    static struct program program[RANKS];
    static struct tree tree;
    unsigned joined = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        uint64_t random = seed;
        for (unsigned r = 0; r < RANKS; r++)
            write_randomly(&program[r], &random);
        tree_init(&tree, program, 1 + (unsigned)(seed % LEAVES_MAX), seed);
        tree_run(&tree);
        joined += tree.out.most_ranks > 1;
        tree_release(&tree);
    }
    assert_true(joined > 1000);
}

/* All call the same in the same order, with other things in between. */
static void write_regularly(struct program *p, uint32_t rank, uint64_t seed)
{
    unsigned calls = 0;

    memset(p, 0, sizeof(*p));
    for (p->n = 0; calls < LENGTH / 4; p->n++) {
        struct ork_record *record = &p->record[p->n];
        if ((seed >> rank ^ p->n) % 3 == 0) {
            record->kind = ORK_KIND_OPAQUE;
            continue;
        }
        *record = (struct ork_record){
            .kind = ORK_KIND_COLL, .mode = ORK_COLL_BARRIER, .comm = calls++ % 2 == 0 ? 0 : 2};
    }
}

static void a_regular_program_needs_few_waves(void **state)
{
    static struct program program[RANKS];
    static struct tree tree;

    (void)state;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        for (unsigned r = 0; r < RANKS; r++)
            write_regularly(&program[r], r, seed);
        tree_init(&tree, program, 1 + (unsigned)(seed % LEAVES_MAX), seed);
        tree.patient = true;
        tree_run(&tree);
        assert_int_equal(tree.out.most_ranks, RANKS);
        assert_in_range(tree.out.waves, LENGTH / 4, LENGTH / 4 + 3 * LEAVES_MAX);
        tree_release(&tree);
    }
}

/* ---- waves of many parts ---- */

/* Joins on top of each other; the last one writes to a frame that is as long as one may be. */
enum { LAYERS = 6, MANY = 1188 }; /* MANY: 198 at each layer */

static uint8_t frame[ORK_FRAME_MAX];
static size_t written;

static uint8_t *reserve(void *context, size_t size)
{
    (void)context;
    assert_in_range(size, 0, ORK_FRAME_MAX);
    return frame;
}

static void commit(void *context, size_t size)
{
    (void)context;
    assert_in_range(size, 0, ORK_FRAME_MAX);
    written += size;
}

static size_t room(void *context)
{
    (void)context;
    return ORK_FRAME_MAX;
}

struct layer {
    struct ork_aggregate *join;
    struct layer *above;
    struct ork_up up; /* of the last */
    unsigned ranks;
};

static enum ork_status rise(void *context, const struct ork_event *event)
{
    const struct ork_wave *wave = event->wave;
    struct layer *l = context;

    wave_assert_tidy(wave);
    l->ranks += wave_ranks(wave);
    if (l->above == NULL)
        return ork_up_deliver(&l->up, event);
    return ork_aggregate_arrive(l->above->join, 0, wave, 1);
}

/* A call that no other is equal to, as long as one can be when it is coded. */
static void come_alone(struct layer *l, uint32_t rank, uint64_t *seed)
{
    struct ork_span span = {2 * rank, 1};
    struct ork_group_record group_record = {{0}, &span, 1};

    for (unsigned f = 0; f < sizeof(group_record.call); f++)
        ((uint8_t *)&group_record.call)[f] = (uint8_t)random_next(seed);
    group_record.call.kind = ORK_KIND_COLL;
    group_record.call.comm = 0;
    group_record.call.count = 0;
    assert_int_equal(
        ork_aggregate_arrive(l->join, 1 + rank, &(struct ork_wave){0, 0, &group_record, 1}, 1),
        ORK_OK);
}

static void a_wave_of_many_parts_fits_into_a_frame(void **state)
{
    const struct ork_wire_out out = {.reserve = reserve, .commit = commit, .room = room};
    struct ork_wire_writer *writer;
    struct layer layer[LAYERS] = {0};
    uint64_t seed = 1;

    (void)state;
    assert_int_equal(ork_wire_writer_create(&out, 0, &writer), ORK_OK);
    for (unsigned i = 0; i < LAYERS; i++) {
        const struct ork_up sink = {.context = &layer[i], .deliver = rise};
        layer[i].above = i + 1 < LAYERS ? &layer[i + 1] : NULL;
        layer[i].up = ork_wire_up(writer);
        assert_int_equal(ork_aggregate_create(&sink, &layer[i].join), ORK_OK);
    }
    for (uint32_t r = 0; r < MANY; r++) /* the same call of ranks at every layer */
        come_alone(&layer[r % LAYERS], r, &seed);
    for (unsigned i = 0; i < LAYERS; i++) {
        assert_int_equal(ork_aggregate_flush(layer[i].join, UINT64_MAX), ORK_OK);
        assert_int_equal(layer[i].ranks, MANY / LAYERS * (i + 1));
    }
    for (unsigned i = 0; i < LAYERS; i++)
        ork_aggregate_destroy(layer[i].join);
    assert_true(written > MANY * 40u);
    ork_wire_writer_destroy(writer);
}

int test_aggregate_layers(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_each_rank_is_kept),
        cmocka_unit_test(a_regular_program_needs_few_waves),
        cmocka_unit_test(a_wave_of_many_parts_fits_into_a_frame),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
