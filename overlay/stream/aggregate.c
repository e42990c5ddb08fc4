/* SPDX-License-Identifier: BSD-3-Clause */
/* A *meeting* is one collective call under way: number of the communicator, its group, index in its
 * order. The number of ranks to wait for is learnt from the latest calls there; before that, all
 * streams are waited for (at the first call of all, until the flush). */
#include "overlay/stream/aggregate.h"

#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

enum {
    COMMS_MAX = 1 << 12,  /* communicators with a higher number are not joined */
    PLACES_MIN = 1 << 10, /* to learn about communicators */
    PLACES_MAX = 1 << 16,
    WAYS = 8, /* entries with the same hash; with more the table grows, or one is forgotten */
    LEARNT = 4,
    PARTS_MAX = 400, /* arrivals and spans of a meeting: more are sent in several waves */
};

struct group_record {
    struct ork_record call;
    struct ork_span *span;
    uint32_t num_spans, cap;
};

struct meeting {
    struct meeting *next;
    uint32_t comm, group, index;
    uint32_t spans;
    uint64_t since_ns;
    struct group_record *group_record;
    uint32_t num_group_records, cap;
    uint32_t *source; /* streams in it */
    uint32_t num_sources, cap_sources;
};

/* How many ranks entered the calls of a communicator: index + 1 (0: none yet), ranks. RATIONALE:
 * while the root folds, calls go up otherwise, so those just before a call may be missing here. */
struct learnt {
    uint32_t comm, group;
    bool used;
    uint32_t index[LEARNT], ranks[LEARNT];
    uint32_t before; /* so many were waited for at the latest call */
};

struct ork_aggregate {
    struct ork_up up;
    struct meeting *meeting; /* oldest first */
    struct meeting *spare;
    struct learnt *learnt;
    uint32_t places;
    uint32_t
        *buffered; /* by stream: number of calls that wait in it; a leaf releases several at once */
    uint32_t num_sources, num_buffered, active; /* active: streams that ever had an arrival, */
    uint32_t active_before;                     /* and at the end of the latest meeting */
    bool *brought;
};

static enum ork_status deliver(const struct ork_aggregate *j, const struct ork_wave *wave)
{
    return ork_up_deliver(&j->up, &(struct ork_event){.kind = ORK_EVENT_WAVE, .wave = wave});
}

enum ork_status ork_aggregate_create(const struct ork_up *up, struct ork_aggregate **out)
{
    struct ork_aggregate *j = calloc(1, sizeof(*j));

    if (j == NULL)
        return ORK_NOMEM;
    j->places = PLACES_MIN;
    j->learnt = calloc(j->places, sizeof(*j->learnt));
    if (j->learnt == NULL) {
        free(j);
        return ORK_NOMEM;
    }
    j->up = *up;
    *out = j;
    return ORK_OK;
}

static void destroy_all(struct meeting *m)
{
    while (m != NULL) {
        struct meeting *next = m->next;
        for (uint32_t i = 0; i < m->cap; i++)
            free(m->group_record[i].span);
        free(m->group_record);
        free(m->source);
        free(m);
        m = next;
    }
}

void ork_aggregate_destroy(struct ork_aggregate *j)
{
    if (j == NULL)
        return;
    destroy_all(j->meeting);
    destroy_all(j->spare);
    free(j->learnt);
    free(j->buffered);
    free(j->brought);
    free(j);
}

/* A call that all members make, in the order of the communicator, and wait in. */
bool ork_aggregate_takes(const struct ork_record *rec)
{
    return rec->kind == ORK_KIND_COLL && ork_coll_has(rec->mode, ORK_IS_OPERATION) &&
           rec->count == 0 && (rec->flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)) == 0 &&
           rec->comm != ORK_COMM_SELF && rec->comm < COMMS_MAX;
}

bool ork_aggregate_buffers(const struct ork_aggregate *j, uint32_t source)
{
    return source < j->num_sources && j->buffered[source] > 0;
}

uint32_t ork_aggregate_num_buffered(const struct ork_aggregate *j)
{
    return j->num_buffered;
}

/* ---- learning ---- */

/* The entry of a communicator, or a free one for it; NULL: all of its places are taken. */
static struct learnt *place_of(struct learnt *learnt, uint32_t places, uint32_t comm,
                               uint32_t group)
{
    uint32_t h = (comm ^ group * UINT32_C(0x9e3779b9)) * UINT32_C(0x85ebca6b);
    struct learnt *set = &learnt[(h >> 16) & (places - WAYS)];

    for (unsigned i = 0; i < WAYS; i++) {
        if (!set[i].used || (set[i].comm == comm && set[i].group == group))
            return &set[i];
    }
    return NULL;
}

/* RATIONALE: out of memory, or at its limit: joining is only slower. */
static void grow(struct ork_aggregate *j)
{
    uint32_t places = 2 * j->places;
    struct learnt *bigger = places > PLACES_MAX ? NULL : calloc(places, sizeof(*bigger));

    if (bigger == NULL)
        return;
    for (uint32_t i = 0; i < j->places; i++) {
        const struct learnt *l = &j->learnt[i];
        struct learnt *to = l->used ? place_of(bigger, places, l->comm, l->group) : NULL;
        if (to != NULL)
            *to = *l;
    }
    free(j->learnt);
    j->learnt = bigger;
    j->places = places;
}

static struct learnt *learnt_of(struct ork_aggregate *j, uint32_t comm, uint32_t group)
{
    struct learnt *l = place_of(j->learnt, j->places, comm, group);

    if (l == NULL) {
        grow(j);
        l = place_of(j->learnt, j->places, comm, group);
    }
    if (l == NULL)
        l = &j->learnt[(comm ^ group) % j->places];
    if (!l->used || l->comm != comm || l->group != group)
        *l = (struct learnt){.comm = comm, .group = group, .used = true, .before = UINT32_MAX};
    return l;
}

/* Did other ranks pass that call long ago? */
static bool is_past(const struct learnt *l, uint32_t index)
{
    return l->index[index % LEARNT] > index + 1;
}

static uint32_t expected(const struct learnt *l, uint32_t index)
{
    uint32_t most = 0, long_before = 0;

    for (uint32_t at = 0; at < LEARNT; at++) {
        if (l->index[at] != 0 && l->index[at] <= index && l->ranks[at] > long_before)
            long_before = l->ranks[at];
    }
    for (uint32_t back = 1; back < LEARNT && back <= index; back++) {
        uint32_t at = (index - back) % LEARNT;
        if (l->index[at] == index - back + 1 && l->ranks[at] > most)
            most = l->ranks[at];
    }
    most = most > 0 ? most : long_before;
    return most > 0 ? most : l->before;
}

/* How many ranks have entered that call now. Nothing is known any more of a call long past. */
static uint32_t learn(struct learnt *l, uint32_t index, uint32_t ranks)
{
    uint32_t at = index % LEARNT;

    if (is_past(l, index))
        return ranks;
    if (l->index[at] != index + 1) {
        l->before = expected(l, index);
        l->index[at] = index + 1;
        l->ranks[at] = 0;
    }
    l->ranks[at] += ranks;
    return l->ranks[at];
}

/* ---- meetings ---- */

static struct meeting *find(struct ork_aggregate *j, uint32_t comm, const struct ork_wave *wave)
{
    struct meeting *m = j->meeting;

    while (m != NULL && (m->comm != comm || m->group != wave->group || m->index != wave->index))
        m = m->next;
    return m;
}

static struct meeting *begin(struct ork_aggregate *j, uint32_t comm, const struct ork_wave *wave,
                             uint64_t now_ns)
{
    struct meeting *m = j->spare;

    if (m != NULL)
        j->spare = m->next;
    else
        m = calloc(1, sizeof(*m));
    if (m == NULL)
        return NULL;
    m->next = NULL;
    m->comm = comm;
    m->group = wave->group;
    m->index = wave->index;
    m->spans = m->num_group_records = m->num_sources = 0;
    m->since_ns = now_ns;
    struct meeting **end = &j->meeting;
    while (*end != NULL)
        end = &(*end)->next;
    *end = m;
    return m;
}

static struct group_record *group_record_of(struct meeting *m, const struct ork_record *call)
{
    for (uint32_t i = m->num_group_records; i-- > 0;) {
        if (ork_record_is_same(&m->group_record[i].call, call))
            return &m->group_record[i];
    }
    if (!ork_vec_reserve(&m->group_record, &m->cap, m->num_group_records + 1,
                         sizeof(*m->group_record)))
        return NULL;
    struct group_record *a = &m->group_record[m->num_group_records++];
    a->call = *call;
    a->num_spans = 0;
    return a;
}

/* Streams come in any order: keep the spans of a group record ascending. */
static bool add_span(struct meeting *m, struct group_record *a, const struct ork_span *span)
{
    uint32_t at = a->num_spans;

    while (at > 0 && a->span[at - 1].first > span->first)
        at--;
    if (at > 0 && a->span[at - 1].first + a->span[at - 1].count == span->first) {
        a->span[at - 1].count += span->count;
        if (at < a->num_spans && span->first + span->count == a->span[at].first) {
            a->span[at - 1].count += a->span[at].count;
            memmove(&a->span[at], &a->span[at + 1], (a->num_spans - at - 1) * sizeof(*a->span));
            a->num_spans--;
            m->spans--;
        }
        return true;
    }
    if (at < a->num_spans && span->first + span->count == a->span[at].first) {
        a->span[at].first = span->first;
        a->span[at].count += span->count;
        return true;
    }
    if (!ork_vec_reserve(&a->span, &a->cap, a->num_spans + 1, sizeof(*a->span)))
        return false;
    memmove(&a->span[at + 1], &a->span[at], (a->num_spans - at) * sizeof(*a->span));
    a->span[at] = *span;
    a->num_spans++;
    m->spans++;
    return true;
}

static uint32_t ranks_of(const struct ork_wave *wave)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < wave->num_group_records; i++) {
        for (uint32_t k = 0; k < wave->group_record[i].num_spans; k++)
            n += wave->group_record[i].span[k].count;
    }
    return n;
}

static uint32_t parts_of(const struct ork_wave *wave)
{
    uint32_t n = wave->num_group_records;

    for (uint32_t i = 0; i < wave->num_group_records; i++)
        n += wave->group_record[i].num_spans;
    return n;
}

static bool add(struct meeting *m, const struct ork_wave *wave)
{
    for (uint32_t i = 0; i < wave->num_group_records; i++) {
        struct group_record *a = group_record_of(m, &wave->group_record[i].call);
        if (a == NULL)
            return false;
        for (uint32_t k = 0; k < wave->group_record[i].num_spans; k++) {
            if (!add_span(m, a, &wave->group_record[i].span[k]))
                return false;
        }
    }
    return true;
}

/* Send it up; its streams continue. */
static enum ork_status end(struct ork_aggregate *j, struct meeting *m)
{
    struct ork_group_record arrivals[16];
    struct ork_group_record *list = arrivals;
    enum ork_status status = ORK_NOMEM;
    struct meeting **link = &j->meeting;

    while (*link != m)
        link = &(*link)->next;
    *link = m->next;
    if (m->num_group_records > 16)
        list = malloc(m->num_group_records * sizeof(*list));
    if (list != NULL) {
        for (uint32_t i = 0; i < m->num_group_records; i++)
            list[i] = (struct ork_group_record){.call = m->group_record[i].call,
                                                .span = m->group_record[i].span,
                                                .num_spans = m->group_record[i].num_spans};
        status = deliver(j, &(struct ork_wave){.group = m->group,
                                               .index = m->index,
                                               .group_record = list,
                                               .num_group_records = m->num_group_records});
    }
    if (list != arrivals)
        free(list);
    for (uint32_t i = 0; i < m->num_sources; i++)
        j->num_buffered -= --j->buffered[m->source[i]] == 0;
    m->next = j->spare;
    j->spare = m;
    j->active_before = j->active;
    return status;
}

static bool note_source(struct ork_aggregate *j, struct meeting *m, uint32_t source)
{
    uint32_t sources = j->num_sources;

    if (!ork_vec_reserve(&j->buffered, &sources, source + 1, sizeof(*j->buffered)) ||
        !ork_vec_reserve(&j->brought, &j->num_sources, source + 1, sizeof(*j->brought)) ||
        !ork_vec_reserve(&m->source, &m->cap_sources, m->num_sources + 1, sizeof(*m->source)))
        return false;
    m->source[m->num_sources++] = source;
    j->num_buffered += j->buffered[source]++ == 0;
    j->active += !j->brought[source];
    j->brought[source] = true;
    return true;
}

enum ork_status ork_aggregate_arrive(struct ork_aggregate *j, uint32_t source,
                                     const struct ork_wave *wave, uint64_t now_ns)
{
    uint32_t comm = wave->group_record[0].call.comm;
    uint32_t ranks = ranks_of(wave);

    if (comm >= COMMS_MAX)
        return deliver(j, wave);
    struct learnt *l = learnt_of(j, comm, wave->group);
    uint32_t enough = expected(l, wave->index);
    /* RATIONALE: else a rank that is far behind would be held at each call, and stay behind. */
    bool is_last = learn(l, wave->index, ranks) >= enough || is_past(l, wave->index);
    struct meeting *m = find(j, comm, wave);
    if (m != NULL && m->num_group_records + m->spans + parts_of(wave) > PARTS_MAX) {
        enum ork_status status = end(j, m);
        if (status != ORK_OK)
            return status;
        m = NULL;
    }
    if (m == NULL && is_last)
        return deliver(j, wave);
    if (m == NULL && (m = begin(j, comm, wave, now_ns)) == NULL)
        return ORK_NOMEM;
    if (!note_source(j, m, source) || !add(m, wave))
        return ORK_NOMEM;
    if (is_last)
        return end(j, m);
    /* RATIONALE: all are held, so none can bring what another one waits for. Those that may still
     * come to the first call of all are not known. */
    bool is_vain =
        j->num_buffered == j->active && (j->meeting->next != NULL || j->active == j->active_before);
    return is_vain ? end(j, j->meeting) : ORK_OK;
}

enum ork_status ork_aggregate_pass(struct ork_aggregate *j, const struct ork_wave *wave,
                                   uint32_t ranks, bool *gone)
{
    uint32_t comm = wave->group_record[0].call.comm;
    struct learnt *l =
        j->meeting == NULL && comm < COMMS_MAX ? learnt_of(j, comm, wave->group) : NULL;

    *gone = l != NULL && ranks >= expected(l, wave->index);
    if (!*gone)
        return ORK_OK;
    learn(l, wave->index, ranks);
    return deliver(j, wave);
}

enum ork_status ork_aggregate_flush(struct ork_aggregate *j, uint64_t before_ns)
{
    enum ork_status status = ORK_OK;

    while (status == ORK_OK && j->meeting != NULL && j->meeting->since_ns < before_ns)
        status = end(j, j->meeting);
    return status;
}

enum ork_status ork_aggregate_release(struct ork_aggregate *j,
                                      bool (*is_vain)(const void *context,
                                                      const struct ork_buffered_call *held),
                                      const void *context)
{
    enum ork_status status = ORK_OK;

    for (struct meeting *m = j->meeting, *next; m != NULL && status == ORK_OK; m = next) {
        next = m->next;
        if (is_vain(context,
                    &(struct ork_buffered_call){m->comm, m->group, m->index, m->num_sources}))
            status = end(j, m);
    }
    return status;
}
