/* SPDX-License-Identifier: BSD-3-Clause */
/* Near misses of MPI_Intercomm_create (MPI-3.1 section 6.6.2): the leaders of the two groups pass
 * different tags, or do not name each other. */
#include "overlay/findings/describe_near.h"

enum { LOOKS_MAX = 4096 };

/* A rank in that call, and the only rank for which it waits. */
struct side {
    struct ork_rank_view view;
    uint32_t rank, awaited;
    bool is_leader;
};

static bool is_leader(const struct ork_detector *d, const struct ork_rank_view *v, uint32_t rank)
{
    uint32_t leader = ork_detector_comm_member(d, v->comm, v->call.arg);

    return leader == rank || leader == UINT32_MAX; /* MPI_COMM_SELF has no members to ask for */
}

static bool find_side(const struct ork_detector *d, const struct ork_search *s,
                      const struct ork_finding *f, uint32_t rank, struct side *side)
{
    const struct ork_rank_row *row = ork_describe_row(f, rank);
    struct ork_rank_view v = ork_search_rank(d, s, rank);

    if (row == NULL || row->waits_for.count != 1 || v.status != ORK_RANK_BLOCKED ||
        v.call.kind != ORK_KIND_COLL || v.call.mode != ORK_COLL_INTERCOMM_CREATE)
        return false;
    *side = (struct side){.view = v,
                          .rank = rank,
                          .awaited = row->waits_for.item[0],
                          .is_leader = is_leader(d, &v, rank)};
    return true;
}

static struct ork_term term_of(const struct side *side)
{
    return (struct ork_term){.rank = side->rank,
                             .call = side->view.call.call,
                             .kind = ORK_KIND_COLL,
                             .site = side->view.call.site,
                             .comm = side->view.comm};
}

static void add(struct ork_writing *w, struct ork_finding *f, const struct side *a,
                const struct side *b)
{
    const struct ork_term waits = term_of(a), other = term_of(b);
    const struct ork_slot here = TEXT('c', ork_describe_term(w, &waits));
    const struct ork_slot there = TEXT('d', ork_describe_term(w, &other));

    if (b->is_leader && b->awaited == a->rank)
        ork_describe_add_near(w, f, "tag", &waits, &other, 0,
                              ork_say(w, SAYS_NEAR_INTER_TAG, RANK('r', a->rank),
                                      NUMBER('t', a->view.call.tag), here, RANK('o', b->rank),
                                      NUMBER('u', b->view.call.tag), there));
    else
        ork_describe_add_near(w, f, "leader", &waits, &other, 0,
                              ork_say(w, SAYS_NEAR_INTER_LEADER, RANK('r', a->rank),
                                      RANK('o', b->rank), here, NUMBER('i', b->is_leader),
                                      RANK('x', b->awaited), there));
}

/* How sure is it that these leaders miss each other by a mistake of the first? 0: they do not. */
static unsigned weight_of(const struct side *a, const struct side *b)
{
    if (b->is_leader && b->awaited == a->rank)
        return a->rank < b->rank && a->view.call.tag != b->view.call.tag ? 2 : 0;
    return b->is_leader ? 1 : 2; /* a rank that is no leader is a wrong one */
}

/* RATIONALE: a leader that names a wrong rank makes all others miss theirs, so one is enough. */
void ork_describe_near_intercomms(struct ork_writing *w, const struct ork_search *s,
                                  struct ork_finding *f)
{
    struct side first = {0}, second = {0};
    unsigned weight = 0;

    for (uint32_t i = 0; i < f->ranks.count && i < LOOKS_MAX && weight < 2; i++) {
        struct side a, b;
        if (!find_side(w->d, s, f, f->ranks.item[i], &a) || !a.is_leader ||
            !find_side(w->d, s, f, a.awaited, &b) || weight_of(&a, &b) <= weight)
            continue;
        weight = weight_of(&a, &b);
        first = a;
        second = b;
    }
    if (weight > 0)
        add(w, f, &first, &second);
}
