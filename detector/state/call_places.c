/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/hash.h"
#include "detector/state/state.h"

#include <stdlib.h>

/* RATIONALE: interceptors count from 1, so a higher number is invalid, and no array is made that
 * long. */
enum { NUMBERS_MAX = 1 << 20 };

static uint64_t hash_of_text(const struct ork_record *rec, const uint32_t *list)
{
    uint64_t hash = rec->bytes;

    for (uint32_t i = 0; i < rec->count; i++)
        hash = ork_hash_add(hash, list[i]);
    return hash | 1;
}

static uint64_t hash_of_site(const struct call_places *places, const struct ork_record *rec,
                             const uint32_t *list)
{
    if (rec->count > 0)
        return ork_hash_add(hash_of_text(rec, list), rec->arg2) | 1;
    uint64_t module = rec->arg < places->num_modules ? places->module[rec->arg] : 0;
    uint64_t caller = rec->arg2 == 0 ? 1 : ork_call_place(places, rec->arg2);
    return module == 0 || caller == 0 ? 0
                                      : ork_hash_add(ork_hash_add(module, rec->extra), caller) | 1;
}

void ork_call_places_define(struct proc *p, const struct ork_record *rec, const uint32_t *list)
{
    struct call_places *places = &p->places;

    if (rec->kind == ORK_KIND_MODULE && rec->arg < NUMBERS_MAX && rec->count > 0 &&
        ork_grow(p->d, &places->module, &places->num_modules, rec->arg + 1,
                 sizeof(*places->module)))
        places->module[rec->arg] = hash_of_text(rec, list);
    if (rec->kind != ORK_KIND_SITE || rec->site >= NUMBERS_MAX ||
        !ork_grow(p->d, &places->site, &places->num_sites, rec->site + 1, sizeof(*places->site)))
        return;
    places->site[rec->site] = hash_of_site(places, rec, list);
    p->d->bulk.places_defined++;
}

void ork_call_places_release(struct call_places *places)
{
    free(places->module);
    free(places->site);
    *places = (struct call_places){0};
}
