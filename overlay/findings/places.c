/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/places.h"

#include "common/hash.h"
#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_MIN = 64 };

static const char *text_of(const char *s)
{
    return s != NULL ? s : "";
}

static bool is_same_text(const char *a, const char *b)
{
    return strcmp(text_of(a), text_of(b)) == 0;
}

static bool has_line(const struct ork_where *where)
{
    return where->file != NULL && where->line != 0;
}

/* RATIONALE: if a compiler unrolls a loop or inlines a function, one line has several addresses. */
bool ork_describe_is_same_where(const struct ork_where *a, const struct ork_where *b)
{
    if (!is_same_text(a->file, b->file) || a->line != b->line || a->path != b->path)
        return false;
    return has_line(a) || (is_same_text(a->module, b->module) && a->offset == b->offset);
}

static uint64_t hash_of(const struct ork_where *where)
{
    uint64_t hash = ork_hash_add(ork_hash_text(where->path, text_of(where->file)), where->line);

    return has_line(where)
               ? hash
               : ork_hash_add(ork_hash_text(hash, text_of(where->module)), where->offset);
}

/* The slot of this place, or a free one. */
static uint32_t *slot_of(const struct ork_places *p, const struct ork_where *where, uint64_t hash)
{
    uint32_t at = (uint32_t)hash & (p->slots - 1);

    while (p->slot[at] != 0) {
        const struct ork_place_number *n = &p->place[p->slot[at] - 1];
        if (n->hash == hash && ork_describe_is_same_where(&n->where, where))
            break;
        at = (at + 1) & (p->slots - 1);
    }
    return &p->slot[at];
}

/* At most half of the slots are taken. */
static bool reserve_slots(struct ork_places *p)
{
    if (2 * (uint64_t)(p->count + 1) <= p->slots)
        return true;
    uint32_t slots = p->slots == 0 ? SLOTS_MIN : 2 * p->slots;
    uint32_t *slot = calloc(slots, sizeof(*slot));
    if (slot == NULL)
        return false;
    free(p->slot);
    p->slot = slot;
    p->slots = slots;
    for (uint32_t i = 0; i < p->count; i++)
        *slot_of(p, &p->place[i].where, p->place[i].hash) = i + 1;
    return true;
}

enum ork_status ork_places_number(struct ork_places *p, struct ork_where *where, uint32_t *number)
{
    uint64_t hash = hash_of(where);

    if (!reserve_slots(p) ||
        !ork_vec_reserve(&p->place, &p->room, p->count + 1, sizeof(*p->place))) {
        ork_where_release(where);
        return ORK_NOMEM;
    }
    uint32_t *slot = slot_of(p, where, hash);
    if (*slot == 0) {
        p->place[p->count++] = (struct ork_place_number){.where = *where, .hash = hash};
        *slot = p->count;
        *where = (struct ork_where){0};
    }
    ork_where_release(where);
    *number = *slot;
    return ORK_OK;
}

void ork_places_release(struct ork_places *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        ork_where_release(&p->place[i].where);
    free(p->place);
    free(p->slot);
    *p = (struct ork_places){0};
}
