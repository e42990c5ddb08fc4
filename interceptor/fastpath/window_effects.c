/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/fastpath/window_effects.h"

#include "interceptor/hooks/op_rma.h"
#include "interceptor/hooks/op_window.h"

struct ork_window_template ork_window_templates[ORK_REPEAT_BLOCK_MAX];

/* ---- the state of the tables ---- */

static uint64_t add_place(uint64_t hash, struct ork_epoch_place place)
{
    return ork_hash_add(ork_hash_add(hash, place.site), place.call);
}

/* RATIONALE: a sum, because the order in the map depends on what was in it before. */
static uint64_t locked_targets(const struct ork_map *map)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; map->slot != NULL && i <= map->mask; i++) {
        const struct ork_entry *e = &map->slot[i];
        if (e->key != 0)
            sum += ork_hash_add(ork_hash_add(ork_hash_add(3, e->key), e->id), e->flags);
    }
    return sum;
}

static uint64_t add_epochs(uint64_t hash, const struct ork_epochs *e)
{
    hash = ork_hash_add(hash, (uint64_t)e->open << 8 | e->doubtful);
    hash = ork_hash_add(hash, (uint64_t)e->admitted << 32 | e->num_locked);
    hash = ork_hash_add(hash, locked_targets(&e->locked));
    hash = ork_hash_add(hash, e->num_members);
    for (uint32_t i = 0; i < e->num_members; i++)
        hash = ork_hash_add(hash, e->member[i]);
    hash = add_place(add_place(hash, e->fence), e->start);
    hash = add_place(add_place(hash, e->lock_all), e->post);
    return add_place(hash, e->access);
}

uint64_t ork_window_tables(void)
{
    uint64_t hash = ork_hash_add(4, ork_origins_known);
    const struct ork_window *w;

    for (uint32_t next = 0; (w = ork_windows_next(&next)) != NULL;)
        hash = add_epochs(hash, &w->epochs);
    return hash;
}

/* ---- postponed updates ---- */

struct ork_args ork_window_template_access(uint32_t position)
{
    const struct ork_repeated_access *r = &ork_repeated_access[position];

    return (struct ork_args){.origin = r->origin,
                             .result = r->result,
                             .target_disp = r->target_disp,
                             .win = r->win,
                             .datatype = r->datatype,
                             .datatype2 = r->datatype2,
                             .datatype3 = r->datatype3,
                             .op = r->op,
                             .count = r->count,
                             .count2 = r->count2,
                             .count3 = r->count3,
                             .target = r->target};
}

static void restore_access(const struct ork_call *call, uint32_t position, unsigned mode,
                           bool has_request, uint32_t request)
{
    struct ork_args a = ork_window_template_access(position);

    a.is_new = ork_access_is_new(&a, has_request);
    ork_access_follow(call, &a, mode, has_request, request);
}

void ork_window_template_restore(const struct ork_call *call, uint32_t position, bool has_request,
                                 uint32_t request)
{
    const struct ork_window_template *w = &ork_window_templates[position];
    const struct ork_args a = {.win = w->lock.win,
                               .group = w->group,
                               .rank = w->lock.rank,
                               .lock_type = w->lock.type,
                               .assertion = w->lock.assertion};

    switch ((enum ork_window_template_kind)w->kind) {
    case ORK_WINDOW_STEP_NONE:
        break;
    case ORK_WINDOW_STEP_ACCESS:
        restore_access(call, position, w->mode, has_request, request);
        break;
    case ORK_WINDOW_STEP_FLUSH:
        ork_flush_follow(&a);
        break;
    case ORK_WINDOW_STEP_FENCE:
        ork_fence_follow(call, &a);
        break;
    case ORK_WINDOW_STEP_EPOCH:
        ork_epoch_follow(call, &a, w->mode);
        break;
    }
}
