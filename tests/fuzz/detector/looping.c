/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/detector/looping.h"

#include "tests/fuzz/detector/run.h"

#include <string.h>

enum {
    PART_RECORDS = 1024,
    PART_MESSAGES = 60,
    PERSISTENT_ID = 200,
    STRAY_ID = 202,
    STRAY_COMM = 2
};

/* The records of each rank, once. */
struct part {
    uint32_t count[LOOPING_RANKS];
    struct ork_record record[LOOPING_RANKS][PART_RECORDS];
};

/* ---- writing ---- */

static void put(struct part *part, uint32_t rank, const struct ork_record *record,
                const uint32_t *list)
{
    if (part->count[rank] + 1 + ork_record_conts(record->count) > PART_RECORDS)
        return;
    part->record[rank][part->count[rank]++] = *record;
    for (uint32_t done = 0; done < record->count; done += ORK_CONT_WORDS) {
        uint32_t n = record->count - done < ORK_CONT_WORDS ? record->count - done : ORK_CONT_WORDS;
        struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = (uint8_t)n};
        memcpy(cont.word, list + done, n * sizeof(*list));
        memcpy(&part->record[rank][part->count[rank]++], &cont, sizeof(cont));
    }
}

static void append(struct looping *p, const struct part *part)
{
    for (uint32_t r = 0; r < p->ranks; r++) {
        if (p->count[r] + part->count[r] > LOOPING_RECORDS)
            return;
    }
    for (uint32_t r = 0; r < p->ranks; r++) {
        memcpy(p->record[r] + p->count[r], part->record[r],
               part->count[r] * sizeof(struct ork_record));
        p->count[r] += part->count[r];
    }
}

/* ---- messages of all ranks ---- */

struct maker {
    struct wfg_random *random;
    struct looping *p;
    struct part *part;
    bool is_safe; /* receives are posted before sends, so no rank is blocked for good */
    uint32_t num_open[LOOPING_RANKS], open[LOOPING_RANKS][3 * PART_MESSAGES];
    /* what open wildcard receives take: triples (place, source, tag); a send or receive from one
     * source with one tag has none */
    uint32_t num_taken[LOOPING_RANKS], taken[LOOPING_RANKS][3 * PART_MESSAGES];
    bool has_wildcards;
    bool is_stuck[LOOPING_RANKS]; /* it waits for a message that nobody sends: no call returns */
    bool has_persistent;
    bool has_strays;
    bool shares; /* a nonblocking send may return the library's shared handle */
};

static struct ork_record new_record(struct maker *m, enum ork_kind kind)
{
    return (struct ork_record){.kind = (uint8_t)kind,
                               .site = m->p->next_site++,
                               .request = ORK_REQUEST_NULL,
                               .peer = ORK_NO_PEER};
}

/* The outcome of the latest call, which made a choice. */
static void put_outcome(struct maker *m, uint32_t rank, uint32_t peer, int32_t tag,
                        const uint32_t *list, uint32_t count)
{
    const struct ork_record exit = {.kind = ORK_KIND_EXIT,
                                    .request = ORK_REQUEST_NULL,
                                    .peer = (int32_t)peer,
                                    .tag = tag,
                                    .count = count,
                                    .extra = 1};

    if (!m->is_stuck[rank])
        put(m->part, rank, &exit, list);
}

/* What the request at this place of the array took, as in EXIT. */
static void add_taken(const struct maker *m, uint32_t rank, uint32_t place, uint32_t *word)
{
    word[0] = (uint32_t)ORK_NO_PEER;
    word[1] = 0;
    for (uint32_t i = 0; i + 2 < m->num_taken[rank]; i += 3) {
        if (m->taken[rank][i] == place)
            memcpy(word, &m->taken[rank][i + 1], 2 * sizeof(*word));
    }
}

static void test_all(struct maker *m, uint32_t rank)
{
    struct ork_record tested = new_record(m, ORK_KIND_TESTED);
    uint32_t list[9 * PART_MESSAGES];

    tested.mode = ORK_WAIT_ALL;
    tested.extra = 1;
    tested.count = 3 * m->num_open[rank];
    for (uint32_t i = 0; i < m->num_open[rank]; i++) {
        list[3 * i] = m->open[rank][i];
        add_taken(m, rank, i, &list[3 * i + 1]);
    }
    put(m->part, rank, &tested, list);
}

/* One call for each request, in any order. */
static void wait_for_any(struct maker *m, uint32_t rank)
{
    uint32_t n = m->num_open[rank], first = wfg_random_below(m->random, n);

    for (uint32_t i = 0; i < n; i++) {
        struct ork_record wait = new_record(m, ORK_KIND_WAIT);
        uint32_t taken[3] = {(first + i) % n};
        wait.mode = ORK_WAIT_ANY;
        wait.count = n;
        put(m->part, rank, &wait, m->open[rank]);
        add_taken(m, rank, taken[0], &taken[1]);
        put_outcome(m, rank, (uint32_t)ORK_NO_PEER, 0, taken, 3);
        m->open[rank][taken[0]] = ORK_REQUEST_NULL;
    }
}

/* Some open wildcard receives have their messages, as is seen before the rank waits for them. */
static void put_early(struct maker *m, uint32_t rank)
{
    for (uint32_t i = 0; i + 2 < m->num_taken[rank] && !m->is_stuck[rank]; i += 3) {
        const uint32_t *taken = &m->taken[rank][i];
        const struct ork_record early = {.kind = ORK_KIND_EARLY,
                                         .flags = ORK_F_NONBLOCKING,
                                         .request = m->open[rank][taken[0]],
                                         .peer = (int32_t)taken[1],
                                         .tag = (int32_t)taken[2]};
        if (wfg_random_percent(m->random, 10))
            put(m->part, rank, &early, NULL);
    }
}

static void wait_for_all(struct maker *m, uint32_t rank)
{
    struct ork_record wait = new_record(m, ORK_KIND_WAIT);

    put_early(m, rank);
    wait.mode = ORK_WAIT_ALL;
    wait.count = m->num_open[rank];
    if (m->has_wildcards && wait.count > 0 && wfg_random_percent(m->random, 20)) {
        test_all(m, rank);
    } else if (m->has_wildcards && wait.count > 0 && wfg_random_percent(m->random, 10)) {
        wait_for_any(m, rank);
    } else {
        put(m->part, rank, &wait, m->open[rank]);
        if (m->num_taken[rank] > 0)
            put_outcome(m, rank, (uint32_t)ORK_NO_PEER, 0, m->taken[rank], m->num_taken[rank]);
    }
    m->num_open[rank] = m->num_taken[rank] = 0;
}

static void add_open(struct maker *m, uint32_t rank, uint32_t request)
{
    m->open[rank][m->num_open[rank]++] = request;
}

/* Make it a receive with a wildcard. */
static void put_wildcard(struct maker *m, struct ork_record *rec)
{
    unsigned which = 1 + wfg_random_below(m->random, 3);

    rec->peer = (which & 1) != 0 ? ORK_ANY_SOURCE : rec->peer;
    rec->tag = (which & 2) != 0 ? ORK_ANY_TAG : rec->tag;
}

/* A probe finds the message that is received next. */
static void put_probe(struct maker *m, uint32_t rank, uint32_t peer, int32_t tag)
{
    bool is_test = wfg_random_percent(m->random, 50);
    struct ork_record rec = new_record(m, is_test ? ORK_KIND_PROBED : ORK_KIND_PROBE);
    bool is_wildcard = wfg_random_percent(m->random, 60);

    rec.peer = (int32_t)peer;
    rec.tag = tag;
    if (is_wildcard)
        put_wildcard(m, &rec);
    if (is_test) {
        rec.peer2 = (int32_t)peer;
        rec.tag2 = tag;
        rec.extra = 1;
    }
    put(m->part, rank, &rec, NULL);
    if (is_wildcard && !is_test)
        put_outcome(m, rank, peer, tag, NULL, 0);
}

/* A matched probe finds the message, and another call receives it. */
static void put_matched(struct maker *m, uint32_t rank, uint32_t peer, int32_t tag)
{
    bool is_test = wfg_random_percent(m->random, 50),
         is_wildcard = wfg_random_percent(m->random, 60);
    struct ork_record rec = new_record(m, is_test ? ORK_KIND_PROBED : ORK_KIND_PROBE);
    const struct ork_record exit = {.kind = ORK_KIND_EXIT,
                                    .request = m->num_open[rank],
                                    .peer = (int32_t)peer,
                                    .tag = tag,
                                    .extra = 1};

    rec.flags = ORK_F_MATCHED;
    rec.peer = (int32_t)peer;
    rec.tag = tag;
    if (is_wildcard)
        put_wildcard(m, &rec);
    if (is_test) {
        rec.peer2 = (int32_t)peer;
        rec.tag2 = tag;
        rec.request = exit.request;
        rec.extra = 1;
    }
    put(m->part, rank, &rec, NULL);
    if (!is_test && !m->is_stuck[rank])
        put(m->part, rank, &exit, NULL);
    rec = new_record(m, ORK_KIND_MRECV);
    rec.arg = exit.request;
    rec.bytes = 8;
    if (wfg_random_percent(m->random, 40)) {
        rec.flags = ORK_F_NONBLOCKING;
        rec.request = m->num_open[rank];
        add_open(m, rank, rec.request);
    }
    put(m->part, rank, &rec, NULL);
}

static void put_message(struct maker *m, uint32_t rank, bool sends, uint32_t peer, int32_t tag,
                        bool is_wildcard)
{
    bool is_nonblocking = (m->is_safe && !sends) || wfg_random_percent(m->random, 40);
    struct ork_record rec = new_record(m, sends ? ORK_KIND_SEND : ORK_KIND_RECV);

    rec.peer = (int32_t)peer;
    rec.tag = tag;
    rec.bytes = sends && wfg_random_below(m->random, 400) == 0 ? 16 : 8; /* is truncated */
    if (sends && wfg_random_percent(m->random, 10))
        rec.mode = ORK_SEND_SYNCHRONOUS;
    if (is_wildcard)
        put_wildcard(m, &rec);
    if (is_nonblocking) {
        const uint32_t taken[3] = {m->num_open[rank], peer, (uint32_t)tag};
        rec.flags = ORK_F_NONBLOCKING;
        rec.request = m->num_open[rank] + (sends ? PART_MESSAGES : 0);
        if (sends && m->shares && wfg_random_percent(m->random, 60))
            rec.request = ORK_REQUEST_SHARED;
        add_open(m, rank, rec.request);
        if (is_wildcard) {
            memcpy(m->taken[rank] + m->num_taken[rank], taken, sizeof(taken));
            m->num_taken[rank] += 3;
        }
    }
    put(m->part, rank, &rec, NULL);
    if (is_wildcard && !is_nonblocking)
        put_outcome(m, rank, peer, tag, NULL, 0);
}

static void put_collective(struct maker *m)
{
    static const uint16_t mode[] = {ORK_COLL_BARRIER, ORK_COLL_BCAST, ORK_COLL_ALLREDUCE,
                                    ORK_COLL_REDUCE};
    struct ork_record call = new_record(m, ORK_KIND_COLL);

    call.mode = mode[wfg_random_below(m->random, 4)];
    if (call.mode == ORK_COLL_BCAST || call.mode == ORK_COLL_REDUCE)
        call.peer = (int32_t)wfg_random_below(m->random, m->p->ranks);
    bool is_nonblocking = wfg_random_percent(m->random, 20);
    for (uint32_t r = 0; r < m->p->ranks; r++) {
        struct ork_record own = call;
        if (is_nonblocking) {
            own.flags = ORK_F_NONBLOCKING;
            own.request = m->num_open[r] + 2 * PART_MESSAGES;
            add_open(m, r, own.request);
        }
        put(m->part, r, &own, NULL);
    }
}

static void put_exchange(struct maker *m, uint32_t a, uint32_t b)
{
    struct ork_record rec = new_record(m, ORK_KIND_SENDRECV);

    rec.peer = rec.peer2 = (int32_t)b;
    put(m->part, a, &rec, NULL);
    rec.peer = rec.peer2 = (int32_t)a;
    put(m->part, b, &rec, NULL);
}

/* Each rank sends to the next one, with persistent requests that were made before. */
static void put_starts(struct maker *m)
{
    const uint32_t id[] = {PERSISTENT_ID, PERSISTENT_ID + 1};

    for (uint32_t r = 0; r < m->p->ranks; r++) {
        struct ork_record start = new_record(m, ORK_KIND_START);
        start.count = 2;
        put(m->part, r, &start, id);
        add_open(m, r, id[0]);
        add_open(m, r, id[1]);
    }
}

static void put_persistent(struct maker *m)
{
    uint32_t n = m->p->ranks;

    for (uint32_t r = 0; r < n; r++) {
        struct ork_record rec = new_record(m, ORK_KIND_SEND);
        rec.flags = ORK_F_PERSISTENT;
        rec.tag = 9;
        rec.peer = (int32_t)((r + 1) % n);
        rec.request = PERSISTENT_ID;
        put(m->part, r, &rec, NULL);
        rec.kind = ORK_KIND_RECV;
        rec.peer = (int32_t)((r + n - 1) % n);
        rec.request = PERSISTENT_ID + 1;
        put(m->part, r, &rec, NULL);
    }
    m->has_persistent = true;
}

static void put_pair(struct maker *m)
{
    uint32_t a = wfg_random_below(m->random, m->p->ranks);
    uint32_t b = wfg_random_below(m->random, m->p->ranks);
    int32_t tag = (int32_t)wfg_random_below(m->random, 2);

    if (a == b)
        return;
    if (wfg_random_percent(m->random, 15)) {
        put_exchange(m, a, b);
        return;
    }
    if (!m->is_safe && wfg_random_percent(m->random, 3)) { /* nobody sends it */
        put_message(m, b, false, a, tag, false);
        m->is_stuck[b] = true;
        return;
    }
    if (m->has_wildcards && wfg_random_percent(m->random, 15))
        put_probe(m, b, a, tag);
    if (m->has_wildcards && wfg_random_percent(m->random, 15))
        put_matched(m, b, a, tag);
    else
        put_message(m, b, false, a, tag, m->has_wildcards && wfg_random_percent(m->random, 40));
    put_message(m, a, true, b, tag, false);
    if (!m->is_safe && wfg_random_percent(m->random, 30))
        wait_for_all(m, a);
}

/* What piles up: a send or a collective call that stays open, and whose request is used again. On a
 * communicator of its own, because receives of any tag would have to take the message. */
static void put_stray(struct maker *m)
{
    uint32_t rank = wfg_random_below(m->random, m->p->ranks);
    bool is_send = wfg_random_percent(m->random, 60);
    struct ork_record rec = new_record(m, is_send ? ORK_KIND_SEND : ORK_KIND_COLL);

    rec.flags = ORK_F_NONBLOCKING;
    rec.request = STRAY_ID;
    rec.comm = STRAY_COMM;
    rec.mode = is_send ? ORK_SEND_STANDARD : ORK_COLL_BARRIER;
    rec.peer = is_send ? (int32_t)((rank + 1) % m->p->ranks) : ORK_NO_PEER;
    rec.tag = 8;
    put(m->part, rank, &rec, NULL);
}

/* A communicator for the stray collective calls. */
static void put_comm(struct maker *m)
{
    struct ork_record call = new_record(m, ORK_KIND_COLL);
    struct ork_record definition = {.kind = ORK_KIND_COMM_DEF,
                                    .comm = STRAY_COMM,
                                    .mode = ORK_COLL_COMM_DUP,
                                    .flags = ORK_F_SAME_GROUP};

    call.mode = ORK_COLL_COMM_DUP;
    for (uint32_t r = 0; r < m->p->ranks; r++) {
        put(m->part, r, &call, NULL);
        put(m->part, r, &definition, NULL);
    }
}

static void make_messages(struct maker *m, uint32_t messages)
{
    bool has_starts = m->has_persistent && wfg_random_percent(m->random, 50);

    if (has_starts)
        put_starts(m);
    for (uint32_t i = 0; i < messages; i++) {
        if (wfg_random_percent(m->random, 10))
            put_collective(m);
        else
            put_pair(m);
    }
    if (m->has_strays && wfg_random_percent(m->random, 50))
        put_stray(m);
    for (uint32_t r = 0; r < m->p->ranks; r++) {
        if (m->is_safe || has_starts || wfg_random_percent(m->random, 97))
            wait_for_all(m, r);
    }
}

/* ---- what a random program writes ---- */

static void make_run(struct maker *m)
{
    static struct run run;
    struct program program;

    do
        program_random(wfg_random_next(m->random), &program);
    while (program.ranks > m->p->ranks);
    if (!run_random(&program, m->random, &run))
        return;
    for (uint32_t r = 0; r < program.ranks; r++) {
        const struct stream *s = &run.stream[r];
        for (unsigned i = 0; i < s->count; i++) {
            struct ork_record rec = s->record[i];
            if (rec.kind == ORK_KIND_FINALIZE)
                break;
            if (rec.kind != ORK_KIND_CONT)
                rec.site += m->p->next_site;
            if (m->part->count[r] < PART_RECORDS)
                m->part->record[r][m->part->count[r]++] = rec;
        }
    }
    m->p->next_site += MAX_STEPS + 1;
}

/* ---- programs ---- */

static void make_part(struct maker *m, uint32_t messages)
{
    memset(m->part->count, 0, sizeof(m->part->count));
    memset(m->num_open, 0, sizeof(m->num_open));
    memset(m->num_taken, 0, sizeof(m->num_taken));
    if (wfg_random_percent(m->random, m->is_safe ? 4 : 25))
        make_run(m);
    else
        make_messages(m, messages);
}

/* A part of the program has another thread in one rank. */
static void change_thread(struct maker *m)
{
    uint32_t r = wfg_random_below(m->random, m->p->ranks);

    for (uint32_t i = 0; i < m->part->count[r]; i++) {
        if (m->part->record[r][i].kind != ORK_KIND_CONT)
            m->part->record[r][i].thread = 1;
    }
}

/* RATIONALE: a period is found after three iterations, and its state is compared some iterations
 * later. Long loops are needed for what happens after a rest, but take most of the time. */
static uint32_t random_times(struct maker *m)
{
    static const uint32_t most[] = {8, 30, 60, 60, 100, 200};
    bool is_long = wfg_random_percent(m->random, 4);

    return 1 + wfg_random_below(m->random, is_long ? 1000 : most[wfg_random_below(m->random, 6)]);
}

static void append_loop(struct maker *m, struct part *inner)
{
    uint32_t times = random_times(m);
    uint32_t inner_times = 0;
    uint32_t odd = wfg_random_percent(m->random, 20) ? wfg_random_below(m->random, times) : times;
    static struct part body;

    if (wfg_random_percent(m->random, 30)) {
        m->part = inner;
        make_part(m, 1 + wfg_random_below(m->random, 4));
        inner_times = 1 + wfg_random_below(m->random, 10);
    }
    m->part = &body;
    make_part(m, 1 + wfg_random_below(m->random,
                                      wfg_random_percent(m->random, 80) ? 8 : PART_MESSAGES - 1));
    if (wfg_random_percent(m->random, 3))
        change_thread(m);
    for (uint32_t i = 0; i < times; i++) {
        append(m->p, &body);
        for (uint32_t k = 0; k < inner_times; k++)
            append(m->p, inner);
        if (i != odd)
            continue;
        m->part = inner;
        inner_times = 0;
        make_part(m, 2);
        append(m->p, inner);
    }
}

static void finish(struct maker *m)
{
    for (uint32_t r = 0; r < m->p->ranks; r++) {
        struct ork_record rec = {.kind = ORK_KIND_FINALIZE, .site = 1};
        m->p->is_over[r] = wfg_random_percent(m->random, 80);
        m->p->end[r] = wfg_random_percent(m->random, 90) ? ORK_END_FINISHED : ORK_END_EXITED;
        if (m->p->is_over[r] && m->p->end[r] == ORK_END_FINISHED &&
            m->p->count[r] < LOOPING_RECORDS)
            m->p->record[r][m->p->count[r]++] = rec;
        if (wfg_random_percent(m->random, 10)) { /* cut off */
            m->p->count[r] = wfg_random_below(m->random, m->p->count[r] + 1);
            m->p->is_over[r] = false;
        }
    }
}

void looping_random(struct wfg_random *random, struct looping *p)
{
    static struct part part, inner;
    struct maker m = {.random = random,
                      .p = p,
                      .part = &part,
                      .is_safe = wfg_random_percent(random, 70),
                      .has_strays = wfg_random_percent(random, 10),
                      .has_wildcards = wfg_random_percent(random, 50),
                      .shares = wfg_random_percent(random, 30)};
    uint32_t loops = 1 + wfg_random_below(random, 3);

    memset(p->count, 0, sizeof(p->count));
    memset(part.count, 0, sizeof(part.count));
    p->ranks = 2 + wfg_random_below(random, LOOPING_RANKS - 1);
    p->next_site = 1;
    for (uint32_t r = 0; r < p->ranks; r++)
        put(&part, r,
            &(struct ork_record){.kind = ORK_KIND_INIT, .peer = (int32_t)r, .arg2 = p->ranks},
            NULL);
    if (wfg_random_percent(random, 30))
        put_persistent(&m);
    put_comm(&m);
    append(p, &part);
    for (uint32_t i = 0; i < loops; i++) {
        m.part = &part;
        make_part(&m, wfg_random_below(random, 3));
        append(p, &part);
        append_loop(&m, &inner);
    }
    finish(&m);
}
