/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/places.h"

#include "common/hash.h"
#include "common/text.h"
#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(const char *s)
{
    return s != NULL ? s : "";
}

static bool has_line(const struct ork_where *where)
{
    return where->file != NULL && where->line != 0;
}

/* RATIONALE: if a compiler unrolls a loop or inlines a function, one line has several addresses. */
bool ork_describe_is_same_where(const struct ork_where *a, const struct ork_where *b)
{
    if (!ork_text_is_same(a->file, b->file) || a->line != b->line || a->path != b->path)
        return false;
    return has_line(a) || (ork_text_is_same(a->module, b->module) && a->offset == b->offset);
}

static uint64_t hash_of(const struct ork_where *where)
{
    uint64_t hash = ork_hash_add(ork_hash_text(where->path, text_of(where->file)), where->line);

    return has_line(where)
               ? hash
               : ork_hash_add(ork_hash_text(hash, text_of(where->module)), where->offset);
}

/* 0: it is new. */
static uint32_t find(const struct ork_places *p, const struct ork_where *where, uint64_t hash)
{
    uint32_t probe = 0, number;

    while ((number = ork_hash_map_next(&p->by_hash, hash, &probe)) != 0 &&
           !ork_describe_is_same_where(&p->place[number - 1], where))
        ;
    return number;
}

enum ork_status ork_places_number(struct ork_places *p, struct ork_where *where, uint32_t *number)
{
    const uint64_t hash = hash_of(where);

    *number = find(p, where, hash);
    if (*number == 0) {
        if (!ork_vec_reserve(&p->place, &p->room, p->count + 1, sizeof(*p->place)) ||
            !ork_hash_map_add(&p->by_hash, hash, p->count + 1)) {
            ork_where_release(where);
            return ORK_NOMEM;
        }
        p->place[p->count++] = *where;
        *where = (struct ork_where){0};
        *number = p->count;
    }
    ork_where_release(where);
    return ORK_OK;
}

void ork_places_release(struct ork_places *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        ork_where_release(&p->place[i]);
    free(p->place);
    ork_hash_map_release(&p->by_hash);
    *p = (struct ork_places){0};
}
