/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/explore/sites.h"

#include "common/assert.h"
#include "common/hash.h"
#include "common/vec.h"

#include <stdlib.h>

uint64_t ork_choice_site_hash(const struct ork_choice *c)
{
    return ork_hash_add(c->place, c->call);
}

/* NULL: out of memory. */
static struct ork_search_site *site_of(struct ork_sites *s, const struct ork_choice *c)
{
    uint32_t *at = ork_hash_map_use(&s->by_hash, ork_choice_site_hash(c));

    if (at == NULL)
        return NULL;
    if (*at == 0) {
        bool *is_of = calloc(s->ranks, sizeof(*is_of));
        if (is_of == NULL || !ork_vec_reserve(&s->site, &s->room, s->num + 1, sizeof(*s->site)) ||
            !ork_vec_reserve(&s->is_of, &s->is_of_room, s->num + 1, sizeof(*s->is_of))) {
            free(is_of);
            return NULL;
        }
        s->is_of[s->num] = is_of;
        s->site[s->num++] =
            (struct ork_search_site){.place = c->place, .call = c->call, .is_of = is_of};
        *at = s->num;
    }
    ORK_ASSERT(*at <= s->num);
    return &s->site[*at - 1];
}

uint64_t ork_choice_identity(uint32_t rank, uint64_t number, const struct ork_choice *c)
{
    uint64_t h = ork_hash_add(ork_choice_site_hash(c), rank);

    return ork_choice_is_posted(c) ? ork_hash_add(ork_hash_add(h, c->post), 1)
                                   : ork_hash_add(h, number);
}

static uint64_t hash_outcome(uint64_t identity, const struct ork_choice *c, uint64_t polled)
{
    return ork_trace_join(identity, ork_trace_own(c, polled), c->source);
}

bool ork_sites_count(struct ork_sites *s, uint32_t rank, const struct ork_choice *c,
                     uint64_t polled, uint64_t identity, bool is_seen)
{
    uint64_t outcome = hash_outcome(identity, c, polled);
    struct ork_search_site *site = site_of(s, c);
    bool is_choice, is_known, is_tried = false;

    ORK_ASSERT(rank < s->ranks);
    if (site == NULL || !ork_hash_map_note(&s->seen, identity, &is_choice) ||
        !ork_hash_map_note(&s->seen, ork_hash_add(outcome, 1), &is_known) ||
        (is_seen && !ork_hash_map_note(&s->seen, ork_hash_add(outcome, 2), &is_tried)))
        return false;
    s->is_of[site - s->site][rank] = true;
    site->choices += is_choice;
    site->known += is_known;
    site->tried += is_tried;
    ORK_ASSERT(site->tried <= site->known);
    return true;
}

bool ork_sites_note_endless(struct ork_sites *s, const struct ork_choice *c)
{
    struct ork_search_site *site = site_of(s, c);

    if (site != NULL)
        site->is_endless = true;
    return site != NULL;
}

void ork_sites_release(struct ork_sites *s)
{
    for (uint32_t i = 0; i < s->num; i++)
        free(s->is_of[i]);
    free(s->is_of);
    free(s->site);
    ork_hash_map_release(&s->by_hash);
    ork_hash_map_release(&s->seen);
}
