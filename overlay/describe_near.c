/* SPDX-License-Identifier: BSD-3-Clause */
/* Near misses: a send and a receive that are both pending and differ in one thing only. */
#include "overlay/describe_internal.h"

#include "overlay/drawing.h"
#include "overlay/words.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

/* RATIONALE: what there is to compare grows with the square of the ranks, what can be read does
 * not. */
enum { RECEIVES_MAX = 2048, SENDS_MAX = 4096, MISSES_MAX = 8 };

/* In the order in which they are worth telling. */
enum miss { MISS_NONE, MISS_TAG, MISS_COMM, MISS_DESTINATION, MISS_SOURCE };

static const char *const miss_word[] = {[MISS_NONE] = "",
                                        [MISS_TAG] = "tag",
                                        [MISS_COMM] = "communicator",
                                        [MISS_DESTINATION] = "destination",
                                        [MISS_SOURCE] = "source"};

static enum miss compare(const struct ork_pending *recv, const struct ork_pending *send)
{
    unsigned n = 0;
    enum miss miss = MISS_NONE;

    if (recv->term.tag != ORK_ANY_TAG && recv->term.tag != send->term.tag) {
        miss = MISS_TAG;
        n++;
    }
    if (recv->term.comm != send->term.comm) {
        miss = MISS_COMM;
        n++;
    }
    if (send->partner != recv->term.rank) {
        miss = MISS_DESTINATION;
        n++;
    }
    if (recv->partner != UINT32_MAX && recv->partner != send->term.rank) {
        miss = MISS_SOURCE;
        n++;
    }
    return n == 1 ? miss : MISS_NONE;
}

/* A receive from anybody that is pending elsewhere misses every message. */
static bool says_much(const struct ork_pending *recv, enum miss miss)
{
    return miss != MISS_DESTINATION || recv->partner != UINT32_MAX;
}

static char *call_words(struct ork_sites *sites, const struct ork_term *t)
{
    return ork_words_call_at(sites, t->rank, t->call, t->site);
}

static char *miss_words(const struct ork_detector *d, struct ork_sites *sites,
                        const struct ork_pending *recv, const struct ork_pending *send,
                        enum miss miss)
{
    char *sent = call_words(sites, &send->term);
    char *waits = call_words(sites, &recv->term);
    char *tag = ork_words_tag(recv->term.tag);
    char *from = ork_words_comm(d, sites, send->term.comm);
    char *on = ork_words_comm(d, sites, recv->term.comm);
    uint32_t s = send->term.rank, r = recv->term.rank;
    char *text = NULL;

    if (sent == NULL || waits == NULL || tag == NULL || from == NULL || on == NULL)
        goto out;
    if (miss == MISS_TAG)
        text = ork_words("Rank %u sends tag %d to rank %u (%s), but rank %u waits for tag %s (%s).",
                         s, send->term.tag, r, sent, r, tag, waits);
    if (miss == MISS_COMM)
        text = ork_words("Rank %u sends tag %d to rank %u on %s (%s), but rank %u receives on %s "
                         "(%s).",
                         s, send->term.tag, r, from, sent, r, on, waits);
    if (miss == MISS_DESTINATION)
        text =
            ork_words("Rank %u sends tag %d to rank %u (%s), but it is rank %u that waits for it "
                      "(%s).",
                      s, send->term.tag, send->partner, sent, r, waits);
    if (miss == MISS_SOURCE)
        text =
            ork_words("Rank %u sends tag %d to rank %u (%s), but rank %u waits for one from rank "
                      "%u (%s).",
                      s, send->term.tag, r, sent, r, recv->partner, waits);
out:
    free(sent);
    free(waits);
    free(tag);
    free(from);
    free(on);
    return text;
}

/* The terms of a search are by rank; the first of `rank`, or of a later one. */
static uint32_t first_term(const struct ork_search *s, uint32_t rank)
{
    uint32_t low = 0, high = s->num_terms;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->term[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Does a deadlocked rank of the finding wait for this operation? */
static bool is_stuck_in(const struct ork_detector *d, const struct ork_search *s,
                        const struct ork_finding *f, const struct ork_term *term)
{
    const struct ork_wait *row = describe_row(f, term->rank);

    if (row == NULL || row->call[0] == '\0')
        return false;
    struct ork_rank_view v = ork_search_rank(d, s, term->rank);
    if (describe_has_peer(&v.call))
        return v.call.site == term->site && v.call.call == term->call;
    for (uint32_t i = first_term(s, term->rank); i < s->num_terms && s->term[i].rank == term->rank;
         i++) {
        const struct ork_term *t = &s->term[i];
        if (t->site == term->site && t->peer == term->peer && t->tag == term->tag &&
            ork_drawing_is_open(s, i + 1))
            return true;
    }
    return false;
}

static enum ork_status fill_end(struct ork_sites *sites, const struct ork_term *t,
                                struct ork_match_end *end)
{
    end->rank = t->rank;
    end->call = strdup(ork_call_name(t->call));
    return end->call == NULL ? ORK_NOMEM : ork_sites_find(sites, t->rank, t->site, &end->where);
}

static bool is_same_end(const struct ork_match_end *a, const struct ork_match_end *b)
{
    return strcmp(a->call, b->call) == 0 && describe_is_same_where(&a->where, &b->where);
}

/* The last one says nothing that none before it said: count it there. */
static bool fold_last(struct ork_finding *f)
{
    struct ork_near_miss *last = &f->near_miss[f->num_near_misses - 1];

    for (struct ork_near_miss *n = f->near_miss; n < last; n++) {
        if (strcmp(n->differs, last->differs) == 0 && last->waits.where.line != 0 &&
            is_same_end(&n->waits, &last->waits) && is_same_end(&n->pending, &last->pending)) {
            n->others++;
            return true;
        }
    }
    return false;
}

static void drop_last(struct ork_finding *f)
{
    struct ork_near_miss *last = &f->near_miss[--f->num_near_misses];

    free(last->waits.call);
    free(last->pending.call);
    ork_where_release(&last->waits.where);
    ork_where_release(&last->pending.where);
    free(last->differs);
    free(last->message);
}

static enum ork_status add(const struct ork_detector *d, struct ork_sites *sites,
                           const struct ork_search *s, const struct ork_pending *recv,
                           const struct ork_pending *send, enum miss miss, struct ork_finding *f)
{
    bool is_send_stuck = !is_stuck_in(d, s, f, &recv->term);
    const struct ork_term *waits = is_send_stuck ? &send->term : &recv->term;
    const struct ork_term *other = is_send_stuck ? &recv->term : &send->term;
    struct ork_near_miss *n = realloc(f->near_miss, ((size_t)f->num_near_misses + 1) * sizeof(*n));

    if (n == NULL)
        return ORK_NOMEM;
    f->near_miss = n;
    n += f->num_near_misses++;
    *n = (struct ork_near_miss){.differs = strdup(miss_word[miss]),
                                .message = miss_words(d, sites, recv, send, miss)};
    enum ork_status status = fill_end(sites, waits, &n->waits);
    if (status == ORK_OK)
        status = fill_end(sites, other, &n->pending);
    if (status != ORK_OK || n->differs == NULL || n->message == NULL)
        return ORK_NOMEM;
    if (fold_last(f) || f->num_near_misses > MISSES_MAX)
        drop_last(f);
    return ORK_OK;
}

/* Sends and receives apart, the list in its order. Returns how many receives come first. */
static uint32_t part(struct ork_pending *list, uint32_t count, struct ork_pending *sends,
                     uint32_t *num_sends)
{
    uint32_t receives = 0;

    *num_sends = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].term.kind != ORK_KIND_SEND)
            list[receives++] = list[i];
        else if (*num_sends < SENDS_MAX)
            sends[(*num_sends)++] = list[i];
    }
    return receives;
}

/* Of one receive: the misses of the kind that says most, the oldest first. */
static enum ork_status look(const struct ork_detector *d, struct ork_sites *sites,
                            const struct ork_search *s, const struct ork_pending *recv,
                            const struct ork_pending *send, uint32_t num_sends,
                            struct ork_finding *f)
{
    const struct ork_pending *best = NULL;
    enum miss best_miss = MISS_NONE;

    for (uint32_t i = 0; i < num_sends; i++) {
        enum miss miss = compare(recv, &send[i]);
        if (miss == MISS_NONE || !says_much(recv, miss) || (best != NULL && miss >= best_miss))
            continue;
        if (!is_stuck_in(d, s, f, &recv->term) && !is_stuck_in(d, s, f, &send[i].term))
            continue;
        best = &send[i];
        best_miss = miss;
    }
    return best == NULL ? ORK_OK : add(d, sites, s, recv, best, best_miss, f);
}

enum ork_status describe_add_near_misses(const struct ork_detector *d, struct ork_sites *sites,
                                         const struct ork_search *s, uint32_t nprocs,
                                         struct ork_finding *f)
{
    struct ork_pending *list = NULL, *sends = malloc(SENDS_MAX * sizeof(*sends));
    bool *of = calloc(nprocs + (size_t)1, sizeof(*of));
    uint32_t count = 0, num_sends;
    enum ork_status status = of == NULL || sends == NULL ? ORK_NOMEM : ORK_OK;

    for (uint32_t i = 0; i < f->ranks.count && status == ORK_OK; i++)
        of[f->ranks.item[i]] = true;
    if (status == ORK_OK)
        status = ork_detector_pending(d, of, &list, &count);
    if (status == ORK_OK && count > 0) {
        uint32_t receives = part(list, count, sends, &num_sends);
        for (uint32_t i = 0; i < receives && i < RECEIVES_MAX && status == ORK_OK; i++)
            status = look(d, sites, s, &list[i], sends, num_sends, f);
    }
    free(list);
    free(sends);
    free(of);
    return status;
}
