/* SPDX-License-Identifier: BSD-3-Clause */
/* RATIONALE: a type id is a hash of its sequence, so all ranks define the same ids, and one table
 * serves them all. Definitions are untrusted: the id is computed again. */
#include "detector/state/state.h"

#include <stdlib.h>

/* Above it, further sequences are unknown. */
enum { TYPES_MAX = 1 << 20, SLOTS_MIN = 64, WORDS = 3 };

static struct known_sequence *place_of(const struct types *t, uint32_t id)
{
    uint32_t i = (id * UINT32_C(0x9e3779b9)) & (t->slots - 1);

    while (t->slot[i].sequence != NULL && t->slot[i].id != id)
        i = (i + 1) & (t->slots - 1);
    return &t->slot[i];
}

static bool grow(struct types *t)
{
    struct types bigger = {.slots = t->slots == 0 ? SLOTS_MIN : 2 * t->slots, .used = t->used};

    bigger.slot = t->used < TYPES_MAX ? calloc(bigger.slots, sizeof(*bigger.slot)) : NULL;
    if (bigger.slot == NULL)
        return false;
    for (uint32_t i = 0; i < t->slots; i++) {
        if (t->slot[i].sequence != NULL)
            *place_of(&bigger, t->slot[i].id) = t->slot[i];
    }
    free(t->slot);
    *t = bigger;
    return true;
}

/* Takes over the reference. */
static const struct ork_sequence *enter(struct types *t, uint32_t id, struct ork_sequence *s)
{
    if (s == NULL || s->signature.unknown ||
        ((t->slots == 0 || t->used * 2 >= t->slots) && !grow(t))) {
        ork_sequence_unref(s);
        return NULL;
    }
    struct known_sequence *known = place_of(t, id);
    *known = (struct known_sequence){.sequence = s, .id = id};
    t->used++;
    return s;
}

static const struct known_sequence *find(const struct types *t, uint32_t id)
{
    const struct known_sequence *known = t->slots > 0 ? place_of(t, id) : NULL;

    return known != NULL && known->sequence != NULL ? known : NULL;
}

const struct ork_sequence *ork_types_get(struct ork_detector *d, uint32_t id)
{
    const struct known_sequence *known = find(&d->types, id);

    if (known != NULL)
        return known->is_ambiguous ? NULL : known->sequence;
    return id != ORK_TYPE_UNKNOWN && id < ORK_TYPE_DERIVED
               ? enter(&d->types, id, ork_sequence_of_basic(id))
               : NULL;
}

static struct ork_sequence *sequence_of(struct ork_detector *d, const uint32_t *list, size_t n)
{
    struct ork_part *part = calloc(n + 1, sizeof(*part));
    struct ork_sequence *s = NULL;
    size_t known = 0;

    for (; part != NULL && known < n; known++) {
        const uint32_t *word = &list[known * WORDS];
        const struct ork_sequence *one = ork_types_get(d, word[2]);
        if (one == NULL)
            break;
        part[known].count = word[0] | (uint64_t)word[1] << 32;
        part[known].sequence = place_of(&d->types, word[2])->sequence;
    }
    if (part != NULL && known == n)
        s = ork_sequence_of_parts(part, n);
    free(part);
    return s;
}

void ork_types_define(struct ork_detector *d, const struct ork_record *rec, const uint32_t *list)
{
    if (rec->arg < ORK_TYPE_DERIVED || rec->count % WORDS != 0 ||
        rec->count / WORDS > ORK_SEQUENCE_PARTS)
        return;
    struct ork_sequence *s = sequence_of(d, list, rec->count / WORDS);
    if (s == NULL || s->id != rec->arg || s->bytes != rec->bytes) {
        ork_sequence_unref(s);
        return;
    }
    struct known_sequence *known = d->types.slots > 0 ? place_of(&d->types, rec->arg) : NULL;
    if (known == NULL || known->sequence == NULL) {
        enter(&d->types, rec->arg, s);
        return;
    }
    known->is_ambiguous |= known->sequence->bytes != s->bytes ||
                           !ork_signature_is_exact(&known->sequence->signature, &s->signature);
    ork_sequence_unref(s);
}

bool ork_types_items(const struct ork_detector *d, struct amount amount, struct ork_items *items)
{
    const struct known_sequence *known = find(&d->types, amount.type);
    const struct ork_sequence *s = known != NULL && !known->is_ambiguous ? known->sequence : NULL;

    if (s == NULL || s->bytes == 0 || amount.bytes % s->bytes != 0)
        return false;
    *items = (struct ork_items){.count = amount.bytes / s->bytes, .sequence = s};
    return true;
}

void ork_types_destroy(struct ork_detector *d)
{
    for (uint32_t i = 0; i < d->types.slots; i++)
        ork_sequence_unref(d->types.slot[i].sequence);
    free(d->types.slot);
}
