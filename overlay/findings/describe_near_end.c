/* SPDX-License-Identifier: BSD-3-Clause */
/* The ends of a near miss, and adding one to a finding. */
#include "overlay/findings/describe_near.h"

#include "common/vec.h"
#include "overlay/findings/graph.h"
#include "record/calls.h"

#include <string.h>

const char *ork_describe_term(struct ork_writing *w, const struct ork_term *t)
{
    return ork_call_at(w, t->rank, t->call, t->site);
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

struct ork_match_end ork_describe_match_end(struct ork_writing *w, const struct ork_term *t)
{
    struct ork_match_end end = {.rank = t->rank,
                                .call = ork_writing_give(w, ork_call_name(t->call))};

    ork_writing_check(w, ork_call_sites_find(w->sites, t->rank, t->site, &end.where));
    return end;
}

bool ork_describe_is_exchanging(const struct ork_detector *d, const struct ork_search *s,
                                uint32_t rank)
{
    struct ork_rank_view v = ork_search_rank(d, s, rank);

    bool is_in_collective = v.status == ORK_RANK_BLOCKED &&
                            (v.call.kind == ORK_KIND_COLL || v.call.kind == ORK_KIND_FINALIZE);

    return v.status != ORK_RANK_DONE && !is_in_collective;
}

bool ork_describe_exchanges_with(const struct ork_detector *d, const struct ork_search *s,
                                 const struct ork_finding *f, uint32_t rank, uint32_t other)
{
    const struct ork_rank_row *row = ork_describe_row(f, rank);

    return ork_describe_is_exchanging(d, s, rank) &&
           (row == NULL || ork_describe_has_rank(&row->waits_for, other));
}

struct ork_near_miss *ork_describe_add_near(struct ork_writing *w, struct ork_finding *f,
                                            const char *differs, const struct ork_term *waits,
                                            const struct ork_term *pending, uint32_t others,
                                            const char *message)
{
    size_t count = f->num_near_misses;

    if (!ork_vec_extend(&f->near_miss, count, count + 1, sizeof(*f->near_miss))) {
        ork_writing_check(w, ORK_NOMEM);
        return NULL;
    }
    f->near_miss[f->num_near_misses++] =
        (struct ork_near_miss){.differs = ork_writing_give(w, differs),
                               .message = ork_writing_give_sentence(w, message),
                               .others = others,
                               .waits = ork_describe_match_end(w, waits),
                               .pending = ork_describe_match_end(w, pending)};
    return &f->near_miss[count];
}

bool ork_describe_is_near_reported(struct ork_writing *w, const struct ork_finding *f,
                                   const struct ork_term *waits)
{
    struct ork_where where = {0};
    bool reported = false;

    if (f->num_near_misses > 0)
        where = ork_writing_where(w, waits->rank, waits->site);
    for (uint32_t i = 0; i < f->num_near_misses && !reported && w->status == ORK_OK; i++) {
        const struct ork_match_end *end = &f->near_miss[i].waits;
        reported = end->rank == waits->rank && strcmp(end->call, ork_call_name(waits->call)) == 0 &&
                   ork_describe_is_same_where(&end->where, &where);
    }
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
