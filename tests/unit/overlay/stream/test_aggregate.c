/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of calls through joins, in one layer or in several: what comes out is, rank by rank, what
 * went in. */
#include "overlay/stream/aggregate.h"

#include "overlay/stream/wire.h"
#include "tests/unit/overlay/stage/unit.h"
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

static unsigned ranks_of(const struct ork_wave *wave)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < wave->num_group_records; i++) {
        for (uint32_t k = 0; k < wave->group_record[i].num_spans; k++)
            n += wave->group_record[i].span[k].count;
    }
    return n;
}

/* Spans as record/group_record.h has them; no two arrivals of the same record. */
static void assert_tidy(const struct ork_wave *wave)
{
    for (uint32_t i = 0; i < wave->num_group_records; i++) {
        const struct ork_group_record *a = &wave->group_record[i];
        assert_int_not_equal(a->num_spans, 0);
        for (uint32_t k = 0; k < a->num_spans; k++) {
            assert_int_not_equal(a->span[k].count, 0);
            if (k > 0) /* a gap between them, or it were one */
                assert_true(a->span[k].first > a->span[k - 1].first + a->span[k - 1].count);
        }
        for (uint32_t j = 0; j < i; j++)
            assert_memory_not_equal(&a->call, &wave->group_record[j].call, sizeof(a->call));
    }
}

static enum ork_status on_wave(void *context, const struct ork_event *event)
{
    const struct ork_wave *wave = event->wave;
    struct out *o = context;
    unsigned ranks = ranks_of(wave);

    assert_tidy(wave);
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

    assert_tidy(wave);
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

    if (t->at[rank] == p->n || ork_aggregate_holds(t->leaf[leaf], rank))
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

    if (e == NULL || ork_aggregate_holds(t->top, leaf))
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
    assert_int_equal(ork_aggregate_num_held(t->top), 0);
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

/* ---- one join, by hand ---- */

struct scene {
    struct ork_aggregate *join;
    unsigned waves;
    unsigned ranks, arrivals; /* of the latest */
    uint32_t index, group;
    enum ork_status status; /* of the sink */
};

static enum ork_status note_wave(void *context, const struct ork_event *event)
{
    const struct ork_wave *wave = event->wave;
    struct scene *s = context;

    assert_tidy(wave);
    s->waves++;
    s->ranks = ranks_of(wave);
    s->arrivals = wave->num_group_records;
    s->index = wave->index;
    s->group = wave->group;
    return s->status;
}

static int set_up(void **state)
{
    static struct scene s;
    const struct ork_up sink = {.context = &s, .deliver = note_wave};

    memset(&s, 0, sizeof(s));
    *state = &s;
    return ork_aggregate_create(&sink, &s.join) != ORK_OK;
}

static int tear_down(void **state)
{
    struct scene *s = *state;

    ork_aggregate_destroy(s->join);
    return 0;
}

/* Rank `rank` is a stream of its own. */
static enum ork_status come_in(struct scene *s, uint32_t group, uint32_t rank, uint32_t comm,
                               uint32_t index, uint64_t bytes, uint64_t at)
{
    struct ork_span span = {rank, 1};
    struct ork_group_record group_record = {
        {.kind = ORK_KIND_COLL, .mode = ORK_COLL_BCAST, .comm = comm, .bytes = bytes}, &span, 1};

    return ork_aggregate_arrive(s->join, rank, &(struct ork_wave){index, group, &group_record, 1},
                                at);
}

static enum ork_status come(struct scene *s, uint32_t rank, uint32_t comm, uint32_t index,
                            uint64_t bytes, uint64_t at)
{
    return come_in(s, 0, rank, comm, index, bytes, at);
}

/* So many ranks have come to the first call of `comm`; it is known now how many they are. */
static void teach(struct scene *s, uint32_t comm, uint32_t ranks)
{
    for (uint32_t r = 0; r < ranks; r++)
        assert_int_equal(come(s, r, comm, 0, 8, 1), ORK_OK);
    assert_int_equal(s->waves, 0); /* who else may come is not known */
    assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    assert_int_equal(s->waves, 1);
    assert_int_equal(s->ranks, ranks);
}

static void from_the_second_call_on_the_last_rank_lets_it_go(void **state)
{
    struct scene *s = *state;

    teach(s, 0, 9);
    for (uint32_t index = 1; index < 300; index++) {
        for (uint32_t r = 0; r < 9; r++) {
            assert_int_equal(s->waves, index);
            assert_int_equal(come(s, (r * 4 + index) % 9, 0, index, 8, 1), ORK_OK);
            assert_int_equal(ork_aggregate_num_held(s->join), r < 8 ? r + 1 : 0);
        }
        assert_int_equal(s->waves, index + 1);
        assert_int_equal(s->ranks, 9);
        assert_int_equal(s->arrivals, 1);
        assert_int_equal(s->index, index);
    }
}

/* The calls in between went up with the other records of their ranks. */
static void after_a_gap_as_many_are_waited_for_as_before_it(void **state)
{
    struct scene *s = *state;

    teach(s, 0, 9);
    for (uint32_t r = 0; r < 9; r++) {
        assert_int_equal(s->waves, 1);
        assert_int_equal(come(s, r, 0, 5000, 8, 1), ORK_OK);
    }
    assert_int_equal(s->waves, 2);
    assert_int_equal(s->ranks, 9);
    assert_int_equal(ork_aggregate_num_held(s->join), 0);
}

/* So many ranks from rank 0 on come to a call at once; did it go up? */
static bool pass(struct scene *s, uint32_t comm, uint32_t index, uint32_t ranks)
{
    struct ork_span span = {0, ranks};
    struct ork_group_record group_record = {
        {.kind = ORK_KIND_COLL, .mode = ORK_COLL_BCAST, .comm = comm, .bytes = 8}, &span, 1};
    unsigned before = s->waves;
    bool gone;

    assert_int_equal(
        ork_aggregate_pass(s->join, &(struct ork_wave){index, 0, &group_record, 1}, ranks, &gone),
        ORK_OK);
    assert_int_equal(s->waves, before + gone);
    return gone;
}

static void who_comes_at_once_goes_up_at_once(void **state)
{
    struct scene *s = *state;

    assert_false(pass(s, 0, 0, 4)); /* others may be to come */
    teach(s, 0, 4);
    for (uint32_t index = 1; index < 10; index++) {
        assert_true(pass(s, 0, index, 4));
        assert_int_equal(s->ranks, 4);
        assert_int_equal(s->index, index);
    }
    assert_false(pass(s, 0, 10, 3));
    assert_int_equal(come(s, 5, 1, 0, 8, 1), ORK_OK); /* is held */
    assert_false(pass(s, 0, 10, 4));
    assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    assert_true(pass(s, 0, 10, 4));
    for (uint32_t r = 0; r < 4; r++) /* it was learnt from them, too */
        assert_int_equal(come(s, r, 0, 11, 8, 1), ORK_OK);
    assert_int_equal(s->index, 11);
    assert_int_equal(s->ranks, 4);
    s->status = ORK_CLOSED;
    struct ork_span span = {0, 4};
    struct ork_group_record group_record = {
        {.kind = ORK_KIND_COLL, .mode = ORK_COLL_BCAST}, &span, 1};
    bool gone;
    assert_int_equal(
        ork_aggregate_pass(s->join, &(struct ork_wave){12, 0, &group_record, 1}, 4, &gone),
        ORK_CLOSED);
}

static void calls_that_differ_go_up_together(void **state)
{
    struct scene *s = *state;

    teach(s, 0, 6);
    for (uint32_t r = 0; r < 6; r++)
        assert_int_equal(come(s, r, 0, 1, r / 2, 1), ORK_OK);
    assert_int_equal(s->waves, 2);
    assert_int_equal(s->ranks, 6);
    assert_int_equal(s->arrivals, 3);
}

static void only_what_was_held_long_enough_is_let_go(void **state)
{
    struct scene *s = *state;

    assert_int_equal(come(s, 9, 3, 0, 8, 1), ORK_OK); /* one that is not held */
    assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    s->waves = 0;
    assert_int_equal(come(s, 0, 0, 0, 8, 100), ORK_OK);
    assert_int_equal(come(s, 1, 2, 0, 8, 200), ORK_OK);
    assert_int_equal(come(s, 2, 0, 0, 8, 300), ORK_OK); /* joins what has waited since 100 */
    assert_int_equal(ork_aggregate_flush(s->join, 100), ORK_OK);
    assert_int_equal(s->waves, 0);
    assert_int_equal(ork_aggregate_flush(s->join, 101), ORK_OK);
    assert_int_equal(s->waves, 1);
    assert_int_equal(s->ranks, 2);
    assert_false(ork_aggregate_holds(s->join, 0));
    assert_true(ork_aggregate_holds(s->join, 1));
    assert_false(ork_aggregate_holds(s->join, 2));
    assert_false(ork_aggregate_holds(s->join, UINT32_MAX));
}

/* All are held, each by another communicator's call: none can bring what another waits for. */
static void streams_that_wait_for_each_other_are_not_held(void **state)
{
    struct scene *s = *state;

    for (uint32_t r = 0; r < 4; r++)
        assert_int_equal(come(s, r, 2 + r, 0, 8, 1), ORK_OK);
    assert_true(s->waves > 0);
    assert_true(ork_aggregate_num_held(s->join) < 4);
}

static void a_rank_that_comes_late_goes_up_by_itself(void **state)
{
    struct scene *s = *state;

    teach(s, 0, 4);
    for (uint32_t r = 0; r < 3; r++)
        assert_int_equal(come(s, r, 0, 1, 8, 1), ORK_OK);
    assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    assert_int_equal(s->waves, 2);
    assert_int_equal(come(s, 3, 0, 1, 8, 1), ORK_OK);
    assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    assert_int_equal(s->waves, 3);
    for (uint32_t r = 0; r < 4; r++) /* it is not forgotten that they are four */
        assert_int_equal(come(s, r, 0, 2, 8, 1), ORK_OK);
    assert_int_equal(s->waves, 4);
    assert_int_equal(s->ranks, 4);
}

/* Its calls were let go alone, and so are those of who follows: or he would never catch up. */
static void a_rank_that_is_far_behind_is_not_held(void **state)
{
    enum { CALLS = 100, NEAR = 8 };
    struct scene *s = *state;

    teach(s, 0, 2);
    for (uint32_t index = 1; index <= CALLS; index++) {
        assert_int_equal(come(s, 0, 0, index, 8, 1), ORK_OK);
        assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    }
    assert_int_equal(come(s, 0, 0, CALLS + 1, 8, 1), ORK_OK);
    for (uint32_t index = 1; index <= CALLS - NEAR; index++) {
        assert_int_equal(come(s, 1, 0, index, 8, 1), ORK_OK);
        assert_false(ork_aggregate_holds(s->join, 1));
        assert_int_equal(s->ranks, 1);
    }
    for (uint32_t index = CALLS - NEAR + 1; index <= CALLS + 1; index++) {
        assert_int_equal(come(s, 1, 0, index, 8, 1), ORK_OK);
        if (index <= CALLS && ork_aggregate_holds(s->join, 1))
            assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    }
    assert_false(ork_aggregate_holds(s->join, 1));
}

static void a_communicator_of_one_is_not_held_again(void **state)
{
    struct scene *s = *state;

    assert_int_equal(come(s, 3, 2, 0, 8, 1), ORK_OK);
    assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    for (uint32_t i = 1; i < 10; i++) {
        assert_int_equal(come(s, 3, 2, i, 8, 1), ORK_OK);
        assert_false(ork_aggregate_holds(s->join, 3));
        assert_int_equal(s->waves, i + 1);
    }
}

static void a_number_that_is_too_high_is_not_held(void **state)
{
    struct scene *s = *state;

    assert_int_equal(come(s, 0, ORK_COMM_UNKNOWN - 1, 0, 8, 1), ORK_OK);
    assert_int_equal(s->waves, 1);
    assert_false(ork_aggregate_takes(
        &(struct ork_record){.kind = ORK_KIND_COLL, .mode = ORK_COLL_BARRIER, .comm = 1u << 30}));
}

static void what_the_sink_says_is_passed_on(void **state)
{
    struct scene *s = *state;

    assert_int_equal(come(s, 0, 0, 0, 8, 1), ORK_OK);
    s->status = ORK_CLOSED;
    assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_CLOSED);
    assert_int_equal(come(s, 0, ORK_COMM_UNKNOWN - 1, 0, 8, 1), ORK_CLOSED);
    ork_aggregate_destroy(NULL);
}

static void only_plain_collective_calls_are_joined(void **state)
{
    const struct ork_record plain = {.kind = ORK_KIND_COLL, .mode = ORK_COLL_ALLREDUCE};
    struct ork_record record = plain;

    (void)state;
    assert_true(ork_aggregate_takes(&record));
    record.flags = ORK_F_NONBLOCKING;
    assert_false(ork_aggregate_takes(&record));
    record.flags = ORK_F_PERSISTENT;
    assert_false(ork_aggregate_takes(&record));
    record = plain;
    record.count = 3; /* a list is behind it */
    assert_false(ork_aggregate_takes(&record));
    record = plain;
    record.comm = ORK_COMM_SELF;
    assert_false(ork_aggregate_takes(&record));
    record.comm = ORK_COMM_UNKNOWN;
    assert_false(ork_aggregate_takes(&record));
    record = plain;
    record.mode = ORK_COLL_COMM_DUP; /* a definition follows it */
    assert_false(ork_aggregate_takes(&record));
    record = plain;
    record.kind = ORK_KIND_SEND;
    assert_false(ork_aggregate_takes(&record));
}

/* ---- groups that give their communicators the same number, and are not equally fast ---- */

struct group {
    uint32_t first, ranks;
    unsigned pace; /* could make 50 calls in so many milliseconds */
    uint32_t index[RANKS];
    unsigned calls; /* of its slowest rank */
};

/* As a leaf goes round its rings. */
static bool act(struct scene *s, struct group *g, uint64_t ms)
{
    bool moved = false;

    for (uint32_t r = 0; r < g->ranks; r++) {
        bool is_ahead = g->index[r] > g->calls; /* it waits for its group */
        if (is_ahead || g->calls >= 50 * (ms / g->pace) ||
            ork_aggregate_holds(s->join, g->first + r))
            continue;
        assert_int_equal(come_in(s, g->first, g->first + r, 2, g->index[r]++, 8, ms * MS), ORK_OK);
        moved = true;
    }
    g->calls = UINT32_MAX;
    for (uint32_t r = 0; r < g->ranks; r++)
        g->calls = g->index[r] < g->calls ? g->index[r] : g->calls;
    return moved;
}

/* Calls of the first group, which could make 50 in a millisecond, in a second. Rings are never
 * empty, so a call that is held in vain is held for 20 ms. */
static unsigned calls_beside(unsigned pace, uint64_t seed)
{
    static struct scene s;
    const struct ork_up sink = {.context = &s, .deliver = note_wave};
    struct group group[2] = {{.first = 0, .ranks = 4, .pace = 1},
                             {.first = 4, .ranks = 6, .pace = pace}};

    memset(&s, 0, sizeof(s));
    assert_int_equal(ork_aggregate_create(&sink, &s.join), ORK_OK);
    for (uint64_t ms = 1; ms <= 1000; ms++) {
        bool moved = true;
        for (unsigned round = 0; moved && round < 64; round++)
            moved = act(&s, &group[0], ms) | act(&s, &group[1], ms + seed);
        assert_int_equal(ork_aggregate_flush(s.join, ms < 20 ? 0 : (ms - 20) * MS), ORK_OK);
    }
    ork_aggregate_destroy(s.join);
    return group[0].calls;
}

/* Layers above keep groups apart by it. */
static void what_goes_up_together_says_its_group(void **state)
{
    struct scene *s = *state;

    for (uint32_t group = 7; group < 9; group++) {
        for (uint32_t index = 0; index < 3; index++) {
            for (uint32_t r = 0; r < 4; r++)
                assert_int_equal(come_in(s, group, group * 4 + r, 1, index, 8, 1), ORK_OK);
            assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
            assert_int_equal(s->ranks, 4);
            assert_int_equal(s->index, index);
            assert_int_equal(s->group, group);
        }
    }
}

/* More of them than there are places where they would be looked for at first. */
static void many_groups_are_learnt_of(void **state)
{
    enum { GROUPS = 5000 };
    struct scene *s = *state;

    for (uint32_t index = 0; index < 3; index++) {
        s->waves = 0;
        for (uint32_t group = 0; group < GROUPS; group++) {
            for (uint32_t r = 0; r < 2; r++)
                assert_int_equal(come_in(s, group * 2654435761u, group * 2 + r, 1, index, 8, 1),
                                 ORK_OK);
        }
        if (index > 0)
            assert_int_equal(s->waves, GROUPS);
        assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    }
}

static void a_group_does_not_wait_for_another_with_its_number(void **state)
{
    (void)state;
    for (unsigned pace = 1; pace <= 128; pace *= 2) {
        unsigned calls = calls_beside(pace, pace / 2);
        print_message("beside a group that is slower by a factor of %u: %u calls\n", pace, calls);
        assert_true(calls > 40000);
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

    assert_tidy(wave);
    l->ranks += ranks_of(wave);
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

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_each_rank_is_kept),
        cmocka_unit_test(a_regular_program_needs_few_waves),
        CASE(from_the_second_call_on_the_last_rank_lets_it_go),
        CASE(after_a_gap_as_many_are_waited_for_as_before_it),
        CASE(who_comes_at_once_goes_up_at_once),
        CASE(calls_that_differ_go_up_together),
        CASE(only_what_was_held_long_enough_is_let_go),
        CASE(streams_that_wait_for_each_other_are_not_held),
        CASE(a_rank_that_comes_late_goes_up_by_itself),
        CASE(a_rank_that_is_far_behind_is_not_held),
        CASE(a_communicator_of_one_is_not_held_again),
        CASE(a_number_that_is_too_high_is_not_held),
        CASE(what_the_sink_says_is_passed_on),
        CASE(only_plain_collective_calls_are_joined),
        cmocka_unit_test_setup_teardown(what_goes_up_together_says_its_group, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_groups_are_learnt_of, set_up, tear_down),
        cmocka_unit_test(a_group_does_not_wait_for_another_with_its_number),
        cmocka_unit_test(a_wave_of_many_parts_fits_into_a_frame),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
