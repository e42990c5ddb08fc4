/* SPDX-License-Identifier: BSD-3-Clause */
/* The ends of a near miss, and adding one to a finding. */
#include "overlay/findings/describe_near.h"

#include "common/vec.h"
#include "overlay/findings/graph.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

char *ork_describe_term_words(struct ork_call_sites *sites, const struct ork_term *t)
{
    return ork_phrase_call_at(sites, t->rank, t->call, t->site);
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

bool ork_describe_is_stuck_in(const struct ork_detector *d, const struct ork_search *s,
                              const struct ork_finding *f, const struct ork_term *term)
{
    const struct ork_rank_row *row = ork_describe_row(f, term->rank);

    if (row == NULL || row->call[0] == '\0')
        return false;
    struct ork_rank_view v = ork_search_rank(d, s, term->rank);
    if (ork_record_has(&v.call, ORK_HAS_PEER))
        return v.call.site == term->site && v.call.call == term->call;
    for (uint32_t i = first_term(s, term->rank); i < s->num_terms && s->term[i].rank == term->rank;
         i++) {
        const struct ork_term *t = &s->term[i];
        if (t->site == term->site && t->peer == term->peer && t->tag == term->tag &&
            ork_finding_graph_is_open(s, i + 1))
            return true;
    }
    return false;
}

static enum ork_status fill_end(struct ork_call_sites *sites, const struct ork_term *t,
                                struct ork_match_end *end)
{
    end->rank = t->rank;
    end->call = strdup(ork_call_name(t->call));
    return end->call == NULL ? ORK_NOMEM
                             : ork_call_sites_find(sites, t->rank, t->site, &end->where);
}

enum ork_status ork_describe_add_near(struct ork_call_sites *sites, struct ork_finding *f,
                                      const char *differs, const struct ork_term *waits,
                                      const struct ork_term *pending, uint32_t others,
                                      char *message)
{
    size_t count = f->num_near_misses;

    if (!ork_vec_extend(&f->near_miss, count, count + 1, sizeof(*f->near_miss))) {
        free(message);
        return ORK_NOMEM;
    }
    struct ork_near_miss *n = &f->near_miss[f->num_near_misses++];
    *n = (struct ork_near_miss){.differs = strdup(differs), .message = message, .others = others};
    enum ork_status status = fill_end(sites, waits, &n->waits);
    if (status == ORK_OK)
        status = fill_end(sites, pending, &n->pending);
    return n->differs == NULL || n->message == NULL ? ORK_NOMEM : status;
}

bool ork_describe_is_near_reported(struct ork_call_sites *sites, const struct ork_finding *f,
                                   const struct ork_term *waits)
{
    struct ork_where where;
    bool reported = false;

    if (f->num_near_misses == 0 ||
        ork_call_sites_find(sites, waits->rank, waits->site, &where) != ORK_OK)
        return false;
    for (uint32_t i = 0; i < f->num_near_misses && !reported; i++) {
        const struct ork_match_end *end = &f->near_miss[i].waits;
        reported = end->rank == waits->rank && strcmp(end->call, ork_call_name(waits->call)) == 0 &&
                   ork_describe_is_same_where(&end->where, &where);
    }
    ork_where_release(&where);
    return reported;
}

bool ork_describe_is_near_of_messages(const struct ork_near_miss *n)
{
    return strcmp(n->differs, "missing") != 0;
}

/* RATIONALE: each rank numbers its call sites by itself. */
bool ork_describe_is_same_site(struct ork_call_sites *sites, uint32_t a_rank, uint32_t a,
                               uint32_t b_rank, uint32_t b)
{
    uint32_t x, y;

    if (a_rank == b_rank && a == b)
        return true;
    return ork_call_sites_number(sites, a_rank, a, &x) == ORK_OK &&
           ork_call_sites_number(sites, b_rank, b, &y) == ORK_OK && x == y;
}
