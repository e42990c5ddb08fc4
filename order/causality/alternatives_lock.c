/* SPDX-License-Identifier: BSD-3-Clause */
/* Window locks that could have been granted earlier (docs/explanation/alternatives.md): before one
 * of the conflicting sections that came before, and before all that must come after that one. */
#include "order/causality/search.h"
#include "common/hash.h"

#include <stdlib.h>

/* ---- which sections came before ---- */

/* How many sections of each rank are before `own`, without those that are moved: s->index. False:
 * out of memory. */
static bool list_before(struct search *s, const struct section *own)
{
    uint32_t nprocs = s->causality->nprocs, pairs = 0;
    uint32_t *index;

    if (!ork_vec_reserve(&s->index, &s->index_room, 2 * nprocs, sizeof(*s->index))) {
        s->causality->failed = true;
        return false;
    }
    index = s->index;
    memset(index, 0, nprocs * sizeof(*index));
    for (const struct section *o = NULL; (o = ork_causality_section_before(own, o)) != NULL;)
        index[o->rank->number] += !o->is_moved;
    for (uint32_t r = 0; r < nprocs; r++)
        pairs += index[r] > 0;
    s->indices = 2 * pairs;
    /* RATIONALE: from the last one on, pairs go behind what is still to be read. */
    uint32_t *to = index + 2 * (size_t)nprocs;
    for (uint32_t r = nprocs; r-- > 0;) {
        if (index[r] == 0)
            continue;
        uint32_t n = index[r];
        *--to = n;
        *--to = r;
    }
    memmove(index, to, s->indices * sizeof(*index));
    return true;
}

enum ork_status ork_causality_locked_choices(struct ork_causality *c, ork_locked_take *take,
                                             void *context)
{
    struct search s = {.causality = c};
    bool goes_on = true;

    for (uint32_t r = 0; r < c->nprocs && goes_on; r++) {
        const struct rank *p = &c->rank[r];
        for (uint32_t i = 0; i < p->choices && goes_on; i++) {
            const struct choice *choice = p->choice[i];
            if (choice->section == NULL || choice->section->granted == 0)
                continue;
            goes_on = list_before(&s, choice->section) &&
                      take(context, &(struct ork_locked_choice){.rank = r,
                                                                .number = choice->number,
                                                                .is_repeated = choice->is_repeated,
                                                                .before = s.index,
                                                                .count = s.indices});
        }
    }
    free(s.index);
    return c->failed ? ORK_NOMEM : ORK_OK;
}

/* ---- what is moved behind it ---- */

static bool move(struct search *s, struct section *o)
{
    bool done = ork_after_add(&s->after, o->rank->number, o->choice->value);

    o->is_moved = true;
    s->causality->failed |= !done;
    return done;
}

/* Move all of which the grant, or the release, is after what is moved. RATIONALE: those that are
 * not over cannot be before a lock that is granted; their release is NEVER. */
static bool move_dependent(struct search *s, const struct section *own)
{
    bool more = true;

    while (more) {
        more = false;
        if (!ork_causality_complete(s))
            return false;
        for (struct section *o = NULL; (o = ork_causality_section_before(own, o)) != NULL;) {
            uint64_t time = s->after.time[o->rank->number];
            if (o->is_moved || (o->choice->time < time && o->released_at < time))
                continue;
            if (!move(s, o))
                return false;
            more = true;
        }
    }
    return true;
}

static void unmove(const struct section *own)
{
    for (struct section *o = NULL; (o = ork_causality_section_before(own, o)) != NULL;)
        o->is_moved = false;
}

/* Could the lock have been requested without the section `first`, and what must come after that?
 * Then these are moved. */
static bool can_precede(struct search *s, const struct section *own, struct section *first)
{
    uint32_t rank = own->rank->number;

    unmove(own);
    ork_after_choose(&s->after, first->rank->number, first->choice->value, NULL);
    first->is_moved = true;
    return own->requested_at < ork_after_time(&s->after, rank) && move_dependent(s, own) &&
           own->requested_at < s->after.time[rank];
}

/* Were the same sections moved for another one before? */
static bool was_moved(struct search *s, const struct section *own)
{
    uint64_t hash = 0;

    for (const struct section *o = NULL; (o = ork_causality_section_before(own, o)) != NULL;) {
        if (o->is_moved)
            hash = ork_hash_add(hash, o->granted);
    }
    for (uint32_t i = 0; i < s->moves; i++) {
        if (s->moved[i] == hash)
            return true;
    }
    if (!ork_vec_reserve(&s->moved, &s->moved_room, s->moves + 1, sizeof(*s->moved))) {
        s->causality->failed = true;
        return true;
    }
    s->moved[s->moves++] = hash;
    return false;
}

static uint32_t num_moved(const struct section *own)
{
    uint32_t n = 0;

    for (const struct section *o = NULL; (o = ork_causality_section_before(own, o)) != NULL;)
        n += o->is_moved && o->released != 0;
    return n;
}

/* `before`: as many sections as it counted, or would count. */
static void search_section(struct search *s, const struct section *own, uint32_t before,
                           struct ork_alternative alternative)
{
    s->moves = 0;
    for (struct section *o = NULL; (o = ork_causality_section_before(own, o)) != NULL;) {
        if (s->stopped || s->causality->failed || !can_precede(s, own, o) || was_moved(s, own) ||
            !list_before(s, own))
            continue;
        alternative.tag = (int32_t)((before - num_moved(own)) & INT32_MAX);
        alternative.index = s->index;
        alternative.count = s->indices;
        ork_causality_pass(s, alternative);
    }
    unmove(own);
}

void ork_causality_search_lock(struct search *s, const struct choice *c)
{
    const struct section *own = c->section;

    search_section(s, own, own->before,
                   (struct ork_alternative){.choice = ork_causality_describe_choice(own->rank, c),
                                            .source = c->source,
                                            .sender = UINT32_MAX});
}

void ork_causality_search_request(struct search *s, const struct rank *p)
{
    bool is_locking = p->inside && p->call.kind == ORK_KIND_WIN_LOCK && p->locking != NULL;
    const struct section *own = is_locking ? p->locking : NULL;

    if (own == NULL || own->requested_at == NEVER || own->number == 0)
        return;
    search_section(s, own, ork_causality_sections_so_far(own),
                   (struct ork_alternative){.choice = {.kind = ORK_CHOICE_LOCK,
                                                       .rank = p->number,
                                                       .number = own->number,
                                                       .site = own->site,
                                                       .post_site = own->site,
                                                       .source = p->call.peer,
                                                       .sender = UINT32_MAX},
                                            .source = p->call.peer,
                                            .sender = UINT32_MAX,
                                            .poll = {.call = p->call.call, .place = own->place}});
}
