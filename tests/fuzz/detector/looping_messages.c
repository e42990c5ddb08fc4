/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/detector/looping_internal.h"

#include <string.h>

enum { PERSISTENT_ID = 200, PERSISTENT_TAG = 9, STRAY_ID = 202, STRAY_COMM = 2 };

void looping_put(struct part *part, uint32_t rank, const struct ork_record *record,
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
        looping_put(m->part, rank, &exit, list);
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
    looping_put(m->part, rank, &tested, list);
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
        looping_put(m->part, rank, &wait, m->open[rank]);
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
            looping_put(m->part, rank, &early, NULL);
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
        looping_put(m->part, rank, &wait, m->open[rank]);
        if (m->num_taken[rank] > 0)
            put_outcome(m, rank, (uint32_t)ORK_NO_PEER, 0, m->taken[rank], m->num_taken[rank]);
    }
    m->num_open[rank] = m->num_taken[rank] = 0;
}

static void add_open(struct maker *m, uint32_t rank, uint32_t request)
{
    m->open[rank][m->num_open[rank]++] = request;
}

/* What the wildcard receive that becomes open next takes. */
static void add_taken_by_open(struct maker *m, uint32_t rank, uint32_t peer, int32_t tag)
{
    const uint32_t taken[3] = {m->num_open[rank], peer, (uint32_t)tag};

    memcpy(m->taken[rank] + m->num_taken[rank], taken, sizeof(taken));
    m->num_taken[rank] += 3;
}

/* Make it a receive with a wildcard. */
static void put_wildcard(struct maker *m, struct ork_record *rec)
{
    unsigned which = 1 + wfg_random_below(m->random, 3);

    rec->peer = (which & 1) != 0 ? ORK_ANY_SOURCE : rec->peer;
    rec->tag = (which & 2) != 0 ? ORK_ANY_TAG : rec->tag;
}

/* A probe, also one that only tests, finds this message. */
static void look_for(struct maker *m, struct ork_record *rec, uint32_t peer, int32_t tag,
                     bool is_wildcard)
{
    rec->peer = (int32_t)peer;
    rec->tag = tag;
    if (is_wildcard)
        put_wildcard(m, rec);
    if (rec->kind == ORK_KIND_PROBED) {
        rec->peer2 = (int32_t)peer;
        rec->tag2 = tag;
        rec->extra = 1;
    }
}

/* A probe finds the message that is received next. */
static void put_probe(struct maker *m, uint32_t rank, uint32_t peer, int32_t tag)
{
    bool is_test = wfg_random_percent(m->random, 50);
    struct ork_record rec = new_record(m, is_test ? ORK_KIND_PROBED : ORK_KIND_PROBE);
    bool is_wildcard = wfg_random_percent(m->random, 60);

    look_for(m, &rec, peer, tag, is_wildcard);
    looping_put(m->part, rank, &rec, NULL);
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
    look_for(m, &rec, peer, tag, is_wildcard);
    if (is_test)
        rec.request = exit.request;
    looping_put(m->part, rank, &rec, NULL);
    if (!is_test && !m->is_stuck[rank])
        looping_put(m->part, rank, &exit, NULL);
    rec = new_record(m, ORK_KIND_MRECV);
    rec.arg = exit.request;
    rec.bytes = 8;
    if (wfg_random_percent(m->random, 40)) {
        rec.flags = ORK_F_NONBLOCKING;
        rec.request = m->num_open[rank];
        add_open(m, rank, rec.request);
    }
    looping_put(m->part, rank, &rec, NULL);
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
        rec.flags = ORK_F_NONBLOCKING;
        rec.request = m->num_open[rank] + (sends ? PART_MESSAGES : 0);
        if (sends && m->shares && wfg_random_percent(m->random, 60))
            rec.request = ORK_REQUEST_SHARED;
        if (is_wildcard)
            add_taken_by_open(m, rank, peer, tag);
        add_open(m, rank, rec.request);
    }
    looping_put(m->part, rank, &rec, NULL);
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
        looping_put(m->part, r, &own, NULL);
    }
}

static void put_exchange(struct maker *m, uint32_t a, uint32_t b)
{
    struct ork_record rec = new_record(m, ORK_KIND_SENDRECV);

    rec.peer = rec.peer2 = (int32_t)b;
    looping_put(m->part, a, &rec, NULL);
    rec.peer = rec.peer2 = (int32_t)a;
    looping_put(m->part, b, &rec, NULL);
}

/* Each rank sends to the next one, with persistent requests that were made before; perhaps a second
 * message with the same tag, for a receive that is posted later. */
static void put_starts(struct maker *m)
{
    const uint32_t id[] = {PERSISTENT_ID, PERSISTENT_ID + 1}, n = m->p->ranks;
    bool are_two = wfg_random_percent(m->random, 30);

    for (uint32_t r = 0; r < n; r++) {
        struct ork_record start = new_record(m, ORK_KIND_START);
        start.count = 2;
        looping_put(m->part, r, &start, id);
        add_open(m, r, id[0]);
        if (m->starts_wildcards)
            add_taken_by_open(m, r, (r + n - 1) % n, PERSISTENT_TAG);
        add_open(m, r, id[1]);
    }
    for (uint32_t r = 0; r < n && are_two; r++) {
        put_message(m, r, true, (r + 1) % n, PERSISTENT_TAG, false);
        put_message(m, r, false, (r + n - 1) % n, PERSISTENT_TAG, false);
    }
}

void looping_put_persistent(struct maker *m)
{
    uint32_t n = m->p->ranks;

    m->starts_wildcards = wfg_random_percent(m->random, 50);
    for (uint32_t r = 0; r < n; r++) {
        struct ork_record rec = new_record(m, ORK_KIND_SEND);
        rec.flags = ORK_F_PERSISTENT;
        rec.tag = PERSISTENT_TAG;
        rec.peer = (int32_t)((r + 1) % n);
        rec.request = PERSISTENT_ID;
        looping_put(m->part, r, &rec, NULL);
        rec.kind = ORK_KIND_RECV;
        rec.peer = m->starts_wildcards ? ORK_ANY_SOURCE : (int32_t)((r + n - 1) % n);
        rec.request = PERSISTENT_ID + 1;
        looping_put(m->part, r, &rec, NULL);
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
    looping_put(m->part, rank, &rec, NULL);
}

/* A communicator for the stray collective calls. */
void looping_put_comm(struct maker *m)
{
    struct ork_record call = new_record(m, ORK_KIND_COLL);
    struct ork_record definition = {.kind = ORK_KIND_COMM_DEF,
                                    .comm = STRAY_COMM,
                                    .mode = ORK_COLL_COMM_DUP,
                                    .flags = ORK_F_SAME_GROUP};

    call.mode = ORK_COLL_COMM_DUP;
    for (uint32_t r = 0; r < m->p->ranks; r++) {
        looping_put(m->part, r, &call, NULL);
        looping_put(m->part, r, &definition, NULL);
    }
}

void looping_make_messages(struct maker *m, uint32_t messages)
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
