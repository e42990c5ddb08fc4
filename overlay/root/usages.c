/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/usages.h"

#include "common/vec.h"
#include "overlay/findings/describe.h"
#include "overlay/findings/writing.h"

#include <stdlib.h>
#include <string.h>

/* How long the other ranks may take to find the same, before it is reported. */
#define TOGETHER_NS UINT64_C(200000000)
/* How long the calls may take to return, before it is reported without that. */
#define RETURN_NS UINT64_C(3000000000)
enum { TEXT_MAX = 1024 };

/* Equal mistakes, one finding. */
struct group {
    struct ork_rank_usage **item; /* sorted by rank when they are described */
    uint32_t count, room;
    uint64_t first_ns;
    char *ended;      /* how the run ended in one of them; NULL: it did not */
    char *message;    /* as reported last; NULL: not yet */
    bool has_changed; /* since then */
};

/* Those of one rank, by the numbers in its records; and the group of each. */
struct rank_usages {
    struct ork_rank_usage **item;
    uint32_t *group;
    uint32_t count, room, group_room;
    struct ork_record *part; /* a record whose list has not come to its end, and its list so far */
    uint32_t num_part, part_room;
    uint64_t dropped; /* that the rank found and did not keep */
};

struct ork_usages {
    struct rank_usages *rank;
    uint32_t num_ranks;
    struct group *group;
    uint32_t num_groups, room;
};

enum ork_status ork_usages_create(struct ork_usages **out)
{
    *out = calloc(1, sizeof(**out));
    return *out == NULL ? ORK_NOMEM : ORK_OK;
}

static void release(struct ork_rank_usage *u)
{
    if (u == NULL)
        return;
    free(u->argument);
    free(u->text);
    free(u->error);
    free(u);
}

void ork_usages_destroy(struct ork_usages *s)
{
    if (s == NULL)
        return;
    for (uint32_t r = 0; r < s->num_ranks; r++) {
        for (uint32_t i = 0; i < s->rank[r].count; i++)
            release(s->rank[r].item[i]);
        free(s->rank[r].item);
        free(s->rank[r].group);
        free(s->rank[r].part);
    }
    for (uint32_t i = 0; i < s->num_groups; i++) {
        free(s->group[i].item);
        free(s->group[i].ended);
        free(s->group[i].message);
    }
    free(s->rank);
    free(s->group);
    free(s);
}

/* ---- records ---- */

/* The list of a record, as text with an end; NULL: it is no text that fits, or there is no
 * memory. */
static char *text_of(const struct ork_record *record, size_t n)
{
    const struct ork_cont *cont = (const struct ork_cont *)(const void *)(record + 1);
    size_t size = record->bytes;

    if (size > TEXT_MAX || size > (size_t)record->count * 4 || ork_record_conts(record->count) >= n)
        return NULL;
    char *text = calloc(1, (size_t)record->count * 4 + 1);
    for (uint32_t i = 0; text != NULL && i < record->count; i++)
        memcpy(text + (size_t)i * 4, &cont[i / ORK_CONT_WORDS].word[i % ORK_CONT_WORDS], 4);
    if (text != NULL)
        text[size] = '\0';
    return text;
}

static struct ork_rank_usage *make(uint32_t rank, const struct ork_record *record, const char *text)
{
    struct ork_rank_usage *u = calloc(1, sizeof(*u));
    size_t length = strlen(text);

    if (u == NULL)
        return NULL;
    u->rank = rank;
    u->record = *record;
    u->times = 1;
    u->argument = strdup(text);
    u->text = strdup(length < record->bytes ? text + length + 1 : "");
    if (u->argument != NULL && u->text != NULL)
        return u;
    release(u);
    return NULL;
}

static enum ork_status find_group(struct ork_usages *s, struct ork_call_sites *sites,
                                  const struct ork_rank_usage *u, uint32_t *found)
{
    enum ork_status status = ORK_OK;
    bool yes = false;

    for (*found = 0; *found < s->num_groups && status == ORK_OK; (*found)++) {
        status = ork_rank_usage_is_alike(sites, s->group[*found].item[0], u, &yes);
        if (yes)
            break;
    }
    return status;
}

static enum ork_status add_to_group(struct ork_usages *s, struct ork_call_sites *sites,
                                    struct ork_rank_usage *u, uint64_t at_ns, uint32_t *found)
{
    enum ork_status status = find_group(s, sites, u, found);

    if (status != ORK_OK)
        return status;
    if (!ork_vec_reserve(&s->group, &s->room, *found + 1, sizeof(*s->group)))
        return ORK_NOMEM;
    struct group *g = &s->group[*found];
    if (!ork_vec_reserve(&g->item, &g->room, g->count + 1, sizeof(struct ork_rank_usage *)))
        return ORK_NOMEM;
    if (*found == s->num_groups) {
        g->first_ns = at_ns;
        s->num_groups++;
    }
    g->item[g->count++] = u;
    g->has_changed = true;
    return ORK_OK;
}

static enum ork_status add(struct ork_usages *s, struct ork_call_sites *sites, uint32_t rank,
                           const struct ork_record *record, const char *text, uint64_t at_ns)
{
    struct rank_usages *r = &s->rank[rank];
    uint32_t group;

    if (!ork_vec_reserve(&r->item, &r->room, r->count + 1, sizeof(struct ork_rank_usage *)) ||
        !ork_vec_reserve(&r->group, &r->group_room, r->count + 1, sizeof(*r->group)))
        return ORK_NOMEM;
    struct ork_rank_usage *u = make(rank, record, text);
    enum ork_status status = u == NULL ? ORK_NOMEM : add_to_group(s, sites, u, at_ns, &group);
    if (status != ORK_OK) {
        release(u);
        return status;
    }
    r->item[r->count] = u;
    r->group[r->count++] = group;
    return ORK_OK;
}

/* Found again, after a call of that place that did not fail. */
static void reopen(struct ork_usages *s, struct ork_rank_usage *u, uint32_t group)
{
    u->times++;
    if (u->end != ORK_USAGE_PASSED)
        return;
    u->end = ORK_USAGE_OPEN;
    s->group[group].has_changed = true;
}

static enum ork_status found(struct ork_usages *s, struct ork_call_sites *sites, uint32_t rank,
                             const struct ork_record *record, size_t n, uint64_t at_ns)
{
    struct rank_usages *r = &s->rank[rank];

    if (record->request < r->count) {
        reopen(s, r->item[record->request], r->group[record->request]);
        return ORK_OK;
    }
    char *text = text_of(record, n);
    if (text == NULL || record->request != r->count || r->count == ORK_USAGES_MAX) {
        free(text);
        return ORK_OK;
    }
    enum ork_status status = add(s, sites, rank, record, text, at_ns);
    free(text);
    return status;
}

static enum ork_status take(struct ork_usages *s, uint32_t rank, const struct ork_record *record,
                            size_t n)
{
    struct rank_usages *r = &s->rank[rank];
    struct ork_rank_usage *u = record->request < r->count ? r->item[record->request] : NULL;

    if (record->peer == ORK_USAGE_DROPPED) {
        r->dropped = record->extra > r->dropped ? record->extra : r->dropped;
        return ORK_OK;
    }
    if (u == NULL)
        return ORK_OK;
    struct group *g = &s->group[r->group[record->request]];
    g->has_changed = true;
    if (record->peer == ORK_USAGE_COUNTED) {
        u->times = record->extra > u->times ? record->extra : u->times;
        u->varies |= record->arg != 0;
        return ORK_OK;
    }
    if (record->peer == ORK_USAGE_TAKEN_BACK) {
        u->record.extra -= u->record.extra > 0;
        u->is_void = u->record.extra == 0;
        return ORK_OK;
    }
    u->end = (record->flags & ORK_F_ERROR) != 0 ? ORK_USAGE_FAILED : ORK_USAGE_PASSED;
    if (u->end != ORK_USAGE_FAILED || u->error != NULL)
        return ORK_OK;
    u->error = text_of(record, n);
    if (u->error == NULL)
        u->error = strdup(ork_plain(SAYS_END_AN_ERROR));
    return u->error == NULL ? ORK_NOMEM : ORK_OK;
}

static bool has_rank(struct ork_usages *s, uint32_t rank)
{
    if (rank < s->num_ranks)
        return true;
    if (!ork_vec_extend(&s->rank, s->num_ranks, rank + 1, sizeof(*s->rank)))
        return false;
    s->num_ranks = rank + 1;
    return true;
}

/* A record with its whole list. */
static enum ork_status feed_whole(struct ork_usages *s, struct ork_call_sites *sites, uint32_t rank,
                                  const struct ork_record *record, size_t n, uint64_t at_ns)
{
    return record->peer == ORK_USAGE_FOUND ? found(s, sites, rank, record, n, at_ns)
                                           : take(s, rank, record, n);
}

static size_t size_of(const struct ork_record *record)
{
    return 1 + (size_t)ork_record_conts(record->count);
}

/* Keep a record, or more of its list. */
static enum ork_status keep(struct rank_usages *r, const struct ork_record *record, size_t n)
{
    if (!ork_vec_reserve(&r->part, &r->part_room, r->num_part + (uint32_t)n, sizeof(*r->part)))
        return ORK_NOMEM;
    memcpy(r->part + r->num_part, record, n * sizeof(*record));
    r->num_part += (uint32_t)n;
    return ORK_OK;
}

/* More of the list of the record that was kept; *used: so many slots. */
static enum ork_status feed_rest(struct ork_usages *s, struct ork_call_sites *sites, uint32_t rank,
                                 const struct ork_record *record, size_t n, uint64_t at_ns,
                                 size_t *used)
{
    struct rank_usages *r = &s->rank[rank];
    const size_t missing = size_of(r->part) - r->num_part;

    while (*used < n && *used < missing && record[*used].kind == ORK_KIND_CONT)
        ++*used;
    enum ork_status status = keep(r, record, *used);
    if (status != ORK_OK)
        return status;
    if (*used == missing)
        status = feed_whole(s, sites, rank, r->part, r->num_part, at_ns);
    if (*used == missing || *used < n)
        r->num_part = 0;
    return status;
}

static bool is_rest_list(const struct ork_record *record, size_t n)
{
    size_t i = 1;

    while (i < n && record[i].kind == ORK_KIND_CONT)
        i++;
    return i == n;
}

/* RATIONALE: the list of a record may come in parts. */
enum ork_status ork_usages_feed(struct ork_usages *s, struct ork_call_sites *sites, uint32_t rank,
                                const struct ork_record *record, size_t n, uint64_t at_ns)
{
    enum ork_status status = ORK_OK;
    size_t i = 0;

    if (n > 0 && rank < s->num_ranks && s->rank[rank].num_part > 0)
        status = feed_rest(s, sites, rank, record, n, at_ns, &i);
    for (; i < n && status == ORK_OK; i++) {
        if (record[i].kind != ORK_KIND_USAGE || ork_usage_kind(record[i].mode) == NULL ||
            record[i].count > TEXT_MAX)
            continue;
        if (!has_rank(s, rank))
            return ORK_NOMEM;
        if (size_of(&record[i]) > n - i && is_rest_list(&record[i], n - i))
            return keep(&s->rank[rank], &record[i], n - i);
        status = feed_whole(s, sites, rank, &record[i], n - i, at_ns);
    }
    return status;
}

/* ---- ranks that die ---- */

void ork_usages_die(struct ork_usages *s, uint32_t rank)
{
    const struct rank_usages *r = rank < s->num_ranks ? &s->rank[rank] : NULL;

    for (uint32_t i = 0; r != NULL && i < r->count; i++) {
        if (r->item[i]->end != ORK_USAGE_OPEN)
            continue;
        r->item[i]->end = ORK_USAGE_DIED;
        s->group[r->group[i]].has_changed = true;
    }
}

/* The one in which the rank died; NULL: none. */
static struct group *fatal_of(const struct ork_usages *s, uint32_t rank)
{
    const struct rank_usages *r = rank < s->num_ranks ? &s->rank[rank] : NULL;

    for (uint32_t i = 0; r != NULL && i < r->count; i++) {
        enum ork_usage_severity severity = ork_usage_kind(r->item[i]->record.mode)->severity;
        if (r->item[i]->end == ORK_USAGE_DIED &&
            (severity == ORK_USAGE_ERROR || severity == ORK_USAGE_IF_FAILED))
            return &s->group[r->group[i]];
    }
    return NULL;
}

bool ork_usages_explain(const struct ork_usages *s, uint32_t rank)
{
    return fatal_of(s, rank) != NULL;
}

enum ork_status ork_usages_add_end(struct ork_usages *s, uint32_t rank, const char *sentence)
{
    struct ork_writing w = {0};
    struct group *g = fatal_of(s, rank);

    if (g == NULL || g->ended != NULL)
        return ORK_OK;
    g->ended = ork_writing_end_text(&w, ork_say(&w, SAYS_SENTENCE, TEXT('w', sentence)));
    g->has_changed = true;
    return g->ended == NULL ? ORK_NOMEM : ORK_OK;
}

const char *ork_usages_failed(const struct ork_usages *s)
{
    for (uint32_t i = 0; i < s->num_groups; i++) {
        const struct group *g = &s->group[i];
        for (uint32_t k = 0; k < g->count && g->message != NULL; k++) {
            if (g->item[k]->end == ORK_USAGE_FAILED)
                return g->message;
        }
    }
    return NULL;
}

/* ---- ranks that stay in such a call ---- */

static bool is_of(const struct ork_rank_usage *u, const struct ork_record *call)
{
    return u->record.site == call->site && u->record.call == call->call;
}

static bool keeps(const struct ork_rank_usage *u, const struct ork_record *call)
{
    return u->end == ORK_USAGE_OPEN && ork_usage_keeps_call(u->record.mode) &&
           (call == NULL || is_of(u, call));
}

bool ork_usages_may_fail(const struct ork_usages *s, uint32_t rank, const struct ork_record *call)
{
    const struct rank_usages *r = rank < s->num_ranks ? &s->rank[rank] : NULL;

    for (uint32_t i = 0; r != NULL && i < r->count; i++) {
        if (r->item[i]->end != ORK_USAGE_PASSED && is_of(r->item[i], call))
            return true;
    }
    return false;
}

bool ork_usages_keep(const struct ork_usages *s, uint32_t rank, const struct ork_record *call)
{
    const struct rank_usages *r = rank < s->num_ranks ? &s->rank[rank] : NULL;

    for (uint32_t i = 0; r != NULL && i < r->count; i++) {
        if (keeps(r->item[i], call))
            return true;
    }
    return false;
}

bool ork_usages_keep_any(const struct ork_usages *s)
{
    for (uint32_t r = 0; r < s->num_ranks; r++) {
        if (ork_usages_keep(s, r, NULL))
            return true;
    }
    return false;
}

bool ork_usages_are_concurrent(const struct ork_usages *s, uint32_t rank,
                               const struct ork_record *call)
{
    const struct rank_usages *r = rank < s->num_ranks ? &s->rank[rank] : NULL;

    for (uint32_t i = 0; r != NULL && i < r->count; i++) {
        const struct ork_record *u = &r->item[i]->record;
        if (u->mode == ORK_USAGE_CONCURRENT_COLLECTIVES && u->site == call->site &&
            u->call == call->call)
            return true;
    }
    return false;
}

/* ---- findings ---- */

static int compare_ranks(const void *x, const void *y)
{
    const struct ork_rank_usage *a = *(struct ork_rank_usage *const *)x;
    const struct ork_rank_usage *b = *(struct ork_rank_usage *const *)y;

    return (a->rank > b->rank) - (a->rank < b->rank);
}

/* RATIONALE: whether the call returns an error decides the severity, so it is awaited. A call that
 * checks its arguments returns at once; one that stays inside the library may never return. What
 * has leaked may still be freed, which is another mistake. */
static bool is_ready(const struct group *g, uint64_t at_ns)
{
    if (g->message != NULL || at_ns < g->first_ns + TOGETHER_NS ||
        ork_usage_is_leak(g->item[0]->record.mode))
        return false;
    for (uint32_t i = 0; i < g->count; i++) {
        if (g->item[i]->end == ORK_USAGE_DIED ||
            (g->item[i]->end == ORK_USAGE_OPEN && at_ns < g->first_ns + RETURN_NS))
            return false;
    }
    return true;
}

static enum ork_status report_group(struct group *g, struct ork_call_sites *sites,
                                    const struct ork_report_sink *sink,
                                    const struct ork_rank_usage **counting)
{
    struct ork_finding finding;
    uint32_t n = 0;

    qsort(g->item, g->count, sizeof(struct ork_rank_usage *), compare_ranks);
    for (uint32_t i = 0; i < g->count; i++) {
        if (ork_rank_usage_counts(g->item[i]))
            counting[n++] = g->item[i];
    }
    g->has_changed = false;
    if (n == 0)
        return ORK_OK;
    enum ork_status status = ork_describe_usage(sites, counting, n, &finding);
    if (status != ORK_OK)
        return status;
    if (g->ended != NULL)
        status = ork_describe_add_detail(&finding, strdup(g->ended));
    if (status == ORK_OK) {
        if (g->message == NULL)
            sink->finding(sink->context, &finding, false);
        else
            sink->changed(sink->context, &finding, g->message);
        free(g->message);
        g->message = strdup(finding.message);
        status = g->message == NULL ? ORK_NOMEM : ORK_OK;
    }
    ork_finding_release(&finding);
    return status;
}

enum ork_status ork_usages_report(struct ork_usages *s, struct ork_call_sites *sites,
                                  const struct ork_report_sink *sink, uint64_t at_ns, bool all)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < s->num_groups && status == ORK_OK; i++) {
        struct group *g = &s->group[i];
        if (!g->has_changed || (!all && !is_ready(g, at_ns)))
            continue;
        const struct ork_rank_usage **counting = calloc(g->count, sizeof(*counting));
        status = counting == NULL ? ORK_NOMEM : report_group(g, sites, sink, counting);
        free(counting);
    }
    return status;
}

static uint64_t add_saturated(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

enum ork_status ork_usages_summary(const struct ork_usages *s, struct ork_report *report)
{
    struct ork_writing w = {0};
    struct ork_u32s ranks = {0};
    uint64_t dropped = 0;

    for (uint32_t r = 0; r < s->num_ranks; r++) {
        if (s->rank[r].dropped == 0)
            continue;
        dropped = add_saturated(dropped, s->rank[r].dropped);
        ork_writing_add(&w, &ranks, r);
    }
    if (ranks.count == 0)
        return ork_writing_release(&w);
    return ork_report_take_note(
        report,
        ork_writing_end_text(&w, ork_say(&w, SAYS_USAGES_DROPPED, COUNT('m', ORK_USAGES_MAX),
                                         COUNT('n', dropped), RANKS('r', &ranks))));
}
